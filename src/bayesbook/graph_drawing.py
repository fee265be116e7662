"""Drawings of graphs: what is observed, which trail is active, plates.

A drawing says twice what it shows, as a picture and in words, and in the
picture no meaning rests on colour alone.

>>> import networkx as nx
>>> from bayesbook.figures import describe, subplots
>>> fig, ax = subplots(height=2)
>>> collider = nx.DiGraph([("X", "Z"), ("Y", "Z")])
>>> _ = draw_graph(ax, collider, observed="Z", trail=("X", "Z", "Y"))
>>> print(describe(fig))
Figure, 7 × 2 in
Axes
  graph: X → Z, Y → Z; observed Z; trail X → Z ← Y
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations, pairwise, permutations, product
from math import factorial, prod

import networkx as nx
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from scipy.linalg import block_diag
from scipy.optimize import brentq, lsq_linear

from bayesbook.errors import GraphError
from bayesbook.figures import FILLS, GREY, INK

__all__ = ["GraphDrawing", "draw_graph", "layered_layout"]

Node = Hashable
Edge = tuple[Node, Node]

# Lengths are in units of the drawing. A unit is at most so many points, so
# that the nodes of small graphs are as large as those of others.
_POINTS = 56.0
# Letters in points: where a unit has that many, of plates, and at least.
_LETTERS, _PLATE_LETTERS, _LEAST = 11.0, 9.5, 9.0
_RADIUS = 0.24
_DOT = 0.07
_GAP = 0.36  # least distance between the rims of nodes, for an arrow
_ACROSS, _DOWN = 1.1, 0.95  # from node to node, from layer to layer
_CLEAR = 0.07  # between an edge and a node that it passes
_SAME = np.cos(np.radians(9))  # edges of a node are farther apart
_HEAD = 0.17
_PLATE = 0.16  # from a node to its plate, and from plate to plate
_STEPS = np.linspace(0, 1, 81)
# How far the control point of an edge may lie from the straight line.
_BENDS = sorted([*np.arange(-40, 41) / 10], key=lambda b: (abs(b), -b))
SHADE, PALE_INK = "#d0d0d0", "#a8a8a8"
_MARGIN = 0.08
# Which share of a text is left of, or below, the point that it stands at.
_SHARES = {
    **{"left": 0, "center": 0.5, "right": 1},
    **{"bottom": 0, "baseline": 0.2, "center_baseline": 0.5, "top": 1},
}
_FEW = 600  # as many orders of layers are all tried


class GraphDrawing(Artist):
    """A drawn graph: one artist that consists of many.

    Made by :func:`draw_graph`.

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
    """

    def __init__(
        self,
        ax: Axes,
        parts: Sequence[Artist],
        positions: Mapping[Node, tuple[float, float]],
        words: str,
    ):
        super().__init__()
        self.positions = dict(positions)
        self._parts = sorted(parts, key=Artist.get_zorder)
        self._letters = {
            part: part.get_fontsize()
            for part in parts
            if isinstance(part, Text)
        }
        self._words = words
        # Before all other artists, which then see the limits that it sets.
        self.set_zorder(-1)
        ax.add_artist(self)
        for part in parts:
            part.set_figure(ax.figure)
            part.axes = ax
            part.set_transform(ax.transData)

    def describe(self) -> str:
        """Say what the drawing shows, in one line."""
        return self._words

    def get_children(self) -> list[Artist]:
        """Give the parts of the drawing."""
        return list(self._parts)

    def draw(self, renderer):
        """Draw all parts, letters as large as the nodes ask for."""
        if not self.get_visible():
            return
        scale = self._widen_limits()
        for part in self._parts:
            if isinstance(part, Text):
                size = self._letters[part] * scale / _POINTS
                part.set_fontsize(max(size, _LEAST))
            part.draw(renderer)
        self.stale = False

    def _widen_limits(self):
        """Make circles round and not too large; give points for a unit.

        The size of axes is known only now. Limits are never made narrower.
        """
        axes = self.axes
        ends = np.array([axes.get_xlim(), axes.get_ylim()])
        middle, length = ends.mean(axis=1), np.ptp(ends, axis=1)
        points = np.array(axes.bbox.size) * 72 / axes.figure.dpi
        scale = min(_POINTS, *(points / length))
        x, y = np.transpose(
            [middle - points / scale / 2, middle + points / scale / 2]
        )
        axes.set(xlim=x, ylim=y)
        return scale


@dataclass(frozen=True)
class _Shape:
    """A box with round corners, which is a circle if it is no wider."""

    x: float
    y: float
    width: float  # half of it: from the centre to the rim
    height: float
    radius: float

    @property
    def centre(self):
        return np.array([self.x, self.y])

    @property
    def core(self):
        """Half the sizes of the box without its round seam."""
        return np.array([self.width, self.height]) - self.radius

    def distance(self, points):
        """Measure how far from the rim points are; inside it is negative."""
        beyond = np.abs(points - self.centre) - self.core
        return np.hypot(*np.maximum(beyond, 0).T) - self.radius

    def rim(self, angles):
        """Give the points of the rim with normals at these angles."""
        normal = np.stack([np.cos(angles), np.sin(angles)], axis=-1).round(9)
        return self.centre + np.sign(normal) * self.core + self.radius * normal


@dataclass(frozen=True, eq=False)
class _Curve:
    """A parabola from the centre of a node to that of another one."""

    start: _Shape
    control: np.ndarray
    end: _Shape

    def __call__(self, t):
        t = np.asarray(t)[..., None]
        return (
            (1 - t) ** 2 * self.start.centre
            + 2 * t * (1 - t) * self.control
            + t**2 * self.end.centre
        )

    def between_rims(self):
        """Give the parameters where it leaves a node and meets the other."""
        leaves = self.start.distance(self(_STEPS)) > 0
        meets = self.end.distance(self(_STEPS)) > 0
        i, k = np.argmax(leaves), len(_STEPS) - 1 - np.argmax(meets[::-1])
        return (
            brentq(
                lambda t: self.start.distance(self(t)), *_STEPS[[i - 1, i]]
            ),
            brentq(lambda t: self.end.distance(self(t)), *_STEPS[[k, k + 1]]),
        )


@dataclass(frozen=True)
class _Bend:
    """Stands in a layer for an edge that passes it."""

    edge: Edge
    layer: int


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

    An edge in both directions of a digraph is a line without a head, as is
    an edge of an undirected graph. An edge is bent if a straight one would
    run through another node.

    Parameters
    ----------
    ax : Axes
        Nodes are about 0.35 inches wide, less where the axes are too small.
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
    GraphError
        If the graph is empty or has a self loop, if a node or an edge is not
        in the graph, if a node has no position or stands on another one, or
        if a plate would hold a node that is not its own.

    Examples
    --------
    >>> from bayesbook.figures import subplots
    >>> fig, ax = subplots(height=1.5)
    >>> chain = nx.DiGraph([("X", "Y"), ("Y", "Z")])
    >>> places = layered_layout(chain, direction="right")
    >>> drawing = draw_graph(ax, chain, positions=places, blocked="Y")
    >>> drawing.describe()
    'graph: X → Y, Y → Z; blocked at Y'
    """
    nodes = _nodes(graph)
    marked = {
        name: _listed(nodes, given, f"`{name}`")
        for name, given in {
            "observed": observed,
            "trail": trail,
            "blocked": blocked,
            "faded": faded,
            "fixed": fixed,
        }.items()
    }
    plates = [(_listed(nodes, own, f"Plate {t!r}"), t) for own, t in plates]
    steps = _pairs(graph, pairwise(marked["trail"]), "trail")
    thin = _pairs(graph, dashed, "dashed")
    labels = _texts(nodes, labels)
    if positions is None:
        positions = layered_layout(graph, labels=labels)
    positions = _places(nodes, positions)
    shapes = {
        node: _Shape(*positions[node], _DOT, _DOT, _DOT)
        if node in marked["fixed"]
        else _Shape(*positions[node], *_size(labels[node]))
        for node in nodes
    }
    _check_apart(shapes)
    curves = _routes(_edges(graph, nodes), shapes)

    parts = _draw_plates(plates, shapes)
    stopped = bool(set(marked["trail"]) & set(marked["blocked"]))
    for edge, curve in curves.items():
        if frozenset(edge) in steps:
            parts.append(_draw_band(edge, curve, stopped))
    for edge, curve in curves.items():
        parts += _draw_edge(
            edge,
            curve,
            arrow=graph.is_directed() and not graph.has_edge(*edge[::-1]),
            bold=frozenset(edge) in steps and not stopped,
            dashed=frozenset(edge) in thin,
            faded=bool(set(edge) & set(marked["faded"])),
        )
    for node, shape in shapes.items():
        look = {name for name, given in marked.items() if node in given}
        rays = [_ray(curves[e], e, node) for e in curves if node in e]
        parts += _draw_node(node, shape, labels[node], look, rays)
    words = _words(graph, curves, labels, marked, dashed, plates)
    drawing = GraphDrawing(ax, parts, positions, words)
    _show_all(ax, parts)
    return drawing


