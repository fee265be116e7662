"""The coding exercises of the chapter *Likelihood*."""

from fractions import Fraction as F
from math import inf, log, log2, prod, sqrt
from statistics import median

from bayesbook.study.exercises.checker import exercise
from bayesbook.study.exercises.common import log_or_minus_inf

# -- newton_rate ----------------------------------------------------------


def _climb(counts, guess, steps, move):
    """Repeat a move, a function of a rate and of Newton's step from it."""
    rate = F(guess)
    for _ in range(steps):
        step = rate - rate**2 * F(len(counts), sum(counts))
        rate = move(rate, step)
    return rate


def _inside(rate, step):
    """Return the place of a step that is halved while it is not positive."""
    while rate + step <= 0:
        step /= 2
    return rate + step


@exercise(
    ([3, 0, 2, 1], 1, 3),
    ([0, 1, 0], 2, 2),
    ([5, 7], F(1, 2), 3),
    ([2, 0, 1], 6, 1),
    ([10, 3, 2], 20, 1),
    ([1, 1, 4], 3, 0),
)
def newton_rate(counts, guess, steps):
    """Return the rate after Newton's steps that stay above zero."""
    return _climb(counts, guess, steps, _inside)


@newton_rate.mistake(
    "A step leads to a rate of zero or below: halve it until it does not.",
    example=(([1, 3], 6, 1), -6),
)
def _never_halved(counts, guess, steps):
    return _climb(counts, guess, steps, lambda rate, step: rate + step)


@newton_rate.mistake(
    "The step is halved once at most. Halve it until the rate is positive.",
    example=(([1, 3], 9, 1), F(-27, 4)),
)
def _halved_once(counts, guess, steps):
    def move(rate, step):
        return rate + (step if rate + step > 0 else step / 2)

    return _climb(counts, guess, steps, move)


@newton_rate.mistake(
    "This halves every step. Halve only a step that leads to zero or below.",
    example=(([1, 3], 1, 1), F(5, 4)),
)
def _always_halved(counts, guess, steps):
    return _climb(
        counts, guess, steps, lambda rate, step: _inside(rate, step / 2)
    )


@newton_rate.mistake(
    "This goes down: the second derivative is negative, so minus the score "
    "divided by it points where the score points.",
    example=(([1, 3], 1, 1), F(1, 2)),
)
def _downhill(counts, guess, steps):
    return _climb(
        counts, guess, steps, lambda rate, step: _inside(rate, -step)
    )


@newton_rate.mistake(
    "This adds the score itself; Newton's step divides it by minus the second "
    "derivative.",
    example=(([1, 3], 1, 1), 3),
)
def _slope_alone(counts, guess, steps):
    def move(rate, _):
        return _inside(rate, sum(counts) / rate - len(counts))

    return _climb(counts, guess, steps, move)


@newton_rate.mistake(
    "This is the mean of the counts, where the steps lead in the end; find "
    "the rate after the given number of steps.",
    example=(([1, 3], 6, 1), 2),
)
def _mean_count(counts, guess, steps):
    return F(sum(counts), len(counts))


@newton_rate.mistake(
    "This makes only the first step.",
    example=(([1, 3], 1, 2), F(3, 2)),
)
def _first_step(counts, guess, steps):
    return newton_rate(counts, guess, min(steps, 1))


# -- log_likelihood -------------------------------------------------------


def _probabilities(theta, tosses):
    return [theta if toss == "u" else 1 - theta for toss in tosses]


@exercise(
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
)
def log_likelihood(theta, tosses):
    """Return the log-likelihood of theta for a string of u and s."""
    return float(sum(map(log_or_minus_inf, _probabilities(theta, tosses))))


@log_likelihood.mistake(
    "This is the likelihood: where is the logarithm? And what happens to a "
    "product of many tosses?",
    example=((F(1, 5), "uusu"), F(4, 625)),
)
def _likelihood(theta, tosses):
    return float(prod(map(float, _probabilities(theta, tosses))))


@log_likelihood.mistake(
    "This is the logarithm of a product, and the product of many tosses is "
    "zero for a computer: add up logarithms.",
    example=((F(1, 10), "u" * 400 + "s" * 3), -inf),
)
def _log_of_product(theta, tosses):
    return log_or_minus_inf(prod(map(float, _probabilities(theta, tosses))))


