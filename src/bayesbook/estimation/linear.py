"""Linear models of y given X: least squares, least deviations, ridge, lasso.

The likelihood is conditional: it describes how y varies for given X, and not
where X comes from. See Bishop (2006), sections 3.1 and 3.3, and Tibshirani
(1996) for the Laplace prior.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from functools import partial
from math import sqrt
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.optimize import linprog

from bayesbook.base import ConvergenceError, ProbabilityError
from bayesbook.base.arrays import floats
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import as_float
from bayesbook.estimation.continuous import Gaussian, Laplace
from bayesbook.estimation.model import Model, shown

# The most sweeps of coordinate descent.
SWEEPS = 100_000


@dataclass(frozen=True, repr=False, eq=False)
class LinearModel(ABC):
    """A linear model: y = X coefficients + intercept + noise.

    The noise of different rows is independent. Linear models are immutable,
    and equal if their parameters are. A model that was fitted to a data frame
    keeps the names of its columns, and refuses a data frame with others, or
    with the same in another order.

    Examples
    --------
    >>> model = LinearGaussian([2, -1], intercept=0.5, sd=1)
    >>> isinstance(model, LinearModel), model.noise
    (True, Gaussian(mean=0, sd=1))
    >>> model.predict([[1, 1], [0, 3]])
    array([ 1.5, -2.5])

    >>> X = pd.DataFrame({"rooms": [1, 2, 3, 4], "floor": [0, 4, 1, 2]})
    >>> model = LinearGaussian.mle(X, [50, 71, 100, 119])
    >>> model.columns
    ('rooms', 'floor')
    >>> model.predict(X[["floor", "rooms"]])
    Traceback (most recent call last):
        ...
    bayesbook.base.errors.ProbabilityError: The columns of X are 'floor', \
'rooms', and those of the model 'rooms', 'floor': give these, in this order.
    """

    coefficients: np.ndarray
    intercept: float
    columns: tuple[str, ...] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        coefficients = floats(self.coefficients, "The coefficients")
        coefficients.flags.writeable = False
        object.__setattr__(self, "coefficients", coefficients)
        object.__setattr__(
            self, "intercept", as_float(self.intercept, "The intercept")
        )
        if self.columns is not None:
            object.__setattr__(self, "columns", tuple(self.columns))
            if len(self.columns) != len(coefficients):
                raise ProbabilityError(
                    f"There are {len(self.columns)} columns, "
                    f"{quoted_list(self.columns)}, for {len(coefficients)} "
                    "coefficients."
                )
        # The model of the noise refuses a width that is not positive.
        _ = self.noise

    @property
    @abstractmethod
    def noise(self) -> Model:
        """The model of the residuals."""

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the centre of y for each row.

        Parameters
        ----------
        X : array or data frame, shape (N, d)

        Returns
        -------
        array, shape (N,)

        Raises
        ------
        ProbabilityError
            If X does not have a finite number for each coefficient, or is a
            data frame with other columns than that of the fit, or with the
            same in another order.
        """
        return self._read(X) @ self.coefficients + self.intercept

    def _read(self, X):
        """Read rows with a number for each coefficient."""
        names = _names(X)
        if self.columns and names and names != self.columns:
            raise ProbabilityError(
                f"The columns of X are {quoted_list(names)}, and those of the "
                f"model {quoted_list(self.columns)}: give these, in this "
                "order."
            )
        X = floats(X, "The rows of X", 2)
        if X.shape[1] != len(self.coefficients):
            raise ProbabilityError(
                f"X has {X.shape[1]} columns; the model has "
                f"{len(self.coefficients)} coefficients."
            )
        return X

    def log_likelihood(self, X: ArrayLike, y: ArrayLike) -> float:
        """Return the conditional log-likelihood Σ log p(yₙ | xₙ).

        Parameters
        ----------
        X : array or data frame, shape (N, d)
        y : sequence of N floats

        Returns
        -------
        float
        """
        _, values = _read(X, y)
        return self.noise.log_likelihood(values - self.predict(X))

    def __repr__(self) -> str:
        numbers = {
            name: shown(value)
            for name, value in self._values().items()
            if name != "columns"
        }
        named = {} if self.columns is None else {"columns": self.columns}
        inside = ", ".join(f"{k}={v}" for k, v in (numbers | named).items())
        return f"{type(self).__name__}({inside})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        pairs = zip(
            self._values().values(), other._values().values(), strict=True
        )
        return all(np.array_equal(own, others) for own, others in pairs)

    def __hash__(self) -> int:
        coefficients, *others = self._values().values()
        return hash((tuple(coefficients), *others))

    def __reduce__(self) -> tuple[Any, ...]:
        # Read-only coefficients stay read-only in copies.
        return partial(type(self), **self._values()), ()

    def _values(self):
        return {own.name: getattr(self, own.name) for own in fields(self)}


