"""The solved problems of *Gaussian and gamma families*, recomputed.

By exact fractions, quadrature and simulation. That the numbers stand in the
solutions is proved by the notebook's own checks, beside the text.
"""

from fractions import Fraction as F
from math import atan, exp, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats


def moments(log_density, grid):
    """Mean and variance of an unnormalised density on a grid."""
    weight = np.exp(log_density - log_density.max())
    weight /= weight.sum()
    mean = weight @ grid
    return mean, weight @ (grid - mean) ** 2


# --- Instruments that disagree --------------------------------------------


def flat_posterior(readings, deviations):
    precisions = [1 / F(s) ** 2 for s in deviations]
    weighted = sum(x * p for x, p in zip(readings, precisions, strict=True))
    return weighted / sum(precisions), 1 / sum(precisions)


@pytest.mark.parametrize("readings", [[4, 7, 10], [6, 6, 6]])
def test_instruments_that_disagree(readings):
    deviations = [1, 1, 2]
    mean, variance = flat_posterior(readings, deviations)
    assert mean == 6
    assert variance == F(4, 9)
    mu = np.linspace(-10, 20, 30_001)
    logs = sum(
        stats.norm(mu, s).logpdf(x)
        for x, s in zip(readings, deviations, strict=True)
    )
    found = moments(logs, mu)
    assert found == pytest.approx((float(mean), float(variance)))


def test_the_sums_of_the_instruments():
    assert 1 + 1 + F(1, 2) ** 2 == F(9, 4)
    total = 4 + 7 + F(10, 4)
    assert total == F(27, 2)


# --- Student's interval ---------------------------------------------------


def test_students_posterior_is_normal_inverse_gamma():
    """The two densities are proportional, at any mean and variance."""
    data = np.array([1.0, 3, 5, 4])
    N, mean, s2 = len(data), data.mean(), data.var()
    law = stats.normal_inverse_gamma(mean, N, (N - 1) / 2, N * s2 / 2)
    rng = np.random.default_rng(5)
    ratios = [
        stats.norm(mu, sqrt(v)).pdf(data).prod() / v / law.pdf(mu, v)
        for mu, v in zip(
            rng.normal(3, 2, 20), rng.gamma(2, 2, 20), strict=True
        )
    ]
    assert ratios == pytest.approx([ratios[0]] * 20)


def test_students_interval():
    data = [1, 3, 5]
    mean = F(sum(data), 3)
    s2 = sum((x - mean) ** 2 for x in data) / 3
    scale2 = s2 * F(4, 2)
    assert mean == 3
    assert s2 == F(8, 3)
    assert scale2 == F(16, 3)
    quantile = stats.t(2).ppf(0.975)
    assert f"{quantile:.3f}" == "4.303"
    assert f"{quantile * sqrt(scale2):.2f}" == "9.94"
    assert f"{1.96 * sqrt(s2):.2f}" == "3.20"


@pytest.mark.parametrize(("mu", "sigma"), [(0, 1), (5.5, 0.2)])
def test_how_often_the_plug_in_is_right(mu, sigma):
    rng = np.random.default_rng(2)
    x = rng.normal(mu, sigma, (400_000, 3))
    inside = abs(x[:, 2] - x[:, :2].mean(axis=1)) < 1.96 * x[:, :2].std(axis=1)
    share = 2 / pi * atan(1.96 / sqrt(3))
    assert inside.mean() == pytest.approx(share, abs=0.003)
    assert f"{share:.3f}" == "0.539"


# --- More zeros than a Poisson distribution -------------------------------


@given(st.floats(0.1, 20), st.floats(0.1, 20), st.floats(0.1, 20))
def test_more_zeros(shape, rate, t):
    law = stats.nbinom(shape, rate / (rate + t))
    assert law.pmf(0) > exp(-shape * t / rate)


def test_more_zeros_in_numbers():
    by_law = F(1, 1 + 2) ** 2
    by_sum, _ = integrate.quad(
        lambda r: exp(-2 * r) * stats.gamma(2, scale=1).pdf(r), 0, np.inf
    )
    assert by_sum == pytest.approx(float(by_law))
    assert by_law == F(1, 9)
    assert f"{float(by_law):.3f}" == "0.111"
    assert f"{exp(-4):.3f}" == "0.018"


