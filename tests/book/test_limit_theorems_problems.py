"""The solved problems of *Limit theorems*, recomputed.

Laws are dictionaries from values to fractions, added up case by case. That
they stand in the solutions is proved by the notebook's own checks, beside the
text.
"""

import math
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

# --- Laws -----------------------------------------------------------------


def mean(law, value=lambda x: x):
    return sum(p * value(x) for x, p in law.items())


def variance(law):
    mu = mean(law)
    return mean(law, lambda x: (x - mu) ** 2)


def probability(law, event):
    return sum((p for x, p in law.items() if event(x)), F(0))


def share_of_heads(n, p=F(1, 2)):
    return {
        F(k, n): math.comb(n, k) * p**k * (1 - p) ** (n - k)
        for k in range(n + 1)
    }


positive = st.fractions(F(1, 20), 20, max_denominator=20)
laws = st.dictionaries(
    st.integers(-6, 6), st.integers(1, 9), min_size=2, max_size=5
).map(lambda w: {x: F(n, sum(w.values())) for x, n in w.items()})


# --- One side only --------------------------------------------------------


@given(laws, positive, st.fractions(0, 20, max_denominator=20))
def test_one_side_is_bounded_for_every_shift(law, a, c):
    mu, v = mean(law), variance(law)
    tail = probability(law, lambda x: x - mu >= a)
    best = v / (v + a**2)
    assert tail <= best <= (v + c**2) / (a + c) ** 2
    at_best = v / a
    assert (v + at_best**2) / (a + at_best) ** 2 == best


@given(positive, positive)
def test_the_law_that_attains_the_bound_of_one_side(v, a):
    """With the mean 0; the text has it at any mean."""
    weight = v / (v + a**2)
    law = {-v / a: 1 - weight, a: weight}
    assert mean(law) == 0
    assert variance(law) == v
    assert probability(law, lambda x: x >= a) == weight


def test_the_marks():
    law = {F(140, 3): F(9, 10), F(80): F(1, 10)}
    assert (mean(law), variance(law)) == (50, 10**2)
    bound = F(10**2, 10**2 + 30**2)
    assert bound == law[80] == F(1, 10)


# --- Heads minus tails ----------------------------------------------------


def differences(n):
    """Give the law of heads minus tails by going through all tosses."""
    law = {}
    for row in product((-1, 1), repeat=n):
        law[sum(row)] = law.get(sum(row), 0) + F(1, 2**n)
    return law


def test_ties_become_rare_and_differences_grow():
    ties = [differences(2 * m)[0] for m in range(1, 7)]
    sizes = [mean(differences(2 * m), abs) for m in range(1, 7)]
    for m, (tie, size) in enumerate(zip(ties, sizes, strict=True), start=1):
        assert size == 2 * m * F(math.comb(2 * m, m), 4**m) == 2 * m * tie
    for m in range(1, 6):
        assert ties[m] / ties[m - 1] == F(2 * m + 1, 2 * m + 2)
        assert sizes[m] - sizes[m - 1] == ties[m - 1]
    assert ties[:3] == [F(1, 2), F(3, 8), F(5, 16)]


def test_two_more_tosses_after_a_difference_or_a_tie():
    steps = {2: F(1, 4), 0: F(1, 2), -2: F(1, 4)}
    for before in (-6, -2, 0, 2, 4):
        after = mean(steps, lambda x, d=before: abs(d + x)) - abs(before)
        assert after == (before == 0)


def test_the_root():
    for m in (10, 1000, 10**6):
        log_size = (
            math.log(2 * m)
            + math.lgamma(2 * m + 1)
            - 2 * math.lgamma(m + 1)
            - 2 * m * math.log(2)
        )
        about = math.sqrt(2 * (2 * m) / math.pi)
        assert math.exp(log_size) == pytest.approx(about, rel=0.2 / m)
        tie = math.exp(log_size) / (2 * m)
        assert tie == pytest.approx(1 / math.sqrt(math.pi * m), rel=0.2 / m)


# --- A common cause does not average out ----------------------------------


@pytest.mark.parametrize("n", [2, 3, 5, 50])
def test_the_variance_of_a_mean_of_correlated_variables(n):
    r, sigma = 0.25, 1.5
    covariance = sigma**2 * (r + (1 - r) * np.eye(n))
    weights = np.full(n, 1 / n)
    found = weights @ covariance @ weights
    assert found == pytest.approx(sigma**2 / n + (n - 1) / n * r * sigma**2)
    lowest = np.linalg.eigvalsh(np.eye(n) - (1 - np.eye(n)) / (n - 1)).min()
    assert lowest == pytest.approx(0, abs=1e-9)
    below = np.eye(n) - 1.01 * (1 - np.eye(n)) / (n - 1)
    assert np.linalg.eigvalsh(below).min() < -1e-3


def test_the_two_urns():
    urns = [F(30, 50), F(20, 50)]
    white = sum(urns) / 2
    both = sum(u**2 for u in urns) / 2
    sigma2, covariance = white * (1 - white), both - white**2
    assert sigma2 == F(1, 4)
    assert both == F(13, 50)
    assert covariance == F(1, 100)
    assert covariance / sigma2 == F(1, 25)
    limits = {u: F(1, 2) for u in urns}
    assert variance(limits) == covariance == F(1, 10) ** 2
    assert urns[0] == F(3, 5)
    assert urns[1] == F(2, 5)


