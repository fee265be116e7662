"""Models against scipy's densities and optimisers, and against simulation."""

import copy
import math
import pickle
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import integrate, optimize

from bayesbook.base import ProbabilityError
from bayesbook.estimation import (
    Bernoulli,
    Binomial,
    Categorical,
    Exponential,
    Gaussian,
    Laplace,
    MultivariateGaussian,
    Poisson,
)

chances = st.floats(0.01, 0.99)
sizes = st.floats(0.05, 50)
reals = st.floats(-100, 100).map(lambda x: round(x, 3))
ROWS = [[1.0, 2.0], [2.0, 1.0], [4.0, 3.0], [0.0, 5.0]]

# -- the formulas, written out ------------------------------------------------

FORMULAS = {
    "bernoulli": (
        Bernoulli(0.3),
        lambda x: 0.3**x * 0.7 ** (1 - x),
        [0, 1, 1, 0, 1],
    ),
    "binomial": (
        Binomial(5, 0.3),
        lambda x: math.comb(5, x) * 0.3**x * 0.7 ** (5 - x),
        [0, 1, 5, 3],
    ),
    "poisson": (
        Poisson(2.5),
        lambda x: math.exp(-2.5) * 2.5**x / math.factorial(x),
        [0, 1, 7, 2],
    ),
    "exponential": (
        Exponential(2.5),
        lambda x: 2.5 * math.exp(-2.5 * x),
        [0, 0.4, 3.0],
    ),
    "gaussian": (
        Gaussian(-1, 2.5),
        lambda x: (
            math.exp(-((x + 1) ** 2) / 2 / 2.5**2)
            / math.sqrt(2 * math.pi)
            / 2.5
        ),
        [0, -4.0, 3.5],
    ),
    "laplace": (
        Laplace(-1, 2.5),
        lambda x: math.exp(-abs(x + 1) / 2.5) / 2 / 2.5,
        [0, -4.0, 3.5],
    ),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_log_prob_is_the_logarithm_of_the_formula(name):
    model, formula, data = FORMULAS[name]
    truth = [math.log(formula(x)) for x in data]
    np.testing.assert_allclose(model.log_prob(data), truth, rtol=1e-12)
    assert model.log_prob(data[0]) == pytest.approx(truth[0], rel=1e-12)
    assert isinstance(model.log_prob(data[0]), float)
    assert model.log_prob(np.array([data[:2]])).shape == (1, 2)
    likelihood = model.log_likelihood(data)
    assert isinstance(likelihood, float)
    assert likelihood == pytest.approx(sum(truth), rel=1e-12)


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


# -- maximum likelihood -------------------------------------------------------


@given(st.lists(st.sampled_from([0, 1]), min_size=1, max_size=30))
def test_bernoulli_mle(data):
    fitted = Bernoulli.mle(data)
    assert fitted.p == pytest.approx(sum(data) / len(data), abs=1e-15)
    best = fitted.log_likelihood(data)
    for p in np.linspace(0, 1, 21):
        assert Bernoulli(p).log_likelihood(data) <= best + 1e-9


@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(
            st.just(n), st.lists(st.integers(0, n), min_size=1, max_size=9)
        )
    )
)
def test_binomial_mle_counts_all_trials(case):
    trials, data = case
    fitted = Binomial.mle(data, trials)
    assert fitted.trials == trials
    assert fitted.p == pytest.approx(sum(data) / (trials * len(data)))
    tosses = [1] * sum(data) + [0] * (trials * len(data) - sum(data))
    assert fitted.p == pytest.approx(Bernoulli.mle(tosses).p, abs=1e-15)


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


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=20),
    st.floats(0.01, 60),
)
def test_no_rate_beats_the_mean_of_poisson_counts(data, rate):
    best = Poisson.mle(data)
    assert best.rate == pytest.approx(np.mean(data))
    other = Poisson(rate).log_likelihood(data)
    assert other <= best.log_likelihood(data) + 1e-9


@given(st.lists(reals, min_size=2, max_size=20), reals, sizes)
def test_no_other_gaussian_or_laplace_beats_the_mle(data, centre, width):
    assume(np.ptp(data) > 1e-3)
    for model in (Gaussian, Laplace):
        best = model.mle(data).log_likelihood(data)
        assert model(centre, width).log_likelihood(data) <= best + 1e-9


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=25))
def test_categorical_mle_is_the_relative_frequency(data):
    fitted = Categorical.mle(data, categories="abcd")
    assert fitted.categories == tuple("abcd")
    for letter, p in zip("abcd", fitted.probabilities, strict=True):
        assert p == pytest.approx(data.count(letter) / len(data))
    best = fitted.log_likelihood(data)
    for weights in np.random.default_rng(2).dirichlet(np.ones(4), 20):
        other = Categorical(weights, "abcd")
        assert other.log_likelihood(data) <= best + 1e-9


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


