"""Markov equivalence: graphs that stand for the same independences.

References
----------
Verma, Pearl (1990), Equivalence and synthesis of causal models. Dor, Tarsi
(1992), A simple algorithm to construct a consistent extension of a partially
oriented graph. Meek (1995), Causal inference and causal explanation with
background knowledge. Chickering (1995), A transformational characterization
of equivalent Bayesian network structures.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations

import networkx as nx

from bayesbook.base import GraphError
from bayesbook.base.names import alphabetical, quoted_list
from bayesbook.graphs.node_sets import Node, adjacent, sorted_nodes, undirected
from bayesbook.graphs.parsing import check_dag


def skeleton(graph: nx.DiGraph) -> nx.Graph:
    """Return the graph with undirected edges in place of its arrows.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    networkx.Graph

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> skeleton(parse("X -> C <- Y")).edges
    EdgeView([('X', 'C'), ('C', 'Y')])
    """
    check_dag(graph)
    return undirected(graph)


def v_structures(graph: nx.DiGraph) -> frozenset[tuple[Node, Node, Node]]:
    """Return the colliders a → c ← b whose parents a, b are not adjacent.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    frozenset of (a, c, b)
        With a alphabetically before b.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> v_structures(parse("X -> C <- Y, C -> D <- Y"))
    frozenset({('X', 'C', 'Y')})
    """
    check_dag(graph)
    return frozenset(
        (a, c, b)
        for c in graph
        for a, b in combinations(sorted_nodes(graph.pred[c]), 2)
        if not adjacent(graph, a, b)
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
    TypeError, GraphError
        If one is not a DAG, or if their nodes differ.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> markov_equivalent(parse("X -> Y -> Z"), parse("X <- Y -> Z"))
    True
    >>> markov_equivalent(parse("X -> Y -> Z"), parse("X -> Y <- Z"))
    False
    """
    check_dag(g)
    check_dag(h)
    if different := sorted_nodes(g.nodes ^ h.nodes):
        raise GraphError(
            f"Only one of the graphs has the node {different[0]!r}: Markov "
            "equivalence compares graphs over the same nodes."
        )
    same_skeleton = all(adjacent(h, *edge) for edge in g.edges) and all(
        adjacent(g, *edge) for edge in h.edges
    )
    return same_skeleton and v_structures(g) == v_structures(h)


def cpdag(graph: nx.DiGraph) -> nx.DiGraph:
    """Return the completed partially directed acyclic graph of the class.

    Its arrows are those that all Markov equivalent DAGs share; an edge that
    points one way in some and the other way in others has no direction. The
    v-structures are directed first; then Meek's (1995) rules direct each edge
    whose other direction would make a new v-structure or a cycle.

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    networkx.DiGraph
        An edge without direction is stored in both directions.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> sorted(cpdag(parse("A -> B, X -> C <- Y, C -> D")).edges)
    [('A', 'B'), ('B', 'A'), ('C', 'D'), ('X', 'C'), ('Y', 'C')]
    """
    partial = skeleton(graph).to_directed()
    for a, c, b in v_structures(graph):
        partial.remove_edges_from([(c, a), (c, b)])
    _apply_meek_rules(partial)
    return partial


def apply_meek_rules(partial: nx.DiGraph) -> nx.DiGraph:
    """Direct the edges whose other direction would add to what is known.

    Meek's (1995) rules 1 to 3, applied until none applies: an edge is
    directed if its other direction would make a cycle, or a v-structure that
    is not there yet. The edges are tried in alphabetical order. If some DAG
    has the given adjacencies, arrows and v-structures, the order plays no
    role.

    Parameters
    ----------
    partial : networkx.DiGraph
        An edge without direction is stored in both directions.

    Returns
    -------
    networkx.DiGraph
        Another graph, in which more edges have a direction.

    Raises
    ------
    TypeError
        If it is not a directed graph of networkx.

    See Also
    --------
    cpdag : of a DAG.

    Examples
    --------
    >>> import networkx as nx
    >>> partial = nx.DiGraph([("A", "B"), ("B", "C"), ("C", "B")])
    >>> list(apply_meek_rules(partial).edges)  # not A → B ← C
    [('A', 'B'), ('B', 'C')]
    """
    if not isinstance(partial, nx.DiGraph) or partial.is_multigraph():
        raise TypeError(
            "Give a networkx.DiGraph, in which an edge without direction is "
            f"stored in both directions, not {partial!r}."
        )
    result = partial.copy()
    _apply_meek_rules(result)
    return result


def _apply_meek_rules(partial: nx.DiGraph) -> None:
    """Direct edges of this graph itself."""
    rank = {node: i for i, node in enumerate(sorted_nodes(partial))}
    # Only at nodes with a new arrow can a rule begin to hold.
    changed = set(partial)
    while changed:
        edges = {
            edge
            for node in changed
            for other in partial.succ[node]
            for edge in ((node, other), (other, node))
        }
        changed = set()
        for tail, head in sorted(
            edges, key=lambda e: (rank[e[0]], rank[e[1]])
        ):
            if _is_compelled(partial, tail, head):
                partial.remove_edge(head, tail)
                changed |= {tail, head}


