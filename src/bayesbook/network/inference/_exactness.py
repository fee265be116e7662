"""Sums of floats that may have lost digits, and fractions, which lose none."""

from __future__ import annotations

from fractions import Fraction
from math import inf

from bayesbook.network.evidence import impossible
from bayesbook.network.posteriors import shown_evidence
from bayesbook.probability.table import unchecked_table

# A smaller sum of floats may have lost digits, or all of them.
_SAFE_SUM = 1e-250


def is_safe(total):
    """Return whether a sum is exact, or neither too small nor too large."""
    return isinstance(total, Fraction) or _SAFE_SUM <= total < inf


def posterior_table(network, factor, known):
    """Return the factor of a query as the posterior table of its nodes."""
    if not factor.total > 0:
        raise impossible(network, known)
    factor = factor.normalise()
    if not (network.is_exact and known.is_exact):
        factor = factor.as_floats()
    return unchecked_table(
        factor.values, factor.states, (), shown_evidence(known.given)
    )
