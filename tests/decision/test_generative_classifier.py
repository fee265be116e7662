"""Known models against closed forms, and integrals by another rule."""

import copy
import math
import pickle
from fractions import Fraction as F
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import trapezoid
from scipy.stats import multivariate_normal, norm, uniform

from bayesbook.base import (
    ConvergenceError,
    ProbabilityError,
    ZeroProbabilityError,
)
from bayesbook.decision import GenerativeClassifier, LossMatrix, RiskEstimate
from bayesbook.estimation import Gaussian, MultivariateGaussian

NAN, INF = float("nan"), float("inf")
HALF = {"a": 0.5, "b": 0.5}
TWO = GenerativeClassifier(HALF, {"a": norm(0, 1), "b": norm(2, 1)})
PLANE = GenerativeClassifier(
    {"a": 0.5, "b": 0.5},
    {"a": multivariate_normal([0, 0]), "b": multivariate_normal([3, 4])},
)
CARE = LossMatrix([[0, 1], [9, 0]], "ab")


def risk_on_a_grid(priors, densities, losses, low, high):
    """Integrate the least risk by the trapezoidal rule."""
    x = np.linspace(low, high, 400_001)
    joint = [p * d.pdf(x) for p, d in zip(priors, densities, strict=True)]
    risks = [
        sum(cost * p for cost, p in zip(row, joint, strict=True))
        for row in losses
    ]
    return trapezoid(np.minimum.reduce(risks), x)


def close(estimate, truth, errors=4):
    return abs(estimate.value - truth) < errors * estimate.standard_error


# --- Posterior ------------------------------------------------------------


@given(
    st.lists(st.floats(-3, 3), min_size=1),
    st.tuples(*[st.integers(1, 9)] * 3),
)
def test_the_posterior_is_prior_times_density(x, weights):
    total = sum(weights)
    priors = {k: F(n, total) for k, n in zip("abc", weights, strict=True)}
    densities = {"c": norm(1, 2), "a": norm(0, 1), "b": stats.cauchy(-1)}
    model = GenerativeClassifier(priors, densities)
    assert model.classes == ("a", "b", "c")
    for value, row in zip(x, model.posterior(x), strict=True):
        joint = [
            float(priors[k]) * densities[k].pdf(value) for k in model.classes
        ]
        np.testing.assert_allclose(row, np.array(joint) / sum(joint))
        np.testing.assert_allclose(model.posterior(value), row)


def test_the_posterior_is_right_where_densities_vanish():
    assert norm(2, 1).pdf(-60) == 0
    posterior = TWO.posterior([-60.0, 60.0])
    # The log odds are 2 - 2x.
    np.testing.assert_allclose(posterior[0], [1, math.exp(-122)], rtol=1e-9)
    np.testing.assert_allclose(posterior[1], [math.exp(-118), 1], rtol=1e-9)


def test_the_posterior_of_vectors():
    posterior = PLANE.posterior([[0, 0], [3, 4], [1.5, 2]])
    odds = math.exp(12.5)
    np.testing.assert_allclose(
        posterior,
        [[odds / (1 + odds), 1 / (1 + odds)]] * 1
        + [[1 / (1 + odds), odds / (1 + odds)], [0.5, 0.5]],
    )
    np.testing.assert_allclose(PLANE.posterior([0, 0]), posterior[0])
    assert PLANE.posterior([[0, 0]]).shape == (1, 2)


def test_the_posterior_of_discrete_values():
    model = GenerativeClassifier(
        {"a": "1/3", "b": "2/3"},
        {"a": stats.binom(2, 0.5), "b": stats.poisson(1)},
    )
    a, b = 0.5 / 3, 2 / 3 * math.exp(-1)
    np.testing.assert_allclose(model.posterior(1), [a / (a + b), b / (a + b)])
    assert model.posterior([3]).tolist() == [[0, 1]]


def test_a_class_of_prior_zero_never_occurs():
    model = GenerativeClassifier(
        {"a": 0, "b": 1}, {"a": norm(5), "b": norm(0)}
    )
    assert model.posterior([5.0]).tolist() == [[0, 1]]
    assert set(model.sample(50, rng=0)[1]) == {"b"}
    assert model.bayes_risk() == 0
    # Nor does its support matter.
    densities = {"a": stats.poisson(1), "b": stats.binom(3, 0.5)}
    assert GenerativeClassifier({"a": 0, "b": 1}, densities).bayes_risk() == 0


