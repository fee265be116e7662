"""Drills of limit theorems: how sums, means, shares and resamples vary.

Numbers are drawn so that answers are exact: a number of observations whose
root is needed is a square.
"""

from fractions import Fraction
from math import isqrt

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.asking import Asked
from bayesbook.study.drills.drill import Drill, pick
from bayesbook.study.drills.limits import MEASURED, limit_drill, quotient
from bayesbook.study.drills.writing import decimal, nearly

_SQUARES = (4, 9, 16, 25, 36, 49, 64, 81, 100, 144, 225, 400)
# Probabilities p for which p (1 - p) is the square of the second number.
_SHARES = (
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(1, 5), Fraction(2, 5)),
    (Fraction(4, 5), Fraction(2, 5)),
    (Fraction(1, 10), Fraction(3, 10)),
    (Fraction(9, 10), Fraction(3, 10)),
    (Fraction(9, 25), Fraction(12, 25)),
    (Fraction(16, 25), Fraction(12, 25)),
)


def sampling_error(seed: int, rng: np.random.Generator) -> Drill:
    """Ask how much a sum, a mean, a share or a resample varies."""
    models = (_total, _mean, _needed, _runs, _away, _share, _resampled)
    return limit_drill(
        "sampling-error", seed, lambda: models[seed % len(models)](rng)
    )


def _independent(n: int, what: str, measured: str, sd: str) -> str:
    return (
        f"The {measured}s of {n} {what} are independent, with the same mean "
        f"and a standard deviation of {sd} each."
    )


def _total(rng: np.random.Generator) -> Asked | None:
    what, measured, unit = pick(rng, MEASURED)
    n, sigma = pick(rng, _SQUARES), int(rng.integers(2, 30))
    k = isqrt(n)
    return Asked(
        prompt=(
            _independent(n, what, measured, f"{sigma} {unit}")
            + " What is the standard deviation of their sum, in "
            f"{unit}?"
        ),
        names={"sigma": Fraction(sigma), "k": k, "n": n},
        formula="sigma * k",
        check="spread_of_sum(sigma, n)",
        mistakes="""
            sigma * n | Variances of independent variables add up, standard
                deviations do not.
            sigma | This is the standard deviation of one of them.
            sigma / k | This is the standard deviation of their mean.
            sigma ** 2 * n | This is the variance of the sum. Take its root.
        """,
        rule=(
            "**The rule.** The variances of independent variables add up, so "
            rf"the variance of the sum is ${n} \cdot {sigma}^2$."
        ),
        reason=rf"{sigma} \cdot \sqrt{{{n}}} = {sigma} \cdot {k} = "
        f"{sigma * k}",
        told=("sigma", "k", "n"),
        look="What adds up: standard deviations, or variances?",
        step=f"The variance of one of them is ${sigma}^2 = {sigma**2}$.",
        sense=f"It is less than the {n}-fold of {sigma}, because deviations "
        "in both directions partly cancel.",
    )


def _mean(rng: np.random.Generator) -> Asked | None:
    what, measured, unit = pick(rng, MEASURED)
    n, sigma = pick(rng, _SQUARES), int(rng.integers(2, 30))
    k = isqrt(n)
    return Asked(
        prompt=(
            _independent(n, what, measured, f"{sigma} {unit}")
            + " What is the standard deviation of their mean, in "
            f"{unit}?"
        ),
        names={"sigma": Fraction(sigma), "k": k, "n": n},
        formula="sigma / k",
        check="spread_of_sum(sigma, n) / n",
        mistakes="""
            sigma / n | Divide by the root of their number. It is the variance
                that is divided by the number.
            sigma | This is the standard deviation of one of them.
            sigma * k | This is the standard deviation of their sum.
            sigma ** 2 / n | This is the variance of the mean. Take its root.
        """,
        rule=(
            "**The rule.** The variance of a mean of independent variables is "
            rf"that of one, divided by their number: $\frac{{{sigma}^2}}"
            rf"{{{n}}}$."
        ),
        reason=(
            rf"\frac{{{sigma}}}{{\sqrt{{{n}}}}} = "
            f"{quotient(str(sigma), str(k), Fraction(sigma, k))}"
        ),
        told=("sigma", "k", "n"),
        look="By which number is the variance of one of them divided?",
        step=f"The root of {n} is {k}.",
        sense="The mean varies less than one of them.",
    )


