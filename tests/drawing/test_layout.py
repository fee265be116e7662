"""Layouts: layers, few crossings, and places that depend on the graph only."""

from itertools import combinations, pairwise, permutations, product

import networkx as nx
import numpy as np
import pytest
from drawing.graph_pictures import (
    CHAIN,
    FORK,
    parts,
    random_dag,
)

from bayesbook.drawing import draw_graph, layered_layout, subplots

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=3)[1]


def test_layers_are_longest_paths_from_the_roots():
    rng = np.random.default_rng(1)
    for _ in range(50):
        graph = random_dag(rng)
        places = layered_layout(graph)
        longest = {}
        for node in nx.topological_sort(graph):
            above = [longest[parent] for parent in graph.predecessors(node)]
            longest[node] = max(above, default=-1) + 1
        heights = sorted({y for _, y in places.values()}, reverse=True)
        layer = {node: heights.index(y) for node, (_, y) in places.items()}
        assert layer == longest


def crossings(graph, places):
    """Count pairs of straight edges between two layers that cross."""
    count = 0
    for (a, b), (c, d) in combinations(graph.edges, 2):
        upper = places[a][0] - places[c][0]
        lower = places[b][0] - places[d][0]
        same = places[a][1] == places[c][1] and places[b][1] == places[d][1]
        count += same and upper * lower < 0
    return count


def test_as_few_edges_cross_as_possible():
    """Against all orders, for graphs whose edges pass no layer."""
    rng = np.random.default_rng(2)
    crossed = 0
    for _ in range(30):
        sizes = rng.permutation([2, 3, 4])
        names = iter("ABCDEFGHIJKL")
        layers = [[next(names) for _ in range(size)] for size in sizes]
        graph = nx.DiGraph()
        for upper, lower in pairwise(layers):
            for v in lower:
                parents = rng.permutation(upper)[: rng.integers(1, 3)]
                graph.add_edges_from((u, v) for u in parents)
        graph.add_nodes_from(layers[0])
        fewest = min(
            crossings(
                graph,
                {
                    n: (i, -k)
                    for k, o in enumerate(orders)
                    for i, n in enumerate(o)
                },
            )
            for orders in product(*map(permutations, layers))
        )
        assert crossings(graph, layered_layout(graph)) == fewest
        crossed += fewest > 0
    assert crossed > 3


def test_of_orders_with_as_few_crossings_edges_are_short():
    graph = nx.DiGraph(["DH", "DB", "FB", "GC", "GE", "HA", "GA"])
    places = layered_layout(graph)
    assert crossings(graph, places) == 0
    across = [abs(places[u][0] - places[v][0]) for u, v in graph.edges]
    assert max(across) < 1.5


def test_a_wide_graph_is_untangled():
    """Eight edges in reverse order cross 28 times as they are named."""
    graph = nx.DiGraph(zip("ABCDEFGH", "STUVWXYZ"[::-1], strict=True))
    assert crossings(graph, layered_layout(graph)) == 0


def test_parents_stand_above_the_middle_of_their_children():
    places = layered_layout(FORK)
    assert places["X"][0] == places["Y"][0] + places["Z"][0] == 0
    assert places["Y"][0] < places["Z"][0]
    assert places["X"][1] > places["Y"][1] == places["Z"][1]


def test_a_chain_is_straight():
    down = layered_layout(CHAIN)
    assert [down[n][0] for n in "XYZ"] == [0, 0, 0]
    assert down["X"][1] > down["Y"][1] > down["Z"][1]
    right = layered_layout(CHAIN, direction="right")
    assert [right[n][1] for n in "XYZ"] == [0, 0, 0]
    assert right["X"][0] < right["Y"][0] < right["Z"][0]


def test_places_are_rounded_and_in_the_middle():
    rng = np.random.default_rng(4)
    for _ in range(30):
        places = np.array(list(layered_layout(random_dag(rng)).values()))
        assert (places == places.round(3)).all()
        middle = (places.min(axis=0) + places.max(axis=0)) / 2
        assert middle == pytest.approx([0, 0], abs=1e-3)


def test_a_layout_does_not_depend_on_how_a_graph_was_built():
    rng = np.random.default_rng(3)
    for _ in range(30):
        graph = random_dag(rng)
        again = nx.DiGraph()
        again.add_nodes_from(rng.permutation(list(graph)).tolist())
        again.add_edges_from(rng.permutation(list(graph.edges)).tolist())
        assert list(layered_layout(again).items()) == list(
            layered_layout(graph).items()
        )


def test_numbers_in_names_are_ordered_as_numbers():
    graph = nx.DiGraph([("Y", "X10"), ("Y", "X9"), ("Y", "X1")])
    places = layered_layout(graph)
    assert places["X1"][0] < places["X9"][0] < places["X10"][0]


def test_a_cycle_is_a_circle(ax):
    cycle = nx.DiGraph([("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])
    places = np.array(list(layered_layout(cycle).values()))
    assert np.hypot(*places.T) == pytest.approx([np.hypot(*places[0])] * 4)
    assert parts(draw_graph(ax, cycle), "head").keys() == set(cycle.edges)


def test_an_undirected_graph_is_in_layers_by_name():
    places = layered_layout(nx.Graph([("C", "B"), ("B", "A")]))
    assert places["A"][1] > places["B"][1] > places["C"][1]


def test_another_direction_is_refused():
    with pytest.raises(ValueError, match="'up' is not known: use 'down'"):
        layered_layout(CHAIN, direction="up")
