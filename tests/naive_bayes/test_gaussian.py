"""GaussianNB against exact fractions, the direct formula, scikit-learn."""

from fractions import Fraction
from math import log, pi

import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import NormalInverseGamma
from bayesbook.naive_bayes import GaussianNB

# The melons of Zhou (2016), table 4.3: density and sugar, of 8 good ones and
# of 9 others.
GOOD = np.array(
    [
        [0.697, 0.774, 0.634, 0.608, 0.556, 0.403, 0.481, 0.437],
        [0.460, 0.376, 0.264, 0.318, 0.215, 0.237, 0.149, 0.211],
    ]
).T
BAD = np.array(
    [
        [0.666, 0.243, 0.245, 0.343, 0.639, 0.657, 0.360, 0.593, 0.719],
        [0.091, 0.267, 0.057, 0.099, 0.161, 0.198, 0.370, 0.042, 0.103],
    ]
).T
MELONS = np.vstack([GOOD, BAD])
IS_GOOD = ["yes"] * 8 + ["no"] * 9

numbers = st.floats(-100, 100, width=32)


@st.composite
def measured(draw, columns=3):
    """Rows of two classes, neither of which is constant in a column."""
    n = draw(st.integers(4, 20))
    X = draw(hnp.arrays(np.float64, (n, columns), elements=numbers))
    X[:4] = [[0] * columns, [1] * columns, [2] * columns, [4] * columns]
    y = draw(st.lists(st.sampled_from("ab"), min_size=n, max_size=n))
    y[:4] = "aabb"
    return X, np.array(y)


def moments(x, ddof=0):
    """Give mean and variance of floats, exactly."""
    x = [Fraction(float(v)) for v in x]
    mean = sum(x) / len(x)
    return mean, sum((v - mean) ** 2 for v in x) / (len(x) - ddof)


def log_density(x, mean, variance):
    square = (Fraction(float(x)) - mean) ** 2 / variance
    return -(log(2 * pi * variance) + float(square)) / 2


def wanted_log_likelihood(X, y, at, ddof=0):
    """Sum log densities over the columns, those of NaN left out."""
    result = []
    for row in at:
        own = []
        for k in np.unique(y):
            total = 0.0
            for m, x in enumerate(row):
                column = X[y == k, m]
                distribution = moments(column[~np.isnan(column)], ddof)
                total += 0 if np.isnan(x) else log_density(x, *distribution)
            own.append(total)
        result.append(own)
    return np.array(result)


@given(measured(), st.sampled_from([0, 1]))
@settings(max_examples=25)
def test_equals_the_density_with_exact_moments(data, ddof):
    X, y = data
    model = GaussianNB(var_smoothing=0, ddof=ddof).fit(X, y)
    for k, label in enumerate("ab"):
        for m in range(X.shape[1]):
            mean, variance = moments(X[y == label, m], ddof)
            assert model.theta_[k, m] == pytest.approx(float(mean))
            assert model.var_[k, m] == pytest.approx(float(variance))
    wanted = wanted_log_likelihood(X, y, X, ddof)
    assert model.class_log_likelihood(X) == pytest.approx(
        wanted, rel=1e-9, abs=1e-9
    )
    joint = model.class_log_prior_ + wanted
    assert model.predict_joint_log_proba(X) == pytest.approx(
        joint, rel=1e-9, abs=1e-9
    )


