"""Drawings of a learned graph over the true one, edge by edge.

>>> from bayesbook.drawing import describe, subplots
>>> from bayesbook.graphs import parse
>>> fig, ax = subplots(height=2)
>>> true, learned = parse("X -> Z <- Y"), parse("X -> Z")
>>> learned.add_node("Y")
>>> _ = draw_comparison(ax, learned, true, classes=False, legend=False)
>>> print(describe(fig))
Figure, 4.75 × 2 in
Axes
  comparison: 1 found, 1 missing, 0 extra, 0 misdirected
    found: X → Z
    missing: Y → Z
"""

from __future__ import annotations

from collections.abc import Mapping

import networkx as nx
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from bayesbook.drawing.figures import BLUE, INK, ORANGE, PURPLE
from bayesbook.drawing.layout import nodes_of
from bayesbook.drawing.network import NetworkDrawing
from bayesbook.drawing.panels import (
    directed,
    draw_panel,
    fitting,
    name_panels,
    shapes_of,
)
from bayesbook.drawing.parts import (
    POINTS,
    check_apart,
    draw_styled_edge,
    extent,
    find_routes,
    inches,
    read_places,
)
from bayesbook.graphs import Edge, compare
from bayesbook.network import BayesianNetwork

__all__ = ["draw_comparison"]

# The legend's letters in points, its samples of lines in letters.
_KEYS, _SAMPLE = 9.5, 3.4
# How edges of a comparison look, and what its axes show. All but those that
# were found have larger heads.
_EDGES = {
    "found": {"ec": INK, "ls": "solid", "lw": 1.3},
    "missing": {"ec": BLUE, "ls": (0, (1, 1.3)), "lw": 2.3},
    "extra": {"ec": ORANGE, "ls": (0, (4.5, 2)), "lw": 2.0},
    "misdirected": {"ec": PURPLE, "ls": (0, (3.6, 1.3, 1, 1.3)), "lw": 2.0},
}
_SHOWN = {
    "both": ("comparison", tuple(_EDGES)),
    "learned": ("learned graph", ("found", "extra", "misdirected")),
    "true": ("true graph", ("found", "missing", "misdirected")),
}


def draw_comparison(
    ax: Axes,
    learned: nx.DiGraph | BayesianNetwork,
    true: nx.DiGraph | BayesianNetwork,
    *,
    classes: bool = True,
    show: str = "both",
    positions: Mapping[str, tuple[float, float]] | None = None,
    labels: Mapping[str, str] | None = None,
    direction: str = "down",
    legend: bool = True,
) -> NetworkDrawing:
    """Draw a learned graph over the true one, with their edges told apart.

    An edge that was found is a thin solid line; a missing one, of the true
    graph only, is dotted; an extra one, of the learned graph only, is dashed;
    a misdirected one, whose ends are the same but not its direction, has
    dashes and dots, the head of the learned graph filled and that of the true
    one hollow. An edge without direction has no head. The legend counts them.

    Parameters
    ----------
    ax : Axes
        See the `size` of the drawing for how large they should be: 7 inches
        of width are enough for "alarm" with its 37 nodes.
    learned, true : networkx.DiGraph or BayesianNetwork
        DAGs, or CPDAGs such as :func:`bayesbook.graphs.cpdag` returns, with
        the same nodes.
    classes : bool
        Compare and draw the CPDAGs, because data cannot tell equivalent
        graphs apart. If False, the edges of two DAGs as they stand.
    show : {"both", "learned", "true"}
        Both graphs over each other, or one of them, to stand beside a drawing
        of the other; the edges that only the other one has are left out.
    positions : mapping of node to (x, y), optional
        A position for each node, y upwards. By default they depend on the
        true graph only, so that several learned ones can be compared.
    labels : mapping of node to str, optional
        What to call a node instead of its name. TeX between dollars and line
        breaks work.
    direction : {"down", "right"}
        Where the arrows of the true graph point.
    legend : bool
        Whether to draw a legend below the axes.

    Returns
    -------
    NetworkDrawing

    Raises
    ------
    TypeError
        If a graph is neither a networkx.DiGraph nor a BayesianNetwork.
    GraphError
        If a graph is neither a DAG nor a CPDAG, or if their nodes differ; if
        a node has no position, or stands on another one.
    ValueError
        If `show` or the direction is another one.

    See Also
    --------
    bayesbook.graphs.compare : the same without a picture.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=2)
    >>> true = parse("rain -> grass <- sprinkler, grass -> slippery")
    >>> learned = parse("rain -> grass -> slippery <- sprinkler")
    >>> print(draw_comparison(ax, learned, true, classes=False).describe())
    comparison: 2 found, 1 missing, 1 extra, 0 misdirected
      found: rain → grass, grass → slippery
      missing: sprinkler → grass
      extra: sprinkler → slippery
    """
    if show not in _SHOWN:
        raise ValueError(
            f"show={show!r} is not known: use 'both', 'learned' or 'true'."
        )
    learned, true = _graph(learned), _graph(true)
    compared = compare(learned, true, classes=classes)
    nodes = nodes_of(true)
    panels = name_panels(nodes, labels)
    room = {node: panel.half for node, panel in panels.items()}
    if positions is None:
        positions = fitting(inches(ax), directed(true), room, direction)
    positions = read_places(nodes, positions)
    shapes = shapes_of(positions, room)
    check_apart(shapes)
    edges = {kind: _heads(compared, kind, show) for kind in _SHOWN[show][1]}
    # The routes of all edges, because either graph alone has the same ones.
    routes = find_routes(
        [edge for kind in _EDGES for edge in _heads(compared, kind, show)],
        shapes,
        wide=True,
    )
    parts = []
    for kind, headed in edges.items():
        for edge, heads in headed.items():
            bold = kind != "found"
            look = heads | _EDGES[kind]
            parts += draw_styled_edge(edge, routes[edge], bold=bold, **look)
    for node, panel in panels.items():
        parts += draw_panel(node, panel, shapes[node])
    if legend:
        _add_legend(ax, edges)
    words = _words(compared, show, panels)
    return NetworkDrawing(ax, parts, positions, words)


