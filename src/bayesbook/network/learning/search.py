r"""Searching for the graph that scores best.

There are more DAGs than anybody can score: 543 of 4 nodes, and about
:math:`4.2 \times 10^{18}` of 10. To find the best one is NP-hard (Chickering
1996), even if no node has more than two parents. What can be done:

- :func:`hill_climb`: change one edge at a time, always the one that betters
  the score most;
- :func:`tabu_search`: go on where no change betters it, and do not undo what
  was done lately;
- :func:`tree_search`: if each node has at most one parent, the best graph is
  found at once, as a spanning tree (Chow and Liu 1968);
- :func:`exact_search`: for some 15 nodes the best graph can be found, by
  dynamic programming over sets of nodes (Silander and Myllymäki 2006).

>>> from bayesbook.network import BIC, load_network
>>> asia = load_network("asia")
>>> rows = asia.sample(10_000, rng=1)
>>> run = hill_climb(rows, "bic")
>>> truth = BIC(rows).total(asia)
>>> print(f"{run.score:.1f}; the true graph has {truth:.1f}")
-22411.6; the true graph has -22411.6
>>> print(f"{exact_search(rows, 'bic').score:.1f}")
-22411.6

All of them maximise: see :mod:`bayesbook.network.learning.scores` for the
signs.

**Ties.** Two moves are equal if their gains differ by no more than the
roundings of the computer. Of equal moves the first is made: additions come
before deletions, and these before reversals; then the alphabetical order of
the tails decides, X2 before X10, and then that of the heads. The order of
the columns and that of the rows therefore play no role; the names do. For
scores that are equal for equivalent graphs this is no rarity: of the two
directions of the first edge neither is better.

References
----------
Castelo and Kočka (2003), On inclusion-driven learning of Bayesian networks.
Chickering (1995), A transformational characterization of equivalent Bayesian
network structures. Chickering (1996), Learning Bayesian networks is NP-
complete. Chow and Liu (1968), Approximating discrete probability distributions
with dependence trees. De Campos and Ji (2011), Efficient structure learning of
Bayesian networks using constraints. Edmonds (1967), Optimum branchings.
Friedman, Geiger and Goldszmidt (1997), Bayesian network classifiers. Glover
(1989), Tabu search. Heckerman, Geiger and Chickering (1995), Learning Bayesian
networks: the combination of knowledge and statistical data. Moore and Wong
(2003), Optimal reinsertion. Silander and Myllymäki (2006), A simple approach
for finding the globally optimal Bayesian network structure.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import combinations, groupby

import networkx as nx
import numpy as np

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.base.numbers import as_bool, as_int
from bayesbook.data import read_cases
from bayesbook.network.learning._edge_constraints import Rules
from bayesbook.network.learning._move_scores import (
    Candidate,
    Columns,
    Neighbours,
)
from bayesbook.network.learning.scores import Score, read_score, require_node
from bayesbook.network.learning.search_path import Move, SearchRun, Step
from bayesbook.network.progress import progress_bar

__all__ = [
    "exact_search",
    "hill_climb",
    "tabu_search",
    "tree_search",
]

Edges = Iterable[tuple[str, str]]

# So many graphs of an equivalence class are looked at on a plateau.
_PLATEAU = 100
# With more nodes an exact search needs too much memory, and time.
_MOST_EXACT = 20


def hill_climb(
    data,
    score: str | Score = "bic",
    *,
    start=None,
    required: Edges = (),
    forbidden: Edges = (),
    max_parents: int | None = None,
    escape: bool = True,
    restarts: int = 0,
    rng: np.random.Generator | int | None = None,
    progress: bool = False,
) -> SearchRun:
    r"""Change one edge at a time, always the one that betters the score most.

    An edge is added, deleted or reversed, as long as that betters the score.
    Where it does not, the graph is a *local optimum*: there may be better
    ones further away. Unless `escape` is false, the search then tries two
    ways out of it, and goes on climbing if one of them leads higher:

    1. *Reinsertion.* One node after the other is taken out, with all its
       edges, and put back by climbing. Edges that are good only together come
       in this way, and edges that only made up for others go.
    2. *Plateaus.* Reversing a covered edge changes neither the independences
       nor, if it is score equivalent, the score; but it changes what can be
       done next. Up to 100 graphs of the equivalence class are looked at, the
       nearest first, until one of them has a better neighbour.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, iterable of DataFrames, or None
        Discrete columns without gaps, which are the nodes; see
        :class:`bayesbook.data.Cases`. None if `score` has the data.
    score : str or Score
        What is maximised: "log-likelihood", "aic", "bic", "mdl", "bdeu",
        "k2", or a score made of the data, such as ``BDeu(data, 10)``.
    start : networkx.DiGraph, BayesianNetwork or str, optional
        Where the first climb begins; by default with the required edges only.
    required, forbidden : iterable of (tail, head)
        The white list and the black list.
    max_parents : int, optional
        How many parents a node may have. Scores without a price for
        parameters need it: each parent more makes the tables larger.
    escape : bool
        Whether to go on at a local optimum as above.
    restarts : int
        How often to climb again, from a random graph that has about as many
        edges as nodes. The best graph of all climbs is the result.
    rng : numpy.random.Generator or int
        The source of chance for the restarts, or a seed for one.
    progress : bool
        Whether to show a progress bar, which counts the steps.

    Returns
    -------
    SearchRun
        Its path has the steps of all climbs. Of the ways out it has those
        that led higher: their first steps, which do not, say why they were
        made.

    Raises
    ------
    GraphError
        If the start graph has a cycle, a forbidden edge, too many parents, or
        lacks a required edge or a column; if an edge of a list is no pair of
        columns, or in both lists; or if the required edges make a cycle.
    ProbabilityError
        As for the score and the data; if there are restarts and no `rng`.
    TableTooLargeError
        If a node gets so many parents that its table does not fit.

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
    search = _Search(data, score, required, forbidden, max_parents)
    escape = as_bool(escape, "escape")
    restarts = as_int(restarts, "restarts", 0)
    rng = _source(rng, restarts)
    with progress_bar(None, progress, "steps") as tell:
        here = best = search.begin(start)
        for number in range(restarts + 1):
            if number:
                here = search.restart(here, rng, number)
            here = search.ascend(here, escape, number, tell)
            if here.total > best.total + search.score.rounding:
                best = here
    return search.run(best)


