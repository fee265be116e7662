"""Drills of decisions: a threshold from losses, and the Bayes risk of a table.

Losses are whole numbers and cases are counted, so that answers are exact.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from bayesbook.study.drills.drill import Drill, number_drill, until
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

_LONGEST = 250
_FEWEST_MISTAKES = 3
_written = partial(rounded, longest=_LONGEST)


@dataclass(frozen=True)
class _Story:
    """Something in one of two states, and two decisions about it."""

    one: str  # with its article
    many: str
    states: tuple[str, str]  # the second one calls for the second decision
    decisions: tuple[str, str]  # infinitives without "to"
    head: str  # what is seen beforehand
    seen: tuple[str, str, str]


_STORIES = (
    _Story(
        "a pipe",
        "pipes",
        ("tight", "leaking"),
        ("leave it", "replace it"),
        "pressure",
        ("normal", "low", "very low"),
    ),
    _Story(
        "a day",
        "days",
        ("dry", "wet"),
        ("go without an umbrella", "take an umbrella"),
        "sky",
        ("blue", "grey", "black"),
    ),
    _Story(
        "a machine",
        "machines",
        ("sound", "defective"),
        ("run it", "repair it"),
        "noise",
        ("quiet", "loud", "very loud"),
    ),
    _Story(
        "a field",
        "fields",
        ("healthy", "infested"),
        ("wait", "spray it"),
        "leaves",
        ("green", "spotted", "brown"),
    ),
    _Story(
        "a payment",
        "payments",
        ("regular", "forged"),
        ("let it pass", "check it"),
        "time",
        ("day", "evening", "night"),
    ),
)


def _losses(rng: np.random.Generator) -> tuple[tuple[int, int], ...]:
    """Draw a loss matrix whose wrong decisions cost more than right ones."""
    right = int(rng.integers(0, 3)), int(rng.integers(0, 7))
    alarm, miss = int(rng.integers(1, 10)), int(rng.integers(3, 30))
    return (right[0], right[1] + miss), (right[0] + alarm, right[1])


def _told(story: _Story, losses: Sequence[Sequence[int]]) -> str:
    """Write what both decisions cost."""
    (right_0, miss), (alarm, right_1) = losses
    no, yes = story.states
    skip, act = story.decisions
    return (
        f"{story.one.capitalize()} is {no} or {yes}. To {act} costs {alarm} "
        f"if it is {no} and {right_1} if it is {yes}; to {skip} costs "
        f"{right_0} if it is {no} and {miss} if it is {yes}."
    )


# --- the threshold ----------------------------------------------------------


def threshold(seed: int, rng: np.random.Generator) -> Drill:
    """Ask from which probability on one of two decisions is better."""
    story = _STORIES[seed % len(_STORIES)]

    def draw() -> Drill | None:
        losses = _losses(rng)
        (right_0, missed), (false_alarm, right_1) = losses
        alarm, miss = false_alarm - right_0, missed - right_1
        answer = Fraction(alarm, alarm + miss)
        mistakes = list(_threshold_mistakes(losses, answer))
        if not _suits(answer, mistakes):
            return None
        yes = story.states[1]
        skip, act = story.decisions
        reason = rf"t = \frac{{{alarm}}}{{{alarm} + {miss}}}"
        if Fraction(alarm, alarm + miss).denominator != alarm + miss:
            reason += rf" = \frac{{{alarm}}}{{{alarm + miss}}}"
        reason += f" = {equals(answer)}"
        both = [
            rf"{fraction(1 - answer)} \cdot {row[0]} + {fraction(answer)} "
            rf"\cdot {row[1]}"
            for row in losses
        ]
        same = (1 - answer) * right_0 + answer * missed
        return number_drill(
            "threshold",
            seed,
            answer,
            mistakes,
            _written,
            paragraphs(
                "**The excess costs.** A wrong decision costs more than the "
                f"right one: to {act} in vain costs ${false_alarm} - "
                f"{right_0} = {alarm}$ more, and to {skip} wrongly costs "
                f"${missed} - {right_1} = {miss}$ more.",
                f"**The threshold.**\n\n$${reason}$$",
                "**Does it make sense?** At this probability both decisions "
                f"have the same conditional risk:\n\n$${both[0]} = {both[1]} "
                f"= {fraction(same)}$$",
            ),
            prompt=(
                f"{_told(story, losses)}\n\nFrom which probability of "
                f"“{yes}” on is it better to {act}?"
            ),
            setup=(
                "from fractions import Fraction\n"
                "from bayesbook.decision import LossMatrix\n"
                f"(right_0, missed), (false_alarm, right_1) = {losses!r}\n"
                "loss = LossMatrix(\n"
                "    [[right_0, missed], [false_alarm, right_1]], (0, 1)\n"
                ")\n"
                "alarm, miss = false_alarm - right_0, missed - right_1\n"
                "def lead(q):\n"
                "    skip, act = loss.conditional_risk([1 - q, q])\n"
                "    return skip - act\n"
                "at_0, at_1 = lead(Fraction(0)), lead(Fraction(1))\n"
                "t = at_0 / (at_0 - at_1)\n"
                "same = loss.conditional_risk([1 - t, t])[0]\n"
            ),
            check="at_0 / (at_0 - at_1)",
            why_check=("alarm, miss, alarm + miss, t, 1 - t, same",),
            why=f"$${reason}$$",
            hints=hints(
                "What does each decision cost more than the other one, if it "
                "is wrong?",
                f"If it is {story.states[0]}, to {act} costs {alarm} more "
                f"than to {skip}. Now compare the two if it is {yes}.",
            ),
        )

    return until(draw)


def _threshold_mistakes(
    losses: Sequence[Sequence[int]], answer: Fraction
) -> Iterator[Mistake]:
    (right_0, missed), (false_alarm, right_1) = losses
    names: dict[str, Any] = {
        "Fraction": Fraction,
        "right_0": right_0,
        "missed": missed,
        "false_alarm": false_alarm,
        "right_1": right_1,
        "alarm": false_alarm - right_0,
        "miss": missed - right_1,
    }
    block = """
        Fraction(miss, alarm + miss)
            | The two excess costs are exchanged. The dearer a miss, the
            lower the threshold.
        Fraction(alarm, miss)
            | These are the odds at the threshold. Turn them into a
            probability.
        Fraction(false_alarm, false_alarm + missed)
            | if right_0 or right_1
            | Subtract the costs of the right decisions first.
        Fraction(1, 2)
            | One half is the threshold if both mistakes have the same excess
            cost.
        Fraction(false_alarm, missed)
            | if right_0 or right_1
            | This divides one cost by another. Compare the two decisions
            within each state first.
    """
    for value, check, why in mistakes_of(block, names):
        if value != answer:
            yield Fraction(value), check, why


# --- the Bayes risk of a table ----------------------------------------------


def bayes_risk(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the least mean cost of a rule that sees one of three values."""
    story = _STORIES[seed % len(_STORIES)]

    def draw() -> Drill | None:
        losses = _losses(rng)
        counts = [
            [int(rng.integers(8, 30)), int(rng.integers(1, 4))],
            [int(rng.integers(4, 20)), int(rng.integers(2, 12))],
            [int(rng.integers(1, 6)), int(rng.integers(5, 20))],
        ]
        totals = [
            [
                sum(n * cost for n, cost in zip(row, costs, strict=True))
                for costs in losses
            ]
            for row in counts
        ]
        best = [row.index(min(row)) for row in totals]
        if {*best} != {0, 1} or any(len({*row}) == 1 for row in totals):
            return None
        whole = sum(map(sum, counts))
        least = sum(map(min, totals))
        answer = Fraction(least, whole)
        mistakes = list(_risk_mistakes(counts, losses, totals, answer))
        if not _suits(answer, mistakes):
            return None
        no, yes = story.states
        lines = [
            f"- {seen}: to {story.decisions[0]} costs "
            f"${_sum(row, losses[0])} = {costs[0]}$, to "
            f"{story.decisions[1]} ${_sum(row, losses[1])} = {costs[1]}$"
            for seen, row, costs in zip(
                story.seen, counts, totals, strict=True
            )
        ]
        added = " + ".join(str(min(row)) for row in totals)
        reason = rf"R^* = \frac{{{added}}}{{{whole}}} = \frac{{{least}}}"
        reason += rf"{{{whole}}}"
        if fraction(answer) != rf"\frac{{{least}}}{{{whole}}}":
            reason += f" = {equals(answer)}"
        return number_drill(
            "bayes-risk",
            seed,
            answer,
            mistakes,
            _written,
            paragraphs(
                "**Each row by itself.** What both decisions would cost for "
                f"all {story.many} of the row together:\n\n"
                + "\n".join(lines),
                "**The number.** The smaller one of each row, divided by the "
                f"number of all {story.many}:\n\n$${reason}$$",
                "**Does it make sense?** Without looking at the "
                f"{story.head}, one decision for all costs "
                f"{min(map(sum, zip(*totals, strict=True)))} in total, "
                f"and this rule {least}.",
            ),
            prompt=(
                f"{_told(story, losses)}\n\nThese {whole} {story.many} are "
                f"counted by the {story.head}:\n\n"
                + table(
                    [story.head, no, yes],
                    [
                        [seen, *map(str, row)]
                        for seen, row in zip(story.seen, counts, strict=True)
                    ],
                )
                + "\n\nThe shares among them are taken for the probabilities. "
                f"What is the Bayes risk of a rule that sees the {story.head}?"
            ),
            setup=(
                "from fractions import Fraction\n"
                "from bayesbook.decision import LossMatrix\n"
                "from bayesbook import decision\n"
                "from bayesbook.probability import Table\n"
                f"counts = {counts!r}\n"
                f"losses = {losses!r}\n"
                "whole = sum(map(sum, counts))\n"
                "totals = [\n"
                "    [sum(n * c for n, c in zip(row, costs))\n"
                "     for costs in losses]\n"
                "    for row in counts\n"
                "]\n"
                "least = sum(map(min, totals))\n"
                "alone = min(map(sum, zip(*totals)))\n"
                "joint = Table(\n"
                "    [[Fraction(n, whole) for n in row] for row in counts],\n"
                "    {'X': range(3), 'C': (0, 1)},\n"
                ")\n"
                "loss = LossMatrix([list(row) for row in losses], (0, 1))\n"
            ),
            check="decision.bayes_risk(joint, 'C', loss)",
            why_check=("least, whole, alone, *sum(totals, [])",),
            why=f"$${reason}$$",
            hints=hints(
                f"For each value of the {story.head} the better decision is "
                "found by itself. What do both cost there?",
                f"In the row “{story.seen[0]}” to {story.decisions[0]} costs "
                f"{totals[0][0]} in total. Compare it with the other "
                "decision.",
            ),
        )

    return until(draw)


