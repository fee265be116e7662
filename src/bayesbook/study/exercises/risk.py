"""The coding exercises of the chapter *Risk*.

It is one file because a chapter's exercises are one module, and each of
their many hints has its example beside it.
"""

from fractions import Fraction as F
from itertools import accumulate, chain
from math import ceil, floor, inf, log, log2, log10

from bayesbook.study.exercises.checker import exercise

# -- expected -------------------------------------------------------------

_UMBRELLA = (
    {
        ("clear", "dry"): F(1, 2),
        ("clear", "wet"): F(1, 10),
        ("cloudy", "dry"): F(1, 10),
        ("cloudy", "wet"): F(3, 10),
    },
    {"clear": "dry", "cloudy": "wet"},
    {
        ("dry", "dry"): 0,
        ("dry", "wet"): 1,
        ("wet", "dry"): 5,
        ("wet", "wet"): 2,
    },
)
_GRADES = (
    {
        ("a", 0): F(1, 12),
        ("a", 1): F(1, 6),
        ("b", 0): F(1, 4),
        ("b", 2): F(1, 3),
        ("c", 1): F(1, 6),
    },
    {"a": 1, "b": 2, "c": 0},
    {(y, z): F((y - z) ** 2, 1 + z) for y in range(3) for z in range(3)},
)
_FLOATS = (
    {(0, 0): 0.4, (0, 1): 0.15, (1, 0): 0.05, (1, 1): 0.4},
    {0: 1, 1: 0},
    {(0, 0): 0.0, (0, 1): 1.0, (1, 0): 7.0, (1, 1): 0.5},
)


@exercise(_UMBRELLA, _GRADES, _FLOATS)
def expected(joint, rule, loss):
    """Return the expected risk of a rule."""
    return sum(p * loss[y, rule[x]] for (x, y), p in joint.items())


_TWO_SIGNS = (
    {
        ("low", 0): F(1, 2),
        ("low", 1): F(1, 12),
        ("high", 0): F(1, 4),
        ("high", 1): F(1, 6),
    },
    {"low": 0, "high": 1},
    {(0, 0): 1, (0, 1): 4, (1, 0): 6, (1, 1): 3},
)


@expected.mistake(
    "The pairs of the loss have the truth first; here the prediction comes "
    "first.",
    example=(_TWO_SIGNS, F(17, 6)),
)
def _prediction_first(joint, rule, loss):
    return sum(p * loss[rule[x], y] for (x, y), p in joint.items())


@expected.mistake(
    "This is a plain mean of the losses; each pair counts by its probability.",
    example=(_TWO_SIGNS, F(7, 2)),
)
def _plain_mean(joint, rule, loss):
    losses = [loss[y, rule[x]] for x, y in joint]
    return F(1, len(joint)) * sum(losses)


@expected.mistake(
    "This is the sum of the losses; each has to be multiplied by a "
    "probability.",
    example=(_TWO_SIGNS, 14),
)
def _sum_of_losses(joint, rule, loss):
    return sum(loss[y, rule[x]] for x, y in joint)


@expected.mistake(
    "This is the probability of a mistake, as if every mistake cost the same "
    "and a hit nothing.",
    example=(_TWO_SIGNS, F(1, 3)),
)
def _zero_one_loss(joint, rule, loss):
    return sum(p for (x, y), p in joint.items() if rule[x] != y)


@expected.mistake(
    "This leaves out the pairs that are predicted rightly; they may cost "
    "something too.",
    example=(_TWO_SIGNS, F(3, 2)),
)
def _mistakes_only(joint, rule, loss):
    wrong = {(x, y): p for (x, y), p in joint.items() if rule[x] != y}
    return sum(p * loss[y, rule[x]] for (x, y), p in wrong.items())


@expected.mistake(
    "This is the largest loss, the worst case; the mean is asked for.",
    example=(_TWO_SIGNS, 6),
)
def _most_costly(joint, rule, loss):
    return max(loss[y, rule[x]] for x, y in joint)


