"""Elimination orders, triangulated graphs and their junction trees.

A set of nodes is an integer with a bit for each of its nodes: the union of two
sets is then one operation of the processor.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping
from math import prod
from typing import NamedTuple

#: What to do if the tables are too large.
REMEDY = (
    "Estimate instead, with likelihood_weighting or gibbs; or eliminate in "
    "another order, observe more nodes, merge states, or set max_bytes."
)
#: The next node to eliminate has the least of the first; ties are broken by
#: the second, and then by the order of the nodes.
HEURISTICS = {
    "min-fill": ("fill", "weight"),
    "min-weight": ("weight", "fill"),
    "min-degree": ("degree", "fill"),
}
# A tree with more cells than this is searched for a smaller one.
_LARGE = 50_000
# Cliques that together have at most this many cells are computed as one.
_TINY = 256


def bits(nodes: int) -> Iterator[int]:
    """Yield the nodes of a set."""
    while nodes:
        lowest = nodes & -nodes
        yield lowest.bit_length() - 1
        nodes ^= lowest


class Cliques(NamedTuple):
    """The cliques of a triangulated graph, as a rooted tree."""

    #: The nodes of each clique, in the order of the network.
    members: list[tuple[str, ...]]
    #: For each clique the number of its parent, -1 for a root; roots first.
    parents: list[int]
    #: For each node the clique that it is eliminated from.
    home: dict[str, int]
    #: For each node when it is eliminated.
    place: dict[str, int]
    #: The sum of the sizes of the tables of all cliques.
    n_cells: int

    def holder(self, scope: Iterable[str]) -> int:
        """Return the number of a clique with all nodes of a scope.

        Such as those of a factor, which the triangulated graph joins.
        """
        return self.home[min(scope, key=self.place.__getitem__)]

    def within(self, scope: Iterable[str]) -> bool:
        """Return whether some clique has all nodes of a scope."""
        scope = {*scope}
        return any(scope.issubset(clique) for clique in self.members)


def moralise(families, n_nodes: int) -> list[int]:
    """Return the neighbours of each node when each family is joined."""
    neighbours = [0] * n_nodes
    for family in families:
        for node in bits(family):
            neighbours[node] |= family
    for node in range(n_nodes):
        neighbours[node] &= ~(1 << node)
    return neighbours


def eliminate_nodes(neighbours, sizes, nodes, heuristic, last=0):
    """Order nodes by a greedy heuristic, and return their cliques.

    Eliminating a node joins all its neighbours. After Koller and Friedman
    (2009), algorithm 9.4.

    Parameters
    ----------
    neighbours : list of int
        The neighbours of each node as a set.
    sizes : list of int
        The number of states of each node.
    nodes : int
        The set of nodes to eliminate.
    heuristic : str
        A key of `HEURISTICS`.
    last : int
        A set of nodes that are eliminated after all others.

    Returns
    -------
    order : list of int
    cliques : list of int
        For each node of the order, itself and its neighbours at that time.
    """
    joined = list(neighbours)
    around, weight, fill = {}, {}, {}
    for node in bits(nodes):
        near = joined[node]
        around[node] = near.bit_count()
        weight[node] = prod([sizes[i] for i in bits(near)], start=sizes[node])
        fill[node] = _missing(near, joined)
    known = {"fill": fill, "weight": weight, "degree": around}
    first, second = (known[key] for key in HEURISTICS[heuristic])

    waiting = _Ranked()
    for node in bits(nodes):
        waiting.put(node, (last >> node & 1, first[node]))

    order, cliques = [], []
    while waiting.ranks:
        node = min(waiting.first(), key=second.__getitem__)
        waiting.take(node)
        near = changed = joined[node]
        if fill[node]:
            join = _join_many if fill[node] > around[node] else _join
            join(near, joined, fill, weight, around, sizes)
            for other in bits(near):
                changed |= joined[other]
        bit = 1 << node
        for other in bits(near):
            # Pairs of this node and nodes not joined to it are gone.
            if other in fill:
                fill[other] -= (joined[other] & ~near & ~bit).bit_count()
                weight[other] //= sizes[node]
                around[other] -= 1
            joined[other] &= ~bit
        for other in bits(changed & ~bit):
            if other in waiting.ranks:
                waiting.put(other, (last >> other & 1, first[other]))
        order.append(node)
        cliques.append(near | bit)
    return order, cliques


class _Ranked:
    """Nodes by rank: few ranks change when a node is eliminated."""

    def __init__(self):
        self.ranks = {}
        self._equal = {}

    def first(self):
        """Return the nodes of the least rank, in order."""
        return self._equal[min(self._equal)]

    def put(self, node, rank):
        if self.ranks.get(node) != rank:
            if node in self.ranks:
                self.take(node)
            self.ranks[node] = rank
            insort(self._equal.setdefault(rank, []), node)

    def take(self, node):
        rank = self.ranks.pop(node)
        self._equal[rank].remove(node)
        if not self._equal[rank]:
            del self._equal[rank]


def _join(near, joined, fill, weight, around, sizes):
    """Join all pairs of a set of nodes; keep the three counts up to date."""
    for one in bits(near):
        for other in bits(near & ~joined[one] & ~((2 << one) - 1)):
            a, b = joined[one], joined[other]
            for common in bits(a & b):
                if common in fill:
                    fill[common] -= 1
            for end, more, new in ((one, a & ~b, other), (other, b & ~a, one)):
                if end in fill:
                    fill[end] += more.bit_count()
                    weight[end] *= sizes[new]
                    around[end] += 1
            joined[one] |= 1 << other
            joined[other] |= 1 << one


def _join_many(near, joined, fill, weight, around, sizes):
    """Join as `_join` does, faster if many pairs are missing."""
    beyond = 0
    for one in bits(near):
        beyond |= joined[one]
        if one in fill:
            outside = joined[one] & ~near
            # It is joined to all of `near`: the missing pairs are those among
            # the neighbours outside, and those across.
            fill[one] = _missing(outside, joined) + sum(
                (near & ~joined[other]).bit_count() for other in bits(outside)
            )
            new = near & ~joined[one] & ~(1 << one)
            weight[one] *= prod(sizes[other] for other in bits(new))
            around[one] += new.bit_count()
    for other in bits(beyond & ~near):
        if other in fill:
            fill[other] -= _missing(near & joined[other], joined)
    for one in bits(near):
        joined[one] |= near & ~(1 << one)


def _missing(nodes, joined):
    """Count the pairs of a set of nodes that are not joined."""
    missing = [(nodes & ~joined[node]).bit_count() - 1 for node in bits(nodes)]
    return sum(missing) // 2


def clique_tree(order, cliques, sizes):
    """Return the cliques that an elimination found, as a rooted tree.

    The neighbours that a node had when it was eliminated are all in the
    clique of that neighbour which is eliminated first: this clique is the
    parent, and the neighbours are the separator. A clique contained in its
    only child is replaced by the child.

    Returns
    -------
    members, parents, home
        As in :class:`Cliques`, but of numbers and sets of bits.
    n_cells : int
    """
    place = {node: i for i, node in enumerate(order)}
    members: list[int] = []
    parents: list[int] = []
    home: dict[int, int] = {}
    for node, clique in zip(reversed(order), reversed(cliques), strict=True):
        near = clique ^ (1 << node)
        if not near:
            home[node] = len(members)
            members.append(clique)
            parents.append(-1)
            continue
        above = home[min(bits(near), key=place.__getitem__)]
        if members[above] == near:
            members[above] = clique
            home[node] = above
        else:
            home[node] = len(members)
            members.append(clique)
            parents.append(above)
    cells = [prod(sizes[i] for i in bits(clique)) for clique in members]
    _choose_parents(members, parents, cells)
    return members, parents, home, sum(cells)


def _choose_parents(members, parents, cells):
    """Make the smallest clique that contains the separator the parent."""
    having = {}
    for i, clique in enumerate(members):
        if (above := parents[i]) >= 0:
            shared = clique & members[above]
            rarest = min(bits(shared), key=lambda node: len(having[node]))
            parents[i] = min(
                (j for j in having[rarest] if shared & ~members[j] == 0),
                key=lambda j: (cells[j], j),
            )
        for node in bits(clique):
            having.setdefault(node, []).append(i)


def _merge_tiny(members, parents, home, sizes):
    """Merge each clique with its parent if both together are tiny.

    A product of small tables takes no longer than a product of tiny ones.
    """
    into = list(range(len(members)))
    for i in range(len(members) - 1, 0, -1):
        if parents[i] >= 0:
            both = members[i] | members[parents[i]]
            if prod(sizes[node] for node in bits(both)) <= _TINY:
                members[parents[i]] = both
                into[i] = parents[i]
    # Parents come first, so their goals are known.
    for i, goal in enumerate(into):
        into[i] = into[goal] if goal != i else i
    left = [i for i, goal in enumerate(into) if goal == i]
    place = {i: new for new, i in enumerate(left)}
    return (
        [members[i] for i in left],
        [place[into[parents[i]]] if parents[i] >= 0 else -1 for i in left],
        {node: place[into[i]] for node, i in home.items()},
    )


def triangulate(
    scopes: Iterable[Iterable[str]],
    sizes: Mapping[str, int],
    *,
    merged: bool = False,
) -> Cliques:
    """Find a junction tree with small tables.

    If the tables of a first heuristic are large, a second is tried.

    Parameters
    ----------
    scopes : iterable of iterables of str
        The nodes of each factor; those without a size are observed.
    sizes : mapping of node to int
        The number of states of each node of the tree.
    merged : bool
        Whether tiny cliques become one, which takes less time.
    """
    numbers = {node: i for i, node in enumerate(sizes)}
    lengths = list(sizes.values())
    families = (
        sum(1 << numbers[node] for node in scope if node in numbers)
        for scope in scopes
    )
    neighbours = moralise(families, len(sizes))

    def attempt(heuristic):
        nodes = (1 << len(sizes)) - 1
        order, cliques = eliminate_nodes(neighbours, lengths, nodes, heuristic)
        return order, clique_tree(order, cliques, lengths)

    order, found = attempt("min-fill")
    if found[-1] > _LARGE:
        other = attempt("min-weight")
        if other[1][-1] < found[-1]:
            order, found = other
    members, parents, home, n_cells = found
    if merged:
        members, parents, home = _merge_tiny(members, parents, home, lengths)
    names = list(sizes)
    return Cliques(
        [tuple(names[i] for i in bits(clique)) for clique in members],
        parents,
        {names[i]: clique for i, clique in home.items()},
        {names[i]: place for place, i in enumerate(order)},
        n_cells,
    )
