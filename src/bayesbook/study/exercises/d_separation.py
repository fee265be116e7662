"""The coding exercises of the chapter *d-separation*.

A graph is a set of arrows, each a pair of parent and child.
"""

from itertools import combinations, pairwise

import networkx as nx

from bayesbook import graphs
from bayesbook.study.exercises.checker import exercise


def _arrows(text):
    return set(graphs.parse(text).edges)


def _undirected(graph):
    return set(map(frozenset, graph.edges))


_CHAIN = _arrows("A -> B -> C -> D")
_COLLIDER = _arrows("A -> C <- B, C -> D -> E")
_DIAMOND = _arrows("A -> B -> D <- C <- A, D -> E")
_TRIANGLE = _arrows("A -> B -> C <- A")
_TWO_WAYS = _arrows("A -> C <- B, B -> F -> E <- C, C -> D")
_RING = _arrows("A -> B -> C -> D -> E <- A, D -> F")
_M = _arrows("T <- U -> M <- V -> Y")
_CLINIC = _arrows(
    "asia -> tub -> either <- lung <- smoke -> bronc -> dysp <- either -> xray"
)

# -- ball_steps -----------------------------------------------------------


def _rolled(arrows, source, opened, stops, given):
    """Return the steps of a ball for these open colliders and stops."""
    graph, found, steps = nx.DiGraph(arrows), {}, 0
    seen, waiting = set(), {(source, "child")}
    while waiting:
        seen, moves, steps = seen | waiting, set(), steps + 1
        for node, came in waiting:
            down = node not in stops
            up = down if came == "child" else node in opened
            moves |= {(a, "child") for a in graph.pred[node] if up}
            moves |= {(b, "parent") for b in graph.succ[node] if down}
        waiting = moves - seen
        found = dict.fromkeys((node for node, _ in waiting), steps) | found
    return {v: k for v, k in found.items() if v not in {source, *given}}


@exercise(
    (_CHAIN, "A", set()),
    (_CHAIN, "D", {"B"}),
    (_COLLIDER, "A", set()),
    (_COLLIDER, "A", {"E"}),
    (_COLLIDER, "B", {"C"}),
    (_DIAMOND, "B", {"E"}),
    (_TRIANGLE, "C", {"B"}),
    (_TWO_WAYS, "A", {"D"}),
    (_TWO_WAYS, "B", {"E"}),
    (_TWO_WAYS, "F", {"B", "E"}),
    (_RING, "A", set()),
    (_RING, "A", {"F"}),
    (_M, "T", {"M"}),
    (_CLINIC, "asia", {"xray"}),
    (_CLINIC, "tub", {"either"}),
)
def ball_steps(arrows, source, given):
    """Return for each node that the ball reaches after how many steps."""
    graph = nx.DiGraph(arrows)
    trails = {
        node: graphs.active_trail(graph, source, node, given)
        for node in graphs.d_connected_to(graph, source, given)
    }
    return {node: len(trail) - 1 for node, trail in trails.items()}


@ball_steps.mistake(
    "This counts the nodes of the trail. Two nodes that are joined are one "
    "step apart.",
    example=((_arrows("A -> B -> C"), "A", set()), {"B": 2, "C": 3}),
)
def _nodes_counted(arrows, source, given):
    steps = ball_steps(arrows, source, given)
    return {node: n + 1 for node, n in steps.items()}


@ball_steps.mistake(
    "The source and the observed nodes do not belong to the answer.",
    example=((_arrows("A -> B -> C"), "A", {"C"}), {"A": 0, "B": 1, "C": 2}),
)
def _with_source_and_observed(arrows, source, given):
    opened = ancestors(arrows, given)
    return _rolled(arrows, source, opened, given, ()) | {source: 0}


@ball_steps.mistake(
    "An observed node stops the ball only if it comes from a child. From a "
    "parent, it is sent back to all parents.",
    example=((_arrows("A -> B <- C"), "A", {"B"}), {}),
)
def _all_stop(arrows, source, given):
    opened = ancestors(arrows, given) - set(given)
    return _rolled(arrows, source, opened, given, given)


