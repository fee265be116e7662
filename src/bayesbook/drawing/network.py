"""Drawings of Bayesian networks: the probabilities of each node's states.

Each node is a panel with its states and their probabilities, as numbers and
as bars. As in :mod:`bayesbook.drawing.graphs` a drawing says twice what it
shows, and no meaning rests on colour alone.

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
Figure, 4.75 × 2.2 in
Axes
  network: rain → grass; observed grass=wet
    grass: dry 0, wet 1
    rain: no 0.526, yes 0.474
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.base.names import quoted_list
from bayesbook.drawing.graphs import GraphDrawing
from bayesbook.drawing.layout import edges_of, nodes_of
from bayesbook.drawing.panels import (
    draw_panel,
    fitting,
    panel_of,
    rows_of,
    shapes_of,
)
from bayesbook.drawing.parts import (
    POINTS,
    check_apart,
    chosen,
    draw_edge,
    find_routes,
    inches,
    read_places,
    show_all,
)
from bayesbook.network import BayesianNetwork, JunctionTree
from bayesbook.network.evidence import read_evidence, require_node
from bayesbook.probability import Table

__all__ = ["NetworkDrawing", "draw_network"]

_MOST_DISTRIBUTIONS = 30


class NetworkDrawing(GraphDrawing):
    """A drawn network or junction tree: one artist that consists of many.

    Made by :func:`bayesbook.drawing.draw_network`,
    :func:`bayesbook.drawing.draw_junction_tree` and
    :func:`bayesbook.drawing.draw_comparison`.

    Parameters
    ----------
    ax, parts, positions, words
        See :class:`bayesbook.drawing.GraphDrawing`.

    Attributes
    ----------
    size : tuple of two float
        Width and height, in inches, of the axes that it needs. In smaller
        ones everything is smaller, letters too.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=2)
    >>> coin = BayesianNetwork([Table([0.5, 0.5], {"coin": "HT"})])
    >>> drawing = draw_network(ax, coin)
    >>> isinstance(drawing, NetworkDrawing), drawing.positions
    (True, {'coin': (0.0, 0.0)})
    """

    # Letters have to stay in their boxes.
    _least = 0.0

    def __init__(
        self,
        ax: Axes,
        parts: Sequence[Artist],
        positions: Mapping[Any, tuple[float, float]],
        words: str,
    ):
        super().__init__(ax, parts, positions, words)
        show_all(ax, parts)
        sides = np.ptp([ax.get_xlim(), ax.get_ylim()], axis=1)
        width, height = (sides * POINTS / 72).round(2).tolist()
        self.size: tuple[float, float] = (width, height)


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
    """Draw a network with the probabilities of the states of each node.

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
        What is known; by default the evidence that the posteriors carry.
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
    TypeError
        If `network` is not a BayesianNetwork; if `posteriors` or `before` is
        not a mapping, or one of its values not a Table.
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
        raise TypeError(
            f"{type(network).__name__} is not a BayesianNetwork; "
            "bayesbook.drawing.draw_graph draws a graph alone."
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
            f"The distributions of {len(distributions)} nodes are too many "
            "to be read in one picture: give the posteriors of at most "
            f"{_MOST_DISTRIBUTIONS}, or {{}} for names only."
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
        positions = fitting(inches(ax), network.graph, room, direction)
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


# --- Reading the arguments ----------------------------------------------


def _read_evidence(network, posteriors, evidence):
    """Read the evidence, which the posteriors may carry themselves."""
    carried = getattr(posteriors, "evidence", None)
    if carried is None:
        return read_evidence(network, evidence)
    known = read_evidence(network, carried)
    if evidence is None:
        return known
    given = read_evidence(network, evidence)
    if (given.hard, given.soft) != (known.hard, known.soft):
        raise ProbabilityError(
            f"The posteriors are those given {known.given}, not given "
            f"{given.given}: leave `evidence` out."
        )
    return known


def _read_distributions(network, tables, known, what):
    """Read tables as arrays, with the states in the order of the network.

    A node that is observed is in its state for certain.
    """
    if not isinstance(tables, Mapping):
        raise TypeError(
            f"{what} has the type {type(tables).__name__}: give a mapping of "
            "node to Table, such as the posteriors of a JunctionTree."
        )
    distributions = {}
    for node in tables:
        require_node(network, node)
        table, states = tables[node], network.states[node]
        wanted = (
            f"a distribution of {node!r} with the states {quoted_list(states)}"
        )
        if not isinstance(table, Table):
            raise TypeError(
                f"{what} of {node!r} has the type {type(table).__name__}, and "
                f"is not {wanted}: give a Table."
            )
        if table.variables != (node,) or set(table.states[node]) != set(
            states
        ):
            raise ProbabilityError(
                f"{what} of {node!r} is {_title(table)}, not {wanted}."
            )
        ordered = table.with_states({node: states})
        distributions[node] = ordered.values.astype(float)
    for node, state in known.hard.items():
        distributions[node] = np.eye(len(network.states[node]))[state]
    return distributions


def _title(table):
    states = ", ".join(map(quoted_list, table.states.values()))
    return f"{table.title} with the states {states}"


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


def _words(network, edges, panels, known):
    """Describe the drawing: a line for the graph, and one for each node."""
    name = {node: panel.says(node) for node, panel in panels.items()}
    joined = {node for edge in edges for node in edge}
    drawn = [f"{name[u]} → {name[v]}" for u, v in edges]
    drawn += [name[node] for node in panels if node not in joined]
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
