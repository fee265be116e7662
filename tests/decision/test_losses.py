"""Losses and their means against loops over pairs."""

import math
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError
from bayesbook.decision import (
    LossMatrix,
    absolute_loss,
    empirical_risk,
    log_loss,
    squared_loss,
    structural_risk,
    zero_one_loss,
)
from bayesbook.probability import Table

NAN, INF = float("nan"), float("inf")
CARE = LossMatrix([[0, 1], [10, 0]], ("ill", "well"), ("treat", "wait"))
FORMULAS = {
    zero_one_loss: lambda y, a: 0 if y == a else 1,
    squared_loss: lambda y, a: (y - a) * (y - a),
    absolute_loss: lambda y, a: y - a if y > a else a - y,
}
pairs = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1)


@given(pairs, st.sampled_from(list(FORMULAS)))
def test_losses_are_taken_pair_by_pair(drawn, loss):
    formula = FORMULAS[loss]
    truth, prediction = map(list, zip(*drawn, strict=True))
    expected = [formula(y, a) for y, a in drawn]
    assert loss(truth, prediction).tolist() == expected
    assert loss(np.array(truth), pd.Series(prediction)).tolist() == expected
    assert loss(np.array([truth]), [prediction]).tolist() == [expected]
    constant = [formula(y, 2) for y in truth]
    assert loss(truth, 2).tolist() == constant
    assert loss(2, truth).tolist() == [formula(2, y) for y in truth]
    mean = sum(expected) / len(expected)
    assert empirical_risk(loss, truth, prediction) == pytest.approx(mean)


@pytest.mark.parametrize("loss", [squared_loss, absolute_loss])
def test_numbers_stay_what_they_are(loss):
    square = loss is squared_loss
    for value, kind, truth in (
        (loss(3, 1), int, 4 if square else 2),
        (loss(np.int64(3), 1), int, 4 if square else 2),
        (loss(F(1, 2), 2), F, F(9, 4) if square else F(3, 2)),
        (loss(0.5, 2), float, 2.25 if square else 1.5),
        (loss(F(1, 2), 2.0), float, 2.25 if square else 1.5),
        (loss(True, False), int, 1),
    ):
        assert type(value) is kind
        assert value == truth
    fractions = loss([F(1, 2), F(1, 3)], [1, 1])
    halves = [F(1, 4), F(4, 9)] if square else [F(1, 2), F(2, 3)]
    assert fractions.tolist() == halves
    assert loss([F(1, 2), 1.0], [1, 1]).dtype == float
    assert loss([1.0, 2.0], 1).dtype == float
    # One float is enough, on either side.
    assert loss([F(1, 2), F(1, 3)], [1.0, 1.0]).dtype == float
    # Of two integers the loss is exact, of an array and one it is not.
    assert loss([3, 5], 1).dtype == float
    # Bytes would give 255 for 1 - 2.
    small = loss(np.array([1], np.uint8), np.array([2], np.uint8))
    assert small.tolist() == [1]


def test_labels_of_any_type():
    assert zero_one_loss("a", "a") == 0
    assert type(zero_one_loss("a", "b")) is int
    assert zero_one_loss(["a", "b"], "b").tolist() == [1, 0]
    # Next to a text, numpy would make a text of the 0.
    assert zero_one_loss([0, "a"], ["0", "a"]).tolist() == [1, 0]
    assert zero_one_loss([0, 1], [0, "reject"]).tolist() == [0, 1]
    assert zero_one_loss(
        np.array(["a", "b"]), pd.Series(["a", "c"])
    ).tolist() == [0, 1]


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.lists(st.integers(1, 9), min_size=3)),
        min_size=2,
    )
)
def test_the_log_loss_is_that_of_scikit_learn(drawn):
    truth = [y for y, _ in drawn]
    rows = np.array([weights[:3] for _, weights in drawn], float)
    rows /= rows.sum(axis=1, keepdims=True)
    losses = log_loss(truth, rows)
    by_hand = [-math.log(row[y]) for y, row in zip(truth, rows, strict=True)]
    np.testing.assert_allclose(losses, by_hand, rtol=1e-12)
    assert empirical_risk(log_loss, truth, rows.tolist()) == pytest.approx(
        sklearn.metrics.log_loss(truth, rows, labels=[0, 1, 2])
    )


def test_the_log_loss_finds_classes_by_name():
    rows = [[0.25, 0.75], [0.5, 0.5]]
    truth = [-math.log(0.75), -math.log(0.5)]
    for losses in (
        log_loss(["b", "a"], rows, classes=("a", "b")),
        log_loss(["b", "a"], rows, classes=np.array(["a", "b"])),
        log_loss(np.array(["b", "a"]), pd.DataFrame(rows, columns=["a", "b"])),
        log_loss([1, 0], rows),
    ):
        np.testing.assert_allclose(losses, truth)
    for distribution in (
        {"a": "1/4", "b": "3/4"},
        pd.Series({"a": 0.25, "b": 0.75}),
        Table([0.25, 0.75], {"Y": "ab"}),
    ):
        assert log_loss("b", distribution) == pytest.approx(truth[0])
    # Names are matched even if the classes are in another order.
    frame = pd.DataFrame(rows, columns=["a", "b"])
    np.testing.assert_allclose(log_loss(["b", "a"], frame, "ba"), truth)
    assert type(log_loss(1, [0.25, 0.75])) is float


