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
many documents even less is needed, `DCMCounts`: how often each word has each
positive count, and how often each length occurs.

Sources: Madsen, Kauchak and Elkan (2005), "Modeling word burstiness using the
Dirichlet distribution"; Minka (2000, revised 2012), "Estimating a Dirichlet
distribution", for both ways to the maximum; Levin and Reeds (1977), "Compound
multinomial likelihood functions are unimodal", for the data that have none.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse, special
from sklearn.exceptions import ConvergenceWarning

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import column_names, floats, refuse
from bayesbook.base.names import and_list, did_you_mean
from bayesbook.base.numbers import as_float, as_int
from bayesbook.conjugate.predictives import log_rising

__all__ = [
    "DCMCounts",
    "DCMFit",
    "dcm_gradient",
    "dcm_log_prob",
    "fit_dcm",
    "polya_urn",
    "sample_dcm",
]

METHODS = ("newton", "fixed-point")
# Floats above do not count one by one.
MOST = 2**53
# Sums of alpha to start from; the best of them is within a factor of 3.
_SUMS = 10.0 ** np.arange(-3, 9)
# A Newton step that is shortened more often gives way to the fixed point.
_HALVINGS = 10
# What rounding leaves of a difference of sums, relative to them.
_ROUNDING = 1e-12
# Logarithms that are in memory at the same time.
_CELLS = 2**21
# Factors of a rising power that are multiplied out: what follows them begins
# at a number for which Stirling's series are exact to rounding.
_RUNGS = 100


def dcm_log_prob(
    X, alpha: Sequence[float], *, coefficient: bool = False
) -> np.ndarray:
    """Return the logarithm of the probability of each document.

    Parameters
    ----------
    X : array, data frame or sparse matrix, shape (n, M)
        Counts: whole numbers from 0 to 2⁵³. Sparse matrices stay sparse.
    alpha : sequence of float, length M
        At least 0, not all of them 0.
    coefficient : bool
        Whether to count all orders of a document's words: then this is the
        distribution of its counts. Otherwise it is that of its words in their
        order, which is all that classification and estimation need.

    Returns
    -------
    array, shape (n,)
        Natural logarithms: Σ log αₘ^(xₘ) − log s^(N) over the words that
        occur, plus log (N! / ∏ xₘ!) with the coefficient. An empty document
        has 0; a document with a word whose alpha is 0 has −inf.

    Raises
    ------
    ProbabilityError
        If a number is not such, or if the number of columns is not M.

    Examples
    --------
    Of one ball of each of three colours, the same thrice, and each once:

    >>> dcm_log_prob([[3, 0, 0], [1, 1, 1]], [1, 1, 1]).round(6)
    array([-2.302585, -4.094345])
    >>> np.exp(dcm_log_prob([[3, 0, 0], [1, 1, 1]], [1, 1, 1], coefficient=1))
    array([0.1, 0.1])
    """
    X = read_counts(X)
    alpha = _read_alpha(alpha, X.shape[1])
    log = log_prob_by_class(X, alpha[None])[:, 0]
    if coefficient:
        terms = special.gammaln(X.data + 1)
        orders = sparse.csr_array((terms, X.indices, X.indptr), X.shape)
        log += special.gammaln(X.sum(axis=1) + 1) - orders.sum(axis=1)
    return log


def log_prob_by_class(X, alpha):
    """Return `dcm_log_prob` under several alpha, of shape (K, M), at once.

    Most counts are small, and the first factors of the rising powers common
    to many documents: their logarithms are taken once for each word. X is
    what `read_counts` gives; the result has the shape (n, K).
    """
    # A class without any word is impossible, but for empty documents.
    totals = alpha.sum(axis=1)
    totals[totals == 0] = 1
    lengths, place = np.unique(X.sum(axis=1), return_inverse=True)
    log = -log_rising(totals, lengths[:, None])[place]
    done = 0
    while (more := X.data >= done + 1).sum() > X.shape[1] and done < _RUNGS:
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


