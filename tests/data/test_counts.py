"""Counting, against loops over rows and columns."""

import tracemalloc
from itertools import product
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.data import (
    count_classes,
    count_families,
    count_joint,
    count_pairs,
    count_states,
    offsets,
    sum_by_class,
    sum_entries,
)
from bayesbook.data import families as family_module
from bayesbook.data.row_blocks import add_tables

N_STATES = [3, 1, 4]
K = 3


def coded(least=0):
    """Rows of codes, their classes, and a weight for each."""
    columns = [st.integers(least, s - 1) for s in N_STATES]
    row = st.tuples(
        st.tuples(*columns), st.integers(0, K - 1), st.integers(0, 5)
    )
    return st.lists(row, max_size=25).map(
        lambda rows: (
            np.array([x for x, _, _ in rows], int).reshape(-1, len(N_STATES)),
            np.array([c for _, c, _ in rows], int),
            np.array([w for _, _, w in rows], float),
        )
    )


def states_by_loops(codes, y, weights):
    start = [0, 3, 4]
    counts = np.zeros((K, sum(N_STATES)))
    for x, c, w in zip(codes, y, weights, strict=True):
        for m, s in enumerate(x):
            if s >= 0:
                counts[c, start[m] + s] += w
    return counts


def pairs_by_loops(codes, y, weights):
    start = [0, 3, 4]
    counts = np.zeros((K, sum(N_STATES), sum(N_STATES)))
    for x, c, w in zip(codes, y, weights, strict=True):
        for m, s in enumerate(x):
            for j, t in enumerate(x):
                if s >= 0 and t >= 0:
                    counts[c, start[m] + s, start[j] + t] += w
    return counts


def test_offsets_say_where_the_states_of_a_column_begin():
    assert offsets([3, 1, 4]).tolist() == [0, 3, 4, 8]
    assert offsets([2]).tolist() == [0, 2]


@given(coded())
def test_classes(data):
    _, y, weights = data
    ones = [list(y).count(k) for k in range(K)]
    assert count_classes(y, K).tolist() == ones
    weighted = [sum(weights[y == k]) for k in range(K)]
    assert count_classes(y, K, weights).tolist() == weighted


@given(coded(least=-1))
def test_states_are_counted_and_missing_ones_are_not(data):
    codes, y, weights = data
    wanted = states_by_loops(codes, y, np.ones(len(y)))
    assert count_states(codes, y, N_STATES, K).tolist() == wanted.tolist()
    wanted = states_by_loops(codes, y, weights)
    counts = count_states(codes, y, N_STATES, K, weights)
    assert counts.tolist() == wanted.tolist()


@given(coded(least=-1))
def test_pairs_of_all_columns_at_once(data):
    codes, y, weights = data
    wanted = pairs_by_loops(codes, y, np.ones(len(y)))
    assert count_pairs(codes, y, N_STATES, K).tolist() == wanted.tolist()
    wanted = pairs_by_loops(codes, y, weights)
    counts = count_pairs(codes, y, N_STATES, K, weights)
    assert counts.tolist() == wanted.tolist()


@given(coded(least=-1))
def test_the_joint_table_of_all_columns(data):
    codes, _, weights = data
    counts, weighted = np.zeros(N_STATES), np.zeros(N_STATES)
    for x, w in zip(codes, weights, strict=True):
        if min(x) >= 0:
            counts[tuple(x)] += 1
            weighted[tuple(x)] += w
    assert count_joint(codes, N_STATES).tolist() == counts.tolist()
    assert count_joint(codes, N_STATES, weights).tolist() == weighted.tolist()


@given(coded(), st.booleans())
def test_sums_by_class(data, is_sparse):
    X, y, weights = data
    given_ = (
        sparse.csr_array(X.astype(float)) if is_sparse else X.astype(float)
    )
    for w in (None, weights):
        wanted = np.zeros((K, X.shape[1]))
        for x, c, v in zip(
            X, y, np.ones(len(y)) if w is None else w, strict=True
        ):
            wanted[c] += v * x
        sums = sum_by_class(given_, y, K, w)
        assert not sparse.issparse(sums)
        assert sums.tolist() == wanted.tolist()


