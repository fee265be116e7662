"""Numbers are found in texts, and among the values of Python."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.study.quiz.numerals import numerals, operands, values_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("nothing but 12, 3 and x_20a", []),
        ("13", ["13"]),
        ("It is 0.5.", ["1/2"]),
        ("5 %, 5%, 5\\,\\%, 5 per cent", ["5", "5", "5", "5"]),
        (
            r"$\frac{1}{3}$, \tfrac12, 2/8, $\dfrac 1{4}$",
            ["1/3", "1/2"] + 2 * ["1/4"],
        ),
        (r"10 000, 10,000, 10{,}000, $10\,000$", ["10000"] * 4),
        (r"$2.5 \cdot 10^{-3}$ or $3 \times 10^5$", ["1/400", "300000"]),
        ("see section 14.2, [here](page.html#15), Figure 16", []),
        ("(13, 14)", ["13", "14"]),
        ("2020-03", ["2020"]),
        ("1.5/4 and 0.2/16", ["3/8", "1/80"]),
        ("$13^2/10$ and $1/3^2$", ["13"]),
    ],
)
def test_what_is_found(text, found):
    assert [str(numeral.value) for numeral in numerals(text)] == found


@given(st.integers(13, 10**6), st.integers(0, 4))
def test_a_decimal_tells_what_rounds_to_it(value, places):
    exact = Fraction(value, 10**places)
    shown = f"{float(exact):.{places}f}"
    for numeral in numerals(shown):
        room = Fraction(1, 2 * 10**places)
        assert numeral.tells([float(exact)])
        assert numeral.tells([-float(exact)])
        assert numeral.tells([float(exact + room * Fraction(9, 10))])
        assert not numeral.tells([float(exact + room * Fraction(11, 10))])
        assert not numeral.tells([])


def test_a_fraction_tells_no_neighbour():
    [third] = numerals("1/3")
    assert third.tells([Fraction(1, 3)])
    assert third.tells([1 / 3])
    assert not third.tells([0.3333])
    [small] = numerals("1/101000")
    assert not small.tells([1 / 101_009])


def test_a_percentage_tells_a_share_too():
    [share] = numerals("9.2 %")
    assert share.tells([10 / 109])
    assert share.tells([9.17])
    assert not share.tells([0.1])


@pytest.mark.parametrize(
    ("found", "values"),
    [
        (True, []),
        ("13", []),
        (None, []),
        (Fraction(1, 2), [0.5]),
        (np.float64(2), [2]),
        (np.array([[1, 2], [3, 4]]), [1, 2, 3, 4]),
        ({"a": [1, {2: (3,)}]}, [1, 2, 3]),
        (float("nan"), []),
        (np.zeros(61), []),
        (np.zeros(60), [0] * 60),
        ([list(range(40)), list(range(40))], []),
    ],
)
def test_the_values_of_an_object(found, values):
    assert [*values_of(found)] == values


def test_the_sides_of_comparisons():
    assert [*operands("all(x < 2 for x in a)")] == ["all(x < 2 for x in a)"]
    assert [*operands("a < b <= c or d == e")][1:] == [*"abcde"]
