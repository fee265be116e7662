"""Reading the rows of mixtures; messages name the row and the column."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import _check_sample_weight, validate_data

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import require_distinct_columns
from bayesbook.base.classes import require_some_weight
from bayesbook.base.labels import label_array, plain
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import LARGEST
from bayesbook.sequences._components import indicators
from bayesbook.sequences._reading import own_labels

FAMILIES = ("gaussian", "bernoulli", "categorical")


def read_rows(
    model: Any, X: Any, *, anew: bool, known: list[np.ndarray] | None = None
) -> Any:
    """Return rows as the components of a mixture read them.

    `known` are the categories that a mixture to begin from has.
    """
    if isinstance(X, pd.DataFrame):
        require_distinct_columns(X)
    if model.family == "categorical":
        return _read_categories(model, X, known, anew=anew)
    X = validate_data(
        model, X, reset=anew, dtype=np.float64, ensure_all_finite=False
    )
    wrong = ~np.isfinite(X)
    if wrong.any():
        value, where = _first(model, X, wrong)
        raise ValueError(
            f"Input X contains {'NaN' if np.isnan(value) else 'infinity'}: "
            f"{where}. {type(model).__name__} needs finite numbers: drop or "
            "fill such rows."
        )
    if model.family == "bernoulli":
        _refuse(model, X, (X != 0) & (X != 1), "neither 0 nor 1")
    _refuse(
        model,
        X,
        np.abs(X) > LARGEST,
        "too large to be squared: choose another unit",
    )
    return X


def _first(model, X, wrong):
    """Return the first wrong entry, and its place in words."""
    row, column = map(int, np.argwhere(wrong)[0])
    names = getattr(model, "feature_names_in_", range(X.shape[1]))
    return X[row, column], f"row {row}, column {plain(names[column])!r}"


def _refuse(model, X, wrong, why):
    if wrong.any():
        value, where = _first(model, X, wrong)
        raise ProbabilityError(f"The value in {where} is {value:g}: {why}.")


def _read_categories(model, X, known, *, anew):
    X = validate_data(
        model, X, reset=anew, dtype=None, ensure_all_finite=False
    )
    missing = pd.isna(X)
    if missing.any():
        value, where = _first(model, X, missing)
        raise ValueError(
            f"Input X contains NaN: {where} is missing. LatentClass of "
            "bayesbook.naive_bayes reads missing values."
        )
    if anew:
        if known is not None and len(known) != X.shape[1]:
            raise ProbabilityError(
                f"`start` has {len(known)} columns, and the rows have "
                f"{X.shape[1]}."
            )
        model.categories_ = known or [
            label_array(own_labels(column)) for column in X.T
        ]
    codes = np.empty(X.shape, dtype=np.intp)
    for m, states in enumerate(model.categories_):
        index = pd.Index(states.astype(object), tupleize_cols=False)
        codes[:, m] = index.get_indexer(X[:, m].astype(object))
    unknown = codes < 0
    if unknown.any():
        value, where = _first(model, X, unknown)
        m = int(np.argwhere(unknown)[0][1])
        raise ProbabilityError(
            f"The value in {where} is {plain(value)!r}, which is none of "
            f"{quoted_list(model.categories_[m].tolist())}."
        )
    return indicators(codes, tuple(map(len, model.categories_)))


def read_weights(sample_weight: Any, X: Any) -> np.ndarray:
    """Return a weight for each row."""
    weights = _check_sample_weight(
        sample_weight, X, dtype=float, ensure_non_negative=True
    )
    require_some_weight(weights)
    return weights


def prior_squares(
    model: Any, X: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Return what is added to the sums of squares of each component.

    It is a part of the variance of each column; for a column that does not
    vary, of the largest variance.
    """
    if model.family != "gaussian":
        return np.zeros(1)
    if (weights > 0).sum() == 1:
        raise ProbabilityError(
            "n_samples=1: one row has no variance. Give more rows."
        )
    mean = np.average(X, axis=0, weights=weights)
    spread = np.average((X - mean) ** 2, axis=0, weights=weights)
    return model.var_smoothing * np.where(spread > 0, spread, spread.max())


def distinct_rows(X: Any, weights: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return the different rows, sorted, with the sums of their weights."""
    X, weights = X[weights > 0], weights[weights > 0]
    width = X.nnz // X.shape[0] if sparse.issparse(X) else X.shape[1]
    keys = X.indices.reshape(-1, width) if sparse.issparse(X) else X
    _, first, number = np.unique(
        keys, axis=0, return_index=True, return_inverse=True
    )
    return X[first], np.bincount(number.ravel(), weights)


def values_of(model: Any, X: np.ndarray) -> np.ndarray | pd.DataFrame:
    """Return drawn rows in the form in which rows came."""
    if model.family == "categorical":
        columns = [c[x] for c, x in zip(model.categories_, X.T, strict=True)]
        is_mixed = len({column.dtype for column in columns}) > 1
        X = np.stack(
            [c.astype(object) if is_mixed else c for c in columns], axis=1
        )
    if hasattr(model, "feature_names_in_"):
        frame = pd.DataFrame(X, columns=model.feature_names_in_)
        return frame.infer_objects()
    return X