def tabu_search(
    data,
    score: str | Score = "bic",
    *,
    start=None,
    required: Edges = (),
    forbidden: Edges = (),
    max_parents: int | None = None,
    tabu_length: int | None = None,
    patience: int | None = None,
    progress: bool = False,
) -> SearchRun:
    """Climb on where no step betters the score, without turning back.

    Each step makes the best move, even if the score falls by it. The edge is
    then tabu: for the next `tabu_length` steps it is not touched, unless that
    makes a graph better than all before. The search ends when none of the
    last `patience` steps found a better graph (Glover 1989).

    Parameters
    ----------
    data, score, start, required, forbidden, max_parents, progress
        See :func:`hill_climb`.
    tabu_length : int, optional
        For how many steps an edge is tabu; at 0 none is. By default for as
        many as there are columns.
    patience : int, optional
        How many steps without a better graph are allowed, at least 1; by
        default four times as many as there are columns.

    Returns
    -------
    SearchRun
        The best graph that was met; the path goes on after it.

    Raises
    ------
    GraphError, ProbabilityError, TableTooLargeError
        As for :func:`hill_climb`.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> rows = load_network("asia").sample(2000, rng=3)
    >>> run = tabu_search(rows, tabu_length=5, patience=5)
    >>> best = [step.score == run.score for step in run.path]
    >>> len(run.path) - best.index(True)  # one is the best, five are not
    6
    """
    search = _Search(data, score, required, forbidden, max_parents)
    n_columns = len(search.score.names)
    if tabu_length is None:
        tabu_length = n_columns
    if patience is None:
        patience = 4 * n_columns
    tabu_length = as_int(tabu_length, "tabu_length", 0)
    patience = as_int(patience, "patience", 1)
    here = best = search.begin(start)
    free_from = np.zeros(here.edges.shape, dtype=int)
    last_success = 0
    with progress_bar(None, progress, "steps") as tell:
        while len(search.path) - last_success < patience:
            n_steps = len(search.path)
            move = here.best()
            if move is None:
                break
            if here.total + move.gain <= best.total + here.rounding:
                move = here.best(is_barred=free_from > n_steps)
                if move is None:
                    break
            here = here.copy()
            search.path.append(_step(here, move))
            tell(1)
            ends = [move.tail, move.head]
            free_from[ends, ends[::-1]] = n_steps + 1 + tabu_length
            if here.total > best.total + here.rounding:
                best, last_success = here, len(search.path)
    return search.run(best)


