"""What scikit-learn asks of an estimator, of every one of the package."""

import importlib
import inspect
import pkgutil
import warnings

import pytest
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

import bayesbook
from bayesbook.decision import CostSensitiveClassifier
from bayesbook.naive_bayes import (
    AugmentedNaiveBayes,
    CategoricalClassifier,
    DocumentNB,
    MutualInformationSelector,
    NaiveBayes,
    SemiNaiveBayes,
)
from bayesbook.sequences import HiddenMarkov

BASE_CLASSES = {
    NaiveBayes,
    CategoricalClassifier,
    DocumentNB,
    SemiNaiveBayes,
    AugmentedNaiveBayes,
}
# Those that need something, or more columns than the checks give.
PARAMETERS = {
    CostSensitiveClassifier: {"estimator": LogisticRegression()},
    MutualInformationSelector: {"k": 1},
    # A table of numbers is a sequence of vectors.
    HiddenMarkov: {"emissions": "gaussian"},
}
EXPECTED_TO_FAIL = {
    MutualInformationSelector: {
        "check_sample_weight_equivalence_on_dense_data": (
            "its columns are not discrete; tests/naive_bayes/"
            "test_feature_selection.py has the test of repetitions"
        )
    },
    # What a sequence can meet is in tests/sequences/test_hidden_markov.py.
    HiddenMarkov: {
        f"check_{name}": reason
        for reason, names in {
            "the second argument of fit are the states, where they are seen": (
                "dict_unchanged dont_overwrite_parameters "
                "estimators_fit_returns_self estimators_overwrite_params "
                "f_contiguous_array_estimator fit_score_takes_y "
                "positive_only_tag_during_fit readonly_memmap_input"
            ),
            "the rows of a sequence are in an order": (
                "methods_sample_order_invariance methods_subset_invariance"
            ),
            "a list of sequences is no table, and has no number of columns": (
                "n_features_in n_features_in_after_fitting"
            ),
            "what is refused is named as a part of a sequence": (
                "complex_data dtype_object estimator_sparse_array "
                "estimator_sparse_matrix estimator_sparse_tag "
                "estimators_empty_data_messages estimators_nan_inf "
                "fit2d_1sample fit2d_predict1d"
            ),
        }.items()
        for name in names.split()
    },
}


def estimators():
    """Return all public estimators of the package."""
    found = set()
    for room in pkgutil.iter_modules(bayesbook.__path__, "bayesbook."):
        module = importlib.import_module(room.name)
        found |= {getattr(module, name) for name in module.__all__}
    kinds = {member for member in found if inspect.isclass(member)}
    estimators = {kind for kind in kinds if issubclass(kind, BaseEstimator)}
    return sorted(estimators - BASE_CLASSES, key=lambda kind: kind.__name__)


ESTIMATORS = estimators()


@parametrize_with_checks(
    [kind(**PARAMETERS.get(kind, {})) for kind in ESTIMATORS],
    expected_failed_checks=lambda own: EXPECTED_TO_FAIL.get(type(own), {}),
)
def test_keeps_the_manners_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        # Of fewer rows than AODE asks for, or codes that may be none.
        warnings.simplefilter("ignore", UserWarning)
        check(estimator)


@pytest.mark.parametrize(
    "kind",
    sorted(BASE_CLASSES, key=lambda kind: kind.__name__),
    ids=lambda kind: kind.__name__,
)
def test_base_classes_are_not_estimators_of_their_own(kind):
    assert any(issubclass(own, kind) for own in ESTIMATORS)


def test_all_are_found():
    names = {kind.__name__ for kind in ESTIMATORS}
    assert {"BernoulliNB", "KDB", "EntropyDiscretizer"} <= names
    assert len(names) >= 14
