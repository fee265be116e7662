"""Finite probability spaces against counting that uses no library."""

import copy
import math
import operator
import pickle
import time
from collections import Counter
from decimal import Decimal
from fractions import Fraction as F
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.probability import (
    ProbabilitySpace,
    bayes_rule,
    total_probability,
    two_stage,
)

NAN, INF = float("nan"), float("inf")
DIE = ProbabilitySpace.uniform(range(1, 7))
COIN = ProbabilitySpace.uniform(["heads", "tails"])
FROGS = ProbabilitySpace({"sun": "2/3", "rain": "1/3", "frogs": 0})


# --- The truth: whole numbers, added up -----------------------------------


def share(counts, event, whole=None):
    """Give the part of `whole` that is in `event`, by weight."""
    whole = set(counts) if whole is None else whole
    part = sum(counts[w] for w in counts if w in event and w in whole)
    return F(part, sum(counts[w] for w in counts if w in whole))


def subsets(items):
    """Give all subsets, one for each number from 0 to 2**n - 1."""
    items = list(items)
    return [
        {item for place, item in enumerate(items) if number >> place & 1}
        for number in range(2 ** len(items))
    ]


def multiply(counts, families, whole=None):
    """Tell whether the product rule holds for each family of events."""
    return all(
        share(counts, set.intersection(*family), whole)
        == math.prod(share(counts, event, whole) for event in family)
        for family in families
    )


def mutual(counts, events, whole=None):
    numbers = [n for n in subsets(range(len(events))) if len(n) > 1]
    families = [[events[i] for i in family] for family in numbers]
    return multiply(counts, families, whole)


def pairwise(counts, events, whole=None):
    numbers = [n for n in subsets(range(len(events))) if len(n) == 2]
    families = [[events[i] for i in family] for family in numbers]
    return multiply(counts, families, whole)


@st.composite
def counted(draw, events=2):
    """Draw weights of up to six outcomes, some of them zero, and events."""
    weights = st.integers(0, 9)
    counts = draw(st.dictionaries(st.integers(0, 5), weights, min_size=1))
    counts[draw(st.integers(0, 5))] = draw(st.integers(1, 9))
    parts = st.sets(st.sampled_from(sorted(counts)))
    return counts, *(draw(parts) for _ in range(events))


@st.composite
def evidence(draw):
    """Draw integer weights of a prior, and likelihoods in hundredths."""
    names = draw(st.lists(st.sampled_from("abcde"), min_size=1, unique=True))
    weights = [draw(st.integers(1, 20)) for _ in names]
    hundredths = [draw(st.integers(1, 100)) for _ in names]
    total = sum(weights)
    prior = {h: F(n, total) for h, n in zip(names, weights, strict=True)}
    likelihood = {h: F(n, 100) for h, n in zip(names, hundredths, strict=True)}
    return prior, likelihood


# --- Known numbers --------------------------------------------------------


def test_a_six_in_four_rolls_as_de_mere_bet():
    rolls = ProbabilitySpace.uniform(product(range(1, 7), repeat=4))
    assert rolls.P(lambda roll: 6 in roll) == F(671, 1296)


def test_the_sum_of_two_dice():
    dice = ProbabilitySpace.uniform(product(range(1, 7), repeat=2))
    rates = [dice.P(lambda roll, n=n: sum(roll) == n) for n in range(2, 13)]
    assert rates == [F(6 - abs(n - 7), 36) for n in range(2, 13)]


def test_the_mammography_problem_of_gigerenzer_and_hoffrage():
    """Of 1000 women 10 are ill; 8 of these and 95 others test positive."""
    prior = {"ill": F(10, 1000), "well": F(990, 1000)}
    likelihood = {"ill": F(8, 10), "well": F(95, 990)}
    assert bayes_rule(prior, likelihood)["ill"] == F(8, 103)
    assert total_probability(prior, likelihood) == F(103, 1000)


def test_the_taxi_problem_of_kahneman_and_tversky():
    prior = {"green": "85/100", "blue": "15/100"}
    posterior = bayes_rule(prior, {"green": "1/5", "blue": "4/5"})
    assert posterior == {"green": F(17, 29), "blue": F(12, 29)}


