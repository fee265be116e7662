"""The coding exercises of the appendix *Limit theorems*."""

import math
import statistics
from fractions import Fraction as F

import numpy as np
from scipy import stats

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- chebyshev_draws(variance, distance, risk) -----------------------------


def _chebyshev_draws(variance, distance, risk):
    return math.ceil(variance / (risk * distance**2))


chebyshev_draws = Exercise(
    reference=_chebyshev_draws,
    cases=(
        (F(6, 25), F(1, 10), F(1, 20)),
        (F(35, 12), F(1, 4), F(1, 30)),
        (F(9, 4), F(3, 2), F(1, 100)),
        (F(16), F(1, 3), F(1, 7)),
        (F(1, 7), F(1, 5), F(1, 9)),
        (F(25), F(2), F(1, 50)),
    ),
    mistakes={
        "This rounds down: with so few draws the guarantee does not hold "
        "yet.": lambda v, d, r: math.floor(v / (r * d**2)),
        "This is one too many where the quotient is a whole number.": (
            lambda v, d, r: math.floor(v / (r * d**2)) + 1
        ),
        "A number of draws is whole: round up.": (
            lambda v, d, r: v / (r * d**2)
        ),
        "The distance enters squared.": (
            lambda v, d, r: math.ceil(v / (r * d))
        ),
        "The first argument is a variance already: do not square it.": (
            lambda v, d, r: math.ceil(v**2 / (r * d**2))
        ),
        "This takes the standard deviation where the variance belongs.": (
            lambda v, d, r: math.ceil(math.sqrt(v) / (r * d**2))
        ),
        "Where is the risk?": lambda v, d, r: math.ceil(v / d**2),
        "This takes the square root of the number of draws: the variance of "
        "the mean is that of one draw divided by n.": (
            lambda v, d, r: math.ceil(math.sqrt(v / (r * d**2)))
        ),
    },
)

# -- distribution_of_sum(distribution, n) ---------------------------------

_DIE = {face: F(1, 6) for face in range(1, 7)}
_COIN = {0: F(1, 2), 1: F(1, 2)}
_STEP = {-1: F(1, 3), 1: F(2, 3)}
_GAP = {0: F(1, 2), 1: F(1, 4), 5: F(1, 4)}
_UNUSED = {0: F(3, 5), 2: F(2, 5), 7: F(0)}


def _convolve(total, distribution, combine=lambda old, new: old + new):
    longer = {}
    for s, p in total.items():
        for x, q in distribution.items():
            if p * q > 0:
                longer[s + x] = combine(longer.get(s + x, 0), p * q)
    return longer


def _distribution_of_sum(distribution, n):
    total = {0: F(1)}
    for _ in range(n):
        total = _convolve(total, distribution)
    return total


def _overwritten(distribution, n):
    total = {0: F(1)}
    for _ in range(n):
        total = _convolve(total, distribution, lambda _old, new: new)
    return total


def _doubled(distribution, n):
    """Add the sum to itself n - 1 times, instead of one more copy."""
    total = distribution
    for _ in range(n - 1):
        total = _convolve(total, total)
    return total


distribution_of_sum = Exercise(
    reference=_distribution_of_sum,
    cases=(
        (_COIN, 3),
        (_DIE, 2),
        (_DIE, 3),
        (_STEP, 4),
        (_GAP, 2),
        (_GAP, 1),
        (_UNUSED, 2),
    ),
    mistakes={
        "This multiplies one variable by n; independent copies can differ, "
        "and then the sum lies between.": lambda distribution, n: {
            n * x: p for x, p in distribution.items() if p > 0
        },
        "Several pairs can have the same sum: add their probabilities up, "
        "and do not let the last one overwrite the others.": _overwritten,
        "This is the distribution of the sum of two copies, whatever n is.": (
            lambda distribution, n: _distribution_of_sum(distribution, 2)
        ),
        "This adds one copy too many.": lambda distribution, n: (
            _distribution_of_sum(distribution, n + 1)
        ),
        "This adds one copy too few: does the loop begin with one copy, and "
        "not with an empty sum?": lambda distribution, n: _distribution_of_sum(
            distribution, n - 1
        ),
        "This adds the sum to itself in each step, which doubles the number "
        "of copies; add one more copy instead.": _doubled,
        "This is the distribution of the mean; do not divide "
        "by n.": lambda distribution, n: {
            F(s, n): p
            for s, p in _distribution_of_sum(distribution, n).items()
        },
    },
)

# -- deviation(p, n, distance) ---------------------------------------------


def _binomial(p, n, event):
    return sum(
        (
            math.comb(n, k) * p**k * (1 - p) ** (n - k)
            for k in range(n + 1)
            if event(k)
        ),
        F(0),
    )


def _deviation(p, n, distance):
    return _binomial(p, n, lambda k: abs(F(k, n) - p) > distance)