def test_the_log_loss_is_infinite_for_what_was_excluded():
    assert log_loss([0, 1], [[1, 0], [1, 0]]).tolist() == [0, INF]
    assert empirical_risk(log_loss, [0, 1], [[1, 0], [1, 0]]) == INF
    assert math.copysign(1, log_loss(0, [1.0, 0.0])) == 1


# --- Risks over data ------------------------------------------------------


def test_a_matrix_is_looked_up_with_the_decision_as_row():
    truth = ["ill", "well", "ill", "well"]
    decisions = ["wait", "wait", "treat", "treat"]
    assert empirical_risk(CARE, truth, decisions) == (10 + 0 + 0 + 1) / 4
    assert empirical_risk(CARE, np.array(truth), pd.Series(decisions)) == 2.75
    assert empirical_risk(CARE, truth, "wait") == 5
    assert type(empirical_risk(CARE, truth, decisions)) is float
    numbers = LossMatrix([[0, 1], [3, 0]], (0, 1)).with_reject(0.5)
    decided = np.array([1, "reject", 0], dtype=object)
    assert empirical_risk(numbers, [0, 0, 1], decided) == 1.5


def test_any_function_can_be_a_loss():
    assert empirical_risk(lambda y, a: abs(y - a) ** 3, [1, 2], [2, 4]) == 4.5
    assert empirical_risk(lambda y, a: y + 2 * a, (1, 2), 1) == 3.5
    # Twice a tuple would be the tuple twice.
    for prediction in ([3, 4], (3, 4)):
        risk = empirical_risk(lambda y, a: y + 2 * a, (1, 2), prediction)
        assert risk == 8.5


@given(pairs, st.integers(-5, 5), st.integers(0, 5))
def test_structural_risk_adds_a_penalty(drawn, penalty, weight):
    truth, prediction = map(list, zip(*drawn, strict=True))
    mean = sum((y - a) ** 2 for y, a in drawn) / len(drawn)
    risk = structural_risk(squared_loss, truth, prediction, penalty, weight)
    assert risk == pytest.approx(mean + weight * penalty)
    assert type(risk) is float
    assert structural_risk(
        CARE, ["ill"], ["wait"], F(1, 2), "1/2"
    ) == pytest.approx(10.25)


# --- Errors ---------------------------------------------------------------

ELEMENTWISE = {
    r"truth has the shape \(2,\), the prediction \(3,\)": ([1, 2], [1, 2, 3]),
    r"truth has the shape \(2,\), the prediction \(2, 1\)": (
        [1, 2],
        [[1], [2]],
    ),
    "The truth is empty": ([], []),
    "The prediction is empty": (1, []),
    r"The truth\[1\] is nan": ([1, NAN], [1, 2]),
    r"The prediction\[0\] is nan": ([1, 2], [NAN, 2]),
    r"The prediction\[1, 0\] is nan": ([[1], [2]], [[1], [NAN]]),
    "The truth is nan": (NAN, 1),
    "The prediction has rows of different lengths": ([1], [[1], [1, 2]]),
}


@pytest.mark.parametrize("loss", FORMULAS)
@pytest.mark.parametrize("message", ELEMENTWISE)
def test_pairs_that_have_no_loss(loss, message):
    with pytest.raises(ProbabilityError, match=message):
        loss(*ELEMENTWISE[message])


@pytest.mark.parametrize("loss", [squared_loss, absolute_loss])
@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ([1, INF], r"The truth\[1\] is inf: not a finite number"),
        (["1", 2], r"The truth\[0\] is '1', not a number; for labels there"),
        (np.array(["a", "b"]), r"The truth\[0\] is 'a', not a number"),
        ([F(1), None], r"The truth\[1\] is None: not a number"),
        ([F(1), INF], r"The truth\[1\] is inf: not a finite number"),
    ],
)
def test_numbers_that_are_none(loss, truth, message):
    with pytest.raises(ProbabilityError, match=message):
        loss(truth, [1, 2])


def test_labels_that_are_missing_or_never_agree():
    with pytest.raises(ProbabilityError, match=r"truth\[1\] is None: missing"):
        zero_one_loss(["a", None], ["a", "b"])
    message = "the truth has 'a', the prediction 0"
    for truth, prediction in (
        (["a", "b"], [0, 1]),
        (np.array(["a", "b"]), np.array([0.0, 1.0])),
        ("a", [0, 1]),
        ("a", np.array([0, 1.5], dtype=object)),
    ):
        with pytest.raises(ProbabilityError, match=message):
            zero_one_loss(truth, prediction)
    with pytest.raises(ProbabilityError, match="the prediction False"):
        zero_one_loss("a", [False, True])


