"""The coding exercises of the appendix *Monte Carlo and Markov chains*."""

from fractions import Fraction as F
from itertools import pairwise
from math import sqrt
from statistics import fmean, pvariance, variance

from bayesbook.study.exercises.checker import Exercise

__all__ = ["EXERCISES"]

_WEATHER = [[F(3, 4), F(1, 4)], [F(1, 2), F(1, 2)]]
_CIRCLE = [
    [F(0), F(2, 3), F(1, 3)],
    [F(1, 3), F(0), F(2, 3)],
    [F(2, 3), F(1, 3), F(0)],
]
_LINE = [
    [F(1, 2), F(1, 2), F(0)],
    [F(1, 4), F(1, 2), F(1, 4)],
    [F(0), F(1, 3), F(2, 3)],
]
_TRAP = [
    [F(1, 5), F(3, 5), F(1, 5), F(0)],
    [F(0), F(1, 2), F(0), F(1, 2)],
    [F(1, 4), F(1, 4), F(1, 4), F(1, 4)],
    [F(0), F(0), F(0), F(1)],
]

# -- after(distribution, matrix, n) ---------------------------------------


def _step(start, matrix):
    return [
        sum(p * row[j] for p, row in zip(start, matrix, strict=True))
        for j in range(len(start))
    ]


def _after(start, matrix, n):
    for _ in range(n):
        start = _step(start, matrix)
    return start