@given(coded(least=-1), st.data())
def test_counts_of_parts_add_up(data, draw):
    codes, y, weights = data
    order = np.array(draw.draw(st.permutations(range(len(y)))), int)
    cut = draw.draw(st.integers(0, len(y)))
    parts = [order[:cut], order[cut:]]
    for function in (count_states, count_pairs):
        whole = function(codes, y, N_STATES, K, weights)
        split = sum(
            function(codes[i], y[i], N_STATES, K, weights[i]) for i in parts
        )
        assert split.tolist() == whole.tolist()
    whole = sum_by_class(codes.astype(float), y, K, weights)
    split = sum(
        sum_by_class(codes[i].astype(float), y[i], K, weights[i])
        for i in parts
    )
    assert split.tolist() == whole.tolist()


@given(coded())
def test_pairs_hold_the_states_on_their_diagonal_and_are_symmetric(data):
    codes, y, weights = data
    pairs = count_pairs(codes, y, N_STATES, K, weights)
    states = count_states(codes, y, N_STATES, K, weights)
    assert np.diagonal(pairs, axis1=1, axis2=2).tolist() == states.tolist()
    assert pairs.tolist() == pairs.transpose(0, 2, 1).tolist()
    # Every column of a row is seen with every other.
    assert pairs[:, 3, :].tolist() == states.tolist()


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64])
@pytest.mark.parametrize("order", "CF")
def test_small_integers_do_not_overflow(kind, order):
    # Joint codes go up to 120 · 20, far beyond the codes' own type.
    rng = np.random.default_rng(4)
    codes = rng.integers(120, size=(3000, 3)).astype(kind, order=order)
    y = rng.integers(20, size=3000).astype(kind)
    counts = count_states(codes, y, [120] * 3, 20)
    wanted = [pd.crosstab(y, codes[:, m]).to_numpy() for m in range(3)]
    assert counts.tolist() == np.hstack(wanted).tolist()
    assert count_pairs(codes, y, [120] * 3, 20).sum() == 9 * 3000
    joint = count_joint(codes, [120] * 3)
    assert joint.sum() == 3000
    assert joint[tuple(codes[7])] == (codes == codes[7]).all(axis=1).sum()


def test_chunks_of_rows_meet():
    # More rows than any chunk that fits into a cache.
    rng = np.random.default_rng(5)
    n = 20_001
    codes = rng.integers(-1, 3, size=(n, 3)).astype(np.int8)
    y = rng.integers(2, size=n)
    weights = rng.integers(1, 4, size=n).astype(float)
    counts = count_states(codes, y, [3] * 3, 2, weights)
    joint = count_joint(codes, [3] * 3, weights)
    for c, m, s in np.ndindex(2, 3, 3):
        rows = (y == c) & (codes[:, m] == s)
        assert counts[c, 3 * m + s] == weights[rows].sum()
    for states in np.ndindex(3, 3, 3):
        rows = (codes == states).all(axis=1)
        assert joint[states] == weights[rows].sum()
    X = np.tile(codes.astype(float), 20)
    for kind in (np.array, sparse.csr_array):
        for w in (weights, None):
            sums = sum_by_class(kind(X), y, 2, w)
            own = np.ones(n) if w is None else w
            for c in range(2):
                wanted = (own[y == c, None] * codes[y == c]).sum(axis=0)
                assert sums[c].tolist() == [*wanted] * 20


@pytest.mark.parametrize("kind", [np.int16, np.uint8])
def test_chunks_of_pairs_meet(kind):
    # With 257 states, the last is none of a byte.
    n_states = [257, 40]
    rng = np.random.default_rng(9)
    codes = rng.integers(0, [256, 40], size=(20_000, 2))
    y = rng.integers(2, size=20_000)
    y[:17_000] = 1
    weights = rng.integers(1, 4, size=20_000).astype(float)
    wanted = np.zeros((2, 297, 297))
    for m, j in np.ndindex(2, 2):
        places = y, codes[:, m] + 257 * m, codes[:, j] + 257 * j
        np.add.at(wanted, places, weights)
    pairs = count_pairs(codes.astype(kind), y, n_states, 2, weights)
    assert (pairs == wanted).all()


