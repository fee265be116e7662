"""Rates that are learned from counts and from waiting times: gamma priors.

Sources: Gelman et al. (2013), section 2.6; Bernardo and Smith (1994),
appendix A.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
from scipy import special, stats
from scipy.stats.distributions import rv_frozen

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import refuse, require_counts
from bayesbook.base.numbers import as_float
from bayesbook.conjugate.elicitation import (
    Elicited,
    fit_prior_to_interval,
    read_interval,
    read_mean_and_sd,
)
from bayesbook.conjugate.family import (
    DATA,
    ConjugateFamily,
    exact_sum,
    no_mode_error,
    read_count,
    read_total,
)
from bayesbook.conjugate.predictives import lomax, negative_binomial
from bayesbook.conjugate.rising_powers import log_rising


@dataclass(frozen=True, repr=False)
class GammaFamily(ConjugateFamily):
    """A rate λ, distributed as Gamma(shape, rate): the base of two families.

    Parameters
    ----------
    shape : float
        Positive.
    rate : float
        Positive; the mean of the distribution is shape / rate.

    Raises
    ------
    ProbabilityError
        If one of them is not a positive number.

    See Also
    --------
    GammaPoisson : for counts.
    GammaExponential : for waiting times.

    Examples
    --------
    >>> prior = GammaPoisson.from_mean_sd(2, 1)
    >>> prior
    GammaPoisson(shape=4, rate=2)
    >>> isinstance(prior, GammaFamily), prior.mean(), prior.std(), prior.mode()
    (True, 2.0, 1.0, 1.5)
    """

    shape: float
    rate: float

    # Which sufficient statistic is added to the shape, and which to the rate.
    _names = ("shape", "rate")

    def __post_init__(self) -> None:
        self._read_positive("shape", "rate")
        exact = map(Fraction, (self.shape, self.rate))
        self._set(_sums=dict(zip(self._names, exact, strict=True)))

    def _hyper_parameters(self, sums):
        shape, rate = (float(sums[name]) for name in self._names)
        return {"shape": shape, "rate": rate}

    @classmethod
    def from_mean_sd(cls, mean: float, sd: float) -> Self:
        """Find the gamma prior with a given mean and standard deviation.

        Parameters
        ----------
        mean, sd : float
            Positive.

        Returns
        -------
        gamma family
            With the shape (mean / sd)² and the rate mean / sd².

        Raises
        ------
        ProbabilityError
            If one of them is not a positive number.

        Examples
        --------
        >>> GammaExponential.from_mean_sd(0.5, 0.25)
        GammaExponential(shape=4, rate=8)
        """
        mean, sd = read_mean_and_sd(mean, sd)
        return cls((mean / sd) ** 2, mean / sd**2)

    @classmethod
    def from_interval(
        cls, mean: float, interval: tuple[float, float], mass: float = 0.95
    ) -> Elicited:
        """Find the gamma prior with a given mean and mass of an interval.

        Parameters
        ----------
        mean : float
            Positive.
        interval : tuple of two floats
            Its ends, at least 0.
        mass : float
            The probability of the interval.

        Returns
        -------
        Elicited
            With the prior and how well it meets the mass. If several
            distributions do, the prior is the one with the least shape.

        Raises
        ------
        ProbabilityError
            If no gamma distribution with a shape from 10⁻⁴ to 10¹² meets it.
            The message names the one that comes nearest. Also for a mean, an
            interval or a mass outside of these ranges, and for a mass of
            0 or 1.
        """
        mean = as_float(mean, "The mean", 0, open_=True)
        return fit_prior_to_interval(
            "gamma",
            lambda shape: stats.gamma(shape, scale=mean / shape),
            lambda shape: cls(shape, shape / mean),
            mean,
            read_interval(interval, 0),
            mass,
        )

    @property
    def distribution(self) -> rv_frozen:
        """The frozen `scipy.stats.gamma` distribution of λ."""
        return stats.gamma(self.shape, scale=1 / self.rate)

    def mean(self) -> float:
        """Return the expectation of λ.

        Returns
        -------
        float
            shape / rate.
        """
        return self.shape / self.rate

    def var(self) -> float:
        """Return the variance of λ.

        Returns
        -------
        float
            shape / rate².
        """
        return self.shape / self.rate / self.rate

    def mode(self) -> float:
        """Return the value of λ where the density is largest.

        Returns
        -------
        float
            (shape − 1) / rate, if the shape is at least 1.

        Raises
        ------
        ProbabilityError
            If the shape is less, so that the density is infinite at 0.
        """
        if self.shape < 1:
            raise no_mode_error(self, "its density is infinite at 0")
        return (self.shape - 1) / self.rate


@dataclass(frozen=True, repr=False)
class GammaPoisson(GammaFamily):
    """A rate λ, distributed as Gamma(shape, rate), and Poisson counts.

    The likelihood of counts with the sum T, observed for a total exposure N
    (their number, or the time they took), is proportional to λ^T e^(−λN), and
    the posterior Gamma(shape + T, rate + N).

    Parameters
    ----------
    shape : float
        Positive: the imagined total of counts.
    rate : float
        Positive: the imagined exposure.

    Raises
    ------
    ProbabilityError
        If one of them is not a positive number.

    Examples
    --------
    >>> posterior = GammaPoisson(2, 1).update([3, 0, 1, 2])
    >>> posterior
    GammaPoisson(shape=8, rate=5)
    >>> posterior.mean(), posterior.mode()
    (1.6, 1.4)
    >>> round(float(posterior.predictive().pmf(0)), 4)
    0.2326
    """

    _names = ("total", "exposure")

    def _read(self, data):
        x = super()._read(data)
        require_counts(x, DATA)
        return x

    def _sums_of(self, x):
        return {"total": exact_sum(x), "exposure": Fraction(len(x))}

    def update(
        self,
        data: int | Iterable[int] = (),
        *,
        total: int = 0,
        exposure: float = 0,
    ) -> Self:
        """Learn from counts, or from their total, or from both.

        Parameters
        ----------
        data : int or sequence of int
            Counts, each observed for one unit of exposure.
        total : int
            A further total of counts.
        exposure : float
            The exposure in which it was observed.

        Returns
        -------
        GammaPoisson
            The posterior Gamma(shape + T, rate + N); the prior without data.

        Raises
        ------
        ProbabilityError
            If a count is negative or not whole, the exposure negative, or
            there are counts without an exposure.

        Examples
        --------
        >>> GammaPoisson(2, 1).update(total=6, exposure=4)
        GammaPoisson(shape=8, rate=5)
        """
        given = {
            "total": read_count(total, "The total of the counts"),
            "exposure": read_total(exposure, "The exposure"),
        }
        if given["total"] and not given["exposure"]:
            raise ProbabilityError(
                f"The total of the counts is {total} in an exposure of 0: "
                "give the number of the counts, or the time they took, as "
                "`exposure`."
            )
        return self._learn(self._read(data), given)

    def log_evidence(self, data: int | Iterable[int]) -> float:
        """Return the log-probability of counts in their order.

        Parameters
        ----------
        data : int or sequence of int
            Counts, each observed for one unit of exposure.

        Returns
        -------
        float
            The sum of the log-probabilities of each under the predictive
            distribution after those before it. 0 without data.

        Raises
        ------
        ProbabilityError
            If a count is negative or not whole.
        """
        x = self._read(data)
        total, n = float(exact_sum(x)), len(x)
        return float(
            log_rising(self.shape, total)
            - self.shape * np.log1p(n / self.rate)
            - total * np.log(self.rate + n)
            - special.gammaln(x + 1).sum()
        )

    def predictive(self, exposure: float = 1) -> rv_frozen:
        """Return the distribution of the next count.

        Parameters
        ----------
        exposure : float
            Positive: the exposure of that count, such as its time.

        Returns
        -------
        frozen distribution
            The negative binomial distribution, which `scipy.stats.nbinom` has
            with n = shape and p = rate / (rate + exposure); precise for large
            hyper-parameters too.

        Raises
        ------
        ProbabilityError
            If the exposure is not a positive number.

        Examples
        --------
        >>> weeks = GammaPoisson(8, 5).predictive(exposure=2)
        >>> weeks.pmf([0, 1, 2]).round(4).tolist()
        [0.0678, 0.1549, 0.1991]
        """
        exposure = as_float(exposure, "The exposure", 0, open_=True)
        return negative_binomial(self.shape, exposure / self.rate)


@dataclass(frozen=True, repr=False)
class GammaExponential(GammaFamily):
    """A rate λ, distributed as Gamma(shape, rate), and waiting times.

    The times are exponential. The likelihood of N of them with the sum T is
    λ^N e^(−λT), and the posterior Gamma(shape + N, rate + T).

    Parameters
    ----------
    shape : float
        Positive: the imagined number of times.
    rate : float
        Positive: their imagined total.

    Raises
    ------
    ProbabilityError
        If one of them is not a positive number.

    Examples
    --------
    >>> posterior = GammaExponential(2, 3).update([0.5, 4, 2.5])
    >>> posterior
    GammaExponential(shape=5, rate=10)
    >>> posterior.mean(), posterior.mode()
    (0.5, 0.4)
    >>> round(float(posterior.predictive().sf(2)), 4)
    0.4019
    """

    _names = ("n", "total")

    def _read(self, data):
        x = super()._read(data)
        refuse(x < 0, x, DATA, "negative, and a waiting time is not")
        return x

    def _sums_of(self, x):
        return {"n": Fraction(len(x)), "total": exact_sum(x)}

    def update(
        self,
        data: float | Iterable[float] = (),
        *,
        n: int = 0,
        total: float | None = None,
    ) -> Self:
        """Learn from waiting times, or from their total, or from both.

        Parameters
        ----------
        data : float or sequence of float
            Waiting times, at least 0.
        n : int
            The number of further times that ended.
        total : float
            Their total; the time of waits that have not ended yet counts
            too, so that it may come without any `n`.

        Returns
        -------
        GammaExponential
            The posterior Gamma(shape + N, rate + T); the prior without data.

        Raises
        ------
        ProbabilityError
            If a time is negative, a number of times negative or not whole,
            or their total missing.

        Examples
        --------
        Two waits have ended, and a third lasts for 5 so far:

        >>> GammaExponential(2, 3).update([0.5, 1.5], total=5)
        GammaExponential(shape=4, rate=10)
        """
        count = read_count(n, "The number of waiting times")
        if count and total is None:
            raise ProbabilityError(
                f"{count} waits have ended after an unknown time: give "
                "`total` too."
            )
        given = {
            "n": count,
            "total": read_total(
                0 if total is None else total, "The total of the waiting times"
            ),
        }
        return self._learn(self._read(data), given)

    def log_evidence(self, data: float | Iterable[float]) -> float:
        """Return the log-density of waiting times in their order.

        Parameters
        ----------
        data : float or sequence of float

        Returns
        -------
        float
            The sum of the log-densities of each under the predictive
            distribution after those before it. 0 without data.

        Raises
        ------
        ProbabilityError
            If a time is negative.
        """
        sums = self._sums_of(self._read(data))
        n, total = float(sums["n"]), float(sums["total"])
        return float(
            log_rising(self.shape, n)
            - self.shape * np.log1p(total / self.rate)
            - n * np.log(self.rate + total)
        )

    def predictive(self) -> rv_frozen:
        """Return the distribution of the next waiting time.

        Returns
        -------
        frozen distribution
            The distribution of `scipy.stats.lomax` with c = shape and scale =
            rate, also named after Pareto (type II); precise for large
            hyper-parameters too.
        """
        return lomax(self.shape, scale=self.rate)
