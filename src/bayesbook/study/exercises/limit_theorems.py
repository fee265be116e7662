"""The coding exercises of the appendix *Limit theorems*."""

import math
import statistics
from collections import Counter
from fractions import Fraction as F
from itertools import combinations_with_replacement, product

import numpy as np
from scipy import stats

from bayesbook.study.exercises.checker import exercise

# -- chebyshev_draws ------------------------------------------------------


@exercise(
    (F(6, 25), F(1, 10), F(1, 20)),
    (F(35, 12), F(1, 4), F(1, 30)),
    (F(9, 4), F(3, 2), F(1, 100)),
    (F(16), F(1, 3), F(1, 7)),
    (F(1, 7), F(1, 5), F(1, 9)),
    (F(25), F(2), F(1, 50)),
)
def chebyshev_draws(variance, distance, level):
    """Return the smallest n that Chebyshev's inequality guarantees."""
    return math.ceil(variance / (level * distance**2))


@chebyshev_draws.mistake(
    "This rounds down: with so few draws the guarantee does not hold yet.",
    example=((F(7), F(3, 2), F(1, 50)), 155),
)
def _rounded_down(variance, distance, level):
    return math.floor(variance / (level * distance**2))


@chebyshev_draws.mistake(
    "This is one too many where the quotient is a whole number.",
    example=((F(3), F(1, 2), F(1, 5)), 61),
)
def _one_more(variance, distance, level):
    return math.floor(variance / (level * distance**2)) + 1


@chebyshev_draws.mistake(
    "A number of draws is whole: round up.",
    example=((F(7), F(3, 2), F(1, 50)), F(1400, 9)),
)
def _not_rounded(variance, distance, level):
    return variance / (level * distance**2)


@chebyshev_draws.mistake(
    "The distance enters squared.",
    example=((F(7), F(3, 2), F(1, 50)), 234),
)
def _distance_not_squared(variance, distance, level):
    return math.ceil(variance / (level * distance))


@chebyshev_draws.mistake(
    "The first argument is a variance already: do not square it.",
    example=((F(7), F(3, 2), F(1, 50)), 1089),
)
def _variance_squared(variance, distance, level):
    return math.ceil(variance**2 / (level * distance**2))


@chebyshev_draws.mistake(
    "This takes the standard deviation where the variance belongs.",
    example=((F(7), F(3, 2), F(1, 50)), 59),
)
def _deviation_for_variance(variance, distance, level):
    return math.ceil(math.sqrt(variance) / (level * distance**2))


@chebyshev_draws.mistake(
    "Where is the level?",
    example=((F(7), F(3, 2), F(1, 50)), 4),
)
def _without_level(variance, distance, level):
    return math.ceil(variance / distance**2)


@chebyshev_draws.mistake(
    "This takes the square root of the number of draws: the variance of the "
    "mean is that of one draw divided by n.",
    example=((F(7), F(3, 2), F(1, 50)), 13),
)
def _root(variance, distance, level):
    return math.ceil(math.sqrt(variance / (level * distance**2)))


# -- distribution_of_sum --------------------------------------------------

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


@exercise(
    (_COIN, 3),
    (_DIE, 2),
    (_DIE, 3),
    (_STEP, 4),
    (_GAP, 2),
    (_GAP, 1),
    (_UNUSED, 2),
)
def distribution_of_sum(distribution, n):
    """Return the distribution of the sum of n independent copies."""
    total = {0: F(1)}
    for _ in range(n):
        total = _convolve(total, distribution)
    return total


@distribution_of_sum.mistake(
    "This multiplies one variable by n; independent copies can differ, and "
    "then the sum lies between.",
    example=(
        ({1: F(1, 3), 4: F(2, 3), 9: F(0)}, 3),
        {3: F(1, 3), 12: F(2, 3)},
    ),
)
def _multiple(distribution, n):
    return {n * x: p for x, p in distribution.items() if p > 0}


@distribution_of_sum.mistake(
    "Several pairs can have the same sum: add their probabilities up, and do "
    "not let the last one overwrite the others.",
    example=(
        ({1: F(1, 3), 4: F(2, 3)}, 3),
        {3: F(1, 27), 6: F(2, 27), 9: F(4, 27), 12: F(8, 27)},
    ),
)
def _overwritten(distribution, n):
    total = {0: F(1)}
    for _ in range(n):
        total = _convolve(total, distribution, lambda _old, new: new)
    return total


