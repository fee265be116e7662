"""Arrays are read as floats; messages name the first wrong entry."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import (
    floats,
    floats_or_none,
    in_order,
    is_one,
    one_column,
    read_distribution,
    read_positive,
    read_probabilities,
    require_binary,
    require_counts,
    require_weights,
)


def message_of(read, *arguments, **options):
    with pytest.raises(ProbabilityError) as caught:
        read(*arguments, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        [1, 0.5],
        (Fraction(1), Decimal("0.5")),
        pd.Series([1, 0.5], index=["a", "b"]),
        np.array([1, 0.5], dtype=np.float32),
        iter([1, 0.5]),
        {"a": 1, "b": 0.5}.values(),
    ],
)
def test_numbers_of_many_kinds_are_read(given):
    array = floats(given, "x")
    assert array.dtype == float
    assert array.tolist() == [1, 0.5]


def test_what_is_read_is_a_copy():
    given = np.array([1.0, 2.0])
    floats(given, "x")[0] = 7
    assert given.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["1", 2], "x are not numbers: '1' at position 0."),
        ([1, None], "x are not numbers: None at position 1."),
        ([1, 2j], "x are not numbers: 2j at position 1."),
        (
            [1, date(2020, 1, 1)],
            "x are not numbers: datetime.date(2020, 1, 1)",
        ),
        (
            np.array(["2020-01-01"], dtype="datetime64[D]"),
            "x are not numbers: they are of the type datetime64[D].",
        ),
        ([[1, 2], [3]], "x are not numbers: "),
        ([10**400], "x are not numbers: "),
        (3, "x have the shape (); a sequence of numbers is needed."),
        ([], "x are empty: there is nothing to see."),
        ([0, np.nan], "x: nan at position 1 is not a finite number."),
        ([0, -np.inf], "x: -inf at position 1 is not a finite number."),
        ([1e200], "x: 1e+200 at position 0 is too large to be squared"),
        (
            np.ma.masked_array([1.0, 2.0], [False, True]),
            "x: 2 at position 1 is masked.",
        ),
        ({1, 2}, "x are a set, in which nothing appears twice: give a list"),
        ({"a": 1}, "x are a dict, in which nothing appears twice"),
    ],
)
def test_the_first_wrong_entry_is_named(given, why):
    assert message_of(floats, given, "x").startswith(why)


def test_an_entry_of_a_frame_is_named_by_its_column():
    frame = pd.DataFrame({"age": [30, 41], "sex": [0, "f"]})
    message = message_of(floats, frame, "X", ndim=2)
    assert message == "X are not numbers: 'f' at row 1, column 'sex'."
    frame = pd.DataFrame({"age": [30, np.inf]})
    message = message_of(floats, frame, "X", ndim=2)
    assert message == ("X: inf at row 1, column 'age' is not a finite number.")
    assert message_of(one_column, frame, "x") == (
        "x are a data frame with the columns 'age': give one column of it."
    )


def test_a_sequence_is_no_table():
    assert message_of(floats, [1, 2], "X", ndim=2) == (
        "X have the shape (2,); a table with a row for each observation is "
        "needed."
    )


def test_a_text_is_one_observation_and_so_is_a_known_tuple():
    ones = ["heads", b"x", 3, None, np.array(3)]
    assert all(map(is_one, ones))
    assert is_one((1, 2), known=[(1, 2)])
    assert not is_one((1, 2))
    assert not is_one([])


def test_an_iterator_becomes_a_list():
    assert in_order(iter("ab"), "x") == ["a", "b"]
    assert in_order((1, 1), "x") == (1, 1)


def test_no_numbers_at_all_can_be_allowed():
    assert floats_or_none([], "x").shape == (0,)
    assert floats_or_none(3, "x").tolist() == [3]
    assert "have the shape (0, 2)" in message_of(
        floats_or_none, np.zeros((0, 2)), "x"
    )


@pytest.mark.parametrize(
    ("read", "given", "why"),
    [
        (read_positive, [1, 0], "p: 0 at position 1 is not positive."),
        (
            read_positive,
            [1e-200],
            "p: 1e-200 at position 0 is too small to be squared.",
        ),
        (
            read_probabilities,
            [0, -0.1],
            "p: -0.1 at position 1 is negative.",
        ),
        (
            read_probabilities,
            [1, 1.5],
            "p: 1.5 at position 1 is greater than 1.",
        ),
        (
            read_distribution,
            [1.5, -0.5],
            "p: -0.5 at position 1 is negative.",
        ),
        (read_distribution, [0.5, 0.6], "p sum to 1.1, not to one."),
    ],
)
def test_a_wrong_probability_is_refused(read, given, why):
    assert message_of(read, given, "p") == why


def test_rounding_is_no_mistake():
    tenths = [0.1] * 10
    assert np.cumsum(tenths)[-1] != 1
    assert read_distribution(tenths, "p").tolist() == tenths
    assert read_distribution([[0.5], [0.5]], "p", 2).shape == (2, 1)


def test_counts_are_whole_and_not_negative():
    require_counts(np.array([0.0, 3.0]), "n", most=3)
    for wrong, why in (
        (0.5, "n: 0.5 at position 0 is not a whole number."),
        (-1.0, "n: -1 at position 0 is negative."),
        (4.0, "n: 4 at position 0 is greater than 3."),
    ):
        assert message_of(require_counts, np.array([wrong]), "n", 3) == why


def test_binary_numbers_are_0_and_1():
    require_binary(np.array([0, 1]), "x")
    assert message_of(require_binary, np.array([[0, 2]]), "x") == (
        "x: 2 at row 0, column 1 is neither 0 nor 1."
    )


def test_a_weight_is_named_by_who_asks():
    def whose(place):
        return f"The weight of {'ab'[place[0]]}"

    require_weights(np.array([0.0, 7.0]), whose)
    for wrong, why in (
        (np.nan, "The weight of b is nan: not a finite number."),
        (-2.0, "The weight of b is -2: negative."),
    ):
        assert message_of(require_weights, np.array([1, wrong]), whose) == why