@dataclass(frozen=True, repr=False, eq=False)
class LinearGaussian(LinearModel):
    """A linear model with Gaussian noise: least squares.

    Parameters
    ----------
    coefficients : array, shape (d,)
    intercept : float
    sd : float
        Standard deviation of the noise, greater than 0.
    columns : sequence of d texts, optional
        The names of the columns; those of the data frame of a fit.

    Raises
    ------
    ProbabilityError
        If a parameter is not a finite number, or `sd` not positive.

    Examples
    --------
    >>> model = LinearGaussian.mle([[0], [1], [2], [3]], [1, 2, 2, 5])
    >>> model
    LinearGaussian(coefficients=[1.2], intercept=0.7, sd=0.67082)
    >>> model.predict([[10]]).round(4)
    array([12.7])
    """

    sd: float

    @property
    def noise(self) -> Gaussian:
        """The Gaussian around zero."""
        return Gaussian(0, self.sd)

    @classmethod
    def mle(cls, X: ArrayLike, y: ArrayLike, intercept: bool = True) -> Self:
        """Minimise the sum of squares, and estimate the noise with 1/N.

        Parameters
        ----------
        X : array or data frame, shape (N, d)
        y : sequence of N floats
        intercept : bool
            Whether to estimate the intercept; otherwise it is 0.

        Returns
        -------
        LinearGaussian

        Raises
        ------
        ProbabilityError
            If the columns, with the intercept, are linearly dependent, or if
            the fit is perfect, so that the likelihood has no maximum.
        """
        rows, values = _read(X, y)
        design = _design(rows, intercept)
        solution = _least_squares(design, values)
        residuals = _imperfect(values - design @ solution, values)
        coefficients, constant = _split(solution, intercept)
        sd = np.sqrt((residuals**2).mean())
        return cls(coefficients, constant, sd, columns=_names(X))

    @classmethod
    def map(
        cls,
        X: ArrayLike,
        y: ArrayLike,
        sd: float,
        prior: Gaussian | Laplace,
        intercept: bool = True,
    ) -> Self:
        """Return the coefficients of maximum posterior density: ridge, lasso.

        The noise is known. The coefficients are independent under the prior;
        the intercept has a flat one.

        Parameters
        ----------
        X : array or data frame, shape (N, d)
        y : sequence of N floats
        sd : float
            Standard deviation of the noise, greater than 0.
        prior : Gaussian or Laplace
            The prior of each coefficient. ``Gaussian(0, s)`` gives ridge
            regression, which adds sd²/s² times the squared norm to the sum
            of squares; ``Laplace(0, b)`` gives the lasso, which adds 2 sd²/b
            times the absolute norm. In scikit-learn these are
            ``Ridge(alpha=sd²/s²)`` and ``Lasso(alpha=sd²/(N b))``.
        intercept : bool
            Whether to estimate the intercept; otherwise it is 0.

        Returns
        -------
        LinearGaussian

        Raises
        ------
        ProbabilityError
            If a number is not finite, or `sd` not positive.
        TypeError
            If the prior is neither a Gaussian nor a Laplace distribution.
        ConvergenceError
            If the lasso does not converge.

        Examples
        --------
        >>> X, y = [[-1.0], [0.0], [1.0]], [-2.0, 0.0, 2.0]
        >>> LinearGaussian.map(X, y, sd=1, prior=Gaussian(0, 1))
        LinearGaussian(coefficients=[1.33333], intercept=0, sd=1)
        >>> LinearGaussian.map(X, y, sd=1, prior=Laplace(0, 0.25))
        LinearGaussian(coefficients=[0], intercept=0, sd=1)
        """
        rows, values = _read(X, y)
        sd = as_float(sd, "The standard deviation", 0, open_=True)
        # With a flat prior of the intercept the residuals sum to zero, so
        # that centred data need no intercept.
        mean_x, mean_y = rows.mean(axis=0), values.mean()
        if not intercept:
            mean_x, mean_y = np.zeros_like(mean_x), 0.0
        rows, values = rows - mean_x, values - mean_y
        gram = rows.T @ rows / sd**2
        if isinstance(prior, Gaussian):
            precision = 1 / prior.sd**2
            coefficients = np.linalg.solve(
                gram + precision * np.eye(len(gram)),
                rows.T @ values / sd**2 + precision * prior.mean,
            )
        elif isinstance(prior, Laplace):
            shifted = values - rows.sum(axis=1) * prior.location
            slope = rows.T @ shifted / sd**2
            coefficients = prior.location + _lasso(
                gram, slope, 1 / prior.scale
            )
        else:
            raise TypeError(
                f"The prior is {prior!r}: give Gaussian(mean, sd) or "
                "Laplace(location, scale); for another one use "
                "`maximise_posterior`."
            )
        constant = mean_y - mean_x @ coefficients
        return cls(coefficients, constant, sd, columns=_names(X))

    def standard_errors(
        self, X: ArrayLike, intercept: bool = True
    ) -> dict[str, float | np.ndarray]:
        """Return the standard errors of the estimate from these rows.

        Parameters
        ----------
        X : array or data frame, shape (N, d)
        intercept : bool
            Whether the intercept was estimated.

        Returns
        -------
        dict
            ``coefficients``, shape (d,), ``intercept`` if it was estimated,
            and ``sd``: roots of the diagonal of sd² (XᵀX)⁻¹, and sd/√(2N).
        """
        rows = self._read(X)
        design = _design(rows, intercept)
        units = np.abs(design).max(axis=0)
        inverse = np.linalg.inv((design / units).T @ (design / units))
        errors = self.sd * np.sqrt(np.diag(inverse)) / units
        result = {"coefficients": errors[: rows.shape[1]]}
        if intercept:
            result["intercept"] = float(errors[-1])
        return {**result, "sd": self.sd / sqrt(2 * len(rows))}


