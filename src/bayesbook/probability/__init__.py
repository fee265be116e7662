"""Probability spaces, tables with names, and information.

==============================  ===============================================
:class:`ProbabilitySpace`       outcomes and events, with exact fractions
:class:`Table`                  joint, marginal and conditional distributions
:func:`bayes_rule` and others   hypotheses, total probability, and trees of two
                                stages
:class:`IndependenceCheck`      independence of variables, and of events
:class:`VarianceParts`          expectation, and variance in two parts
:func:`entropy` and others      entropy, cross-entropy, divergence
==============================  ===============================================
"""

from bayesbook.probability.events import ProbabilitySpace
from bayesbook.probability.expectation import VarianceParts
from bayesbook.probability.hypotheses import (
    bayes_rule,
    total_probability,
    two_stage,
)
from bayesbook.probability.independence import IndependenceCheck
from bayesbook.probability.information import (
    cross_entropy,
    empirical_distribution,
    entropy,
    kl_divergence,
)
from bayesbook.probability.table import MAX_BYTES, Table

__all__ = [
    "MAX_BYTES",
    "IndependenceCheck",
    "ProbabilitySpace",
    "Table",
    "VarianceParts",
    "bayes_rule",
    "cross_entropy",
    "empirical_distribution",
    "entropy",
    "kl_divergence",
    "total_probability",
    "two_stage",
]
