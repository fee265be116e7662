"""Two stages, total probability and Bayes' rule against counting."""

import math
from decimal import Decimal
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st
from probability_truth import (
    NO_PROBABILITIES,
    TOO_LARGE,
    evidence,
    told,
)

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.probability import (
    ProbabilitySpace,
    bayes_rule,
    total_probability,
    two_stage,
)


def test_the_mammography_problem_of_gigerenzer_and_hoffrage():
    """Of 1000 women 10 are ill; 8 of these and 95 others test positive."""
    prior = {"ill": F(10, 1000), "well": F(990, 1000)}
    likelihood = {"ill": F(8, 10), "well": F(95, 990)}
    assert bayes_rule(prior, likelihood)["ill"] == F(8, 103)
    assert total_probability(prior, likelihood) == F(103, 1000)


def test_the_taxi_problem_of_kahneman_and_tversky():
    prior = {"green": "85/100", "blue": "15/100"}
    posterior = bayes_rule(prior, {"green": "1/5", "blue": "4/5"})
    assert posterior == {"green": F(17, 29), "blue": F(12, 29)}


def test_two_red_balls_of_five_without_putting_back():
    urn = two_stage(
        {"red": "3/5", "blue": "2/5"},
        {
            "red": {"red": "2/4", "blue": "2/4"},
            "blue": {"red": "3/4", "blue": "1/4"},
        },
    )
    assert urn["red", "red"] == F(3, 10)
    assert urn.P(lambda path: path[1] == "red") == F(3, 5)


@given(evidence())
def test_total_probability_adds_up_the_cases(drawn):
    prior, likelihood = drawn
    expected = F(0)
    for h in prior:
        expected += prior[h] * likelihood[h]
    assert total_probability(prior, likelihood) == expected


@given(evidence())
def test_bayes_rule_gives_the_share_of_each_case(drawn):
    """A population of whole people, in which everything is counted."""
    prior, likelihood = drawn
    people = 100 * math.lcm(*(p.denominator for p in prior.values()))
    hits = {h: int(people * prior[h] * likelihood[h]) for h in prior}
    posterior = bayes_rule(prior, likelihood)
    assert posterior == {h: F(n, sum(hits.values())) for h, n in hits.items()}
    assert list(posterior) == list(prior)


@given(evidence())
def test_bayes_rule_with_floats_is_close_to_the_exact_one(drawn):
    prior, likelihood = drawn
    hits = {h: prior[h] * likelihood[h] for h in prior}
    total = sum(hits.values())
    # Thirds and the like: as floats they sum to one only nearly.
    prior = {h: float(p) for h, p in prior.items()}
    likelihood = {h: float(p) for h, p in likelihood.items()}
    posterior = bayes_rule(prior, likelihood)
    assert total_probability(prior, likelihood) == pytest.approx(float(total))
    for h, n in hits.items():
        assert posterior[h] == pytest.approx(float(n / total), rel=1e-12)


@given(evidence(), st.integers(1, 9))
def test_a_path_through_the_tree_is_a_product(drawn, tenths):
    first, likelihood = drawn
    second = {a: {"+": p, "-": 1 - p, "?": 0} for a, p in likelihood.items()}
    second[next(iter(first))] = {"!": F(tenths, 10), "+": 1 - F(tenths, 10)}
    expected = {}
    for a in first:
        for b in second[a]:
            expected[a, b] = first[a] * second[a][b]
    assert dict(two_stage(first, second)) == expected


def test_a_hypothesis_may_be_impossible():
    posterior = bayes_rule({"a": 0, "b": 1}, {"a": 1, "b": "1/2"})
    assert posterior == {"a": 0, "b": 1}


def test_a_prior_may_be_a_space():
    prior = ProbabilitySpace.uniform("ab")
    assert bayes_rule(prior, {"b": 1, "a": "1/3"})["a"] == F(1, 4)


def test_a_tiny_prior_and_a_tiny_likelihood_do_not_vanish():
    """As floats their product would be 0, and nothing would be left."""
    prior = {"a": 1e-200, "b": 1.0}
    assert bayes_rule(prior, {"a": 1e-200, "b": 0.0}) == {"a": 1, "b": 0}


@pytest.mark.parametrize("exact", ["3/10", F(3, 10), "0.3", Decimal("0.3")])
def test_exact_numbers_give_fractions(exact):
    prior = {"a": exact, "b": "7/10"}
    posterior = bayes_rule(prior, {"a": 1, "b": F(1, 2)})
    total = total_probability(prior, {"a": 1, "b": F(1, 2)})
    assert total == F(13, 20)
    assert posterior["a"] == F(6, 13)
    assert {type(p) for p in [total, *posterior.values()]} == {F}


