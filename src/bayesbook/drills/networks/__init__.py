"""Drills of Bayesian networks: queries and structure, and learning both."""

from bayesbook.drills.networks.classes import compelled
from bayesbook.drills.networks.counting import smoothing
from bayesbook.drills.networks.mixing import em_step
from bayesbook.drills.networks.query import query
from bayesbook.drills.networks.scoring import chow_liu, score_delta
from bayesbook.drills.networks.structure import blanket, parameters

__all__ = [
    "blanket",
    "chow_liu",
    "compelled",
    "em_step",
    "parameters",
    "query",
    "score_delta",
    "smoothing",
]
