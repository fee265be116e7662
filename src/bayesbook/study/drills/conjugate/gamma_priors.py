"""Gamma priors of a rate: how a text names them, and how formulas do."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Protocol

from bayesbook.study.drills.conjugate.cases import WrongFamily
from bayesbook.study.drills.conjugate.distributions import (
    Gamma,
    is_short,
    power,
    product,
)
from bayesbook.study.drills.drill import pick
from bayesbook.study.drills.writing import about, decimal, table


class HasUnit(Protocol):
    """A story that counts or measures in a unit."""

    @property
    def unit(self) -> str:
        """Its name, singular."""

    @property
    def units(self) -> str:
        """Its name, plural."""


def amount(number: Fraction, story: HasUnit) -> str:
    """Write a number of units."""
    unit = story.unit if number == 1 else story.units
    return f"{decimal(number)} {unit}"


# Each returns the sentence about the prior, how to read it, and the prior.


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
        r"The prior of $\lambda$ is a gamma distribution with shape "
        f"{decimal(shape)} and scale {decimal(1 / rate)}."
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
        f"${kernel(prior.shape - 1, prior.rate)}$.",
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


PRIORS = (_by_rate, _by_rate, _by_scale, _by_kernel, _by_kernel, _by_mean)


def kernel(exponent: Fraction, rate: Fraction) -> str:
    """Write the density of a gamma distribution, but for a constant."""
    times = "" if rate == 1 else decimal(rate)
    factors = [power(r"\lambda", exponent), rf"e^{{-{times}\lambda}}"]
    return r" \, ".join(filter(None, factors))


def prior_times_likelihood(
    prior: Gamma, exponent: Fraction, rate: Fraction
) -> str:
    """Write prior times likelihood."""
    after = Gamma(prior.shape + exponent, prior.rate + rate)
    return product(
        r"\lambda",
        kernel(prior.shape - 1, prior.rate),
        kernel(exponent, rate),
        kernel(after.shape - 1, after.rate),
    )


def sum_table(
    prior: Gamma, shape: Fraction, rate: Fraction, head: list[str]
) -> str:
    """Write the table in which prior and data add up to the posterior."""
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


def other_families(after: Gamma) -> Iterator[WrongFamily]:
    """Yield other families with the numbers of the posterior."""
    shape, rate = map(decimal, after.numbers)
    if after.rate != 1:
        yield WrongFamily(
            rf"$\text{{Gamma}}(\text{{shape }} {shape}, \text{{scale }} "
            rf"{rate})$",
            f"stats.gamma({shape}, scale={rate}).pdf",
            f"the numbers are right, but {rate} is the rate; the scale is "
            f"its reciprocal, 1 / {rate}",
        )
    yield WrongFamily(
        rf"$\text{{Beta}}({shape}, {rate})$",
        f"stats.beta({shape}, {rate}).pdf",
        r"a beta distribution is for a probability; $\lambda$ may exceed 1",
    )
    mean, variance = about(after.mean), f"{float(after.variance):.2g}"
    yield WrongFamily(
        rf"$\mathcal{{N}}(\text{{mean }} {mean}, \text{{variance }} "
        rf"{variance})$",
        f"stats.norm({mean}, {variance} ** 0.5).pdf",
        "a normal distribution with these moments comes near, but it gives "
        "probability to negative rates",
    )
