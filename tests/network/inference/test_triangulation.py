"""Junction trees against networkx, and what they cost."""

import tracemalloc
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import log, prod

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from junction_tree_checks import (
    ASIA,
    COIN,
    check_most_probable,
    check_posteriors,
    check_tree,
    made,
    moral,
    random_net,
    sparse_net,
    tree_of,
)
from networkx.algorithms.approximation import (
    treewidth_min_degree,
    treewidth_min_fill_in,
)
from numpy.testing import assert_allclose

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.graphs import chain_rule
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    elimination_order,
    enumerate_posterior,
    load_network,
)
from bayesbook.network.inference.triangulation import triangulate
from bayesbook.probability import Table

# -- the tree ----------------------------------------------------------


@given(truth.nets(n_nodes=8, n_states=3))
def test_is_a_junction_tree(net):
    check_tree(tree_of(net), net)


def test_is_a_junction_tree_of_larger_networks():
    for seed in range(12):
        net = sparse_net(40, seed)
        check_tree(tree_of(net), net)
    check_tree(ASIA, truth.ASIA)
    check_tree(tree_of(truth.grid(7)), truth.grid(7))


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
    """Make all nodes binary, so that cells and widths agree."""
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
    known = tree.posteriors({"coin": "tails"})
    assert known.array("coin").tolist() == [0, 1]
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


# -- the costs are known before ----------------------------------------


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
    assert 900 - len(known) == 400
    assert len(tree.posteriors(known)) == 900


def test_of_two_heuristics_the_better_one_is_taken():
    """For munin1 least weight halves what least fill-in needs."""
    network = load_network("munin1")
    sizes = {node: len(states) for node, states in network.states.items()}
    scopes = [table.variables for table in network.tables.values()]
    assert triangulate(scopes, sizes).n_cells < 2e8
    order = elimination_order(network, heuristic="min-fill")
    assert cells_of_order(scopes, sizes, order) > 4e8


def cells_of_order(scopes, sizes, order):
    """Add the cells of the products of an elimination."""
    total, scopes = 0, [{*scope} for scope in scopes]
    for node in order:
        clique = {node}.union(*(scope for scope in scopes if node in scope))
        scopes = [scope for scope in scopes if node not in scope]
        scopes.append(clique - {node})
        total += prod(sizes[name] for name in clique)
    return total


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