@dataclass(frozen=True, repr=False, eq=False)
class LinearLaplace(LinearModel):
    """A linear model with Laplace noise: least absolute deviations.

    Parameters
    ----------
    coefficients : array, shape (d,)
    intercept : float
    scale : float
        Mean absolute deviation of the noise, greater than 0.
    columns : sequence of d texts, optional
        The names of the columns; those of the data frame of a fit.

    Raises
    ------
    ProbabilityError
        If a parameter is not a finite number, or `scale` not positive.

    Examples
    --------
    One outlier does not move the fitted line:

    >>> LinearLaplace.mle([[0], [1], [2], [3], [4]], [0, 1, 2, 3, 90])
    LinearLaplace(coefficients=[1], intercept=0, scale=17.2)
    """

    scale: float

    @property
    def noise(self) -> Laplace:
        """The Laplace distribution around zero."""
        return Laplace(0, self.scale)

    @classmethod
    def mle(cls, X: ArrayLike, y: ArrayLike, intercept: bool = True) -> Self:
        """Minimise the sum of absolute deviations, by linear programming.

        Parameters
        ----------
        X : array or data frame, shape (N, d)
        y : sequence of N floats
        intercept : bool
            Whether to estimate the intercept; otherwise it is 0.

        Returns
        -------
        LinearLaplace
            One of the maximisers: there may be several, as there are several
            medians of an even number of observations.

        Raises
        ------
        ProbabilityError
            If the columns, with the intercept, are linearly dependent, or if
            the fit is perfect, so that the likelihood has no maximum.
        ConvergenceError
            If the linear program is not solved.
        """
        rows, values = _read(X, y)
        design = _design(rows, intercept)
        n, d = design.shape
        # The solver's tolerances suit numbers of about 1: the residuals of
        # least squares, in units of the largest one.
        start = _least_squares(design, values)
        residuals = values - design @ start
        units = np.abs(design).max(axis=0)
        unit = np.abs(_imperfect(residuals, values)).max()
        # residuals = design · w + above − below, both parts non-negative.
        program = linprog(
            np.concatenate([np.zeros(d), np.ones(2 * n)]),
            A_eq=sparse.hstack(
                [design / units, sparse.eye(n), -sparse.eye(n)]
            ),
            b_eq=residuals / unit,
            bounds=[(None, None)] * d + [(0, None)] * (2 * n),
            method="highs",
        )
        if not program.success:
            raise ConvergenceError(
                f"The linear program was not solved: {program.message}"
            )
        solution = start + unit * program.x[:d] / units
        coefficients, constant = _split(solution, intercept)
        deviations = np.abs(values - design @ solution)
        scale = deviations.mean()
        return cls(coefficients, constant, scale, columns=_names(X))


