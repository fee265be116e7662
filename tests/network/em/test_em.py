"""EM against its definition by loops, counting, other optimisers."""

import pickle
import warnings
from itertools import pairwise, product
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime, minimize
from scipy.special import softmax

from bayesbook.base import (
    ConvergenceError,
    ConvergenceWarning,
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.data import Cases
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    expected_counts,
    fit_em,
    fit_parameters,
    gradient_ascent,
    load_network,
)
from bayesbook.network.em import (
    _convergence,
    _e_step_enumeration,
    _e_step_junction_tree,
)
from bayesbook.network.inference import _limits
from bayesbook.probability import Table

ASIA = load_network("asia")
ALARM = load_network("alarm")


def with_gaps(network, n_rows, share, seed=1, columns=None):
    """Draw rows, and delete a share of the values at random."""
    rows = network.sample(n_rows, rng=seed)
    rng = np.random.default_rng(seed)
    gone = rng.random(rows.shape) < share
    if columns is not None:
        gone &= np.isin(rows.columns, columns)
    return rows.mask(gone)


def drawn_network(seed, n_nodes=5):
    """Draw a graph of nodes with 2 or 3 states, and its tables."""
    rng = np.random.default_rng(seed)
    nodes = [f"X{i}" for i in range(n_nodes)]
    states = {node: tuple(range(rng.integers(2, 4))) for node in nodes}
    tables = []
    for i, node in enumerate(nodes):
        parents = [own for own in nodes[:i] if rng.random() < 0.5]
        shape = [len(states[own]) for own in (*parents, node)]
        distribution = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        axes = {own: states[own] for own in (*parents, node)}
        tables.append(Table(distribution, axes, given=parents))
    return BayesianNetwork(tables)


def mixture(pi, distributions):
    """Make a hidden H with the children A, B, C, which have its distributions."""
    states = {"H": tuple(range(len(pi))), "A": (0, 1), "B": (0, 1)}
    cpts = {(name, "H"): distributions for name in "ABC"}
    return BayesianNetwork.from_cpts({**states, "C": (0, 1)}, {"H": pi} | cpts)


TWO_COINS = mixture([0.5, 0.5], [[0.8, 0.2], [0.3, 0.7]])


def tosses(n_rows=2000):
    return TWO_COINS.sample(n_rows, rng=1).drop(columns="H")


def completions(network, row):
    """Yield each way to complete a row, with its joint probability."""
    choices = [
        network.states[node]
        if node not in row or pd.isna(row[node])
        else [row[node]]
        for node in network.nodes
    ]
    for states in product(*choices):
        own = dict(zip(network.nodes, states, strict=True))
        yield own, float(network.P(own))


def slow_e_step(network, rows, weights=None, *, hard=False):
    """Count all completions of all rows, one after the other."""
    counts = {
        node: np.zeros(table.shape) for node, table in network.tables.items()
    }
    total = 0.0
    for i, row in enumerate(rows.to_dict("records")):
        weight = 1.0 if weights is None else weights[i]
        ways = list(completions(network, row))
        if hard:
            best = max(p for _, p in ways)
            ways = [next(way for way in ways if way[1] > best * (1 - 1e-9))]
        sum_ = sum(p for _, p in ways)
        total += weight * log(sum_)
        for own, p in ways:
            for node, table in network.tables.items():
                cell = tuple(
                    network.states[name].index(own[name])
                    for name in table.variables
                )
                counts[node][cell] += weight * p / sum_
    return total, counts


def log_likelihood(network, rows):
    return float(JunctionTree(network).batch(rows).log_evidence.sum())


def assert_monotone(run):
    for own in run.runs:
        steps = np.diff(own.history)
        assert steps.min(initial=0) >= -1e-9 * (1 + abs(own.history[-1]))


