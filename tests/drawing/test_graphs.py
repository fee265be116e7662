"""Drawings of graphs: their geometry, their marks without colour, words."""

import re
from itertools import combinations, pairwise

import matplotlib as mpl
import networkx as nx
import numpy as np
import pytest
from drawing.graph_pictures import (
    ASIA,
    CHAIN,
    COLLIDER,
    DIAMOND,
    FORK,
    gap,
    limits,
    parts,
    random_dag,
)
from drawing.pictures import lightness, outline
from hash_seeds import printed_by
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, PathPatch

from bayesbook.base import GraphError
from bayesbook.drawing import describe, draw_graph, layered_layout, subplots

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=3)[1]


ROW = {node: (i, 0) for i, node in enumerate("ABCDEF")}


def centre(node):
    return (outline(node).min(axis=0) + outline(node).max(axis=0)) / 2


def from_rim(points, node):
    """Measure the distance of points from the outline of a circle."""
    radius = np.ptp(outline(node)[:, 0]) / 2
    return np.hypot(*(np.atleast_2d(points) - centre(node)).T) - radius


def dense(line):
    """Add points in between the vertices of a drawn line."""
    xy = line.get_path().vertices
    t = np.linspace(0, 1, 6)[:, None]
    return np.concatenate([a * (1 - t) + b * t for a, b in pairwise(xy)])


# --- Nodes and edges -------------------------------------------------------


@pytest.mark.heavy
def test_five_hundred_random_graphs_are_easy_to_follow():
    rng = np.random.default_rng(0)
    ax = Figure().add_axes((0, 0, 1, 1))
    passed = 0
    for _ in range(500):
        graph = random_dag(rng)
        drawing = draw_graph(ax, graph)
        nodes, edges = parts(drawing, "node"), parts(drawing, "edge")
        heads = parts(drawing, "head")
        assert nodes.keys() == set(graph)
        assert edges.keys() == heads.keys() == set(graph.edges)
        places = np.array([centre(node) for node in nodes.values()])
        for one, other in combinations(places, 2):
            assert np.hypot(*(one - other)) > 0.9
        for (u, v), edge in edges.items():
            points = dense(edge)
            # From rim to rim, with the head between the line and its node.
            assert from_rim(points[0], nodes[u]) == pytest.approx(0, abs=1e-3)
            tip = outline(heads[u, v])[0]
            assert from_rim(tip, nodes[v]) == pytest.approx(0, abs=1e-3)
            back = outline(heads[u, v])[1:3].mean(axis=0)
            assert points[-1] == pytest.approx(back, abs=1e-6)
            for other in graph.nodes - {u, v}:
                assert from_rim(points, nodes[other]).min() > 0.06
                passed += 1
        low, high = limits(ax)
        for part in [*nodes.values(), *edges.values()]:
            assert (outline(part) > low).all()
            assert (outline(part) < high).all()
        drawing.remove()
    assert passed > 10_000


def test_edges_leave_their_node_apart_from_each_other(ax):
    """All edges among six nodes, the densest graph there is."""
    graph = nx.DiGraph(combinations("ABCDEF", 2))
    drawing = draw_graph(ax, graph)
    edges = parts(drawing, "edge")
    for node in graph:
        directions = []
        for (u, v), edge in edges.items():
            if node in (u, v):
                middle = np.median(dense(edge), axis=0)
                x, y = middle - drawing.positions[node]
                directions.append(np.degrees(np.arctan2(y, x)))
        between = np.diff(np.sort(directions))
        assert between.min() > 4, node


@pytest.mark.parametrize("graph", [FORK, CHAIN, COLLIDER, DIAMOND, ASIA])
def test_a_known_graph_has_straight_edges(ax, graph):
    for edge in parts(draw_graph(ax, graph), "edge").values():
        xy = outline(edge)
        x, y = xy[-1] - xy[0]
        across = (xy - xy[0]) @ [y, -x] / np.hypot(x, y)
        assert abs(across).max() < 1e-9


def test_an_edge_is_bent_around_the_node_on_its_way(ax):
    graph = nx.DiGraph([("A", "B"), ("B", "C"), ("A", "C")])
    drawing = draw_graph(ax, graph, positions={n: ROW[n] for n in "ABC"})
    nodes, edges = parts(drawing, "node"), parts(drawing, "edge")
    assert np.ptp(outline(edges["A", "B"])[:, 1]) < 1e-9
    assert outline(edges["A", "C"])[:, 1].max() > 0.3
    assert from_rim(dense(edges["A", "C"]), nodes["B"]).min() > 0.06


