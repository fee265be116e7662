"""Searches against all graphs there are, and against loops over networkx."""

from itertools import combinations, permutations, product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from graph_truth import all_dags
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bayesbook import graphs
from bayesbook.base import GraphError, ProbabilityError, TableTooLargeError
from bayesbook.data import Cases, load_watermelon
from bayesbook.network import (
    AIC,
    BIC,
    K2,
    BDeu,
    LogLikelihood,
    Move,
    SearchRun,
    exact_search,
    hill_climb,
    load_network,
    tabu_search,
    tree_search,
)
from bayesbook.network.learning._edge_constraints import Rules
from bayesbook.network.learning._move_scores import Columns, Neighbours

SCORES = {"bic": BIC, "aic": AIC, "bdeu": BDeu, "k2": K2}
NAMES = tuple(SCORES)
SEARCHES = (hill_climb, tabu_search, exact_search)


def rows_of(seed=1, n=80, sizes=(2, 3, 2, 3), names="ABCDEF"):
    """Rows of columns that depend on two columns before them."""
    rng = np.random.default_rng(seed)
    codes = []
    for size in sizes:
        own = rng.integers(size, size=n)
        for other in rng.permutation(len(codes))[:2]:
            copied = rng.random(n) < 0.4
            own = np.where(copied, (codes[other] + own // 2) % size, own)
        codes.append(own)
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(own, list("stuvw"[:size]))
            for name, own, size in zip(names, codes, sizes, strict=False)
        }
    )


# -- truths ----------------------------------------------------------------


DAGS = list(all_dags("ABCD"))


def obeys(graph, required=(), forbidden=(), max_parents=99):
    return (
        all(graph.has_edge(*edge) for edge in required)
        and not any(graph.has_edge(*edge) for edge in forbidden)
        and max(degree for _, degree in graph.in_degree) <= max_parents
    )


def best_of(dags, score):
    return max(score.total(graph) for graph in dags)


def moves_of(graph, **rules):
    """Yield every allowed move, in the order in which ties are decided."""
    for kind in ("add", "delete", "reverse"):
        for edge in permutations(sorted(graph, key=by_number), 2):
            move = Move(kind, *edge)
            other = nx.DiGraph(graph)
            try:
                move.apply(other)
            except GraphError:
                continue
            if nx.is_directed_acyclic_graph(other) and obeys(other, **rules):
                yield move, other


def by_number(name):
    """Sort names of a letter and a number, or of a letter."""
    return name[0], int(name[1:] or 0)


def greedy(score, graph, **rules):
    """Climb with whole graphs, and totals of them; give the path."""
    path = []
    while True:
        total = score.total(graph)
        gains = [
            (score.total(other) - total, move, other)
            for move, other in moves_of(graph, **rules)
        ]
        best = max((gain for gain, _, _ in gains), default=0)
        if best <= 1e-7:
            return path, graph
        move, graph = next(
            (move, other) for gain, move, other in gains if gain > best - 1e-7
        )
        path.append(move)


def empty(names="ABCD"):
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    return graph


def test_there_are_543_graphs_of_four_nodes():
    assert len(DAGS) == 543


# -- the best graph --------------------------------------------------------


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


def test_likelihood_alone_is_given_a_complete_graph():
    rows = rows_of()
    for search in SEARCHES:
        run = search(rows, "log-likelihood")
        assert run.graph.number_of_edges() == 6
        assert run.score == pytest.approx(
            best_of(DAGS, LogLikelihood(rows)), rel=1e-12
        )


# -- climbing --------------------------------------------------------------


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


def test_leaving_local_optima_is_worth_it():
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
    with pytest.raises(ProbabilityError, match="source of chance"):
        hill_climb(rows, restarts=2)
    one = hill_climb(rows, restarts=3, rng=5)
    same = hill_climb(rows, restarts=3, rng=np.random.default_rng(5))
    assert one.path == same.path
    assert one.path != hill_climb(rows, restarts=3, rng=6).path


