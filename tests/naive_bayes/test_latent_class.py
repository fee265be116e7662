"""Latent classes against published numbers, enumeration, and EM by hand."""

import pickle
import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import (
    ConvergenceWarning,
    ProbabilityError,
    ZeroProbabilityError,
)
from bayesbook.naive_bayes import CategoricalNB, LatentClass
from bayesbook.naive_bayes.latent_class import Mixture
from bayesbook.network import JunctionTree, fit_em


def role_conflict():
    """Return the answers of 216 students (Stouffer and Toby 1951).

    Each was asked in four situations whether to be true to a friend or to
    everybody. The second value is how many gave the answers of each row.
    """
    counts = [42, 23, 6, 25, 6, 24, 7, 38, 1, 4, 1, 6, 2, 9, 2, 20]
    answers = product(("everybody", "friend"), repeat=4)
    return pd.DataFrame(answers, columns=list("ABCD")), counts


def drawn_rows(seed, n_rows=200, share=0.0):
    """Draw rows of two classes; a share of the values is missing."""
    rng = np.random.default_rng(seed)
    hidden = rng.random(n_rows) < 0.4
    columns = {
        "A": ("xyz", [0.8, 0.1, 0.1], [0.2, 0.2, 0.6]),
        "B": ("no", [0.3, 0.7], [0.9, 0.1]),
        "C": ("abcd", [0.4, 0.4, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6]),
    }
    rows = pd.DataFrame(
        {
            name: np.where(
                hidden,
                rng.choice(list(states), n_rows, p=p),
                rng.choice(list(states), n_rows, p=q),
            )
            for name, (states, p, q) in columns.items()
        }
    )
    return rows.mask(rng.random(rows.shape) < share)


# -- independent truths -------------------------------------------------------


def test_two_classes_of_goodman():
    """The numbers of Goodman (1974) for the data of Stouffer and Toby."""
    X, counts = role_conflict()
    model = LatentClass(2, alpha=0, n_init=5, random_state=1)
    model.fit(X, sample_weight=counts)
    assert model.converged_
    assert_allclose(model.objective_history_[-1], -504.468, atol=1e-3)
    assert_allclose(np.exp(model.class_log_prior_), [0.721, 0.279], atol=1e-3)
    published = [
        (0.714, 0.993),
        (0.330, 0.940),
        (0.354, 0.927),
        (0.132, 0.769),
    ]
    for logs, first in zip(model.feature_log_prob_, published, strict=True):
        assert_allclose(np.exp(logs[:, 0]), first, atol=1e-3)
    expected = 216 * np.exp(model.score_samples(X))
    deviance = 2 * (counts * np.log(counts / expected)).sum()
    assert_allclose(deviance, 2.720, atol=1e-3)


def test_probabilities_are_those_of_all_assignments_of_classes():
    X = drawn_rows(1, n_rows=7, share=0.2)
    options = {"missing": "marginalise", "random_state": 0}
    model = LatentClass(2, **options).fit(X)
    prior = np.exp(model.class_log_prior_)
    tables = [np.exp(logs) for logs in model.feature_log_prob_]
    codes = [
        pd.Categorical(X[name], categories=states).codes
        for name, states in zip(X, model.categories_, strict=True)
    ]
    total, shares = 0.0, np.zeros((7, 2))
    for classes in product(range(2), repeat=7):
        p = np.prod(
            [
                prior[k]
                * np.prod(
                    [
                        table[k, column[n]]
                        for table, column in zip(tables, codes, strict=True)
                        if column[n] >= 0
                    ]
                )
                for n, k in enumerate(classes)
            ]
        )
        total += p
        shares[range(7), classes] += p
    assert_allclose(7 * model.score(X), np.log(total))
    assert_allclose(model.predict_proba(X), shares / total)
    assert_array_equal(model.predict(X), shares.argmax(axis=1))