def _needed(rng: np.random.Generator) -> Asked | None:
    what, measured, unit = pick(rng, MEASURED)
    error = Fraction(int(rng.integers(1, 16)), pick(rng, [1, 2, 5]))
    k = int(rng.integers(3, 21))
    sigma = error * k
    if sigma.denominator > 1 or error == 1:
        return None
    return Asked(
        prompt=(
            f"The {measured} of one of the {what} has the standard deviation "
            f"{sigma} {unit}. How many of them, independent of each other, "
            "are needed for their mean to have the standard error "
            f"{decimal(error)} {unit}?"
        ),
        names={"sigma": sigma, "error": error, "k": k},
        formula="(sigma / error) ** 2",
        check="next(n for n in count(1) if sigma**2 <= n * error**2)",
        mistakes="""
            sigma / error | The standard error falls with the root of the
                number, so this ratio enters squared.
            sigma ** 2 / error | The standard error enters squared, too.
            sigma / error ** 2 | The standard deviation enters squared, too.
            2 * sigma / error | To square is not to double.
        """,
        rule=(
            "**The rule.** The standard error of the mean of $n$ is "
            rf"$\frac{{{sigma}}}{{\sqrt n}}$. Solve for $n$."
        ),
        reason=(
            rf"n = \left(\frac{{{sigma}}}{{{decimal(error)}}}\right)^2 = "
            f"{k}^2 = {k**2}"
        ),
        told=("sigma", "error", "k"),
        look="How does the standard error of a mean depend on the number of "
        "observations?",
        step=(rf"$\sqrt n = \frac{{{sigma}}}{{{decimal(error)}}} = {k}$."),
        sense="Half the error would take four times as many.",
    )


def _runs(rng: np.random.Generator) -> Asked | None:
    n = pick(rng, [100, 200, 250, 400, 500, 800, 1000, 2000, 2500])
    factor = pick(rng, [2, 3, 4, 5, 6, 8, 10])
    error = Fraction(factor * int(rng.integers(1, 13)), 1000)
    wanted = error / factor
    return Asked(
        prompt=(
            f"A simulation of {n} independent runs finds a mean with the "
            f"standard error {decimal(error)}. How many runs does it take in "
            f"all until the standard error is about {decimal(wanted)}?"
        ),
        names={"n": n, "factor": factor, "error": error, "wanted": wanted},
        formula="n * factor ** 2",
        check="round((float(error) * np.sqrt(n) / float(wanted)) ** 2)",
        mistakes="""
            n * factor | The standard error falls with the root of the number
                of runs: square this factor.
            n * (factor ** 2 - 1) | These are the further runs. Asked is how
                many it takes in all.
            n * 2 * factor | To square is not to double.
            Fraction(n, factor ** 2) | Fewer runs make the error larger.
        """,
        rule=(
            "**The rule.** The standard error is the standard deviation of "
            "one run, divided by the root of their number. To divide it by "
            f"{factor}, the number has to be multiplied by ${factor}^2$."
        ),
        reason=(
            rf"{n} \cdot \left(\frac{{{decimal(error)}}}{{{decimal(wanted)}}}"
            rf"\right)^2 = {n} \cdot {factor}^2 = {n * factor**2}"
        ),
        told=("factor", "n"),
        look="By which factor has the standard error to become smaller, and "
        "what does that mean for the number of runs?",
        step=(
            rf"The factor is $\frac{{{decimal(error)}}}{{{decimal(wanted)}}} "
            f"= {factor}$."
        ),
        sense="One more digit, a factor of ten, costs a hundred times as many "
        "runs.",
    )


def _away(rng: np.random.Generator) -> Asked | None:
    what, measured, unit = pick(rng, MEASURED)
    n, sigma = pick(rng, _SQUARES), int(rng.integers(2, 13))
    mu, k = int(rng.integers(10, 60)), isqrt(n)
    z = Fraction(int(rng.integers(2, 13)), 4)
    total = n * mu + z * sigma * k
    if total.denominator > 1:
        return None
    excess = total - n * mu
    return Asked(
        prompt=(
            f"The {measured}s of {n} {what} are independent, each with the "
            f"mean {mu} and the standard deviation {sigma} "
            f"{unit}. Their sum is {total}. How many standard deviations of "
            "the sum is this above its expectation?"
        ),
        names={
            "mu": Fraction(mu),
            "sigma": Fraction(sigma),
            "k": k,
            "n": n,
            "total": int(total),
        },
        formula="(total - n * mu) / (sigma * k)",
        check="(total - n * mu) / spread_of_sum(sigma, n)",
        mistakes="""
            (total - n * mu) / (sigma * n) | The standard deviation of the sum
                grows with the root of their number, not with the number.
            (total - n * mu) / sigma | This divides by the standard deviation
                of one of them. That of the sum is larger.
            (total - n * mu) / (sigma ** 2 * n) | This divides by the variance
                of the sum. Take its root.
            total - n * mu | This is the distance from the expectation. Divide
                it by the standard deviation of the sum.
        """,
        rule=(
            rf"**The rule.** The sum has the expectation ${n} \cdot {mu} = "
            rf"{n * mu}$ and the standard deviation "
            rf"${sigma} \cdot \sqrt{{{n}}} = {sigma * k}$."
        ),
        reason=(
            rf"z = \frac{{{total} - {n * mu}}}{{{sigma * k}}} = "
            f"{quotient(str(excess), str(sigma * k), z)}"
        ),
        told=("n * mu", "sigma * k", "total - n * mu", "k"),
        look="Which expectation and which standard deviation does the sum "
        "have?",
        step=rf"The expectation of the sum is ${n} \cdot {mu} = {n * mu}$.",
        sense="By the central limit theorem a $z$ beyond 3 is rare, if the "
        "number of summands is large.",
    )


