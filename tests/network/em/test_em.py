"""EM against its definition by loops, counting, other optimisers."""

import pickle
from math import log

import numpy as np
import pandas as pd
import pytest
from em_truth import (
    ALARM,
    ASIA,
    TWO_COINS,
    assert_monotone,
    drawn_network,
    log_likelihood,
    quietly,
    slow_e_step,
    tosses,
    with_missing,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from bayesbook.base import (
    ProbabilityError,
)
from bayesbook.network import (
    BayesianNetwork,
    expected_counts,
    fit_em,
    fit_parameters,
    gradient_ascent,
)


@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_the_e_step_and_then_counting(seed):
    network = drawn_network(seed)
    rows = with_missing(network, 60, 0.3, seed)
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
    rows = with_missing(ASIA, 60, 0.2)
    times = np.random.default_rng(1).integers(0, 4, len(rows))
    copies = rows.loc[rows.index.repeat(times)].reset_index(drop=True)
    run = fit_em(ASIA, copies, pseudo_count=1)
    weighed = fit_em(ASIA, rows, weights=times, pseudo_count=1)
    named = fit_em(ASIA, rows.assign(n=times), weights="n", pseudo_count=1)
    assert run.network == weighed.network == named.network


def test_the_order_of_rows_and_columns_plays_no_role():
    rows = with_missing(ASIA, 300, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=1)
    other = rows.sample(frac=1, random_state=1)[rows.columns[::-1]]
    assert fit_em(ASIA, other, pseudo_count=1).network == run.network


def test_chunks_are_the_whole():
    rows = with_missing(ASIA, 300, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=1)
    chunks = [rows[:100], rows[100:110], rows[110:]]
    assert fit_em(ASIA, chunks, pseudo_count=1).network == run.network


@pytest.mark.parametrize(
    "options", [{}, {"hard": True}, {"pseudo_count": 2}], ids=str
)
def test_the_log_likelihood_is_that_of_the_network(options):
    rows = with_missing(ASIA, 400, 0.2)
    run = fit_em(ASIA, rows, unseen="uniform", restarts=3, rng=0, **options)
    assert_allclose(run.log_likelihood, log_likelihood(run.network, rows))
    if not options:
        assert run.log_likelihood == run.history[-1]
    assert_monotone(run)


def test_the_penalised_objective_is_named_and_is_what_it_says():
    rows = with_missing(ASIA, 400, 0.2)
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
    rows = with_missing(network, 30, share, seed)
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


def test_steps_may_be_kept():
    rows = with_missing(ASIA, 100, 0.2)
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


def test_steps_are_counted(capsys):
    rows = with_missing(ASIA, 100, 0.2)
    run = fit_em(ASIA, rows, pseudo_count=1, progress=True)
    assert f"{run.n_iterations} steps" in capsys.readouterr().err


def test_a_run_can_be_pickled():
    rows = with_missing(ASIA, 100, 0.2)
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
    rows = with_missing(ASIA, 500, 0.3)
    run = fit_em(ASIA, rows, unseen="uniform")
    first = quietly(fit_em, ASIA, rows, unseen="uniform", max_iterations=3)
    second = fit_em(ASIA, rows, unseen="uniform", start=first.network)
    assert_allclose(
        np.concatenate([first.history, second.history[1:]])[:8],
        run.history[:8],
    )


def test_asia_is_recovered_from_incomplete_rows():
    """Within four standard errors of what 80% of the rows would give."""
    rows = with_missing(ASIA, 10_000, 0.1, seed=5)
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
    rows = with_missing(TWO_COINS, 200, 0.2).drop(columns="H")
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


def test_alarm_with_missing_values_nearly_everywhere():
    rows = with_missing(ALARM, 1000, 0.1)
    run = fit_em(ALARM, rows, unseen="uniform")
    assert run.converged
    assert run.log_likelihood > log_likelihood(ALARM, rows)
    assert_allclose(run.log_likelihood, log_likelihood(run.network, rows))


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
