"""Naive Bayes for columns of several kinds."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Tags
from sklearn.utils._indexing import _get_column_indices
from sklearn.utils.metaestimators import _BaseComposition, available_if
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.classes import log_class_prior
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.data.kinds import is_dask
from bayesbook.naive_bayes._base import NaiveBayes
from bayesbook.naive_bayes._log_tables import feature_names
from bayesbook.naive_bayes._reading import (
    column_names,
    is_checked,
    require_entries,
    validated,
)
from bayesbook.naive_bayes.categorical import CategoricalNB
from bayesbook.naive_bayes.gaussian import GaussianNB
from bayesbook.naive_bayes.out_of_core import by_parts, join_models


def _parts_can_add(model):
    """Return whether all parts can learn from rows in batches."""
    for _, part in model._named_parts:
        # Training raises a better error for what is not a classifier.
        if isinstance(part, NaiveBayes):
            part.partial_fit  # noqa: B018 - its error says why it is missing
    return True


class MixedNB(NaiveBayes, _BaseComposition):
    r"""Naive Bayes with a distribution of its own kind for every column.

    Given the class, the columns are independent: the logarithms of their
    probabilities or densities add up, whatever the distributions are.

    Parameters
    ----------
    parts : "auto" or list of (name, classifier, columns), default "auto"
        The naive Bayes classifiers of this package that the columns belong
        to, as in scikit-learn's ColumnTransformer; columns are names or
        numbers, each in one part. "auto": columns of floats are Gaussian, the
        others categorical. The class priors of the parts are not used.
    class_alpha : float, default 1
        The pseudo-count of each class.
    class_prior : array_like of shape (K,) or "uniform", optional
        Class probabilities, in the order of `classes_`; by default they are
        learned.
    estimate : {"bayes", "map", "mle"}, default "bayes"
        How the class probabilities are learned, as in :class:`CategoricalNB`;
        the parts have their own.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, n_features_in_
        See :class:`NaiveBayes`.
    feature_names_in_
        See :class:`NaiveBayes`.
    parts_ : list of (name, classifier, columns)
        The trained classifiers, with the numbers of their columns.

    Examples
    --------
    >>> X = pd.DataFrame({"sky": ["grey", "grey", "blue", "blue"],
    ...                   "warmth": [12.0, 16.0, 20.0, 26.0]})
    >>> model = MixedNB().fit(X, ["rain", "rain", "dry", "dry"])
    >>> model.predict(X).tolist()
    ['rain', 'rain', 'dry', 'dry']
    >>> [(name, type(part).__name__) for name, part, _ in model.parts_]
    [('categorical', 'CategoricalNB'), ('gaussian', 'GaussianNB')]
    """

    def __init__(
        self,
        parts: str | list[tuple[str, NaiveBayes, Any]] = "auto",
        *,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
        estimate: str = "bayes",
    ):
        self.parts = parts
        self.class_alpha = class_alpha
        self.class_prior = class_prior
        self.estimate = estimate

    # For scikit-learn's parameters of parts: model.set_params(name__ddof=1)
    @property
    def _named_parts(self):
        try:
            return [(name, part) for name, part, _ in self.parts]
        except (TypeError, ValueError):
            # "auto", or a list that the training will refuse.
            return []

    @_named_parts.setter
    def _named_parts(self, pairs):
        self.parts = [
            (name, part, columns)
            for (name, part), (_, _, columns) in zip(
                pairs, self.parts, strict=True
            )
        ]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, also those of the parts.

        Parameters
        ----------
        deep : bool
            Whether to return those of the parts, too.

        Returns
        -------
        dict
            Those of the parts are called ``name__parameter``.
        """
        return self._get_params("_named_parts", deep=deep)

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also those of the parts.

        Parameters
        ----------
        **params
            Those of the parts are called ``name__parameter``.

        Returns
        -------
        MixedNB
            The same object.
        """
        return self._set_params("_named_parts", **params)

    # The same method, but only where all parts have it.
    partial_fit = available_if(_parts_can_add)(NaiveBayes.partial_fit)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        parts = [part for _, part in self._named_parts]
        tags.input_tags.allow_nan = bool(parts) and all(
            getattr(part, "missing", "error") == "marginalise"
            for part in parts
        )
        return tags

    def _train(self, X, y, classes, sample_weight, *, anew):
        if is_dask(X):
            return super()._train(X, y, classes, sample_weight, anew=anew)
        settings = self._read_settings()
        X = self._read(X, anew=anew)
        parts = self._new_parts(X) if anew else self.parts_
        # Copies, so that no part learns anything if another fails.
        parts = [(name, copy(part), columns) for name, part, columns in parts]
        names = column_names(self)
        for _, part, columns in parts:
            part._is_part = self._is_part
            part._names_in_whole = [names[column] for column in columns]
            own = _columns(X, columns)
            part._train(own, y, classes, sample_weight, anew=anew)
        first = parts[0][1]
        settings["log_prior"] = (
            None
            if self._is_part
            else log_class_prior(settings["class_prior"], first.classes_)
        )
        self.classes_, self.class_count_ = first.classes_, first.class_count_
        self.parts_ = parts
        self._settings = settings
        self._known = {}
        return self

    def _doubts(self):
        for _, part, _ in self.parts_:
            yield from part._doubts()

    def _learn_parts(self, parts, classes):
        for name, part in self._named_parts:
            if isinstance(part, NaiveBayes) and part._n_passes > 1:
                raise ProbabilityError(
                    f"Part {name!r} chooses its structure by looking at all "
                    "rows, and more than once: give it a structure, or train "
                    "it alone."
                )
        return super()._learn_parts(parts, classes)

    def _join(self, other):
        self._require_same_columns(other)
        known = [(name, columns) for name, _, columns in self.parts_]
        if known != [(name, columns) for name, _, columns in other.parts_]:
            raise ProbabilityError(
                "The columns have other types here than in the parts before, "
                "and are in other parts of the model: give `parts`, or each "
                "column one type."
            )
        self.parts_ = [
            (name, join_models([part, new]), columns)
            for (name, part, columns), (_, new, _) in zip(
                self.parts_, other.parts_, strict=True
            )
        ]
        first = self.parts_[0][1]
        self.classes_, self.class_count_ = first.classes_, first.class_count_
        self._known = {}

    def _read(self, X, *, anew):
        """Return numbers as an array, and columns of any types as a frame."""
        if isinstance(X, pd.DataFrame):
            validated(self, X, anew=anew, skip_check_array=True)
            require_entries(self, X)
            return X
        if isinstance(X, list):
            # As objects, numbers beside texts stay numbers.
            X = np.asarray(X, dtype=object)
        if not is_checked(self, X, anew=anew):
            X = validated(
                self, X, anew=anew, dtype=None, ensure_all_finite=False
            )
        is_numeric = X.dtype.kind in "biuf"
        return X if is_numeric else pd.DataFrame(X).infer_objects()

    def _new_parts(self, X):
        if isinstance(self.parts, str) and self.parts == "auto":
            return self._parts_by_type(X)
        if not self._named_parts:
            raise ProbabilityError(
                f"parts={self.parts!r}: give 'auto', or a list of (name, "
                "classifier, columns)."
                f"{did_you_mean(self.parts, ['auto'])}"
            )
        self._validate_names([name for name, _, _ in self.parts])
        names = _names(X)
        parts, owner = [], {}
        for name, part, columns in self.parts:
            if not isinstance(part, NaiveBayes):
                raise TypeError(
                    f"Part {name!r} is {part!r}, which is not a naive Bayes "
                    "classifier of this package."
                )
            places = _places(X, names, columns, name)
            for place in places:
                if place in owner:
                    raise ProbabilityError(
                        f"Column {names[place]!r} belongs to the parts "
                        f"{owner[place]!r} and {name!r}: each column belongs "
                        "to one."
                    )
                owner[place] = name
            if places:  # A selector may have found none.
                parts.append((name, clone(part), places))
        without = [name for m, name in enumerate(names) if m not in owner]
        if without:
            raise ProbabilityError(
                f"No part has the columns {quoted_list(without)}: give them "
                "to one, or leave them out of X."
            )
        return parts

    def _parts_by_type(self, X):
        is_frame = isinstance(X, pd.DataFrame)
        types = X.dtypes if is_frame else [X.dtype] * X.shape[1]
        is_float = np.array(list(map(pd.api.types.is_float_dtype, types)))
        parts = [
            ("categorical", CategoricalNB(), np.flatnonzero(~is_float)),
            ("gaussian", GaussianNB(), np.flatnonzero(is_float)),
        ]
        return [
            (name, part, columns.tolist())
            for name, part, columns in parts
            if len(columns)
        ]

    @by_parts
    def class_log_likelihood(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return log p(x | c), the sum over the parts.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, K)
            Columns in the order of `classes_`.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        check_is_fitted(self)
        rows = self._read(X, anew=False)
        return sum(
            part.class_log_likelihood(_columns(rows, columns))
            for _, part, columns in self.parts_
        )

    def _lack_distribution(self):
        return np.any(
            [part._lack_distribution() for _, part, _ in self.parts_], axis=0
        )

    def _sample_rows(self, codes, rng):
        columns = {}
        for _, part, places in self.parts_:
            own = pd.DataFrame(part._sample_rows(codes, rng))
            for place, (_, column) in zip(places, own.items(), strict=True):
                columns[place] = column
        frame = pd.DataFrame({m: columns[m] for m in sorted(columns)})
        frame.columns = feature_names(self)
        return frame

    def to_frame(self) -> dict[str, pd.DataFrame]:
        """Return the look-up tables of the parts.

        Returns
        -------
        dict from names of parts to DataFrames

        Raises
        ------
        ProbabilityError
            If a part is an average over models, :class:`AODE`.

        Examples
        --------
        >>> X = pd.DataFrame({"sky": ["grey", "grey", "blue", "blue"],
        ...                   "warmth": [12.0, 16.0, 20.0, 26.0]})
        >>> model = MixedNB().fit(X, ["rain", "rain", "dry", "dry"])
        >>> model.to_frame()["categorical"]
        class           dry  rain
        feature state
        sky     blue   0.75  0.25
                grey   0.25  0.75
        """
        check_is_fitted(self)
        for name, part, _ in self.parts_:
            if not hasattr(part, "to_frame"):
                raise ProbabilityError(
                    f"Part {name!r} is an average over models, so that it has "
                    f"no look-up table: call `to_frame` of the other parts in "
                    "`parts_`, or use a SPODE instead of the average."
                )
        return {name: part.to_frame() for name, part, _ in self.parts_}


def _names(X):
    return list(
        X.columns if isinstance(X, pd.DataFrame) else range(X.shape[1])
    )


def _columns(X, places):
    return X.iloc[:, places] if isinstance(X, pd.DataFrame) else X[:, places]


def _places(X, names, columns, part):
    """Return the numbers of columns, given as in ColumnTransformer."""
    if callable(columns):
        columns = columns(X)
    for column in columns if isinstance(columns, list) else [columns]:
        if isinstance(column, str) and column not in names:
            raise ProbabilityError(
                f"{column!r} in part {part!r} is not a column of X; the "
                f"columns are {quoted_list(names)}."
                f"{did_you_mean(column, names)}"
            )
    try:
        return list(map(int, _get_column_indices(X, columns)))
    except (ValueError, LookupError, TypeError) as error:
        raise ProbabilityError(
            f"{columns!r} in part {part!r} are not columns of X: {error}."
        ) from None
