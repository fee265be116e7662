"""Training in parts gives what training on all rows at once gives."""

from itertools import pairwise

import dask
import dask.array
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from bayesbook.base import ProbabilityError
from bayesbook.data import load_watermelon
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

OF_CATEGORIES = [
    CategoricalNB(),
    LazyNB(),
    MixedNB(),
    TAN(),
    SPODE(parent="colour"),
    SPODE(),
    KDB(k=0),
    KDB(k=2),
    KDB(k=1, parents={"size": ["colour"]}),
    AODE(m=1),
]
OF_NUMBERS = [
    BernoulliNB(),
    MultinomialNB(),
    DCMNB(),
    GaussianNB(),
    CategoricalNB(min_categories=3),
    MixedNB([("a", GaussianNB(), [0]), ("b", MultinomialNB(), [1, 2])]),
]
LEVELS = pd.CategoricalDtype(["none", "low", "high"], ordered=True)


def named(models):
    return [pytest.param(model, id=str(model)) for model in models]


@st.composite
def rows(draw):
    """Draw a seed for rows of two kinds, places to cut, and weights or not."""
    n = draw(st.integers(4, 24))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    frame, counts, y, weights = rows_of(rng, n)
    if not draw(st.booleans()) or not weights.any():
        weights = None
    places = draw(st.lists(st.integers(0, n), max_size=5))
    bounds = list(pairwise([0, *sorted(places), n]))
    return frame, counts, y, weights, bounds


def rows_of(rng, n):
    """Draw columns of categories and of numbers, classes, and weights."""
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "blue", "green"], n),
            "size": rng.integers(0, 4, n),
            "level": pd.Series(rng.choice(["low", "high"], n)).astype(LEVELS),
            "old": rng.integers(0, 2, n).astype(bool),
        }
    )
    y = rng.choice(["no", "perhaps", "yes"], n)
    return frame, rng.poisson(1.0, (n, 3)), y, rng.integers(0, 3, n)


def cut(X, y, weights, bounds):
    for start, stop in bounds:
        own = [] if weights is None else [weights[start:stop]]
        yield (X[start:stop], y[start:stop], *own)


def partitions(whole, bounds):
    """Cut rows for Dask, in the same places."""
    parts = [whole[start:stop] for start, stop in bounds]
    if isinstance(whole, np.ndarray):
        arrays = [
            dask.array.from_array(part, chunks=(-1, *part.shape[1:]))
            for part in parts
        ]
        return dask.array.concatenate(arrays)
    return dd.from_delayed([dask.delayed(part) for part in parts])


def assert_same_model(found, wanted, X, *, exact=True):
    np.testing.assert_array_equal(found.classes_, wanted.classes_, strict=True)
    np.testing.assert_array_equal(found.class_count_, wanted.class_count_)
    assert found.n_features_in_ == wanted.n_features_in_
    assert vars(found).keys() == vars(wanted).keys()
    if hasattr(wanted, "feature_names_in_"):
        np.testing.assert_array_equal(
            found.feature_names_in_, wanted.feature_names_in_
        )
    if hasattr(wanted, "categories_"):
        for own, other in zip(
            found.categories_, wanted.categories_, strict=True
        ):
            np.testing.assert_array_equal(own, other, strict=True)
    for name in ("parents_", "order_", "parent_"):
        if hasattr(wanted, name):
            assert getattr(found, name) == getattr(wanted, name)
    if hasattr(wanted, "scores_"):
        np.testing.assert_allclose(found.scores_, wanted.scores_, rtol=1e-12)
    own, other = (m.predict_joint_log_proba(X) for m in (found, wanted))
    if exact:
        np.testing.assert_array_equal(own, other)
    else:
        np.testing.assert_allclose(own, other, rtol=1e-9)


def is_exact(model):
    return not isinstance(model, GaussianNB) and "GaussianNB" not in str(model)


@pytest.mark.parametrize("model", named(OF_CATEGORIES + OF_NUMBERS))
@settings(max_examples=12)
@given(rows(), st.sampled_from(["list", "function", "iterator"]))
@pytest.mark.filterwarnings("ignore:The whole numbers", "ignore:k=")
def test_chunks_are_all_rows(model, given, how):
    frame, counts, y, weights, bounds = given
    X = frame if model in OF_CATEGORIES else counts
    wanted = clone(model).fit(X, y, weights)
    chunks = list(cut(X, y, weights, bounds))
    own = {
        "list": chunks, "function": lambda: iter(chunks),
        "iterator": iter(chunks),
    }[how]  # fmt: skip
    found = clone(model).fit_chunks(own)
    assert_same_model(found, wanted, X, exact=is_exact(model))


