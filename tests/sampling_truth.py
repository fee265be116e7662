"""What tests of sampling compare with: enumeration of small networks."""

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from bayesbook.network import BayesianNetwork
from bayesbook.probability import Table


def weights_given(network, evidence):
    """Return P(x, e) for every configuration x of all nodes, by definition."""
    shape = [len(network.states[node]) for node in network.nodes]
    joint = np.zeros(shape)
    for place in np.ndindex(*shape):
        at = dict(zip(network.nodes, place, strict=True))
        p = 1.0
        for table in network.tables.values():
            p *= float(table.values[tuple(at[n] for n in table.variables)])
        for node, known in evidence.items():
            state = network.states[node][at[node]]
            p *= known[state] if isinstance(known, dict) else known == state
        joint[place] = p
    return joint


def exact_posteriors(network, evidence):
    """Return the distribution of each node, and the evidence's probability."""
    joint = weights_given(network, evidence)
    total = joint.sum()
    distributions = {}
    for axis, node in enumerate(network.nodes):
        others = tuple(a for a in range(joint.ndim) if a != axis)
        distributions[node] = joint.sum(axis=others) / total
    return distributions, total


def connected(network, evidence):
    """Return whether single changes connect the support; None if empty."""
    support = {
        tuple(place)
        for place in np.argwhere(weights_given(network, evidence)).tolist()
    }
    graph = nx.Graph()
    graph.add_nodes_from(support)
    for place in support:
        for axis, node in enumerate(network.nodes):
            for code in range(len(network.states[node])):
                other = (*place[:axis], code, *place[axis + 1 :])
                if other in support:
                    graph.add_edge(place, other)
    return nx.is_connected(graph) if support else None


def sweep_matrix(network, evidence, order):
    """Return the possible configurations, their distribution, and a sweep.

    The sweep is a product of matrices, one for each node in the order: the
    distribution of the node given all others, from the joint distribution.
    """
    joint = weights_given(network, evidence)
    places = np.argwhere(joint)
    distribution = joint[tuple(places.T)]
    matrix = np.eye(len(distribution))
    for node in order:
        others = np.delete(places, network.nodes.index(node), axis=1)
        is_same = (others[:, None, :] == others[None, :, :]).all(axis=2)
        step = np.where(is_same, distribution[None, :], 0)
        matrix = matrix @ (step / step.sum(axis=1, keepdims=True))
    return places, distribution / distribution.sum(), matrix


def random_network(rng, n_nodes, *, n_states=3, n_parents=2, zeros=0.0):
    """Draw a network; `zeros` is the share of the zeros in its tables."""
    states = {
        f"X{i}": tuple(range(rng.integers(2, n_states + 1)))
        for i in range(n_nodes)
    }
    tables = []
    for i, node in enumerate(states):
        n = int(rng.integers(0, min(i, n_parents) + 1))
        parents = [f"X{j}" for j in sorted(rng.permutation(i)[:n])]
        rows = tuple(len(states[parent]) for parent in parents)
        distribution = rng.dirichlet(np.ones(len(states[node])), size=rows)
        distribution = np.where(
            rng.random(distribution.shape) < zeros, 0, distribution
        )
        # A row of zeros becomes certain.
        distribution[..., 0] += distribution.sum(axis=-1) == 0
        distribution /= distribution.sum(axis=-1, keepdims=True)
        axes = {name: states[name] for name in (*parents, node)}
        tables.append(Table(distribution, axes, given=parents))
    return BayesianNetwork(tables)


def random_evidence(rng, network, *, share=0.3, zeros=False):
    """Draw evidence, some of it soft."""
    evidence = {}
    for node, states in network.states.items():
        kind = rng.random()
        if kind < share / 2:
            evidence[node] = states[rng.integers(len(states))]
        elif kind < share:
            weights = rng.random(len(states)) + 0.1
            if zeros and rng.random() < 0.5:
                weights[rng.integers(len(states))] = 0
            evidence[node] = dict(zip(states, weights.tolist(), strict=True))
    return evidence


@st.composite
def networks_with_evidence(draw, *, most=6, zeros=False, **options):
    """Return small random networks and evidence."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_nodes = draw(st.integers(1, most))
    share = draw(st.sampled_from([0.0, 0.3, 0.6])) if zeros else 0.0
    network = random_network(rng, n_nodes, zeros=share, **options)
    return network, random_evidence(rng, network, zeros=zeros)


def copy_network(p=0.5):
    """Return X, and Y that is always equal to it."""
    return BayesianNetwork.from_cpts(
        {"X": (0, 1), "Y": (0, 1)},
        {"X": [1 - p, p], ("Y", "X"): [[1, 0], [0, 1]]},
    )


def asia():
    """Return the network of Lauritzen and Spiegelhalter (1988)."""
    yes_no = ("yes", "no")
    states = dict.fromkeys(
        ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"],
        yes_no,
    )
    return BayesianNetwork.from_cpts(
        states,
        {
            "asia": [0.01, 0.99],
            ("tub", "asia"): [[0.05, 0.95], [0.01, 0.99]],
            "smoke": [0.5, 0.5],
            ("lung", "smoke"): [[0.1, 0.9], [0.01, 0.99]],
            ("bronc", "smoke"): [[0.6, 0.4], [0.3, 0.7]],
            ("either", "lung", "tub"): [[[1, 0], [1, 0]], [[1, 0], [0, 1]]],
            ("xray", "either"): [[0.98, 0.02], [0.05, 0.95]],
            ("dysp", "bronc", "either"): [
                [[0.9, 0.1], [0.8, 0.2]],
                [[0.7, 0.3], [0.1, 0.9]],
            ],
        },
        name="asia",
    )
