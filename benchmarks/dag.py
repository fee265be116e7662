"""d-separation in large graphs beside networkx."""

import networkx as nx
import numpy as np
from _side_by_side import compare

from bayesbook.graphs import d_separated


def sparse_dag(n, edges, rng):
    """Draw a DAG with about so many edges."""
    ends = np.sort(rng.integers(0, n, (edges, 2)), axis=1)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((int(a), int(b)) for a, b in ends if a != b)
    return graph


rng = np.random.default_rng(0)
for n in (1_000, 10_000):
    graph = sparse_dag(n, 2 * n, rng)
    nodes = [int(node) for node in rng.choice(n, 22, replace=False)]
    x, y, *given = nodes
    x, y, given = {x}, {y}, set(given)
    assert d_separated(graph, x, y, given) == nx.is_d_separator(
        graph, x, y, given
    )
    compare(
        f"{n} nodes, {graph.number_of_edges()} edges, 20 observed",
        {
            "networkx": lambda g=graph, q=(x, y, given): nx.is_d_separator(
                g, *q
            ),
            "bayesbook.graphs": lambda g=graph, q=(x, y, given): d_separated(
                g, *q
            ),
        },
    )
