"""The statistics against documents, and slopes against differences."""

import math
from collections import Counter

import numpy as np
import pytest
from dcm_truth import (
    BURSTY,
    tables,
)
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import (
    DCMCounts,
    dcm_gradient,
    dcm_log_prob,
    fit_dcm,
)
from bayesbook.conjugate.rising_powers import _curvature, _slope


def test_the_statistics_are_histograms():
    rng = np.random.default_rng(0)
    X = rng.poisson(0.7, (50, 6))
    counts = DCMCounts.from_counts(X)
    expected = Counter(
        (word, count) for row in X for word, count in enumerate(row) if count
    )
    pairs = zip(counts.words, counts.values, counts.weights, strict=True)
    assert [(w, v, n) for w, v, n in pairs] == [
        (*pair, expected[pair]) for pair in sorted(expected)
    ]
    lengths = dict(zip(counts.lengths, counts.length_weights, strict=True))
    assert lengths == Counter(X.sum(axis=1))
    assert repr(counts) == (
        f"DCMCounts(50 documents, 6 words, {len(expected)} pairs of a word "
        "and its count)"
    )


def same_statistics(a, b):
    for name in ("words", "values", "weights", "lengths", "length_weights"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
        assert getattr(a, name).dtype == getattr(b, name).dtype
    assert a.n_words == b.n_words


@given(tables, st.randoms(use_true_random=False))
def test_statistics_add_exactly_in_any_order(X, random):
    weights = np.array([random.randint(0, 3) for _ in X])
    order = random.sample(range(len(X)), k=len(X))
    cuts = sorted(random.choices(range(1, len(X) + 1), k=2))
    parts = [part for part in np.split(np.array(order), cuts) if len(part)]
    total, *others = (
        DCMCounts.from_counts(X[part], weights[part]) for part in parts
    )
    for other in others:
        total = total + other
    same_statistics(total, DCMCounts.from_counts(X, weights))
    same_statistics(
        total,
        DCMCounts.from_counts(np.repeat(X, weights, axis=0))
        if weights.any()
        else total,
    )


def test_statistics_are_as_good_as_documents():
    counts = DCMCounts.from_counts(BURSTY)
    alpha = [0.5, 1.5, 0.2]
    assert counts.log_likelihood(alpha) == pytest.approx(
        dcm_log_prob(BURSTY, alpha).sum(), rel=1e-13
    )
    np.testing.assert_array_equal(
        dcm_gradient(counts, alpha), dcm_gradient(BURSTY, alpha)
    )
    np.testing.assert_array_equal(fit_dcm(counts).alpha, fit_dcm(BURSTY).alpha)


def test_nothing_can_be_changed():
    counts, fit = DCMCounts.from_counts(BURSTY), fit_dcm(BURSTY)
    for array in (
        *(counts.words, counts.values, counts.weights),
        *(counts.lengths, counts.length_weights),
        *(fit.alpha, fit.gradient),
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        counts.n_words = 2
    with pytest.raises(AttributeError):
        fit.status = "maximum"


# Derivatives


@pytest.mark.parametrize("most", [3, 90, 4000])
@pytest.mark.parametrize("scale", [0.01, 1, 300, 1e4])
def test_derivatives_are_limits_of_differences(most, scale):
    rng = np.random.default_rng(most)
    X = rng.integers(0, most, (20, 4)) * rng.integers(0, 2, (20, 4))
    alpha = scale * np.array([0.5, 1, 2, 7])
    counts = DCMCounts.from_counts(X)
    q, z = counts._curvatures(alpha)
    gradient = dcm_gradient(X, alpha)
    for m, a in enumerate(alpha):
        step = 1e-4 * a * np.eye(4)[m]
        up, down = alpha + step, alpha - step
        rise = (dcm_log_prob(X, up) - dcm_log_prob(X, down)).sum()
        assert gradient[m] == pytest.approx(
            rise / (2 * step[m]), rel=1e-6, abs=1e-6 / a
        )
        bend = (dcm_gradient(X, up) - dcm_gradient(X, down)) / (2 * step[m])
        np.testing.assert_allclose(
            z - q * np.eye(4)[m],
            bend,
            rtol=1e-5,
            atol=1e-9 * np.abs(bend).max(),
        )


@pytest.mark.parametrize("a", [100, 123.4, 5e3, 1e9])
def test_the_series_of_long_documents(a):
    terms = 1 / (a + np.arange(3000))
    for n in (1, 5, 3000):
        slope = math.fsum(terms[:n])
        assert _slope(a, n) == pytest.approx(slope, rel=1e-13)
        curvature = math.fsum(terms[:n] ** 2)
        assert _curvature(a, n) == pytest.approx(curvature, rel=1e-12)


def test_the_slope_of_a_word_without_alpha():
    gradient = dcm_gradient([[1, 0], [2, 0]], [0, 2])
    np.testing.assert_allclose(gradient, [np.inf, -(1 / 2 + 1 / 2 + 1 / 3)])
    counts = DCMCounts.from_counts([[1, 0]])
    assert counts.log_likelihood([0, 2]) == -np.inf


def test_statistics_that_do_not_add():
    counts = DCMCounts.from_counts(BURSTY)
    with pytest.raises(ProbabilityError, match="of 3 words and of 2 do not"):
        counts + DCMCounts.from_counts([[1, 2]])
    with pytest.raises(TypeError):
        counts + 1
    with pytest.raises(ProbabilityError, match="contain their weights"):
        fit_dcm(counts, weights=[1])
