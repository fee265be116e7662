"""What every family does: exact addition, edges, errors, summaries."""

import copy
import math
import pickle
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import (
    BetaBernoulli,
    DirichletCategorical,
    GammaExponential,
    GammaPoisson,
    GaussianMean,
    NormalInverseGamma,
)
from bayesbook.conjugate.family import exact_sum

any_size = st.floats(1e-6, 1e9)
anywhere = st.floats(-1e9, 1e9)
FAMILIES = {
    "beta": (st.builds(BetaBernoulli, any_size, any_size), st.integers(0, 1)),
    "dirichlet": (
        st.lists(any_size, min_size=3, max_size=3).map(
            lambda alpha: DirichletCategorical(alpha, ["a", "b", ("c", 1)])
        ),
        st.sampled_from(["a", "b", ("c", 1)]),
    ),
    "gaussian": (
        st.builds(GaussianMean, anywhere, any_size, any_size),
        anywhere,
    ),
    "normal-inverse-gamma": (
        st.builds(NormalInverseGamma, anywhere, *[any_size] * 3),
        anywhere,
    ),
    "poisson": (
        st.builds(GammaPoisson, any_size, any_size),
        st.integers(0, 10**9),
    ),
    "exponential": (
        st.builds(GammaExponential, any_size, any_size),
        st.floats(0, 1e9),
    ),
}
EXAMPLES = {
    "beta": (BetaBernoulli(0.1, 0.7), [1, 0, 0, 1, 1]),
    "dirichlet": (
        DirichletCategorical({"a": 0.1, "b": 0.7, "c": 2}),
        ["a", "c", "a", "b"],
    ),
    "gaussian": (GaussianMean(0.1, 0.7, 1.3), [0.1, 2.7, -1.9]),
    "normal-inverse-gamma": (
        NormalInverseGamma(0.1, 0.7, 2.3, 1.9),
        [0.1, 2.7, -1.9],
    ),
    "poisson": (GammaPoisson(0.1, 0.7), [3, 0, 2]),
    "exponential": (GammaExponential(0.1, 0.7), [0.1, 2.7, 1.9]),
}
family = pytest.mark.parametrize("name", FAMILIES)


# -- addition -----------------------------------------------------------------


@family
@given(st.data())
def test_one_batch_many_and_single_observations_are_exactly_the_same(
    name, data
):
    prior = data.draw(FAMILIES[name][0])
    x = data.draw(st.lists(FAMILIES[name][1], max_size=12))
    cut = data.draw(st.integers(0, len(x)))
    shuffled = data.draw(st.permutations(x))
    batch = prior.update(x)
    assert prior.update(x[:cut]).update(x[cut:]) == batch
    assert prior.updates(x)[-1] == batch
    assert prior.updates(shuffled)[-1] == batch
    assert len(prior.updates(x)) == len(x) + 1
    assert prior.updates(x)[0] is prior


@family
def test_pseudo_statistics_and_statistics_add_up(name):
    prior, data = EXAMPLES[name]
    before, seen = prior.pseudo_statistics, prior.statistics(data)
    after = prior.update(data).pseudo_statistics
    assert set(before) == set(seen) == set(after)
    for key, value in after.items():
        assert value == pytest.approx(before[key] + seen[key], rel=1e-14)


@family
def test_no_data_give_the_prior(name):
    prior, data = EXAMPLES[name]
    for nothing in ([], (), np.array([]), pd.Series([], dtype=float)):
        assert prior.update(nothing) == prior
        assert prior.log_evidence(nothing) == 0
        assert set(prior.statistics(nothing).values()) == {0}
    assert prior.update(iter([])) == prior
    assert prior.updates([]) == (prior,)
    assert prior.update() == prior
    assert prior.update(iter(data)) == prior.update(data)


@family
def test_a_path_reads_data_as_an_update_does(name):
    prior, data = EXAMPLES[name]
    one = data[0]
    assert prior.updates(one) == (prior, prior.update(one))
    assert prior.updates(iter(data)) == prior.updates(data)
    assert prior.updates(pd.Series(data, index=data)) == prior.updates(data)


