"""What holds of every semi-naive classifier.

How rows, classes and priors are read is tested with naive Bayes, whose
reader this is.
"""

import pickle
import tracemalloc
import warnings
from copy import deepcopy
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
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import (
    ProbabilityError,
    TableTooLargeError,
    ZeroProbabilityError,
)
from bayesbook.naive_bayes import (
    AODE,
    KDB,
    SPODE,
    TAN,
    CategoricalNB,
    GaussianNB,
    MixedNB,
)
from bayesbook.network import JunctionTree, enumerate_posterior

CHAIN = {1: [0], 2: [1], 3: [0, 2]}
INCREMENTAL = [SPODE(parent=1), TAN(), AODE(m=1), KDB(k=2, parents=CHAIN)]
MODELS = [*INCREMENTAL, SPODE(), SPODE(selection="cross-validation"), KDB(k=2)]
# All but AODE are one network.
NETWORKS = [model for model in MODELS if not isinstance(model, AODE)]


def of(models):
    return pytest.mark.parametrize("model", models, ids=repr)


LABELS = np.array(["eggs", "ham", "spam"])
X, codes = truth.dependent_rows(90, seed=50)
y = LABELS[codes]
EVERY_ROW = np.array(list(product(range(3), repeat=4)))


def parents_of(model):
    """Give the parents; AODE has no certain ones."""
    return None if isinstance(model, AODE) else model.parents_


def same(model, other, rows=EVERY_ROW):
    """Require that two trained models say the same."""
    assert model.classes_.tolist() == other.classes_.tolist()
    assert_allclose(
        model.predict_joint_log_proba(rows),
        other.predict_joint_log_proba(rows),
        rtol=0,
        atol=1e-12,
    )


# -- scikit-learn's manners ---------------------------------------------------


@parametrize_with_checks(
    [SPODE(), SPODE(parent=0), TAN(), AODE(), KDB(), KDB(k=0)]
)
def test_keeps_the_manners_of_scikit_learn(estimator, check):
    with warnings.catch_warnings():
        # Of fewer rows than AODE asks for.
        warnings.simplefilter("ignore", UserWarning)
        check(estimator)


@of(MODELS)
def test_works_in_pipelines_and_cross_validation(model):
    rng = np.random.default_rng(51)
    numbers = X + rng.normal(0, 0.2, size=X.shape)
    bins = KBinsDiscretizer(3, encode="ordinal", strategy="uniform")
    pipeline = make_pipeline(bins, model)
    scores = cross_val_score(pipeline, numbers, y, cv=3)
    assert scores.shape == (3,)
    assert scores.mean() > 0.4


@pytest.mark.parametrize(
    ("model", "grid"),
    [
        (KDB(), {"k": [0, 1, 2, 3]}),
        (AODE(), {"m": [0, 1, 3]}),
        (SPODE(), {"parent": [None, 0, 3]}),
        (TAN(), {"root": [0, 2], "alpha": [0.1, 1]}),
    ],
    ids=repr,
)
def test_parameters_can_be_searched(model, grid):
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_score_ > 0.4
    scores = search.cv_results_["mean_test_score"]
    for options, score in zip(
        search.cv_results_["params"], scores, strict=True
    ):
        own = clone(model).set_params(**options)
        assert cross_val_score(own, X, y, cv=3).mean() == score


@of(MODELS)
def test_can_be_copied_changed_and_stored(model):
    trained = clone(model).fit(X, y)
    wanted = trained.predict_proba(X)
    for copied in (pickle.loads(pickle.dumps(trained)), deepcopy(trained)):
        assert copied.predict_proba(X).tolist() == wanted.tolist()
    again = clone(trained)
    with pytest.raises(NotFittedError):
        again.predict(X)
    again.set_params(alpha=9).fit(X, y)
    assert trained.predict_proba(X).tolist() == wanted.tolist()
    assert np.abs(again.predict_proba(X) - wanted).max() > 0.01


@of(MODELS)
def test_parameters_wait_for_the_next_training(model):
    trained = clone(model).fit(X, y)
    # Nothing was asked before, so that nothing was derived.
    trained.set_params(alpha=9, class_alpha=5, estimate="map")
    same(trained, clone(model).fit(X, y))


