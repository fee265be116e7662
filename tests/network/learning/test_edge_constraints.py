"""Edges that are required or forbidden, and numbers of parents."""

import networkx as nx
import numpy as np
import pytest
from search_truth import SEARCHES, obeys, rows_of

from bayesbook import graphs
from bayesbook.base import GraphError
from bayesbook.network import (
    hill_climb,
    tabu_search,
)
from bayesbook.network.learning._edge_constraints import EdgeConstraints


def test_restarts_begin_with_graphs_that_obey():
    rules = EdgeConstraints(
        "ABCDEFG",
        required=[("A", "B"), ("C", "B"), ("G", "A")],
        forbidden=[("D", "E"), ("E", "D")],
        max_parents=2,
    )
    rng = np.random.default_rng(1)
    n_edges = []
    for _ in range(200):
        graph = rules.graph(rules.random_edges(rng))
        graphs.check_dag(graph)
        assert obeys(
            graph,
            [("A", "B"), ("C", "B"), ("G", "A")],
            [("D", "E"), ("E", "D")],
            2,
        )
        n_edges.append(graph.number_of_edges())
    assert 5 < np.mean(n_edges) < 9


LISTED = (hill_climb, tabu_search)


@pytest.mark.parametrize("search", LISTED, ids=lambda own: own.__name__)
def test_start_graphs_that_break_the_rules_are_refused(search):
    rows = rows_of()
    cycle = nx.DiGraph([("A", "B"), ("B", "C"), ("C", "A")])
    cycle.add_node("D")
    with pytest.raises(GraphError, match="has the cycle A → B → C → A"):
        search(rows, start=cycle)
    with pytest.raises(GraphError, match="the edge A → B, which is forbidden"):
        search(rows, start="A -> B, C, D", forbidden=[("A", "B")])
    with pytest.raises(GraphError, match="lacks the edge C → D"):
        search(rows, start="A -> B, C, D", required=[("C", "D")])
    with pytest.raises(GraphError, match="gives 'B' 2 parents"):
        search(rows, start="A -> B <- C, D", max_parents=1)
    with pytest.raises(GraphError, match="lacks the columns 'C', 'D'"):
        search(rows, start="A -> B")
    with pytest.raises(GraphError, match="'E' is not a column"):
        search(rows, start="A -> B -> E, C, D")
    # Against a required edge.
    with pytest.raises(GraphError, match="forbidden"):
        search(rows, start="B -> A, C, D", required=[("A", "B")])


@pytest.mark.parametrize("search", SEARCHES, ids=lambda own: own.__name__)
def test_lists_that_contradict_are_refused(search):
    rows = rows_of()
    with pytest.raises(GraphError, match="both required and forbidden"):
        search(rows, required=[("A", "B")], forbidden=[("B", "C"), ("A", "B")])
    with pytest.raises(GraphError, match="cycle A → B → C → A"):
        search(rows, required=[("A", "B"), ("B", "C"), ("C", "A")])
    with pytest.raises(GraphError, match="cycle"):
        search(rows, required=[("A", "B"), ("B", "A")])
    with pytest.raises(GraphError, match="give 'C' 2 parents; max_parents"):
        search(rows, required=[("A", "C"), ("B", "C")], max_parents=1)


@pytest.mark.parametrize("search", SEARCHES, ids=lambda own: own.__name__)
@pytest.mark.parametrize("which", ["required", "forbidden"])
def test_lists_that_are_no_edges_are_refused(search, which):
    rows = rows_of().rename(columns={"A": "rain"})
    for edges, message in [
        ([("rian", "B")], r"edge rian → B: 'rian' is not .* mean 'rain'"),
        ([("B", "B")], "leads from a node to itself"),
        (["BC"], "pairs"),
        ([("B", "C", "D")], "pairs"),
    ]:
        with pytest.raises(GraphError, match=message):
            search(rows, **{which: edges})
    for edges in ("B -> C", 3):
        with pytest.raises(TypeError, match="list of pairs"):
            search(rows, **{which: edges})
