"""Layouts of graphs: nodes in layers, with room for each."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import chain, pairwise, permutations

import networkx as nx
import numpy as np
from scipy.linalg import block_diag
from scipy.optimize import nnls

from bayesbook.base import GraphError
from bayesbook.base.names import alphabetical

# Lengths are in units of the drawing.
_BESIDE = 0.45  # from an edge that passes a layer to a node's rim there
_CROSSING = 1e6  # dearer than all distances together
_WIDE = 6  # in layers up to this width all orders are tried


@dataclass(frozen=True)
class Spacing:
    """The least distances of nodes in a layout."""

    across: float = 1.1  # from centre to centre within a layer
    down: float = 0.95  # from layer to layer
    gap: float = 0.36  # from rim to rim, for an arrow


def place_boxes(
    graph, room, direction="down", spacing=Spacing(), *, widest=None
):
    """Place nodes of different sizes, as in `layered_layout`.

    `room` has half the width and half the height of each node. With `widest`
    no layer has more nodes than that, and a node may stand below the layer
    that the longest path to it leads to.
    """
    if direction not in ("down", "right"):
        raise ValueError(
            f"direction={direction!r} is not known: use 'down' or 'right'."
        )
    nodes = nodes_of(graph)
    # Half of what a node takes along its layer, and from layer to layer.
    room = {
        node: room[node][:: -1 if direction == "right" else 1]
        for node in nodes
    }
    # An edge without a direction counts as an arrow towards the later name.
    dag = nx.DiGraph()
    dag.add_nodes_from(nodes)
    dag.add_edges_from(edges_of(graph, nodes))
    if not nx.is_directed_acyclic_graph(dag):
        return _circle(nodes, room, spacing)
    if widest is None:
        layers = nx.topological_generations(dag)
    else:
        layers = _narrow_layers(dag, nodes, widest)
    layers = [sorted(layer, key=nodes.index) for layer in layers]
    layers, steps = _with_bends(layers, dag)
    layers = _order(layers, steps)
    along = _spread(layers, steps, room, spacing)
    depth = _depths(layers, room, spacing)
    places = {node: (along[node], -depth[node]) for node in nodes}
    if direction == "right":
        places = {node: (-y, -x) for node, (x, y) in places.items()}
    return _centred(places)


def nodes_of(graph):
    """List the nodes by their names, A2 before A10."""
    if not isinstance(graph, nx.Graph) or graph.is_multigraph():
        raise TypeError(
            f"{graph!r} cannot be drawn: give a networkx.DiGraph or Graph."
        )
    if not graph:
        raise GraphError("The graph has no nodes: there is nothing to draw.")
    for node in graph:
        if graph.has_edge(node, node):
            raise GraphError(
                f"{node!r} has an edge to itself, which cannot be drawn."
            )
    return sorted(graph, key=alphabetical)


def edges_of(graph, nodes):
    """List the edges by name; one in both directions counts once."""
    rank = {node: i for i, node in enumerate(nodes)}
    edges = {
        (u, v) if not graph.has_edge(v, u) or rank[u] < rank[v] else (v, u)
        for u, v in graph.edges()
    }
    return sorted(edges, key=lambda edge: [rank[node] for node in edge])


def _narrow_layers(dag, nodes, widest):
    """Fill layers from the last one, by Coffman and Graham (1972).

    Of the nodes whose children all have a layer, those with the highest ranks
    fill the next one.
    """
    rank = {}
    while len(rank) < len(nodes):
        ready = {
            node: sorted((rank[p] for p in dag.pred[node]), reverse=True)
            for node in nodes
            if node not in rank and rank.keys() >= set(dag.pred[node])
        }
        rank[min(ready, key=ready.get)] = len(rank)
    layers, left = [], set(nodes)
    while left:
        free = [node for node in left if left.isdisjoint(dag.succ[node])]
        layers.insert(0, sorted(free, key=rank.get)[-widest:])
        left -= set(layers[0])
    return layers


@dataclass(frozen=True)
class _Bend:
    """A stand-in for an edge in a layer that the edge passes."""

    edge: tuple
    layer: int


def _with_bends(layers, dag):
    """Add stand-ins to the layers that edges pass.

    Return the layers, and between each two of them the steps of the edges: the
    pairs of nodes or stand-ins that an edge joins on its way.
    """
    depth = {node: i for i, layer in enumerate(layers) for node in layer}
    layers = [list(layer) for layer in layers]
    steps = [[] for _ in layers[1:]]
    for u, v in dag.edges:
        between = range(depth[u] + 1, depth[v])
        path = [u, *(_Bend((u, v), i) for i in between), v]
        for bend in path[1:-1]:
            layers[bend.layer].append(bend)
        for i, step in enumerate(pairwise(path), start=depth[u]):
            steps[i].append(step)
    return layers, steps


def _order(layers, steps):
    """Order the nodes of each layer so that few edges cross.

    Dynamic programming: from the last layer up, the least cost below each
    order of a layer.
    """
    if max(map(len, layers)) > _WIDE:
        return _swept(layers, steps)
    orders = [
        np.array(list(permutations(range(len(layer))))) for layer in layers
    ]
    places = [np.argsort(own, axis=1) for own in orders]
    below, choices = np.zeros(len(orders[-1])), []
    for i in reversed(range(len(steps))):
        pair = slice(i, i + 2)
        total = _costs(layers[pair], places[pair], steps[i]) + below
        choices.insert(0, total.argmin(axis=1))
        below = total.min(axis=1)
    best = [int(below.argmin())]
    for choice in choices:
        best.append(int(choice[best[-1]]))
    return [
        [layer[i] for i in order[k]]
        for layer, order, k in zip(layers, orders, best, strict=True)
    ]


def _costs(layers, places, steps):
    """Return the cost of each order above with each order below it.

    `places` has for each of the two layers a row for each order of it: the
    place of each node. The cost is the number of crossings; of orders with
    equally many crossings that one costs less where ends of an edge have
    about the same place in their layers. All costs are whole numbers.
    """
    first, second = np.triu_indices(len(steps), 1)
    centred, signs = [], []
    for layer, own, end in zip(layers, places, (0, 1), strict=True):
        index = {node: i for i, node in enumerate(layer)}
        at = own[:, [index[step[end]] for step in steps]].astype(float)
        signs.append(np.sign(at[:, first] - at[:, second]))
        centred.append(2 * at - len(layer) + 1)
    crossings = abs(signs[0]) @ abs(signs[1]).T - signs[0] @ signs[1].T
    squares = [(at**2).sum(axis=1) for at in centred]
    apart = np.add.outer(*squares) - 2 * centred[0] @ centred[1].T
    return _CROSSING * crossings / 2 + apart


def _swept(layers, steps):
    """Sort each layer by the mean places of the neighbours, to and fro."""
    below, above = defaultdict(list), defaultdict(list)
    for u, v in chain(*steps):
        below[u].append(v)
        above[v].append(u)
    best, least = layers, np.inf
    for sweep in range(10):
        layers = [list(layer) for layer in layers]
        order = range(len(layers))[:: -1 if sweep % 2 else 1]
        near = below if sweep % 2 else above
        for fixed, i in pairwise(order):
            at = {node: k for k, node in enumerate(layers[fixed])}
            place = {node: k for k, node in enumerate(layers[i])}
            for node in place.keys() & near.keys():
                places = [at[end] for end in near[node]]
                place[node] = sum(places) / len(places)
            layers[i].sort(key=place.get)
        cost = sum(
            _costs(pair, [np.arange(len(layer))[None] for layer in pair], own)
            for pair, own in zip(pairwise(layers), steps, strict=True)
        )
        if cost < least:
            best, least = layers, cost
    return best


def _spread(layers, steps, room, spacing):
    """Place neighbours below each other, as far as distances allow.

    Least squares, where the unknowns of a layer are the place of its first
    node and the distances from each node to the next, which have bounds.
    """
    nodes = [node for layer in layers for node in layer]
    # By row i the place of node i is a sum of unknowns.
    sums = block_diag(*(np.tri(len(layer)) for layer in layers))
    least = [
        apart
        for layer in layers
        for apart in (
            -np.inf,
            *(_apart(*ab, room, spacing) for ab in pairwise(layer)),
        )
    ]
    index = {node: i for i, node in enumerate(nodes)}
    # Long edges should be straight rather than short.
    rows = [
        (sums[index[u]] - sums[index[v]]) * (1 if {u, v} <= room.keys() else 2)
        for pairs in steps
        for u, v in pairs
    ]
    # The weak pull to the middle leaves one solution only.
    rows = np.array([*rows, *(0.01 * sums)])
    found = _least_squares(rows, np.array(least))
    return dict(zip(nodes, sums @ found, strict=True))


def _least_squares(rows, least):
    """Find the x, not below `least`, that minimises the length of rows @ x.

    The unknowns without a bound are projected away first. For the others
    Lawson and Hanson's algorithm is faster than those with two bounds.
    """
    free = np.isneginf(least)
    x = np.where(free, 0, least)
    bounded, rest = rows[:, ~free], -rows @ x
    basis, _ = np.linalg.qr(rows[:, free])
    aims = np.column_stack([bounded, rest])
    *columns, aim = (aims - basis @ (basis.T @ aims)).T
    if columns:
        x[~free] += nnls(np.transpose(columns), aim, maxiter=10_000)[0]
    x[free] = np.linalg.lstsq(rows[:, free], -rows @ x)[0]
    return x


def _apart(a, b, room, spacing):
    if a in room and b in room:
        return max(spacing.across, room[a][0] + room[b][0] + spacing.gap)
    return _BESIDE + sum(room[node][0] for node in (a, b) if node in room)


def _depths(layers, room, spacing):
    thick = [max(room[n][1] for n in layer if n in room) for layer in layers]
    steps = [
        max(spacing.down, a + b + spacing.gap) for a, b in pairwise(thick)
    ]
    depths = np.cumsum([0, *steps])
    return {
        node: d for d, ns in zip(depths, layers, strict=True) for node in ns
    }


def _circle(nodes, room, spacing):
    apart = max(
        spacing.across,
        spacing.gap + 2 * max(width for width, _ in room.values()),
    )
    radius = apart / 2 / np.sin(np.pi / len(nodes))
    angles = np.pi / 2 - 2 * np.pi * np.arange(len(nodes)) / len(nodes)
    x, y = radius * np.cos(angles), radius * np.sin(angles)
    return _centred(dict(zip(nodes, zip(x, y, strict=True), strict=True)))


def _centred(places):
    xy = np.array(list(places.values()))
    xy = xy - (xy.min(axis=0) + xy.max(axis=0)) / 2
    # Twice: noise of the last digits must not decide a tie. Zero has no sign.
    xy = xy.round(9).round(3) + 0.0
    return {
        n: (float(x), float(y)) for n, (x, y) in zip(places, xy, strict=True)
    }
