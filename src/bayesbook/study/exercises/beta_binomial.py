"""The coding exercises of the chapter *The beta-binomial model*."""

from fractions import Fraction as F
from math import comb, prod

from bayesbook.study.exercises.checker import exercise

# -- updated_forgetting ---------------------------------------------------


@exercise(
    (2, 2, [1, 0, 0], F(1, 2)),
    (1, 1, [0, 1, 1, 1], F(2, 3)),
    (5, 2, [], F(1, 2)),
    (1, 3, [1, 1], 1),
    (3, 1, [0, 1, 0, 0], 0),
    (2, 5, [1, 0, 1, 1, 0], F(9, 10)),
    (4, 4, [0], F(1, 3)),
)
def updated_forgetting(a, b, trials, keep):
    """Return the arguments (a, b) when earlier trials fade by a factor."""
    last = len(trials) - 1
    weights = [keep ** (last - i) for i in range(len(trials))]
    up = sum(w for w, x in zip(weights, trials, strict=True) if x)
    return a + up, b + sum(weights) - up


@updated_forgetting.mistake(
    "The prior fades here, too: only the counts of trials are multiplied.",
    example=((2, 4, [1, 0], F(1, 2)), (1, 2)),
)
def _prior_fades(a, b, trials, keep):
    for x in trials:
        a, b = keep * a + x, keep * b + 1 - x
    return a, b


@updated_forgetting.mistake(
    "The newest trial has faded already: multiply *before* it is added.",
    example=((2, 4, [1, 0], F(1, 2)), (F(9, 4), F(9, 2))),
)
def _newest_fades(a, b, trials, keep):
    start = updated_forgetting(a, b, [], keep)
    found = updated_forgetting(a, b, trials, keep)
    return tuple(s + keep * (f - s) for s, f in zip(start, found, strict=True))


@updated_forgetting.mistake(
    "Nothing is forgotten here: this is the ordinary update.",
    example=((2, 4, [1, 0, 1], F(1, 2)), (4, 5)),
)
def _never_forgets(a, b, trials, keep):
    return updated_forgetting(a, b, trials, 1)


@updated_forgetting.mistake(
    "This forgets the newest trials most; the oldest ones have to fade most.",
    example=((2, 4, [1, 0], F(1, 2)), (3, F(9, 2))),
)
def _backwards(a, b, trials, keep):
    return updated_forgetting(a, b, trials[::-1], keep)


@updated_forgetting.mistake(
    "Each of the two counts fades before *every* trial, also before those "
    "that turn out otherwise.",
    example=((2, 4, [1, 0, 0], F(1, 2)), (3, F(11, 2))),
)
def _fades_alone(a, b, trials, keep):
    up = down = 0
    for x in trials:
        up, down = (keep * up + 1, down) if x else (up, keep * down + 1)
    return a + up, b + down


@updated_forgetting.mistake(
    "Successes and failures have changed places.",
    example=((2, 4, [1, 0], F(1, 2)), (3, F(9, 2))),
)
def _exchanged(a, b, trials, keep):
    return updated_forgetting(a, b, [1 - x for x in trials], keep)


@updated_forgetting.mistake(
    "These are the faded counts alone; the pseudo-counts are missing.",
    example=((2, 4, [1, 0], F(1, 2)), (F(1, 2), 1)),
)
def _counts_alone(a, b, trials, keep):
    return updated_forgetting(0, 0, trials, keep)


# -- same_news ------------------------------------------------------------


def _share(data):
    return F(sum(data), len(data))


@exercise(
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
)
def same_news(first, second):
    """Return whether two lists of 0 and 1 always give the same posterior."""
    return sorted(first) == sorted(second)


@same_news.mistake(
    "Must the order be the same? Compare the likelihoods.",
    example=(([1, 0, 0], [0, 1, 0]), False),
)
def _in_order(first, second):
    return first == second


@same_news.mistake(
    "Equal shares of successes are not enough: how much is behind them?",
    example=(([1, 0, 0], [0, 0, 1, 0, 1, 0]), True),
)
def _equal_shares(first, second):
    return _share(first) == _share(second)


