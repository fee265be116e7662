"""The coding exercises of the chapter *Gaussian and gamma families*."""

from fractions import Fraction as F
from math import comb, exp, factorial, prod

from bayesbook.study.exercises.checker import exercise

# -- combine --------------------------------------------------------------


def _weighted_mean(m, v, readings, weight):
    """Return the mean with weights of all variances."""
    pairs = [[m, v], *readings]
    total = sum(weight(variance) for _, variance in pairs)
    return sum(x * weight(variance) for x, variance in pairs) / total


@exercise(
    (F(20), F(4), [[F(23), F(1)]]),
    (F(0), F(9), [[F(4), F(3)], [F(7), F(18)]]),
    (F(5), F(1, 4), [[F(3), F(1, 2)], [F(8), F(2)], [F(-1), F(5)]]),
    (F(-2), F(16), [[F(6), F(9)]]),
    (0.5, 2.5, [[1.5, 0.4], [3.5, 6.25]]),
    (F(7), F(3), []),
)
def combine(m, v, readings):
    """Return the posterior (mean, variance) of a Gaussian mean."""
    mean = _weighted_mean(m, v, readings, lambda variance: 1 / variance)
    precision = 1 / v + sum(1 / variance for _, variance in readings)
    return mean, 1 / precision


@combine.mistake(
    "Variances were added. What adds up in learning are precisions.",
    example=(
        (F(10), F(4), [[F(16), F(9)], [F(19), F(16)]]),
        (F(787, 61), F(29)),
    ),
)
def _variances_added(m, v, readings):
    mean, _ = combine(m, v, readings)
    return mean, v + sum(variance for _, variance in readings)


@combine.mistake(
    "The second number is the precision; the variance is asked for.",
    example=(
        (F(10), F(4), [[F(16), F(9)], [F(19), F(16)]]),
        (F(787, 61), F(61, 144)),
    ),
)
def _precision(m, v, readings):
    mean, variance = combine(m, v, readings)
    return mean, 1 / variance


@combine.mistake(
    "The second number is the variance of the next reading, or includes "
    "noise; the variance of the mean is asked for.",
    example=(
        (F(10), F(4), [[F(16), F(9)], [F(19), F(16)], [F(13), F(12)]]),
        (F(943, 73), F(1020, 73)),
    ),
)
def _with_noise(m, v, readings):
    mean, variance = combine(m, v, readings)
    return mean, variance + (readings[-1][1] if readings else 0)


@combine.mistake(
    "The weights are proportional to the variances: the least precise number "
    "counts most.",
    example=(
        (F(10), F(4), [[F(16), F(9)], [F(19), F(16)]]),
        (F(488, 29), F(144, 61)),
    ),
)
def _by_variances(m, v, readings):
    mean = _weighted_mean(m, v, readings, lambda variance: variance)
    return mean, combine(m, v, readings)[1]


@combine.mistake(
    "The weights are those of standard deviations; precision is one over the "
    "*variance*.",
    example=(
        (F(10), F(4), [[F(16), F(9)], [F(19), F(16)]]),
        (F(181, 13), F(144, 61)),
    ),
)
def _by_deviations(m, v, readings):
    mean = _weighted_mean(m, v, readings, lambda variance: variance**-0.5)
    return mean, combine(m, v, readings)[1]


@combine.mistake(
    "All numbers have the same weight, whatever their variances.",
    example=(
        (F(10), F(4), [[F(16), F(9)], [F(19), F(16)]]),
        (F(15), F(144, 61)),
    ),
)
def _equally(m, v, readings):
    mean = _weighted_mean(m, v, readings, lambda variance: 1)
    return mean, combine(m, v, readings)[1]


@combine.mistake(
    "The prior is missing: it counts like one more reading.",
    example=(
        (F(10), F(4), [[F(16), F(9)], [F(19), F(16)]]),
        (F(427, 25), F(144, 25)),
    ),
)
def _without_prior(m, v, readings):
    if not readings:
        return m, v
    (first, variance), *rest = readings
    return combine(first, variance, rest)


# -- learn_both -----------------------------------------------------------


def _average(data):
    return sum(data) / F(len(data))


def _squares(data, centre):
    return sum((x - centre) ** 2 for x in data)


def _gap(m, kappa, data):
    """Return how much the data's mean disagrees with m."""
    N = len(data)
    return F(kappa * N) / (kappa + N) * (_average(data) - m) ** 2


def _with_b(b, m, kappa, a, data):
    """Return the posterior with this b; the other three are right."""
    N = len(data)
    mean = (kappa * m + N * _average(data)) / F(kappa + N)
    return mean, kappa + N, a + F(N, 2), b


