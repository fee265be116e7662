r"""Bayesian networks: a graph, and a table of each node given its parents.

.. math:: P(x_1, \dots, x_n)
    = \prod_{i=1}^n P\bigl(x_i \mid x_{\mathrm{pa}(i)}\bigr)

>>> sprinkler = BayesianNetwork.from_cpts(
...     {"rain": ("no", "yes"), "sprinkler": ("off", "on"),
...      "grass": ("dry", "wet")},
...     {"rain": ["4/5", "1/5"],
...      ("sprinkler", "rain"): [["3/5", "2/5"], ["9/10", "1/10"]],
...      ("grass", "rain", "sprinkler"): [[[1, 0], ["1/10", "9/10"]],
...                                       [["1/5", "4/5"], [0, 1]]]},
...     name="lawn",
... )
>>> sprinkler
BayesianNetwork 'lawn': 3 nodes, 3 edges, 7 free parameters
P(rain)
P(sprinkler | rain)
P(grass | rain, sprinkler)
>>> print(sprinkler.P({"rain": "no", "sprinkler": "on", "grass": "wet"}))
36/125

The definitions are those of Pearl (1988), section 3.3, and of Koller and
Friedman (2009), chapter 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from math import prod
from types import MappingProxyType
from typing import Any, Self

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook.base import GraphError, ProbabilityError, TableTooLargeError
from bayesbook.base.labels import read_states, require_size
from bayesbook.base.names import and_list, did_you_mean, pluralise, quoted_list
from bayesbook.base.numbers import as_floats, as_int, logs_of
from bayesbook.base.randomness import as_rng
from bayesbook.graphs import (
    Independence,
    chain_rule,
    graph_of,
    local_markov,
    markov_blanket,
)
from bayesbook.graphs.factorisation import draw_codes
from bayesbook.network._model_tables import canonical, read_tables
from bayesbook.network.ancestral import frame_of, require_draws
from bayesbook.network.evidence import (
    read_assignment,
    read_columns,
    require_node,
)
from bayesbook.probability import MAX_BYTES, Table
from bayesbook.probability.table import State

__all__ = ["BayesianNetwork"]

# How many factors are shown of a large network.
_SHOWN = 12
# Smaller floats have fewer digits.
_NORMAL = np.finfo(float).tiny


class BayesianNetwork:
    """A directed acyclic graph with a conditional table for each node.

    Parameters
    ----------
    tables : iterable of Table
        One for each node, in any order: P(node), or P(node | parents). The
        graph is read off them.
    name : str
        A label for readers.

    Raises
    ------
    TypeError
        If something else than tables is given.
    ProbabilityError
        If there is no table, a table has several variables in front of its
        bar or is a distribution given evidence, a node has two tables or none,
        or the states of a parent are not those that its own table has.
    GraphError
        If the tables are conditioned on each other in a circle.

    See Also
    --------
    BayesianNetwork.from_cpts : from states and nested lists.
    bayesbook.network.load_network : networks that come with the library.

    Notes
    -----
    A network cannot be changed. Two networks are equal if they have the same
    nodes and equal tables, whatever their names and orders are.

    Examples
    --------
    >>> rain = Table(["4/5", "1/5"], {"rain": ("no", "yes")})
    >>> street = Table(
    ...     [["9/10", "1/10"], [0, 1]],
    ...     {"rain": ("no", "yes"), "street": ("dry", "wet")},
    ...     given=["rain"],
    ... )
    >>> network = BayesianNetwork([rain, street], name="street")
    >>> network
    BayesianNetwork 'street': 2 nodes, 1 edge, 3 free parameters
    P(rain)
    P(street | rain)
    >>> print(network.P({"rain": "no", "street": "wet"}))
    2/25
    """

    __slots__ = (
        "__weakref__",
        "_codes",
        "_floats",
        "_graph",
        "_name",
        "_nodes",
        "_order",
        "_parents",
        "_states",
        "_tables",
    )
    _name: str
    _nodes: tuple[str, ...]
    _order: tuple[str, ...]
    _states: Mapping[str, tuple[State, ...]]
    _tables: Mapping[str, Table]
    _parents: dict[str, tuple[str, ...]]
    _graph: nx.DiGraph
    _codes: dict[str, dict[State, int]]
    _floats: list

    def __init__(self, tables: Iterable[Table], *, name: str = ""):
        tables = read_tables(tables)
        graph = graph_of(tables)
        states = {t.targets[0]: t.states[t.targets[0]] for t in tables}
        by_node = {t.targets[0]: canonical(t, states) for t in tables}
        put = super().__setattr__
        put("_name", str(name))
        put("_nodes", tuple(states))
        put("_states", MappingProxyType(states))
        put("_tables", MappingProxyType(by_node))
        put("_parents", {node: t.conditions for node, t in by_node.items()})
        put("_graph", nx.freeze(graph))
        put("_order", tuple(nx.topological_sort(graph)))
        put("_codes", {})
        put("_floats", [])

    @classmethod
    def from_cpts(
        cls,
        states: Mapping[str, Sequence[State]],
        cpts: Mapping[str | tuple[str, ...], Sequence | np.ndarray],
        *,
        name: str = "",
    ) -> Self:
        """Build a network from states and nested lists of numbers.

        Parameters
        ----------
        states : mapping of node to sequence of states
            A text such as "HT" stands for its letters, unless it is a word.
        cpts : mapping
            The key of a node without parents is its name, that of another
            the tuple of the node and its parents. The axes of the numbers
            are the parents in this order, and then the node, so that each
            innermost list sums to one.
        name : str

        Returns
        -------
        BayesianNetwork
            Its nodes are in the order of `states`.

        Raises
        ------
        TypeError
            If `cpts` is not a mapping.
        ProbabilityError, GraphError
            As for the tables and the network; and if a node of `states` has
            no numbers, or numbers are about a node without states.

        Examples
        --------
        >>> copy = BayesianNetwork.from_cpts(
        ...     {"X": (0, 1), "Y": (0, 1)},
        ...     {"X": [0.5, 0.5], ("Y", "X"): [[1, 0], [0, 1]]},
        ... )
        >>> copy.parents("Y")
        ('X',)
        """
        states = read_states(states)
        if not isinstance(cpts, Mapping):
            raise TypeError(
                "Give the numbers as a dictionary from a node, or the tuple "
                f"of a node and its parents, to nested lists, not {cpts!r}."
            )
        tables = {}
        for key, values in cpts.items():
            if not isinstance(key, str | tuple) or not key:
                raise ProbabilityError(
                    f"The key {key!r} names no node; write 'X', or "
                    "('X', 'parent', ...)."
                )
            node, *parents = (key,) if isinstance(key, str) else key
            for one in (node, *parents):
                if one not in states:
                    raise ProbabilityError(
                        f"The table of {key!r} needs the states of {one!r}; "
                        f"there are states for {quoted_list(states)}."
                        f"{did_you_mean(one, states)}"
                    )
            if node in tables:
                raise ProbabilityError(f"There are two tables for {node!r}.")
            if node in parents:
                raise GraphError(f"{node!r} is a parent of itself.")
            axes = {one: states[one] for one in (*parents, node)}
            if len(axes) <= len(parents):
                raise ProbabilityError(
                    f"The table of {key!r} names a parent twice."
                )
            try:
                tables[node] = Table(values, axes, given=parents)
            except TableTooLargeError:
                raise
            except ProbabilityError as error:
                raise ProbabilityError(
                    f"The table of {node!r}: {error}"
                ) from None
        for node in states:
            if node not in tables:
                raise ProbabilityError(
                    f"There is no table for {node!r}; give cpts[{node!r}], "
                    f"or cpts[({node!r}, ...)] with its parents."
                )
        return cls((tables[node] for node in states), name=name)

    def replace(self, *tables: Table, name: str | None = None) -> Self:
        """Return a network in which some nodes have another table.

        Parameters
        ----------
        *tables : Table
            The new P(node | parents); the parents may be others.
        name : str, optional

        Returns
        -------
        BayesianNetwork

        Raises
        ------
        TypeError, ProbabilityError, GraphError
            As for the network; and if the target of a table is not one of its
            nodes.

        Examples
        --------
        >>> coin = BayesianNetwork([Table([0.5, 0.5], {"coin": "HT"})])
        >>> bent = coin.replace(Table([0.9, 0.1], {"coin": "HT"}))
        >>> print(bent.P({"coin": "H"}))
        0.9
        """
        new = {}
        for table in read_tables(tables) if tables else ():
            node = table.targets[0]
            require_node(self, node)
            if node in new:
                raise ProbabilityError(f"There are two tables for {node!r}.")
            new[node] = table
        name = self._name if name is None else name
        return type(self)({**self._tables, **new}.values(), name=name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            "A network cannot be changed: make a new one, with .replace(...)."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), tuple(self._tables.values()), self._name)

    # -- the graph --------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of the network."""
        return self._name

    @property
    def nodes(self) -> tuple[str, ...]:
        """The variables, in the order in which their tables were given."""
        return self._nodes

    @property
    def order(self) -> tuple[str, ...]:
        """The variables, parents before their children."""
        return self._order

    @property
    def states(self) -> Mapping[str, tuple[State, ...]]:
        """The states of every node."""
        return self._states

    @property
    def tables(self) -> Mapping[str, Table]:
        """The table of every node; its axes are the parents, then the node."""
        return self._tables

    @property
    def graph(self) -> nx.DiGraph:
        """The graph, which cannot be changed; ``graph.copy()`` can."""
        return self._graph

    @property
    def is_exact(self) -> bool:
        """Whether all probabilities are fractions."""
        return all(table.is_exact for table in self._tables.values())

    @property
    def n_parameters(self) -> int:
        """The number of free parameters of all tables.

        Each distribution has one fewer than it has states.
        """
        return sum(
            table.values.size
            // len(self._states[node])
            * (len(self._states[node]) - 1)
            for node, table in self._tables.items()
        )

    def parents(self, node: str) -> tuple[str, ...]:
        """Return the parents of a node, in the order of its table.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> load_network("asia").parents("dysp")
        ('bronc', 'either')
        """
        require_node(self, node)
        return self._parents[node]

    def children(self, node: str) -> tuple[str, ...]:
        """Return the children of a node.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> load_network("asia").children("smoke")
        ('lung', 'bronc')
        """
        require_node(self, node)
        return self._sorted(self._graph.succ[node])

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """Return the parents, the children and the children's other parents.

        Given these the node is independent of all others (Pearl 1988).

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> load_network("asia").markov_blanket("lung")
        ('tub', 'smoke', 'either')
        """
        require_node(self, node)
        return self._sorted(markov_blanket(self._graph, node))

    def independences(self) -> list[Independence]:
        """List the local Markov statements, from which all others follow.

        See :func:`bayesbook.graphs.local_markov`;
        ``bayesbook.graphs.independences(network.graph)`` lists all
        d-separations of a small graph.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> print(load_network("asia").independences()[0])
        asia ⊥ bronc, lung, smoke
        """
        return local_markov(self._graph)

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __contains__(self, node: object) -> bool:
        return isinstance(node, str) and node in self._states

    # -- probabilities ----------------------------------------------------

    def P(  # noqa: N802 (the name that the field gives it)
        self, assignment: Mapping[str, State]
    ) -> Fraction | float:
        """Return the joint probability of a state for every node.

        Parameters
        ----------
        assignment : mapping of node to state
            Complete.

        Returns
        -------
        Fraction or float
            The product of one number of each table; exact if the tables are.

        Raises
        ------
        TypeError
            If the assignment is not a mapping.
        ProbabilityError
            If a node or a state is unknown, or a node has no state.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = load_network("asia")
        >>> print(asia.P(dict.fromkeys(asia.nodes, "no")))
        1161447903/4000000000
        """
        codes = read_assignment(self, assignment)
        return prod(
            (
                table.values[tuple(codes[name] for name in table.variables)]
                for table in self._tables.values()
            ),
            start=Fraction(1),
        )

    def log_prob(self, rows: pd.DataFrame | Mapping) -> np.ndarray | float:
        """Return the logarithm of the joint probability of complete rows.

        Parameters
        ----------
        rows : DataFrame, or mapping of node to state
            A column of states for each node; one row if it is a mapping, or
            a row of a frame.

        Returns
        -------
        array of shape (n_rows,), or float
            Minus infinity where the probability is zero.

        Raises
        ------
        TypeError
            If `rows` is neither a data frame nor a mapping.
        ProbabilityError
            If a column is missing or is not a node, or a value is missing or
            is not a state of it. For rows with missing values there is
            :meth:`bayesbook.network.JunctionTree.batch`.

        Examples
        --------
        >>> coin = BayesianNetwork([Table([0.25, 0.75], {"coin": "HT"})])
        >>> coin.log_prob(pd.DataFrame({"coin": ["H", "T"]})).round(4)
        array([-1.3863, -0.2877])
        """
        if not isinstance(rows, pd.DataFrame | pd.Series | Mapping):
            raise TypeError(
                "Give a data frame, or a dictionary of one state for each "
                f"node, not {type(rows).__name__}."
            )
        if not isinstance(rows, pd.DataFrame):
            row = read_assignment(self, rows)
            codes = {name: np.array([code]) for name, code in row.items()}
            return float(self._log_prob(codes, 1)[0])
        codes = read_columns(self, rows, complete=True)
        return self._log_prob(codes, len(rows))

    def _log_prob(self, codes, n_rows):
        total = np.zeros(n_rows)
        for table in self._tables.values():
            cell = np.zeros(n_rows, dtype=np.intp)
            for name, size in zip(table.variables, table.shape, strict=True):
                cell *= size
                cell += codes[name]
            total += logs_of(table.values).ravel()[cell]
        return total

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> pd.DataFrame:
        """Draw rows, each node after its parents: ancestral sampling.

        Parameters
        ----------
        size : int
            How many rows.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        DataFrame, `size` rows
            A categorical column for each node, with all its states.

        Raises
        ------
        ProbabilityError
            If `size` is not a whole number, at least 0.
        TableTooLargeError
            If the draws would need more than `MAX_BYTES`.

        Examples
        --------
        >>> coin = BayesianNetwork([Table([0.25, 0.75], {"coin": "HT"})])
        >>> print(coin.sample(10_000, rng=1)["coin"].value_counts()["T"])
        7509
        """
        size = as_int(size, "The number of rows", 0)
        rng = as_rng(rng)
        # Of the type that pandas stores, so that it need not copy.
        dtype = np.min_scalar_type(-max(map(len, self._states.values())))
        # The codes; and the floats and integers that drawing a node needs.
        row = len(self) * dtype.itemsize + 5 * 8
        require_draws(size, len(self), size * row, "Draw fewer rows.")
        codes: dict[str, np.ndarray] = {}
        for node in self._order:
            drawn = draw_codes(self._tables[node], codes, size, rng)
            codes[node] = drawn[node].astype(dtype)
        in_order = {node: codes[node] for node in self._nodes}
        return frame_of(self._states, in_order)

    def to_table(self, *, max_bytes: int = MAX_BYTES) -> Table:
        """Return the joint distribution of a small network as one table.

        Parameters
        ----------
        max_bytes : int
            A larger table is refused.

        Returns
        -------
        Table
            With the nodes as axes, in their order.

        Raises
        ------
        TableTooLargeError
            If the table would need more than `max_bytes`.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> load_network("five").to_table().shape
        (2, 2, 2, 2, 2)
        """
        shape = [len(states) for states in self._states.values()]
        require_size(
            shape,
            "fraction" if self.is_exact else "float",
            "The joint table",
            max_bytes,
            "Compute what you need with a JunctionTree.",
        )
        tables = (self._tables[node] for node in self._order)
        joint = chain_rule(tables, max_bytes=max_bytes)
        return joint.transpose(*self._nodes)

    # -- as text ----------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        return self._tables.keys() == other._tables.keys() and all(
            table == other._tables[node]
            for node, table in self._tables.items()
        )

    def __hash__(self) -> int:
        return hash(frozenset(self._tables.items()))

    def _summary(self):
        named = f" {self._name!r}" if self._name else ""
        counts = (
            pluralise(len(self), "node"),
            pluralise(self._graph.number_of_edges(), "edge"),
            pluralise(self.n_parameters, "free parameter"),
        )
        return f"BayesianNetwork{named}: {', '.join(counts)}"

    def __repr__(self) -> str:
        lines = [table.title for table in self._tables.values()]
        if len(lines) > _SHOWN:
            lines[_SHOWN:] = [f"... and {len(lines) - _SHOWN} more"]
        return "\n".join([self._summary(), *lines])

    def _repr_html_(self) -> str:
        rows = [
            f'<tr><th scope="row">{escape(node)}</th>'
            f"<td>{escape(_first_names(self._parents[node]))}</td>"
            f"<td>{escape(_first_names(self._states[node]))}</td>"
            f"<td>{table.values.size}</td></tr>"
            for node, table in list(self._tables.items())[:_SHOWN]
        ]
        cut = len(self) - len(rows)
        titles = ("Node", "Parents", "States", "Probabilities")
        return "\n".join(
            [
                '<table class="dataframe bayesian-network">',
                f"<caption>{escape(self._summary())}</caption>",
                "<thead><tr>",
                *(f'<th scope="col">{title}</th>' for title in titles),
                "</tr></thead>",
                "<tbody>",
                *rows,
                "</tbody></table>",
                *(
                    [f"<p>... and {pluralise(cut, 'more node')}</p>"]
                    if cut
                    else []
                ),
            ]
        )

    # -- helpers ----------------------------------------------------------

    def _sorted(self, nodes):
        nodes = set(nodes)
        return tuple(node for node in self._nodes if node in nodes)

    def _arrays(self):
        """Return the numbers of every table as floats, converted only once."""
        if not self._floats:
            tables = self._tables.values()
            arrays = [as_floats(table.values) for table in tables]
            is_beyond = any(
                table.is_exact and ((array > 0) & (array < _NORMAL)).any()
                for table, array in zip(tables, arrays, strict=True)
            )
            self._floats.extend([arrays, is_beyond])
        return self._floats[0]

    @property
    def _is_beyond_floats(self):
        """Whether there is a fraction so small that a float loses digits."""
        self._arrays()
        return self._floats[1]

    def _log_arrays(self):
        """Return the logarithms of the numbers of every table."""
        return [logs_of(table.values) for table in self._tables.values()]

    def _code(self, node):
        """Return the number of each state of a node."""
        if node not in self._codes:
            states = self._states[node]
            self._codes[node] = {state: i for i, state in enumerate(states)}
        return self._codes[node]


def require_network(network: object) -> None:
    """Raise an error unless this is a network."""
    if not isinstance(network, BayesianNetwork):
        raise TypeError(
            f"{network!r} is not a BayesianNetwork; load_network(name) loads "
            "one that comes with the library."
        )


def _rebuild(cls, tables, name):
    return cls(tables, name=name)


def _first_names(words, most=6):
    """List names without quotes, the first of them if there are many."""
    words = [str(word) for word in words]
    if len(words) <= most:
        return and_list(words) if words else "none"
    return f"{', '.join(words[:most])}, … ({len(words)})"
