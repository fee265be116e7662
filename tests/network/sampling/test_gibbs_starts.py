"""Where Gibbs chains begin, and what cannot be asked of them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from gibbs_networks import module, rain
from sampling_truth import asia

from bayesbook.base import (
    ConvergenceError,
    ProbabilityError,
    ReducibleChainWarning,
    TableTooLargeError,
)
from bayesbook.network import BayesianNetwork, gibbs
from bayesbook.probability import Table

# -- where chains begin ------------------------------------------------


def test_a_start_may_leave_nodes_out():
    run = gibbs(
        rain(), {}, start={"mood": 3}, size=1, burn_in=0, n_chains=500, rng=0
    )
    assert len(run.draws) == 500
    # Observed nodes may be named if they agree.
    gibbs(rain(), {"mood": 3}, 1000, start={"mood": 3}, rng=0)
    gibbs(rain(), {"mood": 3}, 1000, start={}, rng=0)


@pytest.mark.parametrize(
    ("start", "match"),
    [
        ({"snow": 1}, "'snow' is not a node"),
        ({"mood": 4}, "4 is not a state of 'mood'"),
        ({"mood": {1: 1, 2: 0, 3: 0}}, "give one state"),
        ({"street": "dry"}, "street=wet is observed"),
        (
            pd.DataFrame({"rain": ["no"], "mood": [1]}),
            "has 1 row for 2 chains",
        ),
        (pd.DataFrame({"rain": ["no", "no"]}), "lacks the column 'mood'"),
        (
            pd.DataFrame({"rain": ["no", None], "mood": [1, 2]}),
            "Row 1 of the start has no value",
        ),
        (
            pd.DataFrame({"rain": ["no"] * 2, "mood": [1, 9]}),
            "'mood' in row 1 is 9",
        ),
        (
            pd.DataFrame({"rain": ["no"] * 2, "mood": [1] * 2, "a": [1] * 2}),
            "'a' is not a node",
        ),
    ],
)
def test_bad_starts(start, match):
    with pytest.raises(ProbabilityError, match=match):
        gibbs(rain(), {"street": "wet"}, 1000, n_chains=2, start=start, rng=0)


def test_a_start_that_is_no_dictionary():
    with pytest.raises(TypeError, match="give a dictionary"):
        gibbs(rain(), {"street": "wet"}, 1000, start="rain", rng=0)


def test_impossible_starts():
    network = asia()
    with pytest.raises(ProbabilityError, match=r"tub=yes.*probability zero"):
        gibbs(network, {"either": "no"}, 1000, start={"tub": "yes"}, rng=0)
    row = dict.fromkeys(network.nodes, "yes") | {"either": "no"}
    rows = pd.DataFrame([dict.fromkeys(network.nodes, "yes"), row])
    with (
        pytest.warns(ReducibleChainWarning),
        pytest.raises(ProbabilityError, match=r"Row 1 .* probability zero"),
    ):
        gibbs(network, {}, 1000, n_chains=2, start=rows, rng=0)
    soft = {"tub": {"yes": 0, "no": 1}, "either": "yes"}
    with pytest.raises(ProbabilityError, match=r"Row 0 .* probability zero"):
        gibbs(network, soft, 1000, n_chains=2, start=rows, rng=0)


def test_starts_are_found_where_forward_draws_never_agree():
    # Ten bits are copied and seen: one draw in 1024 would agree, of forty
    # none; but each copy says what its bit is.
    n = 40
    states, cpts, evidence = {}, {}, {}
    for i in range(n):
        states |= {f"X{i}": (0, 1), f"Y{i}": (0, 1)}
        cpts[f"X{i}"] = [0.5, 0.5]
        cpts[f"Y{i}", f"X{i}"] = [[1, 0], [0, 1]]
        evidence[f"Y{i}"] = i % 2
    run = gibbs(BayesianNetwork.from_cpts(states, cpts), evidence, 1000, rng=0)
    assert [run.array(f"X{i}")[i % 2] for i in range(n)] == [1] * n


def parities(n, rng):
    """Return n bits and n parities of three of them each, and true states.

    Arc consistency says nothing about a bit, and a draw in 2**n agrees.
    """
    table = np.zeros((2, 2, 2, 2))
    for place in np.ndindex(2, 2, 2):
        table[(*place, sum(place) % 2)] = 1
    states = {f"X{i}": (0, 1) for i in range(n)}
    cpts = {node: [0.5, 0.5] for node in states}
    bits, checks = rng.integers(0, 2, size=n).tolist(), {}
    for i in range(n):
        chosen = rng.permutation(n)[:3].tolist()
        states[f"C{i}"] = (0, 1)
        cpts[f"C{i}", *(f"X{j}" for j in chosen)] = table.tolist()
        checks[f"C{i}"] = sum(bits[j] for j in chosen) % 2
    network = BayesianNetwork.from_cpts(states, cpts)
    return network, checks, {f"X{i}": bit for i, bit in enumerate(bits)}


def test_where_no_start_is_found_the_error_says_what_to_do(monkeypatch):
    network, evidence, truth = parities(30, np.random.default_rng(0))
    monkeypatch.setattr(module, "_MAX_TRIES", 20_000)
    warnings.simplefilter("ignore", ReducibleChainWarning)
    with pytest.raises(ConvergenceError, match="C0=") as caught:
        gibbs(network, evidence, 1000, rng=0)
    assert "`start`" in str(caught.value)
    assert "JunctionTree" in str(caught.value)
    run = gibbs(network, evidence, 1000, start=truth, rng=0)
    # From there no single change leads anywhere.
    for node in run.draws:
        assert run.array(node)[truth[node]] == 1


# -- bad input ---------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"size": 0}, "at least 1"),
        ({"size": -1}, "at least 1"),
        ({"size": 1.5}, "not a whole number"),
        ({"size": True}, "not a number"),
        ({"size": None}, "not a number"),
        ({"n_chains": 0}, "at least 1"),
        ({"n_chains": "four"}, "not a number"),
        ({"burn_in": -1}, "at least 0"),
        ({"burn_in": False}, "not a number"),
        ({"burn_in": 0.5}, "not a whole number"),
        ({"thin": 0}, "at least 1"),
        ({"progress": 1}, "neither True nor False"),
    ],
)
def test_bad_numbers(options, match):
    with pytest.raises(ProbabilityError, match=match):
        gibbs(rain(), {}, **({"size": 1000} | options), rng=0)


def test_randomness_is_explicit():
    with pytest.raises(TypeError, match="rng"):
        gibbs(rain(), {}, 1000)


@pytest.mark.parametrize("options", [{"size": 10**9}, {"n_chains": 10**9}])
def test_draws_that_do_not_fit_are_refused_at_once(options):
    with pytest.raises(TableTooLargeError, match=r"GiB.*thin"):
        gibbs(rain(), {}, **({"size": 1000} | options), rng=0)


def test_starts_that_do_not_fit_are_refused_at_once():
    """A draw is one byte, and a start many."""
    names = [f"N{i}" for i in range(4)]
    coins = {name: [0.5, 0.5] for name in names}
    network = BayesianNetwork.from_cpts(dict.fromkeys(names, "HT"), coins)
    evidence = dict.fromkeys(names[1:], "H")
    plan = {"size": 1, "n_chains": 10**9, "burn_in": 0}
    with pytest.raises(TableTooLargeError, match=r"draws of 1 node need.*GiB"):
        gibbs(network, evidence, rng=0, **plan)


@pytest.mark.heavy
def test_a_table_with_many_parents_is_refused_before_it_is_copied():
    n = 22
    states = {f"X{i}": (0, 1) for i in range(n)}
    tables = [Table([0.5, 0.5], {node: (0, 1)}) for node in states]
    distribution = np.full((2,) * (n + 1), 0.5)
    tables.append(
        Table(distribution, states | {"Y": (0, 1)}, given=list(states))
    )
    network = BayesianNetwork(tables)
    with pytest.raises(TableTooLargeError, match="likelihood_weighting"):
        gibbs(network, {}, 1000, rng=0)
    evidence = dict.fromkeys(list(states)[2:], 1)
    assert gibbs(network, evidence, 1000, rng=0).draws.shape[1] == 3
