"""The Kalman filter, against the joint Gaussian of states and observations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from bayesbook.base import ProbabilityError
from bayesbook.sequences import (
    HiddenMarkov,
    KalmanFilter,
    kalman,
    kalman_step,
)

SEEDS = st.integers(0, 2**32 - 1)


def draw(rng, D, M):
    """Draw a model."""

    def covariance(n):
        root = rng.normal(size=(n, n))
        return root @ root.T + 0.1 * np.eye(n)

    return KalmanFilter(
        rng.normal(size=(D, D)) / D,
        covariance(D),
        rng.normal(size=(M, D)),
        covariance(M),
        rng.normal(size=D),
        covariance(D),
    )


def joint_gaussian(model, T):
    """Return mean and covariance of z_1 ... z_T, x_1 ... x_T."""
    D = len(model.mean)
    A, C = model.transition, model.observation
    # Everything is a linear function of independent noise.
    states = np.zeros((T * D, T * D))
    for t in range(T):
        for s in range(t + 1):
            power = np.linalg.matrix_power(A, t - s)
            states[t * D : (t + 1) * D, s * D : (s + 1) * D] = power
    noise = np.kron(np.eye(T), model.transition_cov)
    noise[:D, :D] = model.cov
    mean = states[:, :D] @ model.mean
    cov = states @ noise @ states.T
    see = np.kron(np.eye(T), C)
    both = np.vstack([np.eye(T * D), see])
    cov = both @ cov @ both.T
    cov[T * D :, T * D :] += np.kron(np.eye(T), model.observation_cov)
    return both @ mean, cov


def condition(mean, cov, hidden, seen, x):
    """Return the Gaussian of some entries given others."""
    gain = np.linalg.solve(cov[np.ix_(seen, seen)], cov[np.ix_(seen, hidden)])
    return (
        mean[hidden] + gain.T @ (x - mean[seen]),
        cov[np.ix_(hidden, hidden)] - gain.T @ cov[np.ix_(seen, hidden)],
    )


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.integers(1, 3), st.integers(1, 2), st.integers(1, 5))
def test_everything_is_the_joint_gaussian(seed, D, M, T):
    rng = np.random.default_rng(seed)
    model = draw(rng, D, M)
    X, _ = model.sample(T, rng=rng)
    missing = rng.random(T) < 0.3
    X[missing] = np.nan
    mean, cov = joint_gaussian(model, T)
    seen = [
        T * D + t * M + m for t in range(T) for m in range(M) if not missing[t]
    ]
    x = X[~missing].ravel()
    expected = (
        multivariate_normal.logpdf(x, mean[seen], cov[np.ix_(seen, seen)])
        if seen
        else 0.0
    )
    assert model.log_likelihood(X) == pytest.approx(expected)
    for name, until in (("filter", 1), ("predict", 0), ("smooth", T)):
        found = getattr(model, name)(X)
        for t in range(T):
            known = [i for i in seen if i < T * D + (t + until) * M]
            hidden = [t * D + d for d in range(D)]
            m, v = condition(mean, cov, hidden, known, x[: len(known)])
            np.testing.assert_allclose(found.mean[t], m, atol=1e-7)
            np.testing.assert_allclose(found.cov[t], v, atol=1e-7)


def test_the_step_is_the_definition():
    model = draw(np.random.default_rng(1), 3, 2)
    X, _ = model.sample(30, rng=1)
    found = model.filter(X)
    mean, cov = found.mean[0], found.cov[0]
    for t in range(1, 30):
        mean, cov = kalman_step(
            mean,
            cov,
            X[t],
            model.transition,
            model.transition_cov,
            model.observation,
            model.observation_cov,
        )
        np.testing.assert_allclose(found.mean[t], mean, atol=1e-8)
        np.testing.assert_allclose(found.cov[t], cov, atol=1e-8)


@pytest.mark.parametrize("most", [1000, 3])
def test_a_long_sequence_is_the_definition_step_by_step(most, monkeypatch):
    """Covariances repeat, and after missing observations begin anew.

    Where more of them differ than are kept, none is mixed up either.
    """
    monkeypatch.setattr(kalman, "_MOST", most)
    rng = np.random.default_rng(2)
    model = draw(rng, 3, 1)
    X = rng.normal(size=(2500, 1))
    X[1000:1010] = X[2000] = np.nan
    found = model.filter(X)
    A, Q = model.transition, model.transition_cov
    mean, cov = found.mean[0], found.cov[0]
    for t in range(1, len(X)):
        if np.isnan(X[t, 0]):
            mean, cov = A @ mean, A @ cov @ A.T + Q
        else:
            C, R = model.observation, model.observation_cov
            mean, cov = kalman_step(mean, cov, X[t], A, Q, C, R)
        assert np.allclose(found.mean[t], mean)
        assert np.allclose(found.cov[t], cov)


def test_a_state_that_stays_is_a_mean_that_is_learned():
    """Without noise of the state it is the conjugate update of a mean."""
    x = np.array([3.0, 5.0, 4.0, 8.0])
    model = KalmanFilter(1, 0, 1, 2, mean=1, cov=10)
    precision = 1 / 10 + np.arange(1, 5) / 2
    found = model.filter(x)
    np.testing.assert_allclose(found.cov[:, 0, 0], 1 / precision)
    np.testing.assert_allclose(
        found.mean[:, 0], (1 / 10 + np.cumsum(x) / 2) / precision
    )
    np.testing.assert_allclose(model.smooth(x).mean[:, 0], found.mean[-1, 0])


def test_the_recursion_is_that_of_a_hidden_markov_model():
    """On a fine grid of states, sums are nearly integrals."""
    model = KalmanFilter(0.8, 1, 1, 2, mean=0, cov=2)
    x = [1.0, 2.5, -1.0, 0.5]
    grid = np.linspace(-12, 12, 241)
    step = grid[1] - grid[0]
    difference = grid[None, :] - 0.8 * grid[:, None]
    A = np.exp(-(difference**2) / 2) * step / np.sqrt(2 * np.pi)
    start = np.exp(-(grid**2) / 4)
    chain = HiddenMarkov.from_parameters(
        start / start.sum(),
        A / A.sum(axis=1, keepdims=True),
        means=grid,
        covariances=np.full(241, 2.0),
    )
    assert chain.log_likelihood(x) == pytest.approx(
        model.log_likelihood(x), abs=1e-6
    )
    np.testing.assert_allclose(
        chain.posteriors(x) @ grid, model.smooth(x).mean[:, 0], atol=1e-5
    )
    np.testing.assert_allclose(
        chain.filter(x) @ grid, model.filter(x).mean[:, 0], atol=1e-5
    )


def test_a_long_sequence_keeps_its_covariances():
    model = KalmanFilter(
        [[1, 1], [0, 1]],
        np.diag([1e-4, 1e-8]),
        [1, 0],
        1e4,
        mean=[0, 0],
        cov=np.eye(2) * 1e8,
    )
    X, states = model.sample(3000, rng=0)
    smooth, filtered = model.smooth(X), model.filter(X)
    for estimates in (smooth, filtered):
        assert np.linalg.eigvalsh(estimates.cov).min() > 0
    z = (states - smooth.mean) / np.sqrt(
        np.diagonal(smooth.cov, axis1=1, axis2=2)
    )
    assert 0.2 < (z**2).mean() < 4
    assert (
        np.trace(smooth.cov, axis1=1, axis2=2)
        <= np.trace(filtered.cov, axis1=1, axis2=2) * (1 + 1e-9)
    ).all()


def test_missing_at_the_end_is_a_forecast():
    model = KalmanFilter(0.5, 1, 1, 1, mean=0, cov=1)
    x = np.array([4.0, np.nan, np.nan])
    found = model.filter(x)
    np.testing.assert_allclose(found.mean[:, 0], [2, 1, 0.5])
    np.testing.assert_allclose(found.cov[:, 0, 0], [0.5, 1.125, 1.28125])
    assert model.log_prob(x)[1:].tolist() == [0, 0]


def test_draws_have_the_moments_of_the_model():
    model = KalmanFilter(0.5, 3, 2, 1, mean=0, cov=4)
    X, states = model.sample(50_000, rng=0)
    assert states.var() == pytest.approx(4, rel=0.05)
    assert X.var() == pytest.approx(4 * 4 + 1, rel=0.05)
    assert X.shape == states.shape == (50_000, 1)


def test_it_cannot_be_changed():
    model = KalmanFilter(1, 1, 1, 1, mean=0, cov=1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        model.mean = [3]
    with pytest.raises(ValueError, match="read-only"):
        model.cov[0, 0] = 2
    assert repr(model) == "KalmanFilter(1 in a state, 1 in an observation)"


GOOD = {
    "transition": np.eye(2),
    "transition_cov": np.eye(2),
    "observation": [1, 0],
    "observation_cov": 1,
    "mean": [0, 0],
    "cov": np.eye(2),
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"transition": np.ones((2, 3))},
            r"has the shape \(2, 3\)",
        ),
        ({"mean": [0, 0, 0]}, r"mean has the shape \(3,\)"),
        ({"mean": [[0, 0]]}, "a vector"),
        ({"cov": [[1, 2], [0, 1]]}, "cov is not symmetric"),
        ({"cov": [[1, 2], [2, 1]]}, "cov has the negative eigenvalue -1"),
        ({"observation_cov": -1}, "negative eigenvalue"),
        ({"transition": [[1, np.nan], [0, 1]]}, "not finite"),
        ({"transition": "a"}, "not of numbers"),
        ({"observation": [[1, 0], [0, 1]]}, "observation_cov has the shape"),
    ],
)
def test_wrong_parameters_are_refused(changes, message):
    with pytest.raises(ProbabilityError, match=message):
        KalmanFilter(**GOOD | changes)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([], "shape"),
        ([[1.0, 2.0]], r"\(T, 1\)"),
        (["a"], "not numbers"),
        ([1.0, np.inf], "position 1 .*too large"),
    ],
)
def test_wrong_sequences_are_refused(X, message):
    with pytest.raises(ProbabilityError, match=message):
        KalmanFilter(**GOOD).filter(X)


def test_half_a_row_may_not_be_missing():
    model = draw(np.random.default_rng(0), 2, 2)
    with pytest.raises(ProbabilityError, match=r"position 1 .*column 0"):
        model.filter([[1, 2], [np.nan, 2]])


def test_a_singular_observation_is_named():
    model = KalmanFilter(1, 0, 1, 0, mean=0, cov=1)
    assert model.log_prob([2.0])[0] == pytest.approx(
        -2 - np.log(2 * np.pi) / 2
    )
    with pytest.raises(ProbabilityError, match="position 1 is singular"):
        model.filter([2.0, 2.0])
