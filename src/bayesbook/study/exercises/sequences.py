"""The coding exercises of the chapter *Mixtures and sequences*.

States and symbols are numbers from zero. `pi[k]` is the probability that the
first state is k, `A[j][k]` that of a transition from j to k, and `B[k][x]`
that of the symbol x in state k. A missing observation is None.
"""

from fractions import Fraction as F
from itertools import pairwise, product
from math import exp

from bayesbook.study.exercises.checker import exercise

_PI = [F(1, 2), F(1, 2)]
_A = [[F(3, 4), F(1, 4)], [F(1, 2), F(1, 2)]]
_B = [[F(3, 4), F(1, 4)], [F(1, 3), F(2, 3)]]
_PI_3 = [F(1, 2), F(1, 3), F(1, 6)]
_A_3 = [
    [F(1, 2), F(1, 4), F(1, 4)],
    [F(0), F(2, 3), F(1, 3)],
    [F(1, 5), F(1, 5), F(3, 5)],
]
_B_3 = [[F(2, 3), F(1, 3)], [F(1, 4), F(3, 4)], [F(1, 2), F(1, 2)]]

# -- mixture_step ---------------------------------------------------------


def _shares(times, weights, rates):
    joint = [
        [w * r * exp(-r * x) for w, r in zip(weights, rates, strict=True)]
        for x in times
    ]
    return [[p / sum(row) for p in row] for row in joint]


@exercise(
    ([1.0, 2.0, 5.0], [0.5, 0.5], [1.0, 0.25]),
    ([0.5, 0.5, 3.0, 8.0], [0.25, 0.75], [2.0, 0.5]),
    ([1.0, 4.0, 9.0], [0.2, 0.3, 0.5], [1.0, 0.5, 0.1]),
)
def mixture_step(times, weights, rates):
    """Return weights and rates after an iteration for exponentials."""
    q = _shares(times, weights, rates)
    sizes = [sum(column) for column in zip(*q, strict=True)]
    sums = [
        sum(p * x for p, x in zip(column, times, strict=True))
        for column in zip(*q, strict=True)
    ]
    return (
        [n / len(times) for n in sizes],
        [n / s for n, s in zip(sizes, sums, strict=True)],
    )


@mixture_step.mistake(
    "These are the weighted means. The rate of an exponential distribution "
    "is one divided by its mean.",
    example=(([2.0, 4.0], [0.5, 0.5], [1.0, 1.0]), ([0.5, 0.5], [3.0, 3.0])),
)
def _means(times, weights, rates):
    sizes, found = mixture_step(times, weights, rates)
    return sizes, [1 / rate for rate in found]


@mixture_step.mistake(
    "The weights are shares of all the observations: divide by their number.",
    example=(
        ([2.0, 4.0], [0.5, 0.5], [1.0, 1.0]),
        ([1.0, 1.0], [1 / 3, 1 / 3]),
    ),
)
def _sizes(times, weights, rates):
    shares, found = mixture_step(times, weights, rates)
    return [len(times) * share for share in shares], found


@mixture_step.mistake(
    "The components are not equally probable before the time is seen: use "
    "the weights in the E step.",
    example=(
        ([2.0, 4.0], [0.25, 0.75], [1.0, 1.0]),
        ([0.5, 0.5], [1 / 3, 1 / 3]),
    ),
)
def _equal_weights(times, weights, rates):
    return mixture_step(times, [1 / len(weights)] * len(weights), rates)


# -- forward_missing ------------------------------------------------------


def _factors(x, B):
    return [F(1) if x is None else row[x] for row in B]


def _messages(xs, pi, A, B):
    alpha = [p * b for p, b in zip(pi, _factors(xs[0], B), strict=True)]
    for x in xs[1:]:
        arrived = [
            sum(a * row[k] for a, row in zip(alpha, A, strict=True))
            for k in range(len(pi))
        ]
        seen = _factors(x, B)
        alpha = [m * b for m, b in zip(arrived, seen, strict=True)]
    return alpha


