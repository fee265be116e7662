"""Graphs read from text, checked, and drawn at random."""

from collections import Counter
from itertools import (
    chain,
)

import networkx as nx
import numpy as np
import pytest

from bayesbook import graphs
from bayesbook.base import GraphError, ProbabilityError
from bayesbook.graphs import parse


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
    ("graph", "error", "message"),
    [
        (nx.Graph([("A", "B")]), TypeError, "networkx.DiGraph, not a Graph;"),
        (nx.MultiDiGraph([("A", "B")]), TypeError, "not a MultiDiGraph;"),
        ({"A": ["B"]}, TypeError, "not a dict;"),
        (nx.DiGraph(), GraphError, "The graph is empty"),
        (nx.DiGraph(["AB", "BB"]), GraphError, "self loop B → B;"),
        (nx.DiGraph(["ZA", "AB", "BC", "CA"]), GraphError, "A → B → C → A;"),
        (nx.DiGraph(["AB", "BA"]), GraphError, "cycle A → B → A;"),
    ],
)
def test_what_is_not_a_dag_is_refused(graph, error, message):
    with pytest.raises(error, match=message):
        graphs.check_dag(graph)


@pytest.mark.parametrize(
    "question",
    [
        graphs.topological_order,
        graphs.topological_orders,
        graphs.product_formula,
        graphs.moral_graph,
        graphs.local_markov,
        graphs.independences,
        graphs.skeleton,
        graphs.v_structures,
        graphs.cpdag,
        graphs.equivalence_class,
        lambda graph: graphs.markov_blanket(graph, "A"),
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
    with pytest.raises(TypeError, match=r"not from \['A'\]"):
        parse(["A"])
    with pytest.raises(GraphError, match="cycle A → B → A"):
        parse("A -> B -> A")


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


@pytest.mark.parametrize(
    ("n", "error"),
    [
        (0, GraphError),
        (-1, GraphError),
        (2.5, TypeError),
        ("3", TypeError),
        (True, TypeError),
    ],
)
def test_a_number_of_nodes_must_be_one(n, error):
    with pytest.raises(error, match=f"nodes, not {n!r}"):
        graphs.random_dag(n, 0.5, rng=0)


@pytest.mark.parametrize(
    ("p", "error"),
    [
        (-0.1, ProbabilityError),
        (1.1, ProbabilityError),
        (float("nan"), ProbabilityError),
        ("1/2", TypeError),
    ],
)
def test_the_probability_of_an_edge_must_be_one(p, error):
    with pytest.raises(error, match=f"not {p!r}"):
        graphs.random_dag(3, p, rng=0)
