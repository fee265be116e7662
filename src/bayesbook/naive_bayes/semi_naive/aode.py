"""The average over all models with one super-parent."""

from __future__ import annotations

import warnings

import networkx as nx
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.data import offsets, sum_entries
from bayesbook.naive_bayes._base import learned
from bayesbook.naive_bayes._smoothing import log_proportions
from bayesbook.naive_bayes._state_counts import column_totals
from bayesbook.naive_bayes.out_of_core import by_parts
from bayesbook.naive_bayes.semi_naive._base import SemiNaiveBayes
from bayesbook.naive_bayes.semi_naive._one_dependence import (
    conditional_logs,
    joint_by_super_parent,
)


class AODE(SemiNaiveBayes):
    r"""Averaged one-dependence estimators.

    .. math:: p(c, x) = \frac{1}{|I(x)|} \sum_{i \in I(x)}
        p(c, x_i) \prod_{j \ne i} p(x_j \mid c, x_i)

    Nothing is chosen: every column is the super-parent once. The result is
    the mean over all super-parents whose value in the row occurred in at
    least m rows of the training, :math:`I(x) = \{i: N_{x_i} \ge m\}`. With K
    classes, :math:`S_i` states of column i, and λ = `alpha`,

    .. math:: p(c, x_i) = \frac{N_{c, x_i} + \lambda}{N + K S_i \lambda},
        \qquad p(x_j \mid c, x_i) =
        \frac{N_{c, x_i, x_j} + \lambda}{N_{c, x_i} + S_j \lambda}.

    A missing value may be any: as a child, its factor is 1; as a super-parent,
    it is summed over its states, and :math:`N_{x_i}` are all rows in which
    the column is known. So the models of :math:`I(x)` are marginalised
    exactly, and so is their average where every value occurred in at least m
    rows.

    Where no column qualifies, naive Bayes is used, with a warning. The row
    decides which models are averaged, so there is no distribution from which
    rows could be drawn, no look-up table, and no Bayesian network: each of
    `structures_` is that of a :class:`SPODE`, which has the methods `sample`,
    `to_frame` and `to_network`.

    Parameters
    ----------
    m : float, default 30
        The least number (weight) of training rows with the value of a
        super-parent. With fewer rows in all the model is naive Bayes, and
        training warns.
    alpha, estimate, min_categories, missing, unseen
        See :class:`~bayesbook.naive_bayes.CategoricalNB`.
    class_alpha : float, default 1
        The pseudo-count of each class, where naive Bayes is used.

    Attributes
    ----------
    structures_ : tuple of M networkx.DiGraph
        The Bayesian networks that are averaged, one for each super-parent.
    n_parameters_ : int
        The number of free parameters of all of them.
    classes_, class_count_, class_log_prior_, categories_, n_categories_
        See :class:`SemiNaiveBayes`.
    n_features_in_, feature_names_in_
        See :class:`SemiNaiveBayes`.

    References
    ----------
    Webb, Boughton and Wang (2005), Not so naive Bayes: aggregating
    one-dependence estimators. *Machine Learning* 58.

    Examples
    --------
    The class is whether the first two columns are equal.

    >>> X = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]] * 30)
    >>> y = np.where(X[:, 0] == X[:, 1], "same", "other")
    >>> model = AODE().fit(X, y)
    >>> model.predict(X[:4]).tolist()
    ['same', 'other', 'other', 'same']
    """

    def __init__(
        self,
        *,
        m: float = 30,
        alpha: float = 1.0,
        class_alpha: float = 1.0,
        estimate: str = "bayes",
        min_categories: int | ArrayLike | None = None,
        missing: str = "error",
        unseen: str = "error",
    ):
        self.m = m
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.estimate = estimate
        self.min_categories = min_categories
        self.missing = missing
        self.unseen = unseen

    def _doubts(self):
        yield from super()._doubts()
        n, m = self.class_count_.sum(), self._settings["m"]
        if not _reach(n, m):
            yield (
                f"m={m:g} is more than the {n:g} rows: no column can be a "
                "super-parent, and AODE is naive Bayes. Take a smaller m."
            )

    def _count(self, X, codes, n_classes, weights):
        return self._count_pairs(X, codes, n_classes, weights)

    @property
    def structures_(self) -> tuple[nx.DiGraph, ...]:  # noqa: D102 - the class
        check_is_fitted(self)
        columns = range(self.n_features_in_)
        return tuple(
            self._graph([() if m == parent else (parent,) for m in columns])
            for parent in columns
        )

    @property
    def n_parameters_(self) -> int:  # noqa: D102 - documented with the class
        check_is_fitted(self)
        K = len(self.classes_)
        n_states = self.counts_.n_states
        free = sum(n_states) - len(n_states)
        return sum(K * S - 1 + K * S * (free - (S - 1)) for S in n_states)

    def super_parents(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return which columns are averaged over, for each row.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        bool array of shape (n, M)
            Whether the value occurred in at least m rows of the training. A
            missing value may be any: all rows in which the column is known
            are counted.

        Raises
        ------
        ValueError
            If the rows cannot be read.

        Examples
        --------
        >>> X = [[0, 0]] * 30 + [[0, 1]] * 10
        >>> model = AODE().fit(X, ["a", "b"] * 20)
        >>> model.super_parents([[0, 0], [0, 1]]).tolist()
        [[True, True], [True, False]]
        """
        check_is_fitted(self)
        return self._qualify(self._known_codes(self._read(X, anew=False)))

    def _qualify(self, codes):
        n_states = self.counts_.n_states
        self._require_values(n_states)
        starts = offsets(n_states)[:-1]
        counts = self.counts_.single.sum(axis=0)
        of_any = column_totals(counts, n_states)[starts]
        of_own = counts[np.maximum(codes, 0) + starts]
        rows = np.where(codes < 0, of_any, of_own)
        return _reach(rows, self._settings["m"])

    def _log_first(self):
        """Return log p(c, x_i) for all states, side by side."""
        single, n_states = self.counts_.single, self.counts_.n_states
        return log_proportions(
            single,
            column_totals(single, n_states).sum(axis=0),
            len(self.classes_) * np.repeat(n_states, n_states),
            self._settings["alpha"],
            self._settings["estimate"],
        )

    @learned
    def _logs(self):
        self._require_values(self.counts_.n_states)
        return conditional_logs(
            self.counts_, self._log_first(), self._settings
        )

    @learned
    def _naive_logs(self):
        """The values log p(x_j | c), for rows where naive Bayes is used."""
        single, n_states = self.counts_.single, self.counts_.n_states
        return log_proportions(
            single,
            column_totals(single, n_states),
            np.repeat(n_states, n_states),
            self._settings["alpha"],
            self._settings["estimate"],
        )

    @by_parts
    def predict_joint_log_proba(
        self, X: ArrayLike | pd.DataFrame
    ) -> np.ndarray:
        """Return log p(c, x), the logarithm of the average.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, K)
            Columns in the order of `classes_`; -inf where a row is impossible
            in a class.

        Warns
        -----
        UserWarning
            If naive Bayes is used for some of the rows.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        check_is_fitted(self)
        return self._joint(self._read(X, anew=False))

    def _class_log_likelihood(self, X):
        prior = self.class_log_prior_
        joint = self._joint(X)
        # A class without any probability has no distribution of its rows.
        joint[:, np.isneginf(prior)] = -np.inf
        return joint - np.where(np.isneginf(prior), 0, prior)

    def _joint(self, X):
        codes = self._known_codes(X)
        n_states = self.counts_.n_states
        alone = []
        result = np.empty((len(codes), len(self.classes_)))
        for rows, joint in joint_by_super_parent(codes, self._logs, n_states):
            qualify = self._qualify(codes[rows])
            number = qualify.sum(axis=1)
            if number.min() < len(n_states):
                joint += np.where(qualify, 0, -np.inf)[:, None, :]
            result[rows] = _log_mean(joint, number[:, None])
            alone.append(rows.start + np.flatnonzero(number == 0))
        alone = np.concatenate(alone)
        if len(alone):
            result[alone] = sum_entries(
                codes[alone], self._naive_logs, n_states
            )
            result[alone] += self.class_log_prior_
            self._warn_of(len(alone), len(codes))
        return result

    def _warn_of(self, n_alone, n):
        warnings.warn(
            f"Of {n} rows, {n_alone} have no value that occurred in at least "
            f"m={self._settings['m']:g} rows of the training, so that no "
            "column can be their super-parent: naive Bayes answers for them.",
            stacklevel=5,
        )

    def _lack_distribution(self):
        raise ProbabilityError(
            "AODE averages over other columns in every row, so that it has no "
            "distribution to draw rows from: draw them from a SPODE."
        )


def _reach(counts, m):
    """Return whether counts are at least m, up to rounding errors."""
    return counts >= m * (1 - 1e-9)


def _log_mean(logs, number):
    """Return log(sum(exp(logs)) / number) over the last axis.

    As scipy's logsumexp, in a quarter of the time.
    """
    best = logs.max(axis=-1)
    best[np.isneginf(best)] = 0
    logs -= best[..., None]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(np.exp(logs, out=logs).sum(axis=-1) / number) + best