@same_news.mistake(
    "This compares the successes only. What of the failures?",
    example=(([1, 1], [1, 0, 1]), True),
)
def _successes_only(first, second):
    return sum(first) == sum(second)


@same_news.mistake(
    "This compares the failures only. What of the successes?",
    example=(([0, 0], [0, 1, 0]), True),
)
def _failures_only(first, second):
    return first.count(0) == second.count(0)


@same_news.mistake(
    "This compares how many trials there are, not how they turned out.",
    example=(([1, 1, 1], [0, 1, 1]), True),
)
def _numbers_only(first, second):
    return len(first) == len(second)


@same_news.mistake(
    "This compares which results occur at all. How often?",
    example=(([1, 0, 0], [1, 1, 0, 1]), True),
)
def _results_only(first, second):
    return set(first) == set(second)


# -- imagined_result ------------------------------------------------------


def _strength(mean, k, N, then):
    return (k - N * then) / (then - mean)


@exercise(
    (F(1, 2), 7, 10, F(3, 5)),
    (F(1, 5), 5, 8, F(1, 3)),
    (F(2, 3), 0, 14, F(1, 4)),
    (F(3, 4), 2, 11, F(5, 8)),
    (F(1, 10), 9, 9, F(2, 7)),
    (F(4, 9), 3, 25, F(1, 6)),
)
def imagined_result(mean, k, N, then):
    """Return the (a, b) with this mean now, and that mean after k of N."""
    s = _strength(mean, k, N, then)
    return s * mean, s * (1 - mean)


@imagined_result.mistake(
    "The posterior mean lies between the prior mean and the share; which of "
    "the two weighs N, and which weighs a + b?",
    example=((F(1, 4), 7, 10, F(2, 5)), (F(5, 4), F(15, 4))),
)
def _by_weights_reversed(mean, k, N, then):
    weight = (then - mean) / (F(k, N) - mean)
    s = N * weight / (1 - weight)
    return s * mean, s * (1 - mean)


@imagined_result.mistake(
    "This is a posterior: the k successes and N - k failures are still in it.",
    example=((F(1, 4), 7, 10, F(2, 5)), (12, 18)),
)
def _posterior(mean, k, N, then):
    a, b = imagined_result(mean, k, N, then)
    return a + k, b + N - k


@imagined_result.mistake(
    "a and b have changed places.",
    example=((F(1, 4), 7, 10, F(2, 5)), (15, 5)),
)
def _swapped(mean, k, N, then):
    return imagined_result(mean, k, N, then)[::-1]


@imagined_result.mistake(
    "These are the mean and the sum a + b; a and b are asked for.",
    example=((F(1, 4), 7, 10, F(2, 5)), (F(1, 4), 20)),
)
def _mean_and_sum(mean, k, N, then):
    return mean, _strength(mean, k, N, then)


@imagined_result.mistake(
    "This splits a + b by the later mean; the prior has the earlier one.",
    example=((F(1, 4), 7, 10, F(2, 5)), (8, 12)),
)
def _later_mean(mean, k, N, then):
    s = _strength(mean, k, N, then)
    return s * then, s * (1 - then)


@imagined_result.mistake(
    "This makes the *modes* those rates; means are asked for.",
    example=((F(1, 4), 7, 10, F(2, 5)), (6, 16)),
)
def _modes(mean, k, N, then):
    return tuple(part + 1 for part in imagined_result(mean, k, N, then))


# -- successes_to_come ----------------------------------------------------


def _rising(start, steps):
    """Return the product of consecutive numbers that begins with `start`."""
    return prod(F(start + i) for i in range(steps))


def _one_order(a, b, m, M):
    return _rising(a, m) * _rising(b, M - m) / _rising(a + b, M)


def _beta_binomial(a, b, m, M):
    return comb(M, m) * _one_order(a, b, m, M)


def _binomial(p, m, M):
    return comb(M, m) * p**m * (1 - p) ** (M - m)


