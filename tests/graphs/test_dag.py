"""Graphs against definitions spelled out, networkx and published counts."""

from collections import Counter, defaultdict
from itertools import (
    chain,
    combinations,
    islice,
    pairwise,
    permutations,
    product,
)

import networkx as nx
import numpy as np
import pytest
from graph_truth import all_dags
from hypothesis import assume, given
from hypothesis import strategies as st

from bayesbook import graphs
from bayesbook.base import GraphError, ProbabilityError
from bayesbook.graphs import parse

# --- The truth: definitions, tried out one trail and one set at a time ----


def subsets(items):
    items = list(items)
    sizes = range(len(items) + 1)
    return list(chain(*(combinations(items, k) for k in sizes)))


def all_trails(edges, nodes, x, y):
    """List the sequences of different nodes that follow edges, x to y."""
    inner = [node for node in nodes if node not in (x, y)]
    for k in range(len(inner) + 1):
        for middle in permutations(inner, k):
            trail = (x, *middle, y)
            steps = list(pairwise(trail))
            if all((a, b) in edges or (b, a) in edges for a, b in steps):
                yield trail


def descendants(edges, node):
    """Give the node and whatever a chain of arrows leads to."""
    found = {node}
    while new := {b for a, b in edges if a in found} - found:
        found |= new
    return found


def is_active(edges, trail, known):
    """Tell whether no node inside the trail blocks it: Pearl's definition."""
    for a, b, c in zip(trail, trail[1:], trail[2:], strict=False):
        if (a, b) in edges and (c, b) in edges:
            if not descendants(edges, b) & set(known):
                return False
        elif b in known:
            return False
    return True


def separated_by_definition(graph, x, y, known=()):
    edges, nodes = set(graph.edges), list(graph)
    return not any(
        is_active(edges, trail, known)
        for a, b in product(x, y)
        for trail in all_trails(edges, nodes, a, b)
    )


def edge_set(graph):
    return frozenset(graph.edges)


def separations(graph):
    """Give all d-separations of two nodes, as networkx sees them."""
    return frozenset(
        (x, y, known)
        for x, y in combinations(sorted(graph), 2)
        for known in subsets(sorted(graph.nodes - {x, y}))
        if nx.is_d_separator(graph, x, y, set(known))
    )


def by_separations(nodes):
    """Group all DAGs over the nodes by the d-separations they imply."""
    groups = defaultdict(list)
    for graph in all_dags(nodes):
        groups[separations(graph)].append(graph)
    return list(groups.values())


@pytest.fixture(scope="module")
def classes():
    return by_separations("ABCD")