def by_hand(rows, n_states, pi, tables, alpha):
    """Make a step of EM by its definition, with loops."""
    K = len(pi)
    classes = np.full(K, float(alpha))
    counts = [np.full((K, n), float(alpha)) for n in n_states]
    log_likelihood = 0.0
    for row in rows:
        joint = np.array(pi)
        for table, state in zip(tables, row, strict=True):
            joint = joint * (table[:, state] if state >= 0 else 1)
        log_likelihood += np.log(joint.sum())
        posterior = joint / joint.sum()
        classes += posterior
        for count, state in zip(counts, row, strict=True):
            if state >= 0:
                count[:, state] += posterior
    tables = [count / count.sum(axis=1, keepdims=True) for count in counts]
    return log_likelihood, classes / classes.sum(), tables


@pytest.mark.parametrize("alpha", [0, 0.5])
def test_a_step_is_the_one_by_hand(alpha):
    rng = np.random.default_rng(2)
    n_states = (3, 2, 4)
    rows = np.column_stack([rng.integers(-1, n, 30) for n in n_states])
    mixture = Mixture(rows, np.ones(30), n_states, 3, alpha)
    theta = mixture.draw_start(rng)
    for _ in range(3):
        pi, rest = theta[:3], theta[3:].reshape(3, -1)
        tables = np.split(rest, [3, 5], axis=1)
        value, pi, tables = by_hand(rows, n_states, pi, tables, alpha)
        step = mixture.step(theta)
        if alpha:
            value += alpha * np.log(theta).sum()
        assert_allclose(step.value, value)
        assert_allclose(step.after[:3], pi)
        assert_allclose(step.after[3:].reshape(3, -1), np.hstack(tables))
        theta = step.after


@pytest.mark.parametrize("alpha", [0, 1])
def test_the_end_is_a_maximum_of_the_general_algorithm(alpha):
    """EM with a latent parent of all columns has nothing to gain there."""
    X = drawn_rows(2, share=0.3)
    model = LatentClass(
        2, alpha=alpha, missing="marginalise", tol=1e-8, random_state=0
    ).fit(X)
    star = model.to_network()
    run = fit_em(star, X, latent=["class"], start=star, pseudo_count=alpha)
    assert_allclose(run.history, model.objective_history_[-1])
    for node, table in star.tables.items():
        assert_allclose(
            run.network.tables[node].values, table.values, atol=1e-3
        )
    batch = JunctionTree(star).batch(X)
    assert_allclose(model.predict_proba(X), batch["class"])
    assert_allclose(model.score_samples(X), batch.log_evidence, atol=1e-12)


def test_parameters_are_recovered():
    truth = LatentClass(2, alpha=0, random_state=0).fit(drawn_rows(3, 1000))
    X = truth.to_network().sample(20_000, rng=1)
    hidden = X.pop("class")
    model = LatentClass(2, alpha=0, random_state=5).fit(X)
    assert_allclose(
        np.exp(model.class_log_prior_),
        np.exp(truth.class_log_prior_),
        atol=0.04,
    )
    for found, true in zip(
        model.feature_log_prob_, truth.feature_log_prob_, strict=True
    ):
        assert_allclose(np.exp(found), np.exp(true), atol=0.04)
    # No rule does better than Bayes' with the true parameters.
    assert np.mean(model.predict(X) == hidden) == pytest.approx(
        np.mean(truth.predict(X) == hidden), abs=0.01
    )


def test_one_class_is_counting():
    X = drawn_rows(4)
    model = LatentClass(1, alpha=2).fit(X)
    counted = CategoricalNB(alpha=2).fit(X, np.zeros(len(X)))
    assert_allclose(model.class_log_prior_, [0])
    for found, true in zip(
        model.feature_log_prob_, counted.feature_log_prob_, strict=True
    ):
        assert_allclose(found, true)


def test_digits_of_ten_kinds():
    digits = load_digits(as_frame=True)
    model = LatentClass(10, random_state=0).fit(digits.data > 7)
    assert model.converged_
    assert (np.diff(model.class_log_prior_) <= 0).all()
    found = model.predict(digits.data > 7)
    # Each class as the kind that it has most of.
    right = sum(
        np.bincount(digits.target[found == k]).max() for k in range(10)
    )
    assert right / len(found) > 0.6


# -- training -----------------------------------------------------------------