@pytest.mark.parametrize("y", [1, -1])
def test_an_edge_is_bent_to_the_outer_side(ax, y):
    graph = nx.DiGraph([("A", "B"), ("B", "C"), ("A", "C"), ("B", "D")])
    places = {"A": (0, 0), "B": (1, 0), "C": (2, 0), "D": (1, y)}
    drawing = draw_graph(ax, graph, positions=places)
    bent = outline(parts(drawing, "edge")["A", "C"])
    assert np.mean(bent, axis=0)[1] * y < -0.1


def test_a_head_points_along_its_edge(ax):
    drawing = draw_graph(ax, COLLIDER)
    for (u, v), head in parts(drawing, "head").items():
        tip, *wings = outline(head)[:3]
        along = tip - np.mean(wings, axis=0)
        way = np.subtract(drawing.positions[v], drawing.positions[u])
        cosine = along @ way / np.hypot(*along) / np.hypot(*way)
        assert cosine == pytest.approx(1)
        assert np.hypot(*(tip - wings[0])) == pytest.approx(
            np.hypot(*(tip - wings[1]))
        )


def test_an_edge_in_both_directions_is_one_line(ax):
    graph = nx.DiGraph([("A", "B"), ("B", "A"), ("A", "C")])
    drawing = draw_graph(ax, graph)
    assert parts(drawing, "edge").keys() == {("A", "B"), ("A", "C")}
    assert parts(drawing, "head").keys() == {("A", "C")}


def test_a_line_ends_at_both_rims(ax):
    drawing = draw_graph(ax, nx.Graph([("A", "B")]))
    assert not parts(drawing, "head")
    nodes = parts(drawing, "node")
    first, *_, last = outline(parts(drawing, "edge")["A", "B"])
    assert from_rim(first, nodes["A"]) == pytest.approx(0, abs=1e-3)
    assert from_rim(last, nodes["B"]) == pytest.approx(0, abs=1e-3)


def test_close_nodes_leave_room_for_an_arrow(ax):
    places = {"A": (0, 0), "B": (0.52, 0)}
    drawing = draw_graph(ax, nx.DiGraph([("A", "B")]), positions=places)
    start = outline(parts(drawing, "edge")["A", "B"])[0]
    tip, back, _ = outline(parts(drawing, "head")["A", "B"])[:3]
    assert start[0] < back[0] < tip[0]


PROGRAM = """
import networkx as nx
from bayesbook.drawing import describe, subplots
from bayesbook.drawing import draw_graph
names = {f"node {i}" for i in range(7)}
graph = nx.DiGraph((a, b) for a in names for b in names if a < b)
moral = nx.Graph(graph.edges)
fig, axes = subplots(1, 2)
for ax, g in zip(axes, (graph, moral)):
    drawing = draw_graph(ax, g, observed=names, dashed=set(g.edges))
    print(drawing.positions)
    for part in drawing.get_children():
        print(part.get_gid())
print(describe(fig))
"""


@pytest.mark.heavy
def test_a_drawing_does_not_depend_on_the_order_of_sets():
    printed = printed_by(PROGRAM)
    assert len(printed) == 1
    assert "node 6" in printed.pop()


# --- Labels ----------------------------------------------------------------


def test_labels_stand_in_the_middle_of_their_nodes(ax):
    labels = {"X": "$X_1$", "Y": "a long word", "Z": "two\nlines"}
    drawing = draw_graph(ax, CHAIN, labels=labels)
    nodes, texts = parts(drawing, "node"), parts(drawing, "label")
    for name, label in labels.items():
        assert texts[name].get_text() == label
        place = texts[name].get_position()
        assert place == pytest.approx(drawing.positions[name])
        assert place == pytest.approx(centre(nodes[name]))


def test_a_node_without_a_label_is_called_by_its_name(ax):
    drawing = draw_graph(ax, nx.DiGraph([(1, 2)]), labels={2: "two"})
    texts = parts(drawing, "label")
    assert [texts[name].get_text() for name in "12"] == ["1", "two"]


