"""Drills of limit theorems: guaranteed bounds, and how sums and means vary.

Numbers are drawn so that answers are exact: a number of observations whose
root is needed is a square.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import isqrt
from typing import Any

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    decimal,
    equals,
    exact,
    fraction,
    hints,
    mistakes_of,
    nearly,
    paragraphs,
    rounded,
    told_apart,
)

_LEAST = Fraction(1, 50)
_LONGEST = 200
_FEWEST_MISTAKES = 3
_written = partial(rounded, longest=500)


@dataclass(frozen=True)
class _Asked:
    """A question on some numbers, and what is said of it."""

    prompt: str
    names: Mapping[str, Any]  # exact values of the names in the formulas
    formula: str  # of the answer
    check: str  # Python that finds it another way
    mistakes: str
    rule: str  # Markdown: which theorem answers it
    reason: str  # TeX that ends in the answer
    look: str
    step: str
    sense: str
    told: tuple[str, ...] = ()  # Python of further numbers that are shown


def _drill(kind: str, seed: int, draw: Callable[[], _Asked | None]) -> Drill:
    def drawn() -> Drill | None:
        asked = draw()
        if not asked:
            return None
        names = {"Fraction": Fraction, **asked.names}
        answer = Fraction(exact(asked.formula, names))
        mistakes = [
            (Fraction(value), check, why)
            for value, check, why in mistakes_of(asked.mistakes, names)
            if value != answer
        ]
        several = len({value for value, *_ in mistakes}) >= _FEWEST_MISTAKES
        suits = answer >= _LEAST and answer.denominator <= _LONGEST
        if not (several and suits and told_apart(answer, mistakes)):
            return None
        return number_drill(
            kind,
            seed,
            answer,
            mistakes,
            _written,
            paragraphs(
                asked.rule,
                f"**The number.**\n\n$${asked.reason}$$",
                f"**Does it make sense?** {asked.sense}",
            ),
            prompt=asked.prompt,
            setup=_setup(asked.names),
            check=asked.check,
            why_check=asked.told,
            why=f"$${asked.reason}$$",
            hints=hints(asked.look, asked.step),
        )

    return until(drawn)


def _setup(names: Mapping[str, Any]) -> str:
    """Write the Python with which the quiz recomputes the key."""
    lines = [f"{name} = {value!r}" for name, value in names.items()]
    return (
        "from fractions import Fraction\n"
        "from itertools import count, product\n"
        "import numpy as np\n"
        "from scipy import stats\n"
        "from scipy.optimize import linprog\n" + "\n".join(lines) + "\n"
        "# The largest probability that any distribution gives.\n"
        "def largest(event, values, *moments):\n"
        "    rows = [values**k for k in range(len(moments))]\n"
        "    return -linprog(-1.0 * event, A_eq=rows, b_eq=moments).fun\n"
        "def above(a, mean):\n"
        "    x = np.arange(3 * int(a))\n"
        "    return largest(x >= int(a), x, 1, float(mean))\n"
        "def outside(d, sigma):\n"
        "    x = np.arange(-3 * int(d), 3 * int(d) + 1)\n"
        "    return largest(abs(x) >= int(d), x, 1, 0, float(sigma) ** 2)\n"
        "# A fair coin for each observation, with the value s or -s.\n"
        "def spread_of_sum(s, n):\n"
        "    return 2 * s * stats.binom(n, 0.5).std()\n"
    )


def _quotient(top: str, bottom: str, value: Fraction) -> str:
    """Write a division in TeX, and its value if that looks different."""
    written = rf"\frac{{{top}}}{{{bottom}}}"
    if fraction(value) != written:
        return f"{written} = {equals(value)}"
    return f"{written} {nearly(value)}"


# --- what an inequality guarantees ------------------------------------------

_OWNERS = (
    ("households of a village", "own", "books"),
    ("pupils of a school", "miss", "lessons a year"),
    ("shops of a street", "have", "employees"),
    ("guests of a hotel", "bring", "bags"),
    ("passengers of a bus", "pass", "stops"),
)
# What is measured of which things, the unit, and that of a sum.
_MEASURED = (
    ("parcels", "weight", "hectograms"),
    ("calls", "length", "minutes"),
    ("customers", "bill", "euros"),
    ("planks", "length", "centimetres"),
    ("bottles", "content", "millilitres"),
)


def deviation_bound(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for what Markov's or Chebyshev's inequality guarantees."""
    model = (_markov, _outside, _inside, _of_mean, _draws)[seed % 5]
    return _drill("deviation-bound", seed, lambda: model(rng))


