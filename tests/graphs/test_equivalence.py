"""Markov equivalence against all graphs with the same separations."""

import networkx as nx
import pytest
from graph_truth import (
    all_dags,
    by_separations,
    edge_set,
    partially_directed,
    random_queries,
    separations,
)

from bayesbook import graphs
from bayesbook.base import GraphError
from bayesbook.graphs import parse


@pytest.fixture(scope="module")
def classes():
    return by_separations("ABCD")


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
    ("graph", "error", "message"),
    [
        (nx.Graph([("A", "B")]), TypeError, "not a Graph"),
        (nx.DiGraph([("A", "A")]), GraphError, "self loop A → A"),
    ],
)
def test_what_is_not_partially_directed_is_not_extended(graph, error, message):
    with pytest.raises(error, match=message):
        graphs.consistent_extension(graph)
