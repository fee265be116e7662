"""Bayesian networks as they are defined, with loops and exact fractions.

What the tests of the library compare it with: the joint distribution is a
dictionary from every row of states to its probability, and everything asked is
a sum over it. Nothing here is fast, and nothing comes from the library.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import inf, lcm, log

import networkx as nx
import numpy as np
from hypothesis import strategies as st


@dataclass(frozen=True)
class Net:
    """A network of dictionaries.

    `distributions[node][states of the parents]` lists the probabilities of the
    states of a node.
    """

    states: dict
    parents: dict
    distributions: dict

    @property
    def nodes(self):
        return tuple(self.states)

    @cached_property
    def joint(self):
        """Return the probability of each row of states."""
        numbers, scale = self._joint
        return {row: Fraction(n, scale) for row, n in numbers.items()}

    @cached_property
    def _joint(self):
        """The product of the distributions, node after node."""
        found = dict.fromkeys(product(*self.states.values()), 1), 1
        for node, above in self.parents.items():
            factor = {
                (*given, state): p
                for given, row in self.distributions[node].items()
                for state, p in zip(self.states[node], row, strict=True)
            }
            found = self._times(found, (*above, node), factor)
        return found

    def _times(self, weights, names, factor):
        """Multiply a weight for each row by a factor of some of its states.

        The weights are whole numbers over a common denominator: with fractions
        products, and still more sums, would take ten times as long.
        """
        numbers, scale = weights
        places = [self.nodes.index(name) for name in names]
        factor = {states: Fraction(p) for states, p in factor.items()}
        common = lcm(*(p.denominator for p in factor.values()))
        whole = {states: int(p * common) for states, p in factor.items()}
        return {
            row: number * whole[tuple([row[place] for place in places])]
            for row, number in numbers.items()
        }, scale * common

    def _weights(self, evidence):
        """Multiply each row's probability by the likelihood of evidence."""
        key = repr(evidence)
        if key not in self._last:
            found = self._joint
            for node in evidence:
                likelihoods = {
                    (state,): likelihood(evidence, node, state)
                    for state in self.states[node]
                }
                found = self._times(found, (node,), likelihoods)
            self._last.clear()
            self._last[key] = found
        return self._last[key]

    @cached_property
    def _last(self):
        """The last weights, which are asked for again and again."""
        return {}

    def weight(self, row, evidence):
        """Return the probability of a row times its likelihood."""
        numbers, scale = self._weights(evidence)
        return Fraction(numbers[row], scale)

    def total(self, evidence):
        """Return the probability of evidence; what is expected, if soft."""
        numbers, scale = self._weights(evidence)
        return Fraction(sum(numbers.values()), scale)

    def distribution(self, names, evidence):
        """Return P(names | evidence) as an array of fractions."""
        names = (names,) if isinstance(names, str) else tuple(names)
        places = [self.nodes.index(name) for name in names]
        numbers, _ = self._weights(evidence)
        sums = dict.fromkeys(product(*(self.states[n] for n in names)), 0)
        for row, number in numbers.items():
            sums[tuple([row[place] for place in places])] += number
        total = sum(sums.values())
        array = np.array([Fraction(n, total) for n in sums.values()])
        return array.reshape([len(self.states[name]) for name in names])

    def distributions_of_all(self, evidence):
        """Return P(node | evidence) of each node."""
        return {node: self.distribution(node, evidence) for node in self.nodes}

    def best(self, evidence):
        """Return the largest P(row | evidence), and the rows that have it."""
        numbers, _ = self._weights(evidence)
        most = max(numbers.values())
        rows = [row for row, number in numbers.items() if number == most]
        return Fraction(most, sum(numbers.values())), rows

    def as_given(self, number=float):
        """Return the states and nested lists that the library reads."""
        cpts = {}
        for node, above in self.parents.items():
            shape = [len(self.states[name]) for name in (*above, node)]
            rows = product(*(self.states[name] for name in above))
            numbers = [
                p for row in rows for p in self.distributions[node][row]
            ]
            array = np.empty(len(numbers), dtype=object)
            array[:] = [number(p) for p in numbers]
            key = (node, *above) if above else node
            cpts[key] = array.reshape(shape).tolist()
        return self.states, cpts

    def edges(self):
        return [(a, node) for node, up in self.parents.items() for a in up]


def likelihood(evidence, node, state):
    """Return the weight of a state of an observed node."""
    known = evidence[node]
    if isinstance(known, dict):
        return Fraction(known[state])
    return Fraction(int(state == known))


def hard(evidence):
    return {n: s for n, s in evidence.items() if not isinstance(s, dict)}


def readable(evidence):
    """Write the fractions of soft evidence as floats."""
    return {
        node: {s: float(w) for s, w in known.items()}
        if isinstance(known, dict)
        else known
        for node, known in evidence.items()
    }


def exact_log(p):
    """Return the logarithm of a fraction of any size."""
    p = Fraction(p)
    return log(p.numerator) - log(p.denominator) if p else -inf


def floats(array):
    return np.asarray(array).astype(float)


# -- networks and evidence by chance ------------------------------------------


def from_rng(rng):
    """Return the function that picks a whole number between two others."""
    return lambda low, high: int(rng.integers(low, high + 1))


def from_hypothesis(draw):
    return lambda low, high: draw(st.integers(low, high))


def shuffled(pick, items):
    items = list(items)
    return [items.pop(pick(0, len(items) - 1)) for _ in range(len(items))]


