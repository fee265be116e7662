"""Graphs in drills: drawn at random, as pictures, as arrows in a text."""

from collections.abc import Iterable
from typing import cast

import networkx as nx
import numpy as np

from bayesbook import graphs
from bayesbook.graphs import random_dag

# A parent, the child, and the other parent.
Collider = tuple[str, str, str]
# The options of a question are lettered A, B, C, D: nodes are called others.
_NAMES = "TUVWXYZ"


def connected_graph(n: int, rng: np.random.Generator) -> nx.DiGraph | None:
    """Draw a graph of nodes ..., X, Y, Z; None if in pieces, or if dense."""
    drawn = random_dag(n, 2 / (n - 1), rng=rng)
    if not n - 1 <= drawn.number_of_edges() <= n + 1:
        return None
    if not nx.is_weakly_connected(drawn):
        return None
    names = dict(zip(sorted(drawn), _NAMES[-n:], strict=True))
    edges = ((names[a], names[b]) for a, b in drawn.edges)
    return rebuilt(names.values(), edges)


def v_structures(graph: nx.DiGraph) -> frozenset[Collider]:
    """Return the v-structures of a graph whose nodes are letters."""
    return cast("frozenset[Collider]", graphs.v_structures(graph))


def rebuilt(
    nodes: Iterable[str], edges: Iterable[tuple[str, str]]
) -> nx.DiGraph:
    """Build a graph whose nodes and edges are in alphabetical order."""
    graph = nx.DiGraph()
    graph.add_nodes_from(sorted(nodes))
    graph.add_edges_from(sorted(edges))
    return graph


def each_arrow(edges: Iterable[tuple[str, str]]) -> list[str]:
    """Write every edge as an arrow."""
    return [f"{a} → {b}" for a, b in sorted(edges)]


def arrows_of(graph: nx.DiGraph) -> str:
    """Write a graph for people."""
    return ", ".join(each_arrow(graph.edges))


def source_of(graph: nx.DiGraph) -> str:
    """Write a graph for :func:`bayesbook.graphs.parse`, without spaces."""
    alone = list(nx.isolates(graph))
    return ",".join([*(f"{a}->{b}" for a, b in sorted(graph.edges)), *alone])


def picture_of(
    graph: nx.DiGraph,
    title: str,
    given: Iterable[str] = (),
    ring: bool = False,
) -> str:
    """Write a graph as a picture of the quiz's Markdown."""
    layout = "ring" if ring else "graph"
    observed = f' "given {", ".join(given)}"' if given else ""
    return f"![{title}]({layout}:{source_of(graph)}{observed})"
