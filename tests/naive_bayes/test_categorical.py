"""CategoricalNB against exact fractions and scikit-learn."""

import warnings
from itertools import product

import naive_truth as truth
import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.exceptions import DataConversionWarning, NotFittedError

from bayesbook.base import ProbabilityError
from bayesbook.conjugate import DirichletCategorical
from bayesbook.naive_bayes import CategoricalNB, LazyNB
from bayesbook.network import enumerate_posterior

CLASSES = ["good", "bad"]
SIZES = (3, 2, 4)
STATES = [tuple(range(size)) for size in SIZES]


@st.composite
def coded(draw):
    """Codes in which every state occurs, and two classes that both do."""
    n = draw(st.integers(0, 16))
    rows = [
        tuple(draw(st.integers(0, size - 1)) for size in SIZES)
        for _ in range(n)
    ]
    rows += [tuple(min(s, size - 1) for size in SIZES) for s in range(4)]
    y = draw(
        st.lists(st.sampled_from(CLASSES), min_size=n + 4, max_size=n + 4)
    )
    y[-1], y[-2] = CLASSES
    return np.array(rows), y


@given(
    coded(),
    st.sampled_from([("bayes", 1), ("bayes", 0.25), ("map", 2), ("map", 1.5)]),
)
@settings(max_examples=25)
def test_equals_exact_fractions(data, how):
    X, y = data
    estimate, alpha = how
    model = CategoricalNB(
        alpha=alpha, class_alpha=alpha, estimate=estimate
    ).fit(X, y)
    classes = sorted(set(y))
    prior = truth.class_distribution(y, classes, alpha, estimate)
    distributions = truth.tables(
        X.tolist(), y, classes, STATES, alpha, estimate
    )
    every = list(product(*STATES))
    wanted = [truth.joint(row, prior, distributions) for row in every]
    assert model.predict_joint_log_proba(every) == pytest.approx(
        truth.logs(wanted)
    )
    # A distribution of all rows and classes sums to one.
    if estimate == "bayes":
        assert sum(sum(row) for row in wanted) == 1
    posterior = [[float(p / sum(row)) for p in row] for row in wanted]
    assert model.predict_proba(every) == pytest.approx(np.array(posterior))
    best = [classes[np.argmax(row)] for row in posterior]
    sure = [max(row) - min(row) > 1e-9 for row in posterior]
    predicted = model.predict(every)
    assert predicted[sure].tolist() == np.array(best)[sure].tolist()


@given(coded())
@settings(max_examples=25)
def test_relative_frequencies_ignore_the_smoothing(data):
    X, y = data
    model = CategoricalNB(alpha=5, class_alpha=7, estimate="mle")
    model.fit(X, y)
    classes = sorted(set(y))
    prior = truth.class_distribution(y, classes, 0)
    distributions = truth.tables(X.tolist(), y, classes, STATES, 0)
    wanted = [truth.joint(row, prior, distributions) for row in X.tolist()]
    assert model.predict_joint_log_proba(X) == pytest.approx(
        truth.logs(wanted)
    )
    mode = CategoricalNB(alpha=1, class_alpha=1, estimate="map")
    assert mode.fit(X, y).predict_joint_log_proba(X) == pytest.approx(
        model.predict_joint_log_proba(X)
    )