@log_likelihood.mistake(
    "The sign is that of the negative log-likelihood.",
    example=((F(1, 5), "uusu"), log(625 / 4)),
)
def _negative(theta, tosses):
    return -log_likelihood(theta, tosses)


@log_likelihood.mistake(
    "This takes theta for the probability of a side.",
    example=((F(1, 5), "uusu"), log(64 / 625)),
)
def _for_a_side(theta, tosses):
    return log_likelihood(1 - theta, tosses)


@log_likelihood.mistake(
    "This counts only the tosses with the point up; every side has a "
    "probability too.",
    example=((F(1, 5), "uusu"), -3 * log(5)),
)
def _only_up(theta, tosses):
    return log_likelihood(theta, tosses.replace("s", ""))


@log_likelihood.mistake(
    "Logarithms are natural in this book; these have another base.",
    example=((F(1, 5), "uusu"), log2(4 / 625)),
)
def _bits(theta, tosses):
    return log_likelihood(theta, tosses) / log(2)


@log_likelihood.mistake(
    "This is the mean over the tosses; the sum is asked for.",
    example=((F(1, 5), "uusu"), log(4 / 625) / 4),
)
def _mean_of_tosses(theta, tosses):
    return log_likelihood(theta, tosses) / max(len(tosses), 1)


@log_likelihood.mistake(
    "A side that is impossible and was never seen adds nothing: do not take "
    "the logarithm of its probability.",
    example=((1, "uuu"), ValueError("math domain error")),
)
def _of_counts(theta, tosses):
    """Use the logarithm of an unseen, impossible side too: 0 times -inf."""
    up = tosses.count("u")
    return up * log(theta) + (len(tosses) - up) * log(1 - theta)


@log_likelihood.mistake(
    "Impossible tosses have the log-likelihood minus infinity; this passes "
    "over them.",
    example=((0, "sus"), 0),
)
def _passed_over(theta, tosses):
    right = log_likelihood(theta, tosses)
    return 0.0 if right == -inf else right  # what is left is certain


# -- gaussian_mle ---------------------------------------------------------


def _about(values, centre):
    return sum((x - centre) ** 2 for x in values)


def _mean(values):
    return sum(map(F, values)) / len(values)


@exercise(
    ([3, 5, 13],),
    ([0, 8],),
    ([F(1, 2), F(3, 4), F(7, 4), 5],),
    ([-3, -1, 4, 4, 11],),
    ([20, 20, 21, 27],),
)
def gaussian_mle(values):
    """Return the estimates (mean, variance)."""
    return _mean(values), _about(values, _mean(values)) / len(values)


@gaussian_mle.mistake(
    "The divisor N - 1 makes the variance unbiased; it does not maximise the "
    "likelihood.",
    example=(([1, 2, 6, 11],), (5, F(62, 3))),
)
def _unbiased(values):
    return _mean(values), _about(values, _mean(values)) / (len(values) - 1)


@gaussian_mle.mistake(
    "The second number is the standard deviation; the variance is asked for.",
    example=(([1, 2, 6, 11],), (5, sqrt(31 / 2))),
)
def _deviation(values):
    return _mean(values), sqrt(_about(values, _mean(values)) / len(values))


@gaussian_mle.mistake(
    "The second number is the sum of the squares, not yet divided.",
    example=(([1, 2, 6, 11],), (5, 62)),
)
def _sum_of_squares(values):
    return _mean(values), _about(values, _mean(values))


@gaussian_mle.mistake(
    "The second number is the mean of the squared values: measure distances "
    "from the mean.",
    example=(([1, 2, 6, 11],), (5, F(81, 2))),
)
def _square_of_values(values):
    return _mean(values), F(_about(values, 0)) / len(values)


@gaussian_mle.mistake(
    "The second number is a mean distance without squares, which belongs to "
    "the Laplace distribution.",
    example=(([1, 2, 6, 11],), (5, F(7, 2))),
)
def _mean_distance(values):
    mean = _mean(values)
    return mean, sum(abs(x - mean) for x in values) / len(values)


@gaussian_mle.mistake(
    "The first number is a median, which belongs to the Laplace distribution.",
    example=(([1, 2, 6, 11],), (4, F(31, 2))),
)
def _median(values):
    return median(map(F, values)), gaussian_mle(values)[1]


@gaussian_mle.mistake(
    "The two numbers are right, in the wrong order: the mean first.",
    example=(([1, 2, 6, 11],), (F(31, 2), 5)),
)
def _exchanged(values):
    return gaussian_mle(values)[::-1]


