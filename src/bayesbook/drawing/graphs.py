"""Drawings of graphs: observed nodes, active and blocked trails, plates.

A drawing says twice what it shows, as a picture and in words, and in the
picture no meaning rests on colour alone.

>>> import networkx as nx
>>> from bayesbook.drawing import describe, subplots
>>> fig, ax = subplots(height=2)
>>> collider = nx.DiGraph([("X", "Z"), ("Y", "Z")])
>>> _ = draw_graph(ax, collider, observed="Z", trail=("X", "Z", "Y"))
>>> print(describe(fig))
Figure, 4.75 × 2 in
Axes
  graph: X → Z, Y → Z; observed Z; trail X → Z ← Y
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.lines import Line2D
from matplotlib.text import Text

from bayesbook.base import GraphError
from bayesbook.drawing.figures import FILLS, GREY, INK, Drawing
from bayesbook.drawing.layout import edges_of, nodes_of, place_boxes
from bayesbook.drawing.parts import (
    FADED,
    POINTS,
    SHADE,
    STEPS,
    TIGHT,
    Shape,
    check_apart,
    chosen,
    draw_edge,
    draw_line,
    draw_outline,
    extent,
    find_routes,
    freest,
    gid_of,
    plain_text,
    rays_of,
    read_places,
    show_all,
    text_at,
)
from bayesbook.drawing.plates import draw_plates

__all__ = ["GraphDrawing", "draw_graph", "layered_layout"]

Node = Hashable
Edge = tuple[Node, Node]

# Lengths are in units of the drawing, see `POINTS`.
_RADIUS, _DOT = 0.24, 0.07
# No letters are smaller, however small the axes.
_LEAST = 9.0


class GraphDrawing(Drawing):
    """A drawn graph: one artist that consists of many.

    Made by :func:`bayesbook.drawing.draw_graph`.

    Parameters
    ----------
    ax : Axes
        The drawing adds itself to them.
    parts : sequence of Artist
        Drawn by their ``zorder``. The ``gid`` of each says what it is, such
        as ``"node X"`` or ``"head X Y"``.
    positions : mapping of node to (x, y)
        Give it to another drawing to have the nodes at the same places.
    words : str
        What the drawing shows.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=2)
    >>> drawing = draw_graph(ax, nx.DiGraph([("X", "Y")]))
    >>> isinstance(drawing, GraphDrawing), drawing.positions
    (True, {'X': (0.0, 0.475), 'Y': (0.0, -0.475)})
    """

    _least = _LEAST

    def __init__(
        self,
        ax: Axes,
        parts: Sequence[Artist],
        positions: Mapping[Any, tuple[float, float]],
        words: str,
    ):
        super().__init__(ax, parts, words)
        self.positions = dict(positions)
        self._letters = {
            part: part.get_fontsize()
            for part in parts
            if isinstance(part, Text)
        }
        # Before all other artists, which then see the limits that it sets.
        self.set_zorder(-1)

    def draw(self, renderer: RendererBase) -> None:
        """Draw all parts, with letters as large as the nodes allow."""
        if not self.get_visible():
            return
        scale = self._widen_limits()
        for text, size in self._letters.items():
            text.set_fontsize(max(size * scale / POINTS, self._least))
        super().draw(renderer)

    def _widen_limits(self):
        """Widen the limits so that circles are round; return points a unit.

        Before it is drawn, the size of the axes is not known.
        """
        axes = self.axes
        assert axes is not None
        ends = np.array([axes.get_xlim(), axes.get_ylim()])
        middle, length = ends.mean(axis=1), np.ptp(ends, axis=1)
        points = np.array(axes.bbox.size) * 72 / axes.figure.dpi
        scale = min(POINTS, *(points / length))
        room = points / scale
        low, high = middle - room / 2, middle + room / 2
        if axes.get_title(loc="left"):
            # A title stands over its drawing, which begins where it begins.
            low[0], high[1] = ends[0, 0], ends[1, 1]
            high[0], low[1] = low[0] + room[0], high[1] - room[1]
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        return scale


def draw_graph(
    ax: Axes,
    graph: nx.Graph,
    *,
    positions: Mapping[Node, tuple[float, float]] | None = None,
    labels: Mapping[Node, str] | None = None,
    observed: Collection[Node] = (),
    trail: Sequence[Node] = (),
    blocked: Collection[Node] = (),
    dashed: Collection[Edge] = (),
    faded: Collection[Node] = (),
    fixed: Collection[Node] = (),
    plates: Sequence[tuple[Collection[Node], str]] = (),
) -> GraphDrawing:
    """Draw a graph into axes, which then have no scales.

    An edge in both directions of a digraph is drawn without a head, as is an
    edge of an undirected graph. An edge is bent if a straight one would run
    through another node.

    Parameters
    ----------
    ax : Axes
        Nodes are 0.37 inches wide, less where the axes are too small.
    graph : networkx.DiGraph or networkx.Graph
    positions : mapping of node to (x, y), optional
        A position for each node, y upwards; nodes are 0.48 wide. Without it
        they are those of :func:`layered_layout`.
    labels : mapping of node to str, optional
        What to write into a node instead of its name. TeX between dollars
        and line breaks work.
    observed : nodes
        Shaded, with a thick rim.
    trail : sequence of nodes
        A path, whatever the directions of its edges: a wide band under thick
        edges, as long as no node of it is blocked.
    blocked : nodes
        Marked with a cross on the rim. The band of a trail through one is
        broken, and its edges are thin.
    dashed : pairs of nodes
        Edges to draw dashed, such as those that a moral graph adds.
    faded : nodes
        Pale and dotted, with all their edges, such as nodes that are removed.
    fixed : nodes
        Small and solid, with the label beside, such as hyper-parameters.
    plates : sequence of (nodes, text)
        A frame around the nodes, the text in its lower right corner. Plates
        may be nested and may overlap.

    Returns
    -------
    GraphDrawing

    Raises
    ------
    TypeError
        If it is not a networkx.DiGraph or networkx.Graph.
    GraphError
        If the graph is empty or has a self loop, if a node or an edge is not
        in the graph, if a node has no position or stands on another one, or
        if a plate would hold a node that is not its own.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=1.5)
    >>> chain = nx.DiGraph([("X", "Y"), ("Y", "Z")])
    >>> places = layered_layout(chain, direction="right")
    >>> drawing = draw_graph(ax, chain, positions=places, blocked="Y")
    >>> drawing.describe()
    'graph: X → Y, Y → Z; blocked at Y'
    """
    nodes = nodes_of(graph)
    marked = {
        name: chosen(nodes, given, f"`{name}`")
        for name, given in {
            "observed": observed,
            "trail": trail,
            "blocked": blocked,
            "faded": faded,
            "fixed": fixed,
        }.items()
    }
    plates = [(chosen(nodes, own, f"Plate {t!r}"), t) for own, t in plates]
    for own, text in plates:
        if not own:
            raise GraphError(f"Plate {text!r} is around no nodes.")
    steps = _pairs(graph, pairwise(marked["trail"]), "trail")
    thin = _pairs(graph, dashed, "dashed")
    labels = _texts(nodes, labels)
    if positions is None:
        positions = layered_layout(graph, labels=labels)
    positions = read_places(nodes, positions)
    shapes = {
        node: Shape(*positions[node], _DOT, _DOT, _DOT)
        if node in marked["fixed"]
        else Shape(*positions[node], *_size(labels[node]))
        for node in nodes
    }
    check_apart(shapes)
    curves = find_routes(edges_of(graph, nodes), shapes)

    parts = draw_plates(plates, shapes)
    stopped = bool(set(marked["trail"]) & set(marked["blocked"]))
    for edge, curve in curves.items():
        if frozenset(edge) in steps:
            parts.append(_draw_band(edge, curve, stopped))
    for edge, curve in curves.items():
        parts += draw_edge(
            edge,
            curve,
            arrow=graph.is_directed() and not graph.has_edge(*edge[::-1]),
            bold=frozenset(edge) in steps and not stopped,
            dashed=frozenset(edge) in thin,
            faded=bool(set(edge) & set(marked["faded"])),
        )
    for node, shape in shapes.items():
        look = {name for name, given in marked.items() if node in given}
        parts += _draw_node(
            node, shape, labels[node], look, rays_of(node, curves)
        )
    words = _words(graph, curves, labels, marked, thin, plates)
    drawing = GraphDrawing(ax, parts, positions, words)
    show_all(ax, parts)
    return drawing


def layered_layout(
    graph: nx.Graph,
    *,
    labels: Mapping[Node, str] | None = None,
    direction: str = "down",
) -> dict[Node, tuple[float, float]]:
    """Place the nodes of a graph in layers, so that few edges cross.

    The layer of a node is the length of the longest path to it from a root.
    The orders within the layers are those with the fewest crossings, found
    by trying all (by barycentre sweeps if a layer is wider than six); then
    each node is drawn towards its neighbours. The same graph gets the same
    places whatever the order of its nodes and edges. An edge without a
    direction counts as an arrow towards the later name; the nodes of a graph
    with a directed cycle stand on a circle.

    Parameters
    ----------
    graph : networkx.DiGraph or networkx.Graph
    labels : mapping of node to str, optional
        What is written into the nodes: long words take more room.
    direction : {"down", "right"}
        Where arrows point.

    Returns
    -------
    dict of node to (x, y)
        Rounded to three decimals, y upwards, the middle at (0, 0).

    Raises
    ------
    TypeError
        If it is not a networkx.DiGraph or networkx.Graph.
    GraphError
        If the graph is empty or has a self loop.
    ValueError
        If the direction is another one.

    References
    ----------
    Sugiyama, Tagawa and Toda (1981), "Methods for visual understanding of
    hierarchical system structures".

    Examples
    --------
    >>> layered_layout(nx.DiGraph([("X", "Z"), ("Y", "Z")]))
    {'X': (-0.55, 0.475), 'Y': (0.55, 0.475), 'Z': (0.0, -0.475)}
    """
    nodes = nodes_of(graph)
    labels = _texts(nodes, labels)
    room = {node: _size(labels[node])[:2] for node in nodes}
    return place_boxes(graph, room, direction)


# --- Reading the arguments ------------------------------------------------


def _pairs(graph, pairs, what):
    pairs = list(pairs)
    for u, v in pairs:
        chosen(list(graph), (u, v), f"`{what}`")
        if not graph.has_edge(u, v) and not graph.has_edge(v, u):
            raise GraphError(
                f"`{what}` goes from {u!r} to {v!r}, but the graph has no "
                "edge between them."
            )
    return {frozenset(pair) for pair in pairs}


def _texts(nodes, labels):
    labels = labels or {}
    chosen(nodes, labels, "`labels`")
    return {node: str(labels.get(node, node)) for node in nodes}


def _words(graph, edges, labels, marked, dashed, plates):
    """Describe in one line what the drawing shows."""
    name = {node: plain_text(text) for node, text in labels.items()}

    def step(u, v):
        if graph.has_edge(u, v) and graph.has_edge(v, u):
            return "–"
        return "→" if graph.has_edge(u, v) else "←"

    def among(nodes):
        return ", ".join(name[node] for node in name if node in nodes)

    def joined(pairs):
        return ", ".join(f"{name[u]} {step(u, v)} {name[v]}" for u, v in pairs)

    ends = {node for edge in edges for node in edge}
    drawn = [joined(edges), among(name.keys() - ends)]
    parts = ["graph: " + ", ".join(filter(None, drawn))]
    for what in ("observed", "fixed", "faded"):
        if marked[what]:
            parts.append(f"{what} {among(marked[what])}")
    if dashed:
        parts.append("dashed " + joined(e for e in edges if set(e) in dashed))
    if trail := marked["trail"]:
        steps = [f" {step(u, v)} {name[v]}" for u, v in pairwise(trail)]
        parts.append(f"trail {name[trail[0]]}{''.join(steps)}")
    if marked["blocked"]:
        parts.append("blocked at " + among(marked["blocked"]))
    parts += [
        f"plate {plain_text(text)}: {among(own)}" for own, text in plates
    ]
    return "; ".join(parts)


# --- The parts ------------------------------------------------------------


def _size(text: str) -> tuple[float, float, float]:
    """Return half the width and height of a node, and its corners' radius."""
    width, height = (
        _RADIUS if side / 2 + TIGHT <= _RADIUS else side / 2 + 2 * TIGHT
        for side in extent(text)
    )
    return float(np.round(width, 3)), float(np.round(height, 3)), _RADIUS


