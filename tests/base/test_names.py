"""Names in messages."""

import pytest

from bayesbook.base.names import (
    alphabetical,
    counted,
    did_you_mean,
    listed,
    nearest,
    spoken,
)


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("wether", ["Weather", "Grass"], "Weather"),
        ("GRASS", ["Weather", "Grass"], "Grass"),
        ("zzz", ["Weather", "Grass"], None),
        (12, [1, 120, "one"], 120),
        ("x", [], None),
    ],
)
def test_the_nearest_name(word, known, meant):
    assert nearest(word, known) == meant


def test_a_suggestion_can_stand_in_a_message():
    assert did_you_mean("skye", ["sky"]) == " Did you mean 'sky'?"
    assert did_you_mean("earth", ["sky"]) == ""


def test_long_lists_are_cut():
    assert listed("abc") == "'a', 'b', 'c'"
    assert listed(range(9), most=2) == "0, 1, …"


def test_things_are_listed_as_people_do():
    assert spoken([1]) == "1"
    assert spoken("AB") == "A and B"
    assert spoken("ABC") == "A, B and C"


def test_one_thing_is_no_things():
    assert counted(0, "node") == "0 nodes"
    assert counted(1, "free parameter") == "1 free parameter"
    assert counted(2000, "cell") == "2,000 cells"


def test_names_are_sorted_as_people_count():
    names = ["X10", "X2", "B", 10, 9, ("a", 1), "X2a"]
    assert sorted(names, key=alphabetical) == [
        9,
        10,
        ("a", 1),
        "B",
        "X2",
        "X2a",
        "X10",
    ]
    # Of equal names the type decides.
    assert sorted(["1", 1], key=alphabetical) == [1, "1"]
