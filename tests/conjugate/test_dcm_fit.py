"""The maximum of the likelihood, against another optimiser."""

import math
import re
import tracemalloc

import numpy as np
import pytest
from dcm_truth import (
    BURSTY,
    multinomial_log_likelihood,
    quietly,
    tables,
    zipf_alpha,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, special

from bayesbook.base import ConvergenceWarning, ProbabilityError
from bayesbook.conjugate import (
    DCMCounts,
    dcm_gradient,
    dcm_log_prob,
    fit_dcm,
    sample_dcm,
)


def climbed_by_scipy(X, starts=(0.1, 1, 100)):
    """Maximise over log alpha with the optimiser of scipy."""

    def depth(theta):
        return -dcm_log_prob(X, np.exp(theta)).sum()

    words = np.shape(X)[1]
    return max(
        (
            optimize.minimize(depth, np.full(words, np.log(s)), tol=1e-12)
            for s in starts
        ),
        key=lambda found: -found.fun,
    )


@pytest.mark.parametrize("seed", range(2))
def test_the_estimate_is_that_of_another_optimiser(seed):
    rng = np.random.default_rng(seed)
    X = sample_dcm([0.4, 1, 2.5], 40, trials=rng.integers(0, 30, 40), rng=rng)
    fit = fit_dcm(X)
    found = climbed_by_scipy(X)
    assert fit.log_likelihood == pytest.approx(-found.fun, abs=1e-7)
    assert fit.log_likelihood >= -found.fun - 1e-10
    np.testing.assert_allclose(fit.alpha, np.exp(found.x), rtol=1e-3)
    assert np.abs(fit.gradient).max() < 1e-6


def test_known_parameters_are_recovered():
    alpha = np.array([0.2, 0.5, 1, 3, 0.05])
    X = sample_dcm(alpha, 20_000, trials=60, rng=0)
    np.testing.assert_allclose(fit_dcm(X).alpha, alpha, rtol=0.03)


def test_both_methods_find_the_same_maximum():
    alpha = zipf_alpha(300, 30.0)
    lengths = np.random.default_rng(1).poisson(100, 200) + 1
    X = sample_dcm(alpha, len(lengths), trials=lengths, rng=2)
    newton, slow = fit_dcm(X), fit_dcm(X, method="fixed-point")
    assert newton.converged
    assert slow.converged
    assert newton.n_iterations < 8 < slow.n_iterations
    assert slow.log_likelihood == pytest.approx(
        newton.log_likelihood, abs=1e-6
    )
    np.testing.assert_allclose(slow.alpha, newton.alpha, rtol=1e-3)
    seen = X.any(axis=0)
    assert np.abs(newton.gradient[seen]).max() < 1e-6
    assert newton.log_likelihood > DCMCounts.from_counts(X).log_likelihood(
        alpha
    )


def test_a_fit_reports_how_it_was_found():
    fit = fit_dcm(BURSTY)
    assert fit.converged
    assert fit.n_iterations == len(fit.path) - 1 > 0
    assert fit.path[-1] == fit.log_likelihood
    assert fit.log_likelihood == pytest.approx(
        dcm_log_prob(BURSTY, fit.alpha).sum(), rel=1e-13
    )
    np.testing.assert_allclose(
        fit.gradient, dcm_gradient(BURSTY, fit.alpha), atol=1e-12
    )
    assert re.fullmatch(
        r"DCMFit\(3 words, sum of alpha \d\.\d+, log-likelihood -\d+\.\d+, "
        r"steps \d+, largest slope \de-\d+: maximum\)",
        repr(fit),
    )


@given(tables, st.sampled_from(["newton", "fixed-point"]))
@settings(max_examples=30)
def test_the_likelihood_never_falls(X, method):
    assume(X.any())
    fit = quietly(X, method=method, max_iterations=300)
    assert (np.diff(fit.path) >= 0).all()
    assert method == "fixed-point" or fit.status not in (
        "out of steps",
        "stalled",
    )
    # A bound of every distribution: the best probabilities for each document.
    rows = [row for row in X if row.any()]
    assert (
        fit.log_likelihood
        <= sum(map(multinomial_log_likelihood, [[r] for r in rows])) + 1e-9
    )


@given(tables)
@settings(max_examples=30)
def test_no_multiple_of_the_estimate_is_better(X):
    assume(X.any())
    fit = quietly(X)
    for factor in (1e-3, 0.5, 0.99, 1.01, 2, 1e3):
        other = dcm_log_prob(X, factor * fit.alpha).sum()
        assert other <= fit.log_likelihood + 1e-7


def test_weights_are_repetitions():
    weights = [2, 0, 1, 3, 1]
    weighted = fit_dcm(BURSTY, weights=weights)
    repeated = fit_dcm(np.repeat(BURSTY, weights, axis=0))
    np.testing.assert_array_equal(weighted.alpha, repeated.alpha)
    # The maximum does not depend on the scale of the weights.
    scaled = fit_dcm(BURSTY, weights=np.array(weights) / 7)
    np.testing.assert_allclose(scaled.alpha, repeated.alpha, rtol=1e-6)
    assert scaled.log_likelihood == pytest.approx(repeated.log_likelihood / 7)


def test_empty_documents_say_nothing():
    np.testing.assert_array_equal(
        fit_dcm(BURSTY).alpha, fit_dcm(BURSTY[:4]).alpha
    )


def test_words_that_never_occur_have_the_estimate_zero():
    X = np.insert(BURSTY, 1, 0, axis=1)
    fit = fit_dcm(X)
    assert fit.alpha[1] == 0
    np.testing.assert_array_equal(
        np.delete(fit.alpha, 1), fit_dcm(BURSTY).alpha
    )
    # It would be lower with any other.
    assert fit.gradient[1] < 0
    assert np.abs(np.delete(fit.gradient, 1)).max() < 1e-6
    assert dcm_log_prob([[1, 1, 0, 0]], fit.alpha) == -np.inf


def test_any_start_leads_to_the_same_place():
    expected = fit_dcm(BURSTY).alpha
    for start in ([1e-3] * 3, [50, 1, 1e-2], [1e4, 1e5, 1e3]):
        fit = fit_dcm(BURSTY, start=start)
        assert fit.path[0] == pytest.approx(
            dcm_log_prob(BURSTY, start).sum(), rel=1e-10
        )
        np.testing.assert_allclose(fit.alpha, expected, rtol=1e-5)


def test_a_place_where_the_likelihood_is_not_concave():
    """Newton's own step would lead down from there."""
    X = [[12, 0], [0, 12], [6, 6]]
    fit = fit_dcm(X, start=[300, 300])
    assert fit.converged
    assert fit.n_iterations < 30
    assert fit.log_likelihood == pytest.approx(
        -climbed_by_scipy(X).fun, abs=1e-8
    )


# Without a maximum


@pytest.mark.parametrize("method", ["newton", "fixed-point"])
@pytest.mark.parametrize(
    "X",
    [[[3, 2]], [[2, 2], [2, 2]], [[5, 3, 4], [6, 4, 2], [4, 4, 4], [1, 0, 0]]],
)
def test_counts_that_are_not_bursty(X, method):
    with pytest.warns(ConvergenceWarning, match="not burstier than indep"):
        fit = fit_dcm(X, method=method)
    assert fit.status == "multinomial limit"
    assert not fit.converged
    limit = multinomial_log_likelihood(X)
    assert limit - 1e-7 < fit.log_likelihood <= limit + 1e-12
    totals = np.sum(X, axis=0)
    np.testing.assert_allclose(
        fit.alpha / fit.alpha.sum(), totals / totals.sum()
    )
    assert (np.diff(fit.path) >= 0).all()


def test_almost_independent_words_keep_a_maximum():
    """The condition of Levin and Reeds (1977), on either side."""
    for X, is_bursty in (([[6, 4], [3, 7]], False), ([[8, 2], [2, 8]], True)):
        X = np.array(X)
        share, lengths = X.sum(axis=0) / X.sum(), X.sum(axis=1)
        excess = (X * (X - 1) / share).sum() - (lengths * (lengths - 1)).sum()
        assert (excess > 0) == is_bursty == quietly(X).converged


def test_a_long_document_does_not_hide_the_burstiness_of_short_ones():
    """The limit is a local maximum here, and far below another one."""
    X = np.array([[10**6, 10**6], *[[20, 0]] * 10])
    totals = X.sum(axis=0)
    lengths = X.sum(axis=1)
    excess = (X * (X - 1) / (totals / totals.sum())).sum() - (
        lengths * (lengths - 1.0)
    ).sum()
    assert excess < 0
    for start in (None, [1, 1000]):
        fit = fit_dcm(X, start=start)
        assert fit.converged
        assert fit.log_likelihood > multinomial_log_likelihood(X) + 50
    assert fit.path[0] < multinomial_log_likelihood(X)


@pytest.mark.parametrize(
    ("X", "share"),
    [
        ([[1, 0], [1, 0], [0, 1]], [2 / 3, 1 / 3]),
        ([[0, 3], [0, 2]], [0, 1]),
        ([[1, 0, 0]], [1, 0, 0]),
    ],
)
def test_documents_that_tell_the_mean_only(X, share):
    with pytest.warns(ConvergenceWarning, match="say nothing about the sum"):
        fit = fit_dcm(X)
    assert fit.status == "mean only"
    np.testing.assert_allclose(fit.alpha, share)
    assert fit.log_likelihood == pytest.approx(
        multinomial_log_likelihood(X), abs=1e-13
    )


def test_documents_of_one_word_repeated():
    X = [[5, 0], [0, 3], [0, 9]]
    with pytest.warns(ConvergenceWarning, match="repeats a single word"):
        fit = fit_dcm(X)
    assert fit.status == "one word per document"
    np.testing.assert_allclose(fit.alpha / fit.alpha.sum(), [1 / 3, 2 / 3])
    # Each document is as probable as its word is to be its first.
    limit = math.log(1 / 3) + 2 * math.log(2 / 3)
    assert limit - 1e-7 < fit.log_likelihood <= limit


def test_steps_that_do_not_suffice():
    with pytest.warns(
        ConvergenceWarning, match="allow more by `max_iterations`"
    ):
        fit = fit_dcm(BURSTY, max_iterations=1)
    assert (fit.status, fit.converged, fit.n_iterations) == (
        "out of steps",
        False,
        1,
    )
    with pytest.warns(ConvergenceWarning, match="`max_iterations`"):
        assert fit_dcm(BURSTY, max_iterations=0).n_iterations == 0


def test_steps_that_rounding_hides():
    rng = np.random.default_rng(3)
    X = sample_dcm(
        [30, 50, 30], 30, trials=rng.integers(100_000, size=30), rng=rng
    )
    with pytest.warns(ConvergenceWarning, match="steps became too short"):
        fit = fit_dcm(X, method="fixed-point", max_iterations=100_000)
    assert fit.status == "stalled"
    newton = fit_dcm(X)
    assert newton.converged
    assert fit.log_likelihood == pytest.approx(newton.log_likelihood, abs=1e-4)


def test_huge_counts_need_no_memory():
    X = [[10**12, 5], [1, 10**11], [7, 10**12], [10**12, 10**12]]
    tracemalloc.start()
    fit = fit_dcm(X)
    log = dcm_log_prob(X, fit.alpha)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e6
    assert fit.converged
    # One document after the other: its probability is a beta function.
    expected = [
        special.betaln(*(fit.alpha + row)) - special.betaln(*fit.alpha)
        for row in np.array(X[:1])
    ]
    np.testing.assert_allclose(log[:1], expected, rtol=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "newtn"}, "Did you mean 'newton'?"),
        ({"method": 3}, "methods are 'newton' and 'fixed-point'."),
        ({"tolerance": 0}, "The tolerance is 0; it must be greater than 0"),
        (
            {"max_iterations": -1},
            "The limit max_iterations is -1; it must be at least 0",
        ),
        ({"start": [1, 0, 1]}, "is 0 for the word of column 1, which occurs"),
        ({"weights": [1, 2]}, "There are 2 weights and 5 documents"),
        ({"weights": [1, 1, -1, 1, 1]}, "weights: -1 at position 2 is"),
        ({"weights": [0] * 5}, "empty, or have the weight 0"),
    ],
)
def test_estimates_that_cannot_be(options, message):
    with pytest.raises(ProbabilityError, match=re.escape(message)):
        fit_dcm(BURSTY, **options)


def test_there_must_be_a_word():
    with pytest.raises(ProbabilityError, match="there is nothing to estimate"):
        fit_dcm([[0, 0], [0, 0]])
