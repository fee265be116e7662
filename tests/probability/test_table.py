"""Tables against plain dictionaries: adding up cells, by the definitions."""

import itertools
import math
import pickle
from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.data import load_berkeley_admissions
from bayesbook.probability import ProbabilitySpace, Table

# -- the independent truth: a dictionary from states to fractions ------------


def cells(table):
    """Give a table as a dictionary from tuples of states to numbers."""
    places = itertools.product(*map(range, table.shape))
    keys = itertools.product(*table.states.values())
    return {
        key: table.values[place]
        for key, place in zip(keys, places, strict=True)
    }


def total(distribution, names, **wanted):
    """Add up the cells that have the wanted states."""
    at = {name: i for i, name in enumerate(names)}
    return sum(
        p
        for key, p in distribution.items()
        if all(key[at[name]] == state for name, state in wanted.items())
    )


@st.composite
def joints(draw, least=1, most=4, positive=False):
    """Draw exact joint tables with variables A, B, ... of 1 to 3 states."""
    n = draw(st.integers(least, most))
    names = "ABCD"[:n]
    shape = [draw(st.integers(1, 3)) for _ in names]
    size = math.prod(shape)
    weights = draw(
        st.lists(st.integers(int(positive), 9), min_size=size, max_size=size)
    )
    assume(sum(weights))
    values = np.array([F(w, sum(weights)) for w in weights], dtype=object)
    states = {name: range(k) for name, k in zip(names, shape, strict=True)}
    return Table(values.reshape(shape), states)


def subsets(table):
    names = table.variables
    return st.sets(st.sampled_from(names)).map(
        lambda chosen: [name for name in names if name in chosen]
    )


# -- the three operations ----------------------------------------------------


@given(joints(), st.data())
def test_a_marginal_adds_up_what_is_left_out(joint, data):
    names = data.draw(st.permutations(joint.variables))
    names = names[: data.draw(st.integers(1, len(names)))]
    marginal = joint.marginal(*names)
    assert marginal.variables == tuple(names)
    distribution = cells(joint)
    for key, p in cells(marginal).items():
        assert p == total(
            distribution, joint.variables, **dict(zip(names, key, strict=True))
        )


@given(joints(least=2), st.data())
def test_given_is_the_definition_of_conditional_probability(joint, data):
    known = data.draw(subsets(joint).filter(lambda s: s))
    assume(len(known) < len(joint.variables))
    evidence = {
        name: data.draw(st.sampled_from(joint.states[name])) for name in known
    }
    distribution = cells(joint)
    whole = total(distribution, joint.variables, **evidence)
    if whole == 0:
        with pytest.raises(ZeroProbabilityError):
            joint.given(evidence)
        return
    conditioned = joint.given(evidence)
    assert dict(conditioned.evidence) == evidence
    for key, p in cells(conditioned).items():
        states = dict(zip(conditioned.variables, key, strict=True))
        part = total(distribution, joint.variables, **states, **evidence)
        assert p == part / whole


@given(joints(least=2, positive=True), st.data())
def test_conditioning_piece_by_piece_in_any_order(joint, data):
    assume(len(joint.variables) > 2)
    a, b, *_ = data.draw(st.permutations(joint.variables))
    x, y = (data.draw(st.sampled_from(joint.states[n])) for n in (a, b))
    at_once = joint.given({a: x, b: y})
    assert joint.given({a: x}).given({b: y}) == at_once
    assert joint.given({b: y}).given({a: x}) == at_once


@given(joints(least=2, positive=True), st.data())
def test_the_chain_rule_holds_in_every_order(joint, data):
    order = data.draw(st.permutations(joint.variables))
    product = joint.marginal(order[0])
    for i, name in enumerate(order[1:], start=1):
        product = product * joint.conditional(name, given=order[:i])
    assert product == joint
    assert product.conditions == ()


@given(joints(least=2, positive=True))
def test_bayes_rule_turns_a_conditional_round(joint):
    names = joint.variables
    a, rest = names[0], names[1:]
    backwards = joint.marginal(*rest) * joint.conditional(a, given=rest)
    for key, p in cells(joint.conditional(rest, given=a)).items():
        states = dict(zip((a, *rest), key, strict=True))
        posterior = backwards.P(
            {n: states[n] for n in rest}, given={a: states[a]}
        )
        assert posterior == p


@given(joints(least=2), st.data())
def test_a_conditional_table_is_a_column_of_ratios(joint, data):
    a, *behind = data.draw(st.permutations(joint.variables))
    distribution = cells(joint)
    wholes = [
        total(
            distribution,
            joint.variables,
            **dict(zip(behind, key, strict=True)),
        )
        for key in itertools.product(*(joint.states[n] for n in behind))
    ]
    if not all(wholes):
        with pytest.raises(ZeroProbabilityError, match="Cannot condition on"):
            joint.conditional(a, given=behind)
        return
    conditional = joint.conditional(a, given=behind)
    assert conditional.targets == (a,)
    assert conditional.conditions == tuple(behind)
    for key, p in cells(conditional).items():
        states = dict(zip(conditional.variables, key, strict=True))
        whole = {n: states[n] for n in behind}
        assert p == total(distribution, joint.variables, **states) / total(
            distribution, joint.variables, **whole
        )