def dcm_gradient(X, alpha: Sequence[float]) -> np.ndarray:
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


@dataclass(frozen=True, eq=False, repr=False)
class DCMCounts:
    """What the likelihood needs to know of documents: two histograms.

    They are sufficient statistics, and those of several sets of documents
    add: exactly, if the weights are whole numbers. `from_counts` reads them
    off documents.

    Attributes
    ----------
    n_words : int
        The size M of the vocabulary.
    words, values, weights : arrays, shape (P,)
        `weights` documents have the word `values` times, for each pair that
        occurs of a word (its column) and a positive count. P is at most the
        number of non-zero counts.
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

    def __post_init__(self):
        for name in ("words", "values", "weights", "lengths"):
            getattr(self, name).setflags(write=False)
        self.length_weights.setflags(write=False)

    @classmethod
    def from_counts(cls, X, weights=None) -> DCMCounts:
        """Read the statistics off documents.

        Parameters
        ----------
        X : array, data frame or sparse matrix, shape (n, M), or DCMCounts
            Counts; statistics are given back as they are.
        weights : sequence of float, length n, optional
            At least 0: how often each document counts, once by default.

        Returns
        -------
        DCMCounts

        Raises
        ------
        ProbabilityError
            If a number is not such, if the weights are not as many as the
            documents, or if statistics come with weights.
        """
        if isinstance(X, cls):
            if weights is not None:
                raise ProbabilityError(
                    "These statistics contain their weights: give "
                    "`weights` with the documents."
                )
            return X
        X = read_counts(X)
        return cls.from_rows(X, _read_weights(weights, X.shape[0]))

    @classmethod
    def from_rows(cls, X, weights) -> DCMCounts:
        """Do what `from_counts` does, of what `read_counts` has read.

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

    def log_likelihood(self, alpha: Sequence[float]) -> float:
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
            If alpha is not such.
        """
        alpha = _read_alpha(alpha, self.n_words)
        # The logarithm of 0 is −inf, which is what is meant.
        with np.errstate(divide="ignore"):
            return self._log_likelihood(alpha)

    def gradient(self, alpha: Sequence[float]) -> np.ndarray:
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
            If alpha is not such.
        """
        alpha = _read_alpha(alpha, self.n_words)
        with np.errstate(divide="ignore"):
            of_words, of_lengths = self._slopes(alpha)
        return of_words - of_lengths

    def _log_likelihood(self, alpha):
        return float(
            self._words.logs(alpha).sum()
            - self._lengths.logs(alpha.sum(keepdims=True))[0]
        )

    def _rounding(self, alpha):
        """Return the error of the log-likelihood, a difference of two sums."""
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
        return _RisingPowers(
            self.words, self.values, self.weights, self.n_words
        )

    @cached_property
    def _lengths(self):
        of_sum = np.zeros(len(self.lengths), int)
        return _RisingPowers(of_sum, self.lengths, self.length_weights, 1)

    def _by_word(self, terms):
        """Sum terms of the pairs, for each word."""
        return np.bincount(
            self.words, self.weights * terms, minlength=self.n_words
        )

    def __repr__(self):
        return (
            f"DCMCounts({self.length_weights.sum():g} documents, "
            f"{self.n_words} words, {len(self.words)} pairs of a word and "
            "its count)"
        )


