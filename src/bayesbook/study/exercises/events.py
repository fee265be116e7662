"""The coding exercises of the chapter *Events*."""

import math
from fractions import Fraction as F
from itertools import combinations, product

from bayesbook.probability import ProbabilitySpace, bayes_rule
from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import normalised, total

# -- conditional ----------------------------------------------------------

_LOADED_DIE = {1: F(1, 12), 2: F(1, 6), 3: F(1, 4), 4: F(1, 4), 5: F(1, 4)}
_FAIR_DIE = {face: F(1, 6) for face in range(1, 7)}
_SKY = {"sun": F(1, 2), "rain": F(1, 3), "snow": F(1, 6), "frogs": F(0)}


@exercise(
    (_LOADED_DIE, {3, 4}, {4, 5}),
    (_LOADED_DIE, {1, 2, 3}, {2, 4}),
    (_FAIR_DIE, {2, 4, 6}, {4, 5, 6}),
    (_FAIR_DIE, {6}, {1, 2}),
    (_SKY, {"snow"}, {"snow", "rain"}),
    (_SKY, {"sun", "snow"}, {"sun", "rain", "snow"}),
    (_SKY, {"rain"}, {"frogs"}),
    (_SKY, {"rain"}, set()),
)
def conditional(probability, event, given):
    """Return P[event | given] for a dict of probabilities and two sets."""
    return ProbabilitySpace(probability).P(event, given=given)


@conditional.mistake(
    "This is P[A ∩ B], the joint probability: what is it a share of?",
    example=((_LOADED_DIE, {1, 2, 3}, {2, 3, 4}), F(5, 12)),
)
def _intersection(probability, event, given):
    return total(probability, event & given)


@conditional.mistake(
    "This is P[B | A]: the event that is known belongs in the denominator.",
    example=((_LOADED_DIE, {1, 2, 3}, {2, 3, 4}), F(5, 6)),
)
def _reversed(probability, event, given):
    return total(probability, event & given) / total(probability, event)


@conditional.mistake(
    "This counts outcomes. They are not equally likely here: add up their "
    "probabilities.",
    example=((_LOADED_DIE, {1, 2, 3}, {2, 3, 4}), F(2, 3)),
)
def _outcomes_counted(probability, event, given):
    return F(len(event & given), len(given))


@conditional.mistake(
    "This divides P[A], not P[A ∩ B], by P[B]: the part of A outside B cannot "
    "have happened.",
    example=((_LOADED_DIE, {1, 2, 3}, {2, 3, 4}), F(3, 4)),
)
def _whole_event(probability, event, given):
    return total(probability, event) / total(probability, given)


@conditional.mistake(
    "This multiplies P[A] by P[B], as if the events were independent.",
    example=((_LOADED_DIE, {1, 2, 3}, {2, 3, 4}), F(1, 3)),
)
def _independent(probability, event, given):
    return total(probability, event) * total(probability, given)


@conditional.mistake(
    "This is P[A]: it ignores what is known.",
    example=((_LOADED_DIE, {1, 2, 3}, {2, 3, 4}), F(1, 2)),
)
def _ignored(probability, event, given):
    return total(probability, event)


# -- posterior ------------------------------------------------------------

_PRIOR = {"A": F(1, 2), "B": F(3, 10), "C": F(1, 5)}
_LIKELIHOOD = {"A": F(1, 5), "B": F(2, 3), "C": F(3, 4)}


@exercise(
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
)
def posterior(prior, likelihood):
    """Return P[h | E] for every hypothesis h, from P[h] and P[E | h]."""
    return bayes_rule(prior, likelihood)


@posterior.mistake(
    "These are the joint probabilities P[h] P[E | h]. What do they sum to, "
    "and what should a posterior sum to?",
    example=(
        (_PRIOR, _LIKELIHOOD),
        {"A": F(1, 10), "B": F(1, 5), "C": F(3, 20)},
    ),
)
def _not_normalised(prior, likelihood):
    return {h: prior[h] * likelihood[h] for h in prior}


@posterior.mistake(
    "This ignores the prior: it is the likelihood made to sum to one.",
    example=(
        (_PRIOR, _LIKELIHOOD),
        {"A": F(12, 97), "B": F(40, 97), "C": F(45, 97)},
    ),
)
def _prior_ignored(prior, likelihood):
    return normalised(likelihood)


