"""A rate: gamma priors, with counts or with waiting times."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import exp

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.conjugate.cases import (
    LARGEST_DENOMINATOR,
    Asked,
    Family,
    Slip,
    Stranger,
    through,
)
from bayesbook.study.drills.conjugate.distributions import (
    Gamma,
    is_short,
    power,
    product,
    quotient,
    ratio,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import (
    Mistake,
    about,
    decimal,
    equals,
    fraction,
    table,
)


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
    >>> WAITS_OF[0].unit
    'minute'
    """

    what: str
    one: str
    many: str
    unit: str
    units: str


WAITS_OF = (
    Wait("The waits for a bus", "wait", "waits", "minute", "minutes"),
    Wait("The lives of lamps", "life", "lives", "year", "years"),
    Wait("The gaps between two customers", "gap", "gaps", "minute", "minutes"),
    Wait("The times between two decays", "time", "times", "second", "seconds"),
    Wait("The runs of a server", "run", "runs", "day", "days"),
    Wait("The lengths of phone calls", "call", "calls", "minute", "minutes"),
    Wait("The pauses of a geyser", "pause", "pauses", "hour", "hours"),
)


# --- priors -----------------------------------------------------------------

# Each gives what is said of the prior, how to read it, and the prior.


def _amount(number: Fraction, story: Story | Wait) -> str:
    """Write so many units."""
    unit = story.unit if number == 1 else story.units
    return f"{decimal(number)} {unit}"


def _by_rate(rng):
    prior = Gamma(*_two(rng))
    shape, rate = map(decimal, prior.numbers)
    said = (
        rf"The prior of $\lambda$ is a gamma distribution with shape {shape} "
        f"and rate {rate}."
    )
    return said, "", prior


def _by_scale(rng):
    shape, rate = _two(rng)
    if not is_short(1 / rate) or rate == 1:
        return _by_rate(rng)
    said = (
        rf"The prior of $\lambda$ is a gamma distribution with shape "
        rf"{decimal(shape)} "
        f"and scale {decimal(1 / rate)}."
    )
    reading = (
        f"A rate is the reciprocal of a scale: 1 / {decimal(1 / rate)} = "
        f"{decimal(rate)}."
    )
    return said, reading, Gamma(shape, rate)


def _by_kernel(rng):
    prior = Gamma(*_two(rng))
    return (
        r"The prior density of $\lambda$ is proportional to "
        f"${_kernel(prior.shape - 1, prior.rate)}$.",
        "The exponent of a gamma density is the shape minus one, so the "
        f"prior is ${prior.tex}$.",
        prior,
    )


def _by_mean(rng):
    shape, rate = _two(rng)
    if not is_short(shape / rate):
        return _by_rate(rng)
    mean = decimal(shape / rate)
    return (
        rf"The prior of $\lambda$ is a gamma distribution with mean {mean} "
        f"and rate {decimal(rate)}.",
        f"The mean is shape / rate, so the shape is {mean} × "
        f"{decimal(rate)} = {decimal(shape)}.",
        Gamma(shape, rate),
    )


def _two(rng) -> tuple[Fraction, Fraction]:
    shape = Fraction(pick(rng, [1, 2, 2, 3, 3, 4, 5, 6, 8]))
    rate = Fraction(pick(rng, ["1", "2", "2", "3", "4", "5", "0.5", "10"]))
    return shape, rate


_PRIORS = (_by_rate, _by_rate, _by_scale, _by_kernel, _by_kernel, _by_mean)


def _kernel(exponent: Fraction, rate: Fraction) -> str:
    """Write the density of a gamma distribution, but for a constant."""
    times = "" if rate == 1 else decimal(rate)
    factors = [power(r"\lambda", exponent), rf"e^{{-{times}\lambda}}"]
    return r" \, ".join(filter(None, factors))


def _product(prior: Gamma, exponent: Fraction, rate: Fraction) -> str:
    """Write prior times likelihood."""
    after = Gamma(prior.shape + exponent, prior.rate + rate)
    return product(
        r"\lambda",
        _kernel(prior.shape - 1, prior.rate),
        _kernel(exponent, rate),
        _kernel(after.shape - 1, after.rate),
    )


