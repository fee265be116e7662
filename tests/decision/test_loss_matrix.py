"""Loss matrices against sums that are written out."""

import copy
import pickle
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError
from bayesbook.decision import (
    LossMatrix,
    absolute_loss,
    squared_loss,
    zero_one_loss,
)
from bayesbook.probability import Table

NAN, INF = float("nan"), float("inf")
CARE = LossMatrix([[0, 1], [10, 0]], ("ill", "well"), ("treat", "wait"))


@st.composite
def problems(draw):
    """Draw losses, also negative ones, and distributions, as fractions."""
    decisions, states = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    loss = st.integers(-5, 5)
    losses = [[draw(loss) for _ in range(states)] for _ in range(decisions)]
    distributions = []
    for _ in range(draw(st.integers(1, 3))):
        weights = [draw(st.integers(0, 6)) for _ in range(states)]
        weights[draw(st.integers(0, states - 1))] += 1
        distributions.append([F(n, sum(weights)) for n in weights])
    return losses, distributions


def risks_of(losses, distribution):
    return [
        sum(cost * p for cost, p in zip(row, distribution, strict=True))
        for row in losses
    ]


def matrix(losses):
    return LossMatrix(
        losses,
        states=[f"state {j}" for j in range(len(losses[0]))],
        decisions=[f"decision {i}" for i in range(len(losses))],
    )


# --- Conditional risk and best decisions ----------------------------------


@given(problems())
def test_the_conditional_risk_is_a_sum_over_the_states(drawn):
    losses, distributions = drawn
    truth = [risks_of(losses, distribution) for distribution in distributions]
    loss = matrix(losses)
    assert loss.conditional_risk(distributions).tolist() == truth
    assert loss.conditional_risk(distributions[0]).tolist() == truth[0]
    floats = np.array(distributions, dtype=float)
    assert loss.conditional_risk(floats).dtype == float
    np.testing.assert_allclose(
        loss.conditional_risk(floats), np.array(truth, float), atol=1e-14
    )


@given(problems())
def test_the_best_decisions_are_those_of_least_risk(drawn):
    losses, distributions = drawn
    loss = matrix(losses)
    truth = []
    for distribution in distributions:
        risks = risks_of(losses, distribution)
        truth.append(
            tuple(
                decision
                for decision, risk in zip(loss.decisions, risks, strict=True)
                if risk == min(risks)
            )
        )
    assert loss.all_best(distributions) == truth
    assert loss.best(distributions).tolist() == [best[0] for best in truth]
    assert loss.all_best(distributions[0]) == truth[0]
    assert loss.best(distributions[0]) == truth[0][0]
    # Numbers such as 1/3 are rounded, and tie nevertheless.
    floats = np.array(distributions, dtype=float)
    assert loss.all_best(floats) == truth
    assert loss.best(floats).tolist() == [best[0] for best in truth]


@given(problems(), st.randoms())
def test_distributions_with_names_are_put_in_order(drawn, random):
    losses, distributions = drawn
    loss = matrix(losses)
    order = list(range(len(loss.states)))
    random.shuffle(order)
    names = [loss.states[j] for j in order]
    shuffled = [
        [distribution[j] for j in order] for distribution in distributions
    ]
    truth = loss.conditional_risk(distributions).tolist()
    frame = pd.DataFrame(shuffled, columns=names)
    assert loss.conditional_risk(frame).tolist() == truth
    one = dict(zip(names, shuffled[0], strict=True))
    for distribution in (
        one,
        pd.Series(one),
        Table(shuffled[0], {"Y": names}),
    ):
        assert loss.conditional_risk(distribution).tolist() == truth[0]


def test_a_distribution_given_something_is_a_distribution():
    joint = Table(
        [["1/10", "1/10"], ["1/5", "3/5"]],
        {"test": "+-", "state": ("well", "ill")},
    )
    assert CARE.conditional_risk(joint.given(test="-")).tolist() == [
        F(1, 4),
        F(15, 2),
    ]


