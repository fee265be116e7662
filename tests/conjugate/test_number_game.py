"""The number game: its rules, intervals and mixtures of both."""

import math
from fractions import Fraction as F

import numpy as np
import pytest
from concept_truth import close, joint, next_example, normalised

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
)
from bayesbook.conjugate import (
    ConceptSpace,
    interval_concepts,
    mixed_concepts,
    rule_concepts,
)

RULES = rule_concepts()
INTERVALS = interval_concepts()
GAME = ([16], [60], [16, 8, 2, 64], [16, 23, 19, 20])


@pytest.mark.parametrize("data", GAME, ids=str)
def test_rules_and_intervals_at_once(data):
    space = mixed_concepts(RULES, INTERVALS, 0.3)
    prior = {h: F(p) for h, p in zip(space.names, space.prior, strict=True)}
    concepts = {h: frozenset(space.extension(h)) for h in RULES.names} | {
        f"{a} to {b}": range(a, b + 1)
        for a in range(1, 101)
        for b in range(a, 101)
    }
    weights = joint(concepts, prior, data)
    posterior = normalised(weights)
    assert tuple(concepts) == space.names
    assert close(space.posterior(data), posterior.values())
    distribution = [
        next_example(concepts, posterior, x) for x in range(1, 101)
    ]
    assert close(space.predictive(data), distribution)
    assert space.map(data) == max(posterior, key=posterior.get)


# --- The published numbers ------------------------------------------------


def test_the_likelihoods_of_the_number_game():
    one = dict(
        zip(RULES.names, RULES.concept_log_likelihood([16]), strict=True)
    )
    assert math.isclose(math.exp(one["powers of 2"]), 1 / 6)
    assert math.isclose(math.exp(one["even"]), 1 / 50)
    four = dict(
        zip(
            RULES.names,
            RULES.concept_log_likelihood([16, 8, 2, 64]),
            strict=True,
        )
    )
    assert f"{math.exp(four['powers of 2']):.1e}" == "7.7e-04"
    assert f"{math.exp(four['even']):.1e}" == "1.6e-07"
    ratio = math.exp(four["powers of 2"] - four["even"])
    assert math.isclose(ratio, F(50, 6) ** 4)
    assert 4500 < ratio < 5500


def test_the_smallest_concept_with_16_is_powers_of_4():
    assert RULES.mle(16) == RULES.map(16) == "powers of 4"
    assert RULES.extension("powers of 4") == (4, 16, 64)


def test_the_prior_keeps_the_odd_concepts_down():
    data = [16, 8, 2, 64]
    assert RULES.mle(data) == "powers of 2 except 32"
    assert RULES.map(data) == "powers of 2"


def test_a_tie_goes_to_the_first():
    posterior = dict(zip(RULES.names, RULES.posterior(60), strict=True))
    assert math.isclose(posterior["even"], posterior["multiples of 10"])
    assert RULES.map(60) == "even"
    assert RULES.mle(1) == "squares"
    assert RULES.mle() == RULES.names[0]


# --- The spaces -----------------------------------------------------------


def brute_rules(n):
    """The 32 rules by their definitions, as sets."""
    numbers = range(1, n + 1)

    def having(keep):
        return {x for x in numbers if keep(x)}

    def power(x, base):
        while x % base == 0:
            x //= base
        return x == 1

    concepts = {
        "even": having(lambda x: x % 2 == 0),
        "odd": having(lambda x: x % 2),
        "squares": having(lambda x: math.isqrt(x) ** 2 == x),
        "all": set(numbers),
    }
    for k in range(3, 11):
        concepts[f"multiples of {k}"] = having(lambda x, k=k: x % k == 0)
    for d in range(1, 10):
        concepts[f"ends in {d}"] = having(
            lambda x, d=d: str(x).endswith(str(d))
        )
    for b in range(2, 11):
        concepts[f"powers of {b}"] = having(
            lambda x, b=b: x > 1 and power(x, b)
        )
    twos = concepts["powers of 2"]
    concepts["powers of 2 plus 37"] = twos | {37}
    concepts["powers of 2 except 32"] = twos - {32}
    return concepts