def _is_compelled(partial: nx.DiGraph, a: Node, b: Node) -> bool:
    """Return whether one of Meek's rules 1 to 3 directs the edge a - b."""

    def arrow(tail: Node, head: Node) -> bool:
        return partial.has_edge(tail, head) and not partial.has_edge(
            head, tail
        )

    def free(one: Node, other: Node) -> bool:
        return partial.has_edge(one, other) and partial.has_edge(other, one)

    if not free(a, b):
        return False
    # 1. c → a - b: the other direction makes a v-structure at a.
    new_v_structure = any(
        arrow(c, a) and not adjacent(partial, c, b) for c in partial.pred[a]
    )
    # 2. a → c → b: the other direction makes a cycle.
    cycle = any(arrow(a, c) and arrow(c, b) for c in partial.succ[a])
    # 3. a - c → b and a - d → b: with b → a, both c → a and d → a must
    # follow to avoid cycles, and c → a ← d is a new v-structure.
    between = [c for c in partial.succ[a] if free(a, c) and arrow(c, b)]
    either = any(
        not adjacent(partial, c, d) for c, d in combinations(between, 2)
    )
    return new_v_structure or cycle or either


def equivalence_class(graph: nx.DiGraph) -> Iterator[nx.DiGraph]:
    """Yield every DAG that is Markov equivalent to this one.

    An edge a → b is *covered* if a and b have the same parents, except a
    itself. The reversal of such an edge gives an equivalent DAG, and such
    reversals lead to all of them (Chickering 1995).

    Parameters and errors are those of :func:`topological_order`.

    Returns
    -------
    iterator of networkx.DiGraph
        The graph itself first; then those that need one reversal, two, …

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> [list(dag.edges) for dag in equivalence_class(parse("A -> B -> C"))]
    [[('A', 'B'), ('B', 'C')], [('B', 'A'), ('B', 'C')], [('B', 'A'), \
('C', 'B')]]
    """
    check_dag(graph)
    return _by_covered_reversals(graph)


def _by_covered_reversals(graph: nx.DiGraph) -> Iterator[nx.DiGraph]:
    """Yield the graphs that reversals of covered edges lead to."""
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
    """Return a DAG that directs all edges and makes no new v-structure.

    If the graph is a CPDAG, the result is a member of its class. The last
    node of the result must have no arrow away from it, and each neighbour
    along an edge without direction must be adjacent to all other nodes that
    are adjacent to the node. All edges of the node are then directed at it,
    and the rest of the graph is treated in the same way without it (Dor and
    Tarsi 1992).

    Parameters
    ----------
    partial : networkx.DiGraph
        As :func:`cpdag` returns it: an edge without direction is stored in
        both directions.

    Returns
    -------
    networkx.DiGraph
        A DAG with the skeleton, the arrows and the v-structures of `partial`.
        Where there is a choice, the alphabetically last node comes last.

    Raises
    ------
    TypeError
        If `partial` is not a networkx.DiGraph.
    GraphError
        If `partial` has a self loop, or no DAG agrees with it.

    Examples
    --------
    >>> from bayesbook.graphs import parse
    >>> sorted(consistent_extension(cpdag(parse("C -> B -> A"))).edges)
    [('A', 'B'), ('B', 'C')]
    """
    if not isinstance(partial, nx.DiGraph) or partial.is_multigraph():
        raise TypeError(
            "A partially directed graph is a networkx.DiGraph in which an "
            "edge without direction is stored in both directions, not a "
            f"{type(partial).__name__}."
        )
    for node in nx.nodes_with_selfloops(partial):
        raise GraphError(
            f"The graph has the self loop {node} → {node}; in a DAG no edge "
            "leads from a node to itself."
        )
    rest, extension = partial.copy(), nx.DiGraph()
    extension.add_nodes_from(partial)
    names = sorted_nodes(partial)
    while names:
        backwards = reversed(names)
        sink = next((n for n in backwards if _can_be_last(rest, n)), None)
        if sink is None:
            raise GraphError(
                "No DAG has the arrows and the v-structures of this graph: "
                f"among {quoted_list(names)} none can be the last node."
            )
        extension.add_edges_from((parent, sink) for parent in rest.pred[sink])
        rest.remove_node(sink)
        names.remove(sink)
    return extension


def _can_be_last(partial: nx.DiGraph, node: Node) -> bool:
    """Return whether all edges of a node can point at it."""
    around = set(partial.pred[node])
    return all(
        near in around
        and all(adjacent(partial, near, other) for other in around - {near})
        for near in partial.succ[node]
    )
