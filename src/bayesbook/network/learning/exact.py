"""Exact search: the best graph, by dynamic programming over sets of nodes.

References
----------
Silander and Myllymäki (2006), A simple approach for finding the globally
optimal Bayesian network structure.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, groupby

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.network.learning._edge_constraints import EdgeConstraints, Edges
from bayesbook.network.learning._search_state import SearchState
from bayesbook.network.learning.decomposable import Score
from bayesbook.network.learning.parameters import Data, Weights, read_rows
from bayesbook.network.learning.search_path import Move, SearchRun, Step
from bayesbook.network.progress import progress_bar

__all__ = ["exact_search"]

# With more nodes an exact search needs too much memory, and time.
_MOST_NODES = 20

# A node by its number, and its parents by theirs.
Family = tuple[int, tuple[int, ...]]


def exact_search(
    data: Data | None,
    score: str | Score = "bic",
    *,
    weights: Weights | None = None,
    required: Edges = (),
    forbidden: Edges = (),
    max_parents: int | None = None,
    progress: bool = False,
) -> SearchRun:
    r"""Find a graph with the greatest score, by dynamic programming.

    A DAG has a node without children, a sink. If W is the set of nodes and
    i is the sink, then i has the best parents among the others, and the
    others make the best graph of their own (Silander and Myllymäki 2006):

    .. math::

        R(W) = \max_{i \in W} \Bigl[ R(W \setminus \{i\})
            + \max_{C \subseteq W \setminus \{i\}} s(x_i, C) \Bigr].

    With n nodes there are 2ⁿ sets W, and n 2ⁿ⁻¹ families to be scored: 5,120
    with 10 nodes, 245,760 with 15.

    Parameters
    ----------
    data, score, weights, required, forbidden, max_parents, progress
        See :func:`hill_climb`; the bar counts the families. Fewer parents
        make it much faster.

    Returns
    -------
    SearchRun
        Of all graphs with the greatest score one with few parents. Its path
        adds the edges, parents before children.

    Raises
    ------
    TypeError, GraphError, ProbabilityError, TableTooLargeError
        As for :func:`hill_climb`; and if there are more than 20 columns.

    Examples
    --------
    >>> import pandas as pd
    >>> from bayesbook.network import hill_climb
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1] * 9, "B": [0, 1, 0, 1] * 9,
    ...                      "C": [0, 1, 1, 0] * 9})
    >>> exact_search(rows).edges
    (('B', 'A'), ('C', 'A'))
    >>> hill_climb(rows).edges  # no two columns depend on each other
    ()
    """
    if isinstance(score, str):
        # Of a few columns many rows are alike.
        data = read_rows(data, None, weights).distinct()
        weights = None
    state = SearchState(data, score, required, forbidden, max_parents, weights)
    names = state.constraints.names
    if len(names) > _MOST_NODES:
        raise ProbabilityError(
            f"An exact search for {len(names)} nodes would look at "
            f"2^{len(names)} sets of nodes. The limit is {_MOST_NODES} nodes. "
            "Use hill_climb."
        )
    parent_sets = [
        _allowed_parents(state.constraints, node) for node in range(len(names))
    ]
    n_families = sum(map(len, parent_sets))
    with progress_bar(n_families, progress, "families") as on_step:
        for layer in _layers(parent_sets):
            state.score.prepare(
                (names[node], _named(names, parents))
                for node, parents in layer
            )
            on_step(len(layer))
    best = [
        _best_parents(state, node, sets)
        for node, sets in enumerate(parent_sets)
    ]
    graph = state.constraints.graph(np.zeros((len(names),) * 2, dtype=bool))
    state.start = graph.copy()
    for node, chosen in _best_order(best, state.score.rounding):
        for parent in chosen:
            move = Move("add", names[parent], names[node])
            delta = state.score.delta(graph, move)
            move.apply(graph)
            state.path.append(Step.of(move, delta, state.score.total(graph)))
    return state.result(graph)


def _layers(
    parent_sets: list[list[tuple[int, ...]]],
) -> Iterator[list[Family]]:
    """Yield the families of each size: those of one node, of two, ...

    Those of the same nodes come together: they have one table. Those of one
    size do not contain each other, so that no table is a sum over another.
    """
    families = [
        (sorted([node, *parents]), node, parents)
        for node, sets in enumerate(parent_sets)
        for parents in sets
    ]
    families.sort(key=lambda family: (len(family[0]), family[0]))
    for _, layer in groupby(families, key=lambda family: len(family[0])):
        yield [(node, parents) for _, node, parents in layer]


def _named(names, members) -> frozenset[str]:
    return frozenset(names[m] for m in members)


def _best_parents(
    state: SearchState, node: int, parent_sets: list[tuple[int, ...]]
) -> tuple[np.ndarray, np.ndarray]:
    """Find, for each set of nodes, the best parents among them.

    A set is a number with a bit for each node. Returns the scores and the
    parents, arrays of length 2^M.
    """
    names, M = state.constraints.names, len(state.constraints.names)
    best = np.full(2**M, -np.inf)
    best[[sum(1 << m for m in members) for members in parent_sets]] = (
        state.score.locals(
            names[node], [_named(names, members) for members in parent_sets]
        )
    )
    parents = np.arange(2**M, dtype=np.int32)
    for m in range(M):
        # Without and with the node m. The smaller set wins ties.
        scores, chosen = (
            array.reshape(-1, 2, 2**m) for array in (best, parents)
        )
        is_enough = scores[:, 0] >= scores[:, 1] - state.score.rounding
        for array in (scores, chosen):
            array[:, 1] = np.where(is_enough, array[:, 0], array[:, 1])
    return best, parents


def _allowed_parents(
    constraints: EdgeConstraints, node: int
) -> list[tuple[int, ...]]:
    """List the sets of parents that the constraints allow."""
    required = constraints.required[:, node]
    must = tuple(np.flatnonzero(required).tolist())
    may = np.flatnonzero(~constraints.forbidden[:, node] & ~required)
    most = min(len(may), constraints.max_parents - len(must))
    return [
        must + more
        for n_more in range(most + 1)
        for more in combinations(may.tolist(), n_more)
    ]


def _best_order(
    best: list[tuple[np.ndarray, np.ndarray]], rounding: float
) -> Iterator[tuple[int, list[int]]]:
    """Find the best order, and yield each node with its parents along it."""
    M = len(best)
    total = np.full(2**M, -np.inf)
    total[0] = 0.0
    sink = np.zeros(2**M, dtype=np.int8)
    everything = np.arange(2**M)
    sizes = np.bitwise_count(everything)
    for size in range(1, M + 1):
        sets = everything[sizes == size]
        for node, (scores, _) in enumerate(best):
            with_node = sets[sets >> node & 1 == 1]
            others = with_node ^ (1 << node)
            new = total[others] + scores[others]
            is_better = new > total[with_node] + rounding
            total[with_node[is_better]] = new[is_better]
            sink[with_node[is_better]] = node
    order, rest = [], 2**M - 1
    while rest:
        order.append(int(sink[rest]))
        rest ^= 1 << order[-1]
    before = 0
    for node in reversed(order):
        chosen = best[node][1][before]
        yield node, [m for m in range(M) if chosen >> m & 1]
        before |= 1 << node
