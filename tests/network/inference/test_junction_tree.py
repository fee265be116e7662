"""JunctionTree against the definition, networkx and numbers below floats."""

import copy
import pickle
import sys
import threading
import tracemalloc
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import exp, inf, log, prod

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.approximation import (
    treewidth_min_degree,
    treewidth_min_fill_in,
)
from numpy.testing import assert_allclose, assert_array_equal

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.graphs import chain_rule
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    Posteriors,
    eliminate,
    enumerate_posterior,
    load_network,
)
from bayesbook.network.inference import triangulation
from bayesbook.network.inference.triangulation import eliminate_nodes
from bayesbook.probability import Table

COIN = {"coin": ("heads", "tails")}


def made(net, number=float):
    return BayesianNetwork.from_cpts(*net.as_given(number))


def tree_of(net, **more):
    return JunctionTree(made(net), **more)


def moral(net):
    return nx.Graph(nx.moral_graph(truth.digraph(net)))


def random_net(seed, **limits):
    return truth.random_net(
        truth.from_rng(np.random.default_rng(seed)), **limits
    )


ASIA = tree_of(truth.ASIA)


# -- all marginals at once ----------------------------------------------------


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


def check_posteriors(tree, net, evidence):
    known = truth.readable(evidence)
    found = tree.posteriors(known)
    wanted = net.distributions_of_all(evidence)
    assert isinstance(found, Posteriors)
    assert list(found) == list(wanted)
    for node, distribution in wanted.items():
        assert_allclose(
            found.array(node),
            truth.floats(distribution),
            atol=1e-10,
            rtol=1e-9,
        )
        assert_allclose(found[node].values, found.array(node), atol=1e-15)
    total = net.total(evidence)
    for log_p in (found.log_evidence, tree.log_evidence(known)):
        assert log_p == pytest.approx(truth.exact_log(total), abs=1e-10)
    for p in (
        found.evidence_probability,
        tree.evidence_probability(known),
    ):
        assert p == pytest.approx(float(total), rel=1e-10)


def check_most_probable(tree, net, evidence):
    best = tree.most_probable(truth.readable(evidence))
    p, rows = net.best(evidence)
    assert list(best.states) == list(net.nodes)
    # Rounding may prefer any of several equal ones.
    row = tuple(best.states.values())
    assert net.weights(evidence)[row] / net.total(evidence) == p
    assert row in rows
    assert best.probability == pytest.approx(float(p), rel=1e-9)
    for node, state in truth.hard(evidence).items():
        assert best.states[node] == state
    return best


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
    monkeypatch.setattr("bayesbook.network.inference.exact._TINY", 0)
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


#: Limits at which a clique is treated in another way: forced either way.
PATHS = {
    "as they are": {},
    "no tables": {"_TABLE": 0},
    "no tables, no groups": {"_TABLE": 0, "_GROUP": 0},
    "no matrices": {"_MATRIX": 0},
    "no matrices, no groups": {"_MATRIX": 0, "_GROUP": 0},
    "always scaled": {"_SMALL": 2.0},
    "no tables, always scaled": {"_TABLE": 0, "_SMALL": 2.0},
    "small tables only": {"_TABLE": 12, "_MATRIX": 100, "_GROUP": 6},
}


@pytest.mark.parametrize("limits", PATHS.values(), ids=PATHS)
def test_every_path_agrees_with_the_definition(limits, monkeypatch):
    """Small networks are sent where otherwise only large ones go."""
    for name, limit in limits.items():
        monkeypatch.setattr(
            f"bayesbook.network.inference.message_passing.{name}", limit
        )
    for seed in range(40):
        rng = np.random.default_rng([13, seed])
        pick = truth.from_rng(rng)
        net = truth.random_net(pick, n_nodes=7, zeros=seed % 4)
        tree = tree_of(net)
        for _ in range(2):
            evidence = truth.random_evidence(pick, net)
            check_posteriors(tree, net, evidence)
            check_most_probable(tree, net, evidence)
            free = [n for n in net.nodes if n not in truth.hard(evidence)]
            names = truth.shuffled(pick, free)[:3]
            if names:
                assert_allclose(
                    tree.joint(names, truth.readable(evidence)).values,
                    truth.floats(net.distribution(names, evidence)),
                    atol=1e-10,
                )
        check_batch(tree, net, random_rows(rng, net, 5, share=0.3))


#: Small networks with messages whose axes are in an order of their own: the
#: number of states and the parents of each node, evidence, limits.
IN_ANOTHER_ORDER = [
    (
        {
            "A": (1, ()),
            "B": (2, ()),
            "C": (3, ()),
            "D": (1, ("B", "A")),
            "E": (2, ("A", "C")),
            "F": (1, ("C", "B")),
            "G": (2, ("F",)),
        },
        {"D": 0, "E": 0},
        {"_TABLE": 4, "_GROUP": 6},
    ),
    (
        {
            "A": (3, ()),
            "B": (3, ()),
            "C": (3, ()),
            "D": (1, ("A", "C", "B")),
            "E": (1, ("B", "C")),
            "F": (2, ("D",)),
            "G": (3, ("A", "B", "F")),
            "H": (1, ("C", "F")),
        },
        {},
        {"_TABLE": 0},
    ),
    (
        {
            "A": (2, ()),
            "B": (2, ()),
            "C": (1, ()),
            "D": (1, ("A",)),
            "E": (3, ("B", "A", "C")),
            "F": (1, ()),
            "G": (3, ("E", "A")),
            "H": (2, ("C", "F")),
            "I": (2, ("H", "E")),
        },
        {"D": 0, "F": 0},
        {"_TABLE": 0, "_GROUP": 6},
    ),
]


@pytest.mark.parametrize(("shape", "evidence", "limits"), IN_ANOTHER_ORDER)
@pytest.mark.parametrize("tiny", [0, 4])
def test_products_in_another_order_of_axes(
    shape, evidence, limits, tiny, monkeypatch
):
    """What a large clique sends to another is not put in order."""
    for name, limit in limits.items():
        monkeypatch.setattr(
            f"bayesbook.network.inference.message_passing.{name}", limit
        )
    monkeypatch.setattr("bayesbook.network.inference.exact._TINY", tiny)
    pick = truth.from_rng(np.random.default_rng(0))
    states = {node: tuple(range(size)) for node, (size, _) in shape.items()}
    net = truth.Net(
        states,
        {node: above for node, (_, above) in shape.items()},
        {
            node: {
                row: truth.random_distribution(pick, size, 0)
                for row in np.ndindex(*(len(states[a]) for a in above))
            }
            for node, (size, above) in shape.items()
        },
    )
    check_posteriors(tree_of(net), net, evidence)


