r"""Greedy search among equivalence classes: graphs that data can tell apart.

Markov equivalent graphs have equal scores, so that a search among graphs
walks on plateaus: the next better graph may be one edge away from a member of
the class, and many edges from the member at hand. Greedy equivalence search
(GES; Meek 1997, Chickering 2002) therefore goes from class to class. It
takes *some* member, whichever is best, changes one edge, and goes to the class
of the result.

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

There are three phases, each of which goes on as long as it betters the score:
edges are inserted, then deleted, then turned; and again, until no phase finds
anything. With infinitely many rows, of a distribution whose independences are
those of a DAG, and a score that is consistent, such as BIC or BDeu, the first
two phases end at the class of that DAG (Chickering 2002); the third, of
Hauser and Bühlmann (2012), mends what finite data do. The module
``bayesbook.network.learning._cpdag_operators`` says what each operator is,
when it is valid and what it gains, theorem by theorem.

Where no operator gains anything, the search *looks ahead*: it turns an edge
although that loses, leaves this pair of nodes alone, and climbs again. If
that ends higher, it goes there; if no turn does, it tries to delete edges.
(Nazaret and Blei 2024 delete.) Finite data often hide the way to a better
class behind one bad step.

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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from math import prod
from typing import NamedTuple

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook import graphs
from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import as_bool
from bayesbook.network.learning._cpdag_operators import (
    KINDS,
    EssentialGraph,
    Operator,
    apply,
    bits,
    candidates,
    families,
    is_valid,
    surroundings,
)
from bayesbook.network.learning._edge_constraints import Rules
from bayesbook.network.learning.scores import Score, read_score
from bayesbook.network.learning.search_path import SearchRun, Step
from bayesbook.network.progress import progress_bar

__all__ = ["ClassMove", "EquivalenceRun", "equivalence_search"]

# What is tried, in this order, although it loses, where nothing gains.
_DETOURS = ("turn", "delete")


class ClassMove(NamedTuple):
    """A change of one edge of some member of an equivalence class.

    Examples
    --------
    >>> print(ClassMove("insert", "A", "C", ("B",)))
    insert A → C (B → C)
    """

    #: "insert", "delete" or "turn".
    kind: str
    #: Where the edge begins; of one that is turned, after that.
    tail: str
    #: Where the edge ends; of one that is turned, after that.
    head: str
    #: Which nodes, of those that lines join with the head, are its parents in
    #: this member. (In Chickering's Insert(X, Y, T) they are T and the
    #: neighbours of Y that are adjacent to X; in Delete(X, Y, H) the latter
    #: without H.)
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        given = f" ({', '.join(self.given)} → {self.head})"
        return f"{self.kind} {self.tail} → {self.head}" + given * bool(
            self.given
        )


@dataclass(frozen=True, eq=False, repr=False)
class EquivalenceRun(SearchRun):
    """The class that a search found, and the path to it.

    A :class:`SearchRun`, whose `graph` is a member of the class. The moves of
    its path are :class:`ClassMove`; what :meth:`SearchRun.graphs` replays are
    members of the classes on the way, so that a step may change more than one
    edge. `restart` counts the detours that were taken, and the step that each
    begins with, which betters nothing, says "detour".
    """

    def cpdags(self) -> Iterator[nx.DiGraph]:
        """Replay the search: yield the first class, and that of each step.

        Returns
        -------
        iterator of networkx.DiGraph
            CPDAGs, as :func:`bayesbook.graphs.cpdag` gives them.
        """
        return map(graphs.cpdag, self.graphs())

    def to_frame(self) -> pd.DataFrame:
        """Return the path as a table.

        Returns
        -------
        DataFrame
            A row for each step, with the columns ``restart``, ``move``,
            ``tail``, ``head``, ``given``, ``delta``, ``score`` and ``edges``,
            which is how many the graph has after the step.
        """
        edges = self.start.number_of_edges()
        rows = []
        for step in self.path:
            edges += len(step.added) - len(step.removed)
            *move, given = step.move
            given = ", ".join(given)
            rows.append(
                (step.restart, *move, given, step.delta, step.score, edges)
            )
        columns = ["restart", "move", "tail", "head", "given"]
        columns += ["delta", "score", "edges"]
        index = pd.RangeIndex(1, len(rows) + 1, name="step")
        return pd.DataFrame(rows, index=index, columns=columns)


def equivalence_search(
    data,
    score: str | Score = "bic",
    *,
    start=None,
    required: Iterable[tuple[str, str]] = (),
    forbidden: Iterable[tuple[str, str]] = (),
    max_parents: int | None = None,
    look_ahead: bool = True,
    progress: bool = False,
) -> EquivalenceRun:
    """Search the equivalence class with the best score, greedily.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, iterable of DataFrames, or None
        As for :func:`bayesbook.network.hill_climb`.
    score : str or Score
        Markov equivalent graphs must have equal scores, as they do by "bic",
        "aic", "bdeu" and "log-likelihood", and do not by "k2".
    start : networkx.DiGraph, BayesianNetwork or str, optional
        A member of the class to begin at; by default that without edges, but
        for the required ones.
    required, forbidden : iterable of (tail, head)
        Edges that the result has, and does not have. The search keeps to
        classes with a member that obeys, and shows that member.
    max_parents : int, optional
        How many parents a node may have. All members of a class have the same
        largest number, so that this does not depend on the member.
    look_ahead : bool
        Whether to go on, where no operator gains anything, by way of one that
        does not. Without, it is GES with the three phases.
    progress : bool
        Whether to show a bar that counts the steps tried.

    Returns
    -------
    EquivalenceRun

    Raises
    ------
    ProbabilityError
        As for the score and the data; or if equivalent graphs can differ by
        the score.
    GraphError
        As for :func:`bayesbook.network.hill_climb`; or if so many nodes are
        adjacent to each other that the operators cannot be listed.
    TableTooLargeError
        If a node gets so many parents that its table does not fit.

    Notes
    -----
    No search of this kind is always the best. As this one only climbs, it can
    better what another has found: with `start` the graph of
    :func:`bayesbook.network.hill_climb` it ends at least as high.

    The result is the same for any order of the rows and columns. Of operators
    whose gains differ by no more than roundings, the first is taken by the
    names of its tail, its head and the other parents of the head; of the
    members, the one whose last nodes are last in the alphabet (see
    :func:`bayesbook.graphs.consistent_extension`).

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> asia = load_network("asia")
    >>> run = equivalence_search(asia.sample(10_000, rng=0))
    >>> print(graphs.compare(run.cpdag, asia.graph))
    8 found; 0 missing; 0 extra; 0 misdirected
    """
    score = read_score(data, score)
    _require_equivalence(score)
    look_ahead = as_bool(look_ahead, "look_ahead")
    rules = Rules(score.names, required, forbidden, max_parents)
    search = _Search(score, rules)
    begin = search.read_start(start)
    counted = score.n_counted
    with progress_bar(None, progress, "steps") as search.tick:
        place = search.run(begin, look_ahead)
    return search.result(begin, place, score.n_counted - counted)


def _require_equivalence(score):
    if not score.is_score_equivalent:
        raise ProbabilityError(
            f"By {score.name!r} Markov equivalent graphs can differ, so that "
            "a class has no score: take 'bic', 'aic' or 'bdeu', or search "
            "among graphs, with hill_climb or tabu_search."
        )


class _Taken(NamedTuple):
    """A step that was taken."""

    operator: Operator
    gain: float
    graph: EssentialGraph
    detour: int


class _Place(NamedTuple):
    """Where a search is, how it came there, and what it has gained."""

    graph: EssentialGraph
    gained: float = 0.0
    path: tuple[_Taken, ...] = ()

    def after(self, operator, gain, graph, detour):
        step = _Taken(operator, gain, graph, detour)
        return _Place(graph, self.gained + gain, (*self.path, step))


class _Terms:
    """The terms of a score, by the numbers of nodes and sets of bits."""

    def __init__(self, score, names):
        self._score, self._names = score, names
        self._n_states = [len(score.cases.states[name]) for name in names]
        self._known, self._sizes = {}, {}

    def may_gain(self, graph, operator):
        """Return whether an insertion can pay, before anything is counted.

        The likelihood grows by m times the mutual information of the tail and
        the head given the other parents, which is at most the entropy of
        either; the new parameters may cost more than that.
        """
        if operator.kind != "insert" or not self._score.price:
            return True
        _, tail, head, given = operator
        size = self._size(graph.parents[head] | given)
        for node in (tail, head):
            size *= self._n_states[node] - 1
        most = min(self._entropies[tail], self._entropies[head])
        return most > self._score.price * size

    def _size(self, parents):
        """Count the configurations of a set of nodes."""
        if parents not in self._sizes:
            self._sizes[parents] = prod(
                self._n_states[node] for node in bits(parents)
            )
        return self._sizes[parents]

    @cached_property
    def _entropies(self):
        """For each node, m times its entropy: minus its log-likelihood."""
        score, names = self._score, self._names
        score.prepare((name, ()) for name in names)
        return [-score.local(name) - score.penalty(name) for name in names]

    def prepare(self, wanted):
        """Have all families counted in one pass."""
        new = [f for f in dict.fromkeys(wanted) if f not in self._known]
        named = [
            (self._names[node], frozenset(self._names[p] for p in bits(own)))
            for node, own in new
        ]
        self._score.prepare(named)
        for family, (node, parents) in zip(new, named, strict=True):
            self._known[family] = self._score.local(node, parents)

    def gain(self, after, before):
        gained = sum(self._known[family] for family in after)
        return gained - sum(self._known[family] for family in before)


class _Search:
    """What stays the same during a search, and what it remembers.

    The nodes are numbered in alphabetical order, as the rules do, so that
    nothing depends on the order of the columns.
    """

    def __init__(self, score, rules):
        self.score, self.rules, self.names = score, rules, rules.names
        self.required = _pairs(rules.required)
        # A node before itself is no question for a member.
        self.forbidden = [
            edge for edge in _pairs(rules.forbidden) if len({*edge}) > 1
        ]
        self._terms = _Terms(score, self.names)
        self._memory = {}

    # -- reading and writing ----------------------------------------------

    def read_start(self, start):
        """Return the class where the search begins."""
        edges = self.rules.read_start(start)
        return EssentialGraph.of(
            [
                sum(1 << int(tail) for tail in np.flatnonzero(into))
                for into in edges.T
            ]
        )

    def _drawn(self, parents):
        """Draw a DAG, with its nodes in the order of the columns."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.rules.columns)
        graph.add_edges_from(
            (self.names[tail], self.names[head])
            for head, own in enumerate(parents)
            for tail in bits(own)
        )
        return graph

    def _member(self, graph):
        return graph.member(self.required, self.forbidden)

    def result(self, begin, place, n_counted):
        """Write down what was found, step by step."""
        first = member = self._member(begin)
        score = self.score.total(self._drawn(first))
        path = []
        for operator, gain, graph, detour in place.path:
            before, member = member, self._member(graph)
            score += gain
            removed = self._named_edges(before, member)
            added = self._named_edges(member, before)
            why = "" if gain > self.score.rounding else "detour"
            move = self._named(operator)
            path.append(Step(move, gain, score, detour, removed, added, why))
        graph = self._drawn(member)
        return EquivalenceRun(
            graph=nx.freeze(graph),
            score=self.score.total(graph),
            criterion=self.score.name,
            path=tuple(path),
            start=nx.freeze(self._drawn(first)),
            n_counted=n_counted,
        )

    def _named(self, operator):
        kind, tail, head, given = operator
        given = tuple(self.names[node] for node in bits(given))
        return ClassMove(kind, self.names[tail], self.names[head], given)

    def _named_edges(self, member, other):
        """Return the edges that only the first has, in alphabetical order."""
        edges = sorted(
            (tail, head)
            for head, (own, others) in enumerate(
                zip(member, other, strict=True)
            )
            for tail in bits(own & ~others)
        )
        return tuple((self.names[a], self.names[b]) for a, b in edges)

    # -- searching --------------------------------------------------------

    def run(self, place, look_ahead):
        """Climb, look ahead, and climb again, as long as it helps."""
        place, detours = self._climb(_Place(place)), 0
        while look_ahead:
            detours += 1
            better = self._look_ahead(place, detours)
            if better is None:
                break
            place = better
        return place

    def _climb(self, place, detour=0, held=frozenset()):
        """Go through the phases until none of them finds anything.

        The pair of nodes `held` is left alone.
        """
        while True:
            before = len(place.path)
            for kind in KINDS:
                while found := self._best(place.graph, kind, held):
                    place = place.after(*found, detour)
                    self.tick(1)
            if len(place.path) == before:
                return place

    def _look_ahead(self, place, detour):
        """Take a step that loses, and see whether it pays."""
        tried = {place.graph.key()}
        for kind in _DETOURS:
            for gain, operator in self._ranked(place.graph, kind):
                graph = self._after(place.graph, operator)
                if graph is None or graph.key() in tried:
                    continue
                tried.add(graph.key())
                there = place.after(operator, gain, graph, detour)
                held = frozenset((operator.tail, operator.head))
                there = self._climb(there, detour, held)
                if there.gained > place.gained + self.score.rounding:
                    return self._climb(there, detour)
        return None

    def _best(self, graph, kind, held):
        """Return the best operator of a kind, what it gains and leads to."""
        for gain, operator in self._ranked(graph, kind):
            if gain <= self.score.rounding:
                break
            if held != {operator.tail, operator.head}:
                after = self._after(graph, operator)
                if after is not None:
                    return operator, gain, after
        return None

    def _after(self, graph, operator):
        """Return the class that an operator leads to, if that is allowed."""
        if not is_valid(graph, operator):
            return None
        after = apply(graph, operator)
        if self.required or self.forbidden:
            return after if self._member(after) is not None else None
        return after

    def _ranked(self, graph, kind):
        """Yield operators with their gains, the best first, ties by name."""
        tied = []
        for loss, operator in merge(*self._lists(graph, kind)):
            if tied and loss > tied[0][0] + self.score.rounding:
                yield from _by_name(tied)
                tied = []
            tied.append((loss, operator))
        yield from _by_name(tied)

    def _lists(self, graph, kind):
        """Return the operators at each head, each with minus its gain.

        They are remembered as long as the surroundings of the head are the
        same. What has to be counted is counted for all heads at once.
        """
        keys = [
            (kind, head, surroundings(graph, kind, head))
            for head in range(len(self.names))
        ]
        new, most = {}, self.rules.max_parents
        for key in keys:
            if key not in self._memory:
                kind, head, _ = key
                new[key] = [
                    (operator, *families(graph, operator))
                    for operator in candidates(graph, kind, head, most)
                    if self._terms.may_gain(graph, operator)
                ]
        self._terms.prepare(
            family
            for found in new.values()
            for _, after, before in found
            for family in (*after, *before)
        )
        for key, found in new.items():
            self._memory[key] = self._priced(key[0], found)
        return [self._memory[key] for key in keys]

    def _priced(self, kind, found):
        priced = (
            (-self._terms.gain(after, before), operator)
            for operator, after, before in found
        )
        # No insertion is taken that does not gain.
        worst = -self.score.rounding if kind == "insert" else float("inf")
        return sorted(entry for entry in priced if entry[0] < worst)


def _pairs(matrix):
    """Return the edges of a matrix, as pairs of numbers."""
    return [tuple(edge) for edge in np.argwhere(matrix).tolist()]


def _by_name(tied):
    tied = sorted(tied, key=lambda entry: entry[1])
    return [(-loss, operator) for loss, operator in tied]
