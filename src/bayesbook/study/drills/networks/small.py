"""Small networks whose probabilities are tenths, and their elimination.

All numbers are integers in units of a power of ten. A drill computes with
these and is checked with :mod:`bayesbook.network`, which does not use them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product

import networkx as nx
import numpy as np

# A state for each of some nodes.
States = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Factor:
    """A function of some nodes: a table that need not be normalised."""

    title: str  # in TeX
    nodes: str  # their letters, in the order of the axes
    numbers: np.ndarray  # integers, in units of 10**-digits
    digits: int

    def written(self, *place: int) -> str:
        """Write the number at a place as a decimal."""
        number = Decimal(int(self.numbers[place])).scaleb(-self.digits)
        return f"{number.normalize():f}"


@dataclass(frozen=True, eq=False)
class Network:
    """A network whose nodes are capital letters."""

    states: Mapping[str, tuple[str, ...]]  # parents before their children
    parents: Mapping[str, str]
    tenths: Mapping[str, np.ndarray]  # axes are the parents and the node

    @property
    def nodes(self) -> str:
        """The letters of all nodes."""
        return "".join(self.states)

    @cached_property
    def graph(self) -> nx.DiGraph:
        """Its graph, with nodes and edges in alphabetical order."""
        graph = nx.DiGraph()
        graph.add_nodes_from(sorted(self.nodes))
        graph.add_edges_from(
            sorted(
                (p, node) for node in self.nodes for p in self.parents[node]
            )
        )
        return graph

    @cached_property
    def joint(self) -> np.ndarray:
        """The joint distribution, in units of a power of ten."""
        axes = [f"{self.parents[node]}{node}" for node in self.nodes]
        return np.einsum(
            f"{','.join(axes)}->{self.nodes}", *self.tenths.values()
        )

    def P(self, event: States, given: States | None = None) -> Fraction:  # noqa: N802
        """Return a probability, by enumeration."""
        given = given or {}
        part, whole = (
            int(self.joint[self._places(known)].sum())
            for known in ({**event, **given}, given)
        )
        return Fraction(part, whole)

    def _places(self, known: States) -> tuple:
        return tuple(
            self.states[node].index(known[node])
            if node in known
            else slice(None)
            for node in self.nodes
        )

    def levelled(self, node: str) -> "Network":
        """Return the network with a uniform prior of a root."""
        level = np.ones_like(self.tenths[node])
        return Network(self.states, self.parents, {**self.tenths, node: level})

    def factor(self, node: str, evidence: States) -> Factor:
        """Return the table of a node, where it agrees with the evidence."""
        own = f"{self.parents[node]}{node}"
        place = tuple(
            self.states[n].index(evidence[n]) if n in evidence else slice(None)
            for n in own
        )
        given = [said(n, evidence) for n in self.parents[node]]
        bar = rf" \mid {', '.join(given)}" if given else ""
        return Factor(
            rf"\mathbb{{P}}[{said(node, evidence)}{bar}]",
            "".join(n for n in own if n not in evidence),
            self.tenths[node][place],
            1,
        )


def said(node: str, states: States) -> str:
    """Write a node in TeX, with its state if that is known."""
    return rf"{node} = \text{{{states[node]}}}" if node in states else node


@dataclass(frozen=True, eq=False)
class Step:
    """A node that is summed out, or the last multiplication."""

    node: str  # empty if nothing is left to be summed out
    factors: Sequence[Factor]
    result: Factor  # their product, after the sum

    def products(self, place: Sequence[int], fixed: Mapping[str, int]) -> str:
        """Write a product of numbers, one of each factor."""
        at = {**dict(zip(self.result.nodes, place, strict=True)), **fixed}
        return " · ".join(
            factor.written(*(at[node] for node in factor.nodes))
            for factor in self.factors
        )

    @property
    def size(self) -> int:
        """The number of products."""
        shapes = {
            node: length
            for factor in self.factors
            for node, length in zip(
                factor.nodes, factor.numbers.shape, strict=True
            )
        }
        return int(np.prod(list(shapes.values()), dtype=int))


def eliminate(
    network: Network, relevant: str, asked: str, evidence: States
) -> list[Step]:
    """Sum out all nodes but one, first the node with the smallest product."""
    factors = [network.factor(node, evidence) for node in relevant]
    hidden = [n for n in relevant if n != asked and n not in evidence]
    steps: list[Step] = []
    while hidden:
        choices = [_sum_out(node, factors, len(steps) + 1) for node in hidden]
        step = min(choices, key=lambda step: (step.size, step.node))
        steps.append(step)
        hidden.remove(step.node)
        factors = [f for f in factors if step.node not in f.nodes]
        factors.append(step.result)
    steps.append(Step("", factors, _product(factors, asked, "")))
    return steps


def _sum_out(node: str, factors: Sequence[Factor], number: int) -> Step:
    with_it = [factor for factor in factors if node in factor.nodes]
    others = sorted({n for f in with_it for n in f.nodes} - {node})
    left = "".join(others)
    arguments = f"({', '.join(others)})" if others else ""
    title = rf"\tau_{number}{arguments}"
    return Step(node, with_it, _product(with_it, left, title))


def _product(factors: Sequence[Factor], nodes: str, title: str) -> Factor:
    axes = ",".join(factor.nodes for factor in factors)
    numbers = np.einsum(
        f"{axes}->{nodes}", *(factor.numbers for factor in factors)
    )
    digits = sum(factor.digits for factor in factors)
    return Factor(title, nodes, numbers, digits)


def places(network: Network, nodes: str) -> list[tuple[int, ...]]:
    """List the numbers of the states of some nodes, in order."""
    return list(product(*(range(len(network.states[n])) for n in nodes)))
