"""The coding exercises of the chapter *Features of every kind*."""

from fractions import Fraction as F
from math import exp, inf, log, log2, pi, prod, sqrt

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

# -- fit_attribute(values, labels, states, lam) ---------------------------


def _by_class(values, labels):
    pairs = list(zip(values, labels, strict=True))
    return {k: [v for v, of in pairs if of == k] for k in set(labels)}


def _shares(values, labels, states, lam, total):
    """Smooth the counts; `total` returns the denominator of a class."""
    return {
        k: {s: F(inside.count(s) + lam) / total(inside) for s in states}
        for k, inside in _by_class(values, labels).items()
    }


def _fit_attribute(values, labels, states, lam):
    return _shares(
        values, labels, states, lam, lambda k: len(k) + len(states) * lam
    )


def _seen_in_class(values, labels, states, lam):
    return {
        k: {
            s: F(inside.count(s) + lam) / (len(inside) + len(seen) * lam)
            for s in states
            if s in seen
        }
        for k, inside in _by_class(values, labels).items()
        for seen in [set(inside)]
    }


def _class_given_state(values, labels, states, lam):
    K = len(set(labels))
    return {
        k: {
            s: F(inside.count(s) + lam) / ((values.count(s) + K * lam) or 1)
            for s in states
        }
        for k, inside in _by_class(values, labels).items()
    }


_ROOTS = ["curly"] * 5 + ["slightly curly"] * 6 + ["curly", "straight"]
_RIPE = ["yes"] * 6 + ["no"] * 7
_SHAPES = ["curly", "slightly curly", "straight"]
_COINS = ["heads", "tails", "tails", "heads", "tails"]
_MINTS = ["a", "a", "b", "c", "a"]
_COLOURS = ["red", "blue", "red", "red", "green", "blue", "red"]
_PLACES = ["north", "north", "south", "north", "south", "south", "north"]
_WIDE = ["blue", "green", "red", "white"]

fit_attribute = Exercise(
    reference=_fit_attribute,
    cases=(
        (_ROOTS, _RIPE, _SHAPES, 1),
        (_ROOTS, _RIPE, _SHAPES, F(1, 2)),
        (_ROOTS, _RIPE, _SHAPES, 0),
        (_COINS, _MINTS, ["heads", "tails"], 2),
        (_COLOURS, _PLACES, _WIDE, 3),
        (_COLOURS, _PLACES, _WIDE, F(1, 10)),
    ),
    mistakes={
        "The denominator has to count the rows of the class, not all "
        "rows.": lambda values, labels, states, lam: _shares(
            values,
            labels,
            states,
            lam,
            lambda _: len(values) + len(states) * lam,
        ),
        "Every state gets its imagined rows; the denominator has to count "
        "those of all states.": lambda values, labels, states, lam: _shares(
            values, labels, states, lam, lambda k: len(k) + lam
        ),
        "The denominator counts classes where it should count states.": (
            lambda values, labels, states, lam: _shares(
                values,
                labels,
                states,
                lam,
                lambda k: len(k) + len(set(labels)) * lam,
            )
        ),
        "The imagined rows are in the numerator only; the probabilities of "
        "a class do not sum to one.": (
            lambda values, labels, states, lam: _shares(
                values, labels, states, lam, len
            )
        ),
        "States that do not occur in a class are states too, with the "
        "count zero.": _seen_in_class,
        "States that occur in no row at all are states too.": (
            lambda values, labels, states, lam: _fit_attribute(
                values, labels, [s for s in states if s in values], lam
            )
        ),
        "These are probabilities of the class given the state.": (
            _class_given_state
        ),
        "This ignores the pseudo-count: they are relative frequencies.": (
            lambda values, labels, states, lam: _fit_attribute(
                values, labels, states, 0
            )
        ),
        "This adds one, whatever the pseudo-count is.": (
            lambda values, labels, states, lam: _fit_attribute(
                values, labels, states, 1
            )
        ),
    },
)

# -- gaussian_log_likelihood(x, mean, variance) ---------------------------


def _terms(x, mean, variance):
    return zip(x, mean, variance, strict=True)


def _gaussian_log_likelihood(x, mean, variance):
    return sum(
        -log(2 * pi * v) / 2 - (a - m) ** 2 / (2 * v)
        for a, m, v in _terms(x, mean, variance)
    )


def _log_of_product(x, mean, variance):
    density = prod(
        exp(-((a - m) ** 2) / (2 * v)) / sqrt(2 * pi * v)
        for a, m, v in _terms(x, mean, variance)
    )
    return log(density) if density else -inf


def _expanded(x, mean, variance):
    return sum(
        -log(2 * pi * v) / 2 - (a**2 - 2 * a * m + m**2) / (2 * v)
        for a, m, v in _terms(x, mean, variance)
    )


