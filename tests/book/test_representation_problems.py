"""The solved problems of *Bayesian networks*, recomputed by brute force.

That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

from fractions import Fraction as F
from itertools import combinations, pairwise, permutations, product
from math import isclose, log2

import networkx as nx
import numpy as np
import pytest
from graph_truth import all_dags
from scipy.stats import entropy, norm

# --- Distributions as dictionaries from rows to probabilities -------------


def law_of(nodes, tables):
    """Multiply tables: for each node its parents, and P(1) of each row."""
    law = {}
    for states in product((0, 1), repeat=len(nodes)):
        row, p = dict(zip(nodes, states, strict=True)), F(1)
        for node, (parents, ones) in tables.items():
            one = ones[tuple(row[parent] for parent in parents)]
            p *= one if row[node] else 1 - one
        law[states] = p
    return law


def prob(law, nodes, given=None, **event):
    """Add the cells that agree, and divide by those that agree with given."""

    def total(known):
        return sum(
            p
            for states, p in law.items()
            if all(states[nodes.index(n)] == s for n, s in known.items())
        )

    given = given or {}
    return F(total({**given, **event})) / total(given)


def independent(law, nodes, x, y, given=()):
    """P(x, y, z) P(z) = P(x, z) P(y, z) in all cells."""
    for states in product((0, 1), repeat=2 + len(given)):
        known = dict(zip(given, states[2:], strict=True))
        z = prob(law, nodes, **known) if known else F(1)
        both = prob(law, nodes, **known, **{x: states[0], y: states[1]})
        left = prob(law, nodes, **known, **{x: states[0]})
        right = prob(law, nodes, **known, **{y: states[1]})
        if both * z != left * right:
            return False
    return True


def random_ones(graph, rng):
    """P(1) for each row of each node, fractions of 1000."""
    tables = {}
    for node in graph:
        parents = tuple(sorted(graph.pred[node]))
        rows = product((0, 1), repeat=len(parents))
        tables[node] = (
            parents,
            {row: F(int(rng.integers(1, 1000)), 1000) for row in rows},
        )
    return tables


# --- Rows that never occur ------------------------------------------------

COPY = {(0,): F(0), (1,): F(1)}
QUARTERS = {(0, 0): F(1, 4), (0, 1): F(1, 2), (1, 0): F(1, 2), (1, 1): F(3, 4)}


def with_rows(z_parents, z_ones):
    return law_of(
        "XYZ",
        {
            "X": ((), {(): F(1, 2)}),
            "Y": (("X",), COPY),
            "Z": (z_parents, z_ones),
        },
    )


def test_two_rows_never_occur_and_the_others_matter():
    law = with_rows(("X", "Y"), QUARTERS)
    needed = 0
    for row in QUARTERS:
        changed = with_rows(("X", "Y"), QUARTERS | {row: F(1, 3)})
        needed += changed != law
    assert needed == 2  # beside the three of X and Y
    assert 1 + 2 + needed == 5


def test_either_edge_can_go_but_not_both():
    law = with_rows(("X", "Y"), QUARTERS)
    ends = {(0,): F(1, 4), (1,): F(3, 4)}
    assert with_rows(("X",), ends) == law
    assert with_rows(("Y",), ends) == law
    assert independent(law, "XYZ", "X", "Z", "Y")
    assert independent(law, "XYZ", "Y", "Z", "X")
    assert not independent(law, "XYZ", "X", "Z")
    given = [prob(law, "XYZ", {"X": x}, Z=1) for x in (0, 1)]
    assert given == [F(1, 4), F(3, 4)]


# --- The neighbour's call first -------------------------------------------

CALL = nx.DiGraph([("B", "A"), ("E", "A"), ("A", "C")])


def smallest_parents(graph, order):
    """Try sets of earlier nodes, small ones first."""
    found = {}
    for i, node in enumerate(order):
        for size in range(i + 1):
            found_sets = [
                set(kept)
                for kept in combinations(order[:i], size)
                if not (rest := set(order[:i]) - set(kept))
                or nx.is_d_separator(graph, {node}, rest, set(kept))
            ]
            if found_sets:
                assert len(found_sets) == 1  # the proposition
                (found[node],) = found_sets
                break
    return found


def edges(found):
    return sum(map(len, found.values()))


def parameters(found):
    return sum(2 ** len(parents) for parents in found.values())


def test_the_networks_of_two_orders():
    first = smallest_parents(CALL, "CABE")
    assert first == {"C": set(), "A": {"C"}, "B": {"A"}, "E": {"A", "B"}}
    assert edges(first) == 4
    assert parameters(first) == 9
    second = smallest_parents(CALL, "CEBA")
    assert edges(second) == 6
    assert parameters(second) == 15
    assert parameters(second) == 2**4 - 1
    own = smallest_parents(CALL, "BEAC")
    assert edges(own) == 3
    assert parameters(own) == 8


def test_how_many_orders_do_as_well():
    few = [
        o for o in permutations("ABCE") if edges(smallest_parents(CALL, o)) < 4
    ]
    assert sorted(map("".join, few)) == ["BEAC", "EBAC"]
    assert len(list(permutations("ABCE"))) == 24


# --- The effect is absent -------------------------------------------------


def noisy(priors, strengths, leak):
    """Give the law of causes and effect; the last variable is the effect."""
    k = len(priors)
    nodes = "ABC"[:k] + "Y"
    tables = {
        node: ((), {(): p}) for node, p in zip(nodes, priors, strict=False)
    }
    ones = {}
    for row in product((0, 1), repeat=k):
        silent = 1 - leak
        for present, strength in zip(row, strengths, strict=True):
            silent *= 1 - strength if present else 1
        ones[row] = 1 - silent
    return nodes, law_of(nodes, {**tables, "Y": (tuple(nodes[:k]), ones)})


@pytest.mark.parametrize("seed", range(20))
def test_causes_stay_independent_if_the_effect_is_absent(seed):
    rng = np.random.default_rng(seed)
    priors, strengths = (
        [F(int(n), 20) for n in rng.integers(1, 20, 3)] for _ in range(2)
    )
    nodes, law = noisy(priors, strengths, F(int(rng.integers(0, 10)), 10))
    known = {"Y": 0}
    rows = list(product((0, 1), repeat=3))
    for row in rows:
        event = dict(zip("ABC", row, strict=True))
        parts = [prob(law, nodes, known, **{n: s}) for n, s in event.items()]
        assert prob(law, nodes, known, **event) == np.prod(parts)
    for node, p, strength in zip("ABC", priors, strengths, strict=True):
        formula = p * (1 - strength) / (1 - p * strength)
        assert prob(law, nodes, known, **{node: 1}) == formula


@pytest.mark.parametrize("seed", range(50))
def test_given_the_effect_each_cause_lowers_the_other(seed):
    rng = np.random.default_rng(seed)
    p, q, a, b, leak = (F(int(n), 20) for n in rng.integers(1, 20, 5))
    if seed % 3 == 0:
        leak = F(0)
    nodes, law = noisy([p, q], [a, b], leak)
    told = [prob(law, nodes, {"Y": 1, "B": state}, A=1) for state in (0, 1)]
    assert told[1] <= told[0]
    assert (told[0] == 1) == (leak == 0)


def test_the_numbers_of_the_two_causes():
    nodes, law = noisy([F(1, 10), F(1, 5)], [F(4, 5), F(1, 2)], F(0))
    assert prob(law, nodes, Y=0) == F(207, 250)
    assert prob(law, nodes, A=1, Y=0) == F(9, 500)
    assert prob(law, nodes, {"Y": 0}, A=1) == F(1, 46)
    assert prob(law, nodes, {"Y": 1}, A=1) == F(41, 86)
    assert prob(law, nodes, {"Y": 1, "B": 1}, A=1) == F(1, 6)
    assert prob(law, nodes, {"Y": 1, "B": 0}, A=1) == 1


# --- Equivalent networks have equally many parameters ---------------------


def size(graph, states):
    total = 0
    for node in graph:
        rows = 1
        for parent in graph.pred[node]:
            rows *= states[parent]
        total += rows * (states[node] - 1)
    return total


def promises(graph):
    return frozenset(
        (x, y, z)
        for x, y in combinations(sorted(graph), 2)
        for k in range(len(graph) - 1)
        for z in combinations(sorted(set(graph) - {x, y}), k)
        if nx.is_d_separator(graph, {x}, {y}, set(z))
    )


def test_covered_edges_can_be_reversed_and_nothing_is_lost():
    states = dict(zip("ABCD", (2, 3, 4, 5), strict=True))
    turned_ones = 0
    for graph in all_dags("ABCD"):
        for x, y in list(graph.edges):
            turned = graph.copy()
            turned.remove_edge(x, y)
            turned.add_edge(y, x)
            covered = set(graph.pred[y]) - {x} == set(graph.pred[x])
            same = nx.is_directed_acyclic_graph(turned) and (
                promises(turned) == promises(graph)
            )
            assert covered == same
            if covered:
                assert size(turned, states) == size(graph, states)
                turned_ones += 1
    assert turned_ones > 100


def test_equivalent_graphs_have_as_many_parameters():
    states = dict(zip("ABCD", (2, 3, 4, 5), strict=True))
    sizes = {}
    for graph in all_dags("ABCD"):
        sizes.setdefault(promises(graph), set()).add(size(graph, states))
    assert len(sizes) == 185
    assert {len(found) for found in sizes.values()} == {1}


def test_the_numbers_of_the_covered_edge():
    states = {"P": 3, "X": 2, "Y": 5}
    before = nx.DiGraph([("P", "X"), ("P", "Y"), ("X", "Y")])
    after = nx.DiGraph([("P", "X"), ("P", "Y"), ("Y", "X")])
    sizes = [size(g, states) - (3 - 1) for g in (before, after)]
    assert sizes == [27, 27]
    assert sizes[0] == 27
    assert sizes[1] == 27


# --- The entropy of a network ---------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_the_entropy_is_the_sum_of_the_nodes(seed):
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph([("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")])
    tables = random_ones(graph, rng)
    law = law_of("ABCD", tables)
    total = 0
    for parents, ones in tables.values():
        for row, one in ones.items():
            known = dict(zip(parents, row, strict=True))
            weight = prob(law, "ABCD", **known) if known else 1
            total += float(weight) * entropy([float(one), 1 - float(one)])
    assert isclose(total, entropy([float(p) for p in law.values()]))


def test_the_chain_of_bits():
    bit = entropy([0.75, 0.25], base=2)
    assert f"{bit:.4f}" == "0.8113"
    bits = 1 + 36 * bit
    assert f"{bits:.2f}" == "30.21"
    assert round(2**37 / 1e9) == 137
    assert round(2**bits / 1e9, 1) == 1.2
    assert 90 < 2 ** (37 - bits) < 130  # one in a hundred
    # The formula, where the joint law can still be written down.
    law = {}
    for row in product((0, 1), repeat=6):
        kept = sum(a == b for a, b in pairwise(row))
        law[row] = 0.5 * 0.75**kept * 0.25 ** (5 - kept)
    assert isclose(entropy([*law.values()], base=2), 1 + 5 * bit)
    assert isclose(sum(law.values()), 1)
    assert log2(2**37) == 37


@pytest.mark.parametrize("seed", range(10))
def test_the_nearest_tables_are_the_conditional_laws(seed):
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph([("A", "B"), ("B", "C")])
    weights = rng.integers(1, 100, 8)
    rows = list(product((0, 1), repeat=3))
    q = {
        row: F(int(w), int(weights.sum()))
        for row, w in zip(rows, weights, strict=True)
    }
    own = {
        node: (
            parents := tuple(graph.pred[node]),
            {
                row: prob(
                    q, "ABC", dict(zip(parents, row, strict=True)), **{node: 1}
                )
                for row in product((0, 1), repeat=len(parents))
            },
        )
        for node in graph
    }

    def distance(tables):
        p = law_of("ABC", tables)
        return entropy(
            [float(q[row]) for row in rows], [float(p[row]) for row in rows]
        )

    best = distance(own)
    for _ in range(100):
        assert best <= distance(random_ones(graph, rng))
    local = independent(q, "ABC", "C", "A", "B")
    assert (best < 1e-12) == local


# --- Summing out a node ---------------------------------------------------


def test_children_of_a_hidden_root_are_all_joined():
    rng = np.random.default_rng(5)
    graph = nx.DiGraph([("H", child) for child in "ABCD"])
    law = law_of("HABCD", random_ones(nx.DiGraph(graph), rng))
    for x, y in combinations("ABCD", 2):
        others = [n for n in "ABCD" if n not in (x, y)]
        for k in range(3):
            for known in combinations(others, k):
                assert not nx.is_d_separator(graph, {x}, {y}, set(known))
                assert not independent(law, "HABCD", x, y, known)


def test_when_forgetting_makes_the_model_larger():
    with_root = {k: 1 + 2 * k for k in range(1, 20)}
    without = {k: 2**k - 1 for k in range(1, 20)}
    assert with_root[3] == without[3] == 7
    assert without[4] == 15
    assert with_root[4] == 9
    assert without[10] == 1023
    assert with_root[10] == 21
    larger = [k for k in with_root if without[k] > with_root[k]]
    assert min(larger) == 4
    assert larger == list(range(4, 20))


def test_a_leaf_can_be_left_out():
    rng = np.random.default_rng(6)
    tables = random_ones(CALL, rng)
    order = "BEAC"
    law = law_of(order, tables)
    del tables["C"]
    rest = law_of("BEA", tables)
    for row, p in rest.items():
        assert p == law[*row, 0] + law[*row, 1]


# --- Two Gaussian nodes ---------------------------------------------------


def test_the_two_gaussian_nodes():
    # On a grid of x: prior times likelihood, for several readings.
    x = np.linspace(-30, 170, 20001)
    for y in (30, 70, 95):
        weights = norm(70, 10).pdf(x) * norm(x, 5).pdf(y)
        weights /= weights.sum()
        mean = weights @ x
        assert isclose(mean, 14 + 4 / 5 * y)
        assert isclose(weights @ (x - mean) ** 2, 20)
    assert isclose(mean, 90)
    # Both factorisations are one density.
    for a, b in [(60, 70), (80, 95), (71, 50)]:
        forth = norm(70, 10).pdf(a) * norm(a, 5).pdf(b)
        back = norm(70, 125**0.5).pdf(b) * norm(14 + 0.8 * b, 20**0.5).pdf(a)
        assert isclose(forth, back)
