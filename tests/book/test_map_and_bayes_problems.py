"""The solved problems of *MAP and Bayes estimates*, recomputed.

By exact fractions over all candidates, by quadrature, and by search on a grid.
That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

from fractions import Fraction as F
from itertools import product
from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, stats
from sklearn.linear_model import LinearRegression, Ridge


def normalised(joint):
    whole = sum(joint.values())
    return {key: weight / whole for key, weight in joint.items()}


def peak(density, low, high):
    """Search for the place of the largest value, between two numbers."""
    found = optimize.minimize_scalar(
        lambda x: -density(x),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return found.x


# --- Two coins and a run of heads -----------------------------------------


def coins(heads):
    return normalised({"fair": F(9, 10) * F(1, 2) ** heads, "two": F(1, 10)})


def test_two_coins():
    first = min(k for k in range(20) if coins(k)["two"] > coins(k)["fair"])
    assert first == 4
    after = coins(first)
    odds = after["two"] / after["fair"]
    assert odds == F(2**first, 9)
    assert odds == F(16, 9)
    assert after["two"] == F(16, 25)
    assert after["fair"] == F(9, 25)
    following = after["two"] + after["fair"] / 2
    assert following == F(41, 50)


def test_two_coins_by_another_count():
    """The next head is one head more among the runs that have come so far."""
    run = {k: F(9, 10) * F(1, 2) ** k + F(1, 10) for k in (4, 5)}
    assert run[5] / run[4] == coins(4)["two"] + coins(4)["fair"] / 2


# --- The waiting time -----------------------------------------------------


@pytest.mark.parametrize(("k", "N"), [(7, 10), (1, 4), (5, 5), (2, 9)])
def test_the_waiting_time_has_its_mode_there(k, N):
    def density(phi):
        """Differentiate the distribution function of 1/θ numerically."""
        law, step = stats.beta(k + 1, N - k + 1), 1e-6
        return law.sf(1 / (phi + step)) - law.sf(1 / (phi - step))

    grid = np.linspace(1 + 2e-6, 8, 200_001)
    found = grid[np.argmax(density(grid))]
    assert abs(found - (N + 2) / (k + 2)) < 2e-3


def test_the_median_goes_along():
    draws = stats.beta(8, 4).rvs(200_001, random_state=1)
    assert np.median(1 / draws) == pytest.approx(1 / np.median(draws))


# --- Which one is nearer the prior? ---------------------------------------


def estimates(a, b, k, N):
    """Return the MAP and the posterior mean, exactly."""
    return F(k + a - 1, N + a + b - 2), F(k + a, N + a + b)


def test_when_the_map_is_nearer():
    nearer, half = 0, F(1, 2)
    cases = [
        (a, b, k, N)
        for a, b, N in product(range(1, 7), range(1, 7), range(1, 13))
        for k in range(N + 1)
    ]
    for a, b, k, N in cases:
        m, M = F(a, a + b), N + a + b
        mode, mean = estimates(a, b, k, N)
        assert mode - half == F(M, M - 2) * (mean - half)
        ends = sorted([half, m + (half - m) / (M - 1)])
        found = abs(mode - m) < abs(mean - m)
        assert found == (ends[0] < mean < ends[1])
        assert not (found and a == b)
        nearer += found
    assert 0 < nearer < len(cases)


def test_nearer_to_the_mean_or_to_the_mode():
    a, b, k, N = 2, 4, 3, 10
    after = stats.beta(a + k, b + N - k)
    at_top, mean = estimates(a, b, k, N)
    assert peak(after.logpdf, 0, 1) == pytest.approx(float(at_top), abs=1e-6)
    assert after.mean() == pytest.approx(float(mean))
    assert a + k == 5
    assert b + N - k == 11
    assert at_top == F(2, 7)
    assert mean == F(5, 16)
    from_mean = [abs(x - F(a, a + b)) for x in (at_top, mean)]
    from_mode = [abs(x - F(a - 1, a + b - 2)) for x in (at_top, mean)]
    assert from_mean[1] < from_mean[0]
    assert from_mode[0] < from_mode[1]
    assert from_mean == [F(1, 21), F(1, 48)]
    assert from_mode == [F(1, 28), F(1, 16)]


# --- When all answers agree -----------------------------------------------


def gaussian_posterior(data, sigma, m, tau):
    """Give mean and variance of the posterior by quadrature."""

    def joint(mu):
        squares = ((np.asarray(data) - mu) ** 2).sum() / sigma**2
        return exp(-squares / 2 - (mu - m) ** 2 / (2 * tau**2))

    reach = [-20, 20]
    moments = [
        integrate.quad(
            lambda mu, d=d: mu**d * joint(mu), *reach, points=[0, 1], limit=200
        )[0]
        for d in range(3)
    ]
    mean = moments[1] / moments[0]
    return mean, moments[2] / moments[0] - mean**2


@pytest.mark.parametrize(
    ("data", "sigma", "m", "tau"),
    [([0.0, 2.0] * 6, 2.0, 0.0, 1.0), ([1.5, -0.5, 0.3], 0.7, 1.0, 0.5)],
)
def test_the_gaussian_posterior(data, sigma, m, tau):
    N, average = len(data), np.mean(data)
    precision = N / sigma**2 + 1 / tau**2
    mean = (N / sigma**2 * average + m / tau**2) / precision
    found = gaussian_posterior(data, sigma, m, tau)
    assert found == pytest.approx((mean, 1 / precision), abs=1e-8)


def test_when_all_answers_agree():
    sigma, tau, N = 2, 1, 12
    worth = F(sigma**2, tau**2)
    assert worth == 4
    assert N == 12
    mean = F(N, N + worth)
    assert N + worth == 16
    assert mean == F(3, 4)
    variance = 1 / (F(N, sigma**2) + F(1, tau**2))
    assert variance == F(1, 4)
    found = gaussian_posterior([0.0, 2.0] * 6, sigma, 0, tau)
    assert found == pytest.approx((float(mean), float(variance)), abs=1e-8)


# --- Ridge with imagined rows ---------------------------------------------


@given(st.integers(0, 10_000), st.floats(0.1, 50))
def test_ridge_is_least_squares_with_more_rows(seed, alpha):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(8, 3)), rng.normal(size=8)
    ridge = Ridge(alpha=alpha, fit_intercept=False).fit(X, y)
    rows = np.vstack([X, sqrt(alpha) * np.eye(3)])
    more = LinearRegression(fit_intercept=False).fit(rows, [*y, 0, 0, 0])
    assert ridge.coef_ == pytest.approx(more.coef_, abs=1e-8)


def test_ridge_with_imagined_rows():
    x, y, extra = [1, 2, 2], [2, 3, 5], 27
    squares = sum(a * a for a in x)
    products = sum(a * b for a, b in zip(x, y, strict=True))
    assert squares == 9
    assert extra == 27
    assert squares + extra == 36
    w = F(products, squares + extra)
    assert products == 18
    assert w == F(1, 2)
    z, v = F(products, squares), F(3**2, squares)
    assert z == 2
    assert v == 1
    border = v / z
    assert border == F(1, 2)

    def estimate(b):
        """Search for the MAP, without the proposition of the chapter."""

        def log_posterior(w):
            gaps = [(c - w * a) ** 2 for a, c in zip(x, y, strict=True)]
            return -sum(gaps) / (2 * 3**2) - abs(w) / b

        return peak(log_posterior, -3, 5)

    assert estimate(0.45) == pytest.approx(0, abs=1e-6)
    assert estimate(0.55) > 0.1
    assert estimate(1) == pytest.approx(1, abs=1e-6)


# --- The inputs come back -------------------------------------------------


def test_the_inputs_come_back():
    prior = {(t, t): F(1, 2) for t in (F(1, 3), F(2, 3))}
    both = normalised({(p, t): w * p * (1 - t) for (p, t), w in prior.items()})
    second = normalised({(p, t): w * (1 - t) for (p, t), w in prior.items()})
    low = (F(1, 3), F(1, 3))
    assert both[low] == F(1, 2)
    assert second[low] == F(2, 3)


# --- A straight line of log-odds ------------------------------------------


def log_odds(x, share, low, high, sigma):
    ratio = stats.norm.logpdf(x, high, sigma) - stats.norm.logpdf(
        x, low, sigma
    )
    return log(share / (1 - share)) + ratio


@given(
    st.floats(-5, 5),
    st.floats(0.05, 0.95),
    st.floats(-2, 2),
    st.floats(-2, 2),
    st.floats(0.5, 3),
)
def test_the_log_odds_are_straight(x, share, low, high, sigma):
    line = (high - low) / sigma**2 * (x - (low + high) / 2)
    line += log(share / (1 - share))
    found = log_odds(x, share, low, high, sigma)
    assert found == pytest.approx(line, abs=1e-9)


@pytest.mark.parametrize(
    ("share", "place"), [(1 / 2, 1), (1 / (1 + exp(2)), 2)]
)
def test_where_the_classes_are_even(share, place):
    found = optimize.brentq(log_odds, -9, 9, args=(share, 0, 2, 1))
    assert found == pytest.approx(place)
