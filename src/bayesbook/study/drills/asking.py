"""Drills whose answer is a formula: drawn until it is told from mistakes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any

from bayesbook.study.drills.drill import Drill, number_drill, until
from bayesbook.study.drills.writing import (
    exact,
    hints,
    mistakes_of,
    paragraphs,
    rounded,
    told_apart,
)

_LEAST = Fraction(1, 50)
_FEWEST_MISTAKES = 3


@dataclass(frozen=True)
class Asked:
    """A question on some numbers, and what is said of it."""

    prompt: str
    names: Mapping[str, Any]  # exact values of the names in the formulas
    formula: str  # of the answer
    check: str  # Python that finds it another way
    mistakes: str
    rule: str  # Markdown: what answers it
    reason: str  # TeX that ends in the answer
    look: str
    step: str
    sense: str
    told: tuple[str, ...] = ()  # Python of further numbers that are shown
    helpers: str = ""  # Python that the check and the mistakes need


def asked_drill(
    kind: str,
    seed: int,
    draw: Callable[[], Asked | None],
    setup: Callable[[Asked], str],
    known: Mapping[str, Any],
    largest: float = inf,
) -> Drill:
    """Draw until a question has an answer that is told from mistakes.

    Parameters
    ----------
    kind : str
    seed : int
    draw : function
        May return None, and is asked again.
    setup : function
        Writes the Python with which the quiz recomputes the key.
    known : mapping
        What the formulas may use besides the names of a question.
    largest : float
        Of the denominator of an answer.
    """

    def drawn() -> Drill | None:
        asked = draw()
        if not asked:
            return None
        names = {**known, **asked.names}
        answer = Fraction(exact(asked.formula, names))
        mistakes = [
            (Fraction(value), check, why)
            for value, check, why in mistakes_of(asked.mistakes, names)
            if value != answer
        ]
        several = len({value for value, *_ in mistakes}) >= _FEWEST_MISTAKES
        suits = answer >= _LEAST and answer.denominator <= largest
        if not (several and suits and told_apart(answer, mistakes)):
            return None
        return number_drill(
            kind,
            seed,
            answer,
            mistakes,
            partial(rounded, longest=500),
            paragraphs(
                asked.rule,
                f"**The number.**\n\n$${asked.reason}$$",
                f"**Does it make sense?** {asked.sense}",
            ),
            prompt=asked.prompt,
            setup=setup(asked),
            check=asked.check,
            why_check=asked.told,
            why=f"$${asked.reason}$$",
            hints=hints(asked.look, asked.step),
        )

    return until(drawn)
