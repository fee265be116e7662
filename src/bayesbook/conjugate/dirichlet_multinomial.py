"""The Dirichlet compound multinomial (DCM): a distribution of bursty words.

Each document draws its own probabilities of the M words from a Dirichlet
distribution with the parameters `alpha`, and its words from these. So a word
that occurred once is more probable to occur again: the document is drawn from
Pólya's urn. With rising powers a^(n) = a (a + 1) ⋯ (a + n − 1), and s for the
sum of alpha, a document of N words in a given order, among them x_m times the
word m, has the probability

    ∏ₘ αₘ^(xₘ) / s^(N).

Only the words that occur in it take part, so that all work is proportional to
the number of non-zero counts, and data may be sparse. For the likelihood of
many documents less is needed, `DCMCounts`: how often each word has each
positive count, and how often each length occurs.

Sources: Madsen, Kauchak and Elkan (2005), "Modeling word burstiness using the
Dirichlet distribution"; Minka (2000, revised 2012), "Estimating a Dirichlet
distribution", for both ways to the maximum; Levin and Reeds (1977), "Compound
multinomial likelihood functions are unimodal", for data without a maximum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse, special

from bayesbook.conjugate.dcm_counts import DCMCounts
from bayesbook.conjugate.reading_documents import read_alpha, read_documents
from bayesbook.conjugate.rising_powers import MOST_FACTORS, log_rising

# Logarithms that are in memory at the same time.
_CELLS = 2**21


def dcm_log_prob(
    X: ArrayLike | sparse.sparray,
    alpha: ArrayLike,
    *,
    coefficient: bool = False,
) -> np.ndarray:
    """Return the logarithm of the probability of each document.

    Parameters
    ----------
    X : array, data frame or sparse matrix, shape (n, M)
        Counts: whole numbers from 0 to 2⁵³. Sparse matrices stay sparse.
    alpha : sequence of float, length M
        At least 0, not all of them 0.
    coefficient : bool
        Whether to count all orders of a document's words. If so, this is the
        distribution of its counts, otherwise that of its words in their
        order. Classification and estimation need only the latter.

    Returns
    -------
    array, shape (n,)
        Natural logarithms: Σ log αₘ^(xₘ) − log s^(N) over the words that
        occur, plus log (N! / ∏ xₘ!) with the coefficient. An empty document
        has 0; a document with a word whose alpha is 0 has −inf.

    Raises
    ------
    ProbabilityError
        If a count or an alpha is not such a number, or if the number of
        columns is not M.

    Examples
    --------
    An urn with one ball of each of three colours. Three draws may show the
    same colour three times, or each colour once:

    >>> X = [[3, 0, 0], [1, 1, 1]]
    >>> dcm_log_prob(X, [1, 1, 1]).round(6)
    array([-2.302585, -4.094345])
    >>> np.exp(dcm_log_prob(X, [1, 1, 1], coefficient=True)).round(6)
    array([0.1, 0.1])
    """
    counts = read_documents(X)
    parameters = read_alpha(alpha, counts.shape[1])
    log = log_prob_by_class(counts, parameters[None])[:, 0]
    if coefficient:
        terms = special.gammaln(counts.data + 1)
        orders = sparse.csr_array(
            (terms, counts.indices, counts.indptr), counts.shape
        )
        log += special.gammaln(counts.sum(axis=1) + 1) - orders.sum(axis=1)
    return log


def log_prob_by_class(X, alpha):
    """Return `dcm_log_prob` under several alpha at once.

    Most counts are small, and many documents share the first factors of the
    rising powers: their logarithms are taken once for each word.

    Parameters
    ----------
    X : CSR array of shape (n, M)
        From `read_documents`.
    alpha : array of shape (K, M)

    Returns
    -------
    array of shape (n, K)
    """
    # In a class whose alpha are all 0 only empty documents are possible.
    totals = alpha.sum(axis=1)
    totals[totals == 0] = 1
    lengths, place = np.unique(X.sum(axis=1), return_inverse=True)
    log = -np.asarray(log_rising(totals, lengths[:, None]))[place]
    done = 0
    while done < MOST_FACTORS:
        more = X.data >= done + 1
        if more.sum() <= X.shape[1]:
            break
        once = sparse.csr_array(
            (more.astype(float), X.indices, X.indptr), X.shape, copy=True
        )
        once.eliminate_zeros()
        with np.errstate(divide="ignore"):
            log += once @ np.log(alpha.T + done)
        done += 1
    added = np.minimum(np.floor(X.data), done)
    left = X.data - added
    rest = np.flatnonzero(left)
    for cells in np.array_split(rest, 1 + len(rest) * len(alpha) // _CELLS):
        terms = log_rising(
            alpha.T[X.indices[cells]] + added[cells, None], left[cells, None]
        )
        row = np.searchsorted(X.indptr, cells, "right") - 1
        ones = np.ones(len(cells)), (row, np.arange(len(cells)))
        log += sparse.csr_array(ones, (X.shape[0], len(cells))) @ terms
    return log


def dcm_gradient(
    X: ArrayLike | sparse.sparray | DCMCounts, alpha: ArrayLike
) -> np.ndarray:
    """Return the slope of the log-likelihood of documents in each alpha.

    Parameters
    ----------
    X : array, data frame or sparse matrix, shape (n, M), or DCMCounts
        Counts.
    alpha : sequence of float, length M
        At least 0, not all of them 0.

    Returns
    -------
    array, shape (M,)
        Σ ψ(αₘ + xₙₘ) − ψ(αₘ) − ψ(s + Nₙ) + ψ(s) over the documents n, with
        the digamma function ψ; +inf where alpha is 0 and the word occurs.

    Raises
    ------
    ProbabilityError
        As in `dcm_log_prob`.

    Examples
    --------
    >>> dcm_gradient([[3, 0, 0], [1, 1, 1]], [1, 1, 1]).round(6)
    array([ 1.266667, -0.566667, -0.566667])
    """
    return DCMCounts.from_counts(X).gradient(alpha)
