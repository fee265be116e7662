"""DCMNB against exact fractions, other classifiers, and held-out data."""

import itertools
import re
import warnings
from fractions import Fraction as F
from math import log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, sparse, special, stats
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.conjugate import dcm_log_prob, sample_dcm
from bayesbook.naive_bayes import DCMNB, MultinomialNB

WORDS = 30
LABELS = np.array(["ham", "junk", "spam"])


def documents(n, rng, *, total, words=WORDS, classes=3, own=1.0):
    """Draw documents of several classes, the burstier the smaller `total`.

    The less a class has for its `own`, the more it is like the others.
    """
    rng = np.random.default_rng(rng)
    distributions = np.random.default_rng(7).dirichlet([1] * words, classes)
    alpha = total * (own * distributions + (1 - own) / words)
    codes = np.arange(n) % classes
    lengths = rng.poisson(40, n) + 1
    X = np.zeros((n, words), int)
    for k in range(classes):
        own = lengths[codes == k]
        X[codes == k] = sample_dcm(alpha[k], len(own), trials=own, rng=rng)
    return X, LABELS[codes]


@parametrize_with_checks([DCMNB(alpha=1)])
def test_keeps_the_manners_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        # Of the checks that need a package that is not installed.
        warnings.simplefilter("ignore", UserWarning)
        check(estimator)


def test_the_posterior_is_bayes_rule_with_urns():
    X, y = documents(30, 0, total=5)
    model = DCMNB(class_alpha=2, alpha=0.5).fit(X, y)
    document = [4, 0, 1] + [0] * 26 + [2]
    joint = []
    for k in range(3):
        urn = [F(a) for a in model.alpha_[k]]
        p = F(10 + 2, 30 + 3 * 2)
        for word in np.repeat(range(WORDS), document):
            p *= urn[word] / sum(urn)
            urn[word] += 1
        joint.append(p)
    np.testing.assert_allclose(
        model.predict_joint_log_proba([document]), [[log(p) for p in joint]]
    )
    np.testing.assert_allclose(
        model.predict_proba([document]),
        [[float(p / sum(joint)) for p in joint]],
        rtol=1e-9,
    )
    assert model.predict([document]) == LABELS[np.argmax(joint)]


def test_parameters_maximise_the_smoothed_likelihood():
    """The posterior of the docstring, by another optimiser."""
    rng = np.random.default_rng(1)
    X = sample_dcm(
        [0.5, 1, 2, 0.1], 25, trials=rng.integers(1, 30, 25), rng=rng
    )
    X = np.insert(X, 2, 0, axis=1)

    def depth(theta):
        alpha = np.exp(theta)
        log_prior = 0.7 * np.log(alpha / alpha.sum()).sum()
        return -dcm_log_prob(X, alpha).sum() - log_prior

    found = optimize.minimize(depth, np.zeros(5), tol=1e-12)
    model = DCMNB(alpha=0.7).fit(X, ["news"] * 25)
    assert model.fits_[0].log_likelihood == pytest.approx(-found.fun)
    np.testing.assert_allclose(model.alpha_[0], np.exp(found.x), rtol=1e-3)
    assert (model.alpha_ > 0).all()


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1.0])
def test_classes_that_are_not_bursty_are_multinomial(alpha):
    X = np.array([[2, 1, 3, 0], [1, 2, 3, 0], [2, 2, 2, 0], [0, 5, 5, 3]])
    y = ["even", "even", "even", "odd"]
    ours = DCMNB(alpha=alpha).fit(X, y)
    theirs = MultinomialNB(alpha=alpha).fit(X, y)
    assert [fit.status for fit in ours.fits_] == ["multinomial limit"] * 2
    new = [[0, 1, 1, 0], [0, 9, 2, 5], [0, 0, 0, 0]]
    np.testing.assert_allclose(
        ours.predict_joint_log_proba(new),
        theirs.predict_joint_log_proba(new),
        rtol=1e-8,
    )