def test_a_condition_stays_when_more_are_added():
    p = Table.from_counts(
        {
            (a, b, c): 1 + a + 2 * b * c
            for a in (0, 1)
            for b in (0, 1)
            for c in (0, 1)
        },
        ["A", "B", "C"],
        exact=True,
    )
    a_b = p.conditional(["A", "B"], given="C")
    assert a_b.conditional("A", given="B") == p.conditional("A", ["B", "C"])
    assert a_b.given(B=1) == Table(
        p.given(B=1).conditional("A", given="C").values,
        {"C": (0, 1), "A": (0, 1)},
        given="C",
    )
    assert a_b.given(C=1) == p.given(C=1)
    assert a_b.marginal("A") == p.conditional("A", given="C")
    # Nothing to divide by: the table itself.
    assert p.conditional(["A", "B", "C"]) == p


def test_the_table_of_the_docstring_in_numbers():
    p_sky = Table(["3/4", "1/4"], {"sky": ("sun", "rain")})
    p_street = Table(
        [["9/10", "1/10"], ["1/5", "4/5"]],
        {"sky": ("sun", "rain"), "street": ("dry", "wet")},
        given="sky",
    )
    joint = p_sky * p_street
    assert joint.P(sky="rain", street="wet") == F(1, 4) * F(4, 5)
    assert joint.P({"sky": "rain"}, given={"street": "wet"}) == F(8, 11)
    assert p_street.P(street="wet", given={"sky": "sun"}) == F(1, 10)


# -- products ----------------------------------------------------------------


def test_names_decide_what_is_multiplied_and_not_the_order_of_axes():
    p_x = Table([0.25, 0.75], {"X": ("a", "b")})
    p_yx = Table(
        [[0.1, 0.6], [0.9, 0.4]], {"Y": (0, 1), "X": ("b", "a")}, given="X"
    )
    assert p_yx.P(Y=0, given={"X": "b"}) == 0.1
    joint = p_x * p_yx
    assert joint.P(X="a", Y=0) == pytest.approx(0.25 * 0.6)
    assert joint.P(X="b", Y=0) == pytest.approx(0.75 * 0.1)
    assert (p_yx * p_x).allclose(joint)


def test_two_conditional_tables_multiply_to_a_conditional_one():
    z = {"Z": (0, 1)}
    p_x = Table([["1/2", "1/2"], ["1/4", "3/4"]], {**z, "X": (0, 1)}, "Z")
    p_y = Table([["1/3", "2/3"], [0, 1]], {**z, "Y": (0, 1)}, "Z")
    both = p_x * p_y
    assert both.title == "P(X, Y | Z)"
    assert both.P(X=1, Y=1, given={"Z": 0}) == F(1, 2) * F(2, 3)
    assert both.independent("X", "Y")


def test_exact_times_float_is_float_and_exact_times_exact_exact():
    exact = Table(["1/3", "2/3"], {"X": (0, 1)})
    rough = Table([0.5, 0.5], {"Y": (0, 1)})
    assert not (exact * rough).is_exact
    assert (exact * exact.rename({"X": "Z"})).is_exact
    whole = Table([[1, 0], [0, 1]], {"X": (0, 1), "Z": (0, 1)}, given="X")
    assert whole.is_exact
    assert (exact * whole).P(lambda X, Z: X == Z) == 1


def test_evidence_travels_with_a_product():
    joint = Table.from_counts(
        {(0, 0): 1, (0, 1): 3, (1, 0): 2, (1, 1): 2}, ["X", "Y"], exact=True
    )
    posterior = joint.given(Y=1)
    noise = Table([["1/2", "1/2"], [0, 1]], {"X": (0, 1), "Z": (0, 1)}, "X")
    assert (posterior * noise).title == "P(X, Z | Y=1)"
    assert (noise * posterior).evidence == {"Y": 1}
    pair = joint * Table(["1/2", "1/2"], {"Z": "uv"})
    twice = pair.given(Z="u").given(Y=1)
    assert twice.title == "P(X | Z=u, Y=1)"
    assert (twice * joint.given(Y=1).rename({"X": "W"})).evidence == {
        "Z": "u",
        "Y": 1,
    }
    other = joint.given(Y=0).rename({"X": "W"})
    with pytest.raises(ProbabilityError, match="one is given Y=1, the other"):
        posterior * other
    with pytest.raises(ProbabilityError, match="one is given Y=1"):
        posterior * joint.marginal("Y")


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        ("P(X)", "P(X | Y)", "'X' is in front of both bars"),
        ("P(X | Y)", "P(Y | X)", "each is conditioned on the other"),
        (
            "P(X)",
            "P(Z | X)",
            "The states of 'X' differ: 0, 1 in one table, "
            "'no', 'yes' in the other",
        ),
    ],
)
def test_a_product_that_is_no_probability_is_refused(left, right, message):
    half = [["1/2", "1/2"], ["1/4", "3/4"]]
    tables = {
        "P(X)": Table(["1/2", "1/2"], {"X": (0, 1)}),
        "P(X | Y)": Table(half, {"Y": (0, 1), "X": (0, 1)}, given="Y"),
        "P(Y | X)": Table(half, {"X": (0, 1), "Y": (0, 1)}, given="X"),
        "P(Z | X)": Table(half, {"X": ("no", "yes"), "Z": (0, 1)}, given="X"),
    }
    with pytest.raises(ProbabilityError, match=message):
        tables[left] * tables[right]


