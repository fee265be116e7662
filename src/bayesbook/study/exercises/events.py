"""The coding exercises of the chapter *Events*."""

import math
from fractions import Fraction as F
from itertools import combinations, product

from bayesbook.probability import ProbabilitySpace, bayes_rule
from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- conditional(probability, event, given) -------------------------------

_LOADED_DIE = {1: F(1, 12), 2: F(1, 6), 3: F(1, 4), 4: F(1, 4), 5: F(1, 4)}
_FAIR_DIE = {face: F(1, 6) for face in range(1, 7)}
_SKY = {"sun": F(1, 2), "rain": F(1, 3), "snow": F(1, 6), "frogs": F(0)}


def _conditional(probability, event, given):
    return ProbabilitySpace(probability).P(event, given=given)


def _total(probability, event):
    return sum((probability[w] for w in event), F(0))


conditional = Exercise(
    reference=_conditional,
    cases=(
        (_LOADED_DIE, {3, 4}, {4, 5}),
        (_LOADED_DIE, {1, 2, 3}, {2, 4}),
        (_FAIR_DIE, {2, 4, 6}, {4, 5, 6}),
        (_FAIR_DIE, {6}, {1, 2}),
        (_SKY, {"snow"}, {"snow", "rain"}),
        (_SKY, {"sun", "snow"}, {"sun", "rain", "snow"}),
        (_SKY, {"rain"}, {"frogs"}),
        (_SKY, {"rain"}, set()),
    ),
    mistakes={
        "This is P[A ∩ B], the joint probability: what is it a share of?": (
            lambda p, a, b: _total(p, a & b)
        ),
        "This is P[B | A]: the event that is known belongs in the "
        "denominator.": lambda p, a, b: _total(p, a & b) / _total(p, a),
        "This counts outcomes. They are not equally likely here: add up "
        "their probabilities.": lambda p, a, b: F(len(a & b), len(b)),
        "This divides P[A], not P[A ∩ B], by P[B]: the part of A outside B "
        "cannot have happened.": lambda p, a, b: _total(p, a) / _total(p, b),
        "This multiplies P[A] by P[B], as if the events were independent.": (
            lambda p, a, b: _total(p, a) * _total(p, b)
        ),
        "This is P[A]: it ignores what is known.": lambda p, a, b: _total(
            p, a
        ),
    },
)

# -- posterior(prior, likelihood) -----------------------------------------


def _ratio_of_two(this, other):
    return this / (this + other)


def _normalised(weights):
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


posterior = Exercise(
    reference=bayes_rule,
    cases=(
        (
            {"ill": F(1, 100), "well": F(99, 100)},
            {"ill": F(9, 10), "well": F(1, 10)},
        ),
        (
            {"fair": F(3, 4), "biased": F(1, 4)},
            {"fair": F(1, 8), "biased": F(27, 64)},
        ),
        (
            {"A": F(1, 2), "B": F(1, 3), "C": F(1, 6)},
            {"A": F(0), "B": F(1, 2), "C": F(1)},
        ),
        ({"only": F(1)}, {"only": F(1, 7)}),
        ({"a": 0.2, "b": 0.8}, {"a": 0.7, "b": 0.4}),
        ({"a": F(0), "b": F(1)}, {"a": F(1), "b": F(0)}),
    ),
    mistakes={
        "These are the joint probabilities P[h] P[E | h]. What do they sum "
        "to, and what should a posterior sum to?": lambda p, q: {
            h: p[h] * q[h] for h in p
        },
        "This ignores the prior: it is the likelihood made to sum to one.": (
            lambda p, q: _normalised(q)
        ),
        "This divides by the sum of the likelihoods. The evidence weighs each "
        "likelihood by its prior.": lambda p, q: {
            h: p[h] * q[h] / sum(q.values()) for h in p
        },
        "This adds prior and likelihood; the multiplication rule multiplies "
        "them.": lambda p, q: (
            bayes_rule(p, q) and _normalised({h: p[h] + q[h] for h in p})
        ),
        "This returns the prior as it was.": lambda p, q: p,
        "This returns the likelihood as it was.": lambda p, q: q,
        "This takes 1 - P[E | h] for the probability of the evidence under "
        "the other hypotheses.": lambda p, q: {
            h: _ratio_of_two(p[h] * q[h], (1 - p[h]) * (1 - q[h])) for h in p
        },
    },
)

# -- after_tests(prevalence, sensitivity, specificity, results) -----------


def _ratio(sensitivity, specificity, result):
    if result == "+":
        return sensitivity / (1 - specificity)
    return (1 - sensitivity) / specificity


def _from_odds(odds):
    return odds / (1 + odds)


def _after_tests(prevalence, sensitivity, specificity, results):
    odds = prevalence / (1 - prevalence)
    for result in results:
        odds *= _ratio(sensitivity, specificity, result)
    return _from_odds(odds)