def test_a_word_and_a_tuple_are_one_category():
    rhyme = DirichletCategorical({"lamb": 1, "a": 1, ("b", 1): 1})
    assert len(rhyme.updates("lamb")) == 2
    assert len(rhyme.updates(("b", 1))) == 2
    sets = DirichletCategorical({frozenset("ab"): 1, b"c": 1})
    for one in (frozenset("ab"), b"c"):
        assert sets.updates(one) == (sets, sets.update([one]))
    assert rhyme.update(np.array("a")) == rhyme.update(["a"])


@family
def test_evidence_is_the_sum_of_one_step_predictions(name):
    prior, data = EXAMPLES[name]
    steps = []
    for distribution, x in zip(prior.updates(data), data, strict=False):
        if name == "dirichlet":
            steps.append(math.log(distribution.mean()["abc".index(x)]))
            continue
        one = distribution.predictive()
        log = getattr(one, "logpmf", None) or one.logpdf
        steps.append(log(x))
    assert prior.log_evidence(data) == pytest.approx(sum(steps), rel=1e-12)


@given(
    st.lists(st.floats(-1e152, 1e152), max_size=20), st.sampled_from([1, 2])
)
def test_exact_sum_is_the_sum_of_fractions(x, power):
    expected = sum((F(value) ** power for value in x), F(0))
    assert exact_sum(np.array(x), power) == expected


def test_the_variance_survives_where_floats_would_lose_it():
    measured = 1e9 + np.array([0.25, 0.5, 0.75])
    posterior = NormalInverseGamma(1e9 + 0.5, 1, 2, 1).update(measured)
    assert posterior.b == 1 + (0.25**2 * 2) / 2


# -- the numbers of the syllabus ----------------------------------------------


def test_published_updates():
    assert BetaBernoulli(2, 2).update([0] * 17 + [1] * 3) == BetaBernoulli(
        5, 19
    )
    assert BetaBernoulli(5, 2).update(
        successes=11, failures=13
    ) == BetaBernoulli(16, 15)
    rhyme = ["mary", "lamb", "little", "big", "fleece"]
    rhyme += ["white", "black", "snow", "rain", "unk"]
    counts = [2, 4, 4, 0, 1, 1, 0, 1, 0, 3]
    posterior = DirichletCategorical([1] * 10, rhyme).update(counts=counts)
    np.testing.assert_allclose(
        posterior.mean() * 26, [3, 5, 5, 1, 2, 2, 1, 2, 1, 4], rtol=1e-14
    )


# -- statistics instead of data -----------------------------------------------


def test_statistics_stand_for_data():
    x = np.array([0.5, 2.25, -1.75])
    moments = {"n": 3, "mean": x.mean(), "variance": x.var()}
    known = GaussianMean(1, 2, 3)
    given_mean = known.update(n=3, mean=x.mean())
    assert given_mean.m == pytest.approx(known.update(x).m, rel=1e-14)
    assert given_mean.s == known.update(x).s
    both = NormalInverseGamma(1, 2, 3, 4)
    for name in ("m", "kappa", "a", "b"):
        assert getattr(both.update(**moments), name) == pytest.approx(
            getattr(both.update(x), name), rel=1e-14
        )
    counts = GammaPoisson(0.3, 0.7)
    assert counts.update(total=5, exposure=3) == counts.update([2, 0, 3])
    assert counts.update(exposure=2.5) == GammaPoisson(0.3, 3.2)
    times = GammaExponential(0.3, 0.5)
    assert times.update(n=2, total=1.75) == times.update([0.5, 1.25])
    # A wait that has not ended says that the rate is not large.
    assert times.update(total=4) == GammaExponential(0.3, 4.5)
    # What took no time at all is no number that was forgotten.
    assert times.update(n=1, total=0) == times.update(0)
    for distribution in (known, both, times):
        assert distribution.update(n=0) == distribution
    assert known.update(n=0, mean=0) == known
    # A mean is the float that it is, like those of data, not a decimal.
    assert GaussianMean(0, 1, 1).update(-0.1, n=1, mean=0.1).m == 0
    assert both.update(n=1, mean=2, variance=0) == both.update(2)
    assert both.update(n=2, mean=2, variance=1) == both.update([1, 3])
    coin = BetaBernoulli(0.3, 0.7)
    assert coin.update(1, failures=2) == coin.update([1, 0, 0])
    assert coin.log_evidence(1, failures=2) == coin.log_evidence([0, 0, 1])
    dice = DirichletCategorical({"a": 0.3, "b": 0.7})
    assert dice.update("b", counts={"a": 2}) == dice.update(["a", "b", "a"])
    assert dice.update(counts={}) == dice.update(counts=[]) == dice
    assert dice.update(counts=pd.Series({"b": 1})) == dice.update("b")
    assert dice.update(counts=np.array([2, 1])) == dice.update(list("aab"))
    assert dice.log_evidence("b", counts=[2, 0]) == dice.log_evidence(
        ["a", "a", "b"]
    )


