"""What all semi-naive classifiers learn: from weights, pieces, much memory."""

import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from semi_naive_examples import (
    EVERY_ROW,
    INCREMENTAL,
    LABELS,
    MODELS,
    NAMES,
    X,
    codes,
    of,
    parents_of,
    same,
    y,
)
from sklearn.base import clone

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
)
from bayesbook.naive_bayes import (
    AODE,
    KDB,
    SPODE,
    TAN,
    CategoricalNB,
    GaussianNB,
    MixedNB,
)

# -- pieces, weights ----------------------------------------------------------


@of(INCREMENTAL)
@given(
    order=st.permutations(range(40)),
    cuts=st.sets(st.integers(1, 39), max_size=5),
    is_weighted=st.booleans(),
)
@settings(max_examples=15)
def test_pieces_in_any_order_are_one_batch(model, order, cuts, is_weighted):
    weights = 0.25 * (1 + np.arange(40) % 5) if is_weighted else np.ones(40)
    batch = clone(model).fit(X[:40], y[:40], weights)
    pieces = clone(model)
    for rows in np.split(np.array(order), sorted(cuts)):
        pieces.partial_fit(
            X[rows],
            y[rows],
            classes=LABELS,
            sample_weight=weights[rows] if is_weighted else None,
        )
        # What was derived from these counts must not be kept.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # by AODE
            pieces.predict_proba(X[rows])
    assert pieces.class_count_.tolist() == batch.class_count_.tolist()
    assert parents_of(pieces) == parents_of(batch)
    same(pieces, batch, X[:40])


@of(INCREMENTAL)
def test_labels_that_occur_in_later_pieces_only(model):
    names = np.array(["b", "c", "a"])
    frame = pd.DataFrame(names[X], columns=["sky", "wind", "leaf", "bird"])
    # Sorted: first rows without an "a", and without eggs.
    late = np.argsort((frame == "a").any(axis=1) | (y == "eggs"))
    batch = clone(model).fit(frame, y)
    pieces = clone(model)
    for rows in np.split(late, [3, 10, 50]):
        pieces.partial_fit(frame.iloc[rows], y[rows], classes=LABELS)
    declared = clone(model)
    for rows in np.split(late, [3, 10, 50]):
        # Each piece with the categories of its own.
        own = frame.iloc[rows].astype("category")
        declared.partial_fit(own, y[rows], classes=LABELS)
    same(declared, batch, frame)
    assert pieces.n_categories_.tolist() == [3] * 4
    assert [own.tolist() for own in pieces.categories_] == [list("abc")] * 4
    assert parents_of(pieces) == parents_of(batch)
    same(pieces, batch, frame)
    codes = clone(model)
    for rows in np.split(np.argsort(X.max(axis=1)), [3, 10, 50]):
        codes.partial_fit(X[rows], y[rows], classes=LABELS)
    same(codes, clone(model).fit(X, y))


@of(INCREMENTAL)
def test_learning_goes_on_after_a_fit(model):
    model = clone(model).fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    same(model, clone(model).fit(X, y))
    model.fit(X[:30], y[:30])
    same(model, clone(model).fit(X[:30], y[:30]), X[:30])


