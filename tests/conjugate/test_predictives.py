"""Predictive distributions against scipy, and where scipy loses all digits."""

import math
import pickle
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.conjugate import (
    BetaBernoulli,
    DirichletCategorical,
    DirichletMultinomial,
    GammaExponential,
    GammaPoisson,
    GaussianMean,
    NormalInverseGamma,
    log_rising,
)

size = st.floats(0.05, 500)


@given(st.floats(1e-3, 1e15), st.integers(0, 60))
def test_log_rising_is_the_sum_of_logarithms(a, n):
    expected = math.fsum(math.log(a + i) for i in range(n))
    assert log_rising(a, n) == pytest.approx(expected, rel=1e-13, abs=1e-11)


@pytest.mark.parametrize("a", [10, 50, 99, 100, 101, 1000, 9999])
def test_log_rising_on_both_sides_of_its_series(a):
    assert log_rising(a, 2) == pytest.approx(math.log(a * (a + 1)), rel=3e-14)
    many = math.log(math.factorial(a + 999) // math.factorial(a - 1))
    assert log_rising(a, 1000) == pytest.approx(many, rel=1e-14)


def test_log_rising_takes_arrays():
    a = np.array([0.5, 150.0, 1e9])
    np.testing.assert_allclose(
        log_rising(a, 2), np.log(a) + np.log(a + 1), rtol=1e-13
    )
    assert log_rising(a[:, None], np.arange(4)).shape == (3, 4)
    assert log_rising(3, 0) == 0
    huge = np.array([1e62, 1e150])
    np.testing.assert_allclose(log_rising(huge, 2), 2 * np.log(huge))


def same(mine, theirs, points):
    """Compare everything that a frozen distribution of scipy can say."""
    if hasattr(theirs.dist, "pmf"):
        np.testing.assert_allclose(
            mine.pmf(points), theirs.pmf(points), rtol=1e-8, atol=1e-300
        )
    else:
        np.testing.assert_allclose(
            mine.pdf(points), np.exp(theirs.logpdf(points)), rtol=1e-8
        )
    np.testing.assert_allclose(
        mine.cdf(points), theirs.cdf(points), rtol=1e-8, atol=1e-12
    )
    np.testing.assert_allclose(
        mine.sf(points), theirs.sf(points), rtol=1e-6, atol=1e-12
    )
    np.testing.assert_allclose(
        mine.stats("mvsk"), theirs.stats("mvsk"), rtol=1e-8, equal_nan=True
    )
    assert mine.support() == theirs.support()
    # Levels that no distribution here reaches exactly.
    levels = [0.0503, 0.4987, 0.9021]
    np.testing.assert_allclose(mine.ppf(levels), theirs.ppf(levels), rtol=1e-9)


@given(size, size, st.integers(0, 30))
def test_the_beta_binomial_is_scipys(a, b, trials):
    distribution = BetaBernoulli(a, b).predictive(trials)
    theirs = stats.betabinom(trials, a, b)
    points = np.arange(-1, trials + 2)
    np.testing.assert_allclose(
        distribution.pmf(points), theirs.pmf(points), rtol=1e-8
    )
    mean = trials * a / (a + b)
    var = mean * b * (a + b + trials) / (a + b) / (a + b + 1)
    assert distribution.mean() == pytest.approx(mean)
    assert distribution.var() == pytest.approx(var)
    if trials:
        same(distribution, theirs, points)


@given(size, size, st.floats(0.05, 20))
def test_the_negative_binomial_is_scipys(shape, rate, exposure):
    same(
        GammaPoisson(shape, rate).predictive(exposure),
        stats.nbinom(shape, rate / (rate + exposure)),
        np.array([-1, 0, 1, 4, 20]),
    )


@given(size, size)
def test_the_waiting_time_is_scipys_lomax(shape, rate):
    same(
        GammaExponential(shape, rate).predictive(),
        stats.lomax(shape, scale=rate),
        np.array([-1, 0, 0.1, 4.0, 20]),
    )


def test_the_gaussian_predictives_are_the_formulas():
    distribution = GaussianMean(1, 2, 3).predictive()
    assert (distribution.mean(), distribution.var()) == pytest.approx((1, 13))
    distribution = NormalInverseGamma(1, 2, 3, 4).predictive()
    # t with 2a degrees has the variance a / (a − 1) times the scale².
    assert distribution.var() == pytest.approx(4 * 3 / (3 * 2) * 3 / 2)
    assert distribution.kwds.get("df", distribution.args[0]) == 6


@given(st.lists(size, min_size=1, max_size=5), st.integers(0, 12), st.data())
def test_the_dirichlet_multinomial_is_scipys(alpha, trials, data):
    distribution = DirichletCategorical(alpha).predictive(trials)
    cuts = sorted(
        data.draw(st.integers(0, trials)) for _ in range(len(alpha) - 1)
    )
    counts = np.diff([0, *cuts, trials])
    theirs = stats.dirichlet_multinomial(alpha, trials)
    assert distribution.logpmf(counts) == pytest.approx(
        theirs.logpmf(counts), abs=1e-8
    )
    assert distribution.pmf(np.array([counts, counts])).shape == (2,)
    a, m = np.array(alpha) / sum(alpha), trials
    var = m * a * (1 - a) * (sum(alpha) + m) / (sum(alpha) + 1)
    np.testing.assert_allclose(distribution.mean(), m * a)
    np.testing.assert_allclose(distribution.var(), var, atol=1e-12)
    np.testing.assert_allclose(
        np.diag(distribution.cov()), distribution.var(), atol=1e-12
    )


def test_the_dirichlet_multinomial_draws_what_it_says():
    distribution = DirichletMultinomial([0.5, 2, 1.5], 7)
    draws = distribution.rvs(50_000, random_state=2)
    assert draws.shape == (50_000, 3)
    assert set(draws.sum(axis=1)) == {7}
    np.testing.assert_allclose(
        draws.mean(axis=0), distribution.mean(), rtol=0.02
    )
    np.testing.assert_allclose(np.cov(draws.T), distribution.cov(), atol=0.06)
    assert distribution.pmf([7, 1, 0]) == 0
    assert distribution.logpmf([7, 1, 0]) == -math.inf
    assert (
        repr(distribution) == "DirichletMultinomial([0.5, 2, 1.5], trials=7)"
    )


def test_the_dirichlet_multinomial_is_a_value():
    distribution = DirichletMultinomial(np.array([0.5, 2]), 7)
    assert distribution == DirichletCategorical([0.5, 2]).predictive(7)
    assert distribution != DirichletMultinomial([0.5, 2], 8)
    assert len({distribution, pickle.loads(pickle.dumps(distribution))}) == 1
    with pytest.raises(AttributeError):
        distribution.trials = 3
    most = DirichletMultinomial([0.5, 2], 2**63 - 1)
    assert most.rvs(2, random_state=0).sum(axis=1).tolist() == [2**63 - 1] * 2


def test_draws_follow_the_distributions():
    for distribution in (
        BetaBernoulli(2, 3).predictive(6),
        GammaPoisson(4, 2).predictive(3),
        GammaExponential(9, 2).predictive(),
    ):
        draws = distribution.rvs(40_000, random_state=np.random.default_rng(4))
        assert draws.mean() == pytest.approx(distribution.mean(), rel=0.02)
        assert draws.var() == pytest.approx(distribution.var(), rel=0.06)


def test_huge_posteriors_predict_like_the_known_parameter():
    n = 10**15
    coin = BetaBernoulli(2, 2).update(successes=n, failures=3 * n)
    points = np.arange(11)
    np.testing.assert_allclose(
        coin.predictive(10).pmf(points),
        stats.binom(10, 0.25).pmf(points),
        rtol=1e-10,
    )
    dice = DirichletCategorical([1, 1, 1]).update(counts=[n, n, 2 * n])
    assert dice.predictive(4).pmf([1, 1, 2]) == pytest.approx(
        stats.multinomial(4, [0.25, 0.25, 0.5]).pmf([1, 1, 2]), rel=1e-10
    )
    counts = GammaPoisson(1, 1).update(total=3 * n, exposure=n).predictive(2)
    np.testing.assert_allclose(
        counts.pmf(points), stats.poisson(6).pmf(points), rtol=1e-10
    )
    np.testing.assert_allclose(
        counts.cdf(points), stats.poisson(6).cdf(points), rtol=1e-7
    )
    assert counts.mean() == pytest.approx(6, rel=1e-12)
    waits = GammaExponential(1, 1).update(n=n, total=2.0 * n).predictive()
    x = np.linspace(0, 9, 5)
    theirs = stats.expon(scale=2)
    np.testing.assert_allclose(waits.pdf(x), theirs.pdf(x), rtol=1e-10)
    np.testing.assert_allclose(waits.sf(x), theirs.sf(x), rtol=1e-10)
    assert waits.mean() == pytest.approx(2, rel=1e-12)
    assert waits.var() == pytest.approx(4, rel=1e-12)
    assert waits.isf(0.1) == pytest.approx(theirs.isf(0.1), rel=1e-12)
    measured = NormalInverseGamma(0, 1, 1, 1).update(n=n, mean=2, variance=9)
    np.testing.assert_allclose(
        measured.predictive().pdf(x), stats.norm(2, 3).pdf(x), rtol=1e-6
    )


@given(st.integers(0, 10**15), st.floats(0, 1))
def test_millions_of_trials_are_as_exact_as_ten(trials, share):
    k = round(share * trials)
    left = trials - k
    exact = F(
        12 * (k + 1) * (left + 1) * (left + 2),
        math.prod(trials + i for i in range(1, 5)),
    )
    for distribution, x in (
        (BetaBernoulli(2, 3).predictive(trials), k),
        (BetaBernoulli(3, 2).predictive(trials), left),
    ):
        assert distribution.pmf(x) == pytest.approx(float(exact), rel=1e-13)
        assert distribution.logpmf(x) == pytest.approx(
            math.log(exact), rel=1e-13
        )


@pytest.mark.parametrize("half", [10**6, 10**9, 10**15])
def test_as_many_counts_as_were_ever_seen(half):
    """C(2n, n) / 2^(2n + 1), by Stirling's series."""
    distribution = GammaPoisson(half + 1, 3).predictive(3)
    expected = (1 - 1 / (8 * half)) / (2 * math.sqrt(math.pi * half))
    assert distribution.pmf(half) == pytest.approx(expected, rel=1e-11)
    assert distribution.logpmf(half) == pytest.approx(
        math.log(expected), rel=1e-11
    )


def test_probabilities_too_small_for_a_float_have_a_logarithm():
    # 1 / C(2n, n) and 2^-(n + 1).
    n = 10**6
    coin = BetaBernoulli(1e12, 1e12).predictive(n)
    assert coin.pmf(0) == 0
    assert coin.logpmf(0) == pytest.approx(-n * math.log(2), rel=1e-6)
    assert GammaPoisson(1, 1).predictive().pmf(n) == 0
    assert GammaPoisson(1, 1).predictive().logpmf(n) == pytest.approx(
        -(n + 1) * math.log(2), rel=1e-12
    )


def test_a_long_time_with_a_small_rate():
    """The counts in so long a time are the rate itself."""
    distribution, rate = GammaPoisson(2, 1).predictive(1e18), stats.gamma(2)
    x = np.array([1e17, 2e18, 2e19])
    np.testing.assert_allclose(
        distribution.cdf(x), rate.cdf(x / 1e18), rtol=1e-12
    )
    np.testing.assert_allclose(
        distribution.sf(x), rate.sf(x / 1e18), rtol=1e-12
    )
    np.testing.assert_allclose(distribution.pmf(x), rate.pdf(x / 1e18) / 1e18)
    levels = [0.1, 0.5, 0.9]
    np.testing.assert_allclose(
        distribution.ppf(levels), 1e18 * rate.ppf(levels)
    )


def test_quantiles_where_whole_numbers_are_no_floats():
    distribution = GammaPoisson(1e18, 1).predictive()
    levels = [0.1, 0.5, 0.9]
    np.testing.assert_allclose(
        (distribution.ppf(levels) - 1e18) / math.sqrt(2e18),
        stats.norm.ppf(levels),
        atol=0.02,
    )


def test_upper_tails_are_sums_of_their_own():
    distribution = BetaBernoulli(2, 30).predictive(400)
    k = np.arange(399, -1, -1)
    np.testing.assert_allclose(
        distribution.sf(k), np.cumsum(distribution.pmf(k + 1)), rtol=1e-12
    )
    assert distribution.sf(400) == 0


def test_quantiles_of_a_million_trials():
    distribution = BetaBernoulli(1, 1).predictive(10**6)
    assert distribution.ppf(0.25) == 250_000
    # Levels that are reached exactly.
    levels = np.arange(1, 10) / 10
    uniform = BetaBernoulli(1, 1).predictive(9)
    assert uniform.ppf(levels).tolist() == list(range(9))
    assert distribution.dist.ppf(
        [[0.3], [0.74]], [1, 3], 1, [1, 1]
    ).tolist() == [
        [0, 1],
        [1, 2],
    ]


def test_a_success_that_is_all_but_certain():
    distribution = BetaBernoulli(1e18, 1e-3).predictive(10)
    assert distribution.pmf(10) == pytest.approx(1, rel=1e-14)
    assert distribution.pmf(9) == pytest.approx(1e-20, rel=1e-12)


def test_no_trials_are_no_surprise():
    assert BetaBernoulli(2, 3).predictive(0).pmf(0) == 1
    assert DirichletCategorical([2, 3]).predictive(0).pmf([0, 0]) == 1
    assert special.comb(0, 0) == 1


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: BetaBernoulli(1, 1).predictive(-1), "trials is -1"),
        (lambda: BetaBernoulli(1, 1).predictive(1.5), "1.5: not a whole"),
        (lambda: BetaBernoulli(1, 1).predictive(2**63), "must be less than 2"),
        (lambda: DirichletMultinomial([1, 1], 10**20), "is 1e.20; it must be"),
        (
            lambda: DirichletMultinomial([1, 1], 3).pmf([[1, 2], [3]]),
            "The counts are not a table: .*inhomogeneous",
        ),
        (lambda: GammaPoisson(1, 1).predictive(0), "exposure is 0"),
        (lambda: DirichletMultinomial([1, 0], 3), "0 at position 1 is not po"),
        (
            lambda: DirichletMultinomial([1, 1], 3).pmf([1, 1, 1]),
            r"shape \(3,\); the last axis needs 2 entries",
        ),
        (
            lambda: DirichletMultinomial([1, 1], 3).pmf([1.5, 1.5]),
            "1.5 at position 0 is not a whole number",
        ),
        (
            lambda: DirichletMultinomial([1, 1], 3).pmf([[3, 0], [4, -1]]),
            "-1 at row 1, column 1 is negative",
        ),
        (lambda: DirichletMultinomial([1, 1], 3).pmf(3), r"shape \(\)"),
    ],
)
def test_bad_questions(ask, message):
    with pytest.raises(ProbabilityError, match=message):
        ask()


def test_counts_of_many_trials_keep_their_digits():
    n = 10**15
    half = DirichletCategorical([2, 2]).predictive(n)
    # 6 θ (1 − θ) at one half, divided by the number of trials.
    assert half.pmf([n // 2, n // 2]) == pytest.approx(1.5 / n, rel=1e-9)
    third = DirichletMultinomial([1, 1, 1], 3 * 10**9)
    assert third.pmf([10**9] * 3) == pytest.approx(
        2 / (3e9 + 1) / (3e9 + 2), rel=1e-6
    )


@pytest.mark.parametrize("ask", ["cdf", "sf", "isf", "ppf"])
def test_sums_that_fill_the_memory_are_refused(ask):
    distribution = BetaBernoulli(2, 2).predictive(10**15)
    place = 0.3 if ask in ("ppf", "isf") else 10**14
    with pytest.raises(
        TableTooLargeError, match=r"adds up .e\+1[45] .*distribution of θ"
    ):
        getattr(distribution, ask)(place)
