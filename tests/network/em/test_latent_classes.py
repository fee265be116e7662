"""Latent classes against published numbers, the general EM, and loops."""

import warnings
from importlib import import_module
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import load_digits

from bayesbook.base import (
    ConvergenceWarning,
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.data import chunks
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    fit_em,
    latent_class,
)

# The function of this name hides the module.
MODULE = import_module("bayesbook.network.em.latent_classes")


def role_conflict():
    """Return the answers of 216 students (Stouffer and Toby 1951).

    Each was asked in four situations whether to be true to a friend (2) or to
    everybody (1).
    """
    counts = [42, 23, 6, 25, 6, 24, 7, 38, 1, 4, 1, 6, 2, 9, 2, 20]
    rows = pd.DataFrame(product((1, 2), repeat=4), columns=list("ABCD"))
    return rows.assign(n=counts)


def drawn_rows(seed, n_rows=200, share=0.0):
    rng = np.random.default_rng(seed)
    states = {"class": (0, 1), "A": "xyz", "B": (0, 1), "C": (0, 1, 2, 3)}
    distributions = (
        [[0.8, 0.1, 0.1], [0.2, 0.2, 0.6]],
        [[0.3, 0.7], [0.9, 0.1]],
    )
    last = [[0.4, 0.4, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6]]
    network = BayesianNetwork.from_cpts(
        states,
        {"class": [0.6, 0.4]}
        | dict(
            zip(
                [(name, "class") for name in "ABC"],
                [*distributions, last],
                strict=True,
            )
        ),
    )
    rows = network.sample(n_rows, rng=seed).drop(columns="class")
    return network, rows.mask(rng.random(rows.shape) < share)


@pytest.fixture(params=["full", "sparse"])
def matrix(request, monkeypatch):
    if request.param == "sparse":
        monkeypatch.setattr(MODULE, "_MOST_DENSE", 0)
    return request.param


@pytest.mark.usefixtures("matrix")
def test_two_classes_of_goodman():
    """The numbers of Goodman (1974) for the data of Stouffer and Toby."""
    data = role_conflict()
    run = latent_class(data, 2, weights="n", restarts=5, rng=1)
    assert run.converged
    assert_allclose(run.log_likelihood, -504.468, atol=1e-3)
    tables = run.network.tables
    assert_allclose(tables["class"].values, [0.721, 0.279], atol=1e-3)
    published = {
        "A": (0.714, 0.993),
        "B": (0.330, 0.940),
        "C": (0.354, 0.927),
        "D": (0.132, 0.769),
    }
    for name, ones in published.items():
        assert_allclose(tables[name].values[:, 0], ones, atol=1e-3)
    distribution = JunctionTree(run.network).batch(data[list("ABCD")])
    expected = 216 * np.exp(distribution.log_evidence)
    deviance = 2 * (data["n"] * np.log(data["n"] / expected)).sum()
    assert_allclose(deviance, 2.720, atol=1e-3)


@pytest.mark.usefixtures("matrix")
@pytest.mark.parametrize("pseudo_count", [0, 1])
def test_it_takes_the_steps_of_the_general_algorithm(pseudo_count):
    network, rows = drawn_rows(1)
    options = {"start": network, "pseudo_count": pseudo_count}
    run = latent_class(rows, 2, **options)
    other = fit_em(network, rows, latent=["class"], **options)
    n = min(len(run.history), len(other.history))
    assert abs(len(run.history) - len(other.history)) <= 1
    assert_allclose(run.history[:n], other.history[:n])
    assert_allclose(run.log_likelihood, other.log_likelihood)
    assert run.objective == other.objective
    by_size = np.argsort(-other.network.tables["class"].values)
    for node in "ABC":
        assert_allclose(
            run.network.tables[node].values,
            other.network.tables[node].values[by_size],
            atol=1e-6,
        )


@pytest.mark.usefixtures("matrix")
def test_missing_values_are_left_out():
    """The same maximum as that of the algorithm that counts them too."""
    network, rows = drawn_rows(2, share=0.3)
    run = latent_class(rows, 2, start=network)
    other = fit_em(network, rows, latent=["class"], start=network)
    assert_allclose(run.log_likelihood, other.log_likelihood, atol=1e-4)
    distribution = JunctionTree(run.network).batch(rows)
    assert_allclose(run.log_likelihood, distribution.log_evidence.sum())
    assert_allclose(run.responsibilities, distribution["class"], atol=1e-9)
    assert_allclose(
        run.posterior(rows[rows.columns[::-1]][:5]), run.responsibilities[:5]
    )
    n_seen = rows.notna().sum()
    for name in rows:
        assert_allclose(run.counts.tables[name].sum(), n_seen[name])


