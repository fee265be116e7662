"""Functions of named variables: events and values for all states."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import inf, isfinite
from typing import cast

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import States, say, shape_of
from bayesbook.base.numbers import Number, as_bool, read


def argument_names(of: str | Callable) -> tuple[str, ...]:
    """Return the variables that a function, or a name, depends on."""
    if isinstance(of, str):
        return (of,)
    if not callable(of):
        raise TypeError(
            f"{of!r} is neither the name of a variable nor a function of "
            "variables, such as lambda X, Y: X + Y."
        )
    names = parameter_names(of)
    if not names:
        raise ProbabilityError(
            "The function depends on no variable: its arguments are the "
            "names of variables, as in lambda X, Y: X + Y."
        )
    return names


def parameter_names(
    function: Callable, such_as: str = "X, Y"
) -> tuple[str, ...]:
    """Return the parameters of a function that have no default value."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        raise ProbabilityError(
            f"{function!r} does not say on which variables it depends; write "
            f"lambda {such_as}: … around it."
        ) from None
    return tuple(
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
    )


def event_mask(event: Callable[..., bool], states: States) -> np.ndarray:
    """Return for all states of its arguments whether an event occurs."""
    occurs = [
        as_bool(event(**place), f"The event at {say(place)}")
        for place in _places(states)
    ]
    return np.array(occurs).reshape(shape_of(states))


def function_values(of: str | Callable, states: States) -> np.ndarray:
    """Return the values of a function, or a variable, for all its states."""
    values = [
        _real(place[of], f"The state of {of!r}")
        if isinstance(of, str)
        else _real(of(**place), f"The function's value at {say(place)}")
        for place in _places(states)
    ]
    exact = all(isinstance(value, Fraction) for value in values)
    array = np.array(values, dtype=object if exact else float)
    return array.reshape(shape_of(states))


def _places(states: States) -> Iterator[dict[str, Hashable]]:
    """Yield every configuration of the states, in the order of the axes."""
    for place in product(*states.values()):
        yield dict(zip(states, place, strict=True))


def _real(value: object, what: str) -> Fraction | float:
    """Read a value that is averaged."""
    if isinstance(value, bool | np.bool_):
        return Fraction(int(value))
    number: Fraction | float = inf
    if not isinstance(value, str):
        with suppress(TypeError, ValueError, OverflowError):
            number = read(cast(Number, value))
    if isinstance(number, float) and not isfinite(number):
        raise ProbabilityError(
            f"{what} is {value!r}, not a finite number; an expectation needs "
            "numbers, such as lambda X: 1 if X == 'yes' else 0."
        )
    return number
