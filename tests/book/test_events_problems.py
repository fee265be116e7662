"""What the problems of *Events* ask to prove, by going through all cases.

The numbers of the solutions are computed in the notebook, beside them.
"""

import math
from fractions import Fraction as F
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

# --- Counting -------------------------------------------------------------


def share(cases, event, condition=lambda case: True):
    """Give the part of the equally likely cases in which an event holds."""
    whole = [case for case in cases if condition(case)]
    return F(sum(1 for case in whole if event(case)), len(whole))


def subsets(items):
    items = list(items)
    return [
        frozenset(chosen)
        for size in range(len(items) + 1)
        for chosen in combinations(items, size)
    ]


# --- Attraction is mutual -------------------------------------------------

SPACES = {
    "loaded four-sided die": (1, 2, 3, 4),
    "fair die": (1, 1, 1, 1, 1, 1),
    "three outcomes": (1, 1, 2),
    "an impossible outcome": (3, 1, 2, 0, 1),
}


def pairs_of_events(weights):
    """Yield P[A], P[B] and P[A and B] for all with probability in (0, 1)."""
    total = sum(weights)
    probability = {
        event: F(sum(weights[w] for w in event), total)
        for event in subsets(range(len(weights)))
    }
    proper = [event for event, p in probability.items() if 0 < p < 1]
    for a, b in product(proper, repeat=2):
        yield probability[a], probability[b], probability[a & b]


@pytest.mark.parametrize("weights", SPACES.values(), ids=SPACES)
def test_three_ways_to_say_that_events_attract_each_other(weights):
    seen = set()
    for a, b, both in pairs_of_events(weights):
        first = both / b > a
        assert first == (both / a > b)
        assert first == (both / b > (a - both) / (1 - b))
        # The symmetric form to which the solution brings (a) and (b).
        assert first == (both > a * b)
        seen.add(first)
    assert seen == {True, False}


@pytest.mark.parametrize("weights", SPACES.values(), ids=SPACES)
def test_no_evidence_confirms_whatever_its_result(weights):
    for a, b, both in pairs_of_events(weights):
        rises = both / b > a
        falls_without = (a - both) / (1 - b) < a
        assert rises == falls_without


@pytest.mark.parametrize("weights", SPACES.values(), ids=SPACES)
def test_a_mean_lies_between_and_equals_equal_numbers(weights):
    for a, b, both in pairs_of_events(weights):
        with_b, without = both / b, (a - both) / (1 - b)
        assert b * with_b + (1 - b) * without == a
        if with_b == without:
            assert a == with_b
        else:
            assert min(with_b, without) < a < max(with_b, without)


# --- Two children ---------------------------------------------------------


def test_a_more_special_detail_comes_closer_to_a_half():
    answers = []
    for kinds in range(1, 8):
        families = list(product(product("GB", range(kinds)), repeat=2))
        special = [family for family in families if ("G", 0) in family]
        answers.append(
            share(special, lambda f: f[0][0] == "G" and f[1][0] == "G")
        )
    # One kind of girl is problem (a), seven days of the week problem (c).
    assert (answers[0], answers[-1]) == (F(1, 3), F(13, 27))
    assert answers == sorted(set(answers))
    assert answers[-1] < F(1, 2)


# --- A shared birthday ----------------------------------------------------


@pytest.mark.parametrize(("days", "people"), [(2, 3), (5, 4), (6, 3), (7, 5)])
def test_lists_of_birthdays_without_repetition_are_counted(days, people):
    lists = list(product(range(days), repeat=people))
    apart = share(lists, lambda birthdays: len({*birthdays}) == people)
    assert apart == F(math.perm(days, people), days**people)
    pairs = math.comb(people, 2)
    assert pairs == len(list(combinations(range(people), 2)))
    assert 1 - apart <= F(pairs, days)


