"""The formulas of theorems and definitions hold for random numbers."""

import re
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path

import notebooks
import pytest
import yaml
from book_texts import pages
from statements import (
    ENTRIES,
    all_statements,
    displays,
    findings,
    statements,
    titles,
)

PARTS = [
    "conditioning",
    "estimation",
    "conjugate",
    "naive_bayes",
    "networks",
    "appendix",
]
for part in PARTS:
    import_module(f"statements.{part}")

CHAPTERS = [
    name
    for name, path in pages().items()
    if path.suffix == ".ipynb" and "library" not in path.parts
]
SEEDS = range(3)
# Changes after which a statement is as true as before.
EQUIVALENT = {
    # The other factors, times their weights, sum to 0.
    "thm-ci-split": ["(a_i + a)(b_i - b)", "(a_i - a)(b_i + b)"],
    "def-nb-model": ["1^0 = 1"],
    "thm-learning-robinson": ["(-1)^{k-1}"],
    "def-large-monoid": ["a - 0 = a"],
}


def red(text, label, seed):
    """Return what does not hold in a text that should be the statement's."""
    found = findings(text, label, seed)
    told = [*found.exact, *found.bounds]
    wrong = [written for written, holds in told if not holds]
    if len(told) != ENTRIES[label].links:
        wrong.append(f"{len(told)} links: {[written for written, _ in told]}")
    return wrong


def evaluated(page):
    """Return what is evaluated of a page, by its labels."""
    found = statements(page) | displays(page)
    return [(label, found[label]) for label in found if label in ENTRIES]


@pytest.mark.parametrize("page", CHAPTERS)
def test_the_statements_hold(page):
    for label, text in evaluated(page):
        for seed in SEEDS:
            assert red(text, label, seed) == [], label


def mutants(text):
    """Yield a text with one sign, digit or exponent changed, in turns."""
    for at in re.finditer(r"[-+]|(?<![\w{-])\d(?=[^\d]|$)", text):
        other = {"+": "-", "-": "+"}.get(at[0]) or str((int(at[0]) + 1) % 10)
        yield text[: at.start()] + other + text[at.end() :]


def unseen(text, label):
    """Return the changes of a statement that stays green."""
    equal = findings(text, label, 0).exact
    for mutant in mutants(text):
        try:
            found = findings(mutant, label, 0).exact
        except (ValueError, AssertionError):
            continue  # it can no longer be read
        same = any(part in mutant for part in EQUIVALENT.get(label, []))
        if found == equal or same:
            continue
        if not any(red(mutant, label, seed) for seed in SEEDS):
            yield mutant


@pytest.mark.parametrize("page", CHAPTERS)
def test_another_sign_or_digit_is_seen(page):
    for label, text in evaluated(page):
        assert [*unseen(text, label)] == [], label


# --- What is not evaluated --------------------------------------------------

TESTS = Path(__file__).parents[1]
ELSEWHERE = yaml.safe_load(
    (TESTS / "statements" / "elsewhere.yml").read_text("utf-8")
)


@cache
def cells_of(chapter):
    return notebooks.parse(pages()[chapter].read_text("utf-8")).cells


def exists(check):
    """Return whether a test, or a cell that shows something, is there."""
    if " cell " not in check:
        file, _, name = check.partition("::")
        return f"\ndef {name}(" in (TESTS / file).read_text("utf-8")
    chapter, _, name = check.partition(" cell ")
    return any(
        cell.id == name and (cell.outputs or "assert " in cell.source)
        for cell in cells_of(chapter)
        if cell.cell_type == "code"
    )


def test_every_statement_is_evaluated_or_checked_elsewhere():
    named = {*ENTRIES, *ELSEWHERE}
    assert named >= {*all_statements()}
    equations = {label for page in CHAPTERS for label in displays(page)}
    assert named - {*all_statements()} <= equations


def test_every_other_check_exists():
    checks = [*chain(*(each.values() for each in ELSEWHERE.values()))]
    assert [check for check in checks if not exists(check)] == []


def test_every_other_check_has_the_title_of_its_statement():
    told = {label: [*found] for label, found in ELSEWHERE.items()}
    assert told == {label: [titles()[label]] for label in ELSEWHERE}


@pytest.mark.parametrize(
    "check",
    [
        "mcmc/test_chains.py::test_that_is_not_there",
        "events cell cell-that-is-not-there",
        "events cell colab-setup",
    ],
)
def test_a_check_that_is_not_there_is_missed(check):
    assert not exists(check)
