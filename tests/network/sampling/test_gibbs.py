"""Gibbs sampling against enumeration and the matrix of a sweep."""

import time
import warnings

import numpy as np
import pandas as pd
import pytest
from gibbs_networks import exact_or_none, module, rain, run_quietly
from hypothesis import given
from hypothesis import strategies as st
from sampling_truth import (
    asia,
    copy_network,
    exact_posteriors,
    networks_with_evidence,
    random_network,
    sweep_matrix,
)
from scipy.stats import chisquare

from bayesbook.base import (
    ProbabilityError,
    ReducibleChainWarning,
    ZeroProbabilityError,
)
from bayesbook.mcmc import effective_sample_size, split_r_hat
from bayesbook.network import (
    BayesianNetwork,
    GibbsRun,
    JunctionTree,
    gibbs,
    irreducible,
    load_network,
)
from bayesbook.network.evidence import read_evidence
from bayesbook.network.sampling import _gibbs_kernel as sweeps
from bayesbook.network.sampling.feasible_states import float_factors
from bayesbook.probability import Table


@given(networks_with_evidence(most=4, zeros=True))
def test_the_posterior_is_stationary_under_a_sweep(problem):
    network, evidence = problem
    _, total = exact_or_none(network, evidence)
    if not total:
        return
    order = run_quietly(network, evidence, size=1).order
    _, distribution, matrix = sweep_matrix(network, evidence, order)
    assert np.abs(distribution @ matrix - distribution).max() < 1e-12
    # It is the only one exactly if the chain is irreducible.
    ones = np.sum(np.abs(np.linalg.eigvals(matrix) - 1) < 1e-9)
    assert (ones == 1) == irreducible(network, evidence).holds


@pytest.mark.parametrize("most", [sweeps._MAX_CELLS, 12, 0])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_sweep_moves_as_its_matrix_says(seed, most, monkeypatch):
    # With 12, some distributions are tabulated and some are not.
    monkeypatch.setattr(sweeps, "_MAX_CELLS", most)
    rng = np.random.default_rng(seed)
    network = random_network(rng, 4, zeros=0.2)
    evidence = {"X3": {state: 1 / (1 + state) for state in (0, 1)}}
    evidence["X3"] |= dict.fromkeys(network.states["X3"][2:], 0.3)
    run = run_quietly(network, evidence, size=1)
    places, _, matrix = sweep_matrix(network, evidence, run.order)
    number = {tuple(place): i for i, place in enumerate(places.tolist())}
    for row, place in enumerate(places):
        start = {
            node: network.states[node][code]
            for node, code in zip(network.nodes, place, strict=True)
        }
        run = run_quietly(
            network,
            evidence,
            size=1,
            burn_in=0,
            n_chains=5000,
            start=start,
        )
        codes = np.column_stack(
            [
                run.codes(node)[:, 0]
                if node in run
                else np.full(5000, place[i])
                for i, node in enumerate(network.nodes)
            ]
        )
        seen = np.bincount(
            [number[tuple(c)] for c in codes.tolist()], minlength=len(places)
        )
        expected = 5000 * matrix[row]
        assert (seen[expected == 0] == 0).all()
        can = expected > 0
        if can.sum() > 1:
            expected = expected[can] * seen.sum() / expected[can].sum()
            assert chisquare(seen[can], expected).pvalue > 1e-5


@given(networks_with_evidence(most=7), st.booleans(), st.booleans())
def test_all_ways_to_store_distributions_draw_the_same(
    problem, is_dense, is_small
):
    """Tabulated or not, dense or sparse: the same seed, the same draws."""
    network, evidence = problem
    known = read_evidence(network, evidence)
    factors = [f for f in float_factors(network, known) if f.scope]
    sizes = {
        node: len(states)
        for node, states in network.states.items()
        if node not in known.hard
    }
    start = np.zeros((len(sizes), 50), int)
    one = sweeps.Sweep(sizes, factors)
    expected = sweep_results(one, start)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweeps, "_DENSE", 10**9 if is_dense else 0)
        patch.setattr(sweeps, "_MAX_PIECE", 8 if is_small else 2**14)
        patch.setattr(sweeps, "_UNIFORM", 1)
        assert (sweep_results(one, start) == expected).all()
        patch.setattr(sweeps, "_MAX_CELLS", 0)
        other = sweeps.Sweep(sizes, factors)
        assert one.nodes == other.nodes
        assert (sweep_results(other, start) == expected).all()


def sweep_results(sweep, start):
    """Return the codes of all nodes after each of 20 sweeps."""
    run = sweep.run(start, 20, np.random.default_rng(0))
    return np.array([state.astype(int) for _, state in run])


