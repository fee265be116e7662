"""Blocks of formulas and diagnoses; numbers and words as drills write them."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.study.drills.writing import (
    TOLERANCE,
    about,
    by_hand,
    decimal,
    equals,
    exact,
    fraction,
    lines_of,
    merged,
    mistakes_of,
    nearly,
    paragraphs,
    rounded,
    sentence,
    table,
    told_apart,
)

BLOCK = """
    a / b | This divides
        them.
    b - a | if a < b | This subtracts: *b* − *a*.
    count(a | b) | It has a sign that is also Python's.
    mode | There may be none.
"""
NAMES = {"a": F(1), "b": F(2), "count": lambda x: x, "mode": None}


def test_deeper_lines_continue_the_line_above():
    assert lines_of(BLOCK)[0] == "a / b | This divides them."
    assert len(lines_of(BLOCK)) == 4
    assert lines_of("...") == ["..."]


def test_a_mistake_is_its_value_its_formula_and_its_diagnosis():
    names = {**NAMES, "a": 1, "b": 2}
    assert list(mistakes_of(BLOCK, names)) == [
        (0.5, "a / b", "This divides them."),
        (1, "b - a", "This subtracts: *b* − *a*."),
        (3, "count(a | b)", "It has a sign that is also Python's."),
    ]


def test_a_mistake_is_none_where_its_condition_fails_or_its_value_is_none():
    names = {**NAMES, "a": 2, "b": 1, "mode": F(3)}
    formulas = [formula for _, formula, _ in mistakes_of(BLOCK, names)]
    assert formulas == ["a / b", "count(a | b)", "mode"]


def test_a_check_may_go_another_way_than_the_number():
    block = "b - a = len(table) | It is == 1."
    assert [*mistakes_of(block, NAMES)] == [(1, "len(table)", "It is == 1.")]


def test_a_formula_is_exact_where_its_names_are():
    assert exact("a / b + 1", NAMES) == F(3, 2)
    assert set(NAMES) == {"a", "b", "count", "mode"}
    with pytest.raises(NameError, match="'c'"):
        exact("a / c", NAMES)


def some(value, why="Why."):
    return value, "formula", why


@given(st.lists(st.fractions(0, 1, max_denominator=300), max_size=6))
def test_what_is_told_apart_is_far_apart(values):
    answer = F(1, 3)
    apart = all(
        one == two or abs(one - two) >= 8 * TOLERANCE
        for one in (answer, *values)
        for two in (answer, *values)
    )
    told = told_apart(answer, map(some, values))
    assert told == (apart and answer not in values)


def test_what_is_done_by_hand_is_neither_obvious_nor_long():
    assert by_hand(F(1, 9), F(1, 50), 40)
    assert not by_hand(F(1, 45), F(1, 50), 40)
    assert by_hand(F(1, 45), F(1, 50))
    assert not by_hand(F(1, 60), F(1, 50))
    assert not by_hand(F(59, 60), F(1, 50))


def test_mistakes_that_lead_to_the_same_number_are_one():
    third = [some(F(1, 3), "Prior."), some(F(1, 2)), some(F(1, 3), "Rate.")]
    found = merged(third, str)
    assert [wrong.value for wrong in found] == ["1/3", "1/2"]
    assert found[0].why == "Prior. Or: Rate."


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (decimal(F(5, 4)), "1.25"),
        (decimal(F(-3)), "-3"),
        (decimal(F(1, 3)), "1/3"),
        (decimal(F(1, 32)), "1/32"),
        (rounded(F(1, 4), longest=500), "0.25"),
        (rounded(F(1, 499), longest=500), "1/499"),
        (rounded(F(1, 501), longest=500), "0.00200"),
        (fraction(F(5, 24)), r"\frac{5}{24}"),
        (fraction(F(3)), "3"),
        (equals(F(5, 24)), r"\frac{5}{24} \approx 0.2083"),
        (equals(F(1, 4)), r"\frac{1}{4} = 0.25"),
        (equals(F(3)), "3"),
        (nearly(F(5, 24)), r"\approx 0.2083"),
        (nearly(F(1, 4)), "= 0.25"),
        (about(F(5, 24)), "0.208"),
        (about(F(5, 24), digits=4), "0.2083"),
        (sentence("the ball is red"), "The ball is red."),
        (
            table(["case", "weight"], [["A", "1/3"]]),
            "| case | weight |\n| --- | :-: |\n| A | 1/3 |",
        ),
        (paragraphs("One.", "", "Two."), "One.\n\nTwo."),
    ],
)
def test_numbers_and_words(written, said):
    assert written == said