def test_a_vector_of_one_is_a_number():
    one = GenerativeClassifier(
        HALF, {"a": multivariate_normal([0]), "b": norm(2)}
    )
    assert one.posterior([0.3]).tolist() == TWO.posterior([0.3]).tolist()
    assert one.sample(5, rng=0)[0].shape == (5,)
    # Drawing one case of a vector gives no row.
    for size in (1, 2):
        assert PLANE.sample(size, rng=0)[0].shape == (size, 2)


def test_a_model_that_has_a_distribution_will_do():
    model = GenerativeClassifier(
        HALF,
        {"a": SimpleNamespace(distribution=norm(0, 1)), "b": norm(2, 1)},
    )
    assert model.posterior(0.3).tolist() == TWO.posterior(0.3).tolist()
    assert model.densities["a"].mean() == 0


def test_the_models_that_were_estimated_will_do():
    means = {"a": [0, 0], "b": [3, 4]}
    model = GenerativeClassifier(
        HALF,
        {k: MultivariateGaussian(m, np.eye(2)) for k, m in means.items()},
    )
    x = [[0, 0], [1.5, 2.5]]
    np.testing.assert_allclose(model.posterior(x), PLANE.posterior(x))
    assert model.sample(3, rng=0)[0].shape == (3, 2)
    model = GenerativeClassifier(
        HALF, {"a": Gaussian(0, 1), "b": Gaussian(2, 1)}
    )
    assert model.bayes_risk() == TWO.bayes_risk()


# --- Samples --------------------------------------------------------------


def test_samples_follow_the_model():
    model = GenerativeClassifier(
        {"a": 0.2, "b": 0.8}, {"a": norm(0, 1), "b": norm(5, 2)}
    )
    x, y = model.sample(20_000, rng=1)
    assert x.shape == y.shape == (20_000,)
    assert abs((y == "a").mean() - 0.2) < 4 * math.sqrt(0.16 / 20_000)
    for name, density in model.densities.items():
        assert stats.kstest(x[y == name], density.cdf).pvalue > 0.001
    # Independent draws: neighbours know nothing of each other.
    assert abs(np.corrcoef(y[1:] == "a", y[:-1] == "a")[0, 1]) < 0.03


def test_samples_of_vectors_and_of_counts():
    x, y = PLANE.sample(4000, rng=2)
    assert x.shape == (4000, 2)
    np.testing.assert_allclose(x[y == "b"].mean(axis=0), [3, 4], atol=0.1)
    counts = GenerativeClassifier({3: 1}, {3: stats.poisson(2)})
    x, y = counts.sample(10, rng=3)
    assert (x == x.round()).all()
    assert y.tolist() == [3] * 10
    assert PLANE.sample(0, rng=0)[0].shape == (0, 2)
    assert TWO.sample(0, rng=0)[0].shape == (0,)


def test_a_seed_or_a_generator():
    first, again = TWO.sample(5, rng=7), TWO.sample(5, rng=7)
    generator = TWO.sample(5, rng=np.random.default_rng(7))
    other = TWO.sample(5, rng=8)
    assert first[0].tolist() == again[0].tolist() == generator[0].tolist()
    assert first[0].tolist() != other[0].tolist()


# --- Bayes risk -----------------------------------------------------------


@settings(max_examples=5)
@given(st.floats(0.01, 12), st.floats(0.01, 100))
def test_two_gaussians_err_with_the_probability_of_half_their_distance(d, sd):
    model = GenerativeClassifier(
        HALF, {"a": norm(0, sd), "b": norm(d * sd, sd)}
    )
    risk = model.bayes_risk()
    assert risk == pytest.approx(norm.cdf(-d / 2), abs=1e-10)
    assert abs(risk - norm.cdf(-d / 2)) < risk.error + 1e-15
    # Without a cut at the threshold the error is larger.
    assert 0 < risk.error < 1e-12


