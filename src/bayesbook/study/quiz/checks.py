"""A quick check: one question of a chapter, within its text.

It is answered like a question of the quiz, but stands alone: without the
title of a bank, and without a score.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from bayesbook.study.quiz.bank import load
from bayesbook.study.quiz.errors import nearest, refusal
from bayesbook.study.quiz.pages import asset, form, section
from bayesbook.study.quiz.plain_text import plain_question
from bayesbook.study.quiz.questions import Question, Quiz

TITLE = "Quick check"
_IDLE = "To answer here, run this cell or, on a page, allow JavaScript."


@dataclass(frozen=True, repr=False)
class ShownCheck:
    """A quick check as a notebook displays it.

    Parameters
    ----------
    bank : Quiz
        The quick checks of a chapter.
    position : int
        Which of them it is, counted from 1.

    Examples
    --------
    >>> shown = quick_check("events", "second-ball")
    >>> shown.question.id, shown.anchor
    ('second-ball', 'check-events-second-ball')
    """

    bank: Quiz
    position: int

    @property
    def question(self) -> Question:
        """The question."""
        return self.bank.questions[self.position - 1]

    @property
    def anchor(self) -> str:
        """The id on its page, which addresses end with after a ``#``."""
        return anchor(self.bank.chapter, self.question.id)

    def __repr__(self) -> str:
        return plain_question(self.question, self.position, title=TITLE)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": _html(self), "text/plain": repr(self)}


def quick_check(bank: Quiz | str, name: str) -> ShownCheck:
    """Show a quick check within a chapter.

    Parameters
    ----------
    bank : Quiz or str
        The quick checks of a chapter, or the chapter's name.
    name : str
        The id of the question.

    Returns
    -------
    ShownCheck
        Displays itself in a notebook and on the page made from it; as plain
        text it has the question without the answer.

    Raises
    ------
    QuizError
        If there is no such bank, it is not well formed, or it has no such
        question.

    Examples
    --------
    >>> quick_check("events", "second-ball")
    Quick check · Understand · a number
    Two balls are drawn from an urn with three red and two blue ones, and the \
first is not put back.
    Nobody has looked at the first ball.
    What is the probability that the *second* ball is red?
      Your answer: ____
    """
    if isinstance(bank, str):
        bank = load(bank, checks=True)
    known = [question.id for question in bank.questions]
    if name not in known:
        what = f"There is no quick check {name!r}."
        remedy = f"{nearest(name, known)} There are: {', '.join(known)}."
        raise refusal(what, remedy.lstrip(), bank.file)
    return ShownCheck(bank, known.index(name) + 1)


def anchor(chapter: str, name: str) -> str:
    """Return the id that a quick check has on the page of its chapter.

    Parameters
    ----------
    chapter : str
        The chapter's name.
    name : str
        The id of the question.

    Returns
    -------
    str
        Without the ``#`` of an address.

    Examples
    --------
    >>> anchor("number_game", "size")
    'check-number-game-size'
    """
    return f"check-{chapter.replace('_', '-')}-{name}"


def _html(shown: ShownCheck) -> str:
    """Write a quick check as one self-contained piece of HTML."""
    attributes = (
        'class="bayesbook-quiz bayesbook-check mathjax_process" '
        f'data-chapter="{escape(shown.bank.chapter)}"'
    )
    content = f"""\
<style>
{asset("check.css")}</style>
{form(shown.question, escape(shown.anchor), shown.position, title=TITLE)}
<p class="quiz-idle">{_IDLE}</p>"""
    return section(attributes, content, asset("check.js"), once=True)
