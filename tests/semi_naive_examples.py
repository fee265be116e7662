"""Every kind of semi-naive Bayes classifier, and data for it."""

from itertools import product

import numpy as np
import pytest
import semi_naive_truth as truth
from numpy.testing import assert_allclose

from bayesbook.naive_bayes import (
    AODE,
    KDB,
    SPODE,
    TAN,
)

CHAIN = {1: [0], 2: [1], 3: [0, 2]}
INCREMENTAL = [SPODE(parent=1), TAN(), AODE(m=1), KDB(k=2, parents=CHAIN)]
MODELS = [*INCREMENTAL, SPODE(), SPODE(selection="cross-validation"), KDB(k=2)]


# All but AODE are one network.
NETWORKS = [model for model in MODELS if not isinstance(model, AODE)]


def of(models):
    return pytest.mark.parametrize("model", models, ids=repr)


LABELS = np.array(["eggs", "ham", "spam"])
X, codes = truth.dependent_rows(90, seed=50)
y = LABELS[codes]
NAMES = np.array(["black", "green", "white"])
EVERY_ROW = np.array(list(product(range(3), repeat=4)))


def parents_of(model):
    """Return the parents; AODE has no certain ones."""
    return None if isinstance(model, AODE) else model.parents_


def same(model, other, rows=EVERY_ROW):
    """Require that two trained models say the same."""
    assert model.classes_.tolist() == other.classes_.tolist()
    assert_allclose(
        model.predict_joint_log_proba(rows),
        other.predict_joint_log_proba(rows),
        rtol=0,
        atol=1e-12,
    )
