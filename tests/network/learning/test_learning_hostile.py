"""Learners and what can go wrong: bad input, odd data, failures of others.

The truth is in `learning_truth`, which knows the definitions and nothing of
the library. Every item of bad input, and every failure of other libraries
that ours must not share, has its test here.
"""

import warnings
from fractions import Fraction
from itertools import combinations, permutations

import learning_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from graph_truth import all_dags
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bayesbook.base import ConvergenceWarning, GraphError, ProbabilityError
from bayesbook.network import (
    AIC,
    BIC,
    K2,
    BayesianNetwork,
    BDeu,
    LogLikelihood,
    Move,
    count_network,
    equivalence_search,
    exact_search,
    expected_counts,
    fit_em,
    fit_parameters,
    gradient_ascent,
    hill_climb,
    latent_class,
    load_network,
    tabu_search,
    tree_search,
)

SCORES = {
    "log-likelihood": LogLikelihood,
    "aic": AIC,
    "bic": BIC,
    "bdeu": BDeu,
    "k2": K2,
}
GREEDY = {
    "hill_climb": hill_climb,
    "tabu_search": tabu_search,
    "equivalence_search": equivalence_search,
}
SEARCHES = GREEDY | {"exact_search": exact_search, "tree_search": tree_search}
ASIA = load_network("asia")

every_score = pytest.mark.parametrize("name", SCORES)
every_search = pytest.mark.parametrize("search", SEARCHES)
every_greedy = pytest.mark.parametrize("search", GREEDY)


def with_every_score(searches):
    """Pair searches with scores; classes of graphs have no score by K2."""
    pairs = [
        (search, name)
        for search in searches
        for name in SCORES
        if (search, name) != ("equivalence_search", "k2")
    ]
    return pytest.mark.parametrize(("search", "name"), pairs)


few = settings(max_examples=25, deadline=None)