@pytest.mark.parametrize("place", ["prior", "likelihood"])
def test_one_float_makes_the_answer_a_float(place):
    arguments = {
        "prior": {"a": F(3, 10), "b": F(7, 10)},
        "likelihood": {"a": F(1), "b": F(1, 2)},
    }
    arguments[place]["b"] = float(arguments[place]["b"])
    total = total_probability(**arguments)
    posterior = bayes_rule(**arguments)
    assert {type(p) for p in [total, *posterior.values()]} == {float}
    assert total == pytest.approx(0.65, rel=1e-12)


def test_a_float_prior_may_miss_one_by_rounding_only():
    likelihood = {"a": 0.5, "b": 0.5}
    near = bayes_rule({"a": 0.9, "b": 0.1 + 9e-10}, likelihood)
    assert near["a"] == pytest.approx(0.9)
    with pytest.raises(ProbabilityError, match=r"sum to 1\.000000002"):
        bayes_rule({"a": 0.9, "b": 0.1 + 2e-9}, likelihood)


@pytest.mark.parametrize("miss", [9e-10, -9e-10])
def test_what_is_certain_has_probability_one(miss):
    prior = {"a": 0.5, "b": 0.5 + miss}
    assert total_probability(prior, {"a": 1, "b": 1}) == 1


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
def test_an_exact_prior_may_not_miss_one(function):
    prior = {"a": F(1, 2), "b": F(1, 2) + F(1, 10**10)}
    with pytest.raises(ProbabilityError, match=r"sum to 1 \+ 1e-10"):
        function(prior, {"a": 1.0, "b": 1.0})


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES + TOO_LARGE)
def test_a_prior_that_is_none(function, value, said):
    message = told(function, {"a": 1, "odd": value}, {"a": 1, "odd": 1})
    assert f"The probability of 'odd' a priori is {said}" in message


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES + TOO_LARGE)
def test_a_likelihood_that_is_none(function, value, said):
    message = told(function, {"a": 1, "odd": 0}, {"a": 1, "odd": value})
    assert f"of the evidence given 'odd' is {said}" in message


@pytest.mark.parametrize(("value", "said"), NO_PROBABILITIES + TOO_LARGE)
def test_a_second_stage_that_is_none(value, said):
    second = {"a": {"x": 1}, "b": {"fine": 1, "odd": value}}
    message = told(two_stage, {"a": "1/2", "b": "1/2"}, second)
    assert "In the second stage after 'b'" in message
    assert f"of outcome 'odd' is {said}" in message


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
def test_a_prior_that_does_not_sum_to_one(function):
    prior = {"a": "1/2", "b": "1/4"}
    assert "sum to 3/4, not to 1" in told(function, prior, {"a": 1, "b": 1})


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
def test_no_hypothesis(function):
    assert "the prior is empty" in told(function, {}, {})


@pytest.mark.parametrize("function", [total_probability, bayes_rule])
@pytest.mark.parametrize(
    ("likelihood", "said"),
    [
        ({"a": 1}, "'b' is in the prior but not in the likelihood"),
        ({}, "'a' is in the prior but not in the likelihood"),
        (
            {"a": 1, "b": 1, "c": 1},
            "'c' is in the likelihood but not in the prior",
        ),
    ],
)
def test_hypotheses_of_two_kinds(function, likelihood, said):
    assert said in told(function, {"a": "1/2", "b": "1/2"}, likelihood)


def test_stages_that_do_not_fit():
    half, sure = {"a": "1/2", "b": "1/2"}, {"x": 1}
    assert "'b' is in the first stage but not in the second" in told(
        two_stage, half, {"a": sure}
    )
    assert "'c' is in the second stage but not in the first" in told(
        two_stage, half, {"a": sure, "b": sure, "c": sure}
    )


def test_evidence_that_no_hypothesis_allows():
    prior = {"a": "1/2", "b": "1/2", "never": 0}
    with pytest.raises(ZeroProbabilityError, match=r"\('a', 'b'\)"):
        bayes_rule(prior, {"a": 0, "b": 0.0, "never": 1})


def test_impossible_evidence_has_total_probability_zero():
    assert total_probability({"a": 1}, {"a": 0}) == 0
