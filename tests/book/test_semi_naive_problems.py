"""The solved problems of *Semi-naive Bayes*, recomputed.

By models with their tables written out, by all spanning trees, by exact
fractions and by simulation. That the numbers stand in the solutions is proved
by the notebook's own checks, beside the text.
"""

from fractions import Fraction as F
from itertools import combinations, product
from math import log

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from solved_problems import problems_of

from bayesbook.data import pairwise_information
from bayesbook.naive_bayes import AODE, KDB, SPODE, TAN

exercise, _ = problems_of("naive_bayes/semi_naive")


def every_row(*states):
    return np.array(list(product(*map(range, states))))


# --- What a parent costs --------------------------------------------------


def free(parents):
    """Count the parameters of a model of ten bits and two classes."""
    rows = every_row(*[2] * 11)
    model = KDB(k=9, parents=parents).fit(rows[:, 1:], rows[:, 0])
    return model.n_parameters_


def test_what_a_parent_costs():
    tree = {j: [0] for j in range(1, 10)}
    two = {j: list(range(max(0, j - 2), j)) for j in range(10)}
    all_before = {j: list(range(j)) for j in range(10)}
    assert [free(parents) for parents in ({}, tree, two)] == [21, 39, 71]
    assert free(all_before) == 2**11 - 1


def test_what_ten_super_parents_cost():
    rows = every_row(*[2] * 11)
    X, y = rows[:, 1:], rows[:, 0]
    single = SPODE(parent=0).fit(X, y).n_parameters_
    assert AODE().fit(X, y).n_parameters_ == 10 * single
    assert single == 39
    assert 10 * single == 390
    pairs = len(list(combinations(range(10), 2)))
    assert pairs == 45
    assert 2 * pairs * 4 == 360


def test_how_many_rows_give_thirty_to_each_law():
    needed = [30 * len(every_row(2, *[2] * k)) for k in (0, 1, 2, 9)]
    assert ", ".join(map(str, needed)) == "60, 120, 240, 30720"


# --- A tree by hand -------------------------------------------------------


def told():
    """Read the informations from the exercise's table."""
    lines = exercise("exr-semi-naive-tree").splitlines()
    pairs, bits = (
        [cell.strip() for cell in line.strip("|").split("|")][1:]
        for line in lines
        if line.startswith(("| pair", "| bits"))
    )
    return {tuple(p): int(b) for p, b in zip(pairs, bits, strict=True)}


def ranked_trees():
    weights = told()
    assert len(weights) == 10
    trees = [
        edges
        for edges in combinations(weights, 4)
        if nx.is_tree(nx.Graph(edges)) and len(nx.Graph(edges)) == 5
    ]
    assert len(trees) == 5**3
    key = {edges: sum(weights[edge] for edge in edges) for edges in trees}
    return sorted(key.items(), key=lambda item: -item[1])


def test_the_best_tree_by_hand():
    (best, most), (second, next_most), *_ = ranked_trees()
    assert {"".join(e) for e in best} == {"ab", "bc", "bd", "ce"}
    assert most == 67
    assert set(second) ^ set(best) == {("a", "d"), ("b", "d")}
    nats = 200 * (most - next_most) / 100 * log(2)
    assert f"{nats:.2f}" == "4.16"
    directed = set(nx.bfs_edges(nx.Graph(best), "e"))
    assert directed == {("e", "c"), ("c", "b"), ("b", "a"), ("b", "d")}


def test_what_every_other_edge_loses():
    weights = told()
    (best, most), *others = ranked_trees()
    losses = {}
    for edges, total in others:
        for edge in set(edges) - set(best):
            losses[edge] = min(losses.get(edge, 99), most - total)
    named = {"".join(edge): loss for edge, loss in losses.items()}
    assert named == {"ad": 3, "cd": 6, "de": 6, "be": 8, "ae": 11, "ac": 13}
    assert len(named) == len(weights) - len(best)


def test_what_chance_gives_a_pair():
    bits = 2 / (2 * 200 * log(2))
    assert f"{bits:.4f}" == "0.0072"
    assert min(told().values()) / 100 > 4 * bits


def test_how_uncertain_an_information_is_where_there_is_dependence():
    agree, rows = 0.724, 200

    def bits(share):
        return 1 - stats.entropy([share, 1 - share], base=2)

    error = np.sqrt(agree * (1 - agree) / rows)
    assert f"{bits(agree):.2f}" == "0.15"
    assert f"{error:.3f}" == "0.032"
    low, high = bits(agree - error), bits(agree + error)
    assert f"{low:.2f}" == "0.11"
    assert f"{high:.2f}" == "0.20"

    def estimate(seed):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 2, rows)
        other = x ^ (rng.random(rows) > agree)
        y = np.arange(rows) % 2
        return pairwise_information(
            np.column_stack([x, other]), y, unit="bits"
        )[0, 1]

    spread = np.std([estimate(seed) for seed in range(200)])
    assert spread == pytest.approx((high - low) / 2, rel=0.15)


# --- Two denominators -----------------------------------------------------


def test_two_denominators():
    N, K, states = 12, 2, (2, 6)
    sums = [F(N + K * S, N + S) for S in states]
    assert sums[0] == F(8, 7)
    assert sums[1] == F(4, 3)
    assert sums[1] / sums[0] == F(7, 6)
    seen = {"A": (1, 0), "B": (0, 1)}
    right, wrong = {}, {}
    for c, (one, two) in seen.items():
        first = F(one + 1, N + K * states[0]) * F(1, one + states[1])
        second = F(two + 1, N + K * states[1]) * F(1, two + states[0])
        right[c] = first + second
        wrong[c] = sums[0] * first + sums[1] * second
    assert max(right, key=right.get) == "A"
    assert max(wrong, key=wrong.get) == "B"


