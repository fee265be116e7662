"""Topological orders, and the product of factors along one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import networkx as nx

from bayesbook.base.names import alphabetical
from bayesbook.graphs.node_sets import Node, comma_list, sorted_nodes
from bayesbook.graphs.parsing import check_dag


def topological_order(graph: nx.DiGraph) -> list[Node]:
    """List the nodes so that parents come before their children.

    Parameters
    ----------
    graph : networkx.DiGraph
        A DAG.

    Returns
    -------
    list of node
        The alphabetically first of all such orders.

    Raises
    ------
    TypeError, GraphError
        If `graph` is not a DAG.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> topological_order(parse("B -> A, C"))
    ['B', 'A', 'C']
    """
    check_dag(graph)
    return list(nx.lexicographical_topological_sort(graph, alphabetical))


def topological_orders(graph: nx.DiGraph) -> Iterator[list[Node]]:
    """Yield every topological order of the graph, in alphabetical order.

    There can be up to n! of them. Parameters and errors are those of
    :func:`topological_order`.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> list(topological_orders(parse("B -> A, C")))
    [['B', 'A', 'C'], ['B', 'C', 'A'], ['C', 'B', 'A']]
    """
    check_dag(graph)
    return _orders({node: graph.pred[node] for node in sorted_nodes(graph)})


def _orders(
    parents: Mapping[Node, Collection[Node]],
) -> Iterator[list[Node]]:
    """Yield the orders of the nodes (keys) in which parents come first."""
    if not parents:
        yield []
    for first, of_first in parents.items():
        if parents.keys().isdisjoint(of_first):
            rest = {node: parents[node] for node in parents if node != first}
            yield from ([first, *order] for order in _orders(rest))


def product_formula(graph: nx.DiGraph) -> str:
    """Return the joint probability written as a product along the graph.

    Parameters and errors are those of :func:`topological_order`, which is
    the order of the factors.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> product_formula(parse("X -> Y, X -> Z <- Y"))
    'P(X) P(Y | X) P(Z | X, Y)'
    """
    factors = []
    for node in topological_order(graph):
        parents = sorted_nodes(graph.pred[node])
        bar = f" | {comma_list(parents)}" if parents else ""
        factors.append(f"P({node}{bar})")
    return " ".join(factors)
