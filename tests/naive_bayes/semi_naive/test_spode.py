"""SPODE against loops over exact fractions."""

from math import log

import numpy as np
import pandas as pd
import pytest
import semi_naive_truth as truth
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.model_selection import KFold, StratifiedKFold

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import SPODE, CategoricalNB


def star(parent, n_columns):
    return [() if j == parent else (parent,) for j in range(n_columns)]


@given(truth.small_data(), st.sampled_from(truth.ESTIMATES), st.data())
def test_equals_exact_fractions(data, how, draw):
    parent = draw.draw(st.integers(0, data.n_columns - 1))
    model = SPODE(parent=parent, min_categories=data.n_states, **how)
    model.fit(data.rows, data.y, data.weights)
    parents = star(parent, data.n_columns)
    assert list(model.parents_) == parents
    rows = data.every_row()
    rows = rows[:: 1 + len(rows) // 40]
    wanted = [truth.joint(row, data, parents, **how) for row in rows]
    truth.assert_predicts(model, rows, wanted)


def test_by_hand():
    frame = pd.DataFrame(
        {"sky": ["grey", "grey", "blue", "blue"], "wet": [1, 0, 0, 0]}
    )
    model = SPODE(parent="sky").fit(frame, ["rain", "rain", "dry", "dry"])
    # P(rain) P(grey | rain) P(wet | rain, grey), each with Laplace's rule.
    rain = 3 / 6 * 3 / 4 * 2 / 4
    dry = 3 / 6 * 1 / 4 * 1 / 2
    assert np.exp(model.predict_joint_log_proba(frame[:1])) == pytest.approx(
        np.array([[dry, rain]])
    )


def test_a_parent_that_says_nothing_leaves_naive_bayes():
    X, y = truth.dependent_rows(60, seed=1)
    X[:, 2] = 0
    model = SPODE(parent=2).fit(X, y)
    wanted = CategoricalNB().fit(X, y).predict_joint_log_proba(X)
    assert_allclose(model.predict_joint_log_proba(X), wanted, atol=1e-12)


def test_one_column_has_itself_only():
    X, y = truth.dependent_rows(60, seed=2, n_columns=1)
    wanted = CategoricalNB().fit(X, y).predict_joint_log_proba(X)
    for model in (SPODE(parent=0), SPODE()):
        model.fit(X, y)
        assert model.parents_ == ((),)
        assert_allclose(model.predict_joint_log_proba(X), wanted, atol=1e-12)


# -- the choice of the parent -------------------------------------------------


def conditional_fit(parent, data, how):
    """Give the sum of log P(y | x) over the rows that count."""
    parents, total = star(parent, data.n_columns), 0.0
    for row, k, w in zip(data.rows, data.y, data.weights, strict=True):
        if w:
            products = truth.joint(row, data, parents, **how)
            right = products[data.classes.index(k)] / sum(products)
            total += float(w) * log(right)
    return total


@given(truth.small_data(), st.sampled_from(truth.ESTIMATES))
@settings(max_examples=25)
def test_the_conditional_likelihood_chooses(data, how):
    model = SPODE(min_categories=data.n_states, **how)
    model.fit(data.rows, data.y, data.weights)
    scores = [conditional_fit(i, data, how) for i in range(data.n_columns)]
    assert_allclose(model.scores_, scores, rtol=0, atol=1e-10)
    assert scores[model.parent_] == pytest.approx(max(scores), abs=1e-10)
    chosen = SPODE(parent=model.parent_, min_categories=data.n_states, **how)
    chosen.fit(data.rows, data.y, data.weights)
    assert_allclose(
        model.predict_joint_log_proba(data.rows),
        chosen.predict_joint_log_proba(data.rows),
        rtol=0,
        atol=1e-12,
    )


def held_out_correct(parent, X, y, splits):
    """Give the share of rows that are classified correctly by others."""
    is_correct = []
    for training, asked in splits:
        data = truth.Data(X[training], y[training].tolist(), [3] * 4)
        for row, k in zip(X[asked].tolist(), y[asked], strict=True):
            products = truth.joint(row, data, star(parent, 4))
            best = products.index(max(products))
            is_correct.append(data.classes[best] == k)
    return np.mean(is_correct)


@pytest.mark.parametrize(
    "cv",
    [2, 5, KFold(3), StratifiedKFold(4, shuffle=True, random_state=1)],
    ids=["2", "5", "plain", "shuffled"],
)
@pytest.mark.parametrize("seed", [3, 4])
def test_cross_validation_chooses(cv, seed):
    X, y = truth.dependent_rows(70, seed)
    folds = StratifiedKFold(cv) if isinstance(cv, int) else cv
    splits = list(folds.split(X, y))
    scores = [held_out_correct(i, X, y, splits) for i in range(4)]
    for given_ in (cv, splits):
        model = SPODE(selection="cross-validation", cv=given_).fit(X, y)
        assert_allclose(model.scores_, scores, rtol=0, atol=1e-12)
        assert model.parent_ == np.argmax(scores)


def test_held_out_rows_that_cannot_be_have_no_class():
    # Both columns are 0 in the one class and 1 in the other.
    X = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [0, 1], [1, 1]])
    y = [0, 0, 1, 1, 0, 1]
    splits = [([0, 1, 2, 3], [4, 5])]
    model = SPODE(selection="cross-validation", cv=splits, estimate="mle")
    assert model.fit(X, y).scores_.tolist() == [0.5, 0.5]


