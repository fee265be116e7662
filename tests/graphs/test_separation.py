"""d-separation against the definition, networkx and moral graphs."""

from collections import Counter
from itertools import (
    combinations,
    product,
)

import networkx as nx
import pytest
from graph_truth import (
    all_dags,
    all_trails,
    is_active,
    random_queries,
    separated_by_definition,
    split_graphs,
    subsets,
)
from hypothesis import assume, given

from bayesbook import graphs
from bayesbook.base import GraphError
from bayesbook.graphs import parse


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


def shields(graph, node):
    """Return all sets that d-separate a node from all nodes outside them."""
    others = set(graph) - {node}
    return [
        known
        for known in map(frozenset, subsets(sorted(others)))
        if all(
            separated_by_definition(graph, {node}, {other}, known)
            for other in others - known
        )
    ]


def test_the_markov_blanket_is_the_smallest_set_that_separates():
    sizes = Counter()
    for seed in range(25):
        graph = graphs.random_dag(5, 0.15 + 0.03 * seed, rng=seed)
        for node in graph:
            blanket = graphs.markov_blanket(graph, node)
            separating = shields(graph, node)
            # It separates, and is a part of every other set that does.
            assert blanket in separating
            assert all(blanket <= known for known in separating)
            sizes[len(blanket)] += 1
    assert set(sizes) == {0, 1, 2, 3, 4}


def test_markov_blankets_on_every_small_dag():
    for graph in all_dags("ABCD"):
        for node in graph:
            blanket = graphs.markov_blanket(graph, node)
            assert blanket == min(shields(graph, node), key=len)


def test_markov_blankets_of_larger_graphs_as_moral_neighbours():
    for graph, *_ in random_queries(200, seed=9, queries=1):
        moral = nx.moral_graph(graph)
        for node in graph:
            blanket = graphs.markov_blanket(graph, node)
            assert blanket == set(moral[node])
            rest = set(graph) - blanket - {node}
            assert not rest or graphs.d_separated(graph, node, rest, blanket)


def test_a_markov_blanket_is_that_of_one_node():
    graph = nx.DiGraph([("A", ("B", 1)), ("C", ("B", 1)), ("D", "E")])
    assert graphs.markov_blanket(graph, "A") == {("B", 1), "C"}
    assert graphs.markov_blanket(graph, ("B", 1)) == {"A", "C"}
    for not_a_node in ("F", ["A", "C"], None):
        with pytest.raises(GraphError, match="is not a node of the graph"):
            graphs.markov_blanket(graph, not_a_node)
