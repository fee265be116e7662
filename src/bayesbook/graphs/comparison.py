"""Comparing a learned graph with the true one, edge by edge.

References
----------
Tsamardinos, Brown, Aliferis (2006), The max-min hill-climbing Bayesian network
structure learning algorithm.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import networkx as nx

from bayesbook.base import GraphError
from bayesbook.base.names import alphabetical, and_list
from bayesbook.graphs.equivalence import consistent_extension, cpdag
from bayesbook.graphs.node_sets import Node, comma_list, sorted_nodes
from bayesbook.graphs.parsing import check_dag


class Edge(NamedTuple):
    """An edge of a partially directed graph.

    Parameters
    ----------
    tail, head : node
        If it has no direction, in alphabetical order.
    directed : bool
        Whether it is an arrow from `tail` to `head`.

    Examples
    --------
    >>> print(Edge("A", "B"), Edge("A", "B", directed=False), sep=", ")
    A → B, A – B
    """

    tail: Node
    head: Node
    directed: bool = True

    def __str__(self) -> str:
        return f"{self.tail} {'→' if self.directed else '–'} {self.head}"


@dataclass(frozen=True)
class Comparison:
    """The edges that a learned graph and the true one share, and the others.

    Parameters
    ----------
    found : tuple of Edge
        Edges that both graphs have, with the same direction or both without.
    missing : tuple of Edge
        Edges of the true graph between nodes that the learned one does not
        join.
    extra : tuple of Edge
        Edges of the learned graph between nodes that the true one does not
        join.
    misdirected : tuple of (Edge, Edge)
        Edges that both have, but with different directions, or only one of
        them with a direction: as learned, and as true.

    See Also
    --------
    compare : makes one of two graphs.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> comparison = compare(parse("A -> B, C"), parse("A -> B -> C"))
    >>> comparison.missing
    (Edge(tail='B', head='C', directed=False),)
    >>> comparison.distance, comparison.precision, comparison.recall
    (1, 1.0, 0.5)
    """

    found: tuple[Edge, ...]
    missing: tuple[Edge, ...]
    extra: tuple[Edge, ...]
    misdirected: tuple[tuple[Edge, Edge], ...]

    @property
    def distance(self) -> int:
        """The :func:`structural_hamming_distance` of the two graphs."""
        return len(self.missing) + len(self.extra) + len(self.misdirected)

    @property
    def precision(self) -> float:
        """The share of the learned edges that the true graph has, too.

        Directions play no role; nan if no edge was learned.
        """
        return self._share(len(self.extra))

    @property
    def recall(self) -> float:
        """The share of the true edges that were learned.

        Directions play no role; nan if the true graph has no edge.
        """
        return self._share(len(self.missing))

    def _share(self, others: int) -> float:
        """Return the share of the common edges among these and others."""
        common = len(self.found) + len(self.misdirected)
        return common / (common + others) if common + others else float("nan")

    def __str__(self) -> str:
        turned = [f"{own} for {true}" for own, true in self.misdirected]
        kinds: dict[str, Iterable[object]] = {
            "missing": self.missing,
            "extra": self.extra,
            "misdirected": turned,
        }
        words = [f"{len(self.found)} found"]
        for kind, edges in kinds.items():
            shown = list(edges)
            colon = f": {comma_list(shown)}" if shown else ""
            words.append(f"{len(shown)} {kind}{colon}")
        return "; ".join(words)


def compare(
    learned: nx.DiGraph, true: nx.DiGraph, *, classes: bool = True
) -> Comparison:
    """Compare a learned graph with the true one at each pair of nodes.

    Data cannot tell a graph from one that is Markov equivalent to it.
    Therefore the classes of the two graphs are compared, by their CPDAGs: an
    arrow that can be turned counts as an edge without direction.

    Parameters
    ----------
    learned, true : networkx.DiGraph
        DAGs, or CPDAGs such as :func:`cpdag` returns, over the same nodes.
    classes : bool
        If False, the arrows of two DAGs are compared as they stand.

    Returns
    -------
    Comparison
        Edges in alphabetical order.

    Raises
    ------
    TypeError
        If a graph is not a networkx.DiGraph.
    GraphError
        If a graph is neither a DAG nor a CPDAG, or if their nodes differ.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> learned = parse("B -> A, C -> D <- E, D -> F")
    >>> true = parse("A -> B -> C -> D <- E, F")
    >>> print(compare(learned, true))
    3 found; 1 missing: B – C; 1 extra: D → F; 0 misdirected
    >>> print(compare(learned, true, classes=False))
    2 found; 1 missing: B → C; 1 extra: D → F; 1 misdirected: B → A for A → B
    """
    learned = _cpdag_to_compare(learned, classes)
    true = _cpdag_to_compare(true, classes)
    if different := sorted_nodes(learned.nodes ^ true.nodes):
        raise GraphError(
            f"Only one of the graphs has the node {different[0]!r}: graphs "
            "are compared over the same nodes."
        )
    own, other = edges_of(learned), edges_of(true)
    common = [pair for pair in own if pair in other]
    return Comparison(
        found=tuple(own[p] for p in common if own[p] == other[p]),
        missing=tuple(other[pair] for pair in other if pair not in own),
        extra=tuple(own[pair] for pair in own if pair not in other),
        misdirected=tuple(
            (own[p], other[p]) for p in common if own[p] != other[p]
        ),
    )


def structural_hamming_distance(
    g: nx.DiGraph, h: nx.DiGraph, *, classes: bool = True
) -> int:
    """Count the pairs of nodes whose edges differ between two classes.

    This is how many edges of one CPDAG have to be added, deleted, turned, or
    given or deprived of a direction to get the other; each pair counts once
    (Tsamardinos, Brown, Aliferis 2006). The distance is a metric on the
    Markov equivalence classes: 0 for equivalent graphs only.

    Parameters and errors are those of :func:`compare`, which names the
    pairs.

    Returns
    -------
    int

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> chain, collider = parse("A -> B -> C"), parse("A -> B <- C")
    >>> structural_hamming_distance(chain, parse("A <- B <- C"))
    0
    >>> structural_hamming_distance(chain, collider)
    2
    """
    return compare(g, h, classes=classes).distance


def _cpdag_to_compare(graph: nx.DiGraph, classes: bool) -> nx.DiGraph:
    """Return the CPDAG of a DAG or a CPDAG; without classes the DAG."""
    if not classes:
        check_dag(graph)
        return graph
    is_partial = isinstance(graph, nx.DiGraph) and any(
        tail != head and graph.has_edge(head, tail)
        for tail, head in graph.edges
    )
    if not is_partial:
        return cpdag(graph)
    complete = cpdag(consistent_extension(graph))
    if different := set(graph.edges) ^ set(complete.edges):
        raise GraphError(
            "The graph is neither a DAG nor the CPDAG of a class: not all "
            "members of its class agree with it on the edge of "
            f"{and_list(sorted_nodes(min(different, key=_edge_key)))}. "
            "cpdag(consistent_extension(graph)) is the CPDAG."
        )
    return complete


def edges_of(partial: nx.DiGraph) -> dict[tuple[Node, Node], Edge]:
    """Return the edge of each pair of adjacent nodes, alphabetically."""
    edges = {}
    for tail, head in partial.edges:
        first, second = sorted_nodes((tail, head))
        both = partial.has_edge(head, tail)
        edges[first, second] = (
            Edge(first, second, directed=False) if both else Edge(tail, head)
        )
    return {pair: edges[pair] for pair in sorted(edges, key=_edge_key)}


def _edge_key(edge: Iterable[Node]) -> list[tuple]:
    """Return a key to sort edges by, alphabetically."""
    return [alphabetical(node) for node in edge]
