"""Models of counts and categories, and their maximum-likelihood estimates.

The maximisers are the zeros of the score, derived in chapter 6; see also
Casella and Berger (2002), section 7.2, and Bishop (2006), section 2.3.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import stats
from scipy.stats.distributions import rv_frozen

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import (
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
from bayesbook.base.randomness import as_rng
from bayesbook.estimation.model import DATA, Model, edge_error


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

    def __post_init__(self) -> None:
        self._set(p=as_float(self.p, "The probability p", 0, 1))

    @property
    def distribution(self) -> rv_frozen:
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
            raise edge_error("p", self.p)
        return 1 / (self.p * (1 - self.p))


@dataclass(frozen=True, repr=False)
class Binomial(Model):
    """Number of successes in a known number of independent trials.

    Parameters
    ----------
    trials : int
        Number of trials of each observation, at least 1.
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

    def __post_init__(self) -> None:
        self._set(
            trials=as_int(self.trials, "The number of trials", 1),
            p=as_float(self.p, "The probability p", 0, 1),
        )

    @property
    def distribution(self) -> rv_frozen:
        """The frozen `scipy.stats.binom`."""
        return stats.binom(self.trials, self.p)

    @classmethod
    def mle(  # type: ignore[override]  # the trials must be known
        cls, data: Iterable[int], trials: int
    ) -> Self:
        """Estimate p by the share of successes among all the trials.

        Parameters
        ----------
        data : sequence of int
            Numbers of successes, from 0 to `trials`.
        trials : int
            Number of trials of each of them.

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
        one, or if a category appears twice.

    Examples
    --------
    >>> Categorical.mle(["up", "down", "up", "side"])
    Categorical({'down': 0.25, 'side': 0.25, 'up': 0.5})
    >>> model = Categorical({"up": 0.7, "down": 0.3})
    >>> round(model.log_prob("up"), 4)
    -0.3567
    """

    probabilities: tuple[float, ...]
    # The reader replaces None by 0, 1, 2, ...
    categories: tuple[Hashable, ...] = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        p, categories = read_by_category(
            self.probabilities, self.categories, floats, "probabilities"
        )
        refuse(p < 0, p, "The probabilities", "negative")
        require_one(p, "The probabilities")
        self._set(probabilities=tuple(p.tolist()), categories=categories)

    @property
    def distribution(self) -> rv_frozen:
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
            All that can occur; by default those that do occur, sorted.

        Returns
        -------
        Categorical
        """
        observed = _listed(data)
        if categories is None:
            categories = sorted_states(dict.fromkeys(observed))
        known = read_labels(categories, "category")
        codes = codes_of(observed, known, "The observation")
        counts = np.bincount(codes, minlength=len(known))
        return cls(counts / counts.sum(), known)

    def _check(self, x):
        """Accept all categories: `log_prob` refuses unknown ones."""

    def log_prob(self, x: Hashable | Iterable[Hashable]) -> float | np.ndarray:
        """Return the log-probability of a category, or of several.

        Parameters
        ----------
        x : category or sequence of categories
            A sequence is several, unless it is a category itself.

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
        is_single = is_one(x, self.categories)
        observed: list = [x] if is_single else _listed(x)
        codes = codes_of(observed, self.categories, "The observation")
        return float(log[codes[0]]) if is_single else log[codes]

    def log_likelihood(self, data: Iterable[Hashable]) -> float:
        """Return the log-likelihood Σ log p(xₙ) of independent data.

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
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        array of categories
        """
        size = as_int(size, "The size of the sample", 0)
        codes = as_rng(rng).choice(
            len(self.categories), size=size, p=self.probabilities
        )
        return label_array(self.categories)[codes]

    def fisher_information(self) -> np.ndarray:
        """Return the information about all probabilities but the last.

        The last one is not free, because the sum is one.

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
            raise edge_error("A probability", 0)
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
            raise edge_error("A probability", 0)
        p = np.array(self.probabilities)
        return {"probabilities": np.sqrt(p * (1 - p) / n)}

    def __repr__(self) -> str:
        inside = ", ".join(
            f"{category!r}: {p:.6g}"
            for category, p in zip(
                self.categories, self.probabilities, strict=True
            )
        )
        return f"Categorical({{{inside}}})"


def _listed(data):
    """Read observations as a list that is not empty."""
    data = read_observed(data, DATA)
    if not data:
        raise ProbabilityError(f"{DATA} are empty: give at least one.")
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

    def __post_init__(self) -> None:
        self._set(rate=as_float(self.rate, "The rate", 0))

    @property
    def distribution(self) -> rv_frozen:
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
            raise edge_error("rate", 0)
        return 1 / self.rate