@pytest.mark.parametrize("table", [0, 8])
def test_large_cliques_beside_each_other(table, monkeypatch):
    """Without merging, so that there are trees of many cliques."""
    monkeypatch.setattr("bayesbook.network.inference.exact._TINY", 0)
    monkeypatch.setattr(
        "bayesbook.network.inference.message_passing._TABLE", table
    )
    for seed in range(30):
        pick = truth.from_rng(np.random.default_rng([19, seed]))
        net = truth.random_net(
            pick, n_nodes=11, n_states=2, n_parents=4, zeros=seed % 3
        )
        evidence = truth.random_evidence(pick, net)
        check_posteriors(tree_of(net), net, evidence)


@pytest.mark.parametrize("seed", [0, 3])
def test_large_cliques_agree_with_elimination(seed):
    """Cliques of more cells than are ever put into one table."""
    net = dense_net(seed)
    network = made(net)
    tree = JunctionTree(network)
    sizes = {node: len(states) for node, states in net.states.items()}
    assert prod(sizes[n] for n in tree.largest_clique) > 20_000
    rng = np.random.default_rng(seed)
    row = network.sample(1, rng=rng).iloc[0]
    for evidence in (
        {},
        {"N3": row["N3"]},
        {"N3": row["N3"], "N14": {0: 2, 1: 0.5}, "N9": row["N9"]},
    ):
        found = tree.posteriors(evidence)
        for node in found:
            run = eliminate(network, node, evidence)
            assert_allclose(
                run.posterior.values, found.array(node), atol=1e-12
            )
        assert found.evidence_probability == pytest.approx(
            run.evidence_probability, rel=1e-9
        )
        names = [n for n in ("N0", "N15", "N7") if n in found]
        run = eliminate(network, names, evidence)
        assert_allclose(
            tree.joint(names, evidence).values,
            run.posterior.values,
            atol=1e-12,
        )
    rows = network.sample(6, rng=rng).astype(object)
    rows = rows.mask(rng.random(rows.shape) < 0.8)
    batch = tree.batch(rows)
    for i, row in enumerate(rows.to_dict("records")):
        one = tree.posteriors(evidence_of(row))
        assert batch.log_evidence[i] == pytest.approx(one.log_evidence)
        for node in one:
            assert_allclose(batch[node][i], one.array(node), atol=1e-12)


def dense_net(seed):
    """Make causes of three states, and effects that have five each."""
    rng = np.random.default_rng([5, seed])
    causes, effects = (
        [f"N{i}" for i in part] for part in (range(13), range(13, 23))
    )
    states = dict.fromkeys(causes, (0, 1, 2)) | dict.fromkeys(effects, (0, 1))
    parents = dict.fromkeys(causes, ())
    for effect in effects:
        parents[effect] = tuple(str(n) for n in rng.permutation(causes)[:5])
    distributions = {
        node: {
            row: tuple(rng.dirichlet(np.ones(len(states[node]))))
            for row in np.ndindex(*[3] * len(above))
        }
        for node, above in parents.items()
    }
    return truth.Net(states, parents, distributions)


# -- most probable explanations -----------------------------------------------


def test_the_most_probable_is_not_made_of_the_most_probable_states():
    """Koller and Friedman (2009), example 2.3 in spirit."""
    net = truth.Net(
        {"A": (0, 1), "B": (0, 1)},
        {"A": (), "B": ("A",)},
        {
            "A": {(): (Fraction("0.4"), Fraction("0.6"))},
            "B": {
                (0,): (Fraction("0.1"), Fraction("0.9")),
                (1,): (Fraction("0.5"), Fraction("0.5")),
            },
        },
    )
    best = tree_of(net).most_probable()
    assert best.states == {"A": 0, "B": 1}
    assert best.probability == pytest.approx(0.36)
    assert tree_of(net).posteriors().array("A").argmax() == 1


def test_most_probable_says_how_probable():
    network = made(truth.ASIA)
    evidence = {"asia": "yes", "dysp": "yes"}
    best = ASIA.most_probable(evidence)
    p, rows = truth.ASIA.best(evidence)
    assert tuple(best.states.values()) in rows
    assert best.probability == pytest.approx(float(p))
    assert best.log_prob == pytest.approx(
        network.log_prob(dict(best.states))
    ) or best.log_prob == pytest.approx(log(p))
    assert repr(best)
    nothing = ASIA.most_probable()
    assert nothing.probability == pytest.approx(float(truth.ASIA.best({})[0]))


def test_most_probable_of_everything_observed():
    row = dict.fromkeys(truth.ASIA.nodes, "no")
    best = ASIA.most_probable(row)
    assert dict(best.states) == row
    assert best.probability == pytest.approx(1)


def test_ties_have_one_of_the_best():
    half = (Fraction(1, 2), Fraction(1, 2))
    same = {("a",): (1, 0), ("b",): (0, 1)}
    net = truth.chain(8, same, first=half)
    # All a or all b, never a mixture.
    best = tree_of(net).most_probable()
    assert len(set(best.states.values())) == 1
    assert best.probability == pytest.approx(0.5)
    uniform = truth.chain(8, {("a",): half, ("b",): half})
    best = tree_of(uniform).most_probable()
    assert best.probability == pytest.approx(2**-8)


