"""Thresholds and Bayes risks, by trying decisions and rules one by one."""

import re
from fractions import Fraction
from itertools import product

import pytest
from study.drills.banks import bank

from bayesbook.study import quiz

KINDS = ("threshold", "bayes-risk")
NEAR = Fraction(1, 10**4)


def losses_of(prompt):
    """Return what both decisions cost in both states, the second one first."""
    costs = r"costs (\d+) if it is [\w ]+? and (\d+) if it is"
    return [tuple(map(int, pair)) for pair in re.findall(costs, prompt)]


def risk(costs, q):
    return (1 - q) * costs[0] + q * costs[1]


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def test_both_decisions_are_as_good_at_the_threshold_only():
    for drill in bank("threshold"):
        act, skip = losses_of(drill.prompt)
        t = Fraction(drill.answer)
        assert risk(act, t + NEAR) < risk(skip, t + NEAR)
        assert risk(act, t - NEAR) > risk(skip, t - NEAR)


def test_a_bayes_risk_is_that_of_the_cheapest_of_all_rules():
    for drill in bank("bayes-risk"):
        ways = losses_of(drill.prompt)
        rows = re.findall(r"\n\| [\w ]+ \| (\d+) \| (\d+) \|", drill.prompt)
        counts = [tuple(map(int, row)) for row in rows]
        assert len(counts) == 3
        whole = sum(map(sum, counts))
        of_rules = [
            sum(
                n * cost
                for row, costs in zip(counts, rule, strict=True)
                for n, cost in zip(row, costs, strict=True)
            )
            for rule in product(ways, repeat=3)
        ]
        assert (
            abs(Fraction(drill.answer) - Fraction(min(of_rules), whole)) < NEAR
        )
