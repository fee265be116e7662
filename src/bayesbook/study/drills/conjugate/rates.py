"""A rate: gamma priors, and what counts and waiting times have in common."""

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import exp
from typing import Any

from bayesbook.study.drills.conjugate import cases
from bayesbook.study.drills.conjugate.cases import (
    LARGEST_DENOMINATOR,
    NumberQuestion,
    number,
)
from bayesbook.study.drills.conjugate.distributions import (
    Gamma,
    is_short,
    power,
    product,
    ratio,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import about, decimal, fraction, table

__all__: list[str] = []  # nothing here is public


@dataclass(frozen=True, eq=False, kw_only=True)
class Case(cases.Case[Gamma]):
    """A gamma prior, and how often or how long something was observed."""

    story: Any  # has a unit, and units
    n: int  # is added to the shape
    t: Fraction  # is added to the rate
    later: Fraction  # the time that is asked for
    reading: str  # how the parameters follow from the words of the prior

    unknown = r"\lambda"
    told = (
        "(1 / r, prior.mean())",
        "(posterior.shape, posterior.rate, posterior.mean())",
    )

    @cached_property
    def posterior(self):
        shape, rate = self.prior
        return type(self.prior)(shape + self.n, rate + self.t)

    @property
    def data(self):
        s, r = self.prior
        return {"s": s, "r": r, "n": Fraction(self.n), "t": self.t, "exp": _e}

    @property
    def others(self):
        after = self.posterior
        shape, rate = map(decimal, after)
        mean, variance = about(after.mean()), f"{float(after.var()):.2g}"
        return rf"""
            $\text{{Gamma}}(\text{{shape }} {shape}, \text{{scale }} {rate})$
                | if posterior.rate != 1
                | stats.gamma({shape}, scale={rate}).pdf
                | the numbers are right, but {rate} is the rate; the scale is
                its reciprocal, 1 / {rate}
            $\text{{Beta}}({shape}, {rate})$
                | stats.beta({shape}, {rate}).pdf
                | a beta distribution is for a probability; $\lambda$ may
                exceed 1
            $\mathcal{{N}}(\text{{mean }} {mean},
                \text{{variance }} {variance})$
                | stats.norm({mean}, {variance} ** 0.5).pdf
                | a normal distribution with these moments comes near, but it
                gives probability to negative rates
            {self.of_data(mean)}
        """

    @abstractmethod
    def of_data(self, mean: str) -> str:
        """Write the line of the distribution of data."""

    @property
    @abstractmethod
    def likelihood(self) -> str:
        """The likelihood, as Markdown."""

    @property
    @abstractmethod
    def head(self) -> list[str]:
        """What is added to the shape, and what to the rate."""

    @property
    def look(self):
        shape, rate = map(decimal, self.prior)
        seen = self.story.one if self.n == 1 else self.story.many
        return (
            f"The prior has the shape {shape} and the rate {rate}; the data "
            f"are {self.n} {seen} in {amount(self.t, self.story)}. First find "
            "the posterior."
        )

    @property
    def steps(self):
        n, t, (shape, rate), after = self.n, self.t, self.prior, self.posterior
        rows = [
            ["prior", decimal(shape), decimal(rate)],
            ["data", str(n), decimal(t)],
            ["*posterior*", *map(decimal, after)],
        ]
        prior_times_likelihood = product(
            self.unknown,
            _kernel(shape - 1, rate),
            _kernel(Fraction(n), t),
            _kernel(after.shape - 1, after.rate),
        )
        return [
            f"**The likelihood.** {self.likelihood} "
            f"${_kernel(Fraction(n), t)}$.",
            self.reading and f"**The prior.** {self.reading}",
            f"**Prior times likelihood.**\n\n{prior_times_likelihood}\n\n"
            f"This is the density of ${after.tex}$, but for a constant. In "
            "short:",
            table(["source", *self.head], rows),
        ]


def _e(exponent: Fraction) -> Fraction:
    """Return a power of e, rounded to four decimals."""
    return Fraction(f"{exp(float(exponent)):.4f}")


def setup(
    model: str, prior: Gamma, n: int, t: Fraction, posterior: str
) -> str:
    """Write Python that makes the prior and the posterior."""
    numbers = ", ".join(map(decimal, (*prior, Fraction(n), t)))
    return (
        "from math import exp\n"
        f"from bayesbook.conjugate import {model}\n"
        f"s, r, n, t = {numbers}\n"
        f"prior = {model}(s, r)\n"
        f"posterior = {posterior}\n"
    )


def amount(count: Fraction, story: Any) -> str:
    """Write a number of units."""
    return f"{decimal(count)} {story.unit if count == 1 else story.units}"


def _kernel(exponent: Fraction, rate: Fraction) -> str:
    times = "" if rate == 1 else decimal(rate)
    factors = [power(r"\lambda", exponent), rf"e^{{-{times}\lambda}}"]
    return r" \, ".join(filter(None, factors))


# Each returns the sentence about the prior, how to read it, and its shape and
# rate.


def _by_rate(rng):
    prior = _small(rng)
    shape, rate = map(decimal, prior)
    said = (
        rf"The prior of $\lambda$ is a gamma distribution with shape {shape} "
        f"and rate {rate}."
    )
    return said, "", prior


def _by_scale(rng):
    prior = _small(rng)
    shape, rate = prior
    if not is_short(1 / rate) or rate == 1:
        return _by_rate(rng)
    scale = decimal(1 / rate)
    return (
        r"The prior of $\lambda$ is a gamma distribution with shape "
        f"{decimal(shape)} and scale {scale}.",
        f"A rate is the reciprocal of a scale: 1 / {scale} = {decimal(rate)}.",
        prior,
    )


def _by_kernel(rng):
    prior = _small(rng)
    return (
        r"The prior density of $\lambda$ is proportional to "
        f"${_kernel(prior.shape - 1, prior.rate)}$.",
        "The exponent of a gamma density is the shape minus one, so the "
        f"prior is ${prior.tex}$.",
        prior,
    )


def _by_mean(rng):
    prior = _small(rng)
    if not is_short(prior.mean()):
        return _by_rate(rng)
    mean, shape, rate = map(decimal, (prior.mean(), *prior))
    return (
        rf"The prior of $\lambda$ is a gamma distribution with mean {mean} "
        f"and rate {rate}.",
        f"The mean is shape / rate, so the shape is {mean} × {rate} = "
        f"{shape}.",
        prior,
    )


def _small(rng):
    shape = pick(rng, [1, 2, 2, 3, 3, 4, 5, 6, 8])
    rate = pick(rng, ["1", "2", "2", "3", "4", "5", "0.5", "10"])
    return Gamma(Fraction(shape), Fraction(rate))


PRIORS = (_by_rate, _by_rate, _by_scale, _by_kernel, _by_kernel, _by_mean)


# --- numbers of the posterior -----------------------------------------------


def _shape(case: Case) -> NumberQuestion | None:
    before, after = case.prior.shape, case.posterior.shape
    return number(
        case,
        "What is the shape of the posterior?",
        "posterior.shape",
        rf"$$\text{{shape}} = {decimal(before)} + {decimal(after - before)} = "
        f"{decimal(after)}$$",
        "...",
        write=decimal,
    )


def _rate(case: Case) -> NumberQuestion | None:
    before, after = case.prior.rate, case.posterior.rate
    return number(
        case,
        "What is the rate of the posterior, the reciprocal of its scale?",
        "posterior.rate",
        rf"$$\text{{rate}} = {decimal(before)} + {decimal(after - before)} = "
        f"{decimal(after)}$$",
        "...",
        write=decimal,
    )


def _mean(case: Case) -> NumberQuestion | None:
    return number(
        case,
        r"What is the posterior mean of $\lambda$?",
        "posterior.mean()",
        r"$$\mathbb{E}[\lambda \mid \text{data}] = "
        rf"\frac{{\text{{shape}}}}{{\text{{rate}}}} = "
        f"{ratio(*case.posterior)}$$",
        """
        posterior.mode() | This is the mode of the posterior, the MAP
            estimate.
        posterior.rate / posterior.shape | This is the rate divided by the
            shape; the mean is the shape divided by the rate.
        ...
        """,
        write=decimal,
    )


def _mode(case: Case) -> NumberQuestion | None:
    shape, rate = case.posterior
    return number(
        case,
        r"What is the MAP estimate of $\lambda$, the mode of the posterior?",
        "posterior.mode()",
        r"$$\hat\lambda_{\text{MAP}} = "
        r"\frac{\text{shape} - 1}{\text{rate}} = "
        f"{ratio(shape - 1, rate)}$$",
        """
        posterior.mean() | This is the mean of the posterior. The mode has the
            shape minus one above.
        ...
        """,
        write=decimal,
    )


UPDATES = (_shape, _rate, _mean, _mean, _mode, _mode)


# --- what is observed next --------------------------------------------------


def nothing_happens(
    case: Case, question: str, check: str
) -> NumberQuestion | None:
    """Ask for the probability that nothing happens for some time."""
    (shape, rate), time = case.posterior, case.later
    answer, base = case.posterior.survival(time), rate / (rate + time)
    if answer is None or base.denominator**shape > LARGEST_DENOMINATOR:
        return None
    u, power = decimal(time), decimal(shape)
    lambdas = r"\lambda" if time == 1 else rf"{u}\lambda"
    plug_in = _e(-time * case.posterior.mean())
    return number(
        case,
        question,
        check,
        rf"Given $\lambda$ it is $e^{{-{lambdas}}}$. Averaged over the "
        "posterior:\n\n"
        rf"$$\mathbb{{E}}[e^{{-{lambdas}}} \mid \text{{data}}] = "
        rf"\left(\frac{{{decimal(rate)}}}{{{decimal(rate)} + {u}}}"
        rf"\right)^{{{power}}} = "
        rf"\left({fraction(base)}\right)^{{{power}}} "
        rf"\approx {float(answer):.4g}$$",
        rf"""
        exp(-{u} * posterior.mean()) | This takes $\lambda$ for known to be
            its mean. Small rates make this event much more probable than
            large ones make it improbable.
        1 - {check} | This is the probability of the opposite.
        posterior.rate / (posterior.rate + {u}) | The power is missing: the
            shape, {power}.
        ...
        """,
        told=(f"posterior.rate / (posterior.rate + {u})",),
        write=_probability,
        remark=(
            r"**Does it make sense?** With $\lambda$ fixed at its mean it "
            f"would be {float(plug_in):.3g}. Averaging gives more, "
            f"{float(answer):.3g}, because $e^{{-{lambdas}}}$ is convex "
            "(Jensen's inequality)."
        ),
    )


def _probability(value: Fraction) -> str:
    """Write large powers as rounded decimals."""
    if value.denominator <= LARGEST_DENOMINATOR:
        return str(value)
    return f"{float(value):.4f}"
