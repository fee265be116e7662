"""Drills of likelihood: the most likely parameter, and its standard error.

Data are drawn so that answers are exact: under a root stands a square.
"""

from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.asking import Asked, asked_drill
from bayesbook.study.drills.drill import Drill, pick
from bayesbook.study.drills.writing import (
    equals,
    fraction,
)


def _root(value: Fraction) -> Fraction:
    """Return the root of a square."""
    top, bottom = isqrt(value.numerator), isqrt(value.denominator)
    found = Fraction(top, bottom)
    if found**2 != value:
        raise ValueError(f"{value} is no square.")
    return found


def _setup(asked: Asked) -> str:
    """Write the Python with which the quiz recomputes the key."""
    lines = [
        f"{name} = {_python(value)}" for name, value in asked.names.items()
    ]
    return (
        "from fractions import Fraction as F\n"
        "from math import sqrt as root\n"
        "import numpy as np\n"
        "from scipy.optimize import minimize_scalar\n"
        "from scipy.special import xlogy\n" + "\n".join(lines) + "\n"
        "def highest(score, low=0, high=1):\n"
        "    return minimize_scalar(\n"
        "        lambda x: -score(x), bounds=(low, high), method='bounded',\n"
        "        options={'xatol': 1e-9},\n"
        "    ).x\n"
        "def error(score, at, step):\n"
        "    bend = score(at + step) - 2 * score(at) + score(at - step)\n"
        "    return step / root(-bend)\n" + asked.helpers
    )


def _python(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_python, value))}]"
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    return f"F({value.numerator}, {value.denominator})"


#: A drill of likelihoods or priors, from a kind, a seed and what draws.
likelihood_drill = partial(asked_drill, setup=_setup, known={"root": _root})


# --- the most likely parameter ----------------------------------------------


