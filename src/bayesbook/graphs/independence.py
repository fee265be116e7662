"""The independences that a graph stands for: local Markov, and all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import networkx as nx

from bayesbook.graphs.node_sets import Node, comma_list, sorted_nodes
from bayesbook.graphs.orders import topological_order
from bayesbook.graphs.parsing import check_dag
from bayesbook.graphs.separation import d_separated


class Independence(NamedTuple):
    """The statement that x and y are independent given `given`.

    Its three parts are tuples of nodes: ``d_separated(graph, *statement)``
    is whether it is true of a graph.

    Examples
    --------
    >>> print(Independence(("X",), ("Y",), ("A", "B")))
    X ⊥ Y | A, B
    """

    #: The nodes that are independent of y.
    x: tuple[Node, ...]
    #: The nodes that are independent of x.
    y: tuple[Node, ...]
    #: The observed nodes; often none.
    given: tuple[Node, ...] = ()

    def __str__(self) -> str:
        bar = f" | {comma_list(self.given)}" if self.given else ""
        return f"{comma_list(self.x)} ⊥ {comma_list(self.y)}{bar}"


def local_markov(graph: nx.DiGraph) -> list[Independence]:
    """List the statements of the local Markov property, node by node.

    Given its parents, a node is independent of all other nodes that do not
    descend from it. Every d-separation follows from these statements
    (Lauritzen et al. 1990). Nodes without a statement are left out.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    list of Independence
        In topological order of the nodes.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> print(*local_markov(parse("A -> B -> C -> D")), sep=", ")
    C ⊥ A | B, D ⊥ A, B | C
    """
    statements = []
    for node in topological_order(graph):
        parents = graph.pred[node]
        related = {node, *parents} | nx.descendants(graph, node)
        if others := sorted_nodes(graph.nodes - related):
            known = tuple(sorted_nodes(parents))
            statements.append(Independence((node,), tuple(others), known))
    return statements


def independences(graph: nx.DiGraph) -> Iterator[Independence]:
    """Yield every d-separation of two single nodes, given any others.

    Two graphs have the same ones if and only if they are Markov equivalent.
    For n nodes there are n (n - 1) / 2 pairs with 2**(n - 2) sets each.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    iterator of Independence
        By pair, and for each the smallest sets first.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> print(*independences(parse("A -> B -> C -> D")), sep=", ")
    A ⊥ C | B, A ⊥ C | B, D, A ⊥ D | B, A ⊥ D | C, A ⊥ D | B, C, B ⊥ D | C, \
B ⊥ D | A, C
    """
    check_dag(graph)
    nodes = sorted_nodes(graph)
    return (
        Independence((x,), (y,), given)
        for x, y in combinations(nodes, 2)
        for given in _subsets([node for node in nodes if node not in (x, y)])
        if d_separated(graph, x, y, given)
    )


def _subsets(items: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    """Yield all subsets, the smallest first."""
    for size in range(len(items) + 1):
        yield from combinations(items, size)