@exercise(
    ([0], _PI, _A, _B),
    ([0, 1], _PI, _A, _B),
    ([0, None, 1], _PI, _A, _B),
    ([None, 1, 1, None], _PI, _A, _B),
    ([1, None, None, 0], _PI_3, _A_3, _B_3),
)
def forward_missing(x, pi, A, B):
    """Return the last forward message, where observations may be missing."""
    return _messages(x, pi, A, B)


@forward_missing.mistake(
    "A missing observation is skipped, but the state changes all the same: "
    "the transition must not be left out.",
    example=(([0, None], _PI, _A, _B), [F(3, 8), F(1, 6)]),
)
def _no_transition(x, pi, A, B):
    seen = [each for each in x if each is not None]
    return _messages(seen, pi, A, B)


@forward_missing.mistake(
    "These are posterior probabilities of the last state. The message is the "
    "joint probability with the observations.",
    example=(([0, 1], [F(1), F(0)], _A, _B), [F(9, 17), F(8, 17)]),
)
def _normalised(x, pi, A, B):
    alpha = _messages(x, pi, A, B)
    return [p / sum(alpha) for p in alpha]


@forward_missing.mistake(
    "The sum runs over the state before: add `alpha[j] * A[j][k]` over j.",
    example=(([None, None], [F(1), F(0)], _A, _B), [F(3, 4), F(1, 2)]),
)
def _transposed(x, pi, A, B):
    turned = [list(column) for column in zip(*A, strict=True)]
    return _messages(x, pi, turned, B)


# -- best_path_to ---------------------------------------------------------


def _joint(path, xs, pi, A, B):
    p = pi[path[0]] * B[path[0]][xs[0]]
    steps = zip(path[:-1], path[1:], xs[1:], strict=True)
    for j, k, x in steps:
        p = p * A[j][k] * B[k][x]
    return p


def _paths(xs, pi):
    return product(range(len(pi)), repeat=len(xs))


def _best(paths, xs, pi, A, B):
    path = max(paths, key=lambda z: _joint(z, xs, pi, A, B))
    return list(path), _joint(path, xs, pi, A, B)


@exercise(
    ([0, 1], 0, _PI, _A, _B),
    ([0, 1, 1], 0, _PI, _A, _B),
    ([0, 1, 0], 1, _PI, _A, _B),
    ([1, 1, 0, 0], 1, [F(1, 5), F(4, 5)], _A, _B),
    ([0, 1, 1, 0, 0], 1, _PI_3, _A_3, _B_3),
    ([1, 0, 1, 1, 0], 0, _PI_3, _A_3, _B_3),
)
def best_path_to(x, last, pi, A, B):
    """Return the best path that ends in `last`, and P(x, path)."""
    fit = (z for z in _paths(x, pi) if z[-1] == last)
    return _best(fit, x, pi, A, B)


@best_path_to.mistake(
    "This is the best of all paths; it has to end in the state `last`.",
    example=(([0, 0], 1, _PI, _A, _B), ([0, 0], F(27, 128))),
)
def _free_end(x, last, pi, A, B):
    return _best(_paths(x, pi), x, pi, A, B)


@best_path_to.mistake(
    "Going on from the best state of each step is not enough: a way that is "
    "behind now may be ahead later. Keep the best way to every state.",
    example=(
        ([0, 1], 0, [F(9, 20), F(11, 20)], _A, [_B[0], _B[0]]),
        ([1, 0], F(33, 640)),
    ),
)
def _greedy(x, last, pi, A, B):
    path = []
    for t, symbol in enumerate(x):
        before = pi if t == 0 else A[path[-1]]
        scores = [p * row[symbol] for p, row in zip(before, B, strict=True)]
        path.append(scores.index(max(scores)))
    path[-1] = last
    return path, _joint(path, x, pi, A, B)


# -- expected_moves -------------------------------------------------------


def _posterior(xs, pi, A, B):
    whole = {z: _joint(z, xs, pi, A, B) for z in _paths(xs, pi)}
    total = sum(whole.values())
    return {z: p / total for z, p in whole.items()}