def _positives_only(prevalence, sensitivity, specificity, results):
    kept = results.replace("-", "")
    return _after_tests(prevalence, sensitivity, specificity, kept)


def _last_only(prevalence, sensitivity, specificity, results):
    return _after_tests(prevalence, sensitivity, specificity, results[-1:])


def _odds_returned(prevalence, sensitivity, specificity, results):
    p = _after_tests(prevalence, sensitivity, specificity, results)
    return p / (1 - p)


def _negative_upside_down(prevalence, sensitivity, specificity, results):
    odds = prevalence / (1 - prevalence)
    for result in results:
        ratio = _ratio(sensitivity, specificity, result)
        odds *= ratio if result == "+" else 1 / ratio
    return _from_odds(odds)


def _prevalence_for_odds(prevalence, sensitivity, specificity, results):
    odds = prevalence
    for result in results:
        odds *= _ratio(sensitivity, specificity, result)
    return _from_odds(odds)


def _one_rate_for_both(rate_of_ill, rate_of_well):
    """Return the mistake with other probabilities of a positive result."""

    def mistaken(prevalence, sensitivity, specificity, results):
        ill = rate_of_ill(sensitivity, specificity)
        well = rate_of_well(sensitivity, specificity)
        return _after_tests(prevalence, ill, 1 - well, results)

    return mistaken


def _reciprocal(prevalence, sensitivity, specificity, results):
    odds = prevalence / (1 - prevalence)
    for result in results:
        ratio = _ratio(sensitivity, specificity, "+")
        odds *= ratio if result == "+" else 1 / ratio
    return _from_odds(odds)


def _joint(prevalence, sensitivity, specificity, results):
    for result in results:
        prevalence *= sensitivity if result == "+" else 1 - sensitivity
    return prevalence


after_tests = Exercise(
    reference=_after_tests,
    cases=(
        (F(1, 100), F(9, 10), F(9, 10), "+"),
        (F(1, 100), F(9, 10), F(9, 10), "++"),
        (F(1, 100), F(9, 10), F(9, 10), "++-"),
        (F(1, 5), F(4, 5), F(19, 20), "-"),
        (F(1, 5), F(4, 5), F(19, 20), "-+-"),
        (F(1, 2), F(7, 10), F(3, 5), "--"),
        (F(3, 10), F(1, 2), F(3, 4), ""),
        (0.02, 0.85, 0.97, "+-+"),
    ),
    mistakes={
        "This uses the last result only: yesterday's posterior is today's "
        "prior.": _last_only,
        "This ignores the negative results; they are evidence too.": (
            _positives_only
        ),
        "These are odds, not probabilities: odds of 1 to 3 are the "
        "probability 1/4.": _odds_returned,
        "The likelihood ratio of a negative result is upside down: which of "
        "the two states belongs in the numerator?": _negative_upside_down,
        "This takes the prevalence for the prior odds: a prevalence of 1/100 "
        "means odds of 1 to 99.": _prevalence_for_odds,
        "For a well person the probability of + is one minus the "
        "specificity.": _one_rate_for_both(
            lambda sens, spec: sens, lambda sens, spec: spec
        ),
        "This uses the sensitivity for both states; where is the "
        "specificity?": _one_rate_for_both(
            lambda sens, spec: sens, lambda sens, spec: 1 - sens
        ),
        "The ratio of a negative result is not one over that of a positive "
        "one: it is (1 - sensitivity) / specificity.": _reciprocal,
        "This starts from even odds: where is the prevalence?": (
            lambda prevalence, *test: _after_tests(F(1, 2), *test)
        ),
        "Only the first result is used: is there a `return` inside the "
        "loop?": lambda prevalence, sens, spec, results: _after_tests(
            prevalence, sens, spec, results[:1]
        ),
        "This is the probability of being well.": (
            lambda *test: 1 - _after_tests(*test)
        ),
        "This is the joint probability of being ill and of the results; "
        "divide it by the probability of the results.": _joint,
    },
)

# -- mutually_independent(probability, events) ----------------------------

_COINS, _THREE_COINS, _FOUR_COINS = (
    {"".join(toss): F(1, 2**n) for toss in product("HT", repeat=n)}
    for n in (2, 3, 4)
)


def _where(space, position, face="H"):
    return {outcome for outcome in space if outcome[position] == face}


def _even_heads(space):
    return {outcome for outcome in space if outcome.count("H") % 2 == 0}


_HEADS = [_where(_THREE_COINS, i) for i in range(3)]


def _product_rule(probability, events):
    return _total(probability, set.intersection(*events)) == math.prod(
        _total(probability, event) for event in events
    )


def _product_rules(probability, events, sizes):
    return all(
        _product_rule(probability, family)
        for size in sizes
        for family in combinations(events, size)
    )


