"""The questions of a bank, and the bank itself, as plain values."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Option:
    """One option of a choice.

    Parameters
    ----------
    text : str
        Markdown, one paragraph.
    check : str
        Python expression that computes whether the option's claim holds.
    why : str
        Markdown: why it is right, or why it is wrong.
    right : bool
        Whether it belongs to the answer.
    defence : str
        The best that can be said for a wrong option. No reader sees it: its
        author answers it in `why`, or words the question more sharply.

    Examples
    --------
    >>> Option("a half", "heads == 1 / 2", "The coin is fair.", right=True)
    Option(text='a half', check='heads == 1 / 2', why='The coin is fair.', \
right=True)
    """

    text: str
    check: str
    why: str
    right: bool = False
    defence: str = field(default="", repr=False)


@dataclass(frozen=True)
class WrongValue:
    """A common wrong value and the mistake that leads to it.

    Parameters
    ----------
    value : str
        As the author wrote it, a decimal or a fraction.
    check : str
        Python expression that makes the mistake.
    why : str
        Markdown: the diagnosis.

    Examples
    --------
    >>> WrongValue("0.5", "prior", "This is the prior.").value
    '0.5'
    """

    value: str
    check: str
    why: str


@dataclass(frozen=True)
class Step:
    """One step of an order.

    Parameters
    ----------
    text : str
        Markdown, one paragraph.
    value : str
        Python expression: what the question's check sees of this step.

    Examples
    --------
    >>> Step("two aces", "F(1, 221)").text
    'two aces'
    """

    text: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """The fields that all kinds of questions share.

    Parameters
    ----------
    id : str
        Kebab-case, unique in the bank.
    kind : {'single', 'multiple', 'number', 'order'}
        How it is answered.
    level : {'recall', 'understand', 'apply', 'analyse', 'transfer'}
        What it requires of the reader.
    prompt : str
        Markdown.
    section : str
        Label of the section that teaches it; empty if none is named.
    setup : str
        Python that is run before the question's checks.
    told : tuple of str
        For each of its texts that tells numbers, in the order in which they
        are written, Python expressions of these numbers.
    why_check : tuple of str
        Where nothing is told: Python expressions that compute the numbers of
        its texts which no check compares.
    line : int or None
        Where it stands in the file; not compared.

    See Also
    --------
    Choice, Numeric, Order : the kinds, each with more fields.

    Examples
    --------
    >>> question = Question(id="coin", kind="number", level="recall",
    ...                     prompt="How many sides has a coin?")
    >>> len(question.version)
    12
    """

    id: str
    kind: str
    level: str
    prompt: str
    section: str = ""
    setup: str = ""
    told: tuple[str, ...] = ()
    why_check: tuple[str, ...] = ()
    line: int | None = field(default=None, compare=False)

    @property
    def version(self) -> str:
        """Twelve characters that change with the question or its key.

        A page stores answers together with the version. An answer to an older
        wording is then forgotten; a correction of a rationale changes nothing.
        """
        content = json.dumps(_asked(asdict(self)), sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:12]


_UNASKED = {
    *("check", "defence", "level", "line", "section"),
    *("setup", "told", "why", "why_check"),
}


def _asked(part: object) -> object:
    """Return the fields that a given answer depends on: texts and key."""
    if isinstance(part, dict):
        return {
            name: _asked(value)
            for name, value in part.items()
            if name not in _UNASKED
        }
    if isinstance(part, tuple):
        return [_asked(value) for value in part]
    return part


@dataclass(frozen=True, kw_only=True)
class Choice(Question):
    """A question with options, of which one or several are right.

    Parameters
    ----------
    options : tuple of Option
        At least two.
    keep_order : bool
        Show the options as written, instead of shuffled.

    Examples
    --------
    >>> options = (Option("2", "sides == 2", "Heads and tails.", right=True),
    ...            Option("3", "sides == 3", "The rim does not count."))
    >>> question = Choice(id="coin", kind="single", level="recall",
    ...                   prompt="How many sides?", options=options)
    >>> [option.text for option in question.options if option.right]
    ['2']
    """

    options: tuple[Option, ...]
    keep_order: bool = False


@dataclass(frozen=True, kw_only=True)
class Numeric(Question):
    """A question whose answer is a number.

    Parameters
    ----------
    answer : str
        As the author wrote it, a decimal or a fraction.
    tolerance : float
        Absolute.
    check : str
        Python expression that recomputes the answer.
    why : str
        Markdown.
    wrong : tuple of WrongValue
        At least one.
    unit : str
        Shown after the box; with ``%`` the answer is in per cent.

    Examples
    --------
    >>> rim = WrongValue("3", "sides + 1", "The rim does not count.")
    >>> question = Numeric(id="coin", kind="number", level="recall",
    ...                    prompt="How many sides?", answer="2", tolerance=0,
    ...                    check="sides", why="Heads, tails.", wrong=(rim,))
    >>> question.answer
    '2'
    """

    answer: str
    tolerance: float
    check: str
    why: str
    wrong: tuple[WrongValue, ...]
    unit: str = ""


@dataclass(frozen=True, kw_only=True)
class Order(Question):
    """A question about the order of steps.

    Parameters
    ----------
    steps : tuple of Step
        In the right order.
    check : str
        Python expression over ``order``, the list of the steps' values in a
        proposed order: true for the right one only.
    why : str
        Markdown.

    Examples
    --------
    >>> steps = (Step("a third", "F(1, 3)"), Step("a half", "F(1, 2)"))
    >>> question = Order(id="least", kind="order", level="recall",
    ...                  prompt="The smallest first.", steps=steps,
    ...                  check="order == sorted(order)", why="2 < 3.")
    >>> [step.text for step in question.steps]
    ['a third', 'a half']
    """

    steps: tuple[Step, ...]
    check: str
    why: str


@dataclass(frozen=True)
class Quiz:
    """The bank of one chapter.

    Parameters
    ----------
    chapter : str
        The chapter's name, which is the stem of the file's name.
    title : str
        Shown above the questions.
    questions : tuple of Question
        At least one.
    setup : str
        Python that is run before each question's own; its checks see the
        names.
    file : str
        Name of the file, for messages.

    Examples
    --------
    >>> Quiz("dice", "Two dice", ()).title
    'Two dice'
    """

    chapter: str
    title: str
    questions: tuple[Question, ...]
    setup: str = ""
    file: str = field(default="", compare=False)


def number(written: str) -> float:
    """Return the value of a number that an author wrote.

    Parameters
    ----------
    written : str
        A decimal or a fraction.

    Returns
    -------
    float
        Infinite or NaN if the parts are too large for a float.

    Examples
    --------
    >>> number("1/8"), number("0.125"), number("1e-3")
    (0.125, 0.125, 0.001)
    """
    top, _, bottom = written.partition("/")
    return float(top) / float(bottom or 1)


def unknown_kind(question: Question) -> TypeError:
    """Return the error for a question that is of no kind."""
    return TypeError(
        f"{type(question).__name__} is not a Choice, Numeric or Order."
    )
