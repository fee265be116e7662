"""Variable elimination: its steps, its orders, its memory."""

import tracemalloc
from fractions import Fraction
from itertools import combinations
from math import prod

import network_truth as truth
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inference_engines import HEURISTICS, made, queries
from numpy.testing import assert_allclose, assert_array_equal

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.graphs import d_separated
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    elimination_order,
    enumerate_posterior,
)
from bayesbook.probability import Table

# -- the steps of an elimination ---------------------------------------


def relevant(net, query, evidence):
    """Find the nodes that are to be eliminated: by networkx, no other way.

    Neither barren (no ancestor of the query or of evidence), nor
    d-separated from the query. Soft evidence is an observed child.
    """
    graph = truth.digraph(net)
    fixed = set(truth.hard(evidence))
    given_ = set(fixed)
    for node in set(evidence) - fixed:
        graph.add_edge(node, ("report", node))
        given_.add(("report", node))
    kept = set(query) | given_
    kept |= {a for node in kept for a in nx.ancestors(graph, node)}
    return {
        node
        for node in set(net.nodes) & kept - fixed - set(query)
        if not nx.is_d_separator(graph, {node}, set(query), given_)
    }


@given(truth.nets_and_evidence(n_nodes=8, n_states=2), st.data())
@settings(max_examples=150)
def test_eliminates_only_what_matters(example, data):
    net, evidence = example
    network = made(net)
    for query in queries(truth.from_hypothesis(data.draw), net, evidence):
        run = eliminate(network, query, evidence)
        assert set(run.order) <= relevant(net, query, evidence)
        assert len(set(run.order)) == len(run.order)
        assert tuple(step.variable for step in run.steps) == run.order
        # The library's own d-separation says the same, for hard evidence.
        if evidence == truth.hard(evidence):
            for node in run.order:
                assert not d_separated(
                    network.graph, node, query, tuple(evidence)
                )


def test_barren_and_separated_nodes_never_appear():
    asia = made(truth.ASIA)
    assert eliminate(asia, "asia").order == ()
    assert eliminate(asia, "tub").order == ("asia",)
    assert set(eliminate(asia, "lung", {"smoke": "yes"}).order) == set()
    assert set(eliminate(asia, "xray", {"either": "no"}).order) == set()
    run = eliminate(asia, "bronc", {"smoke": "yes", "xray": "no"})
    assert run.order == ()
    assert run.evidence_probability == asia.to_table().P(
        {"smoke": "yes", "xray": "no"}
    )
    # An observed effect joins its causes.
    run = eliminate(asia, "bronc", {"smoke": "yes", "dysp": "no"})
    assert set(run.order) == {"asia", "tub", "lung", "either"}


@given(truth.nets_and_evidence(n_nodes=7, n_states=3), st.data())
@settings(max_examples=150)
def test_the_sizes_of_the_steps(example, data):
    """Play the elimination with sets of names alone."""
    net, evidence = example
    network = made(net)
    pick = truth.from_hypothesis(data.draw)
    for query in queries(pick, net, evidence):
        default = eliminate(network, query, evidence)
        order = tuple(truth.shuffled(pick, default.order))
        run = eliminate(network, query, evidence, order=order)
        assert run.order == order
        assert_array_equal(
            run.posterior.values, net.distribution(query, evidence)
        )
        assert run.evidence_probability == net.total(evidence)
        for one in (default, run):
            check_steps(net, query, evidence, one)


def check_steps(net, query, evidence, run):
    fixed = truth.hard(evidence)
    nodes = set(run.order) | set(query) | set(evidence)
    scopes = [
        {node, *net.parents[node]} - set(fixed)
        for node in net.nodes
        if {node, *net.parents[node]} - set(fixed) <= nodes
    ]
    for step in run.steps:
        touched = [scope for scope in scopes if step.variable in scope]
        union = set().union(*touched)
        assert set(step.scope) | {step.variable} == union
        assert step.n_cells == prod(len(net.states[n]) for n in union)
        assert step.multiplied
        scopes = [s for s in scopes if step.variable not in s]
        scopes.append(union - {step.variable})
    if run.steps:
        most = max(step.n_cells for step in run.steps)
        largest = run.largest
        assert getattr(largest, "n_cells", largest) == most


