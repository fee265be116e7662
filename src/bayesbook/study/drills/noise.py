"""Drills of a Gaussian mean and variance that are both unknown."""

from fractions import Fraction

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.asking import Asked, asked_drill
from bayesbook.study.drills.drill import Drill, pick
from bayesbook.study.drills.limits import quotient
from bayesbook.study.drills.writing import assigned, decimal, equals, fraction

# An instrument, and the unit of its readings.
_INSTRUMENTS = (
    ("a balance", "grams"),
    ("a thermometer", "degrees"),
    ("a stopwatch", "seconds"),
    ("a range finder", "metres"),
    ("a sound meter", "decibels"),
    ("a speed camera", "kilometres an hour"),
    ("a flow meter", "litres a minute"),
)
_COUNTS = ("None", "One", "Two", "Three", "Four")
_KNOWN = {"Fraction": Fraction}


def _setup(asked: Asked) -> str:
    """Write the Python with which the quiz recomputes the key."""
    return (
        "from fractions import Fraction\n"
        "import numpy as np\n"
        "from scipy import stats\n"
        "from bayesbook.conjugate import NormalInverseGamma\n"
        + assigned(asked.names)
        + asked.helpers
    )


_UPDATED = """\
posterior = NormalInverseGamma(
    float(m), float(kappa), float(a), float(b)
).update(data)
# The squared scale of a Student t distribution, from a quantile.
def squared_scale(student, degrees):
    away = student.ppf(0.9) - student.mean()
    return (away / stats.t(degrees).ppf(0.9)) ** 2
"""
_TOLD = ("Fraction(squares, 2)", "Fraction(N, 2)", "Fraction(squares, N)")


