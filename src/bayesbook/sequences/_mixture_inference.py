"""The steps of EM for a mixture, and what follows from its parameters."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from bayesbook.base.numbers import as_int
from bayesbook.base.posteriors import HiddenClasses, require_possible
from bayesbook.base.randomness import as_rng
from bayesbook.sequences._components import (
    Components,
    Gaussians,
    Prior,
    draw_numbers,
    frozen,
    log_of,
    shares,
)
from bayesbook.sequences._rows import read_rows, values_of


class Parts(NamedTuple):
    """The parameters of a mixture."""

    #: P(component), of shape (K,).
    weights: np.ndarray
    #: The distributions of the rows.
    components: Components

    def joint(self, X: Any) -> np.ndarray:
        """Return log P(component, row), of shape (n, K)."""
        return self.components.log_prob(X) + log_of(self.weights)


class MixtureProblem(NamedTuple):
    """Weighted rows, and what is added to their counts."""

    X: Any
    sample_weight: np.ndarray
    prior: Prior

    def step(self, now: Parts) -> tuple[float, Parts]:
        """Return the objective, and the parameters after an E and M step."""
        joint = now.joint(self.X)
        top = joint.max(axis=1, keepdims=True)
        require_possible(top, "component")
        # The E step: the posterior of the component.
        R = np.exp(joint - top)
        total = R @ np.ones(R.shape[1])
        value = float(self.sample_weight @ (top[:, 0] + np.log(total)))
        value += self.log_prior(now)
        R *= (self.sample_weight / total)[:, None]
        # The M step: estimates from weighted rows.
        components = now.components.estimated(self.X, R, self.prior)
        if isinstance(components, Gaussians):
            components.require_definite()
        weights = shares(R.sum(axis=0), self.prior.alpha, now.weights)
        return value, Parts(frozen(weights), components)

    def log_prior(self, now: Parts) -> float:
        """Return the logarithm of the prior, up to a constant."""
        value = now.components.log_prior(self.prior)
        if self.prior.alpha:
            value += self.prior.alpha * float(log_of(now.weights).sum())
        return value


class MixtureInference(HiddenClasses):
    """The questions that :class:`Mixture` answers."""

    family: str
    _parts: Parts
    _kind = "component"

    def _labels(self, codes):
        return codes

    def predict_joint_log_proba(
        self, X: ArrayLike | pd.DataFrame
    ) -> np.ndarray:
        """Return log P(component, row); may be a density.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, K)
            -inf where a row is impossible in a component.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        check_is_fitted(self, "weights_")
        return self._parts.joint(read_rows(self, X, anew=False))

    def log_prob(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return log p(row) of each row; -inf where it is impossible.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n,)

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        return self.score_samples(X)

    def log_likelihood(self, X: ArrayLike | pd.DataFrame) -> float:
        """Return the log-likelihood of all rows together.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        float
        """
        return float(self.log_prob(X).sum())

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> tuple[np.ndarray | pd.DataFrame, np.ndarray]:
        """Draw rows and their components.

        Parameters
        ----------
        size : int
            How many rows.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one.

        Returns
        -------
        X : array of shape (size, M) or DataFrame
            A data frame if the columns of training had names.
        components : array of shape (size,)

        Examples
        --------
        >>> from bayesbook.sequences import Mixture
        >>> mixture = Mixture.from_parameters(
        ...     [0.5, 0.5], means=[0, 100], covariances=[1, 1])
        >>> X, components = mixture.sample(3, rng=0)
        >>> X.round(1).ravel().tolist(), components.tolist()
        ([100.1, -0.5, 0.4], [1, 0, 0])
        """
        rng = as_rng(rng)
        check_is_fitted(self, "weights_")
        size = as_int(size, "The number of rows", 1)
        weights, components = self._parts
        k = draw_numbers(np.tile(weights, (size, 1)), rng)
        return values_of(self, components.sample(k, rng)), k
