"""The exercises of the appendix can be solved, and in another way."""

import statistics
from collections import Counter
from fractions import Fraction as F
from itertools import count, product
from math import exp, factorial, prod

from scipy import stats
from study.exercises.solving import solved_by

# --- Solutions by going through all cases ---------------------------------


def chebyshev_draws(variance, distance, level):
    return next(n for n in count(1) if variance / n <= level * distance**2)


def distribution_of_sum(distribution, n):
    """Add up over all rows of n values."""
    total = Counter()
    for row in product(distribution, repeat=n):
        total[sum(row)] += prod(distribution[x] for x in row)
    return {s: p for s, p in total.items() if p}


def deviation(p, n, distance):
    """Go through all rows of successes and failures."""
    return sum(
        prod(p if x else 1 - p for x in row)
        for row in product((0, 1), repeat=n)
        if not p - distance <= F(sum(row), n) <= p + distance
    )


def poisson_distance(n, p):
    """Add up where the binomial has more probability than the Poisson."""
    trial = {0: 1 - p, 1: p}
    distribution = {0: 1.0}
    for _ in range(n):
        longer = Counter()
        for (s, a), (x, b) in product(distribution.items(), trial.items()):
            longer[s + x] += a * b
        distribution = longer
    mean = n * p
    return sum(
        max(q - exp(-mean) * mean**k / factorial(k), 0)
        for k, q in distribution.items()
    )


def interval(data, z):
    """Through the squared differences of all pairs, and scipy's normal."""
    n = len(data)
    variance = sum((a - b) ** 2 for a, b in product(data, data))
    variance /= 2 * n * (n - 1)
    share = 1 - 2 * stats.norm.sf(z)
    mean, error = statistics.fmean(data), (variance / n) ** 0.5
    return tuple(map(float, stats.norm.interval(share, mean, error)))


def bootstrap_of_mean(data):
    """Add one draw after another, as sums of exact convolutions."""
    one = {x: F(k, len(data)) for x, k in Counter(data).items()}
    sums = distribution_of_sum(one, len(data))
    return {F(s, len(data)): p for s, p in sums.items()}


test_another_solution_passes = solved_by("limit_theorems", globals())
