"""Linear models against scikit-learn, scipy and the likelihood itself."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_diabetes
from sklearn.linear_model import (
    Lasso,
    LinearRegression,
    QuantileRegressor,
    Ridge,
)

from bayesbook.base import ConvergenceError, ProbabilityError
from bayesbook.estimation import (
    Gaussian,
    Laplace,
    LinearGaussian,
    LinearLaplace,
    linear,
)


@st.composite
def regressions(draw):
    """Draw rows X and values y, more rows than columns."""
    d = draw(st.integers(1, 4))
    n = draw(st.integers(d + 3, 30))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    X = rng.normal(size=(n, d)) * rng.uniform(0.1, 10, d) + rng.normal(size=d)
    return X, X @ rng.normal(size=d) + 3 + rng.laplace(size=n)


@pytest.fixture(scope="module")
def diabetes():
    X, y = load_diabetes(return_X_y=True)
    return X / X.std(axis=0), y


@given(regressions(), st.booleans())
def test_least_squares_is_that_of_scikit_learn(data, intercept):
    X, y = data
    ours = LinearGaussian.mle(X, y, intercept)
    theirs = LinearRegression(fit_intercept=intercept).fit(X, y)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_, rtol=1e-6)
    assert ours.intercept == pytest.approx(theirs.intercept_, rel=1e-6)
    residuals = y - theirs.predict(X)
    assert ours.sd == pytest.approx(np.sqrt(np.mean(residuals**2)))
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6)
    density = stats.norm(theirs.predict(X), ours.sd).logpdf(y).sum()
    assert ours.log_likelihood(X, y) == pytest.approx(density)


@given(regressions(), st.booleans())
def test_least_deviations_are_those_of_scikit_learn(data, intercept):
    X, y = data
    ours = LinearLaplace.mle(X, y, intercept)
    theirs = QuantileRegressor(alpha=0, fit_intercept=intercept).fit(X, y)
    least = np.abs(y - theirs.predict(X)).mean()
    # The minimum is one number, even where the minimisers are several.
    assert ours.scale == pytest.approx(least, rel=1e-6)
    assert np.abs(y - ours.predict(X)).mean() == pytest.approx(least, rel=1e-6)
    density = stats.laplace(ours.predict(X), ours.scale).logpdf(y).sum()
    assert ours.log_likelihood(X, y) == pytest.approx(density)


@given(regressions(), st.integers(0, 10**6))
def test_no_other_line_is_more_likely(data, seed):
    X, y = data
    rng = np.random.default_rng(seed)
    for model, width in ((LinearGaussian, "sd"), (LinearLaplace, "scale")):
        best = model.mle(X, y)
        other = model(
            best.coefficients + 0.1 * rng.normal(size=X.shape[1]),
            best.intercept + 0.1 * rng.normal(),
            getattr(best, width) * rng.uniform(0.8, 1.25),
        )
        assert other.log_likelihood(X, y) < best.log_likelihood(X, y)


@given(regressions(), st.booleans(), st.floats(0.2, 5), st.floats(0.05, 5))
def test_a_gaussian_prior_is_ridge_regression(data, intercept, sd, width):
    X, y = data
    ours = LinearGaussian.map(X, y, sd, Gaussian(0, width), intercept)
    theirs = Ridge(alpha=sd**2 / width**2, fit_intercept=intercept).fit(X, y)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_, atol=1e-6)
    assert ours.intercept == pytest.approx(theirs.intercept_, abs=1e-6)
    assert ours.sd == sd


@given(regressions(), st.booleans(), st.floats(0.2, 5), st.floats(0.05, 5))
def test_a_laplace_prior_is_the_lasso(data, intercept, sd, width):
    X, y = data
    ours = LinearGaussian.map(X, y, sd, Laplace(0, width), intercept)
    theirs = Lasso(
        alpha=sd**2 / (len(y) * width),
        fit_intercept=intercept,
        tol=1e-14,
        max_iter=10**6,
    ).fit(X, y)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_, atol=1e-6)
    assert ours.intercept == pytest.approx(theirs.intercept_, abs=1e-6)


@pytest.mark.parametrize("width", [1.0, 10.0, 100.0])
def test_priors_on_real_data(diabetes, width):
    X, y = diabetes
    ours = LinearGaussian.map(X, y, sd=54, prior=Laplace(0, width))
    theirs = Lasso(
        alpha=54**2 / (len(y) * width), tol=1e-14, max_iter=10**6
    ).fit(X, y)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_, atol=1e-6)
    assert ((ours.coefficients == 0) == (theirs.coef_ == 0)).all()
    ours = LinearGaussian.map(X, y, sd=54, prior=Gaussian(0, width))
    theirs = Ridge(alpha=54**2 / width**2, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(ours.coefficients, theirs.coef_, atol=1e-6)


@pytest.mark.parametrize("prior", [Gaussian(2, 0.7), Laplace(2, 0.4)])
def test_a_prior_may_have_another_centre(prior):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(12, 2))
    y = X @ [2.5, 1.0] + 1 + rng.normal(size=12)
    fitted = LinearGaussian.map(X, y, sd=1.5, prior=prior)

    def log_posterior(model):
        return model.log_likelihood(X, y) + np.sum(
            prior.distribution.logpdf(model.coefficients)
        )

    best = log_posterior(fitted)
    for _ in range(300):
        step = rng.normal(size=3) * rng.choice([1e-3, 1e-2, 0.1, 1])
        other = LinearGaussian(
            fitted.coefficients + step[:2], fitted.intercept + step[2], 1.5
        )
        assert log_posterior(other) <= best + 1e-9


def test_a_wide_prior_changes_nothing_and_a_narrow_one_wins(diabetes):
    X, y = diabetes
    fitted = LinearGaussian.mle(X, y)
    for prior in (Gaussian(0, 1e9), Laplace(0, 1e9)):
        flat = LinearGaussian.map(X, y, fitted.sd, prior)
        np.testing.assert_allclose(
            flat.coefficients, fitted.coefficients, rtol=1e-5
        )
    tight = LinearGaussian.map(X, y, fitted.sd, Gaussian(0, 1e-6))
    assert np.abs(tight.coefficients).max() < 1e-6
    assert tight.intercept == pytest.approx(y.mean())


def test_standard_errors_are_the_spread_of_repeated_estimates():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(300, 2)) * [1, 3] + 5
    truth = LinearGaussian([1, -2], 4, sd=2)
    fits = [
        LinearGaussian.mle(X, truth.predict(X) + rng.normal(0, 2, len(X)))
        for _ in range(1500)
    ]
    errors = truth.standard_errors(X)
    assert list(errors) == ["coefficients", "intercept", "sd"]
    for name, error in errors.items():
        spread = np.std([getattr(fit, name) for fit in fits], axis=0)
        np.testing.assert_allclose(spread, error, rtol=0.08)
    assert "intercept" not in truth.standard_errors(X, intercept=False)


def test_a_model_is_a_value():
    model = LinearLaplace([1, 2], 0, 3)
    assert repr(pickle.loads(pickle.dumps(model))) == (
        "LinearLaplace(coefficients=[1, 2], intercept=0, scale=3)"
    )
    with pytest.raises(ValueError, match="read-only"):
        model.coefficients[0] = 5
    with pytest.raises(AttributeError, match="cannot assign"):
        model.scale = 5
    assert model.noise == Laplace(0, 3)
    assert LinearGaussian([1], 0, 3).noise == Gaussian(0, 3)


def test_data_frames():
    X = pd.DataFrame({"a": [0.0, 1, 2, 3]})
    model = LinearGaussian.mle(X, pd.Series([1.0, 2, 2, 5]))
    np.testing.assert_allclose(model.coefficients, [1.2])


ROWS = [[0.0], [1.0], [2.0], [3.0]]


@pytest.mark.parametrize("model", [LinearGaussian, LinearLaplace])
@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([0, 1, 2], [0, 1, 3], "row for each observation"),
        (ROWS, [0, 1, 3], "X has 4 rows and y has 3 values"),
        (ROWS, [0, 1, 3, np.nan], "values of y: nan at position 3"),
        ([[np.inf], [1], [2]], [0, 1, 3], "inf at row 0, column 0"),
        (np.zeros((0, 1)), [], "rows of X are empty"),
        (ROWS, [1, 2, 3, 4], "without error"),
        (ROWS, [5, 5, 5, 5], "without error"),
        (ROWS[:2], [1, 5], "without error"),
        (ROWS[:1], [1], "1 columns and the intercept have rank 1"),
        ([[1], [1], [1]], [1, 2, 4], "have rank 1 in 3 rows"),
        (
            [[1, 2], [2, 4], [3, 6], [4, 8]],
            [1, 2, 3, 9],
            "The 2 columns and the intercept have rank 2 in 4 rows",
        ),
    ],
)
def test_bad_data(model, X, y, message):
    with pytest.raises(ProbabilityError, match=message):
        model.mle(X, y)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (lambda: LinearGaussian([1], 0, 0), "standard deviation is 0"),
        (lambda: LinearLaplace([1], 0, -1), "scale is -1"),
        (lambda: LinearGaussian([np.nan], 0, 1), "nan at position 0"),
        (lambda: LinearGaussian([1], "a", 1), "intercept is 'a'"),
        (lambda: LinearGaussian([], 0, 1), "coefficients are empty"),
        (
            lambda: LinearGaussian([1], 0, 1).predict([[1, 2]]),
            "X has 2 columns; the model has 1",
        ),
        (
            lambda: LinearGaussian.map(ROWS, [0, 1, 2, 4], 0, Gaussian(0, 1)),
            "standard deviation is 0",
        ),
    ],
)
def test_bad_parameters(case, message):
    with pytest.raises(ProbabilityError, match=message):
        case()


def test_a_prior_of_a_wrong_type():
    with pytest.raises(TypeError, match="prior is 'flat': give Gaussian"):
        LinearGaussian.map(ROWS, [0, 1, 2, 4], 1, "flat")


def test_a_lasso_that_does_not_converge(monkeypatch, diabetes):
    monkeypatch.setattr(linear, "SWEEPS", 3)
    with pytest.raises(ConvergenceError, match="did not converge in 3 sweeps"):
        LinearGaussian.map(*diabetes, sd=54, prior=Laplace(0, 100))


def test_a_linear_program_that_is_not_solved(monkeypatch):
    class Failed:
        success, message = False, "Time limit reached."

    monkeypatch.setattr(linear, "linprog", lambda *_, **__: Failed)
    with pytest.raises(ConvergenceError, match="Time limit reached"):
        LinearLaplace.mle(ROWS, [0, 1, 2, 4])


@pytest.mark.parametrize("unit", [1e-145, 1e-12, 1e-3, 1e12, 1e145])
@pytest.mark.parametrize("model", [LinearGaussian, LinearLaplace])
def test_units_play_no_role(model, unit):
    X, y = np.array([[1.0], [4], [9], [10], [11]]), np.array([1, 2, 5, 6, 9.0])
    plain = model.mle(X, y)
    small = model.mle(X * unit, y)
    np.testing.assert_allclose(small.coefficients * unit, plain.coefficients)
    np.testing.assert_allclose(small.intercept, plain.intercept)
    tall = model.mle(X, y * unit)
    np.testing.assert_allclose(tall.coefficients, plain.coefficients * unit)
    np.testing.assert_allclose(
        tall.noise.distribution.std() / unit, plain.noise.distribution.std()
    )
    if model is LinearGaussian:
        np.testing.assert_allclose(
            small.standard_errors(X * unit)["coefficients"] * unit,
            plain.standard_errors(X)["coefficients"],
        )


def test_copies_are_equal_and_cannot_be_written():
    model = LinearGaussian([1, 2], 0, 1)
    copy = pickle.loads(pickle.dumps(model))
    assert copy == model
    assert hash(copy) == hash(model)
    assert model != LinearGaussian([1, 3], 0, 1)
    assert model != LinearLaplace([1, 2], 0, 1)
    with pytest.raises(ValueError, match="read-only"):
        copy.coefficients[0] = 9


def test_standard_errors_of_rows_that_do_not_fit():
    with pytest.raises(ProbabilityError, match="1 columns; the model has 2"):
        LinearGaussian([1, 2], 0, 1).standard_errors([[1], [2], [4]])


# -- names of columns ---------------------------------------------------------

HOUSES = pd.DataFrame({"rooms": [1.0, 2, 3, 4], "floor": [0.0, 4, 1, 2]})
PRICES = [50, 71, 100, 119]
NAMED = [
    LinearGaussian.mle(HOUSES, PRICES),
    LinearGaussian.map(HOUSES, PRICES, sd=1, prior=Gaussian(0, 1)),
    LinearLaplace.mle(HOUSES, PRICES),
]


@pytest.mark.parametrize("model", NAMED, ids=lambda model: repr(model)[:20])
def test_columns_with_names_are_those_of_the_fit(model):
    assert model.columns == ("rooms", "floor")
    for other in (
        HOUSES[["floor", "rooms"]],
        HOUSES.rename(columns={"floor": "level"}),
    ):
        with pytest.raises(ProbabilityError, match="model 'rooms', 'floor'"):
            model.predict(other)
        with pytest.raises(ProbabilityError, match="model 'rooms', 'floor'"):
            model.log_likelihood(other, PRICES)
        if isinstance(model, LinearGaussian):
            with pytest.raises(ProbabilityError, match="'rooms', 'floor'"):
                model.standard_errors(other)
    # An array has no names, and numbers are none.
    wanted = model.predict(HOUSES).tolist()
    assert model.predict(HOUSES.to_numpy()).tolist() == wanted
    numbered = HOUSES.set_axis([0, 1], axis=1)
    assert model.predict(numbered).tolist() == wanted


def test_names_are_part_of_the_model():
    named, plain = NAMED[0], LinearGaussian.mle(HOUSES.to_numpy(), PRICES)
    assert plain.columns is None
    assert named != plain
    assert repr(named) == repr(plain)[:-1] + ", columns=('rooms', 'floor'))"
    assert plain.predict(HOUSES[["floor", "rooms"]]).shape == (4,)
    again = pickle.loads(pickle.dumps(named))
    assert again == named
    assert hash(again) == hash(named)
    assert not again.coefficients.flags.writeable
    with pytest.raises(ProbabilityError, match=r"3 columns.*for 2"):
        LinearGaussian([1, 2], 0, 1, columns=["a", "b", "c"])
