"""Drills of Bayesian networks: queries and structure, and learning both."""

from bayesbook.study.drills.networks.classes import compelled
from bayesbook.study.drills.networks.counting import smoothing
from bayesbook.study.drills.networks.eliminating import elimination_cost
from bayesbook.study.drills.networks.messages import chain_messages
from bayesbook.study.drills.networks.mixing import em_step, map_em
from bayesbook.study.drills.networks.query import query
from bayesbook.study.drills.networks.scoring import chow_liu, score_delta
from bayesbook.study.drills.networks.sequences import (
    baum_welch,
    kalman_step,
)
from bayesbook.study.drills.networks.structure import blanket, parameters

__all__ = [
    "baum_welch",
    "blanket",
    "chain_messages",
    "chow_liu",
    "compelled",
    "elimination_cost",
    "em_step",
    "kalman_step",
    "map_em",
    "parameters",
    "query",
    "score_delta",
    "smoothing",
]
