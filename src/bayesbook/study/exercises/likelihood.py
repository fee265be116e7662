"""The coding exercises of the chapter *Likelihood*."""

from fractions import Fraction as F
from math import inf, log, log2, prod, sqrt
from statistics import median

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- log_likelihood(theta, tosses) ----------------------------------------


def _log(p):
    return log(p) if p > 0 else -inf


def _probabilities(theta, tosses):
    return [theta if toss == "u" else 1 - theta for toss in tosses]


def _log_likelihood(theta, tosses):
    return float(sum(map(_log, _probabilities(theta, tosses))))


def _of_counts(theta, tosses):
    """Use the logarithm of an unseen, impossible side too: 0 times -inf."""
    up = tosses.count("u")
    return up * log(theta) + (len(tosses) - up) * log(1 - theta)


log_likelihood = Exercise(
    reference=_log_likelihood,
    cases=(
        (F(7, 10), "uusuusuusu"),
        (F(1, 2), "uusuusuusu"),
        (0.3, "uss"),
        (0.9, "s"),
        (F(1, 5), ""),
        (0.7, "u" * 1400 + "s" * 600),
        (1, "uuuu"),
        (0, "sss"),
        (0, "su"),
        (1, "us"),
    ),
    mistakes={
        "This is the likelihood: where is the logarithm? And what happens to "
        "a product of many tosses?": lambda theta, tosses: float(
            prod(map(float, _probabilities(theta, tosses)))
        ),
        "This is the logarithm of a product, and the product of many tosses "
        "is zero for a computer: add up logarithms.": lambda theta, tosses: (
            _log(prod(map(float, _probabilities(theta, tosses))))
        ),
        "The sign is that of the negative log-likelihood.": (
            lambda theta, tosses: -_log_likelihood(theta, tosses)
        ),
        "This takes theta for the probability of a side.": (
            lambda theta, tosses: _log_likelihood(1 - theta, tosses)
        ),
        "This counts only the tosses with the point up; every side has a "
        "probability too.": lambda theta, tosses: _log_likelihood(
            theta, tosses.replace("s", "")
        ),
        "Logarithms are natural in this book; these have another base.": (
            lambda theta, tosses: _log_likelihood(theta, tosses) / log(2)
        ),
        "This is the mean over the tosses; the sum is asked for.": (
            lambda theta, tosses: (
                _log_likelihood(theta, tosses) / max(len(tosses), 1)
            )
        ),
        "A side that is impossible and was never seen adds nothing: do not "
        "take the logarithm of its probability.": _of_counts,
        "Impossible tosses have the log-likelihood minus infinity; this "
        "passes over them.": lambda theta, tosses: float(
            sum(log(p) for p in _probabilities(theta, tosses) if p > 0)
        ),
    },
)

# -- gaussian_mle(values) -------------------------------------------------


def _about(values, centre):
    return sum((x - centre) ** 2 for x in values)


def _mean(values):
    return sum(map(F, values)) / len(values)


def _gaussian_mle(values):
    return _mean(values), _about(values, _mean(values)) / len(values)


def _with_spread(spread):
    """Return the mistake with the right mean and another spread."""
    return lambda values: (_mean(values), spread(values))


