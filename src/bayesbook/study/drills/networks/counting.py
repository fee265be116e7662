"""Drills of parameters: a probability from counts, and its smoothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

import numpy as np

from bayesbook.base.names import pluralise
from bayesbook.study.drills.drill import Drill, pick, until
from bayesbook.study.drills.writing import (
    TOLERANCE,
    Mistake,
    about,
    askable,
    equals,
    merged,
    paragraphs,
    rounded,
    table,
)
from bayesbook.study.quiz import Numeric

# Nearer to 0 or 1 an answer could be guessed.
_LEAST = Fraction(1, 40)
_LARGEST_DENOMINATOR = 400
# With a larger denominator a wrong value is written as a rounded decimal.
_written = partial(rounded, longest=2000)


@dataclass(frozen=True)
class _Story:
    """A child with its parents, and their states."""

    text: str
    child: str
    parents: str
    states: Mapping[str, tuple[str, ...]]


_STORIES = (
    _Story(
        "On its way a bus meets *W*, the weather, and *T*, the traffic.",
        "T",
        "W",
        {"W": ("rain", "dry"), "T": ("jam", "free")},
    ),
    _Story(
        "A naturalist notes *H*, the habitat, and *K*, the kind of newt.",
        "K",
        "H",
        {"H": ("pond", "wood", "field"), "K": ("alpine", "smooth")},
    ),
    _Story(
        "A clinic notes *S*, whether somebody smokes, and *C*, the cough.",
        "C",
        "S",
        {"S": ("yes", "no"), "C": ("none", "mild", "strong")},
    ),
    _Story(
        "A shop notes *M*, the material of a part, *L*, its load, and *F*, "
        "whether it failed.",
        "F",
        "ML",
        {"M": ("steel", "alloy"), "L": ("low", "high"), "F": ("yes", "no")},
    ),
    _Story(
        "An orchard notes *N*, the night, *B*, whether bees were there, and "
        "*Y*, the yield.",
        "Y",
        "NB",
        {
            "N": ("frost", "mild"),
            "B": ("yes", "no"),
            "Y": ("poor", "fair", "good"),
        },
    ),
)


@dataclass(frozen=True)
class _Case:
    """Counts, the probability in question, and the prior."""

    story: _Story
    counts: Mapping[tuple[str, ...], tuple[int, ...]]
    given: tuple[str, ...]
    state: str
    kind: str  # "likelihood", "pseudo" or "bdeu"
    prior: Fraction

    @property
    def states(self) -> tuple[str, ...]:
        """The states of the child."""
        return self.story.states[self.story.child]

    @property
    def cell(self) -> int:
        """The number of rows with these states of parents and child."""
        return self.counts[self.given][self.states.index(self.state)]

    @property
    def row(self) -> int:
        """The number of rows with these states of the parents."""
        return sum(self.counts[self.given])

    @property
    def column(self) -> int:
        """The number of rows with this state of the child."""
        at = self.states.index(self.state)
        return sum(counts[at] for counts in self.counts.values())

    @property
    def total(self) -> int:
        """The number of rows."""
        return sum(map(sum, self.counts.values()))

    @property
    def added(self) -> Fraction:
        """The pseudo-count of each cell."""
        if self.kind == "likelihood":
            return Fraction(0)
        cells = len(self.counts) * len(self.states)
        return self.prior / (cells if self.kind == "bdeu" else 1)

    def smoothed(self, state: str) -> Fraction:
        """Return the estimate for a state of the child."""
        count = self.counts[self.given][self.states.index(state)]
        added = self.added
        return (count + added) / (self.row + len(self.states) * added)


def smoothing(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for an entry of a table, from counts and pseudo-counts.

    Parameters
    ----------
    seed : int
        Number of the question; stories and kinds of priors take turns.
    rng : numpy.random.Generator
        Draws counts and priors.

    Returns
    -------
    Drill
        Its answer is an exact fraction. Diagnosed are: maximum likelihood
        where smoothing is asked for and the reverse, pseudo-counts that are
        missing in the denominator or there only once, an equivalent sample
        size that is not spread or not over the parents' configurations, and
        the joint share, the other direction and the marginal.

    Examples
    --------
    >>> smoothing(1, np.random.default_rng(0)).question.kind
    'number'
    """
    story = _STORIES[seed % len(_STORIES)]
    kind = ("likelihood", "pseudo", "bdeu", "pseudo")[seed % 4]

    def draw() -> Drill | None:
        case = _case(story, kind, rng)
        if not all(map(sum, case.counts.values())) or not case.column:
            return None
        answer, mistakes = case.smoothed(case.state), list(_mistakes(case))
        if not askable(answer, mistakes, _LEAST, _LARGEST_DENOMINATOR):
            return None
        question = Numeric(
            id=f"smoothing-{seed}",
            kind="number",
            level="apply",
            prompt=_prompt(case),
            setup=_setup(case),
            answer=_written(answer),
            tolerance=float(TOLERANCE),
            check=f"estimate({_argument(case)})",
            why=_reason(case),
            wrong=merged(mistakes, _written),
        )
        return Drill("smoothing", seed, question, _worked(case))

    return until(draw)


