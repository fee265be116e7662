"""The exercises of the chapter can be solved, and in another way."""

from math import log

import numpy as np
import pytest
from scipy.stats import rv_discrete
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from study.exercises.solving import solved_by

from bayesbook.decision import empirical_risk, log_loss
from bayesbook.estimation import Gaussian, LinearGaussian
from bayesbook.probability import Table
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions through the library, scipy and minimisation ----------------


def distribution_of(joint):
    return Table.from_counts(joint, ["X", "Y"], exact=True)


def expected(joint, rule, loss):
    return distribution_of(joint).expectation(lambda X, Y: loss[Y, rule[X]])


def least_absolute(distribution):
    """Minimise the absolute risk over a fine grid of numbers."""
    grid = np.arange(min(distribution) - 1, max(distribution) + 1, 0.5)
    values, weights = np.array(list(distribution.items()), float).T
    risks = abs(grid[:, None] - values) @ weights
    best = grid[np.isclose(risks, risks.min())]
    return float(best[0]), float(best[-1]), float(risks.min())


def mean_log_loss(truth, forecasts):
    labels = list(forecasts[0])
    rows = [[q[label] for label in labels] for q in forecasts]

    def loss(truth, rows):
        return log_loss(truth, rows, classes=labels)

    return empirical_risk(loss, truth, rows)


def promise(rules, sample, joint):
    mistakes = np.array([[rule[x] != y for x, y in sample] for rule in rules])
    chosen = rules[mistakes.mean(axis=1).argmin()]
    distribution = distribution_of(joint)
    return (
        mistakes.mean(axis=1).min(),
        distribution.P(lambda X, Y: chosen[X] != Y),
    )


def cross_validated_mean(ys, fold_of):
    y = np.array(ys, float)
    predicted = cross_val_predict(
        DummyRegressor(), y[:, None], y, cv=PredefinedSplit(fold_of)
    )
    return float(np.mean((y - predicted) ** 2))


def observations_needed(n_rules, epsilon, delta):
    """Add one observation after the other."""
    n = 1
    while (log(2 * n_rules / delta) / (2 * n)) ** 0.5 > epsilon:
        n += 1
    return n


def map_slope(xs, ys, noise_sd, prior_sd):
    fit = LinearGaussian.map(
        np.array(xs, float)[:, None],
        np.array(ys, float),
        sd=float(noise_sd),
        prior=Gaussian(0, float(prior_sd)),
        intercept=False,
    )
    return float(fit.coefficients[0])


EXERCISES = exercises_of("risk")
test_another_solution_passes = solved_by("risk", globals())


def test_what_occurs_is_what_a_rule_may_say():
    for rules, sample, joint in EXERCISES["promise"].cases:
        said = {answer for rule in rules for answer in rule.values()}
        assert {y for _, y in [*sample, *joint]} == said


@pytest.mark.parametrize("case", EXERCISES["least_absolute"].cases, ids=repr)
def test_scipy_finds_the_lower_median(case):
    (distribution,) = case
    values, weights = zip(*sorted(distribution.items()), strict=True)
    discrete = rv_discrete(values=(values, [float(w) for w in weights]))
    low, _, _ = EXERCISES["least_absolute"].reference(distribution)
    assert discrete.cdf(low) >= 0.5 - 1e-12
    assert discrete.cdf(low - 1e-6) < 0.5