gaussian_log_likelihood = Exercise(
    reference=_gaussian_log_likelihood,
    cases=(
        ([0.697, 0.46], [0.574, 0.279], [0.0146, 0.0089]),
        ([3.0], [1.0], [4.0]),
        ([40.5, -2.0, 1.0], [0.3, 0.0, 1.5], [1.0, 4.0, 0.25]),
        ([1e9 + 3.0, 0.5], [1e9, 0.75], [1.0, 2.0]),
        ([-1e9 - 1.5], [-1e9], [0.5]),
        ([7.0] * 5, [5.0] * 5, [0.1, 1.0, 10.0, 3.0, 0.01]),
    ),
    mistakes={
        "A product of densities becomes zero as a float before its "
        "logarithm is taken: add logarithms instead.": _log_of_product,
        "The square has been multiplied out, and large terms cancel: "
        "subtract first.": _expanded,
        "The variance has been taken for the standard deviation.": (
            lambda x, mean, variance: _gaussian_log_likelihood(
                x, mean, [v**2 for v in variance]
            )
        ),
        "The constant with log(2 π) is missing. It cancels between classes, "
        "but this is to be the log-density itself.": (
            lambda x, mean, variance: (
                _gaussian_log_likelihood(x, mean, variance)
                + len(x) * log(2 * pi) / 2
            )
        ),
        "The logarithm of the variance is missing. It differs between "
        "classes.": lambda x, mean, variance: (
            _gaussian_log_likelihood(x, mean, variance)
            + sum(map(log, variance)) / 2
        ),
        "The squared distance has to be divided by twice the variance.": (
            lambda x, mean, variance: sum(
                -log(2 * pi * v) / 2 - (a - m) ** 2 / v
                for a, m, v in _terms(x, mean, variance)
            )
        ),
        "The sign is that of the *negative* log-likelihood.": (
            lambda x, mean, variance: (
                -_gaussian_log_likelihood(x, mean, variance)
            )
        ),
    },
)

# -- add_rows(counts, rows, labels) ---------------------------------------


def _keys(rows, labels):
    return [
        (label, column, state)
        for row, label in zip(rows, labels, strict=True)
        for column, state in enumerate(row)
    ]


def _plus(counts, keys):
    total = dict(counts)
    for key in keys:
        total[key] = total.get(key, 0) + 1
    return total


def _known(rows, labels):
    return [key for key in _keys(rows, labels) if key[2] is not None]


def _add_rows(counts, rows, labels):
    return _plus(counts, _known(rows, labels))


def _complete_only(counts, rows, labels):
    kept = [
        (row, label)
        for row, label in zip(rows, labels, strict=True)
        if None not in row
    ]
    return _add_rows(counts, *map(list, zip(*kept, strict=True)))


def _only_known_keys(counts, rows, labels):
    keys = [key for key in _known(rows, labels) if key in counts]
    return _plus(counts, keys)


_OLD = {("yes", 0, "curly"): 5, ("yes", 0, "straight"): 3, ("no", 1, "m"): 4}
_FEW = [("curly", "m"), ("straight", None), (None, "c"), ("curly", "m")]
_OF = ["yes", "no", "yes", "yes"]

add_rows = Exercise(
    reference=_add_rows,
    cases=(
        (_OLD, _FEW, _OF),
        (_OLD, _FEW, ["no"] * 4),
        ({}, _FEW, _OF),
        ({("a", 0, "x"): 20, ("a", 1, "x"): 7}, [("x", "x")] * 3, ["a"] * 3),
        (
            {("b", 0, "x"): 11, ("a", 2, "y"): 6},
            [("x", "y", None), ("x", "y", "y"), ("y", None, "y")],
            ["b", "a", "b"],
        ),
    ),
    mistakes={
        "A missing value has been counted as if it were a state.": (
            lambda counts, rows, labels: _plus(counts, _keys(rows, labels))
        ),
        "A row with a missing value still counts for its other columns.": (
            _complete_only
        ),
        "The old counts are lost: these are the counts of the new rows.": (
            lambda counts, rows, labels: _add_rows({}, rows, labels)
        ),
        "Where a key was there already, the new count has replaced the old "
        "one.": lambda counts, rows, labels: (
            counts | _add_rows({}, rows, labels)
        ),
        "A state that was not seen before needs an entry.": _only_known_keys,
        "A state that comes several times in the new rows counts each "
        "time.": lambda counts, rows, labels: _plus(
            counts, set(_known(rows, labels))
        ),
        "The old counts came back unchanged.": (
            lambda counts, rows, labels: dict(counts)
        ),
    },
)

# -- merge_moments(first, second) -----------------------------------------