@settings(max_examples=5)
@given(st.floats(0.05, 0.95), st.floats(0.5, 20), st.floats(0.5, 4))
def test_unequal_losses_and_priors_move_the_threshold(prior, cost, d):
    model = GenerativeClassifier(
        {"a": prior, "b": 1 - prior}, {"a": norm(0, 1), "b": norm(d, 1)}
    )
    loss = LossMatrix([[0, 1], [cost, 0]], "ab")
    # Call it b where (1 - prior) p_b > cost prior p_a.
    t = d / 2 + math.log(cost * prior / (1 - prior)) / d
    truth = prior * cost * norm.sf(t) + (1 - prior) * norm.cdf(t - d)
    assert model.bayes_risk(loss) == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize("cost", [0.1, 0.3])
def test_the_risk_with_reject_by_the_threshold_of_chow(cost):
    # Where the larger posterior is 1 - cost, the log odds 2 - 2x are:
    odds = math.log((1 - cost) / cost)
    low, high = 1 - odds / 2, 1 + odds / 2
    mistakes = norm.sf(high) / 2 + norm.cdf(low - 2) / 2
    rejected = sum(
        (norm.cdf(high - m) - norm.cdf(low - m)) / 2 for m in (0, 2)
    )
    loss = LossMatrix.zero_one("ab").with_reject(cost)
    assert TWO.bayes_risk(loss) == pytest.approx(
        mistakes + cost * rejected, abs=1e-10
    )


GRIDS = {
    "a class within another": (
        [norm(0, 3), norm(1, 0.2)],
        [[0, 1], [1, 0]],
        (-30, 30),
    ),
    "three classes, a gain, a reject": (
        [norm(0, 1), norm(2, 1), stats.logistic(1, 2)],
        [[-1, 1, 1], [2, 0, 2], [1, 1, 0], [0.4, 0.4, 0.4]],
        (-70, 70),
    ),
    "kinks within": (
        [stats.laplace(0, 1), norm(0, 1)],
        [[0, 1], [1, 0]],
        (-40, 40),
    ),
    "a density without bound": (
        [stats.gamma(1.5), stats.weibull_min(2)],
        [[0, 1], [3, 0]],
        (0, 40),
    ),
}


@pytest.mark.parametrize("name", GRIDS)
def test_the_risk_is_the_integral_of_the_least_risk(name):
    densities, losses, (low, high) = GRIDS[name]
    n = len(densities)
    model = GenerativeClassifier(
        dict.fromkeys(range(n), F(1, n)), dict(enumerate(densities))
    )
    loss = LossMatrix(losses, range(n), range(len(losses)))
    truth = risk_on_a_grid([1 / n] * n, densities, losses, low, high)
    assert model.bayes_risk(loss) == pytest.approx(truth, abs=1e-6)


@pytest.mark.parametrize(
    ("a", "b", "truth"),
    [
        (uniform(0, 1), uniform(0.5, 1), 0.25),
        (uniform(0, 1), uniform(2, 1), 0),
        (uniform(0, 1), uniform(0.25, 0.5), 0.25),
        (norm(0, 1), norm(0, 1), 0.5),
        (norm(0, 1), norm(1000, 1e-3), 0),
        (stats.cauchy(0), stats.cauchy(2), 0.25),
        (stats.expon(), stats.expon(scale=2), 0.375),
    ],
)
def test_closed_forms_of_other_densities(a, b, truth):
    model = GenerativeClassifier(HALF, {"a": a, "b": b})
    assert model.bayes_risk() == pytest.approx(truth, abs=1e-10)


def test_the_states_of_the_loss_are_matched_by_name():
    model = GenerativeClassifier({"a": 0.9, "b": 0.1}, TWO.densities)
    t = 1 + math.log(9 * 0.9 / 0.1) / 2
    truth = 0.9 * 9 * norm.sf(t) + 0.1 * norm.cdf(t - 2)
    risk = model.bayes_risk(CARE.with_states("ba"))
    assert risk == pytest.approx(truth, abs=1e-10)
    # Without names the matrix is in the order of the classes.
    risk = model.bayes_risk(CARE.values)
    assert risk == pytest.approx(truth, abs=1e-10)


def test_a_risk_that_was_integrated_is_a_number():
    risk = TWO.bayes_risk()
    assert isinstance(risk, float)
    assert f"{risk:.4f}" == "0.1587"
    twin = pickle.loads(pickle.dumps(risk))
    assert (twin, twin.error) == (risk, risk.error)


