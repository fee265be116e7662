"""Shared parts of the families: cases, wrong posteriors, questions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from bayesbook.study.drills.conjugate.distributions import Distribution
from bayesbook.study.drills.writing import (
    Mistake,
    exact,
    hints,
    kept_lines,
    lines_of,
    mistakes_of,
)

# Nearer to 0 an answer could be guessed.
_LEAST = Fraction(1, 100)
# The largest denominator of an answer that a pocket calculator can handle.
LARGEST_DENOMINATOR = 20_000

D = TypeVar("D", bound=Distribution)


@dataclass(frozen=True)
class WrongPosterior(Generic[D]):
    """A distribution of the right family that is taken for the posterior."""

    distribution: D
    parameters: str  # Python over the names of the setup
    code: str  # makes it of them
    why: str  # a clause


@dataclass(frozen=True)
class WrongFamily:
    """A distribution of another family that is taken for the posterior."""

    text: str
    density: str
    why: str  # a clause


@dataclass(frozen=True, eq=False, kw_only=True)
class Case(ABC, Generic[D]):
    """A prior and data in a story, and what they lead to."""

    prior: D
    text: str  # Markdown: the facts
    setup: str  # Python that makes the prior and the posterior

    unknown: ClassVar[str]  # the parameter, in TeX
    # Python of the numbers in texts that follow from those in the setup.
    told: ClassVar[tuple[str, ...]]
    # Python that gives points at which two distributions differ.
    points: ClassVar[str] = "posterior.distribution.ppf([0.1, 0.5, 0.9])"

    @cached_property
    @abstractmethod
    def posterior(self) -> D:
        """The posterior."""

    @property
    @abstractmethod
    def data(self) -> Mapping[str, Any]:
        """Exact values of the names in the setup, but for both models."""

    @cached_property
    def names(self) -> Mapping[str, Any]:
        """Exact values of all names in the setup."""
        models = {"prior": self.prior, "posterior": self.posterior}
        return {**self.data, **models}

    @property
    @abstractmethod
    def slips(self) -> str:
        """Lines ``parameters | diagnosis``; some are right, or impossible."""

    @staticmethod
    @abstractmethod
    def model(parameters: str) -> str:
        """Write Python that makes a model with these parameters."""

    @property
    @abstractmethod
    def others(self) -> str:
        """Lines ``name | density in Python | diagnosis`` of other families."""

    @property
    @abstractmethod
    def right(self) -> str:
        """The reason for the right option, as Markdown."""

    @property
    @abstractmethod
    def look(self) -> str:
        """What to look at: the prior and the data, as Markdown."""

    @property
    def hints(self) -> tuple[str, ...]:
        """What to look at, and the first step."""
        return hints(self.look, self.first_step)

    @property
    def first_step(self) -> str:
        """How the posterior follows, as Markdown."""
        return self.right

    @property
    @abstractmethod
    def steps(self) -> list[str]:
        """The steps from the prior to the posterior, as Markdown."""

    @property
    @abstractmethod
    def sense(self) -> str:
        """A check of plausibility, as Markdown."""

    @cached_property
    def wrong_posteriors(self) -> list[WrongPosterior[D]]:
        """The distributions of all slips."""
        return [
            WrongPosterior(
                self.wrong(*values), parameters, self.model(parameters), why
            )
            for values, parameters, why in mistakes_of(self.slips, self.names)
        ]

    @property
    def wrong_families(self) -> list[WrongFamily]:
        """Wrong posteriors of other families."""
        lines = kept_lines(self.others, self.names)
        return [WrongFamily(*line.split(" | ")) for line in lines]

    def wrong(self, *parameters: Fraction) -> D:
        """Make a distribution of the parameters of a slip."""
        return type(self.prior)(*parameters)


@dataclass(frozen=True)
class NumberQuestion:
    """A number that is asked for."""

    question: str
    answer: Fraction
    check: str
    step: str  # the last one of the explanation
    mistakes: tuple[Mistake, ...]
    why_check: tuple[str, ...]
    write: Callable[[Fraction], str] = str
    remark: str = ""
    unit: str = ""


C = TypeVar("C", bound=Case)
# None where a case has no such number, or none that suits.
Question = Callable[[C], NumberQuestion | None]


@dataclass(frozen=True)
class Family(Generic[C]):
    """A conjugate family with its stories."""

    draw: Callable[[np.random.Generator], C | None]
    updates: Sequence[Question]  # on the posterior
    predictions: Sequence[Question]  # on what is observed next


def number(
    case: Case,
    question: str,
    check: str,
    step: str,
    mistakes: str,
    told: tuple[str, ...] = (),
    **more: Any,
) -> NumberQuestion | None:
    """Ask for the number that a formula makes of a case, if it suits."""
    answer = exact(check, case.names)
    if answer is None or answer < _LEAST:
        return None
    if answer.denominator > LARGEST_DENOMINATOR:
        return None
    found: list[Mistake] = []
    for line in lines_of(mistakes):
        if line == "...":  # the slips, with the formula of the answer
            found += _through(case, check, answer)
        else:
            found += mistakes_of(line, case.names)
    named = [
        f"({wrong.parameters})"
        for wrong in case.wrong_posteriors
        if any(wrong.distribution.tex in why for *_, why in found)
    ]
    return NumberQuestion(
        question,
        answer,
        check,
        step,
        tuple(found),
        why_check=(*case.told, *told, *named),
        **more,
    )


def is_distribution(distribution: Distribution) -> bool:
    """Return whether all parameters are above 0, as in all stories."""
    return all(parameter > 0 for parameter in distribution)


def _through(case: Case, formula: str, answer: Fraction) -> Iterator[Mistake]:
    """Yield what wrong posteriors make of a formula of the posterior."""
    slips: dict[Distribution, list[WrongPosterior]] = {}
    for wrong in case.wrong_posteriors:
        if is_distribution(wrong.distribution):
            slips.setdefault(wrong.distribution, []).append(wrong)
    for distribution, same in slips.items():
        value = exact(formula, {**case.names, "posterior": distribution})
        if value is not None and value != answer:
            why = ", or: ".join(wrong.why for wrong in same)
            check = formula.replace("posterior.", f"{same[0].code}.")
            yield value, check, f"This belongs to ${distribution.tex}$: {why}."