@pytest.mark.parametrize("is_weighted", [True, False])
@pytest.mark.parametrize("model", named(OF_CATEGORIES + OF_NUMBERS))
@pytest.mark.filterwarnings("ignore:The whole numbers", "ignore:k=")
def test_partitions_are_all_rows(model, is_weighted):
    """Rows of many kinds are those of chunks; here parts are read by Dask."""
    frame, counts, y, weights = rows_of(np.random.default_rng(3), 24)
    bounds = [(0, 5), (5, 5), (5, 6), (6, 24)]
    X = frame if model in OF_CATEGORIES else counts
    if X is frame:
        y, weights = pd.Series(y), pd.Series(weights)
    if not is_weighted:
        weights = None
    wanted = clone(model).fit(X, y, weights)
    own = [
        None if rows is None else partitions(rows, bounds)
        for rows in (X, y, weights)
    ]
    with dask.config.set(scheduler="sync"):
        found = clone(model).fit(*own)
        assert_same_model(found, wanted, X, exact=is_exact(model))
        some = own[0]
        for name in ("predict", "predict_proba", "predict_joint_log_proba"):
            answer = getattr(found, name)(some)
            assert isinstance(answer, dask.array.Array)
            answer, of_all = answer.compute(), getattr(found, name)(X)
            if name == "predict":
                assert answer.tolist() == of_all.tolist()
            else:  # The order of sums depends on the number of rows.
                np.testing.assert_allclose(answer, of_all, rtol=1e-12)


@settings(max_examples=15)
@given(rows())
def test_weights_that_are_not_whole_are_added_to_rounding(given):
    frame, _, y, _, bounds = given
    weights = np.random.default_rng(1).random(len(y))
    for model in (CategoricalNB(), TAN(), KDB(k=1)):
        wanted = clone(model).fit(frame, y, weights)
        found = clone(model).fit_chunks(cut(frame, y, weights, bounds))
        np.testing.assert_allclose(
            found.class_count_, wanted.class_count_, rtol=1e-13
        )
        np.testing.assert_allclose(
            found.predict_joint_log_proba(frame),
            wanted.predict_joint_log_proba(frame),
            rtol=1e-12,
        )


def test_sparse_documents_in_chunks():
    rng = np.random.default_rng(1)
    X, y = sparse.csr_matrix(rng.poisson(0.3, (30, 8))), np.arange(30) % 4
    for model in (MultinomialNB(), BernoulliNB(), DCMNB()):
        wanted = clone(model).fit(X, y)
        found = clone(model).fit_chunks([(X[:3], y[:3]), (X[3:], y[3:])])
        assert_same_model(found, wanted, X)
        blocks = dask.array.from_array(X.toarray(), chunks=(7, 8))
        parts = blocks.map_blocks(sparse.csr_matrix)
        with dask.config.set(scheduler="sync"):
            found = clone(model).fit(parts, dask.array.from_array(y, chunks=7))
        assert_same_model(found, wanted, X)


def test_columns_come_in_any_order():
    X = pd.DataFrame({"a": [0, 1, 1, 0], "b": ["x", "y", "y", "y"]})
    y = [0, 1, 1, 0]
    found = TAN().fit_chunks([(X[:2], y[:2]), (X[["b", "a"]][2:], y[2:])])
    assert_same_model(found, TAN().fit(X, y), X)


def test_a_class_prior_is_one_of_all_classes():
    X, y = [[0], [1], [1]], ["a", "b", "c"]
    model = CategoricalNB(class_prior=[0.5, 0.25, 0.25])
    wanted = clone(model).fit(X, y)
    found = clone(model).fit_chunks([(X[:1], y[:1]), (X[1:], y[1:])])
    np.testing.assert_array_equal(
        found.class_log_prior_, wanted.class_log_prior_
    )
    model.class_prior = [0.5, 0.5]
    with pytest.raises(
        ProbabilityError, match="there are 2 for 'a', 'b', 'c'"
    ):
        model.fit_chunks([(X[:1], y[:1]), (X[1:], y[1:])])


def test_partial_fit_of_partitions_adds_to_what_was_learned():
    melons = load_watermelon("2.0")
    X, y = melons.drop(columns="good"), melons["good"]
    wanted = TAN().fit(X, y)
    with dask.config.set(scheduler="sync"):
        model = TAN().partial_fit(X[:5], y[:5], classes=wanted.classes_)
        model.partial_fit(
            dd.from_pandas(X[5:], npartitions=3),
            dd.from_pandas(y[5:], npartitions=3),
        )
        assert_same_model(model, wanted, X)
        other = dd.from_pandas(y.replace("yes", "aye"), npartitions=3)
        with pytest.raises(ValueError, match=r"Partition 0: .*'aye' in row"):
            model.partial_fit(dd.from_pandas(X, npartitions=3), other)
    assert_same_model(model, wanted, X)


def test_a_model_that_was_trained_forgets_it():
    X = pd.DataFrame({"a": [0, 1], "b": [1, 1]})
    model = SPODE().fit(X, [0, 1])
    model.fit_chunks([([[0], [1]], [0, 1])])
    assert model.n_features_in_ == 1
    assert not hasattr(model, "feature_names_in_")
    model.set_params(parent=0).fit_chunks([([[0], [1]], [0, 1])])
    assert not hasattr(model, "scores_")


