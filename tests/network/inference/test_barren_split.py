"""Barren nodes that are solved apart, against the definition."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import inf, log
from threading import Barrier

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from barren_networks import (
    ALWAYS,
    COPY,
    HALF,
    NEVER,
    RARE,
    SHAPE,
    TINY,
    check,
    check_batch,
    check_joint,
    few,
    limits,
    made,
    net_of,
    some_rows,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bayesbook.base import ZeroProbabilityError
from bayesbook.network import JunctionTree, eliminate, load_network

# -- the same answers --------------------------------------------------


@pytest.mark.parametrize("growth", [0, 0.2])
@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_definition_on_random_networks(seed, growth):
    """Eight times forty networks, of which many are solved in parts."""
    n_split = 0
    for part in range(40):
        rng = np.random.default_rng([17, seed, part])
        pick = truth.from_rng(rng)
        net = truth.random_net(pick, n_nodes=7, zeros=part % 4)
        with limits(**{**ALWAYS, "_GROWTH": growth}) as split:
            tree = JunctionTree(made(net))
            for _ in range(2):
                evidence = few(pick, truth.random_evidence(pick, net))
                check(tree, net, evidence)
                free = [n for n in net.nodes if n not in evidence]
                if names := truth.shuffled(pick, free)[:3]:
                    check_joint(tree, net, evidence, names)
            nodes = truth.shuffled(pick, net.nodes)[: pick(1, 2)]
            check_batch(tree, net, some_rows(rng, net, nodes))
            n_split += len(split) > 0
    assert n_split >= 15


def test_evidence_of_every_kind_is_solved_in_parts():
    """Hard, soft and both, in networks with impossible states."""
    kinds = Counter()
    for seed in range(300):
        pick = truth.from_rng(np.random.default_rng([23, seed]))
        net = truth.random_net(pick, n_nodes=7, zeros=3)
        evidence = few(pick, truth.random_evidence(pick, net))
        with limits(**ALWAYS) as split:
            check(JunctionTree(made(net)), net, evidence)
        n_hard = len(truth.hard(evidence))
        kinds[n_hard > 0, n_hard < len(evidence)] += len(split)
        if split:
            graph = nx.Graph(truth.digraph(net))
            kinds["in pieces"] += not nx.is_connected(graph)
            kinds["constant"] += 1 in map(len, net.states.values())
    for kind in ((True, False), (False, True), (True, True)):
        assert kinds[kind] >= 5
    assert kinds["in pieces"] >= 5
    assert kinds["constant"] >= 20


@given(truth.nets(n_nodes=6), st.data())
@settings(max_examples=100)
def test_agrees_with_the_definition(net, data):
    pick = truth.from_hypothesis(data.draw)
    evidence = few(pick, truth.random_evidence(pick, net))
    limit = {name: data.draw(st.sampled_from([0, inf])) for name in ALWAYS}
    for chosen in (ALWAYS, limit):
        with limits(**chosen):
            check(JunctionTree(made(net)), net, evidence)
            check(JunctionTree(made(net, Fraction)), net, evidence)


@given(truth.nets(n_nodes=6), st.data())
@settings(max_examples=60)
def test_probabilities_of_every_size(net, data):
    """Distributions with numbers from 1 down to 1e-300, in either part."""
    pick = truth.from_hypothesis(data.draw)
    net = truth.with_uneven_distributions(pick, net)
    row = data.draw(st.sampled_from([r for r, p in net.joint.items() if p]))
    evidence = few(pick, dict(zip(net.nodes, row, strict=True)))
    with limits(**ALWAYS):
        tree = JunctionTree(made(net))
        check(tree, net, evidence, atol=1e-12)
        rows = pd.DataFrame([evidence, dict.fromkeys(evidence), evidence])
        check_batch(tree, net, rows.astype(object))


# -- evidence of next to no probability, or of none --------------------


@pytest.mark.parametrize(
    "distribution", [COPY, RARE], ids=["copies", "rare effects"]
)
def test_impossible_evidence_is_named(distribution):
    copies = {
        "E1": distribution,
        "E2": distribution,
        "A1": {(): (Fraction(1), Fraction(0))},
    }
    if distribution is RARE:
        copies["A1"] = {(): (Fraction(0), Fraction(1))}
        copies["E2"] = {(0,): HALF, (1,): (Fraction(1), Fraction(0))}
    net = net_of(SHAPE, copies)
    evidence = {"E1": 1, "E2": {0: Fraction(0), 1: Fraction(1)}}
    assert net.total(evidence) == 0
    with limits(**ALWAYS) as split:
        tree = JunctionTree(made(net))
        for known in (evidence, {"E1": 1, "E2": 1}):
            known = truth.readable(known)
            for ask in (
                tree.posteriors,
                tree.most_probable,
                lambda known: tree.joint(["B1"], known),
            ):
                with pytest.raises(ZeroProbabilityError, match="E1=1") as told:
                    ask(known)
                assert "E2" in str(told.value)
            assert tree.log_evidence(known) == -inf
            assert tree.evidence_probability(known) == 0
        rows = pd.DataFrame({"E1": [0, None, 1], "E2": [0, 0, 1]})
        with pytest.raises(ZeroProbabilityError, match=r"ow 2.*E1=1.*E2=1"):
            tree.batch(rows)
        assert len(split) >= 3
        # And the next question is answered as if nothing had happened.
        check(tree, net, {"E1": 0, "E2": 0})
        check_batch(tree, net, rows.iloc[:2])


def test_evidence_of_which_nothing_depends_is_impossible():
    """All of its family is observed: its probability is in no clique."""
    net = net_of(SHAPE | {"A3": (), "B3": ("A2", "A3")}, {"E1": COPY})
    with limits(**ALWAYS) as split:
        tree = JunctionTree(made(net))
        with pytest.raises(ZeroProbabilityError, match=r"A1=0.*E1=1"):
            tree.posteriors({"A1": 0, "E1": 1, "E3": 0})
        assert tree.log_evidence({"A1": 0, "E1": 1, "E3": 0}) == -inf
        rows = pd.DataFrame({"A1": [0, 0], "E1": [0, 1], "E3": [0, 0]})
        with pytest.raises(ZeroProbabilityError, match="ow 1"):
            tree.batch(rows)
        check(tree, net, {"A1": 1, "E1": 1, "E3": 0})
    assert split


@pytest.mark.parametrize("soft", [False, True])
def test_evidence_below_all_floats(soft):
    """Twice 1e-200, and all of 1e-400 is what the posteriors are made of."""
    net = net_of(SHAPE, {"E1": RARE, "E2": RARE})
    evidence = {"E1": 1, "E2": 1, "E3": 0}
    assert 0 < net.total(evidence) < Fraction(1, 10**399)
    if soft:
        evidence["E2"] = {0: Fraction(0), 1: Fraction(1, 2)}
    with limits(**ALWAYS) as split:
        tree = JunctionTree(made(net))
        check(tree, net, evidence)
        assert split
        rows = pd.DataFrame(
            {"E1": [1, 0, None], "E2": [1, None, 1], "E3": [0, 1, 1]}
        )
        check_batch(tree, net, rows)
        check_batch(tree, net, rows.fillna({"E1": 1, "E2": 0}))


def test_numbers_that_are_lost_in_the_other_part_only():
    """Of the evidence nothing is small; two rare causes have an effect."""
    rare = {(): (1 - TINY, TINY)}
    net = net_of(SHAPE, {"A1": rare, "A2": rare})
    for evidence in (
        {"E1": 0},
        {"E3": 1, "E2": {0: Fraction(1), 1: Fraction(3)}},
        {"E1": 0, "E3": {0: Fraction(1), 1: Fraction(1, 10**150)}},
    ):
        with limits(**ALWAYS) as split:
            tree = JunctionTree(made(net))
            check(tree, net, evidence, atol=1e-14)
            assert split
            found = tree.posteriors(truth.readable(evidence))
            for node in ("A1", "A2"):
                assert found.array(node)[1] == pytest.approx(
                    float(net.distribution(node, evidence)[1]), rel=1e-9
                )
    rows = pd.DataFrame({"E1": [0, 1, 0], "E3": [None, 1, 0]})
    with limits(**ALWAYS) as split:
        check_batch(JunctionTree(made(net)), net, rows)
        assert split


def test_numbers_that_are_lost_where_two_components_are_joined():
    """Each of two parts of the graph is unlikely, both together are lost."""
    net = net_of(SHAPE, {"E1": RARE, "E3": RARE})
    for evidence in (
        {"E1": 1, "E3": 1},
        {"E1": {0: Fraction(0), 1: Fraction(1)}, "E3": 1},
    ):
        with limits(**ALWAYS) as split:
            check(JunctionTree(made(net)), net, evidence)
        (plan,) = split
        first, other = (
            part.run({2: 1, 4: 1}, {2: np.array([0.0, 1.0])})[0]
            for part in plan.plans
        )
        assert first == pytest.approx(-400 * log(10))
        assert np.isnan(other)
    with limits(**ALWAYS) as split:
        rows = pd.DataFrame({"E1": [1, 0, 1, 0], "E3": [1, 1, 0, 0]})
        check_batch(JunctionTree(made(net)), net, rows)
        check_batch(JunctionTree(made(net)), net, rows.iloc[:1])
        gaps = pd.DataFrame({"E1": [1, None, 1], "E3": [1, 1, 0]})
        check_batch(JunctionTree(made(net)), net, gaps)
        assert len(split) >= 3


# -- water -------------------------------------------------------------


def test_water_is_solved_in_two_parts():
    """A real network whose tree is seven times as fast in parts."""
    network = load_network("water")
    nodes = ("CNON_12_45", "C_NI_12_45", "CKND_12_45")
    evidence = {node: network.states[node][1] for node in nodes}
    with limits() as split:
        tree = JunctionTree(network)
        found = tree.posteriors(evidence)
        (plan,) = split
        batch = tree.batch(pd.DataFrame([evidence] * 2))
        assert len(split) == 1
    with limits(**NEVER) as split:
        whole = JunctionTree(network).posteriors(evidence)
        assert not split
    assert len(plan.plans) == 2
    graph = nx.DiGraph(network.graph)
    above = set(nodes).union(*(nx.ancestors(graph, node) for node in nodes))
    barren = {network.nodes[i] for i in plan.plans[1].slices}
    assert barren
    assert not barren & above
    # Most of the work does not depend on what was observed, and is done once.
    other = plan.plans[1]
    moved = sum(clique.size for clique in other.cliques if clique.up is None)
    assert moved < other.n_cells / 10
    assert len(found) == 29
    assert found.log_evidence == pytest.approx(whole.log_evidence, abs=1e-10)
    assert_allclose(batch.log_evidence, found.log_evidence, atol=1e-10)
    for node in found:
        run = eliminate(network, node, evidence)
        distribution = found.array(node)
        assert_allclose(distribution, run.posterior.values, atol=1e-10)
        assert_allclose(distribution, whole.array(node), atol=1e-10)
        assert_allclose(batch[node][1], distribution, atol=1e-10)
        assert log(run.evidence_probability) == pytest.approx(
            found.log_evidence, abs=1e-10
        )


def test_barley_is_solved_in_two_parts():
    """Messages between large cliques, with their axes as they were made."""
    network = load_network("barley")
    evidence = {"srtsize": "x3", "tkv": "x35_40"}
    with limits() as split:
        found = JunctionTree(network).posteriors(evidence)
    assert len(split) == 1
    for node in ("jordtype", "komm", "nedbarea", "sort", "udb", "ngodnt"):
        run = eliminate(network, node, evidence)
        assert_allclose(found.array(node), run.posterior.values, atol=1e-10)


# -- several threads ---------------------------------------------------


def test_several_threads_ask_one_tree():
    net = net_of(SHAPE, default=3)
    cases = [
        {"E1": i, "E3": {0: Fraction(j), 1: Fraction(1), 2: Fraction(2)}}
        for i in range(3)
        for j in range(3)
    ]
    wanted = [
        np.concatenate(
            [
                truth.floats(distribution)
                for distribution in distributions.values()
            ]
        )
        for distributions in map(net.distributions_of_all, cases)
    ]
    totals = [truth.exact_log(net.total(evidence)) for evidence in cases]
    start = Barrier(4)
    with limits(**ALWAYS) as split:
        tree = JunctionTree(made(net))

        def work(seed):
            rng = np.random.default_rng(seed)
            start.wait()
            for at in rng.integers(len(cases), size=200):
                found = tree.posteriors(truth.readable(cases[at]))
                distributions = np.concatenate(
                    [found.array(node) for node in found]
                )
                assert_allclose(distributions, wanted[at], atol=1e-10)
                assert found.log_evidence == pytest.approx(totals[at])
            return True

        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(work, range(4)))
        assert len(split) == 1
