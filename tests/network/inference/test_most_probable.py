"""The most probable states, against all rows of the joint distribution."""

from fractions import Fraction
from math import log

import network_truth as truth
import numpy as np
import pytest
from junction_tree_checks import ASIA, check_most_probable, made, tree_of


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
    """Distributions of halves make many rows equally likely."""
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
