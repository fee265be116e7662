"""Checks of junction trees that several tests share."""

from fractions import Fraction
from itertools import combinations
from math import prod

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesbook.network import BayesianNetwork, JunctionTree, Posteriors

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

# Of a probability, as logarithms of 1e-1800 have it.
ROUNDING = Fraction(1, 10**11)


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
    row = tuple(best.states.values())
    found = net.weight(row, evidence) / net.total(evidence)
    # Rounding may prefer any of several that are equal, or as good as equal:
    # it takes 1 - 1e-18 for 1.
    assert p * (1 - ROUNDING) <= found <= p
    assert (row in rows) == (found == p)
    assert best.probability == pytest.approx(float(p), rel=1e-9)
    for node, state in truth.hard(evidence).items():
        assert best.states[node] == state
    return best


def random_rows(rng, net, size, share=0.5):
    """Draw rows that can occur, with missing values."""
    possible = [row for row, p in net.joint.items() if p]
    rows = [possible[rng.integers(len(possible))] for _ in range(size)]
    table = pd.DataFrame(rows, columns=net.nodes, dtype=object)
    return table.mask(rng.random(table.shape) < share)


def evidence_of(row):
    return {node: s for node, s in row.items() if not pd.isna(s)}


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


def star(n_leaves, distributions):
    """Make a class with many effects, whose distributions take turns."""
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
