"""The coding exercises of the chapter *Features of every kind*."""

from fractions import Fraction as F
from math import inf, log, log2, pi, prod, sqrt
from statistics import NormalDist

from bayesbook.study.exercises.checker import exercise

# -- fit_attribute --------------------------------------------------------


def _by_class(values, labels):
    pairs = list(zip(values, labels, strict=True))
    return {
        label: [value for value, other in pairs if other == label]
        for label in set(labels)
    }


def _smoothed(inside, states, lam, denominator):
    return {
        state: F(inside.count(state) + lam) / denominator for state in states
    }


_ROOTS = ["curly"] * 5 + ["slightly curly"] * 6 + ["curly", "straight"]
_RIPE = ["yes"] * 6 + ["no"] * 7
_SHAPES = ["curly", "slightly curly", "straight"]
_COINS = ["heads", "tails", "tails", "heads", "tails"]
_MINTS = ["a", "a", "b", "c", "a"]
_COLOURS = ["red", "blue", "red", "red", "green", "blue", "red"]
_PLACES = ["north", "north", "south", "north", "south", "south", "north"]
_WIDE = ["blue", "green", "red", "white"]


@exercise(
    (_ROOTS, _RIPE, _SHAPES, 1),
    (_ROOTS, _RIPE, _SHAPES, F(1, 2)),
    (_ROOTS, _RIPE, _SHAPES, 0),
    (_COINS, _MINTS, ["heads", "tails"], 2),
    (_COLOURS, _PLACES, _WIDE, 3),
    (_COLOURS, _PLACES, _WIDE, F(1, 10)),
)
def fit_attribute(values, labels, states, lam):
    """Return P[state | class], smoothed: {class: {state: probability}}."""
    return {
        label: _smoothed(inside, states, lam, len(inside) + len(states) * lam)
        for label, inside in _by_class(values, labels).items()
    }


_FIVE_FRUITS = (
    ["red", "red", "red", "blue", "blue"],
    ["n", "n", "s", "s", "s"],
    ["red", "blue", "green"],
    3,
)


@fit_attribute.mistake(
    "The denominator has to count the rows of the class, not all rows.",
    example=(
        _FIVE_FRUITS,
        {
            "n": {"red": F(5, 14), "blue": F(3, 14), "green": F(3, 14)},
            "s": {"red": F(4, 14), "blue": F(5, 14), "green": F(3, 14)},
        },
    ),
)
def _all_rows(values, labels, states, lam):
    denominator = len(values) + len(states) * lam
    return {
        label: _smoothed(inside, states, lam, denominator)
        for label, inside in _by_class(values, labels).items()
    }


@fit_attribute.mistake(
    "Every state gets its imagined rows; the denominator has to count those "
    "of all states.",
    example=(
        _FIVE_FRUITS,
        {
            "n": {"red": F(5, 5), "blue": F(3, 5), "green": F(3, 5)},
            "s": {"red": F(4, 6), "blue": F(5, 6), "green": F(3, 6)},
        },
    ),
)
def _one_state_below(values, labels, states, lam):
    return {
        label: _smoothed(inside, states, lam, len(inside) + lam)
        for label, inside in _by_class(values, labels).items()
    }


@fit_attribute.mistake(
    "The denominator counts classes where it should count states.",
    example=(
        _FIVE_FRUITS,
        {
            "n": {"red": F(5, 8), "blue": F(3, 8), "green": F(3, 8)},
            "s": {"red": F(4, 9), "blue": F(5, 9), "green": F(3, 9)},
        },
    ),
)
def _classes_below(values, labels, states, lam):
    K = len(set(labels))
    return {
        label: _smoothed(inside, states, lam, len(inside) + K * lam)
        for label, inside in _by_class(values, labels).items()
    }


@fit_attribute.mistake(
    "The imagined rows are in the numerator only; the probabilities of a "
    "class do not sum to one.",
    example=(
        _FIVE_FRUITS,
        {
            "n": {"red": F(5, 2), "blue": F(3, 2), "green": F(3, 2)},
            "s": {"red": F(4, 3), "blue": F(5, 3), "green": F(3, 3)},
        },
    ),
)
def _numerator_only(values, labels, states, lam):
    return {
        label: _smoothed(inside, states, lam, len(inside))
        for label, inside in _by_class(values, labels).items()
    }


