"""Reading arrays of numbers; messages name the first wrong entry."""

from __future__ import annotations

import numbers
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
    ValuesView,
)
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bayesbook.base.errors import ProbabilityError
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import FLOAT_TOLERANCE, LARGEST

SHAPES = {
    1: "a sequence of numbers",
    2: "a table with a row for each observation",
}


def floats(
    values: ArrayLike | Iterable[Any], what: str, ndim: int = 1
) -> np.ndarray:
    """Read finite numbers into a float array with `ndim` axes."""
    values = in_order(values, what)
    columns = column_names(values)
    try:
        array = np.asarray(values)
        if array.dtype.kind in "mM":
            raise TypeError(f"they are of the type {array.dtype}")
        if array.dtype.kind not in "biuf":
            # Text and dates would be read as numbers, too.
            array = np.asarray(values, dtype=object)
            _refuse_text(array, columns)
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
    if isinstance(values, np.ma.MaskedArray):
        refuse(np.ma.getmaskarray(values), array, what, "masked")
    refuse(~np.isfinite(array), array, what, "not a finite number", columns)
    refuse(
        np.abs(array) > LARGEST,
        array,
        what,
        "too large to be squared: choose another unit",
        columns,
    )
    return array


def is_one(data: object, known: Collection[Hashable] = ()) -> bool:
    """Return whether data are a single observation, not a collection.

    A text is a single observation, and so is a tuple or a frozen set that is
    one of the `known` categories.
    """
    return (
        isinstance(data, str | bytes)
        or not isinstance(data, Iterable)
        or getattr(data, "shape", None) == ()
        or (isinstance(data, tuple | frozenset) and data in known)
    )


def in_order(values: Any, what: str) -> Any:
    """Refuse a collection that loses repetitions; list an iterator."""
    if isinstance(values, Set | Mapping):
        raise ProbabilityError(
            f"{what} are a {type(values).__name__}, in which nothing appears "
            "twice: give a list, with all repetitions."
        )
    if isinstance(values, Iterator | ValuesView):
        return list(values)
    return values


def floats_or_none(data: Any, what: str) -> np.ndarray:
    """Read one number, several, or none at all, into an array of floats."""
    data = [data] if is_one(data) else in_order(data, what)
    # A table without rows is not a sequence either.
    is_empty = len(data) == 0 and np.ndim(data) == 1
    return np.zeros(0) if is_empty else floats(data, what)


def column_names(values: object) -> list[Hashable] | None:
    """Return the names of the columns of a data frame, otherwise None."""
    return list(values.columns) if isinstance(values, pd.DataFrame) else None


def require_distinct_columns(frame: pd.DataFrame) -> None:
    """Refuse a data frame in which two columns have the same name."""
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise ProbabilityError(
            f"Two columns are called {twice[0]!r}: rename one, or drop it."
        )


def one_column(data: object, what: str) -> None:
    """Refuse a data frame, which would be read as the names of its columns."""
    columns = column_names(data)
    if columns is not None:
        raise ProbabilityError(
            f"{what} are a data frame with the columns "
            f"{quoted_list(columns)}: "
            "give one column of it."
        )


def _refuse_text(
    array: np.ndarray, columns: Sequence[Hashable] | None
) -> None:
    """Raise an error that names the first entry that is not a number."""
    for place, value in np.ndenumerate(array):
        if not isinstance(value, numbers.Real | Decimal):
            at = f" at {_where(place, columns)}" if place else ""
            raise TypeError(f"{value!r}{at}")


def refuse(
    wrong: np.ndarray,
    array: np.ndarray,
    what: str,
    why: str,
    columns: Sequence[Hashable] | None = None,
) -> None:
    """Raise an error that names the first wrong entry and its position."""
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        raise ProbabilityError(
            f"{what}: {array[place]:g} at {_where(place, columns)} is {why}."
        )


def _where(place: tuple[int, ...], columns: Sequence[Hashable] | None) -> str:
    """Return the position of an entry in words."""
    if len(place) == 2:
        row, column = place
        name = columns[column] if columns else column
        return f"row {row}, column {name!r}"
    return f"position {', '.join(map(str, place))}"


def require_binary(x: np.ndarray, what: str) -> None:
    """Refuse numbers other than 0 and 1."""
    refuse((x != 0) & (x != 1), x, what, "neither 0 nor 1")


def require_counts(x: np.ndarray, what: str, most: float = np.inf) -> None:
    """Refuse numbers that are not counts."""
    refuse(x != np.floor(x), x, what, "not a whole number")
    refuse(x < 0, x, what, "negative")
    refuse(x > most, x, what, f"greater than {most:g}")


def read_positive(values: ArrayLike | Iterable[Any], what: str) -> np.ndarray:
    """Read positive numbers into an array."""
    array = floats(values, what)
    refuse(array <= 0, array, what, "not positive")
    refuse(array < 1 / LARGEST, array, what, "too small to be squared")
    return array


def read_probabilities(
    values: ArrayLike | Iterable[Any], what: str, ndim: int = 1
) -> np.ndarray:
    """Read numbers from 0 to 1 into an array."""
    array = floats(values, what, ndim)
    refuse(array < 0, array, what, "negative")
    refuse(array > 1, array, what, "greater than 1")
    return array


def read_distribution(
    values: ArrayLike | Iterable[Any], what: str, ndim: int = 1
) -> np.ndarray:
    """Read probabilities that sum to one, over all axes."""
    array = floats(values, what, ndim)
    refuse(array < 0, array, what, "negative")
    require_one(array, what)
    return array


def require_one(array: np.ndarray, what: str) -> None:
    """Refuse probabilities that do not sum to one."""
    if abs(array.sum() - 1) > FLOAT_TOLERANCE:
        raise ProbabilityError(
            f"{what} sum to {array.sum():.10g}, not to one."
        )


def require_weights(
    array: np.ndarray, whose: Callable[[tuple[int, ...]], str]
) -> None:
    """Refuse negative and infinite weights; `whose` names a place."""
    for wrong, how in (
        (~np.isfinite(array), "not a finite number"),
        (array < 0, "negative"),
    ):
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0])
            raise ProbabilityError(
                f"{whose(place)} is {array[place]:g}: {how}."
            )