@given(measured(), st.sampled_from([1e-9, 1e-3, 1]), st.booleans())
@settings(max_examples=25)
def test_equals_scikit_learn(data, var_smoothing, fit_prior):
    X, y = data
    theirs = sklearn.naive_bayes.GaussianNB(
        var_smoothing=var_smoothing, priors=None if fit_prior else [0.5, 0.5]
    ).fit(X, y)
    ours = GaussianNB(
        var_smoothing=var_smoothing,
        class_alpha=0,
        class_prior=None if fit_prior else "uniform",
    ).fit(X, y)
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    assert ours.class_count_ == pytest.approx(theirs.class_count_)
    assert np.exp(ours.class_log_prior_) == pytest.approx(theirs.class_prior_)
    assert ours.theta_ == pytest.approx(theirs.theta_, rel=1e-10, abs=1e-10)
    assert ours.var_ == pytest.approx(theirs.var_, rel=1e-10)
    assert ours.predict_log_proba(X) == pytest.approx(
        theirs.predict_log_proba(X), rel=1e-10, abs=1e-10
    )
    assert ours.predict_joint_log_proba(X) == pytest.approx(
        theirs.predict_joint_log_proba(X), rel=1e-10, abs=1e-10
    )


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
def test_equals_scikit_learn_on_many_rows(kind):
    rng = np.random.default_rng(14)
    y = rng.integers(5, size=6000)
    X = (
        10 * rng.normal(size=(5, 30))[y] + 9 * rng.normal(size=(6000, 30))
    ).astype(kind)
    weights = rng.integers(1, 4, size=6000)
    theirs = sklearn.naive_bayes.GaussianNB().fit(X.astype(float), y, weights)
    ours = GaussianNB().fit(X, y, weights)
    assert_allclose(
        ours.predict_log_proba(X),
        theirs.predict_log_proba(X.astype(float)),
        rtol=1e-9,
        atol=1e-9,
    )


def test_the_published_parameters_of_the_melons_divide_by_one_less():
    published = GaussianNB(var_smoothing=0, ddof=1).fit(MELONS, IS_GOOD)
    assert published.classes_.tolist() == ["no", "yes"]
    wanted = [[0.496, 0.154], [0.574, 0.279]]
    assert published.theta_ == pytest.approx(np.array(wanted), abs=5.1e-4)
    wanted = [[0.195, 0.108], [0.129, 0.101]]
    assert np.sqrt(published.var_) == pytest.approx(
        np.array(wanted), abs=5.1e-4
    )
    likeliest = GaussianNB(var_smoothing=0).fit(MELONS, IS_GOOD)
    assert likeliest.var_[0] == pytest.approx(published.var_[0] * 8 / 9)
    assert likeliest.var_[1] == pytest.approx(published.var_[1] * 7 / 8)


# -- digits -------------------------------------------------------------------


def direct(model, X):
    """Give log p(x | c) by the formula, from the model's own parameters."""
    distance = X[:, None, :] - model.theta_
    terms = np.log(2 * np.pi * model.var_) + distance**2 / model.var_
    return -terms.sum(axis=2) / 2


@pytest.mark.parametrize("n", [40, 3000])
@pytest.mark.parametrize(
    ("offset", "apart", "sd"),
    [
        (0, 0, 1),
        (1e6, 0, 1),
        (1e8, 0, 1),
        (1e4, 0, 1e-4),
        (0, 1e6, 1),
        (0, 1e6, 1e-2),
        (1e6, 1e6, 1),
        (0, 1e-3, 1e-6),
        (0, 0, 1e100),
        (0, 0, 1e-100),
    ],
)
def test_digits_are_not_lost_to_cancellation(n, offset, apart, sd):
    # Of (x − θ)² / σ² multiplied out, the squares of large numbers cancel.
    rng = np.random.default_rng(15)
    y = np.arange(n) % 4
    X = sd * rng.normal(size=(n, 6)) + offset + apart * y[:, None]
    model = GaussianNB(var_smoothing=0).fit(X, y)
    own = np.arange(n), y
    formula = direct(model, X)
    given_ = model.class_log_likelihood(X)
    assert_allclose(given_[own], formula[own], rtol=1e-9, atol=1e-9)
    assert_allclose(given_, formula, rtol=1e-9, atol=1e-9)
    if n == 40 and apart <= 1:
        exact = wanted_log_likelihood(X, y, X[:8])
        # The mean itself is rounded, to 1e-16 of the offset.
        assert given_[:8] == pytest.approx(
            exact, rel=1e-9, abs=1e-9 + 1e-15 * offset / sd
        )