@gaussian_mle.mistake(
    "The second number divides by N twice: it is the variance of the mean.",
    example=(([1, 2, 6, 11],), (5, F(31, 8))),
)
def _variance_of_mean(values):
    return _mean(values), _about(values, _mean(values)) / len(values) ** 2


# -- censored_rate --------------------------------------------------------


@exercise(
    ([130, 250, 600], [700, 700]),
    ([17, 45, 45, 98], [30, 90, 110]),
    ([F(5, 2), F(7, 2)], [13]),
    ([40, 60, 77], []),
    ([0.3, 1.9, 2.2, 0.7], [2.5, 1.1, 0.4]),
)
def censored_rate(failed, burning):
    """Return the estimated failures for each hour of burning."""
    return F(len(failed)) / (sum(failed) + sum(burning))


@censored_rate.mistake(
    "This leaves out the lamps that still burn: their hours without a failure "
    "speak for a small rate.",
    example=(([10, 30], [20, 40, 50]), F(1, 20)),
)
def _failed_only(failed, burning):
    return censored_rate(failed, [])


@censored_rate.mistake(
    "This counts the lamps that still burn as failed.",
    example=(([10, 30], [20, 40, 50]), F(1, 30)),
)
def _all_failed(failed, burning):
    return censored_rate([*failed, *burning], [])


@censored_rate.mistake(
    "This is the mean life; the rate is asked for.",
    example=(([10, 30], [20, 40, 50]), 75),
)
def _mean_life(failed, burning):
    return 1 / censored_rate(failed, burning)


@censored_rate.mistake(
    "This divides by the hours of the failed lamps only, and counts all "
    "lamps.",
    example=(([10, 30], [20, 40, 50]), F(1, 8)),
)
def _hours_of_failed(failed, burning):
    return F(len(failed) + len(burning)) / sum(failed)


@censored_rate.mistake(
    "This is the share of the lamps that failed: where are the hours?",
    example=(([10, 30], [20, 40, 50]), F(2, 5)),
)
def _share(failed, burning):
    return F(len(failed), len(failed) + len(burning))


@censored_rate.mistake(
    "This is the mean of one over each lifetime; the rate is one over a mean.",
    example=(([10, 30], [20, 40, 50]), F(1, 15)),
)
def _mean_of_inverses(failed, burning):
    return sum(1 / F(life) for life in failed) / len(failed)


@censored_rate.mistake(
    "This counts the lamps that still burn, not those that failed.",
    example=(([10, 30], [20, 40, 50]), F(1, 50)),
)
def _burning_counted(failed, burning):
    return censored_rate(burning, failed)


# -- fisher_information ---------------------------------------------------


def _sum_of(term, probability, slope):
    """Add up a term of p and of its derivative for all values."""
    return sum(term(p, slope[x]) for x, p in probability.items())


@exercise(
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
)
def fisher_information(probability, slope):
    """Return the variance of the score, from p(x) and its derivative."""
    return _sum_of(lambda p, d: d * d / p, probability, slope)


_THREE_VALUES = (
    {"a": F(1, 2), "b": F(1, 3), "c": F(1, 6)},
    {"c": F(1), "a": F(-3, 4), "b": F(-1, 4)},
)


@fisher_information.mistake(
    "This is the mean of the score, which is zero; its variance is asked for.",
    example=(_THREE_VALUES, 0),
)
def _mean_score(probability, slope):
    return _sum_of(lambda p, d: d, probability, slope)


@fisher_information.mistake(
    "This adds up the squared scores without weights: values that are more "
    "probable count more.",
    example=(_THREE_VALUES, F(621, 16)),
)
def _unweighted(probability, slope):
    return _sum_of(lambda p, d: (d / p) ** 2, probability, slope)


@fisher_information.mistake(
    "This adds up the squared derivatives of p; the score is the derivative "
    "of log p.",
    example=(_THREE_VALUES, F(13, 8)),
)
def _derivative_alone(probability, slope):
    return _sum_of(lambda p, d: d * d, probability, slope)


@fisher_information.mistake(
    "This takes p' for the score and weighs its square by p; the score is the "
    "derivative of log p.",
    example=(_THREE_VALUES, F(15, 32)),
)
def _derivative_weighted(probability, slope):
    return _sum_of(lambda p, d: p * d * d, probability, slope)


