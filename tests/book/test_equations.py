"""Every equation of numbers in the book holds, in whatever text it stands."""

import re
from functools import cache
from itertools import chain

import pytest
from book_texts import pages, prose, texts
from tex_values import comparisons, equations


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


# --- Bounds of probabilities ------------------------------------------------

PROBABILITY = re.compile(r"(?:\\mathbb ?\{P\} ?\[|[Pp] ?\().*|\\,|\\cdot")
BOUNDS = {"<": "0", r"\le": "0", ">": "1", r"\ge": "1"}
REVERSED = {"<": ">", r"\le": r"\ge", ">": "<", r"\ge": r"\le"}


def wrong_bounds(text):
    """Yield the whole numbers that bound a probability, but are not 0 or 1.

    A probability, and a product of some, is above 0 and below 1; to say more
    of it takes a fraction.
    """
    for left, sign, right in comparisons(prose(text)):
        for number, than, other in [
            (left, sign, right),
            (right, REVERSED.get(sign), left),
        ]:
            is_bound = than in BOUNDS and "".join(number).isdigit()
            is_probability = other and all(map(PROBABILITY.fullmatch, other))
            if is_bound and is_probability and number != [BOUNDS[than]]:
                yield " ".join([*left, sign, *right])


@pytest.mark.parametrize("page", pages())
def test_a_probability_is_between_0_and_1(page):
    found = [
        wrong for text in texts(page).values() for wrong in wrong_bounds(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (r"$0 < \mathbb{P}[A] < 1$, $P(x) \ge 0$, $1 \ge p(x, y) > 0$", 0),
        (r"$1 < \mathbb{P}[A] < 2$, $P(x) \ge 9$, $2 \ge p(x, y) > 1$", 5),
        (r"$\mathbb{P}[A \cap B] = 0 < \mathbb{P}[A]\,\mathbb{P}[B]$", 0),
        (r"$\mathbb{P}[A \cap B] = 1 < \mathbb{P}[A]\,\mathbb{P}[B]$", 1),
        (r"$\mathbb{P}[X \ge 2] \le \frac12$, $2 \ge x > 1$", 0),
        (r"$0.3 < p(x)$, $2 < n \, p(x)$, $3 > p(x) + p(y)$", 0),
    ],
)
def test_which_bounds_of_a_probability_are_wrong(text, numbers):
    assert len([*wrong_bounds(text)]) == numbers


# --- Lists of names ---------------------------------------------------------

# As in X_1, \dots, X_n or A_1 \cap \dots \cap A_n.
AND = r"(?:,|\+|\\c[au]p)"
LIST = re.compile(rf"([A-Za-z]+[_^]\W*?)(\d+)(\W*{AND})\s*\\dots\s*{AND}\s*\1")
# The start of a Markov chain has the time 0; of the draws the first is known.
NOT_FROM_1 = {"glossary": {"X_0"}, "number_game": {"x_2"}}


def lists(page):
    """Return the lists of names in a page, as matches."""
    found = map(LIST.finditer, texts(page).values())
    return [*chain.from_iterable(found)]


@pytest.mark.parametrize("page", pages())
def test_a_list_of_names_begins_with_1(page):
    first = {it[1] + it[2] for it in lists(page) if it[2] != "1"}
    assert first == NOT_FROM_1.get(page, set())


def test_many_lists_of_names_are_found():
    found = [it[0] for page in pages() for it in lists(page)]
    print(f"{len(found)} lists of names")
    assert len(found) > 100
    assert {r"A_1 \cap \dots \cap A_", r"x^{(1)}, \dots, x^{("} <= {*found}


# --- Levels and indicators --------------------------------------------------

FORMULA = re.compile(r"(\$\$?)([^$]+)\1")
# As in $0 < u < 1$; a correlation has another range.
RANGE = re.compile(r"\s*(-?\d+) (?:<|\\le) [^<]*? (?:<|\\le) (\d+)\s*")
CORRELATION = {r"-1 \le \rho \le 1"}
INDICATOR = re.compile(r"\\mathbf\{(\d+)\}_")


def unusual(text):
    """Yield ranges that do not go from 0 to 1, and other indicators than 1."""
    for _, formula in FORMULA.findall(text):
        ends = RANGE.fullmatch(formula)
        if ends and ends.groups() != ("0", "1"):
            yield formula
        yield from (
            it[0] for it in INDICATOR.finditer(formula) if it[1] != "1"
        )


@pytest.mark.parametrize("page", pages())
def test_a_level_is_between_0_and_1(page):
    found = {it for text in texts(page).values() for it in unusual(text)}
    assert found <= CORRELATION


def test_which_levels_are_unusual():
    usual = r"$0 < u < 1$, $$a = \mathbf{1}_A$$ (eq-a), $1 \le k \le n$"
    other = r"$1 < u < 1$, $$0 \le t \le 2$$, $\mathbb{E}[\mathbf{0}_A]$"
    assert [*unusual(usual)] == []
    assert [*unusual(other)] == ["1 < u < 1", r"0 \le t \le 2", r"\mathbf{0}_"]