@pytest.mark.parametrize("function", [count_states, count_pairs])
def test_memory_does_not_grow_with_the_rows(function):
    # The one-hot matrix of all rows would be 20 MB of bytes, 80 of floats.
    n, M = 200_000, 10
    rng = np.random.default_rng(6)
    codes = rng.integers(10, size=(n, M), dtype=np.int8)
    y = rng.integers(2, size=n)
    tracemalloc.start()
    function(codes, y, [10] * M, 2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6


def test_sparse_sums_are_never_dense():
    # As a dense array it would need 160 GB.
    n, M = 10**5, 2 * 10**5
    rows = np.arange(n)
    X = sparse.csr_array((np.full(n, 2.0), (rows, rows % 7)), shape=(n, M))
    sums = sum_by_class(X, rows % 2, 2)
    assert sums.shape == (2, M)
    wanted = 2 * np.bincount(rows[::2] % 7)
    assert sums[0, :7].tolist() == wanted.tolist()
    assert not sums[:, 7:].any()


def test_no_rows_are_counted_as_zeros():
    none = np.zeros((0, 3), dtype=int)
    y = np.zeros(0, dtype=int)
    assert not count_states(none, y, N_STATES, K).any()
    assert not count_pairs(none, y, N_STATES, K).any()
    assert not count_joint(none, N_STATES).any()
    assert count_states(none, y, N_STATES, K).shape == (K, 8)
    assert count_joint(none, N_STATES).shape == (3, 1, 4)


def test_a_class_without_rows_has_zeros():
    codes, y = np.array([[0, 0, 0]]), np.array([2])
    assert count_states(codes, y, N_STATES, K).sum(axis=1).tolist() == [
        0,
        0,
        3,
    ]
    assert count_classes(y, K).tolist() == [0, 0, 1]


def test_fractions_of_a_weight():
    codes, y = np.array([[0], [0], [1]]), np.array([0, 0, 0])
    counts = count_states(codes, y, [2], 1, np.array([0.25, 0.5, 1.5]))
    assert counts.tolist() == [[0.75, 1.5]]
    pairs = count_pairs(codes, y, [2], 1, np.array([0.25, 0.5, 1.5]))
    assert pairs.tolist() == [[[0.75, 0], [0, 1.5]]]


def test_large_counts_are_exact():
    # Not so in 32 bits: there 2**24 + 1 is no number.
    n = 2**24 + 1
    codes = np.zeros((3, 1), dtype=np.int8)
    weights = np.array([n, 1.0, 1.0])
    y = np.zeros(3, dtype=int)
    assert count_states(codes, y, [1], 1, weights).tolist() == [[n + 2]]
    assert count_pairs(codes, y, [1], 1, weights).tolist() == [[[n + 2]]]


@given(coded(least=-1))
def test_looking_up_is_adding_entries_of_the_table(data):
    codes, _, _ = data
    table = np.random.default_rng(7).normal(size=(2, sum(N_STATES)))
    table[0, 5] = -np.inf
    start = [0, 3, 4]
    wanted = [
        [
            sum(row[start[m] + s] for m, s in enumerate(x) if s >= 0)
            for row in table
        ]
        for x in codes
    ]
    wanted = np.reshape(wanted, (-1, 2))
    sums = sum_entries(codes, table, N_STATES)
    assert sums.shape == (len(codes), 2)
    assert np.allclose(sums, wanted, atol=1e-12)


@pytest.mark.parametrize("least", [0, -1])
@pytest.mark.parametrize(
    "n_states",
    [
        *([256], [257], [255], [1, 256], [256, 1], [1, 1, 256, 2], [1, 255]),
        *([16, 16], [2, 128], [128, 2, 2], [15, 15], [1, 127], [2] * 9),
        *([4] * 5, [3] * 5, [1] * 3, [65536], [65535], [65537, 1], [1, 65536]),
    ],
)
def test_states_at_the_limits_of_a_byte(n_states, least):
    rng = np.random.default_rng(8)
    for n in (511, 512, 2049):
        codes = rng.integers(least, n_states, size=(n, len(n_states)))
        codes[0], codes[-1] = least, np.array(n_states) - 1
        table = rng.integers(9, size=(2, sum(n_states)))
        table[1, -1] = 1000
        y = rng.integers(2, size=n)
        counts = count_states(codes, y, n_states, 2)
        sums = sum_entries(codes, table, n_states)
        wanted = np.zeros((n, 2))
        start = 0
        for column, s in zip(codes.T, n_states, strict=True):
            known = column >= 0
            own = slice(start, start + s)
            wanted[known] += table[:, own][:, column[known]].T
            for k in range(2):
                seen = np.bincount(column[known & (y == k)], minlength=s)
                assert counts[k, own].tolist() == seen.tolist()
            start += s
        assert sums.tolist() == wanted.tolist()


@pytest.mark.parametrize("n", [5, 700])
@pytest.mark.parametrize("kind", [np.int8, np.uint8])
def test_more_states_than_the_type_of_the_codes_can_hold(kind, n):
    # State 255 would be −1 in a byte with a sign, and 256 zero without.
    codes = np.zeros((n, 2), dtype=kind)
    y = np.zeros(n, dtype=int)
    if kind is np.int8:
        codes[:, 1] = -1
    states = count_states(codes, y, [300, 300], 1)
    pairs = count_pairs(codes, y, [300, 300], 1)
    assert states.sum() == np.sum(codes >= 0)
    assert np.diagonal(pairs[0]).tolist() == states[0].tolist()


@pytest.mark.parametrize("n", [5, 700])
def test_unsigned_codes_of_eight_bytes(n):
    codes = np.ones((n, 2), dtype=np.uint64)
    y = np.zeros(n, dtype=np.uint64)
    assert count_states(codes, y, [2, 2], 1).tolist() == [[0, n, 0, n]]
    assert count_joint(codes, [2, 2]).tolist() == [[0, 0], [0, n]]
    assert count_pairs(codes, y, [2, 2], 1)[0, 1].tolist() == [0, n, 0, n]


@pytest.mark.parametrize("n", [2, 700])
def test_lists_will_do(n):
    codes, y, weights = [[0, 1]] * n, [0] * n, [0.5] * n
    assert count_classes(y, 1, weights).tolist() == [n / 2]
    assert count_states(codes, y, [2, 2], 1, weights).tolist() == [
        [n / 2, 0, 0, n / 2]
    ]
    assert count_joint(codes, [2, 2], weights).tolist() == [[0, n / 2], [0, 0]]
    pairs = count_pairs(codes, y, [2, 2], 1, weights)
    assert pairs[0, 0].tolist() == [n / 2, 0, 0, n / 2]
    assert sum_by_class(codes, y, 1, weights).tolist() == [[0, n / 2]]
    X = sparse.csr_array(codes)
    assert sum_by_class(X, y, 1, weights).tolist() == [[0, n / 2]]


@pytest.mark.parametrize("form", ["csc", "coo", "lil"])
def test_sums_of_other_sparse_formats_are_right_or_refused(form):
    X = sparse.csr_array(np.arange(12.0).reshape(4, 3)).asformat(form)
    try:
        sums = sum_by_class(X, [0, 1, 1, 0], 2)
    except (ProbabilityError, TypeError):
        return
    assert sums.tolist() == [[9, 11, 13], [9, 11, 13]]


CODES = np.zeros((700, 2), dtype=int)
Y = np.zeros(700, dtype=int)


@pytest.mark.parametrize("n", [3, 700])
@pytest.mark.parametrize("function", [count_states, count_pairs])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"codes": 2}, "code in row 2 of column 1 is 2; with 2 states"),
        ({"y": 2}, "class in row 2 is 2; with 2 classes the codes are 0 to 1"),
        ({"y": -1}, "class in row 2 is -1"),
    ],
)
def test_codes_that_are_no_state_or_class(n, function, change, message):
    codes, y = CODES[:n].copy(), Y[:n].copy()
    if "codes" in change:
        codes[2, 1] = change["codes"]
    else:
        y[2] = change["y"]
    with pytest.raises(ProbabilityError, match=message):
        function(codes, y, [2, 2], 2)


