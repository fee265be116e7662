r"""The most probable states of some nodes, the others summed out.

.. math:: \arg\max_q P(q \mid e) = \arg\max_q \sum_h P(q, h, e)

The sums come first, then the maxima: they cannot change places. So the order
of elimination is less free than for a posterior, and the tables may be far
larger (Koller and Friedman 2009, section 13.2.3).

>>> from bayesbook.network import load_network
>>> best = load_network("asia").most_probable("smoke", given={"dysp": "yes"})
>>> best.states, round(best.probability, 4)
({'smoke': 'yes'}, 0.634)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import read_names
from bayesbook.base.numbers import log_of
from bayesbook.graphs import ancestral_moral_graph
from bayesbook.network.evidence import (
    EvidenceLike,
    impossible,
    read_evidence,
    require_node,
)
from bayesbook.network.factor import Factor, factors_given, product
from bayesbook.network.inference._exactness import is_safe
from bayesbook.network.inference.elimination import (
    elimination_order,
    require_small,
)
from bayesbook.network.tabular import TabularNetwork
from bayesbook.probability import MAX_BYTES
from bayesbook.probability.table import State

__all__ = ["MostProbable"]


class MostProbable(NamedTuple):
    """The most probable states of some nodes, or of all, given the evidence.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> best = load_network("five").most_probable(given={"x5": "high"})
    >>> best.states
    {'x1': 'low', 'x2': 'low', 'x3': 'low', 'x4': 'low', 'x5': 'high'}
    >>> round(best.probability, 3)
    0.182
    """

    #: A state for each node asked for, observed ones included.
    states: dict[str, State]
    #: The logarithm of the joint probability of these states and the evidence.
    #: With soft evidence, plus the logarithms of its likelihoods.
    log_prob: float
    #: Their probability given the evidence.
    probability: float


def most_probable_of(
    network: TabularNetwork,
    nodes: str | Iterable[str],
    evidence: EvidenceLike | None = None,
    *,
    max_bytes: int = MAX_BYTES,
) -> MostProbable:
    """Return the most probable states of some nodes together.

    See :meth:`bayesbook.network.BayesianNetwork.most_probable`.
    """
    known = read_evidence(network, evidence)
    names = read_names(nodes)
    for name in names:
        require_node(network, name)
    if not names:
        raise ProbabilityError(
            "No node is named: name some, or leave `nodes` out for all."
        )
    free = [name for name in names if name not in known.hard]
    moral = ancestral_moral_graph(
        network.graph, {*free, *known.hard, *known.soft}
    )
    ancestors = [node for node in network.nodes if node in moral]
    order = elimination_order(
        network,
        [node for node in ancestors if node not in known.hard],
        observed=tuple(known.hard),
        last=free,
    )
    hidden = order[: len(order) - len(free)]
    factors = factors_given(network, known, ancestors)
    require_small(factors, order, (), max_bytes)
    found = _maximum(factors, hidden, order[len(hidden) :])
    if not all(map(is_safe, found[1:])):
        factors = [factor.as_fractions() for factor in factors]
        require_small(factors, order, (), max_bytes, exactly=True)
        found = _maximum(factors, hidden, order[len(hidden) :])
    states, best, total = found
    if not total > 0:
        raise impossible(network, known)
    states |= {
        name: network.states[name][code] for name, code in known.hard.items()
    }
    return MostProbable(
        {name: states[name] for name in names},
        log_of(best) + known.log_factor,
        float(best / total),
    )


def _maximum(factors, hidden, names):
    """Return the best states of some nodes, their number, and the sum of all.

    A node is summed or maximised out of the product of the factors that have
    it. Once all are out, the states are read off in reverse order: those of
    the nodes that a product still has are known by then.
    """
    for node in hidden:
        _, factors = _without(factors, node, Factor.sum_out)
    total = factors
    products = []
    for node in names:
        _, total = _without(total, node, Factor.sum_out)
        multiplied, factors = _without(factors, node, Factor.max_out)
        products.append(multiplied)
    states: dict[str, State] = {}
    for multiplied in reversed(products):
        known = {n: states[n] for n in multiplied.scope if n in states}
        states |= multiplied.reduce(known).argmax()
    return states, product(factors).total, product(total).total


def _without(factors, node, remove):
    """Return the product of the factors with a node; and all, without it."""
    multiplied = product(f for f in factors if node in f.scope)
    others = [factor for factor in factors if node not in factor.scope]
    return multiplied, [*others, remove(multiplied, node)]