# -- Fisher information and standard errors -----------------------------------


def numeric_information(model, parameters, x):
    """Average the products of scores, taken by central differences."""
    step = 1e-5

    def score(i):
        up, down = list(parameters), list(parameters)
        up[i] += step
        down[i] -= step
        rise = model(*up).log_prob(x) - model(*down).log_prob(x)
        return rise / (2 * step)

    p = np.exp(model(*parameters).log_prob(x))
    scores = np.array([score(i) for i in range(len(parameters))])
    products = p * scores[:, None] * scores[None, :]
    if x.dtype.kind == "i":
        return products.sum(axis=-1)
    return integrate.trapezoid(products, x, axis=-1)


@pytest.mark.parametrize(
    ("model", "parameters", "x"),
    [
        (Bernoulli, [0.3], np.arange(2)),
        (Poisson, [2.5], np.arange(60)),
        (Exponential, [0.7], np.linspace(0, 60, 100_001)),
        (Gaussian, [-1, 2.5], np.linspace(-40, 40, 10_001)),
        (Laplace, [-1, 2.5], np.linspace(-90, 90, 100_000)),
    ],
)
def test_fisher_information_is_the_variance_of_the_score(model, parameters, x):
    truth = numeric_information(model, parameters, x)
    information = np.atleast_2d(model(*parameters).fisher_information())
    np.testing.assert_allclose(information, truth, rtol=1e-3, atol=1e-4)


def test_binomial_information_is_that_of_its_trials():
    model = Binomial(7, 0.2)
    truth = sum(
        math.exp(model.log_prob(x)) * (x / 0.2 - (7 - x) / 0.8) ** 2
        for x in range(8)
    )
    assert model.fisher_information() == pytest.approx(truth)
    errors = model.standard_errors(5)
    assert errors == {"p": pytest.approx(math.sqrt(0.2 * 0.8 / 35))}


def test_categorical_errors_are_those_of_the_inverse_information():
    p = [0.5, 0.3, 0.2]
    model = Categorical(p)
    covariance = np.linalg.inv(model.fisher_information()) / 10
    errors = model.standard_errors(10)["probabilities"]
    np.testing.assert_allclose(errors[:2], np.sqrt(np.diag(covariance)))
    # The last one is one minus the others.
    assert errors[2] ** 2 == pytest.approx(covariance.sum())


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


@pytest.mark.parametrize(
    "model",
    [
        Bernoulli(0.3),
        Binomial(4, 0.6),
        Poisson(3.0),
        Exponential(0.5),
        Gaussian(1.0, 2.0),
        Laplace(1.0, 2.0),
    ],
)
def test_standard_errors_are_the_spread_of_repeated_estimates(model):
    n, times = 400, 1500
    data = model.sample(n * times, rng=4).reshape(times, n)
    known = {"trials": 4} if isinstance(model, Binomial) else {}
    fits = [type(model).mle(row, **known) for row in data]
    for name, error in model.standard_errors(n).items():
        spread = np.std([getattr(fit, name) for fit in fits])
        assert spread == pytest.approx(error, rel=0.1)


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


@pytest.mark.parametrize(
    "model", [Bernoulli(0), Bernoulli(1), Binomial(3, 0), Poisson(0)]
)
def test_no_information_at_the_edge(model):
    for question in (
        model.fisher_information,
        lambda: model.standard_errors(9),
    ):
        with pytest.raises(ProbabilityError, match="edge of its range"):
            question()


def test_no_information_about_a_category_that_never_occurs():
    model = Categorical([1, 0])
    for question in (
        model.fisher_information,
        lambda: model.standard_errors(9),
    ):
        with pytest.raises(ProbabilityError, match="edge of its range"):
            question()


# -- values -------------------------------------------------------------------

MODELS = [
    Bernoulli(0.25),
    Binomial(3, 0.25),
    Categorical({"a": 0.25, "b": 0.75}),
    Poisson(1.5),
    Exponential(1.5),
    Gaussian(1, 2),
    Laplace(1, 2),
    MultivariateGaussian([0, 1], [[1, 0.5], [0.5, 2]]),
]


