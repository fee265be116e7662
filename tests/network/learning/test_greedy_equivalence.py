"""The search among classes against brute force and exact distributions."""

from itertools import combinations, permutations, product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from graph_truth import all_dags
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesbook import graphs
from bayesbook.base import GraphError, ProbabilityError
from bayesbook.data import Cases
from bayesbook.network import (
    AIC,
    BIC,
    BDeu,
    ClassMove,
    SearchRun,
    equivalence_search,
    hill_climb,
    load_network,
)
from bayesbook.network.learning._move_scores import GainColumns

# -- data, and truths ------------------------------------------------------


def random_rows(seed, n_columns=5, n_rows=300):
    """Rows of columns A, B, C, ... that depend on some before them."""
    rng = np.random.default_rng(seed)
    codes = []
    for _ in range(n_columns):
        own = rng.integers(2 + rng.integers(2), size=n_rows)
        for other in codes:
            if rng.random() < 0.4:
                own = np.where(rng.random(n_rows) < 0.4, other, own)
        codes.append(own)
    names = rng.permutation(list("ABCDEFGH"[:n_columns])).tolist()
    return pd.DataFrame(dict(zip(names, codes, strict=True)))


def perfect_rows(graph, seed, total=1e7):
    """All rows, weighted with their probability under random distributions.

    The independences of the graph hold in the data exactly, and others
    only if the distributions happen to make them.
    """
    rng = np.random.default_rng(seed)
    nodes = sorted(graph)
    rows = pd.DataFrame(
        list(product((0, 1), repeat=len(nodes))), columns=nodes
    )
    weights = np.full(len(rows), float(total))
    for node in nodes:
        parents = sorted(graph.pred[node])
        shape = (2,) * len(parents)
        p = rng.beta(0.5, 0.5, size=shape).clip(0.02, 0.98)
        p_one = p[tuple(rows[name] for name in parents)]
        weights *= np.where(rows[node] == 1, p_one, 1 - p_one)
    return Cases(rows.assign(weight=weights), weights="weight")


@pytest.fixture(scope="module")
def dags_of_four():
    return list(all_dags("ABCD"))


def best_of(dags, score):
    return max(score.total(graph) for graph in dags)


def best_by_orders(score):
    """Return the best score: of all orders, with the best parents for each."""
    names = sorted(score.names)
    best = {}
    for node in names:
        others = [name for name in names if name != node]
        sets = [
            frozenset(own)
            for k in range(len(names))
            for own in combinations(others, k)
        ]
        terms = dict(zip(sets, score.locals(node, sets), strict=True))
        for before in sets:
            best[node, before] = max(
                terms[own] for own in sets if own <= before
            )
    return max(
        sum(
            best[node, frozenset(order[:place])]
            for place, node in enumerate(order)
        )
        for order in permutations(names)
    )


def same(one, other):
    return nx.utils.graphs_equal(one, other)


# -- the search finds what is there ----------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_from_a_perfect_source_ges_finds_the_best_class(seed):
    graph = graphs.random_dag(4 + seed % 2, 0.3 + 0.01 * seed, rng=seed)
    score = BIC(perfect_rows(graph, seed))
    run = equivalence_search(None, score, look_ahead=False)
    assert run.score == pytest.approx(best_by_orders(score), abs=1e-4)
    assert same(run.cpdag, graphs.cpdag(graph))
    # Of the generating class, not only of its score.
    assert run.score == pytest.approx(score.total(graph), abs=1e-4)


@pytest.mark.parametrize("score", [BIC, AIC, BDeu])
def test_looking_ahead_finds_the_best_graph_of_four(score, dags_of_four):
    found = n_plain = 0
    for seed in range(10):
        own = score(random_rows(seed, 4, 60))
        best = best_of(dags_of_four, own)
        run = equivalence_search(None, own)
        plain = equivalence_search(None, own, look_ahead=False)
        assert run.score <= best + 1e-6
        assert plain.score <= run.score + 1e-6
        found += run.score > best - 1e-6
        n_plain += plain.score > best - 1e-6
    assert found == 10
    assert n_plain >= 8


def test_of_a_likelihood_the_complete_graph_is_best():
    run = equivalence_search(random_rows(3, 4, 200), "log-likelihood")
    assert run.graph.number_of_edges() == 6
    assert nx.utils.graphs_equal(run.cpdag, run.cpdag.reverse())


