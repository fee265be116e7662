"""Drills of conjugate models: posteriors, and what is observed next."""

from collections.abc import Callable
from typing import Any

import numpy as np

from bayesbook.study.drills.conjugate import (
    categories,
    counts,
    readings,
    trial_questions,
    waits,
)
from bayesbook.study.drills.conjugate.cases import (
    Case,
    Family,
    NumberQuestion,
    WrongFamily,
    WrongPosterior,
    is_distribution,
)
from bayesbook.study.drills.conjugate.distributions import is_short
from bayesbook.study.drills.drill import (
    Drill,
    number_drill,
    pick,
    some,
    until,
)
from bayesbook.study.drills.writing import (
    paragraphs,
    sentence,
    told_apart,
)
from bayesbook.study.quiz import Choice, Option

#: By the name of the model; a chapter can ask for its own only.
FAMILIES: dict[str, Family[Any]] = {
    "beta-binomial": trial_questions.FAMILY,
    "gamma-poisson": counts.FAMILY,
    "gaussian": readings.FAMILY,
    "dirichlet-multinomial": categories.FAMILY,
    "gamma-exponential": waits.FAMILY,
}

_FEWEST_MISTAKES = 3


def update(seed: int, rng: np.random.Generator, family: str) -> Drill:
    """Ask for a number of the posterior."""
    make = pick(rng, FAMILIES[family].updates)
    return _number("update", seed, family, make, rng)


def predict(seed: int, rng: np.random.Generator, family: str) -> Drill:
    """Ask for a number of what is observed next."""
    make = pick(rng, FAMILIES[family].predictions)
    return _number("predict", seed, family, make, rng)


def _number(
    kind: str,
    seed: int,
    family: str,
    make: Callable[[Case], NumberQuestion | None],
    rng: np.random.Generator,
) -> Drill:
    def drawn() -> Drill | None:
        case = FAMILIES[family].draw(rng)
        asked = make(case) if case else None
        if not case or not asked or not _suits(asked):
            return None
        return number_drill(
            kind,
            seed,
            asked.answer,
            asked.mistakes,
            asked.write,
            paragraphs(
                *case.steps,
                f"**The number.** {asked.step}",
                asked.remark or case.sense,
            ),
            family=family,
            hints=case.hints,
            prompt=f"{case.text}\n\n{asked.question}",
            setup=case.setup,
            check=asked.check,
            why_check=asked.why_check,
            why=asked.step,
            unit=asked.unit,
        )

    return until(drawn)


def _suits(asked: NumberQuestion) -> bool:
    """Return whether mistakes are several, and can be told apart."""
    several = len({value for value, *_ in asked.mistakes}) >= _FEWEST_MISTAKES
    return several and told_apart(asked.answer, asked.mistakes)


def posterior(seed: int, rng: np.random.Generator, family: str) -> Drill:
    """Ask which distribution is the posterior."""
    wrong = pick(rng, [3, 4])
    foreign = pick(rng, [0, 0, 1, 2])

    def drawn() -> Drill | None:
        case = FAMILIES[family].draw(rng)
        if not case:
            return None
        same_family, others = _options(case), case.wrong_families
        if len(same_family) < wrong - foreign or len(others) < foreign:
            return None
        options = [
            _right(case),
            *map(_wrong_posterior, some(same_family, wrong - foreign, rng)),
            *map(_wrong_family, some(others, foreign, rng)),
        ]
        question = Choice(
            id=f"posterior-{family}-{seed}",
            kind="single",
            level="apply",
            prompt=(
                f"{case.text}\n\nWhich distribution is the posterior of "
                f"${case.unknown}$?"
            ),
            setup=f"{case.setup}{_COMPARED.format(case.points)}",
            why_check=case.told,
            options=tuple(options),
        )
        worked = paragraphs(*case.steps, case.sense)
        return Drill("posterior", seed, question, worked, family, case.hints)

    return until(drawn)


# Two distributions are the same if their densities are.
_COMPARED = """\
import numpy as np
from scipy import stats
points = {}
density = posterior.distribution.pdf(points)
def holds(claimed):
    return np.allclose(claimed(points), density, rtol=1e-9, atol=0)
"""


def _options(case: Case) -> list[WrongPosterior]:
    """Choose wrong distributions that are different and easy to write."""
    found: dict[str, WrongPosterior] = {}
    for wrong in case.wrong_posteriors:
        claimed = wrong.distribution
        is_wrong = claimed != case.posterior and is_distribution(claimed)
        if is_wrong and all(map(is_short, claimed)):
            found.setdefault(claimed.tex, wrong)
    return list(found.values())


def _right(case: Case) -> Option:
    return Option(
        f"${case.posterior.tex}$",
        f"holds({case.posterior.density})",
        case.right,
        right=True,
    )


def _wrong_posterior(wrong: WrongPosterior) -> Option:
    return Option(
        f"${wrong.distribution.tex}$",
        f"holds({wrong.distribution.density})",
        sentence(wrong.why),
    )


def _wrong_family(wrong: WrongFamily) -> Option:
    return Option(wrong.text, f"holds({wrong.density})", sentence(wrong.why))
