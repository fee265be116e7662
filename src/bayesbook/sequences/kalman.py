r"""The Kalman filter: a hidden state that moves linearly, with Gaussian noise.

.. math:: z_1 \sim N(m, V), \qquad z_t = A z_{t - 1} + N(0, Q), \qquad
    x_t = C z_t + N(0, R)

It is the forward recursion of a hidden Markov model with a state that is a
vector of numbers: sums become integrals, and as everything is Gaussian, a
message is a mean and a covariance (Kalman 1960; Bishop 2006, section 13.3).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import LARGEST, as_int
from bayesbook.base.randomness import as_rng
from bayesbook.sequences._components import frozen
from bayesbook.sequences._matrices import (
    read_matrix,
    require_covariance,
    right_divide,
    root_of,
    symmetric,
)

__all__ = ["KalmanFilter", "StateEstimates", "kalman_step"]

_LOG_2_PI = np.log(2 * np.pi)
# So many updates are kept; rounding errors repeat themselves sooner, or never.
_MOST = 1000


class StateEstimates(NamedTuple):
    """The Gaussian distribution of the state at each step.

    Examples
    --------
    >>> walk = KalmanFilter(1, 0, 1, 1, mean=0, cov=1)
    >>> estimates = walk.filter([3.0, 3.0])
    >>> estimates.mean.ravel().round(4), estimates.cov.ravel().round(4)
    (array([1.5, 2. ]), array([0.5   , 0.3333]))
    """

    #: Of shape (T, D).
    mean: np.ndarray
    #: Of shape (T, D, D).
    cov: np.ndarray


class _Update(NamedTuple):
    """What an observation changes, whatever its value is."""

    gain: np.ndarray
    #: Makes the error of the prediction standard normal.
    whiten: np.ndarray
    #: The logarithm of the density, but for the whitened error.
    log_scale: float
    #: Of the state, and of the next one before its observation.
    cov: np.ndarray
    ahead: np.ndarray


def kalman_step(
    mean: ArrayLike,
    cov: ArrayLike,
    x: ArrayLike,
    transition: ArrayLike,
    transition_cov: ArrayLike,
    observation: ArrayLike,
    observation_cov: ArrayLike,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the next filtered mean and covariance: predict, then update.

    Parameters
    ----------
    mean, cov : array_like of shape (D,) and (D, D)
        Of the state, given the observations until now.
    x : array_like of shape (M,)
        The next observation.
    transition, transition_cov : array_like of shape (D, D)
    observation : array_like of shape (M, D)
    observation_cov : array_like of shape (M, M)

    Returns
    -------
    mean, cov : arrays of shape (D,) and (D, D)
        Of the next state, given this observation too.

    Examples
    --------
    >>> kalman_step([0.0], [[1.0]], [3.0], [[1]], [[1]], [[1]], [[2]])
    (array([1.5]), array([[1.]]))
    """
    A, C = np.asarray(transition), np.asarray(observation)
    mean = A @ np.asarray(mean)
    cov = A @ np.asarray(cov) @ A.T + np.asarray(transition_cov)
    spread = C @ cov @ C.T + np.asarray(observation_cov)
    gain = np.linalg.solve(spread, C @ cov).T
    mean = mean + gain @ (np.asarray(x) - C @ mean)
    return mean, cov - gain @ C @ cov