def test_prints_as_a_table():
    run = eliminate(made(truth.ASIA), "lung", {"dysp": "yes"})
    shown = str(run)
    for step in run.steps:
        assert f"{step.variable}: {step.n_cells} cells" in shown
        for title in step.multiplied:
            assert title in shown
    assert "P(lung | dysp=yes)" in shown
    frame = run.to_frame()
    assert len(frame) == len(run.steps)
    assert run._repr_html_().count("<tr") >= len(run.steps)
    # Not the notation of a tuple of tuples.
    assert "EliminationStep(" not in repr(run)
    assert eliminate(made(truth.ASIA), "asia").steps == ()
    assert "P(asia)" in str(eliminate(made(truth.ASIA), "asia"))


def test_html_of_the_steps_is_escaped():
    bad = "<script>alert(1)</script>"
    network = BayesianNetwork.from_cpts(
        {bad: (bad, "b"), "Y": (0, 1), "Z": (bad, "z")},
        {
            bad: [0.5, 0.5],
            ("Y", bad): [[1.0, 0.0], [0.5, 0.5]],
            ("Z", "Y"): [[1.0, 0.0], [0.5, 0.5]],
        },
    )
    run = eliminate(network, "Y", {"Z": bad})
    assert "<script" not in run._repr_html_()
    assert "<script" not in run.posterior._repr_html_()
    found = JunctionTree(network).posteriors({"Z": bad})
    assert "<script" not in found._repr_html_()


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (("asia", "tub", "smoke", "bronc"), "either"),
        (("asia", "tub", "smoke", "bronc", "either", "asia"), "'asia'"),
        (("asia", "tub", "smoke", "bronc", "either", "lung"), "'lung'"),
        (("asia", "tub", "smoke", "bronc", "either", "dysp"), "'dysp'"),
        (("asia", "tub", "smoke", "bronc", "eiter"), r"'eiter'.*'either'\?"),
        ((), "asia"),
        ("asia", "smoke"),
        (7, "7"),
        (("asia", "tub", "smoke", "bronc", "either", 3), "3"),
    ],
)
def test_wrong_orders_are_refused(order, message):
    asia = made(truth.ASIA)
    with pytest.raises(ProbabilityError, match=message):
        eliminate(asia, "lung", {"dysp": "yes"}, order=order)


def test_an_order_may_be_any_sequence():
    asia = made(truth.ASIA)
    order = ["either", "bronc", "smoke", "tub", "asia"]
    wanted = enumerate_posterior(asia, "lung", {"dysp": "yes"})
    for given_ in (order, tuple(order), iter(order)):
        run = eliminate(asia, "lung", {"dysp": "yes"}, order=given_)
        assert run.order == tuple(order)
        assert run.posterior == wanted


@pytest.mark.parametrize("heuristic", ["min-size", "", None, 3])
def test_unknown_heuristics(heuristic):
    asia = made(truth.ASIA)
    with pytest.raises(ProbabilityError, match="min-fill"):
        eliminate(asia, "lung", heuristic=heuristic)
    with pytest.raises(ProbabilityError, match="min-fill"):
        elimination_order(asia, heuristic=heuristic)


# -- time and memory ---------------------------------------------------


def pairs_of_causes(n, number):
    """A network whose causes are joined by an effect of each pair of them."""
    states = {f"C{i}": (0, 1) for i in range(n)}
    cpts = {cause: [number(Fraction(1, 2))] * 2 for cause in states}
    evidence = {}
    for one, other in combinations(list(states), 2):
        effect = one + other
        states[effect], evidence[effect] = (0, 1), 1
        p = [[number(Fraction(a + b + 1, 5)) for b in (0, 1)] for a in (0, 1)]
        cpts[effect, one, other] = [[[q, 1 - q] for q in row] for row in p]
    return BayesianNetwork.from_cpts(states, cpts), evidence


def peak_of(ask):
    tracemalloc.start()
    try:
        ask()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_products_of_fractions_count_as_fractions():
    """The product over ten causes has 2**10 cells."""
    network, evidence = pairs_of_causes(10, Fraction)
    with pytest.raises(TableTooLargeError, match="JunctionTree"):
        eliminate(network, "C0", evidence, max_bytes=120 * 2**10 - 1)
    peak = peak_of(
        lambda: eliminate(network, "C0", evidence, max_bytes=120 * 2**10)
    )
    # Twice: a product and the next. Further: all that does not grow so fast.
    assert peak < 2 * 120 * 2**10 + 200_000
    floats, _ = pairs_of_causes(10, float)
    run = eliminate(floats, "C0", evidence, max_bytes=8 * 2**10)
    assert run.largest == 2**10
    # One exact table does not make the product over all causes exact.
    mixed = floats.replace(network.tables["C0C1"])
    eliminate(mixed, "C0", evidence, max_bytes=8 * 2**10)


