r"""Losses, risks and best decisions.

A decision is best if its conditional risk, the expected loss under the
posterior, is least. For a table of probabilities risks are sums, and exact if
the table is:

>>> from bayesbook.probability import Table
>>> joint = Table(
...     [["9/100", "1/100"], ["18/100", "72/100"]],
...     {"state": ("ill", "well"), "test": ("+", "-")},
... )
>>> loss = LossMatrix([[0, 1], [10, 0]], states=("ill", "well"),
...                   decisions=("treat", "wait"))
>>> bayes_decision_rule(joint, "state", loss)
{'+': ('treat',), '-': ('wait',)}
>>> print(bayes_risk(joint, "state", loss))
7/25

=================================  ============================================
:func:`zero_one_loss` and others   losses of predictions; their mean on data
:class:`LossMatrix`                losses of decisions; to reject may be one
:func:`bayes_decision_rule`        best decisions and their risk, from a table
:class:`GenerativeClassifier`      the same for densities of the features
:class:`CostSensitiveClassifier`   the same for a classifier of scikit-learn
=================================  ============================================

:meth:`LossMatrix.with_reject` makes the reject option from a loss matrix. The
theory is that of Duda, Hart and Stork (2001), *Pattern Classification*,
chapter 2.
"""

from bayesbook.decision.bayes_decisions import (
    bayes_decision_rule,
    bayes_risk,
    expected_risk,
)
from bayesbook.decision.cost_sensitive import CostSensitiveClassifier
from bayesbook.decision.generative_classifier import GenerativeClassifier
from bayesbook.decision.loss_matrix import LossMatrix
from bayesbook.decision.losses import (
    absolute_loss,
    empirical_risk,
    log_loss,
    squared_loss,
    structural_risk,
    zero_one_loss,
)
from bayesbook.decision.risks import QuadratureRisk, RiskEstimate

__all__ = [
    "CostSensitiveClassifier",
    "GenerativeClassifier",
    "LossMatrix",
    "QuadratureRisk",
    "RiskEstimate",
    "absolute_loss",
    "bayes_decision_rule",
    "bayes_risk",
    "empirical_risk",
    "expected_risk",
    "log_loss",
    "squared_loss",
    "structural_risk",
    "zero_one_loss",
]
