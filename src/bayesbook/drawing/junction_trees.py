"""Drawings of junction trees: cliques, and separators between them.

>>> import networkx as nx
>>> from bayesbook.drawing import describe, subplots
>>> from bayesbook.network import JunctionTree, load_network
>>> fig, ax = subplots(height=3)
>>> _ = draw_junction_tree(ax, JunctionTree(load_network("cancer")))
>>> print(describe(fig))
Figure, 4.75 × 3 in
Axes
  junction tree: {Pollution, Smoker, Cancer} – [Cancer] – {Cancer, Dyspnoea},
  {Cancer, Dyspnoea} – [Cancer] – {Cancer, Xray}
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Set

import networkx as nx
import numpy as np
from matplotlib.axes import Axes

from bayesbook.base import GraphError
from bayesbook.base.names import alphabetical, quoted_list
from bayesbook.drawing.figures import GREY, INK, PALE
from bayesbook.drawing.layout import Spacing, edges_of, nodes_of, place_boxes
from bayesbook.drawing.network import NetworkDrawing
from bayesbook.drawing.panels import PAD
from bayesbook.drawing.parts import (
    Shape,
    check_apart,
    chosen,
    draw_edge,
    draw_outline,
    extent,
    find_routes,
    plain_text,
    read_places,
    text_at,
)
from bayesbook.network import JunctionTree

__all__ = ["draw_junction_tree"]

# Letters in points: of cliques, and of separators. Lengths in units of the
# drawing, as for graphs.
_CLIQUE, _SEPARATOR = 10.5, 9.5
_ROUNDED, _SQUARE = 0.2, 0.02
_WIDEST_CLIQUE = 2.0
_CLIQUES = Spacing(across=0, down=0, gap=0.24)


def draw_junction_tree(
    ax: Axes,
    tree: JunctionTree | nx.Graph,
    *,
    root: Hashable = None,
    positions: Mapping[Hashable, tuple[float, float]] | None = None,
    labels: Mapping[str, str] | None = None,
    direction: str = "down",
) -> NetworkDrawing:
    """Draw the cliques as round boxes, the separators as square ones between.

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
        Where the tree grows.

    Returns
    -------
    NetworkDrawing

    Raises
    ------
    TypeError
        If it is neither a JunctionTree nor a networkx.Graph.
    GraphError
        If it is neither one tree of cliques nor several; if a node has no
        clique, or a separator is not in both its cliques; if the root is not
        a clique; if a clique has no position, or boxes cover each other.
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
    known = dict.fromkeys(name for names in cliques.values() for name in names)
    chosen(list(known), labels, "`labels`")
    # Names are written as they are; labels may have maths.
    look = {
        node: (_CLIQUE if node in cliques else _SEPARATOR, bool(labels))
        for node in boxes
    }
    texts = {
        node: _in_lines([str(labels.get(n, n)) for n in names], *look[node])
        for node, names in boxes.items()
    }
    half = {node: _room(text, *look[node]) for node, text in texts.items()}
    directed = _directed_from_root(cliques, separators, root)
    if positions is None:
        positions = place_boxes(directed, half, direction, _CLIQUES)
    else:
        positions = _with_separators(positions, cliques, separators)
    shapes = {}
    for node, (width, height) in half.items():
        corner = min(height, _ROUNDED) if node in cliques else _SQUARE
        x, y = positions[node]
        shapes[node] = Shape(x, y, width, height, corner)
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
        ax, parts, positions, _words(cliques, separators, labels)
    )


# --- Reading the tree -----------------------------------------------------


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
            "This is not a junction tree: a tree is undirected and has no "
            "cycle."
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
    # A set has another order in every process.
    if isinstance(names, Set):
        return tuple(sorted(names, key=alphabetical))
    return tuple(names)


def _directed_from_root(cliques, separators, root):
    """Return the trees with edges that lead away, through the separators."""
    if root is not None and root not in cliques:
        raise GraphError(
            f"The root {root!r} is not a clique; the cliques are "
            f"{quoted_list(cliques)}."
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


def _with_separators(positions, cliques, separators):
    """Return positions with those of separators, half way where not given."""
    middles = {
        (u, v): np.add(positions[u], positions[v]) / 2
        for u, v in separators
        if u in positions and v in positions
    }
    return read_places([*cliques, *separators], middles | dict(positions))


# --- Boxes and words ------------------------------------------------------


def _in_lines(names, points, math):
    """Return names, separated by commas, in lines that are not too wide."""
    lines = []
    for name in names:
        longer = f"{lines[-1]}, {name}" if lines else name
        if lines and extent(longer, points, math=math)[0] <= _WIDEST_CLIQUE:
            lines[-1] = longer
        else:
            lines.append(name)
    return ",\n".join(lines) or "∅"


def _room(text: str, points: float, math: bool) -> tuple[float, float]:
    """Return half the width and half the height of a box around a text."""
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


def _words(cliques, separators, labels):
    def listing(names):
        return ", ".join(plain_text(str(labels.get(n, n))) for n in names)

    joined = {node for edge in separators for node in edge}
    drawn = [
        f"{{{listing(cliques[u])}}} – [{listing(common)}] – "
        f"{{{listing(cliques[v])}}}"
        for (u, v), common in separators.items()
    ]
    drawn += [
        f"{{{listing(names)}}}"
        for node, names in cliques.items()
        if node not in joined
    ]
    return f"junction tree: {', '.join(drawn)}"
