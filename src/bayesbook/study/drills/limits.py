"""Drills of limit theorems: what an inequality guarantees."""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from bayesbook.study.drills.asking import Asked, asked_drill
from bayesbook.study.drills.drill import Drill, pick
from bayesbook.study.drills.writing import (
    assigned,
    decimal,
    equals,
    fraction,
    nearly,
)


def _setup(asked: Asked) -> str:
    """Write the Python with which the quiz recomputes the key."""
    return (
        "from fractions import Fraction\n"
        "from itertools import count, product\n"
        "import numpy as np\n"
        "from scipy import stats\n"
        "from scipy.optimize import linprog\n"
        + assigned(asked.names)
        + "# The largest probability that any distribution gives.\n"
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


#: A drill of limits, from a kind, a seed and what draws a question.
limit_drill = partial(
    asked_drill, setup=_setup, known={"Fraction": Fraction}, largest=200
)


def quotient(top: str, bottom: str, value: Fraction) -> str:
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
MEASURED = (
    ("parcels", "weight", "hectograms"),
    ("calls", "length", "minutes"),
    ("customers", "bill", "euros"),
    ("planks", "length", "centimetres"),
    ("bottles", "content", "millilitres"),
)


def deviation_bound(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for what Markov's or Chebyshev's inequality guarantees."""
    model = (_markov, _outside, _inside, _of_mean, _draws)[seed % 5]
    return limit_drill("deviation-bound", seed, lambda: model(rng))


def _markov(rng: np.random.Generator) -> Asked | None:
    people, have, things = pick(rng, _OWNERS)
    m = int(rng.integers(2, 13))
    a = int(rng.integers(m + 2, 6 * m))
    return Asked(
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
        reason=quotient(str(m), str(a), Fraction(m, a)),
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


def _one(rng: np.random.Generator) -> tuple[Any, ...]:
    """Draw the numbers of one variable: mean, deviation, distance."""
    sigma = int(rng.integers(2, 10))
    d = int(rng.integers(sigma + 1, 5 * sigma))
    mu = int(rng.integers(d + 1, d + 60))
    return pick(rng, MEASURED), mu, sigma, d


def _outside(rng: np.random.Generator) -> Asked | None:
    (what, measured, unit), mu, sigma, d = _one(rng)
    return Asked(
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
        reason=quotient(
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


def _inside(rng: np.random.Generator) -> Asked | None:
    (what, measured, unit), mu, sigma, d = _one(rng)
    outside = Fraction(sigma**2, d**2)
    low, high = mu - d, mu + d
    return Asked(
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


def _of_mean(rng: np.random.Generator) -> Asked | None:
    what, measured, unit = pick(rng, MEASURED)
    sigma, d = int(rng.integers(2, 13)), int(rng.integers(1, 6))
    n = pick(rng, [8, 10, 16, 20, 25, 30, 40, 50, 60, 80, 100])
    bound = Fraction(sigma**2, n * d**2)
    if bound >= 1:
        return None
    return Asked(
        prompt=(
            f"The {measured}s of {n} {what} are independent, with the same "
            f"mean and a standard deviation of {sigma} {unit} each. "
            "Which upper bound does Chebyshev's inequality "
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
        reason=quotient(f"{sigma}^2", rf"{n} \cdot {d}^2", Fraction(bound)),
        told=("sigma", "d", "n"),
        look="What is the variance of the mean of independent variables?",
        step=(
            "The variance of the mean is "
            rf"${quotient(f'{sigma}^2', str(n), Fraction(sigma**2, n))}$."
        ),
        sense="With more of them the bound falls, and it tends to zero. This "
        "is the weak law of large numbers.",
    )


def _draws(rng: np.random.Generator) -> Asked | None:
    what, measured, unit = pick(rng, MEASURED)
    sigma, d = int(rng.integers(2, 13)), int(rng.integers(1, 6))
    level = Fraction(1, pick(rng, [10, 20, 25, 40, 50, 100]))
    needed = Fraction(sigma**2, d**2) / level
    if needed.denominator > 1 or not 10 <= needed <= 4000:
        return None
    return Asked(
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
