r"""Entropy discretisation: bins of numbers, cut where the classes change.

A model of tables needs states, and a measurement has none. Fayyad and Irani
(1993) cut the range of a column where the two parts S₁ and S₂ of the rows S
tell most about the class, and cut each part again,

.. math::

    \mathrm{Gain} = H(S) - \frac{N_1}{N} H(S_1) - \frac{N_2}{N} H(S_2),

as long as a cut shortens the description of the classes by more bits than
the description of the cut itself needs, which is its place and the classes
of both parts:

.. math::

    N \cdot \mathrm{Gain} > \log_2(N - 1) + \log_2(3^k - 2)
        - \left[ k H(S) - k_1 H(S_1) - k_2 H(S_2) \right].

H is the entropy of the classes in bits, N the number of rows and k the
number of classes among them. The rule has no parameter: it finds the number
of bins of each column itself, and that is 1 if no cut saves bits.

>>> X = [[1.1], [1.3], [1.6], [1.8], [2.2], [2.4], [2.9], [3.0]]
>>> y = ["low"] * 4 + ["high"] * 4
>>> EntropyDiscretizer().fit(X, y).cut_points_
[array([2.])]
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import entr, xlogy
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.classes import one_label_each, require_labels
from bayesbook.naive_bayes._reading import (
    require_entries,
    require_finite,
    validated,
)

__all__ = ["EntropyDiscretizer"]

# Bits are counted in units of 1 / _PARTS. Sums of whole numbers are exact in
# any order, and N log2 N bits do not overflow for up to _MOST_ROWS rows.
_PARTS = 2**27
_MOST_ROWS = 10**9


class EntropyDiscretizer(
    OneToOneFeatureMixin, TransformerMixin, BaseEstimator
):
    """Turn numbers into codes 0, 1, 2, ..., cut where the classes change.

    Each column is cut in two at the point that leaves the least entropy of
    the classes, and both parts again, as long as the minimum description
    length rule of Fayyad and Irani allows it. A column that tells too little
    about the class, such as a constant one, keeps a single bin: all its codes
    are 0.

    Cut points lie in the middle between neighbouring values of the training
    rows; of equally good cuts the smallest is made. A value has the code j if
    j cut points are less than it, so that a value at a cut belongs to the bin
    below. Values outside the range of training have the first or the last
    code. Every bin has rows of training: a classifier trained on the codes
    knows every code that can occur.

    Attributes
    ----------
    cut_points_ : list of M arrays
        The cut points of each column, in rising order.
    n_bins_ : array of shape (M,)
        The number of bins of each column: one more than its cut points.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : array of shape (M,)
        The names of the columns, if they are texts.

    See Also
    --------
    sklearn.preprocessing.KBinsDiscretizer : a given number of bins, made
        without the classes.
    bayesbook.data.mutual_information : what the codes of each
        column tell about the class.

    Notes
    -----
    The entropy that a cut leaves is least at a boundary: between two
    neighbouring values whose rows are not all of one class (Fayyad and
    Irani, 1992). Only these are tried. Each column is sorted once, and all
    cuts of a part with n rows are tried together in O(n) time, whatever the
    number of classes.

    References
    ----------
    Usama M. Fayyad and Keki B. Irani (1993), "Multi-interval discretization
    of continuous-valued attributes for classification learning", IJCAI-93.

    Usama M. Fayyad and Keki B. Irani (1992), "On the handling of
    continuous-valued attributes in decision tree generation", Machine
    Learning 8, pages 87-102.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> discretizer = EntropyDiscretizer().fit(X, y)
    >>> discretizer.n_bins_.tolist()
    [3, 3, 3, 3]
    >>> discretizer.cut_points_[2].round(4).tolist()
    [2.45, 4.75]
    >>> discretizer.transform(X)[[0, -1]].tolist()
    [[0, 2, 0, 0], [1, 1, 2, 2]]

    In a pipeline the cuts are learned from the rows of training only, also
    in cross-validation:

    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.pipeline import make_pipeline
    >>> from bayesbook.naive_bayes import TAN
    >>> model = make_pipeline(EntropyDiscretizer(), TAN())
    >>> cross_val_score(model, X, y, cv=5).mean().round(4).item()
    0.9267

    Columns that already have states are left as they are:

    >>> import pandas as pd
    >>> from sklearn.compose import make_column_transformer
    >>> limes = pd.DataFrame({"grams": [67, 70, 74, 79], "color": "green"})
    >>> lemons = pd.DataFrame({"grams": [84, 92, 97, 105], "color": "yellow"})
    >>> fruit = pd.concat([limes, lemons], keys=["lime", "lemon"])
    >>> into_states = make_column_transformer(
    ...     (EntropyDiscretizer(), ["grams"]),
    ...     remainder="passthrough",
    ...     verbose_feature_names_out=False,
    ... ).set_output(transform="pandas")
    >>> model = make_pipeline(into_states, TAN())
    >>> model = model.fit(fruit, fruit.index.get_level_values(0))
    >>> into_states.transform(fruit).iloc[3:5]
             grams   color
    lime  3      0   green
    lemon 0      1  yellow
    >>> new = pd.DataFrame({"grams": [120], "color": ["yellow"]})
    >>> model.predict(new).tolist()
    ['lemon']
    """

    def fit(
        self,
        X: ArrayLike | pd.DataFrame,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Find the cut points of each column.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)
            Finite numbers.
        y : array_like of shape (n,)
            The class of each row, labels of any type.
        sample_weight : array_like of shape (n,), optional
            How often each row counts; not negative. Their sum is the number
            of rows of the criterion: give numbers of repetitions, not shares.

        Returns
        -------
        EntropyDiscretizer
            The same object.

        Raises
        ------
        ValueError
            If a value is missing, infinite or not a number, a class is
            missing or a continuous number, the lengths differ, or a weight is
            negative or none is positive; the message names the row and the
            column.
        """
        if y is None:
            raise ValueError(
                "EntropyDiscretizer requires y to be passed, but the target "
                "y is None: cuts are where the classes change."
            )
        values = self._read(X, anew=True)
        labels = one_label_each(y, values)
        require_labels(labels)
        if sample_weight is None:
            weights = np.ones(len(labels), dtype=int)
            n_log_n = _n_log_n(np.arange(len(labels) + 1)).__getitem__
        else:
            weights = _read_weights(sample_weight, values)
            # A row that counts nothing is not there.
            counts = weights > 0
            values, labels = values[counts], labels[counts]
            weights, n_log_n = weights[counts], _n_log_n
        classes, codes = np.unique(labels, return_inverse=True)
        self.cut_points_ = [
            _cut_points(x, codes, weights, len(classes), n_log_n)
            for x in values.T
        ]
        self.n_bins_ = np.array([len(cuts) + 1 for cuts in self.cut_points_])
        return self

    def transform(
        self, X: ArrayLike | pd.DataFrame
    ) -> np.ndarray | pd.DataFrame:
        """Return the number of the bin of each value, from 0.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)
            Finite numbers.

        Returns
        -------
        array of shape (n, M)
            Whole numbers; a data frame after
            ``set_output(transform="pandas")``.

        Raises
        ------
        ValueError
            If a value is missing, infinite or not a number, or the columns
            are not those of training.
        """
        check_is_fitted(self)
        values = self._read(X, anew=False)
        columns = zip(self.cut_points_, values.T, strict=True)
        return np.column_stack(
            [np.searchsorted(*column) for column in columns]
        )

    def _read(self, X, *, anew):
        if isinstance(X, pd.DataFrame):
            require_entries(self, X)
        _refuse_texts(X)
        X = validated(self, X, anew=anew, dtype=float, ensure_all_finite=False)
        require_finite(self, X, allow_nan=False)
        return X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = []
        return tags


