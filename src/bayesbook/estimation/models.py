"""Models of independent observations, and their maximum-likelihood estimates.

The maximisers are the zeros of the score, derived in chapter 6; see also
Casella and Berger (2002), section 7.2, and Bishop (2006), section 2.3.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from scipy import linalg, stats

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import (
    column_names,
    floats,
    is_one,
    refuse,
    require_binary,
    require_counts,
    require_one,
)
from bayesbook.base.labels import (
    codes_of,
    label_array,
    read_by_category,
    read_labels,
    read_observed,
    sorted_states,
)
from bayesbook.base.numbers import as_float, as_int

DATA = "The observations"


class Model(ABC):
    """What the models share: p(x | parameters), the fields being parameters.

    A model is immutable, is equal to another of the same parameters, and
    takes one observation or many: any array of them for `log_prob`.
    """

    @property
    @abstractmethod
    def distribution(self):
        """The frozen distribution of `scipy.stats` with these parameters."""

    @classmethod
    @abstractmethod
    def mle(cls, data) -> Self:
        """Return the model under which the data are most probable."""

    @abstractmethod
    def fisher_information(self) -> float | np.ndarray:
        """Return the expected curvature of the log-likelihood, per observation.

        Returns
        -------
        float or array, shape (parameters, parameters)
            −E[∂² log p(x | θ) / ∂θ²] at these parameters, a number if there
            is one free parameter.
        """

    @abstractmethod
    def _check(self, x):
        """Refuse observations outside the support."""

    def log_prob(self, x) -> float | np.ndarray:
        """Return the logarithm of the probability, or density, of observations.

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
        # Far out the square of x may overflow: the density is zero.
        with np.errstate(over="ignore"):
            result = log(values).reshape(x.shape)
        return float(result) if result.ndim == 0 else result

    def log_likelihood(self, data) -> float:
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

    def standard_errors(self, n: int) -> dict[str, float | np.ndarray]:
        """Return the standard errors of the estimate from `n` observations.

        Parameters
        ----------
        n : int
            Number of observations, at least 1.

        Returns
        -------
        dict of parameter to number
            Roots of the diagonal of (n · Fisher information)⁻¹, at the
            parameters of this model: those of the estimate, as a rule. They
            hold for large n, inside the parameters' range.

        Raises
        ------
        ProbabilityError
            If a parameter is at the edge of its range, where the
            log-likelihood has no parabola to speak of.
        """
        n = as_int(n, "The number of observations", 1)
        information = np.atleast_2d(self.fisher_information())
        errors = np.sqrt(np.diag(np.linalg.inv(n * information)))
        # Known parameters, such as a number of trials, come before.
        names = [field.name for field in fields(self)][-len(errors) :]
        return dict(zip(names, errors.tolist(), strict=True))

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> np.ndarray:
        """Draw independent observations.

        Parameters
        ----------
        size : int
            How many.
        rng : numpy Generator or int
            The source of randomness, or the seed of a new one.

        Returns
        -------
        array, one row for each observation
        """
        size = as_int(size, "The size of the sample", 0)
        # Of a vector, no draws at all would be one.
        draws = self.distribution.rvs(
            size=max(size, 1), random_state=np.random.default_rng(rng)
        )
        return draws[:size]

    def __repr__(self):
        inside = ", ".join(
            f"{field.name}={shown(getattr(self, field.name))}"
            for field in fields(self)
        )
        return f"{type(self).__name__}({inside})"

    def __reduce__(self):
        # Arrays that cannot be written stay so in copies.
        return type(self), tuple(
            getattr(self, field.name) for field in fields(self)
        )

    def _set(self, **values):
        """Store what was read, in spite of being frozen."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


def shown(value):
    """Show numbers with six digits: more would be noise in a page."""
    if isinstance(value, np.ndarray | list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    # There is a negative zero.
    return f"{value + 0.0:.6g}"


def _edge(parameter, value):
    return ProbabilityError(
        f"{parameter} = {value:g} is at the edge of its range, where the "
        "Fisher information is infinite: it says nothing about the error of "
        "the estimate there. Use a posterior distribution instead."
    )


@dataclass(frozen=True, repr=False)
class Bernoulli(Model):
    """One trial that succeeds (1) or fails (0).

    Parameters
    ----------
    p : float
        Probability of success, from 0 to 1.

    Raises
    ------
    ProbabilityError
        If `p` is not a probability.

    Examples
    --------
    >>> Bernoulli.mle([1, 0, 1, 1])
    Bernoulli(p=0.75)
    >>> round(Bernoulli(0.75).log_prob(1), 4)
    -0.2877
    >>> round(Bernoulli(0.75).fisher_information(), 4)
    5.3333
    """

    p: float

    def __post_init__(self):
        self._set(p=as_float(self.p, "The probability p", 0, 1))

    @property
    def distribution(self):
        """The frozen `scipy.stats.bernoulli`."""
        return stats.bernoulli(self.p)

    @classmethod
    def mle(cls, data: Iterable[int]) -> Self:
        """Estimate p by the relative frequency of success.

        Parameters
        ----------
        data : sequence of 0 and 1, or of False and True

        Returns
        -------
        Bernoulli
        """
        x = floats(data, DATA)
        require_binary(x, DATA)
        return cls(x.mean())

    def _check(self, x):
        require_binary(x, DATA)

    def fisher_information(self) -> float:
        """Return 1 / (p (1 − p)), which is infinite at the edges.

        Returns
        -------
        float

        Raises
        ------
        ProbabilityError
            If p is 0 or 1.
        """
        if self.p in (0, 1):
            raise _edge("p", self.p)
        return 1 / (self.p * (1 - self.p))


@dataclass(frozen=True, repr=False)
class Binomial(Model):
    """Number of successes in a known number of independent trials.

    Parameters
    ----------
    trials : int
        Number of trials behind each observation, at least 1.
    p : float
        Probability of success, from 0 to 1.

    Raises
    ------
    ProbabilityError
        If `trials` is not a whole number or `p` not a probability.

    Examples
    --------
    >>> Binomial.mle([7, 6, 8], trials=10)
    Binomial(trials=10, p=0.7)
    >>> round(Binomial(10, 0.7).log_prob(7), 4)
    -1.3212
    """

    trials: int
    p: float

    def __post_init__(self):
        self._set(
            trials=as_int(self.trials, "The number of trials", 1),
            p=as_float(self.p, "The probability p", 0, 1),
        )

    @property
    def distribution(self):
        """The frozen `scipy.stats.binom`."""
        return stats.binom(self.trials, self.p)

    @classmethod
    def mle(cls, data: Iterable[int], trials: int) -> Self:
        """Estimate p by the share of successes among all the trials.

        Parameters
        ----------
        data : sequence of int
            Numbers of successes, from 0 to `trials`.
        trials : int
            Number of trials behind each of them.

        Returns
        -------
        Binomial
        """
        x = floats(data, DATA)
        trials = as_int(trials, "The number of trials", 1)
        require_counts(x, DATA, trials)
        return cls(trials, x.mean() / trials)

    def _check(self, x):
        require_counts(x, DATA, self.trials)

    def fisher_information(self) -> float:
        """Return trials / (p (1 − p)), which is infinite at the edges.

        Returns
        -------
        float

        Raises
        ------
        ProbabilityError
            If p is 0 or 1.
        """
        return self.trials * Bernoulli(self.p).fisher_information()


@dataclass(frozen=True, repr=False)
class Categorical(Model):
    """One of a few categories.

    Parameters
    ----------
    probabilities : mapping or series of category to probability, or sequence
        They sum to one, to 1e-9.
    categories : sequence of hashable values, optional
        The categories of a sequence of probabilities; without it they are
        0, 1, 2, ...

    Raises
    ------
    ProbabilityError
        If a probability is negative or not finite, if they do not sum to
        one, or if a category stands twice.

    Examples
    --------
    >>> Categorical.mle(["up", "down", "up", "side"])
    Categorical({'down': 0.25, 'side': 0.25, 'up': 0.5})
    >>> model = Categorical({"up": 0.7, "down": 0.3})
    >>> round(model.log_prob("up"), 4)
    -0.3567
    """

    probabilities: tuple[float, ...]
    categories: tuple[Hashable, ...] = None

    def __post_init__(self):
        p, categories = read_by_category(
            self.probabilities, self.categories, floats, "probabilities"
        )
        refuse(p < 0, p, "The probabilities", "negative")
        require_one(p, "The probabilities")
        self._set(probabilities=tuple(p.tolist()), categories=categories)

    @property
    def distribution(self):
        """The frozen distribution of the category's number, 0, 1, 2, ..."""
        return stats.rv_discrete(
            name="categorical",
            values=(range(len(self.categories)), self.probabilities),
        )()

    @classmethod
    def mle(
        cls,
        data: Iterable[Hashable],
        categories: Iterable[Hashable] | None = None,
    ) -> Self:
        """Estimate the probabilities by relative frequencies.

        Parameters
        ----------
        data : sequence of categories
        categories : sequence of hashable values, optional
            All that can occur. Without it, those that do, in order.

        Returns
        -------
        Categorical
        """
        data = _listed(data)
        if categories is None:
            categories = sorted_states(dict.fromkeys(data))
        categories = read_labels(categories, "category")
        counts = np.bincount(
            codes_of(data, categories, "The observation"),
            minlength=len(categories),
        )
        return cls(counts / counts.sum(), categories)

    def _check(self, x):
        """Every category is known: `log_prob` has seen to it."""

    def log_prob(self, x) -> float | np.ndarray:
        """Return the logarithm of the probability of a category or of many.

        Parameters
        ----------
        x : category or sequence of categories
            A sequence is many, unless it is a category itself.

        Returns
        -------
        float or array
            −inf for a category of probability zero.

        Raises
        ------
        ProbabilityError
            If a category is not one of the model's.
        """
        with np.errstate(divide="ignore"):
            log = np.log(self.probabilities)
        if is_one(x, self.categories):
            return float(
                log[codes_of([x], self.categories, "The observation")[0]]
            )
        return log[codes_of(_listed(x), self.categories, "The observation")]

    def log_likelihood(self, data: Iterable[Hashable]) -> float:
        """Return Σ log p(xₙ): what `Model.log_likelihood` says.

        Parameters
        ----------
        data : sequence of categories

        Returns
        -------
        float
        """
        return float(np.sum(self.log_prob(_listed(data))))

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> np.ndarray:
        """Draw independent categories.

        Parameters
        ----------
        size : int
        rng : numpy Generator or int

        Returns
        -------
        array of categories
        """
        size = as_int(size, "The size of the sample", 0)
        codes = np.random.default_rng(rng).choice(
            len(self.categories), size=size, p=self.probabilities
        )
        return label_array(self.categories)[codes]

    def fisher_information(self) -> np.ndarray:
        """Return the information about all probabilities but the last.

        The last one is not free: the sum is one.

        Returns
        -------
        array, shape (K − 1, K − 1)
            1/pᵢ on the diagonal, plus 1/p_K everywhere.

        Raises
        ------
        ProbabilityError
            If a probability is zero.
        """
        if 0 in self.probabilities:
            raise _edge("A probability", 0)
        *free, last = self.probabilities
        return np.diag(1 / np.array(free)) + 1 / last

    def standard_errors(self, n: int) -> dict[str, np.ndarray]:
        """Return √(pₖ (1 − pₖ) / n) for every category.

        Parameters
        ----------
        n : int

        Returns
        -------
        dict with one entry, ``probabilities``
            An array in the order of the categories.
        """
        n = as_int(n, "The number of observations", 1)
        if 0 in self.probabilities:
            raise _edge("A probability", 0)
        p = np.array(self.probabilities)
        return {"probabilities": np.sqrt(p * (1 - p) / n)}

    def __repr__(self):
        inside = ", ".join(
            f"{category!r}: {p:.6g}"
            for category, p in zip(
                self.categories, self.probabilities, strict=True
            )
        )
        return f"Categorical({{{inside}}})"


