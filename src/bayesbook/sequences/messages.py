r"""Messages along a chain: forward, backward, and the best path.

A hidden state :math:`z_t` moves from step to step, and at each step shows an
observation :math:`x_t` that depends on nothing else. Every question about the
states is answered by sums that are passed along the chain, one message a step
(Rabiner 1989; Bishop 2006, section 13.2):

.. math:: f_t(j) = P(x_1 \dots x_t, z_t = j)
    = \sum_i f_{t - 1}(i) \, a_{ij} \; P(x_t \mid j) ,

.. math:: b_t(i) = P(x_{t + 1} \dots x_T \mid z_t = i)
    = \sum_j a_{ij} \, P(x_{t + 1} \mid j) \, b_{t + 1}(j) .

With maxima in place of the sums, the forward messages lead to the most
probable path (Viterbi 1967).

These are the definitions, with products of as many probabilities as there are
steps: `forward` and `backward` become too small for a float, often within a
thousand steps; densities may also become too large. `viterbi` adds logarithms.
:class:`HiddenMarkov` computes the same for sequences of any length.

>>> start, transition = [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]]
>>> emission = np.array([[0.7, 0.3], [0.1, 0.9]])
>>> likelihood = emission[:, [0, 1, 1]].T
>>> ahead = forward(start, transition, likelihood)
>>> behind = backward(transition, likelihood)
>>> posteriors = ahead * behind / ahead[-1].sum()
>>> posteriors.round(4)
array([[0.6677, 0.3323],
       [0.4   , 0.6   ],
       [0.3462, 0.6538]])
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["backward", "forward", "viterbi"]


def forward(
    start: ArrayLike, transition: ArrayLike, likelihood: ArrayLike
) -> np.ndarray:
    """Return the forward messages P(x_1 ... x_t, z_t = k).

    Parameters
    ----------
    start : array_like of shape (K,)
        P(z_1 = k)
    transition : array_like of shape (K, K)
        P(z_t = j | z_t-1 = i) in row i and column j.
    likelihood : array_like of shape (T, K)
        P(x_t | z_t = k); for symbols ``emission[:, x].T``.

    Returns
    -------
    array of shape (T, K)
        The sum of the last row is P(x).

    Examples
    --------
    >>> likelihood = [[0.7, 0.1], [0.3, 0.9]]
    >>> forward([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], likelihood).round(4)
    array([[0.35  , 0.05  ],
           [0.0975, 0.0675]])
    """
    likelihood = np.asarray(likelihood, dtype=float)
    message = np.asarray(start) * likelihood[0]
    messages = [message]
    for now in likelihood[1:]:
        message = message @ np.asarray(transition) * now
        messages.append(message)
    return np.array(messages)


def backward(transition: ArrayLike, likelihood: ArrayLike) -> np.ndarray:
    """Return the backward messages P(x_t+1 ... x_T | z_t = k).

    Parameters
    ----------
    transition : array_like of shape (K, K)
    likelihood : array_like of shape (T, K)
        As in `forward`.

    Returns
    -------
    array of shape (T, K)
        The last row is 1: nothing comes after it.

    Examples
    --------
    >>> likelihood = [[0.7, 0.1], [0.3, 0.9]]
    >>> backward([[0.9, 0.1], [0.2, 0.8]], likelihood).round(4)
    array([[0.36, 0.78],
           [1.  , 1.  ]])
    """
    likelihood = np.asarray(likelihood, dtype=float)
    message = np.ones(likelihood.shape[1])
    messages = [message]
    for then in likelihood[:0:-1]:
        message = np.asarray(transition) @ (then * message)
        messages.append(message)
    return np.array(messages[::-1])


def viterbi(
    start: ArrayLike, transition: ArrayLike, likelihood: ArrayLike
) -> tuple[np.ndarray, float]:
    """Return the most probable path, and the logarithm of its probability.

    Parameters
    ----------
    start : array_like of shape (K,)
    transition : array_like of shape (K, K)
    likelihood : array_like of shape (T, K)
        As in `forward`.

    Returns
    -------
    path : int array of shape (T,)
        The number of the state at each step; the first one on ties.
    log_prob : float
        log P(path, x); -inf if every path is impossible.

    Examples
    --------
    >>> likelihood = [[0.7, 0.1], [0.3, 0.9], [0.3, 0.9]]
    >>> path, log_prob = viterbi(
    ...     [0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]], likelihood)
    >>> path.tolist(), round(float(np.exp(log_prob)), 6)
    ([1, 1, 1], 0.02592)
    """
    with np.errstate(divide="ignore"):
        logs, step = np.log(likelihood), np.log(transition)
        best = np.log(start) + logs[0]
    pointers = []
    for now in logs[1:]:
        scores = best[:, None] + step
        pointers.append(scores.argmax(axis=0))
        best = scores.max(axis=0) + now
    path = [best.argmax()]
    for pointer in reversed(pointers):
        path.append(pointer[path[-1]])
    return np.array(path[::-1]), float(best.max())
