"""Tree search against all forests, and against other code for Chow-Liu."""

from itertools import combinations

import networkx as nx
import pytest
from search_truth import DAGS, best_of, obeys, rows_of
from sklearn.metrics import mutual_info_score

from bayesbook.base import GraphError
from bayesbook.data import load_watermelon
from bayesbook.network import (
    BIC,
    K2,
    BDeu,
    LogLikelihood,
    tree_search,
)

FORESTS = [graph for graph in DAGS if obeys(graph, max_parents=1)]


@pytest.mark.parametrize("kind", [BIC, BDeu, LogLikelihood, K2])
@pytest.mark.parametrize("seed", range(4))
def test_no_forest_is_better(kind, seed):
    rows = rows_of(seed)
    score = kind(rows)
    run = tree_search(None, score)
    assert obeys(run.graph, max_parents=1)
    assert run.score == pytest.approx(best_of(FORESTS, score), abs=1e-8)
    rooted = tree_search(None, score, root="C")
    assert not rooted.graph.pred["C"]
    allowed = [graph for graph in FORESTS if not graph.pred["C"]]
    assert rooted.score == pytest.approx(best_of(allowed, score), abs=1e-8)


@pytest.mark.parametrize("kind", [BIC, BDeu, LogLikelihood, K2])
@pytest.mark.parametrize("seed", range(4))
def test_no_tree_with_a_class_is_better(kind, seed):
    rows = rows_of(seed)
    score = kind(rows)
    run = tree_search(None, score, class_node="B")
    allowed = [
        graph
        for graph in DAGS
        if obeys(graph, [("B", name) for name in "ACD"], max_parents=2)
    ]
    assert obeys(run.graph, [("B", name) for name in "ACD"], max_parents=2)
    assert run.score == pytest.approx(best_of(allowed, score), abs=1e-8)


def test_the_class_is_a_parent_even_where_it_does_not_pay():
    rows = rows_of(n=4, sizes=(2, 5, 5, 3))
    run = tree_search(rows, class_node="D")
    assert {("D", name) for name in "ABC"} <= set(run.graph.edges)
    score = BIC(rows)
    for graph, step in zip(run.graphs(), run.path, strict=False):
        assert step.delta == pytest.approx(score.delta(graph, step.move))


def test_the_tree_by_likelihood_is_that_of_chow_and_liu():
    """Its edges have the greatest sum of mutual information."""
    rows = load_watermelon("2.0")
    information = nx.Graph()
    for one, other in combinations(rows, 2):
        nats = mutual_info_score(rows[one], rows[other])
        information.add_edge(one, other, weight=nats)
    run = tree_search(rows, "log-likelihood", root="good")
    assert nx.is_arborescence(run.graph)
    assert not run.graph.pred["good"]
    wanted = nx.maximum_spanning_tree(information)
    assert nx.utils.graphs_equal(
        nx.Graph(run.graph.edges), nx.Graph(wanted.edges)
    )
    for step in run.path:
        nats = information.edges[step.move[1:]]["weight"]
        assert step.delta == pytest.approx(17 * nats)
    deltas = [step.delta for step in run.path]
    assert deltas == sorted(deltas, reverse=True)


def test_the_tree_with_a_class_is_that_of_tan():
    from bayesbook.naive_bayes import TAN

    rows = load_watermelon("2.0")
    features = rows.drop(columns="good")
    root = min(features)
    tan = TAN(root=root).fit(features, rows["good"])
    run = tree_search(rows, "log-likelihood", class_node="good", root=root)
    columns = list(features)
    edges = {
        (columns[parent], columns[m])
        for m, own in enumerate(tan.parents_)
        for parent in own
    }
    edges |= {("good", name) for name in columns}
    assert set(run.graph.edges) == edges


def test_trees_refuse_strange_nodes():
    rows = rows_of()
    with pytest.raises(GraphError, match="The root 'X' is not a column"):
        tree_search(rows, root="X")
    with pytest.raises(GraphError, match="The class 'X' is not a column"):
        tree_search(rows, class_node="X")
    with pytest.raises(GraphError, match="both the class and the root"):
        tree_search(rows, class_node="A", root="A")
