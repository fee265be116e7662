"""Networks with barren nodes, and checks that several tests share."""

from contextlib import contextmanager
from fractions import Fraction
from math import inf

import network_truth as truth
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesbook.network import BayesianNetwork
from bayesbook.network.inference import (
    _barren_split,
    junction_tree,
    triangulation,
)

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
        patch.setattr(junction_tree, "PlanOfParts", remembered)
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