def _names(X: object) -> tuple[str, ...] | None:
    """Return the names of the columns of a data frame, if they are texts."""
    if isinstance(X, pd.DataFrame):
        names = tuple(X.columns)
        if all(isinstance(name, str) for name in names):
            return names
    return None


def _read(X: ArrayLike, y: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Read rows, and a value for each."""
    rows, values = floats(X, "The rows of X", 2), floats(y, "The values of y")
    if len(rows) != len(values):
        raise ProbabilityError(
            f"X has {len(rows)} rows and y has {len(values)} values; give a "
            "value for each row."
        )
    return rows, values


def _design(X: np.ndarray, intercept: bool) -> np.ndarray:
    """Add the column of the intercept, and refuse dependent columns."""
    design = np.column_stack([X, np.ones(len(X))]) if intercept else X
    scale = np.abs(design).max(axis=0)
    rank = np.linalg.matrix_rank(design / np.where(scale > 0, scale, 1))
    if rank < design.shape[1]:
        columns = f"{X.shape[1]} columns{' and the intercept' * intercept}"
        raise ProbabilityError(
            f"The {columns} have rank {rank} in {len(X)} rows: the "
            "coefficients are not determined. Leave columns out, give more "
            "rows, or use a prior."
        )
    return design


def _least_squares(design: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the least-squares solution."""
    # Scaled, because columns of small numbers would seem to be dependent.
    units = np.abs(design).max(axis=0)
    return np.linalg.lstsq(design / units, y)[0] / units


def _split(solution: np.ndarray, intercept: bool) -> tuple[np.ndarray, float]:
    """Separate the coefficients from the intercept."""
    if intercept:
        return solution[:-1], float(solution[-1])
    return solution, 0.0


def _imperfect(residuals: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Refuse residuals that are all zero, up to rounding."""
    if np.abs(residuals).max() <= 1e-12 * max(np.abs(y).max(), 1e-300):
        raise ProbabilityError(
            "The model fits the data without error: the likelihood grows "
            "without limit as the noise goes to 0. Give more rows than there "
            "are coefficients, or fix the noise with `map`."
        )
    return residuals


def _lasso(gram, slope, threshold):
    """Minimise wᵀ gram w / 2 − slope·w + threshold·Σ|w|, one w at a time.

    Coordinate descent (Friedman, Hastie and Tibshirani 2010): each step
    solves for one coefficient exactly, by soft thresholding.
    """
    w = np.zeros(len(slope))
    curvature = np.diag(gram)
    exact = 1e-12 * max(np.abs(slope).max(), threshold)
    for _ in range(SWEEPS):
        worst = 0.0
        for j in np.flatnonzero(curvature > 0):
            alone = slope[j] - gram[j] @ w + curvature[j] * w[j]
            size = max(abs(alone) - threshold, 0)
            new = np.sign(alone) * size / curvature[j]
            worst = max(worst, curvature[j] * abs(new - w[j]))
            w[j] = new
        if worst <= exact:
            return w
    raise ConvergenceError(
        f"The lasso did not converge in {SWEEPS:,} sweeps: are columns nearly "
        "linear functions of one another?"
    )
