"""Naive Bayes for counts of words."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse

from bayesbook.data import sum_by_class
from bayesbook.naive_bayes._base import learned
from bayesbook.naive_bayes._documents import DocumentNB
from bayesbook.naive_bayes._log_tables import as_frame, log_product
from bayesbook.naive_bayes._smoothing import log_proportions


class MultinomialNB(DocumentNB):
    r"""Naive Bayes for counts: how often each word occurs in a document.

    .. math:: \log p(x \mid c) = \sum_m x_m \log p_{cm}

    with :math:`p_{cm} = (N_{cm} + \lambda) / (N_c + M \lambda)`, where
    :math:`N_{cm}` is how often word m occurs in the documents of class c,
    :math:`N_c` how many words they have, M how many words there are, and λ
    is `alpha`. This is the probability of the words in their order; the
    number of orders is the same for every class, and left out.

    Parameters
    ----------
    alpha : float, default 1
        The pseudo-count λ ≥ 0 of each word: the parameter of the Dirichlet
        prior.
    class_alpha : float, default 1
        The pseudo-count of each class. scikit-learn's estimators have 0.
    class_prior : array_like of shape (K,) or "uniform", optional
        Class probabilities, in the order of `classes_`; by default they are
        learned.
    estimate : {"bayes", "map", "mle"}, default "bayes"
        "bayes": the means of the posteriors, which are the probabilities of
        one more word; "map": their modes; "mle": the maximum of the
        likelihood, without any smoothing, of the classes either.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, n_features_in_
        See :class:`NaiveBayes`.
    feature_names_in_
        See :class:`NaiveBayes`.
    feature_count_ : array of shape (K, M)
        How often each word occurs in each class.
    feature_log_prob_ : array of shape (K, M)
        log p(word m | c)

    See Also
    --------
    DCMNB : words that occur in bursts.

    References
    ----------
    McCallum and Nigam (1998), A comparison of event models for naive Bayes
    text classification, AAAI-98 workshop on learning for text categorization.

    Examples
    --------
    >>> X = [[3, 0, 1], [2, 1, 0], [0, 4, 1]]
    >>> model = MultinomialNB().fit(X, ["prose", "prose", "verse"])
    >>> np.exp(model.feature_log_prob_).round(3)
    array([[0.6  , 0.2  , 0.2  ],
           [0.125, 0.625, 0.25 ]])
    >>> model.predict([[1, 0, 0], [0, 2, 0]]).tolist()
    ['prose', 'verse']
    """

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        estimate: str = "bayes",
    ):
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate

    def _count(self, X, codes, n_classes, weights):
        return sum_by_class(X, codes, n_classes, weights)

    def _merge(self, counts, *, anew):
        if not anew:
            # Into the new table, which no other model shares.
            counts += self.feature_count_
        self.feature_count_ = counts

    def _statistics(self):
        return self.feature_count_

    @learned
    def feature_log_prob_(self) -> np.ndarray:  # noqa: D102 - documented with the class
        return log_proportions(
            self.feature_count_,
            self.feature_count_.sum(axis=1, keepdims=True),
            self.n_features_in_,
            self._settings["alpha"],
            self._settings["estimate"],
        )

    def _class_log_likelihood(self, X):
        return log_product(X, self.feature_log_prob_)

    def _lack_distribution(self):
        return np.isneginf(self.feature_log_prob_).all(axis=1)

    def _sample_documents(self, codes, lengths, rng):
        p = np.exp(self.feature_log_prob_)[codes]
        return sparse.csr_matrix(rng.multinomial(lengths, p))

    def to_frame(self) -> pd.DataFrame:
        """Return the look-up table: p(word m | c).

        Returns
        -------
        DataFrame of shape (M, K)
            A row for each word, a column for each class.
        """
        return as_frame(self, np.exp(self.feature_log_prob_))
