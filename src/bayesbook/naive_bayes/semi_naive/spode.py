"""Naive Bayes with a super-parent."""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.model_selection import check_cv

from bayesbook.base import ProbabilityError
from bayesbook.base.classes import (
    codes_among,
    log_class_prior,
    one_label_each,
)
from bayesbook.data import count_classes, count_pairs
from bayesbook.naive_bayes._base import class_log_proportions
from bayesbook.naive_bayes._smoothing import log_proportions
from bayesbook.naive_bayes._state_counts import States, column_totals
from bayesbook.naive_bayes.semi_naive._base import AugmentedNaiveBayes
from bayesbook.naive_bayes.semi_naive._family_counts import PairCounts
from bayesbook.naive_bayes.semi_naive._one_dependence import (
    conditional_logs,
    joint_by_super_parent,
)
from bayesbook.naive_bayes.semi_naive._structure import comparable


class SPODE(AugmentedNaiveBayes):
    r"""Super-parent one-dependence estimator.

    .. math:: p(c, x) = p(c) \, p(x_p \mid c)
        \prod_{j \ne p} p(x_j \mid c, x_p)

    One column, the super-parent p, is a parent of all other columns. In other
    words: naive Bayes with the pairs :math:`(c, x_p)` for classes.

    Parameters
    ----------
    parent : str or int, optional
        The name or the number of the super-parent. By default it is chosen;
        then there is no `partial_fit`, because the scores of the columns need
        all rows a second time: use `fit_chunks` for batches.
    selection : {"conditional-likelihood", "cross-validation"}
        How it is chosen: as the one with the greatest sum of log p(c | x)
        over the training rows, or as the one that classifies most of the
        rows correctly when they are held out. On ties the first. The former
        reads data larger than memory twice; the latter needs all rows at
        once.
    cv : int, splitter, or iterable of (training, test), default 5
        How rows are held out, as in scikit-learn: a number of stratified
        parts, each of which is held out once.
    alpha, class_alpha, class_prior, estimate, min_categories, missing, unseen
        See :class:`~bayesbook.naive_bayes.CategoricalNB`.

    Attributes
    ----------
    parent_ : int
        The number of the super-parent.
    scores_ : array of shape (M,)
        If it was chosen: the sum of log p(c | x), or the share of held-out
        rows that are classified correctly, with each column as the
        super-parent. From chunks and from Dask up to rounding.
    parents_, structure_, n_parameters_
        See :class:`AugmentedNaiveBayes`.
    classes_, class_count_, class_log_prior_, categories_, n_categories_
        See :class:`SemiNaiveBayes`.
    n_features_in_, feature_names_in_
        See :class:`SemiNaiveBayes`.

    References
    ----------
    Keogh and Pazzani (1999), Learning augmented Bayesian classifiers.
    Zhou (2021), *Machine Learning*, section 7.4.

    Examples
    --------
    The class is whether the first two columns are equal.

    >>> X = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]] * 5)
    >>> y = np.where(X[:, 0] == X[:, 1], "same", "other")
    >>> model = SPODE().fit(X, y)
    >>> model.scores_.round(2)
    array([-1.82, -1.82, -5.07])
    >>> model.parent_, model.score(X, y)
    (0, 1.0)
    """

    def __init__(
        self,
        *,
        parent: str | int | None = None,
        selection: str = "conditional-likelihood",
        cv: Any = 5,
        alpha: float = 1.0,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        estimate: str = "bayes",
        min_categories: int | ArrayLike | None = None,
        missing: str = "error",
        unseen: str = "error",
    ):
        self.parent = parent
        self.selection = selection
        self.cv = cv
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate
        self.min_categories = min_categories
        self.missing = missing
        self.unseen = unseen

    @property
    def _adds_up(self):
        return self.parent is not None

    def _count(self, X, codes, n_classes, weights):
        if self._counts_pairs:
            return None, None, self._count_pairs(X, codes, n_classes, weights)
        rows, n_states, labels = self._read_states(X)
        scores = None
        if self.parent is None:
            parent, scores = self._choose(
                rows, codes, n_states, n_classes, weights
            )
        else:
            parent = self._place(self.parent, "The super-parent")
        parents = _with_parent(parent, len(n_states))
        families = self._count_families(
            rows, codes, States(n_states, labels), parents, n_classes, weights
        )
        return parent, scores, families

    def _merge(self, counts, *, anew):
        parent, scores, families = counts
        super()._merge(families, anew=anew)
        self.parent_ = parent
        if scores is None:
            vars(self).pop("scores_", None)
        else:
            self.scores_ = scores

    def _statistics(self):
        return self.parent_, None, self.counts_

    def _choose(self, rows, codes, n_states, n_classes, weights):
        """Return the best super-parent, and the scores of all."""
        self._require_values(n_states)
        self._require_pairs(n_states, n_classes)
        settings = self._settings_for(range(n_classes))
        held_out = self.selection == "cross-validation"
        judge = _is_correct if held_out else _log_posterior
        scores, total = np.zeros(len(n_states)), 0.0
        for training, test in self._splits(codes):
            training, test = np.asarray(training), np.asarray(test)
            own, of_test = (
                None if weights is None else weights[part]
                for part in (training, test)
            )
            table = count_pairs(
                rows[training], codes[training], n_states, n_classes, own
            )
            pairs = PairCounts(n_states, (None,) * len(n_states), table)
            N_k = count_classes(codes[training], n_classes, own)
            logs = _candidates(pairs, N_k, settings)
            judged = rows[test], codes[test], of_test
            new, weight = _judge(*judged, logs, n_states, settings, judge)
            scores += new
            total += weight
        parent, means = _best(scores, total)
        return parent, means if held_out else scores

    def _settings_for(self, classes):
        settings = self._read_settings()
        return settings | {
            "log_prior": log_class_prior(settings["class_prior"], classes)
        }

    def _learn_parts(self, parts, classes):
        if self._adds_up:
            return super()._learn_parts(parts, classes)
        if self.selection == "cross-validation":
            raise ProbabilityError(
                "Which rows are held out is not known before all rows have "
                "been read, so that selection='cross-validation' needs them "
                "at once: take selection='conditional-likelihood', or name "
                "the parent."
            )
        # One pass for the counts of all pairs, and one for the scores.
        pairs = self._pairs_of_parts(parts, classes)
        if pairs is None:
            return None
        counts = pairs.counts_
        self._require_values(counts.n_states)
        settings = self._settings_for(pairs.classes_)
        logs = _candidates(counts, pairs.class_count_, settings)
        judge = partial(_judge_part, pairs, logs, settings)
        scores, total = parts.reduce(judge, _add)
        parent, _ = _best(scores, total)
        parents = _with_parent(parent, len(counts.n_states))
        model = copy(pairs)
        model._merge((parent, scores, counts.families(parents)), anew=True)
        return model

    def _splits(self, codes):
        """Return pairs of rows for training, and rows for the score."""
        if self.selection == "conditional-likelihood":
            everything = np.arange(len(codes))
            return [(everything, everything)]
        splitter = check_cv(self.cv, codes, classifier=True)
        return list(splitter.split(codes, codes))


