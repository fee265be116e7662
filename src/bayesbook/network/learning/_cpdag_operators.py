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
from functools import reduce
from operator import or_
from typing import NamedTuple

from bayesbook.base import GraphError
from bayesbook.network.inference.triangulation import bits

#: The kinds of operators, in the order of the phases of the search.
KINDS = ("insert", "delete", "turn")
# No search gets through more operators of one pair of nodes.
_MOST_OPERATORS = 2**16

#: A node, and the set of its parents.
Family = tuple[int, int]


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

    __slots__ = ("_reachable", "adjacent", "children", "neighbours", "parents")

    def __init__(
        self, parents: Sequence[int], neighbours: Sequence[int]
    ) -> None:
        self.parents, self.neighbours = list(parents), list(neighbours)
        self.children = _transpose(parents)
        self.adjacent = _unite(parents, neighbours, self.children)
        self._reachable: dict[tuple[int, int, int], int] = {}

    @classmethod
    def from_dag(cls, parents: Sequence[int]) -> EssentialGraph:
        """Return the class of a DAG, given the parents of each node.

        The nodes come in topological order. Let x be the last parent of y.
        If y has another parent that is not one of x, or some w → x is in all
        members but w is not a parent of y, then all edges to y are in all
        members; otherwise, those from the w are (Chickering 1995).
        """
        order = _topological_order(parents)
        rank = {node: place for place, node in enumerate(order)}
        compelled = [0] * len(parents)
        for y in order:
            if not parents[y]:
                continue
            x = max(bits(parents[y]), key=rank.__getitem__)
            others = parents[y] & ~parents[x] & ~(1 << x)
            if others or compelled[x] & ~parents[y]:
                compelled[y] = parents[y]
            else:
                compelled[y] = compelled[x]
        reversible = [
            every & ~fixed
            for every, fixed in zip(parents, compelled, strict=True)
        ]
        return cls(compelled, _unite(reversible, _transpose(reversible)))

    def key(self) -> tuple:
        """Return what two equal essential graphs have in common."""
        return tuple(self.parents), tuple(self.neighbours)

    def largest_family(self) -> int:
        """Return the largest number of parents that a node of a member has.

        It is the same for all members: the nodes that undirected edges
        connect have the same parents along directed edges, and along
        undirected edges a node and its parents are a clique. So the last node
        of the largest clique has as many parents as any, whatever the member.
        """
        member = self.member()
        assert member is not None, "A class has a member."
        return max(parents.bit_count() for parents in member)

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

    def is_clique(self, nodes: int) -> bool:
        """Return whether all nodes of a set are adjacent."""
        return all(
            not nodes & ~self.adjacent[node] & ~(1 << node)
            for node in bits(nodes)
        )

    def reachable(self, start: int, avoiding: int, without: int = 0) -> int:
        """Return the nodes to which semi-directed paths lead from one node.

        Such paths (Chickering 2002) follow directed and undirected edges.
        They avoid the nodes `avoiding`, and do not begin with a step to a
        node of `without`.
        """
        key = start, avoiding, without
        if key not in self._reachable:
            avoiding |= 1 << start
            reached = new = self._next(1 << start) & ~(avoiding | without)
            while new:
                new = self._next(new) & ~(avoiding | reached)
                reached |= new
            self._reachable[key] = reached
        return self._reachable[key]

    def _next(self, nodes):
        following = 0
        for node in bits(nodes):
            following |= self.children[node] | self.neighbours[node]
        return following

    def connects(self, start: int, goal: int, within: int) -> bool:
        """Return whether undirected edges in a set join two of its parts."""
        reached = new = start
        while new:
            near = 0
            for node in bits(new):
                near |= self.neighbours[node]
            new = near & within & ~reached
            reached |= new
        return bool(reached & goal)


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
    left = (1 << len(parents)) - 1
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


def _topological_order(parents):
    order, placed = [], 0
    left = list(range(len(parents)))
    while left:
        ready = [node for node in left if not parents[node] & ~placed]
        if not ready:
            raise GraphError("A graph with a cycle has no equivalence class.")
        order += ready
        for node in ready:
            placed |= 1 << node
        left = [node for node in left if not placed >> node & 1]
    return order


def _transpose(parents):
    """Return the children, given the parents, or the reverse."""
    children = [0] * len(parents)
    for node, sources in enumerate(parents):
        for parent in bits(sources):
            children[parent] |= 1 << node
    return children


def _unite(*lists):
    """Return the union of the sets of each node."""
    return [reduce(or_, sets) for sets in zip(*lists, strict=True)]


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


def operators_at(
    graph: EssentialGraph, kind: str, head: int, most: int
) -> Iterator[Operator]:
    """Yield the operators of a kind at one head, whatever paths there are.

    :func:`is_valid` has to be checked for each besides, since it depends on
    the whole graph: the other conditions depend on what :func:`surroundings`
    returns, and hold until that changes.

    Parameters
    ----------
    graph : EssentialGraph
    kind : str
    head : int
    most : int
        How many parents a node may have.
    """
    tails, given_sets = {
        "insert": (~graph.adjacent[head], _insertion_sets),
        "delete": (
            graph.parents[head] | graph.neighbours[head],
            _deletion_sets,
        ),
        "turn": (graph.children[head] | graph.neighbours[head], _turning_sets),
    }[kind]
    everything = (1 << len(graph.parents)) - 1
    room = most - graph.parents[head].bit_count() - (kind != "delete")
    if room < 0:
        return
    for tail in bits(tails & everything & ~(1 << head)):
        for given in given_sets(graph, tail, head, room):
            yield Operator(kind, tail, head, given)


