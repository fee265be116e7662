"""The graph and the tables of a Bayesian network, without its queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import networkx as nx
import numpy as np

from bayesbook.base.numbers import as_floats, logs_of
from bayesbook.graphs import (
    Independence,
    graph_of,
    local_markov,
    markov_blanket,
)
from bayesbook.network._model_tables import canonical, read_tables
from bayesbook.network.evidence import require_node
from bayesbook.probability import Table
from bayesbook.probability.table import State

# Smaller floats have fewer digits.
_NORMAL = np.finfo(float).tiny


class TabularNetwork:
    """A directed acyclic graph with a conditional table for each node.

    What inference needs of a
    :class:`~bayesbook.network.BayesianNetwork`, which answers queries besides.
    """

    __slots__ = (
        "__weakref__",
        "_codes",
        "_compiled",
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
    _compiled: list

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
        # Filled by the first query.
        put("_compiled", [])

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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TabularNetwork):
            return NotImplemented
        return self._tables.keys() == other._tables.keys() and all(
            table == other._tables[node]
            for node, table in self._tables.items()
        )

    def __hash__(self) -> int:
        return hash(frozenset(self._tables.items()))

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
    if not isinstance(network, TabularNetwork):
        raise TypeError(
            f"{network!r} is not a BayesianNetwork; load_network(name) loads "
            "one that comes with the library."
        )


def _rebuild(cls, tables, name):
    return cls(tables, name=name)