@of(MODELS)
def test_the_parameters_are_given_by_name(model):
    with pytest.raises(TypeError):
        type(model)(1)
    with pytest.raises(TypeError):
        type(model)(missing="marginalise")


@of(MODELS)
def test_there_is_nothing_before_training(model):
    for name in ("parents_", "structure_", "structures_", "n_parameters_"):
        assert not hasattr(clone(model), name)
    with pytest.raises(NotFittedError):
        clone(model).predict_joint_log_proba(X)
    if model in NETWORKS:
        with pytest.raises(NotFittedError):
            clone(model).to_tables()
        with pytest.raises(NotFittedError):
            clone(model).to_network()
        with pytest.raises(NotFittedError):
            clone(model).sample(3, rng=0)


# -- probabilities ------------------------------------------------------------


@of(MODELS)
def test_the_methods_agree(model):
    model = clone(model).fit(X, y)
    joint = model.predict_joint_log_proba(X)
    assert joint.shape == (90, 3)
    assert_allclose(
        model.class_log_prior_ + model.class_log_likelihood(X), joint
    )
    posterior = joint - logsumexp(joint, axis=1, keepdims=True)
    assert_allclose(model.predict_log_proba(X), posterior, atol=1e-12)
    assert_allclose(model.predict_proba(X), np.exp(posterior), atol=1e-12)
    assert_allclose(model.predict_proba(X).sum(axis=1), 1, atol=1e-12)
    best = LABELS[joint.argmax(axis=1)]
    assert model.predict(X).tolist() == best.tolist()
    assert model.score(X, y) == np.mean(best == y)


@of(MODELS)
def test_all_rows_and_classes_sum_to_one(model):
    for options in (
        {"alpha": 0.3, "class_alpha": 2},
        {"estimate": "map", "alpha": 1.5},
    ):
        own = clone(model).set_params(**options).fit(X, y)
        total = np.exp(own.predict_joint_log_proba(EVERY_ROW)).sum()
        assert total == pytest.approx(1, abs=1e-12)


@of(MODELS)
def test_rows_do_not_depend_on_each_other(model):
    model = clone(model).fit(X, y)
    whole = model.predict_joint_log_proba(EVERY_ROW)
    for i in (0, 7, 80):
        alone = model.predict_joint_log_proba(EVERY_ROW[[i]])
        assert_allclose(alone, whole[[i]], rtol=0, atol=1e-12)
    many = np.random.default_rng(52).integers(81, size=20_000)
    assert_allclose(
        model.predict_joint_log_proba(EVERY_ROW[many]), whole[many], atol=1e-12
    )


@of(MODELS)
def test_the_order_of_the_rows_does_not_matter(model):
    order = np.random.default_rng(53).permutation(90)
    if model.get_params().get("selection") == "cross-validation":
        # The folds change with the order, and they choose the parent.
        model = SPODE(parent=2)
    same(clone(model).fit(X[order], y[order]), clone(model).fit(X, y))


@of(MODELS)
def test_the_order_of_the_columns_does_not_matter(model):
    order = [2, 0, 3, 1]
    place = {j: order.index(j) for j in range(4)}
    moved = clone(model)
    options = model.get_params()
    if options.get("parent") is not None:
        moved.set_params(parent=place[options["parent"]])
    if isinstance(model, TAN):
        moved.set_params(root=place[0])
    if options.get("parents") is not None:
        parents = {
            place[j]: [place[i] for i in own] for j, own in CHAIN.items()
        }
        moved.set_params(parents=parents)
    moved.fit(X[:, order], y)
    wanted = clone(model).fit(X, y).predict_joint_log_proba(EVERY_ROW)
    assert_allclose(
        moved.predict_joint_log_proba(EVERY_ROW[:, order]), wanted, atol=1e-12
    )


