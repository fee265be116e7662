"""The coding exercises of the chapter *Hidden variables: EM*.

A latent class model is a list `weights`, the probability of each class, and
`theta[k][j]`, the probability of a 1 in column j within class k. A row is a
tuple of 0, 1 and None, which stands for a missing value.
"""

from fractions import Fraction as F
from math import exp, log, prod

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

_WEIGHTS = [F(1, 4), F(3, 4)]
_THETA = [[F(2, 3), F(1, 2), F(4, 5)], [F(1, 3), F(1, 5), F(3, 4)]]
_THREE = [F(1, 2), F(1, 3), F(1, 6)]
_THETA_3 = [
    [F(1, 2), F(1, 3)],
    [F(3, 4), F(1, 6)],
    [F(9, 10), F(4, 5)],
]

# -- responsibilities(row, weights, theta) ---------------------------------


def _factor(value, p):
    """Use 1 for a missing value, whose states have probability 1 together."""
    return 1 if value is None else p if value else 1 - p


def _joints(row, weights, theta):
    return [
        w * prod(map(_factor, row, p))
        for w, p in zip(weights, theta, strict=True)
    ]


def _scaled(numbers):
    total = sum(numbers)
    return [number / total for number in numbers]


def _responsibilities(row, weights, theta):
    return _scaled(_joints(row, weights, theta))


def _filled(row, value):
    return tuple(value if x is None else x for x in row)


def _ones_only(row, weights, theta):
    """Forget the factors of the zeros."""
    return _responsibilities([x or None for x in row], weights, theta)


def _half(row, weights, theta):
    sums = [
        w + sum(map(_factor, row, p))
        for w, p in zip(weights, theta, strict=True)
    ]
    return _scaled(sums)


def _most_probable(row, weights, theta):
    joints = _joints(row, weights, theta)
    best = joints.index(max(joints))
    return [F(int(k == best)) for k in range(len(joints))]


_ROWS = (
    ((1, 1, 1), _WEIGHTS, _THETA),
    ((1, 0, 0), _WEIGHTS, _THETA),
    ((1, None, 0), _WEIGHTS, _THETA),
    ((None, None, 0), _WEIGHTS, _THETA),
    ((0, 1), _THREE, _THETA_3),
    ((None, 1), _THREE, _THETA_3),
    ((1, 0), _THREE, _THETA_3),
)

responsibilities = Exercise(
    reference=_responsibilities,
    cases=_ROWS,
    mistakes={
        "These are the joint probabilities of the class and the row. A "
        "posterior sums to one.": _joints,
        "The classes are not equally probable before the row is seen.": (
            lambda row, weights, theta: _responsibilities(
                row, [F(1)] * len(weights), theta
            )
        ),
        "A missing value is not a zero.": lambda row, weights, theta: (
            _responsibilities(_filled(row, 0), weights, theta)
        ),
        "A missing value is not a one.": lambda row, weights, theta: (
            _responsibilities(_filled(row, 1), weights, theta)
        ),
        "A zero that was seen tells something, too.": _ones_only,
        "Within a class the probabilities of the columns are multiplied, not "
        "added.": _half,
        "This is hard: all goes to the most probable class. The posterior of "
        "the class is asked for.": _most_probable,
    },
)

# -- m_step(rows, q) -------------------------------------------------------


def _first(numbers, best=max):
    return numbers.index(best(numbers))


def _columns(matrix):
    return list(zip(*matrix, strict=True))


def _mean(weights, values):
    total = sum(w * x for w, x in zip(weights, values, strict=True))
    return total / sum(weights)


def _m_step(rows, q):
    weights = [sum(shares) / len(rows) for shares in _columns(q)]
    theta = [
        [_mean(shares, x) for x in _columns(rows)] for shares in _columns(q)
    ]
    return weights, theta


def _hardened(q):
    return [
        [F(int(k == _first(shares))) for k in range(len(shares))]
        for shares in q
    ]


def _sums(rows, q):
    theta = [
        [sum(map(prod, zip(shares, x, strict=True))) for x in _columns(rows)]
        for shares in _columns(q)
    ]
    return [sum(shares) for shares in _columns(q)], theta


def _by_rows(rows, q):
    """Divide by the number of rows instead of the expected number."""
    weights, sums = _sums(rows, q)
    n = len(rows)
    return [w / n for w in weights], [
        [s / n for s in shares] for shares in sums
    ]


def _given_ones(rows, q):
    """Divide by the ones of a column instead of the members of a class."""
    weights, sums = _sums(rows, q)
    ones = [sum(x) for x in _columns(rows)]
    theta = [
        [s / n for s, n in zip(shares, ones, strict=True)] for shares in sums
    ]
    return [w / len(rows) for w in weights], theta


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

