"""Probabilities, draws and the joint table of a network."""

import tracemalloc
from fractions import Fraction
from math import inf, log

import network_truth as truth
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lawn_network import LAWN_STATES, frame, lawn, made
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.network import BayesianNetwork
from bayesbook.probability import Table

# -- probabilities -----------------------------------------------------


@given(truth.nets())
def test_prob_is_the_product_of_the_definition(net):
    network = made(net)
    floating = made(net, float)
    for row, p in net.joint.items():
        states = dict(zip(net.nodes, row, strict=True))
        found = network.P(states)
        assert found == p
        assert isinstance(found, Fraction)
        found = floating.P(dict(reversed(states.items())))
        assert isinstance(found, float)
        assert found == pytest.approx(float(p), rel=1e-13)


@given(truth.nets(), st.randoms(use_true_random=False))
def test_log_prob_of_rows(net, random):
    rows = frame(net)
    wanted = np.array([truth.exact_log(p) for p in net.joint.values()])
    shuffled = rows[random.sample(net.nodes, len(net.nodes))]
    for network in (made(net), made(net, float)):
        found = network.log_prob(rows)
        assert isinstance(found, np.ndarray)
        assert found.shape == (len(rows),)
        assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
        # Whatever the order of the columns, and whatever their type.
        assert_allclose(network.log_prob(shuffled), found)
        assert_allclose(network.log_prob(rows.astype("category")), found)
        assert_allclose(network.log_prob(rows.astype("string")), found)
        one = network.log_prob(rows.iloc[-1].to_dict())
        assert isinstance(one, float)
        assert one == pytest.approx(wanted[-1])


def test_log_prob_ignores_the_index_and_the_order_of_categories():
    network = lawn()
    rows = pd.DataFrame(
        {"rain": ["yes", "no"], "sprinkler": "on", "grass": "wet"},
        index=[7, 7],
    )
    wanted = [log(1 / 5 * 1 / 10), log(4 / 5 * 2 / 5 * 8 / 10)]
    assert network.log_prob(rows) == pytest.approx(wanted)
    for column, states in LAWN_STATES.items():
        categories = ["never seen", *reversed(states)]
        rows[column] = pd.Categorical(rows[column], categories)
    assert network.log_prob(rows) == pytest.approx(wanted)


def test_log_prob_of_no_rows_is_empty():
    assert lawn().log_prob(
        frame(truth.ASIA)
        .iloc[:0]
        .rename(
            columns={"asia": "rain", "tub": "sprinkler", "smoke": "grass"}
        )[["rain", "sprinkler", "grass"]]
    ).shape == (0,)


def test_log_prob_of_impossible_rows_is_minus_infinity_without_a_warning():
    rows = pd.DataFrame(
        [("no", "off", "dry"), ("no", "off", "wet")],
        columns=["rain", "sprinkler", "grass"],
    )
    assert_array_equal(
        lawn().log_prob(rows), [pytest.approx(log(12 / 25)), -inf]
    )
    assert lawn().log_prob(rows.iloc[1].to_dict()) == -inf


@pytest.mark.heavy
@pytest.mark.parametrize("number", [float, Fraction])
def test_log_prob_where_the_product_underflows(number):
    tiny = Fraction(1, 10**200)
    net = truth.chain(
        2000, {("a",): (tiny, 1 - tiny), ("b",): (1 - tiny, tiny)}
    )
    network = made(net, number)
    row = dict.fromkeys(net.nodes, "a")
    assert network.log_prob(row) == pytest.approx(-2000 * 200 * log(10))
    if number is Fraction:
        assert network.P(row) == tiny**2000
    else:
        assert 0 < network.P(row) < 1e-300
    both = pd.DataFrame([row, row])
    assert network.log_prob(both) == pytest.approx([-2000 * 200 * log(10)] * 2)


def test_log_prob_of_fractions_below_every_float():
    """10^-400 is no float, and its logarithm is."""
    tiny = Fraction(1, 10**400)
    network = BayesianNetwork([Table([tiny, 1 - tiny], {"X": (0, 1)})])
    assert network.P({"X": 0}) == tiny
    assert network.log_prob({"X": 0}) == pytest.approx(-400 * log(10))
    rows = pd.DataFrame({"X": [0, 1]})
    assert_allclose(network.log_prob(rows), [-400 * log(10), 0], atol=1e-12)


