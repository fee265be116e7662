"""Naive Bayes that stores rows, and counts when it predicts."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesbook.data import sum_by_class
from bayesbook.naive_bayes._smoothing import log_proportions
from bayesbook.naive_bayes._stored_rows import GrowingArray, StoredRows
from bayesbook.naive_bayes.categorical import CategoricalNB


class LazyNB(CategoricalNB):
    """Naive Bayes that stores rows, and counts when it predicts.

    Training copies the rows, and counts nothing. A row to be classified has
    one state in each column, and only those are counted, in all rows that
    are stored: its prediction needs nothing else of the table. The
    probabilities are those of :class:`CategoricalNB`, whose parameters and
    attributes it has; use it where many rows come before a prediction. A call
    of `partial_fit` takes time for its own rows only, on average: the rows
    before are not copied.

    Parameters
    ----------
    alpha, class_alpha, class_prior, estimate, min_categories, missing, unseen
        See :class:`CategoricalNB`.

    Attributes
    ----------
    rows_ : int array of shape (n, M)
        The codes of the stored rows.

    Examples
    --------
    >>> X = [["grey", "west"], ["grey", "east"], ["blue", "east"]]
    >>> y = ["rain", "rain", "dry"]
    >>> lazy = LazyNB().fit(X, y)
    >>> lazy.predict_proba([["grey", "east"]]).round(3)
    array([[0.283, 0.717]])
    >>> CategoricalNB().fit(X, y).predict_proba([["grey", "east"]]).round(3)
    array([[0.283, 0.717]])
    """

    def _count(self, X, codes, n_classes, weights):
        rows, n_states, labels = self._read_states(X)
        weights = np.ones(len(codes)) if weights is None else weights.copy()
        # A copy, because the caller may change the array that was given.
        return StoredRows(
            n_states,
            labels,
            *map(GrowingArray.of, (rows.copy(), codes, weights)),
            n_classes,
        )

    @property
    def rows_(self) -> np.ndarray:  # noqa: D102 - documented with the class
        check_is_fitted(self)
        return self.counts_.rows

    def _class_log_likelihood(self, X):
        stored, n_classes = self.counts_, len(self.classes_)
        self._require_values(stored.n_states)
        if self._settings["estimate"] == "map":
            # Whether there is a mode depends on all states: an error if not.
            _ = self._table
        totals = sum_by_class(
            stored.rows >= 0, stored.y, n_classes, stored.weights
        )
        n_states = np.array(stored.n_states)
        result = np.empty((len(X), n_classes))
        for i, row in enumerate(self._known_codes(X)):
            known = row >= 0
            logs = log_proportions(
                sum_by_class(
                    stored.rows[:, known] == row[known],
                    stored.y,
                    n_classes,
                    stored.weights,
                ),
                totals[:, known],
                n_states[known],
                self._settings["alpha"],
                self._settings["estimate"],
            )
            result[i] = logs.sum(axis=1)
        return result
