"""R-hat and effective sizes against formulas and another library."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bayesbook.base import ProbabilityError
from bayesbook.mcmc import (
    autocorrelation,
    effective_sample_size,
    monte_carlo_error,
    split_r_hat,
)


def autoregression(m, n, phi, seed):
    """Draw chains x' = phi x + noise, started where they stay."""
    noise = np.random.default_rng(seed).normal(size=(m, n))
    x = np.empty((m, n))
    x[:, 0] = noise[:, 0] / np.sqrt(1 - phi**2)
    for t in range(1, n):
        x[:, t] = phi * x[:, t - 1] + noise[:, t]
    return x


def normal(shape, seed):
    return np.random.default_rng(seed).normal(size=shape)


DRAWS = {
    "independent": normal((4, 500), 0),
    "sluggish": autoregression(4, 1000, 0.9, 1),
    "alternating": autoregression(4, 1000, -0.6, 2),
    "odd": autoregression(3, 101, 0.5, 3),
    "apart": autoregression(4, 300, 0.3, 5) + np.arange(4)[:, None],
    "Cauchy": np.random.default_rng(6).standard_cauchy((4, 500)),
    "bits": autoregression(4, 500, 0.8, 7) > 1,
    "spread": normal((4, 500), 8) * np.array([1, 1, 1, 4])[:, None],
    "short": normal((2, 4), 9),
    "short, odd": normal((2, 7), 10),
}

# What ArviZ 0.23.4 gives of them: rhat with "rank" and "split", ess with
# "mean" and "bulk".
ARVIZ = {
    "independent": (1.00069838, 0.9998162, 2007.10136892, 2003.15228893),
    "sluggish": (1.02903144, 1.02912276, 152.29221682, 151.47649489),
    "alternating": (1.00083061, 0.99950215, 14408.23996531, 14408.23996531),
    "odd": (1.03812004, 1.03827694, 96.06408334, 96.46891668),
    "apart": (1.55577547, 1.59336261, 6.96258562, 7.22554751),
    "Cauchy": (1.00200685, 0.9999579, 2031.02572269, 2028.26868165),
    "bits": (1.0170135, 1.0170135, 295.87564423, 295.87564423),
    "spread": (1.22379222, 0.99994223, 2033.27686568, 2174.6165629),
    "short": (1.04208627, 0.81612043, 7.2247199, 7.2247199),
    "short, odd": (1.37398202, 1.40278152, 12.95017495, 12.95017495),
}


@pytest.mark.parametrize("name", DRAWS)
def test_the_numbers_are_those_of_arviz(name):
    draws = DRAWS[name]
    ours = [
        split_r_hat(draws),
        split_r_hat(draws, method="split"),
        effective_sample_size(draws),
        effective_sample_size(draws, method="bulk"),
    ]
    assert ours == pytest.approx(ARVIZ[name], rel=1e-7)


@pytest.mark.parametrize("phi", [-0.5, 0, 0.5, 0.9])
def test_the_effective_size_of_an_autoregression_is_known(phi):
    # 1 + 2 (phi + phi² + …) = (1 + phi) / (1 − phi)
    draws = autoregression(8, 20_000, phi, seed=17)
    share = effective_sample_size(draws) / draws.size
    assert share == pytest.approx((1 - phi) / (1 + phi), rel=0.08)


def test_the_error_says_how_far_the_means_of_chains_scatter():
    draws = autoregression(2000, 400, 0.7, seed=3)
    errors = [monte_carlo_error(chain) for chain in draws[:100]]
    assert np.median(errors) == pytest.approx(
        draws.mean(axis=1).std(), rel=0.1
    )


def test_the_autocorrelation_of_an_autoregression_is_a_power():
    found = autocorrelation(autoregression(20, 20_000, 0.8, seed=1), 5)
    assert found == pytest.approx(0.8 ** np.arange(6), abs=0.01)


def test_the_autocorrelation_is_its_definition():
    x = normal(50, 2)
    away = x - x.mean()
    found = autocorrelation(x)
    assert found.shape == (50,)
    for lag in (0, 1, 7, 49):
        expected = (away[lag:] * away[: 50 - lag]).sum() / (away**2).sum()
        assert found[lag] == pytest.approx(expected)


def test_the_split_form_is_its_formula():
    draws = autoregression(3, 40, 0.5, 4)
    halves = np.concatenate([draws[:, :20], draws[:, 20:]])
    within = halves.var(axis=1, ddof=1).mean()
    total = 19 / 20 * within + halves.mean(axis=1).var(ddof=1)
    expected = np.sqrt(total / within)
    assert split_r_hat(draws, method="split") == pytest.approx(expected)


def test_every_number_of_a_state_is_judged_on_its_own():
    draws = np.stack([DRAWS["sluggish"], DRAWS["alternating"]], axis=-1)
    draws = np.stack([draws, -draws], axis=-2)  # shape (4, 1000, 2, 2)
    for judge in (split_r_hat, effective_sample_size, monte_carlo_error):
        found = judge(draws)
        assert found.shape == (2, 2)
        for i, name in enumerate(["sluggish", "alternating"]):
            assert found[:, i] == pytest.approx(judge(DRAWS[name]))
    found = autocorrelation(draws, 3)
    assert found.shape == (4, 2, 2)
    expected = autocorrelation(DRAWS["sluggish"], 3)
    assert found[:, 1, 0] == pytest.approx(expected)