@exercise(
    (F(0), F(1), F(1), F(1), [F(2), F(4), F(6)]),
    (F(5), F(2), F(3), F(4), [F(1), F(3)]),
    (F(1, 2), F(1, 4), F(2), F(1, 3), [F(7, 2)]),
    (F(-3), F(4), F(1, 2), F(2), [F(0), F(1), F(1), F(6), F(-4)]),
    (F(10), F(3), F(5), F(1), [F(9), F(12), F(11), F(17)]),
)
def learn_both(m, kappa, a, b, data):
    """Return the posterior (m, kappa, a, b), normal-inverse-gamma."""
    squares = _squares(data, _average(data)) + _gap(m, kappa, data)
    return _with_b(b + squares / 2, m, kappa, a, data)


@learn_both.mistake(
    "The disagreement between the data's mean and m is missing from b.",
    example=((1, 2, 3, 4, [4, 7, 10]), (F(23, 5), 5, F(9, 2), 13)),
)
def _without_gap(m, kappa, a, b, data):
    squares = _squares(data, _average(data))
    return _with_b(b + squares / 2, m, kappa, a, data)


@learn_both.mistake(
    "b grows by *half* of the sums of squares.",
    example=((1, 2, 3, 4, [4, 7, 10]), (F(23, 5), 5, F(9, 2), F(326, 5))),
)
def _twice_the_squares(m, kappa, a, b, data):
    squares = _squares(data, _average(data)) + _gap(m, kappa, data)
    return _with_b(b + squares, m, kappa, a, data)


@learn_both.mistake(
    "The squares in b were taken around m: that counts the disagreement with "
    "the prior fully, as if mu were known to be m.",
    example=((1, 2, 3, 4, [4, 7, 10]), (F(23, 5), 5, F(9, 2), 67)),
)
def _around_m(m, kappa, a, b, data):
    return _with_b(b + _squares(data, m) / 2, m, kappa, a, data)


@learn_both.mistake(
    "The squares in b were taken around the posterior mean, and the distance "
    "of the prior from it was left out.",
    example=((1, 2, 3, 4, [4, 7, 10]), (F(23, 5), 5, F(9, 2), F(541, 25))),
)
def _around_posterior(m, kappa, a, b, data):
    centre = learn_both(m, kappa, a, b, data)[0]
    return _with_b(b + _squares(data, centre) / 2, m, kappa, a, data)


@learn_both.mistake(
    "The disagreement in b has the weight N kappa / (N + kappa), not kappa.",
    example=((1, 2, 3, 4, [4, 7, 10]), (F(23, 5), 5, F(9, 2), 49)),
)
def _gap_of_kappa(m, kappa, a, b, data):
    gap = kappa * (_average(data) - m) ** 2
    squares = _squares(data, _average(data)) + gap
    return _with_b(b + squares / 2, m, kappa, a, data)


@learn_both.mistake(
    "In b the mean of the squares was used; their sum is needed.",
    example=((1, 2, 3, 4, [4, 7, 10]), (F(23, 5), 5, F(9, 2), F(143, 5))),
)
def _mean_square(m, kappa, a, b, data):
    square = _squares(data, _average(data)) / len(data)
    return _with_b(b + (square + _gap(m, kappa, data)) / 2, m, kappa, a, data)


@learn_both.mistake(
    "a grows by half an observation for each, not by one.",
    example=((1, 2, 3, 4, [4, 7, 10]), (F(23, 5), 5, 6, F(173, 5))),
)
def _a_by_whole(m, kappa, a, b, data):
    mean, strength, _, right = learn_both(m, kappa, a, b, data)
    return mean, strength, a + len(data), right


@learn_both.mistake(
    "The mean should weigh m like kappa observations; here the plain mean of "
    "the data was taken.",
    example=((1, 2, 3, 4, [4, 7, 10]), (7, 5, F(9, 2), F(173, 5))),
)
def _plain_mean(m, kappa, a, b, data):
    return (_average(data), *learn_both(m, kappa, a, b, data)[1:])


# -- next_count -----------------------------------------------------------


def _negative_binomial(shape, rate, k, t):
    p = F(rate) / (rate + t)
    return comb(shape + k - 1, k) * p**shape * (1 - p) ** k


def _poisson(mean, k):
    return exp(-mean) * float(mean) ** k / factorial(k)


