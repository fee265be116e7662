"""Tabu search: go on where no move raises the score, without turning back.

References
----------
Glover (1989), Tabu search.
"""

from __future__ import annotations

import numpy as np

from bayesbook.base.numbers import as_bool, as_int
from bayesbook.network.learning._edge_constraints import Edges
from bayesbook.network.learning._search_state import SearchState, take_step
from bayesbook.network.learning.decomposable import Score
from bayesbook.network.learning.hill_climbing import Climber
from bayesbook.network.learning.parameters import Data, GraphLike, Weights
from bayesbook.network.learning.search_path import SearchRun
from bayesbook.network.progress import progress_bar

__all__ = ["tabu_search"]


def tabu_search(
    data: Data | None,
    score: str | Score = "bic",
    *,
    weights: Weights | None = None,
    start: GraphLike | None = None,
    required: Edges = (),
    forbidden: Edges = (),
    max_parents: int | None = None,
    escape: bool = True,
    tabu_length: int | None = None,
    patience: int | None = None,
    progress: bool = False,
) -> SearchRun:
    """Search on where no step raises the score, without turning back.

    The search begins with :func:`hill_climb`. From there each step makes the
    best move, even if the score falls by it. The edge is then tabu: for the
    next `tabu_length` steps it is not touched, unless that makes a graph
    better than all before. The search ends when none of the last `patience`
    steps found a better graph (Glover 1989).

    Parameters
    ----------
    data, score, weights, start, required, forbidden, max_parents, progress
        See :func:`hill_climb`.
    escape : bool
        Whether to begin with :func:`hill_climb`. Without, the search is
        Glover's alone, from the start.
    tabu_length : int, optional
        For how many steps an edge is tabu; 0 for none. By default for as
        many as there are columns.
    patience : int, optional
        How many steps without a better graph are allowed, at least 1; by
        default four times as many as there are columns.

    Returns
    -------
    SearchRun
        The best graph on the path; the path goes on after it.

    Raises
    ------
    TypeError, GraphError, ProbabilityError, TableTooLargeError
        As for :func:`hill_climb`.

    Notes
    -----
    Alone, it gets over shallow valleys only. With 100,000 rows of the network
    alarm it never falls further than 500 nats below the best graph so far, and
    stays 2,500 below that of :func:`hill_climb`, however patient it is: taking
    a node out and putting it back, as that does, falls by many thousands
    before it pays.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> rows = load_network("asia").sample(2000, rng=3)
    >>> run = tabu_search(rows, tabu_length=5, patience=5)
    >>> best = [step.score == run.score for step in run.path]
    >>> len(run.path) - best.index(True)  # one is the best, five are not
    6
    """
    state = SearchState(data, score, required, forbidden, max_parents, weights)
    n_columns = len(state.score.names)
    if tabu_length is None:
        tabu_length = n_columns
    if patience is None:
        patience = 4 * n_columns
    tabu_length = as_int(tabu_length, "tabu_length", 0)
    patience = as_int(patience, "patience", 1)
    escape = as_bool(escape, "escape")
    here = best = state.begin(start)
    free_from = np.zeros(here.edges.shape, dtype=int)
    with progress_bar(None, progress, "steps") as on_step:
        if escape:
            here, state.path = Climber(0, on_step).ascend(here, escape)
            best = here
        last_success = len(state.path)
        while len(state.path) - last_success < patience:
            n_steps = len(state.path)
            move = here.best_move()
            if move is None:
                break
            if here.total + move.gain <= best.total + here.rounding:
                move = here.best_move(is_barred=free_from > n_steps)
                if move is None:
                    break
            here = here.copy()
            state.path.append(take_step(here, move))
            on_step(1)
            ends = [move.tail, move.head]
            free_from[ends, ends[::-1]] = n_steps + 1 + tabu_length
            if here.total > best.total + here.rounding:
                best, last_success = here, len(state.path)
    return state.result(best)
