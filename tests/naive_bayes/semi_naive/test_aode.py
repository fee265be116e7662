"""AODE against loops over exact fractions."""

import warnings
from fractions import Fraction
from itertools import product

import naive_truth
import networkx as nx
import numpy as np
import pytest
import semi_naive_truth as truth
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import AODE, SPODE, CategoricalNB


@given(
    truth.small_data(),
    st.sampled_from(truth.ESTIMATES),
    st.sampled_from([0, 1, 2, 5, 30]),
)
def test_equals_exact_fractions(data, how, m):
    model = AODE(m=m, min_categories=data.n_states, **how)
    rows = data.every_row()
    rows = rows[:: 1 + len(rows) // 30]
    wanted = [truth.aode_joint(row, data, m, **how) for row in rows]
    with warnings.catch_warnings():
        # Of too large an m, and of rows that are left to naive Bayes.
        warnings.simplefilter("ignore", UserWarning)
        model.fit(data.rows, data.y, data.weights)
        truth.assert_predicts(model, rows, wanted)
    qualified = model.super_parents(rows)
    assert qualified.dtype == bool
    assert [np.flatnonzero(row).tolist() for row in qualified] == [
        truth.super_parents(row, data, m) for row in rows
    ]


@given(truth.small_data(), st.sampled_from(truth.ESTIMATES))
@settings(max_examples=30)
def test_many_states_equal_exact_fractions(data, how):
    # The factors are looked up in another way then.
    n_states = [25] * data.n_columns
    data = truth.Data(data.rows, data.y, n_states, data.weights)
    model = AODE(m=1, min_categories=25, **how)
    wanted = [truth.aode_joint(row, data, 1, **how) for row in data.rows]
    model.fit(data.rows, data.y, data.weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        truth.assert_predicts(model, data.rows, wanted)


@given(truth.small_data(), st.sampled_from([1, 0.25]))
@settings(max_examples=20)
def test_all_rows_and_classes_sum_to_one(data, alpha):
    model = AODE(m=0, alpha=alpha, min_categories=data.n_states)
    model.fit(data.rows, data.y, data.weights)
    joint = np.exp(model.predict_joint_log_proba(data.every_row()))
    assert joint.sum() == pytest.approx(1, abs=1e-12)


def test_a_class_without_rows_has_its_share_of_the_sum():
    # The distribution of class and super-parent knows no alpha of classes.
    X, y = truth.dependent_rows(60, seed=25)
    model = AODE(m=1, class_alpha=0)
    model.partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    data = truth.Data(X[y < 2], y[y < 2].tolist(), [3] * 4)
    data.classes = [0, 1, 2]
    rows = data.every_row()
    wanted = [truth.aode_joint(row, data, 1) for row in rows]
    assert sum(map(sum, wanted)) == 1
    truth.assert_predicts(model, rows, wanted)


def test_a_class_of_probability_zero_has_no_distribution_of_rows():
    X, y = truth.dependent_rows(60, seed=25)
    model = AODE(m=1, class_alpha=0)
    model.partial_fit(X[y < 2], y[y < 2], classes=[0, 1, 2])
    likelihood = model.class_log_likelihood(X)
    assert np.isneginf(likelihood[:, 2]).all()
    assert_allclose(
        likelihood[:, :2] + model.class_log_prior_[:2],
        model.predict_joint_log_proba(X)[:, :2],
    )


# A misprint of P(c, x_i): |D| + N_i in place of |D| + N N_i.


def test_the_distribution_of_class_and_super_parent_sums_to_one():
    column, y = [0, 0, 1, 2, 2, 2, 1, 0], [0, 0, 0, 1, 1, 1, 2, 2]
    n, n_classes, n_states = 8, 3, 3
    model = AODE(m=0).fit(np.transpose([column]), y)
    joint = np.exp(model.predict_joint_log_proba([[0], [1], [2]]))
    sums = {n + n_classes * n_states: 0, n + n_states: 0}
    for s, k in product(range(n_states), range(n_classes)):
        count = sum(own == (s, k) for own in zip(column, y, strict=True))
        for total in sums:
            sums[total] += Fraction(count + 1, total)
        own = Fraction(count + 1, n + n_classes * n_states)
        assert joint[s, k] == pytest.approx(float(own), abs=1e-15)
    assert sums == {17: 1, 11: Fraction(17, 11)}


@pytest.mark.parametrize("alpha", [1, 0.3, 2])
@pytest.mark.parametrize("n_states", [1, 2, 4])
def test_one_attribute_leaves_naive_bayes(alpha, n_states):
    rng = np.random.default_rng(10)
    y = rng.integers(3, size=50)
    X = ((y + rng.integers(3, size=50)) % n_states)[:, None]
    model = AODE(m=1, alpha=alpha).fit(X, y)
    naive = CategoricalNB(alpha=alpha, class_alpha=n_states * alpha).fit(X, y)
    at = np.arange(n_states)[:, None]
    assert_allclose(
        model.predict_joint_log_proba(at),
        naive.predict_joint_log_proba(at),
        atol=1e-12,
    )
    model = AODE(m=1, estimate="mle").fit(X, y)
    naive = CategoricalNB(estimate="mle").fit(X, y)
    assert_allclose(
        model.predict_joint_log_proba(at),
        naive.predict_joint_log_proba(at),
        atol=1e-12,
    )


def test_relative_frequencies_are_the_mean_of_all_spodes():
    X, y = truth.dependent_rows(80, seed=11)
    joints = [
        np.exp(
            SPODE(parent=i, estimate="mle")
            .fit(X, y)
            .predict_joint_log_proba(X)
        )
        for i in range(4)
    ]
    model = AODE(m=1, estimate="mle").fit(X, y)
    assert_allclose(
        np.exp(model.predict_joint_log_proba(X)),
        np.mean(joints, axis=0),
        atol=1e-15,
    )


def test_many_columns_do_not_underflow():
    # In the row half of the columns contradict the other half.
    X, y = np.tile([[0] * 80, [1] * 80], (3, 1)), np.array([0, 0, 1, 1, 1, 1])
    row = [0] * 40 + [1] * 40
    model = AODE(m=1, alpha=1e-12).fit(X, y)
    joint = model.predict_joint_log_proba([row])
    assert joint.max() < -1000
    data = truth.Data(X, y.tolist(), [2] * 80)
    wanted = truth.aode_joint(tuple(row), data, 1, alpha=1e-12)
    assert_allclose(joint, naive_truth.logs([wanted]), rtol=1e-12)


# -- the threshold ------------------------------------------------------------


def test_values_are_frequent_enough_from_m_rows_on():
    X = np.array([[0, 0]] * 3 + [[0, 1]] * 2 + [[1, 1]] * 2)
    y = [0, 1, 0, 1, 0, 1, 0]
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    # N: five and two in the first column, three and four in the second.
    for m, qualified in {
        2: [[1, 1], [1, 1], [1, 1], [1, 1]],
        3: [[1, 1], [1, 1], [0, 1], [0, 1]],
        4: [[1, 0], [1, 1], [0, 0], [0, 1]],
        5: [[1, 0], [1, 0], [0, 0], [0, 0]],
        6: [[0, 0], [0, 0], [0, 0], [0, 0]],
    }.items():
        model = AODE(m=m).fit(X, y)
        assert model.super_parents(rows).tolist() == qualified


def test_rare_values_leave_naive_bayes_and_say_so():
    X, y = truth.dependent_rows(90, seed=13)
    X[:2] = 3
    model = AODE(m=3).fit(X, y)
    naive = CategoricalNB().fit(X, y)
    with pytest.warns(UserWarning, match=r"\b2\b.*naive Bayes"):
        joint = model.predict_joint_log_proba(X)
    assert_allclose(
        joint[:2], naive.predict_joint_log_proba(X[:2]), atol=1e-12
    )
    assert (np.abs(joint - naive.predict_joint_log_proba(X))[2:] > 1e-6).any()
    for ask in (model.predict, model.predict_proba):
        with pytest.warns(UserWarning, match=r"naive Bayes") as told:
            ask(X)
        assert len(told) == 1
    # Without such rows nobody is warned: warnings are errors here.
    model.predict(X[2:])


def test_the_smoothing_of_naive_bayes_is_that_of_the_model():
    X, y = truth.dependent_rows(61, seed=14)
    how = {"alpha": 0.4, "class_alpha": 3}
    with pytest.warns(UserWarning, match=r"1,?000.*61|61.*1,?000"):
        model = AODE(m=1000, **how).fit(X, y)
    with pytest.warns(UserWarning, match=r"\b61\b.*naive Bayes"):
        joint = model.predict_joint_log_proba(X)
    naive = CategoricalNB(**how).fit(X, y)
    assert_allclose(joint, naive.predict_joint_log_proba(X), atol=1e-12)


def test_as_many_rows_as_the_threshold_are_enough():
    X, y = truth.dependent_rows(30, seed=15)
    X[:, 0] = 0
    model = AODE().fit(X, y)  # m = 30
    assert model.super_parents(X)[:, 0].all()
    with pytest.warns(UserWarning, match="30"):
        AODE().fit(X[1:], y[1:])


def test_weights_may_miss_the_threshold_by_roundings():
    # 300 tenths are 29.99... or 30, as they are added.
    X = np.stack([np.zeros(300, dtype=int), np.arange(300) % 2], axis=1)
    y, tenths = np.arange(300) % 3, np.full(300, 0.1)
    batch, pieces = AODE(m=30).fit(X, y, tenths), AODE(m=30)
    for rows in np.split(np.arange(300), [7, 100]):
        pieces.partial_fit(X[rows], y[rows], [0, 1, 2], tenths[rows])
    for model in (batch, pieces):
        assert model.super_parents([[0, 1]]).tolist() == [[True, False]]
    assert (
        not AODE(m=30.1)
        .partial_fit(X, y, [0, 1, 2], tenths)
        .super_parents([[0, 1]])
        .any()
    )


def test_thirty_rows_are_asked_for_by_default():
    assert AODE().m == 30


def test_thresholds_are_numbers_as_everywhere():
    X, y = truth.dependent_rows(60, seed=15)
    wanted = AODE(m=2.5).fit(X, y).super_parents(X)
    assert (AODE(m="5/2").fit(X, y).super_parents(X) == wanted).all()
    with pytest.warns(UserWarning, match=r"m=122\.5 is more than the 60"):
        AODE(m="245/2").fit(X, y)


@pytest.mark.parametrize("m", [-1, np.nan, "many", None])
def test_thresholds_that_make_no_sense(m):
    with pytest.raises(ProbabilityError, match=r"\bm is"):
        AODE(m=m).fit([[0, 1], [1, 0]], [0, 1])


def test_unseen_states_are_no_super_parents_but_errors():
    X, y = truth.dependent_rows(60, seed=16)
    model = AODE(m=1).fit(X, y)
    with pytest.raises(ValueError, match="7"):
        model.super_parents([[0, 1, 2, 7]])


# -- structures ---------------------------------------------------------------


def test_every_column_is_a_super_parent_of_one_structure():
    X, y = truth.dependent_rows(60, seed=17, n_columns=3)
    model = AODE(m=1).fit(X, y)
    assert isinstance(model.structures_, tuple)
    names = ["x0", "x1", "x2"]
    for parent, graph in zip(names, model.structures_, strict=True):
        assert isinstance(graph, nx.DiGraph)
        wanted = {("class", name) for name in names}
        wanted |= {(parent, name) for name in names if name != parent}
        assert set(graph.edges) == wanted
    assert not hasattr(model, "structure_")


def test_the_number_of_parameters_by_hand():
    # Three, two and four states, two classes.
    X = [[0, 0, 3], [1, 1, 0], [2, 0, 1]]
    model = AODE(m=1).fit(X, [0, 1, 1])
    # The distribution of class and super-parent, and a distribution of each
    # other column for each of their pairs.
    wanted = (6 - 1 + 6 * (1 + 3)) + (4 - 1 + 4 * (2 + 3))
    wanted += 8 - 1 + 8 * (2 + 1)
    assert model.n_parameters_ == wanted


def test_there_is_no_distribution_to_draw_rows_from():
    X, y = truth.dependent_rows(60, seed=23)
    with pytest.raises(
        ProbabilityError, match="no distribution to draw rows from"
    ):
        AODE(m=1).fit(X, y).sample(3, rng=0)
