"""Mean and variance of a normal distribution, learned from measurements.

Sources: Murphy (2007), "Conjugate Bayesian analysis of the Gaussian
distribution"; Gelman et al. (2013), sections 2.5 and 3.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log, log1p, pi, sqrt
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
from scipy import stats
from scipy.stats.distributions import rv_frozen

from bayesbook.base import ProbabilityError
from bayesbook.base.names import and_list
from bayesbook.base.numbers import LARGEST, as_float, as_int
from bayesbook.base.randomness import as_rng
from bayesbook.conjugate.elicitation import (
    Elicited,
    fit_prior_to_interval,
    read_interval,
)
from bayesbook.conjugate.family import (
    ConjugateFamily,
    exact_sum,
    read_count,
    read_mass,
    read_total,
    rounded,
)
from bayesbook.conjugate.rising_powers import log_rising


@dataclass(frozen=True, repr=False)
class GaussianMean(ConjugateFamily):
    """A mean μ, distributed as N(m, s²), and measurements N(μ, σ²), σ known.

    Precisions, the reciprocals of variances, add up: the posterior precision
    is 1 / s² + N / σ², and the posterior mean is the average of m and of the
    observations, weighted by their precisions. The prior counts as much as
    σ² / s² measurements: this is its equivalent sample size.

    Parameters
    ----------
    m : float
        The expectation of μ.
    s : float
        Positive: the standard deviation of μ.
    sigma : float
        Positive: the standard deviation of a measurement.

    Raises
    ------
    ProbabilityError
        If a number is not finite, or a standard deviation not positive.

    Examples
    --------
    >>> prior = GaussianMean(m=0, s=2, sigma=1)
    >>> prior.update([1.5, 2.5])
    GaussianMean(m=1.77778, s=0.666667, sigma=1)
    >>> prior.update(n=2, mean=2) == prior.update(1.5).update(2.5)
    True
    >>> round(float(prior.predictive().var()), 4)
    5.0
    """

    m: float
    s: float
    sigma: float

    def __post_init__(self) -> None:
        self._set(m=as_float(self.m, "The hyper-parameter m"))
        self._read_positive("s", "sigma")
        n = (Fraction(self.sigma) / Fraction(self.s)) ** 2
        self._set(_sums={"n": n, "total": n * Fraction(self.m)})

    def _hyper_parameters(self, sums):
        return {
            "m": float(sums["total"] / sums["n"]),
            "s": sqrt(Fraction(self.sigma) ** 2 / sums["n"]),
        }

    def _sums_of(self, x):
        return {"n": Fraction(len(x)), "total": exact_sum(x)}

    @classmethod
    def from_interval(
        cls,
        mean: float,
        interval: tuple[float, float],
        mass: float = 0.95,
        *,
        sigma: float,
    ) -> Elicited:
        """Find the normal prior with a given mean and mass of an interval.

        Parameters
        ----------
        mean : float
        interval : tuple of two floats
        mass : float
            The probability of the interval.
        sigma : float
            The standard deviation of a measurement, for the family.

        Returns
        -------
        Elicited
            With the prior and how well it meets the mass. If two distributions
            do, the prior is the one with the larger s.

        Raises
        ------
        ProbabilityError
            If no normal distribution meets it with an s of 10⁻⁶ to 100 times
            the width of the interval. The message names the one that comes
            nearest. Also for an empty interval, and for a mass of 0 or 1.

        Examples
        --------
        >>> GaussianMean.from_interval(20, (16, 24), 0.9, sigma=1).prior
        GaussianMean(m=20, s=2.43183, sigma=1)
        """
        mean = as_float(mean, "The mean")
        interval = low, high = read_interval(interval)
        width = high - low
        return fit_prior_to_interval(
            "normal",
            lambda n: stats.norm(mean, width / np.sqrt(n)),
            lambda n: cls(mean, width / sqrt(n), sigma),
            mean,
            interval,
            mass,
        )

    @property
    def distribution(self) -> rv_frozen:
        """The frozen `scipy.stats.norm` distribution of μ."""
        return stats.norm(self.m, self.s)

    def update(
        self,
        data: float | Iterable[float] = (),
        *,
        n: int | None = None,
        mean: float | None = None,
    ) -> Self:
        """Learn from measurements, or from their mean, or from both.

        Parameters
        ----------
        data : float or sequence of float
        n : int
            The number of further measurements.
        mean : float
            Their mean.

        Returns
        -------
        GaussianMean
            The posterior; the prior without data.

        Raises
        ------
        ProbabilityError
            If a number is not finite, `n` negative or not whole, or one of
            `n` and `mean` missing.
        """
        count, average = _read_moments(n, mean=mean)
        given = {"n": count, "total": count * average}
        return self._learn(self._read(data), given)

    def mean(self) -> float:
        """Return the expectation of μ: m.

        Returns
        -------
        float
        """
        return self.m

    def var(self) -> float:
        """Return the variance of μ: s².

        Returns
        -------
        float
        """
        return self.s**2

    def mode(self) -> float:
        """Return the value of μ where the density is largest: m.

        Returns
        -------
        float
        """
        return self.m

    def log_evidence(self, data: float | Iterable[float]) -> float:
        """Return the log-density of measurements in their order.

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
            If a measurement is not finite.
        """
        x = self._read(data)
        prior, n = self._sums["n"], len(x)
        spread = _spread(
            prior, self._sums["total"], n, exact_sum(x), exact_sum(x, 2)
        )
        variance = Fraction(self.sigma) ** 2
        return (
            -n / 2 * log(2 * pi)
            - n * log(self.sigma)
            - _log1p(n / prior) / 2
            - rounded(spread / variance) / 2
        )

    def predictive(self) -> rv_frozen:
        """Return the distribution of the next measurement.

        Returns
        -------
        frozen distribution
            `scipy.stats.norm` with the mean m and the variance s² + σ².
        """
        return stats.norm(self.m, sqrt(self.s**2 + self.sigma**2))


def _spread(prior_n, prior_total, n, total, squares):
    """Return the sum of squares around the common mean, as a fraction.

    It is that of n observations and of prior_n imagined ones, which are all
    at the prior mean.
    """
    return (
        squares
        + prior_total**2 / prior_n
        - (prior_total + total) ** 2 / (prior_n + n)
    )


def _log1p(x):
    """Return log(1 + x) of a fraction, which may be larger than any float."""
    if x < LARGEST:
        return log1p(x)
    return log(x.numerator) - log(x.denominator)


def _read_moments(n, **moments):
    """Read a number of measurements and their moments, as fractions."""
    missing = [f"`{name}`" for name, value in moments.items() if value is None]
    if n is None and len(missing) < len(moments):
        raise ProbabilityError(
            "The number of the measurements is missing: give `n` too."
        )
    n = read_count(0 if n is None else n, "The number of measurements")
    if n and missing:
        raise ProbabilityError(
            f"There are {n} measurements without all their moments: give "
            f"{and_list(missing)} too."
        )
    return n, *(
        read_total(
            0 if value is None else value,
            f"The {name} of the measurements",
            -inf if name == "mean" else 0,
        )
        for name, value in moments.items()
    )


Value = TypeVar("Value")


class MeanAndVariance(NamedTuple, Generic[Value]):
    """A pair: a value for the mean μ, and one for the variance σ².

    Attributes
    ----------
    mean
        The value for μ.
    variance
        The value for σ².

    Examples
    --------
    >>> posterior = NormalInverseGamma(m=0, kappa=1, a=3, b=4)
    >>> posterior.mean()
    MeanAndVariance(mean=0.0, variance=2.0)
    >>> posterior.interval(0.9).variance[0] < posterior.mean().variance
    True
    """

    mean: Value
    variance: Value


@dataclass(frozen=True, repr=False)
class NormalInverseGamma(ConjugateFamily):
    """A mean μ and a variance σ², both unknown, and measurements N(μ, σ²).

    σ² has the inverse gamma distribution with shape `a` and scale `b`, and μ,
    given σ², the distribution N(m, σ² / κ). The precision 1 / σ² then has the
    distribution Gamma(a, b): hence the other name, normal-gamma.

    What adds up is the number of measurements, their sum, the sum of their
    squares and the degrees of freedom, one for each: those of the prior are
    κ, κ m, 2 b + κ m² and 2 a.

    Parameters
    ----------
    m : float
        The expectation of μ.
    kappa : float
        Positive: the equivalent sample size of the prior of μ.
    a, b : float
        Positive: shape and scale of the distribution of σ².

    Raises
    ------
    ProbabilityError
        If a number is not finite, or one of the last three not positive.

    Examples
    --------
    >>> prior = NormalInverseGamma(m=0, kappa=1, a=2, b=3)
    >>> posterior = prior.update([1, 3, 5])
    >>> posterior
    NormalInverseGamma(m=2.25, kappa=4, a=3.5, b=10.375)
    >>> posterior.mean()
    MeanAndVariance(mean=2.25, variance=4.15)
    >>> round(float(posterior.predictive().sf(6)), 4)
    0.0462
    """

    m: float
    kappa: float
    a: float
    b: float

    def __post_init__(self) -> None:
        self._set(m=as_float(self.m, "The hyper-parameter m"))
        self._read_positive("kappa", "a", "b")
        m, kappa, a, b = map(Fraction, (self.m, self.kappa, self.a, self.b))
        self._set(
            _sums={
                "n": kappa,
                "total": kappa * m,
                "squares": 2 * b + kappa * m**2,
                "degrees": 2 * a,
            }
        )

    def _hyper_parameters(self, sums):
        n, total, squares, degrees = sums.values()
        return {
            "m": float(total / n),
            "kappa": float(n),
            "a": float(degrees / 2),
            "b": float((squares - total**2 / n) / 2),
        }

    def _sums_of(self, x):
        n = Fraction(len(x))
        return {
            "n": n,
            "total": exact_sum(x),
            "squares": exact_sum(x, 2),
            "degrees": n,
        }

    @property
    def distribution(self) -> Any:
        """The frozen `scipy.stats.normal_inverse_gamma` of (μ, σ²)."""
        return stats.normal_inverse_gamma(self.m, self.kappa, self.a, self.b)

    @property
    def mean_distribution(self) -> rv_frozen:
        """The distribution of μ alone: Student t, a frozen `scipy.stats.t`."""
        scale = sqrt(self.b / self.a) / sqrt(self.kappa)
        return stats.t(2 * self.a, self.m, scale)

    @property
    def variance_distribution(self) -> rv_frozen:
        """The distribution of σ² alone: a frozen `scipy.stats.invgamma`."""
        return stats.invgamma(self.a, scale=self.b)

    def update(
        self,
        data: float | Iterable[float] = (),
        *,
        n: int | None = None,
        mean: float | None = None,
        variance: float | None = None,
    ) -> Self:
        """Learn from measurements, or from their moments, or from both.

        Parameters
        ----------
        data : float or sequence of float
        n : int
            The number of further measurements.
        mean : float
            Their mean.
        variance : float
            The mean of their squared distances from it: with 1/n.

        Returns
        -------
        NormalInverseGamma
            The posterior; the prior without data.

        Raises
        ------
        ProbabilityError
            If a number is not finite, the variance negative, `n` negative or
            not whole, or one of the three missing; or if a single
            measurement has a variance.

        Examples
        --------
        >>> prior = NormalInverseGamma(m=0, kappa=1, a=2, b=3)
        >>> prior.update(n=3, mean=3, variance=8 / 3).mean().mean
        2.25
        """
        count, average, spread = _read_moments(n, mean=mean, variance=variance)
        if count == 1 and spread:
            raise ProbabilityError(
                f"The variance of the measurements is {float(spread):g}, "
                "but a single one is its own mean: its variance, with 1/n, "
                "is 0."
            )
        given = {
            "n": count,
            "total": count * average,
            "squares": count * (spread + average**2),
            "degrees": count,
        }
        return self._learn(self._read(data), given)

    def mean(self) -> MeanAndVariance[float]:
        """Return the expectations of μ and of σ².

        Returns
        -------
        MeanAndVariance
            m, which is the median of μ if it has no expectation (a ≤ 1/2);
            and b / (a − 1), infinite for a ≤ 1.
        """
        expected = self.b / (self.a - 1) if self.a > 1 else inf
        return MeanAndVariance(self.m, expected)

    def mode(self) -> MeanAndVariance[float]:
        """Return the pair (μ, σ²) where the joint density is largest.

        Returns
        -------
        MeanAndVariance
            m and b / (a + 3/2). The distribution of σ² alone has its mode at
            b / (a + 1), and that of the precision at yet another value.
        """
        return MeanAndVariance(self.m, self.b / (self.a + 1.5))

    def var(self) -> MeanAndVariance[float]:
        """Return the variances of μ and of σ².

        Returns
        -------
        MeanAndVariance
            b / ((a − 1) κ), infinite for a ≤ 1, and
            b² / ((a − 1)² (a − 2)), infinite for a ≤ 2.
        """
        expected = self.mean().variance
        return MeanAndVariance(
            expected / self.kappa,
            expected**2 / (self.a - 2) if self.a > 2 else inf,
        )

    def std(self) -> MeanAndVariance[float]:
        """Return the standard deviations of μ and of σ².

        Returns
        -------
        MeanAndVariance
        """
        return MeanAndVariance(*map(sqrt, self.var()))

    def interval(
        self, mass: float = 0.95
    ) -> MeanAndVariance[tuple[float, float]]:
        """Return an interval for μ and one for σ², each by itself.

        Parameters
        ----------
        mass : float
            The probability that either is inside its own.

        Returns
        -------
        MeanAndVariance
            Two pairs of floats, which leave out equal tails. An end of the
            second is infinite if it exceeds all floats, as with the shape
            a = 0.001.

        Raises
        ------
        ProbabilityError
            If `mass` is not a probability.
        """
        mass = read_mass(mass)
        with np.errstate(divide="ignore"):
            return MeanAndVariance(
                _ends(self.mean_distribution, mass),
                _ends(self.variance_distribution, mass),
            )

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> MeanAndVariance[np.ndarray]:
        """Draw pairs (μ, σ²).

        Parameters
        ----------
        size : int
            How many pairs.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        MeanAndVariance
            Two arrays, shape (size,). A variance is infinite if it exceeds
            all floats, as with the shape a = 0.001.

        Raises
        ------
        ProbabilityError
            If the size is negative or not whole.
        """
        size = as_int(size, "The size of the sample", 0)
        rng = as_rng(rng)
        with np.errstate(divide="ignore"):
            variance = self.variance_distribution.rvs(size, random_state=rng)
        mean = rng.normal(self.m, np.sqrt(variance / self.kappa))
        return MeanAndVariance(mean, variance)

    def log_evidence(self, data: float | Iterable[float]) -> float:
        """Return the log-density of measurements in their order.

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
            If a measurement is not finite.
        """
        x = self._read(data)
        n, kappa = len(x), self._sums["n"]
        growth = _spread(
            kappa, self._sums["total"], n, exact_sum(x), exact_sum(x, 2)
        ) / (2 * Fraction(self.b))
        # A difference of large terms would have few correct digits.
        return float(
            log_rising(self.a, n / 2)
            - self.a * _log1p(growth)
            - n / 2 * (log(2 * pi) + log(self.b) + _log1p(growth))
            - _log1p(n / kappa) / 2
        )

    def predictive(self) -> rv_frozen:
        """Return the distribution of the next measurement: a Student t.

        Returns
        -------
        frozen distribution
            `scipy.stats.t` with 2a degrees of freedom, around m, with the
            scale √(b (κ + 1) / (a κ)).
        """
        scale = sqrt(self.b / self.a) * sqrt(1 + 1 / self.kappa)
        return stats.t(2 * self.a, self.m, scale)


def _ends(distribution: Any, mass: float) -> tuple[float, float]:
    """Return the ends of the equal-tailed interval of a distribution."""
    low, high = distribution.interval(mass)
    return float(low), float(high)
