"""Concept spaces against enumeration in exact fractions."""

import copy
import math
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction as F

import numpy as np
import pandas as pd
import pytest
from concept_truth import close, joint, next_example, normalised
from hypothesis import assume, given
from hypothesis import strategies as st

from bayesbook.base import (
    ProbabilityError,
    ZeroProbabilityError,
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


@st.composite
def games(draw):
    """Draw a few sets of 1, ..., n, weights, and data that one set allows."""
    n = draw(st.integers(1, 9))
    number = st.integers(1, n)
    sets = draw(
        st.lists(st.frozensets(number, min_size=1), min_size=1, max_size=6)
    )
    concepts = {f"concept {i}": numbers for i, numbers in enumerate(sets)}
    weights = {name: F(draw(st.integers(0, 5))) for name in concepts}
    assume(any(weights.values()))
    truth = draw(st.sampled_from([h for h, w in weights.items() if w]))
    allowed = st.sampled_from(sorted(concepts[truth]))
    return n, concepts, normalised(weights), draw(st.lists(allowed))


def space_of(n, concepts, prior):
    prior = {name: float(p) for name, p in prior.items()}
    return ConceptSpace.from_sets(concepts, prior, n)


@given(games())
def test_against_enumeration(game):
    n, concepts, prior, data = game
    space = space_of(n, concepts, prior)
    weights = joint(concepts, prior, data)
    posterior = normalised(weights)
    assert close(space.posterior(data), posterior.values())
    evidence = sum(weights.values())
    assert math.isclose(
        space.log_evidence(data), math.log(evidence), abs_tol=1e-12
    )
    numbers = range(1, n + 1)
    distribution = [next_example(concepts, posterior, x) for x in numbers]
    assert sum(distribution) == 1
    assert close(space.predictive(data), distribution)
    belongs = [
        sum(p for h, p in posterior.items() if x in concepts[h])
        for x in numbers
    ]
    assert close(space.membership(data), belongs)


@given(games())
def test_likelihood_map_and_mle_against_enumeration(game):
    n, concepts, prior, data = game
    space = space_of(n, concepts, prior)
    ones = dict.fromkeys(concepts, F(1))
    likelihood = joint(concepts, ones, data)
    assert close(
        np.exp(space.concept_log_likelihood(data)), likelihood.values()
    )
    assert space.consistent(data).tolist() == [
        value > 0 for value in likelihood.values()
    ]
    weights = joint(concepts, prior, data)
    # max() gives the first of several, as is documented.
    assert space.map(data) == max(weights, key=weights.get)
    assert space.mle(data) == max(likelihood, key=likelihood.get)
    chosen = concepts[space.map(data)]
    distribution = [F(x in chosen, len(chosen)) for x in range(1, n + 1)]
    assert close(space.plug_in(data), distribution)


@given(games(), st.randoms())
def test_neither_order_nor_batches_matter(game, random):
    n, concepts, prior, data = game
    space = space_of(n, concepts, prior)
    shuffled = random.sample(data, len(data))
    assert np.array_equal(space.posterior(shuffled), space.posterior(data))
    cut = len(data) // 2
    first = space.posterior(data[:cut])
    halfway = ConceptSpace(space.names, space.members, first / first.sum())
    assert np.allclose(halfway.posterior(data[cut:]), space.posterior(data))


@given(games())
def test_the_evidence_is_the_chain_of_predictives(game):
    n, concepts, prior, data = game
    space = space_of(n, concepts, prior)
    chain = sum(
        math.log(space.predictive(data[:i])[x - 1]) for i, x in enumerate(data)
    )
    assert math.isclose(space.log_evidence(data), chain, abs_tol=1e-9)


# --- Data of all kinds ----------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        [16, 8, 2],
        (16.0, 8.0, 2.0),
        {16, 8, 2},
        np.array([2, 16, 8], dtype=np.int8),
        pd.Series([8, 16, 2], index=[5, 6, 7]),
        {16: "a", 8: "b", 2: "c"}.keys(),
        {"a": 16, "b": 8, "c": 2}.values(),
    ],
    ids=lambda data: type(data).__name__,
)
def test_examples_come_in_any_collection(data):
    assert np.allclose(RULES.posterior(data), RULES.posterior([2, 8, 16]))


def test_examples_come_in_generators_and_ranges():
    assert RULES.map(x for x in (2, 8, 16, 64)) == "powers of 2"
    frame = RULES.to_frame(x for x in (2, 8, 16, 64))
    assert math.isclose(frame["log_likelihood"].max(), -4 * math.log(5))
    assert frame["posterior"].idxmax() == "powers of 2"
    assert RULES.mle(range(10, 101, 10)) == "multiples of 10"


@pytest.mark.parametrize("data", [[], (), set(), np.array([])], ids=repr)
def test_without_data_the_posterior_is_the_prior(data):
    assert np.allclose(RULES.posterior(data), RULES.prior, rtol=1e-14)
    assert abs(RULES.log_evidence(data)) < 1e-12
    assert RULES.consistent(data).all()
    assert str(RULES.concept_log_likelihood(data)[0]) == "0.0"
    assert RULES.map(data) == "even"


