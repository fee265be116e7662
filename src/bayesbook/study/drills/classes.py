"""Drills of naive Bayes: the posterior of a class, and its odds.

Rows are counted by class and column; each answer is an exact fraction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.drill import Drill, number_drill, pick, some, until
from bayesbook.study.drills.writing import (
    by_hand,
    equals,
    fraction,
    hints,
    mistakes_of,
    paragraphs,
    rounded,
    sentence,
    table,
    told_apart,
)

_LEAST = Fraction(1, 25)
_LONGEST = 300  # denominators of probabilities
_LONGEST_OF_ODDS = 60
_FEWEST_MISTAKES = 3
_written = partial(rounded, longest=500)


@dataclass(frozen=True)
class _Column:
    """What is counted, and what is said of a row with each value."""

    values: tuple[str, ...]  # heads in the table; a yes or no has one
    said: tuple[str, ...]


@dataclass(frozen=True)
class _Story:
    """Rows of two classes, and their columns."""

    one: str
    many: str
    classes: tuple[str, str]
    binary: tuple[_Column, ...]
    several: _Column


@dataclass(frozen=True)
class _Case:
    """Counts by class, column and value, and a row that is to be judged."""

    story: _Story
    columns: tuple[_Column, ...]
    counts: tuple[tuple[tuple[int, ...], ...], ...]
    row: tuple[int, ...]
    added: int  # to each count of a value

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(sum(columns[0]) for columns in self.counts)

    def factor(self, k: int, m: int) -> tuple[int, int]:
        """Return numerator and denominator of an estimate."""
        values = self.counts[k][m]
        return (
            values[self.row[m]] + self.added,
            sum(values) + len(values) * self.added,
        )


def naive_bayes(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the posterior probability of a class."""
    return until(lambda: _posterior(seed, rng))