@fit_attribute.mistake(
    "States that do not occur in a class are states too, with the count zero.",
    example=(
        _FIVE_FRUITS,
        {"n": {"red": 1}, "s": {"red": F(4, 9), "blue": F(5, 9)}},
    ),
)
def _seen_in_class(values, labels, states, lam):
    found = {}
    for label, inside in _by_class(values, labels).items():
        seen = [state for state in states if state in inside]
        whole = len(inside) + len(seen) * lam
        found[label] = _smoothed(inside, seen, lam, whole)
    return found


@fit_attribute.mistake(
    "States that occur in no row at all are states too.",
    example=(
        _FIVE_FRUITS,
        {
            "n": {"red": F(5, 8), "blue": F(3, 8)},
            "s": {"red": F(4, 9), "blue": F(5, 9)},
        },
    ),
)
def _seen_anywhere(values, labels, states, lam):
    seen = [state for state in states if state in values]
    return fit_attribute(values, labels, seen, lam)


@fit_attribute.mistake(
    "These are probabilities of the class given the state.",
    example=(
        _FIVE_FRUITS,
        {
            "n": {"red": F(5, 9), "blue": F(3, 8), "green": F(3, 6)},
            "s": {"red": F(4, 9), "blue": F(5, 8), "green": F(3, 6)},
        },
    ),
)
def _class_given_state(values, labels, states, lam):
    K = len(set(labels))
    wholes = {state: values.count(state) + K * lam for state in states}
    return {
        label: {
            state: F(inside.count(state) + lam) / (wholes[state] or 1)
            for state in states
        }
        for label, inside in _by_class(values, labels).items()
    }


@fit_attribute.mistake(
    "This ignores the pseudo-count: they are relative frequencies.",
    example=(
        _FIVE_FRUITS,
        {
            "n": {"red": 1, "blue": 0, "green": 0},
            "s": {"red": F(1, 3), "blue": F(2, 3), "green": 0},
        },
    ),
)
def _no_smoothing(values, labels, states, lam):
    return fit_attribute(values, labels, states, 0)


@fit_attribute.mistake(
    "This adds one, whatever the pseudo-count is.",
    example=(
        _FIVE_FRUITS,
        {
            "n": {"red": F(3, 5), "blue": F(1, 5), "green": F(1, 5)},
            "s": {"red": F(2, 6), "blue": F(3, 6), "green": F(1, 6)},
        },
    ),
)
def _add_one(values, labels, states, lam):
    return fit_attribute(values, labels, states, 1)


# -- gaussian_log_likelihood ----------------------------------------------


def _terms(x, mean, variance):
    return zip(x, mean, variance, strict=True)


@exercise(
    ([0.697, 0.46], [0.574, 0.279], [0.0146, 0.0089]),
    ([3.0], [1.0], [4.0]),
    ([40.5, -2.0, 1.0], [0.3, 0.0, 1.5], [1.0, 4.0, 0.25]),
    ([1e9 + 3.0, 0.5], [1e9, 0.75], [1.0, 2.0]),
    ([-1e9 - 1.5], [-1e9], [0.5]),
    ([7.0] * 5, [5.0] * 5, [0.1, 1.0, 10.0, 3.0, 0.01]),
)
def gaussian_log_likelihood(x, mean, variance):
    """Return log p(x | class) of independent Gaussian features."""
    return sum(
        -log(2 * pi * v) / 2 - (a - m) ** 2 / (2 * v)
        for a, m, v in _terms(x, mean, variance)
    )


@gaussian_log_likelihood.mistake(
    "A product of densities becomes zero as a float before its logarithm is "
    "taken: add logarithms instead.",
    example=(([5.0, 1.0], [1.0, 4.0], [0.02, 0.0125]), -inf),
)
def _log_of_product(x, mean, variance):
    density = prod(
        NormalDist(m, sqrt(v)).pdf(a) for a, m, v in _terms(x, mean, variance)
    )
    return log(density) if density else -inf