gaussian_mle = Exercise(
    reference=_gaussian_mle,
    cases=(
        ([3, 5, 13],),
        ([0, 8],),
        ([F(1, 2), F(3, 4), F(7, 4), 5],),
        ([-3, -1, 4, 4, 11],),
        ([20, 20, 21, 27],),
    ),
    mistakes={
        "The divisor N - 1 makes the variance unbiased; it does not maximise "
        "the likelihood.": _with_spread(
            lambda values: _about(values, _mean(values)) / (len(values) - 1)
        ),
        "The second number is the standard deviation; the variance is asked "
        "for.": _with_spread(
            lambda values: sqrt(_about(values, _mean(values)) / len(values))
        ),
        "The second number is the sum of the squares, not yet divided.": (
            _with_spread(lambda values: _about(values, _mean(values)))
        ),
        "The second number is the mean of the squared values: measure "
        "distances from the mean.": _with_spread(
            lambda values: F(_about(values, 0)) / len(values)
        ),
        "The second number is a mean distance without squares, which "
        "belongs to the Laplace distribution.": _with_spread(
            lambda values: (
                sum(abs(x - _mean(values)) for x in values) / len(values)
            )
        ),
        "The first number is a median, which belongs to the "
        "Laplace distribution.": (
            lambda values: (median(map(F, values)), _gaussian_mle(values)[1])
        ),
        "The two numbers are right, in the wrong order: the mean first.": (
            lambda values: _gaussian_mle(values)[::-1]
        ),
        "The second number divides by N twice: it is the variance of the "
        "mean.": _with_spread(
            lambda values: _about(values, _mean(values)) / len(values) ** 2
        ),
    },
)

# -- censored_rate(failed, burning) ---------------------------------------


def _censored_rate(failed, burning):
    return F(len(failed)) / (sum(failed) + sum(burning))


censored_rate = Exercise(
    reference=_censored_rate,
    cases=(
        ([130, 250, 600], [700, 700]),
        ([17, 45, 45, 98], [30, 90, 110]),
        ([F(5, 2), F(7, 2)], [13]),
        ([40, 60, 77], []),
        ([0.3, 1.9, 2.2, 0.7], [2.5, 1.1, 0.4]),
    ),
    mistakes={
        "This leaves out the lamps that still burn: their hours without a "
        "failure speak for a small rate.": lambda failed, burning: (
            _censored_rate(failed, [])
        ),
        "This counts the lamps that still burn as failed.": (
            lambda failed, burning: _censored_rate([*failed, *burning], [])
        ),
        "This is the mean life; the rate is asked for.": (
            lambda failed, burning: 1 / _censored_rate(failed, burning)
        ),
        "This divides by the hours of the failed lamps only, and counts all "
        "lamps.": lambda failed, burning: (
            F(len(failed) + len(burning)) / sum(failed)
        ),
        "This is the share of the lamps that failed: where are the hours?": (
            lambda failed, burning: F(len(failed), len(failed) + len(burning))
        ),
        "This is the mean of one over each lifetime; the rate is one over a "
        "mean.": lambda failed, burning: (
            sum(1 / F(t) for t in failed) / len(failed)
        ),
        "This counts the lamps that still burn, not those that failed.": (
            lambda failed, burning: _censored_rate(burning, failed)
        ),
    },
)

# -- fisher_information(probability, slope) -------------------------------


def _weighted(term):
    """Return a sum over all values of a term of p and its derivative."""
    return lambda probability, slope: sum(
        term(p, slope[x]) for x, p in probability.items()
    )


_fisher_information = _weighted(lambda p, d: d * d / p)


def _out_of_order(probability, slope):
    pairs = zip(probability.values(), slope.values(), strict=True)
    return sum(d * d / p for p, d in pairs)


def _inner(probability, slope):
    return 1 / _fisher_information(probability, slope)