deviation = Exercise(
    reference=_deviation,
    cases=(
        (F(1, 2), 4, F(1, 4)),
        (F(3, 5), 5, F(1, 5)),
        (F(1, 2), 10, F(1, 10)),
        (F(1, 6), 6, F(1, 9)),
        (F(2, 3), 7, F(1, 3)),
        (F(1, 10), 12, F(1, 6)),
    ),
    mistakes={
        "A share exactly at the distance is not *beyond* it.": (
            lambda p, n, d: _binomial(p, n, lambda k: abs(F(k, n) - p) >= d)
        ),
        "This is the probability of lying within the distance.": (
            lambda p, n, d: 1 - _deviation(p, n, d)
        ),
        "This counts deviations upwards only.": (
            lambda p, n, d: _binomial(p, n, lambda k: F(k, n) - p > d)
        ),
        "This counts deviations downwards only.": (
            lambda p, n, d: _binomial(p, n, lambda k: p - F(k, n) > d)
        ),
        "This compares the count, not the share, with the distance.": (
            lambda p, n, d: _binomial(p, n, lambda k: abs(k - n * p) > d)
        ),
        "This is Chebyshev's bound, not the probability.": (
            lambda p, n, d: p * (1 - p) / (n * d**2)
        ),
        "This leaves out the binomial coefficient: it is the probability of "
        "one order of successes and failures.": lambda p, n, d: sum(
            (
                p**k * (1 - p) ** (n - k)
                for k in range(n + 1)
                if abs(F(k, n) - p) > d
            ),
            F(0),
        ),
        "The loop ends too early: all n trials can succeed.": (
            lambda p, n, d: _binomial(
                p, n, lambda k: k < n and abs(F(k, n) - p) > d
            )
        ),
    },
)

# -- poisson_distance(n, p) ------------------------------------------------


def _gaps(n, p, mean=None):
    k = np.arange(n + 1)
    rate = n * p if mean is None else mean
    return stats.binom.pmf(k, n, p) - stats.poisson.pmf(k, rate)


def _poisson_distance(n, p):
    beyond = stats.poisson.sf(n, n * p)
    return float(abs(_gaps(n, p)).sum() + beyond) / 2


poisson_distance = Exercise(
    reference=_poisson_distance,
    cases=((1, 0.3), (2, 0.9), (5, 0.4), (10, 0.2), (50, 0.06)),
    mistakes={
        "Take half of the sum.": lambda n, p: 2 * _poisson_distance(n, p),
        "The sum goes over all k; the Poisson distribution has probability "
        "beyond n, "
        "too.": lambda n, p: float(abs(_gaps(n, p)).sum()) / 2,
        "This is Le Cam's bound, not the distance.": lambda n, p: n * p**2,
        "This is the largest difference of two probabilities, not half the "
        "sum of all.": lambda n, p: float(abs(_gaps(n, p)).max()),
        "The Poisson distribution has the mean p here; it should have the "
        "mean of the "
        "binomial distribution.": lambda n, p: (
            float(abs(_gaps(n, p, p)).sum() + stats.poisson.sf(n, p)) / 2
        ),
        "This stops at n - 1: does the range include n?": lambda n, p: (
            float(abs(_gaps(n, p)[:-1]).sum() + stats.poisson.sf(n - 1, n * p))
            / 2
        ),
    },
)

# -- interval(data, z) -----------------------------------------------------


def _around(mean, half):
    return mean - half, mean + half


def _interval(data, z):
    error = statistics.stdev(data) / math.sqrt(len(data))
    return _around(statistics.fmean(data), z * error)


def _half_of(half):
    """Return the mistake with another half-width."""
    return lambda data, z: _around(statistics.fmean(data), half(data, z))


interval = Exercise(
    reference=_interval,
    cases=(
        ([1.5, 2.5, 4.0, 8.0], 1.96),
        ([0, 0, 1, 1, 1], 1.96),
        ([3.25, 7.5], 1),
        ([10, 14, 12, 9, 11, 20], 2.58),
        ([-2.0, -1.0, 4.5], 3),
    ),
    mistakes={
        "This divides the squares by n; for the standard error divide them "
        "by n - 1.": _half_of(
            lambda x, z: z * statistics.pstdev(x) / math.sqrt(len(x))
        ),
        "This is where single observations lie: the mean of n varies less, "
        "by the root of n.": _half_of(lambda x, z: z * statistics.stdev(x)),
        "This divides by n, not by its root.": _half_of(
            lambda x, z: z * statistics.stdev(x) / len(x)
        ),
        "This takes the variance where the standard deviation belongs.": (
            _half_of(
                lambda x, z: z * statistics.variance(x) / math.sqrt(len(x))
            )
        ),
        "Where is the factor z?": _half_of(
            lambda x, z: statistics.stdev(x) / math.sqrt(len(x))
        ),
        "The whole interval is only half as long as it should be: z standard "
        "errors on each side.": _half_of(
            lambda x, z: z * statistics.stdev(x) / math.sqrt(len(x)) / 2
        ),
        "These are the mean and the half-width; return both ends.": (
            lambda x, z: (
                statistics.fmean(x),
                z * statistics.stdev(x) / math.sqrt(len(x)),
            )
        ),
        "The middle is the median, not the mean.": lambda x, z: _around(
            statistics.median(x),
            z * statistics.stdev(x) / math.sqrt(len(x)),
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "chebyshev_draws": chebyshev_draws,
    "distribution_of_sum": distribution_of_sum,
    "deviation": deviation,
    "poisson_distance": poisson_distance,
    "interval": interval,
}