class _RisingPowers:
    """Weighted sums of log a^(n) and its derivatives, for each of many a.

    The first factors are multiplied out: one term for each factor a + j, its
    weight that of all n > j. No difference of large numbers is taken. What
    is left of an n, as it is large or no whole number, has a term of its own.

    Parameters
    ----------
    of : array of int
        To which a each n belongs, from 0 to size − 1.
    n, weights : arrays of the same length
    """

    def __init__(self, of, n, weights, size):
        short = np.minimum(np.floor(n), _RUNGS).astype(int)
        factors = np.zeros(size, int)
        np.maximum.at(factors, of, short)
        begin = np.cumsum(factors) - factors
        self.size = size
        self.of = np.repeat(np.arange(size), factors)
        self.added = _counting(factors)
        self.weights = np.bincount(
            np.repeat(begin[of], short) + _counting(short),
            np.repeat(weights, short),
            minlength=len(self.of),
        )
        has_rest = n > short
        self.rest_of = of[has_rest]
        self.rest_added = short[has_rest]
        self.rest = n[has_rest] - self.rest_added
        self.rest_weights = weights[has_rest]

    def logs(self, a):
        return self._sums(a, np.log, log_rising)

    def slopes(self, a):
        return self._sums(a, np.reciprocal, _slope)

    def curvatures(self, a):
        """Return minus the second derivatives."""
        return self._sums(a, lambda factor: factor**-2, _curvature)

    def _sums(self, a, of_factor, of_rising):
        terms = of_factor(a[self.of] + self.added)
        sums = np.bincount(self.of, self.weights * terms, minlength=self.size)
        if len(self.rest):
            terms = of_rising(a[self.rest_of] + self.rest_added, self.rest)
            sums += np.bincount(
                self.rest_of, self.rest_weights * terms, minlength=self.size
            )
        return sums


def _counting(lengths):
    """Return 0, 1, …, n − 1 for each n, one after the other."""
    begin = np.cumsum(lengths) - lengths
    return np.arange(lengths.sum()) - np.repeat(begin, lengths)


@dataclass(frozen=True, eq=False, repr=False)
class DCMFit:
    """The maximum-likelihood estimate of alpha, and how it was found.

    Attributes
    ----------
    alpha : array, shape (M,)
        The estimate: 0 for a word that never occurs.
    log_likelihood : float
        Of `alpha`, as `DCMCounts.log_likelihood` has it.
    path : tuple of float
        The log-likelihood at the start and after each step; it never falls.
    gradient : array, shape (M,)
        The slope of the log-likelihood at `alpha`: about 0 at a maximum, but
        negative for words that never occur.
    status : str
        "maximum": alpha is a maximum of the likelihood, up to `tolerance` or
        to rounding.

        "multinomial limit": the counts are not burstier than independent
        draws. The likelihood rises towards that of the multinomial model as
        alpha is multiplied by larger and larger numbers, and has no maximum;
        the alpha given is so large that nothing is left to gain.

        "one word per document": each document repeats a single word. The
        likelihood rises as alpha tends to 0; the alpha given is so small
        that nothing is left to gain.

        "mean only": no document has two words, or no two different words
        occur. The likelihood depends on the mean alpha / s alone, or on
        nothing; the alpha given is the mean, with the sum 1.

        "out of steps": more steps are needed.

        "stalled": a step would gain less than rounding can show, but there
        are many such steps to the maximum. The method "newton" gets on.
    """

    alpha: np.ndarray
    log_likelihood: float
    path: tuple[float, ...]
    gradient: np.ndarray
    status: str

    def __post_init__(self):
        self.alpha.setflags(write=False)
        self.gradient.setflags(write=False)

    @property
    def converged(self) -> bool:
        """Whether the status is "maximum"."""
        return self.status == "maximum"

    @property
    def n_iter(self) -> int:
        """The number of steps."""
        return len(self.path) - 1

    def __repr__(self):
        steep = np.abs(self.gradient[self.alpha > 0]).max()
        return (
            f"DCMFit({len(self.alpha)} words, sum of alpha "
            f"{self.alpha.sum():.6g}, log-likelihood "
            f"{self.log_likelihood:.8g}, steps {self.n_iter}, "
            f"largest slope {steep:.0e}: {self.status})"
        )


