"""Hill climbing: change the edge that raises the score most, again and again.

>>> from bayesbook.network import BIC, load_network
>>> asia = load_network("asia")
>>> rows = asia.sample(10_000, rng=1)
>>> run = hill_climb(rows, "bic")
>>> print(f"{run.score:.1f}; the true graph has {BIC(rows).total(asia):.1f}")
-22411.6; the true graph has -22411.6

References
----------
Castelo and Kočka (2003), On inclusion-driven learning of Bayesian networks.
Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the
combination of knowledge and statistical data. Moore and Wong (2003), Optimal
reinsertion.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import as_bool, as_int
from bayesbook.base.randomness import as_rng
from bayesbook.network.learning._edge_constraints import Edges
from bayesbook.network.learning._move_scores import ScoredGraph, ScoredMove
from bayesbook.network.learning._search_state import SearchState, take_step
from bayesbook.network.learning.decomposable import Score
from bayesbook.network.learning.parameters import Data, GraphLike, Weights
from bayesbook.network.learning.search_path import SearchRun, Step
from bayesbook.network.progress import progress_bar

__all__ = ["hill_climb"]

# How many graphs of an equivalence class are visited on a plateau.
_PLATEAU = 100


def hill_climb(
    data: Data | None,
    score: str | Score = "bic",
    *,
    weights: Weights | None = None,
    start: GraphLike | None = None,
    required: Edges = (),
    forbidden: Edges = (),
    max_parents: int | None = None,
    escape: bool = True,
    restarts: int = 0,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
) -> SearchRun:
    r"""Change one edge at a time, always the one that raises the score most.

    An edge is added, deleted or reversed, as long as that raises the score.
    Where no change does, the graph is a *local optimum*: there may be better
    graphs further away. Unless `escape` is false, the search then tries two
    ways out of it, and goes on climbing if one of them leads higher:

    1. *Reinsertion.* One node after the other is taken out, with all its
       edges, and put back by climbing. Edges that are good only together come
       in this way, and edges that only made up for others go.
    2. *Plateaus.* Reversing a covered edge changes neither the independences
       nor, if it is score equivalent, the score; but it changes what can be
       done next. Up to 100 graphs of the equivalence class are visited, the
       nearest first, until one of them has a better neighbour.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, iterable of DataFrames, or None
        Discrete columns without missing values, which are the nodes; see
        :class:`bayesbook.data.Cases`. None if `score` has the data.
    score : str or Score
        What is maximised: "log-likelihood", "aic", "bic", "mdl", "bdeu",
        "k2", or a score made of the data, such as ``BDeu(data, 10)``.
    weights : str, or sequence of numbers, optional
        What each row counts, 1 by default: a row with the weight 3 is three
        such rows. Or the name of the column that holds the weights.
    start : networkx.DiGraph, BayesianNetwork or str, optional
        Where the first climb begins; by default with the required edges only.
    required, forbidden : iterable of (tail, head)
        The white list and the black list.
    max_parents : int, optional
        How many parents a node may have. Scores without a price for
        parameters need it: each further parent makes the tables larger.
    escape : bool
        Whether to go on at a local optimum as above.
    restarts : int
        How often to climb again, from a random graph that has about as many
        edges as nodes. The best graph of all climbs is the result.
    rng : numpy.random.Generator or int, optional
        The source of randomness for the restarts, or a seed for one.
    progress : bool
        Whether to show a progress bar, which counts the steps.

    Returns
    -------
    SearchRun
        Its path has the steps of all climbs. Of the ways out it has those
        that led higher: their first steps, which do not raise the score, say
        why they were taken.

    Raises
    ------
    TypeError
        If `required` or `forbidden` is not a collection of pairs, or the
        start is not a graph.
    GraphError
        If the start graph has a cycle, a forbidden edge, too many parents, or
        lacks a required edge or a column; if an edge of a list is not a pair
        of columns, or in both lists; or if the required edges make a cycle.
    ProbabilityError
        As for the score and the data; if there are restarts and no `rng`.
    TableTooLargeError
        If the table of a node with its parents would not fit.

    Notes
    -----
    Only the families of nodes with new parents are counted, in one pass over
    the rows, and each only once; and not those in which a new parent costs
    more than the entropy that it could explain.

    Castelo and Kočka (2003) reverse random covered edges; taking nodes out is
    a simple form of the optimal reinsertion of Moore and Wong (2003), who
    look for the best parents and children instead of climbing.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> rows = load_network("asia").sample(5000, rng=3)
    >>> plain = hill_climb(rows, escape=False)
    >>> print(plain.path[0])
    add bronc → dysp: +1,241
    >>> run = hill_climb(rows, max_parents=2, forbidden=[("bronc", "dysp")])
    >>> print(run.path[0])
    add dysp → bronc: +1,241
    """
    state = SearchState(data, score, required, forbidden, max_parents, weights)
    escape = as_bool(escape, "escape")
    restarts = as_int(restarts, "restarts", 0)
    rng = _read_rng(rng, restarts)
    with progress_bar(None, progress, "steps") as on_step:
        here = best = state.begin(start)
        for number in range(restarts + 1):
            if number:
                here = _restart(state, here, rng, number)
            here, steps = Climber(number, on_step).ascend(here, escape)
            state.path += steps
            if here.total > best.total + state.score.rounding:
                best = here
    return state.result(best)


def _read_rng(rng, restarts) -> np.random.Generator | None:
    if restarts and rng is None:
        raise ProbabilityError(
            "The restarts begin with random graphs: give a source of "
            "randomness, rng=1 or rng=numpy.random.default_rng(1)."
        )
    return None if rng is None else as_rng(rng)


def _restart(state, here, rng, number) -> ScoredGraph:
    """Jump to a random graph."""
    constraints = state.constraints
    there = ScoredGraph(state.columns, constraints.random_edges(rng))
    state.path.append(
        Step(
            move=None,
            delta=there.total - here.total,
            score=there.total,
            restart=number,
            removed=constraints.named_edges(here.edges & ~there.edges),
            added=constraints.named_edges(there.edges & ~here.edges),
            why="restart",
        )
    )
    return there


class Climber:
    """Goes from graph to graph; returns where it ends, and its steps."""

    def __init__(self, restart: int, on_step: Callable[[int], object]) -> None:
        self.restart, self.on_step = restart, on_step

    def ascend(
        self, here: ScoredGraph, escape: bool
    ) -> tuple[ScoredGraph, list[Step]]:
        """Climb to a local optimum and, if wanted, away from it."""
        here, path = self.climb(here)
        while escape:
            here, steps = self.reinsert(here)
            path += steps
            here, steps = self.cross_plateau(here)
            path += steps
            if not steps:
                break
        return here, path

    def climb(self, here: ScoredGraph) -> tuple[ScoredGraph, list[Step]]:
        """Apply the best move, again and again, while it raises the score."""
        here, steps = here.copy(), []
        while (move := here.best_move()) and move.gain > here.rounding:
            steps.append(take_step(here, move, self.restart))
            self.on_step(1)
        return here, steps

    def reinsert(self, here: ScoredGraph) -> tuple[ScoredGraph, list[Step]]:
        """Remove and reinsert each node, until none raises the score.

        The nodes come in the order of their names, in cycles.
        """
        path: list[Step] = []
        node, n_failed = 0, 0
        while n_failed < len(here.edges):
            here, steps = self._reinsert_node(here, node)
            path += steps
            n_failed = 0 if steps else n_failed + 1
            node = (node + 1) % len(here.edges)
        return here, path

    def _reinsert_node(self, here, node) -> tuple[ScoredGraph, list[Step]]:
        """Remove a node and climb; return no steps if that does not pay."""
        moves = here.isolating_moves(node)
        if not moves:
            return here, []
        there = here.copy()
        there.apply(*moves)
        there, steps = self.climb(there)
        if there.total <= here.total + here.rounding:
            return here, []
        why = f"take out {here.constraints.names[node]}"
        return there, [*self._deletions(here, moves, why), *steps]

    def _deletions(
        self, here: ScoredGraph, moves: list[ScoredMove], why: str
    ) -> Iterator[Step]:
        """Yield a step for each of several edges deleted at once."""
        names, score = here.constraints.names, here.score
        parents, families = dict(enumerate(here.parents)), []
        for move in moves:
            before = parents[move.head]
            parents[move.head] = after = before - {names[move.tail]}
            head = names[move.head]
            families += [(head, before), (head, after)]
        score.prepare(families)
        total = here.total
        pairs = zip(families[::2], families[1::2], strict=True)
        for move, (old, new) in zip(moves, pairs, strict=True):
            delta = score.local(*new) - score.local(*old)
            total += delta
            named = here.named(move)
            yield Step.of(named, delta, total, self.restart, why)

    def cross_plateau(
        self, here: ScoredGraph
    ) -> tuple[ScoredGraph, list[Step]]:
        """Visit equivalent graphs until one has a better neighbour; climb.

        Breadth first, so that the nearest graphs are visited first.
        """
        if not here.score.is_score_equivalent:
            return here, []
        seen = {here.key()}
        queue: deque[tuple[ScoredGraph, list[Step]]] = deque([(here, [])])
        while queue:
            graph, path = queue.popleft()
            for move in graph.covered_reversals():
                other = graph.copy()
                step = take_step(other, move, self.restart, "plateau")
                if other.key() in seen:
                    continue
                seen.add(other.key())
                next_move = other.best_move()
                if next_move and next_move.gain > here.rounding:
                    there, steps = self.climb(other)
                    return there, [*path, step, *steps]
                if len(seen) >= _PLATEAU:
                    return here, []
                queue.append((other, [*path, step]))
        return here, []
