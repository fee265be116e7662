"""Cases: data frames as codes, against pandas."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError
from bayesbook.data import Cases, read_cases
from bayesbook.network import load_network

STATES = {"colour": ("blue", "red"), "size": (1, 2, 3), "old": (False, True)}


def frames(*, missing=False):
    columns = {
        name: st.sampled_from([*own, *([None] if missing else [])])
        for name, own in STATES.items()
    }
    rows = st.lists(st.fixed_dictionaries(columns), min_size=1, max_size=20)
    return rows.map(lambda rows: pd.DataFrame(rows, dtype=object))


@given(frames(missing=True), st.data())
def test_counts_are_those_of_pandas(frame, data):
    names = data.draw(
        st.lists(st.sampled_from(list(STATES)), unique=True, min_size=1)
    )
    cases = Cases(frame, states=STATES, missing="keep")
    (table,) = cases.count([names])
    wanted = Counter(frame[names].dropna().itertuples(index=False, name=None))
    for cell, number in np.ndenumerate(table):
        states = tuple(STATES[n][i] for n, i in zip(names, cell, strict=True))
        assert number == wanted[states]


@given(frames(missing=True))
def test_frames_there_and_back(frame):
    cases = Cases(frame, states=STATES, missing="keep")
    back = cases.to_frame()
    assert (back.isna() == frame.isna()).all(axis=None)
    known = frame.notna()
    same = back.astype(object) == frame
    assert (same == known).all(axis=None)
    assert cases.has_missing == bool(frame.isna().any(axis=None))


@given(frames(missing=True))
def test_distinct_rows_weigh_what_they_are(frame):
    cases = Cases(frame, states=STATES, missing="keep")
    distinct = cases.distinct()
    found = {
        tuple(int(column[row]) for column in distinct.columns): weight
        for row, weight in enumerate(distinct.weights)
    }
    assert len(found) == distinct.n_rows
    assert found == Counter(
        tuple(int(column[row]) for column in cases.columns)
        for row in range(cases.n_rows)
    )
    assert distinct.total == cases.total


def test_distinct_rows_of_more_columns_than_a_number_can_hold():
    frame = load_network("alarm").sample(500, rng=1)
    frame = pd.concat([frame, frame.add_suffix("2")], axis=1)
    frame = frame.iloc[[*range(400), *range(200)]]
    distinct = Cases(frame).distinct()
    wanted = frame.astype(str).value_counts()
    assert distinct.n_rows == len(wanted)
    assert sorted(distinct.weights) == sorted(wanted)


def test_states_come_from_categories_values_or_the_caller():
    frame = pd.DataFrame(
        {
            "a": pd.Categorical(["x"], categories=["y", "x"]),
            "b": ["x"],
            "c": ["x"],
        }
    )
    cases = Cases(frame, states={"c": ["w", "x"]})
    assert dict(cases.states) == {
        "a": ("y", "x"),
        "b": ("x",),
        "c": ("w", "x"),
    }
    assert [column.tolist() for column in cases.columns] == [[1], [0], [1]]


def test_categories_in_another_order_than_the_declared_states():
    column = pd.Categorical(["x", "y", "x"], categories=["y", "x", "never"])
    cases = Cases(pd.DataFrame({"a": column}), states={"a": ("x", "y")})
    assert cases.columns[0].tolist() == [0, 1, 0]


def test_states_of_a_network():
    asia = load_network("asia")
    frame = asia.sample(5, rng=1).astype(str)
    assert dict(Cases(frame, states=asia).states) == dict(asia.states)


def test_weights_may_be_a_column_or_a_sequence():
    frame = pd.DataFrame({"a": ["x", "y"], "n": [2, 5]})
    by_name = Cases(frame, weights="n")
    by_number = Cases(frame[["a"]], weights=[2, 5])
    for cases in (by_name, by_number):
        assert cases.names == ("a",)
        assert cases.total == 7
        assert cases.count([("a",)])[0].tolist() == [2, 5]
    assert "2 rows that count 7" in repr(by_name)


def test_later_changes_of_the_frame_are_not_seen():
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y"])})
    cases = Cases(frame)
    frame.loc[0, "a"] = "y"
    assert cases.count([("a",)])[0].tolist() == [1, 1]


def test_pairs_are_families_of_two():
    cases = Cases(load_network("asia").sample(100, rng=1))
    pairs = cases.count_pairs()
    (table,) = cases.count([("tub", "xray")])
    a, b = cases.names.index("tub"), cases.names.index("xray")
    np.testing.assert_array_equal(
        pairs[2 * a : 2 * a + 2, 2 * b : 2 * b + 2], table
    )


def test_some_of_the_variables():
    cases = Cases(pd.DataFrame({"a": [0, 1], "b": [1, 1], "c": [0, 0]}))
    some = cases.select(["c", "a"])
    assert some.names == ("c", "a")
    assert some.count([("a", "c")])[0].tolist() == [[1], [1]]


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        (pd.DataFrame(), {}, "no row"),
        (pd.DataFrame({"a": []}), {}, "no row"),
        (pd.DataFrame(index=[0, 1]), {}, "no column"),
        (pd.DataFrame({0: ["x"]}), {}, "column 0 has no name"),
        (pd.DataFrame({7: ["x"]}), {}, "column 7 has no name"),
        (pd.DataFrame({"": ["x"]}), {}, "column '' has no name"),
        (
            pd.DataFrame([["x", "y"]], columns=["a", "a"]),
            {},
            "Two columns are called 'a'",
        ),
        (
            pd.DataFrame({"a": ["x", None, None]}),
            {},
            r"Column 'a' has no value in row 1 \(2 missing values in all\).*"
            "fit_em",
        ),
        (
            pd.DataFrame({"a": [None, None]}),
            {"missing": "keep"},
            "Column 'a' has no value in any row",
        ),
        (pd.DataFrame({"a": ["x"]}), {"missing": "drop"}, "missing must be"),
        (
            pd.DataFrame({"a": [0.25, 1.5]}),
            {},
            r"Column 'a' holds measurements, such as 0.25.*EntropyDiscretizer",
        ),
        (
            pd.DataFrame({"name": [f"row {i}" for i in range(30)]}),
            {},
            "Column 'name' has 30 different values in 30 rows",
        ),
        (
            pd.DataFrame({"a": ["x", "z"]}),
            {"states": {"a": ["x", "y"]}},
            "Column 'a' in row 1 is 'z', which is none of 'x', 'y'",
        ),
        (
            pd.DataFrame({"a": ["x"]}),
            {"states": {"aa": ["x"]}},
            "'aa', which is not a column of the data.*Did you mean 'a'",
        ),
        (
            pd.DataFrame({"a": ["x"]}),
            {"weights": "n"},
            "no column 'n' that could hold the weights",
        ),
        (
            pd.DataFrame({"a": ["x"]}),
            {"weights": [1, 2]},
            "1 rows?, but 2 weights",
        ),
        (
            pd.DataFrame({"a": ["x"]}),
            {"weights": [-1]},
            "weight in row 0 .* -1",
        ),
        (pd.DataFrame({"a": ["x"]}), {"weights": [0]}, "weights of all rows"),
        (
            pd.DataFrame({"a": ["x"]}),
            {"weights": np.ones((1, 1))},
            r"weights have the shape \(1, 1\)",
        ),
        (
            pd.DataFrame({"a": ["x", "y"]}),
            {"weights": [1.5e308, 1.5e308]},
            "sum of the weights is larger than any float",
        ),
        (
            pd.DataFrame({"n": [1]}),
            {"weights": "n"},
            "no column but the weights",
        ),
    ],
)
def test_what_cannot_be_read(frame, options, message):
    with pytest.raises(ProbabilityError, match=message):
        Cases(frame, **options)


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        ([1, 2], {}, "Give a data frame"),
        (pd.DataFrame({"a": ["x"]}), {"states": 3}, "Give the states as"),
    ],
)
def test_arguments_of_a_wrong_type(frame, options, message):
    with pytest.raises(TypeError, match=message):
        Cases(frame, **options)


def test_whole_floats_are_states_and_declared_fractions_too():
    frame = pd.DataFrame({"a": [0.0, 1.0], "b": [0.5, 1.5]})
    cases = Cases(frame, states={"b": [0.5, 1.5]})
    assert cases.n_states == (2, 2)


def test_families_that_name_no_variable():
    cases = Cases(pd.DataFrame({"rain": ["no"]}))
    with pytest.raises(ProbabilityError, match="Did you mean 'rain'"):
        cases.count([("rein",)])
    with pytest.raises(ProbabilityError, match="twice"):
        cases.count([("rain", "rain")])
    with pytest.raises(TypeError, match=r"\('rain',\) for a single"):
        cases.count(["rain"])


def test_cases_are_read_once():
    cases = Cases(pd.DataFrame({"a": ["x", None]}), missing="keep")
    assert read_cases(cases, missing="keep") is cases
    with pytest.raises(ProbabilityError, match="no value in row 1"):
        read_cases(cases)
    with pytest.raises(ProbabilityError, match="have their weights already"):
        read_cases(cases, weights=[1, 1], missing="keep")
    with pytest.raises(ProbabilityError, match="The cases have the states"):
        read_cases(cases, states={"a": ["x", "y"]}, missing="keep")


@pytest.mark.parametrize("dtype", [object, "str", "string[python]"])
def test_texts_are_read_alike_however_pandas_keeps_them(dtype):
    texts = pd.Series(["wet", "dry", None, "wet"], dtype=dtype, name="grass")
    cases = Cases(texts.to_frame(), missing="keep")
    assert cases.states["grass"] == ("dry", "wet")
    assert all(type(state) is str for state in cases.states["grass"])
    assert cases.columns[0].tolist() == [1, 0, -1, 1]
    with pytest.raises(ProbabilityError, match="no value in row 2"):
        Cases(texts.to_frame())
