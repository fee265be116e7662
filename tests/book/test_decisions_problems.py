"""The solved problems of *Decisions*, recomputed.

Exact fractions, quadrature and simulation. That the numbers stand in the
solutions is proved by the notebook's own checks, beside the text.
"""

from fractions import Fraction as F
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

weights = st.integers(1, 30)


def risks(rows, posterior):
    return [
        sum(cost * p for cost, p in zip(row, posterior, strict=True))
        for row in rows
    ]


def best(rows, posterior):
    found = risks(rows, posterior)
    return {i for i, risk in enumerate(found) if risk == min(found)}


def normalised(numbers):
    return [F(n, sum(numbers)) for n in numbers]


def least(joint, rows):
    """Give the Bayes risk of rows of joint probabilities, one for each x."""
    return sum(min(risks(rows, row)) for row in joint)


# --- What decisions depend on ---------------------------------------------

LUMPS = [[0, 20], [1, 1]]


@given(
    st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=2),
    st.lists(st.integers(-9, 9), min_size=3, max_size=3),
    st.lists(st.lists(weights, min_size=3, max_size=3), min_size=1),
)
def test_adding_to_columns(rows, added, cells):
    changed = [[v + b for v, b in zip(r, added, strict=True)] for r in rows]
    total = sum(map(sum, cells))
    joint = [[F(n, total) for n in row] for row in cells]
    for row in joint:
        assert best(rows, row) == best(changed, row)
    classes = [sum(column) for column in zip(*joint, strict=True)]
    (shift,) = risks([added], classes)
    assert least(joint, changed) == least(joint, rows) + shift


def test_the_regrets_of_the_lumps():
    lowest = [min(column) for column in zip(*LUMPS, strict=True)]
    assert lowest == [0, 1]
    regrets = [[v - b for v, b in zip(r, lowest, strict=True)] for r in LUMPS]
    assert regrets == [[0, 19], [1, 0]]
    (_, miss), (alarm, _) = regrets
    assert alarm == 1
    assert miss == 19
    assert F(alarm, alarm + miss) == F(1, 20)


def test_a_dominated_decision_is_never_best():
    for k in range(101):
        q = F(k, 100)
        assert 2 not in best([*LUMPS, [5, 2]], [1 - q, q])


# --- Unequal priors -------------------------------------------------------


def boundary(prior, miss=1):
    """Search where both conditional risks are equal."""
    return brentq(
        lambda x: miss * prior * norm.pdf(x, 2) - (1 - prior) * norm.pdf(x),
        -20,
        20,
    )


@pytest.mark.parametrize("prior", [0.01, 0.1, 0.4, 0.5, 0.9])
def test_the_boundary(prior):
    formula = 1 + log((1 - prior) / prior) / 2
    assert boundary(prior) == pytest.approx(formula)


def test_the_numbers_of_unequal_priors():
    t = boundary(0.1)
    assert t == pytest.approx(1 + log(3))
    assert f"{t:.3f}" == "2.099"
    assert t > 2
    assert boundary(0.1, miss=9) == pytest.approx(1)
    error = 0.9 * norm.sf(t) + 0.1 * norm.cdf(t, 2)
    assert f"{t - 2:.3f}" == "0.099"
    assert f"{error:.4f}" == "0.0701"
    saved = (0.1 - error) / 0.1
    assert round(10 * saved) == 3


# --- Errors against rejections --------------------------------------------


def triangle(c):
    """Integrate errors and rejections with the posterior x."""

    def area(function):
        return quad(function, 0, 1, points=[c, 0.5, 1 - c], limit=200)[0]

    return (
        area(lambda x: min(x, 1 - x) * (max(x, 1 - x) >= 1 - c)),
        area(lambda x: max(x, 1 - x) < 1 - c),
    )


@pytest.mark.parametrize("c", [0.05, 0.1, 0.25, 0.4])
def test_rates_of_the_triangles(c):
    error, reject = triangle(c)
    assert error == pytest.approx(c**2, abs=1e-7)
    assert reject == pytest.approx(1 - 2 * c, abs=1e-7)
    step = 1e-4
    higher, lower = (
        e + (c + s) * r for s in (step, -step) for e, r in [triangle(c + s)]
    )
    slope = (higher - lower) / (2 * step)
    assert slope == pytest.approx(reject, abs=1e-4)


def test_the_numbers_of_the_triangles():
    floor = quad(lambda x: min(x, 1 - x), 0, 1, points=[0.5])[0]
    assert floor == pytest.approx(1 / 4)
    c = F(1, 10)
    reject, error = 1 - 2 * c, c**2
    assert reject == F(4, 5)
    assert error == F(1, 100)
    decided = error / (1 - reject)
    assert decided == F(1, 20) == c / 2
    assert 1 - reject == F(1, 5)


# --- More measurements, and no coins --------------------------------------


@given(st.lists(weights, min_size=12, max_size=12))
def test_a_second_measurement_never_hurts(numbers):
    share = normalised(numbers)
    both = {
        (x, z): share[6 * x + 2 * z : 6 * x + 2 * z + 2]
        for x, z in product(range(2), range(3))
    }
    one = [
        [sum(both[x, z][j] for z in range(3)) for j in range(2)]
        for x in range(2)
    ]
    gain = least(one, LUMPS) - least(both.values(), LUMPS)
    shared = all(
        set.intersection(*(best(LUMPS, both[x, z]) for z in range(3)))
        for x in range(2)
    )
    assert gain >= 0
    assert (gain == 0) == shared


@given(
    st.lists(weights, min_size=2, max_size=2),
    st.lists(weights, min_size=2, max_size=2),
)
def test_coins_do_not_help(posterior, coin):
    found = risks(LUMPS, normalised(posterior))
    (tossed,) = risks([found], normalised(coin))
    assert tossed >= min(found)


# --- The nearest neighbour, with endless data -----------------------------


@given(st.lists(st.tuples(st.integers(0, 20), weights), min_size=1))
def test_the_bounds_of_the_nearest_neighbour(cases):
    total = sum(weight for _, weight in cases)
    law = [(F(k, 20), F(weight, total)) for k, weight in cases]
    floor = sum(p * min(q, 1 - q) for q, p in law)
    memory = sum(p * (q * (1 - q) + (1 - q) * q) for q, p in law)
    bound = 2 * floor * (1 - floor)
    assert floor <= memory <= bound
    constant = len({min(q, 1 - q) for q, _ in law}) == 1
    assert (memory == bound) == constant


def test_the_uniform_posterior():
    floor = quad(lambda q: min(q, 1 - q), 0, 1, points=[0.5])[0]
    memory = quad(lambda q: 2 * q * (1 - q), 0, 1)[0]
    assert (floor, memory) == pytest.approx((1 / 4, 1 / 3))
    bound = 2 * F(1, 4) * (1 - F(1, 4))
    assert bound == F(3, 8)


def test_the_nearest_neighbour_itself():
    """Simulate it: with a sample of twenty thousand on the line."""
    rng = np.random.default_rng(6)
    size = 20_000
    x, fresh = np.sort(rng.random(size)), rng.random(size)
    y = rng.random(size) < x
    right = np.searchsorted(x, fresh).clip(1, size - 1)
    nearest = np.where(
        fresh - x[right - 1] < x[right] - fresh, right - 1, right
    )
    error = (y[nearest] != (rng.random(size) < fresh)).mean()
    assert error == pytest.approx(1 / 3, abs=0.015)
