"""Small and large cliques: every way to pass messages."""

from functools import partialmethod
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
from bayesbook.network.inference.compiled_tree import CompiledTree

ENGINE = "bayesbook.network.inference.compiled_tree"
TREE = "bayesbook.network.inference.triangulation"
#: Limits at which work is done in another way: forced either way. As they
#: are, the other tests of junction trees and batches have them.
PATHS = {
    "no matrices": {f"{ENGINE}._MATRIX": 0},
    "always scaled": {
        f"{ENGINE}.CompiledTree._collect": partialmethod(
            CompiledTree._collect, scaled=True
        )
    },
    "always with logarithms": {f"{ENGINE}._SAFE_SUM": 2.0},
    "nothing merged": {f"{TREE}._TINY": 0},
    "nothing merged, no matrices": {
        f"{TREE}._TINY": 0,
        f"{ENGINE}._MATRIX": 0,
    },
    "some merged, some matrices": {
        f"{TREE}._TINY": 8,
        f"{ENGINE}._MATRIX": 60,
    },
}


@pytest.mark.parametrize("limits", PATHS.values(), ids=PATHS)
def test_every_path_agrees_with_the_definition(limits, monkeypatch):
    """Small networks are sent where otherwise only large ones go."""
    for name, limit in limits.items():
        monkeypatch.setattr(name, limit)
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


@pytest.mark.parametrize("seed", [0, 3])
def test_large_cliques_agree_with_elimination(seed):
    """Cliques of many cells, whose distributions are summed one by one."""
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
            if node in evidence and not isinstance(evidence[node], dict):
                continue
            run = eliminate(network, node, evidence)
            assert_allclose(
                run.posterior.values, found.array(node), atol=1e-12
            )
        assert found.evidence_probability == pytest.approx(
            run.evidence_probability, rel=1e-9
        )
        names = ["N0", "N15", "N7"]
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
