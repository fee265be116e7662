"""BernoulliNB against exact fractions and scikit-learn."""

from fractions import Fraction

import naive_truth as truth
import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from scipy import sparse

from bayesbook.conjugate import BetaBernoulli
from bayesbook.naive_bayes import BernoulliNB

# How the errors say that all classes are.
IMPOSSIBLE = r"probability zero|impossible"

CLASSES = ["ham", "eggs"]


def rows(least=0, most=1):
    """Rows of numbers, with two classes that both occur."""
    elements = st.integers(least, most)
    return st.integers(2, 20).flatmap(
        lambda n: st.tuples(
            hnp.arrays(np.int64, (n, 3), elements=elements),
            st.lists(st.sampled_from(CLASSES), min_size=n, max_size=n).filter(
                lambda y: len(set(y)) == 2
            ),
        )
    )


def wanted_joint(X, y, at, alpha, class_alpha, estimate, weights=None):
    classes = sorted(set(y))
    prior = truth.class_distribution(
        y, classes, class_alpha, estimate, weights
    )
    distributions = truth.tables(
        X.tolist(),
        y,
        classes,
        [(0, 1)] * X.shape[1],
        alpha,
        estimate,
        weights=weights,
    )
    return [truth.joint(row, prior, distributions) for row in at]


@given(
    rows(),
    st.sampled_from([("bayes", 1), ("bayes", 0.25), ("map", 2), ("map", 1.5)]),
)
@settings(max_examples=25)
def test_equals_exact_fractions(data, how):
    X, y = data
    estimate, alpha = how
    model = BernoulliNB(alpha=alpha, class_alpha=alpha, estimate=estimate).fit(
        X, y
    )
    wanted = wanted_joint(X, y, X.tolist(), alpha, alpha, estimate)
    assert model.predict_joint_log_proba(X) == pytest.approx(
        truth.logs(wanted)
    )
    posterior = [[float(p / sum(row)) for p in row] for row in wanted]
    assert model.predict_proba(X) == pytest.approx(np.array(posterior))


@given(rows())
@settings(max_examples=25)
def test_relative_frequencies_ignore_the_smoothing(data):
    X, y = data
    model = BernoulliNB(alpha=5, estimate="mle").fit(X, y)
    # Rows of the training are possible in their own class.
    wanted = wanted_joint(X, y, X.tolist(), 0, 0, "mle")
    assert model.predict_joint_log_proba(X) == pytest.approx(
        truth.logs(wanted)
    )
    mode = BernoulliNB(alpha=1, class_alpha=1, estimate="map")
    assert mode.fit(X, y).predict_joint_log_proba(X) == pytest.approx(
        model.predict_joint_log_proba(X)
    )


@given(
    rows(-2, 2),
    st.sampled_from([0.1, 1, 7]),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=25)
def test_equals_scikit_learn(data, alpha, is_sparse, fit_prior):
    X, y = data
    theirs = sklearn.naive_bayes.BernoulliNB(
        alpha=alpha, binarize=0.5, fit_prior=fit_prior
    ).fit(X, y)
    ours = BernoulliNB(
        alpha=alpha,
        class_alpha=0,
        binarize=0.5,
        class_prior=None if fit_prior else "uniform",
    )
    given_ = sparse.csr_array(X.astype(float)) if is_sparse else X
    ours.fit(given_, y)
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    for name in (
        "class_count_",
        "feature_count_",
        "class_log_prior_",
        "feature_log_prob_",
    ):
        assert getattr(ours, name) == pytest.approx(
            getattr(theirs, name), abs=1e-10
        )
    for name in ("predict_proba", "predict_log_proba"):
        assert getattr(ours, name)(given_) == pytest.approx(
            getattr(theirs, name)(X), abs=1e-10
        )
    assert ours.predict_joint_log_proba(given_) == pytest.approx(
        theirs.predict_joint_log_proba(X), abs=1e-10
    )
    assert ours.predict(given_).tolist() == theirs.predict(X).tolist()


def test_equals_scikit_learn_on_many_rows():
    # Enough of them for every way of counting, dense and sparse.
    rng = np.random.default_rng(9)
    X = (rng.random((5000, 40)) < rng.random(40)).astype(np.int8)
    y = rng.integers(5, size=5000)
    weights = rng.random(5000)
    theirs = sklearn.naive_bayes.BernoulliNB().fit(X, y, weights)
    for data in (X, X.astype(bool), X.astype(float), sparse.csr_matrix(X)):
        ours = BernoulliNB(class_alpha=0).fit(data, y, weights)
        assert_allclose(
            ours.predict_log_proba(data),
            theirs.predict_log_proba(X),
            rtol=0,
            atol=1e-10,
        )
        assert_allclose(
            ours.class_log_likelihood(data),
            theirs.predict_joint_log_proba(X) - theirs.class_log_prior_,
            rtol=0,
            atol=1e-10,
        )


