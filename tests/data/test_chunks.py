"""Chunks: whatever comes in parts gives what is whole."""

import pickle
import tempfile
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from cases_truth import (
    MEASURED,
    assert_same_cases,
    chunk,
    cut,
    frames,
    in_order_of_the_first,
)
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError
from bayesbook.data import Cases, read_cases
from bayesbook.data import chunks as chunk_module


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    """What would fit into memory stays in the file."""
    monkeypatch.setattr(chunk_module, "_IN_MEMORY", 0)


@pytest.mark.heavy
@given(st.data(), st.sampled_from(["list", "function", "iterator"]))
def test_chunks_are_the_frame(data, how):
    frame = data.draw(frames())
    chunks = data.draw(cut(frame))
    weights = data.draw(st.sampled_from([None, "weight", "others"]))
    if weights is None:
        chunks = [chunk.drop(columns="weight") for chunk in chunks]
    whole = in_order_of_the_first(chunks)
    if weights == "others":
        weights = np.arange(len(frame)) + 1
    elif weights is not None and not whole[weights].any():
        weights = None
    wanted = Cases(whole, weights=weights, missing="keep")
    given = {
        "list": chunks, "function": lambda: iter(chunks),
        "iterator": iter(chunks),
    }[how]  # fmt: skip
    with patch.object(chunk_module, "_BLOCK", data.draw(st.integers(1, 20))):
        cases = read_cases(given, weights=weights, missing="keep")
        assert_same_cases(cases, wanted)
        some = wanted.names[::-2]
        assert_same_cases(cases.select(some), wanted.select(some))
        pd.testing.assert_frame_equal(cases.to_frame(), wanted.to_frame())
    declared = dict(wanted.states)
    again = read_cases(
        chunks, states=declared, weights=weights, missing="keep"
    )
    assert_same_cases(
        again,
        Cases(whole, states=declared, weights=weights, missing="keep"),
    )


def test_few_rows_are_cases_in_memory(monkeypatch):
    monkeypatch.undo()
    frame = pd.DataFrame({"a": ["x", None, "y"], "w": [1, 2, 3]})
    cases = read_cases([frame[:1], frame[1:]], weights="w", missing="keep")
    assert type(cases) is Cases
    assert_same_cases(cases, Cases(frame, weights="w", missing="keep"))


@given(st.data())
def test_weights_that_are_not_whole_are_added_to_rounding(data):
    frame = data.draw(frames(["text", "number"], st.floats(0.125, 8)))
    chunks = data.draw(cut(frame))
    whole = in_order_of_the_first(chunks)
    wanted = Cases(whole, weights="weight")
    with patch.object(chunk_module, "_BLOCK", 4):
        cases = read_cases(chunks, weights="weight")
        assert_same_cases(cases, wanted, exact=False)


@given(st.data())
def test_chunks_may_hold_other_types_and_other_states(data):
    """As a frame they would be of the type that holds all of them."""
    kinds = st.sampled_from(
        [
            pd.Series([2, 0]),
            pd.Series([1.0, 0.0, np.nan]),
            pd.Series([True]),
            pd.Series([False, True]),
            pd.Series(["b", "a"]),
            pd.Series(["z"], dtype="string"),
            pd.Series([3, 1], dtype="Int64"),
            pd.Series(["b", 7], dtype=object),
            pd.Series(pd.Categorical(["y", "x"], categories=["y", "x"])),
            pd.Series(pd.to_datetime(["2001-02-03"])),
        ]
    )
    chunks = [
        own.to_frame("a") for own in data.draw(st.lists(kinds, min_size=1))
    ]
    wanted = Cases(pd.concat(chunks), missing="keep")
    cases = read_cases(chunks, missing="keep")
    # True and 1 are equal: which of them it is shows only so.
    assert repr(cases.states) == repr(wanted.states)
    np.testing.assert_array_equal(cases.columns, wanted.columns)


def test_categories_that_differ_are_joined():
    chunks = [
        pd.DataFrame({"a": pd.Categorical(["m"], categories=own)})
        for own in (["m", "z"], ["m", "b"])
    ]
    assert read_cases(chunks).states["a"] == ("b", "m", "z")


def test_a_late_state_that_needs_a_wider_code():
    """Blocks are written with one byte for each value."""
    frame = pd.DataFrame({"a": [*range(300, 0, -1)] * 3, "b": 0})
    chunks = [frame[start : start + 50] for start in range(0, 900, 50)]
    with patch.object(chunk_module, "_BLOCK", 64):
        cases = read_cases(chunks)
        assert_same_cases(cases, Cases(frame))
    kinds = {cases._spool[numbers[0]].dtype for numbers, _ in cases._blocks}
    assert kinds == {np.dtype("int8")}
    assert cases.columns[0].dtype == np.int16


