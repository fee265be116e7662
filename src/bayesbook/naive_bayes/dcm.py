"""Naive Bayes for words that occur in bursts."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import sparse

from bayesbook.conjugate import DCMCounts, DCMFit, sample_dcm
from bayesbook.conjugate.dcm_fit import maximise_likelihood
from bayesbook.conjugate.dirichlet_multinomial import log_prob_by_class
from bayesbook.conjugate.reading_documents import MOST, read_documents
from bayesbook.naive_bayes._base import learned
from bayesbook.naive_bayes._documents import DocumentNB
from bayesbook.naive_bayes._log_tables import as_frame

# Newton's steps: far more than it has ever taken.
_MOST_STEPS = 1000
# In nats, of the log-likelihood of a class.
_TOLERANCE = 1e-8


class DCMNB(DocumentNB):
    r"""Naive Bayes for bursty counts: Dirichlet compound multinomials (DCM).

    .. math:: \log p(x \mid c) = \sum_{m: x_m > 0}
        \log \alpha_{cm}^{(x_m)} - \log s_c^{(N)}

    with rising powers :math:`a^{(n)} = a (a + 1) \cdots (a + n - 1)`, the sum
    :math:`s_c` of the parameters of class c, and the length N of the
    document. This is the probability of the words in their order; the number
    of orders is the same for every class, and left out.

    The parameters of each class maximise the likelihood of its documents and
    of pseudo-documents: for each word of the vocabulary there are `alpha` of
    them, which consist of this word alone. A document of one word says
    nothing about burstiness, so that only the means
    :math:`\alpha_{cm} / s_c` are smoothed: the estimate is the mode of the
    posterior under a Dirichlet prior on these means, with the parameter
    1 + `alpha` for each word. If the documents of a class are not
    bursty, its distribution is that of :class:`MultinomialNB` with the same
    smoothing.

    Fractions of counts are accepted, as in scikit-learn's classifiers for
    counts: a rising power is a quotient of gamma functions. But there is no
    distribution of fractions.

    Parameters
    ----------
    alpha : float, default 0.1
        The number of pseudo-documents of each word, at least 0. With 0, a
        word that does not occur in a class is impossible in it. The default
        is less than that of :class:`MultinomialNB`, as a pseudo-document has
        the weight of a document, however often the latter repeats a word.
    class_alpha : float, default 1
        The pseudo-count of each class, whose probability is estimated by the
        mean of the posterior.
    class_prior : array_like of shape (K,) or "uniform", optional
        Class probabilities, in the order of `classes_`; by default they are
        learned.

    Attributes
    ----------
    classes_, class_count_, class_log_prior_, n_features_in_
        See :class:`NaiveBayes`.
    feature_names_in_
        See :class:`NaiveBayes`.
    counts_ : list of K DCMCounts
        The statistics of the documents of each class.
    fits_ : list of K DCMFit
        How the parameters of each class were found, pseudo-documents
        included: the status of each says whether there is a maximum. None
        for a class without words, if `alpha` is 0.
    alpha_ : array of shape (K, M)
        The parameters.

    See Also
    --------
    MultinomialNB : words that occur independently.
    bayesbook.conjugate.fit_dcm : the estimate, and when there is no maximum.

    References
    ----------
    Madsen, Kauchak and Elkan (2005), Modeling word burstiness using the
    Dirichlet distribution, ICML. They smooth in another way.

    Examples
    --------
    Both words are equally frequent in both classes, but one class repeats
    itself.

    >>> X = [[9, 0], [0, 9], [9, 1], [1, 9], [5, 5], [4, 6], [5, 4], [4, 5]]
    >>> model = DCMNB().fit(X, ["bursty"] * 4 + ["even"] * 4)
    >>> model.predict([[7, 0], [0, 7], [4, 3]]).tolist()
    ['bursty', 'bursty', 'even']
    >>> [fit.status for fit in model.fits_]
    ['maximum', 'multinomial limit']
    """

    # Not every whole number above it is a float.
    _most = MOST

    def __init__(
        self,
        *,
        alpha: float = 0.1,
        class_alpha: float = 1.0,
        class_prior: ArrayLike | str | None = None,
    ):
        self.alpha = alpha
        self.class_alpha = class_alpha
        self.class_prior = class_prior

    def _read(self, X, *, anew):
        return read_documents(super()._read(X, anew=anew), fractions=True)

    def _count(self, X, codes, n_classes, weights):
        if weights is None:
            weights = np.ones(len(codes))
        return [
            DCMCounts.from_rows(X[codes == k], weights[codes == k])
            for k in range(n_classes)
        ]

    def _merge(self, counts, *, anew):
        if not anew:
            # Adding takes time, and most classes have no row in a small batch.
            counts = [
                old + new if len(new.lengths) else old
                for old, new in zip(self.counts_, counts, strict=True)
            ]
        self.counts_ = counts

    def _statistics(self):
        return self.counts_

    def _spread(self, counts, places, n_classes):
        empty = DCMCounts.from_rows(
            sparse.csr_array((0, self.n_features_in_)), np.zeros(0)
        )
        of_all = [empty] * n_classes
        for place, own in zip(places, counts, strict=True):
            of_all[place] = own
        return of_all

    @learned
    def fits_(self) -> list[DCMFit | None]:  # noqa: D102 - see the class
        alpha = self._settings["alpha"]
        words = sparse.eye_array(self.n_features_in_, format="csr")
        pseudo = DCMCounts.from_rows(
            words, np.full(self.n_features_in_, alpha)
        )
        return [
            maximise_likelihood(
                counts + pseudo, "newton", _TOLERANCE, _MOST_STEPS
            )
            if alpha or len(counts.words)
            else None
            for counts in self.counts_
        ]

    @learned
    def alpha_(self) -> np.ndarray:  # noqa: D102 - documented with the class
        zeros = np.zeros(self.n_features_in_)
        return np.array(
            [zeros if fit is None else fit.alpha for fit in self.fits_]
        )

    def _class_log_likelihood(self, X):
        return log_prob_by_class(X, self.alpha_)

    def _lack_distribution(self):
        return ~self.alpha_.any(axis=1)

    def _sample_documents(self, codes, lengths, rng):
        order = np.argsort(codes, kind="stable")
        blocks = []
        for k in np.unique(codes):
            own = lengths[codes == k]
            drawn = sample_dcm(self.alpha_[k], len(own), trials=own, rng=rng)
            blocks.append(sparse.csr_matrix(drawn))
        return sparse.vstack(blocks, format="csr")[np.argsort(order)]

    def to_frame(self) -> pd.DataFrame:
        """Return the parameters.

        Returns
        -------
        DataFrame of shape (M, K)
            alpha: a row for each word, a column for each class.
        """
        return as_frame(self, self.alpha_)