@of(INCREMENTAL)
def test_a_failing_piece_teaches_nothing(model):
    model = clone(model).fit(X, y)
    before = model.predict_joint_log_proba(EVERY_ROW)
    for rows, labels, weights in (
        ([[0, 1, 2, np.nan]], ["ham"], None),
        ([[0, 1, 2, -1]], ["ham"], None),
        ([[0, 1, 2, 5]], ["jam"], None),
        ([[0, 1, 2, 5]], ["ham"], [0]),
        ([[0, 1, 2, 5]], ["ham"], [-1]),
        ([[0, 1, 2]], ["ham"], None),
        ([[0, 1, 2, 2**45]], ["ham"], None),
        ([[2**35] * 4], ["ham"], None),
        ([["a", "b", "a", "b"]], ["ham"], None),
        ([[0, 1, 2, 5]], None, None),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 (any words)
            model.partial_fit(rows, labels, sample_weight=weights)
        assert model.class_count_.tolist() == [30, 30, 30]
        assert model.n_categories_.tolist() == [3, 3, 3, 3]
        after = model.predict_joint_log_proba(EVERY_ROW)
        assert after.tolist() == before.tolist()
    # And what comes next is learned as if nothing had happened.
    model.partial_fit(X[:5], y[:5])
    both = np.concatenate([X, X[:5]]), np.concatenate([y, y[:5]])
    same(model, clone(model).fit(*both))


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (SPODE(parent=0), {"parent": 2}),
        (KDB(parents={0: [1]}), {"parents": {1: [0]}}),
        (KDB(), {"parents": {}}),
    ],
    ids=repr,
)
def test_counts_of_another_structure_are_not_added(model, change):
    model = clone(model).fit(X, y)
    before, parents = model.predict_joint_log_proba(X), model.parents_
    model.set_params(**change)
    with pytest.raises(ProbabilityError, match="begin anew with `fit`"):
        model.partial_fit(X, y)
    assert model.parents_ == parents
    assert model.predict_joint_log_proba(X).tolist() == before.tolist()
    same(model.fit(X, y), clone(model).fit(X, y))


@of(MODELS)
def test_weights_are_repeated_rows(model):
    weights = np.random.default_rng(57).integers(0, 4, size=90)
    # Of a class the first rows count, so that it has some.
    weights[:9] = 1
    repeated = np.repeat(np.arange(90), weights)
    if model.get_params().get("selection") == "cross-validation":
        # A row and its copies are dealt to different folds.
        model = SPODE(parent=2)
    weighted = clone(model).fit(X, y, sample_weight=weights)
    several = clone(model).fit(X[repeated], y[repeated])
    same(weighted, several, X[weights > 0])
    if hasattr(weighted, "scores_"):
        assert_allclose(weighted.scores_, several.scores_)
    if isinstance(model, AODE):
        own = weighted.set_params(m=50).fit(X, y, sample_weight=weights)
        several = clone(own).fit(X[repeated], y[repeated])
        qualified = own.super_parents(EVERY_ROW)
        assert 0 < qualified.mean() < 1
        assert (qualified == several.super_parents(EVERY_ROW)).all()


@of(MODELS)
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.zeros(90), r"zero"),
        (-np.ones(90), r"[Nn]egative"),
        (np.ones(89), r"89"),
    ],
    ids=["zero", "negative", "too-few"],
)
def test_weights_that_make_no_sense(model, weights, message):
    with pytest.raises(ValueError, match=message):
        clone(model).fit(X, y, sample_weight=weights)


# -- memory -------------------------------------------------------------------


@of(MODELS)
def test_columns_with_as_many_states_as_rows(model):
    n = 50_000
    rows = np.empty((n, 4), dtype=int)
    rows[:, 0] = rows[:, 1] = np.arange(n)
    rows[:, 2:] = rows[:, :2] % 2
    labels = rows[:, 2]
    frame = pd.DataFrame(rows, columns=["passport", "name", "sex", "left"])
    tracemalloc.start()
    try:
        with pytest.raises(TableTooLargeError) as told:
            clone(model).fit(frame, labels).predict(frame[:5])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "50,000" in str(told.value)
    assert "'passport'" in str(told.value) or "'name'" in str(told.value)
    assert peak < 100 * 2**20


@pytest.mark.parametrize("kind", [TAN, AODE, KDB, SPODE])
def test_one_such_column_is_too_large_or_small_enough(kind):
    n = 50_000
    rows = np.stack([np.arange(n), np.arange(n) % 2, np.arange(n) % 3], axis=1)
    frame = pd.DataFrame(rows, columns=["passport", "sex", "hand"])
    labels = np.arange(n) % 5 > 2
    tracemalloc.start()
    try:
        model = kind().fit(frame, labels)
        model.predict(frame[-5:])
    except TableTooLargeError as error:
        assert "'passport'" in str(error)  # noqa: PT017 (both are right)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 200 * 2**20


def test_too_many_parents_for_a_table():
    rng = np.random.default_rng(58)
    rows = rng.integers(200, size=(3000, 5))
    parents = {"e": ["a", "b", "c", "d"]}
    frame = pd.DataFrame(rows, columns=list("abcde"))
    with pytest.raises(TableTooLargeError, match=r"column '[a-e]'"):
        KDB(k=4, parents=parents).fit(frame, rows[:, 0] % 2).predict(frame)


