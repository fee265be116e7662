"""The explorable of the likelihood, held against scipy and root finding."""

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import optimize, stats

from bayesbook.study import explore
from bayesbook.study.explore.likelihood import view

PLACES = st.integers(10, 1000)
STATES = st.tuples(
    st.integers(0, 1), PLACES, st.integers(5, 40), *[PLACES] * 4
)
# Equal observations, the smallest and the largest ones, narrow and wide.
EXTREME = [
    (0, 10, 5, 1000, 1000, 1000, 1000),
    (1, 1000, 5, 10, 10, 10, 10),
    (1, 10, 40, 1000, 1000, 1000, 1000),
    (0, 500, 40, 10, 10, 1000, 1000),
]
START = (0, 400, 20, 320, 410, 560, 790)


def number(text):
    """Read a number with a sign of minus."""
    return float(text.replace("−", "-"))


def log_likelihood(state):
    """Return the log-likelihood of a mean by scipy, and the sample."""
    model, _, sd, *cells = state
    sample = np.array(cells) / 100

    def of(mean):
        law = stats.expon(scale=mean) if model else stats.norm(mean, sd / 10)
        return law.logpdf(sample).sum()

    return of, sample


@example(EXTREME[0])
@example(EXTREME[1])
@example(EXTREME[2])
@example(START)
@given(STATES)
def test_all_numbers_are_those_of_the_log_likelihood(state):
    of, sample = log_likelihood(state)
    theta, mean, cut = state[1] / 100, sample.mean(), 1.96**2 / 2
    curvature = 4 / mean**2 if state[0] else 4 / (state[2] / 10) ** 2
    step = 1e-3 * mean
    bend = of(mean + step) + of(mean - step) - 2 * of(mean)
    assert -bend / step**2 == pytest.approx(curvature, rel=1e-3, abs=1e-4)
    error = 1 / np.sqrt(curvature)
    wide = 100 * error if state[0] else 9 * error
    least = mean / 100 if state[0] else mean - wide
    low, high = (
        optimize.brentq(lambda m: of(m) - of(mean) + cut, mean, far)
        for far in (least, mean + wide)
    )
    exact = {
        **{f"x{i}": x for i, x in enumerate(sample, 1)},
        "theta": theta,
        "sd": state[2] / 10,
        "mean": mean,
        "ell": of(theta),
        "fall": of(mean) - of(theta),
        "top": of(mean),
        "error": error,
        "low": low,
        "high": high,
        "wald_low": mean - 1.96 * error,
        "wald_high": mean + 1.96 * error,
    }
    written = view(*state).written
    assert written.keys() == exact.keys()
    for name, value in exact.items():
        room = 0.00501 + 1e-7 * abs(value)
        assert number(written[name]) == pytest.approx(value, abs=room), name


@pytest.mark.parametrize("state", [*EXTREME, START, (1, *START[1:])])
def test_what_is_drawn_lies_where_it_should(state):
    of, sample = log_likelihood(state)
    theta, mean = state[1] / 100, sample.mean()
    drawn = view(*state).drawn
    curves = {
        name: np.array(
            [point.split() for point in drawn[name]["d"][1:].split("L")], float
        ).T
        for name in ("curve", "parabola", "density")
    }
    for x, _ in curves.values():
        assert x.tolist() == (5 * np.arange(201)).tolist()
    means = np.arange(1, 201) / 20
    falls = np.array([of(mean) - of(each) for each in means])
    expected = 80 + 100 * np.minimum(falls, 12)
    assert curves["curve"][1][1:] == pytest.approx(expected, abs=0.051)
    error = number(view(*state).written["error"])
    if error > 0.2:
        parabola = (means - mean) ** 2 / (2 * error**2)
        inside = parabola < 8
        assert curves["parabola"][1][1:][inside] == pytest.approx(
            80 + 100 * parabola[inside], rel=0.06
        )
    # The highest point of a density is 500 above its floor.
    law = (
        stats.expon(scale=theta)
        if state[0]
        else stats.norm(theta, state[2] / 10)
    )
    highest = law.pdf(0 if state[0] else theta)
    up = 540 - 500 * law.pdf(np.arange(201) / 20) / highest
    assert curves["density"][1] == pytest.approx(up, abs=0.051)
    for i, x in enumerate(sample, 1):
        place, floor, top = map(
            float, re.findall(r"[\d.]+", drawn[f"stem_{i}"]["d"])
        )
        assert (place, floor) == (round(100 * x), 540)
        assert top == pytest.approx(
            540 - 500 * law.pdf(x) / highest, abs=0.051
        )
        at = f"translate({round(100 * x)} {540 + 100 * i})"
        assert drawn[f"point_{i}"]["transform"] == at


def test_in_the_gaussian_model_the_two_intervals_agree():
    written = view(*START).written
    assert written["low"] == written["wald_low"]
    assert written["high"] == written["wald_high"]
    assert view(1, *START[1:]).written["low"] != written["low"]


def test_two_observations_that_move_apart_change_no_curve():
    before = view(*START).drawn
    after = view(*START[:3], 300, 430, 500, 850).drawn
    for name in ("curve", "parabola", "interval", "best", "point"):
        assert after[name] == before[name]
    assert after["stem_1"] != before["stem_1"]


def test_each_task_can_be_solved_and_nothing_near_it_does():
    same = (300, 430, 500, 850)
    assert view(0, 400, 20, *same).solves == ("same",)
    assert view(0, 400, 21, *same).solves == ()
    assert view(1, 400, 20, *same).solves == ()
    assert view(0, 400, 20, 300, 430, 500, 851).solves == ()
    assert view(0, 400, 20, 300, 410, 520, 850).solves == ()
    assert view(*START).solves == ()
    assert view(1, 200, 20, 100, 100, 200, 400).solves == ("error",)
    assert view(1, 200, 20, 100, 100, 200, 401).solves == ()
    assert view(0, 200, 20, 100, 100, 200, 400).solves == ()
    assert view(1, 100, 20, *START[3:]).solves == ("outside",)
    assert view(1, 400, 20, *START[3:]).solves == ()
    assert view(0, 100, 20, *START[3:]).solves == ()


@given(STATES)
def test_what_is_outside_of_one_interval_only_is_told(state):
    of, sample = log_likelihood(state)
    theta, mean = state[1] / 100, sample.mean()
    ratio = 2 * (of(mean) - of(theta))
    away = abs(theta - mean) / (mean / 2)
    if abs(ratio - 1.96**2) > 1e-9 and abs(away - 1.96) > 1e-9:
        is_outside = state[0] == 1 and away < 1.96 and ratio > 1.96**2
        assert ("outside" in view(*state).solves) == is_outside


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"sample": (1, 2, 3)}, "3 observations: give four"),
        ({"sample": (1, 2, 3, 11)}, r"sample\[3\]=11 .*from 0.1 to 10"),
        ({"sample": (1, 2, 3, 0.005)}, "hundredths"),
        ({"theta": 0}, "theta=0 .*from 0.1 to 10"),
        ({"theta": True}, "theta=True"),
        ({"theta": np.nan}, "theta=nan"),
        ({"theta": 1.005}, "theta=1.005"),
        ({"sd": 4.5}, "sd=4.5 .*from 0.5 to 4"),
        ({"sd": 1.25}, "sd=1.25 .*tenths"),
        ({"model": "Cauchy"}, "'Gaussian', 'exponential'"),
    ],
)
def test_what_is_no_state_is_refused(wrong, reason):
    with pytest.raises(ValueError, match=reason):
        explore.likelihood(**wrong)
