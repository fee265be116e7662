"""Bounds are those that some distribution attains; spreads, from all cases."""

import re
from fractions import Fraction as F
from itertools import product

import pytest
from study.drills.banks import bank

from bayesbook.study import quiz

KINDS = ("deviation-bound", "sampling-error")
BOUNDS = {  # where a prompt has its numbers, in this order
    "markov": r" (\d+) [a-z ]+ on average.* that [a-z]+ (\d+)",
    "outside": r"deviation (\d+);.* is (\d+) \w+ or more away from the mean",
    "inside": r"of (\d+) \w+, .*on (\d+);.*than (\d+) and .*than (\d+)",
    "mean": r"s of (\d+) .*deviation of (\d+) .* is (\d+) \w+ or more away",
    "draws": r"deviation (\d+) .* is (\d+) \w+ or more .* most ([\d.]+)\?",
}
SPREADS = {
    "sum": r"s of (\d+) .*deviation of (\d+) .*deviation of their sum",
    "mean": r"s of (\d+) .*deviation of (\d+) .*deviation of their mean",
    "needed": r"deviation (\d+) .*standard error ([\d.]+) \w+\?",
    "runs": r"of (\d+) independent runs .* error ([\d.]+)\. .* ([\d.]+)\?",
    "away": r"of (\d+) .*mean (\d+) .*deviation (\d+) .*sum is (\d+)\.",
    "share": r"Each of (\d+) .* with probability ([\d.]+),",
    "resample": r"The observations are ([\d, and]+)\.",
}


def numbers(drill, models):
    """Return which model a prompt is of, and its numbers."""
    [(model, found)] = [
        (model, found)
        for model, pattern in models.items()
        if (found := re.search(pattern, drill.prompt))
        and not (model == "mean" and "require" in drill.prompt)
    ]
    if model == "resample":
        return model, [F(x) for x in re.findall(r"\d+", found[1])]
    return model, [F(x) for x in found.groups()]


def expected(values, power=1):
    """Return a moment of values with their probabilities."""
    return sum(p * x**power for x, p in values.items())


def coins(n, sigma):
    """Return the variance of n coins with the values sigma and -sigma."""
    total = {F(0): F(1)}
    for _ in range(min(n, 6)):  # of few by going through them, of more as one
        longer = {}
        for (s, p), x in product(total.items(), (-sigma, sigma)):
            longer[s + x] = longer.get(s + x, 0) + p / 2
        total = longer
    return expected(total, 2) * F(n, min(n, 6))


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_is_recomputed(kind):
    questions = tuple(drill.question for drill in bank(kind))
    quiz.verify(quiz.Quiz(kind, kind, questions))


def test_a_bound_is_attained_by_a_distribution():
    seen = set()
    for drill in bank("deviation-bound"):
        model, told = numbers(drill, BOUNDS)
        seen.add(model)
        answer = F(drill.answer)
        if model == "markov":
            mean, high = told
            assert expected({0: 1 - answer, high: answer}) == mean
        elif model == "draws":
            sigma, d, level = told
            reached = [
                coins(int(n), sigma) / n**2 / d**2
                for n in (answer, answer - 1)
            ]
            assert reached[0] <= level < reached[1]
        elif model == "mean":
            n, sigma, d = told
            close(answer * d**2, coins(int(n), sigma) / n**2)
        else:
            if model == "inside":
                mean, sigma, low, high = told
                assert high - mean == mean - low
                d, beyond = high - mean, 1 - answer
            else:
                (sigma, d), beyond = told, answer
            three = {-d: beyond / 2, 0: 1 - beyond, d: beyond / 2}
            close(expected(three, 2) / d**2, sigma**2 / d**2)
    assert seen == set(BOUNDS)


def test_a_spread_is_that_of_all_cases():
    seen = set()
    for drill in bank("sampling-error"):
        model, told = numbers(drill, SPREADS)
        seen.add(model)
        answer = F(drill.answer)
        if model == "resample":
            n = len(told)
            means = [sum(row) / n for row in product(told, repeat=n)]
            share = F(1, len(means))
            close(answer, sum((m - sum(told) / n) ** 2 for m in means) * share)
        elif model == "share":
            n, p = told
            one = {0: 1 - p, 1: p}
            close(answer**2 * n, expected(one, 2) - expected(one) ** 2)
        elif model == "runs":
            n, error, wanted = told
            assert wanted**2 * answer == error**2 * n
        elif model == "needed":
            sigma, error = told
            assert coins(int(answer), sigma) / answer**2 == error**2
        elif model == "away":
            n, mu, sigma, total = told
            assert (total - n * mu) ** 2 == answer**2 * coins(int(n), sigma)
            assert total > n * mu
        else:
            n, sigma = told
            spread = answer**2 / (1 if model == "sum" else F(1, n**2))
            close(spread / n, coins(int(n), sigma) / n)
    assert seen == set(SPREADS)


def close(found, right):
    """Assert that two numbers are the same, but for rounding."""
    assert abs(found - right) <= F(1, 10**4) * max(1, right), (found, right)