def test_two_red_balls_of_five_without_putting_back():
    urn = two_stage(
        {"red": "3/5", "blue": "2/5"},
        {
            "red": {"red": "2/4", "blue": "2/4"},
            "blue": {"red": "3/4", "blue": "1/4"},
        },
    )
    assert urn["red", "red"] == F(3, 10)
    assert urn.P(lambda path: path[1] == "red") == F(3, 5)


# --- Probability and conditioning -----------------------------------------


@given(counted())
def test_probabilities_are_shares(drawn):
    counts, event, known = drawn
    space = ProbabilitySpace.from_counts(counts)
    assert space.P(event) == share(counts, event)
    if any(counts[w] for w in known):
        assert space.P(event, given=known) == share(counts, event, known)


@given(counted())
def test_a_conditioned_space_has_the_shares_of_what_is_known(drawn):
    counts, event, known = drawn
    space = ProbabilitySpace.from_counts(counts)
    if any(counts[w] for w in known):
        conditioned = space.given(known)
        assert dict(conditioned) == {
            w: share(counts, {w}, known) for w in known
        }
        assert conditioned.P(event & known) == share(counts, event, known)


@given(counted(events=3))
def test_evidence_taken_in_piece_by_piece(drawn):
    counts, event, first, second = drawn
    both = first & second
    if any(counts[w] for w in both):
        space = ProbabilitySpace.from_counts(counts).given(first)
        expected = share(counts, event, both)
        assert space.given(both).P(event & both) == expected
        assert space.P(event & first, given=both) == expected


@given(counted(events=1))
def test_a_property_stands_for_its_outcomes(drawn):
    counts, event = drawn
    space = ProbabilitySpace.from_counts(counts)
    assert space.event(event.__contains__) == event
    assert space.P(lambda w: w in event) == share(counts, event)
    assert space.event(iter(event)) == event


@given(counted(events=1))
def test_a_complement_is_everything_else(drawn):
    counts, event = drawn
    space = ProbabilitySpace.from_counts(counts)
    rest = {w for w in counts if w not in event}
    assert space.complement(event) == rest
    assert space.complement(lambda w: w in event) == rest


def test_a_zero_count_is_an_outcome_of_probability_zero():
    urn = ProbabilitySpace.from_counts({"red": 3, "blue": 1, "green": 0})
    assert dict(urn) == {"red": F(3, 4), "blue": F(1, 4), "green": 0}


def test_counts_of_raw_data():
    letters = ProbabilitySpace.from_counts(Counter("mississippi"))
    assert dict(letters) == {
        "m": F(1, 11),
        "i": F(4, 11),
        "s": F(4, 11),
        "p": F(2, 11),
    }


def test_weights_may_be_fractions_and_decimals():
    space = ProbabilitySpace.from_counts({"a": 0.1, "b": "1/5", "c": F(7, 10)})
    assert list(space.values()) == [F(1, 10), F(1, 5), F(7, 10)]


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_equally_likely_outcomes(size):
    space = ProbabilitySpace.uniform(range(size))
    assert dict(space) == {w: F(1, size) for w in range(size)}


def test_the_keys_of_a_mapping_are_equally_likely():
    assert dict(ProbabilitySpace.uniform({"a": 1, "b": 0})) == {
        "a": F(1, 2),
        "b": F(1, 2),
    }


def test_all_events_smallest_first():
    events = list(ProbabilitySpace.uniform("abcd").events())
    assert len(events) == 16
    assert all(any(e == s for e in events) for s in subsets("abcd"))
    sizes = [len(event) for event in events]
    assert sizes == [0] + [1] * 4 + [2] * 6 + [3] * 4 + [4]


def test_a_space_of_sixteen_outcomes_can_still_list_its_events():
    events = ProbabilitySpace.uniform(range(16)).events()
    assert sum(1 for _ in events) == 65536


def test_a_larger_space_does_not_list_its_events():
    with pytest.raises(ProbabilityError, match="space of 17 outcomes"):
        ProbabilitySpace.uniform(range(17)).events()


