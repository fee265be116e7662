"""Posteriors of concepts by enumeration: sets, and fractions added up."""

from fractions import Fraction as F

import numpy as np


def joint(concepts, prior, data):
    """Multiply prior and likelihood, one example at a time."""
    result = dict(prior)
    for x in data:
        for name, numbers in concepts.items():
            result[name] *= F(x in numbers, len(numbers))
    return result


def normalised(weights):
    whole = sum(weights.values())
    return {name: weight / whole for name, weight in weights.items()}


def next_example(concepts, posterior, x):
    return sum(
        p / len(concepts[h]) for h, p in posterior.items() if x in concepts[h]
    )


def close(found, expected):
    expected = [float(value) for value in expected]
    return np.allclose(found, expected, rtol=1e-12, atol=1e-15)