@given(coded(), st.sampled_from([0.1, 1, 7]), st.booleans())
@settings(max_examples=25)
def test_equals_scikit_learn(data, alpha, fit_prior):
    X, y = data
    theirs = sklearn.naive_bayes.CategoricalNB(
        alpha=alpha, fit_prior=fit_prior, min_categories=5
    ).fit(X, y)
    ours = CategoricalNB(
        alpha=alpha,
        class_alpha=0,
        class_prior=None if fit_prior else "uniform",
        min_categories=5,
    ).fit(X, y)
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    for name in ("class_count_", "class_log_prior_"):
        assert getattr(ours, name) == pytest.approx(
            getattr(theirs, name), abs=1e-10
        )
    for name in ("category_count_", "feature_log_prob_"):
        for own, other in zip(
            getattr(ours, name), getattr(theirs, name), strict=True
        ):
            assert own == pytest.approx(other, abs=1e-10)
    every = list(product(range(5), repeat=3))
    assert ours.predict_log_proba(every) == pytest.approx(
        theirs.predict_log_proba(every), abs=1e-10
    )
    assert ours.predict_joint_log_proba(every) == pytest.approx(
        theirs.predict_joint_log_proba(every), abs=1e-10
    )


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.float64])
def test_equals_scikit_learn_on_many_rows(kind):
    rng = np.random.default_rng(11)
    sizes = [4] * 20 + [1, 2, 100]
    X = np.column_stack([rng.integers(s, size=5000) for s in sizes])
    y = rng.integers(5, size=5000)
    weights = rng.random(5000)
    theirs = sklearn.naive_bayes.CategoricalNB().fit(X, y, weights)
    ours = CategoricalNB(class_alpha=0).fit(X.astype(kind), y, weights)
    assert_allclose(
        ours.predict_log_proba(X.astype(kind)),
        theirs.predict_log_proba(X),
        rtol=0,
        atol=1e-10,
    )
    assert_allclose(
        ours.class_log_likelihood(X.astype(kind)),
        theirs.predict_joint_log_proba(X) - theirs.class_log_prior_,
        rtol=0,
        atol=1e-10,
    )


def test_the_estimates_are_those_of_the_conjugate_family():
    X, y = np.array([[0], [1], [0], [2], [0], [1]]), [0, 0, 0, 0, 0, 1]
    prior = DirichletCategorical([1.5] * 3)
    posterior = prior.update([0, 1, 0, 2, 0])
    mean = CategoricalNB(alpha=1.5).fit(X, y)
    assert np.exp(mean.feature_log_prob_[0][0]) == pytest.approx(
        np.asarray(posterior.mean(), float)
    )
    mode = CategoricalNB(alpha=1.5, estimate="map").fit(X, y)
    assert np.exp(mode.feature_log_prob_[0][0]) == pytest.approx(
        np.asarray(posterior.mode(), float)
    )


# -- labels -------------------------------------------------------------------

NAMES = np.array(["green", "black", "white", "a fourth"])


@pytest.mark.parametrize(
    "rename",
    [
        lambda X: NAMES[X],
        lambda X: NAMES[X].astype(object),
        lambda X: NAMES[X].tolist(),
        lambda X: pd.DataFrame(NAMES[X], columns=["x", "z", "w"]),
        lambda X: pd.DataFrame(NAMES[X]).astype("category"),
        lambda X: pd.DataFrame(NAMES[X]).astype("string"),
        lambda X: pd.DataFrame(
            {"x": NAMES[X[:, 0]], "z": X[:, 1] > 0, "w": X[:, 2]}
        ),
    ],
)
@given(coded())
@settings(max_examples=15)
def test_labels_of_any_kind_are_states(rename, data):
    X, y = data
    codes = CategoricalNB().fit(X, y)
    labels = CategoricalNB().fit(rename(X), y)
    assert labels.predict_joint_log_proba(rename(X)) == pytest.approx(
        codes.predict_joint_log_proba(X)
    )


def test_the_categories_are_those_that_occur_sorted():
    frame = pd.DataFrame({"x": ["b", "a", "c"], "z": [True, False, True]})
    model = CategoricalNB().fit(frame, [0, 1, 0])
    assert [list(own) for own in model.categories_] == [
        ["a", "b", "c"],
        [False, True],
    ]
    assert [c.shape for c in model.category_count_] == [(2, 3), (2, 2)]


def test_declared_categories_are_states_although_they_do_not_occur():
    declared = pd.CategoricalDtype(["lo", "mid", "hi"])
    frame = pd.DataFrame({"x": pd.Series(["lo", "hi"], dtype=declared)})
    model = CategoricalNB().fit(frame, [0, 1])
    assert np.exp(model.feature_log_prob_[0]).sum(axis=1) == pytest.approx(
        [1, 1]
    )
    new = pd.DataFrame({"x": pd.Series(["mid"], dtype=declared)})
    assert np.exp(model.class_log_likelihood(new)) == pytest.approx(
        np.array([[0.25, 0.25]])
    )


# -- unseen and missing -------------------------------------------------------