class _Search:
    """What the searches share: the score, the rules, and the path so far."""

    def __init__(self, data, score, required, forbidden, max_parents):
        self.score = read_score(data, score)
        self.rules = Rules(self.score.names, required, forbidden, max_parents)
        self.columns = Columns(self.score, self.rules)
        self.n_before = self.score.n_counted
        self.path = []

    def begin(self, start) -> Neighbours:
        edges = self.rules.read_start(start)
        self.start = self.rules.graph(edges)
        return Neighbours(self.columns, edges)

    def restart(self, here, rng, number) -> Neighbours:
        """Leap to a random graph."""
        there = Neighbours(self.columns, self.rules.draw(rng))
        removed = self.rules.named_edges(here.edges & ~there.edges)
        added = self.rules.named_edges(there.edges & ~here.edges)
        self.path.append(
            Step(
                move=None,
                delta=there.total - here.total,
                score=there.total,
                restart=number,
                removed=removed,
                added=added,
                why="restart",
            )
        )
        return there

    def ascend(self, here, escape, number, tell) -> Neighbours:
        """Climb to a local optimum and, if wanted, away from it."""
        climber = _Climber(number, tell)
        here, steps = climber.climb(here)
        self.path += steps
        while escape:
            here, steps = climber.reinsert(here)
            self.path += steps
            here, steps = climber.wander(here)
            self.path += steps
            if not steps:
                break
        return here

    def run(self, graph) -> SearchRun:
        if isinstance(graph, Neighbours):
            graph = self.rules.graph(graph.edges)
        return SearchRun(
            graph=nx.freeze(graph),
            score=self.score.total(graph),
            criterion=self.score.name,
            path=tuple(self.path),
            start=nx.freeze(self.start),
            n_counted=self.score.n_counted - self.n_before,
        )


