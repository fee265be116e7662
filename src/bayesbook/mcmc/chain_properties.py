"""Properties of Markov chains: communicating classes and detailed balance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import networkx as nx

from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import show
from bayesbook.mcmc.distributions import State

__all__ = ["CommunicatingClass", "DetailedBalance"]


@dataclass(frozen=True)
class CommunicatingClass:
    """States of a chain that can all be reached from each other.

    Attributes
    ----------
    states : tuple
    is_closed : bool
        Whether no step leaves the class. The chain leaves each other class
        for ever at some time.
    period : int
        The greatest common divisor of the numbers of steps in which it can
        return to a state; 0 if it cannot return at all.

    Examples
    --------
    >>> from bayesbook.mcmc import MarkovChain
    >>> chain = MarkovChain([[0, 1, 0], [1, 0, 0], [0.5, 0, 0.5]])
    >>> for c in chain.classes:
    ...     print(c.states, c.is_closed, c.period)
    (0, 1) True 2
    (2,) False 1
    """

    states: tuple[State, ...]
    is_closed: bool
    period: int


@dataclass(frozen=True)
class DetailedBalance:
    """Whether the flows between any two states are equal in both directions.

    If they are, the chain is *reversible*: in equilibrium it looks the same
    when it runs backwards.

    It is true in an ``if`` when they are; otherwise its text names two states
    between which they are not. :meth:`MarkovChain.detailed_balance` makes it.

    Attributes
    ----------
    holds : bool
    pair : tuple of two states
        The states between which the flows differ most.
    there, back : Fraction or float
        The probabilities of being in the first and going to the second, and
        of being in the second and going to the first.

    Examples
    --------
    >>> from bayesbook.mcmc import MarkovChain
    >>> chain = MarkovChain([[0, 1, 0], [0, 0, 1], [1, 0, 0]], "ABC")
    >>> balance = chain.detailed_balance()
    >>> balance.holds, balance.pair
    (False, ('A', 'B'))
    >>> print(balance)
    The flow from A to B is 1/3, and back 0.
    """

    holds: bool
    pair: tuple[State, State]
    there: Fraction | float
    back: Fraction | float

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        if self.holds:
            return "Between any two states the flows there and back are equal."
        here, other = self.pair
        return (
            f"The flow from {here} to {other} is {_short(self.there)}, "
            f"and back {_short(self.back)}."
        )


def period_of(graph: nx.DiGraph, root: State) -> int:
    """Return the period of a strongly connected graph."""
    depth = nx.single_source_shortest_path_length(graph, root)
    return gcd(*(depth[u] + 1 - depth[v] for u, v in graph.edges))


def class_list(classes: Iterable[CommunicatingClass]) -> str:
    """Return the states of some classes as text."""
    return " or ".join(f"{{{quoted_list(c.states)}}}" for c in classes)


def _short(number):
    return show(number) if isinstance(number, Fraction) else f"{number:.4g}"
