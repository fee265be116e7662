r"""Inference by enumeration: the definition of a posterior distribution.

All tables are multiplied, which gives the joint probability of every
combination of states that agrees with the evidence, and those of one state of
the query are added; :math:`h` are the nodes that are neither in the query nor
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
from math import prod

from bayesbook.base import TableTooLargeError
from bayesbook.base.labels import about
from bayesbook.network.evidence import EvidenceLike, read_evidence, read_query
from bayesbook.network.factor import factors_given, product
from bayesbook.network.inference._exactness import is_safe, posterior_table
from bayesbook.network.tabular import TabularNetwork, require_network
from bayesbook.probability import Table

__all__ = ["enumerate_posterior"]

# A fraction for each combination of states takes some microseconds.
_MOST_COMBINATIONS = 2_000_000


def enumerate_posterior(
    network: TabularNetwork,
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
    >>> from bayesbook.network import BayesianNetwork
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
    free = [node for node in network.nodes if node not in known.hard]
    n_combinations = prod(len(network.states[node]) for node in free)
    if n_combinations > _MOST_COMBINATIONS:
        raise TableTooLargeError(
            f"There are {about(n_combinations)} combinations of states, and "
            "enumeration stops at two million: use eliminate, or a "
            "JunctionTree."
        )
    factors = factors_given(network, known)
    joint = product(factors)
    if not is_safe(joint.total):
        # Digits may be lost, or all of them: fractions lose none.
        joint = product(factor.as_fractions() for factor in factors)
    return posterior_table(network, joint.marginal(*names), known)
