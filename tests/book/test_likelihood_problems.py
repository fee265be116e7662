"""The solved problems of *Likelihood*, recomputed in other ways.

That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

# --- Serial numbers -------------------------------------------------------

SEEN = [17, 42, 28, 5]


def of_tickets(m):
    """Likelihood of m tickets for the numbers seen."""
    if m < max(SEEN):
        return F(0)
    return F(1, m) ** len(SEEN)


def test_the_largest_number_is_the_estimate():
    best = max(range(1, 500), key=of_tickets)
    assert best == 42


def test_twice_as_many_tickets():
    ratio = of_tickets(84) / of_tickets(42)
    assert ratio == F(1, 16)


def test_the_mean_of_the_largest_of_two():
    draws = list(product(range(1, 11), repeat=2))
    law = {m: F(sum(max(d) == m for d in draws), 100) for m in range(1, 11)}
    assert all(p == F(2 * m - 1, 100) for m, p in law.items())
    mean = sum(m * p for m, p in law.items())
    assert mean == F(143, 20)
    assert float(mean) == 7.15
    assert 10 - mean == F(57, 20)
    # Below M in most samples.
    assert law[10] < F(1, 2)


# --- Genotypes ------------------------------------------------------------

PEOPLE = {"AA": 30, "Aa": 50, "aa": 20}


def genotypes(t):
    return {"AA": t * t, "Aa": 2 * t * (1 - t), "aa": (1 - t) ** 2}


def of_share(t):
    law = genotypes(t)
    return sum(n * math.log(law[kind]) for kind, n in PEOPLE.items())


def test_the_share_of_the_gene_and_its_error():
    found = optimize.minimize_scalar(
        lambda t: -of_share(t), bounds=(0.01, 0.99), method="bounded"
    )
    share = F(11, 20)
    assert found.x == pytest.approx(float(share), abs=1e-5)
    assert share == F(11, 20)
    information = 200 / (share * (1 - share))
    assert information == F(80000, 99)
    step, t = 1e-4, float(share)
    bend = of_share(t + step) + of_share(t - step) - 2 * of_share(t)
    assert -bend / step**2 == pytest.approx(float(information), rel=1e-5)
    error = 1 / math.sqrt(information)
    assert f"{error:.3f}" == "0.035"


def test_genes_are_tosses():
    genes = {"A": 2 * PEOPLE["AA"] + PEOPLE["Aa"]}
    genes["a"] = 200 - genes["A"]
    assert genes == {"A": 110, "a": 90}
    tosses = (
        stats.binom(200, 0.3).logpmf(110),
        stats.binom(200, 0.6).logpmf(110),
    )
    assert of_share(0.6) - of_share(0.3) == pytest.approx(
        tosses[1] - tosses[0]
    )


def test_the_free_law_is_hardly_better():
    law = genotypes(0.55)
    shown = ", ".join(f"{law[kind]:.4f}" for kind in PEOPLE)
    assert shown == "0.3025, 0.4950, 0.2025"
    free = sum(n * math.log(n / 100) for n in PEOPLE.values())
    assert f"{free - of_share(0.55):.3f}" == "0.005"


# --- Two scales -----------------------------------------------------------


@given(st.tuples(*[st.floats(-5, 5)] * 2), st.tuples(*[st.floats(0.1, 5)] * 2))
def test_weights_are_informations(x, sd):
    w = 1 / sd[0] ** 2, 1 / sd[1] ** 2
    found = optimize.minimize_scalar(
        lambda mu: (
            -sum(
                stats.norm(mu, s).logpdf(a) for a, s in zip(x, sd, strict=True)
            )
        )
    )
    best = (w[0] * x[0] + w[1] * x[1]) / (w[0] + w[1])
    assert found.x == pytest.approx(best, abs=1e-4)


def test_the_numbers_of_the_two_scales():
    readings, variances = (F("10.2"), F("10.8")), (F("0.01"), F("0.09"))
    weights = [1 / v for v in variances]
    assert weights[0] == 100
    assert weights[1] == F(100, 9)
    best = sum(w * x for w, x in zip(weights, readings, strict=True))
    best /= sum(weights)
    assert float(best) == 10.26
    error = 1 / math.sqrt(sum(weights))
    assert f"{error:.3f}" == "0.095"
    assert float(sum(readings) / 2) == 10.5
    plain = math.sqrt(sum(variances)) / 2
    assert f"{plain:.3f}" == "0.158"
    assert plain > 0.1


# --- No bias at any price -------------------------------------------------

COUNTS = range(60)


def under_poisson(value, rate):
    return sum(stats.poisson(rate).pmf(x) * value(x) for x in COUNTS)


@pytest.mark.parametrize("rate", [0.2, 1.0, 3.0])
def test_the_mean_of_the_plug_in(rate):
    mean = under_poisson(lambda x: math.exp(-x), rate)
    assert mean == pytest.approx(math.exp(-rate * (1 - 1 / math.e)))


def test_the_numbers_for_a_rate_of_one():
    truth = math.exp(-1)
    mean = under_poisson(lambda x: math.exp(-x), 1)
    assert f"{mean:.3f}" == "0.531"
    assert f"{truth:.3f}" == "0.368"
    assert f"{mean - truth:.3f}" == "0.164"
    unbiased = under_poisson(lambda x: ((x == 0) - truth) ** 2, 1)
    plug_in = under_poisson(lambda x: (math.exp(-x) - truth) ** 2, 1)
    assert f"{unbiased:.3f}" == "0.233"
    assert f"{plug_in:.3f}" == "0.165"


@pytest.mark.parametrize("rate", [0.2, 1.0, 3.0])
def test_the_unbiased_estimate(rate):
    mean = under_poisson(lambda x: x == 0, rate)
    assert mean == pytest.approx(math.exp(-rate))


# --- The nearest independent law ------------------------------------------

PAIRS = np.array([[40, 10], [20, 30]])


def test_no_product_is_likelier_than_that_of_the_marginals():
    p = PAIRS / PAIRS.sum()
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    best = np.sum(PAIRS * np.log(np.outer(rows, columns)))
    for a, b in product(np.arange(1, 40) / 40, repeat=2):
        law = np.outer([a, 1 - a], [b, 1 - b])
        assert np.sum(PAIRS * np.log(law)) <= best + 1e-9


def test_the_mutual_information():
    p = [[F(int(n), 100) for n in row] for row in PAIRS]
    rows = [sum(row) for row in p]
    columns = [sum(column) for column in zip(*p, strict=True)]
    assert rows == [F(1, 2)] * 2
    assert columns == [F(3, 5), F(2, 5)]
    products = [a * b for a in rows for b in columns]
    cells = [*p[0], *p[1]]
    ratios = [c / q for c, q in zip(cells, products, strict=True)]
    assert ratios == [F(4, 3), F(1, 2), F(2, 3), F(3, 2)]
    information = stats.entropy(
        [float(c) for c in cells], [float(q) for q in products]
    )
    assert f"{information:.3f}" == "0.086"
    assert f"{100 * information:.1f}" == "8.6"
    assert f"about {math.exp(100 * information):.2g}" == "about 5.6e+03"
