"""Distributions on states, as tables, mappings or sequences of numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import FLOAT_TOLERANCE, finite
from bayesbook.probability import Table

__all__ = ["total_variation"]

State = Hashable
#: A distribution on the states of a chain, or a single state of probability 1.
Distribution = Table | Mapping[State, float] | Sequence[float] | State


def total_variation(p: Distribution, q: Distribution) -> Fraction | float:
    r"""Return the total variation distance of two distributions.

    .. math:: \| p - q \| = \max_A |p(A) - q(A)|
        = \frac{1}{2} \sum_x |p(x) - q(x)|

    Parameters
    ----------
    p, q : Table, mapping or sequence of numbers
        States that a mapping does not name have probability 0.

    Returns
    -------
    Fraction or float
        From 0, for the same distribution, to 1, for distributions that share
        no state.

    Raises
    ------
    ProbabilityError
        If one is not a distribution, or two sequences have different lengths.
    TypeError
        If one is neither a table nor a mapping nor a sequence.

    Examples
    --------
    >>> total_variation(["1/2", "1/2", 0], ["1/4", "1/4", "1/2"])
    Fraction(1, 2)
    >>> total_variation({"sun": 0.5, "rain": 0.5}, {"sun": 1})
    0.5
    """
    one, other = by_state(p, "p"), by_state(q, "q")
    for named in (one, other):
        Table(list(named.values()), {"state": tuple(named)})
    if len(one) != len(other) and _is_numbered(one) and _is_numbered(other):
        raise ProbabilityError(
            f"One distribution has {len(one)} probabilities, the other "
            f"{len(other)}."
        )

    def difference(state):
        p_x = finite(one.get(state, 0), "A probability")
        return p_x - finite(other.get(state, 0), "A probability")

    states = dict.fromkeys([*one, *other])
    distance = sum(abs(difference(state)) for state in states) / 2
    return distance if isinstance(distance, Fraction) else float(distance)


def _is_numbered(named: dict) -> bool:
    """Return whether the states are 0, 1, 2, ..., as those of a sequence."""
    return list(named) == list(range(len(named)))


def by_state(
    distribution: Any, what: str = "The distribution"
) -> dict[State, Any]:
    """Return a distribution as a dictionary from states to numbers."""
    if isinstance(distribution, Table):
        if len(distribution.variables) != 1 or distribution.conditions:
            raise ProbabilityError(
                f"{distribution.title} is not the distribution of one "
                "variable."
            )
        return dict(
            zip(
                distribution.states[distribution.variables[0]],
                distribution.values,
                strict=True,
            )
        )
    if isinstance(distribution, Mapping):
        return dict(distribution)
    if isinstance(distribution, str) or not isinstance(distribution, Iterable):
        raise TypeError(
            f"{what} is {distribution!r}; give a table, a dictionary or a "
            "sequence of probabilities."
        )
    return dict(enumerate(distribution))


def rescaled(values: np.ndarray) -> np.ndarray:
    """Divide floats by their sum, if only rounding makes it differ from 1."""
    if values.dtype == object:
        return values
    totals = values.sum(axis=-1, keepdims=True)
    close = np.abs(totals - 1) <= FLOAT_TOLERANCE
    return np.where(close, values / np.where(close, totals, 1), values)