# -- sampling ----------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_samples_follow_the_joint_distribution(seed):
    pick = truth.from_rng(np.random.default_rng(seed))
    net = truth.random_net(pick, n_nodes=5)
    while len(net.joint) < 10:
        net = truth.random_net(pick, n_nodes=5)
    size = 100_000
    rows = made(net, float if seed % 2 else Fraction).sample(size, rng=seed)
    assert tuple(rows.columns) == net.nodes
    assert len(rows) == size
    counts = rows.value_counts(sort=False)
    seen = {row: int(n) for row, n in counts.items() if n}
    possible = [row for row, p in net.joint.items() if p]
    # What has probability zero is never drawn.
    assert set(seen) <= set(possible)
    if len(possible) > 1:
        expected = [float(net.joint[row]) * size for row in possible]
        often = [row for row in possible if net.joint[row] * size >= 5]
        rest = size - sum(float(net.joint[row]) * size for row in often)
        found = [seen.get(row, 0) for row in often]
        wanted = [float(net.joint[row]) * size for row in often]
        if rest > 1e-6:
            found.append(size - sum(found))
            wanted.append(rest)
        assert len(found) > 1 or len(expected) == 1
        assert chisquare(found, wanted).pvalue > 1e-4


def test_samples_are_categories_with_all_states():
    network = lawn()
    for size in (0, 1, 1000):
        rows = network.sample(size, rng=0)
        assert rows.shape == (size, 3)
        assert list(rows.columns) == list(network.nodes)
        for node, states in LAWN_STATES.items():
            assert isinstance(rows[node].dtype, pd.CategoricalDtype)
            assert tuple(rows[node].cat.categories) == states
        assert rows.isna().sum().sum() == 0
        assert rows.index.equals(pd.RangeIndex(size))


def test_a_seed_says_what_is_drawn():
    network = lawn()
    one = network.sample(100, rng=4)
    assert one.equals(network.sample(100, rng=4))
    assert one.equals(network.sample(100, rng=np.random.default_rng(4)))
    assert not one.equals(network.sample(100, rng=5))
    rng = np.random.default_rng(4)
    assert not network.sample(100, rng=rng).equals(
        network.sample(100, rng=rng)
    )


def test_never_draws_what_has_probability_zero():
    """Sums of floats fall short of one; the last state is impossible."""
    thirds = [0.1] * 3 + [0.7] + [0.0]
    first = [0.0, 1 / 3, 1 / 3, 1 / 3, 0.0]
    network = BayesianNetwork.from_cpts(
        {"X": range(5), "Y": range(5)},
        {"X": first, ("Y", "X"): [thirds, first, thirds, first, [0.2] * 5]},
    )
    rows = network.sample(200_000, rng=1)
    assert set(rows["X"]) == {1, 2, 3}
    assert set(rows["Y"]) == {0, 1, 2, 3}
    assert_allclose(
        rows["X"].value_counts(sort=False, normalize=True),
        first,
        atol=0.01,
    )


@pytest.mark.parametrize("size", [-1, 2.5, "ten", None, True])
def test_a_size_that_is_none(size):
    with pytest.raises(ProbabilityError, match=str(size)):
        lawn().sample(size, rng=0)


def test_draws_that_do_not_fit_are_refused_at_once():
    with pytest.raises(TableTooLargeError, match=r"TiB.*Draw fewer rows"):
        lawn().sample(10**13, rng=0)


# -- the joint table ---------------------------------------------------


@given(truth.nets())
def test_to_table_is_the_joint_distribution(net):
    table = made(net).to_table()
    assert table.variables == net.nodes
    assert table.is_exact
    assert not table.conditions
    wanted = np.array(list(net.joint.values()), dtype=object)
    assert_array_equal(table.values.ravel(), wanted)
    floating = made(net, float).to_table()
    assert_allclose(
        floating.values.astype(float).ravel(),
        wanted.astype(float),
        atol=1e-14,
    )


def test_to_table_of_a_large_network_is_refused_before_it_is_made():
    network = made(truth.chain(60, {("0",): (0.5, 0.5), ("1",): (0.5, 0.5)}))
    tracemalloc.start()
    try:
        with pytest.raises(TableTooLargeError, match="entries"):
            network.to_table()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1e6
    with pytest.raises(TableTooLargeError):
        lawn().to_table(max_bytes=100)
    assert lawn().to_table(max_bytes=12 * 120).shape == (2, 2, 3)
