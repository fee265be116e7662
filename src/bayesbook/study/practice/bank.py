"""The questions of the quizzes as scripts, for the page Practice.

A page on a disk may run scripts that lie beside it, but not read other files.
One script says which questions there are; for each chapter another holds them,
and is fetched when one of them is drawn.
"""

from __future__ import annotations

import json
import re

from bayesbook.study.practice.selection import Picked, topic_of
from bayesbook.study.practice.sheet import answer_item, sheet_item
from bayesbook.study.quiz.pages import form
from bayesbook.study.quiz.questions import Question, Quiz


def index_script(quizzes: list[Quiz]) -> str:
    """Write which questions there are, as a script.

    Parameters
    ----------
    quizzes : list of Quiz
        The banks.

    Returns
    -------
    str
        JavaScript that sets ``window.bayesbookPracticeIndex``: of each
        chapter its topic, and of each question its level, its version, and
        the label of the section that teaches it.

    Examples
    --------
    >>> print(index_script([Quiz("em", "Check yourself: EM", ())]))
    window.bayesbookPracticeIndex = {"em":{"topic":"EM","questions":{}}};
    <BLANKLINE>
    """
    index = {
        quiz.chapter: {
            "topic": topic_of(quiz),
            "questions": {
                q.id: [q.level, q.version, q.section] for q in quiz.questions
            },
        }
        for quiz in quizzes
    }
    return f"window.bayesbookPracticeIndex = {_json(index)};\n"


def bank_script(quiz: Quiz) -> str:
    """Write the questions of a chapter as a script.

    Each is there as a form, as an item of a worksheet, and as that of its
    answer. The parts that these share, texts and tags, are written once.

    Parameters
    ----------
    quiz : Quiz
        The bank.

    Returns
    -------
    str
        JavaScript that adds the bank to ``window.bayesbookPractice``.

    Examples
    --------
    >>> print(bank_script(Quiz("em", "Check yourself: EM", ())))
    (window.bayesbookPractice ??= {})["em"] = {"parts":[],"questions":{}};
    <BLANKLINE>
    """
    places: dict[str, int] = {}

    def cut(html: str) -> list[int]:
        pieces = re.findall(r"<[^>]*>|[^<]+", html)
        return [places.setdefault(piece, len(places)) for piece in pieces]

    topic = topic_of(quiz)
    questions = {
        q.id: {
            "form": cut(_form(quiz.chapter, q)),
            "sheet": cut(sheet_item(Picked(quiz.chapter, topic, q))),
            "answer": cut(answer_item(q)),
        }
        for q in quiz.questions
    }
    bank = {"parts": list(places), "questions": questions}
    name = json.dumps(quiz.chapter)
    return f"(window.bayesbookPractice ??= {{}})[{name}] = {_json(bank)};\n"


def _form(chapter: str, question: Question) -> str:
    # The script writes the number that the question has when it is drawn.
    name = f"practice-{chapter.replace('_', '-')}-{question.id}"
    return form(question, name, 1, 1)


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
