"""The solved problems of *The Dirichlet-multinomial model*, recomputed.

By quadrature, by simulation, and with exact fractions over all draws. That
they stand in the solutions is proved by the notebook's own checks, beside the
text.
"""

from fractions import Fraction as F
from itertools import product
from math import gamma, lgamma, log, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats


def rising(a, n):
    return prod((a + i for i in range(n)), start=F(1))


def evidence(alpha, counts):
    """Give the probability of a sequence with these counts, exactly."""
    each = [rising(F(a), n) for a, n in zip(alpha, counts, strict=True)]
    return prod(each) / rising(F(sum(alpha)), sum(counts))


# --- Shares of gamma variables --------------------------------------------


@pytest.mark.parametrize(("a", "b"), [(2.0, 3.5), (0.7, 1.2), (4.0, 1.0)])
def test_eulers_formula(a, b):
    def power(u):
        return u ** (a - 1) * (1 - u) ** (b - 1)

    whole, _ = integrate.quad(power, 0, 1)
    assert whole == pytest.approx(gamma(a) * gamma(b) / gamma(a + b))


@pytest.mark.parametrize(("r", "u"), [(1.5, 0.3), (4.0, 0.8), (0.5, 0.5)])
def test_sum_and_share_have_the_density_of_the_solution(r, u):
    a, b, step = 2.0, 3.5, 1e-3

    def given_first(g):
        """P[r - step < sum < r + step, u - step < share < u + step | g]."""
        low = max(r - step - g, g / (u + step) - g)
        high = min(r + step - g, g / (u - step) - g)
        law = stats.gamma(b)
        return max(law.cdf(high) - law.cdf(low), 0) * stats.gamma(a).pdf(g)

    ends = [(r + i * step) * (u + j * step) for i in (-1, 1) for j in (-1, 1)]
    box, _ = integrate.quad(
        given_first, min(ends), max(ends), points=sorted(ends)[1:3]
    )
    formula = (
        r ** (a + b - 1)
        * np.exp(-r)
        * u ** (a - 1)
        * (1 - u) ** (b - 1)
        / (gamma(a) * gamma(b))
    )
    assert box / (2 * step) ** 2 == pytest.approx(formula, rel=1e-4)


def test_shares_of_gamma_variables_are_dirichlet():
    alpha = np.array([3.0, 0.5, 2.0])
    g = np.random.default_rng(1).gamma(alpha, size=(200_000, 3))
    shares = g / g.sum(axis=1, keepdims=True)
    law = stats.dirichlet(alpha)
    assert shares.mean(axis=0) == pytest.approx(law.mean(), abs=2e-3)
    assert np.cov(shares.T) == pytest.approx(law.cov(), abs=1e-3)
    for k in range(3):
        beta = stats.beta(alpha[k], alpha.sum() - alpha[k])
        assert stats.kstest(shares[:, k], beta.cdf).statistic < 0.004


# --- Two draws alike ------------------------------------------------------


@given(st.lists(st.fractions(F(1, 10), 5), min_size=2, max_size=5))
def test_two_draws_alike(alpha):
    K, whole = len(alpha), sum(alpha)
    alike = sum(
        evidence(alpha, [2 * (j == k) for j in range(K)]) for k in range(K)
    )
    squares = sum((a / whole) ** 2 for a in alpha)
    assert alike == (1 + whole * squares) / (1 + whole)


def test_two_draws_alike_in_a_language():
    K = 10_000

    def alike(alpha):
        return (1 + alpha) / (1 + K * alpha)

    (found,) = (F(1, n) for n in range(1, 1000) if alike(F(1, n)) == F(1, 100))
    assert found == F(1, 100)
    assert K * found == 100
    assert alike(F(1)) == F(2, 10001)
    assert round(1 / alike(F(1)), -3) == 5000


# --- New words for ever ---------------------------------------------------


