"""What a learner has passed, and what only the book's solution has."""

import json
from types import SimpleNamespace

import pytest

from bayesbook.probability import bayes_rule
from bayesbook.study.exercises import Passes, check, passes, passing

NAME = "events/posterior"


@pytest.fixture(autouse=True)
def nothing_passed(monkeypatch):
    monkeypatch.setattr(passing, "_passed", {})


@pytest.fixture
def in_cell(monkeypatch):
    """Give a function that lets a program tell the kernel its cell."""

    def tell(message):
        shell = SimpleNamespace(get_parent=lambda: message)
        ipython = SimpleNamespace(get_ipython=lambda: shell)
        monkeypatch.setitem(passing.sys.modules, "IPython", ipython)

    return tell


def test_what_is_passed_counts_and_nothing_else():
    check(NAME, lambda prior, likelihood: None)
    check(NAME, lambda prior, likelihood: prior)
    assert passes().moments == {}
    assert check(NAME, bayes_rule).passed
    assert [*passes().moments] == [NAME]


@pytest.mark.parametrize(
    ("message", "counts"),
    [
        ({"metadata": {"cellId": "stub-posterior"}}, True),
        ({"metadata": {"cellId": "solution-posterior"}}, False),
        ({"metadata": {}}, True),
        ({}, True),
    ],
)
def test_a_solution_of_the_book_does_not_count(in_cell, message, counts):
    in_cell(message)
    assert check(NAME, bayes_rule).passed
    assert (NAME in passes().moments) == counts


def test_a_solution_takes_no_pass_away(in_cell):
    check(NAME, bayes_rule)
    [moment] = passes().moments.values()
    in_cell({"metadata": {"cellId": "solution-posterior"}})
    check(NAME, bayes_rule)
    assert passes().moments == {NAME: moment}


def test_the_file_has_a_record_for_each(tmp_path):
    all_of = {NAME: 5, "events/conditional": 6, "risk/two_losses": 7}
    Passes(all_of).save(tmp_path / "file")
    file = json.loads((tmp_path / "file").read_text("utf-8"))
    assert (file["format"], file["version"]) == ("bayesbook-progress", 1)
    moments = {
        f"{kind.removeprefix('exercise:')}/{name}": record["at"]
        for kind, records in file["records"].items()
        for name, record in records.items()
    }
    assert moments == all_of


def test_what_was_noted_stays_with_whoever_has_it():
    check(NAME, bayes_rule)
    before = passes()
    check("events/conditional", lambda *given: None)
    passing.note_pass("events/other")
    assert [*before.moments] == [NAME]
    with pytest.raises(TypeError):
        before.moments["events/other"] = 1


def test_where_nothing_is_passed_there_is_no_file():
    assert passes()._repr_html_() is None
    assert "No exercise" in repr(passes())
    assert "download=" in Passes({NAME: 5})._repr_html_()