def _listed(data):
    """Return observations as a list that is not empty."""
    data = read_observed(data, DATA)
    if not data:
        raise ProbabilityError(f"{DATA} are empty: there is nothing to see.")
    return data


@dataclass(frozen=True, repr=False)
class Poisson(Model):
    """Number of events that happen independently at a constant rate.

    Parameters
    ----------
    rate : float
        Expected number, at least 0.

    Raises
    ------
    ProbabilityError
        If `rate` is negative or not a finite number.

    Examples
    --------
    >>> Poisson.mle([2, 0, 3, 1])
    Poisson(rate=1.5)
    """

    rate: float

    def __post_init__(self):
        self._set(rate=as_float(self.rate, "The rate", 0))

    @property
    def distribution(self):
        """The frozen `scipy.stats.poisson`."""
        return stats.poisson(self.rate)

    @classmethod
    def mle(cls, data: Iterable[int]) -> Self:
        """Estimate the rate by the mean.

        Parameters
        ----------
        data : sequence of int
            Numbers of events, at least 0.

        Returns
        -------
        Poisson
        """
        x = floats(data, DATA)
        require_counts(x, DATA)
        return cls(x.mean())

    def _check(self, x):
        require_counts(x, DATA)

    def fisher_information(self) -> float:
        """Return 1 / rate.

        Returns
        -------
        float

        Raises
        ------
        ProbabilityError
            If the rate is 0.
        """
        if self.rate == 0:
            raise _edge("rate", 0)
        return 1 / self.rate


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

    def __post_init__(self):
        self._set(rate=as_float(self.rate, "The rate", 0, open_=True))

    @property
    def distribution(self):
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
                "All observations are 0: the likelihood grows without limit "
                "as the rate does."
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

    def __post_init__(self):
        self._set(
            mean=as_float(self.mean, "The mean"),
            sd=as_float(self.sd, "The standard deviation", 0, open_=True),
        )

    @property
    def distribution(self):
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
        """Every finite number is in the support."""

    def fisher_information(self) -> np.ndarray:
        """Return the information about the mean and the standard deviation.

        Returns
        -------
        array, shape (2, 2)
            1/sd² and 2/sd² on the diagonal.
        """
        return np.diag([1 / self.sd**2, 2 / self.sd**2])


