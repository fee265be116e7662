"""Codes, classes and weights of rows, checked before they are counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import require_weights

__all__ = ["offsets"]


def offsets(n_states: Sequence[int]) -> np.ndarray:
    """Return where the states of each column begin in a packed table.

    Parameters
    ----------
    n_states : sequence of M ints
        How many states each column has.

    Returns
    -------
    array of shape (M + 1,)
        The states of column m are ``offsets[m]:offsets[m + 1]``; the last
        entry is the number S of all states.

    Examples
    --------
    >>> offsets([2, 3, 2])
    array([0, 2, 5, 7])
    """
    return np.concatenate([[0], np.cumsum(n_states, dtype=np.intp)])


def read_classes(y: ArrayLike, n_classes: int) -> np.ndarray:
    """Read the classes of the rows, as codes."""
    y = np.asarray(y)
    if y.ndim != 1 or y.dtype.kind not in "iu":
        raise ProbabilityError(
            "The classes of the rows must be a sequence of codes 0, 1, 2, "
            f"...; they have the shape {y.shape} and the type {y.dtype}."
        )
    if y.size and not 0 <= y.min() <= y.max() < n_classes:
        row = int(np.argmax((y < 0) | (y >= n_classes)))
        raise ProbabilityError(
            f"The class in row {row} is {y[row]}; with {n_classes} classes "
            f"the codes are 0 to {n_classes - 1}."
        )
    return y.astype(np.intp, copy=False)


def read_weights(weights: ArrayLike | None, n_rows: int) -> np.ndarray | None:
    """Read a weight for each row."""
    if weights is None:
        return None
    weights = np.asarray(weights, dtype=float)
    if weights.shape != (n_rows,):
        raise ProbabilityError(
            f"There are {n_rows} rows, but weights of the shape "
            f"{weights.shape}; give one weight for each row."
        )
    require_weights(weights, lambda place: f"The weight of row {place[0]}")
    return weights


def read_codes(
    codes: ArrayLike, n_states: Sequence[int], n_rows: int | None = None
) -> tuple[np.ndarray, list[int]]:
    """Read a table of codes, and the numbers of states."""
    codes = np.asarray(codes)
    n_states = [int(size) for size in n_states]
    if codes.ndim != 2 or codes.dtype.kind not in "iu":
        raise ProbabilityError(
            "The codes of the states must be a table of whole numbers with a "
            f"row for each observation; they have the shape {codes.shape} and "
            f"the type {codes.dtype}."
        )
    if codes.dtype == np.uint64:
        # Together with signed numbers they would become floats.
        codes = codes.astype(np.intp)
    if n_states and min(n_states) < 0:
        m = n_states.index(min(n_states))
        raise ProbabilityError(
            f"Column {m} has {n_states[m]} states; it needs at least 0."
        )
    if codes.shape[1] != len(n_states):
        raise ProbabilityError(
            f"There are {codes.shape[1]} columns, but numbers of states for "
            f"{len(n_states)}."
        )
    if n_rows is not None and len(codes) != n_rows:
        raise ProbabilityError(
            f"There are {len(codes)} rows, but classes for {n_rows}."
        )
    if codes.size:
        too_large = codes.max(axis=0) >= n_states
        if too_large.any():
            m = int(np.argmax(too_large))
            row = int(np.argmax(codes[:, m] >= n_states[m]))
            raise ProbabilityError(
                f"The code in row {row} of column {m} is {codes[row, m]}; "
                f"with {n_states[m]} states the codes are 0 to "
                f"{n_states[m] - 1}."
            )
    return codes, n_states


def require_families(columns, n_states, families, used):
    """Check columns and families; return the number of rows."""
    if len(columns) != len(n_states):
        raise ProbabilityError(
            f"There are {len(columns)} columns, but numbers of states for "
            f"{len(n_states)}."
        )
    for family in families:
        if len(set(family)) < len(family):
            raise ProbabilityError(f"The family {family} has a column twice.")
    for m in used:
        if not 0 <= m < len(columns):
            raise ProbabilityError(
                f"A family has column {m}; there are {len(columns)} columns, "
                "numbered from 0."
            )
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise ProbabilityError(
            f"The columns have different lengths: {sorted(lengths)}."
        )
    return lengths.pop() if lengths else 0


def require_column(column, m, n_states):
    """Check the codes of a column; return whether a value is missing."""
    if column.ndim != 1 or column.dtype.kind not in "iu":
        raise ProbabilityError(
            f"Column {m} must be a sequence of codes 0, 1, 2, ...; it has the "
            f"shape {column.shape} and the type {column.dtype}."
        )
    if not column.size:
        return False
    if column.max() >= n_states:
        row = int(np.argmax(column >= n_states))
        raise ProbabilityError(
            f"The code in row {row} of column {m} is {column[row]}; with "
            f"{n_states} states the codes are 0 to {n_states - 1}."
        )
    return bool(column.min() < 0)
