"""Best decisions under the probabilities of a classifier."""

from __future__ import annotations

from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    clone,
)
from sklearn.utils import Tags, column_or_1d
from sklearn.utils.validation import check_is_fitted

from bayesbook.base import ProbabilityError
from bayesbook.base.classes import require_labels
from bayesbook.base.labels import plain
from bayesbook.base.names import quoted_list
from bayesbook.base.numbers import FLOAT_TOLERANCE
from bayesbook.decision.loss_matrix import LossMatrix, read_loss

#: By how much sums of an estimator's probabilities may differ from one.
ROUNDING = 1e-6


class CostSensitiveClassifier(
    MetaEstimatorMixin, ClassifierMixin, BaseEstimator
):
    r"""A classifier that minimises a loss under another's probabilities.

    .. math:: \alpha(x) = \arg\min_i \sum_j \lambda_{ij} \, \hat P(j \mid x)

    Costs change the decisions and not the probabilities, so that the inner
    classifier is trained as usual. The decisions are only as good as its
    probabilities are calibrated.

    Parameters
    ----------
    estimator : scikit-learn classifier
        A classifier with `predict_proba`. A clone of it is trained.
    loss : LossMatrix or array of shape (K, K), optional
        The states of a :class:`LossMatrix` are the classes; its decisions
        may be others, such as to reject. An array has a row for each
        decision and a column for each true class, both in the order of
        `classes_`. By default zero-one loss.

    Attributes
    ----------
    estimator_ : classifier
        The trained clone.
    classes_ : array of shape (K,)
        The classes, sorted.
    loss_ : LossMatrix
        The loss, its states in the order of `classes_`.
    n_features_in_, feature_names_in_
        Those of `estimator_`, if it has them.

    See Also
    --------
    LossMatrix.with_reject : the loss of a classifier that may reject.
    sklearn.model_selection.TunedThresholdClassifierCV : for two classes, a
        threshold that is tuned to a score instead of derived from a loss.

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, Proceedings of
    IJCAI 17, 973-978.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X = [[1.0], [2.0], [4.0], [5.0]]
    >>> y = ["well", "well", "ill", "ill"]
    >>> GaussianNB().fit(X, y).predict([[2.5], [3.5]]).tolist()
    ['well', 'ill']
    >>> loss = LossMatrix([[0, 1], [1000, 0]], states=("ill", "well"))
    >>> careful = CostSensitiveClassifier(GaussianNB(), loss).fit(X, y)
    >>> careful.predict([[2.5], [3.5]]).tolist()
    ['ill', 'ill']
    """

    def __init__(
        self, estimator: Any, loss: LossMatrix | ArrayLike | None = None
    ):
        self.estimator = estimator
        self.loss = loss

    def fit(self, X: Any, y: ArrayLike, **fit_params: Any) -> Self:
        """Fit a clone of the estimator.

        Parameters
        ----------
        X : array_like, sparse matrix or data frame
            Rows that the estimator can read.
        y : array_like of shape (n,)
            Labels of at least two classes.
        **fit_params
            Passed on to the estimator's `fit`, such as `sample_weight`.

        Returns
        -------
        CostSensitiveClassifier
            Itself.

        Raises
        ------
        ProbabilityError
            If the estimator has no `predict_proba`, a label is missing, there
            is only one class, or the loss does not fit these classes.
        TypeError
            If the loss is a function.
        """
        if not hasattr(self.estimator, "predict_proba"):
            raise ProbabilityError(
                f"{type(self.estimator).__name__} has no predict_proba; "
                "wrap it in sklearn.calibration.CalibratedClassifierCV."
            )
        labels: Any = y
        if y is not None:
            labels = column_or_1d(y, warn=True)
            require_labels(labels)
            # Read before the training, which may take long.
            self.loss_ = self._loss_for(np.unique(labels))
        self.estimator_ = clone(self.estimator).fit(X, labels, **fit_params)
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probabilities of the classes: those of the estimator.

        Parameters
        ----------
        X : array_like, sparse matrix or data frame

        Returns
        -------
        array of shape (n, K)
            Columns in the order of `classes_`.
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def predict(self, X: Any) -> np.ndarray:
        """Return the decisions of least conditional risk.

        Parameters
        ----------
        X : array_like, sparse matrix or data frame

        Returns
        -------
        array of shape (n,)
            The first of the best decisions on ties. They have the type of
            `classes_`, if all decisions of the loss are classes; otherwise a
            type that holds all decisions.

        Raises
        ------
        ProbabilityError
            If the estimator's probabilities are not a distribution. If sums
            differ from one by less than 1e-6, as after rounding, the
            probabilities are divided by them.
        """
        check_is_fitted(self)
        posterior = _normalised(self.predict_proba(X))
        decisions = cast(np.ndarray, self.loss_.best(posterior))
        if set(self.loss_.decisions) <= set(self.loss_.states):
            return decisions.astype(self.classes_.dtype)
        return decisions

    def score(self, X: Any, y: ArrayLike, sample_weight: Any = None) -> float:
        """Return the accuracy: the share of cases with the right class.

        A case that is rejected counts as a mistake. The mean loss of the
        decisions is
        ``empirical_risk(classifier.loss_, y, classifier.predict(X))``.

        Parameters
        ----------
        X : array_like, sparse matrix or data frame
        y : array_like of shape (n,)
            The true labels.
        sample_weight : array_like of shape (n,), optional

        Returns
        -------
        float

        Raises
        ------
        ProbabilityError
            If no decision of the loss is a class, so that none can be right.
        """
        predicted = self.predict(X)
        if set(self.loss_.decisions).isdisjoint(self.loss_.states):
            raise ProbabilityError(
                f"The decisions {quoted_list(self.loss_.decisions)} are not "
                "classes and have no accuracy; use "
                "empirical_risk(classifier.loss_, y, classifier.predict(X))."
            )
        right = predicted == column_or_1d(y)
        return float(np.average(right, weights=sample_weight))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = self.estimator.__sklearn_tags__()
        tags.input_tags = inner.input_tags
        tags.classifier_tags = inner.classifier_tags
        tags.classifier_tags.multi_label = False
        return tags

    def _loss_for(self, classes) -> LossMatrix:
        """Read the loss for the classes of the data."""
        if len(classes) == 0:
            raise ProbabilityError("y is empty: there is no class to learn.")
        if len(classes) == 1:
            raise ProbabilityError(
                f"There is only one class in y, {plain(classes[0])!r}; a "
                "classifier needs at least two."
            )
        return read_loss(self.loss, classes)


def _normalised(probabilities):
    """Divide rows by their sums if only rounding makes these differ from 1."""
    array = np.asarray(probabilities)
    if array.ndim != 2 or array.dtype != float:
        return probabilities
    totals = array.sum(axis=1, keepdims=True)
    off = np.abs(totals - 1)
    near = ((off > FLOAT_TOLERANCE) & (off < ROUNDING)).ravel()
    array = array.copy()
    array[near] /= totals[near]
    return array
