"""Probabilities that are learnt from counts: the beta and Dirichlet distributions.

Sources: Murphy (2012), sections 3.3 and 3.4; Bishop (2006), sections 2.1 and
2.2.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
import pandas as pd
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import (
    in_order,
    is_one,
    read_positive,
    require_binary,
)
from bayesbook.base.labels import (
    codes_of,
    read_by_category,
    read_labels,
    read_observed,
    unknown,
)
from bayesbook.base.numbers import as_float, as_int
from bayesbook.conjugate.elicitation import (
    Elicited,
    fit_prior_to_interval,
    read_interval,
    read_mean_and_sd,
)
from bayesbook.conjugate.family import (
    DATA,
    ConjugateFamily,
    no_mode,
    read_count,
    read_mass,
)
from bayesbook.conjugate.predictives import (
    DirichletMultinomial,
    beta_binomial,
    log_rising,
    read_trials,
)


@dataclass(frozen=True, repr=False)
class BetaBernoulli(ConjugateFamily):
    """A probability of success θ with the distribution Beta(a, b), and 0/1 trials.

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

    def __post_init__(self):
        self._read_positive("a", "b")
        self._set(
            _sums={"successes": Fraction(self.a), "failures": Fraction(self.b)}
        )

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
            If no beta distribution spreads so much: sd² must be less than
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
        """Find the beta distribution with a given mean and mass of an interval.

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
            interval or a mass outside of what is said above, and for a mass of
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
            lambda strength: stats.beta(
                mean * strength, (1 - mean) * strength
            ),
            lambda strength: cls(mean * strength, (1 - mean) * strength),
            mean,
            read_interval(interval, 0, 1),
            mass,
        )

    @property
    def distribution(self):
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
            The posterior Beta(a + N₁, b + N₀); the same distribution without
            data.

        Raises
        ------
        ProbabilityError
            If an observation is neither 0 nor 1, or a number of trials is
            negative or not whole.
        """
        given = _successes_and_failures(successes, failures)
        return self._learn(self._read(data), given)

    def mean(self) -> float:
        """Return the expectation of θ, which is the next success's probability.

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
            If there is no such place, or more than one: a = b = 1, or one of
            them is less, so that the density is infinite at an end.
        """
        a, b = self.a, self.b
        if a == b == 1:
            raise no_mode(self, "its density is the same everywhere")
        ends = [end for end, c in (("0", a), ("1", b)) if c < 1]
        if ends:
            raise no_mode(
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
            *number* of successes, whatever the order, there is `predictive`.

        Raises
        ------
        ProbabilityError
            If an observation is neither 0 nor 1, or a number of trials is
            negative or not whole.
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
            If `mass` is no probability.
        """
        return tuple(_beta_interval(self.a, self.b, mass).tolist())

    def predictive(self, trials: int = 1):
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
            If the number of trials is no such number.
        """
        return beta_binomial(read_trials(trials), self.a, self.b)


def _beta_interval(a, b, mass):
    """Return the ends of equal-tailed intervals of beta distributions, shape (..., 2).

    Those of `scipy.stats` miss by up to a standard deviation where a and b
    exceed 10¹³.  Normal quantiles, corrected for the skewness (Cornish and
    Fisher 1938), are exact there to 10⁻⁹ of one.
    """
    mass = read_mass(mass)
    large = (np.minimum(a, b) > 1e10) & (mass < 1)
    distribution = stats.beta(np.where(large, 1, a), np.where(large, 1, b))
    n = a + b
    std = np.sqrt(a / n) * np.sqrt(b / n / n)
    skewness = 2 * (b - a) / n / np.sqrt(a) / np.sqrt(b / n)
    with np.errstate(invalid="ignore"):
        normal = [
            a / n + std * (z + skewness * (z**2 - 1) / 6)
            for z in stats.norm.interval(mass)
        ]
    return np.where(large, normal, distribution.interval(mass)).T


def _successes_and_failures(successes, failures):
    return {
        "successes": read_count(successes, "The number of successes"),
        "failures": read_count(failures, "The number of failures"),
    }


@dataclass(frozen=True, repr=False)
class DirichletCategorical(ConjugateFamily):
    """Probabilities of categories with a Dirichlet distribution, and categories.

    The likelihood of counts N₁, …, N_K is ∏ θₖ^Nₖ, and the posterior
    Dirichlet(α₁ + N₁, …, α_K + N_K).

    Parameters
    ----------
    alpha : mapping or series of category to float, or sequence of float
        Positive: the numbers of imagined observations.
    categories : sequence of hashable values, optional
        The categories of a sequence `alpha`; without it they are
        0, 1, 2, ...

    Raises
    ------
    ProbabilityError
        If a hyper-parameter is not a positive number, or a category stands
        twice.

    Examples
    --------
    >>> prior = DirichletCategorical({"lamb": 1, "little": 1, "mary": 1})
    >>> posterior = prior.update(["little", "lamb", "little", "lamb", "lamb"])
    >>> posterior
    DirichletCategorical({'lamb': 4, 'little': 3, 'mary': 1})
    >>> posterior.mean()
    array([0.5  , 0.375, 0.125])
    >>> round(float(posterior.predictive(trials=2).pmf([1, 1, 0])), 4)
    0.3333
    """

    alpha: tuple[float, ...]
    categories: tuple[Hashable, ...] = None

    def __post_init__(self):
        alpha, categories = read_by_category(
            self.alpha,
            self.categories,
            read_positive,
            "hyper-parameters alpha",
        )
        alpha = tuple(alpha.tolist())
        self._set(
            alpha=alpha,
            categories=categories,
            _sums=dict(zip(categories, map(Fraction, alpha), strict=True)),
        )

    def _hyper_parameters(self, sums):
        return {"alpha": [float(total) for total in sums.values()]}

    def _read(self, data):
        """Return the places of the observed categories."""
        if is_one(data, self.categories):
            data = [data.item() if isinstance(data, np.ndarray) else data]
        return codes_of(
            read_observed(data, DATA), self.categories, "The observation"
        )

    def _sums_of(self, x):
        counts = np.bincount(x)
        return {
            self.categories[code]: Fraction(int(counts[code]))
            for code in np.flatnonzero(counts)
        }

    def _counted(self, counts):
        """Read numbers of observations, by category or in their order."""
        if isinstance(counts, Mapping | pd.Series):
            named = list(counts.items())
            for category, _ in named:
                if category not in self._sums:
                    raise unknown(category, self.categories, "A category")
            if named:
                read_labels([category for category, _ in named], "category")
        elif is_one(counts):
            raise ProbabilityError(
                f"The counts are {counts!r}: give one for each category."
            )
        else:
            counts = list(in_order(counts, "The counts"))
            if counts and len(counts) != len(self.categories):
                raise ProbabilityError(
                    f"There are {len(counts)} counts for "
                    f"{len(self.categories)} categories."
                )
            named = zip(self.categories, counts, strict=False)
        return {
            category: read_count(count, f"The count of {category!r}")
            for category, count in named
        }

    @property
    def distribution(self):
        """The frozen `scipy.stats.dirichlet` distribution of the probabilities."""
        return stats.dirichlet(self.alpha)

    def update(
        self,
        data: Hashable | Iterable[Hashable] = (),
        *,
        counts: Mapping[Hashable, int] | Iterable[int] = (),
    ) -> Self:
        """Learn from observations, or from their counts, or from both.

        Parameters
        ----------
        data : category or sequence of categories
            A sequence is many, unless it is a text or a category itself.
        counts : mapping of category to int, or sequence of int
            Numbers of further observations; categories that a mapping
            leaves out were not seen.

        Returns
        -------
        DirichletCategorical
            The posterior Dirichlet(α + N); the same distribution without data.

        Raises
        ------
        ProbabilityError
            If a category is unknown, or a count negative or not whole.
        """
        return self._learn(self._read(data), self._counted(counts))

    def mean(self) -> np.ndarray:
        """Return the expectations of the probabilities, αₖ / α₀.

        Returns
        -------
        array, shape (K,)
            They are also the probabilities of the next observation.
        """
        return self._weights / self._weights.sum()

    def mode(self) -> np.ndarray:
        """Return the probabilities where the density is largest.

        Returns
        -------
        array, shape (K,)
            (αₖ − 1) / (α₀ − K), if no αₖ is less than 1.

        Raises
        ------
        ProbabilityError
            If there is no such place, or more than one: all αₖ are 1, or one
            of them is less, so that the density is infinite where θₖ = 0.
        """
        excess = self._weights - 1
        if not excess.any():
            raise no_mode(self, "its density is the same everywhere")
        if (excess < 0).any():
            category = self.categories[int(np.argmax(excess < 0))]
            raise no_mode(
                self,
                "its density is infinite where the probability of "
                f"{category!r} is 0",
            )
        return excess / excess.sum()

    def var(self) -> np.ndarray:
        """Return the variances of the probabilities.

        Returns
        -------
        array, shape (K,)
        """
        mean = self.mean()
        return mean * (1 - mean) / (self._weights.sum() + 1)

    def std(self) -> np.ndarray:
        """Return the standard deviations of the probabilities.

        Returns
        -------
        array, shape (K,)
        """
        return np.sqrt(self.var())

    def interval(self, mass: float = 0.95) -> np.ndarray:
        """Return an interval for each probability by itself.

        Parameters
        ----------
        mass : float
            The probability that θₖ is inside, for each k.

        Returns
        -------
        array, shape (K, 2)
            Lower and upper ends, equal tails of the marginal distributions
            Beta(αₖ, α₀ − αₖ).

        Raises
        ------
        ProbabilityError
            If `mass` is no probability.
        """
        alpha = self._weights
        # Not α₀ − αₖ, which loses its digits where αₖ is nearly all.
        before = np.concatenate([[0], np.cumsum(alpha[:-1])])
        after = np.concatenate([np.cumsum(alpha[:0:-1])[::-1], [0]])
        if len(alpha) == 1:
            read_mass(mass)
            return np.ones((1, 2))
        return _beta_interval(alpha, before + after, mass)

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> np.ndarray:
        """Draw vectors of probabilities.

        Parameters
        ----------
        size : int
        rng : numpy Generator or int

        Returns
        -------
        array, shape (size, K)

        Raises
        ------
        ProbabilityError
            If the size is negative or not whole.
        """
        size = as_int(size, "The size of the sample", 0)
        return np.random.default_rng(rng).dirichlet(self.alpha, size)

    def log_evidence(
        self,
        data: Hashable | Iterable[Hashable] = (),
        *,
        counts: Mapping[Hashable, int] | Iterable[int] = (),
    ) -> float:
        """Return the log-probability of observations in their order.

        Parameters
        ----------
        data : category or sequence of categories
        counts : mapping of category to int, or sequence of int
            Numbers of further observations, in one given order.

        Returns
        -------
        float
            Σ log αₖ^(Nₖ) − log α₀^(N), with rising powers. For the
            probability of the *counts*, whatever the order, there is
            `predictive`.

        Raises
        ------
        ProbabilityError
            If a category is unknown, or a count negative or not whole.
        """
        seen, more = self._sums_of(self._read(data)), self._counted(counts)
        total = np.array(
            [
                float(seen.get(name, 0) + more.get(name, 0))
                for name in self.categories
            ]
        )
        return float(
            log_rising(self._weights, total).sum()
            - log_rising(self._weights.sum(), total.sum())
        )

    def predictive(self, trials: int = 1) -> DirichletMultinomial:
        """Return the distribution of the counts of future observations.

        Parameters
        ----------
        trials : int
            How many observations; from 0 to 2⁶³ − 1.

        Returns
        -------
        DirichletMultinomial
            A distribution of vectors of K counts.

        Raises
        ------
        ProbabilityError
            If the number of trials is no such number.
        """
        return DirichletMultinomial(self.alpha, trials)

    @property
    def _weights(self):
        return np.array(self.alpha)

    def __repr__(self):
        inside = ", ".join(
            f"{category!r}: {a:.6g}"
            for category, a in zip(self.categories, self.alpha, strict=True)
        )
        return f"DirichletCategorical({{{inside}}})"
