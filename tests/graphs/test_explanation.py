"""Trails and explanations against all permutations of the nodes."""

from itertools import (
    combinations,
    pairwise,
    product,
)

import networkx as nx
import pytest
from graph_truth import (
    all_trails,
    descendants,
    is_active,
    random_queries,
)

from bayesbook import graphs
from bayesbook.graphs import parse


@pytest.mark.parametrize("seed", range(10))
def test_trails_are_all_of_them_in_order(seed):
    graph = graphs.random_dag(6, 0.1 + 0.08 * seed, rng=seed)
    edges, nodes = set(graph.edges), sorted(graph)
    by_length = {"key": lambda trail: (len(trail), trail)}
    one = sorted(all_trails(edges, nodes, "A", "B"), **by_length)
    assert list(graphs.trails(graph, "A", "B")) == one
    x, y = {"A", "C"}, {"B", "E"}
    both = [
        trail
        for a, b in product(x, y)
        for trail in all_trails(edges, nodes, a, b)
        if not set(trail[1:-1]) & (x | y)
    ]
    assert list(graphs.trails(graph, x, y)) == sorted(both, **by_length)


def test_every_trail_of_an_explanation_is_judged_by_the_definition():
    for graph, x, y, known in random_queries(150, seed=3):
        edges = set(graph.edges)
        reason = graphs.explain(graph, x, y, known)
        everything = list(graphs.trails(graph, x, y))
        assert reason.more == (len(everything) > 20)
        assert len(reason.trails) == min(len(everything), 20)
        for trail in reason.trails:
            assert trail.nodes in everything
            assert trail.active == is_active(edges, trail.nodes, known)
            assert (trail.blocked_at == ()) == trail.active
            steps = zip(pairwise(trail.nodes), trail.arrows, strict=True)
            for (a, b), arrow in steps:
                assert ((a, b) if arrow == "→" else (b, a)) in edges
            for junction in trail.junctions:
                witness = junction.observed_descendant
                if witness is not None:
                    assert witness in known
                    assert witness in descendants(edges, junction.node)


CASES = {
    ("X <- W -> Y", "W"): """\
X and Y are d-separated given W: the only trail, X ← W → Y, is blocked at \
W, a fork that is observed.
  X ← W → Y: blocked at W, a fork that is observed""",
    ("X <- W -> Y", ""): """\
X and Y are not d-separated: the trail X ← W → Y is open, because the fork \
W is not observed.
  X ← W → Y: open, because the fork W is not observed""",
    ("X -> C <- Y", ""): """\
X and Y are d-separated: the only trail, X → C ← Y, is blocked at C, a \
collider that is not observed and has no observed descendant.
  X → C ← Y: blocked at C, a collider that is not observed and has no \
observed descendant""",
    ("X -> C <- Y", "C"): """\
X and Y are not d-separated given C: the trail X → C ← Y is open, because \
the collider C is observed.
  X → C ← Y: open, because the collider C is observed""",
    ("X -> C <- Y, C -> E -> D", "D"): """\
X and Y are not d-separated given D: the trail X → C ← Y is open, because \
the collider C has the observed descendant D.
  X → C ← Y: open, because the collider C has the observed descendant D""",
    ("X -> Y, D", "D"): """\
X and Y are not d-separated given D: the edge X → Y is open, because \
nothing blocks an edge.
  X → Y: open, because nothing blocks an edge""",
    ("X -> M, Y", ""): """\
X and Y are d-separated: no trail connects them.""",
    ("X -> A -> Y, X -> B -> Y", "AB"): """\
X and Y are d-separated given A and B: both trails are blocked, one at A, a \
chain node that is observed, and one at B, a chain node that is observed.
  X → A → Y: blocked at A, a chain node that is observed
  X → B → Y: blocked at B, a chain node that is observed""",
    ("X -> A -> M -> Y, A <- B -> M", "M"): """\
X and Y are d-separated given M: both trails are blocked at M, a chain node \
that is observed.
  X → A → M → Y: blocked at M, a chain node that is observed
  X → A ← B → M → Y: blocked at M, a chain node that is observed""",
    ("X -> A -> Y, X -> B -> Y, X -> C -> Y, X -> D -> Y", "ABCD"): """\
X and Y are d-separated given A, B, C and D: all 4 trails are blocked.
  X → A → Y: blocked at A, a chain node that is observed
  X → B → Y: blocked at B, a chain node that is observed
  X → C → Y: blocked at C, a chain node that is observed
  X → D → Y: blocked at D, a chain node that is observed""",
    ("X <- A <- B -> C <- Y, C -> D", "D"): """\
X and Y are not d-separated given D: the trail X ← A ← B → C ← Y is open, \
because the collider C has the observed descendant D and no other node \
inside the trail is observed.
  X ← A ← B → C ← Y: open, because the collider C has the observed \
descendant D and no other node inside the trail is observed""",
    ("X -> C <- B -> D <- Y", "CD"): """\
X and Y are not d-separated given C and D: the trail X → C ← B → D ← Y is \
open, because the collider C is observed, the fork B is not observed and the \
collider D is observed.
  X → C ← B → D ← Y: open, because the collider C is observed, the fork B is \
not observed and the collider D is observed""",
    ("X <- A <- B -> Y", ""): """\
X and Y are not d-separated: the trail X ← A ← B → Y is open, because no \
node inside the trail is observed.
  X ← A ← B → Y: open, because no node inside the trail is observed""",
}


