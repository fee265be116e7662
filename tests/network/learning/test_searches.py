"""What holds for all searches: orders, data, and the best graph."""

from itertools import combinations, product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from search_truth import (
    DAGS,
    NAMES,
    SCORES,
    SEARCHES,
    best_of,
    rows_of,
    shuffled,
)

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.data import Cases
from bayesbook.network import (
    BIC,
    LogLikelihood,
    Move,
    equivalence_search,
    exact_search,
    hill_climb,
    tabu_search,
    tree_search,
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_all_graphs_of_four_nodes_confirm_what_the_searches_find(name, seed):
    rows = rows_of(seed)
    run = hill_climb(rows, name, restarts=10, rng=seed)
    truth = exact_search(rows, name)
    best = best_of(DAGS, SCORES[name](rows))
    assert truth.score == pytest.approx(best, abs=1e-8)
    assert run.score == pytest.approx(best, abs=1e-8)
    assert tabu_search(rows, name, patience=40).score <= best + 1e-8


def test_likelihood_alone_is_given_a_complete_graph():
    rows = rows_of()
    for search in SEARCHES:
        run = search(rows, "log-likelihood")
        assert run.graph.number_of_edges() == 6
        assert run.score == pytest.approx(
            best_of(DAGS, LogLikelihood(rows)), rel=1e-12
        )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "search", [*SEARCHES, tree_search], ids=lambda search: search.__name__
)
def test_the_order_of_columns_and_rows_plays_no_role(search, name):
    rows = rows_of(3, sizes=(2, 2, 3, 2, 3, 2))
    rows.columns = ["X10", "X2", "X1", "Y", "X3", "a"]
    run = search(rows, name)
    for seed in range(3):
        other = search(shuffled(rows, seed), name)
        assert other.path == run.path
        assert set(other.graph.edges) == set(run.graph.edges)
        assert other.score == run.score


def test_the_order_of_columns_and_rows_plays_no_role_for_restarts():
    rows = rows_of(3, sizes=(2, 2, 3, 2, 3, 2))
    run = hill_climb(rows, restarts=4, rng=2)
    for seed in range(3):
        assert hill_climb(shuffled(rows, seed), restarts=4, rng=2).path == (
            run.path
        )


@pytest.mark.parametrize("seed", range(3))
def test_ties_are_decided_by_names_whatever_the_order(seed):
    # Copies of a column: all edges between them gain the same.
    coin = np.random.default_rng(seed).integers(2, size=40)
    rows = pd.DataFrame(dict.fromkeys(["X10", "X9", "B", "X1"], coin))
    rows["lone"] = np.random.default_rng(seed + 9).integers(2, size=40)
    run = hill_climb(rows)
    assert run.path[0].move == Move("add", "B", "X1")
    assert run.path[1].move == Move("add", "B", "X9")
    for other in range(3):
        again = hill_climb(shuffled(rows, other))
        assert again.path == run.path


def test_weights_in_another_order_round_otherwise_and_change_nothing():
    rows = rows_of(3, sizes=(2, 2, 3, 2, 3))
    weights = np.random.default_rng(2).random(len(rows)) * 3
    weighted = rows.assign(w=weights)
    run = hill_climb(Cases(weighted, weights="w"))
    for seed in range(3):
        mixed = shuffled(weighted, seed)
        other = hill_climb(Cases(mixed, weights="w"))
        assert [s.move for s in other.path] == [s.move for s in run.path]


def test_the_order_of_the_states_changes_no_move():
    rows = rows_of(3, sizes=(2, 2, 3, 2, 3))
    turned = rows.apply(
        lambda own: own.cat.reorder_categories(own.cat.categories[::-1])
    )
    run, other = hill_climb(rows), hill_climb(turned)
    assert [s.move for s in other.path] == [s.move for s in run.path]


def test_the_nodes_are_in_the_order_of_the_columns():
    rows = rows_of()[["C", "A", "D", "B"]]
    for search in (*SEARCHES, tree_search):
        assert list(search(rows).graph) == ["C", "A", "D", "B"]


