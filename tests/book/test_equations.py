"""Every equation of numbers in the book holds, in whatever text it stands."""

import re
from functools import cache

import pytest
from book_texts import pages, prose, texts
from tex_values import equations


@cache
def found_in(page):
    """Return the equations of numbers of a page, by the names of its texts."""
    return {
        name: [*equations(prose(text), rounded=True)]
        for name, text in texts(page).items()
    }


def written(page):
    """Return the equations of a page that say what something is exactly."""
    return {
        it.written
        for found in found_in(page).values()
        for it in found
        if not re.search(r"[<>]|\\[lg]e ", it.written)
    }


def with_other_digit(written):
    """Return an equation whose last digit is another one."""
    last = [*re.finditer(r"\d", written)][-1]
    other = str(int(last[0]) - 1 if last[0] == "9" else int(last[0]) + 1)
    return written[: last.start()] + other + written[last.end() :]


@pytest.mark.parametrize("page", pages())
def test_every_equation_holds(page):
    wrong = {
        name: [it.written for it in found if not it.holds]
        for name, found in found_in(page).items()
    }
    assert {name: found for name, found in wrong.items() if found} == {}


def test_many_are_evaluated_and_another_digit_turns_each_of_them_red():
    found = [it for page in pages() for it in written(page)]
    print(f"{len(found)} equations of numbers")
    assert len(found) > 450
    held = [
        changed
        for changed in map(with_other_digit, found)
        if all(it.holds for it in equations(f"${changed}$", rounded=True))
    ]
    assert held == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (r"$\frac{1}{2} + \frac13 = \frac56$", 1),
        (r"$\sum_{k=1}^3 k = 6 = \binom42$, and $5! = 120$", 3),
        ("So 1 − 1/6 = 5/6 (and $1/6 < 0.2$).", 2),
        (r"The odds are $4 : 2 = 2 : 1$; $x_1 = 3$ and (a) $y = 2$.", 1),
        (r"$\mathbb{P}[A] = 0.25 = 25\%$; $\Phi(-1.5) = 0.067$", 2),
    ],
)
def test_what_is_evaluated_in_a_text(text, numbers):
    found = [*equations(prose(text), rounded=True)]
    assert [it.holds for it in found] == [True] * numbers
