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
from table_truth import (
    DICE,
    FACES,
    cells,
    joints,
    subsets,
    total,
)

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.probability import ProbabilitySpace, Table


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


@given(joints(), st.data())
def test_a_subscript_is_the_probability_of_states(joint, data):
    distribution = cells(joint)
    for key, p in distribution.items():
        assert joint[key if len(key) > 1 else key[0]] == p
    known = data.draw(subsets(joint).filter(lambda s: s))
    event = {n: data.draw(st.sampled_from(joint.states[n])) for n in known}
    assert joint[event] == total(distribution, joint.variables, **event)
    assert joint[event] == joint.P(event)


@given(joints(least=2, positive=True), st.data())
def test_a_subscript_of_a_conditional_table_names_both_sides(joint, data):
    x, *rest = data.draw(st.permutations(joint.variables))
    table = joint.conditional(rest, given=x)
    for key, p in cells(table).items():
        states = dict(zip(table.variables, key, strict=True))
        assert table[key] == table[states] == p
        some = {x: states[x], rest[0]: states[rest[0]]}
        known = {x: some[x]}
        assert table[some] == joint.P(some, given=known)
        for few in ({rest[0]: states[rest[0]]}, known, {}):
            with pytest.raises(ProbabilityError, match=f"and of {x}"):
                table[few]


def test_numbers_are_states_and_not_positions():
    coin = Table(["1/3", "2/3"], {"coin": (1, 0)})
    assert coin[1] == coin[np.int64(1)] == coin.P(coin=1) == F(1, 3)
    pair = Table(["1/3", "2/3"], {"pair": [(0, 1), (1, 0)]})
    assert pair[1, 0] == pair[(1, 0)] == F(2, 3)


@pytest.mark.parametrize(
    ("states", "message"),
    [
        ("sum", "'sum' is not a state of 'sky'.*Did you mean 'sun'"),
        (0, "0 is not a state of 'sky'; its states are 'sun', 'rain'"),
        (("sun",), r"\('sun',\) is not a state of 'sky'"),
        (slice(None), "not a state of 'sky'"),
        ({"sky": "snow"}, "'snow' is not a state"),
        ({"sly": "sun"}, "'sly' is not a variable.*Did you mean 'sky'"),
        ({}, r"of P\(sky\), name states of sky\."),
    ],
)
def test_a_subscript_that_is_no_state_is_named(states, message):
    with pytest.raises(ProbabilityError, match=message):
        Table([0.75, 0.25], {"sky": ("sun", "rain")})[states]


@pytest.mark.parametrize("states", [1, (1,), (1, 2, 3), [1, 2]])
def test_a_subscript_needs_a_state_for_each_variable(states):
    with pytest.raises(ProbabilityError, match=r"variables X, Y: .*{'X': 1}"):
        DICE[states]


def test_a_table_is_no_sequence():
    with pytest.raises(TypeError, match="not iterable"):
        iter(Table([0.75, 0.25], {"coin": (0, 1)}))
    with pytest.raises(TypeError):
        0 in Table([0.75, 0.25], {"coin": (0, 1)})  # noqa: B015


@given(joints(), st.booleans())
def test_argmax_is_the_first_of_the_most_probable_states(joint, exact):
    table = joint if exact else Table(joint.values.astype(float), joint.states)
    distribution = cells(joint)
    best = next(
        k for k, p in distribution.items() if p == max(distribution.values())
    )
    assert table.argmax() == dict(zip(joint.variables, best, strict=True))
    assert joint[joint.argmax()] == max(distribution.values())


@given(joints(least=2, positive=True), st.data())
def test_argmax_given_something_is_that_of_each_condition(joint, data):
    names = data.draw(st.permutations(joint.variables))
    n_behind = data.draw(st.integers(1, len(names) - 1))
    behind, front = names[:n_behind], names[n_behind:]
    # The bar may stand anywhere among the axes.
    table = joint.conditional(front, given=behind).transpose(*joint.variables)
    behind = table.conditions
    expected = {
        key if len(behind) > 1 else key[0]: joint.given(
            dict(zip(behind, key, strict=True))
        ).argmax()
        for key in itertools.product(*(joint.states[n] for n in behind))
    }
    assert table.argmax() == expected


