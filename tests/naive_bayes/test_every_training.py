"""What all classifiers learn: from weights, from parts, from single rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_examples import (
    COUNTING,
    LABELS,
    data_for,
    every,
    rows_of,
)
from sklearn.base import clone

from bayesbook.conjugate import NormalInverseGamma
from bayesbook.naive_bayes import (
    DCMNB,
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    LazyNB,
    MultinomialNB,
)

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


@every
def test_chunks_can_name_all_classes(kind):
    X, y = data_for(kind)
    rows = np.flatnonzero(y != "spam")
    chunks = [(rows_of(X, rows[:20]), y[rows[:20]]),
              (rows_of(X, rows[20:]), y[rows[20:]])]  # fmt: skip
    model = kind().fit_chunks(iter(chunks), classes=["spam", "ham", "eggs"])
    assert model.classes_.tolist() == ["eggs", "ham", "spam"]
    assert model.class_count_[2] == 0
    wanted = kind().partial_fit(rows_of(X, rows), y[rows], model.classes_)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(X),
        wanted.predict_joint_log_proba(X),
        rtol=1e-9,
    )
    with pytest.raises(ValueError, match=r"'spam'.*'eggs', 'ham'"):
        kind().fit_chunks([(X, y)], classes=["eggs", "ham"])