def test_ties_in_random_networks():
    """Distributions of halves and quarters have many rows that are equally likely."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        net = truth.random_net(truth.from_rng(rng), n_nodes=6)
        distributions = {
            node: {
                row: even_distribution(len(distribution), int(rng.integers(3)))
                for row, distribution in distributions.items()
            }
            for node, distributions in net.distributions.items()
        }
        net = truth.Net(net.states, net.parents, distributions)
        evidence = truth.random_evidence(truth.from_rng(rng), net)
        check_most_probable(tree_of(net), net, evidence)


def even_distribution(size, kind):
    if kind == 0 or size == 1:
        return (Fraction(1, size),) * size
    distribution = [Fraction(0)] * size
    if kind == 1:
        distribution[0] = Fraction(1)
    else:
        distribution[0] = distribution[1] = Fraction(1, 2)
    return tuple(distribution)


# -- batches ------------------------------------------------------------------


def random_rows(rng, net, size, share=0.5):
    """Draw rows that can occur, with gaps."""
    possible = [row for row, p in net.joint.items() if p]
    rows = [possible[rng.integers(len(possible))] for _ in range(size)]
    table = pd.DataFrame(rows, columns=net.nodes, dtype=object)
    return table.mask(rng.random(table.shape) < share)


def evidence_of(row):
    return {node: s for node, s in row.items() if not pd.isna(s)}


def indicator(net, node, state):
    return [float(s == state) for s in net.states[node]]


@pytest.mark.parametrize("seed", range(10))
def test_a_batch_agrees_with_the_definition(seed):
    rng = np.random.default_rng([3, seed])
    for part in range(12):
        pick = truth.from_rng(rng)
        net = truth.random_net(pick, n_nodes=7, zeros=part % 4)
        rows = random_rows(rng, net, 6, share=part / 12)
        check_batch(tree_of(net), net, rows)
        # Some of the columns, in another order.
        some = truth.shuffled(pick, net.nodes)[: pick(0, len(net.nodes))]
        check_batch(tree_of(net), net, rows[some])


def check_batch(tree, net, rows):
    found = tree.batch(rows)
    wanted = {
        tuple(evidence_of(row).items()): None
        for row in rows.to_dict("records")
    }
    for known in wanted:
        evidence = dict(known)
        wanted[known] = (
            {
                node: truth.floats(net.distribution(node, evidence))
                for node in net.nodes
            },
            truth.exact_log(net.total(evidence)),
        )
    assert list(found) == list(net.nodes)
    assert found.log_evidence.shape == (len(rows),)
    for i, row in enumerate(rows.to_dict("records")):
        evidence = evidence_of(row)
        distributions, log_p = wanted[tuple(evidence.items())]
        assert found.log_evidence[i] == pytest.approx(log_p, abs=1e-10)
        for node in found:
            # Of an observed node the distribution is a point.
            assert found[node].shape == (len(rows), len(net.states[node]))
            assert_allclose(
                found[node][i], distributions[node], atol=1e-10, rtol=1e-9
            )


@given(truth.nets(n_nodes=5), st.data())
@settings(max_examples=40)
def test_a_batch_by_hypothesis(net, data):
    possible = [row for row, p in net.joint.items() if p]
    rows = data.draw(st.lists(st.sampled_from(possible), max_size=4))
    table = pd.DataFrame(rows, columns=net.nodes, dtype=object)
    gaps = data.draw(
        st.lists(
            st.booleans(),
            min_size=table.size,
            max_size=table.size,
        )
    )
    table = table.mask(np.array(gaps, dtype=bool).reshape(table.shape))
    check_batch(tree_of(net), net, table)


def test_a_batch_is_a_loop_over_rows():
    rng = np.random.default_rng(1)
    rows = made(truth.ASIA).sample(3000, rng=rng).astype(object)
    rows = rows.mask(rng.random(rows.shape) < 0.4)
    found = ASIA.batch(rows)
    for i in (0, 1, 17, 2999, *rng.integers(3000, size=40)):
        evidence = evidence_of(rows.iloc[i].to_dict())
        one = ASIA.posteriors(evidence)
        assert found.log_evidence[i] == pytest.approx(one.log_evidence)
        for node in one:
            assert_allclose(found[node][i], one.array(node), atol=1e-12)
        for node, state in evidence.items():
            point = indicator(truth.ASIA, node, state)
            assert_allclose(found[node][i], point, atol=1e-15)


def test_a_batch_reads_columns_of_any_type():
    rows = pd.DataFrame(
        {"xray": ["yes", None, "no"], "smoke": [None, "no", "yes"]}
    )
    wanted = ASIA.batch(rows)
    others = [
        rows.astype("category"),
        rows.astype("string"),
        rows[["smoke", "xray"]],
        rows.set_index(pd.Index(["x", "x", "y"])),
        rows.fillna(np.nan),
        rows.astype(object).where(rows.notna(), pd.NA),
        rows.assign(xray=pd.Categorical(rows["xray"], ["never", "yes", "no"])),
        rows.assign(lung=None),
        rows.assign(lung=np.nan),
    ]
    for other in others:
        found = ASIA.batch(other)
        assert_allclose(found.log_evidence, wanted.log_evidence)
        for node in wanted:
            assert_allclose(found[node], wanted[node])


def test_a_batch_of_numbers_with_gaps():
    """A column of whole numbers with a gap is one of floats."""
    network = BayesianNetwork.from_cpts(
        {"X": (0, 1), "Y": (0, 1)},
        {"X": [0.25, 0.75], ("Y", "X"): [[0.5, 0.5], [0.0, 1.0]]},
    )
    tree = JunctionTree(network)
    rows = pd.DataFrame({"Y": [0, 1, None]})
    assert rows["Y"].dtype == float
    found = tree.batch(rows)["X"]
    assert_allclose(found, [[1, 0], [1 / 7, 6 / 7], [0.25, 0.75]])
    rows["Y"] = rows["Y"].astype("Int64")
    assert_allclose(tree.batch(rows)["X"], found)


def test_a_batch_without_rows_or_without_columns():
    empty = ASIA.batch(pd.DataFrame({"xray": pd.Series([], dtype=object)}))
    assert empty.log_evidence.shape == (0,)
    assert empty["lung"].shape == (0, 2)
    nothing = ASIA.batch(pd.DataFrame(index=range(3)))
    assert_allclose(nothing.log_evidence, 0, atol=1e-12)
    assert_allclose(nothing["lung"], [[0.055, 0.945]] * 3)


def test_a_batch_names_the_impossible_row():
    rows = pd.DataFrame(
        {
            "either": ["yes", None, "yes", "no", "no"],
            "lung": ["yes", "yes", None, "yes", "yes"],
            "dysp": ["yes", "yes", "no", "no", "no"],
        }
    )
    with pytest.raises(ZeroProbabilityError) as raised:
        ASIA.batch(rows)
    message = str(raised.value)
    assert "ow 3" in message
    assert "either=no" in message
    assert "lung=yes" in message
    assert_allclose(ASIA.batch(rows.iloc[:3])["lung"][:2], [[1, 0]] * 2)


def test_the_answers_of_a_batch():
    rows = pd.DataFrame({"xray": ["yes", None]})
    found = ASIA.batch(rows)
    assert "lung" in found
    assert "lnug" not in found
    assert len(found) == 8
    assert_array_equal(found.get("lung"), found["lung"])
    assert ["lung"] not in found
    assert found.get("lnug", 5) == found.get(["lung"], 5) == 5
    for ask in (found.__getitem__, found.to_frame):
        with pytest.raises(ProbabilityError, match=r"'lnug'.*'lung'\?"):
            ask("lnug")
        with pytest.raises(ProbabilityError, match=r"posterior of \['lung'\]"):
            ask(["lung"])
    frame = found.to_frame("lung")
    assert list(frame.columns) == ["yes", "no"]
    assert frame.columns.name == "lung"
    assert_array_equal(frame.to_numpy(), found["lung"])
    # Nobody can change what the next one reads.
    try:
        found["lung"][:] = 7
        found.log_evidence[:] = 7
    except ValueError as error:
        assert "read-only" in str(error)  # noqa: PT017
    assert_allclose(found["lung"].sum(axis=1), 1)
    assert (found.log_evidence <= 1e-12).all()


def test_rows_that_cannot_be_read():
    rows = pd.DataFrame({"xray": ["yes", "yess"], "lung": ["no", None]})
    with pytest.raises(
        ProbabilityError, match=r"(?s)xray.*'yess'.*'yes'\?"
    ) as raised:
        ASIA.batch(rows)
    assert "ow 1" in str(raised.value)
    with pytest.raises(ProbabilityError, match=r"'xrai'.*'xray'\?"):
        ASIA.batch(rows.rename(columns={"xray": "xrai"}))
    with pytest.raises(ProbabilityError, match="'lung'"):
        ASIA.batch(pd.DataFrame([["no", "no"]], columns=["lung", "lung"]))
    with pytest.raises(ProbabilityError, match="xray"):
        ASIA.batch(pd.DataFrame({"xray": [True]}))
    with pytest.raises(ProbabilityError, match="xray"):
        ASIA.batch(pd.DataFrame({"xray": [["yes"]]}))
    for wrong in (None, 3, "xray", [["yes"]], rows["lung"], {"xray": "yes"}):
        with pytest.raises(ProbabilityError):
            ASIA.batch(wrong)


def test_a_large_batch_is_bounded_in_memory():
    """The rows are not all multiplied at the same time."""
    rng = np.random.default_rng(0)
    net = random_net(8, n_nodes=7)
    tree = tree_of(net)
    tree.batch(random_rows(rng, net, 10))
    rows = random_rows(rng, net, 2000)
    rows = pd.concat([rows] * 50, ignore_index=True)
    for column in rows:
        rows[column] = rows[column].astype("category")
    tracemalloc.start()
    try:
        found = tree.batch(rows)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.log_evidence.shape == (100_000,)
    answers = 8 * len(rows) * sum(map(len, net.states.values()))
    assert peak < 8 * answers + 300e6


def test_a_batch_keeps_the_marginals_only():
    """Of each row the distributions of the nodes, not those of the separators."""
    net = truth.grid(9)
    tree = tree_of(net)
    rng = np.random.default_rng(0)
    rows = made(net).sample(1500, rng=rng)[
        ["G0.0", "G4.4", *(f"G8.{j}" for j in range(9))]
    ]
    rows = rows.astype(object)
    rows = rows.mask(rng.random(rows.shape) < 0.3)
    tree.batch(rows.iloc[:3])
    tracemalloc.start()
    try:
        found = tree.batch(rows)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    answers = 8 * 2 * 81 * len(rows)
    assert len(found) == 81
    # The arrays of a run are kept for the next one.
    assert kept < 3 * answers + 40e6
    assert peak < 6 * answers + 80e6


# -- numbers below all floats -------------------------------------------------

TINY = Fraction(1, 10**200)


@pytest.mark.parametrize("length", [10, 2000])
def test_a_chain_all_of_whose_nodes_are_observed(length):
    """The product is 10^-400000; its logarithm is a number like another."""
    net = truth.chain(
        length, {("a",): (TINY, 1 - TINY), ("b",): (1 - TINY, TINY)}
    )
    tree = tree_of(net)
    row = dict.fromkeys(net.nodes, "a")
    wanted = -200 * length * log(10)
    assert tree.log_evidence(row) == pytest.approx(wanted)
    assert tree.evidence_probability(row) == pytest.approx(0, abs=1e-300)
    best = tree.most_probable(row)
    assert dict(best.states) == row
    assert best.probability == pytest.approx(1)
    middle = net.nodes[length // 2]
    del row[middle]
    # a, ?, a: of one step from a to a and two between the states.
    found = tree.posteriors(row)
    p = TINY**2 / (TINY**2 + (1 - TINY) ** 2)
    assert found.array(middle) == pytest.approx([float(p), 1], abs=1e-15)
    assert found.log_evidence == pytest.approx(-200 * (length - 2) * log(10))
    assert found.evidence_probability == pytest.approx(0, abs=1e-300)
    batch = tree.batch(pd.DataFrame([row, row | {middle: "a"}]))
    assert_allclose(
        batch.log_evidence, [-200 * (length - 2) * log(10), wanted]
    )
    assert_allclose(batch[middle][0], [float(p), 1], atol=1e-15)
    run = eliminate(made(net), middle, row)
    assert_allclose(run.posterior.values, [float(p), 1], atol=1e-15)


def star(n_leaves, distributions):
    """Make a class with many effects, of which the distributions take turns."""
    leaves = [f"L{i}" for i in range(n_leaves)]
    return truth.Net(
        {"class": ("a", "b"), **dict.fromkeys(leaves, (0, 1))},
        {"class": (), **dict.fromkeys(leaves, ("class",))},
        {
            "class": {(): (Fraction(1, 4), Fraction(3, 4))},
            **{leaf: distributions(i) for i, leaf in enumerate(leaves)},
        },
    )


def turn(p, q):
    return {("a",): (p, 1 - p), ("b",): (q, 1 - q)}


@pytest.mark.parametrize("tiny", [Fraction(1, 1000), TINY])
def test_a_class_with_a_thousand_observed_effects(tiny):
    """Each message is a number of its own; their product is below floats."""
    net = star(
        1000, lambda i: turn(tiny, 3 * tiny) if i % 2 else turn(3 * tiny, tiny)
    )
    tree = tree_of(net)
    row = dict.fromkeys(net.nodes[1:], 0)
    found = tree.posteriors(row)
    assert_allclose(found.array("class"), [0.25, 0.75], rtol=1e-9)
    wanted = 1000 * log(tiny) + 500 * log(3)
    assert found.log_evidence == pytest.approx(wanted)
    best = tree.most_probable(row)
    assert best.states["class"] == "b"
    assert best.probability == pytest.approx(0.75)
    batch = tree.batch(pd.DataFrame([row, {**row, "L1": 1}]))
    assert_allclose(batch["class"][0], [0.25, 0.75], rtol=1e-9)
    assert batch.log_evidence[0] == pytest.approx(wanted)
    other = float((3 - 3 * tiny) * 1 / ((1 - 3 * tiny) * 3))
    odds = batch["class"][1, 0] / batch["class"][1, 1]
    # L1 = 1 instead of 0: (1 - tiny) / (1 - 3 tiny) instead of 1 / 3.
    assert odds == pytest.approx(other)
    run = eliminate(made(net), "class", row)
    assert_allclose(run.posterior.values, [0.25, 0.75], rtol=1e-9)


def test_effects_that_first_favour_one_class_and_then_the_other():
    """The partial products leave the range of floats, and come back."""
    p, q = Fraction(1, 10), Fraction(9, 10)
    net = star(2000, lambda i: turn(p, q) if i < 1000 else turn(q, p))
    row = dict.fromkeys(net.nodes[1:], 0)
    tree = tree_of(net)
    found = tree.posteriors(row)
    assert_allclose(found.array("class"), [0.25, 0.75], rtol=1e-9)
    wanted = 1000 * log(p * q)
    assert found.log_evidence == pytest.approx(wanted)
    batch = tree.batch(pd.DataFrame([row]))
    assert_allclose(batch["class"][0], [0.25, 0.75], rtol=1e-9)


@pytest.mark.parametrize(
    ("k", "exponent"), [(3, 150), (20, 60), (20, 15), (200, 5), (600, 1)]
)
def test_effects_along_a_chain_that_turn(k, exponent):
    """No message is small, but a state is lost that comes back in the end."""
    high, low = Fraction(1, 2), Fraction(1, 10**exponent)
    hidden = [f"C{i}" for i in range(2 * k)]
    shown = [f"E{i}" for i in range(2 * k)]
    copied = {("a",): (1, 0), ("b",): (0, 1)}
    net = truth.Net(
        dict.fromkeys(hidden, ("a", "b")) | dict.fromkeys(shown, (0, 1)),
        {
            **{
                n: tuple(hidden[max(i - 1, 0) : i])
                for i, n in enumerate(hidden)
            },
            **{n: (above,) for n, above in zip(shown, hidden, strict=True)},
        },
        {
            **dict.fromkeys(hidden, copied),
            "C0": {(): (Fraction(1, 4), Fraction(3, 4))},
            **{
                n: turn(high, low) if i < k else turn(low, high)
                for i, n in enumerate(shown)
            },
        },
    )
    tree = tree_of(net)
    row = dict.fromkeys(shown, 0)
    found = tree.posteriors(row)
    batch = tree.batch(pd.DataFrame([row, row | {"E0": None}, row]))
    wanted = k * log(high * low)
    assert found.log_evidence == pytest.approx(wanted)
    assert batch.log_evidence[2] == pytest.approx(wanted)
    for node in ("C0", hidden[k], hidden[-1]):
        assert_allclose(found.array(node), [0.25, 0.75], rtol=1e-9)
        assert_allclose(batch[node][0], [0.25, 0.75], rtol=1e-9)
    # Without the first effect b is more probable by what it says for a.
    odds = batch["C0"][1, 1] / batch["C0"][1, 0]
    assert batch["C0"][1].sum() == pytest.approx(1)
    assert odds == pytest.approx(3 * float(high / low), rel=1e-6)
    assert tree.most_probable(row).states["C0"] == "b"
    assert tree.joint(["C0", hidden[-1]], row).values[1, 1] == pytest.approx(
        0.75
    )


@pytest.mark.parametrize("exponent", [100, 200, 299, 301, 305, 307])
def test_what_was_next_to_impossible_is_certain_now(exponent):
    """The way back divides by a message that is nearly zero."""
    tiny = Fraction(1, 10**exponent)
    rare = {(s,): (1 - tiny, tiny) for s in ("a", "b")}
    copied = {("a",): (Fraction(1), Fraction(0)), ("b",): (0, 1)}
    slow = {
        ("a",): (Fraction("0.9"), Fraction("0.1")),
        ("b",): (Fraction("0.2"), Fraction("0.8")),
    }
    names = [f"C{i}" for i in range(8)]
    first = (Fraction(1, 4), Fraction(3, 4))
    for k in range(2, 7):
        # Slow until C(k); C(k) is b with next to no probability; then slow
        # or copied to the end, which is observed.
        for rest in (copied, slow):
            distributions = {
                name: rare if i == k else slow if i < k else rest
                for i, name in enumerate(names)
            }
            distributions["C0"] = {(): first}
            net = truth.Net(
                dict.fromkeys(names, ("a", "b")),
                {
                    n: tuple(names[max(i - 1, 0) : i])
                    for i, n in enumerate(names)
                },
                distributions,
            )
            tree = tree_of(net)
            for evidence in (
                {"C7": "b"},
                {"C6": "b", "C7": {"a": Fraction(0), "b": Fraction(1)}},
                {names[k]: "b"},
                {names[k]: {"a": Fraction(0), "b": Fraction(1)}},
            ):
                check_small(tree, net, evidence)


def check_small(tree, net, evidence):
    found = tree.posteriors(truth.readable(evidence))
    for node, distribution in net.distributions_of_all(evidence).items():
        assert_allclose(
            found.array(node), truth.floats(distribution), atol=1e-12, rtol=0
        )
    assert found.log_evidence == pytest.approx(
        truth.exact_log(net.total(evidence))
    )
    check_most_probable(tree, net, evidence)


@given(st.data())
@settings(max_examples=150)
def test_probabilities_of_every_size(data):
    """Random networks whose numbers are from 1 down to 1e-300."""
    pick = truth.from_hypothesis(data.draw)
    net = truth.random_net(pick, n_nodes=6)
    net = truth.with_uneven_distributions(pick, net)
    row = data.draw(st.sampled_from([r for r, p in net.joint.items() if p]))
    evidence = {
        node: state
        for node, state in zip(net.nodes, row, strict=True)
        if pick(0, 1)
    }
    tree = tree_of(net)
    check_small(tree, net, evidence)
    batch = tree.batch(
        pd.DataFrame([evidence, {}], columns=list(evidence), dtype=object)
    )
    assert batch.log_evidence[0] == pytest.approx(
        truth.exact_log(net.total(evidence)), abs=1e-9
    )
    for node, distribution in net.distributions_of_all(evidence).items():
        assert_allclose(
            batch[node][0], truth.floats(distribution), atol=1e-12, rtol=0
        )


def test_soft_evidence_of_any_size():
    for scale in (1e-300, 1e-150, 1e150, 1e300):
        soft = {
            node: {"yes": 2 * scale, "no": scale} for node in truth.ASIA.nodes
        }
        found = ASIA.posteriors(soft)
        unit = {node: {"yes": 2, "no": 1} for node in truth.ASIA.nodes}
        wanted = truth.ASIA.distributions_of_all(unit)
        for node, distribution in wanted.items():
            assert_allclose(
                found.array(node), truth.floats(distribution), rtol=1e-9
            )
        assert found.log_evidence == pytest.approx(
            truth.exact_log(truth.ASIA.total(unit)) + 8 * log(scale)
        )
        best = ASIA.most_probable(soft)
        assert tuple(best.states.values()) in truth.ASIA.best(unit)[1]


def test_posteriors_of_a_long_chain_without_evidence():
    stay = Fraction("0.999")
    net = truth.chain(
        2000,
        {("a",): (stay, 1 - stay), ("b",): (1 - stay, stay)},
        first=(Fraction(1), Fraction(0)),
    )
    tree = tree_of(net)
    found = tree.posteriors()
    for k in (0, 1, 500, 1999):
        p = (1 + float(2 * stay - 1) ** k) / 2
        assert found.array(f"C{k}") == pytest.approx([p, 1 - p])
    best = tree.most_probable()
    assert set(best.states.values()) == {"a"}
    assert best.log_prob == pytest.approx(1999 * log(stay))
    ends = tree.joint(["C0", "C1999"], {"C1000": "b"}).values
    p = (1 + float(2 * stay - 1) ** 999) / 2
    assert_allclose(ends, [[1 - p, p], [0, 0]], rtol=1e-9)


# -- the tree -----------------------------------------------------------------


def check_tree(tree, net):
    cliques = [set(clique) for clique in tree.cliques]
    graph = moral(net)
    assert isinstance(tree.cliques, tuple)
    assert all(isinstance(clique, tuple) for clique in tree.cliques)
    assert all(len(set(c)) == len(c) for c in tree.cliques)
    # Every family stands in a clique.
    for node in net.nodes:
        family = {node, *net.parents[node]}
        assert any(family <= clique for clique in cliques)
    # The triangulated graph is chordal, and these are its maximal cliques.
    filled = nx.Graph(graph)
    for clique in cliques:
        filled.add_edges_from(combinations(sorted(clique), 2))
    assert nx.is_chordal(filled)
    maximal = set(map(frozenset, nx.find_cliques(filled)))
    assert set(map(frozenset, cliques)) == maximal
    assert len(cliques) == len(maximal)
    # The tree.
    assert sorted(tree.tree) == list(range(len(cliques)))
    assert nx.is_forest(tree.tree)
    assert nx.number_connected_components(
        tree.tree
    ) <= nx.number_connected_components(graph)
    for a, b, edge in tree.tree.edges(data=True):
        assert set(edge["separator"]) == cliques[a] & cliques[b]
    # Running intersection.
    for node in net.nodes:
        holding = [i for i, clique in enumerate(cliques) if node in clique]
        assert nx.is_connected(tree.tree.subgraph(holding))
    # The costs.
    sizes = {node: len(states) for node, states in net.states.items()}
    cells = [prod(sizes[n] for n in clique) for clique in cliques]
    assert tree.n_cells >= sum(cells)
    separators = [
        prod(sizes[n] for n in edge["separator"])
        for *_, edge in tree.tree.edges(data=True)
    ]
    assert tree.n_cells in (sum(cells), sum(cells) + sum(separators))
    assert tree.n_bytes >= 8 * tree.n_cells
    assert tree.width == max(map(len, cliques)) - 1
    largest = set(tree.largest_clique)
    assert largest in cliques
    assert prod(sizes[n] for n in largest) == max(cells)
    return filled


@given(truth.nets(n_nodes=8, n_states=3))
def test_is_a_junction_tree(net):
    check_tree(tree_of(net), net)


def test_is_a_junction_tree_of_larger_networks():
    for seed in range(12):
        net = sparse_net(40, seed)
        check_tree(tree_of(net), net)
    check_tree(ASIA, truth.ASIA)
    check_tree(tree_of(truth.grid(7)), truth.grid(7))


def sparse_net(n_nodes, seed, n_parents=2, near=8):
    """Make a network whose nodes hang on some that are near."""
    rng = np.random.default_rng([n_nodes, seed])
    names = [f"N{i}" for i in range(n_nodes)]
    states = {n: tuple(range(int(rng.integers(2, 4)))) for n in names}
    parents, distributions = {}, {}
    for i, name in enumerate(names):
        before = names[max(0, i - near) : i]
        k = min(int(rng.integers(n_parents + 1)), len(before))
        above = tuple(str(n) for n in rng.permutation(before)[:k])
        parents[name] = above
        shape = [len(states[n]) for n in above]
        distributions[name] = {
            tuple(states[n][s] for n, s in zip(above, at, strict=True)): tuple(
                rng.dirichlet(np.ones(len(states[name])))
            )
            for at in np.ndindex(*shape)
        }
    return truth.Net(states, parents, distributions)


@cache
def treewidth(edges, nodes):
    """Find the treewidth: the best order of all, by sets of nodes.

    Bodlaender et al. (2012): what is eliminated first costs the number of
    nodes that it reaches through those eliminated before.
    """
    graph = nx.Graph(edges)
    graph.add_nodes_from(nodes)
    best = {frozenset(): -1}
    for size in range(1, len(nodes) + 1):
        for chosen in map(frozenset, combinations(nodes, size)):
            best[chosen] = min(
                max(best[chosen - {v}], reached(graph, chosen - {v}, v))
                for v in chosen
            )
    return best[frozenset(nodes)]


def reached(graph, through, start):
    seen, waiting, found = {start}, [start], set()
    while waiting:
        for node in graph[waiting.pop()]:
            if node not in seen:
                seen.add(node)
                if node in through:
                    waiting.append(node)
                else:
                    found.add(node)
    return len(found)


def binary(net):
    """Give all nodes two states, so that cells and widths agree."""
    distributions = {
        node: {
            (0,) * 0 if not above else row: (Fraction(1, 2),) * 2
            for row in np.ndindex(*[2] * len(above))
        }
        for node, above in net.parents.items()
    }
    return truth.Net(
        dict.fromkeys(net.nodes, (0, 1)), net.parents, distributions
    )


def test_the_width_is_near_the_treewidth():
    """Never below it, which would be wrong; and seldom above."""
    ours = []
    for seed in range(60):
        net = binary(random_net([1, seed], n_nodes=8, n_states=1))
        graph = moral(net)
        least = treewidth(tuple(graph.edges), tuple(net.nodes))
        width = tree_of(net).width
        assert width >= least
        ours.append(width - least)
    assert sum(ours) <= 2


def test_the_width_is_as_good_as_that_of_networkx():
    ours, fill, degree = 0, 0, 0
    for seed in range(25):
        net = binary(sparse_net(40, seed, n_parents=3, near=12))
        ours += tree_of(net).width
        fill += treewidth_min_fill_in(moral(net))[0]
        degree += treewidth_min_degree(moral(net))[0]
    assert ours <= min(fill, degree)


def test_a_tree_has_width_one_and_asia_two():
    half = (Fraction(1, 2),) * 2
    chain = truth.chain(50, {("a",): half, ("b",): half})
    tree = tree_of(chain)
    assert tree.width == 1
    assert len(tree.cliques) == 49
    # Lauritzen and Spiegelhalter (1988): six cliques of at most three.
    assert ASIA.width == 2
    assert len(ASIA.cliques) == 6
    assert Counter(map(len, ASIA.cliques)) == {2: 2, 3: 4}


def test_a_single_node():
    tree = JunctionTree(BayesianNetwork([Table([0.25, 0.75], COIN)]))
    assert tree.cliques == (("coin",),)
    assert tree.width == 0
    assert tree.n_cells == 2
    assert tree.posteriors().array("coin") == pytest.approx([0.25, 0.75])
    assert tree.posteriors({"coin": "tails"}).log_evidence == pytest.approx(
        log(0.75)
    )
    assert dict(tree.posteriors({"coin": "tails"})) == {}
    assert tree.most_probable().states == {"coin": "tails"}
    batch = tree.batch(pd.DataFrame({"coin": ["heads", None]}))
    assert_allclose(batch["coin"], [[1, 0], [0.25, 0.75]])
    assert_allclose(batch.log_evidence, [log(0.25), 0], atol=1e-15)


def test_a_forest():
    net = truth.Net(
        {"A": (0, 1), "B": (0, 1), "C": (0, 1, 2)},
        {"A": (), "B": ("A",), "C": ()},
        {
            "A": {(): (Fraction(1, 4), Fraction(3, 4))},
            "B": {(0,): (1, 0), (1,): (Fraction(1, 2),) * 2},
            "C": {(): (Fraction(1, 6), Fraction(2, 6), Fraction(3, 6))},
        },
    )
    tree = tree_of(net)
    check_tree(tree, net)
    for evidence in ({}, {"B": 1}, {"C": 2}, {"B": 1, "C": 2}):
        check_posteriors(tree, net, evidence)
        check_most_probable(tree, net, evidence)
    found = tree.joint(["C", "A"], {"B": 1})
    assert_allclose(
        found.values, truth.floats(net.distribution(["C", "A"], {"B": 1}))
    )


# -- the costs are known before -----------------------------------------------


def test_a_huge_grid_is_refused_before_anything_is_allocated():
    """Its width is at least 30: a clique has 2^31 cells or more."""
    network = made(truth.grid(30))
    tree = JunctionTree(network)
    assert tree.width >= 30
    assert tree.n_bytes >= 8 * tree.n_cells > 2**34
    with pytest.raises(TableTooLargeError) as raised:
        tree.posteriors()
    assert "likelihood_weighting" in str(raised.value)
    assert f"{tree.width + 1} nodes" in str(raised.value)
    # With every third row and column known, little is left to do.
    known = {
        node: "0"
        for node in network
        if any(int(place) % 3 == 1 for place in node[1:].split("."))
    }
    assert len(tree.posteriors(known)) == 900 - len(known) == 400


def test_a_hopeless_tree_is_not_searched_for(monkeypatch):
    """Every other attempt would take as long, for a tree as hopeless."""
    attempts = []

    def counted(*given):
        attempts.append(given)
        return eliminate_nodes(*given)

    monkeypatch.setattr(triangulation, "eliminate_nodes", counted)
    hopeless = tree_of(sparse_net(200, 0, n_parents=4, near=200))
    assert hopeless.n_cells > 1e12
    assert len(attempts) == 1
    large = tree_of(truth.grid(12))
    assert 1e12 > large.n_cells > 50_000
    assert len(attempts) > 2


def test_every_question_that_is_too_large_is_refused():
    network = made(truth.grid(11))
    tree = JunctionTree(network, max_bytes=2**15)
    assert tree.n_bytes > 2**18
    tracemalloc.start()
    try:
        for ask in (
            tree.posteriors,
            tree.most_probable,
            lambda: tree.joint("G0.0"),
            lambda: tree.log_evidence({"G10.10": "1"}),
            lambda: tree.batch(pd.DataFrame({"G10.10": ["1", None]})),
            lambda: eliminate(
                network, "G0.0", {"G10.10": "0"}, max_bytes=2**15
            ),
        ):
            with pytest.raises(TableTooLargeError, match="gibbs"):
                ask()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10e6


def test_enumeration_refuses_what_would_take_for_ever():
    network = made(truth.grid(10))
    with pytest.raises(
        TableTooLargeError,
        match=r"There are 6\.34e\+29 combinations of states, and enumeration "
        "stops at two million: use eliminate, or a JunctionTree",
    ):
        enumerate_posterior(network, "G0.0", {"G9.9": "0"})


def test_more_cells_than_there_are_floats():
    """2**1100 is refused like any number that is too large."""
    nodes = [f"x{i}" for i in range(110)]
    network = BayesianNetwork.from_cpts(
        dict.fromkeys(nodes, range(1024)),
        dict.fromkeys(nodes, np.full(1024, 2.0**-10)),
    )
    for ask in (
        network.to_table,
        lambda: enumerate_posterior(network, "x0"),
        lambda: eliminate(network, nodes),
        lambda: JunctionTree(network).joint(nodes),
    ):
        with pytest.raises(TableTooLargeError, match=r"1e\+331 [ce]"):
            ask()


def test_the_limit_can_be_set():
    need = ASIA.n_bytes
    network = made(truth.ASIA)
    tree = JunctionTree(network, max_bytes=need)
    assert tree.n_bytes == need
    assert tree.posteriors().array("tub")[0] == pytest.approx(0.0104)
    for limit in (need - 1, 1):
        tight = JunctionTree(network, max_bytes=limit)
        assert tight.n_bytes == need
        with pytest.raises(TableTooLargeError):
            tight.posteriors()
    with pytest.raises(TableTooLargeError):
        eliminate(network, "lung", {"dysp": "yes"}, max_bytes=60)
    run = eliminate(network, "lung", {"dysp": "yes"}, max_bytes=64)
    assert run.largest == 8


@pytest.mark.parametrize("wrong", [-1, 0, "much", None, float("nan"), [9]])
def test_limits_that_are_none(wrong):
    asia, limit = made(truth.ASIA), {"max_bytes": wrong}
    for ask in (
        lambda: JunctionTree(asia, **limit),
        lambda: eliminate(asia, "lung", **limit),
        lambda: asia.to_table(**limit),
        lambda: asia.tables["lung"].multiply(asia.tables["asia"], **limit),
        lambda: chain_rule(asia.tables.values(), **limit),
    ):
        with pytest.raises(ProbabilityError, match="max_bytes is"):
            ask()


def test_a_limit_need_not_be_a_whole_number():
    asia = made(truth.ASIA)
    assert eliminate(asia, "xray", max_bytes=2**30 / 100).largest == 8
    with pytest.raises(TableTooLargeError):
        eliminate(asia, "xray", max_bytes=63.9)


def test_the_stated_bytes_bound_what_is_allocated():
    net = truth.grid(11)
    network = made(net)
    tree = JunctionTree(network)
    assert tree.n_bytes > 8 * 2**11
    tracemalloc.start()
    try:
        JunctionTree(network).posteriors({"G0.0": "1"})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Besides them: names, plans, answers.
    assert peak < 3 * tree.n_bytes + 20e6


def test_a_network_with_one_wide_family():
    """Eleven parents: a clique of twelve that no order avoids."""
    names = [f"P{i}" for i in range(11)]
    rng = np.random.default_rng(0)
    distributions = {
        row: (Fraction(p), 1 - Fraction(p))
        for row, p in zip(
            np.ndindex(*[2] * 11), rng.random(2**11).tolist(), strict=True
        )
    }
    net = truth.Net(
        dict.fromkeys([*names, "C"], (0, 1)),
        {**dict.fromkeys(names, ()), "C": tuple(names)},
        {
            **{name: {(): (Fraction(1, 2),) * 2} for name in names},
            "C": distributions,
        },
    )
    tree = tree_of(net)
    assert tree.cliques == (tree.cliques[0],)
    assert tree.n_cells == 2**12
    p = np.mean(
        [float(distribution[1]) for distribution in distributions.values()]
    )
    assert tree.posteriors().array("C")[1] == pytest.approx(p)
    assert tree.evidence_probability({"C": 1}) == pytest.approx(p)


# -- what cannot be asked -----------------------------------------------------


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"xrai": "yes"}, r"'xrai'.*'xray'\?"),
        ({"xray": "yess"}, r"'yess'.*'xray'.*'yes'\?"),
        ({"xray": None}, r"xray"),
        ({"xray": ["yes"]}, r"xray"),
        ("xray", r"xray"),
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
    assert "lung" not in found
    with pytest.raises(ProbabilityError, match="'lung' is observed"):
        found["lung"]
    assert found.get("lung") is None
    assert found.get("lung", 5) == 5
    with pytest.raises(ProbabilityError, match="'lnug'"):
        found["lnug"]
    with pytest.raises(ProbabilityError, match="'lnug'"):
        found.array("lnug")
    with pytest.raises(ProbabilityError, match="'lung'"):
        ASIA.joint(["lung"], {"lung": "yes"})


# -- what is given back -------------------------------------------------------


def test_posteriors_are_a_mapping_of_tables():
    evidence = {"xray": "yes", "dysp": {"yes": 3, "no": 1}}
    found = ASIA.posteriors(evidence)
    assert list(found) == [n for n in truth.ASIA.nodes if n != "xray"]
    assert len(found) == 7
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
    assert len(frame) == 14
    numbers = frame.select_dtypes("number")
    assert numbers.to_numpy().sum() == pytest.approx(7)
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


# -- larger networks, against another way -------------------------------------


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
    for node in rng.permutation(list(found))[:12]:
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
    for node in rng.permutation(list(some))[:5]:
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
