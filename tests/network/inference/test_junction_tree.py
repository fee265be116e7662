"""JunctionTree against the definition: posteriors, answers, threads."""

import copy
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import combinations
from math import exp, inf

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junction_tree_checks import (
    ASIA,
    check_most_probable,
    check_posteriors,
    made,
    random_net,
    sparse_net,
    tree_of,
)
from numpy.testing import assert_allclose, assert_array_equal

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    load_network,
)
from bayesbook.probability import Table

# -- all marginals at once ---------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_agrees_with_the_definition_on_random_networks(seed):
    """Ten times thirty networks, each with three kinds of evidence."""
    for part in range(30):
        pick = truth.from_rng(np.random.default_rng([7, seed, part]))
        net = truth.random_net(pick, n_nodes=7, zeros=part % 4)
        tree = tree_of(net)
        for _ in range(3):
            evidence = truth.random_evidence(pick, net)
            check_posteriors(tree, net, evidence)
            check_most_probable(tree, net, evidence)


@given(truth.nets_and_evidence(n_nodes=6))
def test_agrees_with_the_definition(example):
    net, evidence = example
    tree = tree_of(net)
    check_posteriors(tree, net, evidence)
    check_most_probable(tree, net, evidence)
    # An exact network gives the same.
    check_posteriors(JunctionTree(made(net, Fraction)), net, evidence)


@given(truth.nets_and_evidence(n_nodes=6, possible=False))
@settings(max_examples=150)
def test_impossible_exactly_if_the_definition_says_so(example):
    net, evidence = example
    tree = tree_of(net)
    known = truth.readable(evidence)
    if net.total(evidence):
        check_posteriors(tree, net, evidence)
        return
    questions = [
        tree.posteriors,
        tree.most_probable,
        lambda known: tree.joint(
            [n for n in net.nodes if n not in truth.hard(evidence)][:2], known
        ),
    ]
    if len(truth.hard(evidence)) == len(net.nodes):
        questions.pop()
    for ask in questions:
        with pytest.raises(ZeroProbabilityError) as raised:
            ask(known)
        assert any(node in str(raised.value) for node in evidence)


@given(truth.nets_and_evidence(n_nodes=6), st.data())
def test_joint_posteriors_in_and_across_cliques(example, data):
    net, evidence = example
    tree = tree_of(net)
    known = truth.readable(evidence)
    free = [n for n in net.nodes if n not in truth.hard(evidence)]
    for size in range(1, min(len(free), 4) + 1):
        names = truth.shuffled(truth.from_hypothesis(data.draw), free)[:size]
        found = tree.joint(names, known)
        assert found.variables == tuple(names)
        assert_allclose(
            found.values,
            truth.floats(net.distribution(names, evidence)),
            atol=1e-10,
            rtol=1e-9,
        )


def test_joint_of_nodes_that_several_cliques_hold(monkeypatch):
    """Which of them answers is decided twice: once for root and once here."""
    monkeypatch.setattr("bayesbook.network.inference.triangulation._TINY", 0)
    third = Fraction(1, 3)
    # C is in a clique of eight cells and, farther from A, in one of four.
    net = truth.Net(
        {"A": (0, 1), "B": (0, 1, 2, 3), "C": (0, 1), "D": (0, 1)},
        {"A": (), "B": ("A",), "C": ("B",), "D": ("C",)},
        {
            "A": {(): (third, 1 - third)},
            "B": {(0,): (third, third, third, 0), (1,): (0, 0, 0, 1)},
            "C": {
                (i,): (third ** (i + 1), 1 - third ** (i + 1))
                for i in range(4)
            },
            "D": {(0,): (third, 1 - third), (1,): (1, 0)},
        },
    )
    tree = tree_of(net)
    assert len(tree.cliques) == 3
    for names in ("A", "B", "C", "D", "BC", "DC", "AD"):
        wanted = truth.floats(net.distribution([*names], {}))
        assert_allclose(tree.joint([*names]).values, wanted, atol=1e-12)
    for seed in range(40):
        pick = truth.from_rng(np.random.default_rng([19, seed]))
        net = truth.random_net(pick, n_nodes=6)
        evidence = truth.random_evidence(pick, net)
        tree = tree_of(net)
        free = [n for n in net.nodes if n not in truth.hard(evidence)]
        for names in [(n,) for n in free] + list(combinations(free, 2)):
            assert_allclose(
                tree.joint(names, truth.readable(evidence)).values,
                truth.floats(net.distribution(names, evidence)),
                atol=1e-10,
            )