def test_digits_of_ten_kinds():
    pixels = load_digits(as_frame=True).data > 7
    kinds = load_digits().target
    run = latent_class(pixels, 10, rng=0)
    assert run.converged
    assert (np.diff(run.history) > -1e-7).all()
    pi = run.network.tables["class"].values
    assert (np.diff(pi) <= 0).all()
    found = run.responsibilities.argmax(axis=1)
    # Each class as the kind that it has most of.
    right = sum(np.bincount(kinds[found == k]).max() for k in range(10))
    assert right / len(kinds) > 0.6


def test_restarts_find_more():
    pixels = load_digits(as_frame=True).data > 7
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        run = latent_class(
            pixels[:300],
            5,
            restarts=4,
            rng=3,
            max_iterations=100,
            record=True,
        )
    ends = [own.history[-1] for own in run.runs]
    assert run.history[-1] == max(ends) > min(ends) + 1
    assert run.networks[-1] == run.network
    for own in run.runs:
        distribution = JunctionTree(own.network).batch(pixels[:300])
        assert_allclose(distribution.log_evidence.sum(), own.log_likelihood)


def test_one_class_is_counting():
    _, rows = drawn_rows(3)
    run = latent_class(rows, 1, rng=0)
    assert run.n_iterations == 1
    shares = rows["A"].value_counts(normalize=True).sort_index()
    assert_allclose(run.network.tables["A"].values, [shares])


def test_zeros_stay_zeros_and_are_no_trouble(monkeypatch):
    rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 0, 1, 1]})
    run = latent_class(rows, 2, rng=0)
    assert_allclose(run.network.tables["A"].values % 1, 0, atol=1e-9)
    assert_allclose(run.log_likelihood, 4 * np.log(0.5))
    start = BayesianNetwork.from_cpts(
        {"class": (0, 1), "A": (0, 1), "B": (0, 1)},
        {
            "class": [0.5, 0.5],
            ("A", "class"): [[1.0, 0.0], [1.0, 0.0]],
            ("B", "class"): [[0.5, 0.5], [0.5, 0.5]],
        },
    )
    with pytest.raises(ZeroProbabilityError, match=r"Row 2 .*A=1, B=1"):
        latent_class(rows, 2, start=start)
    # From a file, as large data are read.
    monkeypatch.setattr(chunks, "_IN_MEMORY", 0)
    with pytest.raises(ZeroProbabilityError, match=r"A row .*A=1, B=1"):
        latent_class([rows], 2, start=start)


def test_classes_that_are_alike_are_a_saddle_point():
    network, rows = drawn_rows(4)
    distribution = network.tables["A"].values[:1]
    start = BayesianNetwork.from_cpts(
        network.states,
        {
            "class": [0.5, 0.5],
            ("A", "class"): np.repeat(distribution, 2, axis=0),
            ("B", "class"): [[0.5, 0.5]] * 2,
            ("C", "class"): [[0.25] * 4] * 2,
        },
    )
    with pytest.warns(ConvergenceWarning, match="0, 1 of 'class'") as seen:
        run = latent_class(rows, 2, start=start)
    assert seen[0].filename == __file__
    assert not run.converged


def test_the_order_of_rows_plays_no_role():
    _, rows = drawn_rows(5)
    run = latent_class(rows, 2, rng=1)
    other = latent_class(rows[::-1], 2, rng=1)
    assert run.network == other.network
    assert_array_equal(run.responsibilities[::-1], other.responsibilities)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_classes": 0, "rng": 0}, r"number of classes is 0"),
        ({"n_classes": 9, "rng": 0}, r"9 classes for 3 different rows"),
        ({"n_classes": 2}, r"rng=0"),
        ({"n_classes": 2, "rng": 0, "name": "A"}, r"'A' is a column"),
        ({"n_classes": 2, "rng": 0, "pseudo_count": -1}, r"pseudo-count is"),
        ({"n_classes": 2, "start": drawn_rows(1)[0]}, r"'B'.*column"),
        (
            {"n_classes": 2, "start": drawn_rows(1)[0], "name": "K"},
            r"start has no node 'K'",
        ),
    ],
)
def test_bad_input_is_named(options, message):
    rows = pd.DataFrame({"A": [0, 1, 1], "D": [0, 0, 1]})
    with pytest.raises(ProbabilityError, match=message):
        latent_class(rows, **options)


def test_what_takes_too_much_memory_is_refused():
    _, rows = drawn_rows(1)
    with pytest.raises(TableTooLargeError, match="as a matrix"):
        latent_class(rows, 2, rng=0, max_bytes=1000)
    column = pd.DataFrame({"A": [None, None], "B": [0, 1]})
    with pytest.raises(ProbabilityError, match="'A' has no value"):
        latent_class(column, 2, rng=0)


def test_the_matrix_of_rows(matrix):
    _, rows = drawn_rows(1)
    run = latent_class(rows, 2, rng=0)
    assert sparse.issparse(run._problem._X) == (matrix == "sparse")
