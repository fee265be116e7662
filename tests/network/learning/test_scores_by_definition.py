"""Scores of drawn rows against their definitions."""

from itertools import combinations, permutations

import learning_truth as truth
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from learning_cases import (
    ASIA,
    SCORES,
    a_graph,
    dags_of,
    every_score,
    few,
    frames,
    frames_and_graphs,
)
from numpy.testing import assert_allclose

from bayesbook.base import GraphError
from bayesbook.network import (
    K2,
    LogLikelihood,
    Move,
    hill_climb,
)


@every_score
@given(case=frames_and_graphs())
@few
def test_a_score_is_that_of_its_definition(name, case):
    rows, graph = case
    score, slow = SCORES[name](rows), truth.Scored(rows, name)
    assert score.total(graph) == pytest.approx(slow.total(graph), abs=1e-8)
    for node in graph:
        parents = list(graph.pred[node])
        local = score.local(node, parents)
        assert local == pytest.approx(slow.family(node, parents), abs=1e-8)
        assert score.local(node, parents[::-1]) == local


@every_score
@given(case=frames_and_graphs())
@few
def test_states_that_no_row_has_count(name, case):
    """They make tables larger, and cost parameters."""
    rows, graph = case
    states = {column: ["s", "t", "u", "never"] for column in rows}
    score = SCORES[name](rows, states=states)
    slow = truth.Scored(rows, name, states)
    assert score.total(graph) == pytest.approx(slow.total(graph), abs=1e-8)


@every_score
@given(case=frames_and_graphs())
@few
def test_a_move_changes_a_score_as_it_says(name, case):
    rows, graph = case
    score, slow = SCORES[name](rows), truth.Scored(rows, name)
    for tail, head in permutations(rows, 2):
        for kind in ("add", "delete", "reverse"):
            there = graph.has_edge(tail, head)
            after = graph.copy()
            if there and kind != "add":
                after.remove_edge(tail, head)
                if kind == "reverse":
                    after.add_edge(head, tail)
            elif kind == "add" and not there:
                after.add_edge(tail, head)
            possible = (kind == "add") != there and not (
                kind == "add" and graph.has_edge(head, tail)
            )
            move = Move(kind, tail, head)
            if possible and nx.is_directed_acyclic_graph(after):
                gain = slow.total(after) - slow.total(graph)
                found = score.delta(graph, move)
                assert found == pytest.approx(gain, abs=1e-8)
            else:
                with pytest.raises(GraphError):
                    score.delta(graph, move)


@pytest.mark.parametrize("name", ["log-likelihood", "aic", "bic", "bdeu"])
@given(rows=frames(columns=(3, 3)))
@few
def test_equivalent_graphs_have_equal_scores(name, rows):
    score, found = SCORES[name](rows), {}
    for graph in dags_of(tuple(rows)):
        found.setdefault(truth.pattern(graph), []).append(score.total(graph))
    for scores in found.values():
        assert_allclose(scores, scores[0], atol=1e-9)


def test_k2_tells_equivalent_graphs_apart():
    rows = ASIA.sample(50, rng=0).astype(str)[["smoke", "bronc"]]
    rows.loc[0, "bronc"] = "perhaps"
    score = K2(rows)
    one, other = score.total("smoke -> bronc"), score.total("bronc -> smoke")
    assert abs(one - other) > 0.1
    assert not score.is_score_equivalent


@given(rows=frames(columns=(3, 4)))
@few
def test_the_likelihood_never_prefers_fewer_edges(rows):
    score = LogLikelihood(rows)
    best = score.total(nx.DiGraph(list(combinations(rows, 2))))
    assert hill_climb(rows, "log-likelihood").score == pytest.approx(best)
    rng = np.random.default_rng(0)
    for _ in range(5):
        graph = a_graph(list(rows), rng)
        assert score.total(graph) <= best + 1e-9
        edges = list(graph.edges)
        if edges:
            move = Move("delete", *edges[0])
            assert score.delta(graph, move) <= 1e-9


@every_score
@given(case=frames_and_graphs(rows=(1, 12)))
@few
def test_weights_are_repeated_rows(name, case):
    rows, graph = case
    weights = np.random.default_rng(len(rows)).integers(1, 4, len(rows))
    repeated = rows.loc[rows.index.repeat(weights)]
    weighted = SCORES[name](rows, weights=weights)
    assert weighted.total(graph) == pytest.approx(
        SCORES[name](repeated).total(graph), abs=1e-9
    )
