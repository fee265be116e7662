"""Losses of single predictions, and their means over data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import codes_of, plain, read_labels, unknown
from bayesbook.base.numbers import LARGEST, Number
from bayesbook.decision._reading import (
    read_array,
    read_finite,
    read_number,
    read_posterior,
)
from bayesbook.decision.loss_matrix import LossMatrix, Posterior
from bayesbook.probability import Table

#: A loss of truths and predictions, elementwise, or a matrix of losses.
Loss = Callable | LossMatrix


def zero_one_loss(truth: ArrayLike, prediction: ArrayLike) -> int | np.ndarray:
    r"""Return one for each mistake, where the prediction is not the truth.

    .. math:: L(y, \hat y) = [\, y \neq \hat y \,]

    Parameters
    ----------
    truth, prediction : array_like or scalar
        Labels of any type, of the same shape, or one of them is a scalar.

    Returns
    -------
    int or array of int
        0 or 1.

    Raises
    ------
    ProbabilityError
        If the shapes differ, an array is empty, a label is missing, or one
        side has texts and the other numbers, so that they could never agree.

    Examples
    --------
    >>> zero_one_loss(["spam", "ham"], ["spam", "spam"]).tolist()
    [0, 1]
    """
    y, a = _pair(truth, prediction, _labels)
    kinds = {_kind(y), _kind(a)}
    if kinds == {"texts", "numbers"}:
        raise ProbabilityError(
            "Texts and numbers never agree: the truth has "
            f"{plain(y.flat[0])!r}, the prediction {plain(a.flat[0])!r}."
        )
    return _number_or_array(np.asarray(y != a).astype(int))


def squared_loss(
    truth: ArrayLike, prediction: ArrayLike
) -> Fraction | float | np.ndarray:
    r"""Return the square of the error.

    .. math:: L(y, \hat y) = (y - \hat y)^2

    Parameters
    ----------
    truth, prediction : array_like or scalar
        Finite numbers, of the same shape, or one of them is a scalar; True
        and False count as 1 and 0.

    Returns
    -------
    number or array of numbers
        Exact for two integers, and if there are fractions but no floats;
        otherwise floats.

    Raises
    ------
    ProbabilityError
        If the shapes differ, an array is empty, or a value is not a finite
        number.

    Examples
    --------
    >>> squared_loss([1.5, 2.0], [1.0, 4.0]).tolist()
    [0.25, 4.0]
    """
    y, a = _number_pair(truth, prediction)
    return _number_or_array((y - a) ** 2)


def absolute_loss(
    truth: ArrayLike, prediction: ArrayLike
) -> Fraction | float | np.ndarray:
    r"""Return the absolute value of the error.

    .. math:: L(y, \hat y) = |y - \hat y|

    Parameters, result and errors are those of :func:`squared_loss`.

    Examples
    --------
    >>> absolute_loss([1.5, 2.0], [1.0, 4.0]).tolist()
    [0.5, 2.0]
    """
    y, a = _number_pair(truth, prediction)
    return _number_or_array(abs(y - a))


def log_loss(
    truth: Any, probabilities: Posterior, classes: Sequence | None = None
) -> float | np.ndarray:
    r"""Return minus the logarithm of the probability of the truth.

    .. math:: L(y, p) = -\ln p(y)

    Parameters
    ----------
    truth : array_like of n labels, or a label
    probabilities : array of shape (n, K), or (K,) for one label
        A distribution of the classes for each truth. A data frame has a column
        for each class; for one label it may be a table of one variable or a
        mapping from classes to probabilities.
    classes : sequence, optional
        The labels of the columns; by default the names of the probabilities,
        and otherwise 0, ..., K - 1.

    Returns
    -------
    float or array of n floats
        In nats; infinite where the truth has the probability zero.

    Raises
    ------
    ProbabilityError
        If there is no truth, the shape is wrong, a row is not a distribution
        (a probability is negative or not a finite number, or they do not sum
        to one), or a truth is not a class.

    Examples
    --------
    >>> loss = log_loss(["a", "b"], [[0.5, 0.5], [0.9, 0.1]], classes="ab")
    >>> loss.round(4).tolist()
    [0.6931, 2.3026]
    """
    named = Table | Mapping | pd.Series | pd.DataFrame
    if not isinstance(probabilities, named):
        probabilities = read_array(probabilities, "The probabilities")
    if np.ndim(truth) and np.ndim(probabilities) == 1:
        raise ProbabilityError(
            "There are several truths, but one distribution. With two classes "
            "and p the probability of the second, give a column for each: "
            "np.column_stack([1 - p, p])."
        )
    if classes is None:
        classes = _names_of(probabilities)
    classes = read_labels(classes, "class")
    rows = read_posterior(probabilities, classes, "probabilities")
    rows = rows.astype(float)
    if rows.ndim == 1:
        if plain(truth) not in classes:
            raise unknown(plain(truth), classes, "The truth")
        given = rows[classes.index(plain(truth))]
    else:
        truth = _labels(truth, "truth")
        if truth.shape != rows.shape[:1]:
            raise ProbabilityError(
                f"The truth has the shape {truth.shape}, but there are "
                f"{len(rows)} rows of probabilities."
            )
        codes = codes_of(truth, classes, "The truth")
        given = rows[np.arange(len(rows)), codes]
    with np.errstate(divide="ignore"):
        # 0.0 minus, because minus zero would have a sign.
        loss = 0.0 - np.log(given)
    return _number_or_array(loss)


def empirical_risk(
    loss: Loss, truth: ArrayLike, prediction: ArrayLike | pd.DataFrame
) -> float:
    r"""Return the mean loss over data.

    .. math:: R_\text{emp}(f) = \frac1n \sum_{i=1}^n L(y_i, f(x_i))

    Parameters
    ----------
    loss : function or LossMatrix
        A function of arrays of truths and predictions, such as
        :func:`squared_loss` or ``lambda y, a: abs(y - a) ** 3``; or the
        matrix of the losses of each decision in each state.
    truth : array_like
        The true labels or numbers, or states of the matrix.
    prediction : array_like
        The predictions, or decisions of the matrix; for :func:`log_loss` the
        probabilities.

    Returns
    -------
    float
        Infinite if a loss is.

    Raises
    ------
    ProbabilityError
        As the loss does; and if there is no observation, or the loss is not
        one number for each, or is NaN or minus infinity.
    TypeError
        If the loss is neither a function nor a matrix.

    Examples
    --------
    >>> empirical_risk(absolute_loss, [1, 2, 6], [1, 3, 4])
    1.0
    >>> loss = LossMatrix([[0, 1], [10, 0]], ("ill", "well"),
    ...                   ("treat", "wait"))
    >>> empirical_risk(loss, ["ill", "well"], ["wait", "wait"])
    5.0
    """
    if isinstance(loss, LossMatrix):
        losses = _matrix_losses(loss, truth, prediction)
    elif callable(loss):
        truth = read_array(truth, "The truth")
        if isinstance(prediction, list | tuple):
            prediction = read_array(prediction, "The prediction")
        losses = np.asarray(loss(truth, prediction))
        if truth.ndim != 1 or losses.shape != truth.shape:
            raise ProbabilityError(
                f"The loss has the shape {losses.shape} for truths of the "
                f"shape {truth.shape}; a risk is a mean of one loss for each "
                "observation."
            )
    else:
        raise TypeError(
            f"The loss is {loss!r}, neither a function of truth and "
            "prediction, such as squared_loss, nor a LossMatrix."
        )
    if not losses.size:
        raise ProbabilityError("The truth is empty: there is no mean loss.")
    try:
        losses = losses.astype(float)
    except (TypeError, ValueError) as error:
        raise ProbabilityError(
            f"The losses are not numbers: {error}."
        ) from None
    wrong = np.isnan(losses) | (losses == -np.inf)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ProbabilityError(
            f"The loss of observation {row} is {losses[row]}."
        )
    return float(losses.mean())


def structural_risk(
    loss: Loss,
    truth: ArrayLike,
    prediction: ArrayLike | pd.DataFrame,
    penalty: Number,
    weight: Number,
) -> float:
    r"""Return the mean loss over data plus a penalty of the model.

    .. math:: R_\text{srm}(f)
        = \frac1n \sum_{i=1}^n L(y_i, f(x_i)) + \lambda J(f)

    Parameters
    ----------
    loss, truth, prediction
        As for :func:`empirical_risk`, with the same errors.
    penalty : number
        J(f), the complexity of the model; for instance minus the log prior
        density of its parameters, which may be negative.
    weight : number
        λ, at least zero.

    Returns
    -------
    float

    Raises
    ------
    ProbabilityError
        If the penalty or the weight is not a finite number, or the weight
        is negative.

    References
    ----------
    Li (2019), *Statistical Learning Methods*, section 1.3.

    Examples
    --------
    The mean loss is 1, the sum of the squared coefficients 4:

    >>> structural_risk(squared_loss, [1, 3], [2, 2], penalty=4, weight=0.5)
    3.0
    """
    J = read_finite(penalty, "The penalty")
    factor = read_finite(weight, "The weight of the penalty")
    if factor < 0:
        raise ProbabilityError(
            f"The weight of the penalty is {factor}: negative."
        )
    return empirical_risk(loss, truth, prediction) + float(factor * J)


def _matrix_losses(loss, truth, prediction):
    """Return the loss of each decision in its state."""
    truth, prediction = _pair(truth, prediction, _labels)
    if truth.ndim != 1:
        raise ProbabilityError(
            f"The truth has the shape {truth.shape}; give a list of states."
        )
    states = codes_of(truth, loss.states, "The truth")
    decisions = codes_of(
        np.broadcast_to(prediction, truth.shape),
        loss.decisions,
        "The prediction",
    )
    return loss.values[decisions, states]


def _pair(truth, prediction, read):
    """Read truths and predictions of fitting shapes."""
    truth, prediction = read(truth, "truth"), read(prediction, "prediction")
    if truth.ndim and prediction.ndim and truth.shape != prediction.shape:
        raise ProbabilityError(
            f"The truth has the shape {truth.shape}, the prediction "
            f"{prediction.shape}: give one prediction for each truth, or a "
            "single one for all."
        )
    return truth, prediction


def _number_pair(truth, prediction):
    """Read numbers whose differences and squares do not overflow."""
    pair = _pair(truth, prediction, _numbers)
    kinds = {array.dtype.kind for array in pair}
    single = not any(array.ndim for array in pair)
    # Integers of a fixed size would overflow. Floats hold their squares; for
    # single numbers, and beside fractions, Python's integers do.
    exact = "f" not in kinds and ("O" in kinds or single)
    return [array.astype(object if exact else float) for array in pair]


def _labels(values, what):
    """Read labels, of which none is missing."""
    array = read_array(values, f"The {what}")
    _require_some(array, what)
    missing = pd.isna(array)
    if np.any(missing):
        raise ProbabilityError(f"{_at(array, missing, what)}: missing.")
    return array


def _kind(array):
    """Return "texts", "numbers", or the name of a mixture."""
    kind = pd.api.types.infer_dtype(array.ravel(), skipna=False)
    if kind == "string":
        return "texts"
    numeric = ("boolean", "integer", "floating", "mixed-integer-float")
    return "numbers" if kind in numeric else kind


def _numbers(values, what):
    """Read floats, integers or fractions."""
    array = read_array(values, f"The {what}")
    _require_some(array, what)
    kind = array.dtype.kind
    if kind in "biu":
        return array
    if kind != "f":
        array = np.array(array, dtype=object)
        for place in np.ndindex(array.shape):
            array[place] = _real(array[place], f"The {what}{_index(place)}")
        if all(isinstance(x, int | Fraction) for x in array.flat):
            return array
    array = array.astype(float)
    wrong = ~np.isfinite(array)
    if wrong.any():
        raise ProbabilityError(
            f"{_at(array, wrong, what)}: not a finite number."
        )
    wrong = abs(array) > LARGEST
    if wrong.any():
        raise ProbabilityError(
            f"{_at(array, wrong, what)}: too large, choose another unit."
        )
    return array


def _real(value, what):
    """Read a number, and refuse a text."""
    if isinstance(value, str):
        raise ProbabilityError(
            f"{what} is {value!r}, not a number; for labels there are "
            "zero_one_loss and LossMatrix."
        )
    return read_number(value, what)


def _require_some(array, what):
    """Refuse an empty array."""
    if not array.size:
        raise ProbabilityError(f"The {what} is empty.")


def _at(array, wrong, what):
    """Return the first wrong value as text."""
    place = tuple(np.argwhere(wrong)[0]) if array.ndim else ()
    return f"The {what}{_index(place)} is {plain(array[place])}"


def _index(place):
    return f"[{', '.join(map(str, place))}]" if place else ""


def _number_or_array(array):
    """Return an array without axes as a number."""
    return array if np.ndim(array) else plain(np.asarray(array)[()])


def _names_of(probabilities):
    """Return the names of the classes, or their numbers 0, 1, 2, ..."""
    if isinstance(probabilities, pd.DataFrame):
        return probabilities.columns
    if isinstance(probabilities, pd.Series):
        return probabilities.index
    if isinstance(probabilities, Table):
        return next(iter(probabilities.states.values()))
    if isinstance(probabilities, Mapping):
        return tuple(probabilities)
    return range(probabilities.shape[-1] if probabilities.ndim else 0)
