"""The coding exercises of the appendix *Markov chain Monte Carlo*."""

from fractions import Fraction as F
from itertools import combinations, pairwise
from math import sqrt
from statistics import fmean, pvariance, variance

from bayesbook.study.exercises.checker import exercise

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

# -- tempered -------------------------------------------------------------


def _draws(weights, first, moves, uniforms, rule, inside=None):
    """Return the states after each step of a walk on a list of weights."""
    within = inside or (lambda j: 0 <= j < len(weights))
    i, draws = first, []
    for move, u in zip(moves, uniforms, strict=True):
        j = i + move
        if within(j) and u < rule(weights[j], weights[i]):
            i = j
        draws.append(i)
    return draws


@exercise(
    (
        [1, 2, 2, 9, 9, 1, 1, 16],
        2,
        [1, 1, 1, -1, 1, 1],
        [0.5, 0.25, 0.3, 0.875, 0.7, 0.15],
        2,
    ),
    (
        [16, 1, 1, 2, 9, 1, 1, 1],
        4,
        [-1, -1, 1, 1, 1, -8],
        [0.45, 0.75, 0.5, 0.2, 0.9, 0.1],
        2,
    ),
    (
        [1, 16, 2, 2, 1, 1, 9],
        1,
        [1, 1, 1, 1, 1, 1, 1],
        [0.4, 0.5, 0.9, 0.6, 0.25, 0.3, 0.1],
        3,
    ),
    ([4, 1, 9], 0, [1, 2, -1, -1, 1], [0.375, 0.25, 0.5, 0.125, 0.75], 2),
    ([9, 4, 1], 2, [1, -1, -1, 1, 1], [0.1, 0.7, 0.9, 0.6, 0.45], 1),
    ([5, 4, 6, 1], 1, [-1, -1, 1, 2, 1], [0.7, 0.01, 0.75, 0.3, 0.2], 0.5),
)
def tempered(weights, first, moves, uniforms, temperature):
    """Return the states after each step at a temperature."""
    return _draws(
        weights,
        first,
        moves,
        uniforms,
        lambda new, old: (new / old) ** (1 / temperature),
    )


_WARM = ([16, 1, 9], 0, [1, 1, -1, 1, 1], [0.2, 0.5, 0.3, 0.9, 0.1], 2)


@tempered.mistake(
    "A rejected proposal repeats the state: something is added to the list "
    "in every step.",
    example=(_WARM, [1, 2, 1, 2]),
)
def _only_moves(weights, first, moves, uniforms, temperature):
    draws = tempered(weights, first, moves, uniforms, temperature)
    return [new for old, new in pairwise([first, *draws]) if old != new]


@tempered.mistake(
    "The exponent is one divided by the temperature.",
    example=(_WARM, [0, 0, 0, 0, 0]),
)
def _power_of_temperature(weights, first, moves, uniforms, temperature):
    return _draws(
        weights,
        first,
        moves,
        uniforms,
        lambda new, old: (new / old) ** temperature,
    )


@tempered.mistake(
    "The temperature is not used.", example=(_WARM, [0, 0, 0, 0, 0])
)
def _without_temperature(weights, first, moves, uniforms, temperature):
    return tempered(weights, first, moves, uniforms, 1)


@tempered.mistake(
    "The ratio of the weights is upside down: this prefers states with small "
    "ones.",
    example=(_WARM, [1, 1, 1, 1, 2]),
)
def _ratio_upside_down(weights, first, moves, uniforms, temperature):
    return tempered(
        [1 / weight for weight in weights], first, moves, uniforms, temperature
    )


@tempered.mistake(
    "This is turned round: accept if the uniform number is smaller.",
    example=(_WARM, [0, 1, 1, 1, 1]),
)
def _larger_uniform(weights, first, moves, uniforms, temperature):
    i, draws = first, []
    for move, u in zip(moves, uniforms, strict=True):
        j = i + move
        inside = 0 <= j < len(weights)
        if inside and u >= (weights[j] / weights[i]) ** (1 / temperature):
            i = j
        draws.append(i)
    return draws


