"""A rate: gamma priors, and waiting times."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.conjugate import rates
from bayesbook.study.drills.conjugate.cases import (
    Family,
    NumberQuestion,
    number,
)
from bayesbook.study.drills.conjugate.distributions import GammaOfWaits, ratio
from bayesbook.study.drills.conjugate.rates import amount
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import about, decimal, lines_of

__all__ = ["FAMILY"]


@dataclass(frozen=True)
class Story:
    """Waiting times."""

    what: str  # plural, at the beginning of a sentence
    one: str
    many: str
    unit: str
    units: str


WAITING_TIMES = [
    Story(*line.split(" | "))
    for line in lines_of("""
        The waits for a bus | wait | waits | minute | minutes
        The lives of lamps | life | lives | year | years
        The gaps between two customers | gap | gaps | minute | minutes
        The times between two decays | time | times | second | seconds
        The runs of a server | run | runs | day | days
        The lengths of phone calls | call | calls | minute | minutes
        The pauses of a geyser | pause | pauses | hour | hours
    """)
]
# Per unit: with a higher rate, the waiting times would be very short.
_FASTEST = 3


class Waits(rates.Case):
    """A gamma prior and n waiting times, t together."""

    @property
    def slips(self):
        many, units = self.story.many, self.story.units
        return rf"""
            s + t, r + n | this is the rule for counts; here the {self.n}
                {many} belong to the shape, and the {units} to the rate
            s + n, r | the rate has to grow too, by
                {amount(self.t, self.story)}
            n, t | the prior is forgotten, and only the data are counted
            2 * s + n, 2 * r + t | the prior is counted twice
            s + n, r + t / n | the rate grows by the sum of the {many}, not by
                their mean
            s + 1, r + t | the shape grows by one for each of the {self.n}
                {many}
            s + n, 1 / r + t | rate and scale are confused; the rate of the
                prior is {decimal(self.prior.rate)}
            s + n - 1, r + t | this takes the exponent of $\lambda$ for the
                shape, which is larger by one
            s, r | the data are left out
        """

    @staticmethod
    def model(parameters):
        return f"GammaExponential({parameters})"

    @property
    def right(self):
        shape, rate = map(decimal, self.prior)
        return (
            f"The number of {self.story.many} is added to the shape, {shape} "
            f"+ {self.n}, and their sum to the rate, {rate} + "
            f"{decimal(self.t)}."
        )

    def of_data(self, mean):
        return (
            rf"$\text{{Exponential}}(\text{{rate }} {mean})$ | "
            f"stats.expon(scale=1 / {mean}).pdf | this is a distribution of "
            f"the next of the {self.story.many}, with the rate taken for "
            r"known; asked is what is known of $\lambda$"
        )

    @property
    def likelihood(self):
        return (
            f"One of the {self.story.many} of length $x$ has the density "
            rf"$\lambda e^{{-\lambda x}}$; {self.n} of them, "
            f"{amount(self.t, self.story)} together, have"
        )

    @property
    def head(self):
        return [
            f"shape: number of {self.story.many}",
            f"rate: {self.story.units}",
        ]

    @property
    def sense(self):
        return (
            r"**Does it make sense?** The posterior mean of $\lambda$, "
            f"{about(self.posterior.mean())}, lies between the prior mean, "
            f"{about(self.prior.mean())}, and the number of "
            f"{self.story.many} per {self.story.unit}, "
            f"{about(self.n / self.t)}."
        )


def draw(rng: np.random.Generator) -> Waits | None:
    """Draw a case, unless prior mean and data are the same."""
    story = pick(rng, WAITING_TIMES)
    said, reading, prior = pick(rng, rates.PRIORS)(rng)
    seen, posterior, n, t = pick(rng, [_listed, _added])(story, prior, rng)
    if prior.mean() > _FASTEST or n / t == prior.mean():
        return None
    return Waits(
        story=story,
        prior=GammaOfWaits(*prior),
        n=n,
        t=t,
        later=Fraction(pick(rng, [1, 2, 3, 4, 5, 6, 8, 10])),
        text=(
            f"{story.what} are exponential, with an unknown rate of "
            rf"$\lambda$ per {story.unit}. {said} {seen}"
        ),
        setup=rates.setup("GammaExponential", prior, n, t, posterior),
        reading=reading,
    )


# Each returns the sentence about the data, the update in Python, the number
# of waiting times, and their sum.


def _listed(story, prior, rng):
    n = pick(rng, [2, 3, 4, 5, 6])
    about = float(1 / prior.mean()) * pick(rng, [0.5, 0.8, 1.3, 2])
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
    about = n / float(prior.mean()) * pick(rng, [0.5, 0.8, 1.3, 2])
    total = Fraction(max(1, round(about)))
    return (
        f"Observed are {n} {story.many}, {amount(total, story)} together.",
        "prior.update(n=n, total=t)",
        n,
        total,
    )


# --- what is observed next --------------------------------------------------


def _longer(case: Waits) -> NumberQuestion | None:
    return rates.nothing_happens(
        case,
        f"What is the probability that the next {case.story.one} is longer "
        f"than {amount(case.later, case.story)}?",
        f"posterior.predictive().sf({case.later})",
    )


def _expected(case: Waits) -> NumberQuestion | None:
    (shape, rate), story = case.posterior, case.story
    return number(
        case,
        f"How long is the next {story.one} in the mean, in {story.units}?",
        "posterior.predictive().mean()",
        rf"Given $\lambda$ the mean is $\frac{{1}}{{\lambda}}$. Averaged over "
        "the posterior:\n\n"
        r"$$\mathbb{E}\left[\frac{1}{\lambda} \mid \text{data}\right] = "
        r"\frac{\text{rate}}{\text{shape} - 1} = "
        f"{ratio(rate, shape - 1)}$$",
        rf"""
        1 / posterior.mean() | This is the reciprocal of the mean of
            $\lambda$. The mean of the reciprocal is larger.
        posterior.mean() | This is the mean of $\lambda$: how many there are
            per {story.unit}, not how long one is.
        t / n | This is the mean of the observed {story.many}; the prior is
            forgotten.
        ...
        """,
        write=decimal,
        remark=(
            "**Does it make sense?** It is more than "
            rf"$1 / \mathbb{{E}}[\lambda]$ = {about(rate / shape)}: small "
            "rates make very long times."
        ),
    )


FAMILY = Family(draw, rates.UPDATES, (_longer, _longer, _expected))