@of(NETWORKS)
def test_a_class_of_prior_zero_is_never_predicted(model):
    prior = [0.75, 0, 0.25]
    own = clone(model).set_params(class_prior=prior).fit(X, y)
    likelihood = np.exp(own.class_log_likelihood(X))
    posterior = likelihood * prior
    posterior /= posterior.sum(axis=1, keepdims=True)
    assert_allclose(own.predict_proba(X), posterior, atol=1e-12)
    assert (own.predict_proba(X)[:, 1] == 0).all()
    assert set(own.sample(200, rng=0)[1]) == {"eggs", "spam"}
    # It says nothing of the tables, but chooses the parent with them.
    if model.get_params().get("parent", 0) is not None:
        learned = clone(model).fit(X, y)
        assert own.parents_ == learned.parents_
        assert_allclose(
            own.class_log_likelihood(X), learned.class_log_likelihood(X)
        )


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


# -- pieces, weights ----------------------------------------------------------


@of(INCREMENTAL)
@given(
    order=st.permutations(range(40)),
    cuts=st.sets(st.integers(1, 39), max_size=5),
    is_weighted=st.booleans(),
)
@settings(max_examples=15)
def test_pieces_in_any_order_are_one_batch(model, order, cuts, is_weighted):
    weights = 0.25 * (1 + np.arange(40) % 5) if is_weighted else np.ones(40)
    batch = clone(model).fit(X[:40], y[:40], weights)
    pieces = clone(model)
    for rows in np.split(np.array(order), sorted(cuts)):
        pieces.partial_fit(
            X[rows],
            y[rows],
            classes=LABELS,
            sample_weight=weights[rows] if is_weighted else None,
        )
        # What was derived from these counts must not be kept.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # by AODE
            pieces.predict_proba(X[rows])
    assert pieces.class_count_.tolist() == batch.class_count_.tolist()
    assert parents_of(pieces) == parents_of(batch)
    same(pieces, batch, X[:40])


@of(INCREMENTAL)
def test_labels_that_occur_in_later_pieces_only(model):
    names = np.array(["b", "c", "a"])
    frame = pd.DataFrame(names[X], columns=["sky", "wind", "leaf", "bird"])
    # Sorted: first rows without an "a", and without eggs.
    late = np.argsort((frame == "a").any(axis=1) | (y == "eggs"))
    batch = clone(model).fit(frame, y)
    pieces = clone(model)
    for rows in np.split(late, [3, 10, 50]):
        pieces.partial_fit(frame.iloc[rows], y[rows], classes=LABELS)
    declared = clone(model)
    for rows in np.split(late, [3, 10, 50]):
        # Each piece with the categories of its own.
        own = frame.iloc[rows].astype("category")
        declared.partial_fit(own, y[rows], classes=LABELS)
    same(declared, batch, frame)
    assert pieces.n_categories_.tolist() == [3] * 4
    assert [own.tolist() for own in pieces.categories_] == [list("abc")] * 4
    assert parents_of(pieces) == parents_of(batch)
    same(pieces, batch, frame)
    codes = clone(model)
    for rows in np.split(np.argsort(X.max(axis=1)), [3, 10, 50]):
        codes.partial_fit(X[rows], y[rows], classes=LABELS)
    same(codes, clone(model).fit(X, y))


@of(INCREMENTAL)
def test_learning_goes_on_after_a_fit(model):
    model = clone(model).fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    same(model, clone(model).fit(X, y))
    model.fit(X[:30], y[:30])
    same(model, clone(model).fit(X[:30], y[:30]), X[:30])


