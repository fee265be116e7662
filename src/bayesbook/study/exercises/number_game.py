"""The coding exercises of the chapter *The number game*."""

from fractions import Fraction as F
from math import exp, log, prod

from bayesbook.base import ZeroProbabilityError
from bayesbook.study.exercises.checker import exercise

_SMALL = {"low": {1, 2, 3}, "even": {2, 4, 6, 8}, "two": {2}}
_POWERS = {"twos": {2, 4, 8, 16}, "fours": {4, 16}, "any": set(range(1, 21))}
_PAIRS = {"a": {1, 2}, "b": {1, 3}, "c": {2, 3, 4, 5, 6}}
_EVEN_FIRST = {"low": F(1, 4), "even": F(1, 2), "two": F(1, 4)}
_NATURAL = {"twos": F(1, 3), "fours": F(1, 6), "any": F(1, 2)}
_WITHOUT_A = {"a": F(0), "b": F(1, 4), "c": F(3, 4)}
_EVEN_CHANCES = {"a": F(1, 3), "b": F(1, 3), "c": F(1, 3)}


def _likelihood(h, data):
    return F(all(x in h for x in data), len(h) ** len(data))


def _rescaled(joint):
    evidence = sum(joint.values())
    if evidence == 0:
        raise ZeroProbabilityError("no concept contains the data")
    return {name: p / evidence for name, p in joint.items()}


def _joint(concepts, prior, data):
    return {
        name: prior[name] * _likelihood(h, data)
        for name, h in concepts.items()
    }


# -- concept_posterior ----------------------------------------------------


@exercise(
    (_SMALL, _EVEN_FIRST, [2, 2]),
    (_SMALL, _EVEN_FIRST, [2, 3]),
    (_POWERS, _NATURAL, [4, 16, 4]),
    (_POWERS, _NATURAL, [8]),
    (_PAIRS, _WITHOUT_A, [3]),
    (_PAIRS, _WITHOUT_A, [2, 3, 2]),
    (_POWERS, _NATURAL, []),
    (_PAIRS, _WITHOUT_A, [1, 2]),
)
def concept_posterior(concepts, prior, data):
    """Return P[h | data] for every concept h, under strong sampling."""
    return _rescaled(_joint(concepts, prior, data))


_THREE_EXAMPLES = (
    {"both": {3, 5}, "prime": {2, 3, 5, 7}, "low": {1, 2, 3}},
    {"both": F(1, 6), "prime": F(1, 2), "low": F(1, 3)},
    [3, 5, 5],
)


@concept_posterior.mistake(
    "These are prior times likelihood. What do they sum to, and what should a "
    "posterior sum to?",
    example=(
        _THREE_EXAMPLES,
        {"both": F(1, 48), "prime": F(1, 128), "low": 0},
    ),
)
def _not_rescaled(concepts, prior, data):
    return _joint(concepts, prior, data)


@concept_posterior.mistake(
    "This ignores the prior: it is the likelihood made to sum to one.",
    example=(_THREE_EXAMPLES, {"both": F(8, 9), "prime": F(1, 9), "low": 0}),
)
def _without_the_prior(concepts, prior, data):
    flat = dict.fromkeys(concepts, F(1))
    return _rescaled(_joint(concepts, flat, data))


@concept_posterior.mistake(
    "This only strikes out the concepts that do not contain the data: that is "
    "weak sampling. Where is the size of the concept?",
    example=(_THREE_EXAMPLES, {"both": F(1, 4), "prime": F(3, 4), "low": 0}),
)
def _weak(concepts, prior, data):
    joint = {
        name: p * (concepts[name] >= set(data)) for name, p in prior.items()
    }
    return _rescaled(joint)


@concept_posterior.mistake(
    "Here the size counts once, however many examples there are.",
    example=(_THREE_EXAMPLES, {"both": F(2, 5), "prime": F(3, 5), "low": 0}),
)
def _one_factor(concepts, prior, data):
    joint = {
        name: prior[name] * F(h >= set(data), len(h))
        for name, h in concepts.items()
    }
    return _rescaled(joint)


@concept_posterior.mistake(
    "A repeated example is a further draw, and counts again.",
    example=(_THREE_EXAMPLES, {"both": F(4, 7), "prime": F(3, 7), "low": 0}),
)
def _once(concepts, prior, data):
    return _rescaled(_joint(concepts, prior, data[:1] and list(set(data))))


