"""The solved problems of *The beta-binomial model*, recomputed.

By exact fractions over sequences, by quadrature, by simulation and by linear
programming. That the numbers stand in the solutions is proved by the
notebook's own checks, beside the text.
"""

from fractions import Fraction as F
from itertools import product
from math import comb, exp, pi, sqrt

import numpy as np
import pytest
from scipy import integrate, optimize, stats


def predicted(sequence, a, b):
    """Probability of a sequence: one posterior mean after the other."""
    p = F(1)
    for x in sequence:
        p *= F(a if x else b, a + b)
        a, b = a + x, b + 1 - x
    return p


def count_law(M, a, b):
    """Enumerate all sequences of M trials."""
    law = dict.fromkeys(range(M + 1), F(0))
    for sequence in product([0, 1], repeat=M):
        law[sum(sequence)] += predicted(sequence, a, b)
    return law


def variance(law):
    mean = sum(x * p for x, p in law.items())
    return sum((x - mean) ** 2 * p for x, p in law.items())


# --- A stopping rule ------------------------------------------------------


def test_stopping_rules():
    assert comb(20, 3) == 1140
    assert comb(19, 2) == 171
    theta = np.linspace(0.05, 0.95, 7)
    by_number = stats.binom(20, theta).pmf(3)
    by_third = stats.nbinom(3, theta).pmf(17)
    ratio = F(comb(20, 3), comb(19, 2))
    assert np.allclose(by_number / by_third, float(ratio))
    assert ratio == F(20, 3)


def test_the_posterior_of_the_third_seed():
    def joint(t):
        return stats.nbinom(3, t).pmf(17) * stats.beta(2, 2).pdf(t)

    whole, _ = integrate.quad(joint, 0, 1)
    for t in (0.1, 0.2, 0.5):
        assert joint(t) / whole == pytest.approx(stats.beta(5, 19).pdf(t))


# --- What has lasted ------------------------------------------------------


@pytest.mark.parametrize("N", [1, 5, 40])
def test_what_has_lasted(N):
    for M in (1, 3, N + 1, 9 * (N + 1)):
        found = predicted([1] * (N + M), 1, 1) / predicted([1] * N, 1, 1)
        assert found == F(N + 1, N + M + 1)
    assert found == F(1, 10)
    even = predicted([1] * (2 * N + 1), 1, 1) / predicted([1] * N, 1, 1)
    assert even == F(1, 2)


def test_the_plug_in_forgets_how_long_it_may_last():
    N = 10**7
    plugged = [(1 - 1 / (N + 2)) ** (times * (N + 1)) for times in (1, 9)]
    assert plugged == pytest.approx([exp(-1), exp(-9)], rel=1e-5)
    assert f"{plugged[0]:.3f}" == "0.368"
    assert f"{plugged[1]:.4f}" == "0.0001"


def test_the_plug_in_underrates_a_long_run():
    """The chance falls like 1/M, and that of the plug-in exponentially."""
    N = 10
    long, longer = 10**4, 10**5
    averaged = [F(N + 1, N + M + 1) for M in (long, longer)]
    assert float(averaged[0] / averaged[1]) == pytest.approx(10, rel=0.01)
    plugged = F(N + 1, N + 2)
    for M in (2, 5, 100):
        assert F(N + 1, N + M + 1) > plugged**M


# --- Every number is equally likely ---------------------------------------


@pytest.mark.parametrize("M", [1, 2, 5, 9])
def test_every_number_is_equally_likely(M):
    assert set(count_law(M, 1, 1).values()) == {F(1, M + 1)}


def test_ranks_of_points():
    points = np.random.default_rng(8).random((60_000, 5))
    left = (points[:, 1:] < points[:, :1]).sum(axis=1)
    shares = np.bincount(left, minlength=5) / len(points)
    assert np.allclose(shares, 1 / 5, atol=0.01)


