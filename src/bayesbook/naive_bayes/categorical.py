"""Naive Bayes for categories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import plain
from bayesbook.data import count_states, offsets, sum_entries
from bayesbook.naive_bayes._base import learned
from bayesbook.naive_bayes._categories import CategoricalClassifier
from bayesbook.naive_bayes._log_tables import (
    as_network,
    as_table,
    class_variable,
    draw_states,
    feature_names,
    variables,
)
from bayesbook.naive_bayes._smoothing import log_proportions
from bayesbook.naive_bayes._state_counts import StateCounts, column_totals
from bayesbook.probability import Table

if TYPE_CHECKING:
    from bayesbook.network import BayesianNetwork


class CategoricalNB(CategoricalClassifier):
    r"""Naive Bayes for features with a few states.

    .. math:: \log p(x \mid c) = \sum_m \log p_{c m x_m}

    with :math:`p_{cms} = (N_{cms} + \lambda) / (N_{cm} + S_m \lambda)`, where
    :math:`N_{cm}` counts the rows of class c (in which feature m is known),
    :math:`N_{cms}` those among them in which it is in state s, and
    :math:`S_m` its states.

    A column of numbers or truth values holds codes: its states are 0, 1, ...
    up to the largest that was seen, as in scikit-learn; of numbers that are
    not whole only the whole part is used, with a warning. A column of
    anything else, such as texts, has its own values as states, sorted; a
    column of pandas' type "category" has the categories of that type.

    Parameters
    ----------
    alpha : float, default 1
        The pseudo-count λ ≥ 0 of each state: the parameter of the Dirichlet
        prior.
    class_alpha : float, default 1
        The pseudo-count of each class. scikit-learn's estimators have 0.
    class_prior : array_like of shape (K,) or "uniform", optional
        Class probabilities, in the order of `classes_`; by default they are
        learned.
    estimate : {"bayes", "map", "mle"}, default "bayes"
        What is predicted with. "bayes": the means of the posteriors, that is
        the predictive distribution, which averages over all parameters; "map":
        the modes of the posteriors; "mle": the maximum of the likelihood,
        without any smoothing, of the classes either.
    min_categories : int or sequence of M ints, optional
        The least number of states of a column of codes.
    missing : {"error", "marginalise"}, default "error"
        What to do about missing values: refuse them, or leave the feature out
        of the counts of its row and out of the product for its row. The
        latter is exact: a feature that is summed over all its states adds
        the factor 1.
    unseen : {"error", "marginalise"}, default "error"
        The same for a state of a row to be classified that did not occur in
        training.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, n_features_in_
        See :class:`NaiveBayes`.
    feature_names_in_
        See :class:`NaiveBayes`.
    categories_ : list of M arrays
        The states of each column.
    n_categories_ : array of shape (M,)
        Their number.
    category_count_ : list of M arrays of shape (K, S_m)
        The rows of each class with each state.
    feature_log_prob_ : list of M arrays of shape (K, S_m)
        log P(x_m = s | c)

    References
    ----------
    Zhou (2021), *Machine Learning*, section 7.3.

    Examples
    --------
    >>> X = pd.DataFrame({"sky": ["grey", "grey", "blue", "blue"],
    ...                   "wind": ["west", "east", "east", "east"]})
    >>> model = CategoricalNB().fit(X, ["rain", "rain", "dry", "dry"])
    >>> model.predict_proba(X[:1]).round(3)
    array([[0.143, 0.857]])
    >>> model.to_frame()
    class           dry  rain
    feature state
    sky     blue   0.75  0.25
            grey   0.25  0.75
    wind    east   0.75  0.50
            west   0.25  0.50
    """

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        estimate: str = "bayes",
        min_categories: int | ArrayLike | None = None,
        missing: str = "error",
        unseen: str = "error",
    ):
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate
        self.min_categories = min_categories
        self.missing = missing
        self.unseen = unseen

    def _count(self, X, codes, n_classes, weights):
        rows, n_states, labels = self._read_states(X)
        shape = (n_classes, sum(n_states))
        self._require_size(shape, n_states, "The table of counts")
        table = count_states(rows, codes, n_states, n_classes, weights)
        return StateCounts(n_states, labels, table)

    @property
    def category_count_(self) -> list[np.ndarray]:  # noqa: D102 - see the class
        check_is_fitted(self)
        return self._by_column(self.counts_.table)

    @property
    def feature_log_prob_(self) -> list[np.ndarray]:  # noqa: D102 - see the class
        return self._by_column(self._table)

    def _by_column(self, table):
        return np.split(table, offsets(self.counts_.n_states)[1:-1], axis=1)

    @learned
    def _table(self):
        """The logarithms of all columns' states, side by side."""
        n_states, table = self.counts_.n_states, self.counts_.table
        self._require_values(n_states)
        return log_proportions(
            table,
            column_totals(table, n_states),
            np.repeat(n_states, n_states),
            self._settings["alpha"],
            self._settings["estimate"],
        )

    def _class_log_likelihood(self, X):
        return sum_entries(
            self._known_codes(X), self._table, self.counts_.n_states
        )

    def _lack_distribution(self):
        best = [logs.max(axis=1) for logs in self.feature_log_prob_]
        return np.isneginf(best).any(axis=0)

    def _sample_rows(self, codes, rng):
        names = feature_names(self)
        columns = {}
        for name, states, logs in zip(
            names, self.categories_, self.feature_log_prob_, strict=True
        ):
            columns[name] = states[draw_states(logs[codes], rng)]
        return pd.DataFrame(columns)

    def to_frame(self) -> pd.DataFrame:
        """Return the look-up table: P(x_m = s | c).

        Returns
        -------
        DataFrame of shape (S, K)
            A row for each feature and state, a column for each class.
        """
        rows = [
            (name, plain(state))
            for name, states in zip(
                feature_names(self), self.categories_, strict=True
            )
            for state in states
        ]
        return pd.DataFrame(
            np.exp(self._table).T,
            index=pd.MultiIndex.from_tuples(rows, names=["feature", "state"]),
            columns=pd.Index(self.classes_, name="class"),
        )

    def to_tables(self) -> list[Table]:
        """Return the tables whose product is the joint distribution.

        Returns
        -------
        list of Table
            P(class), then P(column | class) for each column.

        Raises
        ------
        ProbabilityError
            If nothing is known of a column given a class, because training
            has no such row and `alpha` is 0.

        Examples
        --------
        >>> X = pd.DataFrame({"sky": ["grey", "blue", "blue"]})
        >>> model = CategoricalNB().fit(X, ["rain", "dry", "dry"])
        >>> model.to_tables()[1]
        P(sky | class)
        class  sky=blue  sky=grey
        dry      0.7500    0.2500
        rain     0.3333    0.6667
        """
        check_is_fitted(self)
        root = class_variable(self)
        tables = [as_table(self, self.class_log_prior_, [], root)]
        for name, logs in zip(
            variables(self), self.feature_log_prob_, strict=True
        ):
            unknown = np.isneginf(logs).all(axis=1)
            if unknown.any():
                label = plain(self.classes_[int(np.argmax(unknown))])
                raise ProbabilityError(
                    f"Nothing is known of {name} given {root}={label}, which "
                    "training did not see: take alpha > 0."
                )
            tables.append(as_table(self, logs, [root], name))
        return tables

    def to_network(self) -> BayesianNetwork:
        """Return the model as a Bayesian network: a star.

        Returns
        -------
        BayesianNetwork
            Its nodes are the class and the columns, which have the class as
            their only parent.

        Raises
        ------
        ProbabilityError
            As in :meth:`to_tables`.

        Examples
        --------
        >>> X = pd.DataFrame({"sky": ["grey", "grey", "blue", "blue"],
        ...                   "wind": ["west", "east", "east", "east"]})
        >>> model = CategoricalNB().fit(X, ["rain", "rain", "dry", "dry"])
        >>> model.to_network()
        BayesianNetwork 'CategoricalNB': 3 nodes, 2 edges, 5 free parameters
        P(class)
        P(sky | class)
        P(wind | class)
        """
        return as_network(self)