def test_held_out_rows_count_what_they_weigh():
    X, y = truth.dependent_rows(60, seed=10)
    weights = np.random.default_rng(10).integers(1, 4, size=60)
    copies = np.repeat(np.arange(60), weights)
    splits = list(StratifiedKFold(3).split(X, y))
    copied = [
        [np.flatnonzero(np.isin(copies, rows)) for rows in both]
        for both in splits
    ]
    weighted = SPODE(selection="cross-validation", cv=splits)
    weighted.fit(X, y, sample_weight=weights)
    repeated = SPODE(selection="cross-validation", cv=copied)
    repeated.fit(X[copies], y[copies])
    assert_allclose(weighted.scores_, repeated.scores_, rtol=0, atol=1e-12)


def test_a_row_of_weight_zero_that_cannot_be_does_not_choose():
    X, y = truth.dependent_rows(60, seed=1)
    weights = np.ones(60)
    weights[2] = 0
    model = SPODE(estimate="mle").fit(X, y, sample_weight=weights)
    without = np.flatnonzero(weights)
    wanted = SPODE(estimate="mle").fit(X[without], y[without])
    assert_allclose(model.scores_, wanted.scores_, rtol=0, atol=1e-12)
    assert model.parent_ == wanted.parent_


@pytest.mark.parametrize(
    "selection", ["conditional-likelihood", "cross-validation"]
)
def test_the_first_of_equally_good_parents_is_taken(selection):
    X, y = truth.dependent_rows(60, seed=11, n_columns=2)
    model = SPODE(selection=selection).fit(X[:, [1, 1, 1]], y)
    assert model.scores_[0] == pytest.approx(model.scores_[2], rel=1e-12)
    assert model.parent_ == 0


@pytest.mark.parametrize(
    "selection", ["conditional-likelihood", "cross-validation"]
)
@pytest.mark.parametrize("weight", [1e-300, 1e-13, 1e12])
def test_what_all_rows_weigh_chooses_nothing(selection, weight):
    X, y = truth.dependent_rows(90, seed=8)
    X[:, 0] = 0
    model = SPODE(selection=selection, estimate="mle").fit(X, y)
    assert model.parent_ > 0
    heavy = SPODE(selection=selection, estimate="mle")
    heavy.fit(X, y, sample_weight=np.full(90, weight))
    assert heavy.parent_ == model.parent_


