"""How questions name nodes, and what they refuse."""

import networkx as nx
import pytest

from bayesbook import graphs
from bayesbook.base import GraphError
from bayesbook.graphs import parse


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