@settings(deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 4),
    st.sampled_from([0, 0.1, 1]),
)
def test_the_objective_never_falls(seed, n_components, alpha):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, (2, 3, 4), (rng.integers(2, 40), 3)).astype(float)
    X[rng.random(X.shape) < 0.2] = np.nan
    X[0] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LatentClass(
            n_components,
            alpha=alpha,
            missing="marginalise",
            max_iter=50,
            random_state=seed,
        ).fit(X)
    assert (np.diff(model.objective_history_) >= -1e-9).all()
    penalty = (
        alpha
        * sum(
            logs.sum()
            for logs in (model.class_log_prior_, *model.feature_log_prob_)
        )
        if alpha
        else 0
    )
    assert_allclose(
        model.objective_history_[-1], len(X) * model.score(X) + penalty
    )
    assert len(model.objective_history_) == model.n_iter_ + 1


def test_more_starts_find_more():
    X = load_digits(as_frame=True).data[:300] > 7
    options = {"alpha": 0, "tol": 0.1}
    rng = np.random.RandomState(3)
    ends = [
        LatentClass(5, random_state=rng, **options).fit(X).score(X)
        for _ in range(4)
    ]
    best = LatentClass(5, random_state=3, n_init=4, **options).fit(X)
    assert best.score(X) == pytest.approx(max(ends))
    assert max(ends) > min(ends) + 0.01


def test_a_weight_is_a_number_of_repetitions():
    X, counts = role_conflict()
    weighted = LatentClass(2, random_state=0).fit(X, sample_weight=counts)
    shuffled = X.loc[np.repeat(X.index, counts)].sample(frac=1, random_state=1)
    repeated = LatentClass(2, random_state=0).fit(shuffled)
    assert_array_equal(repeated.class_log_prior_, weighted.class_log_prior_)
    for one, other in zip(
        repeated.feature_log_prob_, weighted.feature_log_prob_, strict=True
    ):
        assert_array_equal(one, other)


def test_more_classes_than_rows_are_no_trouble():
    X = pd.DataFrame({"A": ["y", "n"], "B": ["y", "n"]})
    model = LatentClass(5, alpha=0, random_state=0).fit(X)
    assert_allclose(model.score(X), np.log(0.5))


def test_too_few_steps_are_reported():
    X = drawn_rows(5)
    with pytest.warns(
        ConvergenceWarning, match="3 steps.*raise max_iter"
    ) as seen:
        model = LatentClass(2, max_iter=3, random_state=0).fit(X)
    assert seen[0].filename == __file__
    assert not model.converged_
    assert model.n_iter_ == 3


def test_classes_that_begin_alike_are_a_saddle_point(monkeypatch):
    def level(mixture, rng):
        theta = np.ones(2 + 2 * 9)
        return theta / mixture.totals(theta)

    monkeypatch.setattr(Mixture, "draw_start", level)
    with pytest.warns(ConvergenceWarning, match="saddle point: take n_init"):
        model = LatentClass(2, random_state=0).fit(drawn_rows(6))
    assert not model.converged_


# -- scikit-learn's manners ---------------------------------------------------


@parametrize_with_checks(
    [
        LatentClass(missing="marginalise", unseen="marginalise"),
    ]
)
def test_keeps_the_manners_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check(estimator)


def test_a_grid_search_finds_the_number_of_classes():
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 3, 600)
    X = pd.DataFrame(
        rng.normal(3 * hidden[:, None], 1, (600, 4)), columns=list("abcd")
    )
    into_states = KBinsDiscretizer(
        4, encode="ordinal", strategy="uniform"
    ).set_output(transform="pandas")
    search = GridSearchCV(
        make_pipeline(into_states, LatentClass(random_state=0, n_init=3)),
        {"latentclass__n_components": [1, 2, 3, 4, 5]},
        cv=3,
    ).fit(X)
    assert search.best_params_ == {"latentclass__n_components": 3}
    found = search.predict(X)
    assert pd.crosstab(found, hidden).max().sum() > 570


