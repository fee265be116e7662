"""The coding exercises of the chapter *Hidden variables: EM*.

A latent class model is a list `weights`, the probability of each class, and
`theta[k][j]`, the probability of a 1 in column j within class k. A row is a
tuple of 0, 1 and None, which stands for a missing value.
"""

from fractions import Fraction as F
from math import exp, log, prod

from bayesbook.study.exercises.checker import exercise

_WEIGHTS = [F(1, 4), F(3, 4)]
_THETA = [[F(2, 3), F(1, 2), F(4, 5)], [F(1, 3), F(1, 5), F(3, 4)]]
_THREE = [F(1, 2), F(1, 3), F(1, 6)]
_THETA_3 = [
    [F(1, 2), F(1, 3)],
    [F(3, 4), F(1, 6)],
    [F(9, 10), F(4, 5)],
]

_PRIOR = [F(1, 3), F(2, 3)]
_TABLES = [[F(3, 4), F(1, 2), F(1, 5)], [F(1, 4), F(3, 5), F(2, 5)]]

# -- responsibilities -----------------------------------------------------


def _factor(value, p):
    """Use 1 for a missing value, whose states have probability 1 together."""
    if value is None:
        return 1
    return p if value else 1 - p


def _joints(row, weights, theta):
    return [
        w * prod(map(_factor, row, p))
        for w, p in zip(weights, theta, strict=True)
    ]


def _scaled(numbers):
    total = sum(numbers)
    return [number / total for number in numbers]


def _all_to_the_first(best, numbers):
    """Return 1 for the first among equals that are the best, 0 for others."""
    first = numbers.index(best(numbers))
    return [F(int(k == first)) for k in range(len(numbers))]


def _filled(row, value):
    return tuple(value if x is None else x for x in row)


@exercise(
    ((1, 1, 1), _WEIGHTS, _THETA),
    ((1, 0, 0), _WEIGHTS, _THETA),
    ((1, None, 0), _WEIGHTS, _THETA),
    ((None, None, 0), _WEIGHTS, _THETA),
    ((0, 1), _THREE, _THETA_3),
    ((None, 1), _THREE, _THETA_3),
    ((1, 0), _THREE, _THETA_3),
)
def responsibilities(row, weights, theta):
    """Return P(class | what is seen in the row), as a list."""
    return _scaled(_joints(row, weights, theta))


@responsibilities.mistake(
    "These are the joint probabilities of the class and the row. A posterior "
    "sums to one.",
    example=(((1, None, 0), _PRIOR, _TABLES), [F(1, 5), F(1, 10)]),
)
def _not_scaled(row, weights, theta):
    return _joints(row, weights, theta)


@responsibilities.mistake(
    "The classes are not equally probable before the row is seen.",
    example=(((1, None, 0), _PRIOR, _TABLES), [F(4, 5), F(1, 5)]),
)
def _equal_classes(row, weights, theta):
    return responsibilities(row, [F(1)] * len(weights), theta)


@responsibilities.mistake(
    "A missing value is not a zero.",
    example=(((1, None, 0), _PRIOR, _TABLES), [F(5, 7), F(2, 7)]),
)
def _missing_as_zero(row, weights, theta):
    return responsibilities(_filled(row, 0), weights, theta)


@responsibilities.mistake(
    "A missing value is not a one.",
    example=(((1, None, 0), _PRIOR, _TABLES), [F(5, 8), F(3, 8)]),
)
def _missing_as_one(row, weights, theta):
    return responsibilities(_filled(row, 1), weights, theta)


@responsibilities.mistake(
    "A zero that was seen tells something, too.",
    example=(((1, None, 0), _PRIOR, _TABLES), [F(3, 5), F(2, 5)]),
)
def _ones_only(row, weights, theta):
    return responsibilities([x or None for x in row], weights, theta)


@responsibilities.mistake(
    "Within a class the probabilities of the columns are multiplied, not "
    "added.",
    example=(((1, None, 0), _PRIOR, _TABLES), [F(31, 65), F(34, 65)]),
)
def _factors_added(row, weights, theta):
    seen = [j for j, value in enumerate(row) if value is not None]
    sums = [
        w * sum(_factor(row[j], p[j]) for j in seen)
        for w, p in zip(weights, theta, strict=True)
    ]
    return _scaled(sums)


@responsibilities.mistake(
    "This is hard: all goes to the most probable class. The posterior of the "
    "class is asked for.",
    example=(((1, None, 0), _PRIOR, _TABLES), [1, 0]),
)
def _most_probable(row, weights, theta):
    return _all_to_the_first(max, _joints(row, weights, theta))


