r"""Factors: non-negative numbers for the configurations of some nodes.

The tables of a network are factors, and so is everything that exact inference
computes on the way from them to an answer. Four operations are enough:
multiply, sum a node out, maximise a node out, and reduce to known states.

>>> prior = Factor(["1/100", "99/100"], {"ill": ("yes", "no")})
>>> likelihood = Factor(["9/10", "1/10"], {"ill": ("yes", "no")})
>>> (prior * likelihood).normalise()
Factor(ill)
ill=yes  ill=no
   1/12   11/12

The operations are those of Koller and Friedman (2009), sections 4.2.1, 9.3
and 13.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.base.labels import (
    place_of_state,
    read_own_states,
    read_values,
)
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import as_floats, plain_number
from bayesbook.network.evidence import Evidence
from bayesbook.network.tabular import TabularNetwork
from bayesbook.probability.axes import axes_of, broadcast_over
from bayesbook.probability.display import as_html, as_text, grid_of
from bayesbook.probability.table import State, Table

__all__ = ["Factor", "product"]

# What numpy allows.
_MOST_AXES = 64


class Factor:
    r"""Non-negative numbers with an axis for each of some nodes.

    Unlike a table, a factor need not sum to anything.

    Parameters
    ----------
    values : nested sequence or array of numbers
        Not negative; one axis for each node, in the order of `states`. With
        integers, fractions, decimals or strings such as ``"1/3"`` the factor
        is exact; with a float among them all are floats.
    states : mapping of node to sequence of states
        Empty for a factor without nodes, which is a single number.
    title : str
        What it is called when it is shown.

    Raises
    ------
    ProbabilityError
        If a number is negative, not finite or not a number, if the shape is
        wrong, or if a state appears twice.
    TableTooLargeError
        If the numbers would need more than `MAX_BYTES`.

    See Also
    --------
    product : the product of many factors.
    bayesbook.probability.Table : what is a probability distribution.

    Notes
    -----
    A factor cannot be changed. Two factors are equal if they have the same
    nodes, in any order, and the same numbers at the same states.

    Examples
    --------
    >>> f = Factor([[5, 1], [2, 2]], {"A": (0, 1), "B": (0, 1)})
    >>> g = Factor([3, 4], {"B": (0, 1)})
    >>> (f * g).sum_out("B")
    Factor(A)
    A=0  A=1
     19   14
    >>> (f * g).max_out("B")
    Factor(A)
    A=0  A=1
     15    8
    >>> f.reduce({"A": 1}).scope
    ('B',)
    """

    __slots__ = ("_states", "_title", "_values")
    _states: Mapping[str, tuple[State, ...]]
    _values: np.ndarray
    _title: str

    def __init__(
        self,
        values: ArrayLike,
        states: Mapping[str, Sequence[State]],
        *,
        title: str = "",
    ):
        if not isinstance(states, Mapping):
            raise TypeError(
                "Give the states as a dictionary from each node to its "
                f"states, not {states!r}."
            )
        read = {
            name: read_own_states(name, own) for name, own in states.items()
        }
        self._set(read_values(values, read), read, str(title))

    def _set(self, values, states, title):
        values.setflags(write=False)
        put = super().__setattr__
        put("_values", values)
        put("_states", states)
        put("_title", title)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A factor cannot be changed: make a new one.")

    def __reduce__(self) -> tuple[Any, ...]:
        return unchecked_factor, (
            self._values,
            dict(self._states),
            self._title,
        )

    # -- what it is -------------------------------------------------------

    @property
    def scope(self) -> tuple[str, ...]:
        """The nodes, in the order of the axes."""
        return tuple(self._states)

    @property
    def states(self) -> Mapping[str, tuple[State, ...]]:
        """The states of each node."""
        return MappingProxyType(self._states)

    @property
    def values(self) -> np.ndarray:
        """The numbers, which cannot be changed; ``values.copy()`` can."""
        return self._values

    @property
    def title(self) -> str:
        """What it is called when it is shown."""
        return self._title or f"Factor({', '.join(self._states)})"

    @property
    def is_exact(self) -> bool:
        """Whether the numbers are fractions."""
        return self._values.dtype == object

    @property
    def total(self) -> Fraction | float:
        """The sum of all numbers."""
        return plain_number(self._values.sum())

    def aligned(self, scope: Iterable[str]) -> np.ndarray:
        """Return the numbers with an axis for each node of a wider scope.

        Parameters
        ----------
        scope : iterable of str
            All nodes of the factor, in any order, and perhaps more.

        Returns
        -------
        array
            Of length 1 along the axes of nodes that the factor does not have.

        Examples
        --------
        >>> f = Factor([[5, 1, 0], [2, 2, 0]], {"A": "ab", "B": "abc"})
        >>> f.aligned(["B", "C", "A"]).shape
        (3, 1, 2)
        """
        return broadcast_over(self._values, self.scope, scope)

    # -- the operations ---------------------------------------------------

    def __mul__(self, other: Factor) -> Factor:
        """Multiply: where the scopes agree, numbers at the same states.

        A product of floats may be too large or too small for a float, and
        then is infinite or zero; fractions have no limits.
        """
        if not isinstance(other, Factor):
            return NotImplemented
        states = {**self._states, **other._states}
        if len(states) > _MOST_AXES:
            raise TableTooLargeError(
                f"The product would be over {len(states)} nodes, and an array "
                f"has at most {_MOST_AXES} axes: sum nodes out first."
            )
        for name in self._states.keys() & other._states.keys():
            if self._states[name] != other._states[name]:
                raise ProbabilityError(
                    f"The states of {name!r} are "
                    f"{quoted_list(self._states[name])} in {self.title}, but "
                    f"{quoted_list(other._states[name])} in {other.title}."
                )
        one, two = self, other
        if one.is_exact != two.is_exact:
            one, two = one.as_floats(), two.as_floats()
        # What is too large for a float is infinite, which the caller sees.
        with np.errstate(over="ignore", invalid="ignore"):
            values = one.aligned(states) * two.aligned(states)
        return unchecked_factor(values, states)

    def sum_out(self, *names: str) -> Factor:
        r"""Add over all states of some nodes: :math:`\sum_x f(x, y)`.

        Raises
        ------
        ProbabilityError
            If a name is not in the scope.

        Examples
        --------
        >>> f = Factor([[5, 1], [2, 2]], {"A": (0, 1), "B": (0, 1)})
        >>> f.sum_out("A").values.tolist() == [7, 3]
        True
        """
        with np.errstate(over="ignore", invalid="ignore"):
            return self._without(names, np.add)

    def max_out(self, *names: str) -> Factor:
        r"""Return the largest number over the states of some nodes.

        That is :math:`\max_x f(x, y)`.

        Raises
        ------
        ProbabilityError
            If a name is not in the scope.

        Examples
        --------
        >>> f = Factor([[5, 1], [2, 2]], {"A": (0, 1), "B": (0, 1)})
        >>> f.max_out("A").values.tolist() == [5, 2]
        True
        """
        return self._without(names, np.maximum)

    def _without(self, names, combine):
        self._require(names)
        axes = axes_of(names, self._states)
        states = {n: s for n, s in self._states.items() if n not in names}
        values = combine.reduce(self._values, axis=axes)
        return unchecked_factor(values, states)

    def marginal(self, *names: str) -> Factor:
        """Add over all nodes but some, and put these in the order given.

        Raises
        ------
        ProbabilityError
            If a name is not in the scope, or appears twice.

        Examples
        --------
        >>> f = Factor([[5, 1], [2, 2]], {"A": (0, 1), "B": (0, 1)})
        >>> f.marginal("B", "A").scope
        ('B', 'A')
        """
        self._require(names)
        left = self.sum_out(*(n for n in self._states if n not in names))
        states = {name: self._states[name] for name in names}
        return unchecked_factor(left.aligned(states), states, self._title)

    def reduce(self, known: Mapping[str, State]) -> Factor:
        """Keep what agrees with the known states; their nodes leave the scope.

        Parameters
        ----------
        known : mapping of node to state

        Returns
        -------
        Factor

        Raises
        ------
        ProbabilityError
            If a name is not in the scope, or a state is none of its node.

        Examples
        --------
        >>> f = Factor([[5, 1], [2, 2]], {"A": ("no", "yes"), "B": (0, 1)})
        >>> f.reduce({"A": "yes", "B": 1}).total
        Fraction(2, 1)
        """
        if not isinstance(known, Mapping):
            raise TypeError(
                "Give the known states as a dictionary from node to state, "
                f"not {known!r}."
            )
        self._require(known)
        place = tuple(
            place_of_state(name, own, known[name])
            if name in known
            else slice(None)
            for name, own in self._states.items()
        )
        states = {n: s for n, s in self._states.items() if n not in known}
        return unchecked_factor(np.asarray(self._values[place]), states)

    def normalise(self) -> Factor:
        """Divide by the sum of all numbers.

        Raises
        ------
        ZeroProbabilityError
            If all numbers are zero.

        Examples
        --------
        >>> Factor([3, 1], {"A": (0, 1)}).normalise()
        Factor(A)
        A=0  A=1
        3/4  1/4
        """
        largest = self._require_finite().max()
        if not largest > 0:
            raise ZeroProbabilityError(
                f"All numbers of {self.title} are zero: it cannot be "
                "normalised."
            )
        # The sum of large floats might be infinite.
        shares = np.asarray(self._values / largest)
        values = np.asarray(shares / shares.sum())
        return unchecked_factor(values, self._states, self._title)

    def argmax(self) -> dict[str, State]:
        """Return the states of the largest number, of equal ones the first.

        Examples
        --------
        >>> f = Factor([[5, 1], [2, 7]], {"A": (0, 1), "B": ("no", "yes")})
        >>> f.argmax()
        {'A': 1, 'B': 'yes'}
        """
        values = self._require_finite()
        place = np.unravel_index(np.argmax(values), values.shape)
        pairs = zip(self._states.items(), place, strict=True)
        return {name: states[i] for (name, states), i in pairs}

    # -- other forms ------------------------------------------------------

    def as_floats(self) -> Factor:
        """Return the factor with floats; positive numbers do not become zero.

        Examples
        --------
        >>> Factor(["1/4", "3/4"], {"A": (0, 1)}).as_floats().is_exact
        False
        """
        values = as_floats(self._values)
        return unchecked_factor(values, self._states, self._title)

    def as_fractions(self) -> Factor:
        """Return the factor with fractions: each float as the one that it is.

        Raises
        ------
        ProbabilityError
            If a number is infinite.

        Examples
        --------
        >>> Factor([0.25, 0.75], {"A": (0, 1)}).as_fractions().total
        Fraction(1, 1)
        """
        self._require_finite()
        exact = np.empty(self._values.shape, dtype=object)
        for place, number in np.ndenumerate(self._values):
            exact[place] = Fraction(number)
        return unchecked_factor(exact, self._states, self._title)

    def to_table(self) -> Table:
        """Return the numbers, divided by their sum, as a distribution.

        Raises
        ------
        ZeroProbabilityError
            If all numbers are zero.
        ProbabilityError
            If the factor has no nodes.

        Examples
        --------
        >>> Factor([3, 1], {"A": (0, 1)}).to_table()
        P(A)
        A=0  A=1
        3/4  1/4
        """
        if not self._states:
            raise ProbabilityError(
                "A factor without nodes is a single number, and no table."
            )
        return Table(self.normalise().values, self._states)

    def renamed(self, title: str) -> Factor:
        """Return the same factor with another title.

        Examples
        --------
        >>> Factor([3, 1], {"A": (0, 1)}).renamed("message").title
        'message'
        """
        return unchecked_factor(self._values, self._states, title)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Factor):
            return NotImplemented
        return self._states == other._states and np.array_equal(
            self._values, other.aligned(self._states)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return as_text(self.title, self._grid())

    def _repr_html_(self) -> str:
        return as_html(self.title, self._grid())

    def _grid(self):
        if self._states:
            return grid_of(self._values, self._states)
        return grid_of(self._values.reshape(1), {"number": ("",)})

    # -- helpers ----------------------------------------------------------

    def _require_finite(self) -> np.ndarray:
        if not self.is_exact and not np.isfinite(self._values).all():
            raise ProbabilityError(
                f"{self.title} has numbers too large for floats: multiply "
                "fractions, which as_fractions() makes."
            )
        return self._values

    def _require(self, names: Iterable[str]) -> None:
        for name in names:
            if not isinstance(name, str):
                raise TypeError(
                    f"{name!r} is not the name of a node; name several one "
                    "after the other, as in sum_out('A', 'B')."
                )
            if name not in self._states:
                raise ProbabilityError(
                    f"{name!r} is not in the scope of {self.title}, which is "
                    f"{quoted_list(self._states)}."
                    f"{did_you_mean(name, self._states)}"
                )
        if len({*names}) < len(tuple(names)):
            raise ProbabilityError(
                f"A node appears twice in {quoted_list(names)}."
            )


def unchecked_factor(
    values: np.ndarray, states: Mapping[str, tuple], title: str = ""
) -> Factor:
    """Return a factor of numbers that are known to be right."""
    return Factor.__new__(Factor)._set(np.asarray(values), states, title)


def product(factors: Iterable[Factor]) -> Factor:
    """Multiply factors, in pairs.

    One after the other, a fraction that grows would be multiplied each time.

    Parameters
    ----------
    factors : iterable of Factor

    Returns
    -------
    Factor
        The number 1, without nodes, if there are none. The nodes are in the
        order in which they first occur.

    Raises
    ------
    TypeError
        If something else than a factor is given.
    ProbabilityError
        If two factors have different states for a node.

    Examples
    --------
    >>> half = Factor(["1/2", "1/2"], {"A": (0, 1)})
    >>> product([half, half, half]).total
    Fraction(1, 4)
    """
    factors = list(factors)
    for factor in factors:
        if not isinstance(factor, Factor):
            raise TypeError(f"{factor!r} is not a Factor.")
    return _product(factors)


def _product(factors):
    if not factors:
        return unchecked_factor(np.array(Fraction(1), dtype=object), {})
    if len(factors) == 1:
        return factors[0]
    middle = len(factors) // 2
    return _product(factors[:middle]) * _product(factors[middle:])


def factors_given(
    network: TabularNetwork,
    known: Evidence,
    nodes: Iterable[str] | None = None,
) -> list[Factor]:
    """Return the tables of a network as factors of the nodes not observed.

    One for each node, or for each of some, and then one for each node with
    soft evidence. The product of all is proportional to P(x | known).
    """
    factors = []
    for node in network.nodes if nodes is None else nodes:
        table = network.tables[node]
        place = tuple(
            known.hard.get(name, slice(None)) for name in table.variables
        )
        states = {
            name: own
            for name, own in table.states.items()
            if name not in known.hard
        }
        title = _with_states(network, table, known.hard)
        factors.append(unchecked_factor(table.values[place], states, title))
    for node, weights in known.factors().items():
        states = {node: network.states[node]}
        title = f"likelihood({node})"
        factors.append(unchecked_factor(weights, states, title))
    return factors


def _with_states(network, table, hard):
    """Return the title of a table, with the states of observed nodes."""

    def shown(name):
        if name not in hard:
            return name
        return f"{name}={network.states[name][hard[name]]}"

    behind = ", ".join(map(shown, table.conditions))
    return f"P({shown(table.targets[0])}{' | ' if behind else ''}{behind})"