@pytest.mark.parametrize("n", [3, 700])
@pytest.mark.parametrize("function", [count_states, count_pairs])
def test_lengths_that_do_not_agree(n, function):
    codes, y = CODES[:n], Y[:n]
    with pytest.raises(ProbabilityError, match=f"{n} rows, but classes for"):
        function(codes, y[1:], [2, 2], 1)
    with pytest.raises(ProbabilityError, match="2 columns"):
        function(codes, y, [2, 2, 2], 1)
    for length in (n - 1, n + 1):
        with pytest.raises(ValueError, match="weights"):
            function(codes, y, [2, 2], 1, np.ones(length))


@pytest.mark.parametrize("n", [3, 700])
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_lengths_of_sums_that_do_not_agree(n, kind):
    X = kind(np.ones((n, 2)))
    for length in (n - 1, n + 1):
        with pytest.raises(ValueError):  # noqa: PT011 (any words)
            sum_by_class(X, np.zeros(length, dtype=int), 1)
        with pytest.raises(ValueError):  # noqa: PT011 (any words)
            sum_by_class(X, np.zeros(n, dtype=int), 1, np.ones(length))


@pytest.mark.parametrize("n", [3, 700])
def test_weights_of_classes_and_tables_that_do_not_agree(n):
    for length in (n - 1, n + 1):
        with pytest.raises(ValueError, match="weights"):
            count_classes(Y[:n], 1, np.ones(length))
        with pytest.raises((ValueError, IndexError)):
            count_joint(CODES[:n], [2, 2], np.ones(length))


