"""A mean: normal priors, and readings whose error has a known variance."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.conjugate.cases import (
    Family,
    NumberQuestion,
    WrongFamily,
    WrongPosterior,
    through,
)
from bayesbook.study.drills.conjugate.distributions import (
    Normal,
    is_short,
    quotient,
    ratio,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import about, decimal, equals, table


@dataclass(frozen=True)
class Story:
    """Something that is measured.

    Parameters
    ----------
    what : str
        The quantity, at the beginning of a sentence.
    device : str
        What shows it, likewise.
    unit : str
        Of the quantity.
    near : tuple of two int
        The least and the largest mean of a prior.

    Examples
    --------
    >>> STORIES[0].unit
    'g'
    """

    what: str
    device: str
    unit: str
    near: tuple[int, int]


STORIES = (
    Story("The mass of an apple", "A scale", "g", (90, 180)),
    Story("The temperature of an oven", "A thermometer", "°C", (120, 240)),
    Story("The width of a river", "A range finder", "m", (80, 200)),
    Story("The boiling point of a liquid", "A probe", "°C", (80, 180)),
    Story("The depth of a lake", "A sonar", "m", (80, 200)),
    Story("The blood pressure of a patient", "A cuff", "mmHg", (100, 160)),
    Story("The length of a beam", "A tape", "cm", (150, 400)),
)

# The standard deviations of prior and error. The square of their ratio, error
# by prior, is the number of readings that weigh as much as the prior.
_SPREADS = (
    (2, 2),
    (3, 3),
    (4, 4),
    (2, 4),
    (3, 6),
    (5, 10),
    (2, 1),
    (4, 2),
    (6, 3),
    (2, 6),
    (3, 1),
    (6, 2),
)


@dataclass(frozen=True)
class Case:
    r"""A normal prior and some readings.

    Parameters
    ----------
    story : Story
        What is measured.
    prior : Normal
        Of the quantity.
    sigma : Fraction
        Standard deviation of the error of a reading.
    number : int
        How many readings there are.
    mean : Fraction
        Their mean.
    later : int
        Of how many further readings the mean is asked for.
    text, setup : str
        Markdown, and Python.

    Examples
    --------
    >>> draw(np.random.default_rng(3)).posterior.tex
    '\\mathcal{N}(\\text{mean } 111.25, \\text{variance } 4.5)'
    """

    story: Story
    prior: Normal
    sigma: Fraction
    number: int
    mean: Fraction
    later: int
    text: str
    setup: str

    unknown = r"\mu"
    points = "posterior.distribution.ppf([0.1, 0.5, 0.9])"

    @property
    def strength(self) -> Fraction:
        """The number of readings that the prior counts as."""
        return self.sigma**2 / self.prior.variance

    @property
    def posterior(self) -> Normal:
        """The posterior."""
        total = self.strength * self.prior.mean + self.number * self.mean
        together = self.strength + self.number
        return Normal(total / together, self.sigma**2 / together)

    @property
    def right(self) -> str:
        """The reason for the right option, as Markdown."""
        return (
            "Precisions add up, and the posterior mean is the mean of prior "
            "and readings, weighted with them."
        )

    @property
    def wrong_posteriors(self) -> list[WrongPosterior]:
        """Wrong posteriors."""
        after, n, mean = self.posterior, self.number, self.mean
        m, v, noise = *self.prior.numbers, self.sigma**2
        error = noise / n
        s = _root(v)
        rough = 1 / s + n / self.sigma
        found = [
            WrongPosterior(
                Normal(mean, error),
                "GaussianMean(mean, sigma / n**0.5, sigma)",
                "the prior is forgotten, and only the readings are used",
            ),
            WrongPosterior(
                Normal((m + mean) / 2, after.variance),
                "GaussianMean((m + mean) / 2, posterior.std(), sigma)",
                "prior mean and mean of the readings have different "
                "precisions, so their plain average will not do",
            ),
            WrongPosterior(
                Normal((v * m + error * mean) / (v + error), after.variance),
                "GaussianMean((s**2 * m + sigma**2 / n * mean) / (s**2 + "
                "sigma**2 / n), posterior.std(), sigma)",
                "this weights with variances; what varies more has to "
                "count less",
            ),
            WrongPosterior(
                Normal((m / s + n * mean / self.sigma) / rough, 1 / rough),
                "GaussianMean((m / s + n * mean / sigma) / (1 / s + n / "
                "sigma), (1 / s + n / sigma) ** -0.5, sigma)",
                "a precision is the reciprocal of a variance, not of a "
                "standard deviation",
            ),
            WrongPosterior(
                Normal(after.mean, v + error),
                "GaussianMean(posterior.mean(), (s**2 + sigma**2 / n) ** "
                "0.5, sigma)",
                "precisions add up, not variances; readings cannot make the "
                "mean less certain",
            ),
            WrongPosterior(
                Normal(after.mean, noise + after.variance),
                "GaussianMean(posterior.mean(), posterior.predictive().std(), "
                "sigma)",
                "this is the variance of the next reading, which has an "
                "error of its own",
            ),
            WrongPosterior(
                Normal(after.mean, v),
                "GaussianMean(posterior.mean(), s, sigma)",
                "the variance is still that of the prior; readings make it "
                "smaller",
            ),
            WrongPosterior(
                Normal(after.mean, error),
                "GaussianMean(posterior.mean(), sigma / n**0.5, sigma)",
                "the variance lacks what the prior knows",
            ),
            WrongPosterior(self.prior, "prior", "the readings are left out"),
        ]
        if n > 1:
            single = self.strength + 1
            found.append(
                WrongPosterior(
                    Normal(
                        (self.strength * m + mean) / single, noise / single
                    ),
                    "prior.update(n=1, mean=mean)",
                    f"the mean of {n} readings counts as one reading; its "
                    f"variance is {decimal(noise)} / {n}",
                )
            )
        return found

    @property
    def wrong_families(self) -> list[WrongFamily]:
        """Wrong posteriors of other families."""
        mean, sigma = decimal(self.posterior.mean), decimal(self.sigma)
        found = [
            WrongFamily(
                rf"$\text{{Gamma}}(\text{{shape }} {mean}, \text{{rate }} 1)$",
                f"stats.gamma({mean}).pdf",
                "a normal prior and normal readings make a normal posterior: "
                "the exponents are quadratic, and so is their sum",
            ),
        ]
        if self.number > 1:
            freedom = self.number - 1
            found.append(
                WrongFamily(
                    f"Student's $t$ with {freedom} degrees of freedom, "
                    f"centre {decimal(self.mean)} and scale {sigma}",
                    f"stats.t({freedom}, {decimal(self.mean)}, {sigma}).pdf",
                    "Student's distribution is for an unknown variance of the "
                    "error; here it is known",
                )
            )
        return found

    @property
    def steps(self) -> list[str]:
        """The steps from the prior to the posterior, as Markdown."""
        n, after = self.number, self.posterior
        prior, noise = self.prior, self.sigma**2
        known, learnt = 1 / prior.variance, n / noise
        both = known * prior.mean + learnt * self.mean
        rows = [
            ["prior", *map(decimal, (known, prior.mean, known * prior.mean))],
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
            f"{decimal(after.variance)}$$\n\n"
            rf"$$\text{{mean}} = {quotient(both, known + learnt)} = "
            f"{decimal(after.mean)}$$",
            "**In readings.** The prior counts as "
            rf"$\sigma^2 / s^2 = {ratio(noise, prior.variance)}$ readings of "
            f"{decimal(prior.mean)}.",
        ]

    @property
    def sense(self) -> str:
        """A check of plausibility, as Markdown."""
        return (
            f"**Does it make sense?** {decimal(self.posterior.mean)} lies "
            f"between the prior mean, {decimal(self.prior.mean)}, and the "
            f"mean of the readings, {decimal(self.mean)}. The variance, "
            f"{decimal(self.posterior.variance)}, is less than those of the "
            f"prior, {decimal(self.prior.variance)}, and of the mean of the "
            f"readings, {about(self.sigma**2 / self.number)}."
        )


def _root(value: Fraction) -> Fraction:
    """Return the standard deviation of a prior, a whole number."""
    return Fraction(round(float(value) ** 0.5))


# --- drawing ----------------------------------------------------------------


def draw(rng: np.random.Generator) -> Case | None:
    """Draw a case.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws story, prior and data.

    Returns
    -------
    Case or None
        None if the posterior is not of short decimals.

    Examples
    --------
    >>> draw(np.random.default_rng(3)).story.what
    'The blood pressure of a patient'
    """
    story = pick(rng, STORIES)
    s, sigma = map(Fraction, pick(rng, _SPREADS))
    m = Fraction(pick(rng, range(*story.near)))
    seen, setup, n, mean = pick(rng, [_listed, _averaged])(
        story, m, max(s, sigma), rng
    )
    case = Case(
        story,
        Normal(m, s**2),
        sigma,
        n,
        mean,
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
            f"posterior = {setup}\n"
        ),
    )
    if mean == m or not all(map(is_short, case.posterior.numbers)):
        return None
    return case


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


def _mean(case: Case) -> NumberQuestion:
    after = case.posterior
    known, learnt = 1 / case.prior.variance, case.number / case.sigma**2
    return NumberQuestion(
        r"What is the posterior mean of $\mu$?",
        after.mean,
        "posterior.mean()",
        rf"$$\frac{{{decimal(known)} \cdot {decimal(case.prior.mean)} + "
        rf"{decimal(learnt)} \cdot {decimal(case.mean)}}}"
        rf"{{{decimal(known + learnt)}}} = {decimal(after.mean)}$$",
        tuple(through(case, lambda post: post.mean, "{}.mean()")),
        decimal,
        unit=case.story.unit,
    )


def _variance(case: Case) -> NumberQuestion:
    after = case.posterior
    return NumberQuestion(
        rf"What is the posterior variance of $\mu$, in {case.story.unit}²?",
        after.variance,
        "posterior.var()",
        r"$$\text{Var}[\mu \mid \text{data}] = \left("
        rf"\frac{{1}}{{{decimal(case.prior.variance)}}} + "
        rf"\frac{{{case.number}}}{{{decimal(case.sigma**2)}}}\right)^{{-1}} "
        rf"= {equals(after.variance)}$$",
        (
            *_inverted(after.variance, "1 / posterior.var()", "precision"),
            *through(case, lambda post: post.variance, "{}.var()"),
        ),
        decimal,
    )


def _inverted(value: Fraction, check: str, name: str):
    if value == 1:
        return []
    return [(1 / value, check, f"This is the {name}, the reciprocal.")]


def _precision(case: Case) -> NumberQuestion:
    after = case.posterior
    return NumberQuestion(
        r"What is the posterior precision of $\mu$, the reciprocal of its "
        "variance?",
        1 / after.variance,
        "1 / posterior.var()",
        rf"$$\frac{{1}}{{{decimal(case.prior.variance)}}} + "
        rf"\frac{{{case.number}}}{{{decimal(case.sigma**2)}}} = "
        rf"{equals(1 / after.variance)}$$",
        (
            *_inverted(1 / after.variance, "posterior.var()", "variance"),
            *through(
                case,
                lambda post: 1 / post.variance,
                "1 / {}.var()",
            ),
        ),
        decimal,
    )


def _weight(case: Case) -> NumberQuestion:
    n, s = case.number, _root(case.prior.variance)
    answer = case.strength / (case.strength + n)
    rough = (1 / s) / (1 / s + n / case.sigma)
    mistakes = [
        (
            1 - answer,
            "1 - posterior.var() / s**2",
            "This is the weight of the readings, $1 - w$.",
        ),
        (
            Fraction(1, n + 1),
            "1 / (n + 1)",
            rf"The prior counts as $\sigma^2 / s^2 = "
            rf"{decimal(case.strength)}$ readings, not as one.",
        ),
        (
            rough,
            "(1 / s) / (1 / s + n / sigma)",
            "Weights are precisions, reciprocals of variances and not of "
            "standard deviations.",
        ),
        (
            case.strength / (case.strength + 1),
            "(sigma / s) ** 2 / ((sigma / s) ** 2 + 1)",
            f"This is the weight beside one reading; there are {n}.",
        ),
        (
            Fraction(1, 2),
            "n / (n + n)",
            "Prior and readings do not weigh the same here: compare their "
            "precisions.",
        ),
    ]
    return NumberQuestion(
        "The posterior mean is $w$ times the prior mean plus $1 - w$ times "
        "the mean of the readings. What is $w$?",
        answer,
        "posterior.var() / s**2",
        rf"$$w = \frac{{1 / {decimal(case.prior.variance)}}}{{"
        rf"1 / {decimal(case.prior.variance)} + {n} / "
        rf"{decimal(case.sigma**2)}}} = {equals(answer)}$$",
        tuple(mistake for mistake in mistakes if mistake[0] != answer),
    )


# --- what is observed next --------------------------------------------------


def _next(case: Case) -> NumberQuestion:
    asked = _mean(case)
    return NumberQuestion(
        "What is the predictive mean of the next reading?",
        asked.answer,
        "posterior.predictive().mean()",
        r"An error has the mean 0, so the next reading has the mean of $\mu$:"
        f"\n\n{asked.step}",
        asked.mistakes,
        asked.write,
        unit=asked.unit,
    )


def _next_variance(case: Case) -> NumberQuestion:
    after, noise = case.posterior, case.sigma**2
    return NumberQuestion(
        f"What is the variance of the next reading, in {case.story.unit}²?",
        after.variance + noise,
        "posterior.predictive().var()",
        r"The reading is $\mu$ plus an error that is independent of it, so "
        "their variances add up:\n\n"
        rf"$${decimal(after.variance)} + {decimal(noise)} = "
        rf"{decimal(after.variance + noise)}$$",
        (
            (
                noise,
                "sigma**2",
                r"This is the variance of the error alone. That of $\mu$ "
                "comes on top.",
            ),
            (
                after.variance,
                "posterior.var()",
                r"This is the variance of $\mu$ alone. The next reading has "
                "an error of its own.",
            ),
            (
                case.prior.variance + noise,
                "prior.predictive().var()",
                "This is the variance of a reading before the data.",
            ),
            (
                noise / case.number + noise,
                "sigma**2 / n + sigma**2",
                "This forgets the prior: only the readings are used.",
            ),
        ),
        decimal,
        remark=(
            "**Does it make sense?** However many readings there are, the "
            f"next one keeps the variance of its error, {decimal(noise)}; "
            r"only what is added for $\mu$ shrinks."
        ),
    )


def _average(case: Case) -> NumberQuestion:
    after, noise, count = case.posterior, case.sigma**2, case.later
    answer = after.variance + noise / count
    return NumberQuestion(
        f"What is the variance of the mean of the next {count} readings, in "
        f"{case.story.unit}²?",
        answer,
        f"posterior.var() + sigma**2 / {count}",
        r"The mean is $\mu$ plus the mean of the errors, whose variance is "
        f"divided by {count}:\n\n"
        rf"$${decimal(after.variance)} + \frac{{{decimal(noise)}}}{{{count}}}"
        rf" = {equals(answer)}$$",
        (
            (
                (after.variance + noise) / count,
                f"posterior.predictive().var() / {count}",
                "This divides the variance of one reading, as if readings "
                r"were independent. They share $\mu$, whose variance does "
                "not average out.",
            ),
            (
                noise / count,
                f"sigma**2 / {count}",
                r"This takes $\mu$ for known; its variance comes on top.",
            ),
            (
                after.variance + noise,
                "posterior.predictive().var()",
                "This is the variance of a single reading.",
            ),
        ),
        decimal,
        remark=(
            "**Does it make sense?** The mean of very many readings would be "
            rf"$\mu$ itself, with the variance {decimal(after.variance)}."
        ),
    )


def _covariance(case: Case) -> NumberQuestion:
    after, noise = case.posterior, case.sigma**2
    mistakes = (
        (
            after.variance + noise,
            "posterior.predictive().var()",
            "This is the variance of each of them.",
        ),
        (
            noise,
            "sigma**2",
            r"This is the variance of an error. Errors are independent; what "
            r"the readings share is $\mu$.",
        ),
        (
            after.variance / (after.variance + noise),
            "posterior.var() / posterior.predictive().var()",
            "This is the correlation: the covariance divided by the variance "
            "of a reading.",
        ),
        (
            Fraction(0),
            "posterior.var() - posterior.var()",
            r"The two are independent given $\mu$, but $\mu$ is not known: "
            "they share it.",
        ),
        (
            case.prior.variance,
            "prior.var()",
            "This is the covariance before the data.",
        ),
    )
    return NumberQuestion(
        "What is the covariance of the next two readings, in "
        f"{case.story.unit}²?",
        after.variance,
        "posterior.var()",
        r"Both are $\mu$ plus an error of their own. Errors are independent "
        r"of each other and of $\mu$, so what remains is the variance of "
        "$\\mu$:\n\n"
        rf"$$\text{{Cov}}[x', x''] = \text{{Var}}[\mu \mid "
        rf"\text{{data}}] = {decimal(after.variance)}$$",
        mistakes,
        decimal,
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
