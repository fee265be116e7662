"""Reading what people give for a decision: names, numbers, probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from math import isnan

import numpy as np
import pandas as pd

from bayesbook._names import did_you_mean, listed
from bayesbook._numbers import FLOAT_TOLERANCE, exact_weight, is_exact, read
from bayesbook.errors import ProbabilityError
from bayesbook.table import Table


def plain(label):
    """Give Python's own number or text instead of numpy's."""
    return label.item() if isinstance(label, np.generic) else label


def read_labels(labels, kind):
    """Read the names of states or decisions, each of which occurs once."""
    if not isinstance(labels, Iterable) or isinstance(labels, Set):
        raise ProbabilityError(
            f"The {kind}s are {labels!r}; give them as a list or a tuple, in "
            "the order of the matrix."
        )
    labels = tuple(map(plain, labels))
    if not labels:
        raise ProbabilityError(f"There are no {kind}s.")
    seen = set()
    for label in labels:
        if is_missing(label):
            raise ProbabilityError(f"A {kind} is missing ({label}).")
        try:
            if label in seen:
                raise ProbabilityError(f"The {kind} {label!r} stands twice.")
            seen.add(label)
        except TypeError as error:
            raise ProbabilityError(
                f"A {kind} cannot be {label!r} ({error}): use a text, a "
                "number or a tuple."
            ) from None
    return labels


def is_missing(label):
    return pd.api.types.is_scalar(label) and bool(pd.isna(label))


def label_column(labels):
    """Give labels as an array of whatever type holds all of them."""
    column = np.empty(len(labels), dtype=object)
    column[:] = labels
    return pd.Series(column).infer_objects().to_numpy()


def codes_of(labels, known, what):
    """Give the place of each label among the known ones."""
    known_index = pd.Index(label_column(known), tupleize_cols=False)
    codes = known_index.get_indexer(pd.Index(labels, tupleize_cols=False))
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        raise unknown(plain(labels[row]), known, f"{what} in row {row}")
    return codes


def unknown(label, known, what):
    return ProbabilityError(
        f"{what} is {label!r}, which is none of {listed(known)}."
        f"{did_you_mean(label, known)}"
    )


def read_number(value, what):
    """Read a loss: exact if it is written so, infinite if it must be."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool | np.bool_):
        return Fraction(int(value))
    try:
        number = read(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise ProbabilityError(f"{what} is {value!r}: not a number.") from None
    if isnan(number):
        raise ProbabilityError(f"{what} is {number}: not a number.")
    return number


def read_finite(value, what):
    number = read_number(value, what)
    if abs(number) == float("inf"):
        raise ProbabilityError(f"{what} is {number}: not a finite number.")
    return number


def read_array(values, what):
    """Read an array; lists that mix types keep each entry as it is."""
    if hasattr(values, "dtype"):
        return np.asarray(values)
    try:
        array = np.asarray(values)
        # Numpy would make texts of numbers beside texts.
        exact = array.dtype.kind in "USO"
        return np.array(values, dtype=object) if exact else array
    except ValueError:
        raise ProbabilityError(
            f"{what} has rows of different lengths."
        ) from None


def read_posterior(posterior, states, what="posterior"):
    """Read probabilities of the states, one law or a row for each case.

    A law that carries names is put into the order of the states.

    Returns
    -------
    array of shape (K,) or (n, K)
        Fractions if all the numbers are exact, and else floats.
    """
    names, values = _named(posterior, what)
    array = read_array(values, f"The {what}")
    width = len(states) if names is None else len(names)
    if array.ndim not in (1, 2) or array.shape[-1] != width:
        raise ProbabilityError(
            f"The {what} has the shape {array.shape}; the {len(states)} "
            f"states {listed(states)} need ({len(states)},) or "
            f"(rows, {len(states)})."
        )
    if not len(array):
        raise ProbabilityError(f"The {what} has no rows.")
    if names is not None:
        array = array[..., _order(names, states, what)]
    return _probabilities(array, states, what)


def _named(posterior, what):
    """Give the names that a law carries, or None, and its numbers."""
    if isinstance(posterior, Table):
        if len(posterior.variables) != 1:
            raise ProbabilityError(
                f"The {what} is {posterior.title}; give the law of one "
                "variable, such as table.given(...) or table.marginal(...)."
            )
        (states,) = posterior.states.values()
        return states, posterior.values
    if isinstance(posterior, pd.DataFrame):
        return posterior.columns, posterior.to_numpy()
    if isinstance(posterior, pd.Series):
        return posterior.index, posterior.to_numpy()
    if isinstance(posterior, Mapping):
        return tuple(posterior), list(posterior.values())
    return None, posterior


def _order(names, states, what):
    names = tuple(map(plain, names))
    for name in names:
        if name not in states:
            raise ProbabilityError(
                f"The {what} is about {name!r}, which is not a state; the "
                f"states are {listed(states)}.{did_you_mean(name, states)}"
            )
        if names.count(name) > 1:
            raise ProbabilityError(f"The {what} has {name!r} twice.")
    for state in states:
        if state not in names:
            raise ProbabilityError(
                f"The {what} does not say how probable {state!r} is."
            )
    return [names.index(state) for state in states]


def _probabilities(array, states, what):
    """Check that every row is a law."""
    tolerance = FLOAT_TOLERANCE
    if array.dtype.kind == "f":
        if array.dtype != float:
            # Single precision misses one by more.
            tolerance = float(np.sqrt(np.finfo(array.dtype).eps))
        array = array.astype(float, copy=False)
    elif array.dtype.kind in "iu":
        array = array.astype(float, copy=False)
    else:
        array = _exact(array, states, what)
    exact = array.dtype == object
    if not exact:
        for wrong, how in (
            (~np.isfinite(array), "not a finite number"),
            (array < 0, "negative"),
        ):
            if wrong.any():
                place = tuple(np.argwhere(wrong)[0])
                raise ProbabilityError(
                    f"{_where(place, states, what)} is {array[place]:g}: "
                    f"{how}."
                )
    totals = np.atleast_1d(array.sum(axis=-1))
    wrong = np.abs(totals - 1) > (0 if exact else tolerance)
    if wrong.any():
        row = int(np.argmax(wrong))
        which = f"Row {row} of the {what}" if array.ndim > 1 else f"The {what}"
        total = totals[row] if exact else f"{totals[row]:.10g}"
        raise ProbabilityError(
            f"{which} sums to {total}, not to 1: give probabilities."
        )
    return array


def _exact(array, states, what):
    numbers = np.empty(array.shape, dtype=object)
    for place in np.ndindex(array.shape):
        numbers[place] = exact_weight(
            array[place], _where(place, states, what)
        )
    return numbers if all(map(is_exact, array.flat)) else numbers.astype(float)


def _where(place, states, what):
    row = f"row {place[0]} of the {what}" if len(place) > 1 else f"the {what}"
    return f"The probability of {states[place[-1]]!r} in {row}"
