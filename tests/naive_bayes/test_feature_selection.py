"""The selector of columns with the most mutual information."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.feature_selection import SelectKBest
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import ProbabilityError
from bayesbook.data import mutual_information
from bayesbook.naive_bayes import MutualInformationSelector

X = np.array([[0, 1], [0, 0], [1, 1], [1, 1], [2, 0]])
y = np.array(["a", "a", "b", "b", "a"])
NAMES = np.array(["red", "green", "blue"])


@parametrize_with_checks(
    [MutualInformationSelector(k="all", unit="bits")],
    expected_failed_checks=lambda _: {
        "check_sample_weight_equivalence_on_dense_data": (
            "its columns are not discrete; the test of repetitions does it"
        )
    },
)
def test_keeps_the_manners_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("k", [0, 1, 5, 64, "all"])
@pytest.mark.filterwarnings("ignore:No features were selected")
def test_selects_what_select_k_best_does(k):
    X, y = load_digits(return_X_y=True)
    ours = MutualInformationSelector(k, unit="bits").fit(X, y)
    theirs = SelectKBest(mutual_information, k=k).fit(X, y)
    assert ours.get_support().tolist() == theirs.get_support().tolist()
    assert (ours.transform(X) == theirs.transform(X)).all()


def test_data_frames_keep_their_names_and_their_texts():
    frame = pd.DataFrame({"color": NAMES[X[:, 0]], "size": X[:, 1]})
    selector = MutualInformationSelector(k=1, unit="bits").fit(frame, y)
    assert selector.feature_names_in_.tolist() == ["color", "size"]
    assert selector.get_feature_names_out().tolist() == ["color"]
    assert (
        selector.transform(frame).tolist()
        == frame[["color"]].to_numpy(object).tolist()
    )
    selector.set_output(transform="pandas")
    pd.testing.assert_frame_equal(selector.transform(frame), frame[["color"]])
    with pytest.raises(ValueError, match="feature names"):
        selector.transform(frame.rename(columns={"color": "colour"}))


@given(
    hnp.arrays(int, (12, 3), elements=st.integers(0, 3)),
    hnp.arrays(int, 12, elements=st.integers(0, 2)),
    hnp.arrays(int, 12, elements=st.integers(0, 3)),
)
def test_a_weight_is_a_number_of_repetitions(X, y, weights):
    weights[0] = 1
    weighted = MutualInformationSelector(k=1).fit(X, y, sample_weight=weights)
    repeated = MutualInformationSelector(k=1).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    assert weighted.scores_ == pytest.approx(repeated.scores_, abs=1e-15)


def test_sparse_matrices_stay_sparse():
    words = sparse.csr_array(X)
    selector = MutualInformationSelector(k=1, unit="bits").fit(words, y)
    kept = selector.transform(words)
    assert sparse.issparse(kept)
    assert kept.toarray().tolist() == X[:, selector.get_support()].tolist()


def test_units_and_pseudo_counts_of_the_selector():
    for unit, alpha in (("bits", 0), ("nats", 2)):
        selector = MutualInformationSelector(1, unit=unit, alpha=alpha).fit(
            X, y
        )
        assert selector.scores_ == pytest.approx(
            mutual_information(X, y, unit=unit, pseudo_count=alpha)
        )


def test_the_selector_can_be_copied_and_stored():
    selector = MutualInformationSelector(1, unit="nats", alpha=0.5)
    assert clone(selector).get_params() == selector.get_params()
    fitted = pickle.loads(pickle.dumps(selector.fit(X, y)))
    assert fitted.get_support().tolist() == selector.get_support().tolist()
    fitted.set_params(k=2)
    assert fitted.get_support().tolist() == [True, True]


def test_more_columns_than_there_are_are_all_with_a_warning():
    with pytest.warns(UserWarning, match="k=3 is greater than n_features=2"):
        selector = MutualInformationSelector(k=3, unit="bits").fit(X, y)
    assert selector.get_support().all()


@pytest.mark.parametrize(
    ("k", "message"),
    [
        (-1, "k is -1; it must be at least 0"),
        (1.5, "k is 1.5: not a whole number"),
        ("al", "k is 'al'"),
        (None, "k is None: not a number"),
    ],
)
def test_numbers_of_columns_that_make_no_sense(k, message):
    with pytest.raises(ProbabilityError, match=message):
        MutualInformationSelector(k=k, unit="bits").fit(X, y)