@tempered.mistake(
    "A negative place is counted from the end of the list: a proposal "
    "outside the list has to be rejected.",
    example=(([4, 1, 4], 0, [-1, 1, 1], [0.5, 0.25, 0.5], 1), [2, 2, 2]),
)
def _counted_from_the_end(weights, first, moves, uniforms, temperature):
    k = len(weights)
    i, draws = first, []
    for move, u in zip(moves, uniforms, strict=True):
        j = i + move
        if j < k and u < (weights[j] / weights[i]) ** (1 / temperature):
            i = j % k
        draws.append(i)
    return draws


@tempered.mistake(
    "A more probable state is always accepted, but a less probable one has "
    "to be accepted sometimes.",
    example=(_WARM, [0, 0, 0, 0, 0]),
)
def _climbing(weights, first, moves, uniforms, temperature):
    return _draws(
        weights, first, moves, uniforms, lambda new, old: float(new >= old)
    )


@tempered.mistake(
    "The start is not a draw: begin with the state after the first step.",
    example=(_WARM, [0, 1, 2, 1, 2]),
)
def _start_included(weights, first, moves, uniforms, temperature):
    return [first, *tempered(weights, first, moves, uniforms, temperature)][
        :-1
    ]


# -- after ----------------------------------------------------------------


def _step(start, matrix):
    return [
        sum(p * row[j] for p, row in zip(start, matrix, strict=True))
        for j in range(len(start))
    ]