def test_restarts_begin_with_graphs_that_obey():
    rules = Rules(
        "ABCDEFG",
        required=[("A", "B"), ("C", "B"), ("G", "A")],
        forbidden=[("D", "E"), ("E", "D")],
        max_parents=2,
    )
    rng = np.random.default_rng(1)
    n_edges = []
    for _ in range(200):
        graph = rules.graph(rules.draw(rng))
        graphs.check_dag(graph)
        assert obeys(
            graph,
            [("A", "B"), ("C", "B"), ("G", "A")],
            [("D", "E"), ("E", "D")],
            2,
        )
        n_edges.append(graph.number_of_edges())
    assert 5 < np.mean(n_edges) < 9


# -- the matrices ----------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_ancestors_and_worths_are_kept_up_to_date(seed):
    rng = np.random.default_rng(seed)
    rows = rows_of(1, n=40, sizes=(2, 3, 2, 3, 2))
    score = BIC(rows)
    graph = Neighbours(
        Columns(score, Rules(score.names)), np.zeros((5, 5), dtype=bool)
    )
    names = graph.rules.names
    for _ in range(12):
        found = nx.DiGraph(graph.rules.graph(graph.edges))
        closure = nx.transitive_closure_dag(found)
        assert {
            (names[a], names[b]) for a, b in np.argwhere(graph.above)
        } == set(closure.edges)
        for tail, head in permutations(range(5), 2):
            pair = (names[tail], names[head])
            own = set(found.pred[pair[1]])
            changed = own ^ {pair[0]}
            worth = score.local(pair[1], changed) - score.local(pair[1], own)
            if graph.worth[tail, head] == -np.inf:
                # The price is more than there is to gain.
                assert pair[0] not in own
                assert worth < 0
            else:
                assert graph.worth[tail, head] == pytest.approx(worth)
        assert graph.total == pytest.approx(score.total(found), abs=1e-9)
        moves = list(moves_of(found))
        best = max(score.delta(found, move) for move, _ in moves)
        assert graph.best().gain == pytest.approx(best, abs=1e-8)
        move, _ = moves[rng.integers(len(moves))]
        tail, head = (names.index(name) for name in move[1:])
        graph.make(graph.best()._replace(kind=move.kind, tail=tail, head=head))


def test_only_what_a_move_touches_is_counted():
    rows = rows_of(sizes=(2, 3, 2, 3, 2))
    score = LogLikelihood(rows)
    columns = Columns(score, Rules(score.names))
    graph = Neighbours(columns, np.zeros((5, 5), dtype=bool))
    assert score.n_counted == 5 + 5 * 4
    graph.make(graph.best())
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
    rules = Rules(score.names)
    found = Neighbours(Columns(score, rules), rules.read_start(start))
    for tail, head in permutations(rules.names, 2):
        at = rules.place[tail], rules.place[head]
        if found.worth[at] == -np.inf:
            own = list(start.pred[head])
            gain = score.local(head, [*own, tail]) - score.local(head, own)
            assert gain < score.rounding
    assert search.score >= score.total(start) - 1e-9


# -- tabu ------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_tabu_search_begins_like_a_climb_and_goes_on(seed):
    rows = rows_of(seed, sizes=(2, 3, 2, 3, 2))
    plain = hill_climb(rows, escape=False)
    run = tabu_search(rows, tabu_length=4, patience=9)
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
    run = tabu_search(
        rows_of(2, sizes=(2, 3, 2, 3, 2)), tabu_length=length, patience=30
    )
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
    run = tabu_search(rows, tabu_length=100, patience=100)
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
    assert tabu_search(rows).score > plain.score + 50


# -- trees -----------------------------------------------------------------


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
    from bayesbook.naive_bayes import chow_liu

    rows = load_watermelon("2.0")
    tree = chow_liu(rows, root="good")
    run = tree_search(rows, "log-likelihood", root="good")
    assert set(run.graph.edges) == set(tree.edges)
    # A bit of each of the 17 rows is log 2 nats.
    for step in run.path:
        bits = tree.edges[step.move[1:]]["weight"]
        assert step.delta == pytest.approx(17 * bits * np.log(2))
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


# -- the order of columns, rows and states --------------------------------