# --- Independence ---------------------------------------------------------


@pytest.mark.parametrize("counts", [(1, 1, 1, 1), (1, 2, 3, 6), (1, 1, 2, 0)])
def test_independence_of_every_three_events(counts):
    counts = dict(enumerate(counts))
    space = ProbabilitySpace.from_counts(counts)
    verdicts = set()
    for events in combinations_with_replacement(subsets(counts), 3):
        truth = mutual(counts, events), pairwise(counts, events)
        verdicts.add(truth)
        assert space.independent(*events) == truth[0]
        assert space.pairwise_independent(*events) == truth[1]
    assert {(True, True), (False, False)} <= verdicts


def test_pairs_are_not_enough_as_bernstein_found():
    """A tetrahedron with a red, a green, a blue and a motley face."""
    solid = ProbabilitySpace.uniform(["red", "green", "blue", "motley"])
    colours = [{colour, "motley"} for colour in ("red", "green", "blue")]
    assert solid.pairwise_independent(*colours)
    assert not solid.independent(*colours)
    # Pairs, and with an impossible event all four, still obey the rule.
    assert not solid.independent(*colours, set())


def test_all_three_are_not_enough():
    eighths = ProbabilitySpace.uniform(range(1, 9))
    events = {1, 2, 3, 4}, {1, 2, 3, 5}, {1, 6, 7, 8}
    together = eighths.P(set.intersection(*events))
    assert together == math.prod(map(eighths.P, events))
    assert not eighths.independent(*events)


def test_four_events_need_every_subfamily():
    counts = dict.fromkeys(product((0, 1), repeat=3), 1)
    coins = [{w for w in counts if w[i]} for i in range(3)]
    events = [*coins, {w for w in counts if sum(w) % 2 == 0}]
    assert all(mutual(counts, [e for e in events if e != x]) for x in events)
    assert not ProbabilitySpace.from_counts(counts).independent(*events)


def test_independence_on_every_condition():
    counts = {1: 1, 2: 2, 3: 3, 4: 6}
    space = ProbabilitySpace.from_counts(counts)
    verdicts = set()
    for a, b, known in product(subsets(counts), repeat=3):
        if known:
            truth = mutual(counts, [a, b], known)
            verdicts.add(truth)
            assert space.independent(a, b, given=known) == truth
            assert space.pairwise_independent(a, b, given=known) == truth
    assert verdicts == {True, False}


def test_tosses_of_an_unknown_coin_are_independent_given_the_coin():
    weights = {("fair", a, b): 9 for a in "HT" for b in "HT"}
    faces = {"H": 5, "T": 1}
    weights |= {
        ("bent", a, b): faces[a] * faces[b] for a in "HT" for b in "HT"
    }
    space = ProbabilitySpace.from_counts(weights)
    tosses = [lambda w: w[1] == "H", lambda w: w[2] == "H"]
    assert not space.independent(*tosses)
    for coin in ("fair", "bent"):
        known = space.event(lambda w, coin=coin: w[0] == coin)
        assert space.independent(*tosses, given=known)


@pytest.mark.parametrize("events", [(), ({1, 2},)])
def test_one_event_alone_is_not_asked_for_independence(events):
    message = f"at least two events, not {len(events)}"
    with pytest.raises(ValueError, match=message):
        DIE.independent(*events)
    with pytest.raises(ValueError, match=message):
        DIE.pairwise_independent(*events)


def test_many_events_are_tried_quickly():
    tosses = ProbabilitySpace.uniform(product((0, 1), repeat=9))
    heads = [lambda toss, i=i: toss[i] == 1 for i in range(9)]
    sure = [tosses.outcomes] * 3
    start = time.perf_counter()
    assert tosses.independent(*heads, *sure)
    assert time.perf_counter() - start < 5


def test_too_many_events_are_refused():
    with pytest.raises(ValueError, match=r"17 events have .* at most 16"):
        DIE.independent(*[{1}] * 17)
    assert DIE.independent(*[set()] * 16)
    assert DIE.pairwise_independent(*[set()] * 17)