def test_joint_of_nodes_that_no_clique_holds():
    net = random_net(5, n_nodes=7)
    chain = truth.chain(
        12,
        {
            ("a",): (Fraction("0.9"), Fraction("0.1")),
            ("b",): (Fraction("0.3"), Fraction("0.7")),
        },
    )
    tree = tree_of(chain)
    ends = ("C11", "C0", "C6")
    assert not any(set(ends) <= set(clique) for clique in tree.cliques)
    evidence = {"C3": "b", "C8": {"a": 0.2, "b": 0.6}}
    exact = {"C3": "b", "C8": {"a": 1, "b": 3}}
    found = tree.joint(ends, evidence)
    assert found.variables == ends
    assert_allclose(
        found.values, truth.floats(chain.distribution(ends, exact)), atol=1e-12
    )
    everything = tree_of(net).joint(net.nodes)
    assert_allclose(
        everything.values,
        truth.floats(net.distribution(net.nodes, {})),
        atol=1e-12,
    )


def test_joint_of_too_many_nodes_is_refused():
    net = truth.chain(
        60, {("a",): (Fraction(1, 2),) * 2, ("b",): (Fraction(1, 2),) * 2}
    )
    with pytest.raises(TableTooLargeError):
        tree_of(net).joint(net.nodes)


# -- what cannot be asked ----------------------------------------------


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"xrai": "yes"}, r"'xrai'.*'xray'\?"),
        ({"xray": "yess"}, r"'yess'.*'xray'.*'yes'\?"),
        ({"xray": None}, r"xray"),
        ({"xray": ["yes"]}, r"xray"),
        ({"xray": {"yes": 1}}, r"xray.*'no'|'no'.*xray"),
        ({"xray": {"yes": -1, "no": 1}}, r"xray.*-1"),
        ({"xray": {"yes": float("nan"), "no": 1}}, r"xray.*nan"),
        ({"xray": {"yes": 0, "no": 0}}, r"xray"),
    ],
)
def test_evidence_that_makes_no_sense(evidence, message):
    for ask in (
        ASIA.posteriors,
        ASIA.log_evidence,
        ASIA.evidence_probability,
        ASIA.most_probable,
        lambda evidence: ASIA.joint(["lung"], evidence),
    ):
        with pytest.raises(ProbabilityError, match=f"(?s){message}"):
            ask(evidence)


def test_evidence_that_is_no_dictionary():
    for ask in (
        ASIA.posteriors,
        ASIA.log_evidence,
        ASIA.evidence_probability,
        ASIA.most_probable,
        lambda evidence: ASIA.joint(["lung"], evidence),
    ):
        with pytest.raises(TypeError, match=r"xray.*give a dictionary"):
            ask("xray")


def test_the_probability_of_impossible_evidence():
    """It is zero, which is an answer; only conditioning on it is none."""
    evidence = {"either": "no", "lung": "yes"}
    assert ASIA.evidence_probability(evidence) == 0
    assert ASIA.log_evidence(evidence) == -inf
    with pytest.raises(ZeroProbabilityError, match="either=no"):
        ASIA.posteriors(evidence)
    # And the next question is answered as if nothing had happened.
    assert ASIA.posteriors().array("lung")[0] == pytest.approx(0.055)


def test_posteriors_of_observed_nodes():
    found = ASIA.posteriors({"lung": "yes"})
    assert found["lung"].title == "P(lung | lung=yes)"
    assert found.array("lung").tolist() == [1, 0]
    assert list(found) == list(truth.ASIA.nodes)
    assert found.get("lnug", 5) == 5
    with pytest.raises(ProbabilityError, match="'lnug'"):
        found["lnug"]
    with pytest.raises(ProbabilityError, match="'lnug'"):
        found.array("lnug")
    with pytest.raises(ProbabilityError, match="'lung'"):
        ASIA.joint(["lung"], {"lung": "yes"})


# -- what is given back ------------------------------------------------


