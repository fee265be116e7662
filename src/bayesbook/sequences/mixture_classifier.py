r"""A classifier with a mixture in each class.

.. math:: P(c \mid x) \propto P(c) \sum_k \pi_{ck} \, p(x \mid c, k)

With columns that are independent within a component, and one component a
class, it is naive Bayes; with more, the columns may depend on each other
within a class, because the component tells something of all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import read_distribution
from bayesbook.base.classes import (
    log_class_prior,
    one_label_each,
    require_labels,
)
from bayesbook.base.labels import plain
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import as_float
from bayesbook.base.posteriors import Posteriors
from bayesbook.sequences._components import log_of
from bayesbook.sequences._reading import one_of, read_settings
from bayesbook.sequences._rows import (
    FAMILIES,
    prior_squares,
    read_rows,
    read_weights,
)
from bayesbook.sequences.mixture import Mixture

__all__ = ["MixtureClassifier"]


class MixtureClassifier(Posteriors, ClassifierMixin, BaseEstimator):
    """Naive Bayes with several mixture components in each class.

    Parameters
    ----------
    n_components : int or dict, default 2
        How many components each class has; or a number for each class.
    family, covariance, alpha, var_smoothing, tol, max_iter, n_init
        As in :class:`Mixture`, but `covariance` is "diagonal" by default:
        columns are independent within a component.
    class_alpha : float, default 1
        The pseudo-count of each class.
    class_prior : array_like of shape (C,) or "uniform", optional
        Class probabilities, in the order of `classes_`; by default they are
        learned.
    random_state : int, RandomState or None
        The source of randomness for the starts, or a seed for it.

    Attributes
    ----------
    classes_ : array of shape (C,)
        The classes, sorted.
    class_count_ : array of shape (C,)
        The (weighted) number of rows of each class.
    class_log_prior_ : array of shape (C,)
    mixtures_ : list of C Mixture
        That of each class.
    n_iter_ : array of shape (C,)
        The number of steps of its training.
    n_features_in_, feature_names_in_
        See :class:`Mixture`.

    See Also
    --------
    bayesbook.naive_bayes.GaussianNB : one component, with a common variance
        added.
    bayesbook.naive_bayes.BernoulliNB : one component of Bernoullis.

    References
    ----------
    Hastie and Tibshirani (1996), Discriminant analysis by Gaussian mixtures,
    Journal of the Royal Statistical Society B 58, 155-176.

    Examples
    --------
    >>> X = [[-2.0], [-2.1], [2.0], [2.2], [0.0], [0.1], [-0.1], [0.2]]
    >>> y = ["out"] * 4 + ["in"] * 4
    >>> model = MixtureClassifier({"in": 1, "out": 2}, random_state=0)
    >>> model.fit(X, y).predict([[-2.2], [0.3], [1.9]]).tolist()
    ['out', 'in', 'out']
    """

    def __init__(
        self,
        n_components: int | Mapping[Any, int] = 2,
        family: str = "gaussian",
        *,
        covariance: str = "diagonal",
        alpha: float = 0.0,
        var_smoothing: float = 1e-3,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        tol: float = 1e-3,
        max_iter: int = 1000,
        n_init: int = 1,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.n_components = n_components
        self.family = family
        self.covariance = covariance
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = self.family != "gaussian"
        return tags

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn a mixture of the rows of each class.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)
        y : array_like of shape (n,)
        sample_weight : array_like of shape (n,), optional

        Returns
        -------
        MixtureClassifier
            The same object.

        Raises
        ------
        ValueError
            If a parameter, a row or a class cannot be read; and if a class
            has fewer rows than components. The message names the class.
        """
        if y is None:
            raise ValueError(
                "MixtureClassifier requires y to be passed, but the target y "
                "is None."
            )
        read_settings(self)
        one_of(self.family, "family", FAMILIES)
        class_alpha = as_float(self.class_alpha, "class_alpha", 0)
        rows = read_rows(self, X, anew=True)
        y = one_label_each(y, rows)
        require_labels(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        weights = read_weights(sample_weight, rows)
        numbers = self._numbers()
        C = len(self.classes_)
        self.class_count_ = np.bincount(codes, weights, C)
        log_prior = self._given_prior()
        if log_prior is None:
            counts = self.class_count_ + class_alpha
            log_prior = log_of(counts / counts.sum())
        self.class_log_prior_ = log_prior
        random = check_random_state(self.random_state)
        squares = prior_squares(self, rows, weights)
        self.mixtures_ = [
            self._mixture(
                rows[codes == c],
                weights[codes == c],
                squares,
                numbers[c],
                random,
                label,
            )
            for c, label in enumerate(self.classes_)
        ]
        self.n_iter_ = np.array(
            [mixture.n_iter_ for mixture in self.mixtures_]
        )
        return self

    def _numbers(self):
        """Return how many components each class has."""
        classes = list(map(plain, self.classes_))
        if not isinstance(self.n_components, Mapping):
            return [self.n_components] * len(classes)
        missing = [c for c in classes if c not in self.n_components]
        if missing:
            raise ProbabilityError(
                f"n_components has no number for class {missing[0]!r}, only "
                f"for {quoted_list(self.n_components)}."
            )
        return [self.n_components[c] for c in classes]

    def _given_prior(self):
        """Return the logarithms of given priors; None if they are learned."""
        prior = self.class_prior
        if isinstance(prior, str):
            one_of(prior, "class_prior", ("uniform",))
        elif prior is not None:
            prior = read_distribution(prior, "The class priors")
        return log_class_prior(prior, self.classes_)

    def _mixture(self, rows, weights, squares, number, random, label):
        """Return the mixture of the rows of a class."""
        own = self.get_params(deep=False)
        shared = set(own) & set(Mixture().get_params(deep=False))
        mixture = Mixture(**{name: own[name] for name in shared})
        mixture.set_params(n_components=number, random_state=random)
        for name in ("n_features_in_", "feature_names_in_", "categories_"):
            if hasattr(self, name):
                setattr(mixture, name, getattr(self, name))
        try:
            return mixture._learn(rows, weights, squares)
        except ProbabilityError as error:
            raise type(error)(f"In class {plain(label)!r}: {error}") from error

    def class_log_likelihood(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return log p(x | c) of each row and class; may be a density.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, C)
            Columns in the order of `classes_`; -inf where a row is impossible
            in a class.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        check_is_fitted(self, "mixtures_")
        rows = read_rows(self, X, anew=False)
        logs = [
            logsumexp(mixture._parts.joint(rows), axis=1)
            for mixture in self.mixtures_
        ]
        return np.stack(logs, axis=1)

    def predict_joint_log_proba(
        self, X: ArrayLike | pd.DataFrame
    ) -> np.ndarray:
        """Return log p(x, c) = log p(c) + log p(x | c).

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, C)
        """
        return self.class_log_likelihood(X) + self.class_log_prior_
