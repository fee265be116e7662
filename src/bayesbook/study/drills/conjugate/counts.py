"""A rate: gamma priors, and counts of events."""

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
from bayesbook.study.drills.conjugate.distributions import (
    GammaOfCounts,
    quotient,
)
from bayesbook.study.drills.conjugate.rates import amount
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import about, decimal, equals, lines_of

__all__ = ["FAMILY"]


@dataclass(frozen=True)
class Story:
    """Events in time or along a way."""

    happens: str  # a sentence that "per" and the unit would complete
    one: str
    many: str
    unit: str
    units: str


EVENTS = [
    Story(*line.split(" | "))
    for line in lines_of("""
        Calls reach a switchboard | call | calls | hour | hours
        Shooting stars are seen | shooting star | shooting stars | hour | hours
        A team scores goals | goal | goals | match | matches
        A printer makes misprints | misprint | misprints | page | pages
        A region has earthquakes | earthquake | earthquakes | year | years
        A road has potholes | pothole | potholes | kilometre | kilometres
        A cable has flaws | flaw | flaws | metre | metres
        Orders reach a shop | order | orders | day | days
    """)
]


class Counts(rates.Case):
    """A gamma prior and counts of events, n in t units."""

    @property
    def slips(self):
        many, units = self.story.many, self.story.units
        return rf"""
            s + n, r | the rate has to grow too, by
                {amount(self.t, self.story)}
            s + t, r + n | {many} and {units} have changed places; {many}
                belong to the shape
            n, t | the prior is forgotten, and only the data are counted
            2 * s + n, 2 * r + t | the prior is counted twice
            s + n / t, r + t | the shape grows by the number of {many}, not by
                their mean
            s + n, r + 1 | the rate grows by {amount(self.t, self.story)}, not
                by one
            s + n, 1 / r + t | rate and scale are confused; the rate of the
                prior is {decimal(self.prior.rate)}
            s + n - 1, r + t | this takes the exponent of $\lambda$ for the
                shape, which is larger by one
            s, r | the data are left out
        """

    @staticmethod
    def model(parameters):
        return f"GammaPoisson({parameters})"

    @property
    def right(self):
        shape, rate = map(decimal, self.prior)
        return (
            f"The number of {self.story.many} is added to the shape, {shape} "
            f"+ {self.n}, and the number of {self.story.units} to the rate, "
            f"{rate} + {decimal(self.t)}."
        )

    def of_data(self, mean):
        return (
            rf"$\text{{Poisson}}({mean})$ | stats.poisson({mean}).pmf | "
            f"this is a distribution of a number of {self.story.many}; "
            r"$\lambda$ need not be whole"
        )

    @property
    def likelihood(self):
        t = decimal(self.t)
        return (
            f"The number of {self.story.many} in {t} {self.story.units} is "
            rf"Poisson with the mean ${t}\lambda$. As a function of $\lambda$ "
            f"the probability of {self.n} is, but for a constant,"
        )

    @property
    def head(self):
        return [f"shape: {self.story.many}", f"rate: {self.story.units}"]

    @property
    def sense(self):
        return (
            "**Does it make sense?** The posterior mean, "
            f"{about(self.posterior.mean())}, lies between the prior mean, "
            f"{about(self.prior.mean())}, and what was seen per "
            f"{self.story.unit}, {about(self.n / self.t)}."
        )


def draw(rng: np.random.Generator) -> Counts | None:
    """Draw a case, unless prior mean and data are the same."""
    story = pick(rng, EVENTS)
    said, reading, prior = pick(rng, rates.PRIORS)(rng)
    seen, posterior, n, t = pick(rng, [_each, _together])(story, prior, rng)
    if n / t == prior.mean():
        return None
    return Counts(
        story=story,
        prior=GammaOfCounts(*prior),
        n=n,
        t=t,
        later=Fraction(pick(rng, [1, 1, 2, 2, 3, 4, 5])),
        text=(
            rf"{story.happens} at an unknown rate of $\lambda$ per "
            f"{story.unit}, as a Poisson process. {said} {seen}"
        ),
        setup=rates.setup("GammaPoisson", prior, n, t, posterior),
        reading=reading,
    )


