"""Missing and unseen values, against sums over all completions of a row."""

from fractions import Fraction
from itertools import combinations, product
from math import log

import numpy as np
import pandas as pd
import pytest
import semi_naive_truth as truth
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from semi_naive_examples import CHAIN, MODELS, X, of, y
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

from bayesbook.base import ProbabilityError, TableTooLargeError
from bayesbook.naive_bayes import AODE, KDB, SPODE, TAN, CategoricalNB
from bayesbook.network import enumerate_posterior

CAREFUL = {"missing": "marginalise", "unseen": "marginalise"}

# -- truth --------------------------------------------------------------------


def factor(data, k, j, s, known, alpha):
    """Estimate P(x_j = s | k, known) from rows in which all are known."""
    key = k, j, s, frozenset(known.items()), alpha
    if key not in data.factors:  # as most completions ask for the same
        states = range(data.n_states[j])
        counts = [data.count(known | {j: t}, k) for t in states]
        data.factors[key] = truth.share(
            counts[s], sum(counts), len(counts), alpha, "bayes"
        )
    return data.factors[key]


def joint(row, data, parents, alpha):
    """Give P(c, x) of a complete row for each class c."""
    products, K = [], len(data.classes)
    for k in data.classes:
        p = truth.share(data.count({}, k), data.total, K, 1, "bayes")
        for j, own in enumerate(parents):
            p *= factor(data, k, j, row[j], {i: row[i] for i in own}, alpha)
        products.append(p)
    return products


def completions(row, data):
    """Give all rows that agree with the row where it is known."""
    return product(
        *(
            range(n_states) if s < 0 else [s]
            for s, n_states in zip(row, data.n_states, strict=True)
        )
    )


def summed(row, data, parents, alpha):
    """Give P(c, x_O), the sum over all completions."""
    rows = completions(row, data)
    each = (joint(r, data, parents, alpha) for r in rows)
    return list(map(sum, zip(*each, strict=True)))


def aode_joint(row, data, qualified, alpha):
    """Give the mean over these super-parents of P(c, x)."""
    means, M, K = [], data.n_columns, len(data.classes)
    for k in data.classes:
        total = Fraction(0)
        for i in qualified:
            states = range(data.n_states[i])
            known = sum(data.count({i: s}) for s in states)
            p = truth.share(
                data.count({i: row[i]}, k), known, K * len(states), alpha,
                "bayes",
            )  # fmt: skip
            for j in set(range(M)) - {i}:
                p *= factor(data, k, j, row[j], {i: row[i]}, alpha)
            total += p
        means.append(total / len(qualified))
    return means


def summed_aode(row, data, m, alpha):
    def rows_with(i):
        states = [row[i]] if row[i] >= 0 else range(data.n_states[i])
        return sum(data.count({i: s}) for s in states)

    qualified = [i for i in range(data.n_columns) if rows_with(i) >= m]
    if not qualified:
        return summed(row, data, [()] * data.n_columns, alpha)
    rows = completions(row, data)
    each = (aode_joint(r, data, qualified, alpha) for r in rows)
    return list(map(sum, zip(*each, strict=True)))


@st.composite
def incomplete(draw, least_columns=1):
    """Draw data in which values are missing, and rows with such gaps."""
    data = draw(truth.small_data(least_columns))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    share = draw(st.sampled_from([0.1, 0.4, 0.8]))
    rows = np.array(data.rows)
    gaps = rng.random(rows.shape) < share
    gaps[0] = False  # Every column has a value.
    asked = rng.integers(data.n_states, size=(6, data.n_columns))
    asked[rng.random(asked.shape) < share] = -1
    gone = truth.Data(
        np.where(gaps, -1, rows), data.y, data.n_states, data.weights
    )
    return gone, asked


def fitted(model, data):
    rows = np.where(np.array(data.rows) < 0, np.nan, data.rows)
    model = clone(model).set_params(
        min_categories=list(data.n_states), **CAREFUL
    )
    return model.fit(rows, data.y, data.weights)