def test_rows_of_an_impossible_class_do_not_choose():
    X, y = truth.dependent_rows(90, seed=9)
    prior = [0.75, 0, 0.25]
    chosen = SPODE(class_prior=prior).fit(X, y)
    asked = y != 1
    rows, own = X[asked], y[asked]
    wanted = [
        SPODE(parent=m, class_prior=prior)
        .fit(X, y)
        .predict_log_proba(rows)[np.arange(len(own)), own]
        .sum()
        for m in range(4)
    ]
    assert_allclose(chosen.scores_, wanted)
    assert chosen.parent_ == np.argmax(wanted)


def test_the_parent_that_the_data_were_made_with_is_chosen():
    rng = np.random.default_rng(6)
    n = 4000
    y, parent = rng.integers(2, size=(2, n))
    # Each column is the parent or its contrary, by the class, and says
    # nothing of the class without it.
    X = (y ^ parent)[:, None] ^ (rng.random((n, 5)) < 0.3)
    X = np.insert(X.astype(int), 3, parent, axis=1)
    for selection in ("conditional-likelihood", "cross-validation"):
        model = SPODE(selection=selection).fit(X, y)
        assert model.parent_ == 3
        assert model.score(X, y) > 0.8
    assert CategoricalNB().fit(X, y).score(X, y) < 0.55


def test_a_given_parent_is_not_scored():
    X, y = truth.dependent_rows(30, seed=7)
    model = SPODE(parent=2).fit(X, y)
    assert model.parent_ == 2
    assert not hasattr(model, "scores_")
    model.set_params(parent=None).fit(X, y)
    assert model.scores_.shape == (4,)
    model.set_params(parent=2).fit(X, y)
    assert not hasattr(model, "scores_")


def test_only_a_given_parent_can_learn_in_pieces():
    assert hasattr(SPODE(parent=0), "partial_fit")
    assert not hasattr(SPODE(), "partial_fit")
    X, y = truth.dependent_rows(30, seed=8)
    assert not hasattr(SPODE().fit(X, y), "partial_fit")


# -- bad input ----------------------------------------------------------------

FRAME = pd.DataFrame({"sky": ["grey", "blue"], "wind": ["west", "east"]})


@pytest.mark.parametrize(
    ("parent", "message"),
    [
        ("wnd", r"'wnd'.*'sky', 'wind'.*Did you mean 'wind'\?$"),
        ("temperature", r"'temperature'.*'sky', 'wind'"),
        (2, r"\b2\b"),
        (-3, r"-3"),
        (0.5, r"0\.5"),
        (True, r"True"),
        (["sky"], r"\['sky'\]"),
    ],
)
def test_parents_that_are_no_columns(parent, message):
    with pytest.raises(ProbabilityError, match=message):
        SPODE(parent=parent).fit(FRAME, [0, 1])


def test_a_name_for_a_column_without_names():
    with pytest.raises(ProbabilityError, match="'sky'"):
        SPODE(parent="sky").fit([[0, 1], [1, 0]], [0, 1])


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ("cross-validaton", r"selection.*Did you mean 'cross-validation'\?$"),
        ("aic", r"selection.*'aic'"),
        (None, r"selection.*None"),
    ],
)
def test_selections_that_do_not_exist(selection, message):
    with pytest.raises(ProbabilityError, match=message):
        SPODE(selection=selection).fit(FRAME, [0, 1])


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (1, r"cv is 1; it must be at least 2"),
        (-2, r"cv is -2; it must be at least 2"),
        (11, r"n_splits=11 cannot be greater"),
        (2.5, r"cv.*2\.5"),
        ("x", r"cv.*x"),
    ],
)
def test_folds_that_make_no_sense(cv, message):
    X, y = truth.dependent_rows(30, seed=9)
    with pytest.raises(ValueError, match=message):
        SPODE(selection="cross-validation", cv=cv).fit(X, y)
    if cv != 11:
        # Also where it is not used. How many rows it needs is not known then.
        with pytest.raises(ValueError, match=message):
            SPODE(cv=cv).fit(X, y)
        with pytest.raises(ValueError, match=message):
            SPODE(parent=0, cv=cv).fit(X, y)