@pytest.mark.parametrize("words", ["a long word", "two\nlines", "$X_{nm}^2$"])
def test_words_fit_into_their_nodes(words):
    """The letters as they are drawn, in pixels."""
    fig, ax = subplots(height=3)
    drawing = draw_graph(ax, CHAIN, labels=dict.fromkeys("XYZ", words))
    fig.draw_without_rendering()
    for name, node in parts(drawing, "node").items():
        inner = node.get_window_extent()
        text = parts(drawing, "label")[name].get_window_extent()
        assert inner.x0 < text.x0 < text.x1 < inner.x1
        assert inner.y0 < text.y0 < text.y1 < inner.y1


@pytest.mark.parametrize("direction", ["down", "right"])
def test_nodes_with_long_words_stand_apart(ax, direction):
    labels = dict.fromkeys(ASIA, "probability of rain")
    places = layered_layout(ASIA, labels=labels, direction=direction)
    drawing = draw_graph(ax, ASIA, positions=places, labels=labels)
    for a, b in combinations(parts(drawing, "node").values(), 2):
        assert gap(a, b) > 0.3


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
@pytest.mark.parametrize("graph", [COLLIDER, DIAMOND, ASIA])
def test_letters_are_legible_in_axes_side_by_side(columns, graph):
    fig, axes = subplots(1, columns, height=2.8, squeeze=False)
    for ax in axes.flat:
        drawing = draw_graph(ax, graph)
        fig.draw_without_rendering()
        for name, text in parts(drawing, "label").items():
            assert 9 <= text.get_fontsize() <= 11.5
            node = parts(drawing, "node")[name].get_window_extent()
            letters = text.get_window_extent()
            assert node.width == pytest.approx(node.height, rel=0.01)
            diagonal = np.hypot(letters.width, letters.height)
            assert diagonal < node.width


def test_an_arrow_is_bent_in_its_middle(ax):
    graph = nx.DiGraph(["AB", "BC", "AC"])
    places = {"A": (5, 3), "B": (6.1, 3), "C": (7.2, 3)}
    drawing = draw_graph(ax, graph, positions=places)
    bent = outline(parts(drawing, "edge")["A", "C"])
    farthest = bent[np.argmax(abs(bent[:, 1] - 3))]
    assert farthest[0] == pytest.approx(6.1, abs=0.1)


def test_letters_shrink_to_nine_points_and_no_further():
    long = nx.path_graph(12, create_using=nx.DiGraph)
    for columns in (1, 6):
        fig, axes = subplots(1, columns, height=2.8, squeeze=False)
        drawing = draw_graph(axes.flat[0], long)
        fig.draw_without_rendering()
        labels = parts(drawing, "label").values()
        assert {text.get_fontsize() for text in labels} == {9}


def test_nodes_of_small_graphs_are_no_larger():
    sizes = []
    for graph in (FORK, ASIA):
        fig, ax = subplots(height=5)
        drawing = draw_graph(ax, graph)
        fig.draw_without_rendering()
        node = parts(drawing, "node")["X"]
        sizes.append(node.get_window_extent().width / fig.dpi)
    assert sizes == pytest.approx([0.373, 0.373], abs=0.01)


# --- Marks, told apart without colour --------------------------------------


def test_an_observed_node_is_shaded_with_a_thick_rim(ax):
    nodes = parts(draw_graph(ax, COLLIDER, observed="Z"), "node")
    assert nodes["Z"].get_linewidth() > 2 * nodes["X"].get_linewidth()
    assert lightness(nodes["X"].get_facecolor()[:3]) == pytest.approx(1)
    assert lightness(nodes["Z"].get_facecolor()[:3]) < 0.85


def test_a_trail_is_a_band_under_thick_edges(ax):
    drawing = draw_graph(ax, ASIA, trail=("A", "T", "E", "L"))
    edges, bands = parts(drawing, "edge"), parts(drawing, "band")
    assert bands.keys() == {("A", "T"), ("T", "E"), ("L", "E")}
    heads = parts(drawing, "head")
    wide, narrow = (
        np.ptp(outline(heads[edge]), axis=0).max()
        for edge in [("A", "T"), ("S", "B")]
    )
    assert wide > 1.2 * narrow
    thick = max(edge.get_linewidth() for edge in edges.values())
    assert thick > 2 * edges["S", "B"].get_linewidth()
    for name, edge in edges.items():
        assert (edge.get_linewidth() == thick) == (name in bands)
    for name, band in bands.items():
        assert band.get_linewidth() > 2 * thick
        assert band.get_zorder() < edges[name].get_zorder()
        assert band.get_linestyle() == "solid"
        ends = [drawing.positions[node] for node in name]
        assert outline(band)[[0, -1]] == pytest.approx(np.array(ends))


