"""Drills of features of every kind: counts in two lists, Gaussian log-odds.

Counts and measurements are whole numbers, so each answer is an exact fraction.
"""

from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from bayesbook.study.drills.drill import Drill, number_drill, until
from bayesbook.study.drills.writing import (
    equals,
    hints,
    mistakes_to_tell,
    names_of,
    paragraphs,
    rounded,
    table,
)

_LARGEST_ODDS = 8  # in absolute value: beyond, a reader only sees certainty
_LEAST_ODDS = Fraction(1, 10)
_written = partial(rounded, longest=500)
_IMPORTS = "from fractions import Fraction as F\n"


# --- counts in two lists ----------------------------------------------------


class _Story(NamedTuple):
    """Two lists of rows, a class of them, and a state of a feature."""

    lists: tuple[str, str]
    many: str
    of_class: str
    classes: int
    feature: str
    state: str
    states: int


_STORIES = (
    _Story(("Monday", "Tuesday"), "melons", "good", 2, "root", "curly", 3),
    _Story(("May", "June"), "e-mails", "spam", 3, "hour", "at night", 4),
    _Story(("wood", "meadow"), "mushrooms", "edible", 2, "cap", "red", 5),
    _Story(("north", "south"), "parcels", "late", 2, "route", "by air", 3),
    _Story(("hall A", "hall B"), "machines", "faulty", 3, "age", "old", 2),
)

_COUNTS_HELP = """
all_rows, of_class, hits, gone = (list(column) for column in zip(*lists))
known = [n - m for n, m in zip(of_class, gone)]
def share(part, whole, cells, lam=1):
    return F(part + lam, whole + cells * lam)
def listed():
    rows = []
    for total, size, with_state, missing in lists:
        rows += [("in", "s")] * with_state + [("in", None)] * missing
        rows += [("in", "other")] * (size - with_state - missing)
        rows += [("out", "other")] * (total - size)
    return rows
"""

_STATE_MISTAKES = """
    (share(hits[0], known[0], S) + share(hits[1], known[1], S)) / 2 | This is
        the mean of the estimates of both lists. A list with few rows must not
        weigh as much as one with many.
    share(sum(hits), sum(known), S, 2) | This has the imagined rows of both
        lists. Together they are smoothed once.
    F(sum(hits), sum(known)) | This is not smoothed: add 1 for each state.
    F(sum(hits) + 1, sum(known) + 1) | There is one imagined row for each
        state, so the denominator grows by the number of states.
    share(sum(hits), sum(known), K) | if K != S | This has the number of
        classes in the denominator. The states of the feature are to sum to
        one.
    share(hits[1], known[1], S) | This uses the second list only.
    share(sum(hits), sum(all_rows), S) | The denominator has the rows of all
        classes.
    share(sum(hits), sum(of_class), S) | if sum(gone) | Rows whose value is
        missing do not count for this feature.
"""

_PRIOR_MISTAKES = """
    (share(of_class[0], all_rows[0], K) + share(of_class[1], all_rows[1], K))
        / 2 | This is the mean of the estimates of both lists. A list with few
        rows must not weigh as much as one with many.
    share(sum(of_class), sum(all_rows), K, 2) | This has the imagined rows of
        both lists. Together they are smoothed once.
    F(sum(of_class), sum(all_rows)) | This is not smoothed: add 1 for each
        class.
    F(sum(of_class) + 1, sum(all_rows) + 1) | There is one imagined row for
        each class, so the denominator grows by the number of classes.
    share(sum(of_class), sum(all_rows), S) | if K != S | This has the number
        of states in the denominator. The classes are to sum to one.
    share(of_class[1], all_rows[1], K) | This uses the second list only.
    share(sum(known), sum(all_rows), K) | if sum(gone) | A row counts for its
        class even if a feature is missing.
"""