@pytest.mark.parametrize("codes", [[[0.5]], [["a"]], [0, 1], [[True]]])
def test_codes_that_are_no_numbers_of_states(codes):
    with pytest.raises(ProbabilityError, match="table of whole numbers"):
        count_joint(codes, [2])


def test_tables_that_would_fill_the_memory():
    codes = np.zeros((1, 60), dtype=int)
    with pytest.raises(TableTooLargeError, match="contingency table"):
        count_joint(codes, [2] * 60)
    with pytest.raises(TableTooLargeError, match="pairs"):
        count_pairs(codes[:, :1], [0], [10**6], 1)


@pytest.mark.parametrize(
    ("weights", "message"), [([-1, 1], "row 0 is -1"), ([1, np.nan], "row 1")]
)
def test_weights_that_are_none(weights, message):
    with pytest.raises(ProbabilityError, match=f"The weight of {message}"):
        count_classes([0, 1], 2, weights)


def test_a_column_without_a_number_of_states():
    with pytest.raises(ProbabilityError, match="Column 1 has -1 states"):
        count_states([[0, 1]], [0], [2, -1], 1)


@pytest.mark.parametrize("n", [3, 600])
def test_without_columns_there_is_nothing_to_count(n):
    codes, y = np.zeros((n, 0), dtype=int), np.zeros(n, dtype=int)
    assert count_states(codes, y, [], 1).shape == (1, 0)
    assert count_pairs(codes, y, [], 1).shape == (1, 0, 0)
    assert count_joint(codes, []) == n
    assert sum_entries(codes, np.zeros((1, 0)), []).tolist() == [[0.0]] * n


def families_by_loops(codes, families, weights):
    tables = []
    for family in families:
        table = np.zeros([N_STATES[m] for m in family])
        for x, w in zip(codes, weights, strict=True):
            cell = tuple(int(x[m]) for m in family)
            if min(cell, default=0) >= 0:
                table[cell] += w
        tables.append(table)
    return tables


FAMILIES = st.lists(
    st.lists(st.integers(0, 2), unique=True, max_size=3).map(tuple),
    max_size=6,
)


