"""What holds of every naive Bayes classifier."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import NormalInverseGamma
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


# -- scikit-learn's manners ---------------------------------------------------


@parametrize_with_checks([kind() for kind in KINDS])
def test_keeps_the_manners_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        # Of the checks that need a package that is not installed.
        warnings.simplefilter("ignore", UserWarning)
        check(estimator)


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
        kind(alpha=1.0)
    with pytest.raises(ValueError, match="alpha"):
        kind().set_params(alpha=1.0)


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
    learnt = kind(class_alpha=2.5).fit(X, y)
    assert np.exp(learnt.class_log_prior_) == pytest.approx(
        (counts + 2.5) / 57.5
    )


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


# -- weights, parts -----------------------------------------------------------


@every
def test_weights_are_repeated_rows(kind):
    X, y = data_for(kind)
    weights = np.random.default_rng(23).integers(0, 4, size=60)
    weights[:3] = 1
    weighted = kind().fit(X, y, sample_weight=weights)
    repeated = kind().fit(
        rows_of(X, np.repeat(np.arange(60), weights)), np.repeat(y, weights)
    )
    assert weighted.class_count_ == pytest.approx(repeated.class_count_)
    assert weighted.predict_joint_log_proba(X) == pytest.approx(
        repeated.predict_joint_log_proba(X), rel=1e-6, abs=1e-6
    )


@every
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0] * 59, r"\(59,\)|59"),
        ([-1.0] + [1.0] * 59, r"[Nn]egative"),
        ([np.nan] + [1.0] * 59, r"NaN|nan"),
    ],
)
def test_weights_that_make_no_sense(kind, weights, message):
    X, y = data_for(kind)
    with pytest.raises(ValueError, match=message):
        kind().fit(X, y, sample_weight=weights)


parts = st.tuples(
    st.permutations(range(30)),
    st.sets(st.integers(1, 29), max_size=6),
    st.booleans(),
)


@every
@given(parts)
@settings(max_examples=10)
def test_parts_in_any_order_are_one_batch(kind, how):
    order, cuts, is_weighted = how
    order = np.array(order)
    X, y = data_for(kind, n=30)
    weights = 1.0 + np.arange(30) % 4 if is_weighted else np.ones(30)
    batch = kind().fit(X, y, sample_weight=weights)
    model = kind()
    for rows in np.split(order, sorted(cuts)):
        model.partial_fit(
            rows_of(X, rows),
            y[rows],
            classes=LABELS,
            sample_weight=weights[rows] if is_weighted else None,
        )
    assert model.class_count_.tolist() == batch.class_count_.tolist()
    if hasattr(batch, "feature_count_"):
        assert model.feature_count_.tolist() == batch.feature_count_.tolist()
    if hasattr(batch, "category_count_"):
        for own, other in zip(
            model.category_count_, batch.category_count_, strict=True
        ):
            assert own.tolist() == other.tolist()
    exact = kind in COUNTING
    close = 1e-12 if exact else 1e-6
    assert model.predict_joint_log_proba(X) == pytest.approx(
        batch.predict_joint_log_proba(X), rel=close, abs=close
    )


@every
def test_single_rows_are_parts(kind):
    X, y = data_for(kind, n=30)
    model = kind()
    for i in range(30):
        model.partial_fit(
            rows_of(X, [i]), y[[i]], classes=LABELS if i == 0 else None
        )
    batch = kind().fit(X, y)
    assert model.predict_log_proba(X) == pytest.approx(
        batch.predict_log_proba(X), rel=1e-6, abs=1e-6
    )


@every
def test_fit_forgets_and_partial_fit_does_not(kind):
    X, y = data_for(kind)
    other, labels = data_for(kind, seed=24)
    model = kind().fit(other, labels)
    model.partial_fit(X, y)
    assert model.class_count_.sum() == 120
    model.fit(X, y)
    assert model.class_count_.sum() == 60
    assert model.predict_joint_log_proba(X) == pytest.approx(
        kind().fit(X, y).predict_joint_log_proba(X)
    )


@every
def test_questions_between_parts_change_nothing(kind):
    X, y = data_for(kind, n=30)
    model = kind()
    for rows in np.split(np.arange(30), 2):
        model.partial_fit(rows_of(X, rows), y[rows], classes=LABELS)
        # What was derived from these counts must not be kept.
        model.predict_proba(X)
        model.to_frame()
    wanted = kind().fit(X, y).predict_joint_log_proba(X)
    assert model.predict_joint_log_proba(X) == pytest.approx(
        wanted, rel=1e-6, abs=1e-6
    )
    first = np.arange(15)
    model.fit(rows_of(X, first), y[first])
    wanted = kind().fit(rows_of(X, first), y[first]).predict_joint_log_proba(X)
    assert model.predict_joint_log_proba(X).tolist() == wanted.tolist()


@every
def test_parameters_wait_for_the_next_training(kind):
    # Not the same number of rows of each class.
    X, y = data_for(kind, n=50)
    wanted = kind().fit(X, y).predict_joint_log_proba(X)
    changes = {
        "class_prior": [0.7, 0.2, 0.1],
        "class_alpha": 9,
        "alpha": 7,
        "estimate": "map",
        "ddof": 1,
        "var_smoothing": 1.0,
        "prior": NormalInverseGamma(0, 1, 2, 3),
    }
    for name in changes.keys() & kind().get_params().keys():
        change = {name: changes[name]}
        if name == "estimate" and kind is GaussianNB:
            change["prior"] = changes["prior"]
        # Nothing was derived from the counts before.
        model = kind().fit(X, y).set_params(**change)
        assert model.predict_joint_log_proba(X).tolist() == wanted.tolist()
        if name == "prior" and kind is GaussianNB:
            continue
        model.fit(X, y)
        again = kind(**change).fit(X, y).predict_joint_log_proba(X)
        assert model.predict_joint_log_proba(X).tolist() == again.tolist()


@every
def test_a_failing_part_teaches_nothing(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    before = clone(model).fit(X, y).predict_joint_log_proba(X)
    rows = np.arange(5)
    for prior in ([0.5, 0.5], "unifrom"):
        model.set_params(class_prior=prior)
        with pytest.raises(ValueError):  # noqa: PT011 (any words)
            model.partial_fit(rows_of(X, rows), y[rows])
        assert model.class_count_.tolist() == [20, 20, 20]
        assert model.predict_joint_log_proba(X).tolist() == before.tolist()
    with pytest.raises(ValueError, match="non-zero"):
        model.set_params(class_prior=None).partial_fit(
            rows_of(X, rows), y[rows], sample_weight=np.zeros(5)
        )
    assert model.predict_joint_log_proba(X).tolist() == before.tolist()


@every
def test_classes_of_parts(kind):
    X, y = data_for(kind)
    with pytest.raises(ValueError, match="classes"):
        kind().partial_fit(X, y)
    with pytest.raises(ValueError, match="classes is empty"):
        kind().partial_fit(X, y, classes=[])
    model = kind().partial_fit(X, y, classes=LABELS)
    with pytest.raises(ValueError, match="classes"):
        model.partial_fit(X, y, classes=["eggs", "ham"])
    with pytest.raises(ValueError, match=r"'?jam'?"):
        model.partial_fit(rows_of(X, [0]), ["jam"])
    with pytest.raises(ValueError, match="'zebra' in row 0"):
        model.partial_fit(rows_of(X, [0]), ["zebra"])
    with pytest.raises(ValueError, match="not the same"):
        model.partial_fit(rows_of(X, [0]), ["ham"], [*LABELS, "zebra"])
    # The error has changed nothing.
    assert model.class_count_.sum() == 60


@every
def test_a_part_with_another_number_of_columns(kind):
    X, y = data_for(kind)
    model = kind().partial_fit(X, y, classes=LABELS)
    less = X.iloc[:, :3] if isinstance(X, pd.DataFrame) else X[:, :3]
    with pytest.raises(ValueError, match=r"features|feature names"):
        model.partial_fit(less, y)
    with pytest.raises(ValueError, match=r"features|feature names"):
        model.predict(less)
    assert model.class_count_.sum() == 60


@pytest.mark.parametrize("kind", [CategoricalNB, LazyNB])
def test_states_that_occur_in_later_parts_only(kind):
    frame = pd.DataFrame(
        {"x": ["b", "b", "a", "c"], "z": ["u", "v", "u", "w"]}
    )
    y = np.array([0, 1, 0, 1])
    wanted = kind().fit(frame, y).predict_joint_log_proba(frame)
    for order in ([0, 1, 2, 3], [3, 0, 2, 1]):
        model = kind()
        for i in order:
            model.partial_fit(frame.iloc[[i]], y[[i]], classes=[0, 1])
        assert model.predict_joint_log_proba(frame) == pytest.approx(
            wanted, abs=1e-12
        )


def test_codes_that_occur_in_later_parts_only():
    X, y = np.array([[0, 2], [1, 0], [4, 0]]), np.array([0, 1, 0])
    wanted = CategoricalNB().fit(X, y)
    model = CategoricalNB()
    for i in (0, 1, 2):
        model.partial_fit(X[[i]], y[[i]], classes=[0, 1])
    assert [c.tolist() for c in model.category_count_] == [
        c.tolist() for c in wanted.category_count_
    ]
    assert model.predict_joint_log_proba(X) == pytest.approx(
        wanted.predict_joint_log_proba(X), abs=1e-12
    )


@pytest.mark.parametrize("kind", COUNTING)
def test_a_class_without_rows_has_its_pseudo_counts(kind):
    X, y = data_for(kind)
    rows = y != "spam"
    model = kind().partial_fit(X[rows], y[rows], classes=LABELS)
    assert model.class_count_.tolist() == [20, 20, 0]
    assert np.exp(model.class_log_prior_) == pytest.approx(
        [21 / 43, 21 / 43, 1 / 43]
    )
    assert np.isfinite(model.predict_joint_log_proba(X)).all()
    never = kind(class_alpha=0).partial_fit(X[rows], y[rows], LABELS)
    assert never.predict_proba(X)[:, 2].tolist() == [0] * 60
    mle = kind(estimate="mle").partial_fit(X[rows], y[rows], LABELS)
    assert mle.predict_proba(X[rows])[:, 2].tolist() == [0] * 40


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


# -- bad input ----------------------------------------------------------------


@every
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, r"y"),
        (["ham", None] * 30, r"no label in row 1"),
        ([0.0, np.nan] * 30, r"NaN|y"),
        (np.linspace(0, 1, 60), r"[Uu]nknown label type|continuous"),
        (["ham"] * 59, r"inconsistent|59"),
        (np.eye(60), r"1d array|label"),
    ],
)
def test_labels_that_make_no_sense(kind, labels, message):
    X, _ = data_for(kind)
    labels = (
        np.array(labels, dtype=object) if isinstance(labels, list) else labels
    )
    with pytest.raises((ValueError, TypeError), match=message):
        kind().fit(X, labels)


@every
def test_changed_feature_names(kind):
    X, y = data_for(kind)
    frame = pd.DataFrame(X)
    frame.columns = ["a", "b", "c", "d"]
    model = kind().fit(frame, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert model.n_features_in_ == 4
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"b": "beta"}))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c", "d"]])


@pytest.mark.parametrize("kind", [BernoulliNB, MultinomialNB, GaussianNB])
def test_text_in_columns_of_numbers(kind):
    frame = pd.DataFrame({"x": [1, 2, 3], "word": ["egg", "ham", "ham"]})
    with pytest.raises(ValueError, match=r"'?egg'?"):
        kind().fit(frame, [0, 1, 1])


WRONG = [
    ("alpha", -1),
    ("alpha", np.nan),
    ("alpha", "x"),
    ("class_alpha", -0.5),
    ("class_alpha", np.inf),
    ("class_alpha", None),
    ("estimate", "mean"),
    ("estimate", None),
    ("missing", "marginalize"),
    ("missing", "drop"),
    ("unseen", "ignore"),
    ("unseen", True),
]


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (kind, *option)
        for kind in KINDS
        for option in WRONG
        if option[0] in kind().get_params()
    ],
)
def test_options_that_make_no_sense(kind, name, value):
    X, y = data_for(kind)
    with pytest.raises(ValueError, match=name.replace("_", ".")):
        kind(**{name: value}).fit(X, y)


def test_the_nearest_word_is_suggested():
    X, y = data_for(CategoricalNB)
    with pytest.raises(ValueError, match="Did you mean 'marginalise'"):
        CategoricalNB(missing="marginalize").fit(X, y)
    with pytest.raises(ValueError, match="Did you mean 'bayes'"):
        CategoricalNB(estimate="bays").fit(X, y)


@pytest.mark.parametrize("kind", [CategoricalNB, LazyNB])
def test_options_are_read_in_training(kind):
    X, _ = data_for(kind)
    model = kind(missing="marginalize")
    # Tags can always be asked for, and say nothing of wrong options.
    assert not get_tags(model).input_tags.allow_nan
    with pytest.raises(NotFittedError):
        model.predict(X)


@pytest.mark.parametrize("kind", [CategoricalNB, LazyNB])
def test_data_frames_of_texts_and_mixed_columns(kind):
    frame = pd.DataFrame(
        {
            "text": ["a", "b", "a"],
            "mixed": ["a", 1, 2.5],
            "truth": [True, False, True],
            "when": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"]),
        }
    )
    model = kind().fit(frame, [0, 1, 0])
    assert model.predict(frame).tolist() == [0, 1, 0]


@every
def test_zero_rows_and_zero_columns(kind):
    X, y = data_for(kind)
    with pytest.raises(ValueError, match="0 sample"):
        kind().fit(rows_of(X, slice(0, 0)), y[:0])
    none = X.iloc[:, :0] if isinstance(X, pd.DataFrame) else X[:, :0]
    with pytest.raises(ValueError, match="0 feature"):
        kind().fit(none, y)


@every
def test_zero_rows_are_no_question_and_no_part(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(rows_of(X, slice(0, 0)))
    with pytest.raises(ValueError, match="0 sample"):
        model.partial_fit(rows_of(X, slice(0, 0)), y[:0])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != MixedNB])
def test_rows_without_the_names_of_training(kind):
    X, y = data_for(kind)
    model = kind().fit(pd.DataFrame(X, columns=list("abcd")), y)
    with pytest.warns(UserWarning, match="valid feature names"):
        model.predict(X)


@pytest.mark.parametrize("kind", [BernoulliNB, DCMNB, MultinomialNB])
@pytest.mark.parametrize("layout", ["csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csr_matrix])
def test_sparse_formats(kind, layout, form):
    X, y = np.array([[1, 0], [0, 2], [1, 1.0], [0, 0]]), [0, 1, 1, 0]
    wanted = kind().fit(X, y).predict_proba(X)
    data = form(X).asformat(layout)
    assert kind().fit(data, y).predict_proba(data) == pytest.approx(wanted)


@pytest.mark.parametrize("kind", [DCMNB, MultinomialNB])
@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_counts_that_cannot_be_added_up(kind, form):
    X = form([[1.0, 0.0], [2.0, 1e308]])
    with pytest.raises(ValueError, match=r"Too large values.*row 1, column 1"):
        kind().fit(X, [0, 1])


@every
def test_weights_of_zero_only(kind):
    X, y = data_for(kind)
    with pytest.raises(ValueError, match=r"zero|weight"):
        kind().fit(X, y, sample_weight=np.zeros(60))


@every
def test_what_is_given_is_not_changed(kind):
    X, y = data_for(kind)
    before, labels = X.copy(), y.copy()
    model = kind().fit(X, y)
    model.predict_proba(X)
    model.partial_fit(X, y)
    assert np.array_equal(X, before)
    assert (y == labels).all()


# -- single rows, which have ways of their own --------------------------------


@every
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_a_single_row_is_checked_as_many_are(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    row = rows_of(X, [0])
    before = model.predict_joint_log_proba(X)
    for label in (None, [None], [np.nan], ["jam"], ["eggs", "ham"], []):
        with pytest.raises((ValueError, TypeError)):
            model.partial_fit(row, label)
        if label is not None:
            with pytest.raises((ValueError, TypeError)):
                model.partial_fit(row, np.array(label, dtype=object))
    for weight in ([-1.0], [np.nan], [1.0, 1.0], [np.inf]):
        with pytest.raises(ValueError):  # noqa: PT011 (any words)
            model.partial_fit(row, ["ham"], sample_weight=weight)
    one = np.asarray(row)[0]
    with pytest.raises(ValueError, match=r"[Rr]eshape|1D|dim"):
        model.partial_fit(one, ["ham"])
    with pytest.raises(ValueError, match=r"[Rr]eshape|1D|dim"):
        model.predict(one)
    assert model.class_count_.tolist() == [20, 20, 20]
    assert model.predict_joint_log_proba(X).tolist() == before.tolist()


@pytest.mark.parametrize(
    "kind", [BernoulliNB, MultinomialNB, GaussianNB, CategoricalNB, DCMNB]
)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_bad_number_in_a_single_row(kind, bad):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    row = X[[0]].astype(float)
    row[0, 2] = bad
    message = r"(NaN|infinity|[Nn]egative).*row 0, column 2"
    with pytest.raises(ValueError, match=message):
        model.partial_fit(row, ["ham"])
    with pytest.raises(ValueError, match=message):
        model.predict(row)
    assert model.class_count_.sum() == 60


@every
def test_weighted_single_rows(kind):
    X, y = data_for(kind, n=30)
    weights = 0.5 + np.arange(30) % 3
    model = kind()
    for i in range(30):
        model.partial_fit(rows_of(X, [i]), y[[i]], LABELS, weights[[i]])
    batch = kind().fit(X, y, weights)
    assert model.class_count_ == pytest.approx(batch.class_count_)
    assert model.predict_log_proba(X) == pytest.approx(
        batch.predict_log_proba(X), rel=1e-6, abs=1e-6
    )


@every
def test_a_row_of_weight_zero_changes_nothing(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    more = rows_of(X, [0, 1])
    # One of the two has to count.
    model.partial_fit(more, ["spam", "ham"], sample_weight=[0, 1])
    wanted = kind().fit(X, y).partial_fit(rows_of(X, [1]), ["ham"])
    assert model.class_count_.tolist() == wanted.class_count_.tolist()
    assert model.predict_joint_log_proba(X) == pytest.approx(
        wanted.predict_joint_log_proba(X), rel=1e-6, abs=1e-6
    )


def test_single_rows_with_gaps():
    X, y = data_for(GaussianNB, n=30)
    X = X.copy()
    X[3:, 0][np.arange(27) % 4 == 0] = np.nan
    X[5, :] = np.nan
    model = GaussianNB(missing="marginalise")
    for i in range(30):
        model.partial_fit(X[[i]], y[[i]], classes=LABELS)
    batch = GaussianNB(missing="marginalise").fit(X, y)
    assert np.allclose(model.theta_, batch.theta_, rtol=1e-12)
    assert np.allclose(model.var_, batch.var_, rtol=1e-10)
    assert model.class_log_likelihood(X) == pytest.approx(
        batch.class_log_likelihood(X)
    )


@pytest.mark.parametrize("kind", [np.int8, np.float32, bool])
def test_single_rows_of_small_types_do_not_overflow(kind):
    X = np.array([[1, 0], [0, 1], [1, 1]]).astype(kind)
    if kind is np.int8:
        X *= 127
    y = np.array([0, 1, 1])
    for model in (GaussianNB(), MultinomialNB(), BernoulliNB()):
        for _ in range(3):
            for i in range(3):
                model.partial_fit(X[[i]], y[[i]], classes=[0, 1])
        wide = clone(model).fit(
            np.tile(X, (3, 1)).astype(float), np.tile(y, 3)
        )
        assert model.predict_proba(X) == pytest.approx(
            wide.predict_proba(X.astype(float))
        )


@every
def test_names_of_columns_are_checked_in_single_rows(kind):
    X, y = data_for(kind)
    frame = pd.DataFrame(X)
    frame.columns = ["a", "b", "c", "d"]
    model = kind().fit(frame, y)
    with pytest.raises(ValueError, match="feature names"):
        model.partial_fit(frame[:1].rename(columns={"b": "beta"}), ["ham"])
    assert model.class_count_.sum() == 60


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


@pytest.mark.parametrize("kind", [BernoulliNB, CategoricalNB, GaussianNB])
def test_rows_are_drawn_as_they_were_given(kind):
    X, y = data_for(kind)
    assert kind is CategoricalNB or not hasattr(
        kind().fit(X, y).sample(3, rng=0)[0], "columns"
    )
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = kind().fit(frame, y)
    drawn, _ = model.sample(3, rng=0)
    assert drawn.columns.tolist() == list("abcd")
    model.predict(drawn)


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