@ball_steps.mistake(
    "A ball from a parent turns upwards at once if a descendant is observed. "
    "To roll down to the descendant and back takes more steps.",
    example=((_arrows("A -> B <- C, B -> D"), "A", {"D"}), {"B": 1, "C": 4}),
)
def _turns_only_where_observed(arrows, source, given):
    return _rolled(arrows, source, set(given), given, given)


@ball_steps.mistake(
    "A ball that comes from a parent must not go back up unless the node or "
    "a descendant is observed.",
    example=((_arrows("A -> B <- C"), "A", set()), {"B": 1, "C": 2}),
)
def _turns_everywhere(arrows, source, given):
    return _rolled(arrows, source, set(nx.DiGraph(arrows)), given, given)


@ball_steps.mistake(
    "This measures the distance in the graph without directions, whether "
    "the trail is open or not.",
    example=(
        (_arrows("A -> B <- C <- E <- D <- A"), "A", set()),
        {"B": 1, "D": 1, "C": 2, "E": 2},
    ),
)
def _distances(arrows, source, given):
    steps = nx.single_source_shortest_path_length(nx.Graph(arrows), source)
    reached = ball_steps(arrows, source, given)
    return {node: n for node, n in steps.items() if node in reached}


# -- ancestors ------------------------------------------------------------


@exercise(
    (_CHAIN, {"D"}),
    (_CHAIN, {"A"}),
    (_CHAIN, {"B", "C"}),
    (_COLLIDER, {"E"}),
    (_DIAMOND, {"B", "C"}),
    (_TWO_WAYS, {"D", "F"}),
    (_M, set()),
)
def ancestors(arrows, nodes):
    """Return the ancestral set of some nodes."""
    return set(graphs.ancestral_set(nx.DiGraph(arrows), nodes))


@ancestors.mistake(
    "These are the nodes and their parents: the parents of parents are "
    "ancestors, too.",
    example=(
        (_arrows("A -> B -> C <- X, C -> D, E -> F"), {"C"}),
        {"B", "C", "X"},
    ),
)
def _one_generation(arrows, nodes):
    return set(nodes) | {parent for parent, child in arrows if child in nodes}


@ancestors.mistake(
    "The nodes themselves belong to their ancestral set.",
    example=(
        (_arrows("A -> B -> C <- X, C -> D, E -> F"), {"C"}),
        {"A", "B", "X"},
    ),
)
def _without_themselves(arrows, nodes):
    return ancestors(arrows, nodes) - set(nodes)


@ancestors.mistake(
    "These are descendants: ancestors are found against the arrows.",
    example=((_arrows("A -> B -> C <- X, C -> D, E -> F"), {"C"}), {"C", "D"}),
)
def _descendants(arrows, nodes):
    return ancestors({(child, parent) for parent, child in arrows}, nodes)


@ancestors.mistake(
    "This goes along the arrows and against them, and finds all connected "
    "nodes.",
    example=(
        (_arrows("A -> B -> C <- X, C -> D, E -> F"), {"C"}),
        {"A", "B", "C", "D", "X"},
    ),
)
def _all_that_is_joined(arrows, nodes):
    parts = nx.connected_components(nx.Graph(list(arrows)))
    return set().union(*(part for part in parts if part & nodes))


# -- is_active ------------------------------------------------------------


def _junctions(arrows, trail):
    """Yield each inner node of a trail, and whether it is a collider."""
    for before, node, after in zip(trail, trail[1:], trail[2:], strict=False):
        yield node, {(before, node), (after, node)} <= arrows


def _gets_through(arrows, trail, given, opened):
    """Return whether a trail is active if exactly these colliders are open."""
    return all(
        node in opened if collider else node not in given
        for node, collider in _junctions(arrows, trail)
    )


@exercise(
    (_CHAIN, ("A", "B", "C", "D"), set()),
    (_CHAIN, ("D", "C", "B", "A"), {"B"}),
    (_CHAIN, ("A", "B", "C"), {"D"}),
    (_TRIANGLE, ("A", "C"), {"B"}),
    (_TRIANGLE, ("A", "C", "B"), set()),
    (_COLLIDER, ("A", "C", "B"), set()),
    (_COLLIDER, ("A", "C", "B"), {"C"}),
    (_COLLIDER, ("A", "C", "B"), {"D"}),
    (_COLLIDER, ("A", "C", "B"), {"E"}),
    (_COLLIDER, ("A", "C", "D"), {"E"}),
    (_TWO_WAYS, ("A", "C", "E", "F"), {"B"}),
    (_TWO_WAYS, ("A", "C", "E", "F", "B"), {"E"}),
    (_M, ("T", "U", "M", "V", "Y"), set()),
    (_M, ("T", "U", "M", "V", "Y"), {"M"}),
    (_M, ("T", "U", "M", "V", "Y"), {"M", "U"}),
)
def is_active(arrows, trail, given):
    """Return whether the trail is active, given the observed nodes."""
    return _gets_through(arrows, trail, given, ancestors(arrows, given))


