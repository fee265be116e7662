r"""Mutual information of columns with the class, and with each other.

The mutual information of a feature and the class,

.. math::

    I(X_m; C) = \sum_{c, s} P(c, s) \log \frac{P(c, s)}{P(c) \, P(s)}
        = H(C) - H(C \mid X_m),

is by how much observing the feature reduces the uncertainty about the class
on average (Cover and Thomas, 2006, section 2.3). It is 0 if the two are
independent, and at most the entropy of the class. It is the divergence of
the joint distribution from the product of its margins, which
:func:`bayesbook.probability.kl_divergence` computes for single tables. The
functions here compute it for all columns at once, from counts.

>>> X = [["red", "left"], ["red", "right"], ["blue", "left"], ["blue", "left"]]
>>> y = ["stop", "stop", "go", "go"]
>>> mutual_information(X, y, unit="bits").round(4).tolist()
[1.0, 0.3113]
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.special import xlog1py

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import read_distribution, read_probabilities
from bayesbook.base.labels import read_codes
from bayesbook.base.numbers import as_float
from bayesbook.data.coded_rows import offsets, read_weights
from bayesbook.data.counts import (
    count_classes,
    count_pairs,
    count_states,
    sum_by_class,
)
from bayesbook.data.row_blocks import chunks
from bayesbook.probability.information import nats_in

__all__ = [
    "binary_mutual_information",
    "mutual_information",
    "pairwise_information",
]

# Numbers in the arrays that are made for some tables at once.
_ENTRIES = 2**18


def mutual_information(
    X: ArrayLike | pd.DataFrame | sparse.sparray | sparse.spmatrix,
    y: ArrayLike,
    *,
    unit: str = "nats",
    pseudo_count: float = 0.0,
    weights: ArrayLike | None = None,
) -> np.ndarray:
    r"""Return the mutual information of each column with the class.

    The probabilities are relative frequencies, or posterior means if a
    `pseudo_count` λ is given: P(c, s) = (N_cs + λ) / (N + KSλ) for K classes
    and the S states of the column.

    The result is never negative, and exactly 0 if the counts are those of
    independence, because it is computed as

    .. math::

        I = \sum_{c, s} \frac{N_c N_s}{N^2} \, \varphi(t_{cs}), \qquad
        t_{cs} = \frac{N N_{cs} - N_c N_s}{N_c N_s}, \qquad
        \varphi(t) = (1 + t) \log(1 + t) - t \ge 0,

    in which the terms −t, which sum to zero, make every summand non-negative;
    t is rounded only once, because counts are whole numbers.

    Parameters
    ----------
    X : array_like or data frame of shape (n, M), or sparse matrix
        Dense columns are discrete: codes or labels of any type. Their states
        are those that occur. A column of a sparse matrix is a word with two
        states: it is in the document (not zero) or not. The matrix is never
        made dense.
    y : array_like of shape (n,)
        The classes, labels of any type.
    unit : {"nats", "bits"}
        Natural logarithms, or logarithms to base 2.
    pseudo_count : float
        The pseudo-count λ ≥ 0 of each pair of a class and a state. It makes
        words that occur only once look less informative.
    weights : array_like of shape (n,), optional
        How often each row counts; not negative.

    Returns
    -------
    array of shape (M,)
        At least 0. Without pseudo-counts at most the entropy of the classes.

    Raises
    ------
    ProbabilityError
        If the unit is unknown, the pseudo-count or a weight negative, all
        weights zero, a value missing, or a number in a dense column not
        whole, as those of a continuous column.
    ValueError
        If the lengths differ, or as scikit-learn's `check_array` raises it.

    See Also
    --------
    binary_mutual_information : from the parameters instead of data.
    sklearn.feature_selection.mutual_info_classif : also for continuous
        columns, whose density it estimates from nearest neighbours.

    Examples
    --------
    >>> X = [[0, 2], [0, 1], [1, 1], [1, 2]]
    >>> y = ["ham", "ham", "spam", "spam"]
    >>> mutual_information(X, y, unit="bits").tolist()
    [1.0, 0.0]

    As a score function of scikit-learn's selectors:

    >>> from sklearn.feature_selection import SelectKBest
    >>> select = SelectKBest(mutual_information, k=1)
    >>> select.fit(X, [0, 0, 1, 1]).get_support().tolist()
    [True, False]
    """
    nats = nats_in(unit)
    pseudo_count = as_float(pseudo_count, "The pseudo-count", 0)
    X = _read_columns(X)
    y, n_classes = _read_classes(y)
    weights = _read_weights(X, y, weights)
    N_k = count_classes(y, n_classes, weights)
    if sparse.issparse(X):
        present = sum_by_class(_presence(X), y, n_classes, weights)
        counts, columns = _two_states(N_k, present)
    else:
        codes, n_states = _encode(X)
        counts = count_states(codes, y, n_states, n_classes, weights)
        columns = np.repeat(np.arange(len(n_states)), n_states)
        occurs = counts.any(axis=0)
        counts, columns = counts[:, occurs], columns[occurs]
    # A class whose rows all have the weight zero does not count among the K.
    counts = counts[N_k > 0]
    return information_of_columns(counts, columns, pseudo_count) / nats


def pairwise_information(
    X: ArrayLike | pd.DataFrame,
    y: ArrayLike | None = None,
    *,
    unit: str = "nats",
    weights: ArrayLike | None = None,
) -> np.ndarray:
    r"""Return the mutual information of each pair of columns, given the class.

    .. math::

        I(X_i; X_j \mid C) = \sum_c P(c) \sum_{s, t} P(s, t \mid c)
            \log \frac{P(s, t \mid c)}{P(s \mid c) \, P(t \mid c)},

    in which the probabilities are relative frequencies (Cover and Thomas,
    2006, section 2.5). It is 0 for two columns that are independent given the
    class, as naive Bayes assumes, and otherwise measures how far they are
    from that: it is their conditional mutual information. Without classes it
    is the mutual information :math:`I(X_i; X_j)`.

    Parameters
    ----------
    X : array_like or data frame of shape (n, M)
        Discrete columns: codes or labels of any type.
    y : array_like of shape (n,), optional
        The classes, labels of any type.
    unit : {"nats", "bits"}
        Natural logarithms, or logarithms to base 2.
    weights : array_like of shape (n,), optional
        How often each row counts; not negative.

    Returns
    -------
    array of shape (M, M)
        Symmetric and at least 0; on the diagonal the entropies
        :math:`H(X_i \mid C)`. Exactly 0 if the counts are those of
        independence in every class.

    Raises
    ------
    ProbabilityError
        If the unit is unknown, a weight negative, all weights zero, a value
        missing, or a number not whole, as those of a continuous column; or
        if X is a sparse matrix.
    TableTooLargeError
        If the table of all pairs would need too much memory.
    ValueError
        If the lengths differ, or as scikit-learn's `check_array` raises it.

    See Also
    --------
    mutual_information : of each column with the class.

    Examples
    --------
    Two bits and their exclusive or: every pair is independent, but given the
    third, each of the two determines the other.

    >>> X = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> pairwise_information(X, unit="bits")
    array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]])
    >>> pairwise_information(X, [0, 1, 1, 0], unit="bits")
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 0., 0.]])
    """
    nats = nats_in(unit)
    X = _read_columns(X)
    if sparse.issparse(X):
        raise ProbabilityError(
            "X is a sparse matrix, and pairs are counted in dense columns "
            "only: choose some columns, and make them dense with X.toarray()."
        )
    if y is None:
        classes, n_classes = np.zeros(len(X), dtype=np.intp), 1
    else:
        classes, n_classes = _read_classes(y)
    weights = _read_weights(X, classes, weights)
    codes, n_states = _encode(X)
    table = count_pairs(codes, classes, n_states, n_classes, weights)
    return information_of_pairs(table, n_states) / nats


def binary_mutual_information(
    pi_k: ArrayLike, p_km: ArrayLike, *, unit: str = "nats"
) -> np.ndarray:
    r"""Return the mutual information of binary features, from parameters.

    With p_m = Σ_k π_k p_km, the probability of the feature in all classes
    together, the closed form of the definition is

    .. math::

        I(X_m; C) = \sum_k \pi_k \left[ p_{km} \log \frac{p_{km}}{p_m}
            + (1 - p_{km}) \log \frac{1 - p_{km}}{1 - p_m} \right].

    Parameters
    ----------
    pi_k : array_like of shape (K,)
        The probabilities of the classes; they sum to one.
    p_km : array_like of shape (K, M)
        The probability of each feature given each class.
    unit : {"nats", "bits"}
        Natural logarithms, or logarithms to base 2.

    Returns
    -------
    array of shape (M,)
        At least 0, and at most the entropy of `pi_k` and one bit.

    Raises
    ------
    ProbabilityError
        If the unit is unknown, a probability is not between 0 and 1, those
        of the classes do not sum to one, or the shapes do not fit.

    Examples
    --------
    >>> pi_k = [0.5, 0.5]
    >>> p_km = [[0.9, 0.5], [0.1, 0.5]]
    >>> binary_mutual_information(pi_k, p_km, unit="bits").round(4).tolist()
    [0.531, 0.0]
    """
    nats = nats_in(unit)
    pi_k = read_distribution(pi_k, "The class probabilities pi_k")
    p_km = read_probabilities(p_km, "The probabilities p_km", 2)
    if len(p_km) != len(pi_k):
        raise ProbabilityError(
            f"p_km has {len(p_km)} rows and pi_k {len(pi_k)} entries; both "
            "need one for each class."
        )
    counts, columns = _two_states(pi_k, pi_k[:, None] * p_km)
    return information_of_columns(counts, columns) / nats


# -- the formula --------------------------------------------------------------


def information_of_columns(counts, columns, pseudo_count=0.0):
    """Return the information in nats of tables (K, S) that stand side by side.

    `columns` holds the number of the column of each of the S states.
    """
    counts = _in_range(counts + pseudo_count)
    N_s = counts.sum(axis=0)
    n_columns = columns.max() + 1
    N_km = np.array([np.bincount(columns, row, n_columns) for row in counts])
    N = N_km.sum(axis=0)[columns]
    terms = _terms(counts, N_km[:, columns] * N_s, N)
    return np.bincount(columns, terms.sum(axis=0))


def information_of_pairs(table, n_states):
    """Return I(X_i; X_j | C) in nats, from a table of `count_pairs`.

    The probabilities of a pair are relative frequencies among the rows in
    which both columns are known.
    """
    starts = offsets(n_states)
    columns = np.repeat(np.arange(len(n_states)), n_states)
    N_kij = np.add.reduceat(table, starts[:-1], axis=1)
    N_kij = np.add.reduceat(N_kij, starts[:-1], axis=2)
    N_ij = N_kij.sum(axis=0)
    shares = N_kij / np.where(N_ij > 0, N_ij, 1)
    result = np.zeros((len(n_states), len(n_states)))
    # The number of columns i that are compared at once, with all j.
    size = max(1, _ENTRIES // (starts[-1] * max(n_states)))
    for k in np.flatnonzero(N_kij.any(axis=(1, 2))):
        for part in chunks(len(n_states), size):
            first, last = starts[part.start], starts[part.stop]
            column, within = columns[first:last] - part.start, starts[part]
            counts = _in_range(table[k, first:last])
            N_r = np.add.reduceat(counts, starts[:-1], axis=1)
            N_s = np.add.reduceat(counts, within - first, axis=0)
            N = np.add.reduceat(N_s, starts[:-1], axis=1)
            terms = _terms(
                counts,
                N_r[:, columns] * N_s[column],
                N[np.ix_(column, columns)],
            )
            terms = np.add.reduceat(terms, starts[:-1], axis=1)
            sums = np.add.reduceat(terms, within - first, axis=0)
            result[part] += shares[k, part] * sums
    # The two ways to compute an entry differ by roundings.
    return (result + result.T) / 2


def _in_range(counts):
    """Scale counts by a power of two, so that products stay in range."""
    return np.ldexp(counts, -np.frexp(counts.max())[1])


def _terms(counts, product, N):
    """Return the summands φ, from products of margins and totals N."""
    t = np.zeros(counts.shape)
    np.divide(N * counts - product, product, out=t, where=product > 0)
    # Rounding of the logarithm may make phi negative in the last digit.
    phi = np.maximum(xlog1py(1 + t, t) - t, 0)
    return product / np.where(N > 0, N, 1) ** 2 * phi


def _two_states(N_k, present):
    """Return presence and absence of every feature side by side."""
    # Sums of weights in another order differ from N_k by roundings.
    absent = np.maximum(N_k[:, None] - present, 0)
    columns = np.tile(np.arange(present.shape[1]), 2)
    return np.hstack([present, absent]), columns


# -- reading ------------------------------------------------------------------
# scikit-learn is imported where it reads: it would double the time of the
# first import of the networks, which need the counts of this room.


def _read_columns(X):
    """Read a rectangle of values; a data frame stays one."""
    from sklearn.utils import check_array

    if isinstance(X, pd.DataFrame):
        if X.size:
            return X
        X = X.to_numpy()
    return check_array(X, accept_sparse="csr", dtype=None, input_name="X")


def _read_classes(y):
    """Return the number of the class in each row, and how many there are."""
    from sklearn.utils import column_or_1d

    from bayesbook.base.classes import require_labels

    if y is None:
        raise ProbabilityError(
            "Mutual information requires y to be passed, but the target y is "
            "None."
        )
    y = column_or_1d(y, warn=True)
    require_labels(y)
    codes, classes = pd.factorize(y)
    return codes, len(classes)


def _read_weights(X, y, weights):
    """Read the weights of the rows, and refuse columns of another length."""
    from sklearn.utils import check_consistent_length

    check_consistent_length(X, y)
    weights = read_weights(weights, len(y))
    if weights is not None and not weights.any():
        raise ProbabilityError(
            "The weights of all rows are zero: there is nothing to count."
        )
    return weights


def _presence(X):
    """Return whether each entry of a sparse matrix is not 0."""
    if not X.has_canonical_format:
        # An entry that is stored in parts would count several times.
        X = X.copy()
        X.sum_duplicates()
    entries = X.data != 0, X.indices, X.indptr
    return sparse.csr_array(entries, shape=X.shape)


def _encode(X):
    """Return the codes of the states, and their number in each column."""
    if isinstance(X, pd.DataFrame):
        return _factorize(column for _, column in X.items())
    if X.dtype.kind in "biu":
        codes = X.view(np.uint8) if X.dtype.kind == "b" else X
        # They are the codes, unless most codes would have no state.
        if codes.min() >= 0 and codes.max() < max(len(X), 256):
            return codes, codes.max(axis=0).astype(int) + 1
    return _factorize(pd.Series(x, name=m) for m, x in enumerate(X.T))


def _factorize(columns):
    """Code the values of each column by the states that occur."""
    codes, n_states = [], []
    for column in columns:
        _refuse_continuous(column)
        column_codes, states = read_codes(column)
        codes.append(column_codes.astype(np.int32))
        n_states.append(len(states))
    return np.column_stack(codes), np.array(n_states)


def _refuse_continuous(column):
    """Refuse a column of numbers that are not whole."""
    if column.dtype.kind == "f":
        values = column.to_numpy(float)
        broken = np.isinf(values) | (values != np.floor(values))
        broken &= ~np.isnan(values)
        if broken.any():
            raise ProbabilityError(
                f"Column {column.name!r} holds {values[broken][0]:g}, which "
                "is not a whole number: put a continuous column into bins "
                "first, with EntropyDiscretizer or scikit-learn's "
                "KBinsDiscretizer."
            )
