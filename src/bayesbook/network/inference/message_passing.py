r"""Message passing in a junction tree: sum-product and max-product.

Variable elimination answers one query. Its work for one query is most of the
work for the next: so the sums are kept, as messages between cliques. Each
clique :math:`C_i` multiplies its own factors, its potential :math:`\psi_i`,
and what its other neighbours say, and sums out what clique :math:`C_j` does
not know:

.. math:: \mu_{i \to j} = \sum_{C_i \setminus C_j} \psi_i
    \prod_{k \ne j} \mu_{k \to i} .

After a message has gone both ways along every edge, the product of all that a
clique has heard and its potential is :math:`P(C_i, e)`. With maxima instead of
sums it is the probability of the best completion. In a chain these are the
forward-backward and the Viterbi algorithm.

>>> from bayesbook.network import load_network
>>> tree = pass_messages(load_network("asia"), {"xray": "yes"})
>>> tree.posterior("lung")
Factor(lung)
     lung=yes        lung=no
192500/393893  201393/393893

The messages are those of Shafer and Shenoy (1990); see Koller and Friedman
(2009), section 10.2, and 13.3 for maxima. :class:`JunctionTree
<bayesbook.network.JunctionTree>` does the same on arrays that were prepared.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

import networkx as nx

from bayesbook.base import ProbabilityError
from bayesbook.base.names import did_you_mean
from bayesbook.network.evidence import (
    EvidenceLike,
    impossible,
    read_evidence,
)
from bayesbook.network.factor import Factor, factors_given, product
from bayesbook.network.inference._exactness import is_safe
from bayesbook.network.inference.elimination import (
    elimination_order,
    require_small,
)
from bayesbook.network.tabular import TabularNetwork, require_network
from bayesbook.probability import MAX_BYTES
from bayesbook.probability.table import State

__all__ = ["CalibratedTree", "pass_messages"]


class CalibratedTree(NamedTuple):
    """A junction tree in which messages have gone both ways along every edge.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> tree = pass_messages(load_network("five"), {"x5": "high"})
    >>> tree.cliques
    (('x1', 'x3'), ('x1', 'x2', 'x4'))
    >>> tree.messages[1, 0].scope
    ('x1',)
    """

    #: The nodes of each clique, without the observed ones.
    cliques: tuple[tuple[str, ...], ...]
    #: The product of the factors that each clique was given.
    potentials: tuple[Factor, ...]
    #: What one clique says to another, by their numbers: first those towards
    #: clique 0, then those away from it.
    messages: Mapping[tuple[int, int], Factor]
    #: Whether the messages are maxima, not sums.
    maximised: bool

    def belief(self, i: int) -> Factor:
        """Return all that a clique knows: its potential times what it heard.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> tree = pass_messages(load_network("five"))
        >>> tree.belief(0).total
        Fraction(1, 1)
        """
        heard = (m for (_, to), m in self.messages.items() if to == i)
        return product([self.potentials[i], *heard])

    def posterior(self, node: str) -> Factor:
        """Return the distribution of a node given the evidence.

        Raises
        ------
        ProbabilityError
            If the node is observed or unknown, or the messages are maxima.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> pass_messages(load_network("asia")).posterior("tub")
        Factor(tub)
        tub=yes   tub=no
         13/1250  1237/1250
        """
        if self.maximised:
            raise ProbabilityError(
                "Maxima do not tell posteriors: pass messages with "
                "maximise=False."
            )
        for i, clique in enumerate(self.cliques):
            if node in clique:
                return self.belief(i).marginal(node).normalise()
        known = {name for clique in self.cliques for name in clique}
        raise ProbabilityError(
            f"There is no posterior of {node!r}: it is observed, or not a "
            f"node.{did_you_mean(node, known)}"
        )

    def most_probable(self) -> dict[str, State]:
        """Return the most probable states of all nodes that are not observed.

        They are read off outwards: each clique takes the best of what agrees
        with the states that are chosen already.

        Raises
        ------
        ProbabilityError
            If the messages are sums.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> five = load_network("five")
        >>> pass_messages(five, {"x5": "high"}, maximise=True).most_probable()
        {'x1': 'low', 'x3': 'low', 'x2': 'low', 'x4': 'low'}
        """
        if not self.maximised:
            raise ProbabilityError(
                "Sums do not tell the most probable states: pass messages "
                "with maximise=True."
            )
        outwards = list(self.messages)[len(self.messages) // 2 :]
        states: dict[str, State] = {}
        for i in (0, *(to for _, to in outwards)):
            known = {n: states[n] for n in self.cliques[i] if n in states}
            states |= self.belief(i).reduce(known).argmax()
        return states


def pass_messages(
    network: TabularNetwork,
    evidence: EvidenceLike | None = None,
    *,
    maximise: bool = False,
    max_bytes: int = MAX_BYTES,
) -> CalibratedTree:
    """Send messages both ways along every edge of a junction tree.

    Parameters
    ----------
    network : BayesianNetwork
    evidence : mapping, optional
        From a node to its state, or to a likelihood for each of its states.
    maximise : bool
        Take maxima instead of sums: max-product instead of sum-product.
    max_bytes : int
        The limit of the size of a clique.

    Returns
    -------
    CalibratedTree
        Exact if the network and the likelihoods are. Where floats would lose
        digits, as with evidence on very many nodes, it is computed with
        fractions, which may take minutes: a
        :class:`~bayesbook.network.JunctionTree` does not.

    Raises
    ------
    TypeError
        If `network` is not a network, or the evidence not a mapping.
    ProbabilityError
        If a node or a state is unknown.
    ZeroProbabilityError
        If the evidence has probability zero.
    TableTooLargeError
        If a clique would need more than `max_bytes`.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> asia = load_network("asia")
    >>> best = pass_messages(asia, {"dysp": "yes"}, maximise=True)
    >>> best.most_probable()["bronc"]
    'yes'
    """
    require_network(network)
    known = read_evidence(network, evidence)
    factors = factors_given(network, known)
    order = elimination_order(network, observed=tuple(known.hard))
    require_small(factors, order, (), max_bytes)
    tree = _calibrated(network.nodes, factors, order, maximise)
    if not is_safe(tree.belief(0).total):
        # Digits may be lost, or all of them: fractions lose none.
        factors = [factor.as_fractions() for factor in factors]
        require_small(factors, order, (), max_bytes, exactly=True)
        tree = _calibrated(network.nodes, factors, order, maximise)
    if not tree.belief(0).total > 0:
        raise impossible(network, known)
    return tree


def _calibrated(nodes, factors, order, maximise):
    """Send each message once: towards clique 0, and then away from it."""
    cliques = _cliques([factor.scope for factor in factors], order)
    tree = _junction_tree(cliques)
    mine: list[list[Factor]] = [[] for _ in cliques]
    for factor in factors:
        home = next(i for i, c in enumerate(cliques) if c >= {*factor.scope})
        mine[home].append(factor)
    potentials = tuple(map(product, mine))
    outwards = list(nx.bfs_edges(tree, 0))
    inwards = [(i, j) for j, i in reversed(outwards)]
    messages: dict[tuple[int, int], Factor] = {}
    for i, j in [*inwards, *outwards]:
        heard = [messages[k, i] for k in tree[i] if k != j]
        told = product([potentials[i], *heard])
        unknown = [node for node in told.scope if node not in cliques[j]]
        remove = told.max_out if maximise else told.sum_out
        messages[i, j] = remove(*unknown)
    names = tuple(tuple(n for n in nodes if n in c) for c in cliques)
    return CalibratedTree(names, potentials, messages, maximise)


def _cliques(scopes, order):
    """Return the largest sets of nodes that meet in a product.

    Eliminating a node multiplies the factors that have it, and leaves a
    factor of its neighbours.
    """
    cliques = []
    scopes = [{*scope} for scope in scopes]
    for node in order:
        clique = {node}.union(*(scope for scope in scopes if node in scope))
        scopes = [scope for scope in scopes if node not in scope]
        scopes.append(clique - {node})
        # A clique within an earlier one adds nothing.
        if not any(clique <= other for other in cliques):
            cliques.append(clique)
    return cliques or [set()]


def _junction_tree(cliques):
    """Join cliques so that those with a node are joined to each other.

    Every spanning tree whose separators have the most nodes does it (Koller
    and Friedman 2009, section 10.4.2).
    """
    graph = nx.Graph()
    graph.add_nodes_from(range(len(cliques)))
    for i, j in combinations(graph, 2):
        graph.add_edge(i, j, weight=len(cliques[i] & cliques[j]))
    return nx.maximum_spanning_tree(graph)
