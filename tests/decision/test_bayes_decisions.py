"""Best decisions against trying every rule that there is."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError
from bayesbook.decision import (
    LossMatrix,
    absolute_loss,
    bayes_decision_rule,
    bayes_risk,
    expected_risk,
    log_loss,
    squared_loss,
    zero_one_loss,
)
from bayesbook.probability import Table

NAN, INF = float("nan"), float("inf")
CARE = LossMatrix([[0, 1], [10, 0]], ("ill", "well"), ("treat", "wait"))
CLINIC = Table(
    [["9/100", "1/100"], ["18/100", "72/100"]],
    {"state": ("ill", "well"), "test": ("+", "-")},
)


@st.composite
def problems(draw):
    """Draw a joint distribution of X and Y, with zeros, and losses for Y."""
    seen, states = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    decisions = draw(st.integers(1, 3))
    weights = [
        [draw(st.integers(0, 3)) for _ in range(states)] for _ in range(seen)
    ]
    weights[draw(st.integers(0, seen - 1))][0] += 1
    total = sum(map(sum, weights))
    distribution = [[F(n, total) for n in row] for row in weights]
    loss = st.integers(-3, 5)
    losses = [[draw(loss) for _ in range(states)] for _ in range(decisions)]
    return distribution, losses


def named(distribution, losses):
    """Give the table and the loss matrix of lists of numbers."""
    x, y = (
        range(len(distribution)),
        [f"y{j}" for j in range(len(distribution[0]))],
    )
    decisions = [f"a{i}" for i in range(len(losses))]
    return Table(distribution, {"X": x, "Y": y}), LossMatrix(
        losses, y, decisions
    )


def risk_of(rule, distribution, losses):
    """Give the expected loss of a rule, a decision for each x."""
    return sum(
        p * losses[decision][y]
        for decision, row in zip(rule, distribution, strict=True)
        for y, p in enumerate(row)
    )


@given(problems())
def test_no_rule_is_better_than_the_bayes_rule(drawn):
    distribution, losses = drawn
    risks = {
        rule: risk_of(rule, distribution, losses)
        for rule in product(range(len(losses)), repeat=len(distribution))
    }
    least = min(risks.values())
    joint, loss = named(distribution, losses)
    assert bayes_risk(joint, "Y", loss) == least
    assert isinstance(bayes_risk(joint, "Y", loss), F)
    best = bayes_decision_rule(joint, "Y", loss)
    assert list(best) == [x for x, row in enumerate(distribution) if any(row)]
    # The rules of least risk are those that are best wherever they matter.
    optimal = {rule for rule, risk in risks.items() if risk == least}
    assert optimal == {
        rule
        for rule in risks
        if all(f"a{rule[x]}" in decisions for x, decisions in best.items())
    }


@given(problems(), st.data())
def test_the_expected_risk_is_a_sum_over_the_table(drawn, data):
    distribution, losses = drawn
    rule = [data.draw(st.integers(0, len(losses) - 1)) for _ in distribution]
    joint, loss = named(distribution, losses)
    truth = risk_of(rule, distribution, losses)
    decisions = {x: f"a{a}" for x, a in enumerate(rule)}
    risk = expected_risk(joint, "Y", decisions, loss)
    assert risk == truth
    assert isinstance(risk, F)
    assert expected_risk(joint, "Y", lambda X: decisions[X], loss) == truth
    by_formula = expected_risk(
        joint, "Y", decisions, lambda y, a: losses[int(a[1])][int(y[1])]
    )
    assert by_formula == truth
    floats = Table(np.array(distribution, float), dict(joint.states))
    risk = expected_risk(floats, "Y", decisions, loss)
    assert type(risk) is float
    assert risk == pytest.approx(float(truth), abs=1e-12)
    rough = LossMatrix(np.array(losses, float), loss.states, loss.decisions)
    risk = expected_risk(joint, "Y", decisions, rough)
    assert type(risk) is float
    assert risk == pytest.approx(float(truth), abs=1e-12)
    assert expected_risk(joint.transpose("Y", "X"), "Y", decisions, loss) == (
        truth
    )


@given(problems())
def test_floats_give_the_same_rule(drawn):
    distribution, losses = drawn
    joint, loss = named(distribution, losses)
    floats = Table(np.array(distribution, float), dict(joint.states))
    assert bayes_decision_rule(floats, "Y", loss) == bayes_decision_rule(
        joint, "Y", loss
    )
    risk = bayes_risk(floats, "Y", loss)
    assert type(risk) is float
    assert risk == pytest.approx(float(bayes_risk(joint, "Y", loss)))


@given(problems())
def test_zero_one_loss_takes_the_most_probable_state(drawn):
    distribution, _ = drawn
    joint, _ = named(distribution, [[0] * len(distribution[0])])
    most = {
        x: tuple(f"y{j}" for j, p in enumerate(row) if p == max(row))
        for x, row in enumerate(distribution)
        if any(row)
    }
    assert bayes_decision_rule(joint, "Y") == most
    assert bayes_risk(joint, "Y") == 1 - sum(map(max, distribution))


def test_the_clinic_by_hand():
    assert bayes_decision_rule(CLINIC, "state", CARE) == {
        "+": ("treat",),
        "-": ("wait",),
    }
    assert bayes_risk(CLINIC, "state", CARE) == F(18, 100) + F(10, 100)
    reject = CARE.with_reject("1/9")
    assert bayes_decision_rule(CLINIC, "state", reject) == {
        "+": ("reject",),
        "-": ("reject",),
    }
    assert bayes_risk(CLINIC, "state", reject) == F(1, 9)


def test_states_are_matched_by_name():
    swapped = CARE.with_states(("well", "ill"))
    assert bayes_decision_rule(
        CLINIC, "state", swapped
    ) == bayes_decision_rule(CLINIC, "state", CARE)
    always = {"+": "wait", "-": "wait"}
    assert expected_risk(CLINIC, "state", always, swapped) == 1


def test_a_bare_matrix_is_in_the_order_of_the_states():
    bare = [[0, 1], [10, 0]]
    assert bayes_decision_rule(CLINIC, "state", bare) == {
        "+": ("ill",),
        "-": ("well",),
    }


def test_several_variables_are_seen_or_none():
    cells = {
        (x, z, y): F(1 + x + 2 * z * y, 18)
        for x in (0, 1)
        for z in (0, 1)
        for y in (0, 1)
    }
    total = sum(cells.values())
    joint = Table.from_counts(cells, ["X", "Z", "Y"], exact=True)
    rule = bayes_decision_rule(joint, "Y")
    assert rule == {
        (0, 0): (0, 1),
        (0, 1): (1,),
        (1, 0): (0, 1),
        (1, 1): (1,),
    }
    best = sum(
        max(cells[x, z, 0], cells[x, z, 1]) for x in (0, 1) for z in (0, 1)
    )
    assert bayes_risk(joint, "Y") == 1 - best / total
    for predictor in (
        dict.fromkeys(rule, 1),
        lambda X, Z: 1,
        lambda Z, X: max(X, 1),
        lambda Z: max(Z, 1),
        lambda X, unused=None: 1,
    ):
        assert expected_risk(joint, "Y", predictor, zero_one_loss) == (
            sum(cells[x, z, 0] for x in (0, 1) for z in (0, 1)) / total
        )
    prior = joint.marginal("Y")
    assert bayes_decision_rule(prior, "Y") == {(): (1,)}
    assert bayes_risk(prior, "Y") == prior.P(Y=0)
    for predictor in ({(): 0}, lambda: 0):
        assert expected_risk(prior, "Y", predictor, zero_one_loss) == (
            prior.P(Y=1)
        )


def test_the_mean_has_the_least_squared_loss():
    joint = Table(
        [["1/8", "1/8", "0"], ["1/4", "1/4", "1/4"]],
        {"X": (0, 1), "Y": (0, 1, 5)},
    )
    mean = joint.expectation("Y", given="X")
    parts = joint.total_variance("Y", given="X")
    assert expected_risk(joint, "Y", mean, squared_loss) == parts.within
    # Between 0 and 1 every number is a median given X = 0.
    for low in (0, F(1, 3), 1):
        risk = expected_risk(joint, "Y", {0: low, 1: 1}, absolute_loss)
        assert risk == F(1, 8) + F(1, 4) * (1 + 4)


def test_what_has_probability_zero_needs_no_decision():
    joint = Table([["1/2", "1/2"], [0, 0]], {"X": "ab", "Y": "cd"})
    assert bayes_decision_rule(joint, "Y") == {"a": ("c", "d")}
    assert bayes_risk(joint, "Y") == F(1, 2)
    half = F(1, 2)
    assert expected_risk(joint, "Y", {"a": "c"}, zero_one_loss) == half
    asked = []

    def predictor(X):
        asked.append(X)
        return "c"

    assert expected_risk(joint, "Y", predictor, zero_one_loss) == half
    assert asked == ["a"]


def test_an_infinite_loss_counts_only_where_it_can_occur():
    joint = Table([["1/2", "0"], ["1/4", "1/4"]], {"X": "ab", "Y": "cd"})

    def sure(X):
        return [1.0, 0.0]

    def half_sure(X):
        return [1.0, 0.0] if X == "a" else [0.5, 0.5]

    def loss(y, distribution):
        return log_loss(y, distribution, classes="cd")

    assert expected_risk(joint, "Y", sure, loss) == INF
    risk = expected_risk(joint, "Y", half_sure, loss)
    assert risk == pytest.approx(np.log(2) / 2)


# --- Errors ---------------------------------------------------------------

P_TEST = CLINIC.conditional("test", given="state")


@pytest.mark.parametrize("of", [bayes_decision_rule, bayes_risk])
@pytest.mark.parametrize(
    ("joint", "target", "loss", "message"),
    [
        (
            P_TEST,
            "test",
            None,
            r"not a joint distribution: multiply it by P\(state\)",
        ),
        (CLINIC, "stat", None, "'stat' is not a variable.*mean 'state'"),
        (CLINIC, "test", CARE, r"no state '\+'; its states are 'ill'"),
        (CLINIC, "state", [[0, 1]], r"shape \(1, 2\)"),
        (CLINIC, "state", [[0, NAN], [1, 0]], "is nan"),
    ],
)
def test_no_bayes_rule(of, joint, target, loss, message):
    with pytest.raises(ProbabilityError, match=message):
        of(joint, target, loss)


@pytest.mark.parametrize("of", [bayes_decision_rule, bayes_risk])
@pytest.mark.parametrize(
    ("joint", "target", "loss", "message"),
    [
        ({"a": 1}, "a", None, "joint distribution as a Table, not dict"),
        (CLINIC, ("state",), None, "give the name of one variable"),
        (CLINIC, "state", zero_one_loss, "'zero_one_loss'; make a matrix"),
    ],
)
def test_no_decision_for_arguments_of_a_wrong_type(
    of, joint, target, loss, message
):
    with pytest.raises(TypeError, match=message):
        of(joint, target, loss)


@pytest.mark.parametrize(
    ("predictor", "loss", "message"),
    [
        ("wait", CARE, "neither a function, such as lambda test: "),
        (lambda test: "wait", None, "loss is None, neither a function"),
    ],
)
def test_no_risk_for_arguments_of_a_wrong_type(predictor, loss, message):
    with pytest.raises(TypeError, match=message):
        expected_risk(CLINIC, "state", predictor, loss)


@pytest.mark.parametrize(
    ("predictor", "loss", "message"),
    [
        ({"+": "wait"}, CARE, "no decision for test=-"),
        (
            {"+": "wait", "-": "wait", "?": "wait"},
            CARE,
            r"decision for '\?', but test can only be '\+', '-'",
        ),
        (lambda state: state, CARE, "uses 'state', which it has to"),
        (lambda tset: tset, CARE, "'tset' is not a variable.*mean 'test'"),
        (lambda test: "weit", CARE, "decision is 'weit'.*Did you mean 'wait'"),
        (lambda test: "wait", lambda y, a: NAN, "'wait' when the .* is nan"),
        (lambda test: "wait", lambda y, a: "much", "is 'much': not a number"),
        (
            lambda test: "wait",
            lambda y, a: np.array([1, 2]),
            r"loss of 'wait' when the truth is 'ill' is array\(\[1, 2\]\)",
        ),
    ],
)
def test_no_expected_risk(predictor, loss, message):
    with pytest.raises(ProbabilityError, match=message):
        expected_risk(CLINIC, "state", predictor, loss)


def test_a_function_that_hides_its_arguments():
    with pytest.raises(ProbabilityError, match=r"lambda test: … around it"):
        expected_risk(CLINIC, "state", range, zero_one_loss)


def test_an_unknown_state_among_several_others():
    joint = CLINIC * Table(["1/2", "1/2"], {"sex": "fm"})
    with pytest.raises(
        ProbabilityError, match=r"for '\+', but \(test, sex\) can only be"
    ):
        expected_risk(joint, "state", {"+": "ill"}, zero_one_loss)
    with pytest.raises(ProbabilityError, match=r"for test=\+, sex=f"):
        expected_risk(joint, "state", {}, zero_one_loss)
