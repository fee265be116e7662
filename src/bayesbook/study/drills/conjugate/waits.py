"""A rate: gamma priors, and waiting times."""

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
    ratio,
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
from bayesbook.study.drills.writing import about, decimal


@dataclass(frozen=True)
class Wait:
    """Waiting times.

    Parameters
    ----------
    what : str
        The waiting times, plural, at the beginning of a sentence.
    one, many : str
        Short names, singular and plural.
    unit, units : str
        Of time, singular and plural.
    longer : str
        What the next one does if it takes longer than some time.

    Examples
    --------
    >>> WAITING_TIMES[0].unit
    'minute'
    """

    what: str
    one: str
    many: str
    unit: str
    units: str


WAITING_TIMES = (
    Wait("The waits for a bus", "wait", "waits", "minute", "minutes"),
    Wait("The lives of lamps", "life", "lives", "year", "years"),
    Wait("The gaps between two customers", "gap", "gaps", "minute", "minutes"),
    Wait("The times between two decays", "time", "times", "second", "seconds"),
    Wait("The runs of a server", "run", "runs", "day", "days"),
    Wait("The lengths of phone calls", "call", "calls", "minute", "minutes"),
    Wait("The pauses of a geyser", "pause", "pauses", "hour", "hours"),
)


@dataclass(frozen=True)
class Waits:
    r"""A gamma prior and waiting times.

    Parameters
    ----------
    story : Wait
        What is waited for.
    prior : Gamma
        Of the rate.
    number : int
        How many waiting times there are.
    total : Fraction
        Their sum.
    later : Fraction
        A time that the next one is compared with.
    text, setup : str
        Markdown, and Python.
    reading : str
        Markdown: how the parameters follow from the words of the prior.

    Examples
    --------
    >>> draw(np.random.default_rng(0)).posterior.tex
    '\\text{Gamma}(\\text{shape } 5, \\text{rate } 2.7)'
    """

    story: Wait
    prior: Gamma
    number: int
    total: Fraction
    later: Fraction
    text: str
    setup: str
    reading: str

    unknown = r"\lambda"
    points = "posterior.distribution.ppf([0.1, 0.5, 0.9])"

    @property
    def posterior(self) -> Gamma:
        """The posterior."""
        return Gamma(
            self.prior.shape + self.number, self.prior.rate + self.total
        )

    @property
    def right(self) -> str:
        """The reason for the right option, as Markdown."""
        shape, rate = map(decimal, self.prior.numbers)
        return (
            f"The number of {self.story.many} is added to the shape, {shape} "
            f"+ {self.number}, and their sum to the rate, {rate} + "
            f"{decimal(self.total)}."
        )

    @property
    def wrong_posteriors(self) -> list[WrongPosterior]:
        """Wrong posteriors."""
        s, r, n, t = *self.prior.numbers, self.number, self.total
        many, units = self.story.many, self.story.units
        return [
            WrongPosterior(
                Gamma(s + t, r + n),
                "GammaExponential(s + t, r + n)",
                f"this is the rule for counts; here the {n} {many} belong to "
                f"the shape, and the {units} to the rate",
            ),
            WrongPosterior(
                Gamma(s + n, r),
                "GammaExponential(s + n, r)",
                f"the rate has to grow too, by {amount(t, self.story)}",
            ),
            WrongPosterior(
                Gamma(Fraction(n), t),
                "GammaExponential(n, t)",
                "the prior is forgotten, and only the data are counted",
            ),
            WrongPosterior(
                Gamma(2 * s + n, 2 * r + t),
                "GammaExponential(2 * s + n, 2 * r + t)",
                "the prior is counted twice",
            ),
            WrongPosterior(
                Gamma(s + n, r + t / n),
                "GammaExponential(s + n, r + t / n)",
                f"the rate grows by the sum of the {many}, not by their mean",
            ),
            WrongPosterior(
                Gamma(s + 1, r + t),
                "prior.update(n=1, total=t)",
                f"the shape grows by one for each of the {n} {many}",
            ),
            WrongPosterior(
                Gamma(s + n, 1 / r + t),
                "GammaExponential(s + n, 1 / r + t)",
                f"rate and scale are confused; the rate of the prior is "
                f"{decimal(r)}",
            ),
            WrongPosterior(
                Gamma(s + n - 1, r + t),
                "GammaExponential(s + n - 1, r + t)",
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
                rf"$\text{{Exponential}}(\text{{rate }} {mean})$",
                f"stats.expon(scale=1 / {mean}).pdf",
                f"this is a distribution of the next of the "
                f"{self.story.many}, with "
                "the rate taken for known; asked is what is known of "
                r"$\lambda$",
            ),
        ]

    @property
    def steps(self) -> list[str]:
        """The steps from the prior to the posterior, as Markdown."""
        n, t = self.number, self.total
        head = [
            f"shape: number of {self.story.many}",
            f"rate: {self.story.units}",
        ]
        return [
            f"**The likelihood.** One of the {self.story.many} of length "
            rf"$x$ has the density $\lambda e^{{-\lambda x}}$; {n} of them, "
            f"{amount(t, self.story)} together, have "
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
            r"**Does it make sense?** The posterior mean of $\lambda$, "
            f"{about(self.posterior.mean)}, lies between the prior mean, "
            f"{about(self.prior.mean)}, and the number of "
            f"{self.story.many} per {self.story.unit}, "
            f"{about(self.number / self.total)}."
        )


