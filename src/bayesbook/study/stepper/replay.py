"""Searches for a structure, replayed step by step in the page itself.

>>> import networkx as nx
>>> from bayesbook.network import Move, SearchRun, Step
>>> start = nx.DiGraph()
>>> start.add_nodes_from(["rain", "grass", "shoes"])
>>> run = SearchRun(
...     graph=nx.DiGraph([("rain", "grass"), ("grass", "shoes")]),
...     score=-52.5,
...     criterion="BIC",
...     path=(
...         Step.of(Move("add", "rain", "grass"), 15.19, -60.6),
...         Step.of(Move("add", "grass", "shoes"), 8.1, -52.5),
...     ),
...     start=start,
...     n_counted=12,
... )
>>> replay(run, "garden")
Replay "garden": 4 frames
1. Start: no edges
  BIC −75.8.
2. Step 1 of 2: add rain → grass
  Gain 15.2: BIC −60.6 with 1 edge.
3. Step 2 of 2: add grass → shoes
  Gain 8.1: BIC −52.5 with 2 edges.
4. Found: 2 edges
  BIC −52.5. To get there, 12 families were counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

import networkx as nx
import numpy as np

from bayesbook.base.names import pluralise
from bayesbook.base.numbers import as_int
from bayesbook.drawing.layout import nodes_of
from bayesbook.drawing.panels import (
    NAME_LETTERS,
    Panel,
    directed,
    fitting,
    name_panels,
    shapes_of,
)
from bayesbook.drawing.parts import (
    POINTS,
    STEPS,
    Curve,
    Shape,
    box_around,
    box_of,
    check_apart,
    edge_parts,
    find_routes,
    read_places,
)
from bayesbook.graphs import Edge
from bayesbook.graphs.comparison import edges_of
from bayesbook.network import EquivalenceRun, SearchRun
from bayesbook.study.quiz.pages import asset
from bayesbook.study.stepper.picture import svg
from bayesbook.study.stepper.render import check_name, section

__all__ = ["Replay", "replay"]

Edges = Mapping[tuple, Edge]

# What has happened to an edge since the frame before.
_CHANGES = ("added", "deleted", "turned")
# Around a picture that may have to be scrolled, by keyboard too: its keys are
# not those that go from frame to frame.
_ROOM = (
    'class="replay-room" tabindex="0" role="group" aria-label="Picture" '
    'onkeydown="event.stopPropagation()"'
)
# Lengths in an SVG are hundredths of a drawing's unit.
_UNIT = 100
# The most CSS pixels that a unit gets, and the least share of them.
_PIXELS = POINTS / 72 * 96
_LEAST = 0.55
_INCHES = (7.2, 5.4)  # of a layout
_MARGIN = 0.1


# --- A replay ---------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """A frame of a replay: a graph, and what has changed in it."""

    title: str
    text: str
    edges: Edges
    changes: Mapping[tuple, str] = field(default_factory=dict)
    gone: Edges = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Replay:
    """A search as a notebook displays it: with buttons and a slider.

    Made by :func:`replay`.

    Attributes
    ----------
    name : str
        Of the replay, for its place on a page.
    scenes : tuple of Scene
        A frame each: the graph, and the changes since the scene before.
    panels, shapes : mappings of node
        How the nodes are drawn, and where.
    curves : mapping of (node, node)
        How the edges of all scenes run.

    Examples
    --------
    >>> start = nx.empty_graph("AB", create_using=nx.DiGraph)
    >>> shown = replay(SearchRun(start, -10, "BIC", (), start, 2), "nothing")
    >>> shown
    Replay "nothing": 2 frames
    1. Start: no edges
      BIC −10.0.
    2. Found: no edges
      BIC −10.0. To get there, 2 families were counted.
    >>> sorted(shown.positions)
    ['A', 'B']
    """

    name: str
    scenes: tuple[Scene, ...]
    panels: Mapping[str, Panel]
    shapes: Mapping[str, Shape]
    curves: Mapping[tuple, Curve]

    @property
    def positions(self) -> dict[str, tuple[float, float]]:
        """The positions of the nodes, which another drawing can use, too."""
        return {node: (at.x, at.y) for node, at in self.shapes.items()}

    def __repr__(self) -> str:
        count = pluralise(len(self.scenes), "frame")
        lines = [f'Replay "{self.name}": {count}']
        for place, scene in enumerate(self.scenes, 1):
            lines += [f"{place}. {scene.title}", f"  {scene.text}"]
        return "\n".join(lines)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": _html(self), "text/plain": repr(self)}


def replay(
    run: SearchRun,
    name: str = "search",
    *,
    positions: Mapping[str, tuple[float, float]] | None = None,
    labels: Mapping[str, str] | None = None,
    direction: str = "down",
    most: int = 60,
) -> Replay:
    """Replay a search in the page: one graph for each step.

    The first frame is the graph where it begins, the last one the graph that
    was found. In between, the edges that a step adds, deletes or turns are
    thick, each kind with dashes and a colour of its own. Below the graph stand
    the move, its gain and the score.

    Parameters
    ----------
    run : SearchRun
        The result of a search. A search in the space of equivalence classes
        is shown by their CPDAGs: an edge without direction has no head.
    name : str
        Lower-case letters, digits and hyphens; a name of its own for each
        step-through of a page.
    positions : mapping of node to (x, y), optional
        A position for each node, y upwards. By default the positions suit the
        graph that was found.
    labels : mapping of node to str, optional
        What to call a node instead of its name; not typeset.
    direction : {"down", "right"}
        Where arrows of the graph that was found point.
    most : int
        The greatest number of frames between the first and the last; if
        there are more steps, several share a frame.

    Returns
    -------
    Replay
        Put it on the last line of a cell to show it: with buttons and a
        slider where scripts run, and else all frames side by side.

    Raises
    ------
    TypeError
        If `run` is not a SearchRun, or the name not a str.
    GraphError
        If a node has no position, or stands on another one.
    ValueError
        If the name has other signs, if `most` is not a whole number from 1
        on, or if the direction is another one.

    See Also
    --------
    bayesbook.drawing.draw_comparison : the result and the truth.

    Examples
    --------
    >>> from bayesbook.network import Move, Step
    >>> path = [Step.of(Move("reverse", "A", "B"), 0.25, -10)]
    >>> start, graph = nx.DiGraph(["AB"]), nx.DiGraph(["BA"])
    >>> shown = replay(SearchRun(graph, -10, "BDeu", tuple(path), start, 4))
    >>> shown.scenes[1].title, shown.scenes[1].text
    ('Step 1 of 1: reverse A → B', 'Gain 0.25: BDeu −10.0 with 1 edge.')
    """
    _require_run(run)
    check_name(name)
    most = as_int(most, "most", least=1)
    nodes = nodes_of(run.start)
    panels = name_panels(nodes, labels)
    room = {node: panel.half for node, panel in panels.items()}
    if positions is None:
        found = nx.DiGraph(directed(run.graph))
        found.add_nodes_from(nodes)
        positions = fitting(_INCHES, found, room, direction)
    shapes = shapes_of(read_places(nodes, positions), room)
    check_apart(shapes)
    names = {node: panel.says(node) for node, panel in panels.items()}
    scenes = tuple(_scenes(run, names, most))
    return Replay(name, scenes, panels, shapes, _curves(scenes, shapes))


# --- Scenes -----------------------------------------------------------------


def _scenes(run, names, most):
    """Yield the start, the steps, and the graph that was found."""
    by_class = isinstance(run, EquivalenceRun)
    graphs = map(edges_of, run.cpdags() if by_class else run.graphs())
    before = next(graphs)
    yield Scene(
        f"Start: {_edges(before)}",
        f"{run.criterion} {_nats(_first_score(run))}.",
        before,
    )
    total = len(run.path)
    # Steps share a frame only where there are too many.
    length = -(-total // most) or 1
    best = _first_score(run), 0
    for first in range(0, total, length):
        steps = run.path[first : first + length]
        after = [next(graphs) for _ in steps][-1]
        last = first + len(steps)
        best = max(
            best,
            *((s.score, -at) for at, s in enumerate(steps, first + 1)),
        )
        moves, result = _described(run, steps, after, best, names)
        yield Scene(
            f"{_place(first + 1, last, total)}: {moves}",
            result,
            after,
            *_changes(before, after, steps),
        )
        before = after
    found = edges_of(run.cpdag if by_class else run.graph)
    families = pluralise(run.n_counted, "family")
    were = "was" if run.n_counted == 1 else "were"
    ended = "" if run.converged else " The search was cut short."
    yield Scene(
        f"Found: {_edges(found)}",
        f"{run.criterion} {_nats(run.score)}. To get there, {families} {were} "
        f"counted.{ended}",
        found,
    )


def _place(first, last, total):
    if first == last:
        return f"Step {first:,} of {total:,}"
    return f"Steps {first:,} to {last:,} of {total:,}"


def _described(run, steps, after, best, names):
    """Return the moves of some steps, and what they lead to, in words."""
    score = steps[-1].score
    reached = f"{run.criterion} {_nats(score)} with {_edges(after)}"
    highest, at = best
    # Only if it differs in the digits that are shown.
    if _nats(highest) != _nats(score):
        where = f"after step {-at:,}" if at else "at the start"
        reached += f"; the best so far was {_nats(highest)}, {where}"
    if len(steps) == 1:
        [step] = steps
        gain = f"Gain {_nats(step.delta)}"
        if step.move is None:
            gain = "From another graph"
        return _move(step, names), f"{gain}: {reached}."
    moves = [
        _move(step, names)
        if step.move is None
        else f"{_move(step, names)} (gain {_nats(step.delta)})"
        for step in steps
    ]
    text = ", ".join(moves)
    title = f"{len(steps)} moves"
    return title, f"{text[0].upper()}{text[1:]}: {reached}."


def _move(step, names):
    if step.move is None:
        return f"restart {step.restart}"
    tail, head = names[step.move.tail], names[step.move.head]
    move = f"{step.move.kind} {tail} → {head}"
    if not step.why:
        return move
    # The last word may be the name of a node that is taken out.
    *words, last = step.why.split()
    return f"{move} ({' '.join([*words, names.get(last, last)])})"


def _changes(before, after, steps):
    """Return what has happened to each pair, and the edges that are gone."""
    # Where a search restarts, all is new.
    if any(step.move is None for step in steps):
        return {}, {}
    changes = {
        pair: "turned" if pair in before else "added"
        for pair, edge in after.items()
        if before.get(pair) != edge
    }
    gone = {pair: edge for pair, edge in before.items() if pair not in after}
    return changes, gone


def _edges(edges):
    return pluralise(len(edges), "edge") if edges else "no edges"


def _nats(value):
    """Write a score with one decimal, a small one with three digits."""
    small = 0 < abs(value) < 9.995
    text = f"{value:.3g}" if small else f"{value:,.1f}"
    return text.replace("-", "−")


def _curves(scenes, shapes):
    """Find a route for each edge of any scene, the last scene's first."""
    curves = find_routes(list(scenes[-1].edges), shapes, wide=True)
    found = dict(curves)
    for scene in scenes:
        for pair in [*scene.edges, *scene.gone]:
            if pair not in curves:
                # Edges that are not in the last scene may meet each other.
                curves |= find_routes([pair], shapes, wide=True, among=found)
    return curves


