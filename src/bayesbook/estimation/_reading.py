"""Reading data and parameters, and saying which value is wrong."""

from __future__ import annotations

import numbers
from decimal import Decimal

import numpy as np

from bayesbook.errors import ProbabilityError

SHAPES = {
    1: "a sequence of numbers",
    2: "a table with a row for each observation",
}


def floats(values, what, ndim=1):
    """Read finite numbers into a float array with `ndim` axes."""
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            # Text and dates would be read as numbers too.
            array = np.asarray(values, dtype=object)
            _refuse_text(array)
            array = array.astype(float)
    except (TypeError, ValueError) as error:
        raise ProbabilityError(f"{what} are not numbers: {error}.") from None
    if array.ndim != ndim:
        raise ProbabilityError(
            f"{what} have the shape {array.shape}; {SHAPES[ndim]} is needed."
        )
    if array.size == 0:
        raise ProbabilityError(f"{what} are empty: there is nothing to see.")
    array = array.astype(float)
    refuse(~np.isfinite(array), array, what, "not a finite number")
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


def real(value, what, least=-np.inf, most=np.inf, *, open_=False):
    """Read one finite number between two bounds."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ProbabilityError(f"{what} is {value!r}: not a number.")
    number = float(value)
    if not np.isfinite(number):
        raise ProbabilityError(f"{what} is {number}: not a finite number.")
    if not least <= number <= most or (open_ and number == least):
        domain = (
            f"between {least:g} and {most:g}"
            if most < np.inf
            else f"{'greater than' if open_ else 'at least'} {least:g}"
        )
        raise ProbabilityError(f"{what} is {number:g}; it must be {domain}.")
    return number


def whole(value, what, least):
    """Read one whole number that is not too small."""
    number = real(value, what, least)
    if number != int(number):
        raise ProbabilityError(f"{what} is {number:g}: not a whole number.")
    return int(number)