@pytest.mark.parametrize(("network", "seed"), [("asia", 1), ("child", 2)])
def test_networks_are_recovered_from_rows(network, seed):
    network = load_network(network)
    rows = network.sample(10_000, rng=seed)
    run = equivalence_search(rows)
    assert run.score >= BIC(rows).total(network) - 1e-6
    assert graphs.structural_hamming_distance(run.cpdag, network.graph) == 0


def test_alarm_scores_better_than_the_network_that_made_the_rows():
    alarm = load_network("alarm")
    score = BIC(alarm.sample(10_000, rng=1))
    plain = equivalence_search(None, score, look_ahead=False)
    run = equivalence_search(None, score)
    assert plain.score < score.total(alarm) < run.score
    assert hill_climb(None, score).score < run.score
    assert graphs.structural_hamming_distance(run.cpdag, alarm.graph) <= 4


# -- every step is a move between classes ----------------------------------


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["bic", "aic", "bdeu"]),
    st.booleans(),
)
def test_every_step_is_between_classes_and_gains_what_it_says(
    seed, name, look_ahead
):
    rows = random_rows(seed, 6, 150)
    score = {"bic": BIC, "aic": AIC, "bdeu": BDeu}[name](rows)
    run = equivalence_search(rows, score, look_ahead=look_ahead)
    dags, cpdags = list(run.graphs()), list(run.cpdags())
    assert len(dags) == len(cpdags) == len(run.path) + 1
    assert same(dags[0], run.start)
    assert same(dags[-1], run.graph)
    assert same(cpdags[-1], run.cpdag)
    totals = [score.total(graph) for graph in dags]
    for step, before, after, g, h in zip(
        run.path, totals, totals[1:], cpdags, cpdags[1:], strict=False
    ):
        assert step.delta == pytest.approx(after - before, abs=1e-8)
        assert step.score == pytest.approx(after, abs=1e-8)
        # One edge of some member: the skeletons differ by that pair only.
        links = [set(map(frozenset, graph.edges)) for graph in (g, h)]
        pair = frozenset(step.move[1:3])
        difference = {"insert": {pair}, "delete": {pair}, "turn": set()}
        assert links[0] ^ links[1] == difference[step.move.kind]
        assert all(g.has_edge(step.move.head, c) for c in step.move.given)
        assert all(g.has_edge(c, step.move.head) for c in step.move.given)
        assert graphs.structural_hamming_distance(g, h) > 0
    assert run.score == totals[-1]
    # A detour begins with a step that betters nothing, and ends higher.
    assert all((step.delta > 0) == (not step.why) for step in run.path)
    detours = [step.restart for step in run.path if step.why == "detour"]
    assert detours == list(range(1, 1 + len(detours)))
    assert look_ahead or not detours
    tops = [-np.inf] * (len(detours) + 1)
    for step in run.path:
        tops[step.restart] = max(step.score, tops[step.restart])
    assert tops == sorted(tops)
    # No member of the class has a better neighbour.
    for graph in graphs.equivalence_class(run.graph):
        for tail, head in permutations(graph, 2):
            other = graph.copy()
            if other.has_edge(tail, head):
                other.remove_edge(tail, head)
                changes = [other, other.copy()]
                changes[1].add_edge(head, tail)
            elif not other.has_edge(head, tail):
                other.add_edge(tail, head)
                changes = [other]
            else:
                continue
            for change in changes:
                if nx.is_directed_acyclic_graph(change):
                    assert score.total(change) <= run.score + 1e-6


# -- constraints -----------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_rules_are_kept_and_little_is_lost_by_them(seed, dags_of_four):
    rng = np.random.default_rng(seed)
    score = BIC(random_rows(seed, 4, 400))
    pairs = rng.permutation(list(permutations("ABCD", 2))).tolist()
    required = [tuple(pairs[0])] if seed % 3 else []
    forbidden = [tuple(p) for p in pairs[1:4] if p[::-1] != pairs[0]]
    most = 1 + seed % 3
    run = equivalence_search(
        None,
        score,
        required=required,
        forbidden=forbidden,
        max_parents=most,
    )
    allowed = [
        graph
        for graph in dags_of_four
        if all(graph.has_edge(*edge) for edge in required)
        and not any(graph.has_edge(*edge) for edge in forbidden)
        and max(dict(graph.in_degree).values()) <= most
    ]
    for graph in run.graphs():
        assert any(same(graph, other) for other in allowed)
    assert run.score == pytest.approx(best_of(allowed, score), abs=1e-6)