def _require_spread(x):
    if np.ptp(x) <= 4 * np.finfo(float).eps * np.abs(x).max():
        raise ProbabilityError(
            f"All {len(x)} observations are {x[0]:g}: without spread the "
            "likelihood grows without limit as the width goes to 0. Give "
            "observations that differ, or fix the width."
        )


@dataclass(frozen=True, repr=False)
class Laplace(Model):
    """A measurement with large errors now and then: two exponentials.

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

    def __post_init__(self):
        self._set(
            location=as_float(self.location, "The location"),
            scale=as_float(self.scale, "The scale", 0, open_=True),
        )

    @property
    def distribution(self):
        """The frozen `scipy.stats.laplace`."""
        return stats.laplace(self.location, self.scale)

    @classmethod
    def mle(cls, data: Iterable[float]) -> Self:
        """Estimate the location by the median, the scale by the deviation.

        For an even number of observations every point between the two in the
        middle is a maximiser; this is the midpoint.

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
        """Every finite number is in the support."""

    def fisher_information(self) -> np.ndarray:
        """Return the information about the location and the scale.

        For the location it is the variance of the score: at the kink there
        is no curvature.

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

    def __post_init__(self):
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
    def distribution(self):
        """The frozen `scipy.stats.multivariate_normal`."""
        # Columns in very different units are no trouble for Cholesky.
        root = np.linalg.cholesky(self.covariance)
        return stats.multivariate_normal(
            self.mean, stats.Covariance.from_cholesky(root)
        )

    @classmethod
    def mle(cls, data) -> Self:
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
        """Every finite number is in the support."""

    def log_prob(self, x) -> float | np.ndarray:
        """Return the logarithm of the density of one observation or of rows.

        Parameters
        ----------
        x : array, shape (d,) or (N, d)

        Returns
        -------
        float or array, shape (N,)
        """
        ndim = 1 if np.ndim(x) == 1 else 2
        x = floats(x, DATA, ndim)
        if x.shape[-1] != len(self.mean):
            raise ProbabilityError(
                f"An observation has {x.shape[-1]} numbers; the model has "
                f"{len(self.mean)}."
            )
        log = self.distribution.logpdf(x)
        return float(log) if ndim == 1 else np.atleast_1d(log)

    def log_likelihood(self, data) -> float:
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
        steps = []
        for i, j in zip(*np.tril_indices(len(self.mean)), strict=True):
            step = np.zeros_like(inverse)
            step[i, j] = step[j, i] = 1
            steps.append(inverse @ step)
        steps = np.array(steps)
        return linalg.block_diag(
            inverse, np.einsum("aij,bji->ab", steps, steps) / 2
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

    def __eq__(self, other):
        if not isinstance(other, MultivariateGaussian):
            return NotImplemented
        return np.array_equal(self.mean, other.mean) and np.array_equal(
            self.covariance, other.covariance
        )

    def __hash__(self):
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
            "linear function of others, or there are fewer observations than "
            "it takes. Leave columns out, or give more observations."
        )
