"""Probabilities of events, means and variances against sums over cells."""

import itertools
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_truth import (
    DICE,
    FACES,
    cells,
    joints,
    total,
)

from bayesbook.base import (
    ProbabilityError,
    ZeroProbabilityError,
)
from bayesbook.probability import ProbabilitySpace, Table


def test_probabilities_of_events_as_in_a_probability_space():
    space = ProbabilitySpace.uniform(itertools.product(FACES, repeat=2))
    eight = space.event(lambda roll: sum(roll) == 8)
    assert DICE.P(lambda X, Y: X + Y == 8) == space.P(eight)
    assert DICE.P(lambda Y, X: X + Y == 8, given={"X": 6}) == space.P(
        eight, given=lambda roll: roll[0] == 6
    )
    assert DICE.P({"X": 6}, given=lambda X, Y: X + Y == 8) == F(1, 5)
    assert DICE.P(lambda X: X > 7) == 0
    assert DICE.P(lambda Y: Y > 3, X=1) == F(1, 12)
    assert isinstance(DICE.P(X=1), F)
    rough = Table(DICE.values.astype(float), DICE.states)
    assert type(rough.P(X=1)) is float


@given(joints(least=2), st.data())
def test_expectations_are_sums_over_cells(joint, data):
    a, *behind = data.draw(st.permutations(joint.variables))
    distribution = cells(joint)
    at = {name: i for i, name in enumerate(joint.variables)}
    assert joint.expectation(a) == sum(
        key[at[a]] * p for key, p in distribution.items()
    )
    b = behind[0]
    names = [a, b]

    def f(**states):
        return states[a] ** 2 - 3 * states[b]

    # A function's parameters are the variables it looks at.
    looks = eval(f"lambda {a}, {b}: {a}**2 - 3*{b}")
    assert joint.expectation(looks) == sum(
        f(**{n: key[at[n]] for n in names}) * p
        for key, p in distribution.items()
    )
    whole = {
        s: total(distribution, joint.variables, **{b: s})
        for s in joint.states[b]
    }
    if not all(whole.values()):
        with pytest.raises(ZeroProbabilityError, match=f"{b}="):
            joint.expectation(a, given=b)
        return
    expected = {
        s: sum(
            key[at[a]] * p
            for key, p in distribution.items()
            if key[at[b]] == s
        )
        / whole[s]
        for s in joint.states[b]
    }
    assert joint.expectation(a, given=b) == expected
    for s, value in expected.items():
        assert joint.expectation(a, given={b: s}) == value
        spread = sum(
            (key[at[a]] - value) ** 2 * p
            for key, p in distribution.items()
            if key[at[b]] == s
        )
        assert joint.variance(a, given={b: s}) == spread / whole[s]
        assert joint.variance(a, given=b)[s] == spread / whole[s]


@given(joints(least=2, positive=True), st.data())
def test_the_total_distributions(joint, data):
    a, *behind = data.draw(st.permutations(joint.variables))
    one = behind[0]
    g = joint.expectation(a, given=one)
    weight = {s: joint.P({one: s}) for s in joint.states[one]}
    assert sum(weight[s] * g[s] for s in g) == joint.expectation(a)
    several = joint.expectation(a, given=behind)
    if len(behind) > 1:
        assert all(isinstance(key, tuple) for key in several)
    within, between = joint.total_variance(a, given=behind)
    assert within >= 0
    assert between >= 0
    assert within + between == joint.variance(a)
    means = list(several.values())
    p = [
        total(
            cells(joint),
            joint.variables,
            **dict(
                zip(behind, key if len(behind) > 1 else (key,), strict=True)
            ),
        )
        for key in several
    ]
    middle = sum(w * m for w, m in zip(p, means, strict=True))
    assert between == sum(
        w * (m - middle) ** 2 for w, m in zip(p, means, strict=True)
    )


