"""A worksheet of drills that stand on no page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import cycle, islice

import numpy as np

from bayesbook.base.names import pluralise
from bayesbook.study.drills import KINDS, Drill, question
from bayesbook.study.drills.render import published
from bayesbook.study.practice.selection import (
    LARGEST_SEED,
    Picked,
    require_whole,
)
from bayesbook.study.practice.sheet import (
    frame,
    key_of,
    numbered,
    plain_item,
    sheet_item,
)
from bayesbook.study.quiz.markdown import block
from bayesbook.study.quiz.pages import asset
from bayesbook.study.quiz.plain_text import one_line

# After so many draws that are on a page or on the sheet, there is no other.
_MOST_DRAWS = 1000


@dataclass(frozen=True, repr=False)
class DrillSheet:
    """Drills to be printed and solved on paper.

    A notebook shows it as it is printed, the answers on a page of their own;
    as plain text it has the questions, and ``answers`` the answers.

    Parameters
    ----------
    kinds : tuple of str
        What is drilled.
    seed : int
        What the seeds of the drills were drawn with.
    drills : tuple of Drill
        In their order.

    See Also
    --------
    drill_sheet : makes one.

    Examples
    --------
    >>> sheet = drill_sheet("bayes", size=2, seed=4)
    >>> [drill.kind for drill in sheet.drills]
    ['bayes', 'bayes']
    >>> print(sheet.answers)  # doctest: +ELLIPSIS
    Answers
    =======
    <BLANKLINE>
    1. ...
    """

    kinds: tuple[str, ...]
    seed: int
    drills: tuple[Drill, ...]

    @property
    def answers(self) -> str:
        """The answers with their worked solutions, as plain text."""
        blocks = [
            f"{key_of(drill.question)}\n{one_line(drill.explanation)}"
            for drill in self.drills
        ]
        return "\n\n".join(["Answers\n=======", *numbered(blocks)])

    def __repr__(self) -> str:
        blocks = [plain_item(drill.question) for drill in self.drills]
        return "\n\n".join(["Worksheet\n=========", *numbered(blocks)])

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/html": self._html(), "text/plain": repr(self)}

    def _html(self) -> str:
        written = f"study.drill_sheet({[*self.kinds]}, "
        written += f"size={len(self.drills)}, seed={self.seed})"
        items = [Picked("", each.kind, each.question) for each in self.drills]
        # The seed stands with the answers only: it makes them.
        sheet = frame(
            pluralise(len(self.drills), "question") + ".",
            escape(written.replace("'", '"')),
            "".join(map(sheet_item, items)),
            "".join(map(_answer, self.drills)),
        )
        styles = asset("quiz.css", "bayesbook.study.quiz")
        styles += asset("sheet.css", __package__)
        return f"""\
<section class="bayesbook-quiz bayesbook-sheet mathjax_process" \
data-live="true" aria-label="Worksheet">
<style>
{styles}</style>
{sheet}
</section>"""


def drill_sheet(
    kinds: str | Iterable[str], *, size: int = 6, seed: int
) -> DrillSheet:
    """Make a worksheet of drills, for homework and exams.

    No page of the book has its questions, and none is there twice. Who keeps
    `seed` keeps the answers.

    Parameters
    ----------
    kinds : str or iterable of str
        What is drilled, in turn: of :data:`bayesbook.study.drills.KINDS`.
    size : int
        How many questions.
    seed : int
        From 0 to 999,999,999: with another come other questions.

    Returns
    -------
    DrillSheet
        Displays itself in a notebook, ready to be printed.

    Raises
    ------
    TypeError
        If a number is none, or not whole.
    ValueError
        If there is no such kind, a number is too small or too large, or
        there are fewer questions.

    Examples
    --------
    >>> sheet = drill_sheet(["bayes", "odds"], size=3, seed=20)
    >>> [drill.kind for drill in sheet.drills]
    ['bayes', 'odds', 'bayes']
    >>> drill_sheet([], seed=20)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: No kind of drill is given: name some of bayes, ...
    """
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if not kinds:
        raise ValueError(
            f"No kind of drill is given: name some of {', '.join(KINDS)}."
        )
    require_whole("size", size, 1, 1000)
    require_whole("seed", seed, 0, LARGEST_SEED)
    rng = np.random.default_rng(int(seed))
    drills: list[Drill] = []
    for kind in islice(cycle(kinds), int(size)):
        drills.append(_fresh(kind, {d.prompt for d in drills}, rng))
    return DrillSheet(kinds, int(seed), tuple(drills))


def _fresh(kind: str, there: set[str], rng: np.random.Generator) -> Drill:
    """Draw a drill that is neither on a page nor already there."""
    for own in rng.integers(LARGEST_SEED, size=_MOST_DRAWS):
        drill = question(kind, seed=int(own))
        if drill.prompt not in published(kind) | there:
            return drill
    raise ValueError(
        f"There are not so many different drills of the kind {kind!r}: ask "
        "for fewer questions, or for more kinds."
    )


def _answer(drill: Drill) -> str:
    key = f"<strong>{escape(key_of(drill.question))}</strong>"
    return (
        f'<li class="sheet-item"><p class="sheet-key">{key}</p>'
        f"{block(drill.explanation)}</li>"
    )
