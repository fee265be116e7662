"""The coding exercises of the chapter *Gaussian and gamma families*."""

from fractions import Fraction as F
from math import comb, exp, factorial, prod

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- combine(m, v, readings) ----------------------------------------------


def _weighted(m, v, readings, weight):
    """Return the average with weights of all variances, and their sum."""
    pairs = [[m, v], *readings]
    total = sum(weight(variance) for _, variance in pairs)
    return sum(x * weight(variance) for x, variance in pairs) / total, total


def _combine(m, v, readings):
    mean, precision = _weighted(m, v, readings, lambda w: 1 / w)
    return mean, 1 / precision


def _with_variance(variance):
    """Return the mistake with the right mean and another variance."""
    return lambda m, v, readings: (
        _combine(m, v, readings)[0],
        variance(m, v, readings),
    )


def _of_unlike_weights(weight):
    """Return the mistake with other weights and the right variance."""
    return lambda m, v, readings: (
        _weighted(m, v, readings, weight)[0],
        _combine(m, v, readings)[1],
    )


def _without_prior(m, v, readings):
    if not readings:
        return m, v
    (first, variance), *rest = readings
    return _combine(first, variance, rest)


combine = Exercise(
    reference=_combine,
    cases=(
        (F(20), F(4), [[F(23), F(1)]]),
        (F(0), F(9), [[F(4), F(3)], [F(7), F(18)]]),
        (F(5), F(1, 4), [[F(3), F(1, 2)], [F(8), F(2)], [F(-1), F(5)]]),
        (F(-2), F(16), [[F(6), F(9)]]),
        (0.5, 2.5, [[1.5, 0.4], [3.5, 6.25]]),
        (F(7), F(3), []),
    ),
    mistakes={
        "Variances were added. What adds up in learning are precisions.": (
            _with_variance(
                lambda m, v, readings: v + sum(w for _, w in readings)
            )
        ),
        "The second number is the precision; the variance is asked for.": (
            _with_variance(
                lambda m, v, readings: 1 / _combine(m, v, readings)[1]
            )
        ),
        "The second number is the variance of the next reading, or includes "
        "noise; the variance of the mean is asked for.": _with_variance(
            lambda m, v, readings: (
                _combine(m, v, readings)[1]
                + (readings[-1][1] if readings else 0)
            )
        ),
        "The weights are proportional to the variances: the least precise "
        "number counts most.": _of_unlike_weights(lambda w: w),
        "The weights are those of standard deviations; precision is one "
        "over the *variance*.": _of_unlike_weights(lambda w: w**-0.5),
        "All numbers have the same weight, whatever their variances.": (
            _of_unlike_weights(lambda w: 1)
        ),
        "The prior is missing: it counts like one more reading.": (
            _without_prior
        ),
    },
)

# -- learn_both(m, kappa, a, b, data) -------------------------------------


def _squares(data, centre):
    return sum((x - centre) ** 2 for x in data)


def _learn_both(m, kappa, a, b, data):
    N, mean = len(data), sum(data) / F(len(data))
    gap = F(kappa * N) / (kappa + N) * (mean - m) ** 2
    return (
        (kappa * m + N * mean) / F(kappa + N),
        kappa + N,
        a + F(N, 2),
        b + (_squares(data, mean) + gap) / 2,
    )


def _with_b(more):
    """Return the mistake of a wrong b: more(m, kappa, data) is added."""

    def mistaken(m, kappa, a, b, data):
        right = _learn_both(m, kappa, a, b, data)
        return *right[:3], b + more(m, kappa, data)

    return mistaken


def _average(data):
    return sum(data) / F(len(data))


def _growth(m, kappa, data):
    return _learn_both(m, kappa, 1, 0, data)[3]


