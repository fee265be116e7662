"""The coding exercises of the chapter *MAP and Bayes estimates*."""

from fractions import Fraction as F
from math import ceil, comb, floor, sqrt

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


# -- shortest_length ------------------------------------------------------


def _windows(ordered, size):
    """Return the first and the last of each run of a size."""
    return list(zip(ordered, ordered[size - 1 :], strict=False))


def _lengths(ordered, size):
    return [high - low for low, high in _windows(ordered, size)]


def _share(draws, level):
    """Return the share of the draws, exactly: 55 for 0.55 of a hundred."""
    return F(str(level)) * len(draws)


_SQUARES = [n**2 % 97 for n in range(25)]


@exercise(
    ([13, 11, 12, 40, 25], F(3, 5)),
    ([19, 70, 31, 45, 57, 68], F(1, 2)),
    ([60, 10, 44, 36, 21, 9, 33], F(4, 7)),
    ([22, 22, 87, 31, 98], F(2, 5)),
    ([55, 33, 88, 11, 131, 20], F(7, 10)),
    ([46, -20, 33, 11], F(1)),
    ([0.25, 1.5, 0.5, 4.0], F(3, 4)),
    ([20, 91, 12, 50, 11, 80, 16, 32], F(3, 8)),
    (_SQUARES, 0.28),
)
def shortest_length(draws, level):
    """Return the length of the shortest interval with enough draws."""
    return min(_lengths(sorted(draws), ceil(_share(draws, level))))


@shortest_length.mistake(
    "This leaves out equally many draws at both ends. The shortest interval "
    "may begin elsewhere.",
    example=(([0, 1, 2, 6, 11], F(3, 5)), 5),
)
def _equal_tails(draws, level):
    lengths = _lengths(sorted(draws), ceil(_share(draws, level)))
    return lengths[(len(lengths) - 1) // 2]


@shortest_length.mistake(
    "The draws are in no order; sort them first.",
    example=(([5, 0, 7, 1], F(1, 2)), -6),
)
def _not_sorted(draws, level):
    return min(_lengths(draws, ceil(_share(draws, level))))


@shortest_length.mistake(
    "The share of the draws that are inside is smaller than the level: round "
    "the number that is needed up.",
    example=(([0, 1, 5, 7], F(2, 3)), 1),
)
def _rounded_down(draws, level):
    needed = max(1, floor(_share(draws, level)))
    return min(_lengths(sorted(draws), needed))


@shortest_length.mistake(
    "This interval holds one draw more than is needed: neighbours in the "
    "sorted list are one place apart, and three in a row only two.",
    example=(([0, 1, 5, 7], F(1, 2)), 5),
)
def _one_too_many(draws, level):
    needed = min(len(draws), ceil(_share(draws, level)) + 1)
    return min(_lengths(sorted(draws), needed))


@shortest_length.mistake(
    "As floats, level * len(draws) can be a little more than a whole number, "
    "and is then rounded up by one too many. Use fractions.",
    example=(([n**2 for n in range(25)], 0.28), 49),
)
def _inexact(draws, level):
    return min(_lengths(sorted(draws), ceil(level * len(draws))))


@shortest_length.mistake(
    "This is the longest such interval; the shortest is asked for.",
    example=(([0, 1, 5, 7], F(1, 2)), 4),
)
def _longest(draws, level):
    return max(_lengths(sorted(draws), ceil(_share(draws, level))))


@shortest_length.mistake(
    "This is the length from the smallest to the largest draw.",
    example=(([0, 1, 5, 7], F(1, 2)), 7),
)
def _of_all(draws, level):
    return max(draws) - min(draws)


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
    "scikit-learn's lasso divides the sum of squares by twice the number of "
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
