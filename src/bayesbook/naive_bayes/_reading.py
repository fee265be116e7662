"""Reading rows of numbers, with errors that name the row and the column."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import validate_data

from bayesbook.base.arrays import require_distinct_columns
from bayesbook.base.numbers import LARGEST

# Numbers that are checked together.
_PIECE = 2**16


def read_numbers(model, X, *, anew, accept_sparse=False, allow_nan=False):
    """Return a checked table of numbers: an array, or a sparse matrix (CSR).

    It is checked as scikit-learn does; NaN and infinite values are an error
    that names row and column.
    """
    X = _checked(model, X, anew=anew, accept_sparse=accept_sparse)
    require_finite(model, X, allow_nan=allow_nan)
    return X


def validated(model, X, *y, anew, **options):
    """Return rows that scikit-learn has checked, and take their names."""
    if isinstance(X, pd.DataFrame):
        require_distinct_columns(X)
    return validate_data(model, X, *y, reset=anew, **options)


def _checked(model, X, *, anew, accept_sparse):
    """Return the table, with everything but its values checked."""
    if is_checked(model, X, anew=anew):
        return X
    _refuse_texts(model, X)
    return validated(
        model,
        X,
        anew=anew,
        accept_sparse="csr" if accept_sparse else False,
        ensure_all_finite=False,
    )


def is_checked(model, X, *, anew):
    """Return whether rows need no check: an array like those before.

    scikit-learn's check takes longer than the counting of a single row.
    """
    return (
        not anew
        and type(X) is np.ndarray
        and X.ndim == 2
        and X.dtype.kind in "biuf"
        and len(X) > 0
        and X.shape[1] == model.n_features_in_
        and not hasattr(model, "feature_names_in_")
    )


def require_entries(model, X):
    """Raise scikit-learn's error for a data frame without rows or columns."""
    for number, what in zip(X.shape, ("sample", "feature"), strict=True):
        if number == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={X.shape}) while a "
                f"minimum of 1 is required by {type(model).__name__}."
            )


def require_finite(model, X, *, allow_nan):
    """Raise an error for infinite values, and for NaN unless allowed."""
    values = X.data if sparse.issparse(X) else X
    if values.dtype.kind != "f":
        return
    with np.errstate(over="ignore", invalid="ignore"):
        # A sum is the fastest check of all of them.
        if np.isfinite(values.sum()):
            return
    wrong = np.isinf(values) if allow_nan else ~np.isfinite(values)
    if not wrong.any():
        return
    value, at = first_wrong(model, X, wrong)
    name = type(model).__name__
    if np.isinf(value):
        remedy = "look for a division by zero"
    elif hasattr(model, "missing") and not sparse.issparse(X):
        remedy = (
            f"drop or fill such rows, or use {name}(missing='marginalise')"
        )
    else:
        remedy = "drop or fill such rows"
    raise ValueError(
        f"Input X contains {'NaN' if np.isnan(value) else 'infinity'}: {at}. "
        f"{name} needs finite numbers: {remedy}."
    )


def column_name(model, column):
    """Return the name of a column, or its number."""
    name = column_names(model)[column]
    return str(name) if isinstance(name, str) else name


def column_names(model):
    """Return the names of the columns, or their numbers.

    In a part of a mixed model they are those of the whole table.
    """
    numbers = range(model.n_features_in_)
    names = getattr(model, "feature_names_in_", numbers)
    return getattr(model, "_names_in_whole", names)


def _refuse_texts(model, X):
    if not isinstance(X, pd.DataFrame):
        return
    for name, column in X.items():
        if not pd.api.types.is_numeric_dtype(column):
            value = column.dropna().iloc[:1].tolist()
            raise ValueError(
                f"Column {name!r} holds {value[0] if value else None!r}, "
                f"which is not a number, and {type(model).__name__} needs "
                "numbers: use CategoricalNB for categories, or MixedNB for "
                "columns of several kinds."
            )


def read_counts(model, X, *, anew, most=LARGEST):
    """Return a checked table of counts, dense or sparse."""
    X = _checked(model, X, anew=anew, accept_sparse=True)
    values = X.data if sparse.issparse(X) else X
    least, greatest = _extremes(values)
    if not (least >= 0 and greatest <= most):
        require_finite(model, X, allow_nan=False)
        if least < 0:
            _refuse_count(model, X, values < 0, "Negative values")
        _refuse_count(model, X, values > most, "Too large values")
    return X


def _extremes(values):
    """Return the least and the greatest of 0 and all values, or NaN.

    Piece by piece, so that the second pass finds them in the cache. As
    floats, since a small type cannot hold every bound.
    """
    values = values.ravel()
    pieces = [
        values[start : start + _PIECE]
        for start in range(0, len(values), _PIECE)
    ]
    extremes = [(0, 0), *((piece.min(), piece.max()) for piece in pieces)]
    least, greatest = np.array(extremes, dtype=float).T
    return least.min(), greatest.max()


def _refuse_count(model, X, wrong, how):
    value, at = first_wrong(model, X, wrong)
    raise ValueError(
        f"{how} in data passed to {type(model).__name__}: {value:g} in {at}. "
        "Counts are at least 0, and small enough to be added up."
    )


def first_wrong(model, X, wrong):
    """Return the first wrong entry, and its place in words.

    In a sparse matrix, `wrong` is about the entries that are stored.
    """
    place = tuple(np.argwhere(wrong)[0])
    value = (X.data if sparse.issparse(X) else X)[place]
    if sparse.issparse(X):
        row = np.searchsorted(X.indptr, place[0], side="right") - 1
        place = row, X.indices[place[0]]
    row, column = map(int, place)
    return value, f"row {row}, column {column_name(model, column)!r}"