m_step = Exercise(
    reference=_m_step,
    cases=(
        (_BITS, _Q),
        (_BITS[:3], _Q[:3]),
        (_BITS_3, _Q_3),
        (_BITS_3, _Q_3[::-1]),
        (
            [(1,), (0,)],
            [_two_classes(F(3, 4)), _two_classes(F(2, 5))],
        ),
    ),
    mistakes={
        "The rows have been given to their most probable class. Each row is "
        "to be counted in all classes, with its probabilities.": (
            lambda rows, q: _m_step(rows, _hardened(q))
        ),
        "Within a class the shares are those of its own expected rows: "
        "divide by their expected number, not by the number of all rows.": (
            _by_rows
        ),
        "These are expected counts. A maximum is reached by shares.": _sums,
        "These are probabilities of the class given a 1. Within a class the "
        "sums are divided by its expected members.": _given_ones,
        "All rows count the same here, whatever their class.": (
            lambda rows, q: (
                _m_step(rows, q)[0],
                [[F(sum(x), len(rows)) for x in _columns(rows)]] * len(q[0]),
            )
        ),
        "The first index of theta is the class, the second the column.": (
            lambda rows, q: (
                _m_step(rows, q)[0],
                list(map(list, _columns(_m_step(rows, q)[1]))),
            )
        ),
        "The weights of the classes are learned, too: they need not be "
        "equal.": lambda rows, q: (
            [F(1, len(q[0]))] * len(q[0]),
            _m_step(rows, q)[1],
        ),
    },
)

# -- hard_iteration(rows, weights, theta) ----------------------------------


def _assigned(rows, weights, theta, best=max):
    """Assign each row to one class, the first among equals."""
    q = []
    for row in rows:
        joints = _joints(row, weights, theta)
        chosen = _first(joints, best)
        q.append([F(int(k == chosen)) for k in range(len(joints))])
    return q


def _hard_iteration(rows, weights, theta):
    return _m_step(rows, _assigned(rows, weights, theta))


def _last_of_equals(rows, weights, theta):
    q = _assigned(rows, weights[::-1], theta[::-1])
    return _m_step(rows, [shares[::-1] for shares in q])


_VOTES = [(1, 1, 1), (1, 0, 1), (0, 0, 1), (0, 1, 0), (0, 0, 0), (1, 1, 0)]
_ALIKE = [(1, 1), (1, 0), (0, 1), (0, 0), (0, 0)]

hard_iteration = Exercise(
    reference=_hard_iteration,
    cases=(
        (_VOTES, _WEIGHTS, _THETA),
        (_VOTES[:5], [F(2, 5), F(3, 5)], _THETA),
        ([*_BITS_3, (0, 0)], [F(3, 5), F(2, 5)], _THETA_3[::2]),
        (_ALIKE, [F(1, 2), F(1, 2)], [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]),
        (_ALIKE[:4], [F(1, 2)] * 2, [[F(3, 4)] * 2, [F(1, 4)] * 2]),
    ),
    mistakes={
        "The weights of the classes are missing: a row goes to the class "
        "that is the most probable given the row.": (
            lambda rows, weights, theta: _hard_iteration(
                rows, [F(1)] * len(weights), theta
            )
        ),
        "This is an iteration of EM itself: each row is counted in all "
        "classes. Here it goes to one.": lambda rows, weights, theta: _m_step(
            rows, [_responsibilities(row, weights, theta) for row in rows]
        ),
        "The rows go to the least probable class.": (
            lambda rows, weights, theta: _m_step(
                rows, _assigned(rows, weights, theta, min)
            )
        ),
        "Of classes that are equally probable the first is asked for.": (
            _last_of_equals
        ),
        "The weights of the classes have to be learned, too.": (
            lambda rows, weights, theta: (
                weights,
                _hard_iteration(rows, weights, theta)[1],
            )
        ),
        "Within a class the shares are those of its own rows: divide by "
        "their number, not by the number of all rows.": (
            lambda rows, weights, theta: _by_rows(
                rows, _assigned(rows, weights, theta)
            )
        ),
    },
)

# -- lower_bound(joint, q) -------------------------------------------------


def _each(joint, q):
    return [
        (p, share)
        for row, shares in zip(joint, q, strict=True)
        for p, share in zip(row, shares, strict=True)
        if share > 0
    ]


def _lower_bound(joint, q):
    return sum(share * log(p / share) for p, share in _each(joint, q))


def _expected(joint, q):
    return sum(share * log(p) for p, share in _each(joint, q))


def _true(joint, q):
    return sum(log(sum(row)) for row in joint)


