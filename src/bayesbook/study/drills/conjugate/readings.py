"""A mean: normal priors, and readings whose error has a known variance."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.conjugate import cases
from bayesbook.study.drills.conjugate.cases import (
    Family,
    NumberQuestion,
    number,
)
from bayesbook.study.drills.conjugate.distributions import (
    Normal,
    is_short,
    quotient,
    ratio,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import (
    about,
    decimal,
    equals,
    lines_of,
    table,
)

__all__ = ["FAMILY"]


@dataclass(frozen=True)
class Story:
    """Something that is measured."""

    what: str  # at the beginning of a sentence, as the device
    device: str
    unit: str
    least: str  # and largest mean of a prior
    largest: str


STORIES = [
    Story(*line.split(" | "))
    for line in lines_of("""
        The mass of an apple | A scale | g | 90 | 180
        The temperature of an oven | A thermometer | °C | 120 | 240
        The width of a river | A range finder | m | 80 | 200
        The boiling point of a liquid | A probe | °C | 80 | 180
        The depth of a lake | A sonar | m | 80 | 200
        The blood pressure of a patient | A cuff | mmHg | 100 | 160
        The length of a beam | A tape | cm | 150 | 400
    """)
]

# The standard deviations of prior and error. The square of their ratio, error
# by prior, is the number of readings that weigh as much as the prior.
_SPREADS = [
    *zip((2, 3, 4, 2, 3, 5), (2, 3, 4, 4, 6, 10), strict=True),
    *zip((2, 4, 6, 2, 3, 6), (1, 2, 3, 6, 1, 2), strict=True),
]


@dataclass(frozen=True, eq=False, kw_only=True)
class Case(cases.Case[Normal]):
    """A normal prior and some readings."""

    story: Story
    s: Fraction  # the standard deviation of the prior
    sigma: Fraction  # that of the error of a reading
    n: int
    mean: Fraction
    later: int  # of how many further readings the mean is asked for

    unknown = r"\mu"
    told = (
        "(s**2, sigma**2, sigma**2 / s**2, posterior.var())",
        "(1 / s**2, n / sigma**2, 1 / posterior.var())",
    )

    @property
    def strength(self):
        """The number of readings that the prior counts as."""
        return (self.sigma / self.s) ** 2

    @cached_property
    def posterior(self):
        total = self.strength * self.prior.mean() + self.n * self.mean
        together = self.strength + self.n
        return self.wrong(total / together, self.sigma**2 / together)

    @property
    def data(self):
        return {
            "m": self.prior.mean(),
            "s": self.s,
            "sigma": self.sigma,
            "n": Fraction(self.n),
            "mean": self.mean,
        }

    @property
    def slips(self):
        return f"""
            mean, sigma**2 / n | the prior is forgotten, and only the readings
                are used
            (m + mean) / 2, posterior.var() | prior mean and mean of the
                readings have different precisions, so their plain average
                will not do
            (s**2 * m + sigma**2 / n * mean) / (s**2 + sigma**2 / n),
                posterior.var() | this weights with variances; what varies
                more has to count less
            (m / s + n * mean / sigma) / (1 / s + n / sigma),
                1 / (1 / s + n / sigma) | a precision is the reciprocal of a
                variance, not of a standard deviation
            posterior.mean(), s**2 + sigma**2 / n | precisions add up, not
                variances; readings cannot make the mean less certain
            posterior.mean(), posterior.predictive().var() | this is the
                variance of the next reading, which has an error of its own
            posterior.mean(), s**2 | the variance is still that of the prior;
                readings make it smaller
            posterior.mean(), sigma**2 / n | the variance lacks what the prior
                knows
            m, s**2 | the readings are left out
            (sigma**2 * m + s**2 * mean) / (sigma**2 + s**2),
                1 / (1 / s**2 + 1 / sigma**2) | if n > 1 | the mean of
                {self.n} readings counts as one reading; its variance is
                {self.sigma**2} / {self.n}
        """

    def wrong(self, *parameters):
        return Normal(*parameters, self.sigma**2)

    @staticmethod
    def model(parameters):
        mean, variance = parameters.rsplit(", ", 1)
        return f"GaussianMean({mean}, ({variance}) ** 0.5, sigma)"

    @property
    def right(self):
        return (
            "Precisions add up, and the posterior mean is the mean of prior "
            "and readings, weighted with them."
        )

    @property
    def others(self):
        mean, data = decimal(self.posterior.mean()), decimal(self.mean)
        freedom, sigma = self.n - 1, decimal(self.sigma)
        return rf"""
            $\text{{Gamma}}(\text{{shape }} {mean}, \text{{rate }} 1)$
                | stats.gamma({mean}).pdf
                | a normal prior and normal readings make a normal posterior:
                the exponents are quadratic, and so is their sum
            Student's $t$ with {freedom} degrees of freedom, centre {data} and
                scale {sigma}
                | if n > 1
                | stats.t({freedom}, {data}, {sigma}).pdf
                | Student's distribution is for an unknown variance of the
                error; here it is known
        """

    @property
    def look(self):
        there = "is one reading" if self.n == 1 else f"are {self.n} readings"
        return (
            f"The prior has the variance {decimal(self.prior.var())}, and the "
            f"error of a reading the variance {decimal(self.sigma**2)}; there "
            f"{there}. Which precisions are these?"
        )

    @property
    def first_step(self):
        known, learnt = 1 / self.prior.var(), self.n / self.sigma**2
        return (
            f"Precisions add up: {decimal(known)} of the prior and "
            f"{decimal(learnt)} of the readings make "
            f"{decimal(known + learnt)}."
        )

    @property
    def steps(self):
        n, noise = self.n, self.sigma**2
        before, variance, _ = self.prior
        known, learnt = 1 / variance, n / noise
        both = known * before + learnt * self.mean
        rows = [
            ["prior", *map(decimal, (known, before, known * before))],
            ["data", *map(decimal, (learnt, self.mean, learnt * self.mean))],
            ["*posterior*", decimal(known + learnt), "", decimal(both)],
        ]
        readings = f"the reading {decimal(learnt)}"
        if n > 1:
            readings = f"a reading {decimal(1 / noise)}, and there are {n}"
        head = ["source", "precision", "mean", "precision × mean"]
        return [
            "**Precisions.** A precision is the reciprocal of a variance: "
            f"that of the prior is {decimal(known)}, that of {readings}. "
            "Precisions add up, and so do the products with the means:",
            table(head, rows),
            "**The posterior.** Its variance is the reciprocal of the sum "
            "of the precisions, its mean the quotient of the two sums:\n\n"
            rf"$$\text{{variance}} = "
            f"{quotient(Fraction(1), known + learnt)} = "
            f"{decimal(self.posterior.var())}$$\n\n"
            rf"$$\text{{mean}} = {quotient(both, known + learnt)} = "
            f"{decimal(self.posterior.mean())}$$",
            "**In readings.** The prior counts as "
            rf"$\sigma^2 / s^2 = {ratio(noise, variance)}$ readings of "
            f"{decimal(before)}.",
        ]

    @property
    def sense(self):
        mean, variance, _ = map(decimal, self.posterior)
        return (
            f"**Does it make sense?** {mean} lies between the prior mean, "
            f"{decimal(self.prior.mean())}, and the mean of the readings, "
            f"{decimal(self.mean)}. The variance, {variance}, is less than "
            f"those of the prior, {decimal(self.prior.var())}, and of the "
            f"mean of the readings, {about(self.sigma**2 / self.n)}."
        )


# --- drawing ----------------------------------------------------------------


def draw(rng: np.random.Generator) -> Case | None:
    """Draw a case, if the posterior is of short decimals."""
    story = pick(rng, STORIES)
    s, sigma = map(Fraction, pick(rng, _SPREADS))
    m = Fraction(pick(rng, range(int(story.least), int(story.largest))))
    seen, update, n, mean = pick(rng, [_listed, _averaged])(
        story, m, max(s, sigma), rng
    )
    case = Case(
        story=story,
        prior=Normal(m, s**2, sigma**2),
        s=s,
        sigma=sigma,
        n=n,
        mean=mean,
        later=pick(rng, [2, 3, 4, 5]),
        text=(
            rf"{story.what}, $\mu$, is unknown. "
            f"{pick(rng, _PRIORS)(m, s, story.unit)} {story.device} shows "
            rf"$\mu$ with {pick(rng, _ERRORS)(sigma, story.unit)}. {seen}"
        ),
        setup=(
            "from bayesbook.conjugate import GaussianMean\n"
            f"m, s, sigma, n, mean = {m}, {s}, {sigma}, {n}, "
            f"{decimal(mean)}\n"
            "prior = GaussianMean(m, s, sigma)\n"
            f"posterior = {update}\n"
        ),
    )
    return case if mean != m and all(map(is_short, case.posterior)) else None


def _by_deviation(m, s, unit):
    return (
        rf"The prior of $\mu$ is normal with mean {m} {unit} and standard "
        f"deviation {s} {unit}."
    )


def _by_variance(m, s, unit):
    return (
        rf"The prior of $\mu$ is normal with mean {m} and variance {s**2} "
        f"(in {unit} and {unit}²)."
    )


def _by_precision(m, s, unit):
    return (
        rf"The prior of $\mu$ is normal with mean {m} {unit} and precision "
        f"{1 / s**2}."
    )


_PRIORS = (_by_deviation, _by_deviation, _by_variance, _by_precision)


def _error_deviation(sigma, unit):
    return f"a normal error of standard deviation {sigma} {unit}"


def _error_variance(sigma, unit):
    return f"a normal error of variance {sigma**2} {unit}²"


_ERRORS = (_error_deviation, _error_deviation, _error_variance)


# Each returns the sentence about the data, the update in Python, the number
# of readings, and their mean.


def _listed(story, m, spread, rng):
    n = pick(rng, [1, 2, 3, 4, 5])
    centre = m + _offset(spread, rng)
    readings = [
        centre + Fraction(round(float(spread) * rng.normal()))
        for _ in range(n)
    ]
    written = list(map(decimal, readings))
    said = (
        f"One reading is {written[0]} {story.unit}."
        if n == 1
        else f"{_WORDS[n]} readings are {and_list(written)} {story.unit}."
    )
    return (
        said,
        f"prior.update([{', '.join(written)}])",
        n,
        sum(readings) / n,
    )


_WORDS = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}


def _averaged(story, m, spread, rng):
    n = pick(rng, [2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16])
    mean = m + _offset(spread, rng)
    said = f"The mean of {n} readings is {decimal(mean)} {story.unit}."
    return said, "prior.update(n=n, mean=mean)", n, mean


def _offset(spread: Fraction, rng) -> Fraction:
    """Draw how far the data are from the prior mean."""
    return spread * Fraction(pick(rng, [-4, -3, -2, -1, 1, 2, 3, 4]), 2)


# --- numbers of the posterior -----------------------------------------------


def _mean_of(case: Case) -> str:
    """Write how the posterior mean is computed."""
    (m, variance, _), noise = case.prior, case.sigma**2
    known, learnt = 1 / variance, case.n / noise
    return (
        rf"$$\frac{{{decimal(known)} \cdot {decimal(m)} + "
        rf"{decimal(learnt)} \cdot {decimal(case.mean)}}}"
        rf"{{{decimal(known + learnt)}}} = {decimal(case.posterior.mean())}$$"
    )


def _precisions(case: Case) -> str:
    """Write the sum of the precisions of prior and data."""
    return (
        rf"\frac{{1}}{{{decimal(case.prior.var())}}} + "
        rf"\frac{{{case.n}}}{{{decimal(case.sigma**2)}}}"
    )


def _mean(case: Case) -> NumberQuestion | None:
    return number(
        case,
        r"What is the posterior mean of $\mu$?",
        "posterior.mean()",
        _mean_of(case),
        "...",
        write=decimal,
        unit=case.story.unit,
    )


def _variance(case: Case) -> NumberQuestion | None:
    return number(
        case,
        rf"What is the posterior variance of $\mu$, in {case.story.unit}²?",
        "posterior.var()",
        r"$$\text{Var}[\mu \mid \text{data}] = \left("
        rf"{_precisions(case)}\right)^{{-1}} = "
        f"{equals(case.posterior.var())}$$",
        """
        1 / posterior.var() | if posterior.var() != 1 | This is the precision,
            the reciprocal.
        ...
        """,
        write=decimal,
    )


def _precision(case: Case) -> NumberQuestion | None:
    return number(
        case,
        r"What is the posterior precision of $\mu$, the reciprocal of its "
        "variance?",
        "1 / posterior.var()",
        f"$${_precisions(case)} = {equals(1 / case.posterior.var())}$$",
        """
        posterior.var() | if posterior.var() != 1 | This is the variance, the
            reciprocal.
        ...
        """,
        write=decimal,
    )


def _weight(case: Case) -> NumberQuestion | None:
    variance, noise = decimal(case.prior.var()), decimal(case.sigma**2)
    return number(
        case,
        "The posterior mean is $w$ times the prior mean plus $1 - w$ times "
        "the mean of the readings. What is $w$?",
        "posterior.var() / s**2",
        rf"$$w = \frac{{1 / {variance}}}{{1 / {variance} + {case.n} / "
        rf"{noise}}} = {equals(case.strength / (case.strength + case.n))}$$",
        rf"""
        1 - posterior.var() / s**2 | if n * s**2 != sigma**2 | This is the
            weight of the readings, $1 - w$.
        1 / (n + 1) | if s != sigma | The prior counts as $\sigma^2 / s^2 =
            {decimal(case.strength)}$ readings, not as one.
        (1 / s) / (1 / s + n / sigma) | if s != sigma | Weights are
            precisions, reciprocals of variances and not of standard
            deviations.
        (sigma / s) ** 2 / ((sigma / s) ** 2 + 1) | if n > 1 | This is the
            weight beside one reading; there are {case.n}.
        n / (n + n) | if n * s**2 != sigma**2 | Prior and readings do not
            weigh the same here: compare their precisions.
        """,
    )


# --- what is observed next --------------------------------------------------


def _next(case: Case) -> NumberQuestion | None:
    return number(
        case,
        "What is the predictive mean of the next reading?",
        "posterior.predictive().mean()",
        r"An error has the mean 0, so the next reading has the mean of $\mu$:"
        f"\n\n{_mean_of(case)}",
        "...",
        write=decimal,
        unit=case.story.unit,
    )


def _next_variance(case: Case) -> NumberQuestion | None:
    variance, noise = case.posterior.var(), case.sigma**2
    return number(
        case,
        f"What is the variance of the next reading, in {case.story.unit}²?",
        "posterior.predictive().var()",
        r"The reading is $\mu$ plus an error that is independent of it, so "
        "their variances add up:\n\n"
        f"$${decimal(variance)} + {decimal(noise)} = "
        f"{decimal(variance + noise)}$$",
        r"""
        sigma**2 | This is the variance of the error alone. That of $\mu$
            comes on top.
        posterior.var() | This is the variance of $\mu$ alone. The next
            reading has an error of its own.
        prior.predictive().var() | This is the variance of a reading before
            the data.
        sigma**2 / n + sigma**2 | This forgets the prior: only the readings
            are used.
        """,
        write=decimal,
        remark=(
            "**Does it make sense?** However many readings there are, the "
            f"next one keeps the variance of its error, {decimal(noise)}; "
            r"only what is added for $\mu$ shrinks."
        ),
    )


def _average(case: Case) -> NumberQuestion | None:
    variance, noise, count = case.posterior.var(), case.sigma**2, case.later
    return number(
        case,
        f"What is the variance of the mean of the next {count} readings, in "
        f"{case.story.unit}²?",
        f"posterior.var() + sigma**2 / {count}",
        r"The mean is $\mu$ plus the mean of the errors, whose variance is "
        f"divided by {count}:\n\n"
        rf"$${decimal(variance)} + \frac{{{decimal(noise)}}}{{{count}}}"
        rf" = {equals(variance + noise / count)}$$",
        rf"""
        posterior.predictive().var() / {count} | This divides the variance of
            one reading, as if readings were independent. They share $\mu$,
            whose variance does not average out.
        sigma**2 / {count} | This takes $\mu$ for known; its variance comes on
            top.
        posterior.predictive().var() | This is the variance of a single
            reading.
        """,
        told=(f"sigma**2 / {count}",),
        write=decimal,
        remark=(
            "**Does it make sense?** The mean of very many readings would be "
            rf"$\mu$ itself, with the variance {decimal(variance)}."
        ),
    )


def _covariance(case: Case) -> NumberQuestion | None:
    return number(
        case,
        "What is the covariance of the next two readings, in "
        f"{case.story.unit}²?",
        "posterior.var()",
        r"Both are $\mu$ plus an error of their own. Errors are independent "
        r"of each other and of $\mu$, so what remains is the variance of "
        "$\\mu$:\n\n"
        rf"$$\text{{Cov}}[x', x''] = \text{{Var}}[\mu \mid "
        rf"\text{{data}}] = {decimal(case.posterior.var())}$$",
        r"""
        posterior.predictive().var() | This is the variance of each of them.
        sigma**2 | This is the variance of an error. Errors are independent;
            what the readings share is $\mu$.
        posterior.var() / posterior.predictive().var() | This is the
            correlation: the covariance divided by the variance of a reading.
        posterior.var() - posterior.var() | The two are independent given
            $\mu$, but $\mu$ is not known: they share it.
        prior.var() | This is the covariance before the data.
        """,
        write=decimal,
        remark=(
            "**Does it make sense?** A high reading makes another high one "
            r"more probable, because it makes a large $\mu$ more probable."
        ),
    )


FAMILY = Family(
    draw,
    updates=(_mean, _mean, _variance, _variance, _precision, _weight),
    predictions=(_next, _next_variance, _next_variance, _average, _covariance),
)
