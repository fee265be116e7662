"""The order in which options and steps are shown: shuffled, but fixed."""

from __future__ import annotations

import hashlib
from itertools import combinations
from string import ascii_uppercase
from typing import Any

from bayesbook.study.quiz.questions import Choice, Option, Order, Step


def shuffle(length: int, seed: str) -> list[int]:
    """Shuffle the numbers below a length, by a seed only.

    A hash decides. A random generator could give another order in another
    version of Python, and committed pages must not change.

    Parameters
    ----------
    length : int
        How many.
    seed : str
        Any text.

    Returns
    -------
    list of int
        A permutation of ``range(length)``.

    Examples
    --------
    >>> shuffle(4, "two-dice")
    [3, 1, 2, 0]
    """
    return sorted(
        range(length),
        key=lambda place: hashlib.sha256(f"{seed}:{place}".encode()).digest(),
    )


def places(question: Choice | Order) -> list[int]:
    """Return the order in which options or steps of a question are shown.

    Parameters
    ----------
    question : Choice or Order
        Of the pairs of steps at least half are shown in the wrong order.

    Returns
    -------
    list of int
        Positions in the bank, first shown first.

    Examples
    --------
    >>> from bayesbook.study.quiz import Option
    >>> options = tuple(Option(text, "", "") for text in "abc")
    >>> places(Choice(id="x", kind="single", level="recall", prompt="",
    ...               options=options, keep_order=True))
    [0, 1, 2]
    """
    if isinstance(question, Order):
        shown = shuffle(len(question.steps), question.id)
        return max(shown, shown[::-1], key=_disorder)
    if question.keep_order:
        return list(range(len(question.options)))
    return shuffle(len(question.options), question.id)


def _disorder(places: list[int]) -> int:
    """Count the pairs that stand in the wrong order."""
    return sum(a > b for a, b in combinations(places, 2))


def as_shown(question: Choice | Order) -> list[Any]:
    """Return the options or steps in the order in which they are shown."""
    parts: tuple[Option, ...] | tuple[Step, ...] = (
        question.options if isinstance(question, Choice) else question.steps
    )
    return [parts[place] for place in places(question)]


def lettered(question: Choice) -> list[tuple[str, Option]]:
    """Return the options as they are shown, each with its letter."""
    shown = as_shown(question)
    letters = ascii_uppercase[: len(shown)]
    # Strict, so that an option beyond Z is an error and not lost.
    return list(zip(letters, shown, strict=True))