@pytest.mark.parametrize("n", [40, 3000])
def test_one_column_of_large_numbers_does_not_spoil_the_others(n):
    rng = np.random.default_rng(16)
    y = np.arange(n) % 3
    X = rng.normal(size=(n, 3)) * [1, 1e-5, 1e3] + [0, 7, 1e9]
    X[:, 0] += 1e5 * y
    model = GaussianNB(var_smoothing=0).fit(X, y)
    assert_allclose(
        model.class_log_likelihood(X), direct(model, X), rtol=1e-9, atol=1e-9
    )


def test_variances_of_data_with_a_large_offset():
    rng = np.random.default_rng(17)
    X = rng.normal(size=(50, 2)) + 1e8
    y = np.arange(50) % 2
    whole = GaussianNB(var_smoothing=0).fit(X, y)
    parts = GaussianNB(var_smoothing=0)
    for rows in np.array_split(rng.permutation(50), 9):
        parts.partial_fit(X[rows], y[rows], classes=[0, 1])
    for model in (whole, parts):
        for k in (0, 1):
            for m in (0, 1):
                variance = moments(X[y == k, m])[1]
                assert model.var_[k, m] == pytest.approx(
                    float(variance), rel=1e-7
                )


# -- estimates ----------------------------------------------------------------

PRIOR = NormalInverseGamma(m=0.5, kappa=2, a=3, b=0.1)


def test_the_predictive_of_the_conjugate_family():
    model = GaussianNB(var_smoothing=0, estimate="bayes", prior=PRIOR)
    model.fit(MELONS, IS_GOOD)
    at = np.array([[0.6, 0.3], [0.1, 0.9], [-5, 10]])
    wanted = np.array(
        [
            [
                sum(
                    PRIOR.update(own[:, m]).predictive().logpdf(x[m])
                    for m in (0, 1)
                )
                for own in (BAD, GOOD)
            ]
            for x in at
        ]
    )
    assert model.class_log_likelihood(at) == pytest.approx(wanted)
    assert np.exp(model.class_log_prior_) == pytest.approx([10 / 19, 9 / 19])
    # It is a distribution: its density integrates to one.
    grid = np.linspace(-30, 30, 200_001)[:, None]
    one = GaussianNB(var_smoothing=0, estimate="bayes", prior=PRIOR)
    one.fit(MELONS[:, :1], IS_GOOD)
    density = np.exp(one.class_log_likelihood(grid))
    assert np.trapezoid(density, grid.ravel(), axis=0) == pytest.approx(
        [1, 1], abs=1e-4
    )


def test_the_mode_of_the_conjugate_family():
    model = GaussianNB(
        var_smoothing=0, estimate="map", prior=PRIOR, class_alpha=2
    ).fit(MELONS, IS_GOOD)
    wanted = np.zeros((17, 2))
    for k, own in enumerate((BAD, GOOD)):
        for m in (0, 1):
            mode = PRIOR.update(own[:, m]).mode()
            distribution = stats.norm(mode.mean, mode.variance**0.5)
            wanted[:, k] += distribution.logpdf(MELONS[:, m])
    assert model.class_log_likelihood(MELONS) == pytest.approx(wanted)
    assert np.exp(model.class_log_prior_) == pytest.approx([10 / 19, 9 / 19])


def test_a_class_of_one_row_has_a_predictive():
    model = GaussianNB(var_smoothing=0, estimate="bayes", prior=PRIOR)
    model.fit([[0.1], [0.2], [0.9]], [0, 0, 1])
    wanted = PRIOR.update([0.9]).predictive().logpdf(0.5)
    assert model.class_log_likelihood([[0.5]])[0, 1] == pytest.approx(wanted)


@pytest.mark.parametrize("estimate", ["map", "bayes"])
def test_these_estimates_need_a_prior(estimate):
    with pytest.raises(ValueError, match="prior"):
        GaussianNB(estimate=estimate).fit(MELONS, IS_GOOD)


def test_a_prior_of_another_kind():
    for prior in ("normal", stats.norm(0, 1), 3):
        with pytest.raises(TypeError, match="NormalInverseGamma"):
            GaussianNB(estimate="bayes", prior=prior).fit(MELONS, IS_GOOD)


# -- missing ------------------------------------------------------------------