@of(INCREMENTAL)
def test_a_failing_piece_teaches_nothing(model):
    model = clone(model).fit(X, y)
    before = model.predict_joint_log_proba(EVERY_ROW)
    for rows, labels, weights in (
        ([[0, 1, 2, np.nan]], ["ham"], None),
        ([[0, 1, 2, -1]], ["ham"], None),
        ([[0, 1, 2, 5]], ["jam"], None),
        ([[0, 1, 2, 5]], ["ham"], [0]),
        ([[0, 1, 2, 5]], ["ham"], [-1]),
        ([[0, 1, 2]], ["ham"], None),
        ([[0, 1, 2, 2**45]], ["ham"], None),
        ([[2**35] * 4], ["ham"], None),
        ([["a", "b", "a", "b"]], ["ham"], None),
        ([[0, 1, 2, 5]], None, None),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 (any words)
            model.partial_fit(rows, labels, sample_weight=weights)
        assert model.class_count_.tolist() == [30, 30, 30]
        assert model.n_categories_.tolist() == [3, 3, 3, 3]
        after = model.predict_joint_log_proba(EVERY_ROW)
        assert after.tolist() == before.tolist()
    # And what comes next is learned as if nothing had happened.
    model.partial_fit(X[:5], y[:5])
    both = np.concatenate([X, X[:5]]), np.concatenate([y, y[:5]])
    same(model, clone(model).fit(*both))


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (SPODE(parent=0), {"parent": 2}),
        (KDB(parents={0: [1]}), {"parents": {1: [0]}}),
        (KDB(), {"parents": {}}),
    ],
    ids=repr,
)
def test_counts_of_another_structure_are_not_added(model, change):
    model = clone(model).fit(X, y)
    before, parents = model.predict_joint_log_proba(X), model.parents_
    model.set_params(**change)
    with pytest.raises(ProbabilityError, match="begin anew with `fit`"):
        model.partial_fit(X, y)
    assert model.parents_ == parents
    assert model.predict_joint_log_proba(X).tolist() == before.tolist()
    same(model.fit(X, y), clone(model).fit(X, y))


@of(MODELS)
def test_weights_are_repeated_rows(model):
    weights = np.random.default_rng(57).integers(0, 4, size=90)
    # Of a class the first rows count, so that it has some.
    weights[:9] = 1
    repeated = np.repeat(np.arange(90), weights)
    if model.get_params().get("selection") == "cross-validation":
        # A row and its copies are dealt to different folds.
        model = SPODE(parent=2)
    weighted = clone(model).fit(X, y, sample_weight=weights)
    several = clone(model).fit(X[repeated], y[repeated])
    same(weighted, several, X[weights > 0])
    if hasattr(weighted, "scores_"):
        assert_allclose(weighted.scores_, several.scores_)
    if isinstance(model, AODE):
        own = weighted.set_params(m=50).fit(X, y, sample_weight=weights)
        several = clone(own).fit(X[repeated], y[repeated])
        qualified = own.super_parents(EVERY_ROW)
        assert 0 < qualified.mean() < 1
        assert (qualified == several.super_parents(EVERY_ROW)).all()


@of(MODELS)
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.zeros(90), r"zero"),
        (-np.ones(90), r"[Nn]egative"),
        (np.ones(89), r"89"),
    ],
    ids=["zero", "negative", "too-few"],
)
def test_weights_that_make_no_sense(model, weights, message):
    with pytest.raises(ValueError, match=message):
        clone(model).fit(X, y, sample_weight=weights)


# -- labels -------------------------------------------------------------------

NAMES = np.array(["black", "green", "white"])


@of(MODELS)
@pytest.mark.parametrize(
    "rename",
    [
        lambda X: NAMES[X],
        lambda X: NAMES[X].tolist(),
        lambda X: pd.DataFrame(NAMES[X]),
        lambda X: pd.DataFrame(NAMES[X]).astype("category"),
        lambda X: pd.DataFrame(
            {"a": NAMES[X[:, 0]], "b": X[:, 1], "c": X[:, 2], "d": X[:, 3]}
        ).astype({"c": "category"}),
    ],
    ids=["texts", "lists", "frame", "category", "mixed"],
)
def test_labels_are_codes(model, rename):
    codes = clone(model).fit(X, y)
    labels = clone(model).fit(rename(X), y)
    assert parents_of(labels) == parents_of(codes)
    assert_allclose(
        labels.predict_joint_log_proba(rename(X)),
        codes.predict_joint_log_proba(X),
        rtol=0,
        atol=1e-12,
    )


@of(MODELS)
def test_truth_values_are_codes(model):
    narrow = X % 2
    codes = clone(model).fit(narrow, y).predict_joint_log_proba(narrow)
    for truth_values in (narrow == 1, pd.DataFrame(narrow == 1)):
        labels = clone(model).fit(truth_values, y)
        assert_allclose(
            labels.predict_joint_log_proba(truth_values), codes, atol=1e-12
        )