@concept_posterior.mistake(
    "This keeps concepts that contain some of the examples; they have to "
    "contain all.",
    example=(
        _THREE_EXAMPLES,
        {"both": F(216, 425), "prime": F(81, 425), "low": F(128, 425)},
    ),
)
def _some_member(concepts, prior, data):
    joint = {}
    for name, h in concepts.items():
        some = not data or any(x in h for x in data)
        joint[name] = prior[name] * F(some, len(h) ** len(data))
    return _rescaled(joint)


# -- posterior_with_misprints ----------------------------------------------


def _misprinted(h, x, error, n):
    """Return the probability of an example that may be a misprint."""
    return (1 - error) * F(x in h, len(h)) + error / n


@exercise(
    (_SMALL, _EVEN_FIRST, [2, 2], F(1, 10), 8),
    (_SMALL, _EVEN_FIRST, [2, 3], F(1, 5), 10),
    (_POWERS, _NATURAL, [4, 16, 4], F(1, 4), 20),
    (_POWERS, _NATURAL, [8], F(1, 10), 20),
    (_PAIRS, _WITHOUT_A, [2, 3, 2], F(1, 3), 6),
    (_PAIRS, _EVEN_CHANCES, [1, 4], F(1, 2), 9),
    (_POWERS, _NATURAL, [], F(1, 10), 20),
    (_POWERS, _NATURAL, [5, 16, 4, 2], F(1, 100), 20),
)
def posterior_with_misprints(concepts, prior, data, error, n):
    """Return P[h | data] for every concept h, if examples may be wrong."""
    return _rescaled(
        {
            name: prior[name] * prod(_misprinted(h, x, error, n) for x in data)
            for name, h in concepts.items()
        }
    )


_ONE_MISPRINT = (
    {"both": {3, 5}, "prime": {2, 3, 5, 7}, "low": {1, 2, 3}},
    {"both": F(1, 6), "prime": F(1, 2), "low": F(1, 3)},
    [3, 1],
    F(1, 4),
    8,
)


def _by_example(concepts, prior, data, chance):
    """Return the posterior if each example has the given chance."""
    return _rescaled(
        {
            name: prior[name] * prod(chance(h, x) for x in data)
            for name, h in concepts.items()
        }
    )


@posterior_with_misprints.mistake(
    "These are prior times likelihood. What do they sum to, and what should a "
    "posterior sum to?",
    example=(
        _ONE_MISPRINT,
        {"both": F(13, 6144), "prime": F(7, 2048), "low": F(27, 1024)},
    ),
)
def _misprints_not_rescaled(concepts, prior, data, error, n):
    return {
        name: prior[name] * prod(_misprinted(h, x, error, n) for x in data)
        for name, h in concepts.items()
    }


@posterior_with_misprints.mistake(
    "Here a member of the concept is never a misprint. A misprint may be any "
    "of the n numbers, a member as well.",
    example=(
        _ONE_MISPRINT,
        {"both": F(6, 79), "prime": F(9, 79), "low": F(64, 79)},
    ),
)
def _members_are_right(concepts, prior, data, error, n):
    def chance(h, x):
        return (1 - error) / len(h) if x in h else error / n

    return _by_example(concepts, prior, data, chance)


@posterior_with_misprints.mistake(
    "Here a misprint avoids the concept. It is drawn from all n numbers.",
    example=(
        _ONE_MISPRINT,
        {"both": F(4, 45), "prime": F(1, 5), "low": F(32, 45)},
    ),
)
def _misprints_are_outside(concepts, prior, data, error, n):
    def chance(h, x):
        return (1 - error) / len(h) if x in h else error / (n - len(h))

    return _by_example(concepts, prior, data, chance)


@posterior_with_misprints.mistake(
    "Here either all examples are misprints or none is. Each example is one "
    "or not, independently of the others.",
    example=(
        _ONE_MISPRINT,
        {"both": F(3, 146), "prime": F(9, 146), "low": F(67, 73)},
    ),
)
def _all_or_none(concepts, prior, data, error, n):
    joint = {
        name: prior[name]
        * ((1 - error) * _likelihood(h, data) + error / F(n) ** len(data))
        for name, h in concepts.items()
    }
    return _rescaled(joint)