def maximum_likelihood(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a maximum likelihood estimate."""
    model = (_batches, _counts, _lamps, _variance)[seed % 4]
    return likelihood_drill("maximum-likelihood", seed, lambda: model(rng))


def _batches(rng: np.random.Generator) -> Asked | None:
    what, does = pick(rng, _TRIALS)
    m, n = (pick(rng, range(5, 31)) for _ in range(2))
    j, k = int(rng.integers(m + 1)), int(rng.integers(n + 1))
    if m == n:
        return None
    names = {"j": j, "k": k, "m": Fraction(m), "n": Fraction(n)}
    total = Fraction(j + k, m + n)
    return Asked(
        prompt=(
            f"Of {m} {what} {j} {does}, and of {n} later ones {k}. All are "
            r"independent, each with the same probability $\theta$. What is "
            r"the maximum likelihood estimate of $\theta$ from both batches?"
        ),
        names=names,
        formula="(j + k) / (m + n)",
        check=(
            "highest(lambda x: xlogy(j + k, x) + xlogy(m + n - j - k, 1 - x))"
        ),
        mistakes="""
            (j / m + k / n) / 2 | This is the mean of the two shares. The
                larger batch says more: add the counts first.
            j / m | This leaves out the second batch.
            k / n | This leaves out the first batch.
            (j + k + 1) / (m + n + 2) | This adds one to each count. Maximum
                likelihood adds nothing.
            (m + n - j - k) / (m + n) | This is the estimate of $1 - \\theta$.
        """,
        rule=(
            f"The likelihood is $\\theta^{{{j}}} (1 - \\theta)^{{{m - j}}} "
            rf"\cdot \theta^{{{k}}} (1 - \theta)^{{{n - k}}}$: the exponents "
            "add up, and it does not matter which batch a trial was in. The "
            "maximum is at the relative frequency in both together."
        ),
        reason=rf"\hat\theta = \frac{{{j} + {k}}}{{{m} + {n}}} = "
        f"{equals(total)}",
        look=(
            r"In the likelihood the exponents of $\theta$ and of "
            r"$1 - \theta$ add up over both batches. What are they?"
        ),
        step=(
            rf"The exponent of $\theta$ is ${j} + {k} = {j + k}$, and there "
            f"are ${m} + {n} = {m + n}$ trials."
        ),
        sense=(
            "The estimate lies between the shares of the two batches, nearer "
            "to that of the larger one."
        ),
    )


_TRIALS = [
    ("tosses of a tack", "land point up"),
    ("seeds", "sprout"),
    ("letters", "arrive within a week"),
    ("lamps", "are faulty"),
    ("free throws", "go in"),
]


def _counts(rng: np.random.Generator) -> Asked | None:
    many, unit = pick(rng, _EVENTS)
    n = pick(rng, [3, 4, 5, 6, 8])
    counts = [int(c) for c in rng.poisson(pick(rng, [1, 2, 3]), n)]
    total = sum(counts)
    if not total or len(set(counts)) < 2:
        return None
    return Asked(
        prompt=(
            f"In {n} {_plural(unit)} there are "
            f"{and_list(map(str, counts))} {many}. "
            "The numbers are independent and Poisson, all with the same rate "
            rf"$\lambda$ per {unit}. What is the maximum likelihood estimate "
            r"of $\lambda$?"
        ),
        names={"counts": counts, "n": Fraction(n)},
        formula="sum(counts) / n",
        check=(
            "highest(lambda x: np.sum(xlogy(counts, x) - x), 0, "
            "max(counts) + 1)"
        ),
        mistakes=f"""
            n / sum(counts) | This is turned upside down: the number of
                {_plural(unit)} divided by that of the {many}.
            sum(counts) / (n - 1) | The divisor is the number of counts; one
                less belongs to a variance.
            (sum(counts) + 1) / (n + 1) | This adds one to the
                number of {many} and one to that of the {_plural(unit)}.
                Maximum likelihood adds nothing.
            sum(c for c in counts if c) / sum(1 for c in counts if c)
                | if 0 in counts
                | This leaves out the zeros. A count of zero is an
                observation, too.
            max(counts) | if counts.count(max(counts)) == 1
                | This is the largest count. The rate is the mean.
        """,
        rule=(
            "Up to a constant the log-likelihood is "
            rf"$\ell(\lambda) = {total} \log \lambda - {n} \lambda$, with the "
            rf"score $\frac{{{total}}}{{\lambda}} - {n}$. It is zero at the "
            "mean of the counts, positive before and negative after it."
        ),
        reason=rf"\hat\lambda = {_quotient(total, n)}",
        told=("sum(counts)",),
        look=(
            r"Write down the log-likelihood without what does not contain "
            r"$\lambda$: which numbers are left of the data?"
        ),
        step=(
            rf"$\ell(\lambda) = {total} \log \lambda - {n} \lambda$ up to a "
            "constant. Where is its derivative zero?"
        ),
        sense="It is the mean of the counts, and lies between the smallest "
        "and the largest of them.",
    )


_EVENTS = [
    ("calls", "hour"),
    ("goals", "match"),
    ("misprints", "page"),
    ("earthquakes", "year"),
    ("flaws", "metre"),
]


def _plural(unit: str) -> str:
    return f"{unit}es" if unit.endswith("ch") else f"{unit}s"


def _lamps(rng: np.random.Generator) -> Asked | None:
    d, b = pick(rng, [2, 3, 4, 5]), pick(rng, [1, 2, 3, 4])
    end = pick(rng, [10, 12, 15, 20])
    failed = sorted(int(t) for t in rng.integers(1, end, d))
    if len(set(failed)) < d:
        return None
    hours = sum(failed) + b * end
    what = pick(rng, ["lamps", "pumps", "batteries", "fans"])
    are = "is" if b == 1 else "are"
    return Asked(
        prompt=(
            f"Of {d + b} {what}, {d} fail after {and_list(map(str, failed))} "
            f"months. After {end} months the test is over, and {b} {are} "
            "still running. The lives are exponential with the same rate "
            r"$\lambda$ per month. What is the maximum likelihood estimate of "
            r"the mean life $1 / \lambda$, in months?"
        ),
        names={
            "failed": failed,
            "d": Fraction(d),
            "b": Fraction(b),
            "end": Fraction(end),
        },
        formula="(sum(failed) + b * end) / d",
        check=(
            "1 / highest(lambda x: xlogy(d, x) - x * (sum(failed) + b * end))"
        ),
        mistakes="""
            sum(failed) / d | This leaves out those that are still running,
                which are the best.
            (sum(failed) + b * end) / (d + b) | This takes those that are
                still running for failed at the end of the test. They add
                their time, but no failure.
            d / (sum(failed) + b * end) | This is the estimate of the rate;
                asked is its reciprocal, the mean life.
            sum(failed) / (d + b) | Those that are still running add their
                time to the numerator, and nothing to the denominator.
            end | This is the length of the test.
        """,
        rule=(
            r"One that fails after $t$ months contributes the density "
            r"$\lambda e^{-\lambda t}$, one that is still running after $t$ "
            r"months the probability $e^{-\lambda t}$. So the likelihood is "
            rf"$\lambda^{{{d}}} e^{{-{hours} \lambda}}$, where {hours} is the "
            "sum of all months, and its maximum is at the number of failures "
            "divided by that sum."
        ),
        reason=r"\frac{1}{\hat\lambda} = "
        rf"\frac{{{' + '.join(map(str, failed))} + {b} \cdot {end}}}{{{d}}} "
        f"= {equals(Fraction(hours, d))}",
        look=(
            "What does one that is still running contribute to the "
            "likelihood: a density, or a probability?"
        ),
        step=rf"The likelihood is $\lambda^{{{d}}} e^{{-{hours} \lambda}}$.",
        sense="The mean life exceeds the mean of the observed lives, because "
        "those that still run live longer than they were observed.",
    )


def _variance(rng: np.random.Generator) -> Asked | None:
    n = pick(rng, [3, 4, 5])
    values = [int(v) for v in rng.integers(1, 16, n)]
    mean = Fraction(sum(values), n)
    squares = sum((v - mean) ** 2 for v in values)
    if mean.denominator > 1 or not squares:
        return None
    distances = [str(int((v - mean) ** 2)) for v in values]
    what = pick(rng, ["lengths", "weights", "times", "readings"])
    return Asked(
        prompt=(
            f"Observed are the {what} {and_list(map(str, values))}, "
            r"independent and Gaussian with unknown mean $\mu$ and variance "
            r"$\sigma^2$. What is the maximum likelihood estimate of "
            r"$\sigma^2$?"
        ),
        names={"x": values, "n": Fraction(n), "mean": mean},
        formula="sum((v - mean) ** 2 for v in x) / n",
        check=(
            "highest(lambda s: -n * np.log(s) - "
            "sum((v - mean) ** 2 for v in x) / s, 0.01, 300)"
        ),
        mistakes="""
            sum((v - mean) ** 2 for v in x) / (n - 1) | The divisor $N - 1$
                makes an estimator without bias. Maximum likelihood divides
                by $N$.
            sum((v - mean) ** 2 for v in x) | This is the sum of the squared
                distances; divide it by their number.
            sum(v ** 2 for v in x) / n | This is the mean of the squares of the
                numbers themselves. Take their distances from the mean first.
            sum(abs(v - mean) for v in x) / n | This is the mean distance.
                The Gaussian distribution has squares; distances belong to the
                Laplace distribution.
            mean | This is the estimate of the mean.
        """,
        rule=(
            rf"The estimate of $\mu$ is the mean of the numbers, {mean}. "
            r"Whatever $\sigma$ is, that makes the sum of the squared "
            r"distances smallest; and then $\sigma^2$ is the mean of these."
        ),
        reason=rf"\hat\sigma^2 = \frac{{{' + '.join(distances)}}}{{{n}}} = "
        f"{equals(squares / n)}",
        told=("[(v - mean) ** 2 for v in x]",),
        look="First the mean of the numbers, then the square of each "
        "distance from it.",
        step=f"The mean is {mean}, and the squared distances are "
        f"{and_list(distances)}.",
        sense="A variance is never negative, and it has the unit of a square.",
    )


# --- its standard error -----------------------------------------------------


def standard_error(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the estimated standard error of an estimate."""
    model = (_error_of_share, _error_of_rate, _error_of_mean)[seed % 3]
    return likelihood_drill("standard-error", seed, lambda: model(rng))


# Successes and trials for which the standard error is a fraction.
_SQUARES = [
    (k, n)
    for n in (4, 16, 25, 36, 64, 100, 144, 169, 196, 225)
    for k in range(1, n)
    if isqrt(k * (n - k)) ** 2 == k * (n - k)
]


def _error_of_share(rng: np.random.Generator) -> Asked:
    what, does = pick(rng, _TRIALS)
    k, n = pick(rng, _SQUARES)
    share = Fraction(k, n)
    error = _root(share * (1 - share) / n)
    return Asked(
        prompt=(
            f"Of {n} {what} {k} {does}, independently and each with the same "
            r"probability $\theta$. What is the estimated standard error of "
            r"the maximum likelihood estimate $\hat\theta$?"
        ),
        names={"k": Fraction(k), "n": Fraction(n)},
        formula="root(k * (n - k) / n**3)",
        check=(
            "error(lambda x: xlogy(k, x) + xlogy(n - k, 1 - x), k / n, 1e-4)"
        ),
        mistakes="""
            k * (n - k) / n**3 | This is the variance of the estimate; take
                the root.
            root(k * (n - k) / n**2) | This is the standard deviation of one
                trial. The estimate is a mean of all of them: divide by the
                root of their number.
            root(k * (n - k) / n**2) / n | The standard deviation of one
                trial is divided by the root of the number of trials, not by
                the number.
            k / n | This is the estimate itself.
        """,
        rule=(
            "The information of one trial is "
            r"$I(\theta) = 1 / (\theta (1 - \theta))$, and the standard error "
            r"is about $1 / \sqrt{N I(\hat\theta)} = "
            r"\sqrt{\hat\theta (1 - \hat\theta) / N}$. "
            rf"Here $\hat\theta = {equals(share)}$."
        ),
        reason=rf"\sqrt{{\frac{{{fraction(share)} \cdot "
        rf"{fraction(1 - share)}}}{{{n}}}}} = {equals(error)}",
        told=("(k / n, 1 - k / n)",),
        look=(
            r"The standard error is $1 / \sqrt{N I(\hat\theta)}$. What is the "
            "information of one trial?"
        ),
        step=(
            rf"$\hat\theta = {equals(share)}$, and "
            r"$I(\hat\theta) = 1 / (\hat\theta (1 - \hat\theta))$."
        ),
        sense="Four times as many trials would make it half as large.",
    )


def _quotient(top: int, bottom: int) -> str:
    """Write a quotient, and what it is if it can be reduced."""
    value, written = (
        equals(Fraction(top, bottom)),
        rf"\frac{{{top}}}{{{bottom}}}",
    )
    return value if value.startswith(written) else f"{written} = {value}"


def _error_of_rate(rng: np.random.Generator) -> Asked:
    many, unit = pick(rng, _EVENTS)
    total, n = (
        pick(rng, [4, 9, 16, 25, 36, 49, 64, 81]),
        pick(rng, [4, 5, 8, 10, 12, 16, 20, 25, 40]),
    )
    error = Fraction(isqrt(total), n)
    return Asked(
        prompt=(
            f"In {n} {_plural(unit)} there are {total} {many} together. The "
            "numbers are independent and Poisson, all with the same rate "
            rf"$\lambda$ per {unit}. What is the estimated standard error of "
            r"the maximum likelihood estimate $\hat\lambda$?"
        ),
        names={"k": Fraction(total), "n": Fraction(n)},
        formula="root(k) / n",
        check="error(lambda x: xlogy(k, x) - n * x, k / n, 1e-3 * k / n)",
        mistakes="""
            k / n**2 | This is the variance of the estimate; take the root.
            root(k) | This is the standard error of the total. The rate is
                the total divided by the number of units.
            k / n | This is the estimate itself.
            1 / root(k) | This is the relative error. Multiply it by the
                estimate.
        """,
        rule=(
            r"The information of one count is $I(\lambda) = 1 / \lambda$, and "
            r"the standard error is about "
            r"$1 / \sqrt{N I(\hat\lambda)} = \sqrt{\hat\lambda / N}$. Here "
            rf"$\hat\lambda = {equals(Fraction(total, n))}$."
        ),
        reason=rf"\sqrt{{\frac{{{total}}}{{{n}^2}}}} = {equals(error)}",
        look=(
            r"The standard error is $1 / \sqrt{N I(\hat\lambda)}$. What is "
            "the information of one count?"
        ),
        step=(
            rf"$\hat\lambda = {equals(Fraction(total, n))}$, and "
            r"$I(\hat\lambda) = 1 / \hat\lambda$."
        ),
        sense="Relative to the estimate the error is one over the root of "
        f"the number of {many}: observing more is what helps.",
    )


def _error_of_mean(rng: np.random.Generator) -> Asked:
    sigma = pick(rng, [2, 3, 4, 5, 6, 8, 10, 12])
    n = pick(rng, [4, 9, 16, 25, 36, 64, 100])
    mean = pick(rng, range(20, 200))
    what = pick(rng, ["lengths", "weights", "times", "readings"])
    return Asked(
        prompt=(
            f"The mean of {n} {what} is {mean}. They are independent and "
            rf"Gaussian, with unknown mean $\mu$ and the known standard "
            f"deviation {sigma}. What is the standard error of the maximum "
            r"likelihood estimate $\hat\mu$?"
        ),
        names={
            "n": Fraction(n),
            "sigma": Fraction(sigma),
            "mean": Fraction(mean),
        },
        formula="sigma / root(n)",
        check="error(lambda x: -n * (x - mean) ** 2 / (2 * sigma**2), "
        "mean, 0.1)",
        mistakes="""
            sigma | This is the standard deviation of one observation. The
                estimate is a mean of all of them.
            sigma**2 / n | This is the variance of the estimate; take the
                root.
            sigma / n | The standard deviation is divided by the root of the
                number, not by the number.
            sigma**2 | This is the variance of one observation.
        """,
        rule=(
            r"The information of one observation is "
            r"$I(\mu) = 1 / \sigma^2$, so the standard error is "
            r"$1 / \sqrt{N / \sigma^2} = \sigma / \sqrt{N}$, whatever the "
            "data."
        ),
        told=("root(n)",),
        reason=rf"\frac{{{sigma}}}{{\sqrt{{{n}}}}} = "
        f"{equals(Fraction(sigma, isqrt(n)))}",
        look=(
            r"The standard error is $1 / \sqrt{N I(\mu)}$. Which of the given "
            "numbers matter?"
        ),
        step=rf"$I(\mu) = 1 / {sigma}^2 = 1 / {sigma**2}$ for one "
        "observation.",
        sense="Four times as many observations would make it half as large.",
    )