def test_nodes_of_one_colour_are_not_in_each_others_blankets():
    network = random_network(np.random.default_rng(1), 40, n_parents=3)
    factors = float_factors(network, read_evidence(network, {}))
    sweep = sweeps.Sweep(
        {n: len(s) for n, s in network.states.items()}, factors
    )
    assert set(sweep.nodes) == set(network.nodes)
    for colour in sweep._colours:
        nodes = sweep.nodes[colour.first : colour.stop]
        for node in nodes:
            assert not set(network.markov_blanket(node)) & set(nodes)


# -- convergence -------------------------------------------------------


@given(networks_with_evidence(), st.integers(0, 2**32))
def test_it_agrees_with_enumeration(problem, seed):
    network, evidence = problem
    distributions, _ = exact_posteriors(network, evidence)
    run = gibbs(
        network, evidence, size=400, n_chains=50, burn_in=100, rng=seed
    )
    for node in run.draws:
        error = np.nan_to_num(run.standard_error(node))
        gap = np.abs(run.array(node) - distributions[node])
        assert (gap < 5 * error + 3e-3).all()


def test_the_error_falls_as_one_over_the_root_of_the_draws():
    network, evidence = rain(), {"mood": 2}
    distributions, _ = exact_posteriors(network, evidence)
    sizes = [50, 200, 800, 3200, 12_800]
    rms = []
    for size in sizes:
        # 200 chains are 200 replications, each with its own estimate.
        run = gibbs(network, evidence, size=size, n_chains=200, rng=size)
        found = run.running("rain", "yes")[:, -1]
        rms.append(np.sqrt(np.mean((found - distributions["rain"][1]) ** 2)))
    slope = np.polyfit(np.log(sizes), np.log(rms), 1)[0]
    assert -0.56 < slope < -0.44


def test_standard_errors_are_as_large_as_errors():
    network, evidence = rain(), {"mood": {1: 0.2, 2: 1, 3: 0.5}}
    distributions, _ = exact_posteriors(network, evidence)
    found = []
    for seed in range(150):
        run = gibbs(network, evidence, size=300, burn_in=50, rng=seed)
        for node in run.draws:
            gap = run.array(node) - distributions[node]
            found += list(gap / run.standard_error(node))
    assert 0.9 < np.sqrt(np.mean(np.square(found))) < 1.15


def test_bad_starts_are_forgotten():
    network = rain()
    distributions, _ = exact_posteriors(network, {})
    start = {"rain": "yes", "street": "dry", "mood": 1}
    run = gibbs(network, {}, start=start, size=200, n_chains=500, rng=0)
    for node in run.draws:
        gap = np.abs(run.array(node) - distributions[node])
        assert (gap < 5 * run.standard_error(node)).all()


# -- reducible chains --------------------------------------------------


def test_a_copy_stays_where_it_began_and_the_warning_says_so():
    with pytest.warns(ReducibleChainWarning, match="X and Y never change"):
        run = gibbs(copy_network(), {}, 1000, start={"X": 0}, rng=0)
    # The truth is 1/2.
    assert run.array("Y").tolist() == [1, 0]
    assert not run.irreducibility
    # All chains agree, and so R-hat says nothing.
    assert run.r_hat.isna().all()


def test_chains_of_different_parts_disagree():
    start = pd.DataFrame({"X": [0, 0, 0, 1], "Y": [0, 0, 0, 1]})
    with pytest.warns(ReducibleChainWarning):
        run = gibbs(copy_network(), {}, 1000, start=start, rng=0)
    assert run.array("X").tolist() == [0.75, 0.25]
    assert np.isinf(run.r_hat).all()
    assert "R-hat inf" in repr(run)
    assert run.effective_sample_size["X"] < 10


def test_default_starts_know_the_shares_of_the_parts():
    network = copy_network(0.2)
    with pytest.warns(ReducibleChainWarning):
        run = gibbs(network, {}, n_chains=4000, size=4, burn_in=0, rng=0)
    assert run.array("X")[1] == pytest.approx(0.2, abs=0.03)
    assert np.isinf(run.r_hat["X"])


def test_asia_from_its_healthy_part_never_finds_a_disease():
    healthy = {"tub": "no", "lung": "no"}
    with pytest.warns(ReducibleChainWarning, match="either never changes"):
        run = gibbs(asia(), {"dysp": "yes"}, 1000, start=healthy, rng=0)
    assert run["lung"].P(lung="yes") == 0
    distributions, _ = exact_posteriors(asia(), {"dysp": "yes"})
    assert distributions["lung"][0] > 0.1