# --- HTML -------------------------------------------------------------------


def _html(shown):
    own = f"stepper-{shown.name}"
    low, high = box_around(
        [box_of(shape) for shape in shown.shapes.values()]
        + [_bounds(curve(STEPS)) for curve in shown.curves.values()]
    )
    low, high = low - _MARGIN, high + _MARGIN
    size = tuple(round(side) for side in _rounded((high - low) * _UNIT))

    def xy(point):
        x, y = _rounded((point - low) * _UNIT)
        return f"{x:.0f} {size[1] - y:.0f}"

    edges: dict[tuple, str] = {}

    def use(pair, edge, change=""):
        key = pair, edge.directed, edge.head
        at = edges.setdefault(key, f"{own}_{len(edges)}")
        look = f' class="replay-{change}"' if change else ""
        return f'<use{look} href="#{at}"/>'

    frames = "\n".join(_frame(s, use, own, size, shown) for s in shown.scenes)
    drawn = "".join(
        f'<g id="{at}">{_edge(shown.curves[pair], pair, *edge, xy)}</g>'
        for (pair, *edge), at in edges.items()
    )
    nodes = "".join(
        _node(panel, shown.shapes[node], xy)
        for node, panel in shown.panels.items()
    )
    shared = f'<g id="{own}_nodes">{nodes}</g>{drawn}'
    seen = {c for s in shown.scenes for c in s.changes.values()}
    seen |= {"deleted"} if any(s.gone for s in shown.scenes) else set()
    legend = "".join(
        f"<li>{_sample(change)} <span>{change}</span></li>"
        for change in _CHANGES
        if change in seen
    )
    style = asset("replay.css", "bayesbook.study.stepper")
    count = len(shown.scenes)
    return section(shown.name, shared, legend, frames, count, style)