def fit_dcm(
    X,
    *,
    method: str = "newton",
    weights: Sequence[float] | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 1000,
    start: Sequence[float] | None = None,
) -> DCMFit:
    """Estimate alpha by maximum likelihood.

    Both methods climb from the same start, and each step is checked: the
    likelihood never falls. The fixed point is Minka's: αₘ times the ratio of
    the two sums of its slope, which lies on a bound of the likelihood that
    touches it. Newton's step uses that the second derivatives are a diagonal
    matrix plus a constant, so that it takes no more time than the slopes; it
    is halved until the likelihood does not fall. Where the likelihood is not
    concave, the curvature is mirrored, so that the step still leads upwards.

    Parameters
    ----------
    X : array, data frame or sparse matrix, shape (n, M), or DCMCounts
        Counts, or their statistics. Empty documents say nothing.
    method : "newton" or "fixed-point"
        A few steps, or hundreds of them.
    weights : sequence of float, length n, optional
        At least 0: how often each document counts.
    tolerance : float
        Positive: the search ends with the step before which the likelihood
        was, by its parabola, at most so many nats below its maximum.
    max_iterations : int
        The most steps, at least 0.
    start : sequence of float, length M, optional
        Where to begin, positive for each word that occurs. By default the
        words' shares of the documents, times the best power of ten.

    Returns
    -------
    DCMFit
        Where the likelihood has no maximum, its `status` says why.

    Warns
    -----
    ConvergenceWarning
        Of `sklearn.exceptions`, if the estimate is no maximum: see `status`.

    Raises
    ------
    ProbabilityError
        If there are no words at all, or if an argument is not such.

    Notes
    -----
    A word that never occurs has the estimate 0, and a new document that
    contains it the probability 0. Smooth the estimate before you predict.

    Examples
    --------
    >>> X = sample_dcm([1, 2, 3], [20] * 500, rng=0)
    >>> fit = fit_dcm(X)
    >>> fit.alpha.round(2), fit.status
    (array([1.1 , 2.01, 3.16]), 'maximum')
    >>> slow = fit_dcm(X, method="fixed-point")
    >>> slow.alpha.round(2), fit.n_iter < slow.n_iter
    (array([1.1 , 2.01, 3.16]), True)
    """
    if method not in METHODS:
        raise ProbabilityError(
            f"There is no method {method!r}: the methods are "
            f"{and_list(map(repr, METHODS))}.{did_you_mean(method, METHODS)}"
        )
    tolerance = as_float(tolerance, "The tolerance", 0, open_=True)
    max_iterations = as_int(max_iterations, "The limit max_iterations", 0)
    counts = DCMCounts.from_counts(X, weights)
    fit = maximise_likelihood(counts, method, tolerance, max_iterations, start)
    if not fit.converged:
        warnings.warn(_WARNINGS[fit.status], ConvergenceWarning, stacklevel=2)
    return fit


_WARNINGS = {
    "multinomial limit": (
        "The counts are not burstier than independent draws: the likelihood "
        "has no maximum, but rises with the sum of alpha. The multinomial "
        "model fits as well."
    ),
    "one word per document": (
        "Each document repeats a single word: the likelihood has no maximum, "
        "but rises as alpha tends to 0."
    ),
    "mean only": (
        "No document has two words, or all words are the same: the documents "
        "say nothing about the sum of alpha, which is set to 1."
    ),
    "out of steps": (
        "The steps ended before the maximum: allow more by "
        "`max_iterations`, or use the method 'newton'."
    ),
    "stalled": (
        "The steps became too short for the likelihood to rise, before the "
        "maximum: use the method 'newton'."
    ),
}