def test_no_false_alarm():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gibbs(asia(), {"either": "yes"}, 1000, rng=0)
        gibbs(rain(), {}, 1000, rng=0)


def test_undecided_chains_warn_too(monkeypatch):
    monkeypatch.setattr(
        module,
        "irreducible",
        lambda *args: irreducible(*args, max_configurations=1),
    )
    with pytest.warns(ReducibleChainWarning, match="may be reducible"):
        gibbs(asia(), {}, 1000, rng=0)


# -- real networks -----------------------------------------------------


def test_alarm_has_zeros_and_is_no_alarm():
    network = load_network("alarm")
    evidence = {
        "CVP": "NORMAL",
        "PRESS": "HIGH",
        "HISTORY": "FALSE",
        "PCWP": "LOW",
    }
    assert any((t.values == 0).any() for t in network.tables.values())
    run = gibbs(network, evidence, 1000, n_chains=500, rng=0)
    exact = JunctionTree(network).posteriors(evidence)
    for node in run.draws:
        gap = np.abs(run.array(node) - exact.array(node))
        error = np.nan_to_num(run.standard_error(node))
        # Some nodes change so rarely that chains stand for single draws.
        assert (gap < 5 * error + 2e-3).all()


@pytest.mark.parametrize("name", ["insurance", "hepar2", "barley", "pigs"])
def test_these_are_irreducible(name):
    assert irreducible(load_network(name))


@pytest.mark.parametrize("name", ["asia", "hailfinder", "win95pts", "andes"])
def test_these_are_reducible(name):
    assert irreducible(load_network(name)).holds is False


def test_three_million_updates_take_no_time():
    network = load_network("alarm")
    start = time.process_time()
    gibbs(network, {}, n_chains=1000, size=90, burn_in=10, rng=0)
    # 0.03 s on a machine of 2025; pyAgrum needs 16 s there.
    assert time.process_time() - start < 2


# -- what a run gives --------------------------------------------------


def test_a_run_is_a_mapping_of_tables():
    run = gibbs(rain(), {"street": "wet"}, size=100, n_chains=3, rng=0)
    assert isinstance(run, GibbsRun)
    assert set(run) == {"rain", "street", "mood"}
    assert set(run.draws) == {"rain", "mood"}
    assert run["rain"].title == "P(rain | street=wet)"
    assert run["rain"].values.sum() == pytest.approx(1)
    assert set(run.order) == {"rain", "mood"}
    assert (run.n_chains, run.size) == (3, 100)
    assert (run.burn_in, run.thin) == (500, 1)
    assert "3 chains of 100 draws" in repr(run)
    assert "3 chains of 100 draws" in run._repr_html_()
    frame = run.to_frame()
    assert list(frame) == [
        "node",
        "state",
        "probability",
        "standard_error",
        "r_hat",
        "effective_sample_size",
    ]
    assert len(frame) == 7
    with pytest.raises(ProbabilityError, match="'street' is observed"):
        run.codes("street")
    assert run.standard_error("street").tolist() == [0, 0]
    assert run["street"].P(street="wet") == 1
    for ask in (run.codes, run.standard_error, run.array):
        with pytest.raises(ProbabilityError, match="Did you mean 'rain'"):
            ask("rains")
    with pytest.raises(ProbabilityError, match="'maybe' is not a state"):
        run.running("rain", "maybe")


def test_draws_and_codes_are_the_same():
    run = gibbs(rain(), {}, size=50, n_chains=3, rng=0)
    draws = run.draws
    assert draws.index.names == ["chain", "draw"]
    assert len(draws) == 150
    assert list(draws) == ["rain", "street", "mood"]
    assert run.codes("mood").shape == (3, 50)
    for chain in range(3):
        codes = draws.loc[chain, "mood"].cat.codes
        assert (codes.to_numpy() == run.codes("mood")[chain]).all()
    share = (draws["mood"] == 2).mean()
    assert run.array("mood")[1] == pytest.approx(share)
    running = run.running("mood", 2)
    assert running.shape == (3, 50)
    assert running[:, -1].mean() == pytest.approx(share)
    assert set(np.unique(running[:, 0])) <= {0, 1}


def test_diagnostics_are_those_of_the_indicators():
    run = gibbs(rain(), {}, size=200, n_chains=4, rng=0)
    is_state = [run.codes("mood") == k for k in range(3)]
    r_hats = [split_r_hat(x, method="split") for x in is_state]
    sizes = [effective_sample_size(x) for x in is_state]
    assert run.r_hat["mood"] == pytest.approx(max(r_hats))
    assert run.effective_sample_size["mood"] == pytest.approx(min(sizes))
    p = run.array("mood")
    assert run.standard_error("mood") == pytest.approx(
        np.sqrt(p * (1 - p) / sizes)
    )
    rows = run.to_frame().query("node == 'rain'")
    assert rows["r_hat"].nunique() == 1


