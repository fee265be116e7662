"""Drills of risks: the least risk of a number, and its noise, bias, variance.

Probabilities are tenths and deviations whole numbers, so that each answer is
an exact fraction.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    Mistake,
    equals,
    fraction,
    hints,
    mistakes_of,
    paragraphs,
    rounded,
    table,
    told_apart,
)

_LEAST = Fraction(1, 50)
_LONGEST = 100
_FEWEST_MISTAKES = 3
_written = partial(rounded, longest=500)


def _suits(answer: Fraction, mistakes: list[Mistake]) -> bool:
    several = len({value for value, *_ in mistakes}) >= _FEWEST_MISTAKES
    by_hand = answer >= _LEAST and answer.denominator <= _LONGEST
    return by_hand and several and told_apart(answer, mistakes)


def _wrong(
    block: str, names: Mapping[str, Any], answer: Fraction
) -> list[Mistake]:
    return [
        (Fraction(value), check, why)
        for value, check, why in mistakes_of(block, names)
        if value != answer
    ]


# --- the least risk of one number -------------------------------------------

# What is a number, what one does with it, and its unit.
_UNKNOWN = (
    ("the delay of a train", "announced", "minutes"),
    ("the number of guests", "told to the cook", "guests"),
    ("the demand for newspapers", "ordered", "newspapers"),
    ("the length of a repair", "promised", "hours"),
    ("the number of goals", "forecast", "goals"),
)


def least_risk(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the smallest expected loss of one number."""
    what, done, unit = _UNKNOWN[seed // 4 % len(_UNKNOWN)]
    measured = "" if unit in what else f", in {unit}"
    loss = (_squared, _absolute, _zero_one, _unequal)[seed % 4]

    def draw() -> Drill | None:
        start = int(rng.integers(3))
        values = np.cumsum([start, *rng.integers(1, 5, 3)]).tolist()
        tenths = [int(n) for n in rng.multinomial(10, [0.25] * 4)]
        if not all(tenths) or tenths.count(max(tenths)) > 1:
            return None
        pmf = {v: Fraction(n, 10) for v, n in zip(values, tenths, strict=True)}
        asked = loss(pmf, unit, rng)
        if asked is None:
            return None
        names, answer = asked["names"], asked["answer"]
        mistakes = _wrong(asked["mistakes"], names, answer)
        if not _suits(answer, mistakes):
            return None
        reason = asked["reason"]
        return number_drill(
            "least-risk",
            seed,
            answer,
            mistakes,
            _written,
            paragraphs(
                f"**The best number.** {asked['rule']}",
                f"**Its risk.**\n\n$${reason}$$",
                "**Does it make sense?** The smallest and the largest value, "
                f"{values[0]} and {values[-1]}, have the risks "
                f"${_ends(asked, pmf)}$. Neither is smaller.",
            ),
            prompt=(
                f"Let $Y$ be {what}{measured}.\n\n"
                + table(
                    ["$y$", *[str(v) for v in pmf]],
                    [["probability", *[f"{n}/10" for n in tenths]]],
                )
                + f"\n\nOne number is {done}. {asked['loss']} What is the "
                "smallest expected loss that one can reach?"
            ),
            setup=(
                "from fractions import Fraction as F\n"
                f"pmf = {_python(pmf)}\n"
                f"mean, median, mode = {_python(_centres(pmf))}\n"
                f"{asked['setup']}"
                "def risk(c):\n"
                "    return sum(q * loss(v, c) for v, q in pmf.items())\n"
                "grid = [F(i, 10) for i in range(10 * max(pmf) + 11)]\n"
            ),
            check="min(risk(c) for c in grid)",
            why_check=(
                "[*pmf], [*pmf.values()], mean",
                asked["told"],
                "risk(min(pmf)), risk(max(pmf))",
            ),
            why=f"$${reason}$$",
            hints=hints(asked["look"], asked["step"]),
        )

    return until(draw)


def _python(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{v}: {_python(q)}" for v, q in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, tuple):
        return ", ".join(map(_python, value))
    if Fraction(value).denominator == 1:
        return str(value)
    return f"F({value.numerator}, {value.denominator})"


def _ends(asked: Mapping[str, Any], pmf: Mapping[int, Fraction]) -> str:
    """Write the risks of the smallest and of the largest value."""
    names: dict[str, Any] = {"pmf": pmf}
    exec(asked["setup"], names)
    risks = [
        sum((q * names["loss"](v, c) for v, q in pmf.items()), Fraction(0))
        for c in (min(pmf), max(pmf))
    ]
    return "$ and $".join(map(fraction, risks))


def _centres(pmf: Mapping[int, Fraction]) -> tuple[Fraction, int, int]:
    """Return mean, smallest median and mode."""
    mean = sum((v * q for v, q in pmf.items()), Fraction(0))
    at_least = Fraction(1, 2)
    return mean, _quantile(pmf, at_least), max(pmf, key=lambda v: pmf[v])


def _quantile(pmf: Mapping[int, Fraction], level: Fraction) -> int:
    """Return the smallest value that is exceeded with at most 1 - level."""
    return next(
        v for v in pmf if sum(q for u, q in pmf.items() if u <= v) >= level
    )


def _names(pmf: Mapping[int, Fraction], **others: Any) -> dict[str, Any]:
    mean, median, mode = _centres(pmf)
    names = {"pmf": pmf, "mean": mean, "median": median, "mode": mode}
    return {"F": Fraction, **names, **others}


def _weighted(pmf: Mapping[int, Fraction], loss: Any) -> str:
    """Write the sum of the losses that are not 0, with their weights."""
    return " + ".join(
        rf"{fraction(q)} \cdot {loss(v)}" for v, q in pmf.items() if loss(v)
    )


def _squared(
    pmf: Mapping[int, Fraction], unit: str, rng: np.random.Generator
) -> dict[str, Any] | None:
    mean, *_ = _centres(pmf)
    if mean.denominator > 2:
        return None
    answer = sum((q * (v - mean) ** 2 for v, q in pmf.items()), Fraction(0))
    terms = " + ".join(
        rf"{fraction(q)} \left({v} - {fraction(mean)}\right)^2"
        for v, q in pmf.items()
    )
    return {
        "answer": answer,
        "names": _names(pmf),
        "loss": f"The loss is the square of its error, in squared {unit}.",
        "setup": "def loss(v, c):\n    return (v - c) ** 2\n",
        "rule": (
            f"Squared loss is smallest at the mean, ${equals(mean)}$, and "
            "the risk there is the variance."
        ),
        "reason": f"{terms} = {equals(answer)}",
        "told": "risk(mean)",
        "look": "Which number is the best for squared loss: the mean, a "
        "median or the mode?",
        "step": f"The mean is ${equals(mean)}$. What is the mean squared "
        "distance from it?",
        "mistakes": """
            sum(q * (v - median) ** 2 for v, q in pmf.items()) | if mean !=
                median
                | This is the risk of the median, the best number for the
                absolute error.
            sum(q * (v - mode) ** 2 for v, q in pmf.items()) | if mean !=
                mode
                | This is the risk of the most probable value.
            sum(q * abs(v - mean) for v, q in pmf.items()) | This is the mean
                distance from the mean; the loss is its square.
            sum(q * v ** 2 for v, q in pmf.items()) | This is the mean of the
                squares of the numbers themselves. Take their distances from
                the best number first.
            mean | This is the best number; its risk is asked for.
        """,
    }


def _absolute(
    pmf: Mapping[int, Fraction], unit: str, rng: np.random.Generator
) -> dict[str, Any] | None:
    _, median, _ = _centres(pmf)
    answer = sum((q * abs(v - median) for v, q in pmf.items()), Fraction(0))
    return {
        "answer": answer,
        "names": _names(pmf),
        "loss": f"The loss is the size of its error, in {unit}.",
        "setup": "def loss(v, c):\n    return abs(v - c)\n",
        "rule": (
            f"Absolute loss is smallest at a median, and {median} is one: at "
            "least half of the probability is at or below it, and at least "
            "half at or above it."
        ),
        "reason": f"{_weighted(pmf, lambda v: abs(v - median))} = "
        f"{equals(answer)}",
        "told": "[abs(v - median) for v in pmf]",
        "look": "Which number is the best for absolute loss: the mean, a "
        "median or the mode?",
        "step": f"A median is {median}. What is the mean distance from it?",
        "mistakes": """
            sum(q * abs(v - mean) for v, q in pmf.items()) | This is the risk
                of the mean, the best number for the squared error.
            sum(q * abs(v - mode) for v, q in pmf.items()) | if mode != median
                | This is the risk of the most probable value. It is not a
                median here.
            sum(q * (v - median) ** 2 for v, q in pmf.items()) | This is the
                mean square of the error; the loss is the error itself,
                without its sign.
            sum(F(abs(v - median), len(pmf)) for v in pmf) | This is a mean
                without weights. The values have different probabilities.
            median | This is the best number; its risk is asked for.
        """,
    }


def _zero_one(
    pmf: Mapping[int, Fraction], unit: str, rng: np.random.Generator
) -> dict[str, Any] | None:
    *_, mode = _centres(pmf)
    answer = 1 - pmf[mode]
    return {
        "answer": answer,
        "names": _names(pmf),
        "loss": "The loss is 0 if it is exactly right, and 1 otherwise.",
        "setup": "def loss(v, c):\n    return int(v != c)\n",
        "rule": (
            "The 0-1 risk of a number is the probability of every other "
            f"value, so it is smallest at the mode, {mode}."
        ),
        "reason": f"1 - {fraction(pmf[mode])} = {equals(answer)}",
        "told": "pmf[mode]",
        "look": "The risk is the probability that the number is wrong. For "
        "which number is it smallest?",
        "step": f"The most probable value is {mode}, with probability "
        f"${fraction(pmf[mode])}$.",
        "mistakes": """
            pmf[mode] | This is the probability that the best number is right;
                the risk is that it is wrong.
            sum(q for v, q in pmf.items() if v != mean) | if mean not in pmf
                | This is the risk of the mean, which is not a possible value
                and therefore always wrong.
            1 - pmf[median] | if median != mode
                | This is the risk of the median, the best number for the
                absolute error.
            1 - pmf[max(pmf)] | if max(pmf) != mode
                | This is the risk of the largest value.
            mode | This is the best number; its risk is asked for.
        """,
    }


def _unequal(
    pmf: Mapping[int, Fraction], unit: str, rng: np.random.Generator
) -> dict[str, Any] | None:
    above, below = pick(rng, [(1, 3), (3, 1), (1, 4), (4, 1), (1, 9), (9, 1)])
    level = Fraction(below, above + below)
    best = _quantile(pmf, level)

    def loss(v: int, c: Fraction | int) -> Fraction | int:
        return above * (c - v) if c >= v else below * (v - c)

    answer = sum((q * loss(v, best) for v, q in pmf.items()), Fraction(0))
    if best == _centres(pmf)[1]:
        return None
    names = _names(pmf, loss=loss, best=best, above=above, below=below)
    return {
        "answer": answer,
        "names": names,
        "loss": (
            f"Each of the {unit} by which it is too large costs {above}, and "
            f"each by which it is too small costs {below}."
        ),
        "setup": (
            f"above, below, best = {above}, {below}, {best}\n"
            "def loss(v, c):\n"
            "    return above * (c - v) if c >= v else below * (v - c)\n"
        ),
        "rule": (
            f"A larger number costs {above} for each unit wherever the value "
            f"is at or below it, and saves {below} wherever the value is "
            "above it. So the risk is smallest at the first value for which "
            "the probability of that value or less is at least "
            rf"$\frac{{{below}}}{{{above} + {below}}} = {equals(level)}$. "
            f"Here it is {best}."
        ),
        "reason": f"{_weighted(pmf, lambda v: loss(v, best))} = "
        f"{equals(answer)}",
        "told": "[loss(v, best) for v in pmf], F(below, above + below)",
        "look": "What does the risk gain, and what does it lose, if the "
        "number grows a little? The two are equal where a certain share of "
        "the probability lies at or below it.",
        "step": f"The number should be so large that at least "
        f"${equals(level)}$ of the probability lies at or below it.",
        "mistakes": """
            sum(q * loss(v, median) for v, q in pmf.items()) | This is the
                risk of a median, which is the best number only if both errors
                cost the same.
            sum(q * loss(v, mean) for v, q in pmf.items()) | This is the
                risk of the mean, the best number for the squared error.
            sum(q * loss(best, v) for v, q in pmf.items()) | The two costs
                are exchanged: what is paid for each that is too many, and for
                each that is missing?
            sum(q * abs(v - best) for v, q in pmf.items()) | This is the mean
                error of the best number, without its costs.
            best | This is the best number; its risk is asked for.
        """,
    }


# --- noise, bias and variance -----------------------------------------------

# What is counted, and where from.
_SERIES = (
    ("numbers of calls", "day"),
    ("yields", "field"),
    ("incomes of a stall", "evening"),
    ("weights of parcels", "parcel"),
    ("results of a student", "test"),
)


def squared_risk(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the squared risk of a prediction that is drawn to a number."""
    what, unit = _SERIES[seed % len(_SERIES)]

    def draw() -> Drill | None:
        mu, s = int(rng.integers(13, 41)), int(rng.integers(2, 9))
        n = int(rng.integers(2, 7))
        guess = mu + pick(rng, [-6, -4, -3, -2, 2, 3, 4, 6])
        w = pick(rng, [Fraction(a, b) for a, b in _WEIGHTS])
        names = {"mu": mu, "s": s, "n": Fraction(n), "guess": guess, "w": w}
        noise, bias = Fraction(s**2), (1 - w) * (guess - mu)
        variance = w**2 * noise / n
        answer = noise + bias**2 + variance
        mistakes = _wrong(_RISK_MISTAKES, names, answer)
        if not _suits(answer, mistakes):
            return None
        share = fraction(w)
        rest = fraction(1 - w)
        reason = (
            rf"{s}^2 + \left({fraction(bias)}\right)^2 + {fraction(variance)} "
            f"= {equals(answer)}"
        )
        return number_drill(
            "squared-risk",
            seed,
            answer,
            mistakes,
            _written,
            paragraphs(
                f"**Noise.** The next value has the variance ${s}^2 = "
                f"{s**2}$, whatever is predicted.",
                "**Bias.** The mean of the prediction, minus that of the "
                rf"values, is ${rest} \cdot ({guess} - {mu}) = "
                f"{equals(bias)}$.",
                "**Variance.** The mean of the earlier values has the "
                f"variance ${_quotient(s * s, n)}$, and the prediction has "
                rf"$\left({share}\right)^2 \cdot {fraction(noise / n)} = "
                f"{equals(variance)}$.",
                f"**The number.**\n\n$${reason}$$",
                "**Does it make sense?** It is more than the noise, which no "
                "prediction avoids.",
            ),
            prompt=(
                f"The {what} are independent, one for each {unit}, with the "
                f"mean {mu} and the standard deviation {s}. Somebody who "
                f"does not know this predicts the next value by ${share}$ of "
                f"the mean of {n} earlier values plus ${rest}$ of the number "
                f"{guess}. What is the expected squared error?"
            ),
            setup=(
                "from fractions import Fraction as F\n"
                "from math import comb\n"
                f"mu, s, n, guess = {mu}, {s}, {n}, {guess}\n"
                f"w = F({w.numerator}, {w.denominator})\n"
                "noise, bias = F(s ** 2), (1 - w) * (guess - mu)\n"
                "variance = w ** 2 * noise / n\n"
                "# Each value is mu + s or mu - s, with equal probability.\n"
                "def error(k, sign):\n"
                "    earlier = mu + s * F(2 * k - n, n)\n"
                "    return mu + s * sign - w * earlier - (1 - w) * guess\n"
            ),
            check=(
                "sum(F(comb(n, k), 2 ** (n + 1)) * error(k, sign) ** 2 "
                "for k in range(n + 1) for sign in (-1, 1))"
            ),
            why_check=("[w, 1 - w, noise, bias, variance, noise / n]",),
            why=f"$${reason}$$",
            hints=hints(
                "The risk is a sum of three parts: the noise of the next "
                "value, the square of the bias, and the variance of the "
                "prediction. Which numbers of the text belong to which?",
                rf"The bias is ${rest} \cdot ({guess} - {mu}) = "
                f"{equals(bias)}$. What is the variance of the prediction?",
            ),
        )

    return until(draw)


_WEIGHTS = [(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (4, 5)]


def _quotient(top: int, bottom: int) -> str:
    """Write a quotient, and what it is if it can be reduced."""
    written = rf"\frac{{{top}}}{{{bottom}}}"
    value = equals(Fraction(top, bottom))
    return value if value.startswith(written) else f"{written} = {value}"


_RISK_MISTAKES = """
    ((1 - w) * (guess - mu)) ** 2 + w ** 2 * s ** 2 / n | This leaves out
        the noise of the value that is predicted.
    s ** 2 + w ** 2 * s ** 2 / n | This leaves out the bias.
    s ** 2 + ((1 - w) * (guess - mu)) ** 2 | This leaves out the variance
        of the prediction.
    s ** 2 + (guess - mu) ** 2 + s ** 2 / n | This leaves out the weights:
        the number and the mean have only a part in the prediction.
    s ** 2 + ((1 - w) * (guess - mu)) ** 2 + w * s ** 2 / n | In a
        variance the weight is squared.
    s ** 2 + abs((1 - w) * (guess - mu)) + w ** 2 * s ** 2 / n | The bias
        is squared.
    s ** 2 + ((1 - w) * (guess - mu)) ** 2 + w ** 2 * s ** 2 | The mean of
        several values has a smaller variance than one of them.
"""
