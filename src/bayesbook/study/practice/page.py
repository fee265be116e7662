"""The page Practice: where a reader chooses, answers, and sees the result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape

from bayesbook.study.practice.selection import LARGEST_SEED, LEVELS
from bayesbook.study.practice.sheet import frame
from bayesbook.study.quiz.pages import asset, section

_HIDDEN = 'hidden="hidden"'
_IDLE = """\
<p class="quiz-idle">With JavaScript you would choose chapters here, answer \
mixed questions of their quizzes, and print worksheets. Without it, Python \
makes the same worksheets, \
<code>study.worksheet(["events", "risk"], size=10, seed=1)</code>, and every \
chapter ends with its quiz.</p>"""
# What the memory of the browser tells apart.
_WHICH = {
    "all": "all questions",
    "due": "what is due again",
    "wrong": "what was wrong",
    "new": "what I have not answered yet",
}
_SCRIPTS = ("selection", "fetching", "choice", "run", "result", "practice")


@dataclass(frozen=True)
class Chapter:
    """A chapter that can be chosen.

    Parameters
    ----------
    name : str
        That of its quiz.
    title : str
        As the book has it.
    number : str
        Of the chapter, empty if it has none.
    address : str
        Of its page, as seen from the page Practice.

    Examples
    --------
    >>> Chapter("em", "Hidden variables", "21.", "../networks/em.html").name
    'em'
    """

    name: str
    title: str
    number: str
    address: str


def html(
    parts: Iterable[tuple[str, Iterable[Chapter]]],
    banks: str,
    katex: str,
    sections: Mapping[str, tuple[str, str]] | None = None,
) -> str:
    """Write all that the page needs besides its text.

    Parameters
    ----------
    parts : iterable of (str, iterable of Chapter)
        The parts of the book: their titles, and their chapters.
    banks : str
        Address of the folder with the scripts of the module ``bank``.
    katex : str
        Address of the folder with KaTeX, which typesets formulas.
    sections : mapping or None
        The address and the title of each section, by its label, to which a
        question that was missed can lead.

    Returns
    -------
    str
        HTML with its style and its script.

    Examples
    --------
    >>> em = Chapter("em", "Hidden variables", "21.", "../networks/em.html")
    >>> "Hidden variables" in html([("Networks", [em])], "banks", "katex")
    True
    """
    # The script fills it.
    sheet = frame("", "", "", "")
    content = f"""\
<style>
{asset("sheet.css", __package__)}{asset("practice.css", __package__)}</style>
{_IDLE}
{_chooser(parts)}
<p class="practice-status" role="status"></p>
{_RUN}
{_RESULT}
<div class="practice-view bayesbook-sheet" data-view="sheet" {_HIDDEN}>
<p class="practice-buttons sheet-buttons">
<button type="button" class="quiz-button practice-main sheet-print">\
Print</button>
<button type="button" class="quiz-button practice-back">\
Back to the choice</button></p>
{sheet}
</div>"""
    attributes = (
        'class="bayesbook-quiz bayesbook-practice mathjax_process" '
        f'id="practice-here" aria-label="Practice" '
        f'data-banks="{escape(banks)}" data-katex="{escape(katex)}" '
        f'data-sections="{escape(json.dumps(sections or {}))}"'
    )
    scripts = [asset(f"{name}.js", __package__) for name in _SCRIPTS]
    scripts.insert(0, asset("typesetting.js"))
    return section(attributes, content, "\n".join(scripts))


def _chooser(parts: Iterable[tuple[str, Iterable[Chapter]]]) -> str:
    groups = "\n".join(_part(title, chapters) for title, chapters in parts)
    levels = "".join(
        _tick("level", level, level.capitalize()) for level in LEVELS
    )
    which = "".join(
        f'<option value="{name}">{escape(words)}</option>'
        for name, words in _WHICH.items()
    )
    return f"""\