def test_a_product_with_a_number_is_a_type_error():
    with pytest.raises(TypeError):
        Table([1], {"X": [0]}) * 2


def test_a_product_that_is_too_large_is_refused_with_its_size():
    big = Table(
        np.full((300, 300), 1 / 90_000), {"X": range(300), "Y": range(300)}
    )
    other = big.rename({"X": "Z", "Y": "W"})
    with pytest.raises(
        TableTooLargeError,
        match=r"P\(X, Y\) and P\(Z, W\) would have 8.1e\+09 entries and need "
        "60.3 GiB of memory; the limit is 1 GiB",
    ):
        big * other
    small = Table([0.5, 0.5], {"Z": (0, 1)})
    assert big.multiply(small, max_bytes=1_440_000).shape == (300, 300, 2)
    with pytest.raises(TableTooLargeError, match=r"1\.37 MiB"):
        big.multiply(small, max_bytes=1_439_999)
    # Whole numbers become fractions, which need more room than floats.
    zeros = np.broadcast_to(0, (4000, 4000))
    with pytest.raises(MemoryError, match=r"1\.6e\+07 entries and need 1\.79"):
        Table(zeros, {"X": range(4000), "Y": range(4000)})
    many = ProbabilitySpace.uniform(range(4000))
    with pytest.raises(TableTooLargeError, match=r"1\.6e\+07 entries"):
        Table.from_space(many, X=lambda w: w, Y=lambda w: -w)


# -- events, expectations ----------------------------------------------------

FACES = range(1, 7)
DICE = Table.from_counts(
    {(i, j): 1 for i in FACES for j in FACES}, ["X", "Y"], exact=True
)


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


# -- independence ------------------------------------------------------------


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


def test_evidence_is_kept_as_the_table_has_it():
    p = DICE.conditional("X", given="Y").given(Y=np.int64(1))
    assert repr(p.evidence["Y"]) == "1"
    assert DICE.given(X=True).title == "P(Y | X=1)"


def test_the_order_of_a_set_plays_no_role():
    coin = Table(["1/2", "1/2"], {"Y": (0, 1)})
    p = coin
    for name in ("X10", "X9", "X1"):
        p *= coin.rename({"Y": name})
    behind = p.conditional("Y", given={"X9", "X10", "X1"})
    assert behind.variables == ("X1", "X9", "X10", "Y")


@given(joints(least=2, most=3))
def test_independence_is_the_product_rule_in_every_cell(joint):
    x, y, *z = joint.variables
    distribution, names = cells(joint), joint.variables
    gaps = {}
    for key in distribution:
        at = dict(zip(names, key, strict=True))
        behind = {n: at[n] for n in z}
        whole = total(distribution, names, **behind)
        if whole:
            both = total(distribution, names, **at) / whole
            alone = total(distribution, names, **{x: at[x]}, **behind) / whole
            other = total(distribution, names, **{y: at[y]}, **behind) / whole
            gaps[key] = abs(both - alone * other)
    check = joint.independent(x, y, given=z)
    assert check.gap == max(gaps.values())
    assert bool(check) == (check.gap == 0)
    if check:
        assert check.witness is None
        assert "are independent" in str(check)
    else:
        worst = tuple(check.witness[n] for n in names)
        assert gaps[worst] == check.gap
        assert check.gap == abs(check.joint - check.product)
        assert f"= {check.joint}, but" in str(check)
    # It does not matter who comes first.
    assert joint.independent(y, x, given=z).gap == check.gap