# -- m_step ---------------------------------------------------------------


def _columns(matrix):
    return list(zip(*matrix, strict=True))


def _weighted_sum(weights, values):
    return sum(w * x for w, x in zip(weights, values, strict=True))


def _mean(weights, values):
    return _weighted_sum(weights, values) / sum(weights)


def _two_classes(p):
    return [p, 1 - p]


_Q = [_two_classes(F(*p)) for p in [(8, 9), (2, 3), (1, 9), (1, 4), (1, 3)]]
_Q_3 = [
    [F(1, 2), F(1, 3), F(1, 6)],
    [F(1, 5), F(3, 5), F(1, 5)],
    [F(1, 7), F(2, 7), F(4, 7)],
    [F(1), F(0), F(0)],
]
_BITS = [(1, 0, 1), (1, 1, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]
_BITS_3 = [(1, 0), (0, 1), (1, 1), (1, 0)]
_THREE_ROWS = [(1, 1), (1, 0), (0, 0)]
_THREE_Q = [_two_classes(F(*p)) for p in [(9, 10), (3, 5), (3, 10)]]


@exercise(
    (_BITS, _Q),
    (_BITS[:3], _Q[:3]),
    (_BITS_3, _Q_3),
    (_BITS_3, _Q_3[::-1]),
    (
        [(1,), (0,)],
        [_two_classes(F(3, 4)), _two_classes(F(2, 5))],
    ),
)
def m_step(rows, q):
    """Return the weights and tables that expected counting gives."""
    weights = [sum(shares) / len(rows) for shares in _columns(q)]
    theta = [
        [_mean(shares, x) for x in _columns(rows)] for shares in _columns(q)
    ]
    return weights, theta


@m_step.mistake(
    "The rows have been given to their most probable class. Each row is to be "
    "counted in all classes, with its probabilities.",
    example=(
        (_THREE_ROWS, _THREE_Q),
        ([F(2, 3), F(1, 3)], [[1, F(1, 2)], [0, 0]]),
    ),
)
def _hard_counts(rows, q):
    return m_step(rows, [_all_to_the_first(max, shares) for shares in q])


@m_step.mistake(
    "Within a class the shares are those of its own expected rows: divide by "
    "their expected number, not by the number of all rows.",
    example=(
        (_THREE_ROWS, _THREE_Q),
        ([F(3, 5), F(2, 5)], [[F(1, 2), F(3, 10)], [F(1, 6), F(1, 30)]]),
    ),
)
def _by_rows(rows, q):
    weights, sums = _sums(rows, q)
    n = len(rows)
    theta = [[total / n for total in totals] for totals in sums]
    return [w / n for w in weights], theta


@m_step.mistake(
    "These are expected counts. A maximum is reached by shares.",
    example=(
        (_THREE_ROWS, _THREE_Q),
        ([F(9, 5), F(6, 5)], [[F(3, 2), F(9, 10)], [F(1, 2), F(1, 10)]]),
    ),
)
def _sums(rows, q):
    weights = [sum(shares) for shares in _columns(q)]
    theta = [
        [_weighted_sum(shares, x) for x in _columns(rows)]
        for shares in _columns(q)
    ]
    return weights, theta


@m_step.mistake(
    "These are probabilities of the class given a 1. Within a class the sums "
    "are divided by its expected members.",
    example=(
        (_THREE_ROWS, _THREE_Q),
        ([F(3, 5), F(2, 5)], [[F(3, 4), F(9, 10)], [F(1, 4), F(1, 10)]]),
    ),
)
def _given_ones(rows, q):
    weights, sums = _sums(rows, q)
    ones = [sum(x) for x in _columns(rows)]
    theta = [
        [total / n for total, n in zip(totals, ones, strict=True)]
        for totals in sums
    ]
    return [w / len(rows) for w in weights], theta


@m_step.mistake(
    "All rows count the same here, whatever their class.",
    example=(
        (_THREE_ROWS, _THREE_Q),
        ([F(3, 5), F(2, 5)], [[F(2, 3), F(1, 3)], [F(2, 3), F(1, 3)]]),
    ),
)
def _classes_ignored(rows, q):
    weights, theta = m_step(rows, q)
    shares = [F(sum(x), len(rows)) for x in _columns(rows)]
    return weights, [shares] * len(theta)


@m_step.mistake(
    "The first index of theta is the class, the second the column.",
    example=(
        (_THREE_ROWS, _THREE_Q),
        ([F(3, 5), F(2, 5)], [[F(5, 6), F(5, 12)], [F(1, 2), F(1, 12)]]),
    ),
)
def _transposed(rows, q):
    weights, theta = m_step(rows, q)
    return weights, [list(column) for column in _columns(theta)]


@m_step.mistake(
    "The weights of the classes are learned, too: they need not be equal.",
    example=(
        (_THREE_ROWS, _THREE_Q),
        ([F(1, 2), F(1, 2)], [[F(5, 6), F(1, 2)], [F(5, 12), F(1, 12)]]),
    ),
)
def _equal_weights(rows, q):
    weights, theta = m_step(rows, q)
    return [F(1, len(weights))] * len(weights), theta


# -- hard_iteration -------------------------------------------------------


def _assigned(rows, weights, theta, best=max):
    """Assign each row to one class, the first among equals."""
    return [
        _all_to_the_first(best, _joints(row, weights, theta)) for row in rows
    ]


_VOTES = [(1, 1, 1), (1, 0, 1), (0, 0, 1), (0, 1, 0), (0, 0, 0), (1, 1, 0)]
_FIVE = [(1, 1), (1, 0), (1, 0), (0, 1), (0, 0)]
_QUARTERS = [F(1, 4), F(3, 4)]
_FIFTHS = [[F(4, 5), F(1, 2)], [F(2, 5), F(1, 4)]]
_ALIKE = [(1, 1), (1, 0), (0, 1), (0, 0), (0, 0)]


@exercise(
    (_VOTES, _WEIGHTS, _THETA),
    (_VOTES[:5], [F(2, 5), F(3, 5)], _THETA),
    ([*_BITS_3, (0, 0)], [F(3, 5), F(2, 5)], _THETA_3[::2]),
    (_ALIKE, [F(1, 2), F(1, 2)], [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]),
    (_ALIKE[:4], [F(1, 2)] * 2, [[F(3, 4)] * 2, [F(1, 4)] * 2]),
)
def hard_iteration(rows, weights, theta):
    """Return the weights and tables after one iteration of hard EM."""
    return m_step(rows, _assigned(rows, weights, theta))


@hard_iteration.mistake(
    "The weights of the classes are missing: a row goes to the class that is "
    "the most probable given the row.",
    example=(
        (_FIVE, _QUARTERS, _FIFTHS),
        ([F(3, 5), F(2, 5)], [[1, F(1, 3)], [0, F(1, 2)]]),
    ),
)
def _weights_ignored(rows, weights, theta):
    return hard_iteration(rows, [F(1)] * len(weights), theta)


@hard_iteration.mistake(
    "This is an iteration of EM itself: each row is counted in all classes. "
    "Here it goes to one.",
    example=(
        (
            [(1, 0), (1, 1), (0, 1)],
            _PRIOR,
            [[F(4, 5), F(1, 2)], [F(1, 4), F(1, 5)]],
        ),
        (
            [F(31, 60), F(29, 60)],
            [[F(26, 31), F(21, 31)], [F(14, 29), F(19, 29)]],
        ),
    ),
)
def _soft_counts(rows, weights, theta):
    q = [responsibilities(row, weights, theta) for row in rows]
    return m_step(rows, q)


@hard_iteration.mistake(
    "The rows go to the least probable class.",
    example=(
        (_FIVE, _QUARTERS, _FIFTHS),
        ([F(4, 5), F(1, 5)], [[F(1, 2), F(1, 4)], [1, 1]]),
    ),
)
def _least_probable(rows, weights, theta):
    return m_step(rows, _assigned(rows, weights, theta, min))


@hard_iteration.mistake(
    "Of classes that are equally probable the first is asked for.",
    example=(
        (
            [(1, 0), (1, 1), (0, 1), (0, 1)],
            _PRIOR,
            [[F(4, 5), F(1, 2)], [F(1, 4), F(1, 5)]],
        ),
        ([F(1, 4), F(3, 4)], [[1, 1], [F(1, 3), F(2, 3)]]),
    ),
)
def _last_of_equals(rows, weights, theta):
    q = _assigned(rows, weights[::-1], theta[::-1])
    return m_step(rows, [shares[::-1] for shares in q])


@hard_iteration.mistake(
    "The weights of the classes have to be learned, too.",
    example=(
        (_FIVE, _QUARTERS, _FIFTHS),
        ([F(1, 4), F(3, 4)], [[1, 1], [F(1, 2), F(1, 4)]]),
    ),
)
def _weights_kept(rows, weights, theta):
    return (weights, hard_iteration(rows, weights, theta)[1])


@hard_iteration.mistake(
    "Within a class the shares are those of its own rows: divide by their "
    "number, not by the number of all rows.",
    example=(
        (_FIVE, _QUARTERS, _FIFTHS),
        ([F(1, 5), F(4, 5)], [[F(1, 5), F(1, 5)], [F(2, 5), F(1, 5)]]),
    ),
)
def _divided_by_all_rows(rows, weights, theta):
    return _by_rows(rows, _assigned(rows, weights, theta))


# -- lower_bound ----------------------------------------------------------


def _each(joint, q):
    return [
        (p, share)
        for row, shares in zip(joint, q, strict=True)
        for p, share in zip(row, shares, strict=True)
        if share > 0
    ]


_JOINT = [[0.08, 0.02], [0.03, 0.12], [0.005, 0.02], [0.3, 0.1]]
_DISTRIBUTIONS = [[0.5, 0.5], [0.25, 0.75], [0.1, 0.9], [1.0, 0.0]]
_HALVINGS = [[1 / 4, 1 / 8, 1 / 8], [1 / 16, 1 / 8, 1 / 16]]
_UNLIKE = [[1 / 4, 1 / 4, 1 / 2], [1 / 2, 1 / 4, 1 / 4]]
_JOINT_3 = [[0.1, 0.2, 0.05], [0.01, 0.02, 0.03]]
_DISTRIBUTIONS_3 = [[0.2, 0.3, 0.5], [0.0, 0.4, 0.6]]


@exercise(
    (_JOINT, _DISTRIBUTIONS),
    (_JOINT[:3], _DISTRIBUTIONS[:3]),
    (_JOINT_3, _DISTRIBUTIONS_3),
    (_JOINT_3, _DISTRIBUTIONS_3[::-1]),
    ([[0.2, 0.3]], [[0.4, 0.6]]),
)
def lower_bound(joint, q):
    """Return F(q, theta) from the joint probabilities of each row."""
    return sum(share * log(p / share) for p, share in _each(joint, q))


@lower_bound.mistake(
    "This is the log-likelihood itself. The bound depends on q.",
    example=((_HALVINGS, _UNLIKE), -3 * log(2)),
)
def _true(joint, q):
    return sum(log(sum(row)) for row in joint)


@lower_bound.mistake(
    "This is Q, the expected log-likelihood of complete rows; the entropy of "
    "q is missing.",
    example=((_HALVINGS, _UNLIKE), -6.5 * log(2)),
)
def _expected(joint, q):
    return sum(share * log(p) for p, share in _each(joint, q))


@lower_bound.mistake(
    "The entropy of q has the wrong sign.",
    example=((_HALVINGS, _UNLIKE), -9.5 * log(2)),
)
def _wrong_sign(joint, q):
    return 2 * _expected(joint, q) - lower_bound(joint, q)


@lower_bound.mistake(
    "The logarithms are to be averaged with the weights q.",
    example=((_HALVINGS, _UNLIKE), -9 * log(2)),
)
def _unweighted(joint, q):
    return sum(log(p / share) for p, share in _each(joint, q))


@lower_bound.mistake(
    "This is the logarithm of the mean of a row's joint probabilities; the "
    "bound is the mean of logarithms.",
    example=((_HALVINGS, _UNLIKE), log(5 / 32) + log(5 / 64)),
)
def _jensen_too_late(joint, q):
    return sum(
        log(_weighted_sum(*pair)) for pair in zip(q, joint, strict=True)
    )


@lower_bound.mistake(
    "This is minus the divergence of q from the posterior: only the amount by "
    "which the bound falls short of the log-likelihood.",
    example=((_HALVINGS, _UNLIKE), -0.5 * log(2)),
)
def _divergence(joint, q):
    return lower_bound(joint, q) - _true(joint, q)


@lower_bound.mistake(
    "The rows are summed, not averaged.",
    example=((_HALVINGS, _UNLIKE), -1.75 * log(2)),
)
def _averaged(joint, q):
    return lower_bound(joint, q) / len(joint)


@lower_bound.mistake(
    "This bounds the log-likelihood: no exponential at the end.",
    example=((_HALVINGS, _UNLIKE), 2**-3.5),
)
def _exponential(joint, q):
    return exp(lower_bound(joint, q))


# -- expected_counts ------------------------------------------------------


def _completions(row, joint):
    """Return the cells that agree with what is seen in a row."""
    x, y = row
    return {
        cell: p
        for cell, p in joint.items()
        if x in (None, cell[0]) and y in (None, cell[1])
    }


def _add_up(rows, joint, share):
    found = dict.fromkeys(joint, 0)
    for row in rows:
        cells = _completions(row, joint)
        for cell in cells:
            found[cell] += share(cells, cell)
    return found


def _proportional(cells, cell):
    return cells[cell] / sum(cells.values())


_CELLS = {
    ("no", "no"): F(4, 10),
    ("no", "yes"): F(1, 10),
    ("yes", "no"): F(2, 10),
    ("yes", "yes"): F(3, 10),
}
_PAIRS = [
    ("no", "no"),
    ("yes", "yes"),
    ("yes", "no"),
    (None, "yes"),
    (None, "no"),
    ("yes", None),
    ("no", None),
]
_TWELFTHS = {
    ("a", "c"): F(1, 2),
    ("a", "d"): F(1, 6),
    ("b", "c"): F(1, 4),
    ("b", "d"): F(1, 12),
}
_INCOMPLETE = [("a", None), (None, "c"), ("b", "d")]
_CELLS_3 = {(a, b): F(1 + a + 3 * b, 21) for a in (0, 1, 2) for b in (0, 1)}
_PAIRS_3 = [(2, None), (None, 1), (None, 0), (0, 1), (None, None)]


@exercise(
    (_PAIRS, _CELLS),
    (_PAIRS[3:5] * 2, _CELLS),
    ([*_PAIRS, (None, None)], _CELLS),
    (_PAIRS_3, _CELLS_3),
    ([("yes", None)], _CELLS),
)
def expected_counts(rows, joint):
    """Return how often each pair is expected, given what is seen."""
    return _add_up(rows, joint, _proportional)


@expected_counts.mistake(
    "These are shares. Counts sum to the number of rows.",
    example=(
        (_INCOMPLETE, _TWELFTHS),
        {
            ("a", "c"): F(17, 36),
            ("a", "d"): F(1, 12),
            ("b", "c"): F(1, 9),
            ("b", "d"): F(1, 3),
        },
    ),
)
def _shares(rows, joint):
    return _add_up(
        rows, joint, lambda cells, cell: _proportional(cells, cell) / len(rows)
    )


@expected_counts.mistake(
    "Rows with a missing value have been dropped.",
    example=(
        (_INCOMPLETE, _TWELFTHS),
        {("a", "c"): 0, ("a", "d"): 0, ("b", "c"): 0, ("b", "d"): 1},
    ),
)
def _dropped(rows, joint):
    return expected_counts([row for row in rows if None not in row], joint)


@expected_counts.mistake(
    "A row with a missing value is one row: what it adds to the cells sums to "
    "one.",
    example=(
        (_INCOMPLETE, _TWELFTHS),
        {("a", "c"): 2, ("a", "d"): 1, ("b", "c"): 1, ("b", "d"): 1},
    ),
)
def _counted_in_each_cell(rows, joint):
    return _add_up(rows, joint, lambda cells, cell: 1)


@expected_counts.mistake(
    "The missing value is shared out evenly. Its distribution depends on what "
    "is seen in the row.",
    example=(
        (_INCOMPLETE, _TWELFTHS),
        {
            ("a", "c"): 1,
            ("a", "d"): F(1, 2),
            ("b", "c"): F(1, 2),
            ("b", "d"): 1,
        },
    ),
)
def _evenly(rows, joint):
    return _add_up(rows, joint, lambda cells, cell: F(1, len(cells)))


@expected_counts.mistake(
    "A row with a missing value adds its joint probabilities here; given what "
    "is seen in the row they have to sum to one.",
    example=(
        (_INCOMPLETE, _TWELFTHS),
        {
            ("a", "c"): 1,
            ("a", "d"): F(1, 6),
            ("b", "c"): F(1, 4),
            ("b", "d"): 1,
        },
    ),
)
def _not_conditioned(rows, joint):
    return _add_up(
        rows, joint, lambda cells, cell: cells[cell] if len(cells) > 1 else 1
    )


@expected_counts.mistake(
    "This puts the most probable state in place of the missing value, as hard "
    "EM does.",
    example=(
        (_INCOMPLETE, _TWELFTHS),
        {("a", "c"): 2, ("a", "d"): 0, ("b", "c"): 0, ("b", "d"): 1},
    ),
)
def _most_probable_state(rows, joint):
    return _add_up(
        rows, joint, lambda cells, cell: int(cell == max(cells, key=cells.get))
    )


@expected_counts.mistake(
    "A row of missing values is a row as well: it counts with the joint "
    "distribution itself.",
    example=(
        ([*_INCOMPLETE, (None, None)], _TWELFTHS),
        {
            ("a", "c"): F(17, 12),
            ("a", "d"): F(1, 4),
            ("b", "c"): F(1, 3),
            ("b", "d"): 1,
        },
    ),
)
def _without_empty(rows, joint):
    seen = [row for row in rows if row != (None, None)]
    return expected_counts(seen, joint)
