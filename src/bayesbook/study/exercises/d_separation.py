"""The coding exercises of the chapter *d-separation*.

A graph is a set of arrows, each a pair of parent and child.
"""

from itertools import combinations, pairwise

import networkx as nx

from bayesbook import graphs
from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]


def _arrows(text):
    return set(graphs.parse(text).edges)


def _undirected(graph):
    return set(map(frozenset, graph.edges))


_CHAIN = _arrows("A -> B -> C -> D")
_COLLIDER = _arrows("A -> C <- B, C -> D -> E")
_DIAMOND = _arrows("A -> B -> D <- C <- A, D -> E")
_TRIANGLE = _arrows("A -> B -> C <- A")
_TWO_WAYS = _arrows("A -> C <- B, B -> F -> E <- C, C -> D")
_M = _arrows("T <- U -> M <- V -> Y")
_CLINIC = _arrows(
    "asia -> tub -> either <- lung <- smoke -> bronc -> dysp <- either -> xray"
)

# -- ancestors(arrows, nodes) ---------------------------------------------


def _ancestors(arrows, nodes):
    return set(graphs.ancestral_set(nx.DiGraph(arrows), nodes))


def _one_generation(arrows, nodes):
    return set(nodes) | {a for a, b in arrows if b in nodes}


def _without_themselves(arrows, nodes):
    return _ancestors(arrows, nodes) - set(nodes)


def _descendants(arrows, nodes):
    return _ancestors({(b, a) for a, b in arrows}, nodes)


def _all_that_is_joined(arrows, nodes):
    parts = nx.connected_components(nx.Graph(list(arrows)))
    return set().union(*(part for part in parts if part & nodes))


ancestors = Exercise(
    reference=_ancestors,
    cases=(
        (_CHAIN, {"D"}),
        (_CHAIN, {"A"}),
        (_CHAIN, {"B", "C"}),
        (_COLLIDER, {"E"}),
        (_DIAMOND, {"B", "C"}),
        (_TWO_WAYS, {"D", "F"}),
        (_M, set()),
    ),
    mistakes={
        "These are the nodes and their parents: the parents of parents are "
        "ancestors, too.": _one_generation,
        "The nodes themselves belong to their ancestral set.": (
            _without_themselves
        ),
        "These are descendants: ancestors are found against the arrows.": (
            _descendants
        ),
        "This goes along the arrows and against them, and finds all connected "
        "nodes.": _all_that_is_joined,
    },
)

# -- is_active(arrows, trail, given) --------------------------------------


def _junctions(arrows, trail):
    """Yield each inner node of a trail, and whether it is a collider."""
    for a, node, b in zip(trail, trail[1:], trail[2:], strict=False):
        yield node, {(a, node), (b, node)} <= arrows


def _gets_through(arrows, trail, given, opened):
    """Return whether a trail is active if exactly these colliders are open."""
    return all(
        node in opened if collider else node not in given
        for node, collider in _junctions(arrows, trail)
    )


def _is_active(arrows, trail, given):
    return _gets_through(arrows, trail, given, _ancestors(arrows, given))


def _no_colliders(arrows, trail, given):
    return given.isdisjoint(trail[1:-1])


def _no_descendants(arrows, trail, given):
    return all(
        (node in given) == collider
        for node, collider in _junctions(arrows, trail)
    )


def _children_only(arrows, trail, given):
    return _gets_through(arrows, trail, given, _one_generation(arrows, given))


def _one_is_enough(arrows, trail, given):
    opened = _ancestors(arrows, given)
    return len(trail) == 2 or any(
        node in opened if collider else node not in given
        for node, collider in _junctions(arrows, trail)
    )


def _descendants_shut(arrows, trail, given):
    opened = _ancestors(arrows, given)
    return all(
        (node in opened) == collider
        for node, collider in _junctions(arrows, trail)
    )


def _ancestors_open(arrows, trail, given):
    return _gets_through(arrows, trail, given, _descendants(arrows, given))


def _one_way(arrows, trail, given):
    return _is_active(arrows, trail, given) and (
        set(pairwise(trail)) <= arrows or set(pairwise(trail[::-1])) <= arrows
    )


def _blocked(arrows, trail, given):
    return not _is_active(arrows, trail, given)


is_active = Exercise(
    reference=_is_active,
    cases=(
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
    ),
    mistakes={
        "This treats every node alike. A collider is blocked until it is "
        "observed, not from then on.": _no_colliders,
        "A collider is also opened by an observed descendant.": (
            _no_descendants
        ),
        "This looks at the children of a collider. Any observed descendant "
        "opens it.": _children_only,
        "One open junction is not enough: information must pass all of "
        "them.": _one_is_enough,
        "An observed descendant opens a collider, but it does not shut a "
        "chain node or a fork.": _descendants_shut,
        "A collider is opened by what descends from it, not by its "
        "ancestors.": _ancestors_open,
        "A trail may run against the arrows.": _one_way,
        "This is upside down: it says whether the trail is blocked.": _blocked,
    },
)

# -- moral_edges(arrows) --------------------------------------------------


def _moral_edges(arrows):
    return _undirected(graphs.moral_graph(nx.DiGraph(arrows)))


def _unmarried(arrows):
    return _undirected(nx.DiGraph(arrows))