@st.composite
def frames(draw, columns=(2, 4), rows=(1, 40), sizes=(1, 3)):
    """Frames of texts, some columns of which copy others in part."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m = draw(st.integers(*columns))
    n = draw(st.integers(*rows))
    made = {}
    for name in "ABCDE"[:m]:
        own = rng.integers(rng.integers(sizes[0], sizes[1] + 1), size=n)
        if made and rng.random() < 0.7:
            other = made[sorted(made)[rng.integers(len(made))]]
            own = np.where(rng.random(n) < 0.7, other % 3, own)
        made[name] = own
    return pd.DataFrame({k: np.array(list("stu"))[v] for k, v in made.items()})


@st.composite
def frames_and_graphs(draw, **limits):
    rows = draw(frames(**limits))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return rows, a_graph(list(rows), rng)


def a_graph(names, rng, share=0.5):
    order = rng.permutation(names).tolist()
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(
        pair for pair in combinations(order, 2) if rng.random() < share
    )
    return graph


# --- Scores -----------------------------------------------------------------


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
    for graph in all_dags(rows):
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


# --- Parameters -------------------------------------------------------------


def expect_distribution(network, node, given, distribution):
    table = network.tables[node]
    world = dict(zip(truth.tables_of(network)[node][0], given, strict=True))
    at = tuple(
        table.states[v].index(world[v]) for v in table.variables if v != node
    )
    assert table.variables[-1] == node
    assert_allclose(
        table.values[at].astype(float),
        [distribution[state] for state in table.states[node]],
        atol=1e-12,
    )


@given(case=frames_and_graphs(), added=st.sampled_from([0, 0.5, 1, 3]))
@few
def test_parameters_are_those_of_the_counts(case, added):
    rows, graph = case
    states = truth.states_of(rows)
    network = fit_parameters(graph, rows, pseudo_count=added, unseen="uniform")
    for node, (parents, numbers) in truth.tables_of(network).items():
        for known in {key[:-1] for key in numbers}:
            distribution = truth.estimate(
                rows, node, parents, known, states, added
            )
            level = dict.fromkeys(states[node], 1 / len(states[node]))
            expect_distribution(network, node, known, distribution or level)


@given(case=frames_and_graphs(), size=st.sampled_from([1, 2.5, 10]))
@few
def test_bdeu_spreads_its_rows_over_each_table(case, size):
    rows, graph = case
    states = truth.states_of(rows)
    network = fit_parameters(graph, rows, equivalent_sample_size=size)
    for node, (parents, numbers) in truth.tables_of(network).items():
        for known in {key[:-1] for key in numbers}:
            distribution = truth.estimate(
                rows, node, parents, known, states, size / len(numbers)
            )
            expect_distribution(network, node, known, distribution)


@given(case=frames_and_graphs(rows=(4, 30)))
@few
def test_counts_of_parts_add_up(case):
    rows, graph = case
    states = truth.states_of(rows)
    whole = count_network(graph, rows, states=states)
    middle = len(rows) // 2
    parts = [rows[:middle], rows[middle:]]
    total = sum(count_network(graph, part, states=states) for part in parts)
    for node, table in whole.tables.items():
        assert (table == total.tables[node]).all()
    assert whole.total == total.total == len(rows)


def test_what_no_row_says_is_a_choice_with_a_name():
    """Others give the uniform distribution or NaN without a word."""
    rows = pd.DataFrame({"A": ["s", "s", "s"], "B": ["x", "y", "x"]})
    states = {"A": ["s", "t"]}
    with pytest.raises(ProbabilityError, match=r"A=t.*P\(B \| A=t\)"):
        fit_parameters("A -> B", rows, states=states)
    for unseen, distribution in (("uniform", [1, 1]), ("marginal", [2, 1])):
        network = fit_parameters("A -> B", rows, states=states, unseen=unseen)
        found = network.tables["B"].values[1]
        assert_allclose(
            found.astype(float), np.array(distribution) / sum(distribution)
        )
    smooth = fit_parameters("A -> B", rows, states=states, pseudo_count=1)
    assert smooth.tables["B"].values[1].tolist() == [0.5, 0.5]
    with pytest.raises(ProbabilityError, match="unseen"):
        fit_parameters("A -> B", rows, states=states, unseen="ignore")


# --- Searches ---------------------------------------------------------------


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
    best = max(map(slow.total, all_dags(rows)))
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
    graphs = list(all_dags(rows))
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
        for graph in all_dags(rows)
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
        for graph in all_dags(rows)
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
            for graph in all_dags(rows)
            if truth.allowed(graph, most=1)
        )
        assert tree_search(rows, name).score == pytest.approx(best, abs=1e-8)


# --- Orders -----------------------------------------------------------------


def other_orders(rows):
    """The same rows with columns and rows in other orders."""
    yield rows[rows.columns[::-1]]
    yield rows[sorted(rows, key=lambda name: (ord(name[0]) * 7) % 5)]
    yield rows.sample(frac=1, random_state=3)
    yield rows[::-1].reset_index(drop=True)[rows.columns[::-1]]


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


@given(case=frames_and_graphs(rows=(2, 30)))
@few
def test_orders_do_not_matter_to_parameters(case):
    rows, graph = case
    first = fit_parameters(graph, rows, pseudo_count=1)
    for other in other_orders(rows):
        assert fit_parameters(graph, other, pseudo_count=1) == first


def test_orders_do_not_matter_to_em():
    rows = gappy(ASIA, 120, 0.2, seed=4)
    first = fit_em(ASIA.graph, rows, pseudo_count=1)
    for other in other_orders(rows):
        run = fit_em(ASIA.graph, other, pseudo_count=1)
        assert run.log_likelihood == pytest.approx(first.log_likelihood)
        for node, table in first.network.tables.items():
            turned = run.network.tables[node].with_states(table.states)
            assert_allclose(turned.values, table.values, atol=1e-6)


# --- EM ---------------------------------------------------------------------


def gappy(network, n, share, seed):
    rows = network.sample(n, rng=seed).astype(object)
    rng = np.random.default_rng(seed)
    return rows.mask(rng.random(rows.shape) < share, None)


def small_network(rng, latent=False):
    """A → B ← C, of two, three and two states, all possible."""
    states = {"A": ("s", "t"), "C": ("s", "t"), "B": ("s", "t", "u")}
    return BayesianNetwork.from_cpts(
        states,
        {
            "A": rng.dirichlet([2, 2]),
            "C": rng.dirichlet([2, 2]),
            ("B", "A", "C"): rng.dirichlet([2, 2, 2], size=(2, 2)),
        },
    )


@pytest.mark.parametrize("hard", [False, True], ids=["soft", "hard"])
@pytest.mark.parametrize("seed", range(4))
def test_a_step_of_em_is_that_of_its_definition(seed, hard):
    rng = np.random.default_rng(seed)
    start, rows = small_network(rng), gappy(small_network(rng), 40, 0.3, seed)
    with warnings.catch_warnings():
        # One step is hardly ever enough.
        warnings.simplefilter("ignore", ConvergenceWarning)
        run = fit_em(
            start.graph,
            rows,
            start=start,
            hard=hard,
            max_iterations=1,
            states=start.states,
        )
    tables = truth.tables_of(start)
    stepped = truth.em_step(tables, start.states, rows, hard)
    for node, (_, numbers) in truth.tables_of(run.network).items():
        for key, p in numbers.items():
            assert p == pytest.approx(stepped[node][1][key], abs=1e-10)
    if not hard:
        for tried, found in ((tables, 0), (stepped, 1)):
            objective = truth.observed_log_likelihood(
                tried, start.states, rows
            )
            assert run.history[found] == pytest.approx(objective)


@pytest.mark.parametrize("seed", range(4))
def test_em_never_falls_and_ends_where_its_step_stands(seed):
    rng = np.random.default_rng(seed)
    rows = gappy(small_network(rng), 80, 0.3, seed)
    run = fit_em("A -> B <- C", rows, tolerance=1e-9)
    assert run.converged
    assert (np.diff(run.history) >= -1e-9).all()
    states = run.network.states
    tables = truth.tables_of(run.network)
    found = truth.observed_log_likelihood(tables, states, rows)
    assert run.log_likelihood == pytest.approx(found)
    again = truth.em_step(tables, states, rows)
    better = truth.observed_log_likelihood(again, states, rows)
    assert better - found < 1e-6


def test_rows_with_gaps_are_not_dropped():
    """Others learn from the complete rows alone, without a word."""
    rng = np.random.default_rng(1)
    network = small_network(rng)
    rows = gappy(network, 300, 0.5, seed=1)
    complete = rows.dropna()
    assert 20 < len(complete) < 60
    run = fit_em("A -> B <- C", rows)
    dropped = fit_parameters("A -> B <- C", complete, unseen="uniform")
    states = run.network.states
    scores = [
        truth.observed_log_likelihood(truth.tables_of(one), states, rows)
        for one in (run.network, dropped)
    ]
    assert scores[0] == pytest.approx(run.log_likelihood)
    assert scores[0] > scores[1] + 1
    # Each row counts, even one without any value.
    counts = expected_counts(run.network, rows)
    assert counts.total == pytest.approx(len(rows))
    for table in counts.tables.values():
        assert table.sum() == pytest.approx(len(rows))
    # A node without children and parents has the share of what was observed.
    alone = fit_em("A, B, C", rows)
    share = (rows["A"].dropna() == "s").mean()
    at = alone.network.states["A"].index("s")
    assert alone.network.tables["A"].values[at] == pytest.approx(
        share, abs=1e-4
    )


def test_a_plateau_is_not_the_end():
    """Nearly alike, the classes part slowly first: steps are tiny there."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, 400)
    rows = pd.DataFrame(
        {
            name: np.where(rng.random(400) < 0.9, hidden, 1 - hidden)
            for name in "abc"
        }
    )
    start = BayesianNetwork.from_cpts(
        {"h": (0, 1)} | dict.fromkeys("abc", (0, 1)),
        {"h": [0.5, 0.5]}
        | {
            (name, "h"): [[0.5, 0.5], [0.5 + 1e-9, 0.5 - 1e-9]]
            for name in "abc"
        },
    )
    run = fit_em(start, rows, start=start, latent=["h"])
    best = fit_em(start, rows, latent=["h"], rng=1, restarts=5)
    # After the first step others gain less than the tolerance, many times.
    assert np.diff(run.history)[1:6].max() < 1e-5
    assert run.history[-1] - run.history[6] > 200
    assert run.log_likelihood == pytest.approx(best.log_likelihood, abs=1e-3)
    assert run.converged


