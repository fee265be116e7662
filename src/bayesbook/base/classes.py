"""Reading the classes of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils import (
    assert_all_finite,
    check_consistent_length,
    column_or_1d,
)
from sklearn.utils.multiclass import check_classification_targets

from bayesbook.base.errors import ProbabilityError
from bayesbook.base.labels import plain
from bayesbook.base.names import quoted_list


def require_labels(y: np.ndarray) -> None:
    """Refuse labels that cannot be the classes of rows."""
    missing = pd.isna(y)
    if missing.any():
        raise ProbabilityError(
            f"y has no label in row {np.argmax(missing)}; leave such rows out."
        )
    if y.dtype == object:
        is_text = np.array([isinstance(label, str) for label in y])
        if is_text.any() and not is_text.all():
            row = int(np.argmin(is_text))
            raise ProbabilityError(
                f"y has {y[row]!r} in row {row}, and texts in others: give "
                "all classes one type."
            )
    assert_all_finite(y, input_name="y")
    check_classification_targets(y)


def one_label_each(y: Any, X: Any) -> np.ndarray:
    """Read labels into an array of one axis, as long as X.

    scikit-learn's checks take longer than counting a single row; they are
    called only where they may find something.
    """
    if not (type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biufU"):
        y = column_or_1d(y, warn=True)
    if len(y) != X.shape[0]:
        check_consistent_length(X, y)
    return y


def read_own_classes(classes: ArrayLike) -> np.ndarray:
    """Read the list of all classes, and sort them."""
    labels = column_or_1d(classes)
    require_labels(labels)
    if len(labels) == 0:
        raise ProbabilityError(
            "classes is empty: list all classes that will ever occur."
        )
    return np.unique(labels)


def codes_among(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the place of each label among the sorted classes."""
    try:
        codes = np.searchsorted(classes, y)
        codes = np.minimum(codes, len(classes) - 1)
        is_known = classes[codes] == y
    except TypeError:
        is_known = np.zeros(len(y), dtype=bool)
    if not np.all(is_known):
        row = int(np.argmin(is_known))
        raise ValueError(
            f"The target label {plain(y[row])!r} in row {row} of y does not "
            f"exist in the initial classes {quoted_list(classes.tolist())}: "
            "pass all classes in the first call to partial_fit."
        )
    return codes


def log_class_prior(
    prior: str | np.ndarray | None, classes: np.ndarray
) -> np.ndarray | None:
    """Return the logarithms of given priors; None if they are learned.

    A text stands for "uniform".
    """
    if prior is None:
        return None
    if isinstance(prior, str):
        return np.full(len(classes), -np.log(len(classes)))
    if len(prior) != len(classes):
        raise ProbabilityError(
            "Number of priors must match number of classes: there are "
            f"{len(prior)} for {quoted_list(list(map(plain, classes)))}."
        )
    with np.errstate(divide="ignore"):
        return np.log(prior)


def require_some_weight(weights: np.ndarray) -> None:
    """Refuse weights of rows that are all zero."""
    if not weights.any():
        raise ValueError(
            "Sample weights must contain at least one non-zero number; they "
            "are all zero."
        )
