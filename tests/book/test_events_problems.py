"""The solved problems of *Events*, recomputed by going through all cases.

What is computed here has to stand in the text, in TeX: a changed number there
turns a test red.
"""

import math
import re
from fractions import Fraction as F
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solved_problems import fractions, listed, problems_of, tex

exercise, solution = problems_of("conditioning/events")

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


def test_the_statements_are_those_of_the_text():
    asked = exercise("exr-attraction")
    assert r"(a) $\mathbb{P}[A \mid B] > \mathbb{P}[A]$" in asked
    assert r"(b) $\mathbb{P}[B \mid A] > \mathbb{P}[B]$" in asked
    assert (
        r"(c) $\mathbb{P}[A \mid B] > \mathbb{P}[A \mid B^{\mathsf{c}}]$"
        in asked
    )
    symmetric = r"$\mathbb{P}[A \cap B] > \mathbb{P}[A]\,\mathbb{P}[B]$"
    assert symmetric in solution("exr-attraction")


# --- The host who forgot --------------------------------------------------

# The car, and the coin of the host: six equally likely cases.
DOORS = list(product((1, 2, 3), ("heads", "tails")))


def knowing(car, coin):
    free = [door for door in (2, 3) if door != car]
    return free[0] if coin == "heads" else free[-1]


def forgetful(car, coin):
    return 2 if coin == "heads" else 3


@pytest.mark.parametrize(
    ("host", "likelihood", "posterior"),
    [
        (knowing, [F(1, 2), 1, 0], [F(1, 3), F(2, 3), 0]),
        (forgetful, [F(1, 2), F(1, 2), 0], [F(1, 2), F(1, 2), 0]),
    ],
)
def test_what_a_host_tells(host, likelihood, posterior):
    def evidence(case):
        return host(*case) == 3 and case[0] != 3

    def behind(door):
        return lambda case: case[0] == door

    doors = (1, 2, 3)
    seen = [share(DOORS, evidence, behind(door)) for door in doors]
    after = [share(DOORS, behind(door), evidence) for door in doors]
    assert seen == likelihood
    assert after == posterior
    claim = f"ikelihoods ${listed(seen)}$ give"
    text = solution("exr-host")
    assert re.search(re.escape(claim) + r"( the posterior)? ", text)
    assert f" ${listed(after)}$" in text.partition(claim)[2].split("\n")[0]


def test_the_host_opens_no_door_that_he_must_not():
    assert all(knowing(*case) not in (1, case[0]) for case in DOORS)
    assert {forgetful(*case) for case in DOORS} == {2, 3}


def test_every_door_has_the_same_prior():
    prior = {share(DOORS, lambda case, d=d: case[0] == d) for d in (1, 2, 3)}
    assert prior == {F(1, 3)}
    assert f"The prior is ${tex(F(1, 3))}$ each" in solution("exr-host")


# --- Two children ---------------------------------------------------------

CHILDREN = list(product("GB", repeat=2))
DAYS = list(product(product("GB", range(7)), repeat=2))


def test_at_least_one_is_a_girl():
    left = [family for family in CHILDREN if "G" in family]
    answer = share(left, lambda family: family == ("G", "G"))
    assert (len(left), answer) == (3, F(1, 3))
    said = f"(a) Of GG, GB, BG, BB, three remain: ${tex(answer)}$."
    assert said in solution("exr-children")


def test_you_meet_one_and_she_is_a_girl():
    met = list(product(CHILDREN, (0, 1)))
    girl = share(
        met, lambda c: c[0] == ("G", "G"), lambda c: c[0][c[1]] == "G"
    )
    likelihood = {
        family: share([0, 1], lambda i, family=family: family[i] == "G")
        for family in CHILDREN
    }
    assert list(likelihood.values()) == [1, F(1, 2), F(1, 2), 0]
    joint = [str(F(1, 4) * p) for p in likelihood.values() if p]
    terms = " + ".join(joint)
    said = rf"$\frac{{{joint[0]}}}{{{terms}}} = {tex(girl)}$"
    assert girl == F(1, 2)
    assert said in solution("exr-children")


def test_at_least_one_is_a_girl_born_on_a_tuesday():
    tuesday = ("G", 1)
    one = [family for family in DAYS if tuesday in family]
    both = [family for family in one if family[0][0] == family[1][0] == "G"]
    assert len(DAYS) == 196
    assert len(one) == 14**2 - 13**2 == 27
    assert len(both) == 7**2 - 6**2 == 13
    answer = tex(F(len(both), len(one)))
    text = solution("exr-children")
    assert "$14^2 - 13^2 = 27$ of the 196 cases" in text
    assert rf"$7^2 - 6^2 = 13$ of these: ${answer}$" in text
    assert answer == r"\frac{13}{27}"


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


def test_the_printed_reversal_is_one():
    """Everything is read from the text, and the text is recomputed."""
    example = solution("exr-no-reversal").partition("(c)")[2]
    numbers = fractions(example)
    assert len(numbers) == 10
    r, s, first, second = (numbers[i : i + 2] for i in range(0, 8, 2))
    overall = mean(first, r), mean(second, s)
    assert tuple(numbers[8:]) == overall
    assert sum(first) == sum(second) == 1
    assert r[0] > s[0]
    assert r[1] > s[1]
    assert overall[0] < overall[1]


def test_the_printed_numbers_are_these():
    text = solution("exr-no-reversal")
    assert r"$r = (\frac{9}{10}, \frac{3}{10})$" in text
    assert r"$s = (\frac{8}{10}, \frac{2}{10})$" in text
    assert r"shares $(\frac14, \frac34)$" in text
    assert r"the second in $(\frac34, \frac14)$" in text
    assert r"overall rates are $\frac{9}{20}$ and $\frac{13}{20}$" in text


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
    assert "two events: $2^n - n - 1$" in solution("exr-parity")


@EVERY_N
def test_every_one_of_the_events_has_probability_one_half(n):
    tosses, events = heads_and_parity(n)
    assert len(tosses) == 2 ** (n - 1)
    assert {F(len(event), len(tosses)) for event in events} == {F(1, 2)}
    text = solution("exr-parity")
    assert "All $2^{n-1}$ outcomes are equally likely" in text
    assert rf"every event has the probability ${tex(F(1, 2))}$" in text


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
    text = solution("exr-parity")
    said = "If $n - 1$ is even, that has probability $2^{-(n-1)}$"
    assert f"{said}; if it is odd, 0." in text
    assert "Neither is $2^{-n}$." in text
