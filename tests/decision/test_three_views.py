"""Estimation, risk and information say the same: the identities of Part III.

Each theorem of chapters 6 to 9 on random data, the two sides computed by
different routes.
"""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from bayesbook.decision import (
    GenerativeClassifier,
    LossMatrix,
    absolute_loss,
    bayes_decision_rule,
    bayes_risk,
    empirical_risk,
    expected_risk,
    log_loss,
    squared_loss,
    structural_risk,
    zero_one_loss,
)
from bayesbook.estimation import (
    Bernoulli,
    Categorical,
    Gaussian,
    Laplace,
    LinearGaussian,
    LinearLaplace,
    maximise,
    maximise_posterior,
)
from bayesbook.probability import (
    Table,
    cross_entropy,
    empirical_distribution,
    entropy,
    kl_divergence,
)

letters = st.lists(st.sampled_from("abc"), min_size=1, max_size=30)
seeds = st.integers(0, 10**6)


def distributions(seed, size, n=3):
    return np.random.default_rng(seed).dirichlet(np.ones(n), size)


# -- likelihood and information -----------------------------------------------


@given(letters, seeds)
def test_mean_log_likelihood_is_minus_the_cross_entropy(data, seed):
    seen = empirical_distribution(data, states="abc")
    for q in distributions(seed, 5):
        mean = Categorical(q, "abc").log_likelihood(data) / len(data)
        assert mean == pytest.approx(-cross_entropy(seen.values, q), rel=1e-12)
        parted = entropy(seen.values) + kl_divergence(seen.values, q)
        assert mean == pytest.approx(-parted, rel=1e-12)


@given(letters)
def test_maximum_likelihood_is_the_smallest_cross_entropy(data):
    seen = empirical_distribution(data, states="abc").values
    grid = [
        np.array([i, j, 20 - i - j]) / 20
        for i in range(21)
        for j in range(21 - i)
    ]
    fitted = Categorical.mle(data, "abc").probabilities
    least = min(cross_entropy(seen, q) for q in grid)
    assert cross_entropy(seen, fitted) <= least + 1e-12
    assert kl_divergence(seen, fitted) == 0


# -- prior and penalty --------------------------------------------------------


@given(st.integers(1, 30), st.integers(1, 30))
def test_a_flat_prior_changes_nothing(k, misses):
    def log_likelihood(p):
        return k * np.log(p) + misses * np.log(1 - p)

    flat = maximise_posterior(
        log_likelihood, stats.uniform(0, 1).logpdf, 0.5, (0, 1)
    )
    likely = Bernoulli.mle([1] * k + [0] * misses)
    assert flat.at == pytest.approx(likely.p, abs=1e-6)


@given(seeds, st.floats(0.3, 3), st.floats(0.1, 3))
def test_structural_risk_with_minus_log_prior_is_map(seed, sd, width):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 2))
    y = X @ rng.normal(size=2) + rng.normal(0, sd, 15)
    best = LinearGaussian.map(X, y, sd, Gaussian(0, width), intercept=False)

    def risk(w):
        """Penalise with the squared norm; λ is sd²/(N width²)."""
        return structural_risk(
            squared_loss,
            y,
            X @ w,
            penalty=float(w @ w),
            weight=sd**2 / (len(y) * width**2),
        )

    found = optimize.minimize(risk, np.zeros(2), tol=1e-12)
    np.testing.assert_allclose(best.coefficients, found.x, atol=1e-4)

    # Up to a factor and a constant it is minus the log posterior.
    def minus_log_posterior(w):
        noise = stats.norm(0, sd).logpdf(y - X @ w).sum()
        return -noise - stats.norm(0, width).logpdf(w).sum()

    ws = rng.normal(size=(4, 2))
    scaled = [risk(w) * len(y) / (2 * sd**2) for w in ws]
    gap = [minus_log_posterior(w) - s for w, s in zip(ws, scaled, strict=True)]
    np.testing.assert_allclose(gap, gap[0], rtol=1e-9)


# -- loss and noise -----------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "loss"),
    [(LinearGaussian, squared_loss), (LinearLaplace, absolute_loss)],
)
@given(seed=seeds)
def test_the_loss_is_the_noise(model, loss, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 1))
    y = 2 * X[:, 0] + rng.standard_t(2, 15)
    fitted = model.mle(X, y)
    least = empirical_risk(loss, y, fitted.predict(X))
    for slope, intercept in rng.normal([2, 0], 1, (40, 2)):
        risk = empirical_risk(loss, y, X[:, 0] * slope + intercept)
        assert risk >= least - 1e-9


