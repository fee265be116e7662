"""Small, large and very large cliques: every way to pass messages."""

from math import prod

import network_truth as truth
import numpy as np
import pytest
from junction_tree_checks import (
    check_batch,
    check_most_probable,
    check_posteriors,
    evidence_of,
    made,
    random_rows,
    tree_of,
)
from numpy.testing import assert_allclose

from bayesbook.network import JunctionTree, eliminate

#: Limits at which a clique is treated in another way: forced either way. As
#: they are, the other tests of junction trees and batches have them.
PATHS = {
    "no tables": {"TABLE": 0},
    "no tables, no groups": {"TABLE": 0, "GROUP": 0},
    "no matrices": {"MATRIX": 0},
    "no matrices, no groups": {"MATRIX": 0, "GROUP": 0},
    "always scaled": {"SAFE_SUM": 2.0},
    "no tables, always scaled": {"TABLE": 0, "SAFE_SUM": 2.0},
    "small tables only": {"TABLE": 12, "MATRIX": 100, "GROUP": 6},
}


@pytest.mark.parametrize("limits", PATHS.values(), ids=PATHS)
def test_every_path_agrees_with_the_definition(limits, monkeypatch):
    """Small networks are sent where otherwise only large ones go."""
    for name, limit in limits.items():
        monkeypatch.setattr(
            f"bayesbook.network.inference._limits.{name}", limit
        )
    for seed in range(40):
        rng = np.random.default_rng([13, seed])
        pick = truth.from_rng(rng)
        net = truth.random_net(pick, n_nodes=7, zeros=seed % 4)
        tree = tree_of(net)
        for _ in range(2):
            evidence = truth.random_evidence(pick, net)
            check_posteriors(tree, net, evidence)
            check_most_probable(tree, net, evidence)
            free = [n for n in net.nodes if n not in truth.hard(evidence)]
            names = truth.shuffled(pick, free)[:3]
            if names:
                assert_allclose(
                    tree.joint(names, truth.readable(evidence)).values,
                    truth.floats(net.distribution(names, evidence)),
                    atol=1e-10,
                )
        check_batch(tree, net, random_rows(rng, net, 5, share=0.3))


#: Small networks with messages whose axes are in an order of their own: the
#: number of states and the parents of each node, evidence, limits.
IN_ANOTHER_ORDER = [
    (
        {
            "A": (1, ()),
            "B": (2, ()),
            "C": (3, ()),
            "D": (1, ("B", "A")),
            "E": (2, ("A", "C")),
            "F": (1, ("C", "B")),
            "G": (2, ("F",)),
        },
        {"D": 0, "E": 0},
        {"TABLE": 4, "GROUP": 6},
    ),
    (
        {
            "A": (3, ()),
            "B": (3, ()),
            "C": (3, ()),
            "D": (1, ("A", "C", "B")),
            "E": (1, ("B", "C")),
            "F": (2, ("D",)),
            "G": (3, ("A", "B", "F")),
            "H": (1, ("C", "F")),
        },
        {},
        {"TABLE": 0},
    ),
    (
        {
            "A": (2, ()),
            "B": (2, ()),
            "C": (1, ()),
            "D": (1, ("A",)),
            "E": (3, ("B", "A", "C")),
            "F": (1, ()),
            "G": (3, ("E", "A")),
            "H": (2, ("C", "F")),
            "I": (2, ("H", "E")),
        },
        {"D": 0, "F": 0},
        {"TABLE": 0, "GROUP": 6},
    ),
]


@pytest.mark.parametrize(("shape", "evidence", "limits"), IN_ANOTHER_ORDER)
@pytest.mark.parametrize("tiny", [0, 4])
def test_products_in_another_order_of_axes(
    shape, evidence, limits, tiny, monkeypatch
):
    """What a large clique sends to another is not put in order."""
    for name, limit in limits.items():
        monkeypatch.setattr(
            f"bayesbook.network.inference._limits.{name}", limit
        )
    monkeypatch.setattr(
        "bayesbook.network.inference.junction_tree._TINY", tiny
    )
    pick = truth.from_rng(np.random.default_rng(0))
    states = {node: tuple(range(size)) for node, (size, _) in shape.items()}
    net = truth.Net(
        states,
        {node: above for node, (_, above) in shape.items()},
        {
            node: {
                row: truth.random_distribution(pick, size, 0)
                for row in np.ndindex(*(len(states[a]) for a in above))
            }
            for node, (size, above) in shape.items()
        },
    )
    check_posteriors(tree_of(net), net, evidence)


@pytest.mark.parametrize("table", [0, 8])
def test_large_cliques_beside_each_other(table, monkeypatch):
    """Without merging, so that there are trees of many cliques."""
    monkeypatch.setattr("bayesbook.network.inference.junction_tree._TINY", 0)
    monkeypatch.setattr("bayesbook.network.inference._limits.TABLE", table)
    for seed in range(30):
        pick = truth.from_rng(np.random.default_rng([19, seed]))
        net = truth.random_net(
            pick, n_nodes=11, n_states=2, n_parents=4, zeros=seed % 3
        )
        evidence = truth.random_evidence(pick, net)
        check_posteriors(tree_of(net), net, evidence)


@pytest.mark.parametrize("seed", [0, 3])
def test_large_cliques_agree_with_elimination(seed):
    """Cliques of more cells than are ever put into one table."""
    net = dense_net(seed)
    network = made(net)
    tree = JunctionTree(network)
    sizes = {node: len(states) for node, states in net.states.items()}
    assert prod(sizes[n] for n in tree.largest_clique) > 20_000
    rng = np.random.default_rng(seed)
    row = network.sample(1, rng=rng).iloc[0]
    for evidence in (
        {},
        {"N3": row["N3"]},
        {"N3": row["N3"], "N14": {0: 2, 1: 0.5}, "N9": row["N9"]},
    ):
        found = tree.posteriors(evidence)
        for node in found:
            run = eliminate(network, node, evidence)
            assert_allclose(
                run.posterior.values, found.array(node), atol=1e-12
            )
        assert found.evidence_probability == pytest.approx(
            run.evidence_probability, rel=1e-9
        )
        names = [n for n in ("N0", "N15", "N7") if n in found]
        run = eliminate(network, names, evidence)
        assert_allclose(
            tree.joint(names, evidence).values,
            run.posterior.values,
            atol=1e-12,
        )
    rows = network.sample(6, rng=rng).astype(object)
    rows = rows.mask(rng.random(rows.shape) < 0.8)
    batch = tree.batch(rows)
    for i, row in enumerate(rows.to_dict("records")):
        one = tree.posteriors(evidence_of(row))
        assert batch.log_evidence[i] == pytest.approx(one.log_evidence)
        for node in one:
            assert_allclose(batch[node][i], one.array(node), atol=1e-12)


def dense_net(seed):
    """Make causes of three states, and effects that have five each."""
    rng = np.random.default_rng([5, seed])
    causes, effects = (
        [f"N{i}" for i in part] for part in (range(13), range(13, 23))
    )
    states = dict.fromkeys(causes, (0, 1, 2)) | dict.fromkeys(effects, (0, 1))
    parents = dict.fromkeys(causes, ())
    for effect in effects:
        parents[effect] = tuple(str(n) for n in rng.permutation(causes)[:5])
    distributions = {
        node: {
            row: tuple(rng.dirichlet(np.ones(len(states[node]))))
            for row in np.ndindex(*[3] * len(above))
        }
        for node, above in parents.items()
    }
    return truth.Net(states, parents, distributions)
