"""Trails between nodes, and why they are open or blocked.

A *trail* is a path that may run along and against the arrows and visits no
node twice. A node inside it is a *collider* if both arrows point at it
(→ C ←), a *fork* if neither does (← F →), otherwise a *chain node* (→ M →).
Given the observed nodes `given`, a trail is *active* if each of its colliders
is observed or has an observed descendant, and none of its other nodes is
observed. Sets x and y are *d-separated* if no trail between them is active
(Pearl 1988).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import islice, pairwise

import networkx as nx

from bayesbook.base.names import and_list
from bayesbook.graphs.node_sets import (
    Node,
    Nodes,
    comma_list,
    read_query,
    sorted_nodes,
)
from bayesbook.graphs.separation import active_trail

# A graph can have more trails than anybody can list, let alone read.
_MOST_TRAILS = 20


def trails(
    graph: nx.DiGraph, x: Nodes, y: Nodes
) -> Iterator[tuple[Node, ...]]:
    """Yield the trails between x and y, active or not, shortest first.

    A trail runs along edges in either direction, visits no node twice, and
    touches x and y at its ends only. Trails of equal length come in
    alphabetical order. There can be exponentially many of them, but the
    time between one and the next is polynomial.

    Parameters and errors are those of :func:`d_separated`.

    Returns
    -------
    iterator of tuple of node

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> list(trails(parse("A -> B -> C <- A"), "A", "C"))
    [('A', 'C'), ('A', 'B', 'C')]
    """
    starts, ends = read_query(graph, x=x, y=y)
    return _shortest_first(graph, starts, ends)


def _shortest_first(
    graph: nx.DiGraph, x: Set[Node], y: Set[Node]
) -> Iterator[tuple[Node, ...]]:
    """Yield the trails between checked sets, shortest first."""
    names = sorted_nodes(graph)
    rank = {node: i for i, node in enumerate(names)}
    neighbours = [
        [rank[other] for other in nx.all_neighbors(graph, node)]
        for node in names
    ]
    starts, ends = {rank[node] for node in x}, {rank[node] for node in y}
    # Best first: the key of a beginning is the length of the shortest trail
    # that begins with it; beginnings that lead nowhere are never followed.
    waiting: list[tuple[int, tuple[int, ...]]] = [
        (0, (start,)) for start in sorted(starts)
    ]
    while waiting:
        _, trail = heappop(waiting)
        if trail[-1] in ends:
            yield tuple(names[i] for i in trail)
            continue
        distance = _distances_to(ends, neighbours, starts.union(trail))
        for following in neighbours[trail[-1]]:
            if following in distance:
                length = len(trail) + distance[following]
                heappush(waiting, (length, (*trail, following)))


def _distances_to(
    ends: Set[int], neighbours: Sequence[Sequence[int]], avoiding: Set[int]
) -> dict[int, int]:
    """Return the distance of each node to the nearest end it can reach."""
    distance: dict[int, int] = {}
    layer, steps = set(ends), 0
    while layer:
        distance |= dict.fromkeys(layer, steps)
        reached = {near for node in layer for near in neighbours[node]}
        layer = {n for n in reached if n not in distance} - avoiding
        steps += 1
    return distance


@dataclass(frozen=True)
class Junction:
    """A node inside a trail, and whether the trail is open there.

    Parameters
    ----------
    node : node
        The node.
    kind : str
        ``"chain node"`` (→ M →), ``"fork"`` (← F →) or ``"collider"``
        (→ C ←).
    observed : bool
        Whether the node is observed.
    observed_descendant : node or None
        For a collider that is not observed, an observed descendant of it.

    Examples
    --------
    >>> print(Junction("C", "collider", observed=True))
    the collider C is observed
    >>> print(Junction("F", "fork", observed=True))
    F, a fork that is observed
    """

    node: Node
    kind: str
    observed: bool
    observed_descendant: Node | None = None

    @property
    def open(self) -> bool:
        """Whether the trail is open at this node."""
        if self.kind == "collider":
            return self.observed or self.observed_descendant is not None
        return not self.observed

    def __str__(self) -> str:
        if not self.open:
            return f"{self.node}, a {self.kind} that is " + (
                "not observed and has no observed descendant"
                if self.kind == "collider"
                else "observed"
            )
        if self.observed_descendant is not None:
            state = f"has the observed descendant {self.observed_descendant}"
        else:
            state = "is observed" if self.observed else "is not observed"
        return f"the {self.kind} {self.node} {state}"


@dataclass(frozen=True)
class Trail:
    """A trail, and the nodes that block it or leave it open.

    Parameters
    ----------
    nodes : tuple of node
        From one end to the other.
    arrows : tuple of str
        The arrow between each node and the next: ``"→"`` or ``"←"``.
    junctions : tuple of Junction
        One for each node between the ends.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> (trail,) = explain(parse("X <- F -> Y"), "X", "Y", given="F").trails
    >>> print(trail)
    X ← F → Y: blocked at F, a fork that is observed
    >>> trail.active, trail.blocked_at
    (False, ('F',))
    """

    nodes: tuple[Node, ...]
    arrows: tuple[str, ...]
    junctions: tuple[Junction, ...]

    @property
    def active(self) -> bool:
        """Whether all junctions are open."""
        return all(junction.open for junction in self.junctions)

    @property
    def blocked_at(self) -> tuple[Node, ...]:
        """The nodes that block the trail; none if it is active."""
        return tuple(j.node for j in self.junctions if not j.open)

    @property
    def drawn(self) -> str:
        """The trail with its arrows, such as X ← F → Y."""
        first, *others = map(str, self.nodes)
        steps = zip(self.arrows, others, strict=True)
        return " ".join([first, *(part for step in steps for part in step)])

    @property
    def verdict(self) -> str:
        """Whether the trail is open or blocked, and why."""
        if not self.active:
            blocking = [str(j) for j in self.junctions if not j.open]
            return f"blocked at {', and at '.join(blocking)}"
        if not self.junctions:
            return "open, because nothing blocks an edge"
        return f"open, because {and_list(self._why_open())}"

    def _why_open(self) -> Sequence[object]:
        """Return a reason for each collider, and one for several others."""
        colliders = [j for j in self.junctions if j.kind == "collider"]
        if len(self.junctions) - len(colliders) < 2:
            return self.junctions
        other = "other " if colliders else ""
        return [*colliders, f"no {other}node inside the trail is observed"]

    def __str__(self) -> str:
        return f"{self.drawn}: {self.verdict}"


@dataclass(frozen=True)
class Explanation:
    """Whether x and y are d-separated, and why; ``bool()`` is the answer.

    Its ``str()`` is the sentence, and a line for each trail.

    Parameters
    ----------
    x, y, given : tuple of node
        The question.
    separated : bool
        The answer.
    trails : tuple of Trail
        The shortest trails between x and y, at most 20 of them; with an
        active one among them unless x and y are separated. A trail that
        passes another node of x or y is left out: a part of it is a trail
        between x and y, and open if the whole is.
    more : bool
        Whether there are more trails than these.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> reason = explain(parse("X -> C <- Y"), "X", "Y", given="C")
    >>> print(reason.sentence)
    X and Y are not d-separated given C: the trail X → C ← Y is open, \