def layered_layout(
    graph: nx.Graph,
    *,
    labels: Mapping[Node, str] | None = None,
    direction: str = "down",
) -> dict[Node, tuple[float, float]]:
    """Place the nodes of a graph in layers, so that few edges cross.

    The layer of a node is the length of the longest path to it from a root.
    Within the layers the nodes are ordered by barycentre sweeps, or by
    trying all orders if these are few, and are then drawn towards the mean
    of their neighbours. The same graph gets the same places whatever the
    order of its nodes and edges. A line without a direction counts as an
    arrow towards the later name; a graph with a cycle of arrows is a circle.

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
    if direction not in ("down", "right"):
        raise ValueError(
            f"direction={direction!r} is not known: use 'down' or 'right'."
        )
    nodes = _nodes(graph)
    labels = _texts(nodes, labels)
    # Half of what a node takes along its layer, and from layer to layer.
    room = {node: _size(labels[node])[:2] for node in nodes}
    if direction == "right":
        room = {node: size[::-1] for node, size in room.items()}
    # A line counts as an arrow towards the later name.
    dag = nx.DiGraph()
    dag.add_nodes_from(nodes)
    dag.add_edges_from(_edges(graph, nodes))
    if not nx.is_directed_acyclic_graph(dag):
        return _circle(nodes, room)
    layers = [
        sorted(layer, key=nodes.index)
        for layer in nx.topological_generations(dag)
    ]
    layers, links = _with_bends(layers, dag)
    layers = _order(layers, links)
    along = _spread(layers, links, room)
    depth = _depths(layers, room)
    places = {node: (along[node], -depth[node]) for node in nodes}
    if direction == "right":
        places = {node: (-y, -x) for node, (x, y) in places.items()}
    return _centred(places)


# --- What is asked for ----------------------------------------------------


def _nodes(graph):
    """List the nodes by their names, A2 before A10."""
    if not graph:
        raise GraphError("The graph has no nodes: there is nothing to draw.")
    for node in graph:
        if graph.has_edge(node, node):
            raise GraphError(
                f"{node!r} has an edge to itself, which cannot be drawn."
            )

    def name(node):
        parts = re.split(r"(\d+)", str(node))
        return [int(part) if part.isdecimal() else part for part in parts]

    return sorted(graph, key=name)


def _edges(graph, nodes):
    """List the edges by name, one in both directions once."""
    rank = {node: i for i, node in enumerate(nodes)}
    edges = {
        (u, v) if not graph.has_edge(v, u) or rank[u] < rank[v] else (v, u)
        for u, v in graph.edges()
    }
    return sorted(edges, key=lambda edge: [rank[node] for node in edge])


def _listed(nodes, given, what):
    """Read one node or several; each must be in the graph."""
    if isinstance(given, Hashable) and given in nodes:
        return (given,)
    if isinstance(given, str):
        given = (given,) if given else ()
    given = tuple(given)
    for node in given:
        if node not in nodes:
            known = {str(known): known for known in nodes}
            close = get_close_matches(str(node), known, n=1)
            remedy = (
                f"did you mean {known[close[0]]!r}?"
                if close
                else (f"its nodes are {', '.join(map(repr, nodes))}.")
            )
            raise GraphError(
                f"{what} names {node!r}, which is not in the graph; {remedy}"
            )
    return given


def _pairs(graph, pairs, what):
    pairs = list(pairs)
    for u, v in pairs:
        _listed(list(graph), (u, v), f"`{what}`")
        if not graph.has_edge(u, v) and not graph.has_edge(v, u):
            raise GraphError(
                f"`{what}` goes from {u!r} to {v!r}, but the graph has no "
                "edge between them."
            )
    return {frozenset(pair) for pair in pairs}


def _texts(nodes, labels):
    labels = labels or {}
    _listed(nodes, labels, "`labels`")
    return {node: str(labels.get(node, node)) for node in nodes}


def _places(nodes, positions):
    _listed(nodes, positions, "`positions`")
    missing = [repr(node) for node in nodes if node not in positions]
    if missing:
        raise GraphError(f"`positions` has no place for {', '.join(missing)}.")
    return {node: tuple(map(float, positions[node])) for node in nodes}


def _check_apart(shapes):
    for (u, a), (v, b) in combinations(shapes.items(), 2):
        beyond = np.abs(a.centre - b.centre) - a.core - b.core
        if np.hypot(*np.maximum(beyond, 0)) < a.radius + b.radius:
            raise GraphError(
                f"{u!r} at ({a.x:g}, {a.y:g}) and {v!r} at ({b.x:g}, "
                f"{b.y:g}) would cover each other: give them `positions` "
                "farther apart."
            )


def _words(graph, edges, labels, marked, dashed, plates):
    """Say in one line what the drawing shows."""
    name = {
        node: " ".join(text.replace("$", "").split())
        for node, text in labels.items()
    }

    def step(u, v):
        if graph.has_edge(u, v) and graph.has_edge(v, u):
            return "–"
        return "→" if graph.has_edge(u, v) else "←"

    def listed(nodes):
        return ", ".join(name[node] for node in labels if node in nodes)

    def joined(pairs):
        return ", ".join(f"{name[u]} {step(u, v)} {name[v]}" for u, v in pairs)

    alone = [node for node in labels if not any(node in e for e in edges)]
    parts = ["graph: " + joined(edges)] if edges else []
    parts += [f"{'alone' if edges else 'graph:'} {listed(alone)}"] * bool(
        alone
    )
    for what in ("observed", "fixed", "faded"):
        if marked[what]:
            parts.append(f"{what} {listed(marked[what])}")
    if dashed:
        parts.append("dashed " + joined(dashed))
    if marked["trail"]:
        first, *rest = marked["trail"]
        path = [f"{step(u, v)} {name[v]}" for u, v in pairwise([first, *rest])]
        parts.append(" ".join(["trail", name[first], *path]))
    if marked["blocked"]:
        parts.append("blocked at " + listed(marked["blocked"]))
    for own, text in plates:
        text = " ".join(text.replace("$", "").split())
        parts.append(f"plate {text}: {listed(own)}")
    return "; ".join(parts)


# --- The layout -----------------------------------------------------------


def _with_bends(layers, dag):
    """Give edges that pass layers a stand-in in each of these."""
    depth = {node: i for i, layer in enumerate(layers) for node in layer}
    layers = [list(layer) for layer in layers]
    links = [[] for _ in layers[1:]]
    for u, v in dag.edges:
        between = range(depth[u] + 1, depth[v])
        path = [u, *(_Bend((u, v), i) for i in between), v]
        for bend in path[1:-1]:
            layers[bend.layer].append(bend)
        for i, link in enumerate(pairwise(path), start=depth[u]):
            links[i].append(link)
    return layers, links


def _order(layers, links):
    """Order the nodes of each layer so that few links cross."""
    if prod(factorial(len(layer)) for layer in layers) <= _FEW:
        orders = product(*(permutations(layer) for layer in layers))
        return min(orders, key=lambda layers: _crossings(layers, links))
    best = layers
    for sweep in range(8):
        order = list(range(len(layers)))[:: 1 if sweep % 2 else -1]
        for i, fixed in zip(order[1:], order, strict=False):
            layers = _sorted_by_neighbours(layers, i, fixed, links)
        layers = _swapped(layers, links)
        best = min(best, layers, key=lambda layers: _crossings(layers, links))
    return best


def _crossings(layers, links):
    count = 0
    for upper, lower, pairs in zip(layers, layers[1:], links, strict=False):
        ends = sorted((upper.index(u), lower.index(v)) for u, v in pairs)
        count += sum(v > y for (_, v), (_, y) in combinations(ends, 2))
    return count


def _sorted_by_neighbours(layers, i, fixed, links):
    place = {node: k for k, node in enumerate(layers[fixed])}
    near = {node: [] for node in layers[i]}
    for link in links[min(i, fixed)]:
        node, other = link if fixed > i else link[::-1]
        near[node].append(place[other])
    centre = {
        node: sum(near[node]) / len(near[node]) if near[node] else k
        for k, node in enumerate(layers[i])
    }
    return [
        sorted(layer, key=centre.get) if k == i else layer
        for k, layer in enumerate(layers)
    ]


def _swapped(layers, links):
    """Swap neighbours as long as that removes crossings."""
    fewest, better = _crossings(layers, links), True
    while better:
        better = False
        for i, layer in enumerate(layers):
            for k in range(len(layer) - 1):
                swapped = layer[:k] + layer[k : k + 2][::-1] + layer[k + 2 :]
                new = [*layers[:i], swapped, *layers[i + 1 :]]
                if (count := _crossings(new, links)) < fewest:
                    layers, layer = new, swapped
                    fewest, better = count, True
    return layers


def _spread(layers, links, room):
    """Put linked nodes below each other, as far as distances allow.

    Least squares, where a layer's unknowns are the place of its first node
    and the distances from there on, which have bounds.
    """
    nodes = [node for layer in layers for node in layer]
    # Row i gives the place of node i as a sum of unknowns.
    sums = block_diag(*(np.tri(len(layer)) for layer in layers))
    least = [
        apart
        for layer in layers
        for apart in (-np.inf, *(_apart(*ab, room) for ab in pairwise(layer)))
    ]
    index = {node: i for i, node in enumerate(nodes)}
    # Long edges should be straight rather than short.
    rows = [
        (sums[index[u]] - sums[index[v]]) * (1 if {u, v} <= room.keys() else 2)
        for pairs in links
        for u, v in pairs
    ]
    # The weak pull to the middle leaves one solution only.
    rows = np.array([*rows, *(0.01 * sums)])
    found = lsq_linear(
        rows, np.zeros(len(rows)), (least, np.inf), "bvls", max_iter=1000
    )
    return dict(zip(nodes, sums @ found.x, strict=True))


def _apart(a, b, room):
    if a in room and b in room:
        return max(_ACROSS, room[a][0] + room[b][0] + _GAP)
    # Edges that pass a layer need less room there than nodes.
    return (
        0.45 + max(room[n][0] for n in (a, b) if n in room)
        if (a in room or b in room)
        else 0.45
    )


def _depths(layers, room):
    depth, total = {}, 0.0
    thick = [
        max([room[n][1] for n in layer if n in room], default=0)
        for layer in layers
    ]
    for i, layer in enumerate(layers):
        if i:
            total += max(_DOWN, thick[i - 1] + thick[i] + _GAP)
        depth |= dict.fromkeys(layer, total)
    return depth


def _circle(nodes, room):
    apart = max(_ACROSS, _GAP + 2 * max(width for width, _ in room.values()))
    radius = apart / 2 / np.sin(np.pi / len(nodes))
    angles = np.pi / 2 - 2 * np.pi * np.arange(len(nodes)) / len(nodes)
    x, y = radius * np.cos(angles), radius * np.sin(angles)
    return _centred(dict(zip(nodes, zip(x, y, strict=True), strict=True)))


def _centred(places):
    xy = np.array(list(places.values()))
    xy = xy - (xy.min(axis=0) + xy.max(axis=0)) / 2
    # Twice: noise of the last digits must not decide a tie. Zero has no sign.
    xy = xy.round(9).round(3) + 0.0
    return {
        n: (float(x), float(y)) for n, (x, y) in zip(places, xy, strict=True)
    }


# --- The parts ------------------------------------------------------------


def _size(text):
    """Give half the width and height of a node, and its corners' radius."""
    width, height = _extent(text)
    return (
        round(max(_RADIUS, width / 2 + 0.055), 3),
        round(max(_RADIUS, height / 2 + 0.055), 3),
        _RADIUS,
    )