# -- the algorithm ------------------------------------------------------------


def _cut_points(x, y, weights, n_classes, n_log_n):
    """Return the cut points of a column; y are the codes of the classes."""
    order = np.argsort(x)
    x, y, weights = x[order], y[order], weights[order]
    boundaries = _boundaries(x, y)
    sums = np.append(0, np.cumsum(weights))
    earlier = _earlier_in_class(y, weights)
    cuts = []
    parts = [(0, len(x), np.zeros(n_classes, weights.dtype))]
    while parts:
        start, stop, before = parts.pop()
        within = slice(*np.searchsorted(boundaries, [start + 1, stop]))
        candidates = boundaries[within] - start
        if not len(candidates):
            continue
        part = slice(start, stop)
        own = y[part]
        cut = _best_cut(
            candidates,
            own,
            weights[part],
            np.maximum(earlier[part] - before[own], 0),
            sums[start : stop + 1] - sums[start],
            n_log_n,
        )
        left = _class_sums(own[:cut], weights[part][:cut], n_classes)
        right = _class_sums(own[cut:], weights[part][cut:], n_classes)
        if _saves_bits(left, right):
            cut += start
            cuts.append(cut)
            parts += [(start, cut, before), (cut, stop, before + left)]
    cuts = np.sort(np.array(cuts, dtype=int))
    return _midpoints(x[cuts - 1], x[cuts])


def _n_log_n(n):
    """Return n log2 n bits, rounded to units."""
    return np.rint(_PARTS / np.log(2) * xlogy(n, n)).astype(int)