because the collider C is observed.
    >>> bool(reason), [trail.drawn for trail in reason.trails]
    (False, ['X → C ← Y'])
    """

    x: tuple[Node, ...]
    y: tuple[Node, ...]
    given: tuple[Node, ...]
    separated: bool
    trails: tuple[Trail, ...]
    more: bool

    def __bool__(self) -> bool:
        return self.separated

    def __str__(self) -> str:
        lines = [self.sentence, *map(str, self.trails)]
        if self.more:
            rest = "all of them blocked" if self.separated else "not listed"
            lines.append(f"… and more trails, {rest}")
        return "\n  ".join(lines)

    @property
    def sentence(self) -> str:
        """The answer and its reason, in one sentence."""
        asked = f"{_braced(self.x)} and {_braced(self.y)} are"
        given = ""
        if self.given:
            n = len(self.given)
            known = and_list(self.given) if n <= 8 else f"{n} observed nodes"
            given = f" given {known}"
        if self.separated:
            return f"{asked} d-separated{given}: {self._why_separated()}."
        trail = next(trail for trail in self.trails if trail.active)
        pair = f"{trail.nodes[0]} and {trail.nodes[-1]}"
        because = f", because {pair} are not" if self._several else ""
        what = "trail" if trail.junctions else "edge"
        return (
            f"{asked} not d-separated{given}{because}: "
            f"the {what} {trail.drawn} is {trail.verdict}."
        )

    @property
    def _several(self) -> bool:
        return len(self.x) > 1 or len(self.y) > 1

    def _why_separated(self) -> str:
        n = len(self.trails)
        if n == 0:
            return "no trail connects them"
        if self.more:
            return f"more than {n} trails connect them, and all are blocked"
        if n == 1:
            (trail,) = self.trails
            once = " that meets each set once" if self._several else ""
            return f"the only trail{once}, {trail.drawn}, is {trail.verdict}"
        once = " that meet each set once" if self._several else ""
        trails = f"{'both' if n == 2 else f'all {n}'} trails{once}"
        blocked = f"{trails} are blocked"
        first_blocks = Counter(
            next(str(j) for j in trail.junctions if not j.open)
            for trail in self.trails
        )
        if len(first_blocks) == 1:
            return f"{blocked} at {first_blocks.popitem()[0]}"
        if len(first_blocks) > 3:
            return blocked
        word = {1: "one", 2: "two"}
        parts = (f"{word.get(k, k)} at {b}" for b, k in first_blocks.items())
        return f"{blocked}, {', and '.join(parts)}"


def explain(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> Explanation:
    """Return whether `given` d-separates x and y, and why.

    Parameters and errors are those of :func:`d_separated`.

    Returns
    -------
    Explanation
        True where x and y are d-separated; print it for the reason.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> graph = parse("X <- W -> Y, X -> C <- Y")
    >>> print(explain(graph, "X", "Y", given="W"))
    X and Y are d-separated given W: both trails are blocked, one at \