def _marriages_only(arrows):
    return {
        frozenset({a, b})
        for (a, c), (b, d) in combinations(arrows, 2)
        if c == d
    }


def _siblings_joined(arrows):
    return _unmarried(arrows) | {
        frozenset({a, b})
        for (c, a), (d, b) in combinations(arrows, 2)
        if c == d
    }


def _grandparents_too(arrows):
    return _moral_edges(arrows) | {
        frozenset({a, d}) for a, b in arrows for c, d in arrows if b == c
    }


def _as_pairs(arrows):
    return set(arrows) | {tuple(sorted(m)) for m in _marriages_only(arrows)}


moral_edges = Exercise(
    reference=_moral_edges,
    cases=(
        (_arrows("X -> C <- Y"),),
        (_CHAIN,),
        (_arrows("B <- A -> C"),),
        (_TRIANGLE,),
        (_DIAMOND,),
        (_TWO_WAYS,),
        (_arrows("A -> D <- B, C -> D"),),
    ),
    mistakes={
        "Nobody is married here: this is the graph without the heads of its "
        "arrows.": _unmarried,
        "These are the marriages. The arrows become undirected edges "
        "as well.": (_marriages_only),
        "This joins the children of a common parent. It is the parents of a "
        "common child who are married.": _siblings_joined,
        "This also joins a node with its grandparents.": _grandparents_too,
        "An undirected edge is written as frozenset({a, b}), not as "
        "a pair.": _as_pairs,
    },
)

# -- separated(arrows, x, y, given) ---------------------------------------


def _separated(arrows, x, y, given):
    return graphs.d_separated(nx.DiGraph(arrows), x, y, given)


def _cut(graph, x, y, given):
    graph = nx.Graph(graph)
    graph.remove_nodes_from(given)
    return not nx.has_path(graph, x, y)


def _whole(arrows, x, y, given):
    return _cut(graphs.moral_graph(nx.DiGraph(arrows)), x, y, given)


def _given_forgotten(arrows, x, y, given):
    graph = nx.DiGraph(arrows)
    return _cut(graphs.ancestral_moral_graph(graph, {x, y}), x, y, given)


def _not_married(arrows, x, y, given):
    graph = nx.DiGraph(arrows)
    kept = graphs.ancestral_set(graph, {x, y, *given})
    return _cut(graph.subgraph(kept), x, y, given)


def _nothing_removed(arrows, x, y, given):
    graph = nx.DiGraph(arrows)
    return _cut(graphs.ancestral_moral_graph(graph, {x, y, *given}), x, y, ())


def _plain_graph(arrows, x, y, given):
    return _cut(nx.DiGraph(arrows), x, y, given)


def _connected(arrows, x, y, given):
    return not _separated(arrows, x, y, given)


separated = Exercise(
    reference=_separated,
    cases=(
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
    ),
    mistakes={
        "This moralises the whole graph. Keep only the ancestors of the "
        "nodes in question, or an unseen collider connects.": _whole,
        "This keeps the ancestors of x and y only: those of the observed "
        "nodes belong to the question, too.": _given_forgotten,
        "Nobody is married here, so an observed collider does not connect "
        "its parents.": _not_married,
        "The observed nodes are not removed.": _nothing_removed,
        "This removes the observed nodes from the graph as it is. Colliders "
        "need the ancestral set and marriages.": _plain_graph,
        "This is upside down: it says whether x and y are connected.": (
            _connected
        ),
    },
)

# -- equivalent(arrows, others) -------------------------------------------


def _equivalent(arrows, others):
    return graphs.markov_equivalent(nx.DiGraph(arrows), nx.DiGraph(others))


def _v_structures(arrows):
    return graphs.v_structures(nx.DiGraph(arrows))


def _colliders(arrows):
    return {
        (frozenset({a, b}), c)
        for (a, c), (b, d) in combinations(arrows, 2)
        if c == d
    }


def _same_skeleton(arrows, others):
    return _unmarried(arrows) == _unmarried(others)


def _same_v_structures(arrows, others):
    return _v_structures(arrows) == _v_structures(others)


def _same_colliders(arrows, others):
    return _same_skeleton(arrows, others) and (
        _colliders(arrows) == _colliders(others)
    )


def _as_many_v_structures(arrows, others):
    return _same_skeleton(arrows, others) and (
        len(_v_structures(arrows)) == len(_v_structures(others))
    )


def _same_moral_graph(arrows, others):
    return _moral_edges(arrows) == _moral_edges(others)


def _identical(arrows, others):
    return arrows == others


equivalent = Exercise(
    reference=_equivalent,
    cases=(
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
    ),
    mistakes={
        "This compares the skeletons only; a chain and a collider have the "
        "same.": _same_skeleton,
        "This compares the v-structures only; graphs without any can have "
        "different skeletons.": _same_v_structures,
        "A collider counts only if its parents are not adjacent.": (
            _same_colliders
        ),
        "Equally many v-structures need not be the same v-structures.": (
            _as_many_v_structures
        ),
        "The same moral graph is not enough: a marriage and an arrow look "
        "alike in it.": _same_moral_graph,
        "This requires the same graph. Some arrows may be turned.": _identical,
    },
)

EXERCISES = {
    "ancestors": ancestors,
    "is_active": is_active,
    "moral_edges": moral_edges,
    "separated": separated,
    "equivalent": equivalent,
}