def test_discrete_values_are_added_up():
    a, b = stats.binom(4, 0.3), stats.randint(2, 7)
    model = GenerativeClassifier({"a": 0.25, "b": 0.75}, {"a": a, "b": b})
    truth = sum(
        min(9 * 0.25 * a.pmf(x), 0.75 * b.pmf(x)) for x in range(-1, 9)
    )
    assert model.bayes_risk(CARE) == pytest.approx(truth, abs=1e-14)
    assert model.bayes_risk(CARE).error < 1e-14


# --- Monte Carlo ----------------------------------------------------------


def test_the_estimates_are_right_within_their_errors():
    truth = norm.cdf(-1)
    scores = []
    for seed in range(40):
        estimate = TWO.bayes_risk_monte_carlo(size=2000, rng=seed)
        scores.append((estimate.value - truth) / estimate.standard_error)
    assert abs(np.mean(scores)) < 4 / math.sqrt(40)
    assert 0.7 < np.std(scores) < 1.4


def test_vectors_are_estimated():
    estimate = PLANE.bayes_risk_monte_carlo(rng=0)
    # The means are 5 apart.
    assert close(estimate, norm.cdf(-2.5))
    doubled = LossMatrix([[0, 2], [2, 0]], "ab")
    twice = PLANE.bayes_risk_monte_carlo(doubled, rng=0)
    assert twice.value == pytest.approx(2 * estimate.value)


def test_averaging_conditional_risks_beats_counting_mistakes():
    size = 20_000
    estimate = TWO.bayes_risk_monte_carlo(size=size, rng=0)
    p = norm.cdf(-1)
    counting = math.sqrt(p * (1 - p) / size)
    assert estimate.standard_error < 0.5 * counting
    # The variance of the conditional risk, by another rule.
    x = np.linspace(-12, 14, 200_001)
    a, b = norm.pdf(x) / 2, norm.pdf(x - 2) / 2
    second = trapezoid(np.minimum(a, b) ** 2 / (a + b), x)
    assert estimate.standard_error == pytest.approx(
        math.sqrt((second - p**2) / size), rel=0.03
    )


def test_the_risk_of_a_classifier():
    def early(x):
        return np.where(x < 0.5, "a", "b")

    truth = norm.sf(0.5) / 2 + norm.cdf(-1.5) / 2
    assert close(TWO.risk(early, rng=0), truth)
    careful = 9 * norm.sf(0.5) / 2 + norm.cdf(-1.5) / 2
    assert close(TWO.risk(early, CARE, rng=1), careful)
    assert close(TWO.risk(early, CARE.with_states("ba"), rng=1), careful)
    reject = LossMatrix.zero_one("ab").with_reject(0.3)
    never = TWO.risk(lambda x: ["reject"] * len(x), reject, rng=0)
    assert never.value == pytest.approx(0.3)
    assert never.standard_error < 1e-15


def test_no_classifier_is_estimated_to_beat_the_best_on_the_same_draws():
    best = TWO.bayes_risk_monte_carlo(CARE, size=500, rng=3)
    for t in np.linspace(-1, 5, 13):
        risk = TWO.risk(
            lambda x, t=t: np.where(x < t, "a", "b"), CARE, size=500, rng=3
        )
        assert risk.value >= best.value
    threshold = 1 + math.log(9) / 2
    risk = TWO.risk(
        lambda x: np.where(x < threshold, "a", "b"), CARE, size=500, rng=3
    )
    assert risk.value == pytest.approx(best.value)


def test_the_classifier_sees_vectors():
    def nearest(x):
        assert x.shape == (1000, 2)
        return np.where(x @ [3, 4] < 12.5, "a", "b")

    best = PLANE.bayes_risk_monte_carlo(size=1000, rng=5)
    assert PLANE.risk(nearest, size=1000, rng=5) == best


def test_the_error_of_two_draws_is_half_their_distance():
    x, _ = TWO.sample(2, rng=0)
    first, second = TWO.posterior(x).min(axis=1)
    estimate = TWO.bayes_risk_monte_carlo(size=2, rng=0)
    assert estimate.value == pytest.approx((first + second) / 2)
    assert estimate.standard_error == pytest.approx(abs(first - second) / 2)


def test_an_estimate_shows_what_is_known():
    shown = repr(RiskEstimate(1 / 3, 1 / 700))
    assert shown == "RiskEstimate(value=0.333333, standard_error=0.0014)"


