"""The coding exercises of the chapter *MAP and Bayes estimates*."""

from fractions import Fraction as F
from math import comb, sqrt

from bayesbook.base import ZeroProbabilityError
from bayesbook.study.exercises.checker import exercise

# -- candidates_posterior -------------------------------------------------

_QUARTERS = [F(1, 4), F(1, 2), F(3, 4)]
_COIN_LIKE = [F(1, 5), F(3, 5), F(1, 5)]
_TWO_HEADS = [F(1, 2), F(1)]
_RARELY = [F(9, 10), F(1, 10)]
_SIXTHS = [F(1, 3), F(2, 3), F(5, 6)]
_FALLING = [F(1, 2), F(1, 3), F(1, 6)]


def _rescaled(weights):
    whole = sum(weights)
    if whole == 0:
        raise ZeroProbabilityError("no candidate allows these data")
    return tuple(weight / whole for weight in weights)


def _likelihood(candidates, k, N):
    return [theta**k * (1 - theta) ** (N - k) for theta in candidates]


def _joint(candidates, prior, k, N):
    likelihood = _likelihood(candidates, k, N)
    return tuple(p * q for p, q in zip(prior, likelihood, strict=True))


@exercise(
    (_QUARTERS, _COIN_LIKE, 7, 10),
    (_TWO_HEADS, _RARELY, 4, 4),
    (_SIXTHS, _FALLING, 2, 5),
    (_SIXTHS, _FALLING, 0, 3),
    ([F(1, 10), F(3, 10)], [F(1, 4), F(3, 4)], 3, 7),
    ([0.2, 0.6], [0.5, 0.5], 2, 3),
    (_TWO_HEADS, _RARELY, 2, 3),
    ([F(0), F(1)], [F(1, 2), F(1, 2)], 1, 2),
    (_TWO_HEADS, [F(0), F(1)], 1, 2),
)
def candidates_posterior(candidates, prior, k, N):
    """Return P[theta | k of N], for each candidate theta."""
    return _rescaled(_joint(candidates, prior, k, N))


@candidates_posterior.mistake(
    "These are prior times likelihood. What do they sum to, and what should a "
    "posterior sum to?",
    example=(
        ([F(1, 4), F(2, 3)], [F(3, 5), F(2, 5)], 2, 3),
        (F(9, 320), F(8, 135)),
    ),
)
def _not_rescaled(candidates, prior, k, N):
    return _joint(candidates, prior, k, N)


@candidates_posterior.mistake(
    "These are prior times binomial probability. Divide by their sum, the "
    "evidence.",
    example=(
        ([F(1, 4), F(2, 3)], [F(3, 5), F(2, 5)], 2, 3),
        (F(27, 320), F(8, 45)),
    ),
)
def _binomial(candidates, prior, k, N):
    ways = comb(N, k)
    return tuple(ways * p for p in _joint(candidates, prior, k, N))


@candidates_posterior.mistake(
    "This ignores the prior: it is the likelihood made to sum to one.",
    example=(
        ([F(1, 4), F(2, 3)], [F(3, 5), F(2, 5)], 2, 3),
        (F(81, 337), F(256, 337)),
    ),
)
def _prior_ignored(candidates, prior, k, N):
    return _rescaled(_likelihood(candidates, k, N))


@candidates_posterior.mistake(
    "The tosses that did not point up are missing from the likelihood.",
    example=(
        ([F(1, 4), F(2, 3)], [F(3, 5), F(2, 5)], 2, 3),
        (F(27, 155), F(128, 155)),
    ),
)
def _successes_only(candidates, prior, k, N):
    return _rescaled(_joint(candidates, prior, k, k))


@candidates_posterior.mistake(
    "The exponent of 1 - theta is the number of tosses that did not point up, "
    "not that of all tosses.",
    example=(
        ([F(1, 4), F(2, 3)], [F(3, 5), F(2, 5)], 2, 3),
        (F(19683, 27875), F(8192, 27875)),
    ),
)
def _all_as_failures(candidates, prior, k, N):
    return _rescaled(_joint(candidates, prior, k, N + k))


