"""Bayesian networks: representation, exact inference, sampling.

A network is a directed acyclic graph and a table of each node given its
parents. What is known is a dictionary, from a node to its state, or to the
likelihoods of its states; what follows from it is given as tables.
"""

from bayesbook.errors import BIFError
from bayesbook.network._posteriors import Posteriors
from bayesbook.network.bif import format_bif, parse_bif, read_bif, write_bif
from bayesbook.network.exact import (
    BatchPosteriors,
    Elimination,
    EliminationStep,
    JunctionTree,
    MostProbable,
    eliminate,
    elimination_order,
    enumerate_posterior,
)
from bayesbook.network.examples import load_network, network_catalogue
from bayesbook.network.model import BayesianNetwork

__all__ = [
    "BIFError",
    "BatchPosteriors",
    "BayesianNetwork",
    "Elimination",
    "EliminationStep",
    "JunctionTree",
    "MostProbable",
    "Posteriors",
    "eliminate",
    "elimination_order",
    "enumerate_posterior",
    "format_bif",
    "load_network",
    "network_catalogue",
    "parse_bif",
    "read_bif",
    "write_bif",
]
