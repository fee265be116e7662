"""Naive Bayes of binary features, from a table of counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_softmax, xlogy

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.arrays import (
    floats,
    read_distribution,
    read_probabilities,
    refuse,
    require_binary,
)
from bayesbook.base.labels import read_labels
from bayesbook.base.numbers import as_float


def nb_fit_table(
    N_km: ArrayLike, N_k: ArrayLike, alpha: float = 1.0, beta: float = 1.0
) -> tuple[np.ndarray, np.ndarray]:
    r"""Fit naive Bayes for binary features to a table of counts.

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
    of_features, of_classes = _read_counts(N_km, N_k)
    alpha, beta = as_float(alpha, "alpha", 0), as_float(beta, "beta", 0)
    if not of_classes.sum() + alpha:
        raise ProbabilityError("There are no objects: take alpha > 0.")
    if not (of_classes + beta).all():
        number = int(np.argmin(of_classes))
        raise ProbabilityError(
            f"Class {number} has no objects: take beta > 0."
        )
    total = of_classes.sum() + len(of_classes) * alpha
    pi_k = (of_classes + alpha) / total
    p_km = (of_features + beta) / (of_classes[:, None] + 2 * beta)
    return pi_k, p_km


def nb_predict(
    pi_k: ArrayLike,
    p_km: ArrayLike,
    x: ArrayLike,
    label_set: Sequence[Hashable],
) -> Hashable:
    """Return the label of the most probable class of an object.

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
        If a number is not a probability, the class probabilities do not sum
        to one, a feature is neither 0 nor 1, or the lengths do not agree.
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


def nb_posterior(pi_k: ArrayLike, p_km: ArrayLike, x: ArrayLike) -> np.ndarray:
    r"""Return the posterior probabilities of the classes of an object.

    .. math:: \log \pi_k + \sum_m x_m \log p_{km}
        + (1 - x_m) \log(1 - p_{km})

    up to a constant, which follows from the posterior's sum of one. All
    calculations use logarithms: products of many probabilities would be 0.

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
        If a number is not a probability, the class probabilities do not sum
        to one, a feature is neither 0 nor 1, or the lengths do not agree.
    ZeroProbabilityError
        If the object is impossible in every class.

    Examples
    --------
    >>> nb_posterior([0.5, 0.5], [[0.9, 0.8], [0.3, 0.4]], [1, 0]).round(4)
    array([0.5, 0.5])
    """
    prior, p = _read_parameters(pi_k, p_km)
    features = floats(x, "The features")
    require_binary(features, "The features")
    if len(features) != p.shape[1]:
        raise ProbabilityError(
            f"There are {len(features)} features for {p.shape[1]} columns."
        )
    with np.errstate(divide="ignore"):
        log_likelihood = np.log(np.where(features == 1, p, 1 - p)).sum(axis=1)
        joint = np.log(prior) + log_likelihood
    if np.isneginf(joint).all():
        raise ZeroProbabilityError(
            f"The object {features.astype(int).tolist()} is impossible in "
            "every class: take beta > 0."
        )
    return np.exp(log_softmax(joint))


def nb_nll(
    pi_k: ArrayLike, p_km: ArrayLike, N_km: ArrayLike, N_k: ArrayLike
) -> tuple[float, np.ndarray]:
    r"""Return the negative log-likelihood of counts, part by part.

    .. math::

        J_0 = -\sum_k N_k \log \pi_k, \qquad
        J_{km} = -N_{km} \log p_{km} - (N_k - N_{km}) \log(1 - p_{km})

    Each part has its own parameters, so that each can be minimised
    separately; their sum is the negative log-likelihood of the data.

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
        The part of the classes, in nats.
    J_km : array of shape (K, M)
        The part of each feature in each class, in nats; infinite where an
        observation has probability zero.

    Raises
    ------
    ProbabilityError
        If a number is not a probability or not a count, or the shapes do not
        agree.

    Examples
    --------
    >>> J_0, J_km = nb_nll([0.5, 0.5], [[0.5], [0.25]], [[2], [1]], [4, 4])
    >>> round(J_0, 4), J_km.round(4).tolist()
    (5.5452, [[2.7726], [2.2493]])
    """
    prior, p = _read_parameters(pi_k, p_km)
    present, of_classes = _read_counts(N_km, N_k)
    if present.shape != p.shape:
        raise ProbabilityError(
            f"The counts have the shape {present.shape}, the probabilities "
            f"{p.shape}."
        )
    absent = of_classes[:, None] - present
    J_0 = -xlogy(of_classes, prior).sum()
    J_km = -xlogy(present, p) - xlogy(absent, 1 - p)
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