def _markov(rng: np.random.Generator) -> _Asked | None:
    people, have, things = pick(rng, _OWNERS)
    m = int(rng.integers(2, 13))
    a = int(rng.integers(m + 2, 6 * m))
    return _Asked(
        prompt=(
            f"The {people} {have} {m} {things} on average. Which upper bound "
            "does Markov's inequality guarantee for the share of them that "
            f"{have} {a} {things} or more?"
        ),
        names={"m": Fraction(m), "a": Fraction(a)},
        formula="m / a",
        check="above(a, m)",
        mistakes=f"""
            1 - m / a | This is the share that is guaranteed to {have} fewer
                than {a} {things}.
            (m / a) ** 2 | Nothing is squared here. Chebyshev's inequality has
                squares, and needs a variance.
            m / (a - m) | Divide by the threshold itself, not by its distance
                from the mean.
            Fraction(1, 2) | Half of them can be above the median. The
                question is about the mean and another threshold.
            1 / a | The mean is in the numerator.
        """,
        rule=(
            "**The inequality.** No number is negative. If $X$ is the number "
            rf"of one of them, then $\mathbb{{P}}[X \ge {a}] \le "
            rf"\frac{{\mathbb{{E}}[X]}}{{{a}}}$."
        ),
        reason=_quotient(str(m), str(a), Fraction(m, a)),
        look=(
            f"How many {things} do those that {have} {a} or more contribute "
            "to the mean at least?"
        ),
        step=(
            f"A share $q$ of them with {a} or more alone makes a mean of "
            rf"${a} q$, which is at most ${m}$."
        ),
        sense=(
            f"The bound is attained if this share has exactly {a} and all "
            "others have none."
        ),
    )


def _one(rng: np.random.Generator) -> tuple[Any, ...] | None:
    """Draw the numbers of one variable: mean, deviation, distance."""
    sigma = int(rng.integers(2, 10))
    d = int(rng.integers(sigma + 1, 5 * sigma))
    mu = int(rng.integers(d + 1, d + 60))
    return pick(rng, _MEASURED), mu, sigma, d


def _outside(rng: np.random.Generator) -> _Asked | None:
    (what, measured, unit), mu, sigma, d = _one(rng)
    return _Asked(
        prompt=(
            f"Many {what} have a mean {measured} of {mu} {unit}, with "
            f"standard deviation {sigma}; nothing else is known. Which upper "
            "bound does Chebyshev's inequality guarantee for the share of "
            f"{what} whose {measured} is {d} {unit} or more away from the "
            "mean?"
        ),
        names=_three(mu, sigma, d),
        formula="sigma ** 2 / d ** 2",
        check="outside(d, sigma)",
        mistakes="""
            sigma / d | The standard deviation and the distance enter squared.
            sigma ** 2 / d | The distance enters squared, too.
            sigma / d ** 2 | The numerator is the variance, the square of the
                standard deviation.
            1 - sigma ** 2 / d ** 2 | This is the share that is guaranteed to
                be nearer to the mean.
            sigma ** 2 / d ** 2 / 2 | The bound is for both sides together,
                and nothing says that the distribution is symmetric.
        """,
        rule=_chebyshev("X", sigma, d),
        reason=_quotient(
            f"{sigma}^2", f"{d}^2", Fraction(sigma**2) / Fraction(d**2)
        ),
        told=("sigma", "d"),
        look=(
            "Which two numbers does Chebyshev's inequality need, and which "
            "of them enter squared?"
        ),
        step=f"The variance is ${sigma}^2 = {sigma**2}$.",
        sense=(
            "The bound is smaller than 1, because the distance exceeds the "
            "standard deviation."
        ),
    )


def _three(mu: int, sigma: int, d: int) -> dict[str, Any]:
    return {
        "mu": mu,
        "sigma": Fraction(sigma),
        "d": Fraction(d),
        "variance": sigma**2,
    }


def _chebyshev(name: str, sigma: int, d: int) -> str:
    return (
        "**The inequality.** The probability of a deviation of at least "
        f"{d} is at most the variance divided by the squared distance: "
        rf"$\mathbb{{P}}[|{name} - \mu| \ge {d}] \le \frac{{\sigma^2}}"
        rf"{{{d}^2}}$ with $\sigma = {sigma}$."
    )