@given(measured(), st.data())
@settings(max_examples=25)
def test_missing_values_are_integrated_out(data, draw):
    X, y = data
    gaps = draw.draw(hnp.arrays(bool, (len(X) - 4, X.shape[1])))
    X[4:][gaps] = np.nan
    model = GaussianNB(var_smoothing=0, missing="marginalise").fit(X, y)
    wanted = wanted_log_likelihood(X, y, X)
    assert model.class_log_likelihood(X) == pytest.approx(
        wanted, rel=1e-9, abs=1e-9
    )


def test_a_missing_value_is_an_integral():
    X = np.vstack([MELONS, [[np.nan, 0.2]]])
    model = GaussianNB(missing="marginalise").fit(X, [*IS_GOOD, "no"])
    grid = np.linspace(-3, 4, 2001)
    full = np.column_stack([np.full(2001, 0.5), grid])
    integral = np.trapezoid(
        np.exp(model.class_log_likelihood(full)), grid, axis=0
    )
    half = np.exp(model.class_log_likelihood([[0.5, np.nan]]))[0]
    assert half == pytest.approx(integral, rel=1e-9)


def test_missing_values_are_an_error_unless_they_are_integrated_out():
    X = [[1.0], [np.nan], [2.0], [3.0]]
    with pytest.raises(ValueError, match="NaN"):
        GaussianNB().fit(X, [0, 0, 1, 1])
    model = GaussianNB().fit(MELONS, IS_GOOD)
    with pytest.raises(ValueError, match="NaN"):
        model.predict([[np.nan, 0.1]])


def test_a_column_without_values_in_a_class_says_nothing_where_missing():
    X = [[1.0, np.nan], [2.0, np.nan], [5.0, 1.0], [6.0, 2.0]]
    model = GaussianNB(var_smoothing=0, missing="marginalise")
    model.fit(X, [0, 0, 1, 1])
    # The factor of a missing value is 1, also of a distribution that is not
    # known.
    wanted = [log_density(1.5, 1.5, 0.25), log_density(1.5, 5.5, 0.25)]
    assert model.class_log_likelihood([[1.5, np.nan]])[0] == pytest.approx(
        wanted
    )
    assert model.predict([[1.5, np.nan]]) == [0]


def test_many_rows_with_gaps():
    rng = np.random.default_rng(18)
    X, y = rng.normal(size=(3000, 5)), rng.integers(3, size=3000)
    X[rng.random(X.shape) < 0.2] = np.nan
    model = GaussianNB(var_smoothing=0, missing="marginalise").fit(X, y)
    for k in range(3):
        assert model.theta_[k] == pytest.approx(np.nanmean(X[y == k], axis=0))
        assert model.var_[k] == pytest.approx(np.nanvar(X[y == k], axis=0))
    distance = X[:, None, :] - model.theta_
    terms = np.log(2 * np.pi * model.var_) + distance**2 / model.var_
    assert_allclose(
        model.class_log_likelihood(X), -np.nansum(terms, axis=2) / 2
    )


# -- bad input ----------------------------------------------------------------


def test_a_constant_column_gets_a_share_of_the_largest_variance():
    X, y = np.array([[1.0, 5], [2, 5], [3, 5], [5, 5]]), [0, 0, 1, 1]
    theirs = sklearn.naive_bayes.GaussianNB().fit(X, y)
    ours = GaussianNB().fit(X, y)
    assert ours.var_ == pytest.approx(theirs.var_)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X))


def test_weighted_rows_that_come_one_by_one():
    weights = np.arange(len(MELONS)) % 4 / 2  # some of them zero
    model = GaussianNB().partial_fit(
        MELONS[:2], IS_GOOD[:2], ["no", "yes"], weights[:2]
    )
    for row in range(2, len(MELONS)):
        one = slice(row, row + 1)
        if weights[row]:
            model.partial_fit(MELONS[one], IS_GOOD[one], None, weights[one])
    for k, part, own in ((0, BAD, weights[8:]), (1, GOOD, weights[:8])):
        mean = np.average(part, axis=0, weights=own)
        squares = own @ (part - mean) ** 2
        assert model.count_[k] == own.sum()
        assert_allclose(model.theta_[k], mean, rtol=1e-12)
        assert_allclose(model.squares_[k], squares, rtol=1e-12)


