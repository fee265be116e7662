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
from sklearn.utils.validation import check_is_fitted, validate_data

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import coded, plain, require_size, unknown
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import as_int
from bayesbook.naive_bayes._base import NaiveBayes
from bayesbook.naive_bayes._reading import (
    column_name,
    read_numbers,
    require_entries,
)
from bayesbook.naive_bayes._smoothing import read_alpha, read_choice

# With larger codes the offsets of the states would overflow.
_LARGEST_CODE = 2**40


class CategoryReader(BaseEstimator):
    """A part of estimators that read columns with a few states.

    The estimator keeps the states of training in `counts_` (`States`). It has
    the parameter `min_categories`, and may have `missing` and `unseen`.
    """

    counts_: Any

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.positive_only = True
        # Not `_marginalises`: the tags must not fail on a wrong choice.
        choice = getattr(self, "missing", "error")
        tags.input_tags.allow_nan = choice == "marginalise"
        return tags

    def _marginalises(self, what):
        """Return whether missing or unseen values are left out."""
        choice = getattr(self, what, "error")
        return read_choice(choice, what) == "marginalise"

    def _read(self, X, *, anew):
        """Return whole numbers as an array, and anything else as a frame.

        Where training had labels, numbers are not read as codes.
        """
        marginalise = self._marginalises("missing")
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
        if self._marginalises("missing") or not column.isna().any():
            return
        remedy = "Drop such rows, or give missing values a name."
        if hasattr(self, "missing"):
            remedy = (
                "Drop such rows, give missing values a name, or use "
                f"{type(self).__name__}(missing='marginalise')."
            )
        raise ValueError(
            f"Input X contains NaN: row {np.argmax(column.isna())}, column "
            f"{column_name(self, m)!r}. {remedy}"
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
        # Each number is read once: there may be one for each column.
        numbers = {n: as_int(n, "min_categories", 1) for n in set(least)}
        return [numbers[n] for n in least]

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

    def _require_values(self):
        if 0 in self.counts_.n_states:
            name = column_name(self, self.counts_.n_states.index(0))
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
            if not self._marginalises("unseen"):
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
        if is_unseen.any() and not self._marginalises("unseen"):
            row = int(np.argmax(is_unseen))
            self._refuse_unseen(column.iloc[row], row, m)
        return codes

    def _refuse_unseen(self, state, row, m):
        what = f"The value in row {row} of column {column_name(self, m)!r}"
        if hasattr(self, "unseen"):
            remedy = (
                f"{type(self).__name__}(unseen='marginalise') leaves it out"
            )
        elif self.counts_.labels[m] is None:
            remedy = "min_categories gives a column more states"
        else:
            remedy = "a column of pandas' type 'category' names all its states"
        raise ProbabilityError(
            f"{unknown(plain(state), self.categories_[m].tolist(), what)} It "
            f"was not seen in training: {remedy}."
        )


class CategoricalClassifier(CategoryReader, NaiveBayes):
    """The base class of the classifiers for columns with a few states.

    A subclass keeps its counts in `counts_`, together with their states
    (`States`), and may have the parameters `missing` and `unseen`.

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

    def _read_settings(self):
        self._marginalises("unseen")  # Raises an error for a wrong choice.
        return super()._read_settings() | {
            "alpha": read_alpha(self.alpha),
        }

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