@gaussian_log_likelihood.mistake(
    "The square has been multiplied out, and large terms cancel: subtract "
    "first.",
    # As a float, the square of 2**27 + 3 ends in 8 for 9.
    example=(([2.0**27 + 3], [2.0**27], [5.0]), -log(10 * pi) / 2 - 8 / 10),
)
def _expanded(x, mean, variance):
    return sum(
        -log(2 * pi * v) / 2 - (a**2 - 2 * a * m + m**2) / (2 * v)
        for a, m, v in _terms(x, mean, variance)
    )


@gaussian_log_likelihood.mistake(
    "The variance has been taken for the standard deviation.",
    example=(
        ([5.0, -1.0], [2.0, 1.0], [3.0, 0.5]),
        -log(9 * pi**2) / 2 - 17 / 2,
    ),
)
def _variances_squared(x, mean, variance):
    return gaussian_log_likelihood(x, mean, [v**2 for v in variance])


@gaussian_log_likelihood.mistake(
    "The constant with log(2 π) is missing. It cancels between classes, but "
    "this is to be the log-density itself.",
    example=(([5.0, -1.0], [2.0, 1.0], [3.0, 0.5]), -log(3 / 2) / 2 - 11 / 2),
)
def _without_constant(x, mean, variance):
    right = gaussian_log_likelihood(x, mean, variance)
    return right + len(x) * log(2 * pi) / 2


@gaussian_log_likelihood.mistake(
    "The logarithm of the variance is missing. It differs between classes.",
    example=(([5.0, -1.0], [2.0, 1.0], [3.0, 0.5]), -log(2 * pi) - 11 / 2),
)
def _without_log_variance(x, mean, variance):
    right = gaussian_log_likelihood(x, mean, variance)
    return right + sum(map(log, variance)) / 2


@gaussian_log_likelihood.mistake(
    "The squared distance has to be divided by twice the variance.",
    example=(([5.0, -1.0], [2.0, 1.0], [3.0, 0.5]), -log(6 * pi**2) / 2 - 11),
)
def _not_halved(x, mean, variance):
    return sum(
        -log(2 * pi * v) / 2 - (a - m) ** 2 / v
        for a, m, v in _terms(x, mean, variance)
    )


@gaussian_log_likelihood.mistake(
    "The sign is that of the *negative* log-likelihood.",
    example=(
        ([5.0, -1.0], [2.0, 1.0], [3.0, 0.5]),
        log(6 * pi**2) / 2 + 11 / 2,
    ),
)
def _negative(x, mean, variance):
    return -gaussian_log_likelihood(x, mean, variance)


# -- add_rows -------------------------------------------------------------


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


_OLD = {("yes", 0, "curly"): 5, ("yes", 0, "straight"): 3, ("no", 1, "m"): 4}
_FEW = [("curly", "m"), ("straight", None), (None, "c"), ("curly", "m")]
_OF = ["yes", "no", "yes", "yes"]


@exercise(
    (_OLD, _FEW, _OF),
    (_OLD, _FEW, ["no"] * 4),
    ({}, _FEW, _OF),
    ({("a", 0, "x"): 20, ("a", 1, "x"): 7}, [("x", "x")] * 3, ["a"] * 3),
    (
        {("b", 0, "x"): 11, ("a", 2, "y"): 6},
        [("x", "y", None), ("x", "y", "y"), ("y", None, "y")],
        ["b", "a", "b"],
    ),
)
def add_rows(counts, rows, labels):
    """Return the counts of the old and the new rows together."""
    return _plus(counts, _known(rows, labels))


_THREE_MORE = (
    {("a", 0, "x"): 7, ("b", 1, "z"): 5},
    [("x", "z"), ("x", "z"), ("y", None)],
    ["a", "a", "b"],
)