def test_can_be_copied_and_stored():
    X = drawn_rows(7)
    model = LatentClass(3, alpha=0.5, random_state=1).fit(X)
    again = clone(model).fit(X)
    stored = pickle.loads(pickle.dumps(model))
    for other in (again, stored):
        assert_array_equal(other.predict_proba(X), model.predict_proba(X))


# -- rows ---------------------------------------------------------------------


def test_columns_have_names_and_categories():
    X = drawn_rows(8)
    X["A"] = pd.Categorical(X["A"], categories=list("wxyz"))
    model = LatentClass(2, random_state=0).fit(X)
    assert model.feature_names_in_.tolist() == ["A", "B", "C"]
    assert model.categories_[0].tolist() == list("wxyz")
    assert model.n_categories_.tolist() == [4, 2, 4]
    new = X.head(3).assign(A=["w", "x", "y"])
    assert np.isfinite(model.score_samples(new)).all()
    tables = model.to_tables()
    assert tables[1].states["A"] == tuple("wxyz")
    assert tables[0].variables == ("class",)


def test_a_column_may_be_called_class():
    X = drawn_rows(9).rename(columns={"A": "class"})
    network = LatentClass(2, random_state=0).fit(X).to_network()
    assert set(network.graph.predecessors("class")) == {"class_"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda X: X.assign(B=None), "NaN: row 0, column 'B'"),
        (lambda X: X.assign(N=-1), "column 'N'"),
        (lambda X: X[:0], "0 sample"),
    ],
)
def test_rows_that_cannot_be_read_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        LatentClass().fit(change(drawn_rows(10)))


def test_other_rows_than_those_of_training_are_named():
    X = drawn_rows(11)
    model = LatentClass(random_state=0).fit(X)
    with pytest.raises(
        ProbabilityError, match=r"row 1 of column 'B'.*'q'"
    ) as error:
        model.predict(X.head(2).assign(B=["n", "q"]))
    assert "LatentClass(unseen='marginalise')" in str(error.value)
    with pytest.raises(ValueError, match=r"column 'B'.*LatentClass\(missing="):
        model.predict_proba(X.head(2).assign(B=["n", None]))
    with pytest.raises(ValueError, match="feature names"):
        model.score(X[["B", "A", "C"]])
    lenient = clone(model).set_params(unseen="marginalise").fit(X)
    lenient.set_params(missing="marginalise")
    assert_allclose(
        lenient.score_samples(X.head(1).assign(B="q")),
        lenient.score_samples(X.head(1).assign(B=None)),
    )


def test_a_column_without_a_value_is_named():
    X = drawn_rows(12).assign(
        D=pd.Categorical([None] * 200, categories=["a", "b"])
    )
    with pytest.raises(ProbabilityError, match="'D' has no value in any row"):
        LatentClass(missing="marginalise").fit(X)


def test_an_impossible_row_has_no_class():
    X = pd.DataFrame({"A": list("yynn"), "B": [0, 2, 0, 2]})
    model = LatentClass(1, alpha=0).fit(X)
    odd = pd.DataFrame({"A": ["y", "y"], "B": [0, 1]})
    assert_allclose(model.score_samples(odd), [np.log(0.25), -np.inf])
    for ask in (model.predict, model.predict_proba):
        with pytest.raises(ZeroProbabilityError, match="Row 1 is impossible"):
            ask(odd)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_components", 0),
        ("n_components", 2.5),
        ("alpha", -1),
        ("min_categories", 0),
        ("missing", "drop"),
        ("unseen", "drop"),
        ("tol", 0),
        ("max_iter", 0),
        ("n_init", 0),
        ("random_state", "seed"),
    ],
)
def test_parameters_that_make_no_sense_are_named(name, value):
    X = np.array([[0, 1], [1, 0], [1, 1]])
    with pytest.raises((ValueError, TypeError), match=f"{name}|{value}"):
        LatentClass(**{name: value}).fit(X)


@pytest.mark.parametrize("weights", [[1, 1], [0, 0, 0], [1, -1, 1]])
def test_weights_that_make_no_sense_are_refused(weights):
    X = np.array([[0, 1], [1, 0], [1, 1]])
    with pytest.raises(ValueError, match=r"[Ww]eight"):
        LatentClass().fit(X, sample_weight=weights)
