"""Topological orders against all permutations."""

from itertools import (
    permutations,
)

import networkx as nx
import pytest

from bayesbook import graphs
from bayesbook.graphs import parse


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
