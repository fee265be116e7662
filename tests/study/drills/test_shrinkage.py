"""Estimates under priors, found again numerically and by the library."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import Lasso, Ridge
from study.drills.banks import bank

from bayesbook.study import quiz

KINDS = ("beta-estimate", "shrinkage")


@pytest.mark.parametrize("kind", KINDS)
def test_the_keys_are_computed_by_other_routes(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize(
    ("kind", "models"), [*zip(KINDS, (4, 5), strict=True)]
)
def test_models_take_turns(kind, models):
    counted = Counter(drill.question.check for drill in bank(kind))
    assert len(counted) == models
    assert min(counted.values()) >= 15


def names_of(drill):
    names = {}
    exec(drill.question.setup, names)
    return names


def test_estimates_of_a_line_are_those_of_scikit_learn():
    seen = Counter()
    for drill in bank("shrinkage"):
        names = names_of(drill)
        if "x" not in names:
            continue
        x, y = np.array(names["x"])[:, None], np.array(names["y"])
        if "tau" in names:
            model = Ridge(
                names["sigma"] ** 2 / names["tau"] ** 2, fit_intercept=False
            )
        else:
            alpha = names["sigma"] ** 2 / (len(y) * names["b"])
            model = Lasso(alpha, fit_intercept=False, tol=1e-12)
        [w] = model.fit(x, y).coef_
        assert w == pytest.approx(float(Fraction(drill.answer)), abs=1e-5)
        seen[type(model)] += 1
    assert min(seen.values()) >= 30
    assert len(seen) == 2


def test_a_posterior_mean_is_that_of_scipy():
    seen = 0
    for drill in bank("beta-estimate"):
        if "mean_of" in drill.question.check:
            names = names_of(drill)
            a, b, k, n = (names[name] for name in "abkn")
            mean = stats.beta(a + k, b + n - k).mean()
            assert mean == pytest.approx(
                float(Fraction(drill.answer)), abs=1e-5
            )
            seen += 1
    assert seen >= 30
