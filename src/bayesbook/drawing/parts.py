"""The parts of a drawing of a graph: shapes, curves between them, texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import merge
from itertools import combinations, product
from math import isfinite
from typing import Any

import numpy as np
from matplotlib.cbook import is_math_text
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Patch, PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from scipy.optimize import brentq

from bayesbook.base import GraphError
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.drawing.figures import INK

# A unit of the drawing, in which lengths are given, is at most this many
# points, so that the nodes of small graphs are no larger than others.
POINTS = 56.0
TIGHT = 0.05  # from a text to a rim; words get twice as much
SHADE, FADED = "#d0d0d0", "#a8a8a8"
STEPS = np.linspace(0, 1, 81)
# Letters in points, where a unit has `POINTS`.
LETTERS = 11.0
_CLEAR = 0.07  # between a rim and an edge that passes it
_HEAD = 0.17
_MARGIN = 0.08
# Edges of a node leave it with larger angles between them.
_SAME_WAY = np.cos(np.radians(9))
# How far the control point of an edge may be from the straight line.
_BENDS = sorted(np.arange(-40, 41) / 10, key=lambda bend: (abs(bend), -bend))
# The same where nodes are wide, and where edges begin: parts of the width.
_WIDE_BENDS = sorted(np.arange(-32, 33) / 4, key=lambda b: (abs(b), -b))
_PORTS = (0, 0.4, -0.4, 0.75, -0.75)


@dataclass(frozen=True)
class Shape:
    """A box with round corners; a circle if it is as small as these allow."""

    x: float
    y: float
    width: float  # half of it: from the centre to the rim
    height: float
    radius: float

    @cached_property
    def centre(self):
        """The point in the middle."""
        return np.array([self.x, self.y])

    @cached_property
    def core(self):
        """Half the sizes of the box without its round seam."""
        return np.array([self.width, self.height]) - self.radius

    def distance(self, points):
        """Return how far from the rim points are; inside it is negative."""
        beyond = np.abs(points - self.centre) - self.core
        return np.hypot(*np.maximum(beyond, 0).T) - self.radius

    def rim(self, angles):
        """Return the points of the rim with normals at these angles."""
        normal = np.stack([np.cos(angles), np.sin(angles)], axis=-1).round(9)
        return self.centre + np.sign(normal) * self.core + self.radius * normal


class _Shapes:
    """Several shapes, whose distances are computed at once."""

    def __init__(self, shapes):
        self._centres = np.array([shape.centre for shape in shapes])
        self._cores = np.array([shape.core for shape in shapes])
        self._radii = np.array([shape.radius for shape in shapes])

    def nearest(self, points):
        """Return how far from the next rim the nearest point is."""
        if not len(self._radii):
            return np.inf
        beyond = np.abs(points[:, None] - self._centres) - self._cores
        beyond = np.maximum(beyond, 0)
        distances = np.hypot(beyond[..., 0], beyond[..., 1])
        return (distances - self._radii).min()


def _weights(t):
    """Return the weights of a parabola's three points at parameters."""
    t = np.asarray(t)[..., None]
    return (1 - t) ** 2, 2 * t * (1 - t), t**2


# Nearly all points that are asked for are those.
_STEP_WEIGHTS = _weights(STEPS)