def _merged(first, second, mean, between):
    (n1, _, s1), (n2, _, s2) = first, second
    n = n1 + n2
    return n, mean, (n1 * s1 + n2 * s2) / F(n) + between


def _common_mean(first, second):
    (n1, mean1, _), (n2, mean2, _) = first, second
    return F(n1 * mean1 + n2 * mean2) / (n1 + n2)


def _between(first, second):
    (n1, mean1, _), (n2, mean2, _) = first, second
    return F(n1 * n2 * (mean1 - mean2) ** 2) / (n1 + n2) ** 2


def _merge_moments(first, second):
    mean = _common_mean(first, second)
    return _merged(first, second, mean, _between(first, second))


def _half_way(first, second):
    mean = F(first[1] + second[1]) / 2
    return _merged(first, second, mean, _between(first, second))


def _variances_averaged(first, second):
    n, mean, _ = _merge_moments(first, second)
    between = _between(first, second)
    return n, mean, F(first[2] + second[2]) / 2 + between


def _by_one_less(first, second):
    n, mean, variance = _merge_moments(first, second)
    return n, mean, variance * n / (n - 1)


merge_moments = Exercise(
    reference=_merge_moments,
    cases=(
        ((4, 3, 1), (1, 8, 0)),
        ((10, F(1, 2), F(3, 4)), (30, F(5, 2), F(1, 3))),
        ((7, -2, 5), (21, -2, 9)),
        ((3, F(1, 5), F(7, 5)), (6, F(3, 5), F(2, 7))),
        ((2, 100, F(1, 9)), (5, 90, F(5, 3))),
    ),
    mistakes={
        "The means have been averaged as if both lists were equally long.": (
            _half_way
        ),
        "The variances have been averaged as if both lists were equally "
        "long.": _variances_averaged,
        "The two means differ, and that adds to the variance.": (
            lambda first, second: _merged(
                first, second, _common_mean(first, second), 0
            )
        ),
        "Variances do not add up; weight them by the numbers of "
        "measurements.": lambda first, second: (
            first[0] + second[0],
            _common_mean(first, second),
            F(first[2] + second[2]),
        ),
        "The variance has been divided by one measurement too few.": (
            _by_one_less
        ),
        "The distance of the means enters by its square.": (
            lambda first, second: _merged(
                first,
                second,
                _common_mean(first, second),
                F(first[0] * second[0] * abs(first[1] - second[1]))
                / (first[0] + second[0]) ** 2,
            )
        ),
    },
)

# -- binary_information(pi, p) --------------------------------------------


def _surprise(q):
    return -sum(part * log2(part) for part in (q, 1 - q) if part > 0)


def _mean(weights, values):
    return sum(w * v for w, v in zip(weights, values, strict=True))


def _binary_information(pi, p):
    return _surprise(_mean(pi, p)) - _mean(pi, map(_surprise, p))


def _presence_only(pi, p):
    mean = _mean(pi, p)
    return sum(
        w * q * log2(q / mean) for w, q in zip(pi, p, strict=True) if q > 0
    )


binary_information = Exercise(
    reference=_binary_information,
    cases=(
        ([0.25, 0.75], [0.9, 0.2]),
        ([0.5, 0.5], [1.0, 0.3]),
        ([0.2, 0.3, 0.5], [0.05, 0.6, 0.35]),
        ([0.7, 0.3], [0.0, 0.15]),
        ([0.6, 0.4], [0.44, 0.44]),
        ([0.1, 0.2, 0.3, 0.4], [0.99, 0.8, 0.9, 1.0]),
    ),
    mistakes={
        "These are nats: bits need binary logarithms.": (
            lambda pi, p: _binary_information(pi, p) * log(2)
        ),
        "Only the presence of the feature is counted; its absence tells "
        "something too.": _presence_only,
        "The overall probability of the feature is a mean weighted by the "
        "classes.": lambda pi, p: (
            _surprise(sum(p) / len(p)) - _mean(pi, map(_surprise, p))
        ),
        "This is the entropy of the feature that is left when the class is "
        "known; subtract it from the entropy before.": (
            lambda pi, p: _mean(pi, map(_surprise, p))
        ),
        "This is the entropy of the feature; what is left of it when the "
        "class is known has to be subtracted.": (
            lambda pi, p: _surprise(_mean(pi, p))
        ),
        "The sign is reversed.": lambda pi, p: -_binary_information(pi, p),
        "The entropies of the classes have to be weighted by their "
        "probabilities.": lambda pi, p: (
            _surprise(_mean(pi, p)) - sum(map(_surprise, p)) / len(p)
        ),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "fit_attribute": fit_attribute,
    "gaussian_log_likelihood": gaussian_log_likelihood,
    "add_rows": add_rows,
    "merge_moments": merge_moments,
    "binary_information": binary_information,
}
