r"""The statements of the book, and numbers for their symbols.

A module of this package gives, for each part of the book, numbers to the
symbols of its theorems and definitions, and computes independently what a
statement says of them; `tests/book/test_statements.py` then reads the TeX of
the page. An entry says how many equations of the statement can be evaluated.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from book_texts import pages, prose, texts
from tex_values import Names, equations, value

STATEMENT = re.compile(
    r"^(:{3,})\{prf:(?:theorem|definition|lemma|proposition|corollary)\} ?"
    r"(?P<title>[^\n]*)\n:label: (?P<label>\S+)\n(?P<text>.*?)^\1$",
    re.MULTILINE | re.DOTALL,
)
# With a label, so that other places can refer to it.
DISPLAY = re.compile(r"^\$\$\n((?!\$\$).*\n)+\$\$ \((eq-\S+)\)$", re.MULTILINE)


@cache
def statements(page: str) -> dict[str, str]:
    """Return the text of each theorem, definition and the like, by label."""
    return {
        found["label"]: found["text"]
        for text in texts(page).values()
        for found in STATEMENT.finditer(text)
    }


def titles() -> dict[str, str]:
    """Return the titles of all statements, by label."""
    return {
        found["label"]: found["title"]
        for page in pages()
        for text in texts(page).values()
        for found in STATEMENT.finditer(text)
    }


@cache
def displays(page: str) -> dict[str, str]:
    """Return the labelled equations of a page that stand in no statement."""
    return {
        found[2]: found[0]
        for text in texts(page).values()
        for found in DISPLAY.finditer(STATEMENT.sub("", text))
    }


@cache
def all_statements() -> dict[str, str]:
    """Return the statements of all pages."""
    return {
        label: text
        for page in pages()
        for label, text in statements(page).items()
    }


@dataclass(frozen=True)
class Entry:
    """Numbers for a statement.

    Parameters
    ----------
    numbers : function
        From random numbers, the values of the names, and, if it returns two,
        of the formulas that certain words of the statement introduce.
    links : int
        How many equations and inequalities have two sides with a value.
    without : str
        A pattern of the words to which the numbers do not apply, or none.
    """

    numbers: Callable[[np.random.Generator], Names]
    links: int
    without: str


ENTRIES: dict[str, Entry] = {}


def evaluated(label: str, links: int, without: str = "") -> Callable:
    """Enter the numbers for a statement."""

    def enter(numbers):
        assert label not in ENTRIES, label
        ENTRIES[label] = Entry(numbers, links, without)
        return numbers

    return enter


@dataclass(frozen=True)
class Findings:
    """What a statement says of certain numbers."""

    exact: list[tuple[str, bool]]  # equations, and what words introduce
    bounds: list[tuple[str, bool]]


@cache
def numbers_of(label: str, seed: int) -> tuple[Names, dict[str, float]]:
    found = ENTRIES[label].numbers(np.random.default_rng(seed))
    return found if isinstance(found, tuple) else (found, {})


def findings(text: str, label: str, seed: int) -> Findings:
    """Evaluate the text of a statement for random numbers."""
    entry = ENTRIES[label]
    names, introduced = numbers_of(label, seed)
    if entry.without:
        text, times = re.subn(f"(?s){entry.without}", ",", text)
        assert times == 1, f"{label} does not say {entry.without!r}"
    text = prose(text)
    exact, bounds = [], []
    for it in equations(text, names):
        is_bound = re.search(r" (?:[<>]|\\[lg]e) ", it.written)
        (bounds if is_bound else exact).append((it.written, it.holds))
    for words, number in introduced.items():
        formulas = re.findall(rf"{words}\s+\$+([^$]+?)[\s.]*\$", text)
        assert formulas, f"{label} does not say {words!r}"
        for formula in formulas:
            told = value(formula.rpartition(" = ")[2], names)
            same = math.isclose(told, number, rel_tol=1e-9)
            exact.append((f"{words} {formula}", same))
    return Findings(exact, bounds)


# --- What several parts need ------------------------------------------------


def over(**ranges):
    """Return all values of some indices, for a sum over these."""
    return [
        dict(zip(ranges, values, strict=True))
        for values in product(*ranges.values())
    ]


def weights(rng, *shape):
    """Return positive random numbers that sum to one."""
    found = rng.uniform(0.1, 1, shape)
    return found / found.sum()
