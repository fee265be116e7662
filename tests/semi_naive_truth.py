"""Semi-naive Bayes as it is defined, with loops and exact fractions.

What the tests of the library compare it with. Nothing here is fast, and
nothing comes from the library.
"""

from fractions import Fraction
from itertools import product
from math import log2

import naive_truth
import networkx as nx
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


class Data:
    """Rows of codes, of which anything can be counted."""

    def __init__(self, X, y, n_states, weights=None):
        self.rows = [tuple(map(int, row)) for row in X]
        self.y = list(y)
        self.n_states = tuple(map(int, n_states))
        self.weights = [1] * len(self.y) if weights is None else weights
        self.classes = sorted(set(self.y))
        self.total = sum(map(Fraction, self.weights))
        self.factors = {}  # what is estimated from the counts, once
        self._tables = {}

    @property
    def n_columns(self):
        return len(self.n_states)

    def count(self, states, k=None):
        """Count the rows of class k (of all) with columns in these states."""
        if k is None:
            return sum(self.count(states, c) for c in self.classes)
        columns = tuple(sorted(states))
        if columns not in self._tables:
            self._tables[columns] = self._table(columns)
        key = tuple(states[j] for j in columns)
        return self._tables[columns].get((key, k), Fraction(0))

    def _table(self, columns):
        table = {}
        for row, k, w in zip(self.rows, self.y, self.weights, strict=True):
            cell = tuple(row[j] for j in columns), k
            table[cell] = table.get(cell, Fraction(0)) + Fraction(w)
        return table

    def every_row(self):
        return list(product(*map(range, self.n_states)))


def share(count, total, n_states, alpha, estimate):
    """Estimate a probability; without any observation it is taken as 0."""
    try:
        return naive_truth.share(count, total, n_states, alpha, estimate)
    except ZeroDivisionError:
        return Fraction(0)


def joint(row, data, parents, alpha=1, class_alpha=1, estimate="bayes"):
    """Give P(c) prod_j P(x_j | c, x_pa(j)) for each class c."""
    K, products = len(data.classes), []
    for k in data.classes:
        p = share(data.count({}, k), data.total, K, class_alpha, estimate)
        for j, own in enumerate(parents):
            given = {i: row[i] for i in own}
            p *= share(
                data.count(given | {j: row[j]}, k),
                data.count(given, k),
                data.n_states[j],
                alpha,
                estimate,
            )
        products.append(p)
    return products


def super_parents(row, data, m):
    """Give the columns whose value is in at least m rows."""
    return [i for i, s in enumerate(row) if data.count({i: s}) >= m]


def aode_joint(row, data, m, alpha=1, class_alpha=1, estimate="bayes"):
    """Give the mean of P(c, x_i) prod_j P(x_j | c, x_i) for each class c.

    Webb, Boughton and Wang (2005), with a denominator with which the
    P(c, x_i) sum to one: N + α K S_i.
    """
    qualified = super_parents(row, data, m)
    if not qualified:
        nobody = [()] * data.n_columns
        return joint(row, data, nobody, alpha, class_alpha, estimate)
    means = []
    for k in data.classes:
        total = Fraction(0)
        for i in qualified:
            together = data.count({i: row[i]}, k)
            p = share(
                together,
                data.total,
                len(data.classes) * data.n_states[i],
                alpha,
                estimate,
            )
            for j in range(data.n_columns):
                if j != i:
                    p *= share(
                        data.count({i: row[i], j: row[j]}, k),
                        together,
                        data.n_states[j],
                        alpha,
                        estimate,
                    )
            total += p
        means.append(total / len(qualified))
    return means


def assert_predicts(model, rows, wanted):
    """Compare a model with the joint probabilities of rows and classes."""
    logs = naive_truth.logs(wanted)
    np.testing.assert_allclose(
        model.predict_joint_log_proba(rows), logs, rtol=0, atol=1e-12
    )
    can_be = [sum(products) > 0 for products in wanted]
    posterior = [
        [float(p / sum(products)) for p in products]
        for products in wanted
        if sum(products)
    ]
    np.testing.assert_allclose(
        model.predict_proba(np.array(rows)[can_be]),
        posterior,
        rtol=0,
        atol=1e-12,
    )