def test_independence_of_sets_and_behind_the_bar():
    coin = Table(["1/2", "1/2"], {"A": (0, 1)})
    b = coin.rename({"A": "B"})
    parity = Table(
        [[[1, 0], [0, 1]], [[0, 1], [1, 0]]],
        {"A": (0, 1), "B": (0, 1), "C": (0, 1)},
        given=["A", "B"],
    )
    joint = coin * b * parity
    assert joint.independent("A", "C")
    assert joint.independent("B", "C")
    check = joint.independent(["A", "B"], "C")
    assert not check
    assert str(check) == (
        "(A, B) and C are dependent:\n"
        "P(A=0, B=0, C=0) = 1/4, but\nP(A=0, B=0) P(C=0) = 1/8"
    )
    given_c = joint.conditional(["A", "B"], given="C")
    assert str(given_c.independent("A", "B")) == (
        "A and B are dependent given C:\n"
        "P(A=0, B=0 | C=0) = 1/2, but\nP(A=0 | C=0) P(B=0 | C=0) = 1/4"
    )
    assert str(joint.independent("A", "B")) == "A and B are independent"


@given(joints(least=2, most=3))
def test_the_witness_does_not_depend_on_the_last_digits(joint):
    rough = Table(joint.values.astype(float), joint.states)
    exact_check = joint.independent("A", "B")
    check = rough.independent("A", "B")
    assert check.witness == exact_check.witness
    assert check.gap == pytest.approx(float(exact_check.gap), abs=1e-12)


def test_fractions_that_nobody_can_picture_come_with_a_decimal():
    counts = {(0, 0): 313, (0, 1): 512, (1, 0): 19, (1, 1): 1198}
    p = Table.from_counts(counts, ["X", "Y"], exact=True)
    assert str(p.independent("X", "Y")) == (
        "X and Y are dependent:\n"
        "P(X=0, Y=0) = 313/2042 ≈ 0.1533, but\n"
        "P(X=0) P(Y=0) = 68475/1042441 ≈ 0.06569"
    )


def test_a_tolerance_forgives_what_it_says():
    eps = 1e-6
    p = Table(
        [[0.25 + eps, 0.25 - eps], [0.25 - eps, 0.25 + eps]],
        {"X": (0, 1), "Y": (0, 1)},
    )
    assert not p.independent("X", "Y")
    assert p.independent("X", "Y", tolerance=2 * eps)
    assert not p.independent("X", "Y", tolerance=eps / 2)


def test_nothing_is_rescaled_that_need_not_be():
    # Within the tolerance, but not one: each number stays what it is.
    high = 0.5 + 4e-10
    p = Table([high, 0.5], {"X": (0, 1)})
    q = p.rename({"X": "Z"})
    assert p.P(X=0) == p.conditional("X").P(X=0) == high
    assert p.expectation(lambda X: X == 0) == high
    given_x = Table([[high, 0.5]] * 2, {"X": (0, 1), "Y": (0, 1)}, "X")
    assert given_x.given(X=1).P(Y=0) == high
    assert given_x.expectation(lambda Y: Y == 0, given="X")[0] == high
    assert (p * q).marginal("X", "Z").P(X=0, Z=0) == high * high
    with pytest.raises(ProbabilityError, match=r"sum to 1 \+ 1e-12, not to 1"):
        Table([F(1, 10**12), 1], {"X": (0, 1)})


def test_the_gap_agrees_with_the_chi_squared_statistic():
    # Both measure the distance to the product of the margins.
    rng = np.random.default_rng(0)
    for _ in range(20):
        counts = rng.integers(1, 50, (3, 4))
        p = Table(counts / counts.sum(), {"X": range(3), "Y": range(4)})
        expected = chi2_contingency(counts).expected_freq / counts.sum()
        assert p.independent("X", "Y").gap == pytest.approx(
            np.abs(p.values - expected).max()
        )


# -- from and to data --------------------------------------------------------


def test_random_variables_push_the_probability_of_outcomes_forward():
    space = ProbabilitySpace.uniform(itertools.product(FACES, repeat=2))
    distribution = Table.from_space(space, low=min, total=sum)
    assert distribution.states["total"] == tuple(range(2, 13))
    for low, sum_ in itertools.product(FACES, range(2, 13)):
        event = space.event(
            lambda w, a=low, b=sum_: (min(w), sum(w)) == (a, b)
        )
        assert distribution.P(low=low, total=sum_) == space.P(event)
    mixed = Table.from_space(
        space, kind=lambda w: "pair" if w[0] == w[1] else 0
    )
    assert mixed.states["kind"] == ("pair", 0)


def test_counts_in_every_form_give_one_table():
    counts = {("a", 0): 3, ("a", 1): 1, ("b", 1): 4}
    expected = Table(
        [["3/8", "1/8"], [0, "1/2"]], {"X": ("a", "b"), "Y": (0, 1)}
    )
    assert Table.from_counts(counts, ["X", "Y"], exact=True) == expected
    series = pd.Series(counts).rename_axis(["X", "Y"])
    assert Table.from_counts(series, exact=True) == expected
    cross = series.unstack(fill_value=0)
    assert Table.from_counts(cross, exact=True) == expected
    frame = series.rename("n").reset_index()
    assert Table.from_frame(frame, weights="n", exact=True) == expected
    rows = frame.loc[frame.index.repeat(frame["n"]), ["X", "Y"]]
    assert Table.from_frame(rows, exact=True) == expected
    assert Table.from_frame(rows).allclose(expected)
    assert Table.from_frame(rows, "X", exact=True) == expected.marginal("X")
    assert Table.from_frame(
        rows, "X", given="Y", exact=True
    ) == expected.conditional("X", given="Y")
    one = Table.from_counts({"H": 3, "T": 1}, ["coin"], exact=True)
    assert one.P(coin="H") == F(3, 4)


