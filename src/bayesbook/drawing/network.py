"""Drawings of Bayesian networks: beliefs, cliques, and what was learned.

Each node is a panel with its states and their probabilities, as numbers and
as bars. A graph that was learned from data is drawn over the true one, if
that is known. As in :mod:`bayesbook.drawing.graphs` a drawing says twice what
it shows, and no meaning rests on colour alone.

>>> from bayesbook.drawing import describe, subplots
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

from collections.abc import Iterable, Mapping, Set

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.base.names import alphabetical, quoted_list
from bayesbook.drawing.figures import BLUE, GREY, INK, ORANGE, PALE, PURPLE
from bayesbook.drawing.graphs import GraphDrawing
from bayesbook.drawing.layout import Spacing, edges_of, nodes_of, place_boxes
from bayesbook.drawing.panels import (
    PAD,
    directed,
    draw_panel,
    fitting,
    name_panels,
    panel_of,
    rows_of,
    shapes_of,
)
from bayesbook.drawing.parts import (
    POINTS,
    Shape,
    check_apart,
    chosen,
    draw_edge,
    draw_outline,
    draw_styled_edge,
    extent,
    find_routes,
    plain_text,
    read_places,
    show_all,
    text_at,
)
from bayesbook.graphs import Edge, compare
from bayesbook.network import BayesianNetwork, JunctionTree
from bayesbook.network.evidence import read_evidence, require_node
from bayesbook.probability import Table

__all__ = [
    "NetworkDrawing",
    "draw_comparison",
    "draw_junction_tree",
    "draw_network",
]

# Letters in points: of cliques, of the links between them. Lengths in units
# of the drawing, as for graphs.
_CLIQUE, _LINK = 10.5, 9.5
_ROUND, _SQUARE = 0.2, 0.02
_WIDEST_CLIQUE = 2.0
_MOST_DISTRIBUTIONS = 30
# The legend's letters in points, its samples of lines in letters.
_KEYS, _SAMPLE = 9.5, 3.4
_CLIQUES = Spacing(across=0, down=0, gap=0.24)
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


class NetworkDrawing(GraphDrawing):
    """A drawn network or junction tree: one artist that consists of many.

    Made by :func:`draw_network`, :func:`draw_junction_tree` and
    :func:`draw_comparison`.

    Parameters
    ----------
    ax, parts, positions, words
        See :class:`bayesbook.drawing.GraphDrawing`.

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
        :func:`bayesbook.drawing.draw_graph`.
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
        If a table is not the distribution of its node, or the evidence is not
        that of the posteriors, or not of this network.
    ZeroProbabilityError
        If the evidence has probability zero.
    GraphError
        If more than 30 nodes have probabilities; if a node has no position,
        or stands on another one.
    ValueError
        If the direction is another one.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
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
            "alone is drawn by bayesbook.drawing.draw_graph."
        )
    known = _read_evidence(network, posteriors, evidence)
    if posteriors is None:
        posteriors = JunctionTree(network).posteriors(known.given)
    distributions = _read_distributions(
        network, posteriors, known, "`posteriors`"
    )
    former = read_evidence(network, getattr(before, "evidence", None))
    earlier = _read_distributions(network, before or {}, former, "`before`")
    if len(distributions) > _MOST_DISTRIBUTIONS:
        raise GraphError(
            f"Nobody could read the distributions of {len(distributions)} "
            f"nodes in one picture: give the posteriors of at most "
            f"{_MOST_DISTRIBUTIONS}, or {{}} for names "
            "only."
        )
    nodes = nodes_of(network.graph)
    chosen(nodes, labels or {}, "`labels`")
    panels = {
        node: _panel(
            network,
            node,
            labels or {},
            distributions.get(node),
            earlier.get(node),
            known,
        )
        for node in nodes
    }
    room = {node: panel.half for node, panel in panels.items()}
    if positions is None:
        positions = fitting(_inches(ax), network.graph, room, direction)
    positions = read_places(nodes, positions)
    shapes = shapes_of(positions, room)
    check_apart(shapes)
    edges = edges_of(network.graph, nodes)
    curves = find_routes(edges, shapes, wide=True)
    parts = []
    for edge, curve in curves.items():
        parts += draw_edge(edge, curve, arrow=True)
    for node, panel in panels.items():
        parts += draw_panel(node, panel, shapes[node])
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
    >>> from bayesbook.drawing import subplots
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
    """Draw a learned graph over the true one, and tell their edges apart.

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
        DAGs, or CPDAGs such as :func:`bayesbook.graphs.cpdag` gives, over the
        same nodes.
    classes : bool
        Compare and draw the CPDAGs, because data cannot tell equivalent
        graphs apart. If False, the edges of two DAGs as they stand.
    show : {"both", "learned", "true"}
        Both graphs over each other, or one of them, to stand beside a drawing
        of the other; either has the edges that only the other one has left
        out.
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
        positions = fitting(_inches(ax), directed(true), room, direction)
    positions = read_places(nodes, positions)
    shapes = shapes_of(positions, room)
    check_apart(shapes)
    edges = {kind: _heads(compared, kind, show) for kind in _SHOWN[show][1]}
    # The ways of all edges, because either graph alone has the same ones.
    ways = find_routes(
        [edge for kind in _EDGES for edge in _heads(compared, kind, show)],
        shapes,
        wide=True,
    )
    parts = []
    for kind, own in edges.items():
        for edge, heads in own.items():
            bold = kind != "found"
            look = heads | _EDGES[kind]
            parts += draw_styled_edge(edge, ways[edge], bold=bold, **look)
    for node, panel in panels.items():
        parts += draw_panel(node, panel, shapes[node])
    if legend:
        _add_legend(ax, edges)
    words = _words_of_comparison(compared, show, panels)
    return NetworkDrawing(ax, parts, positions, words)


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


def _read_distributions(network, tables, known, what):
    """Read tables as arrays, with the states in the order of the network.

    A node that is observed is in its state for certain.
    """
    if not isinstance(tables, Mapping):
        raise ProbabilityError(
            f"{what} has the type {type(tables).__name__}: give a mapping of "
            "node to Table, such as the posteriors of a JunctionTree."
        )
    distributions = {}
    for node in tables:
        require_node(network, node)
        table, states = tables[node], network.states[node]
        if (
            not isinstance(table, Table)
            or table.variables != (node,)
            or set(table.states[node]) != set(states)
        ):
            raise ProbabilityError(
                f"{what} of {node!r} is {_title(table)}, not a distribution "
                f"of {node!r} with the states {quoted_list(states)}."
            )
        ordered = table.with_states({node: states})
        distributions[node] = ordered.values.astype(float)
    for node, state in known.hard.items():
        distributions[node] = np.eye(len(network.states[node]))[state]
    return distributions


def _title(table):
    if not isinstance(table, Table):
        return f"of type {type(table).__name__}"
    own = ", ".join(quoted_list(states) for states in table.states.values())
    return f"{table.title} with the states {own}"


def _read_tree(tree):
    """Return the variables of each clique, and of each pair of neighbours."""
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
                    f"{quoted_list(cliques[u])} and {quoted_list(cliques[v])}."
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
            f"The root {root!r} is no clique; they are {quoted_list(cliques)}."
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


# --- Panels ---------------------------------------------------------------


def _inches(ax):
    return ax.bbox.size / ax.figure.dpi


def _panel(network, node, labels, distribution, before, known):
    return panel_of(
        node,
        labels,
        rows=rows_of(
            network.states[node], distribution, before, known.soft.get(node)
        ),
        observed=node in known.hard,
        soft=node in known.soft,
    )


# --- Comparisons ----------------------------------------------------------


def _graph(graph):
    return graph.graph if isinstance(graph, BayesianNetwork) else graph


def _pairs(compared, kind):
    """Return the edges of a kind: as learned, and as true."""
    links = getattr(compared, kind)
    return links if kind == "misdirected" else [(own, own) for own in links]


def _heads(compared, kind, show):
    """Return the colours of the heads of each edge, from its first node on.

    Where two graphs are drawn over each other and point different ways, the
    head of the true one is hollow.
    """
    colour = _EDGES[kind]["ec"]
    edges = {}
    for own, true in _pairs(compared, kind):
        fills = {}
        if true.directed and show != "learned":
            fills[true.head] = colour if show == "true" else "white"
        if own.directed and show != "true":
            fills[own.head] = colour
        edges[own.tail, own.head] = {
            "head": fills.get(own.head),
            "back": fills.get(own.tail),
        }
    return edges


def _add_legend(ax, edges):
    handles = []
    for kind, own in edges.items():
        label = f"{len(own)} {kind}"
        # Where both graphs are drawn, their heads have to be told apart.
        if kind == "misdirected" and own and len(edges) == len(_EDGES):
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
        if sum(map(max, columns)) < _inches(ax)[0]:
            break
    ax.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        ncols=len(columns),
        fontsize=_KEYS,
        handlelength=_SAMPLE,
    )


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
    return round(width / 2 + 1.4 * PAD, 3), round(height / 2 + 0.7 * PAD, 3)


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
    name = {node: panel.says(node) for node, panel in panels.items()}
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


def _words_of_comparison(compared, show, panels):
    """Say how many edges are of each kind, and list them in lines."""

    def written(link):
        tail, head = (panels[node].says(node) for node in link[:2])
        return str(Edge(tail, head, link.directed))

    title, kinds = _SHOWN[show]
    counts, lines = [], []
    for kind in kinds:
        pairs = [tuple(map(written, p)) for p in _pairs(compared, kind)]
        counts.append(f"{len(pairs)} {kind}")
        if kind != "misdirected":
            words = [own for own, _ in pairs]
        elif show == "both":
            words = [f"{own} for {true}" for own, true in pairs]
        else:
            words = [pair[show == "true"] for pair in pairs]
        if words:
            lines.append(f"{kind}: {', '.join(words)}")
    return "\n  ".join([f"{title}: {', '.join(counts)}", *lines])


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
