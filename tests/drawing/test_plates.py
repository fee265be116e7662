"""Plates: frames around their nodes, apart from others, with a text."""

import networkx as nx
import numpy as np
import pytest
from drawing.graph_pictures import CHAIN, COLLIDER, gap, limits, parts
from drawing.pictures import outline
from matplotlib.text import Text

from bayesbook.base import GraphError
from bayesbook.drawing import draw_graph, subplots

pytestmark = pytest.mark.usefixtures("own_style")


@pytest.fixture
def ax():
    return subplots(height=3)[1]


NAIVE = nx.DiGraph([("p", "C"), ("C", "X"), ("t", "X")])
NAIVE_PLACES = {"p": (-1.2, 0), "C": (0, 0), "X": (1.5, 0), "t": (3, 0)}


def plates(drawing):
    return {
        part.get_gid().removeprefix("plate "): part
        for part in drawing.get_children()
        if part.get_gid().startswith("plate")
    }


def holds(outer, inner):
    return (outline(outer).min(0) < outline(inner).min(0)).all() and (
        outline(outer).max(0) > outline(inner).max(0)
    ).all()


def test_plates_are_nested_and_hold_their_nodes_only(ax):
    given = {"n = 1, …, N": ("C", "X"), "m = 1, …, M": ("X",)}
    drawing = draw_graph(
        ax,
        NAIVE,
        positions=NAIVE_PLACES,
        plates=[(nodes, text) for text, nodes in given.items()],
    )
    frames, nodes = plates(drawing), parts(drawing, "node")
    assert frames.keys() == given.keys()
    for text, frame in frames.items():
        for name, node in nodes.items():
            assert holds(frame, node) == (name in given[text])
            assert gap(frame, node) > 0.1
    assert holds(frames["n = 1, …, N"], frames["m = 1, …, M"])
    assert gap(*frames.values()) > 0.05
    low, _high = limits(ax)
    assert (outline(frames["n = 1, …, N"]) > low).all()


@pytest.mark.parametrize("columns", [1, 2])
def test_the_text_of_a_plate_stands_in_its_lower_right_corner(columns):
    fig, axes = subplots(1, columns, height=3, squeeze=False)
    ax = axes.flat[0]
    drawing = draw_graph(ax, CHAIN, plates=[(("X", "Y"), "n = 1, …, N")])
    fig.draw_without_rendering()
    (frame,) = plates(drawing).values()
    box = frame.get_window_extent()
    (text,) = (
        part.get_window_extent()
        for part in drawing.get_children()
        if isinstance(part, Text) and part.get_text().startswith("n")
    )
    assert box.x0 < text.x0 < text.x1 < box.x1
    assert box.y0 < text.y0 < text.y1 < box.y1
    assert box.x1 - text.x1 < text.height
    assert text.y0 - box.y0 < text.height
    # Below all nodes.
    nodes = [parts(drawing, "node")[n].get_window_extent() for n in "XY"]
    assert text.y1 < min(node.y0 for node in nodes)


def test_overlapping_plates_have_frames_and_texts_apart(ax):
    places = {"X": (0, 0), "Y": (1.1, 0), "Z": (2.2, 0)}
    given = [(("X", "Y"), "n = 1, …, N"), (("Y", "Z"), "m = 1, …, M")]
    drawing = draw_graph(ax, CHAIN, positions=places, plates=given)
    one, other = plates(drawing).values()
    for side in (outline(one), outline(other)):
        assert side[:, 0].min() < 1.1 < side[:, 0].max()
    sides = [
        abs(outline(one).min(0) - outline(other).min(0)),
        abs(outline(one).max(0) - outline(other).max(0)),
    ]
    assert np.min(sides) > 0.05
    ax.figure.draw_without_rendering()
    boxes = [
        part.get_window_extent()
        for part in drawing.get_children()
        if isinstance(part, Text) and "…" in part.get_text()
    ]
    assert not boxes[0].overlaps(boxes[1])


def test_a_plate_is_as_far_from_a_wide_one_on_both_sides(ax):
    drawing = draw_graph(
        ax,
        CHAIN,
        positions={"X": (0, 0), "Y": (0, -1.1), "Z": (0, -2.2)},
        plates=[(("X",), "each of m = 1, …, M"), (("X", "Y"), "n")],
    )
    inner, outer = (
        outline(plates(drawing)[text])[:, 0]
        for text in ("each of m = 1, …, M", "n")
    )
    left, right = inner.min() - outer.min(), outer.max() - inner.max()
    assert left == pytest.approx(right)
    assert left > 0.05


def test_texts_of_plates_stand_below_each_other():
    """One plate around a column, the other around a row, as in a cross."""
    fig, ax = subplots(height=3)
    drawing = draw_graph(
        ax,
        COLLIDER,
        positions={"X": (0, 1.1), "Z": (0, 0), "Y": (1.1, 0)},
        plates=[(("X", "Z"), "n = 1, …, N"), (("Z", "Y"), "all m = 1, …, M")],
    )
    fig.draw_without_rendering()
    upper, lower = (
        part.get_window_extent()
        for part in drawing.get_children()
        if isinstance(part, Text) and "…" in part.get_text()
    )
    assert upper.x1 > lower.x0
    assert upper.y0 > lower.y1


def test_a_plate_that_would_hold_a_stranger_is_refused(ax):
    with pytest.raises(GraphError, match=r"Plate 'N' .* without 'Y'"):
        draw_graph(ax, CHAIN, plates=[(("X", "Z"), "N")])