def _case(story: _Story, kind: str, rng: np.random.Generator) -> _Case:
    keys = list(product(*(story.states[parent] for parent in story.parents)))
    width = len(story.states[story.child])
    counts = {
        key: tuple(int(n) for n in rng.integers(0, 13, width)) for key in keys
    }
    priors = {
        "likelihood": [Fraction(0)],
        "pseudo": [Fraction(1, 2), Fraction(1), Fraction(1), Fraction(2)],
        "bdeu": [Fraction(n) for n in (1, 2, 4, 6, 10, 12)],
    }
    return _Case(
        story,
        counts,
        pick(rng, keys),
        pick(rng, story.states[story.child]),
        kind,
        pick(rng, priors[kind]),
    )


# --- common mistakes --------------------------------------------------------


def _mistakes(case: _Case) -> Iterator[Mistake]:
    child, width = case.story.child, len(case.states)
    asked = f"{child} = \\text{{{case.state}}}"
    given = _said(case)
    yield (
        Fraction(case.cell, case.total),
        "F(count(asked | given), count({}))",
        f"This is the share of all rows that have both ${asked}$ and "
        f"${given}$. Count only the rows with ${given}$.",
    )
    yield (
        Fraction(case.cell, case.column),
        "F(count(asked | given), count(asked))",
        f"This is the other direction, the share of ${given}$ among the rows "
        f"with ${asked}$.",
    )
    yield (
        Fraction(case.column, case.total),
        "F(count(asked), count({}))",
        f"This is the share of ${asked}$ in all rows, whatever the parents. "
        f"Count only the rows with ${given}$.",
    )
    if case.kind == "likelihood":
        yield (
            Fraction(case.cell + 1, case.row + width),
            "estimate(pseudo_count=1)",
            "This adds one to each count. Maximum likelihood adds nothing.",
        )
        yield (
            1 - Fraction(case.cell, case.row),
            "1 - F(count(asked | given), count(given))",
            f"This is the probability that ${child}$ is not "
            f"$\\text{{{case.state}}}$.",
        )
        return
    added = case.added
    yield (
        Fraction(case.cell, case.row),
        "F(count(asked | given), count(given))",
        "This is the maximum likelihood estimate, without the pseudo-counts.",
    )
    yield (
        (case.cell + added) / (case.row + added),
        "(count(asked | given) + added) / (count(given) + added)",
        f"The pseudo-count is added to all {width} counts of the row, so the "
        f"denominator grows by {width} of them. Otherwise the probabilities "
        "do not sum to one.",
    )
    yield (
        (case.cell + added) / case.row,
        "(count(asked | given) + added) / count(given)",
        "The pseudo-count is in the numerator only. The denominator is the "
        f"sum of the {width} counts of the row, with what is added to each.",
    )
    cells = width * len(case.counts)
    yield (
        (case.cell + added) / (case.total + cells * added),
        "(count(asked | given) + added) / (count({}) + len(counts) * added)",
        f"The denominator has the rows with ${given}$ and their pseudo-counts "
        "only. This is an estimate of the joint probability.",
    )
    if case.kind == "bdeu":
        size = case.prior
        yield (
            (case.cell + size) / (case.row + width * size),
            "estimate(pseudo_count=size)",
            f"This adds {size} to each count. The equivalent sample size is "
            f"the sum of all {cells} pseudo-counts of the table.",
        )
        yield (
            (case.cell + size / width) / (case.row + size),
            "estimate(pseudo_count=size / len(states[node]))",
            f"This spreads {size} rows over one row of the table. They are "
            f"spread over all {len(case.counts)} rows of it.",
        )


# --- checks -----------------------------------------------------------------


def _argument(case: _Case) -> str:
    return {
        "likelihood": "",
        "pseudo": "pseudo_count=added",
        "bdeu": "equivalent_sample_size=size",
    }[case.kind]


def _setup(case: _Case) -> str:
    """Write the Python with which the quiz recomputes the key, from rows."""
    story = case.story
    counts = {
        (*key, state): count
        for key, own in case.counts.items()
        for state, count in zip(case.states, own, strict=True)
    }
    given = dict(zip(story.parents, case.given, strict=True))
    arrows = ", ".join(
        f"{parent} -> {story.child}" for parent in story.parents
    )
    return f"""\
from fractions import Fraction as F
import pandas as pd
from bayesbook.network import fit_parameters
names, node = {[*story.parents, story.child]!r}, {story.child!r}
states = {dict(story.states)!r}
counts = {counts!r}
rows = pd.DataFrame(
    [key for key, n in counts.items() for _ in range(n)], columns=names
)
asked, given = {{node: {case.state!r}}}, {given!r}
size = F({str(case.prior)!r})
added = F({str(case.added)!r})
def count(event):
    return sum(
        n
        for key, n in counts.items()
        if event.items() <= dict(zip(names, key)).items()
    )
def estimate(**prior):
    network = fit_parameters(
        {arrows!r}, rows, states=states, exact=True, **prior
    )
    return network.to_table().P(asked, given=given)
"""


