"""The solved problems of *Risk*, recomputed.

Laws are dictionaries from values to fractions here. That the numbers stand in
the solutions is proved by the notebook's own checks, beside the text.
"""

from fractions import Fraction as F
from itertools import product
from math import exp, isclose, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, stats


def mean(law, of):
    return sum(p * of(y) for y, p in law.items())


def variance(law):
    m = mean(law, lambda y: y)
    return mean(law, lambda y: (y - m) ** 2)


@st.composite
def laws(draw):
    values = draw(st.sets(st.integers(-5, 9), min_size=1, max_size=6))
    weights = [draw(st.integers(1, 6)) for _ in values]
    total = sum(weights)
    return {y: F(w, total) for y, w in zip(values, weights, strict=True)}


# --- How many newspapers --------------------------------------------------


def kiosk(y, c, a, b):
    return a * (c - y) if c >= y else b * (y - c)


costs = st.integers(1, 5)


@given(laws(), costs, costs)
def test_the_order_that_costs_least_is_a_quantile(law, a, b):
    orders = [F(i, 2) for i in range(-14, 24)]
    risks = {c: mean(law, lambda y, c=c: kiosk(y, c, a, b)) for c in orders}
    least = min(risks.values())
    for c, risk in risks.items():
        below = sum(p for y, p in law.items() if y <= c)
        above = sum(p for y, p in law.items() if y >= c)
        enough = below >= F(b, a + b) and above >= F(a, a + b)
        assert enough == (risk == least)


def test_the_numbers_of_the_kiosk():
    law = dict.fromkeys(range(10, 15), F(1, 5))
    risks = {c: mean(law, lambda y, c=c: kiosk(y, c, 1, 3)) for c in law}
    best = min(risks, key=risks.get)
    losses = [kiosk(y, best, 1, 3) for y in law]
    assert losses == [3, 2, 1, 0, 3]
    assert best == 13
    assert risks[best] == F(9, 5)
    assert risks[12] == F(12, 5)
    assert mean(law, lambda y: y) == 12
    shares = [sum(p for y, p in law.items() if y <= c) for c in (12, 13)]
    assert shares == [F(3, 5), F(4, 5)]
    above = sum(p for y, p in law.items() if y >= 13)
    assert above == F(2, 5)


# --- Is there a likelihood behind 0-1 loss? -------------------------------


@pytest.mark.parametrize("k", [2, 3, 10])
@pytest.mark.parametrize("eps", [0.01, 0.2, 0.45, 0.6, 0.85, 0.95])
def test_noisy_labels_make_a_likelihood_of_mistakes(k, eps):
    hit, miss = -log(1 - eps), -log(eps / (k - 1))
    b = log((k - 1) * (1 - eps) / eps)
    assert isclose(miss - hit, b)
    assert (b > 0) == (eps < (k - 1) / k)


@pytest.mark.parametrize(("k", "wrong"), [(2, 7), (3, 20), (5, 31)])
def test_the_share_of_mistakes_is_the_estimated_noise(k, wrong):
    n = 50

    def loss(eps):
        return -(n - wrong) * log(1 - eps) - wrong * log(eps / (k - 1))

    best = optimize.minimize_scalar(
        loss, bounds=(1e-9, 1 - 1e-9), method="bounded"
    )
    assert best.x == pytest.approx(wrong / n, abs=1e-4)


def test_the_price_of_a_mistake_with_one_in_five_wrong():
    hit, miss = 1 - F(1, 5), F(1, 5)
    assert hit / miss == 4


# --- How optimistic exactly -----------------------------------------------


def average(values):
    values = list(values)
    return sum(values, F(0)) / len(values)


def training(sample):
    m = F(sum(sample), len(sample))
    return average((y - m) ** 2 for y in sample)


@pytest.mark.parametrize("faces", [range(1, 7), (0, 1, 5)])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_training_and_expected_risk_of_a_mean(faces, n):
    s2 = variance({y: F(1, len(faces)) for y in faces})
    samples = list(product(faces, repeat=n))
    assert average(map(training, samples)) == s2 * (1 - F(1, n))
    new = average(
        (y - F(sum(sample), n)) ** 2 for sample in samples for y in faces
    )
    assert new == s2 * (1 + F(1, n))


def test_the_three_numbers_of_two_throws():
    s2 = variance(dict.fromkeys(range(1, 7), F(1, 6)))
    three = s2 / 2, s2, s2 * 3 / 2
    assert three == (F(35, 24), F(35, 12), F(35, 8))
    assert three[0] / three[2] == F(1, 3)


