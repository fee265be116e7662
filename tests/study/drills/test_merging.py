"""Moments follow from sums of powers; trees are grown, level by level."""

import re
from fractions import Fraction as F

import pytest
from study.drills.banks import bank

from bayesbook.study import quiz

KINDS = ("merged-moments", "reduction-tree")
# Where a prompt has its numbers, in this order.
MOMENTS = {
    "mean": r"has (\d+) .* mean \w+ (\d+), .* one (\d+) .* mean \w+ (\d+)\.",
    "others": r"All (\d+) .* mean \w+ (\d+); the (\d+) .* mean \w+ (\d+)\.",
    "parts": (
        r"has (\d+) .* mean (\d+) .* deviations (\d+)\. "
        r".* has (\d+) .* mean (\d+) .* deviations (\d+)\."
    ),
}
TREES = {
    "most": r"most (\d+) in a task, and there is time for (\d+) levels",
    "tree": r"each of (\d+) \w+\. .* adds (\d+) neighbours",
}


def numbers(drill, models):
    """Return which model a prompt is of, and its numbers."""
    [found] = [
        (model, [int(number) for number in match.groups()])
        for model, pattern in models.items()
        if (match := re.search(pattern, drill.prompt))
    ]
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def second_moment(n, mean, squares):
    """Return the sum of the squares of rows, from their moments."""
    return squares + n * F(mean) ** 2


def test_moments_are_those_of_the_sums_of_powers():
    seen = set()
    for drill in bank("merged-moments"):
        model, told = numbers(drill, MOMENTS)
        answer = F(drill.answer)
        if model == "mean":
            n_1, m_1, n_2, m_2 = told
            right = F(n_1 * m_1 + n_2 * m_2, n_1 + n_2)
        elif model == "others":
            n, m, n_1, m_1 = told
            right = answer
            assert n_1 * m_1 + (n - n_1) * answer == n * m
        else:
            (n_1, m_1, _), (n_2, m_2, _) = told[:3], told[3:]
            n = n_1 + n_2
            power = second_moment(*told[:3]) + second_moment(*told[3:])
            right = power - F(n_1 * m_1 + n_2 * m_2) ** 2 / n
            if "variance" in drill.prompt:
                model, right = "variance", right / n
        seen.add(model)
        assert abs(answer - right) < F(1, 10**4), drill
    assert seen == {*MOMENTS, "variance"}


def grown(parts, together):
    """Return the levels, the tasks and the additions of a tree."""
    levels = tasks = additions = 0
    while parts > 1:
        full, rest = divmod(parts, together)
        levels, tasks = levels + 1, tasks + full + (rest > 0)
        additions += full * (together - 1) + max(rest - 1, 0)
        parts = full + (rest > 0)
    return levels, tasks, additions


def test_a_tree_is_as_large_as_one_that_is_grown():
    seen = set()
    for drill in bank("reduction-tree"):
        model, (first, second) = numbers(drill, TREES)
        answer = int(drill.answer)
        if model == "most":
            assert grown(answer, first)[0] == second
            assert grown(answer + 1, first)[0] == second + 1
        else:
            asked = ["levels of", "many tasks", "is one table added"]
            [at] = [
                k for k, words in enumerate(asked) if words in drill.prompt
            ]
            model = asked[at]
            assert answer == grown(first, second)[at], drill
            # Else one level less would be no plausible mistake.
            assert at or first < second**answer
        seen.add(model)
    assert len(seen) == 4
