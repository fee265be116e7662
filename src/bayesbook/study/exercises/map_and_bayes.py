"""The coding exercises of the chapter *MAP and Bayes estimates*."""

from fractions import Fraction as F
from math import comb, sqrt

from bayesbook.base import ZeroProbabilityError
from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- candidates_posterior(candidates, prior, k, N) ------------------------

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
    return tuple(w / whole for w in weights)


def _likelihood(candidates, k, N):
    return [theta**k * (1 - theta) ** (N - k) for theta in candidates]


def _times(prior, likelihood):
    return tuple(p * w for p, w in zip(prior, likelihood, strict=True))


def _joint(candidates, prior, k, N):
    return _times(prior, _likelihood(candidates, k, N))


def _candidates_posterior(candidates, prior, k, N):
    return _rescaled(_joint(candidates, prior, k, N))


candidates_posterior = Exercise(
    reference=_candidates_posterior,
    cases=(
        (_QUARTERS, _COIN_LIKE, 7, 10),
        (_TWO_HEADS, _RARELY, 4, 4),
        (_SIXTHS, _FALLING, 2, 5),
        (_SIXTHS, _FALLING, 0, 3),
        ([F(1, 10), F(3, 10)], [F(1, 4), F(3, 4)], 3, 7),
        ([0.2, 0.6], [0.5, 0.5], 2, 3),
        (_TWO_HEADS, _RARELY, 2, 3),
        ([F(0), F(1)], [F(1, 2), F(1, 2)], 1, 2),
        (_TWO_HEADS, [F(0), F(1)], 1, 2),
    ),
    mistakes={
        "These are prior times likelihood. What do they sum to, and what "
        "should a posterior sum to?": _joint,
        "These are prior times binomial probability. Divide by their sum, "
        "the evidence.": lambda candidates, prior, k, N: tuple(
            comb(N, k) * w for w in _joint(candidates, prior, k, N)
        ),
        "This ignores the prior: it is the likelihood made to sum to one.": (
            lambda candidates, prior, k, N: _rescaled(
                _likelihood(candidates, k, N)
            )
        ),
        "The tosses that did not point up are missing from the likelihood.": (
            lambda candidates, prior, k, N: _rescaled(
                _joint(candidates, prior, k, k)
            )
        ),
        "The exponent of 1 - theta is the number of tosses that did not "
        "point up, not that of all tosses.": (
            lambda candidates, prior, k, N: _rescaled(
                _joint(candidates, prior, k, N + k)
            )
        ),
        "Up and down have changed places.": (
            lambda candidates, prior, k, N: _rescaled(
                _joint(candidates, prior, N - k, N)
            )
        ),
        "This returns the prior as it was.": (
            lambda candidates, prior, k, N: tuple(prior)
        ),
    },
)

# -- map_is_nearer(a, b, k, N) --------------------------------------------


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


def _map_is_nearer(a, b, k, N):
    _, mode, mean = _estimates(a, b, k, N)
    return _nearer(mode, mean, _mean(a, b))


def _or_ties(a, b, k, N):
    _, mode, mean = _estimates(a, b, k, N)
    return not _nearer(mean, mode, _mean(a, b))


def _from_the_mle(a, b, k, N):
    mle, mode, mean = _estimates(a, b, k, N)
    return _nearer(mode, mean, mle)


def _without_abs(a, b, k, N):
    _, mode, mean = _estimates(a, b, k, N)
    return mode < mean


def _any_between(a, b, k, N):
    mean, prior_mean = _mean(k + a, N - k + b), _mean(a, b)
    return min(prior_mean, F(1, 2)) < mean < max(prior_mean, F(1, 2))


map_is_nearer = Exercise(
    reference=_map_is_nearer,
    cases=(
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
    ),
    mistakes={
        "With ties it says the MAP: *strictly* nearer is asked for.": _or_ties,
        "The posterior mean is often nearer to the prior mean, but not "
        "always.": lambda a, b, k, N: False,
        "This answers whether the *posterior mean* is nearer.": (
            lambda a, b, k, N: _nearer(
                _mean(k + a, N - k + b),
                _mode(k + a, N - k + b),
                _mean(a, b),
            )
        ),
        "This measures from the maximum-likelihood estimate, that is from "
        "the data.": _from_the_mle,
        "This compares the values, not their distances.": _without_abs,
        "The posterior mean between the prior mean and one half is nearly "
        "the right condition, but the interval begins a little later.": (
            _any_between
        ),
    },
)

