"""EM against its definition by loops, counting, other optimisers, and peers."""

import warnings
from itertools import product
from math import log

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesbook.errors import (
    ConvergenceWarning,
)
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    _completions,
    _tree_counts,
    expected_counts,
    fit_em,
    fit_parameters,
    load_network,
)
from bayesbook.table import Table

ASIA = load_network("asia")


def with_gaps(network, n_rows, share, seed=1, columns=None):
    """Draw rows, and delete a share of the values at random."""
    rows = network.sample(n_rows, seed)
    rng = np.random.default_rng(seed)
    gone = rng.random(rows.shape) < share
    if columns is not None:
        gone &= np.isin(rows.columns, columns)
    return rows.mask(gone)


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
        yield own, float(network.prob(own))


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
        assert steps.min(initial=0) >= -1e-9 * abs(own.history[-1])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("most", [256, 4, 0])
def test_expected_counts_are_those_of_the_definition(
    monkeypatch, seed, hard, most
):
    monkeypatch.setattr(_completions, "_FEW_ENTRIES", 0)
    monkeypatch.setattr(_completions, "MOST_COMPLETIONS", most)
    monkeypatch.setattr(_tree_counts, "_SHARED_CELLS", 20 if seed % 2 else 0)
    network = drawn_network(seed)
    rows = with_gaps(network, 25, 0.4, seed)
    weights = np.random.default_rng(seed).integers(0, 4, 25).astype(float)
    found = expected_counts(network, rows, hard=hard, weights=weights)
    _, expected = slow_e_step(network, rows, weights, hard=hard)
    for node, table in found.tables.items():
        assert_allclose(table, expected[node], atol=1e-9)


def drawn_network(seed, n_nodes=5):
    """Draw a graph of nodes with 2 or 3 states, and its tables."""
    rng = np.random.default_rng(seed)
    nodes = [f"X{i}" for i in range(n_nodes)]
    states = {node: tuple(range(rng.integers(2, 4))) for node in nodes}
    tables = []
    for i, node in enumerate(nodes):
        parents = [own for own in nodes[:i] if rng.random() < 0.5]
        shape = [len(states[own]) for own in (*parents, node)]
        law = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
        axes = {own: states[own] for own in (*parents, node)}
        tables.append(Table(law, axes, given=parents))
    return BayesianNetwork(tables)


@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_the_e_step_and_then_counting(seed):
    network = drawn_network(seed)
    rows = with_gaps(network, 60, 0.3, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        run = fit_em(network, rows, start=network, max_iterations=1)
    total, counts = slow_e_step(network, rows)
    assert_allclose(run.history[0], total)
    for node, own in counts.items():
        law = own / own.sum(axis=-1, keepdims=True)
        assert_allclose(run.network.tables[node].values, law, atol=1e-12)


@pytest.mark.parametrize("pseudo_count", [0, 0.5])
def test_with_nothing_missing_it_is_counting(pseudo_count):
    rows = ASIA.sample(500, 3)
    choice = {"pseudo_count": pseudo_count, "unseen": "marginal"}
    run = fit_em(ASIA, rows, **choice)
    assert run.network == fit_parameters(ASIA, rows, **choice)
    assert run.converged
    assert run.n_iterations == 1
    assert_allclose(run.log_likelihood, run.network.log_prob(rows).sum())


def test_the_log_likelihood_is_that_of_the_network():
    rows = with_gaps(ASIA, 400, 0.2)
    run = fit_em(ASIA, rows, unseen="uniform")
    assert_allclose(run.log_likelihood, log_likelihood(run.network, rows))
    assert_allclose(run.history[-1], run.log_likelihood)
    assert_monotone(run)


def test_asia_is_recovered_from_rows_with_gaps():
    """Within four standard errors of what complete rows would give."""
    rows = with_gaps(ASIA, 10_000, 0.1, seed=5)
    run = fit_em(ASIA, rows, unseen="uniform")
    assert run.converged
    assert run.log_likelihood >= log_likelihood(ASIA, rows)
    for node, table in run.network.tables.items():
        n = run.counts.tables[node].sum(axis=-1, keepdims=True)
        p = ASIA.tables[node].values.astype(float)
        error = np.sqrt(p * (1 - p) / np.maximum(n, 1)) / 0.8
        seen = n[..., 0] > 20
        wrong = np.abs(table.values - p) > 4 * error + 1e-9
        assert not wrong[seen].any(), node
