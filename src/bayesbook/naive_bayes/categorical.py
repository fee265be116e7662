"""Naive Bayes for categories."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
import pandas as pd
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from bayesbook._labels import coded, plain, require_size, unknown
from bayesbook._names import listed
from bayesbook._numbers import whole
from bayesbook.counts import count_states, look_up, offsets
from bayesbook.errors import ProbabilityError
from bayesbook.naive_bayes._base import NaiveBayes, learned
from bayesbook.naive_bayes._estimates import (
    log_proportions,
    read_choice,
    read_smoothing,
)
from bayesbook.naive_bayes._reading import (
    column_name,
    read_numbers,
    require_entries,
)
from bayesbook.naive_bayes._states import StateCounts
from bayesbook.naive_bayes._tables import feature_names

# With larger ones the offsets of the states would be no numbers any more.
_LARGEST_CODE = 2**40


class CategoricalNB(NaiveBayes):
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
    smoothing : float, default 1
        The pseudo-count λ ≥ 0 of each state: the parameter of the Dirichlet
        prior.
    class_smoothing : float, default 1
        The pseudo-count of each class. scikit-learn's estimators have 0.
    class_prior : array_like of shape (K,) or "uniform", optional
        Class probabilities, in the order of `classes_`; by default they are
        learned.
    estimate : {"bayes", "map", "mle"}, default "bayes"
        What is predicted with. "bayes": the means of the posteriors, that is
        the predictive law, which averages over all parameters; "map": the
        modes of the posteriors; "mle": the maximum of the likelihood, which
        knows no smoothing.
    min_categories : int or sequence of M ints, optional
        The least number of states of a column of codes.
    missing : {"error", "marginalise"}, default "error"
        What to do about missing values: refuse them, or leave the feature out
        of the counts of its row and out of the product for its row. The
        latter is exact: a feature that is summed over all its states adds
        the factor 1.
    unseen : {"error", "marginalise"}, default "error"
        The same for a state, in a row whose class is asked for, that did not
        occur in training.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, n_features_in_, \
    feature_names_in_
        See :class:`NaiveBayes`.
    categories_ : list of M arrays
        The states of each column.
    n_categories_ : array of shape (M,)
        How many they are.
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
        smoothing=1.0,
        class_smoothing=1.0,
        class_prior=None,
        estimate="bayes",
        min_categories=None,
        missing="error",
        unseen="error",
    ):
        self.smoothing = smoothing
        self.class_smoothing = class_smoothing
        self.class_prior = class_prior
        self.estimate = estimate
        self.min_categories = min_categories
        self.missing = missing
        self.unseen = unseen

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.positive_only = True
        tags.input_tags.allow_nan = self.missing == "marginalise"
        return tags

    def _read_settings(self):
        read_choice(self.unseen, "unseen")
        return super()._read_settings() | {
            "smoothing": read_smoothing(self.smoothing),
        }

    def _read(self, X, *, anew):
        """Give whole numbers as an array, and anything else as a frame.

        Numbers are no codes if they are asked for among labels.
        """
        marginalise = read_choice(self.missing, "missing") == "marginalise"
        among_labels = not anew and self.counts_.have_labels
        if isinstance(X, pd.DataFrame):
            if among_labels or not _all_numeric(X):
                validate_data(self, X, reset=anew, skip_check_array=True)
                require_entries(self, X)
                return X
        elif not _is_numeric(X):
            # As objects, numbers beside texts stay numbers.
            X = np.asarray(X, dtype=object) if isinstance(X, list) else X
            X = validate_data(
                self, X, reset=anew, dtype=None, ensure_all_finite=False
            )
            frame = pd.DataFrame(X).infer_objects()
            if among_labels or not _all_numeric(frame):
                return frame
            X = frame.to_numpy()
        X = read_numbers(self, X, anew=anew, allow_nan=marginalise)
        return pd.DataFrame(X) if among_labels else self._whole(X)

    def _whole(self, X, first=0):
        """Read codes; -1 where a value is missing.

        The first column of X is the column `first` of the data.
        """
        if X.dtype.kind == "b":
            return X.view(np.int8)
        if X.dtype.kind == "f":
            is_missing = np.isnan(X)
            wrong = (np.floor(X) != X) & ~is_missing
            if wrong.any():
                row, column = np.argwhere(wrong)[0].tolist()
                # scikit-learn's convention, which its checks insist on.
                warnings.warn(
                    f"{X[row, column]:g} in row {row}, column "
                    f"{column_name(self, first + column)!r} is no code of a "
                    "category; only its whole part is used. GaussianNB is "
                    "for measurements; KBinsDiscretizer(encode='ordinal') "
                    "makes categories of them.",
                    DataConversionWarning,
                    stacklevel=5,
                )
            self._require_codes(X, first)
            X = np.where(is_missing, -1, X).astype(np.intp)
        else:
            self._require_codes(X, first)
        return X

    def _require_codes(self, X, first):
        if X.min() >= 0 and X.max() <= _LARGEST_CODE:
            return
        with np.errstate(invalid="ignore"):
            wrong = (X < 0) | (X > _LARGEST_CODE)
        if wrong.any():
            row, column = np.argwhere(wrong)[0].tolist()
            value = X[row, column]
            how = (
                "Negative values" if value < 0 else "Codes that are too large"
            )
            raise ValueError(
                f"{how} in data passed to {type(self).__name__}: {value:g} "
                f"in row {row}, column {column_name(self, first + column)!r}. "
                "Codes of categories are 0, 1, 2, ...; give other labels as "
                "texts, or a data frame with columns of the type 'category'."
            )

    def _count(self, X, codes, n_classes, weights):
        rows, n_states, labels = self._read_states(X)
        self._require_size(n_states, n_classes)
        table = count_states(rows, codes, n_states, n_classes, weights)
        return StateCounts(n_states, labels, table)

    def _require_size(self, n_states, n_classes):
        most = max(n_states)
        name = column_name(self, n_states.index(most))
        require_size(
            (n_classes, sum(n_states)),
            "float",
            f"The table of counts, with {most:,} states of column {name!r},",
            remedy="Leave such a column out, or put its values into bins.",
        )

    def _read_states(self, X):
        """Give codes of training rows, and the states of each column."""
        rows, labels = self._coded(X)
        largest = rows.max(axis=0).tolist()
        n_states = tuple(
            max(at_least, most + 1) if own is None else len(own)
            for at_least, most, own in zip(
                self._least_states(), largest, labels, strict=True
            )
        )
        return rows, n_states, labels

    def _coded(self, X):
        """Give the codes of training rows, and the labels of each column."""
        if isinstance(X, np.ndarray):
            return X, (None,) * X.shape[1]
        columns = [
            self._code_column(column, m)
            for m, (_, column) in enumerate(X.items())
        ]
        codes, labels = zip(*columns, strict=True)
        return np.column_stack(codes), labels

    def _code_column(self, column, m):
        self._refuse_missing(column, m)
        column = _without_objects(column)
        # A column without any value may be of the type float for this alone.
        if pd.api.types.is_numeric_dtype(column) and column.notna().any():
            numbers = column.to_numpy(dtype=float, na_value=np.nan)
            return self._whole(numbers[:, None], first=m)[:, 0], None
        codes, labels = coded(column)
        return codes, pd.Index(labels, tupleize_cols=False)

    def _refuse_missing(self, column, m):
        if self.missing == "marginalise" or not column.isna().any():
            return
        raise ValueError(
            f"Input X contains NaN: row {np.argmax(column.isna())}, column "
            f"{column_name(self, m)!r}. Drop such rows, give missing values a "
            f"name, or use {type(self).__name__}(missing='marginalise')."
        )

    def _least_states(self):
        if self.min_categories is None:
            return [0] * self.n_features_in_
        least = self.min_categories
        if np.ndim(least) == 1 and len(least) != self.n_features_in_:
            raise ProbabilityError(
                f"min_categories has {len(least)} numbers for "
                f"{self.n_features_in_} columns."
            )
        least = np.broadcast_to(least, self.n_features_in_).tolist()
        # Each number is read once: there may be as many as columns.
        numbers = {own: whole(own, "min_categories", 1) for own in set(least)}
        return [numbers[own] for own in least]

    def _merge(self, counts, *, anew):
        if not anew:
            self._require_one_kind(counts)
            counts = self.counts_ + counts
        self.counts_ = counts

    def _require_one_kind(self, counts):
        m = self.counts_.clash(counts)
        if m is not None:
            both = self.counts_.labels[m], counts.labels[m]
            labels = next(own for own in both if own is not None)
            raise ProbabilityError(
                f"Column {column_name(self, m)!r} has codes (0, 1, 2, ...) in "
                "some of the rows and labels "
                f"({listed(list(map(plain, labels)))}) in others: give it one "
                "type."
            )

    @property
    def categories_(self):  # noqa: D102 - documented with the class
        check_is_fitted(self)
        return [
            np.arange(own) if labels is None else labels.to_numpy()
            for own, labels in zip(
                self.counts_.n_states, self.counts_.labels, strict=True
            )
        ]

    @property
    def n_categories_(self):  # noqa: D102 - documented with the class
        check_is_fitted(self)
        return np.array(self.counts_.n_states)

    @property
    def category_count_(self):  # noqa: D102 - documented with the class
        check_is_fitted(self)
        return self._by_column(self.counts_.table)

    @property
    def feature_log_prob_(self):  # noqa: D102 - documented with the class
        return self._by_column(self._table)

    def _by_column(self, table):
        return np.split(table, offsets(self.counts_.n_states)[1:-1], axis=1)

    def _require_values(self):
        if 0 in self.counts_.n_states:
            name = column_name(self, self.counts_.n_states.index(0))
            raise ProbabilityError(
                f"Column {name!r} had no value in any row of the training: "
                "leave it out."
            )

    @learned
    def _table(self):
        """Give the logarithms for the states of all columns, side by side."""
        self._require_values()
        n_states, table = self.counts_.n_states, self.counts_.table
        totals = np.add.reduceat(table, offsets(n_states)[:-1], axis=1)
        return log_proportions(
            table,
            np.repeat(totals, n_states, axis=1),
            np.repeat(n_states, n_states),
            self._settings["smoothing"],
            self._settings["estimate"],
        )

    def _log_likelihood(self, X):
        return look_up(
            self._known_codes(X), self._table, self.counts_.n_states
        )

    def _known_codes(self, X):
        """Give codes among the states of training; -1 is marginalised."""
        n_states = self.counts_.n_states
        if isinstance(X, np.ndarray):
            if (X.max(axis=0) < n_states).all():
                return X
            is_unseen = n_states <= X
            if self.unseen == "error":
                row, m = np.argwhere(is_unseen)[0].tolist()
                self._refuse_unseen(X[row, m], row, m)
            # A type without a sign has no -1.
            return np.where(is_unseen, -1, X.astype(np.intp))
        columns = [
            self._known_column(column, m)
            for m, (_, column) in enumerate(X.items())
        ]
        return np.column_stack(columns)

    def _known_column(self, column, m):
        self._refuse_missing(column, m)
        column = _without_objects(column)
        labels = self.counts_.labels[m]
        if labels is None:
            # A text is no code, even if it looks like one.
            is_number = column.map(
                lambda value: isinstance(value, Real | np.bool_)
            )
            numbers = pd.to_numeric(column.where(is_number)).to_numpy(float)
            codes = self._whole(numbers[:, None], first=m)[:, 0]
            codes[codes >= self.counts_.n_states[m]] = -1
        else:
            codes = labels.get_indexer(pd.Index(column, tupleize_cols=False))
        is_unseen = (codes < 0) & column.notna().to_numpy()
        if is_unseen.any() and self.unseen == "error":
            row = int(np.argmax(is_unseen))
            self._refuse_unseen(column.iloc[row], row, m)
        return codes

    def _refuse_unseen(self, state, row, m):
        what = f"The value in row {row} of column {column_name(self, m)!r}"
        raise ProbabilityError(
            f"{unknown(plain(state), self.categories_[m].tolist(), what)} It "
            f"was not seen in training: {type(self).__name__}(unseen="
            "'marginalise') leaves it out."
        )

    def _lack_law(self):
        best = [logs.max(axis=1) for logs in self.feature_log_prob_]
        return np.isneginf(best).any(axis=0)

    def _sample_rows(self, codes, rng):
        names = feature_names(self)
        columns = {}
        for name, states, logs in zip(
            names, self.categories_, self.feature_log_prob_, strict=True
        ):
            cumulative = np.exp(logs).cumsum(axis=1)[codes]
            # Less than the last sum, which may miss one by a rounding.
            draws = rng.random(len(codes)) * cumulative[:, -1]
            columns[name] = states[(draws[:, None] >= cumulative).sum(axis=1)]
        return pd.DataFrame(columns)

    def to_frame(self) -> pd.DataFrame:
        """Give the look-up table: P(x_m = s | c).

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


def _without_objects(column):
    """Read truth values beside gaps as what they are without gaps."""
    if pd.api.types.infer_dtype(column) == "boolean":
        return column.astype("boolean")
    return column


def _all_numeric(frame):
    return all(map(pd.api.types.is_numeric_dtype, frame.dtypes))


def _is_numeric(X):
    return isinstance(X, np.ndarray) and X.dtype.kind in "biuf"