def _class_sums(y, weights, n_classes):
    """Return the weight of each class, of the type of the weights."""
    sums = np.bincount(y, weights, minlength=n_classes)
    return sums.astype(weights.dtype)


def _earlier_in_class(y, weights):
    """Return the weight of the rows of its class before each row."""
    by_class = np.argsort(y, kind="stable")
    sums = np.append(0, np.cumsum(weights[by_class]))
    first = np.searchsorted(y[by_class], y[by_class])
    earlier = np.empty_like(weights)
    earlier[by_class] = sums[:-1] - sums[first]
    return earlier


def _boundaries(x, y):
    """Return the places in sorted rows where a best cut can be.

    A cut at i separates the rows before i from the others. It lies between
    two values whose rows are not all of the same class.
    """
    starts = np.flatnonzero(np.append(True, x[1:] != x[:-1]))
    least = np.minimum.reduceat(y, starts)
    greatest = np.maximum.reduceat(y, starts)
    is_uniform = (least[:-1] == greatest[1:]) & (greatest[:-1] == least[1:])
    return starts[1:][~is_uniform]


def _best_cut(candidates, y, weights, earlier, sums, n_log_n):
    """Return the cut that leaves the least entropy, the first one on ties.

    N times the entropy of counts n_k is N log N minus the sum of n_k log n_k.
    When a row moves from the right part to the left, its class has its weight
    more there and less here: two steps of n log n, whatever the other classes
    are.
    """
    totals = _class_sums(y, weights, y.max() + 1)
    # Differences of fractions may miss 0 by a rounding.
    later = np.maximum(totals[y] - earlier, weights)
    steps = n_log_n(earlier + weights) - n_log_n(earlier)
    steps += n_log_n(later - weights) - n_log_n(later)
    of_classes = np.cumsum(steps)[candidates - 1]
    left = sums[candidates]
    entropies = n_log_n(left) + n_log_n(sums[-1] - left) - of_classes
    # What each rounded n log n can add to the difference of a tie.
    slack = 2 + 2 * np.count_nonzero(totals)
    return candidates[np.argmax(entropies <= entropies.min() + slack)]


def _saves_bits(left, right):
    """Return whether a cut between these counts of the classes saves bits.

    The criterion MDLPC of Fayyad and Irani (1993).
    """
    whole = left + right
    N, N_1, N_2 = whole.sum(), left.sum(), right.sum()
    k, k_1, k_2 = map(np.count_nonzero, (whole, left, right))
    H, H_1, H_2 = map(_entropy, (whole, left, right))
    gain = H - N_1 / N * H_1 - N_2 / N * H_2
    # log2(3^k - 2), where 3^k may overflow.
    of_classes = k * np.log2(3) + np.log1p(-2 * 3.0**-k) / np.log(2)
    delta = of_classes - (k * H - k_1 * H_1 - k_2 * H_2)
    # Weights may sum to less than two rows.
    return N * gain > np.log2(max(N - 1, 1)) + delta


def _entropy(counts):
    """Return the entropy of relative frequencies, in bits."""
    return entr(counts / counts.sum()).sum() / np.log(2)


def _midpoints(below, above):
    """Return cut points that are at least `below` and less than `above`."""
    # Not half of the sum, which may overflow.
    middle = below / 2 + above / 2
    # Nothing is between neighbouring floats: a value at the cut is below it.
    return np.where(middle < above, middle, below)


# -- reading ------------------------------------------------------------------


def _read_weights(sample_weight, X):
    weights = _check_sample_weight(
        sample_weight, X, dtype=float, ensure_non_negative=True
    )
    total = weights.sum()
    if not 0 < total <= _MOST_ROWS:
        raise ProbabilityError(
            f"The sample weights sum to {total:g}; they are numbers of "
            "repetitions, and their sum must be more than 0 and at most "
            f"{_MOST_ROWS:,}."
        )
    return weights


def _refuse_texts(X):
    """Raise an error for texts and times, which numpy may read as numbers."""
    is_read = isinstance(X, np.ndarray) and (
        X.ndim != 2 or X.dtype.kind in "biufc"
    )
    if is_read or not isinstance(X, np.ndarray | pd.DataFrame | list):
        return
    for name, column in pd.DataFrame(X).items():
        if pd.api.types.is_numeric_dtype(column):
            continue
        for row, value in enumerate(column):
            if isinstance(value, str | bytes | date | timedelta):
                raise ProbabilityError(
                    f"Row {row} of column {name!r} holds {value!r}, which is "
                    "not a number: transform columns of numbers only, as with "
                    "sklearn.compose.make_column_transformer."
                )
