"""Stationary distributions, by elimination of one state after the other."""

from __future__ import annotations

import numpy as np

# If a number is smaller than this, or larger than the inverse, floats may have
# lost digits.
_SMALL = 1e-100


def stationary_distribution(matrix: np.ndarray) -> np.ndarray:
    """Solve π = π P by elimination of the last state, and so on.

    The chain that is observed only in the other states has the same
    stationary distribution up to a factor. No subtraction is needed.
    """
    original, matrix = matrix, matrix.copy()
    distribution = matrix[0] * 0 + 1
    leaving = distribution.copy()
    with np.errstate(all="ignore"):
        for last in range(len(matrix) - 1, 0, -1):
            # The probability of leaving the last state, as a sum and not as
            # 1 minus the probability of staying.
            leaving[last] = matrix[last, :last].sum()
            matrix[:last, last] /= leaving[last]
            matrix[:last, :last] += np.multiply.outer(
                matrix[:last, last], matrix[last, :last]
            )
        for state in range(1, len(matrix)):
            distribution[state] = distribution[:state] @ matrix[:state, state]
    if matrix.dtype == object or _is_safe(
        np.concatenate([distribution, leaving])
    ):
        return distribution / distribution.sum()
    return _eliminated_by_logarithms(original)


def _is_safe(numbers):
    """Return whether all numbers are far from the limits of floats."""
    return ((numbers > _SMALL) & (numbers < 1 / _SMALL)).all()


def _eliminated_by_logarithms(matrix):
    """Solve π = π P by logarithms, for numbers of any size."""
    with np.errstate(divide="ignore"):
        logs = np.log(matrix)
    for last in range(len(matrix) - 1, 0, -1):
        logs[:last, last] -= np.logaddexp.reduce(logs[last, :last])
        # Only the states before and after it with a positive probability.
        before = np.flatnonzero(logs[:last, last] > -np.inf)
        after = np.flatnonzero(logs[last, :last] > -np.inf)
        around = np.ix_(before, after)
        logs[around] = np.logaddexp(
            logs[around],
            np.add.outer(logs[before, last], logs[last, after]),
        )
    distribution = np.zeros(len(matrix))
    for state in range(1, len(matrix)):
        distribution[state] = np.logaddexp.reduce(
            distribution[:state] + logs[:state, state]
        )
    return np.exp(distribution - np.logaddexp.reduce(distribution))
