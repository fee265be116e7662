"""The explorable of a threshold, held against the library and integrals."""

import re
from math import erfc, exp, isclose, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from bayesbook.decision import GenerativeClassifier, LossMatrix
from bayesbook.study import explore
from bayesbook.study.explore.threshold import view

STATES = st.tuples(
    st.integers(0, 1000),
    st.integers(0, 40),
    st.integers(1, 999),
    st.integers(1, 50),
    st.integers(1, 100),
)
# No separation, with a best decision and with none; thresholds at the ends, a
# best one far outside of the picture, a band that fills it, and one without
# a width.
EXTREME = [
    (500, 0, 20, 50, 30),
    (0, 0, 50, 19, 1),
    (1000, 0, 900, 50, 1),
    (0, 40, 1, 1, 100),
    (1000, 40, 999, 50, 1),
    (500, 1, 1, 1, 1),
    (1000, 1, 999, 50, 10),
    (519, 27, 373, 19, 95),
    (500, 27, 50, 19, 94),
]
START = (519, 27, 373, 19, 30)
NUMBER = r"−?\d+\.\d+"


def above(score, mean):
    """Return the probability of a score above another."""
    return erfc((score - mean) / sqrt(2)) / 2


def number(text):
    """Read a number with the sign of a page."""
    return float(text.replace("−", "-"))


def cost(score, state):
    """Return the expected cost of a threshold, from four probabilities."""
    _, separation, prevalence, miss, _ = state
    half, ill = separation / 20, prevalence / 1000
    missed = ill * (1 - above(score, half))
    return miss * missed + (1 - ill) * above(score, -half)


def law_and_loss(state):
    """Return the distribution and the losses, as the library has them."""
    _, separation, prevalence, miss, _ = state
    half, ill = separation / 20, prevalence / 1000
    law = GenerativeClassifier(
        {"benign": 1 - ill, "malignant": ill},
        {"benign": norm(-half, 1), "malignant": norm(half, 1)},
    )
    rows = [[0, miss], [1, 0]]
    return law, LossMatrix(rows, ("benign", "malignant"), ("wait", "biopsy"))


def with_examples(test):
    """Try a test on all extreme states, and on others."""
    for state in (START, *EXTREME):
        test = example(state)(test)
    return given(STATES)(test)


@with_examples
def test_all_rates_and_counts_are_those_of_the_gaussians(state):
    threshold, separation, prevalence, miss, price = state
    written = view(*state, 0).written
    score, half = threshold / 100 - 5, separation / 20
    well = 1000 - prevalence
    tpr, fpr = above(score, half), above(score, -half)
    # Nearly no lump is above, and yet the share is a number.
    found, alarms = prevalence * tpr, well * fpr
    exact = {
        "threshold": score,
        "separation": separation / 10,
        "prevalence": prevalence / 1000,
        "miss": miss,
        "price": price / 100,
        "recall": tpr,
        "fpr": fpr,
        "precision": found / (found + alarms),
        "auc": above(0, separation / 10 / sqrt(2)),
        "cost": cost(score, state),
    }
    for name, value in exact.items():
        step = 10.0 ** -len(written[name].partition(".")[2])
        assert abs(number(written[name]) - value) <= step / 2 + 1e-9, name
    counts = [int(written[x]) for x in ("hits", "misses", "alarms", "spared")]
    expected = (found, prevalence - found, alarms, well - alarms)
    assert counts == pytest.approx(expected, abs=0.5 + 1e-9)
    assert counts[0] + counts[1] == int(written["ill"]) == prevalence
    assert counts[2] + counts[3] == int(written["well"]) == well
    assert written["rejecting"] == ""


def test_the_area_below_the_curve_is_the_auc():
    for separation in (0, 7, 27, 40):
        half = separation / 20
        area, _ = quad(
            lambda x, half=half: above(x, half) * norm(-half).pdf(x), -12, 12
        )
        written = view(500, separation, 500, 1, 1, 0).written["auc"]
        assert abs(float(written) - area) <= 0.000501