@candidates_posterior.mistake(
    "Up and down have changed places.",
    example=(
        ([F(1, 4), F(2, 3)], [F(3, 5), F(2, 5)], 2, 3),
        (F(729, 985), F(256, 985)),
    ),
)
def _up_and_down(candidates, prior, k, N):
    return _rescaled(_joint(candidates, prior, N - k, N))


@candidates_posterior.mistake(
    "This returns the prior as it was.",
    example=(
        ([F(1, 4), F(2, 3)], [F(3, 5), F(2, 5)], 2, 3),
        (F(3, 5), F(2, 5)),
    ),
)
def _unchanged(candidates, prior, k, N):
    return tuple(prior)


# -- map_is_nearer --------------------------------------------------------


def _mode(a, b):
    return F(a - 1, a + b - 2)


def _mean(a, b):
    return F(a, a + b)


def _estimates(a, b, k, N):
    """Return the MLE, the MAP and the posterior mean."""
    after = k + a, N - k + b
    return F(k, N), _mode(*after), _mean(*after)


def _nearer(first, second, point):
    return abs(first - point) < abs(second - point)


@exercise(
    (2, 2, 7, 10),
    (2, 8, 7, 10),
    (2, 8, 8, 10),
    (2, 8, 9, 10),
    (8, 2, 3, 10),
    (8, 2, 9, 10),
    (1, 2, 1, 2),
    (1, 2, 1, 1),
    (3, 6, 3, 9),
    (1, 9, 2, 10),
    (1, 4, 1, 3),
    (4, 1, 0, 3),
    (1, 1, 0, 10),
    (1, 3, 3, 9),
    (2, 4, 3, 8),
    (1, 9, 1, 9),
    (9, 1, 8, 9),
)
def map_is_nearer(a, b, k, N):
    """Return whether the MAP is strictly nearer to the prior mean."""
    _, mode, mean = _estimates(a, b, k, N)
    return _nearer(mode, mean, _mean(a, b))


@map_is_nearer.mistake(
    "With ties it says the MAP: *strictly* nearer is asked for.",
    example=((2, 4, 5, 8), True),
)
def _or_ties(a, b, k, N):
    _, mode, mean = _estimates(a, b, k, N)
    return not _nearer(mean, mode, _mean(a, b))


@map_is_nearer.mistake(
    "The posterior mean is often nearer to the prior mean, but not always.",
    example=((1, 3, 1, 2), False),
)
def _never(a, b, k, N):
    return False


@map_is_nearer.mistake(
    "This answers whether the *posterior mean* is nearer.",
    example=((2, 1, 3, 4), True),
)
def _mean_is_nearer(a, b, k, N):
    _, mode, mean = _estimates(a, b, k, N)
    return _nearer(mean, mode, _mean(a, b))


@map_is_nearer.mistake(
    "This measures from the maximum-likelihood estimate, that is from the "
    "data.",
    example=((1, 2, 3, 4), True),
)
def _from_the_mle(a, b, k, N):
    mle, mode, mean = _estimates(a, b, k, N)
    return _nearer(mode, mean, mle)


@map_is_nearer.mistake(
    "This compares the values, not their distances.",
    example=((1, 2, 1, 4), True),
)
def _without_abs(a, b, k, N):
    _, mode, mean = _estimates(a, b, k, N)
    return mode < mean


@map_is_nearer.mistake(
    "The posterior mean between the prior mean and one half is nearly the "
    "right condition, but the interval begins a little later.",
    example=((3, 5, 2, 5), True),
)
def _any_between(a, b, k, N):
    _, _, mean = _estimates(a, b, k, N)
    prior_mean = _mean(a, b)
    return min(prior_mean, F(1, 2)) < mean < max(prior_mean, F(1, 2))


# -- opinion --------------------------------------------------------------


def _with_sum(mean, s):
    return mean * s, (1 - mean) * s


@exercise(
    (F(1, 2), F(1, 10)),
    (F(1, 3), F(1, 6)),
    (F(3, 5), F(1, 5)),
    (F(1, 10), F(1, 20)),
    (0.85, 0.15),
    (F(1, 2), F(2, 5)),
    (F(2, 5), F(1, 30)),
)
def opinion(mean, sd):
    """Return the (a, b) of the Beta distribution with this mean and sd."""
    return _with_sum(mean, mean * (1 - mean) / sd**2 - 1)