def test_posteriors_are_a_mapping_of_tables():
    evidence = {"xray": "yes", "dysp": {"yes": 3, "no": 1}}
    found = ASIA.posteriors(evidence)
    assert list(found) == list(truth.ASIA.nodes)
    assert len(found) == 8
    assert "dysp" in found
    assert 3 not in found
    assert dict(found.evidence) == evidence
    for node, table in found.items():
        assert isinstance(table, Table)
        assert table.variables == (node,)
        assert table.values.sum() == pytest.approx(1)
        assert found.array(node).shape == (2,)
    assert found.evidence_probability == pytest.approx(exp(found.log_evidence))
    assert "xray=yes" in found["lung"].title
    shown = repr(found)
    assert "lung" in shown
    assert "xray" in shown
    assert "<t" in found._repr_html_()


def test_posteriors_as_a_frame():
    found = ASIA.posteriors({"xray": "yes"})
    frame = found.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 16
    numbers = frame.select_dtypes("number")
    assert numbers.to_numpy().sum() == pytest.approx(8)
    flat = np.concatenate([found.array(node) for node in found])
    assert_allclose(numbers.to_numpy().ravel(), flat)


def test_the_answers_cannot_be_changed():
    found = ASIA.posteriors({"xray": "yes"})
    with pytest.raises(ValueError, match="read-only"):
        found.array("lung")[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        found["lung"].values[0] = 1
    with pytest.raises((AttributeError, TypeError)):
        found["lung"] = 1
    before = found.array("lung").copy()
    for _ in range(3):
        ASIA.posteriors({"xray": "no", "smoke": "yes"})
        ASIA.batch(pd.DataFrame({"xray": ["no", "yes"]}))
        ASIA.most_probable({"bronc": "yes"})
    # Later questions do not write over earlier answers.
    assert_array_equal(found.array("lung"), before)
    assert_allclose(found.array("lung"), [0.4887114, 0.5112886], atol=1e-7)


def test_one_row_is_no_rows():
    coin = BayesianNetwork([Table([0.5, 0.5], {"coin": "HT"})], name="coin")
    tree = JunctionTree(coin)
    assert repr(tree) == "JunctionTree of coin: 1 clique, width 0, 2 cells"
    batch = tree.batch(pd.DataFrame({"coin": ["H"]}))
    assert repr(batch) == "BatchPosteriors: 1 row, 1 node"


def test_evidence_is_kept_as_it_was():
    evidence = {"xray": "yes", "dysp": {"yes": 3, "no": 1}}
    found = ASIA.posteriors(evidence)
    evidence["xray"] = "no"
    evidence["dysp"]["yes"] = 7
    assert dict(found.evidence) == {
        "xray": "yes",
        "dysp": {"yes": 3, "no": 1},
    }


def test_a_tree_cannot_be_changed():
    for attribute in ("cliques", "tree", "n_cells", "width", "new"):
        with pytest.raises(AttributeError):
            setattr(ASIA, attribute, 1)
    with pytest.raises(nx.NetworkXError):
        ASIA.tree.remove_node(0)
    with pytest.raises(AttributeError):
        ASIA.most_probable().probability = 1


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))],
)
def test_a_copied_tree_answers_the_same(copied):
    other = copied(ASIA)
    assert other.cliques == ASIA.cliques
    assert other.n_bytes == ASIA.n_bytes
    evidence = {"xray": "yes", "dysp": {"yes": 3, "no": 1}}
    one, two = ASIA.posteriors(evidence), other.posteriors(evidence)
    for node in one:
        assert_array_equal(one.array(node), two.array(node))
    again = copied(one)
    assert again.log_evidence == one.log_evidence
    assert dict(again.evidence) == dict(one.evidence)
    for node in one:
        assert_array_equal(again.array(node), one.array(node))


def test_repr_says_what_it_costs():
    shown = repr(ASIA)
    assert "6 cliques" in shown
    assert str(ASIA.n_cells) in shown


def test_many_threads_ask_one_tree():
    net = sparse_net(60, 4)
    tree = tree_of(net)
    rng = np.random.default_rng(0)
    rows = made(net).sample(12, rng=rng)
    cases = [
        {
            node: row[node]
            for node in rng.permutation(net.nodes)[: rng.integers(1, 30)]
        }
        for row in rows.to_dict("records")
    ]
    wanted = [answers(tree_of(net), case) for case in cases]
    start = threading.Barrier(4)

    def work(number):
        start.wait()
        found = []
        for i in range(3 * len(cases)):
            at = (i * (number + 1)) % len(cases)
            found.append((at, answers(tree, cases[at])))
        return found

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(4)):
            for at, numbers in found:
                assert_allclose(numbers, wanted[at], atol=1e-12)


