"""The coding exercises of the chapter *Risk*."""

from fractions import Fraction as F
from math import inf, log

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- expected(joint, rule, loss) ------------------------------------------

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


def _expected(joint, rule, loss):
    return sum(p * loss[y, rule[x]] for (x, y), p in joint.items())


def _most_costly(joint, rule, loss):
    return max(loss[y, rule[x]] for x, y in joint)


expected = Exercise(
    reference=_expected,
    cases=(_UMBRELLA, _GRADES, _FLOATS),
    mistakes={
        "The pairs of the loss have the truth first; here the prediction "
        "comes first.": lambda joint, rule, loss: sum(
            p * loss[rule[x], y] for (x, y), p in joint.items()
        ),
        "This is a plain mean of the losses; each pair counts by its "
        "probability.": lambda joint, rule, loss: (
            F(1, len(joint)) * sum(loss[y, rule[x]] for x, y in joint)
        ),
        "This is the sum of the losses; each has to be multiplied by a "
        "probability.": lambda joint, rule, loss: sum(
            loss[y, rule[x]] for x, y in joint
        ),
        "This is the probability of a mistake, as if every mistake cost the "
        "same and a hit nothing.": lambda joint, rule, loss: sum(
            p for (x, y), p in joint.items() if rule[x] != y
        ),
        "This leaves out the pairs that are predicted rightly; they may cost "
        "something too.": lambda joint, rule, loss: sum(
            p * loss[y, rule[x]] for (x, y), p in joint.items() if rule[x] != y
        ),
        "This is the largest loss, the worst case; the mean is asked for.": (
            _most_costly
        ),
    },
)

# -- least_absolute(distribution) -----------------------------------------


def _ends(distribution):
    low = min(
        v
        for v in distribution
        if sum(distribution[u] for u in distribution if u <= v) >= F(1, 2)
    )
    high = max(
        v
        for v in distribution
        if sum(distribution[u] for u in distribution if u >= v) >= F(1, 2)
    )
    return low, high


def _mean_distance(distribution, c):
    return sum(p * abs(v - c) for v, p in distribution.items())


def _with_risk(ends):
    """Return the answer with the medians found in this way."""

    def answer(distribution):
        low, high = ends(distribution)
        return low, high, _mean_distance(distribution, low)

    return answer


_least_absolute = _with_risk(_ends)


