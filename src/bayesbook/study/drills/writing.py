"""Shared parts of drills: mistakes that can be told apart, numbers, words."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import inf

from bayesbook.study.quiz import WrongValue

# Three decimals of an answer are always enough.
TOLERANCE = Fraction(1, 2000)
# Different values are farther apart than any rounding of a reader's.
_APART = 8 * TOLERANCE

# The value that a mistake leads to, Python that makes it, the diagnosis.
Mistake = tuple[Fraction, str, str]


def told_apart(answer: Fraction, mistakes: Iterable[Mistake]) -> bool:
    """Return whether no rounding turns an answer or a mistake into another.

    Parameters
    ----------
    answer : Fraction
        The right number.
    mistakes : iterable of Mistake
        Mistakes that lead to the same number count as one.

    Returns
    -------
    bool
        False also where a mistake gives the answer.

    Examples
    --------
    >>> half = (Fraction(1, 2), "p", "This is the prior.")
    >>> told_apart(Fraction(1, 3), [half, half])
    True
    >>> told_apart(Fraction(501, 1000), [half])
    False
    """
    wrong = {value for value, *_ in mistakes}
    return answer not in wrong and all(
        abs(a - b) >= _APART for a, b in combinations({answer, *wrong}, 2)
    )


def askable(
    answer: Fraction,
    mistakes: Iterable[Mistake],
    least: Fraction,
    largest: float = inf,
) -> bool:
    """Return whether a probability can be found by hand and not by guessing.

    Parameters
    ----------
    answer : Fraction
        The right number.
    mistakes : iterable of Mistake
        They have to be told apart, too.
    least : Fraction
        How far it is at least from 0 and from 1.
    largest : int, optional
        The largest denominator that can be done by hand.

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> [askable(Fraction(1, n), [], Fraction(1, 50), 40) for n in (9, 45, 60)]
    [True, False, False]
    """
    return (
        least <= answer <= 1 - least
        and answer.denominator <= largest
        and told_apart(answer, mistakes)
    )


def merged(
    mistakes: Iterable[Mistake], write: Callable[[Fraction], str]
) -> tuple[WrongValue, ...]:
    """Make one wrong value of mistakes that lead to the same number.

    Parameters
    ----------
    mistakes : iterable of Mistake
        In any order.
    write : callable
        Writes a number.

    Returns
    -------
    tuple of WrongValue
        In the order of the first mistakes that lead to them.

    Examples
    --------
    >>> third = Fraction(1, 3)
    >>> [wrong] = merged([(third, "p", "Prior."), (third, "q", "Rate.")], str)
    >>> wrong.value, wrong.why
    ('1/3', 'Prior. Or: Rate.')
    """
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
    """Make a sentence of a clause.

    Parameters
    ----------
    clause : str
        Without a stop.

    Returns
    -------
    str
        With a capital and a stop.

    Examples
    --------
    >>> sentence("the ball is red")
    'The ball is red.'
    """
    return f"{clause[0].upper()}{clause[1:]}."


def decimal(value: Fraction, places: int = 4) -> str:
    """Write a number as a decimal, or else as a fraction.

    Parameters
    ----------
    value : Fraction
        Any.
    places : int
        How long a decimal may be.

    Returns
    -------
    str
        A decimal if it is exact with at most this many places.

    Examples
    --------
    >>> decimal(Fraction(5, 4)), decimal(Fraction(-3)), decimal(Fraction(1, 3))
    ('1.25', '-3', '1/3')
    """
    if 10**places % value.denominator:
        return str(value)
    return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"


def rounded(value: Fraction, longest: int, places: int = 4) -> str:
    """Write a number as :func:`decimal` does, but not as a long fraction.

    Parameters
    ----------
    value : Fraction
        Any.
    longest : int
        With a larger denominator a fraction is rounded to five places.
    places : int
        How long an exact decimal may be.

    Returns
    -------
    str
        A decimal or a fraction.

    Examples
    --------
    >>> [rounded(Fraction(1, n), longest=500) for n in (4, 499, 501)]
    ['0.25', '1/499', '0.00200']
    """
    written = decimal(value, places)
    if "/" in written and value.denominator > longest:
        return f"{float(value):.5f}"
    return written


def fraction(value: Fraction) -> str:
    r"""Write a number in TeX, as a fraction.

    Parameters
    ----------
    value : Fraction
        Any.

    Returns
    -------
    str
        TeX.

    Examples
    --------
    >>> fraction(Fraction(5, 24)), fraction(Fraction(3))
    ('\\frac{5}{24}', '3')
    """
    if value.denominator == 1:
        return str(value)
    return rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def equals(value: Fraction, digits: int = 4) -> str:
    r"""Write a number in TeX, as a fraction and as a decimal.

    Parameters
    ----------
    value : Fraction
        Any.
    digits : int
        Those of the decimal.

    Returns
    -------
    str
        TeX.

    Examples
    --------
    >>> print(equals(Fraction(5, 24)))
    \frac{5}{24} \approx 0.2083
    >>> print(equals(Fraction(1, 4)), "and", equals(Fraction(3)))
    \frac{1}{4} = 0.25 and 3
    """
    if value.denominator == 1:
        return str(value)
    return f"{fraction(value)} {nearly(value, digits)}"


def nearly(value: Fraction, digits: int = 4) -> str:
    r"""Write in TeX what a number is as a decimal, with the sign for it.

    Parameters
    ----------
    value : Fraction
        Any.
    digits : int
        Those of the decimal.

    Returns
    -------
    str
        TeX.

    Examples
    --------
    >>> print(nearly(Fraction(5, 24)), "and", nearly(Fraction(1, 4)))
    \approx 0.2083 and = 0.25
    """
    decimals = about(value, digits)
    sign = "=" if Fraction(decimals) == value else r"\approx"
    return f"{sign} {decimals}"


def about(value: Fraction, digits: int = 3) -> str:
    """Write a number to a few digits, as people compare it.

    Parameters
    ----------
    value : Fraction
        Any.
    digits : int
        How many.

    Returns
    -------
    str
        A decimal.

    Examples
    --------
    >>> about(Fraction(5, 24)), about(Fraction(5, 24), digits=4)
    ('0.208', '0.2083')
    """
    return f"{float(value):.{digits}g}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown.

    Parameters
    ----------
    head : sequence of str
        Names of the columns; all but the first are centred.
    rows : iterable of sequence of str
        As long as the head.

    Returns
    -------
    str
        Markdown.

    Examples
    --------
    >>> print(table(["case", "weight"], [["A", "1/3"]]))
    | case | weight |
    | --- | :-: |
    | A | 1/3 |
    """
    lines = [head, ["---", *[":-:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def paragraphs(*parts: str) -> str:
    r"""Join paragraphs, without those that are empty.

    Parameters
    ----------
    *parts : str
        Markdown.

    Returns
    -------
    str
        Markdown.

    Examples
    --------
    >>> paragraphs("One.", "", "Two.")
    'One.\n\nTwo.'
    """
    return "\n\n".join(part for part in parts if part)