def test_unseen_categories_are_an_error_or_summed_out():
    X = pd.DataFrame(
        {"color": ["red", "blue", "red"], "size": ["S", "L", "L"]}
    )
    y = [0, 1, 1]
    new = pd.DataFrame({"color": ["green"], "size": ["L"]})
    strict = CategoricalNB().fit(X, y)
    with pytest.raises(ValueError, match=r"'green'.*'color'|'color'.*'green'"):
        strict.predict(new)
    loose = CategoricalNB(unseen="marginalise").fit(X, y)
    only_size = CategoricalNB().fit(X[["size"]], y)
    assert loose.predict_joint_log_proba(new) == pytest.approx(
        only_size.predict_joint_log_proba(new[["size"]])
    )


def test_a_misspelt_category_is_suggested():
    model = CategoricalNB().fit([["green"], ["black"]], [0, 1])
    with pytest.raises(ValueError, match="Did you mean 'green'"):
        model.predict([["gren"]])


def test_unseen_codes():
    model = CategoricalNB().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="2"):
        model.predict([[2]])
    loose = CategoricalNB(unseen="marginalise").fit([[0], [1]], [0, 1])
    assert loose.predict_joint_log_proba([[2]]) == pytest.approx(
        loose.class_log_prior_[None]
    )
    wide = CategoricalNB(min_categories=3).fit([[0], [1]], [0, 1])
    assert np.exp(wide.class_log_likelihood([[2]])) == pytest.approx(
        np.array([[0.25, 0.25]])
    )


@given(coded(), st.data())
@settings(max_examples=25)
def test_missing_values_are_summed_out(data, draw):
    X, y = data
    holes = X.astype(float)
    gaps = draw.draw(hnp.arrays(bool, (len(X) - 4, 3)))
    holes[: len(X) - 4][gaps] = np.nan
    model = CategoricalNB(missing="marginalise").fit(holes, y)
    known = [
        [None if np.isnan(s) else int(s) for s in row]
        for row in holes.tolist()
    ]
    classes = sorted(set(y))
    prior = truth.class_distribution(y, classes)
    distributions = truth.tables(known, y, classes, STATES)
    wanted = []
    for row in known:
        options = [
            own if s is None else (s,)
            for s, own in zip(row, STATES, strict=True)
        ]
        every = [
            truth.joint(one, prior, distributions) for one in product(*options)
        ]
        wanted.append([sum(p) for p in zip(*every, strict=True)])
    assert model.predict_joint_log_proba(holes) == pytest.approx(
        truth.logs(wanted)
    )


@pytest.mark.parametrize("hole", [None, np.nan, pd.NA])
def test_missing_labels(hole):
    frame = pd.DataFrame(
        {
            "x": pd.Series(["a", hole, "b", "a"], dtype=object),
            "z": ["u", "v", "v", "u"],
        }
    )
    y = [0, 0, 1, 1]
    with pytest.raises(ValueError, match=r"'x'|NaN"):
        CategoricalNB().fit(frame, y)
    model = CategoricalNB(missing="marginalise").fit(frame, y)
    rows = [("a", "u"), (None, "v"), ("b", "v"), ("a", "u")]
    prior = truth.class_distribution(y, [0, 1])
    distributions = truth.tables(rows, y, [0, 1], [("a", "b"), ("u", "v")])
    wanted = [truth.joint(row, prior, distributions) for row in rows]
    assert model.predict_joint_log_proba(frame) == pytest.approx(
        truth.logs(wanted)
    )
    fitted = CategoricalNB().fit(frame.iloc[[0, 2, 3]], [0, 1, 1])
    with pytest.raises(ValueError, match=r"'x'|NaN"):
        fitted.predict(frame)


def test_a_column_cannot_hold_codes_now_and_labels_then():
    model = CategoricalNB().partial_fit(
        pd.DataFrame({"x": ["a", "b"]}), [0, 1], classes=[0, 1]
    )
    before = model.to_frame()
    with pytest.raises(ValueError, match=r"'x'|[Cc]olumn"):
        model.partial_fit(pd.DataFrame({"x": [0, 1]}), [0, 1])
    pd.testing.assert_frame_equal(model.to_frame(), before)
    with pytest.raises(ValueError, match="'x'"):
        model.predict(pd.DataFrame({"x": [0, 1]}))
    codes = CategoricalNB().fit(pd.DataFrame({"x": [0, 1]}), [0, 1])
    with pytest.raises(ValueError, match="'a'"):
        codes.predict(pd.DataFrame({"x": ["a", "b"]}))