def test_states_that_never_vary_have_no_diagnostics():
    network = BayesianNetwork.from_cpts(
        {"X": (0, 1), "Y": ("only",), "Z": (0, 1)},
        {"X": [1, 0], "Y": [1], ("Z", "X"): [[0.5, 0.5], [0, 1]]},
    )
    run = gibbs(network, {}, 1000, rng=0)
    assert run.order == ("Z",)
    assert run.array("X").tolist() == [1, 0]
    assert run.array("Y").tolist() == [1]
    assert run.r_hat[["X", "Y"]].isna().all()
    assert np.isnan(run.standard_error("X")).all()
    assert run.r_hat["Z"] < 1.05
    assert (run.codes("X") == 0).all()
    assert set(run.draws["Y"]) == {"only"}


@pytest.mark.parametrize("size", [1, 2, 3])
def test_few_draws_have_no_diagnostics(size):
    run = gibbs(rain(), {}, size=size, rng=0)
    assert run.r_hat.isna().all()
    assert run.to_frame()["standard_error"].isna().all()
    assert "R-hat" not in repr(run)


def test_burn_in_and_thinning_pick_from_the_same_chain():
    options = {"n_chains": 3, "rng": 5}
    whole = gibbs(rain(), {}, 60, burn_in=0, **options)
    later = gibbs(rain(), {}, 40, burn_in=20, **options)
    thinned = gibbs(rain(), {}, 13, burn_in=21, thin=3, **options)
    for node in whole:
        codes = whole.codes(node)
        assert (later.codes(node) == codes[:, 20:]).all()
        # The last of every three sweeps.
        assert (thinned.codes(node) == codes[:, 23:60:3]).all()


def test_seeds_and_generators():
    one = gibbs(rain(), {}, 1000, rng=1)
    two = gibbs(rain(), {}, 1000, rng=np.random.default_rng(1))
    three = gibbs(rain(), {}, 1000, rng=2)
    assert one.draws.equals(two.draws)
    assert not one.draws.equals(three.draws)


def test_more_chains_than_go_on_at_once(monkeypatch):
    monkeypatch.setattr(module, "CHAINS", 70)
    run = gibbs(rain(), {}, n_chains=200, size=100, rng=0)
    distributions, _ = exact_posteriors(rain(), {})
    assert run.codes("rain").shape == (200, 100)
    for node in run.draws:
        gap = np.abs(run.array(node) - distributions[node])
        assert (gap < 5 * run.standard_error(node)).all()


def test_it_does_not_claim_to_know_the_probability_of_the_evidence():
    run = gibbs(rain(), {"mood": 1}, size=4, rng=0)
    for name in ("log_evidence", "evidence_probability"):
        with pytest.raises(ProbabilityError, match="likelihood_weighting"):
            getattr(run, name)
        assert not hasattr(run, name)


def test_progress_is_shown_only_if_asked_for(capsys):
    gibbs(rain(), {}, size=10, burn_in=5, n_chains=2, rng=0)
    silent = capsys.readouterr()
    assert silent.out == silent.err == ""
    gibbs(rain(), {}, size=10, burn_in=5, n_chains=2, rng=0, progress=True)
    shown = capsys.readouterr()
    assert "30/30" in shown.err
    assert shown.out == ""


# -- all kinds of networks ---------------------------------------------


def test_a_single_node():
    coin = BayesianNetwork([Table(["1/4", "3/4"], {"coin": "HT"})])
    run = gibbs(coin, {"coin": {"H": 3, "T": 1}}, size=5000, rng=0)
    assert run.array("coin") == pytest.approx([0.5, 0.5], abs=0.03)
    # Its draws are independent.
    assert run.effective_sample_size["coin"] > 15_000


def test_all_nodes_observed():
    run = gibbs(copy_network(), {"X": 1, "Y": 1}, 1000, rng=0)
    assert run.order == ()
    assert set(run.to_frame()["standard_error"]) == {0}
    assert run.draws.shape == (4000, 0)
    assert repr(run).startswith("Posteriors given X=1, Y=1")
    with pytest.raises(ZeroProbabilityError):
        gibbs(copy_network(), {"X": 1, "Y": 0}, 1000, rng=0)