# Per unit: with a higher rate, the waiting times would be very short.
_FASTEST = 3


def draw(rng: np.random.Generator) -> Waits | None:
    """Draw a prior and waiting times.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws story, prior and data.

    Returns
    -------
    Waits or None
        None if prior mean and data are the same, or times very short.

    Examples
    --------
    >>> draw(np.random.default_rng(0)).story.what
    'The lengths of phone calls'
    """
    story = pick(rng, WAITING_TIMES)
    said, reading, prior = pick(rng, PRIORS)(rng)
    seen, setup, number, total = pick(rng, [_listed, _added])(
        story, prior, rng
    )
    if prior.mean > _FASTEST or number / total == prior.mean:
        return None
    s, r = map(decimal, prior.numbers)
    return Waits(
        story,
        prior,
        number,
        total,
        later=Fraction(pick(rng, [1, 2, 3, 4, 5, 6, 8, 10])),
        text=(
            f"{story.what} are exponential, with an unknown rate of "
            rf"$\lambda$ per {story.unit}. {said} {seen}"
        ),
        setup=(
            "from math import exp\n"
            "from bayesbook.conjugate import GammaExponential\n"
            f"s, r, n, t = {s}, {r}, {number}, {decimal(total)}\n"
            "prior = GammaExponential(s, r)\n"
            f"posterior = {setup}\n"
        ),
        reading=reading,
    )


# Each returns the sentence about the data, the update in Python, the number
# of waiting times, and their sum.


def _listed(story, prior, rng):
    n = pick(rng, [2, 3, 4, 5, 6])
    about = float(1 / prior.mean) * pick(rng, [0.5, 0.8, 1.3, 2])
    step = Fraction(1, 10 if about < 1 else 2 if about < 4 else 1)
    times = [
        step * max(1, round(rng.exponential(about) / float(step)))
        for _ in range(n)
    ]
    written = list(map(decimal, times))
    return (
        f"Observed are {n} {story.many} of {and_list(written)} {story.units}.",
        f"prior.update([{', '.join(written)}])",
        n,
        sum(times),
    )


def _added(story, prior, rng):
    n = pick(rng, [2, 3, 4, 5, 6, 8, 10])
    about = n / float(prior.mean) * pick(rng, [0.5, 0.8, 1.3, 2])
    total = Fraction(max(1, round(about)))
    return (
        f"Observed are {n} {story.many}, {amount(total, story)} together.",
        "prior.update(n=n, total=t)",
        n,
        total,
    )


def _longer(case: Waits) -> NumberQuestion | None:
    return gamma_questions.nothing_happens(
        case,
        case.later,
        f"{{}}.predictive().sf({decimal(case.later)})",
        f"What is the probability that the next {case.story.one} is longer "
        f"than {amount(case.later, case.story)}?",
    )


def _expected_wait(case: Waits) -> NumberQuestion:
    after = case.posterior
    return NumberQuestion(
        f"How long is the next {case.story.one} in the mean, in "
        f"{case.story.units}?",
        after.rate / (after.shape - 1),
        "posterior.predictive().mean()",
        rf"Given $\lambda$ the mean is $\frac{{1}}{{\lambda}}$. Averaged over "
        "the posterior:\n\n"
        r"$$\mathbb{E}\left[\frac{1}{\lambda} \mid \text{data}\right] = "
        r"\frac{\text{rate}}{\text{shape} - 1} = "
        rf"{ratio(after.rate, after.shape - 1)}$$",
        (
            (
                1 / after.mean,
                "1 / posterior.mean()",
                r"This is the reciprocal of the mean of $\lambda$. The mean "
                "of the reciprocal is larger.",
            ),
            (
                after.mean,
                "posterior.mean()",
                r"This is the mean of $\lambda$: how many there are per "
                f"{case.story.unit}, not how long one is.",
            ),
            (
                case.total / case.number,
                "t / n",
                f"This is the mean of the observed {case.story.many}; the "
                "prior is forgotten.",
            ),
            *through(
                case,
                lambda post: None if post.mode is None else 1 / post.mode,
                "{}.predictive().mean()",
            ),
        ),
        decimal,
        remark=(
            "**Does it make sense?** It is more than "
            rf"$1 / \mathbb{{E}}[\lambda]$ = {about(1 / after.mean)}: small "
            "rates make very long times."
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
    predictions=(_longer, _longer, _expected_wait),
)