@with_examples
def test_no_threshold_costs_less_than_the_best(state):
    written = view(*state, 0).written
    scores = np.linspace(-80, 80, 1601)
    least = min(cost(score, state) for score in scores)
    found = float(written["least"])
    if state[1]:
        [best] = re.findall(rf"threshold ({NUMBER}),", written["advice"])
        best = number(best)
        near = minimize_scalar(
            cost, bounds=(best - 1, best + 1), args=(state,), method="bounded"
        )
        least = min(least, near.fun)
        assert cost(best, state) <= least + 1e-3
        cut = re.findall(NUMBER, written["advice"])[1]
        assert abs(float(cut) - 1 / (1 + state[3])) <= 0.000501
    else:
        ill, well = state[2] * state[3], 1000 - state[2]
        kind = {-1: "none", 0: "any", 1: "all"}[int(np.sign(ill - well))]
        assert kind in written["advice"]
    assert found == pytest.approx(least, abs=0.000502)
    idle = min(state[2] * state[3], 1000 - state[2]) / 1000
    assert abs(float(written["idle"]) - idle) <= 0.000501


@pytest.mark.parametrize("state", [START, *EXTREME])
def test_the_least_costs_are_the_bayes_risks_of_the_library(state):
    law, loss = law_and_loss(state)
    written = view(*state, 1).written
    least = float(law.bayes_risk(loss))
    assert abs(float(written["least"]) - least) <= 0.000501
    price = state[4] / 100
    with_reject = float(law.bayes_risk(loss.with_reject(price)))
    if "never" in written["rejecting"]:
        assert with_reject == pytest.approx(least, abs=1e-9)
    else:
        found = re.findall(r"\d+\.\d+", written["rejecting"])[-1]
        assert abs(float(found) - with_reject) <= 0.000501
        # Scores far outside of the picture have no probability.
        assert with_reject <= least


@with_examples
def test_the_band_is_where_the_library_rejects(state):
    law, loss = law_and_loss(state)
    loss = loss.with_reject(state[4] / 100)
    seen = view(*state, 1)
    said = seen.written["rejecting"]
    ends = [number(end) for end in re.findall(NUMBER, said)[:2]]
    is_hatched = seen.drawn["band"]["d"] != ""
    for place in ("hatched", "widened", "lowered"):
        assert (seen.written[place] != "") == is_hatched
    assert is_hatched != said.startswith("At this price")
    if said.startswith("At this price"):
        low, high = np.inf, -np.inf
    elif said.startswith("To reject all"):
        low, high = -np.inf, np.inf
    else:
        low, high = ends
    scores = np.linspace(-20, 20, 1601)
    rejects = loss.best(law.posterior(scores)) == "reject"
    # What is written is rounded, and at an end two decisions are equal.
    clear = (abs(scores - low) > 0.0051) & (abs(scores - high) > 0.0051)
    inside = (low < scores) & (scores < high)
    assert (rejects[clear] == inside[clear]).all()
    if "thousand" in said:
        [rejected] = re.findall(r"(\d+) of the thousand", said)
        half = state[1] / 20
        shares = [
            above(low, mean) - above(high, mean) for mean in (-half, half)
        ]
        expected = (1000 - state[2]) * shares[0] + state[2] * shares[1]
        # The ends are written within half a hundredth.
        assert abs(int(rejected) - expected) <= 0.5 + 1000 * 0.005 * 0.8


@with_examples
def test_the_posterior_is_that_of_the_threshold(state):
    threshold, separation, prevalence, *_ = state
    score = (threshold - 500) / 100
    odds = prevalence / (1000 - prevalence) * exp(separation / 10 * score)
    written = float(view(*state, 0).written["posterior"])
    assert abs(written - odds / (1 + odds)) <= 0.000501


