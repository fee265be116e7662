"""What all semi-naive classifiers share: manners, probabilities, labels."""

import pickle
import warnings
from copy import deepcopy

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp
from semi_naive_examples import (
    CHAIN,
    EVERY_ROW,
    LABELS,
    MODELS,
    NAMES,
    NETWORKS,
    X,
    codes,
    of,
    parents_of,
    same,
    y,
)
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from bayesbook.base import (
    ZeroProbabilityError,
)
from bayesbook.naive_bayes import (
    AODE,
    KDB,
    SPODE,
    TAN,
    CategoricalNB,
)

# -- scikit-learn's manners ---------------------------------------------------


@parametrize_with_checks(
    [
        SPODE(parent=0),
        KDB(k=0),
        SPODE(missing="marginalise", unseen="marginalise"),
        TAN(missing="marginalise", unseen="marginalise"),
        AODE(missing="marginalise", unseen="marginalise"),
        KDB(missing="marginalise", unseen="marginalise"),
    ]
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
        type(model)(smoothing=1)


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


# -- labels -------------------------------------------------------------------


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
@pytest.mark.filterwarnings("ignore:The whole numbers of column")
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
        if bad != -1:
            assert "='marginalise')" in str(told.value)
    frame = pd.DataFrame(NAMES[X], columns=["sky", "wind", "leaf", "bird"])
    model.fit(frame, y)
    with pytest.raises(ValueError, match=r"column 'sky' is 'gren'") as told:
        model.predict(frame[:2].assign(sky="gren"))
    assert "Did you mean 'green'?" in str(told.value)
    assert "(unseen='marginalise')" in str(told.value)
    wide = clone(model).set_params(min_categories=4).fit(X, y)
    assert np.isfinite(wide.predict_joint_log_proba([[3, 3, 3, 0]])).all()


@of(MODELS)
@pytest.mark.parametrize("bad", [np.nan, None], ids=str)
def test_missing_values_in_training(model, bad):
    frame = pd.DataFrame(NAMES[X], columns=["sky", "wind", "leaf", "bird"])
    frame.loc[7, "leaf"] = bad
    with pytest.raises(ValueError, match=r"NaN.*row 7, column 'leaf'") as told:
        clone(model).fit(frame, y)
    assert "(missing='marginalise')" in str(told.value)
    rows = X.astype(float)
    rows[7, 2] = np.nan
    with pytest.raises(ValueError, match=r"NaN.*row 7, column 2") as told:
        clone(model).fit(rows, y)
    assert "(missing='marginalise')" in str(told.value)


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