def _with_parent(parent, M):
    return tuple(() if m == parent else (parent,) for m in range(M))


def _best(scores, total):
    """Return the best super-parent, and the means of the scores."""
    # Without rows to judge, all columns are equally good.
    means = scores / total if total else scores
    return int(np.argmax(comparable(means))), means


def _judge(rows, codes, weights, logs, n_states, settings, judge):
    """Return the score of each model for some rows, and their weight."""
    shares = np.ones(len(rows)) if weights is None else weights
    judged = shares > 0
    if settings["log_prior"] is not None:
        # Rows of a class of probability zero are impossible for all models.
        judged &= settings["log_prior"][codes] > -np.inf
    rows, codes, shares = rows[judged], codes[judged], shares[judged]
    scores = np.zeros(len(n_states))
    for part, joint in joint_by_super_parent(rows, logs, n_states):
        scores += shares[part] @ judge(joint, codes[part])
    return scores, shares.sum()


def _judge_part(pairs, logs, settings, part):
    """Return what `_judge` does for a part, with the states of `pairs`."""
    X, y, weights = (*part, None)[:3]
    if not len(y):
        return None
    X = pairs._read(X, anew=False)
    codes = codes_among(one_label_each(y, X), pairs.classes_)
    if weights is not None:
        weights = np.asarray(weights, dtype=float)
    n_states = pairs.counts_.n_states
    rows = pairs._known_codes(X)
    return _judge(
        rows, codes, weights, logs, n_states, settings, _log_posterior
    )


def _add(results):
    return tuple(map(sum, zip(*results, strict=True)))


def _candidates(pairs, N_k, settings):
    """Return the models with each super-parent, as `conditional_logs`."""
    n_states = pairs.n_states
    log_prior = settings["log_prior"]
    if log_prior is None:
        log_prior = class_log_proportions(N_k, settings)
    first = log_proportions(
        pairs.single,
        column_totals(pairs.single, n_states),
        np.repeat(n_states, n_states),
        settings["alpha"],
        settings["estimate"],
    )
    first += log_prior[:, None]
    return conditional_logs(pairs, first, settings)


def _log_posterior(joint, codes):
    """Return log p(c | x) for the true classes, by each model."""
    own = joint[np.arange(len(codes)), codes]
    with np.errstate(invalid="ignore"):
        return np.where(np.isneginf(own), own, own - logsumexp(joint, axis=1))


def _is_correct(joint, codes):
    possible = joint.max(axis=1) > -np.inf
    return (joint.argmax(axis=1) == codes[:, None]) & possible
