"""d-separation by the Bayes ball and by moral graphs; Markov blankets.

References
----------
Pearl (1988), *Probabilistic Reasoning in Intelligent Systems*, section 3.3.
Lauritzen, Dawid, Larsen, Leimer (1990), Independence properties of directed
Markov fields. Shachter (1998), Bayes-ball. Koller, Friedman (2009),
*Probabilistic Graphical Models*, chapter 3.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Set
from itertools import combinations

import networkx as nx

from bayesbook.base.names import alphabetical
from bayesbook.graphs.node_sets import (
    Node,
    Nodes,
    read_nodes,
    read_query,
    sorted_nodes,
    undirected,
    unknown_node,
)
from bayesbook.graphs.parsing import check_dag

# How a ball has come to a node: that decides which way it may leave.
_FROM_CHILD, _FROM_PARENT = "from a child", "from a parent"
_BallState = tuple[Node, str]


def d_separated(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> bool:
    """Return whether `given` d-separates x and y: no trail is active.

    Then x and y are independent given `given` under every probability that
    factorises along the graph. The algorithm is the Bayes ball, which rolls
    along the active trails in time linear in the size of the graph (Shachter
    1998; the form with the ancestors of the evidence is that of Koller and
    Friedman).

    Parameters
    ----------
    graph : networkx.DiGraph
        A DAG.
    x, y : node or collection of nodes
        Not empty. A string is one node, and so is a tuple that is a node.
    given : node or collection of nodes
        The observed nodes. The three sets must not overlap.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If `graph` is not a networkx.DiGraph.
    GraphError
        If `graph` is not a DAG, a node is not in it, x or y is empty, or
        two of the sets overlap.

    See Also
    --------
    explain : the same answer, with its reason.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> collider = parse("X -> C <- Y, C -> D")
    >>> d_separated(collider, "X", "Y")
    True
    >>> d_separated(collider, "X", "Y", given="D")
    False
    """
    sources, targets, observed = read_query(graph, x=x, y=y, given=given)
    rolled = _bayes_ball(graph, sources, observed)
    return all(node not in targets for (node, _), _ in rolled)


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
    >>> from bayesbook.graphs import parse
    >>> sorted(d_connected_to(parse("X -> C <- Y, C -> D"), "X"))
    ['C', 'D']
    """
    sources, observed = read_query(graph, source=source, given=given)
    reached = {node for (node, _), _ in _bayes_ball(graph, sources, observed)}
    return frozenset(reached - sources - observed)