def _extent(text, size=_LETTERS):
    """Give width and height of a text whose letters have this size."""
    size = size / _POINTS
    lines = text.split("\n")
    widths = [
        TextPath((0, 0), line, size=size).get_extents().width
        for line in lines
        if line.strip()
    ]
    return max(widths, default=0.0), 1.25 * size * len(lines)


def _routes(edges, shapes):
    """Find for each edge the least bent curve that is easily followed.

    It is clear of all other nodes, and at its ends not too close to another
    edge. Short edges come first, so that long ones go around them.
    """
    routes = {}

    def length(edge):
        start, end = (shapes[node] for node in edge)
        return round(np.hypot(*(end.centre - start.centre)), 6)

    for edge in sorted(edges, key=length):
        rays = {
            node: [_ray(routes[e], e, node) for e in routes if node in e]
            for node in edge
        }
        clear = {}
        for curve in _candidates(edge, shapes):
            clear[curve] = min(
                (
                    shape.distance(curve(_STEPS)).min()
                    for node, shape in shapes.items()
                    if node not in edge
                ),
                default=np.inf,
            )
            beside = any(
                _ray(curve, edge, node) @ ray > _SAME
                for node in edge
                for ray in rays[node]
            )
            if clear[curve] >= _CLEAR and not beside:
                break
        else:
            curve = max(clear, key=lambda c: min(clear[c], _CLEAR))
        routes[edge] = curve
    return {edge: routes[edge] for edge in edges}