# --- An immutable value ---------------------------------------------------


def test_a_model_cannot_be_changed():
    with pytest.raises(AttributeError, match="make a new one"):
        TWO.priors = HALF
    with pytest.raises(TypeError):
        TWO.priors["a"] = 1


def test_copies_are_the_same_model():
    for twin in (pickle.loads(pickle.dumps(TWO)), copy.deepcopy(TWO)):
        assert twin.posterior(0.3).tolist() == TWO.posterior(0.3).tolist()


def test_what_is_shown():
    assert repr(TWO) == "GenerativeClassifier with priors {'a': 0.5, 'b': 0.5}"


# --- Errors ---------------------------------------------------------------

GOOD = {"a": norm(0, 1), "b": norm(2, 1)}
MODELS = {
    "There are no classes": ({}, GOOD),
    "prior probabilities sum to 9/10, not to 1": (
        {"a": "1/2", "b": "2/5"},
        GOOD,
    ),
    "prior probabilities sum to .*, not to 1": (
        {"a": "1/2", "b": F(1, 2) + F(1, 10**12)},
        GOOD,
    ),
    "prior probabilities sum to 1.0?0?0?1": ({"a": 0.5, "b": 0.501}, GOOD),
    "probability of 'a' is -1/2: negative": ({"a": "-1/2", "b": 1.5}, GOOD),
    "probability of 'b' is nan": ({"a": 0.5, "b": NAN}, GOOD),
    "A class is missing": ({None: 1}, GOOD),
    "density of 'A', but no prior. Did you mean 'a'": (
        HALF,
        {"A": norm(0, 1), "b": norm(2, 1)},
    ),
    "prior of 'b', but no density": (HALF, {"a": norm(0, 1)}),
    "scipy's gamma without its parameters": (
        HALF,
        {"a": stats.gamma, "b": norm(0, 1)},
    ),
    "'a' has a density of numbers, 'b' has probabilities of numbers": (
        HALF,
        {"a": norm(0, 1), "b": stats.poisson(1)},
    ),
    "'b' has a density of vectors of 2": (
        HALF,
        {"a": norm(0, 1), "b": multivariate_normal([0, 0])},
    ),
    "density of 'b' is not one distribution of a number": (
        HALF,
        {"a": norm(0, 1), "b": norm([0, 1, 2], 1)},
    ),
    "density of 'a' is not one distribution": (
        HALF,
        {"a": stats.wishart(3, np.eye(2)), "b": norm(0, 1)},
    ),
    "'a' is not one distribution of a number, or of a row vector": (
        HALF,
        {"a": stats.dirichlet([1, 2]), "b": norm(0, 1)},
    ),
}


WRONG_TYPES = {
    "dictionary from classes to probabilities, not None": (None, GOOD),
    "dictionary from classes to distributions": (HALF, norm(0, 1)),
    "density of 'b' is 3; give a distribution of scipy.stats": (
        HALF,
        {"a": norm(0, 1), "b": 3},
    ),
}


@pytest.mark.parametrize("message", WRONG_TYPES)
def test_arguments_of_a_wrong_type(message):
    with pytest.raises(TypeError, match=message):
        GenerativeClassifier(*WRONG_TYPES[message])


@pytest.mark.parametrize("message", MODELS)
def test_a_model_that_cannot_be_one(message):
    with pytest.raises(ProbabilityError, match=message):
        GenerativeClassifier(*MODELS[message])


@pytest.mark.parametrize(
    ("model", "x", "message"),
    [
        (TWO, [0.0, NAN], "x is nan in row 1: not a finite number"),
        (TWO, ["a"], "x is not a number"),
        (TWO, [[0.0], [1.0]], r"shape \(2, 1\); the densities need \(n,\)"),
        (PLANE, 0.0, r"shape \(\); the densities need \(n, 2\)"),
        (PLANE, [0.0, 1.0, 2.0], r"shape \(3,\)"),
        (PLANE, [[0.0, 1.0, 2.0]], r"shape \(1, 3\)"),
        (PLANE, [[0.0, INF]], "x is inf in row 0"),
    ],
)
def test_no_posterior(model, x, message):
    with pytest.raises(ProbabilityError, match=message):
        model.posterior(x)


