"""Forests: graphs in which nodes have one parent or none, and no circle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import networkx as nx
import numpy as np


def maximum_forest(
    weights: np.ndarray, nodes: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Find the forest of greatest weight, without edges that weigh nothing.

    Parameters
    ----------
    weights : array of shape (M, M)
        Of the edge between each pair of nodes; its upper triangle is read.
    nodes : sequence of int
        Edges point away from the first node of each tree.

    Yields
    ------
    pair of int
        An edge, from the parent to the child.

    Examples
    --------
    >>> weights = np.array([[0, 3, 2, 0], [3, 0, 4, 0], [2, 4, 0, 0], [0] * 4])
    >>> list(maximum_forest(weights, [2, 0, 1, 3]))
    [(2, 1), (1, 0)]
    """
    pairs = nx.Graph()
    pairs.add_nodes_from(sorted(nodes))
    pairs.add_weighted_edges_from(
        (i, j, weights[i, j])
        for i, j in combinations(sorted(nodes), 2)
        if weights[i, j] > 0
    )
    forest = nx.maximum_spanning_tree(pairs)
    seen: set[int] = set()
    for root in nodes:
        if root not in seen:
            for edge in nx.bfs_edges(forest, root):
                seen.update(edge)
                yield edge