# --- Why greed finds the best tree ----------------------------------------


def greedy(weights, grown_from=None):
    """Yield the edges of Kruskal, or of Prim if a root is given."""
    taken = nx.Graph()
    taken.add_nodes_from({i for edge in weights for i in edge})
    while not nx.is_connected(taken):
        parts = [{*part} for part in nx.connected_components(taken)]
        if grown_from is not None:
            parts = [part for part in parts if grown_from in part]
        leaving = [
            edge
            for edge in weights
            if any(len(part & {*edge}) == 1 for part in parts)
        ]
        edge = max(leaving, key=weights.get)
        taken.add_edge(*edge)
        yield edge, leaving


@given(st.lists(st.integers(1, 4), min_size=10, max_size=10))
def test_what_is_taken_belongs_to_a_maximum_spanning_tree(values):
    weights = dict(zip(combinations(range(5), 2), values, strict=True))
    trees = [
        {*edges}
        for edges in combinations(weights, 4)
        if nx.is_tree(nx.Graph(edges)) and len(nx.Graph(edges)) == 5
    ]
    most = max(sum(map(weights.get, tree)) for tree in trees)
    best = [tree for tree in trees if sum(map(weights.get, tree)) == most]
    for root in (None, 0, 3):
        taken = set()
        for edge, leaving in greedy(weights, root):
            for tree in best:
                if taken <= tree and edge not in tree:
                    # (a), and (b): f may be taken, and can be exchanged.
                    path = nx.shortest_path(nx.Graph([*tree]), *edge)
                    steps = map(tuple, map(sorted, nx.utils.pairwise(path)))
                    assert any(
                        f in leaving and tree - {f} | {edge} in best
                        for f in steps
                    )
            taken.add(edge)
            assert any(taken <= tree for tree in best)
        assert taken in best


# --- A vote that is counted twice -----------------------------------------


@given(
    st.lists(
        st.tuples(*[st.integers(0, 1)] * 4), min_size=12, max_size=40
    ).filter(lambda rows: len({row[0] for row in rows}) == 2)
)
def test_a_copy_is_joined_to_its_original_and_tells_nothing(rows):
    rows = np.array(rows)
    X, y = rows[:, 1:], rows[:, 0]
    X = np.vstack([X, X[:1] ^ 1])  # both states of every column
    y = np.append(y, y[0])
    copied = np.column_stack([X, X[:, 0]])
    weights = pairwise_information(copied, y, unit="bits")
    graph = nx.Graph()
    graph.add_weighted_edges_from(
        (i, j, weights[i, j]) for i, j in combinations(range(4), 2)
    )
    best = nx.maximum_spanning_tree(graph).size("weight")
    graph[0][3]["weight"] += 1e-6
    joined = nx.maximum_spanning_tree(graph)
    assert joined.has_edge(0, 3)
    assert joined.size("weight") - 1e-6 == pytest.approx(best, abs=1e-9)
    # With the copy as a leaf of its original:
    tree = TAN(estimate="mle").fit(X, y)
    parents = dict(enumerate(map(list, tree.parents_)))
    twice = KDB(k=1, parents=parents | {3: [0]}, estimate="mle")
    twice.fit(copied, y)
    assert np.allclose(twice.predict_proba(copied), tree.predict_proba(X))


def test_what_smoothing_leaves_of_the_copy():
    factors = [F(n + 1, n + 2) for n in (98, 8)]
    assert factors == [F(99, 100), F(9, 10)]
    assert factors[0] / factors[1] == F(11, 10)
    X = np.repeat([[0, 0], [1, 1]], [106, 60], axis=0)
    y = np.repeat([1, 0, 1, 0], [98, 8, 20, 40])
    single = KDB(k=0).fit(X[:, :1], y)
    double = KDB(parents={1: [0]}).fit(X, y)
    odds = [
        np.diff(model.predict_joint_log_proba(X[:1, : i + 1]))[0, 0]
        for i, model in enumerate((single, double))
    ]
    assert np.exp(odds[1] - odds[0]) == pytest.approx(11 / 10)


# --- Trees made of noise --------------------------------------------------


def noise(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 1000)
    states = [2, 2, 2, 10, 10]
    return rng.integers(0, states, (1000, 5)), y


def test_the_mean_information_of_noise():
    found = np.mean(
        [pairwise_information(*noise(s), unit="bits") for s in range(40)], 0
    )
    for i, j in [(0, 1), (0, 3), (3, 4)]:
        states = {0: 2, 1: 2, 3: 10, 4: 10}
        expected = 2 * (states[i] - 1) * (states[j] - 1) / (2000 * log(2))
        assert found[i, j] == pytest.approx(expected, rel=0.2)


def test_where_a_tree_of_noise_grows():
    for seed in range(20):
        tree = TAN(root=4).fit(*noise(seed))
        assert tree.parents_[3] == (4,)
        assert all(others[0] in (3, 4) for others in tree.parents_[:3])


def test_an_edge_of_noise_gains_half_a_nat_for_each_parameter():
    X, y = noise(0)
    plain, edge = (
        KDB(k=1, parents=p).fit(X, y).n_parameters_ for p in ({}, {4: [3]})
    )
    added = edge - plain
    assert added == 162
    gains = [
        1000 * log(2) * pairwise_information(*noise(seed), unit="bits")[3, 4]
        for seed in range(40)
    ]
    assert np.mean(gains) == pytest.approx(added / 2, rel=0.1)
    assert added // 2 == 81