# --- Two stages, total probability, Bayes' rule ---------------------------


@given(evidence())
def test_total_probability_adds_up_the_cases(drawn):
    prior, likelihood = drawn
    expected = F(0)
    for h in prior:
        expected += prior[h] * likelihood[h]
    assert total_probability(prior, likelihood) == expected


@given(evidence())
def test_bayes_rule_gives_the_share_of_each_case(drawn):
    """A population of whole people, in which everything is counted."""
    prior, likelihood = drawn
    people = 100 * math.lcm(*(p.denominator for p in prior.values()))
    hits = {h: int(people * prior[h] * likelihood[h]) for h in prior}
    posterior = bayes_rule(prior, likelihood)
    assert posterior == {h: F(n, sum(hits.values())) for h, n in hits.items()}
    assert list(posterior) == list(prior)


@given(evidence())
def test_bayes_rule_with_floats_is_close_to_the_exact_one(drawn):
    prior, likelihood = drawn
    hits = {h: prior[h] * likelihood[h] for h in prior}
    total = sum(hits.values())
    # Thirds and the like: as floats they sum to one only nearly.
    prior = {h: float(p) for h, p in prior.items()}
    likelihood = {h: float(p) for h, p in likelihood.items()}
    posterior = bayes_rule(prior, likelihood)
    assert total_probability(prior, likelihood) == pytest.approx(float(total))
    for h, n in hits.items():
        assert posterior[h] == pytest.approx(float(n / total), rel=1e-12)


@given(evidence(), st.integers(1, 9))
def test_a_path_through_the_tree_is_a_product(drawn, tenths):
    first, likelihood = drawn
    second = {a: {"+": p, "-": 1 - p, "?": 0} for a, p in likelihood.items()}
    second[next(iter(first))] = {"!": F(tenths, 10), "+": 1 - F(tenths, 10)}
    expected = {}
    for a in first:
        for b in second[a]:
            expected[a, b] = first[a] * second[a][b]
    assert dict(two_stage(first, second)) == expected


def test_a_hypothesis_may_be_impossible():
    posterior = bayes_rule({"a": 0, "b": 1}, {"a": 1, "b": "1/2"})
    assert posterior == {"a": 0, "b": 1}


def test_a_prior_may_be_a_space():
    prior = ProbabilitySpace.uniform("ab")
    assert bayes_rule(prior, {"b": 1, "a": "1/3"})["a"] == F(1, 4)


# --- Exact numbers and floats ---------------------------------------------


def test_numbers_far_below_a_float_stay_exact():
    tiny = F(1, 10**400)
    space = ProbabilitySpace({"rare": tiny, "usual": 1 - tiny})
    assert space.P({"usual"}) == 1 - tiny
    assert bayes_rule(space, {"rare": 1, "usual": 0})["rare"] == 1


def test_a_tiny_prior_and_a_tiny_likelihood_do_not_vanish():
    """As floats their product would be 0, and nothing would be left."""
    prior = {"a": 1e-200, "b": 1.0}
    assert bayes_rule(prior, {"a": 1e-200, "b": 0.0}) == {"a": 1, "b": 0}


def test_huge_counts_are_counted():
    space = ProbabilitySpace.from_counts({"a": 10**400, "b": 10**400})
    assert space["a"] == F(1, 2)


def test_integers_of_numpy_do_not_overflow():
    space = ProbabilitySpace.from_counts(
        {"a": np.int64(2**62), "b": np.int64(2**62), "c": np.int64(2**62)}
    )
    assert space["a"] == F(1, 3)


def test_any_float_is_the_decimal_that_it_prints_as():
    space = ProbabilitySpace({"a": np.float32(0.1), "b": np.float64(0.9)})
    assert space["a"] == F(1, 10)


def test_a_series_is_a_mapping():
    rain = pd.Series({"yes": 3, "no": 1})
    assert ProbabilitySpace.from_counts(rain)["yes"] == F(3, 4)
    assert ProbabilitySpace(rain / 4)["no"] == F(1, 4)


