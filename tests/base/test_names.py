"""Names in messages."""

import pytest

from bayesbook.base.names import (
    alphabetical,
    and_list,
    did_you_mean,
    nearest,
    pluralise,
    quoted_list,
)


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("wether", ["Weather", "Grass"], "Weather"),
        ("GRASS", ["Weather", "Grass"], "Grass"),
        ("zzz", ["Weather", "Grass"], None),
        (12, [1, 120, "one"], None),
        (61, range(1, 7), None),
        ("61", range(1, 7), None),
        (6, ["5", "6"], "6"),
        ("6", range(1, 7), 6),
        ("ab", ["b"], None),
        ("aa", ["b", "a"], "a"),
        ("il", ["well", "ill"], "ill"),
        ("i", ["ill"], None),
        ("A", ["b", "a"], "a"),
        ("x", [], None),
    ],
)
def test_the_nearest_name(word, known, meant):
    assert nearest(word, known) == meant


def test_a_suggestion_can_stand_in_a_message():
    assert did_you_mean("skye", ["sky"]) == " Did you mean 'sky'?"
    assert did_you_mean("earth", ["sky"]) == ""


def test_long_lists_are_cut():
    assert quoted_list("abc") == "'a', 'b', 'c'"
    assert quoted_list(range(9), most=2) == "0, 1, …"


def test_things_are_listed_as_people_do():
    assert and_list([1]) == "1"
    assert and_list("AB") == "A and B"
    assert and_list("ABC") == "A, B and C"


def test_one_thing_is_no_things():
    assert pluralise(0, "node") == "0 nodes"
    assert pluralise(1, "free parameter") == "1 free parameter"
    assert pluralise(2000, "cell") == "2,000 cells"


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
