"""What drills have in common: mistakes that can be told apart, and words."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations

from bayesbook.quiz import WrongValue

# Three decimals of an answer are always enough.
TOLERANCE = Fraction(1, 2000)
# Different values are farther apart than any rounding of a reader's.
_APART = 8 * TOLERANCE

# The value that a mistake leads to, Python that makes it, the diagnosis.
Mistake = tuple[Fraction, str, str]


def told_apart(answer: Fraction, mistakes: Iterable[Mistake]) -> bool:
    """Tell whether no rounding turns an answer or a mistake into another.

    Parameters
    ----------
    answer : Fraction
        The right number.
    mistakes : iterable of Mistake
        Those that lead to the same number are one.

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