@of(MODELS)
@pytest.mark.parametrize(
    "kind", ["int8", "uint8", "uint16", "uint64", "float16", "float64"]
)
def test_codes_of_any_type_and_order(model, kind):
    wanted = clone(model).fit(X, y).predict_joint_log_proba(X)
    rows = np.asfortranarray(X.astype(kind))
    rows.setflags(write=False)
    for own in (rows, pd.DataFrame(rows)):
        found = clone(model).fit(own, y).predict_joint_log_proba(own)
        assert found.tolist() == wanted.tolist()
    if np.dtype(kind).kind != "u":
        rows = X.astype(kind)
        rows[7, 2] = -3
        with pytest.raises(ValueError, match="-3 in row 7, column 2"):
            clone(model).fit(rows, y)


@of(MODELS)
@pytest.mark.parametrize(
    "labels",
    [[-1, 5, 7], ["no", "so", "yes"], [0.0, 2.0, 3.0]],
    ids=["whole", "texts", "floats"],
)
def test_classes_of_any_type(model, labels):
    own = np.array(labels)[codes]
    other = clone(model).fit(X, own)
    assert other.classes_.tolist() == labels
    model = clone(model).fit(X, y)
    assert_allclose(other.predict_proba(X), model.predict_proba(X))
    places = np.searchsorted(LABELS, model.predict(X))
    assert other.predict(X).tolist() == np.array(labels)[places].tolist()
    if not isinstance(other, AODE):
        assert other.to_tables()[0].states["class"] == tuple(labels)


@of(MODELS)
def test_two_classes_of_truth_values(model):
    model = clone(model).fit(X, codes == 1)
    assert model.classes_.tolist() == [False, True]
    assert model.predict(X).dtype == bool
    assert model.score(X, codes == 1) > 0.6


# -- limits -------------------------------------------------------------------


@of(MODELS)
def test_a_single_class_is_certain(model):
    rows = y == "ham"
    model = clone(model).fit(X[rows], y[rows])
    assert model.predict_proba(X[rows]).tolist() == [[1]] * 30
    assert set(model.predict(X[rows])) == {"ham"}


@of(MODELS)
def test_constant_columns_change_nothing(model):
    wide = np.insert(X, 4, 0, axis=1)
    narrow, wider = clone(model).fit(X, y), clone(model).fit(wide, y)
    if isinstance(model, AODE):
        # The column is one more super-parent: that of naive Bayes.
        n, p = len(X), np.exp(narrow.predict_joint_log_proba(X))
        prior = (n / 3 + 1) / (n + 3)
        naive = (
            np.exp(CategoricalNB().fit(X, y).class_log_likelihood(X)) * prior
        )
        assert_allclose(
            np.exp(wider.predict_joint_log_proba(wide)),
            (4 * p + naive) / 5,
            atol=1e-15,
        )
    else:
        assert_allclose(
            wider.predict_joint_log_proba(wide),
            narrow.predict_joint_log_proba(X),
            atol=1e-12,
        )
    only = clone(model).fit(np.zeros((90, 4)), y)
    assert_allclose(only.predict_proba(np.zeros((1, 4))), 1 / 3)


@of(MODELS)
def test_a_class_without_rows_has_its_pseudo_counts(model):
    own = clone(model)
    if not hasattr(own, "partial_fit"):
        weights = (y != "spam").astype(float)
        own.fit(X, y, sample_weight=weights)
    else:
        rows = y != "spam"
        own.partial_fit(X[rows], y[rows], classes=LABELS)
    assert own.class_count_.tolist() == [30, 30, 0]
    posterior = own.predict_proba(EVERY_ROW)
    assert np.isfinite(posterior).all()
    assert (posterior[:, 2] > 0).all()


@of(MODELS)
def test_rows_that_cannot_be(model):
    # Each value occurs, and never together with the others.
    rows = np.repeat(np.arange(3), 9)[:, None] * np.ones(4, dtype=int)
    model = clone(model).set_params(estimate="mle")
    model.fit(rows, LABELS[rows[:, 0]])
    assert model.predict(rows).tolist() == LABELS[rows[:, 0]].tolist()
    assert np.isneginf(model.predict_joint_log_proba([[0, 1, 2, 0]])).all()
    for ask in (model.predict, model.predict_proba, model.predict_log_proba):
        with pytest.raises(ZeroProbabilityError, match=r"Row 1 is impossible"):
            ask([[1, 1, 1, 1], [0, 1, 2, 0]])