def test_a_blocked_trail_is_broken_and_its_node_has_a_cross(ax):
    drawing = draw_graph(ax, COLLIDER, trail=("X", "Z", "Y"), blocked=("Z",))
    assert all(
        band.get_linestyle() != "solid"
        for band in parts(drawing, "band").values()
    )
    widths = {e.get_linewidth() for e in parts(drawing, "edge").values()}
    assert max(widths) < 2
    crosses = [p for p in drawing.get_children() if isinstance(p, Line2D)]
    assert [cross.get_marker() for cross in crosses] == ["o", "x"]
    node = parts(drawing, "node")["Z"]
    for cross in crosses:
        assert 0 < from_rim(cross.get_xydata(), node) < 0.1
        # The edges come from above.
        assert cross.get_ydata()[0] < centre(node)[1]


def test_a_trail_past_a_blocked_node_is_whole(ax):
    drawing = draw_graph(ax, ASIA, trail=("A", "T"), blocked="D")
    assert parts(drawing, "band")["A", "T"].get_linestyle() == "solid"
    assert parts(drawing, "cross").keys() == {"D"}


def test_dashed_edges_are_dashed(ax):
    moral = nx.Graph([("X", "Z"), ("Y", "Z"), ("X", "Y")])
    edges = parts(draw_graph(ax, moral, dashed=[("Y", "X")]), "edge")
    styles = {name: edge.get_linestyle() for name, edge in edges.items()}
    assert styles.pop(("X", "Y")) != "solid"
    assert set(styles.values()) == {"solid"}


def test_faded_nodes_are_dotted_with_all_their_edges(ax):
    drawing = draw_graph(ax, ASIA, faded=("X", "D"))
    nodes, edges = parts(drawing, "node"), parts(drawing, "edge")
    dotted = {n for n, p in nodes.items() if p.get_linestyle() != "solid"}
    assert dotted == {"X", "D"}
    dotted = {e for e, p in edges.items() if p.get_linestyle() != "solid"}
    assert dotted == {("E", "X"), ("E", "D"), ("B", "D")}
    ink, pale = (nodes[n].get_edgecolor()[:3] for n in "AX")
    assert lightness(pale) - lightness(ink) > 0.4


def test_a_fixed_node_is_a_dot_with_its_label_beside(ax):
    graph = nx.DiGraph([("a", "X"), ("b", "X"), ("c", "X"), ("d", "X")])
    places = {"X": (0, 0), "a": (-1, 0), "b": (1, 0), "c": (0, 1)}
    places["d"] = (0, -1)
    drawing = draw_graph(ax, graph, positions=places, fixed=list("abcd"))
    nodes, heads = parts(drawing, "node"), parts(drawing, "head")
    for name in "abcd":
        dot, text = nodes[name], parts(drawing, "label")[name]
        assert np.ptp(outline(dot)[:, 0]) < 0.2
        assert lightness(dot.get_facecolor()[:3]) < 0.2
        # Away from the edge.
        away = np.subtract(text.get_position(), centre(dot))
        assert away @ centre(dot) == pytest.approx(np.hypot(*away))
        start = outline(parts(drawing, "edge")[name, "X"])[0]
        assert from_rim(start, dot) == pytest.approx(0, abs=1e-3)
        tip = outline(heads[name, "X"])[0]
        assert from_rim(tip, nodes["X"]) == pytest.approx(0, abs=1e-3)
    fig = ax.figure
    fig.draw_without_rendering()
    for text in parts(drawing, "label").values():
        box, whole = text.get_window_extent(), ax.get_window_extent()
        assert whole.x0 < box.x0 < box.x1 < whole.x1
        assert whole.y0 < box.y0 < box.y1 < whole.y1


# --- Axes ------------------------------------------------------------------


def test_axes_hold_a_graph_and_nothing_else(ax):
    draw_graph(ax, ASIA)
    assert not ax.axison
    assert ax.get_title() == ""
    assert not ax.patches
    assert not ax.texts


def test_a_unit_is_as_long_across_as_upwards():
    fig, axes = subplots(2, 3, height=4)
    for ax, graph in zip(
        axes.flat, [FORK, CHAIN, COLLIDER, DIAMOND, ASIA, FORK], strict=True
    ):
        draw_graph(ax, graph)
    fig.draw_without_rendering()
    for ax in axes.flat:
        (x0, y0), (x1, y1) = ax.transData.transform([(0, 0), (1, 1)])
        assert x1 - x0 == pytest.approx(y1 - y0)


