"""Naive Bayes as it is defined, with loops and exact fractions.

What the tests of the library compare it with. Nothing here is fast, and
nothing comes from the library.
"""

from fractions import Fraction
from math import inf, log

import numpy as np


def share(count, total, n_states, alpha, estimate="bayes"):
    """Estimate a probability from counts: the three formulas."""
    extra = {"mle": 0, "map": Fraction(alpha) - 1, "bayes": alpha}
    a = Fraction(extra[estimate])
    return (Fraction(count) + a) / (Fraction(total) + n_states * a)


def class_distribution(y, classes, alpha=1, estimate="bayes", weights=None):
    weights = [1] * len(y) if weights is None else weights
    counts = [
        sum(Fraction(w) for c, w in zip(y, weights, strict=True) if c == k)
        for k in classes
    ]
    total = sum(counts)
    return [
        share(count, total, len(classes), alpha, estimate) for count in counts
    ]


def state_distribution(
    column, y, k, states, alpha=1, estimate="bayes", weights=None
):
    """Estimate P(x = s | k); a value of None is missing, and not counted."""
    weights = [1] * len(y) if weights is None else weights
    counts = dict.fromkeys(states, Fraction(0))
    for s, c, w in zip(column, y, weights, strict=True):
        if c == k and s is not None:
            counts[s] += Fraction(w)
    total = sum(counts.values())
    return {
        s: share(count, total, len(states), alpha, estimate)
        for s, count in counts.items()
    }


def tables(rows, y, classes, states, alpha=1, estimate="bayes", **more):
    """Give the distribution of each column in each class: tables[k][m][s]."""
    columns = list(zip(*rows, strict=True))
    return [
        [
            state_distribution(x, y, k, own, alpha, estimate, **more)
            for x, own in zip(columns, states, strict=True)
        ]
        for k in classes
    ]


def joint(row, prior, distributions):
    """Give P(x, k) for each class, a factor after the other."""
    products = []
    for p, columns in zip(prior, distributions, strict=True):
        for s, distribution in zip(row, columns, strict=True):
            if s is not None:
                p *= distribution[s]
        products.append(p)
    return products


def posterior(row, prior, distributions):
    products = joint(row, prior, distributions)
    return [p / sum(products) for p in products]


def exact_log(p):
    """Give the logarithm of a fraction that may be smaller than any float."""
    if p == 0:
        return -inf
    p = Fraction(p)
    return log(p.numerator) - log(p.denominator)


def logs(products):
    return np.array([[exact_log(p) for p in row] for row in products])
