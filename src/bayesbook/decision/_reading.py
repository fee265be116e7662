"""Reading losses and probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import require_weights
from bayesbook.base.labels import plain
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import (
    FLOAT_TOLERANCE,
    LARGEST,
    exact_weight,
    finite,
    is_exact,
)
from bayesbook.probability import Table


def read_number(value: Any, what: str) -> Fraction | float:
    """Read a loss, which is exact, finite or positive infinite."""
    is_float = isinstance(value, float | np.floating)
    return inf if is_float and value == inf else read_finite(value, what)


def read_finite(value: Any, what: str) -> Fraction | float:
    """Read a finite loss; integers, fractions and texts are exact."""
    if isinstance(value, bool | np.bool_):
        return Fraction(int(value))
    number: Any = finite(value, what)
    if abs(number) > LARGEST:
        raise ProbabilityError(
            f"{what} is larger than {LARGEST:g} in absolute value: choose "
            "another unit."
        )
    return number


def read_array(values: Any, what: str) -> np.ndarray:
    """Read an array; lists that mix types keep each entry as it is."""
    if isinstance(values, Iterator):
        values = list(values)
    if hasattr(values, "dtype"):
        return np.asarray(values)
    try:
        array = np.asarray(values)
        # NumPy would convert numbers beside texts to texts.
        exact = array.dtype.kind in "USO"
        return np.array(values, dtype=object) if exact else array
    except ValueError:
        raise ProbabilityError(
            f"{what} has rows of different lengths."
        ) from None


def read_posterior(
    posterior: Any, states: Sequence, what: str = "posterior"
) -> np.ndarray:
    """Read probabilities of the states: a distribution, or one for each case.

    A distribution with names is put into the order of the states.

    Returns
    -------
    array of shape (K,) or (n, K)
        Fractions if all the numbers are exact, otherwise floats.
    """
    names, values = _named(posterior, what)
    array = read_array(values, f"The {what}")
    width = len(states) if names is None else len(names)
    if array.ndim not in (1, 2) or array.shape[-1] != width:
        raise ProbabilityError(
            f"The {what} has the shape {array.shape}; the {len(states)} "
            f"states {quoted_list(states)} need ({len(states)},) or "
            f"(rows, {len(states)})."
        )
    if not len(array):
        raise ProbabilityError(f"The {what} has no rows.")
    if names is not None:
        array = array[..., _order(names, states, what)]
    return _probabilities(array, states, what)


def _named(posterior, what):
    """Return the names of a distribution, or None, and its numbers."""
    if isinstance(posterior, Table):
        if len(posterior.variables) != 1:
            raise ProbabilityError(
                f"The {what} is {posterior.title}; give the distribution of "
                "one variable, such as table.given(...) or "
                "table.marginal(...)."
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
    """Return the positions of the states among the names."""
    names = tuple(map(plain, names))
    for name in names:
        if name not in states:
            raise ProbabilityError(
                f"The {what} has a probability of {name!r}, which is not a "
                f"state; the states are {quoted_list(states)}."
                f"{did_you_mean(name, states)}"
            )
        if names.count(name) > 1:
            raise ProbabilityError(f"The {what} has {name!r} twice.")
    for state in states:
        if state not in names:
            raise ProbabilityError(
                f"The {what} has no probability of {state!r}."
            )
    return [names.index(state) for state in states]


def _probabilities(array, states, what):
    """Check that every row is a distribution."""
    tolerance = FLOAT_TOLERANCE
    if array.dtype.kind == "f":
        if array.dtype != float:
            # In single precision sums differ more from one.
            tolerance = float(np.sqrt(np.finfo(array.dtype).eps))
        array = array.astype(float, copy=False)
    elif array.dtype.kind in "iu":
        array = array.astype(float, copy=False)
    else:
        array = _exact(array, states, what)
    exact = array.dtype == object
    if not exact:
        require_weights(array, lambda place: _where(place, states, what))
    totals = np.atleast_1d(array.sum(axis=-1))
    wrong = np.abs(totals - 1) > (0 if exact else tolerance)
    if wrong.any():
        row = int(np.argmax(wrong))
        which = f"Row {row} of the {what}" if array.ndim > 1 else f"The {what}"
        plural = array.ndim == 1 and what.endswith("probabilities")
        total = totals[row] if exact else f"{totals[row]:.10g}"
        raise ProbabilityError(
            f"{which} {'sum' if plural else 'sums'} to {total}, not to 1: "
            "give probabilities."
        )
    return array


def _exact(array, states, what):
    """Return exact numbers, or floats if one of them is a float."""
    numbers = np.empty(array.shape, dtype=object)
    for place in np.ndindex(array.shape):
        numbers[place] = exact_weight(
            array[place], _where(place, states, what)
        )
    return numbers if all(map(is_exact, array.flat)) else numbers.astype(float)


def _where(place, states, what):
    """Return the name of a probability in messages."""
    row = f"row {place[0]} of the {what}" if len(place) > 1 else f"the {what}"
    return f"The probability of {states[place[-1]]!r} in {row}"