def test_parts_may_declare_their_categories_differently():
    y = np.array([0, 1, 1, 0])
    labels = ["lo", "hi", "mid", "hi"]
    texts = pd.DataFrame({"x": labels})
    parts = CategoricalNB()
    for i in range(4):
        own = texts.iloc[[i]].astype("category")
        parts.partial_fit(own, y[[i]], classes=[0, 1])
    wanted = CategoricalNB().fit(texts, y)
    assert parts.predict_joint_log_proba(texts) == pytest.approx(
        wanted.predict_joint_log_proba(texts)
    )
    new = pd.DataFrame({"x": pd.Categorical(["mid"], ["mid", "lo"])})
    assert parts.predict_joint_log_proba(new) == pytest.approx(
        wanted.predict_joint_log_proba(texts)[[2]]
    )


def test_missing_is_not_unseen():
    frame = pd.DataFrame({"x": ["a", "b"]})
    model = CategoricalNB(missing="marginalise").fit(frame, [0, 1])
    with pytest.raises(ValueError, match="'c'"):
        model.predict(pd.DataFrame({"x": ["c"]}))
    loose = CategoricalNB(unseen="marginalise").fit(frame, [0, 1])
    with pytest.raises(ValueError, match=r"'x'|NaN"):
        loose.predict(pd.DataFrame({"x": [None]}))


# -- bad input ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[-1], [1]], "-1|[Nn]egative"),
        ([[np.inf], [1.0]], "inf"),
        (sparse.csr_array([[0], [1]]), "[Ss]parse"),
    ],
)
def test_codes_that_make_no_sense(X, message):
    with pytest.raises((ValueError, TypeError), match=message):
        CategoricalNB().fit(X, [0, 1])


def test_broken_codes_are_cut_off_with_a_warning():
    # scikit-learn cuts them off without.
    with pytest.warns(DataConversionWarning, match=r"1\.5 in row 2, column 0"):
        model = CategoricalNB().fit([[0.0], [1.0], [1.5]], [0, 1, 1])
    whole = CategoricalNB().fit([[0], [1], [1]], [0, 1, 1])
    assert model.predict_proba([[1]]).tolist() == (
        whole.predict_proba([[1]]).tolist()
    )


def test_huge_codes_do_not_fill_the_memory():
    with pytest.raises((ValueError, MemoryError)):
        CategoricalNB().fit([[0], [10**12]], [0, 1])


@pytest.mark.parametrize("least", [-1, 1.5, "x", [2, 2]])
def test_numbers_of_categories_that_make_no_sense(least):
    with pytest.raises(ValueError, match="min_categories"):
        CategoricalNB(min_categories=least).fit([[0], [1]], [0, 1])


def test_modes_that_do_not_exist():
    # A pseudo-count below 1 and a count of 0: the density has no maximum.
    with pytest.raises(ValueError, match="alpha"):
        CategoricalNB(alpha=0.5, estimate="map").fit(
            [[0], [1]], [0, 1]
        ).predict_joint_log_proba([[0]])


def test_the_look_up_table_holds_the_distributions():
    frame = pd.DataFrame({"color": ["red", "blue", "red"], "big": [1, 0, 0]})
    model = CategoricalNB().fit(frame, ["a", "b", "b"])
    table = model.to_frame()
    values = np.sort(table.to_numpy(float).ravel())
    wanted = np.sort(
        np.concatenate(
            [np.exp(own).ravel() for own in model.feature_log_prob_]
        )
    )
    assert values == pytest.approx(wanted)
    text = table.to_string()
    for name in ("color", "red", "blue", "big"):
        assert name in text


def test_as_a_network_it_is_a_star_with_the_same_posteriors():
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(
        {
            "sky": rng.choice(["blue", "grey"], 60),
            "wind": rng.choice(["east", "west", "none"], 60),
            "class": rng.integers(0, 4, 60),
        }
    )
    labels = rng.choice(["dry", "rain", "snow"], 60)
    model = CategoricalNB(missing="marginalise").fit(frame, labels)
    network = model.to_network()
    # A column may bear the name that the class would have.
    assert network.nodes == ("class_", "sky", "wind", "class")
    assert set(network.graph.edges) == {("class_", name) for name in frame}
    assert network.states["class_"] == ("dry", "rain", "snow")
    assert [table.title for table in model.to_tables()] == [
        "P(class_)",
        "P(sky | class_)",
        "P(wind | class_)",
        "P(class | class_)",
    ]
    # A missing value is a node that is not observed.
    gaps = frame.astype(object).mask(rng.random(frame.shape) < 0.3, None)
    gaps["class"] = gaps["class"].astype(float)
    for row, distribution in zip(
        gaps.itertuples(index=False), model.predict_proba(gaps), strict=True
    ):
        known = dict(zip(frame, row, strict=True))
        known = {n: s for n, s in known.items() if not pd.isna(s)}
        posterior = enumerate_posterior(network, "class_", known)
        assert_allclose(posterior.values, distribution, rtol=0, atol=1e-12)


