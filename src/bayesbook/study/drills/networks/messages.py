"""Drills of messages on a chain: a hidden Markov model of two days.

All probabilities are tenths, so each answer is an exact fraction.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.writing import (
    by_hand,
    equals,
    hints,
    mistakes_to_tell,
    names_of,
    paragraphs,
    rounded,
    table,
)

_LEAST, _LONGEST = Fraction(1, 25), 1000
_written = partial(rounded, longest=500)


class _Story(NamedTuple):
    """Two hidden states, the second of which is asked for, and two signs."""

    of: str
    states: tuple[str, str]
    signs: tuple[str, str]


_STORIES = (
    _Story("the weather", ("dry", "wet"), ("no umbrella", "an umbrella")),
    _Story("a machine", ("sound", "worn"), ("no noise", "a noise")),
    _Story("a cat", ("calm", "hungry"), ("silence", "a miaow")),
    _Story("a line", ("free", "busy"), ("a tone", "no tone")),
)

_SETUP = """
from fractions import Fraction as F
start = [F(n, 10) for n in tenths[0]]
step = [[F(n, 10) for n in row] for row in tenths[1:3]]
show = [[F(n, 10) for n in row] for row in tenths[3:5]]
seen = [[row[sign] for row in show] for sign in signs]
bits = (0, 1)
alpha = [p * w for p, w in zip(start, seen[0])]
arrive = [sum(a * row[j] for a, row in zip(alpha, step)) for j in bits]
last = [m * w for m, w in zip(arrive, seen[1])]
beta = [sum(p * w for p, w in zip(row, seen[1])) for row in step]
first = [a * b for a, b in zip(alpha, beta)]
total = sum(last)
plain = [sum(p * row[j] for p, row in zip(start, step)) for j in bits]
ways = [[a * p * w for p, w in zip(row, seen[1])]
        for a, row in zip(alpha, step)]
best = max(map(max, ways))
def share(pair):
    return pair[1] / sum(pair)
def brute(keep):
    rows = {(i, j): start[i] * seen[0][i] * step[i][j] * seen[1][j]
            for i in bits for j in bits}
    return sum(p for row, p in rows.items() if keep(row)) / sum(rows.values())
"""

_SECOND = """
    share(arrive) | This uses only the sign of the first day. Multiply by the
        probabilities of the second sign, and divide by the sum.
    share([m * w for m, w in zip(plain, seen[1])]) | This uses only the sign
        of the second day: the message from the first day has its sign, too.
    share(first) | This is the first day, given both signs.
    last[1] | This is the joint probability with both signs. Divide it by the
        probability of the signs.
    1 - share(last) | This is the probability of the other state.
    share(plain) | This is the probability before any sign.
"""
_FIRST = """
    share(alpha) | This uses only the sign of the first day. The second sign
        tells something of the first day, too.
    share(last) | This is the second day, given both signs.
    first[1] | This is the joint probability with both signs. Divide it by
        the probability of the signs.
    1 - share(first) | This is the probability of the other state.
    share([p * b for p, b in zip(start, beta)]) | This uses only the sign of
        the second day.
    start[1] | This is the probability before any sign.
"""
_BEST = """
    best | This is the joint probability of the best sequence and the signs.
        Divide it by the probability of the signs.
    max(share(first), 1 - share(first)) * max(share(last), 1 - share(last))
        | This multiplies the posteriors of the two days. Given the signs the
        days are not independent.
    max(map(max, ways)) / sum(max(column) for column in zip(*ways)) | This
        divides by a sum of maxima. The probability of the signs is the sum
        of all products.
    max(share(last), 1 - share(last)) | This is the probability of the better
        state of the second day, whatever the first day was.
    max(p * q for p, row in zip(start, step) for q in row) | This is the most
        probable sequence before any sign, with its prior probability.