def test_exact_numbers_stay_exact_and_floats_do_not_become_so():
    exact = CARE.conditional_risk(["1/3", "2/3"])
    assert exact.tolist() == [F(2, 3), F(10, 3)]
    assert CARE.is_exact
    assert CARE.conditional_risk([1, 0]).tolist() == [0.0, 10.0]
    rough = LossMatrix([[0, 0.5], [1, 0]], "ab")
    assert not rough.is_exact
    assert rough.values.dtype == float
    risk = rough.conditional_risk(["1/2", "1/2"])
    assert risk.dtype == float
    assert risk.tolist() == [0.25, 0.5]


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_what_counts_as_a_tie_goes_with_the_size_of_the_losses(scale):
    loss = LossMatrix([[0, scale], [scale, 0]], "ab")
    assert loss.all_best([0.5 - 4e-13, 0.5 + 4e-13]) == ("a", "b")
    assert loss.best([0.5 - 4e-13, 0.5 + 4e-13]) == "a"
    assert loss.all_best([0.5 - 6e-13, 0.5 + 6e-13]) == ("b",)
    assert loss.best([0.5 - 6e-13, 0.5 + 6e-13]) == "b"


def test_exact_risks_tie_only_if_they_are_equal():
    loss = LossMatrix.zero_one("ab")
    a_little = F(1, 10**15)
    assert loss.all_best([F(1, 2) - a_little, F(1, 2) + a_little]) == ("b",)


@given(st.lists(st.integers(1, 30), min_size=2, max_size=4), st.integers(1, 9))
def test_rejecting_is_best_below_the_threshold_of_chow(weights, tenths):
    cost = F(tenths, 10)
    distribution = [F(n, sum(weights)) for n in weights]
    loss = LossMatrix.zero_one(range(len(distribution))).with_reject(cost)
    best = loss.all_best(distribution)
    assert ("reject" in best) == (max(distribution) <= 1 - cost)
    assert (len(best) > 1 or best[0] != "reject") == (
        max(distribution) >= 1 - cost
    )
    if max(distribution) == 1 - cost:
        assert loss.best(distribution) != "reject"


def test_single_precision_may_miss_one_by_its_own_rounding():
    distribution = np.array([[0.1, 0.2, 0.7]], dtype=np.float32)
    assert abs(distribution.astype(float).sum() - 1) > 1e-9
    loss = LossMatrix.zero_one("abc")
    assert loss.best(distribution).tolist() == ["c"]
    with pytest.raises(ProbabilityError, match="not to 1"):
        loss.best(distribution.astype(float))
    with pytest.raises(ProbabilityError, match="not to 1"):
        loss.best(distribution * np.float32(1.001))


def test_the_distribution_that_is_given_is_not_changed():
    distribution = np.array([[0.25, 0.75]])
    CARE.best(distribution)
    assert distribution.tolist() == [[0.25, 0.75]]
    assert distribution.flags.writeable


def test_decisions_keep_their_type():
    numbers = LossMatrix.zero_one([3, 5]).best([[0.1, 0.9]])
    assert numbers.dtype == int
    mixed = LossMatrix.zero_one([3, 5]).with_reject(0.2)
    best = mixed.best([[0.1, 0.9], [0.5, 0.5]])
    assert best.tolist() == [5, "reject"]
    pairs = LossMatrix.zero_one([(0, 1), (1, 0)])
    assert pairs.best([[0.1, 0.9]]).tolist() == [(1, 0)]
    assert pairs.best([0.1, 0.9]) == (1, 0)


# --- Making matrices ------------------------------------------------------


@pytest.mark.parametrize("loss", [zero_one_loss, squared_loss, absolute_loss])
def test_a_matrix_of_a_function_has_its_values(loss):
    made = LossMatrix.from_function(loss, states=(0, 2, 5), decisions=(1, 2))
    assert made.is_exact
    assert made.values.tolist() == [
        [loss(0, 1), loss(2, 1), loss(5, 1)],
        [loss(0, 2), loss(2, 2), loss(5, 2)],
    ]
    assert LossMatrix.from_function(loss, (1, 2)).decisions == (1, 2)


def test_the_truth_comes_first():
    made = LossMatrix.from_function(
        lambda truth, decision: 10 * truth + decision, (1, 2), (3, 4)
    )
    assert made.values.tolist() == [[13, 23], [14, 24]]


def test_zero_one_loss_is_one_off_the_diagonal():
    made = LossMatrix.zero_one("abc")
    assert made.values.tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    assert made.states == made.decisions == ("a", "b", "c")
    assert made == LossMatrix.from_function(zero_one_loss, "abc")


