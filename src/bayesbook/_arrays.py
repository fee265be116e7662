"""Reading arrays of numbers, and saying which of them is wrong."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from decimal import Decimal

import numpy as np

from bayesbook._numbers import LARGEST
from bayesbook.errors import ProbabilityError

SHAPES = {
    1: "a sequence of numbers",
    2: "a table with a row for each observation",
}


def floats(values, what, ndim=1):
    """Read finite numbers into a float array with `ndim` axes."""
    if isinstance(values, Iterator):
        values = list(values)
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            # Text and dates would be read as numbers too.
            array = np.asarray(values, dtype=object)
            _refuse_text(array)
            array = array.astype(float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ProbabilityError(f"{what} are not numbers: {error}.") from None
    if array.ndim != ndim:
        raise ProbabilityError(
            f"{what} have the shape {array.shape}; {SHAPES[ndim]} is needed."
        )
    if array.size == 0:
        raise ProbabilityError(f"{what} are empty: there is nothing to see.")
    array = array.astype(float)
    refuse(~np.isfinite(array), array, what, "not a finite number")
    refuse(
        np.abs(array) > LARGEST,
        array,
        what,
        "too large to be squared: choose another unit",
    )
    return array


def _refuse_text(array):
    for place, value in enumerate(array.ravel()):
        if not isinstance(value, numbers.Real | Decimal):
            raise TypeError(f"{value!r} at position {place}")


def refuse(wrong, array, what, why):
    """Raise an error that names the first wrong entry and its position."""
    if wrong.any():
        place = np.argwhere(wrong)[0].tolist()
        where = f"position {place[0]}"
        if len(place) == 2:
            where = f"row {place[0]}, column {place[1]}"
        raise ProbabilityError(
            f"{what}: {array[tuple(place)]:g} at {where} is {why}."
        )


def require_weights(array, whose):
    """Refuse floats that no probability can be; `whose` names a place."""
    for wrong, how in (
        (~np.isfinite(array), "not a finite number"),
        (array < 0, "negative"),
    ):
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0])
            raise ProbabilityError(
                f"{whose(place)} is {array[place]:g}: {how}."
            )