def test_one_chain_may_come_alone():
    chain = DRAWS["sluggish"][0]
    for judge in (split_r_hat, effective_sample_size, monte_carlo_error):
        assert judge(chain) == judge(chain[None])
        assert isinstance(judge(chain), float)


@given(
    scale=st.floats(1e-6, 1e6), shift=st.floats(-1e6, 1e6), seed=st.integers(0)
)
def test_units_do_not_matter(scale, shift, seed):
    draws = autoregression(3, 60, 0.5, seed % 2**32)
    moved = scale * draws + shift
    for judge in (split_r_hat, effective_sample_size):
        # The shift costs digits of the numbers themselves.
        assert judge(moved) == pytest.approx(judge(draws), rel=1e-2)


def test_ranks_do_not_mind_a_monotone_change():
    draws = DRAWS["sluggish"]
    assert split_r_hat(np.exp(draws)) == pytest.approx(
        split_r_hat(draws), abs=0.01
    )
    assert effective_sample_size(
        np.exp(draws), method="bulk"
    ) == pytest.approx(effective_sample_size(draws, method="bulk"))


def test_a_chain_of_another_spread_is_seen_by_ranks_only():
    draws = DRAWS["spread"]
    assert split_r_hat(draws) > 1.1
    assert split_r_hat(draws, method="split") < 1.01


def test_a_drift_is_seen_in_one_chain():
    drift = np.linspace(0, 3, 400) + normal(400, 5)
    assert split_r_hat(drift) > 1.2


@pytest.mark.parametrize("method", ["rank", "split"])
def test_chains_that_stand_still_apart_are_infinitely_bad(method):
    draws = np.repeat([[0.1], [0.2], [0.7]], 100, axis=1)
    assert split_r_hat(draws, method=method) == np.inf
    # Three chains that never move know at most three things.
    assert effective_sample_size(draws) < 5


@pytest.mark.parametrize("value", [0, 0.1, -1e9])
def test_draws_that_are_all_equal_say_nothing(value):
    draws = np.full((4, 100), value)
    assert np.isnan(split_r_hat(draws))
    assert np.isnan(effective_sample_size(draws))
    assert np.isnan(monte_carlo_error(draws))
    assert np.isnan(autocorrelation(draws, 3)).all()


def test_one_constant_among_other_numbers_does_not_disturb_them():
    draws = np.stack([DRAWS["sluggish"], np.ones((4, 1000))], axis=-1)
    found = split_r_hat(draws)
    assert found[0] == pytest.approx(split_r_hat(DRAWS["sluggish"]))
    assert np.isnan(found[1])


def test_independent_draws_are_about_worth_themselves():
    found = [effective_sample_size(normal((4, 250), s)) for s in range(200)]
    assert np.mean(found) == pytest.approx(1000, rel=0.05)


def test_r_hat_of_good_chains_is_near_one():
    found = [split_r_hat(normal((4, 500), s)) for s in range(100)]
    assert stats.scoreatpercentile(found, 95) < 1.01


@pytest.mark.parametrize(
    ("draws", "message"),
    [
        ([[1, 2, 3]], r"shape \(1, 3\) are too few: at least 4"),
        ([], "too few"),
        (np.zeros((0, 10)), "too few"),
        (5, "too few"),
        ([[1, 2, 3, np.nan]], r"Draw 3 of chain 0 is nan: not a finite"),
        ([[1, 2, 3, 4], [1, np.inf, 1, 1]], "Draw 1 of chain 1 is inf"),
        (
            np.where(np.arange(40).reshape(2, 5, 4) == 27, np.nan, 1),
            r"Draw 1 of chain 1, position \(3,\) is nan",
        ),
        (
            [["sun", "rain", "sun", "sun"]],
            "one is 'sun': give an indicator",
        ),
        ([[1 + 1j] * 4], "not numbers"),
        ([[1, 2, 3, None]], "Draw 3 of chain 0 is nan"),
        ([[1, 2, 3, 4], [1, 2, 3]], "different lengths"),
        (np.ma.masked_less([[1, 2, 3, 4]], 2), "masked"),
    ],
)
@pytest.mark.parametrize(
    "judge",
    [split_r_hat, effective_sample_size, monte_carlo_error, autocorrelation],
)
def test_draws_that_are_none_are_refused(judge, draws, message):
    with pytest.raises(ProbabilityError, match=message):
        judge(draws)


def test_unknown_methods_and_lags_are_refused():
    draws = normal((2, 10), 0)
    with pytest.raises(ProbabilityError, match="'bulk' is not known: use"):
        split_r_hat(draws, method="bulk")
    with pytest.raises(ProbabilityError, match="'tail' is not known: use"):
        effective_sample_size(draws, method="tail")
    with pytest.raises(ProbabilityError, match="max_lag=10 is too long"):
        autocorrelation(draws, 10)
