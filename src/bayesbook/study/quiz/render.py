"""Showing a bank: one self-contained piece of HTML, and a plain text.

The HTML needs no network and, to be read, no JavaScript. The script only
reveals what stands in the document from the start, so that the page's
MathJax has typeset all of it by then.
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from importlib.resources import files
from itertools import combinations
from os import PathLike
from string import ascii_uppercase
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from bayesbook.study.quiz.bank import (
    Choice,
    Numeric,
    Option,
    Order,
    Question,
    Quiz,
    load,
    number,
)


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


def shuffle(length: int, seed: str) -> list[int]:
    """Put the numbers below a length in an order that depends on a seed only.

    A hash decides, not a random generator, whose order could change with the
    version of Python: committed pages must not.

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
    return sorted(
        range(length),
        key=lambda place: hashlib.sha256(f"{seed}:{place}".encode()).digest(),
    )


def places(question: Choice | Order) -> list[int]:
    """Order in which the options or steps of a question are shown.

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


def _as_shown(question: Choice | Order) -> list:
    parts = (
        question.options if isinstance(question, Choice) else question.steps
    )
    return [parts[place] for place in places(question)]


def _lettered(question: Choice) -> list[tuple[str, Option]]:
    shown = _as_shown(question)
    letters = ascii_uppercase[: len(shown)]
    # Strict, so that an option beyond Z is an error and not lost.
    return list(zip(letters, shown, strict=True))


# --- plain text ------------------------------------------------------------

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
    question: Question, position: int, total: int | None = None
) -> str:
    """Write one question as plain text, without the answer.

    Parameters
    ----------
    question : Question
        Of any kind.
    position : int
        The question's number.
    total : int or None
        How many there are; None where there is no end of them.

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
    head = f"{_label(position, total)} · {level} · {kind}"
    prompt = _without_pictures(question.prompt)
    return "\n".join([head, prompt, *_plain_controls(question)])


def _label(position: int, total: int | None) -> str:
    return f"Question {position}" + (f" of {total}" if total else "")


def _plain_controls(question: Question) -> list[str]:
    match question:
        case Choice():
            box = "( )" if question.kind == "single" else "[ ]"
            return [
                f"  {box} {letter}. "
                + _one_line(_without_pictures(option.text))
                for letter, option in _lettered(question)
            ]
        case Order():
            return [f"  - {_one_line(s.text)}" for s in _as_shown(question)]
        case Numeric():
            return [f"  Your answer: ____ {question.unit}".rstrip()]


def _without_pictures(text: str) -> str:
    """Put the titles of pictures into their places."""
    return re.sub(r"!\[([^\]]*)\]\([^)]*\)", r"\1", text).strip()


def _one_line(text: str) -> str:
    # Not str.split(): a no-break space is meant.
    return re.sub(r"[ \t\n]+", " ", text).strip()


# --- Markdown --------------------------------------------------------------


@cache
def _markdown() -> MarkdownIt:
    options = {"html": False, "typographer": True}
    markdown = MarkdownIt("commonmark", options)
    markdown.enable(["table", "smartquotes"])
    markdown.use(dollarmath_plugin, allow_labels=False, double_inline=True)
    rules = markdown.renderer.rules
    # The delimiters that MathJax reads in the page and in JupyterLab alike.
    rules["math_inline"] = lambda tokens, at, *_: (
        f"\\({_maths(tokens[at].content)}\\)"
    )
    rules["math_inline_double"] = lambda tokens, at, *_: (
        f"\\[{_maths(tokens[at].content)}\\]"
    )
    rules["math_block"] = lambda tokens, at, *_: (
        f"<p>\\[{_maths(tokens[at].content)}\\]</p>\n"
    )
    rules["text"] = lambda tokens, at, *_: _text(tokens[at].content)
    # What may scroll must be reachable by keyboard; where it does not, the
    # script of the book's pages, which knows this class, takes the stop away.
    rules["table_open"] = lambda *_: (
        '<div class="pst-scrollable-table-container" tabindex="0"><table>'
    )
    rules["table_close"] = lambda *_: "</table></div>"
    image = markdown.renderer.image
    rules["image"] = lambda tokens, at, *rest: (
        _graph(tokens[at]) or image(tokens, at, *rest)
    )
    return markdown


_LAYOUTS = ("graph", "ring")


def _graph(token: Token) -> str | None:
    """Draw ``![title](graph:A->B<-C "given B")``; None for other images."""
    layout, _, arrows = unquote(token.attrs["src"]).partition(":")
    if layout not in _LAYOUTS:
        return None
    # Only here: the drawing of graphs takes long to import.
    from bayesbook.drawing import layered_layout
    from bayesbook.graphs import parse
    from bayesbook.study.quiz.graphs import ring, svg

    graph = parse(arrows)
    places = ring(graph) if layout == "ring" else layered_layout(graph)
    given = str(token.attrs.get("title", "")).removeprefix("given")
    observed = [node.strip() for node in given.split(",") if node.strip()]
    return svg(graph, places, observed, title=token.content)


def _maths(source: str) -> str:
    return escape(source.strip(), quote=False)


