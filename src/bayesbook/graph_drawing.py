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

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from math import isfinite

import networkx as nx
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cbook import is_math_text
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from scipy.linalg import block_diag
from scipy.optimize import brentq, lsq_linear

from bayesbook._names import alphabetical, did_you_mean, listed
from bayesbook.errors import GraphError
from bayesbook.figures import FILLS, GREY, INK, Drawing

__all__ = ["GraphDrawing", "draw_graph", "layered_layout"]

Node = Hashable
Edge = tuple[Node, Node]

# Lengths are in units of the drawing, each at most so many points, so that
# small graphs have no larger nodes than others.
_POINTS = 56.0
_RADIUS, _DOT = 0.24, 0.07
_ACROSS, _DOWN = 1.1, 0.95  # from node to node, from layer to layer
_BESIDE = 0.45  # from an edge that passes a layer to a node's rim there
_TIGHT = 0.05  # from a text to a rim; words get twice as much
_GAP = 0.36  # between rims, for an arrow
_CLEAR = 0.07  # between a rim and an edge that passes it
_HEAD = 0.17
_PLATE = 0.16  # from a rim to its plate
_MARGIN = 0.08
# Letters in points: where a unit has that many, of plates, and at least.
_LETTERS, _PLATE_LETTERS, _LEAST = 11.0, 9.5, 9.0
_SHADE, _FADED = "#d0d0d0", "#a8a8a8"
_STEPS = np.linspace(0, 1, 81)
# Edges of a node leave it with larger angles between them.
_SAME_WAY = np.cos(np.radians(9))
# How far the control point of an edge may be from the straight line.
_BENDS = sorted(np.arange(-40, 41) / 10, key=lambda bend: (abs(bend), -bend))
_CROSSING = 1e6  # dearer than all distances together
_WIDE = 6  # orders of at most so many nodes are all tried


class GraphDrawing(Drawing):
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
        super().__init__(ax, parts, words)
        self.positions = dict(positions)
        self._letters = {
            part: part.get_fontsize()
            for part in parts
            if isinstance(part, Text)
        }
        # Before all other artists, which then see the limits that it sets.
        self.set_zorder(-1)

    def draw(self, renderer):
        """Draw all parts, letters as large as the nodes ask for."""
        if not self.get_visible():
            return
        scale = self._widen_limits()
        for text, size in self._letters.items():
            text.set_fontsize(max(size * scale / _POINTS, _LEAST))
        super().draw(renderer)

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
        name: _chosen(nodes, given, f"`{name}`")
        for name, given in {
            "observed": observed,
            "trail": trail,
            "blocked": blocked,
            "faded": faded,
            "fixed": fixed,
        }.items()
    }
    plates = [(_chosen(nodes, own, f"Plate {t!r}"), t) for own, t in plates]
    for own, text in plates:
        if not own:
            raise GraphError(f"Plate {text!r} is around no nodes.")
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
        parts += _draw_node(
            node, shape, labels[node], look, _rays(node, curves)
        )
    words = _words(graph, curves, labels, marked, thin, plates)
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
    The orders within the layers are those with the fewest crossings, found
    by trying all (by barycentre sweeps if a layer is wider than six); then
    each node is drawn towards its neighbours. The same graph gets the same
    places whatever the order of its nodes and edges. A line without a
    direction counts as an arrow towards the later name; a graph with a cycle
    of arrows is a circle.

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
    if not isinstance(graph, nx.Graph) or graph.is_multigraph():
        raise GraphError(
            f"{graph!r} cannot be drawn: give a networkx.DiGraph or Graph."
        )
    if not graph:
        raise GraphError("The graph has no nodes: there is nothing to draw.")
    for node in graph:
        if graph.has_edge(node, node):
            raise GraphError(
                f"{node!r} has an edge to itself, which cannot be drawn."
            )
    return sorted(graph, key=alphabetical)