learn_both = Exercise(
    reference=_learn_both,
    cases=(
        (F(0), F(1), F(1), F(1), [F(2), F(4), F(6)]),
        (F(5), F(2), F(3), F(4), [F(1), F(3)]),
        (F(1, 2), F(1, 4), F(2), F(1, 3), [F(7, 2)]),
        (F(-3), F(4), F(1, 2), F(2), [F(0), F(1), F(1), F(6), F(-4)]),
        (F(10), F(3), F(5), F(1), [F(9), F(12), F(11), F(17)]),
    ),
    mistakes={
        "The disagreement between the data's mean and m is missing from b.": (
            _with_b(lambda m, kappa, data: _squares(data, _average(data)) / 2)
        ),
        "b grows by *half* of the sums of squares.": _with_b(
            lambda m, kappa, data: 2 * _growth(m, kappa, data)
        ),
        "The squares in b were taken around m: that counts the disagreement "
        "with the prior fully, as if m were known.": _with_b(
            lambda m, kappa, data: _squares(data, m) / 2
        ),
        "The squares in b were taken around the posterior mean, and the "
        "distance of the prior from it was left out.": _with_b(
            lambda m, kappa, data: (
                _squares(data, _learn_both(m, kappa, 1, 0, data)[0]) / 2
            )
        ),
        "The disagreement in b has the weight N kappa / (N + kappa), not "
        "kappa.": _with_b(
            lambda m, kappa, data: (
                (
                    _squares(data, _average(data))
                    + kappa * (_average(data) - m) ** 2
                )
                / 2
            )
        ),
        "In b the mean of the squares was used; their sum is needed.": (
            _with_b(
                lambda m, kappa, data: (
                    _growth(m, kappa, data)
                    - _squares(data, _average(data))
                    * (len(data) - 1)
                    / F(2 * len(data))
                )
            )
        ),
        "a grows by half an observation for each, not by one.": (
            lambda m, kappa, a, b, data: (
                *_learn_both(m, kappa, a, b, data)[:2],
                a + len(data),
                _learn_both(m, kappa, a, b, data)[3],
            )
        ),
        "The mean should weigh m like kappa observations; here the plain "
        "mean of the data was taken.": lambda m, kappa, a, b, data: (
            _average(data),
            *_learn_both(m, kappa, a, b, data)[1:],
        ),
    },
)

# -- next_count(shape, rate, total, seen, k, t) ---------------------------


def _negative_binomial(shape, rate, k, t):
    p = F(rate) / (rate + t)
    return comb(shape + k - 1, k) * p**shape * (1 - p) ** k


def _next_count(shape, rate, total, seen, k, t):
    return _negative_binomial(shape + total, rate + seen, k, t)


def _poisson(mean, k):
    return exp(-mean) * float(mean) ** k / factorial(k)


next_count = Exercise(
    reference=_next_count,
    cases=(
        (1, F(1), 2, F(5), 0, F(1)),
        (2, F(3), 4, F(2), 3, F(5)),
        (3, F(1, 2), 1, F(4), 2, F(3, 2)),
        (4, F(7), 3, F(6), 4, F(2)),
        (1, F(2), 5, F(9), 6, F(10)),
        (2, F(5), 6, F(8), 1, F(4)),
    ),
    mistakes={
        "This is the Poisson distribution with the posterior mean plugged in: "
        "it "
        "forgets that the rate is uncertain.": (
            lambda shape, rate, total, seen, k, t: _poisson(
                (shape + total) * t / (rate + seen), k
            )
        ),
        "This is the Poisson distribution with the observed rate plugged in: "
        "the "
        "prior and the uncertainty are missing.": (
            lambda shape, rate, total, seen, k, t: _poisson(
                total * t / seen, k
            )
        ),
        "This predicts from the prior; the data have not been used.": (
            lambda shape, rate, total, seen, k, t: _negative_binomial(
                shape, rate, k, t
            )
        ),
        "The exposure of the prediction is t, not 1.": (
            lambda shape, rate, total, seen, k, t: _next_count(
                shape, rate, total, seen, k, 1
            )
        ),
        "The two probabilities of the negative binomial distribution have "
        "changed "
        "places.": lambda shape, rate, total, seen, k, t: (
            comb(shape + total + k - 1, k)
            * (t / (rate + seen + t)) ** (shape + total)
            * ((rate + seen) / (rate + seen + t)) ** k
        ),
        "The number of ways, a quotient of gamma functions, is missing.": (
            lambda shape, rate, total, seen, k, t: (
                _next_count(shape, rate, total, seen, k, t)
                / comb(shape + total + k - 1, k)
            )
        ),
        "The number of ways has shape + k, where shape + k - 1 belongs.": (
            lambda shape, rate, total, seen, k, t: (
                _next_count(shape, rate, total, seen, k, t)
                * F(
                    comb(shape + total + k, k),
                    comb(shape + total + k - 1, k),
                )
            )
        ),
    },
)

# -- gamma_opinion(mean, sd) ----------------------------------------------


def _gamma_opinion(mean, sd):
    return (mean / sd) ** 2, mean / sd**2


