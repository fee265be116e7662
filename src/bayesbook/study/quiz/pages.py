"""A bank as one self-contained piece of HTML.

It needs no network and, to be read, no JavaScript. The script only reveals
what stands in the document from the start, so that all of its formulas are
typeset by then: by JupyterLab, or when a page is built.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from bayesbook.study.quiz.markdown import block, inline
from bayesbook.study.quiz.plain_text import label
from bayesbook.study.quiz.questions import (
    Choice,
    Numeric,
    Order,
    Question,
    Quiz,
    number,
    unknown_kind,
)
from bayesbook.study.quiz.shuffling import as_shown, lettered, places

# With a value, because JupyterLab removes the bare attribute from outputs that
# it does not trust yet.
_HIDDEN = 'hidden="hidden"'
_COMMON = ("memory", "answers", "question")
_IDLE = (
    "To answer here, run this cell or, on a page, allow JavaScript. Each "
    "answer is folded below its question."
)


def html(quiz: Quiz) -> str:
    """Write a bank as one self-contained piece of HTML.

    Parameters
    ----------
    quiz : Quiz
        The bank.

    Returns
    -------
    str
        A ``section`` with its style and its script; the same for the same
        bank.

    Examples
    --------
    >>> page = html(Quiz("dice", "Two dice", ()))
    >>> page.startswith("<section"), page.endswith("</section>")
    (True, True)
    """
    # Parts are joined to a name with "_", which nothing else in it contains:
    # the legend of the question "by" is not the question "by-number".
    name = f"quiz-{escape(quiz.chapter.replace('_', '-'))}"
    total = len(quiz.questions)
    questions = "\n".join(
        form(question, f"{name}-{escape(question.id)}", position, total)
        for position, question in enumerate(quiz.questions, 1)
    )
    content = f"""\
<header class="quiz-head">
<div class="quiz-title" id="{name}_title" role="heading" aria-level="3" \
tabindex="-1">{inline(quiz.title)}</div>
<div class="quiz-progress" {_HIDDEN}>
<span class="quiz-pips" aria-hidden="true"></span>
<span class="quiz-score" role="status"></span>
<button type="button" class="quiz-button quiz-over" {_HIDDEN}>\
Start over</button>
</div>
<p class="quiz-idle">{_IDLE}</p>
</header>
{questions}"""
    attributes = (
        'class="bayesbook-quiz mathjax_process" '
        f'data-chapter="{escape(quiz.chapter)}" '
        f'aria-labelledby="{name}_title"'
    )
    return section(attributes, content, asset("quiz.js"))


def section(
    attributes: str, content: str, script: str, *, once: bool = False
) -> str:
    """Return a section of questions with their style and script.

    Parameters
    ----------
    attributes : str
        Of the section, as HTML.
    content : str
        HTML with questions written by :func:`form`.
    script : str
        JavaScript that begins them; it sees the functions of
        ``question.js`` and of ``memory.js``.
    once : bool
        Whether a page with several such sections needs the script only once,
        because it begins those that come later, too.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> section('class="bayesbook-quiz"', "", "")[:32]
    '<section class="bayesbook-quiz">'
    """
    # In one function, so that no name leaks out into the page.
    common = [asset(f"{name}.js") for name in _COMMON]
    sources = "\n".join([*common, script])
    tag = "<script data-once>" if once else "<script>"
    return f"""\
<section {attributes}>
<style>
{asset("quiz.css")}</style>
{content}
{tag}
(() => {{
"use strict";
{sources}}})();
</script>
</section>"""


@cache
def asset(name: str, package: str = __package__) -> str:
    """Read a script or a style sheet that lies beside the modules.

    Parameters
    ----------
    name : str
        Of the file.
    package : str
        Of the modules.

    Returns
    -------
    str
        Its text.

    Examples
    --------
    >>> "readNumber" in asset("answers.js")
    True
    """
    return files(package).joinpath(name).read_text("utf-8")


_HOW = {
    "single": "Choose one.",
    "multiple": "Choose all that apply.",
    "order": "Put these in order, the first on top.",
}


def form(
    question: Question,
    name: str,
    position: int,
    total: int | None = None,
    worked: str = "",
    title: str = "",
    hints: Iterable[str] = (),
    read: str = "",
) -> str:
    """Write one question as a form.

    Parameters
    ----------
    question : Question
        Of any kind.
    name : str
        The form's id, and what the ids in it begin with.
    position : int
        The question's number.
    total : int or None
        How many there are; None if they never end.
    worked : str
        Markdown: a worked explanation, which can be opened before anything
        is answered and stands above the reasons.
    title : str
        What the question is called, if not by its number and level.
    hints : iterable of str
        Markdown: the first is shown after one wrong answer, the second after
        two, and so on.
    read : str
        Label of the section to be read after a wrong answer; what builds the
        pages knows its address.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> from bayesbook.study.quiz import Option
    >>> options = (Option("2", "", "", right=True), Option("3", "", ""))
    >>> question = Choice(id="coin", kind="single", level="recall",
    ...                   prompt="How many sides?", options=options)
    >>> "Question 1 of 5" in form(question, "quiz-coin", 1, 5)
    True
    """
    how = _HOW.get(question.kind, "")
    how = f'<p class="quiz-how">{how}</p>\n' if how else ""
    called = f"{title.lower() or 'question'} {position}"
    to_question = f'<span class="quiz-aside"> {called}</span>'
    # A form keeps radio buttons to themselves if a page shows a quiz twice,
    # and makes Enter check; method "dialog" sends nothing anywhere.
    return f"""\