@pytest.mark.parametrize("exact", ["3/10", F(3, 10), "0.3", Decimal("0.3")])
def test_exact_numbers_give_fractions(exact):
    prior = {"a": exact, "b": "7/10"}
    posterior = bayes_rule(prior, {"a": 1, "b": F(1, 2)})
    total = total_probability(prior, {"a": 1, "b": F(1, 2)})
    assert total == F(13, 20)
    assert posterior["a"] == F(6, 13)
    assert {type(p) for p in [total, *posterior.values()]} == {F}


@pytest.mark.parametrize("place", ["prior", "likelihood"])
def test_one_float_makes_the_answer_a_float(place):
    arguments = {
        "prior": {"a": F(3, 10), "b": F(7, 10)},
        "likelihood": {"a": F(1), "b": F(1, 2)},
    }
    arguments[place]["b"] = float(arguments[place]["b"])
    total = total_probability(**arguments)
    posterior = bayes_rule(**arguments)
    assert {type(p) for p in [total, *posterior.values()]} == {float}
    assert total == pytest.approx(0.65, rel=1e-12)


def test_the_floats_of_a_space_are_the_decimals_they_print_as():
    space = ProbabilitySpace({"a": 0.1, "b": 0.2, "c": 0.7})
    assert space.P({"a", "b"}) == F(3, 10)


def test_a_float_prior_may_miss_one_by_rounding_only():
    likelihood = {"a": 0.5, "b": 0.5}
    near = bayes_rule({"a": 0.9, "b": 0.1 + 9e-10}, likelihood)
    assert near["a"] == pytest.approx(0.9)
    with pytest.raises(ProbabilityError, match=r"sum to 1\.000000002"):
        bayes_rule({"a": 0.9, "b": 0.1 + 2e-9}, likelihood)


@pytest.mark.parametrize("miss", [9e-10, -9e-10])
def test_what_is_certain_has_probability_one(miss):
    prior = {"a": 0.5, "b": 0.5 + miss}
    assert total_probability(prior, {"a": 1, "b": 1}) == 1


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
def test_an_exact_prior_may_not_miss_one(function):
    prior = {"a": F(1, 2), "b": F(1, 2) + F(1, 10**10)}
    with pytest.raises(ProbabilityError, match=r"sum to 1 \+ 1e-10"):
        function(prior, {"a": 1.0, "b": 1.0})


# --- The space as an object -----------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda space: operator.setitem(space, 1, F(1)),
        lambda space: operator.delitem(space, 1),
        lambda space: setattr(space, "outcomes", frozenset()),
        lambda space: setattr(space, "anything", 1),
        lambda space: setattr(space, "_probability", {7: F(1)}),
        lambda space: operator.setitem(space._probability, 7, F(1)),
        lambda space: space.__init__({7: 1}),
        lambda space: space.outcomes.add(7),
        lambda space: space.event({1}).add(7),
    ],
)
def test_a_space_cannot_be_changed(change):
    with pytest.raises((TypeError, AttributeError)):
        change(DIE)
    assert dict(DIE) == {face: F(1, 6) for face in range(1, 7)}


def test_a_space_keeps_its_own_copy():
    source = {"a": F(1, 2), "b": F(1, 2)}
    space = ProbabilitySpace(source)
    source["a"] = F(1)
    assert space.P({"a"}) == F(1, 2)


@pytest.mark.parametrize(
    "copied",
    [
        copy.copy,
        copy.deepcopy,
        *(
            lambda space, n=n: pickle.loads(pickle.dumps(space, n))
            for n in range(pickle.HIGHEST_PROTOCOL + 1)
        ),
    ],
)
def test_a_copy_is_equal(copied):
    assert list(copied(FROGS).items()) == list(FROGS.items())


def test_a_kind_of_space_makes_more_of_its_kind():
    class Die(ProbabilitySpace):
        pass

    die = Die.uniform(range(1, 7))
    spaces = [die, die.given({1, 2}), Die.from_counts({1: 1}), copy.copy(die)]
    assert {type(space) for space in spaces} == {Die}