def _rounded(lengths):
    # First to four digits: noise must not decide what is half way.
    return np.round(np.round(lengths, 4)) + 0.0


def _bounds(points):
    return np.array([points.min(axis=0), points.max(axis=0)])


def _frame(scene, use, own, size, shown):
    lines = "".join(
        [
            *(use(p, edge, "deleted") for p, edge in scene.gone.items()),
            *(
                use(p, edge, scene.changes.get(p, ""))
                for p, edge in scene.edges.items()
            ),
        ]
    )
    # In CSS pixels; a smaller screen scrolls.
    natural = size[0] / _UNIT * _PIXELS
    picture = svg(
        f'<g class="replay-graph">{lines}<use href="#{own}_nodes"/></g>',
        _spoken(scene, shown),
        size,
        f"max-width:{natural:.0f}px;min-width:{_LEAST * natural:.0f}px",
    )
    return f"""\
<li class="stepper-frame" data-title="{escape(scene.title)}">\
<div {_ROOM}>{picture}</div>
<div class="stepper-words"><p class="stepper-title">{escape(scene.title)}</p>
<p>{escape(scene.text)}</p></div></li>"""


def _spoken(scene, shown):
    def written(edges):
        named = [
            Edge(*(shown.panels[n].says(n) for n in edge[:2]), edge.directed)
            for edge in edges
        ]
        return ", ".join(map(str, named))

    parts = [f"Graph: {written(scene.edges.values()) or 'no edges'}"]
    for change in _CHANGES:
        edges = [
            edge
            for pair, edge in scene.edges.items()
            if scene.changes.get(pair) == change
        ]
        if change == "deleted":
            edges = list(scene.gone.values())
        if edges:
            parts.append(f"{change}: {written(edges)}")
    return "; ".join(parts) + "."