@distribution_of_sum.mistake(
    "This is the distribution of the sum of two copies, whatever n is.",
    example=(
        ({1: F(1, 3), 4: F(2, 3)}, 4),
        {2: F(1, 9), 5: F(4, 9), 8: F(4, 9)},
    ),
)
def _of_two(distribution, n):
    return distribution_of_sum(distribution, 2)


@distribution_of_sum.mistake(
    "This adds one copy too many.",
    example=(
        ({1: F(1, 3), 4: F(2, 3)}, 4),
        {
            5: F(1, 243),
            8: F(10, 243),
            11: F(40, 243),
            14: F(80, 243),
            17: F(80, 243),
            20: F(32, 243),
        },
    ),
)
def _one_too_many(distribution, n):
    return distribution_of_sum(distribution, n + 1)


@distribution_of_sum.mistake(
    "This adds one copy too few: does the loop begin with one copy, and not "
    "with an empty sum?",
    example=(
        ({1: F(1, 3), 4: F(2, 3)}, 4),
        {3: F(1, 27), 6: F(6, 27), 9: F(12, 27), 12: F(8, 27)},
    ),
)
def _one_too_few(distribution, n):
    return distribution_of_sum(distribution, n - 1)


@distribution_of_sum.mistake(
    "This adds the sum to itself in each step, which doubles the number of "
    "copies; add one more copy instead.",
    example=(
        ({1: F(1, 3), 4: F(2, 3)}, 4),
        {
            8: F(1, 6561),
            11: F(16, 6561),
            14: F(112, 6561),
            17: F(448, 6561),
            20: F(1120, 6561),
            23: F(1792, 6561),
            26: F(1792, 6561),
            29: F(1024, 6561),
            32: F(256, 6561),
        },
    ),
)
def _doubled(distribution, n):
    total = distribution
    for _ in range(n - 1):
        total = _convolve(total, total)
    return total


@distribution_of_sum.mistake(
    "This is the distribution of the mean; do not divide by n.",
    example=(
        ({1: F(1, 3), 4: F(2, 3)}, 3),
        {1: F(1, 27), 2: F(6, 27), 3: F(12, 27), 4: F(8, 27)},
    ),
)
def _of_mean(distribution, n):
    right = distribution_of_sum(distribution, n)
    return {F(total, n): p for total, p in right.items()}


# -- deviation ------------------------------------------------------------


def _binomial(p, n, event):
    """Return the probability of the counts k with event(k)."""
    terms = (math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1))
    return sum((term for k, term in enumerate(terms) if event(k)), F(0))


@exercise(
    (F(1, 2), 4, F(1, 4)),
    (F(3, 5), 5, F(1, 5)),
    (F(1, 2), 10, F(1, 10)),
    (F(1, 6), 6, F(1, 9)),
    (F(2, 3), 7, F(1, 3)),
    (F(1, 10), 12, F(1, 6)),
)
def deviation(p, n, distance):
    """Return P[|K/n - p| > distance] for a binomial K."""
    return _binomial(p, n, lambda k: abs(F(k, n) - p) > distance)


@deviation.mistake(
    "A share exactly at the distance is not *beyond* it.",
    example=((F(1, 3), 4, F(1, 6)), F(49, 81)),
)
def _at_the_distance_too(p, n, distance):
    return _binomial(p, n, lambda k: abs(F(k, n) - p) >= distance)


@deviation.mistake(
    "This is the probability of lying within the distance.",
    example=((F(1, 3), 4, F(1, 6)), F(56, 81)),
)
def _within(p, n, distance):
    return 1 - deviation(p, n, distance)


@deviation.mistake(
    "This counts deviations upwards only.",
    example=((F(1, 3), 4, F(1, 6)), F(1, 9)),
)
def _upwards(p, n, distance):
    return _binomial(p, n, lambda k: F(k, n) - p > distance)


@deviation.mistake(
    "This counts deviations downwards only.",
    example=((F(1, 3), 4, F(1, 12)), F(16, 81)),
)
def _downwards(p, n, distance):
    return _binomial(p, n, lambda k: p - F(k, n) > distance)


@deviation.mistake(
    "This compares the count, not the share, with the distance.",
    example=((F(1, 3), 4, F(1, 3)), F(49, 81)),
)
def _count_not_share(p, n, distance):
    return _binomial(p, n, lambda k: abs(k - n * p) > distance)


@deviation.mistake(
    "This is Chebyshev's bound, not the probability.",
    example=((F(1, 3), 4, F(1, 6)), 2),
)
def _chebyshev(p, n, distance):
    return p * (1 - p) / (n * distance**2)


