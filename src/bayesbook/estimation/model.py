"""What models of independent observations have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Self, cast

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import floats
from bayesbook.base.numbers import as_int
from bayesbook.base.randomness import as_rng

DATA = "The observations"


class Model(ABC):
    """A model p(x | θ) of independent observations; its fields are θ.

    Models are immutable, and equal if their parameters are. `log_prob` takes
    one observation or an array of any shape.

    Examples
    --------
    >>> from bayesbook.estimation import Poisson
    >>> model = Poisson.mle([2, 0, 3, 1])
    >>> isinstance(model, Model), model
    (True, Poisson(rate=1.5))
    >>> model.log_prob([0, 1]).round(4)
    array([-1.5   , -1.0945])
    """

    @property
    @abstractmethod
    def distribution(self) -> Any:
        """The frozen distribution of `scipy.stats` with these parameters."""

    @classmethod
    @abstractmethod
    def mle(cls, data: Any) -> Self:
        """Return the model under which the data are most probable."""

    @abstractmethod
    def fisher_information(self) -> float | np.ndarray:
        """Return the expected curvature of −log p(x | θ), per observation.

        Returns
        -------
        float or array, shape (parameters, parameters)
            −E[∂² log p(x | θ) / ∂θ²] at these parameters, a number if there
            is one free parameter.
        """

    @abstractmethod
    def _check(self, x):
        """Refuse observations outside the support."""

    def log_prob(self, x: Any) -> float | np.ndarray:
        """Return the logarithm of the probability or density of observations.

        Parameters
        ----------
        x : number or array of numbers
            Observations, each in the support of the model.

        Returns
        -------
        float or array of the shape of x
            Natural logarithms; −inf where the parameters exclude an
            observation that the support allows.

        Raises
        ------
        ProbabilityError
            If an observation is not in the support, or not a finite number.
        """
        x = np.asarray(list(x) if isinstance(x, Iterator) else x)
        values = floats(x.ravel(), DATA)
        self._check(values)
        distribution = self.distribution
        log = (
            distribution.logpmf
            if hasattr(distribution, "logpmf")
            else distribution.logpdf
        )
        # The square of a large x may overflow: then the density is zero.
        with np.errstate(over="ignore"):
            result = log(values).reshape(x.shape)
        return float(result) if result.ndim == 0 else result

    def log_likelihood(self, data: Any) -> float:
        """Return the log-likelihood of the parameters, for independent data.

        Parameters
        ----------
        data : sequence of observations

        Returns
        -------
        float
            Σ log p(xₙ | θ): −inf if an observation is impossible under these
            parameters, never NaN.

        Raises
        ------
        ProbabilityError
            If there are no data, or one is outside the support.
        """
        return float(np.sum(self.log_prob(floats(data, DATA))))

    def standard_errors(self, n: int) -> Mapping[str, float | np.ndarray]:
        """Return the standard errors of the estimate from `n` observations.

        Parameters
        ----------
        n : int
            Number of observations, at least 1.

        Returns
        -------
        dict of parameter to number
            Roots of the diagonal of (n · Fisher information)⁻¹ at the
            parameters of this model, usually the estimated ones. They hold
            for large n, in the interior of the parameters' range.

        Raises
        ------
        ProbabilityError
            If a parameter is at the edge of its range, where the
            log-likelihood is not nearly a parabola.
        """
        n = as_int(n, "The number of observations", 1)
        information = np.atleast_2d(self.fisher_information())
        errors = np.sqrt(np.diag(np.linalg.inv(n * information)))
        # Known parameters, such as a number of trials, come first.
        names = self._names()[-len(errors) :]
        return dict(zip(names, errors.tolist(), strict=True))

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> np.ndarray:
        """Draw independent observations.

        Parameters
        ----------
        size : int
            The number of observations.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        array, one row for each observation
        """
        size = as_int(size, "The size of the sample", 0)
        # A vector distribution would draw one vector for the size 0.
        draws = self.distribution.rvs(
            size=max(size, 1), random_state=as_rng(rng)
        )
        return draws[:size]

    def __repr__(self) -> str:
        inside = ", ".join(
            f"{name}={shown(getattr(self, name))}" for name in self._names()
        )
        return f"{type(self).__name__}({inside})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only arrays stay read-only in copies.
        return type(self), tuple(getattr(self, name) for name in self._names())

    def _names(self) -> list[str]:
        """Return the names of the parameters."""
        return [field.name for field in fields(cast(Any, self))]

    def _set(self, **values):
        """Store parameters that have been read."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


def shown(value: Any) -> str:
    """Return numbers as text, with six digits."""
    if isinstance(value, np.ndarray | list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    # There is a negative zero.
    return f"{value + 0.0:.6g}"


def edge_error(parameter: str, value: float) -> ProbabilityError:
    """Return the error of a parameter at the edge of its range."""
    return ProbabilityError(
        f"{parameter} = {value:g} is at the edge of its range, where the "
        "Fisher information is infinite and gives no standard error. Use a "
        "posterior distribution instead."
    )