@given(st.integers(0, 40), st.integers(0, 40), any_size, any_size)
def test_binomial_counts_have_as_many_orders_as_they_say(ones, zeros, a, b):
    prior = BetaBernoulli(a, b)
    in_order = prior.log_evidence(successes=ones, failures=zeros)
    any_order = prior.predictive(ones + zeros).logpmf(ones)
    assert any_order - in_order == pytest.approx(
        math.log(math.comb(ones + zeros, ones)), abs=1e-6
    )


# -- summaries ----------------------------------------------------------------

shapes = st.floats(1.05, 40)


@given(shapes, shapes)
def test_modes_are_where_the_density_is_largest(a, b):
    for distribution, high in (
        (BetaBernoulli(a, b), 1),
        (GammaPoisson(a, b), 200),
        (GammaExponential(a, b), 200),
    ):
        best = optimize.minimize_scalar(
            lambda x, log=distribution.distribution.logpdf: -log(x),
            bounds=(0, high),
            method="bounded",
            options={"xatol": 1e-9},
        )
        assert distribution.mode() == pytest.approx(best.x, abs=1e-4)
    assert GaussianMean(a, b, 1).mode() == a


def test_modes_at_the_edges():
    assert BetaBernoulli(1, 3).mode() == 0
    assert BetaBernoulli(3, 1).mode() == 1
    assert GammaPoisson(1, 2).mode() == GammaExponential(1, 2).mode() == 0
    # Just inside of the edge, where a + b − 2 has lost its last digit.
    near = BetaBernoulli(1 + 2**-52, 1 + 2**-51).mode()
    assert near == pytest.approx(1 / 3, rel=1e-15)
    edge = DirichletCategorical([1, 3, 2]).mode()
    np.testing.assert_allclose(edge, [0, 2 / 3, 1 / 3])
    for distribution, why in (
        (BetaBernoulli(1, 1), "BetaBernoulli.*has no mode.*the same every"),
        (BetaBernoulli(0.5, 0.7), "infinite at 0 and at 1"),
        (BetaBernoulli(0.5, 3), "infinite at 0. Use"),
        (BetaBernoulli(1, 0.5), "infinite at 1. Use"),
        (GammaPoisson(0.5, 2), "GammaPoisson.*infinite at 0. Use"),
        (GammaExponential(0.5, 2), "infinite at 0. Use"),
        (DirichletCategorical([1, 1, 1]), "the same everywhere"),
        (
            DirichletCategorical({"a": 2, "b": 0.5}),
            "unbounded near .* probability of 'b' is 0.*Use its mean",
        ),
    ):
        with pytest.raises(ProbabilityError, match=why):
            distribution.mode()


@given(st.lists(st.floats(1.05, 20), min_size=3, max_size=3))
def test_no_simplex_point_nearby_is_higher_than_the_mode(alpha):
    distribution = DirichletCategorical(alpha)
    mode = distribution.mode()
    top = distribution.distribution.logpdf(mode)
    for i in range(3):
        for j in range(3):
            near = mode.copy()
            move = min(1e-4, near[i] / 2)
            near[i] -= move
            near[j] += move
            assert distribution.distribution.logpdf(near) <= top + 1e-9


def test_the_joint_mode_of_mean_and_variance():
    distribution = NormalInverseGamma(1.5, 2, 3, 4)
    best = optimize.minimize(
        lambda p: -distribution.distribution.logpdf(p[0], math.exp(p[1])),
        [0, 0],
    )
    assert distribution.mode() == pytest.approx(
        (best.x[0], math.exp(best.x[1])), rel=1e-4
    )


