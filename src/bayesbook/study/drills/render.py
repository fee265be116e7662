"""A drill as a form on a page, with a button for another question."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from bayesbook.study.drills.bank import bank, families_of, question
from bayesbook.study.drills.drill import Drill
from bayesbook.study.drills.sections import section_of
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
    "map-em": "Drill: an M step with a prior",
    "maximum-likelihood": "Drill: the most likely parameter",
    "standard-error": "Drill: the standard error of an estimate",
    "naive-bayes": "Drill: the posterior under naive Bayes",
    "odds": "Drill: odds and their factors",
    "conditional-mean": "Drill: a conditional expectation",
    "total-variance": "Drill: the variance of the whole",
    "deviation-bound": "Drill: what an inequality guarantees",
    "sampling-error": "Drill: how sums and means vary",
    "threshold": "Drill: the threshold of a decision",
    "bayes-risk": "Drill: the Bayes risk of a table",
    "least-risk": "Drill: the smallest risk of one number",
    "squared-risk": "Drill: noise, bias and variance",
    "beta-estimate": "Drill: an estimate under a Beta prior",
    "shrinkage": "Drill: a prior as a penalty",
    "concept-posterior": "Drill: a posterior over concepts",
    "concept-prediction": "Drill: an averaged prediction",
    "super-parent": "Drill: a feature given its super-parent",
    "tree-gain": "Drill: the log-likelihood of the best tree",
    "pooled-counts": "Drill: an estimate from two lists",
    "measured-odds": "Drill: the log-odds of measured features",
    "document-odds": "Drill: the odds of a document",
    "fixed-point": "Drill: a step that fits the urn",
    "merged-moments": "Drill: the moments of two parts",
    "reduction-tree": "Drill: adding counts in a tree",
    "chain-messages": "Drill: messages on a chain",
    "elimination-cost": "Drill: what does this order cost?",
    "metropolis-step": "Drill: a step of Metropolis-Hastings",
    "dependent-draws": "Drill: dependent and weighted draws",
    "kalman-step": "Drill: a step of the Kalman filter",
    "baum-welch": "Drill: an M step of Baum-Welch",
    "unknown-noise": "Drill: mean and variance, both unknown",
}

_IDLE = "To answer here, run this cell or, on a page, allow JavaScript."


# A page fetches a file at a time: at most 150 kB, and not all questions.
_OF_A_FILE = 20
# Together a kind has at least 200; of each model there are enough for a
# chapter that shows it alone.
_OF_A_KIND = 200
_OF_A_FAMILY = 80


@dataclass(frozen=True, repr=False)
class Shown:
    """A drill as a notebook displays it.

    Parameters
    ----------
    drill : Drill
        The question and its explanation.
    families : tuple of str
        Those of the other questions that a page offers, if its kind has any.

    Examples
    --------
    >>> shown = show("bayes", seed=1)
    >>> shown.drill.seed, str(shown) == str(shown.drill)
    (1, True)
    """

    drill: Drill
    families: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return repr(self.drill)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        written = html(self.drill, self.families)
        return {"text/html": written, "text/plain": repr(self)}


def show(
    kind: str, seed: int, family: str | Sequence[str] | None = None
) -> Shown:
    """Show a question in a notebook, and on the page made from it.

    Parameters
    ----------
    kind : str
        As in :func:`bayesbook.study.drills.question`.
    seed : int
        At least 0; another seed is another question.
    family : str, sequence of str or None
        As in :func:`bayesbook.study.drills.question`; the other questions on
        the page are about the same models.

    Returns
    -------
    Shown
        Displays itself. On a page of the book it has a button for another
        question, from a bank.

    Raises
    ------
    ValueError
        If there is no such kind or family, or the seed is negative.
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
    return Shown(question(kind, seed, family), families_of(kind, family))


def html(drill: Drill, families: tuple[str, ...] = ()) -> str:
    """Write a drill as one self-contained piece of HTML."""
    title = f"{_name(drill)}_title"
    content = f"""\
<header class="quiz-head">
<div class="drill-title" id="{title}" role="heading" aria-level="3">\
{TITLES[drill.kind]}</div>
<p class="quiz-idle">{_IDLE}</p>
<p class="drill-hint">In a notebook <code>{escape(_call(drill, families))}\
</code> shows another question, and so does every other seed.</p>
</header>
{_form(drill)}
<div class="drill-more" hidden="hidden">
<button type="button" class="quiz-button drill-next">Another question\
<span class="quiz-aside"> of the {TITLES[drill.kind].lower()}</span></button>
<span class="drill-status" role="status"></span>
</div>"""
    own = f'data-families="{" ".join(families)}" ' if families else ""
    attributes = (
        'class="bayesbook-quiz bayesbook-drill mathjax_process" '
        f'data-drill="{drill.kind}" {own}aria-labelledby="{title}"'
    )
    scripts = asset("typesetting.js"), asset("drill.js", __package__)
    return section(attributes, content, "\n".join(scripts))