def test_the_geometric_law():
    k, q = np.arange(30), 3 / (2 + 3)
    law = stats.nbinom(1, 2 / (2 + 3))
    assert law.pmf(k) == pytest.approx((1 - q) * q**k)
    poisson = stats.poisson(4).pmf(k)
    assert poisson[1:] / poisson[:-1] == pytest.approx(4 / k[1:])


# --- Old lamps are good lamps ---------------------------------------------


@given(
    st.floats(0.5, 5), st.floats(0.5, 5), st.floats(0.1, 9), st.floats(0.1, 9)
)
def test_old_lamps(shape, rate, x, y):
    law = stats.lomax(shape, scale=rate)
    older = stats.lomax(shape, scale=rate + x)
    by_formula = ((rate + x) / (rate + x + y)) ** shape
    assert law.sf(x + y) / law.sf(x) == pytest.approx(by_formula)
    assert older.sf(y) == pytest.approx(by_formula)
    assert by_formula > law.sf(y)


def test_old_lamps_in_numbers():
    law, prior = stats.lomax(3, scale=2), stats.gamma(3, scale=1 / 2)
    assert law.mean() == pytest.approx(1)
    inverse, _ = integrate.quad(lambda r: prior.pdf(r) / r, 0, np.inf)
    assert inverse == pytest.approx(1)
    survives = F(2, 4) ** 3
    assert law.sf(2) == pytest.approx(float(survives))
    assert survives == F(1, 8)
    assert f"{exp(-2 * 3 / 2):.3f}" == "0.050"


# --- A maximum in the place of a sum --------------------------------------


def test_a_maximum():
    w, a, waits = 2, 1, [3, 6, 1]
    largest, counts = max(w, *waits), a + len(waits)
    assert counts == 4
    assert largest == 6

    def joint(theta):
        inside = theta >= max(w, *waits)
        return inside * a * w**a / theta ** (a + 1) / theta ** len(waits)

    evidence, _ = integrate.quad(joint, largest, np.inf)
    first, _ = integrate.quad(lambda t: t * joint(t), largest, np.inf)
    beyond, _ = integrate.quad(joint, 12, np.inf)
    mean = F(counts * largest, counts - 1)
    assert first / evidence == pytest.approx(float(mean))
    assert mean == 8
    tail = F(largest, 12) ** counts
    assert beyond / evidence == pytest.approx(float(tail))
    assert tail == F(1, 16)


# --- What the prior expects to see ----------------------------------------

FAMILIES = {
    "Bernoulli": (lambda e: np.log1p(np.exp(e)), 2.0, 5.0),
    "Poisson": (np.exp, 3.0, 2.0),
    "Gaussian": (lambda e: e**2 / 2, -1.0, 4.0),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_expected_mean(name):
    A, tau, nu = FAMILIES[name]
    eta = np.linspace(-30, 12, 42_001)
    logs = tau * eta - nu * A(eta)
    weight = np.exp(logs - logs.max())
    slope = np.gradient(A(eta), eta)
    assert weight @ slope / weight.sum() == pytest.approx(tau / nu, rel=1e-5)


def test_the_expected_waiting_time():
    """With g = 1 the density of the rate is a gamma law of shape nu + 1."""
    tau, nu = 3.0, 2.0
    rate = np.linspace(1e-4, 40, 400_001)
    weight = np.exp(-tau * rate + nu * np.log(rate))
    law = stats.gamma(nu + 1, scale=1 / tau).pdf(rate)
    assert np.allclose(weight / weight.sum(), law / law.sum(), atol=1e-12)
    found = weight @ (1 / rate) / weight.sum()
    assert found == pytest.approx(tau / nu, rel=1e-6)
    assert stats.lomax(nu + 1, scale=tau).mean() == pytest.approx(tau / nu)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 9))
def test_the_expected_mean_of_the_known_families(a, b, k):
    """The means of the posteriors, by scipy, are those of part (c)."""
    beta = stats.beta(a + k, b + 9 - k)
    assert beta.mean() == pytest.approx((a + k) / (a + b + 9))
    gamma = stats.gamma(a + k, scale=1 / (b + 9))
    assert gamma.mean() == pytest.approx((a + k) / (b + 9))