def test_the_retry_with_fractions_counts_them():
    """The sum of the floats is below all that are safe."""
    network, evidence = pairs_of_causes(8, float)
    network = network.replace(Table([1e-260, 1.0], {"C7": (0, 1)}))
    evidence |= {"C7": {0: 1.0, 1: 0.0}}
    run = eliminate(network, "C0", evidence, max_bytes=120 * 2**8)
    assert run.largest == 2**8
    with pytest.raises(
        TableTooLargeError, match=r"too small.*fractions.*JunctionTree"
    ):
        eliminate(network, "C0", evidence, max_bytes=120 * 2**8 - 1)
    distribution = JunctionTree(network, max_bytes=2**16).joint("C0", evidence)
    assert_allclose(distribution.values, run.posterior.values, rtol=1e-12)
    # Likewise where the query is separated from all this.
    network = BayesianNetwork(
        [*network.tables.values(), Table([0.5, 0.5], {"coin": "HT"})]
    )
    with pytest.raises(TableTooLargeError, match="too small"):
        eliminate(network, "coin", evidence, max_bytes=120 * 2**8 - 1)


# -- orders ------------------------------------------------------------


def cost(graph, order, sizes):
    """Return the cells of each step, and how many edges it fills in."""
    graph = nx.Graph(graph)
    cells, filled, degrees = [], [], []
    for node in order:
        near = list(graph[node])
        cells.append(prod(sizes[n] for n in (node, *near)))
        missing = [
            (a, b)
            for i, a in enumerate(near)
            for b in near[:i]
            if not graph.has_edge(a, b)
        ]
        filled.append(len(missing))
        degrees.append(len(near))
        graph.add_edges_from(missing)
        graph.remove_node(node)
    return {
        "min-fill": filled,
        "min-weight": cells,
        "min-degree": degrees,
    }


@given(truth.nets(n_nodes=7))
def test_orders_are_greedy(net):
    """Each step is one of the cheapest that its heuristic could take."""
    check_orders(made(net))


@pytest.mark.parametrize("seed", range(5))
def test_orders_are_greedy_where_much_is_filled_in(seed):
    """Because the other half of the nodes is never eliminated."""
    rng = np.random.default_rng(seed)
    names = [f"N{i}" for i in range(24)]
    states = {name: tuple(range(int(rng.integers(2, 4)))) for name in names}
    cpts = {}
    for i, name in enumerate(names):
        above = rng.choice(names[:i], min(i, 2), replace=False).tolist()
        shape = [len(states[other]) for other in (*above, name)]
        cpts[name, *above] = np.full(shape, 1 / shape[-1]).tolist()
    check_orders(BayesianNetwork.from_cpts(states, cpts), names[:12])


def check_orders(network, nodes=None):
    sizes = {node: len(states) for node, states in network.states.items()}
    for heuristic in HEURISTICS:
        order = elimination_order(network, nodes, heuristic=heuristic)
        assert sorted(order) == sorted(nodes or network.nodes)
        assert isinstance(order, tuple)
        graph = nx.Graph(nx.moral_graph(network.graph))
        left = set(order)
        for node in order:
            price = {
                other: cost(graph, [other], sizes)[heuristic][0]
                for other in left
            }
            left.remove(node)
            assert price[node] == min(price.values())
            near = list(graph[node])
            graph.add_edges_from(
                (a, b) for i, a in enumerate(near) for b in near[:i]
            )
            graph.remove_node(node)


def test_orders_of_some_nodes():
    asia = made(truth.ASIA)
    order = elimination_order(asia, ["smoke", "tub", "asia"])
    assert sorted(order) == ["asia", "smoke", "tub"]
    assert elimination_order(asia, []) == ()
    with pytest.raises(TypeError, match="network"):
        elimination_order("asia")
    with pytest.raises(ProbabilityError, match=r"'lnug'.*'lung'\?"):
        elimination_order(asia, ["lnug"])
    with pytest.raises(ProbabilityError, match="'tub'"):
        elimination_order(asia, ["tub", "tub"])