class _Climber:
    """Goes from graph to graph; each way is a graph and the steps to it."""

    def __init__(self, restart: int, tell: Callable[[int], object]):
        self.restart, self.tell = restart, tell

    def climb(self, here: Neighbours) -> tuple[Neighbours, list[Step]]:
        """Make the best move, again and again, while it betters the score."""
        here, steps = here.copy(), []
        while (move := here.best()) and move.gain > here.rounding:
            steps.append(_step(here, move, self.restart))
            self.tell(1)
        return here, steps

    def reinsert(self, here: Neighbours) -> tuple[Neighbours, list[Step]]:
        """Take each node out and put it back, until none betters the score.

        The nodes come in the order of their names, round and round.
        """
        way, node, n_failed = [], 0, 0
        while n_failed < len(here.edges):
            here, steps = self._put_back(here, node)
            way += steps
            n_failed = 0 if steps else n_failed + 1
            node = (node + 1) % len(here.edges)
        return here, way

    def _put_back(self, here, node):
        """Take a node out and climb; give the steps if that leads higher."""
        moves = here.freeing(node)
        if not moves:
            return here, []
        there = here.copy()
        there.make(*moves)
        there, steps = self.climb(there)
        if there.total <= here.total + here.rounding:
            return here, []
        why = f"take out {here.rules.names[node]}"
        return there, [*self._deletions(here, moves, why), *steps]

    def _deletions(self, here, moves, why):
        """Return a step for each of several edges that were deleted at once."""
        names, score = here.rules.names, here.score
        parents, families = dict(enumerate(here.parents)), []
        for move in moves:
            before = parents[move.head]
            parents[move.head] = after = before - {names[move.tail]}
            head = names[move.head]
            families += [(head, before), (head, after)]
        score.prepare(families)
        total = here.total
        pairs = zip(families[::2], families[1::2], strict=True)
        for move, (before, after) in zip(moves, pairs, strict=True):
            delta = score.local(*after) - score.local(*before)
            total += delta
            named = here.named(move)
            yield Step.of(named, delta, total, self.restart, why)

    def wander(self, here: Neighbours) -> tuple[Neighbours, list[Step]]:
        """Go through the equivalence class until there is a way up; climb it.

        Breadth first, so that the nearest graphs are looked at first.
        """
        if not here.score.is_score_equivalent:
            return here, []
        seen, queue = {here.key()}, deque([(here, [])])
        while queue:
            graph, way = queue.popleft()
            for move in graph.covered():
                other = graph.copy()
                step = _step(other, move, self.restart, "plateau")
                if other.key() in seen:
                    continue
                seen.add(other.key())
                next_move = other.best()
                if next_move and next_move.gain > here.rounding:
                    there, steps = self.climb(other)
                    return there, [*way, step, *steps]
                if len(seen) >= _PLATEAU:
                    return here, []
                queue.append((other, [*way, step]))
        return here, []


def _step(graph, move, restart=0, why=""):
    """Make a move, and give the step that it was."""
    graph.make(move)
    return Step.of(graph.named(move), move.gain, graph.total, restart, why)


def _source(rng, restarts):
    if restarts and rng is None:
        raise ProbabilityError(
            "The restarts begin with random graphs: give a source of chance, "
            "rng=1 or rng=numpy.random.default_rng(1)."
        )
    return np.random.default_rng(rng)


# -- where the best graph can be found ------------------------------------


def tree_search(
    data,
    score: str | Score = "bic",
    *,
    root: str | None = None,
    class_node: str | None = None,
) -> SearchRun:
    r"""Find the best forest: the graph in which nodes have one parent or none.

    An edge i → j betters the score by

    .. math:: w_{ij} = s(x_j, \{i\}) - s(x_j, \emptyset),

    whatever the other edges are. So the best forest is one of greatest weight:
    for a score that is equal in both directions a maximum spanning tree, as
    Chow and Liu (1968) found for the likelihood, where :math:`w_{ij}` is m
    times the mutual information; otherwise, as for K2, a maximum branching
    (Edmonds 1967). Edges that do not better the score are left out: with a
    penalty the tree may fall apart.

    With a class node all other nodes get it as a parent, and the weights are
    those given the class: tree-augmented naive Bayes, found by likelihood by
    Friedman, Geiger and Goldszmidt (1997).

    Parameters
    ----------
    data, score
        See :func:`hill_climb`.
    root : str, optional
        The edges of its tree point away from it; in each other tree, or by
        default, from the node whose name comes first.
    class_node : str, optional
        A parent of all other nodes.

    Returns
    -------
    SearchRun
        Its path adds the edges of the class, and then the heaviest edge first.

    Raises
    ------
    GraphError
        If the root or the class is no column, or both are the same.
    ProbabilityError
        As for the score and the data.

    See Also
    --------
    bayesbook.naive_bayes.chow_liu : the tree by likelihood, with the mutual
        information of its edges.
    bayesbook.naive_bayes.TAN : the classifier.

    Examples
    --------
    >>> from bayesbook.data import load_watermelon
    >>> melons = load_watermelon("2.0")
    >>> run = tree_search(melons, "log-likelihood", root="good")
    >>> for step in run.path:
    ...     print(step)
    add navel → root: +6.858
    add texture → navel: +6.45
    add root → knock: +6.225
    add navel → color: +4.995
    add good → texture: +4.485
    add navel → touch: +3.367
    """
    search = _Search(data, score, (), (), 1 if class_node is None else 2)
    for name, what in ((root, "root"), (class_node, "class")):
        if name is not None:
            require_node(name, search.score.names, f"The {what} ")
    if root is not None and root == class_node:
        raise GraphError(
            f"{root!r} cannot be both the class and the root: the class is "
            "in no tree."
        )
    here = search.begin(None)
    for edge in _class_edges(search, class_node):
        search.path.append(_step(here, _addition(search.score, here, *edge)))
    for edge in _best_forest(search.rules, here, root, class_node):
        search.path.append(_step(here, _addition(search.score, here, *edge)))
    return search.run(here)


