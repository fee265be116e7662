"""Mixtures in classes, against naive Bayes and against written-out sums."""

import numpy as np
import pytest
from sklearn import naive_bayes as sk
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from bayesbook.sequences import MixtureClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 3)) + np.repeat([0, 1, 3], 30)[:, None]
Y = np.repeat(["a", "b", "c"], 30)


@parametrize_with_checks([MixtureClassifier()])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def test_one_gaussian_is_naive_bayes():
    ours = MixtureClassifier(1, var_smoothing=0).fit(X, Y)
    library = GaussianNB(var_smoothing=0, class_prior="uniform").fit(X, Y)
    theirs = sk.GaussianNB(var_smoothing=0).fit(X, Y)
    np.testing.assert_allclose(ours.predict_proba(X), library.predict_proba(X))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))


@pytest.mark.parametrize("alpha", [0.5, 1.0])
def test_one_component_of_bernoullis_is_naive_bayes(alpha):
    rows = (X > 1).astype(int)
    ours = MixtureClassifier(1, "bernoulli", alpha=alpha).fit(rows, Y)
    library = BernoulliNB(alpha=alpha).fit(rows, Y)
    theirs = sk.BernoulliNB(alpha=alpha).fit(rows, Y)
    for other in (library, theirs):
        np.testing.assert_allclose(
            ours.predict_proba(rows), other.predict_proba(rows)
        )


def test_one_component_of_categories_is_naive_bayes():
    rows = np.clip(X.round() + 1, 0, 4).astype(int)
    assert all(len(set(column)) == 5 for column in rows.T)
    ours = MixtureClassifier(1, "categorical", alpha=1).fit(rows, Y)
    library = CategoricalNB(alpha=1, min_categories=5).fit(rows, Y)
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(rows),
        library.predict_joint_log_proba(rows),
    )


def test_two_components_see_what_one_cannot():
    """Exclusive or: the columns of each class say nothing by themselves."""
    bits = RNG.integers(0, 2, (400, 2))
    labels = bits[:, 0] ^ bits[:, 1]
    one, two = (
        MixtureClassifier(
            K, "bernoulli", alpha=0.1, n_init=5, random_state=0
        ).fit(bits, labels)
        for K in (1, 2)
    )
    assert one.score(bits, labels) < 0.7
    assert two.score(bits, labels) == 1


def test_the_joint_is_a_prior_times_a_mixture():
    model = MixtureClassifier(
        {"a": 1, "b": 2, "c": 3}, class_prior=[0.2, 0.3, 0.5], random_state=0
    ).fit(X, Y)
    assert [len(m.weights_) for m in model.mixtures_] == [1, 2, 3]
    joint = model.predict_joint_log_proba(X)
    for c, mixture in enumerate(model.mixtures_):
        np.testing.assert_allclose(
            joint[:, c], np.log([0.2, 0.3, 0.5][c]) + mixture.log_prob(X)
        )
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert (model.predict(X) == model.classes_[joint.argmax(axis=1)]).all()


def test_a_column_that_is_constant_in_a_class():
    rows = X.copy()
    rows[:30, 0] = 7
    model = MixtureClassifier(2, random_state=0).fit(rows, Y)
    assert model.score(rows, Y) > 0.8
    with pytest.raises(ProbabilityError, match="class 'a': The covariance"):
        MixtureClassifier(1, var_smoothing=0).fit(rows, Y)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            MixtureClassifier(31),
            "class 'a': n_components=31, but n_samples=30",
        ),
        (MixtureClassifier({"a": 1, "b": 1}), "no number for class 'c'"),
        (MixtureClassifier(class_prior=[0.5, 0.5]), "there are 2 for"),
        (MixtureClassifier(class_prior="even"), "'uniform'"),
        (MixtureClassifier(class_alpha=-1), "class_alpha is -1"),
        (MixtureClassifier(family="normal"), "'normal' is none of"),
    ],
)
def test_wrong_training_is_refused(model, message):
    with pytest.raises(ProbabilityError, match=message):
        model.fit(X, Y)


def test_an_impossible_row_is_named():
    rows, labels = [[0, 0], [0, 1], [0, 1], [0, 0]], [0, 0, 1, 1]
    model = MixtureClassifier(1, "bernoulli").fit(rows, labels)
    with pytest.raises(ZeroProbabilityError, match="Row 1 is impossible"):
        model.predict([[0, 1], [1, 1]])
