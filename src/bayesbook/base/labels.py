"""Reading the arguments of tables: names, states, numbers, data.

Each reader checks its argument; its message names the fault and the remedy.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
    Set,
)
from fractions import Fraction
from itertools import pairwise, product
from math import floor, log10, prod
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bayesbook.base.arrays import in_order, one_column, require_weights
from bayesbook.base.errors import ProbabilityError, TableTooLargeError
from bayesbook.base.names import (
    alphabetical,
    did_you_mean,
    plural,
    quoted_list,
)
from bayesbook.base.numbers import (
    Number,
    as_float,
    exact_weight,
    is_exact,
)

#: The states of each variable, in the order of its axis.
States = Mapping[str, tuple[Hashable, ...]]
_Numbers = TypeVar("_Numbers", bound=np.ndarray)

#: No table is made that needs more bytes than this, unless it is asked for.
MAX_BYTES = 2**30
# A fraction and its two integers, and the pointer to it.
_BYTES = {"float": 8, "fraction": 120}


def read_names(names: str | Iterable[str]) -> tuple[str, ...]:
    """Read one name of a variable, or several, each of them once."""
    if isinstance(names, Mapping):
        raise ProbabilityError(
            f"{dict(names)!r} gives states; here only the names of variables "
            "are wanted."
        )
    if isinstance(names, Set):
        # The order of a set differs from process to process.
        names = sorted(names, key=alphabetical)
    if isinstance(names, str) or not isinstance(names, Iterable):
        names = (names,)
    names = tuple(names)
    seen = set()
    for name in names:
        if not isinstance(name, str) or not name:
            raise ProbabilityError(
                f"{name!r} is not the name of a variable: names are words."
            )
        if name in seen:
            raise ProbabilityError(f"{name!r} appears twice.")
        seen.add(name)
    return names


def read_states(
    states: Mapping[str, Iterable[Hashable]],
) -> dict[str, tuple[Hashable, ...]]:
    """Read the states of each variable."""
    wanted = (
        "Give the states as a dictionary from each variable to its states, "
        f"such as {{'coin': ('heads', 'tails')}}, not {states!r}."
    )
    if not isinstance(states, Mapping):
        raise TypeError(wanted)
    if not states:
        raise ProbabilityError(wanted)
    read_names(tuple(states))
    return {name: read_own_states(name, own) for name, own in states.items()}


def read_own_states(
    name: str, states: Iterable[Hashable]
) -> tuple[Hashable, ...]:
    """Read the states of one variable."""
    return read_labels(states, "state", f" of {name!r}")


def read_labels(
    labels: Iterable[Hashable], kind: str, of: str = ""
) -> tuple[Hashable, ...]:
    """Read the names of states, classes, decisions, each of them once."""
    if not isinstance(labels, Iterable) or isinstance(labels, Set):
        raise ProbabilityError(
            f"The {plural(kind)}{of} are {labels!r}; give them as a list or a "
            "tuple, in the order of the axis."
        )
    if isinstance(labels, str) and _is_word(labels):
        raise ProbabilityError(
            f"The {plural(kind)}{of} are {labels!r}, and would be its "
            f"letters: give a list or a tuple, such as ({labels!r},) for one "
            f"{kind}."
        )
    labels = tuple(map(plain, labels))
    if not labels:
        raise ProbabilityError(f"There are no {plural(kind)}{of}.")
    seen = set()
    for label in labels:
        if pd.api.types.is_scalar(label) and pd.isna(label):
            raise ProbabilityError(
                f"A {kind}{of} is missing ({label}); give missing values a "
                "name, or drop them before."
            )
        try:
            if label in seen:
                raise ProbabilityError(
                    f"The {kind} {label!r}{of} appears twice."
                )
            seen.add(label)
        except TypeError as error:
            raise ProbabilityError(
                f"A {kind}{of} cannot be {label!r} ({error}): use a text, a "
                "number or a tuple."
            ) from None
    return labels


def _is_word(text: str) -> bool:
    """Return whether a text is one label, unlike "HT", "RGB", and "abc"."""
    is_run = all(ord(b) - ord(a) == 1 for a, b in pairwise(text))
    return len(text) > 2 and any(map(str.islower, text)) and not is_run


def read_by_category(
    numbers: Any,
    categories: Iterable[Hashable] | None,
    read: Callable[[Any, str], _Numbers],
    what: str,
) -> tuple[_Numbers, tuple[Hashable, ...]]:
    """Read numbers and the categories that they belong to.

    A mapping or a series names the categories itself; those of a sequence
    are 0, 1, 2, ... unless they are given. `read` returns an array.
    """
    if isinstance(numbers, Mapping | pd.Series):
        if categories is not None:
            raise ProbabilityError(
                f"The {what} name their categories already; leave "
                "`categories` out."
            )
        named = list(numbers.items())
        numbers = [number for _, number in named]
        categories = [category for category, _ in named]
    numbers = read(numbers, f"The {what}")
    if categories is None:
        categories = range(len(numbers))
    categories = read_labels(categories, "category")
    if len(categories) != len(numbers):
        raise ProbabilityError(
            f"There are {len(numbers)} {what} for {len(categories)} "
            "categories."
        )
    return numbers, categories


def read_observed(data: Iterable[Hashable], what: str) -> list[Hashable]:
    """Read observed categories into a list."""
    one_column(data, what)
    try:
        data = list(in_order(data, what))
        set(data)
    except TypeError as error:
        raise ProbabilityError(
            f"{what} cannot be categories ({error}): give a sequence of "
            "texts, numbers or tuples."
        ) from None
    return data


def label_array(labels: Sequence[Hashable]) -> np.ndarray:
    """Return labels as an array of the narrowest type that holds them."""
    column = np.empty(len(labels), dtype=object)
    column[:] = labels
    return pd.Series(column).infer_objects().to_numpy()


def codes_of(
    labels: Collection[Hashable], known: Sequence[Hashable], what: str
) -> np.ndarray:
    """Return the place of each label among the known ones.

    Numbers and texts are the same if they are equal in Python, as in every
    dictionary: True and 1 are. For dates and intervals pandas decides.
    """
    codes = _places(labels, known)
    if (codes < 0).any():
        # Slower: pandas tells True and 1 apart unless both are objects.
        codes = _places(labels, known, object)
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        label = plain(list(labels)[row])
        raise unknown(label, known, f"{what} in row {row}")
    return codes


def _places(
    labels: Collection[Hashable],
    known: Sequence[Hashable],
    dtype: type | None = None,
) -> np.ndarray:
    """Return the place of each label among the known ones, or -1."""
    index, asked = (
        pd.Index(array, dtype=dtype, tupleize_cols=False)
        for array in (label_array(known), labels)
    )
    return index.get_indexer(asked)


def unknown(
    label: Hashable, known: Iterable[Hashable], what: str
) -> ProbabilityError:
    """Return the error for a label that is not among the known ones."""
    return ProbabilityError(
        f"{what} is {label!r}, which is none of {quoted_list(known)}."
        f"{did_you_mean(label, known)}"
    )


def place_of_state(
    name: str, states: Sequence[Hashable], state: Hashable
) -> int:
    """Return the place of a state among the states of a variable."""
    try:
        return states.index(state)
    except ValueError:
        raise ProbabilityError(
            f"{state!r} is not a state of {name!r}; its states are "
            f"{quoted_list(states)}.{did_you_mean(state, states)}"
        ) from None


def plain(label: Any) -> Any:
    """Return Python's own number or text in place of numpy's."""
    # A time in nanoseconds would turn into a bare number.
    is_time = isinstance(label, np.datetime64 | np.timedelta64)
    is_numpy = isinstance(label, np.generic) and not is_time
    return label.item() if is_numpy else label


def read_conditions(
    given: str | Iterable[str], states: States
) -> tuple[str, ...]:
    """Read the variables behind the bar of a conditional table."""
    conditions = read_names(given)
    for name in conditions:
        require_name(name, states)
    if set(conditions) == set(states):
        raise ProbabilityError(
            "Every variable is behind the bar; a table needs at least one in "
            "front of it."
        )
    return conditions


def read_values(values: ArrayLike, states: States) -> np.ndarray:
    """Read numbers: floats as they are, anything exact as fractions."""
    if isinstance(values, np.ndarray):
        array = np.asarray(values)
    else:
        array = np.array(values, dtype=object)
        if any(isinstance(entry, list | tuple) for entry in array.flat):
            raise ProbabilityError(
                "The rows of the values have different lengths, or more axes "
                "than there are variables."
            )
    shape = shape_of(states)
    if array.shape != shape:
        needed = ", ".join(f"{name} ({len(s)})" for name, s in states.items())
        raise ProbabilityError(
            f"The values have the shape {array.shape}, but the states of "
            f"{needed} need the shape {shape}."
        )
    require_size(shape, "float" if array.dtype.kind == "f" else "fraction")

    def whose(place: tuple[int, ...]) -> str:
        return f"The probability of {say(states_at(states, place))}"

    if array.dtype.kind == "f":
        array = array.astype(float)
        require_weights(array, whose)
        return array
    read = np.empty(shape, dtype=object)
    for place, value in np.ndenumerate(array):
        read[place] = exact_weight(value, whose(place))
    exact = all(map(is_exact, array.ravel()))
    return read if exact else read.astype(float)


def read_cells(
    data: Any, variables: Iterable[str] | None, what: str
) -> tuple[list[tuple[tuple, Any]], dict[str, tuple[Hashable, ...]]]:
    """Read numbers as pairs of states and number; return the states, too."""
    if isinstance(data, pd.DataFrame):
        named: Sequence[Any] = [data.index.name, data.columns.name]
        keys = product(data.index, data.columns)
        pairs = list(zip(keys, data.to_numpy().ravel(), strict=True))
    elif hasattr(data, "items"):
        named = list(getattr(getattr(data, "index", None), "names", []))
        pairs = list(data.items())
    else:
        raise TypeError(
            f"Give a dictionary, a series or a cross table of {what}, not "
            f"{type(data).__name__}."
        )
    if variables is not None:
        named = read_names(variables)
    if not named or any(name is None for name in named):
        raise ProbabilityError(
            f"The {what} do not say which variables they are about: name them "
            "with `variables`."
        )
    if not pairs:
        raise ProbabilityError(f"There are no {what}.")
    cells: dict[tuple, Any] = {}
    for states_of, number in pairs:
        key: Any = states_of if len(named) > 1 else (states_of,)
        if not isinstance(key, tuple) or len(key) != len(named):
            raise ProbabilityError(
                f"The key {key!r} is not a tuple of {len(named)} states, one "
                f"for each of {', '.join(map(str, named))}."
            )
        if key in cells:
            raise ProbabilityError(
                f"{key!r} appears twice; add its {what} up first."
            )
        cells[key] = number
    columns = zip(*cells, strict=True)
    states = {
        name: tuple(dict.fromkeys(column))
        for name, column in zip(named, columns, strict=True)
    }
    if len(states) < len(named):
        raise ProbabilityError("A name appears twice among the variables.")
    states = read_states(states)
    return list(cells.items()), states


def read_codes(column: pd.Series) -> tuple[np.ndarray, tuple]:
    """Return the number of the state in every row, and the states."""
    missing = column.isna().to_numpy()
    if missing.any():
        raise ProbabilityError(
            f"Row {np.argmax(missing)} of column {column.name!r} has no "
            "value; drop such rows, or give missing values a name."
        )
    return coded(column)


def coded(column: pd.Series) -> tuple[np.ndarray, tuple]:
    """Return the number of the state in every row, and the states.

    Where a value is missing, the number is -1.
    """
    codes, states = factorised(column)
    if isinstance(column.dtype, pd.CategoricalDtype):
        return codes, states
    ordered = sorted_states(states)
    return places_among(states, ordered)[codes], ordered


def factorised(column: pd.Series) -> tuple[np.ndarray, tuple]:
    """Return codes and states as `coded`, in the order of appearance.

    The states of a categorical column are in the order of the categories.
    """
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.array.codes, tuple(column.dtype.categories)
    values = column
    if getattr(column.dtype, "storage", "") == "python":
        # Objects already; as texts, each would be looked at twice more.
        values = column.to_numpy(dtype=object)
    try:
        codes, states = pd.factorize(values)
    except TypeError as error:
        raise ProbabilityError(
            f"The values of column {column.name!r} cannot be states ({error})."
        ) from None
    return codes, tuple(states)


def places_among(
    states: Iterable[Hashable], known: Iterable[Hashable]
) -> np.ndarray:
    """Return the place of each state, then -1 for missing values."""
    place = {state: i for i, state in enumerate(known)}
    # The code -1 of missing values points to the last place.
    return np.array([*(place[state] for state in states), -1])


def sorted_states(states: Iterable[Any]) -> tuple[Any, ...]:
    """Sort the states if they can be."""
    states = tuple(states)
    try:
        return tuple(sorted(states))
    except TypeError:
        return states


def float_column(column: pd.Series) -> np.ndarray:
    """Read a column of weights as floats."""
    kinds = pd.api.types
    if kinds.is_numeric_dtype(column) and not kinds.is_bool_dtype(column):
        weights = column.to_numpy(float)
        if np.isfinite(weights).all() and (weights >= 0).all():
            return weights
    # Slower, but the message names the wrong weight.
    return np.array(exact_column(column), dtype=float)


def exact_column(column: pd.Series) -> list[Fraction]:
    """Read a column of weights as fractions."""
    name = column.name
    return [
        exact_weight(weight, f"The weight in row {row} of column {name!r}")
        for row, weight in enumerate(column.tolist())
    ]


def require_name(
    name: Hashable,
    known: Collection[Hashable],
    kind: str = "variable",
    of: str = "the table",
) -> None:
    """Refuse a name that is not among the known ones."""
    if name in known:
        return
    raise ProbabilityError(
        f"{name!r} is not a {kind} of {of}; the {kind}s are "
        f"{quoted_list(known)}.{did_you_mean(name, known)}"
    )


def read_limit(max_bytes: Number) -> int:
    """Read a number of bytes."""
    if max_bytes is MAX_BYTES:  # at no cost
        return MAX_BYTES
    return floor(as_float(max_bytes, "max_bytes", 1))


def require_size(
    shape: Iterable[int],
    kind: str,
    what: str = "The table",
    max_bytes: Number = MAX_BYTES,
    remedy: str = "Leave variables out, or merge states.",
) -> None:
    """Refuse a table that needs more bytes than the limit."""
    entries = prod(shape)
    needed = entries * _BYTES[kind]
    max_bytes = read_limit(max_bytes)
    if needed > max_bytes:
        raise TableTooLargeError(
            f"{what} would have {about(entries)} entries and need "
            f"{readable_bytes(needed)} of memory; the limit is "
            f"{readable_bytes(max_bytes)}. {remedy}"
        )


def say(states: Mapping[str, Hashable]) -> str:
    """Return states in words: coin=heads, die=6."""
    return ", ".join(f"{name}={state}" for name, state in states.items())


def about(number: float) -> str:
    """Return a number with three digits, however large it is."""
    try:
        return f"{number:.3g}"
    except OverflowError:
        return f"1e+{floor(log10(number))}"


def readable_bytes(number: float) -> str:
    """Return a number of bytes in the unit that suits it."""
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:.3g} {unit}"
        number = number / 1024 if number < 2**1000 else number // 1024
    return f"{about(number)} TiB"


def shape_of(states: Mapping[str, Sequence[Hashable]]) -> tuple[int, ...]:
    """Return the shape of a table with these states."""
    return tuple(len(own) for own in states.values())


def array_of(
    cells: Iterable[tuple[tuple, Any]], states: States, others: Any
) -> np.ndarray:
    """Return an array with each number at its states, `others` elsewhere."""
    places = [{s: i for i, s in enumerate(own)} for own in states.values()]
    array = np.full(shape_of(states), others, dtype=object)
    for key, number in cells:
        pairs = zip(places, key, strict=True)
        array[tuple(place[state] for place, state in pairs)] = number
    return array


def states_at(states: States, place: Iterable[int]) -> dict[str, Hashable]:
    """Return the states at an index of the array."""
    return {
        name: own[i]
        for (name, own), i in zip(states.items(), place, strict=True)
    }
