"""What all classifiers share: manners, probabilities, samples."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from naive_examples import (
    KINDS,
    LABELS,
    data_for,
    every,
    rows_of,
    sample,
)
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import NormalInverseGamma
from bayesbook.naive_bayes import (
    AODE,
    DCMNB,
    KDB,
    SPODE,
    TAN,
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    LazyNB,
    MixedNB,
    MultinomialNB,
)

# -- scikit-learn's manners ---------------------------------------------------


@parametrize_with_checks(
    [
        BernoulliNB(missing="marginalise"),
        CategoricalNB(missing="marginalise", unseen="marginalise"),
        GaussianNB(missing="marginalise"),
    ]
)
def test_missing_values_keep_these_manners(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check(estimator)


@every
def test_works_in_pipelines_and_cross_validation(kind):
    X, y = data_for(kind, n=90)
    pipeline = make_pipeline(FunctionTransformer(), kind())
    scores = cross_val_score(pipeline, X, y, cv=3)
    assert scores.shape == (3,)
    assert scores.mean() > 0.34


@every
def test_can_be_copied_changed_and_stored(kind):
    X, y = data_for(kind)
    model = kind(class_prior=[0.2, 0.3, 0.5])
    copied = clone(model)
    assert copied.get_params()["class_prior"] == [0.2, 0.3, 0.5]
    copied.set_params(class_prior="uniform")
    copied.fit(X, y)
    assert copied.class_log_prior_ == pytest.approx(np.log([1 / 3] * 3))
    stored = pickle.loads(pickle.dumps(copied))
    assert stored.predict_proba(X).tolist() == copied.predict_proba(X).tolist()
    assert not hasattr(model, "classes_")
    with pytest.raises(NotFittedError):
        model.predict(X)


@every
def test_the_parameters_are_given_by_name(kind):
    if kind is not MixedNB:
        with pytest.raises(TypeError):
            kind(1.0)
    with pytest.raises(TypeError):
        kind(smoothing=1.0)
    with pytest.raises(ValueError, match="smoothing"):
        kind().set_params(smoothing=1.0)


# -- probabilities ------------------------------------------------------------


@every
def test_the_methods_agree(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    assert model.classes_.tolist() == LABELS.tolist()
    joint = model.predict_joint_log_proba(X)
    assert joint.shape == (60, 3)
    assert joint == pytest.approx(
        model.class_log_prior_ + model.class_log_likelihood(X)
    )
    assert logsumexp(model.class_log_prior_) == pytest.approx(0, abs=1e-12)
    log_posterior = joint - logsumexp(joint, axis=1, keepdims=True)
    assert model.predict_log_proba(X) == pytest.approx(log_posterior)
    assert model.predict_proba(X) == pytest.approx(np.exp(log_posterior))
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(60))
    best = LABELS[joint.argmax(axis=1)]
    assert model.predict(X).tolist() == best.tolist()
    assert model.score(X, y) == np.mean(best == y)


@every
def test_rows_do_not_depend_on_each_other(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    whole = model.predict_joint_log_proba(X)
    for i in (0, 7, 59):
        alone = model.predict_joint_log_proba(rows_of(X, [i]))
        assert alone == pytest.approx(whole[[i]], abs=1e-12)
    many = np.arange(1500) % 60
    assert model.predict_joint_log_proba(rows_of(X, many)) == pytest.approx(
        whole[many], abs=1e-12
    )


@every
@pytest.mark.parametrize("n", [60, 3000])
def test_the_order_of_the_rows_does_not_matter(kind, n):
    X, y = data_for(kind, n)
    order = np.random.default_rng(22).permutation(n)
    sorted_ = kind().fit(X, y).predict_joint_log_proba(X[:50])
    shuffled = (
        kind().fit(rows_of(X, order), y[order]).predict_joint_log_proba(X[:50])
    )
    assert shuffled == pytest.approx(sorted_, rel=1e-6, abs=1e-6)


@every
def test_class_priors(kind):
    X, y = data_for(kind)
    X, y = rows_of(X, np.arange(50)), y[:50]
    counts = np.array([(y == label).sum() for label in LABELS])
    for prior, distribution in (
        ("uniform", [1 / 3] * 3),
        ([0.2, 0.3, 0.5], [0.2, 0.3, 0.5]),
        (np.array([0.5, 0.5, 0]), [0.5, 0.5, 0]),
    ):
        model = kind(class_prior=prior).fit(X, y)
        assert np.exp(model.class_log_prior_) == pytest.approx(distribution)
        assert model.class_count_.tolist() == counts.tolist()
        likelihood = np.exp(model.class_log_likelihood(X))
        posterior = likelihood * distribution
        posterior /= posterior.sum(axis=1, keepdims=True)
        assert model.predict_proba(X) == pytest.approx(posterior, abs=1e-9)
    learnt = kind(class_alpha=0).fit(X, y)
    assert np.exp(learnt.class_log_prior_) == pytest.approx(counts / 50)
    smoothed = {"class_alpha": 2.5}
    if kind is GaussianNB:
        prior = NormalInverseGamma(0, 1, 1, 1)
        smoothed |= {"estimate": "bayes", "prior": prior}
    learnt = kind(**smoothed).fit(X, y)
    assert np.exp(learnt.class_log_prior_) == pytest.approx(
        (counts + 2.5) / 57.5
    )


@pytest.mark.parametrize(
    "kind",
    [*(kind for kind in KINDS if kind is not DCMNB), SPODE, TAN, KDB, AODE],
)
def test_mle_smooths_nothing_in_any_classifier(kind):
    X, y = data_for(kind if kind in KINDS else CategoricalNB)
    X, y = rows_of(X, np.arange(50)), y[:50]
    pseudo = {"alpha": 7, "class_alpha": 5}
    if kind in (GaussianNB, MixedNB):
        del pseudo["alpha"]
    if kind is AODE:
        pseudo["m"] = 1
    model = kind(estimate="mle", **pseudo).fit(X, y)
    shares = [np.mean(y == label) for label in LABELS]
    assert np.exp(model.class_log_prior_) == pytest.approx(shares)
    names = {"alpha", "class_alpha"} & set(pseudo)
    zero = clone(model).set_params(**dict.fromkeys(names, 0)).fit(X, y)
    joint = model.predict_joint_log_proba(X)
    assert joint.tolist() == zero.predict_joint_log_proba(X).tolist()


@every
@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ([0.5, 0.5], r"there are 2 for 'eggs', 'ham', 'spam'"),
        ([0.5, 0.6, 0.5], r"1\.6"),
        ([1.5, -0.5, 0], r"-0\.5|1\.5"),
        ([np.nan, 0.5, 0.5], r"nan"),
        ("uniformly", r"'uniformly'.*'uniform'"),
        ("prior", r"'prior'"),
        (3, r"class_prior|class prior"),
    ],
)
def test_class_priors_that_make_no_sense(kind, prior, message):
    X, y = data_for(kind)
    with pytest.raises((ValueError, TypeError), match=message):
        kind(class_prior=prior).fit(X, y)


@every
def test_a_class_without_rows_is_an_answer_or_an_error(kind):
    X, y = data_for(kind)
    rows = np.flatnonzero(y != "spam")
    model = kind()
    try:
        model.partial_fit(rows_of(X, rows), y[rows], classes=LABELS)
        posterior = model.predict_proba(X)
    except ValueError as error:
        assert "spam" in str(error)  # noqa: PT017 (both are right)
    else:
        assert posterior.sum(axis=1) == pytest.approx(np.ones(60))


@every
def test_a_single_class_is_certain(kind):
    X, y = data_for(kind)
    rows = np.flatnonzero(y == "ham")
    model = kind().fit(rows_of(X, rows), y[rows])
    assert model.predict_proba(X).tolist() == [[1]] * 60
    assert set(model.predict(X)) == {"ham"}


# -- samples ------------------------------------------------------------------


@every
def test_samples_are_reproducible(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    rows, labels = sample(model, 50, 25)
    again, same = sample(model, 50, np.random.default_rng(25))
    other, _ = sample(model, 50, 26)

    def plain(rows):
        dense = rows.toarray() if sparse.issparse(rows) else rows
        return np.asarray(dense).tolist()

    assert plain(rows) == plain(again)
    assert list(labels) == list(same)
    assert plain(rows) != plain(other)
    assert np.shape(rows) == (50, 4)
    assert set(labels) <= set(LABELS)
    model.predict(rows)


@every
def test_samples_that_make_no_sense(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    for n in (-1, 1.5, "x"):
        with pytest.raises((ValueError, TypeError)):
            sample(model, n, 1)
    with pytest.raises(NotFittedError):
        sample(kind(), 3, 1)


@pytest.mark.parametrize(
    "model",
    [
        BernoulliNB(estimate="mle", class_prior="uniform"),
        CategoricalNB(estimate="mle", class_prior="uniform"),
        LazyNB(alpha=0, class_prior="uniform"),
        MultinomialNB(alpha=0, class_prior="uniform"),
        DCMNB(alpha=0, class_prior="uniform"),
        GaussianNB(class_prior="uniform"),
        MixedNB([("all", GaussianNB(), [0, 1])], class_prior="uniform"),
    ],
    ids=lambda model: type(model).__name__,
)
def test_nothing_is_drawn_from_a_class_without_a_distribution(model):
    X = np.array([[1, 2], [0, 1], [2, 1], [1, 0]])
    model.partial_fit(X, [0, 1, 0, 1], classes=[0, 1, 2])
    with pytest.raises(ProbabilityError, match="known of class 2"):
        sample(model, 5, rng=0)


@pytest.mark.parametrize(
    "kind", [BernoulliNB, CategoricalNB, GaussianNB, LazyNB, TAN]
)
def test_rows_are_drawn_as_they_were_given(kind):
    X, y = data_for(CategoricalNB if kind is TAN else kind)
    rows, _ = kind().fit(X, y).sample(3, rng=0)
    assert type(rows) is np.ndarray
    assert rows.dtype.kind == np.asarray(X).dtype.kind
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = kind().fit(frame, y)
    drawn, _ = model.sample(3, rng=0)
    assert drawn.columns.tolist() == list("abcd")
    model.predict(drawn)


def test_mixed_columns_without_names_are_drawn_as_an_array():
    X, y = data_for(MixedNB)
    unnamed = X.to_numpy()
    model = MixedNB().fit(unnamed, y)
    rows, labels = model.sample(50, rng=0)
    assert type(rows) is np.ndarray
    assert {type(value) for value in rows[:, 0]} == {float}
    assert {type(value) for value in rows[:, 2]} == {str}
    named, same = MixedNB().fit(X, y).sample(50, rng=0)
    assert named.to_numpy().tolist() == rows.tolist()
    assert model.predict(rows).shape == same.shape == labels.shape


@every
def test_there_is_no_table_before_training(kind):
    with pytest.raises(NotFittedError):
        kind().to_frame()


@every
@pytest.mark.parametrize(
    "labels", [["a", 1, "b"], [1, "a", 2], [True, "a", "b"]]
)
def test_classes_of_several_types(kind, labels):
    X, _ = data_for(kind, n=3)
    y = np.array(labels, dtype=object)
    with pytest.raises(ValueError, match=r"y has (1|True) in row [01]"):
        kind().fit(X, y)
    with pytest.raises(ValueError, match=r"y has (1|True) in row [01]"):
        kind().partial_fit(X, y, classes=y)