"""


def chain_messages(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for a posterior of a hidden Markov model, or of its best path."""
    variant = seed % 3
    story = _STORIES[seed // 3 % len(_STORIES)]

    def draw() -> Drill | None:
        small, large = pick(rng, (1, 2, 3, 4)), pick(rng, (6, 7, 8, 9))
        stay, change = pick(rng, (6, 7, 8, 9)), pick(rng, (1, 2, 3, 4))
        begin = pick(rng, (2, 3, 4, 5, 6))
        tenths = [
            [10 - begin, begin],
            [stay, 10 - stay],
            [change, 10 - change],
            [10 - small, small],
            [10 - large, large],
        ]
        signs = [pick(rng, (0, 1)), pick(rng, (0, 1))]
        setup = f"tenths, signs = {tenths}, {signs}{_SETUP}"
        names = names_of(setup)
        asked = (_second_day, _first_day, _best_path)[variant](story, names)
        if asked is None:
            return None
        prompt = _prompt(story, names, asked.question)
        return _drill(seed, prompt, setup, asked)

    return until(draw)


def _prompt(story: _Story, names: Mapping[str, Any], question: str) -> str:
    """Write the model, what is observed, and the question."""

    def rows(numbers: list[list[Fraction]]) -> list[list[str]]:
        return [
            [state, *(f"{float(p):.1f}" for p in row)]
            for state, row in zip(story.states, numbers, strict=True)
        ]

    one, two = (story.signs[sign] for sign in names["signs"])
    return paragraphs(
        f"A hidden Markov model of {story.of}, which is {story.states[0]} or "
        f"{story.states[1]} on each of two days. On the first day it is "
        f"{story.states[1]} with probability {float(names['start'][1]):.1f}. "
        "The state of the next day, given that of the first:",
        table(["first day", *story.states], rows(names["step"])),
        "What is observed on a day, given its state:",
        table(["state", *story.signs], rows(names["show"])),
        f"Observed are {one} on the first day and {two} on the second. "
        f"{question}",
    )


def _pair(numbers: list[Fraction]) -> str:
    return ", ".join(_number(n) for n in numbers)


def _number(n: Fraction) -> str:
    """Write a product of tenths, with all its digits."""
    return f"{float(n):.6f}".rstrip("0").rstrip(".")


class _Asked(NamedTuple):
    """What is asked, and how its answer, a quotient, is found."""

    question: str
    above: Fraction
    below: Fraction
    check: str
    mistakes: str
    steps: tuple[str, ...]
    look: str
    step: str


def _drill(seed: int, prompt: str, setup: str, asked: _Asked) -> Drill | None:
    """Write a drill, or return None if the answer does not suit."""
    answer = asked.above / asked.below
    if not by_hand(answer, _LEAST, _LONGEST):
        return None
    mistakes = mistakes_to_tell(asked.mistakes, names_of(setup), answer)
    if mistakes is None:
        return None
    quotient = rf"\frac{{{_number(asked.above)}}}{{{_number(asked.below)}}}"
    reason = f"$${quotient} = {equals(answer, 3)}$$"
    *before, last = asked.steps
    return number_drill(
        "chain-messages",
        seed,
        answer,
        mistakes,
        _written,
        paragraphs(*before, f"{last} by the sum:\n\n{reason}"),
        prompt=prompt,
        setup=setup,
        check=asked.check,
        why=reason,
        why_check=(
            "alpha, arrive, last, beta, first, total, best, ways",
            "seen, step, start",
        ),
        hints=hints(asked.look, asked.step),
    )


def _second_day(story: _Story, names: Mapping[str, Any]) -> _Asked:
    message, last = _pair(names["arrive"]), names["last"]
    return _Asked(
        question="What is the probability that it is "
        f"{story.states[1]} on the second day, given both?",
        above=last[1],
        below=sum(last),
        check="brute(lambda row: row[1])",
        mistakes=_SECOND,
        steps=(
            "**The first day.** The probabilities of its states, times those "
            f"of its sign, are {_pair(names['alpha'])}.",
            f"**The message.** Multiply by the steps and add: {message}.",
            "**The second day.** Times the probabilities of its sign this is "
            f"{_pair(last)}; divide",
        ),
        look="Send a message from the first day to the second: what does the "
        "first day, with its sign, say of the second?",
        step=f"The message is {message}. Which factor is still missing?",
    )


def _first_day(story: _Story, names: Mapping[str, Any]) -> _Asked:
    message, first = _pair(names["beta"]), names["first"]
    return _Asked(
        question="What is the probability that it was "
        f"{story.states[1]} on the first day, given both?",
        above=first[1],
        below=sum(first),
        check="brute(lambda row: row[0])",
        mistakes=_FIRST,
        steps=(
            "**The first day.** The probabilities of its states, times those "
            f"of its sign, are {_pair(names['alpha'])}.",
            "**The message from the second day.** For each state of the first "
            "day, add up step times sign over the states of the second: "
            f"{message}.",
            f"**The product** is {_pair(first)}; divide",
        ),
        look="Send a message from the second day back to the first: how "
        "probable is the second sign, given each state of the first day?",
        step=f"The message is {message}. By what is it multiplied?",
    )


def _best_path(story: _Story, names: Mapping[str, Any]) -> _Asked | None:
    ways, best = names["ways"], names["best"]
    (i, j), *ties = [
        (i, j) for i in (0, 1) for j in (0, 1) if ways[i][j] == best
    ]
    if ties:
        return None
    rows = [
        [state, *(_number(p) for p in row)]
        for state, row in zip(story.states, ways, strict=True)
    ]
    return _Asked(
        question="What is the posterior probability of the most probable "
        "sequence of both states?",
        above=best,
        below=names["total"],
        check="brute(lambda row: ways[row[0]][row[1]] == best)",
        mistakes=_BEST,
        steps=(
            "**All sequences.** The products of start, step and both signs, a "
            "row for each state of the first day:",
            table(["first day", *story.states], rows),
            f"**The largest** belongs to {story.states[i]}, "
            f"{story.states[j]}. (The Viterbi algorithm finds it by maxima, "
            "without listing all.) Divide",
        ),
        look="There are only four sequences. What is the product of start, "
        "step and both signs for each?",
        step=f"The largest product is {_number(best)}. By what has it to be "
        "divided?",
    )
