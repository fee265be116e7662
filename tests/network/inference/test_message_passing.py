"""Message passing with factors: the truth beside which the engine stands."""

from fractions import Fraction
from math import exp

import network_truth as truth
import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from junction_tree_checks import made
from numpy.testing import assert_allclose

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.network import (
    JunctionTree,
    enumerate_posterior,
    load_network,
    network_catalogue,
    pass_messages,
)


@given(truth.nets_and_evidence(n_nodes=6))
def test_agrees_with_the_definition_and_the_engine(example):
    net, evidence = example
    network, known = made(net, Fraction), truth.readable(evidence)
    tree = pass_messages(network, known)
    found = JunctionTree(network).posteriors(known)
    for node in net.nodes:
        if node in truth.hard(evidence):
            continue
        wanted = enumerate_posterior(network, node, known)
        values = truth.floats(wanted.values)
        for array in (tree.posterior(node).values, found.array(node)):
            assert_allclose(truth.floats(array), values, atol=1e-12)
    best = pass_messages(network, known, maximise=True).most_probable()
    row = {**best, **truth.hard(evidence)}
    assert tuple(row[node] for node in net.nodes) in net.best(evidence)[1]


@given(truth.nets_and_evidence(n_nodes=5, possible=False))
def test_impossible_exactly_if_the_definition_says_so(example):
    net, evidence = example
    known = truth.readable(evidence)
    if net.total(evidence):
        pass_messages(made(net, Fraction), known)
    else:
        with pytest.raises(ZeroProbabilityError):
            pass_messages(made(net, Fraction), known)


@given(truth.nets(n_nodes=6))
def test_every_belief_is_the_joint_distribution_of_a_clique(net):
    """And neighbours agree about what they share."""
    network = made(net, Fraction)
    tree = pass_messages(network)
    joined = nx.Graph([*tree.messages])
    joined.add_nodes_from(range(len(tree.cliques)))
    assert nx.is_tree(joined)
    for i, clique in enumerate(tree.cliques):
        wanted = network.to_table().marginal(*clique)
        belief = tree.belief(i).marginal(*wanted.variables)
        assert belief.values.tolist() == wanted.values.tolist()
    for i, j in joined.edges:
        shared = [n for n in tree.cliques[i] if n in tree.cliques[j]]
        assert tree.belief(i).marginal(*shared) == tree.belief(j).marginal(
            *shared
        )


# Of the others, munin1 and link, every message needs hundreds of megabytes.
SMALL = sorted({*network_catalogue().index} - {"munin1", "link"})


@pytest.mark.heavy
@pytest.mark.parametrize("name", SMALL)
def test_the_engine_agrees_on_a_real_network(name):
    network = load_network(name)
    rng = np.random.default_rng(7)
    row = network.sample(1, rng=rng).iloc[0]
    leaves = [node for node in network.nodes if not network.children(node)]
    given_ = {n: row[n] for n in rng.permutation(leaves)[:8]}
    tree = pass_messages(network, given_, max_bytes=2**31)
    found = JunctionTree(network, max_bytes=2**31).posteriors(given_)
    assert_allclose(
        exp(found.log_evidence), float(tree.belief(0).total), rtol=1e-9
    )
    free = [node for node in network.nodes if node not in given_]
    for node in rng.permutation(free)[:12]:
        values = tree.posterior(str(node)).as_floats().values
        assert_allclose(found.array(str(node)), values, atol=1e-10)


def test_numbers_below_all_floats_are_computed_with_fractions():
    net = truth.chain(
        40, {("a",): (1e-30, 1 - 1e-30), ("b",): (1 - 1e-30, 1e-30)}
    )
    network = made(net)
    row = dict.fromkeys(net.nodes[1:], "a")
    tree = pass_messages(network, row)
    wanted = JunctionTree(network).posteriors(row).array(net.nodes[0])
    assert_allclose(
        tree.posterior(net.nodes[0]).as_floats().values, wanted, atol=1e-12
    )


def test_everything_observed_leaves_one_empty_clique():
    asia = load_network("asia")
    row = dict.fromkeys(asia.nodes, "no")
    tree = pass_messages(asia, row)
    assert tree.cliques == ((),)
    assert tree.belief(0).total == asia.P(row)


def test_what_is_refused():
    asia = load_network("asia")
    tree = pass_messages(asia, {"xray": "yes"})
    with pytest.raises(
        ProbabilityError, match=r"'lungs'.*Did you mean 'lung'"
    ):
        tree.posterior("lungs")
    with pytest.raises(ProbabilityError, match=r"'xray'.*observed"):
        tree.posterior("xray")
    with pytest.raises(ProbabilityError, match="maximise=True"):
        tree.most_probable()
    with pytest.raises(ProbabilityError, match="maximise=False"):
        pass_messages(asia, maximise=True).posterior("lung")
    with pytest.raises(TableTooLargeError):
        pass_messages(asia, max_bytes=10)
    with pytest.raises(TypeError, match="BayesianNetwork"):
        pass_messages("asia")
