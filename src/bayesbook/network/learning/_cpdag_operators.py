r"""Equivalence classes of graphs, and the moves from one to the next.

A class of Markov equivalent DAGs, its *members*, is held as its CPDAG, which
is also called its essential graph: arrows that all members share, and lines,
edges that point one way in some and the other way in others. Nodes are
numbers, and a set of nodes is a whole number too, whose bits are the nodes:
so that sets are united, intersected and compared in one operation each.

>>> graph = EssentialGraph.of(parents=[0b000, 0b001, 0b010])  # 0 → 1 → 2
>>> graph.parents, graph.neighbours  # both arrows can be turned: 0 – 1 – 2
([0, 0, 0], [2, 5, 2])

An *operator* takes a member and inserts, deletes or turns one edge x → y; the
class of the result is the new one. There are as many operators as there are
results, but many more members. What tells them apart, and what the score
gains, are the parents of y in the member: those that it has in all members,
and the set C of those neighbours (along lines) that are its parents in this
one. Hence an operator is named by its kind, x, y and C.

- Inserting, Chickering (2002) writes Insert(X, Y, T) with C = NA ∪ T, where
  NA are the neighbours of y that are adjacent to x, and T are others.
- Deleting, he writes Delete(X, Y, H) with C = NA \ H.
- Turning, Hauser and Bühlmann (2012) write C too.

What a member exists for: the set C and the node y can come first in the order
of their nodes if and only if C is a clique, since the lines of an essential
graph form chordal graphs, and in a member their arrows make no v-structure.

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

#: The kinds of operators, in the order of the phases of the search.
KINDS = ("insert", "delete", "turn")
# A pair of nodes with more operators is no pair that a search gets through.
_MOST_OPERATORS = 2**16


def bits(nodes: int) -> Iterator[int]:
    """Yield the nodes of a set, the smallest first."""
    while nodes:
        lowest = nodes & -nodes
        yield lowest.bit_length() - 1
        nodes ^= lowest


class EssentialGraph:
    """The essential graph (CPDAG) of a class of DAGs; see the module.

    Attributes
    ----------
    parents, children : list of int
        For each node, the set of nodes with an arrow to it, and from it.
    neighbours : list of int
        For each node, the set of nodes that a line joins with it.
    adjacent : list of int
        For each node, the union of the three.
    """

    __slots__ = ("_reached", "adjacent", "children", "neighbours", "parents")

    def __init__(self, parents: Sequence[int], neighbours: Sequence[int]):
        self.parents, self.neighbours = list(parents), list(neighbours)
        self.children = _turned(parents)
        self.adjacent = _united(parents, neighbours, self.children)
        self._reached = {}

    @classmethod
    def of(cls, parents: Sequence[int]) -> EssentialGraph:
        """Return the class of a DAG, of which the parents are given.

        The nodes come in topological order. Let x be the last parent of y.
        If y has another parent that is not one of x, or some w → x is in all
        members but w is no parent of y, then all edges to y are in all
        members; and else, those from the w (Chickering 1995).
        """
        order = _topological_order(parents)
        rank = {node: place for place, node in enumerate(order)}
        compelled = [0] * len(parents)
        for y in order:
            if not parents[y]:
                continue
            x = max(bits(parents[y]), key=rank.get)
            others = parents[y] & ~parents[x] & ~(1 << x)
            if others or compelled[x] & ~parents[y]:
                compelled[y] = parents[y]
            else:
                compelled[y] = compelled[x]
        free = [
            own & ~fixed for own, fixed in zip(parents, compelled, strict=True)
        ]
        return cls(compelled, _united(free, _turned(free)))

    def key(self) -> tuple:
        """Return what two equal essential graphs have in common."""
        return tuple(self.parents), tuple(self.neighbours)

    def largest_family(self) -> int:
        """Return the largest number of parents that a node of a member has.

        It is the same for all members. For the nodes that lines connect have
        the same parents along arrows, and along lines a node and its parents
        are a clique: so that the last node of the largest clique has as many
        parents as any, whatever the member.
        """
        return max(own.bit_count() for own in self.member())

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
        found = extension(parents, neighbours)
        # Edges that meet in a node can ask for a v-structure of their own.
        if found and (required or forbidden):
            return found if self.of(found).key() == self.key() else None
        return found

    def is_clique(self, nodes: int) -> bool:
        """Return whether all nodes of a set are adjacent."""
        return all(
            not nodes & ~self.adjacent[node] & ~(1 << node)
            for node in bits(nodes)
        )

    def reached(self, start: int, avoiding: int, without: int = 0) -> int:
        """Return the nodes that paths lead to from one node.

        Along arrows and lines, but not through the nodes `avoiding`:
        Chickering's semi-directed paths. None of them begins by going to a
        node of `without`.
        """
        key = start, avoiding, without
        if key not in self._reached:
            avoiding |= 1 << start
            found = new = self._next(1 << start) & ~(avoiding | without)
            while new:
                new = self._next(new) & ~(avoiding | found)
                found |= new
            self._reached[key] = found
        return self._reached[key]

    def _next(self, nodes):
        found = 0
        for node in bits(nodes):
            found |= self.children[node] | self.neighbours[node]
        return found

    def connects(self, start: int, goal: int, within: int) -> bool:
        """Return whether lines between nodes of a set join two of its parts."""
        reached = new = start
        while new:
            near = 0
            for node in bits(new):
                near |= self.neighbours[node]
            new = near & within & ~reached
            reached |= new
        return bool(reached & goal)


def extension(
    parents: Sequence[int], neighbours: Sequence[int]
) -> list[int] | None:
    """Direct all lines of a graph, without a v-structure or a cycle.

    As :func:`bayesbook.graphs.consistent_extension`, after Dor and Tarsi
    (1992).

    Returns
    -------
    list of int, or None
        The parents of each node; None if there is no such DAG. Where there
        is a choice, nodes with large numbers come last.
    """
    found, lines = [0] * len(parents), list(neighbours)
    children = _turned(parents)
    adjacent = _united(parents, neighbours, children)
    left = (1 << len(parents)) - 1
    # A node can newly become the last when one of its neighbours has gone.
    waiting = left
    while waiting:
        node = waiting.bit_length() - 1
        waiting ^= 1 << node
        around = adjacent[node] & left
        if children[node] & left or any(
            around & ~adjacent[near] & ~(1 << near)
            for near in bits(lines[node] & left)
        ):
            continue
        found[node] = around
        left ^= 1 << node
        waiting |= around
    return None if left else found


def _topological_order(parents):
    order, placed = [], 0
    left = range(len(parents))
    while left:
        ready = [node for node in left if not parents[node] & ~placed]
        if not ready:
            raise GraphError("A graph with a cycle has no equivalence class.")
        order += ready
        for node in ready:
            placed |= 1 << node
        left = [node for node in left if not placed >> node & 1]
    return order


def _turned(parents):
    """Return the children, or of children the parents."""
    children = [0] * len(parents)
    for node, own in enumerate(parents):
        for parent in bits(own):
            children[parent] |= 1 << node
    return children


def _united(*lists):
    """Unite the sets of each node."""
    return [reduce(or_, own) for own in zip(*lists, strict=True)]


def _direct(parents, neighbours, tail, head):
    """Make an arrow of a line."""
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


def candidates(
    graph: EssentialGraph, kind: str, head: int, most: int
) -> Iterator[Operator]:
    """Yield the operators of a kind at one head, whatever paths there are.

    :func:`is_valid` has to be asked of each besides, as it depends on the
    whole graph: the other conditions depend on what :func:`surroundings`
    gives, and hold until that changes.

    Parameters
    ----------
    graph : EssentialGraph
    kind : str
    head : int
    most : int
        How many parents a node may have.
    """
    tails, sets = {
        "insert": (~graph.adjacent[head], _insertions),
        "delete": (graph.parents[head] | graph.neighbours[head], _deletions),
        "turn": (graph.children[head] | graph.neighbours[head], _turns),
    }[kind]
    everything = (1 << len(graph.parents)) - 1
    room = most - graph.parents[head].bit_count() - (kind != "delete")
    if room < 0:
        return
    for tail in bits(tails & everything & ~(1 << head)):
        for given in sets(graph, tail, head, room):
            yield Operator(kind, tail, head, given)


def surroundings(graph: EssentialGraph, kind: str, head: int) -> tuple:
    """Return all of the graph that the candidates and their gains depend on."""
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


def _insertions(graph, tail, head, room):
    """Theorem 15 of Chickering (2002), first condition: NA ∪ T is a clique."""
    near = graph.neighbours[head]
    common = near & graph.adjacent[tail]
    if graph.is_clique(common):
        yield from _cliques(graph, common, near & ~common, room)


def _deletions(graph, tail, head, room):
    r"""Theorem 17 of Chickering (2002): NA \ H is a clique."""
    common = graph.neighbours[head] & graph.adjacent[tail]
    yield from _cliques(graph, 0, common, room)


def _turns(graph, tail, head, room):
    """Return the sets with which head → tail can become tail → head.

    An arrow is taken away and inserted the other way round: the condition is
    that of an insertion. Of a line there is a member with the edge
    head → tail, in which C and the head come first; but the edge is covered,
    and turning it leads nowhere, unless a node of C is not adjacent to the
    tail. The tail shall come next, so that its parents are known: before the
    common neighbours that are not in C, which the others must therefore not
    be connected with. (Hauser and Bühlmann 2012, turning phase.)
    """
    if graph.children[head] >> tail & 1:
        yield from _insertions(graph, tail, head, room)
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
    waiting, found = [(base, others)], 0
    while waiting:
        clique, others = waiting.pop()
        if clique.bit_count() > room:
            continue
        yield clique
        found += 1
        if found > _MOST_OPERATORS:
            raise GraphError(
                "So many nodes are all adjacent to each other that one pair "
                f"has more than {_MOST_OPERATORS:,} operators: give "
                "max_parents, or a score with a larger penalty."
            )
        while others:
            lowest = others & -others
            others ^= lowest
            near = graph.adjacent[lowest.bit_length() - 1]
            waiting.append((clique | lowest, others & near))


def is_valid(graph: EssentialGraph, operator: Operator) -> bool:
    """Return whether no path makes a cycle of the new edge.

    Every path from the head to the tail must meet C. Then no member with C
    before the head has a path that the edge would close: Theorem 15 of
    Chickering (2002), second condition. If the edge was there in the other
    direction, members in which the tail comes before all of its neighbours
    serve as well (Hauser and Bühlmann 2012). A line is not asked: where it
    can be turned no path is in the way.
    """
    kind, tail, head, given = operator
    if kind == "insert":
        return not graph.reached(head, given) >> tail & 1
    if kind == "turn" and graph.children[head] >> tail & 1:
        avoiding = given | graph.neighbours[tail]
        return not graph.reached(head, avoiding, 1 << tail) >> tail & 1
    return True


def families(
    graph: EssentialGraph, operator: Operator
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Say which terms of a score an operator brings, and which it costs.

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
        own = graph.parents[tail]
        if graph.neighbours[tail] >> head & 1:
            own |= given & graph.adjacent[tail]
        after.append((tail, own & ~(1 << head)))
        before.append((tail, own | 1 << head))
    return after, before


def apply(graph: EssentialGraph, operator: Operator) -> EssentialGraph:
    """Return the class that a valid operator leads to.

    A member is built in which the head has the parents that the operator
    names; its edge is changed; and the class of the result is the new one.
    """
    kind, tail, head, given = operator
    parents, lines = graph.parents.copy(), graph.neighbours.copy()
    for node in bits(given):
        _direct(parents, lines, node, head)
    if kind == "delete" and lines[head] >> tail & 1:
        _direct(parents, lines, tail, head)
    for node in bits(lines[head]):
        _direct(parents, lines, head, node)
    if kind == "turn":
        for node in bits(lines[tail] & ~given):
            _direct(parents, lines, tail, node)
    member = extension(parents, lines)
    if kind == "delete":
        member[head] &= ~(1 << tail)
    else:
        member[head] |= 1 << tail
    if kind == "turn":
        member[tail] &= ~(1 << head)
    return EssentialGraph.of(member)