@pytest.mark.parametrize("learn", [fit_em, gradient_ascent])
def test_a_saddle_point_is_no_convergence(learn):
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, 400)
    rows = pd.DataFrame(
        {
            name: np.where(rng.random(400) < 0.9, hidden, 1 - hidden)
            for name in "abc"
        }
    )
    level = [[0.5, 0.5]] * 2
    start = BayesianNetwork.from_cpts(
        {"h": (0, 1)} | dict.fromkeys("abc", (0, 1)),
        {"h": [0.5, 0.5]} | {(name, "h"): level for name in "abc"},
    )
    with pytest.warns(ConvergenceWarning, match="saddle|not converged"):
        run = learn(start, rows, start=start, latent=["h"])
    assert not run.converged


def test_too_few_steps_are_reported():
    rows = ASIA.sample(200, rng=1).drop(columns=["lung", "smoke"])
    with pytest.warns(ConvergenceWarning, match="not converged within 3"):
        run = fit_em(
            ASIA,
            rows,
            latent=["lung", "smoke"],
            rng=1,
            max_iterations=3,
            pseudo_count=1,
        )
    assert not run.converged
    assert run.n_iterations == 3
    assert "not converged" in repr(run)


def test_with_nothing_missing_em_is_counting():
    rows = ASIA.sample(500, rng=3)
    counted = fit_parameters(ASIA, rows, unseen="uniform")
    run = fit_em(ASIA, rows, unseen="uniform")
    for node, table in counted.tables.items():
        assert_allclose(run.network.tables[node].values, table.values)
    score = LogLikelihood(rows)
    assert run.log_likelihood == pytest.approx(score.total(ASIA))


