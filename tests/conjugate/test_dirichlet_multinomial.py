"""The DCM against urns in exact fractions, scipy's distribution, and its optimiser."""

import itertools
import math
import re
import tracemalloc
import warnings
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import optimize, sparse, special, stats
from sklearn.exceptions import ConvergenceWarning

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import (
    DCMCounts,
    dcm_gradient,
    dcm_log_prob,
    fit_dcm,
    polya_urn,
    sample_dcm,
)
from bayesbook.conjugate.dirichlet_multinomial import _curvature, _slope

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


# The distribution


@given(st.lists(st.integers(0, 3), max_size=12))
def test_log_prob_is_the_distribution_of_an_urn(colours):
    alpha = [F(1, 2), F(3), F(1, 7), F(20)]
    expected = math.log(urn_probability(colours, alpha))
    log = dcm_log_prob([counted(colours, 4)], [float(a) for a in alpha])
    np.testing.assert_allclose(log, [expected], rtol=1e-12, atol=1e-13)


def test_the_probabilities_of_all_documents_sum_to_one():
    alpha = [0.3, 2.0, 0.05]
    documents = list(itertools.product(range(3), repeat=5))
    X = [counted(document, 3) for document in documents]
    assert np.exp(dcm_log_prob(X, alpha)).sum() == pytest.approx(1, rel=1e-13)
    of_counts = np.exp(
        dcm_log_prob(np.unique(X, axis=0), alpha, coefficient=True)
    )
    assert of_counts.sum() == pytest.approx(1, rel=1e-13)


@given(tables, st.integers(0, 99))
def test_the_distribution_of_the_counts_is_scipys(X, seed):
    alpha = np.random.default_rng(seed).gamma(0.5, 10, X.shape[1]) + 1e-3
    lengths = X.sum(axis=1)
    expected = stats.dirichlet_multinomial.logpmf(X, alpha, lengths)
    log = dcm_log_prob(X, alpha, coefficient=True)
    np.testing.assert_allclose(log, expected, rtol=1e-9, atol=1e-10)


def test_a_large_sum_of_alpha_is_the_multinomial():
    share = np.array([0.5, 0.3, 0.2])
    log = dcm_log_prob(BURSTY, 1e15 * share)
    np.testing.assert_allclose(log, BURSTY @ np.log(share), rtol=1e-12)


def test_empty_documents_and_words_without_alpha():
    log = dcm_log_prob([[0, 0], [1, 0], [2, 1]], [1, 0])
    np.testing.assert_array_equal(log, [0, 0, -np.inf])


@pytest.mark.parametrize(
    "form",
    [
        sparse.csr_matrix,
        sparse.csr_array,
        sparse.csc_array,
        sparse.coo_array,
        sparse.lil_array,
        pd.DataFrame,
        lambda X: X.astype(np.int8),
        lambda X: X.astype(float),
        lambda X: X.astype(object),
        lambda X: X.tolist(),
    ],
)
def test_every_form_of_the_counts_gives_the_same(form):
    alpha = [0.5, 1.5, 0.2]
    expected = [
        math.log(
            urn_probability(np.repeat(range(3), row), [F(a) for a in alpha])
        )
        for row in BURSTY
    ]
    np.testing.assert_allclose(
        dcm_log_prob(form(BURSTY), alpha), expected, rtol=1e-12, atol=1e-15
    )
    fit = fit_dcm(form(BURSTY))
    np.testing.assert_allclose(fit.alpha, fit_dcm(BURSTY).alpha)


def test_presence_may_be_given_as_truth_values():
    log = dcm_log_prob(np.array([[True, False, True]]), [1, 1, 1])
    assert log == pytest.approx([math.log(1 / 12)])


@pytest.mark.parametrize("kind", [np.int8, float])
def test_cells_in_several_parts_add_up_and_are_left_alone(kind):
    cells = np.array([100, 100, 0], kind), np.array([0, 0, 1]), [0, 3]
    X = sparse.csr_array(cells, shape=(1, 2))
    np.testing.assert_allclose(
        dcm_log_prob(X, [2, 1]), dcm_log_prob([[200, 0]], [2, 1])
    )
    assert DCMCounts.from_counts(X).values.tolist() == [200]
    assert X.data.tolist() == [100, 100, 0]


# Statistics


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
    order = random.sample(range(len(X)), rng=len(X))
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


# The estimate


def climbed_by_scipy(X, starts=(0.1, 1, 100)):
    """Maximise over log alpha with the other implementation of the distribution."""

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
    X = sample_dcm([0.4, 1, 2.5], rng.integers(0, 30, 40), rng=rng)
    fit = fit_dcm(X)
    found = climbed_by_scipy(X)
    assert fit.log_likelihood == pytest.approx(-found.fun, abs=1e-7)
    assert fit.log_likelihood >= -found.fun - 1e-10
    np.testing.assert_allclose(fit.alpha, np.exp(found.x), rtol=1e-3)
    assert np.abs(fit.gradient).max() < 1e-6