@dataclass(frozen=True, eq=False)
class Curve:
    """A parabola from inside a node to the inside of another one."""

    start: Shape
    end: Shape
    points: tuple  # the first one, the control point, the last one

    def __call__(self, t):
        """Return the points at parameters from 0 to 1."""
        return self._weighted(_weights(t))

    @cached_property
    def steps(self):
        """The points at `STEPS`."""
        return self._weighted(_STEP_WEIGHTS)

    def _weighted(self, weights):
        a, b, c = weights
        first, control, last = self.points
        return a * first + b * control + c * last

    def between(self, first, last):
        """Return the points, as above, of the part between two parameters."""

        def blossom(u, v):
            a, b, c = self.points
            middle = (1 - u) * v + u * (1 - v)
            return (1 - u) * (1 - v) * a + middle * b + u * v * c

        return (
            blossom(first, first),
            blossom(first, last),
            blossom(last, last),
        )

    def between_rims(self):
        """Return the parameters where it leaves a node and meets the other."""
        leaves = self.start.distance(self.steps) > 0
        meets = self.end.distance(self.steps) > 0
        i, k = np.argmax(leaves), len(STEPS) - 1 - np.argmax(meets[::-1])
        return (
            brentq(lambda t: self.start.distance(self(t)), *STEPS[[i - 1, i]]),
            brentq(lambda t: self.end.distance(self(t)), *STEPS[[k, k + 1]]),
        )


# --- Reading the arguments ------------------------------------------------


def chosen(nodes, given, what):
    """Read one node or several, each of which must be in the graph."""
    if isinstance(given, Hashable) and given in nodes:
        return (given,)
    if isinstance(given, str):
        given = (given,) if given else ()
    given = tuple(given)
    for node in given:
        if node not in nodes:
            raise GraphError(
                f"{what} names {node!r}, which is not in the graph; "
                f"its nodes are "
                f"{quoted_list(nodes)}.{did_you_mean(node, nodes)}"
            )
    return given


def read_places(
    nodes: Iterable[Any], positions: Mapping[Any, Iterable[float]]
) -> dict[Any, tuple[float, float]]:
    """Read a position for each node: two finite numbers."""
    chosen(nodes, positions, "`positions`")
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
    return {node: (x, y) for node, (x, y) in places.items()}


def check_apart(shapes):
    """Raise an error if two nodes cover each other."""
    for (u, a), (v, b) in combinations(shapes.items(), 2):
        beyond = np.abs(a.centre - b.centre) - a.core - b.core
        if np.hypot(*np.maximum(beyond, 0)) < a.radius + b.radius:
            raise GraphError(
                f"{u!r} at ({a.x:g}, {a.y:g}) and {v!r} at ({b.x:g}, "
                f"{b.y:g}) would cover each other: give them `positions` "
                "farther apart."
            )


# --- Edges ----------------------------------------------------------------


def find_routes(edges, shapes, *, wide=False, among=None):
    """Find for each edge the least bent curve that is easily followed.

    It passes no other node too near, and leaves its ends in another direction
    than the edges before it, which are shorter: long edges go around. The
    edges of `wide` nodes may begin and end beside the middle. `among` are the
    curves of edges that are there already.
    """
    routes = dict(among or {})
    candidates = _between_ports if wide else _between_centres
    for edge in sorted(edges, key=lambda edge: _length(edge, shapes)):
        others = _Shapes([shapes[n] for n in shapes if n not in edge])
        rays = {node: rays_of(node, routes) for node in edge}
        room = {}
        for curve in candidates(edge, shapes):
            room[curve] = min(_CLEAR, others.nearest(curve.steps))
            if room[curve] == _CLEAR and all(
                ray @ new < _SAME_WAY
                for node in edge
                for new in [_ray(node, edge, curve)]
                for ray in rays[node]
            ):
                break
        else:
            curve = max(room, key=room.get)
        routes[edge] = curve
    return {edge: routes[edge] for edge in edges}


def count_hidden(curves, shapes):
    """Count the edges that run behind a node which is not one of its ends."""
    return sum(
        _Shapes([shapes[n] for n in shapes if n not in edge]).nearest(
            curve.steps
        )
        < 0
        for edge, curve in curves.items()
    )


def _length(edge, shapes):
    start, end = (shapes[node].centre for node in edge)
    return round(np.hypot(*(end - start)), 6)


def _ray(node, edge, curve):
    """Return the direction in which an edge leaves a node."""
    # A quarter of the way from the node.
    at, own = (20, curve.start) if node == edge[0] else (-21, curve.end)
    away = curve.steps[at] - own.centre
    return away / np.hypot(*away)


