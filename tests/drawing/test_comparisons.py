"""Drawings of a learned graph over the true one: kinds of edges, legends."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from drawing.pictures import (
    box,
    outline,
    overlap,
    parts,
)

from bayesbook.base import GraphError
from bayesbook.drawing import describe, draw_comparison, subplots
from bayesbook.graphs import cpdag, parse, random_dag
from bayesbook.network import load_network

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=4)[1]


ASIA = load_network("asia")


def marks(graph):
    """Return by definition which nodes of each pair have a head."""
    found = {}
    for u, v in graph.edges:
        heads = found.setdefault(frozenset((u, v)), set())
        if not graph.has_edge(v, u):
            heads.add(v)
    return found


def kinds_of(learned, true):
    """Return the kind of each pair that either graph joins."""
    own, other = marks(learned), marks(true)
    return {
        pair: "missing"
        if pair not in own
        else "extra"
        if pair not in other
        else "found"
        if own[pair] == other[pair]
        else "misdirected"
        for pair in own.keys() | other.keys()
    }


def look(part):
    return part.get_edgecolor(), str(part.get_linestyle())


def two_graphs(rng, n=7):
    learned, true = (random_dag(n, 2 / (n - 1), rng=rng) for _ in range(2))
    # With edges in common, some of which are turned.
    for u, v in list(true.edges)[::2]:
        if not learned.has_edge(v, u):
            learned.add_edge(u, v)
            if not nx.is_directed_acyclic_graph(learned):
                learned.remove_edge(u, v)
    return learned, true


@pytest.mark.heavy
@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("show", ["both", "learned", "true"])
def test_each_kind_of_edge_has_a_colour_and_a_line_of_its_own(
    ax, classes, show
):
    rng = np.random.default_rng(6)
    looks, drawn_kinds = {}, set()
    for _ in range(12):
        learned, true = two_graphs(rng)
        drawing = draw_comparison(
            ax, learned, true, classes=classes, show=show
        )
        if classes:
            learned, true = cpdag(learned), cpdag(true)
        kinds = kinds_of(learned, true)
        absent = {"learned": "missing", "true": "extra"}.get(show)
        edges = parts(drawing, "edge")
        assert {frozenset(name.split()) for name in edges} == {
            pair for pair, kind in kinds.items() if kind != absent
        }
        for name, edge in edges.items():
            kind = kinds[frozenset(name.split())]
            looks.setdefault(kind, look(edge))
            assert looks[kind] == look(edge)
        drawn_kinds |= set(kinds.values()) - {absent}
        [legend] = [[text.get_text() for text in ax.get_legend().get_texts()]]
        counts = dict(reversed(t.split(" ")[:2]) for t in legend)
        every = ["found", "missing", "extra", "misdirected"]
        assert counts == {
            kind: str(list(kinds.values()).count(kind))
            for kind in every
            if kind != absent
        }
        drawing.remove()
    assert looks.keys() == drawn_kinds
    for (colour, line), (other, another) in combinations(looks.values(), 2):
        assert colour != other
        assert line != another


@pytest.mark.parametrize("classes", [True, False])
def test_heads_are_those_of_the_graphs_and_hollow_for_the_true_one(
    ax, classes
):
    rng = np.random.default_rng(7)
    for _ in range(12):
        learned, true = two_graphs(rng)
        drawing = draw_comparison(ax, learned, true, classes=classes)
        if classes:
            learned, true = cpdag(learned), cpdag(true)
        own, other = marks(learned), marks(true)
        heads, backs = parts(drawing, "head"), parts(drawing, "back")
        for name in parts(drawing, "edge"):
            u, v = name.split()
            pair = frozenset((u, v))
            filled = own.get(pair, other.get(pair))
            hollow = other.get(pair, filled) - filled
            shown = {v: heads.get(name), u: backs.get(name)}
            for node, head in shown.items():
                assert (head is not None) == (node in filled | hollow)
                if head is not None:
                    is_white = head.get_facecolor()[:3] == (1, 1, 1)
                    assert is_white == (node in hollow)
        drawing.remove()


def test_a_class_has_no_turned_edges(ax):
    learned, true = parse("C -> B -> A, D"), parse("A -> B -> C, D")
    assert draw_comparison(ax, learned, true).describe() == (
        "comparison: 2 found, 0 missing, 0 extra, 0 misdirected\n"
        "  found: A – B, B – C"
    )
    assert draw_comparison(ax, learned, true, classes=False).describe() == (
        "comparison: 0 found, 0 missing, 0 extra, 2 misdirected\n"
        "  misdirected: B → A for A → B, C → B for B → C"
    )
    collider = parse("A -> B <- C, D")
    assert draw_comparison(ax, learned, collider).describe() == (
        "comparison: 0 found, 0 missing, 0 extra, 2 misdirected\n"
        "  misdirected: A – B for A → B, B – C for C → B"
    )


def test_either_graph_is_told_alone(ax):
    learned, true = parse("B -> A, B -> C, D"), parse("A -> B, C -> D")
    given = {"classes": False, "labels": {"A": "$X_A$"}}
    assert draw_comparison(
        ax, learned, true, show="learned", **given
    ).describe() == (
        "learned graph: 0 found, 1 extra, 1 misdirected\n"
        "  extra: B → C\n  misdirected: B → X_A"
    )
    assert draw_comparison(
        ax, learned, true, show="true", **given
    ).describe() == (
        "true graph: 0 found, 1 missing, 1 misdirected\n"
        "  missing: C → D\n  misdirected: X_A → B"
    )


def test_a_legend_is_told_with_a_comparison():
    fig, ax = subplots(height=3)
    draw_comparison(ax, ASIA, ASIA)
    assert describe(fig).split("\n")[2] == (
        "  comparison: 8 found, 0 missing, 0 extra, 0 misdirected"
    )
    assert describe(fig).split("\n")[-1] == (
        "  legend: 8 found | 0 missing | 0 extra | 0 misdirected"
    )
    draw_comparison(ax, ASIA.graph.reverse(), ASIA, classes=False)
    assert (
        describe(fig)
        .split("\n")[-1]
        .endswith("0 extra | 8 misdirected (hollow: true)")
    )
    fig, ax = subplots(height=3)
    draw_comparison(ax, ASIA, ASIA, legend=False)
    assert ax.get_legend() is None
    assert "legend" not in describe(fig)


def test_the_same_nodes_and_edges_are_at_the_same_places():
    learned, true = two_graphs(np.random.default_rng(8))
    drawings = {
        show: draw_comparison(subplots(height=4)[1], learned, true, show=show)
        for show in ("both", "learned", "true")
    }
    empty = nx.empty_graph(sorted(true), create_using=nx.DiGraph)
    drawings["empty"] = draw_comparison(subplots(height=4)[1], empty, true)
    both = parts(drawings["both"], "edge")
    for drawing in drawings.values():
        assert drawing.positions == drawings["both"].positions
    for show in ("learned", "true"):
        for name, edge in parts(drawings[show], "edge").items():
            # But for the heads.
            middle = outline(edge)[15:26]
            whole = outline(both[name])
            gaps = np.hypot(*(middle[:, None] - whole).transpose(2, 0, 1))
            assert gaps.min(axis=1).max() < 0.1


def test_a_class_is_drawn_as_its_members_are():
    graph = ASIA.graph
    for true in (graph, cpdag(graph)):
        drawing = draw_comparison(subplots()[1], cpdag(graph), true)
        assert drawing.describe().startswith("comparison: 8 found, 0 missing")
    # Each arrow of a member points down.
    heights = {node: y for node, (_, y) in drawing.positions.items()}
    for name in parts(drawing, "edge"):
        u, v = name.split()
        assert heights[u] != heights[v]


@pytest.mark.parametrize("name", ["asia", "alarm"])
def test_comparisons_are_legible_in_the_column_of_a_page(name):
    true = load_network(name)
    learned = nx.DiGraph(true.graph)
    # One in seven is missing, one turned, and some are new.
    for place, (u, v) in enumerate(sorted(true.graph.edges)):
        if place % 7 < 2:
            learned.remove_edge(u, v)
        if place % 7 == 1:
            learned.add_edge(v, u)
            if not nx.is_directed_acyclic_graph(learned):
                learned.remove_edge(v, u)
    order = list(nx.topological_sort(learned))
    learned.add_edges_from(zip(order[::6], order[5::6], strict=False))
    fig, ax = subplots(width=7, height=5.2)
    drawing = draw_comparison(ax, learned, true)
    fig.draw_without_rendering()
    nodes, labels = parts(drawing, "node"), parts(drawing, "label")
    assert labels.keys() == nodes.keys() == set(true.nodes)
    for a, b in combinations(nodes.values(), 2):
        assert not overlap(box(a), box(b))
    assert min(text.get_fontsize() for text in labels.values()) > 6
    hidden = 0
    for edge, part in parts(drawing, "edge").items():
        for other in nodes.keys() - set(edge.split()):
            low, high = box(nodes[other])
            inside = (outline(part) > low) & (outline(part) < high)
            hidden += inside.all(axis=1).any()
    assert hidden == 0
    # The legend is inside of the figure.
    legend = ax.get_legend().get_window_extent()
    assert legend.x0 > 0
    assert legend.x1 < 7 * fig.dpi
    assert legend.y0 > 0


@pytest.mark.parametrize("columns", [1, 2])
def test_a_legend_has_columns_for_its_room(columns):
    fig, axes = subplots(1, columns, height=3, squeeze=False)
    turned = ASIA.graph.reverse()
    for ax in axes.flat:
        draw_comparison(ax, turned, ASIA, classes=False)
    fig.draw_without_rendering()
    ends = []
    for ax in axes.flat:
        legend = ax.get_legend().get_window_extent()
        ends += [legend.x0, legend.x1]
    assert ends[0] > 0
    assert ends == sorted(ends)
    assert ends[-1] < 7 * fig.dpi


@pytest.mark.parametrize(
    ("learned", "given", "error", "said"),
    [
        ("A -> B", {}, GraphError, "Only one of the graphs has the node 'C'"),
        ("A -> B, C", {"show": "left"}, ValueError, "show='left' is not"),
        ("A -> B, C", {"direction": "up"}, ValueError, "'up' is not known"),
        ("A -> B, C", {"labels": {"Q": "q"}}, GraphError, "names 'Q'"),
        ("A -> B, C", {"positions": {"A": (0, 0)}}, GraphError, "no place"),
    ],
)
def test_what_cannot_be_compared_is_named(ax, learned, given, error, said):
    with pytest.raises(error, match=said):
        draw_comparison(ax, parse(learned), parse("A -> B -> C"), **given)


def test_only_graphs_are_compared(ax):
    with pytest.raises(TypeError, match=r"str|'A -> B'"):
        draw_comparison(ax, "A -> B", parse("A -> B"))