def test_a_reject_is_one_more_row():
    made = CARE.with_reject("1/4", name="ask")
    assert made.values.tolist() == [[0, 1], [10, 0], [F(1, 4), F(1, 4)]]
    assert made.decisions == ("treat", "wait", "ask")
    assert made.states == CARE.states
    assert not CARE.with_reject(0.25).is_exact
    assert CARE.decisions == ("treat", "wait")


def test_states_in_another_order():
    made = CARE.with_states(("well", "ill"))
    assert made.values.tolist() == [[1, 0], [0, 10]]
    assert made.states == ("well", "ill")
    assert made.decisions == CARE.decisions


def test_numpy_names_become_plain_ones():
    made = LossMatrix.zero_one(np.array([0, 1]))
    assert [type(state) for state in made.states] == [int, int]


# --- An immutable value ---------------------------------------------------


def test_a_matrix_cannot_be_changed():
    for attempt in (
        lambda: setattr(CARE, "states", ("a", "b")),
        lambda: delattr(CARE, "values"),
    ):
        with pytest.raises(AttributeError, match="make a new one"):
            attempt()
    with pytest.raises(ValueError, match="read-only"):
        CARE.values[0, 0] = 7
    mine = np.array([[0.0, 1.0], [2.0, 0.0]])
    loss = LossMatrix(mine, "ab")
    mine[0, 1] = 9
    assert loss.values[0, 1] == 1


def test_copies_are_equal():
    for twin in (pickle.loads(pickle.dumps(CARE)), copy.deepcopy(CARE)):
        assert twin == CARE
        assert hash(twin) == hash(CARE)
        assert twin.is_exact


def test_matrices_differ_in_values_states_or_decisions():
    for values, states, decisions in (
        ([[0, 1], [9, 0]], CARE.states, CARE.decisions),
        (CARE.values, CARE.states, CARE.states),
        (CARE.values, "ab", CARE.decisions),
    ):
        assert LossMatrix(values, states, decisions) != CARE
    assert CARE != "loss"


def test_what_is_shown():
    loss = LossMatrix([[0, 0.123456], [-1, 2]], ("a<b", "c"))
    assert repr(loss).splitlines() == [
        "loss",
        "decision  state=a<b  state=c",
        "a<b               0   0.1235",
        "c                -1        2",
    ]
    html = loss._repr_html_()
    assert '<th scope="row">a&lt;b</th><td>0</td><td>0.1235</td>' in html
    assert '<th scope="col" colspan="2">state</th>' in html
    assert '<th scope="col">a&lt;b</th>' in html
    assert "<caption>loss</caption>" in html


# --- Errors ---------------------------------------------------------------

MATRICES = {
    r"shape \(2, 2\), but 2 decisions \('a', 'b'\) and 3 states "
    r"\('x', 'y', 'z'\) need the shape \(2, 3\)": (
        [[0, 1], [1, 0]],
        "xyz",
        "ab",
    ),
    r"shape \(1, 2\).*need the shape \(2, 2\)": ([[0, 1]], "xy"),
    r"shape \(2,\)": ([[0, 1], [1]], "xy"),
    "loss of 'y' when the state is 'x' is nan: not a finite number": (
        [[0, 1], [NAN, 0]],
        "xy",
    ),
    "loss of 'x' when the state is 'y' is -inf: not a finite": (
        [[0, -INF], [1, 0]],
        "xy",
    ),
    "loss of 'x' when the state is 'y' is 'much': not a number": (
        [[0, "much"], [1, 0]],
        "xy",
    ),
    "loss of 'x' when the state is 'y' is None: not a number": (
        [[0, None], [1, 0]],
        "xy",
    ),
    "The state 'x' appears twice": ([[0, 1], [1, 0]], "xx"),
    "The decision 'a' appears twice": ([[0, 1], [1, 0]], "xy", "aa"),
    "There are no states": ([], ""),
    "There are no decisions": ([], "x", ()),
    "A state is missing": ([[0, 1], [1, 0]], ("x", None)),
    "A decision is missing": ([[0, 1], [1, 0]], "xy", ("x", NAN)),
    "A state cannot be .*unhashable": ([[0, 1], [1, 0]], ("x", [])),
    "The states are 3; give them as a list": ([[0]], 3),
    "The decisions are .*; give them as a list": ([[0]], "x", {"x"}),
}


