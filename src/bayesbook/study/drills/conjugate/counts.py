"""A rate: gamma priors, and counts of events."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.conjugate import gamma_questions
from bayesbook.study.drills.conjugate.cases import (
    Family,
    NumberQuestion,
    WrongFamily,
    WrongPosterior,
    through,
)
from bayesbook.study.drills.conjugate.distributions import (
    Gamma,
    quotient,
)
from bayesbook.study.drills.conjugate.gamma_priors import (
    PRIORS,
    amount,
    kernel,
    other_families,
    prior_times_likelihood,
    sum_table,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import about, decimal, equals


@dataclass(frozen=True)
class Story:
    """Events in time or along a way.

    Parameters
    ----------
    happens : str
        A sentence without its end, before "per" and the unit.
    one, many : str
        The events, singular and plural.
    unit, units : str
        Of what they are counted in, singular and plural.

    Examples
    --------
    >>> EVENTS[0].unit
    'hour'
    """

    happens: str
    one: str
    many: str
    unit: str
    units: str


EVENTS = (
    Story("Calls reach a switchboard", "call", "calls", "hour", "hours"),
    Story(
        "Shooting stars are seen",
        "shooting star",
        "shooting stars",
        "hour",
        "hours",
    ),
    Story("A team scores goals", "goal", "goals", "match", "matches"),
    Story(
        "A printer makes misprints", "misprint", "misprints", "page", "pages"
    ),
    Story(
        "A region has earthquakes",
        "earthquake",
        "earthquakes",
        "year",
        "years",
    ),
    Story(
        "A road has potholes", "pothole", "potholes", "kilometre", "kilometres"
    ),
    Story("A cable has flaws", "flaw", "flaws", "metre", "metres"),
    Story("Orders reach a shop", "order", "orders", "day", "days"),
)


@dataclass(frozen=True)
class Counts:
    r"""A gamma prior and counts of events.

    Parameters
    ----------
    story : Story
        What is counted.
    prior : Gamma
        Of the rate.
    total : int
        How many events there were.
    exposure : Fraction
        In how many units.
    later : int
        In how many units events are asked for.
    text, setup : str
        Markdown, and Python.
    reading : str
        Markdown: how the parameters follow from the words of the prior.

    Examples
    --------
    >>> draw(np.random.default_rng(2)).posterior.tex
    '\\text{Gamma}(\\text{shape } 2, \\text{rate } 8)'
    """

    story: Story
    prior: Gamma
    total: int
    exposure: Fraction
    later: int
    text: str
    setup: str
    reading: str

    unknown = r"\lambda"
    points = "posterior.distribution.ppf([0.1, 0.5, 0.9])"

    @property
    def posterior(self) -> Gamma:
        """The posterior."""
        return Gamma(
            self.prior.shape + self.total, self.prior.rate + self.exposure
        )

    @property
    def right(self) -> str:
        """The reason for the right option, as Markdown."""
        shape, rate = map(decimal, self.prior.numbers)
        return (
            f"The number of {self.story.many} is added to the shape, {shape} "
            f"+ {self.total}, and what they were counted in to the rate, "
            f"{rate} + {decimal(self.exposure)}."
        )

    @property
    def wrong_posteriors(self) -> list[WrongPosterior]:
        """Wrong posteriors."""
        s, r, n, t = *self.prior.numbers, self.total, self.exposure
        many, units = self.story.many, self.story.units
        return [
            WrongPosterior(
                Gamma(s + n, r),
                "GammaPoisson(s + n, r)",
                f"the rate has to grow too, by {amount(t, self.story)}",
            ),
            WrongPosterior(
                Gamma(s + t, r + n),
                "GammaPoisson(s + t, r + n)",
                f"{many} and {units} have changed places; {many} belong to "
                "the shape",
            ),
            WrongPosterior(
                Gamma(Fraction(n), t),
                "GammaPoisson(n, t)",
                "the prior is forgotten, and only the data are counted",
            ),
            WrongPosterior(
                Gamma(2 * s + n, 2 * r + t),
                "GammaPoisson(2 * s + n, 2 * r + t)",
                "the prior is counted twice",
            ),
            WrongPosterior(
                Gamma(s + n / t, r + t),
                "GammaPoisson(s + n / t, r + t)",
                f"the shape grows by the number of {many}, not by their mean",
            ),
            WrongPosterior(
                Gamma(s + n, r + 1),
                "prior.update(total=n, exposure=1)",
                f"the rate grows by {amount(t, self.story)}, not by one",
            ),
            WrongPosterior(
                Gamma(s + n, 1 / r + t),
                "GammaPoisson(s + n, 1 / r + t)",
                f"rate and scale are confused; the rate of the prior is "
                f"{decimal(r)}",
            ),
            WrongPosterior(
                Gamma(s + n - 1, r + t),
                "GammaPoisson(s + n - 1, r + t)",
                r"this takes the exponent of $\lambda$ for the shape, which "
                "is larger by one",
            ),
            WrongPosterior(self.prior, "prior", "the data are left out"),
        ]

    @property
    def wrong_families(self) -> list[WrongFamily]:
        """Wrong posteriors of other families."""
        mean = about(self.posterior.mean)
        return [
            *other_families(self.posterior),
            WrongFamily(
                rf"$\text{{Poisson}}({mean})$",
                f"stats.poisson({mean}).pmf",
                f"this is a distribution of a number of {self.story.many}; "
                r"$\lambda$ need not be whole",
            ),
        ]

    @property
    def steps(self) -> list[str]:
        """The steps from the prior to the posterior, as Markdown."""
        n, t = self.total, self.exposure
        head = [
            f"shape: {self.story.many}",
            f"rate: {self.story.units}",
        ]
        return [
            f"**The likelihood.** The number of {self.story.many} in "
            f"{decimal(t)} {self.story.units} is Poisson with the mean "
            rf"${decimal(t)}\lambda$. As a function of $\lambda$ the "
            f"probability of {n} is, but for a constant, "
            f"${kernel(Fraction(n), t)}$.",
            self.reading and f"**The prior.** {self.reading}",
            "**Prior times likelihood.**\n\n"
            f"{prior_times_likelihood(self.prior, Fraction(n), t)}\n\n"
            f"This is the density of ${self.posterior.tex}$, but for a "
            "constant. In short:",
            sum_table(self.prior, Fraction(n), t, head),
        ]

    @property
    def sense(self) -> str:
        """A check of plausibility, as Markdown."""
        return (
            "**Does it make sense?** The posterior mean, "
            f"{about(self.posterior.mean)}, lies between the prior mean, "
            f"{about(self.prior.mean)}, and what was seen per "
            f"{self.story.unit}, {about(self.total / self.exposure)}."
        )


def draw(rng: np.random.Generator) -> Counts | None:
    """Draw a prior and counts of events.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws story, prior and data.

    Returns
    -------
    Counts or None
        None if prior mean and data are the same.

    Examples
    --------
    >>> draw(np.random.default_rng(2)).story.happens
    'A cable has flaws'
    """
    story = pick(rng, EVENTS)
    said, reading, prior = pick(rng, PRIORS)(rng)
    seen, setup, total, exposure = pick(rng, [_each, _together])(
        story, prior, rng
    )
    if total / exposure == prior.mean:
        return None
    s, r = map(decimal, prior.numbers)
    return Counts(
        story,
        prior,
        total,
        exposure,
        later=pick(rng, [1, 1, 2, 2, 3, 4, 5]),
        text=(
            rf"{story.happens} at an unknown rate of $\lambda$ per "
            f"{story.unit}, as a Poisson process. {said} {seen}"
        ),
        setup=(
            "from math import exp\n"
            "from bayesbook.conjugate import GammaPoisson\n"
            f"s, r, n, t = {s}, {r}, {total}, {decimal(exposure)}\n"
            "prior = GammaPoisson(s, r)\n"
            f"posterior = {setup}\n"
        ),
        reading=reading,
    )


# Each returns the sentence about the data, the update in Python, the number
# of events, and the number of units in which they were counted.


def _each(story, prior, rng):
    n = pick(rng, [2, 3, 4, 5, 6])
    about = float(prior.mean) * pick(rng, [0.5, 0.8, 1.3, 2])
    counts = [int(rng.poisson(min(about, 8))) for _ in range(n)]
    said = (
        f"In {n} {story.units}, one after the other, there are "
        f"{and_list(counts)} {story.many}."
    )
    return said, f"prior.update({counts})", sum(counts), Fraction(n)


def _together(story, prior, rng):
    exposure = Fraction(pick(rng, [2, 3, 4, 5, 6, 8, 10, 12, 1.5, 2.5]))
    about = float(prior.mean * exposure) * pick(rng, [0.5, 0.8, 1.3, 2])
    total = int(rng.poisson(min(about, 40)))
    seen = f"is 1 {story.one}" if total == 1 else f"are {total} {story.many}"
    said = f"In {decimal(exposure)} {story.units} there {seen}."
    return said, "prior.update(total=n, exposure=t)", total, exposure


def _expected(case: Counts) -> NumberQuestion:
    after, u = case.posterior, case.later
    story, times = case.story, "" if u == 1 else rf"{u} \cdot "
    return NumberQuestion(
        f"How many {story.many} are to be expected in the next "
        f"{_units(u, story)}: what is the mean of their number?",
        after.mean * u,
        f"posterior.predictive(exposure={u}).mean()",
        rf"Given $\lambda$ the mean is ${'' if u == 1 else u}\lambda$, and "
        "averaged over the posterior\n\n"
        f"$${times}{quotient(after.shape, after.rate)} = "
        f"{equals(after.mean * u)}$$",
        (
            *(
                (
                    value * u,
                    f"{check} * {u}",
                    r"This takes the mode of the posterior for $\lambda$; "
                    "a mean is averaged.",
                )
                for value, check, _ in gamma_questions.mode_for_mean(after)
            ),
            *through(
                case,
                lambda post: post.mean * u,
                f"{{}}.predictive(exposure={u}).mean()",
            ),
        ),
        decimal,
    )


def _units(count: int, story: Story) -> str:
    return story.unit if count == 1 else f"{count} {story.units}"


def _none(case: Counts) -> NumberQuestion | None:
    return gamma_questions.nothing_happens(
        case,
        Fraction(case.later),
        f"{{}}.predictive(exposure={case.later}).pmf(0)",
        f"What is the probability of no {case.story.many} in the next "
        f"{_units(case.later, case.story)}?",
    )


def _spread(case: Counts) -> NumberQuestion:
    after = case.posterior
    mean, variance = after.mean, after.variance
    return NumberQuestion(
        f"What is the variance of the number of {case.story.many} in the "
        f"next {case.story.unit}?",
        mean + variance,
        "posterior.predictive().var()",
        r"By the law of total variance it is the mean of the variance "
        r"$\lambda$, plus the variance of the mean $\lambda$:"
        "\n\n"
        r"$$\mathbb{E}[\lambda] + \text{Var}[\lambda] = "
        rf"\frac{{{decimal(after.shape)}}}{{{decimal(after.rate)}}} + "
        rf"\frac{{{decimal(after.shape)}}}{{{decimal(after.rate)}^2}} = "
        rf"{equals(mean + variance)}$$",
        (
            (
                mean,
                "posterior.mean()",
                "This is the mean, which is also the variance of a Poisson "
                r"distribution with a known rate. Not knowing $\lambda$ adds "
                "its variance.",
            ),
            (
                variance,
                "posterior.var()",
                r"This is the variance of $\lambda$ alone; the number also "
                r"varies around $\lambda$.",
            ),
            *through(
                case,
                lambda post: post.mean + post.variance,
                "{}.predictive().var()",
            ),
        ),
        decimal,
        remark=(
            "**Does it make sense?** The next number is more uncertain than "
            "a Poisson number with the same mean, whose variance would be "
            f"{about(mean)}."
        ),
    )


FAMILY = Family(
    draw,
    updates=(
        gamma_questions.shape,
        gamma_questions.rate,
        gamma_questions.mean,
        gamma_questions.mean,
        gamma_questions.mode,
        gamma_questions.mode,
    ),
    predictions=(_expected, _none, _none, _spread),
)
