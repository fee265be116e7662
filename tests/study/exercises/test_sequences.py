"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from itertools import pairwise, product

import numpy as np
from scipy import stats
from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by arrays, enumeration and precisions ------------------------


def mixture_step(times, weights, rates):
    x = np.array(times)
    joint = stats.expon.pdf(x[:, None], scale=1 / np.array(rates))
    joint = joint * np.array(weights)
    q = joint / joint.sum(axis=1, keepdims=True)
    means = x @ q / q.sum(axis=0)
    return q.mean(axis=0).tolist(), (1 / means).tolist()


def forward_missing(x, pi, A, B):
    """Add up all paths, and all symbols that may have been missed."""
    found, symbols = [F(0)] * len(pi), range(len(B[0]))
    choices = [symbols if each is None else [each] for each in x]
    for path in product(range(len(pi)), repeat=len(x)):
        for filled in product(*choices):
            p = pi[path[0]]
            for j, k in pairwise(path):
                p *= A[j][k]
            for k, symbol in zip(path, filled, strict=True):
                p *= B[k][symbol]
            found[path[-1]] += p
    return found


def best_path_to(x, last, pi, A, B):
    A, B = np.array(A), np.array(B)
    best, back = np.array(pi) * B[:, x[0]], []
    for symbol in x[1:]:
        ways = best[:, None] * A
        back.append(ways.argmax(axis=0))
        best = ways.max(axis=0) * B[:, symbol]
    path = [last]
    for pointer in back[::-1]:
        path.append(int(pointer[path[-1]]))
    return path[::-1], best[last]


def expected_moves(x, pi, A, B):
    A, seen = np.array(A), np.array(B)[:, x].T
    alpha, beta = [np.array(pi) * seen[0]], [np.full(len(pi), F(1))]
    for b in seen[1:]:
        alpha.append(alpha[-1] @ A * b)
    for b in seen[:0:-1]:
        beta.append(A @ (b * beta[-1]))
    beta = beta[::-1]
    pairs = [
        alpha[t][:, None] * A * (seen[t + 1] * beta[t + 1])
        for t in range(len(x) - 1)
    ]
    return (sum(pairs) / alpha[-1].sum()).tolist()


def kalman_step(m, v, x, V, S):
    """Add precisions, as for the posterior of a Gaussian mean."""
    before = 1 / (v + V)
    if x is None:
        return m, 1 / before
    after = before + 1 / S
    return (before * m + x / S) / after, 1 / after


EXERCISES = exercises_of("sequences")
test_another_solution_passes = solved_by("sequences", globals())