def _sum(row: Sequence[int], costs: Sequence[int]) -> str:
    """Write the cost of a decision for a row of counts, in TeX."""
    pairs = zip(row, costs, strict=True)
    return " + ".join(rf"{n} \cdot {cost}" for n, cost in pairs)


def _risk_mistakes(
    counts: Sequence[Sequence[int]],
    losses: Sequence[Sequence[int]],
    totals: Sequence[Sequence[int]],
    answer: Fraction,
) -> Iterator[Mistake]:
    names: Mapping[str, Any] = {
        "Fraction": Fraction,
        "counts": counts,
        "losses": losses,
        "totals": totals,
        "whole": sum(map(sum, counts)),
        "least": sum(map(min, totals)),
    }
    block = """
        Fraction(min(map(sum, zip(*totals))), whole)
            | This is the least mean cost of one decision for all. A rule
            may decide by what it sees.
        Fraction(sum(min(c) * sum(n) for c, n in
            zip(zip(*losses), zip(*counts))), whole)
            | This is the mean cost of somebody who knows the state.
        Fraction(sum(costs[row.index(max(row))] for row, costs in
            zip(counts, totals)), whole)
            | This takes the decision that is right for the more frequent
            state of each row. Compare the costs, not the counts.
        sum(Fraction(min(costs), sum(row)) for row, costs in
            zip(counts, totals)) / 3
            | This is the plain mean of the three conditional risks. The rows
            are not equally frequent.
        Fraction(least)
            | This is the cost of all of them together. Divide it by their
            number.
    """
    for value, check, why in mistakes_of(block, names):
        if value != answer:
            yield Fraction(value), check, why


def _suits(answer: Fraction, mistakes: list[Mistake]) -> bool:
    """Return whether the answer is short, and mistakes can be told."""
    several = len({value for value, *_ in mistakes}) >= _FEWEST_MISTAKES
    return (
        answer.denominator <= _LONGEST
        and several
        and told_apart(answer, mistakes)
    )
