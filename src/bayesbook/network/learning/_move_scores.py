"""A DAG, and what each change of one of its edges is worth.

All rests on one matrix. Its entry in row t and column h is by how much the
score of the node h grows if t is put among its parents, or taken away if it
is one of them. Adding or deleting the edge t → h is worth this entry; turning
it round is worth the sum of two, that of (t, h) and that of (h, t). When a
node gets other parents, only its column is counted anew.

A second matrix says which nodes are ancestors of which. The edge t → h makes a
cycle if h is an ancestor of t; and t → h can be turned round if t has no
other child that is h's ancestor.

Not everything has to be counted. The likelihood of h grows by m times the
mutual information of h and t given the parents, and this is at most the
entropy of either. Where the new parameters cost more than that, t cannot
better the score as a parent of h, whatever the data; its entry is -inf.
(Compare de Campos and Ji 2011, who leave out whole families of sets.)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bayesbook.network.learning._edge_constraints import Rules
from bayesbook.network.learning.scores import Score
from bayesbook.network.learning.search_path import Move


class Columns:
    """The columns of the matrix, each counted once."""

    def __init__(self, score: Score, rules: Rules):
        self.score, self.rules = score, rules
        self._known = {}

    def __call__(self, nodes, parents) -> list[tuple[np.ndarray, float]]:
        """Give, for some nodes, their columns and their scores.

        Parameters
        ----------
        nodes : sequence of int
        parents : sequence of frozensets of names
            All that is not known yet is counted in one pass over the data.
        """
        wanted = list(zip(nodes, parents, strict=True))
        new = [family for family in wanted if family not in self._known]
        names = self.rules.names
        self.score.prepare((names[node], own) for node, own in new)
        sets = {family: self._sets(*family) for family in new}
        self.score.prepare(
            (names[node], changed)
            for (node, _), own in sets.items()
            for changed in own.values()
        )
        for (node, own), changed in sets.items():
            before = self.score.local(names[node], own)
            column = np.full(len(names), -np.inf)
            after = self.score.locals(names[node], changed.values())
            column[list(changed)] = after - before
            self._known[node, own] = column, before
        return [self._known[family] for family in wanted]

    def _sets(self, node, parents):
        """Return the parents after each change that is worth a look."""
        rules = self.rules
        may_add = ~rules.forbidden[:, node] & self._is_promising(node, parents)
        if len(parents) >= rules.max_parents:
            may_add[:] = False
        sets = {}
        for other, name in enumerate(rules.names):
            if name in parents:
                if not rules.required[other, node]:
                    sets[other] = parents - {name}
            elif may_add[other]:
                sets[other] = parents | {name}
        return sets

    def _is_promising(self, node, parents):
        """Tell for each node whether it could be a parent that pays."""
        score, name = self.score, self.rules.names[node]
        if not score.price:
            return np.ones(len(self.rules.names), dtype=bool)
        size = score.n_parameters(name, parents)
        entropy = -score.local(name, parents) - score.price * size
        most = np.minimum(entropy, self._entropies)
        price = score.price * size * (self._n_states - 1)
        return most - price > -score.rounding

    @cached_property
    def _entropies(self):
        """For each node, m times its entropy: minus its log-likelihood."""
        score, names = self.score, self.rules.names
        score.prepare((name, ()) for name in names)
        return np.array(
            [-score.local(name) - score.penalty(name) for name in names]
        )

    @cached_property
    def _n_states(self):
        cases = self.score.cases
        return np.array([len(cases.states[name]) for name in self.rules.names])


class Candidate(NamedTuple):
    """A move, as numbers of nodes, and what it is worth."""

    gain: float
    kind: str
    tail: int
    head: int


class Neighbours:
    """A DAG that can be changed, with the worth of all its neighbours.

    Parameters
    ----------
    columns : Columns
    edges : bool array of shape (M, M)
        ``[tail, head]``; a DAG that obeys the rules.

    Attributes
    ----------
    edges : bool array of shape (M, M)
    above : bool array of shape (M, M)
        ``above[a, b]`` says whether a is an ancestor of b.
    worth : array of shape (M, M)
        What adding or deleting each edge is worth; -inf where it is not
        allowed, or a new parent cannot pay.
    parents : list of frozensets of names
    locals : list of floats
        The score of each node.
    """

    def __init__(self, columns: Columns, edges: np.ndarray):
        self.columns = columns
        self.rules, self.score = columns.rules, columns.score
        self.rounding = self.score.rounding
        self.edges = edges.copy()
        self.above = np.zeros_like(edges)
        M = len(edges)
        names = self.rules.names
        self.parents = [
            frozenset(names[tail] for tail in np.flatnonzero(edges[:, head]))
            for head in range(M)
        ]
        self.worth = np.empty((M, M))
        self.locals = [0.0] * M
        self._count(range(M))
        for tail, head in np.argwhere(edges):
            self._join(tail, head)

    def copy(self) -> Neighbours:
        """Return a graph that can be changed without changing this one."""
        other = object.__new__(Neighbours)
        other.__dict__.update(self.__dict__)
        for own in ("edges", "above", "worth", "parents", "locals"):
            setattr(other, own, getattr(self, own).copy())
        return other

    @property
    def total(self) -> float:
        """The score of the graph."""
        return sum(self.locals)

    def key(self) -> tuple:
        """Return what tells the graph from others."""
        return tuple(self.parents)

    # -- changing it ------------------------------------------------------

    def make(self, *moves: Candidate) -> None:
        """Change the graph; what is new is counted in one pass."""
        heads = {}
        for _, kind, tail, head in moves:
            if kind != "add":
                self._put(tail, head, False)
                self._part(head)
                heads[head] = None
            if kind != "delete":
                tail, head = (
                    (head, tail) if kind == "reverse" else (tail, head)
                )
                self._put(tail, head, True)
                self._join(tail, head)
                heads[head] = None
        self._count(heads)

    def _put(self, tail, head, is_there):
        self.edges[tail, head] = is_there
        name = {self.rules.names[tail]}
        own = self.parents[head]
        self.parents[head] = own | name if is_there else own - name

    def _join(self, tail, head):
        """Let the ancestors know of a new edge."""
        upper = self.above[:, tail].copy()
        upper[tail] = True
        lower = self.above[head].copy()
        lower[head] = True
        self.above |= np.outer(upper, lower)

    def _part(self, head):
        """Let the ancestors know that a node has lost a parent."""
        # A node has more ancestors than each of them: this order is one in
        # which parents come before their children.
        n_above = self.above.sum(axis=0)
        below = np.flatnonzero(self.above[head])
        for node in (head, *below[np.argsort(n_above[below])]):
            own = self.edges[:, node]
            self.above[:, node] = own | self.above[:, own].any(axis=1)

    def _count(self, nodes):
        nodes = list(nodes)
        found = self.columns(nodes, [self.parents[node] for node in nodes])
        for node, (column, score) in zip(nodes, found, strict=True):
            self.worth[:, node] = column
            self.locals[node] = score

    # -- looking around ---------------------------------------------------

    def best(self, is_barred: np.ndarray | None = None) -> Candidate | None:
        """Return the best move; of equal ones the first.

        Additions come before deletions, and these before reversals; then the
        names of the tail and of the head decide.

        Parameters
        ----------
        is_barred : bool array of shape (M, M), optional
            Edges that are not to be touched.

        Returns
        -------
        Candidate or None
            Its gain may be negative; None if there is no move at all.
        """
        adding = np.where(self.edges | self.above.T, -np.inf, self.worth)
        tails, heads = np.nonzero(self.edges)
        deleting = self.worth[tails, heads]
        reversing = np.where(
            self._can_turn(tails, heads),
            deleting + self.worth[heads, tails],
            -np.inf,
        )
        if is_barred is not None:
            adding[is_barred] = -np.inf
            deleting = np.where(is_barred[tails, heads], -np.inf, deleting)
            reversing = np.where(is_barred[tails, heads], -np.inf, reversing)
        kinds = {
            "add": adding.ravel(),
            "delete": deleting,
            "reverse": reversing,
        }
        top = max(gains.max(initial=-np.inf) for gains in kinds.values())
        if top == -np.inf:
            return None
        for kind, gains in kinds.items():
            good = np.flatnonzero(gains >= top - self.rounding)
            if len(good):
                first = good[0]
                tail, head = (
                    divmod(first, len(self.edges))
                    if kind == "add"
                    else (tails[first], heads[first])
                )
                return Candidate(
                    float(gains[first]), kind, int(tail), int(head)
                )
        raise AssertionError("The best move is among the moves.")

    def _can_turn(self, tails, heads):
        """Tell for each edge whether it is the only way to its head."""
        detours = self.edges[tails] & self.above[:, heads].T
        return ~detours.any(axis=1)

    def covered(self) -> Iterator[Candidate]:
        """Yield the reversals that lead to equivalent graphs.

        An edge is covered if its two nodes have the same parents, but for the
        edge itself (Chickering 1995).
        """
        names = self.rules.names
        for tail, head in np.argwhere(self.edges).tolist():
            if self.parents[head] == self.parents[tail] | {names[tail]}:
                gain = self.worth[tail, head] + self.worth[head, tail]
                if gain > -np.inf:
                    yield Candidate(float(gain), "reverse", tail, head)

    def freeing(self, node: int) -> list[Candidate]:
        """Return the moves that delete all edges of a node that need not be."""
        edges = self.edges & ~self.rules.required
        around = [(tail, node) for tail in np.flatnonzero(edges[:, node])]
        around += [(node, head) for head in np.flatnonzero(edges[node])]
        return [
            Candidate(0.0, "delete", int(tail), int(head))
            for tail, head in around
        ]

    def named(self, move: Candidate) -> Move:
        """Return a move with the names of its nodes."""
        names = self.rules.names
        return Move(move.kind, names[move.tail], names[move.head])