@posterior.mistake(
    "This divides by the sum of the likelihoods. The evidence weighs each "
    "likelihood by its prior.",
    example=(
        (_PRIOR, _LIKELIHOOD),
        {"A": F(6, 97), "B": F(12, 97), "C": F(9, 97)},
    ),
)
def _divided_by_likelihoods(prior, likelihood):
    return {
        h: prior[h] * likelihood[h] / sum(likelihood.values()) for h in prior
    }


@posterior.mistake(
    "This adds prior and likelihood; the multiplication rule multiplies them.",
    example=(
        (_PRIOR, _LIKELIHOOD),
        {"A": F(42, 157), "B": F(58, 157), "C": F(57, 157)},
    ),
)
def _added(prior, likelihood):
    bayes_rule(prior, likelihood)  # raises what the right answer raises
    return normalised({h: prior[h] + likelihood[h] for h in prior})


@posterior.mistake(
    "This returns the prior as it was.",
    example=(
        (_PRIOR, _LIKELIHOOD),
        {"A": F(1, 2), "B": F(3, 10), "C": F(1, 5)},
    ),
)
def _prior_kept(prior, likelihood):
    return prior


@posterior.mistake(
    "This returns the likelihood as it was.",
    example=(
        (_PRIOR, _LIKELIHOOD),
        {"A": F(1, 5), "B": F(2, 3), "C": F(3, 4)},
    ),
)
def _likelihood_kept(prior, likelihood):
    return likelihood


@posterior.mistake(
    "This takes 1 - P[E | h] for the probability of the evidence under the "
    "other hypotheses.",
    example=(
        (_PRIOR, _LIKELIHOOD),
        {"A": F(1, 5), "B": F(6, 13), "C": F(3, 7)},
    ),
)
def _two_hypotheses(prior, likelihood):
    found = {}
    for h in prior:
        joint = prior[h] * likelihood[h]
        found[h] = joint / (joint + (1 - prior[h]) * (1 - likelihood[h]))
    return found


# -- after_tests ----------------------------------------------------------


def _ratio(sensitivity, specificity, result):
    if result == "+":
        return sensitivity / (1 - specificity)
    return (1 - sensitivity) / specificity


def _from_odds(odds):
    return odds / (1 + odds)


@exercise(
    (F(1, 100), F(9, 10), F(9, 10), "+"),
    (F(1, 100), F(9, 10), F(9, 10), "++"),
    (F(1, 100), F(9, 10), F(9, 10), "++-"),
    (F(1, 5), F(4, 5), F(19, 20), "-"),
    (F(1, 5), F(4, 5), F(19, 20), "-+-"),
    (F(1, 2), F(7, 10), F(3, 5), "--"),
    (F(3, 10), F(1, 2), F(3, 4), ""),
    (0.02, 0.85, 0.97, "+-+"),
)
def after_tests(prevalence, sensitivity, specificity, results):
    """Return P[ill | results], for a string of + and - (perhaps empty)."""
    odds = prevalence / (1 - prevalence)
    for result in results:
        odds *= _ratio(sensitivity, specificity, result)
    return _from_odds(odds)


@after_tests.mistake(
    "This uses the last result only: yesterday's posterior is today's prior.",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(3, 35)),
)
def _last_only(prevalence, sensitivity, specificity, results):
    return after_tests(prevalence, sensitivity, specificity, results[-1:])


@after_tests.mistake(
    "This ignores the negative results; they are evidence too.",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(81, 145)),
)
def _positives_only(prevalence, sensitivity, specificity, results):
    kept = results.replace("-", "")
    return after_tests(prevalence, sensitivity, specificity, kept)


@after_tests.mistake(
    "These are odds, not probabilities: odds of 1 to 3 are the probability "
    "1/4.",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(243, 512)),
)
def _odds_returned(prevalence, sensitivity, specificity, results):
    p = after_tests(prevalence, sensitivity, specificity, results)
    return p / (1 - p)


@after_tests.mistake(
    "The likelihood ratio of a negative result is upside down: which of the "
    "two states belongs in the numerator?",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(27, 35)),
)
def _negative_upside_down(prevalence, sensitivity, specificity, results):
    odds = prevalence / (1 - prevalence)
    for result in results:
        ratio = _ratio(sensitivity, specificity, result)
        odds *= ratio if result == "+" else 1 / ratio
    return _from_odds(odds)


@after_tests.mistake(
    "This takes the prevalence for the prior odds: a prevalence of 1/100 "
    "means odds of 1 to 99.",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(243, 883)),
)
def _prevalence_for_odds(prevalence, sensitivity, specificity, results):
    odds = prevalence
    for result in results:
        odds *= _ratio(sensitivity, specificity, result)
    return _from_odds(odds)


