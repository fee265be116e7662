"""Tabu search: it goes on where a climb ends, and does not turn back."""

import numpy as np
import pytest
from search_truth import rows_of

from bayesbook.network import (
    BIC,
    exact_search,
    hill_climb,
    load_network,
    tabu_search,
)


@pytest.mark.parametrize("seed", range(3))
def test_tabu_search_begins_like_a_climb_and_goes_on(seed):
    rows = rows_of(seed, sizes=(2, 3, 2, 3, 2))
    plain = hill_climb(rows, escape=False)
    run = tabu_search(rows, escape=False, tabu_length=4, patience=9)
    n = len(plain.path)
    assert [s.move for s in run.path[:n]] == [s.move for s in plain.path]
    assert run.score >= plain.score
    scores = [step.score for step in run.path]
    assert run.score == pytest.approx(max(scores), abs=1e-9)
    # The search ends after as many steps as it is patient.
    best = max(i for i, s in enumerate(scores) if s > max([*scores[:i], -1e9]))
    assert len(scores) - 1 - best == 9


@pytest.mark.parametrize("length", [1, 3, 5])
def test_tabu_edges_are_not_touched_but_for_a_record(length):
    rows = rows_of(2, sizes=(2, 3, 2, 3, 2))
    run = tabu_search(rows, escape=False, tabu_length=length, patience=30)
    record = -np.inf
    lately = []
    for step in run.path:
        pair = frozenset(step.move[1:])
        if step.score <= record + 1e-8:
            assert pair not in lately[len(lately) - length :]
        record = max(record, step.score)
        lately.append(pair)


def test_tabu_search_ends_where_nothing_is_allowed():
    rows = rows_of(sizes=(2, 3))
    run = tabu_search(rows, tabu_length=50, patience=60)
    assert len(run.path) <= 2
    none = tabu_search(rows, forbidden=[("A", "B"), ("B", "A")])
    assert none.path == ()
    assert none.edges == ()


def test_long_tabu_lists_do_not_pile_parents_up():
    rows = load_network("child").sample(1000, rng=1)
    run = tabu_search(rows, escape=False, tabu_length=100, patience=100)
    assert run.score >= hill_climb(rows, escape=False).score


def test_tabu_search_is_as_patient_as_there_are_columns():
    run = tabu_search(rows_of(sizes=(2, 3, 2, 3, 2)))
    scores = [step.score for step in run.path]
    assert len(scores) - 1 - scores.index(max(scores)) <= 20
    given = tabu_search(
        rows_of(sizes=(2, 3, 2, 3, 2)), tabu_length=5, patience=20
    )
    assert run.path == given.path


def test_tabu_search_gets_further_than_a_plain_climb():
    rows = load_network("insurance").sample(2000, rng=1)
    plain = hill_climb(rows, escape=False)
    assert tabu_search(rows, escape=False).score > plain.score + 50


@pytest.mark.parametrize("n_rows", [200, 1000, 5000])
def test_tabu_search_goes_on_from_a_hill_climb(n_rows):
    for seed in range(8):
        score = BIC(load_network("asia").sample(n_rows, rng=seed))
        climb, run = hill_climb(None, score), tabu_search(None, score)
        assert run.path[: len(climb.path)] == climb.path
        assert run.score >= climb.score
        assert run.score <= exact_search(None, score).score + 1e-6


def test_of_many_rows_only_what_climbs_first_gets_far():
    score = BIC(load_network("alarm").sample(100_000, rng=0))
    found = hill_climb(None, score).score
    assert tabu_search(None, score).score >= found
    # What the text of the function says of a search without.
    alone = tabu_search(None, score, escape=False, patience=1000)
    scores = np.array([step.score for step in alone.path])
    falls = np.maximum.accumulate(scores) - scores
    assert 400 < falls.max() < 500
    assert 2500 < found - alone.score < 2600


def test_a_tabu_search_can_find_more_than_a_climb():
    score = BIC(load_network("insurance").sample(1000, rng=1))
    assert tabu_search(None, score).score > hill_climb(None, score).score + 90
