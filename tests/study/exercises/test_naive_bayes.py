"""The exercises of the chapter can be solved, and in another way."""

from collections import Counter
from decimal import Decimal, getcontext
from fractions import Fraction as F
from math import prod

import numpy as np
import pytest
from scipy import special, stats
from sklearn.naive_bayes import BernoulliNB
from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: long decimals, imagined rows, fractions ---


def log_sum_exp(scores):
    """Add the exponentials themselves, in numbers that do not underflow."""
    getcontext().prec = 50
    total = sum(Decimal(s).exp() for s in scores)
    return float(total.ln()) if total else -np.inf


def fit_table(N_km, N_k, alpha, beta):
    """By the distributions of the posterior, as scipy knows them."""
    pi_k = stats.dirichlet(np.array(N_k) + alpha).mean()
    p_km = [
        [float(stats.beta(h + beta, n - h + beta).mean()) for h in row]
        for row, n in zip(N_km, N_k, strict=True)
    ]
    return pi_k.tolist(), p_km


def predict(pi_k, p_km, x, label_set):
    """Multiply exact fractions, which do not underflow."""
    joint = {}
    for label, pi, p in zip(label_set, pi_k, p_km, strict=True):
        rates = Counter(
            F(q) if on else 1 - F(q)
            for q, on in zip(p, x, strict=True)
            if on is not None
        )
        joint[label] = F(pi) * prod(q**n for q, n in rates.items())
    return max(joint, key=joint.get)


def nll_terms(X, y, pi_k, p_km):
    """Use binomial distributions, without their numbers of orders."""
    X, y = np.array(X), np.array(y)
    J_0 = -np.log(np.array(pi_k)[y]).sum()
    J_km = []
    for k, p in enumerate(p_km):
        own = X[y == k]
        hits, n = own.sum(axis=0), len(own)
        orders = np.log(special.comb(n, hits))
        J_km.append((orders - stats.binom.logpmf(hits, n, p)).tolist())
    return J_0, J_km


def contributions(pi_k, p_km, x):
    """Add the features one by one; what does each change?"""
    odds, found = F(pi_k[0]) / F(pi_k[1]), []
    before = F(1)
    for m in range(-1, len(x)):
        if m >= 0:
            first, second = (F(p[m]) if x[m] else 1 - F(p[m]) for p in p_km)
            odds *= first / second
        found.append(float(np.log(float(odds / before))))
        before = odds
    return found


EXERCISES = exercises_of("naive_bayes")
test_another_solution_passes = solved_by("naive_bayes", globals())


def test_the_table_is_the_one_of_scikit_learn():
    """Write the rows of a table out; scikit-learn smooths features only."""
    (N_km, N_k, _, beta) = EXERCISES["fit_table"].cases[1]
    X = np.vstack(
        [
            np.arange(n)[:, None] < np.array(row)
            for row, n in zip(N_km, N_k, strict=True)
        ]
    ).astype(int)
    y = np.repeat(np.arange(len(N_k)), N_k)
    model = BernoulliNB(alpha=beta).fit(X, y)
    _, p_km = EXERCISES["fit_table"].reference(N_km, N_k, 1, beta)
    assert np.exp(model.feature_log_prob_) == pytest.approx(np.array(p_km))


def test_thousands_of_features_underflow():
    """The case of the exercise is one in which products have nothing."""
    pi_k, p_km, x, _ = EXERCISES["predict"].cases[4]
    factors = np.where(np.array(x) == 1, p_km, 1 - np.array(p_km))
    assert (pi_k * factors.prod(axis=1) == 0).all()
