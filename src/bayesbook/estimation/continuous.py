"""Models of measurements, and their maximum-likelihood estimates.

The maximisers are the zeros of the score, derived in chapter 6; see also
Casella and Berger (2002), section 7.2, and Bishop (2006), section 2.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, stats
from scipy.stats.distributions import rv_frozen

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import column_names, floats, refuse
from bayesbook.base.numbers import as_float, as_int
from bayesbook.estimation.model import DATA, Model


@dataclass(frozen=True, repr=False)
class Exponential(Model):
    """Waiting time for an event that happens at a constant rate.

    Parameters
    ----------
    rate : float
        Events per unit of time, greater than 0; the mean is 1 / rate.

    Raises
    ------
    ProbabilityError
        If `rate` is not a positive number.

    Examples
    --------
    >>> Exponential.mle([0.5, 2.0, 1.5])
    Exponential(rate=0.75)
    """

    rate: float

    def __post_init__(self) -> None:
        self._set(rate=as_float(self.rate, "The rate", 0, open_=True))

    @property
    def distribution(self) -> rv_frozen:
        """The frozen `scipy.stats.expon`."""
        return stats.expon(scale=1 / self.rate)

    @classmethod
    def mle(cls, data: Iterable[float]) -> Self:
        """Estimate the rate by one over the mean.

        Parameters
        ----------
        data : sequence of float
            Times, at least 0 and not all 0.

        Returns
        -------
        Exponential
        """
        x = floats(data, DATA)
        refuse(x < 0, x, DATA, "negative")
        if not x.any():
            raise ProbabilityError(
                "All observations are 0: the likelihood has no maximum, "
                "because it grows without limit with the rate."
            )
        return cls(1 / x.mean())

    def _check(self, x):
        refuse(x < 0, x, DATA, "negative")

    def fisher_information(self) -> float:
        """Return 1 / rate².

        Returns
        -------
        float
        """
        return 1 / self.rate**2


@dataclass(frozen=True, repr=False)
class Gaussian(Model):
    """A measurement with symmetric errors: the normal distribution.

    Parameters
    ----------
    mean : float
    sd : float
        Standard deviation, greater than 0, in the unit of the mean.

    Raises
    ------
    ProbabilityError
        If `sd` is not positive, or a parameter not a finite number.

    Examples
    --------
    >>> Gaussian.mle([3, 5, 7, 9])
    Gaussian(mean=6, sd=2.23607)
    >>> round(Gaussian(0, 0.1).log_prob(0), 4)
    1.3836
    """

    mean: float
    sd: float

    def __post_init__(self) -> None:
        self._set(
            mean=as_float(self.mean, "The mean"),
            sd=as_float(self.sd, "The standard deviation", 0, open_=True),
        )

    @property
    def distribution(self) -> rv_frozen:
        """The frozen `scipy.stats.norm`."""
        return stats.norm(self.mean, self.sd)

    @classmethod
    def mle(cls, data: Iterable[float]) -> Self:
        """Estimate the mean, and the standard deviation with 1/N.

        Parameters
        ----------
        data : sequence of float
            Not all of them equal.

        Returns
        -------
        Gaussian
        """
        x = floats(data, DATA)
        _require_spread(x)
        return cls(x.mean(), x.std())

    def _check(self, x):
        """Accept every finite number."""

    def fisher_information(self) -> np.ndarray:
        """Return the information about the mean and the standard deviation.

        Returns
        -------
        array, shape (2, 2)
            1/sd² and 2/sd² on the diagonal.
        """
        return np.diag([1 / self.sd**2, 2 / self.sd**2])


def _require_spread(x):
    """Refuse observations that are all equal, up to rounding."""
    if np.ptp(x) <= 4 * np.finfo(float).eps * np.abs(x).max():
        raise ProbabilityError(
            f"All {len(x)} observations are {x[0]:g}: without spread the "
            "likelihood grows without limit as the width goes to 0. Give "
            "observations that differ, or fix the width."
        )


@dataclass(frozen=True, repr=False)
class Laplace(Model):
    """A measurement with occasional large errors: the Laplace distribution.

    Parameters
    ----------
    location : float
        Mean and median.
    scale : float
        Mean absolute deviation, greater than 0, in the unit of the location.

    Raises
    ------
    ProbabilityError
        If `scale` is not positive, or a parameter not a finite number.

    Examples
    --------
    >>> Laplace.mle([1, 2, 4, 9, 30])
    Laplace(location=4, scale=7.2)
    """

    location: float
    scale: float

    def __post_init__(self) -> None:
        self._set(
            location=as_float(self.location, "The location"),
            scale=as_float(self.scale, "The scale", 0, open_=True),
        )

    @property
    def distribution(self) -> rv_frozen:
        """The frozen `scipy.stats.laplace`."""
        return stats.laplace(self.location, self.scale)

    @classmethod
    def mle(cls, data: Iterable[float]) -> Self:
        """Estimate the location by the median, the scale by the deviation.

        For an even number of observations every point between the two middle
        ones is a maximiser; their midpoint is returned.

        Parameters
        ----------
        data : sequence of float
            Not all of them equal.

        Returns
        -------
        Laplace
        """
        x = floats(data, DATA)
        _require_spread(x)
        median = np.median(x)
        return cls(median, np.abs(x - median).mean())

    def _check(self, x):
        """Accept every finite number."""

    def fisher_information(self) -> np.ndarray:
        """Return the information about the location and the scale.

        For the location it is the variance of the score, because the
        log-density has no curvature at its kink.

        Returns
        -------
        array, shape (2, 2)
            1/scale² and 1/scale² on the diagonal.
        """
        return np.diag([1 / self.scale**2] * 2)


@dataclass(frozen=True, repr=False, eq=False)
class MultivariateGaussian(Model):
    """Several measurements of one thing: the multivariate normal distribution.

    Parameters
    ----------
    mean : array, shape (d,)
    covariance : array, shape (d, d)
        Symmetric and positive definite.

    Raises
    ------
    ProbabilityError
        If the shapes do not fit, a number is not finite, or the covariance
        is not symmetric or not positive definite.

    Examples
    --------
    >>> MultivariateGaussian.mle([[0, 0], [2, 0], [2, 2], [4, 6]])
    MultivariateGaussian(mean=[2, 2], covariance=[[2, 3], [3, 6]])
    """

    mean: np.ndarray
    covariance: np.ndarray

    def __post_init__(self) -> None:
        mean = floats(self.mean, "The mean")
        covariance = floats(self.covariance, "The covariance", 2)
        if covariance.shape != (len(mean), len(mean)):
            raise ProbabilityError(
                f"The covariance has the shape {covariance.shape}; a mean of "
                f"length {len(mean)} needs {(len(mean), len(mean))}."
            )
        if not np.allclose(covariance, covariance.T, rtol=1e-9, atol=0):
            raise ProbabilityError("The covariance is not symmetric.")
        _require_definite(covariance, "The covariance")
        for array in (mean, covariance):
            array.flags.writeable = False
        self._set(mean=mean, covariance=covariance)

    @property
    def distribution(self) -> Any:
        """The frozen `scipy.stats.multivariate_normal`."""
        # Cholesky is accurate for columns in very different units.
        root = np.linalg.cholesky(self.covariance)
        return stats.multivariate_normal(
            self.mean, stats.Covariance.from_cholesky(root)
        )

    @classmethod
    def mle(cls, data: ArrayLike) -> Self:
        """Estimate the mean, and the covariance with 1/N.

        Parameters
        ----------
        data : array or data frame, shape (N, d)
            A row for each observation; N > d, and no column is a linear
            function of the others.

        Returns
        -------
        MultivariateGaussian

        Raises
        ------
        ProbabilityError
            If the covariance of the data is singular.
        """
        x = floats(data, DATA, 2)
        covariance = np.atleast_2d(np.cov(x, rowvar=False, bias=True))
        _require_definite(
            covariance,
            f"The covariance of {len(x)} observations",
            column_names(data),
        )
        return cls(x.mean(axis=0), covariance)

    def _check(self, x):
        """Accept every finite number."""

    def log_prob(self, x: ArrayLike) -> float | np.ndarray:
        """Return the log-density of one observation, or of each row.

        Parameters
        ----------
        x : array, shape (d,) or (N, d)

        Returns
        -------
        float or array, shape (N,)
        """
        ndim = 1 if np.ndim(x) == 1 else 2
        rows = floats(x, DATA, ndim)
        if rows.shape[-1] != len(self.mean):
            raise ProbabilityError(
                f"An observation has {rows.shape[-1]} numbers; the model has "
                f"{len(self.mean)}."
            )
        log = self.distribution.logpdf(rows)
        return float(log) if ndim == 1 else np.atleast_1d(log)

    def log_likelihood(self, data: ArrayLike) -> float:
        """Return Σ log p(xₙ) over the rows of the data.

        Parameters
        ----------
        data : array or data frame, shape (N, d)

        Returns
        -------
        float
        """
        return float(np.sum(self.log_prob(floats(data, DATA, 2))))

    def fisher_information(self) -> np.ndarray:
        """Return the information about the means and the covariances.

        Returns
        -------
        array, shape (d + d(d+1)/2, d + d(d+1)/2)
            First the d means, then the covariances on and below the
            diagonal, row by row: Σ⁻¹ for the means, and ½ tr(Σ⁻¹ ∂ᵢΣ Σ⁻¹ ∂ⱼΣ)
            for the others (Kay 1993, equation 3.31).
        """
        inverse = np.linalg.inv(self.covariance)
        steps: list[np.ndarray] = []
        for i, j in zip(*np.tril_indices(len(self.mean)), strict=True):
            step = np.zeros_like(inverse)
            step[i, j] = step[j, i] = 1
            steps.append(inverse @ step)
        array = np.array(steps)
        return linalg.block_diag(
            inverse, np.einsum("aij,bji->ab", array, array) / 2
        )

    def standard_errors(self, n: int) -> dict[str, np.ndarray]:
        """Return the standard errors of the means and of the covariances.

        Parameters
        ----------
        n : int

        Returns
        -------
        dict
            ``mean``, shape (d,), and ``covariance``, shape (d, d):
            √(Σᵢᵢ/n) and √((Σᵢᵢ Σⱼⱼ + Σᵢⱼ²)/n).
        """
        n = as_int(n, "The number of observations", 1)
        variances = np.diag(self.covariance)
        return {
            "mean": np.sqrt(variances / n),
            "covariance": np.sqrt(
                (np.outer(variances, variances) + self.covariance**2) / n
            ),
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MultivariateGaussian):
            return NotImplemented
        return np.array_equal(self.mean, other.mean) and np.array_equal(
            self.covariance, other.covariance
        )

    def __hash__(self) -> int:
        return hash((tuple(self.mean), tuple(self.covariance.ravel())))


def _require_definite(covariance, what, columns=None):
    """Refuse a covariance that is singular up to rounding, or worse."""
    variances = np.diag(covariance)
    constant = np.flatnonzero(variances <= 0)
    if constant.size:
        column = constant[0].item()
        name = columns[column] if columns else column
        raise ProbabilityError(
            f"{what}: the variance of column {name!r} is not positive. "
            "Leave out a column that is constant."
        )
    scale = np.sqrt(variances)
    # Correlations do not depend on the units of the columns.
    least = np.linalg.eigvalsh(covariance / np.outer(scale, scale))[0]
    if least < 1e-12 * len(scale):
        raise ProbabilityError(
            f"{what} is singular, or not positive definite: a column is a "
            "linear function of others, or there are too few observations. "
            "Leave columns out, or give more observations."
        )
