"""What the problems of *Inference* ask to prove, by going through all cases.

The numbers of the solutions are computed in the notebook, beside them.
"""

from itertools import combinations, pairwise, permutations, product

import networkx as nx
import numpy as np
import pytest

# --- The game on the graph ------------------------------------------------


def scopes(graph, order):
    """Yield the scopes of the products, from paths over earlier nodes."""
    for place, node in enumerate(order):
        inner = graph.subgraph([*order[:place], node])
        part = nx.node_connected_component(inner, node)
        near = {other for one in part for other in graph[one]}
        yield {node} | near - set(order[:place])


def widths(graph):
    return {
        max(map(len, scopes(graph, order))) - 1
        for order in permutations(graph)
    }


def moral(arrows):
    lines = nx.Graph()
    parents = {}
    for a, b in arrows:
        parents.setdefault(b, []).append(a)
    for child, above in parents.items():
        lines.add_edges_from(combinations([child, *above], 2))
    return lines


# --- A chain of a thousand ------------------------------------------------


def cells(order, n, k):
    """Cells of the products for a chain whose last node is observed."""
    path = nx.Graph(list(pairwise(range(1, n))))
    return [k ** len(scope) for scope in scopes(path, order)]


@pytest.mark.parametrize(("n", "k"), [(5, 2), (6, 3), (8, 2)])
def test_orders_of_a_chain(n, k):
    from_behind = cells(range(n - 1, 1, -1), n, k)
    assert set(from_behind) == {k**2}
    assert sum(from_behind) + k == (n - 2) * k**2 + k
    from_the_front = cells(range(2, n), n, k)
    assert set(from_the_front[:-1]) == {k**3}
    assert from_the_front[-1] == k**2


@pytest.mark.parametrize("k", [2, 3])
def test_no_order_of_the_chain_of_five_is_worse_than_three_axes(k):
    largest = {
        order: max(cells(order, 5, k)) for order in permutations([2, 3, 4])
    }
    assert largest.pop((4, 3, 2)) == k**2
    assert list(largest.values()) == [k**3] * 5


# --- Small widths ---------------------------------------------------------


def small_graphs(n):
    pairs = list(combinations(range(n), 2))
    for chosen in product([False, True], repeat=len(pairs)):
        graph = nx.empty_graph(n)
        graph.add_edges_from(
            e for e, on in zip(pairs, chosen, strict=True) if on
        )
        yield graph


def test_width_one_means_no_cycle():
    for n in (2, 3, 4):
        for graph in small_graphs(n):
            if graph.number_of_edges():
                assert (min(widths(graph)) == 1) == nx.is_forest(graph)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_every_order_of_a_cycle_has_width_two(n):
    assert widths(nx.cycle_graph(n)) == {2}


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 2), (3, 3), (4, 2)])
def test_diseases_and_symptoms(m, n):
    arrows = [(f"d{i}", f"s{j}") for i in range(m) for j in range(n)]
    graph = moral(arrows)
    assert min(widths(graph)) == m
    graph.remove_nodes_from([f"s{j}" for j in range(n)])
    assert min(widths(graph)) == m - 1


# --- An approximation finds solutions -------------------------------------


def models(clauses, n):
    return [
        values
        for values in product([False, True], repeat=n)
        if all(any(values[abs(i) - 1] == (i > 0) for i in c) for c in clauses)
    ]


def found_by(answer, left, n):
    """Fix the variables one after the other by answers to queries."""
    for i in range(n):
        share = sum(v[i] for v in left) / len(left) if left else 0
        value = answer(share) >= 1 / 2
        left = [v for v in left if v[i] == value]
    return left


def test_any_error_below_a_half_finds_a_solution():
    rng = np.random.default_rng(1)
    for _ in range(200):
        chosen = [rng.permutation(5)[:3] + 1 for _ in range(12)]
        clauses = [
            tuple(int(i) for i in c * rng.choice([-1, 1], 3)) for c in chosen
        ]
        satisfying = models(clauses, 5)
        if satisfying:
            left = found_by(
                lambda p: p + rng.uniform(-0.499, 0.499), satisfying, 5
            )
            assert len(left) == 1


# --- What a weighted row is worth -----------------------------------------


def share(p, a, b, k):
    mean = p * a**k + (1 - p) * b**k
    return mean**2 / (p * a ** (2 * k) + (1 - p) * b ** (2 * k))


def test_the_effective_share_by_drawing():
    rng = np.random.default_rng(2)
    ill = rng.random(400_000) < 0.2
    weights = np.where(ill, 0.9, 0.1) ** 2
    seen = weights.sum() ** 2 / (weights**2).sum() / len(weights)
    assert seen == pytest.approx(share(0.2, 0.9, 0.1, 2), rel=0.01)


# --- Two bits that nearly agree -------------------------------------------


def sweep(eps):
    """The matrix of X in one sweep and in the next."""
    draw = np.array([[1 - eps, eps], [eps, 1 - eps]])
    return draw @ draw


@pytest.mark.parametrize("eps", [0.0, 0.001, 0.1, 0.3, 0.5])
def test_a_sweep_of_two_bits(eps):
    step = sweep(eps)
    assert step[0, 1] == pytest.approx(2 * eps * (1 - eps))
    # Two eigenvalues: one, and the correlation of neighbours.
    values = np.linalg.eigvalsh(step)
    assert values == pytest.approx([(1 - 2 * eps) ** 2, 1])
    bits = np.array([-1, 1])
    for h in (1, 2, 5):
        far = np.linalg.matrix_power(step, h)
        correlation = bits @ far @ bits / 2
        assert correlation == pytest.approx((1 - 2 * eps) ** (2 * h))


def test_the_variance_of_the_mean_of_a_long_chain():
    n, rate = 2000, 0.64
    lags = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    variance = (rate**lags).sum() / n**2
    assert variance * n == pytest.approx((1 + rate) / (1 - rate), rel=2e-3)
