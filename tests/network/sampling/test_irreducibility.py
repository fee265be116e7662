"""Whether a Gibbs chain is reducible, against a search in the support."""

import numpy as np
import pytest
from hypothesis import given, settings
from sampling_truth import (
    asia,
    connected,
    copy_network,
    networks_with_evidence,
    random_network,
    weights_given,
)

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.network import BayesianNetwork, irreducible
from bayesbook.network.sampling import irreducibility as module


@settings(max_examples=400)
@given(networks_with_evidence(zeros=True))
def test_the_decision_is_that_of_a_search_in_the_support(problem):
    network, evidence = problem
    truth = connected(network, evidence)
    if truth is None:
        with pytest.raises(ZeroProbabilityError, match="probability zero"):
            irreducible(network, evidence)
        return
    found = irreducible(network, evidence)
    assert found.is_decided
    assert bool(found) is found.holds is truth
    assert bool(found.blocked) is not truth


@given(networks_with_evidence(zeros=True, n_parents=4))
def test_leaving_out_harmless_nodes_changes_nothing(problem):
    network, evidence = problem
    if connected(network, evidence) is None:
        return
    found = irreducible(network, evidence)
    with pytest.MonkeyPatch.context() as patch:
        # Too small for any node to be left out.
        patch.setattr(module, "_MAX_BUCKET", 0)
        assert irreducible(network, evidence).holds is found.holds


@given(networks_with_evidence(zeros=True))
def test_examples_are_possible_and_blocked_groups_are_told_apart(problem):
    network, evidence = problem
    if connected(network, evidence) is None:
        return
    joint = weights_given(network, evidence)
    for group in irreducible(network, evidence).blocked:
        for example in group.example:
            place = tuple(
                network.states[node].index(example[node])
                if node in example
                else slice(None)
                for node in network.nodes
            )
            assert joint[place].any()
        one, two = group.example
        assert sum(one[node] != two[node] for node in group.nodes) >= 2
        assert set(group.fixed) <= set(group.nodes)
        assert 2 <= group.n_parts <= group.n_configurations
        # With a fixed node observed the others are not blocked by it.
        for title in group.tables:
            assert any(t.title == title for t in network.tables.values())


# -- known examples -------------------------------------------------------


def test_a_copy_can_never_move():
    found = irreducible(copy_network())
    (group,) = found.blocked
    assert not found
    assert found.holds is False
    assert group.nodes == group.fixed == ("X", "Y")
    assert group.n_parts == group.n_configurations == 2
    assert group.example == ({"X": 0, "Y": 0}, {"X": 1, "Y": 1})
    assert group.tables == ("P(Y | X)",)
    text = " ".join(str(found).split())
    for words in (
        "From X=0, Y=0 to X=1, Y=1 at least X and Y would have to change",
        "X and Y never change",
        "zeros of P(Y | X)",
        "likelihood_weighting",
        "JunctionTree",
    ):
        assert words in text


def test_the_disease_of_asia():
    found = irreducible(asia())
    (group,) = found.blocked
    assert set(group.nodes) == {"tub", "lung", "either"}
    assert group.fixed == ("either",)
    assert (group.n_configurations, group.n_parts) == (4, 2)
    assert group.tables == ("P(either | lung, tub)",)


@pytest.mark.parametrize(
    ("evidence", "holds"),
    [
        ({"xray": "yes"}, False),
        ({"either": "yes"}, True),
        ({"either": "no"}, True),
        ({"tub": "yes"}, True),
        ({"lung": "no"}, False),
        ({"lung": "no", "tub": "no"}, True),
        ({"tub": {"yes": 0, "no": 1}}, False),
        ({"either": {"yes": 0, "no": 1}}, True),
        ({"either": {"yes": 0.1, "no": 1}}, False),
    ],
)
def test_evidence_connects_and_disconnects(evidence, holds):
    assert irreducible(asia(), evidence).holds is holds


def test_zeros_that_do_not_disconnect_are_no_alarm():
    # Each state of X leaves two of Y, and neighbours share one.
    network = BayesianNetwork.from_cpts(
        {"X": (0, 1, 2), "Y": (0, 1, 2)},
        {
            "X": [0.2, 0.3, 0.5],
            ("Y", "X"): [[0.5, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]],
        },
    )
    assert irreducible(network)
    assert "irreducible" in str(irreducible(network))
    # A zero in a root's table only takes a state away.
    assert irreducible(BayesianNetwork.from_cpts({"X": (0, 1)}, {"X": [1, 0]}))


def test_no_zeros_no_question():
    network = random_network(np.random.default_rng(0), 200)
    assert irreducible(network)