@of([SPODE(), AODE(m=1), TAN(), KDB()])
def test_the_memory_does_not_grow_with_the_classes(model):
    rng = np.random.default_rng(60)
    rows, labels = rng.integers(2, size=(20_000, 4)), np.arange(20_000) % 50
    model = clone(model)
    tracemalloc.start()
    try:
        model.fit(rows, labels).predict_joint_log_proba(rows)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The answer itself has eight of them.
    assert peak < 60 * 2**20


# -- beside other classifiers -------------------------------------------------


@pytest.mark.parametrize("kind", [TAN, AODE, KDB, SPODE])
def test_a_part_of_a_mixed_model(kind):
    model = AODE(m=1) if kind is AODE else kind()
    rng = np.random.default_rng(59)
    frame = pd.DataFrame(NAMES[X], columns=["sky", "wind", "leaf", "bird"])
    numbers = pd.DataFrame(
        rng.normal(codes[:, None], size=(90, 2)), columns=["heat", "rain"]
    )
    parts = [
        ("cats", model, frame.columns.tolist()),
        ("nums", GaussianNB(), ["heat", "rain"]),
    ]
    both = pd.concat([frame, numbers], axis=1)
    mixed = MixedNB(parts).fit(both, y)
    wanted = clone(model).fit(frame, y).class_log_likelihood(frame)
    wanted = wanted + GaussianNB().fit(numbers, y).class_log_likelihood(
        numbers
    )
    assert_allclose(mixed.class_log_likelihood(both), wanted, atol=1e-12)
    assert_allclose(mixed.predict_joint_log_proba(both), wanted - np.log(3))
    assert mixed.score(both, y) > 0.6


@pytest.mark.parametrize("kind", [TAN, KDB, SPODE])
def test_the_frames_of_a_mixed_model(kind):
    rows = np.column_stack([X, codes + X[:, 0] / 2])
    parts = [("cats", kind(), [1, 2, 3]), ("nums", GaussianNB(), [0, 4])]
    frames = MixedNB(parts).fit(rows, y).to_frame()
    assert list(frames) == ["cats", "nums"]
    alone = kind().fit(X[:, 1:], y).to_frame()
    assert_allclose(frames["cats"], alone)
    assert frames["cats"].index.unique("feature").tolist() == [1, 2, 3]
    assert frames["nums"].index.unique("feature").tolist() == [0, 4]


def test_an_average_in_a_mixed_model_has_no_frame():
    parts = [("cats", CategoricalNB(), [0]), ("mean", AODE(m=1), [1, 2, 3])]
    model = MixedNB(parts).fit(X, y)
    message = "Part 'mean' is an average .* `parts_`, or use a SPODE"
    with pytest.raises(ProbabilityError, match=message):
        model.to_frame()


@of([SPODE(), KDB()])
def test_a_part_that_looks_at_all_rows_cannot_learn_in_pieces(model):
    mixed = MixedNB([("cats", model, [0, 1, 2]), ("nums", GaussianNB(), [3])])
    assert mixed.fit(X, y).predict(X).shape == (90,)
    with pytest.raises(
        (ProbabilityError, AttributeError), match="partial_fit"
    ):
        clone(mixed).partial_fit(X, y, classes=LABELS)


def test_what_is_no_part_of_a_mixed_model_is_named():
    with pytest.raises(TypeError, match="'cats' is None, which is not"):
        MixedNB([("cats", None, [0])]).partial_fit(X, y, classes=LABELS)


def test_other_parts_of_a_mixed_model_learn_in_pieces():
    parts = [("cats", TAN(), [0, 1, 2]), ("nums", GaussianNB(), [3])]
    pieces = MixedNB(parts)
    for rows in np.split(np.arange(90), [20, 50]):
        pieces.partial_fit(X[rows], y[rows], classes=LABELS)
    assert_allclose(
        pieces.predict_joint_log_proba(X),
        MixedNB(parts).fit(X, y).predict_joint_log_proba(X),
    )
