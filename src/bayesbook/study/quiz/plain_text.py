"""A bank as plain text, without the answers: what a terminal shows."""

from __future__ import annotations

import re

from bayesbook.study.quiz.questions import (
    Choice,
    Numeric,
    Order,
    Question,
    Quiz,
    unknown_kind,
)
from bayesbook.study.quiz.shuffling import as_shown, lettered

_KIND = {
    "single": "choose one",
    "multiple": "choose all that apply",
    "number": "a number",
    "order": "put in order",
}


def plain(quiz: Quiz) -> str:
    """Write a bank as plain text, without the answers.

    Parameters
    ----------
    quiz : Quiz
        The bank.

    Returns
    -------
    str
        Readable, and the same for the same bank.

    Examples
    --------
    >>> print(plain(Quiz("dice", "Two dice", ())))
    Two dice
    ========
    """
    blocks = [f"{quiz.title}\n{'=' * len(quiz.title)}"]
    total = len(quiz.questions)
    blocks += [
        plain_question(question, position, total)
        for position, question in enumerate(quiz.questions, 1)
    ]
    return "\n\n".join(blocks)


def plain_question(
    question: Question,
    position: int,
    total: int | None = None,
    title: str = "",
) -> str:
    """Write one question as plain text, without the answer.

    Parameters
    ----------
    question : Question
        Of any kind.
    position : int
        The question's number.
    total : int or None
        How many there are; None if they never end.
    title : str
        What it is called, if not by its number.

    Returns
    -------
    str
        Some lines.

    Examples
    --------
    >>> from bayesbook.study.quiz import Option
    >>> options = (Option("2", "", "", right=True), Option("3", "", ""))
    >>> question = Choice(id="coin", kind="single", level="recall",
    ...                   prompt="How many sides?", options=options)
    >>> print(plain_question(question, 1, 5))
    Question 1 of 5 · Recall · choose one
    How many sides?
      ( ) A. 2
      ( ) B. 3
    """
    level, kind = question.level.capitalize(), _KIND[question.kind]
    head = f"{title or label(position, total)} · {level} · {kind}"
    prompt = without_pictures(question.prompt)
    return "\n".join([head, prompt, *_controls(question)])


def label(position: int, total: int | None) -> str:
    """Return the heading of a question."""
    return f"Question {position}" + (f" of {total}" if total else "")


def _controls(question: Question) -> list[str]:
    match question:
        case Choice():
            box = "( )" if question.kind == "single" else "[ ]"
            return [
                f"  {box} {letter}. " + one_line(without_pictures(option.text))
                for letter, option in lettered(question)
            ]
        case Order():
            return [f"  - {one_line(s.text)}" for s in as_shown(question)]
        case Numeric():
            return [f"  Your answer: ____ {question.unit}".rstrip()]
    raise unknown_kind(question)


def without_pictures(text: str) -> str:
    """Replace pictures by their titles."""
    return re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", text).strip()


def one_line(text: str) -> str:
    """Join the lines of a text."""
    # Not str.split(): a no-break space stays.
    return re.sub(r"[ \t\n]+", " ", text).strip()
