"""LazyNB counts when it is asked, and says what the others say."""

import copy
import pickle

import naive_truth as truth
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import CategoricalNB, LazyNB

FRAME = pd.DataFrame(
    {
        "color": ["green", "black", "black", "green", "white", "green"],
        "knock": ["dull", "dull", "crisp", "dull", "crisp", "muffled"],
    }
)
GOOD = ["yes", "yes", "no", "yes", "no", "no"]


def test_equals_exact_fractions():
    rows = FRAME.to_numpy().tolist()
    prior = truth.class_distribution(GOOD, ["no", "yes"])
    distributions = truth.tables(
        rows,
        GOOD,
        ["no", "yes"],
        [("black", "green", "white"), ("crisp", "dull", "muffled")],
    )
    wanted = [truth.joint(row, prior, distributions) for row in rows]
    model = LazyNB().fit(FRAME, GOOD)
    assert model.predict_joint_log_proba(FRAME) == pytest.approx(
        truth.logs(wanted)
    )


@st.composite
def batches(draw):
    """Rows in which every state occurs, in parts."""
    n = draw(st.integers(0, 20))
    X = [[0, 0], [1, 1], [2, 2]]
    X += [[draw(st.integers(0, 2)), draw(st.integers(0, 2))] for _ in range(n)]
    y = draw(st.lists(st.sampled_from("ab"), min_size=n + 3, max_size=n + 3))
    y[0], y[1] = "ab"
    weights = draw(st.lists(st.integers(1, 4), min_size=n + 3, max_size=n + 3))
    cuts = sorted(draw(st.sets(st.integers(1, n + 2), max_size=4)))
    return np.array(X), np.array(y), np.array(weights), cuts


@given(
    batches(),
    st.sampled_from([("bayes", 1), ("bayes", 0.5), ("map", 2), ("mle", 1)]),
    st.sampled_from([None, "uniform", [0.3, 0.7]]),
)
@settings(max_examples=25)
def test_look_up_and_lazy_and_incremental_are_one(data, how, prior):
    X, y, weights, cuts = data
    estimate, alpha = how
    options = {
        "estimate": estimate,
        "alpha": alpha,
        "class_alpha": alpha,
        "class_prior": prior,
    }
    wanted = (
        CategoricalNB(**options).fit(X, y, weights).predict_joint_log_proba(X)
    )
    lazy = LazyNB(**options).fit(X, y, sample_weight=weights)
    assert lazy.predict_joint_log_proba(X) == pytest.approx(wanted, abs=1e-12)
    for kind in (LazyNB, CategoricalNB):
        model = kind(**options)
        for rows in np.split(np.arange(len(X)), cuts):
            model.partial_fit(
                X[rows],
                y[rows],
                classes=["a", "b"],
                sample_weight=weights[rows],
            )
        assert model.predict_joint_log_proba(X) == pytest.approx(
            wanted, abs=1e-12
        )
        assert model.class_count_.tolist() == [
            weights[y == k].sum() for k in "ab"
        ]


def test_the_same_probabilities_on_many_rows():
    rng = np.random.default_rng(20)
    X, y = rng.integers(4, size=(3000, 12)), rng.integers(5, size=3000)
    wanted = CategoricalNB().fit(X, y).predict_proba(X[:200])
    lazy = LazyNB().fit(X, y).predict_proba(X[:200])
    assert lazy == pytest.approx(wanted, abs=1e-12)


def test_what_is_learnt_between_questions_counts():
    model = LazyNB().partial_fit(FRAME, GOOD, classes=["no", "yes"])
    before = model.predict_proba(FRAME[:1])
    model.partial_fit(FRAME[:1], ["no"])
    both = pd.concat([FRAME, FRAME[:1]])
    wanted = CategoricalNB().fit(both, [*GOOD, "no"]).predict_proba(FRAME[:1])
    assert model.predict_proba(FRAME[:1]) == pytest.approx(wanted)
    assert wanted[0, 0] > before[0, 0]


def test_rows_that_change_later_were_copied():
    X, y = np.array([[0], [1], [1]]), np.array([0, 1, 1])
    model = LazyNB().fit(X, y)
    before = model.predict_proba([[0], [1]])
    X[:] = 0
    y[:] = 0
    assert model.predict_proba([[0], [1]]).tolist() == before.tolist()