def _sum_table(prior: Gamma, shape: Fraction, rate: Fraction, head) -> str:
    rows = [
        ["prior", *map(decimal, prior.numbers)],
        ["data", decimal(shape), decimal(rate)],
        [
            "*posterior*",
            decimal(prior.shape + shape),
            decimal(prior.rate + rate),
        ],
    ]
    return table(["source", *head], rows)


def _strange(after: Gamma) -> Iterator[Stranger]:
    """Yield distributions of other families with the numbers of the posterior."""
    shape, rate = map(decimal, after.numbers)
    if after.rate != 1:
        yield Stranger(
            rf"$\text{{Gamma}}(\text{{shape }} {shape}, \text{{scale }} "
            rf"{rate})$",
            f"stats.gamma({shape}, scale={rate}).pdf",
            f"the numbers are right, but {rate} is the rate; the scale is "
            f"its reciprocal, 1 / {rate}",
        )
    yield Stranger(
        rf"$\text{{Beta}}({shape}, {rate})$",
        f"stats.beta({shape}, {rate}).pdf",
        r"a beta distribution is one of a probability; $\lambda$ may exceed 1",
    )
    mean, variance = about(after.mean), f"{float(after.variance):.2g}"
    yield Stranger(
        rf"$\mathcal{{N}}(\text{{mean }} {mean}, \text{{variance }} "
        rf"{variance})$",
        f"stats.norm({mean}, {variance} ** 0.5).pdf",
        "a normal distribution with these moments comes near, but it gives "
        "probability to negative rates",
    )


# --- numbers of the posterior, for both -------------------------------------


def _shape(case) -> Asked:
    added = decimal(case.posterior.shape - case.prior.shape)
    return Asked(
        "What is the shape of the posterior?",
        case.posterior.shape,
        "posterior.shape",
        rf"$$\text{{shape}} = {decimal(case.prior.shape)} + {added} = "
        rf"{decimal(case.posterior.shape)}$$",
        tuple(
            through(case, lambda distribution: distribution.shape, "{}.shape")
        ),
        decimal,
    )


def _rate(case) -> Asked:
    added = decimal(case.posterior.rate - case.prior.rate)
    return Asked(
        "What is the rate of the posterior, the reciprocal of its scale?",
        case.posterior.rate,
        "posterior.rate",
        rf"$$\text{{rate}} = {decimal(case.prior.rate)} + {added} = "
        rf"{decimal(case.posterior.rate)}$$",
        tuple(
            through(case, lambda distribution: distribution.rate, "{}.rate")
        ),
        decimal,
    )


def _mean(case) -> Asked:
    after = case.posterior
    return Asked(
        r"What is the posterior mean of $\lambda$?",
        after.mean,
        "posterior.mean()",
        r"$$\mathbb{E}[\lambda \mid \text{data}] = "
        r"\frac{\text{shape}}{\text{rate}} = "
        rf"{ratio(after.shape, after.rate)}$$",
        (
            *_mode_for_mean(after),
            (
                1 / after.mean,
                "posterior.rate / posterior.shape",
                "This is the rate divided by the shape; the mean is the "
                "shape divided by the rate.",
            ),
            *through(
                case, lambda distribution: distribution.mean, "{}.mean()"
            ),
        ),
        decimal,
    )


def _mode_for_mean(after: Gamma) -> list[Mistake]:
    if after.mode is None:
        return []
    return [
        (
            after.mode,
            "posterior.mode()",
            "This is the mode of the posterior, the MAP estimate.",
        )
    ]


def _mode(case) -> Asked | None:
    after = case.posterior
    if after.mode is None:
        return None
    return Asked(
        r"What is the MAP estimate of $\lambda$, the mode of the posterior?",
        after.mode,
        "posterior.mode()",
        r"$$\hat\lambda_{\text{MAP}} = "
        r"\frac{\text{shape} - 1}{\text{rate}} = "
        rf"{ratio(after.shape - 1, after.rate)}$$",
        (
            (
                after.mean,
                "posterior.mean()",
                "This is the mean of the posterior. The mode has the shape "
                "minus one above.",
            ),
            *through(
                case, lambda distribution: distribution.mode, "{}.mode()"
            ),
        ),
        decimal,
    )