@is_active.mistake(
    "This treats every node alike. A collider is blocked until it is "
    "observed, not from then on.",
    example=((_arrows("A -> B <- C"), ("A", "B", "C"), {"B"}), False),
)
def _no_colliders(arrows, trail, given):
    return given.isdisjoint(trail[1:-1])


@is_active.mistake(
    "A collider is also opened by an observed descendant.",
    example=((_arrows("A -> B <- C, B -> D"), ("A", "B", "C"), {"D"}), False),
)
def _no_descendants(arrows, trail, given):
    return all(
        (node in given) == collider
        for node, collider in _junctions(arrows, trail)
    )


@is_active.mistake(
    "This looks at the children of a collider. Any observed descendant opens "
    "it.",
    example=(
        (_arrows("A -> B <- C, B -> D -> E"), ("A", "B", "C"), {"E"}),
        False,
    ),
)
def _children_only(arrows, trail, given):
    return _gets_through(arrows, trail, given, _one_generation(arrows, given))


@is_active.mistake(
    "One open junction is not enough: information must pass all of them.",
    example=(
        (_arrows("A -> B <- C -> D"), ("A", "B", "C", "D"), {"B", "C"}),
        True,
    ),
)
def _one_is_enough(arrows, trail, given):
    opened = ancestors(arrows, given)
    return len(trail) == 2 or any(
        node in opened if collider else node not in given
        for node, collider in _junctions(arrows, trail)
    )


@is_active.mistake(
    "An observed descendant opens a collider, but it does not shut a chain "
    "node or a fork.",
    example=((_arrows("A -> B -> C, B -> D"), ("A", "B", "C"), {"D"}), False),
)
def _descendants_shut(arrows, trail, given):
    opened = ancestors(arrows, given)
    return all(
        (node in opened) == collider
        for node, collider in _junctions(arrows, trail)
    )


@is_active.mistake(
    "A collider is opened by what descends from it, not by its ancestors.",
    example=((_arrows("A -> B <- C, D -> B"), ("A", "B", "C"), {"D"}), True),
)
def _ancestors_open(arrows, trail, given):
    return _gets_through(arrows, trail, given, _descendants(arrows, given))


@is_active.mistake(
    "A trail may run against the arrows.",
    example=((_arrows("A <- B -> C"), ("A", "B", "C"), set()), False),
)
def _one_way(arrows, trail, given):
    return is_active(arrows, trail, given) and (
        set(pairwise(trail)) <= arrows or set(pairwise(trail[::-1])) <= arrows
    )


@is_active.mistake(
    "This is upside down: it says whether the trail is blocked.",
    example=((_arrows("A -> B -> C"), ("A", "B", "C"), {"B"}), True),
)
def _blocked(arrows, trail, given):
    return not is_active(arrows, trail, given)


# -- moral_edges ----------------------------------------------------------


@exercise(
    (_arrows("X -> C <- Y"),),
    (_CHAIN,),
    (_arrows("B <- A -> C"),),
    (_TRIANGLE,),
    (_DIAMOND,),
    (_TWO_WAYS,),
    (_arrows("A -> D <- B, C -> D"),),
)
def moral_edges(arrows):
    """Return the edges of the moral graph, as frozensets of two nodes."""
    return _undirected(graphs.moral_graph(nx.DiGraph(arrows)))


@moral_edges.mistake(
    "Nobody is married here: this is the graph without the heads of its "
    "arrows.",
    example=(
        (_arrows("A -> C <- B, C -> D, A -> E"),),
        {frozenset("AC"), frozenset("BC"), frozenset("CD"), frozenset("AE")},
    ),
)
def _unmarried(arrows):
    return _undirected(nx.DiGraph(arrows))


