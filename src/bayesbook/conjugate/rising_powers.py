"""Rising powers a (a + 1) ⋯ (a + n − 1), their logarithms and slopes.

They are ratios of gamma functions, Γ(a + n) / Γ(a), and so the result of beta
and Dirichlet integrals: most predictive distributions of this room consist of
them. None is computed as a difference of two large logarithms.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

# From here on two terms of Stirling's series are all that a float holds.
_STIRLING = 100
# Factors of a rising power that are multiplied out: what follows them begins
# at a number for which Stirling's series are exact to rounding.
MOST_FACTORS = 100


def log_rising(a: ArrayLike, n: ArrayLike) -> float | np.ndarray:
    """Return log a (a + 1) ⋯ (a + n − 1) = log Γ(a + n) − log Γ(a).

    Parameters
    ----------
    a : float or array
        Positive.
    n : float or array
        At least 0; not only whole numbers.

    Returns
    -------
    float or array
        Without the cancellation of the difference: for large `a` Stirling's
        series (Abramowitz and Stegun 1964, formula 6.1.41) is subtracted
        term by term. Correct to 13 digits for n of 1/2 or more; for a much
        smaller `n` and an `a` below 100 to fewer.

    Examples
    --------
    >>> round(float(log_rising(2, 3)), 6)  # log(2 · 3 · 4)
    3.178054
    >>> round(float(log_rising(5e14, 2)), 6)
    67.691258
    """
    a, n = np.asarray(a, float), np.asarray(n, float)
    large = np.maximum(a, _STIRLING)
    stirling = (
        (large - 0.5) * np.log1p(n / large)
        + n * (np.log(large + n) - 1)
        + _tail(large + n)
        - _tail(large)
    )
    difference = special.gammaln(a + n) - special.gammaln(a)
    return np.where(a >= _STIRLING, stirling, difference)[()]


def _tail(x):
    # Powers of 1/x: those of x overflow.
    y = 1 / x
    return y / 12 - y**3 / 360


class RisingPowerSums:
    """Weighted sums of log a^(n) and its derivatives, for each of many a.

    The first factors are multiplied out: there is one term for each factor
    a + j, whose weight is that of all n > j. No difference of large numbers
    is taken. The rest of an n that is large or not whole has its own term.

    Parameters
    ----------
    of : array of int
        The number of the a to which each n belongs, from 0 to size − 1.
    n, weights : arrays of the same length
    size : int
        The number of a.
    """

    def __init__(self, of, n, weights, size):
        short = np.minimum(np.floor(n), MOST_FACTORS).astype(int)
        factors = np.zeros(size, int)
        np.maximum.at(factors, of, short)
        begin = np.cumsum(factors) - factors
        self.size = size
        self.of = np.repeat(np.arange(size), factors)
        self.added = _counting(factors)
        self.weights = np.bincount(
            np.repeat(begin[of], short) + _counting(short),
            np.repeat(weights, short),
            minlength=len(self.of),
        )
        has_rest = n > short
        self.rest_of = of[has_rest]
        self.rest_added = short[has_rest]
        self.rest = n[has_rest] - self.rest_added
        self.rest_weights = weights[has_rest]

    def logs(self, a):
        """Return the sums of the logarithms."""
        return self._sums(a, np.log, log_rising)

    def slopes(self, a):
        """Return the first derivatives."""
        return self._sums(a, np.reciprocal, _slope)

    def curvatures(self, a):
        """Return the second derivatives, with the opposite sign."""
        return self._sums(a, lambda factor: factor**-2, _curvature)

    def _sums(self, a, of_factor, of_rising):
        terms = of_factor(a[self.of] + self.added)
        sums = np.bincount(self.of, self.weights * terms, minlength=self.size)
        if len(self.rest):
            terms = of_rising(a[self.rest_of] + self.rest_added, self.rest)
            sums += np.bincount(
                self.rest_of, self.rest_weights * terms, minlength=self.size
            )
        return sums


def _counting(lengths):
    """Return 0, 1, …, n − 1 for each n, one after the other."""
    begin = np.cumsum(lengths) - lengths
    return np.arange(lengths.sum()) - np.repeat(begin, lengths)


def _slope(a, n):
    """Return ψ(a + n) − ψ(a), the derivative of log a^(n)."""

    def tail(x):
        # Abramowitz and Stegun (1964), formula 6.3.18.
        return 1 / (2 * x) + 1 / (12 * x**2) - 1 / (120 * x**4)

    large = np.maximum(a, MOST_FACTORS)
    series = np.log1p(n / large) + tail(large) - tail(large + n)
    difference = special.psi(a + n) - special.psi(a)
    return np.where(a >= MOST_FACTORS, series, difference)


def _curvature(a, n):
    """Return ψ'(a) − ψ'(a + n), minus the derivative of `_slope`."""

    def tail(x):
        # Abramowitz and Stegun (1964), formula 6.4.12.
        return 1 / (2 * x**2) + 1 / (6 * x**3) - 1 / (30 * x**5)

    large = np.maximum(a, MOST_FACTORS)
    series = n / large / (large + n) + tail(large) - tail(large + n)
    difference = special.polygamma(1, a) - special.polygamma(1, a + n)
    return np.where(a >= MOST_FACTORS, series, difference)
