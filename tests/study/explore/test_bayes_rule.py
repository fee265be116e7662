"""The explorable of Bayes' rule, held against the definition."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bayesbook.base import ZeroProbabilityError
from bayesbook.probability import bayes_rule
from bayesbook.study import explore
from bayesbook.study.explore.bayes_rule import view

THOUSANDTHS = st.integers(0, 1000)


def joint(prevalence, sensitivity, specificity):
    """Return the probabilities of state and result, by multiplication."""
    ill, hit, well = (
        F(number, 1000) for number in (prevalence, sensitivity, specificity)
    )
    return {
        "hits": ill * hit,
        "misses": ill * (1 - hit),
        "false_alarms": (1 - ill) * (1 - well),
        "rejections": (1 - ill) * well,
    }


def is_rounded(text, part, whole):
    """Say whether a text with three decimals is a share."""
    if not whole:
        return text == "not defined"
    return abs(F(text) - part / whole) <= F(1, 2000) + F(1, 10**12)


@given(st.tuples(THOUSANDTHS, THOUSANDTHS, THOUSANDTHS))
def test_all_numbers_are_those_of_the_joint_distribution(state):
    seen, truth = view(*state), joint(*state)
    positive = truth["hits"] + truth["false_alarms"]
    written = seen.written
    assert is_rounded(written["posterior"], truth["hits"], positive)
    assert is_rounded(written["negative"], truth["misses"], 1 - positive)
    areas = {
        name: F(seen.drawn[name]["width"] * seen.drawn[name]["height"], 10**6)
        for name in truth
    }
    assert areas == truth
    people = {
        name: seen.drawn[f"people_{name}"]["d"].count("M") for name in truth
    }
    assert sum(people.values()) == 1000
    for name, p in truth.items():
        assert abs(people[name] - 1000 * p) <= F(1, 2)
    assert written["called"] == str(people["hits"] + people["false_alarms"])


@given(THOUSANDTHS, THOUSANDTHS)
def test_the_curve_is_the_posterior_for_every_prevalence(hit, well):
    drawn = view(10, hit, well).drawn["curve"]["d"]
    points = [point.split() for point in drawn[1:].split("L") if point]
    heights = {int(x): float(y) for x, y in points}
    positive = {"ill": F(hit, 1000), "well": 1 - F(well, 1000)}
    for x in range(0, 1001, 10):
        prior = {"ill": F(x, 1000), "well": 1 - F(x, 1000)}
        try:
            after = bayes_rule(prior, positive)["ill"]
        except ZeroProbabilityError:
            assert x not in heights
        else:
            assert abs(heights.pop(x) - 1000 * (1 - after)) <= 0.05 + 1e-9
    assert heights == {}


def test_each_task_can_be_solved_and_only_by_its_solution():
    assert view(100, 900, 900).solves == ("half",)
    assert view(101, 900, 900).solves == ()
    assert view(100, 800, 800).solves == ()
    assert view(10, 1000, 900).solves == ()
    assert view(10, 900, 991).solves == ("rare",)
    assert view(300, 400, 600).solves == ("nothing",)
    assert view(300, 0, 1000).solves == ()
    assert view(0, 400, 600).solves == ()


@pytest.mark.parametrize("wrong", [-1, 1001, 0.9, True, "10", None])
def test_a_start_that_is_no_number_of_thousandths_is_refused(wrong):
    with pytest.raises(ValueError, match=r"sensitivity=.*from 0 to 1000"):
        explore.bayes_rule(sensitivity=wrong)
