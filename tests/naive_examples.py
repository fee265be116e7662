"""Every kind of naive Bayes classifier, and data for it."""

import numpy as np
import pandas as pd
import pytest

from bayesbook.naive_bayes import (
    DCMNB,
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    LazyNB,
    MixedNB,
    MultinomialNB,
)

KINDS = [
    BernoulliNB,
    CategoricalNB,
    DCMNB,
    MultinomialNB,
    GaussianNB,
    MixedNB,
    LazyNB,
]
COUNTING = [BernoulliNB, CategoricalNB, MultinomialNB, LazyNB]
LABELS = np.array(["eggs", "ham", "spam"])
every = pytest.mark.parametrize("kind", KINDS)


def data_for(kind, n=60, seed=21):
    """Rows that the classifier is made for, and three classes."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % 3
    y = LABELS[codes]
    shift = rng.normal(size=(3, 4))[codes]
    if kind is BernoulliNB:
        return (rng.normal(size=(n, 4)) < shift).astype(int), y
    if kind in (CategoricalNB, LazyNB):
        # Every state occurs in every class, and in most parts.
        X = np.tile((np.arange(n) // 3 % 3)[:, None], 4)
        follows = rng.random((n, 4)) < 0.6
        follows[:9] = False
        return np.where(follows, (codes[:, None] + np.arange(4)) % 3, X), y
    if kind in (DCMNB, MultinomialNB):
        return rng.negative_binomial(1, 0.3, (n, 4)) + (shift > 0), y
    numbers = rng.normal(size=(n, 4)) + shift
    if kind is GaussianNB:
        return numbers, y
    frame = pd.DataFrame(numbers[:, :2], columns=["density", "sugar"])
    frame["color"] = rng.choice(["green", "black"], size=n)
    frame["touch"] = np.where(numbers[:, 3] > 0, "hard", "soft")
    return frame, y


def sample(model, n, rng):
    """Draw rows, also where documents need a length."""
    if isinstance(model, DCMNB | MultinomialNB):
        return model.sample(n, rng=rng, trials=20)
    return model.sample(n, rng=rng)


def rows_of(X, rows):
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]
