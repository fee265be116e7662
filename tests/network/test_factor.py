"""Factors against tables, numpy and arithmetic by hand."""

import copy
import pickle
from fractions import Fraction
from itertools import product as configurations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.network import Factor, product
from bayesbook.probability import Table

STATES = {"A": ("a", "b"), "B": (0, 1, 2), "C": ("no", "yes")}


@st.composite
def factors(draw):
    """Draw a factor of some nodes, in any order, of fractions or floats."""
    scope = draw(st.permutations(list(STATES)))[: draw(st.integers(0, 3))]
    states = {name: STATES[name] for name in scope}
    shape = [len(own) for own in states.values()]
    size = int(np.prod(shape, dtype=int))
    numbers = draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    kind = draw(st.sampled_from([float, Fraction]))
    values = np.array([kind(n) for n in numbers], dtype=object)
    values = values.reshape(shape)
    return Factor(values.astype(float) if kind is float else values, states)


def at(factor, row):
    """Return the number of a factor at a configuration."""
    return factor.reduce({n: row[n] for n in factor.scope}).total


def rows():
    for states in configurations(*STATES.values()):
        yield dict(zip(STATES, states, strict=True))


@given(factors(), factors())
def test_a_product_is_the_product_at_each_configuration(f, g):
    both = f * g
    assert set(both.scope) == {*f.scope, *g.scope}
    for row in rows():
        assert at(both, row) == at(f, row) * at(g, row)
    assert both == g * f
    assert both.is_exact == (f.is_exact and g.is_exact)


@given(factors(), st.data())
def test_sums_and_maxima_are_over_the_states(f, data):
    names = data.draw(st.permutations(list(f.scope)))
    out = names[: data.draw(st.integers(0, len(names)))]
    for found, combine in ((f.sum_out(*out), sum), (f.max_out(*out), max)):
        assert set(found.scope) == {*f.scope} - {*out}
        for row in rows():
            every = configurations(*(STATES[name] for name in out))
            numbers = [
                at(f, row | dict(zip(out, states, strict=True)))
                for states in every
            ]
            assert at(found, row) == combine(numbers)


@given(factors())
def test_a_normalised_factor_is_a_table(f):
    if not f.total:
        with pytest.raises(ZeroProbabilityError, match="cannot be normalised"):
            f.normalise()
        return
    assert f.normalise().total == pytest.approx(1)
    if f.scope:
        table = f.to_table()
        assert isinstance(table, Table)
        assert table.variables == f.scope
        best = f.argmax()
        assert at(f, rows_of(best)) == f.values.max()


def rows_of(states):
    return {name: own[0] for name, own in STATES.items()} | states


@given(st.lists(factors(), max_size=4))
def test_the_product_of_many(many):
    found = product(many)
    for row in rows():
        assert at(found, row) == np.prod([1, *(at(f, row) for f in many)])


def test_fractions_floats_and_orders():
    f = Factor([["1/3", "2/3"], [0, 1]], {"A": "ab", "C": ("no", "yes")})
    assert f.is_exact
    assert f.as_floats().as_fractions().total != f.total
    assert f.marginal("C", "A").values.tolist() == f.values.T.tolist()
    assert f.aligned(["C", "B", "A"]).shape == (2, 1, 2)
    assert f.renamed("tau").title == "tau"
    assert "<caption>Factor(A, C)" in f._repr_html_()
    assert "Factor()" in repr(f.sum_out("A", "C"))


def test_large_and_small_floats():
    large = Factor([1e308, 1e308], {"A": "ab"})
    assert large.normalise().values.tolist() == [0.5, 0.5]
    beyond = large * large
    for ask in (beyond.normalise, beyond.argmax, beyond.as_fractions):
        with pytest.raises(ProbabilityError, match="too large for floats"):
            ask()
    exact = large.as_fractions()
    assert (exact * exact).normalise().total == 1


def test_it_cannot_be_changed_and_can_be_copied():
    f = Factor([1, 3], {"A": "ab"}, title="tau")
    with pytest.raises(AttributeError, match="cannot be changed"):
        f.title = "new"
    with pytest.raises(ValueError, match="read-only"):
        f.values[0] = 2
    for other in (copy.deepcopy(f), pickle.loads(pickle.dumps(f))):
        assert other == f
        assert other.title == "tau"
    assert f != 3
    assert f != Factor([1, 3], {"B": "ab"})


@pytest.mark.parametrize(
    ("wrong", "error", "match"),
    [
        (lambda f: f.sum_out("Z"), ProbabilityError, "'Z' is not in the"),
        (lambda f: f.sum_out(["A"]), TypeError, "one after the other"),
        (lambda f: f.sum_out("A", "A"), ProbabilityError, "twice"),
        (lambda f: f.reduce({"A": "c"}), ProbabilityError, "not a state"),
        (lambda f: f.reduce([("A", "a")]), TypeError, "dictionary"),
        (lambda f: f * Factor([1, 1], {"A": "ba"}), ProbabilityError, "'A'"),
        (lambda f: f * 2, TypeError, "unsupported"),
        (lambda f: product([f, 5]), TypeError, "5 is not a Factor"),
        (lambda f: Factor([1], {"A": "ab"}), ProbabilityError, "shape"),
        (lambda f: Factor([-1, 1], {"A": "ab"}), ProbabilityError, "negative"),
        (lambda f: Factor([1, 1], "A"), TypeError, "dictionary"),
        (
            lambda f: f.sum_out("A").to_table(),
            ProbabilityError,
            "single number",
        ),
    ],
)
def test_what_is_refused(wrong, error, match):
    with pytest.raises(error, match=match):
        wrong(Factor([1, 3], {"A": "ab"}))


def test_more_nodes_than_an_array_has_axes():
    one = [Factor([1], {f"N{i}": "a"}) for i in range(70)]
    with pytest.raises(TableTooLargeError, match="64 axes"):
        product(one)
