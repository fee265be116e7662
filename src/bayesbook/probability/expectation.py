"""Means and variances of functions of variables, for each configuration."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from bayesbook.base.numbers import plain_number


class VarianceParts(NamedTuple):
    """The two parts of a variance, which they sum to.

    Examples
    --------
    >>> from bayesbook.probability import Table
    >>> p = Table([["1/8", "3/8"], ["1/4", "1/4"]],
    ...           {"X": (0, 1), "Y": (0, 10)})
    >>> within, between = p.total_variance("Y", given="X")
    >>> print(within, between, within + between == p.variance("Y"))
    175/8 25/16 True
    """

    #: The mean of the conditional variances: the variance that remains.
    within: Fraction | float
    #: The variance of the conditional means: what conditioning explains.
    between: Fraction | float


@dataclass(frozen=True)
class Average:
    """The averages of a function, one for each configuration of some axes."""

    #: The conditional probabilities; zeros for an impossible configuration.
    p: np.ndarray
    #: The function's values, with the same axes, of length 1 if constant.
    values: np.ndarray
    #: The axes to sum over; the others are those of the configurations.
    axes: tuple[int, ...]

    def mean(self, keepdims: bool = False) -> Any:
        """Return the mean for each configuration."""
        return (self.p * self.values).sum(axis=self.axes, keepdims=keepdims)

    def variance(self) -> Any:
        """Return the variance for each configuration."""
        deviation = self.values - self.mean(keepdims=True)
        return (self.p * deviation**2).sum(axis=self.axes)

    def variance_parts(self, weights: np.ndarray) -> VarianceParts:
        """Split the variance, given the probabilities of configurations."""
        means = self.mean(keepdims=True).reshape(weights.shape)
        centre = (weights * means).sum()
        return VarianceParts(
            plain_number((weights * self.variance()).sum()),
            plain_number((weights * (means - centre) ** 2).sum()),
        )
