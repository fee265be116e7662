"""Naive Bayes that counts when it is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import is_

import numpy as np
from sklearn.utils.validation import check_is_fitted

from bayesbook.data import count_states, offsets, sum_by_class
from bayesbook.naive_bayes._estimates import log_proportions
from bayesbook.naive_bayes._states import States
from bayesbook.naive_bayes.categorical import CategoricalNB


class LazyNB(CategoricalNB):
    """Naive Bayes that stores rows, and counts when it is asked.

    Training copies the rows, and counts nothing. A question names one state
    of each column, and only those are counted, in all rows that are stored:
    nothing else of the table is ever needed for it. The probabilities are
    those of :class:`CategoricalNB`, whose parameters and attributes it has;
    use it where rows come faster than questions.

    Parameters
    ----------
    alpha, class_alpha, class_prior, estimate, min_categories, \
    missing, unseen
        See :class:`CategoricalNB`.

    Attributes
    ----------
    rows_ : int array of shape (n, M)
        The codes of the rows that are stored.

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
        # A copy, because those who gave the rows may change theirs.
        return StoredRows(
            n_states, labels, rows.copy(), codes, weights, n_classes
        )

    @property
    def rows_(self):  # noqa: D102 - documented with the class
        check_is_fitted(self)
        return self.counts_.rows

    def _class_log_likelihood(self, X):
        stored, n_classes = self.counts_, len(self.classes_)
        self._require_values()
        if self._settings["estimate"] == "map":
            # Whether there is a mode depends on states that nobody asks for.
            _ = self._table
        totals = sum_by_class(
            stored.rows >= 0, stored.y, n_classes, stored.weights
        )
        n_states = np.array(stored.n_states)
        result = np.empty((len(X), n_classes))
        for i, question in enumerate(self._known_codes(X)):
            known = question >= 0
            logs = log_proportions(
                sum_by_class(
                    stored.rows[:, known] == question[known],
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


@dataclass(frozen=True)
class StoredRows(States):
    """Rows of codes that know of which states they are.

    Attributes
    ----------
    n_states, labels
        See :class:`States`.
    rows : int array of shape (n, M)
        The codes, -1 where a value is missing.
    y : array of shape (n,)
        The codes of the classes.
    weights : array of shape (n,)
    n_classes : int
    """

    rows: np.ndarray
    y: np.ndarray
    weights: np.ndarray
    n_classes: int

    def __add__(self, other):
        """Store the rows of both, with codes for the states of either."""
        states = self.union(other)
        return StoredRows(
            states.n_states,
            states.labels,
            np.vstack([own.recoded(states) for own in (self, other)]),
            np.concatenate([self.y, other.y]),
            np.concatenate([self.weights, other.weights]),
            self.n_classes,
        )

    def spread(self, places, n_classes):
        """Return the rows among more classes."""
        return replace(self, y=places[self.y], n_classes=n_classes)

    def recoded(self, states):
        """Return the rows with the codes of other states."""
        if all(map(is_, self.labels, states.labels)):
            return self.rows
        starts = offsets(self.n_states)[:-1]
        # The last place is where the code -1 of the first column looks.
        places = np.append(self.places(states), -1)
        codes = places[starts + self.rows] - offsets(states.n_states)[:-1]
        return np.where(self.rows < 0, -1, codes)

    @property
    def table(self):
        """The counts of all states, which only those who look need."""
        return count_states(
            self.rows, self.y, self.n_states, self.n_classes, self.weights
        )