def test_known_parameters_are_recovered():
    alpha = np.array([0.2, 0.5, 1, 3, 0.05])
    X = sample_dcm(alpha, [60] * 20_000, rng=0)
    np.testing.assert_allclose(fit_dcm(X).alpha, alpha, rtol=0.03)


def test_both_methods_find_the_same_maximum():
    alpha = zipf_alpha(300, 30.0)
    lengths = np.random.default_rng(1).poisson(100, 200) + 1
    X = sample_dcm(alpha, lengths, rng=2)
    newton, slow = fit_dcm(X), fit_dcm(X, method="fixed-point")
    assert newton.converged
    assert slow.converged
    assert newton.n_iter < 8 < slow.n_iter
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
    assert fit.n_iter == len(fit.path) - 1 > 0
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
    fit = quietly(X, method=method, max_iter=300)
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
    assert fit.n_iter < 30
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
    with pytest.warns(ConvergenceWarning, match="allow more by `max_iter`"):
        fit = fit_dcm(BURSTY, max_iterations=1)
    assert (fit.status, fit.converged, fit.n_iter) == (
        "out of steps",
        False,
        1,
    )
    with pytest.warns(ConvergenceWarning, match="`max_iter`"):
        assert fit_dcm(BURSTY, max_iterations=0).n_iter == 0


def test_steps_that_rounding_hides():
    rng = np.random.default_rng(3)
    X = sample_dcm([30, 50, 30], rng.integers(100_000, size=30), rng=rng)
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


# Urns


def chi_square_p_value(observed, expected):
    return stats.chisquare(observed, expected).pvalue


def test_the_urn_has_the_distribution_of_the_words_in_order():
    alpha = [F(1, 2), F(2)]
    drawn = polya_urn([0.5, 2], 4, rng=0, documents=20_000)
    documents = list(itertools.product(range(2), repeat=4))
    probabilities = [urn_probability(each, alpha) for each in documents]
    assert sum(probabilities) == 1
    seen = Counter(map(tuple, drawn.tolist()))
    expected = [20_000 * float(p) for p in probabilities]
    observed = [seen[each] for each in documents]
    assert chi_square_p_value(observed, expected) > 0.01
    X = [counted(each, 2) for each in documents]
    np.testing.assert_allclose(
        np.exp(dcm_log_prob(X, [0.5, 2])), np.array(probabilities, float)
    )


def test_documents_have_the_distribution_of_the_counts():
    alpha = [0.5, 1.0, 0.1]
    X = sample_dcm(alpha, [3] * 20_000, rng=1)
    each, observed = np.unique(X, axis=0, return_counts=True)
    assert len(each) == math.comb(5, 2)
    p = stats.dirichlet_multinomial.pmf(each, alpha, 3)
    assert chi_square_p_value(observed, 20_000 * p) > 0.01


def test_samples_have_the_lengths_and_the_words_asked_for():
    X = sample_dcm([0, 2, 1e-300, 1e-5], [5, 0, 10**12], rng=0)
    assert X.shape == (3, 4)
    assert X.dtype.kind == "i"
    np.testing.assert_array_equal(X.sum(axis=1), [5, 0, 10**12])
    assert not X[:, 0].any()
    # All parameters tiny: one word a document.
    tiny = sample_dcm([1e-300] * 3, [7] * 20, rng=0)
    np.testing.assert_array_equal(tiny.max(axis=1), 7)
    drawn = polya_urn([0, 1, 2], 50, rng=0, documents=3)
    assert drawn.shape == (3, 50)
    assert drawn.min() >= 1
    assert polya_urn([1, 1], 0, rng=0, documents=2).shape == (2, 0)


def test_a_seed_is_as_good_as_its_generator():
    for draw in (
        lambda rng: sample_dcm([1, 2], [5, 6], rng=rng),
        lambda rng: polya_urn([1, 2], 5, rng=rng),
    ):
        np.testing.assert_array_equal(draw(3), draw(np.random.default_rng(3)))