def test_a_disconnected_network():
    one, two = rain(), asia()
    network = BayesianNetwork([*one.tables.values(), *two.tables.values()])
    evidence = {"mood": 1, "either": "yes"}
    run = gibbs(network, evidence, 1000, n_chains=200, rng=0)
    exact = JunctionTree(network).posteriors(evidence)
    for node in run.draws:
        gap = np.abs(run.array(node) - exact.array(node))
        assert (gap < 5 * run.standard_error(node)).all()


def test_states_and_names_of_all_kinds():
    network = BayesianNetwork.from_cpts(
        {"größe (m)": (1, 2.5, "viel"), "天气": (("晴", 1), ("雨", 2))},
        {
            "größe (m)": [0.2, 0.3, 0.5],
            ("天气", "größe (m)"): [[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]],
        },
    )
    distributions, _ = exact_posteriors(network, {"天气": ("雨", 2)})
    run = gibbs(network, {"天气": ("雨", 2)}, rng=0, size=5000)
    assert run.array("größe (m)") == pytest.approx(
        distributions["größe (m)"], abs=0.03
    )
    assert set(run.draws["größe (m)"]) == {1, 2.5, "viel"}
    assert run.running("größe (m)", 2.5).shape == (4, 5000)
    run = gibbs(
        network, {}, 1000, start={"天气": ("雨", 2), "größe (m)": 1}, rng=0
    )
    assert len(run.draws) == 4000


def test_more_states_than_a_byte_counts():
    n = 300
    network = BayesianNetwork(
        [
            Table(np.full(n, 1 / n), {"X": tuple(range(n))}),
            Table(
                np.column_stack([np.linspace(0, 1, n), np.linspace(1, 0, n)]),
                {"X": tuple(range(n)), "Y": (0, 1)},
                given="X",
            ),
        ]
    )
    run = gibbs(network, {"Y": 0}, n_chains=100, size=100, rng=0)
    mean = run.array("X") @ np.arange(n)
    assert mean == pytest.approx(2 / 3 * n, rel=0.02)
    assert run.codes("X").max() > 255


# -- what peers fail at ------------------------------------------------


def test_no_other_node_is_enumerated():
    # pgmpy multiplies all tables for each node: 2**200 numbers here.
    n = 200
    states = {f"X{i}": (0, 1) for i in range(n)}
    cpts = {"X0": [0.5, 0.5]}
    for i in range(1, n):
        cpts[f"X{i}", f"X{i - 1}"] = [[0.7, 0.3], [0.4, 0.6]]
    network = BayesianNetwork.from_cpts(states, cpts)
    evidence = {"X199": 1}
    exact = JunctionTree(network).posteriors(evidence)
    start = time.process_time()
    run = gibbs(network, evidence, 1000, n_chains=100, rng=0)
    assert time.process_time() - start < 10
    for node in ("X0", "X100", "X198"):
        gap = np.abs(run.array(node) - exact.array(node))
        assert (gap < 5 * run.standard_error(node)).all()


@pytest.mark.parametrize("n_seen", [0, 300, 1000])
def test_a_class_with_a_thousand_features(n_seen):
    """Its blanket has 2**1000 configurations, and products underflow."""
    n = 1000
    rng = np.random.default_rng(3)
    p = rng.uniform(0.4, 0.6, size=(n, 2))
    states = {"C": (0, 1), **{f"F{i}": (0, 1) for i in range(n)}}
    cpts = {"C": [0.5, 0.5]}
    for i in range(n):
        cpts[f"F{i}", "C"] = np.column_stack([1 - p[i], p[i]]).tolist()
    network = BayesianNetwork.from_cpts(states, cpts)
    seen = rng.integers(0, 2, size=n_seen).tolist()
    evidence = {f"F{i}": x for i, x in enumerate(seen)}
    run = gibbs(network, evidence, n_chains=500, size=50, burn_in=50, rng=0)
    distribution = np.log(0.5) + np.where(
        np.array(seen, bool)[:, None],
        np.log(p[:n_seen]),
        np.log1p(-p[:n_seen]),
    ).sum(axis=0)
    distribution = np.exp(distribution - np.logaddexp(*distribution))
    assert run.array("C") == pytest.approx(distribution, abs=0.08)


def test_impossible_evidence_is_no_nan():
    with pytest.raises(ZeroProbabilityError, match="X=0, Y=1"):
        gibbs(copy_network(), {"X": 0, "Y": 1}, 1000, rng=0)


def test_an_unseen_state_is_no_index_error():
    with pytest.raises(ProbabilityError, match="Did you mean 'wet'"):
        gibbs(rain(), {"street": "wett"}, 1000, rng=0)
