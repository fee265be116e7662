"""Reading columns with a few states, given as codes or as labels."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import coded, plain, require_size, unknown
from bayesbook.base.names import quoted_list
from bayesbook.naive_bayes._base import NaiveBayes
from bayesbook.naive_bayes._reading import (
    column_name,
    read_numbers,
    require_entries,
    validated,
)

# With larger codes the offsets of the states would overflow.
_LARGEST_CODE = 2**40
# A column with more states than that, and fewer rows for each of them on
# average, looks like a measurement.
_MANY_STATES = 20
_FEW_ROWS = 10


class CategoryReader(BaseEstimator):
    """A part of estimators that read columns with a few states.

    The estimator keeps the states of training in `counts_` (`States`). It has
    the parameters `min_categories`, `missing` and `unseen`.
    """

    counts_: Any

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.positive_only = True
        tags.input_tags.allow_nan = self.missing == "marginalise"
        return tags

    def _read(self, X, *, anew):
        """Return whole numbers as an array, and anything else as a frame.

        Where training had labels, numbers are not read as codes.
        """
        marginalise = self.missing == "marginalise"
        among_labels = not anew and self.counts_.have_labels
        if isinstance(X, pd.DataFrame):
            if among_labels or not _all_numeric(X):
                validated(self, X, anew=anew, skip_check_array=True)
                require_entries(self, X)
                return X
        elif not _is_numeric(X):
            # As objects, numbers beside texts stay numbers.
            X = np.asarray(X, dtype=object) if isinstance(X, list) else X
            X = validated(
                self, X, anew=anew, dtype=None, ensure_all_finite=False
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
                    f"{column_name(self, first + column)!r} is not the code "
                    "of a category; only its whole part is used. GaussianNB "
                    "is for measurements; EntropyDiscretizer and "
                    "KBinsDiscretizer(encode='ordinal') make categories of "
                    "them.",
                    DataConversionWarning,
                    stacklevel=5,
                )
            self._require_codes(X, first)
            X = np.where(is_missing, -1, X).astype(np.intp)
        else:
            self._require_codes(X, first)
            if X.dtype == np.uint64:
                # Together with signed numbers they would become floats.
                X = X.astype(np.intp)
        return X

    def _require_codes(self, X, first):
        # As Python's numbers: a small type cannot hold the bound.
        if X.min() >= 0 and X.max().item() <= _LARGEST_CODE:
            return
        with np.errstate(over="ignore", invalid="ignore"):
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

    def _read_states(self, X):
        """Return codes of training rows, and the states of each column."""
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
        """Return the codes of training rows, and the labels of each column."""
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
        # A column without any value has the type float, whatever it holds.
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
        return np.broadcast_to(least, self.n_features_in_).astype(int).tolist()

    def _require_size(self, shape, n_states, what, remedy="Leave"):
        """Raise an error for too large a table; name the likely culprit."""
        most = max(n_states)
        name = column_name(self, n_states.index(most))
        require_size(
            shape,
            "float",
            f"{what}, with {most:,} states of column {name!r},",
            remedy=f"{remedy} such a column out, or put its values into bins.",
        )

    def _doubtful_codes(self, n, has_zero):
        """Yield what may be wrong with columns that were read as codes.

        There are n rows, and `has_zero` says which columns have the code 0.
        """
        read_as_codes = [
            m
            for m, least in enumerate(self._least_states())
            if self.counts_.labels[m] is None
            and least < self.counts_.n_states[m]
        ]
        n_states = {m: self.counts_.n_states[m] for m in read_as_codes}
        measured = [
            m
            for m, S in n_states.items()
            if S > _MANY_STATES and n < _FEW_ROWS * S
        ]
        for m in measured:
            yield (
                f"The whole numbers of column {column_name(self, m)!r} were "
                f"read as codes of {n_states[m]:,} states, with "
                f"{n / n_states[m]:.1g} rows for each on average. If it is a "
                "measurement, make it a column of floats, for GaussianNB or "
                "MixedNB, or put it into bins with EntropyDiscretizer; if it "
                f"really has {n_states[m]:,} states, say "
                f"min_categories={n_states[m]}."
            )
        for m, S in n_states.items():
            # A column of ones is usually one of 0 and 1.
            if S > 2 and m not in measured and not has_zero[m]:
                yield (
                    f"The whole numbers of column {column_name(self, m)!r} "
                    f"were read as the codes 0 to {S - 1}, and none is 0: it "
                    "is a state that no row has, and smoothing counts it. If "
                    "the numbers are names of states, give texts, or a data "
                    "frame in which the column has the type 'category'; if 0 "
                    f"is a state, say min_categories={S}."
                )

    @property
    def categories_(self) -> list[np.ndarray]:
        check_is_fitted(self)
        return [
            np.arange(own) if labels is None else labels.to_numpy()
            for own, labels in zip(
                self.counts_.n_states, self.counts_.labels, strict=True
            )
        ]

    @property
    def n_categories_(self) -> np.ndarray:
        check_is_fitted(self)
        return np.array(self.counts_.n_states)

    def _require_values(self, n_states):
        if 0 in n_states:
            name = column_name(self, n_states.index(0))
            raise ProbabilityError(
                f"Column {name!r} had no value in any row of the training: "
                "leave it out."
            )

    def _known_codes(self, X):
        """Return codes among the states of training; -1 for others."""
        n_states = self.counts_.n_states
        if isinstance(X, np.ndarray):
            if (X.max(axis=0) < n_states).all():
                return X
            is_unseen = n_states <= X
            if self.unseen == "error":
                row, m = np.argwhere(is_unseen)[0].tolist()
                self._refuse_unseen(X[row, m], row, m)
            # An unsigned type has no -1.
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
            # A text is not a code, even if it consists of digits.
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
        model = f"{type(self).__name__}(unseen='marginalise')"
        if hasattr(self, "_names_in_whole"):
            model = f"a part {model} of MixedNB"
        if self.counts_.labels[m] is None and isinstance(state, Real):
            S = self.counts_.n_states[m]
            raise ProbabilityError(
                f"{what} is {plain(state)}. Training read the whole numbers "
                f"of the column as codes of states, 0 to {S - 1}: {model} "
                "leaves others out, and min_categories gives the column more "
                "states. If it is a measurement, make it a column of floats, "
                "for GaussianNB or MixedNB."
            )
        raise ProbabilityError(
            f"{unknown(plain(state), self.categories_[m].tolist(), what)} It "
            f"was not seen in training: {model} leaves it out."
        )


class CategoricalClassifier(CategoryReader, NaiveBayes):
    """The base class of the classifiers for columns with a few states.

    A subclass keeps its counts in `counts_`, together with their states
    (`States`), and has the parameters `missing` and `unseen`.

    Attributes
    ----------
    categories_ : list of M arrays
        The states of each column.
    n_categories_ : array of shape (M,)
        Their number.

    Examples
    --------
    >>> from bayesbook.naive_bayes import CategoricalNB
    >>> X = [["grey", 0], ["blue", 1]]
    >>> model = CategoricalNB().fit(X, ["rain", "dry"])
    >>> isinstance(model, CategoricalClassifier)
    True
    >>> [states.tolist() for states in model.categories_], model.n_categories_
    ([['blue', 'grey'], [0, 1]], array([2, 2]))
    """

    def _doubts(self):
        n = self.class_count_.sum()
        return self._doubtful_codes(n, self.counts_.has_zero())

    def _merge(self, counts, *, anew):
        if not anew:
            self._require_one_kind(counts)
            counts = self.counts_ + counts
        self.counts_ = counts

    def _statistics(self):
        return self.counts_

    def _require_one_kind(self, counts):
        m = self.counts_.clash(counts)
        if m is not None:
            both = self.counts_.labels[m], counts.labels[m]
            labels = next(own for own in both if own is not None)
            raise ProbabilityError(
                f"Column {column_name(self, m)!r} has codes (0, 1, 2, ...) in "
                "some of the rows and labels "
                f"({quoted_list(list(map(plain, labels)))}) in others: give "
                "it one type."
            )


def _without_objects(column):
    """Return truth values as such, also beside missing values."""
    if pd.api.types.infer_dtype(column) == "boolean":
        return column.astype("boolean")
    return column


def _all_numeric(frame):
    return all(map(pd.api.types.is_numeric_dtype, frame.dtypes))


def _is_numeric(X):
    return isinstance(X, np.ndarray) and X.dtype.kind in "biuf"
