"""Entropy, cross-entropy and Kullback-Leibler divergence.

Definitions as in Cover and Thomas (2006), chapter 2, with
0 log 0 = 0 and p log(p/0) = ∞. Natural logarithms give nats, binary ones bits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import log
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import entr, rel_entr, xlogy

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import one_column, read_distribution
from bayesbook.base.labels import read_own_states, require_name
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.probability.table import Table

#: How many nats one of each unit is.
UNITS = {"nats": 1.0, "bits": log(2)}


def entropy(p: ArrayLike | Table, unit: str = "nats") -> float:
    """Return the entropy −Σ p log p: the average surprise.

    Parameters
    ----------
    p : array of probabilities, or Table without conditions
        They sum to one, over all the axes.
    unit : {"nats", "bits"}
        The unit of the result: natural or binary logarithms.

    Returns
    -------
    float
        At least 0, and at most the logarithm of the number of entries.

    Raises
    ------
    ProbabilityError
        If `p` is not a distribution, or if the unit is unknown.

    Examples
    --------
    >>> entropy([0.5, 0.25, 0.25], unit="bits")
    1.5
    """
    (array,) = _distributions(p)
    return float(entr(array).sum()) / nats_in(unit)


def cross_entropy(
    p: ArrayLike | Table, q: ArrayLike | Table, unit: str = "nats"
) -> float:
    """Return the cross-entropy −Σ p log q: the average surprise under q.

    Parameters
    ----------
    p, q : arrays of probabilities of one shape, or Tables
        Tables are over the same variables, in any order, and their states
        are in the same order.
    unit : {"nats", "bits"}
        The unit of the result: natural or binary logarithms.

    Returns
    -------
    float
        At least the entropy of p; ∞ if q is 0 where p is not.

    Raises
    ------
    ProbabilityError
        If `p` or `q` is not a distribution, if they do not fit, or if the unit
        is unknown.
    TypeError
        If one of them is a Table and the other is not.

    Examples
    --------
    >>> round(cross_entropy([0.5, 0.5], [0.25, 0.75], unit="bits"), 4)
    1.2075
    """
    one, other = _distributions(p, q)
    # + 0.0 because there is a negative zero.
    return float(-xlogy(one, other).sum()) / nats_in(unit) + 0.0


def kl_divergence(
    p: ArrayLike | Table, q: ArrayLike | Table, unit: str = "nats"
) -> float:
    """Return the Kullback-Leibler divergence D(p ‖ q) = Σ p log(p/q).

    Parameters
    ----------
    p, q : arrays of probabilities of one shape, or Tables
        Tables are over the same variables, in any order, and their states
        are in the same order.
    unit : {"nats", "bits"}
        The unit of the result: natural or binary logarithms.

    Returns
    -------
    float
        At least 0, and 0 only if p = q; ∞ if q is 0 where p is not. It is
        not symmetric.

    Raises
    ------
    ProbabilityError
        If `p` or `q` is not a distribution, if they do not fit, or if the unit
        is unknown.
    TypeError
        If one of them is a Table and the other is not.

    Examples
    --------
    >>> round(kl_divergence([0.5, 0.5], [0.25, 0.75], unit="bits"), 4)
    0.2075
    >>> kl_divergence([0.5, 0.5], [1, 0])
    inf
    """
    one, other = _distributions(p, q)
    # Rounding can leave the sum a little below its bound.
    return max(0.0, float(rel_entr(one, other).sum())) / nats_in(unit)


def empirical_distribution(
    data: Iterable[Hashable],
    states: Iterable[Hashable] | None = None,
    name: str = "X",
    exact: bool = False,
) -> Table:
    """Return the relative frequencies in data.

    They are the distribution of a random draw from the data.

    Parameters
    ----------
    data : sequence of states
    states : sequence, optional
        All states that can occur. Without it, the states in the data, in
        order.
    name : str
        The name of the variable.
    exact : bool
        Fractions instead of floats.

    Returns
    -------
    Table

    Raises
    ------
    ProbabilityError
        If there are no data, one is missing, or one is not in `states`.

    Examples
    --------
    >>> empirical_distribution("abracadabra", states=[*"abcdr"], exact=True)
    P(X)
    X=a   X=b   X=c   X=d   X=r
    5/11  2/11  1/11  1/11  2/11
    """
    one_column(data, "The data")
    column = pd.Series(list(data), dtype=object, name=name)
    if column.empty:
        raise ProbabilityError("The data are empty: there is nothing to see.")
    if states is not None:
        states = read_own_states(name, states)
        for state in column.unique():
            require_name(state, states, "state", name)
        column = column.astype(pd.CategoricalDtype(states))
    return Table.from_frame(column.to_frame(), exact=exact)


def _distributions(*distributions: ArrayLike | Table) -> list[np.ndarray]:
    """Read distributions over the same states as arrays."""
    given: Sequence[ArrayLike] = (
        _aligned(distributions)
        if any(isinstance(one, Table) for one in distributions)
        else cast(Sequence[ArrayLike], distributions)
    )
    arrays = [
        _distribution(values, name)
        for values, name in zip(given, "pq", strict=False)
    ]
    if len({array.shape for array in arrays}) > 1:
        raise ProbabilityError(
            f"p has the shape {arrays[0].shape} and q {arrays[1].shape}; they "
            "must be distributions over the same states."
        )
    return arrays


def _aligned(distributions: Iterable[ArrayLike | Table]) -> list[np.ndarray]:
    """Return the values of tables, their axes in one order."""
    tables: list[Table] = []
    for table in distributions:
        if not isinstance(table, Table):
            raise TypeError(
                "One distribution is a Table and the other is not: give two "
                "tables, or the `values` of both."
            )
        tables.append(table)
    first, *_ = tables
    for table in tables:
        if table.conditions:
            raise ProbabilityError(
                f"A table is conditioned on {quoted_list(table.conditions)}; "
                "these numbers are about distributions without conditions."
            )
        if table.states != first.states:
            raise ProbabilityError(
                "The tables are not over the same variables and states: "
                f"{dict(first.states)!r} and {dict(table.states)!r}."
            )
    return [table.transpose(*first.variables).values for table in tables]


def _distribution(values: ArrayLike, name: str) -> np.ndarray:
    """Read one distribution as an array."""
    array = np.asarray(values)
    return read_distribution(
        array, f"The probabilities {name}", max(array.ndim, 1)
    )


def nats_in(unit: str) -> float:
    """Return how many nats one of this unit is."""
    if not isinstance(unit, str) or unit not in UNITS:
        raise ProbabilityError(
            f"The unit is {unit!r}; it must be one of {quoted_list(UNITS)}."
            f"{did_you_mean(unit, UNITS)}"
        )
    return UNITS[unit]