@after_tests.mistake(
    "For a well person the probability of + is one minus the specificity.",
    example=((F(1, 5), F(3, 4), F(2, 3), "+--"), F(81, 593)),
)
def _false_alarms(prevalence, sensitivity, specificity, results):
    return after_tests(prevalence, sensitivity, 1 - specificity, results)


@after_tests.mistake(
    "This uses the sensitivity for both states; where is the specificity?",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(3, 7)),
)
def _sensitivity_for_both(prevalence, sensitivity, specificity, results):
    return after_tests(prevalence, sensitivity, sensitivity, results)


@after_tests.mistake(
    "The ratio of a negative result is not one over that of a positive one: "
    "it is (1 - sensitivity) / specificity.",
    example=((F(1, 5), F(3, 4), F(2, 3), "+++-"), F(81, 145)),
)
def _reciprocal(prevalence, sensitivity, specificity, results):
    odds = prevalence / (1 - prevalence)
    for result in results:
        ratio = _ratio(sensitivity, specificity, "+")
        odds *= ratio if result == "+" else 1 / ratio
    return _from_odds(odds)


@after_tests.mistake(
    "This starts from even odds: where is the prevalence?",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(243, 371)),
)
def _even_odds(prevalence, sensitivity, specificity, results):
    return after_tests(F(1, 2), sensitivity, specificity, results)


@after_tests.mistake(
    "Only the first result is used: is there a `return` inside the loop?",
    example=((F(1, 5), F(3, 4), F(2, 3), "-++"), F(3, 35)),
)
def _first_only(prevalence, sensitivity, specificity, results):
    return after_tests(prevalence, sensitivity, specificity, results[:1])


@after_tests.mistake(
    "This is the probability of being well.",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(512, 755)),
)
def _well(prevalence, sensitivity, specificity, results):
    return 1 - after_tests(prevalence, sensitivity, specificity, results)


@after_tests.mistake(
    "This is the joint probability of being ill and of the results; divide it "
    "by the probability of the results.",
    example=((F(1, 5), F(3, 4), F(2, 3), "++-"), F(9, 320)),
)
def _joint(prevalence, sensitivity, specificity, results):
    for result in results:
        prevalence *= sensitivity if result == "+" else 1 - sensitivity
    return prevalence


# -- mutually_independent -------------------------------------------------

_COINS, _THREE_COINS, _FOUR_COINS = (
    {"".join(toss): F(1, 2**n) for toss in product("HT", repeat=n)}
    for n in (2, 3, 4)
)


def _where(space, position, face="H"):
    return {outcome for outcome in space if outcome[position] == face}


def _even_heads(space):
    return {outcome for outcome in space if outcome.count("H") % 2 == 0}


_HEADS = [_where(_THREE_COINS, i) for i in range(3)]
_EIGHT = {outcome: F(1, 8) for outcome in range(1, 9)}


def _product_rule(probability, events):
    return total(probability, set.intersection(*events)) == math.prod(
        total(probability, event) for event in events
    )


def _product_rules(probability, events, sizes):
    return all(
        _product_rule(probability, family)
        for size in sizes
        for family in combinations(events, size)
    )


