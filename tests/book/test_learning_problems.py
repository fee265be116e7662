"""The solved problems of *Learning a network*, recomputed by brute force.

That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations, product
from math import comb, factorial, isclose, log, prod

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from graph_truth import all_dags
from scipy.special import gammaln
from scipy.stats import chi2

from bayesbook import network as bn
from bayesbook.graphs import markov_equivalent

STUDENTS = np.array([[30, 20], [20, 30]])


def log_likelihood(columns, parents):
    """Add over rows, from the definition: no entropies, no library."""
    names = list(columns)
    rows = list(zip(*columns.values(), strict=True))
    total = 0.0
    for node, above in parents.items():
        at = [names.index(n) for n in (*above, node)]
        family = Counter(tuple(row[i] for i in at) for row in rows)
        given = Counter(tuple(row[i] for i in at[:-1]) for row in rows)
        for cell, count in family.items():
            total += count * log(count / given[cell[:-1]])
    return total


def free(parents, states):
    return sum(
        (states[node] - 1) * prod(states[p] for p in above)
        for node, above in parents.items()
    )


def entries(parents, states):
    return sum(
        states[node] * prod(states[p] for p in above)
        for node, above in parents.items()
    )


def information(joint):
    joint = np.asarray(joint, float) / np.sum(joint)
    alone = joint.sum(1, keepdims=True) * joint.sum(0, keepdims=True)
    return float((joint * np.log(joint / alone)).sum())


def parents_of(graph):
    return {node: tuple(sorted(graph.pred[node])) for node in graph}


# --- Bits, nats and bytes -------------------------------------------------


def test_the_prices_in_nats():
    assert f"{log(2):.3f}" == "0.693"
    assert f"{8 * log(2):.3f}" == "5.545"


def test_which_price_the_students_can_pay():
    gain = 100 * information(STUDENTS)
    assert f"{gain:.2f}" == "2.01"
    assert log(2) < 1 < gain < 8 * log(2)


def test_how_often_each_price_is_paid_for_nothing():
    bit, nat, byte = (chi2(1).sf(2 * f) for f in (log(2), 1, 8 * log(2)))
    assert (round(bit, 3), round(nat, 3)) == (0.239, 0.157)
    assert round(byte, 4) == 0.0009
    assert f"{2 * log(2):.3f}" == "1.386"
    assert f"{16 * log(2):.2f}" == "11.09"


@pytest.mark.parametrize("n", [50, 119, 120, 1000])
def test_bic_chooses_the_same_in_bits(n):
    gain, price = n * information(STUDENTS), log(n) / 2
    assert (gain > price) == (gain / log(2) > np.log2(n) / 2)


# --- Every entry is paid for ----------------------------------------------

THERE, BACK = {"X": (), "Y": ("X",)}, {"X": ("Y",), "Y": ()}


def test_entries_tell_equivalent_graphs_apart():
    states = {"X": 2, "Y": 3}
    assert free(THERE, states) == free(BACK, states) == 5
    assert entries(THERE, states) == 8
    assert entries(BACK, states) == 9
    assert f"{log(1000) / 2:.2f}" == "3.45"
    rng = np.random.default_rng(1)
    columns = {"X": rng.integers(0, 2, 1000), "Y": rng.integers(0, 3, 1000)}
    assert isclose(
        log_likelihood(columns, THERE), log_likelihood(columns, BACK)
    )


def test_the_arrow_starts_at_the_node_with_fewer_states():
    sizes = range(2, 6)
    for x, y, q in product(sizes, sizes, sizes):
        states = {"P": q, "X": x, "Y": y}
        there = {"P": (), "X": ("P",), "Y": ("P", "X")}
        back = {"P": (), "Y": ("P",), "X": ("P", "Y")}
        assert free(there, states) == free(back, states)
        first, second = entries(there, states), entries(back, states)
        assert first - q == q * x + q * x * y
        assert (first < second) == (x < y)
        assert (first == second) == (x == y)


@pytest.mark.parametrize("r", [2, 3, 5])
def test_with_equal_numbers_of_states_arrows_are_too_dear(r):
    states = dict.fromkeys("PXY", r)
    empty = dict.fromkeys(states, ())
    one, two = empty | {"Y": ("X",)}, empty | {"Y": ("X", "P")}
    for more, less in [(one, empty), (two, one)]:
        paid = entries(more, states) - entries(less, states)
        due = free(more, states) - free(less, states)
        assert paid * (r - 1) == due * r


# --- How many patients for Asia? ------------------------------------------


def from_which_on(enough):
    """Give the least number from which on all are enough, up to a million."""
    n = np.arange(2, 1_000_001)
    return int(n[np.flatnonzero(~enough(n))[-1] + 1])


def test_the_arrow_from_asia():
    joint = [[0.01 * 0.05, 0.01 * 0.95], [0.99 * 0.01, 0.99 * 0.99]]
    told = information(joint)
    assert f"{told:.6f}" == "0.000405"
    assert f"{np.sum(joint, axis=0)[0]:.4f}" == "0.0104"
    bic = from_which_on(lambda n: told * n > np.log(n) / 2)
    aic = from_which_on(lambda n: told * n > 1)
    assert bic == 11_551
    assert aic == 2470
    assert bic > 10_000  # a matter of luck
    asia = bn.load_network("asia").to_table().marginal("asia", "tub")
    assert isclose(information(asia.values.astype(float)), told)


def test_the_arrow_from_smoke():
    told = information([[0.05, 0.45], [0.005, 0.495]])
    assert f"{told:.4f}" == "0.0224"
    assert from_which_on(lambda n: told * n > np.log(n) / 2) == 104


# --- Why K2 points somewhere ----------------------------------------------


def k2(table):
    """Evidence of rows (x, y) along X → Y, by factorials."""
    n = int(np.sum(table))
    rows = [int(sum(row)) for row in table]
    p = F(prod(map(factorial, rows)), factorial(n + 1))
    for row, total in zip(table, rows, strict=True):
        p *= F(prod(factorial(int(c)) for c in row), factorial(total + 1))
    return p


@pytest.mark.parametrize("seed", range(20))
def test_the_factor_needs_only_single_columns(seed):
    table = np.random.default_rng(seed).integers(0, 9, (2, 2))
    (a, rest), (c, other) = table.sum(1), table.sum(0)
    factor = F(int((c + 1) * (other + 1)), int((a + 1) * (rest + 1)))
    assert k2(table) / k2(table.T) == factor


def test_the_numbers_of_k2():
    four = np.array([[2, 1], [0, 1]])
    assert k2(four) / k2(four.T) == F(9, 8)
    students = np.array([[50, 40], [0, 10]])
    factor = k2(students) / k2(students.T)
    assert f"{float(factor):.2f}" == "2.60"
    assert factor == F(2601, 1001)
    other = np.array([[47, 43], [3, 7]])
    assert k2(other) / k2(other.T) == factor


def test_uneven_columns_have_the_smaller_product():
    for n in (10, 11):
        products = [(a + 1) * (n - a + 1) for a in range(n + 1)]
        by_distance = sorted(range(n + 1), key=lambda a: abs(a - n / 2))
        found = [products[a] for a in by_distance]
        assert found == sorted(found, reverse=True)


# --- Parity ---------------------------------------------------------------


def parity(n):
    rows = np.repeat([(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)], n // 4, 0)
    return dict(zip("XYZ", rows.T.tolist(), strict=True))


TWO = dict.fromkeys("XYZ", 2)


def bic(columns, graph):
    parents = parents_of(graph)
    n = len(columns["X"])
    penalty = free(parents, TWO) * log(n) / 2
    return log_likelihood(columns, parents) - penalty


def test_the_gains_of_parity():
    columns = parity(100)
    empty = nx.empty_graph("XYZ", nx.DiGraph)
    for arrow in product("XYZ", repeat=2):
        if arrow[0] != arrow[1]:
            one = nx.DiGraph(empty)
            one.add_edge(*arrow)
            lost = bic(columns, one) - bic(columns, empty)
            assert isclose(lost, -log(100) / 2)
    assert f"{log(100) / 2:.2f}" == "2.30"
    both = nx.DiGraph([("X", "Z"), ("Y", "Z")])
    gain = log_likelihood(columns, parents_of(both)) - log_likelihood(
        columns, parents_of(empty)
    )
    assert isclose(gain, 100 * log(2))
    assert f"{gain:.2f}" == "69.31"
    assert f"{1.5 * log(100):.2f}" == "6.91"
    total = bic(columns, both) - bic(columns, empty)
    assert f"{total:.2f}" == "62.41"
    one = nx.DiGraph([("X", "Z")])
    one.add_node("Y")
    second = bic(columns, both) - bic(columns, one)
    assert f"{second:.2f}" == "64.71"
    assert isclose(second, gain - log(100))


def test_which_graphs_are_the_best_for_parity():
    columns = parity(100)
    scores = {g: bic(columns, g) for g in all_dags("XYZ")}
    top = max(scores.values())
    best = [g for g, score in scores.items() if score > top - 1e-9]
    assert sorted(sorted(g.edges) for g in best) == [
        [("X", "Y"), ("Z", "Y")],
        [("X", "Z"), ("Y", "Z")],
        [("Y", "X"), ("Z", "X")],
    ]
    for g, h in combinations(best, 2):
        assert not markov_equivalent(g, h)
    fits = {g: log_likelihood(columns, parents_of(g)) for g in scores}
    along = [g for g in scores if fits[g] > max(fits.values()) - 1e-9]
    sizes = Counter(free(parents_of(g), TWO) for g in along)
    assert sizes == {6: 3, 7: 6}


def test_greedy_searches_see_nothing_of_parity():
    rows = pd.DataFrame(parity(100))
    climbed = bn.hill_climb(rows, "bic", escape=False)
    assert climbed.graph.size() == 0
    classes = bn.equivalence_search(rows, "bic", look_ahead=False)
    assert classes.graph.size() == 0
    assert bn.exact_search(rows, "bic").graph.size() == 2
    for arrow in [("X", "Z"), ("X", "Y"), ("Z", "Y")]:
        start = nx.DiGraph([arrow])
        start.add_nodes_from("XYZ")
        found = bn.hill_climb(rows, "bic", start=start, escape=False)
        assert found.graph.size() == 2


# --- What the chapter proves, once more by other means --------------------


def test_the_telescoping_of_bdeu_by_gamma_functions():
    """Both directions, from the definition, for a pair with a parent."""
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 9, (3, 2, 4))  # parent, x, y
    s = 2.5

    def family(table):
        alpha = s / table.size
        rows = table.reshape(-1, table.shape[-1])
        inner = gammaln(alpha + rows) - gammaln(alpha)
        a = alpha * rows.shape[1]
        return inner.sum() + (gammaln(a) - gammaln(a + rows.sum(1))).sum()

    there = family(counts.sum(2)) + family(counts)
    back = family(counts.sum(1)) + family(counts.transpose(0, 2, 1))
    assert isclose(there, back)


def test_the_recursion_for_four_nodes():
    counts = [1]
    for n in range(1, 5):
        counts.append(
            sum(
                (-1) ** (k + 1) * comb(n, k) * 2 ** (k * (n - k)) * counts[-k]
                for k in range(1, n + 1)
            )
        )
    assert counts == [1, 1, 3, 25, 543]
    assert sum(1 for _ in all_dags("ABCD")) == 543


@pytest.mark.parametrize("n", [10, 100, 1000])
def test_the_mean_overfit_is_at_most_the_number_of_parameters(n):
    """0 ≤ E[LL(G) - log p(D)] ≤ |G|: two binary columns, complete graph."""
    rng = np.random.default_rng(n)
    law = np.array([[0.4, 0.1], [0.2, 0.3]])
    counts = rng.multinomial(n, law.ravel(), 4000)
    shares = np.where(counts, counts / n, 1)
    gained = (counts * np.log(shares / law.ravel())).sum(1)
    assert gained.min() >= -1e-9
    assert 0 < gained.mean() < 3