LOG = {
    "column_stack": ([0, 1], [0.2, 0.4]),
    "Row 1 of the probabilities sums to 0.9": (
        [0, 1],
        [[0.5, 0.5], [0.4, 0.5]],
    ),
    "probability of 1 in row 0 of the probabilities is nan": (
        [0],
        [[0.5, NAN]],
    ),
    "probability of 1 in row 0 of the probabilities is -0.5": (
        [0],
        [[1.5, -0.5]],
    ),
    "truth in row 1 is 2, which is none of 0, 1": (
        [0, 2],
        [[0.5, 0.5], [0.5, 0.5]],
    ),
    "truth in row 0 is 'spma', .* Did you mean 'spam'": (
        ["spma"],
        [[0.5, 0.5]],
        ("spam", "ham"),
    ),
    "The truth is 'c', which is none of 'a', 'b'": ("c", {"a": 0.5, "b": 0.5}),
    r"truth has the shape \(1,\), but there are 2 rows": (
        [0],
        [[0.5, 0.5], [0.5, 0.5]],
    ),
    "The truth is empty": ([], [[0.5, 0.5]]),
    r"truth\[0\] is nan: missing": ([NAN], [[0.5, 0.5]]),
    r"shape \(1, 2\); the 3 states": ([0], [[0.5, 0.5]], (0, 1, 2)),
    "The class 'a' appears twice": ([0], [[0.5, 0.5]], "aa"),
}


@pytest.mark.parametrize("message", LOG)
def test_no_log_loss(message):
    with pytest.raises(ProbabilityError, match=message):
        log_loss(*LOG[message])


EMPIRICAL = {
    "The truth is empty": (lambda y, a: y - a, [], []),
    r"loss has the shape \(\) for truths of the shape \(2,\)": (
        lambda y, a: 1.0,
        [1, 2],
        [1, 2],
    ),
    r"loss has the shape \(2, 2\)": (
        lambda y, a: y[:, None] - a,
        [1, 2],
        [1, 2],
    ),
    r"loss has the shape \(1, 2\) for truths of the shape \(1, 2\)": (
        squared_loss,
        [[1, 2]],
        [[1, 2]],
    ),
    "loss of observation 1 is nan": (
        lambda y, a: y - a,
        [1.0, NAN],
        [1.0, 2.0],
    ),
    "losses are not numbers": (lambda y, a: y, ["a"], ["a"]),
    "truth in row 1 is 'il', .*Did you mean 'ill'": (
        CARE,
        ["ill", "il"],
        ["wait", "wait"],
    ),
    "prediction in row 0 is 'weit', .*Did you mean 'wait'": (
        CARE,
        ["ill"],
        ["weit"],
    ),
    r"truth has the shape \(1,\), the prediction \(2,\)": (
        CARE,
        ["ill"],
        ["wait", "wait"],
    ),
    r"truth has the shape \(\); give a list of states": (CARE, "ill", "wait"),
}


@pytest.mark.parametrize("message", EMPIRICAL)
def test_no_empirical_risk(message):
    with pytest.raises(ProbabilityError, match=message):
        empirical_risk(*EMPIRICAL[message])


def test_a_loss_of_a_wrong_type():
    with pytest.raises(TypeError, match="'squared', neither a function"):
        empirical_risk("squared", [1], [1])


@pytest.mark.parametrize(
    ("penalty", "weight", "message"),
    [
        (1, -0.5, "weight of the penalty is -0.5: negative"),
        (1, NAN, "weight of the penalty is nan: not a finite number"),
        (INF, 1, "penalty is inf: not a finite number"),
        ("much", 1, "penalty is 'much': not a number"),
    ],
)
def test_no_structural_risk(penalty, weight, message):
    with pytest.raises(ProbabilityError, match=message):
        structural_risk(squared_loss, [1], [1], penalty, weight)


def test_numbers_too_large_to_be_squared():
    for values in (
        [1e200],
        [-1e200],
        np.float32([1]) * 1.0 + [1e200],
        [10**400],
    ):
        with pytest.raises(ProbabilityError, match="choose another unit"):
            squared_loss(values, [1])
    assert squared_loss(np.float32([3]), [1]).tolist() == [4]


def test_generators_are_read():
    assert squared_loss(iter([1, 3]), [1, 1]).tolist() == [0, 4]
    assert zero_one_loss(iter("ab"), ["a", "a"]).tolist() == [0, 1]


def test_infinite_gains_have_no_mean():
    with pytest.raises(ProbabilityError, match="observation 1 is -inf"):
        empirical_risk(lambda y, a: np.array([INF, -INF]), [1, 2], [1, 2])


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        (0.5, "There are no classes"),
        ([[0.5, 0.5], [1]], "rows of different lengths"),
    ],
)
def test_probabilities_without_columns(probabilities, message):
    with pytest.raises(ProbabilityError, match=message):
        log_loss([0, 1], probabilities)