def rays_of(node, curves):
    """Return the directions in which edges leave a node."""
    return [_ray(node, e, curve) for e, curve in curves.items() if node in e]


def freest(rays, directions):
    """Return the first of the directions that are farthest from all rays."""
    directions = np.array(directions, dtype=float)
    if not len(rays):
        return directions[0]
    cosines = _unit(directions) @ _unit(np.array(rays)).T
    return directions[np.argmin(cosines.max(axis=1).round(6))]


def _unit(vectors):
    return vectors / np.hypot(*vectors.T)[:, None]


def _between_centres(edge, shapes):
    """Yield curves between two nodes, a straight one first."""
    start, end = (shapes[node] for node in edge)
    middle, side = _sideways(start.centre, end.centre, _inside(shapes))
    for bend in _BENDS:
        points = start.centre, middle + bend * side, end.centre
        yield Curve(start, end, points)


def _between_ports(edge, shapes):
    """Yield curves between places in two wide nodes, the easiest first."""
    start, end = (shapes[node] for node in edge)
    inside = _inside(shapes)

    def between(ports):
        """Yield what a curve costs, and its points; the cheapest first."""
        one, other = ports
        first = np.add(start.centre, [one * start.width, 0])
        last = np.add(end.centre, [other * end.width, 0])
        middle, side = _sideways(first, last, inside)
        aside = abs(one) * start.width + abs(other) * end.width
        for bend in _WIDE_BENDS:
            yield abs(bend) + aside, (first, middle + bend * side, last)

    ports = map(between, product(_PORTS, _PORTS))
    for _, points in merge(*ports, key=lambda route: route[0]):
        yield Curve(start, end, points)


def _inside(shapes):
    """Return the mean of the centres of all shapes."""
    return np.mean([shape.centre for shape in shapes.values()], axis=0)


def _sideways(first, last, inside):
    """Return the middle of two points, and the direction to the outer side."""
    middle = (first + last) / 2
    x, y = last - first
    side = np.array([-y, x]) / np.hypot(x, y)
    return middle, -side if side @ (middle - inside) < -1e-9 else side


def draw_edge(edge, curve, *, arrow, bold=False, dashed=False, faded=False):
    """Draw an edge of a graph: a line, with a head if it is an arrow."""
    colour = FADED if faded else INK
    return draw_styled_edge(
        edge,
        curve,
        head=colour if arrow else None,
        bold=bold,
        ec=colour,
        lw=3 if bold else 1.3,
        ls=(0, (1, 2)) if faded else (0, (4, 2.5)) if dashed else "solid",
    )


def draw_styled_edge(edge, curve, *, head=None, back=None, bold=False, **look):
    """Draw an edge with a head at its end, at its start, at both or none.

    `head` and `back` are the colours that fill these heads, which are larger
    if `bold`. A head of another colour than that of the line has a rim.
    """
    look = {"zorder": 2} | look
    ends = {"head": head, "back": back}
    first, last, corners = edge_parts(
        curve, [kind for kind in ends if ends[kind] is not None], bold=bold
    )
    line = draw_line(
        curve(np.linspace(first, last, 41)), f"edge {gid_of(edge)}", **look
    )
    heads = [
        Polygon(
            corners[kind],
            gid=f"{kind} {gid_of(edge)}",
            fc=ends[kind],
            ec="none" if ends[kind] == look["ec"] else look["ec"],
            zorder=look["zorder"],
        )
        for kind in corners
    ]
    return [line, *heads]