@given(st.floats(0.01, 0.99), shapes, shapes)
def test_intervals_leave_out_equal_tails(mass, a, b):
    for distribution in (
        BetaBernoulli(a, b),
        GammaPoisson(a, b),
        GaussianMean(a, b, 1),
    ):
        low, high = distribution.interval(mass)
        assert distribution.distribution.cdf(low) == pytest.approx(
            (1 - mass) / 2
        )
        assert distribution.distribution.sf(high) == pytest.approx(
            (1 - mass) / 2
        )
    low, high = DirichletCategorical([a, b, 2]).interval(mass)[1]
    np.testing.assert_allclose(
        (low, high), BetaBernoulli(b, a + 2).interval(mass)
    )
    both = NormalInverseGamma(0, a, b, 2)
    for distribution, ends in zip(
        (both.mean_distribution, both.variance_distribution),
        both.interval(mass),
        strict=True,
    ):
        assert distribution.cdf(ends[1]) - distribution.cdf(
            ends[0]
        ) == pytest.approx(mass)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.875])
def test_intervals_of_huge_counts_are_those_of_a_normal_distribution(share):
    z = stats.norm.ppf(0.975)
    for n in (8e13 / 7, 1e15, 1e18, 1e100):
        coin = BetaBernoulli(share * n, (1 - share) * n)
        dice = DirichletCategorical([share * n, (1 - share) * n])
        for ends in (coin.interval(), dice.interval()[0]):
            np.testing.assert_allclose(ends, share, rtol=2e-6)
            if n < 1e30:
                away = (np.array(ends) - coin.mean()) / coin.std()
                np.testing.assert_allclose(away, [-z, z], atol=1e-6)
        assert coin.interval(1) == (0, 1)
    # What is left beside nearly all is not rounded away.
    dice = DirichletCategorical([1e18, 1, 2])
    assert dice.interval()[0].tolist() == [*BetaBernoulli(1e18, 3).interval()]
    # Where scipy is exact too, they agree in the digits of the skewness.
    distribution = BetaBernoulli(share * 5e10, (1 - share) * 5e10)
    theirs = np.array(distribution.distribution.interval(0.95))
    assert (
        np.array(distribution.interval()) - theirs
    ) / distribution.std() == pytest.approx(0, abs=1e-9)


def test_summaries_of_extreme_distributions():
    distribution = BetaBernoulli(1, 1e150)
    assert distribution.mean() == pytest.approx(1e-150)
    assert distribution.std() == pytest.approx(1e-150)
    distribution = BetaBernoulli(1e-150, 1e-150)
    assert (distribution.mean(), distribution.var()) == (0.5, 0.25)
    assert GammaPoisson(1e15, 1e-150).mean() == 1e165
    assert GammaPoisson(1e15, 1e-150).var() == math.inf
    # A prior that says little, and is often taken.
    vague = NormalInverseGamma(0, 1e-3, 1e-3, 1e-3)
    assert vague.interval().variance[1] == math.inf
    assert vague.interval().variance[0] == pytest.approx(1.7608e8, rel=1e-4)
    draws = vague.sample(20, rng=0)
    assert (draws.variance > 0).all()
    assert (draws.variance == math.inf).any()
    assert not np.isnan(draws.mean).any()
    wide = NormalInverseGamma(0, 1e-150, 1e-10, 1e150)
    assert wide.interval(0).mean == (0, 0)
    assert wide.predictive().median() == 0


def test_sums_that_no_float_holds():
    huge = NormalInverseGamma(1e152, 1e10, 1, 1)
    assert huge.pseudo_statistics["squares"] == math.inf
    assert huge.pseudo_statistics["total"] == pytest.approx(1e162)
    many = [1e152] * 100_000
    assert huge.statistics(many)["squares"] == math.inf


def test_evidence_between_and_beyond_the_floats():
    # Twice the same: the second is in the middle of its predictive
    # distribution.
    twice = GaussianMean(0, 1e5, 1e-150).log_evidence([1, 1])
    expected = (
        stats.norm(0, 1e5).logpdf(1) - math.log(2 * math.pi * 2e-300) / 2
    )
    assert twice == pytest.approx(expected, rel=1e-12)
    # The density of t with 2 degrees of freedom, far out: scale² / x³.
    far = NormalInverseGamma(0, 1, 1, 1e-150).log_evidence(1e150)
    assert far == pytest.approx(math.log(2) - 600 * math.log(10), rel=1e-12)
    assert GaussianMean(0, 1e-150, 1e-100).log_evidence(1e150) == -math.inf