@given(st.integers(0, 99), st.lists(st.integers(1, 39), max_size=3))
@settings(max_examples=15)
def test_pieces_in_any_order_give_the_same_model(seed, cuts):
    X, y = documents(40, seed, total=8, words=6)
    weights = np.random.default_rng(seed).integers(0, 3, 40)
    whole = DCMNB().fit(X, y, weights)
    order = np.random.default_rng(seed).permutation(40)
    parts = DCMNB()
    for rows in np.split(order, sorted(set(cuts))):
        if weights[rows].any():
            parts.partial_fit(X[rows], y[rows], LABELS, weights[rows])
    np.testing.assert_array_equal(parts.alpha_, whole.alpha_)
    np.testing.assert_array_equal(
        parts.predict_log_proba(X), whole.predict_log_proba(X)
    )


def test_rows_one_by_one_and_asked_in_between():
    X, y = documents(20, 3, total=8, words=6)
    model = DCMNB()
    for i in range(20):
        model.partial_fit(X[[i]], y[[i]], LABELS)
        # What was derived from the counts must not be kept.
        model.predict(X)
    np.testing.assert_array_equal(model.alpha_, DCMNB().fit(X, y).alpha_)


def test_weights_are_repetitions():
    X, y = documents(30, 4, total=8)
    weights = np.arange(30) % 4
    weighted = DCMNB().fit(X, y, weights)
    repeated = DCMNB().fit(np.repeat(X, weights, 0), np.repeat(y, weights))
    np.testing.assert_array_equal(weighted.alpha_, repeated.alpha_)


@pytest.mark.parametrize("n", [1, 200])
def test_sparse_documents_are_as_good_as_dense(n):
    X, y = documents(200, 5, total=8)
    model = DCMNB().fit(X, y)
    for form in (sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix):
        other = DCMNB().fit(form(X), y)
        np.testing.assert_array_equal(other.alpha_, model.alpha_)
        np.testing.assert_array_equal(
            other.class_log_likelihood(form(X[:n])),
            model.class_log_likelihood(X[:n]),
        )
    # Whether in one table or alone: the sums may be made in other ways.
    alone = [model.class_log_likelihood([row])[0] for row in X[:n]]
    np.testing.assert_allclose(
        model.class_log_likelihood(X[:n]), alone, rtol=1e-12
    )


def test_long_documents_and_many_of_them(monkeypatch):
    """Repetitions beyond what is multiplied out, in small portions."""
    rng = np.random.default_rng(6)
    X = rng.negative_binomial(0.3, 0.003, (60, 5))
    assert (X > 300).sum() > 20
    y = LABELS[np.arange(60) % 3]
    model = DCMNB().fit(X, y)
    expected = [
        stats.dirichlet_multinomial.logpmf(X, alpha, X.sum(axis=1))
        - special.gammaln(X.sum(axis=1) + 1)
        + special.gammaln(X + 1).sum(axis=1)
        for alpha in model.alpha_
    ]
    at_once = model.class_log_likelihood(X)
    np.testing.assert_allclose(at_once, np.transpose(expected), rtol=1e-9)
    monkeypatch.setattr("bayesbook.conjugate.dirichlet_multinomial._CELLS", 7)
    np.testing.assert_allclose(
        model.class_log_likelihood(X), at_once, rtol=1e-13
    )


def test_fractions_are_quotients_of_gamma_functions():
    X = np.array([[0.5, 2.25], [1.5, 3], [0, 0.75]])
    model = DCMNB(alpha=0).fit([[3, 1], [0, 4], [5, 1]], ["a"] * 3)
    alpha, s = model.alpha_[0], model.alpha_.sum()
    expected = (special.gammaln(alpha + X) - special.gammaln(alpha)).sum(
        axis=1
    ) - (special.gammaln(s + X.sum(axis=1)) - special.gammaln(s))
    np.testing.assert_allclose(model.class_log_likelihood(X)[:, 0], expected)

    # Parts of a word that the class has not, in many cells.
    model.fit([[3, 0], [4, 0]], ["a"] * 2)
    assert np.isneginf(
        model.class_log_likelihood([[2, 0.5], [2, 1], [1, 1]])
    ).all()

    X = np.array([[3.5, 0.25], [0.25, 4.75], [5.5, 1], [0.5, 2]])

    def depth(theta):
        a = np.exp(theta)
        terms = special.gammaln(a + X) - special.gammaln(a)
        s, lengths = a.sum(), X.sum(axis=1)
        return -terms.sum() + np.sum(
            special.gammaln(s + lengths) - special.gammaln(s)
        )

    found = optimize.minimize(depth, np.zeros(2), tol=1e-12)
    model.fit(X, ["a"] * 4)
    assert model.fits_[0].converged
    np.testing.assert_allclose(model.alpha_[0], np.exp(found.x), rtol=1e-4)


