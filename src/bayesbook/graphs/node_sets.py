"""Reading the nodes that a question names, and putting nodes in order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import combinations
from typing import cast

import networkx as nx

from bayesbook.base import GraphError
from bayesbook.base.names import alphabetical, did_you_mean, quoted_list
from bayesbook.graphs.parsing import check_dag

Node = Hashable
#: What can stand for a set of nodes: one node, or a collection of them.
Nodes = Node | Iterable[Node]


def read_query(graph: nx.DiGraph, **sets: Nodes) -> list[frozenset[Node]]:
    """Check a graph, and read the sets of nodes that a question names."""
    check_dag(graph)
    read = {name: read_nodes(graph, nodes) for name, nodes in sets.items()}
    for name, nodes in read.items():
        if not nodes and name != "given":
            raise GraphError(f"{name} is empty: name at least one node.")
    for (name, nodes), (other, others) in combinations(read.items(), 2):
        for node in sorted_nodes(nodes & others):
            raise GraphError(
                f"{node!r} is in both {name} and {other}: the sets of nodes "
                "that a question names must not overlap."
            )
    return list(read.values())


def read_nodes(graph: nx.DiGraph, nodes: Nodes) -> frozenset[Node]:
    """Read one node, or a collection of them, as a set of nodes."""
    if nodes in graph:
        return frozenset([cast(Node, nodes)])
    named: list[Node]
    if isinstance(nodes, Iterable) and not isinstance(nodes, str):
        named = list(nodes)
    else:
        named = [nodes]
    for stranger in sorted_nodes(node for node in named if node not in graph):
        raise unknown_node(graph, stranger)
    return frozenset(named)


def unknown_node(graph: nx.DiGraph, stranger: Node) -> GraphError:
    """Return the error for something that is not a node of the graph."""
    known = sorted_nodes(graph)
    return GraphError(
        f"{stranger!r} is not a node of the graph; its nodes are "
        f"{quoted_list(known)}.{did_you_mean(stranger, known)}"
    )


def sorted_nodes(nodes: Iterable[Node]) -> list[Node]:
    """Return nodes in alphabetical order, X2 before X10."""
    return sorted(nodes, key=alphabetical)


def adjacent(graph: nx.DiGraph, a: Node, b: Node) -> bool:
    """Return whether an edge joins two nodes, in either direction."""
    return graph.has_edge(a, b) or graph.has_edge(b, a)


def undirected(graph: nx.DiGraph) -> nx.Graph:
    """Return a graph with the same edges, without directions."""
    plain = nx.Graph()
    plain.add_nodes_from(graph)
    plain.add_edges_from(graph.edges)
    return plain


def comma_list(nodes: Iterable[object]) -> str:
    """List nodes with commas between them."""
    return ", ".join(map(str, nodes))