def _moves(posterior, K):
    found = [[F(0)] * K for _ in range(K)]
    for path, p in posterior.items():
        for j, k in pairwise(path):
            found[j][k] += p
    return found


@exercise(
    ([0, 1], _PI, _A, _B),
    ([0, 1, 1], _PI, _A, _B),
    ([1, 0, 0, 1], _PI, _A, _B),
    ([0, 1, 1, 0], _PI_3, _A_3, _B_3),
)
def expected_moves(x, pi, A, B):
    """Return how often each transition is expected, given the symbols."""
    return _moves(_posterior(x, pi, A, B), len(pi))


@expected_moves.mistake(
    "These are the joint probabilities with the observations. Divide by the "
    "probability of the observations.",
    example=(
        ([0, 0], [F(1), F(0)], _A, _B),
        [[F(27, 64), F(1, 16)], [F(0), F(0)]],
    ),
)
def _not_divided(x, pi, A, B):
    whole = {z: _joint(z, x, pi, A, B) for z in _paths(x, pi)}
    return _moves(whole, len(pi))


@expected_moves.mistake(
    "These are already the new transition probabilities: the counts are what "
    "they were before each row is divided by its sum.",
    example=(
        ([0, 0, 0], [F(1), F(0)], [[F(1), F(0)], [F(1, 2), F(1, 2)]], _B),
        [[F(1), F(0)], [F(0), F(0)]],
    ),
)
def _divided(x, pi, A, B):
    rows = expected_moves(x, pi, A, B)
    return [[n / sum(row) if sum(row) else n for n in row] for row in rows]


@expected_moves.mistake(
    "These are the products of the posteriors of two neighbouring states. "
    "Given the observations, neighbouring states are not independent.",
    example=(
        ([0, 0], _PI, [[F(1), F(0)], [F(0), F(1)]], [[F(1, 2)] * 2] * 2),
        [[F(1, 4), F(1, 4)], [F(1, 4), F(1, 4)]],
    ),
)
def _independent(x, pi, A, B):
    posterior, K = _posterior(x, pi, A, B), len(pi)
    q = [
        [sum(p for z, p in posterior.items() if z[t] == k) for k in range(K)]
        for t in range(len(x))
    ]
    return [
        [
            sum(q[t][j] * q[t + 1][k] for t in range(len(x) - 1))
            for k in range(K)
        ]
        for j in range(K)
    ]


# -- kalman_step ----------------------------------------------------------


@exercise(
    (F(10), F(4), F(14), F(2), F(6)),
    (F(0), F(1), F(3), F(1), F(2)),
    (F(5), F(2), None, F(3), F(1)),
    (F(-2), F(1, 2), F(1), F(0), F(3, 2)),
)
def kalman_step(m, v, x, V, S):
    """Return mean and variance after a prediction and, if any, an update."""
    v = v + V
    if x is None:
        return m, v
    gain = v / (v + S)
    return m + gain * (x - m), (1 - gain) * v


@kalman_step.mistake(
    "The prediction is missing: the variance of the step comes first.",
    example=((F(0), F(1), F(2), F(1), F(1)), (F(1), F(1, 2))),
)
def _no_prediction(m, v, x, V, S):
    return kalman_step(m, v, x, F(0), S)


@kalman_step.mistake(
    "The weights are exchanged: a measurement with much noise moves the mean "
    "a little.",
    example=((F(0), F(1), F(3), F(1), F(1)), (F(1), F(2, 3))),
)
def _exchanged(m, v, x, V, S):
    if x is None:
        return kalman_step(m, v, x, V, S)
    _, after = kalman_step(m, v, x, V, S)
    rest = S / (v + V + S)
    return m + rest * (x - m), after


@kalman_step.mistake(
    "Without a measurement nothing is updated, but the state has changed: "
    "its variance has grown.",
    example=((F(5), F(2), None, F(3), F(1)), (F(5), F(2))),
)
def _unchanged(m, v, x, V, S):
    return (m, v) if x is None else kalman_step(m, v, x, V, S)
