"""Naive Bayes of binary features as tables of counts and of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import log_softmax, xlogy

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.arrays import (
    floats,
    read_distribution,
    read_probabilities,
    refuse,
)
from bayesbook.base.labels import read_labels
from bayesbook.base.numbers import as_float


def nb_fit_table(
    N_km, N_k, alpha: float = 1.0, beta: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    r"""Learn a naive Bayes model of binary features from a table of counts.

    .. math:: \pi_k = \frac{N_k + \alpha}{N + K \alpha}, \qquad
        p_{km} = \frac{N_{km} + \beta}{N_k + 2 \beta}

    Parameters
    ----------
    N_km : array_like of shape (K, M)
        How many objects of class k have feature m.
    N_k : array_like of shape (K,)
        How many objects of class k there are; not how many features they
        have together.
    alpha : float, default 1
        The pseudo-count of each class, at least 0.
    beta : float, default 1
        The pseudo-count of each state of each feature, at least 0.

    Returns
    -------
    pi_k : array of shape (K,)
        The class probabilities.
    p_km : array of shape (K, M)
        The probability of feature m in class k.

    Raises
    ------
    ProbabilityError
        If a count is negative or not finite, there are more objects with a
        feature than objects, the shapes do not agree, or there is neither
        a count nor a pseudo-count.

    See Also
    --------
    BernoulliNB : the same from rows.

    References
    ----------
    Roch (2025), *Mathematical Methods in Data Science*, section 6.3.

    Examples
    --------
    >>> pi_k, p_km = nb_fit_table([[400, 350], [0, 150]], [500, 300])
    >>> pi_k.round(4), p_km.round(4)
    (array([0.6247, 0.3753]), array([[0.7988, 0.6992],
           [0.0033, 0.5   ]]))
    """
    N_km, N_k = _read_counts(N_km, N_k)
    alpha, beta = as_float(alpha, "alpha", 0), as_float(beta, "beta", 0)
    if not N_k.sum() + alpha:
        raise ProbabilityError("There are no objects: take alpha > 0.")
    if not (N_k + beta).all():
        raise ProbabilityError(
            f"Class {int(np.argmin(N_k))} has no objects: take beta > 0."
        )
    pi_k = (N_k + alpha) / (N_k.sum() + len(N_k) * alpha)
    p_km = (N_km + beta) / (N_k[:, None] + 2 * beta)
    return pi_k, p_km


def nb_predict(pi_k, p_km, x, label_set: Sequence):
    """Return the label of the class that is most probable after an object.

    Parameters
    ----------
    pi_k : array_like of shape (K,)
        The class probabilities.
    p_km : array_like of shape (K, M)
        The probability of feature m in class k.
    x : array_like of shape (M,)
        The features of the object, 0 or 1.
    label_set : sequence of length K
        The labels of the classes.

    Returns
    -------
    label
        The first one on ties.

    Raises
    ------
    ProbabilityError
        If a probability is none, the class probabilities do not sum to one, a
        feature is neither 0 nor 1, or the lengths do not agree.
    ZeroProbabilityError
        If the object is impossible in every class.

    References
    ----------
    Roch (2025), *Mathematical Methods in Data Science*, section 6.3.

    Examples
    --------
    >>> pi_k, p_km = nb_fit_table([[400, 350], [0, 150]], [500, 300])
    >>> nb_predict(pi_k, p_km, [0, 1], ["Banana", "Orange"])
    'Orange'
    """
    posterior = nb_posterior(pi_k, p_km, x)
    labels = read_labels(label_set, "label")
    if len(labels) != len(posterior):
        raise ProbabilityError(
            f"There are {len(labels)} labels for {len(posterior)} classes."
        )
    return labels[int(posterior.argmax())]


def nb_posterior(pi_k, p_km, x) -> np.ndarray:
    r"""Return the posterior probabilities of the classes after an object.

    .. math:: \log \pi_k + \sum_m x_m \log p_{km}
        + (1 - x_m) \log(1 - p_{km})

    up to a constant, which the posterior's sum of one settles. Everything
    stays in logarithms: products of many probabilities would be 0.

    Parameters
    ----------
    pi_k : array_like of shape (K,)
        The class probabilities.
    p_km : array_like of shape (K, M)
        The probability of feature m in class k.
    x : array_like of shape (M,)
        The features of the object, 0 or 1.

    Returns
    -------
    array of shape (K,)

    Raises
    ------
    ProbabilityError
        If a probability is none, the class probabilities do not sum to one, a
        feature is neither 0 nor 1, or the lengths do not agree.
    ZeroProbabilityError
        If the object is impossible in every class.

    Examples
    --------
    >>> nb_posterior([0.5, 0.5], [[0.9, 0.8], [0.3, 0.4]], [1, 0]).round(4)
    array([0.5, 0.5])
    """
    pi_k, p_km = _read_parameters(pi_k, p_km)
    x = floats(x, "The features")
    refuse((x != 0) & (x != 1), x, "The features", "neither 0 nor 1")
    if len(x) != p_km.shape[1]:
        raise ProbabilityError(
            f"There are {len(x)} features for {p_km.shape[1]} columns."
        )
    with np.errstate(divide="ignore"):
        joint = np.log(pi_k) + np.log(np.where(x == 1, p_km, 1 - p_km)).sum(1)
    if np.isneginf(joint).all():
        raise ZeroProbabilityError(
            f"The object {x.astype(int).tolist()} is impossible in every "
            "class: take beta > 0."
        )
    return np.exp(log_softmax(joint))


def nb_nll(pi_k, p_km, N_km, N_k) -> tuple[float, np.ndarray]:
    r"""Return the negative log-likelihood of counts, part by part.

    .. math::

        J_0 = -\sum_k N_k \log \pi_k, \qquad
        J_{km} = -N_{km} \log p_{km} - (N_k - N_{km}) \log(1 - p_{km})

    Each part has parameters of its own, so that each can be made least for
    itself; their sum is the negative log-likelihood of the data.

    Parameters
    ----------
    pi_k : array_like of shape (K,)
        The class probabilities.
    p_km : array_like of shape (K, M)
        The probability of feature m in class k.
    N_km : array_like of shape (K, M)
        How many objects of class k have feature m.
    N_k : array_like of shape (K,)
        How many objects of class k there are.

    Returns
    -------
    J_0 : float
        That of the classes, in nats.
    J_km : array of shape (K, M)
        That of each feature in each class, in nats; infinite where what was
        seen has probability zero.

    Raises
    ------
    ProbabilityError
        If a probability or a count is none, or the shapes do not agree.

    Examples
    --------
    >>> J_0, J_km = nb_nll([0.5, 0.5], [[0.5], [0.25]], [[2], [1]], [4, 4])
    >>> round(J_0, 4), J_km.round(4).tolist()
    (5.5452, [[2.7726], [2.2493]])
    """
    pi_k, p_km = _read_parameters(pi_k, p_km)
    N_km, N_k = _read_counts(N_km, N_k)
    if N_km.shape != p_km.shape:
        raise ProbabilityError(
            f"The counts have the shape {N_km.shape}, the probabilities "
            f"{p_km.shape}."
        )
    J_0 = -xlogy(N_k, pi_k).sum()
    J_km = -xlogy(N_km, p_km) - xlogy(N_k[:, None] - N_km, 1 - p_km)
    return float(J_0), J_km


def _read_counts(N_km, N_k):
    N_km = floats(N_km, "The counts N_km", ndim=2)
    N_k = floats(N_k, "The counts N_k")
    for counts, name in ((N_km, "N_km"), (N_k, "N_k")):
        refuse(counts < 0, counts, f"The counts {name}", "negative")
    if len(N_km) != len(N_k):
        raise ProbabilityError(
            f"N_km has {len(N_km)} rows, one for each class, but N_k has "
            f"{len(N_k)} numbers."
        )
    refuse(
        N_km > N_k[:, None],
        N_km,
        "The counts N_km",
        "more than there are objects of its class: N_k counts objects, not "
        "features",
    )
    return N_km, N_k


def _read_parameters(pi_k, p_km):
    pi_k = read_distribution(pi_k, "The class probabilities")
    p_km = read_probabilities(p_km, "The probabilities p_km", ndim=2)
    if len(p_km) != len(pi_k):
        raise ProbabilityError(
            f"p_km has {len(p_km)} rows, one for each class, but pi_k has "
            f"{len(pi_k)} numbers."
        )
    return pi_k, p_km