# --- Hoeffding's lemma and inequality -------------------------------------

exponents = st.floats(-8, 8)


@given(laws, exponents)
def test_hoeffdings_lemma(law, t):
    """Each bound of the solution, for distributions with the mean 0."""
    mu = float(mean(law))
    a, b = min(law) - mu, max(law) - mu
    u, q = t * (b - a), -a / (b - a)
    generating = sum(float(p) * math.exp(t * (x - mu)) for x, p in law.items())
    chord = (1 - q) * math.exp(t * a) + q * math.exp(t * b)
    L = -q * u + math.log(1 - q + q * math.exp(u))
    assert generating <= chord * (1 + 1e-9)
    assert math.log(chord) == pytest.approx(L, rel=1e-9, abs=1e-9)
    assert t**2 * (b - a) ** 2 / 8 + 1e-9 >= L


@given(st.floats(0.01, 0.99), st.floats(-5, 5))
def test_the_second_derivative_of_the_exponent(q, u):
    def exponent(u):
        return -q * u + math.log(1 - q + q * math.exp(u))

    w = q * math.exp(u) / (1 - q + q * math.exp(u))
    step = 1e-3
    first = (exponent(u + step) - exponent(u - step)) / (2 * step)
    ends = exponent(u + step) + exponent(u - step)
    second = (ends - 2 * exponent(u)) / step**2
    assert first == pytest.approx(w - q, abs=1e-6)
    assert second == pytest.approx(w * (1 - w), abs=1e-6)
    assert w * (1 - w) <= 1 / 4


@given(st.floats(0.05, 2), st.floats(0.5, 3), st.integers(1, 9))
def test_the_best_exponent(epsilon, width, n):
    def exponent(t):
        return -t * n * epsilon + n * t**2 * width**2 / 8

    best = 4 * epsilon / width**2
    lowest = -2 * n * epsilon**2 / width**2
    assert exponent(best) == pytest.approx(lowest)
    assert exponent(best) < min(exponent(0.9 * best), exponent(1.1 * best))


# --- Le Cam's bound -------------------------------------------------------


def total_variation(p, q):
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


@pytest.mark.parametrize("p", [0.001, 0.1, 0.5, 0.9, 1.0])
def test_one_trial_and_one_poisson_variable(p):
    poisson = [math.exp(-p) * p**k / math.factorial(k) for k in range(30)]
    trial = [1 - p, p, *[0] * 28]
    found = total_variation(trial, poisson)
    assert found == pytest.approx(p * (1 - math.exp(-p)))
    assert found <= p**2


@given(st.lists(st.integers(0, 9), min_size=9, max_size=9).filter(any))
def test_total_variation_is_at_most_the_probability_of_differing(weights):
    joint = {
        pair: F(w, sum(weights))
        for pair, w in zip(product(range(3), repeat=2), weights, strict=True)
    }
    first = [probability(joint, lambda xy, k=k: xy[0] == k) for k in range(3)]
    second = [probability(joint, lambda xy, k=k: xy[1] == k) for k in range(3)]
    distance = total_variation(first, second)
    assert distance <= probability(joint, lambda xy: xy[0] != xy[1])
    largest = max(
        sum(first[k] - second[k] for k in range(3) if chosen[k])
        for chosen in product((0, 1), repeat=3)
    )
    assert largest == distance
    # The fact of (c): as much as possible on the diagonal leaves this.
    assert 1 - sum(map(min, first, second)) == distance


def test_how_good_the_bound_is():
    n, p = 1000, F(1, 500)
    k = np.arange(60)
    found = total_variation(
        stats.binom.pmf(k, n, float(p)), stats.poisson.pmf(k, float(n * p))
    )
    assert n * p**2 == F(1, 250)
    assert float(n * p**2) == 0.004
    assert f"{found:.5f}" == "0.00045"
    assert round(float(n * p**2) / found) == 9


# --- Where the slope is zero ----------------------------------------------


def test_the_slope():
    p = F(1, 5)
    limit = (1 - 2 * p) ** 2 * p * (1 - p)
    assert limit == F(36, 625)
    n = 4_000
    k = np.arange(n + 1)
    errors = k / n * (1 - k / n) - float(p * (1 - p))
    spread = math.sqrt(stats.binom.pmf(k, n, float(p)) @ errors**2)
    assert spread == pytest.approx(math.sqrt(limit / n), rel=0.01)


@pytest.mark.parametrize("p", [F(1, 2), F(1, 5), F(7, 9)])
@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_the_bias(n, p):
    law = share_of_heads(n, p)
    expected = mean(law, lambda x: x * (1 - x))
    assert expected == F(n - 1, n) * p * (1 - p)
    for x in law:
        assert F(1, 4) - x * (1 - x) == (x - F(1, 2)) ** 2


def test_the_limit_for_a_fair_coin_is_chi_squared():
    n = 40_000
    k = np.arange(n + 1)
    q = stats.binom.pmf(k, n, 0.5)
    statistic = 4 * n * (0.25 - k / n * (1 - k / n))
    for x in (0.1, 1, 4):
        found = q[statistic <= x].sum()
        assert found == pytest.approx(stats.chi2.cdf(x, 1), abs=0.01)
    # Bias 1/4n, standard deviation about root two over 4n.
    assert q @ statistic == pytest.approx(1)
    spread = math.sqrt(q @ (statistic - 1) ** 2)
    assert spread == pytest.approx(math.sqrt(2), rel=1e-3)
