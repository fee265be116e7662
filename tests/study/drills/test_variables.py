"""Conditional means and total variances, from the cases one by one."""

import re
from fractions import Fraction

import pytest
from study.drills.banks import bank

from bayesbook.study import quiz

KINDS = ("conditional-mean", "total-variance")


def mean(values):
    return Fraction(sum(values), 1) / len(values)


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def test_a_conditional_mean_is_the_mean_of_the_cases_in_a_row():
    for drill in bank("conditional-mean"):
        xs = [int(x) for x in re.findall(r"\$X = (\d+)\$", drill.prompt)]
        rows = dict(re.findall(r"\n\| (\d) \|([\d |]+)\|", drill.prompt))
        [known] = re.findall(r"Y = (\d)\]", drill.prompt)
        counts = map(int, rows[known].split("|"))
        cases = [x for x, n in zip(xs, counts, strict=True) for _ in range(n)]
        assert abs(Fraction(drill.answer) - mean(cases)) < Fraction(1, 10**4)


def test_a_total_variance_is_that_of_all_cases():
    group = r"The (\d+) .*? of (\d+) \w+, with standard deviation (\d+)"
    for drill in bank("total-variance"):
        cases = []
        for n, centre, deviation in re.findall(group, drill.prompt):
            # Twice as many cases: half of them below the mean of the group.
            for side in (-1, 1):
                cases += [int(centre) + side * int(deviation)] * int(n)
        spread = mean([x * x for x in cases]) - mean(cases) ** 2
        assert abs(Fraction(drill.answer) - spread) < Fraction(1, 10**4)