def _class_edges(search, class_node):
    if class_node is None:
        return []
    tail = search.rules.place[class_node]
    heads = range(len(search.rules.names))
    return [(tail, head) for head in heads if head != tail]


def _addition(score, here, tail, head):
    """Return the move that adds an edge, whether it pays or not."""
    names, before = here.rules.names, here.parents[head]
    after = before | {names[tail]}
    gain = score.local(names[head], after) - score.local(names[head], before)
    return Candidate(gain, "add", tail, head)


def _best_forest(rules, here, root, class_node):
    """Return the edges of a forest of greatest weight, the heaviest first."""
    weights = here.worth.copy()
    in_trees = [m for m, name in enumerate(rules.names) if name != class_node]
    if root is not None:
        weights[:, rules.place[root]] = -np.inf
        in_trees.sort(key=lambda m: rules.names[m] != root)
    # What differs by roundings is a tie.
    weights = np.round(weights / here.rounding) * here.rounding
    make = nx.Graph if here.score.is_score_equivalent else nx.DiGraph
    graph = make()
    graph.add_nodes_from(in_trees)
    graph.add_weighted_edges_from(
        (tail, head, weights[tail, head])
        for tail in in_trees
        for head in in_trees
        if tail != head and weights[tail, head] > 0
    )
    if graph.is_directed():
        edges = nx.maximum_branching(graph).edges
    else:
        edges = _away_from_roots(nx.maximum_spanning_tree(graph), in_trees)
    return sorted(edges, key=lambda edge: (-weights[edge], edge))


def _away_from_roots(forest, roots):
    """Direct the edges away from the first node of each tree."""
    seen = set()
    for root in roots:
        if root not in seen:
            edges = list(nx.bfs_edges(forest, root))
            seen.update(node for edge in edges for node in edge)
            yield from edges


