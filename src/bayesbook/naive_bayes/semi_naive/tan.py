"""Tree-augmented naive Bayes."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import ArrayLike

from bayesbook.data.mutual_information import information_of_pairs
from bayesbook.naive_bayes._base import learned
from bayesbook.naive_bayes.semi_naive._base import AugmentedNaiveBayes
from bayesbook.naive_bayes.semi_naive._structure import tree_parents


class TAN(AugmentedNaiveBayes):
    r"""Tree-augmented naive Bayes: the features make a tree.

    Each column but the root depends on the class and on one other column.
    The tree is the one in which the training rows are most probable: a
    maximum spanning tree, whose edges have the greatest sum of
    :math:`I(X_i; X_j \mid C)`. Edges without information are left out. If
    all columns are independent given the class there are no edges, and TAN is
    naive Bayes.

    Parameters
    ----------
    root : str or int, optional
        The name or the number of the column at the root; by default the
        first. Edges point away from it. Without pseudo-counts the choice
        changes no probability.
    alpha, class_alpha, class_prior, estimate, min_categories, missing, unseen
        See :class:`~bayesbook.naive_bayes.CategoricalNB`.

    Attributes
    ----------
    conditional_information_ : array of shape (M, M)
        :math:`I(X_i; X_j \mid C)` in bits, from relative frequencies.
    parents_, structure_, n_parameters_
        See :class:`AugmentedNaiveBayes`.
    classes_, class_count_, class_log_prior_, categories_, n_categories_
        See :class:`SemiNaiveBayes`.
    n_features_in_, feature_names_in_
        See :class:`SemiNaiveBayes`.

    References
    ----------
    Friedman, Geiger and Goldszmidt (1997), Bayesian network classifiers.
    *Machine Learning* 29, section 4.

    Examples
    --------
    Given the class, the third column repeats the first one, and the second
    tells nothing about either.

    >>> X = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]
    >>> tan = TAN().fit(X, ["a"] * 4)
    >>> tan.conditional_information_
    array([[1., 0., 1.],
           [0., 1., 0.],
           [1., 0., 1.]])
    >>> tan.parents_
    ((), (), (0,))
    """

    def __init__(
        self,
        *,
        root: str | int | None = None,
        alpha: float = 1.0,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        estimate: str = "bayes",
        min_categories: int | ArrayLike | None = None,
        missing: str = "error",
        unseen: str = "error",
    ):
        self.root = root
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate
        self.min_categories = min_categories
        self.missing = missing
        self.unseen = unseen

    def _count(self, X, codes, n_classes, weights):
        root = 0 if self.root is None else self._place(self.root, "The root")
        return root, self._count_pairs(X, codes, n_classes, weights)

    def _merge(self, counts, *, anew):
        root, pairs = counts
        super()._merge(pairs, anew=anew)
        self._root = root

    def _statistics(self):
        return self._root, self.counts_

    @learned
    def conditional_information_(self) -> np.ndarray:  # noqa: D102 - the class
        pairs = self.counts_
        self._require_values(pairs.n_states)
        return information_of_pairs(pairs.table, pairs.n_states) / log(2)

    @learned
    def _families(self):
        parents = tree_parents(self.conditional_information_, self._root)
        return self.counts_.families(parents)