def test_one_category_is_certain():
    only = DirichletCategorical({"a": 2}).update(["a", "a"])
    assert only.mean() == [1]
    np.testing.assert_array_equal(only.interval(), [[1, 1]])
    assert only.log_evidence(["a"]) == 0
    with pytest.raises(ProbabilityError, match="interval is 95"):
        only.interval(95)


def test_moments_that_do_not_exist_are_infinite():
    assert NormalInverseGamma(2, 1, 1, 3).mean() == (2, math.inf)
    assert NormalInverseGamma(2, 1, 1, 3).var() == (math.inf, math.inf)
    assert NormalInverseGamma(2, 2, 2, 3).var() == (1.5, math.inf)
    assert GammaExponential(1, 3).predictive().mean() == math.inf
    assert GammaExponential(2, 3).predictive().var() == math.inf


@family
def test_samples_follow_the_distribution(name):
    distribution = EXAMPLES[name][0]
    if name == "normal-inverse-gamma":
        distribution = NormalInverseGamma(0.1, 0.7, 6, 1.9)
    draws = np.array(distribution.sample(40_000, rng=5), dtype=float)
    again = np.array(distribution.sample(40_000, rng=np.random.default_rng(5)))
    np.testing.assert_array_equal(draws, again)
    if name == "dirichlet":
        draws = draws.T
    mean, std = np.array(distribution.mean()), np.array(distribution.std())
    np.testing.assert_allclose(
        draws.mean(axis=-1), mean, atol=5 * std.max() / 200
    )
    np.testing.assert_allclose(draws.std(axis=-1), std, rtol=0.1)
    assert np.array(distribution.sample(0, rng=1)).size == 0


def test_distributions_of_mean_and_variance_are_those_of_the_pair():
    distribution = NormalInverseGamma(1.5, 2, 3, 4)
    mean, variance = distribution.sample(100_000, rng=3)
    for draws, marginal in (
        (mean, distribution.mean_distribution),
        (variance, distribution.variance_distribution),
    ):
        assert stats.kstest(draws, marginal.cdf).pvalue > 0.01
    # Given the variance, the mean is normal.
    assert (
        stats.kstest(
            (mean - 1.5) / np.sqrt(variance / 2), stats.norm.cdf
        ).pvalue
        > 0.01
    )


# -- values -------------------------------------------------------------------


@family
def test_families_are_values(name):
    prior, data = EXAMPLES[name]
    posterior = prior.update(data)
    twin = prior.update(data)
    assert posterior == twin
    assert hash(posterior) == hash(twin)
    assert posterior != prior
    for copied in (
        pickle.loads(pickle.dumps(posterior)),
        copy.deepcopy(posterior),
    ):
        assert copied == posterior
        # The exact sums come along, not only their rounded values.
        assert copied.update(data) == prior.update([*data, *data])
    with pytest.raises(AttributeError):
        posterior.a = 3
    assert type(prior).__name__ in repr(posterior)