def quietly(learn, *args, **options):
    """Learn without being told that it has not converged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return learn(*args, **options)


# -- the E step -----------------------------------------------------------


@pytest.fixture(params=["all", "some", "tree", "trees", "factors"])
def engine(request, monkeypatch):
    """Make the E step take each of its ways."""
    if request.param == "all":
        return
    monkeypatch.setattr(_e_step_enumeration, "_FEW_ENTRIES", 0)
    most = 4 if request.param == "some" else 0
    monkeypatch.setattr(_e_step_enumeration, "MOST_COMPLETIONS", most)
    if request.param == "trees":
        monkeypatch.setattr(_e_step_junction_tree, "_SHARED_CELLS", 0)
    if request.param == "factors":
        monkeypatch.setattr(_limits, "TABLE", 3)
        monkeypatch.setattr(_e_step_junction_tree, "_BATCH_CELLS", 200)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("hard", [False, True])
def test_expected_counts_are_those_of_the_definition(seed, hard):
    network = drawn_network(seed)
    rows = with_gaps(network, 25, 0.4, seed)
    weights = np.random.default_rng(seed).integers(0, 4, 25).astype(float)
    found = expected_counts(network, rows, hard=hard, weights=weights)
    _, expected = slow_e_step(network, rows, weights, hard=hard)
    for node, table in found.tables.items():
        assert_allclose(table, expected[node], atol=1e-9)
    assert found.total == weights.sum()


@pytest.mark.usefixtures("engine")
def test_latent_nodes_are_hidden_in_every_row():
    rows = with_gaps(ASIA, 30, 0.2).drop(columns=["tub", "lung"])
    found = expected_counts(ASIA, rows)
    _, expected = slow_e_step(ASIA, rows)
    for node, table in found.tables.items():
        assert_allclose(table, expected[node], atol=1e-9)


@pytest.mark.usefixtures("engine")
def test_numbers_near_the_end_of_the_floats():
    """Their products are no floats, and yet one completion is certain."""
    tiny = 1e-200
    network = BayesianNetwork.from_cpts(
        {"A": (0, 1), "B": (0, 1), "C": (0, 1), "D": (0, 1)},
        {
            "A": [1 - 1e-9, 1e-9],
            ("B", "A"): [[1.0, tiny], [0.5, 0.5]],
            ("C", "B"): [[1.0, tiny], [0.5, 0.5]],
            ("D", "A", "C"): [[[1.0, tiny]] * 2, [[0.5, 0.5]] * 2],
        },
    )
    rows = pd.DataFrame({"B": [1, None, 1], "C": [1, 0, None], "D": [1, 1, 1]})
    found = expected_counts(network, rows)
    assert_allclose(found.tables["A"], [0, 3], atol=1e-6)
    assert_allclose(found.tables["B"].sum(), 3)
    assert_allclose(found.tables["B"][1].sum(), 3, atol=1e-6)


def test_equally_probable_completions_the_first_is_taken():
    coins = BayesianNetwork.from_cpts(
        {"A": "xyz", "B": "xyz"},
        {"A": [0.2, 0.4, 0.4], ("B", "A"): [[1 / 3] * 3] * 3},
    )
    rows = pd.DataFrame({"A": ["x", None], "B": [None, "z"]})
    found = expected_counts(coins, rows, hard=True)
    assert_array_equal(found.tables["A"], [1, 1, 0])
    assert_array_equal(found.tables["B"], [[1, 0, 0], [0, 0, 1], [0, 0, 0]])


def test_counts_minus_expectation_is_the_gradient():
    """As finite differences of the log-likelihood say too."""
    network = drawn_network(3, n_nodes=4)
    rows = with_gaps(network, 40, 0.3, 3)
    counts = expected_counts(network, rows).tables
    shapes = {n: table.shape for n, table in network.tables.items()}
    sizes = np.cumsum([0, *(np.prod(shape) for shape in shapes.values())])

    def made(eta):
        parts = zip(pairwise(sizes), shapes.items(), strict=True)
        distributions = {
            n: softmax(eta[a:b].reshape(shape), axis=-1)
            for (a, b), (n, shape) in parts
        }
        return network.replace(
            *(
                Table(
                    distribution,
                    network.tables[n].states,
                    given=network.parents(n),
                )
                for n, distribution in distributions.items()
            )
        )

    eta = np.concatenate(
        [np.log(t.values).ravel() for t in network.tables.values()]
    )
    slopes = approx_fprime(eta, lambda at: log_likelihood(made(at), rows))
    gradient = [
        counts[n] - counts[n].sum(-1, keepdims=True) * table.values
        for n, table in network.tables.items()
    ]
    expected = np.concatenate([own.ravel() for own in gradient])
    assert_allclose(slopes, expected, atol=1e-3)


# -- the steps ------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_the_e_step_and_then_counting(seed):
    network = drawn_network(seed)
    rows = with_gaps(network, 60, 0.3, seed)
    run = quietly(fit_em, network, rows, start=network, max_iterations=1)
    total, counts = slow_e_step(network, rows)
    assert_allclose(run.history[0], total)
    for node, own in counts.items():
        distribution = own / own.sum(axis=-1, keepdims=True)
        assert_allclose(
            run.network.tables[node].values, distribution, atol=1e-12
        )
    by_hand = expected_counts(network, rows).fit()
    for node, table in by_hand.tables.items():
        assert_allclose(table.values, run.network.tables[node].values)


@pytest.mark.parametrize("pseudo_count", [0, 0.5])
@pytest.mark.parametrize("hard", [False, True])
def test_with_nothing_missing_it_is_counting(pseudo_count, hard):
    rows = ASIA.sample(500, rng=3)
    choice = {"pseudo_count": pseudo_count, "unseen": "marginal"}
    run = fit_em(ASIA, rows, hard=hard, **choice)
    assert run.network == fit_parameters(ASIA, rows, **choice)
    assert run.converged
    assert run.n_iterations == 1
    assert_allclose(run.log_likelihood, run.network.log_prob(rows).sum())


def test_weights_are_copies_of_rows():
    rows = with_gaps(ASIA, 60, 0.2)
    times = np.random.default_rng(1).integers(0, 4, len(rows))
    copies = rows.loc[rows.index.repeat(times)].reset_index(drop=True)
    run = fit_em(ASIA, copies, pseudo_count=1)
    weighed = fit_em(ASIA, rows, weights=times, pseudo_count=1)
    named = fit_em(ASIA, rows.assign(n=times), weights="n", pseudo_count=1)
    assert run.network == weighed.network == named.network


def test_the_order_of_rows_and_columns_plays_no_role():
    rows = with_gaps(ASIA, 300, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=1)
    other = rows.sample(frac=1, random_state=1)[rows.columns[::-1]]
    assert fit_em(ASIA, other, pseudo_count=1).network == run.network


def test_chunks_are_the_whole():
    rows = with_gaps(ASIA, 300, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=1)
    chunks = [rows[:100], rows[100:110], rows[110:]]
    assert fit_em(ASIA, chunks, pseudo_count=1).network == run.network


@pytest.mark.parametrize(
    "options", [{}, {"hard": True}, {"pseudo_count": 2}], ids=str
)
def test_the_log_likelihood_is_that_of_the_network(options):
    rows = with_gaps(ASIA, 400, 0.2)
    run = fit_em(ASIA, rows, unseen="uniform", restarts=3, rng=0, **options)
    assert_allclose(run.log_likelihood, log_likelihood(run.network, rows))
    if not options:
        assert run.log_likelihood == run.history[-1]
    assert_monotone(run)


def test_the_penalised_objective_is_named_and_is_what_it_says():
    rows = with_gaps(ASIA, 400, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=2)
    penalty = 2 * sum(
        np.log(table.values).sum() for table in run.network.tables.values()
    )
    assert run.objective == "penalised log-likelihood"
    assert_allclose(run.history[-1], run.log_likelihood + penalty)
    assert_monotone(run)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    share=st.floats(0, 0.9),
    method=st.sampled_from(
        ["EM", "accelerated EM", "hard EM", "gradient ascent"]
    ),
    pseudo_count=st.sampled_from([0, 0.1]),
)
def test_no_step_lowers_the_objective(seed, share, method, pseudo_count):
    network = drawn_network(seed, n_nodes=4)
    rows = with_gaps(network, 30, share, seed)
    rows.loc[len(rows)] = {n: own[0] for n, own in network.states.items()}
    learn = gradient_ascent if method == "gradient ascent" else fit_em
    run = quietly(
        learn,
        network,
        rows,
        pseudo_count=pseudo_count,
        unseen="uniform",
        restarts=2,
        rng=seed,
        max_iterations=30,
        **{
            "hard EM": {"hard": True},
            "accelerated EM": {"accelerate": True},
        }.get(method, {}),
    )
    assert_monotone(run)
    assert run.method == method


def test_a_step_that_goes_down_is_an_error():
    values = iter([-3.0, -2.0, -2.5])

    def step(theta):
        return _convergence.State(
            next(values), theta + 1, theta + 1, np.ones(1)
        )

    with pytest.raises(ConvergenceError, match=r"fell in step 2, from -2.0"):
        _convergence.climb(step, np.ones(1), max_iterations=9, tolerance=1e-5)


def test_steps_may_be_kept():
    rows = with_gaps(ASIA, 100, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=1, record=True)
    assert len(run.networks) == len(run.history)
    assert run.networks[-1] == run.network
    for network, value in zip(run.networks, run.history, strict=True):
        penalty = sum(
            np.log(table.values).sum() for table in network.tables.values()
        )
        assert_allclose(log_likelihood(network, rows) + penalty, value)
    with pytest.raises(ProbabilityError, match="record=True"):
        _ = fit_em(ASIA, rows, pseudo_count=1).networks


def test_steps_are_told_of(capsys):
    rows = with_gaps(ASIA, 100, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=1, progress=True)
    assert f"{run.n_iterations} steps" in capsys.readouterr().err


def test_a_run_can_be_pickled():
    rows = with_gaps(ASIA, 100, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=1, restarts=2, rng=0)
    again = pickle.loads(pickle.dumps(run))
    assert again.network == run.network
    assert len(again.runs) == 2


def test_a_latent_node_with_one_state_hides_nothing():
    rows = ASIA.sample(200, rng=1)
    graph = ASIA.graph.copy()
    graph.add_edge("H", "xray")
    run = fit_em(graph, rows, latent={"H": 1}, rng=0, unseen="uniform")
    counted = fit_parameters(ASIA, rows, unseen="uniform")
    assert_allclose(
        run.network.tables["xray"].values.reshape(2, 2),
        counted.tables["xray"].values,
    )


def test_a_run_goes_on_where_another_ended():
    rows = with_gaps(ASIA, 500, 0.3)
    run = fit_em(ASIA, rows, unseen="uniform")
    first = quietly(fit_em, ASIA, rows, unseen="uniform", max_iterations=3)
    second = fit_em(ASIA, rows, unseen="uniform", start=first.network)
    assert_allclose(
        np.concatenate([first.history, second.history[1:]])[:8],
        run.history[:8],
    )


# -- what it finds --------------------------------------------------------


def test_asia_is_recovered_from_rows_with_gaps():
    """Within four standard errors of what 80% of the rows would give."""
    rows = with_gaps(ASIA, 10_000, 0.1, seed=5)
    run = fit_em(ASIA, rows, unseen="uniform")
    assert run.converged
    assert run.log_likelihood >= log_likelihood(ASIA, rows)
    for node, table in run.network.tables.items():
        n = run.counts.tables[node].sum(axis=-1, keepdims=True)
        p = ASIA.tables[node].values.astype(float)
        error = np.sqrt(p * (1 - p) / np.maximum(0.8 * n, 1))
        seen = n[..., 0] > 20
        wrong = np.abs(table.values - p) > 4 * error + 1e-9
        assert not wrong[seen].any(), node


def test_a_general_optimiser_finds_no_higher():
    rows = with_gaps(TWO_COINS, 200, 0.2).drop(columns="H")
    run = fit_em(TWO_COINS.graph, rows, latent={"H": 2}, restarts=5, rng=1)

    seen = rows.to_numpy(dtype=float)

    def loss(eta):
        p = 1 / (1 + np.exp(-eta))
        terms = []
        for h, pi in enumerate([p[0], 1 - p[0]]):
            own = p[1 + 3 * h : 4 + 3 * h]
            distribution = np.where(seen == 1, own, 1 - own)
            terms.append(
                pi * np.where(np.isnan(seen), 1, distribution).prod(axis=1)
            )
        return -np.log(sum(terms)).sum()

    rng = np.random.default_rng(0)
    best = min(minimize(loss, rng.standard_normal(7)).fun for _ in range(3))
    assert_allclose(run.log_likelihood, -best, atol=1e-3)


def test_gradient_ascent_finds_the_same_maximum():
    rows = tosses()
    graph, latent = TWO_COINS.graph, {"H": 2}
    quick = fit_em(graph, rows, latent=latent, rng=1)
    slow = gradient_ascent(graph, rows, latent=latent, rng=1)
    assert slow.converged
    assert_allclose(slow.log_likelihood, quick.log_likelihood, atol=1e-4)
    assert_monotone(slow)


def test_there_are_local_maxima_and_the_best_is_given():
    network = drawn_network(11, n_nodes=6)
    rows = network.sample(150, rng=2).drop(columns=["X0", "X1"])
    latent = {"X0": network.states["X0"], "X1": network.states["X1"]}
    run = quietly(
        fit_em,
        network.graph,
        rows,
        latent=latent,
        restarts=8,
        rng=2,
        unseen="uniform",
        states={n: network.states[n] for n in rows},
        max_iterations=3000,
    )
    ends = [own.history[-1] for own in run.runs]
    assert run.history[-1] == max(ends)
    assert max(ends) - min(ends) > 0.1
    assert len(run.runs) == 8
    frame = run.to_frame()
    assert list(frame.columns) == ["run", "step", "objective"]
    assert_allclose(frame.groupby("run")["objective"].last(), ends)


def test_hard_em_is_biased_where_soft_em_is_not():
    rows = tosses(20_000)
    options = {"latent": {"H": 2}, "restarts": 10, "rng": 1}
    soft = fit_em(TWO_COINS.graph, rows, **options)
    hard = fit_em(TWO_COINS.graph, rows, hard=True, **options)
    assert hard.objective == "log-probability of the best completion"
    assert hard.converged
    assert hard.n_iterations < soft.n_iterations
    assert soft.log_likelihood > hard.log_likelihood + 10
    off = {}
    for name, run in (("soft", soft), ("hard", hard)):
        distributions = np.sort(run.network.tables["A"].values[:, 0])
        off[name] = np.abs(distributions - [0.3, 0.8]).max()
    assert off["soft"] < 0.05 < off["hard"]


def test_alarm_with_gaps_nearly_everywhere():
    rows = with_gaps(ALARM, 1000, 0.1)
    run = fit_em(ALARM, rows, unseen="uniform")
    assert run.converged
    assert run.log_likelihood > log_likelihood(ALARM, rows)
    assert_allclose(run.log_likelihood, log_likelihood(run.network, rows))


@pytest.mark.parametrize("scale", [1e-9, 1e-20])
def test_rows_whose_probability_no_float_holds(scale):
    """What all states of a hidden node share of a likelihood cancels."""
    names = [f"H{i}" for i in range(40)]
    seen = [f"O{i}" for i in range(40)]
    rows = pd.DataFrame(1, index=range(2), columns=seen)

    def chain(scale):
        cpts = {"H0": [0.6, 0.4]}
        for a, b in pairwise(names):
            cpts[b, a] = [[0.9, 0.1], [0.2, 0.8]]
        for h, o in zip(names, seen, strict=True):
            chances = [0.2 * scale, 0.7 * scale]
            cpts[o, h] = [[1 - p, p] for p in chances]
        return BayesianNetwork.from_cpts(
            dict.fromkeys([*names, *seen], (0, 1)), cpts
        )

    counts, wanted = (
        expected_counts(chain(own), rows).tables for own in (scale, 1.0)
    )
    for name in (*names, *seen):
        assert_allclose(counts[name], wanted[name], rtol=1e-9)
    first, likely = (
        quietly(
            fit_em,
            chain(own),
            rows,
            latent=names,
            start=chain(own),
            max_iterations=1,
            pseudo_count=0,
            unseen="uniform",
        ).history[0]
        for own in (scale, 1.0)
    )
    assert_allclose(first - likely, 2 * 40 * log(scale))


def test_without_a_start_each_count_is_increased_by_one():
    rows = pd.DataFrame({"rain": ["no"] * 3 + ["yes", None]})
    run = fit_em("rain", rows)
    assert_allclose(run.history[0], 3 * log(4 / 6) + log(2 / 6))
    assert_allclose(run.history[-1], 3 * log(3 / 4) + log(1 / 4))


def test_rows_that_count_nothing_may_be_impossible():
    start = BayesianNetwork.from_cpts({"A": (0, 1)}, {"A": [1, 0]})
    rows = pd.DataFrame({"A": [0, 1, None]})
    run = fit_em(start, rows, start=start, weights=[2, 0, 1])
    assert run.network.tables["A"].values.tolist() == [1, 0]
    assert run.log_likelihood == 0


def test_what_no_row_can_have_is_uniform_whatever_the_start():
    start = BayesianNetwork.from_cpts(
        {"A": (0, 1), "B": (0, 1)},
        {"A": [0.5, 0.5], ("B", "A"): [[0.9, 0.1], [0.9, 0.1]]},
    )
    rows = pd.DataFrame({"A": [0, 0, 0], "B": [1, 0, None]})
    run = fit_em(start, rows, start=start, unseen="uniform")
    assert_allclose(run.network.tables["B"].values[1], [0.5, 0.5])
    assert_allclose(run.network.tables["B"].values[0], [0.5, 0.5], atol=1e-3)


@pytest.mark.usefixtures("engine")
def test_many_unlikely_values_of_the_same_parent():
    """Together they are less probable than any float, in each state."""
    seen = [f"O{i}" for i in range(40)]
    rows = pd.DataFrame(1, index=range(2), columns=seen)
    tables = []
    for scale in (1e-20, 1.0):
        cpts = {"H": [0.6, 0.4]}
        for o in seen:
            chances = [0.5 * scale, 0.52 * scale]
            cpts[o, "H"] = [[1 - p, p] for p in chances]
        star = BayesianNetwork.from_cpts(
            dict.fromkeys(["H", *seen], (0, 1)), cpts
        )
        tables.append(expected_counts(star, rows).tables)
    odds = 0.6 / (0.6 + 0.4 * 1.04**40)
    for found in tables:
        assert_allclose(found["H"], [2 * odds, 2 - 2 * odds])
        assert_allclose(found["O7"][:, 1], found["H"])


def test_a_hidden_chain_is_left_to_the_junction_tree():
    """Forty hidden binary nodes in a row, of which nothing is enumerated."""
    names = [f"H{i}" for i in range(40)]
    states = dict.fromkeys(names, (0, 1)) | {
        f"O{i}": (0, 1) for i in range(40)
    }
    cpts = {"H0": [0.6, 0.4]}
    for a, b in pairwise(names):
        cpts[b, a] = [[0.9, 0.1], [0.2, 0.8]]
    for n in names:
        cpts[f"O{n[1:]}", n] = [[0.8, 0.2], [0.3, 0.7]]
    chain = BayesianNetwork.from_cpts(states, cpts)
    rows = chain.sample(50, rng=1).drop(columns=names)
    run = quietly(
        fit_em,
        chain,
        rows,
        latent=names,
        start=chain,
        max_iterations=5,
        pseudo_count=1,
    )
    assert_allclose(
        run.log_likelihood, log_likelihood(run.network, rows), rtol=1e-9
    )
    assert_monotone(run)


def test_extrapolated_steps_are_fewer_and_end_at_the_same_place():
    rows = ASIA.sample(5000, rng=5).drop(columns=["tub", "lung"])
    options = {"latent": ["tub", "lung"], "rng": 1, "max_iterations": 20_000}
    plain = fit_em(ASIA, rows, **options)
    quick = fit_em(ASIA, rows, accelerate=True, **options)
    assert quick.converged
    assert quick.method == "accelerated EM"
    assert quick.n_iterations < plain.n_iterations / 2
    assert_monotone(quick)
    assert_allclose(quick.log_likelihood, plain.log_likelihood, atol=1e-3)
    assert_allclose(quick.log_likelihood, log_likelihood(quick.network, rows))


# -- known failures of others ---------------------------------------------


def test_rows_with_gaps_are_not_dropped():
    """As pgmpy does: nearly nothing would be left of these rows."""
    rows = with_gaps(ASIA, 500, 0.25)
    complete = rows.dropna()
    assert len(complete) < 100
    run = fit_em(ASIA, rows, pseudo_count=1)
    dropped = fit_parameters(ASIA, complete, pseudo_count=1)
    assert run.counts.total == 500
    for table in run.counts.tables.values():
        assert_allclose(table.sum(), 500)
    assert run.log_likelihood > log_likelihood(dropped, rows) + 5


@pytest.mark.parametrize("off", [1e-2, 1e-5, 1e-8, 1e-12])
@pytest.mark.parametrize("accelerate", [False, True])
def test_a_plateau_is_not_taken_for_the_end(off, accelerate):
    """As pyAgrum does, which looks at the last change alone.

    The start is so near to a saddle point that the first steps gain next to
    nothing.
    """
    rows = tosses()
    start = mixture(
        [0.5, 0.5], [[0.5 + off, 0.5 - off], [0.5 - off, 0.5 + off]]
    )
    run = fit_em(
        TWO_COINS.graph,
        rows,
        latent={"H": 2},
        start=start,
        accelerate=accelerate,
    )
    best = fit_em(TWO_COINS.graph, rows, latent={"H": 2}, rng=1)
    changes = np.diff(run.history) / abs(run.history[-1])
    assert off > 1e-3 or changes[1] < 1e-6
    assert run.converged
    assert_allclose(run.log_likelihood, best.log_likelihood, atol=1e-4)


@pytest.mark.parametrize("share", [1e-6, 1e-12])
def test_a_state_next_to_impossible_may_rise(share):
    """No step gains anything by it for long, and in the end it is much."""
    rows = tosses()
    distributions = [[0.6, 0.4], [0.9, 0.1]]
    start = mixture([1 - share, share], distributions)
    run = fit_em(TWO_COINS.graph, rows, latent={"H": 2}, start=start)
    best = fit_em(TWO_COINS.graph, rows, latent={"H": 2}, rng=1)
    assert run.history[5] - run.history[4] < 1e-2
    assert run.converged
    assert_allclose(run.log_likelihood, best.log_likelihood, atol=1e-3)


def test_a_probability_that_still_rises_is_said():
    rows, distributions = tosses(), [[0.6, 0.4], [0.9, 0.1]]
    start = mixture([1 - 1e-300, 1e-300], distributions)
    with pytest.warns(ConvergenceWarning, match="next to zero rises"):
        run = fit_em(
            TWO_COINS.graph,
            rows,
            latent={"H": 2},
            start=start,
            max_iterations=100,
        )
    assert not run.converged


def test_a_plateau_in_the_middle_of_the_way_is_not_the_end():
    """Of 10,000 patients, of whom nobody was examined for two diseases.

    Steps of less than a millionth of the log-likelihood, which others take
    for the end, are followed by thousands that together gain far more than
    the tolerance.
    """
    rows = ASIA.sample(10_000, rng=5).drop(columns=["tub", "lung"])
    latent = ["tub", "lung"]
    run = fit_em(ASIA, rows, latent=latent, rng=3, max_iterations=100_000)
    assert run.converged
    steps = np.diff(run.history) / abs(run.history[-1])
    left = run.history[-1] - run.history[int(np.argmax(steps < 1e-6))]
    assert left > 1000 * 1e-5
    # Here some parameters are quick, and the slow ones do not show at first.
    flat = quietly(fit_em, ASIA, rows, latent=latent, rng=0)
    assert flat.log_likelihood < run.log_likelihood - 0.01
    assert not flat.converged


@pytest.mark.parametrize(
    ("pi", "learn"),
    [
        ([0.5, 0.5], fit_em),
        ([0.9, 0.1], fit_em),
        ([0.2, 0.3, 0.5], fit_em),
        ([0.5, 0.5], gradient_ascent),
    ],
)
def test_a_symmetric_start_is_named_a_saddle_point(pi, learn):
    start = mixture(pi, [[0.6, 0.4]] * len(pi))
    with pytest.warns(ConvergenceWarning, match="saddle point.*0, 1 of 'H'"):
        run = learn(
            TWO_COINS.graph, tosses(), latent={"H": len(pi)}, start=start
        )
    assert not run.converged
    assert "stands at a saddle point" in repr(run)
    assert_allclose(run.network.tables["H"].values, pi)


def test_what_has_not_converged_is_said_and_given():
    with pytest.warns(ConvergenceWarning, match="within 3 steps") as seen:
        run = fit_em(
            TWO_COINS, tosses(), latent=["H"], rng=1, max_iterations=3
        )
    assert seen[0].filename == __file__
    assert not run.converged
    assert run.n_iterations == 3
    assert len(run.history) == 4
    assert "not converged" in repr(run)
    assert_allclose(run.log_likelihood, log_likelihood(run.network, tosses()))


def test_parents_that_no_row_can_have_are_a_choice():
    rows = pd.DataFrame(
        {"A": [0, 0, None, 0], "B": [0, 0, 0, None], "C": ["x", "y", "x", "x"]}
    )
    states = {"A": (0, 1), "B": (0, 1)}
    graph = "A -> C, B -> C"
    # Rows with a gap could have A=1 or B=1, and none both.
    with pytest.raises(ProbabilityError, match=r"No row can have A=1, B=1"):
        fit_em(graph, rows, states=states)
    distributions = {
        unseen: fit_em(graph, rows, states=states, unseen=unseen)
        .network.tables["C"]
        .values[1, 1]
        for unseen in ("uniform", "marginal")
    }
    assert_allclose(distributions["uniform"], [0.5, 0.5])
    assert_allclose(distributions["marginal"], [0.75, 0.25], atol=1e-5)
    smooth = fit_em(graph, rows, states=states, pseudo_count=1).network
    assert np.isfinite(smooth.tables["C"].values).all()


# -- bad input ------------------------------------------------------------

ROWS = pd.DataFrame({"A": [0, 1, None, 1], "B": ["x", None, "y", "y"]})
COIN = BayesianNetwork.from_cpts(
    {"A": (0, 1), "B": ("x", "y")},
    {"A": [0.5, 0.5], ("B", "A"): [[0.5, 0.5], [0.0, 1.0]]},
)


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        ("A -> B, H -> B", {}, r"no column for the node 'H'.*latent=\{'H'"),
        ("A -> B", {"latent": {"A": 2}}, r"'A' is latent, and has a column"),
        ("A -> B", {"latent": {"H": 2}}, r"latent 'H' is no node"),
        ("A", {}, r"'B' is a column, but no node"),
        ("A -> B, H -> B", {"latent": ["H"]}, r"states of the latent node"),
        ("A -> B, H -> B", {"latent": {"H": 2}}, r"rng=0"),
        ("A -> B, H -> B", {"latent": {"H": 0}}, r"states of 'H'"),
        ("A -> B", {"restarts": 2}, r"restarts tables are drawn.*rng=0"),
        ("A -> B", {"restarts": 0}, r"restarts is 0"),
        ("A -> B", {"max_iterations": 0}, r"max_iterations is 0"),
        ("A -> B", {"tolerance": 0}, r"tolerance is 0"),
        ("A -> B", {"unseen": "zero"}, r"unseen must be"),
        ("A -> B", {"pseudo_count": -1}, r"pseudo-count is -1"),
        ("A -> B", {"pseudo_count": {"Z": 1}}, r"pseudo-counts of 'Z'"),
        ("A -> B", {"states": {"A": (1, 2)}}, r"Column 'A' in row 0 is 0"),
        ("A -> B", {"start": ASIA}, r"start has another graph"),
        ("A, B", {"start": COIN}, r"differ in the edges 'A -> B'"),
        ("A -> B", {"start": "COIN"}, r"no BayesianNetwork"),
        ("A -> B", {"weights": [1, 2]}, r"4 rows, but 2 weights"),
        ("A -> B", {"hard": "yes"}, r"hard"),
    ],
)
def test_bad_input_is_named(graph, options, message):
    with pytest.raises(ProbabilityError, match=message):
        fit_em(graph, ROWS, **options)


def test_a_column_without_any_value_says_how_to_declare_it():
    rows = ROWS.assign(H=pd.Series([None] * 4, dtype=object))
    for options in ({}, {"states": {"H": (0, 1)}}):
        with pytest.raises(
            ProbabilityError, match=r"'H' has no value.*latent"
        ):
            fit_em("A -> B, H -> B", rows, **options)
    with pytest.raises(ProbabilityError, match=r"'H' has no value.*latent"):
        fit_em("A -> B, H -> B", [rows], states={"H": (0, 1)})
    with pytest.raises(ProbabilityError, match="no row"):
        fit_em("A -> B", ROWS[:0])


def test_an_impossible_row_is_named(monkeypatch):
    # So that chunks are no cases in memory.
    monkeypatch.setattr("bayesbook.data.chunks._IN_MEMORY", 0)
    rows = pd.DataFrame({"A": [0, None, 1], "B": ["x", "x", "x"]})
    with pytest.raises(ZeroProbabilityError, match=r"Row 2 .*A=1, B=x"):
        fit_em(COIN, rows, start=COIN)
    with pytest.raises(ZeroProbabilityError, match=r"A row .*A=1, B=x"):
        fit_em(COIN, [rows[:1], rows[1:]], start=COIN)
    with pytest.raises(ZeroProbabilityError, match="Row 2"):
        expected_counts(COIN, rows)
    run = fit_em(COIN, rows, start=COIN, weights=[1, 1, 0])
    assert run.converged


def test_a_start_may_have_its_parents_in_another_order():
    rows = with_gaps(ASIA, 100, 0.2)
    table = ASIA.tables["dysp"]
    other = ASIA.replace(
        table.transpose(*reversed(table.variables[:-1]), "dysp")
    )
    assert other.parents("dysp") != ASIA.parents("dysp")
    one = fit_em(ASIA, rows, start=ASIA, unseen="uniform")
    two = fit_em(ASIA, rows, start=other, unseen="uniform")
    assert one.network == two.network


def test_a_tree_that_is_too_large_is_refused():
    names = [f"X{i}" for i in range(24)]
    graph = ", ".join(
        f"{a} -> Z{a}{b}, {b} -> Z{a}{b}"
        for a in names
        for b in names
        if a < b
    )
    rows = pd.DataFrame(
        {f"Z{a}{b}": [0, 1] for a in names for b in names if a < b}
    )
    with pytest.raises(
        TableTooLargeError, match="junction tree of the hidden"
    ):
        fit_em(
            graph, rows, latent=dict.fromkeys(names, 2), rng=1, max_bytes=2**20
        )


def test_cases_are_read_as_they_are():
    rows = with_gaps(ASIA, 50, 0.2)
    cases = Cases(rows, missing="keep", states=ASIA)
    one = fit_em(ASIA, cases, pseudo_count=1)
    assert one.network == fit_em(ASIA, rows, pseudo_count=1).network