# Words and classes that are not there


def test_unseen_words():
    X, y = [[3, 1, 0], [1, 2, 0], [0, 4, 1], [2, 0, 5]], list("aabb")
    plain = DCMNB(alpha=0).fit(X, y)
    assert plain.alpha_[0, 2] == 0
    np.testing.assert_array_equal(
        np.isneginf(plain.class_log_likelihood([[1, 0, 1]])), [[True, False]]
    )
    assert plain.predict_proba([[1, 0, 1]]).tolist() == [[0, 1]]
    smooth = DCMNB().fit(X, y)
    assert np.isfinite(smooth.class_log_likelihood([[1, 0, 1]])).all()
    never = DCMNB(alpha=0).fit(np.insert(X, 3, 0, axis=1), y)
    with pytest.raises(ZeroProbabilityError, match="Use alpha > 0"):
        never.predict([[0, 0, 0, 1]])


def test_a_class_without_documents():
    X, y = [[3, 1], [1, 2], [0, 0]], [0, 0, 0]
    model = DCMNB(alpha=0).partial_fit(X, y, classes=[0, 1])
    assert model.fits_[1] is None
    np.testing.assert_array_equal(model.alpha_[1], [0, 0])
    np.testing.assert_array_equal(
        model.class_log_likelihood([[1, 0], [0, 0]])[:, 1], [-np.inf, 0]
    )
    assert model.predict([[1, 0]]) == [0]
    # Smoothed, each word is as probable as the others.
    model = DCMNB().partial_fit(X, y, classes=[0, 1])
    np.testing.assert_allclose(model.alpha_[1], [0.5, 0.5])


def test_an_empty_document_has_the_posterior_of_the_prior():
    X, y = documents(30, 8, total=8)
    model = DCMNB(class_prior=[0.2, 0.3, 0.5]).fit(X, y)
    np.testing.assert_allclose(
        model.predict_proba(np.zeros((1, WORDS))), [[0.2, 0.3, 0.5]]
    )
    with_empty = DCMNB(class_prior=[0.2, 0.3, 0.5]).fit(
        np.vstack([X, np.zeros((3, WORDS), int)]), [*y, *LABELS]
    )
    np.testing.assert_array_equal(with_empty.alpha_, model.alpha_)


def test_huge_counts():
    X = [[10**12, 5], [1, 10**11], [7, 10**12], [10**12, 10**12]]
    model = DCMNB().fit(X, ["a", "a", "b", "b"])
    assert np.isfinite(model.class_log_likelihood(X)).all()
    assert model.predict_proba(X).sum() == pytest.approx(4)


# Sampling, tables


def test_samples_have_the_distribution_of_the_model():
    model = DCMNB(class_alpha=0).fit(
        [[3, 0, 1], [0, 3, 1], [1, 0, 4], [0, 6, 2], [2, 0, 0]],
        ["a", "a", "b", "b", "b"],
    )
    n = 20_000
    X, y = model.sample(n, rng=0, trials=2)
    assert sparse.issparse(X)
    rows = list(itertools.product(range(3), repeat=3))
    rows = np.array([row for row in rows if sum(row) == 2])
    p = np.exp(model.predict_joint_log_proba(rows))
    p *= np.where((rows == 2).any(axis=1), 1, 2)[:, None]
    seen = [
        ((X.toarray() == row).all(axis=1) & (y == label)).sum()
        for row in rows
        for label in model.classes_
    ]
    assert stats.chisquare(seen, n * p.ravel()).pvalue > 0.01


def test_each_document_has_its_length():
    X, y = documents(60, 9, total=8)
    model = DCMNB().fit(X, y)
    lengths = np.arange(50) % 7
    drawn, labels = model.sample(50, rng=1, trials=lengths)
    assert drawn.sum(axis=1).ravel().tolist() == [lengths.tolist()]
    assert set(labels) == set(LABELS)
    same = model.sample(50, trials=lengths, rng=np.random.default_rng(1))
    assert (same[0] != drawn).nnz == 0
    np.testing.assert_array_equal(same[1], labels)


