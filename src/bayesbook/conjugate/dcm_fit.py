"""Maximum-likelihood estimation of a Dirichlet compound multinomial."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from bayesbook.base import ConvergenceWarning, ProbabilityError
from bayesbook.base.names import and_list, did_you_mean
from bayesbook.base.numbers import as_float, as_int
from bayesbook.conjugate.dcm_counts import DCMCounts
from bayesbook.conjugate.reading_documents import read_alpha

METHODS = ("newton", "fixed-point")
# Sums of alpha to start from; the best of them is within a factor of 3.
_SUMS = 10.0 ** np.arange(-3, 9)
# A Newton step that is shortened more often gives way to the fixed point.
_HALVINGS = 10
# What rounding leaves of a difference of sums, relative to them.
_ROUNDING = 1e-12


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
        this alpha is so large that its likelihood is within `tolerance` of
        the limit.

        "one word per document": each document repeats a single word. The
        likelihood rises as alpha tends to 0; this alpha is so small that its
        likelihood is within `tolerance` of the limit.

        "mean only": no document has two words, or no two different words
        occur. The likelihood depends on the mean alpha / s alone, or on
        nothing; this alpha is the mean, with the sum 1.

        "out of steps": more steps are needed.

        "stalled": a step would gain less than rounding can show, but there
        are many such steps to the maximum. The method "newton" reaches it.

    Examples
    --------
    >>> fit = fit_dcm([[5, 0], [0, 5], [4, 1], [2, 3]])
    >>> fit.status, fit.converged, fit.alpha.round(2).tolist()
    ('maximum', True, [0.54, 0.47])
    >>> fit.path[0] < fit.path[-1] == fit.log_likelihood
    True
    """

    alpha: np.ndarray
    log_likelihood: float
    path: tuple[float, ...]
    gradient: np.ndarray
    status: str

    def __post_init__(self) -> None:
        self.alpha.setflags(write=False)
        self.gradient.setflags(write=False)

    @property
    def converged(self) -> bool:
        """Whether the status is "maximum"."""
        return self.status == "maximum"

    @property
    def n_iterations(self) -> int:
        """The number of steps."""
        return len(self.path) - 1

    def __repr__(self) -> str:
        steep = np.abs(self.gradient[self.alpha > 0]).max()
        return (
            f"DCMFit({len(self.alpha)} words, sum of alpha "
            f"{self.alpha.sum():.6g}, log-likelihood "
            f"{self.log_likelihood:.8g}, steps {self.n_iterations}, "
            f"largest slope {steep:.0e}: {self.status})"
        )


def fit_dcm(
    X: ArrayLike | sparse.sparray | DCMCounts,
    *,
    method: str = "newton",
    weights: ArrayLike | None = None,
    tolerance: float = 1e-8,
    max_iterations: int = 1000,
    start: ArrayLike | None = None,
) -> DCMFit:
    """Estimate alpha by maximum likelihood.

    Both methods begin at the same start, and each step is checked: the
    likelihood never falls. The fixed-point iteration is Minka's: it
    multiplies αₘ by the ratio of the two sums of its slope, and so maximises
    a lower bound that touches the likelihood. The second derivatives are a
    diagonal matrix plus a constant, so that Newton's step takes no more time
    than the slopes; it is halved until the likelihood does not fall. Where
    the likelihood is not concave, the sign of the curvature is changed, so
    that the step still leads upwards.

    Parameters
    ----------
    X : array, data frame or sparse matrix, shape (n, M), or DCMCounts
        Counts, or their statistics. Empty documents have no influence.
    method : "newton" or "fixed-point"
        The first takes a few steps, the second hundreds.
    weights : sequence of float, length n, optional
        At least 0: how often each document counts.
    tolerance : float
        Positive, in nats: the search ends with the first step whose gain, by
        the quadratic approximation of the log-likelihood, is at most this.
    max_iterations : int
        The most steps, at least 0.
    start : sequence of float, length M, optional
        The first alpha, positive for each word that occurs. By default the
        words' shares of the documents, times the best power of ten.

    Returns
    -------
    DCMFit
        If the likelihood has no maximum, its `status` says why.

    Warns
    -----
    ConvergenceWarning
        If the estimate is not a maximum: see `status`.

    Raises
    ------
    ProbabilityError
        If there are no words at all, or if an argument is not as described.

    Notes
    -----
    A word that never occurs has the estimate 0, and so a new document that
    contains it has the probability 0. Add a pseudo-count before predicting.

    Examples
    --------
    >>> from bayesbook.conjugate import sample_dcm
    >>> X = sample_dcm([1, 2, 3], 500, trials=20, rng=0)
    >>> fit = fit_dcm(X)
    >>> fit.alpha.round(2), fit.status
    (array([1.1 , 2.01, 3.16]), 'maximum')
    >>> slow = fit_dcm(X, method="fixed-point")
    >>> slow.alpha.round(2), fit.n_iterations < slow.n_iterations
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


def maximise_likelihood(
    counts: DCMCounts,
    method: str,
    tolerance: float,
    max_iterations: int,
    start: ArrayLike | None = None,
) -> DCMFit:
    """Return what `fit_dcm` does, without a warning."""
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
    first = None
    if start is not None:
        first = read_alpha(start, counts.n_words)[occurring]
        if (first == 0).any():
            word = occurring[np.argmin(first)]
            raise ProbabilityError(
                f"The start is 0 for the word of column {word}, which occurs: "
                "give a positive number."
            )
    path, positive, status = _search(
        dense, method, tolerance, max_iterations, first
    )
    alpha = np.zeros(counts.n_words)
    alpha[occurring] = positive
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
        # A small sum loses at most the sum times this.
        harmonic = counts._lengths.slopes(np.ones(1))[0]
        alpha = share * tolerance / harmonic
        return [counts._log_likelihood(alpha)], alpha, "one word per document"
    if start is None:
        starts = (total * share for total in _SUMS)
        start = max(starts, key=counts._log_likelihood)
    return _climb(counts, start, method, tolerance, max_iterations)


def _climb(counts, alpha, method, tolerance, max_iterations):
    """Step from alpha until the likelihood does not rise any more."""
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
    """Return the gain that Newton's step promises, and the alpha to try."""
    of_words, of_lengths = counts._slopes(alpha)
    q, z = counts._curvatures(alpha)
    slope = of_words - of_lengths
    # The inverse of a diagonal plus a constant: Sherman and Morrison. Where
    # the likelihood is convex, the opposite curvature leads up as well.
    concavity = 1 - z * (1 / q).sum()
    bent = max(abs(concavity), _ROUNDING)
    step = (slope + z * (slope / q).sum() / bent) / q
    # Not with @: BLAS takes longer to start its threads than to add.
    gain = (slope * step).sum() / 2 if concavity > 0 else np.inf

    def candidates() -> Iterator[np.ndarray]:
        if method == "newton":
            for halvings in range(_HALVINGS):
                moved = alpha + step / 2**halvings
                if (moved > 0).all():
                    yield moved
        yield alpha * (of_words / of_lengths)

    return gain, candidates()


class _MultinomialLimit:
    """The multinomial model, the limit for an alpha that grows.

    Near it, the log-likelihood falls with 1/s if the counts are not burstier
    than the model's own (Levin and Reeds 1977): then it is a local maximum.
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
        """Return an alpha that loses at most `tolerance` nats."""
        return self.share * (self.squares / tolerance)
