"""Drills of parameters: a probability from counts, and its smoothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

import numpy as np

from bayesbook.base.names import pluralise
from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    Mistake,
    about,
    by_hand,
    equals,
    hints,
    lines_of,
    mistakes_of,
    paragraphs,
    rounded,
    table,
    told_apart,
)

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


def _stories(block: str) -> list[_Story]:
    """Read lines of a text, and of each node with its states, child last."""
    stories = []
    for text, *nodes in (line.split(" | ") for line in lines_of(block)):
        pairs = [node.split(": ") for node in nodes]
        states = {node: tuple(listed.split(", ")) for node, listed in pairs}
        *parents, child = states
        stories.append(_Story(text, child, "".join(parents), states))
    return stories


_STORIES = _stories("""
    On its way a bus meets *W*, the weather, and *T*, the traffic.
        | W: rain, dry | T: jam, free
    A naturalist notes *H*, the habitat, and *K*, the kind of newt.
        | H: pond, wood, field | K: alpine, smooth
    A clinic notes *S*, whether somebody smokes, and *C*, the cough.
        | S: yes, no | C: none, mild, strong
    A shop notes *M*, the material of a part, *L*, its load, and *F*, whether
        it failed. | M: steel, alloy | L: low, high | F: yes, no
    An orchard notes *N*, the night, *B*, whether bees were there, and *Y*,
        the yield. | N: frost, mild | B: yes, no | Y: poor, fair, good
""")


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

    def count(self, event: Mapping[str, str]) -> int:
        """Return the number of rows with some states."""
        places = {node: at for at, node in enumerate(self.story.states)}
        return sum(
            count
            for key, counts in self.counts.items()
            for state, count in zip(self.states, counts, strict=True)
            if all((*key, state)[places[n]] == s for n, s in event.items())
        )

    @property
    def condition(self) -> Mapping[str, str]:
        """The states of the parents."""
        return dict(zip(self.story.parents, self.given, strict=True))

    @property
    def cell(self) -> int:
        """The number of rows with these states of parents and child."""
        return self.counts[self.given][self.states.index(self.state)]

    @property
    def row(self) -> int:
        """The number of rows with these states of the parents."""
        return sum(self.counts[self.given])

    @property
    def added(self) -> Fraction:
        """The pseudo-count of each cell."""
        if self.kind == "likelihood":
            return Fraction(0)
        cells = len(self.counts) * len(self.states)
        return self.prior / (cells if self.kind == "bdeu" else 1)

    def smoothed(self, state: str, added: Fraction | None = None) -> Fraction:
        """Return the estimate for a state of the child."""
        added = self.added if added is None else added
        count = self.counts[self.given][self.states.index(state)]
        return (count + added) / (self.row + len(self.states) * added)


def smoothing(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for an entry of a table, from counts and pseudo-counts."""
    story = _STORIES[seed % len(_STORIES)]
    kind = ("likelihood", "pseudo", "bdeu", "pseudo")[seed % 4]

    def draw() -> Drill | None:
        case = _case(story, kind, rng)
        asked = {story.child: case.state}
        if not all(map(sum, case.counts.values())) or not case.count(asked):
            return None
        answer = case.smoothed(case.state)
        if not by_hand(answer, _LEAST, _LARGEST_DENOMINATOR):
            return None
        mistakes = list(_mistakes(case))
        if not told_apart(answer, mistakes):
            return None
        return number_drill(
            "smoothing",
            seed,
            answer,
            mistakes,
            _written,
            _worked(case),
            prompt=_prompt(case),
            setup=_setup(case),
            check=f"estimate({_argument(case)})",
            why_check=("count(given)",),
            why=_reason(case),
            hints=_hints(case),
        )

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
    asked, given = rf"{child} = \text{{{case.state}}}", _said(case)
    bdeu, cells = case.kind == "bdeu", width * len(case.counts)
    names = {
        "F": Fraction,
        "node": child,
        "states": case.story.states,
        "counts": range(cells),
        "asked": {child: case.state},
        "given": case.condition,
        "size": case.prior,
        "added": case.added,
        "count": case.count,
        "estimate": partial(_estimate, case),
    }
    block = rf"""
        F(count(asked | given), count({{}})) | This is the share of all rows
            that have both ${asked}$ and ${given}$. Count only the rows with
            ${given}$.
        F(count(asked | given), count(asked)) | This is the other direction,
            the share of ${given}$ among the rows with ${asked}$.
        F(count(asked), count({{}})) | This is the share of ${asked}$ in all
            rows, whatever the parents. Count only the rows with ${given}$.
        estimate(pseudo_count=1) | if not added | This adds one to each count.
            Maximum likelihood adds nothing.
        1 - F(count(asked | given), count(given)) | if not added | This is the
            probability that ${child}$ is not $\text{{{case.state}}}$.
        F(count(asked | given), count(given)) | if added | This is the maximum
            likelihood estimate, without the pseudo-counts.
        (count(asked | given) + added) / (count(given) + added)
            | if added | The pseudo-count is added to all {width} counts of
            the row, so the denominator grows by {width} of them. Otherwise
            the probabilities do not sum to one.
        (count(asked | given) + added) / count(given)
            | if added | The pseudo-count is in the numerator only. The
            denominator is the sum of the {width} counts of the row, with what
            is added to each.
        (count(asked | given) + added) / (count({{}}) + len(counts) * added)
            | if added | The denominator has the rows with ${given}$ and their
            pseudo-counts only. This is an estimate of the joint probability.
        estimate(pseudo_count=size)
            | if {bdeu} | This adds {case.prior} to each count. The equivalent
            sample size is the sum of all {cells} pseudo-counts of the table.
        estimate(pseudo_count=size / len(states[node]))
            | if {bdeu} | This spreads {case.prior} rows over one row of the
            table. They are spread over all {len(case.counts)} rows of it.
    """
    return mistakes_of(block, names)


def _estimate(case: _Case, pseudo_count: Fraction | int) -> Fraction:
    """Return the estimate with another pseudo-count."""
    return case.smoothed(case.state, Fraction(pseudo_count))


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
asked, given = {{node: {case.state!r}}}, {case.condition!r}
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


def _hints(case: _Case) -> tuple[str, ...]:
    cells = len(case.states) * len(case.counts)
    step = (
        f"Of {pluralise(case.row, 'row')}, {case.cell} "
        f"{'has' if case.cell == 1 else 'have'} ${case.story.child} = "
        rf"\text{{{case.state}}}$."
    )
    if case.kind == "bdeu":
        step += f" Each of the {cells} counts gets ${case.prior} / {cells}$."
    elif case.added:
        step += (
            f" Each of the {len(case.states)} counts of the row gets "
            f"${_tex(case.added)}$."
        )
    return hints(
        f"Look only at the rows with ${_said(case)}$: how many are there, "
        "and what is added to each count?",
        step,
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
