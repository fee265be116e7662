"""States that the evidence leaves possible.

The probability of a configuration is positive if no factor is zero there.
Factors without zeros therefore play no role.
"""

from __future__ import annotations

import numpy as np

from bayesbook.base import ConvergenceError
from bayesbook.base.numbers import as_floats
from bayesbook.network.evidence import (
    SAFE_FLOAT,
    Evidence,
    as_text,
    impossible,
)
from bayesbook.network.factor import Factor, factors_given, unchecked_factor


def float_factors(network, evidence: Evidence) -> list[Factor]:
    """Return the tables given the evidence, as factors of floats.

    Each is proportional to its table; first one for each node, in order.
    """
    return [
        unchecked_factor(_scaled(factor.values), factor.states)
        for factor in factors_given(network, evidence)
    ]


def _scaled(values):
    """Round fractions to floats, as shares of the largest if it is small."""
    if values.dtype == object and 0 < values.max() < SAFE_FLOAT:
        values = np.asarray(values / values.max())
    return as_floats(values)


def possible_states(network, evidence: Evidence, factors) -> dict:
    """Find the states of every free node that may still be possible.

    A state is struck out if a factor is zero at it for all states of the other
    nodes; this is repeated until no factor strikes out a state (constraint
    propagation, after Mackworth 1977). Every state struck out is impossible,
    but some impossible states may be left.

    Returns
    -------
    dict of node to array of bool

    Raises
    ------
    ZeroProbabilityError
        If no state of a node is left, so that the evidence is impossible.
    """
    left = {
        node: np.ones(len(states), dtype=bool)
        for node, states in network.states.items()
        if node not in evidence.hard
    }
    about: dict[str, list[int]] = {node: [] for node in left}
    waiting = {}
    for number, factor in enumerate(factors):
        if factor.values.all():
            continue
        if not factor.values.any():
            raise impossible(network, evidence)
        waiting[number] = factor.scope, factor.values != 0
        for node in factor.scope:
            about[node].append(number)
    supports = dict(waiting)
    while waiting:
        number = next(iter(waiting))
        scope, support = waiting.pop(number)
        for axis, node in enumerate(scope):
            shape = [1] * len(scope)
            shape[axis] = -1
            support = support & left[node].reshape(shape)
        for axis, node in enumerate(scope):
            others = tuple(a for a in range(len(scope)) if a != axis)
            seen = support.any(axis=others)
            if seen.sum() < left[node].sum():
                if not seen.any():
                    raise impossible(network, evidence)
                left[node] = seen
                for other in about[node]:
                    if other != number:
                        waiting[other] = supports[other]
    return left


def none_agrees(network, known, size):
    """Return the error for draws of which none agrees with the evidence."""
    try:
        possible_states(network, known, float_factors(network, known))
    except ValueError:
        return impossible(network, known)
    return ConvergenceError(
        f"None of {size:,} draws agrees with the evidence "
        f"{as_text(network, known)}: it is very unlikely, or impossible. Draw "
        "more rows, or use JunctionTree(network).posteriors(evidence)."
    )