def test_chunks_are_learned_from_as_the_whole():
    rows = rows_of(sizes=(2, 3, 2, 3, 2))
    chunks = [rows.iloc[i : i + 30] for i in range(0, len(rows), 30)]
    run = hill_climb(rows)
    assert hill_climb(chunks).path == run.path
    assert hill_climb(iter(chunks)).path == run.path
    assert exact_search(chunks).score == pytest.approx(
        exact_search(rows).score
    )


def test_one_score_serves_many_searches():
    rows = rows_of()
    score = BIC(rows)
    first = hill_climb(rows, score)
    assert first.n_counted == score.n_counted > 0
    again = hill_climb(rows, score)
    assert again.n_counted == 0
    assert again.path == first.path
    assert tabu_search(None, score).start.number_of_edges() == 0


@pytest.mark.parametrize(
    "search",
    [*SEARCHES, tree_search, equivalence_search],
    ids=lambda search: search.__name__,
)
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_weight_is_as_many_rows(search, seed):
    rows = rows_of(seed, sizes=(2, 3, 2, 3, 2))
    n = np.random.default_rng(seed).integers(4, size=len(rows))
    repeated = search(rows.loc[rows.index.repeat(n)])
    assert repeated.path
    for run in (
        search(rows, weights=n),
        search(rows.assign(n=n), "bic", weights="n"),
        search(
            [rows[:30].assign(n=n[:30]), rows[30:].assign(n=n[30:])],
            weights="n",
        ),
    ):
        assert [s.move for s in run.path] == [s.move for s in repeated.path]
        assert run.edges == repeated.edges
        assert run.score == pytest.approx(repeated.score, abs=1e-8)
    assert search(rows).score != pytest.approx(repeated.score)
    with pytest.raises(ProbabilityError, match=r"BIC\(data, weights=...\)"):
        search(rows, BIC(rows), weights=n)
    with pytest.raises(ProbabilityError, match="weight"):
        search(rows, weights=[-1.0] * len(rows))


def test_constant_columns_and_single_ones_are_left_alone():
    rows = rows_of().assign(Z="same")
    for search in (*SEARCHES, tree_search):
        run = search(rows, "log-likelihood")
        assert not run.graph.pred["Z"]
        assert not run.graph.succ["Z"]
        assert search(rows[["A"]]).edges == ()


def test_independent_columns_get_no_edges():
    rows = pd.DataFrame(
        list(product((0, 1), repeat=3)) * 5, columns=["A", "B", "C"]
    )
    for search in (*SEARCHES, tree_search):
        for name in ("bic", "log-likelihood"):
            assert search(rows, name).edges == ()


@pytest.mark.parametrize("search", SEARCHES, ids=lambda own: own.__name__)
def test_other_arguments_are_checked(search):
    rows = rows_of()
    for wrong in (-1, 0.5, "two", True):
        with pytest.raises(ProbabilityError, match="max_parents"):
            search(rows, max_parents=wrong)
    with pytest.raises(ProbabilityError, match="There is no score"):
        search(rows, "bim")
    with pytest.raises(ProbabilityError, match="missing"):
        search(rows.mask(rows == "s"))
    with pytest.raises(ProbabilityError, match="`progress`"):
        search(rows, progress=1)


def test_numbers_of_steps_are_checked():
    rows = rows_of()
    with pytest.raises(ProbabilityError, match="restarts"):
        hill_climb(rows, restarts=-1, rng=1)
    with pytest.raises(ProbabilityError, match="escape"):
        hill_climb(rows, escape="no")
    with pytest.raises(ProbabilityError, match="tabu_length"):
        tabu_search(rows, tabu_length=-1)
    with pytest.raises(ProbabilityError, match="patience"):
        tabu_search(rows, patience=0)


def test_too_many_parents_are_refused_before_anything_is_counted():
    rows = pd.DataFrame({f"X{i}": [0, 1] * 3 for i in range(40)})
    score = LogLikelihood(rows)
    with pytest.raises(TableTooLargeError, match="max_parents"):
        hill_climb(None, score, start=complete(rows))
    assert score.n_counted == 0


def complete(rows):
    graph = nx.DiGraph()
    graph.add_nodes_from(rows)
    graph.add_edges_from(combinations(rows, 2))
    return graph