@given(batches(), st.data())
@settings(max_examples=25)
def test_gaps_and_unseen_states_are_summed_out(data, draw):
    X, y, weights, cuts = data
    holes = X.astype(float)
    for i in draw.draw(st.sets(st.integers(2, len(X) - 1), max_size=5)):
        holes[i, i % 2] = np.nan
    options = {"missing": "marginalise", "unseen": "marginalise"}
    lazy = LazyNB(**options)
    for rows in np.split(np.arange(len(X)), cuts):
        lazy.partial_fit(holes[rows], y[rows], ["a", "b"], weights[rows])
    at = np.vstack([holes, [[7, 1], [np.nan, 9]]])
    wanted = CategoricalNB(**options).fit(holes, y, weights)
    assert lazy.predict_joint_log_proba(at) == pytest.approx(
        wanted.predict_joint_log_proba(at), abs=1e-12
    )


def test_unseen_categories():
    model = LazyNB().fit(FRAME, GOOD)
    new = FRAME[:1].assign(color="red")
    with pytest.raises(ValueError, match="'red'"):
        model.predict(new)


def test_what_the_table_refuses_is_refused():
    rows, y = [[0], [1], [0], [2]], [0, 0, 1, 1]
    for kind in (CategoricalNB, LazyNB):
        model = kind(estimate="map", alpha=0.5).fit(rows, y)
        with pytest.raises(ProbabilityError, match="no mode"):
            model.predict([[0]])
        model = kind(missing="marginalise").fit([[None], [None]], [0, 1])
        with pytest.raises(ProbabilityError, match="0 had no value"):
            model.predict([[None]])
        with pytest.raises(ValueError, match=f"passed to {kind.__name__}"):
            kind().fit([[-1]], [0])


def test_gaps_stay_gaps_when_new_states_come():
    X = pd.DataFrame({"x": ["b", None, "c", "a"], "z": ["u", "u", "v", "v"]})
    y, weights = np.array([0, 1, 1, 0]), np.array([1.0, 2, 1, 3])
    lazy = LazyNB(missing="marginalise")
    for rows in ([0, 1], [2, 3]):
        own = weights[rows]
        lazy.partial_fit(X.iloc[rows], y[rows], [0, 1], own)
        # Who gave the weights may change theirs.
        own[:] = 100
    whole = CategoricalNB(missing="marginalise").fit(X, y, weights)
    assert lazy.rows_.tolist() == [[1, 0], [-1, 0], [2, 1], [0, 1]]
    assert lazy.predict_joint_log_proba(X) == pytest.approx(
        whole.predict_joint_log_proba(X)
    )


def test_a_mode_is_not_asked_of_a_column_that_is_left_out():
    X = [["a", 0], ["a", 0], ["a", 1], ["a", 1]]
    wanted, lazy = (
        Model(alpha=0.5, estimate="map", unseen="marginalise").fit(X, [0] * 4)
        for Model in (CategoricalNB, LazyNB)
    )
    asked = [["b", 1]]
    assert lazy.class_log_likelihood(asked) == wanted.class_log_likelihood(
        asked
    )


@pytest.mark.parametrize("states", [[0, 1], ["a", "b"]])
def test_more_rows_do_not_copy_the_stored_ones(states):
    model = LazyNB().partial_fit([[s] for s in states], [0, 1], classes=[0, 1])
    copies = 0
    for i in range(500):
        before = model.rows_
        model.partial_fit([[states[i % 2]]], [i % 2])
        copies += not np.shares_memory(before, model.rows_)
    assert copies <= 10
    X = [[states[i % 2]] for i in range(502)]
    at_once = LazyNB().fit(X, [i % 2 for i in range(502)])
    np.testing.assert_array_equal(model.rows_, at_once.rows_)
    np.testing.assert_array_equal(
        model.predict_log_proba(X[:2]), at_once.predict_log_proba(X[:2])
    )


def test_copies_that_share_rows_learn_each_for_itself():
    X, y = np.array([[0, 1], [1, 0], [1, 1]]), np.array([0, 1, 1])
    first = LazyNB().fit(X, y).partial_fit(X, y)
    others = [copy.copy(first) for _ in range(2)]
    for own, other in enumerate(others):
        other.partial_fit([[own, 0]], [own])
    for own, other in enumerate([*others, first]):
        more = [] if other is first else [[own, 0]]
        expected = np.vstack([X, X, *more])
        np.testing.assert_array_equal(other.rows_, expected)
    # Spare memory is no part of what is stored.
    again = pickle.loads(pickle.dumps(others[0]))
    np.testing.assert_array_equal(again.rows_, others[0].rows_)
    assert again.rows_.base is None or len(again.rows_.base) == 7
    np.testing.assert_array_equal(
        again.partial_fit(X, y).predict_proba(X),
        others[0].partial_fit(X, y).predict_proba(X),
    )
