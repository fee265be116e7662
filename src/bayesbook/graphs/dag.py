"""Directed acyclic graphs, and the independences that they stand for.

A directed acyclic graph (DAG) says how a joint probability is a product, one
factor P(node | parents) for each node. Which variables are then independent
given which others, whatever the numbers are, can be read off the graph:

>>> graph = parse("Rain -> Wet <- Sprinkler, Wet -> Slippery")
>>> product_formula(graph)
'P(Rain) P(Sprinkler) P(Wet | Rain, Sprinkler) P(Slippery | Wet)'
>>> d_separated(graph, "Rain", "Sprinkler")
True
>>> print(explain(graph, "Rain", "Sprinkler", given="Slippery"))
Rain and Sprinkler are not d-separated given Slippery: the trail \
Rain → Wet ← Sprinkler is open, because the collider Wet has the observed \
descendant Slippery.
  Rain → Wet ← Sprinkler: open, because the collider Wet has the observed \
descendant Slippery

A *trail* is a path that may run along and against the arrows and visits no
node twice. A node inside it is a *collider* if both arrows point at it
(→ C ←), a *fork* if neither does (← F →), and else a *chain node* (→ M →).
Observing the nodes `given`, a trail is *active* if each of its colliders is
observed or has an observed descendant, and none of its other nodes is
observed. Sets x and y are *d-separated* if no trail between them is active
(Pearl 1988).

Graphs are :class:`networkx.DiGraph`; nodes are usually strings. Wherever a
function takes nodes, give one node or a collection of them. Every function
checks its graph with :func:`check_dag`. Results do not depend on the order
in which a graph was built: nodes come alphabetically, X2 before X10.

References
----------
Pearl (1988), *Probabilistic Reasoning in Intelligent Systems*, section 3.3.
Lauritzen, Dawid, Larsen, Leimer (1990), Independence properties of directed
Markov fields. Shachter (1998), Bayes-ball. Verma, Pearl (1990), Equivalence
and synthesis of causal models. Dor, Tarsi (1992), A simple algorithm to
construct a consistent extension of a partially oriented graph. Meek (1995),
Causal inference and causal explanation with background knowledge. Chickering
(1995), A transformational characterization of equivalent Bayesian network
structures. Tsamardinos, Brown, Aliferis (2006), The max-min hill-climbing
Bayesian network structure learning algorithm. Koller, Friedman (2009),
*Probabilistic Graphical Models*, chapter 3.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations, count, islice, pairwise
from numbers import Integral, Real
from string import ascii_uppercase
from typing import NamedTuple

import networkx as nx
import numpy as np

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.base.names import (
    alphabetical,
    and_list,
    did_you_mean,
    quoted_list,
)

__all__ = [
    "Comparison",
    "Edge",
    "Explanation",
    "Independence",
    "Junction",
    "Trail",
    "active_trail",
    "ancestral_moral_graph",
    "ancestral_set",
    "check_dag",
    "compare",
    "consistent_extension",
    "cpdag",
    "d_connected_to",
    "d_separated",
    "d_separated_by_moralisation",
    "equivalence_class",
    "explain",
    "independences",
    "local_markov",
    "markov_blanket",
    "markov_equivalent",
    "moral_graph",
    "parse",
    "product_formula",
    "random_dag",
    "separated_in_whole_moral_graph",
    "skeleton",
    "structural_hamming_distance",
    "topological_order",
    "topological_orders",
    "trails",
    "v_structures",
]

Node = Hashable
#: What can stand for a set of nodes: one node, or a collection of them.
Nodes = Node | Iterable[Node]

_TOKEN = re.compile(r"(?P<node>\w+)|[^\w\s]+")
_ARROWS = {"->": "→", "→": "→", "<-": "←", "←": "←"}
# A graph can have more trails than anybody can list, let alone read.
_MOST_TRAILS = 20
# Of a longer cycle the beginning is shown.
_LONGEST_SHOWN = 12


# -- reading and checking graphs ------------------------------------------


def parse(text: str) -> nx.DiGraph:
    """Read a graph from arrows: ``"X -> Y <- Z, Y -> W, V"``.

    Parameters
    ----------
    text : str
        Chains of nodes and arrows (``->``, ``<-``, ``→`` or ``←``), and lone
        nodes, separated by commas, semicolons or line breaks. A node is a
        word of letters, digits and underscores.

    Returns
    -------
    networkx.DiGraph
        Its nodes in the order in which they first appear.

    Raises
    ------
    GraphError
        If something cannot be read, which the message points at, or if what
        was read is not a DAG.

    Examples
    --------
    >>> graph = parse("X -> Y <- Z, V")
    >>> list(graph.nodes), list(graph.edges)
    (['X', 'Y', 'Z', 'V'], [('X', 'Y'), ('Z', 'Y')])
    """
    if not isinstance(text, str):
        raise GraphError(
            f"A graph is read from text such as 'X -> Y', not from {text!r}."
        )
    graph = nx.DiGraph()
    for chain in re.finditer(r"[^,;\n]+", text):
        tokens = list(_TOKEN.finditer(text, *chain.span()))
        for place, token in enumerate(tokens):
            if place % 2 == 0 and not token["node"]:
                raise _unreadable(text, token, "here belongs a node")
            if place % 2 == 1 and token.group() not in _ARROWS:
                problem = "here belongs an arrow, -> or <-, or a comma"
                raise _unreadable(text, token, problem)
        if tokens and len(tokens) % 2 == 0:
            raise _unreadable(text, tokens[-1], "no node follows the arrow")
        words = [token.group() for token in tokens]
        nodes = words[::2]
        graph.add_nodes_from(nodes)
        for arrow, edge in zip(words[1::2], pairwise(nodes), strict=True):
            graph.add_edge(*(edge if _ARROWS[arrow] == "→" else edge[::-1]))
    check_dag(graph)
    return graph


def _unreadable(text, token, problem):
    """Make the error that points at a token."""
    before = text[: token.start()].split("\n")
    line = text.split("\n")[len(before) - 1]
    return GraphError(
        f"Cannot read {token.group()!r} in line {len(before)}: {problem}.\n"
        f"  {line}\n  {' ' * len(before[-1])}{'^' * len(token.group())}"
    )


def check_dag(graph: nx.DiGraph) -> None:
    """Raise an error unless `graph` is a directed acyclic graph.

    Parameters
    ----------
    graph : networkx.DiGraph
        What should be a DAG with at least one node.

    Raises
    ------
    GraphError
        If it is not a DiGraph, is a multigraph, has no node, or has an edge
        from a node to itself or a cycle, which the message shows.

    Examples
    --------
    >>> check_dag(nx.DiGraph([("A", "B"), ("B", "C"), ("C", "A")]))
    Traceback (most recent call last):
        ...
    bayesbook.base.errors.GraphError: The graph has the cycle A → B → C → A; \