@given(joints(least=2), st.data())
def test_what_is_impossible_does_not_matter_to_the_total_variance(joint, data):
    a, *behind = data.draw(st.permutations(joint.variables))
    at = {name: i for i, name in enumerate(joint.variables)}
    slices = {}
    for key, p in cells(joint).items():
        place = tuple(key[at[b]] for b in behind)
        slices.setdefault(place, []).append((key[at[a]], p))
    inner, outer = [], []
    for cases in slices.values():
        weight = sum(p for _, p in cases)
        if weight > 0:
            mean = sum(x * p for x, p in cases) / weight
            inner.append(sum((x - mean) ** 2 * p for x, p in cases))
            outer.append((mean - joint.expectation(a)) ** 2 * weight)
    parts = joint.total_variance(a, given=behind)
    assert parts == (sum(inner), sum(outer))
    floats = Table(joint.values.astype(float), joint.states)
    assert floats.total_variance(a, given=behind) == pytest.approx(parts)


def test_a_finer_variable_beside_the_coarser_one():
    table = Table.from_space(
        ProbabilitySpace.uniform(range(1, 7)),
        X=lambda face: face,
        Half=lambda face: (face - 1) // 3,
        Third=lambda face: (face - 1) // 2,
    )
    fine = table.marginal("X", "Half", "Third")
    within, between = fine.total_variance("X", given=["Half", "Third"])
    # The classes are 1 2, 3, 4, 5 6; only the pairs vary within.
    assert (within, between) == (F(1, 6), F(35, 12) - F(1, 6))
    with pytest.raises(ZeroProbabilityError, match="Half=0, Third=2"):
        fine.expectation("X", given=["Half", "Third"])


def test_expectations_of_every_kind_of_function():
    assert DICE.expectation(lambda X, Y: X * Y) == F(49, 4)
    assert DICE.expectation(lambda X: X > 4) == F(1, 3)
    assert DICE.expectation(lambda X: X / 2.0) == pytest.approx(1.75)
    assert isinstance(DICE.expectation(lambda X: X / 2.0), float)
    # A default is a constant of the function, and no variable.
    assert DICE.expectation(lambda X, shift=1: X + shift) == F(9, 2)
    best = DICE.expectation(lambda X, Y: max(X, Y), given="X")
    assert best == {x: F(x * x + sum(range(x + 1, 7)), 6) for x in FACES}
    # Of what is known nothing is left to average.
    assert DICE.expectation("X", given="X") == {x: x for x in FACES}
    assert DICE.variance("X", given=["X", "Y"])[3, 4] == 0
    assert DICE.expectation(lambda X, Y: X * Y, given={"X": 2}) == 7


def test_expectations_under_a_conditional_table():
    p = DICE.conditional("Y", given="X")
    assert p.expectation("Y", given="X") == dict.fromkeys(FACES, F(7, 2))
    assert p.expectation(lambda X: X, given="X") == {x: x for x in FACES}
    assert p.expectation(lambda X, Y: X + Y, given={"X": 2}) == F(11, 2)
    with pytest.raises(
        ProbabilityError, match="a distribution for each state of X"
    ):
        p.expectation("Y")
    with pytest.raises(ProbabilityError, match="until the state of X"):
        p.P(Y=1)
    with pytest.raises(ProbabilityError, match="until the state of X"):
        p.P({"Y": 1}, given=lambda X: X == 1)


def test_expectations_given_what_is_behind_the_bar_and_more():
    keys = itertools.product((0, 1, 2), repeat=3)
    p = Table.from_counts(
        {key: 1 + sum(key) ** 2 for key in keys}, ["X", "Y", "Z"], exact=True
    )
    behind = p.conditional(["X", "Y"], given="Z")
    given_both = ["Z", "Y"]
    for of in ("X", lambda X, Y: X * Y):
        assert behind.expectation(of, given_both) == p.expectation(
            of, given_both
        )
        assert behind.variance(of, given_both) == p.variance(of, given_both)


@pytest.mark.parametrize(
    "name", ["self", "cls", "space", "event", "given", "of", "evidence"]
)
def test_a_variable_may_have_the_name_of_a_parameter(name):
    space = ProbabilitySpace.uniform(range(4))
    p = Table.from_space(space, **{name: lambda w: w % 2}, Y=lambda w: w)
    assert p.given({name: 1}).evidence == {name: 1}
    assert p.P({name: 1}, given={"Y": 3}) == 1
    assert p.expectation(name, given={"Y": 3}) == 1
    assert p.rename({"Y": "Z"}).marginal(name).variables == (name,)
    if name != "given":
        assert p.P(**{name: 1}) == F(1, 2)
