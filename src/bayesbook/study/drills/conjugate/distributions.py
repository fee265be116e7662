"""The distributions of a parameter, in exact fractions: small numbers only.

A drill computes with these and is checked with :mod:`bayesbook.conjugate`
and with :mod:`scipy.stats`, which know nothing of them.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Protocol

from bayesbook.study.drills.writing import decimal, equals


class Distribution(Protocol):
    """The parts that all distributions have; each has more of its own."""

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """Its parameters."""

    @property
    def tex(self) -> str:
        """Its name in formulas."""

    @property
    def density(self) -> str:
        """Python that computes its density with ``scipy.stats``."""


def is_short(value: Fraction) -> bool:
    """Return whether a number is a decimal of at most three places.

    Parameters
    ----------
    value : Fraction
        Any.

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> is_short(Fraction(7, 8)), is_short(Fraction(1, 3))
    (True, False)
    """
    return 1000 % value.denominator == 0


def quotient(top: Fraction, bottom: Fraction) -> str:
    r"""Write a quotient in TeX, as it is.

    Parameters
    ----------
    top, bottom : Fraction
        The two numbers.

    Returns
    -------
    str
        TeX.

    Examples
    --------
    >>> print(quotient(Fraction(10), Fraction(24)))
    \frac{10}{24}
    """
    return rf"\frac{{{decimal(top)}}}{{{decimal(bottom)}}}"


def ratio(top: Fraction, bottom: Fraction) -> str:
    r"""Write a quotient in TeX, what it reduces to, and its decimal.

    Parameters
    ----------
    top, bottom : Fraction
        The two numbers.

    Returns
    -------
    str
        TeX.

    Examples
    --------
    >>> print(ratio(Fraction(10), Fraction(24)))
    \frac{10}{24} = \frac{5}{12} \approx 0.4167
    >>> print(ratio(Fraction(5), Fraction(24)))
    \frac{5}{24} \approx 0.2083
    """
    value, written = equals(top / bottom), quotient(top, bottom)
    return value if value.startswith(written) else f"{written} = {value}"


def product(unknown: str, prior: str, likelihood: str, after: str) -> str:
    r"""Write that prior times likelihood is the posterior.

    Parameters
    ----------
    unknown : str
        The parameter, in TeX.
    prior, likelihood, after : str
        Densities without their constants, in TeX.

    Returns
    -------
    str
        Markdown: a formula in lines that a phone has room for.

    Examples
    --------
    >>> print(product("p", "p", "p^2", "p^3"))
    $$\begin{aligned}
    p(p \mid \text{data}) &\propto p \cdot p^2 \\
    &= p^3
    \end{aligned}$$
    """
    return (
        "$$\\begin{aligned}\n"
        rf"p({unknown} \mid \text{{data}}) &\propto {prior} \cdot {likelihood}"
        r" \\"
        f"\n&= {after}\n"
        r"\end{aligned}$$"
    )


def power(base: str, exponent: Fraction) -> str:
    """Write a power in TeX, nothing where the exponent is 0.

    Parameters
    ----------
    base : str
        TeX.
    exponent : Fraction
        Any.

    Returns
    -------
    str
        TeX.

    Examples
    --------
    >>> [power("p", Fraction(n)) for n in (0, 1, 2)]
    ['', 'p', 'p^{2}']
    """
    if exponent == 0:
        return ""
    return base if exponent == 1 else f"{base}^{{{decimal(exponent)}}}"


@dataclass(frozen=True)
class Beta:
    r"""A beta distribution, with density :math:`θ^{a-1} (1 - θ)^{b-1}`.

    Parameters
    ----------
    a, b : Fraction
        Above 0.

    Examples
    --------
    >>> prior = Beta(Fraction(5), Fraction(19))
    >>> prior.tex, str(prior.mean), str(prior.mode)
    ('\\text{Beta}(5, 19)', '5/24', '2/11')
    """

    a: Fraction
    b: Fraction

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """Its parameters."""
        return self.a, self.b

    @property
    def tex(self) -> str:
        """Its name in formulas."""
        return rf"\text{{Beta}}({_listed(self.numbers)})"

    @property
    def density(self) -> str:
        """Python that computes its density."""
        return f"stats.beta({_listed(self.numbers)}).pdf"

    @property
    def total(self) -> Fraction:
        """The sum of its parameters."""
        return self.a + self.b

    @property
    def mean(self) -> Fraction:
        """Its mean."""
        return self.a / self.total

    @property
    def variance(self) -> Fraction:
        """Its variance."""
        return self.mean * (1 - self.mean) / (self.total + 1)

    @property
    def mode(self) -> Fraction | None:
        """Its mode, if that lies inside of (0, 1)."""
        if min(self.a, self.b) <= 1:
            return None
        return (self.a - 1) / (self.total - 2)

    def chance(self, successes: int, failures: int) -> Fraction:
        """Return the probability of the next ones, in one order.

        Parameters
        ----------
        successes, failures : int
            How many of each.

        Returns
        -------
        Fraction
            The mean of :math:`θ^s (1 - θ)^f`.

        Examples
        --------
        >>> str(Beta(Fraction(1), Fraction(1)).chance(2, 0))
        '1/3'
        """
        return (
            _rising(self.a, successes)
            * _rising(self.b, failures)
            / _rising(self.total, successes + failures)
        )


@dataclass(frozen=True)
class Dirichlet:
    r"""A Dirichlet distribution of the probabilities of categories.

    Parameters
    ----------
    alpha : tuple of Fraction
        Above 0.

    Examples
    --------
    >>> prior = Dirichlet((Fraction(3), Fraction(2), Fraction(5)))
    >>> prior.tex, str(prior.mean(0)), str(prior.mode(0))
    ('\\text{Dir}(3, 2, 5)', '3/10', '2/7')
    """

    alpha: tuple[Fraction, ...]

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """Its parameters."""
        return self.alpha

    @property
    def tex(self) -> str:
        """Its name in formulas."""
        return rf"\text{{Dir}}({_listed(self.alpha)})"

    @property
    def density(self) -> str:
        """Python that computes its density."""
        return f"stats.dirichlet([{_listed(self.alpha)}]).pdf"

    @property
    def total(self) -> Fraction:
        """The sum of its parameters."""
        return sum(self.alpha, Fraction())

    def mean(self, at: int) -> Fraction:
        """Return the mean of the probability of a category."""
        return self.alpha[at] / self.total

    def mode(self, at: int) -> Fraction | None:
        """Return the probability of a category at the mode, if inside."""
        if min(self.alpha) <= 1:
            return None
        return (self.alpha[at] - 1) / (self.total - len(self.alpha))

    def chance(self, *places: int) -> Fraction:
        """Return the probability that the next ones are these, in this order.

        Parameters
        ----------
        *places : int
            Of the categories.

        Returns
        -------
        Fraction
            The mean of the product of their probabilities.

        Examples
        --------
        >>> str(Dirichlet((Fraction(1), Fraction(1))).chance(0, 0))
        '1/3'
        """
        powers = (
            _rising(alpha, places.count(at))
            for at, alpha in enumerate(self.alpha)
        )
        return prod(powers, start=Fraction(1)) / _rising(
            self.total, len(places)
        )


@dataclass(frozen=True)
class Gamma:
    r"""A gamma distribution, with density :math:`λ^{s-1} e^{-rλ}`.

    Parameters
    ----------
    shape, rate : Fraction
        Above 0.

    Examples
    --------
    >>> prior = Gamma(Fraction(6), Fraction(4))
    >>> prior.tex
    '\\text{Gamma}(\\text{shape } 6, \\text{rate } 4)'
    >>> str(prior.mean), str(prior.mode)
    ('3/2', '5/4')
    """

    shape: Fraction
    rate: Fraction

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """Its parameters."""
        return self.shape, self.rate

    @property
    def tex(self) -> str:
        """Its name in formulas."""
        shape, rate = map(decimal, self.numbers)
        return (
            rf"\text{{Gamma}}(\text{{shape }} {shape}, "
            rf"\text{{rate }} {rate})"
        )

    @property
    def density(self) -> str:
        """Python that computes its density."""
        shape, rate = map(decimal, self.numbers)
        return f"stats.gamma({shape}, scale=1 / ({rate})).pdf"

    @property
    def mean(self) -> Fraction:
        """Its mean."""
        return self.shape / self.rate

    @property
    def variance(self) -> Fraction:
        """Its variance."""
        return self.shape / self.rate**2

    @property
    def mode(self) -> Fraction | None:
        """Its mode, if that is above 0."""
        return (self.shape - 1) / self.rate if self.shape > 1 else None

    def survival(self, time: Fraction) -> Fraction | None:
        r"""Return the probability that nothing happens for some time.

        Parameters
        ----------
        time : Fraction
            Above 0.

        Returns
        -------
        Fraction or None
            The mean of :math:`e^{-λt}`, if that is a fraction.

        Examples
        --------
        >>> str(Gamma(Fraction(3), Fraction(4)).survival(Fraction(1)))
        '64/125'
        """
        if self.shape.denominator > 1:
            return None
        return (self.rate / (self.rate + time)) ** int(self.shape)


@dataclass(frozen=True)
class Normal:
    r"""A normal distribution of a mean.

    Parameters
    ----------
    mean, variance : Fraction
        The variance above 0.

    Examples
    --------
    >>> Normal(Fraction(201, 2), Fraction(4)).tex
    '\\mathcal{N}(\\text{mean } 100.5, \\text{variance } 4)'
    """

    mean: Fraction
    variance: Fraction

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """Its parameters."""
        return self.mean, self.variance

    @property
    def tex(self) -> str:
        """Its name in formulas."""
        mean, variance = map(decimal, self.numbers)
        return (
            rf"\mathcal{{N}}(\text{{mean }} {mean}, "
            rf"\text{{variance }} {variance})"
        )

    @property
    def density(self) -> str:
        """Python that computes its density."""
        mean, variance = map(decimal, self.numbers)
        return f"stats.norm({mean}, ({variance}) ** 0.5).pdf"


def _listed(numbers: tuple[Fraction, ...]) -> str:
    return ", ".join(map(decimal, numbers))


def _rising(value: Fraction, factors: int) -> Fraction:
    """Return the product of value, value + 1, ..., with this many factors."""
    return prod((value + i for i in range(factors)), start=Fraction(1))
