"""Barren nodes that are solved apart, against the definition and networkx."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from itertools import combinations
from math import inf, log, prod
from threading import Barrier

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bayesbook.base import ZeroProbabilityError
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    load_network,
)
from bayesbook.network.inference import _barren_split, exact, triangulation

#: Whatever can be solved apart is, in networks of any size.
ALWAYS = {
    "_LARGE": 0,
    "_MOST_TRIED": inf,
    "_GROWTH": 0,
    "_WORK": inf,
    "_ROOM": inf,
}
NEVER = {"_LARGE": inf}


@contextmanager
def limits(**limits):
    """Set limits; give a list of all plans of several parts made by then."""
    found = []

    def remembered(plans):
        found.append(_barren_split.PlanOfParts(plans))
        return found[-1]

    with pytest.MonkeyPatch.context() as patch:
        for name, limit in limits.items():
            assert hasattr(_barren_split, name)
            patch.setattr(_barren_split, name, limit)
        patch.setattr(exact, "PlanOfParts", remembered)
        yield found


def made(net, number=float):
    return BayesianNetwork.from_cpts(*net.as_given(number))


def few(pick, evidence, most=3):
    """Take at most so many of the observations: most nodes are barren."""
    nodes = truth.shuffled(pick, evidence)[: pick(1, most)]
    return {node: evidence[node] for node in nodes}


def check(tree, net, evidence, *, atol=1e-10):
    """Compare all that can be asked with the definition."""
    known = truth.readable(evidence)
    total = net.total(evidence)
    found = tree.posteriors(known)
    wanted = net.distributions_of_all(evidence)
    assert list(found) == list(wanted)
    for node, distribution in wanted.items():
        assert_allclose(
            found.array(node), truth.floats(distribution), atol=atol
        )
    log_p = pytest.approx(truth.exact_log(total), abs=1e-10)
    assert found.log_evidence == log_p
    assert tree.log_evidence(known) == log_p
    best = tree.most_probable(known)
    p, rows = net.best(evidence)
    assert best.probability == pytest.approx(float(p), rel=1e-9)
    assert tuple(best.states.values()) in rows


def check_joint(tree, net, evidence, names):
    assert_allclose(
        tree.joint(names, truth.readable(evidence)).values,
        truth.floats(net.distribution(names, evidence)),
        atol=1e-10,
    )


def check_batch(tree, net, rows):
    found = tree.batch(rows)
    assert list(found) == list(net.nodes)
    for i, row in enumerate(rows.to_dict("records")):
        evidence = {node: s for node, s in row.items() if not pd.isna(s)}
        assert found.log_evidence[i] == pytest.approx(
            truth.exact_log(net.total(evidence)), abs=1e-10
        )
        for node in net.nodes:
            distribution = truth.floats(net.distribution(node, evidence))
            assert_allclose(found[node][i], distribution, atol=1e-10)


def some_rows(rng, net, nodes, size=4, share=0.3):
    """Draw rows of a few nodes that can occur, with gaps."""
    possible = [row for row, p in net.joint.items() if p]
    rows = [possible[rng.integers(len(possible))] for _ in range(size)]
    table = pd.DataFrame(rows, columns=net.nodes, dtype=object)[list(nodes)]
    return table.mask(rng.random(table.shape) < share)


def net_of(parents, distributions=None, sizes=(), default=2):
    """Make a network; a distribution that is not given is drawn."""
    distributions = distributions or {}
    pick = truth.from_rng(np.random.default_rng(len(parents)))
    states = {
        node: tuple(range(dict(sizes).get(node, default))) for node in parents
    }
    return truth.Net(
        states,
        parents,
        {
            node: distributions.get(node)
            or {
                row: truth.random_distribution(pick, len(states[node]), 0)
                for row in np.ndindex(*(len(states[a]) for a in above))
            }
            for node, above in parents.items()
        },
    )


# -- the same answers ---------------------------------------------------------


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
    """Distributions with numbers from 1 down to 1e-300, in one part or the other."""
    pick = truth.from_hypothesis(data.draw)
    net = truth.with_uneven_distributions(pick, net)
    row = data.draw(st.sampled_from([r for r, p in net.joint.items() if p]))
    evidence = few(pick, dict(zip(net.nodes, row, strict=True)))
    with limits(**ALWAYS):
        tree = JunctionTree(made(net))
        check(tree, net, evidence, atol=1e-12)
        rows = pd.DataFrame([evidence, dict.fromkeys(evidence), evidence])
        check_batch(tree, net, rows.astype(object))


# -- evidence of next to no probability, or of none ---------------------------

HALF = (Fraction(1, 2), Fraction(1, 2))
TINY = Fraction(1, 10**200)
COPY = {(0,): (Fraction(1), Fraction(0)), (1,): (Fraction(0), Fraction(1))}
RARE = {(s,): (1 - TINY, TINY) for s in (0, 1)}

#: B1 and B2 are barren, and the parents of each are in no common clique.
SHAPE = {
    "A1": (),
    "A2": (),
    "E1": ("A1",),
    "E2": ("A1",),
    "E3": ("A2",),
    "B1": ("A1", "A2"),
    "B2": ("B1", "E1", "E3"),
}


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


# -- what is solved with what -------------------------------------------------


def as_numbers(net, evidence):
    """Write a network and evidence in sets of nodes, as bits of a number."""
    place = {node: i for i, node in enumerate(net.nodes)}

    def bits(nodes):
        return sum(1 << place[node] for node in nodes)

    families = [bits({node, *net.parents[node]}) for node in net.nodes]
    order = [place[n] for n in nx.topological_sort(truth.digraph(net))]
    sizes = [len(states) for states in net.states.values()]
    hard = bits(truth.hard(evidence))
    whole = triangulation.triangulate(
        [family & ~hard for family in families],
        sizes,
        bits(net.nodes) & ~hard,
    )
    soft = bits(evidence) & ~hard
    return families, order, sizes, hard, soft, whole


def named(net, numbers):
    return {n for i, n in enumerate(net.nodes) if numbers >> i & 1}


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


# -- an order with some nodes last --------------------------------------------


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


# -- water --------------------------------------------------------------------


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


# -- several threads ----------------------------------------------------------


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