@of(MODELS)
def test_values_that_were_never_seen(model):
    model = clone(model).fit(X, y)
    for bad, message in (
        (3, r"row 1 of column 2 is 3"),
        (-1, r"-1 in row 1, column 2"),
        (np.nan, r"NaN.*row 1, column 2"),
    ):
        rows = X[:2].astype(float)
        rows[1, 2] = bad
        with pytest.raises(ValueError, match=message) as told:
            model.predict(rows)
        # These classifiers cannot leave anything out.
        assert "marginalise" not in str(told.value)
    frame = pd.DataFrame(NAMES[X], columns=["sky", "wind", "leaf", "bird"])
    model.fit(frame, y)
    with pytest.raises(ValueError, match=r"column 'sky' is 'gren'") as told:
        model.predict(frame[:2].assign(sky="gren"))
    assert "Did you mean 'green'?" in str(told.value)
    assert "marginalise" not in str(told.value)
    wide = clone(model).set_params(min_categories=4).fit(X, y)
    assert np.isfinite(wide.predict_joint_log_proba([[3, 3, 3, 0]])).all()


@of(MODELS)
@pytest.mark.parametrize("bad", [np.nan, None], ids=str)
def test_missing_values_in_training(model, bad):
    frame = pd.DataFrame(NAMES[X], columns=["sky", "wind", "leaf", "bird"])
    frame.loc[7, "leaf"] = bad
    with pytest.raises(ValueError, match=r"NaN.*row 7, column 'leaf'") as told:
        clone(model).fit(frame, y)
    assert "marginalise" not in str(told.value)
    rows = X.astype(float)
    rows[7, 2] = np.nan
    with pytest.raises(ValueError, match=r"NaN.*row 7, column 2") as told:
        clone(model).fit(rows, y)
    assert "marginalise" not in str(told.value)


@of(MODELS)
def test_other_columns_than_in_training(model):
    frame = pd.DataFrame(X, columns=["sky", "wind", "leaf", "bird"])
    model = clone(model).fit(frame, y)
    for other in (
        frame.rename(columns={"wind": "storm"}),
        frame[["wind", "sky", "leaf", "bird"]],
        frame[["sky", "wind", "leaf"]],
    ):
        with pytest.raises(ValueError, match=r"feature names"):
            model.predict(other)


@of(MODELS)
def test_no_classes(model):
    with pytest.raises(ValueError, match=r"y to be passed"):
        clone(model).fit(X, None)


@of(MODELS)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("alpha", -1),
        ("alpha", np.nan),
        ("class_alpha", "x"),
        ("estimate", "bays"),
        ("min_categories", 1.5),
    ],
)
def test_options_that_make_no_sense(model, name, value):
    with pytest.raises(ValueError, match=name):
        clone(model).set_params(**{name: value}).fit(X, y)


@of(MODELS)
def test_modes_that_do_not_exist(model):
    rows, labels = [[0, 0, 0, 0], [1, 1, 1, 1]], [0, 1]
    own = clone(model).set_params(alpha=0.5, estimate="map")
    if hasattr(own, "cv"):
        own = SPODE(parent=0, alpha=0.5, estimate="map")
    with pytest.raises(ValueError, match=r"alpha=0\.5.*no mode"):
        own.fit(rows, labels).predict(rows)


# -- memory -------------------------------------------------------------------


@of(MODELS)
def test_columns_with_as_many_states_as_rows(model):
    n = 50_000
    rows = np.empty((n, 4), dtype=int)
    rows[:, 0] = rows[:, 1] = np.arange(n)
    rows[:, 2:] = rows[:, :2] % 2
    labels = rows[:, 2]
    frame = pd.DataFrame(rows, columns=["passport", "name", "sex", "left"])
    tracemalloc.start()
    try:
        with pytest.raises(TableTooLargeError) as told:
            clone(model).fit(frame, labels).predict(frame[:5])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "50,000" in str(told.value)
    assert "'passport'" in str(told.value) or "'name'" in str(told.value)
    assert peak < 100 * 2**20


