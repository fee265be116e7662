"""Predictive distributions: likelihoods whose parameter is integrated out.

They are the distributions of `scipy.stats` of the same names, evaluated so
that they stay right when a posterior has seen 10¹⁵ observations: there,
differences of log-gamma functions have no correct digit left.

Those of the Gaussian families are in :mod:`bayesbook.conjugate.gaussian`: a
normal distribution if the variance is known, and otherwise Student's t, the
`scipy.stats.t`, which need no such care.

Source: Besag (1989), "A candidate's formula: a curious result in Bayesian
prediction", for the beta-binomial distribution.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.base.arrays import floats, read_positive, require_counts
from bayesbook.base.numbers import as_int
from bayesbook.conjugate.rising_powers import log_rising

# Probabilities that are added up: half a gigabyte of them.
_MOST_TERMS = 5e7


def _log(p, far):
    """Return log p, and the values of `far` where p underflows."""
    return np.log(p, out=far, where=p > 1e-290)


def _require_summable(n):
    """Raise an error for sums that would fill the memory."""
    if np.max(n, initial=0) > _MOST_TERMS:
        raise TableTooLargeError(
            f"This adds up {np.max(n):.3g} probabilities of a beta-binomial "
            f"distribution, and {_MOST_TERMS:.0e} are the most: in that many "
            "trials the share of successes is nearly θ, so use the "
            "distribution of θ instead."
        )


# Classes that scipy does not export.
_BetaBinomialOfScipy: Any = type(stats.betabinom)
_LomaxOfScipy: Any = type(stats.lomax)


class _BetaBinomial(_BetaBinomialOfScipy):
    """Successes in n trials of one probability that is Beta(a, b)."""

    def _pmf(self, x, n, a, b):
        """Return likelihood times prior, divided by the posterior.

        The quotient is the same for every parameter; at the posterior mean
        none of the three is small.
        """
        # A parameter near 1 would be rounded to 1: count failures there.
        k = np.floor(x)
        mirrored = a + k > b + n - k
        k, a, b = (
            np.where(mirrored, *sides)
            for sides in ((n - k, k), (b, a), (a, b))
        )
        theta = (a + k) / (a + b + n)
        return (
            stats.binom.pmf(k, n, theta)
            * stats.beta.pdf(theta, a, b)
            / stats.beta.pdf(theta, a + k, b + n - k)
        )

    def _logpmf(self, x, n, a, b):
        k = np.floor(x)
        far = (
            -np.log1p(n)
            - special.betaln(n - k + 1, k + 1)
            + log_rising(a, k)
            + log_rising(b, n - k)
            - log_rising(a + b, n)
        )
        return _log(self._pmf(x, n, a, b), far)

    def _cdf(self, x, n, a, b):
        _require_summable(x)
        return super()._cdf(x, n, a, b)

    def _sf(self, x, n, a, b):
        """Return the sum of the upper tail, as 1 - cdf loses its digits."""
        return self._cdf(n - np.floor(x) - 1, n, b, a)

    def _ppf(self, q, n, a, b):
        """Return quantiles by a search in sums that are made only once."""
        _require_summable(n)

        def search(q, n, a, b):
            sums = np.cumsum(self._pmf(np.arange(n), n, a, b))
            # A level that is reached exactly must not be missed by rounding.
            return np.searchsorted(sums, q * (1 - 1e-13))

        return np.vectorize(search, otypes=[float])(q, n, a, b)


class _NegativeBinomial(stats.rv_discrete):
    """A Poisson count whose mean is `odds` times a Gamma(shape) variable.

    The distribution of `scipy.stats.nbinom(shape, 1 / (1 + odds))`, whose
    second parameter is rounded to 1 if the odds are small.
    """

    def _argcheck(self, shape, odds):
        return (shape > 0) & (odds > 0)

    def _pmf(self, x, shape, odds):
        """Return a beta density, at the smaller of two complements."""
        density = np.where(
            odds < 1,
            stats.beta.pdf(odds / (1 + odds), x + 1, shape),
            stats.beta.pdf(1 / (1 + odds), shape, x + 1),
        )
        return density / (1 + odds) / (shape + x)

    def _logpmf(self, x, shape, odds):
        far = (
            log_rising(shape, x)
            - special.gammaln(x + 1)
            - shape * np.log1p(odds)
            - x * np.log1p(1 / odds)
        )
        return _log(self._pmf(x, shape, odds), far)

    def _cdf(self, x, shape, odds):
        n = np.floor(x) + 1
        return np.where(
            odds < 1,
            special.betaincc(n, shape, odds / (1 + odds)),
            special.betainc(shape, n, 1 / (1 + odds)),
        )

    def _sf(self, x, shape, odds):
        n = np.floor(x) + 1
        return np.where(
            odds < 1,
            special.betainc(n, shape, odds / (1 + odds)),
            special.betaincc(shape, n, 1 / (1 + odds)),
        )

    def _ppf(self, q, shape, odds):
        """Return quantiles by bisection; scipy can stop at its first guess."""
        low, high = -np.ones_like(q), np.ones_like(q)
        while (short := self._cdf(high, shape, odds) < q).any():
            high = np.where(short, 2 * high, high)
        middle = np.floor((low + high) / 2)
        # Large floats lie more than 1 apart.
        while ((low < middle) & (middle < high)).any():
            enough = self._cdf(middle, shape, odds) >= q
            low = np.where(enough, low, middle)
            high = np.where(enough, middle, high)
            middle = np.floor((low + high) / 2)
        return high

    def _stats(self, shape, odds):
        mean = shape * odds
        var = mean * (1 + odds)
        skewness = (1 + 2 * odds) / np.sqrt(var)
        return mean, var, skewness, 6 / shape + 1 / var

    def _rvs(self, shape, odds, size=None, random_state=None):
        return random_state.poisson(odds * random_state.gamma(shape, 1, size))


class _Lomax(_LomaxOfScipy):
    """A waiting time whose rate has the distribution Gamma(shape, scale)."""

    def _pdf(self, x, c):
        return np.exp(self._logpdf(x, c))

    def _isf(self, q, c):
        return np.expm1(-np.log(q) / c)

    def _stats(self, c):
        # `scipy.stats` subtracts 1 from c / (c - 1).
        with np.errstate(divide="ignore"):
            mean = 1 / np.maximum(c - 1, 0)
        return mean, *super()._stats(c)[1:]


beta_binomial = _BetaBinomial(name="beta_binomial")
negative_binomial = _NegativeBinomial(name="negative_binomial")
lomax = _Lomax(a=0.0, name="lomax")


def read_trials(trials: int) -> int:
    """Read a number of trials that an array of integers can hold."""
    number = as_int(trials, "The number of trials", 0)
    if number >= 2**63:
        raise ProbabilityError(
            f"The number of trials is {number:.3g}; it must be less than 2⁶³, "
            "as an array cannot count further."
        )
    return number


@dataclass(frozen=True, repr=False)
class DirichletMultinomial:
    """Counts of `trials` draws whose probabilities are Dirichlet-distributed.

    It has the methods of the frozen distributions of `scipy.stats`, under
    their names and with their `random_state`, on purpose: so it stands in for
    `scipy.stats.dirichlet_multinomial`, which has no `rvs`, wherever the
    predictive distributions of the other families, which are scipy's, do.

    Parameters
    ----------
    alpha : sequence of float, length K
        Positive.
    trials : int
        From 0 to 2⁶³ − 1.

    Raises
    ------
    ProbabilityError
        If a number is not such a number.

    Examples
    --------
    >>> counts = DirichletMultinomial([3, 4, 5], 6)
    >>> round(float(counts.pmf([1, 2, 3])), 6)
    0.084842
    >>> counts.mean()
    array([1.5, 2. , 2.5])
    >>> counts.rvs(2, random_state=0).sum(axis=1)
    array([6, 6])
    """

    alpha: tuple[float, ...]
    trials: int

    if TYPE_CHECKING:  # What is accepted; the fields are what is stored.

        def __init__(self, alpha: ArrayLike, trials: int) -> None: ...

    def __post_init__(self) -> None:
        alpha = read_positive(self.alpha, "The hyper-parameters alpha")
        object.__setattr__(self, "alpha", tuple(alpha.tolist()))
        object.__setattr__(self, "trials", read_trials(self.trials))

    @property
    def _scipy(self) -> Any:
        return stats.dirichlet_multinomial(self.alpha, self.trials)

    def logpmf(self, x: ArrayLike) -> float | np.ndarray:
        """Return the logarithm of the probability of counts.

        Parameters
        ----------
        x : array of int, shape (..., K)

        Returns
        -------
        float or array
            log (M! / ∏ xₖ! · ∏ αₖ^(xₖ) / α₀^(M)), with rising powers; −inf
            where the counts do not sum to the number of trials M.

        Raises
        ------
        ProbabilityError
            If an entry is not a whole number from 0 on, or if the last axis
            does not have the length K.
        """
        try:
            table = np.asarray(x)
        except ValueError as error:
            raise ProbabilityError(
                f"The counts are not a table: {error}."
            ) from None
        if table.ndim == 0 or table.shape[-1] != len(self.alpha):
            raise ProbabilityError(
                f"The counts have the shape {table.shape}; the last axis "
                f"needs {len(self.alpha)} entries, one for each category."
            )
        counts = floats(table.ravel(), "The counts").reshape(table.shape)
        require_counts(counts, "The counts")
        # One category against all that follow it, then the next: merged
        # categories have a beta distribution, and beta-binomial counts.
        left = counts[..., ::-1].cumsum(axis=-1)[..., ::-1]
        after = np.cumsum(self.alpha[::-1])[::-1]
        log = beta_binomial.logpmf(
            counts[..., :-1], left[..., :-1], self.alpha[:-1], after[1:]
        ).sum(axis=-1)
        log = np.where(counts.sum(axis=-1) == self.trials, log, -np.inf)
        return log[()]

    def pmf(self, x: ArrayLike) -> float | np.ndarray:
        """Return the probability of counts: the exponential of `logpmf`.

        Parameters
        ----------
        x : array of int, shape (..., K)

        Returns
        -------
        float or array
        """
        return np.exp(self.logpmf(x))

    def mean(self) -> np.ndarray:
        """Return the means of the counts, M αₖ / α₀.

        Returns
        -------
        array, shape (K,)
        """
        return self._scipy.mean()

    def var(self) -> np.ndarray:
        """Return the variances of the counts.

        Returns
        -------
        array, shape (K,)
            M m (1 − m) (α₀ + M) / (α₀ + 1) with the means m = αₖ / α₀.
        """
        return self._scipy.var()

    def cov(self) -> np.ndarray:
        """Return the covariance matrix of the counts.

        Returns
        -------
        array, shape (K, K)
        """
        return self._scipy.cov()

    def rvs(
        self,
        size: int | tuple[int, ...] = 1,
        random_state: np.random.Generator | int | None = None,
    ) -> np.ndarray:
        """Draw vectors of counts.

        Parameters
        ----------
        size : int or tuple of int
        random_state : numpy Generator or int
            As everywhere in `scipy.stats`.

        Returns
        -------
        array of int, shape (size, K)
        """
        rng = np.random.default_rng(random_state)
        p = rng.dirichlet(self.alpha, size)
        return rng.multinomial(self.trials, p)

    def __repr__(self) -> str:
        alpha = ", ".join(f"{a:.6g}" for a in self.alpha)
        return f"DirichletMultinomial([{alpha}], trials={self.trials})"