def _edge(curve, pair, has_head, head, xy):
    """Write a line and its head; the curve goes along the pair."""
    kinds = ["head" if head == pair[1] else "back"] if has_head else []
    first, last, corners = edge_parts(curve, kinds, bold=True)
    start, control, end = map(xy, curve.between(first, last))
    heads = "".join(
        _head(f"M{' '.join(map(xy, c))}z") for c in corners.values()
    )
    return _line(f"M{start}Q{control} {end}") + heads


def _node(panel, shape, xy):
    corner = shape.centre - [shape.width, -shape.height]
    x, y = xy(corner).split()
    width, height, radius = _rounded(
        np.array([2 * shape.width, 2 * shape.height, shape.radius]) * _UNIT
    )
    lines = panel.label.replace("$", "").split("\n")
    letters = NAME_LETTERS / POINTS * _UNIT
    middle, centre = xy(shape.centre).split()
    base = int(centre) + 0.36 * letters - 0.6 * letters * (len(lines) - 1)
    texts = "".join(
        f'<text x="{middle}" y="{base + 1.2 * letters * i:.0f}">'
        f"{escape(line)}</text>"
        for i, line in enumerate(lines)
    )
    # The paper's colour hides edges that pass behind.
    return (
        '<rect style="fill:var(--step-paper)" stroke="currentColor" '
        f'x="{x}" y="{y}" width="{width:.0f}" height="{height:.0f}" '
        f'rx="{radius:.0f}"/>{texts}'
    )


def _line(path):
    # Not by style sheet, whose rules do not reach a drawing used again.
    return f'<path fill="none" stroke="currentColor" d="{path}"/>'


def _head(path):
    return f'<path fill="currentColor" stroke="none" d="{path}"/>'


def _sample(change):
    """Draw a short edge, for the legend."""
    return (
        '<svg class="replay-graph" viewBox="0 0 60 12" width="60" height="12" '
        f'aria-hidden="true"><g class="replay-{change} replay-sample">'
        f"{_line('M0 6h48')}{_head('M60 6 46 0 46 12z')}</g></svg>"
    )


def _require_run(run: SearchRun) -> None:
    """Raise a TypeError unless it is a SearchRun."""
    if not isinstance(run, SearchRun):
        raise TypeError(
            f"{type(run).__name__} is not a SearchRun, which searches such "
            "as bayesbook.network.hill_climb return."
        )


def _first_score(run: SearchRun) -> float:
    """Return the score of the graph that a search starts from."""
    if not run.path:
        return run.score
    return run.path[0].score - run.path[0].delta