def test_a_forbidden_pair_stays_apart():
    rows = load_network("asia").sample(3000, rng=0)
    run = equivalence_search(
        rows, forbidden=[("tub", "either"), ("either", "tub")]
    )
    assert not run.cpdag.has_edge("tub", "either")
    assert not run.cpdag.has_edge("either", "tub")


def test_a_required_edge_directs_the_member_that_is_shown():
    rows = load_network("asia").sample(3000, rng=0)
    free = equivalence_search(rows)
    assert free.cpdag.has_edge("lung", "smoke")
    assert free.cpdag.has_edge("smoke", "lung")
    for edge in (("lung", "smoke"), ("smoke", "lung")):
        run = equivalence_search(rows, required=[edge])
        assert run.graph.has_edge(*edge)
        assert same(run.cpdag, free.cpdag)
        assert (
            equivalence_search(rows, forbidden=[edge[::-1]]).edges == run.edges
        )


def test_a_search_can_begin_anywhere():
    asia = load_network("asia")
    rows = asia.sample(10_000, rng=1)
    run = equivalence_search(rows, start=asia)
    assert same(graphs.cpdag(run.start), graphs.cpdag(asia.graph))
    assert run.path == ()
    complete = graphs.random_dag(8, 1, rng=0)
    complete = nx.relabel_nodes(
        complete, dict(zip(complete, asia.nodes, strict=True))
    )
    down = equivalence_search(rows, start=complete)
    assert "EquivalenceRun: 8 nodes" in repr(down)
    assert same(down.cpdag, run.cpdag)
    assert {step.move.kind for step in down.path} >= {"delete"}


@pytest.mark.parametrize("seed", range(3))
def test_it_betters_what_another_search_has_found(seed):
    score = BIC(load_network("insurance").sample(1000, rng=seed))
    found = hill_climb(None, score, escape=False)
    run = equivalence_search(None, score, start=found.graph)
    assert run.score > found.score
    # The path begins where the other one ended, up to equivalence.
    assert same(graphs.cpdag(run.start), found.cpdag)
    assert run.path[0].score - run.path[0].delta == pytest.approx(found.score)


# -- the same, whatever the order ------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_rows_and_columns_plays_no_role(seed):
    rows = random_rows(seed, 6, 80)
    rows["G"] = rows["A"]  # ties: two columns that nothing tells apart
    run = equivalence_search(rows)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        mixed = rows.iloc[rng.permutation(len(rows))]
        mixed = mixed[rng.permutation(rows.columns)]
        other = equivalence_search(mixed)
        assert sorted(other.edges) == sorted(run.edges)
        for one, same_step in zip(run.path, other.path, strict=True):
            assert one.move == same_step.move
            assert one.removed == same_step.removed
            assert one.added == same_step.added
        assert other.score == pytest.approx(run.score, abs=1e-9)
        assert list(other.graph) == list(mixed.columns)


def test_of_two_equal_operators_the_first_by_name_is_taken():
    rows = pd.DataFrame({"X10": [0, 1] * 20, "X9": [0, 1] * 20})
    rows["X2"] = rows["X9"]
    run = equivalence_search(rows)
    # X2 comes before X9, and X9 before X10.
    assert run.path[0].move == ClassMove("insert", "X2", "X9")


def test_numbers_of_nodes_are_no_limit():
    # More than 64 nodes, so that sets of them are no machine integers.
    rng = np.random.default_rng(0)
    codes = rng.integers(2, size=(400, 70))
    codes[:, 1::2] = np.where(
        rng.random((400, 35)) < 0.9, codes[:, ::2], codes[:, 1::2]
    )
    rows = pd.DataFrame(codes, columns=[f"X{i}" for i in range(70)])
    run = equivalence_search(rows, look_ahead=False)
    found = set(map(frozenset, run.edges))
    assert {
        frozenset((f"X{i}", f"X{i + 1}")) for i in range(0, 70, 2)
    } <= found


# -- what a run shows ------------------------------------------------------