def test_the_line_of_equal_cost_touches_the_curve_at_the_best_threshold():
    """Its slope is the density of malignant scores by that of benign ones."""
    for prevalence, miss in ((50, 19), (500, 1), (20, 49)):
        assert prevalence * miss == 1000 - prevalence
        drawn = view(500, 20, prevalence, miss, 30, 0).drawn
        spot, best = drawn["roc_spot"], drawn["roc_best"]
        assert (spot["cx"], spot["cy"]) == (best["cx"], best["cy"])
        (x, y), (x_2, y_2) = (
            map(float, end.split())
            for end in drawn["same_cost"]["d"][1:].split("L")
        )
        assert isclose((y - y_2) / (x_2 - x), 1, abs_tol=1e-3)
    scores = np.linspace(-5, 5, 101)
    for state in ((700, 27, 373, 19, 30), (350, 13, 100, 2, 30)):
        drawn = view(*state, 0).drawn["same_cost"]["d"]
        (x, y), (x_2, y_2) = (
            map(float, end.split()) for end in drawn[1:].split("L")
        )
        half, own = state[1] / 20, cost((state[0] - 500) / 100, state)
        for score in scores:
            across = 60 + 880 * above(score, -half)
            up = 880 * (1 - above(score, half))
            below = up - (y + (across - x) * (y_2 - y) / (x_2 - x))
            # Rounding moves the line by less than a unit.
            if abs(below) > 1:
                assert (below > 0) == (cost(score, state) > own)


@with_examples
def test_a_task_is_solved_by_its_solutions_only(state):
    threshold, separation, prevalence, miss, price = state
    for reject in (0, 1):
        seen = view(*state, reject)
        precision = float(seen.written["precision"])
        solved = set()
        if (threshold, separation, prevalence, miss) == (500, 27, 50, 19):
            solved.add("middle")
        if (threshold, separation) == (519, 27) and (
            abs(precision - 0.5) <= 0.005
        ):
            solved.add("precision")
        if reject and (miss, price) == (19, 95):
            solved.add("price")
        assert set(seen.solves) == solved


def test_each_task_can_be_solved():
    assert view(500, 27, 50, 19, 30, 0).solves == ("middle",)
    assert view(501, 27, 50, 19, 30, 0).solves == ()
    assert view(500, 27, 51, 19, 30, 0).solves == ()
    assert view(500, 27, 100, 9, 30, 0).solves == ()
    rare = [n for n in range(1, 1000) if view(519, 27, n, 19, 30, 0).solves]
    assert rare == [65, 66, 67]
    assert view(519, 26, 66, 19, 30, 0).solves == ()
    prices = [p for p in range(1, 101) if view(519, 27, 373, 19, p, 1).solves]
    assert prices == [95]
    assert "never" not in view(519, 27, 373, 19, 94, 1).written["rejecting"]
    assert "never" in view(519, 27, 373, 19, 95, 1).written["rejecting"]
    assert view(519, 27, 373, 19, 95, 0).solves == ()
    assert explore.threshold().start().solves == ()


def test_the_start_is_the_rule_that_errs_least():
    """Half is the posterior at which both decisions err equally often."""
    around = [view(518 + k, *START[1:], 0).written for k in range(3)]
    posteriors = [abs(float(w["posterior"]) - 0.5) for w in around]
    assert min(posteriors) == posteriors[1]
    assert explore.threshold().start() == view(*START, 0)


def test_the_start_is_asked_for_in_units_of_the_sliders():
    shown = explore.threshold(-0.29, 1.3, 100, 5, 0.57)
    assert shown.start() == view(471, 13, 100, 5, 57, 0)
    assert "threshold for the score: −0.29" in repr(shown)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("score", 5.01),
        ("score", 0.123),
        ("score", np.nan),
        ("separation", -0.1),
        ("separation", 2.75),
        ("prevalence", 0),
        ("prevalence", 1000),
        ("miss", 0),
        ("miss", True),
        ("price", 0),
        ("price", "1"),
        ("price", None),
    ],
)
def test_a_start_that_is_on_no_slider_is_refused(name, wrong):
    with pytest.raises(ValueError, match=rf"{name}=.*not on its slider: give"):
        explore.threshold(**{name: wrong})
