"""Probabilities and likelihoods that no float can hold, in every engine."""

from fractions import Fraction
from math import log

import network_truth as truth
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from bayesbook.base import ConvergenceError
from bayesbook.base.numbers import SMALLEST, as_floats, log_of, logs_of
from bayesbook.network import (
    BayesianNetwork,
    JunctionTree,
    eliminate,
    enumerate_posterior,
    gibbs,
    irreducible,
    likelihood_weighting,
    rejection_sampling,
)

TINY = Fraction(1, 10**400)
LOG_TINY = -400 * log(10)
YES_NO = ("yes", "no")


def two_nodes(of_a, *of_b):
    return BayesianNetwork.from_cpts(
        {"A": YES_NO, "B": YES_NO},
        {"A": of_a, ("B", "A"): [list(row) for row in of_b]},
    )


PLAIN = two_nodes(["1/2", "1/2"], ["1/3", "2/3"], ["3/4", "1/4"])
UNLIKELY_CAUSE = two_nodes([TINY, 1 - TINY], ["1/3", "2/3"], ["3/4", "1/4"])
UNLIKELY_EFFECT = two_nodes(
    ["1/2", "1/2"], [TINY, 1 - TINY], [3 * TINY, 1 - 3 * TINY]
)


# -- numbers ------------------------------------------------------------------


@pytest.mark.parametrize("power", [-5000, -400, -320, -5, 0, 5, 320, 5000])
def test_the_logarithm_of_any_fraction(power):
    number = 7 * Fraction(10) ** power
    assert log_of(number) == pytest.approx(log(7) + power * log(10), rel=1e-14)


def test_logarithms_and_floats_of_arrays():
    values = np.array([[Fraction(0), TINY], [Fraction(1, 4), Fraction(3, 4)]])
    assert as_floats(values).tolist() == [[0, SMALLEST], [0.25, 0.75]]
    logs = logs_of(values)
    assert logs[0, 0] == -np.inf
    assert_allclose(logs.flat[1:], [LOG_TINY, log(1 / 4), log(3 / 4)])
    assert_allclose(logs_of(np.array([0.0, 0.5])), [-np.inf, log(1 / 2)])
    assert log_of(0) == log_of(0.0) == -np.inf


# -- soft evidence ------------------------------------------------------------


@pytest.mark.parametrize("unit", [TINY, 1 / TINY, Fraction(1, 10**320)])
def test_only_the_ratio_of_likelihoods_matters(unit):
    known = {"B": {"yes": unit, "no": 3 * unit}}
    # 1/2 (1/3 + 3 2/3) against 1/2 (3/4 + 3 1/4)
    distribution = [14 / 23, 9 / 23]
    total = log_of(unit) + log(23 / 12)
    exact = eliminate(PLAIN, "A", known).posterior
    assert exact.P(A="yes") == Fraction(14, 23)
    tree = JunctionTree(PLAIN)
    found = tree.posteriors(known)
    assert_allclose(found.array("A"), distribution, atol=1e-12)
    assert found.log_evidence == pytest.approx(total, rel=1e-12)
    assert tree.log_evidence(known) == pytest.approx(total, rel=1e-12)
    assert_allclose(tree.joint("A", known).values, distribution, atol=1e-12)
    best = tree.most_probable(known)
    assert best.states == {"A": "yes", "B": "no"}
    wanted = log(1 / 3) + log_of(3 * unit)
    assert best.log_prob == pytest.approx(wanted, rel=1e-12)
    assert best.probability == pytest.approx(12 / 23, rel=1e-12)
    weighted = likelihood_weighting(PLAIN, known, 20_000, rng=0)
    assert_allclose(weighted.array("A"), distribution, atol=0.02)
    assert weighted.log_evidence == pytest.approx(total, abs=0.02)
    kept = rejection_sampling(PLAIN, known, 5_000, rng=0)
    assert_allclose(kept.array("A"), distribution, atol=0.03)
    assert kept.log_evidence == pytest.approx(total, abs=0.05)
    assert_allclose(
        gibbs(PLAIN, known, 1000, rng=0).array("A"), distribution, atol=0.06
    )