@pytest.mark.parametrize("model", MODELS)
def test_a_model_is_a_value(model):
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert twin == model
        assert hash(twin) == hash(model)
        assert repr(twin) == repr(model)
    assert model != Gaussian(9, 9)
    with pytest.raises(AttributeError, match="cannot assign"):
        model.p = 0.5


def test_distributions_of_vectors_differ_in_mean_or_covariance():
    model = MultivariateGaussian([0, 1], np.eye(2))
    assert model != MultivariateGaussian([0, 2], np.eye(2))
    assert model != MultivariateGaussian([0, 1], 2 * np.eye(2))


def test_a_little_spread_is_enough():
    assert Gaussian.mle([1, 1 + 2.0**-46]).sd == 2.0**-47


def test_arrays_of_a_model_cannot_be_changed():
    model = MODELS[-1]
    with pytest.raises(ValueError, match="read-only"):
        model.covariance[0, 0] = 9
    with pytest.raises(ValueError, match="read-only"):
        model.mean[0] = 9


def test_arrays_given_stay_as_they_are():
    mean = np.zeros(2)
    model = MultivariateGaussian(mean, np.eye(2))
    mean[0] = 9
    assert model.mean[0] == 0


def test_representations():
    assert [repr(model) for model in MODELS] == [
        "Bernoulli(p=0.25)",
        "Binomial(trials=3, p=0.25)",
        "Categorical({'a': 0.25, 'b': 0.75})",
        "Poisson(rate=1.5)",
        "Exponential(rate=1.5)",
        "Gaussian(mean=1, sd=2)",
        "Laplace(location=1, scale=2)",
        "MultivariateGaussian(mean=[0, 1], covariance=[[1, 0.5], [0.5, 2]])",
    ]


@pytest.mark.parametrize("model", MODELS)
def test_samples_come_from_the_seed(model):
    first, again = model.sample(5, rng=6), model.sample(5, rng=6)
    np.testing.assert_array_equal(first, again)
    assert len(first) == 5
    rng = np.random.default_rng(6)
    np.testing.assert_array_equal(first, model.sample(5, rng=rng))
    assert model.log_likelihood(first) > -math.inf


def test_a_sample_takes_no_more_draws_than_it_gives():
    rng = np.random.default_rng(6)
    one_by_one = [Gaussian(1, 2).sample(1, rng=rng)[0] for _ in range(3)]
    assert one_by_one == Gaussian(1, 2).sample(3, rng=6).tolist()


def test_a_sum_that_misses_one_by_rounding():
    model = Categorical([0.5, 0.5 - 1e-10])
    assert model.probabilities == (0.5, 0.5 - 1e-10)
    assert set(model.sample(50, rng=0).tolist()) == {0, 1}


def test_a_sample_of_categories_has_their_frequencies():
    drawn = Categorical({"a": 0.2, "b": 0.8}).sample(5000, rng=0).tolist()
    assert set(drawn) == {"a", "b"}
    assert drawn.count("a") / 5000 == pytest.approx(0.2, abs=0.02)


def test_categories_of_any_kind():
    pairs = Categorical.mle([(0, 1), (1, 0), (0, 1)])
    assert pairs.categories == ((0, 1), (1, 0))
    assert pairs.log_prob((0, 1)) == pytest.approx(math.log(2 / 3))
    assert pairs.log_prob([(0, 1), (1, 0)]).shape == (2,)
    numbers = Categorical([0.2, 0.3, 0.5])
    assert numbers.categories == (0, 1, 2)
    assert numbers.log_prob(2) == pytest.approx(math.log(0.5))
    # A tuple that is no category is a sequence of them.
    np.testing.assert_allclose(numbers.log_prob((2, 0)), np.log([0.5, 0.2]))
    assert numbers.distribution.pmf(2) == pytest.approx(0.5)
    assert Categorical([F(1, 3), F(2, 3)], "ab") == Categorical(
        {"a": F(1, 3), "b": F(2, 3)}
    )


def test_what_the_parameters_exclude_has_log_probability_minus_infinity():
    assert Bernoulli(0).log_prob(1) == -math.inf
    assert Bernoulli(0).log_likelihood([0, 1]) == -math.inf
    assert Bernoulli(0).log_likelihood([0, 0]) == 0
    assert Poisson(0).log_likelihood([0, 2]) == -math.inf
    assert Categorical([1.0, 0.0]).log_likelihood([0, 1]) == -math.inf


# -- bad input ----------------------------------------------------------------