def test_a_large_space_is_shown_in_part():
    assert repr(DIE).endswith("6: 1/6})")
    seven = ProbabilitySpace.uniform(range(7))
    assert repr(seven).endswith(", 5: 1/7, … 7 outcomes})")


def test_conditioning_makes_a_new_space():
    DIE.given({1, 2})
    assert len(DIE) == 6
    assert DIE.P({3}) == F(1, 6)


def test_a_space_is_a_mapping_in_the_order_given():
    space = ProbabilitySpace({"b": "1/4", "a": "3/4"})
    assert list(space.items()) == [("b", F(1, 4)), ("a", F(3, 4))]
    assert space.outcomes == {"a", "b"}
    assert "a" in space
    assert "c" not in space
    assert ["unhashable"] not in space


def test_equal_spaces_have_equal_hashes():
    one = ProbabilitySpace({"a": "1/4", "b": "3/4"})
    other = ProbabilitySpace.from_counts({"b": 3, "a": 1})
    assert one == other
    assert hash(one) == hash(other)
    assert one != ProbabilitySpace({"a": "1/2", "b": "1/2"})


def test_an_unknown_outcome_is_named():
    with pytest.raises(KeyError, match=r"7 is not an outcome .* 1, 2, 3"):
        DIE[7]
    with pytest.raises(KeyError, match=r"are 0, 1, 2, 3, 4, 5, …\."):
        ProbabilitySpace.uniform(range(7))[7]


# --- Numbers that are no probabilities ------------------------------------

NO_PROBABILITIES = [
    (F(-1, 2), "-1/2: negative"),
    (-0.25, "-0.25: negative"),
    ("-1/2", "-1/2: negative"),
    (NAN, "nan: not a finite number"),
    (INF, "inf: not a finite number"),
    (-INF, "-inf: not a finite number"),
    ("many", "'many': not a number"),
    ("nan", "'nan': not a number"),
    ("1/0", "'1/0': not a number"),
    (None, "None: not a number"),
    (1j, "1j: not a number"),
    ([1], "[1]: not a number"),
    # Python would make numbers of these.
    (True, "True: not a number"),
    (np.True_, "np.True_: not a number"),
    (b"1", "b'1': not a number"),
    (np.array([0.5]), "array([0.5]): not a number"),
    (bytearray(b"1"), "bytearray(b'1'): not a number"),
    ("1e9999999", "'1e9999999': too many digits"),
    (Decimal("1E-9999999"), "Decimal('1E-9999999'): too many digits"),
    pytest.param(
        "1" * 5000, "'111111111111...1111111111111': too many", id="long"
    ),
    (Decimal("Infinity"), "Decimal('Infinity'): not a number"),
]
TOO_LARGE = [
    ("3/2", "3/2: greater than 1"),
    (2, "2: greater than 1"),
    (1 + 2**-52, "1 + 2e-16: greater than 1"),
    (10**400, "1.000000000e+400: greater than 1"),
    pytest.param(10**5000, "1.000000000e+5000: greater than 1", id="huge"),
]


def told(call, *arguments, **named):
    with pytest.raises(ProbabilityError) as caught:
        call(*arguments, **named)
    return str(caught.value)


@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES + TOO_LARGE)
def test_a_probability_that_is_none(value, said):
    message = told(ProbabilitySpace, {"fine": 1, "odd": value})
    assert f"The probability of outcome 'odd' is {said}" in message


@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES)
def test_a_count_that_is_none(value, said):
    message = told(ProbabilitySpace.from_counts, {"fine": 1, "odd": value})
    assert f"The count of outcome 'odd' is {said}" in message


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES + TOO_LARGE)
def test_a_prior_that_is_none(function, value, said):
    message = told(function, {"a": 1, "odd": value}, {"a": 1, "odd": 1})
    assert f"The probability of 'odd' a priori is {said}" in message


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES + TOO_LARGE)
def test_a_likelihood_that_is_none(function, value, said):
    message = told(function, {"a": 1, "odd": 0}, {"a": 1, "odd": value})
    assert f"of the evidence given 'odd' is {said}" in message