C, a collider that is not observed and has no observed descendant, \
and one at W, a fork that is observed.
      X → C ← Y: blocked at C, a collider that is not observed and has no \
observed descendant
      X ← W → Y: blocked at W, a fork that is observed
    """
    xs, ys, observed = read_query(graph, x=x, y=y, given=given)
    shortest_active = active_trail(graph, xs, ys, observed)
    shortest = list(islice(_shortest_first(graph, xs, ys), _MOST_TRAILS + 1))
    shown, more = shortest[:_MOST_TRAILS], len(shortest) > _MOST_TRAILS
    if shortest_active is not None and shortest_active not in shown:
        shown[-1] = shortest_active
    return Explanation(
        x=tuple(sorted_nodes(xs)),
        y=tuple(sorted_nodes(ys)),
        given=tuple(sorted_nodes(observed)),
        separated=shortest_active is None,
        trails=tuple(_trail_of(graph, nodes, observed) for nodes in shown),
        more=more,
    )


def _trail_of(
    graph: nx.DiGraph, nodes: tuple[Node, ...], given: Set[Node]
) -> Trail:
    """Return the trail through some nodes, with its junctions judged."""
    arrows = tuple("→" if graph.has_edge(*e) else "←" for e in pairwise(nodes))
    junctions = []
    for node, sides in zip(nodes[1:-1], pairwise(arrows), strict=True):
        observed, witness = node in given, None
        kind = {"→←": "collider", "←→": "fork"}.get(
            "".join(sides), "chain node"
        )
        if kind == "collider" and not observed:
            witnesses = sorted_nodes(nx.descendants(graph, node) & given)
            witness = witnesses[0] if witnesses else None
        junctions.append(Junction(node, kind, observed, witness))
    return Trail(nodes, arrows, tuple(junctions))


def _braced(nodes: Sequence[Node]) -> str:
    """Return one node, or a set of them in braces."""
    return str(nodes[0]) if len(nodes) == 1 else f"{{{comma_list(nodes)}}}"