# --- The Brier score taken apart ------------------------------------------

SKY = {"clear": F(3, 5), "cloudy": F(2, 5)}
RAIN = {"clear": F(1, 6), "cloudy": F(3, 4)}


def brier(sky, rain, q):
    """Add up all four kinds of days."""
    return sum(
        p * (rain[x] if y else 1 - rain[x]) * (y - q[x]) ** 2
        for x, p in sky.items()
        for y in (0, 1)
    )


def spread(sky, rain):
    m = sum(p * rain[x] for x, p in sky.items())
    return sum(p * (rain[x] - m) ** 2 for x, p in sky.items())


share = st.fractions(0, 1, max_denominator=20)


@given(share, share, share, share, share)
def test_the_brier_score_is_a_sum_of_two_parts(w, p, r, q, s):
    sky, rain = {0: w, 1: 1 - w}, {0: p, 1: r}
    forecast = {0: q, 1: s}
    honest = sum(v * rain[x] * (1 - rain[x]) for x, v in sky.items())
    off = sum(v * (forecast[x] - rain[x]) ** 2 for x, v in sky.items())
    assert brier(sky, rain, forecast) == honest + off
    wet = sum(v * rain[x] for x, v in sky.items())
    constant = brier(sky, rain, dict.fromkeys(sky, wet))
    assert constant - brier(sky, rain, rain) == spread(sky, rain)


def test_the_scores_of_the_twenty_days():
    counts = {"clear": (10, 2), "cloudy": (2, 6)}
    for x, (dry, wet) in counts.items():
        assert SKY[x] == F(dry + wet, 20)
        assert RAIN[x] == F(wet, dry + wet)
    a = {"clear": F(3, 5), "cloudy": F(2, 5)}
    of_b, of_a = brier(SKY, RAIN, RAIN), brier(SKY, RAIN, a)
    wet = sum(SKY[x] * RAIN[x] for x in SKY)
    constant = brier(SKY, RAIN, dict.fromkeys(SKY, wet))
    assert of_b == F(19, 120)
    assert of_a == F(8, 25)
    assert constant == F(6, 25)
    assert wet == F(2, 5)
    assert of_a > constant > of_b
    terms = [SKY[x] * (a[x] - RAIN[x]) ** 2 for x in SKY]
    assert terms == [F(3, 5) * F(169, 900), F(2, 5) * F(49, 400)]
    assert sum(terms) == F(485, 3000) == F(97, 600) == of_a - of_b
    honest = [SKY[x] * RAIN[x] * (1 - RAIN[x]) for x in SKY]
    assert honest == [F(3, 5) * F(5, 36), F(2, 5) * F(3, 16)]
    gain = constant - of_b
    assert gain == F(49, 600)


# --- Whose density is it? -------------------------------------------------


def f(y):
    return y * np.exp(-y)


def g(u):
    return np.exp(u) * f(np.exp(u))


def test_the_density_of_a_logarithm():
    for low, high in [(-2.0, 0.0), (0.3, 1.2)]:
        in_u = integrate.quad(g, low, high)[0]
        in_y = integrate.quad(f, exp(low), exp(high))[0]
        assert in_u == pytest.approx(in_y)


def test_the_two_modes():
    y = optimize.minimize_scalar(lambda y: -f(y), bounds=(0, 5)).x
    u = optimize.minimize_scalar(lambda u: -g(u), bounds=(-3, 3)).x
    assert y == pytest.approx(1, abs=1e-4)
    assert exp(u) == pytest.approx(2, abs=1e-4)
    assert f(1) > f(2)
    assert g(log(1)) < g(log(2))


def test_what_a_change_of_the_unit_leaves_alone():
    rng = np.random.default_rng(5)
    y = rng.gamma(2.0, size=40)
    u = np.log(y)
    one, other = stats.gamma(2), stats.expon(scale=2)
    before = [m.logpdf(y).sum() for m in (one, other)]
    after = [(u + m.logpdf(y)).sum() for m in (one, other)]
    assert np.subtract(*before) == pytest.approx(np.subtract(*after))
    assert np.subtract(after, before) == pytest.approx([u.sum()] * 2)
    # As classes with equal priors, the two have the same posterior for each.
    shares = one.pdf(y) / (one.pdf(y) + other.pdf(y))
    moved = [np.exp(u) * m.pdf(y) for m in (one, other)]
    assert moved[0] / sum(moved) == pytest.approx(shares)