def odds(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the factor of a column, or for the posterior odds."""
    ask = (_factor, _odds)[seed // 4 % 2]
    return until(lambda: ask(seed, rng))


# --- the case ---------------------------------------------------------------


def _yes_no(head: str, yes: str, no: str) -> _Column:
    return _Column((head,), (yes, no))


_STORIES = (
    _Story(
        "e-mail",
        "e-mails",
        ("spam", "wanted"),
        (
            _yes_no("web address", "contains a web address",
                    "contains no web address"),
            _yes_no("attachment", "has an attachment", "has no attachment"),
            _yes_no("known sender", "is from a known sender",
                    "is from an unknown sender"),
        ),
        _Column(
            ("by day", "in the evening", "at night"),
            ("came by day", "came in the evening", "came at night"),
        ),
    ),
    _Story(
        "mushroom",
        "mushrooms",
        ("poisonous", "edible"),
        (
            _yes_no("ring", "has a ring", "has no ring"),
            _yes_no("white gills", "has white gills",
                    "has gills of another colour"),
            _yes_no("smell", "smells", "does not smell"),
        ),
        _Column(
            ("red cap", "brown cap", "white cap"),
            ("has a red cap", "has a brown cap", "has a white cap"),
        ),
    ),
    _Story(
        "machine",
        "machines",
        ("faulty", "sound"),
        (
            _yes_no("loud", "is loud", "is not loud"),
            _yes_no("hot", "is hot", "is not hot"),
            _yes_no("old", "is old", "is not old"),
        ),
        _Column(
            ("hall A", "hall B", "hall C"),
            ("stands in hall A", "stands in hall B", "stands in hall C"),
        ),
    ),
    _Story(
        "match",
        "matches",
        ("won", "lost"),
        (
            _yes_no("at home", "is at home", "is away"),
            _yes_no("rain", "is played in rain", "is played without rain"),
            _yes_no("first goal", "brings the first goal",
                    "does not bring the first goal"),
        ),
        _Column(
            ("spring", "autumn", "winter"),
            ("is in spring", "is in autumn", "is in winter"),
        ),
    ),
    _Story(
        "parcel",
        "parcels",
        ("late", "punctual"),
        (
            _yes_no("heavy", "is heavy", "is not heavy"),
            _yes_no("abroad", "goes abroad", "stays in the country"),
            _yes_no("insured", "is insured", "is not insured"),
        ),
        _Column(
            ("by lorry", "by train", "by air"),
            ("travels by lorry", "travels by train", "travels by air"),
        ),
    ),
)  # fmt: skip


def _case(seed: int, rng: np.random.Generator) -> _Case:
    story, variant = pick(rng, _STORIES), seed % 4
    columns = some(story.binary, (2, 3, 2, 1)[variant], rng)
    if variant == 3:
        columns.append(story.several)
    added = int(variant >= 2)
    sizes = (
        (10, 20, 30, 40, 50),
        (10, 20, 30, 40),
        (8, 18, 28, 38, 48),
        (6, 7, 12, 13, 17, 18, 27),
    )[variant]
    counts = tuple(
        tuple(_split(size, len(column.said), rng) for column in columns)
        for size in some(sizes, 2, rng)
    )
    row = tuple(int(rng.integers(len(column.said))) for column in columns)
    return _Case(story, tuple(columns), counts, row, added)


def _split(size: int, parts: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Draw how many rows each value of a column has."""
    cuts = sorted(int(c) for c in rng.integers(0, size + 1, parts - 1))
    edges = [0, *cuts, size]
    return tuple(high - low for low, high in pairwise(edges))


def _counted(case: _Case) -> str:
    """Write what was counted."""
    heads = [value for column in case.columns for value in column.values]
    rows = [
        [name, str(size), *_cells(case, k)]
        for k, (name, size) in enumerate(
            zip(case.story.classes, case.sizes, strict=True)
        )
    ]
    return paragraphs(
        f"These {sum(case.sizes)} {case.story.many} are counted by class:",
        table(["class", "all", *heads], rows),
    )


def _cells(case: _Case, k: int) -> list[str]:
    return [
        str(case.counts[k][m][v])
        for m, column in enumerate(case.columns)
        for v in range(len(column.values))
    ]


def _estimates(case: _Case) -> str:
    """Write how probabilities are estimated."""
    if case.added:
        return (
            "Prior probabilities are relative frequencies. Those of the "
            "columns are smoothed: 1 is added to the count of each value of "
            "a column within a class; a yes or no has two values."
        )
    return "All probabilities are estimated by relative frequencies."


def _row(case: _Case) -> str:
    said = [c.said[v] for c, v in zip(case.columns, case.row, strict=True)]
    return f"Another {case.story.one} {and_list(said)}."


_HELPERS = """
n = [sum(columns[0]) for columns in counts]
h = [[c[v] for c, v in zip(columns, row)] for columns in counts]
s = [len(column) for column in counts[0]]
pi = [F(size, sum(n)) for size in n]
def p(k, m, b=b):
    return F(h[k][m] + b, n[k] + b * s[m])
def like(k, b=b):
    return prod(p(k, m, b) for m in range(len(row)))
def bare(k):
    return prod(F(x + b, n[k]) for x in h[k])
def present(k):
    return prod(p(k, m) for m in range(len(row)) if s[m] > 2 or not row[m])
def reverse(k):
    return prod(F(h[k][m], h[0][m] + h[1][m]) for m in range(len(row)))
def of(x, y):
    return x / (x + y)
def enumerated(kept):
    joint = {}
    for k, columns in enumerate(counts):
        for x in product(*(range(size) for size in s)):
            joint[k, x] = F(n[k], sum(n))
            for column, v in zip(columns, x):
                total = sum(value + b for value in column)
                joint[k, x] *= F(column[v] + b, total)
    assert sum(joint.values()) == 1
    return [
        sum(
            of_row for (c, x), of_row in joint.items()
            if c == k and all(x[m] == row[m] for m in kept)
        )
        for k in range(2)
    ]
"""
_HELP = compile(_HELPERS, "helpers", "exec")
_IMPORTS = (
    "from fractions import Fraction as F\n"
    "from itertools import product\n"
    "from math import prod\n"
)
_IMPORTED = compile(_IMPORTS, "imports", "exec")


def _names(case: _Case) -> dict[str, Any]:
    names: dict[str, Any] = {
        "counts": case.counts,
        "row": case.row,
        "b": case.added,
    }
    exec(_IMPORTED, names)
    exec(_HELP, names)
    return names


def _setup(case: _Case) -> str:
    """Write the Python with which the quiz recomputes the key."""
    return (
        f"{_IMPORTS}counts = {case.counts}\nrow = {case.row}\n"
        f"b = {case.added}{_HELPERS}"
    )


def _mistakes(
    block: str, names: Mapping[str, Any], answer: Fraction
) -> list[tuple[Fraction, str, str]] | None:
    """List the mistakes, or None if they are few or cannot be told apart."""
    try:
        found = [
            (Fraction(value), check, why)
            for value, check, why in mistakes_of(block, names)
            if value != answer
        ]
    except ZeroDivisionError:
        return None
    several = len({value for value, *_ in found}) >= _FEWEST_MISTAKES
    return found if several and told_apart(answer, found) else None


# --- the posterior ----------------------------------------------------------

_OF_SMOOTHING = """
    {none} | if b | This forgets the smoothing. A 1 is added to the count of
        each value.
    {bare} | if b | The numerators have their 1, the denominators have
        nothing: add 1 for each value that the column can take.
"""
_OF_POSTERIOR = """
    of(like(0), like(1)) | This forgets the prior: the classes are not
        equally frequent.
    pi[0] * like(0) | This is the joint probability of the class and the row.
        Divide it by the sum over both classes.
    like(0) | This is the probability of the row given the class. It needs the
        prior, and the sum over both classes.
    of(reverse(0), reverse(1)) | if not b | This multiplies the shares of the
        class among the rows with each value. So the prior counts once for
        each column.
    of(pi[0] * present(0), pi[1] * present(1)) | if any(s[m] == 2 and row[m]
        for m in range(len(row))) | This leaves out what the row does not
        have. That is known, too, and has the factor one minus the other.
    of(pi[1] * like(1), pi[0] * like(0)) | This is the posterior probability
        of the other class.
""" + _OF_SMOOTHING.format(
    none="of(pi[0] * like(0, 0), pi[1] * like(1, 0))",
    bare="of(pi[0] * bare(0), pi[1] * bare(1))",
)


def _posterior(seed: int, rng: np.random.Generator) -> Drill | None:
    case = _case(seed, rng)
    joint = _joint(case)
    if not all(joint):
        return None
    answer = joint[0] / sum(joint)
    if not by_hand(answer, _LEAST, _LONGEST):
        return None
    names = _names(case)
    mistakes = _mistakes(_OF_POSTERIOR, names, answer)
    if mistakes is None:
        return None
    first, second = case.story.classes
    reason = (
        rf"\frac{{{fraction(joint[0])}}}"
        rf"{{{fraction(joint[0])} + {fraction(joint[1])}}} = {equals(answer)}"
    )
    winner = case.story.classes[joint[0] < joint[1]]
    return number_drill(
        "naive-bayes",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**The joint probabilities.** In each class, the prior times a "
            f"factor for each column{_and_no(case)}:",
            "\n".join(f"- {_line(case, k)}" for k in range(2)),
            "**Bayes' rule.** Divide by the sum over both classes:\n\n"
            f"$${reason}$$",
            "**Does it make sense?** " + _sense(case, answer, winner),
        ),
        prompt=paragraphs(
            _counted(case),
            f"{_row(case)} {_estimates(case)} What is the probability under "
            f"naive Bayes that it is {first}?",
        ),
        setup=_setup(case),
        check="of(*enumerated(range(len(row))))",
        why=f"$${reason}$$",
        why_check=(
            "n + [sum(n)]",
            "[pi[k] * like(k) for k in range(2)]",
        ),
        hints=hints(
            "For each class, which factors belong to the joint probability "
            "of the class and this row? How many are there?",
            f"For “{first}” it is {_line(case, 0)}. Do the same for "
            f"“{second}”.",
        ),
    )