def _inside(rng: np.random.Generator) -> _Asked | None:
    (what, measured, unit), mu, sigma, d = _one(rng)
    outside = Fraction(sigma**2, d**2)
    low, high = mu - d, mu + d
    return _Asked(
        prompt=(
            f"Many {what} have a mean {measured} of {mu} {unit}, with "
            f"standard deviation {sigma}; nothing else is known. Which share "
            "of them, at least, has by Chebyshev's inequality a "
            f"{measured} of more than {low} and less than {high} {unit}?"
        ),
        names={**_three(mu, sigma, d), "low": low, "high": high},
        formula="1 - sigma ** 2 / d ** 2",
        check="1 - outside(d, sigma)",
        mistakes="""
            sigma ** 2 / d ** 2 | This is the bound for the share outside. The
                share inside is asked for.
            1 - sigma / d | The standard deviation and the distance enter
                squared.
            1 - sigma ** 2 / d ** 2 / 2 | The bound is for both sides
                together, and nothing says that the distribution is symmetric.
            1 - sigma / d ** 2 | The numerator is the variance, the square of
                the standard deviation.
            1 - sigma ** 2 / (2 * d) ** 2 | The distance is counted from the
                mean, so it is half of the length of the interval.
        """,
        rule=_chebyshev("X", sigma, d),
        reason=(rf"1 - \frac{{{sigma}^2}}{{{d}^2}} = {equals(1 - outside)}"),
        told=("sigma", "d"),
        look="How far from the mean are the two ends, and which share can "
        "lie there or beyond?",
        step=(
            f"Both ends are {d} {unit} away from the mean: "
            f"${high} - {mu} = {d}$."
        ),
        sense="What is bounded from above is the share outside, so the share "
        "inside is bounded from below.",
    )


def _of_mean(rng: np.random.Generator) -> _Asked | None:
    what, measured, unit = pick(rng, _MEASURED)
    sigma, d = int(rng.integers(2, 13)), int(rng.integers(1, 6))
    n = pick(rng, [8, 10, 16, 20, 25, 30, 40, 50, 60, 80, 100])
    bound = Fraction(sigma**2, n * d**2)
    if bound >= 1:
        return None
    return _Asked(
        prompt=(
            f"The {measured} of each of {n} {what} is independent of the "
            "others, with the same mean and the standard deviation "
            f"{sigma} {unit}. Which upper bound does Chebyshev's inequality "
            f"guarantee for the probability that the mean of the {n} is "
            f"{d} {unit} or more away from its expectation?"
        ),
        names={"sigma": Fraction(sigma), "d": Fraction(d), "n": n},
        formula="sigma ** 2 / (n * d ** 2)",
        check="(spread_of_sum(sigma, n) / n) ** 2 / d**2",
        mistakes="""
            sigma ** 2 / d ** 2 | This is the bound for one of them. The mean
                of many varies less.
            sigma ** 2 / (n ** 2 * d ** 2) | The variance of the mean is that
                of one, divided by their number, not by its square.
            sigma / (n * d ** 2) | The numerator is the variance, the square
                of the standard deviation.
            sigma ** 2 / (n * d) | The distance enters squared.
            n * sigma ** 2 / d ** 2 | This takes the variance of the sum. The
                mean is asked for.
        """,
        rule=(
            rf"**The inequality.** The mean has the variance "
            rf"$\frac{{{sigma}^2}}{{{n}}}$, and Chebyshev's inequality "
            rf"divides it by the squared distance ${d}^2$."
        ),
        reason=_quotient(f"{sigma}^2", rf"{n} \cdot {d}^2", Fraction(bound)),
        told=("sigma", "d", "n"),
        look="What is the variance of the mean of independent variables?",
        step=(
            "The variance of the mean is "
            rf"${_quotient(f'{sigma}^2', str(n), Fraction(sigma**2, n))}$."
        ),
        sense="With more of them the bound falls, and it tends to zero. This "
        "is the weak law of large numbers.",
    )


def _draws(rng: np.random.Generator) -> _Asked | None:
    what, measured, unit = pick(rng, _MEASURED)
    sigma, d = int(rng.integers(2, 13)), int(rng.integers(1, 6))
    level = Fraction(1, pick(rng, [10, 20, 25, 40, 50, 100]))
    needed = Fraction(sigma**2, d**2) / level
    if needed.denominator > 1 or not 10 <= needed <= 4000:
        return None
    return _Asked(
        prompt=(
            f"The {measured} of one of the {what} has the standard deviation "
            f"{sigma} {unit}. How many of them, independent of each other, "
            "does Chebyshev's inequality require, so that their mean is "
            f"{d} {unit} or more away from its expectation with a probability "
            f"of at most {decimal(level)}?"
        ),
        names={"sigma": Fraction(sigma), "d": Fraction(d), "level": level},
        formula="sigma ** 2 / (level * d ** 2)",
        check="next(n for n in count(1) if sigma**2 / n <= level * d**2)",
        mistakes="""
            sigma ** 2 / (level * d) | The distance enters squared.
            sigma / (level * d ** 2) | The numerator is the variance, the
                square of the standard deviation.
            sigma ** 2 / d ** 2 | if sigma > d
                | The bound has to be as small as the given probability. Where
                does that enter?
            sigma / (level * d) | The standard deviation and the distance
                enter squared.
            sigma ** 2 / (level ** 2 * d ** 2) | The probability is not
                squared.
        """,
        rule=(
            "**The inequality.** For $n$ of them the probability is at most "
            rf"$\frac{{{sigma}^2}}{{n \cdot {d}^2}}$. This is at most "
            f"{decimal(level)} as soon as $n$ is large enough."
        ),
        reason=(
            rf"n \ge \frac{{{sigma}^2}}{{{decimal(level)} \cdot {d}^2}} "
            f"= {needed}"
        ),
        told=("sigma", "d", "level"),
        look="Write down the bound for $n$ of them. Which number must it not "
        "exceed?",
        step=(
            rf"Solve $\frac{{{sigma}^2}}{{n \cdot {d}^2}} \le "
            f"{decimal(level)}$ for $n$."
        ),
        sense="Half the distance would take four times as many.",
    )


