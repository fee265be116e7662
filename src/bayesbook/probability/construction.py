"""Arrays of weights and frequencies: from spaces, counts, rows and series.

Each reader returns an array with an axis for each variable, and the states.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.labels import (
    States,
    array_of,
    exact_column,
    float_column,
    read_cells,
    read_codes,
    read_conditions,
    read_names,
    read_states,
    require_name,
    require_size,
    say,
    shape_of,
    sorted_states,
    states_at,
)
from bayesbook.base.numbers import exact_weight
from bayesbook.probability.events import ProbabilitySpace

LabelledArray = tuple[np.ndarray, dict[str, tuple[Hashable, ...]]]


def array_of_space(
    space: ProbabilitySpace,
    variables: Mapping[str, Callable[[Hashable], Hashable]],
) -> LabelledArray:
    """Return the joint distribution of random variables on a space."""
    if not variables:
        raise ProbabilityError(
            "There is no random variable: give at least one function of "
            "the outcome, such as total=sum."
        )
    joint: dict[tuple, Fraction] = {}
    for outcome, p in space.items():
        key = tuple(of(outcome) for of in variables.values())
        try:
            joint[key] = joint.get(key, Fraction(0)) + p
        except TypeError as error:
            values = say(dict(zip(variables, key, strict=True)))
            raise ProbabilityError(
                f"Outcome {outcome!r} has {values}, which cannot be a "
                f"state ({error}): return a tuple, not a list."
            ) from None
    states = {
        name: sorted_states(dict.fromkeys(column))
        for name, column in zip(
            variables, zip(*joint, strict=True), strict=True
        )
    }
    require_size(shape_of(states), "fraction")
    return array_of(joint.items(), states, Fraction(0)), states


def array_of_counts(
    counts: Mapping | pd.Series | pd.DataFrame,
    variables: Iterable[str] | None,
    exact: bool,
) -> LabelledArray:
    """Return counts or weights by states."""
    cells, states = read_cells(counts, variables, "counts")
    require_size(shape_of(states), "fraction" if exact else "float")
    counted = []
    for key, count in cells:
        where = f"The count of {say(dict(zip(states, key, strict=True)))}"
        counted.append((key, exact_weight(count, where)))
    weights = array_of(counted, states, Fraction(0))
    if not exact:
        try:
            weights = weights.astype(float)
        except OverflowError:
            raise _too_much() from None
    return weights, states


def array_of_rows(
    frame: pd.DataFrame,
    variables: str | Iterable[str] | None,
    given: str | Iterable[str],
    weights: str | None,
    exact: bool,
) -> LabelledArray:
    """Return how often each configuration occurs in the rows of a frame."""
    behind = read_names(given)
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"Give a data frame, not {type(frame).__name__}.")
    if variables is None:
        variables = [name for name in frame.columns if name != weights]
    names = tuple(dict.fromkeys([*behind, *read_names(variables)]))
    if not names:
        raise ProbabilityError("Name at least one variable.")
    _require_columns(frame, [*names, *([weights] if weights else [])])
    coded = {name: read_codes(frame[name]) for name in names}
    states = read_states({name: s for name, (_, s) in coded.items()})
    shape = shape_of(states)
    require_size(shape, "fraction" if exact else "float")
    cell = np.ravel_multi_index([code for code, _ in coded.values()], shape)
    if weights is None:
        counts = np.bincount(cell, minlength=prod(shape))
    elif exact:
        counts = np.full(prod(shape), Fraction(0), dtype=object)
        own = np.array(exact_column(frame[weights]), dtype=object)
        np.add.at(counts, cell, own)
    else:
        column = float_column(frame[weights])
        counts = np.bincount(cell, column, minlength=prod(shape))
    if exact:
        counts = np.array([Fraction(n) for n in counts.tolist()])
    return counts.reshape(shape), states


def array_of_series(series: pd.Series) -> LabelledArray:
    """Return the probabilities of a series, one for each configuration."""
    cells, states = read_cells(series, None, "probabilities")
    require_size(shape_of(states), "float")
    array = array_of(cells, states, None)
    missing = np.argwhere(array == None)  # noqa: E711 (entry by entry)
    if len(missing):
        raise ProbabilityError(
            f"The probability of {say(states_at(states, missing[0]))} is "
            "missing from the series; write a zero if it is zero."
        )
    return array, states


def relative_frequencies(
    weights: np.ndarray, states: States, given: str | Iterable[str]
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Divide weights by the total of each configuration of `given`."""
    conditions = read_conditions(given, states)
    axes = tuple(i for i, name in enumerate(states) if name not in conditions)
    with np.errstate(over="ignore"):
        totals = weights.sum(axis=axes, keepdims=True)
    if weights.dtype != object and np.isinf(totals).any():
        raise _too_much()
    if not np.all(totals):
        place = states_at(states, np.argwhere(totals == 0)[0])
        place = {n: s for n, s in place.items() if n in conditions}
        raise ZeroProbabilityError(
            f"There is no observation with {say(place)}, so the others have "
            "no frequencies given it."
            if place
            else "All counts are zero, so there are no frequencies."
        )
    return weights / totals, conditions


def _require_columns(frame: pd.DataFrame, names: Sequence[str]) -> None:
    """Refuse a frame without rows, or without one column of each name."""
    for name in names:
        require_name(name, frame.columns, "column", "the data frame")
        if list(frame.columns).count(name) > 1:
            raise ProbabilityError(
                f"The data frame has several columns {name!r}; rename or "
                "drop the others."
            )
    if frame.empty:
        raise ProbabilityError(
            "The data frame has no rows, so there are no frequencies."
        )


def _too_much() -> ProbabilityError:
    """Return the error for counts that overflow."""
    return ProbabilityError(
        "The counts sum to more than a float can hold; use exact=True."
    )