def pooled_counts(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for an estimate of naive Bayes from the counts of two lists."""
    story, variant = _STORIES[seed // 3 % len(_STORIES)], seed % 3
    return until(lambda: _pooled(seed, story, _lists(rng, variant), variant))


def _lists(rng: np.random.Generator, variant: int) -> list[tuple[int, ...]]:
    """Draw, by list: rows, those of the class, with the state, missing."""
    lists: list[tuple[int, ...]] = []
    for low, high in ((10, 30), (30, 90)):
        total = int(rng.integers(low, high))
        size = int(rng.integers(total // 3, 2 * total // 3))
        gone = int(rng.integers(1, size // 3 + 2)) if variant else 0
        hits = int(rng.integers(1, max(2, size - gone)))
        lists.append((total, size, hits, gone))
    return lists


def _pooled(
    seed: int, story: _Story, lists: list[tuple[int, ...]], variant: int
) -> Drill | None:
    asks_prior = variant == 2
    setup = (
        f"{_IMPORTS}lists = {lists}\nK, S = {story.classes}, {story.states}"
        f"{_COUNTS_HELP}"
    )
    names = names_of(setup)
    part, whole, cells = (
        ("of_class", "all_rows", "K") if asks_prior else ("hits", "known", "S")
    )
    top, bottom, n_cells = sum(names[part]), sum(names[whole]), names[cells]
    answer = names["share"](top, bottom, n_cells)
    block = _PRIOR_MISTAKES if asks_prior else _STATE_MISTAKES
    mistakes = mistakes_to_tell(block, names, answer)
    if mistakes is None:
        return None
    parts = " + ".join(map(str, names[part]))
    wholes = " + ".join(map(str, names[whole]))
    reason = (
        rf"\frac{{{parts} + 1}}{{{wholes} + {n_cells} \cdot 1}} = "
        f"{equals(answer)}"
    )
    subject = (
        f"there are {n_cells} imagined rows, one for each class"
        if asks_prior
        else f"there are {n_cells} imagined rows, one for each state"
    )
    wanted = (
        f"the prior probability of the class “{story.of_class}”"
        if asks_prior
        else f"the probability of the state “{story.state}” given the class "
        f"“{story.of_class}”"
    )
    return number_drill(
        "pooled-counts",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**Add the counts.** The counts of two lists are the sums of "
            f"their counts: {top} of {bottom}.",
            f"**Smooth once.** With the pseudo-count 1, {subject}:\n\n"
            f"$${reason}$$",
            "**Does it make sense?** Without smoothing the estimate is "
            f"${equals(Fraction(top, bottom))}$.",
        ),
        prompt=paragraphs(
            f"Naive Bayes has been learned from two lists of {story.many}, "
            f"which have {story.classes} classes. The feature "
            f"“{story.feature}” has {story.states} states. These are counts:",
            _counted(story, lists, variant),
            f"Estimate {wanted} from *both* lists together, smoothed with "
            "the pseudo-count 1.",
        ),
        setup=setup,
        check=(
            "share(sum(c == 'in' for c, _ in listed()), len(listed()), K)"
            if asks_prior
            else "share(listed().count(('in', 's')), sum(c == 'in' and "
            "s is not None for c, s in listed()), S)"
        ),
        why=f"$${reason}$$",
        why_check=(
            f"{part}, {whole}, {cells}, sum({part}), sum({whole})",
            f"F(sum({part}), sum({whole}))",
        ),
        hints=hints(
            "Which numbers of the table are numerator and denominator of "
            "this estimate? Add them up before you divide.",
            f"Both lists together have {top} of {bottom}, before smoothing.",
        ),
    )


def _counted(story: _Story, lists: list[tuple[int, ...]], variant: int) -> str:
    head = ["list", "all", story.of_class, f"and {story.state}"]
    if variant:
        head.append(f"and {story.feature} missing")
    rows = [
        [name, *map(str, own[: len(head) - 1])]
        for name, own in zip(story.lists, lists, strict=True)
    ]
    return table(head, rows)


# --- the log-odds of measured features --------------------------------------

_ODDS_HELP = """
def squares(j, x):
    return [(x[j] - mean[k][j]) ** 2 for k in (0, 1)]
def term(j, x):
    a, b = squares(j, x)
    return F(b, 2 * sd[1][j] ** 2) - F(a, 2 * sd[0][j] ** 2)
def log_ratio(x):
    return sum(term(j, x) for j in range(len(x)))
def by_weights(x):
    total = F(0)
    for j, value in enumerate(x):
        a, b = (mean[k][j] for k in (0, 1))
        v, u = (sd[k][j] ** 2 for k in (0, 1))
        total += F(a * value, v) - F(b * value, u)
        total += F(value ** 2, 2 * u) - F(value ** 2, 2 * v)
        total += F(b ** 2, 2 * u) - F(a ** 2, 2 * v)
    return total
"""

_VALUE_MISTAKES = """
    -log_ratio(x) | This is the log-odds of the other class.
    2 * log_ratio(x) | The squared distance is divided by *twice* the
        variance.
    sum(F(squares(j, x)[1] - squares(j, x)[0], 2 * sd[0][j])
        for j in range(len(x))) | if max(sd[0]) > 1 | The squared distance is
        divided by the standard deviation, not by the variance.
    sum(F(squares(j, x)[1] - squares(j, x)[0], 2) for j in range(len(x)))
        | if max(sd[0]) > 1 | The squared distances are not divided by the
        variance.
    sum(F(abs(x[j] - mean[1][j]) - abs(x[j] - mean[0][j]), sd[0][j])
        for j in range(len(x))) | These are differences of the distances. The
        log-density has their squares.
    term(0, x) | if len(x) > 1 | This is the term of the first feature alone:
        the terms of both are added.
    term(1, x) | if len(x) > 1 | This is the term of the second feature alone:
        the terms of both are added.
    -sum(F(squares(j, x)[0], 2 * sd[0][j] ** 2) for j in range(len(x))) |
        This is the exponent of the first class alone. Subtract that of the
        other class.
"""

_CHANGE_MISTAKES = """
    log_ratio(x) - log_ratio(z) | The sign is reversed: take the later value
        minus the earlier one.
    2 * (log_ratio(z) - log_ratio(x)) | The squared distance is divided by
        *twice* the variance.
    F(squares(0, z)[1] - squares(0, x)[1], 2 * sd[1][0])
        - F(squares(0, z)[0] - squares(0, x)[0], 2 * sd[0][0]) | The squared
        distances are divided by the standard deviations, not by the
        variances.
    F(squares(0, x)[0] - squares(0, z)[0], 2 * sd[0][0] ** 2) | This is the
        change of the log-density in the first class alone. Subtract that in
        the other class.
    log_ratio((z[0] - x[0],)) | This puts the difference of the two values
        into the formula. The log-odds are not linear.
    log_ratio(z) | These are the exponents at the second value alone.
"""

_ITEMS = (
    ("fish", "salmon", "trout", ("length", "weight")),
    ("plant", "rye", "wheat", ("height", "width of a leaf")),
    ("signal", "radar", "noise", ("strength", "duration")),
    ("coin", "silver", "tin", ("diameter", "thickness")),
)


def measured_odds(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for log-odds of Gaussian features, or for their change."""
    variant, item = seed % 3, _ITEMS[seed // 3 % len(_ITEMS)]
    ask = _change if variant == 1 else _value
    return until(lambda: ask(seed, rng, item, 1 + variant // 2))


def _drawn(
    rng: np.random.Generator, features: int, *, equal: bool
) -> tuple[list[list[int]], list[list[int]]]:
    """Draw the means and standard deviations of two classes."""
    mean = rng.integers(1, 15, (2, features)).tolist()
    first = rng.integers(1, 6, features).tolist()
    second = first if equal else rng.integers(1, 6, features).tolist()
    return mean, [first, second]


def _parameters(
    item: tuple[str, str, str, tuple[str, str]],
    mean: list[list[int]],
    sd: list[list[int]],
) -> str:
    _, one, other, features = item
    head, rows = ["class"], [[one], [other]]
    for j in range(len(mean[0])):
        head += [f"{features[j]}: mean", "standard deviation"]
        for k, row in enumerate(rows):
            row += [str(mean[k][j]), str(sd[k][j])]
    return table(head, rows)


def _exponents(
    x: tuple[int, ...], mean: list[list[int]], sd: list[list[int]], j: int
) -> str:
    """Write the difference of the exponents of one feature in TeX."""
    parts = [
        rf"\frac{{({x[j]} - {mean[k][j]})^2}}{{2 \cdot {sd[k][j]}^2}}"
        for k in (1, 0)
    ]
    return " - ".join(parts)


def _value(
    seed: int,
    rng: np.random.Generator,
    item: tuple[str, str, str, tuple[str, str]],
    features: int,
) -> Drill | None:
    mean, sd = _drawn(rng, features, equal=True)
    x = tuple(int(v) for v in rng.integers(1, 15, features))
    setup = f"{_IMPORTS}mean, sd = {mean}, {sd}\nx = {x}{_ODDS_HELP}"
    names = names_of(setup)
    answer = names["log_ratio"](x)
    if any(a == b for a, b in zip(*mean, strict=True)):
        return None
    if not _LEAST_ODDS <= abs(answer) <= _LARGEST_ODDS:
        return None
    mistakes = mistakes_to_tell(_VALUE_MISTAKES, names, answer)
    if mistakes is None:
        return None
    thing, one, other, called = item
    terms = " + ".join(_exponents(x, mean, sd, j) for j in range(features))
    said = " and ".join(
        f"{name} {value}" for name, value in zip(called, x, strict=False)
    )
    first = names["term"](0, x)
    verdict = one if answer > 0 else other
    return number_drill(
        "measured-odds",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**What cancels.** The priors are equal, and so are the standard "
            "deviations of the two classes, so only the exponents of the "
            "densities are left.",
            f"**The log-odds.**\n\n$${terms} = {equals(answer)}$$",
            f"**Does it make sense?** They speak for {verdict}. With equal "
            "standard deviations they are linear in each measurement.",
        ),
        prompt=paragraphs(
            f"Each {thing} is {one} or {other}, with equal prior "
            "probabilities. Given the class the measurements are independent "
            "and Gaussian:",
            _parameters(item, mean, sd),
            f"One {thing} has {said}. What are the log-odds of {one} against "
            f"{other} (natural logarithm)?",
        ),
        setup=setup,
        check="by_weights(x)",
        why=f"$${terms} = {equals(answer)}$$",
        why_check=("x, mean, sd, [s ** 2 for s in sd[0]]", "term(0, x)"),
        hints=hints(
            "Write down the logarithm of each density. What is the same in "
            "both classes cancels.",
            f"For {called[0]} it is ${_exponents(x, mean, sd, 0)} = "
            f"{equals(first)}$."
            if features > 1
            else f"The exponent in the class {other} is "
            rf"$-\frac{{({x[0]} - {mean[1][0]})^2}}"
            rf"{{2 \cdot {sd[1][0]}^2}}$.",
        ),
    )


def _change(
    seed: int,
    rng: np.random.Generator,
    item: tuple[str, str, str, tuple[str, str]],
    features: int,
) -> Drill | None:
    mean, sd = _drawn(rng, features, equal=False)
    low, high = sorted(int(v) for v in rng.integers(1, 15, 2))
    if sd[0] == sd[1] or low == high:
        return None
    x, z = (low,), (high,)
    setup = f"{_IMPORTS}mean, sd = {mean}, {sd}\nx, z = {x}, {z}{_ODDS_HELP}"
    names = names_of(setup)
    before, after = names["log_ratio"](x), names["log_ratio"](z)
    answer = after - before
    if not _LEAST_ODDS <= abs(answer) <= _LARGEST_ODDS:
        return None
    mistakes = mistakes_to_tell(_CHANGE_MISTAKES, names, answer)
    if mistakes is None:
        return None
    thing, one, other, called = item
    at = [_exponents(v, mean, sd, 0) for v in (x, z)]
    lines = [
        f"at {v[0]}: ${written} = {equals(value)}$"
        for v, written, value in zip((x, z), at, (before, after), strict=True)
    ]
    wider = one if sd[0][0] > sd[1][0] else other
    return number_drill(
        "measured-odds",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**What cancels.** The priors and the factors before the "
            "exponentials do not depend on the measurement, so they cancel "
            "in the change.",
            "**The difference of the exponents.**\n\n"
            + "\n".join(f"- {line}" for line in lines),
            f"**The change** is the second minus the first: ${equals(answer)}$"
            ".",
            "**Does it make sense?** The standard deviations differ, so the "
            "log-odds are quadratic, and far away on both sides they speak "
            f"for {wider}, which has the larger one.",
        ),
        prompt=paragraphs(
            f"The {called[0]} of a {thing} is Gaussian given whether it is "
            f"{one} or {other}:",
            _parameters(item, mean, sd),
            f"By how much do the log-odds of {one} against {other} change "
            f"(natural logarithm) if the {called[0]} is {high} and not {low}?",
        ),
        setup=setup,
        check="by_weights(z) - by_weights(x)",
        why=f"${equals(after - before)}$, from {lines[0]}; {lines[1]}",
        why_check=("x, z, mean, sd, log_ratio(x), log_ratio(z)",),
        hints=hints(
            "Of the log-odds only the exponents depend on the measurement. "
            "Compute their difference at both values.",
            f"It is, {lines[0]}.",
        ),
    )