def _joint(case: _Case) -> list[Fraction]:
    return [
        Fraction(case.sizes[k], sum(case.sizes)) * _likelihood(case, k)
        for k in range(2)
    ]


def _likelihood(case: _Case, k: int) -> Fraction:
    found = Fraction(1)
    for m in range(len(case.row)):
        found *= Fraction(*case.factor(k, m))
    return found


def _line(case: _Case, k: int) -> str:
    """Write the joint probability of a class and the row."""
    factors = [(case.sizes[k], sum(case.sizes))]
    factors += [case.factor(k, m) for m in range(len(case.row))]
    written = [rf"\frac{{{top}}}{{{bottom}}}" for top, bottom in factors]
    name = rf"p(\text{{{case.story.classes[k]}}}, x)"
    return f"${name} = {_times(written)} = {fraction(_joint(case)[k])}$"


def _times(factors: Sequence[str]) -> str:
    return r" \cdot ".join(factors)


def _and_no(case: _Case) -> str:
    """Write what a row does not have, as a reminder."""
    return (
        ", also for what the row does not have"
        if any(_is_no(case, m) for m in range(len(case.row)))
        else ""
    )


def _is_no(case: _Case, m: int) -> bool:
    return len(case.columns[m].values) == 1 and case.row[m] == 1