def _edges(graph, nodes):
    """List the edges by name, one in both directions once."""
    rank = {node: i for i, node in enumerate(nodes)}
    edges = {
        (u, v) if not graph.has_edge(v, u) or rank[u] < rank[v] else (v, u)
        for u, v in graph.edges()
    }
    return sorted(edges, key=lambda edge: [rank[node] for node in edge])


def _chosen(nodes, given, what):
    """Read one node or several; each must be in the graph."""
    if isinstance(given, Hashable) and given in nodes:
        return (given,)
    if isinstance(given, str):
        given = (given,) if given else ()
    given = tuple(given)
    for node in given:
        if node not in nodes:
            raise GraphError(
                f"{what} names {node!r}, which is not in the graph; "
                f"its nodes are {listed(nodes)}.{did_you_mean(node, nodes)}"
            )
    return given


def _pairs(graph, pairs, what):
    pairs = list(pairs)
    for u, v in pairs:
        _chosen(list(graph), (u, v), f"`{what}`")
        if not graph.has_edge(u, v) and not graph.has_edge(v, u):
            raise GraphError(
                f"`{what}` goes from {u!r} to {v!r}, but the graph has no "
                "edge between them."
            )
    return {frozenset(pair) for pair in pairs}


def _texts(nodes, labels):
    labels = labels or {}
    _chosen(nodes, labels, "`labels`")
    return {node: str(labels.get(node, node)) for node in nodes}


def _places(nodes, positions):
    _chosen(nodes, positions, "`positions`")
    missing = [repr(node) for node in nodes if node not in positions]
    if missing:
        raise GraphError(f"`positions` has no place for {', '.join(missing)}.")
    places = {node: tuple(map(float, positions[node])) for node in nodes}
    for node, place in places.items():
        if len(place) != 2 or not all(map(isfinite, place)):
            raise GraphError(
                f"The position of {node!r} is {positions[node]!r}: it needs "
                "two finite numbers, x and y."
            )
    return places


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
    name = {node: _plain(text) for node, text in labels.items()}

    def step(u, v):
        if graph.has_edge(u, v) and graph.has_edge(v, u):
            return "–"
        return "→" if graph.has_edge(u, v) else "←"

    def among(nodes):
        return ", ".join(name[node] for node in name if node in nodes)

    def joined(pairs):
        return ", ".join(f"{name[u]} {step(u, v)} {name[v]}" for u, v in pairs)

    linked = {node for edge in edges for node in edge}
    drawn = [joined(edges), among(name.keys() - linked)]
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
    parts += [f"plate {_plain(text)}: {among(own)}" for own, text in plates]
    return "; ".join(parts)


def _plain(text):
    return " ".join(text.replace("$", "").split())


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
    """Order the nodes of each layer so that few links cross.

    Layer by layer, for each order of a layer the least cost below it.
    """
    if max(map(len, layers)) > _WIDE:
        return _swept(layers, links)
    orders = [list(permutations(layer)) for layer in layers]
    below, choices = np.zeros(len(orders[-1])), []
    for i in reversed(range(len(links))):
        total = _costs(orders[i], orders[i + 1], links[i]) + below
        choices.insert(0, total.argmin(axis=1))
        below = total.min(axis=1)
    best = [int(below.argmin())]
    for choice in choices:
        best.append(int(choice[best[-1]]))
    return [order[k] for order, k in zip(orders, best, strict=True)]


def _costs(uppers, lowers, links):
    """Give the cost of each order above with each order below it.

    It is the number of crossings; of as many, those links cost less whose
    ends have about the same place in their layers. All are whole numbers.
    """
    first, second = np.triu_indices(len(links), 1)
    places, signs = [], []
    for orders, end in ((uppers, 0), (lowers, 1)):
        at = [[order.index(link[end]) for link in links] for order in orders]
        at = np.array(at, dtype=float).reshape(len(orders), len(links))
        signs.append(np.sign(at[:, first] - at[:, second]))
        places.append(2 * at - len(orders[0]) + 1)
    crossings = abs(signs[0]) @ abs(signs[1]).T - signs[0] @ signs[1].T
    squares = [(at**2).sum(axis=1) for at in places]
    apart = np.add.outer(*squares) - 2 * places[0] @ places[1].T
    return _CROSSING * crossings / 2 + apart


