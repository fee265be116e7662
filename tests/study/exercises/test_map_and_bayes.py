"""The exercises of the chapter can be solved, and in another way."""

from decimal import Decimal
from math import sqrt

import numpy as np
import pytest
from scipy import optimize, stats
from sklearn.linear_model import Lasso, Ridge
from study.exercises.solving import solved_by

from bayesbook.probability import bayes_rule
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: urns of imagined tosses, root finding -----


def candidates_posterior(candidates, prior, k, N):
    """Update with one toss after the other, the first k of them up."""
    prior = dict(zip(candidates, prior, strict=True))
    for toss in [True] * k + [False] * (N - k):
        chance = {t: t if toss else 1 - t for t in prior}
        prior = bayes_rule(prior, chance)
    return [*prior.values()]


def enough(number, draws, level):
    """Compare in decimals, in which a float is written."""
    if isinstance(level, float):
        level = Decimal(repr(level))
    return number >= level * len(draws)


def shortest_length(draws, level):
    """Try all pairs of draws as ends, and count what is between them."""
    return min(
        high - low
        for low in draws
        for high in draws
        if enough(sum(low <= draw <= high for draw in draws), draws, level)
        and low <= high
    )


def opinion(mean, sd):
    """Search for the sum at which scipy reports this sd."""
    mean, sd = float(mean), float(sd)

    def excess(log_sum):
        s = np.exp(log_sum)
        return stats.beta(mean * s, (1 - mean) * s).std() - sd

    s = np.exp(optimize.brentq(excess, -8, 12, xtol=1e-14, rtol=1e-14))
    return mean * s, (1 - mean) * s


def penalty(prior, noise, width, N):
    """From the ratio of the slopes of penalty and half the sum of squares."""
    distribution = stats.norm(0, width)
    if prior == "laplace":
        distribution = stats.laplace(0, width / sqrt(stats.laplace.var()))
    drop = distribution.logpdf(0) - distribution.logpdf(1.0)
    scale = 2 if prior == "gaussian" else 1 / N
    return scale * noise**2 * drop


EXERCISES = exercises_of("map_and_bayes")
test_another_solution_passes = solved_by("map_and_bayes", globals())


@pytest.mark.parametrize(
    ("prior", "estimator"), [("gaussian", Ridge), ("laplace", Lasso)]
)
def test_the_penalty_is_the_one_of_scikit_learn(prior, estimator):
    """Maximise the posterior of one coefficient on a fine grid."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=40)
    y = 2 * x + rng.normal(scale=3, size=40)
    noise, width = 3.0, 0.8
    distribution = {
        "gaussian": stats.norm(0, width),
        "laplace": stats.laplace(0, width / sqrt(2)),
    }[prior]
    w = np.linspace(-5, 5, 20_001)
    squares = ((y - np.outer(w, x)) ** 2).sum(axis=1)
    best = w[np.argmax(-squares / (2 * noise**2) + distribution.logpdf(w))]
    alpha = EXERCISES["penalty"].reference(prior, noise, width, len(y))
    model = estimator(alpha=alpha, fit_intercept=False)
    fitted = model.fit(x[:, None], y)
    assert abs(fitted.coef_[0] - best) < 5e-4
    assert 0.1 < best < 3


def test_the_share_of_the_draws_is_exact():
    """0.55 of a hundred draws are 55, though the product is larger."""
    assert 0.55 * 100 > 55
    shortest = EXERCISES["shortest_length"].reference
    assert shortest(range(100), 0.55) == 54
    assert shortest(range(100), np.float64(0.55)) == 54
    for percent in range(1, 101):
        assert shortest(range(100), percent / 100) == percent - 1