def shuffled(rows, seed):
    rng = np.random.default_rng(seed)
    rows = rows.iloc[rng.permutation(len(rows))]
    return rows[[rows.columns[i] for i in rng.permutation(rows.shape[1])]]


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
    # Copies of a column: all edges between them are worth the same.
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


# -- the data --------------------------------------------------------------


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


# -- errors ----------------------------------------------------------------

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
        ("B -> C", "list of pairs"),
        (3, "list of pairs"),
    ]:
        with pytest.raises(GraphError, match=message):
            search(rows, **{which: edges})


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


def test_too_many_nodes_are_refused_by_the_exact_search():
    rows = pd.DataFrame({f"X{i}": [0, 1] * 3 for i in range(21)})
    with pytest.raises(ProbabilityError, match="Take hill_climb"):
        exact_search(rows)


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


# -- the run ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("search", "options"),
    [
        (hill_climb, {}),
        (hill_climb, {"restarts": 3, "rng": 2}),
        (hill_climb, {"start": "E -> D -> C -> B -> A"}),
        (hill_climb, {"required": [("E", "A")], "forbidden": [("A", "B")]}),
        (tabu_search, {"patience": 15}),
        (tree_search, {"class_node": "C"}),
        (exact_search, {"score": "aic"}),
    ],
)
def test_the_path_replays_the_search(search, options):
    rows = rows_of(2, sizes=(2, 3, 2, 3, 2))
    run = search(rows, **options)
    assert isinstance(run, SearchRun)
    score = SCORES[options.get("score", "bic")](rows)
    assert run.criterion == score.name
    dags = list(run.graphs())
    assert len(dags) == len(run.path) + 1
    assert set(dags[0].edges) == set(run.start.edges)
    for graph in dags:
        graphs.check_dag(graph)
        assert list(graph) == list(rows)
    assert any(set(graph.edges) == set(run.graph.edges) for graph in dags)
    totals = [score.total(graph) for graph in dags]
    for before, step, after in zip(totals, run.path, totals[1:], strict=False):
        assert step.score == pytest.approx(after, abs=1e-9)
        assert step.delta == pytest.approx(after - before, abs=1e-9)
    assert run.score == score.total(run.graph)
    assert run.score == pytest.approx(max(totals), abs=1e-9)


def test_a_run_is_a_table():
    rows = rows_of(2, sizes=(2, 3, 2, 3, 2))
    run = hill_climb(rows, restarts=1, rng=2)
    table = run.to_frame()
    assert table.shape == (len(run.path), 7)
    edges = [graph.number_of_edges() for graph in run.graphs()]
    assert table["edges"].tolist() == edges[1:]
    assert "restart" in set(table["move"])
    assert table["restart"].max() == 1
    assert hill_climb(rows[["A"]]).to_frame().empty


def test_a_run_shows_itself():
    rows = pd.DataFrame({"<A>": [0, 1] * 9, "B": [0, 1] * 9})
    run = hill_climb(rows)
    assert repr(run) == (
        "SearchRun: 2 nodes, 1 edge, BIC -16.81, after 1 step (4 families "
        "counted)\nadd <A> → B: +11.03"
    )
    html = run._repr_html_()
    assert "add &lt;A&gt; → B" in html
    assert "<A>" not in html
    long = hill_climb(load_network("child").sample(300, rng=1))
    assert "more steps" in repr(long)
    assert "more steps" in long._repr_html_()


def test_a_run_gives_the_equivalence_class_and_cannot_be_changed():
    rows = rows_of(2)
    run = hill_climb(rows)
    assert set(run.cpdag.edges) == set(graphs.cpdag(run.graph).edges)
    with pytest.raises(nx.NetworkXError):
        run.graph.add_edge("A", "B")
    with pytest.raises(AttributeError):
        run.score = 0


def test_a_progress_bar_is_shown_on_demand(capsys):
    rows = rows_of()
    for search in SEARCHES:
        search(rows)
        assert capsys.readouterr().err == ""
        search(rows, progress=True)
        assert capsys.readouterr().err != ""
