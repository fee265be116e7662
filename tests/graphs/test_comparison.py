"""Comparisons of graphs against adjacency matrices."""

from itertools import (
    product,
)

import networkx as nx
import numpy as np
import pytest
from graph_truth import (
    by_separations,
    edge_set,
    partially_directed,
)

from bayesbook import graphs
from bayesbook.base import GraphError
from bayesbook.graphs import parse


@pytest.fixture(scope="module")
def classes():
    return by_separations("ABCD")


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
    for edge in seen.missing:
        assert edge[:2] in other - own
    for edge in seen.extra:
        assert edge[:2] in own - other
    both = [*seen.found, *(edge for edge, _ in seen.misdirected)]
    assert all(edge[:2] in own & other for edge in both)
    assert 2 * (len(both) + len(seen.extra)) == len(own)
    assert 2 * (len(both) + len(seen.missing)) == len(other)
    as_learned = [*both, *seen.extra]
    as_true = [*seen.found, *(edge for _, edge in seen.misdirected)]
    as_true += seen.missing
    for graph, edges in ((learned, as_learned), (true, as_true)):
        arrows = {(edge.tail, edge.head) for edge in edges}
        arrows |= {(b, a) for a, b, directed in edges if not directed}
        assert arrows == edge_set(graphs.cpdag(graph))
    assert seen.distance == graphs.structural_hamming_distance(learned, true)
    assert seen.precision == pytest.approx(len(own & other) / len(own))
    assert seen.recall == pytest.approx(len(own & other) / len(other))


def test_a_comparison_in_words_names_the_edges():
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
