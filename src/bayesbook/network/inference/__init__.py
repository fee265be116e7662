"""Exact inference: the posterior distribution of nodes given evidence.

All methods compute the same sum over the nodes that are neither in the query
nor observed.

- :mod:`~bayesbook.network.inference.enumeration`: the definition, term by
  term;
- :mod:`~bayesbook.network.inference.elimination`: variable elimination, with
  the sums pushed into the product, and orders of elimination;
- :mod:`~bayesbook.network.inference.message_passing`: all nodes at once, by
  messages between the cliques of a junction tree;
- :mod:`~bayesbook.network.inference.junction_tree`: the same, prepared for
  many queries: posteriors, joint distributions, the most probable explanation
  and many rows of evidence (:mod:`~bayesbook.network.inference.batch`);
- :mod:`~bayesbook.network.inference.most_probable`: the most probable states
  of some nodes.

All but the junction tree compute with a
:class:`~bayesbook.network.Factor`. Below that stand
``bayesbook.network.inference.triangulation`` (moral and triangulated graphs,
cliques) and its engine, ``bayesbook.network.inference.compiled_tree``.
"""

from bayesbook.network.inference.batch import BatchPosteriors
from bayesbook.network.inference.elimination import (
    Elimination,
    EliminationStep,
    eliminate,
    elimination_order,
)
from bayesbook.network.inference.enumeration import enumerate_posterior
from bayesbook.network.inference.junction_tree import JunctionTree
from bayesbook.network.inference.message_passing import (
    CalibratedTree,
    pass_messages,
)
from bayesbook.network.inference.most_probable import MostProbable

__all__ = [
    "BatchPosteriors",
    "CalibratedTree",
    "Elimination",
    "EliminationStep",
    "JunctionTree",
    "MostProbable",
    "eliminate",
    "elimination_order",
    "enumerate_posterior",
    "pass_messages",
]