def test_one_number_is_one_example():
    one = RULES.posterior([16])
    for data in (16, 16.0, np.int64(16), np.array(16)):
        assert np.array_equal(RULES.posterior(data), one)


def test_a_million_examples():
    rng = np.random.default_rng(0)
    data = rng.integers(16, 24, 10**6)
    space = mixed_concepts(RULES, INTERVALS, 0.5)
    assert space.map(data) == "16 to 23"
    assert math.isclose(space.posterior(data).max(), 1)
    prior = space.prior[space.names.index("16 to 23")]
    expected = math.log(prior) - 10**6 * math.log(8)
    assert math.isclose(space.log_evidence(data), expected, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("first", "second"), [(0.3, 0.7), (0.5 - 1e-7, 0.5 + 1e-7)]
)
def test_millions_of_examples_do_not_drown_the_prior(first, second):
    """Their log-likelihoods are larger than 10**7: rounding begins at 1e-9."""
    space = ConceptSpace.from_sets(
        {
            "impossible": {1},
            "first": range(2, 20_002),
            "second": range(3, 20_003),
            "no prior": range(4, 10_000),
        },
        {"impossible": 0, "first": first, "second": second, "no prior": 0},
        n=20_003,
    )
    data = np.full(3 * 10**6, 5)
    assert space.map(data) == "second"
    assert close(space.posterior(data), [0, first, second, 0])
    assert abs(space.posterior(data).sum() - 1) < 1e-14
    expected = -3e6 * math.log(20_000)
    assert math.isclose(space.log_evidence(data), expected, rel_tol=1e-14)


# --- Draws ----------------------------------------------------------------


def test_draws_are_uniform_on_the_concept():
    draws = RULES.sample("powers of 2", 6000, rng=0)
    values, counts = np.unique(draws, return_counts=True)
    assert values.tolist() == [2, 4, 8, 16, 32, 64]
    # Five standard deviations of a binomial number.
    assert abs(counts - 1000).max() < 5 * math.sqrt(6000 * 5 / 36)
    assert RULES.sample("even", 0, rng=0).shape == (0,)


def test_draws_are_reproducible_and_move_a_generator_on():
    once = RULES.sample("even", 20, rng=3)
    assert np.array_equal(once, RULES.sample("even", 20, rng=3))
    rng = np.random.default_rng(3)
    assert np.array_equal(once, RULES.sample("even", 20, rng=rng))
    assert not np.array_equal(once, RULES.sample("even", 20, rng=rng))


# --- What a space is ------------------------------------------------------


def test_a_frame_has_everything_side_by_side():
    frame = RULES.to_frame([16, 8])
    assert list(frame.index) == list(RULES.names)
    assert frame.index.name == "concept"
    by_hand = frame["prior"] * np.exp(frame["log_likelihood"])
    assert np.allclose(frame["posterior"], by_hand / by_hand.sum())
    assert frame.loc["powers of 10", "size"] == 2
    assert frame.loc["powers of 10", "log_likelihood"] == -math.inf


def test_a_space_cannot_be_changed():
    space = rule_concepts()
    with pytest.raises(FrozenInstanceError):
        space.prior = space.prior
    for array in (space.prior, space.members):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_a_space_keeps_no_hold_of_what_it_was_made_from():
    prior, members = np.array([0.5, 0.5]), np.array([[True], [True]])
    space = ConceptSpace(["a", "b"], members, prior)
    prior[0] = members[0] = 0
    assert space.prior.tolist() == [0.5, 0.5]
    assert space.members.all()


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy])
def test_copies(copied):
    other = copied(RULES)
    assert other.names == RULES.names
    assert np.array_equal(other.posterior(16), RULES.posterior(16))


def test_a_space_survives_pickling():
    other = pickle.loads(pickle.dumps(RULES))
    assert np.array_equal(other.members, RULES.members)
    with pytest.raises(ValueError, match="read-only"):
        other.prior[0] = 0


def test_a_space_says_what_it_is():
    assert repr(INTERVALS) == "ConceptSpace of 5050 concepts about 1 to 100"
    assert len(INTERVALS) == 5050


# --- Bad input ------------------------------------------------------------