def random_net(pick, n_nodes=6, n_states=3, n_parents=3, zeros=2):
    """Make a network of at most so many nodes, states and parents.

    Of ten numbers about `zeros` are 0. The order of the nodes has nothing to
    do with the arrows. With few parents the graph is often in pieces.
    """
    n = pick(1, n_nodes)
    names = [f"N{i}" for i in range(n)]
    states = {
        name: tuple(f"s{k}" for k in range(pick(1, n_states)))
        for name in names
    }
    parents, distributions = {}, {}
    order = shuffled(pick, names)
    for place, node in enumerate(order):
        most = min(place, n_parents)
        above = tuple(shuffled(pick, order[:place])[: pick(0, most)])
        parents[node] = above
        distributions[node] = {
            row: random_distribution(pick, len(states[node]), zeros)
            for row in product(*(states[name] for name in above))
        }
    return Net(
        {name: states[name] for name in names},
        {name: parents[name] for name in names},
        {name: distributions[name] for name in names},
    )


def random_distribution(pick, size, zeros):
    weights = [0 if pick(1, 10) <= zeros else pick(1, 9) for _ in range(size)]
    # Not all of them are zero.
    weights[pick(0, size - 1)] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


def with_uneven_distributions(pick, net):
    """Draw distributions whose numbers are from 1 down to 1e-300."""
    distributions = {
        node: {
            row: uneven_distribution(pick, len(distribution))
            for row, distribution in rows.items()
        }
        for node, rows in net.distributions.items()
    }
    return Net(net.states, net.parents, distributions)


def uneven_distribution(pick, size):
    distribution = [Fraction(1, 10 ** pick(0, 300)) for _ in range(size)]
    sure = pick(0, size - 1)
    distribution[sure] = Fraction(0)
    if sum(distribution) >= 1:
        distribution = [p / (sum(distribution) + 1) for p in distribution]
    distribution[sure] = 1 - sum(distribution)
    return tuple(distribution)


def random_evidence(pick, net, possible=True):
    """Observe some nodes, one way or the other.

    What is observed as `possible` agrees with a row that can occur.
    """
    rows = [row for row, p in net.joint.items() if p or not possible]
    row = rows[pick(0, len(rows) - 1)]
    evidence = {}
    for node, state in zip(net.nodes, row, strict=True):
        how = pick(0, 5)
        if how in (0, 1):
            evidence[node] = state
        elif how == 2:
            weights = {s: Fraction(pick(0, 8), 8) for s in net.states[node]}
            weights[state] += 1
            evidence[node] = weights
    return evidence


@st.composite
def nets(draw, **limits):
    return random_net(from_hypothesis(draw), **limits)


@st.composite
def nets_and_evidence(draw, possible=True, **limits):
    pick = from_hypothesis(draw)
    net = random_net(pick, **limits)
    return net, random_evidence(pick, net, possible)


def net_and_evidence(seed, **limits):
    pick = from_rng(np.random.default_rng(seed))
    net = random_net(pick, **limits)
    return net, random_evidence(pick, net)


def chain(length, distribution, first=None, prefix="C"):
    """Make a chain whose nodes have one distribution given the node before."""
    names = [f"{prefix}{i}" for i in range(length)]
    states = tuple(row for (row,) in distribution)
    start = first or distribution[states[0],]
    return Net(
        dict.fromkeys(names, states),
        {
            name: tuple(names[max(i - 1, 0) : i])
            for i, name in enumerate(names)
        },
        {
            name: distribution if i else {(): start}
            for i, name in enumerate(names)
        },
    )


def grid(side, pick=None):
    """Make a square in which each node hangs on those left and above."""
    names = {(i, j): f"G{i}.{j}" for i in range(side) for j in range(side)}
    pick = pick or from_rng(np.random.default_rng(side))
    states = dict.fromkeys(names.values(), ("0", "1"))
    parents, distributions = {}, {}
    for (i, j), name in names.items():
        near = [(i - 1, j), (i, j - 1)]
        parents[name] = tuple(names[at] for at in near if at in names)
        distributions[name] = {
            row: random_distribution(pick, 2, 0)
            for row in product("01", repeat=len(parents[name]))
        }
    return Net(states, parents, distributions)


#: Lauritzen and Spiegelhalter (1988), table 1.
ASIA = Net(
    dict.fromkeys(
        ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"],
        ("yes", "no"),
    ),
    {
        "asia": (),
        "tub": ("asia",),
        "smoke": (),
        "lung": ("smoke",),
        "bronc": ("smoke",),
        "either": ("lung", "tub"),
        "xray": ("either",),
        "dysp": ("bronc", "either"),
    },
    {
        node: {
            row: (Fraction(p), 1 - Fraction(p))
            for row, p in distribution.items()
        }
        for node, distribution in {
            "asia": {(): "0.01"},
            "tub": {("yes",): "0.05", ("no",): "0.01"},
            "smoke": {(): "0.5"},
            "lung": {("yes",): "0.1", ("no",): "0.01"},
            "bronc": {("yes",): "0.6", ("no",): "0.3"},
            "either": {
                ("yes", "yes"): 1,
                ("yes", "no"): 1,
                ("no", "yes"): 1,
                ("no", "no"): 0,
            },
            "xray": {("yes",): "0.98", ("no",): "0.05"},
            "dysp": {
                ("yes", "yes"): "0.9",
                ("yes", "no"): "0.8",
                ("no", "yes"): "0.7",
                ("no", "no"): "0.1",
            },
        }.items()
    },
)


def digraph(net):
    """Return the graph of a network, as networkx has it."""
    graph = nx.DiGraph()
    graph.add_nodes_from(net.nodes)
    graph.add_edges_from(net.edges())
    return graph
