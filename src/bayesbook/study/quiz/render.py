"""Showing a bank: HTML for a page or a notebook, plain text for a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

from bayesbook.study.quiz.bank import load
from bayesbook.study.quiz.pages import html
from bayesbook.study.quiz.plain_text import plain
from bayesbook.study.quiz.questions import Quiz


@dataclass(frozen=True, repr=False)
class Shown:
    """A bank as a notebook displays it.

    Parameters
    ----------
    quiz : Quiz
        The bank.

    Examples
    --------
    >>> Shown(Quiz("dice", "Two dice", ()))
    Two dice
    ========
    """

    quiz: Quiz

    def __repr__(self) -> str:
        return plain(self.quiz)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": html(self.quiz), "text/plain": plain(self.quiz)}


def show(quiz: Quiz | str | PathLike[str]) -> Shown:
    """Show the quiz of a chapter.

    Parameters
    ----------
    quiz : Quiz, str or path
        A bank, or what :func:`bayesbook.study.quiz.load` finds it by.

    Returns
    -------
    Shown
        Displays itself in a notebook and on the page made from it; as plain
        text it has the questions without the answers.

    Raises
    ------
    QuizError
        If there is no such bank, or it is not well formed.

    Examples
    --------
    >>> from bayesbook.study.quiz import Quiz
    >>> show(Quiz("dice", "Two dice", ()))
    Two dice
    ========
    """
    return Shown(quiz if isinstance(quiz, Quiz) else load(quiz))