@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES + TOO_LARGE)
def test_a_second_stage_that_is_none(value, said):
    second = {"a": {"x": 1}, "b": {"fine": 1, "odd": value}}
    message = told(two_stage, {"a": "1/2", "b": "1/2"}, second)
    assert "In the second stage after 'b'" in message
    assert f"of outcome 'odd' is {said}" in message


@pytest.mark.parametrize(
    ("second", "total"),
    [
        ("1/4", "3/4"),
        ("3/4", "5/4"),
        (0.49, "99/100"),
        (0.5 - 2**-40, "1 - 9e-13"),
    ],
)
def test_probabilities_that_do_not_sum_to_one(second, total):
    said = f"sum to {total}, not to 1"
    table = {"a": F(1, 2), "b": second}
    assert said in told(ProbabilitySpace, table)
    assert said in told(two_stage, table, {"a": {"x": 1}, "b": {"x": 1}})
    assert said in told(two_stage, {"a": 1}, {"a": table})


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
def test_a_prior_that_does_not_sum_to_one(function):
    prior = {"a": "1/2", "b": "1/4"}
    assert "sum to 3/4, not to 1" in told(function, prior, {"a": 1, "b": 1})


@pytest.mark.parametrize(
    "build",
    [ProbabilitySpace, ProbabilitySpace.uniform, ProbabilitySpace.from_counts],
)
def test_a_space_without_outcomes(build):
    assert "needs at least one outcome" in told(build, {})


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
def test_no_hypothesis(function):
    assert "the prior is empty" in told(function, {}, {})


def test_counts_that_are_all_zero():
    message = told(ProbabilitySpace.from_counts, {"a": 0, "b": 0.0})
    assert "All counts are zero" in message


def test_an_outcome_that_stands_twice():
    message = told(ProbabilitySpace.uniform, ["a", "b", "c", "b"])
    assert "'b' stands twice" in message


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
@pytest.mark.parametrize(
    ("likelihood", "said"),
    [
        ({"a": 1}, "'b' is in the prior but not in the likelihood"),
        ({}, "'a' is in the prior but not in the likelihood"),
        (
            {"a": 1, "b": 1, "c": 1},
            "'c' is in the likelihood but not in the prior",
        ),
    ],
)
def test_hypotheses_of_two_kinds(function, likelihood, said):
    assert said in told(function, {"a": "1/2", "b": "1/2"}, likelihood)


def test_stages_that_do_not_fit():
    half, sure = {"a": "1/2", "b": "1/2"}, {"x": 1}
    assert "'b' is in the first stage but not in the second" in told(
        two_stage, half, {"a": sure}
    )
    assert "'c' is in the second stage but not in the first" in told(
        two_stage, half, {"a": sure, "b": sure, "c": sure}
    )


@pytest.mark.parametrize(
    "read",
    [
        ProbabilitySpace,
        ProbabilitySpace.from_counts,
        lambda table: two_stage(table, {}),
        lambda table: bayes_rule(table, {"a": 1, "b": 1}),
        lambda table: bayes_rule({"a": 1}, table),
    ],
)
def test_a_row_that_stands_twice_is_named(read):
    table = pd.Series([0.5, 0.25, 0.25], index=["b", "a", "a"])
    assert "'a' stands 2 times" in told(read, table)


# --- Events that are none -------------------------------------------------