@given(st.data())
def test_the_table_of_a_family_is_the_joint_table_of_its_columns(data):
    """By definition, however many families share a table."""
    n_states = data.draw(
        st.lists(st.integers(1, 5), min_size=8, max_size=8), "n_states"
    )
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    columns = [
        rng.integers(data.draw(st.sampled_from([-1, 0])), s, 50)
        for s in n_states
    ]
    family = st.lists(st.integers(0, 7), unique=True, max_size=4).map(tuple)
    some = data.draw(st.lists(family, max_size=40), "families")
    weights = data.draw(st.sampled_from([None, rng.integers(0, 4, 50)]))
    with patch.multiple(family_module, _OPEN=3, _SHARED=200, _JOINT_ROWS=20):
        tables = count_families(columns, n_states, some, weights)
    for own, table in zip(some, tables, strict=True):
        codes = np.array([columns[m] for m in own], int).reshape(len(own), 50)
        sizes = [n_states[m] for m in own]
        wanted = count_joint(codes.T, sizes, weights)
        np.testing.assert_array_equal(table, wanted, strict=True)


@given(coded(least=-1), FAMILIES, st.booleans())
def test_families(rows, families, is_weighted):
    codes, _, weights = rows
    given_weights = weights if is_weighted else None
    truth = families_by_loops(
        codes, families, weights if is_weighted else np.ones(len(codes))
    )
    tables = count_families(codes.T, N_STATES, families, given_weights)
    for table, wanted in zip(tables, truth, strict=True):
        assert table.shape == wanted.shape
        np.testing.assert_array_equal(table, wanted)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int64"])
def test_families_of_many_columns_and_of_every_type(dtype):
    rng = np.random.default_rng(1)
    n_states = [2, 3, 100, 4, 2, 5, 1, 3]
    columns = [rng.integers(0, s, 70_000).astype(dtype) for s in n_states]
    families = [(2, 0), (2, 3, 5), (6,), (1, 4, 7, 0), (5, 2), (0, 2), ()]
    tables = count_families(columns, n_states, families)
    for family, table in zip(families, tables, strict=True):
        if not family:
            assert table == 70_000
            continue
        codes = np.column_stack([columns[m] for m in family])
        wanted = count_joint(codes, [n_states[m] for m in family])
        np.testing.assert_array_equal(table, wanted)


def test_families_whose_joint_code_is_just_too_large_for_a_byte():
    for first, second in product((1, 2, 127, 128, 129), repeat=2):
        columns = [np.array([first - 1, 0]), np.array([second - 1, 0])]
        (table,) = count_families(columns, [first, second], [(0, 1)])
        assert table.sum() == 2
        assert table[-1, -1] == (2 if table.size == 1 else 1)


def test_tables_of_families_are_not_views_of_each_other():
    one, same = count_families([np.array([0, 1])], [2], [(0,), (0,)])
    one += 1
    assert same.tolist() == [1, 1]


def test_tables_that_are_added_stay_as_they_are():
    one, other = [np.array([1.0, 2.0]), 3], [np.array([4.0, 5.0]), 6]
    total = add_tables([one, other, other])
    assert list(map(np.ndarray.tolist, total)) == [[9, 12], 15]
    assert one[0].tolist() == [1, 2]
    assert other[0].tolist() == [4, 5]
    # Neither is the sum of one list the list itself.
    (alone,) = add_tables([one[:1]])
    alone += 1
    assert one[0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("columns", "families", "message"),
    [
        ([[0, 2]], [(0,)], "code in row 1 of column 0 is 2"),
        ([[0, 1]], [(0, 0)], r"family \(0, 0\) has a column twice"),
        ([[0, 1]], [(1,)], "A family has column 1; there are 1 columns"),
        ([[0, 1]], [(-1,)], "A family has column -1"),
        ([[0.5, 1]], [(0,)], "Column 0 must be a sequence of codes"),
        ([[0], [0]], [(0,)], "2 columns, but numbers of states for 1"),
    ],
)
def test_families_that_cannot_be_counted(columns, families, message):
    with pytest.raises(ProbabilityError, match=message):
        count_families(columns, [2], families)


def test_families_of_columns_of_different_lengths():
    with pytest.raises(ProbabilityError, match=r"different lengths: \[1, 2\]"):
        count_families([[0], [0, 1]], [2, 2], [(0, 1)])


def test_a_family_that_would_fill_the_memory():
    columns = np.zeros((60, 1), dtype=int)
    with pytest.raises(TableTooLargeError, match="table of a family"):
        count_families(columns, [2] * 60, [tuple(range(60))])
