"""Queries of a network, against all rows of its joint distribution."""

from math import log

import network_truth as truth
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from junction_tree_checks import made
from numpy.testing import assert_allclose

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.network import load_network

ASIA = load_network("asia")


@given(truth.nets_and_evidence(n_nodes=6), st.data())
def test_the_most_probable_states_of_some_nodes(example, data):
    """Exact maxima over sums: observed nodes may be among those asked for."""
    net, evidence = example
    known = truth.readable(evidence)
    names = truth.shuffled(truth.from_hypothesis(data.draw), net.nodes)
    names = names[: data.draw(st.integers(1, len(names)))]
    best = made(net).most_probable(names, given=known)
    assert list(best.states) == list(names)
    distribution = truth.floats(net.distribution(names, evidence))
    place = tuple(net.states[n].index(best.states[n]) for n in names)
    assert distribution[place] == pytest.approx(distribution.max(), rel=1e-9)
    assert best.probability == pytest.approx(distribution.max(), rel=1e-9)
    total = truth.exact_log(net.total(evidence))
    assert best.log_prob == pytest.approx(log(best.probability) + total)


@given(truth.nets_and_evidence(n_nodes=6), st.data())
def test_queries_are_the_definition(example, data):
    net, evidence = example
    network, known = made(net), truth.readable(evidence)
    free = [n for n in net.nodes if n not in truth.hard(evidence)]
    names = truth.shuffled(truth.from_hypothesis(data.draw), free)[:3]
    if names:
        found = network.query(names, given=known)
        assert found.variables == tuple(names)
        wanted = truth.floats(net.distribution(names, evidence))
        assert_allclose(found.values, wanted, atol=1e-10)
    found = network.posteriors(given=known)
    for node, wanted in net.distributions_of_all(evidence).items():
        assert_allclose(found.array(node), truth.floats(wanted), atol=1e-10)


def test_of_all_nodes_both_ways_agree():
    known = {"xray": "yes", "dysp": {"yes": 3, "no": 1}}
    one = ASIA.most_probable(given=known)
    other = ASIA.most_probable(ASIA.nodes, given=known)
    assert one.states == other.states
    assert one.log_prob == pytest.approx(other.log_prob)
    assert one.probability == pytest.approx(other.probability)


def test_numbers_below_all_floats():
    rare = {("a",): (1e-9, 1 - 1e-9), ("b",): (1 - 1e-9, 1e-9)}
    network = made(truth.chain(300, rare, first=(3e-9, 1 - 3e-9)))
    row = dict.fromkeys(network.nodes[2:], "a")
    best = network.most_probable(network.nodes[:2], given=row)
    # Three parts; from b to a and a, and from b to b and a, are one each.
    assert best.states == {"C0": "a", "C1": "b"}
    assert best.probability == pytest.approx(0.6)
    assert network.query("C0", given=row)["a"] == pytest.approx(0.6)
    assert best.log_prob < -1000


def test_the_table_of_a_node_and_what_a_network_keeps():
    assert ASIA["lung"] == ASIA.tables["lung"]
    network = load_network("asia")
    first = network.query("lung", given={"xray": "yes"})
    again = network.query("lung", given={"xray": "no"})
    assert first["yes"] > again["yes"]
    assert network == ASIA


@pytest.mark.parametrize(
    ("ask", "error", "match"),
    [
        (lambda: ASIA["lungs"], ProbabilityError, "Did you mean 'lung'"),
        (lambda: ASIA.query("lungs"), ProbabilityError, "'lungs'"),
        (lambda: ASIA.query([]), ProbabilityError, "at least one"),
        (
            lambda: ASIA.query("lung", given={"lung": "yes"}),
            ProbabilityError,
            "observed",
        ),
        (lambda: ASIA.query("lung", given="xray"), TypeError, "dictionary"),
        (
            lambda: ASIA.query("lung", given={"tub": "yes", "either": "no"}),
            ZeroProbabilityError,
            "tub=yes",
        ),
        (
            lambda: ASIA.most_probable(
                "lung", given={"tub": "yes", "either": "no"}
            ),
            ZeroProbabilityError,
            "tub=yes",
        ),
        (lambda: ASIA.most_probable([]), ProbabilityError, "No node"),
        (lambda: ASIA.most_probable("lungs"), ProbabilityError, "'lungs'"),
    ],
)
def test_what_is_refused(ask, error, match):
    with pytest.raises(error, match=match):
        ask()


def test_maxima_that_need_too_large_a_table_are_refused():
    """Of the root of each column a grid's other nodes are summed out first."""
    network = made(truth.grid(14))
    rng = np.random.default_rng(0)
    some = rng.permutation(network.nodes)[:98].tolist()
    with pytest.raises(TableTooLargeError, match="The product over"):
        network.most_probable(some)