# -- least_absolute -------------------------------------------------------


def _medians(distribution):
    """Return the smallest and the largest median."""
    low = min(
        value
        for value in distribution
        if sum(p for v, p in distribution.items() if v <= value) >= F(1, 2)
    )
    high = max(
        value
        for value in distribution
        if sum(p for v, p in distribution.items() if v >= value) >= F(1, 2)
    )
    return low, high


def _with_risk(low, high, distribution):
    """Add the mean distance from the first number."""
    risk = sum(p * abs(value - low) for value, p in distribution.items())
    return low, high, risk


@exercise(
    ({0: F(3, 8), 1: F(1, 8), 3: F(1, 4), 8: F(1, 4)},),
    ({5: F(1, 6), 1: F(1, 3), 2: F(1, 2)},),
    ({40: F(1, 10), 10: F(2, 5), 20: F(1, 10), 30: F(2, 5)},),
    ({7: F(2, 3), 4: F(1, 6), 9: F(1, 6)},),
    ({-2: F(1, 5), -1: F(1, 10), 6: F(3, 10), 11: F(2, 5)},),
)
def least_absolute(distribution):
    """Return the smallest median, the largest, and their absolute risk."""
    low, high = _medians(distribution)
    return _with_risk(low, high, distribution)


_TWO_MEDIANS = {3: F(1, 4), 6: F(1, 6), 1: F(1, 4), 10: F(1, 3)}
_ONE_MEDIAN = {
    9: F(3, 5),
    2: F(1, 10),
    5: F(1, 10),
    4: F(1, 10),
    7: F(1, 10),
}


@least_absolute.mistake(
    "Several numbers may be medians; this gives the smallest twice.",
    example=((_TWO_MEDIANS,), (3, 3, F(10, 3))),
)
def _smallest_twice(distribution):
    low, _ = _medians(distribution)
    return _with_risk(low, low, distribution)


@least_absolute.mistake(
    "Several numbers may be medians; this gives the largest twice.",
    example=((_TWO_MEDIANS,), (6, 6, F(10, 3))),
)
def _largest_twice(distribution):
    _, high = _medians(distribution)
    return _with_risk(high, high, distribution)