@exercise(
    (2, 2, 3, 20, 5, 10),
    (1, 1, 4, 6, 2, 3),
    (5, 2, 11, 24, 0, 4),
    (1, 3, 0, 7, 3, 3),
    (4, 1, 5, 5, 1, 6),
    (3, 2, 0, 0, 2, 5),
    (2, 5, 6, 9, 1, 2),
)
def successes_to_come(a, b, k, N, m, M):
    """Return P[m of the next M succeed | k of N did], exactly."""
    return _beta_binomial(a + k, b + N - k, m, M)


@successes_to_come.mistake(
    "This is the probability of one order of the results. How many orders are "
    "there?",
    example=((2, 3, 1, 3, 2, 3), F(1, 12)),
)
def _one_order_only(a, b, k, N, m, M):
    return _one_order(a + k, b + N - k, m, M)


@successes_to_come.mistake(
    "This plugs the posterior mean into a binomial distribution; the rate is "
    "not known.",
    example=((2, 3, 1, 3, 2, 3), F(135, 512)),
)
def _plugged_in_mean(a, b, k, N, m, M):
    return _binomial(F(a + k, a + b + N), m, M)


@successes_to_come.mistake(
    "This plugs the MAP estimate into a binomial distribution; the rate is "
    "not known.",
    example=((2, 3, 1, 3, 2, 3), F(2, 9)),
)
def _plugged_in_map(a, b, k, N, m, M):
    return _binomial(F(a + k - 1, a + b + N - 2), m, M)


@successes_to_come.mistake(
    "This predicts from the prior: the k of N are missing.",
    example=((2, 3, 1, 3, 2, 3), F(9, 35)),
)
def _prior_alone(a, b, k, N, m, M):
    return _beta_binomial(a, b, m, M)


@successes_to_come.mistake(
    "Successes and failures have changed places.",
    example=((2, 3, 1, 3, 2, 3), F(3, 8)),
)
def _failures_for_successes(a, b, k, N, m, M):
    return _beta_binomial(a + k, b + N - k, M - m, M)


@successes_to_come.mistake(
    "The second hyper-parameter counts failures: N - k of them, not N.",
    example=((2, 3, 1, 3, 2, 3), F(12, 55)),
)
def _all_counted_as_failures(a, b, k, N, m, M):
    return _beta_binomial(a + k, b + N, m, M)


@successes_to_come.mistake(
    "This is the probability of *at least* m; exactly m is asked for.",
    example=((2, 3, 1, 3, 2, 3), F(1, 3)),
)
def _at_least(a, b, k, N, m, M):
    return sum(
        successes_to_come(a, b, k, N, more, M) for more in range(m, M + 1)
    )


# -- bayes_factor ---------------------------------------------------------


def _evidence(a, b, data):
    return _one_order(a, b, sum(data), len(data))


@exercise(
    (1, 1, [1, 0, 0, 0, 0, 1]),
    (2, 2, [1, 1, 1, 1, 1]),
    (1, 3, [0, 1, 0, 0]),
    (4, 2, [1, 0, 1, 0, 1, 0, 1]),
    (1, 1, [0, 1, 1]),
    (2, 5, [1, 1, 0]),
    (3, 2, [0, 0, 1, 0, 1]),
)
def bayes_factor(a, b, data):
    """Return P[data | Beta(a, b)] / P[data | fair coin], exactly."""
    return _evidence(a, b, data) * 2 ** len(data)


@bayes_factor.mistake(
    "This is the factor of the fair coin against the unknown one.",
    example=((2, 3, [1, 0, 1]), F(35, 24)),
)
def _upside_down(a, b, data):
    return 1 / bayes_factor(a, b, data)


@bayes_factor.mistake(
    "This is the evidence of the unknown coin alone. What does the fair one "
    "give to the data?",
    example=((2, 3, [1, 0, 1]), F(3, 35)),
)
def _evidence_alone(a, b, data):
    return _evidence(a, b, data)


@bayes_factor.mistake(
    "This compares the probability of a number of successes with that of one "
    "sequence.",
    example=((2, 3, [1, 0, 1]), F(72, 35)),
)
def _any_order(a, b, data):
    return comb(len(data), sum(data)) * bayes_factor(a, b, data)


@bayes_factor.mistake(
    "a and b have changed places.", example=((2, 3, [1, 0, 1]), F(32, 35))
)
def _swapped_prior(a, b, data):
    return bayes_factor(b, a, data)


