"""Elicitation: from beliefs about a parameter to a prior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import as_float, exact_weight
from bayesbook.conjugate.family import ConjugateFamily, read_mass

# The strengths of the priors that are tried.
_STRENGTHS = np.logspace(-4, 12, 641)


@dataclass(frozen=True, repr=False)
class Elicited:
    """A prior, the interval it was fitted to, and how well it fits.

    Parameters
    ----------
    prior : ConjugateFamily
        Of a single number, unlike the families of Dirichlet distributions and
        of pairs (μ, σ²).
    mean : float
        The mean that was asked for.
    interval : tuple of two floats
        The lower end first.
    mass : float
        The probability of the interval that was asked for.

    Raises
    ------
    ProbabilityError
        If the interval is empty, or `mass` not a probability.
    TypeError
        If the prior is not such a family.

    Examples
    --------
    A published answer, and what it misses:

    >>> from bayesbook.conjugate import BetaBernoulli
    >>> Elicited(BetaBernoulli(4.5, 25.5), 0.15, (0.05, 0.30), 0.95)
    BetaBernoulli(a=4.5, b=25.5), mean 0.15
    0.9498 in (0.05, 0.3), asked for 0.95, residual -0.000159
    """

    prior: ConjugateFamily
    mean: float
    interval: tuple[float, float]
    mass: float

    def __post_init__(self) -> None:
        if not isinstance(self.prior, ConjugateFamily) or not hasattr(
            self.prior.distribution, "cdf"
        ):
            raise TypeError(
                f"{self.prior!r} gives no probability to an interval: give a "
                "prior of a single number, such as BetaBernoulli(4.5, 25.5)."
            )
        for name, value in (
            ("mean", as_float(self.mean, "The mean")),
            ("interval", read_interval(self.interval)),
            ("mass", read_mass(self.mass)),
        ):
            object.__setattr__(self, name, value)

    @property
    def attained(self) -> float:
        """The probability that the prior gives to the interval."""
        low, high = self.interval
        cdf = self.prior.distribution.cdf
        return float(cdf(high) - cdf(low))

    @property
    def residual(self) -> float:
        """The probability of the interval minus `mass`."""
        return self.attained - self.mass

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"{self.prior}, mean {self.prior.mean():.6g}\n"
            f"{self.attained:.4f} in ({low:g}, {high:g}), asked for "
            f"{self.mass:g}, residual {round(self.residual, 6) + 0.0:.6f}"
        )


def fit_prior_to_interval(
    name: str,
    distribution: Callable[..., Any],
    prior: Callable[[float], ConjugateFamily],
    mean: float,
    interval: tuple[float, float],
    mass: float,
) -> Elicited:
    """Fit the weakest prior under which an interval has a given mass.

    Parameters
    ----------
    name : str
        What its distributions are called in the message, such as 'beta'.
    distribution : callable
        From a strength, or an array of them, to the frozen distribution that
        has this strength and the given mean.
    prior : callable
        From a strength to the prior.
    mean : float
    interval : tuple of two floats
        Both already checked.
    mass : float
    """
    low, high = interval
    mass = read_mass(mass)
    if mass in (0, 1):
        raise ProbabilityError(
            f"The probability of the interval is {mass:g}; it must be "
            "between 0 and 1, and neither of them."
        )

    def residual(strength):
        candidate = distribution(strength)
        return candidate.cdf(high) - candidate.cdf(low) - mass

    strengths = _with_the_nearest(residual)
    residuals = residual(strengths)
    crossings = np.flatnonzero(np.diff(np.sign(residuals)))
    if not crossings.size:
        near = float(strengths[np.argmin(np.abs(residuals))])
        best = Elicited(prior(near), mean, interval, mass)
        raise ProbabilityError(
            f"No {name} distribution has the mean {mean:g} and the "
            f"probability {mass:g} between {low:g} and {high:g}. The nearest "
            f"is {best.prior}, with the probability {best.attained:.4f}: "
            "change the mean, the interval or its probability."
        )
    first = crossings[0]
    strength = brentq(residual, *strengths[first : first + 2], xtol=1e-300)
    return Elicited(prior(strength), mean, interval, mass)


def _with_the_nearest(residual: Callable[..., Any]) -> np.ndarray:
    """Return the strengths to try, with the nearest one between them.

    If the residuals of all have one sign, the least may lie between two of
    them, and may even have the other sign.
    """
    residuals = residual(_STRENGTHS)
    sign = np.sign(residuals[0])
    if (np.sign(residuals) != sign).any():
        return _STRENGTHS
    at = np.argmin(np.abs(residuals))
    ends = np.clip([at - 1, at + 1], 0, len(_STRENGTHS) - 1)
    found = minimize_scalar(
        lambda log_strength: sign * residual(np.exp(log_strength)),
        bounds=np.log(_STRENGTHS[ends]),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return np.sort([*_STRENGTHS, np.exp(found.x)])


def read_interval(
    interval: tuple[float, float], least: float = -np.inf, most: float = np.inf
) -> tuple[float, float]:
    """Read the ends of an interval inside the range of a parameter."""
    try:
        low, high = interval
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ProbabilityError
        raise kind(
            f"The interval is {interval!r}; give its two ends, the lower one "
            "first."
        ) from None
    low = as_float(low, "The lower end of the interval", least, most)
    high = as_float(high, "The upper end of the interval", least, most)
    if low >= high:
        raise ProbabilityError(
            f"The interval ({low:g}, {high:g}) is empty: give the lower end "
            "first."
        )
    return low, high


def read_mean_and_sd(
    mean: float, sd: float, most: float = np.inf
) -> tuple[Any, Any]:
    """Read a mean and a standard deviation as the fractions they print as."""
    as_float(mean, "The mean", 0, most, open_=True)
    as_float(sd, "The standard deviation", 0, open_=True)
    return (
        exact_weight(mean, "The mean"),
        exact_weight(sd, "The standard deviation"),
    )