def test_wider_limits_stay(ax):
    draw_graph(ax, FORK)
    ax.set_xlim(-9, 9)
    ax.figure.draw_without_rendering()
    assert ax.get_xlim() == pytest.approx((-9, 9))


def test_drawing_again_changes_nothing():
    fig, ax = subplots(height=3)
    draw_graph(ax, ASIA, trail=("A", "T"), blocked="T", observed="X")
    # What stands below the graph knows the limits that the graph sets.
    ax.add_patch(Circle((0, 0), 0.4, zorder=-0.5))
    fig.set_layout_engine("none")
    canvas = FigureCanvasAgg(fig)
    pictures = []
    for _ in range(2):
        canvas.draw()
        pictures.append(np.array(canvas.buffer_rgba()))
    assert (pictures[0] == pictures[1]).all()


def edges_of(drawing):
    """Return the left, right, lower and upper edge in parts of the axes."""
    ax = drawing.axes
    ax.figure.draw_without_rendering()
    rims = [outline(part) for part in parts(drawing, "node").values()]
    points = ax.transAxes.inverted().transform(
        ax.transData.transform(np.concatenate(rims))
    )
    return [*points.min(axis=0), *points.max(axis=0)]


def test_a_title_stands_over_its_drawing():
    _, ax = subplots(height=5)
    left, low, right, high = edges_of(draw_graph(ax, FORK))
    assert left == pytest.approx(1 - right, abs=0.01)
    assert low == pytest.approx(1 - high, abs=0.01)
    assert min(left, low) > 0.1
    _, ax = subplots(height=5)
    ax.set_title("Fork")
    left, _, _, high = edges_of(draw_graph(ax, FORK))
    assert 0 < left < 0.03
    assert 0.97 < high < 1


def test_an_invisible_drawing_is_neither_drawn_nor_told():
    fig, ax = subplots(height=3)
    blank, other = subplots(height=3)
    other.set_axis_off()
    empty, _size = blank._repr_mimebundle_()
    draw_graph(ax, FORK).set_visible(False)
    unseen, _size = fig._repr_mimebundle_()
    assert unseen == empty


def test_positions_of_a_drawing_serve_another_one():
    _, (left, right) = subplots(1, 2)
    drawing = draw_graph(left, COLLIDER)
    moral = nx.Graph([("X", "Z"), ("Y", "Z"), ("X", "Y")])
    second = draw_graph(right, moral, positions=drawing.positions)
    assert second.positions == drawing.positions == layered_layout(COLLIDER)


# --- Words -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("graph", "marks", "said"),
    [
        (FORK, {}, "graph: X → Y, X → Z"),
        (nx.Graph([("B", "A")]), {}, "graph: A – B"),
        (
            nx.DiGraph([("A", "B"), ("B", "A"), ("C", "B")]),
            {},
            "graph: A – B, C → B",
        ),
        (nx.empty_graph(["W", "V"]), {}, "graph: V, W"),
        (
            nx.DiGraph({"X": ["Y"], "W": []}),
            {"observed": {"Y", "W"}},
            "graph: X → Y, W; observed W, Y",
        ),
        (
            COLLIDER,
            {"trail": ("X", "Z", "Y"), "blocked": "Z"},
            "graph: X → Z, Y → Z; trail X → Z ← Y; blocked at Z",
        ),
        (
            nx.Graph([("X", "Z"), ("Y", "Z"), ("X", "Y")]),
            {"dashed": {("Y", "X")}, "trail": ("X", "Y")},
            "graph: X – Y, X – Z, Y – Z; dashed X – Y; trail X – Y",
        ),
        (
            CHAIN,
            {
                "faded": ["Z"],
                "fixed": ["X"],
                "plates": [("Y", "n = 1, …, $N$")],
            },
            "graph: X → Y, Y → Z; fixed X; faded Z; plate n = 1, …, N: Y",
        ),
        (
            CHAIN,
            {"labels": {"X": "$X_1$", "Y": "two\nlines"}, "observed": "Y"},
            "graph: X_1 → two lines, two lines → Z; observed two lines",
        ),
    ],
)
def test_a_drawing_says_what_it_shows(graph, marks, said):
    fig, ax = subplots(height=3)
    ax.set_title("Title")
    assert draw_graph(ax, graph, **marks).describe() == said
    assert describe(fig) == f'Figure, 4.75 × 3 in\nAxes "Title"\n  {said}'


