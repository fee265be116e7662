"""Drawings of Markov chains: states, arrows there and back, loops.

>>> from bayesbook.drawing import describe, subplots
>>> from bayesbook.mcmc import MarkovChain
>>> fig, ax = subplots(height=2)
>>> chain = MarkovChain([["3/4", "1/4"], [1, 0]], ["sun", "rain"])
>>> _ = draw_chain(ax, chain)
>>> print(describe(fig))
Figure, 4.75 × 2 in
Axes
  chain: sun → sun 3/4, sun → rain 1/4, rain → sun 1
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Circle, Polygon

from bayesbook.base import GraphError
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import show
from bayesbook.drawing.figures import INK
from bayesbook.drawing.graphs import GraphDrawing
from bayesbook.drawing.parts import (
    SHADE,
    draw_line,
    freest,
    head_corners,
    show_all,
    text_at,
)
from bayesbook.mcmc import MarkovChain
from bayesbook.mcmc.chains import State

__all__ = ["draw_chain"]

# In units of the drawing, which are at most 56 points.
_RADIUS = 0.27  # of a state, if its label is short
_LETTER = 0.07  # more of it for each letter
_GAP = 1.35  # between the rims of states where no positions are given
_BEND = 0.16  # of an arrow that has one back, per unit of its length
_LOOP = 0.24  # radius
_HEAD = 0.15
_BESIDE = 0.17  # from an arrow to its number
_NUMBERS = 9.5  # letters in points
# Where a loop may be, the best place first.
_AROUND = np.pi * np.array([2, 6, 0, 4, 1, 3, 5, 7]) / 4
_DIRECTIONS = np.column_stack([np.cos(_AROUND), np.sin(_AROUND)]).round(9)


def draw_chain(
    ax: Axes,
    chain: MarkovChain,
    *,
    positions: Mapping[State, tuple[float, float]] | None = None,
    labels: Mapping[State, str] | None = None,
    shaded: Collection[State] = (),
    probabilities: bool = True,
) -> GraphDrawing:
    """Draw a chain into axes, which then have no scales.

    Each possible step is an arrow, and a number beside it is its probability;
    a state that may follow itself has a loop.

    Parameters
    ----------
    ax : Axes
    chain : MarkovChain
    positions : mapping of state to (x, y), optional
        A place for each state, y upwards; states with short labels are 0.54
        wide. Without it they stand on a circle, the first on the left,
        clockwise.
    labels : mapping of state to str, optional
        What to write into a state instead of its name.
    shaded : states
        States on a grey ground.
    probabilities : bool
        Whether to write the numbers.

    Returns
    -------
    GraphDrawing

    Raises
    ------
    GraphError
        If a state is not in the chain, or has no place.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=1.5)
    >>> there_and_back = MarkovChain([[0, 1], [1, 0]], "AB")
    >>> draw_chain(ax, there_and_back, shaded="A").describe()
    'chain: A → B 1, B → A 1; shaded A'
    """
    labels = {} if labels is None else labels
    for state in [*(positions or ()), *labels, *shaded]:
        if state not in chain.states:
            raise GraphError(
                f"{state!r} is not a state of the chain; the states are "
                f"{quoted_list(chain.states)}."
                + did_you_mean(state, chain.states)
            )
    labels = {s: str(labels.get(s, s)) for s in chain.states}
    radius = max(_RADIUS, _LETTER * max(map(len, labels.values())))
    places = _circle(labels, radius) if positions is None else positions
    missing = [state for state in chain.states if state not in places]
    if missing:
        raise GraphError(f"There is no place for {quoted_list(missing)}.")
    places = {s: np.array(places[s], dtype=float) for s in chain.states}
    steps = list(chain.graph.edges(data="probability"))
    parts: list[Artist] = []
    rays: dict[State, list[np.ndarray]] = {s: [] for s in chain.states}
    for a, b, p in steps:
        if a != b:
            two_way = chain.graph.has_edge(b, a)
            line = _bow(places[a], places[b], radius, _BEND if two_way else 0)
            parts += _arrow(line, _number(p) if probabilities else "")
            rays[a].append(line[5] - line[0])
            rays[b].append(line[-6] - line[-1])
    for a, b, p in steps:
        if a == b:
            line = _loop(places[a], radius, freest(rays[a], _DIRECTIONS))
            parts += _arrow(line, _number(p) if probabilities else "")
    for state, place in places.items():
        parts.append(
            Circle(
                place,
                radius,
                gid=f"state {state}",
                fc=SHADE if state in shaded else "white",
                ec=INK,
                lw=1.3,
                zorder=3,
            )
        )
        parts.append(text_at(place, labels[state], color=INK))
    words = ", ".join(f"{a} → {b} {_number(p)}" for a, b, p in steps)
    if shaded:
        words += f"; shaded {', '.join(map(str, shaded))}"
    drawing = GraphDrawing(ax, parts, places, f"chain: {words}")
    show_all(ax, parts, _rough_extent)
    return drawing


def _circle(states, radius):
    n = len(states)
    apart = _GAP + 2 * radius
    radius = apart / 2 / np.sin(np.pi / n) if n > 1 else 0
    angles = np.pi - 2 * np.pi * np.arange(n) / n
    at = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    return dict(zip(states, at.round(6), strict=True))


def _bow(start, end, radius, bend):
    """Return the points of a parabola, bent to the left, from rim to rim."""
    along = end - start
    control = (start + end) / 2 + 2 * bend * np.array([-along[1], along[0]])
    t = np.linspace(0, 1, 401)[:, None]
    points = (1 - t) ** 2 * start + 2 * t * (1 - t) * control + t**2 * end
    outside = [
        np.hypot(*(points - centre).T) >= radius for centre in (start, end)
    ]
    return points[outside[0] & outside[1]]


def _loop(centre, radius, direction):
    """Return the points of a circle beside a state, from rim to rim."""
    middle = centre + (radius + 0.7 * _LOOP) * direction
    start = np.arctan2(*-direction[::-1])
    angles = start + np.linspace(0, 2 * np.pi, 401)
    points = middle + _LOOP * np.column_stack([np.cos(angles), np.sin(angles)])
    return points[np.hypot(*(points - centre).T) >= radius]


def _arrow(points: np.ndarray, number: str) -> list[Artist]:
    """Draw a line with a head, and a number beside it."""
    tip = points[-1]
    shaft = np.hypot(*(points - tip).T) >= _HEAD
    corners = head_corners(tip, points[shaft][-1])
    parts: list[Artist] = [
        draw_line(points[shaft], None, ec=INK, lw=1.3, zorder=2),
        Polygon(corners, fc=INK, ec="none", zorder=2),
    ]
    if number:
        # Of a loop the far point; of others a place nearer to the start, where
        # fewer arrows meet.
        is_loop = np.hypot(*(points[0] - tip)) < 2 * _LOOP
        at = round(len(points) * (0.5 if is_loop else 0.4))
        along = points[at + 1] - points[at - 1]
        left = np.array([-along[1], along[0]]) / np.hypot(*along)
        if is_loop:
            # It runs counter-clockwise, and its left is inside.
            left = -left
        # Longer texts need more room where the arrow is steep.
        room = _BESIDE + 0.035 * (len(number) - 1) * abs(left[0])
        place = points[at] + room * left
        parts.append(text_at(place, number, size=_NUMBERS, color=INK))
    return parts


def _number(p):
    return show(p) if isinstance(p, Fraction) else f"{p:.2g}"


def _rough_extent(text):
    return 0.12 * len(text.get_text()), 0.22
