"""The base classes of the semi-naive Bayes classifiers."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import prod
from numbers import Integral
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pandas as pd
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import plain, say
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.data import count_pairs, sum_entries
from bayesbook.data.row_blocks import chunks, enough_rows
from bayesbook.graphs import topological_order
from bayesbook.naive_bayes._base import NaiveBayes, learned
from bayesbook.naive_bayes._categories import CategoricalClassifier
from bayesbook.naive_bayes._log_tables import (
    as_network,
    as_table,
    class_variable,
    draw_states,
    feature_names,
    variables,
)
from bayesbook.naive_bayes._reading import column_names
from bayesbook.naive_bayes._smoothing import log_proportions
from bayesbook.naive_bayes.out_of_core import join_models, learn_part
from bayesbook.naive_bayes.semi_naive._family_counts import (
    FamilyCounts,
    PairCounts,
    count_families_by_class,
    family_codes,
    family_shapes,
)
from bayesbook.naive_bayes.semi_naive._missing import log_sums_over_missing
from bayesbook.probability import Table

if TYPE_CHECKING:
    from bayesbook.network import BayesianNetwork


def _can_add(model):
    """Return whether counts of more rows can be added to a model's."""
    if model._adds_up:
        return True
    raise AttributeError(
        f"This {type(model).__name__} chooses its structure by looking at "
        "all rows at once, so it has no partial_fit: give it a structure."
    )


def find_column(column, names, what):
    """Return the number of a column that is given by its name or number.

    The names are texts, or the numbers of the columns in a larger table.
    """
    is_text = isinstance(column, str)
    is_number = isinstance(column, Integral) and not isinstance(column, bool)
    if (is_text or is_number) and column in names:
        return names.index(column)
    named = isinstance(names[0], str)
    if named and is_number and 0 <= column < len(names):
        return int(column)
    if named and not is_number:
        known = f"the columns are {quoted_list(names)}"
    else:
        first, last = (0, len(names) - 1) if named else (names[0], names[-1])
        known = f"the columns are numbered {first} to {last}"
    raise ProbabilityError(
        f"{what} is {plain(column)!r}, which is not a column of X; {known}."
        f"{did_you_mean(column, names) if is_text else ''}"
    )


class SemiNaiveBayes(CategoricalClassifier):
    """The base class of the semi-naive Bayes classifiers.

    Rows are read as in :class:`~bayesbook.naive_bayes.CategoricalNB`, and
    `missing` and `unseen` mean the same: a missing value, or a state that did
    not occur in training, is an error, or it is marginalised. In training, a
    column and its parents are then counted in the rows in which all of them
    are known, and the information of two columns comes from the rows in which
    both are. A row to be classified is summed, exactly, over all states of
    its missing columns: those on which no observed column depends drop out,
    the others do not.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, n_features_in_, feature_names_in_
        See :class:`~bayesbook.naive_bayes.NaiveBayes`.
    categories_, n_categories_
        See :class:`~bayesbook.naive_bayes.CategoricalNB`.

    Examples
    --------
    >>> from bayesbook.data import load_watermelon
    >>> from bayesbook.naive_bayes import AODE, KDB, SPODE, TAN
    >>> melons = load_watermelon("2.0")
    >>> X, y = melons.drop(columns="good"), melons["good"]
    >>> for model in (SPODE(), TAN(), KDB(), AODE(m=1)):
    ...     p = model.fit(X, y).predict_proba(X.head(1))
    ...     print(type(model).__name__, p.round(4).tolist())
    SPODE [[0.009, 0.991]]
    TAN [[0.0143, 0.9857]]
    KDB [[0.0108, 0.9892]]
    AODE [[0.0367, 0.9633]]
    """

    # Whether the structure is given, or a function of counts of pairs.
    _adds_up = True

    @property
    def _n_passes(self):
        return 1 if self._adds_up else 2

    # The same method, but only where counts add up.
    partial_fit = available_if(_can_add)(NaiveBayes.partial_fit)

    def _count_pairs(self, X, codes, n_classes, weights):
        rows, n_states, labels = self._read_states(X)
        self._require_pairs(n_states, n_classes)
        table = count_pairs(rows, codes, n_states, n_classes, weights)
        return PairCounts(n_states, labels, table)

    def _require_pairs(self, n_states, n_classes):
        S = sum(n_states)
        self._require_size(
            (n_classes, S, S), n_states, "The table of all pairs"
        )

    def _place(self, column, what):
        """Return the number of a column given by its name or number."""
        return find_column(column, list(column_names(self)), what)

    def _graph(self, parents):
        names, root = variables(self), class_variable(self)
        graph = nx.DiGraph()
        graph.add_node(root)
        graph.add_edges_from((root, name) for name in names)
        graph.add_edges_from(
            (names[parent], name)
            for name, others in zip(names, parents, strict=True)
            for parent in others
        )
        return graph