def test_rounding_does_not_break_a_tie():
    table = Table([0.3, 0.1 + 0.2, 0.2, 0.2], {"X": "abcd"})
    assert table.values[1] > table.values[0]
    assert table.argmax() == {"X": "a"}


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
        ([0.5, 0.5], {"X": "aa"}, "The state 'a' of 'X' appears twice"),
        ([0.5, 0.5], {"X": (1, True)}, "The state True of 'X' appears twice"),
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
        (["X", "X"], "'X' appears twice"),
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
        (lambda: PAIR.marginal("sky", "sky"), "'sky' appears twice"),
        (lambda: DICE.given(X=7), "7 is not a state of 'X'; its states are 1"),
        (lambda: DICE.given({"X": 1}, X=2), "'X' is given twice"),
        (lambda: DICE.given(X=1, Y=2), "no variable of P.X, Y. is left"),
        (lambda: PAIR.P(sky="suny"), "Did you mean 'sunny'"),
        (lambda: PAIR.P(), "Name an event whose probability is wanted"),
        (lambda: PAIR.P(lambda sky: sky), "is 'sunny', neither True nor"),
        (lambda: PAIR.P(lambda: True), "depends on no variable"),
        (lambda: PAIR.expectation("sky"), "is 'sunny', not a finite number"),
        (lambda: PAIR.expectation(lambda sky: None), "sky=sunny is None"),
        (lambda: PAIR.expectation(lambda X: X), "'X' is not a variable"),
        (
            lambda: Table([1], {"X": [Decimal("inf")]}).expectation("X"),
            r"Decimal\('Infinity'\), not a finite number",
        ),
        (lambda: DICE.expectation(max), "max> does not say on which vari"),
        (lambda: DICE.conditional("X", {"Y": 1}), "{'Y': 1} gives states; he"),
        (lambda: DICE.independent("X", "Y", {"Z": 1}), "gives states; here o"),
        (lambda: DICE.total_variance("X", {"Y": 1}), "gives states; here onl"),
        (lambda: DICE.conditional(3), "3 is not the name of a variable"),
        (lambda: DICE.conditional("X", given="X"), "both sides of the bar"),
        (lambda: DICE.independent("X", "X"), "'X' appears twice among X, X"),
        (lambda: DICE.independent("X", []), "Name at least one variable"),
        (lambda: DICE.transpose("X"), "Missing: 'Y'"),
        (lambda: DICE.rename({"X": "Y"}), "gives two variables one name"),
        (lambda: DICE.given(X=1).rename({"Y": "X"}), "two variables one name"),
        (lambda: DICE.rename({"Z": "Y"}), "'Z' is not a variable"),
        (lambda: DICE.with_states({"X": [1]}), "The states of 'X' differ"),
        (lambda: DICE.with_states({"X": {1, 2}}), "in the order of the axis"),
        (
            lambda: PAIR.with_states({"sky": ["sunny", "rainy", "sunny"]}),
            "appears twice",
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
        (lambda: DICE.given("X"), "'X' does not give states"),
        (lambda: DICE.P(3), "3 does not give states"),
        (lambda: PAIR.expectation(3), "3 is neither the name"),
        (lambda: Table([0.5, 0.5], ["X"]), "Give the states as a dictionary"),
        (lambda: Table.from_counts([1, 2], ["X"]), "not list"),
        (lambda: Table.from_frame({"X": [0, 1]}), "a data frame, not dict"),
    ],
)
def test_what_has_the_wrong_type(ask, message):
    with pytest.raises(TypeError, match=message):
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
