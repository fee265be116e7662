"""The information between all pairs of columns, and scikit-learn's."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
import semi_naive_truth as truth
from hypothesis import given, settings
from numpy.testing import assert_allclose
from sklearn.metrics import mutual_info_score

from bayesbook.base import TableTooLargeError
from bayesbook.data import pairwise_information
from bayesbook.naive_bayes import TAN


@given(truth.small_data())
def test_equals_the_sum_over_classes_and_states(data):
    bits = pairwise_information(
        data.rows, data.y, weights=data.weights, unit="bits"
    )
    wanted = truth.information_matrix(data)
    assert_allclose(bits, wanted, rtol=0, atol=1e-10)
    together = truth.Data(
        data.rows, [0] * len(data.y), data.n_states, data.weights
    )
    bits = pairwise_information(data.rows, weights=data.weights, unit="bits")
    wanted = truth.information_matrix(together)
    assert_allclose(bits, wanted, rtol=0, atol=1e-10)


@given(truth.small_data())
@settings(max_examples=30)
def test_is_symmetric_and_between_zero_and_the_entropies(data):
    for y in (None, data.y):
        bits = pairwise_information(
            data.rows, y, weights=data.weights, unit="bits"
        )
        assert (bits == bits.T).all()
        assert (bits >= 0).all()
        entropy = np.diag(bits)
        assert (bits <= np.minimum.outer(entropy, entropy) + 1e-12).all()
        assert (entropy <= np.log2(data.n_states) + 1e-12).all()


@pytest.mark.parametrize("unit", ["bits", "nats"])
def test_equals_scikit_learn(unit):
    X, y = truth.dependent_rows(200, seed=40, n_columns=4)
    nats = np.zeros((4, 4))
    for k, (i, j) in product(range(3), product(range(4), repeat=2)):
        own = y == k
        nats[i, j] += own.mean() * mutual_info_score(X[own, i], X[own, j])
    scale = {"bits": np.log(2), "nats": 1}[unit]
    information = pairwise_information(X, y, unit=unit)
    assert_allclose(information, nats / scale, rtol=0, atol=1e-12)
    nats = [
        [mutual_info_score(X[:, i], X[:, j]) for i in range(4)]
        for j in range(4)
    ]
    information = pairwise_information(X, unit=unit)
    assert_allclose(information, np.array(nats) / scale, rtol=0, atol=1e-12)


def test_by_hand():
    # Of four equally frequent pairs the exclusive or tells either from the
    # other, and neither alone.
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    exclusive = X[:, 0] ^ X[:, 1]
    assert_allclose(
        pairwise_information(X, unit="bits"), np.eye(2), atol=1e-15
    )
    assert_allclose(
        pairwise_information(X, exclusive, unit="bits"),
        np.ones((2, 2)),
        atol=1e-15,
    )


def test_is_what_tan_reports():
    X, y = truth.dependent_rows(100, seed=41)
    others = ~np.eye(4, dtype=bool)
    own = TAN().fit(X, y).conditional_information_
    assert_allclose(
        own[others], pairwise_information(X, y, unit="bits")[others]
    )


def test_texts_are_states():
    X, y = truth.dependent_rows(100, seed=42)
    names = np.array(["blue", "grey", "red"])
    wanted = pairwise_information(X, y, unit="bits")
    for same in (
        pd.DataFrame(names[X]),
        pd.DataFrame(names[X]).astype("category"),
        names[X].astype(object),
    ):
        given_ = pairwise_information(
            same, np.array(list("abc"))[y], unit="bits"
        )
        assert_allclose(given_, wanted, rtol=0, atol=1e-12)


def test_weights_are_repeated_rows():
    X, y = truth.dependent_rows(60, seed=43)
    weights = np.random.default_rng(43).integers(0, 4, size=60)
    weighted = pairwise_information(X, y, weights=weights, unit="bits")
    repeated = pairwise_information(
        np.repeat(X, weights, axis=0), np.repeat(y, weights), unit="bits"
    )
    assert_allclose(weighted, repeated, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "bit"}, r"'bit'.*Did you mean 'bits'\?$"),
        ({"y": [0, 1]}, r"2.*3|3.*2"),
        ({"y": [0, 1, None]}, r"row 2"),
        ({"X": [[0, 1], [1, np.nan], [1, 1]]}, r"NaN|missing"),
        ({"weights": [1, 1]}, r"2.*3|3.*2"),
        ({"weights": [1, 1, -1]}, r"[Nn]egative|-1"),
        ({"weights": [0, 0, 0]}, r"zero"),
    ],
)
def test_questions_that_make_no_sense(options, message):
    options = {"X": [[0, 1], [1, 0], [1, 1]], "y": [0, 1, 1]} | options
    with pytest.raises(ValueError, match=message):
        pairwise_information(**options)


def test_too_many_states_are_refused_before_they_are_counted():
    X = np.stack([np.arange(50_000)] * 2, axis=1)
    with pytest.raises(TableTooLargeError, match=r"GiB of memory"):
        pairwise_information(X, unit="bits")