@moral_edges.mistake(
    "These are the marriages. The arrows become undirected edges as well.",
    example=((_arrows("A -> C <- B, C -> D, A -> E"),), {frozenset("AB")}),
)
def _marriages_only(arrows):
    return {
        frozenset({parent, other})
        for (parent, child), (other, same) in combinations(arrows, 2)
        if child == same
    }


@moral_edges.mistake(
    "This joins the children of a common parent. It is the parents of a "
    "common child who are married.",
    example=(
        (_arrows("A -> C <- B, C -> D, A -> E"),),
        {
            frozenset("AC"),
            frozenset("BC"),
            frozenset("CD"),
            frozenset("AE"),
            frozenset("CE"),
        },
    ),
)
def _siblings_joined(arrows):
    return _unmarried(arrows) | {
        frozenset({child, other})
        for (parent, child), (same, other) in combinations(arrows, 2)
        if parent == same
    }


@moral_edges.mistake(
    "This also joins a node with its grandparents.",
    example=(
        (_arrows("A -> C <- B, C -> D, A -> E"),),
        {
            frozenset("AC"),
            frozenset("BC"),
            frozenset("CD"),
            frozenset("AE"),
            frozenset("AB"),
            frozenset("AD"),
            frozenset("BD"),
        },
    ),
)
def _grandparents_too(arrows):
    return moral_edges(arrows) | {
        frozenset({grandparent, child})
        for grandparent, middle in arrows
        for parent, child in arrows
        if parent == middle
    }


@moral_edges.mistake(
    "An undirected edge is written as frozenset({a, b}), not as a pair.",
    example=(
        (_arrows("A -> C <- B, C -> D, A -> E"),),
        {("A", "C"), ("B", "C"), ("C", "D"), ("A", "E"), ("A", "B")},
    ),
)
def _as_pairs(arrows):
    marriages = _marriages_only(arrows)
    return set(arrows) | {tuple(sorted(pair)) for pair in marriages}


# -- separated ------------------------------------------------------------


def _cut(graph, x, y, given):
    graph = nx.Graph(graph)
    graph.remove_nodes_from(given)
    return not nx.has_path(graph, x, y)


@exercise(
    (_CHAIN, "A", "D", set()),
    (_CHAIN, "A", "D", {"C"}),
    (_COLLIDER, "A", "B", set()),
    (_COLLIDER, "A", "B", {"E"}),
    (_COLLIDER, "A", "E", {"C"}),
    (_DIAMOND, "B", "C", {"A"}),
    (_DIAMOND, "B", "C", {"A", "E"}),
    (_M, "T", "Y", {"M"}),
    (_M, "T", "Y", {"M", "V"}),
    (_TWO_WAYS, "A", "F", {"D"}),
    (_TWO_WAYS, "A", "F", {"B"}),
    (_CLINIC, "asia", "smoke", {"xray", "lung"}),
    (_CLINIC, "asia", "smoke", {"xray", "lung", "dysp"}),
)
def separated(arrows, x, y, given):
    """Return whether the set `given` d-separates the nodes x and y."""
    return graphs.d_separated(nx.DiGraph(arrows), x, y, given)


@separated.mistake(
    "This moralises the whole graph. Keep only the ancestors of the nodes in "
    "question, or an unseen collider connects.",
    example=((_arrows("A -> C <- B, C -> D"), "A", "B", set()), False),
)
def _whole(arrows, x, y, given):
    return _cut(graphs.moral_graph(nx.DiGraph(arrows)), x, y, given)


@separated.mistake(
    "This keeps the ancestors of x and y only: those of the observed nodes "
    "belong to the question, too.",
    example=((_arrows("A -> C <- B, C -> D"), "A", "B", {"D"}), True),
)
def _given_forgotten(arrows, x, y, given):
    graph = nx.DiGraph(arrows)
    return _cut(graphs.ancestral_moral_graph(graph, {x, y}), x, y, given)


@separated.mistake(
    "Nobody is married here, so an observed collider does not connect its "
    "parents.",
    example=(
        (_arrows("A -> C <- B -> E <- C, A -> D <- E"), "A", "E", {"C"}),
        True,
    ),
)
def _not_married(arrows, x, y, given):
    graph = nx.DiGraph(arrows)
    kept = graphs.ancestral_set(graph, {x, y, *given})
    return _cut(graph.subgraph(kept), x, y, given)