def exact_search(
    data,
    score: str | Score = "bic",
    *,
    required: Edges = (),
    forbidden: Edges = (),
    max_parents: int | None = None,
    progress: bool = False,
) -> SearchRun:
    r"""Find a graph that no other betters, by dynamic programming.

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
    data, score, required, forbidden, max_parents, progress
        See :func:`hill_climb`; the bar counts the families. Fewer parents
        make it much faster.

    Returns
    -------
    SearchRun
        Of all graphs with the greatest score one with few parents. Its path
        adds the edges, parents before children.

    Raises
    ------
    GraphError, ProbabilityError, TableTooLargeError
        As for :func:`hill_climb`; and if there are more than 20 columns.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1] * 9, "B": [0, 1, 0, 1] * 9,
    ...                      "C": [0, 1, 1, 0] * 9})
    >>> exact_search(rows).edges
    (('B', 'A'), ('C', 'A'))
    >>> hill_climb(rows).edges  # no pair of columns says anything
    ()
    """
    if isinstance(score, str):
        # Of a few columns many rows are alike.
        data = read_cases(data).distinct()
    search = _Search(data, score, required, forbidden, max_parents)
    names = search.rules.names
    if len(names) > _MOST_EXACT:
        raise ProbabilityError(
            f"An exact search for {len(names)} nodes would look at "
            f"2^{len(names)} sets of nodes; {_MOST_EXACT} nodes are the most. "
            "Take hill_climb."
        )
    sets = [_allowed_parents(search.rules, node) for node in range(len(names))]
    with progress_bar(sum(map(len, sets)), progress, "families") as tell:
        for layer in _layers(sets):
            search.score.prepare(
                (names[node], _named(names, parents))
                for node, parents in layer
            )
            tell(len(layer))
    best = [_best_parents(search, *own) for own in enumerate(sets)]
    graph = search.rules.graph(np.zeros((len(names),) * 2, dtype=bool))
    search.start = graph.copy()
    for node, parents in _best_order(best, search.score.rounding):
        for parent in parents:
            move = Move("add", names[parent], names[node])
            delta = search.score.delta(graph, move)
            move.apply(graph)
            total = search.score.total(graph)
            search.path.append(Step.of(move, delta, total))
    return search.run(graph)


def _layers(sets):
    """Return the families of each size: those of one node, of two, ...

    Those of the same nodes come together: they have one table. Those of one
    size do not contain each other, so that no table is a sum over another.
    """
    families = [
        (sorted([node, *parents]), node, parents)
        for node, own in enumerate(sets)
        for parents in own
    ]
    families.sort(key=lambda family: (len(family[0]), family[0]))
    for _, layer in groupby(families, key=lambda family: len(family[0])):
        yield [(node, parents) for _, node, parents in layer]


def _named(names, members):
    return frozenset(names[m] for m in members)


def _best_parents(search, node, sets):
    """Find, for each set of nodes, the best parents among them.

    A set is a number with a bit for each node. Returns the scores and the
    parents, arrays of length 2^M.
    """
    names, M = search.rules.names, len(search.rules.names)
    own = np.full(2**M, -np.inf)
    own[[sum(1 << m for m in members) for members in sets]] = (
        search.score.locals(
            names[node], [_named(names, members) for members in sets]
        )
    )
    parents = np.arange(2**M, dtype=np.int32)
    for m in range(M):
        # Without and with the node m. The smaller set wins ties.
        scores, chosen = own.reshape(-1, 2, 2**m), parents.reshape(-1, 2, 2**m)
        is_enough = scores[:, 0] >= scores[:, 1] - search.score.rounding
        for array in (scores, chosen):
            array[:, 1] = np.where(is_enough, array[:, 0], array[:, 1])
    return own, parents


def _allowed_parents(rules, node):
    """List the sets of parents that the rules allow, as tuples of numbers."""
    must = tuple(np.flatnonzero(rules.required[:, node]).tolist())
    may = np.flatnonzero(~rules.forbidden[:, node] & ~rules.required[:, node])
    most = min(len(may), rules.max_parents - len(must))
    return [
        must + more
        for n_more in range(most + 1)
        for more in combinations(may.tolist(), n_more)
    ]


def _best_order(best, rounding):
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
            own = sets[sets >> node & 1 == 1]
            others = own ^ (1 << node)
            new = total[others] + scores[others]
            is_better = new > total[own] + rounding
            total[own[is_better]] = new[is_better]
            sink[own[is_better]] = node
    order, rest = [], 2**M - 1
    while rest:
        order.append(int(sink[rest]))
        rest ^= 1 << order[-1]
    before = 0
    for node in reversed(order):
        chosen = best[node][1][before]
        yield node, [m for m in range(M) if chosen >> m & 1]
        before |= 1 << node