@exercise(
    (_THREE_COINS, _HEADS),
    (_COINS, [_where(_COINS, 0), _where(_COINS, 1)]),
    (_COINS, [_where(_COINS, 0), _where(_COINS, 1), {"HH", "TT"}]),
    (_COINS, [_where(_COINS, 0), _where(_COINS, 0, "T")]),
    # The product rule holds for the three together, for no pair.
    (
        _EIGHT,
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
)
def mutually_independent(probability, events):
    """Return whether the events (a list of sets) are mutually independent."""
    return _product_rules(probability, events, range(2, len(events) + 1))


@mutually_independent.mistake(
    "This checks the pairs only; larger subfamilies have to multiply too.",
    example=(
        (_EIGHT, [{1, 2, 3, 4}, {1, 2, 5, 6}, {1, 2, 7, 8}, {1, 3, 5, 7}]),
        True,
    ),
)
def _pairs_only(probability, events):
    return _product_rules(probability, events, [2])


@mutually_independent.mistake(
    "This checks all events together only; every smaller subfamily has to "
    "multiply too.",
    example=((_EIGHT, [{1, 2, 3, 4}, {1, 2, 3, 5}, {1, 5, 6, 7}]), True),
)
def _whole_only(probability, events):
    return _product_rule(probability, events)


@mutually_independent.mistake(
    "This checks whether the events are disjoint, which is something else.",
    example=((_EIGHT, [{1, 2, 3, 4}, {1, 2, 5, 6}, set()]), False),
)
def _disjoint(probability, events):
    return all(a.isdisjoint(b) for a, b in combinations(events, 2))


@mutually_independent.mistake(
    "This stops one size too early: the family of all events has to multiply "
    "too.",
    example=((_EIGHT, [{1, 2, 3, 4}, {1, 2, 5, 6}, {1, 2, 7, 8}]), True),
)
def _one_size_too_few(probability, events):
    return _product_rules(probability, events, range(2, len(events)))


@mutually_independent.mistake(
    "This checks pairs and the whole family, and nothing between.",
    example=(
        (_EIGHT, [{1, 2, 3, 4}, {1, 2, 5, 6}, {1, 2, 7, 8}, set()]),
        True,
    ),
)
def _pairs_and_whole(probability, events):
    return _product_rules(probability, events, {2, len(events)})


@mutually_independent.mistake(
    "This never looks at more than three events together.",
    example=(
        (_EIGHT, [{1, 2, 3, 4}, {1, 2, 5, 6}, {1, 3, 5, 7}, {1, 4, 6, 7}]),
        True,
    ),
)
def _at_most_three(probability, events):
    return _product_rules(
        probability, events, range(2, min(3, len(events)) + 1)
    )


@mutually_independent.mistake(
    "This compares each event only with all the earlier ones together: the "
    "first and the third, for instance, are never compared.",
    example=((_EIGHT, [{1, 2, 3, 4}, {1, 2, 5, 6}, {1, 3, 4, 5}]), True),
)
def _each_with_all_earlier(probability, events):
    return all(
        _product_rule(probability, [set.intersection(*events[:i]), events[i]])
        for i in range(1, len(events))
    )


# -- adjusted_rate --------------------------------------------------------


@exercise(
    ({"A": F(1, 2), "B": F(1, 4)}, {"A": 10, "B": 30}),
    ({"A": F(3, 4), "B": F(1, 4)}, {"A": 30, "B": 10}),
    ({"A": F(1, 5), "B": F(2, 5), "C": F(1)}, {"A": 7, "B": 2, "C": 1}),
    ({"A": 0.62, "B": 0.63, "C": 0.37}, {"A": 933, "B": 585, "C": 918}),
    ({"C": F(1, 3), "A": F(2, 3)}, {"A": 0, "C": 5}),
)
def adjusted_rate(rate, applicants):
    """Return the mean of `rate`, weighted by the numbers in `applicants`."""
    total = sum(applicants.values())
    return sum(rate[name] * applicants[name] for name in rate) / total


@adjusted_rate.mistake(
    "This is the plain mean of the rates: a department with more applicants "
    "has to weigh more.",
    example=(({"A": F(1, 2), "B": F(1, 4)}, {"B": 12, "A": 8}), F(3, 8)),
)
def _plain_mean(rate, applicants):
    return sum(rate.values()) / len(rate)


@adjusted_rate.mistake(
    "These are expected numbers of admitted people; a rate is their share of "
    "all applicants.",
    example=(({"A": F(1, 2), "B": F(1, 4)}, {"B": 12, "A": 8}), 7),
)
def _expected_numbers(rate, applicants):
    return sum(rate[name] * applicants[name] for name in rate)


@adjusted_rate.mistake(
    "This pairs rates and applicants by their order; pair them by department.",
    example=(({"A": F(1, 2), "B": F(1, 4)}, {"B": 12, "A": 8}), F(2, 5)),
)
def _by_order(rate, applicants):
    pairs = zip(rate.values(), applicants.values(), strict=True)
    return sum(map(math.prod, pairs)) / sum(applicants.values())


@adjusted_rate.mistake(
    "This divides by the sum of the rates: the weights have to sum to one, "
    "not the rates.",
    example=(({"A": F(1, 2), "B": F(1, 4)}, {"B": 12, "A": 8}), F(28, 3)),
)
def _divided_by_rates(rate, applicants):
    return sum(rate[name] * applicants[name] for name in rate) / sum(
        rate.values()
    )


@adjusted_rate.mistake(
    "This divides twice: the weighted mean is already a mean, and the number "
    "of departments has no place in it.",
    example=(({"A": F(1, 2), "B": F(1, 4)}, {"B": 12, "A": 8}), F(7, 40)),
)
def _divided_twice(rate, applicants):
    return adjusted_rate(rate, applicants) / len(rate)