def test_threads_with_more_sets_of_evidence_than_are_remembered():
    nodes = truth.ASIA.nodes
    sets = [{a: "no", b: "no"} for a, b in combinations(nodes, 2)]
    wanted = [ASIA.log_evidence(known) for known in sets]
    tree = tree_of(truth.ASIA)
    start = threading.Barrier(4)

    def work(number):
        rng = np.random.default_rng(number)
        start.wait()
        return [
            tree.log_evidence(sets[i]) - wanted[i]
            for i in rng.integers(len(sets), size=150)
        ]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for found in pool.map(work, range(4)):
                assert_allclose(found, 0, atol=1e-12)
    finally:
        sys.setswitchinterval(interval)


def answers(tree, evidence):
    found = tree.posteriors(evidence)
    batch = tree.batch(pd.DataFrame([evidence]))
    return np.concatenate(
        [
            [found.log_evidence, batch.log_evidence[0]],
            *(found.array(node) for node in found),
            *(batch[node][0] for node in found),
            [tree.most_probable(evidence).log_prob],
        ]
    )


# -- larger networks, against another way ------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_elimination_and_the_tree_agree_on_larger_networks(seed):
    net = sparse_net(45, seed, n_parents=3)
    network = made(net)
    tree = JunctionTree(network)
    rng = np.random.default_rng(seed)
    row = network.sample(1, rng=rng).iloc[0]
    evidence = {n: row[n] for n in rng.permutation(net.nodes)[:12]}
    soft = next(n for n in net.nodes if n not in evidence)
    evidence[soft] = {s: k + 0.5 for k, s in enumerate(net.states[soft])}
    found = tree.posteriors(evidence)
    hidden = [n for n in net.nodes if n == soft or n not in evidence]
    for node in rng.permutation(hidden)[:12]:
        run = eliminate(network, str(node), evidence)
        assert_allclose(run.posterior.values, found.array(node), atol=1e-12)
        assert run.evidence_probability == pytest.approx(
            found.evidence_probability, rel=1e-9
        )


@pytest.mark.parametrize("seed", range(3))
def test_marginals_of_a_larger_network_are_those_of_samples(seed):
    net = sparse_net(60, seed)
    network = made(net)
    found = JunctionTree(network).posteriors()
    rows = network.sample(40_000, rng=seed)
    for node in net.nodes:
        shares = rows[node].value_counts(sort=False, normalize=True)
        assert_allclose(shares, found.array(node), atol=0.015)


@pytest.mark.heavy
def test_a_network_of_a_thousand_nodes():
    """Munin: 1041 nodes, up to 21 states, against 20,000 samples."""
    network = load_network("munin")
    assert len(network) == 1041
    tree = JunctionTree(network)
    found = tree.posteriors()
    drawn = network.sample(20_000, rng=0)
    for node in network.nodes:
        distribution = found.array(node)
        shares = drawn[node].value_counts(sort=False, normalize=True)
        spread = np.sqrt(distribution * abs(1 - distribution) / 20_000)
        assert (abs(shares - distribution) < 5.5 * spread + 1e-9).all()
    # A tenth of a row is observed.
    rng = np.random.default_rng(1)
    row = drawn.iloc[0]
    evidence = {str(n): row[n] for n in rng.permutation(network.nodes)[:104]}
    some = tree.posteriors(evidence)
    p = some.log_evidence
    hidden = [node for node in network.nodes if node not in evidence]
    for node in rng.permutation(hidden)[:5]:
        # P(e) P(x | e) = P(x, e)
        for state, share in zip(
            network.states[node], some.array(node), strict=True
        ):
            both = tree.log_evidence({**evidence, str(node): state})
            assert exp(both - p) == pytest.approx(share, abs=1e-9)
    best = tree.most_probable(evidence)
    assert best.log_prob == pytest.approx(network.log_prob(best.states))
    assert best.probability <= 1
    assert best.probability >= exp(network.log_prob(row.to_dict()) - p)