def surroundings(graph: EssentialGraph, kind: str, head: int) -> tuple:
    """Return all of the graph on which the operators and gains depend."""
    near = graph.neighbours[head]
    key = (
        near,
        graph.parents[head],
        graph.children[head],
        *(graph.adjacent[node] for node in bits(near)),
    )
    if kind != "turn":
        return key
    return key + tuple(graph.parents[n] for n in bits(graph.children[head]))


def _insertion_sets(graph, tail, head, room):
    """Yield the sets T for which NA ∪ T is a clique.

    It is the first condition of theorem 15 of Chickering (2002).
    """
    near = graph.neighbours[head]
    common = near & graph.adjacent[tail]
    if graph.is_clique(common):
        yield from _cliques(graph, common, near & ~common, room)


def _deletion_sets(graph, tail, head, room):
    r"""Yield the sets H for which NA \ H is a clique.

    It is the condition of theorem 17 of Chickering (2002).
    """
    common = graph.neighbours[head] & graph.adjacent[tail]
    yield from _cliques(graph, 0, common, room)


def _turning_sets(graph, tail, head, room):
    """Yield the sets with which head → tail can become tail → head.

    A directed edge is deleted and inserted the other way round: the condition
    is that of an insertion. For an undirected edge there is a member with
    head → tail in which C and the head come first; but that edge is covered,
    and turning it leads nowhere, unless a node of C is not adjacent to the
    tail. The tail has to come next, so that its parents are known: before the
    common neighbours that are not in C, which therefore must not be connected
    with the others. (Hauser and Bühlmann 2012, turning phase.)
    """
    if graph.children[head] >> tail & 1:
        yield from _insertion_sets(graph, tail, head, room)
        return
    near = graph.neighbours[head] & ~(1 << tail)
    common = near & graph.adjacent[tail]
    for given in _cliques(graph, 0, near, room):
        own, later = given & ~common, common & ~given
        rest = graph.neighbours[head] & ~(given & common)
        if own and not graph.connects(own, later, rest & ~(1 << tail)):
            yield given


def _cliques(graph, base, others, room):
    """Yield the cliques that a clique and some of the others make."""
    for node in bits(base):
        others &= graph.adjacent[node]
    waiting, n_cliques = [(base, others)], 0
    while waiting:
        clique, others = waiting.pop()
        if clique.bit_count() > room:
            continue
        yield clique
        n_cliques += 1
        if n_cliques > _MOST_OPERATORS:
            raise GraphError(
                "The nodes that are all adjacent to each other are too many: "
                f"one pair has more than {_MOST_OPERATORS:,} operators. Give "
                "max_parents, or a score with a larger penalty."
            )
        while others:
            lowest = others & -others
            others ^= lowest
            near = graph.adjacent[lowest.bit_length() - 1]
            waiting.append((clique | lowest, others & near))


def is_valid(graph: EssentialGraph, operator: Operator) -> bool:
    """Return whether no path makes a cycle with the new edge.

    Every path from the head to the tail must meet C. Then no member with C
    before the head has a path that the edge would close: Theorem 15 of
    Chickering (2002), second condition. If the edge was there in the other
    direction, members in which the tail comes before all of its neighbours
    serve as well (Hauser and Bühlmann 2012). An undirected edge that can be
    turned always is valid.
    """
    kind, tail, head, given = operator
    if kind == "insert":
        return not graph.reachable(head, given) >> tail & 1
    if kind == "turn" and graph.children[head] >> tail & 1:
        avoiding = given | graph.neighbours[tail]
        return not graph.reachable(head, avoiding, 1 << tail) >> tail & 1
    return True


def changed_families(
    graph: EssentialGraph, operator: Operator
) -> tuple[list[Family], list[Family]]:
    """Return which terms of a score an operator adds, and which it removes.

    Returns
    -------
    two lists of (node, parents)
        The families of the member after and before the operator, where they
        are not the same.
    """
    kind, tail, head, given = operator
    parents, edge = graph.parents[head] | given, 1 << tail
    after, before = [(head, parents | edge)], [(head, parents & ~edge)]
    if kind == "delete":
        return before, after
    if kind == "turn":
        tails_parents = graph.parents[tail]
        if graph.neighbours[tail] >> head & 1:
            tails_parents |= given & graph.adjacent[tail]
        after.append((tail, tails_parents & ~(1 << head)))
        before.append((tail, tails_parents | 1 << head))
    return after, before


def apply_operator(
    graph: EssentialGraph, operator: Operator
) -> EssentialGraph:
    """Return the class that a valid operator leads to.

    A member is built in which the head has the parents that the operator
    names; its edge is changed; and the class of the result is the new one.
    """
    kind, tail, head, given = operator
    parents, neighbours = graph.parents.copy(), graph.neighbours.copy()
    for node in bits(given):
        _direct(parents, neighbours, node, head)
    if kind == "delete" and neighbours[head] >> tail & 1:
        _direct(parents, neighbours, tail, head)
    for node in bits(neighbours[head]):
        _direct(parents, neighbours, head, node)
    if kind == "turn":
        for node in bits(neighbours[tail] & ~given):
            _direct(parents, neighbours, tail, node)
    member = consistent_extension(parents, neighbours)
    assert member is not None, "A valid operator has a member to change."
    if kind == "delete":
        member[head] &= ~(1 << tail)
    else:
        member[head] |= 1 << tail
    if kind == "turn":
        member[tail] &= ~(1 << head)
    return EssentialGraph.from_dag(member)
