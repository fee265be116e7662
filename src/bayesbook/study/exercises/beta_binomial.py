"""The coding exercises of the chapter *The beta-binomial model*."""

from fractions import Fraction as F
from math import comb, prod

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- same_news(first, second) ---------------------------------------------


def _share(data):
    return F(sum(data), len(data))


def _same_news(first, second):
    return sorted(first) == sorted(second)


same_news = Exercise(
    reference=_same_news,
    cases=(
        ([1, 1, 0], [0, 1, 1]),
        ([1, 0, 1, 0], [1, 1, 0, 0]),
        ([1, 0], [1, 1, 0, 0]),
        ([1, 0, 0], [1, 0]),
        ([1, 1, 0], [1, 0]),
        ([1, 1, 0], [1, 0, 0]),
        ([0, 0, 0], [0, 0]),
        ([1, 1], [1, 1]),
        ([1, 0, 0, 1], [0, 0, 0, 1]),
        ([1, 0, 1], [1, 0, 1]),
    ),
    mistakes={
        "Must the order be the same? Compare the likelihoods.": (
            lambda first, second: first == second
        ),
        "Equal shares of successes are not enough: how much is behind "
        "them?": lambda first, second: _share(first) == _share(second),
        "This compares the successes only. What of the failures?": (
            lambda first, second: sum(first) == sum(second)
        ),
        "This compares the failures only. What of the successes?": (
            lambda first, second: first.count(0) == second.count(0)
        ),
        "This compares how many trials there are, not how they turned "
        "out.": lambda first, second: len(first) == len(second),
        "This compares which results occur at all. How often?": (
            lambda first, second: set(first) == set(second)
        ),
    },
)

# -- imagined_result(mean, k, N, then) ------------------------------------


def _strength(mean, k, N, then):
    return (k - N * then) / (then - mean)


def _imagined_result(mean, k, N, then):
    s = _strength(mean, k, N, then)
    return s * mean, s * (1 - mean)


def _by_weights_reversed(mean, k, N, then):
    weight = (then - mean) / (F(k, N) - mean)
    s = N * weight / (1 - weight)
    return s * mean, s * (1 - mean)


imagined_result = Exercise(
    reference=_imagined_result,
    cases=(
        (F(1, 2), 7, 10, F(3, 5)),
        (F(1, 5), 5, 8, F(1, 3)),
        (F(2, 3), 0, 14, F(1, 4)),
        (F(3, 4), 2, 11, F(5, 8)),
        (F(1, 10), 9, 9, F(2, 7)),
        (F(4, 9), 3, 25, F(1, 6)),
    ),
    mistakes={
        "The posterior mean lies between the prior mean and the share; "
        "which of the two weighs N, and which weighs a + b?": (
            _by_weights_reversed
        ),
        "This is a posterior: the k successes and N - k failures are still "
        "in it.": lambda mean, k, N, then: (
            _strength(mean, k, N, then) * mean + k,
            _strength(mean, k, N, then) * (1 - mean) + N - k,
        ),
        "a and b have changed places.": lambda mean, k, N, then: (
            _imagined_result(mean, k, N, then)[::-1]
        ),
        "These are the mean and the sum a + b; a and b are asked for.": (
            lambda mean, k, N, then: (mean, _strength(mean, k, N, then))
        ),
        "This splits a + b by the later mean; the prior has the earlier "
        "one.": lambda mean, k, N, then: (
            _strength(mean, k, N, then) * then,
            _strength(mean, k, N, then) * (1 - then),
        ),
        "This makes the *modes* those rates; means are asked for.": (
            lambda mean, k, N, then: tuple(
                part + 1 for part in _imagined_result(mean, k, N, then)
            )
        ),
    },
)

# -- successes_to_come(a, b, k, N, m, M) ----------------------------------


def _rising(start, steps):
    """Return the product of consecutive numbers that begins with `start`."""
    return prod(F(start + i) for i in range(steps))


def _one_order(a, b, m, M):
    return _rising(a, m) * _rising(b, M - m) / _rising(a + b, M)


def _beta_binomial(a, b, m, M):
    return comb(M, m) * _one_order(a, b, m, M)


def _binomial(p, m, M):
    return comb(M, m) * p**m * (1 - p) ** (M - m)


successes_to_come = Exercise(
    reference=lambda a, b, k, N, m, M: _beta_binomial(a + k, b + N - k, m, M),
    cases=(
        (2, 2, 3, 20, 5, 10),
        (1, 1, 4, 6, 2, 3),
        (5, 2, 11, 24, 0, 4),
        (1, 3, 0, 7, 3, 3),
        (4, 1, 5, 5, 1, 6),
        (3, 2, 0, 0, 2, 5),
        (2, 5, 6, 9, 1, 2),
    ),
    mistakes={
        "This is the probability of one order of the results. How many "
        "orders are there?": lambda a, b, k, N, m, M: _one_order(
            a + k, b + N - k, m, M
        ),
        "This plugs the posterior mean into a binomial distribution; the rate "
        "is "
        "not known.": lambda a, b, k, N, m, M: _binomial(
            F(a + k, a + b + N), m, M
        ),
        "This plugs the MAP estimate into a binomial distribution; the rate "
        "is not "
        "known.": lambda a, b, k, N, m, M: _binomial(
            F(a + k - 1, a + b + N - 2), m, M
        ),
        "This predicts from the prior: the k of N are missing.": (
            lambda a, b, k, N, m, M: _beta_binomial(a, b, m, M)
        ),
        "Successes and failures have changed places.": (
            lambda a, b, k, N, m, M: _beta_binomial(a + k, b + N - k, M - m, M)
        ),
        "The second hyper-parameter counts failures: N - k of them, not N.": (
            lambda a, b, k, N, m, M: _beta_binomial(a + k, b + N, m, M)
        ),
        "This is the probability of *at least* m; exactly m is asked for.": (
            lambda a, b, k, N, m, M: sum(
                _beta_binomial(a + k, b + N - k, j, M) for j in range(m, M + 1)
            )
        ),
    },
)