@posterior_with_misprints.mistake(
    "This ignores the prior: it is the likelihood made to sum to one.",
    example=(
        _ONE_MISPRINT,
        {"both": F(13, 101), "prime": F(7, 101), "low": F(81, 101)},
    ),
)
def _misprints_without_the_prior(concepts, prior, data, error, n):
    flat = dict.fromkeys(concepts, F(1))
    return posterior_with_misprints(concepts, flat, data, error, n)


@posterior_with_misprints.mistake(
    "The draw from the concept has a weight, too: it happens with probability "
    "1 - error.",
    example=(
        _ONE_MISPRINT,
        {"both": F(153, 2846), "prime": F(243, 2846), "low": F(1225, 1423)},
    ),
)
def _draw_always(concepts, prior, data, error, n):
    def chance(h, x):
        return F(x in h, len(h)) + error / n

    return _by_example(concepts, prior, data, chance)


@posterior_with_misprints.mistake(
    "error and 1 - error have changed places.",
    example=(
        _ONE_MISPRINT,
        {"both": F(189, 1172), "prime": F(405, 1172), "low": F(289, 586)},
    ),
)
def _errors_exchanged(concepts, prior, data, error, n):
    return posterior_with_misprints(concepts, prior, data, 1 - error, n)


@posterior_with_misprints.mistake(
    "This is the posterior without misprints. With them every number has a "
    "positive probability under every concept.",
    example=(_ONE_MISPRINT, {"both": 0, "prime": 0, "low": 1}),
)
def _without_misprints(concepts, prior, data, error, n):
    return concept_posterior(concepts, prior, data)


# -- next_example ---------------------------------------------------------


_THIRDS = {"low": F(1, 6), "even": F(1, 3), "two": F(1, 2)}
_MOSTLY = {"twos": F(7, 20), "fours": F(3, 5), "any": F(1, 20)}
_SPREAD = {"a": F(2, 7), "b": F(4, 7), "c": F(1, 7)}


@exercise(
    (_SMALL, _THIRDS, 2),
    (_SMALL, _THIRDS, 6),
    (_SMALL, _THIRDS, 9),
    (_POWERS, _MOSTLY, 16),
    (_POWERS, _MOSTLY, 8),
    (_POWERS, _MOSTLY, 5),
    (_PAIRS, _SPREAD, 3),
    (_PAIRS, _SPREAD, 1),
)
def next_example(concepts, posterior, x):
    """Return P[the next example is x], averaged over the concepts."""
    return sum(
        (posterior[name] / len(h) for name, h in concepts.items() if x in h),
        F(0),
    )


_IS_IT_FIVE = (
    {"odd": {1, 3, 5}, "prime": {2, 3, 5, 7}, "low": {1, 2, 3}},
    {"odd": F(1, 6), "prime": F(1, 2), "low": F(1, 3)},
    5,
)


@next_example.mistake(
    "This is the probability that x *belongs*. To come next, it has to be "
    "drawn from among the members as well.",
    example=(_IS_IT_FIVE, F(2, 3)),
)
def _belongs(concepts, posterior, x):
    return sum(
        (posterior[name] for name, h in concepts.items() if x in h), F(0)
    )


@next_example.mistake(
    "This plugs in the concept of largest posterior. Average over all of "
    "them.",
    example=(_IS_IT_FIVE, F(1, 4)),
)
def _plug_in(concepts, posterior, x):
    best = concepts[max(posterior, key=posterior.get)]
    return F(x in best, len(best))


@next_example.mistake(
    "This gives every concept the same weight, whatever its posterior.",
    example=(_IS_IT_FIVE, F(7, 36)),
)
def _unweighted(concepts, posterior, x):
    flat = dict.fromkeys(concepts, F(1, len(concepts)))
    return next_example(concepts, flat, x)


@next_example.mistake(
    "This averages over the concepts that contain x only. The others count "
    "too: they give x the probability zero.",
    example=(_IS_IT_FIVE, F(13, 48)),
)
def _given_it_belongs(concepts, posterior, x):
    inside = _belongs(concepts, posterior, x)
    return next_example(concepts, posterior, x) / inside


# -- examples_until_lead --------------------------------------------------


def _until(small, large, odds, leads):
    n = 0
    # Wrong turns may never lead: 2000 is further than any case goes.
    while not leads(odds * F(large, small) ** n) and n < 2000:
        n += 1
    return n


