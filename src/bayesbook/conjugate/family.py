"""What conjugate families share: sums that grow with the data.

A family of priors is conjugate to a likelihood if the posterior belongs to it
too. Each family here belongs to an exponential family, in which the data
enter through a few sums, the sufficient statistics, and the prior is a set of
sums too, those of imagined data. Learning is addition
(Bernardo and Smith 1994, section 5.2.2; Murphy 2012, section 9.2.5).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import Field, fields, replace
from fractions import Fraction
from math import inf, sqrt
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import floats_or_none
from bayesbook.base.numbers import (
    LARGEST,
    as_float,
    as_int,
    exact_weight,
    show,
)
from bayesbook.base.randomness import as_rng
from bayesbook.estimation.model import shown

DATA = "The observations"


class ConjugateFamily(ABC):
    """What the families share: a distribution of a parameter that data update.

    A member of a family is immutable; its fields are the hyper-parameters.
    It is a prior or a posterior: the two differ only in the data before.

    Updating is exact: the sums are kept as fractions, since each float is
    one, and rounded only when they are read. So one batch, many small ones
    and single observations in any order give the same posterior, to the last
    bit.

    Examples
    --------
    >>> from bayesbook.conjugate import GammaPoisson
    >>> prior = GammaPoisson(shape=2, rate=1)
    >>> isinstance(prior, ConjugateFamily)
    True
    >>> prior.pseudo_statistics
    {'total': 2.0, 'exposure': 1.0}
    >>> prior.statistics([3, 0, 1])
    {'total': 4.0, 'exposure': 3.0}
    >>> for step in prior.updates([3, 0, 1]):
    ...     print(step)
    GammaPoisson(shape=2, rate=1)
    GammaPoisson(shape=5, rate=2)
    GammaPoisson(shape=5, rate=3)
    GammaPoisson(shape=6, rate=4)
    """

    # Every family is a dataclass, whose fields are the hyper-parameters.
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    # The sums that the hyper-parameters stand for, exactly.
    _sums: dict[Hashable, Fraction]

    @property
    @abstractmethod
    def distribution(self) -> Any:
        """The parameter's distribution: a frozen one of `scipy.stats`."""

    @abstractmethod
    def predictive(self) -> Any:
        """Return the distribution of the next observation."""

    @abstractmethod
    def log_evidence(self, data: Any) -> float:
        """Return the log-probability of data, the parameter integrated out.

        Parameters
        ----------
        data : observation or sequence of observations

        Returns
        -------
        float
            Of the data in their order: the sum of the log-probabilities that
            the predictive distribution gives to each observation after those
            before it. 0 without data; −∞ where no float is small enough.

        Raises
        ------
        ProbabilityError
            If an observation is not in the support of the likelihood.
        """

    def _read(self, data: Any) -> np.ndarray:
        """Read one observation, several or none, and check the support."""
        return floats_or_none(data, DATA)

    @abstractmethod
    def _sums_of(self, x: np.ndarray) -> dict[Hashable, Fraction]:
        """Return the exact sufficient statistics, those of 0 perhaps not."""

    @abstractmethod
    def _hyper_parameters(
        self, sums: dict[Hashable, Fraction]
    ) -> dict[str, Any]:
        """Return the fields that stand for these sums."""

    @property
    def pseudo_statistics(self) -> dict[Hashable, float]:
        """The sums that the hyper-parameters stand for, by name.

        Those of `statistics` are added to them: the prior counts as much as
        data with these sums.
        """
        return {name: rounded(total) for name, total in self._sums.items()}

    def statistics(self, data: Any) -> dict[Hashable, float]:
        """Return the sufficient statistics of data: all that matters of them.

        Parameters
        ----------
        data : observation or sequence of observations

        Returns
        -------
        dict of name to float
            The same names as those of `pseudo_statistics`.

        Raises
        ------
        ProbabilityError
            If an observation is not in the support of the likelihood.
        """
        seen = self._sums_of(self._read(data))
        return {
            name: rounded(seen.get(name, Fraction(0))) for name in self._sums
        }

    def updates(self, data: ArrayLike | Iterable[Any]) -> tuple[Self, ...]:
        """Learn from one observation after the other.

        Parameters
        ----------
        data : observation or sequence of observations
            As in `update`.

        Returns
        -------
        tuple of families
            This one, then the posterior after each observation.

        Raises
        ------
        ProbabilityError
            If an observation is not in the support of the likelihood.
        """
        path = [self]
        x = self._read(data)
        for n in range(len(x)):
            path.append(path[-1]._learn(x[n : n + 1], {}))
        return tuple(path)

    @abstractmethod
    def mean(self) -> float | np.ndarray | tuple[float, float]:
        """Return the expectation of the parameter.

        Returns
        -------
        float
            Or an array of several, or a pair for μ and σ².
        """

    @abstractmethod
    def var(self) -> float | np.ndarray | tuple[float, float]:
        """Return the variance of the parameter.

        Returns
        -------
        float
            Or an array of several, or a pair for μ and σ².
        """

    def std(self) -> float | np.ndarray | tuple[float, float]:
        """Return the standard deviation of the parameter.

        Returns
        -------
        float
            Or an array of several, or a pair for μ and σ².
        """
        return sqrt(cast(float, self.var()))

    def interval(
        self, mass: float = 0.95
    ) -> (
        np.ndarray
        | tuple[float, float]
        | tuple[tuple[float, float], tuple[float, float]]
    ):
        """Return an interval that leaves out equal probabilities at both ends.

        Of a posterior it is a *credible interval*, with equal tails.

        Parameters
        ----------
        mass : float
            The probability that the parameter is inside, from 0 to 1.

        Returns
        -------
        tuple of two floats

        Raises
        ------
        ProbabilityError
            If `mass` is not a probability.
        """
        low, high = self.distribution.interval(read_mass(mass))
        return float(low), float(high)

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Draw parameters.

        Parameters
        ----------
        size : int
            How many.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        array, shape (size,)

        Raises
        ------
        ProbabilityError
            If the size is negative or not whole.
        """
        return self.distribution.rvs(
            size=as_int(size, "The size of the sample", 0),
            random_state=as_rng(rng),
        )

    def _learn(self, x: np.ndarray, further: dict[Any, Fraction]) -> Self:
        """Return the posterior: add the sums of observations, and others."""
        total = dict(self._sums)
        for sums in (self._sums_of(x), further):
            for name, value in sums.items():
                total[name] += value
        posterior = replace(self, **self._hyper_parameters(total))
        # The fields are rounded, the sums are not.
        return posterior._set(_sums=total)

    def _read_positive(self, *names):
        """Check that hyper-parameters are positive, and store them."""
        for name in names:
            value = getattr(self, name)
            what = f"The hyper-parameter {name}"
            self._set(**{name: as_float(value, what, 0, open_=True)})

    def _set(self, **values: Any) -> Self:
        """Store values in the frozen object."""
        for name, value in values.items():
            object.__setattr__(self, name, value)
        return self

    def __repr__(self) -> str:
        inside = ", ".join(
            f"{field.name}={shown(getattr(self, field.name))}"
            for field in fields(self)
        )
        return f"{type(self).__name__}({inside})"


def read_mass(mass: float) -> float:
    """Read the probability of an interval."""
    return as_float(mass, "The probability of the interval", 0, 1)


def read_count(count: float, what: str) -> Fraction:
    """Read a count without rounding it."""
    number = exact_weight(count, what)
    if number.denominator != 1:
        raise ProbabilityError(f"{what} is {count}: not a whole number.")
    if number > LARGEST:
        raise ProbabilityError(f"{what} is {show(number)}: too large.")
    return number


def read_total(total: float, what: str, least: float = 0) -> Fraction:
    """Read a float as the fraction that it is, as those of data."""
    return Fraction(as_float(total, what, least))


def rounded(number: Fraction) -> float:
    """Return the float next to a fraction; ∞ if that is larger than any."""
    try:
        return float(number)
    except OverflowError:
        return inf


def exact_sum(x: np.ndarray, power: int = 1) -> Fraction:
    """Return the sum of floats, or of their squares, without rounding.

    A float is a whole number times a power of two. The sum, divided by the
    smallest of these powers, is a sum of whole numbers.
    """
    if not len(x):
        return Fraction(0)
    mantissa, exponent = np.frexp(x)
    units = np.ldexp(mantissa, 53).astype(np.int64)
    least = int(exponent.min())
    shift = power * (exponent - least)
    total = sum(
        unit**power << up
        for unit, up in zip(units.tolist(), shift.tolist(), strict=True)
    )
    return total * Fraction(2) ** (power * (least - 53))


def no_mode_error(distribution: ConjugateFamily, why: str) -> ProbabilityError:
    """Return the error for a distribution without a unique mode."""
    return ProbabilityError(
        f"{distribution} has no mode: {why}. Use its mean, or a prior that is "
        "larger in the middle."
    )
