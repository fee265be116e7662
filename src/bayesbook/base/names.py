"""Names in messages: lists of them, and the one that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from difflib import get_close_matches
from numbers import Number


def nearest(word: Hashable, known: Iterable[Hashable]) -> Hashable | None:
    """Return the known name that is most like a word, or None.

    A number is like a name that is written alike, and like no other: 61 is
    not a misspelt 6. In a name of one or two letters the first must agree.
    """
    names = {str(name).casefold(): name for name in known}
    text = str(word).casefold()
    if text in names:
        return names[text]
    if isinstance(word, Number):
        return None
    like = [
        own
        for own, name in names.items()
        if not isinstance(name, Number)
        and (min(len(own), len(text)) > 2 or own[:1] == text[:1])
    ]
    close = get_close_matches(text, like, n=1)
    return names[close[0]] if close else None


def did_you_mean(word: Hashable, known: Iterable[Hashable]) -> str:
    """Suggest, at the end of a message, the name that was probably meant."""
    close = nearest(word, known)
    return "" if close is None else f" Did you mean {close!r}?"


def quoted_list(words: Iterable[Hashable], most: int = 8) -> str:
    """List names in quotes, the first of them if there are many."""
    words = list(words)
    shown = ", ".join(map(repr, words[:most]))
    return f"{shown}, …" if len(words) > most else shown


def and_list(words: Iterable[object]) -> str:
    """List things in words: A, B and C."""
    *others, last = map(str, words)
    return f"{', '.join(others)} and {last}" if others else last


def plural(noun: str) -> str:
    """Return the plural of a noun: nodes, classes, families."""
    if noun.endswith("s"):
        return f"{noun}es"
    return re.sub("(?<![aeiou])y$", "ie", noun) + "s"


def pluralise(number: int, noun: str) -> str:
    """Return a number with its noun: 1 node, 2,000 nodes."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def alphabetical(name: Hashable) -> tuple:
    """Return a key to sort names of any type by: X2 before X10."""
    pieces = re.split(r"(\d+)", str(name))
    pieces[1::2] = map(int, pieces[1::2])
    return pieces, type(name).__name__
