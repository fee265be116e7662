r"""Equivalence classes of graphs, and the moves from one to the next.

A class of Markov equivalent DAGs, its *members*, is held as its CPDAG, which
is also called its essential graph: the directed edges are those that all
members share, and the undirected edges point one way in some members and the
other way in others. Nodes are numbers, and a set of nodes is an integer, too,
whose bits are the nodes: so sets are united, intersected and compared in one
operation each.

>>> graph = EssentialGraph.from_dag([0b000, 0b001, 0b010])  # 0 → 1 → 2
>>> graph.parents, graph.neighbours  # both edges are reversible: 0 – 1 – 2
([0, 0, 0], [2, 5, 2])

An *operator* takes a member and inserts, deletes or turns one edge x → y; the
class of the result is the new one. Each result has one operator, but usually
many members that lead to it. What tells the operators apart, and what decides
the gain of the score, are the parents of y in the member: those that it has in
all members, and the set C of those neighbours (along undirected edges) that
are its parents in this one. Hence an operator is named by its kind, x, y and
C.

- Inserting, Chickering (2002) writes Insert(X, Y, T) with C = NA ∪ T, where
  NA are the neighbours of y that are adjacent to x, and T are others.
- Deleting, he writes Delete(X, Y, H) with C = NA \ H.
- Turning, Hauser and Bühlmann (2012) write C too.

Which members there are: the set C and the node y can come first in the order
of their nodes if and only if C is a clique, since the undirected edges of an
essential graph form chordal graphs, and a member directs them without a
v-structure.

References
----------
Dor, Tarsi (1992), A simple algorithm to construct a consistent extension of a
partially oriented graph. Chickering (1995), A transformational
characterization of equivalent Bayesian network structures. Andersson,
Madigan, Perlman (1997), A characterization of Markov equivalence classes for
acyclic digraphs. Chickering (2002), Optimal structure identification with
greedy search. Hauser, Bühlmann (2012), Characterization and greedy learning
of interventional Markov equivalence classes of directed acyclic graphs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import or_
from typing import NamedTuple

from bayesbook.base import GraphError
from bayesbook.network.inference.triangulation import bits

#: The kinds of operators, in the order of the phases of the search.
KINDS = ("insert", "delete", "turn")
# No search gets through more sets of parents of one node.
_MOST_CLIQUES = 2**16


class EssentialGraph:
    """The essential graph (CPDAG) of a class of DAGs; see the module's text.

    Attributes
    ----------
    parents, children : list of int
        For each node, the set of nodes with a directed edge to it, or from it.
    neighbours : list of int
        For each node, the set of nodes with an undirected edge to it.
    adjacent : list of int
        For each node, the union of the three.
    """

    __slots__ = (
        "_below",
        "_reachable",
        "adjacent",
        "children",
        "neighbours",
        "parents",
    )

    def __init__(
        self, parents: Sequence[int], neighbours: Sequence[int]
    ) -> None:
        self.parents, self.neighbours = list(parents), list(neighbours)
        self.children = _transpose(parents)
        self.adjacent = _unite(parents, neighbours, self.children)
        self._below: dict[int, int] = {}
        self._reachable: dict[tuple[int, int], int] = {}

    @classmethod
    def from_dag(cls, parents: Sequence[int]) -> EssentialGraph:
        """Return the class of a DAG, given the parents of each node.

        The nodes come in topological order. Let x be the last parent of y.
        If y has another parent that is not one of x, or some w → x is in all
        members but w is not a parent of y, then all edges to y are in all
        members; otherwise, those from the w are (Chickering 1995).
        """
        children = _transpose(parents)
        compelled = [0] * len(parents)
        ready = [node for node, own in enumerate(parents) if not own]
        left = (1 << len(parents)) - 1
        while ready:
            x = ready.pop()
            left ^= 1 << x
            for y in bits(children[x]):
                if parents[y] & left:
                    continue
                ready.append(y)
                others = parents[y] & ~parents[x] & ~(1 << x)
                if others or compelled[x] & ~parents[y]:
                    compelled[y] = parents[y]
                else:
                    compelled[y] = compelled[x]
        if left:
            raise GraphError("A graph with a cycle has no equivalence class.")
        reversible = [
            every & ~fixed
            for every, fixed in zip(parents, compelled, strict=True)
        ]
        return cls(compelled, _unite(reversible, _transpose(reversible)))

    def key(self) -> tuple:
        """Return what two equal essential graphs have in common."""
        return tuple(self.parents), tuple(self.neighbours)

    def edges(self) -> Iterator[tuple[int, int, int]]:
        """Yield the parents, neighbours and children of each node."""
        return zip(self.parents, self.neighbours, self.children, strict=True)

    def member(
        self,
        required: Iterable[tuple[int, int]] = (),
        forbidden: Iterable[tuple[int, int]] = (),
    ) -> list[int] | None:
        """Return the parents in a member with some edges and without others.

        Parameters
        ----------
        required, forbidden : iterable of (tail, head)

        Returns
        -------
        list of int, or None
            None if no member has all of the former and none of the latter.
            Where there is a choice, nodes with large numbers come last.
        """
        parents, neighbours = self.parents.copy(), self.neighbours.copy()
        turned = [(head, tail) for tail, head in forbidden]
        for tail, head in required:
            if not self.adjacent[head] >> tail & 1:
                return None
        for tail, head in (*required, *turned):
            if neighbours[head] >> tail & 1:
                _direct(parents, neighbours, tail, head)
            elif parents[tail] >> head & 1:
                return None
        member = consistent_extension(parents, neighbours)
        # Edges that meet in a node can make a v-structure of their own.
        if member and (required or forbidden):
            is_member = self.from_dag(member).key() == self.key()
            return member if is_member else None
        return member

    def reachable(self, start: int, avoiding: int) -> int:
        """Return the nodes to which semi-directed paths lead from one node.

        Such paths (Chickering 2002) follow directed and undirected edges.
        These avoid some neighbours of the start. No path comes back after a
        directed edge, so that what follows one is the same for all of them.
        """
        key = start, avoiding
        if key not in self._reachable:
            reached = self.connected(1 << start, ~avoiding)
            for node in bits(reached):
                for child in bits(self.children[node]):
                    reached |= self._all_below(child)
            self._reachable[key] = reached
        return self._reachable[key]

    def _all_below(self, start):
        """Return a node, and all to which semi-directed paths lead from it."""
        if start not in self._below:
            reached, new = 0, 1 << start
            while new:
                node = new.bit_length() - 1
                reached |= self._below.get(node, 1 << node)
                new |= self.children[node] | self.neighbours[node]
                new &= ~reached
            self._below[start] = reached
        return self._below[start]

    def connected(self, start: int, within: int) -> int:
        """Return a set, with the nodes that undirected edges join to it."""
        reached = new = start
        while new:
            near = 0
            for node in bits(new):
                near |= self.neighbours[node]
            new = near & within & ~reached
            reached |= new
        return reached


def consistent_extension(
    parents: Sequence[int], neighbours: Sequence[int]
) -> list[int] | None:
    """Direct all undirected edges, without a new v-structure or a cycle.

    As :func:`bayesbook.graphs.consistent_extension`, after Dor and Tarsi
    (1992).

    Returns
    -------
    list of int, or None
        The parents of each node; None if there is no such DAG. Where there
        is a choice, nodes with large numbers come last.
    """
    extended = [0] * len(parents)
    children = _transpose(parents)
    adjacent = _unite(parents, neighbours, children)
    left = sum(1 << node for node, near in enumerate(adjacent) if near)
    # A node may become the last one when one of its neighbours has gone.
    waiting = left
    while waiting:
        node = waiting.bit_length() - 1
        waiting ^= 1 << node
        around = adjacent[node] & left
        if children[node] & left or any(
            around & ~adjacent[near] & ~(1 << near)
            for near in bits(neighbours[node] & left)
        ):
            continue
        extended[node] = around
        left ^= 1 << node
        waiting |= around
    return None if left else extended


def _transpose(parents):
    """Return the children, given the parents, or the reverse."""
    children = [0] * len(parents)
    for node, sources in enumerate(parents):
        for parent in bits(sources):
            children[parent] |= 1 << node
    return children


def _unite(*lists):
    """Return the union of the sets of each node."""
    first, *others = lists
    for other in others:
        first = list(map(or_, first, other))
    return first


def _direct(parents, neighbours, tail, head):
    """Make an undirected edge directed."""
    neighbours[tail] &= ~(1 << head)
    neighbours[head] &= ~(1 << tail)
    parents[head] |= 1 << tail


# -- operators ------------------------------------------------------------


class Operator(NamedTuple):
    """A change of one edge of a member of the class.

    Attributes
    ----------
    kind : str
        "insert", "delete" or "turn".
    tail, head : int
        The edge as it is inserted or deleted, or as it points after a turn.
    given : int
        The set C of the module: the neighbours of the head that are its
        parents in the member.
    """

    kind: str
    tail: int
    head: int
    given: int


def parent_cliques(graph: EssentialGraph, head: int) -> Iterator[int]:
    """Yield the sets C at a node: the cliques among its neighbours."""
    waiting, n_cliques = [(0, graph.neighbours[head])], 0
    while waiting:
        clique, others = waiting.pop()
        yield clique
        n_cliques += 1
        if n_cliques > _MOST_CLIQUES:
            raise GraphError(
                "The nodes that are all adjacent to each other are too many: "
                f"one has more than {_MOST_CLIQUES:,} sets of parents. Give "
                "max_parents, or a score with a larger penalty."
            )
        while others:
            lowest = others & -others
            others ^= lowest
            near = graph.adjacent[lowest.bit_length() - 1]
            waiting.append((clique | lowest, others & near))


def tails_at(graph: EssentialGraph, kind: str, head: int, given: int) -> int:
    """Return the tails of the operators of a kind, with a head and a set C.

    :func:`is_valid` has to be checked for each besides, since it depends on
    the whole graph. The tails depend only on the edges of the head and of the
    nodes to which it has edges.
    """
    near = graph.neighbours[head]
    if kind == "delete":
        # C = NA \ H is a subset of NA, and a clique: theorem 17 of
        # Chickering (2002).
        tails = graph.parents[head] | near
        for node in bits(given):
            tails &= graph.adjacent[node]
        return tails
    # C = NA ∪ T contains NA, and is a clique: theorem 15 there, the first
    # condition. A directed edge that is turned is inserted the other way
    # round.
    tails = graph.children[head] if kind == "turn" else ~graph.adjacent[head]
    tails &= (1 << len(graph.parents)) - 1 & ~(1 << head)
    for node in bits(near & ~given):
        tails &= ~graph.adjacent[node]
    if kind == "turn":
        for tail in bits(near & ~given):
            tails |= _can_turn(graph, tail, head, given) << tail
    return tails


def _can_turn(graph, tail, head, given) -> bool:
    """Return whether an undirected edge can be turned from head → tail.

    There is a member with head → tail in which C and the head come first; but
    that edge is covered, and turning it leads nowhere, unless a node of C is
    not adjacent to the tail. The tail has to come next, so that its parents
    are known: before the common neighbours that are not in C, which therefore
    must not be connected with the others. (Hauser and Bühlmann 2012, turning
    phase.)
    """
    near = graph.neighbours[head] & ~(1 << tail)
    common = near & graph.adjacent[tail]
    own, later = given & ~common, common & ~given
    rest = near & ~(given & common)
    return bool(own) and not graph.connected(own, rest) & later


def is_valid(graph: EssentialGraph, operator: Operator) -> bool:
    """Return whether no path makes a cycle with the new edge.

    Every path from the head to the tail must meet C. Then no member with C
    before the head has a path that the edge would close: Theorem 15 of
    Chickering (2002), second condition. If the edge was there in the other
    direction, that edge is no such path, and members in which the tail comes
    before all of its neighbours serve as well (Hauser and Bühlmann 2012): the
    path has to lead to a parent of the tail. An undirected edge that can be
    turned always is valid.
    """
    kind, tail, head, given = operator
    if kind == "insert":
        return not graph.reachable(head, given) >> tail & 1
    if kind == "turn" and graph.children[head] >> tail & 1:
        others = graph.parents[tail] & ~(1 << head)
        return not graph.reachable(head, given) & others
    return True


def changed_parents(
    graph: EssentialGraph, operator: Operator
) -> list[tuple[int, int, int]]:
    """Return which nodes of a member get other parents.

    Returns
    -------
    list of (node, parents, other)
        The parents before the operator, as a set, and the one that the node
        gets or loses. They are always the node's parents in all members, with
        a clique of its neighbours.
    """
    kind, tail, head, given = operator
    parents = graph.parents[head] | given
    if kind == "delete":
        return [(head, parents | 1 << tail, tail)]
    changed = [(head, parents, tail)]
    if kind == "turn":
        tails_parents = graph.parents[tail] | 1 << head
        if graph.neighbours[tail] >> head & 1:
            tails_parents |= given & graph.adjacent[tail]
        changed.append((tail, tails_parents, head))
    return changed


def affected_heads(before: EssentialGraph, after: EssentialGraph) -> int:
    """Return the nodes that can be the head of other operators than before.

    The operators with one head, and what they gain, depend on its edges and on
    those of its children and neighbours; only their validity depends on more.
    """
    heads = 0
    for node, (old, new) in enumerate(
        zip(before.edges(), after.edges(), strict=True)
    ):
        if old != new:
            heads |= 1 << node | after.neighbours[node] | after.parents[node]
    return heads


def apply_operator(
    graph: EssentialGraph, operator: Operator
) -> EssentialGraph:
    """Return the class that a valid operator leads to.

    A member is built in which the head has the parents that the operator
    names; its edge is changed; and the class of the result is the new one.
    """
    kind, tail, head, given = operator
    # The undirected edges are directed apart from the others, as in every
    # member.
    chosen, neighbours = [0] * len(graph.parents), graph.neighbours.copy()
    for node in bits(given):
        _direct(chosen, neighbours, node, head)
    if kind == "delete" and neighbours[head] >> tail & 1:
        _direct(chosen, neighbours, tail, head)
    for node in bits(neighbours[head]):
        _direct(chosen, neighbours, head, node)
    if kind == "turn":
        for node in bits(neighbours[tail] & ~given):
            _direct(chosen, neighbours, tail, node)
    extended = consistent_extension(chosen, neighbours)
    assert extended is not None, "A valid operator has a member to change."
    member = _unite(graph.parents, extended)
    if kind == "delete":
        member[head] &= ~(1 << tail)
    else:
        member[head] |= 1 << tail
    if kind == "turn":
        member[tail] &= ~(1 << head)
    return EssentialGraph.from_dag(member)