@deviation.mistake(
    "This leaves out the binomial coefficient: it is the probability of one "
    "order of successes and failures.",
    example=((F(1, 3), 4, F(1, 6)), F(19, 81)),
)
def _one_order(p, n, distance):
    counts = [k for k in range(n + 1) if abs(F(k, n) - p) > distance]
    return sum((p**k * (1 - p) ** (n - k) for k in counts), F(0))


@deviation.mistake(
    "The loop ends too early: all n trials can succeed.",
    example=((F(1, 3), 4, F(1, 6)), F(8, 27)),
)
def _without_n(p, n, distance):
    return _binomial(p, n, lambda k: k < n and abs(F(k, n) - p) > distance)


# -- poisson_distance -----------------------------------------------------


def _gaps(n, p, mean):
    """Return the differences to a Poisson distribution up to n."""
    k = np.arange(n + 1)
    return stats.binom.pmf(k, n, p) - stats.poisson.pmf(k, mean)


@exercise(
    (1, 0.3),
    (2, 0.9),
    (5, 0.4),
    (10, 0.2),
    (50, 0.06),
)
def poisson_distance(n, p):
    """Return the total variation of Binomial(n, p) and Poisson(n p)."""
    beyond = stats.poisson.sf(n, n * p)
    return float(abs(_gaps(n, p, n * p)).sum() + beyond) / 2


@poisson_distance.mistake(
    "Take half of the sum.",
    example=((4, 0.4), 0.2510200104),
)
def _whole_sum(n, p):
    return 2 * poisson_distance(n, p)


@poisson_distance.mistake(
    "The sum goes over all k; the Poisson distribution has probability beyond "
    "n, too.",
    example=((4, 0.4), 0.1136688662),
)
def _up_to_n(n, p):
    return float(abs(_gaps(n, p, n * p)).sum()) / 2


@poisson_distance.mistake(
    "This is Le Cam's bound, not the distance.",
    example=((4, 0.4), 0.64),
)
def _le_cam(n, p):
    return n * p**2


@poisson_distance.mistake(
    "This is the largest difference of two probabilities, not half the sum of "
    "all.",
    example=((4, 0.4), 0.08717245697),
)
def _largest(n, p):
    return float(abs(_gaps(n, p, n * p)).max())


@poisson_distance.mistake(
    "The Poisson distribution has the mean p here; it should have the mean of "
    "the binomial distribution.",
    example=((4, 0.4), 0.5407812894),
)
def _mean_p(n, p):
    return float(abs(_gaps(n, p, mean=p)).sum() + stats.poisson.sf(n, p)) / 2


@poisson_distance.mistake(
    "This stops at n - 1: does the range include n?",
    example=((4, 0.4), 0.1107444006),
)
def _stops_early(n, p):
    beyond = stats.poisson.sf(n, n * p)
    return float(abs(_gaps(n, p, n * p)[:-1]).sum() + beyond) / 2


# -- interval -------------------------------------------------------------


def _around(mean, half):
    return mean - half, mean + half


def _around_the_mean(data, half):
    return _around(statistics.fmean(data), half)


@exercise(
    ([1.5, 2.5, 4.0, 8.0], 1.96),
    ([0, 0, 1, 1, 1], 1.96),
    ([3.25, 7.5], 1),
    ([10, 14, 12, 9, 11, 20], 2.58),
    ([-2.0, -1.0, 4.5], 3),
)
def interval(data, z):
    """Return the ends of the mean plus and minus z standard errors."""
    error = statistics.stdev(data) / math.sqrt(len(data))
    return _around_the_mean(data, z * error)


@interval.mistake(
    "This divides the squares by n; for the standard error divide them by n - "
    "1.",
    example=(
        ([1, 3, 8], 5),
        (4 - 5 / 3 * math.sqrt(26), 4 + 5 / 3 * math.sqrt(26)),
    ),
)
def _divided_by_n(data, z):
    error = statistics.pstdev(data) / math.sqrt(len(data))
    return _around_the_mean(data, z * error)


@interval.mistake(
    "This is where single observations lie: the mean of n varies less, by the "
    "root of n.",
    example=(([1, 3, 8], 5), (4 - 5 * math.sqrt(13), 4 + 5 * math.sqrt(13))),
)
def _single_observation(data, z):
    return _around_the_mean(data, z * statistics.stdev(data))