def _of_values(distribution):
    values = sorted(distribution)
    n = len(values)
    return values[(n - 1) // 2], values[n // 2]


def _in_order_given(distribution):
    seen = 0
    for value, p in distribution.items():
        seen += p
        if seen >= F(1, 2):
            return value, value
    raise AssertionError("The probabilities sum to one.")


def _modes(distribution):
    most = [
        v for v, p in distribution.items() if p == max(distribution.values())
    ]
    return min(most), max(most)


def _mean_twice(distribution):
    return (sum(v * p for v, p in distribution.items()),) * 2


def _mean_square(distribution):
    low, high = _ends(distribution)
    return low, high, sum(p * (v - low) ** 2 for v, p in distribution.items())


def _plain_distance(distribution):
    low, high = _ends(distribution)
    return (
        low,
        high,
        sum(F(abs(v - low), len(distribution)) for v in distribution),
    )


least_absolute = Exercise(
    reference=_least_absolute,
    cases=(
        ({0: F(3, 8), 1: F(1, 8), 3: F(1, 4), 8: F(1, 4)},),
        ({5: F(1, 6), 1: F(1, 3), 2: F(1, 2)},),
        ({40: F(1, 10), 10: F(2, 5), 20: F(1, 10), 30: F(2, 5)},),
        ({7: F(2, 3), 4: F(1, 6), 9: F(1, 6)},),
        ({-2: F(1, 5), -1: F(1, 10), 6: F(3, 10), 11: F(2, 5)},),
    ),
    mistakes={
        "Several numbers may be medians; this gives the smallest twice.": (
            _with_risk(lambda distribution: (_ends(distribution)[0],) * 2)
        ),
        "Several numbers may be medians; this gives the largest twice.": (
            _with_risk(lambda distribution: (_ends(distribution)[1],) * 2)
        ),
        "This is the median of the values as if all were equally likely.": (
            _with_risk(_of_values)
        ),
        "The values come in any order: sort them before adding up.": (
            _with_risk(_in_order_given)
        ),
        "This is the mean, the answer to squared loss.": (
            _with_risk(_mean_twice)
        ),
        "This is the mode, the answer to 0-1 loss.": _with_risk(_modes),
        "The medians are right; but the third number is a mean square, and "
        "the loss is the distance itself.": _mean_square,
        "The medians are right; but the third number is a plain mean, and "
        "each distance counts by its probability.": _plain_distance,
        "The medians are the wrong way round. (That also happens if more "
        "than one half is asked for, where at least one half is enough.)": (
            _with_risk(lambda distribution: _ends(distribution)[::-1])
        ),
    },
)

# -- mean_log_loss(truth, forecasts) --------------------------------------


def _given(truth, forecasts):
    return [q[y] for y, q in zip(truth, forecasts, strict=True)]


def _price(q):
    return -log(q) if q else inf


def _mean_price(given):
    return sum(map(_price, given)) / len(given)


def _mean_log_loss(truth, forecasts):
    return _mean_price(_given(truth, forecasts))


def _mean_probability(truth, forecasts):
    given = _given(truth, forecasts)
    return _price(sum(given) / len(given))


def _of_the_likeliest(truth, forecasts):
    return _mean_price([max(q.values()) for q in forecasts])


def _refuses_any_zero(truth, forecasts):
    if any(0 in q.values() for q in forecasts):
        return inf
    return _mean_log_loss(truth, forecasts)


def _leaves_out_zeros(truth, forecasts):
    return _mean_price([q for q in _given(truth, forecasts) if q] or [1])


def _entropies(truth, forecasts):
    return -sum(p * log(p) for q in forecasts for p in q.values() if p) / len(
        forecasts
    )


mean_log_loss = Exercise(
    reference=_mean_log_loss,
    cases=(
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
    ),
    mistakes={
        "The sign is missing: a loss is not negative.": lambda *given: (
            -_mean_log_loss(*given)
        ),
        "A probability 0 that was given to the truth is left out; it costs "
        "infinitely much.": _leaves_out_zeros,
        "A probability 0 costs something only if it was given to the truth.": (
            _refuses_any_zero
        ),
        "A probability 0 that was given to the truth costs infinitely much: "
        "nothing is to be added to it, or put in its place.": (
            lambda truth, forecasts: (
                -sum(log(max(q, 1e-12)) for q in _given(truth, forecasts))
                / len(truth)
            )
        ),
        "This is the sum of the losses, not their mean.": (
            lambda truth, forecasts: (
                _mean_log_loss(truth, forecasts) * len(truth)
            )
        ),
        "These are bits: take the natural logarithm.": (
            lambda *given: _mean_log_loss(*given) / log(2)
        ),
        "This is the logarithm of a mean; asked is the mean of the "
        "logarithms.": _mean_probability,
        "This looks up the likeliest label; the loss looks at the "
        "probability of the true one.": _of_the_likeliest,
        "This does not look at the truth: it is the entropy of the "
        "forecasts.": _entropies,
        "This is one minus the probability of the truth, without a "
        "logarithm.": lambda truth, forecasts: (
            sum(1 - q for q in _given(truth, forecasts)) / len(truth)
        ),
    },
)

# -- promise(rules, sample, joint) ----------------------------------------

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


def _chosen(rules, sample):
    return min(rules, key=lambda rule: _empirical(rule, sample))


def _promise(rules, sample, joint):
    chosen = _chosen(rules, sample)
    return _empirical(chosen, sample), _true(chosen, joint)


def _judged_by(choose):
    """Return both risks of a rule that is chosen in another way."""

    def mistaken(rules, sample, joint):
        chosen = choose(rules, sample, joint)
        return _empirical(chosen, sample), _true(chosen, joint)

    return mistaken


promise = Exercise(
    reference=_promise,
    cases=(
        (_RULES, [(0, 1), (1, 1), (0, 1)], _JOINT),
        (_RULES, [(0, 0), (1, 0), (0, 0), (1, 1), (1, 0)], _JOINT),
        (_RULES, [(0, 0), (0, 0), (1, 1)], _EVEN),
        (_RULES, [(1, 1), (1, 0), (0, 0), (0, 1), (0, 1)], _EVEN),
        (
            _SHOPS,
            [("x", "buy"), ("y", "go"), ("z", "buy"), ("x", "buy")],
            _SHOP,
        ),
    ),
    mistakes={
        "The second number has to be of the rule that the sample chose; this "
        "is the smallest expected risk of all rules.": (
            lambda rules, sample, joint: (
                _promise(rules, sample, joint)[0],
                min(_true(rule, joint) for rule in rules),
            )
        ),
        "This chooses the rule by its expected risk; the sample has to "
        "choose.": _judged_by(
            lambda rules, sample, joint: min(
                rules, key=lambda rule: _true(rule, joint)
            )
        ),
        "Both numbers are the empirical risk; the second has to be the "
        "expected risk, under the joint distribution.": (
            lambda rules, sample, joint: (
                (_promise(rules, sample, joint)[0],) * 2
            )
        ),
        "This chooses the rule with the largest risk.": _judged_by(
            lambda rules, sample, joint: max(
                rules, key=lambda rule: _empirical(rule, sample)
            )
        ),
        "The first number is a count of mistakes; asked is their share.": (
            lambda rules, sample, joint: (
                len(sample) * _promise(rules, sample, joint)[0],
                _promise(rules, sample, joint)[1],
            )
        ),
        "These are the probabilities of being right; risks are asked for.": (
            lambda *given: tuple(1 - risk for risk in _promise(*given))
        ),
        "The two numbers are the wrong way round: the empirical risk first.": (
            lambda *given: _promise(*given)[::-1]
        ),
    },
)

# -- map_slope(xs, ys, noise_sd, prior_sd) --------------------------------


def _slope(xs, ys, ratio):
    products = sum(x * y for x, y in zip(xs, ys, strict=True))
    return products / (sum(x * x for x in xs) + ratio)


def _with_ratio(ratio):
    """Return the slope with another constant beside the sum of squares."""
    return lambda xs, ys, noise, prior: _slope(
        xs, ys, ratio(F(noise), F(prior), len(xs))
    )


map_slope = Exercise(
    reference=_with_ratio(lambda noise, prior, n: noise**2 / prior**2),
    cases=(
        ([F(1), F(2)], [F(2), F(3)], F(3), F(2)),
        ([F(1), F(-1), F(3)], [F(2), F(0), F(5)], F(1), F(1, 2)),
        ([F(4)], [F(10)], F(5), F(3)),
        (
            [F(1, 2), F(2), F(1), F(-3)],
            [F(-1), F(1), F(2), F(-4)],
            F(2),
            F(7),
        ),
    ),
    mistakes={
        "The prior is missing: this is the maximum-likelihood slope.": (
            _with_ratio(lambda noise, prior, n: 0)
        ),
        "The ratio of the variances is the wrong way round: a large prior "
        "deviation means a weak penalty.": _with_ratio(
            lambda noise, prior, n: prior**2 / noise**2
        ),
        "This uses the standard deviations; the penalty has their squares.": (
            _with_ratio(lambda noise, prior, n: noise / prior)
        ),
        "The noise is missing: the weight is not one over the prior's "
        "variance alone.": _with_ratio(lambda noise, prior, n: 1 / prior**2),
        "The weight is not the prior's variance.": _with_ratio(
            lambda noise, prior, n: prior**2
        ),
        "The penalty stands beside a sum of squares here, not beside their "
        "mean: it is not divided by the number of points.": _with_ratio(
            lambda noise, prior, n: noise**2 / prior**2 / n
        ),
        "The penalty is too strong by the number of points: it counts once, "
        "not once for each.": _with_ratio(
            lambda noise, prior, n: n * noise**2 / prior**2
        ),
        "A factor 2 is lost: both the squares and the penalty have one half, "
        "or neither.": _with_ratio(
            lambda noise, prior, n: noise**2 / prior**2 / 2
        ),
        "This divides the slope, not the penalty: the prior's share stands "
        "in the denominator beside the squares.": (
            lambda xs, ys, noise, prior: (
                _slope(xs, ys, 0) / (1 + noise**2 / prior**2)
            )
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "expected": expected,
    "least_absolute": least_absolute,
    "mean_log_loss": mean_log_loss,
    "promise": promise,
    "map_slope": map_slope,
}