# -- opinion(mean, sd) ----------------------------------------------------


def _with_sum(mean, s):
    return mean * s, (1 - mean) * s


def _opinion(mean, sd):
    return _with_sum(mean, mean * (1 - mean) / sd**2 - 1)


opinion = Exercise(
    reference=_opinion,
    cases=(
        (F(1, 2), F(1, 10)),
        (F(1, 3), F(1, 6)),
        (F(3, 5), F(1, 5)),
        (F(1, 10), F(1, 20)),
        (0.85, 0.15),
        (F(1, 2), F(2, 5)),
        (F(2, 5), F(1, 30)),
    ),
    mistakes={
        "The variance of a Beta distribution has a + b + 1 in its "
        "denominator, not a + b.": lambda mean, sd: _with_sum(
            mean, mean * (1 - mean) / sd**2
        ),
        "This takes the standard deviation for the variance.": (
            lambda mean, sd: _with_sum(mean, mean * (1 - mean) / sd - 1)
        ),
        "a and b have changed places.": lambda mean, sd: _opinion(
            1 - mean, sd
        ),
        "These are the mean and the sum a + b; a and b are asked for.": (
            lambda mean, sd: (mean, sum(_opinion(mean, sd)))
        ),
        "This makes the *mode* the expected value: a and b are both one "
        "larger than the imagined tosses here.": lambda mean, sd: tuple(
            part + 1 for part in _opinion(mean, sd)
        ),
    },
)

# -- penalty(prior, noise, width, N) --------------------------------------


def _penalty(prior, noise, width, N):
    if prior == "gaussian":
        return noise**2 / width**2
    return noise**2 * sqrt(2) / (N * width)


penalty = Exercise(
    reference=_penalty,
    cases=(
        ("gaussian", 3.0, 1.5, 20),
        ("gaussian", 0.7, 0.3, 50),
        ("gaussian", 12.0, 5.0, 7),
        ("laplace", 3.0, 1.5, 20),
        ("laplace", 0.7, 0.3, 50),
        ("laplace", 12.0, 5.0, 7),
    ),
    mistakes={
        "For the lasso this takes the standard deviation of the prior for "
        "its scale.": lambda prior, noise, width, N: (
            _penalty(prior, noise, width, N)
            / (sqrt(2) if prior == "laplace" else 1)
        ),
        "scikit-learn's lasso divides the sum of squares by the number of "
        "observations.": lambda prior, noise, width, N: (
            _penalty(prior, noise, width, N) * (N if prior == "laplace" else 1)
        ),
        "scikit-learn's ridge does not divide the sum of squares by the "
        "number of observations.": lambda prior, noise, width, N: (
            _penalty(prior, noise, width, N)
            / (N if prior == "gaussian" else 1)
        ),
        "For ridge this has the width of the prior where its square, the "
        "variance, belongs.": lambda prior, noise, width, N: (
            _penalty(prior, noise, width, N)
            * (width if prior == "gaussian" else 1)
        ),
        "A wider prior should penalise less: noise and prior have changed "
        "places.": lambda prior, noise, width, N: _penalty(
            prior, width, noise, N
        ),
        "The noise enters by its variance, not by its standard deviation.": (
            lambda prior, noise, width, N: (
                _penalty(prior, noise, width, N) / noise
            )
        ),
        "For the lasso the scale of the prior enters by itself, not by its "
        "square.": lambda prior, noise, width, N: (
            _penalty(prior, noise, width, N)
            * (sqrt(2) / width if prior == "laplace" else 1)
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "candidates_posterior": candidates_posterior,
    "map_is_nearer": map_is_nearer,
    "opinion": opinion,
    "penalty": penalty,
}
