"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from math import exp

import pytest
from scipy import optimize, stats
from study.exercises.solving import solved_by

from bayesbook.conjugate import GammaExponential, GammaPoisson, GaussianMean
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: one by one, integrals, the library --------


def combine(m, v, readings):
    """Update with one reading after the other, each by its share."""
    for value, variance in readings:
        share = v / (v + variance)
        m, v = m + share * (value - m), v * (1 - share)
    return m, v


def learn_both(m, kappa, a, b, data):
    """Update with the data one by one: each error against its prediction."""
    for x in data:
        b += kappa * (x - m) ** 2 / F(2 * (kappa + 1))
        m = m + (x - m) / F(kappa + 1)
        kappa, a = kappa + 1, a + F(1, 2)
    return m, kappa, a, b


def next_count(shape, rate, total, seen, k, t):
    posterior = GammaPoisson(shape, float(rate)).update(
        total=total, exposure=float(seen)
    )
    return float(posterior.predictive(float(t)).pmf(k))


def gamma_opinion(mean, sd):
    """Search for the shape at which scipy reports this sd."""
    mean, sd = float(mean), float(sd)

    def excess(log_shape):
        shape = exp(log_shape)
        return stats.gamma(shape, scale=mean / shape).std() - sd

    shape = exp(optimize.brentq(excess, -8, 12, xtol=1e-14, rtol=1e-14))
    return shape, shape / mean


def mixture_weights(shares, priors, lives):
    """Evidence by the library."""
    joint = [
        float(share)
        * exp(
            GammaExponential(shape, float(rate)).log_evidence(
                [float(x) for x in lives]
            )
        )
        for share, (shape, rate) in zip(shares, priors, strict=True)
    ]
    return [part / sum(joint) for part in joint]


EXERCISES = exercises_of("gaussian_gamma")
test_another_solution_passes = solved_by("gaussian_gamma", globals())


def test_the_reference_is_the_posterior_of_the_library():
    distribution = GaussianMean(m=1, s=2, sigma=3).update([4, 8, 0])
    mean, variance = EXERCISES["combine"].reference(
        F(1), F(4), [[F(4), F(9)], [F(8), F(9)], [F(0), F(9)]]
    )
    assert distribution.mean() == pytest.approx(float(mean))
    assert distribution.var() == pytest.approx(float(variance))