def maximise_likelihood(counts, method, tolerance, max_iterations, start=None):
    """Do what `fit_dcm` does, without a warning."""
    # Words that never occur only lengthen the arrays.
    occurring, words = np.unique(counts.words, return_inverse=True)
    if not len(occurring):
        raise ProbabilityError(
            "All documents are empty, or have the weight 0: there is nothing "
            "to estimate from."
        )
    dense = DCMCounts(
        len(occurring),
        words,
        *(counts.values, counts.weights),
        *(counts.lengths, counts.length_weights),
    )
    if start is not None:
        start = _read_alpha(start, counts.n_words)[occurring]
        if (start == 0).any():
            word = occurring[np.argmin(start)]
            raise ProbabilityError(
                f"The start is 0 for the word of column {word}, which occurs: "
                "give a positive number."
            )
    path, found, status = _search(
        dense, method, tolerance, max_iterations, start
    )
    alpha = np.zeros(counts.n_words)
    alpha[occurring] = found
    gradient = counts.gradient(alpha)
    return DCMFit(alpha, path[-1], tuple(path), gradient, status)


def _search(counts, method, tolerance, max_iterations, start):
    """Return the path, the last alpha, and the status."""
    in_documents = counts._by_word(1)
    documents = counts.length_weights[counts.lengths > 0].sum()
    share = in_documents / in_documents.sum()
    if counts.n_words == 1 or counts.lengths.max() <= 1:
        return [counts._log_likelihood(share)], share, "mean only"
    if in_documents.sum() <= documents * (1 + _ROUNDING):
        # What is lost at a small sum is at most the sum times this.
        harmonic = counts._lengths.slopes(np.ones(1))[0]
        alpha = share * tolerance / harmonic
        return [counts._log_likelihood(alpha)], alpha, "one word per document"
    if start is None:
        starts = (total * share for total in _SUMS)
        start = max(starts, key=counts._log_likelihood)
    return _climb(counts, start, method, tolerance, max_iterations)


def _climb(counts, alpha, method, tolerance, max_iterations):
    limit = _MultinomialLimit(counts)
    path, status = [counts._log_likelihood(alpha)], "out of steps"
    for _ in range(max_iterations):
        if limit.is_better(path[-1]) and alpha.sum() > counts.lengths.max():
            break
        gain, steps = _steps(counts, alpha, method)
        for moved in steps:
            value = counts._log_likelihood(moved)
            if value >= path[-1]:
                alpha = moved
                path.append(value)
                break
        else:
            rounding = counts._rounding(alpha)
            status = (
                "maximum" if gain <= max(tolerance, rounding) else "stalled"
            )
            break
        if gain <= tolerance:
            status = "maximum"
            break
    if limit.is_better(path[-1]):
        status = "multinomial limit"
        value = counts._log_likelihood(limit.alpha(tolerance))
        if value >= path[-1]:
            alpha = limit.alpha(tolerance)
            path.append(value)
    return path, alpha, status


def _steps(counts, alpha, method):
    """Return what Newton's step promises, in nats, and the places to try."""
    of_words, of_lengths = counts._slopes(alpha)
    q, z = counts._curvatures(alpha)
    slope = of_words - of_lengths
    # The inverse of a diagonal plus a constant: Sherman and Morrison. Where
    # the likelihood curves upwards, the mirrored curvature leads up as well.
    concavity = 1 - z * (1 / q).sum()
    bent = max(abs(concavity), _ROUNDING)
    way = (slope + z * (slope / q).sum() / bent) / q
    # Not with @: BLAS takes longer to start its threads than to add.
    gain = (slope * way).sum() / 2 if concavity > 0 else np.inf

    def places() -> Iterator[np.ndarray]:
        if method == "newton":
            for halvings in range(_HALVINGS):
                moved = alpha + way / 2**halvings
                if (moved > 0).all():
                    yield moved
        yield alpha * (of_words / of_lengths)

    return gain, places()


