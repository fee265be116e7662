r"""Greedy search among equivalence classes: graphs that data can tell apart.

Markov equivalent graphs have equal scores, so that a search among graphs
walks on plateaus: the next better graph may be one edge away from a member of
the class, and many edges from the member at hand. Greedy equivalence search
(GES; Meek 1997, Chickering 2002) therefore goes from class to class. It
changes one edge of *some* member, whichever is best, and goes to the class of
the result.

>>> import pandas as pd
>>> from itertools import product
>>> rows = [(a, b, int(a or b)) for a, b in product((0, 1), repeat=2)]
>>> data = pd.DataFrame(rows * 25, columns=["A", "B", "Either"])
>>> run = equivalence_search(data)
>>> for step in run.path:
...     print(step)
insert A → Either: +19.27
insert B → Either (A → Either): +30.05
>>> sorted(run.cpdag.edges)
[('A', 'Either'), ('B', 'Either')]

There are three phases, each of which goes on as long as it raises the score:
edges are inserted, then deleted, then turned; and again, until no phase finds
an improvement. With infinitely many rows, from a distribution whose
independences are those of a DAG, and a score that is consistent, such as BIC
or BDeu, the first two phases end at the class of that DAG (Chickering 2002);
the third, of Hauser and Bühlmann (2012), corrects errors that finite data
cause. The module
``bayesbook.network.learning._cpdag_operators`` says what each operator is,
when it is valid and what it gains, theorem by theorem.

Where no operator raises the score, the search *looks ahead*: it turns an edge
although that lowers the score, leaves this pair of nodes alone, and climbs
again. If that ends higher, it goes there; if no turn does, it tries to delete
edges. (Nazaret and Blei 2024 delete.) In finite data the path to a better
class often begins with one bad step.

References
----------
Meek (1997), *Graphical models: selecting causal and statistical models*.
Chickering (2002), Optimal structure identification with greedy search. Hauser
and Bühlmann (2012), Characterization and greedy learning of interventional
Markov equivalence classes of directed acyclic graphs. Nazaret and Blei
(2024), Extremely greedy equivalence search. Koller and Friedman (2009),
*Probabilistic Graphical Models*, section 18.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import networkx as nx
import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import as_bool
from bayesbook.graphs import cpdag
from bayesbook.network.inference.triangulation import bits
from bayesbook.network.learning._cpdag_operators import (
    KINDS,
    EssentialGraph,
    Operator,
    affected_heads,
    apply_operator,
    changed_parents,
    is_valid,
    parent_cliques,
    tails_at,
)
from bayesbook.network.learning._edge_constraints import EdgeConstraints, Edges
from bayesbook.network.learning._move_scores import GainColumns
from bayesbook.network.learning.decomposable import Score
from bayesbook.network.learning.parameters import Data, GraphLike, Weights
from bayesbook.network.learning.scores import read_score
from bayesbook.network.learning.search_path import ClassMove, SearchRun, Step
from bayesbook.network.progress import progress_bar

__all__ = ["EquivalenceRun", "equivalence_search"]

# The operators tried, in this order, where none raises the score.
_DETOURS = ("turn", "delete")


@dataclass(frozen=True, eq=False, repr=False)
class EquivalenceRun(SearchRun):
    """The class that a search found, and the path to it.

    A :class:`SearchRun`, whose `graph` is a member of the class. The moves of
    its path are :class:`ClassMove`; :meth:`SearchRun.graphs` replays members
    of the classes on the path, so that a step may change more than one edge.
    `restart` counts the detours that were taken, and the step that each begins
    with, which does not raise the score, says "detour". Its table has the
    column ``given``, too.

    Examples
    --------
    >>> import pandas as pd
    >>> data = pd.DataFrame({"A": [0, 0, 1, 1] * 9, "B": [0, 1, 1, 1] * 9})
    >>> run = equivalence_search(data)
    >>> run.edges
    (('A', 'B'),)
    >>> list(run.cpdag.edges)  # the data do not say where the edge points
    [('A', 'B'), ('B', 'A')]
    """

    _move_type = ClassMove

    def cpdags(self) -> Iterator[nx.DiGraph]:
        """Replay the search: yield the first class, and that of each step.

        Returns
        -------
        iterator of networkx.DiGraph
            CPDAGs, as :func:`bayesbook.graphs.cpdag` returns them.

        Examples
        --------
        >>> import pandas as pd
        >>> data = pd.DataFrame({"A": [0, 0, 1, 1] * 9, "B": [0, 1, 1, 1] * 9})
        >>> run = equivalence_search(data)
        >>> [list(pattern.edges) for pattern in run.cpdags()]
        [[], [('A', 'B'), ('B', 'A')]]
        """
        return map(cpdag, self.graphs())


def equivalence_search(
    data: Data | None,
    score: str | Score = "bic",
    *,
    weights: Weights | None = None,
    start: GraphLike | None = None,
    required: Edges = (),
    forbidden: Edges = (),
    max_parents: int | None = None,
    look_ahead: bool = True,
    progress: bool = False,
) -> EquivalenceRun:
    """Search for the equivalence class with the best score, greedily.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, iterable of DataFrames, or None
        As for :func:`bayesbook.network.hill_climb`.
    score : str or Score
        Markov equivalent graphs must have equal scores, as they do by "bic",
        "aic", "bdeu" and "log-likelihood", and do not by "k2".
    weights : str, or sequence of numbers, optional
        As for :func:`bayesbook.network.hill_climb`.
    start : networkx.DiGraph, BayesianNetwork or str, optional
        A member of the class to begin at; by default the graph with the
        required edges only.
    required, forbidden : iterable of (tail, head)
        Edges that the result has, and does not have. The search keeps to
        classes with such a member, and shows that member.
    max_parents : int, optional
        How many parents a node may have. All members of a class have the same
        largest number, so that this does not depend on the member.
    look_ahead : bool
        Whether to go on, where no operator raises the score, through one that
        lowers it. Without it, the search is GES with three phases.
    progress : bool
        Whether to show a bar that counts the steps tried.

    Returns
    -------
    EquivalenceRun

    Raises
    ------
    TypeError
        As for :func:`bayesbook.network.hill_climb`.
    ProbabilityError
        As for the score and the data; or if equivalent graphs can differ in
        their scores.
    GraphError
        As for :func:`bayesbook.network.hill_climb`; or if too many nodes are
        adjacent to each other to list the operators.
    TableTooLargeError
        If the table of a node with its parents would not fit.

    Notes
    -----
    No search of this kind is always the best. As this one only climbs, it can
    improve what another has found: from the graph of
    :func:`bayesbook.network.hill_climb` as `start` it ends at least as high.

    The result is the same for any order of the rows and columns. Of operators
    whose gains differ by no more than roundings, the first is taken by the
    names of its tail, its head and the other parents of the head; of the
    members, the one whose last nodes are last in the alphabet (see
    :func:`bayesbook.graphs.consistent_extension`).

    Examples
    --------
    >>> from bayesbook.graphs import compare
    >>> from bayesbook.network import load_network
    >>> asia = load_network("asia")
    >>> run = equivalence_search(asia.sample(10_000, rng=0))
    >>> print(compare(run.cpdag, asia.graph))
    8 found; 0 missing; 0 extra; 0 misdirected
    """
    score = read_score(data, score, weights)
    _require_equivalence(score)
    look_ahead = as_bool(look_ahead, "look_ahead")
    constraints = EdgeConstraints(
        score.names, required, forbidden, max_parents
    )
    n_before = score.n_counted
    with progress_bar(None, progress, "steps") as on_step:
        search = _Search(score, constraints, on_step)
        first = search.read_start(start)
        last = search.run(first, look_ahead)
    return search.result(first, last, score.n_counted - n_before)


def _require_equivalence(score: Score) -> None:
    if not score.is_score_equivalent:
        raise ProbabilityError(
            f"Under {score.name!r} the scores of Markov equivalent graphs can "
            "differ, so that a class has no score: take 'bic', 'aic' or "
            "'bdeu', or search among graphs, with hill_climb or tabu_search."
        )


class _ClassStep(NamedTuple):
    """A step from one class to the next."""

    operator: Operator
    gain: float
    graph: EssentialGraph
    detour: int


# Minus the gain, so that sorting puts the best first.
_Priced = tuple[float, Operator]
# For each node the operators that it is the head of, by their kind.
_Offers = list[dict[str, list[_Priced]]]


class _Position(NamedTuple):
    """A class, its operators, how much the score has grown, and the path."""

    graph: EssentialGraph
    offers: _Offers
    gained: float = 0.0
    path: tuple[_ClassStep, ...] = ()


class _Gains:
    """The gains of other parents, by the numbers of nodes and sets of bits."""

    def __init__(self, score: Score, constraints: EdgeConstraints) -> None:
        # A class may have a member that keeps to the lists of edges although
        # others do not: they do not limit the columns.
        free = EdgeConstraints(
            score.names, max_parents=constraints.max_parents
        )
        self._names = free.names
        self._columns = GainColumns(score, free)
        self._known: dict[tuple[int, int], tuple[list[float], int]] = {}

    def prepare(self, families: Iterable[tuple[int, int]]) -> None:
        """Compute the columns of nodes with sets of parents, all at once."""
        new = [f for f in dict.fromkeys(families) if f not in self._known]
        computed = self._columns.compute(
            [node for node, _ in new],
            [
                frozenset(self._names[node] for node in bits(parents))
                for _, parents in new
            ],
        )
        rounding = self._columns.score.rounding
        for family, (column, _) in zip(new, computed, strict=True):
            good = np.packbits(column > rounding, bitorder="little")
            good_bits = int.from_bytes(good.tobytes(), "little")
            self._known[family] = column.tolist(), good_bits

    def good(self, node: int, parents: int) -> int:
        """Return the nodes that raise the score as further parents."""
        return self._known[node, parents][1] & ~parents

    def gain(self, graph: EssentialGraph, operator: Operator) -> float:
        """Return by how much an operator raises the score."""
        return sum(
            self._known[node, parents][0][other]
            for node, parents, other in changed_parents(graph, operator)
        )


class _Search:
    """What stays the same during a search, and what it remembers.

    The nodes are numbered in alphabetical order, as in the constraints, so
    that nothing depends on the order of the columns.
    """

    def __init__(
        self,
        score: Score,
        constraints: EdgeConstraints,
        on_step: Callable[[int], object],
    ) -> None:
        self.score, self.constraints = score, constraints
        self.names, self.on_step = constraints.names, on_step
        self.required = _pairs(constraints.required)
        # A member never has an edge from a node to itself.
        self.forbidden = [
            edge for edge in _pairs(constraints.forbidden) if len({*edge}) > 1
        ]
        self._gains = _Gains(score, constraints)

    # -- reading and writing ----------------------------------------------

    def read_start(self, start: GraphLike | None) -> EssentialGraph:
        """Return the class where the search begins."""
        edges = self.constraints.read_start(start)
        return EssentialGraph.from_dag(
            [
                sum(1 << int(tail) for tail in np.flatnonzero(into))
                for into in edges.T
            ]
        )

    def _dag(self, parents: Sequence[int]) -> nx.DiGraph:
        """Return a DAG, with its nodes in the order of the columns."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.constraints.columns)
        graph.add_edges_from(
            (self.names[tail], self.names[head])
            for head, sources in enumerate(parents)
            for tail in bits(sources)
        )
        return graph

    def _has_member(self, graph: EssentialGraph) -> bool:
        return graph.member(self.required, self.forbidden) is not None

    def _member(self, graph: EssentialGraph) -> list[int]:
        member = graph.member(self.required, self.forbidden)
        assert member is not None, "A search keeps to classes with a member."
        return member

    def result(
        self, first: EssentialGraph, last: _Position, n_counted: int
    ) -> EquivalenceRun:
        """Return the run that led from the first class to the last."""
        start = member = self._member(first)
        score = self.score.total(self._dag(start))
        path = []
        for operator, gain, graph, detour in last.path:
            before, member = member, self._member(graph)
            score += gain
            removed = self._named_edges(before, member)
            added = self._named_edges(member, before)
            why = "" if gain > self.score.rounding else "detour"
            move = self._named(operator)
            path.append(Step(move, gain, score, detour, removed, added, why))
        graph = self._dag(member)
        return EquivalenceRun(
            graph=nx.freeze(graph),
            score=self.score.total(graph),
            criterion=self.score.name,
            path=tuple(path),
            start=nx.freeze(self._dag(start)),
            n_counted=n_counted,
        )

    def _named(self, operator: Operator) -> ClassMove:
        kind, tail, head, given = operator
        names = tuple(self.names[node] for node in bits(given))
        return ClassMove(kind, self.names[tail], self.names[head], names)

    def _named_edges(self, member, other):
        """Return the edges that only the first has, in alphabetical order."""
        edges = sorted(
            (tail, head)
            for head, (sources, others) in enumerate(
                zip(member, other, strict=True)
            )
            for tail in bits(sources & ~others)
        )
        return tuple((self.names[a], self.names[b]) for a, b in edges)

    # -- searching --------------------------------------------------------

    def run(self, graph: EssentialGraph, look_ahead: bool) -> _Position:
        """Climb, look ahead, and climb again, as long as it helps."""
        everywhere = range(len(self.names))
        here = _Position(graph, self._offers(graph, everywhere))
        here, detours = self._climb(here), 0
        while look_ahead:
            detours += 1
            better = self._look_ahead(here, detours)
            if better is None:
                break
            here = better
        return here

    def _climb(
        self,
        here: _Position,
        detour: int = 0,
        held: frozenset[int] = frozenset(),
    ) -> _Position:
        """Repeat the phases until none of them raises the score.

        The pair of nodes `held` is left alone.
        """
        while True:
            before = len(here.path)
            for kind in KINDS:
                while best := self._best(here, kind, held):
                    here = self._step(here, _ClassStep(*best, detour))
                    self.on_step(1)
            if len(here.path) == before:
                return here

    def _look_ahead(self, here: _Position, detour: int) -> _Position | None:
        """Find a step that lowers the score, but leads higher in the end."""
        tried = {here.graph.key()}
        for kind in _DETOURS:
            for gain, operator in self._ranked(here, kind):
                graph = self._after(here.graph, operator)
                if graph is None or graph.key() in tried:
                    continue
                tried.add(graph.key())
                step = _ClassStep(operator, gain, graph, detour)
                held = frozenset((operator.tail, operator.head))
                there = self._climb(self._step(here, step), detour, held)
                if there.gained > here.gained + self.score.rounding:
                    return self._climb(there, detour)
        return None

    def _best(
        self, here: _Position, kind: str, held: frozenset[int]
    ) -> tuple[Operator, float, EssentialGraph] | None:
        """Return the best operator of a kind, its gain, and its result."""
        for gain, operator in self._ranked(here, kind, self.score.rounding):
            if held != {operator.tail, operator.head}:
                after = self._after(here.graph, operator)
                if after is not None:
                    return operator, gain, after
        return None

    def _after(
        self, graph: EssentialGraph, operator: Operator
    ) -> EssentialGraph | None:
        """Return the class that an operator leads to, if that is allowed."""
        if not is_valid(graph, operator):
            return None
        after = apply_operator(graph, operator)
        if self.required or self.forbidden:
            return after if self._has_member(after) else None
        return after

    def _ranked(
        self, here: _Position, kind: str, least: float = -np.inf
    ) -> Iterator[tuple[float, Operator]]:
        """Yield the operators that gain more than the least, the best first.

        Ties are yielded by name.
        """
        tied: list[_Priced] = []
        for loss, operator in sorted(
            entry
            for offers in here.offers
            for entry in offers[kind]
            if entry[0] < -least
        ):
            if tied and loss > tied[0][0] + self.score.rounding:
                yield from _by_name(tied)
                tied = []
            tied.append((loss, operator))
        yield from _by_name(tied)

    def _step(self, here: _Position, step: _ClassStep) -> _Position:
        """Return the position after a step; most operators stay the same."""
        heads = list(bits(affected_heads(here.graph, step.graph)))
        offers = here.offers.copy()
        for head, new in zip(
            heads, self._offers(step.graph, heads), strict=True
        ):
            offers[head] = new
        gained = here.gained + step.gain
        return _Position(step.graph, offers, gained, (*here.path, step))

    def _offers(self, graph: EssentialGraph, heads: Sequence[int]) -> _Offers:
        """Return the operators at some nodes; all is counted at once."""
        sets = [list(parent_cliques(graph, head)) for head in heads]
        self._gains.prepare(
            (head, graph.parents[head] | given)
            for head, own in zip(heads, sets, strict=True)
            for given in own
        )
        return [
            {kind: self._priced(graph, kind, head, own) for kind in KINDS}
            for head, own in zip(heads, sets, strict=True)
        ]

    def _priced(
        self,
        graph: EssentialGraph,
        kind: str,
        head: int,
        given_sets: Iterable[int],
    ) -> list[_Priced]:
        """Return the operators of a kind at a node, with their gains."""
        priced = []
        for given in given_sets:
            tails = tails_at(graph, kind, head, given)
            if kind == "insert":
                # An insertion that does not gain is never applied.
                tails &= self._gains.good(head, graph.parents[head] | given)
            for tail in bits(tails):
                operator = Operator(kind, tail, head, given)
                priced.append((-self._gains.gain(graph, operator), operator))
        return priced


def _pairs(matrix: np.ndarray) -> list[tuple[int, int]]:
    """Return the edges of a matrix, as pairs of numbers."""
    return [(tail, head) for tail, head in np.argwhere(matrix).tolist()]


def _by_name(tied: list[_Priced]) -> list[tuple[float, Operator]]:
    tied = sorted(tied, key=lambda entry: entry[1])
    return [(-loss, operator) for loss, operator in tied]