@settings(max_examples=15)
@given(seeds)
def test_log_loss_is_the_conditional_likelihood(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=40)
    y = (rng.random(40) < 1 / (1 + np.exp(-x))).astype(int)
    # Otherwise there is no maximum: see chapter 9.
    assume(y[np.argsort(x)].tolist() != sorted(y))
    assume(y[np.argsort(-x)].tolist() != sorted(y))
    assume(0 < y.sum() < 40)
    sign = 2 * y - 1
    found = maximise(
        lambda w: -np.logaddexp(0, -sign * (w[0] + w[1] * x)).sum(), [0, 0]
    )
    classifier = LogisticRegression(C=np.inf, tol=1e-10).fit(x[:, None], y)
    probabilities = classifier.predict_proba(x[:, None])
    assert empirical_risk(log_loss, y, probabilities) == pytest.approx(
        -found.value / 40, abs=1e-9
    )
    np.testing.assert_allclose(
        [classifier.intercept_[0], classifier.coef_[0, 0]],
        found.at,
        atol=1e-4,
    )


# -- the best decisions -------------------------------------------------------


@given(
    st.lists(st.integers(0, 9), min_size=2, max_size=6).filter(any),
    st.data(),
)
def test_mean_median_and_mode_have_the_least_risk(weights, data):
    values = data.draw(
        st.lists(
            st.integers(-9, 9),
            min_size=len(weights),
            max_size=len(weights),
            unique=True,
        )
    )
    total = sum(weights)
    distribution = Table([F(w, total) for w in weights], {"Y": values})
    mean = distribution.expectation("Y")
    half = [
        v for v in values if distribution.P(lambda Y, v=v: v >= Y) * 2 >= 1
    ]
    median = min(half)
    mode = values[int(np.argmax(weights))]

    def risk(loss, c):
        return expected_risk(distribution, "Y", lambda: c, loss)

    others = [*values, mean, median, F(1, 3), F(-7, 2)]

    def least(loss):
        return min(risk(loss, c) for c in others)

    assert risk(squared_loss, mean) == least(squared_loss)
    assert risk(absolute_loss, median) == least(absolute_loss)
    assert risk(zero_one_loss, mode) == least(zero_one_loss)


@pytest.mark.parametrize(("a", "b"), [(2, 10), (5, 3), (1.5, 1.5)])
def test_the_same_of_a_posterior(a, b):
    posterior = stats.beta(a, b)

    def best(loss):
        def risk(c):
            # The loss may have a kink at c.
            return sum(
                posterior.expect(lambda t: loss(t, c), lb=lo, ub=hi)
                for lo, hi in ((0, c), (c, 1))
            )

        return optimize.minimize_scalar(
            risk, bounds=(0, 1), method="bounded", options={"xatol": 1e-8}
        ).x

    assert best(lambda t, c: (t - c) ** 2) == pytest.approx(
        posterior.mean(), abs=1e-5
    )
    assert best(lambda t, c: abs(t - c)) == pytest.approx(
        posterior.median(), abs=1e-5
    )
    # For a density the 0-1 loss is the limit of a miss by more than ε.
    hits = optimize.minimize_scalar(
        lambda c: posterior.cdf(c - 1e-3) - posterior.cdf(c + 1e-3),
        bounds=(0, 1),
        method="bounded",
        options={"xatol": 1e-8},
    )
    assert hits.x == pytest.approx((a - 1) / (a + b - 2), abs=1e-3)


@st.composite
def joints(draw):
    weights = draw(st.lists(st.integers(0, 9), min_size=9, max_size=9))
    assume(sum(weights))
    values = np.array([F(w, sum(weights)) for w in weights]).reshape(3, 3)
    return Table(values, {"C": "abc", "X": (0, 1, 2)})


