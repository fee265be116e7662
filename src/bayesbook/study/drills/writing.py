"""Shared parts of drills: mistakes that can be told apart, numbers, words.

A mistake is written once, as a line ``formula | diagnosis``, or ``formula | if
condition | diagnosis`` where it is not always one. The formula is a check of
the quiz; computed with exact values for the names of the question's setup, it
also gives the wrong number. Where a check goes another way than the number,
the line is ``formula = check | diagnosis``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import Any

from bayesbook.study.quiz import WrongValue

# Three decimals of an answer are always enough.
TOLERANCE = Fraction(1, 2000)
# Different values are farther apart than any rounding of a reader's.
_APART = 8 * TOLERANCE
# How many different wrong values a question has at least.
_FEWEST_MISTAKES = 3

# The value that a mistake leads to, Python that makes it, the diagnosis.
Mistake = tuple[Fraction, str, str]


def lines_of(block: str) -> list[str]:
    """List the lines of a block; deeper ones continue the line above."""
    rows = [row for row in block.split("\n") if row.strip()]
    margin = len(rows[0]) - len(rows[0].lstrip())
    lines: list[str] = []
    for row in rows:
        if row[margin] == " ":
            lines[-1] += f" {row.strip()}"
        else:
            lines.append(row.strip())
    return lines


def kept_lines(block: str, names: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a block whose conditions hold, without these."""
    for line in lines_of(block):
        head, _, rest = line.partition(" | if ")
        condition, _, tail = rest.partition(" | ")
        if not condition:
            yield line
        elif exact(condition, names):
            yield f"{head} | {tail}"


def mistakes_of(
    block: str, names: Mapping[str, Any]
) -> Iterator[tuple[Any, str, str]]:
    """Yield value, check and diagnosis of mistakes that have a value."""
    for line in kept_lines(block, names):
        head, _, why = line.rpartition(" | ")
        formula, _, check = head.partition(" = ")
        value = exact(formula, names)
        if value is not None:
            yield value, check or formula, why


def exact(formula: str, names: Mapping[str, Any]) -> Any:
    """Compute a formula, which is Python over some names."""
    return eval(_compiled(formula), dict(names))


@lru_cache(maxsize=2000)
def _compiled(formula: str) -> Any:
    return compile(formula, formula, "eval")


def told_apart(answer: Fraction, mistakes: Iterable[Mistake]) -> bool:
    """Return whether no rounding turns an answer or a mistake into another."""
    wrong = {value for value, *_ in mistakes}
    neighbours = pairwise(sorted({answer, *wrong}))
    return answer not in wrong and all(b - a >= _APART for a, b in neighbours)


def mistakes_to_tell(
    block: str, names: Mapping[str, Any], answer: Fraction
) -> list[Mistake] | None:
    """List the mistakes, or None if they are few or cannot be told apart."""
    found = [
        (Fraction(value), check, why)
        for value, check, why in mistakes_of(block, names)
        if value != answer
    ]
    several = len({value for value, *_ in found}) >= _FEWEST_MISTAKES
    return found if several and told_apart(answer, found) else None


def names_of(setup: str) -> dict[str, Any]:
    """Run a setup, and return the names that it defines."""
    names: dict[str, Any] = {}
    exec(setup, names)
    return names


def assigned(names: Mapping[str, Any]) -> str:
    """Write the Python that gives names their values.

    Examples
    --------
    >>> print(assigned({"N": 3, "m": 5}), end="")
    N = 3
    m = 5
    """
    return "".join(f"{name} = {value!r}\n" for name, value in names.items())


def by_hand(answer: Fraction, least: Fraction, largest: float = inf) -> bool:
    """Return whether a probability can be found by hand, not by guessing."""
    return least <= answer <= 1 - least and answer.denominator <= largest


def merged(
    mistakes: Iterable[Mistake], write: Callable[[Fraction], str]
) -> tuple[WrongValue, ...]:
    """Make one wrong value of mistakes that lead to the same number."""
    found: dict[Fraction, tuple[str, str]] = {}
    for value, check, why in mistakes:
        if value in found:
            first, known = found[value]
            found[value] = first, f"{known} Or: {why}"
        else:
            found[value] = check, why
    return tuple(
        WrongValue(write(value), check, why)
        for value, (check, why) in found.items()
    )


def sentence(clause: str) -> str:
    """Make a sentence of a clause."""
    return f"{clause[0].upper()}{clause[1:]}."


def decimal(value: Fraction, places: int = 4) -> str:
    """Write a number as a decimal, or else as a fraction."""
    if 10**places % value.denominator:
        return str(value)
    return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def rounded(value: Fraction, longest: int, places: int = 4) -> str:
    """Write a number as :func:`decimal` does, but not as a long fraction."""
    written = decimal(value, places)
    if "/" in written and value.denominator > longest:
        return f"{float(value):.5f}"
    return written


def fraction(value: Fraction) -> str:
    """Write a number in TeX, as a fraction."""
    if value.denominator == 1:
        return str(value)
    return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def equals(value: Fraction, digits: int = 4) -> str:
    """Write a number in TeX, as a fraction and as a decimal."""
    if value.denominator == 1:
        return str(value)
    return f"{fraction(value)} {nearly(value, digits)}"


def nearly(value: Fraction, digits: int = 4) -> str:
    """Write in TeX what a number is as a decimal, with the sign for it."""
    decimals = about(value, digits)
    sign = "=" if Fraction(decimals) == value else r"\approx"
    return f"{sign} {decimals}"


def about(value: Fraction, digits: int = 3) -> str:
    """Write a number to a few digits, as people compare it."""
    return f"{float(value):.{digits}g}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    lines = [head, ["---", *[":-:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def hints(look: str, step: str) -> tuple[str, str]:
    """Write what a reader is told after a first and a second wrong answer."""
    return f"**What to look at.** {look}", f"**The first step.** {step}"


def paragraphs(*parts: str) -> str:
    """Join paragraphs, without those that are empty."""
    return "\n\n".join(part for part in parts if part)
