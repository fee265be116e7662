"""EM against its definition, and failures of others that it must not share."""

import warnings

import learning_truth as truth
import numpy as np
import pandas as pd
import pytest
from learning_cases import ASIA, ROWS, other_orders, with_missing
from numpy.testing import assert_allclose

from bayesbook.base import ConvergenceWarning, ProbabilityError
from bayesbook.network import (
    BayesianNetwork,
    LogLikelihood,
    expected_counts,
    fit_em,
    fit_parameters,
    gradient_ascent,
)


def test_orders_do_not_matter_to_em():
    rows = with_missing(ASIA, 120, 0.2, seed=4)
    first = fit_em(ASIA.graph, rows, pseudo_count=1)
    for other in other_orders(rows):
        run = fit_em(ASIA.graph, other, pseudo_count=1)
        assert run.log_likelihood == pytest.approx(first.log_likelihood)
        for node, table in first.network.tables.items():
            turned = run.network.tables[node].with_states(table.states)
            assert_allclose(turned.values, table.values, atol=1e-6)


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
    start, rows = (
        small_network(rng),
        with_missing(small_network(rng), 40, 0.3, seed),
    )
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
    rows = with_missing(small_network(rng), 80, 0.3, seed)
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


def test_incomplete_rows_are_not_dropped():
    """Others learn from the complete rows alone, without a word."""
    rng = np.random.default_rng(1)
    network = small_network(rng)
    rows = with_missing(network, 300, 0.5, seed=1)
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


@pytest.mark.parametrize(
    ("change", "given", "said"),
    [
        (lambda r: r[:0], {}, "no (row|value in any row)"),
        (lambda r: r.assign(q="a"), {}, "'q' is a column"),
        (lambda r: r.drop(columns="lung"), {}, "no column for .* 'lung'"),
        (lambda r: r, {"latent": ["lung"]}, "'lung' is latent, and has"),
        (lambda r: r, {"latent": ["lungs"]}, "'lungs' is not a node"),
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
        "only missing values",
        "no source of randomness",
        "tolerance",
        "iterations",
        "pseudo-count",
    ],
)
def test_what_em_cannot_use_is_named(change, given, said):
    with pytest.raises(ProbabilityError, match=said):
        fit_em(ASIA, change(ROWS), **{"unseen": "uniform"} | given)
