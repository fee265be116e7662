"""Names, states and tables are read; messages name the fault."""

from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.base.labels import (
    MAX_BYTES,
    about,
    array_of,
    coded,
    codes_of,
    float_column,
    label_array,
    plain,
    read_by_category,
    read_cells,
    read_codes,
    read_conditions,
    read_limit,
    read_names,
    read_observed,
    read_states,
    read_values,
    readable_bytes,
    require_name,
    require_size,
    say,
    sorted_states,
    states_at,
)

STATES = {"coin": ("H", "T"), "die": (1, 2, 3)}


def message_of(read, *arguments, error=ProbabilityError):
    with pytest.raises(error) as caught:
        read(*arguments)
    return str(caught.value)


# --- Names and states -------------------------------------------------------


def test_one_name_or_several():
    assert read_names("rain") == ("rain",)
    assert read_names(iter(["b", "a"])) == ("b", "a")
    # A set has no order of its own; people count X2 before X10.
    assert read_names({"X10", "X2", "B"}) == ("B", "X2", "X10")


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["a", "b", "a"], "'a' appears twice."),
        (["a", 1], "1 is not the name of a variable: names are words."),
        (["a", ""], "'' is not the name of a variable: names are words."),
        (None, "None is not the name of a variable: names are words."),
        (
            {"a": 1},
            "{'a': 1} gives states; here only the names of variables are "
            "wanted.",
        ),
    ],
)
def test_a_name_is_a_word_that_appears_once(names, why):
    assert message_of(read_names, names) == why


def test_states_are_those_of_python():
    given = {"die": np.array([1, 2]), "coin": "HT"}
    states = read_states(given)
    assert states == {"die": (1, 2), "coin": ("H", "T")}
    assert type(states["die"][0]) is int
    nanosecond = np.datetime64(1, "ns")
    assert plain(nanosecond) is nanosecond


@pytest.mark.parametrize(
    ("own", "why"),
    [
        ([], "There are no states of 'die'."),
        ([1, 2, 1], "The state 1 of 'die' appears twice."),
        ([1, True], "The state True of 'die' appears twice."),
        ([1, None], "A state of 'die' is missing (None); give missing"),
        ([1, np.nan], "A state of 'die' is missing (nan); give missing"),
        ([[1]], "A state of 'die' cannot be [1] ("),
        ({1}, "The states of 'die' are {1}; give them as a list or a"),
        (6, "The states of 'die' are 6; give them as a list or a tuple"),
        ("one", "The states of 'die' are 'one', and would be its letters"),
        ("1, a", "The states of 'die' are '1, a', and would be its letters"),
        ("Yes", "The states of 'die' are 'Yes', and would be its letters"),
    ],
)
def test_wrong_states_are_named(own, why):
    assert message_of(read_states, {"die": own}).startswith(why)


@pytest.mark.parametrize(
    ("states", "error"),
    [({}, ProbabilityError), (["coin"], TypeError), (None, TypeError)],
)
def test_states_are_a_dictionary(states, error):
    message = message_of(read_states, states, error=error)
    assert message.startswith("Give the states as a dictionary from each")
    assert message.endswith(f"not {states!r}.")


def test_a_word_that_is_no_name_is_answered_with_the_nearest():
    require_name("coin", STATES)
    assert message_of(require_name, "coins", STATES) == (
        "'coins' is not a variable of the table; the variables are 'coin', "
        "'die'. Did you mean 'coin'?"
    )


def test_something_stays_in_front_of_the_bar():
    assert read_conditions("die", STATES) == ("die",)
    assert "in front of it" in message_of(
        read_conditions, ["die", "coin"], STATES
    )


# --- Labels of rows ---------------------------------------------------------


def test_labels_have_their_places_whatever_their_type():
    assert codes_of(["b", "a"], ("a", "b"), "x").tolist() == [1, 0]
    # As keys of a dictionary, True and 1 are the same, and so is 1.0.
    assert codes_of([True, 0.0], (0, 1), "x").tolist() == [1, 0]
    assert codes_of([(1, 2)], ((1, 2), "a"), "x").tolist() == [0]
    assert label_array([1, 2]).dtype == np.int64
    assert label_array([(1, 2), "a"]).tolist() == [(1, 2), "a"]


@pytest.mark.parametrize("label", ["T ", 1, None])
def test_an_unknown_label_is_named_with_its_row(label):
    message = message_of(codes_of, ["H", label], ("H", "T"), "The state")
    assert message.startswith(
        f"The state in row 1 is {label!r}, which is none of 'H', 'T'."
    )


def test_states_of_a_column_are_sorted_or_in_the_order_of_categories():
    codes, states = coded(pd.Series(["b", None, "a", "b"]))
    assert (codes.tolist(), states) == ([1, -1, 0, 1], ("a", "b"))
    order = pd.Categorical(["low"], ["low", "high"])
    codes, states = coded(pd.Series(order))
    assert (codes.tolist(), states) == ([0], ("low", "high"))
    assert sorted_states([2, "a", 1]) == (2, "a", 1)


def test_a_column_without_a_value_is_refused():
    column = pd.Series(["a", None], name="sky")
    assert message_of(read_codes, column) == (
        "Row 1 of column 'sky' has no value; drop such rows, or give missing "
        "values a name."
    )
    lists = pd.Series([["a"], ["b"]], name="sky")
    assert "column 'sky' cannot be states" in message_of(coded, lists)