def test_the_reversal_at_berkeley():
    joint = Table.from_frame(
        load_berkeley_admissions(), weights="applicants", exact=True
    )
    admitted = joint.conditional("decision", given="gender")
    rate = {
        gender: admitted.P(decision="admitted", given={"gender": gender})
        for gender in ("men", "women")
    }
    # Freedman, Pisani and Purves: 1198 of 2691 and 557 of 1835.
    assert rate == {"men": F(1198, 2691), "women": F(557, 1835)}
    by_department = joint.conditional("decision", ["gender", "department"])
    better = [
        by_department.P(
            decision="admitted", given={"gender": "women", "department": d}
        )
        > by_department.P(
            decision="admitted", given={"gender": "men", "department": d}
        )
        for d in "ABCDEF"
    ]
    assert sum(better) == 4


@given(joints())
def test_series_and_back(joint):
    assert Table.from_series(joint.to_series()) == joint
    rough = Table(joint.values.astype(float), joint.states)
    assert Table.from_series(rough.to_series()) == rough


def test_frames_are_laid_out_as_tables_are_drawn():
    p = DICE.conditional("Y", given="X")
    frame = p.to_frame()
    assert list(frame.index) == list(FACES)
    assert (frame.sum(axis=1) == 1).all()
    assert DICE.marginal("X").to_frame().shape == (1, 6)
    three = DICE * Table(["1/2", "1/2"], {"coin": "HT"})
    assert three.to_frame().index.names == ["X", "Y"]
    # What is behind the bar gives the rows, whichever axis it is.
    states = {"X": (0, 1), "Y": ("no", "yes")}
    turned = Table([[0.1, 0.2], [0.9, 0.8]], states, given="Y").to_frame()
    assert turned.loc["yes", 1] == 0.8
    assert list(turned.index) == ["no", "yes"]
    pairs = Table(["1/2", "1/2"], {"pair": [(0, 1), (1, 0)]})
    assert Table.from_series(pairs.to_series()) == pairs


def test_categories_of_a_column_are_states_even_if_they_do_not_occur():
    column = pd.Categorical(["low", "low"], categories=["low", "high"])
    p = Table.from_frame(pd.DataFrame({"X": column}))
    assert p.states["X"] == ("low", "high")
    assert p.P(X="high") == 0


# -- how it looks ------------------------------------------------------------


def test_values_of_a_column_are_sorted_if_they_can_be():
    frame = pd.DataFrame({"X": [3, 1, 3], "Y": ["b", 1, "a"]})
    p = Table.from_frame(frame)
    assert dict(p.states) == {"X": (1, 3), "Y": ("b", 1, "a")}
    assert p.P(X=3, Y="a") == p.P(X=1, Y=1) == 1 / 3


def test_a_table_is_drawn_with_a_row_for_each_condition():
    p = Table(
        [[[0.9, 0.1], [0.25, 0.75]], [[1, 0], [1 / 3, 2 / 3]]],
        {"A": ("no", "yes"), "B": (0, 1), "C": ("x", "y")},
        given=["A", "B"],
    )
    assert repr(p).splitlines() == [
        "P(C | A, B)",
        "A    B     C=x     C=y",
        "no   0  0.9000  0.1000",
        "no   1  0.2500  0.7500",
        "yes  0  1.0000  0.0000",
        "yes  1  0.3333  0.6667",
    ]
    html = p._repr_html_()
    assert "<caption>P(C | A, B)</caption>" in html
    assert '<th scope="row">yes</th><th scope="row">1</th><td>0.3333' in html
    assert '<th scope="col">C=y</th>' in html


@pytest.mark.parametrize(
    ("values", "cells"),
    [
        ([0.5, 0.5], ["0.5", "0.5"]),
        ([0.1, 0.9], ["0.1", "0.9"]),
        ([0.25, 0.75], ["0.25", "0.75"]),
        ([1.0, 0.0], ["1", "0"]),
        ([0.1 + 0.2, 0.7], ["0.3", "0.7"]),
        ([1 / 3, 2 / 3], ["0.3333", "0.6667"]),
        ([0.99999, 0.00001], ["1.0000", "1e-05"]),
        ([0.999996, 0.000004], ["1.0000", "4e-06"]),
        ([0.00006, 0.99994], ["0.0001", "0.9999"]),
    ],
)
def test_decimals_are_aligned_and_no_more_than_needed(values, cells):
    p = Table(values, {"X": (0, 1)})
    assert repr(p).splitlines()[2].split() == cells