# --- words ------------------------------------------------------------------


def _said(case: _Case) -> str:
    return ", ".join(
        rf"{parent} = \text{{{state}}}"
        for parent, state in zip(case.story.parents, case.given, strict=True)
    )


def _p(case: _Case, state: str) -> str:
    return (
        rf"\mathbb{{P}}[{case.story.child} = \text{{{state}}} \mid "
        rf"{_said(case)}]"
    )


def _prompt(case: _Case) -> str:
    story = case.story
    head = [f"*{parent}*" for parent in story.parents]
    head += [f"*{story.child}* = {state}" for state in case.states]
    rows = [[*key, *map(str, counts)] for key, counts in case.counts.items()]
    asked = f"${_p(case, case.state)}$"
    question = {
        "likelihood": f"What is the maximum likelihood estimate of {asked}?",
        "pseudo": f"Each count gets the pseudo-count {case.prior}. What is "
        f"then the estimate of {asked}?",
        "bdeu": f"The prior is that of BDeu, with an equivalent sample size "
        f"of {case.prior}. What is the estimate of {asked}?",
    }[case.kind]
    parents = " and ".join(f"*{parent}*" for parent in story.parents)
    are = "is the parent" if len(story.parents) == 1 else "are the parents"
    return paragraphs(
        f"{story.text} In a Bayesian network {parents} {are} of "
        f"*{story.child}*. Counts of the rows with these states:",
        table(head, rows),
        question,
    )


def _sum(case: _Case, count: int) -> str:
    """Write a count, with what is added to it."""
    return str(count) if not case.added else f"{count} + {_tex(case.added)}"


def _tex(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"


def _reason(case: _Case) -> str:
    answer, added = case.smoothed(case.state), case.added
    bottom = str(case.row)
    if added:
        bottom += rf" + {len(case.states)} \cdot {_tex(added)}"
    return (
        rf"$$\frac{{{_sum(case, case.cell)}}}{{{bottom}}} = "
        rf"{equals(answer, 3)}$$"
    )


def _worked(case: _Case) -> str:
    width, cells = len(case.states), len(case.states) * len(case.counts)
    spread = ""
    if case.kind == "bdeu":
        configurations = prod(
            len(case.story.states[parent]) for parent in case.story.parents
        )
        spread = (
            f"The {case.prior} rows that BDeu imagines are spread evenly over "
            f"the {configurations} configurations of the parents and the "
            f"{width} states of ${case.story.child}$: each of the {cells} "
            f"counts gets ${_tex(case.prior)} / {cells} = "
            f"{_tex(case.added)}$."
        )
    rows = [
        [
            state,
            str(count),
            *([f"${_sum(case, count)}$"] if case.added else []),
            f"${equals(case.smoothed(state), 3)}$",
        ]
        for state, count in zip(
            case.states, case.counts[case.given], strict=True
        )
    ]
    head = [f"*{case.story.child}*", "count"]
    head += ["with its pseudo-count"] if case.added else []
    total = case.row + width * case.added
    sums = (
        [str(case.row), f"${_tex(total)}$"] if case.added else [str(case.row)]
    )
    return paragraphs(
        f"Only the {pluralise(case.row, 'row')} with ${_said(case)}$ "
        f"{'matters' if case.row == 1 else 'matter'}.",
        spread,
        table([*head, "estimate"], [*rows, ["*sum*", *sums, "1"]]),
        _sense(case),
    )


def _sense(case: _Case) -> str:
    """Compare with the estimates that other priors give."""
    likely, answer = Fraction(case.cell, case.row), case.smoothed(case.state)
    level = Fraction(1, len(case.states))
    if not case.added:
        return (
            "**Does it make sense?** With maximum likelihood a state that was "
            "never seen has probability zero, and one that was always seen "
            "has probability one; with few rows that is rash."
        )
    imagined = len(case.states) * case.added
    weight = imagined / (case.row + imagined)
    return (
        "**Does it make sense?** The pseudo-counts draw the estimate from "
        f"{about(likely)}, that of maximum likelihood, towards "
        f"{about(level)}, the uniform distribution, to {about(answer)}. They "
        f"count as much as {about(imagined)} "
        f"{'row' if imagined == 1 else 'rows'}, and there are {case.row} real "
        f"ones, so their weight is {about(weight)}."
    )