def test_variances_of_zero_have_no_density():
    X, y = np.array([[1.0, 5], [2, 5], [3, 5], [5, 5]]), [0, 0, 1, 1]
    with pytest.raises(ValueError, match="variance"):
        GaussianNB(var_smoothing=0).fit(X, y).predict(X)


def test_a_class_of_one_row_has_no_variance_with_one_less():
    with pytest.raises(ValueError, match="ddof"):
        GaussianNB(ddof=1).fit([[1.0], [2.0], [3.0]], [0, 0, 1]).predict([[1]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"var_smoothing": -1}, "var_smoothing"),
        ({"var_smoothing": np.nan}, "var_smoothing"),
        ({"ddof": 2}, "ddof is 2; it must be between 0 and 1"),
        ({"ddof": -1}, "ddof"),
        ({"ddof": 0.5}, "ddof"),
        ({"ddof": "x"}, "ddof"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        GaussianNB(**options).fit(MELONS, IS_GOOD)


def test_infinite_and_too_large_numbers():
    with pytest.raises(ValueError, match="inf"):
        GaussianNB().fit([[1.0], [np.inf]], [0, 1])
    with pytest.raises(ValueError, match=r"large|inf"):
        GaussianNB().fit([[1e200], [-1e200], [0], [1]], [0, 0, 1, 1])


def test_sparse_matrices_are_refused():
    from scipy import sparse

    with pytest.raises(TypeError, match=r"[Ss]parse"):
        GaussianNB().fit(sparse.csr_array(MELONS), IS_GOOD)


def test_the_look_up_table_holds_means_and_variances():
    frame = pd.DataFrame(MELONS, columns=["density", "sugar"])
    model = GaussianNB(ddof=1).fit(frame, IS_GOOD)
    text = model.to_frame().to_string()
    for name in ("density", "sugar", "yes", "no"):
        assert name in text


def test_sampled_rows_follow_the_distribution():
    model = GaussianNB().fit(MELONS, IS_GOOD)
    rows, labels = model.sample(20_000, rng=4)[:2]
    rows, labels = np.asarray(rows, float), np.asarray(labels)
    for k, label in enumerate(["no", "yes"]):
        own = rows[labels == label]
        share = np.exp(model.class_log_prior_[k])
        assert len(own) / 20_000 == pytest.approx(share, abs=0.02)
        assert own.mean(axis=0) == pytest.approx(model.theta_[k], abs=0.01)
        assert own.var(axis=0) == pytest.approx(model.var_[k], rel=0.06)


def test_a_column_without_any_value_is_refused_by_name():
    X = pd.DataFrame({"empty": [np.nan] * 3, "full": [1.0, 2, 4]})
    model = GaussianNB(missing="marginalise").fit(X, [0, 1, 0])
    with pytest.raises(ProbabilityError, match="'empty' had no value"):
        model.predict(X)


def test_a_question_too_large_to_be_squared_is_refused():
    model = GaussianNB().fit([[1.0, 1], [3, 2], [2, 4]], [0, 1, 0])
    with pytest.raises(ProbabilityError, match=r"Column 1 .*another unit"):
        model.predict([[1.0, 1e200]])


def test_constant_columns_have_no_variance_to_take_a_part_of():
    model = GaussianNB().fit([[2.0, 1], [2, 1], [2, 1]], [0, 1, 1])
    with pytest.raises(ProbabilityError, match="Every column is constant"):
        model.predict([[2.0, 1]])


def test_weights_are_repetitions_in_what_is_added_to_variances_too():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(40, 3)) * [1, 10, 1000]
    y = np.arange(40) % 2
    weights = rng.integers(0, 4, size=40)
    weighted = GaussianNB(var_smoothing=1e-3).fit(X, y, weights)
    repeated = sklearn.naive_bayes.GaussianNB(var_smoothing=1e-3).fit(
        X.repeat(weights, axis=0), y.repeat(weights)
    )
    assert_allclose(weighted.epsilon_, repeated.epsilon_, rtol=1e-12)
    assert_allclose(weighted.var_, repeated.var_, rtol=1e-12)