# Messages


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1, 2], "shape (2,); a table with a row for each observation"),
        (np.array([1, 2]), "shape (2,); a table with a row for each document"),
        (sparse.coo_array([1, 2]), "shape (2,); a table with a row"),
        ([[1, np.nan]], "nan at row 0, column 1 is not a finite number"),
        (np.array([[1, np.nan]]), "nan at row 0, column 1 is not a finite"),
        (np.array([[np.inf, 0]]), "inf at row 0, column 0 is not a finite"),
        ([[1, 0], [0, -2]], "-2 at row 1, column 1 is negative"),
        ([[0.5, 1]], "0.5 at row 0, column 0 is not a whole number"),
        ([[1e17, 1]], "1e+17 at row 0, column 0 is greater than 2⁵³"),
        (sparse.csr_array([[0, 0], [0, -1]]), "-1 at row 1, column 1 is neg"),
        (sparse.csr_array([[0, 1j]]), "of the type complex128"),
        (np.zeros((0, 2)), "(0, 2): there are no documents"),
        (np.zeros((2, 0)), "(2, 0): there are no words"),
        (sparse.csr_array((2, 0)), "(2, 0): there are no words"),
        ([["a", 1]], "not numbers: 'a' at row 0, column 0"),
        ([[1, 2], [3]], "The counts are not numbers: setting an array"),
        (pd.DataFrame({"ball": [1], "bat": [-3]}), "row 0, column 'bat' is"),
        (np.ma.masked_array([[1, 2]], [[0, 1]]), "column 1 is masked"),
    ],
)
def test_counts_that_are_none(X, message):
    for ask in (lambda: dcm_log_prob(X, [1, 1]), lambda: fit_dcm(X)):
        with pytest.raises(ProbabilityError, match=re.escape(message)):
            ask()


@pytest.mark.parametrize(
    ("alpha", "message"),
    [
        ([1, 1], "There are 2 parameters alpha and 3 words: give one for"),
        ([1, -1, 1], "alpha: -1 at position 1 is negative"),
        ([0, 0, 0], "The parameters alpha are all 0"),
        ([1, np.nan, 1], "nan at position 1 is not a finite number"),
        ([[1, 1, 1]], "The parameters alpha have the shape (1, 3)"),
    ],
)
def test_parameters_that_are_none(alpha, message):
    for ask in (
        lambda: dcm_log_prob(BURSTY, alpha),
        lambda: dcm_gradient(BURSTY, alpha),
        lambda: DCMCounts.from_counts(BURSTY).log_likelihood(alpha),
        lambda: fit_dcm(BURSTY, start=alpha),
    ):
        with pytest.raises(ProbabilityError, match=re.escape(message)):
            ask()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "newtn"}, "Did you mean 'newton'?"),
        ({"method": 3}, "methods are 'newton' and 'fixed-point'."),
        ({"tol": 0}, "The tolerance is 0; it must be greater than 0"),
        ({"max_iter": -1}, "The limit max_iter is -1; it must be at least 0"),
        ({"start": [1, 0, 1]}, "is 0 for the word of column 1, which occurs"),
        ({"sample_weight": [1, 2]}, "There are 2 weights and 5 documents"),
        ({"sample_weight": [1, 1, -1, 1, 1]}, "weights: -1 at position 2 is"),
        ({"sample_weight": [0] * 5}, "empty, or have the weight 0"),
    ],
)
def test_estimates_that_cannot_be(options, message):
    with pytest.raises(ProbabilityError, match=re.escape(message)):
        fit_dcm(BURSTY, **options)


def test_there_must_be_a_word():
    with pytest.raises(ProbabilityError, match="there is nothing to estimate"):
        fit_dcm([[0, 0], [0, 0]])


def test_statistics_that_do_not_add():
    counts = DCMCounts.from_counts(BURSTY)
    with pytest.raises(ProbabilityError, match="of 3 words and of 2 do not"):
        counts + DCMCounts.from_counts([[1, 2]])
    with pytest.raises(TypeError):
        counts + 1
    with pytest.raises(ProbabilityError, match="contain their weights"):
        fit_dcm(counts, weights=[1])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: polya_urn([1], -1, rng=0), "number of draws is -1"),
        (lambda: polya_urn([1], 1, rng=0, documents=0), "number of urns is 0"),
        (lambda: polya_urn([-1, 2], 1, rng=0), "-1 at position 0 is negative"),
        (lambda: sample_dcm([1, 1], [1.5], rng=0), "1.5 at position 0 is not"),
        (
            lambda: sample_dcm([1, 1], [2, -1], rng=0),
            "-1 at position 1 is neg",
        ),
        (lambda: sample_dcm([1, 1], [1e17], rng=0), "is greater than 2⁵³"),
        (lambda: sample_dcm([1, 1], 5, rng=0), "lengths have the shape ()"),
        (lambda: sample_dcm([0, 0], [5], rng=0), "alpha are all 0"),
    ],
)
def test_draws_that_cannot_be(ask, message):
    with pytest.raises(ProbabilityError, match=re.escape(message)):
        ask()