@least_absolute.mistake(
    "This is the median of the values as if all were equally likely.",
    example=((_ONE_MEDIAN,), (5, 5, 3)),
)
def _equally_likely(distribution):
    values, n = sorted(distribution), len(distribution)
    return _with_risk(values[(n - 1) // 2], values[n // 2], distribution)


@least_absolute.mistake(
    "The values come in any order: sort them before adding up.",
    example=((_TWO_MEDIANS,), (1, 1, F(13, 3))),
)
def _not_sorted(distribution):
    below = zip(distribution, accumulate(distribution.values()), strict=True)
    first = next(value for value, p in below if p >= F(1, 2))
    return _with_risk(first, first, distribution)


@least_absolute.mistake(
    "This is the mean, the answer to squared loss.",
    example=((_ONE_MEDIAN,), (F(36, 5), F(36, 5), F(54, 25))),
)
def _mean_twice(distribution):
    mean = sum(value * p for value, p in distribution.items())
    return _with_risk(mean, mean, distribution)


@least_absolute.mistake(
    "This is the mode, the answer to 0-1 loss.",
    example=(({6: F(2, 5), 4: F(1, 5), 1: F(2, 5)},), (1, 6, F(13, 5))),
)
def _modes(distribution):
    most = max(distribution.values())
    modes = [value for value, p in distribution.items() if p == most]
    return _with_risk(min(modes), max(modes), distribution)


@least_absolute.mistake(
    "The medians are right; but the third number is a mean square, and the "
    "loss is the distance itself.",
    example=((_TWO_MEDIANS,), (3, 6, F(113, 6))),
)
def _mean_square(distribution):
    low, high = _medians(distribution)
    squares = sum(p * (v - low) ** 2 for v, p in distribution.items())
    return low, high, squares


@least_absolute.mistake(
    "The medians are right; but the third number is a plain mean, and each "
    "distance counts by its probability.",
    example=((_TWO_MEDIANS,), (3, 6, 3)),
)
def _plain_distance(distribution):
    low, high = _medians(distribution)
    distance = sum(F(abs(v - low), len(distribution)) for v in distribution)
    return low, high, distance


@least_absolute.mistake(
    "The medians are the wrong way round. (That also happens if more than one "
    "half is asked for, where at least one half is enough.)",
    example=((_TWO_MEDIANS,), (6, 3, F(10, 3))),
)
def _medians_exchanged(distribution):
    low, high = _medians(distribution)
    return _with_risk(high, low, distribution)


# -- mean_log_loss --------------------------------------------------------


def _given(truth, forecasts):
    return [q[y] for y, q in zip(truth, forecasts, strict=True)]


def _price(q):
    return -log(q) if q else inf


def _mean_price(given):
    return sum(map(_price, given)) / len(given)


@exercise(
    (["rain"], [{"rain": 0.25, "dry": 0.75}]),
    (
        ["rain", "dry", "dry"],
        [
            {"rain": 0.7, "dry": 0.3},
            {"rain": 0.2, "dry": 0.8},
            {"dry": 0.45, "rain": 0.55},
        ],
    ),
    (
        ["b", "c", "a", "a"],
        [
            {"a": 0.1, "b": 0.3, "c": 0.6},
            {"a": 0.25, "b": 0.35, "c": 0.4},
            {"a": 0.65, "b": 0.15, "c": 0.2},
            {"a": 0.98, "b": 0.01, "c": 0.01},
        ],
    ),
    ([1, 0], [{0: 0.05, 1: 0.95}, {0: 0.125, 1: 0.875}]),
    (["b", "a"], [{"a": 0.0, "b": 1.0}, {"a": 0.3, "b": 0.7}]),
    (["a", "b"], [{"a": 0.6, "b": 0.4}, {"a": 1.0, "b": 0.0}]),
)
def mean_log_loss(truth, forecasts):
    """Return the empirical risk of forecasts under log loss."""
    return _mean_price(_given(truth, forecasts))


_TWO_FORECASTS = (
    ["b", "a"],
    [{"a": 0.5, "b": 0.2, "c": 0.3}, {"a": 0.6, "b": 0.3, "c": 0.1}],
)
_ZERO_FOR_THE_TRUTH = (
    ["b", "a", "a"],
    [{"a": 0.7, "b": 0.3}, {"a": 0.0, "b": 1.0}, {"a": 0.4, "b": 0.6}],
)
_ZERO_FOR_ANOTHER = (
    ["b", "a"],
    [{"a": 0.0, "b": 0.4, "c": 0.6}, {"a": 0.7, "b": 0.3, "c": 0.0}],
)


@mean_log_loss.mistake(
    "The sign is missing: a loss is not negative.",
    example=(_TWO_FORECASTS, (log(0.2) + log(0.6)) / 2),
)
def _negative(truth, forecasts):
    return -mean_log_loss(truth, forecasts)


@mean_log_loss.mistake(
    "A probability 0 that was given to the truth is left out of the mean; it "
    "costs infinitely much.",
    example=(_ZERO_FOR_THE_TRUTH, -(log(0.3) + log(0.4)) / 2),
)
def _leaves_out_zeros(truth, forecasts):
    return _mean_price([q for q in _given(truth, forecasts) if q])


@mean_log_loss.mistake(
    "A probability 0 costs something only if it was given to the truth.",
    example=(_ZERO_FOR_ANOTHER, inf),
)
def _refuses_any_zero(truth, forecasts):
    if any(0 in q.values() for q in forecasts):
        return inf
    return mean_log_loss(truth, forecasts)


@mean_log_loss.mistake(
    "A probability 0 that was given to the truth costs infinitely much: "
    "nothing, such as 1e-12 here, is to be added to it or put in its place.",
    example=(_ZERO_FOR_THE_TRUTH, -(log(0.3) + log(1e-12) + log(0.4)) / 3),
)
def _small_number(truth, forecasts):
    given = _given(truth, forecasts)
    return -sum(log(max(q, 1e-12)) for q in given) / len(truth)


@mean_log_loss.mistake(
    "This is the sum of the losses, not their mean.",
    example=(_TWO_FORECASTS, -log(0.2) - log(0.6)),
)
def _sum_of_log_losses(truth, forecasts):
    return mean_log_loss(truth, forecasts) * len(truth)


@mean_log_loss.mistake(
    "These are bits: take the natural logarithm.",
    example=(_TWO_FORECASTS, -(log2(0.2) + log2(0.6)) / 2),
)
def _bits(truth, forecasts):
    return mean_log_loss(truth, forecasts) / log(2)


@mean_log_loss.mistake(
    "This is the logarithm of a mean; asked is the mean of the logarithms.",
    example=(_TWO_FORECASTS, -log(0.4)),
)
def _mean_probability(truth, forecasts):
    given = _given(truth, forecasts)
    return _price(sum(given) / len(given))


@mean_log_loss.mistake(
    "This looks up the likeliest label; the loss looks at the probability of "
    "the true one.",
    example=(_TWO_FORECASTS, -(log(0.5) + log(0.6)) / 2),
)
def _of_the_likeliest(truth, forecasts):
    return _mean_price([max(q.values()) for q in forecasts])


@mean_log_loss.mistake(
    "This does not look at the truth: it is the entropy of the forecasts.",
    example=(
        _TWO_FORECASTS,
        -(
            0.5 * log(0.5)
            + 0.2 * log(0.2)
            + 0.3 * log(0.3)
            + 0.6 * log(0.6)
            + 0.3 * log(0.3)
            + 0.1 * log(0.1)
        )
        / 2,
    ),
)
def _entropies(truth, forecasts):
    entropies = (p * log(p) for q in forecasts for p in q.values() if p)
    return -sum(entropies) / len(forecasts)


@mean_log_loss.mistake(
    "This is one minus the probability of the truth, without a logarithm.",
    example=(_TWO_FORECASTS, 0.6),
)
def _without_logarithm(truth, forecasts):
    return sum(1 - q for q in _given(truth, forecasts)) / len(truth)


# -- promise --------------------------------------------------------------

_RULES = [{0: a, 1: b} for a in (0, 1) for b in (0, 1)]
_JOINT = {(0, 0): F(1, 2), (0, 1): F(1, 10), (1, 0): F(1, 10)}
_JOINT |= {(1, 1): F(3, 10)}
_EVEN = {(0, 0): F(3, 20), (0, 1): F(1, 4), (1, 0): F(2, 5), (1, 1): F(1, 5)}
_SHOPS = [
    {"x": "buy", "y": "go", "z": "go"},
    {"x": "go", "y": "go", "z": "buy"},
    {"x": "buy", "y": "buy", "z": "buy"},
]
_SHOP = {
    ("x", "buy"): F(1, 8),
    ("x", "go"): F(1, 4),
    ("y", "go"): F(1, 3),
    ("z", "buy"): F(1, 8),
    ("z", "go"): F(1, 6),
}


def _empirical(rule, sample):
    return F(sum(rule[x] != y for x, y in sample), len(sample))


def _true(rule, joint):
    return sum(p for (x, y), p in joint.items() if rule[x] != y)


def _both_risks(rule, sample, joint):
    return _empirical(rule, sample), _true(rule, joint)


@exercise(
    (_RULES, [(0, 1), (1, 1), (0, 1)], _JOINT),
    (_RULES, [(0, 0), (1, 0), (0, 0), (1, 1), (1, 0)], _JOINT),
    (_RULES, [(0, 0), (0, 0), (1, 1)], _EVEN),
    (_RULES, [(1, 1), (1, 0), (0, 0), (0, 1), (0, 1)], _EVEN),
    (
        _SHOPS,
        [("x", "buy"), ("y", "go"), ("z", "buy"), ("x", "buy")],
        _SHOP,
    ),
)
def promise(rules, sample, joint):
    """Return empirical and expected 0-1 risk of the empirical minimiser."""
    chosen = min(rules, key=lambda rule: _empirical(rule, sample))
    return _both_risks(chosen, sample, joint)


_THREE_RULES = (
    [{"x": 0, "y": 0}, {"x": 0, "y": 1}, {"x": 1, "y": 1}],
    [("x", 0)] * 3 + [("x", 1)] + [("y", 1)] * 2 + [("y", 0)],
    {
        ("x", 0): F(7, 20),
        ("x", 1): F(3, 20),
        ("y", 0): F(3, 10),
        ("y", 1): F(1, 5),
    },
)


@promise.mistake(
    "The second number has to be of the rule that the sample chose; this is "
    "the smallest expected risk of all rules.",
    example=(_THREE_RULES, (F(2, 7), F(7, 20))),
)
def _least_true_risk(rules, sample, joint):
    empirical, _ = promise(rules, sample, joint)
    return empirical, min(_true(rule, joint) for rule in rules)


@promise.mistake(
    "This chooses the rule by its expected risk; the sample has to choose.",
    example=(_THREE_RULES, (F(3, 7), F(7, 20))),
)
def _chosen_by_true_risk(rules, sample, joint):
    chosen = min(rules, key=lambda rule: _true(rule, joint))
    return _both_risks(chosen, sample, joint)


@promise.mistake(
    "Both numbers are the empirical risk; the second has to be the expected "
    "risk, under the joint distribution.",
    example=(_THREE_RULES, (F(2, 7), F(2, 7))),
)
def _empirical_twice(rules, sample, joint):
    empirical, _ = promise(rules, sample, joint)
    return empirical, empirical


@promise.mistake(
    "This chooses the rule with the largest risk.",
    example=(_THREE_RULES, (F(4, 7), F(13, 20))),
)
def _largest_risk(rules, sample, joint):
    chosen = max(rules, key=lambda rule: _empirical(rule, sample))
    return _both_risks(chosen, sample, joint)


@promise.mistake(
    "The first number is a count of mistakes; asked is their share.",
    example=(_THREE_RULES, (2, F(9, 20))),
)
def _count_of_mistakes(rules, sample, joint):
    empirical, true = promise(rules, sample, joint)
    return len(sample) * empirical, true


@promise.mistake(
    "These are the probabilities of being right; risks are asked for.",
    example=(_THREE_RULES, (F(5, 7), F(11, 20))),
)
def _being_right(rules, sample, joint):
    return tuple(1 - risk for risk in promise(rules, sample, joint))


@promise.mistake(
    "The two numbers are the wrong way round: the empirical risk first.",
    example=(_THREE_RULES, (F(9, 20), F(2, 7))),
)
def _risks_exchanged(rules, sample, joint):
    return promise(rules, sample, joint)[::-1]


# -- cross_validated_mean -------------------------------------------------


def _mean(numbers):
    return sum(numbers) / F(len(numbers))


def _losses(ys, fold_of):
    """Return the squared losses of each fold, by its number."""
    pairs = list(zip(ys, fold_of, strict=True))
    return {
        fold: [
            (y - _mean([z for z, k in pairs if k != fold])) ** 2
            for y, own in pairs
            if own == fold
        ]
        for fold in sorted(set(fold_of))
    }


@exercise(
    ([F(1), F(3), F(4), F(8)], [0, 1, 0, 1]),
    ([F(2), F(7), F(3), F(3), F(10)], [0, 0, 0, 1, 1]),
    ([F(5), F(1), F(9), F(2), F(2), F(6)], [2, 0, 1, 0, 0, 2]),
    ([F(1, 2), F(3, 2), F(5)], [0, 1, 2]),
)
def cross_validated_mean(ys, fold_of):
    """Return the cross-validation estimate of the risk of a mean."""
    return _mean([*chain(*_losses(ys, fold_of).values())])


_UNEQUAL_FOLDS = ([F(1), F(2), F(6)], [0, 0, 1])


@cross_validated_mean.mistake(
    "This is the training risk: every number has a part in the mean with "
    "which it is compared.",
    example=(_UNEQUAL_FOLDS, F(14, 3)),
)
def _training_risk(ys, fold_of):
    return _mean([(y - _mean(ys)) ** 2 for y in ys])


@cross_validated_mean.mistake(
    "This is the mean of the risks of the folds; a large fold counts more "
    "than a small one.",
    example=(_UNEQUAL_FOLDS, F(163, 8)),
)
def _mean_of_folds(ys, fold_of):
    return _mean([_mean(own) for own in _losses(ys, fold_of).values()])


@cross_validated_mean.mistake(
    "Each number is compared with the mean of its own fold; the mean of the "
    "others is to be tested on it.",
    example=(_UNEQUAL_FOLDS, F(1, 6)),
)
def _own_fold(ys, fold_of):
    own = {
        fold: _mean([y for y, k in zip(ys, fold_of, strict=True) if k == fold])
        for fold in fold_of
    }
    pairs = zip(ys, fold_of, strict=True)
    return _mean([(y - own[fold]) ** 2 for y, fold in pairs])


@cross_validated_mean.mistake(
    "This leaves out one number at a time; all numbers of a fold are left out "
    "together.",
    example=(_UNEQUAL_FOLDS, F(21, 2)),
)
def _leave_one_out(ys, fold_of):
    return cross_validated_mean(ys, list(range(len(ys))))


@cross_validated_mean.mistake(
    "This is the mean distance; the loss is its square.",
    example=(_UNEQUAL_FOLDS, F(9, 2)),
)
def _mean_distance(ys, fold_of):
    pairs = list(zip(ys, fold_of, strict=True))
    return _mean(
        [abs(y - _mean([z for z, k in pairs if k != own])) for y, own in pairs]
    )


@cross_validated_mean.mistake(
    "This is the sum of the losses, not their mean.",
    example=(_UNEQUAL_FOLDS, F(245, 4)),
)
def _sum_of_squares(ys, fold_of):
    return sum(chain(*_losses(ys, fold_of).values()))


# -- observations_needed --------------------------------------------------


@exercise(
    (10, 0.05, 0.05),
    (1, 0.03, 0.01),
    (1000, 0.1, 0.1),
    (7, 0.2, 0.02),
)
def observations_needed(n_rules, epsilon, delta):
    """Return how many observations make the bound small enough."""
    return ceil(log(2 * n_rules / delta) / (2 * epsilon**2))


_TEN_RULES = (10, 0.1, 0.05)


@observations_needed.mistake(
    "With one observation fewer, as here, the bound is a little too large: "
    "round up.",
    example=(_TEN_RULES, 299),
)
def _rounded_down(n_rules, epsilon, delta):
    return floor(log(2 * n_rules / delta) / (2 * epsilon**2))


@observations_needed.mistake(
    "A number of observations is whole: round up.",
    example=(_TEN_RULES, log(400) / 0.02),
)
def _not_rounded(n_rules, epsilon, delta):
    return log(2 * n_rules / delta) / (2 * epsilon**2)


@observations_needed.mistake(
    "The factor 2 within the logarithm is missing: the empirical risk may be "
    "too large, or too small.",
    example=(_TEN_RULES, 265),
)
def _one_side(n_rules, epsilon, delta):
    return ceil(log(n_rules / delta) / (2 * epsilon**2))


@observations_needed.mistake(
    "The factor 2 of the denominator is missing.",
    example=(_TEN_RULES, 600),
)
def _without_two(n_rules, epsilon, delta):
    return ceil(log(2 * n_rules / delta) / epsilon**2)


@observations_needed.mistake(
    "Square both sides of the equation: the bound is a root.",
    example=(_TEN_RULES, 30),
)
def _not_squared(n_rules, epsilon, delta):
    return ceil(log(2 * n_rules / delta) / (2 * epsilon))


@observations_needed.mistake(
    "This is enough for one rule; the bound is to hold for all of them at "
    "once.",
    example=(_TEN_RULES, 185),
)
def _one_rule(n_rules, epsilon, delta):
    return ceil(log(2 / delta) / (2 * epsilon**2))


@observations_needed.mistake(
    "The number of rules stands within the logarithm, not before it.",
    example=(_TEN_RULES, 1845),
)
def _times_rules(n_rules, epsilon, delta):
    return ceil(n_rules * log(2 / delta) / (2 * epsilon**2))


@observations_needed.mistake(
    "The logarithm is the natural one.",
    example=(_TEN_RULES, 131),
)
def _decimal_logarithm(n_rules, epsilon, delta):
    return ceil(log10(2 * n_rules / delta) / (2 * epsilon**2))


# -- map_slope ------------------------------------------------------------


def _slope(xs, ys, penalty):
    products = sum(x * y for x, y in zip(xs, ys, strict=True))
    return products / (sum(x * x for x in xs) + penalty)


@exercise(
    ([F(1), F(2)], [F(2), F(3)], F(3), F(2)),
    ([F(1), F(-1), F(3)], [F(2), F(0), F(5)], F(1), F(1, 2)),
    ([F(4)], [F(10)], F(5), F(3)),
    (
        [F(1, 2), F(2), F(1), F(-3)],
        [F(-1), F(1), F(2), F(-4)],
        F(2),
        F(7),
    ),
)
def map_slope(xs, ys, noise_sd, prior_sd):
    """Return the MAP estimate of a slope through the origin."""
    return _slope(xs, ys, noise_sd**2 / prior_sd**2)


_THREE_POINTS = ([F(1), F(2), F(3)], [F(2), F(1), F(5)], F(3), F(4))


@map_slope.mistake(
    "The prior is missing: this is the maximum-likelihood slope.",
    example=(_THREE_POINTS, F(19, 14)),
)
def _no_prior(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, 0)


@map_slope.mistake(
    "The ratio of the variances is the wrong way round: a large prior "
    "deviation means a weak penalty.",
    example=(_THREE_POINTS, F(171, 142)),
)
def _ratio_upside_down(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, prior_sd**2 / noise_sd**2)


@map_slope.mistake(
    "This uses the standard deviations; the penalty has their squares.",
    example=(_THREE_POINTS, F(76, 59)),
)
def _deviations(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, noise_sd / prior_sd)


@map_slope.mistake(
    "The noise is missing: the weight is not one over the prior's variance "
    "alone.",
    example=(_THREE_POINTS, F(304, 225)),
)
def _without_noise(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, 1 / prior_sd**2)


@map_slope.mistake(
    "The weight is not the prior's variance.",
    example=(_THREE_POINTS, F(19, 30)),
)
def _prior_variance(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, prior_sd**2)


@map_slope.mistake(
    "The penalty stands beside a sum of squares here, not beside their mean: "
    "it is not divided by the number of points.",
    example=(_THREE_POINTS, F(304, 227)),
)
def _divided_by_number(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, noise_sd**2 / prior_sd**2 / len(xs))


@map_slope.mistake(
    "The penalty is too strong by the number of points: it counts once, not "
    "once for each.",
    example=(_THREE_POINTS, F(304, 251)),
)
def _times_number(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, len(xs) * noise_sd**2 / prior_sd**2)


@map_slope.mistake(
    "A factor 2 is lost: both the squares and the penalty have one half, or "
    "neither.",
    example=(_THREE_POINTS, F(608, 457)),
)
def _half_the_penalty(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, noise_sd**2 / prior_sd**2 / 2)


@map_slope.mistake(
    "This divides the whole slope by one plus the ratio of the variances; the "
    "ratio stands in the denominator beside the sum of squares.",
    example=(_THREE_POINTS, F(152, 175)),
)
def _slope_divided(xs, ys, noise_sd, prior_sd):
    return _slope(xs, ys, 0) / (1 + noise_sd**2 / prior_sd**2)
