"""Structures, tables, networks and samples of all semi-naive classifiers."""

from functools import reduce
from itertools import product
from operator import mul

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import semi_naive_truth as truth
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from semi_naive_examples import LABELS, NAMES, NETWORKS, X, of, y
from sklearn.base import clone

from bayesbook.base import (
    ProbabilityError,
)
from bayesbook.naive_bayes import (
    AODE,
    KDB,
    SPODE,
    TAN,
)
from bayesbook.network import JunctionTree, enumerate_posterior

# -- the structure ------------------------------------------------------------


@of(NETWORKS)
def test_the_structure_is_the_parents(model):
    frame = pd.DataFrame(X, columns=["sky", "wind", "leaf", "bird"])
    for rows, names in ((X, ["x0", "x1", "x2", "x3"]), (frame, list(frame))):
        own = clone(model).fit(rows, y)
        graph = own.structure_
        assert type(graph) is nx.DiGraph
        assert nx.is_directed_acyclic_graph(graph)
        assert set(graph) == {"class", *names}
        assert graph.in_degree("class") == 0
        assert isinstance(own.parents_, tuple)
        for name, parents in zip(names, own.parents_, strict=True):
            assert isinstance(parents, tuple)
            wanted = {"class", *(names[i] for i in parents)}
            assert set(graph.predecessors(name)) == wanted
        assert all(type(i) is int for own in own.parents_ for i in own)


@of(NETWORKS)
def test_the_structure_can_be_changed_without_the_model(model):
    model = clone(model).fit(X, y)
    edges, before = (
        set(model.structure_.edges),
        model.predict_joint_log_proba(X),
    )
    model.structure_.clear()
    assert set(model.structure_.edges) == edges
    assert model.predict_joint_log_proba(X).tolist() == before.tolist()


@given(truth.small_data(2), st.data())
@settings(max_examples=20)
def test_the_tables_multiply_to_the_joint_distribution(data, draw):
    M = data.n_columns
    k = draw.draw(st.integers(0, M - 1))
    parents = draw.draw(truth.acyclic_parents(M, k))
    forced = {j: list(own) for j, own in enumerate(parents)}
    for model in (SPODE(parent=M - 1), TAN(), KDB(k=k, parents=forced)):
        model.set_params(min_categories=data.n_states)
        model.fit(data.rows, data.y, data.weights)
        tables = model.to_tables()
        assert [table.targets for table in tables] == [
            ("class",),
            *((f"x{j}",) for j in range(M)),
        ]
        for table, own in zip(tables[1:], model.parents_, strict=True):
            parents = {f"x{i}" for i in own}
            assert set(table.conditions) == {"class"} | parents
        assert model.n_parameters_ == sum(map(free_parameters, tables))
        joint = np.exp(model.predict_joint_log_proba(data.every_row()))
        for row, products in zip(data.every_row(), joint, strict=True):
            for own, p in zip(model.classes_.tolist(), products, strict=True):
                cell = {"class": own}
                cell |= {f"x{j}": s for j, s in enumerate(row)}
                factors = [entry(table, cell) for table in tables]
                assert np.prod(factors) == pytest.approx(p, rel=1e-11)


def free_parameters(table):
    """Count the numbers of a table less one for each distribution in it."""
    (target,) = table.targets
    n_states = len(table.states[target])
    return table.values.size // n_states * (n_states - 1)


def entry(table, cell):
    place = tuple(own.index(cell[name]) for name, own in table.states.items())
    return table.values[place]