def assert_joint(model, asked, wanted):
    rows = np.where(asked < 0, np.nan, asked)
    logs = np.array([[log(p) for p in row] for row in wanted])
    assert_allclose(model.predict_joint_log_proba(rows), logs, atol=1e-10)


# -- exact --------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [SPODE(), SPODE(parent=0), TAN(), TAN(alpha=0.5), KDB(k=1), KDB(k=3)],
    ids=repr,
)
@settings(max_examples=25, deadline=None)
@given(drawn=incomplete())
@pytest.mark.filterwarnings("ignore:k=")
def test_networks_are_summed_over_what_is_missing(model, drawn):
    data, asked = drawn
    model = fitted(model, data)
    wanted = [
        summed(row, data, model.parents_, Fraction(model.alpha))
        for row in asked
    ]
    assert_joint(model, asked, wanted)


@settings(max_examples=25, deadline=None)
@given(drawn=incomplete(least_columns=3), choice=st.data())
def test_any_structure_is_summed_over_what_is_missing(drawn, choice):
    data, asked = drawn
    parents = choice.draw(truth.acyclic_parents(data.n_columns, 3))
    model = KDB(k=3, parents=dict(enumerate(parents)))
    if data.n_columns == 3:
        model.set_params(k=2)
    model = fitted(model, data)
    wanted = [summed(row, data, model.parents_, 1) for row in asked]
    assert_joint(model, asked, wanted)


@settings(max_examples=40, deadline=None)
@given(drawn=incomplete(), m=st.sampled_from([0, 1, 3, 10]))
@pytest.mark.filterwarnings("ignore:Of", "ignore:m=")
def test_averages_are_summed_over_what_is_missing(drawn, m):
    data, asked = drawn
    model = fitted(AODE(m=m), data)
    wanted = [summed_aode(row, data, m, 1) for row in asked]
    assert_joint(model, asked, wanted)