def test_new_words_are_rarer_and_rarer():
    c, N, K = F(3, 2), 5, 10**7
    # The law of the number of different ones, draw after draw.
    law, expected = {0: F(1)}, F(0)
    for n in range(N):
        following = dict.fromkeys(range(n + 2), F(0))
        for d, p in law.items():
            new = c * (K - d) / K / (c + n)
            assert abs(new - c / (c + n)) < F(1, 10**5)
            expected += p * new
            following[d + 1] += p * new
            following[d] += p * (1 - new)
        law = following
    assert expected == sum(d * p for d, p in law.items())
    limit = sum(c / (c + n) for n in range(N))
    assert abs(expected - limit) < F(1, 10**5)
    four = sum(F(1, 1 + n) for n in range(4))
    assert four == F(25, 12)


def test_the_number_of_new_words_grows_like_a_logarithm():
    for c in (0.5, 1, 7):
        N = 10**6
        total = (c / (c + np.arange(N))).sum()
        assert total / (c * log(N)) == pytest.approx(1, abs=0.2)


def test_with_fixed_alpha_every_draw_is_new_in_the_limit():
    for alpha in (F(1, 10), F(3)):
        # K (K - 1) ... sequences of five different ones, all as probable.
        shares = [
            prod(range(K - 4, K + 1))
            * evidence([alpha] * K, [1] * 5 + [0] * (K - 5))
            for K in (10, 1000, 20_000)
        ]
        assert shares == sorted(shares)
        assert shares[-1] > F(99, 100)


# --- Two kinds of opponents -----------------------------------------------


def test_two_kinds_of_opponents():
    kinds = {"flat": (1, 1, 1), "rocky": (4, 1, 1)}
    seen = {k: evidence(alpha, [2, 1, 0]) for k, alpha in kinds.items()}
    assert seen["flat"] == F(1, 30)
    assert seen["rocky"] == F(5, 84)
    odds = seen["rocky"] / seen["flat"]
    assert odds == F(25, 14)
    chance = odds / (1 + odds)
    assert chance == F(25, 39)
    longer = {k: evidence(alpha, [3, 1, 0]) for k, alpha in kinds.items()}
    rock = {k: longer[k] / seen[k] for k in kinds}
    assert rock["flat"] == F(1, 2)
    assert rock["rocky"] == F(2, 3)
    # Without the posteriors: the share of the sequences that go on with rock.
    following = sum(longer.values()) / sum(seen.values())
    assert following == F(71, 117)
    assert following == (1 - chance) * rock["flat"] + chance * rock["rocky"]


# --- What the evidence can say about alpha --------------------------------


def log_evidence(alpha, counts):
    K, N = len(counts), sum(counts)
    return (
        lgamma(K * alpha)
        - lgamma(K * alpha + N)
        + sum(lgamma(alpha + n) - lgamma(alpha) for n in counts)
    )


def test_two_draws_say_infinity_or_zero():
    grid = [F(10) ** e for e in range(-6, 7)]
    equal = [evidence([a, a], [2, 0]) for a in grid]
    differ = [evidence([a, a], [1, 1]) for a in grid]
    for a, e, d in zip(grid, equal, differ, strict=True):
        assert e == F(1, 2) * (a + 1) / (2 * a + 1)
        assert d == F(1, 2) * a / (2 * a + 1)
    assert equal == sorted(equal, reverse=True)
    assert differ == sorted(differ)
    assert abs(equal[0] - F(1, 2)) < 1e-5 > abs(equal[-1] - F(1, 4))
    assert differ[0] < 1e-5 > abs(differ[-1] - F(1, 4))


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6))
def test_the_evidence_for_large_alpha(counts):
    K, N, alpha = len(counts), sum(counts), 1e4
    bracket = sum(n * (n - 1) for n in counts) - N * (N - 1) / K
    expansion = -N * log(K) + bracket / (2 * alpha)
    exact = log_evidence(alpha, counts)
    assert abs(exact - expansion) < 10 * (N + 1) ** 3 / alpha**2 + 1e-8


def test_pairs_of_draws_decide():
    for counts, sign in [((4, 1), 1), ((3, 3), -1)]:
        N = sum(counts)
        alike = sum(
            i != j and (i < counts[0]) == (j < counts[0])
            for i, j in product(range(N), repeat=2)
        )
        bracket = alike - F(N * (N - 1), 2)
        assert bracket * sign > 0
        finite = max(log_evidence(a, counts) for a in np.geomspace(0.01, 99))
        assert (finite > -N * log(2)) == (sign > 0)