@fisher_information.mistake(
    "This adds up the scores without weights and without squares.",
    example=(_THREE_VALUES, F(15, 4)),
)
def _scores(probability, slope):
    return _sum_of(lambda p, d: d / p, probability, slope)


@fisher_information.mistake(
    "This pairs probabilities and slopes by their order; pair them by their "
    "value x.",
    example=(_THREE_VALUES, F(65, 16)),
)
def _out_of_order(probability, slope):
    pairs = zip(probability.values(), slope.values(), strict=True)
    return sum(d * d / p for p, d in pairs)


@fisher_information.mistake(
    "This is one over the information, the variance that an estimate may "
    "have.",
    example=(_THREE_VALUES, F(16, 117)),
)
def _inverse(probability, slope):
    return 1 / fisher_information(probability, slope)


# -- divergence -----------------------------------------------------------


def _term(p, q, logarithm=log):
    if p == 0:
        return 0.0
    return p * logarithm(p / q) if q > 0 else inf


@exercise(
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
)
def divergence(p, q):
    """Return the Kullback-Leibler divergence D(p || q) of two dicts."""
    return float(sum(_term(p[x], q[x]) for x in p))


_WEATHERS = (
    {"sun": F(1, 2), "rain": F(1, 4), "fog": F(1, 4)},
    {"fog": F(1, 2), "sun": F(1, 3), "rain": F(1, 6)},
)


@divergence.mistake(
    "This is the divergence the other way round: weigh by the first "
    "distribution in both places.",
    example=(_WEATHERS, log(4 / 3) / 2),
)
def _other_way(p, q):
    return divergence(q, p)


@divergence.mistake(
    "This is the cross-entropy: take the entropy of p away from it.",
    example=(_WEATHERS, log(3) * 3 / 4 + log(2) / 2),
)
def _cross_entropy(p, q):
    return float(sum(-p[x] * log_or_minus_inf(q[x]) for x in p if p[x] > 0))


@divergence.mistake(
    "The sign is wrong: which distribution belongs in the numerator?",
    example=(_WEATHERS, log(2) / 4 - log(3 / 2) * 3 / 4),
)
def _minus(p, q):
    return -divergence(p, q)


@divergence.mistake(
    "These are bits; nats are asked for.",
    example=(_WEATHERS, log2(3 / 2) * 3 / 4 - 1 / 4),
)
def _binary(p, q):
    return float(
        sum(_term(p[x], q[x], lambda ratio: log2(float(ratio))) for x in p)
    )


@divergence.mistake(
    "This adds up logarithms without weights: values that are more probable "
    "count more.",
    example=(
        (
            {"a": F(1, 3), "b": F(2, 3), "c": F(0)},
            {"c": F(1, 4), "b": F(1, 2), "a": F(1, 4)},
        ),
        2 * log(4 / 3),
    ),
)
def _unweighted_logarithms(p, q):
    return sum(log(p[x] / q[x]) for x in p if p[x] > 0)


@divergence.mistake(
    "A value that q excludes and p does not makes the divergence infinite; "
    "this passes over it.",
    example=(
        (
            {"a": F(1, 2), "b": F(1, 4), "c": F(1, 4)},
            {"c": F(0), "b": F(1, 3), "a": F(2, 3)},
        ),
        log(3 / 4) * 3 / 4,
    ),
)
def _finite(p, q):
    return float(sum(_term(p[x], q[x]) for x in p if q[x] > 0))


@divergence.mistake(
    "This does not allow for values of probability zero.",
    example=(
        (
            {"a": F(1, 3), "b": F(2, 3), "c": F(0)},
            {"c": F(1, 4), "b": F(1, 2), "a": F(1, 4)},
        ),
        ValueError("math domain error"),
    ),
)
def _always_logarithm(p, q):
    return float(sum(p[x] * log(p[x] / q[x]) for x in p))


@divergence.mistake(
    "This adds up the distances of the probabilities: where is the logarithm?",
    example=(_WEATHERS, F(1, 2)),
)
def _differences(p, q):
    return float(sum(abs(p[x] - q[x]) for x in p))


@divergence.mistake(
    "This pairs the probabilities by their order; pair them by their key.",
    example=(_WEATHERS, log(9 / 8) / 4),
)
def _by_order(p, q):
    pairs = zip(p.values(), q.values(), strict=True)
    return float(sum(_term(a, b) for a, b in pairs))
