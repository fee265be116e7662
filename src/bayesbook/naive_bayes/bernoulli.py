"""Naive Bayes for binary features."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils import Tags

from bayesbook.base import ProbabilityError
from bayesbook.data import (
    count_classes,
    count_states,
    sum_by_class,
    sum_entries,
)
from bayesbook.naive_bayes._base import NaiveBayes, learned
from bayesbook.naive_bayes._log_tables import as_frame, log_product, product
from bayesbook.naive_bayes._reading import first_wrong, read_numbers
from bayesbook.naive_bayes._smoothing import log_proportions


class BernoulliNB(NaiveBayes):
    r"""Naive Bayes for features that are 0 or 1.

    .. math:: \log p(x \mid c) = \sum_m x_m \log p_{cm}
        + (1 - x_m) \log(1 - p_{cm})

    with :math:`p_{cm} = (N_{cm} + \lambda) / (N_c + 2 \lambda)`, where
    :math:`N_c` counts the rows of class c, :math:`N_{cm}` those among them in
    which feature m is 1, and λ is `alpha`.

    Parameters
    ----------
    alpha : float, default 1
        The pseudo-count λ ≥ 0 of each state: both parameters of the beta
        prior of every :math:`p_{cm}`.
    class_alpha : float, default 1
        The pseudo-count of each class: the parameter of the Dirichlet prior
        of the class probabilities. scikit-learn's estimators have 0.
    class_prior : array_like of shape (K,) or "uniform", optional
        Class probabilities, in the order of `classes_`; by default they are
        learned.
    estimate : {"bayes", "map", "mle"}, default "bayes"
        What is predicted with. "bayes": the means of the posteriors, that is
        the predictive distribution, which averages over all parameters; "map":
        the modes of the posteriors; "mle": the maximum of the likelihood,
        without any smoothing, of the classes either.
    binarize : float or None, default 0.0
        Values above it are 1, the others 0. With None the values must be 0
        and 1 already. `sample` draws the 0s and 1s.
    missing : {"error", "marginalise"}, default "error"
        What to do about NaN: refuse it, or leave the feature out of the
        counts of its row and out of the product for its row. The latter is
        exact: a feature that is summed over all its values adds the factor 1.
        A sparse matrix has no missing values.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, n_features_in_
        See :class:`NaiveBayes`.
    feature_names_in_
        See :class:`NaiveBayes`.
    feature_count_ : array of shape (K, M)
        The rows of each class in which the feature is 1.
    feature_total_ : array of shape (K, 1) or (K, M)
        The rows of each class in which the feature is known.
    feature_log_prob_ : array of shape (K, M)
        log P(x_m = 1 | c)

    References
    ----------
    Murphy (2012), *Machine Learning: A Probabilistic Perspective*,
    section 3.5.

    Examples
    --------
    >>> X = [[1, 1], [1, 0], [0, 1], [0, 0]]
    >>> model = BernoulliNB().fit(X, ["yes", "yes", "no", "no"])
    >>> model.predict_proba([[1, 0]]).round(4)
    array([[0.25, 0.75]])
    >>> model.to_frame()
    class           no  yes
    feature
    0             0.25 0.75
    1             0.50 0.50
    """

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        estimate: str = "bayes",
        binarize: float | None = 0.0,
        missing: str = "error",
    ):
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate
        self.binarize = binarize
        self.missing = missing

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True
        tags.input_tags.allow_nan = self.missing == "marginalise"
        return tags

    def _read(self, X, *, anew):
        """Return 0, 1 and -1 (missing) as an array, or sparse ones."""
        marginalise = self.missing == "marginalise"
        # What a sparse matrix does not store is 0: nothing is missing.
        X = read_numbers(
            self,
            X,
            anew=anew,
            accept_sparse=True,
            allow_nan=marginalise and not sparse.issparse(X),
        )
        if sparse.issparse(X):
            return self._binarized(X)
        if self.binarize is None:
            self._require_binary(X, X)
            # The comparison makes bytes of them.
            codes = (X > 0).view(np.int8)
        else:
            codes = (self.binarize < X).view(np.int8)
        if X.dtype.kind == "f" and marginalise:
            codes[np.isnan(X)] = -1
        return codes

    def _require_binary(self, values, X):
        wrong = (values != 0) & (values != 1)
        if values.dtype.kind == "f":
            wrong &= ~np.isnan(values)
        if not wrong.any():
            return
        value, at = first_wrong(self, X, wrong)
        raise ProbabilityError(
            f"{value:g} in {at} is neither 0 nor 1: give `binarize` a "
            "threshold."
        )

    def _binarized(self, X):
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        if self.binarize is None:
            self._require_binary(X.data, X)
            return X
        if self.binarize < 0:
            raise ProbabilityError(
                f"binarize={self.binarize:g}: in a sparse matrix the "
                "threshold cannot be below 0, which is what it does not store."
            )
        return sparse.csr_matrix(
            ((X.data > self.binarize).astype(float), X.indices, X.indptr),
            shape=X.shape,
        )

    def _count(self, X, codes, n_classes, weights):
        # Weights have another sum in another order. So with weights both
        # states are counted: a state without rows has exactly 0. Those of a
        # sparse matrix are added row by row, as the totals are.
        is_weighted = weights is not None
        if sparse.issparse(X) or not (is_weighted or (X < 0).any()):
            total = count_classes(codes, n_classes, weights)[:, None]
            return sum_by_class(X, codes, n_classes, weights), total
        table = count_states(X, codes, [2] * X.shape[1], n_classes, weights)
        absent, present = table[:, ::2], table[:, 1::2]
        return present, absent + present

    def _merge(self, counts, *, anew):
        if not anew:
            present, total = counts
            # Into the new table, which no other model shares.
            present += self.feature_count_
            counts = present, self.feature_total_ + total
        self.feature_count_, self.feature_total_ = counts

    def _statistics(self):
        return self.feature_count_, self.feature_total_

    @learned
    def feature_log_prob_(self) -> np.ndarray:  # noqa: D102 - documented with the class
        return self._log_prob(self.feature_count_)

    @learned
    def _log_absent(self):
        return self._log_prob(self.feature_total_ - self.feature_count_)

    def _log_prob(self, counts):
        return log_proportions(
            counts,
            self.feature_total_,
            2,
            self._settings["alpha"],
            self._settings["estimate"],
        )

    @learned
    def _table(self):
        """The logarithms of both states of all features, in pairs."""
        both = np.stack([self._log_absent, self.feature_log_prob_], axis=2)
        return both.reshape(len(self.classes_), -1)

    def _class_log_likelihood(self, X):
        if not sparse.issparse(X):
            return sum_entries(X, self._table, [2] * X.shape[1])
        absent, present = self._log_absent, self.feature_log_prob_
        must = np.isneginf(absent)
        absent = np.where(must, 0, absent)
        # The value of a row of zeros, plus the changes by the ones of a row.
        result = log_product(X, present - absent)
        result += absent.sum(axis=1)
        if must.any():
            has = product(X, must.T.astype(float))
            result[has < must.sum(axis=1)] = -np.inf
        return result

    def _lack_distribution(self):
        both = np.maximum(self._log_absent, self.feature_log_prob_)
        return np.isneginf(both).any(axis=1)

    def _sample_rows(self, codes, rng):
        p = np.exp(self.feature_log_prob_)[codes]
        return (rng.random(p.shape) < p).astype(int)

    def to_frame(self) -> pd.DataFrame:
        """Return the look-up table: P(x_m = 1 | c).

        Returns
        -------
        DataFrame of shape (M, K)
            A row for each feature, a column for each class.
        """
        return as_frame(self, np.exp(self.feature_log_prob_))
