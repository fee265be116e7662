"""The solved problems of *Random variables*, recomputed case by case.

That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

from collections import Counter, defaultdict
from fractions import Fraction as F
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

# --- Laws as dictionaries -------------------------------------------------


def law_of(cases, value):
    """Give the law of a function of weighted cases [(case, weight)]."""
    total = sum(weight for _, weight in cases)
    law = defaultdict(F)
    for case, weight in cases:
        law[value(case)] += F(weight) / total
    return dict(law)


def mean(law):
    return sum(x * p for x, p in law.items())


def variance(law):
    return sum(x * x * p for x, p in law.items()) - mean(law) ** 2


def slices(cases, x, y):
    """Give P[Y = y] and the law of X there, for each y."""
    total = sum(weight for _, weight in cases)
    parts = defaultdict(list)
    for case, weight in cases:
        parts[y(case)].append((case, weight))
    return {
        value: (F(sum(w for _, w in part)) / total, law_of(part, x))
        for value, part in parts.items()
        if sum(w for _, w in part)
    }


def conditional_means(cases, x, y):
    return {v: mean(law) for v, (_, law) in slices(cases, x, y).items()}


def within(cases, x, y):
    return sum(p * variance(law) for p, law in slices(cases, x, y).values())


FACES = range(1, 7)
DIE = {face: F(1, 6) for face in FACES}

# --- A die of dice --------------------------------------------------------


def sums_of(n):
    """Give the law of the sum of n dice."""
    counts = Counter(map(sum, product(FACES, repeat=n)))
    return {s: F(k, 6**n) for s, k in counts.items()}


SUMS = {n: sums_of(n) for n in FACES}
TOTALS = [((n, s), p / 6) for n in FACES for s, p in SUMS[n].items()]


def test_one_die():
    assert (mean(DIE), variance(DIE)) == (F(7, 2), F(35, 12))


def test_the_mean_of_the_sum():
    answer = mean(law_of(TOTALS, lambda case: case[1]))
    assert answer == F(49, 4)
    assert all(mean(SUMS[n]) == F(7, 2) * n for n in FACES)


def test_the_variance_of_the_sum_and_its_parts():
    n, s = (lambda case: case[0]), (lambda case: case[1])
    whole = variance(law_of(TOTALS, s))
    inside = within(TOTALS, s, n)
    between = whole - inside
    assert all(variance(SUMS[k]) == F(35, 12) * k for k in FACES)
    assert inside == F(35, 12) * F(7, 2) == F(245, 24)
    assert between == F(49, 4) * F(35, 12) == F(1715, 48)
    assert whole == F(735, 16)
    assert between / whole == F(7, 9)


def test_the_two_mistakes_give_another_variance():
    one = variance({F(7, 2) * x: p for x, p in DIE.items()})
    assert one == F(7, 2) ** 2 * variance(DIE)
    whole = variance(law_of(TOTALS, lambda case: case[1]))
    assert len({one, F(7, 2) * variance(DIE), whole}) == 3


# --- Waiting for a six ----------------------------------------------------


def test_waiting_for_a_six():
    """From the first three hundred rolls; what is left weighs nothing."""
    p = F(1, 6)
    wait = {k: (1 - p) ** (k - 1) * p for k in range(1, 300)}
    centre, spread = float(mean(wait)), float(variance(wait))
    assert (centre, spread) == pytest.approx((6, 30), abs=1e-9)
    assert f"{centre:.0f}" == "6"
    assert f"{spread:.0f}" == "30"
    by = {k: 1 - (1 - p) ** k for k in range(6)}
    assert by[3] < F(1, 2) < by[4]
    assert by[4] == F(671, 1296)
    later = {round(centre) + 1: 1 - p, 1: p}
    assert variance(later) == 5


@pytest.mark.parametrize("p", [F(1, 2), F(1, 6), F(9, 10)])
def test_waiting_for_any_success(p):
    wait = {k: float((1 - p) ** (k - 1) * p) for k in range(1, 400)}
    assert mean(wait) == pytest.approx(1 / p)
    assert variance(wait) == pytest.approx((1 - p) / p**2)


# --- How many brothers and sisters? ---------------------------------------

TOWN = {1: F(1, 2), 2: F(1, 4), 3: F(1, 4)}


def homes_of(families):
    """Go to every child, and give the size of its family."""
    return [n for n in families for _ in range(n)]


def test_the_town():
    # Four families, as the shares say.
    homes = homes_of([1, 1, 2, 3])
    assert law_of([(n, 1) for n in [1, 1, 2, 3]], lambda n: n) == TOWN
    assert mean(TOWN) == F(7, 4)
    shares = [F(homes.count(n), len(homes)) for n in TOWN]
    assert shares == [F(2, 7), F(2, 7), F(3, 7)]
    seen = F(sum(homes), len(homes))
    assert seen == F(15, 7)
    assert seen - 1 == F(8, 7)
    assert variance(TOWN) == F(11, 16)
    assert (variance(TOWN) >= mean(TOWN)) == (seen - 1 >= mean(TOWN))


@given(st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_siblings_in_any_town(families):
    assume(any(families))
    law = law_of([(n, 1) for n in families], lambda n: n)
    homes = homes_of(families)
    siblings = F(sum(homes), len(homes)) - 1
    pairs = sum(n * (n - 1) * p for n, p in law.items())
    assert siblings == pairs / mean(law)
    assert (siblings >= mean(law)) == (variance(law) >= mean(law))


# --- Three degrees of having nothing to do with each other ----------------

weights = st.integers(0, 5)


nine = st.lists(weights, min_size=9, max_size=9).filter(any)
three = st.lists(weights, min_size=3, max_size=3).filter(any)


def cases_of(numbers):
    return list(zip(product((-1, 0, 2), (-2, 1, 3)), numbers, strict=True))


def first(case):
    return case[0]


def second(case):
    return case[1]


def covariance(cases):
    both = mean(law_of(cases, lambda case: case[0] * case[1]))
    return both - mean(law_of(cases, first)) * mean(law_of(cases, second))


def independent(cases):
    joint, x, y = (law_of(cases, f) for f in (lambda c: c, first, second))
    return all(joint.get((a, b), 0) == x[a] * y[b] for a, b in product(x, y))


def flat(cases):
    return len(set(conditional_means(cases, first, second).values())) == 1


@given(nine)
def test_each_degree_implies_the_next(numbers):
    cases = cases_of(numbers)
    if independent(cases):
        assert flat(cases)
    if flat(cases):
        assert covariance(cases) == 0


@given(three, three)
def test_products_are_independent_and_flat(p, q):
    cases = cases_of([a * b for a, b in product(p, q)])
    assert independent(cases)
    assert flat(cases)
    assert covariance(cases) == 0


SQUARES = [((y * y, y), 1) for y in (-1, 0, 1)]


def test_the_square():
    assert covariance(SQUARES) == 0
    assert mean(law_of(SQUARES, second)) == 0
    assert mean(law_of(SQUARES, first)) == F(2, 3)
    assert not flat(SQUARES)
    assert conditional_means(SQUARES, first, second) == {-1: 1, 0: 0, 1: 1}
    assert set(conditional_means(SQUARES, second, first).values()) == {0}
    assert not independent(SQUARES)
    given_one = slices(SQUARES, second, first)[1][1]
    assert given_one == {-1: F(1, 2), 1: F(1, 2)}
    assert law_of(SQUARES, second)[0] == F(1, 3)


# --- Half of the sum ------------------------------------------------------


@given(nine)
def test_half_of_the_sum_by_symmetry(numbers):
    values = (0, 1, 4)
    drawn = dict(zip(product(values, repeat=2), numbers, strict=True))
    cases = [((x, v), p + drawn[v, x]) for (x, v), p in drawn.items()]
    means = conditional_means(cases, first, sum)
    assert all(m == F(s) / 2 for s, m in means.items())


def test_the_sum_given_one_die():
    dice = [(roll, 1) for roll in product(FACES, repeat=2)]
    means = conditional_means(dice, sum, first)
    assert means == {x: x + F(7, 2) for x in FACES}


@pytest.mark.parametrize(
    ("s", "pairs"),
    [(9, [(5, 4), (6, 3)]), (7, [(3, 4), (4, 3), (5, 2), (6, 1)])],
)
def test_a_larger_and_a_smaller_die(s, pairs):
    dice = [(roll, 1) for roll in product(FACES, range(1, 5))]
    assert [roll for roll, _ in dice if sum(roll) == s] == pairs
    answer = conditional_means(dice, first, sum)[s]
    assert answer > F(s, 2)
    assert answer == {9: F(11, 2), 7: F(9, 2)}[s]


# --- Knowing more never hurts ---------------------------------------------


@given(st.lists(weights, min_size=12, max_size=12).filter(any))
def test_knowing_more_never_hurts(numbers):
    keys = product((0, 1, 5), (0, 1), ("a", "b"))
    cases = list(zip(keys, numbers, strict=True))
    more = within(cases, first, lambda case: case[1:])
    less = within(cases, first, second)
    assert more <= less
    fine = conditional_means(cases, first, lambda case: case[1:])
    coarse = conditional_means(cases, first, second)
    same = all(m == coarse[y] for (y, _), m in fine.items())
    assert (more == less) == same


def test_two_coins():
    coins = [((y == z, y, z), 1) for y, z in product((0, 1), repeat=2)]
    errors = [
        within(coins, first, known)
        for known in (lambda case: 0, second, lambda case: case[1:])
    ]
    assert errors == [F(1, 4), F(1, 4), 0]
    assert set(conditional_means(coins, first, second).values()) == {F(1, 2)}
    assert errors[0] == F(1, 4)