@pytest.mark.parametrize(("text", "known"), CASES)
def test_an_explanation_in_words(text, known):
    reason = graphs.explain(parse(text), "X", "Y", list(known))
    assert str(reason) == CASES[text, known]
    assert reason.sentence == str(reason).split("\n")[0]


def test_an_explanation_of_sets_names_the_pair():
    graph = parse("A -> B <- C, D")
    assert graphs.explain(graph, {"D", "A"}, "C", "B").sentence == (
        "{A, D} and C are not d-separated given B, because A and C are not: "
        "the trail A → B ← C is open, because the collider B is observed."
    )
    assert graphs.explain(graph, "D", {"A", "C"}).sentence == (
        "D and {A, C} are d-separated: no trail connects them."
    )


def test_of_sets_only_trails_that_meet_each_once_are_counted():
    # A ← B → C → D passes another node of the set, and is left out.
    graph = parse("A <- B -> C -> D")
    assert graphs.explain(graph, {"A", "B"}, "D", "C").sentence == (
        "{A, B} and D are d-separated given C: the only trail that meets "
        "each set once, B → C → D, is blocked at C, a chain node that is "
        "observed."
    )
    graph = parse("A <- B -> C -> D, A <- E -> D")
    assert graphs.explain(graph, {"A", "B"}, "D", {"C", "E"}).sentence == (
        "{A, B} and D are d-separated given C and E: both trails that meet "
        "each set once are blocked, one at E, a fork that is observed, and "
        "one at C, a chain node that is observed."
    )
    every = {t for x in "AB" for t in graphs.trails(graph, x, "D")}
    assert every - {*graphs.trails(graph, {"A", "B"}, "D")} == {
        tuple("ABCD"),
        tuple("BAED"),
    }


def test_of_several_observed_descendants_the_first_is_named():
    below = [f"D{i}" for i in range(2, 20)]
    graph = parse("X -> C <- Y")
    graph.add_edges_from(("C", node) for node in reversed(below))
    (trail,) = graphs.explain(graph, "X", "Y", below).trails
    assert trail.junctions[0].observed_descendant == "D2"


def test_many_observed_nodes_are_counted():
    graph = graphs.random_dag(11, 0, rng=0)
    assert graphs.explain(graph, "A", "B", set("CDEFGHIJK")).sentence == (
        "A and B are d-separated given 9 observed nodes: no trail connects "
        "them."
    )


def two_rows_of_diamonds(n):
    """Make X = D0 and Dn = Y with 2**n trails between them."""
    return parse(
        ", ".join(
            f"D{i} -> A{i} -> D{i + 1}, D{i} -> B{i} -> D{i + 1}"
            for i in range(n)
        )
    )


def test_of_a_billion_trails_twenty_are_shown():
    graph = two_rows_of_diamonds(30)
    blocked = graphs.explain(graph, "D0", "D30", "D15")
    assert len(blocked.trails) == 20
    assert blocked.more
    assert blocked.sentence == (
        "D0 and D30 are d-separated given D15: more than 20 trails connect "
        "them, and all are blocked."
    )
    assert str(blocked).endswith("\n  … and more trails, all of them blocked")
    # The only active trails come last: they take B at every diamond.
    known = [f"A{i}" for i in range(30)]
    found = graphs.explain(graph, "D0", "D30", known)
    assert [trail.active for trail in found.trails] == [False] * 19 + [True]
    assert set("".join(found.trails[-1].nodes[1::2])) & set("AB") == {"B"}
    assert str(found).endswith("\n  … and more trails, not listed")


def test_a_maze_without_exit_costs_no_time():
    # From A the trails enter a clique that they cannot leave again.
    graph = parse("X -> A -> Y")
    clique = [f"C{i}" for i in range(12)]
    graph.add_edges_from(combinations(clique, 2))
    graph.add_edges_from(("A", node) for node in clique)
    assert list(graphs.trails(graph, "X", "Y")) == [("X", "A", "Y")]


def test_long_chains_do_not_exhaust_the_stack():
    nodes = [f"N{i}" for i in range(1100)]
    graph = nx.DiGraph(pairwise(nodes))
    assert graphs.active_trail(graph, "N0", "N1099") == tuple(nodes)
    assert graphs.explain(graph, "N0", "N1099", "N700").trails[
        0
    ].blocked_at == ("N700",)


def test_explanations_can_be_compared_but_not_changed():
    graph = parse("X -> C <- Y")
    reason = graphs.explain(graph, "X", "Y")
    assert reason == graphs.explain(graph, ["X"], ["Y"], [])
    with pytest.raises(AttributeError):
        reason.separated = False