def edge_parts(curve, heads, *, bold=False):
    """Return where a line begins and ends, and the corners of its heads.

    `heads` names the heads of the edge: "head" at the end of the curve, "back"
    at its start.
    """
    first, last = curve.between_rims()
    start, end = curve(first), curve(last)
    reach = (0.7 if len(heads) < 2 else 0.4) * _far(start, end)
    size = min(_HEAD * (1.3 if bold else 1), reach)
    corners = {}
    # The line ends where a head begins, not at its tip.
    if "head" in heads:
        last = brentq(lambda t: _far(curve(t), end) - size, first, last)
        corners["head"] = head_corners(end, curve(last))
    if "back" in heads:
        first = brentq(lambda t: _far(curve(t), start) - size, first, last)
        corners["back"] = head_corners(start, curve(first))
    return first, last, corners


def _far(one, other):
    return np.hypot(*(one - other))


def head_corners(tip, base):
    """Return the corners of a head, from its tip to the middle of its base."""
    back = base - tip
    wing = 0.36 * np.array([-back[1], back[0]])
    return [tip, tip + back + wing, tip + back - wing]


def gid_of(edge):
    """Return the end of the ``gid`` of all parts of an edge."""
    return " ".join(map(str, edge))


# --- Outlines and texts ---------------------------------------------------


def draw_outline(shape, gid, **look):
    """Draw the rim of a shape."""
    # Between the axes, where the rim's normals have no zeros.
    angles = (np.arange(160) + 0.5) * np.pi / 80
    return Polygon(shape.rim(angles), closed=True, gid=gid, **look)


def draw_line(points, gid, **look):
    """Draw a line through points."""
    return PathPatch(Path(points), fc="none", capstyle="butt", gid=gid, **look)


def box_of(shape, pad=0.0):
    """Return the lower left and the upper right corner around a shape."""
    size = np.array([shape.width, shape.height]) + pad
    return np.array([shape.centre - size, shape.centre + size])


def box_around(boxes):
    """Return the lower left and the upper right corner around boxes."""
    return np.min(boxes, axis=0)[0], np.max(boxes, axis=0)[1]


def text_at(place, text, gid=None, *, size=LETTERS, **look):
    """Write a text, with its middle at a place."""
    look = {"ha": "center", "va": "center_baseline", "zorder": 4} | look
    return Text(*place, text, gid=gid, fontsize=size, **look)


def extent(text, points=LETTERS, *, math=True):
    """Return width and height of a text, in units at full size."""
    letters = FontProperties(size=points)
    lines = text.split("\n")
    width = max(_width(line, letters, math) for line in lines)
    return width / POINTS, 1.25 * points * len(lines) / POINTS


# A layout measures the same few labels hundreds of times.
@lru_cache(maxsize=1024)
def _width(line, letters, math):
    """Return the width of a line in points."""
    return text_to_path.get_text_width_height_descent(
        line, letters, math and is_math_text(line)
    )[0]


def plain_text(text):
    """Return the words of a label, in one line."""
    return " ".join(text.replace("$", "").split())


def inches(ax):
    """Return the width and the height of axes."""
    return ax.bbox.size / ax.figure.dpi


def _text_extent(text):
    return extent(
        text.get_text(), text.get_fontsize(), math=text.get_parse_math()
    )


def show_all(ax, parts, text_extent=_text_extent):
    """Set limits that hold all parts, and hide the scales."""
    below = {"right": 1, "top": 1, "left": 0, "bottom": 0, "baseline": 0}
    boxes = []
    for part in parts:
        if isinstance(part, Text):
            size = np.array(text_extent(part))
            align = (part.get_ha(), part.get_va())
            low = part.get_position() - size * [
                below.get(a, 0.5) for a in align
            ]
            boxes.append([low, low + size])
        else:
            path = part.get_path()
            if isinstance(part, Patch):  # circles are scaled and moved
                path = path.transformed(part.get_patch_transform())
            boxes.append(
                [path.vertices.min(axis=0), path.vertices.max(axis=0)]
            )
    low, high = box_around(boxes)
    ax.set_axis_off()
    ax.set_xlim(low[0] - _MARGIN, high[0] + _MARGIN)
    ax.set_ylim(low[1] - _MARGIN, high[1] + _MARGIN)