def test_a_run_in_words_and_as_a_table():
    rows = load_network("asia").sample(10_000, rng=0)
    run = equivalence_search(rows)
    assert isinstance(run, SearchRun)
    table = run.to_frame()
    assert list(table.columns) == [
        *("restart", "move", "tail", "head", "given"),
        *("delta", "score", "edges"),
    ]
    assert len(table) == len(run.path)
    assert table["score"].iloc[-1] == pytest.approx(run.score)
    assert table["edges"].iloc[-1] == run.graph.number_of_edges()
    assert str(run.path[0]) in repr(run)
    assert "insert" in run._repr_html_()
    assert run.n_counted > 0
    assert equivalence_search(None, BIC(rows)).n_counted == run.n_counted
    with pytest.raises(nx.NetworkXError, match="Frozen"):
        run.graph.remove_node("asia")


def test_what_is_counted_is_not_counted_again():
    score = BIC(load_network("asia").sample(1000, rng=0))
    first = equivalence_search(None, score)
    again = equivalence_search(None, score)
    assert first.n_counted > 0
    assert again.n_counted == 0
    assert again.path == first.path


@pytest.mark.parametrize("seed", range(5))
def test_what_cannot_pay_is_not_counted(seed, monkeypatch):
    rows = random_rows(seed, 6, 200).astype(pd.CategoricalDtype(range(6)))
    run = equivalence_search(rows, "aic")

    def everything(columns, node, parents):
        return np.ones(len(columns.constraints.names), dtype=bool)

    monkeypatch.setattr(GainColumns, "_may_pay", everything)
    slow = equivalence_search(rows, "aic")
    assert slow.path == run.path
    assert slow.n_counted > run.n_counted


def test_many_states_make_no_table_that_is_too_large():
    rng = np.random.default_rng(0)
    place = rng.integers(300, size=20_000)
    other = np.where(rng.random(20_000) < 0.95, place, 0)
    number = rng.integers(2000, size=20_000)
    rows = pd.DataFrame({"place": place, "other": other, "number": number})
    run = equivalence_search(rows, "aic")
    # The three have 180,000,000 combinations of states.
    assert run.edges in [(("place", "other"),), (("other", "place"),)]


def test_a_bar_is_shown_if_wanted(capsys):
    rows = random_rows(0)
    equivalence_search(rows)
    assert capsys.readouterr().err == ""
    equivalence_search(rows, progress=True)
    assert "step" in capsys.readouterr().err


# -- errors ----------------------------------------------------------------


def test_a_score_must_be_that_of_a_class():
    with pytest.raises(ProbabilityError, match=r"'K2' .* can differ"):
        equivalence_search(random_rows(0), "k2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"required": [("A", "Z")]}, "'Z' is not a column"),
        ({"forbidden": [("Z", "A")]}, "'Z' is not a column"),
        (
            {"required": [("A", "B")], "forbidden": [("A", "B")]},
            "A → B is both required and forbidden",
        ),
        ({"required": [("A", "B"), ("B", "A")]}, "cycle"),
        (
            {"required": [("A", "C"), ("B", "C")], "max_parents": 1},
            "'C' 2 parents",
        ),
        ({"start": "A -> B, C, D, E", "required": [("A", "C")]}, "A → C"),
        ({"start": "A -> B, C, D, E", "forbidden": [("A", "B")]}, "A → B"),
        ({"start": "A -> B, C, D"}, "lacks the columns 'E'"),
        ({"start": "A -> B -> A"}, "cycle"),
        (
            {"start": "A -> C <- B, D, E", "max_parents": 1},
            "'C' 2 parents",
        ),
    ],
)
def test_rules_that_make_no_sense(options, message):
    with pytest.raises(GraphError, match=message):
        equivalence_search(random_rows(0), **options)


@pytest.mark.parametrize(
    "options",
    [
        {"max_parents": -1},
        {"max_parents": 1.5},
        {"look_ahead": "yes"},
        {"score": "bick"},
    ],
)
def test_options_that_make_no_sense(options):
    with pytest.raises(ProbabilityError):
        equivalence_search(random_rows(0), **options)


def test_too_dense_a_class_needs_a_limit():
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(rng.integers(2, size=(50, 20))).rename(columns=str)
    complete = nx.DiGraph(combinations(rows, 2))
    with pytest.raises(GraphError, match="Give max_parents"):
        equivalence_search(rows, start=complete)
