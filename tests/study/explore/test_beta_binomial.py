"""The explorable of the beta-binomial model, held against scipy and sums."""

import re
from fractions import Fraction as F
from math import comb, prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import special, stats

from bayesbook.study import explore
from bayesbook.study.explore.beta_binomial import view

QUARTERS = st.integers(1, 120)
TRIALS = st.integers(0, 50)
STATES = st.tuples(QUARTERS, QUARTERS, TRIALS, TRIALS)
# Densities that are infinite at one end or at both, flat ones, narrow ones.
EXTREME = [(1, 1, 50, 0), (1, 120, 0, 50), (1, 1, 0, 0), (4, 4, 0, 0)]


def rising(x, n):
    """Return x (x + 1) ... (x + n - 1)."""
    return prod(x + i for i in range(n))


def next_ten(a, b):
    """Return the probabilities of 0 to 10 successes, exactly."""
    return [
        comb(10, k) * rising(a, k) * rising(b, 10 - k) / rising(a + b, 10)
        for k in range(11)
    ]


@example(EXTREME[0])
@example(EXTREME[1])
@example(EXTREME[2])
@given(STATES)
def test_all_numbers_are_those_of_the_posterior(state):
    a, b = F(state[0], 4), F(state[1], 4)
    written = view(*state).written
    after = a + state[2], b + state[3]
    mean = after[0] / sum(after)
    predicted = next_ten(*after)
    assert sum(predicted) == 1
    plugged = [
        comb(10, k) * mean**k * (1 - mean) ** (10 - k) for k in range(11)
    ]
    exact = {
        "a": a,
        "b": b,
        "prior_mean": a / (a + b),
        "after_a": after[0],
        "after_b": after[1],
        "mean": mean,
        "many": sum(predicted[5:]),
        "plugged": sum(plugged[5:]),
    }
    for name, value in exact.items():
        assert float(written[name]) == pytest.approx(value, abs=0.000501)
    assert written["strength"].split()[0] == f"{float(a + b):g}"
    # Of the mass 0.025 lies below one end, and 0.025 above the other.
    masses = [
        special.betainc(
            *map(float, after),
            np.clip(float(written[end]) + np.array([-1, 1]) * 0.000501, 0, 1),
        )
        for end in ("low", "high")
    ]
    assert masses[0][0] <= 0.025 <= masses[0][1]
    assert masses[1][0] <= 0.975 <= masses[1][1]


@pytest.mark.parametrize("state", [*EXTREME, (8, 8, 3, 17), (120, 120, 50, 0)])
def test_the_curves_are_densities(state):
    a, b, successes, failures = state
    drawn = view(*state).drawn
    one = float(re.findall(r"[\d.]+", drawn["one"]["transform"])[1])
    laws = {
        "prior": stats.beta(a / 4, b / 4),
        "likelihood": stats.beta(successes + 1, failures + 1),
        "posterior": stats.beta(a / 4 + successes, b / 4 + failures),
    }
    for name, law in laws.items():
        line = drawn[f"curve_{name}"]["d"]
        points = np.array([p.split() for p in line[1:].split("L")], float)
        x, y = points.T
        assert x.tolist() == (5 * np.arange(201)).tolist()
        assert np.isfinite(y).all()
        density = law.pdf(x / 1000)
        # What is higher than twice the picture is drawn at that height.
        height = np.maximum(880 - (880 - one) * density, -880)
        # Heights are rounded to units, that of the density 1 to tenths.
        error = 0.501 + 0.0501 * np.minimum(density, 1760 / (880 - one))
        assert (abs(y - height) <= error).all()
        # Nothing but an end leaves the picture.
        assert (y[2:-2] >= 0).all()


def test_a_first_trial_is_one_trial():
    assert view(2, 2, 0, 0).written["strength"] == "1 imagined trial"
    assert view(2, 1, 0, 0).written["strength"] == "0.75 imagined trials"


@given(STATES)
def test_a_task_is_solved_by_its_solutions_only(state):
    a, b, successes, failures = state
    mean = F(a + 4 * successes, a + b + 4 * (successes + failures))
    solves = view(*state).solves
    trials = successes, failures
    assert ("half" in solves) == (trials == (3, 1) and mean == F(1, 2))
    assert ("stubborn" in solves) == (trials == (20, 0) and mean <= F(9, 10))
    if "narrow" in solves:
        assert a == b == 4
        assert successes == failures


def test_each_task_can_be_solved():
    assert view(8, 16, 3, 1).solves == ("half",)
    assert view(1, 9, 3, 1).solves == ("half",)
    assert view(8, 15, 3, 1).solves == ()
    assert view(8, 16, 6, 4).solves == ()
    assert view(10, 10, 20, 0).solves == ("stubborn",)
    assert view(9, 9, 20, 0).solves == ()
    assert view(120, 120, 19, 0).solves == ()
    widths = [
        np.diff(stats.beta(n + 1, n + 1).ppf([0.025, 0.975]))[0]
        for n in range(51)
    ]
    first = next(n for n, width in enumerate(widths) if width < 0.2)
    narrow = [n for n in range(51) if "narrow" in view(4, 4, n, n).solves]
    assert narrow == [first]
    assert view(4, 4, first, first - 1).solves == ()
    assert view(8, 8, first, first).solves == ()


@pytest.mark.parametrize("wrong", [0, 0.3, 30.25, True, "1", None, np.nan])
def test_a_prior_that_is_no_number_of_quarters_is_refused(wrong):
    with pytest.raises(ValueError, match=r"b=.*quarters from 0.25 to 30"):
        explore.beta_binomial(b=wrong)


@pytest.mark.parametrize("wrong", [-1, 51, 2.5, True, "1", None])
def test_a_number_of_trials_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match=r"successes=.*whole one from 0"):
        explore.beta_binomial(successes=wrong)


def test_the_start_is_asked_for_in_whole_units():
    shown = explore.beta_binomial(a=0.5, b=2.25, successes=1, failures=0)
    assert shown.start() == view(2, 9, 1, 0)
    assert "Beta(1.5, 2.25)" in repr(shown)
