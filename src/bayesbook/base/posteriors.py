"""Posterior probabilities of classes, from their joint ones with rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from bayesbook.base.errors import ZeroProbabilityError


class Posteriors:
    """Divide the joint probabilities of rows and classes by their sums.

    A subclass has `classes_`, and gives log p(x, c) of each row and class:
    `predict_joint_log_proba`.
    """

    classes_: np.ndarray
    # What a row may be impossible in.
    _kind = "class"

    def predict_joint_log_proba(
        self, X: ArrayLike | pd.DataFrame
    ) -> np.ndarray:
        """Return log p(x, c) of each row and class; may be a density.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, K)
            Columns in the order of the classes, or components; -inf where a
            row is impossible in one.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        raise NotImplementedError

    def predict_log_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the logarithms of the posterior probabilities, log p(c | x).

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, K)
            Columns in the order of the classes, or components.

        Raises
        ------
        ZeroProbabilityError
            If a row is impossible in every class: it has no posterior.
        ValueError
            If the rows cannot be read.
        """
        joint = self.predict_joint_log_proba(X)
        best = joint.max(axis=1, keepdims=True)
        require_possible(best, self._kind)
        joint -= best
        # As scipy's logsumexp, in a third of the time.
        joint -= np.log(np.exp(joint).sum(axis=1, keepdims=True))
        return joint

    def predict_proba(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the posterior probabilities, p(c | x).

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n, K)
            Columns in the order of the classes, or components; rows sum to
            one.

        Raises
        ------
        ZeroProbabilityError
            If a row is impossible in every class: it has no posterior.
        ValueError
            If the rows cannot be read.
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the most probable class of each row; the first one on ties.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n,)

        Raises
        ------
        ZeroProbabilityError
            If a row is impossible in every class: it has no posterior.
        ValueError
            If the rows cannot be read.
        """
        joint = self.predict_joint_log_proba(X)
        codes = joint.argmax(axis=1)
        require_possible(joint[np.arange(len(codes)), codes], self._kind)
        return self._labels(codes)

    def _labels(self, codes):
        return self.classes_[codes]


class HiddenClasses(Posteriors):
    """Sum the joint probabilities of rows and classes that nobody observes."""

    def score_samples(self, X: ArrayLike | pd.DataFrame) -> np.ndarray:
        """Return the log-likelihood of each row, log p(x); may be a density.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)

        Returns
        -------
        array of shape (n,)
            -inf where a row is impossible.

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        return logsumexp(self.predict_joint_log_proba(X), axis=1)

    def score(self, X: ArrayLike | pd.DataFrame, y: object = None) -> float:
        """Return the mean log-likelihood of rows; `y` is ignored.

        Parameters
        ----------
        X : array_like or data frame of shape (n, M)
        y : object

        Returns
        -------
        float

        Raises
        ------
        ValueError
            If the rows cannot be read.
        """
        return float(self.score_samples(X).mean())


def require_possible(best: np.ndarray, kind: str = "class") -> None:
    """Refuse a row whose largest joint probability is zero."""
    wrong = np.isneginf(best)
    if wrong.any():
        raise ZeroProbabilityError(
            f"Row {int(np.argmax(wrong))} is impossible in every {kind}, so "
            f"that no {kind} is more probable than another: without "
            "smoothing, what was never seen in training has probability zero. "
            "Use alpha > 0, and estimate='bayes' where there is a choice."
        )
