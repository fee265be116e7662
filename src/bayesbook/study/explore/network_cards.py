"""The cards of a network that answers at once, and the arrows between them.

Where there is room the cards lie as the graph does; elsewhere they are a list,
parents first, in which each names its parents.
"""

from __future__ import annotations

from html import escape
from itertools import product

import numpy as np

from bayesbook.drawing.layout import Spacing, place_boxes
from bayesbook.drawing.parts import Shape, edge_parts, find_routes
from bayesbook.study.explore.explorable import part, tick
from bayesbook.study.explore.network_view import LiveNetwork
from bayesbook.study.quiz.pages import asset

# Lengths are in units of the drawing, which here are four rem.
_UNIT = 4
_WIDE = 8.8 / _UNIT
_HEAD = _ROW = 2.1 / _UNIT
_SPACING = Spacing(across=0, down=0, gap=2 / _UNIT)
# The page has no more room: layers with fewer cards come next.
_ROOM = 42 / _UNIT
_LAYERS = (4, 3, 2)


def cards(live: LiveNetwork) -> str:
    """Write the cards with their arrows, and what stands around them.

    Parameters
    ----------
    live : LiveNetwork

    Returns
    -------
    str
        HTML, with names in braces for what is written.
    """
    shapes, curves = _layout(live.net)
    corners = [
        [(s.x + i * s.width, s.y + j * s.height)]
        for s in shapes.values()
        for i, j in product((-1, 1), repeat=2)
    ]
    points = np.concatenate([*corners, *(c.steps for c in curves.values())])
    left, top = points.min(axis=0)
    width, height = np.ptp(points, axis=0)
    shown = "\n".join(
        _card(live, node, shapes[node], left, top) for node in live.net.order
    )
    arrows = "".join(map(_arrow, curves.values()))
    style = asset("network.css", __package__).replace("WIDTH", _rem(width))
    style = style.replace("OWN", live.id)
    best = tick("explained", 1, "Mark the most probable explanation")
    return f"""\
<style>
{_plain(style)}</style>
<p class="explore-live" hidden="hidden">Tick a state to observe it; remove \
the tick to take the observation back.</p>
<div class="explore-network">
<div class="explore-cards" style="--wide:{_rem(width)};--tall:{_rem(height)}">
<svg class="explore-arrows" viewBox="{left:.3f} {top:.3f} {width:.3f} \
{height:.3f}" aria-hidden="true">{arrows}</svg>
{shown}
</div>
</div>
<div class="explore-live" hidden="hidden">{best}</div>
<p class="explore-legend">\
A thin line across a bar shows the probability without evidence.</p>"""


def _layout(net):
    """Place the cards, in a picture that is as wide as it may be."""
    room = {
        node: (_WIDE / 2, (_HEAD + _ROW * len(states)) / 2)
        for node, states in net.states.items()
    }
    for widest in _LAYERS:
        places = place_boxes(net.graph, room, spacing=_SPACING, widest=widest)
        shapes = {
            # In a page, y grows downwards.
            node: Shape(x, -y, *room[node], radius=0.1)
            for node, (x, y) in places.items()
        }
        curves = find_routes(list(net.graph.edges), shapes, wide=True)
        x = np.array([s.x for s in shapes.values()])
        bends = [curve.steps[:, 0] for curve in curves.values()]
        if np.ptp(np.concatenate([x - _WIDE / 2, x + _WIDE / 2, *bends])) <= (
            _ROOM
        ):
            break
    return shapes, curves


def _card(live, node, shape, left, top):
    name, label = live.names[node], _text(live.label(node))
    x, y = shape.x - shape.width - left, shape.y - shape.height - top
    style = f"left:{_rem(x)};top:{_rem(y)};--tall:{_rem(2 * shape.height)}"
    parents = _text(", ".join(map(live.label, live.net.parents(node))))
    given = parents and f'<span class="explore-given"> given {parents}</span>'
    states = zip(live.net.states[node], live.before[node], strict=True)
    rows = "".join(
        _row(name, code, label, _text(state), before)
        for code, (state, before) in enumerate(states)
    )
    own = f"{live.id}_{name}"
    return (
        f'<div class="explore-card" role="group" aria-labelledby="{own}" '
        f'style="{style}"><p id="{own}" title="{label}"><b>{label}</b>{given}'
        f"</p>{rows}</div>"
    )


def _row(name, code, label, state, before):
    """Write a state: its name and its number, and below them its bar."""
    own = f"{name}_{code}"
    text = (
        f'<span class="explore-state"><span class="explore-spoken">{label}: '
        f"</span>{state} {{star_{own}}}</span>{{p_{own}}}"
    )
    bars = (
        '<svg viewBox="0 0 1000 10" preserveAspectRatio="none" '
        'aria-hidden="true">'
        '<rect class="explore-track" y="2" width="1000" height="6"/>'
        + part("rect", f"bar_{own}", class_="explore-bar", y=2, height=6)
        + f'<path d="M{1000 * before:.1f} 0v10"/></svg>'
    )
    row = f'<span class="explore-row">{text}{bars}</span>'
    return tick(name, code + 1, row)


def _arrow(curve):
    first, last, heads = edge_parts(curve, ["head"])
    start, control, end = (
        f"{x:.3f} {y:.3f}" for x, y in curve.between(first, last)
    )
    corners = "L".join(f"{x:.3f} {y:.3f}" for x, y in heads["head"])
    return (
        f'<path class="explore-arrow" d="M{start}Q{control} {end}"/>'
        f'<path d="M{corners}Z"/>'
    )


def _rem(length):
    return f"{_UNIT * length:.2f}rem"


def _text(value):
    return _plain(escape(str(value)))


def _plain(text):
    """Return a text whose braces are no names of what is written."""
    return text.replace("{", "{{").replace("}", "}}")
