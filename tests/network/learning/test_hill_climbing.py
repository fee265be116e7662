"""Hill climbing against the textbook's, with whole graphs and their totals."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from search_truth import DAGS, SCORES, empty, greedy, moves_of, obeys, rows_of

from bayesbook import graphs
from bayesbook.base import ProbabilityError
from bayesbook.network import (
    BIC,
    Move,
    exact_search,
    hill_climb,
    load_network,
)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    start=st.sampled_from(DAGS),
    others=st.sampled_from(DAGS),
    max_parents=st.integers(1, 3),
)
def test_a_plain_climb_is_the_textbook_one(seed, start, others, max_parents):
    required = list(start.edges)[:1]
    forbidden = [edge for edge in others.edges if edge not in start.edges]
    rules = {
        "required": required,
        "forbidden": forbidden,
        "max_parents": max_parents,
    }
    assume(obeys(start, **rules))
    rows = rows_of(seed, n=40)
    run = hill_climb(rows, "bic", start=start, escape=False, **rules)
    path, graph = greedy(BIC(rows), start, **rules)
    assert [step.move for step in run.path] == path
    assert set(run.graph.edges) == set(graph.edges)


def test_a_climb_of_many_nodes_is_the_textbook_one():
    rows = load_network("asia").sample(1000, rng=4)
    rows.columns = [f"X{i}" for i in (10, 2, 1, 7, 11, 3, 20, 5)]
    run = hill_climb(rows, escape=False)
    path, _ = greedy(BIC(rows), empty(rows.columns))
    assert [step.move for step in run.path] == path
    assert len(path) > 5


@pytest.mark.parametrize("name", ["bic", "k2"])
@pytest.mark.parametrize("seed", range(3))
def test_no_move_betters_what_was_found(name, seed):
    rows = rows_of(seed, sizes=(2, 3, 2, 3, 2))
    score = SCORES[name](rows)
    rules = {"max_parents": 2, "forbidden": [("A", "C")]}
    run = hill_climb(rows, name, **rules)
    for move, _ in moves_of(run.graph, **rules):
        assert score.delta(run.graph, move) < 1e-8


def test_leaving_local_optima_pays():
    for name, n in [("alarm", 3000), ("insurance", 3000), ("child", 1000)]:
        rows = load_network(name).sample(n, rng=1)
        score = BIC(rows)
        plain = hill_climb(None, score, escape=False)
        run = hill_climb(None, score)
        assert run.path[: len(plain.path)] == plain.path
        assert run.score >= plain.score
        if name != "child":
            assert run.score > plain.score + 100
        for move, _ in list(moves_of_large(run.graph))[::25]:
            assert score.delta(run.graph, move) < 1e-6


def moves_of_large(graph):
    for edge in graph.edges:
        yield Move("delete", *edge), None
        other = nx.DiGraph(graph)
        other.remove_edge(*edge)
        if not nx.has_path(other, *edge):
            yield Move("reverse", *edge), None


def test_more_rows_than_the_network_needs_are_learned_better_than_generated():
    # 5,000 rows are enough for the class of asia's strong edges.
    asia = load_network("asia")
    for seed in range(5):
        rows = asia.sample(5000, rng=seed)
        assert hill_climb(rows).score >= BIC(rows).total(asia) - 1e-6


def test_plateaus_are_crossed_by_reversing_covered_edges():
    rows = load_network("asia").sample(300, rng=1)
    run = hill_climb(rows)
    flat = 0
    for graph, step in zip(run.graphs(), run.path, strict=False):
        if abs(step.delta) < 1e-8:
            assert step.move.kind == "reverse"
            other = nx.DiGraph(graph)
            step.move.apply(other)
            assert graphs.markov_equivalent(graph, other)
            flat += 1
    assert flat > 0
    assert run.score > hill_climb(rows, escape=False).score + 1


def test_scores_that_are_not_equivalent_have_no_plateaus():
    rows = load_network("insurance").sample(500, rng=1)
    run = hill_climb(rows, "k2", max_parents=3)
    assert all(
        abs(step.delta) > 1e-8 for step in run.path if step.move is not None
    )


def test_restarts_find_what_one_climb_does_not():
    # A is the parity of B and C: no pair of columns says anything.
    rows = pd.DataFrame(
        [(b ^ c, b, c) for b in (0, 1) for c in (0, 1)] * 10,
        columns=["A", "B", "C"],
    )
    assert hill_climb(rows).edges == ()
    run = hill_climb(rows, restarts=20, rng=1)
    assert run.score == pytest.approx(exact_search(rows).score)
    assert max(step.restart for step in run.path) == 20


def test_restarts_need_a_source_of_chance_and_repeat_with_it():
    rows = rows_of(sizes=(2, 3, 2, 3, 2))
    with pytest.raises(ProbabilityError, match="source of randomness"):
        hill_climb(rows, restarts=2)
    one = hill_climb(rows, restarts=3, rng=5)
    same = hill_climb(rows, restarts=3, rng=np.random.default_rng(5))
    assert one.path == same.path
    assert one.path != hill_climb(rows, restarts=3, rng=6).path
