"""Posteriors and odds of naive Bayes, found again by scikit-learn."""

from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
from sklearn.naive_bayes import CategoricalNB
from study.drills.banks import bank

from bayesbook.study import quiz

KINDS = ("naive-bayes", "odds")


def of_scikit_learn(drill):
    """Return the prior and the posterior of the first class."""
    case = {}
    exec(drill.question.setup.partition("\nn = ")[0], case)
    counts, row = case["counts"], case["row"]
    X = [
        np.column_stack([np.repeat(range(len(c)), c) for c in columns])
        for columns in counts
    ]
    classes = np.repeat([0, 1], [len(rows) for rows in X])
    model = CategoricalNB(
        alpha=case["b"],
        force_alpha=True,
        min_categories=[len(column) for column in counts[0]],
    )
    with np.errstate(divide="ignore"):  # a count of zero without smoothing
        model.fit(np.vstack(X), classes)
    columns = model.feature_log_prob_
    first = [np.exp(c[:, v]) for c, v in zip(columns, row, strict=True)]
    return model, np.exp(model.class_log_prior_), first, row


@pytest.mark.parametrize("kind", KINDS)
def test_scikit_learn_finds_the_same(kind):
    for drill in bank(kind):
        model, prior, of_columns, row = of_scikit_learn(drill)
        if kind == "naive-bayes":
            found = model.predict_proba([row])[0, 0]
        elif "By which factor" in drill.prompt:
            found = of_columns[0][0] / of_columns[0][1]
        else:
            joint = prior * np.prod(of_columns, axis=0)
            found = joint[0] / joint[1]
        assert float(F(drill.answer)) == pytest.approx(found, abs=6e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_enumeration_and_the_mistakes_agree_with_the_key(kind):
    questions = tuple(drill.question for drill in bank(kind))
    assert all("enumerated(" in question.check for question in questions)
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize("kind", KINDS)
def test_smoothing_and_stories_take_turns(kind):
    smoothed = Counter("smoothed" in drill.prompt for drill in bank(kind))
    assert smoothed[True] == smoothed[False]
    factors = Counter(
        "By which factor" in drill.prompt for drill in bank(kind)
    )
    assert len(factors) == 1 + (kind == "odds")
