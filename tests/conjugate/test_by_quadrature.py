"""Each family against Bayes' rule on a fine grid of parameters.

The grid knows the prior, from scipy, and the likelihood of one observation,
written out below; it integrates with the trapezoidal rule after a change of
variables to the whole line, where the rule is exact to many digits.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from bayesbook.conjugate import (
    BetaBernoulli,
    DirichletCategorical,
    GammaExponential,
    GammaPoisson,
    GaussianMean,
    NormalInverseGamma,
)


@dataclass
class Grid:
    """Points of the parameter space, and the logarithms of their weights."""

    points: np.ndarray  # (parameters, grid)
    log_weights: np.ndarray

    def learn(self, log_prior, log_likelihood, data):
        """Give the log-evidence and the posterior weights."""
        log = self.log_weights + log_prior(*self.points)
        for x in data:
            log = log + log_likelihood(x, *self.points)
        evidence = special.logsumexp(log)
        return evidence, np.exp(log - evidence)


LINE = np.linspace(-60, 60, 2401)
STEP = LINE[1] - LINE[0]
# σ(t) and 1 − σ(t), neither of which may be rounded to one.
YES, NO = special.expit(LINE), special.expit(-LINE)
UNIT = Grid(np.array([YES, NO]), np.log(STEP) + np.log(YES) + np.log(NO))
POSITIVE = Grid(np.exp(LINE)[None], np.log(STEP) + LINE)
REAL = Grid(LINE[None], np.full(LINE.shape, np.log(STEP)))


def simplex():
    """Break a stick twice: three probabilities on a square grid."""
    t = np.linspace(-40, 40, 321)
    yes, no = special.expit(t), special.expit(-t)
    first, rest = yes[:, None], no[:, None]
    points = np.broadcast_arrays(first, rest * yes, rest * no)
    log_weights = (
        2 * np.log(t[1] - t[0])
        + np.log(first * rest)
        + np.log(rest * yes * no)
    )
    return Grid(np.array([p.ravel() for p in points]), log_weights.ravel())


def plane():
    """Means in units of the standard deviation, and log-variances."""
    z, u = np.linspace(-30, 30, 601), np.linspace(-9, 25, 341)
    variance = np.exp(u)[None, :]
    mean = z[:, None] * np.sqrt(variance)
    step = np.log((z[1] - z[0]) * (u[1] - u[0]))
    # dμ dσ² = σ dz · σ² du
    log_weights = step + 1.5 * np.log(np.broadcast_to(variance, mean.shape))
    points = np.broadcast_arrays(mean, variance)
    return Grid(np.array([p.ravel() for p in points]), log_weights.ravel())


hyper = st.floats(0.4, 12).map(lambda x: round(x, 3))
reals = st.floats(-4, 4).map(lambda x: round(x, 3))


def several(one, most=8):
    return st.lists(one, max_size=most)


def normal(x, mean, variance):
    return -np.log(2 * np.pi * variance) / 2 - (x - mean) ** 2 / 2 / variance


@given(hyper, hyper, several(st.integers(0, 1)), st.integers(0, 4))
def test_beta_bernoulli(a, b, data, trials):
    evidence, weights = UNIT.learn(
        lambda p, q: (
            (a - 1) * np.log(p) + (b - 1) * np.log(q) - special.betaln(a, b)
        ),
        lambda x, p, q: np.log(p if x else q),
        data,
    )
    posterior = BetaBernoulli(a, b).update(data)
    p, q = UNIT.points
    check_moments(posterior, p, weights)
    assert BetaBernoulli(a, b).log_evidence(data) == pytest.approx(
        evidence, abs=1e-9
    )
    distribution = posterior.predictive(trials)
    for k in range(trials + 1):
        expected = weights @ (
            special.comb(trials, k) * p**k * q ** (trials - k)
        )
        assert distribution.pmf(k) == pytest.approx(expected, rel=1e-8)
    # Mean and variance, by the law of total variance and by the formula.
    m, s = weights @ p, a + b + len(data)
    var = trials * (weights @ (p * q)) + trials**2 * (weights @ (p - m) ** 2)
    assert distribution.mean() == pytest.approx(trials * m, rel=1e-7)
    assert distribution.var() == pytest.approx(var, rel=1e-7)
    assert var == pytest.approx(
        trials * m * (1 - m) * (s + trials) / (s + 1), rel=1e-7
    )
    # The posterior density itself, against that of scipy's distribution.
    inside = (p > 1e-3) & (q > 1e-3)
    density = weights / np.exp(UNIT.log_weights)
    np.testing.assert_allclose(
        posterior.distribution.pdf(p[inside]), density[inside], rtol=1e-7
    )


def check_moments(posterior, points, weights, rel=1e-7):
    mean = weights @ points
    assert posterior.mean() == pytest.approx(mean, rel=rel, abs=1e-9)
    var = weights @ (points - mean) ** 2
    assert posterior.var() == pytest.approx(var, rel=rel)
    assert posterior.std() == pytest.approx(np.sqrt(var), rel=rel)


SIMPLEX = simplex()


@settings(max_examples=15)
@given(
    st.tuples(*[st.floats(0.7, 8).map(lambda x: round(x, 3))] * 3),
    several(st.sampled_from("abc")),
    st.integers(0, 3),
)
def test_dirichlet_categorical(alpha, data, trials):
    evidence, weights = SIMPLEX.learn(
        lambda *p: (
            sum((a - 1) * np.log(q) for a, q in zip(alpha, p, strict=True))
            + special.gammaln(sum(alpha))
            - special.gammaln(alpha).sum()
        ),
        lambda x, *p: np.log(p["abc".index(x)]),
        data,
    )
    prior = DirichletCategorical(dict(zip("abc", alpha, strict=True)))
    posterior = prior.update(data)
    assert prior.log_evidence(data) == pytest.approx(evidence, abs=1e-8)
    p = SIMPLEX.points
    mean = p @ weights
    np.testing.assert_allclose(posterior.mean(), mean, rtol=1e-7)
    var = ((p - mean[:, None]) ** 2) @ weights
    np.testing.assert_allclose(posterior.var(), var, rtol=1e-6)
    distribution = posterior.predictive(trials)
    for counts in np.ndindex(*[trials + 1] * 3):
        if sum(counts) == trials:
            ways = special.factorial(trials) / np.prod(
                special.factorial(counts)
            )
            expected = ways * (p.T**counts).prod(axis=1) @ weights
            assert distribution.pmf(counts) == pytest.approx(
                expected, rel=1e-7
            )


@given(reals, st.floats(0.3, 4), st.floats(0.3, 4), several(reals), reals)
def test_gaussian_mean(m, s, sigma, data, new):
    evidence, weights = REAL.learn(
        lambda mu: normal(mu, m, s**2),
        lambda x, mu: normal(x, mu, sigma**2),
        data,
    )
    prior = GaussianMean(m, s, sigma)
    posterior = prior.update(data)
    (mu,) = REAL.points
    check_moments(posterior, mu, weights)
    assert prior.log_evidence(data) == pytest.approx(evidence, abs=1e-8)
    expected = weights @ np.exp(normal(new, mu, sigma**2))
    assert posterior.predictive().pdf(new) == pytest.approx(expected)


PLANE = plane()


@settings(max_examples=15)
@given(
    st.floats(-1, 1),
    st.floats(0.5, 5),
    st.floats(3, 8),
    st.floats(0.5, 5),
    several(st.floats(-3, 3).map(lambda x: round(x, 3)), 5),
    reals,
)
def test_normal_inverse_gamma(m, kappa, a, b, data, new):
    evidence, weights = PLANE.learn(
        lambda mu, v: (
            normal(mu, m, v / kappa)
            + a * np.log(b)
            - special.gammaln(a)
            - (a + 1) * np.log(v)
            - b / v
        ),
        normal,
        data,
    )
    prior = NormalInverseGamma(m, kappa, a, b)
    posterior = prior.update(data)
    assert prior.log_evidence(data) == pytest.approx(evidence, abs=1e-6)
    mu, v = PLANE.points
    mean = posterior.mean()
    assert mean.mean == pytest.approx(weights @ mu, abs=1e-6)
    assert mean.variance == pytest.approx(weights @ v, rel=1e-5)
    var = posterior.var()
    assert var.mean == pytest.approx(weights @ (mu - mean.mean) ** 2, rel=1e-4)
    assert posterior.std().mean == pytest.approx(np.sqrt(var.mean))
    # The fourth moment that this needs has a long tail on the grid.
    if posterior.a > 4.5:
        spread = weights @ (v - mean.variance) ** 2
        assert var.variance == pytest.approx(spread, rel=1e-2)
    density = posterior.predictive().pdf(new)
    assert density == pytest.approx(weights @ np.exp(normal(new, mu, v)))


@given(hyper, hyper, several(st.integers(0, 9)), st.floats(0.2, 5))
def test_gamma_poisson(shape, rate, data, exposure):
    def count(x, rate):
        return x * np.log(rate) - rate - special.gammaln(x + 1)

    evidence, weights = POSITIVE.learn(gamma(shape, rate), count, data)
    prior = GammaPoisson(shape, rate)
    posterior = prior.update(data)
    (lam,) = POSITIVE.points
    check_moments(posterior, lam, weights)
    assert prior.log_evidence(data) == pytest.approx(evidence, abs=1e-8)
    distribution = posterior.predictive(exposure)
    for x in (0, 1, 5):
        expected = weights @ np.exp(count(x, lam * exposure))
        assert distribution.pmf(x) == pytest.approx(expected, rel=1e-7)
        up_to = weights @ stats.poisson(lam * exposure).cdf(x)
        assert distribution.cdf(x) == pytest.approx(up_to, rel=1e-7)
        assert distribution.sf(x) == pytest.approx(1 - up_to, abs=1e-9)


def gamma(shape, rate):
    return lambda x: (
        shape * np.log(rate)
        - special.gammaln(shape)
        + (shape - 1) * np.log(x)
        - rate * x
    )


@given(hyper, hyper, several(st.floats(0, 9).map(lambda x: round(x, 3))))
def test_gamma_exponential(shape, rate, data):
    def wait(x, rate):
        return np.log(rate) - rate * x

    evidence, weights = POSITIVE.learn(gamma(shape, rate), wait, data)
    prior = GammaExponential(shape, rate)
    posterior = prior.update(data)
    (lam,) = POSITIVE.points
    check_moments(posterior, lam, weights)
    assert prior.log_evidence(data) == pytest.approx(evidence, abs=1e-8)
    distribution = posterior.predictive()
    for x in (0.0, 0.7, 12.0):
        expected = weights @ np.exp(wait(x, lam))
        assert distribution.pdf(x) == pytest.approx(expected, rel=1e-7)
        assert distribution.sf(x) == pytest.approx(weights @ np.exp(-lam * x))
