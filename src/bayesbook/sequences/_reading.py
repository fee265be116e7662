"""Reading sequences, rows, and parameters; messages say which is wrong."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import floats, refuse
from bayesbook.base.labels import label_array, plain, sorted_states
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import FLOAT_TOLERANCE, as_bool, as_float, as_int


def one_of(value: Any, name: str, words: Sequence[str]) -> str:
    """Return one of some words."""
    if not (isinstance(value, str) and value in words):
        raise ProbabilityError(
            f"{name}={value!r} is none of {quoted_list(words)}."
            f"{did_you_mean(value, words)}"
        )
    return value


def read_settings(model: Any) -> None:
    """Refuse wrong parameters of an estimator that is fitted by EM."""
    as_float(model.alpha, "alpha", 0)
    as_float(model.var_smoothing, "var_smoothing", 0)
    as_float(model.tol, "tol", 0, open_=True)
    as_int(model.max_iter, "max_iter", 1)
    as_int(model.n_init, "n_init", 1)
    one_of(model.covariance, "covariance", ("full", "diagonal"))
    as_bool(getattr(model, "progress", False), "progress")


def distributions(values: Any, what: str, ndim: int = 2) -> np.ndarray:
    """Read probabilities that sum to one along the last axis."""
    array = floats(values, what, ndim)
    refuse(array < 0, array, what, "negative")
    total = array.sum(axis=-1)
    wrong = np.abs(total - 1) > FLOAT_TOLERANCE
    if wrong.any():
        row = f"Row {int(np.argmax(wrong))} of " if ndim > 1 else ""
        begin = what[0].lower() if row else what[0]
        raise ProbabilityError(
            f"{row}{begin}{what[1:]} sums to {np.ravel(total[wrong])[0]:.10g},"
            " not to one."
        )
    return array


def split_sequences(X: Any) -> tuple[list[Any], bool]:
    """Return the sequences, and whether there is only one, not in a list."""
    if isinstance(X, str | np.ndarray | pd.Series | pd.DataFrame):
        return [X], True
    if isinstance(X, Sequence) or not isinstance(X, Iterable):
        items = X
    else:
        raise ProbabilityError(
            f"The sequences are a {type(X).__name__}, whose items have no "
            "order or can be read only once: give a list."
        )
    if not isinstance(items, Sequence):
        raise ProbabilityError(
            f"The sequence is {X!r}: give a list of observations, or a list "
            "of such lists."
        )
    if len(items) == 0:
        raise ProbabilityError(
            "There is no sequence: the list is empty. Give at least one "
            "observation."
        )
    nested = [
        isinstance(item, list | tuple | np.ndarray | pd.Series | pd.DataFrame)
        and np.ndim(item) > 0
        for item in items
    ]
    if all(nested):
        return list(items), False
    if any(nested):
        place = nested.index(not nested[0])
        raise ProbabilityError(
            f"Item {place} is {items[place]!r}, unlike the items before it: "
            "give one sequence, or a list of sequences; a text among others "
            "is a symbol, and list(text) is a sequence of letters."
        )
    return [items], True


def lengths_of(sequences: list[Any]) -> np.ndarray:
    """Return the lengths; an empty sequence is refused."""
    sizes = np.array([len(sequence) for sequence in sequences])
    if not sizes.all():
        raise ProbabilityError(
            f"Sequence {int(np.argmin(sizes > 0))} is empty: leave it out."
        )
    return sizes


def place_in(sizes: np.ndarray, row: int) -> str:
    """Return where a row stands, in words."""
    sequence = int(np.searchsorted(np.cumsum(sizes), row, "right"))
    position = row - int(np.cumsum(sizes)[sequence] - sizes[sequence])
    which = f" of sequence {sequence}" if len(sizes) > 1 else ""
    return f"position {position}{which}"


def join_labels(sequences: list[Any], what: str) -> np.ndarray:
    """Return the labels of all sequences, one after another."""
    parts = []
    for number, sequence in enumerate(sequences):
        if np.ndim(sequence) > 1 or isinstance(sequence, pd.DataFrame):
            raise ProbabilityError(
                f"Sequence {number} of {what}s has the shape "
                f"{np.shape(sequence)}: give one {what} for each step, and "
                "several sequences as a list of them."
            )
        if isinstance(sequence, np.ndarray | pd.Series):
            parts.append(np.asarray(sequence))
        else:
            parts.append(label_array(list(sequence)))
    if len({part.dtype.kind for part in parts}) > 1:
        parts = [part.astype(object) for part in parts]
    labels = np.concatenate(parts)
    missing = pd.isna(labels)
    if missing.any():
        where = place_in(lengths_of(sequences), int(np.argmax(missing)))
        raise ProbabilityError(
            f"The {what} at {where} is missing ({labels[missing][0]!r}): cut "
            "the sequence there, or leave it out."
        )
    return labels


def codes_among(
    labels: np.ndarray,
    known: Sequence[Hashable],
    sizes: np.ndarray,
    what: str,
) -> np.ndarray:
    """Return the place of each label among the known ones."""
    if labels.dtype.kind in "iu" and list(known) == list(range(len(known))):
        codes = np.where((labels >= 0) & (labels < len(known)), labels, -1)
    else:
        index = pd.Index(label_array(list(known)), tupleize_cols=False)
        if index.dtype != labels.dtype:
            index, labels = index.astype(object), labels.astype(object)
        codes = index.get_indexer(pd.Index(labels, tupleize_cols=False))
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        label = plain(labels[row])
        raise ProbabilityError(
            f"The {what} at {place_in(sizes, row)} is {label!r}, which is "
            f"none of {quoted_list(known)}.{did_you_mean(label, known)}"
        )
    return codes.astype(np.intp)


def own_labels(labels: np.ndarray) -> tuple[Hashable, ...]:
    """Return the different labels, sorted."""
    return sorted_states(map(plain, pd.unique(labels)))


def read_labels(labels: Any, number: int, what: str) -> tuple[Hashable, ...]:
    """Read names of states or symbols: 0, 1, 2, ... if there are none."""
    if labels is None:
        return tuple(range(number))
    names = tuple(map(plain, labels))
    if len(names) != number:
        raise ProbabilityError(
            f"There are {len(names)} names of {what}s "
            f"({quoted_list(names)}) for {number}."
        )
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise ProbabilityError(f"The {what} {twice[0]!r} is named twice.")
    return names


def join_numbers(sequences: list[Any], n_columns: int | None) -> np.ndarray:
    """Return the measurements of all sequences, of shape (N, D)."""
    parts: list[np.ndarray] = []
    for number, sequence in enumerate(sequences):
        which = f"of sequence {number}" if len(sequences) > 1 else ""
        what = f"The observations {which}".rstrip()
        ndim = 2 if np.ndim(sequence) == 2 else 1
        part = floats(sequence, what, ndim)
        part = part[:, None] if ndim == 1 else part
        wanted = (
            n_columns
            if n_columns is not None
            else parts and (parts[0].shape[1])
        )
        if wanted and part.shape[1] != wanted:
            raise ProbabilityError(
                f"{what} have {part.shape[1]} numbers a step, not {wanted}."
            )
        parts.append(part)
    return np.concatenate(parts)


def read_gaussians(means: Any, covariances: Any, n: int, what: str):
    """Read means (K, M) or (K,), and covariances, as two arrays."""
    means = np.asarray(
        floats(means, "The means", 2 if np.ndim(means) == 2 else 1)
    )
    means = means[:, None] if means.ndim == 1 else means
    ndim = np.ndim(covariances)
    if ndim == 3:
        array = np.array(covariances, dtype=float)
        refuse(~np.isfinite(array), array, "The covariances", "not finite")
    else:
        array = floats(covariances, "The covariances", 2 if ndim == 2 else 1)
        array = array[:, None] if array.ndim == 1 else array
        refuse(array <= 0, array, "The variances", "not positive")
    K, M = means.shape
    if n != K:
        raise ProbabilityError(f"There are {K} means for {n} {what}s.")
    if array.shape not in {(K, M), (K, M, M)}:
        raise ProbabilityError(
            f"The covariances have the shape {array.shape}; means of the "
            f"shape {means.shape} need {(K, M, M)}, or {(K, M)} if the "
            "columns are independent."
        )
    if array.ndim == 3 and not np.allclose(
        array, array.swapaxes(1, 2), rtol=1e-9, atol=0
    ):
        raise ProbabilityError("A covariance is not symmetric.")
    return means, array