@pytest.mark.parametrize(
    ("chunks", "given", "message"),
    [
        ([chunk(1), chunk(1, name="b")], {}, "Chunk 1: It has no column 'a'"),
        (
            [chunk(1), chunk(1).assign(b=1)],
            {},
            "Chunk 1: It has a column 'b', which the chunks before",
        ),
        ([chunk(1)[:0], chunk(1)[:0]], {}, "There is no row in 2 chunks"),
        ([], {}, "There is no row in 0 chunks"),
        (
            [*[chunk("x", "y")] * 7, chunk("x", "Y")],
            {"states": {"a": ["x", "y"]}},
            "Chunk 7: Column 'a' in row 1 is 'Y', which is none of 'x', 'y'",
        ),
        (
            [chunk("x"), chunk("x", None, None)],
            {},
            r"Chunk 1: Column 'a' has no value in row 1 \(2 missing values "
            "in it",
        ),
        ([chunk(1), chunk(*MEASURED)], {}, "Chunk 1: .* holds measurements"),
        (
            [chunk(*range(20)), chunk(*range(20, 30))],
            {},
            "'a' has 30 different values in 30 rows",
        ),
        (
            [chunk(None, None), chunk(None)],
            {"missing": "keep"},
            "Column 'a' has no value in any row",
        ),
        ([chunk(1)], {"weights": "w"}, "Chunk 0: There is no column 'w'"),
        (
            [chunk(1).assign(w=1), chunk(1).assign(w=-1)],
            {"weights": "w"},
            "Chunk 1: The weight in row 0 of column 'w' is -1: negative",
        ),
        (
            [chunk(1).assign(w=0), chunk(1).assign(w=0)],
            {"weights": "w"},
            "weights of all rows are zero",
        ),
        ([chunk(1), chunk(2)], {"weights": [1]}, "There are 1 rows, but 0 w"),
        ([chunk(1), chunk(2)], {"weights": [1, 2, 3]}, "2 rows, but 3 weig"),
        ([chunk(1)], {"weights": 3}, r"The weights have the shape \(\);"),
        ([chunk(1)], {"weights": [[3]]}, r"weights have the shape \(1, 1\)"),
        (
            [chunk(1)],
            {"states": {"b": [1]}},
            "Chunk 0: States are declared for",
        ),
        ([chunk(1)], {"missing": "drop"}, '"error" or "keep", not \'drop\''),
        (
            [chunk(1), pd.concat([chunk(1)] * 2, axis=1)],
            {},
            "Chunk 1: Two columns are called 'a'",
        ),
        ([chunk(1, name=0)], {}, "Chunk 0: The column 0 has no name that is"),
    ],
)
def test_errors_say_which_chunk(chunks, given, message):
    with pytest.raises(ProbabilityError, match=message):
        read_cases(iter(chunks), **given)


def test_chunks_are_frames():
    with pytest.raises(TypeError, match="Chunk 1 is of the type NoneType"):
        read_cases(iter([chunk(1), None]))


def test_too_many_states_are_noticed_before_they_fill_the_memory():
    chunks = (
        chunk(*range(start, start + 100)) for start in range(0, 800, 100)
    )
    with (
        patch.object(chunk_module, "_MANY_STATES", 250),
        patch.object(chunk_module, "_BLOCK", 100),
        pytest.raises(ProbabilityError, match=r"Chunk 2: .* 300 different"),
    ):
        read_cases(chunks)
    assert len(list(chunks)) == 5


def test_cases_in_a_file_travel_as_cases_in_memory():
    frame = pd.DataFrame({"a": ["x", "z", "y"], "w": [1, 2, 3]})
    cases = read_cases([frame[:1], frame[1:]], weights="w")
    assert type(cases) is not Cases
    there = pickle.loads(pickle.dumps(cases))
    assert type(there) is Cases
    assert_same_cases(there, Cases(frame, weights="w"))


def test_an_iterator_is_empty_the_second_time():
    chunks = iter([chunk(1, 2)])
    assert len(read_cases(chunks)) == 2
    with pytest.raises(ProbabilityError, match="only once"):
        read_cases(chunks)


def test_what_a_function_opens_is_closed():
    log = []

    def read():
        try:
            yield chunk(1)
            yield chunk(None)
        finally:
            log.append("closed")

    with pytest.raises(ProbabilityError, match="Chunk 1"):
        read_cases(read)
    assert log == ["closed"]


def test_the_file_goes_away(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def broken():
        yield chunk(1, 2)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        read_cases(broken())
    cases = read_cases([chunk(1, 2, 2)])
    assert cases.count([("a",)])[0].tolist() == [1, 2]
    file = cases._spool._file
    assert not list(tmp_path.iterdir())
    assert not file.closed
    del cases
    assert file.closed


def test_cases_of_chunks_are_read_again_as_cases_are():
    cases = read_cases([chunk(1), chunk(None)], missing="keep")
    assert read_cases(cases, missing="keep") is cases
    with pytest.raises(ProbabilityError, match="Chunk 1: Column 'a' has no"):
        read_cases(cases)
    with pytest.raises(ProbabilityError, match="have their weights already"):
        read_cases(cases, weights="a")