def test_the_estimates_are_those_of_the_conjugate_family():
    X = np.array([[1], [1], [0], [1], [0]])
    y = [0, 0, 0, 0, 1]
    posterior = BetaBernoulli(2.5, 2.5).update([1, 1, 0, 1])
    mean = BernoulliNB(alpha=2.5).fit(X, y)
    assert np.exp(mean.feature_log_prob_[0, 0]) == pytest.approx(
        posterior.mean()
    )
    mode = BernoulliNB(alpha=2.5, class_alpha=2, estimate="map")
    mode.fit(X, y)
    assert np.exp(mode.feature_log_prob_[0, 0]) == pytest.approx(
        posterior.mode()
    )
    assert np.exp(mode.class_log_prior_) == pytest.approx([5 / 7, 2 / 7])


@given(rows(0, 2))
def test_missing_values_are_summed_out(data):
    X, y = data
    holes = np.where(X == 2, np.nan, X)
    model = BernoulliNB(missing="marginalise").fit(holes, y)
    classes = sorted(set(y))
    known = [[None if x == 2 else x for x in row] for row in X.tolist()]
    prior = truth.class_distribution(y, classes)
    distributions = truth.tables(known, y, classes, [(0, 1)] * 3)
    # Not by leaving out: the sum over all values of the missing entries.
    wanted = []
    for row in known:
        full = [[]]
        for x in row:
            values = (0, 1) if x is None else (x,)
            full = [[*before, v] for before in full for v in values]
        every = [truth.joint(one, prior, distributions) for one in full]
        wanted.append([sum(p) for p in zip(*every, strict=True)])
    assert model.predict_joint_log_proba(holes) == pytest.approx(
        truth.logs(wanted)
    )


def test_missing_values_are_an_error_unless_they_are_summed_out():
    X, y = np.array([[1.0], [np.nan], [0.0]]), [0, 1, 0]
    with pytest.raises(ValueError, match="NaN"):
        BernoulliNB().fit(X, y)
    model = BernoulliNB().fit([[1], [1], [0]], y)
    with pytest.raises(ValueError, match="NaN"):
        model.predict(X)


def test_nothing_known_leaves_the_prior():
    model = BernoulliNB(missing="marginalise").fit([[1], [0], [1]], [0, 1, 1])
    assert model.predict_log_proba([[np.nan]])[0] == pytest.approx(
        model.class_log_prior_
    )


def test_missing_in_a_data_frame():
    frame = pd.DataFrame({"x": [1, None, 0, 1], "z": [0, 1, 1, None]})
    y = [0, 0, 1, 1]
    model = BernoulliNB(missing="marginalise").fit(frame, y)
    array = BernoulliNB(missing="marginalise").fit(frame.to_numpy(float), y)
    assert model.predict_proba(frame) == pytest.approx(
        array.predict_proba(frame.to_numpy(float))
    )


@pytest.mark.parametrize("threshold", [-1, 0, 2])
def test_what_is_greater_than_the_threshold_is_present(threshold):
    X, y = np.array([[-3, 0], [0, 1], [2, 3], [5, 2]]), [0, 1, 1, 0]
    model = BernoulliNB(binarize=threshold).fit(X, y)
    present = (X - threshold > 0).astype(int)
    binary = BernoulliNB(binarize=None).fit(present, y)
    assert model.feature_count_.tolist() == binary.feature_count_.tolist()
    assert model.predict_joint_log_proba(X) == pytest.approx(
        binary.predict_joint_log_proba(present)
    )


def test_without_a_threshold_the_columns_must_be_binary():
    with pytest.raises(ValueError, match="2"):
        BernoulliNB(binarize=None).fit([[0], [2]], [0, 1])