# --- What cannot be drawn --------------------------------------------------


@pytest.mark.parametrize(
    ("marks", "said"),
    [
        (
            {"observed": ["smoke"]},
            "`observed` names 'smoke', which is not in ",
        ),
        (
            {"observed": "smoke"},
            "graph; its nodes are .* Did you mean 'smoker'",
        ),
        ({"blocked": "W"}, "`blocked` names 'W', which is not in the graph; "),
        (
            {"faded": [7]},
            "not in the graph; its nodes are 'cough', 'ill', 'smoker'.",
        ),
        ({"fixed": ["il"]}, "`fixed` names 'il'.* Did you mean 'ill'"),
        ({"trail": ("ill", "caugh")}, "`trail` names 'caugh'.*'cough'?"),
        (
            {"trail": ("ill", "cough", "smoker")},
            "`trail` goes from 'cough' to 'smoker', but the graph has no edge",
        ),
        (
            {"dashed": [("smoker", "cough")]},
            "`dashed` goes from 'smoker' to 'cough', but the graph has no ",
        ),
        ({"dashed": [("smoker", "ile")]}, "`dashed` names 'ile'.*'ill'?"),
        ({"plates": [(["I"], "n")]}, "Plate 'n' names 'I', which is not in"),
        ({"plates": [([], "n")]}, "Plate 'n' is around no nodes"),
        ({"labels": {"Smoker": "S"}}, "`labels` names 'Smoker'.*'smoker'?"),
        (
            {"positions": {"smoker": (0, 0)}},
            "`positions` has no place for 'cough', 'ill'.",
        ),
        (
            {"positions": dict.fromkeys(["cough", "ill", "smokr"], (0, 0))},
            "`positions` names 'smokr'.*'smoker'?",
        ),
        (
            {"positions": {"smoker": (0, 0), "ill": (3, 0), "cough": (3, 0)}},
            r"'cough' at \(3, 0\) and 'ill' at \(3, 0\) would cover each",
        ),
        (
            {
                "positions": {
                    "smoker": (0, 0),
                    "ill": (3, 0),
                    "cough": (3, 0.4),
                }
            },
            "would cover each other: give them `positions` farther apart",
        ),
        (
            {"positions": {"smoker": (0, 0), "ill": (3,), "cough": (6, 0)}},
            r"The position of 'ill' is \(3,\): it needs two finite numbers",
        ),
        (
            {
                "positions": {
                    "smoker": (0, 0),
                    "ill": (float("nan"), 0),
                    "cough": (6, 0),
                }
            },
            r"The position of 'ill' is \(nan, 0\): it needs two finite",
        ),
    ],
)
def test_what_cannot_be_drawn_is_named(ax, marks, said):
    graph = nx.DiGraph([("smoker", "ill"), ("ill", "cough")])
    said = re.sub(r"\?$", r"\\?", said)
    with pytest.raises(GraphError, match=said):
        draw_graph(ax, graph, **marks)
    assert not ax.artists


@pytest.mark.parametrize(
    ("graph", "error", "said"),
    [
        (nx.DiGraph(), GraphError, "The graph has no nodes"),
        (nx.DiGraph([("A", "A")]), GraphError, "'A' has an edge to itself"),
        (
            "A -> B",
            TypeError,
            "'A -> B' cannot be drawn: give a networkx.DiGraph",
        ),
        (
            nx.MultiDiGraph([("A", "B")] * 2),
            TypeError,
            "MultiDiGraph .* cannot be drawn",
        ),
    ],
)
def test_what_is_no_graph_is_refused(ax, graph, error, said):
    with pytest.raises(error, match=said):
        draw_graph(ax, graph)
    with pytest.raises(error, match=said):
        layered_layout(graph)
    assert ax.axison


def test_parts_are_of_the_house(ax):
    """No colour but those of the house, which are told apart."""
    drawing = draw_graph(ax, CHAIN, trail=("X", "Y", "Z"), observed="Y")
    lines = [p for p in drawing.get_children() if isinstance(p, PathPatch)]
    assert {mpl.colors.to_hex(line.get_edgecolor()) for line in lines} == {
        "#222222",
        "#f5d08a",
    }
