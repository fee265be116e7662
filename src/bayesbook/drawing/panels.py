"""Nodes of a network as panels: a name, and probabilities of its states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import numpy as np
from matplotlib.patches import Polygon

from bayesbook.drawing.figures import FILLS, GREY, INK
from bayesbook.drawing.layout import Spacing, edges_of, nodes_of, place_boxes
from bayesbook.drawing.parts import (
    POINTS,
    SHADE,
    Shape,
    box_around,
    box_of,
    chosen,
    count_hidden,
    draw_line,
    draw_outline,
    extent,
    find_routes,
    plain_text,
    text_at,
)
from bayesbook.graphs import consistent_extension

# Letters in points: of a panel's label and its rows. Lengths in units of the
# drawing, as for graphs.
NAME_LETTERS, _LETTERS = 10.5, 9.0
_BAR, _THICK = 0.75, 0.14  # of probability one
_PITCH = 0.24  # from row to row
_UNDER = 0.07  # between label and rows
PAD = 0.1  # from a rim to the contents
_BESIDE = 0.1  # from column to column
_CORNER = 0.07
# Longer labels are folded, longer states lose their middle.
_WIDEST_NAME, _WIDEST_STATE = 2.4, 1.4
_MOST_ROWS = 8
_MOST_ABREAST = 6  # in layers that are made narrower
_PANELS = Spacing(across=0, down=0, gap=0.5)
# The columns on the right of the bars.
_WRITTEN = ("number", "likelihood")


# --- The layout -----------------------------------------------------------


def fitting(inches, graph, room, direction):
    """Place panels so that they are large in axes, and all arrows are seen.

    `inches` are the width and height of the axes. The layers are the usual
    ones, or narrower ones where panels would be too small.
    """
    width, height = np.multiply(inches, 72 / POINTS)
    layouts, largest = [], 0.0
    for widest in (None, *range(_MOST_ABREAST, 0, -1)):
        places = place_boxes(graph, room, direction, _PANELS, widest=widest)
        shapes = shapes_of(places, room)
        low, high = box_around([box_of(shape) for shape in shapes.values()])
        across, down = high - low
        scale = min(1.0, width / across, height / down)
        # In steps: panels a little larger do not make up for longer routes.
        layouts.append((round(20 * scale) / 20, places, shapes))
        largest = max(largest, scale)
        if scale < 0.8 * largest:
            break
    edges = edges_of(graph, nodes_of(graph))
    best, highest = layouts[0][1], 0.0
    for scale, places, shapes in sorted(layouts, key=lambda each: -each[0]):
        # The scale is the highest value that a layout can get.
        if scale <= highest:
            break
        hidden = count_hidden(find_routes(edges, shapes, wide=True), shapes)
        if scale * 0.7**hidden > highest:
            best, highest = places, scale * 0.7**hidden
    return best


def name_panels(nodes, labels):
    """Return a panel for each node that has a name only."""
    labels = labels or {}
    chosen(nodes, labels, "`labels`")
    return {node: panel_of(node, labels) for node in nodes}


def directed(graph):
    """Return a DAG with the arrows of a graph, even if some go both ways."""
    if nx.is_directed_acyclic_graph(graph):
        return graph
    return consistent_extension(graph)


def shapes_of(places, room):
    """Return the shapes of panels at their places."""
    return {
        node: Shape(*places[node], *half, _CORNER)
        for node, half in room.items()
    }


# --- Panels ---------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """A state, or the sum of several with little probability."""

    state: str
    shown: str
    probability: float
    before: float | None = None
    likelihood: str = ""

    def __str__(self) -> str:
        words = [self.state, _number(self.probability)]
        if self.likelihood:
            words.append(f"(likelihood {self.likelihood[1:]}")
        if self.before is not None:
            words.append(f"(before {_number(self.before)})")
        return " ".join(words)

    @property
    def columns(self):
        """The texts of the row: state, probability, likelihood."""
        return self.shown, _number(self.probability), self.likelihood


@dataclass(frozen=True)
class Panel:
    """The contents of a node: its label, and rows if it has probabilities."""

    label: str
    math: bool
    rows: tuple[Row, ...] = ()
    observed: bool = False
    soft: bool = False

    def says(self, node):
        """Return the name of the node in words."""
        return plain_text(self.label) if self.math else str(node)

    @cached_property
    def top(self):
        """Width and height of the label."""
        return extent(self.label, NAME_LETTERS, math=self.math)

    @cached_property
    def widths(self):
        """The widths of the columns, of which the bars are the second."""
        if not self.rows:
            return []
        texts = zip(*(row.columns for row in self.rows), strict=True)
        state, number, likelihood = (
            max(extent(text, _LETTERS, math=False)[0] for text in column)
            for column in texts
        )
        # The same width whatever is observed, so that drawings compare.
        number = max(number, extent("0.000", _LETTERS)[0])
        # Small letters are wider than their size says.
        columns = [1.06 * state, _BAR, number]
        return [*columns, likelihood] if likelihood else columns

    @cached_property
    def half(self):
        """Half the width and half the height."""
        width, height = self.top
        if self.rows:
            columns = sum(self.widths) + _BESIDE * (len(self.widths) - 1)
            width = max(width, columns)
            height += _UNDER + _PITCH * len(self.rows)
        return tuple(
            float(round(side / 2 + PAD, 3)) for side in (width, height)
        )


def panel_of(node, labels, **look):
    """Make the panel of a node, with a label instead of its name if given."""
    label = labels.get(node)
    return Panel(
        _folded(str(node)) if label is None else str(label),
        label is not None,
        **look,
    )


def rows_of(states, distribution, before, likelihoods):
    """Return a row for each state; of many states the rarest share one."""
    if distribution is None:
        return ()
    rows = []
    for i, state in enumerate(states):
        text = " ".join(str(state).split())
        rows.append(
            Row(
                text,
                _shortened(text, _WIDEST_STATE, _LETTERS),
                float(distribution[i]),
                None if before is None else float(before[i]),
                f"({float(likelihoods[i]):.3g})" if likelihoods else "",
            )
        )
    if len(rows) <= _MOST_ROWS:
        return tuple(rows)
    # The order is kept; of equally probable states the first are.
    falling = np.argsort(-distribution, kind="stable")
    kept, rest = sorted(falling[: _MOST_ROWS - 1]), falling[_MOST_ROWS - 1 :]
    text = f"{len(rest)} others"
    others = Row(
        text,
        text,
        float(distribution[rest].sum()),
        None if before is None else float(before[rest].sum()),
    )
    return (*(rows[i] for i in kept), others)


def _number(probability):
    """Write three decimals; only certain states have 0 or 1."""
    # The rounding noise of a sum does not make a state uncertain.
    if probability == 0 or abs(1 - probability) < 1e-12:
        return f"{probability:.0f}"
    if probability < 0.0005:
        return "<0.001"
    if probability > 0.9995:
        return ">0.999"
    return f"{probability:.3f}"


def _shortened(text, width, points):
    """Replace the middle of a text that is too wide by an ellipsis."""
    short = text
    for left in range(len(text) - 1, 1, -1):
        if extent(short, points, math=False)[0] <= width:
            break
        short = f"{text[: (left + 1) // 2]}…{text[-(left // 2) :]}"
    return short


def _folded(name):
    """Break a long name into two lines, and shorten these if needed."""

    def width(line):
        return extent(line, NAME_LETTERS, math=False)[0]

    if width(name) <= _WIDEST_NAME:
        return name
    # After the signs that separate words, as in "visit_to Asia".
    words = re.split(r"(?<=[\s_-])(?=[^\s_-])", name)
    folds = [
        ("".join(words[:i]).strip(), "".join(words[i:]).strip())
        for i in range(1, len(words))
    ]
    lines = min(folds, key=lambda fold: max(map(width, fold)), default=(name,))
    return "\n".join(
        _shortened(line, _WIDEST_NAME, NAME_LETTERS) for line in lines
    )


def draw_panel(node, panel, shape):
    """Draw the rim of a panel, its label and its rows."""
    yield draw_outline(
        shape,
        f"node {node}",
        fc=SHADE if panel.observed else "white",
        ec=INK,
        lw=2.8 if panel.observed else 2.3 if panel.soft else 1.3,
        ls=(0, (3, 1.3)) if panel.soft else "solid",
        zorder=3,
    )
    label_height = panel.top[1]
    left, _ = shape.centre - panel.half + PAD
    right, top = shape.centre + panel.half - PAD
    yield text_at(
        (shape.x, top - label_height / 2),
        panel.label,
        f"label {node}",
        size=NAME_LETTERS,
        parse_math=panel.math,
        color=INK,
    )
    if not panel.rows:
        return
    under = top - label_height - _UNDER / 2
    yield draw_line(
        [(left, under), (right, under)],
        f"rule {node}",
        ec=GREY,
        lw=0.6,
        zorder=3.1,
    )
    # From the right, so that bars stand at their numbers if a name is long.
    steps = [width + _BESIDE for width in panel.widths[:0:-1]]
    _, end, *ends = (right - np.cumsum([0, *steps]))[::-1]
    for i, row in enumerate(panel.rows):
        y = under - _UNDER / 2 - _PITCH * (i + 0.5)
        of = f"{node} {row.state}"
        yield _literal((left, y), row.shown, f"state {of}", ha="left")
        for x, text, what in zip(
            ends, row.columns[1:], _WRITTEN, strict=False
        ):
            yield _literal((x, y), text, f"{what} {of}", ha="right")
        yield from _draw_bar(row, end - _BAR, y, of)


def _draw_bar(row, start, y, of):
    def area(length, what, **look):
        low, high = y - _THICK / 2, y + _THICK / 2
        end = start + length
        corners = [(start, low), (end, low), (end, high), (start, high)]
        return Polygon(corners, gid=f"{what} {of}", **look)

    yield area(_BAR, "track", fc="white", ec=GREY, lw=0.5, zorder=3.1)
    if row.probability > 0:
        length = _BAR * row.probability
        yield area(length, "bar", fc=FILLS[0], ec=INK, lw=0.8, zorder=3.2)
    if row.before is not None:
        x, reach = start + _BAR * row.before, 0.45 * _PITCH
        points = [(x, y - reach), (x, y + reach)]
        yield draw_line(points, f"before {of}", ec=INK, lw=2.2, zorder=3.3)


def _literal(place, text, gid, **look):
    """Write a text as it is, even if there are dollars in it."""
    look = {"size": _LETTERS, "parse_math": False, "color": INK} | look
    return text_at(place, text, gid, **look)
