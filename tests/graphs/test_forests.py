"""Forests of greatest weight, against all forests that there are."""

from itertools import chain, combinations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.graphs.forests import maximum_forest

PAIRS = list(combinations(range(4), 2))
FORESTS = [
    edges
    for edges in chain.from_iterable(
        combinations(PAIRS, size) for size in range(4)
    )
    if not edges or nx.is_forest(nx.Graph(edges))
]


@given(
    st.lists(st.integers(-2, 5), min_size=6, max_size=6),
    st.permutations(range(4)),
)
def test_no_forest_is_heavier_and_edges_point_away_from_roots(numbers, nodes):
    weights = np.zeros((4, 4))
    weights[tuple(zip(*PAIRS, strict=True))] = numbers
    edges = list(maximum_forest(weights, nodes))
    found = [weights[min(edge), max(edge)] for edge in edges]
    assert all(own > 0 for own in found)
    assert sum(found) == max(
        sum(weights[edge] for edge in forest) for forest in FORESTS
    )
    directed = nx.empty_graph(nodes, nx.DiGraph)
    directed.add_edges_from(edges)
    for tree in nx.weakly_connected_components(directed):
        (root,) = [node for node in tree if not directed.pred[node]]
        assert root == min(tree, key=nodes.index)
        assert nx.is_arborescence(directed.subgraph(tree))
