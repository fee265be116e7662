"""Markov chains on finitely many states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import networkx as nx
import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import label_array, unknown
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import FLOAT_TOLERANCE, as_float, as_int
from bayesbook.base.randomness import as_rng
from bayesbook.mcmc.chain_properties import (
    CommunicatingClass,
    DetailedBalance,
    class_list,
    period_of,
)
from bayesbook.mcmc.distributions import (
    Distribution,
    State,
    by_state,
    rescaled,
)
from bayesbook.mcmc.stationary import stationary_distribution
from bayesbook.probability import Table

# The most steps after which a mixing time is still searched for.
_LONGEST = 2**60


class MarkovChain:
    r"""A Markov chain on finitely many states, immutable.

    Parameters
    ----------
    matrix : nested sequence, array or Table
        Row i is the distribution of the next state when the present one is i.
        With integers, fractions, decimals or strings such as ``"1/3"`` the
        chain is exact. A table has one variable before the bar and one
        after it, with the same states.
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
        appears twice.
    TypeError
        If the matrix is neither a table nor a sequence of rows.
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

    table: Table

    def __init__(
        self,
        matrix: Sequence | np.ndarray | Table,
        states: Sequence[State] | None = None,
    ):
        if isinstance(matrix, Table):
            rows, states = _of_table(matrix, states)
        else:
            rows = matrix
        if states is None:
            states = range(_length(rows))
        both = {"now": states, "next": states}
        self.__dict__["table"] = Table(rows, both, given="now")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A chain cannot be changed: make a new one.")

    # -- properties -------------------------------------------------------

    @property
    def states(self) -> tuple[State, ...]:
        """The states, in the order of the rows."""
        return self.table.states["now"]

    @property
    def matrix(self) -> np.ndarray:
        """The transition probabilities, a read-only array."""
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
            sorted(component, key=place.__getitem__)
            for component in nx.strongly_connected_components(self.graph)
        ]
        return tuple(
            CommunicatingClass(
                tuple(states),
                not any(True for _ in nx.edge_boundary(self.graph, states)),
                period_of(self.graph.subgraph(states), states[0]),
            )
            for states in sorted(components, key=lambda s: place[s[0]])
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
                f"of states; the classes are {class_list(self.classes)}."
            )
        return self.classes[0].period

    @cached_property
    def second_eigenvalue(self) -> float:
        """The second largest modulus of an eigenvalue of the matrix.

        Its powers are the rate at which an irreducible, aperiodic chain
        converges to the stationary distribution; it is 0 for a chain with a
        single state.
        """
        moduli = np.abs(np.linalg.eigvals(self.matrix.astype(float)))
        return float(np.sort(moduli)[-2]) if len(moduli) > 1 else 0.0

    @cached_property
    def contraction(self) -> Fraction | float:
        r"""Dobrushin's coefficient, the largest distance between two rows.

        .. math:: \delta(P) = \max_{i, k} \| P(i, \cdot) - P(k, \cdot) \|

        in total variation: a step reduces the distance of any two
        distributions at least by this factor.
        """
        rows = self.matrix
        return max(abs(rows - row).sum(axis=1).max() for row in rows) / 2

    # -- distributions ----------------------------------------------------

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
            If it is not a distribution on the states, or `n` not a whole
            number.

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
        """Return the chain whose steps are `n` steps of this one.

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
        """Return the chain whose steps are a step of each, this one first.

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

        Examples
        --------
        >>> swap = MarkovChain([[0, 1], [1, 0]])
        >>> swap.then(MarkovChain([["1/3", "2/3"], [0, 1]]))
        MarkovChain P(next | now)
        now  next=0  next=1
        0         0       1
        1       1/3     2/3
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
            If there are several such distributions: one of each closed class
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
        closed = [c for c in self.classes if c.is_closed]
        if len(closed) > 1:
            raise ProbabilityError(
                "There are several stationary distributions, because the "
                f"chain never leaves {class_list(closed)}: make a chain of "
                "one of these sets."
            )
        rows = [self.states.index(state) for state in closed[0].states]
        distribution = self.matrix[0] * 0
        distribution[rows] = stationary_distribution(
            self.matrix[np.ix_(rows, rows)]
        )
        return self._table(distribution)

    def detailed_balance(
        self, distribution: Distribution | None = None
    ) -> DetailedBalance:
        r"""Return whether π(i) P(i, j) = π(j) P(j, i) for all states.

        A chain for which it holds is called reversible.

        Parameters
        ----------
        distribution : Table, mapping or sequence of numbers, optional
            The stationary distribution by default.

        Returns
        -------
        DetailedBalance
            True in an ``if`` when it holds: exactly, or of floats to 1e-9.

        Raises
        ------
        ProbabilityError
            If it is not a distribution on the states, or there are several
            stationary distributions.

        Examples
        --------
        >>> cycle = MarkovChain([[0, "2/3", "1/3"], ["1/3", 0, "2/3"],
        ...                      ["2/3", "1/3", 0]], "ABC")
        >>> print(cycle.detailed_balance())
        The flow from A to B is 2/9, and back 1/9.
        """
        if distribution is None:
            pi = self.stationary().values
        else:
            pi = self._distribution(distribution).values
        flow = pi[:, None] * self.matrix
        excess = flow - flow.T
        i, j = np.unravel_index(np.argmax(excess), excess.shape)
        tolerance = 0 if excess.dtype == object else FLOAT_TOLERANCE
        return DetailedBalance(
            bool(excess[i, j] <= tolerance),
            (self.states[i], self.states[j]),
            flow[i, j],
            flow[j, i],
        )

    def distances(self, n: int) -> np.ndarray:
        r"""Return how far the chain is from its stationary distribution.

        .. math:: d(t) = \max_i \| P^t(i, \cdot) - \pi \|, \quad t = 0, …, n

        Parameters
        ----------
        n : int
            How many steps, at least 0.

        Returns
        -------
        array, shape (n + 1,)
            Total variation distances from the worst start. They never
            increase.

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
        pi = self.stationary().values.astype(float)
        power, distances = np.eye(len(matrix)), []
        for _ in range(n + 1):
            distances.append(np.abs(power - pi).sum(axis=1).max() / 2)
            power = power @ matrix
        return np.array(distances)

    def mixing_time(self, epsilon: float = 0.25) -> int:
        """Return the number of steps after which the start hardly matters.

        Parameters
        ----------
        epsilon : float
            Between 0 and 1.

        Returns
        -------
        int
            The first time t at which the distribution of the state, from the
            worst start, is at most `epsilon` from the stationary one in total
            variation.

        Raises
        ------
        ProbabilityError
            If the distribution does not converge: there are several closed
            classes, or the closed one is periodic.

        Examples
        --------
        >>> MarkovChain([[0.9, 0.1], [0.4, 0.6]]).mixing_time(0.1)
        3
        """
        epsilon = as_float(epsilon, "epsilon", 0, 1, open_=True)
        pi = self.stationary().values.astype(float)
        period = next(c.period for c in self.classes if c.is_closed)
        if period > 1:
            raise ProbabilityError(
                f"The chain is periodic with period {period}: its "
                "distribution does not converge, so there is no mixing time."
            )

        def far(power):
            distance = np.abs(power - pi).sum(axis=1).max() / 2
            # Where rounding decides, equal counts as close enough.
            return distance > epsilon * (1 + FLOAT_TOLERANCE)

        # Powers P, P², P⁴, … until one is close. Then the last time at which
        # the chain is still far is composed of them, the largest first.
        powers, t = [self.matrix.astype(float)], 0
        before = np.eye(len(pi))
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
        start: Distribution,
        size: int,
        *,
        rng: np.random.Generator | int,
        n_chains: int | None = None,
    ) -> np.ndarray:
        """Draw paths of the chain.

        Parameters
        ----------
        start : state, Table or mapping, or a list of states
            The state in which all paths start; the distribution from which
            each start is drawn; or the start of each path.
        size : int
            How many steps, at least 0.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.
        n_chains : int, optional
            How many independent paths.

        Returns
        -------
        array, shape (size + 1,) or (n_chains, size + 1)
            The states, beginning with the start.

        Raises
        ------
        ProbabilityError
            If a start is not a state, or their number is not `n_chains`.

        Examples
        --------
        >>> chain = MarkovChain([[0.9, 0.1], [0.4, 0.6]], ["well", "ill"])
        >>> chain.simulate("well", 4, rng=7)
        array(['well', 'well', 'well', 'well', 'well'], dtype=object)
        >>> path = chain.simulate("ill", 10_000, rng=1)
        >>> print(f"{(path == 'ill').mean():.3f}")
        0.207
        """
        size = as_int(size, "The number of steps", 0)
        rng = as_rng(rng)
        m = 1 if n_chains is None else as_int(n_chains, "n_chains", 1)
        path = np.empty((size + 1, m), dtype=int)
        path[0] = self._starts(start, m, rng)
        steps = self.matrix.astype(float).cumsum(axis=1)
        # Exactly one at the end, or rounding could draw an impossible state.
        steps /= steps[:, -1:]
        for t in range(size):
            u = rng.random((m, 1))
            path[t + 1] = (u >= steps[path[t]]).sum(axis=1)
        drawn = label_array(self.states)[path.T]
        return drawn[0] if n_chains is None else drawn

    def _starts(self, start, m, rng):
        """Return the positions of the first states."""
        if self._is_state(start) or isinstance(start, Table | Mapping):
            p = self._distribution(start).values.astype(float)
            return rng.choice(len(p), size=m, p=p / p.sum())
        if isinstance(start, str) or not isinstance(start, Iterable):
            raise unknown(start, self.states, "The start")
        starts = [self._place(state, "The start") for state in start]
        if len(starts) != m:
            raise ProbabilityError(
                f"There are {len(starts)} starts for {m} chains."
            )
        return starts

    # -- representation ---------------------------------------------------

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
            f"{now!r} {quoted_list(states)}: a chain has the same states "
            "before and after a step."
        )
    table = table.with_states({after: states})
    return table.transpose(now, after).values, states


def _length(matrix):
    """Return the number of rows."""
    try:
        return len(matrix)
    except TypeError:
        raise TypeError(
            f"The matrix is {matrix!r}; give a list of rows, each the "
            "distribution of the next state."
        ) from None
