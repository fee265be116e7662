"""The orders of rows and columns, and the names of states, do not matter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learning_cases import (
    ASIA,
    SEARCHES,
    every_search,
    few,
    frames,
    frames_and_graphs,
    other_orders,
    with_every_score,
)

from bayesbook.network import (
    fit_parameters,
    hill_climb,
)


@with_every_score(SEARCHES)
@given(rows=frames(columns=(4, 5), rows=(2, 30)))
@settings(max_examples=8, deadline=None)
def test_orders_do_not_matter(search, name, rows):
    """Small data have many ties, which a rule decides that we state."""
    first = SEARCHES[search](rows, name)
    for other in other_orders(rows):
        run = SEARCHES[search](other, name)
        assert set(run.graph.edges) == set(first.graph.edges)
        assert run.score == first.score
        assert [step.move for step in run.path] == [
            step.move for step in first.path
        ]


@given(rows=frames(columns=(4, 4), rows=(2, 30)), seed=st.integers(0, 99))
@settings(max_examples=8, deadline=None)
def test_orders_do_not_matter_to_restarts(rows, seed):
    first = hill_climb(rows, restarts=3, rng=seed)
    assert hill_climb(rows, restarts=3, rng=seed).path == first.path
    for other in other_orders(rows):
        run = hill_climb(other, restarts=3, rng=seed)
        assert set(run.graph.edges) == set(first.graph.edges)
        for step, same in zip(run.path, first.path, strict=True):
            assert step[:4] == same[:4]
            assert set(step.removed) == set(same.removed)
            assert set(step.added) == set(same.added)


@every_search
def test_names_and_kinds_of_states_do_not_matter(search):
    rows = ASIA.sample(400, rng=6).astype(str)
    first = SEARCHES[search](rows)
    as_numbers = (rows == "yes").astype(int)
    as_truth = rows == "yes"
    as_category = rows.astype("category")
    for other in (as_numbers, as_truth, as_category):
        run = SEARCHES[search](other)
        assert run.edges == first.edges
        assert run.score == pytest.approx(first.score)


@pytest.mark.filterwarnings("ignore:All rows have the same state")
@given(case=frames_and_graphs(rows=(2, 30)))
@few
def test_orders_do_not_matter_to_parameters(case):
    rows, graph = case
    first = fit_parameters(graph, rows, pseudo_count=1)
    for other in other_orders(rows):
        assert fit_parameters(graph, other, pseudo_count=1) == first
