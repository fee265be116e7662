"""The coding exercises of the chapter *The number game*."""

from fractions import Fraction as F
from math import exp, log

from bayesbook.base import ZeroProbabilityError
from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

_SMALL = {"low": {1, 2, 3}, "even": {2, 4, 6, 8}, "two": {2}}
_POWERS = {"twos": {2, 4, 8, 16}, "fours": {4, 16}, "any": set(range(1, 21))}
_PAIRS = {"a": {1, 2}, "b": {1, 3}, "c": {2, 3, 4, 5, 6}}
_EVEN_FIRST = {"low": F(1, 4), "even": F(1, 2), "two": F(1, 4)}
_NATURAL = {"twos": F(1, 3), "fours": F(1, 6), "any": F(1, 2)}
_WITHOUT_A = {"a": F(0), "b": F(1, 4), "c": F(3, 4)}

# -- concept_posterior(concepts, prior, data) -----------------------------


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


def _concept_posterior(concepts, prior, data):
    return _rescaled(_joint(concepts, prior, data))


def _without_the_prior(concepts, prior, data):
    flat = dict.fromkeys(concepts, F(1))
    return _rescaled(_joint(concepts, flat, data))


def _weak(concepts, prior, data):
    return _rescaled(
        {name: p * (concepts[name] >= set(data)) for name, p in prior.items()}
    )


def _once(concepts, prior, data):
    return _rescaled(_joint(concepts, prior, data[:1] and list(set(data))))


def _one_factor(concepts, prior, data):
    return _rescaled(
        {
            name: prior[name] * F(h >= set(data), len(h))
            for name, h in concepts.items()
        }
    )


def _some_member(concepts, prior, data):
    return _rescaled(
        {
            name: prior[name]
            * F(any(x in h for x in data) or not data, len(h) ** len(data))
            for name, h in concepts.items()
        }
    )


concept_posterior = Exercise(
    reference=_concept_posterior,
    cases=(
        (_SMALL, _EVEN_FIRST, [2, 2]),
        (_SMALL, _EVEN_FIRST, [2, 3]),
        (_POWERS, _NATURAL, [4, 16, 4]),
        (_POWERS, _NATURAL, [8]),
        (_PAIRS, _WITHOUT_A, [3]),
        (_PAIRS, _WITHOUT_A, [2, 3, 2]),
        (_POWERS, _NATURAL, []),
        (_PAIRS, _WITHOUT_A, [1, 2]),
    ),
    mistakes={
        "These are prior times likelihood. What do they sum to, and what "
        "should a posterior sum to?": _joint,
        "This ignores the prior: it is the likelihood made to sum to one.": (
            _without_the_prior
        ),
        "This only strikes out the concepts that do not contain the data: "
        "that is weak sampling. Where is the size of the concept?": _weak,
        "Here the size counts once, however many examples there are.": (
            _one_factor
        ),
        "A repeated example is a further draw, and counts again.": _once,
        "This keeps concepts that contain some of the examples; they have "
        "to contain all.": _some_member,
    },
)

# -- next_example(concepts, posterior, x) ---------------------------------


def _next_example(concepts, posterior, x):
    return sum(
        (posterior[name] / len(h) for name, h in concepts.items() if x in h),
        F(0),
    )


def _belongs(concepts, posterior, x):
    return sum(
        (posterior[name] for name, h in concepts.items() if x in h), F(0)
    )


def _plug_in(concepts, posterior, x):
    best = concepts[max(posterior, key=posterior.get)]
    return F(x in best, len(best))


def _unweighted(concepts, posterior, x):
    flat = dict.fromkeys(concepts, F(1, len(concepts)))
    return _next_example(concepts, flat, x)


def _given_it_belongs(concepts, posterior, x):
    inside = _belongs(concepts, posterior, x)
    return _next_example(concepts, posterior, x) / inside if inside else F(0)


_THIRDS = {"low": F(1, 6), "even": F(1, 3), "two": F(1, 2)}
_MOSTLY = {"twos": F(7, 20), "fours": F(3, 5), "any": F(1, 20)}
_SPREAD = {"a": F(2, 7), "b": F(4, 7), "c": F(1, 7)}

