"""What conjugate families share: sums that grow with the data.

A family of priors is conjugate to a likelihood if the posterior belongs to it
too.  Behind each family here there is an exponential family, in which the
data enter through a few sums, the sufficient statistics, and the prior is a
set of sums too, those of imagined data.  Learning is addition
(Bernardo and Smith 1994, section 5.2.2; Murphy 2012, section 9.2.5).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import fields, replace
from fractions import Fraction
from math import inf, sqrt
from typing import Self

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import floats_or_none
from bayesbook.base.numbers import (
    LARGEST,
    as_float,
    as_int,
    exact_weight,
    show,
)
from bayesbook.estimation.models import shown

DATA = "The observations"


class ConjugateFamily(ABC):
    """What the families share: a distribution of a parameter that data update.

    A member of a family is immutable; its fields are the hyper-parameters.
    It is a prior or a posterior: the two differ only in what was seen before.

    Updating is exact: the sums are kept as fractions, since each float is
    one, and rounded only when they are read.  So one batch, many small ones
    and single observations in any order give the same posterior, to the last
    bit.
    """

    @property
    @abstractmethod
    def distribution(self):
        """The distribution of the parameter, a frozen distribution of `scipy.stats`."""

    @abstractmethod
    def predictive(self):
        """Return the distribution of what is observed next."""

    @abstractmethod
    def log_evidence(self, data) -> float:
        """Return the log-probability of data, with the parameter integrated out.

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

    def _read(self, data) -> np.ndarray:
        """Read one observation, several or none, and check the support."""
        return floats_or_none(data, DATA)

    @abstractmethod
    def _sums_of(self, x) -> dict:
        """Return the sufficient statistics of what was read, exactly.

        Those that are 0 may be left out, as of many categories.
        """

    @abstractmethod
    def _hyper_parameters(self, sums) -> dict:
        """Return the fields that belong to such sums."""

    @property
    def pseudo_statistics(self) -> dict:
        """The sums that the hyper-parameters stand for, by name.

        Those of `statistics` are added to them: the prior counts as much as
        data with these sums.
        """
        return {name: rounded(total) for name, total in self._sums.items()}

    def statistics(self, data) -> dict:
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
        return {name: rounded(seen.get(name, 0)) for name in self._sums}

    def updates(self, data: Iterable) -> tuple[Self, ...]:
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
    def mean(self) -> float:
        """Return the expectation of the parameter.

        Returns
        -------
        float
        """

    @abstractmethod
    def var(self) -> float:
        """Return the variance of the parameter.

        Returns
        -------
        float
        """

    def std(self) -> float:
        """Return the standard deviation of the parameter.

        Returns
        -------
        float
        """
        return sqrt(self.var())

    def interval(self, mass: float = 0.95) -> tuple[float, float]:
        """Return an interval that leaves out equal probabilities at both ends.

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
            If `mass` is no probability.
        """
        low, high = self.distribution.interval(read_mass(mass))
        return float(low), float(high)

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> np.ndarray:
        """Draw parameters.

        Parameters
        ----------
        size : int
            How many.
        rng : numpy Generator or int
            The source of randomness, or the seed of a new one.

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
            random_state=np.random.default_rng(rng),
        )

    def _learn(self, x, further) -> Self:
        """Add the sums of what was read, and further ones, to the own."""
        total = dict(self._sums)
        for sums in (self._sums_of(x), further):
            for name, value in sums.items():
                total[name] += value
        posterior = replace(self, **self._hyper_parameters(total))
        # The fields are rounded, the sums are not.
        return posterior._set(_sums=total)

    def _read_positive(self, *names):
        """Replace hyper-parameters by what was read."""
        for name in names:
            value = getattr(self, name)
            what = f"The hyper-parameter {name}"
            self._set(**{name: as_float(value, what, 0, open_=True)})

    def _set(self, **values):
        """Store what was read, in spite of being frozen."""
        for name, value in values.items():
            object.__setattr__(self, name, value)
        return self

    def __repr__(self):
        inside = ", ".join(
            f"{field.name}={shown(getattr(self, field.name))}"
            for field in fields(self)
        )
        return f"{type(self).__name__}({inside})"


def read_mass(mass):
    """Read the probability of an interval."""
    return as_float(mass, "The probability of the interval", 0, 1)


def read_count(count, what):
    """Read the number of something that was counted, without rounding."""
    number = exact_weight(count, what)
    if number.denominator != 1:
        raise ProbabilityError(f"{what} is {count}: not a whole number.")
    if number > LARGEST:
        raise ProbabilityError(f"{what} is {show(number)}: too large.")
    return number


def read_total(total, what, least=0):
    """Read a float as what it is, like those of data."""
    return Fraction(as_float(total, what, least))


def rounded(number):
    """Return the float next to a fraction; ∞ if that is larger than any."""
    try:
        return float(number)
    except OverflowError:
        return inf


def exact_sum(x, power=1):
    """Add up floats, or their squares, without rounding.

    A float is a whole number times a power of two; with the least of these
    powers in front the sum is one of whole numbers.
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


def no_mode(distribution, why):
    """Return the error for a distribution without a single highest place."""
    return ProbabilityError(
        f"{distribution} has no mode: {why}. Use its mean, or a prior that is "
        "larger in the middle."
    )
