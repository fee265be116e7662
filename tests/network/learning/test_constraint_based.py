"""The PC algorithm beside d-separation, and on rows of known networks."""

from itertools import combinations

import networkx as nx
import pandas as pd
import pytest
from graph_truth import all_dags, edge_set
from hypothesis import given
from hypothesis import strategies as st
from search_truth import rows_of

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.graphs import (
    apply_meek_rules,
    cpdag,
    d_separated,
    markov_equivalent,
    parse,
    random_dag,
)
from bayesbook.network import independence_test, load_network, pc


def test_d_separations_give_the_class_of_every_dag_of_four_nodes():
    for graph in all_dags("ABCD"):
        run = pc(graph)
        assert edge_set(run.graph) == edge_set(cpdag(graph))
        assert run.conflicts == ()
        assert markov_equivalent(run.dag(), graph)


@given(st.integers(0, 10**6), st.floats(0.1, 0.6))
def test_d_separations_give_the_class_of_larger_dags(seed, density):
    graph = random_dag(8, density, rng=seed)
    run = pc(graph)
    assert edge_set(run.graph) == edge_set(cpdag(graph))
    for x, y, others in run.separations:
        assert d_separated(graph, x, y, others)
    deleted = {frozenset(x + y) for x, y, _ in run.separations}
    kept = {frozenset(edge) for edge in graph.edges}
    pairs = set(map(frozenset, combinations(graph, 2)))
    assert deleted == pairs - kept


@pytest.mark.parametrize("name", ["asia", "child"])
def test_d_separations_give_the_class_of_a_network(name):
    network = load_network(name)
    assert edge_set(pc(network).graph) == edge_set(cpdag(network.graph))


@pytest.mark.parametrize("name", ["earthquake", "sachs"])
def test_many_rows_give_the_class_of_a_network(name):
    network = load_network(name)
    run = pc(network.sample(50_000, rng=1))
    assert edge_set(run.graph) == edge_set(cpdag(network.graph))


def by_definition(rows, alpha):
    """Delete the edge of a pair as soon as a set of neighbours separates it.

    Loops over all sets, without the order of the library.
    """
    graph = nx.complete_graph(sorted(rows))
    for size in range(len(rows.columns) - 1):
        before = {node: set(graph[node]) for node in graph}
        for a, b in combinations(sorted(rows), 2):
            sets = [
                given
                for node, other in [(a, b), (b, a)]
                for given in combinations(sorted(before[node] - {other}), size)
            ]
            if b in before[a] and any(
                independence_test(rows, a, b, given).p_value > alpha
                for given in sets
            ):
                graph.remove_edge(a, b)
    return graph


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3])
def test_edges_are_those_of_the_definition(seed, alpha):
    rows = rows_of(seed, sizes=(2, 3, 2, 2, 3))
    run = pc(rows, alpha=alpha)
    wanted = by_definition(rows, alpha)
    assert nx.utils.graphs_equal(run.graph.to_undirected(), wanted)
    assert len(run.separations) == 10 - wanted.size()
    for x, y, others in run.separations:
        assert independence_test(rows, *x, *y, others).p_value > alpha


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_columns_and_rows_plays_no_role(seed):
    rows = rows_of(seed, sizes=(2, 3, 2, 2, 3))
    first = pc(rows, alpha=0.2)
    mixed = rows.sample(frac=1, random_state=seed)[list("ECADB")]
    again = pc(mixed, alpha=0.2)
    assert edge_set(again.graph) == edge_set(first.graph)
    assert again.separations == first.separations
    assert again.conflicts == first.conflicts


def test_a_limit_of_what_is_conditioned_on():
    graph = parse("A -> B -> D, A -> C -> D")
    assert pc(graph, max_given=2).graph.size() == 6
    run = pc(graph, max_given=0)
    assert run.n_tests == 6
    assert run.separations == ()
    assert len(run.undirected) == 6


def test_v_structures_that_contradict_each_other():
    """Four columns in a ring, each independent of the one across."""
    run = pc(ring_of_neighbours(), alpha=0.01)
    assert run.separations == ((("A",), ("C",), ()), (("B",), ("D",), ()))
    assert set(run.conflicts) == {
        ("A", "B"),
        ("A", "D"),
        ("B", "C"),
        ("C", "D"),
    }
    assert len(run.undirected) == 4
    with pytest.raises(GraphError):
        run.dag()


def ring_of_neighbours():
    """Rows in which each column depends on its neighbours in the ring only.

    Four coins stand between them; a column has the two coins beside it.
    """
    states = [
        (w, x, y, z) for w in "01" for x in "01" for y in "01" for z in "01"
    ]
    return pd.DataFrame(
        [(z + w, w + x, x + y, y + z) for w, x, y, z in states * 20],
        columns=list("ABCD"),
    )


def test_rules_add_no_v_structure_and_no_cycle():
    partial = nx.DiGraph([("A", "B"), ("B", "C"), ("C", "B")])
    assert edge_set(apply_meek_rules(partial)) == {("A", "B"), ("B", "C")}
    assert partial.size() == 3  # as it was
    cycle = nx.DiGraph([("A", "B"), ("B", "C"), ("A", "C"), ("C", "A")])
    assert not apply_meek_rules(cycle).has_edge("C", "A")
    with pytest.raises(TypeError, match="not <networkx"):
        apply_meek_rules(nx.Graph())


def test_one_column_and_none_to_direct():
    run = pc(pd.DataFrame({"A": ["x", "y"]}))
    assert list(run.graph) == ["A"]
    assert repr(run) == (
        "ConstraintRun of 1 node: 0 arrows, 0 edges without direction, 0 tests"
    )


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1.5, float("nan")])
def test_a_threshold_is_between_zero_and_one(alpha):
    with pytest.raises(ProbabilityError, match="alpha"):
        pc(rows_of(), alpha=alpha)


def test_other_bad_input():
    rows = rows_of()
    with pytest.raises(ProbabilityError, match="max_given"):
        pc(rows, max_given=-1)
    with pytest.raises(ProbabilityError, match="statistic"):
        pc(rows, statistic="chi2")
    with pytest.raises(GraphError):
        pc(nx.DiGraph([("A", "B"), ("B", "A")]))
    with pytest.raises(TypeError):
        pc(nx.Graph([("A", "B")]))
    with pytest.raises(ProbabilityError, match="missing"):
        pc(pd.DataFrame({"A": ["x", None], "B": ["u", "v"]}))