@exercise(
    (5, 6, F(1, 100)),
    (6, 7, F(1, 37)),
    (10, 50, F(1, 5)),
    (10, 20, F(1, 8)),
    (25, 50, F(1, 30)),
    (3, 50, F(2, 9)),
    (8, 9, F(1, 1)),
    (4, 5, F(3, 2)),
    (99, 100, F(1, 20)),
)
def examples_until_lead(small, large, odds):
    """Return the least N for which the smaller concept is more probable."""
    return _until(small, large, odds, lambda now: now > 1)


@examples_until_lead.mistake(
    "At even odds nobody leads yet: *greater* than 1 is asked for.",
    example=((2, 6, F(1, 9)), 2),
)
def _even_is_enough(small, large, odds):
    return _until(small, large, odds, lambda now: now >= 1)


@examples_until_lead.mistake(
    "This is one too many: is the prior itself, without an example, counted "
    "as the first?",
    example=((5, 6, F(1, 10)), 14),
)
def _one_more(small, large, odds):
    return examples_until_lead(small, large, odds) + 1


@examples_until_lead.mistake(
    "This is the last number for which the smaller concept does not lead yet.",
    example=((5, 6, F(1, 10)), 12),
)
def _one_less(small, large, odds):
    return max(0, examples_until_lead(small, large, odds) - 1)


@examples_until_lead.mistake(
    "This solves an equation; a number of examples is a whole number.",
    example=((5, 6, F(1, 10)), log(10) / log(1.2)),
)
def _by_logs(small, large, odds):
    return max(0, -log(odds) / log(large / small))


@examples_until_lead.mistake(
    "Here each example adds large/small times the prior odds. It multiplies "
    "the odds by large/small.",
    example=((4, 5, F(1, 6)), 5),
)
def _added(small, large, odds):
    step = F(large, small)
    return next(n for n in range(10**5) if odds * (1 + n * step) > 1)


@examples_until_lead.mistake(
    "Without a prior one example is enough, as here; the odds have to be "
    "overcome first.",
    example=((5, 6, F(1, 10)), 1),
)
def _one_always(small, large, odds):
    return 1


# -- posterior_weight -----------------------------------------------------


@exercise(
    (0.5, -10.5, -12.25),
    (0.25, -3.5, -4.75),
    (0.8, -20.0, -18.5),
    (0.4, -1000.5, -1001.75),
    (0.9, -5003.0, -5001.5),
    (0.3, -7.25, -7.25),
)
def posterior_weight(weight, log_first, log_second):
    """Return P[first family | data], from the log-evidences."""
    top = max(log_first, log_second)
    first = weight * exp(log_first - top)
    second = (1 - weight) * exp(log_second - top)
    return first / (first + second)


_APART = (0.3, -2.0, -3.5)


@posterior_weight.mistake(
    "The logarithms are weighed here as if they were the evidences. Undo them "
    "first, after taking the larger one off both.",
    example=(_APART, 0.6 / (0.6 + 2.45)),
)
def _ratio_of_logs(weight, log_first, log_second):
    first, second = weight * log_first, (1 - weight) * log_second
    return first / (first + second)


@posterior_weight.mistake(
    "This leaves out the prior weight of the families.",
    example=(_APART, 1 / (1 + exp(-1.5))),
)
def _equal_weights(weight, log_first, log_second):
    return posterior_weight(0.5, log_first, log_second)


@posterior_weight.mistake(
    "The two families have changed places.",
    example=(_APART, 0.7 / (0.3 * exp(1.5) + 0.7)),
)
def _exchanged(weight, log_first, log_second):
    return posterior_weight(1 - weight, log_second, log_first)


@posterior_weight.mistake(
    "The prior weight belongs to the first family, 1 - weight to the second.",
    example=(_APART, 0.7 / (0.7 + 0.3 * exp(-1.5))),
)
def _weight_of_the_other(weight, log_first, log_second):
    return posterior_weight(1 - weight, log_first, log_second)


@posterior_weight.mistake(
    "These are the posterior odds; divide by one plus the odds.",
    example=(_APART, 3 / 7 * exp(1.5)),
)
def _odds_only(weight, log_first, log_second):
    share = posterior_weight(weight, log_first, log_second)
    return share / (1 - share)
