"""Risks of numbers and of predictions, found again from the prompts."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from study.drills.banks import bank

from bayesbook.study import quiz

KINDS = ("least-risk", "squared-risk")
LOSSES = {
    "the square of its error": lambda y, c: (y - c) ** 2,
    "the size of its error": lambda y, c: abs(y - c),
    "0 if it is exactly right": lambda y, c: int(y != c),
}
UNEQUAL = re.compile(r"too large costs (\d), .* too small costs (\d)\.")
SERIES = re.compile(
    r"mean (\d+) and the standard deviation (\d+)\. .* by "
    r"\$\\frac\{(\d)\}\{(\d)\}\$ of the mean of (\d) earlier .* "
    r"plus \$\\frac\{(\d)\}\{(\d)\}\$ of the number (\d+)\."
)


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def loss_of(prompt):
    """Return the loss that a prompt describes, and its name."""
    for words, loss in LOSSES.items():
        if words in prompt:
            return words, loss
    above, below = map(int, UNEQUAL.search(prompt).groups())
    return "unequal", lambda y, c: max(above * (c - y), below * (y - c))


def test_no_number_of_a_fine_grid_has_a_smaller_risk():
    seen = Counter()
    for drill in bank("least-risk"):
        values, tenths = (
            [int(n) for n in row.replace("/10", "").strip("| ").split(" | ")]
            for row in re.findall(
                r"(?:\$y\$|probability) (\|.*) \|", drill.prompt
            )
        )
        assert sum(tenths) == 10
        name, loss = loss_of(drill.prompt)
        ten_risks = [
            sum(
                n * loss(y, Fraction(i, 20))
                for y, n in zip(values, tenths, strict=True)
            )
            for i in range(20 * max(values) + 21)
        ]
        assert abs(Fraction(drill.answer) - min(ten_risks) / 10) < 1e-4
        seen[name] += 1
    assert len(seen) == 4
    assert min(seen.values()) >= 30


def test_a_squared_risk_is_the_mean_of_all_outcomes():
    """Of values that are as often above the mean as below it."""
    for drill in bank("squared-risk")[::4]:
        found = map(int, SERIES.search(drill.prompt).groups())
        mu, s, top, bottom, n, other, same, guess = found
        w = Fraction(top, bottom)
        assert w + Fraction(other, same) == 1
        squares = [
            (y - w * sum(earlier) / n - (1 - w) * guess) ** 2
            for y, *earlier in product((mu - s, mu + s), repeat=n + 1)
        ]
        risk = sum(squares) / len(squares)
        assert abs(Fraction(drill.answer) - risk) < Fraction(1, 10**4)
