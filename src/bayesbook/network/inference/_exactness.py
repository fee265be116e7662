"""Sums of floats that may have lost digits, and fractions, which lose none."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import numpy as np

from bayesbook.network.evidence import impossible
from bayesbook.network.inference._limits import SAFE_SUM
from bayesbook.network.posteriors import shown_evidence
from bayesbook.probability.table import unchecked_table


def is_safe(total):
    """Return whether a sum is exact, or neither too small nor too large."""
    return isinstance(total, Fraction) or SAFE_SUM <= total < inf


def as_fractions(values):
    """Return an array of floats as the fractions that they are."""
    exact = np.empty(values.shape, dtype=object)
    exact.flat = [Fraction(value) for value in values.ravel().tolist()]
    return exact


def posterior_table(network, distribution, names, known):
    """Return non-negative numbers as the posterior table of some nodes."""
    total = distribution.sum()
    if not total > 0:
        raise impossible(network, known)
    values = distribution / total
    exact = network.is_exact and known.is_exact and values.dtype == object
    if not exact or not all(isinstance(v, Fraction) for v in values.flat):
        values = values.astype(float)
    states = {name: network.states[name] for name in names}
    return unchecked_table(values, states, (), shown_evidence(known.given))