def test_rows_without_weight_still_have_classes_and_states():
    X, y, weights = [[0], [1], [1]], ["a", "b", "b"], [0, 0, 1]
    wanted = CategoricalNB().fit(X, y, weights)
    found = CategoricalNB().fit_chunks(
        [(X[:2], y[:2], weights[:2]), (X[2:], y[2:], weights[2:])]
    )
    assert_same_model(found, wanted, X)


GOOD = [[0, 1], [1, 0]], ["a", "b"]


@pytest.mark.parametrize(
    ("model", "chunks", "message"),
    [
        (TAN(), [GOOD, [1, 2, 3, 4]], "Chunk 1 has 4 parts"),
        (TAN(), [], "0 sample.* in all parts"),
        (TAN(), iter(()), "0 sample.* in all parts"),
        (TAN(), [(np.zeros((0, 2)), [])], "0 sample.* in all parts"),
        (TAN(), [GOOD, ([[0, -1]], ["a"])], "Chunk 1: Negative values"),
        (
            TAN(),
            [GOOD, ([[0]], ["a"])],
            "Chunk 1: X has 1 columns here, and 2",
        ),
        (TAN(), [GOOD, ([[0, 0]], [1])], "Chunk 1: The classes are 'a', 'b'"),
        (TAN(), [GOOD, ([[0, 0]], ["a", "b"])], "Chunk 1: .*inconsistent"),
        (TAN(), [(*GOOD, [0, 0])] * 2, "they are all zero"),
        (TAN(), [(*GOOD, [1, -1])], "Chunk 0: Negative values in data"),
        (
            TAN(),
            [GOOD, (pd.DataFrame([[0, 0]], columns=["u", "v"]), ["a"])],
            "Chunk 1: X has the columns 'u', 'v' here",
        ),
        (
            KDB(),
            [GOOD, ([["x", "y"]], ["a"])],
            "Chunk 1: Column 0 has codes .* in some of the rows and labels",
        ),
        (KDB(k=-1), [GOOD], "k is -1"),
        (
            SPODE(selection="cross-validation"),
            [GOOD],
            "take selection='conditional-likelihood', or name the parent",
        ),
        (
            MixedNB([("tree", KDB(), [0, 1])]),
            [GOOD],
            "Part 'tree' chooses its structure by looking at all rows",
        ),
        (
            MixedNB(),
            [
                (pd.DataFrame({"a": [0, 1]}), ["a", "b"]),
                (pd.DataFrame({"a": [0.5, 1]}), ["a", "b"]),
            ],
            "Chunk 1: The columns have other types here",
        ),
        (
            MixedNB(),
            [
                (pd.DataFrame({"a": [0, 1]}), ["a", "b"]),
                (pd.DataFrame({"a": [0, 1], "b": [0.5, 1]}), ["a", "b"]),
            ],
            "Chunk 1: X has 2 columns here, and 1",
        ),
    ],
)
def test_errors_say_which_chunk(model, chunks, message):
    model = clone(model)
    with pytest.raises(ValueError, match=message):
        model.fit_chunks(chunks)
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        (5, "Give chunks .* not int"),
        ([GOOD, 3], "Chunk 1 is of the type int"),
    ],
)
def test_chunks_of_a_wrong_type(chunks, message):
    model = TAN()
    with pytest.raises(TypeError, match=message):
        model.fit_chunks(chunks)
    assert not hasattr(model, "classes_")


def test_a_classifier_with_few_rows_says_so_after_the_last():
    chunks = [GOOD, GOOD]
    with pytest.warns(UserWarning, match="m=5 is more than the 4 rows"):
        AODE(m=5).fit_chunks(chunks)
    AODE(m=4).fit_chunks(chunks)


def test_partitions_that_do_not_fit():
    X = dd.from_pandas(pd.DataFrame({"a": [0, 1, 1]}), npartitions=1)
    y = dd.from_pandas(pd.Series([0, 1, 0]), npartitions=3)
    with pytest.raises(ValueError, match="cut into 1 and into 3 parts"):
        CategoricalNB().fit(X, y)
    with pytest.raises(ValueError, match="Some rows are a collection of Dask"):
        CategoricalNB().fit(X, [0, 1, 0])
    with pytest.raises(ValueError, match="requires y to be passed"):
        CategoricalNB().fit(X, None)


def test_rows_and_classes_of_one_source_are_read_once(tmp_path):
    frame = pd.DataFrame({"a": [0, 1], "b": [1, 1], "y": ["no", "yes"]})

    def read(number):
        with (tmp_path / "log").open("a") as file:
            file.write("*")
        return frame

    data = dd.from_map(read, range(3), meta=frame[:0])
    with dask.config.set(scheduler="sync"):
        model = CategoricalNB().fit(data[["a", "b"]], data["y"])
    assert model.class_count_.tolist() == [3, 3]
    assert (tmp_path / "log").read_text() == "***"