a DAG has none.
    """
    if not isinstance(graph, nx.DiGraph) or graph.is_multigraph():
        raise GraphError(
            f"A DAG is a networkx.DiGraph, not a {type(graph).__name__}; "
            "parse('X -> Y') makes one from text."
        )
    if not graph:
        raise GraphError("The graph is empty: it needs at least one node.")
    if nx.is_directed_acyclic_graph(graph):
        return
    for node in nx.nodes_with_selfloops(graph):
        raise GraphError(
            f"The graph has the self loop {node} → {node}; in a DAG no edge "
            "leads from a node to itself."
        )
    cycle = [tail for tail, _ in nx.find_cycle(graph)]
    if len(cycle) > _LONGEST_SHOWN:
        cycle[_LONGEST_SHOWN:] = [f"… ({len(cycle) - _LONGEST_SHOWN} more)"]
    drawn = " → ".join(map(str, [*cycle, cycle[0]]))
    raise GraphError(f"The graph has the cycle {drawn}; a DAG has none.")


def random_dag(
    n: int, edge_probability: float, *, rng: np.random.Generator | int
) -> nx.DiGraph:
    """Draw a DAG: a random order, and each edge along it by chance.

    Parameters
    ----------
    n : int
        Number of nodes, at least 1. Up to 26 are named A, B, …; more are
        named X1, X2, …
    edge_probability : float
        In [0, 1]: the probability of each of the n (n - 1) / 2 edges from an
        earlier to a later node, independently.
    rng : numpy.random.Generator or int
        The source of chance, or a seed for one.

    Returns
    -------
    networkx.DiGraph

    Raises
    ------
    GraphError
        If `n` is not a positive integer.
    ProbabilityError
        If `edge_probability` is not a number in [0, 1].

    Examples
    --------
    >>> sorted(random_dag(3, 1, rng=0).edges)
    [('A', 'B'), ('C', 'A'), ('C', 'B')]
    """
    if isinstance(n, bool) or not isinstance(n, Integral) or n < 1:
        raise GraphError(f"A graph has 1, 2, 3, … nodes, not {n!r}.")
    if (
        not isinstance(edge_probability, Real)
        or not 0 <= edge_probability <= 1
    ):
        raise ProbabilityError(
            f"An edge's probability is in [0, 1], not {edge_probability!r}."
        )
    rng = np.random.default_rng(rng)
    names = ascii_uppercase if n <= 26 else [f"X{i + 1}" for i in range(n)]
    order = rng.permutation(n)
    present = np.triu(rng.random((n, n)) < edge_probability, k=1)
    graph = nx.DiGraph()
    graph.add_nodes_from(names[:n])
    graph.add_edges_from(
        (names[order[i]], names[order[j]]) for i, j in np.argwhere(present)
    )
    return graph


# -- orders and factors ---------------------------------------------------


def topological_order(graph: nx.DiGraph) -> list[Node]:
    """List the nodes so that parents come before their children.

    Parameters
    ----------
    graph : networkx.DiGraph
        A DAG.

    Returns
    -------
    list of node
        Of all such orders the alphabetically first.

    Raises
    ------
    GraphError
        If `graph` is not a DAG.

    Examples
    --------
    >>> topological_order(parse("B -> A, C"))
    ['B', 'A', 'C']
    """
    check_dag(graph)
    return list(nx.lexicographical_topological_sort(graph, alphabetical))


def topological_orders(graph: nx.DiGraph) -> Iterator[list[Node]]:
    """Yield every topological order of the graph, in alphabetical order.

    There can be as many as n! of them. Parameters and errors are those of
    :func:`topological_order`.

    Examples
    --------
    >>> list(topological_orders(parse("B -> A, C")))
    [['B', 'A', 'C'], ['B', 'C', 'A'], ['C', 'B', 'A']]
    """
    check_dag(graph)
    return _orders({node: graph.pred[node] for node in _sorted(graph)})


def _orders(parents):
    """Yield the orders of the nodes (keys) in which parents come first."""
    if not parents:
        yield []
    for first, of_first in parents.items():
        if parents.keys().isdisjoint(of_first):
            rest = {node: parents[node] for node in parents if node != first}
            yield from ([first, *order] for order in _orders(rest))


def product_formula(graph: nx.DiGraph) -> str:
    """Write the joint probability as a product along the graph.

    Parameters and errors are those of :func:`topological_order`, which is
    the order of the factors.

    Examples
    --------
    >>> product_formula(parse("X -> Y, X -> Z <- Y"))
    'P(X) P(Y | X) P(Z | X, Y)'
    """
    factors = []
    for node in topological_order(graph):
        parents = _sorted(graph.pred[node])
        bar = f" | {_commas(parents)}" if parents else ""
        factors.append(f"P({node}{bar})")
    return " ".join(factors)


# -- d-separation ---------------------------------------------------------

# How a ball has come to a node: it tells which way it may leave again.
_FROM_CHILD, _FROM_PARENT = "from a child", "from a parent"


def d_separated(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> bool:
    """Return whether `given` d-separates x and y: no trail is active.

    Then x and y are independent given `given` under every probability that
    factorises along the graph. A ball that rolls along the active trails
    decides it, in time linear in the size of the graph. (Shachter 1998; the
    form with the ancestors of the evidence is Koller and Friedman's.)

    Parameters
    ----------
    graph : networkx.DiGraph
        A DAG.
    x, y : node or collection of nodes
        Not empty. A string is one node, and so is a tuple that is a node.
    given : node or collection of nodes
        What is observed. The three sets must not overlap.

    Returns
    -------
    bool

    Raises
    ------
    GraphError
        If `graph` is not a DAG, a node is not in it, x or y is empty, or
        two of the sets overlap.

    See Also
    --------
    explain : the same answer, with its reason.

    Examples
    --------
    >>> collider = parse("X -> C <- Y, C -> D")
    >>> d_separated(collider, "X", "Y")
    True
    >>> d_separated(collider, "X", "Y", given="D")
    False
    """
    x, y, given = _query(graph, x=x, y=y, given=given)
    return all(node not in y for (node, _), _ in _roll(graph, x, given))


def d_connected_to(
    graph: nx.DiGraph, source: Nodes, given: Nodes = ()
) -> frozenset[Node]:
    """Return the nodes that are not d-separated from `source`.

    Parameters, errors and algorithm are those of :func:`d_separated`.

    Returns
    -------
    frozenset of node
        Without the nodes of `source` and `given` themselves.

    Examples
    --------
    >>> sorted(d_connected_to(parse("X -> C <- Y, C -> D"), "X"))
    ['C', 'D']
    """
    source, given = _query(graph, source=source, given=given)
    reached = {node for (node, _), _ in _roll(graph, source, given)}
    return frozenset(reached - source - given)


def active_trail(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> tuple[Node, ...] | None:
    """Return a shortest active trail between x and y, if there is one.

    Parameters, errors and algorithm are those of :func:`d_separated`.

    Returns
    -------
    tuple of node, or None
        Of the shortest the alphabetically first; None if `given` separates.

    Notes
    -----
    The ball could roll in a loop and come to a node v twice, as trails must
    not. But its shortest path never does, because leaving the loop out,
    … a – v ⋯ v – b … to … a – v – b …, keeps an active path active:

    - If v is no collider on the short path, one of its two arrows leaves v.
      The same arrow left v on the long path, so v was no collider there
      either, and is not observed.
    - If it is one, a → v ← b, then on the long path v was a collider at
      its first or its last visit; or else the loop left it by an arrow at
      both ends, and going along the first until arrows turn comes to a
      collider, a descendant of v. In each case a collider that is v or
      descends from it is open, and then so is v.

    Examples
    --------
    >>> active_trail(parse("X -> C <- Y, C -> D"), "X", "Y", given="D")
    ('X', 'C', 'Y')
    """
    x, y, given = _query(graph, x=x, y=y, given=given)
    came_from = {}
    for state, previous in _roll(graph, x, given, in_order=True):
        came_from[state] = previous
        if state[0] in y:
            trail = []
            while state is not None:
                trail.append(state[0])
                state = came_from[state]
            return tuple(reversed(trail))
    return None


def _roll(graph, sources, given, in_order=False):
    """Roll a ball from `sources` along the active trails, breadth first.

    A state is a node and how the ball came to it. Yields each state once,
    with the state before it, which is None at the sources.
    """
    can_open = _ancestral(graph, given)

    def next_states(node, how):
        is_free = node not in given
        goes_up = is_free if how == _FROM_CHILD else node in can_open
        up = graph.pred[node] if goes_up else ()
        down = graph.succ[node] if is_free else ()
        moves = [(parent, _FROM_CHILD) for parent in up]
        moves += [(child, _FROM_PARENT) for child in down]
        if in_order:
            moves.sort(key=lambda move: alphabetical(move[0]))
        return moves

    # From a source the ball may go anywhere, as if a child had sent it.
    starts = [(node, _FROM_CHILD) for node in _sorted(sources)]
    yield from ((state, None) for state in starts)
    seen, queue = set(starts), deque(starts)
    while queue:
        state = queue.popleft()
        for following in next_states(*state):
            if following not in seen:
                seen.add(following)
                queue.append(following)
                yield following, state


def markov_blanket(graph: nx.DiGraph, node: Node) -> frozenset[Node]:
    """Return the parents, the children and the children's other parents.

    Given these, a node is d-separated from all other nodes of the graph, and
    they are the smallest set of which that is true (Pearl, 1988).

    Parameters
    ----------
    graph : networkx.DiGraph
        A DAG.
    node : node

    Returns
    -------
    frozenset of node
        Without the node itself.

    Raises
    ------
    GraphError
        If `graph` is not a DAG, or the node is not in it.

    Examples
    --------
    >>> sorted(markov_blanket(parse("A -> B -> C <- D, E -> A"), "B"))
    ['A', 'C', 'D']
    """
    check_dag(graph)
    (node,) = _node_set(graph, node)
    family = {*graph.pred[node], *graph.succ[node]}
    spouses = set().union(*(graph.pred[child] for child in graph.succ[node]))
    return frozenset((family | spouses) - {node})


# -- d-separation by moral graphs -----------------------------------------


def ancestral_set(graph: nx.DiGraph, nodes: Nodes) -> frozenset[Node]:
    """Return the nodes themselves and all their ancestors.

    Parameters
    ----------
    graph : networkx.DiGraph
        A DAG.
    nodes : node or collection of nodes
        In the graph; may be empty.

    Returns
    -------
    frozenset of node

    Raises
    ------
    GraphError
        If `graph` is not a DAG, or a node is not in it.

    Examples
    --------
    >>> sorted(ancestral_set(parse("A -> B -> C -> D"), "C"))
    ['A', 'B', 'C']
    """
    check_dag(graph)
    return _ancestral(graph, _node_set(graph, nodes))


def _ancestral(graph, nodes):
    found, waiting = set(nodes), list(nodes)
    while waiting:
        for parent in graph.pred[waiting.pop()]:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return frozenset(found)


def moral_graph(graph: nx.DiGraph) -> nx.Graph:
    """Marry the parents of each node, then forget the arrows.

    So each node stands with its parents in one clique, as it does in the
    factor P(node | parents).

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    networkx.Graph

    Examples
    --------
    >>> moral_graph(parse("X -> C <- Y")).has_edge("X", "Y")
    True
    """
    check_dag(graph)
    return _moralised(graph)


def _moralised(graph):
    moral = _undirected(graph)
    for node in graph:
        moral.add_edges_from(combinations(graph.pred[node], 2))
    return moral


def ancestral_moral_graph(graph: nx.DiGraph, nodes: Nodes) -> nx.Graph:
    """Return the moral graph of the ancestral set of some nodes.

    Parameters and errors are those of :func:`ancestral_set`; `nodes` must
    not be empty.

    Returns
    -------
    networkx.Graph

    Examples
    --------
    >>> graph = parse("X -> C <- Y")
    >>> sorted(ancestral_moral_graph(graph, {"X", "Y"}).edges)
    []
    """
    (nodes,) = _query(graph, nodes=nodes)
    return _ancestral_moralised(graph, nodes)


def _ancestral_moralised(graph, nodes):
    return _moralised(graph.subgraph(_ancestral(graph, nodes)))


def d_separated_by_moralisation(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> bool:
    """Decide d-separation in the ancestral moral graph of all three sets.

    There `given` d-separates x and y if and only if every path between
    them meets `given` (Lauritzen et al. 1990). Parameters,
    errors and result are those of :func:`d_separated`.

    Examples
    --------
    >>> d_separated_by_moralisation(parse("X -> C <- Y"), "X", "Y")
    True
    """
    x, y, given = _query(graph, x=x, y=y, given=given)
    return _cut(_ancestral_moralised(graph, x | y | given), x, y, given)


def separated_in_whole_moral_graph(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> bool:
    """Return whether `given` cuts x from y in the moral graph of all nodes.

    A popular recipe, and half right: True implies d-separation, but False
    does not refute it, because here a collider marries its parents even if
    neither it nor a descendant is observed. Parameters and errors are those
    of :func:`d_separated`.

    Returns
    -------
    bool

    Examples
    --------
    >>> separated_in_whole_moral_graph(parse("X -> C <- Y"), "X", "Y")
    False
    """
    x, y, given = _query(graph, x=x, y=y, given=given)
    return _cut(_moralised(graph), x, y, given)


def _cut(undirected, x, y, given):
    """Return whether without the nodes `given` nothing joins x and y."""
    undirected.remove_nodes_from(given)
    parts = nx.connected_components(undirected)
    return all(part.isdisjoint(x) or part.isdisjoint(y) for part in parts)


# -- trails, and what they explain ----------------------------------------


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
    >>> list(trails(parse("A -> B -> C <- A"), "A", "C"))
    [('A', 'C'), ('A', 'B', 'C')]
    """
    return _trails(graph, *_query(graph, x=x, y=y))


def _trails(graph, x, y):
    names = _sorted(graph)
    rank = {node: i for i, node in enumerate(names)}
    neighbours = [
        [rank[other] for other in nx.all_neighbors(graph, node)]
        for node in names
    ]
    starts, ends = {rank[node] for node in x}, {rank[node] for node in y}
    # Best first: a beginning of trails waits at the length of the shortest
    # trail that it begins, so none is followed that leads nowhere.
    waiting = [(0, (start,)) for start in sorted(starts)]
    while waiting:
        _, trail = heappop(waiting)
        if trail[-1] in ends:
            yield tuple(names[i] for i in trail)
            continue
        distance = _distances(neighbours, ends, avoiding=starts.union(trail))
        for following in neighbours[trail[-1]]:
            if following in distance:
                length = len(trail) + distance[following]
                heappush(waiting, (length, (*trail, following)))


def _distances(neighbours, ends, avoiding):
    """Return the distance to the nearest end, of all that can reach one."""
    distance, layer = {}, set(ends)
    for steps in count():
        if not layer:
            return distance
        distance |= dict.fromkeys(layer, steps)
        reached = {near for node in layer for near in neighbours[node]}
        layer = {n for n in reached if n not in distance} - avoiding


@dataclass(frozen=True)
class Junction:
    """A node inside a trail, and whether it lets the trail through.

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
        """Whether the trail gets through here."""
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
    """A trail, and what blocks it or leaves it open.

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
        """What happens to the trail, and why."""
        if not self.active:
            blocking = [str(j) for j in self.junctions if not j.open]
            return f"blocked at {', and at '.join(blocking)}"
        if not self.junctions:
            return "open, because nothing blocks an edge"
        return f"open, because {and_list(self._why_open())}"

    def _why_open(self):
        """Name each collider, but of several others only what they share."""
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
        active one among them unless x and y are separated.
    more : bool
        Whether there are more trails than these.

    Examples
    --------
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
        several = len(self.x) > 1 or len(self.y) > 1
        pair = f"{trail.nodes[0]} and {trail.nodes[-1]}"
        because = f", because {pair} are not" if several else ""
        what = "trail" if trail.junctions else "edge"
        return (
            f"{asked} not d-separated{given}{because}: "
            f"the {what} {trail.drawn} is {trail.verdict}."
        )

    def _why_separated(self):
        n = len(self.trails)
        if n == 0:
            return "no trail connects them"
        if self.more:
            return f"more than {n} trails connect them, and all are blocked"
        if n == 1:
            (trail,) = self.trails
            return f"the only trail, {trail.drawn}, is {trail.verdict}"
        blocked = f"{'both' if n == 2 else f'all {n}'} trails are blocked"
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
    >>> graph = parse("X <- W -> Y, X -> C <- Y")
    >>> print(explain(graph, "X", "Y", given="W"))
    X and Y are d-separated given W: both trails are blocked, one at \
C, a collider that is not observed and has no observed descendant, \
and one at W, a fork that is observed.
      X → C ← Y: blocked at C, a collider that is not observed and has no \
observed descendant
      X ← W → Y: blocked at W, a fork that is observed
    """
    x, y, given = _query(graph, x=x, y=y, given=given)
    shortest_active = active_trail(graph, x, y, given)
    quoted_list = list(islice(_trails(graph, x, y), _MOST_TRAILS + 1))
    shown, more = quoted_list[:_MOST_TRAILS], len(quoted_list) > _MOST_TRAILS
    if shortest_active is not None and shortest_active not in shown:
        shown[-1] = shortest_active
    return Explanation(
        *(tuple(_sorted(nodes)) for nodes in (x, y, given)),
        separated=shortest_active is None,
        trails=tuple(_judged(graph, nodes, given) for nodes in shown),
        more=more,
    )


def _judged(graph, nodes, given):
    """Make a Trail of the nodes of one."""
    arrows = tuple("→" if graph.has_edge(*e) else "←" for e in pairwise(nodes))
    junctions = []
    for node, sides in zip(nodes[1:-1], pairwise(arrows), strict=True):
        observed, witness = node in given, None
        kind = {"→←": "collider", "←→": "fork"}.get(
            "".join(sides), "chain node"
        )
        if kind == "collider" and not observed:
            witnesses = _sorted(nx.descendants(graph, node) & given)
            witness = witnesses[0] if witnesses else None
        junctions.append(Junction(node, kind, observed, witness))
    return Trail(nodes, arrows, tuple(junctions))


# -- independences --------------------------------------------------------


class Independence(NamedTuple):
    """The statement that x and y are independent given `given`.

    Its three parts are tuples of nodes, so that a graph is asked whether it
    is true by ``d_separated(graph, *statement)``.

    Examples
    --------
    >>> print(Independence(("X",), ("Y",), ("A", "B")))
    X ⊥ Y | A, B
    """

    #: What is independent of y,
    x: tuple[Node, ...]
    #: what is independent of x,
    y: tuple[Node, ...]
    #: and what is known; often nothing.
    given: tuple[Node, ...] = ()

    def __str__(self) -> str:
        bar = f" | {_commas(self.given)}" if self.given else ""
        return f"{_commas(self.x)} ⊥ {_commas(self.y)}{bar}"


def local_markov(graph: nx.DiGraph) -> list[Independence]:
    """List what the local Markov property says, node by node.

    Given its parents, a node is independent of all other nodes that do not
    descend from it. Every d-separation follows from these statements
    (Lauritzen et al. 1990). Nodes of which nothing is said are left out.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    list of Independence
        In topological order of the nodes.

    Examples
    --------
    >>> print(*local_markov(parse("A -> B -> C -> D")), sep=", ")
    C ⊥ A | B, D ⊥ A, B | C
    """
    statements = []
    for node in topological_order(graph):
        parents = graph.pred[node]
        related = {node, *parents} | nx.descendants(graph, node)
        if others := _sorted(graph.nodes - related):
            statements.append(
                Independence((node,), tuple(others), tuple(_sorted(parents)))
            )
    return statements


def independences(graph: nx.DiGraph) -> Iterator[Independence]:
    """Yield every d-separation of two single nodes, given any others.

    Two graphs have the same ones if and only if they are Markov equivalent.
    For n nodes it tries n (n - 1) / 2 pairs with 2**(n - 2) sets each.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    iterator of Independence
        By pair, and for each the smallest sets first.

    Examples
    --------
    >>> print(*independences(parse("A -> B -> C -> D")), sep=", ")
    A ⊥ C | B, A ⊥ C | B, D, A ⊥ D | B, A ⊥ D | C, A ⊥ D | B, C, B ⊥ D | C, \
B ⊥ D | A, C
    """
    check_dag(graph)
    nodes = _sorted(graph)
    return (
        Independence((x,), (y,), given)
        for x, y in combinations(nodes, 2)
        for given in _subsets([node for node in nodes if node not in (x, y)])
        if d_separated(graph, x, y, given)
    )


# -- Markov equivalence ---------------------------------------------------


def skeleton(graph: nx.DiGraph) -> nx.Graph:
    """Return the graph without the heads of its arrows.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    networkx.Graph

    Examples
    --------
    >>> skeleton(parse("X -> C <- Y")).edges
    EdgeView([('X', 'C'), ('C', 'Y')])
    """
    check_dag(graph)
    return _undirected(graph)


def _undirected(graph):
    undirected = nx.Graph()
    undirected.add_nodes_from(graph)
    undirected.add_edges_from(graph.edges)
    return undirected


def v_structures(graph: nx.DiGraph) -> frozenset[tuple[Node, Node, Node]]:
    """Return the colliders a → c ← b whose parents a, b are not adjacent.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    frozenset of (a, c, b)
        With a alphabetically before b.

    Examples
    --------
    >>> v_structures(parse("X -> C <- Y, C -> D <- Y"))
    frozenset({('X', 'C', 'Y')})
    """
    check_dag(graph)
    return frozenset(
        (a, c, b)
        for c in graph
        for a, b in combinations(_sorted(graph.pred[c]), 2)
        if not _adjacent(graph, a, b)
    )


def markov_equivalent(g: nx.DiGraph, h: nx.DiGraph) -> bool:
    """Return whether two DAGs stand for the same independences.

    They do if and only if they have the same skeleton and the same
    v-structures (Verma and Pearl 1990).

    Parameters
    ----------
    g, h : networkx.DiGraph
        DAGs over the same nodes.

    Returns
    -------
    bool

    Raises
    ------
    GraphError
        If one is not a DAG, or if their nodes differ.

    Examples
    --------
    >>> markov_equivalent(parse("X -> Y -> Z"), parse("X <- Y -> Z"))
    True
    >>> markov_equivalent(parse("X -> Y -> Z"), parse("X -> Y <- Z"))
    False
    """
    check_dag(g)
    check_dag(h)
    if different := _sorted(g.nodes ^ h.nodes):
        raise GraphError(
            f"Only one of the graphs has the node {different[0]!r}: Markov "
            "equivalence compares graphs over the same nodes."
        )
    same_skeleton = all(_adjacent(h, *edge) for edge in g.edges) and all(
        _adjacent(g, *edge) for edge in h.edges
    )
    return same_skeleton and v_structures(g) == v_structures(h)


def cpdag(graph: nx.DiGraph) -> nx.DiGraph:
    """Return the completed partially directed graph of the equivalence class.

    Its arrows are those that all Markov equivalent DAGs share; an edge that
    points one way in some and the other way in others has no direction. The
    v-structures are directed first; then Meek's (1995) rules find the arrows
    without which there would be another v-structure, or a cycle.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    networkx.DiGraph
        An edge without direction is there in both directions.

    Examples
    --------
    >>> sorted(cpdag(parse("A -> B, X -> C <- Y, C -> D")).edges)
    [('A', 'B'), ('B', 'A'), ('C', 'D'), ('X', 'C'), ('Y', 'C')]
    """
    partial = skeleton(graph).to_directed()
    for a, c, b in v_structures(graph):
        partial.remove_edges_from([(c, a), (c, b)])
    # A rule can newly hold only for the edges of a node with a new arrow.
    changed = set(graph)
    while changed:
        arrows = [
            edge
            for node in changed
            for other in partial.succ[node]
            for edge in ((node, other), (other, node))
            if _must_point(partial, *edge)
        ]
        partial.remove_edges_from([(head, tail) for tail, head in arrows])
        changed = {node for arrow in arrows for node in arrow}
    return partial


def _must_point(partial, a, b):
    """Return whether one of Meek's rules 1 to 3 directs the edge a - b."""

    def arrow(tail, head):
        return partial.has_edge(tail, head) and not partial.has_edge(
            head, tail
        )

    def line(one, other):
        return partial.has_edge(one, other) and partial.has_edge(other, one)

    if not line(a, b):
        return False
    # 1. c → a - b: the other direction makes a v-structure at a.
    new_v_structure = any(
        arrow(c, a) and not _adjacent(partial, c, b) for c in partial.pred[a]
    )
    # 2. a → c → b: the other direction makes a cycle.
    cycle = any(arrow(a, c) and arrow(c, b) for c in partial.succ[a])
    # 3. a - c → b and a - d → b: the other direction makes c → a ← d, to
    # avoid the two cycles.
    between = [c for c in partial.succ[a] if line(a, c) and arrow(c, b)]
    either = any(
        not _adjacent(partial, c, d) for c, d in combinations(between, 2)
    )
    return new_v_structure or cycle or either


def equivalence_class(graph: nx.DiGraph) -> Iterator[nx.DiGraph]:
    """Yield every DAG that is Markov equivalent to this one.

    An edge a → b is *covered* if a and b have the same parents, but for a
    itself. Reversing it gives an equivalent DAG, and such reversals lead to
    all of them (Chickering 1995).

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    iterator of networkx.DiGraph
        The graph itself first; then those that need one reversal, two, …

    Examples
    --------
    >>> [list(dag.edges) for dag in equivalence_class(parse("A -> B -> C"))]
    [[('A', 'B'), ('B', 'C')], [('B', 'A'), ('B', 'C')], [('B', 'A'), \
('C', 'B')]]
    """
    check_dag(graph)
    return _reversals(graph)


def _reversals(graph):
    first = frozenset(graph.edges)
    seen, queue = {first}, deque([first])
    while queue:
        edges = queue.popleft()
        ordered = sorted(edges, key=lambda edge: [*map(alphabetical, edge)])
        dag = nx.DiGraph()
        dag.add_nodes_from(graph)
        dag.add_edges_from(ordered)
        yield dag.copy()
        for a, b in ordered:
            if {a, *dag.pred[a]} == set(dag.pred[b]):
                reversed_once = edges - {(a, b)} | {(b, a)}
                if reversed_once not in seen:
                    seen.add(reversed_once)
                    queue.append(reversed_once)


def consistent_extension(partial: nx.DiGraph) -> nx.DiGraph:
    """Direct the edges that have no direction, and make no v-structure.

    Of a CPDAG the result is a member of its class. The last node of the
    result must have no arrow away from it, and each neighbour along an edge
    without direction must be adjacent to whatever else is adjacent to the
    node; all its edges then point at it, and the rest follows in the same
    way without it (Dor and Tarsi 1992).

    Parameters
    ----------
    partial : networkx.DiGraph
        As :func:`cpdag` gives it: an edge without direction is there in both
        directions.

    Returns
    -------
    networkx.DiGraph
        A DAG with the skeleton, the arrows and the v-structures of `partial`.
        Where there is a choice, the alphabetically last node comes last.

    Raises
    ------
    GraphError
        If `partial` is no such graph, or no DAG agrees with it.

    Examples
    --------
    >>> sorted(consistent_extension(cpdag(parse("C -> B -> A"))).edges)
    [('A', 'B'), ('B', 'C')]
    """
    if not isinstance(partial, nx.DiGraph) or partial.is_multigraph():
        raise GraphError(
            "A partially directed graph is a networkx.DiGraph, with an edge "
            "in both directions where it has none, not a "
            f"{type(partial).__name__}."
        )
    for node in nx.nodes_with_selfloops(partial):
        raise GraphError(
            f"The graph has the self loop {node} → {node}; in a DAG no edge "
            "leads from a node to itself."
        )
    rest, extension = partial.copy(), nx.DiGraph()
    extension.add_nodes_from(partial)
    names = _sorted(partial)
    while names:
        sink = next((n for n in reversed(names) if _can_end(rest, n)), None)
        if sink is None:
            raise GraphError(
                "No DAG has the arrows and the v-structures of this graph: "
                f"among {quoted_list(names)} none can be the last node."
            )
        extension.add_edges_from((parent, sink) for parent in rest.pred[sink])
        rest.remove_node(sink)
        names.remove(sink)
    return extension


def _can_end(partial, node):
    """Return whether all edges of a node can point at it."""
    around = set(partial.pred[node])
    return all(
        near in around
        and all(_adjacent(partial, near, other) for other in around - {near})
        for near in partial.succ[node]
    )


# -- comparing graphs -----------------------------------------------------


class Edge(NamedTuple):
    """An edge of a partially directed graph.

    Parameters
    ----------
    tail, head : node
        If it has no direction, in alphabetical order.
    directed : bool
        Whether it is an arrow from `tail` to `head`.
    """

    tail: Node
    head: Node
    directed: bool = True

    def __str__(self) -> str:
        return f"{self.tail} {'→' if self.directed else '–'} {self.head}"


@dataclass(frozen=True)
class Comparison:
    """What a learned graph has in common with the true one.

    Parameters
    ----------
    found : tuple of Edge
        Edges that both graphs have, with the same direction or both without.
    missing : tuple of Edge
        Edges of the true graph between nodes that the learned one does not
        join.
    extra : tuple of Edge
        Edges of the learned graph between nodes that the true one does not
        join.
    misdirected : tuple of (Edge, Edge)
        Edges that both have, but with different directions, or only one of
        them with a direction: as learned, and as true.
    """

    found: tuple[Edge, ...]
    missing: tuple[Edge, ...]
    extra: tuple[Edge, ...]
    misdirected: tuple[tuple[Edge, Edge], ...]

    @property
    def distance(self) -> int:
        """The :func:`structural_hamming_distance` of the two graphs."""
        return len(self.missing) + len(self.extra) + len(self.misdirected)

    @property
    def precision(self) -> float:
        """The share of the learned edges that the true graph has too.

        Whatever their directions; nan if no edge was learned.
        """
        return self._share(len(self.extra))

    @property
    def recall(self) -> float:
        """The share of the true edges that were learned.

        Whatever their directions; nan if the true graph has none.
        """
        return self._share(len(self.missing))

    def _share(self, others):
        common = len(self.found) + len(self.misdirected)
        return common / (common + others) if common + others else float("nan")

    def __str__(self) -> str:
        turned = [f"{own} for {true}" for own, true in self.misdirected]
        kinds = [
            (self.missing, "missing", self.missing),
            (self.extra, "extra", self.extra),
            (self.misdirected, "misdirected", turned),
        ]
        words = [f"{len(self.found)} found"]
        for links, kind, shown in kinds:
            colon = f": {_commas(shown)}" if shown else ""
            words.append(f"{len(links)} {kind}{colon}")
        return "; ".join(words)


def compare(
    learned: nx.DiGraph, true: nx.DiGraph, *, classes: bool = True
) -> Comparison:
    """Compare a learned graph with the true one, pair of nodes by pair.

    Data cannot tell a graph from one that is Markov equivalent to it.
    Therefore the classes of the two graphs are compared, by their CPDAGs: an
    arrow that can be turned counts as an edge without direction.

    Parameters
    ----------
    learned, true : networkx.DiGraph
        DAGs, or CPDAGs such as :func:`cpdag` gives, over the same nodes.
    classes : bool
        If False, the arrows of two DAGs are compared as they stand.

    Returns
    -------
    Comparison
        Edges in alphabetical order.

    Raises
    ------
    GraphError
        If a graph is neither a DAG nor a CPDAG, or if their nodes differ.

    Examples
    --------
    >>> learned = parse("B -> A, C -> D <- E, D -> F")
    >>> true = parse("A -> B -> C -> D <- E, F")
    >>> print(compare(learned, true))
    3 found; 1 missing: B – C; 1 extra: D → F; 0 misdirected
    >>> print(compare(learned, true, classes=False))
    2 found; 1 missing: B → C; 1 extra: D → F; 1 misdirected: B → A for A → B
    """
    learned, true = (_compared(graph, classes) for graph in (learned, true))
    if different := _sorted(learned.nodes ^ true.nodes):
        raise GraphError(
            f"Only one of the graphs has the node {different[0]!r}: graphs "
            "are compared over the same nodes."
        )
    own, other = edges_of(learned), edges_of(true)
    common = [pair for pair in own if pair in other]
    return Comparison(
        found=tuple(own[p] for p in common if own[p] == other[p]),
        missing=tuple(other[pair] for pair in other if pair not in own),
        extra=tuple(own[pair] for pair in own if pair not in other),
        misdirected=tuple(
            (own[p], other[p]) for p in common if own[p] != other[p]
        ),
    )


def structural_hamming_distance(
    g: nx.DiGraph, h: nx.DiGraph, *, classes: bool = True
) -> int:
    """Count the pairs of nodes whose edges differ between two classes.

    So many edges of the one CPDAG have to be added, deleted, turned, or given
    or deprived of a direction to get the other; each pair counts once
    (Tsamardinos, Brown, Aliferis 2006). It is a metric on the Markov
    equivalence classes: 0 for equivalent graphs only.

    Parameters and errors are those of :func:`compare`, which names the
    pairs.

    Returns
    -------
    int

    Examples
    --------
    >>> chain, collider = parse("A -> B -> C"), parse("A -> B <- C")
    >>> structural_hamming_distance(chain, parse("A <- B <- C"))
    0
    >>> structural_hamming_distance(chain, collider)
    2
    """
    return compare(g, h, classes=classes).distance


def _compared(graph, classes):
    """Return what is compared: the CPDAG of a DAG or of a CPDAG."""
    if not classes:
        check_dag(graph)
        return graph
    is_partial = isinstance(graph, nx.DiGraph) and any(
        tail != head and graph.has_edge(head, tail)
        for tail, head in graph.edges
    )
    if not is_partial:
        return cpdag(graph)
    complete = cpdag(consistent_extension(graph))
    if different := set(graph.edges) ^ set(complete.edges):
        raise GraphError(
            "The graph is neither a DAG nor the CPDAG of a class: not all "
            "members of its class agree with it on the edge of "
            f"{and_list(_sorted(min(different, key=_place)))}. "
            "cpdag(consistent_extension(graph)) is the CPDAG."
        )
    return complete


def edges_of(partial):
    """Return the edge of each pair of adjacent nodes, in alphabetical order."""
    links = {}
    for tail, head in partial.edges:
        pair = tuple(_sorted((tail, head)))
        both = partial.has_edge(head, tail)
        links[pair] = Edge(*pair, directed=False) if both else Edge(tail, head)
    return {pair: links[pair] for pair in sorted(links, key=_place)}


def _place(edge):
    """Return a key to sort edges by, alphabetically."""
    return [alphabetical(node) for node in edge]


# -- nodes ----------------------------------------------------------------


def _query(graph, **sets):
    """Check a graph and the sets of nodes that a question names."""
    check_dag(graph)
    sets = {name: _node_set(graph, nodes) for name, nodes in sets.items()}
    for name, nodes in sets.items():
        if not nodes and name != "given":
            raise GraphError(f"{name} is empty: name at least one node.")
    for (name, nodes), (other, others) in combinations(sets.items(), 2):
        for node in _sorted(nodes & others):
            raise GraphError(
                f"{node!r} is in both {name} and {other}: the sets of nodes "
                "that a question names must not overlap."
            )
    return sets.values()


def _node_set(graph, nodes):
    """Read one node, or a collection of them, as a set of nodes."""
    if nodes in graph:
        return frozenset([nodes])
    if isinstance(nodes, str) or not isinstance(nodes, Iterable):
        nodes = [nodes]
    nodes = list(nodes)
    for stranger in _sorted(node for node in nodes if node not in graph):
        known = _sorted(graph)
        raise GraphError(
            f"{stranger!r} is not a node of the graph; "
            f"its nodes are "
            f"{quoted_list(known)}.{did_you_mean(stranger, known)}"
        )
    return frozenset(nodes)


def _adjacent(graph, a, b):
    return graph.has_edge(a, b) or graph.has_edge(b, a)


def _subsets(items):
    sizes = range(len(items) + 1)
    return (subset for k in sizes for subset in combinations(items, k))


def _sorted(nodes):
    return sorted(nodes, key=alphabetical)


# -- words ----------------------------------------------------------------


def _commas(nodes):
    return ", ".join(map(str, nodes))


def _braced(nodes):
    return str(nodes[0]) if len(nodes) == 1 else f"{{{_commas(nodes)}}}"