@pytest.mark.parametrize("kind", [TAN, AODE, KDB, SPODE])
def test_one_such_column_is_too_large_or_small_enough(kind):
    n = 50_000
    rows = np.stack([np.arange(n), np.arange(n) % 2, np.arange(n) % 3], axis=1)
    frame = pd.DataFrame(rows, columns=["passport", "sex", "hand"])
    labels = np.arange(n) % 5 > 2
    tracemalloc.start()
    try:
        model = kind().fit(frame, labels)
        model.predict(frame[-5:])
    except TableTooLargeError as error:
        assert "'passport'" in str(error)  # noqa: PT017 (both are right)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 200 * 2**20


def test_too_many_parents_for_a_table():
    rng = np.random.default_rng(58)
    rows = rng.integers(200, size=(3000, 5))
    parents = {"e": ["a", "b", "c", "d"]}
    frame = pd.DataFrame(rows, columns=list("abcde"))
    with pytest.raises(TableTooLargeError, match=r"column '[a-e]'"):
        KDB(k=4, parents=parents).fit(frame, rows[:, 0] % 2).predict(frame)


@of([SPODE(), AODE(m=1), TAN(), KDB()])
def test_the_memory_does_not_grow_with_the_classes(model):
    rng = np.random.default_rng(60)
    rows, labels = rng.integers(2, size=(20_000, 4)), np.arange(20_000) % 50
    model = clone(model)
    tracemalloc.start()
    try:
        model.fit(rows, labels).predict_joint_log_proba(rows)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The answer itself has eight of them.
    assert peak < 60 * 2**20


# -- beside other classifiers -------------------------------------------------


@pytest.mark.parametrize("kind", [TAN, AODE, KDB, SPODE])
def test_a_part_of_a_mixed_model(kind):
    model = AODE(m=1) if kind is AODE else kind()
    rng = np.random.default_rng(59)
    frame = pd.DataFrame(NAMES[X], columns=["sky", "wind", "leaf", "bird"])
    numbers = pd.DataFrame(
        rng.normal(codes[:, None], size=(90, 2)), columns=["heat", "rain"]
    )
    parts = [
        ("cats", model, frame.columns.tolist()),
        ("nums", GaussianNB(), ["heat", "rain"]),
    ]
    both = pd.concat([frame, numbers], axis=1)
    mixed = MixedNB(parts).fit(both, y)
    wanted = clone(model).fit(frame, y).class_log_likelihood(frame)
    wanted = wanted + GaussianNB().fit(numbers, y).class_log_likelihood(
        numbers
    )
    assert_allclose(mixed.class_log_likelihood(both), wanted, atol=1e-12)
    assert_allclose(mixed.predict_joint_log_proba(both), wanted - np.log(3))
    assert mixed.score(both, y) > 0.6


@of([SPODE(), KDB()])
def test_a_part_that_looks_at_all_rows_cannot_learn_in_pieces(model):
    mixed = MixedNB([("cats", model, [0, 1, 2]), ("nums", GaussianNB(), [3])])
    assert mixed.fit(X, y).predict(X).shape == (90,)
    with pytest.raises(
        (ProbabilityError, AttributeError), match="partial_fit"
    ):
        clone(mixed).partial_fit(X, y, classes=LABELS)


def test_what_is_no_part_of_a_mixed_model_is_named():
    with pytest.raises(ProbabilityError, match="'cats' is None, which is no"):
        MixedNB([("cats", None, [0])]).partial_fit(X, y, classes=LABELS)


def test_other_parts_of_a_mixed_model_learn_in_pieces():
    parts = [("cats", TAN(), [0, 1, 2]), ("nums", GaussianNB(), [3])]
    pieces = MixedNB(parts)
    for rows in np.split(np.arange(90), [20, 50]):
        pieces.partial_fit(X[rows], y[rows], classes=LABELS)
    assert_allclose(
        pieces.predict_joint_log_proba(X),
        MixedNB(parts).fit(X, y).predict_joint_log_proba(X),
    )
