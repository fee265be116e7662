"""Drills of data in parts: merged moments, and the tree that adds counts."""

from fractions import Fraction
from functools import partial
from math import ceil
from typing import Any

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.asking import Asked, asked_drill
from bayesbook.study.drills.drill import Drill, pick
from bayesbook.study.drills.limits import MEASURED, quotient
from bayesbook.study.drills.writing import assigned, equals

# --- means and variances of parts -------------------------------------------


def _setup_of_moments(asked: Asked) -> str:
    """Write the Python with which the quiz recomputes the key."""
    return (
        "from fractions import Fraction\n"
        "import numpy as np\n"
        + assigned(asked.names)
        + "# Rows with a given mean and sum of squared deviations.\n"
        "def rows(n, m, q=0):\n"
        "    away = (float(q) / 2) ** 0.5\n"
        "    return np.append([m + away, m - away], [float(m)] * (n - 2))\n"
        "def spread(x):\n"
        "    return ((x - x.mean()) ** 2).sum()\n"
    )


_moment_drill = partial(
    asked_drill,
    setup=_setup_of_moments,
    known={"Fraction": Fraction},
    largest=60,
)


def merged_moments(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a mean, a sum of squares or a variance of two parts."""
    model = (_mean, _squares, _variance, _others)[seed % 4]
    return _moment_drill("merged-moments", seed, lambda: model(rng))


def _two_parts(rng: np.random.Generator) -> tuple[str, str, dict[str, Any]]:
    """Draw what is measured, and the moments of two parts."""
    what, measured, _ = pick(rng, MEASURED)
    n_1, n_2 = (int(n) for n in rng.integers(2, 10, 2))
    m_1, m_2 = (int(m) for m in rng.integers(1, 25, 2))
    q_1, q_2 = (int(q) for q in rng.integers(2, 40, 2))
    names = {"n1": n_1, "m1": m_1, "q1": q_1, "n2": n_2, "m2": m_2, "q2": q_2}
    return what, measured, names


def _mean(rng: np.random.Generator) -> Asked | None:
    what, measured, names = _two_parts(rng)
    n_1, m_1, n_2, m_2 = (names[name] for name in ("n1", "m1", "n2", "m2"))
    if n_1 == n_2 or m_1 == m_2:
        return None
    n = n_1 + n_2
    total = n_1 * m_1 + n_2 * m_2
    return Asked(
        prompt=(
            f"One file has {n_1} {what} with the mean {measured} {m_1}, "
            f"another one {n_2} {what} with the mean {measured} {m_2}. What "
            f"is the mean {measured} of all {n}?"
        ),
        names={**names, "n": n, "total": total},
        formula="Fraction(n1 * m1 + n2 * m2, n)",
        check="np.append(rows(n1, m1), rows(n2, m2)).mean()",
        mistakes="""
            Fraction(m1 + m2, 2) | This is the mean of the two means. The
                files have different sizes, so they have different weights.
            Fraction(n2 * m1 + n1 * m2, n) | Each mean has the size of the
                other file as its weight.
            n1 * m1 + n2 * m2 | This is the sum of all values. Divide it by
                their number.
            Fraction(n1 * m1 + n2 * m2, 2) | Divide the sum of all values by
                their number, not by the number of files.
            m2 | This is the mean of the second file alone.
        """,
        rule=(
            "**The rule.** Sums and numbers add up, means do not. The sum of "
            f"all values is the sum of both files, and there are {n} of them."
        ),
        reason=(
            rf"\frac{{{n_1} \cdot {m_1} + {n_2} \cdot {m_2}}}{{{n}}} = "
            f"{quotient(str(total), str(n), Fraction(total, n))}"
        ),
        told=("n", "total"),
        look="Which two numbers of a file add up, so that the mean of all "
        "follows from their sums?",
        step=f"The values of the first file have the sum "
        rf"${n_1} \cdot {m_1} = {n_1 * m_1}$.",
        sense="It lies between the two means, nearer to that of the larger "
        "file.",
    )


def _three(names: dict[str, Any], what: str, measured: str) -> str:
    """Write the moments of both parts."""
    return (
        f"One file has {names['n1']} {what}; their {measured}s have the mean "
        f"{names['m1']} and the sum of squared deviations {names['q1']}. "
        f"Another one has {names['n2']} {what}, with the mean {names['m2']} "
        f"and the sum of squared deviations {names['q2']}."
    )


def _between(names: dict[str, Any]) -> Fraction:
    n_1, n_2 = names["n1"], names["n2"]
    return Fraction(n_1 * n_2, n_1 + n_2) * (names["m1"] - names["m2"]) ** 2


def _sum_of_squares(names: dict[str, Any]) -> str:
    """Write the sum of squared deviations of both parts in TeX."""
    n_1, m_1, n_2, m_2 = (names[name] for name in ("n1", "m1", "n2", "m2"))
    return (
        rf"{names['q1']} + {names['q2']} + \frac{{{n_1} \cdot {n_2}}}"
        rf"{{{n_1 + n_2}}} ({m_1} - {m_2})^2"
    )


_TWO_MEANS = (
    "**The rule.** The squared deviations in a file are from its own mean. "
    "For those from the common mean, $\\frac{n_1 n_2}{n} (m_1 - m_2)^2$ is "
    "added to their sum."
)


def _squares(rng: np.random.Generator) -> Asked | None:
    what, measured, names = _two_parts(rng)
    between = _between(names)
    if abs(names["m1"] - names["m2"]) < 2 or between.denominator > 5:
        return None
    n = names["n1"] + names["n2"]
    q = names["q1"] + names["q2"] + between
    return Asked(
        prompt=(
            _three(names, what, measured)
            + f" What is the sum of squared deviations of all {n}, from "
            "their common mean?"
        ),
        names={**names, "n": n, "between": between},
        formula="q1 + q2 + between",
        check="spread(np.append(rows(n1, m1, q1), rows(n2, m2, q2)))",
        mistakes="""
            q1 + q2 | These deviations are from two different means. What is
                between the files is missing.
            q1 + q2 + (m1 - m2) ** 2 | The squared distance of the means has
                a weight, which depends on the sizes of the files.
            q1 + q2 + n * (m1 - m2) ** 2 | No value moves as far as from one
                mean to the other: the common mean lies between them.
            q1 + q2 + Fraction(n1 * n2, n) * abs(m1 - m2) | The distance of
                the means is squared.
            between | The deviations within the files belong to it, too.
        """,
        rule=_TWO_MEANS,
        reason=f"{_sum_of_squares(names)} = {equals(q)}",
        told=("n", "between"),
        look="From which mean are the deviations in each file, and from "
        "which mean are they wanted?",
        step=(
            rf"The weight is $\frac{{n_1 n_2}}{{n}} = "
            rf"{quotient(*_weight(names))}$."
        ),
        sense="It is larger than the sum of both, because the two means "
        "differ.",
    )


def _weight(names: dict[str, Any]) -> tuple[str, str, Fraction]:
    """Return numerator, denominator and value of n1 n2 / n."""
    n_1, n_2 = names["n1"], names["n2"]
    n = n_1 + n_2
    return rf"{n_1} \cdot {n_2}", str(n), Fraction(n_1 * n_2, n)


def _variance(rng: np.random.Generator) -> Asked | None:
    what, measured, names = _two_parts(rng)
    between = _between(names)
    if names["m1"] == names["m2"] or between.denominator > 1:
        return None
    n = names["n1"] + names["n2"]
    q = names["q1"] + names["q2"] + int(between)
    return Asked(
        prompt=(
            _three(names, what, measured)
            + f" What is the variance of all {n} (divide by {n})?"
        ),
        names={**names, "n": n, "between": int(between), "q": q},
        formula="Fraction(q, n)",
        check="np.append(rows(n1, m1, q1), rows(n2, m2, q2)).var()",
        mistakes="""
            Fraction(q1 + q2, n) | This would be right if both files had the
                same mean.
            Fraction(q, n - 1) | Here the divisor is the number of values
                itself.
            q | This is the sum of squared deviations. Divide it by the number
                of values.
            (Fraction(q1, n1) + Fraction(q2, n2)) / 2 | This is the mean of
                the two variances. It leaves out what is between the files.
            Fraction(q1 + q2, n) + (m1 - m2) ** 2 | The squared distance of
                the means has a weight, which depends on the sizes.
        """,
        rule=_TWO_MEANS + " The variance is this sum, divided by $n$.",
        reason=(
            rf"\frac{{1}}{{{n}}} \left({_sum_of_squares(names)}\right) = "
            f"{quotient(str(q), str(n), Fraction(q, n))}"
        ),
        told=("n", "between", "q", "Fraction(1, n)"),
        look="Which sum is divided by the number of values, and from which "
        "mean are its deviations?",
        step=(
            "The sum of squared deviations of all is "
            f"${_sum_of_squares(names)} = {q}$."
        ),
        sense="The squared distance of the two means raises the variance "
        "above the weighted mean of the two variances.",
    )


def _others(rng: np.random.Generator) -> Asked | None:
    what, measured, names = _two_parts(rng)
    n, n_1, m, m_1 = names["n1"] + 8, names["n2"], names["m1"], names["m2"]
    rest = n * m - n_1 * m_1
    if n <= n_1 + 1 or rest <= 0 or m == m_1 or n == 2 * n_1:
        return None
    others = n - n_1
    return Asked(
        prompt=(
            f"All {n} {what} have the mean {measured} {m}; the {n_1} of them "
            f"in the first file have the mean {measured} {m_1}. What is the "
            f"mean {measured} of the others?"
        ),
        names={"n": n, "m": m, "n1": n_1, "m1": m_1, "others": others},
        formula="Fraction(n * m - n1 * m1, others)",
        check="(rows(n, m).sum() - rows(n1, m1).sum()) / others",
        mistakes="""
            2 * m - m1 | This would be right if the first file had half of
                them.
            Fraction(n * m - n1 * m1, n) | Divide by the number of the
                others, not by that of all.
            n * m - n1 * m1 | This is the sum of the others. Divide it by
                their number.
            Fraction(n * m - n1 * m1, n1) | Divide by the number of the
                others, not by that of the first file.
            Fraction(n * m + n1 * m1, n + n1) | Those in the first file are
                among all of them, so their sum is subtracted.
        """,
        rule=(
            "**The rule.** Sums and numbers add up. So the sum of the others "
            "is the sum of all without that of the first file, and likewise "
            "for their number."
        ),
        reason=(
            rf"\frac{{{n} \cdot {m} - {n_1} \cdot {m_1}}}{{{n} - {n_1}}} = "
            f"{quotient(str(rest), str(others), Fraction(rest, others))}"
        ),
        told=("others", "n * m - n1 * m1", "n * m"),
        look="What do you get if you subtract the sum of the first file from "
        "the sum of all?",
        step=rf"All of them have the sum ${n} \cdot {m} = {n * m}$.",
        sense="The mean of all lies between that of the first file and that "
        "of the others.",
    )


# --- the tree that adds counts ----------------------------------------------


def _left(parts: int, together: int) -> list[int]:
    """Return how many tables are left after each level."""
    found = []
    while parts > 1:
        parts = ceil(Fraction(parts, together))
        found.append(parts)
    return found


def _levels(parts: int, together: int) -> int:
    return len(_left(parts, together))


def _tasks(parts: int, together: int) -> int:
    return sum(_left(parts, together))


def _setup_of_trees(asked: Asked) -> str:
    """Write the Python with which the quiz recomputes the key."""
    return (
        "from bisect import bisect\n"
        "from itertools import count\n"
        + assigned(asked.names)
        + "# The groups of tables that are added at each level.\n"
        "def tree(tables, k):\n"
        "    found = []\n"
        "    while len(tables) > 1:\n"
        "        starts = range(0, len(tables), k)\n"
        "        found.append([tables[s : s + k] for s in starts])\n"
        "        tables = [sum(group) for group in found[-1]]\n"
        "    return found\n"
        "def left(P, k):\n"
        "    return [len(groups) for groups in tree([1] * P, k)]\n"
        "def levels(P, k):\n"
        "    return len(tree([1] * P, k))\n"
        "def tasks(P, k):\n"
        "    return sum(left(P, k))\n"
    )


_tree_drill = partial(
    asked_drill,
    setup=_setup_of_trees,
    known={
        "Fraction": Fraction,
        "left": _left,
        "levels": _levels,
        "tasks": _tasks,
    },
)

_PARTS = ("files", "machines", "partitions", "days", "hospitals")


def reduction_tree(seed: int, rng: np.random.Generator) -> Drill:
    """Ask how large the tree is in which tables of counts are added."""
    model = (_of_levels, _of_tasks, _of_additions, _of_parts)[seed % 4]
    return _tree_drill("reduction-tree", seed, lambda: model(rng))


def _drawn(rng: np.random.Generator) -> tuple[str, int, int, list[int]]:
    things = pick(rng, _PARTS)
    parts, together = int(rng.integers(10, 700)), int(rng.integers(3, 11))
    return things, parts, together, _left(parts, together)


def _story(things: str, parts: int, together: int) -> str:
    return (
        f"There is a table of counts for each of {parts} {things}. The "
        f"tables are added in a tree: a task adds {together} neighbours, the "
        "last one of a level perhaps fewer, and the sums are added in the "
        "same way, until one table is left."
    )


def _chain(parts: int, left: list[int]) -> str:
    """Write how many tables there are before and after each level."""
    numbers = and_list([str(number) for number in left])
    return f"From {parts} tables the levels leave {numbers}."


def _of_levels(rng: np.random.Generator) -> Asked | None:
    things, parts, together, left = _drawn(rng)
    # Full groups at all levels would hide what a level is.
    if len(left) < 2 or parts == together ** len(left):
        return None
    return Asked(
        prompt=f"{_story(things, parts, together)} How many levels of "
        "additions does the tree have?",
        names={"P": parts, "k": together},
        formula="levels(P, k)",
        check="next(r for r in count() if k**r >= P)",
        mistakes="""
            levels(P, k) - 1 | So few levels are not enough: a level whose
                groups are not full is a level, too.
            left(P, k)[0] | This is the number of tasks of the first level.
            levels(P, 2) | if levels(P, 2) > levels(P, k) | This is the number
                of levels if tables are added in pairs.
            P - 1 | This is the number of additions of one table to another.
            tasks(P, k) | This is the number of tasks. Those of a level run at
                the same time.
        """,
        rule=(
            "**The rule.** After a level the number of tables is divided by "
            f"{together} and rounded up. {_chain(parts, left)}"
        ),
        reason=(
            rf"{together}^{{{len(left) - 1}}} < {parts} \le "
            rf"{together}^{{{len(left)}}}, \qquad "
            rf"\lceil \log_{{{together}}} {parts} \rceil = {len(left)}"
        ),
        told=_told(left),
        look="How many tables are left after the first level?",
        step=f"After the first level there are {left[0]} tables.",
        sense=f"With {len(left) - 1} levels at most "
        f"{together ** (len(left) - 1)} tables can be added.",
    )


def _told(left: list[int]) -> tuple[str, ...]:
    """Return Python of the numbers that an explanation shows."""
    places = tuple(f"left(P, k)[{at}]" for at in range(len(left)))
    return (*places, "k ** (levels(P, k) - 1)", "tasks(P, k)", "P - 1")


def _of_tasks(rng: np.random.Generator) -> Asked | None:
    things, parts, together, left = _drawn(rng)
    if len(left) < 2:
        return None
    return Asked(
        prompt=f"{_story(things, parts, together)} How many tasks does the "
        "tree have?",
        names={"P": parts, "k": together},
        formula="tasks(P, k)",
        check="sum(len(groups) for groups in tree([*range(P)], k))",
        mistakes="""
            left(P, k)[0] | These are the tasks of the first level alone.
            P - 1 | This is the number of additions of one table to another. A
                task makes several of them.
            levels(P, k) | This is the number of levels.
            tasks(P, k) - 1 | The last task belongs to the tree, too.
            P + tasks(P, k) | The tables of the parts are counted by other
                tasks; here only those that add are meant.
        """,
        rule=(
            "**The rule.** A level has as many tasks as it leaves tables. "
            f"{_chain(parts, left)}"
        ),
        reason=f"{' + '.join(map(str, left))} = {sum(left)}",
        told=_told(left),
        look="How many tasks does each level have?",
        step=f"The first level has {left[0]} tasks.",
        sense=f"A task replaces at most {together} tables by one, so there "
        f"are fewer tasks than the {parts - 1} additions.",
    )


def _of_additions(rng: np.random.Generator) -> Asked | None:
    things, parts, together, left = _drawn(rng)
    if len(left) < 2:
        return None
    return Asked(
        prompt=f"{_story(things, parts, together)} How often, in all tasks "
        "together, is one table added to another?",
        names={"P": parts, "k": together},
        formula="P - 1",
        check="sum(len(group) - 1 for groups in tree([1] * P, k) "
        "for group in groups)",
        mistakes="""
            tasks(P, k) | This is the number of tasks. A task that adds several
                tables makes several additions.
            P | The first table of a sum is added to nothing.
            left(P, k)[0] | These are the tasks of the first level.
            levels(P, k) * k | Not only the tasks on one path count, but all.
            P + tasks(P, k) | Each addition leaves one table less. So how many
                are needed until one is left?
        """,
        rule=(
            "**The rule.** Each addition of two tables leaves one table "
            "less, in any tree and in any order."
        ),
        reason=f"{parts} - 1 = {parts - 1}",
        told=_told(left),
        look="By how much does the number of tables fall with each addition?",
        step=f"There are {parts} tables at first, and one in the end.",
        sense="The tree does not save additions. It lets many of them be made "
        "at the same time.",
    )


def _of_parts(rng: np.random.Generator) -> Asked | None:
    things = pick(rng, _PARTS)
    together, levels = int(rng.integers(2, 21)), int(rng.integers(3, 5))
    most = together**levels
    if most > 20_000 or together == levels:
        return None
    return Asked(
        prompt=(
            f"There is a table of counts for each of some {things}. The "
            f"tables are added in a tree, at most {together} in a task, "
            f"and there is time for {levels} levels. Of how many {things}, at "
            "most, can the tables be added?"
        ),
        names={"k": together, "r": levels, "P": most},
        formula="k ** r",
        check="bisect(range(2 * k**r), r, key=lambda P: levels(P, k)) - 1",
        mistakes="""
            k * r | At each level every table stands for a number of tables:
                multiply, do not add.
            r ** k | Base and exponent are exchanged.
            k ** (r - 1) | There is time for one more level.
            k ** (r + 1) | This needs one more level.
            2 ** r | This is right if tables are added in pairs.
        """,
        rule=(
            f"**The rule.** A sum after one level has at most {together} "
            f"tables in it, and after each further level at most {together} "
            "times as many."
        ),
        reason=f"{together}^{{{levels}}} = {most}",
        told=(),
        look="How many tables can be in one sum after the first level, and "
        "after the second?",
        step=f"After two levels it is ${together}^2 = {together**2}$.",
        sense="The number of parts grows exponentially with the levels.",
    )
