"""Small networks whose probabilities are tenths, and their elimination.

Answers come from the joint distribution, in integers, and are checked with
:mod:`bayesbook.network`. Its factors are used for the explanations only.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

import networkx as nx
import numpy as np

from bayesbook.network import Factor, product
from bayesbook.study.drills.writing import decimal

# A state for each of some nodes.
States = Mapping[str, str]


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
        known = {n: evidence[n] for n in self.scope(node) if n in evidence}
        given = ", ".join(said(n, known) for n in self.parents[node])
        bar = rf" \mid {given}" if given else ""
        title = rf"\mathbb{{P}}[{said(node, known)}{bar}]"
        return self._factors[node].reduce(known).renamed(title)

    @cached_property
    def _factors(self) -> Mapping[str, Factor]:
        return {
            node: Factor(
                tenths * Fraction(1, 10),
                {n: self.states[n] for n in self.scope(node)},
            )
            for node, tenths in self.tenths.items()
        }

    def scope(self, node: str) -> str:
        """Return the letters of the parents of a node, and its own."""
        return f"{self.parents[node]}{node}"


def said(node: str, states: States) -> str:
    """Write a node in TeX, with its state if that is known."""
    return rf"{node} = \text{{{states[node]}}}" if node in states else node


def configurations(network: Network, nodes: Iterable[str]) -> list[States]:
    """List the configurations of some nodes, in order."""
    own = itertools.product(*(network.states[node] for node in nodes))
    return [dict(zip(nodes, states, strict=True)) for states in own]


def written(factor: Factor, at: States) -> str:
    """Write the number of a factor at some states as a decimal."""
    number = factor.reduce({node: at[node] for node in factor.scope}).total
    return decimal(Fraction(number), places=9)


@dataclass(frozen=True, eq=False)
class Step:
    """A node that is summed out, or the last multiplication."""

    node: str  # empty if nothing is left to be summed out
    factors: Sequence[Factor]
    result: Factor  # their product, after the sum

    def products(self, at: States) -> str:
        """Write the product of numbers at some states, one of each factor."""
        return " · ".join(written(factor, at) for factor in self.factors)

    @property
    def size(self) -> int:
        """The number of products."""
        return _size(self.factors)


def _size(factors: Sequence[Factor]) -> int:
    states = {n: own for f in factors for n, own in f.states.items()}
    return prod(map(len, states.values()))


def eliminate(
    network: Network, relevant: str, asked: str, evidence: States
) -> list[Step]:
    """Sum out all nodes but one, first the node with the smallest product."""
    factors = [network.factor(node, evidence) for node in relevant]
    hidden = sorted({*relevant} - {asked, *evidence})

    def with_it(node: str) -> list[Factor]:
        return [factor for factor in factors if node in factor.scope]

    steps: list[Step] = []
    while hidden:
        node = min(hidden, key=lambda node: _size(with_it(node)))
        used = with_it(node)
        left = sorted({n for factor in used for n in factor.scope} - {node})
        arguments = f"({', '.join(left)})" if left else ""
        result = product(used).marginal(*left)
        result = result.renamed(rf"\tau_{len(steps) + 1}{arguments}")
        steps.append(Step(node, used, result))
        hidden.remove(node)
        factors = [f for f in factors if node not in f.scope] + [result]
    steps.append(Step("", factors, product(factors).marginal(asked)))
    return steps
