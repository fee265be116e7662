"""Probability spaces as whole numbers that are added up."""

import math
from decimal import Decimal
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError

NAN, INF = float("nan"), float("inf")


def share(counts, event, whole=None):
    """Return the part of `whole` that is in `event`, by weight."""
    whole = set(counts) if whole is None else whole
    part = sum(counts[w] for w in counts if w in event and w in whole)
    return F(part, sum(counts[w] for w in counts if w in whole))


def subsets(items):
    """Return all subsets, one for each number from 0 to 2**n - 1."""
    items = list(items)
    return [
        {item for place, item in enumerate(items) if number >> place & 1}
        for number in range(2 ** len(items))
    ]


def multiply(counts, families, whole=None):
    """Return whether the product rule holds for each family of events."""
    return all(
        share(counts, set.intersection(*family), whole)
        == math.prod(share(counts, event, whole) for event in family)
        for family in families
    )


def mutual(counts, events, whole=None):
    numbers = [n for n in subsets(range(len(events))) if len(n) > 1]
    families = [[events[i] for i in family] for family in numbers]
    return multiply(counts, families, whole)


def pairwise(counts, events, whole=None):
    numbers = [n for n in subsets(range(len(events))) if len(n) == 2]
    families = [[events[i] for i in family] for family in numbers]
    return multiply(counts, families, whole)


@st.composite
def counted(draw, events=2):
    """Draw weights of up to six outcomes, some of them zero, and events."""
    weights = st.integers(0, 9)
    counts = draw(st.dictionaries(st.integers(0, 5), weights, min_size=1))
    counts[draw(st.integers(0, 5))] = draw(st.integers(1, 9))
    parts = st.sets(st.sampled_from(sorted(counts)))
    return counts, *(draw(parts) for _ in range(events))


@st.composite
def evidence(draw):
    """Draw integer weights of a prior, and likelihoods in hundredths."""
    names = draw(st.lists(st.sampled_from("abcde"), min_size=1, unique=True))
    weights = [draw(st.integers(1, 20)) for _ in names]
    hundredths = [draw(st.integers(1, 100)) for _ in names]
    total = sum(weights)
    prior = {h: F(n, total) for h, n in zip(names, weights, strict=True)}
    likelihood = {h: F(n, 100) for h, n in zip(names, hundredths, strict=True)}
    return prior, likelihood


NO_PROBABILITIES = [
    (F(-1, 2), "-1/2: negative"),
    (-0.25, "-0.25: negative"),
    ("-1/2", "-1/2: negative"),
    (NAN, "nan: not a finite number"),
    (INF, "inf: not a finite number"),
    (-INF, "-inf: not a finite number"),
    ("many", "'many': not a number"),
    ("nan", "'nan': not a number"),
    ("1/0", "'1/0': not a number"),
    (None, "None: not a number"),
    (1j, "1j: not a number"),
    ([1], "[1]: not a number"),
    # Python would make numbers of these.
    (True, "True: not a number"),
    (np.True_, "np.True_: not a number"),
    (b"1", "b'1': not a number"),
    (np.array([0.5]), "array([0.5]): not a number"),
    (bytearray(b"1"), "bytearray(b'1'): not a number"),
    ("1e9999999", "'1e9999999': too many digits"),
    (Decimal("1E-9999999"), "Decimal('1E-9999999'): too many digits"),
    pytest.param(
        "1" * 5000, "'111111111111...1111111111111': too many", id="long"
    ),
    (Decimal("Infinity"), "Decimal('Infinity'): not a number"),
]
TOO_LARGE = [
    ("3/2", "3/2: greater than 1"),
    (2, "2: greater than 1"),
    (1 + 2**-52, "1 + 2e-16: greater than 1"),
    (10**400, "1.000000000e+400: greater than 1"),
    pytest.param(10**5000, "1.000000000e+5000: greater than 1", id="huge"),
]


def told(call, *arguments, error=ProbabilityError, **named):
    """Return what the error of a call says."""
    with pytest.raises(error) as caught:
        call(*arguments, **named)
    return str(caught.value)
