"""Arrays of Dask: counts of blocks add up to the counts of the whole."""

import dask
import dask.array
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from bayesbook.base import ProbabilityError
from bayesbook.data import (
    count_classes,
    count_families,
    count_joint,
    count_pairs,
    count_states,
    sum_by_class,
)

N_STATES = [2, 3, 5]


@pytest.mark.heavy
@given(st.data(), st.booleans())
def test_dask_arrays_are_counted_block_by_block(data, weighted):
    n = data.draw(st.integers(0, 40))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    codes = rng.integers(-1, N_STATES, (n, 3)).astype(np.int8)
    y, weights = rng.integers(0, 2, n), None
    blocks = data.draw(st.integers(1, n + 1)), data.draw(st.integers(1, 3))
    rows = dask.array.from_array(codes, chunks=blocks)
    labels = dask.array.from_array(y, chunks=data.draw(st.integers(1, n + 1)))
    own = None
    if weighted:
        # What is not Dask's is cut as the rest is.
        weights = own = rng.integers(0, 4, n).astype(float)
    families = [(0, 1), (2,), (2, 0), ()]
    pairs = [
        (count_classes(labels, 2, own), count_classes(y, 2, weights)),
        (
            count_joint(rows, N_STATES, own),
            count_joint(codes, N_STATES, weights),
        ),
        (
            sum_by_class(rows, labels, 2, own),
            sum_by_class(codes, y, 2, weights),
        ),
        *(
            (
                count(rows, labels, N_STATES, 2, weights=own),
                count(codes, y, N_STATES, 2, weights=weights),
            )
            for count in (count_states, count_pairs)
        ),
        *zip(
            count_families(list(rows.T), N_STATES, families, own),
            count_families(list(codes.T), N_STATES, families, weights),
            strict=True,
        ),
    ]
    for found, wanted in pairs:
        np.testing.assert_array_equal(found, wanted, strict=True)


def test_sparse_blocks_are_added_up():
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 3, (20, 4)), rng.integers(0, 2, 20)
    rows = dask.array.from_array(X, chunks=(6, 4))
    rows = rows.map_blocks(sparse.csr_matrix)
    labels = dask.array.from_array(y, chunks=6)
    np.testing.assert_array_equal(
        sum_by_class(rows, labels, 2), sum_by_class(X, y, 2)
    )


def test_labels_may_be_of_a_series():
    y = pd.Series([0, 1, 1, 0, 1])
    labels = dd.from_pandas(y, npartitions=2)
    assert count_classes(labels, 2).tolist() == [2, 3]


@pytest.mark.parametrize(
    ("rows", "y", "message"),
    [
        ([3, 2], [3, 2], "Partition 1: The class in row 1 is 2"),
        ([3, 2], [2, 2, 2], "There are 5 rows in one collection, and 6"),
        ([3, 2], np.zeros(4, int), "There are 5 rows in one collection, and"),
    ],
)
def test_errors_say_which_block(rows, y, message):
    X = dask.array.zeros((sum(rows), 1), chunks=(rows, 1), dtype=int)
    if isinstance(y, list):
        y = dask.array.arange(sum(y), chunks=(y,)) // 4 * 2
    with pytest.raises(ProbabilityError, match=message):
        count_states(X, y, [1], 2)


def test_blocks_of_unknown_lengths():
    X = dask.array.zeros((5, 1), chunks=(2, 1), dtype=int)
    y = dask.array.zeros(5, chunks=2, dtype=int)
    some, own = X[X[:, 0] == 0], y[y == 0]
    assert count_states(some, own, [1], 1).tolist() == [[5]]
    with pytest.raises(ProbabilityError, match="into 1 and into 3 parts"):
        count_states(some, y.rechunk(5), [1], 1)
    with pytest.raises(ProbabilityError, match="of the type ndarray"):
        count_states(some, np.zeros(5, int), [1], 1)