def test_only_the_flat_prior_does_it():
    grid = [F(i, 6) for i in range(1, 31)]
    for a, b in product(grid, grid):
        s = a + b
        law = [b * (b + 1), 2 * a * b, a * (a + 1)]
        law = [p / (s * (s + 1)) for p in law]
        assert sum(law) == 1
        assert (law[0] == law[1] == law[2]) == (a == b == 1)


# --- Two opinions in one prior --------------------------------------------


def test_two_opinions():

    def moment(k):
        """E[theta^k] of the mixture, from sequences of successes."""
        return (predicted([1] * k, 2, 6) + predicted([1] * k, 6, 2)) / 2

    after_one, after_two = moment(2) / moment(1), moment(3) / moment(2)
    assert after_one == F(2, 3)
    assert after_two == F(3, 4)
    for n, expected in [(1, F(1, 4)), (2, F(1, 8))]:
        poor = predicted([1] * n, 2, 6)
        weight = poor / (poor + predicted([1] * n, 6, 2))
        assert weight == expected
    single = predicted([1, 1], 2, 2) / predicted([1], 2, 2)
    assert moment(1) == predicted([1], 2, 2) == F(1, 2)
    assert single == F(3, 5)
    second = predicted([1, 1], 2, 2)
    assert moment(2) == F(1, 3)
    assert second == F(3, 10)


def test_the_mixture_is_the_posterior():
    def joint(t):
        prior = stats.beta(2, 6).pdf(t) + stats.beta(6, 2).pdf(t)
        return t**2 * prior / 2

    whole, _ = integrate.quad(joint, 0, 1)
    for t in (0.2, 0.5, 0.8):
        parts = stats.beta(4, 6).pdf(t) / 8 + 7 * stats.beta(8, 2).pdf(t) / 8
        assert joint(t) / whole == pytest.approx(parts)


# --- Which packet, exactly? ------------------------------------------------


def larger(a, b, c, d):
    """Integrate the density of the second rate where the first is larger."""
    first, second = stats.beta(a, b), stats.beta(c, d)
    return integrate.quad(lambda t: second.pdf(t) * first.sf(t), 0, 1)[0]


def at_least(k, M, a, b):
    return sum(p for n, p in count_law(M, a, b).items() if n >= k)


@pytest.mark.parametrize(("a", "b"), [(2, 5), (4, 1)])
@pytest.mark.parametrize(("c", "d"), [(3, 2), (1, 4), (2, 2), (5, 3)])
def test_the_larger_rate_is_a_number_of_trials(a, b, c, d):
    found = at_least(c, c + d - 1, a, b)
    assert float(found) == pytest.approx(larger(a, b, c, d))


def test_the_place_of_a_point():
    points = np.sort(np.random.default_rng(3).random((40_000, 5)))
    third = stats.kstest(points[:, 2], stats.beta(3, 3).cdf)
    assert third.pvalue > 0.01


def test_the_two_packets():
    of_a = at_least(4, 4, 19, 3)
    assert of_a == F(133, 230)
    assert float(of_a) == pytest.approx(larger(19, 3, 4, 1))
    assert float(1 - of_a) == pytest.approx(larger(4, 1, 19, 3))
    assert 1 - of_a == F(97, 230)
    for k in (19, 20, 21):
        top = 4 * (k + 1) * (k + 2) * (k + 3)
        p = stats.betabinom(21, 4, 1).pmf(k)
        assert p == pytest.approx(top / (22 * 23 * 24 * 25))


# --- Chance and ignorance -------------------------------------------------


@pytest.mark.parametrize(("a", "b", "M"), [(5, 19, 6), (1, 2, 9), (3, 3, 7)])
def test_chance_and_ignorance(a, b, M):
    sigma, mean = a + b, F(a, a + b)
    v = mean * (1 - mean) / (sigma + 1)
    total = variance(count_law(M, a, b))
    assert total == M * v * (sigma + M)
    together = predicted([1, 1], a, b)
    correlation = (together - mean**2) / (mean * (1 - mean))
    assert correlation == F(1, sigma + 1)
    trials = M * (sigma + 1) * v
    assert total == trials + M * (M - 1) * (together - mean**2)


def test_half_and_half():
    after = stats.betabinom(24, 5, 19)
    found = F(after.var() / 24**2).limit_denominator(10_000)
    assert found == 2 * F(19, 2880) == F(19, 1440)


# --- How much a fair coin can win -----------------------------------------


def for_the_fair_coin(heads, tails):
    flat = predicted([1] * heads + [0] * tails, 1, 1)
    return F(1, 2) ** (heads + tails) / flat


def test_how_much_a_fair_coin_can_win():
    for n in (1, 2, 5):
        factor = for_the_fair_coin(n, n)
        assert factor == F((2 * n + 1) * comb(2 * n, n), 4**n)
    assert comb(10, 5) == 252
    assert f"{float(for_the_fair_coin(5, 5)):.2f}" == "2.71"


def test_how_the_factor_grows():
    large = [float(for_the_fair_coin(n, n)) for n in (400, 1600)]
    assert large[1] / large[0] == pytest.approx(2, rel=0.01)
    assert large[1] == pytest.approx(2 * sqrt(1600 / pi), rel=0.01)
    for n in (1, 4, 10):
        assert for_the_fair_coin(n, 0) == F(n + 1, 2**n)


def test_near_rates_predict_nearly_as_well():
    for N in (100, 10**4):
        near, far = (
            stats.binom(N, 0.5 + d / sqrt(N)).pmf(N // 2) for d in (0.5, 2)
        )
        fair = stats.binom(N, 0.5).pmf(N // 2)
        assert near / fair == pytest.approx(0.6, abs=0.01)
        assert far / fair < 0.001


# --- A bound on opinions --------------------------------------------------


def extreme_means(q, low, high):
    """Give the least and the largest mean, by linear programming."""
    points = np.linspace(0, 1, 1001)
    inside = (points >= low) & (points <= high)
    conditions = np.array([np.ones(1001), inside])
    found = [
        optimize.linprog(sign * points, A_eq=conditions, b_eq=[1, q]).fun
        for sign in (1, -1)
    ]
    return found[0], -found[1]


@pytest.mark.parametrize(
    ("m", "q", "low", "high", "possible"),
    [
        (0.5, 0.95, 0.05, 0.30, False),
        (0.32, 0.95, 0.05, 0.30, True),
        (0.1, 0.9, 0.2, 0.4, False),
    ],
)
def test_a_bound_on_opinions(m, q, low, high, possible):
    least, largest = extreme_means(q, low, high)
    assert least == pytest.approx(q * low, abs=2e-3)
    assert largest == pytest.approx(q * high + 1 - q, abs=2e-3)
    assert (least < m < largest) == possible


def test_a_narrow_beta_distribution_meets_every_large_mass():
    sizes = np.geomspace(1, 1e6, 40)
    law = stats.beta(0.15 * sizes, 0.85 * sizes)
    mass = law.cdf(0.3) - law.cdf(0.05)
    assert mass[-1] == pytest.approx(1)
    assert (np.diff(mass) > -1e-12).all()


@pytest.mark.parametrize(("low", "high"), [(0, 0.3), (0.05, 1)])
def test_an_interval_may_begin_or_end_at_an_end(low, high):
    """Large masses can be met then, small ones perhaps not, and 1 never."""
    sizes = np.geomspace(1e-3, 1e4, 2000)
    law = stats.beta(0.15 * sizes, 0.85 * sizes)
    outside = law.cdf(low) + law.sf(high)
    assert 0 < outside.min() < 1e-6
    assert outside.max() < 0.9
    assert law.sf(1).max() == law.cdf(0).max() == 0
