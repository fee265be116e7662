"""A worksheet: questions with room for the answers, and the answers after.

Each question, and each answer, is an item of a numbered list, so that the
script of the pages makes a worksheet of the same pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from string import ascii_uppercase

from bayesbook.base.names import pluralise
from bayesbook.study.practice.selection import (
    LEVELS,
    Picked,
    pick,
    read_chapters,
    read_levels,
    topic_of,
)
from bayesbook.study.quiz.bank import load
from bayesbook.study.quiz.markdown import block, inline
from bayesbook.study.quiz.pages import answer, asset
from bayesbook.study.quiz.plain_text import one_line, without_pictures
from bayesbook.study.quiz.questions import (
    Choice,
    Numeric,
    Order,
    Question,
    number,
    unknown_kind,
)
from bayesbook.study.quiz.shuffling import lettered, places


@dataclass(frozen=True, repr=False)
class Worksheet:
    """Questions to be printed and solved on paper.

    A notebook shows it as it is printed, the answers on a page of their own;
    as plain text it has the questions, and ``answers`` the answers.

    Parameters
    ----------
    chapters : tuple of str
        From which the questions are.
    levels : tuple of str
        What they require.
    seed : int
        What they were drawn with.
    questions : tuple of Picked
        In their order.

    See Also
    --------
    worksheet : makes one.

    Examples
    --------
    >>> sheet = worksheet("events", levels="recall", size=1, seed=4)
    >>> [each.question.id for each in sheet.questions]
    ['read-the-bar']
    >>> print(sheet.answers)  # doctest: +ELLIPSIS
    Answers
    =======
    <BLANKLINE>
    1. C
       A. wrong: A joint probability is a share of all 200 letters, ...
    """

    chapters: tuple[str, ...]
    levels: tuple[str, ...]
    seed: int
    questions: tuple[Picked, ...]

    @property
    def call(self) -> str:
        """The call that makes it, as Python."""
        levels = "" if self.levels == LEVELS else f"levels={[*self.levels]}, "
        written = (
            f"study.worksheet({[*self.chapters]}, {levels}"
            f"size={len(self.questions)}, seed={self.seed})"
        )
        return written.replace("'", '"')

    @property
    def answers(self) -> str:
        """The answers with their reasons, as plain text."""
        blocks = [_plain_answer(each.question) for each in self.questions]
        return "\n\n".join(["Answers\n=======", *numbered(blocks)])

    def __repr__(self) -> str:
        blocks = [
            "\n".join([f"{each.topic} · {asked.level}", plain_item(asked)])
            for each in self.questions
            for asked in [each.question]
        ]
        head = f"Worksheet\n=========\n{self.call}"
        return "\n\n".join([head, *numbered(blocks)])

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self._html(), "text/plain": repr(self)}

    def _html(self) -> str:
        topics = [topic_of(load(chapter)) for chapter in self.chapters]
        parts = [
            f"Chapters: {', '.join(topics)}",
            f"Levels: {', '.join(self.levels)}",
            f"{pluralise(len(self.questions), 'question')}, seed {self.seed}",
        ]
        sheet = frame(
            ". ".join(map(escape, parts)) + ".",
            escape(self.call),
            "".join(sheet_item(each) for each in self.questions),
            "".join(answer_item(each.question) for each in self.questions),
        )
        return f"""\
