"""The base class of the classifiers for counts of words."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils import Tags

from bayesbook.base.numbers import LARGEST
from bayesbook.base.randomness import as_rng
from bayesbook.conjugate.reading_documents import read_lengths
from bayesbook.naive_bayes._base import NaiveBayes
from bayesbook.naive_bayes._reading import read_counts


class DocumentNB(NaiveBayes):
    """The base class of the classifiers of documents: rows of counts.

    Documents may be a sparse matrix. They are drawn with given lengths.

    Examples
    --------
    >>> from bayesbook.naive_bayes import MultinomialNB
    >>> model = MultinomialNB().fit([[3, 0], [0, 2]], ["prose", "verse"])
    >>> isinstance(model, DocumentNB)
    True
    >>> documents, classes = model.sample(3, trials=[4, 5, 6], rng=0)
    >>> documents.sum(axis=1).ravel().tolist()
    [[4, 5, 6]]
    """

    # Counts above it are refused: their sums would overflow.
    _most = LARGEST

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.poor_score = True
        return tags

    def _read(self, X, *, anew):
        return read_counts(self, X, anew=anew, most=self._most)

    # Documents need a length besides: that is another signature.
    def sample(  # type: ignore[override]
        self,
        size: int,
        *,
        trials: ArrayLike,
        rng: np.random.Generator | int,
    ) -> tuple[sparse.csr_matrix, np.ndarray]:
        """Draw documents and their classes from the model.

        Parameters
        ----------
        size : int
            How many documents.
        trials : int or int array of shape (size,)
            How many words each document has.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one. It has no default, so
            that every draw can be repeated.

        Returns
        -------
        X : sparse matrix of shape (size, M)
        y : array of shape (size,)
            The classes.

        Raises
        ------
        ProbabilityError
            If `size` is not a positive whole number, or a number of `trials`
            is negative or not whole.
        """
        rng = as_rng(rng)
        codes = self._sample_classes(size, rng)
        lengths = read_lengths(trials, len(codes))
        X = self._sample_documents(codes, lengths, rng)
        return X, self.classes_[codes]

    def _sample_documents(self, codes, lengths, rng):
        """Draw documents of these classes and lengths as a sparse matrix."""
