"""The solved problems of *d-separation*, recomputed by going through trails.

That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

import math
from fractions import Fraction as F
from itertools import combinations, pairwise, product

import networkx as nx
import pytest
from graph_truth import all_dags

CLINIC = nx.DiGraph(
    [
        ("asia", "tub"),
        ("smoke", "lung"),
        ("smoke", "bronc"),
        ("tub", "either"),
        ("lung", "either"),
        ("either", "xray"),
        ("either", "dysp"),
        ("bronc", "dysp"),
    ]
)

# --- The definition -------------------------------------------------------


def trails(graph, x, y):
    return nx.all_simple_paths(graph.to_undirected(), x, y)


def is_active(graph, trail, given):
    for a, node, b in zip(trail, trail[1:], trail[2:], strict=False):
        if graph.has_edge(a, node) and graph.has_edge(b, node):
            if not ({node} | nx.descendants(graph, node)) & set(given):
                return False
        elif node in given:
            return False
    return True


def separated(graph, xs, ys, given=()):
    return not any(
        is_active(graph, trail, given)
        for x, y in product(xs, ys)
        for trail in trails(graph, x, y)
    )


def subsets(items):
    items = sorted(items)
    for size in range(len(items) + 1):
        yield from map(frozenset, combinations(items, size))


def promises(graph):
    """Give all d-separations of two nodes."""
    return {
        (x, y, given)
        for x, y in combinations(sorted(graph), 2)
        for given in subsets(set(graph) - {x, y})
        if separated(graph, [x], [y], given)
    }


def orientations(lines):
    """Yield every acyclic way to direct some lines."""
    for flips in product([False, True], repeat=len(lines)):
        pairs = zip(lines, flips, strict=True)
        graph = nx.DiGraph([e[::-1] if flip else e for e, flip in pairs])
        if nx.is_directed_acyclic_graph(graph):
            yield graph


FOUR = list(all_dags("ABCD"))


# --- Sets and pairs -------------------------------------------------------


def test_separation_is_symmetric_and_a_matter_of_pairs():
    both = 0
    for graph in FOUR[::3]:
        apart = {
            (x, y): separated(graph, x, y, z)
            for x, y, z in [("A", "BC", "D"), ("A", "B", "D"), ("A", "C", "D")]
        }
        assert apart["A", "BC"] == (apart["A", "B"] and apart["A", "C"])
        # A separator other than ours, which takes sets.
        assert apart["A", "BC"] == nx.is_d_separator(
            graph, {"B", "C"}, {"A"}, {"D"}
        )
        both += apart["A", "BC"]
    assert 0 < both < len(FOUR[::3])


def test_two_coins_and_whether_they_agree():
    law = {(a == b, a, b): F(1, 4) for a, b in product("HT", repeat=2)}

    def p(**known):
        place = {"agree": 0, "one": 1, "two": 2}
        return sum(
            q
            for outcome, q in law.items()
            if all(outcome[place[k]] == v for k, v in known.items())
        )

    for agree, coin in product([True, False], "HT"):
        assert p(agree=agree, one=coin) == p(agree=agree) * p(one=coin)
        assert p(agree=agree, two=coin) == p(agree=agree) * p(two=coin)
    assert p(agree=True, one="H", two="H") != p(agree=True) * p(
        one="H", two="H"
    )


# --- As little as possible ------------------------------------------------


def test_minimal_separators_of_asia_and_dysp():
    others = set(CLINIC) - {"asia", "dysp"}
    good = {
        s for s in subsets(others) if separated(CLINIC, ["asia"], ["dysp"], s)
    }
    minimal = {s for s in good if not any(t < s for t in good)}
    assert len(minimal) == 4
    # Every larger set separates as well, as the solution says.
    for s, t in product(minimal, subsets(others)):
        assert not s <= t or t in good
    # Both trails begin in the same way.
    ways = list(trails(CLINIC, "asia", "dysp"))
    assert len(ways) == 2
    assert {tuple(way[:3]) for way in ways} == {("asia", "tub", "either")}


# --- Bad advice -----------------------------------------------------------

M_GRAPH = nx.DiGraph(
    [("U", "T"), ("U", "M"), ("V", "M"), ("V", "Y"), ("M", "S")]
)


def test_holding_the_symptom_fixed_connects_treatment_and_outcome():
    assert len(list(trails(M_GRAPH, "T", "Y"))) == 1
    assert separated(M_GRAPH, "T", "Y")
    assert not separated(M_GRAPH, "T", "Y", "M")
    assert not separated(M_GRAPH, "T", "Y", "S")
    for known in ("M", "S"):
        repairs = [v for v in "UV" if separated(M_GRAPH, "T", "Y", {known, v})]
        assert repairs == ["U", "V"]


# --- Silence --------------------------------------------------------------


@pytest.mark.parametrize("names", ["AB", "ABC", "ABCD"])
def test_a_graph_is_silent_if_and_only_if_it_is_complete(names):
    n = len(names)
    silent = [g for g in all_dags(names) if not promises(g)]
    complete = [
        g for g in all_dags(names) if g.number_of_edges() == n * (n - 1) / 2
    ]
    assert [set(g.edges) for g in silent] == [set(g.edges) for g in complete]
    assert len(silent) == math.factorial(n)
    for graph in silent:
        assert len(list(nx.all_topological_sorts(graph))) == 1


# --- Turning a chain round ------------------------------------------------


def test_the_class_of_the_chain_of_four():
    chain = nx.DiGraph(pairwise("ABCD"))
    ways = list(orientations(list(chain.edges)))
    same = [g for g in ways if promises(g) == promises(chain)]
    assert len(same) == 4
    assert len(ways) == 8


@pytest.mark.parametrize(
    "lines",
    [
        list(pairwise("AB")),
        list(pairwise("ABC")),
        list(pairwise("ABCDE")),
        [("A", "B"), ("A", "C"), ("A", "D"), ("C", "E")],
    ],
    ids=["chain of 2", "chain of 3", "chain of 5", "tree of 5"],
)
def test_a_tree_has_as_many_equivalent_graphs_as_nodes(lines):
    tree = nx.DiGraph(lines)
    same = [g for g in orientations(lines) if promises(g) == promises(tree)]
    assert len(same) == len(tree)


def test_the_class_of_the_diamond():
    diamond = nx.DiGraph(["AB", "BD", "AC", "CD"])
    same = [
        g
        for g in orientations(list(diamond.edges))
        if promises(g) == promises(diamond)
    ]
    assert len(same) == 3


# --- When the recipe is right ---------------------------------------------


def recipe(graph, x, y, given):
    lines = nx.Graph(list(graph.edges))
    lines.add_nodes_from(graph)
    for node in graph:
        lines.add_edges_from(combinations(graph.pred[node], 2))
    lines.remove_nodes_from(given)
    return not nx.has_path(lines, x, y)


def has_v_structure(graph):
    return any(
        not graph.has_edge(a, b) and not graph.has_edge(b, a)
        for node in graph
        for a, b in combinations(graph.pred[node], 2)
    )


def test_without_v_structures_the_recipe_is_right_and_else_it_is_not():
    for graph in FOUR[::3]:
        right = all(
            recipe(graph, x, y, given) == separated(graph, x, y, given)
            for x, y in combinations("ABCD", 2)
            for given in subsets(set("ABCD") - {x, y})
        )
        assert right == (not has_v_structure(graph))


# --- Examinations ---------------------------------------------------------


def examination(students, questions):
    return nx.DiGraph(
        (cause, f"R{i}{j}")
        for i in range(1, students + 1)
        for j in range(1, questions + 1)
        for cause in (f"A{i}", f"D{j}")
    )


def test_the_unrolled_examination():
    graph = examination(3, 4)
    assert len(graph) == 19
    assert graph.number_of_edges() == 24


def test_abilities_meet_at_answers_and_part_at_difficulties():
    graph = examination(2, 2)
    answers = {node for node in graph if node.startswith("R")}
    difficulties = {"D1", "D2"}
    assert separated(graph, ["A1"], ["A2"])
    assert not separated(graph, ["A1"], ["A2"], answers)
    trail = ["A1", "R11", "D1", "R21", "A2"]
    assert is_active(graph, trail, answers)
    assert separated(graph, ["A1"], ["A2"], answers | difficulties)
    own = {"R11", "R12"}
    assert separated(graph, ["A1"], answers - own, own | difficulties)
    assert not separated(graph, ["A1"], answers - own, own)