def active_trail(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> tuple[Node, ...] | None:
    """Return a shortest active trail between x and y, if there is one.

    Parameters, errors and algorithm are those of :func:`d_separated`.

    Returns
    -------
    tuple of node, or None
        The alphabetically first of the shortest; None if `given` separates.

    Notes
    -----
    The ball could roll in a loop and come to a node v twice, which a trail
    must not do. But its shortest path never does, because an active path
    stays active if the loop is left out, from … a – v ⋯ v – b … to
    … a – v – b …:

    - If v is not a collider on the short path, one of its two arrows leaves v.
      The same arrow left v on the long path, so v was not a collider
      there either, and is not observed.
    - If it is one, a → v ← b, then v was a collider at the first or the
      last visit of the long path; or the loop left v by an arrow at both
      ends, and following the first until the arrows turn leads to a
      collider, a descendant of v. In each case a collider that is v or
      descends from it is open, and then so is v.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> active_trail(parse("X -> C <- Y, C -> D"), "X", "Y", given="D")
    ('X', 'C', 'Y')
    """
    sources, targets, observed = read_query(graph, x=x, y=y, given=given)
    came_from: dict[_BallState, _BallState | None] = {}
    for state, previous in _bayes_ball(
        graph, sources, observed, in_order=True
    ):
        came_from[state] = previous
        if state[0] in targets:
            trail = []
            step: _BallState | None = state
            while step is not None:
                trail.append(step[0])
                step = came_from[step]
            return tuple(reversed(trail))
    return None


def _bayes_ball(
    graph: nx.DiGraph,
    sources: Set[Node],
    given: Set[Node],
    in_order: bool = False,
) -> Iterator[tuple[_BallState, _BallState | None]]:
    """Yield the states of a ball that rolls along the active trails.

    A state is a node and how the ball came to it. Each comes once, breadth
    first, with the state before it, which is None at the sources.
    """
    can_open = _ancestral_set(graph, given)

    def next_states(node: Node, how: str) -> list[_BallState]:
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
    starts: list[_BallState] = [
        (node, _FROM_CHILD) for node in sorted_nodes(sources)
    ]
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
    no smaller set separates it from all others (Pearl 1988).

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
    TypeError
        If `graph` is not a networkx.DiGraph.
    GraphError
        If `graph` is not a DAG, or the node is not in it.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> sorted(markov_blanket(parse("A -> B -> C <- D, E -> A"), "B"))
    ['A', 'C', 'D']
    """
    check_dag(graph)
    if node not in graph:
        raise unknown_node(graph, node)
    family = {*graph.pred[node], *graph.succ[node]}
    spouses = {
        other for child in graph.succ[node] for other in graph.pred[child]
    }
    return frozenset((family | spouses) - {node})


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
    TypeError
        If `graph` is not a networkx.DiGraph.
    GraphError
        If `graph` is not a DAG, or a node is not in it.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> sorted(ancestral_set(parse("A -> B -> C -> D"), "C"))
    ['A', 'B', 'C']
    """
    check_dag(graph)
    return _ancestral_set(graph, read_nodes(graph, nodes))


def _ancestral_set(graph: nx.DiGraph, nodes: Set[Node]) -> frozenset[Node]:
    found, waiting = set(nodes), list(nodes)
    while waiting:
        for parent in graph.pred[waiting.pop()]:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return frozenset(found)


def moral_graph(graph: nx.DiGraph) -> nx.Graph:
    """Return the graph with the parents of each node joined, without arrows.

    Each node and its parents are a clique of it, as they are the variables
    of the factor P(node | parents).

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    networkx.Graph

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> moral_graph(parse("X -> C <- Y")).has_edge("X", "Y")
    True
    """
    check_dag(graph)
    return _moralised(graph)


def _moralised(graph: nx.DiGraph) -> nx.Graph:
    moral = undirected(graph)
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
    >>> from bayesbook.graphs import parse
    >>> graph = parse("X -> C <- Y")
    >>> sorted(ancestral_moral_graph(graph, {"X", "Y"}).edges)
    []
    """
    (named,) = read_query(graph, nodes=nodes)
    return _ancestral_moralised(graph, named)


def _ancestral_moralised(graph: nx.DiGraph, nodes: Set[Node]) -> nx.Graph:
    return _moralised(graph.subgraph(_ancestral_set(graph, nodes)))


def d_separated_by_moralisation(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> bool:
    """Return whether `given` d-separates x and y, found by a moral graph.

    It does if and only if in the ancestral moral graph of all three sets
    every path between x and y meets `given` (Lauritzen et al. 1990).
    Parameters, errors and result are those of :func:`d_separated`.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> d_separated_by_moralisation(parse("X -> C <- Y"), "X", "Y")
    True
    """
    xs, ys, observed = read_query(graph, x=x, y=y, given=given)
    moral = _ancestral_moralised(graph, xs | ys | observed)
    return _separates(moral, xs, ys, observed)


def separated_in_whole_moral_graph(
    graph: nx.DiGraph, x: Nodes, y: Nodes, given: Nodes = ()
) -> bool:
    """Return whether `given` cuts x from y in the moral graph of all nodes.

    A popular recipe, and half right: True implies d-separation, but False
    does not refute it, because here the parents of a collider are joined even
    if neither it nor a descendant is observed. Parameters and errors are those
    of :func:`d_separated`.

    Returns
    -------
    bool

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> separated_in_whole_moral_graph(parse("X -> C <- Y"), "X", "Y")
    False
    """
    xs, ys, observed = read_query(graph, x=x, y=y, given=given)
    return _separates(_moralised(graph), xs, ys, observed)


def _separates(
    moral: nx.Graph, x: Set[Node], y: Set[Node], given: Set[Node]
) -> bool:
    """Return whether every path between x and y meets `given`."""
    moral.remove_nodes_from(given)
    parts = nx.connected_components(moral)
    return all(part.isdisjoint(x) or part.isdisjoint(y) for part in parts)