gamma_opinion = Exercise(
    reference=_gamma_opinion,
    cases=(
        (F(3), F(2)),
        (F(1, 2), F(1, 4)),
        (F(10), F(4)),
        (F(2, 3), F(3)),
        (0.7, 0.15),
        (F(5), F(7, 2)),
    ),
    mistakes={
        "This takes the standard deviation for the variance.": (
            lambda mean, sd: (mean**2 / sd, mean / sd)
        ),
        "The second number is a scale, as scipy wants it; the rate is asked "
        "for, one over it.": lambda mean, sd: (
            (mean / sd) ** 2,
            sd**2 / mean,
        ),
        "Shape and rate have changed places.": lambda mean, sd: (
            mean / sd**2,
            (mean / sd) ** 2,
        ),
        "This makes the *mode* the expected value: the shape is one too "
        "large.": lambda mean, sd: (
            _gamma_opinion(mean, sd)[0] + 1,
            _gamma_opinion(mean, sd)[1],
        ),
        "These have the right mean; the standard deviation has not been "
        "used.": lambda mean, sd: (mean, mean / mean),
    },
)

# -- mixture_weights(shares, priors, lives) -------------------------------


def _rescaled(weights):
    return tuple(w / sum(weights) for w in weights)


def _evidence(shape, rate, lives):
    n, total = len(lives), sum(lives)
    rising = prod(range(shape, shape + n))
    return rising * rate**shape / (rate + total) ** (shape + n)


def _joint(shares, priors, lives):
    return tuple(
        share * _evidence(*prior, lives)
        for share, prior in zip(shares, priors, strict=True)
    )


def _mixture_weights(shares, priors, lives):
    return _rescaled(_joint(shares, priors, lives))


def _by(score):
    """Return the mistake that weighs with a score other than the evidence."""
    return lambda shares, priors, lives: _rescaled(
        [
            share * score(*prior, lives)
            for share, prior in zip(shares, priors, strict=True)
        ]
    )


def _plugged(shape, rate, lives):
    """Return the likelihood of the prior mean of the rate."""
    mean = float(shape / rate)
    return mean ** len(lives) * exp(-mean * float(sum(lives)))


mixture_weights = Exercise(
    reference=_mixture_weights,
    cases=(
        ([F(4, 5), F(1, 5)], [[4, F(8)], [4, F(4, 5)]], [F(1, 3), F(1, 10)]),
        ([F(1, 2), F(1, 2)], [[1, F(1)], [3, F(1)]], [F(2), F(1, 2), F(1)]),
        ([F(1, 3), F(2, 3)], [[2, F(5)], [1, F(2)]], [F(3)]),
        (
            [F(1, 6), F(1, 3), F(1, 2)],
            [[1, F(1, 2)], [2, F(3)], [5, F(10)]],
            [F(4), F(1, 4)],
        ),
        ([0.3, 0.7], [[2, 0.5], [3, 6.0]], [0.2, 1.4, 0.7, 0.1]),
    ),
    mistakes={
        "The shares were left as they were. Data that one part predicts "
        "better than another shift the weights.": (
            lambda shares, priors, lives: tuple(shares)
        ),
        "These are share times evidence. What should weights sum to?": _joint,
        "The shares are missing: this is the evidence made to sum to one.": (
            lambda shares, priors, lives: _mixture_weights(
                [F(1)] * len(shares), priors, lives
            )
        ),
        "This takes the likelihood of each part's mean rate. The evidence "
        "integrates over the rate.": _by(_plugged),
        "This multiplies predictions from the prior alone: after each life "
        "the prediction of the next one changes.": _by(
            lambda shape, rate, lives: prod(
                _evidence(shape, rate, [x]) for x in lives
            )
        ),
        "This takes the probability of outliving the lives seen; the lamps "
        "failed, so densities are needed.": _by(
            lambda shape, rate, lives: (rate / (rate + sum(lives))) ** shape
        ),
        "The evidence lacks the normaliser of the prior, rate to the power "
        "shape: it does not cancel between parts.": _by(
            lambda shape, rate, lives: (
                _evidence(shape, rate, lives) / rate**shape
            )
        ),
        "The evidence lacks the quotient of gamma functions, which differs "
        "between parts.": _by(
            lambda shape, rate, lives: (
                rate**shape / (rate + sum(lives)) ** (shape + len(lives))
            )
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "combine": combine,
    "learn_both": learn_both,
    "next_count": next_count,
    "gamma_opinion": gamma_opinion,
    "mixture_weights": mixture_weights,
}