def test_a_latent_class_is_em_with_a_latent_parent():
    rng = np.random.default_rng(5)
    hidden = rng.integers(0, 2, 200)
    rows = pd.DataFrame(
        {
            name: np.where(rng.random(200) < 0.85, hidden, 1 - hidden)
            for name in "abcd"
        }
    )
    rows = rows.astype(object).mask(rng.random(rows.shape) < 0.1, None)
    quick = latent_class(rows, 2, rng=0, restarts=4, tolerance=1e-8)
    graph = nx.DiGraph([("class", name) for name in "abcd"])
    slow = fit_em(
        graph, rows, latent={"class": 2}, rng=0, restarts=4, tolerance=1e-8
    )
    assert quick.log_likelihood == pytest.approx(slow.log_likelihood, abs=1e-4)
    tables = truth.tables_of(quick.network)
    found = truth.observed_log_likelihood(tables, quick.network.states, rows)
    assert quick.log_likelihood == pytest.approx(found)


# --- Bad input --------------------------------------------------------------

ROWS = ASIA.sample(60, rng=1).astype(str)
LEARNERS = {
    "fit_parameters": lambda rows: fit_parameters(
        nx.create_empty_copy(ASIA.graph), rows
    ),
    "BIC": BIC,
    "BDeu": BDeu,
    "hill_climb": hill_climb,
    "tabu_search": tabu_search,
    "tree_search": tree_search,
    "exact_search": exact_search,
    "equivalence_search": equivalence_search,
}
every_learner = pytest.mark.parametrize("learner", LEARNERS)


def refused(learner, rows, said):
    with pytest.raises(ProbabilityError, match=said):
        LEARNERS[learner](rows)


@every_learner
@pytest.mark.parametrize("gap", [None, np.nan, pd.NA, pd.NaT], ids=str)
def test_missing_values_are_named_by_row_and_column(learner, gap):
    rows = ROWS.astype(object)
    rows.loc[7, "asia"] = gap
    refused(learner, rows, "'asia' has no value in row 7")


@every_learner
def test_duplicated_columns_are_refused(learner):
    rows = ROWS.set_axis(["asia", *list(ROWS)[1:-1], "asia"], axis=1)
    refused(learner, rows, "Two columns are called 'asia'")


@every_learner
@pytest.mark.parametrize(
    "values",
    [
        np.linspace(0, 1, 60) ** 2,
        np.arange(60),
        pd.date_range("2020-01-01", periods=60),
        [f"patient {i}" for i in range(60)],
    ],
    ids=["floats", "counts", "dates", "names"],
)
def test_continuous_columns_are_named_and_a_remedy_is(learner, values):
    rows = ROWS.assign(asia=values)
    refused(learner, rows, r"'asia' (holds measure|has 60 diff)")
    refused(learner, rows, r"EntropyDiscretizer.*KBinsDiscretizer.*pd\.cut")


@every_learner
def test_zero_rows_are_refused(learner):
    refused(learner, ROWS[:0], "no row")


@every_learner
@pytest.mark.parametrize("data", [None, ROWS.to_numpy(), {"A": [1, 2]}])
def test_only_frames_are_read(learner, data):
    own = {k: v for k, v in LEARNERS.items() if k != "fit_parameters"}
    if learner in own:
        with pytest.raises(ProbabilityError, match="data frame"):
            own[learner](data)


def test_states_that_the_network_does_not_know_are_named():
    rows = ROWS.assign(asia=["no"] * 40 + ["perhaps"] * 20)
    for learn in (
        lambda: fit_parameters(ASIA, rows, pseudo_count=1),
        lambda: fit_em(ASIA, rows, pseudo_count=1),
        lambda: BIC(rows, states=ASIA),
        lambda: expected_counts(ASIA, rows),
    ):
        with pytest.raises(ProbabilityError, match=r"row 40.*'perhaps'"):
            learn()