def _transposed(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


@exercise(
    ([F(1), F(0)], _WEATHER, 2),
    ([F(1, 3), F(2, 3)], _WEATHER, 3),
    ([F(1, 2), F(1, 2), F(0)], _CIRCLE, 4),
    ([F(1, 6), F(1, 3), F(1, 2)], _LINE, 1),
    ([F(1, 2), F(0), F(1, 2), F(0)], _TRAP, 3),
    ([F(1, 5), F(4, 5)], _WEATHER, 0),
)
def after(start, matrix, n):
    """Return the distribution of the state after n steps."""
    for _ in range(n):
        start = _step(start, matrix)
    return start


_THREE_STEPS = ([F(1, 4), F(3, 4)], _WEATHER, 3)


@after.mistake(
    "The distribution stands on the left of the matrix: go down the columns. "
    "Here the rows are averaged.",
    example=(_THREE_STEPS, [F(53, 128), F(27, 64)]),
)
def _rows_averaged(start, matrix, n):
    return after(start, _transposed(matrix), n)


@after.mistake(
    "This is one step, whatever n is.",
    example=(_THREE_STEPS, [F(9, 16), F(7, 16)]),
)
def _one_step(start, matrix, n):
    return _step(start, matrix)


@after.mistake(
    "This is one step too many.",
    example=(_THREE_STEPS, [F(681, 1024), F(343, 1024)]),
)
def _one_more(start, matrix, n):
    return after(start, matrix, n + 1)


@after.mistake(
    "This is one step too few.", example=(_THREE_STEPS, [F(41, 64), F(23, 64)])
)
def _one_less(start, matrix, n):
    return after(start, matrix, max(n - 1, 0))


@after.mistake(
    "A power of a matrix is not that of its entries.",
    example=(_THREE_STEPS, [F(51, 256), F(25, 256)]),
)
def _entrywise(start, matrix, n):
    return _step(start, [[p**n for p in row] for row in matrix])


@after.mistake(
    "This starts in the first state, whatever the distribution is.",
    example=(_THREE_STEPS, [F(43, 64), F(21, 64)]),
)
def _first_state(start, matrix, n):
    first = [F(1)] + [F(0)] * (len(start) - 1)
    return after(first, matrix, n)


# -- balanced -------------------------------------------------------------


def _flows(pi, matrix):
    return [[p * q for q in row] for p, row in zip(pi, matrix, strict=True)]


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


@exercise(
    ([F(2, 3), F(1, 3)], _WEATHER),
    ([F(1, 2), F(1, 2)], _WEATHER),
    ([F(1, 3)] * 3, _CIRCLE),
    ([F(1, 3)] * 3, _UNIFORM),
    ([F(1, 2), F(1, 4), F(1, 4)], _UNIFORM),
    ([F(2, 9), F(4, 9), F(1, 3)], _LINE),
    ([F(1, 4)] * 4, _CURRENT),
)
def balanced(pi, matrix):
    """Return whether pi and the matrix are in detailed balance."""
    flows = _flows(pi, matrix)
    return flows == _transposed(flows)


@balanced.mistake(
    "The distribution is not used: this checks whether the matrix is "
    "symmetric.",
    example=(
        ([F(1, 3), F(2, 3)], [[F(1, 4), F(3, 4)], [F(3, 4), F(1, 4)]]),
        True,
    ),
)
def _symmetric(pi, matrix):
    return matrix == _transposed(matrix)


@balanced.mistake(
    "This checks whether the distribution is stationary, which it can be with "
    "a current.",
    example=(
        (
            [F(2, 5), F(2, 5), F(1, 5)],
            [
                [F(1, 4), F(1, 2), F(1, 4)],
                [F(1, 4), F(1, 2), F(1, 4)],
                [F(1), F(0), F(0)],
            ],
        ),
        True,
    ),
)
def _stationary(pi, matrix):
    return _step(pi, matrix) == list(pi)


@balanced.mistake(
    "All pairs of states have to be compared, not only neighbours.",
    example=(
        (
            [F(1, 3), F(5, 12), F(1, 4)],
            [
                [F(1, 2), F(1, 4), F(1, 4)],
                [F(1, 5), F(2, 5), F(2, 5)],
                [F(0), F(2, 3), F(1, 3)],
            ],
        ),
        True,
    ),
)
def _neighbours(pi, matrix):
    flows = _flows(pi, matrix)
    return all(flows[i][j] == flows[j][i] for i, j in pairwise(range(len(pi))))


@balanced.mistake(
    "The answer is turned round.",
    example=(([F(1, 4), F(3, 4)], _WEATHER), True),
)
def _negated(pi, matrix):
    return not balanced(pi, matrix)


@balanced.mistake(
    "This multiplies the entry by the distribution of the state to which it "
    "leads.",
    example=(([F(1, 3), F(2, 3)], _WEATHER), True),
)
def _wrong_state(pi, matrix):
    return balanced(pi, _transposed(matrix))


@balanced.mistake(
    "One pair in balance is not enough.",
    example=(
        (
            [F(5, 12), F(1, 3), F(1, 4)],
            [
                [F(2, 5), F(2, 5), F(1, 5)],
                [F(1, 4), F(1, 2), F(1, 4)],
                [F(1, 3), F(2, 3), F(0)],
            ],
        ),
        True,
    ),
)
def _some_pair(pi, matrix):
    flows = _flows(pi, matrix)
    pairs = combinations(range(len(pi)), 2)
    return any(flows[i][j] == flows[j][i] for i, j in pairs)


# -- metropolis -----------------------------------------------------------


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


@exercise(
    ([1, 2, 3], _EVEN),
    ([5, 1, 4], _EVEN),
    ([1, 2, 3], _LEAN),
    ([4, 1, 2], _CIRCLE),
    ([3, 3, 3], _LEAN),
    ([1, 6, 2, 3], _TRAP),
)
def metropolis(weights, q):
    """Return the transition matrix for these weights and proposals."""
    return _matrix(q, _hastings(weights, q))


_TWO_STATES = ([4, 3], [[F(1, 4), F(3, 4)], [F(1, 2), F(1, 2)]])


@metropolis.mistake(
    "The ratio of the proposals is missing; it is 1 only if these are "
    "symmetric.",
    example=(_TWO_STATES, [[F(7, 16), F(9, 16)], [F(1, 2), F(1, 2)]]),
)
def _without_ratio(weights, q):
    return _matrix(q, lambda i, j: min(F(1), F(weights[j], weights[i])))


@metropolis.mistake(
    "The ratio of the proposals is upside down: the way back belongs above.",
    example=(_TWO_STATES, [[F(1, 4), F(3, 4)], [F(4, 9), F(5, 9)]]),
)
def _upside_down(weights, q):
    def accept(i, j):
        return min(F(1), F(weights[j]) * q[i][j] / (weights[i] * q[j][i]))

    return _matrix(q, accept)


@metropolis.mistake(
    "The rows do not sum to one: what is refused stays.",
    example=(_TWO_STATES, [[F(1, 4), F(3, 8)], [F(1, 2), F(1, 2)]]),
)
def _dropped(weights, q):
    accept = _hastings(weights, q)
    return [
        [p * accept(i, j) if p and i != j else p for j, p in enumerate(row)]
        for i, row in enumerate(q)
    ]


@metropolis.mistake(
    "What is refused stays where it is; here it is given to all, in "
    "proportion.",
    example=(_TWO_STATES, [[F(2, 5), F(3, 5)], [F(1, 2), F(1, 2)]]),
)
def _divided(weights, q):
    return [[p / sum(row) for p in row] for row in _dropped(weights, q)]


@metropolis.mistake(
    "Steps to a smaller weight are accepted too, now and then.",
    example=(
        (
            [2, 3, 2],
            [
                [F(1, 4), F(1, 4), F(1, 2)],
                [F(1, 3), F(1, 3), F(1, 3)],
                [F(1, 2), F(1, 4), F(1, 4)],
            ],
        ),
        [
            [F(1, 4), F(1, 4), F(1, 2)],
            [F(0), F(1), F(0)],
            [F(1, 2), F(1, 4), F(1, 4)],
        ],
    ),
)
def _uphill(weights, q):
    return _matrix(q, lambda i, j: F(weights[j] >= weights[i]))


@metropolis.mistake(
    "This is in balance, but it is Barker's rule, which refuses more than is "
    "needed.",
    example=(_TWO_STATES, [[F(3, 4), F(1, 4)], [F(1, 3), F(2, 3)]]),
)
def _barker(weights, q):
    def accept(i, j):
        there, back = weights[i] * q[i][j], weights[j] * q[j][i]
        return back / (there + back)

    return _matrix(q, accept)


@metropolis.mistake(
    "The ratio of the weights is upside down: this prefers states with small "
    "ones.",
    example=(_TWO_STATES, [[F(1, 3), F(2, 3)], [F(1, 2), F(1, 2)]]),
)
def _small_weights(weights, q):
    return metropolis([F(1, weight) for weight in weights], q)


# -- effective_size -------------------------------------------------------


@exercise(
    ([1, 0.5, 0.25, 0.125], 1000),
    ([1, 0.25], 500),
    ([1, -0.5, 0.25, -0.125], 1000),
    ([1], 300),
    ([1, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125], 4000),
    ([1, -0.25, 0.125, 0.0625], 64),
)
def effective_size(rho, n):
    """Return the effective sample size of n draws."""
    return n / (1 + 2 * sum(rho[1:]))


_FOUR_LAGS = ([1, 0.75, -0.25, 0.125], 900)


@effective_size.mistake(
    "Each lag counts twice: there are pairs in both directions.",
    example=(_FOUR_LAGS, 900 / 1.625),
)
def _each_once(rho, n):
    return n / (1 + sum(rho[1:]))


@effective_size.mistake(
    "The sum begins at lag 1.", example=(_FOUR_LAGS, 900 / 4.25)
)
def _lag_zero_too(rho, n):
    return n / (1 + 2 * sum(rho))


@effective_size.mistake(
    "This leaves out the 1 in front of the sum.", example=(_FOUR_LAGS, 720)
)
def _without_one(rho, n):
    return n / (2 * sum(rho[1:]))


@effective_size.mistake(
    "Negative correlations count with their sign.",
    example=(_FOUR_LAGS, 900 / 3.25),
)
def _absolute(rho, n):
    return n / (1 + 2 * sum(map(abs, rho[1:])))


@effective_size.mistake(
    "Only the first lag is looked at.", example=(_FOUR_LAGS, 360)
)
def _first_lag(rho, n):
    return n / (1 + 2 * sum(rho[1:2]))


@effective_size.mistake(
    "Positive correlation makes the effective size smaller: divide.",
    example=(_FOUR_LAGS, 2025),
)
def _multiplied(rho, n):
    return n * (1 + 2 * sum(rho[1:]))


@effective_size.mistake(
    "This is the share; multiply by n.", example=(_FOUR_LAGS, 4 / 9)
)
def _share(rho, n):
    return 1 / (1 + 2 * sum(rho[1:]))


# -- r_hat ----------------------------------------------------------------


def _halves(chains):
    n = len(chains[0]) // 2
    return [chain[:n] for chain in chains] + [chain[n:] for chain in chains]


def _ratio(parts, spread=variance):
    n = len(parts[0])
    within = fmean(map(spread, parts))
    between = spread(list(map(fmean, parts)))
    return (n - 1) / n + between / within


def _odd_and_even(chains):
    return [chain[::2] for chain in chains] + [chain[1::2] for chain in chains]


@exercise(
    ([[1.0, 2.5, 2.0, 3.0], [2.0, 4.0, 6.5, 5.0]],),
    ([[0.0, 1.0, 0.5, 2.0, 1.5, 3.0], [2.5, 1.0, 4.0, 0.5, 2.0, 1.5]],),
    ([[5, 1, 4, 2], [9, 7, 8, 6], [1, 0, 2, 4]],),
    ([[0.5, -1.0, 2.0, 0.0, 1.0, 4.0], [3.0, 2.5, -2.0, 1.0, 0.0, 0.5]],),
)
def r_hat(chains):
    """Return split R-hat, from the draws themselves."""
    return sqrt(_ratio(_halves(chains)))


_SIX_DRAWS = ([[0, 3, 6, 2, 6, 7], [4, 4, 7, 9, 8, 10]],)


@r_hat.mistake(
    "The chains have not been cut in two.", example=(_SIX_DRAWS, sqrt(31 / 21))
)
def _not_cut(chains):
    return sqrt(_ratio(chains))


@r_hat.mistake(
    "This is the ratio of the variances; the root is missing.",
    example=(_SIX_DRAWS, 29 / 15),
)
def _without_root(chains):
    return _ratio(_halves(chains))


@r_hat.mistake(
    "These variances divide by the number of values, not by one less.",
    example=(_SIX_DRAWS, sqrt(251 / 120)),
)
def _by_number(chains):
    return sqrt(_ratio(_halves(chains), pvariance))


@r_hat.mistake(
    "The variance within has to be multiplied by (n - 1)/n.",
    example=(_SIX_DRAWS, sqrt(34 / 15)),
)
def _without_shrinking(chains):
    parts = _halves(chains)
    within = fmean(map(variance, parts))
    return sqrt(1 + variance(list(map(fmean, parts))) / within)


@r_hat.mistake(
    "This takes every other draw; cut the chains in the middle.",
    example=(_SIX_DRAWS, sqrt(962 / 909)),
)
def _other_draws(chains):
    return sqrt(_ratio(_odd_and_even(chains)))


@r_hat.mistake(
    "The variance within is divided by itself: where is that between the "
    "halves?",
    example=(_SIX_DRAWS, sqrt(2 / 3)),
)
def _without_between(chains):
    return sqrt(1 - 1 / len(_halves(chains)[0]))
