"""Pólya's urn, and documents drawn from it.

Each draw makes its own colour more probable.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bayesbook.base.numbers import as_int
from bayesbook.base.randomness import as_rng
from bayesbook.conjugate.reading_documents import read_alpha, read_lengths


def polya_urn(
    alpha: ArrayLike,
    size: int,
    *,
    rng: np.random.Generator | int,
    documents: int = 1,
) -> np.ndarray:
    """Draw from Pólya's urn: each ball returns with another of its colour.

    Parameters
    ----------
    alpha : sequence of float, length M
        How many balls of each colour are in the urn at first: at least 0, not
        all of them 0. They need not be whole numbers.
    size : int
        The number of draws, at least 0.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.
    documents : int
        The number of independent urns, at least 1.

    Returns
    -------
    array of int, shape (documents, size)
        The colours, 0 to M − 1, in the order of the draws.

    Raises
    ------
    ProbabilityError
        If a number is not as described.

    Notes
    -----
    After t draws, the ball is one of the t that were added with probability
    t / (s + t), and then each of these is equally probable (Blackwell and
    MacQueen 1973). So the urn itself is not stored.

    Examples
    --------
    >>> polya_urn([1, 1, 1], 12, rng=3)
    array([[0, 0, 2, 1, 0, 1, 1, 0, 0, 0, 2, 1]])
    """
    balls = read_alpha(alpha)
    size = as_int(size, "The number of draws", 0)
    documents = as_int(documents, "The number of urns", 1)
    rng = as_rng(rng)
    total = balls.sum()
    urns = np.arange(documents)
    drawn = rng.choice(len(balls), (documents, size), p=balls / total)
    for t in range(1, size):
        is_added = rng.random(documents) * (total + t) < t
        earlier = rng.integers(t, size=documents)
        drawn[:, t] = np.where(is_added, drawn[urns, earlier], drawn[:, t])
    return drawn


def sample_dcm(
    alpha: ArrayLike,
    size: int,
    *,
    trials: ArrayLike,
    rng: np.random.Generator | int,
) -> np.ndarray:
    """Draw documents: first the probabilities of each, then its counts.

    Parameters
    ----------
    alpha : sequence of float, length M
        At least 0, not all of them 0.
    size : int
        How many documents, at least 1.
    trials : int or int array of shape (size,)
        How many words each document has, at least 0.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.

    Returns
    -------
    array of int, shape (size, M)
        Counts. The distribution is that of the counts of `polya_urn`.

    Raises
    ------
    ProbabilityError
        If a number is not as described.

    Examples
    --------
    >>> sample_dcm([0.5, 0.5, 0.5], 3, trials=9, rng=2)
    array([[0, 8, 1],
           [0, 2, 7],
           [1, 1, 7]])
    """
    parameters = read_alpha(alpha)
    size = as_int(size, "The number of documents", 1)
    lengths = read_lengths(trials, size)
    rng = as_rng(rng)
    return rng.multinomial(lengths, rng.dirichlet(parameters, size))
