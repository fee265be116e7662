"""Tables of spaces, counts, data frames and series."""

import itertools
import math
from fractions import Fraction as F

import pandas as pd
import pytest
from table_truth import (
    FACES,
)

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.data import load_berkeley_admissions
from bayesbook.probability import ProbabilitySpace, Table


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


def test_categories_of_a_column_are_states_even_if_they_do_not_occur():
    column = pd.Categorical(["low", "low"], categories=["low", "high"])
    p = Table.from_frame(pd.DataFrame({"X": column}))
    assert p.states["X"] == ("low", "high")
    assert p.P(X="high") == 0


def test_values_of_a_column_are_sorted_if_they_can_be():
    frame = pd.DataFrame({"X": [3, 1, 3], "Y": ["b", 1, "a"]})
    p = Table.from_frame(frame)
    assert dict(p.states) == {"X": (1, 3), "Y": ("b", 1, "a")}
    assert p.P(X=3, Y="a") == p.P(X=1, Y=1) == 1 / 3


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
        (pd.Series([1, 2], ["a", "a"]), ["X"], r"\('a',\) appears twice"),
        ({("a", "b"): 1}, ["X", "X"], "'X' appears twice"),
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
    incomplete = pd.DataFrame({"X": ["a", None]})
    with pytest.raises(
        ProbabilityError, match="Row 1 of column 'X' has no va"
    ):
        Table.from_frame(incomplete)
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
