"""The DCM against urns in exact fractions, and scipy's distribution."""

import itertools
import math
import re
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from dcm_truth import (
    BURSTY,
    counted,
    tables,
    urn_probability,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import (
    DCMCounts,
    dcm_gradient,
    dcm_log_prob,
    fit_dcm,
)


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