@exercise(
    (1, F(1), 2, F(5), 0, F(1)),
    (2, F(3), 4, F(2), 3, F(5)),
    (3, F(1, 2), 1, F(4), 2, F(3, 2)),
    (4, F(7), 3, F(6), 4, F(2)),
    (1, F(2), 5, F(9), 6, F(10)),
    (2, F(5), 6, F(8), 1, F(4)),
)
def next_count(shape, rate, total, seen, k, t):
    """Return P[k events in t, given that seen had total events]."""
    return _negative_binomial(shape + total, rate + seen, k, t)


@next_count.mistake(
    "This is the Poisson distribution with the posterior mean plugged in: it "
    "forgets that the rate is uncertain.",
    example=((2, F(1), 4, F(3), 2, F(2)), exp(-3) * 9 / 2),
)
def _poisson_posterior_mean(shape, rate, total, seen, k, t):
    return _poisson((shape + total) * t / (rate + seen), k)


@next_count.mistake(
    "This is the Poisson distribution with the observed rate plugged in: the "
    "prior and the uncertainty are missing.",
    example=((2, F(1), 4, F(3), 2, F(2)), exp(-8 / 3) * 32 / 9),
)
def _poisson_observed(shape, rate, total, seen, k, t):
    return _poisson(total * t / seen, k)


@next_count.mistake(
    "This predicts from the prior; the data have not been used.",
    example=((2, F(1), 4, F(3), 2, F(2)), F(4, 27)),
)
def _prior_alone(shape, rate, total, seen, k, t):
    return _negative_binomial(shape, rate, k, t)


@next_count.mistake(
    "The exposure of the prediction is t, not 1.",
    example=((2, F(1), 4, F(3), 2, F(2)), F(86016, 390625)),
)
def _unit_exposure(shape, rate, total, seen, k, t):
    return next_count(shape, rate, total, seen, k, 1)


@next_count.mistake(
    "The two probabilities of the negative binomial distribution have changed "
    "places.",
    example=((2, F(1), 4, F(3), 2, F(2)), F(28, 2187)),
)
def _exchanged_probabilities(shape, rate, total, seen, k, t):
    p = t / (rate + seen + t)
    n = shape + total
    return comb(n + k - 1, k) * p**n * ((rate + seen) / (rate + seen + t)) ** k


@next_count.mistake(
    "The number of ways, a quotient of gamma functions, is missing.",
    example=((2, F(1), 4, F(3), 2, F(2)), F(64, 6561)),
)
def _without_ways(shape, rate, total, seen, k, t):
    ways = comb(shape + total + k - 1, k)
    return next_count(shape, rate, total, seen, k, t) / ways


@next_count.mistake(
    "The number of ways has shape + k, where shape + k - 1 belongs.",
    example=((2, F(1), 4, F(3), 2, F(2)), F(1792, 6561)),
)
def _too_many_ways(shape, rate, total, seen, k, t):
    n = shape + total
    too_many = F(comb(n + k, k), comb(n + k - 1, k))
    return next_count(shape, rate, total, seen, k, t) * too_many


# -- gamma_opinion --------------------------------------------------------


@exercise(
    (F(3), F(2)),
    (F(1, 2), F(1, 4)),
    (F(10), F(4)),
    (F(2, 3), F(3)),
    (0.7, 0.15),
    (F(5), F(7, 2)),
)
def gamma_opinion(mean, sd):
    """Return the (shape, rate) of the gamma with this mean and sd."""
    return (mean / sd) ** 2, mean / sd**2


@gamma_opinion.mistake(
    "This takes the standard deviation for the variance.",
    example=((F(15), F(3)), (75, 5)),
)
def _deviation_as_variance(mean, sd):
    return mean**2 / sd, mean / sd


@gamma_opinion.mistake(
    "The second number is a scale, as scipy wants it; the rate is asked for, "
    "one over it.",
    example=((F(15), F(3)), (25, F(3, 5))),
)
def _scale(mean, sd):
    return (mean / sd) ** 2, sd**2 / mean


@gamma_opinion.mistake(
    "Shape and rate have changed places.",
    example=((F(15), F(3)), (F(5, 3), 25)),
)
def _shape_and_rate_exchanged(mean, sd):
    return mean / sd**2, (mean / sd) ** 2


@gamma_opinion.mistake(
    "This makes the *mode* the expected value: the shape is one too large.",
    example=((F(15), F(3)), (26, F(5, 3))),
)
def _mode(mean, sd):
    shape, rate = gamma_opinion(mean, sd)
    return shape + 1, rate


@gamma_opinion.mistake(
    "These have the right mean; the standard deviation has not been used.",
    example=((F(15), F(3)), (15, 1)),
)
def _mean_alone(mean, sd):
    return mean, mean / mean


# -- mixture_weights ------------------------------------------------------


def _rescaled(weights):
    return tuple(weight / sum(weights) for weight in weights)


