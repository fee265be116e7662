"""Probabilities of categories that are learned from counts: Dirichlet priors.

Sources: Murphy (2012), section 3.4; Bishop (2006), section 2.2.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import (
    in_order,
    is_one,
    read_positive,
)
from bayesbook.base.labels import (
    codes_of,
    read_by_category,
    read_labels,
    read_observed,
    unknown,
)
from bayesbook.base.numbers import as_int
from bayesbook.base.randomness import as_rng
from bayesbook.conjugate.beta import beta_interval
from bayesbook.conjugate.family import (
    DATA,
    ConjugateFamily,
    no_mode_error,
    read_count,
    read_mass,
)
from bayesbook.conjugate.predictives import DirichletMultinomial
from bayesbook.conjugate.rising_powers import log_rising


@dataclass(frozen=True, repr=False)
class DirichletCategorical(ConjugateFamily):
    """Probabilities with a Dirichlet distribution, and observed categories.

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
        If a hyper-parameter is not a positive number, or a category appears
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
    categories: tuple[Hashable, ...] = None  # type: ignore[assignment]

    if TYPE_CHECKING:  # What is accepted; the fields are what is stored.

        def __init__(
            self,
            alpha: Mapping[Any, float] | pd.Series | Iterable[float],
            categories: Iterable[Hashable] | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        values, categories = read_by_category(
            self.alpha,
            self.categories,
            read_positive,
            "hyper-parameters alpha",
        )
        alpha = tuple(values.tolist())
        self._set(
            alpha=alpha,
            categories=categories,
            _sums=dict(zip(categories, map(Fraction, alpha), strict=True)),
        )

    def _hyper_parameters(self, sums):
        return {"alpha": [float(total) for total in sums.values()]}

    def _read(self, data):
        """Return the codes of the observed categories."""
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
            raise TypeError(
                f"The counts are {counts!r}: give one for each category."
            )
        else:
            counts = list(in_order(counts, "The counts"))
            if counts and len(counts) != len(self.categories):
                raise ProbabilityError(
                    f"There are {len(counts)} counts for "
                    f"{len(self.categories)} categories."
                )
            named = list(zip(self.categories, counts, strict=False))
        return {
            category: read_count(count, f"The count of {category!r}")
            for category, count in named
        }

    @property
    def distribution(self) -> Any:
        """The frozen `scipy.stats.dirichlet` of the probabilities."""
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
            A text is one category, and so is a sequence that is a category.
        counts : mapping of category to int, or sequence of int
            Numbers of further observations; categories that a mapping
            leaves out were not seen.

        Returns
        -------
        DirichletCategorical
            The posterior Dirichlet(α + N); the prior without data.

        Raises
        ------
        ProbabilityError
            If a category is unknown, or a count negative or not whole.
        TypeError
            If the counts are a single number.

        Examples
        --------
        >>> prior = DirichletCategorical({"red": 1, "blue": 1})
        >>> prior.update(["red", "red"])
        DirichletCategorical({'red': 3, 'blue': 1})
        >>> prior.update(counts={"blue": 5})
        DirichletCategorical({'red': 1, 'blue': 6})
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
            If there is no mode, or more than one: all αₖ are 1, or one of
            them is less, so that the density is unbounded near θₖ = 0.
        """
        excess = self._weights - 1
        if not excess.any():
            raise no_mode_error(self, "its density is the same everywhere")
        if (excess < 0).any():
            category = self.categories[int(np.argmax(excess < 0))]
            raise no_mode_error(
                self,
                "its density is unbounded near the points where the "
                f"probability of {category!r} is 0",
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
            If `mass` is not a probability.
        """
        alpha = self._weights
        # Not α₀ − αₖ, which loses its digits where αₖ is nearly all.
        before = np.concatenate([[0], np.cumsum(alpha[:-1])])
        after = np.concatenate([np.cumsum(alpha[:0:-1])[::-1], [0]])
        if len(alpha) == 1:
            read_mass(mass)
            return np.ones((1, 2))
        return beta_interval(alpha, before + after, mass)

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> np.ndarray:
        """Draw vectors of probabilities.

        Parameters
        ----------
        size : int
            How many vectors.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        array, shape (size, K)

        Raises
        ------
        ProbabilityError
            If the size is negative or not whole.
        """
        size = as_int(size, "The size of the sample", 0)
        return as_rng(rng).dirichlet(self.alpha, size)

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
            probability of the *counts*, in any order, there is `predictive`.

        Raises
        ------
        ProbabilityError
            If a category is unknown, or a count negative or not whole.
        TypeError
            If the counts are a single number.
        """
        seen, more = self._sums_of(self._read(data)), self._counted(counts)
        total = np.array(
            [
                float(seen.get(name, 0) + more.get(name, 0))
                for name in self.categories
            ]
        )
        return float(
            np.sum(log_rising(self._weights, total))
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
            If the number of trials is not such a number.
        """
        return DirichletMultinomial(self.alpha, trials)

    @property
    def _weights(self):
        return np.array(self.alpha)

    def __repr__(self) -> str:
        inside = ", ".join(
            f"{category!r}: {a:.6g}"
            for category, a in zip(self.categories, self.alpha, strict=True)
        )
        return f"DirichletCategorical({{{inside}}})"