def _transposed(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


def _entrywise(start, matrix, n):
    return _step(start, [[p**n for p in row] for row in matrix])


after = Exercise(
    reference=_after,
    cases=(
        ([F(1), F(0)], _WEATHER, 2),
        ([F(1, 3), F(2, 3)], _WEATHER, 3),
        ([F(1, 2), F(1, 2), F(0)], _CIRCLE, 4),
        ([F(1, 6), F(1, 3), F(1, 2)], _LINE, 1),
        ([F(1, 2), F(0), F(1, 2), F(0)], _TRAP, 3),
        ([F(1, 5), F(4, 5)], _WEATHER, 0),
    ),
    mistakes={
        "The distribution stands on the left of the matrix: go down the "
        "columns. Here the rows are averaged.": lambda start, matrix, n: (
            _after(start, _transposed(matrix), n)
        ),
        "This is one step, whatever n is.": lambda start, matrix, n: _step(
            start, matrix
        ),
        "This is one step too many.": lambda start, matrix, n: _after(
            start, matrix, n + 1
        ),
        "This is one step too few.": lambda start, matrix, n: _after(
            start, matrix, max(n - 1, 0)
        ),
        "A power of a matrix is not that of its entries.": _entrywise,
        "This starts in the first state, whatever the distribution is.": (
            lambda start, matrix, n: _after(
                [F(1), *[F(0)] * (len(start) - 1)], matrix, n
            )
        ),
    },
)

# -- balanced(distribution, matrix) ---------------------------------------


def _flows(pi, matrix):
    return [[p * q for q in row] for p, row in zip(pi, matrix, strict=True)]


def _balanced(pi, matrix):
    flows = _flows(pi, matrix)
    return flows == _transposed(flows)


def _neighbours(pi, matrix):
    flows = _flows(pi, matrix)
    return all(flows[i][j] == flows[j][i] for i, j in pairwise(range(len(pi))))


_CURRENT = [
    # In balance between neighbours on the line, but not across the end.
    [F(1, 4), F(1, 4), F(1, 4), F(1, 4)],
    [F(1, 4), F(1, 4), F(1, 4), F(1, 4)],
    [F(1, 2), F(1, 4), F(0), F(1, 4)],
    [F(1, 4), F(1, 4), F(1, 4), F(1, 4)],
]
_UNIFORM = [
    [F(1, 2), F(1, 4), F(1, 4)],
    [F(1, 4), F(3, 4), F(0)],
    [F(1, 4), F(0), F(3, 4)],
]

balanced = Exercise(
    reference=_balanced,
    cases=(
        ([F(2, 3), F(1, 3)], _WEATHER),
        ([F(1, 2), F(1, 2)], _WEATHER),
        ([F(1, 3)] * 3, _CIRCLE),
        ([F(1, 3)] * 3, _UNIFORM),
        ([F(1, 2), F(1, 4), F(1, 4)], _UNIFORM),
        ([F(2, 9), F(4, 9), F(1, 3)], _LINE),
        ([F(1, 4)] * 4, _CURRENT),
    ),
    mistakes={
        "The distribution is not used: this checks whether the matrix is "
        "symmetric.": lambda pi, matrix: matrix == _transposed(matrix),
        "This checks whether the distribution is stationary, which it can be "
        "with a current.": lambda pi, matrix: _step(pi, matrix) == list(pi),
        "All pairs of states have to be compared, not only neighbours.": (
            _neighbours
        ),
        "The answer is turned round.": lambda pi, matrix: (
            not _balanced(pi, matrix)
        ),
        "This multiplies the entry by the distribution of the state to which "
        "it "
        "leads.": lambda pi, matrix: _balanced(pi, _transposed(matrix)),
        "One pair in balance is not enough.": lambda pi, matrix: any(
            _flows(pi, matrix)[i][j] == _flows(pi, matrix)[j][i]
            for i in range(len(pi))
            for j in range(i)
        ),
    },
)

# -- metropolis(weights, q) ------------------------------------------------


def _matrix(q, accept):
    """Return the chain with these probabilities of acceptance."""
    rows = []
    for i, row in enumerate(q):
        moves = [
            p * accept(i, j) if j != i and p else F(0)
            for j, p in enumerate(row)
        ]
        moves[i] = 1 - sum(moves)
        rows.append(moves)
    return rows


def _hastings(weights, q):
    def accept(i, j):
        return min(F(1), F(weights[j]) * q[j][i] / (weights[i] * q[i][j]))

    return accept


def _metropolis(weights, q):
    return _matrix(q, _hastings(weights, q))


def _without_ratio(weights, q):
    return _matrix(q, lambda i, j: min(F(1), F(weights[j], weights[i])))


def _upside_down(weights, q):
    return _matrix(
        q,
        lambda i, j: (
            min(F(1), F(weights[j]) * q[i][j] / (weights[i] * q[j][i]))
            if q[j][i]
            else F(1)
        ),
    )


def _dropped(weights, q):
    accept = _hastings(weights, q)
    return [
        [p * accept(i, j) if p and i != j else p for j, p in enumerate(row)]
        for i, row in enumerate(q)
    ]


def _divided(weights, q):
    return [[p / sum(row) for p in row] for row in _dropped(weights, q)]


def _uphill(weights, q):
    return _matrix(q, lambda i, j: F(weights[j] >= weights[i]))


def _barker(weights, q):
    def accept(i, j):
        there, back = weights[i] * q[i][j], weights[j] * q[j][i]
        return back / (there + back)

    return _matrix(q, accept)


_LEAN = [
    [F(1, 3), F(2, 3), F(0)],
    [F(1, 3), F(0), F(2, 3)],
    [F(0), F(1, 3), F(2, 3)],
]
_EVEN = [
    [F(1, 2), F(1, 2), F(0)],
    [F(1, 2), F(0), F(1, 2)],
    [F(0), F(1, 2), F(1, 2)],
]

metropolis = Exercise(
    reference=_metropolis,
    cases=(
        ([1, 2, 3], _EVEN),
        ([5, 1, 4], _EVEN),
        ([1, 2, 3], _LEAN),
        ([4, 1, 2], _CIRCLE),
        ([3, 3, 3], _LEAN),
        ([1, 6, 2, 3], _TRAP),
    ),
    mistakes={
        "The ratio of the proposals is missing; it is 1 only if these are "
        "symmetric.": _without_ratio,
        "The ratio of the proposals is upside down: the way back belongs "
        "above.": _upside_down,
        "The rows do not sum to one: what is refused stays.": _dropped,
        "What is refused stays where it is; here it is given to all, in "
        "proportion.": _divided,
        "Steps to a smaller weight are accepted too, now and then.": _uphill,
        "This is in balance, but it is Barker's rule, which refuses more "
        "than is needed.": _barker,
        "The ratio of the weights is upside down: this prefers states with "
        "small ones.": lambda weights, q: _metropolis(
            [F(1, w) for w in weights], q
        ),
    },
)

# -- effective_size(rho, n) ------------------------------------------------


def _effective_size(rho, n):
    return n / (1 + 2 * sum(rho[1:]))


effective_size = Exercise(
    reference=_effective_size,
    cases=(
        ([1, 0.5, 0.25, 0.125], 1000),
        ([1, 0.25], 500),
        ([1, -0.5, 0.25, -0.125], 1000),
        ([1], 300),
        ([1, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125], 4000),
        ([1, -0.25, 0.125, 0.0625], 64),
    ),
    mistakes={
        "Each lag counts twice: there are pairs in both directions.": (
            lambda rho, n: n / (1 + sum(rho[1:]))
        ),
        "The sum begins at lag 1.": lambda rho, n: n / (1 + 2 * sum(rho)),
        "This leaves out the 1 in front of the sum.": lambda rho, n: (
            n / (2 * sum(rho[1:])) if rho[1:] else n
        ),
        "Negative correlations count with their sign.": lambda rho, n: (
            n / (1 + 2 * sum(map(abs, rho[1:])))
        ),
        "Only the first lag is looked at.": lambda rho, n: (
            n / (1 + 2 * sum(rho[1:2]))
        ),
        "Correlation makes the effective size "
        "smaller: divide.": lambda rho, n: n * (1 + 2 * sum(rho[1:])),
        "This is the share; multiply by n.": lambda rho, n: (
            1 / (1 + 2 * sum(rho[1:]))
        ),
    },
)

# -- r_hat(chains) ---------------------------------------------------------


def _halves(chains):
    n = len(chains[0]) // 2
    return [chain[:n] for chain in chains] + [chain[n:] for chain in chains]


def _ratio(parts, spread=variance):
    n = len(parts[0])
    within = fmean(map(spread, parts))
    between = spread(list(map(fmean, parts)))
    return (n - 1) / n + between / within


def _without_shrinking(chains):
    parts = _halves(chains)
    within = fmean(map(variance, parts))
    return sqrt(1 + variance(list(map(fmean, parts))) / within)


def _odd_and_even(chains):
    return [c[::2] for c in chains] + [c[1::2] for c in chains]


r_hat = Exercise(
    reference=lambda chains: sqrt(_ratio(_halves(chains))),
    cases=(
        ([[1.0, 2.5, 2.0, 3.0], [2.0, 4.0, 6.5, 5.0]],),
        ([[0.0, 1.0, 0.5, 2.0, 1.5, 3.0]],),
        ([[5, 1, 4, 2], [9, 7, 8, 6], [1, 0, 2, 4]],),
        ([[0.5, -1.0, 2.0, 0.0, 1.0, 4.0], [3.0, 2.5, -2.0, 1.0, 0.0, 0.5]],),
    ),
    mistakes={
        "The chains have not been cut in two.": lambda chains: (
            sqrt(_ratio(chains)) if chains[1:] else 1.0
        ),
        "This is the ratio of the variances; the root is missing.": (
            lambda chains: _ratio(_halves(chains))
        ),
        "These variances divide by the number of values, not by one less.": (
            lambda chains: sqrt(_ratio(_halves(chains), pvariance))
        ),
        "The variance within has to be multiplied by (n - 1)/n.": (
            _without_shrinking
        ),
        "This takes every other draw; cut the chains in the middle.": (
            lambda chains: sqrt(_ratio(_odd_and_even(chains)))
        ),
        "The variance within is divided by itself: where is that between "
        "the halves?": lambda chains: sqrt(1 - 1 / len(_halves(chains)[0])),
    },
)

#: The exercises of the chapter by name.
EXERCISES = {
    "after": after,
    "balanced": balanced,
    "metropolis": metropolis,
    "effective_size": effective_size,
    "r_hat": r_hat,
}
