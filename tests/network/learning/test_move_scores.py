"""The gains of moves against differences of local scores."""

from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from search_truth import NAMES, SCORES, moves_of, rows_of

from bayesbook import graphs
from bayesbook.base import TableTooLargeError
from bayesbook.network import (
    BIC,
    LogLikelihood,
    hill_climb,
    tabu_search,
)
from bayesbook.network.learning._edge_constraints import EdgeConstraints
from bayesbook.network.learning._move_scores import GainColumns, ScoredGraph


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_ancestors_and_gains_are_kept_up_to_date(seed):
    rng = np.random.default_rng(seed)
    rows = rows_of(1, n=40, sizes=(2, 3, 2, 3, 2))
    score = BIC(rows)
    graph = ScoredGraph(
        GainColumns(score, EdgeConstraints(score.names)),
        np.zeros((5, 5), dtype=bool),
    )
    names = graph.constraints.names
    for _ in range(12):
        found = nx.DiGraph(graph.constraints.graph(graph.edges))
        closure = nx.transitive_closure_dag(found)
        assert {
            (names[a], names[b]) for a, b in np.argwhere(graph.is_ancestor)
        } == set(closure.edges)
        for tail, head in permutations(range(5), 2):
            pair = (names[tail], names[head])
            own = set(found.pred[pair[1]])
            changed = own ^ {pair[0]}
            gain = score.local(pair[1], changed) - score.local(pair[1], own)
            if graph.gains[tail, head] == -np.inf:
                # The price is more than there is to gain.
                assert pair[0] not in own
                assert gain < 0
            else:
                assert graph.gains[tail, head] == pytest.approx(gain)
        assert graph.total == pytest.approx(score.total(found), abs=1e-9)
        moves = list(moves_of(found))
        best = max(score.delta(found, move) for move, _ in moves)
        assert graph.best_move().gain == pytest.approx(best, abs=1e-8)
        move, _ = moves[rng.integers(len(moves))]
        tail, head = (names.index(name) for name in move[1:])
        graph.apply(
            graph.best_move()._replace(kind=move.kind, tail=tail, head=head)
        )


def test_only_what_a_move_touches_is_counted():
    rows = rows_of(sizes=(2, 3, 2, 3, 2))
    score = LogLikelihood(rows)
    columns = GainColumns(score, EdgeConstraints(score.names))
    graph = ScoredGraph(columns, np.zeros((5, 5), dtype=bool))
    assert score.n_counted == 5 + 5 * 4
    graph.apply(graph.best_move())
    # The changed node has 3 more sets of two parents; the others are known.
    assert score.n_counted == 25 + 3


def test_parents_that_cannot_pay_are_not_counted():
    # A table of two such columns would have 10^10 cells.
    states = dict.fromkeys("AB", range(100_000))
    rows = rows_of(n=50).assign(A=np.arange(50), B=np.arange(50) % 7)
    score = BIC(rows, states=states)
    for search in (hill_climb, tabu_search):
        run = search(None, score)
        assert not run.graph.pred["A"]
        assert not run.graph.succ["A"]
    with pytest.raises(TableTooLargeError):
        score.local("A", "B")


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), name=st.sampled_from(NAMES))
def test_what_is_not_counted_would_not_pay(seed, name):
    rng = np.random.default_rng(seed)
    rows = rows_of(seed, n=int(rng.integers(5, 60)), sizes=(3, 4, 2, 5, 3))
    graph = graphs.random_dag(5, 0.4, rng=rng)
    names = dict(zip(graph, rows, strict=True))
    start = nx.relabel_nodes(graph, names)
    search = hill_climb(rows, name, start=start, escape=False)
    score = SCORES[name](rows)
    rules = EdgeConstraints(score.names)
    found = ScoredGraph(GainColumns(score, rules), rules.read_start(start))
    for tail, head in permutations(rules.names, 2):
        at = rules.index[tail], rules.index[head]
        if found.gains[at] == -np.inf:
            own = list(start.pred[head])
            gain = score.local(head, [*own, tail]) - score.local(head, own)
            assert gain < score.rounding
    assert search.score >= score.total(start) - 1e-9
