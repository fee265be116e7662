"""Models of counts and categories: formulas, and simulation."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError
from bayesbook.estimation import (
    Bernoulli,
    Binomial,
    Categorical,
    Poisson,
)


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


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=20),
    st.floats(0.01, 60),
)
def test_no_rate_beats_the_mean_of_poisson_counts(data, rate):
    best = Poisson.mle(data)
    assert best.rate == pytest.approx(np.mean(data))
    other = Poisson(rate).log_likelihood(data)
    assert other <= best.log_likelihood(data) + 1e-9


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


def test_no_information_about_a_category_that_never_occurs():
    model = Categorical([1, 0])
    for question in (
        model.fisher_information,
        lambda: model.standard_errors(9),
    ):
        with pytest.raises(ProbabilityError, match="edge of its range"):
            question()


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


@pytest.mark.parametrize("data", [3, [[1], [2]], np.array(1)])
def test_no_categories(data):
    with pytest.raises(ProbabilityError, match="cannot be categories"):
        Categorical.mle(data)