def _candidates(edge, shapes):
    """Yield curves between two nodes, a straight one first."""
    start, end = (shapes[node] for node in edge)
    middle = (start.centre + end.centre) / 2
    x, y = end.centre - start.centre
    side = np.array([y, -x]) / np.hypot(x, y)
    # To the outer side first.
    inside = np.mean([shape.centre for shape in shapes.values()], axis=0)
    if side @ (middle - inside) < -1e-9:
        side = -side
    for bend in _BENDS:
        yield _Curve(start, middle + bend * side, end)


def _ray(curve, edge, node):
    """Give the direction in which an edge leaves a node."""
    near = curve(0.25 if node == edge[0] else 0.75)
    away = near - (curve.start if node == edge[0] else curve.end).centre
    return away / np.hypot(*away)


def _draw_plates(plates, shapes):
    frames, texts, parts = {}, {}, []
    # Small ones first, so that others can go around them.
    for i in sorted(range(len(plates)), key=lambda i: len(plates[i][0])):
        own, text = plates[i]
        touched = [k for k in frames if set(plates[k][0]) & set(own)]
        inner = [k for k in touched if set(plates[k][0]) <= set(own)]
        pad = _PLATE * (1 + len(touched) / 2)
        low, high = _around(
            [_box(shapes[node], pad) for node in own]
            + [frames[k] + [[-_PLATE / 2], [_PLATE / 2]] for k in inner]
        )
        width, height = _extent(text, _PLATE_LETTERS)
        wider = max(0, width + _PLATE - (high - low)[0]) / 2
        low = low - np.array([wider, height])
        high = high + np.array([wider, 0])
        # A text on the line of another one goes below it.
        for left, right, bottom in (texts[k] for k in touched):
            meets = left < high[0] and high[0] - width - _PLATE < right
            if meets and abs(bottom - low[1]) < height:
                low[1] = bottom - height
        frames[i] = np.array([low, high])
        texts[i] = (high[0] - width - _PLATE, high[0], low[1])
        for node, shape in shapes.items():
            inside = (_box(shape)[0] < high) & (_box(shape)[1] > low)
            if node not in own and inside.all():
                raise GraphError(
                    f"Plate {text!r} cannot be drawn without {node!r}, which "
                    "stands among its nodes or too near: give `positions`."
                )
        frame = _Shape(*(low + high) / 2, *(high - low) / 2, _PLATE / 2)
        look = {"fc": "none", "ec": INK, "lw": 1, "zorder": 0}
        parts.append(_outline(frame, f"plate {text}", **look))
        parts.append(
            _text(
                (high[0] - _PLATE / 2, low[1] + _PLATE / 3),
                text,
                f"text {text}",
                size=_PLATE_LETTERS,
                ha="right",
                va="baseline",
                bbox={"boxstyle": "square,pad=0", "fc": "white", "ec": "none"},
            )
        )
    return parts


