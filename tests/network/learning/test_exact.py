"""Exact search against all graphs of four nodes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from search_truth import DAGS, NAMES, SCORES, best_of, obeys, rows_of

from bayesbook import graphs
from bayesbook.base import ProbabilityError
from bayesbook.data import Cases
from bayesbook.network import (
    BIC,
    exact_search,
    hill_climb,
    load_network,
)


def test_there_are_543_graphs_of_four_nodes():
    assert len(DAGS) == 543


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    graph=st.sampled_from(DAGS),
    others=st.sampled_from(DAGS),
    max_parents=st.integers(0, 3),
    name=st.sampled_from(NAMES),
)
def test_exact_search_is_exhaustive_under_rules(
    seed, graph, others, max_parents, name
):
    required = list(graph.edges)[:2]
    forbidden = [edge for edge in others.edges if edge not in required]
    rules = {
        "required": required,
        "forbidden": forbidden,
        "max_parents": max_parents,
    }
    allowed = [graph for graph in DAGS if obeys(graph, **rules)]
    assume(allowed)
    rows = rows_of(seed, n=30)
    run = exact_search(rows, name, **rules)
    assert obeys(run.graph, **rules)
    best = best_of(allowed, SCORES[name](rows))
    assert run.score == pytest.approx(best, abs=1e-8)
    climbed = hill_climb(rows, name, restarts=5, rng=1, **rules)
    assert obeys(climbed.graph, **rules)
    assert climbed.score <= run.score + 1e-8


def test_exact_search_of_asia_beats_the_truth_and_hill_climbing_agrees():
    asia = load_network("asia")
    rows = asia.sample(20_000, rng=5)
    run = exact_search(rows)
    assert run.score >= BIC(rows).total(asia) - 1e-6
    assert run.n_counted == 8 * 2**7
    climbed = hill_climb(rows, restarts=5, rng=1)
    assert climbed.score == pytest.approx(run.score, abs=1e-6)
    assert graphs.structural_hamming_distance(run.graph, climbed.graph) == 0


def test_of_equally_good_graphs_the_exact_search_takes_few_parents():
    rows = pd.DataFrame(
        {"A": [0, 1] * 8, "B": [0, 0, 1, 1] * 4, "Z": [0] * 16}
    )
    assert exact_search(rows, "log-likelihood").edges == ()


def test_exact_search_counts_distinct_rows_and_takes_a_score():
    rows = rows_of()
    score = BIC(rows)
    assert exact_search(rows).score == pytest.approx(
        exact_search(None, score).score, rel=1e-12
    )
    weighted = Cases(rows, weights=np.arange(len(rows)) % 3)
    assert exact_search(weighted).score == pytest.approx(
        best_of(DAGS, BIC(weighted)), rel=1e-12
    )


def test_too_many_nodes_are_refused_by_the_exact_search():
    rows = pd.DataFrame({f"X{i}": [0, 1] * 3 for i in range(21)})
    with pytest.raises(ProbabilityError, match="Use hill_climb"):
        exact_search(rows)