def test_a_node_that_is_certain_cannot_block():
    network = BayesianNetwork.from_cpts(
        {"X": (0, 1), "Y": (0, 1), "Z": (0, 1)},
        {
            "X": [1, 0],
            ("Y", "X"): [[1, 0], [0, 1]],
            ("Z", "Y"): [[0.5, 0.5], [0, 1]],
        },
    )
    assert irreducible(network)


def test_two_groups_are_named_one_by_one():
    x, y = copy_network().tables.values()
    u, v = x.rename({"X": "U"}), y.rename({"X": "U", "Y": "V"})
    network = BayesianNetwork([x, y, u, v])
    first, second = irreducible(network).blocked
    assert first.nodes == ("X", "Y")
    assert second.nodes == ("U", "V")


def test_of_many_groups_some_are_explained():
    x, y = copy_network().tables.values()
    tables = [
        table.rename({"X": f"X{i}", "Y": f"Y{i}"})
        if "Y" in table.variables
        else table.rename({"X": f"X{i}"})
        for i in range(50)
        for table in (x, y)
    ]
    found = irreducible(BayesianNetwork(tables))
    assert len(found.blocked) == 50
    assert "with 47 more groups" in str(found)
    assert max(map(len, str(found).splitlines())) <= 79


def chain_of_copies(n):
    states = {f"X{i}": (0, 1) for i in range(n)}
    cpts = {"X0": [0.5, 0.5]}
    for i in range(1, n):
        cpts[f"X{i}", f"X{i - 1}"] = [[1, 0], [0, 1]]
    return BayesianNetwork.from_cpts(states, cpts)


@pytest.mark.parametrize("bucket", [0, 2**14])
def test_more_nodes_than_an_integer_has_bits(bucket, monkeypatch):
    monkeypatch.setattr(module, "_MAX_BUCKET", bucket)
    (group,) = irreducible(chain_of_copies(90)).blocked
    assert len(group.nodes) == len(group.fixed) == 90
    assert group.n_parts == 2
    text = " ".join(str(group).split())
    assert "and 84 more" in text
    assert len(text) < 600


def test_what_cannot_be_listed_is_not_claimed():
    network = asia()
    found = irreducible(network, max_configurations=2)
    assert found.holds is None
    assert not found.is_decided
    assert not found
    assert found.undecided == (("tub", "lung", "either"),)
    assert "may be reducible" in str(found)
    assert "tub, lung and either" in str(found)


def inherited(n):
    """Return a line of ancestors, each with one parent's allele or the other.

    A genotype is a pair; Mendel's zeros link a whole pedigree.
    """
    genotypes = ("aa", "ab", "bb")
    share = {"aa": 0.0, "ab": 0.5, "bb": 1.0}
    child = [
        [
            [
                (1 - share[f]) * (1 - share[m]),
                share[f] * (1 - share[m]) + (1 - share[f]) * share[m],
                share[f] * share[m],
            ]
            for m in genotypes
        ]
        for f in genotypes
    ]
    names = [f"P{i}" for i in range(n)]
    cpts = {name: [0.25, 0.5, 0.25] for name in names[:2]}
    for i in range(2, n):
        cpts[names[i], names[i - 2], names[i - 1]] = child
    return BayesianNetwork.from_cpts(dict.fromkeys(names, genotypes), cpts)


def test_a_long_pedigree_takes_work_in_proportion(monkeypatch):
    """A few small products for each node, and no list of configurations."""
    blocks, configurations = module._blocks, module._configurations
    n_cells = n_listed = 0

    def counted_blocks(support):
        nonlocal n_cells
        n_cells += support.size
        return blocks(support)

    def counted_configurations(*given):
        nonlocal n_listed
        found = configurations(*given)
        n_listed += len(found)
        return found

    monkeypatch.setattr(module, "_blocks", counted_blocks)
    monkeypatch.setattr(module, "_configurations", counted_configurations)
    small = inherited(6)
    holds = irreducible(small).holds
    assert holds is connected(small, {})
    n_cells = n_listed = 0
    assert irreducible(inherited(300)).holds is holds
    # With both children a node has at most 3**3 cells around it.
    assert 0 < n_cells <= 2 * 27 * 300
    assert n_listed == 0


# -- bad input ------------------------------------------------------------


@pytest.mark.parametrize(
    ("evidence", "match"),
    [
        ({"Z": 1}, "'Z' is not a node"),
        ({"Y": "on"}, "'on' is not a state"),
    ],
)
def test_bad_evidence(evidence, match):
    with pytest.raises(ProbabilityError, match=match):
        irreducible(copy_network(), evidence)


def test_impossible_evidence():
    with pytest.raises(ZeroProbabilityError, match="X=0, Y=1"):
        irreducible(copy_network(), {"X": 0, "Y": 1})