# --- how sums and means vary ------------------------------------------------

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
    return _drill(
        "sampling-error", seed, lambda: models[seed % len(models)](rng)
    )


def _independent(n: int, what: str, measured: str, sd: str) -> str:
    return (
        f"The {measured} of each of {n} {what} is independent of the others, "
        f"with the same mean and the standard deviation {sd}."
    )


def _total(rng: np.random.Generator) -> _Asked | None:
    what, measured, unit = pick(rng, _MEASURED)
    n, sigma = pick(rng, _SQUARES), int(rng.integers(2, 30))
    k = isqrt(n)
    return _Asked(
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


def _mean(rng: np.random.Generator) -> _Asked | None:
    what, measured, unit = pick(rng, _MEASURED)
    n, sigma = pick(rng, _SQUARES), int(rng.integers(2, 30))
    k = isqrt(n)
    return _Asked(
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
            f"{_quotient(str(sigma), str(k), Fraction(sigma, k))}"
        ),
        told=("sigma", "k", "n"),
        look="By which number is the variance of one of them divided?",
        step=f"The root of {n} is {k}.",
        sense="The mean varies less than one of them.",
    )


def _needed(rng: np.random.Generator) -> _Asked | None:
    what, measured, unit = pick(rng, _MEASURED)
    error = Fraction(int(rng.integers(1, 16)), pick(rng, [1, 2, 5]))
    k = int(rng.integers(3, 21))
    sigma = error * k
    if sigma.denominator > 1 or error == 1:
        return None
    return _Asked(
        prompt=(
            f"The {measured} of one of the {what} has the standard deviation "
            f"{sigma} {unit}. How many of them, independent of each other, "
            "does it take until their mean has the standard error "
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


def _runs(rng: np.random.Generator) -> _Asked | None:
    n = pick(rng, [100, 200, 250, 400, 500, 800, 1000, 2000, 2500])
    factor = pick(rng, [2, 3, 4, 5, 6, 8, 10])
    error = Fraction(factor * int(rng.integers(1, 13)), 1000)
    wanted = error / factor
    return _Asked(
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


def _away(rng: np.random.Generator) -> _Asked | None:
    what, measured, unit = pick(rng, _MEASURED)
    n, sigma = pick(rng, _SQUARES), int(rng.integers(2, 13))
    mu, k = int(rng.integers(10, 60)), isqrt(n)
    z = Fraction(int(rng.integers(2, 13)), 4)
    total = n * mu + z * sigma * k
    if total.denominator > 1:
        return None
    excess = total - n * mu
    return _Asked(
        prompt=(
            f"The {measured} of each of {n} {what} is independent of the "
            f"others, with the mean {mu} and the standard deviation {sigma} "
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
            f"{_quotient(str(excess), str(sigma * k), z)}"
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


def _share(rng: np.random.Generator) -> _Asked | None:
    p, r = pick(rng, _SHARES)
    n = pick(rng, [16, 25, 36, 49, 64, 81, 100, 144, 225, 400, 900, 2500])
    k = isqrt(n)
    trials, succeeds = pick(rng, _TRIALS)
    return _Asked(
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


def _resampled(rng: np.random.Generator) -> _Asked | None:
    n = pick(rng, [3, 4])
    data = sorted(int(x) for x in rng.integers(0, 16, n))
    mean = Fraction(sum(data), n)
    squares = sum((x - mean) ** 2 for x in data)
    if mean.denominator > 1 or not squares:
        return None
    inner = " + ".join(f"({x} - {mean})^2" for x in data)
    return _Asked(
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
        reason=_quotient(
            str(squares), rf"{n} \cdot {n}", Fraction(squares, n * n)
        ),
        told=("sum(data) / n", "squares", "n"),
        look="A resample is drawn from the empirical distribution. Which mean "
        "and which variance has one draw?",
        step=f"One draw has the mean {mean}. Now find its variance.",
        sense="It is less than the variance of one draw.",
    )