@given(joints())
def test_zero_one_loss_wants_the_most_probable_class(joint):
    rule = bayes_decision_rule(joint, "C")
    for x, best in rule.items():
        posterior = joint.given(X=x)
        chances = {c: posterior.P(C=c) for c in "abc"}
        most = max(chances.values())
        assert best == tuple(c for c in "abc" if chances[c] == most)
        assert joint.P(X=x) > 0
    # The least probable one is the worst of all rules.
    worst = {
        x: min("abc", key=lambda c, x=x: joint.given(X=x).P(C=c)) for x in rule
    }
    risks = [
        expected_risk(joint, "C", dict(enumerate(classes)), zero_one_loss)
        for classes in product("abc", repeat=3)
    ]
    assert bayes_risk(joint, "C") == min(risks)
    assert expected_risk(joint, "C", worst, zero_one_loss) == max(risks)


def test_no_rule_goes_below_the_bayes_risk():
    model = GenerativeClassifier(
        {"a": 0.4, "b": 0.6}, {"a": Gaussian(0, 1), "b": Laplace(1, 2)}
    )
    floor = model.bayes_risk()
    rng = np.random.default_rng(9)
    for low, high in np.sort(rng.normal(0, 2, (30, 2))):
        estimate = model.risk(
            lambda x, low=low, high=high: np.where(
                (low < x) & (x < high), "a", "b"
            ),
            size=20_000,
            rng=rng,
        )
        assert estimate.value > floor - 4 * estimate.standard_error
    loss = LossMatrix([[0, 1], [1, 0]], "ab")
    assert model.bayes_risk(loss) == pytest.approx(floor)


@pytest.mark.parametrize(
    "learner",
    [
        GaussianNB(),
        LogisticRegression(),
        KNeighborsClassifier(1),
        KNeighborsClassifier(15),
    ],
    ids=str,
)
def test_no_trained_classifier_goes_below_the_bayes_risk(learner):
    model = GenerativeClassifier(
        {"a": 0.4, "b": 0.6},
        {
            "a": stats.multivariate_normal([0, 0], [[1, 0], [0, 1]]),
            "b": stats.multivariate_normal([1, 1], [[1, 0.6], [0.6, 2]]),
        },
    )
    # Other draws for the floor: they could come out above a risk by chance.
    floor = model.bayes_risk_monte_carlo(size=20_000, rng=1)
    for size in (30, 1000):
        trained = learner.fit(*model.sample(size, rng=size))
        risk = model.risk(trained.predict, size=20_000, rng=2)
        error = np.hypot(risk.standard_error, floor.standard_error)
        assert risk.value > floor.value - 4 * error


# -- two warnings -------------------------------------------------------------


def test_the_posterior_mean_may_be_farther_from_the_prior_than_map():
    a, b, k, n = 2, 8, 7, 10
    prior, mean = F(a, a + b), F(k + a, n + a + b)
    peak = F(k + a - 1, n + a + b - 2)
    assert abs(peak - prior) < abs(mean - prior)


def test_a_joint_log_density_ranks_predictions_wrongly():
    """One model knows x better, the other y given x: the joint sums up."""
    truth = Table(
        [["9/20", "1/20"], ["1/20", "9/20"]], {"Y": (0, 1), "X": (0, 1)}
    )
    blunt = Table([["1/4"] * 2] * 2, {"Y": (0, 1), "X": (0, 1)})
    # Right about y given x, and badly wrong about x.
    sharp = Table(
        [["9/1000", "99/1000"], ["1/1000", "891/1000"]],
        {"Y": (0, 1), "X": (0, 1)},
    )

    def mean_loss(model, log_of):
        return sum(
            float(truth.P(X=x, Y=y)) * -np.log(float(log_of(model, x, y)))
            for x in (0, 1)
            for y in (0, 1)
        )

    def joint(model, x, y):
        return model.P(X=x, Y=y)

    def conditional(model, x, y):
        return model.P({"Y": y}, given={"X": x})

    assert mean_loss(sharp, joint) > mean_loss(blunt, joint)
    assert mean_loss(sharp, conditional) < mean_loss(blunt, conditional)

    # Within one model: what is certain, and what is wrong ten times in eleven.
    one = Table(
        [["1/100", 0], ["9/100", "90/100"]],
        {"sign": ("yes", "no"), "state": ("ill", "well")},
    )
    seen = {x: one.P(sign=x, state="ill") for x in ("yes", "no")}
    told = {
        x: one.P({"state": "ill"}, given={"sign": x}) for x in ("yes", "no")
    }
    assert seen["no"] == 9 * seen["yes"]
    assert (told["yes"], told["no"]) == (1, F(1, 11))
