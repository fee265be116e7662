"""Every graph over a few nodes, for what holds for all of them."""

from itertools import combinations, product

import networkx as nx


def all_dags(names):
    """Yield every DAG: each pair of nodes has an arrow one way, or none."""
    names = list(names)
    choices = [((), (pair,), (pair[::-1],)) for pair in combinations(names, 2)]
    for chosen in product(*choices):
        graph = nx.DiGraph()
        graph.add_nodes_from(names)
        graph.add_edges_from(arrow for arrows in chosen for arrow in arrows)
        if nx.is_directed_acyclic_graph(graph):
            yield graph
