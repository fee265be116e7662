"""The order in which things are shown: shuffled, but fixed by a seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import combinations
from string import ascii_uppercase
from typing import Any

from bayesbook.study.quiz.questions import Choice, Option, Order, Step


def random_key(name: object, seed: object) -> str:
    """Return what decides where a name stands in the order of a seed.

    A hash decides. A random generator could give another order in another
    version of Python, and committed pages must not change; and a script of
    the pages computes the same.

    Parameters
    ----------
    name : object
        Its text counts.
    seed : object
        Its text counts.

    Returns
    -------
    str
        Hexadecimal digits, as good as random.

    Examples
    --------
    >>> random_key("events", seed=7)[:8]
    'a336fcdb'
    """
    return hashlib.sha256(f"{seed}:{name}".encode()).hexdigest()


def shuffle(length: int, seed: str) -> list[int]:
    """Shuffle the numbers below a length, by a seed only.

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
    return sorted(range(length), key=lambda place: random_key(place, seed))


def draw_evenly(
    names: Mapping[str, Iterable[str]], size: int, seed: object
) -> list[tuple[str, str]]:
    """Draw names from groups, as evenly from all groups as they allow.

    The first of each group in the order of the seed are drawn before the
    second of any, and so on; what is drawn is then mixed. So a larger size
    keeps what a smaller one draws, and neither the order of the groups nor
    that of their names matters.

    Parameters
    ----------
    names : mapping of str to iterable of str
        The names of each group.
    size : int
        How many; all if there are fewer.
    seed : object
        Its text counts.

    Returns
    -------
    list of (str, str)
        Groups and names, mixed.

    Examples
    --------
    >>> draw_evenly({"risk": "abc", "text": "xyz"}, size=4, seed=1)
    [('risk', 'a'), ('text', 'x'), ('text', 'y'), ('risk', 'c')]
    """
    drawn = []
    for group, own in names.items():
        keys = sorted(
            (random_key(f"{group}/{name}", seed), name) for name in own
        )
        drawn += [
            (turn, key, group, name) for turn, (key, name) in enumerate(keys)
        ]
    mixed = sorted(each[1:] for each in sorted(drawn)[:size])
    return [(group, name) for _, group, name in mixed]


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
