"""MultinomialNB against exact fractions and scikit-learn."""

from fractions import Fraction

import naive_truth as truth
import numpy as np
import pytest
import sklearn.naive_bayes
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from scipy import sparse

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import MultinomialNB

CLASSES = ["ham", "eggs"]

documents = st.integers(2, 15).flatmap(
    lambda n: st.tuples(
        hnp.arrays(np.int64, (n, 4), elements=st.integers(0, 5)),
        st.lists(st.sampled_from(CLASSES), min_size=n, max_size=n).filter(
            lambda y: len(set(y)) == 2
        ),
    )
)


def wanted_joint(X, y, alpha, estimate="bayes"):
    """Give p(words in their order, class), word after word."""
    classes = sorted(set(y))
    prior = truth.class_distribution(y, classes, alpha, estimate)
    joint = []
    for document in X.tolist():
        products = []
        for p, k in zip(prior, classes, strict=True):
            own = X[np.array(y) == k].sum(axis=0).tolist()
            for word, times in enumerate(document):
                distribution = truth.share(
                    own[word], sum(own), len(own), alpha, estimate
                )
                p *= distribution**times
            products.append(p)
        joint.append(products)
    return joint


@given(documents, st.sampled_from([("bayes", 1), ("bayes", 0.25), ("map", 2)]))
def test_equals_exact_fractions(data, how):
    X, y = data
    estimate, alpha = how
    model = MultinomialNB(
        alpha=alpha, class_alpha=alpha, estimate=estimate
    ).fit(X, y)
    wanted = wanted_joint(X, y, alpha, estimate)
    assert model.predict_joint_log_proba(X) == pytest.approx(
        truth.logs(wanted)
    )
    posterior = [[float(p / sum(row)) for p in row] for row in wanted]
    assert model.predict_proba(X) == pytest.approx(np.array(posterior))


@given(documents)
def test_relative_frequencies(data):
    X, y = data
    X = X + 1
    model = MultinomialNB(alpha=3, estimate="mle").fit(X, y)
    wanted = wanted_joint(X, y, 0)
    assert model.predict_joint_log_proba(X) == pytest.approx(
        truth.logs(wanted)
    )


@given(documents, st.sampled_from([0.1, 1, 7]), st.booleans(), st.booleans())
@settings(max_examples=25)
def test_equals_scikit_learn(data, alpha, is_sparse, fit_prior):
    X, y = data
    theirs = sklearn.naive_bayes.MultinomialNB(
        alpha=alpha, fit_prior=fit_prior
    ).fit(X, y)
    given_ = sparse.csr_array(X.astype(float)) if is_sparse else X
    ours = MultinomialNB(
        alpha=alpha,
        class_alpha=0,
        class_prior=None if fit_prior else "uniform",
    ).fit(given_, y)
    for name in (
        "class_count_",
        "feature_count_",
        "class_log_prior_",
        "feature_log_prob_",
    ):
        assert getattr(ours, name) == pytest.approx(
            getattr(theirs, name), abs=1e-10
        )
    assert ours.predict_log_proba(given_) == pytest.approx(
        theirs.predict_log_proba(X), abs=1e-10
    )
    assert ours.predict_joint_log_proba(given_) == pytest.approx(
        theirs.predict_joint_log_proba(X), abs=1e-10
    )
    assert ours.class_log_likelihood(given_) == pytest.approx(
        theirs.predict_joint_log_proba(X) - theirs.class_log_prior_, abs=1e-10
    )
    assert ours.predict(given_).tolist() == theirs.predict(X).tolist()


def test_equals_scikit_learn_on_many_documents():
    rng = np.random.default_rng(12)
    X = sparse.random_array(
        (5000, 300), density=0.05, rng=rng, format="csr"
    ).astype(float)
    X.data = np.ceil(10 * X.data)
    y, weights = rng.integers(5, size=5000), rng.random(5000)
    theirs = sklearn.naive_bayes.MultinomialNB().fit(X, y, weights)
    kinds = (np.int32, np.float32, np.uint8)
    for data in (*map(X.astype, kinds), sparse.csr_matrix(X), X.toarray()):
        ours = MultinomialNB(class_alpha=0).fit(data, y, weights)
        assert_allclose(
            ours.predict_log_proba(data),
            theirs.predict_log_proba(X),
            rtol=0,
            atol=1e-10,
        )


@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("estimate", ["bayes", "mle"])
def test_many_words_are_read_by_several_threads(form, estimate):
    # 600,000 words, a third of them in one document; most have none, the
    # first and the last ones too.
    rng = np.random.default_rng(14)
    lengths = np.zeros(4000, dtype=int)
    lengths[rng.integers(10, 3990, size=400)] = 1000
    lengths[1234] = 200_000
    indptr = np.append(0, lengths.cumsum())
    words = rng.integers(500, size=indptr[-1])
    words[0] = 500  # which two classes do not have
    X = form((np.ones(len(words)), words, indptr), shape=(4000, 501))
    y = rng.integers(3, size=4000)
    model = MultinomialNB(estimate=estimate).fit(X, y)
    model.feature_log_prob_  # noqa: B018 - the tables, once
    truth = [X[[i]] @ model.feature_log_prob_.T for i in range(4000)]
    assert np.array_equal(model.class_log_likelihood(X), np.concatenate(truth))


def test_weights_of_words_need_not_be_whole():
    # As of TfidfTransformer.
    rng = np.random.default_rng(13)
    X, y = rng.random((30, 5)), rng.integers(2, size=30)
    theirs = sklearn.naive_bayes.MultinomialNB().fit(X, y)
    ours = MultinomialNB(class_alpha=0).fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X))


def test_documents_without_words_leave_the_prior():
    X, y = np.array([[1, 0], [0, 2], [3, 1]]), [0, 1, 1]
    for kind in (np.array, sparse.csr_array):
        model = MultinomialNB().fit(kind(X), y)
        assert model.predict_log_proba(kind([[0, 0]])) == pytest.approx(
            model.class_log_prior_[None]
        )


def test_a_class_without_words_is_uniform():
    model = MultinomialNB().fit([[0, 0], [1, 3]], [0, 1])
    assert np.exp(model.feature_log_prob_[0]) == pytest.approx([0.5, 0.5])
    never = MultinomialNB(estimate="mle").fit([[0, 0], [1, 3]], [0, 1])
    assert never.predict_proba([[1, 1]]).tolist() == [[0, 1]]


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_words_that_a_class_never_used(kind):
    # Zero times the logarithm of zero is zero, not NaN.
    X, y = kind([[2, 0, 0], [1, 3, 0]]), [0, 1]
    model = MultinomialNB(estimate="mle", class_alpha=0).fit(X, y)
    at = kind([[1, 0, 0], [1, 1, 0], [0, 0, 0]])
    assert np.exp(model.class_log_likelihood(at)) == pytest.approx(
        np.array([[1, 1 / 4], [0, 3 / 16], [1, 1]])
    )
    with pytest.raises(ValueError, match="impossible"):
        model.predict(kind([[0, 0, 1]]))


def test_huge_counts_are_no_trouble():
    X, y = np.array([[10**15, 1], [1, 10**15]], dtype=float), [0, 1]
    model = MultinomialNB().fit(X, y)
    wanted = Fraction(10**15 + 1, 10**15 + 3)
    assert model.feature_log_prob_[0, 0] == pytest.approx(
        truth.exact_log(wanted), abs=1e-15
    )
    assert model.predict_proba(X) == pytest.approx(np.eye(2))
    assert np.isfinite(model.predict_joint_log_proba(X)).all()
    assert model.predict_log_proba(X)[0, 0] == 0


def test_long_documents_do_not_underflow():
    X, y = np.array([[2000, 1000], [1000, 2000]]), [0, 1]
    model = MultinomialNB().fit(X, y)
    wanted = wanted_joint(X, y, 1)
    assert max(map(float, wanted[0])) == 0
    assert model.predict_joint_log_proba(X) == pytest.approx(
        truth.logs(wanted)
    )


def test_stored_parts_of_an_entry_add_up():
    data, indices = [2.0, 1.0, 0.0, 1.0], [0, 0, 1, 1]
    words = sparse.csr_array((data, indices, [0, 2, 3, 4]), shape=(3, 2))
    y = [0, 1, 1]
    ours, dense = (MultinomialNB().fit(X, y) for X in (words, words.toarray()))
    assert ours.feature_count_.tolist() == dense.feature_count_.tolist()
    assert ours.predict_proba(words) == pytest.approx(
        dense.predict_proba(words.toarray())
    )


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[-1.0, 0], [1, 1]], "[Nn]egative"),
        ([[np.nan, 0], [1, 1]], "NaN"),
        ([[np.inf, 0], [1, 1]], "inf"),
    ],
)
def test_counts_that_make_no_sense(kind, X, message):
    with pytest.raises(ValueError, match=message):
        MultinomialNB().fit(kind(X), [0, 1])
    model = MultinomialNB().fit([[1, 0], [0, 1]], [0, 1])
    with pytest.raises(ValueError, match=message):
        model.predict(kind(X))


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_an_empty_vocabulary(kind):
    with pytest.raises(ValueError, match="0 feature"):
        MultinomialNB().fit(kind(np.zeros((2, 0))), [0, 1])


def test_words_are_never_made_dense():
    # As a dense array it would need 160 GB.
    n, M = 10**5, 2 * 10**5
    row = np.arange(n)
    X = sparse.csr_array((np.ones(n), (row, row % 7)), shape=(n, M))
    model = MultinomialNB().fit(X, row % 2)
    assert model.predict_proba(X[:10]).shape == (10, 2)


def test_sampled_documents_follow_the_distribution():
    X, y = np.array([[3, 1, 0], [0, 1, 4]]), [0, 1]
    model = MultinomialNB().fit(X, y)
    documents, labels = model.sample(5000, rng=3, trials=20)
    if sparse.issparse(documents):
        documents = documents.toarray()
    documents, labels = np.asarray(documents), np.asarray(labels)
    assert set(documents.sum(axis=1)) == {20}
    assert (labels == 0).mean() == pytest.approx(0.5, abs=0.03)
    for k in (0, 1):
        words = documents[labels == k].sum(axis=0)
        assert words / words.sum() == pytest.approx(
            np.exp(model.feature_log_prob_[k]), abs=0.02
        )


def test_lengths_are_as_many_as_documents():
    model = MultinomialNB().fit([[1, 0], [0, 1]], [0, 1])
    with pytest.raises(ProbabilityError, match=r"\(3,\).* the 2 documents"):
        model.sample(2, rng=1, trials=[1, 2, 3])


def test_nothing_is_drawn_where_every_distribution_of_the_classes_is_a_mode():
    model = MultinomialNB(class_alpha=0, estimate="map")
    model.fit([[1, 2], [3, 1]], [0, 1])
    with pytest.raises(ProbabilityError, match="another class_alpha"):
        model.sample(3, rng=0, trials=2)