def test_fractions_without_end_are_shown_as_decimals():
    tiny = F(1, 10**5000)
    p = Table([[tiny, 0], [0, 1 - tiny]], {"X": (0, 1), "Y": (0, 1)})
    assert str(p).split("\n")[2].split() == ["0", "1e-5000", "0"]
    assert "<td>1e-5000</td>" in p._repr_html_()
    assert "= 1e-5000, but\n" in str(p.independent("X", "Y"))
    with pytest.raises(ProbabilityError, match=r"sum to 1 \+ 1e-5000, not"):
        Table([tiny, 1], {"X": (0, 1)})


def test_times_stay_times():
    days = np.array(["2026-01-01", "2026-01-02"], "datetime64[ns]")
    p = Table([0.5, 0.5], {"day": days})
    assert p.P(day=np.datetime64("2026-01-02")) == 0.5
    assert p.to_series().index.equals(pd.DatetimeIndex(days))


def test_names_and_states_are_escaped_in_html():
    p = Table([1], {"<b>": ["<i>"]})
    assert "<b>" not in p._repr_html_()
    assert "&lt;b&gt;=&lt;i&gt;" in p._repr_html_()


def test_what_is_too_long_is_cut_and_says_so():
    p = Table(np.full(30, 1 / 30), {"X": range(30)})
    lines = repr(p).splitlines()
    assert lines[1].split() == ["X", "P"]
    assert len(lines) == 2 + 24 + 1
    assert lines[-1] == "… 30 rows"
    assert "<p>… 30 rows</p>" in p._repr_html_()


# -- a value that cannot be changed ------------------------------------------


def test_a_table_cannot_be_changed():
    values = np.array([0.5, 0.5])
    p = Table(values, {"X": (0, 1)})
    values[0] = 7
    assert p.P(X=0) == 0.5
    with pytest.raises(ValueError, match="read-only"):
        p.values[0] = 1
    with pytest.raises(AttributeError, match="make a new one"):
        p._values = values
    with pytest.raises(TypeError):
        p.states["X"] = (1, 2)
    for derived in (
        p.marginal("X"),
        DICE.given(X=1),
        DICE.marginal("Y", "X"),
        p * p.rename({"X": "Y"}),
    ):
        assert not derived.values.flags.writeable


def test_equal_tables_have_the_same_hash_whatever_their_axes():
    turned = DICE.transpose("Y", "X").with_states({"X": [6, 5, 4, 3, 2, 1]})
    assert turned == DICE
    assert hash(turned) == hash(DICE)
    assert turned.rename({"X": "Z"}) != DICE
    assert DICE.conditional("X", given="Y") != DICE
    assert DICE.marginal("X") != Table(["1/2", "1/2"], {"X": (1, 2)})
    assert DICE != "DICE"
    copy = pickle.loads(pickle.dumps(DICE.given(X=1)))
    assert copy == DICE.given(X=1)
    assert copy.evidence == {"X": 1}
    assert not copy.values.flags.writeable


# -- bad input ---------------------------------------------------------------

TWO = {"X": ("a", "b")}
PAIR = Table(["1/2", "1/2"], {"sky": ("sunny", "rainy")})


@pytest.mark.parametrize(
    ("values", "states", "message"),
    [
        ([0.5, float("nan")], TWO, "X=b is nan: not a finite number"),
        (np.array([0.5, np.nan]), TWO, "X=b is nan: not a finite number"),
        (np.array([0.5, np.inf]), TWO, "X=b is inf: not a finite number"),
        ([1.5, -0.5], TWO, "X=b is -0.5: negative"),
        (np.array([1.5, -0.5]), TWO, "X=b is -0.5: negative"),
        ([F(3, 2), F(-1, 2)], TWO, "X=b is -1/2: negative"),
        ([0.5, 0.6], TWO, r"P\(X\) sum to 1.1, not to 1"),
        (["1/2", "1/3"], TWO, r"P\(X\) sum to 5/6, not to 1"),
        ([3, 1], TWO, "sum to 4, not to 1. Divide weights or counts with"),
        ([True, False], TWO, "X=a is True: not a number"),
        (["half", "half"], TWO, "X=a is 'half': not a number"),
        ([None, 1], TWO, "X=a is None: not a number"),
        ([1], TWO, r"shape \(1,\), but the states of X \(2\) need"),
        ([[1, 0], [1]], TWO, "different lengths"),
        ([[0.5, 0.5]], TWO, r"shape \(1, 2\)"),
        ([1], {"X": []}, "There are no states of 'X'"),
        ([0.5, 0.5], {"X": "aa"}, "The state 'a' of 'X' stands twice"),
        ([0.5, 0.5], {"X": (1, True)}, "The state True of 'X' stands twice"),
        ([0.5, 0.5], {"X": (1, math.nan)}, r"state of 'X' is missing \(nan"),
        ([0.5, 0.5], {"X": (1, None)}, r"A state of 'X' is missing \(None"),
        ([0.5, 0.5], {"X": (1, pd.NA)}, r"A state of 'X' is missing \(<NA"),
        (np.ma.array([0.5, 0.6], mask=[0, 1]), TWO, "sum to 1.1, not to 1"),
        (
            [0.5, 0.5],
            {"X": ([1], [2])},
            "cannot be .*: use a text, a number or a tup",
        ),
        ([0.5, 0.5], {"X": {1, 2}}, "give them as a list or a tuple"),
        ([0.5, 0.5], {"X": 2}, "give them as a list or a tuple"),
        ([0.5, 0.5], {1: (0, 1)}, "1 is not the name of a variable"),
        ([0.5, 0.5], {"": (0, 1)}, "'' is not the name of a variable"),
        ([0.5, 0.5], ["X"], "Give the states as a dictionary"),
        ([], {}, "Give the states as a dictionary"),
    ],
)
def test_what_is_no_table_is_refused(values, states, message):
    with pytest.raises(ProbabilityError, match=message):
        Table(values, states)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ("Y", "'Y' is not a variable of the table; the variables are 'X'"),
        ("X", "Every variable is behind the bar"),
        (["X", "X"], "'X' stands twice"),
    ],
)
def test_what_cannot_be_behind_the_bar(given_, message):
    with pytest.raises(ProbabilityError, match=message):
        Table([0.5, 0.5], TWO, given=given_)