def test_likelihoods_that_only_in_the_end_are_not_small():
    """Of one state 1e-200 twice and then 1e200 twice; the others, 1."""
    copies = {(f"A{i}", "A0"): [[1.0, 0.0], [0.0, 1.0]] for i in range(1, 5)}
    states = {f"A{i}": (0, 1) for i in range(5)}
    network = BayesianNetwork.from_cpts(states, {"A0": [0.5, 0.5], **copies})
    known = {
        "A1": {0: 1e-200, 1: 1.0},
        "A2": {0: 1e-200, 1: 1.0},
        "A3": {0: 1e200, 1: 1e-20},
        "A4": {0: 1e200, 1: 1e-20},
    }
    # A0=0: 1/2 1; A0=1: 1/2 1e-40
    found = eliminate(network, "A0", known)
    distribution = [1, 1e-40]
    assert_allclose(found.posterior.values, distribution, rtol=1e-9)
    assert found.evidence_probability == pytest.approx(0.5)
    distribution_by_definition = enumerate_posterior(network, "A0", known)
    assert_allclose(distribution_by_definition.values, distribution, rtol=1e-9)
    assert_allclose(
        JunctionTree(network).posteriors(known).array("A0"),
        distribution,
        rtol=1e-9,
    )


@pytest.mark.parametrize("ask", [enumerate_posterior, eliminate])
def test_likelihoods_above_every_float_in_a_network_of_floats(ask):
    network = two_nodes([0.5, 0.5], [0.25, 0.75], [0.5, 0.5])
    found = ask(network, "A", {"B": {"yes": 10**400, "no": 1.0}})
    distribution = found if ask is enumerate_posterior else found.posterior
    assert_allclose(distribution.values, [1 / 3, 2 / 3])
    if ask is eliminate:
        assert found.evidence_probability == np.inf


@pytest.mark.parametrize("size", [1.0, 1e-300])
def test_floats_as_likelihoods_give_floats_of_any_size(size):
    known = {"B": {"yes": 0.1 * size, "no": 0.2 * size}}
    found = eliminate(PLAIN, "A", known)
    assert not found.posterior.is_exact
    assert isinstance(found.evidence_probability, float)
    assert not enumerate_posterior(PLAIN, "A", known).is_exact


def test_the_error_of_a_probability_above_every_float():
    known = {node: {"yes": 1e300, "no": 2e300} for node in "AB"}
    found = likelihood_weighting(PLAIN, known, 100, rng=0)
    assert found.evidence_probability == np.inf
    assert found.evidence_standard_error == np.inf


def test_a_state_that_is_next_to_impossible_and_the_only_one_left():
    known = {"A": "yes", "B": {"yes": TINY, "no": 1}}
    network = two_nodes([1, 0], [1, 0], [0, 1])
    found = JunctionTree(network).posteriors(known)
    assert found.array("B").tolist() == [1, 0]
    assert found.log_evidence == pytest.approx(LOG_TINY)
    # Floats whose ratio is no float.
    network = two_nodes([1.0, 0.0], [1.0, 0.0], [0.0, 1.0])
    known = {"B": {"yes": 1e-200, "no": 1e200}}
    found = eliminate(network, "B", known)
    assert found.posterior.values.tolist() == [1, 0]
    assert found.evidence_probability == pytest.approx(1e-200)


# -- tables -------------------------------------------------------------------