def _text(content: str) -> str:
    """Escape prose, and hide from MathJax what could pass for maths."""
    ignored = r'<span class="tex2jax_ignore mathjax_ignore">\g<0></span>'
    return re.sub(r"[$\\]", ignored, escape(content))


@lru_cache(maxsize=1024)  # reasons are written twice, and shared by drills
def block(text: str) -> str:
    r"""Write Markdown of one or more paragraphs as HTML.

    Parameters
    ----------
    text : str
        Markdown; maths stands between dollars.

    Returns
    -------
    str
        HTML, with the delimiters of maths that the pages and JupyterLab know.

    Examples
    --------
    >>> block("If $a < b$, *then*")
    '<p>If \\(a &lt; b\\), <em>then</em></p>'
    """
    return _markdown().render(text).strip()


def inline(text: str) -> str:
    r"""Write Markdown within one paragraph as HTML, without the paragraph.

    Parameters
    ----------
    text : str
        As in :func:`block`.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> inline("If $a < b$, *then*")
    'If \\(a &lt; b\\), <em>then</em>'
    """
    return _markdown().renderInline(_one_line(text))


# --- HTML ------------------------------------------------------------------


# With a value, because JupyterLab takes the bare attribute away from outputs
# that it does not trust yet.
_HIDDEN = 'hidden="hidden"'
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


def section(attributes: str, content: str, script: str) -> str:
    """Put questions into a section that brings their style and script.

    Parameters
    ----------
    attributes : str
        Of the section, as HTML.
    content : str
        HTML with questions written by :func:`form`.
    script : str
        JavaScript that begins them; it sees the functions of
        ``question.js``.

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
    sources = "\n".join([asset("answers.js"), asset("question.js"), script])
    return f"""\
<section {attributes}>
<style>
{asset("quiz.css")}</style>
{content}
<script>
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
        How many there are; None where there is no end of them.
    worked : str
        Markdown: a worked explanation, which can be opened before anything
        is answered and stands above the reasons.

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
    level = escape(question.level.capitalize())
    to_question = f'<span class="quiz-aside"> question {position}</span>'
    # A form keeps radio buttons to themselves if a page shows a quiz twice,
    # and makes Enter check; method "dialog" sends nothing anywhere.
    return f"""\
<form class="quiz-question" method="dialog" novalidate autocomplete="off" \
id="{name}" data-id="{escape(question.id)}" data-kind="{question.kind}" \
data-version="{question.version}" data-key="{_key(question)}">
<fieldset aria-labelledby="{name}_number {name}_prompt">
<legend id="{name}_number"><span>{_label(position, total)}</span> \
<span aria-hidden="true">·</span> <span class="quiz-level">{level}</span>\
</legend>
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
{_folded(question, position, worked)}
</fieldset>
</form>"""


def _folded(question: Question, position: int, worked: str) -> str:
    css, title = "quiz-answer", "Answer and reasons"
    if worked:
        css, title = "quiz-answer quiz-worked", "Worked explanation"
        worked = f'<div class="quiz-explanation">{block(worked)}</div>\n'
    return f"""\
<details class="{css}">
<summary>{title}\
<span class="quiz-aside"> to question {position}</span></summary>
{worked}{_answer(question)}
</details>"""


def _key(question: Question) -> str:
    """Key for the script, encoded only against a careless glance."""
    match question:
        case Choice():
            key = {"right": [option.right for option in _as_shown(question)]}
        case Numeric():
            key = {
                "answer": number(question.answer),
                "tolerance": question.tolerance,
                "unit": question.unit,
                "wrong": [number(wrong.value) for wrong in question.wrong],
            }
        case Order():
            key = {"places": places(question)}
    return base64.b64encode(json.dumps(key).encode()).decode()


def _controls(question: Question, name: str) -> str:
    match question:
        case Choice():
            return _choice_controls(question, name)
        case Order():
            return _order_controls(question, name)
        case Numeric():
            return _numeric_controls(question, name)


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
        for shown, (letter, option) in enumerate(_lettered(question))
    ]
    return _list("ul", "quiz-options", items)


def _order_controls(question: Order, name: str) -> str:
    items = []
    for shown, step in enumerate(_as_shown(question)):
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
    """Say what may be typed, in the unit that is shown."""
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
    """All that feedback can say, hidden until it is said."""
    match question:
        case Choice():
            named = [(at, option.why) for at, option in _lettered(question)]
        case Numeric():
            # The answer's reason first, then those of the wrong values.
            whys = [question.why, *(wrong.why for wrong in question.wrong)]
            named = [("", why) for why in whys]
        case Order():
            named = [("", question.why)]
    return "\n".join(
        f'<div class="quiz-reason" data-reason="{at}" {_HIDDEN}>'
        f"{_letter(letter)}<div>{block(why)}</div></div>"
        for at, (letter, why) in enumerate(named)
    )


def _letter(letter: str) -> str:
    return f'<span class="quiz-letter">{letter}</span>' if letter else ""


def _answer(question: Question) -> str:
    """All reasons at once: to be read last, or without JavaScript."""
    match question:
        case Choice():
            items = [
                _entry(option.right, f"{_letter(letter)} ", option.why)
                for letter, option in _lettered(question)
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