def _call(drill: Drill, families: tuple[str, ...]) -> str:
    """Write the call that shows the next question."""
    chosen = ""
    if families != families_of(drill.kind):
        names = [f'"{family}"' for family in families]
        listed = names[0] if len(names) == 1 else f"({', '.join(names)})"
        chosen = f", family={listed}"
    return f'drills.show("{drill.kind}", seed={drill.seed + 1}{chosen})'


def _form(drill: Drill) -> str:
    # The number is the seed, so that a notebook can show the same question.
    return form(
        drill.question,
        _name(drill),
        drill.seed,
        worked=drill.explanation,
        hints=drill.hints,
        read=drill.section,
    )


def _name(drill: Drill) -> str:
    return f"drill-{drill.question.id}"


def bank_names(kind: str, families: Sequence[str] | None = None) -> list[str]:
    """List the names of the files with a bank, for the pages of the book.

    Parameters
    ----------
    kind : str
        As in :func:`bayesbook.study.drills.question`.
    families : sequence of str or None
        Those whose questions are wanted; by default all of the kind.

    Returns
    -------
    list of str
        Without ``.js``.

    Raises
    ------
    ValueError
        If there is no such kind or family.

    Examples
    --------
    >>> bank_names("update", ["gaussian"])
    ['update-gaussian-1', 'update-gaussian-2', 'update-gaussian-3', \
'update-gaussian-4']
    """
    own = families_of(kind, families or None)
    count = (_OF_A_FAMILY if own else _OF_A_KIND) // _OF_A_FILE
    return [
        f"{stem}-{part}"
        for stem in ([f"{kind}-{family}" for family in own] or [kind])
        for part in range(1, count + 1)
    ]


def section_labels(
    kind: str, families: Sequence[str] | None = None
) -> list[str]:
    """List the labels of the book's sections that explain a kind.

    Parameters
    ----------
    kind, families
        As in :func:`bank_names`.

    Returns
    -------
    list of str
        Each once.

    Raises
    ------
    ValueError
        If there is no such kind or family.

    Examples
    --------
    >>> section_labels("update", ["gaussian"])
    ['sec-gg-precision']
    """
    own = families_of(kind, families or None) or ("",)
    return list(dict.fromkeys(section_of(kind, family) for family in own))


def bank_scripts(kind: str, size: int | None = None) -> dict[str, str]:
    """Write the banks of a kind as scripts, for the pages of the book.

    A page on a disk may run scripts that lie beside it, but not read other
    files. A reader who wants another question fetches one of the scripts;
    the parts that its questions share, mostly tags, are written once.

    Parameters
    ----------
    kind : str
        As in :func:`bayesbook.study.drills.question`.
    size : int or None
        How many questions there are in a file, at least 1; by default as
        many as in the book.

    Returns
    -------
    dict of str to str
        JavaScript that adds questions to ``window.bayesbookDrills``, by the
        names of :func:`bank_names`.

    Raises
    ------
    ValueError
        If there is no such kind, or the size is below 1.
    TypeError
        If the size is not an integer.

    Examples
    --------
    >>> bank_scripts("bayes", size=1)["bayes-2"][:44]
    '(window.bayesbookDrills ??= {})["bayes-2"] ='
    """
    size = _OF_A_FILE if size is None else size
    scripts = {}
    for family in families_of(kind) or [None]:
        names = bank_names(kind, [family] if family else None)
        drills = bank(kind, size * len(names), family)
        for at, name in enumerate(names):
            part = drills[at * size : (at + 1) * size]
            scripts[name] = _script(name, part)
    return scripts


@cache
def published(kind: str) -> frozenset[str]:
    """Return the prompts of all questions of a kind that the pages have.

    Parameters
    ----------
    kind : str
        As in :func:`bayesbook.study.drills.question`.

    Returns
    -------
    frozenset of str
        Markdown.

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> from bayesbook.study import drills
    >>> drills.question("odds", seed=1).prompt in published("odds")
    True
    """
    return frozenset(
        drill.prompt
        for family in families_of(kind) or [None]
        for names in [bank_names(kind, [family] if family else None)]
        for drill in bank(kind, _OF_A_FILE * len(names), family)
    )


def _script(name: str, drills: Sequence[Drill]) -> str:
    """Write questions as a script that keeps them under a name."""
    places: dict[str, int] = {}
    questions = [
        [
            places.setdefault(part, len(places))
            for part in re.findall(r"<[^>]*>|[^<]+", _form(drill))
        ]
        for drill in drills
    ]
    content = {
        "names": [_name(drill) for drill in drills],
        "parts": list(places),
        "questions": questions,
    }
    written = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return (
        f"(window.bayesbookDrills ??= {{}})[{json.dumps(name)}] = {written};\n"
    )
