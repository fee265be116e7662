"""Which questions of the quizzes are practised, and in which order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral

from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.study.quiz.bank import load, names
from bayesbook.study.quiz.questions import Question, Quiz
from bayesbook.study.quiz.shuffling import draw_evenly

#: What a question requires of the reader, from the least to the most.
LEVELS = ("recall", "understand", "apply", "analyse", "transfer")
# So that a script reads each seed as Python does.
LARGEST_SEED = 999_999_999


@dataclass(frozen=True)
class Picked:
    """A question and where it comes from.

    Parameters
    ----------
    chapter : str
        The name of its bank.
    topic : str
        What its chapter is about, in words.
    question : Question
        Of any kind.

    Examples
    --------
    >>> pick(["events"], LEVELS, size=1, seed=4)[0].topic
    'events'
    """

    chapter: str
    topic: str
    question: Question


def topic_of(quiz: Quiz) -> str:
    """Return what a bank is about: its title without what all titles say.

    Parameters
    ----------
    quiz : Quiz
        A bank.

    Returns
    -------
    str
        Some words.

    Examples
    --------
    >>> topic_of(Quiz("em", "Check yourself: hidden variables", ()))
    'hidden variables'
    """
    return quiz.title.removeprefix("Check yourself: ")


def read_chapters(chapters: str | Iterable[str]) -> tuple[str, ...]:
    """Read names of chapters; refuse what is no chapter.

    Parameters
    ----------
    chapters : str or iterable of str
        One name or several.

    Returns
    -------
    tuple of str
        As given.

    Raises
    ------
    TypeError
        If they are no names.
    ValueError
        If there is none, one twice, or one without a quiz.

    Examples
    --------
    >>> read_chapters("events")
    ('events',)
    """
    return _read(chapters, "chapters", "chapter", names())


def read_levels(levels: str | Iterable[str] | None) -> tuple[str, ...]:
    """Read levels, all if None is given; refuse what is no level.

    Parameters
    ----------
    levels : str, iterable of str or None
        Of ``LEVELS``.

    Returns
    -------
    tuple of str
        From the least to the most.

    Raises
    ------
    TypeError
        If they are no names.
    ValueError
        If there is none, one twice, or another.

    Examples
    --------
    >>> read_levels(["apply", "recall"])
    ('recall', 'apply')
    """
    if levels is None:
        return LEVELS
    read = _read(levels, "levels", "level", LEVELS)
    return tuple(level for level in LEVELS if level in read)


def _read(
    given: str | Iterable[str], what: str, kind: str, known: Iterable[str]
) -> tuple[str, ...]:
    known = tuple(known)
    example = known[:2] or ("events", "risk")
    remedy = f"write names in a list, such as {[*example]}."
    if not isinstance(given, Iterable):
        raise TypeError(f"{what}={given!r} is not a list of names: {remedy}")
    read = (given,) if isinstance(given, str) else tuple(given)
    if not read:
        raise ValueError(f"{what}={given!r} has no {kind}: {remedy}")
    for at, name in enumerate(read):
        if not isinstance(name, str):
            raise TypeError(f"{what} has {name!r}, which is no name: {remedy}")
        if name not in known:
            raise ValueError(
                f"There is no {kind} {name!r}.{did_you_mean(name, known)} "
                f"The {kind}s are {quoted_list(known, len(known))}."
            )
        if name in read[:at]:
            raise ValueError(f"{what} has {name!r} twice: write it once.")
    return read


def require_whole(name: str, value: int, least: int, most: int) -> None:
    """Refuse what is no whole number between two others.

    Parameters
    ----------
    name : str
        Of the argument.
    value : int
        What was given.
    least, most : int
        The ends.

    Raises
    ------
    TypeError
        If it is no whole number.
    ValueError
        If it is too small or too large.

    Examples
    --------
    >>> require_whole("size", 0, 1, 9)
    Traceback (most recent call last):
        ...
    ValueError: size=0 is not from 1 to 9: write one such as 12.
    """
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(
            f"{name}={value!r} is not a whole number: write one such as 12."
        )
    if not least <= value <= most:
        raise ValueError(
            f"{name}={value!r} is not from {least} to {most:,}: write one "
            "such as 12."
        )


def pick(
    chapters: str | Iterable[str],
    levels: str | Iterable[str] | None,
    size: int,
    seed: int,
) -> tuple[Picked, ...]:
    """Pick questions of some chapters and levels.

    Parameters
    ----------
    chapters : str or iterable of str
        The chapters, by the names of their quizzes.
    levels : str, iterable of str or None
        Of ``LEVELS``; None for all.
    size : int
        How many, at least 1.
    seed : int
        From 0 to 999,999,999: with another come other questions.

    Returns
    -------
    tuple of Picked
        As evenly from the chapters as they allow, in an order that mixes
        them.

    Raises
    ------
    TypeError
        If an argument is of a wrong type.
    ValueError
        If there is no such chapter, level or seed, or there are fewer
        questions.

    Examples
    --------
    >>> [each.chapter for each in pick(["events", "risk"], "apply", 4, seed=1)]
    ['events', 'risk', 'events', 'risk']
    """
    chapters, levels = read_chapters(chapters), read_levels(levels)
    require_whole("seed", seed, 0, LARGEST_SEED)
    banks = {chapter: load(chapter) for chapter in chapters}
    pool = {
        chapter: {q.id: q for q in bank.questions if q.level in levels}
        for chapter, bank in banks.items()
    }
    there_are = sum(map(len, pool.values()))
    require_whole("size", size, 1, 10**9)
    if size > there_are:
        remedy = f"write size={there_are}, or add" if there_are else "Add"
        raise ValueError(
            f"size={size} is too large: these chapters and levels have "
            f"{there_are or 'no'} questions. {remedy[0].upper()}{remedy[1:]} "
            "chapters or levels."
        )
    return tuple(
        Picked(chapter, topic_of(banks[chapter]), pool[chapter][name])
        for chapter, name in draw_evenly(pool, size, seed)
    )
