"""Draws from urns, against their distribution."""

import itertools
import math
import re
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
from dcm_truth import (
    counted,
    urn_probability,
)
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import (
    dcm_log_prob,
    polya_urn,
    sample_dcm,
)


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
    X = sample_dcm(alpha, 20_000, trials=3, rng=1)
    each, observed = np.unique(X, axis=0, return_counts=True)
    assert len(each) == math.comb(5, 2)
    p = stats.dirichlet_multinomial.pmf(each, alpha, 3)
    assert chi_square_p_value(observed, 20_000 * p) > 0.01


def test_samples_have_the_lengths_and_the_words_asked_for():
    X = sample_dcm([0, 2, 1e-300, 1e-5], 3, trials=[5, 0, 10**12], rng=0)
    assert X.shape == (3, 4)
    assert X.dtype.kind == "i"
    np.testing.assert_array_equal(X.sum(axis=1), [5, 0, 10**12])
    assert not X[:, 0].any()
    # All parameters tiny: one word a document.
    tiny = sample_dcm([1e-300] * 3, 20, trials=7, rng=0)
    np.testing.assert_array_equal(tiny.max(axis=1), 7)
    drawn = polya_urn([0, 1, 2], 50, rng=0, documents=3)
    assert drawn.shape == (3, 50)
    assert drawn.min() >= 1
    assert polya_urn([1, 1], 0, rng=0, documents=2).shape == (2, 0)


def test_a_seed_is_as_good_as_its_generator():
    for draw in (
        lambda rng: sample_dcm([1, 2], 2, trials=[5, 6], rng=rng),
        lambda rng: polya_urn([1, 2], 5, rng=rng),
    ):
        np.testing.assert_array_equal(draw(3), draw(np.random.default_rng(3)))


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: polya_urn([1], -1, rng=0), "number of draws is -1"),
        (lambda: polya_urn([1], 1, rng=0, documents=0), "number of urns is 0"),
        (lambda: polya_urn([-1, 2], 1, rng=0), "-1 at position 0 is negative"),
        (
            lambda: sample_dcm([1, 1], 1, trials=1.5, rng=0),
            "1.5 at position 0 is not",
        ),
        (
            lambda: sample_dcm([1, 1], 2, trials=[2, -1], rng=0),
            "-1 at position 1 is neg",
        ),
        (
            lambda: sample_dcm([1, 1], 1, trials=1e17, rng=0),
            "is greater than 2⁵³",
        ),
        (
            lambda: sample_dcm([1, 1], 5, trials=[3], rng=0),
            "have the shape (1,)",
        ),
        (
            lambda: sample_dcm([1, 1], 0, trials=3, rng=0),
            "number of documents is 0",
        ),
        (lambda: sample_dcm([0, 0], 1, trials=5, rng=0), "alpha are all 0"),
    ],
)
def test_draws_that_cannot_be(ask, message):
    with pytest.raises(ProbabilityError, match=re.escape(message)):
        ask()
