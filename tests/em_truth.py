"""EM by its definitions: all completions of all rows, one after the other."""

import warnings
from itertools import product
from math import log

import numpy as np
import pandas as pd

from bayesbook.base import (
    ConvergenceWarning,
)
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    load_network,
)
from bayesbook.probability import Table

ASIA = load_network("asia")
ALARM = load_network("alarm")


def with_missing(network, n_rows, share, seed=1, columns=None):
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
    """Make a hidden H with the children A, B, C, given their distributions."""
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
    """Learn without a warning that it has not converged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return learn(*args, **options)
