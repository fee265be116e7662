"""The drill itself, and helpers that draw its numbers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from bayesbook.study.drills.sections import section_of
from bayesbook.study.drills.writing import TOLERANCE, Mistake, merged
from bayesbook.study.quiz import Choice, Numeric
from bayesbook.study.quiz.plain_text import plain_question

T = TypeVar("T")

# More draws than this, all of them refused, are a mistake in the code.
_MOST_DRAWS = 20_000


@dataclass(frozen=True, repr=False)
class Drill:
    """A question with fresh numbers, and its worked explanation.

    Parameters
    ----------
    kind : str
        What is drilled, such as ``"bayes"``.
    seed : int
        The seed from which the question was generated; also its number.
    question : Choice or Numeric
        With a rationale for each wrong answer that has one, and with checks
        that recompute the key.
    explanation : str
        Markdown.
    family : str
        The model that it is about, such as ``"beta-binomial"``; empty if its
        kind has one model only.
    hints : tuple of str
        Markdown: what to look at, and the first step.

    Examples
    --------
    >>> from bayesbook.study import drills
    >>> drill = drills.question("bayes", seed=8)
    >>> drill.kind, drill.seed, drill.question.kind
    ('bayes', 8, 'number')
    """

    kind: str
    seed: int
    question: Choice | Numeric
    explanation: str
    family: str = ""
    hints: tuple[str, ...] = ()

    @property
    def section(self) -> str:
        """The label of the book's section that explains it."""
        return section_of(self.kind, self.family)

    @property
    def prompt(self) -> str:
        """The text of the question, as Markdown."""
        return self.question.prompt

    @property
    def options(self) -> tuple[str, ...]:
        """The options to choose from, as Markdown; none for a number."""
        if isinstance(self.question, Numeric):
            return ()
        return tuple(option.text for option in self.question.options)

    @property
    def answer(self) -> str | tuple[str, ...]:
        """The number that is right, or the options that are."""
        if isinstance(self.question, Numeric):
            return self.question.answer
        options = self.question.options
        return tuple(option.text for option in options if option.right)

    def __repr__(self) -> str:
        return plain_question(self.question, self.seed)


def number_drill(
    kind: str,
    seed: int,
    answer: Fraction,
    mistakes: Iterable[Mistake],
    write: Callable[[Fraction], str],
    explanation: str,
    *,
    tolerance: float = float(TOLERANCE),
    family: str = "",
    hints: tuple[str, ...] = (),
    **parts: Any,
) -> Drill:
    """Make a drill whose answer is a number, of the parts of its question."""
    question = Numeric(
        id="-".join(filter(None, [kind, family, str(seed)])),
        kind="number",
        level="apply",
        answer=write(answer),
        tolerance=tolerance,
        wrong=merged(mistakes, write),
        **parts,
    )
    return Drill(kind, seed, question, explanation, family, hints)


def until(draw: Callable[[], T | None]) -> T:
    """Draw until a draw is accepted, which is one that is not None."""
    for _ in range(_MOST_DRAWS):
        drawn = draw()
        if drawn is not None:
            return drawn
    raise RuntimeError(
        f"None of {_MOST_DRAWS} draws suits: ask for less, or draw wider."
    )


def pick(rng: np.random.Generator, options: Sequence[T]) -> T:
    """Pick one of several options, each with the same probability."""
    # rng.choice would turn options into numpy's types, and tuples into arrays.
    return options[int(rng.integers(len(options)))]


def some(items: Sequence[T], count: int, rng: np.random.Generator) -> list[T]:
    """Pick several different items, in random order; all if they are few."""
    return [items[at] for at in rng.permutation(len(items))[:count]]
