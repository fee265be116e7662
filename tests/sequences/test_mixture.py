"""Mixtures, against sums over components and scikit-learn's."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import (
    ConvergenceWarning,
    ProbabilityError,
    ZeroProbabilityError,
)
from bayesbook.naive_bayes import LatentClass
from bayesbook.sequences import Mixture

RNG = np.random.default_rng(0)
BLOBS = np.concatenate(
    [
        RNG.normal(size=(120, 2)),
        RNG.normal(size=(60, 2)) @ [[1, 0.8], [0, 0.4]] + [4, 2],
    ]
)
COVARIANCES = {"full": "full", "diagonal": "diag"}
SEEDS = st.integers(0, 2**32 - 1)


@parametrize_with_checks([Mixture()])
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def draw(rng, family, K, M):
    """Draw the parameters of a mixture."""
    weights = rng.dirichlet(np.ones(K))
    if family == "bernoulli":
        return Mixture.from_parameters(
            weights, probabilities=rng.uniform(0.05, 0.95, (K, M))
        )
    if family == "categorical":
        tables = [rng.dirichlet(np.ones(m + 2), K) for m in range(M)]
        return Mixture.from_parameters(weights, probabilities=tables)
    roots = rng.normal(size=(K, M, M))
    return Mixture.from_parameters(
        weights,
        means=rng.normal(size=(K, M)) * 3,
        covariances=roots @ roots.swapaxes(1, 2) + np.eye(M),
    )


def density(model, k, x):
    """Return p(x | k), written down."""
    if model.family == "gaussian":
        return multivariate_normal.pdf(
            x, model.means_[k], model.covariances_[k]
        )
    if model.family == "bernoulli":
        p = model.probabilities_[k]
        return np.prod(np.where(np.asarray(x) == 1, p, 1 - p))
    return np.prod(
        [table[k, s] for table, s in zip(model.probabilities_, x, strict=True)]
    )


@settings(max_examples=40, deadline=None)
@given(
    SEEDS,
    st.sampled_from(["bernoulli", "categorical", "gaussian"]),
    st.integers(1, 4),
    st.integers(1, 3),
)
def test_everything_is_bayes_rule(seed, family, K, M):
    rng = np.random.default_rng(seed)
    model = draw(rng, family, K, M)
    X, _ = model.sample(5, rng=rng)
    joint = np.array(
        [
            [w * density(model, k, x) for k, w in enumerate(model.weights_)]
            for x in X
        ]
    )
    np.testing.assert_allclose(
        np.exp(model.predict_joint_log_proba(X)), joint, rtol=1e-7
    )
    total = joint.sum(axis=1)
    np.testing.assert_allclose(
        model.predict_proba(X), joint / total[:, None], atol=1e-9
    )
    np.testing.assert_allclose(model.log_prob(X), np.log(total), atol=1e-9)
    assert model.log_likelihood(X) == pytest.approx(np.log(total).sum())
    assert model.score(X) == pytest.approx(np.log(total).mean())
    assert model.predict(X).tolist() == joint.argmax(axis=1).tolist()


@pytest.mark.parametrize("family", ["bernoulli", "categorical"])
def test_the_probabilities_of_all_rows_sum_to_one(family):
    model = draw(np.random.default_rng(1), family, 3, 3)
    sizes = [2] * 3 if family == "bernoulli" else [2, 3, 4]
    rows = list(product(*map(range, sizes)))
    assert np.exp(model.log_prob(rows)).sum() == pytest.approx(1)


@pytest.mark.parametrize("covariance", COVARIANCES)
@pytest.mark.parametrize("steps", [1, 7])
def test_the_steps_are_those_of_scikit_learn(covariance, steps):
    means = [[0.0, 1.0], [2.0, 2.0]]
    full = covariance == "full"
    covs = np.array([np.eye(2)] * 2) if full else np.ones((2, 2))
    start = Mixture.from_parameters([0.3, 0.7], means=means, covariances=covs)
    with pytest.warns(ConvergenceWarning):
        ours = Mixture(
            2, covariance=covariance, var_smoothing=0, max_iter=steps
        ).fit(BLOBS, start=start)
    theirs = GaussianMixture(
        2,
        covariance_type=COVARIANCES[covariance],
        reg_covar=0,
        tol=0,
        max_iter=steps,
        weights_init=[0.3, 0.7],
        means_init=means,
        precisions_init=covs,
    )
    with pytest.warns(Warning, match="converge"):
        theirs.fit(BLOBS)
    np.testing.assert_allclose(ours.weights_, theirs.weights_)
    np.testing.assert_allclose(ours.means_, theirs.means_)
    np.testing.assert_allclose(ours.covariances_, theirs.covariances_)
    np.testing.assert_allclose(
        ours.score_samples(BLOBS), theirs.score_samples(BLOBS)
    )


def test_the_maximum_is_that_of_scikit_learn():
    ours = Mixture(2, var_smoothing=0, random_state=0, tol=1e-8).fit(BLOBS)
    theirs = GaussianMixture(
        2, reg_covar=0, tol=1e-10, max_iter=1000, random_state=0
    ).fit(BLOBS)
    order = np.argsort(-theirs.weights_)
    np.testing.assert_allclose(ours.means_, theirs.means_[order], atol=1e-4)
    assert ours.score(BLOBS) == pytest.approx(theirs.score(BLOBS))


def test_categories_are_latent_classes():
    """The same model, trained with other steps, has the same maximum."""
    X = draw(np.random.default_rng(2), "categorical", 2, 5).sample(400, rng=2)[
        0
    ]
    ours = Mixture(
        2, "categorical", alpha=1, n_init=5, tol=1e-7, random_state=0
    ).fit(X)
    theirs = LatentClass(2, alpha=1, n_init=5, tol=1e-7, random_state=0).fit(X)
    assert ours.objective_history_[-1] == pytest.approx(
        theirs.objective_history_[-1], abs=1e-4
    )
    np.testing.assert_allclose(
        ours.weights_, np.exp(theirs.class_log_prior_), atol=1e-3
    )
    np.testing.assert_allclose(
        ours.log_prob(X), theirs.score_samples(X), atol=1e-3
    )


@settings(max_examples=25, deadline=None)
@given(
    SEEDS,
    st.sampled_from(["bernoulli", "categorical", "gaussian"]),
    st.sampled_from([0.0, 0.5]),
    st.sampled_from(["full", "diagonal"]),
)
def test_training_never_lowers_the_objective(seed, family, alpha, covariance):
    rng = np.random.default_rng(seed)
    X, _ = draw(rng, family, 2, 2).sample(40, rng=rng)
    model = Mixture(
        3,
        family,
        covariance=covariance,
        alpha=alpha,
        random_state=seed % 1000,
        max_iter=3000,
    ).fit(X)
    history = model.objective_history_
    assert np.all(np.diff(history) >= -1e-9 * (1 + abs(history[0])))
    if not alpha and family != "gaussian":
        assert history[-1] == pytest.approx(model.log_likelihood(X))
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert model.weights_.sum() == pytest.approx(1)


@pytest.mark.parametrize("family", ["bernoulli", "categorical", "gaussian"])
def test_weights_are_repetitions(family):
    rng = np.random.default_rng(5)
    truth = draw(rng, family, 2, 3)
    X, _ = truth.sample(60, rng=rng)
    weights = rng.integers(0, 4, 60)
    weighted = Mixture(2, family, random_state=1).fit(X, sample_weight=weights)
    repeated = Mixture(2, family, random_state=1).fit(np.repeat(X, weights, 0))
    np.testing.assert_allclose(
        weighted.log_prob(X), repeated.log_prob(X), atol=1e-6
    )


def test_one_component_is_the_plain_estimate():
    X = BLOBS[:20]
    model = Mixture(1, var_smoothing=0).fit(X)
    np.testing.assert_allclose(model.means_[0], X.mean(axis=0))
    np.testing.assert_allclose(
        model.covariances_[0], np.cov(X.T, bias=True), atol=1e-12
    )
    binary = (X > 0).astype(int)
    smoothed = Mixture(1, "bernoulli", alpha=1).fit(binary)
    np.testing.assert_allclose(
        smoothed.probabilities_[0], (binary.sum(axis=0) + 1) / 22
    )


def test_the_prior_keeps_a_component_from_a_single_row():
    X = np.array([[0.0], [0.1], [0.2], [0.3], [50.0]])
    model = Mixture(2, random_state=0).fit(X)
    spread = 1e-3 * X.var()
    k = int(model.predict([[50.0]])[0])
    assert model.covariances_[k, 0, 0] == pytest.approx(spread, rel=1e-6)
    with pytest.raises(ProbabilityError, match=r"singular.*var_smoothing > 0"):
        Mixture(2, var_smoothing=0, random_state=0).fit(X)


def test_categories_keep_their_names():
    frame = pd.DataFrame(
        {"sky": list("ccccrrr"), "wind": ["w", "w", "w", "e", "e", "e", "e"]}
    )
    model = Mixture(2, "categorical", random_state=0).fit(frame)
    assert [c.tolist() for c in model.categories_] == [["c", "r"], ["e", "w"]]
    drawn, components = model.sample(5, rng=0)
    assert list(drawn.columns) == ["sky", "wind"]
    assert set(drawn["sky"]) <= {"c", "r"}
    assert len(components) == 5
    with pytest.raises(ProbabilityError, match="row 1, column 'sky' is 'x'"):
        model.predict(pd.DataFrame({"sky": ["c", "x"], "wind": ["w", "e"]}))


def test_the_most_probable_component_is_the_first():
    model = Mixture(2, random_state=3).fit(BLOBS)
    assert np.all(np.diff(model.weights_) <= 0)
    start = Mixture.from_parameters(
        model.weights_[::-1],
        means=model.means_[::-1],
        covariances=model.covariances_[::-1],
    )
    again = Mixture(2).fit(BLOBS, start=start)
    np.testing.assert_allclose(again.means_, model.means_[::-1], atol=1e-2)


def test_far_from_zero_and_in_small_units():
    shifted = Mixture(2, random_state=0).fit(BLOBS * 1e-6 + 100)
    plain = Mixture(2, random_state=0).fit(BLOBS)
    np.testing.assert_allclose(
        (shifted.means_ - 100) * 1e6, plain.means_, atol=1e-2
    )


def test_a_bernoulli_of_probability_zero_is_impossible():
    model = Mixture.from_parameters(
        [0.5, 0.5], probabilities=[[0, 0.5], [0, 1.0]]
    )
    assert model.log_prob([[0, 1], [1, 1]]).tolist() == [
        pytest.approx(np.log(0.75)),
        -np.inf,
    ]
    with pytest.raises(ZeroProbabilityError, match="Row 1 is impossible"):
        model.predict_proba([[0, 1], [1, 1]])
    with pytest.raises(ZeroProbabilityError, match="Row 0 is impossible"):
        model.predict([[1, 1]])


def test_a_progress_bar_is_shown(capsys):
    Mixture(2, random_state=0, progress=True).fit(BLOBS)
    assert "steps" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("model", "X", "message"),
    [
        (Mixture(0), BLOBS, "n_components is 0"),
        (Mixture(4), BLOBS[:3], "n_components=4, but n_samples=3"),
        (Mixture(2, "gausian"), BLOBS, "did you mean|Did you mean"),
        (Mixture(2, covariance="tied"), BLOBS, "'tied' is none of"),
        (Mixture(2, alpha=-1), BLOBS, "alpha is -1"),
        (Mixture(2), [[1.0], [np.nan]], "NaN: row 1, column 0"),
        (Mixture(2), [[1.0], [np.inf]], "infinity: row 1"),
        (Mixture(2), [[1.0], [1e200]], "too large"),
        (Mixture(2), [[1.0], [1.0], [1.0]], "does not vary"),
        (Mixture(2, "bernoulli"), [[0], [2]], "row 1, column 0 is 2: neither"),
        (Mixture(2, "categorical"), [["a"], [None]], "NaN: row 1"),
        (Mixture(2), [1.0, 2.0], "1D array"),
        (
            Mixture(2, var_smoothing=0),
            np.c_[BLOBS, BLOBS.sum(axis=1)],
            "linear functions",
        ),
    ],
)
def test_wrong_training_is_refused(model, X, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"proportions": [0.5, 0.6], "probabilities": [[0.5], [1]]},
            r"sums to",
        ),
        (
            {"proportions": [0.5, 0.5], "probabilities": [[0.5]]},
            "1 components",
        ),
        ({"proportions": [1], "probabilities": [[1.5]]}, "greater than 1"),
        ({"proportions": [1]}, "either probabilities"),
        ({"proportions": [1], "means": [0]}, "either probabilities"),
        (
            {
                "proportions": [1],
                "means": [[0, 0]],
                "covariances": [[[1, 2]] * 2],
            },
            "not symmetric",
        ),
        (
            {
                "proportions": [1],
                "means": [[0, 0]],
                "covariances": [[[1, 1], [1, 1]]],
            },
            "singular",
        ),
        (
            {"proportions": [1], "means": [[0, 0]], "covariances": [[1]]},
            "shape",
        ),
    ],
)
def test_wrong_parameters_are_refused(given, message):
    with pytest.raises(ProbabilityError, match=message):
        Mixture.from_parameters(**given)


def test_a_start_must_fit():
    start = Mixture.from_parameters([1], means=[0], covariances=[1])
    with pytest.raises(ProbabilityError, match="1 components"):
        Mixture(2).fit(BLOBS, start=start)
    with pytest.raises(ProbabilityError, match="1 columns"):
        Mixture(1).fit(BLOBS, start=start)