def test_without_any_row_of_a_class_there_is_no_table():
    X = pd.DataFrame({"sky": ["blue", None, "grey"]})
    model = CategoricalNB(alpha=0, missing="marginalise")
    model.fit(X, ["dry", "rain", "dry"])
    for give in (model.to_tables, model.to_network):
        with pytest.raises(ProbabilityError, match="sky given class=rain"):
            give()
    with pytest.raises(NotFittedError):
        CategoricalNB().to_network()


def test_sampled_rows_follow_the_distribution():
    frame = pd.DataFrame({"x": ["a", "b", "b", "c"], "z": [0, 1, 1, 1]})
    y = ["p", "p", "q", "q"]
    model = CategoricalNB().fit(frame, y)
    rows, labels = model.sample(20_000, rng=2)[:2]
    rows, labels = np.asarray(rows, dtype=object), np.asarray(labels)
    prior = truth.class_distribution(y, ["p", "q"])
    distributions = truth.tables(
        frame.to_numpy().tolist(), y, ["p", "q"], [tuple("abc"), (0, 1)]
    )
    for x, z, k in product("abc", (0, 1), (0, 1)):
        is_it = (rows[:, 0] == x) & (rows[:, 1] == z) & (labels == "pq"[k])
        wanted = float(truth.joint((x, z), prior, distributions)[k])
        assert is_it.mean() == pytest.approx(wanted, abs=0.02)


def test_a_text_is_no_code_even_if_it_looks_like_one():
    model = CategoricalNB().fit(pd.DataFrame({"rooms": [0, 1, 2]}), [0, 1, 1])
    with pytest.raises(ProbabilityError, match="column 'rooms' is '2'"):
        model.predict(pd.DataFrame({"rooms": ["2"]}))


def test_a_code_beside_texts_is_named_with_its_column():
    frame = pd.DataFrame({"word": ["a", "b"], "code": [0, 1]})
    for bad, message in ((-1, "Negative values"), (2**50, "too large")):
        with pytest.raises(ValueError, match=f"{message}.*row 1.*'code'"):
            CategoricalNB().fit(frame.assign(code=[0, bad]), [0, 1])
    with pytest.warns(DataConversionWarning, match=r"1\.5 in row 1.*'code'"):
        CategoricalNB().fit(frame.assign(code=[0, 1.5]), [0, 1])
    model = CategoricalNB().fit(frame, [0, 1])
    with pytest.raises(ValueError, match="row 1 of column 'code'"):
        model.predict(frame.assign(code=[0, 2]))
    model.set_params(unseen="marginalise")
    word = CategoricalNB().fit(frame[["word"]], [0, 1])
    assert model.class_log_likelihood(
        frame.assign(code=[2, 2])
    ) == pytest.approx(word.class_log_likelihood(frame[["word"]]))


def test_a_column_without_any_value():
    X = [["a", None], ["b", None]]
    model = CategoricalNB(missing="marginalise").fit(X, [0, 1])
    with pytest.raises(ValueError, match="Column 1 had no value"):
        model.predict(X)


@pytest.mark.parametrize("Model", [CategoricalNB, LazyNB])
@pytest.mark.parametrize("hole", [None, np.nan])
def test_a_column_may_be_empty_in_some_of_the_parts(Model, hole):
    X = [[hole, "a"], [hole, hole], ["x", "b"], ["y", hole], [hole, "a"]]
    y = [0, 1, 1, 0, 1]
    wanted = CategoricalNB(missing="marginalise").fit(X, y)
    model = Model(missing="marginalise")
    for row, label in zip(X, y, strict=True):
        model.partial_fit([row], [label], classes=[0, 1])
    assert_allclose(
        model.predict_joint_log_proba(X),
        wanted.predict_joint_log_proba(X),
        atol=1e-12,
    )
    codes = Model(missing="marginalise")
    for row in [[np.nan, "a"], [1, "b"], [np.nan, "b"]]:
        codes.partial_fit([row], [0], classes=[0])
    assert codes.category_count_[0].tolist() == [[0, 1]]


