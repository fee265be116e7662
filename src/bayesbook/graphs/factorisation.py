r"""Joint distributions as products of tables along an acyclic graph.

.. math:: P(x_1, \dots, x_n)
    = \prod_{i=1}^n P\bigl(x_i \mid x_{\mathrm{pa}(i)}\bigr)

A list of tables, one for each variable given its parents, is such a product,
and the graph can be read off it:

>>> from bayesbook.probability import Table
>>> p_x = Table(["1/4", "3/4"], {"X": (0, 1)})
>>> p_y = Table([["1/2", "1/2"], ["1/3", "2/3"]],
...             {"X": (0, 1), "Y": (0, 1)}, given="X")
>>> list(graph_of([p_x, p_y]).edges)
[('X', 'Y')]
>>> chain_rule([p_x, p_y])
P(X, Y)
X  Y=0  Y=1
0  1/8  1/8
1  1/4  1/2

The factorisation is the recursive one of Lauritzen, Dawid, Larsen and Leimer
(1990); drawing each variable after its parents is ancestral sampling, called
forward sampling in Koller and Friedman (2009), section 12.1.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.base.labels import (
    label_array,
    read_states,
    require_name,
    require_size,
    shape_of,
)
from bayesbook.base.randomness import as_rng
from bayesbook.graphs.orders import topological_order
from bayesbook.graphs.parsing import check_dag
from bayesbook.probability import MAX_BYTES, Table
from bayesbook.probability.table import State


def chain_rule(
    tables: Iterable[Table], *, max_bytes: int = MAX_BYTES
) -> Table:
    """Return the product of tables: their joint distribution.

    Parameters
    ----------
    tables : iterable of Table
        In any order. Each variable is in front of the bar of at most one of
        them; a variable that is behind bars only stays behind the bar of the
        result.
    max_bytes : int
        A larger product is refused.

    Returns
    -------
    Table

    Raises
    ------
    TypeError
        If `tables` is not a list of tables, but one table, for instance.
    ProbabilityError
        If there is no table, or the product would not be a probability
        table.
    GraphError
        If tables are conditioned on each other in a circle.
    TableTooLargeError
        If a product would need more than `max_bytes`.

    Examples
    --------
    >>> p_x = Table(["1/4", "3/4"], {"X": (0, 1)})
    >>> p_y = Table([["1", "0"], ["1/3", "2/3"]],
    ...             {"X": (0, 1), "Y": (0, 1)}, given="X")
    >>> chain_rule([p_y, p_x]) == p_x * p_y
    True
    """
    first, *others = _in_order(tables)
    joint = first
    for table in others:
        joint = joint.multiply(table, max_bytes=max_bytes)
    return joint


def graph_of(tables: Iterable[Table]) -> nx.DiGraph:
    """Return the graph along which tables factorise their product.

    Parameters
    ----------
    tables : iterable of Table
        Each with one variable in front of the bar.

    Returns
    -------
    networkx.DiGraph
        An edge from each condition of a table to its target.

    Raises
    ------
    TypeError
        As for :func:`chain_rule`.
    ProbabilityError
        If a table has several targets, or a variable is the target of two
        tables or of none.
    GraphError
        If tables are conditioned on each other in a circle.

    Examples
    --------
    >>> p_y = Table([["1", "0"], ["1/3", "2/3"]],
    ...             {"X": (0, 1), "Y": (0, 1)}, given="X")
    >>> graph_of([p_y])
    Traceback (most recent call last):
    bayesbook.base.errors.ProbabilityError: There is no table for 'X', on which
    P(Y | X) is conditioned.
    """
    tables = _listed(tables)
    graph = nx.DiGraph()
    for table in tables:
        if len(table.targets) > 1:
            raise ProbabilityError(
                f"{table.title} has several variables in front of its bar; "
                "give a table for each of them."
            )
        (target,) = table.targets
        if target in graph:
            raise ProbabilityError(f"There are two tables for {target!r}.")
        graph.add_node(target)
    for table in tables:
        for parent in table.conditions:
            if parent not in graph:
                raise ProbabilityError(
                    f"There is no table for {parent!r}, on which "
                    f"{table.title} is conditioned."
                )
            graph.add_edge(parent, *table.targets)
    check_dag(graph)
    return graph


def factorise(joint: Table, graph: nx.DiGraph) -> list[Table]:
    """Return the table of each variable given its parents in a graph.

    Their product is the joint distribution if and only if that distribution
    has the independences of the graph; then :func:`chain_rule` undoes
    `factorise`. Otherwise the product is the distribution along the graph
    with the smallest Kullback-Leibler divergence from the joint distribution.

    Parameters
    ----------
    joint : Table
        Without a bar.
    graph : networkx.DiGraph
        Its nodes are the variables.

    Returns
    -------
    list of Table
        In topological order.

    Raises
    ------
    TypeError
        If the graph is not a networkx.DiGraph.
    GraphError
        If the graph has a cycle, or if its nodes are not the variables of
        the table.
    ProbabilityError
        If the table is conditional.
    ZeroProbabilityError
        If a configuration of parents has probability zero.

    Examples
    --------
    >>> joint = Table([["1/8", "1/8"], ["1/4", "1/2"]],
    ...               {"X": (0, 1), "Y": (0, 1)})
    >>> backwards = factorise(joint, nx.DiGraph([("Y", "X")]))
    >>> [table.title for table in backwards]
    ['P(Y)', 'P(X | Y)']
    >>> chain_rule(backwards) == joint
    True
    """
    if joint.conditions:
        raise ProbabilityError(
            f"{joint.title} is conditional; a joint distribution has no bar."
        )
    check_dag(graph)
    for one, other, what in (
        (graph, joint.variables, "a variable of the table"),
        (joint.variables, graph, "a node of the graph"),
    ):
        for name in one:
            if name not in other:
                raise GraphError(f"{name!r} is not {what}.")
    return [
        joint.conditional(
            name, given=[n for n in joint.variables if n in graph.pred[name]]
        )
        for name in cast(list[str], topological_order(graph))
    ]


def ancestral_sample(
    tables: Iterable[Table], size: int, *, rng: np.random.Generator | int
) -> pd.DataFrame:
    """Draw from a product of tables, each variable after its parents.

    Parameters
    ----------
    tables : iterable of Table
        As for :func:`chain_rule`; no variable is behind bars only.
    size : int
        How many rows to draw.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.

    Returns
    -------
    DataFrame, `size` rows
        A column of states for each variable, parents first.

    Raises
    ------
    TypeError
        As for :func:`chain_rule`; and if `size` is not a whole number.
    ProbabilityError
        If there is no table, a variable has no table of its own, or `size`
        is negative.
    GraphError
        If tables are conditioned on each other in a circle.

    Examples
    --------
    >>> p_x = Table([0.25, 0.75], {"X": ("rare", "often")})
    >>> p_y = Table([[1, 0], [0, 1]],
    ...             {"X": ("rare", "often"), "Y": (0, 1)}, given="X")
    >>> rows = ancestral_sample([p_y, p_x], 10_000, rng=1)
    >>> print(f"{rows['Y'].mean():.3f}")
    0.751
    """
    if isinstance(size, bool) or not isinstance(size, numbers.Integral):
        raise TypeError(f"{size!r} is not a number of rows.")
    if size < 0:
        raise ProbabilityError(f"{size} rows cannot be drawn.")
    rng = as_rng(rng)
    drawn: dict[str, np.ndarray] = {}
    states: dict[str, tuple[State, ...]] = {}
    for table in _in_order(tables):
        for name in table.conditions:
            if name not in drawn:
                raise ProbabilityError(
                    f"There is no table for {name!r}, on which {table.title} "
                    "is conditioned."
                )
        table = table.with_states(states)
        for name, column in draw_codes(table, drawn, size, rng).items():
            drawn[name], states[name] = column, table.states[name]
    return pd.DataFrame(
        {name: label_array(states[name])[drawn[name]] for name in drawn}
    )


def random_tables(
    graph: nx.DiGraph,
    states: Mapping[str, Sequence[State]] | Sequence[State] = (0, 1),
    *,
    rng: np.random.Generator | int,
) -> list[Table]:
    """Draw a table for each node given its parents.

    Parameters
    ----------
    graph : networkx.DiGraph
        Acyclic.
    states : mapping of node to sequence of states, or one sequence
        A sequence has the states of every node.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.

    Returns
    -------
    list of Table
        In topological order. For each configuration of the parents the
        probabilities are uniform over all that sum to one.

    Raises
    ------
    TypeError, GraphError
        If the graph is not a directed acyclic graph.
    ProbabilityError
        If a node cannot be the name of a variable, `states` cannot be
        states, or the nodes of the mapping are not those of the graph.
    TableTooLargeError
        If a table would need more than `MAX_BYTES`.

    Examples
    --------
    >>> tables = random_tables(nx.DiGraph([("X", "Y")]), rng=0)
    >>> [table.title for table in tables]
    ['P(X)', 'P(Y | X)']
    >>> states = {"X": (0, 1), "Y": ("low", "middle", "high")}
    >>> random_tables(nx.DiGraph([("X", "Y")]), states, rng=0)[1].shape
    (2, 3)
    """
    check_dag(graph)
    if not isinstance(states, Mapping):
        states = dict.fromkeys(cast(Iterable[str], graph), states)
    of_node = read_states(states)
    for name in of_node:
        require_name(name, graph, "node", "the graph")
    rng = as_rng(rng)
    tables = []
    for node in topological_order(graph):
        if node not in of_node:
            raise ProbabilityError(
                f"There are no states for {node!r}: give states[{node!r}]."
            )
        parents = [name for name in graph if name in graph.pred[node]]
        axes = {name: of_node[name] for name in (*parents, node)}
        *rows, n_states = shape_of(axes)
        require_size((*rows, n_states), "float", f"The table of {node!r}")
        numbers = rng.dirichlet(np.ones(n_states), size=rows)
        tables.append(Table(numbers, axes, given=parents))
    return tables


def _listed(tables: Iterable[Table]) -> list[Table]:
    """Return the tables as a list."""
    remedy = "give a list of tables, such as [p_x, p_y]."
    if isinstance(tables, Table):
        raise TypeError(f"{tables.title} is one table; {remedy}")
    if not isinstance(tables, Iterable):
        raise TypeError(f"{tables!r} is not a list; {remedy}")
    tables = list(tables)
    for table in tables:
        if not isinstance(table, Table):
            raise TypeError(f"{table!r} is not a Table; {remedy}")
    return tables


def _in_order(tables: Iterable[Table]) -> list[Table]:
    """Return the tables, each after those of its conditions."""
    waiting = _listed(tables)
    if not waiting:
        raise ProbabilityError("There is no table: give at least one.")
    targets = [name for table in waiting for name in table.targets]
    for name in targets:
        if targets.count(name) > 1:
            raise ProbabilityError(
                f"{name!r} is in front of the bar of two tables."
            )
    ordered: list[Table] = []
    while waiting:
        open_ = {name for table in waiting for name in table.targets}
        ready = [t for t in waiting if open_.isdisjoint(t.conditions)]
        if not ready:
            circle = ", ".join(table.title for table in waiting)
            raise GraphError(
                f"{circle} are conditioned on each other in a circle, so none "
                "of them can come first."
            )
        ordered += ready
        waiting = [t for t in waiting if not open_.isdisjoint(t.conditions)]
    return ordered


def draw_codes(
    table: Table,
    drawn: Mapping[str, np.ndarray],
    size: int,
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:
    """Draw the targets of a table, as numbers of states, given the others."""
    order = (*table.conditions, *table.targets)
    sizes = [len(table.states[name]) for name in table.targets]
    distribution = table.transpose(*order).values.astype(float)
    distribution = distribution.reshape(-1, np.prod(sizes))
    if table.conditions:
        row = np.ravel_multi_index(
            [drawn[name] for name in table.conditions],
            [len(table.states[name]) for name in table.conditions],
        )
    else:
        row = np.zeros(size, dtype=int)
    steps = distribution.cumsum(axis=1)
    # Exactly one at the end: rounding must not draw an impossible state.
    steps /= steps[:, -1:]
    u = rng.random(size)
    cell = np.zeros(size, dtype=int)
    for step in steps.T[:-1]:
        cell += u >= step[row]
    return dict(zip(table.targets, np.unravel_index(cell, sizes), strict=True))