@opinion.mistake(
    "The variance of a Beta distribution has a + b + 1 in its denominator, "
    "not a + b.",
    example=((F(1, 4), F(1, 8)), (3, 9)),
)
def _without_plus_one(mean, sd):
    return _with_sum(mean, mean * (1 - mean) / sd**2)


@opinion.mistake(
    "This takes the standard deviation for the variance.",
    example=((F(1, 4), F(1, 8)), (F(1, 8), F(3, 8))),
)
def _deviation_as_variance(mean, sd):
    return _with_sum(mean, mean * (1 - mean) / sd - 1)


@opinion.mistake(
    "a and b have changed places.",
    example=((F(1, 4), F(1, 8)), (F(33, 4), F(11, 4))),
)
def _a_and_b_exchanged(mean, sd):
    return opinion(1 - mean, sd)


@opinion.mistake(
    "These are the mean and the sum a + b; a and b are asked for.",
    example=((F(1, 4), F(1, 8)), (F(1, 4), 11)),
)
def _mean_and_sum(mean, sd):
    return mean, sum(opinion(mean, sd))


@opinion.mistake(
    "This makes the *mode* the expected value: a and b are both one larger "
    "than the imagined tosses here.",
    example=((F(1, 4), F(1, 8)), (F(15, 4), F(37, 4))),
)
def _mode_for_mean(mean, sd):
    return tuple(part + 1 for part in opinion(mean, sd))


# -- penalty --------------------------------------------------------------


@exercise(
    ("gaussian", 3.0, 1.5, 20),
    ("gaussian", 0.7, 0.3, 50),
    ("gaussian", 12.0, 5.0, 7),
    ("laplace", 3.0, 1.5, 20),
    ("laplace", 0.7, 0.3, 50),
    ("laplace", 12.0, 5.0, 7),
)
def penalty(prior, noise, width, N):
    """Return the alpha of Ridge ("gaussian") or of Lasso ("laplace")."""
    if prior == "gaussian":
        return noise**2 / width**2
    return noise**2 * sqrt(2) / (N * width)


@penalty.mistake(
    "For the lasso this takes the standard deviation of the prior for its "
    "scale.",
    example=(("laplace", 3.0, 5.0, 10), 9 / 50),
)
def _scale_for_deviation(prior, noise, width, N):
    right = penalty(prior, noise, width, N)
    return right / sqrt(2) if prior == "laplace" else right


@penalty.mistake(
    "scikit-learn's lasso divides the sum of squares by the number of "
    "observations.",
    example=(("laplace", 3.0, 5.0, 10), sqrt(2) * 9 / 5),
)
def _sum_not_divided(prior, noise, width, N):
    right = penalty(prior, noise, width, N)
    return right * N if prior == "laplace" else right


@penalty.mistake(
    "scikit-learn's ridge does not divide the sum of squares by the number of "
    "observations.",
    example=(("gaussian", 3.0, 5.0, 10), 9 / 250),
)
def _sum_divided(prior, noise, width, N):
    right = penalty(prior, noise, width, N)
    return right / N if prior == "gaussian" else right


@penalty.mistake(
    "For ridge this has the width of the prior where its square, the "
    "variance, belongs.",
    example=(("gaussian", 3.0, 5.0, 10), 9 / 5),
)
def _width_not_squared(prior, noise, width, N):
    right = penalty(prior, noise, width, N)
    return right * width if prior == "gaussian" else right


@penalty.mistake(
    "A wider prior should penalise less: noise and prior have changed places.",
    example=(("laplace", 3.0, 5.0, 10), sqrt(2) * 25 / 30),
)
def _noise_and_width_exchanged(prior, noise, width, N):
    return penalty(prior, width, noise, N)


@penalty.mistake(
    "The noise enters by its variance, not by its standard deviation.",
    example=(("laplace", 3.0, 5.0, 10), sqrt(2) * 3 / 50),
)
def _noise_not_squared(prior, noise, width, N):
    return penalty(prior, noise, width, N) / noise


@penalty.mistake(
    "For the lasso the scale of the prior enters by itself, not by its "
    "square.",
    example=(("laplace", 3.0, 5.0, 10), 9 / 125),
)
def _scale_squared(prior, noise, width, N):
    right = penalty(prior, noise, width, N)
    return right * (sqrt(2) / width) if prior == "laplace" else right
