"""Columns of data frames, read as codes of states.

Each reader reads one thing that a learner is given: the names, the states, the
weights, a column. Its errors say where the fault is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import require_distinct_columns
from bayesbook.base.labels import (
    coded,
    codes_of,
    float_column,
    plain,
    read_own_states,
    unknown,
)
from bayesbook.base.names import did_you_mean, pluralise, quoted_list

# A column with more states than this, and more than half as many as rows,
# holds measurements or names of the rows, unless its states are declared.
_FEW_STATES = 20


def require_frame(frame: object) -> None:
    """Refuse what is not a data frame, or has no row or no column."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            "Give a data frame with a column for each variable, not "
            f"{type(frame).__name__}."
        )
    for number, what in zip(frame.shape, ("row", "column"), strict=True):
        if not number:
            raise ProbabilityError(
                f"The data frame has no {what} (its shape is {frame.shape}): "
                "there is nothing to learn from."
            )


def read_missing(missing: str) -> str:
    """Read what to do with missing values."""
    if missing not in ("error", "keep"):
        raise ProbabilityError(
            f'missing must be "error" or "keep", not {missing!r}.'
        )
    return missing


def columns_of(data: Any, weights: Any = None) -> list | None:
    """Return the names of the variables, if they can be known before reading.

    Otherwise, and if a name appears twice, return None; the reader of the
    data raises the error.
    """
    names = getattr(data, "names", None)
    if names is None:
        names = getattr(data, "columns", None)
    if names is None or len(set(names)) < len(names):
        return None
    return [n for n in names if not isinstance(weights, str) or n != weights]


def split_weights(
    frame: pd.DataFrame, weights: str | Sequence[float] | None
) -> tuple[pd.DataFrame, np.ndarray | None]:
    """Separate the weights from the variables."""
    if weights is None:
        return frame, None
    if isinstance(weights, str):
        if weights not in frame:
            raise ProbabilityError(
                f"There is no column {weights!r} that could hold the weights; "
                f"the columns are {quoted_list(frame.columns)}."
                f"{did_you_mean(weights, frame.columns)}"
            )
        column = frame[weights]
        if isinstance(column, pd.DataFrame):
            raise ProbabilityError(f"Two columns are called {weights!r}.")
        return frame.drop(columns=weights), float_column(column)
    series = weights_in_order(weights)
    if len(series) != len(frame):
        raise ProbabilityError(
            f"There are {len(frame)} rows, but "
            f"{pluralise(len(series), 'weight')}; "
            "give one for each row."
        )
    return frame, float_column(series)


def weights_in_order(weights: ArrayLike) -> pd.Series:
    """Return weights that are not in the frame as a column, unchecked."""
    if np.ndim(weights) != 1:
        raise ProbabilityError(
            f"The weights have the shape {np.shape(weights)}; give a sequence "
            "with one for each row, or the name of a column."
        )
    return pd.Series(weights, name="weights")


def total_of(weights: np.ndarray | None, n_rows: int) -> float:
    """Return the sum of the weights, without weights the number of rows."""
    if weights is None:
        return n_rows
    with np.errstate(over="ignore"):
        return weights.sum()


def require_total(total: float) -> None:
    """Refuse weights that sum to zero, or to more than a float holds."""
    if not total:
        raise ProbabilityError(
            "The weights of all rows are zero: there is nothing to count."
        )
    if not np.isfinite(total):
        raise ProbabilityError(
            "The sum of the weights is larger than any float: divide them "
            "by the largest."
        )


def read_column_names(frame: pd.DataFrame) -> tuple[str, ...]:
    """Read the names of the variables from the columns."""
    if not frame.shape[1]:
        raise ProbabilityError("There is no column but the weights.")
    for name in frame.columns:
        if not isinstance(name, str) or not name:
            raise ProbabilityError(
                f"The column {name!r} has no name that is a text; variables "
                "have names: frame.rename(columns=str), or better ones."
            )
    require_distinct_columns(frame)
    return tuple(frame.columns)


def read_declared(states: Any, names: Collection[str]) -> dict[str, tuple]:
    """Read the states that are declared for some of the variables."""
    if states is None:
        return {}
    states = getattr(states, "states", states)
    if not isinstance(states, Mapping):
        raise TypeError(
            "Give the states as a dictionary from each variable to its "
            f"states, or a network, not {states!r}."
        )
    for name in states:
        if name not in names:
            raise ProbabilityError(
                f"States are declared for {name!r}, which is not a column of "
                f"the data; its columns are {quoted_list(names)}."
                f"{did_you_mean(name, names)}"
            )
    return {name: read_own_states(name, own) for name, own in states.items()}


def read_column(
    column: pd.Series, declared: tuple | None, missing: str
) -> tuple[np.ndarray, tuple]:
    """Return the codes of a column, and its states."""
    is_category = isinstance(column.dtype, pd.CategoricalDtype)
    codes, states = coded(column)
    # The codes show faster than the values whether one is missing.
    if missing == "error" and codes.min(initial=0) < 0:
        refuse_missing(column.to_frame())
    states = tuple(map(plain, states))
    if not states and declared is None:
        raise ProbabilityError(
            f"Column {column.name!r} has no value in any row: leave it out, "
            "or declare its states with states={...}."
        )
    if declared is not None:
        codes = _recode(codes, states, declared, column.name)
        states = declared
    elif not is_category:
        require_discrete(column.name, states, len(column))
    # A copy, so that later changes of the frame do not change the codes.
    return codes.astype(small(len(states))), states


def small(n_states: int) -> np.dtype:
    """Return the smallest signed type that holds the codes."""
    return np.min_scalar_type(-max(n_states, 1))


def _recode(codes, states, declared, name):
    """Return the codes among the declared states."""
    if states == declared:
        return codes
    try:
        places = codes_of(states, declared, "")
    except ProbabilityError:
        # Categories that never occur may be unknown.
        places = np.array(
            [declared.index(s) if s in declared else -2 for s in states]
        )
    recoded = np.append(places, -1)[codes]
    if recoded.min(initial=0) < -1:
        row = int(np.argmin(recoded))
        raise unknown(
            states[codes[row]], declared, f"Column {name!r} in row {row}"
        )
    return recoded


def require_discrete(name: str, states: Sequence, n_rows: float) -> None:
    """Refuse a column of measurements, or of names of the rows."""
    remedy = (
        "Put its values into bins (bayesbook.naive_bayes.EntropyDiscretizer, "
        "scikit-learn's KBinsDiscretizer, pd.cut), "
        f"leave it out, or declare its states: states={{{name!r}: ...}}."
    )
    fractions = [s for s in states if isinstance(s, float) and s % 1]
    if fractions:
        raise ProbabilityError(
            f"Column {name!r} holds measurements, such as "
            f"{fractions[0]!r}, instead of states. {remedy}"
        )
    if len(states) > max(_FEW_STATES, n_rows / 2):
        raise ProbabilityError(
            f"Column {name!r} has {len(states)} different values in "
            f"{n_rows} rows: no state occurs often enough to be counted. "
            f"{remedy}"
        )


def refuse_missing(frame: pd.DataFrame, of: str = "all") -> None:
    """Raise an error at the first missing value."""
    for name, column in frame.items():
        if column.hasnans:
            missing = column.isna().to_numpy()
            raise ProbabilityError(
                f"Column {name!r} has no value in row {np.argmax(missing)} "
                f"({pluralise(int(missing.sum()), 'missing value')} in {of}). "
                "Drop such rows, make missing values a state of their own, "
                "or learn from the values that are there with fit_em."
            )