def test_the_table_names_words_and_classes():
    X = pd.DataFrame({"ball": [3, 0, 1], "bat": [1, 4, 0]})
    model = DCMNB().fit(X, ["sport", "zoo", "sport"])
    frame = model.to_frame()
    assert frame.index.tolist() == ["ball", "bat"]
    assert frame.columns.tolist() == ["sport", "zoo"]
    np.testing.assert_array_equal(frame.to_numpy().T, model.alpha_)


# Burstiness


def held_out(total, own, repetitions=20):
    """Compare with the multinomial: means and standard errors of gains."""
    gains = []
    for seed in range(repetitions):
        X, y = documents(90, 2 * seed, total=total, own=own)
        new, truth = documents(300, 2 * seed + 1, total=total, own=own)
        codes = np.searchsorted(LABELS, truth), np.arange(300)
        scores = []
        for model in (DCMNB(), MultinomialNB(alpha=0.1)):
            model.fit(X, y)
            nats = model.class_log_likelihood(new)[codes[1], codes[0]]
            scores.append([nats.mean(), model.score(new, truth)])
        gains.append(np.subtract(*scores))
    error = np.std(gains, axis=0, ddof=1) / np.sqrt(repetitions)
    # If documents were told apart without fail, nothing could be gained.
    assert 0.5 < scores[1][1] < 0.95
    return np.mean(gains, axis=0), error


def test_on_bursty_documents_it_beats_the_multinomial():
    (nats, accuracy), (nats_error, accuracy_error) = held_out(6, own=0.6)
    assert nats - 3 * nats_error > 10
    assert accuracy - 3 * accuracy_error > 0.005


def test_on_other_documents_it_ties_with_the_multinomial():
    (nats, accuracy), (nats_error, accuracy_error) = held_out(1e9, own=0.3)
    assert abs(nats) < 0.2
    assert nats_error < 0.05
    assert abs(accuracy) < 0.005
    assert accuracy_error < 0.005


# Messages


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1, np.nan], [0, 1]], "NaN: row 0, column 1"),
        ([[1, 2], [np.inf, 1]], "infinity: row 1, column 0"),
        ([[1, -2], [0, 1]], "-2 in row 0, column 1"),
        (sparse.csr_array([[0, 2], [0, -1]]), "-1 in row 1, column 1"),
        (pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), "Column 'b' holds 'x'"),
        ([[1, 1e17], [0, 1]], "1e+17 in row 0, column 1"),
        (np.zeros((2, 0)), "0 feature(s) (shape=(2, 0)) while a minimum of 1"),
    ],
)
def test_documents_that_cannot_be(X, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        DCMNB().fit(X, [0, 1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": -1}, "alpha is -1; it must be at least 0"),
        ({"class_alpha": -1}, "class_alpha is -1"),
        ({"class_prior": [1]}, "Number of priors must match number of"),
    ],
)
def test_settings_that_cannot_be(options, message):
    with pytest.raises(ProbabilityError, match=re.escape(message)):
        DCMNB(**options).fit([[1, 0], [0, 1]], [0, 1])


def test_lengths_that_cannot_be():
    model = DCMNB().fit([[1, 0], [0, 1]], [0, 1])
    for lengths, message in (
        (-1, "-1 at position 0 is negative"),
        (1.5, "1.5 at position 0 is not a whole number"),
    ):
        with pytest.raises(ProbabilityError, match=message):
            model.sample(2, rng=0, trials=lengths)


def test_documents_without_any_word():
    X, y = np.zeros((4, 3), int), [0, 0, 1, 1]
    assert DCMNB().fit(X, y).predict_proba(X).tolist() == [[0.5, 0.5]] * 4
    model = DCMNB(alpha=0).fit(X, y)
    assert model.predict_proba(X).tolist() == [[0.5, 0.5]] * 4
    with pytest.raises(ZeroProbabilityError, match="impossible in every"):
        model.predict([[1, 0, 0]])


def test_a_count_too_large_is_refused_by_the_name_of_its_column():
    X = pd.DataFrame({"the": [1.0, 2], "cat": [2.0**54, 1]})
    with pytest.raises(ValueError, match=r"Too large .* column 'cat'"):
        DCMNB().fit(X, [0, 1])