fisher_information = Exercise(
    reference=_fisher_information,
    cases=(
        # A toss, with theta = 1/4.
        ({"u": F(1, 4), "s": F(3, 4)}, {"s": F(-1), "u": F(1)}),
        # Two genes, with theta = 3/5.
        (
            {"AA": F(9, 25), "Aa": F(12, 25), "aa": F(4, 25)},
            {"aa": F(-4, 5), "AA": F(6, 5), "Aa": F(-2, 5)},
        ),
        # A die that is loaded towards its six.
        (
            {1: F(1, 8), 2: F(1, 8), 3: F(1, 8), 6: F(5, 8)},
            {1: F(-1, 3), 2: F(-1, 3), 3: F(-1, 3), 6: F(1)},
        ),
        ({0: 0.2, 1: 0.5, 2: 0.3}, {0: -0.4, 1: 0.1, 2: 0.3}),
    ),
    mistakes={
        "This is the mean of the score, which is zero; its variance is asked "
        "for.": _weighted(lambda p, d: d),
        "This adds up the squared scores without weights: values that are "
        "more probable count more.": _weighted(lambda p, d: (d / p) ** 2),
        "This adds up the squared derivatives of p; the score is the "
        "derivative of log p.": _weighted(lambda p, d: d * d),
        "This takes p' for the score and weighs its square by p; the score "
        "is the derivative of log p.": _weighted(lambda p, d: p * d * d),
        "This adds up the scores without weights and without squares.": (
            _weighted(lambda p, d: d / p)
        ),
        "This pairs probabilities and slopes by their order; pair them by "
        "their value x.": _out_of_order,
        "This is one over the information, the variance that an estimate "
        "may have.": _inner,
    },
)

# -- divergence(p, q) -----------------------------------------------------


def _term(p, q, logarithm=log):
    if p == 0:
        return 0.0
    return p * logarithm(p / q) if q > 0 else inf


def _divergence(p, q):
    return float(sum(_term(p[x], q[x]) for x in p))


def _cross_entropy(p, q):
    return float(sum(-p[x] * _log(q[x]) for x in p if p[x] > 0))


def _by_order(p, q):
    pairs = zip(p.values(), q.values(), strict=True)
    return float(sum(_term(a, b) for a, b in pairs))


divergence = Exercise(
    reference=_divergence,
    cases=(
        (
            {"rain": F(1, 4), "sun": F(3, 4)},
            {"sun": F(1, 3), "rain": F(2, 3)},
        ),
        (
            {1: F(1, 6), 2: F(1, 3), 3: F(1, 2)},
            {3: F(1, 5), 2: F(3, 5), 1: F(1, 5)},
        ),
        ({"a": 0.6, "b": 0.4, "c": 0.0}, {"c": 0.3, "a": 0.5, "b": 0.2}),
        ({"a": 0.7, "b": 0.3}, {"a": 1.0, "b": 0.0}),
        ({"a": 0.2, "b": 0.8, "c": 0.0}, {"b": 0.1, "a": 0.9, "c": 0.0}),
        ({"a": F(2, 7), "b": F(5, 7)}, {"b": F(5, 7), "a": F(2, 7)}),
    ),
    mistakes={
        "This is the divergence the other way round: weigh by the first "
        "distribution "
        "in both places.": lambda p, q: _divergence(q, p),
        "This is the cross-entropy: take the entropy of p away from it.": (
            _cross_entropy
        ),
        "The sign is wrong: which distribution belongs in the numerator?": (
            lambda p, q: -_divergence(p, q)
        ),
        "These are bits; nats are asked for.": lambda p, q: float(
            sum(_term(p[x], q[x], lambda r: log2(float(r))) for x in p)
        ),
        "This adds up logarithms without weights: values that are more "
        "probable count more.": lambda p, q: sum(
            log(p[x] / q[x]) for x in p if p[x] > 0
        ),
        "A value that q excludes and p does not makes the divergence "
        "infinite; this passes over it.": lambda p, q: float(
            sum(_term(p[x], q[x]) for x in p if q[x] > 0)
        ),
        "This does not allow for values of probability zero.": (
            lambda p, q: float(sum(p[x] * log(p[x] / q[x]) for x in p))
        ),
        "This adds up differences of probabilities: where is the logarithm?": (
            lambda p, q: float(sum(abs(p[x] - q[x]) for x in p))
        ),
        "This pairs the probabilities by their order; pair them by their "
        "key.": _by_order,
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "log_likelihood": log_likelihood,
    "gaussian_mle": gaussian_mle,
    "censored_rate": censored_rate,
    "fisher_information": fisher_information,
    "divergence": divergence,
}