def _sense(case: _Case, answer: Fraction, winner: str) -> str:
    prior = Fraction(case.sizes[0], sum(case.sizes))
    if answer == prior:
        moved = "The row leaves the probability where the prior was"
    else:
        way = "up" if answer > prior else "down"
        moved = f"The row moves it {way} from the prior ${equals(prior)}$"
    if answer == Fraction(1, 2):
        return f"{moved}, and neither class wins."
    return f"{moved}, and the more probable class is “{winner}”."


# --- odds -------------------------------------------------------------------

_OF_FACTOR = """
    p(1, 0) / p(0, 0) | This is turned upside down: it multiplies the odds of
        the other class.
    pi[0] * p(0, 0) / (pi[1] * p(1, 0)) | These are the odds after this
        column. The factor alone has no prior in it.
    (1 - p(0, 0)) / (1 - p(1, 0)) | if s[0] == 2 and p(1, 0) < 1 | This is the
        factor of the other value of this column.
    p(0, 0) | This is the probability of the value in the first class. Divide
        it by the probability in the other one.
    of(p(0, 0), p(1, 0)) | This is a probability with equal priors. Odds are a
        quotient of both, not a share of the sum.
""" + _OF_SMOOTHING.format(
    none="p(0, 0, 0) / p(1, 0, 0)",
    bare="F(h[0][0] + b, n[0]) / F(h[1][0] + b, n[1])",
)
_OF_ODDS = """
    like(0) / like(1) | This forgets the prior odds.
    pi[1] * like(1) / (pi[0] * like(0)) | This is turned upside down: the odds
        of the other class.
    of(pi[0] * like(0), pi[1] * like(1)) | This is the posterior probability.
        Odds are the quotient of the probabilities of both classes.
    reverse(0) / reverse(1) | if not b | This multiplies the odds of the class
        among the rows with each value. So the prior counts once for each
        column.
    pi[0] / pi[1] * present(0) / present(1) | if any(s[m] == 2 and row[m]
        for m in range(len(row))) | This leaves out what the row does not
        have. That is known, too, and has a factor.
    pi[0] / pi[1] * sum(p(0, m) / p(1, m) for m in range(len(row))) | This
        adds the factors. Odds are multiplied; what is added is their
        logarithms.
""" + _OF_SMOOTHING.format(
    none="pi[0] * like(0, 0) / (pi[1] * like(1, 0))",
    bare="pi[0] * bare(0) / (pi[1] * bare(1))",
)


def _fits(value: Fraction) -> bool:
    """Return whether odds can be found by hand."""
    return (
        value != 1
        and Fraction(1, 20) <= value <= 30
        and value.denominator <= _LONGEST_OF_ODDS
        and value.numerator <= _LONGEST_OF_ODDS
    )


def _ratio(case: _Case, m: int) -> str:
    """Write the factor of a column."""
    (a, b), (c, d) = case.factor(0, m), case.factor(1, m)
    return rf"\frac{{{a}/{b}}}{{{c}/{d}}}"