def _draw_band(edge, curve, stopped):
    look = (
        {"ec": SHADE, "ls": (0, (0.4, 0.4))} if stopped else {"ec": FILLS[1]}
    )
    return draw_line(
        curve(STEPS), f"band {gid_of(edge)}", lw=11, zorder=1, **look
    )


def _draw_node(node, shape, label, look, rays):
    faded = "faded" in look
    fill = SHADE if "observed" in look else "white"
    rim = draw_outline(
        shape,
        f"node {node}",
        fc=INK if "fixed" in look else fill,
        ec=FADED if faded else INK,
        lw=2.8 if "observed" in look else 1.3,
        ls=(0, (1, 1.5)) if faded else "solid",
        zorder=3,
    )
    place, align = shape.centre, {}
    if "fixed" in look:
        x, y = freest(rays, [(-1, 0), (1, 0), (0, 1), (0, -1)])
        place = place + 2 * _DOT * np.array([x, y])
        if x:
            align["ha"] = "left" if x > 0 else "right"
        else:
            align["va"] = "bottom" if y > 0 else "top"
    colour = GREY if faded else INK
    parts = [
        rim,
        text_at(place, label, f"label {node}", color=colour, **align),
    ]
    if "blocked" in look:
        x, y = freest(rays, [(1, 1), (1, -1), (-1, 1), (-1, -1)])
        place = shape.rim(np.arctan2(y, x)) + 0.04 * np.array([x, y])
        for marker, size, width in (("o", 11, 1), ("x", 4.5, 2.2)):
            cross = Line2D(
                *place[:, None],
                marker=marker,
                ms=size,
                mew=width,
                mfc="white",
                mec=INK,
                gid=f"cross {node}",
                zorder=5,
            )
            parts.append(cross)
    return parts
