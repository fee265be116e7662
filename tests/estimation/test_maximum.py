"""The maximiser against maxima that are known, and where there are none."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import xlog1py, xlogy
from sklearn.linear_model import LogisticRegression

from bayesbook.base import ConvergenceError, ProbabilityError
from bayesbook.estimation import (
    Bernoulli,
    Exponential,
    Gaussian,
    Poisson,
    maximise,
    maximise_posterior,
    maximum,
)

# -- known maxima -------------------------------------------------------------


@given(st.integers(1, 200), st.integers(1, 200), st.floats(0.01, 0.99))
def test_tosses(k, misses, start):
    n = k + misses
    found = maximise(
        lambda p: k * np.log(p) + misses * np.log(1 - p), start, (0, 1)
    )
    assert isinstance(found.at, float)
    assert found.at == pytest.approx(k / n, rel=1e-6)
    assert found.value == pytest.approx(
        Bernoulli(k / n).log_likelihood([1] * k + [0] * misses)
    )
    error = Bernoulli(k / n).standard_errors(n)["p"]
    assert found.standard_errors() == pytest.approx(error, rel=0.01)
    assert found.on_bound == ()
    assert found.evaluations > 0


@settings(max_examples=20)
@given(st.floats(-140, 140), st.integers(0, 10**6))
def test_the_unit_of_the_parameter_does_not_matter(exponent, seed):
    scale = 10.0**exponent
    data = scale * np.random.default_rng(seed).exponential(size=30)
    found = maximise(
        lambda rate: len(data) * np.log(rate) - rate * data.sum(),
        start=10 / scale,
        bounds=(0, None),
    )
    truth = Exponential.mle(data)
    assert found.at == pytest.approx(truth.rate, rel=1e-6, abs=0)
    assert found.standard_errors() == pytest.approx(
        truth.standard_errors(30)["rate"], rel=0.01, abs=0
    )


def test_several_parameters():
    data = np.array([2.0, 3, 5, 9])
    found = maximise(
        lambda theta: stats.norm(theta[0], theta[1]).logpdf(data).sum(),
        start=[0, 1],
        bounds=[(None, None), (1e-9, None)],
    )
    truth = Gaussian.mle(data)
    np.testing.assert_allclose(found.at, [truth.mean, truth.sd], rtol=1e-6)
    np.testing.assert_allclose(
        found.standard_errors(),
        list(truth.standard_errors(4).values()),
        rtol=0.01,
    )
    np.testing.assert_allclose(
        found.information, 4 * truth.fisher_information(), rtol=0.01, atol=1e-4
    )


@settings(max_examples=20)
@given(st.integers(1, 4), st.integers(0, 10**6))
def test_parabolas_of_any_shape(d, seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(d, d)) + 2 * np.eye(d)
    root *= 10.0 ** rng.integers(-3, 4, d)
    curvature = root.T @ root + np.diag(np.diag(root.T @ root))
    top = rng.normal(size=d) * 3 / np.sqrt(np.diag(curvature))

    def log_density(x):
        return -(x - top) @ curvature @ (x - top) / 2

    found = maximise(log_density, np.zeros(d))
    errors = np.sqrt(np.diag(np.linalg.inv(curvature)))
    np.testing.assert_array_less(np.abs(found.at - top), 1e-4 * errors)
    np.testing.assert_allclose(found.standard_errors(), errors, rtol=1e-3)


def test_logistic_regression_as_scikit_learn_has_it():
    rng = np.random.default_rng(11)
    X = rng.normal(size=(150, 3))
    y = rng.random(150) < 1 / (1 + np.exp(-X @ [1, -2, 0.5]))
    sign = np.where(y, 1, -1)
    found = maximise(
        lambda w: -np.logaddexp(0, -sign * (X @ w[:3] + w[3])).sum(),
        start=np.zeros(4),
    )
    theirs = LogisticRegression(C=np.inf, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(found.at[:3], theirs.coef_[0], atol=1e-5)
    assert found.at[3] == pytest.approx(theirs.intercept_[0], abs=1e-5)


def test_a_bent_ridge():
    found = maximise(
        lambda x: -((1 - x[0]) ** 2) - 100 * (x[1] - x[0] ** 2) ** 2, [-1, 2]
    )
    np.testing.assert_allclose(found.at, [1, 1], rtol=1e-6)


def test_a_kink_is_a_maximum_too():
    found = maximise(lambda m: -np.abs(m - np.array([1, 2, 4])).sum(), 0.0)
    assert found.at == pytest.approx(2, abs=1e-6)


def test_a_corner_is_a_maximum_too():
    found = maximise(lambda x: -3 * abs(x[0]) - abs(x[1] - 1), [0.4, 0.4])
    np.testing.assert_allclose(found.at, [0, 1], atol=1e-6)


@given(st.floats(0.5, 20), st.floats(0.5, 20), st.integers(0, 30))
def test_the_posterior_maximum_of_tosses(a, b, k):
    a, b = 1 + a, 1 + b
    found = maximise_posterior(
        lambda p: xlogy(k, p) + xlog1py(30 - k, -p),
        stats.beta(a, b).logpdf,
        start=0.5,
        bounds=(0, 1),
    )
    assert found.at == pytest.approx((k + a - 1) / (28 + a + b), abs=1e-6)


@pytest.mark.parametrize(
    ("log_density", "bounds", "top"),
    [
        (lambda p: 10 * np.log1p(-p), (0, 1), 0),
        (lambda p: 10 * np.log(p), (0, 1), 1),
        (lambda r: stats.poisson(r).logpmf([0, 0]).sum(), (0, None), 0),
        (lambda t: -5 * np.log(t) if t >= 0.4 else -np.inf, (0.4, None), 0.4),
        (lambda t: t, (0, 2), 2),
    ],
)
def test_a_maximum_on_the_bound(log_density, bounds, top):
    found = maximise(log_density, 0.5, bounds)
    assert found.at == top
    assert found.on_bound == (0,)
    assert f"at {top}, on bound 0" in str(found)
    with pytest.raises(ProbabilityError, match="Parameter 0 lies on its boun"):
        found.standard_errors()


def test_one_parameter_on_its_bound_and_another_inside():
    found = maximise(
        lambda x: -((x[0] + 1) ** 2) - (x[1] - 3) ** 2,
        [1, 1],
        [(0, None), (None, None)],
    )
    np.testing.assert_allclose(found.at, [0, 3], atol=1e-6)
    assert found.on_bound == (0,)


def test_a_start_so_near_a_bound_that_the_values_are_equal():
    assert 1 - 10 * 1e-18 == 1
    found = maximise(lambda p: 1 - 10 * p, 1e-18, (0, 1))
    assert found.at == 0
    assert found.on_bound == (0,)


def test_a_maximum_much_nearer_to_a_bound_than_its_error():
    found = maximise(lambda x: -((x - 0.01) ** 2) / 2, 1.0, (0, None))
    assert found.at == pytest.approx(0.01, abs=1e-6)
    assert found.on_bound == ()
    assert found.standard_errors() == pytest.approx(1)


def test_a_hill_that_falls_little_between_its_bounds():
    found = maximise(lambda x: -1e-4 * (x - 1) ** 2, 0.5, (0, 2))
    assert found.at == pytest.approx(1, abs=1e-4)
    assert found.standard_errors() == pytest.approx(math.sqrt(1 / 2e-4))


def test_a_start_at_the_top():
    assert maximise(lambda x: -(x**2), 0.0).at == 0
    assert maximise(lambda p: 10 * np.log1p(-p), 0.0, (0, 1)).at == 0


def test_the_function_may_not_change_the_place():
    def log_density(x):
        value = -(x**2).sum()
        x += 1
        return value

    np.testing.assert_allclose(maximise(log_density, [2.0]).at, 0, atol=1e-6)


def test_a_sentence_about_the_maximum():
    found = maximise(lambda p: 7 * np.log(p) + 3 * np.log(1 - p), 0.5, (0, 1))
    assert str(found) == "maximum -6.10864 at 0.7: checked"
    found = maximise(lambda x: -((x - [0, 2e6]) ** 2).sum(), [1, 1])
    assert str(found).endswith("at [0, 2e+06]: checked")


# -- where there is no maximum ------------------------------------------------

SEPARABLE = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([-1, -1, 1, 1])


def logistic(x, sign):
    return lambda w: -np.logaddexp(0, -sign * (w[0] + w[1] * x)).sum()


@pytest.mark.parametrize(
    ("log_density", "start", "message"),
    [
        (logistic(*SEPARABLE), [0, 0], "no maximum at a finite distance"),
        (lambda x: -np.exp(-x), 0, "does not fall"),
        (lambda x: 0.0, 1.0, "does not fall"),
        (lambda x: -((x[0] + x[1] - 3) ** 2), [0, 0], "not determine"),
        (lambda x: -(x[0] ** 2), [1, 1], r"does not fall .* \[0, 1\]"),
        (lambda x: 2 * x, 1, "has no maximum"),
        (lambda x: x**2, 1, "has no maximum"),
        (lambda x: -np.log(x**2) / 2, 1, "has no maximum"),
        (lambda x: x[0] ** 2 - x[1] ** 2, [0, 1], "no maximum"),
        (
            lambda t: -5 * np.log(t) if t >= 3 else -np.inf,
            4,
            "edge of its support",
        ),
    ],
)
def test_no_maximum(log_density, start, message):
    with pytest.raises(ConvergenceError, match=message):
        maximise(log_density, start)


@pytest.mark.parametrize(
    ("log_density", "start"),
    [
        # One of three scores is superfluous, and so is the radius.
        (lambda w: [3, 4, 5] @ (w - np.logaddexp.reduce(w)), [0, 0, 0]),
        (lambda w: -((w @ w - 1) ** 2), [0.5, 0.6]),
        (lambda w: -((w[1] - w[0] ** 2) ** 2), [1, 0]),
        # Between the two middle observations it is level.
        (lambda x: -np.abs(np.array([1, 2, 5, 9]) - x).sum(), 0),
        (lambda x: -(max(abs(x) - 1, 0) ** 2), 5),
        (lambda x: -((x - 2) ** 4), 0),
    ],
)
def test_ridges_and_plateaus(log_density, start):
    with pytest.raises(
        ConvergenceError, match=r"does not fall|falls at first less"
    ):
        maximise(log_density, start)


def test_a_ridge_that_falls_slowly_is_none():
    """Two columns that are nearly the same: the correlation is 1 - 5e-9."""
    inverse = np.linalg.inv([[1, 1 - 5e-9], [1 - 5e-9, 1]])
    found = maximise(
        lambda x: -(x - [1, 2]) @ inverse @ (x - [1, 2]) / 2, [0, 0]
    )
    np.testing.assert_allclose(found.at, [1, 2], atol=1e-2)


def test_nan_on_a_bound_is_outside():
    """A scale of zero, which bounds of (0, None) let the search look at."""
    data = stats.gamma(2.5, scale=3).rvs(60, random_state=0)
    shape, _, scale = stats.gamma.fit(data, floc=0)
    found = maximise(
        lambda t: stats.gamma(t[0], scale=t[1]).logpdf(data).sum(),
        [100, 0.01],
        [(0, None), (0, None)],
    )
    np.testing.assert_allclose(found.at, [shape, scale], rtol=1e-4)


def test_a_model_may_refuse_a_bound():
    data = [1.0, 2.0, 4.0]
    found = maximise(
        lambda t: Gaussian(t[0], t[1]).log_likelihood(data),
        [0.0, 1.0],
        [(None, None), (0, None)],
    )
    best = Gaussian.mle(data)
    np.testing.assert_allclose(found.at, [best.mean, best.sd], rtol=1e-5)
    with pytest.raises(ProbabilityError, match="empty"):
        maximise(lambda s: Gaussian(0, s).log_likelihood([]), 1.0, (0, None))
    with pytest.raises((ConvergenceError, ProbabilityError)):
        maximise(
            lambda s: Gaussian(1, s).log_likelihood([1.0, 1.0]), 1.0, (0, None)
        )


def test_nan_that_only_the_check_meets_is_outside():
    found = maximise(
        lambda x: -((x - 4) ** 2) / 2 if x < 4.07 else np.nan, 4.0
    )
    assert found.at == pytest.approx(4, abs=1e-6)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("start", [3.0, 4.0, 4.3])
def test_nan_that_only_a_slope_meets_is_outside(start, side):
    """As near to the maximum as the differences that a slope is made of."""
    found = maximise(
        lambda x: (
            np.nan if 3e-5 < (x - 4) * side < 1e-3 else -((x - 4) ** 2) / 2
        ),
        start,
    )
    assert found.at == pytest.approx(4, abs=1e-5)


@pytest.mark.parametrize("start", [0.5, 0, 1])
def test_a_flat_place_between_bounds(start):
    with pytest.raises(ConvergenceError, match="does not fall"):
        maximise(lambda p: 0.0, start, (0, 1))


def test_level_on_one_side_only():
    def log_density(x):
        # Newton's way goes to the left, and up along the second parameter.
        steepness = 1 if x[1] < 0 else 0.5
        return -(max(x[0], 0) ** 2) - steepness * x[1] ** 2

    with pytest.raises(ConvergenceError, match=r"not fall .* \[-1, -?0\]"):
        maximise(log_density, [0, 0])


def test_an_edge_that_cuts_a_corner():
    """Each parameter may take its step, but not both."""

    def log_density(x):
        return -(x @ x) / 2 if x.sum() < 0.15 else -np.inf

    with pytest.raises(ConvergenceError, match="edge of its support"):
        maximise(log_density, [0, 0])


def test_a_variance_that_goes_to_zero():
    # One observation sits exactly at the mean of a component of its own.
    data = np.array([0.0, 1.0, 2.5])

    def log_density(theta):
        wide = stats.norm(1, 1).logpdf(data)
        own = stats.norm(0, np.exp(theta)).logpdf(data)
        return np.logaddexp(wide, own).sum()

    # Or NaN, once the variance is zero.
    with pytest.raises((ConvergenceError, ProbabilityError)):
        maximise(log_density, -3.0)


@pytest.mark.parametrize("method", ["L-BFGS-B", "Nelder-Mead", "neither"])
def test_a_search_that_stops_early_is_not_believed(monkeypatch, method):
    def lazy(function, place, **options):
        """Look at one place and say that it is the best."""
        function(place)

    monkeypatch.setattr(maximum._Hill, "sharpen", lambda self, place: place)
    honest = maximum.minimize
    monkeypatch.setattr(
        maximum,
        "minimize",
        lambda *given, **options: (
            honest if options["method"] == method else lazy
        )(*given, **options),
    )

    def log_density(x):
        return -((x - 3) ** 2)

    if method == "neither":
        with pytest.raises(ConvergenceError, match="1 is not a maximum"):
            maximise(log_density, 1.0)
    else:
        assert maximise(log_density, 1.0).at == pytest.approx(3, abs=1e-3)


@pytest.mark.parametrize(
    ("level", "missed", "is_believed"),
    # Values of a thousand million are rounded to 1e-7, their sums more.
    [
        (0, 1e-5, False),
        (0, 1e-9, True),
        (1e9, 1e-5, True),
        (1e9, 0.002, False),
    ],
)
def test_how_much_higher_another_place_may_be(
    monkeypatch, level, missed, is_believed
):
    monkeypatch.setattr(maximum._Hill, "sharpen", lambda self, place: place)
    monkeypatch.setattr(maximum, "minimize", lambda f, place, **_: f(place))
    start = 3 - math.sqrt(2 * missed)

    def log_density(x):
        return level - ((x - 3) ** 2) / 2

    if is_believed:
        assert maximise(log_density, start).at == start
    else:
        with pytest.raises(ConvergenceError, match="is not a maximum"):
            maximise(log_density, start)


def test_along_a_ridge_another_place_may_be_higher(monkeypatch):
    """In the direction of each axis it is not, by a tenth of that."""
    monkeypatch.setattr(maximum._Hill, "sharpen", lambda self, place: place)
    monkeypatch.setattr(maximum, "minimize", lambda f, place, **_: f(place))
    curvature = np.array([[1, -0.85], [-0.85, 1]])
    missed = 1e-6
    start = np.full(2, math.sqrt(missed / 0.15))
    assert start @ curvature @ start / 2 == pytest.approx(missed)
    with pytest.raises(ConvergenceError, match="is not a maximum"):
        maximise(lambda x: -x @ curvature @ x / 2, start)


# -- bad input ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("log_density", "start", "bounds", "message"),
    [
        (lambda p: 7 * np.log(p), 0.5, (1, 2), "start 0.5 .* bounds 1 and 2"),
        (np.log, -1.0, None, "NaN at -1"),
        (lambda x: -np.inf, 1, None, "−inf at the start 1"),
        (lambda x: x * np.ones(3), 1, None, "return the sum over the data"),
        (lambda x: None, 1, None, "not a number"),
        (lambda x: 1j, 1, None, "not a number"),
        (lambda x: "high", 1, None, "not a number"),
        (lambda x: -x * x, math.nan, None, "start: nan at position 0"),
        (lambda x: -x * x, [[1]], None, "start have the shape"),
        (lambda x: -x * x, [], None, "start are empty"),
        (lambda x: -x * x, 1, (0, None, 2), "give a pair"),
        (lambda x: -x * x, 1, 3, "give a pair"),
        (lambda x: -x * x, 1, (2, 0), "low below high"),
        (lambda x: -x * x, 1, (1, 1), "low below high"),
        (lambda x: -x @ x, [1, 1], [(0, 2)], "each of the 2 parameters"),
    ],
)
def test_bad_input(log_density, start, bounds, message):
    with pytest.raises(ProbabilityError, match=message):
        maximise(log_density, start, bounds)


def test_an_error_of_the_readers_own_function_comes_through():
    def broken(x):
        raise KeyError("rate")

    with pytest.raises(KeyError, match="rate"):
        maximise(broken, 1.0)


def test_poisson_counts_without_their_zeros():
    """Seen are only counts of at least one: no formula has the maximum."""
    data = np.array([1, 1, 2, 3, 1, 2])

    def log_likelihood(rate):
        return Poisson(rate).log_likelihood(data) - len(data) * np.log(
            -np.expm1(-rate)
        )

    found = maximise(log_likelihood, 1.0, (1e-9, None))
    # Its score: the mean of a truncated distribution is the mean of the data.
    assert found.at / -math.expm1(-found.at) == pytest.approx(data.mean())


def test_a_number_is_no_function():
    with pytest.raises(TypeError, match="is 3: give a function"):
        maximise(3, 0.0)
