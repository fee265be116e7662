"""The E step, each of its ways, against all completions of all rows."""

from itertools import pairwise
from math import log

import numpy as np
import pandas as pd
import pytest
from em_truth import (
    ASIA,
    assert_monotone,
    drawn_network,
    log_likelihood,
    quietly,
    slow_e_step,
    with_missing,
)
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import approx_fprime
from scipy.special import softmax

from bayesbook.network import (
    BayesianNetwork,
    expected_counts,
    fit_em,
)
from bayesbook.network.em import (
    _e_step_enumeration,
    _e_step_junction_tree,
)
from bayesbook.network.inference import compiled_tree
from bayesbook.probability import Table


@pytest.fixture(params=["all", "some", "tree", "trees", "batches"])
def engine(request, monkeypatch):
    """Make the E step take each of its ways."""
    if request.param == "all":
        return
    monkeypatch.setattr(_e_step_enumeration, "_FEW_ENTRIES", 0)
    most = 4 if request.param == "some" else 0
    monkeypatch.setattr(_e_step_enumeration, "MOST_COMPLETIONS", most)
    if request.param == "trees":
        monkeypatch.setattr(_e_step_junction_tree, "_SHARED_CELLS", 0)
    if request.param == "batches":
        monkeypatch.setattr(compiled_tree, "_MATRIX", 0)
        monkeypatch.setattr(_e_step_junction_tree, "_BATCH_CELLS", 200)


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("hard", [False, True])
def test_expected_counts_are_those_of_the_definition(seed, hard):
    network = drawn_network(seed)
    rows = with_missing(network, 25, 0.4, seed)
    weights = np.random.default_rng(seed).integers(0, 4, 25).astype(float)
    found = expected_counts(network, rows, hard=hard, weights=weights)
    _, expected = slow_e_step(network, rows, weights, hard=hard)
    for node, table in found.tables.items():
        assert_allclose(table, expected[node], atol=1e-9)
    assert found.total == weights.sum()


@pytest.mark.usefixtures("engine")
def test_latent_nodes_are_hidden_in_every_row():
    rows = with_missing(ASIA, 30, 0.2).drop(columns=["tub", "lung"])
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
    rows = with_missing(network, 40, 0.3, 3)
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
