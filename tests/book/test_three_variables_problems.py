"""The solved problems of *Three variables*, recomputed by enumeration.

Laws are dictionaries from rows to fractions here, multiplied out cell by cell.
That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

import math
from fractions import Fraction as F
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

# --- Laws -----------------------------------------------------------------


def total(law, event=lambda *row: True):
    return sum((p for row, p in law.items() if event(*row)), F(0))


def share(law, event, known=lambda *row: True):
    return total(law, lambda *r: event(*r) and known(*r)) / total(law, known)


def mean(law, value):
    return sum(p * value(*row) for row, p in law.items()) / total(law)


def covariance(law, one, other):
    both = mean(law, lambda *row: one(*row) * other(*row))
    return both - mean(law, one) * mean(law, other)


def first(*row):
    return row[0]


def second(*row):
    return row[1]


def kept(law, known):
    return {row: p for row, p in law.items() if known(*row)}


def coin(p, state):
    return p if state else 1 - p


# --- What arrows cost -----------------------------------------------------


def free_numbers(parents):
    """Count rows: each configuration of the parents needs one number."""
    return sum(
        len(list(product((0, 1), repeat=len(above))))
        for above in parents.values()
    )


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
def test_what_arrows_cost(n):
    nodes = range(n)
    chain = {i: [i - 1] if i else [] for i in nodes}
    complete = {i: list(range(i)) for i in nodes}
    away = {"Y": [], **{i: ["Y"] for i in nodes}}
    towards = {"Y": list(nodes), **{i: [] for i in nodes}}
    assert free_numbers(chain) == 2 * n - 1
    assert free_numbers(complete) == 2**n - 1
    assert free_numbers(away) == 1 + 2 * n
    assert free_numbers(towards) == n + 2**n
    assert sum(2**i for i in nodes) == 2**n - 1
    if n == 10:
        counts = map(free_numbers, (chain, complete, away, towards))
        one, two, three, four = counts
        assert one == 19
        assert two == 1023
        assert three == 21
        assert four == 1034


# --- A longer chain, backwards --------------------------------------------


def random_chain(n, seed):
    """Multiply out a chain of n variables with three states."""
    rng = np.random.default_rng(seed)

    def row():
        weights = [int(w) for w in rng.integers(0, 5, 3)]
        weights[rng.integers(3)] += 1
        return [F(w, sum(weights)) for w in weights]

    start, steps = row(), [[row() for _ in range(3)] for _ in range(n - 1)]
    return {
        xs: start[xs[0]]
        * math.prod(
            step[a][b]
            for step, (a, b) in zip(steps, pairwise(xs), strict=True)
        )
        for xs in product(range(3), repeat=n)
    }


def marginal(law, *places):
    found = {}
    for row, p in law.items():
        key = tuple(row[i] for i in places)
        found[key] = found.get(key, 0) + p
    return found


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_root_of_a_chain_can_be_any_node(n, seed):
    law = random_chain(n, seed)
    assert total(law) == 1
    singles = [marginal(law, i) for i in range(n)]
    pairs = [marginal(law, i, i + 1) for i in range(n - 1)]
    for root in range(n):
        for xs, p in law.items():
            # Each pair over the node of it that is nearer to the root.
            value = singles[root][xs[root],]
            for i, pair in enumerate(pairs):
                near = i if i >= root else i + 1
                under = singles[near][xs[near],]
                value *= pair[xs[i], xs[i + 1]] / under if under else 0
            assert value == p


# --- Conditioning on a noisy copy -----------------------------------------


def reports(wrong):
    """Give the law of X, Z, W, Y."""
    law = {}
    for x, z, w, y in product((0, 1), repeat=4):
        p = F(1, 2)
        for said, error in ((x, F(1, 10)), (z, F(1, 10)), (w, wrong)):
            p *= coin(error, said != y)
        law[x, z, w, y] = p
    return law


def test_what_one_report_says_about_the_other():
    law = reports(F(1, 5))
    agree = share(law, lambda x, z, w, y: z, lambda x, z, w, y: x)
    known = share(law, lambda x, z, w, y: z, lambda x, z, w, y: x and y)
    other = share(law, lambda x, z, w, y: z, lambda x, z, w, y: y and not x)
    assert agree == F(41, 50)
    assert F(81, 100) + F(1, 100) == agree == F(41, 50)
    assert known == other == F(9, 10)


@given(st.fractions(0, 1, max_denominator=30), st.integers(0, 1))
def test_the_covariance_given_the_copy(wrong, seen):
    law = kept(reports(wrong), lambda x, z, w, y: w == seen)
    q = share(law, lambda x, z, w, y: y)
    assert q in (wrong, 1 - wrong)
    left = covariance(law, first, second)
    assert left == F(16, 25) * q * (1 - q)
    assert (left == 0) == (wrong in (0, 1))


def test_how_much_a_copy_removes():
    before = covariance(reports(F(1, 5)), first, second)
    after = covariance(
        kept(reports(F(1, 5)), lambda x, z, w, y: w), first, second
    )
    assert before == F(4, 25)
    assert F(16, 25) * F(4, 25) == after
    assert 1 - after / before == F(9, 25)
    for y in (0, 1):
        given_y = kept(reports(F(1, 5)), lambda *row, y=y: row[3] == y)
        assert mean(given_y, first) == F(1, 10) + F(8, 10) * y


# --- A lamp that stays dark -----------------------------------------------


def lamp(a, b, dark):
    return {
        (x, z, int(dark(x, z))): coin(a, x) * coin(b, z)
        for x, z in product((0, 1), repeat=2)
    }


proper = st.fractions(F(1, 50), F(49, 50), max_denominator=50)


@given(proper, proper)
def test_a_power_cut_explains_a_dark_lamp_completely(a, b):
    law = lamp(a, b, lambda x, z: x or z)
    dark = share(law, first, lambda x, z, y: y)
    assert dark == a / (a + b - a * b)
    assert share(law, first, lambda x, z, y: y and z) == a
    shines = kept(law, lambda x, z, y: not y)
    assert list(shines) == [(0, 0, 0)]
    exactly_one = lamp(a, b, lambda x, z: x != z)
    assert share(exactly_one, first, lambda x, z, y: y and z) == 0
    assert share(exactly_one, first, lambda x, z, y: y) > 0


def test_the_numbers_of_the_lamp():
    law = lamp(F(1, 10), F(1, 10), lambda x, z: x or z)
    dark = share(law, first, lambda x, z, y: y)
    cut = share(law, first, lambda x, z, y: y and z)
    assert dark == F(10, 19)
    assert cut == F(1, 10)


# --- A hospital -----------------------------------------------------------


def hospital(p_x, p_z, h):
    """Give the law of the two diseases among the patients, unscaled."""
    return {
        (x, z): coin(p_x, x) * coin(p_z, z) * h[x, z]
        for x, z in product((0, 1), repeat=2)
    }


def odds_ratio(law):
    return law[1, 1] * law[0, 0] / (law[1, 0] * law[0, 1])


admission = st.fixed_dictionaries(
    dict.fromkeys(product((0, 1), repeat=2), proper)
)


@given(proper, proper, admission)
def test_the_odds_ratio_does_not_know_how_frequent_diseases_are(p_x, p_z, h):
    patients = hospital(p_x, p_z, h)
    assert odds_ratio(patients) == odds_ratio(h)
    independent = covariance(patients, first, second) == 0
    assert independent == (odds_ratio(h) == 1)


@given(proper, proper, proper, proper)
def test_a_product_of_rates_leaves_the_diseases_independent(p_x, p_z, g, k):
    h = {
        (x, z): (g if x else 1) * (k if z else F(1, 2))
        for x, z in product((0, 1), repeat=2)
    }
    assert covariance(hospital(p_x, p_z, h), first, second) == 0
    again = {(x, z): h[x, 0] * h[0, z] / h[0, 0] for x, z in h}
    assert again == h


def brought_in(x, z):
    """Go through what brings a person in: X, Z, anything else."""
    return sum(
        coin(F(1, 2), by_x) * coin(F(1, 4), by_z) * coin(F(1, 10), other)
        for by_x, by_z, other in product((0, 1), repeat=3)
        if (by_x and x) or (by_z and z) or other
    )


def test_the_hospital_of_the_text():
    h = {row: brought_in(*row) for row in product((0, 1), repeat=2)}
    patients = hospital(F(1, 10), F(1, 5), h)
    with_x = share(patients, second, lambda x, z: x)
    without = share(patients, second, lambda x, z: not x)
    assert list(h.values()) == [F(1, 10), F(13, 40), F(11, 20), F(53, 80)]
    ratio = odds_ratio(patients)
    assert ratio == F(53, 143) < 1
    assert ratio == F(53, 143)
    assert with_x == F(53, 229)
    assert f"{float(with_x):.2f}" == "0.23"
    assert without == F(13, 29)
    assert f"{float(without):.2f}" == "0.45"
    outside = hospital(F(1, 10), F(1, 5), {k: 1 - p for k, p in h.items()})
    assert covariance(outside, first, second) == 0


# --- Why minus one half ---------------------------------------------------


def triangle(m):
    return {
        (x, z): F(1)
        for x, z in product(range(1, m + 1), repeat=2)
        if x + z <= m
    }


@pytest.mark.parametrize("m", range(3, 12))
def test_a_triangle_has_the_correlation_minus_one_half(m):
    law = triangle(m)
    triples = {
        t for t in product(range(1, m + 1), repeat=3) if sum(t) == m + 1
    }
    assert {(x, z, m + 1 - x - z) for x, z in law} == triples
    v = covariance(law, first, first)
    assert v == covariance(law, second, second) > 0
    assert covariance(law, first, second) / v == -F(1, 2)


def test_both_groups_are_triangles_and_the_parts_cancel():
    grid = {(x, z): F(1, 36) for x, z in product(range(1, 7), repeat=2)}
    rejected = kept(grid, lambda x, z: x + z < 8)
    admitted = kept(grid, lambda x, z: x + z >= 8)
    assert set(rejected) == {p for p in triangle(7) if max(p) <= 6}
    assert set(rejected) == set(triangle(7))
    assert {(7 - x, 7 - z) for x, z in admitted} == set(triangle(6))
    within = [covariance(g, first, second) for g in (admitted, rejected)]
    means = [mean(g, first) for g in (admitted, rejected)]
    assert means == [mean(g, second) for g in (admitted, rejected)]
    sizes = len(admitted), len(rejected)
    average = (sizes[0] * within[0] + sizes[1] * within[1]) / 36
    weights = [F(n, 36) for n in sizes]
    between = weights[0] * weights[1] * (means[0] - means[1]) ** 2
    assert average + between == covariance(grid, first, second) == 0
    assert sizes == (15, 21)
    assert within == [-F(7, 9), -F(10, 9)]
    assert means[0] == F(14, 3)
    assert means[1] == F(8, 3)
    assert between == F(35, 36)
    assert means[0] - means[1] == 2