# -- bayes_factor(a, b, data) ---------------------------------------------


def _evidence(a, b, data):
    return _one_order(a, b, sum(data), len(data))


def _bayes_factor(a, b, data):
    return _evidence(a, b, data) * 2 ** len(data)


bayes_factor = Exercise(
    reference=_bayes_factor,
    cases=(
        (1, 1, [1, 0, 0, 0, 0, 1]),
        (2, 2, [1, 1, 1, 1, 1]),
        (1, 3, [0, 1, 0, 0]),
        (4, 2, [1, 0, 1, 0, 1, 0, 1]),
        (1, 1, [0, 1, 1]),
        (2, 5, [1, 1, 0]),
        (3, 2, [0, 0, 1, 0, 1]),
    ),
    mistakes={
        "This is the factor of the fair coin against the unknown one.": (
            lambda a, b, data: 1 / _bayes_factor(a, b, data)
        ),
        "This is the evidence of the unknown coin alone. What does the fair "
        "one give to the data?": _evidence,
        "This compares the probability of a number of successes with that "
        "of one sequence.": lambda a, b, data: (
            comb(len(data), sum(data)) * _bayes_factor(a, b, data)
        ),
        "a and b have changed places.": lambda a, b, data: _bayes_factor(
            b, a, data
        ),
        "This predicts every trial from the prior; the unknown coin learns "
        "from trial to trial.": lambda a, b, data: (
            F(a, a + b) ** sum(data)
            * F(b, a + b) ** data.count(0)
            * 2 ** len(data)
        ),
        "This takes the largest likelihood of the unknown coin in place of "
        "its evidence.": lambda a, b, data: (
            _share(data) ** sum(data)
            * (1 - _share(data)) ** data.count(0)
            * 2 ** len(data)
        ),
        "This is the posterior probability of the unknown coin when both "
        "are equally probable before.": lambda a, b, data: (
            _bayes_factor(a, b, data) / (1 + _bayes_factor(a, b, data))
        ),
    },
)

# -- from_the_others(a, b, data) ------------------------------------------


def _counts(a, b, data):
    return a + sum(data), b + data.count(0)


def _from_the_others(a, b, data):
    ones, zeros = _counts(a, b, data)
    whole = ones + zeros - 1
    return tuple(F((ones if x else zeros) - 1, whole) for x in data)


def _from_all(a, b, data):
    ones, zeros = _counts(a, b, data)
    return tuple(F(ones if x else zeros, ones + zeros) for x in data)


def _one_by_one(a, b, data):
    found = []
    for i, x in enumerate(data):
        ones, zeros = _counts(a, b, data[:i])
        found.append(F(ones if x else zeros, ones + zeros))
    return tuple(found)


def _of_success(a, b, data):
    ones, zeros = _counts(a, b, data)
    return tuple(F(ones - x, ones + zeros - 1) for x in data)


def _whole_kept(a, b, data):
    ones, zeros = _counts(a, b, data)
    return tuple(F((ones if x else zeros) - 1, ones + zeros) for x in data)


def _shares_of_others(a, b, data):
    others = len(data) - 1
    return tuple(F(data.count(x) - 1, others) for x in data)


from_the_others = Exercise(
    reference=_from_the_others,
    cases=(
        (1, 1, [1, 0, 0, 1, 0]),
        (2, 3, [0, 0, 1]),
        (4, 1, [1, 1, 1, 0]),
        (1, 5, [0, 1, 0, 0, 0, 0]),
        (3, 2, [1, 0, 1, 1, 0, 1, 1]),
        (2, 2, [0, 1]),
    ),
    mistakes={
        "These predictions have already seen the trial that they predict.": (
            _from_all
        ),
        "This predicts from the earlier trials only; the later ones count "
        "as well.": _one_by_one,
        "For a failure, the probability of a *failure* is asked for.": (
            _of_success
        ),
        "A trial that is left out is missing in the denominator too.": (
            _whole_kept
        ),
        "These are shares among the other trials; the prior is missing.": (
            _shares_of_others
        ),
        "a and b have changed places.": lambda a, b, data: _from_the_others(
            b, a, data
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "same_news": same_news,
    "imagined_result": imagined_result,
    "successes_to_come": successes_to_come,
    "bayes_factor": bayes_factor,
    "from_the_others": from_the_others,
}
