"""TAN, against all trees that there are."""

from itertools import combinations, product
from math import log

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import semi_naive_truth as truth
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import TAN, CategoricalNB

TREES = list(truth.spanning_trees(5))


def weight(edges, information):
    return sum(information[i, j] for i, j in edges)


@given(truth.small_data(), st.sampled_from(truth.ESTIMATES), st.data())
def test_equals_exact_fractions(data, how, draw):
    M = data.n_columns
    root = draw.draw(st.none() | st.integers(0, M - 1))
    model = TAN(root=root, min_categories=data.n_states, **how)
    model.fit(data.rows, data.y, data.weights)
    information = truth.information_matrix(data)
    assert_allclose(
        model.conditional_information_[~np.eye(M, dtype=bool)],
        information[~np.eye(M, dtype=bool)],
        rtol=0,
        atol=1e-10,
    )
    # A forest, rooted where it was asked for, that no other one exceeds.
    parents = model.parents_
    assert all(len(own) <= 1 for own in parents)
    assert parents[root or 0] == ()
    edges = truth.edges_of(parents)
    forest = nx.empty_graph(M)
    forest.add_edges_from(edges)
    assert nx.is_forest(forest)
    every = nx.Graph()
    every.add_nodes_from(range(M))
    every.add_weighted_edges_from(
        (i, j, information[i, j]) for i, j in combinations(range(M), 2)
    )
    most = nx.maximum_spanning_tree(every).size(weight="weight")
    assert weight(edges, information) == pytest.approx(most, abs=1e-9)
    rows = data.every_row()
    rows = rows[:: 1 + len(rows) // 40]
    wanted = [truth.joint(row, data, parents, **how) for row in rows]
    truth.assert_predicts(model, rows, wanted)


# -- the tree -----------------------------------------------------------------


def test_there_are_125_trees_of_five_nodes():
    assert len({tuple(map(tuple, edges)) for edges in TREES}) == 125
    assert all(nx.is_tree(nx.Graph(edges)) for edges in TREES)


@pytest.mark.parametrize("seed", range(6))
def test_no_tree_has_more_conditional_information(seed):
    X, y = truth.dependent_rows(60, seed, n_columns=5)
    data = truth.Data(X, y.tolist(), [3] * 5)
    information = truth.information_matrix(data)
    totals = [weight(edges, information) for edges in TREES]
    model = TAN().fit(X, y)
    own = truth.edges_of(model.parents_)
    assert own == TREES[np.argmax(totals)]
    assert weight(own, information) == pytest.approx(max(totals), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_no_tree_fits_the_training_rows_better(seed):
    # The theorem of Friedman, Geiger and Goldszmidt, without information.
    X, y = truth.dependent_rows(60, seed, n_columns=5)
    data = truth.Data(X, y.tolist(), [3] * 5)
    rows = list(zip(data.rows, data.y, strict=True))

    def fit(j, i=None):
        """Give the sum of log P(x_j | c, x_i) over the rows."""
        total = 0.0
        for row, k in rows:
            given_ = {} if i is None else {i: row[i]}
            both = data.count(given_ | {j: row[j]}, k)
            total += log(both / data.count(given_, k))
        return total

    cost = {(j, i): fit(j, i) for i, j in product(range(5), repeat=2)}
    classes = sum(log(data.count({}, k) / 60) for k in data.y)
    fits = []
    for edges in TREES:
        parents = truth.parents_of_tree(edges, 5)
        arrows = [(j, own[0]) for j, own in enumerate(parents) if own]
        fits.append(classes + fit(0) + sum(cost[arrow] for arrow in arrows))
    model = TAN(estimate="mle").fit(X, y)
    joint = model.predict_joint_log_proba(X)[np.arange(60), y]
    assert joint.sum() == pytest.approx(max(fits), abs=1e-9)
    assert truth.edges_of(model.parents_) == TREES[np.argmax(fits)]


def test_the_root_does_not_matter_for_relative_frequencies():
    X, y = truth.dependent_rows(50, seed=30, n_columns=4)
    every = list(product(range(3), repeat=4))
    wanted = TAN(estimate="mle").fit(X, y).predict_joint_log_proba(every)
    assert np.isneginf(wanted).any()
    for root in range(4):
        model = TAN(root=root, estimate="mle").fit(X, y)
        assert model.parents_[root] == ()
        assert sum(own == () for own in model.parents_) == 1
        assert_allclose(
            model.predict_joint_log_proba(every), wanted, atol=1e-12
        )


def test_the_root_is_a_name_or_a_number():
    X, y = truth.dependent_rows(50, seed=31, n_columns=3)
    frame = pd.DataFrame(X, columns=["sky", "wind", "leaf"])
    for root in ("leaf", 2):
        model = TAN(root=root).fit(frame, y)
        assert model.parents_[2] == ()
        arrows = model.structure_.subgraph(frame.columns)
        assert nx.is_arborescence(arrows)
        assert next(iter(nx.topological_sort(arrows))) == "leaf"
    assert TAN().fit(frame, y).parents_[0] == ()


def strong_tan(n, seed):
    """Draw from a TAN in which children mostly follow their parents."""
    parents = [(), (0,), (0,), (1,), (1,), (2,), (5,)]
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    X = np.empty((n, 7), dtype=int)
    for j, own in enumerate(parents):
        told = X[:, own[0]] if own else rng.integers(4, size=n)
        noise = rng.random(n) < 0.3
        X[:, j] = (told + y * (j % 2) + noise * rng.integers(4, size=n)) % 4
    return X, y, truth.edges_of(parents)


@pytest.mark.parametrize("seed", range(4))
def test_the_tree_of_the_data_is_found(seed):
    X, y, edges = strong_tan(20_000, seed)
    model = TAN().fit(X, y)
    assert truth.edges_of(model.parents_) == edges
    # In any order of the columns.
    order = np.random.default_rng(seed).permutation(7)
    shuffled = TAN().fit(X[:, order], y)
    found = truth.edges_of(shuffled.parents_)
    assert sorted(sorted(order[edge].tolist()) for edge in found) == edges


def factorial_table(distributions):
    """Give all rows, each with the product of the weights of its values."""
    X, y, weights = [], [], []
    for k, columns in enumerate(distributions):
        for row in product(*map(range, map(len, columns))):
            X.append(row)
            y.append(k)
            own = zip(columns, row, strict=True)
            weights.append(
                np.prod([distribution[s] for distribution, s in own])
            )
    return np.array(X), np.array(y), np.array(weights, dtype=float)


@pytest.mark.parametrize("how", truth.ESTIMATES, ids=str)
def test_independent_columns_leave_naive_bayes(how):
    distributions = [
        [[1, 2, 4], [3, 5], [2, 2, 1, 3]],
        [[7, 1, 1], [1, 6], [1, 1, 9, 2]],
    ]
    X, y, weights = factorial_table(distributions)
    model = TAN(**how).fit(X, y, weights)
    assert model.parents_ == ((), (), ())
    naive = CategoricalNB(**how).fit(X, y, weights)
    assert_allclose(
        model.predict_joint_log_proba(X),
        naive.predict_joint_log_proba(X),
        atol=1e-12,
    )


def test_the_first_is_taken_on_ties():
    X, y = truth.dependent_rows(60, seed=35, n_columns=1)
    assert TAN().fit(np.tile(X, 4), y).parents_ == ((), (0,), (0,), (0,))


def test_constant_columns_have_no_neighbours():
    X, y = truth.dependent_rows(60, seed=32)
    X[:, [0, 2]] = 0
    model = TAN().fit(X, y)
    assert model.parents_ == ((), (), (), (1,))
    assert nx.is_directed_acyclic_graph(model.structure_)
    with_root = TAN(root=3).fit(X, y)
    assert with_root.parents_ == ((), (3,), (), ())


# -- bad input ----------------------------------------------------------------

FRAME = pd.DataFrame({"sky": ["grey", "blue"], "wind": ["west", "east"]})


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ("wnd", r"'wnd'.*'sky', 'wind'.*Did you mean 'wind'\?$"),
        ("class", r"'class'.*'sky', 'wind'"),
        (2, r"\b2\b"),
        (-3, r"-3"),
        (0.5, r"0\.5"),
        (True, r"True"),
    ],
)
def test_roots_that_are_no_columns(root, message):
    with pytest.raises(ProbabilityError, match=message):
        TAN(root=root).fit(FRAME, [0, 1])