# -- bad input ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BetaBernoulli(0, 1), "hyper-parameter a is 0; .* greater"),
        (lambda: BetaBernoulli(1, -2), "hyper-parameter b is -2"),
        (lambda: BetaBernoulli(1, math.nan), "b is nan: not a finite"),
        (lambda: BetaBernoulli("x", 1), "a is 'x': not a number"),
        (lambda: BetaBernoulli(math.inf, 1), "a is inf: not a finite"),
        (lambda: DirichletCategorical([]), "alpha are empty"),
        (
            lambda: DirichletCategorical({"a": 1, "b": 0}),
            "alpha: 0 at position 1 is not positive",
        ),
        (
            lambda: DirichletCategorical([1, 1], ["a", "a"]),
            "'a' appears twice",
        ),
        (
            lambda: DirichletCategorical(pd.Series([1, 2], index=["a", "a"])),
            "'a' appears twice",
        ),
        (
            lambda: BetaBernoulli(1, 10**400),
            r"b is 1\.0*e\+400, and no float can",
        ),
        (lambda: DirichletCategorical([1, 1], ["a"]), "2 hyper-p.* for 1 cat"),
        (
            lambda: DirichletCategorical({"a": 1}, ["a"]),
            "name their categories already",
        ),
        (lambda: GaussianMean(0, 0, 1), "hyper-parameter s is 0"),
        (lambda: GaussianMean(0, 1, -1), "hyper-parameter sigma is -1"),
        (lambda: GaussianMean(math.nan, 1, 1), "m is nan"),
        (lambda: NormalInverseGamma(0, 0, 1, 1), "kappa is 0"),
        (lambda: NormalInverseGamma(0, 1, -1, 1), "a is -1"),
        (lambda: GammaPoisson(0, 1), "hyper-parameter shape is 0"),
        (lambda: GammaExponential(1, -1), "hyper-parameter rate is -1"),
    ],
)
def test_hyper_parameters_that_are_none(make, message):
    with pytest.raises(ProbabilityError, match=message):
        make()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("beta", [0, 2], "2 at position 1 is neither 0 nor 1"),
        ("beta", 0.5, "0.5 at position 0 is neither 0 nor 1"),
        ("beta", [1, math.nan], "nan at position 1 is not a finite number"),
        ("beta", ["1"], "'1' at position 0"),
        ("beta", [[0, 1], [1, 1]], r"shape \(2, 2\); a sequence"),
        (
            "beta",
            {0, 1},
            "are a set, in which nothing appears twice: give a l",
        ),
        ("beta", {0: 3, 1: 4}, "are a dict, in which nothing appears twice"),
        ("beta", pd.DataFrame({"x": []}), r"shape \(0, 1\); a sequence"),
        ("beta", "10", "are not numbers: '10' at position 0"),
        ("beta", b"10", "are not numbers: b'10' at position 0"),
        ("beta", np.ma.array([1, 0], mask=[0, 1]), "0 at position 1 is maske"),
        ("dirichlet", "ab", "in row 0 is 'ab', which is none of"),
        ("dirichlet", Counter("aab"), "are a Counter, in which nothing appe"),
        ("dirichlet", {"a", "b"}, "are a set"),
        ("dirichlet", ["a", "d"], "in row 1 is 'd', which is none of"),
        ("dirichlet", 3, "is 3, which is none of"),
        ("dirichlet", [["a"], ["b"]], "cannot be categories"),
        ("dirichlet", pd.DataFrame({"a": [1]}), "are a data frame"),
        ("gaussian", [1, math.inf], "inf at position 1 is not a finite"),
        ("gaussian", [1e200], "too large to be squared"),
        ("normal-inverse-gamma", [None], "None at position 0"),
        ("poisson", [3, 1.5], "1.5 at position 1 is not a whole number"),
        ("poisson", [3, -1], "-1 at position 1 is negative"),
        (
            "exponential",
            np.array([3], "m8[ns]"),
            r"not numbers: they are of the type timedelta64\[ns\]",
        ),
        ("exponential", [3, -0.5], "-0.5 at position 1 is negative, and a wa"),
    ],
)
def test_data_outside_the_support(name, data, message):
    prior = EXAMPLES[name][0]
    for method in (
        prior.update,
        prior.updates,
        prior.statistics,
        prior.log_evidence,
    ):
        with pytest.raises(ProbabilityError, match=message):
            method(data)


