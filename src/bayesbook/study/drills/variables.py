"""Drills of random variables: conditional means, and total variance.

Cases are counted, so that each answer is an exact fraction.
"""

from collections.abc import Iterator, Mapping
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

# --- a conditional mean -----------------------------------------------------

# Cases, the known variable Y with its head, and X, whose mean is asked for.
_TABLES = (
    ("households", "cars", "persons"),
    ("matches", "goals of the guests", "goals of the hosts"),
    ("days", "late trains", "complaints"),
    ("books", "authors", "printings"),
    ("flats", "balconies", "rooms"),
)


def conditional_mean(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the mean of one variable given a value of another."""
    what, known, asked = _TABLES[seed % len(_TABLES)]

    def draw() -> Drill | None:
        start = int(rng.integers(1, 3))
        xs, ys = range(start, start + 3), range(3)
        drawn = rng.integers(1, 10, (len(ys), len(xs))).tolist()
        counts = {
            (x, y): n
            for y, row in zip(ys, drawn, strict=True)
            for x, n in zip(xs, row, strict=True)
        }
        given = pick(rng, list(ys))
        row = {x: counts[x, given] for x in xs}
        size = sum(row.values())
        answer = Fraction(sum(x * n for x, n in row.items()), size)
        mistakes = list(_mean_mistakes(counts, given, answer))
        if not _suits(answer, mistakes):
            return None
        sums = " + ".join(rf"{n} \cdot {x}" for x, n in row.items())
        total = sum(x * n for x, n in row.items())
        reason = (
            rf"\mathbb{{E}}[X \mid Y = {given}] = \frac{{{sums}}}{{{size}}} "
            rf"= \frac{{{total}}}{{{size}}}"
        )
        if fraction(answer) != rf"\frac{{{total}}}{{{size}}}":
            reason += f" = {equals(answer)}"
        whole = sum(counts.values())
        return number_drill(
            "conditional-mean",
            seed,
            answer,
            mistakes,
            _written,
            paragraphs(
                "**The slice.** Only the row of what is known counts: its "
                f"numbers, divided by their sum {size}, are the conditional "
                "distribution.",
                f"**The number.**\n\n$${reason}$$",
                "**Does it make sense?** The mean lies between the smallest "
                f"and the largest value of $X$, {xs[0]} and {xs[-1]}.",
            ),
            prompt=(
                f"A table counts {whole} {what}: $Y$ is the number of "
                f"{known}, $X$ the number of {asked}.\n\n"
                + table(
                    ["$Y$", *[f"$X = {x}$" for x in xs]],
                    [[str(y), *[str(counts[x, y]) for x in xs]] for y in ys],
                )
                + "\n\nOne of them is drawn at random. Find "
                rf"$\mathbb{{E}}[X \mid Y = {given}]$."
            ),
            setup=(
                "from fractions import Fraction\n"
                "from bayesbook.probability import Table\n"
                f"counts = {counts!r}\n"
                f"given = {given}\n"
                f"whole = {whole}\n"
                "row = {x: n for (x, y), n in counts.items() if y == given}\n"
                "size = sum(row.values())\n"
                "total = sum(x * n for x, n in row.items())\n"
                "joint = Table.from_counts(counts, ['X', 'Y'], exact=True)\n"
            ),
            check="joint.expectation('X', given={'Y': given})",
            why_check=("whole", "size", "total", "min(row)", "max(row)"),
            why=f"$${reason}$$",
            hints=hints(
                "Which of the cases agree with what is known, and how many "
                "are they?",
                f"In the row there are {size} {what}. Add up their values of "
                "$X$.",
            ),
        )

    return until(draw)


def _mean_mistakes(
    counts: Mapping[tuple[int, int], int], given: int, answer: Fraction
) -> Iterator[Mistake]:
    names: dict[str, Any] = {
        "counts": counts,
        "given": given,
        "Fraction": Fraction,
        "whole": Fraction(sum(counts.values())),
        "row": {x: n for (x, y), n in counts.items() if y == given},
    }
    block = """
        sum(x * n for (x, y), n in counts.items()) / whole
            = joint.expectation('X')
            | This is $\\mathbb{E}[X]$. It ignores what is known.
        sum(x * n for x, n in row.items()) / whole
            = joint.expectation(lambda X, Y: X * (Y == given))
            | This divides by the number of all cases. Divide by the number
            of those in the row.
        Fraction(sum(row), len(row))
            | This is the mean of the values without weights. They are not
            equally frequent in the row.
        max(row, key=row.get)
            | if list(row.values()).count(max(row.values())) == 1
            | This is the most frequent value of the row, not its mean.
        Fraction(sum(row.values()), len(row))
            | This is the mean of the counts in the row. The mean of $X$ is
            asked for: each value counts as often as the row says.
    """
    for value, check, why in mistakes_of(block, names):
        if value != answer:
            yield Fraction(value), check, why


# --- the variance of the whole ----------------------------------------------

# Members, what is measured, its unit, and the names of two groups.
_GROUPS = (
    ("trains", "delay", "minutes", ("in the morning", "in the evening")),
    ("students", "result", "points", ("of the first class", "of the second")),
    ("parcels", "weight", "hectograms", ("from the town", "from abroad")),
    ("bottles", "content", "centilitres", ("of plant A", "of plant B")),
    ("calls", "length", "minutes", ("on weekdays", "on Sundays")),
)


def total_variance(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the variance of the whole, from those of two parts."""
    what, measured, unit, parts = _GROUPS[seed % len(_GROUPS)]

    def draw() -> Drill | None:
        whole = pick(rng, [10, 20, 40, 50, 100])
        share = Fraction(pick(rng, [1, 2, 3, 4, 6, 7, 8, 9]), 10)
        sizes = int(share * whole), int((1 - share) * whole)
        if sum(sizes) != whole:
            return None
        first = int(rng.integers(12, 30))
        means = [first, first + pick(rng, [-8, -6, -5, -4, 4, 5, 6, 8])]
        deviations = [int(s) for s in rng.integers(1, 6, 2)]
        if deviations[0] == deviations[1]:
            return None
        names = _of_groups(sizes, means, deviations)
        within, between = names["within"], names["between"]
        answer = within + between
        mistakes = list(_variance_mistakes(names, answer))
        if not _suits(answer, mistakes):
            return None
        inner = " + ".join(
            rf"{fraction(Fraction(n, whole))} \cdot {s}^2"
            for n, s in zip(sizes, deviations, strict=True)
        )
        centre = names["centre"]
        outer = " + ".join(
            rf"{fraction(Fraction(n, whole))} "
            rf"\left({m} - {fraction(centre)}\right)^2"
            for n, m in zip(sizes, means, strict=True)
        )
        reason = (
            rf"\operatorname{{Var}}[X] = {fraction(within)} + "
            rf"{fraction(between)} = {equals(answer)}"
        )
        told = " ".join(
            f"The {n} {what} {part} have a mean {measured} of {m} {unit}, "
            f"with standard deviation {s}."
            for n, part, m, s in zip(
                sizes, parts, means, deviations, strict=True
            )
        )
        return number_drill(
            "total-variance",
            seed,
            answer,
            mistakes,
            _written,
            paragraphs(
                "**Within.** The mean of the two variances, with the shares "
                f"of the groups as weights:\n\n$${inner} = "
                f"{equals(within)}$$",
                f"**Between.** The mean of all is ${equals(centre)}$, and the "
                f"variance of the two means is\n\n$${outer} = "
                f"{equals(between)}$$",
                f"**The number.**\n\n$${reason}$$",
                "**Does it make sense?** It is more than the variance within, "
                "because the means of the groups differ.",
            ),
            prompt=(
                f"{told} What is the variance of the {measured} of all "
                f"{whole} {what}?"
            ),
            setup=(
                "from fractions import Fraction\n"
                "from bayesbook.probability import Table\n"
                f"sizes, means = {sizes!r}, {means!r}\n"
                f"deviations = {deviations!r}\n"
                "whole = sum(sizes)\n"
                "weights = [Fraction(n, whole) for n in sizes]\n"
                "variances = [s ** 2 for s in deviations]\n"
                "# Half of a group below its mean, half above.\n"
                "joint = Table(\n"
                "    [[w / 2, w / 2] for w in weights],\n"
                "    {'Y': (0, 1), 'Z': (-1, 1)},\n"
                ")\n"
                "def X(Y, Z):\n"
                "    return means[Y] + Z * deviations[Y]\n"
                "centre = joint.expectation(X)\n"
                "within, between = joint.total_variance(X, given='Y')\n"
            ),
            check="joint.variance(X)",
            why_check=("within, between, centre, *weights, *variances",),
            why=f"$${reason}$$",
            hints=hints(
                "The variance has a part within the groups and a part "
                "between them. Which numbers of the text belong to which?",
                "Within, the mean of the variances is "
                f"${equals(within)}$. Now find the variance of the two means.",
            ),
        )

    return until(draw)


def _of_groups(sizes: Any, means: Any, deviations: Any) -> dict[str, Any]:
    """Return the parts of the variance, and what they are made of."""
    whole = sum(sizes)
    weights = [Fraction(n, whole) for n in sizes]
    variances = [s**2 for s in deviations]
    pairs = list(zip(weights, means, strict=True))
    centre = sum((w * m for w, m in pairs), Fraction(0))
    return {
        "Fraction": Fraction,
        "weights": weights,
        "means": means,
        "deviations": deviations,
        "variances": variances,
        "centre": centre,
        "within": sum(w * v for w, v in zip(weights, variances, strict=True)),
        "between": sum(w * (m - centre) ** 2 for w, m in pairs),
    }


def _variance_mistakes(
    names: Mapping[str, Any], answer: Fraction
) -> Iterator[Mistake]:
    block = """
        within
            | This is the variance within the groups. Their means differ,
            too: add the variance between them.
        between
            | This is the variance of the two means. Within the groups there
            is variation, too.
        sum(variances) + between
            | The variance within is the *weighted mean* of the two
            variances, not their sum.
        Fraction(sum(variances), 2) + between
            | if weights[0] != weights[1]
            | The groups have different sizes. Weigh their variances by their
            shares.
        within + abs(means[0] - means[1])
            | The part between is the variance of the two means, not their
            distance.
        sum(w * s for w, s in zip(weights, deviations)) + between
            | This averages the standard deviations. Square them first: it is
            variances that are averaged.
    """
    for value, check, why in mistakes_of(block, names):
        if value != answer:
            yield Fraction(value), check, why


def _suits(answer: Fraction, mistakes: list[Mistake]) -> bool:
    """Return whether it can be done by hand, and mistakes can be told."""
    several = len({value for value, *_ in mistakes}) >= _FEWEST_MISTAKES
    return (
        answer >= _LEAST
        and answer.denominator <= _LONGEST
        and several
        and told_apart(answer, mistakes)
    )
