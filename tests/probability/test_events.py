"""Finite probability spaces against counting that uses no library."""

import copy
import math
import operator
import pickle
import time
from collections import Counter
from fractions import Fraction as F
from itertools import combinations_with_replacement, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from probability_truth import (
    NO_PROBABILITIES,
    TOO_LARGE,
    counted,
    mutual,
    pairwise,
    share,
    subsets,
    told,
)

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.probability import (
    ProbabilitySpace,
    bayes_rule,
    two_stage,
)

DIE = ProbabilitySpace.uniform(range(1, 7))
COIN = ProbabilitySpace.uniform(["heads", "tails"])
FROGS = ProbabilitySpace({"sun": "2/3", "rain": "1/3", "frogs": 0})


def test_a_six_in_four_rolls_as_de_mere_bet():
    rolls = ProbabilitySpace.uniform(product(range(1, 7), repeat=4))
    assert rolls.P(lambda roll: 6 in roll) == F(671, 1296)


def test_the_sum_of_two_dice():
    dice = ProbabilitySpace.uniform(product(range(1, 7), repeat=2))
    rates = [dice.P(lambda roll, n=n: sum(roll) == n) for n in range(2, 13)]
    assert rates == [F(6 - abs(n - 7), 36) for n in range(2, 13)]


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


@pytest.mark.parametrize("size", range(1, 7))
def test_all_partitions_are_the_ways_to_put_outcomes_into_boxes(size):
    boxes = [
        frozenset(
            frozenset(w for w in range(size) if chosen[w] == box)
            for box in set(chosen)
        )
        for chosen in product(range(size), repeat=size)
    ]
    listed = list(ProbabilitySpace.uniform(range(size)).partitions())
    assert len(listed) == [1, 2, 5, 15, 52, 203][size - 1]
    assert set(map(frozenset, listed)) == set(boxes)
    assert all(part for parts in listed for part in parts)


def test_the_partitions_of_a_large_space_are_not_listed():
    ProbabilitySpace.uniform(range(10)).partitions()
    with pytest.raises(ProbabilityError, match="11 outcomes"):
        ProbabilitySpace.uniform(range(11)).partitions()


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
    start = time.process_time()
    assert tosses.independent(*heads, *sure)
    assert time.process_time() - start < 5


def test_too_many_events_are_refused():
    with pytest.raises(ValueError, match=r"17 events have .* at most 16"):
        DIE.independent(*[{1}] * 17)
    assert DIE.independent(*[set()] * 16)
    assert DIE.pairwise_independent(*[set()] * 17)


def test_numbers_far_below_a_float_stay_exact():
    tiny = F(1, 10**400)
    space = ProbabilitySpace({"rare": tiny, "usual": 1 - tiny})
    assert space.P({"usual"}) == 1 - tiny
    assert bayes_rule(space, {"rare": 1, "usual": 0})["rare"] == 1


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


def test_the_floats_of_a_space_are_the_decimals_they_print_as():
    space = ProbabilitySpace({"a": 0.1, "b": 0.2, "c": 0.7})
    assert space.P({"a", "b"}) == F(3, 10)


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


@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES + TOO_LARGE)
def test_a_probability_that_is_none(value, said):
    message = told(ProbabilitySpace, {"fine": 1, "odd": value})
    assert f"The probability of outcome 'odd' is {said}" in message


@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES)
def test_a_count_that_is_none(value, said):
    message = told(ProbabilitySpace.from_counts, {"fine": 1, "odd": value})
    assert f"The count of outcome 'odd' is {said}" in message


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


@pytest.mark.parametrize(
    "build",
    [ProbabilitySpace, ProbabilitySpace.uniform, ProbabilitySpace.from_counts],
)
def test_a_space_without_outcomes(build):
    assert "needs at least one outcome" in told(build, {})


def test_counts_that_are_all_zero():
    message = told(ProbabilitySpace.from_counts, {"a": 0, "b": 0.0})
    assert "All counts are zero" in message


def test_an_outcome_that_appears_twice():
    message = told(ProbabilitySpace.uniform, ["a", "b", "c", "b"])
    assert "'b' appears twice" in message


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
def test_a_row_that_appears_twice_is_named(read):
    table = pd.Series([0.5, 0.25, 0.25], index=["b", "a", "a"])
    assert "'a' appears 2 times" in told(read, table)


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
    message = told(call, COIN, bare, error=TypeError)
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
    message = told(COIN.P, None, error=TypeError)
    assert "None is not an event" in message


def test_a_pair_is_read_as_the_set_of_its_parts():
    pairs = ProbabilitySpace.uniform(product("HT", repeat=2))
    message = told(pairs.P, ("H", "H"))
    assert "The event contains 'H', which is not an outcome" in message


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
    message = told(call, value, error=TypeError)
    assert "Give a dictionary from " in message
    assert message.endswith(f", not {value!r}.")


@pytest.mark.parametrize("call", [ProbabilitySpace.uniform, DIE.event, DIE.P])
def test_an_outcome_cannot_be_a_list(call):
    message = told(call, [[1, 2]])
    assert "unhashable type: 'list'" in message
    assert "as a tuple" in message


def test_a_number_is_no_collection_of_outcomes():
    message = told(ProbabilitySpace.uniform, 6, error=TypeError)
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
