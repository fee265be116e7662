"""Reading documents as counts of words, and the parameters of their models."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import column_names, floats, refuse, require_counts

# Not every whole number above it is a float.
MOST = 2**53


def read_documents(
    X: ArrayLike | sparse.sparray, *, fractions: bool = False
) -> sparse.csr_array:
    """Read documents into a CSR array of positive floats, without zeros."""
    what, columns = "The counts", column_names(X)
    table: Any = X
    if not sparse.issparse(X):
        # In an array of numbers, only those that are not 0 need a check.
        is_plain = isinstance(X, np.ndarray) and X.dtype.kind in "biuf"
        if not is_plain or isinstance(X, np.ma.MaskedArray):
            table = floats(X, what, 2)
    elif table.dtype.kind not in "biuf":
        raise ProbabilityError(
            f"{what} are not numbers: they are of the type {table.dtype}."
        )
    if table.ndim != 2:
        raise ProbabilityError(
            f"{what} have the shape {table.shape}; a table with a row for "
            "each document is needed."
        )
    if not all(table.shape):
        raise ProbabilityError(
            f"{what} have the shape {table.shape}: there are no "
            f"{'words' if table.shape[0] else 'documents'}."
        )
    # Small integers could overflow where a cell is stored in several parts.
    if sparse.issparse(table):
        table = table.astype(float)
    rows = sparse.csr_array(table).astype(float)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    data = rows.data
    for wrong, why in (
        (~np.isfinite(data), "not a finite number"),
        (data < 0, "negative"),
        (not fractions and data != np.floor(data), "not a whole number"),
        (data > MOST, "greater than 2⁵³, up to where floats count exactly"),
    ):
        if np.any(wrong):
            at = int(np.argmax(wrong))
            row = int(np.searchsorted(rows.indptr, at, "right")) - 1
            column = int(rows.indices[at])
            name = columns[column] if columns else column
            raise ProbabilityError(
                f"{what}: {data[at]:g} at row {row}, column {name!r} is {why}."
            )
    return rows


def read_alpha(alpha: ArrayLike, n_words: int | None = None) -> np.ndarray:
    """Read the parameters of a Dirichlet distribution, at least 0 each."""
    array = floats(alpha, "The parameters alpha")
    refuse(array < 0, array, "The parameters alpha", "negative")
    if not array.any():
        raise ProbabilityError(
            "The parameters alpha are all 0: then no word is possible."
        )
    if n_words not in (None, len(array)):
        raise ProbabilityError(
            f"There are {len(array)} parameters alpha and {n_words} words: "
            "give one for each column."
        )
    return array


def read_weights(weights: ArrayLike | None, n: int) -> np.ndarray:
    """Read the weights of n documents: 1 each by default."""
    if weights is None:
        return np.ones(n)
    array = floats(weights, "The weights")
    refuse(array < 0, array, "The weights", "negative")
    if len(array) != n:
        raise ProbabilityError(
            f"There are {len(array)} weights and {n} documents: give one "
            "for each row."
        )
    return array


def read_lengths(trials: ArrayLike, size: int) -> np.ndarray:
    """Read how many words each of some documents has: one number, or many."""
    if np.ndim(trials) and np.shape(trials) != (size,):
        raise ProbabilityError(
            f"The trials have the shape {np.shape(trials)}; give one number, "
            f"or one for each of the {size} documents."
        )
    lengths = floats(np.broadcast_to(trials, size), "The trials")
    require_counts(lengths, "The trials")
    refuse(lengths > MOST, lengths, "The trials", "greater than 2⁵³")
    return lengths.astype(int)