def test_a_column_of_codes_without_any_value():
    model = CategoricalNB(missing="marginalise")
    model.fit([[0, np.nan], [1, np.nan]], [0, 1])
    with pytest.raises(ProbabilityError, match="Column 1 had no value"):
        model.predict([[0, np.nan]])


@pytest.mark.parametrize("Model", [CategoricalNB, LazyNB])
@pytest.mark.parametrize("kind", [np.uint8, np.uint64])
def test_unseen_codes_of_a_type_without_a_sign(Model, kind):
    X = np.array([[0, 1], [1, 1]], dtype=kind)
    model = Model(unseen="marginalise").fit(X, [0, 1])
    wanted = model.class_log_likelihood([[1, 0]])
    # The second column is left out, and says the same in both classes.
    difference = (
        model.class_log_likelihood(np.array([[1, 7]], dtype=kind)) - wanted
    )
    assert difference[0, 0] == pytest.approx(difference[0, 1])


@pytest.mark.parametrize("states", [[0.5, 1.5], [-1, 1], [False, True]])
def test_numbers_among_declared_categories(states):
    column = pd.Categorical([states[0], states[1], states[1]], states)
    model = CategoricalNB().fit(pd.DataFrame({"x": column}), [0, 1, 1])
    plain = pd.DataFrame({"x": states})
    wanted = [[2 / 3, 1 / 4], [1 / 3, 3 / 4]]
    for X in (plain, plain.to_numpy(), plain.to_numpy().tolist()):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # names left out
            got = np.exp(model.class_log_likelihood(X))
        assert_allclose(got, wanted)
    with pytest.raises(ProbabilityError, match="is 7, which is none of"):
        model.predict(pd.DataFrame({"x": [7]}))


def test_truth_values_beside_gaps_are_codes_as_without_gaps():
    X = [[True, "a"], [False, "b"], [None, "b"]]
    model = CategoricalNB(missing="marginalise")
    for row in X:
        model.partial_fit([row], [0], classes=[0])
    assert model.category_count_[0].tolist() == [[1, 1]]
    whole = CategoricalNB(missing="marginalise").fit(X, [0, 0, 0])
    assert whole.category_count_[0].tolist() == [[1, 1]]
    for X in ([[True]], [[None]]):
        model = CategoricalNB(missing="marginalise")
        model.fit([[True], [False], [True], [None]], [0, 0, 0, 0])
        wanted = 1 if X == [[None]] else 3 / 5
        assert np.exp(model.class_log_likelihood(X)) == pytest.approx(wanted)


def test_a_truth_value_of_numpy_is_a_code():
    frame = pd.DataFrame({"x": ["a", "b"], "y": [True, False]})
    model = CategoricalNB().fit(frame, [0, 1])
    asked = frame.assign(y=np.array([np.True_, 0], dtype=object))
    assert (model.predict(asked) == [0, 1]).all()


def test_columns_of_types_that_no_array_has_together():
    frame = pd.DataFrame(
        {
            "day": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-02"]),
            "open": [True, False, False],
            "number": pd.array([0, 1, 1], dtype="Float64"),
            "sky": pd.Categorical(["grey", "blue", "blue"]),
        }
    )
    for columns in (["day", "open"], ["number", "sky"], list(frame)):
        model = CategoricalNB().fit(frame[columns], [0, 1, 1])
        assert model.predict(frame[columns]).tolist() == [0, 1, 1]


def test_parts_with_tuples_as_labels():
    X = np.empty((3, 1), dtype=object)
    X[:, 0] = [(1, 2), (1,), (2, 3)]
    model = CategoricalNB().partial_fit(X[:1], [0], classes=[0, 1])
    model.partial_fit(X[1:2], [1])
    model.partial_fit(X[2:], [1])
    assert list(model.categories_[0]) == [(1,), (1, 2), (2, 3)]
    assert_allclose(model.category_count_[0], [[0, 1, 0], [1, 0, 1]])