@add_rows.mistake(
    "A missing value has been counted as if it were a state.",
    example=(
        _THREE_MORE,
        {
            ("a", 0, "x"): 9,
            ("b", 1, "z"): 5,
            ("a", 1, "z"): 2,
            ("b", 0, "y"): 1,
            ("b", 1, None): 1,
        },
    ),
)
def _missing_counted(counts, rows, labels):
    return _plus(counts, _keys(rows, labels))


@add_rows.mistake(
    "A row with a missing value still counts for its other columns.",
    example=(
        _THREE_MORE,
        {("a", 0, "x"): 9, ("b", 1, "z"): 5, ("a", 1, "z"): 2},
    ),
)
def _complete_only(counts, rows, labels):
    pairs = zip(rows, labels, strict=True)
    kept = [(row, label) for row, label in pairs if None not in row]
    return add_rows(counts, *map(list, zip(*kept, strict=True)))


@add_rows.mistake(
    "The old counts are lost: these are the counts of the new rows.",
    example=(
        _THREE_MORE,
        {("a", 0, "x"): 2, ("a", 1, "z"): 2, ("b", 0, "y"): 1},
    ),
)
def _new_only(counts, rows, labels):
    return add_rows({}, rows, labels)


@add_rows.mistake(
    "Where a key was there already, the new count has replaced the old one.",
    example=(
        _THREE_MORE,
        {
            ("a", 0, "x"): 2,
            ("b", 1, "z"): 5,
            ("a", 1, "z"): 2,
            ("b", 0, "y"): 1,
        },
    ),
)
def _replaced(counts, rows, labels):
    return counts | add_rows({}, rows, labels)


@add_rows.mistake(
    "A state that was not seen before needs an entry.",
    example=(
        _THREE_MORE,
        {("a", 0, "x"): 9, ("b", 1, "z"): 5},
    ),
)
def _only_known_keys(counts, rows, labels):
    keys = [key for key in _known(rows, labels) if key in counts]
    return _plus(counts, keys)


@add_rows.mistake(
    "A state that comes several times in the new rows counts each time.",
    example=(
        _THREE_MORE,
        {
            ("a", 0, "x"): 8,
            ("b", 1, "z"): 5,
            ("a", 1, "z"): 1,
            ("b", 0, "y"): 1,
        },
    ),
)
def _each_once(counts, rows, labels):
    return _plus(counts, set(_known(rows, labels)))


@add_rows.mistake(
    "The old counts came back unchanged.",
    example=(
        _THREE_MORE,
        {("a", 0, "x"): 7, ("b", 1, "z"): 5},
    ),
)
def _unchanged(counts, rows, labels):
    return dict(counts)


# -- merge_moments --------------------------------------------------------


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


@exercise(
    ((4, 3, 1), (1, 8, 0)),
    ((10, F(1, 2), F(3, 4)), (30, F(5, 2), F(1, 3))),
    ((7, -2, 5), (21, -2, 9)),
    ((3, F(1, 5), F(7, 5)), (6, F(3, 5), F(2, 7))),
    ((2, 100, F(1, 9)), (5, 90, F(5, 3))),
)
def merge_moments(first, second):
    """Return (N, mean, variance) of both lists together, with 1/N."""
    mean = _common_mean(first, second)
    return _merged(first, second, mean, _between(first, second))


@merge_moments.mistake(
    "The means have been averaged as if both lists were equally long.",
    example=(((2, 10, 4), (6, 6, 3)), (8, 8, F(25, 4))),
)
def _half_way(first, second):
    mean = F(first[1] + second[1]) / 2
    return _merged(first, second, mean, _between(first, second))


@merge_moments.mistake(
    "The variances have been averaged as if both lists were equally long.",
    example=(((2, 10, 4), (6, 6, 3)), (8, 7, F(13, 2))),
)
def _variances_averaged(first, second):
    n, mean, _ = merge_moments(first, second)
    between = _between(first, second)
    return n, mean, F(first[2] + second[2]) / 2 + between


@merge_moments.mistake(
    "The two means differ, and that adds to the variance.",
    example=(((2, 10, 4), (6, 6, 3)), (8, 7, F(13, 4))),
)
def _distance_forgotten(first, second):
    return _merged(first, second, _common_mean(first, second), 0)