@pytest.mark.parametrize(
    ("name", "statistics", "message"),
    [
        ("beta", {"successes": -1}, "number of successes is -1: negative"),
        ("beta", {"failures": 1.5}, "number of failures is 1.5: not a whole"),
        ("beta", {"failures": math.nan}, "failures is nan: not a finite"),
        ("dirichlet", {"counts": [1, 2]}, "2 counts for 3 categories"),
        ("dirichlet", {"counts": {"d": 2}}, "A category is 'd', which is no"),
        ("dirichlet", {"counts": {"a": -1}}, "The count of 'a' is -1: neg"),
        ("dirichlet", {"counts": [1, 0.5, 0]}, "'b' is 0.5: not a whole"),
        ("dirichlet", {"counts": {1, 2, 3}}, "The counts are a set"),
        (
            "dirichlet",
            {"counts": pd.Series([1, 2], index=["a", "a"])},
            "category 'a' appears twice",
        ),
        (
            "dirichlet",
            {"counts": {"a": 10**400}},
            r"'a' is 1\.0*e\+400: too l",
        ),
        ("gaussian", {"n": -1, "mean": 3}, "number of measurements is -1"),
        ("gaussian", {"n": 1, "mean": math.inf}, "mean of the .* is inf"),
        ("gaussian", {"n": 3}, "3 measurements .* give `mean` too"),
        ("gaussian", {"mean": 3}, "number of the .* missing: give `n` too"),
        ("normal-inverse-gamma", {"variance": 3}, "missing: give `n` too"),
        (
            "normal-inverse-gamma",
            {"n": 3},
            "3 measurements without .*: give `mean` and `variance` too",
        ),
        ("normal-inverse-gamma", {"n": 3, "mean": 1}, "give `variance` too"),
        (
            "normal-inverse-gamma",
            {"n": 1, "mean": 3, "variance": 2},
            "is 2, but a single one is its own mean",
        ),
        (
            "normal-inverse-gamma",
            {"n": 2, "mean": 3, "variance": -1},
            "variance of the measurements is -1; it must be at least 0",
        ),
        ("poisson", {"total": 3}, "total of the counts is 3 in an exposure"),
        ("poisson", {"total": 3, "exposure": -1}, "The exposure is -1"),
        ("poisson", {"total": 2.5, "exposure": 1}, "2.5: not a whole"),
        ("exponential", {"n": 1, "total": -2}, "waiting times is -2"),
        ("exponential", {"n": 3}, "3 waits have ended .*: give `total` too"),
        ("exponential", {"n": 0.5, "total": 2}, "0.5: not a whole number"),
    ],
)
def test_statistics_of_no_data(name, statistics, message):
    with pytest.raises(ProbabilityError, match=message):
        EXAMPLES[name][0].update(**statistics)


@pytest.mark.parametrize("counts", [3, "123", None])
def test_counts_that_are_no_collection(counts):
    message = f"counts are {counts!r}: give one for each category"
    with pytest.raises(TypeError, match=message):
        EXAMPLES["dirichlet"][0].update(counts=counts)


@family
def test_masses_and_sizes(name):
    distribution = EXAMPLES[name][0]
    with pytest.raises(ProbabilityError, match=r"interval is 95; .* between"):
        distribution.interval(95)
    with pytest.raises(ProbabilityError, match="size of the sample is -1"):
        distribution.sample(-1, rng=0)


# -- huge ---------------------------------------------------------------------


def test_a_thousand_million_million_observations():
    n = 10**15
    coin = BetaBernoulli(2, 2).update(successes=n, failures=3 * n)
    assert coin.mean() == pytest.approx(0.25, rel=1e-14)
    assert coin.mode() == pytest.approx(0.25, rel=1e-14)
    evidence = BetaBernoulli(1, 1).log_evidence(successes=n, failures=n)
    # 1 / ((2n + 1) C(2n, n)), by Stirling's formula.
    expected = (
        -2 * n * math.log(2) - math.log(2 * n) + (math.log(math.pi * n) / 2)
    )
    assert evidence == pytest.approx(expected, rel=1e-14)
    dice = DirichletCategorical([1, 1, 1]).update(counts=[n, n, 2 * n])
    np.testing.assert_allclose(dice.mean(), [0.25, 0.25, 0.5], rtol=1e-14)
    counts = GammaPoisson(1, 1).update(total=3 * n, exposure=n)
    assert counts.mean() == pytest.approx(3, rel=1e-14)
    many = GaussianMean(0, 1, 1).update(n=n, mean=2)
    assert (many.m, many.s) == pytest.approx((2, 1 / math.sqrt(n + 1)))
    both = NormalInverseGamma(0, 1, 1, 1).update(n=n, mean=2, variance=9)
    assert both.mean() == pytest.approx((2, 9), rel=1e-12)
    # Exact where floats have no odd numbers any more.
    odd = BetaBernoulli(1, 1).update(successes=10**17).update(1)
    assert odd.update(successes=14).a == 10**17 + 16