def test_a_cause_below_every_float():
    known = {"A": "yes"}
    distribution = enumerate_posterior(UNLIKELY_CAUSE, "B", known)
    assert distribution.P(B="yes") == Fraction(1, 3)
    tree = JunctionTree(UNLIKELY_CAUSE)
    found = tree.posteriors(known)
    assert_allclose(found.array("B"), [1 / 3, 2 / 3], atol=1e-12)
    assert found.log_evidence == pytest.approx(LOG_TINY)
    both = {"A": "yes", "B": "no"}
    assert tree.log_evidence(both) == pytest.approx(LOG_TINY + log(2 / 3))
    best = tree.most_probable(known)
    assert best.states == both
    assert best.log_prob == pytest.approx(LOG_TINY + log(2 / 3))
    assert_allclose(tree.joint(["B"], known).values, [1 / 3, 2 / 3])
    weighted = likelihood_weighting(UNLIKELY_CAUSE, known, 20_000, rng=0)
    assert_allclose(weighted.array("B"), [1 / 3, 2 / 3], atol=0.02)
    assert weighted.log_evidence == pytest.approx(LOG_TINY)
    run = gibbs(UNLIKELY_CAUSE, known, 1000, rng=0)
    assert_allclose(run.array("B"), [1 / 3, 2 / 3], atol=0.05)
    assert irreducible(UNLIKELY_CAUSE, known)
    with pytest.raises(ConvergenceError, match="0 agree"):
        rejection_sampling(UNLIKELY_CAUSE, known, 10, rng=0, max_draws=1000)


def test_effects_below_every_float_keep_their_ratio():
    known, distribution = {"B": "yes"}, [1 / 4, 3 / 4]
    tree = JunctionTree(UNLIKELY_EFFECT)
    assert_allclose(
        tree.posteriors(known).array("A"), distribution, atol=1e-12
    )
    weighted = likelihood_weighting(UNLIKELY_EFFECT, known, 20_000, rng=0)
    assert_allclose(weighted.array("A"), distribution, atol=0.02)
    assert weighted.log_evidence == pytest.approx(LOG_TINY + log(2), abs=0.02)
    run = gibbs(UNLIKELY_EFFECT, known, 1000, rng=0)
    assert_allclose(run.array("A"), distribution, atol=0.05)


def test_a_batch_with_rows_below_every_float():
    rows = pd.DataFrame({"A": ["yes", "no", None]})
    found = JunctionTree(UNLIKELY_CAUSE).batch(rows)
    assert_allclose(found["B"][:, 0], [1 / 3, 3 / 4, 3 / 4], atol=1e-12)
    assert_allclose(found.log_evidence, [LOG_TINY, 0, 0], atol=1e-12)


@pytest.mark.parametrize("seed", range(25))
def test_random_networks_with_tiny_probabilities(seed):
    """Part of each distribution is below every float; fractions are exact."""
    pick = truth.from_rng(np.random.default_rng([37, seed]))
    net = truth.random_net(pick, n_nodes=5)
    distributions = {
        node: {
            row: shrunk(pick, distribution)
            for row, distribution in rows.items()
        }
        for node, rows in net.distributions.items()
    }
    net = truth.Net(net.states, net.parents, distributions)
    tree = JunctionTree(BayesianNetwork.from_cpts(*net.as_given(Fraction)))
    for _ in range(4):
        evidence = truth.random_evidence(pick, net)
        total = truth.exact_log(net.total(evidence))
        found = tree.posteriors(evidence)
        assert found.log_evidence == pytest.approx(total, rel=1e-10, abs=1e-10)
        for node, distribution in net.distributions_of_all(evidence).items():
            assert_allclose(
                found.array(node),
                truth.floats(distribution),
                atol=1e-10,
                rtol=1e-9,
            )
        best = tree.most_probable(evidence)
        p, _ = net.best(evidence)
        # A tie, if only up to 400 digits.
        weight = net.weight(tuple(best.states.values()), evidence)
        assert float(weight / net.total(evidence) / p) == pytest.approx(1)
        assert best.probability == pytest.approx(float(p), rel=1e-9)


def shrunk(pick, distribution):
    """Move nearly all of the probability of some states to another one."""
    distribution = list(distribution)
    largest = distribution.index(max(distribution))
    for i, p in enumerate(distribution):
        if i != largest and pick(0, 2) == 0:
            distribution[i] = p * TINY
            distribution[largest] += p - distribution[i]
    return tuple(distribution)