@bayes_factor.mistake(
    "This predicts every trial from the prior; the unknown coin learns from "
    "trial to trial.",
    example=((2, 3, [1, 0, 0, 1, 1]), F(2304, 3125)),
)
def _never_learns(a, b, data):
    p = F(a, a + b)
    return p ** sum(data) * (1 - p) ** data.count(0) * 2 ** len(data)


@bayes_factor.mistake(
    "This takes the largest likelihood of the unknown coin in place of its "
    "evidence.",
    example=((2, 3, [1, 0, 0, 1, 1]), F(3456, 3125)),
)
def _largest_likelihood(a, b, data):
    p = _share(data)
    return p ** sum(data) * (1 - p) ** data.count(0) * 2 ** len(data)


@bayes_factor.mistake(
    "This is the posterior probability of the unknown coin when both are "
    "equally probable before.",
    example=((2, 3, [1, 0, 1]), F(24, 59)),
)
def _posterior_probability(a, b, data):
    return bayes_factor(a, b, data) / (1 + bayes_factor(a, b, data))


# -- from_the_others ------------------------------------------------------


def _counts(a, b, data):
    return a + sum(data), b + data.count(0)


@exercise(
    (1, 1, [1, 0, 0, 1, 0]),
    (2, 3, [0, 0, 1]),
    (4, 1, [1, 1, 1, 0]),
    (1, 5, [0, 1, 0, 0, 0, 0]),
    (3, 2, [1, 0, 1, 1, 0, 1, 1]),
    (2, 2, [0, 1]),
)
def from_the_others(a, b, data):
    """Return P[x_i | all other trials] for every i, exactly."""
    ones, zeros = _counts(a, b, data)
    whole = ones + zeros - 1
    return tuple(F((ones if x else zeros) - 1, whole) for x in data)


@from_the_others.mistake(
    "These predictions have already seen the trial that they predict.",
    example=((3, 1, [1, 0, 0, 1]), (F(5, 8), F(3, 8), F(3, 8), F(5, 8))),
)
def _from_all(a, b, data):
    ones, zeros = _counts(a, b, data)
    return tuple(F(ones if x else zeros, ones + zeros) for x in data)


@from_the_others.mistake(
    "This predicts from the earlier trials only; the later ones count as "
    "well.",
    example=((3, 1, [1, 0, 0, 1]), (F(3, 4), F(1, 5), F(1, 3), F(4, 7))),
)
def _one_by_one(a, b, data):
    found = []
    for i, x in enumerate(data):
        ones, zeros = _counts(a, b, data[:i])
        found.append(F(ones if x else zeros, ones + zeros))
    return tuple(found)


@from_the_others.mistake(
    "For a failure, the probability of a *failure* is asked for.",
    example=((3, 1, [1, 0, 0, 1]), (F(4, 7), F(5, 7), F(5, 7), F(4, 7))),
)
def _of_success(a, b, data):
    ones, zeros = _counts(a, b, data)
    return tuple(F(ones - x, ones + zeros - 1) for x in data)


@from_the_others.mistake(
    "A trial that is left out is missing in the denominator too.",
    example=((3, 1, [1, 0, 0, 1]), (F(1, 2), F(1, 4), F(1, 4), F(1, 2))),
)
def _whole_kept(a, b, data):
    ones, zeros = _counts(a, b, data)
    return tuple(F((ones if x else zeros) - 1, ones + zeros) for x in data)


@from_the_others.mistake(
    "These are shares among the other trials; the prior is missing.",
    example=(
        (3, 1, [1, 0, 1, 1, 0]),
        (F(1, 2), F(1, 4), F(1, 2), F(1, 2), F(1, 4)),
    ),
)
def _shares_of_others(a, b, data):
    others = len(data) - 1
    return tuple(F(data.count(x) - 1, others) for x in data)


@from_the_others.mistake(
    "a and b have changed places.",
    example=((3, 1, [1, 0, 0, 1]), (F(2, 7), F(4, 7), F(4, 7), F(2, 7))),
)
def _swapped_counts(a, b, data):
    return from_the_others(b, a, data)
