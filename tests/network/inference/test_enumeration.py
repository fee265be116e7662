"""Enumeration does no more work than it must."""

from fractions import Fraction
from itertools import pairwise

import network_truth as truth
import pytest

from bayesbook.base import TableTooLargeError
from bayesbook.network import BayesianNetwork, enumerate_posterior


def chain(n):
    states = {f"N{i}": (0, 1) for i in range(n)}
    cpts = {"N0": ["1/2", "1/2"]}
    for one, other in pairwise(states):
        cpts[other, one] = [["1/3", "2/3"], ["1/4", "3/4"]]
    return BayesianNetwork.from_cpts(states, cpts)


def test_enumeration_multiplies_only_what_changes(monkeypatch):
    """Twice as many products as there are combinations, not ten times."""
    network, n_products = chain(10), 0
    multiply = Fraction.__mul__

    def counted(one, other):
        nonlocal n_products
        n_products += 1
        return multiply(one, other)

    monkeypatch.setattr(Fraction, "__mul__", counted)
    enumerate_posterior(network, "N3")
    assert n_products < 2 * 2**10


def test_enumeration_where_nearly_all_of_many_nodes_are_observed():
    evidence = {f"N{i}": 1 for i in range(1, 1500)}
    distribution = enumerate_posterior(chain(1500), "N0", evidence)
    assert distribution.values.tolist() == [Fraction(8, 17), Fraction(9, 17)]


def test_enumeration_refuses_what_would_take_for_ever():
    network = BayesianNetwork.from_cpts(*truth.grid(10).as_given(float))
    with pytest.raises(
        TableTooLargeError,
        match=r"There are 6\.34e\+29 combinations of states, and enumeration "
        "stops at two million: use eliminate, or a JunctionTree",
    ):
        enumerate_posterior(network, "G0.0", {"G9.9": "0"})
