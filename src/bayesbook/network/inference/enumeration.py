r"""Inference by enumeration: the definition of a posterior distribution.

The joint probabilities of all combinations of states that agree with the
evidence are added; :math:`h` are the nodes that are neither in the query nor
observed:

.. math:: P(q \mid e) \propto \sum_h \prod_i P(x_i \mid x_{\mathrm{pa}(i)}).

>>> from bayesbook.network import load_network
>>> enumerate_posterior(load_network("asia"), "lung", {"xray": "yes"})
P(lung | xray=yes)
     lung=yes        lung=no
192500/393893  201393/393893
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import prod

import numpy as np

from bayesbook.base import TableTooLargeError
from bayesbook.base.labels import about
from bayesbook.network.evidence import EvidenceLike, read_evidence, read_query
from bayesbook.network.inference._exactness import (
    as_fractions,
    is_safe,
    posterior_table,
)
from bayesbook.network.model import BayesianNetwork, require_network
from bayesbook.probability import Table

__all__ = ["enumerate_posterior"]

# A combination of states takes some microseconds.
_MOST_COMBINATIONS = 2_000_000


def enumerate_posterior(
    network: BayesianNetwork,
    query: str | Iterable[str],
    evidence: EvidenceLike | None = None,
) -> Table:
    """Compute a posterior by adding the probabilities of all combinations.

    This is the definition of a posterior; the number of terms doubles with
    each further binary node.

    Parameters
    ----------
    network : BayesianNetwork
    query : str or iterable of str
        The nodes whose joint posterior distribution is wanted.
    evidence : mapping, optional
        From a node to its state, or to a likelihood for each of its states.

    Returns
    -------
    Table
        P(query | evidence); exact if the network and the likelihoods are.

    Raises
    ------
    TypeError
        If `network` is not a network, or the evidence not a mapping.
    ProbabilityError
        If a node or a state is unknown, the query is empty, or one of its
        nodes is observed.
    ZeroProbabilityError
        If the evidence has probability zero.
    TableTooLargeError
        If there are more than two million combinations.

    Examples
    --------
    >>> coins = BayesianNetwork.from_cpts(
    ...     {"coin": ("fair", "bent"), "toss": "HT"},
    ...     {"coin": ["1/2", "1/2"],
    ...      ("toss", "coin"): [["1/2", "1/2"], ["9/10", "1/10"]]},
    ... )
    >>> enumerate_posterior(coins, "coin", {"toss": "H"})
    P(coin | toss=H)
    coin=fair  coin=bent
         5/14       9/14
    """
    require_network(network)
    known = read_evidence(network, evidence)
    names = read_query(network, query, known.hard)
    choices = [
        [known.hard[node]] if node in known.hard else range(len(states))
        for node, states in network.states.items()
    ]
    n_combinations = prod(map(len, choices))
    if n_combinations > _MOST_COMBINATIONS:
        raise TableTooLargeError(
            f"There are {about(n_combinations)} combinations of states, and "
            "enumeration stops at two million: use eliminate, or a "
            "JunctionTree."
        )
    factors = [
        (table.values, [network.nodes.index(name) for name in table.variables])
        for table in network.tables.values()
    ]
    for name, weights in known.factors().items():
        factors.append((weights, [network.nodes.index(name)]))
    places = [network.nodes.index(name) for name in names]
    shape = [len(network.states[name]) for name in names]
    with np.errstate(over="ignore", invalid="ignore"):
        distribution = _sum_of_all(factors, choices, places, shape)
    if not is_safe(distribution.sum()):
        # Digits may be lost, or all of them: fractions lose none.
        factors = [(as_fractions(values), axes) for values, axes in factors]
        distribution = _sum_of_all(factors, choices, places, shape)
    return posterior_table(network, distribution, names, known)


def _sum_of_all(factors, choices, places, shape):
    """Add the product of each combination to the cell of its query states."""
    distribution = np.full(shape, Fraction(0), dtype=object)
    codes = [some[0] for some in choices]
    free = [axis for axis, some in enumerate(choices) if len(some) > 1]
    # At depth k, the factors that are known once the first k of these are.
    known = [[] for _ in range(len(free) + 1)]
    depths = {axis: depth for depth, axis in enumerate(free, start=1)}
    for values, axes in factors:
        depth = max(depths.get(axis, 0) for axis in axes)
        known[depth].append((values, axes))

    def add_up(depth, p):
        """Add all terms that begin with this product of factors."""
        for values, axes in known[depth]:
            p = p * values[tuple([codes[axis] for axis in axes])]
        if depth == len(free):
            distribution[tuple([codes[place] for place in places])] += p
            return
        for code in choices[free[depth]]:
            codes[free[depth]] = code
            add_up(depth + 1, p)

    add_up(0, Fraction(1))
    return distribution
