"""The solved problems of *Likelihood*, recomputed in other ways.

What is computed here has to stand in the text: a changed number there turns a
test red.
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from solved_problems import problems_of, tex

exercise, solution = problems_of("estimation/likelihood")

# --- Serial numbers -------------------------------------------------------

SEEN = [17, 42, 28, 5]


def of_tickets(m):
    """Likelihood of m tickets for the numbers seen."""
    if m < max(SEEN):
        return F(0)
    return F(1, m) ** len(SEEN)


def test_the_largest_number_is_the_estimate():
    assert ", ".join(map(str, SEEN)) in exercise("exr-serial-numbers")
    best = max(range(1, 500), key=of_tickets)
    assert rf"\hat{{M}} = {best}$" in solution("exr-serial-numbers")


def test_twice_as_many_tickets():
    text = solution("exr-serial-numbers")
    ratio = of_tickets(84) / of_tickets(42)
    assert (
        rf"\mathcal{{L}}(84)/\mathcal{{L}}(42) = 2^{{-4}} = {tex(ratio)}"
        in (text)
    )


def test_the_mean_of_the_largest_of_two():
    text = solution("exr-serial-numbers")
    draws = list(product(range(1, 11), repeat=2))
    law = {m: F(sum(max(d) == m for d in draws), 100) for m in range(1, 11)}
    assert all(p == F(2 * m - 1, 100) for m, p in law.items())
    mean = sum(m * p for m, p in law.items())
    assert rf"= {tex(mean)}$, or {float(mean)}." in text
    assert rf"here $-{tex(10 - mean)}$" in text
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
    text = solution("exr-genotypes")
    assert "30 are AA, 50 Aa and 20 aa" in exercise("exr-genotypes")
    found = optimize.minimize_scalar(
        lambda t: -of_share(t), bounds=(0.01, 0.99), method="bounded"
    )
    share = F(11, 20)
    assert found.x == pytest.approx(float(share), abs=1e-5)
    assert rf"\hat{{\theta}} = {tex(share)}$" in text
    information = 200 / (share * (1 - share))
    assert rf"= {tex(information)}$" in text
    step, t = 1e-4, float(share)
    bend = of_share(t + step) + of_share(t - step) - 2 * of_share(t)
    assert -bend / step**2 == pytest.approx(float(information), rel=1e-5)
    error = 1 / math.sqrt(information)
    assert rf"$1/\sqrt{{J}} = {error:.3f}$" in text


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
    text = solution("exr-genotypes")
    law = genotypes(0.55)
    shown = ", ".join(f"{law[kind]:.4f}" for kind in PEOPLE)
    assert f"({shown})" in text
    free = sum(n * math.log(n / 100) for n in PEOPLE.values())
    assert f"It is {free - of_share(0.55):.3f}," in text


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
    text = solution("exr-two-scales")
    readings, variances = (F("10.2"), F("10.8")), (F("0.01"), F("0.09"))
    weights = [1 / v for v in variances]
    assert f"weights are {tex(weights[0])} and ${tex(weights[1])}$" in text
    best = sum(w * x for w, x in zip(weights, readings, strict=True))
    best /= sum(weights)
    assert rf"\hat{{\mu}} = {float(best)}$" in text
    error = 1 / math.sqrt(sum(weights))
    assert rf"$1/\sqrt{{J}} = {error:.3f}$" in text
    assert f"plain mean is {float(sum(readings) / 2)};" in text
    plain = math.sqrt(sum(variances)) / 2
    assert f"= {plain:.3f}$, is larger" in text
    assert plain > 0.1
    assert f"weight ${tex(F(1, 9))}$" in text


# --- No bias at any price -------------------------------------------------

COUNTS = range(60)


def under_poisson(value, rate):
    return sum(stats.poisson(rate).pmf(x) * value(x) for x in COUNTS)


@pytest.mark.parametrize("rate", [0.2, 1.0, 3.0])
def test_the_mean_of_the_plug_in(rate):
    mean = under_poisson(lambda x: math.exp(-x), rate)
    assert mean == pytest.approx(math.exp(-rate * (1 - 1 / math.e)))


def test_the_numbers_for_a_rate_of_one():
    text = solution("exr-no-events")
    truth = math.exp(-1)
    mean = under_poisson(lambda x: math.exp(-x), 1)
    assert f"this is {mean:.3f} instead of {truth:.3f}" in text
    assert f"a bias of {mean - truth:.3f}" in text
    unbiased = under_poisson(lambda x: ((x == 0) - truth) ** 2, 1)
    plug_in = under_poisson(lambda x: (math.exp(-x) - truth) ** 2, 1)
    assert f"is {unbiased:.3f}, that of $e^{{-X}}$ only {plug_in:.3f}" in text


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
    text = solution("exr-nearest-independent")
    assert "40, 10 (first row) and 20, 30" in exercise(
        "exr-nearest-independent"
    )
    p = [[F(int(n), 100) for n in row] for row in PAIRS]
    rows = [sum(row) for row in p]
    columns = [sum(column) for column in zip(*p, strict=True)]
    for margin in (rows, columns):
        assert rf"\left({tex(margin[0])}, {tex(margin[1])}\right)" in text
    products = [a * b for a in rows for b in columns]
    assert ", ".join(map(tex, products)) in text
    cells = [*p[0], *p[1]]
    terms = " + ".join(
        rf"{float(c)} \log {tex(c / q)}"
        for c, q in zip(cells, products, strict=True)
    )
    information = stats.entropy(
        [float(c) for c in cells], [float(q) for q in products]
    )
    assert f"{terms} = {information:.3f}$ nats" in text
    assert f"= {100 * information:.1f}$" in text
    assert f"about {math.exp(100 * information):.2g}" == "about 5.6e+03"
    assert "about 5600" in text
