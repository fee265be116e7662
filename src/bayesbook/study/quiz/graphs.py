"""Directed graphs as drawings inside a question.

They have the colour of the text around them, so they need no second version
for dark pages; observed nodes are shaded and have a second rim.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from html import escape
from math import cos, pi, sin
from typing import Any

import networkx as nx
import numpy as np

# Lengths in pixels; a unit of a layout is the distance of near nodes.
_UNIT = 66
_RADIUS = 16
_HEAD = 9
_MARGIN = _RADIUS + 3
# An edge keeps away from the nodes that it passes, or else it bends.
_CLEAR = _RADIUS + 7
_STEPS = np.linspace(0, 1, 41)[:, None]
_BENDS = sorted(range(-160, 161, 8), key=lambda bend: (abs(bend), bend))

_Place = tuple[float, float]
Places = Mapping[Any, _Place]


def ring(nodes: Iterable[str]) -> dict[str, tuple[float, float]]:
    """Place nodes on a circle, in alphabetical order, clockwise from the top.

    Graphs with the same nodes can then be compared arrow by arrow, and no
    arrow passes a third node.

    Parameters
    ----------
    nodes : iterable of str
        At least one.

    Returns
    -------
    dict of node to (x, y)
        With y upwards; rounded to three decimals.

    Examples
    --------
    >>> ring("AB")
    {'A': (0.0, 0.55), 'B': (0.0, -0.55)}
    """
    nodes = sorted(nodes)
    angle = 2 * pi / len(nodes)
    radius = 0.55 / sin(pi / len(nodes)) if len(nodes) > 1 else 0.0
    return {
        node: (
            round(radius * sin(at * angle), 3) + 0.0,
            round(radius * cos(at * angle), 3) + 0.0,
        )
        for at, node in enumerate(nodes)
    }


def svg(
    graph: nx.DiGraph,
    places: Places,
    observed: Collection[str] = (),
    title: str = "",
) -> str:
    """Draw a directed graph as inline SVG.

    Parameters
    ----------
    graph : networkx.DiGraph
        Its nodes are short words.
    places : mapping of node to (x, y)
        With y upwards; neighbours about one unit apart.
    observed : collection of nodes
        Shaded, with a second rim.
    title : str
        What the drawing shows, for those who do not see it; empty where the
        text beside it says the same.

    Returns
    -------
    str
        An ``svg`` element, the same for the same graph.

    Examples
    --------
    >>> drawing = svg(nx.DiGraph([("A", "B")]), ring("AB"), title="A → B")
    >>> drawing.count("<circle"), drawing.count("<title>A → B</title>")
    (2, 1)
    """
    at = {node: (x * _UNIT, -y * _UNIT) for node, (x, y) in places.items()}
    edges = [
        _edge(at[a], at[b], tuple(at[n] for n in graph if n not in (a, b)))
        for a, b in graph.edges
    ]
    drawn = [point for points in edges for point in points[:3]]
    low = np.min([*at.values(), *drawn], axis=0) - _MARGIN
    width, height = np.ptp([*at.values(), *drawn], axis=0) + 2 * _MARGIN

    def xy(point):
        return " ".join(f"{c:.0f}" for c in (point - low) + 0.0)

    lines = "".join(
        f"M{xy(a)}Q{xy(control)} {xy(b)}" for a, control, b, _ in edges
    )
    heads = "".join(f"M{' '.join(map(xy, corners))}z" for *_, corners in edges)
    nodes = "".join(
        _node(node, at[node] - low, node in observed) for node in graph
    )
    hidden = "" if title else ' aria-hidden="true"'
    named = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<svg class="quiz-graph" role="img"{hidden} width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        'fill="none" stroke="currentColor" stroke-width="1.5">'
        f'{named}<path d="{lines}"/>'
        f'<path d="{heads}" fill="currentColor"/>{nodes}</svg>'
    )


def _node(node: str, centre: np.ndarray, observed: bool) -> str:
    x, y = (f"{c:.0f}" for c in centre)
    circle = f'<circle cx="{x}" cy="{y}" r="{_RADIUS}"/>'
    if observed:
        circle = (
            f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="currentColor" '
            f'fill-opacity=".2"/><circle cx="{x}" cy="{y}" r="{_RADIUS - 3}"/>'
        )
    return (
        f'{circle}<text x="{x}" y="{centre[1] + 5:.0f}" fill="currentColor" '
        'stroke="none" text-anchor="middle" font-size="15">'
        f"{escape(node)}</text>"
    )


@lru_cache(maxsize=1024)  # the graphs of a question share places and edges
def _edge(start: _Place, end: _Place, others: tuple[_Place, ...]) -> tuple:
    """Return the control points of an edge, and the corners of its head."""
    return _curve(np.array(start), np.array(end), list(map(np.array, others)))


def _curve(
    start: np.ndarray, end: np.ndarray, others: list[np.ndarray]
) -> tuple:
    middle, along = (start + end) / 2, end - start
    side = np.array([-along[1], along[0]]) / np.hypot(*along)
    controls = (middle + bend * side for bend in _BENDS)
    control = next(
        (c for c in controls if _is_clear(start, c, end, others)), middle
    )
    first = _crossing(start, control, end, start)
    last = _crossing(start, control, end, end)
    tip, inner = (_blossom(start, control, end, t, t) for t in (last, first))
    bent = _blossom(start, control, end, first, last)
    back = (bent - tip) / np.hypot(*(bent - tip)) * _HEAD
    across = np.array([-back[1], back[0]]) * 0.42
    corners = (tip, tip + back + across, tip + back - across)
    return inner, bent, tip, corners


def _blossom(start, control, end, u, v):
    """Return the control points of a part of a quadratic curve.

    (t, t) is the point at t; (u, v) is the middle control point of the part
    from u to v.
    """
    return (
        (1 - u) * (1 - v) * start
        + ((1 - u) * v + u * (1 - v)) * control
        + u * v * end
    )


def _points(start, control, end):
    return _blossom(start, control, end, _STEPS, _STEPS)


def _is_clear(start, control, end, others) -> bool:
    """Return whether a curve keeps away from the nodes that it passes."""
    curve = _points(start, control, end)
    return all(
        np.hypot(*(curve - other).T).min() >= _CLEAR for other in others
    )


def _crossing(start, control, end, centre) -> float:
    """Return the parameter where a curve meets the rim of one of its ends."""
    t = _STEPS.ravel()
    away = np.hypot(*(_points(start, control, end) - centre).T)
    if centre is end:
        t, away = t[::-1], away[::-1]
    return float(np.interp(_RADIUS, away[: len(t) // 2], t[: len(t) // 2]))
