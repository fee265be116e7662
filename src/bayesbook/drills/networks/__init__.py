"""Drills of Bayesian networks: queries, Markov blankets, parameters."""

from bayesbook.drills.networks.query import query
from bayesbook.drills.networks.structure import blanket, parameters

__all__ = ["blanket", "parameters", "query"]
