"""Sufficient statistics of bursty documents: two histograms of counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from bayesbook.base import ProbabilityError
from bayesbook.conjugate.reading_documents import (
    read_alpha,
    read_documents,
    read_weights,
)
from bayesbook.conjugate.rising_powers import RisingPowerSums


@dataclass(frozen=True, eq=False, repr=False)
class DCMCounts:
    """Sufficient statistics of documents: two histograms.

    Those of several sets of documents add: exactly, if the weights are whole
    numbers. `from_counts` computes them from documents.

    Attributes
    ----------
    n_words : int
        The size M of the vocabulary.
    words, values, weights : arrays, shape (P,)
        For each pair of a word (its column) and a positive count that
        occurs: `weights` documents have the word `values` times. P is at most
        the number of non-zero counts.
    lengths, length_weights : arrays, shape (L,)
        `length_weights` documents have `lengths` words, zero included.

    Examples
    --------
    >>> counts = DCMCounts.from_counts([[2, 0, 1], [2, 1, 0], [0, 0, 0]])
    >>> counts
    DCMCounts(3 documents, 3 words, 3 pairs of a word and its count)
    >>> counts.words, counts.values, counts.weights
    (array([0, 1, 2]), array([2., 1., 1.]), array([2., 1., 1.]))
    >>> counts + DCMCounts.from_counts([[2, 0, 0]])
    DCMCounts(4 documents, 3 words, 3 pairs of a word and its count)
    """

    n_words: int
    words: np.ndarray
    values: np.ndarray
    weights: np.ndarray
    lengths: np.ndarray
    length_weights: np.ndarray

    def __post_init__(self) -> None:
        for name in ("words", "values", "weights", "lengths"):
            getattr(self, name).setflags(write=False)
        self.length_weights.setflags(write=False)

    @classmethod
    def from_counts(
        cls,
        X: ArrayLike | sparse.sparray | DCMCounts,
        weights: ArrayLike | None = None,
    ) -> DCMCounts:
        """Compute the statistics of documents.

        Parameters
        ----------
        X : array, data frame or sparse matrix, shape (n, M), or DCMCounts
            Counts; statistics are returned as they are.
        weights : sequence of float, length n, optional
            At least 0: how often each document counts, once by default.

        Returns
        -------
        DCMCounts

        Raises
        ------
        ProbabilityError
            If a number is not such a count or weight, if the numbers of
            weights and of documents differ, or if statistics come with
            weights.

        Examples
        --------
        >>> DCMCounts.from_counts([[2, 0], [1, 1]], weights=[3, 1])
        DCMCounts(4 documents, 2 words, 3 pairs of a word and its count)
        """
        if isinstance(X, cls):
            if weights is not None:
                raise ProbabilityError(
                    "These statistics contain their weights: give "
                    "`weights` with the documents."
                )
            return X
        counts = read_documents(X)
        return cls.from_rows(counts, read_weights(weights, counts.shape[0]))

    @classmethod
    def from_rows(cls, X: sparse.csr_array, weights: np.ndarray) -> DCMCounts:
        """Compute the statistics of rows that have been checked.

        Parameters
        ----------
        X : CSR array, shape (n, M)
            Also without any row.
        weights : array, shape (n,)

        Returns
        -------
        DCMCounts
        """
        of_cells = np.repeat(weights, np.diff(X.indptr))
        return cls(
            X.shape[1],
            *_histogram((X.indices.astype(int), X.data), of_cells),
            *_histogram((X.sum(axis=1),), weights),
        )

    def __add__(self, other: DCMCounts) -> DCMCounts:
        if not isinstance(other, DCMCounts):
            return NotImplemented
        if self.n_words != other.n_words:
            raise ProbabilityError(
                f"Statistics of {self.n_words} words and of {other.n_words} "
                "do not add: count both in the same vocabulary."
            )

        def joined(name):
            return np.concatenate([getattr(self, name), getattr(other, name)])

        return DCMCounts(
            self.n_words,
            *_histogram(
                (joined("words"), joined("values")), joined("weights")
            ),
            *_histogram((joined("lengths"),), joined("length_weights")),
        )

    def log_likelihood(self, alpha: ArrayLike) -> float:
        """Return the log-likelihood of alpha, without the coefficients.

        Parameters
        ----------
        alpha : sequence of float, length M
            At least 0, not all of them 0.

        Returns
        -------
        float
            The sum of `dcm_log_prob` over the documents; −inf if the alpha of
            a word that occurs is 0.

        Raises
        ------
        ProbabilityError
            If alpha is not a sequence of such numbers.

        Examples
        --------
        >>> counts = DCMCounts.from_counts([[2, 0], [1, 1]])
        >>> round(counts.log_likelihood([1, 1]), 4)  # log 1/3 + log 1/6
        -2.8904
        """
        parameters = read_alpha(alpha, self.n_words)
        # The logarithm of 0 is −inf, as it should be.
        with np.errstate(divide="ignore"):
            return self._log_likelihood(parameters)

    def gradient(self, alpha: ArrayLike) -> np.ndarray:
        """Return the slope of the log-likelihood: see `dcm_gradient`.

        Parameters
        ----------
        alpha : sequence of float, length M

        Returns
        -------
        array, shape (M,)

        Raises
        ------
        ProbabilityError
            If alpha is not a sequence of such numbers.
        """
        parameters = read_alpha(alpha, self.n_words)
        with np.errstate(divide="ignore"):
            of_words, of_lengths = self._slopes(parameters)
        return of_words - of_lengths

    def _log_likelihood(self, alpha):
        return float(
            self._words.logs(alpha).sum()
            - self._lengths.logs(alpha.sum(keepdims=True))[0]
        )

    def _rounding(self, alpha):
        """Return the rounding error of the log-likelihood."""
        of_lengths = self._lengths.logs(alpha.sum(keepdims=True))
        return 4 * np.spacing(np.abs(of_lengths[0]))

    def _slopes(self, alpha):
        """Return the two parts of the gradient, both positive."""
        of_lengths = self._lengths.slopes(alpha.sum(keepdims=True))
        return self._words.slopes(alpha), of_lengths[0]

    def _curvatures(self, alpha):
        """Return q and z: the second derivatives are z, minus q if m = m'."""
        of_lengths = self._lengths.curvatures(alpha.sum(keepdims=True))
        return self._words.curvatures(alpha), of_lengths[0]

    @cached_property
    def _words(self):
        return RisingPowerSums(
            self.words, self.values, self.weights, self.n_words
        )

    @cached_property
    def _lengths(self):
        of_sum = np.zeros(len(self.lengths), int)
        return RisingPowerSums(of_sum, self.lengths, self.length_weights, 1)

    def _by_word(self, terms):
        """Return the weighted sums of terms of the pairs, for each word."""
        return np.bincount(
            self.words, self.weights * terms, minlength=self.n_words
        )

    def __repr__(self) -> str:
        return (
            f"DCMCounts({self.length_weights.sum():g} documents, "
            f"{self.n_words} words, {len(self.words)} pairs of a word and "
            "its count)"
        )


def _histogram(keys, weights):
    """Return the distinct keys, sorted, and their weights, all positive."""
    positive = weights > 0
    keys, weights = [key[positive] for key in keys], weights[positive]
    order = np.lexsort(keys[::-1])
    keys = [key[order] for key in keys]
    is_new = np.ones(len(order), bool)
    is_new[1:] = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    first = np.flatnonzero(is_new)
    sums = np.add.reduceat(weights[order], first) if len(first) else weights
    return *(key[first] for key in keys), sums
