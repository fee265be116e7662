"""Tree-augmented naive Bayes, and trees without a class."""

from __future__ import annotations

from math import log

import networkx as nx
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bayesbook.base import ProbabilityError
from bayesbook.data import pairwise_information
from bayesbook.data.mutual_information import information_of_pairs
from bayesbook.naive_bayes._base import learned
from bayesbook.naive_bayes._log_tables import variable_names
from bayesbook.naive_bayes.semi_naive._base import (
    AugmentedNaiveBayes,
    find_column,
)
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
    alpha, class_alpha, class_prior, estimate, min_categories
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
    ):
        self.root = root
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate
        self.min_categories = min_categories

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
        return information_of_pairs(pairs.table, pairs.n_states) / log(2)

    @learned
    def _families(self):
        parents = tree_parents(self.conditional_information_, self._root)
        return self.counts_.families(parents)


def chow_liu(
    X: ArrayLike | pd.DataFrame,
    *,
    root: str | int | None = None,
    weights: ArrayLike | None = None,
) -> nx.DiGraph:
    r"""Learn the tree in which rows are most probable, without a class.

    Among all Bayesian networks in which each column has at most one parent,
    the likelihood is greatest where the edges have the greatest sum of
    :math:`I(X_i; X_j)`. Edges without information are left out.

    Parameters
    ----------
    X : array_like or data frame of shape (n, M)
        Discrete columns: codes or labels of any type.
    root : str or int, optional
        The name or the number of the column at the root; by default the
        first. Edges point away from it; the likelihood does not depend on it.
    weights : array_like of shape (n,), optional
        What each row counts.

    Returns
    -------
    networkx.DiGraph
        The nodes are the names of the columns, or x0, x1, ... if they have no
        names. The "weight" of an edge is its information in bits.

    Raises
    ------
    ProbabilityError
        If the root is not a column, two columns have the same name, or they
        are not discrete; see
        :func:`~bayesbook.data.pairwise_information`.
    TableTooLargeError
        If the table of all pairs would need too much memory.

    References
    ----------
    Chow and Liu (1968), Approximating discrete probability distributions with
    dependence trees. *IEEE Transactions on Information Theory* 14.

    Examples
    --------
    >>> from bayesbook.data import load_watermelon
    >>> tree = chow_liu(load_watermelon("2.0"), root="good")
    >>> for parent, child, bits in tree.edges(data="weight"):
    ...     print(f"{parent} -> {child}: {bits:.3f}")
    root -> knock: 0.528
    texture -> navel: 0.547
    navel -> color: 0.424
    navel -> root: 0.582
    navel -> touch: 0.286
    good -> texture: 0.381
    """
    information = pairwise_information(X, weights=weights, unit="bits")
    columns = list(range(len(information)))
    # Names are texts, as for the classifiers.
    if isinstance(X, pd.DataFrame) and all(
        isinstance(name, str) for name in X.columns
    ):
        columns = list(X.columns)
    start = 0 if root is None else find_column(root, columns, "The root")
    names = variable_names(columns)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ProbabilityError(
            f"{len(names)} columns need {len(names)} names, and "
            f"{names.count(twice)} are called {twice!r}: rename them."
        )
    tree = nx.DiGraph()
    tree.add_nodes_from(names)
    for m, others in enumerate(tree_parents(information, start)):
        for parent in others:
            weight = float(information[parent, m])
            tree.add_edge(names[parent], names[m], weight=weight)
    return tree