NAMED = {
    "not a whole number": [
        (lambda: Poisson.mle([1, 2.5]), "2.5 at position 1"),
        (lambda: Binomial.mle([0.5], 3), "0.5 at position 0"),
        (lambda: Poisson(1).log_prob(1.5), "1.5 at position 0"),
        (lambda: Binomial(2.5, 0.1), "number of trials is 2.5"),
        (lambda: Bernoulli(0.5).standard_errors(2.5), "observations is 2.5"),
    ],
    "negative": [
        (lambda: Poisson.mle([1, -2]), "-2 at position 1"),
        (lambda: Exponential.mle([1, -2]), "-2 at position 1"),
        (lambda: Exponential(1).log_prob([0, -1]), "-1 at position 1"),
        (lambda: Binomial(3, 0.1).log_prob(-1), "-1 at position 0"),
        (lambda: Categorical([1.5, -0.5]), "-0.5 at position 1"),
    ],
    "greater than": [
        (lambda: Binomial.mle([1, 4], 3), "4 at position 1"),
        (lambda: Binomial(3, 0.1).log_prob([1, 4]), "4 at position 1"),
        (lambda: Exponential(0), "rate is 0"),
        (lambda: Gaussian(0, 0), "standard deviation is 0"),
        (lambda: Gaussian(0, -1), "standard deviation is -1"),
        (lambda: Laplace(0, 0), "scale is 0"),
    ],
    "at least": [
        (lambda: Poisson(-1), "rate is -1"),
        (lambda: Binomial(0, 0.5), "trials is 0"),
        (lambda: Bernoulli(0.5).standard_errors(0), "observations is 0"),
        (lambda: Bernoulli(0.5).sample(-1, rng=0), "sample is -1"),
    ],
    "between 0 and 1": [
        (lambda: Bernoulli(1.2), "p is 1.2"),
        (lambda: Bernoulli(-0.1), "p is -0.1"),
        (lambda: Binomial(3, 1.2), "p is 1.2"),
    ],
    "not a finite number": [
        (lambda: Gaussian.mle([1, math.nan]), "nan at position 1"),
        (lambda: Gaussian.mle([1, math.inf]), "inf at position 1"),
        (lambda: Gaussian(math.nan, 1), "mean is nan"),
        (lambda: Bernoulli(math.nan), "p is nan"),
        (
            lambda: MultivariateGaussian.mle([[1, 2], [3, math.nan]]),
            "nan at row 1, column 1",
        ),
    ],
    "not a number": [
        (lambda: Bernoulli("half"), "'half'"),
        (lambda: Bernoulli(True), "True"),
        (lambda: Gaussian(0, None), "None"),
    ],
    "not numbers": [
        (lambda: Bernoulli.mle(["1", "0"]), "'1' at position 0"),
        (lambda: Bernoulli.mle([1, None]), "None at position 1"),
        (lambda: Gaussian.mle([1 + 2j, 1]), "1\\+2j"),
        (lambda: Gaussian.mle([[1, 2], [3]]), "inhomogeneous"),
    ],
    "neither 0 nor 1": [
        (lambda: Bernoulli.mle([0, 2]), "2 at position 1"),
        (lambda: Bernoulli(0.5).log_prob(0.5), "0.5 at position 0"),
    ],
    "empty": [
        (lambda: Bernoulli.mle([]), "observations"),
        (lambda: Categorical.mle([]), "observations"),
        (lambda: Categorical([0.5, 0.5]).log_likelihood([]), "observations"),
        (lambda: Gaussian(0, 1).log_likelihood([]), "observations"),
        (lambda: MultivariateGaussian.mle(np.zeros((0, 2))), "observations"),
        (lambda: Categorical([]), "probabilities"),
    ],
    "shape": [
        (lambda: Bernoulli.mle([[0, 1]]), "sequence of numbers"),
        (lambda: MultivariateGaussian.mle([1, 2]), "row for each"),
        (lambda: MultivariateGaussian([0, 0], np.eye(3)), r"\(3, 3\)"),
    ],
    "grows without limit": [
        (lambda: Gaussian.mle([3, 3, 3]), "All 3 observations are 3"),
        (lambda: Gaussian.mle([0.1 + 0.2, 0.3]), "All 2 observations"),
        (lambda: Gaussian.mle([7]), "All 1"),
        (lambda: Gaussian.mle([-3, -3]), "All 2 observations are -3"),
        (lambda: Laplace.mle([0, 0]), "All 2 observations are 0"),
        (lambda: Laplace.mle([3, 3]), "All 2 observations are 3"),
        (lambda: Exponential.mle([0, 0]), "All observations are 0"),
    ],
    "singular": [
        (
            lambda: MultivariateGaussian.mle([[1, 2], [2, 4], [3, 6]]),
            "covariance of 3 observations",
        ),
        (
            lambda: MultivariateGaussian.mle([[1, 2], [2, 5]]),
            "fewer observations",
        ),
        (
            lambda: MultivariateGaussian(
                [0, 0], [[1, 1 - 1e-14], [1 - 1e-14, 1]]
            ),
            "linear function of others",
        ),
        (
            lambda: MultivariateGaussian([0, 0], [[1, 2], [2, 1]]),
            "not positive definite",
        ),
    ],
    "not positive": [
        (lambda: MultivariateGaussian.mle([[1, 2], [1, 5]]), "column 0"),
        (lambda: MultivariateGaussian([0], [[-1]]), "column 0"),
    ],
    "not symmetric": [
        (
            lambda: MultivariateGaussian([0, 0], [[1, 0.5], [0, 1]]),
            "The covariance",
        ),
        (
            lambda: MultivariateGaussian([0, 0], [[1e-6, 5e-7], [0, 1e-6]]),
            "The covariance",
        ),
    ],
    "An observation has 3 numbers": [
        (lambda: MODELS[-1].log_prob([1, 2, 3]), "the model has 2"),
    ],
    "sum to 0.9": [(lambda: Categorical([0.5, 0.4]), "not to one")],
    "sum to 1.0": [(lambda: Categorical([0.5, 0.5 + 1e-8]), "not to one")],
    "appears twice": [
        (lambda: Categorical([0.5, 0.5], "aa"), "'a'"),
        (
            lambda: Categorical(pd.Series([0.3, 0.7], index=["a", "a"])),
            "'a'",
        ),
    ],
    "2 probabilities for 3": [
        (lambda: Categorical([0.5, 0.5], "abc"), "categories")
    ],
    "leave `categories` out": [
        (lambda: Categorical({"a": 1.0}, ["a"]), "name their categories"),
    ],
    "which is none of": [
        (
            lambda: Categorical({"up": 0.5, "down": 0.5}).log_prob("dwn"),
            "Did you mean 'down'",
        ),
        (
            lambda: Categorical.mle(["a", "c"], categories="ab"),
            "row 1 is 'c'",
        ),
    ],
    "missing": [(lambda: Categorical.mle(["a", None]), "None")],
}