@pytest.mark.parametrize("estimate", ["map", "bayes"])
def test_another_prior_waits_for_the_next_training(estimate):
    first = NormalInverseGamma(0, 1, 2, 3)
    model = GaussianNB(estimate=estimate, prior=first).fit(MELONS, IS_GOOD)
    wanted = GaussianNB(estimate=estimate, prior=first).fit(MELONS, IS_GOOD)
    model.set_params(prior=NormalInverseGamma(9, 5, 7, 1))
    assert model.class_log_likelihood(MELONS) == pytest.approx(
        wanted.class_log_likelihood(MELONS)
    )
    model.set_params(prior=None, estimate="mle")
    assert model.to_frame().equals(wanted.to_frame())
    assert model.class_log_likelihood(MELONS).tolist() == (
        wanted.class_log_likelihood(MELONS).tolist()
    )


def test_a_missing_value_has_the_factor_1_under_a_t_distribution():
    prior = NormalInverseGamma(0.5, 1, 2, 0.1)
    both = GaussianNB(estimate="bayes", prior=prior, missing="marginalise")
    both.fit(MELONS, IS_GOOD)
    one = GaussianNB(estimate="bayes", prior=prior)
    one.fit(np.asarray(MELONS)[:, [0]], IS_GOOD)
    assert both.class_log_likelihood([[0.4, np.nan]]) == pytest.approx(
        one.class_log_likelihood([[0.4]])
    )


def test_an_unknown_distribution_is_impossible_where_there_is_a_value():
    X = [[1.0, np.nan], [2.0, np.nan], [5.0, 1.0], [6.0, 2.0]]
    model = GaussianNB(missing="marginalise").fit(X, [0, 0, 1, 1])
    assert np.isneginf(model.class_log_likelihood([[1.5, 1.5]])).tolist() == [
        [True, False]
    ]


def test_a_class_without_rows_has_no_distribution_to_draw_from():
    model = GaussianNB(class_prior="uniform")
    model.partial_fit([[1.0], [2.0]], [0, 0], classes=[0, 1])
    with pytest.raises(ValueError, match="Nothing is known of class 1"):
        model.sample(100, rng=1)
    # Without a prior it has no rows, and so no probability.
    model = GaussianNB().partial_fit([[1.0], [2.0]], [0, 0], classes=[0, 1])
    assert set(model.sample(100, rng=1)[1]) == {0}


def test_draws_of_a_t_distribution():
    # With few degrees of freedom the tails tell them from others.
    prior = NormalInverseGamma(0, 1, 1, 1)
    model = GaussianNB(estimate="bayes", prior=prior).fit([[0.0]], [0])
    X, _ = model.sample(5000, rng=1)
    location, scale, freedom = model.to_frame()[0]
    assert freedom == 3
    distribution = stats.t(freedom, location, scale)
    assert stats.kstest(X[:, 0], distribution.cdf).pvalue > 0.01


@pytest.mark.parametrize("gap", 10.0 ** np.arange(1, 6, 0.5))
def test_no_digits_are_lost_where_the_square_is_just_expanded(gap):
    rng = np.random.default_rng(5)
    y = np.arange(400) % 2
    X = rng.normal(size=(400, 3)) + gap * y[:, None]
    model = GaussianNB(var_smoothing=0).fit(X, y)
    distribution = stats.norm(model.theta_[y], np.sqrt(model.var_[y]))
    own = model.class_log_likelihood(X)[np.arange(400), y]
    assert_allclose(own, distribution.logpdf(X).sum(axis=1), rtol=0, atol=1e-9)


def test_parts_that_are_too_far_apart_are_refused_and_change_nothing():
    model = GaussianNB().partial_fit([[1e200]], ["a"], classes=["a", "b"])
    with pytest.raises(ProbabilityError, match=r"Column 0 .* too large"):
        model.partial_fit([[-1e200]], ["a"])
    assert model.class_count_.tolist() == [1, 0]
    assert model.theta_.tolist() == [[1e200], [0]]
