"""Markov chains on finitely many states: distributions, classes, speed, paths."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import unknown
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import (
    FLOAT_TOLERANCE,
    as_float,
    as_int,
    finite,
    show,
)
from bayesbook.probability import Table

State = Hashable
#: A distribution on the states of a chain, or one state, which is then certain.
Distribution = Table | Mapping[State, float] | Sequence[float] | State

# A chain that has not mixed after so many steps has not in our lifetime.
_LONGEST = 2**60
# Where a smaller number turns up, or a larger one than the inverse, floats
# may have lost digits.
_SMALL = 1e-100


@dataclass(frozen=True)
class CommunicatingClass:
    """States of a chain that can all be reached from each other.

    Attributes
    ----------
    states : tuple
    is_closed : bool
        Whether no step leads out. The chain leaves the others for ever.
    period : int
        The greatest common divisor of the numbers of steps in which it can
        return to a state; 0 if it cannot return at all.
    """

    states: tuple[State, ...]
    is_closed: bool
    period: int


@dataclass(frozen=True)
class DetailedBalance:
    """Whether as much flows there as back, between any two states.

    It is true in an ``if`` when it does, and its text says where it does not.
    Made by :meth:`MarkovChain.detailed_balance`.

    Attributes
    ----------
    holds : bool
    pair : tuple of two states
        Where the two flows differ most.
    there, back : Fraction or float
        The probabilities of being in the first and going to the second, and
        of being in the second and going to the first.
    """

    holds: bool
    pair: tuple[State, State]
    there: Fraction | float
    back: Fraction | float

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.holds:
            return "Between any two states as much flows there as back."
        here, other = self.pair
        return (
            f"From {here} to {other} flows {_short(self.there)}, "
            f"and back {_short(self.back)}."
        )


class MarkovChain:
    r"""A Markov chain on finitely many states, immutable.

    Parameters
    ----------
    matrix : nested sequence, array or Table
        Row i is the distribution of the next state when the present one is i.
        With integers, fractions, decimals or strings such as ``"1/3"`` the
        chain is exact. A table has one variable in front of the bar and one
        behind it, with the same states.
    states : sequence, optional
        Their names, in the order of the rows: 0, 1, 2, ... by default.

    Attributes
    ----------
    table : Table
        The matrix as P(next | now).

    Raises
    ------
    ProbabilityError
        If a row is not a distribution, the matrix is not square, or a state
        stands twice.
    TableTooLargeError
        If the matrix would need more than `bayesbook.probability.MAX_BYTES`.

    Examples
    --------
    >>> chain = MarkovChain([[0.9, 0.1], [0.4, 0.6]], ["well", "ill"])
    >>> chain
    MarkovChain P(next | now)
    now   next=well  next=ill
    well        0.9       0.1
    ill         0.4       0.6
    >>> chain.is_irreducible, chain.period
    (True, 1)
    """

    def __init__(
        self,
        matrix: Sequence | np.ndarray | Table,
        states: Sequence[State] | None = None,
    ):
        if isinstance(matrix, Table):
            matrix, states = _of_table(matrix, states)
        elif states is None:
            states = range(_length(matrix))
        own = {"now": states, "next": states}
        self.__dict__["table"] = Table(matrix, own, given="now")

    def __setattr__(self, name: str, value: object):
        raise AttributeError("A chain cannot be changed: make a new one.")

    # -- what it is -------------------------------------------------------

    @property
    def states(self) -> tuple[State, ...]:
        """The states, in the order of the rows."""
        return self.table.states["now"]

    @property
    def matrix(self) -> np.ndarray:
        """The transition probabilities; not to be written."""
        return self.table.values

    @property
    def is_exact(self) -> bool:
        """Whether the probabilities are fractions."""
        return self.table.is_exact

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The possible steps, each with its ``probability``."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.states)
        for i, j in np.argwhere(self.matrix > 0).tolist():
            graph.add_edge(
                self.states[i], self.states[j], probability=self.matrix[i, j]
            )
        return nx.freeze(graph)

    @cached_property
    def classes(self) -> tuple[CommunicatingClass, ...]:
        """The communicating classes, in the order of their first states."""
        place = {state: i for i, state in enumerate(self.states)}
        components = [
            sorted(component, key=place.get)
            for component in nx.strongly_connected_components(self.graph)
        ]
        return tuple(
            CommunicatingClass(
                tuple(own),
                not any(True for _ in nx.edge_boundary(self.graph, own)),
                _period(self.graph.subgraph(own), own[0]),
            )
            for own in sorted(components, key=lambda own: place[own[0]])
        )

    @property
    def is_irreducible(self) -> bool:
        """Whether every state can be reached from every other."""
        return len(self.classes) == 1

    @property
    def period(self) -> int:
        """The period of an irreducible chain: 1 if it is aperiodic."""
        if not self.is_irreducible:
            raise ProbabilityError(
                "A chain that is not irreducible has a period for each class "
                f"of states; the classes are {self._classes_listed()}."
            )
        return self.classes[0].period

    @cached_property
    def second_eigenvalue(self) -> float:
        """The second largest modulus of an eigenvalue of the matrix.

        Its powers are the speed at which an irreducible, aperiodic chain
        forgets where it started; it is 0 for a chain with a single state.
        """
        moduli = np.abs(np.linalg.eigvals(self.matrix.astype(float)))
        return float(np.sort(moduli)[-2]) if len(moduli) > 1 else 0.0

    @cached_property
    def contraction(self) -> Fraction | float:
        r"""Dobrushin's coefficient, the largest distance between two rows.

        .. math:: \delta(P) = \max_{i, k} \| P(i, \cdot) - P(k, \cdot) \|

        in total variation: a step brings any two distributions closer by this
        factor.
        """
        rows = self.matrix
        return max(abs(rows - row).sum(axis=1).max() for row in rows) / 2

    # -- distributions
    # -------------------------------------------------------------

    def step(self, distribution: Distribution, n: int = 1) -> Table:
        r"""Return the distribution of the state after some steps.

        .. math:: \mu_{t + 1}(j) = \sum_i \mu_t(i) P(i, j)

        Parameters
        ----------
        distribution : Table, mapping, sequence of numbers, or a state
            The distribution of the present state. A state is certain; states
            that a mapping does not name have probability 0.
        n : int
            How many steps, at least 0.

        Returns
        -------
        Table
            Exact if the chain and the distribution are.

        Raises
        ------
        ProbabilityError
            If it is no distribution on the states, or `n` is no whole number.

        Examples
        --------
        >>> walk = MarkovChain([[0, 1, 0], ["1/2", 0, "1/2"], [0, 1, 0]])
        >>> walk.step(0, 2)
        P(state)
        state=0  state=1  state=2
            1/2        0      1/2
        """
        n = as_int(n, "The number of steps", 0)
        values = self._distribution(distribution).values
        if n > len(self.states):
            values = values @ np.linalg.matrix_power(self.matrix, n)
        else:
            for _ in range(n):
                values = values @ self.matrix
        return self._table(values)

    def power(self, n: int) -> MarkovChain:
        """Return the chain of which one step is `n` steps of this one.

        Parameters
        ----------
        n : int
            At least 0; after no step, every state is itself.

        Returns
        -------
        MarkovChain

        Examples
        --------
        >>> MarkovChain([[0, 1], [1, 0]]).power(2)
        MarkovChain P(next | now)
        now  next=0  next=1
        0         1       0
        1         0       1
        """
        n = as_int(n, "The number of steps", 0)
        return MarkovChain(
            rescaled(np.linalg.matrix_power(self.matrix, n)), self.states
        )

    def then(self, other: MarkovChain) -> MarkovChain:
        """Return the chain of which one step is one of this, one of the other.

        Parameters
        ----------
        other : MarkovChain
            On the same states, in the same order.

        Returns
        -------
        MarkovChain

        Raises
        ------
        ProbabilityError
            If the states differ.
        """
        if self.states != other.states:
            raise ProbabilityError(
                f"The chains have the states {quoted_list(self.states)} and "
                f"{quoted_list(other.states)}: they must be the same."
            )
        return MarkovChain(rescaled(self.matrix @ other.matrix), self.states)

    def stationary(self) -> Table:
        r"""Return the distribution that a step does not change: π = π P.

        The states are eliminated one by one, without a subtraction, which
        keeps fractions exact and the smallest probabilities accurate.

        Returns
        -------
        Table
            Exact if the chain is. Transient states have probability 0.

        Raises
        ------
        ProbabilityError
            If there are several such distributions: one for each closed class
            of states, and all their mixtures.

        References
        ----------
        Grassmann, Taksar and Heyman (1985), "Regenerative analysis and
        steady state distributions for Markov chains".

        Examples
        --------
        >>> MarkovChain([[0.5, 0.5, 0], [0, 0.5, 0.5], [1, 0, 0]]).stationary()
        P(state)
        state=0  state=1  state=2
            0.4      0.4      0.2
        """
        closed = [own for own in self.classes if own.is_closed]
        if len(closed) > 1:
            raise ProbabilityError(
                "There are several stationary distributions, because the "
                f"chain never leaves {_sets(closed)}: take one of these sets "
                f"alone."
            )
        rows = [self.states.index(state) for state in closed[0].states]
        distribution = self.matrix[0] * 0
        distribution[rows] = _eliminated(self.matrix[np.ix_(rows, rows)])
        return self._table(distribution)

    def detailed_balance(
        self, distribution: Distribution | None = None
    ) -> DetailedBalance:
        r"""Return whether π(i) P(i, j) = π(j) P(j, i) for all states.

        Parameters
        ----------
        distribution : Table, mapping or sequence of numbers, optional
            The stationary distribution by default.

        Returns
        -------
        DetailedBalance
            True in an ``if`` when it holds: exactly, or to 1e-9 of floats.

        Raises
        ------
        ProbabilityError
            If it is no distribution on the states, or there are several
            stationary distributions.

        Examples
        --------
        >>> cycle = MarkovChain([[0, "2/3", "1/3"], ["1/3", 0, "2/3"],
        ...                      ["2/3", "1/3", 0]], "ABC")
        >>> print(cycle.detailed_balance())
        From A to B flows 2/9, and back 1/9.
        """
        distribution = (
            self.stationary()
            if distribution is None
            else self._distribution(distribution)
        )
        flow = distribution.values[:, None] * self.matrix
        gap = flow - flow.T
        i, j = np.unravel_index(np.argmax(gap), gap.shape)
        tolerance = 0 if gap.dtype == object else FLOAT_TOLERANCE
        return DetailedBalance(
            bool(gap[i, j] <= tolerance),
            (self.states[i], self.states[j]),
            flow[i, j],
            flow[j, i],
        )

    def distances(self, n: int) -> np.ndarray:
        r"""Measure how far the chain is from its stationary distribution.

        .. math:: d(t) = \max_i \| P^t(i, \cdot) - \pi \|, \quad t = 0, …, n

        Parameters
        ----------
        n : int
            How many steps, at least 0.

        Returns
        -------
        array, shape (n + 1,)
            Total variation distances from the worst start: they never rise.

        Raises
        ------
        ProbabilityError
            If there are several stationary distributions.

        Examples
        --------
        >>> MarkovChain([[0.9, 0.1], [0.4, 0.6]]).distances(3)
        array([0.8, 0.4, 0.2, 0.1])
        """
        n = as_int(n, "The number of steps", 0)
        matrix = self.matrix.astype(float)
        distribution = self.stationary().values.astype(float)
        power, found = np.eye(len(matrix)), []
        for _ in range(n + 1):
            found.append(np.abs(power - distribution).sum(axis=1).max() / 2)
            power = power @ matrix
        return np.array(found)

    def mixing_time(self, epsilon: float = 0.25) -> int:
        """Count the steps until the start is forgotten.

        Parameters
        ----------
        epsilon : float
            Between 0 and 1.

        Returns
        -------
        int
            The first t at which the distribution of the state, from the worst
            start, is at most `epsilon` from the stationary one in total
            variation.

        Raises
        ------
        ProbabilityError
            If the distribution never comes so close: there are several closed
            classes, or the closed one is periodic.

        Examples
        --------
        >>> MarkovChain([[0.9, 0.1], [0.4, 0.6]]).mixing_time(0.1)
        3
        """
        epsilon = as_float(epsilon, "epsilon", 0, 1, open_=True)
        distribution = self.stationary().values.astype(float)
        period = next(own.period for own in self.classes if own.is_closed)
        if period > 1:
            raise ProbabilityError(
                f"The chain is periodic with period {period}: it never "
                "forgets where it started, so there is no mixing time."
            )

        def far(power):
            gap = np.abs(power - distribution).sum(axis=1).max() / 2
            # Where rounding decides, equal counts as close enough.
            return gap > epsilon * (1 + FLOAT_TOLERANCE)

        # Powers P, P², P⁴, … until one is close; then the last time at which
        # it is still far is put together from the largest to the smallest.
        powers, t = [self.matrix.astype(float)], 0
        before = np.eye(len(distribution))
        if not far(before):
            return 0
        while far(powers[-1]):
            if 2 ** len(powers) > _LONGEST:
                raise ProbabilityError(
                    f"After {_LONGEST:.0e} steps the start still matters."
                )
            powers.append(rescaled(powers[-1] @ powers[-1]))
        for k in reversed(range(len(powers))):
            longer = before @ powers[k]
            if far(longer):
                before, t = longer, t + 2**k
        return t + 1

    # -- paths ------------------------------------------------------------

    def simulate(
        self,
        size: int,
        start: Distribution,
        *,
        rng: np.random.Generator | int,
        n_chains: int | None = None,
    ) -> np.ndarray:
        """Follow the chain for some steps.

        Parameters
        ----------
        size : int
            How many steps, at least 0.
        start : state, Table or mapping, or a list of states
            Where all paths start; the distribution by which each draws its
            start; or the start of each path.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one.
        n_chains : int, optional
            How many independent paths.

        Returns
        -------
        array, shape (size + 1,) or (n_chains, size + 1)
            The states, the start first.

        Raises
        ------
        ProbabilityError
            If a start is no state, or their number is another one.

        Examples
        --------
        >>> chain = MarkovChain([[0.9, 0.1], [0.4, 0.6]], ["well", "ill"])
        >>> chain.simulate(4, "well", rng=7)
        array(['well', 'well', 'well', 'well', 'well'], dtype=object)
        >>> path = chain.simulate(10_000, "ill", rng=1)
        >>> print(f"{(path == 'ill').mean():.3f}")
        0.207
        """
        size = as_int(size, "The number of steps", 0)
        rng = np.random.default_rng(rng)
        m = 1 if n_chains is None else as_int(n_chains, "n_chains", 1)
        path = np.empty((size + 1, m), dtype=int)
        path[0] = self._starts(start, m, rng)
        steps = self.matrix.astype(float).cumsum(axis=1)
        # Exactly one at the end, or rounding could draw the impossible.
        steps /= steps[:, -1:]
        for t in range(size):
            u = rng.random((m, 1))
            path[t + 1] = (u >= steps[path[t]]).sum(axis=1)
        drawn = _as_array(self.states)[path.T]
        return drawn[0] if n_chains is None else drawn

    def _starts(self, start, m, rng):
        if self._is_state(start) or isinstance(start, Table | Mapping):
            distribution = self._distribution(start).values.astype(float)
            return rng.choice(
                len(distribution), size=m, p=distribution / distribution.sum()
            )
        if isinstance(start, str) or not isinstance(start, Iterable):
            raise unknown(start, self.states, "The start")
        starts = [self._place(state, "The start") for state in start]
        if len(starts) != m:
            raise ProbabilityError(
                f"There are {len(starts)} starts for {m} chains."
            )
        return starts

    # -- how it looks -----------------------------------------------------

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.table!r}"

    def _repr_html_(self) -> str:
        return self.table._repr_html_()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MarkovChain):
            return NotImplemented
        return self.table == other.table

    def __hash__(self) -> int:
        return hash(self.table)

    # -- helpers ----------------------------------------------------------

    def _is_state(self, value):
        try:
            return value in self._places
        except TypeError:
            return False

    @cached_property
    def _places(self):
        return {state: i for i, state in enumerate(self.states)}

    def _place(self, state, what):
        if not self._is_state(state):
            raise unknown(state, self.states, what)
        return self._places[state]

    def _distribution(self, distribution):
        """Read a distribution on the states, in their order."""
        if self._is_state(distribution):
            distribution = {distribution: 1}
        if isinstance(distribution, Table | Mapping):
            named = by_state(distribution)
        elif isinstance(distribution, str) or not isinstance(
            distribution, Iterable
        ):
            raise unknown(distribution, self.states, "The state")
        else:
            numbers = list(distribution)
            if len(numbers) != len(self.states):
                raise ProbabilityError(
                    f"The distribution has {len(numbers)} probabilities for "
                    f"{len(self.states)} states."
                )
            named = dict(zip(self.states, numbers, strict=True))
        for state in named:
            self._place(state, "A state of the distribution")
        values = [named.get(state, 0) for state in self.states]
        return Table(values, {"state": self.states})

    def _table(self, values):
        return Table(rescaled(values), {"state": self.states})

    def _classes_listed(self):
        return _sets(self.classes)


def total_variation(p: Distribution, q: Distribution) -> Fraction | float:
    r"""Measure how far two distributions are apart.

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
        If one is no distribution, or two sequences have different lengths.

    Examples
    --------
    >>> total_variation(["1/2", "1/2", 0], ["1/4", "1/4", "1/2"])
    Fraction(1, 2)
    >>> total_variation({"sun": 0.5, "rain": 0.5}, {"sun": 1})
    0.5
    """
    p, q = by_state(p, "p"), by_state(q, "q")
    for named in (p, q):
        Table(list(named.values()), {"state": tuple(named)})
    if len(p) != len(q) and all(
        tuple(distribution) == tuple(range(len(distribution)))
        for distribution in (p, q)
    ):
        raise ProbabilityError(
            f"One distribution has {len(p)} probabilities, the other {len(q)}."
        )
    states = dict.fromkeys([*p, *q])
    distance = (
        sum(
            abs(
                finite(p.get(s, 0), "A probability")
                - finite(q.get(s, 0), "A probability")
            )
            for s in states
        )
        / 2
    )
    return distance if isinstance(distance, Fraction) else float(distance)


# --- Reading --------------------------------------------------------------


def _of_table(table, states):
    """Return the matrix and the states of P(next | now)."""
    if states is not None:
        raise ProbabilityError(
            f"{table.title} has its own states; leave `states` out."
        )
    if len(table.targets) != 1 or len(table.conditions) != 1:
        raise ProbabilityError(
            f"{table.title} is not the distribution of one variable given one "
            "other: the next state given the present one."
        )
    now, after = table.conditions[0], table.targets[0]
    states = table.states[now]
    if set(states) != set(table.states[after]):
        raise ProbabilityError(
            f"{after!r} has the states {quoted_list(table.states[after])}, "
            f"{now!r} {quoted_list(states)}: a chain has the same before and "
            f"after."
        )
    table = table.with_states({after: states})
    return table.transpose(now, after).values, states


def _as_array(states):
    """Return the states as an array, tuples as they are."""
    column = np.empty(len(states), dtype=object)
    for i, state in enumerate(states):
        column[i] = state
    return pd.Series(column).infer_objects().to_numpy()


def _length(matrix):
    try:
        return len(matrix)
    except TypeError:
        raise ProbabilityError(
            f"The matrix is {matrix!r}; give a list of rows, each the "
            "distribution of the next state."
        ) from None


def by_state(distribution, what="The distribution"):
    """Return a distribution as a dictionary from states to numbers."""
    if isinstance(distribution, Table):
        if len(distribution.variables) != 1 or distribution.conditions:
            raise ProbabilityError(
                f"{distribution.title} is not the distribution of one "
                f"variable."
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
        raise ProbabilityError(
            f"{what} is {distribution!r}; give a table, a dictionary or a "
            "sequence of probabilities."
        )
    return dict(enumerate(distribution))


# --- Numbers --------------------------------------------------------------


def rescaled(values):
    """Take out of floats what rounding has added to their sum of one."""
    if values.dtype == object:
        return values
    totals = values.sum(axis=-1, keepdims=True)
    close = np.abs(totals - 1) <= FLOAT_TOLERANCE
    return np.where(close, values / np.where(close, totals, 1), values)


def _eliminated(matrix):
    """Solve π = π P by elimination of the last state, and the last, and so on.

    The chain that is watched only while it is in the other states has the
    same stationary distribution up to a factor, and needs no subtraction.
    """
    given, matrix = matrix, matrix.copy()
    distribution = matrix[0] * 0 + 1
    leaving = distribution.copy()
    with np.errstate(all="ignore"):
        for last in range(len(matrix) - 1, 0, -1):
            # What leaves the last state, in place of 1 minus what stays.
            leaving[last] = matrix[last, :last].sum()
            matrix[:last, last] /= leaving[last]
            matrix[:last, :last] += np.multiply.outer(
                matrix[:last, last], matrix[last, :last]
            )
        for state in range(1, len(matrix)):
            distribution[state] = distribution[:state] @ matrix[:state, state]
    if matrix.dtype == object or _is_safe(
        np.concatenate([distribution, leaving])
    ):
        return distribution / distribution.sum()
    return _eliminated_by_logarithms(given)


def _is_safe(numbers):
    """Return whether what is too small for a float is nothing beside these."""
    return ((numbers > _SMALL) & (numbers < 1 / _SMALL)).all()


def _eliminated_by_logarithms(matrix):
    """Do the same for numbers of any size."""
    with np.errstate(divide="ignore"):
        logs = np.log(matrix)
    for last in range(len(matrix) - 1, 0, -1):
        logs[:last, last] -= np.logaddexp.reduce(logs[last, :last])
        # Only where one can come from, and go to.
        before = np.flatnonzero(logs[:last, last] > -np.inf)
        after = np.flatnonzero(logs[last, :last] > -np.inf)
        around = np.ix_(before, after)
        logs[around] = np.logaddexp(
            logs[around],
            np.add.outer(logs[before, last], logs[last, after]),
        )
    distribution = np.zeros(len(matrix))
    for state in range(1, len(matrix)):
        distribution[state] = np.logaddexp.reduce(
            distribution[:state] + logs[:state, state]
        )
    return np.exp(distribution - np.logaddexp.reduce(distribution))


def _period(graph, root):
    """Return the period of a strongly connected graph."""
    depth = nx.single_source_shortest_path_length(graph, root)
    return gcd(*(depth[u] + 1 - depth[v] for u, v in graph.edges))


def _sets(classes):
    return " or ".join(f"{{{quoted_list(own.states)}}}" for own in classes)


def _short(number):
    return show(number) if isinstance(number, Fraction) else f"{number:.4g}"
