"""A probability of success that is learned from trials: beta priors.

Sources: Murphy (2012), section 3.3; Bishop (2006), section 2.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
from scipy import stats
from scipy.stats.distributions import rv_frozen

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import require_binary
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
    no_mode_error,
    read_count,
    read_mass,
)
from bayesbook.conjugate.predictives import (
    beta_binomial,
    read_trials,
)
from bayesbook.conjugate.rising_powers import log_rising


@dataclass(frozen=True, repr=False)
class BetaBernoulli(ConjugateFamily):
    """A probability of success θ, distributed as Beta(a, b), and 0/1 trials.

    The likelihood of N₁ successes and N₀ failures is θ^N₁ (1 − θ)^N₀, and
    the posterior Beta(a + N₁, b + N₀): `a` goes with the successes.

    Parameters
    ----------
    a, b : float
        Positive: the numbers of imagined successes and failures.

    Raises
    ------
    ProbabilityError
        If one of them is not a positive number.

    Examples
    --------
    >>> prior = BetaBernoulli(2, 2)
    >>> posterior = prior.update(successes=3, failures=17)
    >>> posterior
    BetaBernoulli(a=5, b=19)
    >>> prior.update([1, 1, 1]).update([0] * 17) == posterior
    True
    >>> round(posterior.mean(), 4), round(posterior.mode(), 4)
    (0.2083, 0.1818)
    >>> posterior.predictive(trials=10).pmf([0, 1, 2]).round(4).tolist()
    [0.1418, 0.2532, 0.2532]
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        self._read_positive("a", "b")
        a, b = Fraction(self.a), Fraction(self.b)
        self._set(_sums={"successes": a, "failures": b})

    def _hyper_parameters(self, sums):
        return {"a": float(sums["successes"]), "b": float(sums["failures"])}

    def _read(self, data):
        x = super()._read(data)
        require_binary(x, DATA)
        return x

    def _sums_of(self, x):
        successes = int(x.sum())
        return _successes_and_failures(successes, len(x) - successes)

    @classmethod
    def from_mean_sd(cls, mean: float, sd: float) -> Self:
        """Find the beta distribution with a given mean and standard deviation.

        Parameters
        ----------
        mean : float
            Between 0 and 1.
        sd : float
            Positive.

        Returns
        -------
        BetaBernoulli
            With a + b = mean (1 − mean) / sd² − 1.

        Raises
        ------
        ProbabilityError
            If no beta distribution spreads as widely: sd² must be less than
            mean (1 − mean).

        Examples
        --------
        >>> BetaBernoulli.from_mean_sd(0.7, 0.2)
        BetaBernoulli(a=2.975, b=1.275)
        """
        mean, sd = read_mean_and_sd(mean, sd, most=1)
        strength = mean * (1 - mean) / sd**2 - 1
        if strength <= 0:
            raise ProbabilityError(
                f"No beta distribution with the mean {float(mean):g} has the "
                f"standard deviation {float(sd):g}: it must be less than "
                f"{float(mean * (1 - mean)) ** 0.5:.6g}."
            )
        return cls(mean * strength, (1 - mean) * strength)

    @classmethod
    def from_interval(
        cls, mean: float, interval: tuple[float, float], mass: float = 0.95
    ) -> Elicited:
        """Find the beta prior with a given mean and mass of an interval.

        Parameters
        ----------
        mean : float
            Between 0 and 1.
        interval : tuple of two floats
            Its ends, from 0 to 1.
        mass : float
            The probability of the interval.

        Returns
        -------
        Elicited
            With the prior and how well it meets the mass. If several
            distributions do, the prior is the one with the least a + b.

        Raises
        ------
        ProbabilityError
            If no beta distribution with a + b from 10⁻⁴ to 10¹² meets it. The
            message names the one that comes nearest. Also for a mean, an
            interval or a mass outside of these ranges, and for a mass of
            0 or 1.

        Examples
        --------
        >>> BetaBernoulli.from_interval(0.15, (0.05, 0.30), 0.95)
        BetaBernoulli(a=4.50606, b=25.5344), mean 0.15
        0.9500 in (0.05, 0.3), asked for 0.95, residual 0.000000
        """
        mean = as_float(mean, "The mean", 0, 1, open_=True)
        if mean == 1:
            raise ProbabilityError("The mean is 1; it must be less.")
        return fit_prior_to_interval(
            "beta",
            lambda n: stats.beta(mean * n, (1 - mean) * n),
            lambda n: cls(mean * n, (1 - mean) * n),
            mean,
            read_interval(interval, 0, 1),
            mass,
        )

    @property
    def distribution(self) -> rv_frozen:
        """The frozen `scipy.stats.beta` distribution of θ."""
        return stats.beta(self.a, self.b)

    def update(
        self,
        data: int | Iterable[int] = (),
        *,
        successes: int = 0,
        failures: int = 0,
    ) -> Self:
        """Learn from trials, or from their numbers, or from both.

        Parameters
        ----------
        data : 0 or 1, or sequence of them
        successes, failures : int
            Numbers of further trials with either result: those of binomial
            counts, for instance.

        Returns
        -------
        BetaBernoulli
            The posterior Beta(a + N₁, b + N₀); the prior without data.

        Raises
        ------
        ProbabilityError
            If an observation is neither 0 nor 1, or a number of trials is
            negative or not whole.

        Examples
        --------
        >>> BetaBernoulli(1, 1).update([1, 0, 1])
        BetaBernoulli(a=3, b=2)
        >>> BetaBernoulli(1, 1).update(successes=2, failures=1)
        BetaBernoulli(a=3, b=2)
        """
        given = _successes_and_failures(successes, failures)
        return self._learn(self._read(data), given)

    def mean(self) -> float:
        """Return the expectation of θ: the probability of the next success.

        Returns
        -------
        float
            a / (a + b).
        """
        return self.a / (self.a + self.b)

    def var(self) -> float:
        """Return the variance of θ.

        Returns
        -------
        float
            mean (1 − mean) / (a + b + 1).
        """
        n = self.a + self.b
        return (self.a / n) * (self.b / n) / (n + 1)

    def mode(self) -> float:
        """Return the value of θ where the density is largest.

        Returns
        -------
        float
            (a − 1) / (a + b − 2), if neither is less than 1.

        Raises
        ------
        ProbabilityError
            If there is no mode, or more than one: a = b = 1, or one of them
            is less, so that the density is infinite at an end.
        """
        a, b = self.a, self.b
        if a == b == 1:
            raise no_mode_error(self, "its density is the same everywhere")
        ends = [end for end, c in (("0", a), ("1", b)) if c < 1]
        if ends:
            raise no_mode_error(
                self, f"its density is infinite at {' and at '.join(ends)}"
            )
        return (a - 1) / ((a - 1) + (b - 1))

    def log_evidence(
        self,
        data: int | Iterable[int] = (),
        *,
        successes: int = 0,
        failures: int = 0,
    ) -> float:
        """Return the log-probability of trials in their order.

        Parameters
        ----------
        data : 0 or 1, or sequence of them
        successes, failures : int
            Numbers of further trials with either result, in one given order.

        Returns
        -------
        float
            log B(a + N₁, b + N₀) − log B(a, b). For the probability of the
            *number* of successes, in any order, there is `predictive`.

        Raises
        ------
        ProbabilityError
            If an observation is neither 0 nor 1, or a number of trials is
            negative or not whole.

        Examples
        --------
        >>> round(BetaBernoulli(1, 1).log_evidence([1, 0, 1]), 4)  # log 1/12
        -2.4849
        """
        trials = self._sums_of(self._read(data))
        more = _successes_and_failures(successes, failures)
        ones = float(trials["successes"] + more["successes"])
        zeros = float(trials["failures"] + more["failures"])
        return float(
            log_rising(self.a, ones)
            + log_rising(self.b, zeros)
            - log_rising(self.a + self.b, ones + zeros)
        )

    def interval(self, mass: float = 0.95) -> tuple[float, float]:
        """Return an interval that leaves out equal probabilities at both ends.

        Parameters
        ----------
        mass : float
            The probability that θ is inside, from 0 to 1.

        Returns
        -------
        tuple of two floats

        Raises
        ------
        ProbabilityError
            If `mass` is not a probability.

        Examples
        --------
        >>> low, high = BetaBernoulli(5, 19).interval(0.9)
        >>> round(low, 4), round(high, 4)
        (0.0898, 0.3549)
        """
        low, high = beta_interval(self.a, self.b, mass).tolist()
        return low, high

    def predictive(self, trials: int = 1) -> rv_frozen:
        """Return the distribution of the number of successes in future trials.

        Parameters
        ----------
        trials : int
            From 0 to 2⁶³ − 1.

        Returns
        -------
        frozen distribution
            The beta-binomial distribution, as `scipy.stats.betabinom` has it,
            and precise for large hyper-parameters and many trials too.

        Raises
        ------
        ProbabilityError
            If the number of trials is not such a number.
        """
        return beta_binomial(read_trials(trials), self.a, self.b)


def beta_interval(
    a: float | np.ndarray, b: float | np.ndarray, mass: float
) -> np.ndarray:
    """Return equal-tailed intervals of beta distributions, shape (..., 2).

    Those of `scipy.stats` miss by up to a standard deviation where a and b
    exceed 10¹³. Normal quantiles, corrected for the skewness (Cornish and
    Fisher 1938), are exact there to 10⁻⁹ of one.
    """
    mass = read_mass(mass)
    large = (np.minimum(a, b) > 1e10) & (mass < 1)
    of_small = stats.beta(np.where(large, 1, a), np.where(large, 1, b))
    n = a + b
    std = np.sqrt(a / n) * np.sqrt(b / n / n)
    skewness = 2 * (b - a) / n / np.sqrt(a) / np.sqrt(b / n)
    with np.errstate(invalid="ignore"):
        normal = [
            a / n + std * (z + skewness * (z**2 - 1) / 6)
            for z in stats.norm.interval(mass)
        ]
    return np.where(large, normal, of_small.interval(mass)).T


def _successes_and_failures(successes, failures):
    return {
        "successes": read_count(successes, "The number of successes"),
        "failures": read_count(failures, "The number of failures"),
    }
