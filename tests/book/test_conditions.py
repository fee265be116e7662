r"""Bounds and lists that are the same on every page.

No check cell needs to bind the digits of $\mathbb{P}[B] > 0$, of
$0 < u < 1$, of $A_1, \dots, A_n$ and of $\mathbf{1}_A$: a probability is
positive or not negative, a level lies between 0 and 1, a list begins at its
first, and there is only one sign for indicators.
"""

import re

import pytest
from book_texts import pages, texts

FORMULA = re.compile(r"(\$\$?)([^$]+)\1")
PROBABILITY = (
    r"(?:\\mathbb\{P\}\[[^$\]]*\]|p(?:_\w|_\{[^$}]*\})?"
    r"\((?:[^$()]|\([^$()]*\))*\))"
)
POSITIVE = re.compile(rf"{PROBABILITY} (?:>|\\ge) (\d+)(?![\d/]|\.\d)")
RANGE = re.compile(r"(-?\d+) (?:<|\\le) [^$<]*? (?:<|\\le) (\d+)")
INDICATOR = re.compile(r"\\mathbf\{(\d+)\}(?=_)")
# A_1, \dots and A_2, A_3, \dots, but no B_1, A_2, \dots.
LIST = re.compile(
    r"(?P<name>\\?[A-Za-z]+)_\{?(?P<first>\d+)\}?"
    r"(?P<more>(?:, (?P=name)_\{?\d+\}?)*)"
    r"(?:,| \\c[au]p| \+| \\cdot|\\,)? ?\\[lc]?dots"
)
KNOWN = {
    # Events with the probabilities 1/k, of which the first would be certain.
    "limit_theorems": {r"A_2, A_3, \dots"},
    # The examples after the first.
    "number_game": {r"x_2, \dots"},
    # A correlation.
    "random_variables": {r"-1 \le \rho \le 1"},
}


def strange(text):
    """Return what differs from the usual."""
    found = []
    for _, formula in FORMULA.findall(" ".join(text.split())):
        found += [it[0] for it in POSITIVE.finditer(formula) if it[1] != "0"]
        if (ends := RANGE.fullmatch(formula)) and ends.groups() != ("0", "1"):
            found.append(formula)
        found += [it[0] for it in INDICATOR.finditer(formula) if it[1] != "1"]
        for it in LIST.finditer(formula):
            first = int(it["first"])
            numbers = re.findall(r"_\{?(\d+)", it["more"])
            in_turn = range(first + 1, first + 1 + len(numbers))
            goes_on = f"{it['name']}_{first - 1}" in formula[: it.start()]
            begins = first < 2 or goes_on
            if not begins or [*map(int, numbers)] != [*in_turn]:
                found.append(it[0])
    return found


@pytest.mark.parametrize("page", pages())
def test_bounds_and_lists_are_the_usual_ones(page):
    found = {name: set(strange(text)) for name, text in texts(page).items()}
    known = KNOWN.get(page, set())
    assert {name: new for name in found if (new := found[name] - known)} == {}


@pytest.mark.parametrize(
    "text",
    [
        r"Let $\mathbb{P}[B \cap C] > 1$.",
        r"the sum over $p_Y(y) > 2$",
        r"for $p_{X \mid Y}(x \mid y) \ge 1$",
        r"$0 \le \mathbb{P}[A] \le 2$",
        r"For $1 < u < 1$",
        r"events $A_2, \dots, A_n$",
        r"$X_1, X_3, \dots$",
        r"$$ a = b $$ (eq-a) if $p(z) > 1$ and $p(y) > 0$",
        r"whenever $p(x_{\mathrm{pa}(i)}) > 1$",
        r"$\mathbb{E}[\mathbf{2}_A]$",
        r"$\mathbb{P}[A_3 \cap \dots \cap A_n]$",
    ],
)
def test_an_unusual_one_is_seen(text):
    assert len(strange(text)) == 1