# --- Edges and their heads ------------------------------------------------


def _graph(graph):
    return graph.graph if isinstance(graph, BayesianNetwork) else graph


def _pairs(compared, kind):
    """Return the edges of a kind: as learned, and as true."""
    edges = getattr(compared, kind)
    return edges if kind == "misdirected" else [(edge, edge) for edge in edges]


def _heads(compared, kind, show):
    """Return the colours of the heads of each edge, from its first node on.

    Where two graphs are drawn over each other and point different ways, the
    head of the true one is hollow.
    """
    colour = _EDGES[kind]["ec"]
    edges = {}
    for learned, true in _pairs(compared, kind):
        fills = {}
        if true.directed and show != "learned":
            fills[true.head] = colour if show == "true" else "white"
        if learned.directed and show != "true":
            fills[learned.head] = colour
        edges[learned.tail, learned.head] = {
            "head": fills.get(learned.head),
            "back": fills.get(learned.tail),
        }
    return edges


# --- The legend and the words ---------------------------------------------


def _add_legend(ax, edges):
    handles = []
    for kind, headed in edges.items():
        label = f"{len(headed)} {kind}"
        # Where both graphs are drawn, their heads have to be told apart.
        if kind == "misdirected" and headed and len(edges) == len(_EDGES):
            label += " (hollow: true)"
        look = {key: _EDGES[kind][key] for key in ("ls", "lw")}
        handles.append(
            Line2D([], [], color=_EDGES[kind]["ec"], label=label, **look)
        )
    widths = [
        extent(handle.get_label(), _KEYS)[0] * POINTS / 72
        + (_SAMPLE + 3) * _KEYS / 72
        for handle in handles
    ]
    # In one row if there is room, else in two, else below each other.
    for rows in (1, 2, len(widths)):
        columns = [widths[i : i + rows] for i in range(0, len(widths), rows)]
        if sum(map(max, columns)) < inches(ax)[0]:
            break
    ax.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        ncols=len(columns),
        fontsize=_KEYS,
        handlelength=_SAMPLE,
    )


def _words(compared, show, panels):
    """Count the edges of each kind, and list them in lines."""

    def written(edge):
        tail, head = (panels[node].says(node) for node in edge[:2])
        return str(Edge(tail, head, edge.directed))

    title, kinds = _SHOWN[show]
    counts, lines = [], []
    for kind in kinds:
        pairs = [tuple(map(written, p)) for p in _pairs(compared, kind)]
        counts.append(f"{len(pairs)} {kind}")
        if kind != "misdirected":
            words = [edge for edge, _ in pairs]
        elif show == "both":
            words = [f"{learned} for {true}" for learned, true in pairs]
        else:
            words = [pair[show == "true"] for pair in pairs]
        if words:
            lines.append(f"{kind}: {', '.join(words)}")
    return "\n  ".join([f"{title}: {', '.join(counts)}", *lines])