def _around(boxes):
    return np.min(boxes, axis=0)[0], np.max(boxes, axis=0)[1]


def _text(place, text, gid, *, size=_LETTERS, **look):
    look = {"ha": "center", "va": "center_baseline", "zorder": 4} | look
    return Text(*place, text, gid=gid, fontsize=size, **look)


def _box(shape, pad=0.0):
    size = np.array([shape.width, shape.height]) + pad
    return np.array([shape.centre - size, shape.centre + size])


def _outline(shape, gid, **look):
    # Between the axes, where the rim's normals have no zeros.
    angles = (np.arange(160) + 0.5) * np.pi / 80
    return Polygon(shape.rim(angles), closed=True, gid=gid, **look)


def _line(points, gid, **look):
    look = {"fc": "none", "capstyle": "round", "joinstyle": "round"} | look
    return PathPatch(Path(points), gid=gid, **look)


def _draw_band(edge, curve, stopped):
    return _line(
        curve(_STEPS),
        f"band {edge[0]} {edge[1]}",
        ec=SHADE if stopped else FILLS[1],
        ls=(0, (0.4, 0.4)) if stopped else "-",
        capstyle="butt",
        lw=11,
        zorder=1,
    )


def _draw_edge(edge, curve, *, arrow, bold, dashed, faded):
    colour = PALE_INK if faded else INK
    name = f"{edge[0]} {edge[1]}"
    first, last = curve.between_rims()
    parts = []
    if arrow:
        tip = curve(last)
        size = min(
            _HEAD * (1.3 if bold else 1),
            0.7 * np.hypot(*(tip - curve(first))),
        )
        # The line ends within the head, not at its tip.
        last = brentq(
            lambda t: np.hypot(*(curve(t) - tip)) - size, first, last
        )
        back = curve(last) - tip
        wing = 0.36 * np.array([-back[1], back[0]])
        head = Polygon(
            [tip, tip + back + wing, tip + back - wing],
            closed=True,
            fc=colour,
            ec="none",
            gid=f"head {name}",
            zorder=2,
        )
        parts.append(head)
    style = (0, (1, 2)) if faded else (0, (4, 2.5)) if dashed else "-"
    line = _line(
        curve(np.linspace(first, last, 41)),
        f"edge {name}",
        ec=colour,
        lw=3 if bold else 1.3,
        ls=style,
        capstyle="butt",
        zorder=2,
    )
    return [line, *parts]