<form class="quiz-question" method="dialog" novalidate autocomplete="off" \
id="{name}" data-id="{escape(question.id)}" data-kind="{question.kind}" \
data-version="{question.version}" data-key="{_key(question)}">
<fieldset aria-labelledby="{name}_number {name}_prompt">
<legend id="{name}_number">{_head(question, position, total, title)}</legend>
<div class="quiz-prompt" id="{name}_prompt">
{block(question.prompt)}
</div>
{how}{_controls(question, name)}
<div class="quiz-actions" {_HIDDEN}>
<button type="submit" class="quiz-button quiz-check">\
Check{to_question}</button>
<button type="button" class="quiz-button quiz-again" {_HIDDEN}>\
Try again{to_question}</button>
</div>
<div class="quiz-feedback" aria-live="polite" aria-atomic="true">
<p class="quiz-verdict"></p>
{_reasons(question)}
</div>
{_hints(hints, read)}{_folded(question, called, worked)}
</fieldset>
</form>"""


def _head(
    question: Question, position: int, total: int | None, title: str
) -> str:
    if title:  # the number is for those who hear all titles of a page
        number = f'<span class="quiz-aside"> {position}</span>'
        return f"<span>{title}{number}</span>"
    level = escape(question.level.capitalize())
    return (
        f"<span>{label(position, total)}</span> "
        '<span aria-hidden="true">·</span> '
        f'<span class="quiz-level">{level}</span>'
    )


def _hints(hints: Iterable[str], read: str) -> str:
    """Write hints, hidden until there were as many wrong answers."""
    written = [block(hint) for hint in hints]
    if not written:
        return ""
    items = [
        f'<div class="quiz-hint" data-tries="{tries}" {_HIDDEN}>{hint}</div>'
        for tries, hint in enumerate(written, 1)
    ]
    items.append(
        f'<p class="quiz-hint" data-tries="{len(written) + 1}" {_HIDDEN}>'
        "The worked explanation below has the whole solution.</p>"
    )
    if read:
        items.append(
            f'<p class="quiz-hint quiz-read" data-tries="1" '
            f'data-section="{escape(read)}" {_HIDDEN}></p>'
        )
    return '<div class="quiz-hints" aria-live="polite">\n{}\n</div>\n'.format(
        "\n".join(items)
    )


def _folded(question: Question, called: str, worked: str) -> str:
    css, title = "quiz-answer", "Answer and reasons"
    if worked:
        css, title = "quiz-answer quiz-worked", "Worked explanation"
        worked = f'<div class="quiz-explanation">{block(worked)}</div>\n'
    return f"""\
<details class="{css}">
<summary>{title}\
<span class="quiz-aside"> to {called}</span></summary>
{worked}{answer(question)}
</details>"""


def _key(question: Question) -> str:
    """Return the key for the script, encoded against a careless glance."""
    key: dict[str, Any]
    match question:
        case Choice():
            key = {"right": [option.right for option in as_shown(question)]}
        case Numeric():
            key = {
                "answer": number(question.answer),
                "tolerance": question.tolerance,
                "unit": question.unit,
                "wrong": [number(wrong.value) for wrong in question.wrong],
            }
        case Order():
            key = {"places": places(question)}
        case _:
            raise unknown_kind(question)
    return base64.b64encode(json.dumps(key).encode()).decode()


def _controls(question: Question, name: str) -> str:
    match question:
        case Choice():
            return _choice_controls(question, name)
        case Order():
            return _order_controls(question, name)
        case Numeric():
            return _numeric_controls(question, name)
    raise unknown_kind(question)


def _choice_controls(question: Choice, name: str) -> str:
    kind = "radio" if question.kind == "single" else "checkbox"
    items = [
        f"""\
