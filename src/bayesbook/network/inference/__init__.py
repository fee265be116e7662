"""Exact inference: the posterior distribution of nodes given evidence.

All methods compute the same sum over the nodes that are neither in the query
nor observed.

- :mod:`~bayesbook.network.inference.enumeration`: the definition, term by
  term;
- :mod:`~bayesbook.network.inference.elimination`: variable elimination, with
  the sums pushed into the product, and orders of elimination;
- :mod:`~bayesbook.network.inference.junction_tree`: all nodes at once, the
  most probable explanation, joint distributions and many rows of evidence
  (:mod:`~bayesbook.network.inference.batch`).

Below them stand ``bayesbook.network.inference.triangulation`` (moral and
triangulated graphs, cliques) and the engine of the junction tree:
``bayesbook.network.inference.message_passing``, with logarithms in
``bayesbook.network.inference.log_message_passing``.
"""

from bayesbook.network.inference.batch import BatchPosteriors
from bayesbook.network.inference.elimination import (
    Elimination,
    EliminationStep,
    eliminate,
    elimination_order,
)
from bayesbook.network.inference.enumeration import enumerate_posterior
from bayesbook.network.inference.junction_tree import (
    JunctionTree,
    MostProbable,
)

__all__ = [
    "BatchPosteriors",
    "Elimination",
    "EliminationStep",
    "JunctionTree",
    "MostProbable",
    "eliminate",
    "elimination_order",
    "enumerate_posterior",
]