@pytest.mark.parametrize("days", range(2, 9))
def test_birthdays_agree_independently_in_pairs_and_not_mutually(days):
    lists = list(product(range(days), repeat=3))
    agree = [
        {birthdays for birthdays in lists if birthdays[i] == birthdays[j]}
        for i, j in combinations(range(3), 2)
    ]
    assert {F(len(event), len(lists)) for event in agree} == {F(1, days)}
    for one, other in combinations(agree, 2):
        assert F(len(one & other), len(lists)) == F(1, days) ** 2
        assert one & other == set.intersection(*agree)
    together = F(len(set.intersection(*agree)), len(lists))
    assert together == days * F(1, days) ** 3


def test_twenty_three_people_are_the_fewest_with_an_even_chance():
    def shared(people):
        return 1 - F(math.perm(365, people), 365**people)

    assert shared(22) < F(1, 2) < shared(23)
    assert round(float(shared(23)), 3) == 0.507
    assert round(math.comb(23, 2) / 365, 3) == 0.693


# --- No reversal without different weights --------------------------------

rates = st.fractions(0, 1, max_denominator=20)


@st.composite
def departments(draw, columns):
    """Draw numbers for each of up to five departments, and two weights."""
    size = draw(st.integers(1, 5))
    column = st.lists(rates, min_size=size, max_size=size)
    counts = st.lists(st.integers(0, 9), min_size=size, max_size=size)
    weights = []
    for _ in range(2):
        drawn = draw(counts.filter(any))
        weights.append([F(n, sum(drawn)) for n in drawn])
    return [draw(column) for _ in range(columns)], weights


def mean(weights, values):
    return sum(w * v for w, v in zip(weights, values, strict=True))


@given(departments(columns=2))
def test_common_weights_keep_the_gap_in_its_range(drawn):
    (r, s), (weights, _) = drawn
    gaps = [a - b for a, b in zip(r, s, strict=True)]
    gap = mean(weights, r) - mean(weights, s)
    assert gap == mean(weights, gaps)
    assert min(gaps) <= gap <= max(gaps)


@given(rates, rates, departments(columns=0))
def test_equal_departments_keep_the_sign(r, s, drawn):
    _, (first, second) = drawn
    same = len(first)
    assert mean(first, [r] * same) == r
    assert mean(second, [s] * same) == s


# --- Independent until the last one ---------------------------------------

EVERY_N = pytest.mark.parametrize("n", [3, 4, 5, 6])


def heads_and_parity(n):
    """Give the tosses of n - 1 coins, and the n events as sets of them."""
    tosses = list(product((0, 1), repeat=n - 1))
    events = [{toss for toss in tosses if toss[i]} for i in range(n - 1)]
    even = {toss for toss in tosses if sum(toss) % 2 == 0}
    return tosses, [*events, even]


def families(events):
    return [
        f for k in range(2, len(events) + 1) for f in combinations(events, k)
    ]


def independent(tosses, events):
    return all(
        F(len(set.intersection(*family)), len(tosses))
        == math.prod(F(len(event), len(tosses)) for event in family)
        for family in families(events)
    )


@EVERY_N
def test_the_number_of_equations(n):
    assert len(families(range(n))) == 2**n - n - 1


@EVERY_N
def test_every_one_of_the_events_has_probability_one_half(n):
    tosses, events = heads_and_parity(n)
    assert len(tosses) == 2 ** (n - 1)
    assert {F(len(event), len(tosses)) for event in events} == {F(1, 2)}


@EVERY_N
def test_all_but_one_of_the_events_are_independent(n):
    tosses, events = heads_and_parity(n)
    for left_out in range(n):
        others = events[:left_out] + events[left_out + 1 :]
        assert independent(tosses, others)


@EVERY_N
def test_a_subfamily_has_the_probability_of_its_size(n):
    tosses, events = heads_and_parity(n)
    for k in range(1, n):
        for family in combinations(events, k):
            together = len(set.intersection(*family))
            assert F(together, len(tosses)) == F(1, 2**k)


@EVERY_N
def test_all_of_the_events_are_not_independent(n):
    tosses, events = heads_and_parity(n)
    assert not independent(tosses, events)
    together = F(len(set.intersection(*events)), len(tosses))
    even = (n - 1) % 2 == 0
    assert together == (F(1, 2 ** (n - 1)) if even else 0)
    assert together != F(1, 2**n)
