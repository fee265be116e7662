"""The order in which a graph was built plays no role."""

from itertools import (
    islice,
)

import networkx as nx
from graph_truth import (
    edge_set,
    random_queries,
)

from bayesbook import graphs


def test_nothing_depends_on_the_order_in_which_a_graph_was_built():
    for graph, x, y, known in random_queries(60, seed=6, queries=1):
        other = nx.DiGraph()
        other.add_nodes_from(reversed(list(graph)))
        other.add_edges_from(reversed(list(graph.edges)))
        for question in (
            graphs.topological_order,
            graphs.product_formula,
            graphs.local_markov,
            graphs.v_structures,
            lambda g: list(islice(graphs.topological_orders(g), 20)),
            lambda g: list(
                map(edge_set, islice(graphs.equivalence_class(g), 9))
            ),
            lambda g, q=(x, y, known): str(graphs.explain(g, *q)),
        ):
            assert question(graph) == question(other)
