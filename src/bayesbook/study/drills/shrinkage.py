"""Drills of priors: estimates under a Beta prior, and shrunken estimates.

The first are about a probability and its prior, the second about a mean or a
coefficient and a penalty.
"""

from fractions import Fraction

import numpy as np

from bayesbook.study.drills.asking import Asked
from bayesbook.study.drills.drill import Drill, pick
from bayesbook.study.drills.estimation import likelihood_drill
from bayesbook.study.drills.writing import equals, fraction

_TRIALS = [
    ("tosses of a tack", "point up", "the next toss points up"),
    ("seeds", "sprout", "the next seed sprouts"),
    ("letters", "arrive within a week", "the next one arrives in time"),
    ("lamps", "are faulty", "the next lamp is faulty"),
    ("free throws", "go in", "the next throw goes in"),
]

# --- a probability under a Beta prior ---------------------------------------

# The cells of a grid, and what is expected of a variance.
_GRID = """
grid = (np.arange(4000) + 0.5) / 4000
def mean_of(up, down):
    return np.average(grid, weights=grid**up * (1 - grid)**down)
"""
_BETAS = "from scipy.stats import beta, betabinom\n"


def beta_estimate(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for an estimate under a Beta prior, or for the prior itself."""
    model = (_mode, _next_trial, _opinion, _planned)[seed % 4]
    return likelihood_drill("beta-estimate", seed, lambda: model(rng))


def _drawn_counts(rng: np.random.Generator) -> dict[str, Fraction]:
    a, b = (Fraction(pick(rng, range(2, 9))) for _ in range(2))
    n = Fraction(pick(rng, range(5, 31)))
    k = Fraction(int(rng.integers(int(n) + 1)))
    return {"a": a, "b": b, "k": k, "n": n}


def _given(names: dict[str, Fraction], what: str, does: str) -> str:
    return (
        rf"The prior of the probability $\theta$ is $\text{{Beta}}"
        rf"({names['a']}, {names['b']})$. Of {names['n']} {what} "
        f"{names['k']} {does}: given $\\theta$ they are independent, each "
        r"with probability $\theta$. "
    )


def _after(names: dict[str, Fraction]) -> str:
    a, b, k, n = (names[name] for name in "abkn")
    return rf"$\text{{Beta}}({a + k}, {b + n - k})$"


def _mode(rng: np.random.Generator) -> Asked | None:
    what, does, _ = pick(rng, _TRIALS)
    names = _drawn_counts(rng)
    a, b, k, n = (names[name] for name in "abkn")
    if (k + a - 1) * 2 == n + a + b - 2:  # where MAP and mean are the same
        return None
    return Asked(
        prompt=_given(names, what, does) + r"What is the MAP of $\theta$?",
        names=names,
        formula="(k + a - 1) / (n + a + b - 2)",
        check=(
            "highest(lambda x: xlogy(k + a - 1, x)"
            " + xlogy(n - k + b - 1, 1 - x))"
        ),
        mistakes="""
            (k + a) / (n + a + b) | This is the posterior mean. The MAP is
                where the posterior density is highest.
            k / n | This is the maximum likelihood estimate, without the
                prior.
            (a - 1) / (a + b - 2) | This is the mode of the prior, before the
                data.
            (k + a - 1) / (n + a + b - 1) | Both exponents of the density are
                one smaller than the parameters, so the denominator is two
                smaller than their sum.
            (n - k + b - 1) / (n + a + b - 2) | This is the MAP of
                $1 - \\theta$.
        """,
        rule=(
            f"The posterior is {_after(names)}. Its density is proportional "
            rf"to $\theta^{{{a + k - 1}}} (1 - \theta)^{{{b + n - k - 1}}}$, "
            "which is highest where the ratio of $\\theta$ to $1 - \\theta$ "
            "is that of the exponents."
        ),
        reason=(
            rf"\hat\theta_{{\text{{MAP}}}} = \frac{{{k} + {a} - 1}}"
            rf"{{{n} + {a} + {b} - 2}} = "
            f"{equals((k + a - 1) / (n + a + b - 2))}"
        ),
        told=("(a + k - 1, b + n - k - 1, a + k, b + n - k)",),
        look=(
            r"Multiply the prior by the likelihood. Which exponents do "
            r"$\theta$ and $1 - \theta$ have?"
        ),
        step=f"The posterior is {_after(names)}. Where is it highest?",
        sense=(
            "The MAP lies between the mode of the prior and the relative "
            "frequency."
        ),
    )


def _next_trial(rng: np.random.Generator) -> Asked | None:
    what, does, once_more = pick(rng, _TRIALS)
    names = _drawn_counts(rng)
    a, b, k, n = (names[name] for name in "abkn")
    asked = pick(
        rng,
        [
            r"What is the posterior mean of $\theta$?",
            f"What is the probability that {once_more}?",
        ],
    )
    if (k + a - 1) * 2 == n + a + b - 2:
        return None
    return Asked(
        prompt=_given(names, what, does) + asked,
        names=names,
        formula="(k + a) / (n + a + b)",
        check="mean_of(k + a - 1, n - k + b - 1)",
        helpers=_GRID,
        mistakes="""
            (k + a - 1) / (n + a + b - 2) | This is the MAP. The probability
                of the next one is the posterior mean.
            k / n | This is the relative frequency, without the prior.
            a / (a + b) | This is the prior mean, before the data.
            (k + 1) / (n + 2) | This is the posterior mean under the flat
                prior.
            (n - k + b) / (n + a + b) | This is the probability of the
                opposite.
        """,
        rule=(
            f"The posterior is {_after(names)}, and the mean of a Beta "
            "distribution is its first parameter divided by the sum of both. "
            "It is also the probability of the next success."
        ),
        reason=(
            rf"\bar\theta = \frac{{{k} + {a}}}{{{n} + {a} + {b}}} = "
            f"{equals((k + a) / (n + a + b))}"
        ),
        told=("(a + k, b + n - k)",),
        look=(
            "The probability of the next success is the posterior mean. "
            "Which distribution is the posterior?"
        ),
        step=f"The posterior is {_after(names)}. What is its mean?",
        sense=("It lies between the prior mean and the relative frequency."),
    )


def _opinion(rng: np.random.Generator) -> Asked | None:
    mean = Fraction(pick(rng, range(1, 10)), 10)
    sd = Fraction(pick(rng, [2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30]), 100)
    total = mean * (1 - mean) / sd**2 - 1
    if not 1 < total < 500 or (mean * total).denominator > 99:
        return None
    said = f"{float(mean):g}", f"{float(sd):g}"
    return Asked(
        prompt=(
            f"Somebody expects that a seed sprouts with probability "
            f"{said[0]}, with the standard deviation {said[1]}. A Beta "
            "distribution is to say so. What is its first parameter, $a$?"
        ),
        names={"m": mean, "sd": sd},
        formula="m * (m * (1 - m) / sd**2 - 1)",
        check="m * spread_of(m * (1 - m), sd**2)",
        helpers=(
            "from scipy.optimize import brentq\n"
            "from scipy.stats import beta\n"
            "def spread_of(largest, wanted):\n"
            "    return brentq(\n"
            "        lambda s: beta.var(m * s, (1 - m) * s) - wanted,\n"
            "        1e-6, 1e4, xtol=1e-9,\n"
            "    )\n"
        ),
        mistakes="""
            m * (1 - m) / sd**2 - 1 | This is the sum $a + b$. Multiply it by
                the mean.
            m * m * (1 - m) / sd**2 | The variance of a Beta distribution has
                $a + b + 1$ in its denominator, not $a + b$.
            (1 - m) * (m * (1 - m) / sd**2 - 1) | This is $b$.
            m * (m * (1 - m) / sd - 1) | if m * (1 - m) > sd
                | This takes the standard deviation for the variance.
            1 + m * (m * (1 - m) / sd**2 - 1) | This makes the mean the mode
                of a prior with more imagined trials.
        """,
        rule=(
            r"With the sum $s = a + b$ the variance is "
            r"$\frac{m (1 - m)}{s + 1}$, so $s = \frac{m (1 - m)}{v_0} - 1$, "
            r"and $a = m s$."
        ),
        reason=(
            rf"s = \frac{{{said[0]} \cdot {float(1 - mean):g}}}{{{said[1]}^2}}"
            rf" - 1 = {equals(total)}, \qquad a = {said[0]} \cdot "
            f"{fraction(total)} = {equals(mean * total)}"
        ),
        told=("(1 - m, m * (1 - m) / sd**2 - 1)",),
        look=(
            "How does the variance of a Beta distribution depend on its mean "
            "and on the sum $a + b$?"
        ),
        step=rf"The sum is $a + b = {equals(total)}$.",
        sense=(
            "The smaller the standard deviation, the more imagined trials "
            "the prior counts as."
        ),
    )


def _planned(rng: np.random.Generator) -> Asked | None:
    a, b = (pick(rng, range(1, 16)) for _ in range(2))
    parts = pick(rng, [2, 3, 4, 5, 9, 10, 16])
    s = a + b
    return Asked(
        prompt=(
            rf"The prior of a probability is $\text{{Beta}}({a}, {b})$. How "
            "many trials have to be planned, so that the expected posterior "
            f"variance is one {_ORDINALS[parts]} of the prior variance?"
        ),
        names={"a": Fraction(a), "b": Fraction(b), "parts": Fraction(parts)},
        formula="(a + b) * (parts - 1)",
        check="planned[np.argmin(abs(left - 1 / parts))]",
        helpers=(
            f"{_BETAS}planned = np.arange(1, 500)\n"
            "explained = betabinom.var(planned, a, b) / (a + b + planned)**2\n"
            "left = 1 - explained / beta.var(a, b)\n"
        ),
        mistakes="""
            (a + b) * parts | After $N$ trials the expected share is
                $s / (N + s)$, where $N + s$ counts the imagined ones, too.
            a * (parts - 1) | The strength of the prior is the sum of both
                parameters.
            (a + b + 1) * (parts - 1) | The expected share is $s / (N + s)$,
                with $s = a + b$.
            (a + b) * (parts**2 - 1) | This is for the standard deviation,
                the root of the variance.
        """,
        rule=(
            r"The expected posterior variance is $\frac{s}{N + s}$ of the "
            rf"prior variance, with $s = a + b = {s}$. "
            rf"So $N + s$ is ${parts} \cdot {s} = {parts * s}$."
        ),
        reason=rf"N = {parts} \cdot {s} - {s} = {(parts - 1) * s}",
        told=("(a + b, parts * (a + b))",),
        look=(
            "Which share of the prior variance is expected to remain after "
            "$N$ trials?"
        ),
        step=(
            r"The share $\frac{s}{N + s}$ remains, and "
            rf"$s = {a} + {b} = {s}$."
        ),
        sense=(
            "A stronger prior takes more trials, in proportion to its sum."
        ),
    )


_ORDINALS = {
    2: "half",
    3: "third",
    4: "fourth",
    5: "fifth",
    9: "ninth",
    10: "tenth",
    16: "sixteenth",
}


# --- a mean or a coefficient, and its penalty -------------------------------


def shrinkage(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a MAP under a Gaussian or Laplace prior, or for a penalty."""
    model = (_ridge, _lasso, _gaussian_mean, _constants)[seed % 4]
    return likelihood_drill("shrinkage", seed, lambda: model(rng))


def _listed(values: list[int]) -> str:
    return f"({', '.join(map(str, values))})"


def _line(rng: np.random.Generator) -> tuple[list[int], list[int]]:
    n = pick(rng, [2, 3, 4])
    x = [int(v) for v in rng.integers(1, 5, n)]
    slope, errors = pick(rng, [1, 2, 3]), rng.integers(-2, 3, n)
    return x, [int(slope * v + e) for v, e in zip(x, errors, strict=True)]


def _sums(x: list[int], y: list[int]) -> tuple[int, int]:
    products = (a * b for a, b in zip(x, y, strict=True))
    return sum(products), sum(a * a for a in x)


def _data(x: list[int], y: list[int]) -> str:
    return (
        f"A line through the origin, $y = w x$ plus Gaussian noise, is fitted "
        f"to the inputs ${_listed(x)}$ with the outputs ${_listed(y)}$. "
    )


_SUMS = """
def squares(w):
    return np.sum((np.array(y) - w * np.array(x))**2)
"""


def _ridge(rng: np.random.Generator) -> Asked | None:
    x, y = _line(rng)
    sigma, tau = pick(rng, [1, 2, 3, 4, 6]), pick(rng, [1, 2, 3])
    penalty = Fraction(sigma**2, tau**2)
    top, bottom = _sums(x, y)
    if top <= 0:
        return None
    names = {
        "x": x,
        "y": y,
        "sigma": Fraction(sigma),
        "tau": Fraction(tau),
        "top": Fraction(top),
        "bottom": Fraction(bottom),
    }
    return Asked(
        prompt=(
            f"{_data(x, y)}The noise has the standard deviation {sigma}, and "
            "the prior of $w$ is Gaussian with mean 0 and standard deviation "
            f"{tau}. What is the MAP of $w$?"
        ),
        names=names,
        formula="top / (bottom + sigma**2 / tau**2)",
        check=(
            "highest(lambda w: -squares(w) / (2 * sigma**2)"
            " - w**2 / (2 * tau**2), -20, 20)"
        ),
        helpers=_SUMS,
        mistakes="""
            top / bottom | This is least squares, without the prior.
            top / (bottom + tau**2 / sigma**2) | Noise and prior have changed
                places: a wider prior shrinks less.
            top / (bottom + sigma / tau) | The penalty is the ratio of the
                variances, not of the standard deviations.
            top / (bottom + sigma**2) | The penalty is the variance of the
                noise divided by that of the prior.
            (top + sigma**2 / tau**2) / (bottom + sigma**2 / tau**2) | The
                penalty is added to the denominator only.
        """,
        rule=(
            rf"The sums are $\sum x_i y_i = {top}$ and "
            rf"$\sum x_i^2 = {bottom}$. The MAP minimises the sum of squares "
            rf"plus $\lambda w^2$, and $\lambda$ is the ratio of the "
            rf"variances, $\frac{{{sigma}^2}}{{{tau}^2}} = {equals(penalty)}$."
        ),
        reason=(
            rf"\hat w = \frac{{{top}}}{{{bottom} + {fraction(penalty)}}} = "
            f"{equals(top / (bottom + penalty))}"
        ),
        told=("(top / bottom, sigma**2 / tau**2)",),
        look=(
            r"This is ridge regression. Which $\lambda$ belongs to this noise "
            "and this prior?"
        ),
        step=rf"The ratio is $\frac{{{sigma}^2}}{{{tau}^2}} = "
        rf"{equals(penalty)}$, and least squares is "
        rf"$\frac{{{top}}}{{{bottom}}}$.",
        sense=(
            rf"It is nearer to 0 than least squares, $\frac{{{top}}}"
            rf"{{{bottom}}}$."
        ),
    )


def _lasso(rng: np.random.Generator) -> Asked | None:
    x, y = _line(rng)
    sigma, b = pick(rng, [1, 2, 3]), pick(rng, [1, 2, 3, 4])
    top, bottom = _sums(x, y)
    step = Fraction(sigma**2, b)
    if top <= step:
        return None
    names = {
        "x": x,
        "y": y,
        "sigma": Fraction(sigma),
        "b": Fraction(b),
        "top": Fraction(top),
        "bottom": Fraction(bottom),
    }
    return Asked(
        prompt=(
            f"{_data(x, y)}The noise has the standard deviation {sigma}, and "
            f"the prior of $w$ is Laplace with location 0 and scale {b}. "
            "What is the MAP of $w$?"
        ),
        names=names,
        formula="(top - sigma**2 / b) / bottom",
        check=(
            "highest(lambda w: -squares(w) / (2 * sigma**2)"
            " - abs(w) / b, -20, 20)"
        ),
        helpers=_SUMS,
        mistakes="""
            top / bottom | This is least squares, without the prior.
            top / (bottom + sigma**2 / b) | A Laplace prior subtracts a
                number from the estimate, unless it becomes zero; it is the
                Gaussian prior that adds to the denominator.
            (top - sigma**2 * b) / bottom | if top > sigma**2 * b
                | A wider prior shrinks less: divide by its scale.
            (top - sigma / b) / bottom | The variance of the noise belongs
                here, not its standard deviation.
            top / bottom - sigma**2 / b | if top / bottom > sigma**2 / b
                | What is subtracted from least squares is $v / b$, with the
                variance $v$ of that estimate: the variance of the noise
                divided by the sum of the squared inputs.
            (top + sigma**2 / b) / bottom | The prior pulls towards zero.
        """,
        rule=(
            rf"Least squares is $z = \frac{{{top}}}{{{bottom}}}$, with the "
            rf"variance $v = \frac{{{sigma}^2}}{{{bottom}}}$. The MAP moves "
            r"it by $\frac{v}{b}$ towards zero, and here it does not "
            "reach zero."
        ),
        reason=(
            rf"\hat w = \frac{{{top}}}{{{bottom}}} - "
            rf"\frac{{{sigma}^2}}{{{bottom} \cdot {b}}} = "
            f"{equals((top - step) / bottom)}"
        ),
        told=("(top / bottom, sigma**2 / bottom, sigma**2 / (bottom * b))",),
        look=(
            "How does a Laplace prior move a least-squares estimate $z$ with "
            "the variance $v$?"
        ),
        step=(
            rf"$z = \frac{{{top}}}{{{bottom}}}$, and "
            rf"$v = \frac{{{sigma}^2}}{{{bottom}}}$."
        ),
        sense="It is between 0 and least squares.",
    )


def _gaussian_mean(rng: np.random.Generator) -> Asked | None:
    what = pick(rng, ["lengths", "weights", "times", "readings"])
    n, sigma = pick(rng, range(2, 21)), pick(rng, [1, 2, 3, 4, 6])
    tau = pick(rng, [1, 2, 3])
    mean, before = pick(rng, range(10, 60)), pick(rng, range(10, 60))
    if abs(mean - before) < 4:
        return None
    extra = Fraction(sigma**2, tau**2)
    answer = (n * mean + extra * before) / (n + extra)
    names = {
        name: Fraction(value)
        for name, value in {
            "n": n,
            "sigma": sigma,
            "tau": tau,
            "mean": mean,
            "before": before,
        }.items()
    }
    return Asked(
        prompt=(
            f"The mean of {n} {what} is {mean}. Given $\\mu$ they are "
            rf"independent and Gaussian with mean $\mu$ and the known "
            f"standard deviation {sigma}. The prior of $\\mu$ is Gaussian "
            f"with mean {before} and standard deviation {tau}. What is the "
            r"MAP of $\mu$?"
        ),
        names=names,
        formula="(n * mean + sigma**2 / tau**2 * before)"
        " / (n + sigma**2 / tau**2)",
        check=(
            "highest(lambda m: -n * (m - mean)**2 / (2 * sigma**2)"
            " - (m - before)**2 / (2 * tau**2), 0, 100)"
        ),
        mistakes="""
            mean | This is the maximum likelihood estimate, without the prior.
            (mean + before) / 2 | Both means do not have the same weight,
                unless the prior counts as many observations as there are.
            (n * mean + before) / (n + 1) | This counts the prior as one
                observation. It counts as many as its variance goes into that
                of the noise.
            (n * mean + tau**2 / sigma**2 * before)
                / (n + tau**2 / sigma**2)
                | Noise and prior have changed places: a wider prior counts
                less.
            (n * mean + sigma / tau * before) / (n + sigma / tau)
                | The ratio of the variances is needed, not that of the
                standard deviations.
        """,
        rule=(
            "The prior counts as many observations as its variance goes into "
            rf"that of the noise, $\frac{{{sigma}^2}}{{{tau}^2}} = "
            f"{equals(extra)}$, each with the value {before}."
        ),
        reason=(
            rf"\hat\mu = \frac{{{n} \cdot {mean} + {fraction(extra)} \cdot "
            rf"{before}}}{{{n} + {fraction(extra)}}} = {equals(answer, 5)}"
        ),
        told=("sigma**2 / tau**2",),
        look="As how many observations does the prior count?",
        step=rf"As $\frac{{{sigma}^2}}{{{tau}^2}} = {equals(extra)}$.",
        sense="It lies between the prior mean and the mean of the data.",
    )


def _constants(rng: np.random.Generator) -> Asked | None:
    n = pick(rng, [10, 20, 25, 40, 50, 100])
    sigma = pick(rng, [2, 3, 4, 5, 6, 8, 10, 12])
    width = pick(rng, [1, 2, 3, 4, 5])
    if pick(rng, ["ridge", "lasso"]) == "ridge":
        return _of_ridge(n, sigma, width)
    return _of_lasso(n, sigma, width)


def _noise(n: int, sigma: int) -> str:
    return (
        f"A linear model has {n} observations, and noise with the standard "
        f"deviation {sigma}. "
    )


def _of_ridge(n: int, sigma: int, tau: int) -> Asked | None:
    if sigma == tau:
        return None
    return Asked(
        prompt=(
            f"{_noise(n, sigma)}Every coefficient has a Gaussian prior with "
            f"mean 0 and standard deviation {tau}. Ridge regression minimises "
            r"the sum of the squared residuals plus $\lambda$ times the sum "
            r"of the squared coefficients. For which $\lambda$ is this the "
            "MAP?"
        ),
        names={
            "n": Fraction(n),
            "sigma": Fraction(sigma),
            "tau": Fraction(tau),
        },
        formula="sigma**2 / tau**2",
        check=(
            "2 * sigma**2 * (norm.logpdf(0, 0, tau) - norm.logpdf(1, 0, tau))"
        ),
        helpers="from scipy.stats import norm\n",
        mistakes="""
            tau**2 / sigma**2 | A wider prior penalises less: noise and prior
                have changed places.
            sigma / tau | The variances belong here, not the standard
                deviations.
            sigma**2 / (n * tau**2) | The sum of squares is not divided by
                the number of observations.
            sigma**2 / tau | The prior enters by its variance, too.
        """,
        rule=(
            r"Up to constants, minus the log-posterior is the sum of squares "
            r"divided by $2 \sigma^2$, plus the squared coefficients divided "
            r"by $2 \tau^2$. Multiply it by $2 \sigma^2$."
        ),
        reason=rf"\frac{{{sigma}^2}}{{{tau}^2}} = "
        f"{equals(Fraction(sigma**2, tau**2))}",
        look=(
            "Write down the logarithm of the posterior. What are the factors "
            "of the two sums of squares?"
        ),
        step=(
            r"The factors are $\frac{1}{2 \sigma^2}$ and "
            r"$\frac{1}{2 \tau^2}$. What is the second divided by the first?"
        ),
        sense="More noise and a narrower prior both make the penalty larger.",
    )


def _of_lasso(n: int, sigma: int, scale: int) -> Asked | None:
    return Asked(
        prompt=(
            f"{_noise(n, sigma)}Every coefficient has a Laplace prior with "
            f"location 0 and scale {scale}. The lasso minimises the sum of "
            rf"the squared residuals, divided by $2 \cdot {n}$, plus $\alpha$ "
            r"times the sum of the absolute coefficients. For which $\alpha$ "
            "is this the MAP?"
        ),
        names={
            "n": Fraction(n),
            "sigma": Fraction(sigma),
            "b": Fraction(scale),
        },
        formula="sigma**2 / (n * b)",
        check=(
            "sigma**2 / n"
            " * (laplace.logpdf(0, 0, b) - laplace.logpdf(1, 0, b))"
        ),
        helpers="from scipy.stats import laplace\n",
        mistakes="""
            sigma**2 / b | This lasso divides the sum of squares by twice the
                number of observations, so this number divides the penalty
                too.
            sigma**2 / (n * b**2) | The scale of a Laplace prior enters by
                itself, not by its square.
            sigma**2 * b / n | A wider prior penalises less: divide by its
                scale.
            sigma / (n * b) | The variance of the noise belongs here, not its
                standard deviation.
            2 * sigma**2 / (n * b) | The two is in the sum of squares already.
        """,
        rule=(
            r"Up to constants, minus the log-posterior is the sum of squares "
            r"divided by $2 \sigma^2$, plus the absolute coefficients divided "
            r"by $b$. Multiply it by $\frac{\sigma^2}{N}$."
        ),
        reason=rf"\alpha = \frac{{{sigma}^2}}{{{n} \cdot {scale}}} = "
        f"{equals(Fraction(sigma**2, n * scale))}",
        look=(
            "Write down the logarithm of the posterior. What are the factors "
            "of the two sums?"
        ),
        step=(
            r"The factors are $\frac{1}{2 \sigma^2}$ and $\frac{1}{b}$. "
            r"The first is to become $\frac{1}{2 N}$."
        ),
        sense="More noise and a narrower prior both make the penalty larger.",
    )
