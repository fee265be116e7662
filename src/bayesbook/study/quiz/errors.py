"""Problems of a bank, in words by which its author can mend it."""

from collections.abc import Iterable
from dataclasses import dataclass

from bayesbook.base import names


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a bank.

    Parameters
    ----------
    what : str
        A sentence saying what is wrong.
    remedy : str
        A sentence saying what to do about it.
    file : str
        Name of the bank's file.
    line : int or None
        Line in that file, counted from 1.
    question : str or None
        The question's id.
    part : str or None
        The part of the question, such as ``option 2``.

    Examples
    --------
    >>> print(Problem("`why` is missing.", "Write why.", "events.yml", 12,
    ...               "bayes", "option 2"))
    events.yml, line 12, question 'bayes', option 2: `why` is missing. \
Write why.
    """

    what: str
    remedy: str
    file: str
    line: int | None = None
    question: str | None = None
    part: str | None = None

    def __str__(self) -> str:
        place = [self.file]
        if self.line is not None:
            place.append(f"line {self.line}")
        if self.question is not None:
            place.append(f"question '{self.question}'")
        if self.part is not None:
            place.append(self.part)
        return f"{', '.join(place)}: {self.what} {self.remedy}".rstrip()


class QuizError(ValueError):
    """A bank cannot be used; the message lists every problem found.

    Parameters
    ----------
    problems : iterable of Problem
        At least one.

    Attributes
    ----------
    problems : tuple of Problem
        In the order of the file.

    Examples
    --------
    >>> raise QuizError([Problem("It is empty.", "Add one.", "dice.yml")])
    Traceback (most recent call last):
        ...
    bayesbook.study.quiz.errors.QuizError: dice.yml: It is empty. Add one.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems]
        if len(lines) > 1:
            lines = [f"{len(lines)} problems", *lines]
        super().__init__("\n  ".join(lines))

    def __reduce__(self) -> tuple:
        # A copy is made of the problems, not of the message made of them.
        return type(self), (self.problems,)


def refusal(
    what: str, remedy: str, file: str, line: int | None = None
) -> QuizError:
    """Return the error for a bank with a single problem."""
    return QuizError([Problem(what, remedy, file, line)])


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a question about the known word most like an unknown one.

    Parameters
    ----------
    word : str
        What was written.
    known : iterable of str
        What could have been meant.

    Returns
    -------
    str
        To append to a message; empty if no word is near.

    Examples
    --------
    >>> nearest("promt", ["prompt", "options"])
    'Did you mean `prompt`?'
    >>> nearest("zzz", ["prompt", "options"])
    ''
    """
    close = names.nearest(word, known)
    return "" if close is None else f"Did you mean `{close}`?"
