"""A DAG, and by how much each change of one of its edges raises the score.

All rests on one matrix of gains. Its entry in row t and column h is by how
much the score of the node h grows if t becomes a parent of h, or stops being
one. Adding or deleting the edge t → h gains this entry; reversing the edge
gains the sum of two entries, that of (t, h) and that of (h, t). When a node
gets other parents, only its column is computed again.

A second matrix says which nodes are ancestors of which. The edge t → h makes a
cycle if h is an ancestor of t; and t → h can be reversed if t has no other
child that is an ancestor of h.

Not everything has to be counted. The likelihood of h grows by m times the
mutual information of h and t given the parents, which is at most the entropy
of either. Where the new parameters cost more than that, t cannot raise the
score as a parent of h, whatever the data are; its entry is -inf. (Compare de
Campos and Ji 2011, who leave out whole families of sets.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from bayesbook.network.learning._edge_constraints import EdgeConstraints
from bayesbook.network.learning.decomposable import Score
from bayesbook.network.learning.search_path import Move


class GainColumns:
    """The columns of the matrix of gains, each computed once."""

    def __init__(self, score: Score, constraints: EdgeConstraints) -> None:
        self.score, self.constraints = score, constraints
        self._known: dict[
            tuple[int, frozenset[str]], tuple[np.ndarray, float]
        ] = {}

    def compute(
        self, nodes: Sequence[int], parents: Sequence[frozenset[str]]
    ) -> list[tuple[np.ndarray, float]]:
        """Return the columns and the scores of some nodes with their parents.

        All that is not known yet is counted in one pass over the data.
        """
        wanted = list(zip(nodes, parents, strict=True))
        new = [family for family in wanted if family not in self._known]
        names = self.constraints.names
        self.score.prepare((names[node], before) for node, before in new)
        changes = [self._changes(*family) for family in new]
        self.score.prepare_changes(
            (
                names[node],
                before,
                [names[other] for other in added],
                [names[other] for other in removed],
            )
            for (node, before), (added, removed) in zip(
                new, changes, strict=True
            )
        )
        for (node, before), (added, removed) in zip(new, changes, strict=True):
            score = self.score.local(names[node], before)
            column = np.full(len(names), -np.inf)
            others = added + removed
            column[others] = self.score.locals(
                names[node], [before ^ {names[other]} for other in others]
            )
            self._known[node, before] = column - score, score
        return [self._known[family] for family in wanted]

    def _changes(self, node, parents) -> tuple[list[int], list[int]]:
        """Return which parents may be added, and can pay, and removed."""
        places = [self.constraints.index[name] for name in parents]
        required = self.constraints.required
        removed = [place for place in places if not required[place, node]]
        if len(parents) >= self.constraints.max_parents:
            return [], removed
        may_add = ~self.constraints.forbidden[:, node]
        may_add &= self._may_pay(node, parents)
        may_add[places] = False
        return np.flatnonzero(may_add).tolist(), removed

    def _may_pay(self, node, parents) -> np.ndarray:
        """Return for each node whether it could pay as a further parent."""
        score, name = self.score, self.constraints.names[node]
        if not score.price:
            return np.ones(len(self.constraints.names), dtype=bool)
        size = score.n_parameters(name, parents)
        entropy = -score.local(name, parents) - score.price * size
        most = np.minimum(entropy, self._entropies)
        return (
            most - score.price * size * (self._n_states - 1) > -score.rounding
        )

    @cached_property
    def _entropies(self) -> np.ndarray:
        """The entropy of each column, times m: minus its log-likelihood."""
        score, names = self.score, self.constraints.names
        score.prepare((name, ()) for name in names)
        return np.array(
            [-score.local(name) - score.penalty(name) for name in names]
        )

    @cached_property
    def _n_states(self) -> np.ndarray:
        states = self.score.cases.states
        return np.array([len(states[name]) for name in self.constraints.names])


class ScoredMove(NamedTuple):
    """A move, as numbers of nodes, and its gain."""

    gain: float
    kind: str
    tail: int
    head: int


class ScoredGraph:
    """A DAG that can be changed, with the gains of all moves.

    Parameters
    ----------
    columns : GainColumns
    edges : bool array of shape (M, M)
        ``[tail, head]``; a DAG that obeys the constraints.

    Attributes
    ----------
    edges : bool array of shape (M, M)
    is_ancestor : bool array of shape (M, M)
        ``is_ancestor[a, b]``: whether a is an ancestor of b.
    gains : array of shape (M, M)
        The gain of adding or deleting each edge; -inf where that is not
        allowed, or a new parent cannot pay.
    parents : list of frozensets of names
    node_scores : list of floats
    """

    def __init__(self, columns: GainColumns, edges: np.ndarray) -> None:
        self.columns = columns
        self.constraints, self.score = columns.constraints, columns.score
        self.rounding = self.score.rounding
        self.edges = edges.copy()
        self.is_ancestor = np.zeros_like(edges)
        M = len(edges)
        names = self.constraints.names
        self.parents = [
            frozenset(names[tail] for tail in np.flatnonzero(edges[:, head]))
            for head in range(M)
        ]
        self.gains = np.empty((M, M))
        self.node_scores = [0.0] * M
        self._update_gains(range(M))
        for tail, head in np.argwhere(edges):
            self._add_ancestors(tail, head)

    def copy(self) -> ScoredGraph:
        """Return a graph that can be changed without changing this one."""
        other = object.__new__(ScoredGraph)
        other.__dict__.update(self.__dict__)
        for name in (
            "edges",
            "is_ancestor",
            "gains",
            "parents",
            "node_scores",
        ):
            setattr(other, name, getattr(self, name).copy())
        return other

    @property
    def total(self) -> float:
        """The score of the graph."""
        return sum(self.node_scores)

    def key(self) -> tuple:
        """Return what tells the graph from others."""
        return tuple(self.parents)

    # -- changing it ------------------------------------------------------

    def apply(self, *moves: ScoredMove) -> None:
        """Change the graph; what is new is counted in one pass."""
        heads: dict[int, None] = {}
        for _, kind, tail, head in moves:
            if kind != "add":
                self._set_edge(tail, head, False)
                self._update_ancestors(head)
                heads[head] = None
            if kind != "delete":
                tail, head = (
                    (head, tail) if kind == "reverse" else (tail, head)
                )
                self._set_edge(tail, head, True)
                self._add_ancestors(tail, head)
                heads[head] = None
        self._update_gains(heads)

    def _set_edge(self, tail, head, is_there) -> None:
        self.edges[tail, head] = is_there
        name = {self.constraints.names[tail]}
        before = self.parents[head]
        self.parents[head] = before | name if is_there else before - name

    def _add_ancestors(self, tail, head) -> None:
        """Update the ancestors after an edge has been added."""
        upper = self.is_ancestor[:, tail].copy()
        upper[tail] = True
        lower = self.is_ancestor[head].copy()
        lower[head] = True
        self.is_ancestor |= np.outer(upper, lower)

    def _update_ancestors(self, head) -> None:
        """Update the ancestors after a node has lost a parent."""
        # A node has more ancestors than each of them has: in this order
        # parents come before their children.
        n_ancestors = self.is_ancestor.sum(axis=0)
        below = np.flatnonzero(self.is_ancestor[head])
        for node in (head, *below[np.argsort(n_ancestors[below])]):
            parents = self.edges[:, node]
            self.is_ancestor[:, node] = parents | self.is_ancestor[
                :, parents
            ].any(axis=1)

    def _update_gains(self, nodes: Iterable[int]) -> None:
        nodes = list(nodes)
        computed = self.columns.compute(
            nodes, [self.parents[node] for node in nodes]
        )
        for node, (column, score) in zip(nodes, computed, strict=True):
            self.gains[:, node] = column
            self.node_scores[node] = score

    # -- its moves --------------------------------------------------------

    def best_move(
        self, is_barred: np.ndarray | None = None
    ) -> ScoredMove | None:
        """Return the best move; of equal ones the first.

        Additions come before deletions, and these before reversals; then the
        names of the tail and of the head decide.

        Parameters
        ----------
        is_barred : bool array of shape (M, M), optional
            Edges that are not to be touched.

        Returns
        -------
        ScoredMove or None
            Its gain may be negative; None if no move is possible.
        """
        adding = np.where(self.edges | self.is_ancestor.T, -np.inf, self.gains)
        tails, heads = np.nonzero(self.edges)
        deleting = self.gains[tails, heads]
        reversing = np.where(
            self._is_reversible(tails, heads),
            deleting + self.gains[heads, tails],
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
                return ScoredMove(
                    float(gains[first]), kind, int(tail), int(head)
                )
        raise AssertionError("The best move is among the moves.")

    def _is_reversible(self, tails, heads) -> np.ndarray:
        """Return for each edge whether no other path leads to its head."""
        detours = self.edges[tails] & self.is_ancestor[:, heads].T
        return ~detours.any(axis=1)

    def covered_reversals(self) -> Iterator[ScoredMove]:
        """Yield the reversals that lead to equivalent graphs.

        An edge is covered if its two nodes have the same parents, except for
        the edge itself (Chickering 1995).
        """
        names = self.constraints.names
        for tail, head in np.argwhere(self.edges).tolist():
            if self.parents[head] == self.parents[tail] | {names[tail]}:
                gain = self.gains[tail, head] + self.gains[head, tail]
                if gain > -np.inf:
                    yield ScoredMove(float(gain), "reverse", tail, head)

    def isolating_moves(self, node: int) -> list[ScoredMove]:
        """Return the moves that delete all edges of a node, if they may go."""
        edges = self.edges & ~self.constraints.required
        parents = np.flatnonzero(edges[:, node]).tolist()
        children = np.flatnonzero(edges[node]).tolist()
        return [
            *(ScoredMove(0.0, "delete", tail, node) for tail in parents),
            *(ScoredMove(0.0, "delete", node, head) for head in children),
        ]

    def named(self, move: ScoredMove) -> Move:
        """Return a move with the names of its nodes."""
        names = self.constraints.names
        return Move(move.kind, names[move.tail], names[move.head])