next_example = Exercise(
    reference=_next_example,
    cases=(
        (_SMALL, _THIRDS, 2),
        (_SMALL, _THIRDS, 6),
        (_SMALL, _THIRDS, 9),
        (_POWERS, _MOSTLY, 16),
        (_POWERS, _MOSTLY, 8),
        (_POWERS, _MOSTLY, 5),
        (_PAIRS, _SPREAD, 3),
        (_PAIRS, _SPREAD, 1),
    ),
    mistakes={
        "This is the probability that x *belongs*. To come next, it has to "
        "be drawn from among the members as well.": _belongs,
        "This plugs in the concept of largest posterior. Average over all "
        "of them.": _plug_in,
        "This gives every concept the same weight, whatever its posterior.": (
            _unweighted
        ),
        "This averages over the concepts that contain x only. The others "
        "count too: they give x the probability zero.": _given_it_belongs,
    },
)

# -- examples_until_lead(small, large, odds) ------------------------------


def _until(small, large, odds, leads):
    n = 0
    # Wrong turns may never lead: 2000 is further than any case goes.
    while not leads(odds * F(large, small) ** n) and n < 2000:
        n += 1
    return n


def _examples_until_lead(small, large, odds):
    return _until(small, large, odds, lambda now: now > 1)


def _by_logs(small, large, odds):
    return max(0, -log(odds) / log(large / small))


examples_until_lead = Exercise(
    reference=_examples_until_lead,
    cases=(
        (5, 6, F(1, 100)),
        (6, 7, F(1, 37)),
        (10, 50, F(1, 5)),
        (10, 20, F(1, 8)),
        (25, 50, F(1, 30)),
        (3, 50, F(2, 9)),
        (8, 9, F(1, 1)),
        (4, 5, F(3, 2)),
        (99, 100, F(1, 20)),
    ),
    mistakes={
        "At even odds nobody leads yet: *greater* than 1 is asked for.": (
            lambda small, large, odds: _until(
                small, large, odds, lambda now: now >= 1
            )
        ),
        "This is one too many: is the prior itself, without an example, "
        "counted as the first?": lambda small, large, odds: (
            _examples_until_lead(small, large, odds) + 1
        ),
        "This is the last number for which the smaller concept does not "
        "lead yet.": lambda small, large, odds: max(
            0, _examples_until_lead(small, large, odds) - 1
        ),
        "This solves an equation; a number of examples is a whole number.": (
            _by_logs
        ),
        "This adds the same amount for each example. Examples multiply the "
        "odds.": lambda small, large, odds: next(
            n for n in range(10**5) if odds * (1 + n * F(large, small)) > 1
        ),
        "Without a prior one example is enough, as here; the odds have to "
        "be overcome first.": lambda small, large, odds: 1,
    },
)

# -- posterior_weight(weight, log_first, log_second) ----------------------


def _posterior_weight(weight, log_first, log_second):
    top = max(log_first, log_second)
    first = weight * exp(log_first - top)
    second = (1 - weight) * exp(log_second - top)
    return first / (first + second)


def _ratio_of_logs(weight, log_first, log_second):
    first, second = weight * log_first, (1 - weight) * log_second
    return first / (first + second)


def _odds_only(weight, log_first, log_second):
    share = _posterior_weight(weight, log_first, log_second)
    return share / (1 - share)


posterior_weight = Exercise(
    reference=_posterior_weight,
    cases=(
        (0.5, -10.5, -12.25),
        (0.25, -3.5, -4.75),
        (0.8, -20.0, -18.5),
        (0.4, -1000.5, -1001.75),
        (0.9, -5003.0, -5001.5),
        (0.3, -7.25, -7.25),
    ),
    mistakes={
        "The logarithms are weighed here as if they were the evidences. "
        "Undo them first, after taking the larger one off both.": (
            _ratio_of_logs
        ),
        "This leaves out the prior weight of the families.": (
            lambda weight, log_first, log_second: _posterior_weight(
                0.5, log_first, log_second
            )
        ),
        "The two families have changed places.": (
            lambda weight, log_first, log_second: _posterior_weight(
                1 - weight, log_second, log_first
            )
        ),
        "The prior weight belongs to the first family, 1 - weight to the "
        "second.": lambda weight, log_first, log_second: _posterior_weight(
            1 - weight, log_first, log_second
        ),
        "These are the posterior odds; divide by one plus the odds.": (
            _odds_only
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "concept_posterior": concept_posterior,
    "next_example": next_example,
    "examples_until_lead": examples_until_lead,
    "posterior_weight": posterior_weight,
}
