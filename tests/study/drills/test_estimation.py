"""Most likely parameters and standard errors, found again numerically."""

from collections import Counter

import pytest
from study.drills.banks import bank

from bayesbook.study import quiz

KINDS = ("maximum-likelihood", "standard-error")


@pytest.mark.parametrize("kind", KINDS)
def test_likelihoods_are_searched_for_the_highest_point(kind):
    """The checks search the likelihood, or measure how it bends."""
    questions = tuple(drill.question for drill in bank(kind))
    searching = ("highest(", "error(")[KINDS.index(kind)]
    assert all(searching in question.check for question in questions)
    quiz.verify(quiz.Quiz(kind, kind, questions))


@pytest.mark.parametrize("kind", KINDS)
def test_models_take_turns(kind):
    models = Counter(drill.question.check for drill in bank(kind))
    assert len(models) == {"maximum-likelihood": 4, "standard-error": 3}[kind]
    assert min(models.values()) >= 30
