"""The classifier against thresholds by hand, and scikit-learn's checks."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import estimator_checks_generator

from bayesbook.base import ProbabilityError
from bayesbook.decision import (
    CostSensitiveClassifier,
    LossMatrix,
    empirical_risk,
)

NAN = float("nan")
X, Y = make_classification(200, flip_y=0.2, class_sep=0.5, random_state=0)
NAMES = np.array(["well", "ill"])[Y]
CARE = LossMatrix([[0, 1], [9, 0]], ("ill", "well"))


# One of the checks gives a class no weight, and GaussianNB takes its log.
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@pytest.mark.parametrize(
    ("estimator", "check"),
    [
        pytest.param(estimator, check, id=f"{inner}-{check.func.__name__}")
        for inner in (LogisticRegression(), GaussianNB())
        for estimator, check in estimator_checks_generator(
            CostSensitiveClassifier(inner)
        )
        # It needs a library of arrays that is none of ours.
        if "array_api" not in check.func.__name__
    ],
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


# --- Decisions ------------------------------------------------------------


def test_two_classes_have_the_threshold_of_elkan():
    """Call it 1 where p(1) > (c10 - c00) / (c10 - c00 + c01 - c11)."""
    c00, c01, c10, c11 = 0.5, 4.0, 1.5, -1.0
    model = CostSensitiveClassifier(GaussianNB(), [[c00, c01], [c10, c11]])
    threshold = (c10 - c00) / (c10 - c00 + c01 - c11)
    p = GaussianNB().fit(X, Y).predict_proba(X)
    decided = model.fit(X, Y).predict(X)
    assert decided.tolist() == (p[:, 1] > threshold).astype(int).tolist()
    assert (decided != p.argmax(axis=1)).any()
    np.testing.assert_array_equal(model.predict_proba(X), p)


def test_zero_one_loss_changes_nothing():
    iris, kind = load_iris(return_X_y=True)
    for estimator in (GaussianNB(), LogisticRegression(max_iter=1000)):
        model = CostSensitiveClassifier(estimator).fit(iris, kind)
        plain = clone(estimator).fit(iris, kind)
        np.testing.assert_array_equal(model.predict(iris), plain.predict(iris))
        assert model.score(iris, kind) == plain.score(iris, kind)
        assert model.predict(iris).dtype == kind.dtype


def test_decisions_have_the_least_mean_loss_under_the_probabilities():
    iris, kind = load_iris(return_X_y=True)
    losses = np.array([[0, 2, 1], [5, 0, 3], [1, 1, 0], [0.4, 0.4, 0.4]])
    loss = LossMatrix(losses, (0, 1, 2), (0, 1, 2, "ask"))
    model = CostSensitiveClassifier(GaussianNB(), loss).fit(iris, kind)
    least = [
        min((0, 1, 2, 3), key=lambda i, p=p: float(losses[i] @ p))
        for p in model.predict_proba(iris)
    ]
    names = [0, 1, 2, "ask"]
    assert model.predict(iris).tolist() == [names[i] for i in least]
    assert "ask" in model.predict(iris)


def test_states_are_matched_by_name():
    model = CostSensitiveClassifier(GaussianNB(), CARE).fit(X, NAMES)
    assert model.classes_.tolist() == ["ill", "well"]
    swapped = LossMatrix([[1, 0], [0, 9]], ("well", "ill"), ("ill", "well"))
    other = CostSensitiveClassifier(GaussianNB(), swapped).fit(X, NAMES)
    assert other.loss_.states == ("ill", "well")
    np.testing.assert_array_equal(other.predict(X), model.predict(X))
    ill = model.predict_proba(X)[:, 0]
    assert ((model.predict(X) == "ill") == (ill > 0.1)).all()
    assert model.predict(X).dtype == NAMES.dtype


def test_what_is_rejected_has_a_name():
    reject = CostSensitiveClassifier(
        GaussianNB(), LossMatrix.zero_one((0, 1)).with_reject(0.2, name="ask")
    ).fit(X, Y)
    decided = reject.predict(X)
    unsure = reject.predict_proba(X).max(axis=1) < 0.8
    assert 0 < unsure.sum() < len(X)
    assert ((decided == "ask") == unsure).all()
    assert decided.dtype == object
    assert set(decided.tolist()) == {0, 1, "ask"}
    right = (decided == Y).mean()
    assert reject.score(X, Y) == right
    risk = empirical_risk(reject.loss_, Y, decided)
    mistakes = ((decided != Y) & ~unsure).mean()
    assert risk == pytest.approx(mistakes + 0.2 * unsure.mean())


def test_decisions_that_are_no_classes():
    loss = LossMatrix([[0, 1], [9, 0]], ("ill", "well"), ("treat", "wait"))
    model = CostSensitiveClassifier(GaussianNB(), loss).fit(X, NAMES)
    assert set(model.predict(X)) == {"treat", "wait"}
    with pytest.raises(ProbabilityError, match="'treat', 'wait' are not cla"):
        model.score(X, NAMES)
    assert 0 <= empirical_risk(model.loss_, NAMES, model.predict(X)) < 1


def test_the_costs_were_worth_it():
    plain = cross_val_predict(GaussianNB(), X, NAMES)
    careful = cross_val_predict(
        CostSensitiveClassifier(GaussianNB(), CARE), X, NAMES
    )
    assert empirical_risk(CARE, NAMES, careful) < empirical_risk(
        CARE, NAMES, plain
    )


def test_the_score_has_weights():
    model = CostSensitiveClassifier(GaussianNB()).fit(X, Y)
    weights = np.arange(len(Y))
    right = model.predict(X) == Y
    truth = (right * weights).sum() / weights.sum()
    assert model.score(X, Y, weights) == pytest.approx(truth)
    assert type(model.score(X, Y)) is float


# --- A good citizen -------------------------------------------------------


def test_data_go_in_as_the_estimator_takes_them():
    counts = np.array([[3, 0], [2, 1], [0, 4], [1, 3]])
    model = CostSensitiveClassifier(MultinomialNB())
    rows = sparse.csr_array(counts)
    assert model.fit(rows, [0, 0, 1, 1]).predict(rows).tolist() == [0, 0, 1, 1]
    frame = pd.DataFrame(counts, columns=["u", "v"])
    model.fit(frame, pd.Series(list("aabb")))
    assert model.feature_names_in_.tolist() == ["u", "v"]
    assert model.n_features_in_ == 2
    assert model.predict(frame).tolist() == list("aabb")
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["v", "u"]])


def test_it_has_one_label_for_a_case_whatever_the_estimator_can():
    neighbours = KNeighborsClassifier()
    assert neighbours.__sklearn_tags__().classifier_tags.multi_label
    tags = CostSensitiveClassifier(neighbours).__sklearn_tags__()
    assert not tags.classifier_tags.multi_label


def test_weights_go_to_the_estimator():
    weights = np.where(Y == 1, 5.0, 1.0)
    model = CostSensitiveClassifier(GaussianNB())
    model.fit(X, Y, sample_weight=weights)
    truth = GaussianNB().fit(X, Y, sample_weight=weights)
    np.testing.assert_array_equal(
        model.predict_proba(X), truth.predict_proba(X)
    )


def test_it_works_in_pipelines_and_searches():
    inner = make_pipeline(StandardScaler(), KNeighborsClassifier())
    search = GridSearchCV(
        CostSensitiveClassifier(inner),
        {
            "estimator__kneighborsclassifier__n_neighbors": [1, 15],
            "loss": [None, [[0, 1], [9, 0]], LossMatrix.zero_one((0, 1))],
        },
        cv=2,
    ).fit(X, Y)
    best = search.best_params_["loss"]
    assert best is None
    assert search.best_score_ > 0.5


def test_the_estimator_that_is_given_is_not_trained():
    mine = GaussianNB()
    model = CostSensitiveClassifier(mine, CARE)
    assert model.fit(X, NAMES) is model
    assert not hasattr(mine, "classes_")
    assert clone(model).loss == CARE


# --- Errors ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (SGDClassifier(), "SGDClassifier has no predict_proba; wrap it in"),
        (SVC(), "SVC has no predict_proba; .*CalibratedClassifierCV"),
    ],
)
def test_no_probabilities(estimator, message):
    with pytest.raises(ProbabilityError, match=message):
        CostSensitiveClassifier(estimator).fit(X, Y)


class Slow(GaussianNB):
    def fit(self, X, y):
        raise AssertionError("the loss is looked at first")


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ([[0, 1, 2], [1, 0, 2]], r"shape \(2, 3\).* need the shape \(2, 2\)"),
        ([[0, 1], [1, 0], [0.3, 0.3]], r"shape \(3, 2\)"),
        ([[0, NAN], [1, 0]], "loss of 'ill' when the state is 'well' is nan"),
        (LossMatrix.zero_one(("il", "well")), "no state 'ill'; .*mean 'il'"),
        (
            LossMatrix.zero_one(("ill", "well", "dead")),
            "has a state 'dead', which is not one of 'ill', 'well'",
        ),
    ],
)
def test_a_loss_for_other_classes(loss, message):
    with pytest.raises(ProbabilityError, match=message):
        CostSensitiveClassifier(Slow(), loss).fit(X, NAMES)


def test_a_loss_that_is_a_function():
    with pytest.raises(TypeError, match=r"LossMatrix\.from_function"):
        CostSensitiveClassifier(Slow(), lambda y, a: y != a).fit(X, NAMES)


@pytest.mark.parametrize("missing", [None, NAN])
def test_a_label_that_is_missing(missing):
    labels = NAMES.astype(object)
    labels[7] = missing
    with pytest.raises(ProbabilityError, match="y has no label in row 7"):
        CostSensitiveClassifier(GaussianNB()).fit(X, labels)


def test_one_class_or_none():
    with pytest.raises(ProbabilityError, match="only one class in y, 'ill'"):
        CostSensitiveClassifier(GaussianNB()).fit(X, ["ill"] * len(X))
    with pytest.raises(ProbabilityError, match="y is empty"):
        CostSensitiveClassifier(GaussianNB()).fit(X[:0], [])


class Careless(ClassifierMixin, BaseEstimator):
    """Believes in numbers that are no probabilities."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.6)


def test_probabilities_that_are_none():
    model = CostSensitiveClassifier(Careless()).fit(X, Y)
    assert not hasattr(model, "n_features_in_")
    with pytest.raises(ProbabilityError, match="Row 0 of the posterior sums"):
        model.predict(X)


def test_rounding_in_the_estimator_is_no_mistake():
    """A column that was constant in training, and is not afterwards."""
    X = pd.DataFrame({"age": [1.0, 2, 3, 4, 5, 6], "lamp": 1.0})
    y = list("aaabbb")
    within = GaussianNB().fit(X, y)
    later = X.assign(lamp=[2.0, 1, 4, 3, 6, 5])
    assert np.abs(within.predict_proba(later).sum(axis=1) - 1).max() > 1e-9
    wrapped = CostSensitiveClassifier(GaussianNB()).fit(X, y)
    assert wrapped.predict(later).tolist() == within.predict(later).tolist()
