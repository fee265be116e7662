"""Entropy and its relatives against sums written out, and against scipy."""

import math
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.probability import (
    Table,
    cross_entropy,
    empirical_distribution,
    entropy,
    kl_divergence,
)


@st.composite
def pairs(draw):
    """Draw two distributions over the same states, with some zeros."""
    n = draw(st.integers(1, 6))
    distributions = []
    for _ in range(2):
        weights = st.lists(st.integers(0, 9), min_size=n, max_size=n)
        drawn = draw(weights.filter(any))
        distributions.append(np.array(drawn) / sum(drawn))
    return distributions


def surprise(p, q):
    """Add up −p log q, by the conventions."""
    total = 0.0
    for a, b in zip(p, q, strict=True):
        if a > 0:
            total += math.inf if b == 0 else -a * math.log(b)
    return total


@given(pairs())
def test_definitions(distributions):
    p, q = distributions
    assert entropy(p) == pytest.approx(surprise(p, p), abs=1e-12)
    assert entropy(p) == pytest.approx(stats.entropy(p), abs=1e-12)
    assert cross_entropy(p, q) == pytest.approx(surprise(p, q), abs=1e-12)
    assert kl_divergence(p, q) == pytest.approx(stats.entropy(p, q), abs=1e-12)


@given(pairs())
def test_cross_entropy_is_entropy_plus_divergence(distributions):
    p, q = distributions
    total = entropy(p) + kl_divergence(p, q)
    assert cross_entropy(p, q) == pytest.approx(total, abs=1e-12)


@given(pairs())
def test_gibbs_inequality(distributions):
    p, q = distributions
    assert kl_divergence(p, q) >= 0
    assert kl_divergence(p, p) == 0
    if np.abs(p - q).max() > 1e-3:
        assert kl_divergence(p, q) > 0


@given(pairs())
def test_a_bit_is_the_logarithm_of_two_nats(distributions):
    p, q = distributions
    for of in (
        lambda **unit: entropy(p, **unit),
        lambda **unit: cross_entropy(p, q, **unit),
        lambda **unit: kl_divergence(p, q, **unit),
    ):
        assert of(unit="bits") * math.log(2) == pytest.approx(of())
        assert of(unit="nats") == of()


def test_well_known_values():
    assert entropy([0.5, 0.5], unit="bits") == 1
    assert entropy(np.full((2, 4), 1 / 8), unit="bits") == pytest.approx(3)
    assert entropy([1, 0]) == 0
    assert math.copysign(1, cross_entropy([1, 0], [1, 0])) == 1
    assert kl_divergence([1, 0], [0.5, 0.5], unit="bits") == 1
    assert kl_divergence([0.5, 0.5], [1, 0]) == math.inf
    assert cross_entropy([0.5, 0.5], [1, 0]) == math.inf


def test_rounding_of_the_sum_is_no_error():
    low = [0.5, 0.5 - 1e-10]
    high = [0.5, 0.5 + 1e-10]
    assert entropy(low) == pytest.approx(math.log(2))
    assert entropy(high) == pytest.approx(math.log(2))
    # Without its bound the divergence would be -2e-10.
    assert kl_divergence(low, high) == 0


def test_tables_meet_by_name():
    p = Table([["1/2", "1/4"], [0, "1/4"]], {"X": (0, 1), "Y": ("a", "b")})
    q = Table(np.full((2, 2), 0.25), {"X": (0, 1), "Y": ("a", "b")})
    assert entropy(p, unit="bits") == 1.5
    for turned in (p, p.transpose("Y", "X")):
        assert kl_divergence(turned, q, unit="bits") == pytest.approx(0.5)
    skew = Table([[0.1, 0.2], [0.3, 0.4]], {"X": (0, 1), "Y": ("a", "b")})
    direct = kl_divergence(p.values.astype(float), skew.values)
    assert kl_divergence(p.transpose("Y", "X"), skew) == pytest.approx(direct)


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=30))
def test_empirical_distribution_counts(data):
    distribution = empirical_distribution(data, exact=True)
    assert distribution.states == {"X": tuple(sorted(set(data)))}
    for letter in set(data):
        assert distribution.P(X=letter) == F(data.count(letter), len(data))
    floats = empirical_distribution(data, states=[*"cabd"], name="letter")
    assert floats.states == {"letter": tuple("cabd")}
    for letter in "abcd":
        frequency = data.count(letter) / len(data)
        assert floats.P(letter=letter) == pytest.approx(frequency)


def test_empirical_distribution_of_a_column():
    distribution = empirical_distribution(pd.Series([2, 2, 1]), exact=True)
    assert distribution.P(X=2) == F(2, 3)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (lambda: entropy([0.5, 0.4]), "probabilities p sum to 0.9"),
        (lambda: entropy([0.5, 0.5 + 1e-8]), "probabilities p sum to 1.0000"),
        (lambda: entropy([1.5, -0.5]), "-0.5 at position 1 is negative"),
        (lambda: entropy(1.0), "sequence of numbers is needed"),
        (lambda: entropy([math.nan, 1]), "nan at position 0"),
        (lambda: entropy([]), "empty"),
        (lambda: entropy(["a"]), "not numbers"),
        (lambda: entropy([1.0], unit="bit"), "Did you mean 'bits'"),
        (lambda: entropy([1.0], unit=2), "unit is 2; it must be one of 'nats"),
        (
            lambda: cross_entropy([0.5, 0.5], [0.2, 0.2]),
            "probabilities q sum to 0.4",
        ),
        (
            lambda: kl_divergence([0.5, 0.5], [0.2, 0.3, 0.5]),
            r"p has the shape \(2,\) and q \(3,\)",
        ),
        (
            lambda: kl_divergence(
                Table([1], {"X": (0,)}), Table([1], {"Y": (0,)})
            ),
            "not over the same variables and states",
        ),
        (
            lambda: entropy(
                Table([[1], [1]], {"X": (0, 1), "Y": (0,)}, given="X")
            ),
            "conditioned on 'X'",
        ),
        (lambda: empirical_distribution([]), "empty"),
        (lambda: empirical_distribution(["a", None]), "no value"),
        (
            lambda: empirical_distribution(
                ["up", "dwn"], states=("up", "down")
            ),
            "Did you mean 'down'",
        ),
    ],
)
def test_bad_input(case, message):
    with pytest.raises(ProbabilityError, match=message):
        case()


@pytest.mark.parametrize("turned", [False, True])
def test_a_table_and_an_array_do_not_meet(turned):
    pair = [Table([1], {"X": (0,)}), [1]]
    with pytest.raises(TypeError, match="the other is not"):
        kl_divergence(*(reversed(pair) if turned else pair))


def test_a_data_frame_is_no_column():
    frame = pd.DataFrame({"face": ["a", "b"], "n": [1, 2]})
    with pytest.raises(ProbabilityError, match="'face', 'n': give one col"):
        empirical_distribution(frame)
