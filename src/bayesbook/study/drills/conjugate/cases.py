"""Shared parts of the families: cases, wrong posteriors, questions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

import numpy as np

from bayesbook.study.drills.conjugate.distributions import Distribution
from bayesbook.study.drills.writing import Mistake

# The largest denominator of an answer that a pocket calculator can handle.
LARGEST_DENOMINATOR = 20_000


D = TypeVar("D", bound=Distribution)
C = TypeVar("C")


@dataclass(frozen=True)
class WrongPosterior(Generic[D]):
    r"""A distribution that is taken for the posterior by mistake.

    Parameters
    ----------
    distribution : Distribution
        The wrong posterior, of the family of the right one.
    code : str
        Python that makes the mistake, over the names of a case's setup.
    why : str
        Markdown: the diagnosis, a clause.

    Examples
    --------
    >>> from bayesbook.study.drills.conjugate.distributions import Beta
    >>> prior = Beta(Fraction(2), Fraction(5))
    >>> wrong = WrongPosterior(prior, "prior", "the data are left out")
    >>> wrong.distribution.tex
    '\\text{Beta}(2, 5)'
    """

    distribution: D
    code: str
    why: str


@dataclass(frozen=True)
class WrongFamily:
    """A distribution of another family that is taken for the posterior.

    Parameters
    ----------
    text : str
        Markdown: its name.
    density : str
        Python that gives its density, or the probabilities of a discrete
        distribution.
    why : str
        Markdown: the diagnosis, a clause.

    Examples
    --------
    >>> WrongFamily("Poisson", "stats.poisson(2).pmf", "it is of counts").text
    'Poisson'
    """

    text: str
    density: str
    why: str


class Case(Protocol[D]):
    """A prior and data in a story, and what they lead to."""

    @property
    def text(self) -> str:
        """The story, as Markdown."""

    @property
    def setup(self) -> str:
        """Python that makes the prior and the posterior."""

    @property
    def unknown(self) -> str:
        """The parameter, in TeX."""

    @property
    def prior(self) -> D:
        """The prior."""

    @property
    def posterior(self) -> D:
        """The posterior."""

    @property
    def right(self) -> str:
        """The reason for the right option, as Markdown."""

    @property
    def wrong_posteriors(self) -> list[WrongPosterior[D]]:
        """Results of mistakes: some are right, or are no distributions."""

    @property
    def wrong_families(self) -> list[WrongFamily]:
        """Wrong posteriors of other families."""

    @property
    def steps(self) -> list[str]:
        """The steps from the prior to the posterior, as Markdown."""

    @property
    def sense(self) -> str:
        """A check of plausibility, as Markdown."""

    @property
    def points(self) -> str:
        """Python that gives points at which two distributions differ."""


@dataclass(frozen=True)
class NumberQuestion:
    """A number that is asked for.

    Parameters
    ----------
    question : str
        Markdown.
    answer : Fraction
        The right number.
    check : str
        Python that recomputes it.
    step : str
        Markdown: the last step of the explanation.
    mistakes : tuple of Mistake
        What leads to wrong numbers.
    write : callable
        Writes all these numbers.
    remark : str
        Markdown: what to learn from it.
    unit : str
        Of the number.

    Examples
    --------
    >>> NumberQuestion("How many?", Fraction(1, 2), "k / n", "Count.", ()).unit
    ''
    """

    question: str
    answer: Fraction
    check: str
    step: str
    mistakes: tuple[Mistake, ...]
    write: Callable[[Fraction], str] = str
    remark: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Family(Generic[C]):
    """A conjugate family with its stories.

    Parameters
    ----------
    draw : callable
        Draws a case from a random generator; None if it does not suit.
    updates, predictions : sequence of callables
        Each makes a question of a case: on the posterior, and on what is
        observed next. None where the case has no such number.

    Examples
    --------
    >>> from bayesbook.study.drills.conjugate import FAMILIES
    >>> len(FAMILIES)
    5
    """

    draw: Callable[[np.random.Generator], C | None]
    updates: Sequence[Callable[[C], NumberQuestion | None]]
    predictions: Sequence[Callable[[C], NumberQuestion | None]]


def is_distribution(distribution: Distribution) -> bool:
    """Return whether the numbers of a wrong posterior make a distribution.

    Parameters
    ----------
    distribution : Distribution
        Of any family.

    Returns
    -------
    bool
        Whether all of its numbers are above 0, as in all stories.

    Examples
    --------
    >>> from bayesbook.study.drills.conjugate.distributions import Beta
    >>> is_distribution(Beta(Fraction(0), Fraction(3)))
    False
    """
    return all(number > 0 for number in distribution.numbers)


def through(
    case: Case[D], value: Callable[[D], Fraction | None], code: str
) -> Iterator[Mistake]:
    r"""Yield what the wrong posteriors make of a number of the posterior.

    Parameters
    ----------
    case : Case
        With its wrong posteriors.
    value : callable
        Returns the number for any distribution of the family, or None.
    code : str
        Python that does so, with ``{}`` in the place of the distribution.

    Yields
    ------
    Mistake
        One for each wrong posterior that changes the number.

    Examples
    --------
    >>> from bayesbook.study.drills.conjugate import trials
    >>> case = trials.draw(np.random.default_rng(4))
    >>> case.prior.tex, case.posterior.tex
    ('\\text{Beta}(6, 3)', '\\text{Beta}(16, 5)')
    >>> mistakes = through(case, lambda post: post.b, "{}.b")
    >>> value, check, why = next(mistakes)
    >>> str(value), check
    ('2', 'BetaBernoulli(k, m).b')
    >>> why.partition(": ")[2]
    'the prior is forgotten, and only the data are counted.'
    """
    answer = value(case.posterior)
    mistakes: dict[D, list[WrongPosterior[D]]] = {}
    for wrong in case.wrong_posteriors:
        if is_distribution(wrong.distribution):
            mistakes.setdefault(wrong.distribution, []).append(wrong)
    for distribution, same in mistakes.items():
        number = value(distribution)
        if number is not None and number != answer:
            why = ", or: ".join(wrong.why for wrong in same)
            diagnosis = f"This belongs to ${distribution.tex}$: {why}."
            yield number, code.format(same[0].code), diagnosis
