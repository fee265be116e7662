"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: two candidates, roots, urns, factorials ---


def updated_forgetting(a, b, trials, keep):
    """Backwards: a trial has faded once for each trial after it."""
    counts, weight = [b, a], F(1)
    for x in reversed(trials):
        counts[x] += weight
        weight *= keep
    return counts[1], counts[0]


def same_news(first, second):
    """Compare the likelihood ratios at three rates."""
    rates = F(1, 3), F(1, 2), F(3, 4)

    def likelihoods(data):
        return [np.prod([t if x else 1 - t for x in data]) for t in rates]

    ratios = np.divide(likelihoods(first), likelihoods(second))
    return len(set(ratios)) == 1


def imagined_result(mean, k, N, then):
    """Search for the sum at which the update ends where it should."""
    mean, then = float(mean), float(then)

    def excess(log_sum):
        s = np.exp(log_sum)
        after = stats.beta(mean * s + k, (1 - mean) * s + N - k)
        return after.mean() - then

    s = np.exp(optimize.brentq(excess, -12, 12, xtol=1e-14, rtol=1e-14))
    return mean * s, (1 - mean) * s


def successes_to_come(a, b, k, N, m, M):
    """An urn: each ball drawn goes back with one more of its colour."""
    urn = {(a + k, b + N - k): F(1)}
    for _ in range(M):
        drawn = {}
        for (good, bad), p in urn.items():
            share = F(good, good + bad)
            for ball, chance in [((1, 0), share), ((0, 1), 1 - share)]:
                state = good + ball[0], bad + ball[1]
                drawn[state] = drawn.get(state, 0) + p * chance
        urn = drawn
    return urn[a + k + m, b + N - k + M - m]


def beta_function(a, b):
    return F(factorial(a - 1) * factorial(b - 1), factorial(a + b - 1))


def evidence(a, b, data):
    ones, zeros = data.count(1), data.count(0)
    return beta_function(a + ones, b + zeros) / beta_function(a, b)


def bayes_factor(a, b, data):
    """By the formula with Beta functions."""
    return evidence(a, b, data) / F(1, 2) ** len(data)


def from_the_others(a, b, data):
    """The evidence of all, divided by that of the others."""
    whole = evidence(a, b, data)
    return [
        whole / evidence(a, b, data[:i] + data[i + 1 :])
        for i in range(len(data))
    ]


EXERCISES = exercises_of("beta_binomial")
test_another_solution_passes = solved_by("beta_binomial", globals())


def test_news_is_the_same_exactly_for_the_orders_of_a_sequence():
    reference = EXERCISES["same_news"].reference
    for first in product([0, 1], repeat=4):
        orders = set(permutations(first))
        for second in product([0, 1], repeat=4):
            assert reference([*first], [*second]) == (second in orders)


@pytest.mark.parametrize("case", EXERCISES["successes_to_come"].cases)
def test_the_predictive_is_an_integral(case):
    a, b, k, N, m, M = case
    after = stats.beta(a + k, b + N - k)
    found, _ = integrate.quad(
        lambda t: stats.binom(M, t).pmf(m) * after.pdf(t), 0, 1
    )
    reference = EXERCISES["successes_to_come"].reference
    assert float(reference(*case)) == pytest.approx(found)
