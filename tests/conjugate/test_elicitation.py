"""Priors from statements, against the statements."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import (
    BetaBernoulli,
    DirichletCategorical,
    Elicited,
    GammaExponential,
    GammaPoisson,
    GaussianMean,
    NormalInverseGamma,
)


def test_published_numbers():
    assert BetaBernoulli.from_mean_sd(0.7, 0.2) == BetaBernoulli(2.975, 1.275)
    found = BetaBernoulli.from_interval(0.15, (0.05, 0.30), 0.95)
    assert abs(found.residual) < 1e-12
    assert found.prior.a == pytest.approx(4.5, abs=0.01)
    assert found.prior.b == pytest.approx(25.5, abs=0.05)
    published = Elicited(BetaBernoulli(4.5, 25.5), 0.15, (0.05, 0.30), 0.95)
    distribution = stats.beta(4.5, 25.5)
    assert published.attained == distribution.cdf(0.3) - distribution.cdf(0.05)
    assert published.residual == pytest.approx(-0.000159, abs=1e-6)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.95))
def test_mean_and_sd_of_a_beta(mean, share):
    sd = share * (mean * (1 - mean)) ** 0.5
    distribution = BetaBernoulli.from_mean_sd(mean, sd)
    assert distribution.mean() == pytest.approx(mean, rel=1e-12)
    assert distribution.std() == pytest.approx(sd, rel=1e-9)


@given(st.floats(0.01, 1e6), st.floats(0.01, 1e6))
def test_mean_and_sd_of_a_gamma(mean, sd):
    for family in (GammaPoisson, GammaExponential):
        distribution = family.from_mean_sd(mean, sd)
        assert distribution.mean() == pytest.approx(mean, rel=1e-12)
        assert distribution.std() == pytest.approx(sd, rel=1e-9)


@settings(max_examples=20)
@given(
    st.floats(0.05, 0.95),
    st.floats(0.01, 0.99),
    st.floats(0.01, 0.99),
    st.floats(0.05, 0.99),
)
def test_an_interval_around_the_mean_can_have_any_mass(mean, low, high, mass):
    low, high = mean * low, mean + (1 - mean) * high
    for found in (
        BetaBernoulli.from_interval(mean, (low, high), mass),
        GammaPoisson.from_interval(mean, (low, high), mass),
        GammaExponential.from_interval(mean, (low, high), mass),
        GaussianMean.from_interval(mean, (low, high), mass, sigma=2),
    ):
        assert found.prior.mean() == pytest.approx(mean, rel=1e-9)
        distribution = found.prior.distribution
        assert distribution.cdf(high) - distribution.cdf(low) == pytest.approx(
            mass, abs=1e-9
        )
        assert abs(found.residual) < 1e-9
        assert (found.mean, found.mass) == (mean, mass)
        assert found.interval == (low, high)


@settings(max_examples=20)
@given(st.floats(0.05, 0.6), st.floats(1.2, 1.6))
def test_of_several_distributions_the_weakest_is_found(mean, far):
    """Weak and strong distributions fit an interval beside the mean."""
    low, high = mean * far, 1.0
    strengths = 0.05 * 1.2 ** np.arange(60)
    masses = stats.beta(mean * strengths, (1 - mean) * strengths).sf(low)
    mass = 0.9 * max(masses)
    assume(masses[0] < mass and masses[-1] < mass)
    found = BetaBernoulli.from_interval(mean, (low, high), mass)
    strength = found.prior.a + found.prior.b
    assert abs(found.residual) < 1e-9
    assert (masses[strengths < strength] <= mass + 1e-9).all()


def test_what_was_elicited_is_a_value():
    prior = BetaBernoulli(4.5, 25.5)
    read = Elicited(prior, "0.15", [0.05, "0.3"], 0.95)
    assert read == Elicited(prior, 0.15, (0.05, 0.3), 0.95)
    assert len({read, Elicited(prior, 0.15, (0.05, 0.3), 0.95)}) == 1


def test_what_was_elicited_reads_well():
    assert repr(GaussianMean.from_interval(20, (16, 24), 0.9, sigma=1)) == (
        "GaussianMean(m=20, s=2.43183, sigma=1), mean 20\n"
        "0.9000 in (16, 24), asked for 0.9, residual 0.000000"
    )


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: BetaBernoulli.from_mean_sd(0.7, 0.5),
            "No beta distribution with the mean 0.7 has the standard "
            "deviation 0.5: it must be less than 0.458258",
        ),
        (
            lambda: BetaBernoulli.from_mean_sd(0.5, 0.5),
            "No beta distribution .* it must be less than 0.5",
        ),
        (lambda: BetaBernoulli.from_mean_sd(1.2, 0.5), "The mean is 1.2"),
        (lambda: BetaBernoulli.from_mean_sd(0.5, 0), "deviation is 0"),
        (lambda: GammaPoisson.from_mean_sd(-1, 1), "The mean is -1"),
        (
            lambda: BetaBernoulli.from_interval(0.15, (0, 0.3), 0.5),
            "No beta distribution has the mean 0.15 and the probability 0.5 "
            "between 0 and 0.3. The nearest is BetaBernoulli.*0.8084: change",
        ),
        (
            lambda: BetaBernoulli.from_interval(0.15, (0.5, 0.9), 0.9),
            "The nearest is BetaBernoulli",
        ),
        (
            lambda: GaussianMean.from_interval(0, (1, 2), 0.9, sigma=1),
            "No normal distribution has the mean 0 and the probability 0.9 "
            "between 1 and 2. The nearest is GaussianMean",
        ),
        (
            lambda: GammaPoisson.from_interval(1, (5, 9), 0.9),
            "No gamma distribution has the mean 1 and the probability 0.9 "
            "between 5 and 9. The nearest is GammaPoisson",
        ),
        (
            lambda: GaussianMean.from_interval(0, (1,), sigma=1),
            r"The interval is \(1,\); give its two ends",
        ),
        (
            lambda: BetaBernoulli.from_interval(0.15, (5, 30)),
            "The lower end of the interval is 5; it must be between 0 and 1",
        ),
        (
            lambda: GammaPoisson.from_interval(3, (-1, 4)),
            "The lower end of the interval is -1; it must be at least 0",
        ),
        (
            lambda: Elicited(BetaBernoulli(1, 1), 0.5, (0.1, 0.3), 95),
            "interval is 95; it must be between",
        ),
        (
            lambda: Elicited(BetaBernoulli(1, 1), 0.5, (0.3, 0.1), 0.9),
            r"The interval \(0.3, 0.1\) is empty",
        ),
        (
            lambda: Elicited(BetaBernoulli(1, 1), "x", (0.1, 0.3), 0.9),
            "The mean is 'x': not a number",
        ),
        (
            lambda: GammaPoisson.from_mean_sd(1e100, 1e-100),
            r"shape is 1\.0*e\+400, and no float can hold its sq",
        ),
        (
            lambda: BetaBernoulli.from_interval(0.15, (0.3, 0.05)),
            r"The interval \(0.3, 0.05\) is empty",
        ),
        (
            lambda: GaussianMean.from_interval(0, (2, 1), sigma=1),
            r"The interval \(2, 1\) is empty",
        ),
        (
            lambda: BetaBernoulli.from_interval(0.15, (0.05, 0.3), 1),
            "The probability of the interval is 1",
        ),
        (
            lambda: BetaBernoulli.from_interval(0.15, (0.05, 0.3), 95),
            "The probability of the interval is 95",
        ),
        (lambda: BetaBernoulli.from_interval(1, (0.05, 0.3)), "mean is 1"),
        (lambda: BetaBernoulli.from_interval(0, (0.05, 0.3)), "mean is 0"),
        (
            lambda: GaussianMean.from_interval(0, (-1, 1), sigma=0),
            "sigma is 0",
        ),
    ],
)
def test_what_no_distribution_says(ask, message):
    with pytest.raises(ProbabilityError, match=message):
        ask()


def test_the_nearest_prior_is_the_nearest():
    """N(0, s) gives most to (1, 2) where 2 φ(2/s) = φ(1/s)."""
    best = np.sqrt(3 / (2 * np.log(2)))
    with pytest.raises(ProbabilityError, match=rf"s={best:.6g}, sigma"):
        GaussianMean.from_interval(0, (1, 2), 0.9, sigma=1)


def test_a_mass_just_below_the_largest_is_met():
    """Between two of the strengths that are tried first."""
    best = np.sqrt(3 / (2 * np.log(2)))
    most = stats.norm(0, best).cdf(2) - stats.norm(0, best).cdf(1)
    found = GaussianMean.from_interval(0, (1, 2), most - 1e-9, sigma=1)
    assert found.attained == pytest.approx(most - 1e-9, abs=1e-12)
    with pytest.raises(ProbabilityError, match="No normal distribution"):
        GaussianMean.from_interval(0, (1, 2), most + 1e-9, sigma=1)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: BetaBernoulli.from_interval(0.15, None),
            "The interval is None; give its two ends",
        ),
        (
            lambda: Elicited(DirichletCategorical([1, 2]), 0, (0, 1), 0.9),
            r"DirichletCategorical\({0: 1, 1: 2}\) gives no probability to an",
        ),
        (
            lambda: Elicited(NormalInverseGamma(0, 1, 1, 1), 0, (0, 1), 0.9),
            "NormalInverseGamma.* gives no probability to an interval",
        ),
        (
            lambda: Elicited((2, 3), 0.5, (0.1, 0.3), 0.9),
            r"\(2, 3\) gives no probability to an interval: give a prior",
        ),
    ],
)
def test_arguments_of_a_wrong_type(ask, message):
    with pytest.raises(TypeError, match=message):
        ask()
