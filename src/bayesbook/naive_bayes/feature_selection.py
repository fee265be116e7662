"""The columns that tell most about the class, kept in a pipeline."""

from __future__ import annotations

import warnings
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from bayesbook.data import mutual_information
from bayesbook.naive_bayes._parameters import (
    either,
    read_parameters,
    whole,
)
from bayesbook.naive_bayes._reading import validated

__all__ = ["MutualInformationSelector"]


class MutualInformationSelector(SelectorMixin, BaseEstimator):
    """Keep the k columns that tell most about the class.

    It selects the columns that ``SelectKBest(mutual_information, k=k)`` does,
    and reads labels and data frames, too.

    Parameters
    ----------
    k : int or "all"
        How many columns to keep. If there are fewer, all are kept, with a
        warning. Of columns with the same information, the last are kept.
    unit : {"nats", "bits"}
        Unit of `scores_`; the selection does not depend on it.
    alpha : float
        The pseudo-count of each pair of a class and a state.

    Attributes
    ----------
    scores_ : array of shape (M,)
        The mutual information of each column with the class.
    n_features_in_ : int
    feature_names_in_ : array of shape (M,)
        Only if the columns had names, all of them texts.

    See Also
    --------
    mutual_information : what is computed, and of which columns.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"color": ["red", "red", "blue", "blue"],
    ...                   "side": ["left", "right", "left", "left"]})
    >>> selector = MutualInformationSelector(k=1, unit="bits")
    >>> selector = selector.fit(X, ["stop", "stop", "go", "go"])
    >>> selector.get_feature_names_out().tolist()
    ['color']
    >>> selector.scores_.round(4).tolist()
    [1.0, 0.3113]
    """

    def __init__(
        self,
        k: int | str = 10,
        *,
        unit: str = "nats",
        alpha: float = 0.0,
    ):
        self.k = k
        self.unit = unit
        self.alpha = alpha

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Compute the mutual information of each column with the class.

        Parameters
        ----------
        X, y
            As for :func:`mutual_information`.
        sample_weight : array_like of shape (n,), optional
            How often each row counts; not negative.

        Returns
        -------
        MutualInformationSelector
            The same object.

        Raises
        ------
        ProbabilityError
            If `k` is neither a whole number of at least 0 nor "all", the unit
            is unknown, or `alpha` negative.
        ProbabilityError, ValueError
            As in :func:`mutual_information`.

        Warns
        -----
        UserWarning
            If there are fewer than `k` columns.
        """
        k = self._read_k()
        # This reads the names, and `mutual_information` the values.
        validated(self, X, y, anew=True, skip_check_array=True)
        self.scores_ = mutual_information(
            X,
            y,
            unit=self.unit,
            pseudo_count=self.alpha,
            weights=sample_weight,
        )
        if k != "all" and k > self.n_features_in_:
            warnings.warn(
                f"k={k} is greater than n_features={self.n_features_in_}. "
                "All the features will be returned.",
                stacklevel=2,
            )
        return self

    def _read_k(self):
        """Return the number of columns, or "all"; check all parameters."""
        return read_parameters(self, k=either("all", whole(0)))["k"]

    def _get_support_mask(self):
        check_is_fitted(self)
        k, n_columns = self._read_k(), len(self.scores_)
        first = 0 if k == "all" else max(n_columns - k, 0)
        mask = np.zeros(n_columns, dtype=bool)
        mask[np.argsort(self.scores_, kind="stable")[first:]] = True
        return mask

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags
