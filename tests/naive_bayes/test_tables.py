"""The four functions of the Bernoulli model on tables of counts."""

from fractions import Fraction
from itertools import product
from math import exp, log

import naive_truth as truth
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import logsumexp

from bayesbook.naive_bayes import (
    nb_fit_table,
    nb_nll,
    nb_posterior,
    nb_predict,
)

# How the errors say that all classes are.
IMPOSSIBLE = r"probability zero|impossible"

FRUITS = ["Banana", "Orange", "Other"]
N_k = np.array([500, 300, 200])
N_km = np.array([[400, 350, 450], [0, 150, 300], [100, 150, 50]])


def test_the_fruits():
    pi_k, p_km = nb_fit_table(N_km, N_k)
    assert pi_k == pytest.approx([0.4995015, 0.3000997, 0.2003988], abs=5e-8)
    wanted = [
        [0.79880478, 0.69920319, 0.89840637],
        [0.00331126, 0.5, 0.99668874],
        [0.5, 0.74752475, 0.25247525],
    ]
    assert p_km == pytest.approx(np.array(wanted), abs=5e-9)
    assert nb_predict(pi_k, p_km, (1, 1, 1), FRUITS) == "Banana"


@pytest.mark.parametrize("x", list(product([0, 1], repeat=3)))
def test_all_eight_fruits_by_exact_fractions(x):
    pi = [Fraction(int(n) + 1, 1003) for n in N_k]
    p = [
        [Fraction(int(n) + 1, int(total) + 2) for n in row]
        for row, total in zip(N_km, N_k, strict=True)
    ]
    distributions = [[{1: own, 0: 1 - own} for own in row] for row in p]
    wanted = truth.posterior(x, pi, distributions)
    pi_k, p_km = nb_fit_table(N_km, N_k)
    posterior = nb_posterior(pi_k, p_km, x)
    assert posterior == pytest.approx([float(q) for q in wanted], rel=1e-12)
    best = FRUITS[max(range(3), key=lambda k: wanted[k])]
    assert nb_predict(pi_k, p_km, x, FRUITS) == best


counts = st.tuples(
    hnp.arrays(np.int64, 3, elements=st.integers(0, 20)),
    hnp.arrays(np.float64, (3, 4), elements=st.floats(0, 1)),
).map(lambda data: (np.floor(data[0][:, None] * data[1]).astype(int), data[0]))


@given(counts, st.integers(0, 3), st.integers(1, 3))
def test_pseudo_counts_are_added_as_written(data, alpha, beta):
    N_km, N_k = data
    if alpha == 0 and N_k.sum() == 0:
        return
    pi_k, p_km = nb_fit_table(N_km, N_k, alpha=alpha, beta=beta)
    assert pi_k == pytest.approx((N_k + alpha) / (N_k.sum() + 3 * alpha))
    assert p_km == pytest.approx((N_km + beta) / (N_k[:, None] + 2 * beta))


def test_without_pseudo_counts_these_are_relative_frequencies():
    pi_k, p_km = nb_fit_table(N_km, N_k, alpha=0, beta=0)
    assert pi_k == pytest.approx([0.5, 0.3, 0.2])
    assert p_km[1] == pytest.approx([0, 0.5, 1])


def test_data_frames_and_lists_will_do():
    frame = pd.DataFrame(
        N_km, index=FRUITS, columns=["long", "sweet", "yellow"]
    )
    total = pd.Series(N_k, index=FRUITS)
    wanted = nb_fit_table(N_km, N_k)
    for same in ((frame, total), (N_km.tolist(), N_k.tolist())):
        pi_k, p_km = nb_fit_table(*same)
        assert np.asarray(pi_k).tolist() == wanted[0].tolist()
        assert np.asarray(p_km).tolist() == wanted[1].tolist()
        assert nb_predict(pi_k, p_km, [1, 1, 1], frame.index) == "Banana"


# -- negative log-likelihood --------------------------------------------------


@given(st.integers(0, 10**6))
def test_the_negative_log_likelihood_splits(seed):
    rng = np.random.default_rng(seed)
    n, K, M = 40, 3, 5
    y = rng.integers(K, size=n)
    X = rng.integers(2, size=(n, M))
    pi_k = rng.dirichlet(np.ones(K))
    p_km = rng.uniform(0.01, 0.99, size=(K, M))
    # Row by row, as the distribution of the data is defined.
    total = 0.0
    for x, c in zip(X, y, strict=True):
        total -= log(pi_k[c])
        for m in range(M):
            total -= log(p_km[c, m] if x[m] else 1 - p_km[c, m])
    N_k = np.bincount(y, minlength=K)
    N_km = np.array([X[y == k].sum(axis=0) for k in range(K)])
    j_0, J_km = nb_nll(pi_k, p_km, N_km, N_k)
    assert J_km.shape == (K, M)
    assert j_0 + J_km.sum() == pytest.approx(total)
    assert j_0 == pytest.approx(-np.log(pi_k[y]).sum())
    rows = X[y == 1][:, 2]
    p = p_km[1, 2]
    own = -(rows * log(p) + (1 - rows) * log(1 - p)).sum()
    assert J_km[1, 2] == pytest.approx(own)


@given(st.integers(0, 10**6))
def test_relative_frequencies_have_the_least(seed):
    rng = np.random.default_rng(seed)
    N_k = rng.integers(1, 20, size=3)
    N_km = rng.binomial(N_k[:, None], 0.5, size=(3, 2))
    pi_k, p_km = nb_fit_table(N_km, N_k, alpha=0, beta=0)
    least = nb_nll(pi_k, p_km, N_km, N_k)
    other = nb_nll(
        rng.dirichlet(np.ones(3)), rng.uniform(0.01, 0.99, (3, 2)), N_km, N_k
    )
    assert least[0] <= other[0] + 1e-9
    assert (least[1] <= other[1] + 1e-9).all()


def test_zero_times_the_logarithm_of_zero_is_zero():
    j_0, J_km = nb_nll([1, 0], [[1, 0], [0.5, 0.5]], [[3, 0], [0, 0]], [3, 0])
    assert j_0 == 0
    assert J_km.tolist() == [[0, 0], [0, 0]]


def test_what_happened_although_it_was_impossible_costs_infinitely_much():
    j_0, J_km = nb_nll([1, 0], [[0.5], [0.5]], [[1], [1]], [2, 2])
    assert j_0 == np.inf
    _, J_km = nb_nll([0.5, 0.5], [[0], [0.5]], [[1], [1]], [2, 2])
    assert J_km[0, 0] == np.inf
    assert J_km[1, 0] == pytest.approx(2 * log(2))


# -- digits -------------------------------------------------------------------


def test_the_sum_of_two_that_underflow():
    # log(e^-120 + e^-121), and of e^-1200 and e^-1201, which are 0 as floats.
    assert logsumexp([-120, -121]) == pytest.approx(-119.68673831248178)
    for columns in (10, 100):
        p_km = np.array([[exp(-12)] * columns, [exp(-12.1)] * columns])
        posterior = nb_posterior([0.5, 0.5], p_km, [1] * columns)
        odds = exp(0.1 * columns)
        assert posterior == pytest.approx([odds / (1 + odds), 1 / (1 + odds)])


def test_raw_products_underflow_and_these_do_not():
    rng = np.random.default_rng(8)
    pi_k, p_km = [0.5, 0.5], rng.uniform(0.3, 0.5, size=(2, 2000))
    x = rng.integers(2, size=2000)
    raw = [np.prod(np.where(x, p, 1 - p)) for p in p_km]
    assert raw == [0, 0]
    distributions = [
        [{1: Fraction(p), 0: 1 - Fraction(p)} for p in row]
        for row in p_km.tolist()
    ]
    wanted = truth.posterior(x.tolist(), [Fraction(1, 2)] * 2, distributions)
    posterior = nb_posterior(pi_k, p_km, x)
    assert posterior == pytest.approx([float(q) for q in wanted], rel=1e-9)
    assert posterior.sum() == pytest.approx(1)


def test_a_count_of_zero_vetoes_and_a_pseudo_count_does_not():
    raw = nb_fit_table(N_km, N_k, alpha=0, beta=0)
    assert nb_posterior(*raw, [1, 0, 0])[1] == 0
    assert 0 < nb_posterior(*nb_fit_table(N_km, N_k), [1, 0, 0])[1] < 0.1


def test_the_word_in_every_document():
    # MLE: p = 1 in both classes, so that a document without it has
    # probability zero in each, and no posterior.
    N_km, N_k = [[4], [6]], [4, 6]
    pi_k, p_km = nb_fit_table(N_km, N_k, alpha=0, beta=0)
    assert p_km.tolist() == [[1], [1]]
    with pytest.raises(ValueError, match=IMPOSSIBLE):
        nb_posterior(pi_k, p_km, [0])
    with pytest.raises(ValueError, match=IMPOSSIBLE):
        nb_predict(pi_k, p_km, [0], ["ham", "spam"])
    pi_k, p_km = nb_fit_table(N_km, N_k)
    odds = Fraction(7, 12) * Fraction(1, 8) / (Fraction(5, 12) / 6)
    assert nb_posterior(pi_k, p_km, [0])[1] == pytest.approx(
        float(odds / (1 + odds))
    )


def test_a_class_without_rows_needs_pseudo_counts():
    pi_k, p_km = nb_fit_table([[1, 0], [0, 0]], [2, 0])
    assert pi_k == pytest.approx([3 / 4, 1 / 4])
    assert p_km[1] == pytest.approx([0.5, 0.5])
    with pytest.raises(ValueError, match="Class 1 has no"):
        nb_fit_table([[1, 0], [0, 0]], [2, 0], alpha=1, beta=0)


def test_the_first_of_equally_probable_labels_is_given():
    assert nb_predict([0.5, 0.5], [[0.5], [0.5]], [1], ["b", "a"]) == "b"


# -- bad input ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"N_km": [[-1, 0], [0, 0]]}, "-1"),
        ({"N_km": [[3, 0], [0, 0]]}, "3"),
        ({"N_km": [[np.nan, 0], [0, 0]]}, "nan"),
        ({"N_km": [[0, 0]]}, "1 .*2|2 .*1"),
        ({"N_km": [0, 0]}, "shape"),
        ({"N_k": [2, -1]}, "-1"),
        ({"N_k": [2, np.inf]}, "inf"),
        ({"N_k": [[2, 1]]}, "shape"),
        ({"N_k": [0, 0], "N_km": [[0, 0], [0, 0]], "alpha": 0}, "zero|0"),
        ({"alpha": -1}, "alpha is -1"),
        ({"beta": np.nan}, "beta is nan"),
        ({"beta": "x"}, "beta is 'x'"),
    ],
)
def test_tables_that_make_no_sense(change, message):
    options = {"N_km": [[1, 0], [0, 1]], "N_k": [2, 1]} | change
    with pytest.raises(ValueError, match=message):
        nb_fit_table(**options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": [1]}, "1.*2|2.*1"),
        ({"x": [1, 2]}, "2"),
        ({"x": [1, np.nan]}, "nan"),
        ({"x": ["yes", "no"]}, "'yes'"),
        ({"pi_k": [0.5, 0.6]}, "1.1"),
        ({"pi_k": [1.5, -0.5]}, "1.5|-0.5"),
        ({"pi_k": [0.2, 0.3, 0.5]}, "3"),
        ({"p_km": [[0.5, 1.5], [0.5, 0.5]]}, "1.5"),
        ({"p_km": [[0.5, np.nan], [0.5, 0.5]]}, "nan"),
        ({"label_set": ["a"]}, "label"),
    ],
)
def test_questions_that_make_no_sense(change, message):
    options = {
        "pi_k": [0.5, 0.5],
        "p_km": [[0.5, 0.5], [0.5, 0.5]],
        "x": [1, 0],
        "label_set": ["a", "b"],
    } | change
    with pytest.raises(ValueError, match=message):
        nb_predict(**options)
    del options["label_set"]
    if "label_set" not in change:
        with pytest.raises(ValueError, match=message):
            nb_posterior(**options)