def _draw_node(node, shape, label, look, rays):
    faded = "faded" in look
    fill = SHADE if "observed" in look else "white"
    rim = _outline(
        shape,
        f"node {node}",
        fc=INK if "fixed" in look else fill,
        ec=PALE_INK if faded else INK,
        lw=2.8 if "observed" in look else 1.3,
        ls=(0, (1, 1.5)) if faded else "-",
        zorder=3,
    )
    x, y = shape.centre
    ha, va = "center", "center_baseline"
    if "fixed" in look:
        angle = _freest(rays, [np.pi, 0, np.pi / 2, -np.pi / 2])
        dx, dy = np.round([np.cos(angle), np.sin(angle)])
        x, y = shape.centre + 2 * _DOT * np.array([dx, dy])
        ha = {-1: "right", 0: "center", 1: "left"}[dx]
        va = {-1: "top", 0: va, 1: "bottom"}[dy]
    colour = GREY if faded else INK
    text = _text((x, y), label, f"label {node}", ha=ha, va=va, color=colour)
    parts = [rim, text]
    if "blocked" in look:
        angle = _freest(rays, np.pi / 4 * np.array([1, 7, 3, 5]))
        outwards = 0.05 * np.array([np.cos(angle), np.sin(angle)])
        badge = _Shape(*(shape.rim(angle) + outwards), *[0.1] * 3)
        for turn in (np.pi / 4, -np.pi / 4):
            parts.append(
                _line(
                    badge.centre
                    + [[a * np.cos(turn), a * np.sin(turn)] for a in (1, -1)]
                    * np.array(0.055),
                    f"cross {node}",
                    ec=INK,
                    lw=2.2,
                    zorder=5,
                )
            )
        parts.insert(
            2,
            _outline(
                badge, f"badge {node}", fc="white", ec=INK, lw=1, zorder=5
            ),
        )
    return parts


def _freest(rays, angles):
    """Choose the first of the angles that are farthest from all rays."""

    def gap(angle):
        direction = np.array([np.cos(angle), np.sin(angle)])
        cosines = [direction @ ray for ray in rays]
        return round(max(cosines, default=-1.0), 6)

    return min(angles, key=gap)


def _show_all(ax, parts):
    """Set limits that hold everything."""
    boxes = []
    for part in parts:
        if isinstance(part, Text):
            size = np.array(_extent(part.get_text(), part.get_fontsize()))
            share = (_SHARES[part.get_ha()], _SHARES[part.get_va()])
            low = part.get_position() - size * share
            boxes.append([low, low + size])
        else:
            boxes.append(part.get_path().get_extents().get_points())
    low, high = _around(boxes)
    ax.set_axis_off()
    ax.set_xlim(low[0] - _MARGIN, high[0] + _MARGIN)
    ax.set_ylim(low[1] - _MARGIN, high[1] + _MARGIN)
