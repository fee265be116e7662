"""Models of measurements: formulas, optimisers of scipy, simulation."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import optimize

from bayesbook.base import ProbabilityError
from bayesbook.estimation import (
    Categorical,
    Exponential,
    Gaussian,
    Laplace,
    MultivariateGaussian,
)

sizes = st.floats(0.05, 50)
reals = st.floats(-100, 100).map(lambda x: round(x, 3))
ROWS = [[1.0, 2.0], [2.0, 1.0], [4.0, 3.0], [0.0, 5.0]]


def test_multivariate_density_is_the_formula():
    mean, covariance = np.array([1.0, -2]), np.array([[2.0, 1.2], [1.2, 3.0]])
    model = MultivariateGaussian(mean, covariance)
    truth = []
    for row in ROWS:
        away = row - mean
        square = away @ np.linalg.inv(covariance) @ away
        volume = 2 * math.pi * math.sqrt(np.linalg.det(covariance))
        truth.append(-square / 2 - math.log(volume))
    np.testing.assert_allclose(model.log_prob(ROWS), truth, rtol=1e-12)
    assert model.log_prob(ROWS[0]) == pytest.approx(truth[0], rel=1e-12)
    assert model.log_likelihood(ROWS) == pytest.approx(sum(truth), rel=1e-12)
    frame = pd.DataFrame(ROWS, columns=["a", "b"])
    assert model.log_likelihood(frame) == model.log_likelihood(ROWS)
    assert model.log_prob([ROWS[0]]).shape == (1,)


def test_columns_in_very_different_units():
    units = np.array([1e-9, 1e9])
    covariance = np.array([[2.0, 1.2], [1.2, 3.0]])
    scaled = MultivariateGaussian([0, 0], covariance * np.outer(units, units))
    plain = MultivariateGaussian([0, 0], covariance)
    # The densities differ by the product of the units, which is one.
    np.testing.assert_allclose(
        scaled.log_prob(ROWS * units), plain.log_prob(ROWS), rtol=1e-9
    )


def climb(model, data, start, bounds):
    """Maximise a log-likelihood without derivatives, by scipy alone."""
    found = optimize.minimize(
        lambda theta: -model(*theta).distribution.logpdf(data).sum(),
        start,
        method="Nelder-Mead",
        bounds=bounds,
        options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 5000},
    )
    return found.x


def test_continuous_mles_are_where_scipy_climbs_to():
    data = np.random.default_rng(1).gamma(2.0, 3.0, 25)
    width = [(None, None), (1e-3, None)]
    np.testing.assert_allclose(
        [Exponential.mle(data).rate],
        climb(Exponential, data, [1.0], [(1e-3, None)]),
        rtol=1e-6,
    )
    fitted = Gaussian.mle(data)
    np.testing.assert_allclose(
        [fitted.mean, fitted.sd],
        climb(Gaussian, data, [1.0, 1.0], width),
        rtol=1e-6,
    )
    fitted = Laplace.mle(data)
    np.testing.assert_allclose(
        [fitted.location, fitted.scale],
        climb(Laplace, data, [5.0, 1.0], width),
        rtol=1e-5,
    )


@given(st.lists(reals, min_size=2, max_size=20), reals, sizes)
def test_no_other_gaussian_or_laplace_beats_the_mle(data, centre, width):
    assume(np.ptp(data) > 1e-3)
    for model in (Gaussian, Laplace):
        best = model.mle(data).log_likelihood(data)
        assert model(centre, width).log_likelihood(data) <= best + 1e-9


def test_multivariate_mle_divides_by_n():
    rng = np.random.default_rng(3)
    data = rng.normal(size=(20, 3)) @ rng.normal(size=(3, 3)) + [1, 2, 3]
    fitted = MultivariateGaussian.mle(data)
    mean = [sum(column) / 20 for column in data.T]
    np.testing.assert_allclose(fitted.mean, mean)
    for i in range(3):
        for j in range(3):
            product = sum(
                (row[i] - mean[i]) * (row[j] - mean[j]) for row in data
            )
            assert fitted.covariance[i, j] == pytest.approx(product / 20)
    best = fitted.log_likelihood(data)
    for _ in range(50):
        root = np.linalg.cholesky(fitted.covariance)
        root = root + 0.1 * np.tril(rng.normal(size=(3, 3)))
        other = MultivariateGaussian(
            fitted.mean + 0.1 * rng.normal(size=3), root @ root.T
        )
        assert other.log_likelihood(data) < best


def test_one_column_is_the_gaussian():
    data = [3.0, 5.0, 7.0, 9.0]
    several = MultivariateGaussian.mle([[x] for x in data])
    one = Gaussian.mle(data)
    assert several.covariance[0, 0] == pytest.approx(one.sd**2)
    assert several.log_likelihood([[x] for x in data]) == pytest.approx(
        one.log_likelihood(data)
    )


def test_multivariate_errors_are_those_of_the_inverse_information():
    covariance = np.array([[2.0, 1.2, 0.1], [1.2, 3.0, -1], [0.1, -1, 1.5]])
    model = MultivariateGaussian([0, 1, 2], covariance)
    inverse = np.linalg.inv(model.fisher_information()) / 40
    errors = model.standard_errors(40)
    np.testing.assert_allclose(errors["mean"] ** 2, np.diag(inverse)[:3])
    rows, columns = np.tril_indices(3)
    np.testing.assert_allclose(
        errors["covariance"][rows, columns] ** 2, np.diag(inverse)[3:]
    )
    np.testing.assert_array_equal(errors["covariance"], errors["covariance"].T)


def test_multivariate_standard_errors_by_simulation():
    model = MultivariateGaussian([0, 0], [[1, 0.6], [0.6, 2]])
    fits = [
        MultivariateGaussian.mle(model.sample(200, rng=seed))
        for seed in range(600)
    ]
    errors = model.standard_errors(200)
    for name in ("mean", "covariance"):
        spread = np.std([getattr(fit, name) for fit in fits], axis=0)
        np.testing.assert_allclose(spread, errors[name], rtol=0.12)


def test_distributions_of_vectors_differ_in_mean_or_covariance():
    model = MultivariateGaussian([0, 1], np.eye(2))
    assert model != MultivariateGaussian([0, 2], np.eye(2))
    assert model != MultivariateGaussian([0, 1], 2 * np.eye(2))


def test_a_little_spread_is_enough():
    assert Gaussian.mle([1, 1 + 2.0**-46]).sd == 2.0**-47


def test_arrays_of_a_model_cannot_be_changed():
    model = MultivariateGaussian([0, 1], [[1, 0.5], [0.5, 2]])
    with pytest.raises(ValueError, match="read-only"):
        model.covariance[0, 0] = 9
    with pytest.raises(ValueError, match="read-only"):
        model.mean[0] = 9


def test_arrays_given_stay_as_they_are():
    mean = np.zeros(2)
    model = MultivariateGaussian(mean, np.eye(2))
    mean[0] = 9
    assert model.mean[0] == 0


def test_copies_of_a_gaussian_vector():
    model = MultivariateGaussian([0.0, 1.0], np.eye(2))
    again = pickle.loads(pickle.dumps(model))
    assert again == model
    assert hash(again) == hash(MultivariateGaussian([-0.0, 1.0], np.eye(2)))
    with pytest.raises(ValueError, match="read-only"):
        again.mean[0] = 9


@pytest.mark.parametrize("model", [Gaussian, Laplace, Exponential])
def test_numbers_whose_squares_are_none(model):
    data = np.array([1.0, 2.0, 4.0])
    for unit in (1e-150, 1e150):
        assert np.isfinite(
            model.mle(unit * data).standard_errors(3)[
                {"Exponential": "rate", "Laplace": "scale"}.get(
                    model.__name__, "sd"
                )
            ]
        )
    for unit in (1e-170, 1e170):
        with pytest.raises(
            ProbabilityError, match=r"another unit|greater than 0"
        ):
            model.mle(unit * data)
    with pytest.raises(ProbabilityError, match="not numbers: int too large"):
        model.mle([10**400, 1])


def test_far_out_a_density_is_zero():
    assert Gaussian(0, 1e-140).log_prob(1e140) == -np.inf


def test_errors_name_the_columns_of_a_data_frame():
    frame = pd.DataFrame({"height": [1.0, 2, 4], "weight": [3.0, 3, 3]})
    with pytest.raises(ProbabilityError, match="column 'weight' is not pos"):
        MultivariateGaussian.mle(frame)
    frame.loc[1, "weight"] = np.nan
    with pytest.raises(ProbabilityError, match="nan at row 1, column 'weig"):
        MultivariateGaussian.mle(frame)
    with pytest.raises(ProbabilityError, match="'x' at row 0, column 'name'"):
        MultivariateGaussian.mle(frame.assign(name="x"))
    with pytest.raises(ProbabilityError, match="one column of it"):
        Categorical.mle(frame)
