"""The distributions of a parameter, in exact fractions: small numbers only.

They have the methods of the models of :mod:`bayesbook.conjugate`, as far as
drills need them, so that a formula such as ``posterior.mean()`` is exact here
and a check there. A number that does not exist is None.
"""

from fractions import Fraction
from functools import cached_property
from math import comb, prod
from operator import itemgetter
from types import SimpleNamespace

from bayesbook.study.drills.writing import decimal, equals

__all__: list[str] = []  # nothing here is public


class Distribution(tuple[Fraction, ...]):
    """The parameters of a distribution."""

    def __new__(cls, *parameters: Fraction) -> "Distribution":
        return super().__new__(cls, parameters)

    @property
    def tex(self) -> str:
        """Its name in formulas."""
        raise NotImplementedError

    @property
    def density(self) -> str:
        """Python that computes its density with ``scipy.stats``."""
        raise NotImplementedError


class Beta(Distribution):
    """A beta distribution, and trials."""

    a, b = property(itemgetter(0)), property(itemgetter(1))

    @property
    def tex(self):
        return rf"\text{{Beta}}({_listed(self)})"

    @property
    def density(self):
        return f"stats.beta({_listed(self)}).pdf"

    @cached_property
    def total(self):
        """The sum of its parameters."""
        return self.a + self.b

    def mean(self):
        return self.a / self.total

    def var(self):
        return self.mean() * (1 - self.mean()) / (self.total + 1)

    def mode(self):
        """Return the mode, if that lies inside of (0, 1)."""
        return (self.a - 1) / (self.total - 2) if min(self) > 1 else None

    def predictive(self, trials):
        def pmf(successes):
            return (
                comb(trials, successes)
                * _rising(self.a, successes)
                * _rising(self.b, trials - successes)
                / _rising(self.total, trials)
            )

        return SimpleNamespace(pmf=pmf)


class Dirichlet(Distribution):
    """A Dirichlet distribution, and observed categories."""

    @property
    def alpha(self):
        return self

    @property
    def tex(self):
        return rf"\text{{Dir}}({_listed(self)})"

    @property
    def density(self):
        return f"stats.dirichlet([{_listed(self)}]).pdf"

    @cached_property
    def total(self):
        """The sum of its parameters."""
        return sum(self, Fraction())

    def mean(self):
        return [a / self.total for a in self]

    def mode(self):
        """Return the mode, if that lies inside of the simplex."""
        if min(self) <= 1:
            return [None] * len(self)
        return [(a - 1) / (self.total - len(self)) for a in self]

    def predictive(self, trials):
        def pmf(counts):
            pairs = zip(self, counts, strict=True)
            chance = prod(_rising(a, n) for a, n in pairs)
            return _orders(counts) * chance / _rising(self.total, trials)

        return SimpleNamespace(pmf=pmf)


class Gamma(Distribution):
    """A gamma distribution of a rate."""

    shape, rate = property(itemgetter(0)), property(itemgetter(1))

    @property
    def tex(self):
        shape, rate = map(decimal, self)
        return (
            rf"\text{{Gamma}}(\text{{shape }} {shape}, "
            rf"\text{{rate }} {rate})"
        )

    @property
    def density(self):
        shape, rate = map(decimal, self)
        return f"stats.gamma({shape}, scale=1 / ({rate})).pdf"

    def mean(self):
        return self.shape / self.rate

    def var(self):
        return self.shape / self.rate**2

    def mode(self):
        """Return the mode, if that is above 0."""
        return (self.shape - 1) / self.rate if self.shape > 1 else None

    def survival(self, time):
        """Return the probability that nothing happens, if it is a fraction."""
        if self.shape.denominator > 1:
            return None
        return (self.rate / (self.rate + time)) ** int(self.shape)


class GammaOfCounts(Gamma):
    """A gamma distribution, and counts of events."""

    def predictive(self, exposure=1):
        mean = exposure * self.mean()
        return SimpleNamespace(
            mean=lambda: mean,
            var=lambda: mean + exposure**2 * self.var(),
            pmf={0: self.survival(exposure)}.__getitem__,
        )


class GammaOfWaits(Gamma):
    """A gamma distribution, and waiting times."""

    def predictive(self):
        mode = self.mode()
        return SimpleNamespace(
            mean=lambda: 1 / mode if mode else None, sf=self.survival
        )


class Normal(Distribution):
    """A normal distribution: mean, variance, and the variance of an error."""

    @property
    def tex(self):
        mean, variance, _ = map(decimal, self)
        return (
            rf"\mathcal{{N}}(\text{{mean }} {mean}, "
            rf"\text{{variance }} {variance})"
        )

    @property
    def density(self):
        mean, variance, _ = map(decimal, self)
        return f"stats.norm({mean}, ({variance}) ** 0.5).pdf"

    def mean(self):
        return self[0]

    def var(self):
        return self[1]

    def predictive(self):
        return Normal(self[0], self[1] + self[2], Fraction())


def _listed(numbers):
    return ", ".join(map(decimal, numbers))


def _rising(value, factors):
    """Return the product of value, value + 1, ..., with this many factors."""
    return prod((value + i for i in range(factors)), start=Fraction(1))


def _orders(counts):
    """Return the number of orders in which the counted categories can come."""
    return prod(comb(sum(counts[: i + 1]), n) for i, n in enumerate(counts))


def is_short(value: Fraction) -> bool:
    """Return whether a number is a decimal of at most three places."""
    return 1000 % value.denominator == 0


def quotient(top: Fraction, bottom: Fraction) -> str:
    """Write a quotient in TeX, as it is."""
    return rf"\frac{{{decimal(top)}}}{{{decimal(bottom)}}}"


def parts(top: str, bottom: str) -> str:
    """Write Python of all that a quotient shows: its parts, and its value."""
    return f"({top}, {bottom}, ({top}) / ({bottom}))"


def ratio(top: Fraction, bottom: Fraction) -> str:
    """Write a quotient in TeX, what it reduces to, and its decimal."""
    value, written = equals(top / bottom), quotient(top, bottom)
    return value if value.startswith(written) else f"{written} = {value}"


def product(unknown: str, prior: str, likelihood: str, after: str) -> str:
    """Write that prior times likelihood is the posterior, in short lines."""
    return (
        "$$\\begin{aligned}\n"
        rf"p({unknown} \mid \text{{data}}) &\propto {prior} \cdot {likelihood}"
        r" \\"
        f"\n&= {after}\n"
        r"\end{aligned}$$"
    )


def power(base: str, exponent: Fraction) -> str:
    """Write a power in TeX, nothing where the exponent is 0."""
    if exponent == 0:
        return ""
    return base if exponent == 1 else f"{base}^{{{decimal(exponent)}}}"