<li><label class="quiz-option">\
<input type="{kind}" name="{name}_option" value="{shown}">\
{_letter(letter)}\
<span class="quiz-text">{inline(option.text)}</span>\
<span class="quiz-mark" aria-hidden="true"></span>\
<span class="quiz-aside"></span></label></li>"""
        for shown, (letter, option) in enumerate(lettered(question))
    ]
    return _list("ul", "quiz-options", items)


def _order_controls(question: Order, name: str) -> str:
    items = []
    for shown, step in enumerate(as_shown(question)):
        own = f"{name}_step-{shown}"
        # A button is named by itself and by its step, whose maths the page
        # knows how to speak: "Move up", "Divide by the sum".
        buttons = "".join(
            f'<button type="button" class="quiz-move" data-move="{move}" '
            f'id="{own}-{way}" aria-label="Move {way}" '
            f'aria-labelledby="{own}-{way} {own}">{arrow}</button>'
            for way, move, arrow in (("up", -1, "↑"), ("down", 1, "↓"))
        )
        items.append(
            f'<li class="quiz-step" data-step="{shown}">'
            f'<span class="quiz-text" id="{own}">{inline(step.text)}</span>'
            f'<span class="quiz-moves" {_HIDDEN}>{buttons}</span></li>'
        )
    status = '<p class="quiz-moved quiz-aside" role="status"></p>'
    return f"{_list('ol', 'quiz-steps', items)}\n{status}"


def _numeric_controls(question: Numeric, name: str) -> str:
    unit = ""
    if question.unit:
        unit = f'<span class="quiz-unit">{inline(question.unit)}</span>'
    return f"""\
<div class="quiz-number"><label for="{name}_box">Your answer</label>
<span class="quiz-boxed"><input id="{name}_box" type="text" \
inputmode="decimal" spellcheck="false" autocapitalize="off" \
aria-describedby="{name}_form">{unit}</span>
<span class="quiz-form" id="{name}_form">{_forms(question)}</span></div>"""


def _forms(question: Numeric) -> str:
    """Describe the numbers that may be typed, in the unit that is shown."""
    if question.unit == "%":
        return "In per cent, such as 12.5."
    if question.unit:
        return f"A number of {inline(question.unit)}."
    answer = number(question.answer)
    if answer > 1 and answer.is_integer() and not question.tolerance:
        return "A whole number."
    return "A decimal, a fraction such as 1/4, or a percentage."


def _list(tag: str, css: str, items: Iterable[str]) -> str:
    # Some screen readers drop a list without bullets, unless it has a role.
    return "\n".join(
        [f'<{tag} class="{css}" role="list">', *items, f"</{tag}>"]
    )


def _reasons(question: Question) -> str:
    """Write all reasons that feedback may show, hidden until then."""
    match question:
        case Choice():
            named = [(at, option.why) for at, option in lettered(question)]
        case Numeric():
            # The answer's reason first, then those of the wrong values.
            whys = [question.why, *(wrong.why for wrong in question.wrong)]
            named = [("", why) for why in whys]
        case Order():
            named = [("", question.why)]
        case _:
            raise unknown_kind(question)
    return "\n".join(
        f'<div class="quiz-reason" data-reason="{at}" {_HIDDEN}>'
        f"{_letter(letter)}<div>{block(why)}</div></div>"
        for at, (letter, why) in enumerate(named)
    )


def _letter(letter: str) -> str:
    return f'<span class="quiz-letter">{letter}</span>' if letter else ""


def answer(question: Question) -> str:
    """Write the answer with all reasons at once, to be read at the end.

    Parameters
    ----------
    question : Question
        Of any kind.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> from bayesbook.study.quiz import Option
    >>> options = (Option("2", "", "Heads, tails.", right=True),
    ...            Option("3", "", "The rim does not count."))
    >>> answer(Choice(id="coin", kind="single", level="recall",
    ...               prompt="How many sides?", options=options)).count("<li")
    2
    """
    match question:
        case Choice():
            items = [
                _entry(option.right, f"{_letter(letter)} ", option.why)
                for letter, option in lettered(question)
            ]
            return _list("ul", "quiz-reasons", items)
        case Numeric():
            items = [
                _entry(True, f"{_written(question)} ", question.why),
                *(
                    _entry(False, f"{escape(wrong.value)} ", wrong.why)
                    for wrong in question.wrong
                ),
            ]
            return _list("ul", "quiz-reasons", items)
        case Order():
            steps = "".join(
                f"<li>{inline(step.text)}</li>" for step in question.steps
            )
            return (
                f'<ol class="quiz-solution">{steps}</ol>'
                f"\n<div>{block(question.why)}</div>"
            )
    raise unknown_kind(question)


def _written(question: Numeric) -> str:
    """Return the answer as the bank has it, and a fraction as decimal too."""
    answer, unit = question.answer, question.unit
    if "/" in answer:
        answer = f"{answer} ≈ {number(answer):.4g}"
    return escape(f"{answer} {unit}".strip())


def _entry(right: bool, name: str, why: str) -> str:
    sign, word = ("✓", "right") if right else ("✗", "wrong")
    return (
        f'<li class="quiz-{word}"><p class="quiz-entry">{name}'
        f'<span aria-hidden="true">{sign}</span> {word.capitalize()}</p>'
        f"<div>{block(why)}</div></li>"
    )
