"""Which nodes are solved apart: two junction trees, against networkx."""

from fractions import Fraction
from itertools import combinations
from math import prod

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from barren_networks import (
    ALWAYS,
    SHAPE,
    as_numbers,
    few,
    limits,
    made,
    named,
    net_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bayesbook.network import JunctionTree
from bayesbook.network.inference import _barren_split, triangulation

# -- what is solved with what ------------------------------------------


def check_parts(net, evidence, parts):
    first, other = parts
    graph = truth.digraph(net)
    everything, observed = set(net.nodes), set(truth.hard(evidence))
    # The first part answers for all of its nodes.
    assert first.asked == -1
    together, apart = named(net, first.nodes), named(net, other.asked)
    assert together | apart == everything
    assert not together & apart
    assert apart
    for node in evidence:
        assert {node} | nx.ancestors(graph, node) <= together
    for node in apart:
        assert not ({node} | nx.descendants(graph, node)) & set(evidence)
        assert {node} | nx.ancestors(graph, node) <= named(net, other.nodes)
    assert set(evidence) <= named(net, other.nodes)
    for part in parts:
        nodes = named(net, part.nodes)
        # No table is used without those that it depends on.
        for node in nodes:
            assert set(net.parents[node]) <= nodes
        families = [{node, *net.parents[node]} - observed for node in nodes]
        check_cliques(net, part.tree, nodes - observed, families)


def check_cliques(net, tree, free, families):
    cliques = [named(net, clique) for clique in tree.members]
    assert set().union(*cliques) == free
    assert sorted(tree.order) == sorted(
        i for i, node in enumerate(net.nodes) if node in free
    )
    graph = nx.Graph()
    graph.add_nodes_from(range(len(cliques)))
    graph.add_edges_from(
        (i, parent) for i, parent in enumerate(tree.parents) if parent >= 0
    )
    assert not cliques or nx.is_forest(graph)
    assert all(parent < i for i, parent in enumerate(tree.parents))
    for i, node in enumerate(net.nodes):
        if node not in free:
            continue
        holding = [i for i, clique in enumerate(cliques) if node in clique]
        assert nx.is_connected(graph.subgraph(holding))
        assert tree.home[i] in holding
    for family in families:
        assert any(family <= clique for clique in cliques) or not family
    assert tree.n_cells == sum(
        prod(len(net.states[node]) for node in clique) for clique in cliques
    )


def test_the_parts_are_junction_trees():
    n_split = 0
    for seed in range(250):
        pick = truth.from_rng(np.random.default_rng([29, seed]))
        net = truth.random_net(pick, n_nodes=12, n_states=2)
        evidence = few(pick, some_evidence(pick, net))
        with limits(**{**ALWAYS, "_GROWTH": pick(0, 1) * 0.2}):
            parts = _barren_split.parts_of(*as_numbers(net, evidence))
        if parts:
            check_parts(net, evidence, parts)
            n_split += 1
    assert n_split >= 80


def some_evidence(pick, net):
    """Observe every node, in one way or the other."""
    return {
        node: states[0] if pick(0, 1) else dict.fromkeys(states, Fraction(1))
        for node, states in net.states.items()
    }


def test_the_parts_of_larger_networks():
    for seed in range(8):
        pick = truth.from_rng(np.random.default_rng([31, seed]))
        net = larger_net(pick, 30)
        evidence = few(pick, some_evidence(pick, net))
        with limits(**ALWAYS):
            parts = _barren_split.parts_of(*as_numbers(net, evidence))
        check_parts(net, evidence, parts)


def test_every_way_to_grow_is_compared_with_the_whole():
    """What joined before counts: the next is judged by the tree with it."""
    net = net_of(
        {
            "A": (),
            "B": (),
            "C": (),
            "E": ("A",),
            "D1": ("A", "B"),
            "D2": ("D1", "B", "C"),
        }
    )
    evidence = {"E": 0}
    n_cells = as_numbers(net, evidence)[-1].n_cells
    for growth in np.arange(0.5, n_cells + 1):
        with limits(**{**ALWAYS, "_GROWTH": growth / n_cells}):
            parts = _barren_split.parts_of(*as_numbers(net, evidence))
        if parts:
            check_parts(net, evidence, parts)
        apart = named(net, parts[1].asked) if parts else set()
        # Without D1, the parent of D2 is not there.
        assert "D2" in apart or not apart
        # A, B and C apart have 6 cells; ABD1 and C 10; ABD1, BCD1D2 24.
        wanted = (
            {"D1", "D2"} if growth < 4 else {"D2"} if growth < 14 else set()
        )
        assert apart == wanted


def larger_net(pick, size):
    """Make a network of two states whose nodes hang on some before."""
    names = [f"N{i}" for i in range(size)]
    return net_of(
        {
            name: tuple(truth.shuffled(pick, names[:i])[: pick(0, 3)])
            for i, name in enumerate(names)
        }
    )


def test_a_family_in_a_clique_of_the_others_stays_there():
    """B hangs on A1 and A2 as E1 does; to solve it apart would gain nothing.

    C hangs on A1 and A3, which nothing else joins.
    """
    net = net_of(
        {
            "A1": (),
            "A2": (),
            "A3": (),
            "E1": ("A1", "A2"),
            "B": ("A1", "A2"),
            "BB": ("B", "E1"),
            "C": ("A1", "A3"),
            "CC": ("C",),
        }
    )
    with limits(**ALWAYS):
        parts = _barren_split.parts_of(*as_numbers(net, {"E1": 0}))
        check_parts(net, {"E1": 0}, parts)
        assert named(net, parts[1].asked) == {"C", "CC"}
        # What is observed need not be in a clique; but weights have to be.
        soft = {"E1": {0: Fraction(1), 1: Fraction(2)}}
        parts = _barren_split.parts_of(*as_numbers(net, soft))
        check_parts(net, soft, parts)
        assert named(net, parts[1].asked) == {"BB", "C", "CC"}


#: Pairs of causes whose effects nobody observes.
MANY = {
    **{f"A{i}": () for i in range(15)},
    "E": ("A0",),
    **{f"B{i}": (f"A{i}", f"A{i + 1}") for i in range(12)},
}


def test_no_search_among_more_barren_nodes_than_pays():
    with limits(
        **{**ALWAYS, "_MOST_TRIED": _barren_split._MOST_TRIED}
    ) as split:
        net = net_of(MANY)
        JunctionTree(made(net)).posteriors({"E": 0})
        assert len(split) == 1
        more = net_of({**MANY, "B12": ("A12", "A13")})
        JunctionTree(made(more)).posteriors({"E": 0})
        assert len(split) == 1


def test_nodes_that_let_the_tree_grow_a_little_stay():
    """Of C the tree grows a little, of D much."""
    parents = {
        "A": (),
        "B": (),
        "E": ("A", "B"),
        "C": ("E", "F"),
        "F": (),
        "D": ("B", "G", "H"),
        "G": (),
        "H": (),
    }
    sizes = {"A": 4, "B": 4, "D": 4, "G": 4, "H": 4}
    net = net_of(parents, sizes=sizes.items())
    evidence = {"E": {0: Fraction(1), 1: Fraction(2)}}

    def apart():
        parts = _barren_split.parts_of(*as_numbers(net, evidence))
        return named(net, parts[1].asked) if parts else set()

    # The cliques of the whole are ABE (32 cells), BDGH (256) and CEF (8); F
    # alone has 2, so C makes 6 more; B, G and H are elsewhere or have 8.
    for growth, wanted in (
        (0, {"C", "D"}),
        (5.99 / 296, {"C", "D"}),
        (6 / 296, {"D"}),
        (247.99 / 296, {"D"}),
        (248 / 296, set()),
    ):
        with limits(**{**ALWAYS, "_GROWTH": growth}):
            assert apart() == wanted


def test_nothing_is_solved_apart_without_evidence_or_in_small_trees():
    net = net_of(SHAPE)
    evidence = {"E1": 0, "E3": {0: Fraction(1), 1: Fraction(2)}}
    given_ = as_numbers(net, evidence)
    n_cells = given_[-1].n_cells
    for at, wanted in ((0, 2), (n_cells, 2), (n_cells + 1, 0)):
        with limits(**{**ALWAYS, "_LARGE": at}):
            assert len(_barren_split.parts_of(*given_)) == wanted
    assert _barren_split.parts_of(*given_) == []
    with limits(**ALWAYS) as split:
        assert _barren_split.parts_of(*as_numbers(net, {})) == []
        tree = JunctionTree(made(net))
        tree.posteriors()
        tree.posteriors({})
        tree.batch(pd.DataFrame(index=range(3)))
        tree.batch(pd.DataFrame({"E1": [None, None]}))
        # Where nothing is barren, nothing is left to be solved apart.
        tree.posteriors({"B2": 0, "E2": 1})
        # What is asked together is in one tree, and so is a maximum.
        tree.joint(["B1", "E2"], {"E1": 0})
        assert not split
        tree.log_evidence({"E1": 0})
        assert len(split) == 1


def test_parts_have_to_pay():
    """Both trees together have bounds, in cells and in work."""
    n_split = 0
    for seed in range(20):
        pick = truth.from_rng(np.random.default_rng([37, seed]))
        net = larger_net(pick, 12)
        evidence = few(pick, some_evidence(pick, net))
        given_ = as_numbers(net, evidence)
        with limits(**ALWAYS):
            parts = _barren_split.parts_of(*given_)
        if not parts:
            continue
        whole, main = given_[-1].n_cells, parts[0].tree.n_cells
        for room in (0.5, 1, 1.5, 2, 3):
            with limits(**{**ALWAYS, "_ROOM": room}):
                found = _barren_split.parts_of(*given_)
            if found:
                n_cells = sum(part.tree.n_cells for part in found)
                assert n_cells <= room * whole
            else:
                assert main + parts[1].tree.n_cells > room * whole
        for work in (0.5, 1, 1.5, 2, 3):
            with limits(**{**ALWAYS, "_WORK": work}):
                found = _barren_split.parts_of(*given_)
            # Messages go both ways in the first, one way in the other.
            most = 2 * main + parts[1].tree.n_cells
            assert len(found) == 2 or most > work * whole
            if found:
                tree, apart = found[1].tree, named(net, found[1].asked)
                homes = {tree.home[net.nodes.index(node)] for node in apart}
                moved = sum(
                    prod(
                        len(net.states[node])
                        for node in named(net, tree.members[i])
                    )
                    for i in homes
                )
                assert 2 * main + moved <= work * whole
            n_split += len(found) > 0
    assert n_split > 10


def test_parts_that_need_too_much_memory_are_not_made():
    net = net_of(SHAPE)
    network = made(net)
    known = {"E1": 0, "E3": 1}
    with limits(**ALWAYS) as split:
        JunctionTree(network).posteriors(known)
        need = 8 * split[0].n_cells
        assert 8 * as_numbers(net, known)[-1].n_cells < need
        for max_bytes, wanted in ((need, 2), (need - 1, 2)):
            tree = JunctionTree(network, max_bytes=max_bytes)
            found = tree.posteriors(known)
            for node, distribution in net.distributions_of_all(known).items():
                assert_allclose(found.array(node), truth.floats(distribution))
            assert len(split) == wanted


def test_each_part_answers_for_nodes_of_its_own():
    net = net_of(SHAPE)
    with limits(**ALWAYS) as split:
        JunctionTree(made(net)).posteriors({"E1": 0})
    (plan,) = split
    first, other = plan.plans
    numbers = [
        {net.nodes[i] for i in part.slices} for part in (first, other, plan)
    ]
    assert numbers[1] == {"B1", "B2"}
    assert numbers[0] == {"A1", "A2", "E2", "E3"}
    assert numbers[2] == numbers[0] | numbers[1]
    assert plan.n_outputs == 2 * len(numbers[2])
    # The probability of the evidence is known without the others.
    codes = {net.nodes.index("E1"): 0}
    total, outputs = plan.run(codes, {}, distribute=False)
    assert total == pytest.approx(truth.exact_log(net.total({"E1": 0})))
    assert outputs is None
    assert plan.run(codes, {})[1].shape == (plan.n_outputs,)


# -- an order with some nodes last -------------------------------------


@given(truth.nets(n_nodes=9), st.data())
@settings(max_examples=100)
def test_some_nodes_are_eliminated_last(net, data):
    families, _, sizes, *_ = as_numbers(net, {})
    everything = (1 << len(sizes)) - 1
    nodes, last = (data.draw(st.integers(0, everything)) for _ in range(2))
    heuristic = data.draw(st.sampled_from(list(triangulation.HEURISTICS)))
    neighbours = triangulation.moralise(
        [family & nodes for family in families], len(sizes)
    )
    before = list(neighbours)
    order, cliques = triangulation.eliminate_nodes(
        neighbours, sizes, nodes, heuristic, last=last
    )
    assert neighbours == before
    assert sorted(order) == [i for i in range(len(sizes)) if nodes >> i & 1]
    behind = [bool(last >> node & 1) for node in order]
    assert behind == sorted(behind)
    # The cliques are those of this order.
    graph = nx.Graph()
    graph.add_nodes_from(order)
    graph.add_edges_from(
        (a, b) for a in order for b in order if neighbours[a] >> b & 1
    )
    for node, clique in zip(order, cliques, strict=True):
        near = set(graph[node])
        assert clique == sum(1 << i for i in near | {node})
        graph.add_edges_from(combinations(near, 2))
        graph.remove_node(node)
    tree = triangulation.clique_tree(order, cliques, sizes)
    families = [named(net, family & nodes) for family in families]
    check_cliques(net, tree, named(net, nodes), families)


def test_the_best_node_first_but_for_the_last():
    """In a chain the ends fill nothing; of the middle, what is not last."""
    chain = [0b00010, 0b00101, 0b01010, 0b10100, 0b01000]
    order, _ = triangulation.eliminate_nodes(
        chain, [2] * 5, 0b11111, "min-fill"
    )
    assert order == [0, 1, 2, 3, 4]
    order, cliques = triangulation.eliminate_nodes(
        chain, [2] * 5, 0b11111, "min-fill", last=0b10001
    )
    assert order == [1, 2, 3, 0, 4]
    assert cliques == [0b00111, 0b01101, 0b11001, 0b10001, 0b10000]