# Each returns the sentence about the data, the update in Python, the number
# of events, and the number of units in which they were counted.


def _each(story, prior, rng):
    n = pick(rng, [2, 3, 4, 5, 6])
    about = float(prior.mean()) * pick(rng, [0.5, 0.8, 1.3, 2])
    counts = [int(rng.poisson(min(about, 8))) for _ in range(n)]
    said = (
        f"In {n} {story.units}, one after the other, there are "
        f"{and_list(counts)} {story.many}."
    )
    return said, f"prior.update({counts})", sum(counts), Fraction(n)


def _together(story, prior, rng):
    exposure = Fraction(pick(rng, [2, 3, 4, 5, 6, 8, 10, 12, 1.5, 2.5]))
    about = float(prior.mean() * exposure) * pick(rng, [0.5, 0.8, 1.3, 2])
    total = int(rng.poisson(min(about, 40)))
    seen = f"is 1 {story.one}" if total == 1 else f"are {total} {story.many}"
    said = f"In {decimal(exposure)} {story.units} there {seen}."
    return said, "prior.update(total=n, exposure=t)", total, exposure


# --- what is observed next --------------------------------------------------


def _expected(case: Counts) -> NumberQuestion | None:
    after, u = case.posterior, case.later
    times = "" if u == 1 else rf"{u} \cdot "
    return number(
        case,
        f"How many {case.story.many} are to be expected in the next "
        f"{_units(case)}: what is the mean of their number?",
        f"posterior.predictive(exposure={u}).mean()",
        rf"Given $\lambda$ the mean is ${'' if u == 1 else u}\lambda$, and "
        "averaged over the posterior\n\n"
        f"$${times}{quotient(*after)} = {equals(after.mean() * u)}$$",
        rf"""
        posterior.mode() * {u} | if posterior.mode() | This takes the mode of
            the posterior for $\lambda$; a mean is averaged.
        ...
        """,
        write=decimal,
    )


def _units(case: Counts) -> str:
    u, story = case.later, case.story
    return story.unit if u == 1 else f"{u} {story.units}"


def _none(case: Counts) -> NumberQuestion | None:
    return rates.nothing_happens(
        case,
        f"What is the probability of no {case.story.many} in the next "
        f"{_units(case)}?",
        f"posterior.predictive(exposure={case.later}).pmf(0)",
    )


def _spread(case: Counts) -> NumberQuestion | None:
    mean = case.posterior.mean()
    shape, rate = map(decimal, case.posterior)
    return number(
        case,
        f"What is the variance of the number of {case.story.many} in the "
        f"next {case.story.unit}?",
        "posterior.predictive().var()",
        r"By the law of total variance it is the mean of the variance "
        r"$\lambda$, plus the variance of the mean $\lambda$:"
        "\n\n"
        r"$$\mathbb{E}[\lambda] + \text{Var}[\lambda] = "
        rf"\frac{{{shape}}}{{{rate}}} + \frac{{{shape}}}{{{rate}^2}} = "
        f"{equals(mean + case.posterior.var())}$$",
        r"""
        posterior.mean() | This is the mean, which is also the variance of a
            Poisson distribution with a known rate. Not knowing $\lambda$ adds
            its variance.
        posterior.var() | This is the variance of $\lambda$ alone; the number
            also varies around $\lambda$.
        ...
        """,
        write=decimal,
        remark=(
            "**Does it make sense?** The next number is more uncertain than "
            "a Poisson number with the same mean, whose variance would be "
            f"{about(mean)}."
        ),
    )


FAMILY = Family(draw, rates.UPDATES, (_expected, _none, _none, _spread))