# --- counts -----------------------------------------------------------------


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
    >>> draw_counts(np.random.default_rng(2)).posterior.tex
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
        """What is known after the data."""
        return Gamma(
            self.prior.shape + self.total, self.prior.rate + self.exposure
        )

    @property
    def right(self) -> str:
        """Why the right option is right, as Markdown."""
        shape, rate = map(decimal, self.prior.numbers)
        return (
            f"The number of {self.story.many} is added to the shape, {shape} "
            f"+ {self.total}, and what they were counted in to the rate, "
            f"{rate} + {decimal(self.exposure)}."
        )

    @property
    def slips(self) -> list[Slip]:
        """Wrong posteriors."""
        s, r, n, t = *self.prior.numbers, self.total, self.exposure
        many, units = self.story.many, self.story.units
        return [
            Slip(
                Gamma(s + n, r),
                "GammaPoisson(s + n, r)",
                f"the rate has to grow too, by {_amount(t, self.story)}",
            ),
            Slip(
                Gamma(s + t, r + n),
                "GammaPoisson(s + t, r + n)",
                f"{many} and {units} have changed places; {many} belong to "
                "the shape",
            ),
            Slip(
                Gamma(Fraction(n), t),
                "GammaPoisson(n, t)",
                "the prior is forgotten, and only the data are counted",
            ),
            Slip(
                Gamma(2 * s + n, 2 * r + t),
                "GammaPoisson(2 * s + n, 2 * r + t)",
                "the prior is counted twice",
            ),
            Slip(
                Gamma(s + n / t, r + t),
                "GammaPoisson(s + n / t, r + t)",
                f"the shape grows by the number of {many}, not by their mean",
            ),
            Slip(
                Gamma(s + n, r + 1),
                "prior.update(total=n, exposure=1)",
                f"the rate grows by {_amount(t, self.story)}, not by one",
            ),
            Slip(
                Gamma(s + n, 1 / r + t),
                "GammaPoisson(s + n, 1 / r + t)",
                f"rate and scale are confused; the rate of the prior is "
                f"{decimal(r)}",
            ),
            Slip(
                Gamma(s + n - 1, r + t),
                "GammaPoisson(s + n - 1, r + t)",
                r"this takes the exponent of $\lambda$ for the shape, which "
                "is larger by one",
            ),
            Slip(self.prior, "prior", "the data are left out"),
        ]

    @property
    def strangers(self) -> list[Stranger]:
        """Wrong posteriors of other families."""
        mean = about(self.posterior.mean)
        return [
            *_strange(self.posterior),
            Stranger(
                rf"$\text{{Poisson}}({mean})$",
                f"stats.poisson({mean}).pmf",
                f"this is a distribution of a number of {self.story.many}; "
                r"$\lambda$ need not be whole",
            ),
        ]

    @property
    def steps(self) -> list[str]:
        """The way to the posterior."""
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
            f"${_kernel(Fraction(n), t)}$.",
            self.reading and f"**The prior.** {self.reading}",
            "**Prior times likelihood.**\n\n"
            f"{_product(self.prior, Fraction(n), t)}\n\n"
            f"This is the density of ${self.posterior.tex}$, but for a "
            "constant. In short:",
            _sum_table(self.prior, Fraction(n), t, head),
        ]

    @property
    def sense(self) -> str:
        """Whether it can be true."""
        return (
            "**Does it make sense?** The posterior mean, "
            f"{about(self.posterior.mean)}, lies between the prior mean, "
            f"{about(self.prior.mean)}, and what was seen per "
            f"{self.story.unit}, {about(self.total / self.exposure)}."
        )