class _MultinomialLimit:
    """The multinomial model, towards which alpha may run.

    Near it, the log-likelihood falls with 1/s if the counts are not burstier
    than its own (Levin and Reeds 1977): then it is a local maximum.
    """

    def __init__(self, counts):
        totals = counts._by_word(counts.values)
        self.share = totals / totals.sum()
        self.log_likelihood = (totals * np.log(self.share)).sum()
        pairs = counts._by_word(counts.values * (counts.values - 1))
        pairs_in_all = counts.lengths * (counts.lengths - 1)
        expected = (counts.length_weights * pairs_in_all).sum()
        excess = (pairs / self.share).sum() - expected
        self.is_local_maximum = excess <= _ROUNDING * expected
        self.squares = expected

    def is_better(self, log_likelihood):
        return self.is_local_maximum and self.log_likelihood >= log_likelihood

    def alpha(self, tolerance):
        """Return an alpha whose log-likelihood is `tolerance` lower at most."""
        return self.share * (self.squares / tolerance)


def polya_urn(
    alpha: Sequence[float],
    size: int,
    *,
    rng: np.random.Generator | int,
    documents: int = 1,
) -> np.ndarray:
    """Draw from Pólya's urn: each ball goes back with one more of its colour.

    Parameters
    ----------
    alpha : sequence of float, length M
        How many balls of each colour are in the urn at first: at least 0, not
        all of them 0, not only whole numbers.
    size : int
        The number of draws, at least 0.
    rng : numpy Generator or int
        The source of randomness, or its seed.
    documents : int
        The number of urns, at least 1, each filled afresh.

    Returns
    -------
    array of int, shape (documents, size)
        The colours, 0 to M − 1, in the order of the draws.

    Raises
    ------
    ProbabilityError
        If a number is not such.

    Notes
    -----
    After t draws, the ball is one of the t that were added with probability
    t / (s + t), and then each of these is equally probable (Blackwell and
    MacQueen 1973). So no urn has to be stored.

    Examples
    --------
    >>> polya_urn([1, 1, 1], 12, rng=3)
    array([[0, 0, 2, 1, 0, 1, 1, 0, 0, 0, 2, 1]])
    """
    alpha = _read_alpha(alpha)
    size = as_int(size, "The number of draws", 0)
    documents = as_int(documents, "The number of urns", 1)
    rng = np.random.default_rng(rng)
    total = alpha.sum()
    urns = np.arange(documents)
    drawn = rng.choice(len(alpha), (documents, size), p=alpha / total)
    for t in range(1, size):
        is_added = rng.random(documents) * (total + t) < t
        earlier = rng.integers(t, size=documents)
        drawn[:, t] = np.where(is_added, drawn[urns, earlier], drawn[:, t])
    return drawn


def sample_dcm(
    alpha: Sequence[float],
    size: Sequence[int],
    *,
    rng: np.random.Generator | int,
) -> np.ndarray:
    """Draw documents: each its own probabilities, and from them its counts.

    Parameters
    ----------
    alpha : sequence of float, length M
        At least 0, not all of them 0.
    size : sequence of int
        The number of words of each document, at least 0.
    rng : numpy Generator or int
        The source of randomness, or its seed.

    Returns
    -------
    array of int, shape (documents, M)
        Counts. The distribution is that of the counts of `polya_urn`.

    Raises
    ------
    ProbabilityError
        If a number is not such.

    Examples
    --------
    >>> sample_dcm([0.5, 0.5, 0.5], [9, 9, 9], rng=2)
    array([[0, 8, 1],
           [0, 2, 7],
           [1, 1, 7]])
    """
    alpha = _read_alpha(alpha)
    size = floats(size, "The lengths")
    refuse(size != np.floor(size), size, "The lengths", "not whole")
    refuse(size < 0, size, "The lengths", "negative")
    refuse(size > MOST, size, "The lengths", "greater than 2⁵³")
    rng = np.random.default_rng(rng)
    shares = rng.dirichlet(alpha, len(size))
    return rng.multinomial(size.astype(int), shares)