class KalmanFilter:
    r"""A linear Gaussian model of a sequence, immutable.

    A state has D numbers, an observation M; where D or M is 1, a number may
    stand for a vector or a matrix.

    Parameters
    ----------
    transition : array_like of shape (D, D)
        A
    transition_cov : array_like of shape (D, D)
        Q, symmetric, without negative eigenvalues; may be zero.
    observation : array_like of shape (M, D)
        C
    observation_cov : array_like of shape (M, M)
        R, likewise.
    mean, cov : array_like of shape (D,) and (D, D)
        Of the first state, before its observation.

    Attributes
    ----------
    transition, transition_cov, observation, observation_cov, mean, cov
        As given, as read-only arrays of these shapes.

    Raises
    ------
    ProbabilityError
        If a shape does not fit, a number is not finite, or a covariance is
        not symmetric or has a negative eigenvalue; and by the methods, if an
        observation is wrong, or has a singular covariance. The message names
        its position, counted from 0.

    Notes
    -----
    Sequences are arrays of shape (T, M), or (T,) if M is 1. A row of NaN is a
    missing observation: then there is only the prediction. So NaN at the end
    gives a forecast. The smoother is that of Rauch, Tung and Striebel (1965).

    References
    ----------
    Kalman (1960), Journal of Basic Engineering 82, 35-45. Durbin and Koopman
    (2012), *Time Series Analysis by State Space Methods*, chapter 4.

    Examples
    --------
    >>> level = KalmanFilter(1, 1, 1, 4, mean=0, cov=100)
    >>> x = [5.0, 6.0, np.nan, 9.0]
    >>> level.filter(x).mean[:, 0].round(3)
    array([4.808, 5.461, 5.461, 7.272])
    >>> level.smooth(x).cov[:, 0, 0].round(3)
    array([1.805, 1.605, 1.948, 2.047])
    """

    transition: np.ndarray
    transition_cov: np.ndarray
    observation: np.ndarray
    observation_cov: np.ndarray
    mean: np.ndarray
    cov: np.ndarray

    def __init__(
        self,
        transition: ArrayLike,
        transition_cov: ArrayLike,
        observation: ArrayLike,
        observation_cov: ArrayLike,
        mean: ArrayLike,
        cov: ArrayLike,
    ):
        given = {
            "transition": transition,
            "transition_cov": transition_cov,
            "observation": observation,
            "observation_cov": observation_cov,
            "mean": mean,
            "cov": cov,
        }
        read = {
            name: read_matrix(value, name) for name, value in given.items()
        }
        D, M = len(read["transition"]), len(read["observation"])
        shapes = {
            "transition": (D, D),
            "transition_cov": (D, D),
            "observation": (M, D),
            "observation_cov": (M, M),
            "mean": (D,),
            "cov": (D, D),
        }
        for name, array in read.items():
            if array.shape != shapes[name]:
                raise ProbabilityError(
                    f"{name} has the shape {array.shape}; with {D} numbers in "
                    f"a state and {M} in an observation it must be "
                    f"{shapes[name]}."
                )
            if name.endswith("cov"):
                require_covariance(array, name)
            self.__dict__[name] = frozen(array)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A Kalman filter cannot be changed: make another")

    def __repr__(self) -> str:
        M, D = self.observation.shape
        return f"KalmanFilter({D} in a state, {M} in an observation)"

    # -- recursions -----------------------------------------------------------

    def predict(self, X: ArrayLike) -> StateEstimates:
        """Return the distribution of each state given what was before it.

        Parameters
        ----------
        X : array_like of shape (T, M), or (T,)

        Returns
        -------
        StateEstimates

        Examples
        --------
        >>> walk = KalmanFilter(1, 1, 1, 1, mean=0, cov=1)
        >>> walk.predict([2.0, 0.0]).mean.ravel()
        array([0., 1.])
        """
        return self._forward(X)[0]

    def filter(self, X: ArrayLike) -> StateEstimates:
        """Return the distribution of each state given the sequence until it.

        Parameters
        ----------
        X : array_like of shape (T, M), or (T,)

        Returns
        -------
        StateEstimates
        """
        return self._forward(X)[1]

    def smooth(self, X: ArrayLike) -> StateEstimates:
        """Return the distribution of each state given the whole sequence.

        Parameters
        ----------
        X : array_like of shape (T, M), or (T,)

        Returns
        -------
        StateEstimates
        """
        predicted, filtered, _ = self._forward(X)
        means, covs = filtered.mean.copy(), filtered.cov.copy()
        for t in range(len(means) - 2, -1, -1):
            # How far the next state says that this one was misjudged.
            gain = right_divide(
                filtered.cov[t] @ self.transition.T, predicted.cov[t + 1]
            )
            means[t] += gain @ (means[t + 1] - predicted.mean[t + 1])
            change = covs[t + 1] - predicted.cov[t + 1]
            covs[t] = symmetric(covs[t] + gain @ change @ gain.T)
        return StateEstimates(frozen(means), frozen(covs))

    def log_prob(self, X: ArrayLike) -> np.ndarray:
        """Return log p(x_t | x_1 ... x_t-1) of each step.

        Parameters
        ----------
        X : array_like of shape (T, M), or (T,)

        Returns
        -------
        array of shape (T,)
            0 where the observation is missing.
        """
        return self._forward(X)[2]

    def log_likelihood(self, X: ArrayLike) -> float:
        """Return the log-likelihood of the sequence.

        Parameters
        ----------
        X : array_like of shape (T, M), or (T,)

        Returns
        -------
        float
        """
        return float(self.log_prob(X).sum())

    def sample(
        self, size: int, *, rng: np.random.Generator | int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw one sequence and its states.

        Parameters
        ----------
        size : int
            Its length.
        rng : numpy.random.Generator or int
            The source of randomness, or a seed for one.

        Returns
        -------
        X : array of shape (size, M)
        states : array of shape (size, D)
        """
        rng = as_rng(rng)
        size = as_int(size, "The number of steps", 1)
        M, D = self.observation.shape
        noise = rng.standard_normal((size, D)) @ root_of(self.transition_cov).T
        states = np.empty((size, D))
        states[0] = self.mean + root_of(self.cov) @ rng.standard_normal(D)
        for t in range(1, size):
            states[t] = self.transition @ states[t - 1] + noise[t]
        errors = (
            rng.standard_normal((size, M)) @ root_of(self.observation_cov).T
        )
        return states @ self.observation.T + errors, states

    def _forward(self, X) -> tuple[StateEstimates, StateEstimates, np.ndarray]:
        """Return predicted and filtered states, and log p of each step."""
        X, is_missing = self._sequence(X)
        A, C = self.transition, self.observation
        T, D = len(X), len(A)
        means, covs = np.empty((2, T, D)), np.empty((2, T, D, D))
        logs = np.zeros(T)
        mean, cov = self.mean, self.cov
        # Covariances do not depend on what is observed, and soon repeat.
        known: dict[bytes, _Update] = {}
        for t in range(T):
            means[0, t], covs[0, t] = mean, cov
            if is_missing[t]:
                ahead = self._ahead(cov)
            else:
                key = cov.tobytes()
                if key not in known:
                    if len(known) == _MOST:
                        known.clear()
                    known[key] = self._update(cov, t)
                gain, whiten, log_scale, cov, ahead = known[key]
                error = X[t] - C @ mean
                scaled = whiten @ error
                logs[t] = log_scale - 0.5 * (scaled @ scaled)
                mean = mean + gain @ error
            means[1, t], covs[1, t] = mean, cov
            mean, cov = A @ mean, ahead
        predicted, filtered = (
            StateEstimates(frozen(m), frozen(v))
            for m, v in zip(means, covs, strict=True)
        )
        return predicted, filtered, logs

    def _ahead(self, cov):
        """Return the covariance of the next state, before its observation."""
        A = self.transition
        return symmetric(A @ cov @ A.T + self.transition_cov)

    def _update(self, cov, t):
        """Return what an observation changes, but for its value."""
        C, R = self.observation, self.observation_cov
        root = self._root_of_spread(C @ cov @ C.T + R, t)
        whiten = np.linalg.inv(root)
        gain = cov @ C.T @ whiten.T @ whiten
        log_scale = -np.log(np.diag(root)).sum() - 0.5 * len(R) * _LOG_2_PI
        # Joseph's form stays positive where a difference does not.
        rest = np.eye(len(cov)) - gain @ C
        cov = symmetric(rest @ cov @ rest.T + gain @ R @ gain.T)
        return _Update(gain, whiten, log_scale, cov, self._ahead(cov))

    def _root_of_spread(self, spread, t):
        try:
            return np.linalg.cholesky(symmetric(spread))
        except np.linalg.LinAlgError:
            raise ProbabilityError(
                f"The covariance of the observation at position {t} is "
                "singular: give observation_cov a positive diagonal."
            ) from None

    def _sequence(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the observations (T, M), and which are missing."""
        M = len(self.observation)
        try:
            array = np.asarray(X, dtype=float)
        except (TypeError, ValueError) as error:
            raise ProbabilityError(
                f"The observations are not numbers: {error}."
            ) from None
        if array.ndim == 1 and M == 1:
            array = array[:, None]
        if array.ndim != 2 or array.shape[1] != M or not len(array):
            raise ProbabilityError(
                f"The observations have the shape {array.shape}; (T, {M}) "
                f"is needed{' or (T,)' if M == 1 else ''}, with T > 0."
            )
        is_nan = np.isnan(array)
        is_missing = is_nan.all(axis=1)
        for wrong, why in (
            (
                is_nan & ~is_missing[:, None],
                "missing, and others are not: "
                "leave out a whole observation, as a row of NaN",
            ),
            (np.abs(array) > LARGEST, "too large to be squared"),
        ):
            if wrong.any():
                row, column = np.argwhere(wrong)[0].tolist()
                raise ProbabilityError(
                    f"The observation at position {row} has a number "
                    f"(column {column}) that is {why}."
                )
        return array, is_missing