@pytest.mark.parametrize(
    ("why", "case", "which"),
    [
        pytest.param(why, case, which, id=f"{why}-{i}")
        for why, cases in NAMED.items()
        for i, (case, which) in enumerate(cases)
    ],
)
def test_bad_input(why, case, which):
    with pytest.raises(ProbabilityError, match=which) as caught:
        case()
    assert why in str(caught.value)


def test_observations_in_any_container():
    for make in (
        iter,
        tuple,
        lambda data: pd.Series(data, index=[7] * len(data), dtype="Int64"),
        lambda data: np.array([F(x) for x in data], dtype=object),
    ):
        assert Poisson.mle(make([1, 0, 4])) == Poisson(5 / 3)
        assert Poisson(2).log_likelihood(make([1, 0])) == pytest.approx(
            np.log(2) - 4
        )
        np.testing.assert_allclose(
            Poisson(2).log_prob(make([1, 0])), [np.log(2) - 2, -2]
        )
    assert Categorical(pd.Series({"a": 0.25, "b": 0.75})) == Categorical(
        {"a": 0.25, "b": 0.75}
    )


def test_copies_of_a_gaussian_vector():
    model = MultivariateGaussian([0.0, 1.0], np.eye(2))
    again = pickle.loads(pickle.dumps(model))
    assert again == model
    assert hash(again) == hash(MultivariateGaussian([-0.0, 1.0], np.eye(2)))
    with pytest.raises(ValueError, match="read-only"):
        again.mean[0] = 9


def test_a_sample_of_size_zero_has_no_rows():
    assert MultivariateGaussian([0, 1], np.eye(2)).sample(0, rng=0).shape == (
        0,
        2,
    )
    assert Gaussian(0, 1).sample(0, rng=0).shape == (0,)


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


@pytest.mark.parametrize("data", [3, [[1], [2]], np.array(1)])
def test_no_categories(data):
    with pytest.raises(ProbabilityError, match="cannot be categories"):
        Categorical.mle(data)


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