@merge_moments.mistake(
    "Variances do not add up; weight them by the numbers of measurements.",
    example=(((2, 10, 4), (6, 6, 3)), (8, 7, 7)),
)
def _variances_added(first, second):
    n, mean, _ = merge_moments(first, second)
    return n, mean, F(first[2] + second[2])


@merge_moments.mistake(
    "The variance has been divided by one measurement too few.",
    example=(((2, 10, 4), (6, 6, 3)), (8, 7, F(50, 7))),
)
def _by_one_less(first, second):
    n, mean, variance = merge_moments(first, second)
    return n, mean, variance * n / (n - 1)


@merge_moments.mistake(
    "The distance of the means enters by its square.",
    example=(((2, 10, 4), (6, 6, 3)), (8, 7, 4)),
)
def _distance_not_squared(first, second):
    (n1, mean1, _), (n2, mean2, _) = first, second
    between = F(n1 * n2 * abs(mean1 - mean2)) / (n1 + n2) ** 2
    return _merged(first, second, _common_mean(first, second), between)


# -- binary_information ---------------------------------------------------


def _surprise(q):
    return -sum(part * log2(part) for part in (q, 1 - q) if part > 0)


def _mean(weights, values):
    return sum(w * v for w, v in zip(weights, values, strict=True))


@exercise(
    ([0.25, 0.75], [0.9, 0.2]),
    ([0.5, 0.5], [1.0, 0.3]),
    ([0.2, 0.3, 0.5], [0.05, 0.6, 0.35]),
    ([0.7, 0.3], [0.0, 0.15]),
    ([0.6, 0.4], [0.44, 0.44]),
    ([0.1, 0.2, 0.3, 0.4], [0.99, 0.8, 0.9, 1.0]),
)
def binary_information(pi, p):
    """Return I(x; y) in bits, from P[y = k] and P[x = 1 | y = k]."""
    return _surprise(_mean(pi, p)) - _mean(pi, map(_surprise, p))


@binary_information.mistake(
    "These are nats: bits need binary logarithms.",
    example=(([0.2, 0.8], [0.9, 0.3]), 0.1265839639),
)
def _nats(pi, p):
    return binary_information(pi, p) * log(2)


@binary_information.mistake(
    "Only the presence of the feature is counted; its absence tells something "
    "too.",
    example=(([0.2, 0.8], [0.75, 0.0]), 0.15 * log2(5)),
)
def _presence_only(pi, p):
    mean = _mean(pi, p)
    return sum(
        weight * q * log2(q / mean)
        for weight, q in zip(pi, p, strict=True)
        if q > 0
    )


@binary_information.mistake(
    "The overall probability of the feature is a mean weighted by the "
    "classes.",
    example=(([0.2, 0.8], [0.9, 0.3]), 0.1721187564),
)
def _plain_mean(pi, p):
    return _surprise(sum(p) / len(p)) - _mean(pi, map(_surprise, p))


@binary_information.mistake(
    "This is the entropy of the feature that is left when the class is known; "
    "subtract it from the entropy before.",
    example=(([0.2, 0.8], [0.9, 0.3]), 0.7988318381),
)
def _entropy_left(pi, p):
    return _mean(pi, map(_surprise, p))


@binary_information.mistake(
    "This is the entropy of the feature; what is left of it when the class is "
    "known has to be subtracted.",
    example=(([0.2, 0.8], [0.9, 0.3]), 0.9814538950),
)
def _entropy_before(pi, p):
    return _surprise(_mean(pi, p))


@binary_information.mistake(
    "The sign is reversed.",
    example=(([0.2, 0.8], [0.9, 0.3]), -0.1826220569),
)
def _reversed(pi, p):
    return -binary_information(pi, p)


@binary_information.mistake(
    "The entropies of the classes have to be weighted by their probabilities.",
    example=(([0.2, 0.8], [0.9, 0.3]), 0.3063106486),
)
def _unweighted_entropies(pi, p):
    return _surprise(_mean(pi, p)) - sum(map(_surprise, p)) / len(p)