METHODS = [
    *(
        "consistent",
        "concept_log_likelihood",
        "log_evidence",
        "posterior",
        "map",
    ),
    *("mle", "predictive", "plug_in", "membership", "to_frame"),
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([16, 0], r"examples: 0 at position 1 is not one of 1, \.\.\., 100\."),
        ([101], r"101 at position 0 is not one of 1, \.\.\., 100\."),
        ([8, -3], "-3 at position 1 is not one of"),
        ([8, 2.5], r"2\.5 at position 1 is not a whole number\."),
        ([8, math.nan], "nan at position 1 is not a finite number"),
        ([8, math.inf], "inf at position 1 is not a finite number"),
        ("sixteen", "'sixteen' at position 0"),
        ([8, "2"], "'2' at position 1"),
        # With a name, since a set of strings is shown in no fixed order.
        pytest.param({"2", 8}, "'2' at position 0", id="set"),
        (None, "not numbers: None"),
        ([[1, 2], [3, 4]], r"the shape \(2, 2\)"),
        ([[1, 2], [3]], "not numbers"),
        ({16: 1}, "are a dict, in which nothing appears twice: give a list"),
        (pd.DataFrame({"x": [1]}), "data frame with the columns 'x'"),
    ],
    ids=str,
)
def test_examples_that_are_none(method, data, message):
    with pytest.raises(ProbabilityError, match=message):
        getattr(RULES, method)(data)


IMPOSSIBLE = ConceptSpace.from_sets(
    {"low": {1, 2}, "high": {8, 9}, "ruled out": {1, 9}},
    {"low": 0.5, "high": 0.5, "ruled out": 0},
    n=9,
)


@pytest.mark.parametrize(
    "method", ["posterior", "map", "predictive", "plug_in", "membership"]
)
def test_examples_that_no_possible_concept_contains(method):
    with pytest.raises(
        ZeroProbabilityError,
        match=r"^The examples 1, 9 are impossible: no concept of positive "
        r"prior contains all of them\. Leave out",
    ):
        getattr(IMPOSSIBLE, method)(x for x in [9, 1, 9])


def test_without_a_prior_the_likelihood_may_still_be_positive():
    assert IMPOSSIBLE.mle([9, 1]) == "ruled out"
    assert IMPOSSIBLE.log_evidence([9, 1]) == -math.inf
    assert IMPOSSIBLE.consistent([9, 1]).tolist() == [False, False, True]
    with pytest.raises(
        ZeroProbabilityError, match="examples 5 are impossible: no concept co"
    ):
        IMPOSSIBLE.mle(x for x in [5])


@pytest.mark.parametrize("method", ["extension", "sample"])
def test_an_unknown_concept(method):
    options = {"size": 5, "rng": 0} if method == "sample" else {}
    with pytest.raises(
        ProbabilityError,
        match=r"^'power of 2' is not a concept of the space; .* "
        r"Did you mean 'powers of 2'\?$",
    ):
        getattr(RULES, method)("power of 2", **options)


@pytest.mark.parametrize("size", [-1, 2.5])
def test_a_sample_of_no_size(size):
    with pytest.raises(ProbabilityError, match="size of the sample is"):
        RULES.sample("even", size, rng=0)


ROWS = [[True, False], [True, True]]


@pytest.mark.parametrize(
    ("names", "members", "prior", "message"),
    [
        ("aa", ROWS, [0.5, 0.5], "The concept 'a' appears twice"),
        ("", [], [], "There are no concepts"),
        ("abc", ROWS, [0.5, 0.5], "are 3 concepts, but 2 rows of members"),
        ("ab", ROWS, [1], "are 2 concepts, but 1 priors"),
        ("ab", [[1, 0], [1, 1]], [0.5, 0.5], r"not int64 of the shape \(2, 2"),
        ("a", [True, False], [1], r"not bool of the shape \(2,\)"),
        ("ab", [[], []], [0.5, 0.5], r"of the shape \(2, 0\)"),
        (
            "ab",
            [[True], ROWS[1]],
            [0.5, 0.5],
            "members are not a matrix: .* inhom",
        ),
        ("ab", [[False] * 3, [True] * 3], [0, 1], "'a' has no members from 1"),
        ("ab", ROWS, [1.5, -0.5], "probability of 'b' is -0.5: negative"),
        ("ab", ROWS, [0.5, 0.4], r"probabilities sum to 0\.9, not to 1"),
        ("ab", ROWS, [0.5, math.nan], "prior probabilities: nan at position"),
        ("ab", ROWS, ["a", 1], "prior probabilities are not numbers"),
    ],
)
def test_spaces_that_are_none(names, members, prior, message):
    with pytest.raises(ProbabilityError, match=message):
        ConceptSpace(list(names), members, prior)


@pytest.mark.parametrize(
    ("concepts", "prior", "message"),
    [
        ({"a": {1, 7}}, {"a": 1}, r"numbers of 'a': 7 at position 1 is not"),
        ({"a": {1.5}}, {"a": 1}, r"of 'a': 1\.5 at position 0 is not a whole"),
        ({"a": set()}, {"a": 1}, "concept 'a' has no members from 1 to 6"),
        ({"even": {2}}, {"evn": 1}, r"of the sets; .* mean 'even'\?"),
        (
            {"even": {2}, "odd": {1}},
            {"even": 1},
            "'odd' is not a .* the prior",
        ),
    ],
)
def test_sets_that_are_no_concepts(concepts, prior, message):
    with pytest.raises(ProbabilityError, match=message):
        ConceptSpace.from_sets(concepts, prior, n=6)