<section class="bayesbook-quiz bayesbook-sheet mathjax_process" \
data-live="true" aria-label="Worksheet">
<style>
{asset("quiz.css", "bayesbook.study.quiz")}{asset("sheet.css", __package__)}\
</style>
{sheet}
</section>"""


def worksheet(
    chapters: str | Iterable[str],
    *,
    levels: str | Iterable[str] | None = None,
    size: int = 10,
    seed: int,
) -> Worksheet:
    """Make a worksheet of questions from the quizzes.

    The page Practice of the book draws the same questions in the same order
    for the same chapters, levels, size and seed.

    Parameters
    ----------
    chapters : str or iterable of str
        The chapters, by the names of their quizzes, such as ``"events"``:
        :func:`bayesbook.study.quiz.names` lists them.
    levels : str, iterable of str or None
        What the questions require of the reader: of ``"recall"``,
        ``"understand"``, ``"apply"``, ``"analyse"`` and ``"transfer"``; all
        by default.
    size : int
        How many questions.
    seed : int
        From 0 to 999,999,999: with another come other questions.

    Returns
    -------
    Worksheet
        Displays itself in a notebook, ready to be printed.

    Raises
    ------
    TypeError
        If an argument is of a wrong type.
    ValueError
        If there is no such chapter, level or seed, or there are fewer
        questions.

    Examples
    --------
    >>> sheet = worksheet("risk", levels=["apply", "analyse"], size=2, seed=3)
    >>> print(sheet.call)
    study.worksheet(["risk"], levels=["apply", "analyse"], size=2, seed=3)
    >>> len(sheet.questions)
    2
    >>> worksheet("rsik", seed=3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: There is no chapter 'rsik'. Did you mean 'risk'? The ...
    """
    picked = pick(chapters, levels, size, seed)
    return Worksheet(
        read_chapters(chapters), read_levels(levels), int(seed), picked
    )


# --- As HTML ----------------------------------------------------------------


def frame(selection: str, call: str, questions: str, answers: str) -> str:
    """Write a worksheet around its items.

    Parameters
    ----------
    selection : str
        HTML: what the questions were drawn from, and with which seed.
    call : str
        HTML: the call that makes the same worksheet.
    questions, answers : str
        Items, by :func:`sheet_item` and :func:`answer_item`.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> frame("Chapters: events.", "", "", "").count("Chapters: events.")
    2
    """
    chosen = f'<p class="sheet-selection">{selection}</p>'
    return f"""\
<div class="sheet-part">
<div class="sheet-title" role="heading" aria-level="2" tabindex="-1">\
Worksheet</div>
{chosen}
<p class="sheet-who"><span>Name</span><span>Date</span></p>
<ol class="sheet-questions">{questions}</ol>
</div>
<div class="sheet-part sheet-solutions">
<div class="sheet-title" role="heading" aria-level="2">Answers</div>
{chosen}
<p class="sheet-made">In Python: <code class="sheet-call">{call}</code></p>
<ol class="sheet-answers">{answers}</ol>
</div>"""


_HOW = {
    "single": "Choose one.",
    "multiple": "Choose all that apply.",
    "number": "Calculate.",
    "order": "Put these in order: write their letters, the first first.",
}


def sheet_item(picked: Picked) -> str:
    """Write a question with room for its answer.

    Parameters
    ----------
    picked : Picked
        The question and its topic.

    Returns
    -------
    str
        HTML of an item of a list.

    Examples
    --------
    >>> [picked] = pick("events", "recall", 1, seed=4)
    >>> sheet_item(picked).count("sheet-tick")
    4
    """
    asked = picked.question
    topic = f"{picked.topic} · {asked.level}"
    return f"""\
<li class="sheet-item" data-kind="{asked.kind}">
<p class="sheet-topic">{escape(topic)}</p>
<div class="sheet-prompt">{block(asked.prompt)}</div>
<p class="quiz-how">{_HOW[asked.kind]}</p>
{_blanks(asked)}
</li>"""


def _blanks(question: Question) -> str:
    tick = '<span class="sheet-tick" aria-hidden="true"></span>'
    line = '<span class="sheet-line"></span>'
    room = '<div class="sheet-room"></div>'
    match question:
        case Choice():
            texts = [
                (tick, letter, o.text) for letter, o in lettered(question)
            ]
            return f"{_options(texts)}\n{room}"
        case Order():
            texts = [("", letter, text) for letter, text in _steps(question)]
            order = f'<p class="sheet-blank">Order {line}</p>'
            return f"{_options(texts)}\n{room}\n{order}"
        case Numeric():
            unit = inline(question.unit)
            return f'{room}\n<p class="sheet-blank">Answer {line} {unit}</p>'
    raise unknown_kind(question)


def _options(texts: Iterable[tuple[str, str, str]]) -> str:
    items = "".join(
        f'<li>{tick}<span class="quiz-letter">{letter}</span>'
        f'<span class="quiz-text">{inline(text)}</span></li>'
        for tick, letter, text in texts
    )
    return f'<ul class="sheet-options quiz-options" role="list">{items}</ul>'


def _steps(question: Order) -> list[tuple[str, str]]:
    """Return the steps as they are shown, each with its letter."""
    shown = [question.steps[place].text for place in places(question)]
    return [*zip(ascii_uppercase, shown, strict=False)]


def key_of(question: Question) -> str:
    """Return the answer to a question as it is written on paper.

    Parameters
    ----------
    question : Question
        Of any kind.

    Returns
    -------
    str
        A number, or letters.

    Examples
    --------
    >>> [picked] = pick("events", "recall", 1, seed=4)
    >>> key_of(picked.question)
    'C'
    """
    match question:
        case Choice():
            right = [letter for letter, o in lettered(question) if o.right]
            return ", ".join(right)
        case Order():
            shown = places(question)
            order = range(len(shown))
            return ", ".join(ascii_uppercase[shown.index(at)] for at in order)
        case Numeric():
            value = question.answer
            if "/" in value:
                value = f"{value} ≈ {number(value):.4g}"
            return f"{value} {question.unit}".strip()
    raise unknown_kind(question)


def answer_item(question: Question) -> str:
    """Write the answer to a question, with its reasons.

    Parameters
    ----------
    question : Question
        Of any kind.

    Returns
    -------
    str
        HTML of an item of a list.

    Examples
    --------
    >>> [picked] = pick("events", "recall", 1, seed=4)
    >>> "<strong>C</strong>" in answer_item(picked.question)
    True
    """
    key = ""
    if not isinstance(question, Numeric):  # whose reasons begin with it
        key = f'<p class="sheet-key"><strong>{key_of(question)}</strong></p>'
    return f'<li class="sheet-item">{key}{answer(question)}</li>'


# --- As plain text ----------------------------------------------------------


def numbered(blocks: Iterable[str]) -> list[str]:
    r"""Write blocks of text as the items of a numbered list.

    Parameters
    ----------
    blocks : iterable of str
        Of one line or several.

    Returns
    -------
    list of str
        The same with numbers, further lines indented.

    Examples
    --------
    >>> numbered(["One", "Two\nor more"])
    ['1. One', '2. Two\n   or more']
    """
    shown = []
    for at, text in enumerate(blocks, 1):
        first, *rest = text.split("\n")
        lines = [f"   {line}".rstrip() for line in rest]
        shown.append("\n".join([f"{at}. {first}", *lines]))
    return shown


def plain_item(question: Question) -> str:
    """Write a question as plain text, with blanks.

    Parameters
    ----------
    question : Question
        Of any kind.

    Returns
    -------
    str
        Several lines.

    Examples
    --------
    >>> [picked] = pick("events", "recall", 1, seed=4)
    >>> print(plain_item(picked.question))  # doctest: +ELLIPSIS
    Of 200 letters in a mailbox, 80 are spam, ...
    """
    prompt = without_pictures(question.prompt)
    match question:
        case Choice():
            box = "( )" if question.kind == "single" else "[ ]"
            texts = [(f"{box} {a}", o.text) for a, o in lettered(question)]
            blank = ""
        case Order():
            texts = _steps(question)
            blank = "Order: ____"
        case Numeric():
            texts = []
            blank = f"Answer: ____ {question.unit}".rstrip()
        case _:
            raise unknown_kind(question)
    options = [
        f"  {name}. {one_line(without_pictures(text))}" for name, text in texts
    ]
    lines = [prompt, _HOW[question.kind], *options, blank]
    return "\n".join(filter(None, lines))


def _plain_answer(question: Question) -> str:
    """Write the answer to a question as plain text, with its reasons."""
    reasons: list[tuple[str, str]]
    match question:
        case Choice():
            reasons = [
                (f"{letter}. {'right' if o.right else 'wrong'}: ", o.why)
                for letter, o in lettered(question)
            ]
        case Numeric():
            wrong = [(f"{w.value} wrong: ", w.why) for w in question.wrong]
            reasons = [("", question.why), *wrong]
        case Order():
            reasons = [("", question.why)]
        case _:
            raise unknown_kind(question)
    lines = [f"{name}{one_line(why)}" for name, why in reasons]
    return "\n".join([key_of(question), *lines])