def draw_counts(rng: np.random.Generator) -> Counts | None:
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
    >>> draw_counts(np.random.default_rng(2)).story.happens
    'A cable has flaws'
    """
    story = pick(rng, EVENTS)
    said, reading, prior = pick(rng, _PRIORS)(rng)
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


# Each gives what is said of the data, the update in Python, how many events
# there were, and in how many units.


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


def _expected(case: Counts) -> Asked:
    after, u = case.posterior, case.later
    story, times = case.story, "" if u == 1 else rf"{u} \cdot "
    return Asked(
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
                for value, check, _ in _mode_for_mean(after)
            ),
            *through(
                case,
                lambda distribution: distribution.mean * u,
                f"{{}}.predictive(exposure={u}).mean()",
            ),
        ),
        decimal,
    )


def _units(count: int, story: Story) -> str:
    return story.unit if count == 1 else f"{count} {story.units}"


def _none(case: Counts) -> Asked | None:
    return _survives(
        case,
        case.posterior.survival(Fraction(case.later)),
        f"{{}}.predictive(exposure={case.later}).pmf(0)",
        lambda distribution: distribution.survival(Fraction(case.later)),
        f"What is the probability of no {case.story.many} in the next "
        f"{_units(case.later, case.story)}?",
        Fraction(case.later),
    )


def _survives(case, answer, code, value, question, time) -> Asked | None:
    """Ask for the probability that nothing happens for some time."""
    after, u = case.posterior, decimal(time)
    base = after.rate / (after.rate + time)
    if base.denominator**after.shape > LARGEST_DENOMINATOR:
        return None
    plug_in = _rounded(exp(-float(after.mean * time)))
    lambdas = r"\lambda" if time == 1 else rf"{u}\lambda"
    return Asked(
        question,
        answer,
        code.format("posterior"),
        rf"Given $\lambda$ it is $e^{{-{lambdas}}}$. Averaged over the "
        "posterior:\n\n"
        rf"$$\mathbb{{E}}[e^{{-{lambdas}}} \mid \text{{data}}] = "
        rf"\left(\frac{{{decimal(after.rate)}}}{{{decimal(after.rate)} + {u}}}"
        rf"\right)^{{{decimal(after.shape)}}} = "
        rf"\left({fraction(base)}\right)^{{{decimal(after.shape)}}} "
        rf"\approx {float(answer):.4g}$$",
        (
            (
                plug_in,
                f"exp(-{u} * posterior.mean())",
                r"This takes $\lambda$ for known to be its mean. Small rates "
                "make this event much more probable than large ones make it "
                "improbable.",
            ),
            (
                1 - answer,
                f"1 - {code.format('posterior')}",
                "This is the probability of the opposite.",
            ),
            (
                base,
                f"posterior.rate / (posterior.rate + {u})",
                f"The power is missing: the shape, {decimal(after.shape)}.",
            ),
            *through(case, value, code),
        ),
        _probability,
        remark=(
            r"**Does it make sense?** With $\lambda$ fixed at its mean it "
            f"would be {float(plug_in):.3g}. Averaging gives more, "
            f"{float(answer):.3g}, because $e^{{-{lambdas}}}$ is convex "
            "(Jensen's inequality)."
        ),
    )


def _rounded(value: float) -> Fraction:
    """Round what is no fraction."""
    return Fraction(f"{value:.4f}")


def _probability(value: Fraction) -> str:
    """Write large powers as rounded decimals."""
    if value.denominator <= LARGEST_DENOMINATOR:
        return str(value)
    return f"{float(value):.4f}"


def _spread(case: Counts) -> Asked:
    after = case.posterior
    mean, variance = after.mean, after.variance
    return Asked(
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
                lambda distribution: distribution.mean + distribution.variance,
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


COUNTS = Family(
    draw_counts,
    updates=(_shape, _rate, _mean, _mean, _mode, _mode),
    predictions=(_expected, _none, _none, _spread),
)


# --- waiting times ----------------------------------------------------------


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
    >>> draw_waits(np.random.default_rng(0)).posterior.tex
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
        """What is known after the data."""
        return Gamma(
            self.prior.shape + self.number, self.prior.rate + self.total
        )

    @property
    def right(self) -> str:
        """Why the right option is right, as Markdown."""
        shape, rate = map(decimal, self.prior.numbers)
        return (
            f"The number of {self.story.many} is added to the shape, {shape} "
            f"+ {self.number}, and their sum to the rate, {rate} + "
            f"{decimal(self.total)}."
        )

    @property
    def slips(self) -> list[Slip]:
        """Wrong posteriors."""
        s, r, n, t = *self.prior.numbers, self.number, self.total
        many, units = self.story.many, self.story.units
        return [
            Slip(
                Gamma(s + t, r + n),
                "GammaExponential(s + t, r + n)",
                f"this is the rule for counts; here the {n} {many} belong to "
                f"the shape, and the {units} to the rate",
            ),
            Slip(
                Gamma(s + n, r),
                "GammaExponential(s + n, r)",
                f"the rate has to grow too, by {_amount(t, self.story)}",
            ),
            Slip(
                Gamma(Fraction(n), t),
                "GammaExponential(n, t)",
                "the prior is forgotten, and only the data are counted",
            ),
            Slip(
                Gamma(2 * s + n, 2 * r + t),
                "GammaExponential(2 * s + n, 2 * r + t)",
                "the prior is counted twice",
            ),
            Slip(
                Gamma(s + n, r + t / n),
                "GammaExponential(s + n, r + t / n)",
                f"the rate grows by the sum of the {many}, not by their mean",
            ),
            Slip(
                Gamma(s + 1, r + t),
                "prior.update(n=1, total=t)",
                f"the shape grows by one for each of the {n} {many}",
            ),
            Slip(
                Gamma(s + n, 1 / r + t),
                "GammaExponential(s + n, 1 / r + t)",
                f"rate and scale are confused; the rate of the prior is "
                f"{decimal(r)}",
            ),
            Slip(
                Gamma(s + n - 1, r + t),
                "GammaExponential(s + n - 1, r + t)",
                r"this takes the exponent of $\lambda$ for the shape, which "
                "is larger by one",
            ),
            Slip(self.prior, "prior", "the data are left out"),
        ]

    @property
    def strangers(self) -> list[Stranger]:
        """Wrong posteriors of other families."""
        mean = about(self.posterior.mean)
        return [
            *_strange(self.posterior),
            Stranger(
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
        """The way to the posterior."""
        n, t = self.number, self.total
        head = [
            f"shape: number of {self.story.many}",
            f"rate: {self.story.units}",
        ]
        return [
            f"**The likelihood.** One of the {self.story.many} of length "
            rf"$x$ has the density $\lambda e^{{-\lambda x}}$; {n} of them, "
            f"{_amount(t, self.story)} together, have "
            f"${_kernel(Fraction(n), t)}$.",
            self.reading and f"**The prior.** {self.reading}",
            "**Prior times likelihood.**\n\n"
            f"{_product(self.prior, Fraction(n), t)}\n\n"
            f"This is the density of ${self.posterior.tex}$, but for a "
            "constant. In short:",
            _sum_table(self.prior, Fraction(n), t, head),
        ]

    @property
    def sense(self) -> str:
        """Whether it can be true."""
        return (
            r"**Does it make sense?** The posterior mean of $\lambda$, "
            f"{about(self.posterior.mean)}, lies between the prior mean, "
            f"{about(self.prior.mean)}, and the number of "
            f"{self.story.many} per {self.story.unit}, "
            f"{about(self.number / self.total)}."
        )


# So many per unit: with more, the waiting times would be very short.
_FASTEST = 3


def draw_waits(rng: np.random.Generator) -> Waits | None:
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
    >>> draw_waits(np.random.default_rng(0)).story.what
    'The lengths of phone calls'
    """
    story = pick(rng, WAITS_OF)
    said, reading, prior = pick(rng, _PRIORS)(rng)
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


# Each gives what is said of the data, the update in Python, how many there
# are, and their sum.


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
        f"Observed are {n} {story.many}, {_amount(total, story)} together.",
        "prior.update(n=n, total=t)",
        n,
        total,
    )


def _longer(case: Waits) -> Asked | None:
    return _survives(
        case,
        case.posterior.survival(case.later),
        f"{{}}.predictive().sf({decimal(case.later)})",
        lambda distribution: distribution.survival(case.later),
        f"What is the probability that the next {case.story.one} is longer "
        f"than {_amount(case.later, case.story)}?",
        case.later,
    )


def _expected_wait(case: Waits) -> Asked:
    after = case.posterior
    return Asked(
        f"How long is the next {case.story.one} in the mean, in "
        f"{case.story.units}?",
        1 / after.mode,
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
                lambda distribution: (
                    distribution.mode and 1 / distribution.mode
                ),
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


WAITS = Family(
    draw_waits,
    updates=(_shape, _rate, _mean, _mean, _mode, _mode),
    predictions=(_longer, _longer, _expected_wait),
)
