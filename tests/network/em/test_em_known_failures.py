"""Failures of other libraries that EM must not share."""

import numpy as np
import pandas as pd
import pytest
from em_truth import (
    ASIA,
    TWO_COINS,
    log_likelihood,
    mixture,
    quietly,
    tosses,
    with_missing,
)
from numpy.testing import assert_allclose

from bayesbook.base import (
    ConvergenceWarning,
    ProbabilityError,
)
from bayesbook.network import (
    fit_em,
    fit_parameters,
    gradient_ascent,
)


def test_incomplete_rows_are_not_dropped():
    """As pgmpy does: nearly nothing would be left of these rows."""
    rows = with_missing(ASIA, 500, 0.25)
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
    # Rows with a missing value could have A=1 or B=1, and none both.
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


def test_a_node_with_one_state_is_certain_whatever_no_row_can_have():
    rows = pd.DataFrame({"A": [0, 0, None], "B": [1, 0, 0], "C": "x"})
    states = {"A": (0,), "B": (0, 1, 2), "C": ("x",)}
    for unseen in ("uniform", "marginal"):
        run = fit_em("A -> C, B -> C", rows, states=states, unseen=unseen)
        assert run.network.tables["C"].values.tolist() == [[[1], [1], [1]]]