def test_a_conditional_table_has_to_sum_to_one_in_every_row():
    with pytest.raises(
        ProbabilityError, match=r"P\(Y \| X\) for X=1 sum to 1\.5, not to 1"
    ):
        Table([[0.5, 0.5], [1.0, 0.5]], {"X": (0, 1), "Y": (0, 1)}, "X")
    # Decimals that are rounded in the tenth digit may pass.
    third = round(1 / 3, 10)
    Table([third, third, third], {"X": range(3)})
    with pytest.raises(ProbabilityError, match="sum to"):
        Table([0.333, 0.333, 0.333], {"X": range(3)})


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: PAIR.marginal("sly"), "Did you mean 'sky'"),
        (lambda: PAIR.marginal(), "Name at least one variable"),
        (lambda: PAIR.marginal("sky", "sky"), "'sky' stands twice"),
        (lambda: DICE.given(X=7), "7 is not a state of 'X'; its states are 1"),
        (lambda: DICE.given("X"), "'X' does not give states"),
        (lambda: DICE.given({"X": 1}, X=2), "'X' is given twice"),
        (lambda: DICE.given(X=1, Y=2), "no variable of P.X, Y. is left"),
        (lambda: PAIR.P(sky="suny"), "Did you mean 'sunny'"),
        (lambda: PAIR.P(), "no event"),
        (lambda: PAIR.P(lambda sky: sky), "is 'sunny', neither True nor"),
        (lambda: PAIR.P(lambda: True), "looks at no variable"),
        (lambda: PAIR.expectation("sky"), "is 'sunny', not a finite number"),
        (lambda: PAIR.expectation(lambda sky: None), "sky=sunny is None"),
        (lambda: PAIR.expectation(lambda X: X), "'X' is not a variable"),
        (
            lambda: Table([1], {"X": [Decimal("inf")]}).expectation("X"),
            r"Decimal\('Infinity'\), not a finite number",
        ),
        (lambda: DICE.expectation(max), "max> does not say which variables"),
        (lambda: DICE.conditional("X", {"Y": 1}), "{'Y': 1} gives states; he"),
        (lambda: DICE.independent("X", "Y", {"Z": 1}), "gives states; here o"),
        (lambda: DICE.total_variance("X", {"Y": 1}), "gives states; here onl"),
        (lambda: DICE.conditional(3), "3 is not the name of a variable"),
        (lambda: PAIR.expectation(3), "3 is neither the name"),
        (lambda: DICE.conditional("X", given="X"), "both sides of the bar"),
        (lambda: DICE.independent("X", "X"), "'X' stands twice among X, X"),
        (lambda: DICE.independent("X", []), "Name at least one variable"),
        (lambda: DICE.transpose("X"), "'Y' is missing"),
        (lambda: DICE.rename({"X": "Y"}), "gives two variables one name"),
        (lambda: DICE.given(X=1).rename({"Y": "X"}), "two variables one name"),
        (lambda: DICE.rename({"Z": "Y"}), "'Z' is not a variable"),
        (lambda: DICE.with_states({"X": [1]}), "The states of 'X' differ"),
        (lambda: DICE.with_states({"X": {1, 2}}), "in the order of the axis"),
        (
            lambda: PAIR.with_states({"sky": ["sunny", "rainy", "sunny"]}),
            "stands twice",
        ),
        (
            lambda: DICE.conditional("X", "Y").marginal("Y"),
            "'Y' is behind the bar of P.X . Y., which says nothing about its",
        ),
        (
            lambda: Table.from_space(ProbabilitySpace.uniform("ab")),
            "There is no random variable",
        ),
        (
            lambda: Table.from_space(ProbabilitySpace.uniform("ab"), X=list),
            r"Outcome 'a' has X=\['a'\], which cannot be a state",
        ),
    ],
)
def test_questions_without_an_answer(ask, message):
    with pytest.raises(ProbabilityError, match=message):
        ask()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda p: p.given(X=1), "X=1"),
        (lambda p: p.P({"Y": 0}, given={"X": 1}), "X=1"),
        (lambda p: p.P({"Y": 0}, given=lambda X: X == 1), "the event"),
        (lambda p: p.conditional("Y", given="X"), "X=1"),
        (lambda p: p.expectation("Y", given="X"), "X=1"),
        (lambda p: p.variance("Y", given={"X": 1}), "X=1"),
        (lambda p: p.conditional(["X", "Y"], "Z").given(X=1), "Z=0, X=1"),
    ],
)
def test_evidence_of_probability_zero_is_refused(ask, message):
    coin = Table([0.5, 0.5], {"Y": (0, 1)})
    p = Table([1.0, 0.0], {"X": (0, 1)}) * coin * coin.rename({"Y": "Z"})
    with pytest.raises(
        ZeroProbabilityError, match=f"condition on {message}: its probability"
    ):
        ask(p)