CALLS = {
    "P": lambda space, event: space.P(event),
    "P given": lambda space, event: space.P(set(), given=event),
    "given": lambda space, event: space.given(event),
    "event": lambda space, event: space.event(event),
    "complement": lambda space, event: space.complement(event),
    "independent": lambda space, event: space.independent(set(), event),
    "pairwise": lambda space, event: space.pairwise_independent(event, set()),
    "independent given": lambda space, event: space.independent(
        set(), set(), given=event
    ),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@every_call
def test_an_outcome_outside_the_space_is_named(call):
    message = told(call, DIE, {2, 13})
    assert "The event contains 13, which is not an outcome" in message
    assert "its outcomes are 1, 2, 3, 4, 5, 6." in message


# "heads" is an outcome, and strings could be read as sets of letters.
@every_call
@pytest.mark.parametrize("bare", ["heads", "HT", "", 3, b"HT"])
def test_a_bare_outcome_is_not_an_event(call, bare):
    message = told(call, COIN, bare)
    assert f"{bare!r} is not an event" in message
    assert f"write {{{bare!r}}}" in message


@every_call
@pytest.mark.parametrize("value", [None, float("nan"), 1])
def test_a_property_is_true_or_false(call, value):
    message = told(call, COIN, lambda _outcome: value)
    assert f"property of outcome 'heads' is {value!r}, neither" in message


def test_a_property_may_be_a_truth_of_numpy():
    assert DIE.P(lambda face: np.int64(face) > 4) == F(1, 3)


def test_nothing_is_not_an_event():
    assert "None is not an event" in told(COIN.P, None)


def test_a_pair_is_read_as_the_set_of_its_parts():
    pairs = ProbabilitySpace.uniform(product("HT", repeat=2))
    message = told(pairs.P, ("H", "H"))
    assert "The event contains 'H', which is not an outcome" in message


# --- Conditioning on what cannot happen -----------------------------------

CONDITIONS = ["P given", "given", "independent given"]


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditioning_on_the_empty_event(name):
    with pytest.raises(ZeroProbabilityError, match="the empty event: its"):
        CALLS[name](FROGS, set())


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditioning_on_an_outcome_of_probability_zero(name):
    with pytest.raises(ZeroProbabilityError, match=r"{'frogs'}: its"):
        CALLS[name](FROGS, {"frogs"})


def test_a_large_event_is_shown_in_part():
    space = ProbabilitySpace({"sun": 1, **dict.fromkeys("edcba", 0)})
    with pytest.raises(ZeroProbabilityError) as caught:
        space.given(set("edcb"))
    assert "the event {'b', 'c', 'd', 'e'}: its" in str(caught.value)
    with pytest.raises(ZeroProbabilityError) as caught:
        space.given(set("edcba"))
    assert "the event {'a', 'b', 'c', 'd', …}: its" in str(caught.value)


def test_evidence_that_no_hypothesis_allows():
    prior = {"a": "1/2", "b": "1/2", "never": 0}
    with pytest.raises(ZeroProbabilityError, match=r"\('a', 'b'\)"):
        bayes_rule(prior, {"a": 0, "b": 0.0, "never": 1})


def test_impossible_evidence_has_total_probability_zero():
    assert total_probability({"a": 1}, {"a": 0}) == 0


# --- What is no mapping, no event, no outcome -----------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda value: ProbabilitySpace(value),
        lambda value: ProbabilitySpace.from_counts(value),
        lambda value: two_stage(value, {}),
        lambda value: two_stage({"a": 1}, value),
        lambda value: two_stage({"a": 1}, {"a": value}),
        lambda value: bayes_rule(value, {"a": 1}),
        lambda value: bayes_rule({"a": 1}, value),
    ],
)
@pytest.mark.parametrize("value", [[1], None, 0, "a"])
def test_what_is_no_mapping_is_named(call, value):
    message = told(call, value)
    assert "Give a dictionary from " in message
    assert message.endswith(f", not {value!r}.")


@pytest.mark.parametrize("call", [ProbabilitySpace.uniform, DIE.event, DIE.P])
def test_an_outcome_cannot_be_a_list(call):
    message = told(call, [[1, 2]])
    assert "unhashable type: 'list'" in message
    assert "as a tuple" in message


def test_a_number_is_no_collection_of_outcomes():
    message = told(ProbabilitySpace.uniform, 6)
    assert "6 is not a collection of outcomes" in message
    assert "such as range(1, 7)" in message


@pytest.mark.parametrize("call", [ProbabilitySpace.uniform, DIE.event])
def test_an_error_inside_a_generator_is_its_own(call):
    with pytest.raises(TypeError, match="unsupported operand"):
        call(face + "1" for face in range(1, 7))


def test_the_same_stranger_is_named_on_every_run():
    strangers = [f"stranger {number}" for number in range(9)]
    message = told(COIN.P, {"heads", *strangers})
    assert "The event contains 'stranger 0', which is not" in message
