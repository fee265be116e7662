"""Urns in exact fractions, and documents to try the DCM with."""

import warnings
from fractions import Fraction as F

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import special

from bayesbook.base import ConvergenceWarning
from bayesbook.conjugate import (
    fit_dcm,
)

shapes = st.tuples(st.integers(1, 8), st.integers(1, 5))
tables = arrays.arrays(int, shapes, elements=st.integers(0, 6))
BURSTY = np.array([[4, 0, 1], [0, 3, 0], [5, 1, 0], [0, 0, 2], [0, 0, 0]])


def urn_probability(colours, alpha):
    """Draw the colours from an urn that is really filled."""
    urn, probability = list(alpha), F(1)
    for colour in colours:
        probability *= urn[colour] / sum(urn)
        urn[colour] += 1
    return probability


def counted(colours, n_colours):
    return np.bincount(np.array(colours, int), minlength=n_colours)


def zipf_alpha(words, total):
    share = 1 / (np.arange(words) + 10)
    return total * share / share.sum()


def quietly(X, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit_dcm(X, **options)


def multinomial_log_likelihood(X):
    totals = np.sum(X, axis=0)
    return special.xlogy(totals, totals / totals.sum()).sum()