@pytest.mark.parametrize("n", [37, 63, 64, 99, 100, 1000])
def test_the_rules_are_what_they_are_called(n):
    space, truth = rule_concepts(n), brute_rules(n)
    assert {h: set(space.extension(h)) for h in space.names} == truth
    assert len({space.extension(h) for h in space.names}) == len(space) == 32
    assert space.n == n


def test_the_prior_of_the_rules():
    prior = dict(zip(RULES.names, map(float, RULES.prior), strict=True))
    usual = prior["squares"]
    assert math.isclose(sum(prior.values()), 1)
    assert math.isclose(usual, F(1) / (2 * 5 + 28 + F(2, 100)))
    for favoured in ("even", "odd"):
        assert math.isclose(prior.pop(favoured), 5 * usual)
    for strange in ("powers of 2 plus 37", "powers of 2 except 32"):
        assert math.isclose(prior.pop(strange), usual / 100)
    assert set(prior.values()) == {usual}


def test_the_intervals_are_all_there():
    found = {INTERVALS.extension(h) for h in INTERVALS.names[:300]}
    assert found < {
        tuple(range(a, b + 1)) for a in range(1, 101) for b in range(a, 101)
    }
    assert len(INTERVALS) == 5050 == len(set(map(bytes, INTERVALS.members)))
    assert INTERVALS.extension("16 to 23") == tuple(range(16, 24))


@pytest.mark.parametrize("scale", [0.1, 10, 1e6])
def test_the_prior_of_the_intervals(scale):
    space = interval_concepts(20, scale)
    weights = [m * math.exp(-m / scale) for m in space.sizes]
    assert close(space.prior, np.array(weights) / sum(weights))


def test_one_interval_of_one_number():
    space = interval_concepts(1)
    assert (space.names, space.posterior([1, 1]).tolist()) == (
        ("1 to 1",),
        [1],
    )


def test_a_mixture_divides_the_prior():
    space = mixed_concepts(RULES, INTERVALS, 0.25)
    assert math.isclose(space.prior[:32].sum(), 0.25)
    for weight, data in [(1, [16]), (0, [16, 23])]:
        space = mixed_concepts(RULES, INTERVALS, weight)
        only = RULES if weight else INTERVALS
        parts = np.split(space.posterior(data), [32])
        assert np.allclose(parts[1 - weight], only.posterior(data))
        assert parts[weight].sum() == 0


@pytest.mark.parametrize("data", GAME, ids=str)
def test_the_weight_of_a_mixture_is_updated_by_the_evidence(data):
    space = mixed_concepts(RULES, INTERVALS, 0.4)
    odds = 0.4 * math.exp(RULES.log_evidence(data))
    odds /= 0.6 * math.exp(INTERVALS.log_evidence(data))
    assert math.isclose(space.posterior(data)[:32].sum(), odds / (1 + odds))


@pytest.mark.parametrize("weight", [-0.1, 1.1, math.nan, "half"])
def test_a_weight_that_is_no_probability(weight):
    with pytest.raises(ProbabilityError, match="The weight is"):
        mixed_concepts(RULES, INTERVALS, weight)


def test_spaces_that_do_not_mix():
    with pytest.raises(
        ProbabilityError, match="about 1 to 100, the other about 1 to 50"
    ):
        mixed_concepts(RULES, interval_concepts(50), 0.5)
    with pytest.raises(ProbabilityError, match="'even' appears twice"):
        mixed_concepts(RULES, RULES, 0.5)


@pytest.mark.parametrize("n", [36, 50.5, "many"])
def test_too_few_numbers_for_the_rules(n):
    with pytest.raises(ProbabilityError, match=r"^n is"):
        rule_concepts(n)


@pytest.mark.parametrize(
    "make",
    [
        rule_concepts,
        interval_concepts,
        lambda n: ConceptSpace.from_sets({"a": {1}}, {"a": 1}, n),
    ],
)
def test_spaces_that_are_too_large(make):
    with pytest.raises(
        TableTooLargeError, match=r"The space would .* Take a smaller n\.$"
    ):
        make(10**11)


def test_intervals_that_are_none():
    with pytest.raises(ProbabilityError, match="n is 0; it must be at least"):
        interval_concepts(0)
    with pytest.raises(ProbabilityError, match="The scale is 0; it must be"):
        interval_concepts(10, scale=0)
    with pytest.raises(TableTooLargeError, match="The space would have"):
        interval_concepts(2000)