def _factor(seed: int, rng: np.random.Generator) -> Drill | None:
    case = _case(seed, rng)
    # Asked is the first column; the one with several values comes first.
    case = _Case(
        case.story,
        case.columns[::-1],
        tuple(columns[::-1] for columns in case.counts),
        case.row[::-1],
        case.added,
    )
    if not all(case.factor(k, 0)[0] for k in range(2)):
        return None
    answer = Fraction(*case.factor(0, 0)) / Fraction(*case.factor(1, 0))
    if not _fits(answer):
        return None
    mistakes = _mistakes(_OF_FACTOR, _names(case), answer)
    if mistakes is None:
        return None
    first, second = case.story.classes
    said = case.columns[0].said[case.row[0]]
    reason = f"{_ratio(case, 0)} = {equals(answer)}"
    way, side = ("more", "above") if answer > 1 else ("less", "below")
    return number_drill(
        "odds",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**The rule.** Under naive Bayes each observed column multiplies "
            "the odds of two classes by the quotient of its probabilities in "
            "these classes, whatever the prior and the other columns.",
            f"**The number.**\n\n$${reason}$$",
            f"**Does it make sense?** What is seen is {way} probable in the "
            f"class “{first}” than in the class “{second}”, so the factor is "
            f"{side} 1.",
        ),
        prompt=paragraphs(
            _counted(case),
            f"{_estimates(case)} Now it is observed that another "
            f"{case.story.one} {said}. By which factor does this multiply "
            f"the odds of “{first}” against “{second}”?",
        ),
        setup=_setup(case),
        check="enumerated([0])[0] / enumerated([0])[1] * n[1] / n[0]",
        why=f"$${reason}$$",
        why_check=(
            "n + [sum(n)]",
            "[p(k, 0) for k in range(2)]",
        ),
        hints=hints(
            "How probable is what was observed in each of the two classes?",
            f"In the class “{first}” it is "
            rf"${_top_bottom(case.factor(0, 0))}$.",
        ),
    )


def _top_bottom(factor: Sequence[int]) -> str:
    return rf"\frac{{{factor[0]}}}{{{factor[1]}}}"


def _odds(seed: int, rng: np.random.Generator) -> Drill | None:
    case = _case(seed, rng)
    joint = _joint(case)
    if not all(joint):
        return None
    answer = joint[0] / joint[1]
    if not _fits(answer):
        return None
    mistakes = _mistakes(_OF_ODDS, _names(case), answer)
    if mistakes is None:
        return None
    first, second = case.story.classes
    prior = rf"\frac{{{case.sizes[0]}}}{{{case.sizes[1]}}}"
    ratios = [_ratio(case, m) for m in range(len(case.row))]
    reason = f"{_times([prior, *ratios])} = {equals(answer)}"
    winner = case.story.classes[answer < 1]
    return number_drill(
        "odds",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(
            "**The rule.** The posterior odds are the prior odds times a "
            "factor for each column, the quotient of its probabilities in "
            "the two classes. What is common to both classes cancels; nothing "
            "has to be normalised.",
            f"**The number.**\n\n$${reason}$$",
            "**Does it make sense?** Odds above 1 are for the first class, "
            "below 1 for the second. "
            + sentence(f"here “{winner}” is more probable"),
        ),
        prompt=paragraphs(
            _counted(case),
            f"{_row(case)} {_estimates(case)} What are the posterior odds "
            f"under naive Bayes of “{first}” against “{second}”, as one "
            "number?",
        ),
        setup=_setup(case),
        check="enumerated(range(len(row)))[0] / "
        "enumerated(range(len(row)))[1]",
        why=f"$${reason}$$",
        why_check=(
            "n + [sum(n)]",
            "[p(k, m) for k in range(2) for m in range(len(row))]",
            "pi[0] / pi[1]",
        ),
        hints=hints(
            "Begin with the prior odds. Which factor does each column add?",
            f"The prior odds are ${prior}$, and the factor of the first "
            f"column is ${ratios[0]}$.",
        ),
    )