def _unweighted(joint, q):
    return sum(log(p / share) for p, share in _each(joint, q))


def _jensen_too_late(joint, q):
    return sum(
        log(sum(map(prod, zip(row, shares, strict=True))))
        for row, shares in zip(joint, q, strict=True)
    )


_JOINT = [[0.08, 0.02], [0.03, 0.12], [0.005, 0.02], [0.3, 0.1]]
_DISTRIBUTIONS = [[0.5, 0.5], [0.25, 0.75], [0.1, 0.9], [1.0, 0.0]]
_JOINT_3 = [[0.1, 0.2, 0.05], [0.01, 0.02, 0.03]]
_DISTRIBUTIONS_3 = [[0.2, 0.3, 0.5], [0.0, 0.4, 0.6]]

lower_bound = Exercise(
    reference=_lower_bound,
    cases=(
        (_JOINT, _DISTRIBUTIONS),
        (_JOINT[:3], _DISTRIBUTIONS[:3]),
        (_JOINT_3, _DISTRIBUTIONS_3),
        (_JOINT_3, _DISTRIBUTIONS_3[::-1]),
        ([[0.2, 0.3]], [[0.4, 0.6]]),
    ),
    mistakes={
        "This is the log-likelihood itself. The bound depends on q.": _true,
        "This is Q, the expected log-likelihood of complete rows; the entropy "
        "of q is missing.": _expected,
        "The entropy of q has the wrong sign.": lambda joint, q: (
            2 * _expected(joint, q) - _lower_bound(joint, q)
        ),
        "The logarithms are to be averaged with the weights q.": _unweighted,
        "This is the logarithm of a mean; the bound is the mean of "
        "logarithms.": _jensen_too_late,
        "This is minus the divergence of q from the posterior: only the "
        "amount by which the bound falls short of "
        "the log-likelihood.": lambda joint, q: (
            _lower_bound(joint, q) - _true(joint, q)
        ),
        "The rows are summed, not averaged.": lambda joint, q: (
            _lower_bound(joint, q) / len(joint)
        ),
        "This bounds the log-likelihood: no exponential at "
        "the end.": lambda joint, q: exp(_lower_bound(joint, q)),
    },
)

# -- expected_counts(rows, distribution) ----------------------------------


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


def _expected_counts(rows, joint):
    return _add_up(rows, joint, _proportional)


def _complete(row):
    return None not in row


def _without_empty(rows, joint):
    """Drop the rows in which nothing is seen."""
    return _expected_counts([r for r in rows if r != (None, None)], joint)


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
_CELLS_3 = {(a, b): F(1 + a + 3 * b, 21) for a in (0, 1, 2) for b in (0, 1)}
_PAIRS_3 = [(2, None), (None, 1), (None, 0), (0, 1), (None, None)]

expected_counts = Exercise(
    reference=_expected_counts,
    cases=(
        (_PAIRS, _CELLS),
        (_PAIRS[3:5] * 2, _CELLS),
        ([*_PAIRS, (None, None)], _CELLS),
        (_PAIRS_3, _CELLS_3),
        ([("yes", None)], _CELLS),
    ),
    mistakes={
        "These are shares. Counts sum to the number of rows.": (
            lambda rows, joint: _add_up(
                rows,
                joint,
                lambda cells, c: _proportional(cells, c) / len(rows),
            )
        ),
        "Rows with a missing value have been dropped.": lambda rows, joint: (
            _expected_counts([r for r in rows if _complete(r)], joint)
        ),
        "A row with a missing value is one row: what it adds to the cells "
        "sums to one.": lambda rows, joint: _add_up(
            rows, joint, lambda cells, c: 1
        ),
        "The missing value is shared out evenly. Its distribution depends on "
        "what is seen in the row.": lambda rows, joint: _add_up(
            rows, joint, lambda cells, c: F(1, len(cells))
        ),
        "These are joint probabilities; given what is seen in the row they "
        "have to sum to one.": lambda rows, joint: _add_up(
            rows,
            joint,
            lambda cells, c: cells[c] if len(cells) > 1 else 1,
        ),
        "This puts the most probable state in place of the missing value, as "
        "hard EM does.": (
            lambda rows, joint: _add_up(
                rows,
                joint,
                lambda cells, c: int(c == max(cells, key=cells.get)),
            )
        ),
        "A row of missing values is a row as well: it counts with the joint "
        "distribution itself.": (_without_empty),
    },
)

EXERCISES = {
    "responsibilities": responsibilities,
    "m_step": m_step,
    "hard_iteration": hard_iteration,
    "lower_bound": lower_bound,
    "expected_counts": expected_counts,
}