@of(NETWORKS)
def test_the_tables_know_names_states_and_classes(model):
    names = np.array(["blue", "grey", "red"])
    frame = pd.DataFrame(names[X], columns=["sky", "wind", "leaf", "bird"])
    model = clone(model).fit(frame, y)
    tables = model.to_tables()
    assert tables[0].states == {"class": tuple(LABELS)}
    for name, table in zip(frame, tables[1:], strict=True):
        assert table.targets == (name,)
        assert table.states[name] == ("blue", "grey", "red")
        assert table.states["class"] == tuple(LABELS)
    # Parents first, as the chain rule has it.
    place = {name: j for j, name in enumerate(["class", *frame])}
    order = nx.lexicographical_topological_sort(model.structure_)
    distribution = reduce(mul, [tables[place[name]] for name in order])
    row = frame.iloc[5]
    evidence = distribution.given(**row.to_dict())
    states = list(evidence.states["class"])
    posterior = model.predict_proba(frame[5:6])[0]
    for label, p in zip(model.classes_, posterior, strict=True):
        assert evidence.values[states.index(label)] == pytest.approx(p)


@of(NETWORKS)
def test_the_frame_has_the_numbers_of_the_tables(model):
    frame = pd.DataFrame(NAMES[X], columns=["sky", "wind", "leaf", "bird"])
    model = clone(model).fit(frame, y)
    shown, tables = model.to_frame(), model.to_tables()[1:]
    assert shown.columns.tolist() == LABELS.tolist()
    assert len(shown) == sum(table.values.size // 3 for table in tables)
    for (name, condition, state), row in shown.iterrows():
        (table,) = [own for own in tables if own.targets == (name,)]
        cell = dict(part.split("=") for part in condition.split(", ") if part)
        cell[name] = state
        assert len(cell) == len(table.states) - 1
        for label, p in row.items():
            assert entry(table, cell | {"class": label}) == pytest.approx(p)


@given(truth.small_data(2), st.data())
@settings(max_examples=20)
def test_the_network_has_the_posterior_of_the_class(data, draw):
    """By enumeration, for every row, and with columns that are not seen."""
    M = data.n_columns
    k = draw.draw(st.integers(0, M - 1))
    parents = draw.draw(truth.acyclic_parents(M, k))
    forced = {j: list(own) for j, own in enumerate(parents)}
    for model in (SPODE(parent=M - 1), TAN(), KDB(k=k, parents=forced)):
        model.set_params(min_categories=data.n_states)
        model.fit(data.rows, data.y, data.weights)
        network = model.to_network()
        assert network.nodes == ("class", *(f"x{j}" for j in range(M)))
        assert set(network.graph.edges) == set(model.structure_.edges)
        assert network.n_parameters == model.n_parameters_
        rows = np.array(list(data.every_row()))
        for row, distribution in zip(
            rows, model.predict_proba(rows), strict=True
        ):
            known = {f"x{j}": int(s) for j, s in enumerate(row)}
            posterior = enumerate_posterior(network, "class", known)
            assert posterior.states["class"] == tuple(model.classes_.tolist())
            assert_allclose(
                posterior.values.astype(float),
                distribution,
                rtol=0,
                atol=1e-12,
            )
        joint = np.exp(model.predict_joint_log_proba(rows))
        rest = joint[rows[:, 0] == 0].sum(axis=0)
        some = enumerate_posterior(network, "class", {"x0": 0})
        assert_allclose(some.values, rest / rest.sum(), rtol=0, atol=1e-12)


@of(NETWORKS)
def test_the_network_says_what_the_classifier_says(model):
    """All rows at once, and names, states and classes as they were."""
    names = np.array(["blue", "grey", "red"])
    frame = pd.DataFrame(names[X], columns=["sky", "wind", "leaf", "bird"])
    model = clone(model).fit(frame, y)
    network = model.to_network()
    assert network.name == type(model).__name__
    assert network.states["class"] == tuple(LABELS)
    asked = JunctionTree(network).batch(frame)
    assert_allclose(
        asked["class"], model.predict_proba(frame), rtol=0, atol=1e-12
    )
    rows = frame.assign(**{"class": y})
    logs = model.predict_joint_log_proba(frame)
    own = logs[np.arange(len(y)), np.searchsorted(LABELS, y)]
    assert_allclose(network.log_prob(rows), own, rtol=0, atol=1e-12)


def test_an_average_is_no_network():
    assert not hasattr(AODE(), "to_network")
    assert all(hasattr(model, "to_network") for model in NETWORKS)


def test_columns_that_are_called_class():
    frame = pd.DataFrame(X, columns=["class", "wind", "leaf", "class_"])
    for model in NETWORKS:
        own = clone(model).fit(frame, y)
        graph = own.structure_
        (root,) = set(graph) - set(frame)
        assert set(graph[root]) == set(frame)
        assert [table.targets for table in own.to_tables()] == [
            (root,),
            *((name,) for name in frame),
        ]
        assert own.to_network().nodes == (root, *frame)


def test_tables_of_what_never_occurred():
    # Whatever x1 is where x0 is 2, nothing is known of it.
    rows, labels = [[0, 0], [1, 1], [2, 1]], [0, 0, 1]
    model = SPODE(parent=0, estimate="mle").fit(rows, labels)
    for give in (model.to_tables, model.to_network):
        with pytest.raises(ProbabilityError, match=r"x1.*x0.*alpha"):
            give()


def test_the_number_of_parameters_by_hand():
    frame = pd.DataFrame({"a": [0, 1, 2], "b": [0, 1, 0], "c": [3, 0, 1]})
    labels = [0, 1, 1]
    # K - 1 = 1 for the class; the columns have 3, 2 and 4 states.
    naive = 1 + 2 * (2 + 1 + 3)
    model = KDB(k=0).fit(frame, labels)
    assert model.n_parameters_ == naive
    # Under b a has 2 distributions of 2 numbers for each class, and c 2
    # distributions of 3.
    model = SPODE(parent="b").fit(frame, labels)
    assert model.n_parameters_ == 1 + 2 * (2 * 2 + 1 + 2 * 3)
    model = KDB(k=2, parents={"c": ["a", "b"]}).fit(frame, labels)
    assert model.n_parameters_ == 1 + 2 * (2 + 1 + 6 * 3)


@of(NETWORKS)
def test_sampled_rows_follow_the_joint_distribution(model):
    # All cells occur often enough for the test.
    narrow, n = X[:, :4] % 2, 20_000
    model = clone(model).fit(narrow, y)
    rows, labels = model.sample(n, rng=54)
    cells = np.array(list(product([0, 1], repeat=4)))
    wanted = n * np.exp(model.predict_joint_log_proba(cells))
    places = np.asarray(rows, dtype=int) @ [8, 4, 2, 1]
    counts = np.zeros((16, 3))
    np.add.at(counts, (places, np.searchsorted(LABELS, labels)), 1)
    test = stats.chisquare(counts.ravel(), wanted.ravel())
    assert test.pvalue > 0.001


@of(NETWORKS)
def test_rows_that_cannot_be_are_not_drawn(model):
    # Neither class has all states of the first column.
    labels = X[:, 0] > 0
    model = clone(model).set_params(estimate="mle").fit(X, labels)
    rows, drawn = model.sample(500, rng=61)
    assert ((np.asarray(rows)[:, 0] > 0) == drawn).all()
    assert np.isfinite(model.predict_joint_log_proba(rows).max(axis=1)).all()


@of(NETWORKS)
def test_samples_are_reproducible_and_as_the_rows_were(model):
    names = np.array(["blue", "grey", "red"])
    frame = pd.DataFrame(names[X], columns=["sky", "wind", "leaf", "bird"])
    model = clone(model).fit(frame, y)
    rows, labels = model.sample(50, rng=55)
    again, equal = model.sample(50, rng=np.random.default_rng(55))
    pd.testing.assert_frame_equal(rows, again)
    assert labels.tolist() == equal.tolist()
    assert rows.columns.tolist() == frame.columns.tolist()
    assert not rows.equals(model.sample(50, rng=56)[0])
    model.predict(rows)
