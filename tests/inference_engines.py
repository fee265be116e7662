"""The engines of exact inference, and queries for all of them."""

from fractions import Fraction

import network_truth as truth
import pytest

from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    enumerate_posterior,
)

HEURISTICS = ["min-fill", "min-weight", "min-degree"]


def made(net, number=Fraction):
    return BayesianNetwork.from_cpts(*net.as_given(number))


def by_elimination(network, query, evidence=None):
    return eliminate(network, query, evidence).posterior


def by_tree(network, query, evidence=None):
    return JunctionTree(network).joint(query, evidence)


#: Everything that answers a query of some nodes with a table.
ENGINES = [enumerate_posterior, by_elimination, by_tree]
every_engine = pytest.mark.parametrize("engine", ENGINES)


def queries(pick, net, evidence):
    """Pick a node and, if there are as many, up to three nodes to ask for."""
    free = [n for n in net.nodes if n not in truth.hard(evidence)]
    if not free:
        return []
    some = truth.shuffled(pick, free)
    return [(some[0],), tuple(some[: pick(1, 3)])]
