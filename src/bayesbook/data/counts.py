"""Counting: the sufficient statistics of every discrete model here.

Whatever a discrete model wants to know of its data is in tables of counts:
how many rows of each class there are, how many of them have a feature in each
of its states, how many have two features in each pair of states. Counts of
parts of the data add up to the counts of the whole. That is why a model can
be trained in pieces, in any order, on several machines, or at the moment of
the question, and give the same answer.

>>> y = np.array([0, 0, 1])
>>> codes = np.array([[0, 2], [1, 2], [1, 0]])  # a coin and a die of three
>>> count_states(codes, y, n_states=[2, 3], n_classes=2)
array([[1., 1., 0., 0., 2.],
       [0., 1., 1., 0., 0.]])

States are coded 0, 1, 2, ... in every column; a negative code is a missing
value, which is not counted. The tables of all columns stand side by side, in
the order of the columns; :func:`~bayesbook.data.offsets` returns where each
begins. Counts are floats, because rows may have weights; whole numbers are
exact up to 2^53.

All functions go through the rows in chunks, so that they need the memory of
the tables and some megabytes. Functions that count take rows that are larger
than memory as arrays of Dask: each block is counted where it is, and the
counts are added.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import require_size
from bayesbook.data.blockwise import blockwise
from bayesbook.data.coded_rows import (
    offsets,
    read_classes,
    read_codes,
    read_weights,
)
from bayesbook.data.row_blocks import CHUNK, chunks

__all__ = [
    "count_classes",
    "count_joint",
    "count_pairs",
    "count_states",
    "sum_by_class",
    "sum_entries",
]

# Entries of rows, or of a sparse matrix, that are added up together.
_ENTRIES = 2**17


@blockwise("y", "weights")
def count_classes(
    y: ArrayLike, n_classes: int, weights: ArrayLike | None = None
) -> np.ndarray:
    """Count the rows of each class.

    Parameters
    ----------
    y : array of shape (n,)
        The class of each row, coded 0 ... n_classes - 1.
    n_classes : int
    weights : array of shape (n,), optional
        What each row counts; 1 by default.

    Returns
    -------
    array of shape (n_classes,)

    Raises
    ------
    ProbabilityError
        If one of `y` is not a class, or the lengths do not agree.

    Examples
    --------
    >>> count_classes([0, 2, 2, 0, 0], n_classes=4)
    array([3., 0., 2., 0.])
    >>> count_classes([0, 1], n_classes=2, weights=[0.5, 2.0])
    array([0.5, 2. ])
    """
    y = read_classes(y, n_classes)
    weights = read_weights(weights, len(y))
    return np.bincount(y, weights, minlength=n_classes).astype(float)


@blockwise("codes", "y", "weights")
def count_states(
    codes: ArrayLike,
    y: ArrayLike,
    n_states: Sequence[int],
    n_classes: int,
    weights: ArrayLike | None = None,
) -> np.ndarray:
    """Count, for each class, the rows that have each column in each state.

    Parameters
    ----------
    codes : int array of shape (n, M)
        The state of each column in each row; negative where it is missing.
    y : array of shape (n,)
        The class of each row, coded 0 ... n_classes - 1.
    n_states : sequence of M ints
    n_classes : int
    weights : array of shape (n,), optional

    Returns
    -------
    array of shape (n_classes, S)
        The states of all columns side by side, where `offsets` says.

    Raises
    ------
    ProbabilityError
        If one of `codes` is not a state, one of `y` not a class, or the
        lengths do not agree.
    TableTooLargeError
        If the table would need too much memory.

    Examples
    --------
    >>> count_states([[0, 1], [1, -1], [1, 1]], [0, 0, 1], [2, 2], 2)
    array([[1., 1., 0., 1.],
           [0., 1., 0., 1.]])
    """
    y = read_classes(y, n_classes)
    codes, n_states = read_codes(codes, n_states, len(y))
    weights = read_weights(weights, len(y))
    *starts, S = offsets(n_states).tolist()
    require_size((n_classes, S), "float", "The table of counts")
    # A missing value is counted in a further, last cell.
    table = np.zeros(n_classes * S + 1)
    for rows in _few_rows(codes, len(table)):
        part = np.ascontiguousarray(codes[rows])
        cells = part + (np.array(starts, int) + S * y[rows, None])
        cells[part < 0] = len(table) - 1
        own = None if weights is None else weights[rows].repeat(len(starts))
        table += np.bincount(cells.ravel(), own, minlength=len(table))
    return table[:-1].reshape(n_classes, S)


def _few_rows(codes, n_cells):
    """Yield slices of rows whose codes need little memory beside a table.

    Each slice passes through the whole table. If it has as many codes as the
    table has cells, that costs no more than the rows do.
    """
    n, M = codes.shape
    return chunks(n, max(1, max(_ENTRIES, n_cells) // max(M, 1)))


@blockwise("codes", "y", "weights")
def count_pairs(
    codes: ArrayLike,
    y: ArrayLike,
    n_states: Sequence[int],
    n_classes: int,
    weights: ArrayLike | None = None,
) -> np.ndarray:
    """Count, for each class, every pair of states of every pair of columns.

    If the rows of a class are written in a matrix H with a column for each
    state of each feature, 1 where the feature is in that state, then all the
    tables of pairs are the one matrix product HᵀH.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Negative where a value is missing.
    y : array of shape (n,)
        Coded 0 ... n_classes - 1; all zeros if there are no classes.
    n_states : sequence of M ints
    n_classes : int
    weights : array of shape (n,), optional

    Returns
    -------
    array of shape (n_classes, S, S)
        The table of columns i and j in class k is
        ``[k, o[i]:o[i + 1], o[j]:o[j + 1]]`` with ``o = offsets(n_states)``;
        the diagonal holds the counts of the single states.

    Raises
    ------
    ProbabilityError
        If one of `codes` is not a state, one of `y` not a class, or the
        lengths do not agree.
    TableTooLargeError
        If the table would need too much memory.

    Examples
    --------
    >>> count_pairs([[0, 1], [1, 1], [1, 0]], [0, 0, 0], [2, 2], 1)[0]
    array([[1., 0., 0., 1.],
           [0., 2., 1., 1.],
           [0., 1., 1., 0.],
           [1., 1., 0., 2.]])
    """
    y = read_classes(y, n_classes)
    codes, n_states = read_codes(codes, n_states, len(y))
    weights = read_weights(weights, len(y))
    starts = offsets(n_states)
    S = starts[-1]
    require_size((n_classes, S, S), "float", "The table of all pairs")
    column_of = np.repeat(np.arange(len(n_states)), n_states)
    state = np.arange(S) - starts[column_of]
    # A type that cannot hold all states would take some for others.
    if max(n_states, default=0) - 1 <= np.iinfo(codes.dtype).max:
        state = state.astype(codes.dtype)
    # Single precision counts exactly up to 2^24, more than a chunk holds.
    kind = np.float32 if weights is None else np.float64
    table = np.zeros((n_classes, S, S))
    by_class = np.split(
        np.argsort(y, kind="stable"),
        np.cumsum(np.bincount(y, minlength=n_classes))[:-1],
    )
    for k, members in enumerate(by_class):
        for chunk in chunks(len(members), max(1, 2**18 // max(S, 1))):
            rows = members[chunk]
            H = (codes[rows][:, column_of] == state).astype(kind)
            part = H if weights is None else H * weights[rows, None]
            table[k] += part.T @ H
    return table


@blockwise("codes", "weights")
def count_joint(
    codes: ArrayLike,
    n_states: Sequence[int],
    weights: ArrayLike | None = None,
) -> np.ndarray:
    """Count every combination of the states of all columns.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Rows in which a value is missing (negative) are not counted.
    n_states : sequence of M ints
    weights : array of shape (n,), optional

    Returns
    -------
    array with one axis of length ``n_states[m]`` for each column
        The contingency table.

    Raises
    ------
    ProbabilityError
        If a code is not a state, or the lengths do not agree.
    TableTooLargeError
        If the table would need too much memory.

    Examples
    --------
    >>> count_joint([[0, 1], [1, 1], [0, 1]], [2, 2])
    array([[0., 2.],
           [0., 1.]])
    """
    codes, n_states = read_codes(codes, n_states)
    weights = read_weights(weights, len(codes))
    require_size(n_states, "float", "The contingency table")
    strides = np.cumprod([1, *n_states[:0:-1]])[::-1][: len(n_states)]
    table = np.zeros(prod(n_states))
    for rows in chunks(len(codes)):
        part = codes[rows]
        is_known = (part >= 0).all(axis=1)
        cells = part[is_known] @ strides
        own = None if weights is None else weights[rows][is_known]
        table += np.bincount(cells, own, minlength=len(table))
    return table.reshape(n_states)


@blockwise("X", "y", "weights")
def sum_by_class(
    X: ArrayLike | sparse.sparray | sparse.spmatrix,
    y: ArrayLike,
    n_classes: int,
    weights: ArrayLike | None = None,
) -> np.ndarray:
    """Add up the rows of each class.

    Parameters
    ----------
    X : array of shape (n, M), or a sparse matrix, best in the format CSR
        Counts, say of the words in each document. A sparse matrix stays
        sparse.
    y : array of shape (n,)
        Coded 0 ... n_classes - 1.
    n_classes : int
    weights : array of shape (n,), optional

    Returns
    -------
    array of shape (n_classes, M)

    Raises
    ------
    ProbabilityError
        If one of `y` is not a class, or the lengths do not agree.

    Examples
    --------
    >>> sum_by_class([[1, 0], [2, 5], [4, 4]], [0, 0, 1], n_classes=2)
    array([[3., 5.],
           [4., 4.]])
    """
    y = read_classes(y, n_classes)
    weights = read_weights(weights, len(y))
    is_sparse = sparse.issparse(X)
    X = cast(Any, X).tocsr() if is_sparse else np.asarray(X)
    if X.shape[0] != len(y):
        raise ProbabilityError(
            f"There are {X.shape[0]} rows, but classes for {len(y)}."
        )
    if is_sparse:
        return _sum_stored(X, y, n_classes, weights)
    total = np.zeros((n_classes, X.shape[1]))
    if weights is None:
        weights = np.ones(len(y))
    for rows in chunks(len(y), max(1, CHUNK * 32 // max(X.shape[1], 1))):
        part = X[rows].astype(float, copy=False)
        # The row of its class, for each row: one entry in every column.
        members = sparse.csc_array(
            (weights[rows], y[rows], np.arange(len(part) + 1)),
            shape=(n_classes, len(part)),
        )
        total += members @ part
    return total


def _sum_stored(X, y, n_classes, weights):
    """Add up the stored entries of a sparse matrix."""
    n, M = X.shape
    total = np.zeros(n_classes * M)
    per_row = max(1, X.nnz // max(n, 1))
    for rows in chunks(n, max(1, _ENTRIES // per_row)):
        lengths = np.diff(X.indptr[rows.start : rows.stop + 1])
        stored = slice(X.indptr[rows.start], X.indptr[rows.stop])
        cells = np.repeat(y[rows] * M, lengths)
        cells += X.indices[stored]
        values = X.data[stored].astype(float, copy=False)
        if weights is not None:
            values = values * np.repeat(weights[rows], lengths)
        # For a few rows `bincount` would make a whole table.
        np.add.at(total, cells, values)
    return total.reshape(n_classes, M)


def sum_entries(
    codes: ArrayLike, table: ArrayLike, n_states: Sequence[int]
) -> np.ndarray:
    """Add, for each row, the entries of a table at the states of the row.

    This is the way back from :func:`count_states`, which makes a table of the
    rows: a table of log-probabilities makes the log-likelihoods of the rows.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Where a value is missing (negative), nothing is added.
    table : array of shape (K, S)
        A row for each class; the states of all columns side by side, where
        `offsets` says. May hold -inf.
    n_states : sequence of M ints

    Returns
    -------
    array of shape (n, K)

    Raises
    ------
    ProbabilityError
        If a code is not a state, or the table has another width.

    Examples
    --------
    >>> sum_entries([[0, 1], [1, -1]], [[0.5, 2.0, 0.25, 4.0]], [2, 2])
    array([[4.5],
           [2. ]])
    """
    codes, n_states = read_codes(codes, n_states)
    table = np.asarray(table, dtype=float)
    starts = offsets(n_states)
    if table.shape[1:] != (starts[-1],):
        raise ProbabilityError(
            f"The table has the shape {table.shape}; it needs a column for "
            f"each of the {starts[-1]} states."
        )
    # Missing values have the last state of all, with an entry of zero.
    entries = np.vstack([table.T, np.zeros(len(table))])
    result = np.empty((len(codes), len(table)))
    for rows in _few_rows(codes, table.size):
        part = codes[rows]
        states = np.where(part < 0, starts[-1], part + starts[:-1])
        # One row for each of `codes`, with a one at each of its states.
        ends = np.arange(len(part) + 1) * len(n_states)
        ones = np.ones(states.size), states.ravel(), ends
        shape = len(part), len(entries)
        result[rows] = sparse.csr_array(ones, shape=shape) @ entries
    return result