def read_counts(X, *, fractions=False):
    """Read documents into a CSR array of positive floats, never densified."""
    what, columns = "The counts", column_names(X)
    if not sparse.issparse(X):
        # Of an array of numbers, only those that are not 0 are looked at.
        is_plain = isinstance(X, np.ndarray) and X.dtype.kind in "biuf"
        if not is_plain or isinstance(X, np.ma.MaskedArray):
            X = floats(X, what, 2)
    elif X.dtype.kind not in "biuf":
        raise ProbabilityError(
            f"{what} are not numbers: they are of the type {X.dtype}."
        )
    if X.ndim != 2:
        raise ProbabilityError(
            f"{what} have the shape {X.shape}; a table with a row for each "
            "document is needed."
        )
    if not all(X.shape):
        raise ProbabilityError(
            f"{what} have the shape {X.shape}: there are no "
            f"{'words' if X.shape[0] else 'documents'}."
        )
    # Small integers could overflow where a cell is stored in several parts.
    rows = sparse.csr_array(X.astype(float) if sparse.issparse(X) else X)
    rows = rows.astype(float)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    data = rows.data
    for wrong, why in (
        (~np.isfinite(data), "not a finite number"),
        (data < 0, "negative"),
        (not fractions and data != np.floor(data), "not a whole number"),
        (data > MOST, "greater than 2⁵³, up to where floats count exactly"),
    ):
        if np.any(wrong):
            at = int(np.argmax(wrong))
            row = int(np.searchsorted(rows.indptr, at, "right")) - 1
            column = int(rows.indices[at])
            name = columns[column] if columns else column
            raise ProbabilityError(
                f"{what}: {data[at]:g} at row {row}, column {name!r} is {why}."
            )
    return rows


def _read_alpha(alpha, n_words=None):
    alpha = floats(alpha, "The parameters alpha")
    refuse(alpha < 0, alpha, "The parameters alpha", "negative")
    if not alpha.any():
        raise ProbabilityError(
            "The parameters alpha are all 0: then no word is possible."
        )
    if n_words not in (None, len(alpha)):
        raise ProbabilityError(
            f"There are {len(alpha)} parameters alpha and {n_words} words: "
            "give one for each column."
        )
    return alpha


def _read_weights(weights, n):
    if weights is None:
        return np.ones(n)
    weights = floats(weights, "The weights")
    refuse(weights < 0, weights, "The weights", "negative")
    if len(weights) != n:
        raise ProbabilityError(
            f"There are {len(weights)} weights and {n} documents: give one "
            "for each row."
        )
    return weights


def _histogram(keys, weights):
    """Return the distinct keys of positive weight, sorted, and their weights."""
    positive = weights > 0
    keys, weights = [key[positive] for key in keys], weights[positive]
    order = np.lexsort(keys[::-1])
    keys = [key[order] for key in keys]
    is_new = np.ones(len(order), bool)
    is_new[1:] = np.any([key[1:] != key[:-1] for key in keys], axis=0)
    first = np.flatnonzero(is_new)
    sums = np.add.reduceat(weights[order], first) if len(first) else weights
    return *(key[first] for key in keys), sums


def _slope(a, n):
    """Return ψ(a + n) − ψ(a), the derivative of log a^(n)."""

    def tail(x):
        # Abramowitz and Stegun (1964), formula 6.3.18.
        return 1 / (2 * x) + 1 / (12 * x**2) - 1 / (120 * x**4)

    large = np.maximum(a, _RUNGS)
    series = np.log1p(n / large) + tail(large) - tail(large + n)
    return np.where(a >= _RUNGS, series, special.psi(a + n) - special.psi(a))


def _curvature(a, n):
    """Return ψ'(a) − ψ'(a + n), minus the derivative of `_slope`."""

    def tail(x):
        # Abramowitz and Stegun (1964), formula 6.4.12.
        return 1 / (2 * x**2) + 1 / (6 * x**3) - 1 / (30 * x**5)

    large = np.maximum(a, _RUNGS)
    series = n / large / (large + n) + tail(large) - tail(large + n)
    difference = special.polygamma(1, a) - special.polygamma(1, a + n)
    return np.where(a >= _RUNGS, series, difference)
