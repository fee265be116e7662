"""Searches against all graphs, scored by the definitions."""

from itertools import permutations

import learning_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learning_cases import (
    ASIA,
    GREEDY,
    ROWS,
    a_graph,
    dags_of,
    every_greedy,
    every_score,
    few,
    frames,
    with_every_score,
)

from bayesbook.base import ProbabilityError
from bayesbook.network import (
    equivalence_search,
    exact_search,
    hill_climb,
    tree_search,
)


def test_a_class_has_no_score_by_k2():
    with pytest.raises(ProbabilityError, match="class has no score"):
        equivalence_search(ROWS, "k2")


def check_run(run, slow, start=None):
    """A path adds up, and its graphs have the scores that it says."""
    graphs = list(run.graphs())
    assert len(graphs) == len(run.path) + 1
    if start is not None:
        # Among classes it begins with any member.
        assert truth.pattern(graphs[0]) == truth.pattern(start)
    before = slow.total(graphs[0])
    for step, graph in zip(run.path, graphs[1:], strict=True):
        assert nx.is_directed_acyclic_graph(graph)
        total = slow.total(graph)
        assert step.score == pytest.approx(total, abs=1e-7)
        assert step.delta == pytest.approx(total - before, abs=1e-7)
        before = total
    assert run.score == pytest.approx(slow.total(run.graph), abs=1e-7)
    met = [slow.total(graph) for graph in graphs]
    assert run.score == pytest.approx(max(met), abs=1e-7)


@every_score
@given(rows=frames(columns=(3, 3), rows=(5, 40)))
@few
def test_an_exact_search_finds_the_best_of_all_graphs(name, rows):
    slow = truth.Scored(rows, name)
    best = max(map(slow.total, dags_of(tuple(rows))))
    run = exact_search(rows, name)
    assert run.score == pytest.approx(best, abs=1e-8)
    check_run(run, slow)


@every_score
@pytest.mark.parametrize("seed", range(6))
def test_climbing_with_restarts_finds_the_best_graph_of_four_nodes(name, seed):
    """Against all 543 graphs; each family is scored by its definition."""
    rng = np.random.default_rng([seed, 4])
    a, b = rng.integers(0, 2, (2, 60))
    c = np.where(rng.random(60) < 0.8, a ^ b, rng.integers(0, 3, 60))
    d = np.where(rng.random(60) < 0.6, c, rng.integers(0, 3, 60))
    rows = pd.DataFrame({"A": a, "B": b, "C": c, "D": d}).astype(str)
    slow = truth.Scored(rows, name)
    graphs = list(dags_of(tuple(rows)))
    assert len(graphs) == 543
    best = max(map(slow.total, graphs))
    run = hill_climb(rows, name, restarts=20, rng=seed)
    assert run.score == pytest.approx(best, abs=1e-8)
    check_run(run, slow)
    assert exact_search(rows, name).score == pytest.approx(best, abs=1e-8)


@with_every_score(GREEDY)
@given(rows=frames(columns=(3, 4), rows=(5, 40)))
@settings(max_examples=12, deadline=None)
def test_no_neighbour_of_a_local_optimum_is_better(search, name, rows):
    slow = truth.Scored(rows, name)
    run = GREEDY[search](rows, name)
    check_run(run, slow)
    if search == "tabu_search":
        return
    for other in truth.neighbours(run.graph):
        if nx.is_directed_acyclic_graph(other):
            assert slow.total(other) <= run.score + 1e-7


@pytest.mark.parametrize("name", ["aic", "bic", "bdeu"])
@given(rows=frames(columns=(3, 4), rows=(5, 60)))
@settings(max_examples=12, deadline=None)
def test_the_class_that_is_found_is_a_class(name, rows):
    run = equivalence_search(rows, name)
    members = [
        graph
        for graph in dags_of(tuple(rows))
        if truth.pattern(graph) == truth.pattern(run.graph)
    ]
    shared = set.intersection(*(set(graph.edges) for graph in members))
    directed = {
        edge for edge in run.cpdag.edges if not run.cpdag.has_edge(*edge[::-1])
    }
    assert directed == shared
    slow = truth.Scored(rows, name)
    for graph in members:
        assert slow.total(graph) == pytest.approx(run.score, abs=1e-7)


@every_greedy
@given(
    rows=frames(columns=(4, 4), rows=(5, 40)),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=12, deadline=None)
def test_rules_are_kept_on_the_whole_way(search, rows, seed):
    rng = np.random.default_rng(seed)
    graph = a_graph(list(rows), rng, 0.3)
    edges = list(permutations(rows, 2))
    required = [edge for edge in graph.edges if rng.random() < 0.4]
    forbidden = [
        edge
        for edge in edges
        if edge not in graph.edges and rng.random() < 0.4
    ]
    most = max(1, *dict(graph.in_degree).values())
    rules = {"required": required, "forbidden": forbidden}
    run = GREEDY[search](rows, start=graph, max_parents=most, **rules)
    check_run(run, truth.Scored(rows, "bic"), graph)
    assert truth.allowed(run.graph, required, forbidden, most)
    for met in run.graphs():
        # A node that is taken out keeps what is required.
        assert truth.allowed(met, required, forbidden, most)


def test_an_exact_search_keeps_rules_too():
    rows = ASIA.sample(300, rng=2)[["smoke", "lung", "bronc", "dysp"]]
    rows = rows.astype(str)
    slow = truth.Scored(rows, "bic")
    rules = {
        "required": [("dysp", "lung")],
        "forbidden": [("smoke", "lung"), ("smoke", "bronc")],
    }
    run = exact_search(rows, max_parents=1, **rules)
    best = max(
        slow.total(graph)
        for graph in dags_of(tuple(rows))
        if truth.allowed(graph, **rules, most=1)
    )
    assert run.score == pytest.approx(best)
    assert truth.allowed(run.graph, **rules, most=1)


@given(rows=frames(columns=(3, 4), rows=(5, 40)))
@few
def test_a_tree_search_finds_the_best_forest(rows):
    for name in ("bic", "log-likelihood", "k2"):
        slow = truth.Scored(rows, name)
        best = max(
            slow.total(graph)
            for graph in dags_of(tuple(rows))
            if truth.allowed(graph, most=1)
        )
        assert tree_search(rows, name).score == pytest.approx(best, abs=1e-8)
