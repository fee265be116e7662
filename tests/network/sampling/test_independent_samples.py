"""Likelihood weighting and rejection sampling against enumeration."""

import tracemalloc
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampling_truth import (
    asia,
    copy_network,
    exact_posteriors,
    networks_with_evidence,
    random_network,
)

from bayesbook.base import (
    ConvergenceError,
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.network import (
    BayesianNetwork,
    gibbs,
    likelihood_weighting,
    rejection_sampling,
)
from bayesbook.network import ancestral as ancestral_module
from bayesbook.network.ancestral import thresholds
from bayesbook.probability import Table

SAMPLERS = [likelihood_weighting, rejection_sampling]
EVIDENCE = {"xray": "yes", "dysp": "no", "smoke": {"yes": 2.0, "no": 1}}


def misses(sample, distributions):
    """Return the errors of all probabilities in standard errors."""
    found = [
        (sample.array(node) - distributions[node])
        / sample.standard_error(node)
        for node in sample.draws
    ]
    found = np.concatenate(found)
    return found[np.isfinite(found)]


# -- the right answers ----------------------------------------------------


@given(networks_with_evidence(), st.integers(0, 2**32))
def test_likelihood_weighting_agrees_with_enumeration(problem, seed):
    network, evidence = problem
    distributions, total = exact_posteriors(network, evidence)
    sample = likelihood_weighting(network, evidence, 20_000, rng=seed)
    for node in sample.draws:
        error = sample.standard_error(node)
        assert (
            np.abs(sample.array(node) - distributions[node]) < 5 * error + 1e-9
        ).all()
    close = 5 * sample.evidence_standard_error + 1e-9
    assert abs(sample.evidence_probability - total) < close


@given(networks_with_evidence(most=5), st.integers(0, 2**32))
def test_rejection_sampling_agrees_with_enumeration(problem, seed):
    network, evidence = problem
    distributions, total = exact_posteriors(network, evidence)
    sample = rejection_sampling(network, evidence, 2000, rng=seed)
    for node in sample.draws:
        p = distributions[node]
        error = np.sqrt(p * (1 - p) / 2000)
        assert (np.abs(sample.array(node) - p) < 5 * error + 1e-9).all()
    # The number of draws is negative binomial.
    assert abs(sample.evidence_probability / total - 1) < 5 / np.sqrt(2000)


@given(networks_with_evidence(most=5, zeros=True), st.integers(0, 2**32))
def test_zeros_in_tables_and_evidence(problem, seed):
    network, evidence = problem
    distributions, total = exact_posteriors_or_none(network, evidence)
    if total < 1e-3:
        return
    sample = likelihood_weighting(network, evidence, 20_000, rng=seed)
    for node in sample.draws:
        p, error = sample.array(node), sample.standard_error(node)
        # What is impossible is never drawn.
        assert (p[distributions[node] == 0] == 0).all()
        # A rare state may not be drawn at all: error 0.
        rare = 20 / (20_000 * total)
        assert (np.abs(p - distributions[node]) < 5 * error + rare).all()


def exact_posteriors_or_none(network, evidence):
    with np.errstate(invalid="ignore"):
        return exact_posteriors(network, evidence)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_the_error_falls_as_one_over_the_root_of_the_draws(sampler):
    network = asia()
    distributions, _ = exact_posteriors(network, EVIDENCE)
    sizes = [100, 1000, 10_000, 100_000]
    rng = np.random.default_rng(7)
    rms = []
    for size in sizes:
        squares = [
            (
                sampler(network, EVIDENCE, size, rng=rng).array("lung")
                - distributions["lung"]
            )
            ** 2
            for _ in range(max(8, 20_000 // size))
        ]
        rms.append(np.sqrt(np.mean(squares)))
    slope = np.polyfit(np.log(sizes), np.log(rms), 1)[0]
    assert -0.6 < slope < -0.4


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_standard_errors_are_as_large_as_errors(sampler):
    network = asia()
    distributions, _ = exact_posteriors(network, EVIDENCE)
    rng = np.random.default_rng(3)
    runs = [sampler(network, EVIDENCE, 2000, rng=rng) for _ in range(200)]
    found = np.concatenate([misses(run, distributions) for run in runs])
    assert 0.9 < np.sqrt(np.mean(found**2)) < 1.1


def test_the_evidence_probability_has_the_stated_error():
    network = asia()
    _, total = exact_posteriors(network, EVIDENCE)
    rng = np.random.default_rng(5)
    runs = [
        likelihood_weighting(network, EVIDENCE, 500, rng=rng)
        for _ in range(400)
    ]
    found = np.array([run.evidence_probability for run in runs])
    stated = np.mean([run.evidence_standard_error for run in runs])
    # The mean of the weights has no bias.
    assert abs(found.mean() - total) < 4 * found.std() / 20
    assert stated == pytest.approx(found.std(), rel=0.1)
    assert runs[0].log_evidence == pytest.approx(np.log(found[0]))


# -- what the weights are -------------------------------------------------


def test_weights_are_the_probability_of_the_evidence_given_the_rest():
    network = asia()
    evidence = {"xray": "yes", "dysp": "no"}
    sample = likelihood_weighting(network, evidence, 300, rng=1)
    assert sample.size == 300
    assert list(sample.draws) == [
        n for n in network.nodes if n not in evidence
    ]
    for (_, row), log_weight in zip(
        sample.draws.iterrows(), sample.log_weights, strict=True
    ):
        x, d = network.tables["xray"], network.tables["dysp"]
        weight = x.P(xray="yes", given={"either": row["either"]}) * d.P(
            dysp="no", given={"either": row["either"], "bronc": row["bronc"]}
        )
        assert log_weight == pytest.approx(np.log(weight))
    weights = np.exp(sample.log_weights)
    assert sample.weights == pytest.approx(weights / weights.sum())
    assert sample.effective_sample_size == pytest.approx(
        weights.sum() ** 2 / (weights**2).sum()
    )
    p = sample.array("lung")[0]
    assert p == pytest.approx(
        np.average(sample.draws["lung"] == "yes", weights=weights)
    )


def test_evidence_at_the_roots_costs_nothing():
    evidence = {"smoke": "yes", "asia": "no"}
    sample = likelihood_weighting(asia(), evidence, 1000, rng=0)
    assert sample.effective_sample_size == pytest.approx(1000)
    assert sample.evidence_probability == pytest.approx(0.99 / 2)
    assert sample.evidence_standard_error == pytest.approx(0, abs=1e-8)


def test_unlikely_evidence_leaves_few_effective_draws():
    # A chain of near copies, seen at its end.
    rare = BayesianNetwork.from_cpts(
        {"X": (0, 1), "Y": (0, 1)},
        {"X": [0.999, 0.001], ("Y", "X"): [[0.9999, 0.0001], [0.1, 0.9]]},
    )
    sample = likelihood_weighting(rare, {"Y": 1}, 10_000, rng=2)
    assert sample.effective_sample_size < 20


def test_weights_below_every_float_keep_their_ratios():
    n = 600
    states = {"C": (0, 1), **{f"F{i}": (0, 1) for i in range(n)}}
    cpts = {"C": [0.5, 0.5]}
    cpts |= {(f"F{i}", "C"): [[0.9, 0.1], [0.91, 0.09]] for i in range(n)}
    network = BayesianNetwork.from_cpts(states, cpts)
    evidence = {f"F{i}": 1 for i in range(n)}
    sample = likelihood_weighting(network, evidence, 5000, rng=0)
    odds = (0.1 / 0.09) ** n
    assert sample.array("C")[0] == pytest.approx(odds / (1 + odds))
    assert sample.log_evidence < -1000
    # The smallest float: zero would be impossible evidence.
    assert 0 < sample.evidence_probability < 1e-300


def test_rejection_counts_draws_up_to_the_last_that_is_wanted():
    network = copy_network(0.25)
    sample = rejection_sampling(network, {"Y": 1}, 1, rng=0)
    again = network.sample(50, rng=0)
    assert sample.size == 1
    assert sample.acceptance_rate == 1 / sample.n_draws
    assert sample.n_draws == int((again["X"] == 1).to_numpy().argmax()) + 1


def test_all_draws_of_rejection_agree():
    evidence = {"xray": "yes", "either": "no"}
    sample = rejection_sampling(asia(), evidence, 500, rng=1)
    assert (sample.draws["lung"] == "no").all()
    assert (sample.draws["tub"] == "no").all()
    assert len(sample.draws) == sample.size == 500
    # P(xray=yes, either=no) = 0.05 * 0.935172
    assert sample.acceptance_rate == pytest.approx(0.0468, rel=0.15)


# -- what they give -------------------------------------------------------


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_sample_is_a_mapping_of_tables(sampler):
    sample = sampler(asia(), {"xray": "yes"}, 1000, rng=0)
    assert sample["lung"].title == "P(lung | xray=yes)"
    assert sample["lung"].values.sum() == pytest.approx(1)
    assert list(sample) == list(asia().nodes)
    assert sample["xray"].P(xray="yes") == 1
    assert "xray" not in sample.draws
    frame = sample.to_frame()
    assert list(frame) == ["node", "state", "probability", "standard_error"]
    assert len(frame) == 16
    assert isinstance(sample.draws["lung"].dtype, pd.CategoricalDtype)
    assert sample.codes("lung").shape == (1000,)
    assert "1,000" in repr(sample)
    assert "1,000" in sample._repr_html_()
    with pytest.raises(ProbabilityError, match="'xray' is observed"):
        sample.codes("xray")
    assert sample.standard_error("xray").tolist() == [0, 0]
    for ask in (sample.codes, sample.standard_error, sample.array):
        with pytest.raises(ProbabilityError, match="Did you mean 'lung'"):
            ask("lungs")


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_seeds_and_generators(sampler):
    network = asia()
    one = sampler(network, {"xray": "yes"}, 50_000, rng=1)
    two = sampler(
        network, {"xray": "yes"}, 50_000, rng=np.random.default_rng(1)
    )
    three = sampler(network, {"xray": "yes"}, 50_000, rng=2)
    assert one.draws.equals(two.draws)
    assert not one.draws.equals(three.draws)


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("evidence", [None, {}])
def test_without_evidence_they_are_ancestral_sampling(sampler, evidence):
    sample = sampler(asia(), evidence, 20_000, rng=0)
    assert sample.evidence_probability == pytest.approx(1)
    assert sample.array("bronc")[0] == pytest.approx(0.45, abs=0.02)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_all_nodes_observed(sampler):
    sample = sampler(copy_network(0.25), {"X": 1, "Y": 1}, 100, rng=0)
    assert sample["X"].P(X=1) == sample["Y"].P(Y=1) == 1
    assert sample.draws.shape[1] == 0
    assert (sample.to_frame()["standard_error"] == 0).all()
    assert sample.evidence_probability == pytest.approx(0.25, abs=0.1)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_single_node(sampler):
    coin = BayesianNetwork([Table(["1/4", "3/4"], {"coin": "HT"})])
    assert sampler(coin, {}, 10_000, rng=0).array("coin") == pytest.approx(
        [0.25, 0.75], abs=0.02
    )
    soft = {"coin": {"H": 3, "T": Fraction(1)}}
    sample = sampler(coin, soft, 10_000, rng=0)
    assert sample.array("coin") == pytest.approx([0.5, 0.5], abs=0.02)
    assert sample.evidence_probability == pytest.approx(1.5, rel=0.05)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_states_and_names_of_all_kinds(sampler):
    network = BayesianNetwork.from_cpts(
        {"größe (m)": (1, 2.5, "viel"), "天气": (("晴", 1), ("雨", 2))},
        {
            "größe (m)": [0.2, 0.3, 0.5],
            ("天气", "größe (m)"): [[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]],
        },
    )
    sample = sampler(network, {"天气": ("雨", 2)}, 20_000, rng=0)
    distributions, _ = exact_posteriors(network, {"天气": ("雨", 2)})
    assert sample.array("größe (m)") == pytest.approx(
        distributions["größe (m)"], abs=0.02
    )
    assert set(sample.draws["größe (m)"]) == {1, 2.5, "viel"}


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_disconnected_network_and_a_node_of_one_state(sampler):
    network = BayesianNetwork.from_cpts(
        {"A": (0, 1), "B": ("x",), "C": (0, 1)},
        {"A": [0.3, 0.7], "B": [1], ("C", "B"): [[0.6, 0.4]]},
    )
    sample = sampler(network, {"C": 1}, 10_000, rng=0)
    assert sample.array("A") == pytest.approx([0.3, 0.7], abs=0.02)
    assert sample.array("B").tolist() == [1]
    assert sample.standard_error("B").tolist() == [0]


# -- bad input ------------------------------------------------------------


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize(
    ("size", "match"),
    [
        (0, "at least 1"),
        (-3, "at least 1"),
        (2.5, "not a whole number"),
        (True, "not a number"),
        ("many", "not a number"),
        (None, "not a number"),
    ],
)
def test_bad_sizes(sampler, size, match):
    with pytest.raises(ProbabilityError, match=match):
        sampler(copy_network(), {}, size, rng=0)


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize(
    ("evidence", "match"),
    [
        ({"Z": 1}, "'Z' is not a node"),
        ({"Y": "on"}, "'on' is not a state of 'Y'; its states are 0, 1"),
        ({"Y": {0: 1}}, "says nothing of 1"),
        ({"Y": {0: 1, 1: -1}}, "negative"),
    ],
)
def test_bad_evidence(sampler, evidence, match):
    with pytest.raises(ProbabilityError, match=match):
        sampler(copy_network(), evidence, 10, rng=0)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_what_is_no_network(sampler):
    with pytest.raises(TypeError, match="'asia' is not a BayesianNetwork"):
        sampler("asia", {}, 10, rng=0)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_evidence_that_is_no_dictionary(sampler):
    with pytest.raises(TypeError, match="give a dictionary"):
        sampler(copy_network(), "Y=1", 10, rng=0)


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("progress", [1, "yes", None])
def test_bad_progress(sampler, progress):
    with pytest.raises(ProbabilityError, match="neither True nor False"):
        sampler(copy_network(), {}, 10, rng=0, progress=progress)


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize(
    "evidence",
    [{"X": 0, "Y": 1}, {"X": {0: 0, 1: 1}, "Y": 0}],
)
def test_impossible_evidence_is_no_nan(sampler, evidence):
    options = {} if sampler is likelihood_weighting else {"max_draws": 1000}
    with pytest.raises(
        ZeroProbabilityError, match=r"Y.* has probability zero"
    ):
        sampler(copy_network(), evidence, 100, rng=0, **options)


def exclusive_or(n_inputs):
    """Return inputs whose parity is passed on; propagation strikes nothing."""
    states = {f"X{i}": (0, 1) for i in range(n_inputs)}
    cpts = {f"X{i}": [0.5, 0.5] for i in range(n_inputs)}
    for name in ("A", "B"):
        table = np.zeros((2,) * (n_inputs + 1))
        for place in np.ndindex(*(2,) * n_inputs):
            table[(*place, sum(place) % 2)] = 1
        states[name] = (0, 1)
        cpts[name, *(f"X{i}" for i in range(n_inputs))] = table.tolist()
    return BayesianNetwork.from_cpts(states, cpts)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_where_no_draw_agrees_the_error_says_what_to_do(sampler):
    # Impossible, but only both tables together say so.
    options = {} if sampler is likelihood_weighting else {"max_draws": 5000}
    with pytest.raises(ConvergenceError, match="JunctionTree") as caught:
        sampler(exclusive_or(3), {"A": 0, "B": 1}, 5000, rng=0, **options)
    assert "A=0, B=1" in str(caught.value)
    assert "5,000 draws" in str(caught.value)


def test_rejection_that_takes_too_long():
    network = copy_network(0.001)
    with pytest.raises(ConvergenceError, match="100 are wanted") as caught:
        rejection_sampling(network, {"Y": 1}, 100, rng=0, max_draws=20_000)
    assert "Of 20,000 draws" in str(caught.value)
    assert "likelihood_weighting" in str(caught.value)
    with pytest.raises(ProbabilityError, match="at least 1"):
        rejection_sampling(network, {}, 1, rng=0, max_draws=0)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_draws_that_do_not_fit_are_refused_at_once(sampler):
    with pytest.raises(TableTooLargeError, match=r"GiB.*[Ff]ewer"):
        sampler(asia(), {}, 10**9, rng=0)
    # Even if no node is drawn, each row has a weight.
    observed = {node: own[0] for node, own in asia().states.items()}
    with pytest.raises(TableTooLargeError, match="TiB"):
        sampler(asia(), observed, 10**13, rng=0)


def ancestral(network, evidence, size, rng):
    assert evidence
    return network.sample(size, rng=rng)


def short_chains(network, evidence, size, rng):
    return gibbs(network, evidence, size=1, n_chains=size, burn_in=0, rng=rng)


def long_chains(network, evidence, size, rng):
    return gibbs(network, evidence, size=size // 100, n_chains=100, rng=0)


@pytest.mark.parametrize(
    "sampler", [*SAMPLERS, ancestral, short_chains, long_chains]
)
def test_the_limit_bounds_what_is_allocated(sampler, monkeypatch):
    names = [f"N{i}" for i in range(8)]
    cpts = {"N0": [0.5, 0.5]}
    for one, other in pairwise(names):
        cpts[other, one] = [[0.3, 0.7], [0.6, 0.4]]
    network = BayesianNetwork.from_cpts(dict.fromkeys(names, (0, 1)), cpts)
    evidence = {"N7": 1}

    def ask():
        return sampler(network, evidence, 10**6, rng=0)

    tracemalloc.start()
    try:
        ask()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    monkeypatch.setattr(ancestral_module, "MAX_BYTES", 0.75 * peak)
    with pytest.raises(TableTooLargeError):
        ask()
    monkeypatch.setattr(ancestral_module, "MAX_BYTES", 2 * peak)
    ask()


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_progress_is_shown_only_if_asked_for(sampler, capsys):
    sampler(asia(), {"xray": "yes"}, 30_000, rng=0)
    silent = capsys.readouterr()
    assert silent.out == silent.err == ""
    sampler(asia(), {"xray": "yes"}, 30_000, rng=0, progress=True)
    shown = capsys.readouterr()
    assert "30000/30000" in shown.err
    assert shown.out == ""


# -- thresholds -----------------------------------------------------------


@given(st.integers(0, 2**32))
def test_thresholds_never_give_what_is_impossible(seed):
    rng = np.random.default_rng(seed)
    distribution = rng.random((50, 5)) * (rng.random((50, 5)) < 0.5)
    distribution[distribution.sum(axis=1) == 0, 2] = 1
    steps = np.array(thresholds(distribution))
    for u in (0.0, 0.5, 1 - 2**-53):
        codes = (u >= steps).sum(axis=0)
        assert (distribution[np.arange(50), codes] > 0).all()


def test_many_states_need_more_than_one_byte():
    n = 300
    distribution = np.zeros(n)
    distribution[[3, 299]] = 0.25, 0.75
    network = BayesianNetwork([Table(distribution, {"X": tuple(range(n))})])
    for sampler in SAMPLERS:
        sample = sampler(network, {}, 4000, rng=0)
        assert set(sample.draws["X"]) == {3, 299}
        assert sample.array("X")[299] == pytest.approx(0.75, abs=0.03)


def test_random_networks_of_thirty_nodes_agree_among_each_other():
    network = random_network(np.random.default_rng(8), 30)
    evidence = {"X29": 0, "X15": 1}
    one = likelihood_weighting(network, evidence, 100_000, rng=0)
    two = rejection_sampling(network, evidence, 20_000, rng=1)
    for node in one:
        error = np.hypot(one.standard_error(node), two.standard_error(node))
        gap = np.abs(one.array(node) - two.array(node))
        assert (gap < 5 * error + 1e-9).all()