def _swept(layers, links):
    """Sort each layer by the mean places of its neighbours, to and fro."""
    best, least = layers, np.inf
    for sweep in range(10):
        layers = [list(layer) for layer in layers]
        order = range(len(layers))[:: -1 if sweep % 2 else 1]
        for fixed, i in pairwise(order):
            place = {node: k for k, node in enumerate(layers[i])}
            for node in layers[i]:
                ends = [link for link in links[min(i, fixed)] if node in link]
                near = {end for link in ends for end in link} - {node}
                if near:
                    places = [layers[fixed].index(end) for end in near]
                    place[node] = sum(places) / len(places)
            layers[i].sort(key=place.get)
        cost = sum(
            _costs([a], [b], pairs)[0, 0]
            for (a, b), pairs in zip(pairwise(layers), links, strict=True)
        )
        if cost < least:
            best, least = layers, cost
    return best


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
    return _BESIDE + sum(room[node][0] for node in (a, b) if node in room)


def _depths(layers, room):
    thick = [max(room[n][1] for n in layer if n in room) for layer in layers]
    steps = [max(_DOWN, a + b + _GAP) for a, b in pairwise(thick)]
    depths = np.cumsum([0, *steps])
    return {
        node: d for d, ns in zip(depths, layers, strict=True) for node in ns
    }


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
    half = [
        _RADIUS if side / 2 + _TIGHT <= _RADIUS else side / 2 + 2 * _TIGHT
        for side in _extent(text)
    ]
    return (*map(float, np.round(half, 3)), _RADIUS)


def _extent(text, points=_LETTERS):
    """Give width and height of a text, in units of a drawing of full size."""
    letters = FontProperties(size=points)
    lines = text.split("\n")
    width = max(
        text_to_path.get_text_width_height_descent(
            line, letters, is_math_text(line)
        )[0]
        for line in lines
    )
    return width / _POINTS, 1.25 * points * len(lines) / _POINTS


def _routes(edges, shapes):
    """Find for each edge the least bent curve that is easily followed.

    It is clear of all other nodes, and leaves its own in another direction
    than the edges before. These are shorter: long edges go around.
    """
    routes = {}
    for edge in sorted(edges, key=lambda edge: _length(edge, shapes)):
        others = [shapes[node] for node in shapes if node not in edge]
        rays = {node: _rays(node, routes) for node in edge}
        room = {}
        for curve in _candidates(edge, shapes):
            points = curve(_STEPS)
            distances = [shape.distance(points).min() for shape in others]
            room[curve] = min([_CLEAR, *distances])
            own = {node: _ray(node, edge, curve) for node in edge}
            if room[curve] == _CLEAR and all(
                ray @ own[node] < _SAME_WAY
                for node in edge
                for ray in rays[node]
            ):
                break
        else:
            curve = max(room, key=room.get)
        routes[edge] = curve
    return {edge: routes[edge] for edge in edges}


def _length(edge, shapes):
    start, end = (shapes[node].centre for node in edge)
    return round(np.hypot(*(end - start)), 6)


def _ray(node, edge, curve):
    """Give the direction in which an edge leaves a node."""
    at, centre = (0.25, curve.start) if node == edge[0] else (0.75, curve.end)
    away = curve(at) - centre.centre
    return away / np.hypot(*away)


def _rays(node, curves):
    return [_ray(node, e, curve) for e, curve in curves.items() if node in e]


def _candidates(edge, shapes):
    """Yield curves between two nodes, a straight one first."""
    start, end = (shapes[node] for node in edge)
    middle = (start.centre + end.centre) / 2
    x, y = end.centre - start.centre
    side = np.array([-y, x]) / np.hypot(x, y)
    # To the outer side first.
    inside = np.mean([shape.centre for shape in shapes.values()], axis=0)
    if side @ (middle - inside) < -1e-9:
        side = -side
    for bend in _BENDS:
        yield _Curve(start, middle + bend * side, end)


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
    return PathPatch(Path(points), fc="none", capstyle="butt", gid=gid, **look)