def test_losses_of_a_wrong_type():
    with pytest.raises(TypeError, match=r"frame\.to_numpy"):
        LossMatrix(pd.DataFrame([[0, 1], [1, 0]]), "xy")
    with pytest.raises(TypeError, match="not a function"):
        LossMatrix.from_function([[0, 1], [1, 0]], "ab")


@pytest.mark.parametrize("message", MATRICES)
def test_a_matrix_that_cannot_be_one(message):
    with pytest.raises(ProbabilityError, match=message):
        LossMatrix(*MATRICES[message])


def frame(**columns):
    return pd.DataFrame(columns)


DISTRIBUTIONS = {
    "probability of 'well' in the posterior is nan": [0.5, NAN],
    "probability of 'ill' in row 1 of the posterior is nan": [
        [0.5, 0.5],
        [NAN, 0.5],
    ],
    "probability of 'ill' in row 1 of the posterior is -0.5: negative": [
        [0.5, 0.5],
        [-0.5, 1.5],
    ],
    "probability of 'well' in row 0 of the posterior is inf": [[0.5, INF]],
    "probability of 'ill' in row 1 of the posterior is -1/2: negative": [
        ["1/2", "1/2"],
        ["-1/2", "3/2"],
    ],
    "probability of 'ill' in the posterior is 'a': not a number": ["a", 1],
    "Row 1 of the posterior sums to 0.9, not to 1": [[0.5, 0.5], [0.4, 0.5]],
    "The posterior sums to 1.1, not to 1": [0.5, 0.6],
    "The posterior sums to 5/6, not to 1": ["1/2", "1/3"],
    "Row 1 of the posterior sums to 2, not": np.array([[0, 1], [1, 1]]),
    r"shape \(3,\); the 2 states 'ill', 'well' need \(2,\) or \(rows, 2\)": [
        0.2,
        0.3,
        0.5,
    ],
    r"shape \(1, 1, 2\)": [[[0.5, 0.5]]],
    r"shape \(\)": 0.5,
    "has no rows": np.empty((0, 2)),
    "rows of different lengths": [[0.5, 0.5], [1]],
    "probability of 'wel', which is not a state; .*Did you mean 'well'": {
        "ill": 0.5,
        "wel": 0.5,
    },
    "probability of 'sick', which is not a state": frame(
        sick=[0.5], well=[0.5]
    ),
    "has no probability of 'ill'": {"well": 1.0},
    "has 'ill' twice": pd.Series(
        [0.2, 0.3, 0.5], index=["ill", "ill", "well"]
    ),
    r"is P\(Y \| X\); give the distribution of one variable": Table(
        [[0.5, 0.5], [0.5, 0.5]],
        {"X": "ab", "Y": ("ill", "well")},
        given="X",
    ),
}


@pytest.mark.parametrize("message", DISTRIBUTIONS)
def test_a_posterior_that_cannot_be_one(message):
    for ask in (CARE.conditional_risk, CARE.best, CARE.all_best):
        with pytest.raises(ProbabilityError, match=message):
            ask(DISTRIBUTIONS[message])


def test_a_function_that_gives_no_loss():
    with pytest.raises(ProbabilityError, match="'a' when the state is 'b' is"):
        LossMatrix.from_function(lambda y, a: NAN if a < y else 0, "ab")
    with pytest.raises(ProbabilityError, match="There are no decisions"):
        LossMatrix.from_function(zero_one_loss, "ab", ())


def test_a_reject_that_cannot_be():
    with pytest.raises(ProbabilityError, match="'wait' is a decision already"):
        CARE.with_reject(1, name="wait")
    with pytest.raises(ProbabilityError, match="cost of 'reject' is nan"):
        CARE.with_reject(NAN)


def test_states_that_are_not_those_of_the_matrix():
    with pytest.raises(
        ProbabilityError, match="no state 'sick'; its states are 'ill', 'well'"
    ):
        CARE.with_states(("sick", "well"))
    with pytest.raises(
        ProbabilityError, match="has a state 'well', which is not one of 'ill'"
    ):
        CARE.with_states(("ill",))
    with pytest.raises(ProbabilityError, match="Did you mean 'ill'"):
        CARE.with_states(("il", "well"))
