"""Models against scipy's densities and optimisers, and against simulation."""

import copy
import math
import pickle
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from scipy import integrate

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
            "too few observations",
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


def test_a_sample_of_size_zero_has_no_rows():
    assert MultivariateGaussian([0, 1], np.eye(2)).sample(0, rng=0).shape == (
        0,
        2,
    )
    assert Gaussian(0, 1).sample(0, rng=0).shape == (0,)