def test_states_that_the_data_do_not_have_are_kept():
    rows = ROWS.assign(asia="no")
    network = fit_parameters(ASIA, rows, pseudo_count=1, exact=True)
    assert network.states == ASIA.states
    yes = network.states["asia"].index("yes")
    assert network.tables["asia"].values[yes] == Fraction(1, 62)
    # Without the network nobody knows of them.
    alone = fit_parameters("asia", rows[["asia"]])
    assert alone.states["asia"] == ("no",)


@every_learner
def test_constant_columns_are_learnt_and_get_no_edges(learner):
    rows = ROWS.assign(asia="no")
    found = LEARNERS[learner](rows)
    if learner in SEARCHES:
        assert found.graph.degree("asia") == 0
        assert np.isfinite(found.score)


@every_search
def test_one_row_and_one_column_are_enough(search):
    for rows in (ROWS[:1], ROWS[["asia"]]):
        run = SEARCHES[search](rows)
        assert run.edges == ()
        assert np.isfinite(run.score)


def test_more_states_than_rows_are_fine_if_they_are_declared():
    states = {"asia": [f"place {i}" for i in range(98)] + ["no", "yes"]}
    rows = ROWS[["asia", "tub"]]
    score = BIC(rows, states=states)
    slow = truth.Scored(
        rows, "bic", states | {"tub": sorted(rows["tub"].unique())}
    )
    graph = nx.DiGraph([("tub", "asia")])
    assert score.total(graph) == pytest.approx(slow.total(graph))
    network = fit_parameters(graph, rows, states=states, pseudo_count=1)
    assert len(network.states["asia"]) == 100


CYCLE = nx.DiGraph([("asia", "tub"), ("tub", "lung"), ("lung", "asia")])
CYCLE.add_nodes_from(ROWS)
START = nx.DiGraph([("asia", "tub")])
START.add_nodes_from(ROWS)


@every_greedy
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"start": CYCLE}, "cycle asia → tub → lung → asia"),
        (
            {"start": START, "forbidden": [("asia", "tub")]},
            "start graph has the edge asia → tub, which is forbidden",
        ),
        (
            {"start": START, "required": [("lung", "tub")]},
            "start graph lacks the edge lung → tub",
        ),
        ({"start": "asia -> tub"}, "lacks the columns 'bronc'"),
        (
            {
                "required": [("asia", "tub")],
                "forbidden": [("tub", "lung"), ("asia", "tub")],
            },
            "asia → tub is both required and forbidden",
        ),
        (
            {"required": [("asia", "tub"), ("tub", "asia")]},
            "cycle",
        ),
        (
            {
                "required": [("asia", "tub"), ("lung", "tub")],
                "max_parents": 1,
            },
            "'tub' 2 parents; max_parents is 1",
        ),
        ({"required": [("asia", "tubb")]}, "Did you mean 'tub'"),
        ({"forbidden": [("asia", "asia")]}, "from a node to itself"),
        ({"forbidden": ["asia -> tub"]}, "pairs"),
    ],
    ids=[
        "start with a cycle",
        "start with a forbidden edge",
        "start without a required edge",
        "start without a node",
        "contradictory lists",
        "required cycle",
        "too many required parents",
        "unknown node",
        "loop",
        "text",
    ],
)
def test_contradictions_are_refused(search, given, said):
    with pytest.raises(GraphError, match=said):
        GREEDY[search](ROWS, **given)


@pytest.mark.parametrize(
    ("change", "given", "said"),
    [
        (lambda r: r[:0], {}, "no (row|value in any row)"),
        (lambda r: r.assign(q="a"), {}, "'q' is a column"),
        (lambda r: r.drop(columns="lung"), {}, "no column for .* 'lung'"),
        (lambda r: r, {"latent": ["lung"]}, "'lung' is latent, and has"),
        (lambda r: r, {"latent": ["lungs"]}, "'lungs' is no node"),
        (
            lambda r: r.astype(object).assign(lung=None),
            {},
            "'lung' has no value in any row",
        ),
        (
            lambda r: r.drop(columns="lung"),
            {"latent": ["lung"]},
            "source of randomness",
        ),
        (lambda r: r, {"tolerance": -1}, "tolerance is -1"),
        (lambda r: r, {"max_iterations": 0}, "max_iterations is 0"),
        (lambda r: r, {"pseudo_count": -1}, "pseudo-count is -1"),
    ],
    ids=[
        "zero rows",
        "unknown column",
        "no column",
        "latent with a column",
        "unknown latent",
        "only gaps",
        "no source of chance",
        "tolerance",
        "iterations",
        "pseudo-count",
    ],
)
def test_what_em_cannot_use_is_named(change, given, said):
    with pytest.raises(ProbabilityError, match=said):
        fit_em(ASIA, change(ROWS), **{"unseen": "uniform"} | given)