def random_queries(count, seed, queries=4):
    """Yield random DAGs of 4 to 8 nodes, each with disjoint random sets."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(4, 9))
        graph = graphs.random_dag(n, rng.uniform(0.1, 0.7), rng=rng)
        for _ in range(queries):
            nodes = [str(node) for node in rng.permutation(sorted(graph))]
            i, j = 1, 2
            if rng.random() < 0.5:
                i, j = sorted(rng.choice(range(1, n), 2, replace=False))
            k = rng.integers(j, n + 1)
            yield graph, set(nodes[:i]), set(nodes[i:j]), set(nodes[j:k])


@st.composite
def split_graphs(draw, parts):
    """Draw a DAG, and disjoint sets of its nodes, the first ones not empty."""
    seed = draw(st.integers(0, 10**6))
    graph = graphs.random_dag(
        draw(st.integers(4, 7)), draw(st.floats(0, 1)), rng=seed
    )
    place = st.integers(0, parts)
    sets = [set() for _ in range(parts + 1)]
    for node in graph:
        sets[draw(place)].add(node)
    return graph, *sets[:parts]


# --- Reading and checking graphs ------------------------------------------


@pytest.mark.parametrize(
    ("text", "nodes", "edges"),
    [
        ("X -> Y <- Z, Y -> W, V", "XYZWV", ["XY", "ZY", "YW"]),
        ("Y <- X -> Z", "YXZ", ["XY", "XZ"]),
        ("A→B;B←C\n\nD,", "ABCD", ["AB", "CB"]),
        ("\r\nB->A,\r\n C", "BAC", ["BA"]),
        ("Q", "Q", []),
        ("A -> B, A -> B -> C", "ABC", ["AB", "BC"]),
    ],
)
def test_a_text_is_read_as_it_is_drawn(text, nodes, edges):
    graph = parse(text)
    assert list(graph) == list(nodes)
    assert set(graph.edges) == {tuple(edge) for edge in edges}


def test_names_may_be_words():
    assert list(parse("x_1 -> Größe2 -> 30").edges) == [
        ("x_1", "Größe2"),
        ("Größe2", "30"),
    ]


@pytest.mark.parametrize(
    ("text", "token", "line", "column", "problem"),
    [
        ("A -- B", "--", 1, 2, "an arrow, -> or <-, or a comma"),
        ("A <-> B", "<->", 1, 2, "an arrow, -> or <-, or a comma"),
        ("A, B C", "C", 1, 5, "an arrow, -> or <-, or a comma"),
        ("A\n-> B", "->", 2, 0, "a node"),
        ("A -> -> B", "->", 1, 5, "a node"),
        ("A, B ->\nC", "->", 1, 5, "no node follows"),
        ("A;\n B <- C <-", "<-", 2, 8, "no node follows"),
    ],
)
def test_an_unreadable_token_is_pointed_at(text, token, line, column, problem):
    with pytest.raises(GraphError) as caught:
        parse(text)
    message, shown, pointer = str(caught.value).split("\n")
    assert message.startswith(f"Cannot read {token!r} in line {line}: ")
    assert problem in message
    assert shown == "  " + text.split("\n")[line - 1]
    assert pointer == "  " + " " * column + "^" * len(token)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.Graph([("A", "B")]), "networkx.DiGraph, not a Graph;"),
        (nx.MultiDiGraph([("A", "B")]), "not a MultiDiGraph;"),
        ({"A": ["B"]}, "not a dict;"),
        (nx.DiGraph(), "The graph is empty"),
        (nx.DiGraph([("A", "B"), ("B", "B")]), "self loop B → B;"),
        (nx.DiGraph(["ZA", "AB", "BC", "CA"]), "cycle A → B → C → A;"),
        (nx.DiGraph(["AB", "BA"]), "cycle A → B → A;"),
    ],
)
def test_what_is_not_a_dag_is_refused(graph, message):
    with pytest.raises(GraphError, match=message):
        graphs.check_dag(graph)


@pytest.mark.parametrize(
    "question",
    [
        graphs.topological_order,
        graphs.topological_orders,
        graphs.factorisation,
        graphs.moral_graph,
        graphs.local_markov,
        graphs.independences,
        graphs.skeleton,
        graphs.v_structures,
        graphs.cpdag,
        graphs.equivalence_class,
        lambda graph: graphs.ancestral_set(graph, "A"),
        lambda graph: graphs.ancestral_moral_graph(graph, "A"),
        lambda graph: graphs.d_connected_to(graph, "A"),
        lambda graph: graphs.d_separated(graph, "A", "B"),
        lambda graph: graphs.d_separated_by_moralisation(graph, "A", "B"),
        lambda graph: graphs.separated_in_whole_moral_graph(graph, "A", "B"),
        lambda graph: graphs.trails(graph, "A", "B"),
        lambda graph: graphs.active_trail(graph, "A", "B"),
        lambda graph: graphs.explain(graph, "A", "B"),
        lambda graph: graphs.markov_equivalent(graph, parse("A, B, C")),
        lambda graph: graphs.markov_equivalent(parse("A, B, C"), graph),
    ],
)
def test_every_question_checks_its_graph_at_once(question):
    with pytest.raises(GraphError, match="cycle A → B → C → A"):
        question(nx.DiGraph(["AB", "BC", "CA"]))


def test_what_is_not_text_is_not_read():
    with pytest.raises(GraphError, match=r"not from \['A'\]"):
        parse(["A"])
    with pytest.raises(GraphError, match="cycle A → B → A"):
        parse("A -> B -> A")


# --- Random graphs --------------------------------------------------------


def test_random_dags_have_as_many_edges_as_asked():
    all_graphs = [graphs.random_dag(6, 0.3, rng=seed) for seed in range(400)]
    assert all(nx.is_directed_acyclic_graph(graph) for graph in all_graphs)
    edges = [graph.number_of_edges() for graph in all_graphs]
    # Binomial with 15 edges: standard error of the mean 0.089.
    assert abs(np.mean(edges) - 4.5) < 4 * 0.089
    directions = Counter(chain(*(graph.edges for graph in all_graphs)))
    assert len(directions) == 30


def test_random_dags_repeat():
    first, again = (
        graphs.random_dag(8, 0.5, rng=7),
        graphs.random_dag(8, 0.5, rng=7),
    )
    assert list(first.edges) == list(again.edges)
    rng = np.random.default_rng(7)
    drawn = (
        graphs.random_dag(8, 0.5, rng=rng),
        graphs.random_dag(8, 0.5, rng=rng),
    )
    assert list(drawn[0].edges) == list(first.edges)
    assert list(drawn[1].edges) != list(first.edges)


def test_names_of_random_dags():
    assert (
        "".join(graphs.random_dag(26, 0, rng=1))
        == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    )
    many = graphs.random_dag(27, 1, rng=1)
    assert list(many) == [f"X{i}" for i in range(1, 28)]
    assert many.number_of_edges() == 27 * 26 / 2


@pytest.mark.parametrize("n", [0, -1, 2.5, "3", True])
def test_a_number_of_nodes_must_be_one(n):
    with pytest.raises(GraphError, match=f"nodes, not {n!r}"):
        graphs.random_dag(n, 0.5, rng=0)


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan"), "1/2"])
def test_the_probability_of_an_edge_must_be_one(p):
    with pytest.raises(ProbabilityError, match=f"not {p!r}"):
        graphs.random_dag(3, p, rng=0)


# --- Orders and factors ---------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_orders_are_the_permutations_with_parents_first(seed):
    graph = graphs.random_dag(5, seed / 11, rng=seed)
    truth = [
        list(order)
        for order in permutations(sorted(graph))
        if all(order.index(a) < order.index(b) for a, b in graph.edges)
    ]
    assert list(graphs.topological_orders(graph)) == truth
    assert graphs.topological_order(graph) == truth[0]


def test_the_first_of_many_orders_comes_at_once():
    graph = nx.empty_graph(200, create_using=nx.DiGraph)
    assert next(graphs.topological_orders(graph)) == list(range(200))


def test_factors_in_topological_order():
    text = "X10 -> X2 <- X1, X2 -> A"
    assert graphs.product_formula(parse(text)) == (
        "P(X1) P(X10) P(X2 | X1, X10) P(A | X2)"
    )
    assert graphs.product_formula(parse("Q")) == "P(Q)"


# --- d-separation ---------------------------------------------------------


def test_three_algorithms_agree_on_2000_random_dags():
    answers = Counter()
    for graph, x, y, known in random_queries(2000, seed=0, queries=3):
        truth = nx.is_d_separator(graph, x, y, known)
        assert graphs.d_separated(graph, x, y, known) == truth
        assert graphs.d_separated_by_moralisation(graph, x, y, known) == truth
        whole = graphs.separated_in_whole_moral_graph(graph, x, y, known)
        # The popular recipe is sufficient, not necessary.
        assert truth or not whole
        answers[truth, whole] += 1
    # Both answers are tried often, and the recipe's failure too.
    assert min(answers.values()) > 150
    assert set(answers) == {(True, True), (True, False), (False, False)}


def test_the_definition_agrees_and_the_active_trail_is_the_first():
    separated = 0
    for graph, x, y, known in random_queries(150, seed=1, queries=2):
        edges, nodes = set(graph.edges), sorted(graph)
        truth = [
            trail
            for a, b in product(x, y)
            for trail in all_trails(edges, nodes, a, b)
            if is_active(edges, trail, known)
            and not set(trail[1:-1]) & (x | y)
        ]
        first = min(truth, key=lambda trail: (len(trail), trail), default=None)
        assert graphs.active_trail(graph, x, y, known) == first
        reason = graphs.explain(graph, x, y, known)
        assert bool(reason) == reason.separated == (first is None)
        separated += first is None
    assert 60 < separated < 240


@pytest.mark.parametrize("nodes", ["ABC", "ABCD"])
def test_the_definition_agrees_on_every_small_dag(nodes):
    for graph in all_dags(nodes):
        for x, y in combinations(nodes, 2):
            for known in subsets(set(nodes) - {x, y}):
                truth = separated_by_definition(graph, x, y, known)
                assert graphs.d_separated(graph, x, y, known) == truth


def test_connected_are_those_that_are_not_separated():
    for graph, x, _, known in random_queries(150, seed=2):
        assert graphs.d_connected_to(graph, x, known) == {
            node
            for node in graph.nodes - x - known
            if not nx.is_d_separator(graph, x, {node}, known)
        }


def test_the_collider_refutes_the_popular_recipe():
    graph = parse("X -> C <- Y")
    assert graphs.d_separated(graph, "X", "Y")
    assert not graphs.separated_in_whole_moral_graph(graph, "X", "Y")
    assert not graphs.d_separated(graph, "X", "Y", "C")


def test_pearls_example_of_the_sprinkler():
    graph = parse("1 -> 2 -> 4 -> 5, 1 -> 3 -> 4")
    assert graphs.d_separated(graph, "2", "3", "1")
    assert not graphs.d_separated(graph, "2", "3", {"1", "5"})


@given(split_graphs(parts=4))
def test_d_separation_is_a_semi_graphoid(drawn):
    graph, x, y, z, w = drawn
    assume(x and y and w)

    def separated(x, y, known):
        return graphs.d_separated(graph, x, y, known)

    assert separated(x, y, z) == separated(y, x, z)
    joint = separated(x, y | w, z)
    # Decomposition, weak union; contraction; composition, which not every
    # semi-graphoid has, but d-separation does.
    if joint:
        assert separated(x, y, z)
        assert separated(x, y, z | w)
    if separated(x, y, z | w) and separated(x, w, z):
        assert joint
    assert joint == (separated(x, y, z) and separated(x, w, z))


def test_a_tuple_that_is_a_node_is_one():
    graph = nx.DiGraph([(("X", 1), ("X", 2)), (("X", 2), ("X", 10))])
    assert graphs.d_separated(graph, ("X", 1), ("X", 10), ("X", 2))
    assert graphs.topological_order(graph) == [("X", 1), ("X", 2), ("X", 10)]
    assert graphs.d_connected_to(graph, (("X", 1), ("X", 10))) == {("X", 2)}


def test_collections_of_any_kind_name_sets():
    graph = parse("A -> B -> C, D")
    for kind in (list, tuple, set, frozenset, iter, dict.fromkeys):
        assert graphs.d_separated(graph, kind("A"), kind("CD"), kind("B"))


def test_nodes_of_mixed_types():
    graph = nx.DiGraph([(1, "1"), ("1", 2.5), (type(None), "1"), (10, 2)])
    assert graphs.topological_order(graph) == [1, 10, 2, type(None), "1", 2.5]
    assert graphs.v_structures(graph) == {(1, "1", type(None))}
    assert graphs.explain(graph, 1, 2.5, "1")


@pytest.mark.parametrize(
    ("x", "y", "known", "message"),
    [
        ("Rian", "Wet", (), "'Rian' is not .*. Did you mean 'Rain'"),
        ("Rain", "wet", (), "Did you mean 'Wet'"),
        ("Rain", "Wet", ["Q", "Z"], "'Z' is not a node of the graph; its nod"),
        ("Rain", "Wet", {7}, "7 is not a node of the graph; its nodes are 'Q"),
        ("Rain", 7, (), "7 is not a node"),
        ("Rain", None, (), "None is not a node"),
        ([], "Wet", (), "x is empty: name at least one node"),
        ("Rain", set(), (), "y is empty"),
        ("Rain", "Rain", (), "'Rain' is in both x and y"),
        ("Rain", "Wet", "Wet", "'Wet' is in both y and given"),
        ({"Q", "Rain"}, "Wet", {"Rain", "Q"}, "'Q' is in both x and given"),
    ],
)
@pytest.mark.parametrize(
    "question",
    [
        graphs.d_separated,
        graphs.d_separated_by_moralisation,
        graphs.separated_in_whole_moral_graph,
        graphs.active_trail,
        graphs.explain,
    ],
)
def test_a_query_that_makes_no_sense(question, x, y, known, message):
    graph = parse("Rain -> Wet, Q")
    with pytest.raises(GraphError, match=message):
        question(graph, x, y, known)


def test_other_queries_that_make_no_sense():
    graph = parse("A -> B")
    with pytest.raises(GraphError, match="'A' is in both x and y"):
        graphs.trails(graph, "A", {"A", "B"})
    with pytest.raises(GraphError, match="source is empty"):
        graphs.d_connected_to(graph, ())
    with pytest.raises(GraphError, match="'A' is in both source and given"):
        graphs.d_connected_to(graph, "A", "A")
    with pytest.raises(GraphError, match="'AB' is not a node"):
        graphs.ancestral_set(graph, "AB")
    with pytest.raises(GraphError, match="nodes is empty"):
        graphs.ancestral_moral_graph(graph, ())
    with pytest.raises(GraphError, match=r"'X1', 'X2', .*'X8', …"):
        graphs.ancestral_set(graphs.random_dag(30, 0, rng=0), "?")


# --- Trails and explanations ----------------------------------------------


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


# --- Moral graphs ---------------------------------------------------------


def test_moral_and_ancestral_graphs_as_networkx_has_them():
    for graph, x, _, _ in random_queries(200, seed=4, queries=1):
        moral, truth = graphs.moral_graph(graph), nx.moral_graph(graph)
        assert moral.nodes == truth.nodes
        assert nx.utils.edges_equal(moral.edges, truth.edges)
        older = set(x).union(*(nx.ancestors(graph, node) for node in x))
        assert graphs.ancestral_set(graph, x) == older
        truth = nx.moral_graph(graph.subgraph(older))
        moral = graphs.ancestral_moral_graph(graph, x)
        assert moral.nodes == truth.nodes
        assert nx.utils.edges_equal(moral.edges, truth.edges)


def test_no_ancestors_of_nothing():
    assert graphs.ancestral_set(parse("A -> B"), ()) == frozenset()


# --- Independences --------------------------------------------------------


def test_local_markov_is_true_and_leaves_nothing_out():
    for graph in all_dags("ABCD"):
        said = {
            statement.x[0]: statement
            for statement in graphs.local_markov(graph)
        }
        for node in graph:
            later = descendants(set(graph.edges), node)
            parents = {a for a, b in graph.edges if b == node}
            others = set(graph) - later - parents
            if others:
                assert set(said[node].y) == others
                assert set(said[node].given) == parents
                assert separated_by_definition(graph, node, others, parents)
            else:
                assert node not in said


def test_all_independences_of_all_graphs_of_four_nodes():
    for graph in all_dags("ABCD"):
        listed = list(graphs.independences(graph))
        truth = {((x,), (y,), known) for x, y, known in separations(graph)}
        assert set(listed) == truth
        assert len(listed) == len(truth)
        assert listed == sorted(
            listed, key=lambda s: (s.x, s.y, len(s.given), s.given)
        )
        assert all(
            graphs.d_separated(graph, *statement) for statement in listed
        )


def test_an_independence_in_symbols():
    assert str(graphs.Independence(("X",), ("Y", "Z"))) == "X ⊥ Y, Z"
    assert (
        str(graphs.Independence(("X",), ("Y",), ("A", "B"))) == "X ⊥ Y | A, B"
    )


# --- Markov equivalence ---------------------------------------------------


@pytest.mark.parametrize(
    ("nodes", "n_graphs", "expected"),
    # Robinson (1977) counts DAGs, Gillispie and Perlman (2001) classes.
    [("ABC", 25, 11), ("ABCD", 543, 185)],
)
def test_as_many_classes_as_published(nodes, n_graphs, expected):
    dags = list(all_dags(nodes))
    assert len(dags) == n_graphs
    assert len({edge_set(graphs.cpdag(graph)) for graph in dags}) == expected
    assert len(by_separations(nodes)) == expected


def test_a_cpdag_has_the_arrows_that_all_members_share(classes):
    for members in classes:
        union = frozenset().union(*map(edge_set, members))
        assert all(edge_set(graphs.cpdag(graph)) == union for graph in members)


def test_the_class_of_a_graph_is_all_that_share_its_separations(classes):
    for members in classes:
        truth = set(map(edge_set, members))
        for graph in members:
            found = list(map(edge_set, graphs.equivalence_class(graph)))
            assert found[0] == edge_set(graph)
            assert len(found) == len(truth)
            assert set(found) == truth


def test_equivalent_is_having_the_same_separations(classes):
    one_each = [members[0] for members in classes]
    for members in classes:
        for graph in members[:2]:
            equal = [
                graphs.markov_equivalent(graph, other) for other in one_each
            ]
            assert sum(equal) == 1
            assert one_each[equal.index(True)] is members[0]


def test_meeks_third_rule_is_needed():
    # The v-structure C → B ← D, and A beside all three, forces A → B.
    graph = parse("C -> B <- D, A -> B, A -> C, A -> D")
    directed = {("C", "B"), ("D", "B"), ("A", "B")}
    edges = set(graphs.cpdag(graph).edges)
    assert {edge for edge in edges if edge[::-1] not in edges} == directed


def test_a_long_cpdag_is_found_arrow_by_arrow():
    # Each arrow follows from the one before it: 3000 rounds of the rules.
    chain = [(i, i + 1) for i in range(3000)]
    graph = nx.DiGraph([("Z", 1), *chain])
    assert edge_set(graphs.cpdag(graph)) == edge_set(graph)
    graph.remove_node("Z")
    both = {(b, a) for a, b in chain} | set(chain)
    assert edge_set(graphs.cpdag(graph)) == both


@pytest.mark.parametrize("seed", range(15))
def test_cpdag_and_class_agree_on_larger_graphs(seed):
    graph = graphs.random_dag(7, 0.35, rng=seed)
    members = list(graphs.equivalence_class(graph))
    model = separations(graph)
    assert all(separations(member) == model for member in members[:10])
    union = frozenset().union(*map(edge_set, members))
    assert edge_set(graphs.cpdag(graph)) == union


def test_a_complete_graph_is_equivalent_to_all_its_orders():
    members = list(graphs.equivalence_class(graphs.random_dag(5, 1, rng=0)))
    assert len(members) == 120


def test_members_can_be_changed_without_harm():
    members = graphs.equivalence_class(parse("A -> B -> C"))
    found = []
    for member in members:
        found.append(edge_set(member))
        member.clear()
    assert len(found) == 3


def test_skeletons_and_v_structures_as_networkx_has_them():
    for graph, *_ in random_queries(200, seed=5, queries=1):
        truth = graph.to_undirected()
        assert graphs.skeleton(graph).nodes == truth.nodes
        assert nx.utils.edges_equal(graphs.skeleton(graph).edges, truth.edges)
        colliders = nx.algorithms.dag.v_structures(graph)
        assert graphs.v_structures(graph) == {
            (min(a, b), c, max(a, b)) for a, c, b in colliders
        }


def test_equivalence_needs_the_same_nodes():
    with pytest.raises(GraphError, match=r"Only one of .* has the node 'B'"):
        graphs.markov_equivalent(parse("A, B"), parse("A"))


@pytest.mark.parametrize("seed", range(20))
def test_a_cpdag_is_extended_to_a_member_of_its_class(seed):
    graph = graphs.random_dag(9, 0.1 + 0.03 * seed, rng=seed)
    member = graphs.consistent_extension(graphs.cpdag(graph))
    assert graphs.markov_equivalent(graph, member)
    assert edge_set(graphs.consistent_extension(member)) == edge_set(member)


def test_an_extension_keeps_the_arrows_that_it_is_given(classes):
    for members in classes:
        complete = graphs.cpdag(members[0])
        for tail, head in complete.edges:
            if complete.has_edge(head, tail):
                partial = complete.copy()
                partial.remove_edge(head, tail)
                extension = edge_set(graphs.consistent_extension(partial))
                assert (tail, head) in extension
                assert extension in map(edge_set, members)


def partially_directed(text):
    """Read arrows, and lines such as A - B, as a graph."""
    graph = nx.DiGraph()
    for a, kind, b in map(str.split, text.split(",")):
        graph.add_edges_from([(a, b)] if kind == "->" else [(a, b), (b, a)])
    return graph


@pytest.mark.parametrize(
    "text",
    [
        "A -> B, B -> C, C -> A",
        "A - B, B - C, C - D, D - A",
        "A -> B, B - C, D -> C",
    ],
)
def test_what_no_dag_agrees_with_has_no_extension(text):
    # The last: either direction of B - C makes a v-structure.
    with pytest.raises(GraphError, match="No DAG has the arrows"):
        graphs.consistent_extension(partially_directed(text))


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.Graph([("A", "B")]), "not a Graph"),
        (nx.DiGraph([("A", "A")]), "self loop A → A"),
    ],
)
def test_what_is_not_partially_directed_is_not_extended(graph, message):
    with pytest.raises(GraphError, match=message):
        graphs.consistent_extension(graph)


# --- Comparing graphs -----------------------------------------------------


def differing_pairs(g, h):
    """Count them by adjacency matrices: as many cells differ in the pairs."""
    nodes = sorted(g)
    one, other = (nx.to_numpy_array(x, nodelist=nodes) for x in (g, h))
    differs = one != other
    return int(np.triu(differs | differs.T).sum())


@pytest.mark.parametrize("seed", range(20))
def test_the_hamming_distance_counts_differing_pairs(seed):
    rng = np.random.default_rng(seed)
    g, h = (graphs.random_dag(8, p, rng=rng) for p in rng.random(2))
    expected = differing_pairs(graphs.cpdag(g), graphs.cpdag(h))
    assert graphs.structural_hamming_distance(g, h) == expected
    assert graphs.structural_hamming_distance(h, g) == expected
    assert graphs.structural_hamming_distance(graphs.cpdag(g), h) == expected
    assert graphs.structural_hamming_distance(g, graphs.cpdag(h)) == expected
    as_they_stand = graphs.structural_hamming_distance(g, h, classes=False)
    assert as_they_stand == differing_pairs(g, h)


def test_the_hamming_distance_is_a_metric_on_classes(classes):
    one_each = [graphs.cpdag(members[0]) for members in classes][::9]
    distance = {
        (i, j): graphs.structural_hamming_distance(g, h)
        for (i, g), (j, h) in product(enumerate(one_each), repeat=2)
    }
    n = range(len(one_each))
    assert all((distance[i, j] == 0) == (i == j) for i in n for j in n)
    assert all(
        distance[i, k] <= distance[i, j] + distance[j, k]
        for i, j, k in product(n, repeat=3)
    )


@pytest.mark.parametrize("seed", range(20))
def test_every_pair_is_in_one_list_of_a_comparison(seed):
    rng = np.random.default_rng(seed)
    learned, true = (graphs.random_dag(7, 0.4, rng=rng) for _ in range(2))
    seen = graphs.compare(learned, true)
    own = edge_set(graphs.skeleton(learned).to_directed())
    other = edge_set(graphs.skeleton(true).to_directed())
    for link in seen.missing:
        assert link[:2] in other - own
    for link in seen.extra:
        assert link[:2] in own - other
    both = [*seen.found, *(link for link, _ in seen.misdirected)]
    assert all(link[:2] in own & other for link in both)
    assert 2 * (len(both) + len(seen.extra)) == len(own)
    assert 2 * (len(both) + len(seen.missing)) == len(other)
    as_learned = [*both, *seen.extra]
    as_true = [*seen.found, *(link for _, link in seen.misdirected)]
    as_true += seen.missing
    for graph, links in ((learned, as_learned), (true, as_true)):
        edges = {(link.tail, link.head) for link in links}
        edges |= {(b, a) for a, b, directed in links if not directed}
        assert edges == edge_set(graphs.cpdag(graph))
    assert seen.distance == graphs.structural_hamming_distance(learned, true)
    assert seen.precision == pytest.approx(len(own & other) / len(own))
    assert seen.recall == pytest.approx(len(own & other) / len(other))


def test_a_comparison_in_words_names_arrows_and_lines():
    # X10 comes after X2, whatever is compared.
    true = parse("X1 -> X2 <- X10, X2 -> C -> D")
    learned = parse("X1 -> X2 -> X10, C -> D")
    seen = graphs.compare(learned, true)
    assert str(seen) == (
        "0 found; 1 missing: X2 → C; 0 extra; 3 misdirected: "
        "C – D for C → D, X1 – X2 for X1 → X2, X2 – X10 for X10 → X2"
    )
    assert seen.misdirected[2] == (
        graphs.Edge("X2", "X10", directed=False),
        graphs.Edge("X10", "X2"),
    )
    assert str(graphs.compare(true, true)) == (
        "4 found; 0 missing; 0 extra; 0 misdirected"
    )


def test_nothing_of_nothing_is_no_share():
    seen = graphs.compare(parse("A, B"), parse("A, B"))
    assert np.isnan(seen.precision)
    assert np.isnan(seen.recall)


def test_only_graphs_over_the_same_nodes_are_compared():
    with pytest.raises(GraphError, match=r"Only one of .* has the node 'B'"):
        graphs.compare(parse("A, B"), parse("A"))


@pytest.mark.parametrize(
    "text", ["A - B, C -> B", "A -> B, B - C", "A - B, B - C, C -> A"]
)
def test_what_is_no_cpdag_is_not_compared(text):
    partial = partially_directed(text)
    with pytest.raises(GraphError, match=r"neither a DAG|No DAG has"):
        graphs.compare(partial, partial)


def test_a_cycle_is_not_compared():
    cycle = nx.DiGraph(["AB", "BC", "CA"])
    for classes in (True, False):
        with pytest.raises(GraphError, match="has the cycle"):
            graphs.compare(cycle, cycle, classes=classes)


# --- The same on every run, and fast --------------------------------------


def test_nothing_depends_on_the_order_in_which_a_graph_was_built():
    for graph, x, y, known in random_queries(60, seed=6, queries=1):
        other = nx.DiGraph()
        other.add_nodes_from(reversed(list(graph)))
        other.add_edges_from(reversed(list(graph.edges)))
        for question in (
            graphs.topological_order,
            graphs.factorisation,
            graphs.local_markov,
            graphs.v_structures,
            lambda g: list(islice(graphs.topological_orders(g), 20)),
            lambda g: list(
                map(edge_set, islice(graphs.equivalence_class(g), 9))
            ),
            lambda g, q=(x, y, known): str(graphs.explain(g, *q)),
        ):
            assert question(graph) == question(other)