@settings(max_examples=25, deadline=None)
@given(drawn=incomplete(least_columns=2))
def test_scores_of_super_parents_are_of_what_is_known(drawn):
    data, _ = drawn
    model = fitted(SPODE(), data)
    weights = [1] * len(data.y) if data.weights is None else data.weights
    for p, score in enumerate(model.scores_):
        star = [() if j == p else (p,) for j in range(data.n_columns)]
        logs = 0.0
        for row, k, w in zip(data.rows, data.y, weights, strict=True):
            products = summed(row, data, star, 1)
            own = products[data.classes.index(k)]
            logs += float(w) * log(own / sum(products))
        assert score == pytest.approx(logs, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(drawn=incomplete(least_columns=2))
def test_information_is_of_the_rows_that_know_both(drawn):
    data, _ = drawn
    found = fitted(TAN(), data).conditional_information_
    rows = np.array(data.rows)
    weights = np.array(data.weights if data.weights is not None else
                       [1] * len(rows))  # fmt: skip
    for i, j in product(range(data.n_columns), repeat=2):
        known = (rows[:, [i, j]] >= 0).all(axis=1)
        both = truth.Data(
            rows[known], np.array(data.y)[known], data.n_states, weights[known]
        )
        wanted = truth.conditional_information(both, i, j) if both.total else 0
        assert found[i, j] == pytest.approx(wanted, abs=1e-9)


@of([SPODE(), SPODE(parent=2), TAN(), KDB(k=2), KDB(k=2, parents=CHAIN)])
def test_the_network_of_the_model_says_the_same(model):
    model = clone(model).set_params(**CAREFUL).fit(X, y)
    network = model.to_network()
    names = [f"x{m}" for m in range(4)]
    for missing in ([0], [2], [0, 3], [1, 2, 3], [0, 1, 2, 3]):
        rows = X[:3].astype(float)
        rows[:, missing] = np.nan
        for row, own in zip(rows, model.predict_proba(rows), strict=True):
            evidence = {
                name: int(s)
                for name, s in zip(names, row, strict=True)
                if not np.isnan(s)
            }
            told = enumerate_posterior(network, "class", evidence)
            wanted = [told.P(**{"class": c}) for c in model.classes_]
            assert_allclose(own, wanted, atol=1e-12)


def test_an_average_over_the_same_models_is_marginalised_exactly():
    # Every value is frequent, so that all models are always averaged.
    model = AODE(m=1, **CAREFUL).fit(X, y)
    rows = X[:5].astype(float)
    rows[:, [1, 3]] = np.nan
    joint = np.exp(model.predict_joint_log_proba(rows))
    wanted = 0
    for s, t in product(range(3), repeat=2):
        full = X[:5].copy()
        full[:, 1], full[:, 3] = s, t
        wanted = wanted + np.exp(model.predict_joint_log_proba(full))
    assert_allclose(joint, wanted, rtol=1e-12)
    assert model.super_parents(rows).all()


# -- manners ------------------------------------------------------------------


@of(MODELS)
def test_an_unseen_state_is_a_missing_value(model):
    model = clone(model).set_params(**CAREFUL).fit(X, y)
    rows = X[:6].astype(float)
    rows[2:, 1] = np.nan
    unseen = X[:6].copy()
    unseen[2:, 1] = 7
    same = model.predict_joint_log_proba(rows)
    assert model.predict_joint_log_proba(unseen).tolist() == same.tolist()


@of(MODELS)
def test_one_rare_state_does_not_spoil_cross_validation(model):
    frame = pd.DataFrame(np.array(["a", "b", "c"])[X], columns=list("stuv"))
    frame.loc[3, "t"] = "rare"
    with pytest.warns(UserWarning, match="Scoring failed|none of"):
        scores = cross_val_score(clone(model), frame, y, cv=3)
    assert np.isnan(scores).any()
    careful = clone(model).set_params(unseen="marginalise")
    assert np.isfinite(cross_val_score(careful, frame, y, cv=3)).all()


@of(MODELS)
def test_parts_with_missing_values_are_all_rows(model):
    rows = X.astype(float)
    rows[np.random.default_rng(5).random(X.shape) < 0.3] = np.nan
    model = clone(model).set_params(**CAREFUL)
    if model.get_params().get("selection") == "cross-validation":
        return
    whole = clone(model).fit(rows, y)
    parts = [(rows[i : i + 30], y[i : i + 30]) for i in (0, 30, 60)]
    chunked = clone(model).fit_chunks(parts)
    assert_allclose(
        chunked.predict_joint_log_proba(rows),
        whole.predict_joint_log_proba(rows),
        atol=1e-12,
    )


@of(MODELS)
def test_a_column_without_any_value(model):
    rows = X.astype(float)
    rows[:, 2] = np.nan
    model = clone(model).set_params(**CAREFUL)
    with pytest.raises(ProbabilityError, match="Column 2 had no value"):
        model.fit(rows, y).predict(rows)


def test_without_parents_it_is_naive_bayes():
    rows = X.astype(float)
    rows[np.random.default_rng(6).random(X.shape) < 0.4] = np.nan
    wanted = CategoricalNB(**CAREFUL).fit(rows, y).predict_proba(rows)
    found = KDB(k=0, **CAREFUL).fit(rows, y).predict_proba(rows)
    assert_allclose(found, wanted, atol=1e-12)


def test_what_is_missing_can_be_too_large_to_sum():
    # Each pair of the first four columns has a child that links them.
    pairs = list(combinations(range(4), 2))
    model = KDB(k=2, parents=dict(enumerate(pairs, start=4)), **CAREFUL)
    model.set_params(min_categories=[90] * 4 + [2] * len(pairs))
    model.fit(np.zeros((6, 10)), [0, 1, 2] * 2)
    row = np.array([[np.nan] * 4 + [1.0] * len(pairs)])
    with pytest.raises(TableTooLargeError, match="sums missing columns out"):
        model.predict(row)
    row[0, 0] = 0
    assert model.predict_proba(row) == pytest.approx(1 / 3)