def _draw_band(edge, curve, stopped):
    look = (
        {"ec": _SHADE, "ls": (0, (0.4, 0.4))} if stopped else {"ec": FILLS[1]}
    )
    return _line(curve(_STEPS), f"band {_gid(edge)}", lw=11, zorder=1, **look)


def _draw_edge(edge, curve, *, arrow, bold, dashed, faded):
    colour = _FADED if faded else INK
    first, last = curve.between_rims()
    parts = []
    if arrow:
        tip = curve(last)
        reach = 0.7 * np.hypot(*(tip - curve(first)))
        size = min(_HEAD * (1.3 if bold else 1), reach)
        # The line ends where the head begins, not at its tip.
        last = brentq(
            lambda t: np.hypot(*(curve(t) - tip)) - size, first, last
        )
        back = curve(last) - tip
        wing = 0.36 * np.array([-back[1], back[0]])
        corners = [tip, tip + back + wing, tip + back - wing]
        look = {"fc": colour, "ec": "none", "zorder": 2}
        parts.append(Polygon(corners, gid=f"head {_gid(edge)}", **look))
    line = _line(
        curve(np.linspace(first, last, 41)),
        f"edge {_gid(edge)}",
        ec=colour,
        lw=3 if bold else 1.3,
        ls=(0, (1, 2)) if faded else (0, (4, 2.5)) if dashed else "solid",
        zorder=2,
    )
    return [line, *parts]


def _gid(edge):
    return " ".join(map(str, edge))


def _draw_node(node, shape, label, look, rays):
    faded = "faded" in look
    fill = _SHADE if "observed" in look else "white"
    rim = _outline(
        shape,
        f"node {node}",
        fc=INK if "fixed" in look else fill,
        ec=_FADED if faded else INK,
        lw=2.8 if "observed" in look else 1.3,
        ls=(0, (1, 1.5)) if faded else "solid",
        zorder=3,
    )
    place, align = shape.centre, {}
    if "fixed" in look:
        x, y = _freest(rays, [(-1, 0), (1, 0), (0, 1), (0, -1)])
        place = place + 2 * _DOT * np.array([x, y])
        if x:
            align["ha"] = "left" if x > 0 else "right"
        else:
            align["va"] = "bottom" if y > 0 else "top"
    colour = GREY if faded else INK
    parts = [rim, _text(place, label, f"label {node}", color=colour, **align)]
    if "blocked" in look:
        x, y = _freest(rays, [(1, 1), (1, -1), (-1, 1), (-1, -1)])
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


def _freest(rays, directions):
    """Choose the first of the directions that are farthest from all rays."""

    def nearness(direction):
        cosines = [ray @ direction / np.hypot(*direction) for ray in rays]
        return round(max(cosines, default=-1.0), 6)

    return min(directions, key=nearness)


def _show_all(ax, parts):
    """Set limits that hold everything, and hide the scales."""
    below = {"right": 1, "top": 1, "left": 0, "bottom": 0, "baseline": 0}
    boxes = []
    for part in parts:
        if isinstance(part, Text):
            size = np.array(_extent(part.get_text(), part.get_fontsize()))
            align = (part.get_ha(), part.get_va())
            low = part.get_position() - size * [
                below.get(a, 0.5) for a in align
            ]
            boxes.append([low, low + size])
        else:
            xy = part.get_path().vertices
            boxes.append([xy.min(axis=0), xy.max(axis=0)])
    low, high = _around(boxes)
    ax.set_axis_off()
    ax.set_xlim(low[0] - _MARGIN, high[0] + _MARGIN)
    ax.set_ylim(low[1] - _MARGIN, high[1] + _MARGIN)