@interval.mistake(
    "This divides by n, not by its root.",
    example=(
        ([1, 3, 8], 5),
        (4 - 5 / 3 * math.sqrt(13), 4 + 5 / 3 * math.sqrt(13)),
    ),
)
def _by_n(data, z):
    return _around_the_mean(data, z * statistics.stdev(data) / len(data))


@interval.mistake(
    "This takes the variance where the standard deviation belongs.",
    example=(([1, 3, 8], 5), (4 - 65 / math.sqrt(3), 4 + 65 / math.sqrt(3))),
)
def _variance(data, z):
    half = z * statistics.variance(data) / math.sqrt(len(data))
    return _around_the_mean(data, half)


@interval.mistake(
    "Where is the factor z?",
    example=(([1, 3, 8], 5), (4 - math.sqrt(13 / 3), 4 + math.sqrt(13 / 3))),
)
def _without_z(data, z):
    return interval(data, 1)


@interval.mistake(
    "The whole interval is only half as long as it should be: z standard "
    "errors on each side.",
    example=(
        ([1, 3, 8], 5),
        (4 - 2.5 * math.sqrt(13 / 3), 4 + 2.5 * math.sqrt(13 / 3)),
    ),
)
def _half_as_long(data, z):
    half = z * statistics.stdev(data) / math.sqrt(len(data)) / 2
    return _around_the_mean(data, half)


@interval.mistake(
    "These are the mean and the half-width; return both ends.",
    example=(([1, 3, 8], 5), (4, 5 * math.sqrt(13 / 3))),
)
def _mean_and_half(data, z):
    half = z * statistics.stdev(data) / math.sqrt(len(data))
    return statistics.fmean(data), half


@interval.mistake(
    "The middle is the median, not the mean.",
    example=(
        ([1, 3, 8], 5),
        (3 - 5 * math.sqrt(13 / 3), 3 + 5 * math.sqrt(13 / 3)),
    ),
)
def _around_median(data, z):
    half = z * statistics.stdev(data) / math.sqrt(len(data))
    return _around(statistics.median(data), half)


# -- bootstrap_of_mean ----------------------------------------------------


def _shares(means):
    """Return the share of each value."""
    means = list(means)
    return {x: F(k, len(means)) for x, k in Counter(means).items()}


def _mean(row):
    return F(sum(row), len(row))


@exercise(
    ((0, 3, 6),),
    ((1, 2, 4, 8),),
    ((5, 1, 5),),
    ((-1, 2),),
    ((0, 0, 1, 0),),
)
def bootstrap_of_mean(data):
    """Return the exact bootstrap distribution of the mean."""
    return _shares(map(_mean, product(data, repeat=len(data))))


@bootstrap_of_mean.mistake(
    "Without replacement every resample has the mean of the data.",
    example=(((1, 5),), {F(3): F(1)}),
)
def _without_replacement(data):
    return {_mean(data): F(1)}


@bootstrap_of_mean.mistake(
    "The order of the draws is forgotten: what can be drawn in more orders "
    "has more probability.",
    example=(((1, 5),), {F(1): F(1, 3), F(3): F(1, 3), F(5): F(1, 3)}),
)
def _unordered(data):
    rows = combinations_with_replacement(data, len(data))
    return _shares(map(_mean, rows))


@bootstrap_of_mean.mistake(
    "These are the sums; divide them by the number of observations.",
    example=(((1, 5),), {F(2): F(1, 4), F(6): F(1, 2), F(10): F(1, 4)}),
)
def _sums(data):
    return {x * len(data): p for x, p in bootstrap_of_mean(data).items()}


@bootstrap_of_mean.mistake(
    "These are counts; divide them by the number of resamples.",
    example=(((1, 5),), {F(1): 1, F(3): 2, F(5): 1}),
)
def _counts(data):
    n = len(data)
    return {x: p * n**n for x, p in bootstrap_of_mean(data).items()}


@bootstrap_of_mean.mistake(
    "This is the distribution of one draw; a resample has as many draws as "
    "there are observations.",
    example=(((1, 5),), {F(1): F(1, 2), F(5): F(1, 2)}),
)
def _one_draw(data):
    return _shares(map(F, data))


@bootstrap_of_mean.mistake(
    "Several resamples have the same mean: their probabilities add up.",
    example=(((1, 5),), {F(1): F(1, 4), F(3): F(1, 4), F(5): F(1, 4)}),
)
def _resampled_once(data):
    n = len(data)
    return dict.fromkeys(bootstrap_of_mean(data), F(1, n**n))