@pytest.mark.parametrize(
    ("counts", "names", "message"),
    [
        ({}, ["X"], "There are no counts"),
        ({"a": 1}, None, "name them with `variables`"),
        ({("a", "b"): 1}, ["X", "Y", "Z"], "not a tuple of 3 states"),
        ({"a": 1}, ["X", "Y"], "'a' is not a tuple of 2 states"),
        ({"a": -1, "b": 2}, ["X"], "The count of X=a is -1: negative"),
        ({"a": math.nan}, ["X"], "The count of X=a is nan: not a finite"),
        ({"a": 0}, ["X"], "All counts are zero"),
        ({"a": 1e308, "b": 1e308}, ["X"], "more than a float can hold; use"),
        ({"a": 10**400, "b": 1}, ["X"], "more than a float can hold; use ex"),
        ([1, 2], ["X"], "not list"),
        (pd.Series([1, 2], ["a", "a"]), ["X"], r"\('a',\) stands twice"),
        ({("a", "b"): 1}, ["X", "X"], "'X' stands twice"),
    ],
)
def test_counts_that_give_no_table(counts, names, message):
    with pytest.raises(ProbabilityError, match=message):
        Table.from_counts(counts, names)


def test_data_frames_that_give_no_table():
    frame = pd.DataFrame({"X": ["a", "b"], "n": [1, -1]})
    with pytest.raises(
        ProbabilityError, match="'m' is not a column of the data frame"
    ):
        Table.from_frame(frame, "X", weights="m")
    with pytest.raises(
        ProbabilityError, match="weight in row 1 of column 'n'"
    ):
        Table.from_frame(frame, weights="n")
    with pytest.raises(ProbabilityError, match="no rows"):
        Table.from_frame(frame.iloc[:0])
    with pytest.raises(ProbabilityError, match="more than a float can hold"):
        Table.from_frame(frame.assign(n=1e308), weights="n")
    with pytest.raises(ProbabilityError, match=r"row 0 .* is True: not a nu"):
        Table.from_frame(frame.assign(n=True), weights="n")
    with pytest.raises(ProbabilityError, match="has several columns 'X'"):
        Table.from_frame(pd.concat([frame, frame], axis=1), "X")
    with pytest.raises(ProbabilityError, match="Name at least one variable"):
        Table.from_frame(frame[["n"]], weights="n")
    with pytest.raises(ProbabilityError, match="a data frame, not dict"):
        Table.from_frame({"X": [0, 1]})
    gap = pd.DataFrame({"X": ["a", None]})
    with pytest.raises(
        ProbabilityError, match="Row 1 of column 'X' has no va"
    ):
        Table.from_frame(gap)
    empty = pd.DataFrame(
        {
            "X": [0, 1],
            "Y": pd.Categorical(["u", "u"], categories=["u", "v"]),
        }
    )
    with pytest.raises(ZeroProbabilityError, match="no observation with Y=v"):
        Table.from_frame(empty, "X", given="Y")
    wide = pd.DataFrame({f"X{i}": range(100) for i in range(5)})
    with pytest.raises(TableTooLargeError, match="1e\\+10 entries"):
        Table.from_frame(wide)


def test_a_series_without_some_combination():
    series = pd.Series({("a", 0): 0.5, ("b", 1): 0.5}).rename_axis(["X", "Y"])
    with pytest.raises(ProbabilityError, match="X=a, Y=1 is missing"):
        Table.from_series(series)
