"""Drawings of junction trees: boxes of two kinds, and where they stand."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from drawing.pictures import (
    LAWN,
    box,
    outline,
    overlap,
    parts,
    random_network,
)

from bayesbook.base import GraphError
from bayesbook.drawing import draw_junction_tree, subplots
from bayesbook.network import JunctionTree

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=4)[1]


def clique_tree(cliques, edges):
    tree = nx.Graph()
    for node, clique in cliques.items():
        tree.add_node(node, clique=tuple(clique))
    for u, v in edges:
        own = [x for x in cliques[u] if x in cliques[v]]
        tree.add_edge(u, v, separator=own)
    return tree


CLIQUES = {0: "AT", 1: "TLE", 2: "LEB", 3: "SLB", 4: "EBD", 5: "EX"}
TREE = clique_tree(CLIQUES, [(0, 1), (1, 2), (2, 3), (2, 4), (1, 5)])


def test_cliques_and_separators_are_boxes_of_two_kinds(ax):
    drawing = draw_junction_tree(ax, TREE)
    cliques = parts(drawing, "clique")
    separators = parts(drawing, "separator")
    assert cliques.keys() == {str(node) for node in TREE}
    assert separators.keys() == {str(edge) for edge in TREE.edges}
    labels = {k: t.get_text() for k, t in parts(drawing, "label").items()}
    for node, own in CLIQUES.items():
        assert labels[str(node)] == ", ".join(own)
    for (u, v), separator in nx.get_edge_attributes(TREE, "separator").items():
        assert labels[str((u, v))] == ", ".join(separator)
    # A clique has round ends, a separator corners.
    for kind, square in ((cliques, False), (separators, True)):
        for part in kind.values():
            corner = box(part)[1]
            near = np.hypot(*(outline(part) - corner).T).min()
            assert (near < 0.02) == square
    sizes = {
        name: text.get_fontsize()
        for name, text in parts(drawing, "label").items()
    }
    assert min(map(sizes.get, cliques)) > max(map(sizes.get, separators))
    boxes = [*cliques.values(), *separators.values()]
    for a, b in combinations(boxes, 2):
        assert not overlap(box(a), box(b))


def test_every_edge_goes_through_its_separator(ax):
    drawing = draw_junction_tree(ax, TREE, root=0)
    boxes = parts(drawing, "clique") | parts(drawing, "separator")
    halves = parts(drawing, "edge")
    assert len(halves) == 2 * TREE.number_of_edges()
    joined = nx.Graph()
    for part in halves.values():
        ends = [
            next(
                name
                for name, each in boxes.items()
                if (box(each)[0] - 0.01 < end).all()
                and (end < box(each)[1] + 0.01).all()
            )
            for end in outline(part)[[0, -1]]
        ]
        joined.add_edge(*ends)
    for edge in TREE.edges:
        assert set(joined[str(edge)]) == {str(node) for node in edge}
    assert not parts(drawing, "head")


def test_texts_of_a_tree_fit():
    fig, ax = subplots(height=4)
    tree = JunctionTree(random_network(np.random.default_rng(5), 9))
    drawing = draw_junction_tree(ax, tree)
    fig.draw_without_rendering()
    boxes = parts(drawing, "clique") | parts(drawing, "separator")
    for name, text in parts(drawing, "label").items():
        inner = text.get_window_extent()
        outer = boxes[name].get_window_extent()
        assert outer.x0 < inner.x0 < inner.x1 < outer.x1
        assert outer.y0 < inner.y0 < inner.y1 < outer.y1


def test_the_junction_tree_of_a_network_is_drawn(ax):
    tree = JunctionTree(LAWN)
    drawing = draw_junction_tree(ax, tree)
    assert len(parts(drawing, "clique")) == len(tree.cliques)
    assert drawing.describe() == (
        f"junction tree: {{{', '.join(tree.cliques[0])}}}"
    )
    by_graph = draw_junction_tree(ax, tree.tree)
    assert by_graph.describe() == drawing.describe()


def test_a_tree_begins_at_its_root(ax):
    for root in TREE:
        places = draw_junction_tree(ax, TREE, root=root).positions
        top = max(places, key=lambda node: places[node][1])
        assert top == root
        right = draw_junction_tree(ax, TREE, root=root, direction="right")
        places = right.positions
        assert min(places, key=lambda node: places[node][0]) == root
    # Without one it is as low as can be.
    sizes = [draw_junction_tree(ax, TREE, root=r).size[1] for r in TREE]
    assert draw_junction_tree(ax, TREE).size[1] == min(sizes)


def test_several_trees_stand_side_by_side(ax):
    forest = clique_tree({0: "AB", 1: "BC", 2: "D"}, [(0, 1)])
    drawing = draw_junction_tree(ax, forest)
    assert drawing.describe() == "junction tree: {A, B} – [B] – {B, C}, {D}"
    separator = nx.Graph([(0, 1)])
    nx.set_node_attributes(separator, {0: ("A",), 1: ("B",)}, "clique")
    drawing = draw_junction_tree(ax, separator)
    assert parts(drawing, "label")["(0, 1)"].get_text() == "∅"


def test_places_of_a_tree_can_be_given_again(ax):
    drawing = draw_junction_tree(ax, TREE)
    again = draw_junction_tree(ax, TREE, positions=drawing.positions)
    assert again.positions == drawing.positions
    places = {node: (2 * node, node**2) for node in TREE}
    drawing = draw_junction_tree(ax, TREE, positions=places)
    for u, v in TREE.edges:
        middle = np.add(places[u], places[v]) / 2
        assert drawing.positions[u, v] == pytest.approx(middle)


def test_variables_have_labels_and_long_cliques_lines(ax):
    drawing = draw_junction_tree(ax, TREE, labels={"A": "$X_A$"})
    assert parts(drawing, "label")["0"].get_text() == "$X_A$, T"
    assert "{X_A, T} – [T] – {T, L, E}" in drawing.describe()
    plain = clique_tree({0: ["$\\frac$", "$x$"]}, [])
    drawing = draw_junction_tree(ax, plain)
    assert not parts(drawing, "label")["0"].get_parse_math()
    long = clique_tree({0: [f"variable {i}" for i in range(9)]}, [])
    drawing = draw_junction_tree(ax, long)
    lines = parts(drawing, "label")["0"].get_text().split("\n")
    assert len(lines) > 2
    assert " ".join(lines) == ", ".join(f"variable {i}" for i in range(9))
    assert drawing.size[0] < 2.2


def broken(change):
    tree = TREE.copy()
    change(tree)
    return tree


@pytest.mark.parametrize(
    ("tree", "given", "said"),
    [
        (nx.Graph(), {}, "no nodes"),
        (nx.DiGraph([(0, 1)]), {}, "undirected"),
        (
            broken(lambda tree: tree.add_edge(0, 2, separator=())),
            {},
            "has no cycle",
        ),
        (
            broken(lambda tree: tree.add_node(9)),
            {},
            "Clique 9 is None: give a tuple",
        ),
        (
            broken(lambda tree: tree.nodes[0].update(clique="AT")),
            {},
            "Clique 0 is 'AT': give a tuple",
        ),
        (
            broken(lambda tree: tree.edges[0, 1].update(separator=("A",))),
            {},
            "separator of cliques 0 and 1 has 'A', which is not in both",
        ),
        (TREE, {"root": 7}, "root 7 is not a clique; the cliques are 0, 1"),
        (TREE, {"labels": {"Q": "q"}}, "`labels` names 'Q'"),
        (TREE, {"positions": {0: (0, 0)}}, "no place for 1, 2"),
        (
            TREE,
            {"positions": dict.fromkeys(TREE, (0, 0))},
            "would cover each other",
        ),
    ],
)
def test_what_is_no_junction_tree_is_named(ax, tree, given, said):
    with pytest.raises(GraphError, match=said):
        draw_junction_tree(ax, tree, **given)


def test_only_a_graph_is_drawn(ax):
    with pytest.raises(TypeError, match="'tree' cannot be drawn"):
        draw_junction_tree(ax, "tree")


def test_another_direction_is_refused(ax):
    with pytest.raises(ValueError, match="'left' is not known"):
        draw_junction_tree(ax, TREE, direction="left")
