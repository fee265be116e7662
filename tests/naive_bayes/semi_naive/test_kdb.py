"""KDB against loops over exact fractions."""

import re

import numpy as np
import pandas as pd
import pytest
import semi_naive_truth as truth
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.model_selection import GridSearchCV

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.naive_bayes import KDB, SPODE, CategoricalNB
from bayesbook.naive_bayes.semi_naive._structure import k_parents


@given(truth.small_data(), st.sampled_from(truth.ESTIMATES), st.data())
def test_equals_exact_fractions(data, how, draw):
    k = draw.draw(st.integers(0, data.n_columns - 1))
    parents = draw.draw(truth.acyclic_parents(data.n_columns, k))
    given_ = {j: list(own) for j, own in enumerate(parents)}
    model = KDB(k=k, parents=given_, min_categories=data.n_states, **how)
    model.fit(data.rows, data.y, data.weights)
    assert list(map(set, model.parents_)) == list(map(set, parents))
    rows = data.every_row()
    rows = rows[:: 1 + len(rows) // 40]
    wanted = [truth.joint(row, data, parents, **how) for row in rows]
    truth.assert_predicts(model, rows, wanted)


@pytest.mark.parametrize(
    "n_states",
    [(16, 16), (17, 16), (256, 1), (1, 256), (4, 64, 1), (257, 2), (256, 256)],
    ids=str,
)
def test_the_states_of_a_column_and_its_parents_may_fill_a_byte(n_states):
    rng = np.random.default_rng(26)
    X = np.stack([rng.integers(size, size=300) for size in n_states], axis=1)
    # The least and the greatest of all states, which a byte may confuse.
    X[:3], X[3:6] = 0, np.array(n_states) - 1
    y = rng.integers(2, size=300)
    M = len(n_states)
    parents = [tuple(range(j)) for j in range(M)]
    forced = {j: list(own) for j, own in enumerate(parents)}
    model = KDB(k=M - 1, parents=forced, min_categories=n_states).fit(X, y)
    data = truth.Data(X, y.tolist(), n_states)
    rows = data.rows
    truth.assert_predicts(
        model, rows, [truth.joint(row, data, parents) for row in rows]
    )


@pytest.mark.parametrize("is_weighted", [False, True])
def test_tables_larger_than_the_rows_of_a_chunk(is_weighted):
    # 250,000 cells a column: so many rows are taken at a time.
    rng = np.random.default_rng(27)
    X = rng.integers(50, size=(260_000, 3)).astype(np.int8)
    y = rng.integers(2, size=len(X))
    weights = rng.integers(3, size=len(X)) if is_weighted else None
    model = KDB(k=2, parents={1: [0], 2: [0, 1]}).fit(X, y, weights)
    cells = np.ravel_multi_index((y, *X.T), (2, 50, 50, 50))
    counts = np.bincount(cells, weights, minlength=250_000)
    counts = counts.reshape(2, 50, 50, 50)
    first, both = counts.sum(axis=(2, 3)), counts.sum(axis=3)
    total = first.sum(axis=1)
    wanted = np.log((total + 1) / (total.sum() + 2))[:, None, None, None]
    wanted = (
        wanted + np.log((first + 1) / (total[:, None] + 50))[..., None, None]
    )
    wanted = wanted + np.log((both + 1) / (first[..., None] + 50))[..., None]
    wanted = wanted + np.log((counts + 1) / (both[..., None] + 50))
    a, b, c = X.T.astype(int)
    assert_allclose(
        model.predict_joint_log_proba(X),
        wanted[:, a, b, c].T,
        rtol=0,
        atol=1e-10,
    )


# -- the structure that is learned --------------------------------------------


@given(truth.small_data(), st.sampled_from(truth.ESTIMATES), st.data())
def test_learns_what_sahami_says(data, how, draw):
    k = draw.draw(st.integers(0, data.n_columns - 1))
    model = KDB(k=k, min_categories=data.n_states, **how)
    model.fit(data.rows, data.y, data.weights)
    order = list(model.order_)
    assert sorted(order) == list(range(data.n_columns))
    alone = [truth.class_information(data, j) for j in order]
    # Falling, but for the last digits.
    assert all(np.diff(alone) < 1e-9)
    for place, j in enumerate(order):
        told = {
            i: truth.conditional_information(data, i, j) for i in order[:place]
        }
        own = model.parents_[j]
        telling = [bits for bits in told.values() if bits > 1e-12]
        best = sorted(telling, reverse=True)[:k]
        assert sorted((told[i] for i in own), reverse=True) == (
            pytest.approx(best, abs=1e-9)
        )
    rows = data.rows[:10]
    wanted = [truth.joint(row, data, model.parents_, **how) for row in rows]
    truth.assert_predicts(model, rows, wanted)


def test_the_first_is_taken_on_ties():
    X, y = truth.dependent_rows(60, seed=18, n_columns=1)
    # Copies of one column, which tell the same of the class and each other.
    model = KDB(k=2).fit(np.tile(X, 4), y)
    assert list(model.order_) == [0, 1, 2, 3]
    assert list(map(sorted, model.parents_)) == [[], [0], [0, 1], [0, 1]]


@pytest.mark.parametrize("seed", range(5))
def test_what_differs_by_roundings_is_a_tie(seed):
    # The same column, with its states in other orders, and so with the same
    # information, of which the last digits may differ.
    rng = np.random.default_rng(seed)
    column = rng.integers(5, size=200)
    y = (column + rng.integers(3, size=200)) % 4
    X = np.stack([rng.permutation(5)[column] for _ in range(6)], axis=1)
    model = KDB(k=2).fit(X, y)
    assert model.order_ == [0, 1, 2, 3, 4, 5]
    assert model.parents_ == ((), (0,), *[(0, 1)] * 4)


def test_the_first_of_many_columns_is_taken_on_ties():
    # Parents tie in the order of the columns, not in that of what they tell
    # about the class.
    order, parents = k_parents(
        np.array([1.0, 2.0, 0.0]), np.full((3, 3), 0.5), k=1
    )
    assert order == [1, 0, 2]
    assert parents == ((1,), (), (0,))
    # Sorting algorithms keep the order of a few, but not of many.
    order, _ = k_parents(np.arange(100) % 2, np.zeros((100, 100)), k=1)
    assert order == [*range(1, 100, 2), *range(0, 100, 2)]


def test_columns_that_tell_nothing_are_no_parents():
    X, y = truth.dependent_rows(60, seed=19)
    X[:, 1] = 0
    model = KDB(k=3).fit(X, y)
    assert model.parents_[1] == ()
    assert all(1 not in own for own in model.parents_)
    # Three columns have at most two earlier ones that tell something.
    assert sorted(map(len, model.parents_)) == [0, 0, 1, 2]


@given(truth.small_data(), st.sampled_from(truth.ESTIMATES))
@settings(max_examples=20)
def test_without_parents_it_is_naive_bayes(data, how):
    options = how | {"min_categories": data.n_states}
    ours = KDB(k=0, **options).fit(data.rows, data.y, data.weights)
    naive = CategoricalNB(**options).fit(data.rows, data.y, data.weights)
    rows = data.every_row()[:50]
    assert_allclose(
        ours.predict_joint_log_proba(rows),
        naive.predict_joint_log_proba(rows),
        atol=1e-12,
    )


@given(truth.small_data(2), st.sampled_from(truth.ESTIMATES), st.data())
@settings(max_examples=20)
def test_with_a_common_parent_it_is_a_spode(data, how, draw):
    M, options = data.n_columns, how | {"min_categories": data.n_states}
    parent = draw.draw(st.integers(0, M - 1))
    forced = {j: [parent] for j in range(M) if j != parent}
    ours = KDB(k=1, parents=forced, **options)
    spode = SPODE(parent=parent, **options)
    for model in (ours, spode):
        model.fit(data.rows, data.y, data.weights)
    rows = data.every_row()[:50]
    assert_allclose(
        ours.predict_joint_log_proba(rows),
        spode.predict_joint_log_proba(rows),
        atol=1e-12,
    )


@given(truth.small_data(2))
@settings(max_examples=20)
def test_all_earlier_columns_as_parents_give_the_empirical_distribution(data):
    # Without weights; and each pair of columns has to tell something.
    data = truth.Data(data.rows, data.y, data.n_states)
    information = truth.information_matrix(data)
    others = ~np.eye(data.n_columns, dtype=bool)
    assume((information[others] > 1e-9).all())
    model = KDB(k=data.n_columns - 1, estimate="mle")
    model.fit(data.rows, data.y)
    observed = list(zip(data.rows, data.y, strict=True))
    wanted = [
        [observed.count((row, k)) / len(observed) for k in data.classes]
        for row in data.rows
    ]
    joint = np.exp(model.predict_joint_log_proba(data.rows))
    assert_allclose(joint, wanted, rtol=0, atol=1e-12)


def test_more_parents_fit_the_training_rows_better():
    X, y = truth.dependent_rows(300, seed=20, n_columns=5)
    own = np.searchsorted(np.unique(y), y)
    fits = [
        KDB(k=k, estimate="mle")
        .fit(X, y)
        .predict_joint_log_proba(X)[np.arange(300), own]
        .sum()
        for k in range(5)
    ]
    assert all(np.diff(fits) > 0)


def test_only_a_given_structure_can_learn_in_pieces():
    assert hasattr(KDB(parents={0: [1]}), "partial_fit")
    assert not hasattr(KDB(k=2), "partial_fit")
    X, y = truth.dependent_rows(30, seed=21)
    assert not hasattr(KDB(k=2).fit(X, y), "partial_fit")


def test_in_the_order_parents_come_first():
    X, y = truth.dependent_rows(60, seed=24)
    for parents in ({0: [3], 3: [2], 2: [1]}, {1: [3, 0], 3: [2]}):
        model = KDB(k=2, parents=parents).fit(X, y)
        place = list(model.order_).index
        assert sorted(model.order_) == [0, 1, 2, 3]
        assert all(
            place(i) < place(j) for j, own in parents.items() for i in own
        )


def test_parents_are_names_or_numbers():
    frame = pd.DataFrame(
        {"sky": ["grey", "blue", "blue"], "wind": ["west", "east", "west"]}
    )
    for parents in ({"wind": ["sky"]}, {1: [0]}, {"wind": [0], "sky": []}):
        model = KDB(parents=parents).fit(frame, [0, 1, 1])
        assert model.parents_ == ((), (0,))


def test_the_order_of_given_parents_does_not_matter():
    X, y = truth.dependent_rows(60, seed=24)
    model = KDB(k=2, parents={2: [1, 0]}).fit(X[:30], y[:30])
    assert model.parents_ == ((), (), (0, 1), ())
    model.set_params(parents={2: [0, 1]}).partial_fit(X[30:], y[30:])
    batch = KDB(k=2, parents={2: [0, 1]}).fit(X, y)
    assert_allclose(
        model.predict_joint_log_proba(X), batch.predict_joint_log_proba(X)
    )


# -- bad input ----------------------------------------------------------------


def test_more_parents_than_columns_are_all_columns_with_a_warning():
    X, y = truth.dependent_rows(60, seed=22)
    most = KDB(k=3).fit(X, y)
    for k in (4, 40):
        with pytest.warns(UserWarning, match=f"k={k} is more.*k=3 was used"):
            model = KDB(k=k).fit(X, y)
        assert model.parents_ == most.parents_
        assert model.k == k
        with pytest.warns(UserWarning, match="k=3 was used"):
            chunked = KDB(k=k).fit_chunks([(X, y)])
        assert chunked.parents_ == most.parents_
    with pytest.warns(UserWarning, match="k=0 was used"):
        alone = KDB().fit_chunks([(X[:, :1], y)])
    assert alone.parents_ == ((),)
    grid = {"k": [0, 1, 2, 3, 4, 5]}
    search = GridSearchCV(KDB(), grid, cv=3, error_score="raise")
    with pytest.warns(UserWarning, match="k=3 was used"):
        search.fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    assert scores[3] == scores[4] == scores[5]


@pytest.mark.parametrize(
    ("k", "message"),
    [
        (-1, r"k is -1"),
        (1.5, r"k is 1\.5"),
        (np.nan, r"k is nan"),
        ("two", r"k is 'two'"),
        (None, r"k is None"),
    ],
)
def test_numbers_of_parents_that_make_no_sense(k, message):
    X, y = truth.dependent_rows(30, seed=22)
    with pytest.raises(ProbabilityError, match=message):
        KDB(k=k).fit(X, y)


FRAME = pd.DataFrame(
    {"sky": [0, 1, 1, 0], "wind": [1, 0, 1, 0], "leaf": [0, 0, 1, 1]}
)


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ({"sky": ["wnd"]}, r"'wnd'.*Did you mean 'wind'\?$"),
        ({"skyy": ["wind"]}, r"'skyy'.*Did you mean 'sky'\?$"),
        ({"sky": [3]}, r"\b3\b"),
        ({7: ["sky"]}, r"\b7\b"),
        ({"sky": ["sky"]}, r"loop sky"),
        ({0: [0]}, r"loop sky"),
        ({"sky": ["wind", "leaf"]}, r"'sky'.*'wind', 'leaf'.*k=1"),
        ({"sky": ["wind"], "wind": ["sky"]}, r"cycle"),
        ({"sky": ["wind"], "wind": ["leaf"], "leaf": ["sky"]}, r"cycle"),
        ({"sky": [["wind"]]}, r"\['wind'\]"),
    ],
)
def test_parents_that_make_no_sense(parents, message):
    with pytest.raises(ValueError, match=message):
        KDB(k=1, parents=parents).fit(FRAME, [0, 1, 1, 0])