class AugmentedNaiveBayes(SemiNaiveBayes):
    r"""The base class of the classifiers with one structure.

    .. math:: \log p(c, x) = \log p(c)
        + \sum_j \log p(x_j \mid c, x_{\mathrm{pa}(j)})

    Each factor is estimated from counts,
    :math:`(N_{c, \mathrm{pa}, x} + \lambda) /
    (N_{c, \mathrm{pa}} + S_j \lambda)` with λ = `alpha`.

    Attributes
    ----------
    parents_ : tuple of M tuples of ints
        The numbers of the columns on which each column depends.
    structure_ : networkx.DiGraph
        The Bayesian network: the node "class", and one for each column with
        its name, or x0, x1, ... if columns have no names.
    n_parameters_ : int
        The number of free parameters: for every distribution the number of
        states minus one.
    classes_, class_count_, class_log_prior_, categories_, n_categories_
        See :class:`SemiNaiveBayes`.
    n_features_in_, feature_names_in_
        See :class:`SemiNaiveBayes`.

    Examples
    --------
    >>> from bayesbook.naive_bayes import SPODE
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 2
    >>> model = SPODE(parent=0).fit(X, ["yes", "no", "no", "yes"] * 2)
    >>> isinstance(model, AugmentedNaiveBayes)
    True
    >>> model.parents_, sorted(model.structure_.edges)
    (((), (0,)), [('class', 'x0'), ('class', 'x1'), ('x0', 'x1')])
    >>> model.n_parameters_  # 1 of the class, 2 of x0, 4 of x1
    7
    """

    # Whether a model of some rows only counts pairs, from which the structure
    # will be learned.
    _counts_pairs = False

    def _count_families(
        self, rows, codes, states, parents, n_classes, weights
    ):
        n_states = states.n_states
        shapes = family_shapes(parents, n_states)
        shape = (n_classes, sum(map(prod, shapes)))
        what = "The table of columns together with their parents"
        remedy = "Take fewer parents, leave"
        self._require_size(shape, n_states, what, remedy)
        tables = count_families_by_class(
            rows, codes, n_states, parents, n_classes, weights
        )
        return FamilyCounts(n_states, states.labels, parents, tables)

    def _pairs_of_parts(self, parts, classes):
        """Return a model that has counted the pairs in all parts."""
        settings = {"_counts_pairs": True}
        learn = partial(learn_part, self, classes, settings)
        return parts.reduce(learn, join_models)

    @property
    def _families(self):
        """The counts of the families; a subclass may count otherwise."""
        return self.counts_

    @property
    def parents_(self) -> tuple[tuple[int, ...], ...]:
        check_is_fitted(self)
        return self._families.parents

    @property
    def structure_(self) -> nx.DiGraph:
        return self._graph(self.parents_)

    @property
    def n_parameters_(self) -> int:
        shapes = family_shapes(self.parents_, self.counts_.n_states)
        free = sum(prod(others) * (own - 1) for *others, own in shapes)
        K = len(self.classes_)
        return K - 1 + K * free

    @learned
    def _logs(self):
        """The logarithms of the distributions, shaped as the counts."""
        self._require_values(self.counts_.n_states)
        return [
            log_proportions(
                table,
                table.sum(axis=-1, keepdims=True),
                table.shape[-1],
                self._settings["alpha"],
                self._settings["estimate"],
            )
            for table in self._families.tables
        ]

    @learned
    def _packed_logs(self):
        K = len(self.classes_)
        return np.hstack([logs.reshape(K, -1) for logs in self._logs])

    def _class_log_likelihood(self, X):
        codes = self._known_codes(X)
        # Without the families in which a column is missing.
        result = self._look_up(codes)
        incomplete = (codes < 0).any(axis=1)
        if incomplete.any():
            result[incomplete] += log_sums_over_missing(
                codes[incomplete], self._logs, self.parents_, self._order()
            )
        return result

    def _look_up(self, codes):
        n_states, parents = self.counts_.n_states, self.parents_
        sizes = list(map(prod, family_shapes(parents, n_states)))
        logs = self._packed_logs
        result = np.empty((len(codes), len(self.classes_)))
        for rows in chunks(len(codes), enough_rows(logs.size, len(sizes))):
            families = family_codes(codes[rows], parents, n_states)
            result[rows] = sum_entries(families, logs, sizes)
        return result

    def _lack_distribution(self):
        best = [logs.reshape(len(logs), -1).max(axis=1) for logs in self._logs]
        return np.isneginf(best).any(axis=0)

    def _order(self):
        """Return the columns, parents before their children."""
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.n_features_in_))
        for m, others in enumerate(self.parents_):
            graph.add_edges_from((parent, m) for parent in others)
        return topological_order(graph)

    def _sample_rows(self, codes, rng):
        drawn = {}
        for m in self._order():
            others = [drawn[parent] for parent in self.parents_[m]]
            own = self._logs[m][codes, *others]
            self._require_distributions(m, own, codes, others)
            drawn[m] = draw_states(own, rng)
        return pd.DataFrame(
            {
                name: states[drawn[m]]
                for m, (name, states) in enumerate(
                    zip(feature_names(self), self.categories_, strict=True)
                )
            }
        )

    def _require_distributions(self, m, logs, classes, others):
        """Raise an error for unknown distributions, one in each row."""
        unknown = np.isneginf(logs).all(axis=1)
        if not unknown.any():
            return
        row = int(np.argmax(unknown))
        names = variables(self)
        given = {class_variable(self): self.classes_[classes[row]]} | {
            names[parent]: self.categories_[parent][own[row]]
            for parent, own in zip(self.parents_[m], others, strict=True)
        }
        raise ProbabilityError(
            f"Nothing is known of {names[m]} given {say(given)}, which "
            "training did not see: take alpha > 0."
        )

    def to_tables(self) -> list[Table]:
        """Return the tables whose product is the joint distribution.

        Returns
        -------
        list of Table
            P(class), then P(column | class, parents) for each column.

        Raises
        ------
        ProbabilityError
            If nothing is known of a column given some states of its parents,
            because training has no such row and `alpha` is 0.

        Examples
        --------
        >>> from bayesbook.data import load_watermelon
        >>> from bayesbook.naive_bayes import SPODE
        >>> melons = load_watermelon("2.0")[["root", "knock", "good"]]
        >>> model = SPODE(parent="root").fit(melons[["root", "knock"]],
        ...                                  melons["good"])
        >>> [table.title for table in model.to_tables()]
        ['P(class)', 'P(root | class)', 'P(knock | class, root)']
        """
        check_is_fitted(self)
        names, root = variables(self), class_variable(self)
        tables = [as_table(self, self.class_log_prior_, [], root)]
        for m, others in enumerate(self.parents_):
            logs = self._logs[m]
            given = np.indices(logs.shape[:-1]).reshape(logs.ndim - 1, -1)
            own = logs.reshape(-1, logs.shape[-1])
            self._require_distributions(m, own, given[0], given[1:])
            conditions = [root, *(names[parent] for parent in others)]
            tables.append(as_table(self, logs, conditions, names[m]))
        return tables

    def to_frame(self) -> pd.DataFrame:
        """Return the look-up table: P(x_j = s | c, parents).

        Returns
        -------
        DataFrame
            A row for each feature, states of its parents, and state; a column
            for each class. Without parents, `given` is an empty text. A
            distribution of which nothing is known is 0 everywhere.

        Examples
        --------
        >>> from bayesbook.naive_bayes import SPODE
        >>> X = [[0, 0], [0, 1], [1, 0], [1, 1]] * 2
        >>> model = SPODE(parent=0).fit(X, ["yes", "no", "no", "yes"] * 2)
        >>> model.to_frame()
        class                  no   yes
        feature given state
        0             0      0.50  0.50
                      1      0.50  0.50
        1       x0=0  0      0.25  0.75
                      1      0.75  0.25
                x0=1  0      0.75  0.25
                      1      0.25  0.75
        """
        check_is_fitted(self)
        states = [list(map(plain, own)) for own in self.categories_]
        names, labels = variables(self), feature_names(self)
        rows = [
            (
                labels[m],
                say(dict(zip([names[p] for p in parents], own, strict=False))),
                own[-1],
            )
            for m, parents in enumerate(self.parents_)
            for own in product(*(states[column] for column in (*parents, m)))
        ]
        return pd.DataFrame(
            np.exp(self._packed_logs).T,
            index=pd.MultiIndex.from_tuples(
                rows, names=["feature", "given", "state"]
            ),
            columns=pd.Index(self.classes_, name="class"),
        )

    def to_network(self) -> BayesianNetwork:
        """Return the model as a Bayesian network.

        Returns
        -------
        BayesianNetwork
            Its nodes are those of `structure_`: the class, and the columns.
            It answers questions about any of them, given any others.

        Raises
        ------
        ProbabilityError
            As in :meth:`to_tables`.

        Examples
        --------
        >>> from bayesbook.data import load_watermelon
        >>> from bayesbook.network import enumerate_posterior
        >>> from bayesbook.naive_bayes import TAN
        >>> melons = load_watermelon("2.0")[["root", "knock", "good"]]
        >>> model = TAN().fit(melons[["root", "knock"]], melons["good"])
        >>> network = model.to_network()
        >>> network
        BayesianNetwork 'TAN': 3 nodes, 3 edges, 17 free parameters
        P(class)
        P(root | class)
        P(knock | class, root)

        A column that was not observed is summed out:

        >>> enumerate_posterior(network, "class", {"root": "curly"})
        P(class | root=curly)
        class=no  class=yes
          0.4044     0.5956
        """
        return as_network(self)