def _mutually_independent(probability, events):
    sizes = range(2, len(events) + 1)
    return _product_rules(probability, events, sizes)


mutually_independent = Exercise(
    reference=_mutually_independent,
    cases=(
        (_THREE_COINS, _HEADS),
        (_COINS, [_where(_COINS, 0), _where(_COINS, 1)]),
        (_COINS, [_where(_COINS, 0), _where(_COINS, 1), {"HH", "TT"}]),
        (_COINS, [_where(_COINS, 0), _where(_COINS, 0, "T")]),
        # The product rule holds for the three together, for no pair.
        (
            {w: F(1, 8) for w in range(1, 9)},
            [{1, 2, 3, 4}, {1, 2, 3, 5}, {1, 6, 7, 8}],
        ),
        # ... and for one pair only.
        (
            _THREE_COINS,
            [
                _where(_THREE_COINS, 0),
                _where(_THREE_COINS, 1),
                _where(_THREE_COINS, 1),
            ],
        ),
        (_FAIR_DIE, [{2, 4, 6}, {1, 2}, set()]),
        (_LOADED_DIE, [{1, 2, 3}, {1, 4, 2}]),
        (_FAIR_DIE, [{2, 4, 6}, set(), {1, 2, 3}]),
        # Of four events: a triple does not multiply; only all four do not;
        # all is well.
        (
            _COINS,
            [_where(_COINS, 0), _where(_COINS, 1), {"HH", "TT"}, set()],
        ),
        (_THREE_COINS, [*_HEADS, _even_heads(_THREE_COINS)]),
        (_FOUR_COINS, [_where(_FOUR_COINS, i) for i in range(4)]),
    ),
    mistakes={
        "This checks the pairs only; larger subfamilies have to multiply "
        "too.": lambda p, events: _product_rules(p, events, [2]),
        "This checks all events together only; every smaller subfamily has to "
        "multiply too.": lambda p, events: _product_rule(p, events),
        "This checks whether the events are disjoint, which is something "
        "else.": lambda p, events: all(
            a.isdisjoint(b) for a, b in combinations(events, 2)
        ),
        "This stops one size too early: the family of all events has to "
        "multiply too.": lambda p, events: _product_rules(
            p, events, range(2, len(events))
        ),
        "This checks pairs and the whole family, and nothing between.": (
            lambda p, events: _product_rules(p, events, {2, len(events)})
        ),
        "This never looks at more than three events together.": (
            lambda p, events: _product_rules(
                p, events, range(2, min(3, len(events)) + 1)
            )
        ),
        "This compares each event only with all the earlier ones together: "
        "the first and the third, for instance, are never compared.": (
            lambda p, events: all(
                _product_rule(p, [set.intersection(*events[:i]), events[i]])
                for i in range(1, len(events))
            )
        ),
    },
)

# -- adjusted_rate(rate, applicants) --------------------------------------


def _adjusted_rate(rate, applicants):
    total = sum(applicants.values())
    return sum(rate[d] * applicants[d] for d in rate) / total


adjusted_rate = Exercise(
    reference=_adjusted_rate,
    cases=(
        ({"A": F(1, 2), "B": F(1, 4)}, {"A": 10, "B": 30}),
        ({"A": F(3, 4), "B": F(1, 4)}, {"A": 30, "B": 10}),
        ({"A": F(1, 5), "B": F(2, 5), "C": F(1)}, {"A": 7, "B": 2, "C": 1}),
        ({"A": 0.62, "B": 0.63, "C": 0.37}, {"A": 933, "B": 585, "C": 918}),
        ({"C": F(1, 3), "A": F(2, 3)}, {"A": 0, "C": 5}),
    ),
    mistakes={
        "This is the plain mean of the rates: a department with more "
        "applicants has to weigh more.": lambda rate, applicants: (
            sum(rate.values()) / len(rate)
        ),
        "These are expected numbers of admitted people; a rate is their share "
        "of all applicants.": lambda rate, applicants: sum(
            rate[d] * applicants[d] for d in rate
        ),
        "This pairs rates and applicants by their order; pair them by "
        "department.": lambda rate, applicants: (
            sum(
                r * n
                for r, n in zip(
                    rate.values(), applicants.values(), strict=True
                )
            )
            / sum(applicants.values())
        ),
        "This divides by the sum of the rates: the weights have to sum to "
        "one, not the rates.": lambda rate, applicants: (
            sum(rate[d] * applicants[d] for d in rate) / sum(rate.values())
        ),
        "This divides twice: the weighted mean is already a mean, and the "
        "number of departments has no place in it.": lambda rate, applicants: (
            _adjusted_rate(rate, applicants) / len(rate)
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "conditional": conditional,
    "posterior": posterior,
    "after_tests": after_tests,
    "mutually_independent": mutually_independent,
    "adjusted_rate": adjusted_rate,
}