def test_where_every_density_is_zero_there_is_no_posterior():
    model = GenerativeClassifier(
        HALF, {"a": uniform(0, 1), "b": uniform(2, 1)}
    )
    with pytest.raises(ZeroProbabilityError, match=r"at x = 1\.5: .* zero"):
        model.posterior([0.5, 1.5])
    counts = GenerativeClassifier({"a": 1}, {"a": stats.binom(3, 0.5)})
    with pytest.raises(ZeroProbabilityError, match=r"at x = 4\.0"):
        counts.posterior(4)


def test_where_a_density_is_infinite_there_is_no_posterior():
    model = GenerativeClassifier(
        HALF, {"a": stats.gamma(0.5), "b": stats.expon()}
    )
    with pytest.raises(ProbabilityError, match=r"at x = 0\.0 is infinite"):
        model.posterior([1.0, 0.0])


WAY_OUT = "use bayes_risk_monte_carlo"


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (PLANE, f"x is a vector of 2 numbers; .*: {WAY_OUT}"),
        (
            GenerativeClassifier(
                HALF, {"a": stats.poisson(1), "b": stats.poisson(2)}
            ),
            f"support, from 0 to inf, is too large for a sum; {WAY_OUT}",
        ),
        (
            GenerativeClassifier(
                HALF,
                {
                    "a": stats.rv_discrete(values=([0.5, 1], [0.5, 0.5])),
                    "b": stats.randint(0, 2),
                },
            ),
            "x has other values, too",
        ),
        (
            GenerativeClassifier(
                HALF, {"a": stats.beta(0.1, 0.1), "b": uniform(0, 1)}
            ),
            f"density at x = 1 is infinite .*; {WAY_OUT}",
        ),
    ],
)
def test_no_quadrature(model, message):
    with pytest.raises(ProbabilityError, match=message):
        model.bayes_risk()


class Comb(stats.rv_continuous):
    """A density that no quadrature resolves."""

    def _pdf(self, x):
        return 1 + np.sin(1e7 * x)

    def _cdf(self, x):
        return x - (np.cos(1e7 * x) - 1) / 1e7

    def _ppf(self, q):
        return q


def test_a_warning_of_quad_is_an_error():
    model = GenerativeClassifier({"a": 1}, {"a": Comb(a=0, b=1)()})
    with pytest.raises(
        ConvergenceError,
        match=r"between x = .* could not be integrated .* Use bayes_risk_mon",
    ):
        model.bayes_risk(LossMatrix([[1]], "a"))


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (1, "size is 1; it must be at least 2"),
        (2.5, "size is 2.5: not a whole number"),
    ],
)
def test_too_few_draws(size, message):
    for estimate in (
        TWO.bayes_risk_monte_carlo,
        lambda **kw: TWO.risk(lambda x: x, **kw),
    ):
        with pytest.raises(ProbabilityError, match=message):
            estimate(size=size, rng=0)
    with pytest.raises(ProbabilityError, match=r"size is -1; .* at least 0"):
        TWO.sample(-1, rng=0)
    with pytest.raises(
        ProbabilityError, match="The size is True: not a number"
    ):
        TWO.sample(True, rng=0)


def test_decisions_that_are_none():
    with pytest.raises(ProbabilityError, match=r"shape \(\) for 10 x"):
        TWO.risk(lambda x: "a", size=10, rng=0)
    with pytest.raises(
        ProbabilityError, match=r"decision in row 0 is 'A', .* mean 'a'"
    ):
        TWO.risk(lambda x: ["A"] * 10, size=10, rng=0)


def test_a_loss_of_other_states():
    loss = LossMatrix.zero_one("ac")
    for ask in (
        TWO.bayes_risk,
        lambda loss: TWO.bayes_risk_monte_carlo(loss, rng=0),
        lambda loss: TWO.risk(lambda x: x, loss, rng=0),
    ):
        with pytest.raises(ProbabilityError, match="no state 'b'"):
            ask(loss)


@pytest.mark.parametrize("distribution", [norm(0, -1), norm(NAN, 1)])
def test_parameters_out_of_range(distribution):
    with pytest.raises(ProbabilityError, match="parameters in their range"):
        GenerativeClassifier({"a": 1}, {"a": distribution})


def test_so_far_out_there_is_no_posterior():
    with pytest.raises(ZeroProbabilityError, match=r"x = 1e\+200"):
        TWO.posterior(1e200)