def _evidence(shape, rate, lives):
    n, total = len(lives), sum(lives)
    rising = prod(range(shape, shape + n))
    return rising * rate**shape / (rate + total) ** (shape + n)


def _joint(shares, priors, lives, score=_evidence):
    """Multiply each share by a score of the prior of its part."""
    return tuple(
        share * score(*prior, lives)
        for share, prior in zip(shares, priors, strict=True)
    )


@exercise(
    ([F(4, 5), F(1, 5)], [[4, F(8)], [4, F(4, 5)]], [F(1, 3), F(1, 10)]),
    ([F(1, 2), F(1, 2)], [[1, F(1)], [3, F(1)]], [F(2), F(1, 2), F(1)]),
    ([F(1, 3), F(2, 3)], [[2, F(5)], [1, F(2)]], [F(3)]),
    (
        [F(1, 6), F(1, 3), F(1, 2)],
        [[1, F(1, 2)], [2, F(3)], [5, F(10)]],
        [F(4), F(1, 4)],
    ),
    ([0.3, 0.7], [[2, 0.5], [3, 6.0]], [0.2, 1.4, 0.7, 0.1]),
)
def mixture_weights(shares, priors, lives):
    """Return the posterior weights of the parts of a gamma mixture."""
    return _rescaled(_joint(shares, priors, lives))


# Two lamps, which burned for 1 and for 3 hours.
_TWO_PARTS = (
    [F(1, 3), F(2, 3)],
    [[3, F(4)], [1, F(2)]],
    [F(1), F(3)],
)


@mixture_weights.mistake(
    "The shares were left as they were. Data that one part predicts better "
    "than another shift the weights.",
    example=(_TWO_PARTS, (F(1, 3), F(2, 3))),
)
def _unchanged(shares, priors, lives):
    return tuple(shares)


@mixture_weights.mistake(
    "These are share times evidence. What should weights sum to?",
    example=(_TWO_PARTS, (F(1, 128), F(1, 81))),
)
def _not_rescaled(shares, priors, lives):
    return _joint(shares, priors, lives)


@mixture_weights.mistake(
    "The shares are missing: this is the evidence made to sum to one.",
    example=(_TWO_PARTS, (F(81, 145), F(64, 145))),
)
def _equal_shares(shares, priors, lives):
    return mixture_weights([F(1)] * len(shares), priors, lives)


@mixture_weights.mistake(
    "This takes the likelihood of each part's mean rate. The evidence "
    "integrates over the rate.",
    example=(_TWO_PARTS, (9 / (9 + 8 * exp(1)), 8 / (8 + 9 * exp(-1)))),
)
def _mean_rates(shares, priors, lives):
    def of_the_mean(shape, rate, lives):
        mean = float(shape / rate)
        return mean ** len(lives) * exp(-mean * float(sum(lives)))

    return _rescaled(_joint(shares, priors, lives, of_the_mean))


@mixture_weights.mistake(
    "This multiplies predictions from the prior alone: after each life the "
    "prediction of the next one changes.",
    example=(_TWO_PARTS, (F(41472, 101497), F(60025, 101497))),
)
def _independent_lives(shares, priors, lives):
    def from_the_prior(shape, rate, lives):
        return prod(_evidence(shape, rate, [life]) for life in lives)

    return _rescaled(_joint(shares, priors, lives, from_the_prior))


@mixture_weights.mistake(
    "This takes the probability of outliving the lives seen; the lamps "
    "failed, so densities are needed.",
    example=(_TWO_PARTS, (F(3, 19), F(16, 19))),
)
def _survival(shares, priors, lives):
    def outliving(shape, rate, lives):
        return (rate / (rate + sum(lives))) ** shape

    return _rescaled(_joint(shares, priors, lives, outliving))


@mixture_weights.mistake(
    "The evidence lacks the normaliser of the prior, rate to the power shape: "
    "it does not cancel between parts.",
    example=(_TWO_PARTS, (F(81, 4177), F(4096, 4177))),
)
def _without_normaliser(shares, priors, lives):
    def without_rate(shape, rate, lives):
        return _evidence(shape, rate, lives) / rate**shape

    return _rescaled(_joint(shares, priors, lives, without_rate))


@mixture_weights.mistake(
    "The evidence lacks the quotient of gamma functions, which differs "
    "between parts.",
    example=(_TWO_PARTS, (F(27, 283), F(256, 283))),
)
def _without_gamma_functions(shares, priors, lives):
    def without_gammas(shape, rate, lives):
        return rate**shape / (rate + sum(lives)) ** (shape + len(lives))

    return _rescaled(_joint(shares, priors, lives, without_gammas))