def test_observed_categories_keep_their_repetitions():
    assert read_observed(iter("abba"), "x") == ["a", "b", "b", "a"]
    assert "nothing appears twice" in message_of(read_observed, {"a"}, "x")
    assert "x cannot be categories" in message_of(read_observed, [[1]], "x")


def test_numbers_may_bring_their_categories():
    def read(numbers, what):
        return np.array(numbers)

    def by_category(numbers, categories=None):
        return read_by_category(numbers, categories, read, "counts")

    numbers, categories = by_category({"a": 1, "b": 2})
    assert (numbers.tolist(), categories) == ([1, 2], ("a", "b"))
    assert by_category(pd.Series([1], ["a"]))[1] == ("a",)
    assert by_category([5, 6])[1] == (0, 1)
    assert message_of(by_category, {"a": 1}, ["a"]) == (
        "The counts name their categories already; leave `categories` out."
    )
    assert message_of(by_category, [1, 2], ["a"]) == (
        "There are 2 counts for 1 categories."
    )


def test_weights_are_floats_or_their_row_is_named():
    assert float_column(pd.Series([1, 2])).tolist() == [1.0, 2.0]
    assert float_column(pd.Series(["1/2", 1])).tolist() == [0.5, 1.0]
    for wrong, why in (
        (-1.0, "-1.0: negative."),
        (np.nan, "nan: not a finite number."),
        (True, "True: not a number."),
    ):
        column = pd.Series([1, wrong], name="w", dtype=object)
        assert message_of(float_column, column) == (
            f"The weight in row 1 of column 'w' is {why}"
        )


# --- The numbers of a table -------------------------------------------------


def test_exact_numbers_stay_exact_unless_one_is_a_float():
    coin = {"coin": ("H", "T")}
    assert read_values(["1/3", F(2, 3)], coin).tolist() == [F(1, 3), F(2, 3)]
    assert read_values(["1/2", 0.5], coin).dtype == float
    assert read_values(np.array([1, 2]), coin).tolist() == [F(1), F(2)]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([1, 2, 3], "The values have the shape (3,), but the states of coin"),
        ([[1, 2], [3]], "The rows of the values have different lengths"),
        ([0.5, -0.5], "The probability of coin=T is -0.5: negative."),
        ([0.5, "x"], "The probability of coin=T is 'x': not a number."),
        (
            np.array([np.inf, 0]),
            "The probability of coin=H is inf: not a finite number.",
        ),
    ],
)
def test_a_wrong_value_is_named_by_its_states(values, why):
    message = message_of(read_values, values, {"coin": ("H", "T")})
    assert message.startswith(why)


def test_cells_bring_their_states():
    cells, states = read_cells({("H", 2): 5}, ["coin", "die"], "counts")
    assert cells == [(("H", 2), 5)]
    assert states == {"coin": ("H",), "die": (2,)}
    named = pd.Series([1, 2], pd.Index(["H", "T"], name="coin"))
    assert read_cells(named, None, "counts")[1] == {"coin": ("H", "T")}
    cross = pd.crosstab(
        pd.Series(["H", "T"], name="coin"), pd.Series([1, 1], name="die")
    )
    cells, _ = read_cells(cross, None, "counts")
    assert cells == [(("H", 1), 1), (("T", 1), 1)]


@pytest.mark.parametrize(
    ("data", "names", "why"),
    [
        ({}, "coin", "There are no counts."),
        ({"H": 1}, None, "The counts do not say which variables they are"),
        ({"H": 1}, ["coin", "die"], "The key 'H' is not a tuple of 2 states"),
        (
            pd.Series([1, 2], ["H", "H"]),
            "coin",
            "('H',) appears twice; add its counts up first.",
        ),
    ],
)
def test_wrong_cells_are_named(data, names, why):
    assert message_of(read_cells, data, names, "counts").startswith(why)


def test_cells_are_a_dictionary_or_of_pandas():
    message = message_of(read_cells, [1], "coin", "counts", error=TypeError)
    assert message.endswith("a cross table of counts, not list.")


def test_an_array_of_cells_and_back():
    array = array_of([(("T", 3), F(1, 2))], STATES, 0)
    assert array.shape == (2, 3)
    assert array[1, 2] == F(1, 2)
    assert array.sum() == F(1, 2)
    assert say(states_at(STATES, (1, 2))) == "coin=T, die=3"


# --- Limits -----------------------------------------------------------------


def test_a_table_beyond_the_limit_is_refused_before_it_is_made():
    require_size((2, 4), "float", max_bytes=64)
    with pytest.raises(TableTooLargeError) as caught:
        require_size((2, 4), "float", max_bytes=63)
    assert str(caught.value) == (
        "The table would have 8 entries and need 64 bytes of memory; the "
        "limit is 63 bytes. Leave variables out, or merge states."
    )
    # Far beyond the largest float.
    message = message_of(require_size, [10] * 400, "fraction")
    assert "would have 1e+400 entries and need 1e+390 TiB" in message


def test_a_limit_is_a_number_of_bytes():
    assert read_limit(MAX_BYTES) == 2**30
    assert read_limit("1e3") == 1000
    assert message_of(read_limit, 0) == (
        "max_bytes is 0; it must be at least 1."
    )


@pytest.mark.parametrize(
    ("number", "shown"),
    [(1023, "1.02e+03 bytes"), (2048, "2 KiB"), (3 * 2**30, "3 GiB")],
)
def test_bytes_are_told_in_their_unit(number, shown):
    assert readable_bytes(number) == shown
    assert about(10**400) == "1e+400"
