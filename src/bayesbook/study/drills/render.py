"""A drill as a form on a page, with a button for another question."""

import json
import re
from dataclasses import dataclass
from html import escape

from bayesbook.study.drills.bank import bank, question
from bayesbook.study.drills.drill import Drill
from bayesbook.study.quiz.pages import asset, form, section

TITLES = {
    "bayes": "Drill: Bayes’ rule",
    "total-probability": "Drill: the law of total probability",
    "separation": "Drill: separated or not, and why?",
    "equivalence": "Drill: which graphs are equivalent?",
    "update": "Drill: update this prior",
    "posterior": "Drill: which posterior is it?",
    "predict": "Drill: predict the next observation",
    "parameters": "Drill: how many free parameters?",
    "blanket": "Drill: which nodes are the Markov blanket?",
    "query": "Drill: query this network",
    "smoothing": "Drill: a probability from counts",
    "score-delta": "Drill: does the edge raise the score?",
    "compelled": "Drill: which arrows are certain?",
    "chow-liu": "Drill: which tree is the best?",
    "em-step": "Drill: one step of EM",
}

_IDLE = "To answer here, run this cell or, on a page, allow JavaScript."


@dataclass(frozen=True, repr=False)
class Shown:
    """A drill as a notebook displays it.

    Parameters
    ----------
    drill : Drill
        The question and its explanation.

    Examples
    --------
    >>> shown = show("bayes", seed=1)
    >>> shown.drill.seed, str(shown) == str(shown.drill)
    (1, True)
    """

    drill: Drill

    def __repr__(self) -> str:
        return repr(self.drill)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": html(self.drill), "text/plain": repr(self)}


def show(kind: str, seed: int) -> Shown:
    """Show a question in a notebook, and on the page made from it.

    Parameters
    ----------
    kind : str
        As in :func:`bayesbook.study.drills.question`.
    seed : int
        At least 0; another seed is another question.

    Returns
    -------
    Shown
        Displays itself. On a page of the book it has a button for another
        question, from a bank.

    Raises
    ------
    ValueError
        If there is no such kind, or the seed is negative.
    TypeError
        If the seed is not an integer.

    Examples
    --------
    >>> show("total-probability", seed=19)
    Question 19 · Apply · a number
    An urn holds 8 red and 12 blue balls. Two are drawn at random, one \
after the other, and the first is not put back.
    <BLANKLINE>
    What is the probability that the second ball is blue?
      Your answer: ____
    """
    return Shown(question(kind, seed))


def html(drill: Drill) -> str:
    """Write a drill as one self-contained piece of HTML."""
    title = f"{_name(drill)}_title"
    call = f'drills.show("{drill.kind}", seed={drill.seed + 1})'
    content = f"""\
<header class="quiz-head">
<div class="drill-title" id="{title}" role="heading" aria-level="3">\
{TITLES[drill.kind]}</div>
<p class="quiz-idle">{_IDLE}</p>
<p class="drill-hint">In a notebook <code>{escape(call)}</code> shows \
another question, and so does every other seed.</p>
</header>
{_form(drill, drill.seed)}
<div class="drill-more" hidden="hidden">
<button type="button" class="quiz-button drill-next">Another question\
<span class="quiz-aside"> of the {TITLES[drill.kind].lower()}</span></button>
<span class="drill-status" role="status"></span>
</div>"""
    attributes = (
        'class="bayesbook-quiz bayesbook-drill mathjax_process" '
        f'data-drill="{drill.kind}" aria-labelledby="{title}"'
    )
    return section(attributes, content, asset("drill.js", __package__))


def _form(drill: Drill, position: int, total: int | None = None) -> str:
    name = _name(drill)
    return form(drill.question, name, position, total, drill.explanation)


def _name(drill: Drill) -> str:
    return f"drill-{drill.kind}-{drill.seed}"


def bank_script(kind: str, size: int = 200) -> str:
    """Write a bank as a script, for the pages of the book.

    A page on a disk may run scripts that lie beside it, but not read other
    files. The parts that questions share, mostly tags, are written once.

    Parameters
    ----------
    kind : str
        As in :func:`bayesbook.study.drills.question`.
    size : int
        How many questions, at least 1.

    Returns
    -------
    str
        JavaScript that adds the bank to ``window.bayesbookDrills``.

    Raises
    ------
    ValueError
        If there is no such kind, or the size is below 1.
    TypeError
        If the size is not an integer.

    Examples
    --------
    >>> bank_script("bayes", size=2)[:42]
    '(window.bayesbookDrills ??= {})["bayes"] ='
    """
    shown = bank(kind, size)
    places: dict[str, int] = {}
    questions = [
        [
            places.setdefault(part, len(places))
            for part in re.findall(r"<[^>]*>|[^<]+", _form(drill, at, size))
        ]
        for at, drill in enumerate(shown, 1)
    ]
    content = {
        "names": [_name(drill) for drill in shown],
        "parts": list(places),
        "questions": questions,
    }
    written = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return (
        f"(window.bayesbookDrills ??= {{}})[{json.dumps(kind)}] = {written};\n"
    )
