"""Naive Bayes in which each feature may depend on k others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import ArrayLike

from bayesbook.base import ProbabilityError
from bayesbook.base.names import quoted_list
from bayesbook.data import count_pairs, count_states
from bayesbook.data.mutual_information import (
    information_of_columns,
    information_of_pairs,
)
from bayesbook.graphs import check_dag, topological_order
from bayesbook.naive_bayes._reading import column_names
from bayesbook.naive_bayes._state_counts import States
from bayesbook.naive_bayes.out_of_core import join_models, learn_part
from bayesbook.naive_bayes.semi_naive._base import AugmentedNaiveBayes
from bayesbook.naive_bayes.semi_naive._family_counts import PairCounts
from bayesbook.naive_bayes.semi_naive._structure import k_parents


class KDB(AugmentedNaiveBayes):
    r"""Naive Bayes in which each feature may depend on k others.

    .. math:: p(c, x) = p(c) \prod_j p(x_j \mid c, x_{\mathrm{pa}(j)}),
        \qquad |\mathrm{pa}(j)| \le k

    The k-dependence Bayesian classifier, a way to learn what Zhou calls a
    k-dependence estimator, kDE. The columns are sorted by
    :math:`I(X_j; C)`, the greatest first. The parents of a column are the k
    columns before it with the greatest :math:`I(X_i; X_j \mid C)`, but not
    those for which it is zero. With k = 0 it is naive Bayes; the number of
    its parameters grows as :math:`S^k`.

    Parameters
    ----------
    k : int, default 1
        The greatest number of parents besides the class. With M columns it
        is at most M - 1; if it is more, M - 1 is used, with a warning.
    parents : mapping of columns to lists of columns, optional
        The parents of some columns, at most k each, by names or numbers;
        others have none. Then no structure is learned, data larger than
        memory are read once instead of twice, and there is `partial_fit`. A
        structure that is learned needs all rows first, and then its own
        counts of them: use `fit_chunks` for batches.
    alpha, class_alpha, class_prior, estimate, min_categories, missing, unseen
        See :class:`~bayesbook.naive_bayes.CategoricalNB`.

    Attributes
    ----------
    order_ : list of M ints
        The numbers of the columns, parents before their children.
    parents_, structure_, n_parameters_
        See :class:`AugmentedNaiveBayes`.
    classes_, class_count_, class_log_prior_, categories_, n_categories_
        See :class:`SemiNaiveBayes`.
    n_features_in_, feature_names_in_
        See :class:`SemiNaiveBayes`.

    References
    ----------
    Sahami (1996), Learning limited dependence Bayesian classifiers.
    Proceedings of KDD-96.

    Examples
    --------
    The class is whether the number of ones among three bits is even: each
    bit depends on both others, and no single bit tells anything.

    >>> X = np.array([[a, b, c] for a in (0, 1) for b in (0, 1)
    ...               for c in (0, 1)] * 4)
    >>> y = X.sum(axis=1) % 2
    >>> parents = {1: [0], 2: [0, 1]}
    >>> KDB(k=2, parents=parents).fit(X, y).score(X, y)
    1.0
    >>> KDB(k=1, parents={1: [0], 2: [0]}).fit(X, y).score(X, y)
    0.5
    """

    def __init__(
        self,
        *,
        k: int = 1,
        parents: Mapping[Any, Iterable[Any]] | None = None,
        alpha: float = 1.0,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        estimate: str = "bayes",
        min_categories: int | ArrayLike | None = None,
        missing: str = "error",
        unseen: str = "error",
    ):
        self.k = k
        self.parents = parents
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate
        self.min_categories = min_categories
        self.missing = missing
        self.unseen = unseen

    @property
    def _adds_up(self):
        return self.parents is not None

    # The structure learned from all rows, for the models of parts.
    _structure = None

    def _count(self, X, codes, n_classes, weights):
        rows, n_states, labels = self._read_states(X)
        k = self._most_parents()
        if self._counts_pairs and k:
            return None, self._count_pairs(X, codes, n_classes, weights)
        if self._counts_pairs:
            order, parents = None, ((),) * len(n_states)
        elif self._structure is not None:
            order, parents = self._structure
        elif self.parents is not None:
            order, parents = self._given_parents(k)
        else:
            order, parents = self._learned_parents(
                rows, codes, n_states, n_classes, weights, k
            )
        families = self._count_families(
            rows, codes, States(n_states, labels), parents, n_classes, weights
        )
        return order, families

    def _merge(self, counts, *, anew):
        order, families = counts
        super()._merge(families, anew=anew)
        self.order_ = order

    def _statistics(self):
        return self.order_, self.counts_

    def _learn_parts(self, parts, classes):
        if self._adds_up:
            return super()._learn_parts(parts, classes)
        # One pass for the structure, and one for the families.
        first = self._pairs_of_parts(parts, classes)
        if first is None:
            return None
        counts, pairs = first.counts_, None
        if isinstance(counts, PairCounts):
            single, pairs = counts.single, counts.table
        else:
            single = np.hstack(counts.tables)
        structure = self._best_structure(single, pairs, counts.n_states)
        settings = {"_structure": structure}
        learn = partial(learn_part, self, first.classes_, settings)
        return parts.reduce(learn, join_models)

    def _most_parents(self):
        """Return the number of parents, at most all other columns."""
        return min(int(self.k), self.n_features_in_ - 1)

    def _doubts(self):
        yield from super()._doubts()
        most = self.n_features_in_ - 1
        if self.k > most:
            yield (
                f"k={self.k} is more than a column can depend on: of "
                f"n_features={most + 1} there are {most} others, and "
                f"k={most} was used."
            )

    def _learned_parents(self, rows, codes, n_states, n_classes, weights, k):
        single = count_states(rows, codes, n_states, n_classes, weights)
        pairs = None
        if k:
            self._require_pairs(n_states, n_classes)
            pairs = count_pairs(rows, codes, n_states, n_classes, weights)
        return self._best_structure(single, pairs, n_states)

    def _best_structure(self, single, pairs, n_states):
        """Return order and parents, from counts of states and of pairs."""
        self._require_values(n_states)
        columns = np.repeat(np.arange(len(n_states)), n_states)
        of_class = information_of_columns(single, columns)
        of_pairs = np.zeros((len(n_states), len(n_states)))
        if pairs is not None:
            of_pairs = information_of_pairs(pairs, n_states)
        return k_parents(of_class, of_pairs, int(self.k))

    def _given_parents(self, k):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.n_features_in_))
        for column, others in self.parents.items():
            child = self._place(column, "A column in `parents`")
            if isinstance(others, str) or not np.iterable(others):
                raise TypeError(
                    f"The parents of column {column!r} are {others!r}; give "
                    "a list of columns."
                )
            for other in others:
                what = f"A parent of column {column!r}"
                graph.add_edge(self._place(other, what), child)
        names = column_names(self)
        check_dag(nx.relabel_nodes(graph, dict(enumerate(names))))
        parents = tuple(
            tuple(sorted(graph.predecessors(m)))
            for m in range(self.n_features_in_)
        )
        for name, own in zip(names, parents, strict=True):
            if len(own) > k:
                raise ProbabilityError(
                    f"Column {name!r} depends on "
                    f"{quoted_list([names[m] for m in own])}: on more columns "
                    f"than k={k}."
                )
        return topological_order(graph), parents