# -- information, in bits -----------------------------------------------------


def conditional_information(data, i, j):
    """Give I(X_i; X_j | C); with i = j it is H(X_i | C)."""
    bits = 0.0
    for k in data.classes:
        for s, t in product(range(data.n_states[i]), range(data.n_states[j])):
            if i == j and s != t:
                continue
            n = data.count({i: s, j: t}, k)
            if n:
                apart = data.count({i: s}, k) * data.count({j: t}, k)
                ratio = n * data.count({}, k) / apart
                bits += float(n / data.total) * log2(ratio)
    return bits


def information_matrix(data):
    M = data.n_columns
    cells = [
        conditional_information(data, i, j)
        for i, j in product(range(M), repeat=2)
    ]
    return np.reshape(cells, (M, M))


def class_information(data, j):
    """Give I(X_j; C)."""
    bits = 0.0
    for k, s in product(data.classes, range(data.n_states[j])):
        n = data.count({j: s}, k)
        if n:
            apart = data.count({j: s}) * data.count({}, k)
            bits += float(n / data.total) * log2(n * data.total / apart)
    return bits


# -- structures ---------------------------------------------------------------


def spanning_trees(n):
    """Give the edges of all n^(n-2) trees (Prüfer 1918)."""
    for code in product(range(n), repeat=n - 2):
        yield sorted(map(sorted, nx.from_prufer_sequence(code).edges))


def parents_of_tree(edges, n, root=0):
    tree = nx.Graph(edges)
    return [
        () if j == root else (nx.predecessor(tree, root, j)[0],)
        for j in range(n)
    ]


def edges_of(parents):
    return sorted(sorted((i, j)) for j, own in enumerate(parents) for i in own)


# -- small random data --------------------------------------------------------

#: Estimates that have a value whatever the counts are.
ESTIMATES = [
    {"estimate": estimate, "alpha": a, "class_alpha": b}
    for estimate, a, b in [
        ("bayes", 1, 1),
        ("bayes", 0.25, 2.5),
        ("bayes", 0, 0),
        ("map", 1, 1),
        ("map", 2.5, 1.5),
        ("mle", 5, 7),
    ]
]


@st.composite
def small_data(draw, least_columns=1):
    """Draw rows of codes with their classes, and perhaps weights."""
    n = draw(st.integers(1, 40))
    M = draw(st.integers(least_columns, 5))
    n_states = draw(st.lists(st.integers(1, 4), min_size=M, max_size=M))
    n_classes = draw(st.integers(2, 3))

    def codes(shape, most):
        whole = st.integers(0, most)
        return draw(hnp.arrays(int, shape, elements=whole, fill=st.nothing()))

    X, y = codes((n, M), 3) % n_states, codes(n, n_classes - 1)
    weights = None
    if draw(st.booleans()):
        weights = codes(n, 8) / 4
        weights[draw(st.integers(0, n - 1))] = 1
    return Data(X, y, n_states, weights)


@st.composite
def acyclic_parents(draw, n_columns, most):
    """Draw up to so many parents for each column, all before it somehow."""
    order = draw(st.permutations(range(n_columns)))
    parents = [()] * n_columns
    for place, j in enumerate(order[1:], 1):
        own = st.lists(
            st.sampled_from(order[:place]), max_size=most, unique=True
        )
        parents[j] = tuple(draw(own))
    return parents


def dependent_rows(n, seed, n_columns=4, n_states=3, n_classes=3):
    """Draw rows in which columns depend on each other and on the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = np.empty((n, n_columns), dtype=int)
    X[:, 0] = (y + rng.integers(2, size=n)) % n_states
    for j in range(1, n_columns):
        repeats = rng.random(n) < 0.35 + 0.1 * (j % 3)
        noise = rng.integers(n_states, size=n)
        told = X[:, (j - 1) // 2] + (y == j % n_classes)
        X[:, j] = np.where(repeats, told, noise) % n_states
    return X, y