_TRIALS = (
    ("games", "is won"),
    ("parts", "is faulty"),
    ("trains", "is late"),
    ("seeds", "germinates"),
    ("customers", "pays by card"),
)


def _share(rng: np.random.Generator) -> Asked | None:
    p, r = pick(rng, _SHARES)
    n = pick(rng, [16, 25, 36, 49, 64, 81, 100, 144, 225, 400, 900, 2500])
    k = isqrt(n)
    trials, succeeds = pick(rng, _TRIALS)
    return Asked(
        prompt=(
            f"Each of {n} {trials} {succeeds} with probability {decimal(p)}, "
            "independently of the others. What is the standard deviation of "
            f"the share that {succeeds}?"
        ),
        names={"p": p, "r": r, "k": k, "n": n},
        formula="r / k",
        check="stats.binom(n, float(p)).std() / n",
        mistakes="""
            r ** 2 / n | This is the variance. Take its root.
            r | This is the standard deviation of one trial.
            r / n | Divide by the root of the number of trials.
            r * k | This is the standard deviation of the count. The share is
                the count, divided by the number of trials.
            p / k | One trial has the standard deviation $\\sqrt{p (1 - p)}$,
                not $p$.
        """,
        rule=(
            "**The rule.** One trial is 1 or 0 and has the variance "
            rf"${decimal(p)} \cdot {decimal(1 - p)} = {decimal(r * r)}$; the "
            "share is the mean of all trials."
        ),
        reason=(
            rf"\sqrt{{\frac{{{decimal(r * r)}}}{{{n}}}}} = "
            rf"\frac{{{decimal(r)}}}{{{k}}} {nearly(r / k)}"
        ),
        told=("1 - p", "r ** 2", "r", "k", "r / k"),
        look="The share is a mean of variables that are 1 or 0. Which "
        "variance has one of them?",
        step=(
            rf"One trial has the variance ${decimal(p)} \cdot "
            f"{decimal(1 - p)} = {decimal(r * r)}$."
        ),
        sense="It becomes smaller with the root of the number of trials.",
    )


def _resampled(rng: np.random.Generator) -> Asked | None:
    n = pick(rng, [3, 4])
    data = sorted(int(x) for x in rng.integers(0, 16, n))
    mean = Fraction(sum(data), n)
    squares = sum((x - mean) ** 2 for x in data)
    if mean.denominator > 1 or not squares:
        return None
    inner = " + ".join(f"({x} - {mean})^2" for x in data)
    return Asked(
        prompt=(
            f"The observations are {and_list(map(str, data))}. A resample of "
            f"the bootstrap is a row of {n} independent draws from them, with "
            "replacement. What is the variance of the mean of a resample?"
        ),
        names={"data": data, "n": n, "squares": squares},
        formula="squares / n ** 2",
        check="np.var([sum(row) / n for row in product(data, repeat=n)])",
        mistakes="""
            squares / n | This is the variance of one draw. The mean of a
                resample varies less.
            squares / (n * (n - 1)) | The distribution that is drawn from is
                known, so its variance is divided by the number of
                observations, not by one less.
            squares / (n - 1) | This is the sample variance of the data. Asked
                is how much the mean of a resample varies.
            squares / n ** 3 | The variance of one draw is divided by the
                number of draws once.
        """,
        rule=(
            "**The rule.** A draw has each observation with the same "
            rf"probability: its mean is {mean}, and its variance is "
            rf"$\frac{{{squares}}}{{{n}}}$, because ${inner} = {squares}$. "
            f"The mean of {n} independent draws has this variance divided by "
            f"{n}."
        ),
        reason=quotient(
            str(squares), rf"{n} \cdot {n}", Fraction(squares, n * n)
        ),
        told=("sum(data) / n", "squares", "n"),
        look="A resample is drawn from the empirical distribution. Which mean "
        "and which variance has one draw?",
        step=f"One draw has the mean {mean}. Now find its variance.",
        sense="It is less than the variance of one draw.",
    )
