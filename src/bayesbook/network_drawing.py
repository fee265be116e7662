"""Drawings of Bayesian networks: what is believed of each node, and cliques.

Each node is a panel with its states and their probabilities, as numbers and
as bars. As in :mod:`bayesbook.graph_drawing` a drawing says twice what it
shows, and no meaning rests on colour alone.

>>> from bayesbook.figures import describe, subplots
>>> from bayesbook.network import BayesianNetwork
>>> lawn = BayesianNetwork.from_cpts(
...     {"rain": ("no", "yes"), "grass": ("dry", "wet")},
...     {"rain": ["4/5", "1/5"],
...      ("grass", "rain"): [["3/4", "1/4"], ["1/10", "9/10"]]},
... )
>>> fig, ax = subplots(height=2.2)
>>> _ = draw_network(ax, lawn, evidence={"grass": "wet"})
>>> print(describe(fig))
Figure, 7 × 2.2 in
Axes
  network: rain → grass; observed grass=wet
    grass: dry 0, wet 1
    rain: no 0.526, yes 0.474
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from bayesbook._graph_layout import Spacing, edges_of, nodes_of, place_boxes
from bayesbook._graph_parts import (
    POINTS,
    SHADE,
    Shape,
    box_around,
    box_of,
    check_apart,
    chosen,
    count_hidden,
    draw_edge,
    draw_line,
    draw_outline,
    extent,
    find_routes,
    plain_text,
    read_places,
    show_all,
    text_at,
)
from bayesbook._names import alphabetical, listed
from bayesbook.errors import GraphError, ProbabilityError
from bayesbook.figures import FILLS, GREY, INK, PALE
from bayesbook.graph_drawing import GraphDrawing
from bayesbook.network import BayesianNetwork, JunctionTree
from bayesbook.network._evidence import read_evidence, require_node
from bayesbook.table import Table

__all__ = ["NetworkDrawing", "draw_junction_tree", "draw_network"]

# Letters in points: of a panel's label and its rows, of cliques, of the links
# between them. Lengths in units of the drawing, as for graphs.
_NAME, _LETTERS, _CLIQUE, _LINK = 10.5, 9.0, 10.5, 9.5
_BAR, _THICK = 0.75, 0.14  # of probability one
_PITCH = 0.24  # from row to row
_UNDER = 0.07  # between label and rows
_PAD = 0.1  # from a rim to what is inside
_BESIDE = 0.1  # from column to column
_CORNER, _ROUND, _SQUARE = 0.07, 0.2, 0.02
# Longer labels are folded, longer states lose their middle.
_WIDEST_NAME, _WIDEST_STATE, _WIDEST_CLIQUE = 2.4, 1.4, 2.0
_MOST_LAWS = 30
_MOST_ROWS = 8
_MOST_ABREAST = 6  # in layers that are made narrower
_PANELS = Spacing(across=0, down=0, gap=0.5)
_CLIQUES = Spacing(across=0, down=0, gap=0.24)
# The columns on the right of the bars.
_WRITTEN = ("number", "likelihood")


class NetworkDrawing(GraphDrawing):
    """A drawn network or junction tree: one artist that consists of many.

    Made by :func:`draw_network` and :func:`draw_junction_tree`.

    Parameters
    ----------
    ax, parts, positions, words
        See :class:`bayesbook.graph_drawing.GraphDrawing`.

    Attributes
    ----------
    size : tuple of two float
        Width and height, in inches, of the axes that it needs. In smaller
        ones everything is smaller, letters too.
    """

    # Letters have to stay in their boxes.
    _least = 0.0

    def __init__(self, ax, parts, positions, words):
        super().__init__(ax, parts, positions, words)
        show_all(ax, parts)
        sides = np.ptp([ax.get_xlim(), ax.get_ylim()], axis=1)
        self.size = tuple((sides * POINTS / 72).round(2).tolist())


def draw_network(
    ax: Axes,
    network: BayesianNetwork,
    posteriors: Mapping[str, Table] | None = None,
    *,
    evidence: Mapping | None = None,
    before: Mapping[str, Table] | None = None,
    positions: Mapping[str, tuple[float, float]] | None = None,
    labels: Mapping[str, str] | None = None,
    direction: str = "down",
) -> NetworkDrawing:
    """Draw a network with what is believed of each of its nodes.

    A node is a panel: its name, and for each state the probability, as a bar
    and as a number. A node that is observed is shaded and has a thick rim;
    one with soft evidence has a thick dashed rim, and behind each probability
    the likelihood of the state in brackets.

    Parameters
    ----------
    ax : Axes
        At full size a panel is about 1.5 inches wide and its letters have 9
        points; see the `size` of the drawing.
    network : BayesianNetwork
    posteriors : mapping of node to Table, optional
        The result of any inference, or some of its tables; a node without one
        has its name only. By default they are computed by
        :class:`bayesbook.network.JunctionTree`.
    evidence : mapping of node to state or to likelihoods, optional
        What is known; by default what the posteriors say that they know.
    before : mapping of node to Table, optional
        Other probabilities of the same states, such as those before the
        evidence: a thick line across each bar.
    positions : mapping of node to (x, y), optional
        A position for each node, y upwards, as for
        :func:`bayesbook.graph_drawing.draw_graph`.
    labels : mapping of node to str, optional
        What to call a node instead of its name. TeX between dollars and line
        breaks work.
    direction : {"down", "right"}
        Where arrows point.

    Returns
    -------
    NetworkDrawing

    Raises
    ------
    ProbabilityError
        If a table is not the law of its node, or the evidence is not that of
        the posteriors, or not of this network.
    ZeroProbabilityError
        If the evidence has probability zero.
    GraphError
        If more than 30 nodes have probabilities; if a node has no position,
        or stands on another one.
    ValueError
        If the direction is another one.

    Examples
    --------
    >>> from bayesbook.figures import subplots
    >>> coin = BayesianNetwork([Table([0.25, 0.75], {"coin": "HT"})])
    >>> fig, ax = subplots(height=2)
    >>> drawing = draw_network(ax, coin)
    >>> print(drawing.describe())
    network: coin
      coin: H 0.250, T 0.750
    >>> drawing.size
    (1.48, 0.89)
    """
    if not isinstance(network, BayesianNetwork):
        raise ProbabilityError(
            f"{type(network).__name__} is not a BayesianNetwork; a graph "
            "alone is drawn by bayesbook.graph_drawing.draw_graph."
        )
    known = _read_evidence(network, posteriors, evidence)
    if posteriors is None:
        posteriors = JunctionTree(network).posteriors(known.given)
    laws = _read_laws(network, posteriors, known, "`posteriors`")
    former = read_evidence(network, getattr(before, "evidence", None))
    earlier = _read_laws(network, before or {}, former, "`before`")
    if len(laws) > _MOST_LAWS:
        raise GraphError(
            f"Nobody could read the laws of {len(laws)} nodes in one picture:"
            f" give the posteriors of at most {_MOST_LAWS}, or {{}} for names "
            "only."
        )
    nodes = nodes_of(network.graph)
    chosen(nodes, labels or {}, "`labels`")
    panels = {
        node: _panel(
            network,
            node,
            labels or {},
            laws.get(node),
            earlier.get(node),
            known,
        )
        for node in nodes
    }
    room = {node: panel.half for node, panel in panels.items()}
    if positions is None:
        positions = _fitting(ax, network.graph, room, direction)
    positions = read_places(nodes, positions)
    shapes = _shapes(positions, room)
    check_apart(shapes)
    edges = edges_of(network.graph, nodes)
    curves = find_routes(edges, shapes, wide=True)
    parts = []
    for edge, curve in curves.items():
        parts += draw_edge(edge, curve, arrow=True)
    for node, panel in panels.items():
        parts += _draw_panel(node, panel, shapes[node])
    return NetworkDrawing(
        ax, parts, positions, _words(network, curves, panels, known)
    )


def draw_junction_tree(
    ax: Axes,
    tree,
    *,
    root: int | None = None,
    positions: Mapping[int, tuple[float, float]] | None = None,
    labels: Mapping[str, str] | None = None,
    direction: str = "down",
) -> NetworkDrawing:
    """Draw cliques as round boxes, and separators as square ones between.

    Parameters
    ----------
    ax : Axes
        See the `size` of the drawing for how large they should be.
    tree : JunctionTree or networkx.Graph
        Of a graph, the nodes have the attribute ``clique`` and the edges the
        attribute ``separator``; without the latter it is what the two cliques
        have in common.
    root : node of the tree, optional
        The clique at the beginning; by default one in the middle of the tree,
        so that the drawing is small.
    positions : mapping of clique number to (x, y), optional
        A position for each clique, y upwards; a separator stands half way.
    labels : mapping of variable to str, optional
        What to call a variable instead of its name. TeX works.
    direction : {"down", "right"}
        Where the tree grows to.

    Returns
    -------
    NetworkDrawing

    Raises
    ------
    GraphError
        If it is neither one tree of cliques nor several; if a node has no
        clique, or a separator is not in both its cliques; if the root is no
        clique; if a clique has no position, or boxes cover each other.
    ValueError
        If the direction is another one.

    Examples
    --------
    >>> from bayesbook.figures import subplots
    >>> tree = nx.Graph([(0, 1)])
    >>> nx.set_node_attributes(tree, {0: ("A", "B"), 1: ("B", "C")}, "clique")
    >>> fig, ax = subplots(height=2)
    >>> draw_junction_tree(ax, tree).describe()
    'junction tree: {A, B} – [B] – {B, C}'
    """
    cliques, separators = _read_tree(tree)
    boxes = cliques | separators
    labels = labels or {}
    known = dict.fromkeys(name for own in cliques.values() for name in own)
    chosen(list(known), labels, "`labels`")
    # Names are written as they are; labels may have maths.
    look = {
        node: (_CLIQUE if node in cliques else _LINK, bool(labels))
        for node in boxes
    }
    texts = {
        node: _listing([str(labels.get(n, n)) for n in own], *look[node])
        for node, own in boxes.items()
    }
    half = {node: _half(text, *look[node]) for node, text in texts.items()}
    directed = _rooted(cliques, separators, root)
    if positions is None:
        positions = place_boxes(directed, half, direction, _CLIQUES)
    else:
        positions = _complete(positions, cliques, separators)
    shapes = {
        node: Shape(
            *positions[node],
            *half[node],
            min(half[node][1], _ROUND) if node in cliques else _SQUARE,
        )
        for node in boxes
    }
    check_apart(shapes)
    parts = []
    curves = find_routes(edges_of(directed, list(boxes)), shapes)
    for edge, curve in curves.items():
        parts += draw_edge(edge, curve, arrow=False)
    for node, shape in shapes.items():
        kind = "clique" if node in cliques else "separator"
        parts.append(_draw_box(node, shape, kind))
        size, math = look[node]
        parts.append(
            text_at(
                shape.centre,
                texts[node],
                f"label {node}",
                size=size,
                parse_math=math,
                color=INK,
            )
        )
    return NetworkDrawing(
        ax, parts, positions, _words_of_tree(cliques, separators, labels)
    )


# --- What is asked for ----------------------------------------------------


def _read_evidence(network, posteriors, evidence):
    """Read the evidence, of which the posteriors may know themselves."""
    own = getattr(posteriors, "evidence", None)
    if own is None:
        return read_evidence(network, evidence)
    known = read_evidence(network, own)
    if evidence is None:
        return known
    asked = read_evidence(network, evidence)
    if (asked.hard, asked.soft) != (known.hard, known.soft):
        raise ProbabilityError(
            f"The posteriors are those given {known.given}, not given "
            f"{asked.given}: leave `evidence` out."
        )
    return known


def _read_laws(network, tables, known, what):
    """Read tables as arrays, with the states in the order of the network.

    A node that is observed is in its state for certain.
    """
    if not isinstance(tables, Mapping):
        raise ProbabilityError(
            f"{what} has the type {type(tables).__name__}: give a mapping of "
            "node to Table, such as the posteriors of a JunctionTree."
        )
    laws = {}
    for node in tables:
        require_node(network, node)
        table, states = tables[node], network.states[node]
        if (
            not isinstance(table, Table)
            or table.variables != (node,)
            or set(table.states[node]) != set(states)
        ):
            raise ProbabilityError(
                f"{what} of {node!r} is {_title(table)}, not a law of "
                f"{node!r} with the states {listed(states)}."
            )
        ordered = table.with_states({node: states})
        laws[node] = ordered.values.astype(float)
    for node, state in known.hard.items():
        laws[node] = np.eye(len(network.states[node]))[state]
    return laws


def _title(table):
    if not isinstance(table, Table):
        return f"of type {type(table).__name__}"
    own = ", ".join(listed(states) for states in table.states.values())
    return f"{table.title} with the states {own}"


def _read_tree(tree):
    """Give the variables of each clique, and of each pair of neighbours."""
    if hasattr(tree, "cliques") and hasattr(tree, "tree"):
        graph, cliques = tree.tree, dict(enumerate(tree.cliques))
    else:
        graph = tree
        cliques = getattr(graph, "nodes", nx.Graph().nodes).data("clique")
        cliques = dict(cliques)
    nodes = nodes_of(graph)
    if graph.is_directed() or not nx.is_forest(graph):
        raise GraphError(
            "This is no junction tree: a tree is undirected and has no cycle."
        )
    cliques = {
        node: _members(cliques.get(node), f"Clique {node!r}") for node in nodes
    }
    separators = {}
    for u, v in edges_of(graph, nodes):
        common = [name for name in cliques[u] if name in cliques[v]]
        given = graph.edges[u, v].get("separator", common)
        what = f"The separator of cliques {u!r} and {v!r}"
        separators[u, v] = _members(given, what)
        for name in separators[u, v]:
            if name not in common:
                raise GraphError(
                    f"{what} has {name!r}, which is not in both of "
                    f"{listed(cliques[u])} and {listed(cliques[v])}."
                )
    return cliques, separators


def _members(names, what):
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise GraphError(
            f"{what} is {names!r}: give a tuple of variables, as the "
            "attribute 'clique' of a node, 'separator' of an edge."
        )
    # The order of a set is another one in every process.
    if isinstance(names, Set):
        return tuple(sorted(names, key=alphabetical))
    return tuple(names)


def _rooted(cliques, separators, root):
    """Let all edges point away from the roots, through the separators."""
    if root is not None and root not in cliques:
        raise GraphError(
            f"The root {root!r} is no clique; they are {listed(cliques)}."
        )
    forest = nx.Graph(list(separators))
    forest.add_nodes_from(cliques)
    directed = nx.DiGraph()
    directed.add_nodes_from(cliques)
    for part in nx.connected_components(forest):
        first = root
        if root not in part:
            first = min(nx.center(forest.subgraph(part)), key=alphabetical)
        for u, v in nx.bfs_edges(forest, first):
            edge = (u, v) if (u, v) in separators else (v, u)
            nx.add_path(directed, (u, edge, v))
    return directed


def _complete(positions, cliques, separators):
    """Put separators half way, where they have no position."""
    middles = {
        (u, v): np.add(positions[u], positions[v]) / 2
        for u, v in separators
        if u in positions and v in positions
    }
    return read_places([*cliques, *separators], middles | dict(positions))


# --- The layout -----------------------------------------------------------


def _fitting(ax, graph, room, direction):
    """Place panels so that they are large in the axes, and arrows are seen.

    In the usual layers, or in narrower ones where these would not do.
    """
    width, height = ax.bbox.size / ax.figure.dpi * 72 / POINTS
    layouts, largest = [], 0.0
    for widest in (None, *range(_MOST_ABREAST, 0, -1)):
        places = place_boxes(graph, room, direction, _PANELS, widest=widest)
        shapes = _shapes(places, room)
        low, high = box_around([box_of(shape) for shape in shapes.values()])
        across, down = high - low
        scale = min(1.0, width / across, height / down)
        # In steps: a little larger is not worth longer ways.
        layouts.append((round(20 * scale) / 20, places, shapes))
        largest = max(largest, scale)
        if scale < 0.8 * largest:
            break
    edges = edges_of(graph, nodes_of(graph))
    best, highest = layouts[0][1], 0.0
    for scale, places, shapes in sorted(layouts, key=lambda each: -each[0]):
        # No layout is better than it is large.
        if scale <= highest:
            break
        hidden = count_hidden(find_routes(edges, shapes, wide=True), shapes)
        if scale * 0.7**hidden > highest:
            best, highest = places, scale * 0.7**hidden
    return best


def _shapes(places, room):
    return {
        node: Shape(*places[node], *half, _CORNER)
        for node, half in room.items()
    }


# --- Panels ---------------------------------------------------------------


@dataclass(frozen=True)
class _Row:
    """A state, or the sum of several with little probability."""

    state: str
    shown: str
    probability: float
    before: float | None = None
    likelihood: str = ""

    def __str__(self):
        words = [self.state, _number(self.probability)]
        if self.likelihood:
            words.append(f"(likelihood {self.likelihood[1:]}")
        if self.before is not None:
            words.append(f"(before {_number(self.before)})")
        return " ".join(words)

    @property
    def columns(self):
        """What is written: state, probability, likelihood."""
        return self.shown, _number(self.probability), self.likelihood


@dataclass(frozen=True)
class _Panel:
    """What is drawn at a node."""

    label: str
    math: bool
    rows: tuple[_Row, ...]
    observed: bool = False
    soft: bool = False

    @property
    def top(self):
        """Width and height of the label."""
        return extent(self.label, _NAME, math=self.math)

    @property
    def widths(self):
        """The widths of the columns, of which the bars are the second."""
        if not self.rows:
            return []
        texts = zip(*(row.columns for row in self.rows), strict=True)
        state, number, likelihood = (
            max(extent(text, _LETTERS, math=False)[0] for text in column)
            for column in texts
        )
        # As wide whatever is observed, so that drawings can be compared.
        number = max(number, extent("0.000", _LETTERS)[0])
        # Small letters are wider than their size says.
        columns = [1.06 * state, _BAR, number]
        return [*columns, likelihood] if likelihood else columns

    @property
    def half(self):
        """Half the width and half the height."""
        width, height = self.top
        if self.rows:
            columns = sum(self.widths) + _BESIDE * (len(self.widths) - 1)
            width = max(width, columns)
            height += _UNDER + _PITCH * len(self.rows)
        return tuple(
            float(round(side / 2 + _PAD, 3)) for side in (width, height)
        )


def _panel(network, node, labels, law, before, known):
    label = labels.get(node)
    return _Panel(
        _folded(node) if label is None else str(label),
        label is not None,
        _rows(network.states[node], law, before, known.soft.get(node)),
        node in known.hard,
        node in known.soft,
    )


def _rows(states, law, before, likelihoods):
    """Give a row for each state; one for the least probable if many."""
    if law is None:
        return ()
    rows = []
    for i, state in enumerate(states):
        text = " ".join(str(state).split())
        rows.append(
            _Row(
                text,
                _shortened(text, _WIDEST_STATE, _LETTERS),
                float(law[i]),
                None if before is None else float(before[i]),
                f"({float(likelihoods[i]):.3g})" if likelihoods else "",
            )
        )
    if len(rows) <= _MOST_ROWS:
        return tuple(rows)
    # The order is kept; of equally probable states the first are.
    falling = np.argsort(-law, kind="stable")
    kept, rest = sorted(falling[: _MOST_ROWS - 1]), falling[_MOST_ROWS - 1 :]
    text = f"{len(rest)} others"
    others = _Row(
        text,
        text,
        float(law[rest].sum()),
        None if before is None else float(before[rest].sum()),
    )
    return (*(rows[i] for i in kept), others)


def _number(probability):
    """Write three decimals; only what is certain is 0 or 1."""
    # The rounding noise of a sum is no doubt.
    if probability == 0 or abs(1 - probability) < 1e-12:
        return f"{probability:.0f}"
    if probability < 0.0005:
        return "<0.001"
    if probability > 0.9995:
        return ">0.999"
    return f"{probability:.3f}"


def _shortened(text, width, points):
    """Take out the middle of a text that is too wide."""
    short = text
    for left in range(len(text) - 1, 1, -1):
        if extent(short, points, math=False)[0] <= width:
            break
        short = f"{text[: (left + 1) // 2]}…{text[-(left // 2) :]}"
    return short


def _folded(name):
    """Break a long name into two lines, and shorten what is still long."""

    def width(line):
        return extent(line, _NAME, math=False)[0]

    if width(name) <= _WIDEST_NAME:
        return name
    # After what separates words, as in "visit_to Asia".
    words = re.split(r"(?<=[\s_-])(?=[^\s_-])", name)
    folds = [
        ("".join(words[:i]).strip(), "".join(words[i:]).strip())
        for i in range(1, len(words))
    ]
    lines = min(folds, key=lambda fold: max(map(width, fold)), default=(name,))
    return "\n".join(_shortened(line, _WIDEST_NAME, _NAME) for line in lines)


def _draw_panel(node, panel, shape):
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
    left, _ = shape.centre - panel.half + _PAD
    right, top = shape.centre + panel.half - _PAD
    yield text_at(
        (shape.x, top - label_height / 2),
        panel.label,
        f"label {node}",
        size=_NAME,
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
    """Write a state as it is, even if there are dollars in it."""
    look = {"size": _LETTERS, "parse_math": False, "color": INK} | look
    return text_at(place, text, gid, **look)


# --- Cliques --------------------------------------------------------------


def _listing(names, points, math):
    """List names in lines that are not too wide."""
    lines = []
    for name in names:
        longer = f"{lines[-1]}, {name}" if lines else name
        if lines and extent(longer, points, math=math)[0] <= _WIDEST_CLIQUE:
            lines[-1] = longer
        else:
            lines.append(name)
    return ",\n".join(lines) or "∅"


def _half(text, points, math):
    width, height = extent(text, points, math=math)
    return round(width / 2 + 1.4 * _PAD, 3), round(height / 2 + 0.7 * _PAD, 3)


def _draw_box(node, shape, kind):
    clique = kind == "clique"
    return draw_outline(
        shape,
        f"{kind} {node}",
        fc="white" if clique else PALE,
        ec=INK if clique else GREY,
        lw=1.3 if clique else 1,
        zorder=3,
    )


# --- Words ----------------------------------------------------------------


def _words(network, edges, panels, known):
    """Say what is drawn: a line for the graph, and one for each node."""
    name = {
        node: plain_text(panel.label) if panel.math else node
        for node, panel in panels.items()
    }
    linked = {node for edge in edges for node in edge}
    drawn = [f"{name[u]} → {name[v]}" for u, v in edges]
    drawn += [name[node] for node in panels if node not in linked]
    parts = [f"network: {', '.join(drawn)}"]
    observed = [
        f"{name[node]}={network.states[node][known.hard[node]]}"
        for node in panels
        if node in known.hard
    ]
    soft = [name[node] for node in panels if node in known.soft]
    if observed:
        parts.append(f"observed {', '.join(observed)}")
    if soft:
        parts.append(f"soft evidence on {', '.join(soft)}")
    lines = [
        f"{name[node]}: {', '.join(map(str, panel.rows))}"
        for node, panel in panels.items()
        if panel.rows
    ]
    return "\n  ".join(["; ".join(parts), *lines])


def _words_of_tree(cliques, separators, labels):
    def listing(names):
        return ", ".join(plain_text(str(labels.get(n, n))) for n in names)

    linked = {node for edge in separators for node in edge}
    drawn = [
        f"{{{listing(cliques[u])}}} – [{listing(own)}] – "
        f"{{{listing(cliques[v])}}}"
        for (u, v), own in separators.items()
    ]
    drawn += [
        f"{{{listing(own)}}}"
        for node, own in cliques.items()
        if node not in linked
    ]
    return f"junction tree: {', '.join(drawn)}"