@pytest.mark.parametrize(
    ("parents", "message"),
    [({"sky": 1.5}, r"1\.5"), (["sky"], r"parents")],
)
def test_parents_of_a_wrong_type(parents, message):
    with pytest.raises(TypeError, match=message):
        KDB(k=1, parents=parents).fit(FRAME, [0, 1, 1, 0])


def test_a_cycle_is_shown():
    parents = {"sky": ["wind"], "wind": ["leaf"], "leaf": ["sky"]}
    with pytest.raises(ValueError, match="cycle") as told:
        KDB(k=1, parents=parents).fit(FRAME, [0, 1, 1, 0])
    for name in FRAME:
        assert re.search(rf"\b{name}\b", str(told.value))


def test_a_column_by_name_and_by_number_has_no_more_parents():
    parents = {"sky": ["wind"], 0: ["leaf"]}
    with pytest.raises(ValueError, match="'sky'"):
        KDB(k=1, parents=parents).fit(FRAME, [0, 1, 1, 0])


def test_too_many_parents_are_refused_before_any_table():
    # 3 ** 20 states of a family, although no column has many.
    X = (np.arange(3)[:, None] + np.arange(21)) % 3
    parents = {20: list(range(20))}
    with pytest.raises(TableTooLargeError, match=r"parents.*GiB.*fewer"):
        KDB(k=20, parents=parents).fit(X, [0, 1, 1])