@separated.mistake(
    "The observed nodes are not removed.",
    example=((_arrows("A -> B -> C"), "A", "C", {"B"}), False),
)
def _nothing_removed(arrows, x, y, given):
    graph = nx.DiGraph(arrows)
    return _cut(graphs.ancestral_moral_graph(graph, {x, y, *given}), x, y, ())


@separated.mistake(
    "This removes the observed nodes from the graph as it is. Colliders need "
    "the ancestral set and marriages.",
    example=((_arrows("A -> C <- B -> E <- C"), "A", "E", {"C"}), True),
)
def _plain_graph(arrows, x, y, given):
    return _cut(nx.DiGraph(arrows), x, y, given)


@separated.mistake(
    "This is upside down: it says whether x and y are connected.",
    example=((_arrows("A -> B -> C"), "A", "C", set()), True),
)
def _connected(arrows, x, y, given):
    return not separated(arrows, x, y, given)


# -- equivalent -----------------------------------------------------------


def _v_structures(arrows):
    return graphs.v_structures(nx.DiGraph(arrows))


def _colliders(arrows):
    return {
        (frozenset({parent, other}), child)
        for (parent, child), (other, same) in combinations(arrows, 2)
        if child == same
    }


@exercise(
    (_CHAIN, _arrows("A <- B <- C <- D")),
    (_CHAIN, _arrows("A -> B -> C <- D")),
    (_CHAIN, _arrows("A -> C -> B -> D")),
    (_arrows("X -> C <- Y"), _arrows("X -> C -> Y")),
    (_arrows("A -> B <- C -> D"), _arrows("A -> B -> C <- D")),
    (_TRIANGLE, _arrows("A <- B <- C -> A")),
    (_TRIANGLE, _arrows("A -> B -> C")),
    (_arrows("X -> C <- Y"), _arrows("X -> C <- Y -> X")),
    (_DIAMOND, _arrows("B -> A -> C -> D <- B, D -> E")),
    (_DIAMOND, _arrows("A -> B -> D <- C <- A, E -> D")),
)
def equivalent(arrows, others):
    """Return whether two graphs are Markov equivalent."""
    return graphs.markov_equivalent(nx.DiGraph(arrows), nx.DiGraph(others))


@equivalent.mistake(
    "This compares the skeletons only; a chain and a collider have the same.",
    example=((_arrows("A -> B -> C"), _arrows("A -> B <- C")), True),
)
def _same_skeleton(arrows, others):
    return _unmarried(arrows) == _unmarried(others)


@equivalent.mistake(
    "This compares the v-structures only; graphs without any can have "
    "different skeletons.",
    example=((_arrows("A -> B -> C"), _arrows("A -> B -> C <- A")), True),
)
def _same_v_structures(arrows, others):
    return _v_structures(arrows) == _v_structures(others)


@equivalent.mistake(
    "A collider counts only if its parents are not adjacent.",
    example=(
        (_arrows("A -> B -> C <- A"), _arrows("A -> C -> B <- A")),
        False,
    ),
)
def _same_colliders(arrows, others):
    return _same_skeleton(arrows, others) and (
        _colliders(arrows) == _colliders(others)
    )


@equivalent.mistake(
    "Equally many v-structures need not be the same v-structures.",
    example=((_arrows("A -> B <- C <- D"), _arrows("A <- B -> C <- D")), True),
)
def _as_many_v_structures(arrows, others):
    return _same_skeleton(arrows, others) and (
        len(_v_structures(arrows)) == len(_v_structures(others))
    )


@equivalent.mistake(
    "The same moral graph is not enough: a marriage and an arrow look alike "
    "in it.",
    example=((_arrows("A -> B <- C"), _arrows("A -> B -> C <- A")), True),
)
def _same_moral_graph(arrows, others):
    return moral_edges(arrows) == moral_edges(others)


@equivalent.mistake(
    "This requires the same graph. Some arrows may be turned.",
    example=((_arrows("A -> B -> C"), _arrows("A <- B <- C")), False),
)
def _identical(arrows, others):
    return arrows == others