def unknown_noise(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a number of the posterior, or of the prediction, of readings."""
    model = (_scale, _variance, _next, _degrees, _of_known_mean)[seed % 5]
    return asked_drill(
        "unknown-noise", seed, lambda: model(rng), _setup, _KNOWN, largest=200
    )


# --- mean and variance ------------------------------------------------------


class _Case:
    """A normal-inverse-gamma prior, a few readings, and what follows."""

    def __init__(self, rng: np.random.Generator):
        self.n = pick(rng, [2, 3, 4])
        self.m = int(rng.integers(5, 60))
        self.kappa = pick(rng, [1, 2, 3, 4, 6])
        self.a = Fraction(pick(rng, [2, 3, 4, 5, 6, 8]), 2)
        self.b = pick(rng, [1, 2, 3, 4, 5, 6, 8, 10])
        centre = self.m + int(rng.integers(-6, 7))
        self.data = [centre + int(x) for x in rng.integers(-4, 5, self.n)]
        self.mean = Fraction(sum(self.data), self.n)
        self.squares = Fraction(sum((x - self.mean) ** 2 for x in self.data))
        self.weight = Fraction(self.kappa * self.n, self.kappa + self.n)
        self.gap = self.mean - self.m
        self.a_n = self.a + Fraction(self.n, 2)
        self.b_n = self.b + (self.squares + self.weight * self.gap**2) / 2

    @property
    def suits(self) -> bool:
        """Whether it is easy to calculate, and all terms count."""
        easy = self.mean.denominator == 1 and self.b_n.denominator <= 5
        return easy and self.gap != 0 and self.squares > 0

    @property
    def names(self) -> dict[str, object]:
        return {
            "data": self.data,
            "m": self.m,
            "kappa": self.kappa,
            "a": self.a,
            "b": self.b,
            "N": self.n,
            "mean": int(self.mean),
            "squares": int(self.squares),
            "weight": self.weight,
            "gap": int(self.gap),
            "a_N": self.a_n,
            "b_N": self.b_n,
        }

    def text(self, rng: np.random.Generator) -> str:
        """Write the facts, as Markdown."""
        instrument, unit = pick(rng, _INSTRUMENTS)
        return (
            f"The readings of {instrument}, in {unit}, are normal with an "
            r"unknown mean $\mu$ and an unknown variance $\sigma^2$. The "
            r"prior of $(\mu, \sigma^2)$ is the normal-inverse-gamma "
            rf"distribution with $m = {self.m}$, $\kappa = {self.kappa}$, "
            f"$a = {decimal(self.a)}$ and $b = {self.b}$. "
            f"{_COUNTS[self.n]} readings are "
            f"{and_list(list(map(str, self.data)))}."
        )

    @property
    def mle(self) -> Fraction:
        """The maximum likelihood estimate of the variance."""
        return self.squares / self.n

    @property
    def deviations(self) -> str:
        """How the data enter, as Markdown."""
        return (
            f"The readings have the mean {self.mean}, and "
            rf"${_squares(self.data, int(self.mean))}$."
        )

    @property
    def sum_of_b(self) -> str:
        """The sum that makes b of the posterior, in TeX, without its value."""
        k, n = self.kappa, self.n
        return (
            rf"{self.b} + \frac{{{self.squares}}}{{2}} + "
            rf"\frac{{{k} \cdot {n}}}{{{k} + {n}}} \cdot "
            rf"\frac{{({self.mean} - {self.m})^2}}{{2}}"
        )

    @property
    def of_disagreement(self) -> str:
        """The weight of the disagreement, and its value, in TeX."""
        k, n = self.kappa, self.n
        return quotient(rf"{k} \cdot {n}", str(k + n), self.weight)

    @property
    def both(self) -> str:
        """The shape and the scale of the posterior, as Markdown."""
        return (
            rf"$a_N = {decimal(self.a)} + \frac{{{self.n}}}{{2}}$ is "
            f"{decimal(self.a_n)}, and $b_N$ is ${self.sum_of_b} = "
            f"{equals(self.b_n)}$."
        )


def _squares(data: list[int], around: int) -> str:
    """Write a sum of squared deviations, and its value, in TeX."""
    terms = " + ".join(f"({x} - {around})^2" for x in data)
    return f"{terms} = {sum((x - around) ** 2 for x in data)}"


def _drawn(rng: np.random.Generator) -> _Case | None:
    case = _Case(rng)
    return case if case.suits else None


def _scale(rng: np.random.Generator) -> Asked | None:
    case = _drawn(rng)
    if not case:
        return None
    return Asked(
        prompt=f"{case.text(rng)} What is the parameter $b_N$ of the "
        "posterior?",
        names=case.names,
        helpers=_UPDATED,
        formula="b + Fraction(squares, 2) + weight * gap ** 2 / 2",
        check="posterior.b",
        mistakes="""
            b + Fraction(squares, 2) | The disagreement between the mean of
                the readings and $m$ is missing.
            b + squares + weight * gap ** 2 | Both sums of squares are halved.
            b + Fraction(squares, 2) + Fraction(kappa * gap ** 2, 2) | The
                disagreement has the weight
                $\\frac{\\kappa N}{\\kappa + N}$, not $\\kappa$.
            b + Fraction(squares + N * gap ** 2, 2) | These are the deviations
                from $m$. They would be right if $\\mu$ were known to be $m$.
            b + Fraction(squares, 2 * N) + weight * gap ** 2 / 2 | This takes
                the mean of the squared deviations. Their sum is needed.
            b + Fraction(squares, 2) + weight * abs(gap) / 2 | The distance
                between the two means is squared.
        """,
        rule=(
            r"**The rule.** $b$ grows by half the sum of squared deviations "
            r"from the mean of the readings, and by half the squared "
            r"disagreement of this mean and $m$, times "
            rf"$\frac{{\kappa N}}{{\kappa + N}}$. {case.deviations}"
        ),
        reason=f"{case.sum_of_b} = {equals(case.b_n)}",
        told=_TOLD,
        look="Which two kinds of squared deviations does $b_N$ contain?",
        step=case.deviations,
        sense=(
            f"The disagreement of {case.mean} and {case.m} counts as noise: "
            f"it adds ${case.of_disagreement}$ times half its square."
        ),
    )


def _variance(rng: np.random.Generator) -> Asked | None:
    case = _drawn(rng)
    if not case:
        return None
    value = case.b_n / (case.a_n - 1)
    return Asked(
        prompt=f"{case.text(rng)} What is the posterior mean of $\\sigma^2$?",
        names=case.names,
        helpers=_UPDATED,
        formula="b_N / (a_N - 1)",
        check="posterior.mean().variance",
        mistakes="""
            b_N / a_N | The mean of an inverse gamma distribution divides by
                the shape less one.
            b_N / (a_N + 1) | This is the mode of the distribution of
                $\\sigma^2$.
            b_N / (a + N - 1) | The shape grows by one half for each reading.
            (b + Fraction(squares, 2)) / (a_N - 1) | The disagreement between
                the mean of the readings and $m$ is missing.
            Fraction(squares, N) | This is the maximum likelihood estimate;
                the prior is forgotten.
            b_N | This is the scale. It remains to divide it.
        """,
        rule=(
            "**The rule.** Given the readings, $\\sigma^2$ has the inverse "
            "gamma distribution with the shape $a_N$ and the scale $b_N$, "
            r"whose mean is $\frac{b_N}{a_N - 1}$. "
            f"{case.deviations} {case.both}"
        ),
        reason=rf"\frac{{{fraction(case.b_n)}}}{{{decimal(case.a_n)} - 1}} "
        f"= {equals(value)}",
        told=_TOLD,
        look="Which distribution does $\\sigma^2$ have after the readings, "
        "and how does its mean follow from shape and scale?",
        step=case.both,
        sense=(
            "The maximum likelihood estimate is "
            f"${quotient(str(case.squares), str(case.n), case.mle)}$. The "
            "prior, and the disagreement with it, lead to another number."
        ),
    )


def _next(rng: np.random.Generator) -> Asked | None:
    case = _drawn(rng)
    if not case:
        return None
    after = case.kappa + case.n
    value = case.b_n / case.a_n * (1 + Fraction(1, after))
    return Asked(
        prompt=(
            f"{case.text(rng)} The prediction of the next reading is a "
            "Student t distribution. What is its squared scale?"
        ),
        names=case.names,
        helpers=_UPDATED,
        formula="b_N / a_N * (1 + Fraction(1, kappa + N))",
        check="squared_scale(posterior.predictive(), float(2 * a_N))",
        mistakes="""
            b_N / a_N | This takes the mean of the next reading for known:
                the factor $1 + \\frac{1}{\\kappa_N}$ is missing.
            b_N / a_N / (kappa + N) | This is the squared scale of the
                distribution of $\\mu$. The next reading also has an error.
            b_N / (a_N - 1) * (1 + Fraction(1, kappa + N)) | This is the
                variance of the prediction, which is larger than the squared
                scale.
            b_N / a_N * (1 + Fraction(1, kappa)) | The prior counts as
                $\\kappa$ readings; those that were made count, too.
            b_N / a_N * (1 + Fraction(1, N)) | The readings that the prior
                counts as are missing.
            (b + Fraction(squares, 2)) / a_N * (1 + Fraction(1, kappa + N))
                | The disagreement between the mean of the readings and $m$ is
                missing.
        """,
        rule=(
            "**The rule.** The squared scale is "
            r"$\frac{b_N}{a_N} \left( 1 + \frac{1}{\kappa_N} \right)$. "
            f"{case.deviations} {case.both}"
        ),
        reason=(
            rf"\frac{{{fraction(case.b_n)}}}{{{decimal(case.a_n)}}} "
            rf"\left( 1 + \frac{{1}}{{{case.kappa} + {case.n}}} \right) = "
            f"{equals(value)}"
        ),
        told=(*_TOLD, "b_N / a_N"),
        look="Two things are uncertain about the next reading: its error, "
        r"and $\mu$. Which terms stand for them?",
        step=case.both,
        sense=(
            "The last factor is there because $\\mu$ is uncertain. With "
            "many readings it tends to 1."
        ),
    )


def _degrees(rng: np.random.Generator) -> Asked | None:
    case = _drawn(rng)
    if not case:
        return None
    value = 2 * case.a_n
    return Asked(
        prompt=(
            f"{case.text(rng)} The prediction of the next reading is a "
            "Student t distribution. How many degrees of freedom does it "
            "have?"
        ),
        names=case.names,
        helpers=_UPDATED,
        formula="2 * a + N",
        check="2 * posterior.a",
        mistakes="""
            N - 1 | This belongs to the improper prior that is proportional to
                $1 / \\sigma^2$. This prior is another one.
            a_N | This is the shape after the readings. The degrees of freedom
                are twice the shape.
            2 * a | These are the degrees of freedom before the readings.
            2 * a + N - 1 | Nothing is subtracted for the mean, because $\\mu$
                has a prior, too.
            2 * a + 2 * N | The shape grows by one half for each reading, so
                twice the shape grows by one.
            kappa + N | This is $\\kappa_N$, which says how well $\\mu$ is
                known.
        """,
        rule=(
            "**The rule.** There are $2 a_N$ degrees of freedom, and "
            r"$a_N = a + \frac{N}{2}$."
        ),
        reason=(
            rf"2 \cdot \left( {decimal(case.a)} + \frac{{{case.n}}}{{2}} "
            rf"\right) = {value}"
        ),
        told=(*_TOLD, "2 * a"),
        look="Which parameter of the prior counts imagined errors, and by "
        "how much does it grow with each reading?",
        step=f"The prior of the variance has the shape {decimal(case.a)}, "
        f"and there are {case.n} readings.",
        sense=(
            f"The prior counts as {2 * case.a} errors, and {case.n} readings "
            "have come."
        ),
    )


# --- the variance alone -----------------------------------------------------


def _of_known_mean(rng: np.random.Generator) -> Asked | None:
    n = pick(rng, [3, 4])
    mu = int(rng.integers(5, 60))
    a = Fraction(pick(rng, [3, 4, 5, 6, 8]), 2)
    b = pick(rng, [1, 2, 3, 4, 5, 6, 8, 10])
    data = [mu + int(x) for x in rng.integers(-6, 7, n)]
    mean = Fraction(sum(data), n)
    total = sum((x - mu) ** 2 for x in data)
    of_prior, of_data = b / (a - 1), Fraction(total, n)
    if mean == mu or mean.denominator > 1 or of_prior == of_data:
        return None
    a_n, b_n = a + Fraction(n, 2), b + Fraction(total, 2)
    value = b_n / (a_n - 1)
    instrument, unit = pick(rng, _INSTRUMENTS)
    return Asked(
        prompt=(
            f"The readings of {instrument}, in {unit}, are normal around the "
            f"known value {mu}, by which it is tested, and their variance "
            r"$\sigma^2$ is unknown. The prior of $\sigma^2$ is the inverse "
            f"gamma distribution with shape {decimal(a)} and scale {b}. "
            f"{_COUNTS[n]} readings are {and_list(list(map(str, data)))}. "
            r"What is the posterior mean of $\sigma^2$?"
        ),
        names={
            "data": data,
            "mu": mu,
            "a": a,
            "b": b,
            "N": n,
            "total": total,
            "squares": int(total - n * (mean - mu) ** 2),
        },
        helpers=_ON_A_GRID,
        formula="(b + Fraction(total, 2)) / (a + Fraction(N, 2) - 1)",
        check="on_a_grid(data)",
        mistakes="""
            (b + Fraction(squares, 2)) / (a + Fraction(N, 2) - 1) | These are
                the deviations from the mean of the readings. The value that
                they vary around is known.
            (b + total) / (a + Fraction(N, 2) - 1) | The sum of squares is
                halved.
            (b + Fraction(total, 2)) / (a + Fraction(N, 2)) | The mean of an
                inverse gamma distribution divides by the shape less one.
            (b + Fraction(total, 2)) / (a + Fraction(N, 2) + 1) | This is the
                mode.
            (b + Fraction(total, 2)) / (a + N - 1) | The shape grows by one
                half for each reading.
            Fraction(total, N) | This is the maximum likelihood estimate; the
                prior is forgotten.
        """,
        rule=(
            "**The rule.** The shape grows by one half for each reading, and "
            "the scale by half the sum of squared deviations from the known "
            f"value. Here ${_squares(data, mu)}$. The mean is the scale "
            "divided by the shape less one."
        ),
        reason=(
            rf"\frac{{{b} + \frac{{{total}}}{{2}}}}"
            rf"{{{decimal(a)} + \frac{{{n}}}{{2}} - 1}} = {equals(value)}"
        ),
        told=("Fraction(total, 2)", "Fraction(N, 2)", "b / (a - 1)"),
        look="From which value are the deviations, and what is done with "
        "their squares?",
        step=f"The squared deviations sum to ${_squares(data, mu)}$.",
        sense=(
            "The mean of the squared deviations is "
            f"{decimal(of_data)}, and the prior mean of "
            rf"$\sigma^2$ is {decimal(of_prior)}. The answer lies between "
            "the two."
        ),
    )


# Steps of the logarithm: an interval of the variance is as long as itself.
_ON_A_GRID = """\
def on_a_grid(data):
    v = np.exp(np.linspace(-9, 21, 3001))
    weight = stats.invgamma(float(a), scale=float(b)).pdf(v) * v
    for x in data:
        weight *= stats.norm(mu, np.sqrt(v)).pdf(x)
    return weight @ v / weight.sum()
"""