def test_zeros_are_not_present_in_sparse_matrices_with_low_thresholds():
    # Every entry that is not stored would be present.
    words = sparse.csr_array([[0.0, 2.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match=r"binarize|threshold"):
        BernoulliNB(binarize=-1).fit(words, [0, 1])


def test_stored_zeros_are_absent_and_stored_parts_are_one():
    data, indices = [2.0, -2.0, 0.0, 1.0, 1.0], [0, 0, 0, 0, 0]
    words = sparse.csr_array((data, indices, [0, 2, 3, 5, 5]), shape=(4, 1))
    X, y = words.toarray(), [0, 0, 1, 1]
    assert X.ravel().tolist() == [0, 0, 2, 0]
    ours, dense = BernoulliNB().fit(words, y), BernoulliNB().fit(X, y)
    assert ours.feature_count_.tolist() == dense.feature_count_.tolist()
    assert ours.predict_proba(words) == pytest.approx(dense.predict_proba(X))


def test_the_word_in_every_document():
    # Elkan's example: no document of the training is without it.
    X, y = np.ones((10, 1), dtype=int), [0] * 4 + [1] * 6
    for estimate in ("mle", "map"):
        model = BernoulliNB(estimate=estimate).fit(X, y)
        assert np.exp(model.feature_log_prob_).tolist() == [[1], [1]]
        assert np.isneginf(model.predict_joint_log_proba([[0]])).all()
        with pytest.raises(ValueError, match=IMPOSSIBLE):
            model.predict_proba([[0]])
        with pytest.raises(ValueError, match=IMPOSSIBLE):
            model.predict([[0]])
    mean = BernoulliNB().fit(X, y)
    odds = Fraction(7, 12) * Fraction(1, 8) / (Fraction(5, 12) / 6)
    assert mean.predict_proba([[0]])[0, 1] == pytest.approx(
        float(odds / (1 + odds))
    )


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_words_that_are_never_or_always_there(kind):
    # Zero times the logarithm of zero is zero, not NaN.
    X, y = kind([[1, 0], [1, 1], [0, 1], [0, 1]]), [0, 0, 1, 1]
    model = BernoulliNB(estimate="mle").fit(X, y)
    at = kind([[1, 0], [0, 1], [1, 1]])
    assert np.exp(model.class_log_likelihood(at)) == pytest.approx(
        np.array([[1 / 2, 0], [0, 1], [1 / 2, 0]])
    )
    with pytest.raises(ValueError, match="impossible"):
        model.predict(kind([[0, 0]]))


def test_documents_without_words():
    words = sparse.csr_array((3, 4))
    model = BernoulliNB().fit(words, [0, 1, 1])
    theirs = sklearn.naive_bayes.BernoulliNB().fit(words, [0, 1, 1])
    ours = BernoulliNB(class_alpha=0).fit(words, [0, 1, 1])
    assert ours.predict_proba(words) == pytest.approx(
        theirs.predict_proba(words)
    )
    assert np.isfinite(model.predict_joint_log_proba(words)).all()


def test_long_rows_do_not_underflow():
    rng = np.random.default_rng(10)
    X = rng.integers(2, size=(20, 1500))
    y = rng.integers(2, size=20)
    model = BernoulliNB().fit(X, y)
    joint = model.predict_joint_log_proba(X)
    assert (np.exp(joint) == 0).all()
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(20))
    wanted = wanted_joint(X, y.tolist(), X[:1].tolist(), 1, 1, "bayes")
    assert joint[:1] == pytest.approx(truth.logs(wanted), rel=1e-12)


def test_the_look_up_table():
    frame = pd.DataFrame({"long": [1, 1, 0], "sweet": [0, 1, 1]})
    model = BernoulliNB().fit(frame, ["b", "b", "a"])
    table = model.to_frame()
    assert isinstance(table, pd.DataFrame)
    values = table.to_numpy(float)
    wanted = np.exp(model.feature_log_prob_)
    for p in wanted.ravel():
        assert np.isclose(values, p).any()


def test_sampled_rows_follow_the_distribution():
    X, y = np.array([[1, 0], [1, 1], [0, 0], [0, 1]]), [0, 0, 0, 1]
    model = BernoulliNB().fit(X, y)
    rows, labels = model.sample(20_000, rng=1)[:2]
    p, share = np.exp(model.feature_log_prob_), np.exp(model.class_log_prior_)
    for k in (0, 1):
        is_k = np.asarray(labels) == k
        assert is_k.mean() == pytest.approx(share[k], abs=0.02)
        assert np.asarray(rows)[is_k].mean(axis=0) == pytest.approx(
            p[k], abs=0.03
        )


def test_a_sparse_matrix_has_no_gaps():
    X = sparse.csr_matrix([[1.0, np.nan], [0, 1], [1, 1]])
    for binarize in (0.0, None):
        model = BernoulliNB(missing="marginalise", binarize=binarize)
        with pytest.raises(ValueError, match="NaN: row 0, column 1"):
            model.fit(X, [0, 1, 1])


def test_stored_duplicates_are_added_in_a_copy():
    X = sparse.csr_matrix(([-1.0, 1, 1], [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    model = BernoulliNB(alpha=0).fit(X, [0, 1])
    assert model.feature_count_.tolist() == [[0, 0], [0, 1]]
    assert X.data.tolist() == [-1, 1, 1]


def test_zeros_and_ones_with_gaps_need_no_threshold():
    X = [[1, np.nan], [0, 1], [np.nan, 0]]
    model = BernoulliNB(binarize=None, missing="marginalise")
    model.fit(X, ["a"] * 3)
    assert model.feature_count_.tolist() == [[1, 1]]
    assert model.feature_total_.tolist() == [[2, 2]]


@pytest.mark.parametrize("value", [0, 1])
def test_weights_leave_nothing_where_a_state_has_no_row(value):
    # So many columns that the rows are added up in several chunks.
    rng = np.random.default_rng(4)
    X, weights = np.full((600, 2000), value), rng.random(600)
    y = rng.integers(2, size=600)
    model = BernoulliNB(estimate="mle").fit(X, y, weights)
    assert not model.class_log_likelihood(X[:1]).any()
    assert np.isneginf(model.class_log_likelihood(1 - X[:1])).all()