<form class="practice-view practice-choice" data-view="choice" \
method="dialog" autocomplete="off" novalidate {_HIDDEN}>
<fieldset><legend>Chapters</legend>
<p class="practice-buttons">
<button type="button" class="quiz-button" data-tick="all">All</button>
<button type="button" class="quiz-button" data-tick="none">None</button></p>
<div class="practice-parts">
{groups}
</div></fieldset>
<fieldset><legend>Levels</legend>
<div class="practice-row">{levels}</div></fieldset>
<fieldset><legend>Questions</legend>
<div class="practice-row">
<label>Take <select name="which">{which}</select></label>
<label>How many <input name="size" type="number" min="1" value="10" \
inputmode="numeric"></label>
<span class="practice-pair"><label>Seed <input name="seed" type="number" \
min="0" max="{LARGEST_SEED}" inputmode="numeric" \
aria-describedby="practice-seed"></label>
<button type="button" class="quiz-button practice-reseed">Another</button>\
</span></div>
<p class="quiz-how" id="practice-seed">The same seed and choice draw the \
same questions for everybody, and stand in the address of this page; what is \
due, was wrong or is new depends on your own answers.</p>
</fieldset>
<fieldset><legend>Clock</legend>
<div class="practice-row">
<label>Show <select name="clock"><option value="none">no clock</option>\
<option value="used">the time used</option>\
<option value="left">the time left</option></select></label>
<label class="practice-minutes" {_HIDDEN}>Minutes <input name="minutes" \
type="number" min="1" max="600" value="20" inputmode="numeric"></label>
</div></fieldset>
<p class="practice-count" role="status"></p>
<p class="practice-buttons">
<button type="submit" class="quiz-button practice-main">Practise</button>
<button type="button" class="quiz-button practice-make">\
Make a worksheet</button></p>
</form>"""


def _part(title: str, chapters: Iterable[Chapter]) -> str:
    items = "".join(f"<li>{_chapter(chapter)}</li>" for chapter in chapters)
    return f"""\
<fieldset class="practice-part"><legend><label>\
<input type="checkbox" class="practice-whole">{escape(title)}</label></legend>
<ul role="list">{items}</ul></fieldset>"""


def _chapter(chapter: Chapter) -> str:
    data = {"page": chapter.address, "title": chapter.title}
    words = f"{chapter.number} {chapter.title}".strip()
    return _tick("chapter", chapter.name, words, data)


def _tick(
    name: str, value: str, words: str, data: Mapping[str, str] | None = None
) -> str:
    kept = "".join(
        f' data-{key}="{escape(text)}"' for key, text in (data or {}).items()
    )
    return (
        f'<label><input type="checkbox" name="{name}" value="{value}"{kept} '
        f'checked="checked"><span>{escape(words)}</span></label>'
    )


_RUN = f"""\
<div class="practice-view" data-view="run" {_HIDDEN}>
<div class="quiz-progress">
<span class="quiz-pips" aria-hidden="true"></span>
<span class="quiz-score" role="status"></span>
<span class="practice-clock"></span>
<span class="practice-called quiz-aside" role="status"></span>
</div>
<div class="practice-stage"></div>
<p class="practice-buttons">
<button type="button" class="quiz-button practice-before">Previous</button>
<button type="button" class="quiz-button practice-main practice-next">\
Next</button>
<button type="button" class="quiz-button practice-end">End here</button></p>
</div>"""
_RESULT = f"""\
<div class="practice-view" data-view="result" {_HIDDEN}>
<div class="quiz-title" role="heading" aria-level="2" tabindex="-1">\
Your result</div>
<p class="practice-summary"></p>
<div class="pst-scrollable-table-container"><table class="practice-table">
<thead><tr><th scope="col">Topic</th><th scope="col">Right at once</th>\
<th scope="col">Right later</th><th scope="col">Not right yet</th></tr>\
</thead><tbody></tbody></table></div>
<div class="practice-missed">
<div class="practice-subtitle" role="heading" aria-level="3">\
To look at again</div>
<ul class="practice-list" role="list"></ul></div>
<p class="practice-buttons">
<button type="button" class="quiz-button practice-main practice-retry">\
These again</button>
<button type="button" class="quiz-button practice-others">\
Other questions</button>
<button type="button" class="quiz-button practice-back">\
Back to the choice</button></p>
</div>"""
