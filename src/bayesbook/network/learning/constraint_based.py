"""The PC algorithm: learn a graph from tests of independence.

If two nodes of a DAG are not adjacent, some set of nodes d-separates them,
and one of their sets of parents does. So the graph can be learned from
independences: an edge is deleted as soon as its ends are independent given
some of their neighbours, and two edges a - c - b without an edge a - b meet
as a → c ← b exactly if c was not in the set that separates a and b. Meek's
rules direct what then follows.

>>> from bayesbook.graphs import parse
>>> run = pc(parse("Cloudy -> Rain -> Wet <- Sprinkler <- Cloudy"))
>>> print(*run.separations, sep="; ")
Rain ⊥ Sprinkler | Cloudy; Cloudy ⊥ Wet | Rain, Sprinkler
>>> sorted(run.arrows), run.undirected
([('Rain', 'Wet'), ('Sprinkler', 'Wet')], [('Cloudy', 'Rain'), \
('Cloudy', 'Sprinkler')])

References
----------
Spirtes, Glymour and Scheines (2000), *Causation, Prediction, and Search*,
section 5.4. Colombo and Maathuis (2014), Order-independent constraint-based
causal structure learning. Meek (1995), Causal inference and causal
explanation with background knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, count
from typing import Any

import networkx as nx

from bayesbook.base import ProbabilityError
from bayesbook.base.names import pluralise
from bayesbook.base.numbers import as_float, as_int
from bayesbook.graphs import (
    Independence,
    apply_meek_rules,
    consistent_extension,
    d_separated,
)
from bayesbook.graphs.node_sets import sorted_nodes
from bayesbook.network.learning.independence_tests import (
    compare_counts,
    count_slices,
    read_statistic,
)
from bayesbook.network.learning.parameters import (
    Data,
    GraphLike,
    States,
    Weights,
    read_graph,
    read_rows,
)
from bayesbook.network.model import BayesianNetwork

__all__ = ["ConstraintRun", "pc"]

Separated = Callable[[str, str, tuple[str, ...]], bool]
Edge = tuple[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class ConstraintRun:
    """What the PC algorithm found, and the independences that it used.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> run = pc(parse("A -> C <- B"))
    >>> run
    ConstraintRun of 3 nodes: 2 arrows, 0 edges without direction, 5 tests
    >>> run.dag().edges
    OutEdgeView([('A', 'C'), ('B', 'C')])
    """

    #: The graph; an edge without direction is stored in both directions.
    graph: nx.DiGraph
    #: An independence for each deleted edge, in the order of the deletions.
    separations: tuple[Independence, ...]
    #: Edges that different v-structures would direct in both directions: a
    #: contradiction, that of no DAG. They stay without direction, unless
    #: Meek's rules direct them.
    conflicts: tuple[Edge, ...]
    #: How many independences were asked for.
    n_tests: int

    @property
    def arrows(self) -> list[Edge]:
        """The edges with a direction, as pairs of tail and head."""
        free = {*self.undirected}
        return [
            edge for edge in self.graph.edges if not {edge, edge[::-1]} & free
        ]

    @property
    def undirected(self) -> list[Edge]:
        """The edges without a direction, each once."""
        return [
            edge
            for edge in combinations(self.graph, 2)
            if self.graph.has_edge(*edge) and self.graph.has_edge(*edge[::-1])
        ]

    def dag(self) -> nx.DiGraph:
        """Return a DAG with these edges, arrows and v-structures.

        Returns
        -------
        networkx.DiGraph

        Raises
        ------
        GraphError
            If there is none: with few rows the independences that were found
            may be those of no DAG.

        Examples
        --------
        >>> from bayesbook.graphs import parse
        >>> list(pc(parse("A -> B -> C")).dag().edges)
        [('A', 'B'), ('B', 'C')]
        """
        return consistent_extension(self.graph)

    def __repr__(self) -> str:
        return (
            f"ConstraintRun of {pluralise(len(self.graph), 'node')}: "
            f"{pluralise(len(self.arrows), 'arrow')}, "
            f"{pluralise(len(self.undirected), 'edge')} without direction, "
            f"{pluralise(self.n_tests, 'test')}"
        )


def pc(
    data: Data | GraphLike,
    *,
    alpha: float = 0.01,
    statistic: str = "G",
    max_given: int | None = None,
    states: States | None = None,
    weights: Weights | None = None,
) -> ConstraintRun:
    """Learn a graph from tests of independence, by the PC algorithm.

    All pairs are adjacent at first. For sets of 0, 1, 2, … columns each
    adjacent pair is tested given each such set of neighbours of one of the
    two, and the edge deleted at the first independence. The neighbours are
    those before the sets of this size (PC-stable), and names come in
    alphabetical order, so that the order of the columns plays no role. Then
    edges get directions, see the module.

    Given a graph in place of data, its d-separations answer in place of
    tests. Then the result is the CPDAG of its class (Spirtes, Glymour and
    Scheines 2000). With data it is that with a probability that tends to 1,
    if the distribution has the independences of a DAG and no others, the
    number of rows grows, and `alpha` falls slowly enough.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, or iterable of DataFrames
        Discrete columns without missing values; or a graph: a
        networkx.DiGraph, a BayesianNetwork, or a text for
        :func:`bayesbook.graphs.parse`.
    alpha : float
        An independence is believed if its p-value is larger than this number
        between 0 and 1.
    statistic : {"G", "chi-squared"}
        See :func:`independence_test`.
    max_given : int, optional
        The size of the largest set that is conditioned on; by default no
        limit.
    states, weights
        See :func:`independence_test`.

    Returns
    -------
    ConstraintRun

    Raises
    ------
    TypeError, ProbabilityError, TableTooLargeError
        As for :func:`independence_test`; or if `alpha` or `max_given` is out
        of range.
    GraphError
        If the graph is no DAG.

    See Also
    --------
    equivalence_search : searches the same graphs by a score.
    bayesbook.graphs.cpdag : the class of a DAG.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> rows = load_network("earthquake").sample(5_000, rng=1)
    >>> run = pc(rows)
    >>> for edge in run.arrows:
    ...     print(*edge, sep=" → ")
    Alarm → JohnCalls
    Alarm → MaryCalls
    Burglary → Alarm
    Earthquake → Alarm
    """
    if isinstance(data, (str, nx.Graph, BayesianNetwork)):
        graph, _ = read_graph(data)
        names, separated = graph.nodes, _in_graph(graph)
    else:
        alpha = as_float(alpha, "alpha", 0)
        if not 0 < alpha < 1:
            raise ProbabilityError(
                f"alpha must be larger than 0 and smaller than 1, not {alpha}."
            )
        cases = read_rows(data, states, weights)
        compare = read_statistic(statistic)
        names = cases.names

        def separated(a: str, b: str, given: tuple[str, ...]) -> bool:
            counts = count_slices(cases, a, b, given)
            return compare_counts(counts, compare).p_value > alpha

    if max_given is not None:
        max_given = as_int(max_given, "max_given", 0)
    edges, separations, n_tests = _find_edges(names, separated, max_given)
    partial, conflicts = _direct(edges, separations)
    return ConstraintRun(
        nx.freeze(apply_meek_rules(partial)),
        tuple(separations.values()),
        conflicts,
        n_tests,
    )


def _in_graph(graph: nx.DiGraph) -> Separated:
    return lambda a, b, given: d_separated(graph, a, b, given)


def _find_edges(
    names, separated: Separated, max_given: int | None
) -> tuple[nx.Graph, dict[Edge, Independence], int]:
    """Remove edges; return the graph, what separates pairs, and n_tests."""
    graph = nx.complete_graph(sorted_nodes(names))
    separations: dict[Edge, Independence] = {}
    n_tests = 0
    for size in count():
        before = {node: sorted_nodes(graph[node]) for node in graph}
        largest = max(map(len, before.values()), default=0) - 1
        if size > largest or (max_given is not None and size > max_given):
            return graph, separations, n_tests
        for a, b in _sorted_edges(graph):
            for given in _neighbour_sets(before, a, b, size):
                n_tests += 1
                if separated(a, b, given):
                    graph.remove_edge(a, b)
                    separations[a, b] = Independence((a,), (b,), given)
                    break
    raise AssertionError  # count() does not end


def _sorted_edges(graph: nx.Graph) -> list[Edge]:
    """Return the edges by their names, each with the first name first."""
    return [edge for edge in combinations(graph, 2) if graph.has_edge(*edge)]


def _neighbour_sets(
    neighbours: Mapping[Any, Sequence[Any]], a: str, b: str, size: int
) -> Iterator[tuple[str, ...]]:
    """Yield the sets of neighbours of a, and then those of b, each once."""
    of_a, of_b = (
        combinations([c for c in neighbours[node] if c not in (a, b)], size)
        for node in (a, b)
    )
    return iter(dict.fromkeys(chain(of_a, of_b)))


def _direct(
    edges: nx.Graph, separations: dict[Edge, Independence]
) -> tuple[nx.DiGraph, tuple[Edge, ...]]:
    """Direct the v-structures; return the graph, and what contradicts."""
    arrows = {
        (tail, c)
        for (a, b), separation in separations.items()
        for c in nx.common_neighbors(edges, a, b)
        if c not in separation.given
        for tail in (a, b)
    }
    conflicts = tuple(
        (a, b) for a, b in _sorted_edges(edges) if {(a, b), (b, a)} <= arrows
    )
    partial = edges.to_directed()
    partial.remove_edges_from(
        (head, tail) for tail, head in arrows if (head, tail) not in arrows
    )
    return partial, conflicts
