"""Columns of whole numbers: codes, names of states, or measurements."""

import warnings

import numpy as np
import pandas as pd
import pytest

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import (
    AODE,
    KDB,
    SPODE,
    TAN,
    CategoricalNB,
    GaussianNB,
    LazyNB,
    MixedNB,
)

MODELS = [
    CategoricalNB(),
    LazyNB(),
    MixedNB(),
    SPODE(),
    SPODE(parent=0),
    TAN(),
    KDB(),
    AODE(m=1),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)

# Li Hang (2019), table 4.1 and example 4.2.
LI_HANG = pd.DataFrame(
    {"X1": [1] * 5 + [2] * 5 + [3] * 5, "X2": list("SMMSSSMMLLLMMLL")}
)
Y = [-1, -1, 1, 1, -1, -1, -1, 1, 1, 1, 1, 1, 1, 1, -1]
ASKED = pd.DataFrame({"X1": [2], "X2": ["S"]})

RNG = np.random.default_rng(7)
PEOPLE = pd.DataFrame(
    {
        "age": RNG.integers(18, 90, 300),
        "income": RNG.integers(900, 90_000, 300),
        "children": RNG.integers(0, 5, 300),
    }
)
SIDE = np.arange(300) % 2


def told(fit):
    """Return the messages of the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit()
    return [str(warning.message) for warning in caught]


def test_names_of_states_give_the_numbers_of_the_book():
    names = LI_HANG.astype({"X1": "category"})
    joint = CategoricalNB().fit(names, Y).predict_joint_log_proba(ASKED)
    assert np.exp(joint).round(4).tolist() == [[0.0610, 0.0327]]
    texts = LI_HANG.astype(str)
    joint = (
        CategoricalNB()
        .fit(texts, Y)
        .predict_joint_log_proba(ASKED.astype(str))
    )
    assert np.exp(joint).round(4).tolist() == [[0.0610, 0.0327]]


@every_model
def test_whole_numbers_from_one_on_are_warned_of(model):
    (message,) = told(lambda: model.fit(LI_HANG, Y))
    assert "'X1'" in message
    assert "the codes 0 to 3, and none is 0" in message
    assert "'category'" in message
    assert "min_categories=4" in message
    chunks = [(LI_HANG[:8], Y[:8]), (LI_HANG[8:], Y[8:])]
    assert told(lambda: model.fit_chunks(chunks)) == [message]


@every_model
def test_what_was_declared_is_not_warned_of(model):
    declared = LI_HANG.astype({"X1": "category"})
    assert told(lambda: model.fit(declared, Y)) == []
    if not isinstance(model, MixedNB):
        codes = LI_HANG[["X1"]].assign(X3=0)
        model = type(model)(**model.get_params()).set_params(min_categories=4)
        assert told(lambda: model.fit(codes, Y)) == []


@every_model
def test_codes_are_not_warned_of(model):
    codes = np.arange(30)[:, None] % [3, 20]
    # A column of ones, such as that of a rare word in one fold.
    codes = np.column_stack([codes, np.ones(30, dtype=int)])
    assert told(lambda: model.fit(codes, np.arange(30) % 2)) == []
    truth = np.column_stack([codes == 0, codes[:, :1] > 0])
    assert told(lambda: model.fit(truth, np.arange(30) % 2)) == []


@every_model
def test_measurements_that_are_whole_numbers_are_warned_of(model):
    columns = PEOPLE[["age", "children"]]
    (message,) = told(lambda: model.fit(columns, SIDE))
    assert "'age'" in message
    assert "90 states, with 3 rows for each" in message
    assert "column of floats" in message
    assert "min_categories=90" in message
    # Enough rows for each state.
    many = pd.concat([columns.assign(age=columns["age"] % 25)] * 2)
    assert told(lambda: model.fit(many, np.tile(SIDE, 2))) == []


def test_batches_are_not_warned_of():
    X = PEOPLE[["age"]]
    model = CategoricalNB()
    assert told(lambda: model.partial_fit(X, SIDE, classes=[0, 1])) == []


def test_floats_are_measurements():
    floats = PEOPLE.astype({"age": float, "income": float})
    model = MixedNB()
    assert told(lambda: model.fit(floats, SIDE)) == []
    kinds = {name: columns for name, _, columns in model.parts_}
    assert kinds == {"categorical": [2], "gaussian": [0, 1]}
    assert model.predict(floats.assign(income=1e6)).shape == (300,)
    parts = [
        ("numbers", GaussianNB(), ["age", "income"]),
        ("states", CategoricalNB(), ["children"]),
    ]
    assert told(lambda: MixedNB(parts).fit(PEOPLE, SIDE)) == []


@pytest.mark.filterwarnings("ignore:The whole numbers of column")
@pytest.mark.parametrize(
    "model", [CategoricalNB(), MixedNB(), LazyNB()], ids=repr
)
def test_an_unseen_number_is_told_what_it_was_taken_for(model):
    model.fit(PEOPLE, SIDE)
    new = PEOPLE[:3].assign(income=[950, 100_043, 950])
    with pytest.raises(ProbabilityError) as raised:
        model.predict(new)
    message = str(raised.value)
    assert "row 1 of column 'income' is 100043." in message
    assert "codes of states, 0 to " in message
    assert "column of floats" in message
    assert "min_categories" in message
    assert "Did you mean" not in message
    of_part = (
        "a part CategoricalNB(unseen='marginalise') of MixedNB" in message
    )
    assert of_part == isinstance(model, MixedNB)


def test_an_unseen_text_in_a_part_names_the_part():
    model = MixedNB().fit([["green"], ["black"]], [0, 1])
    with pytest.raises(
        ProbabilityError, match=r"a part CategoricalNB\(unseen"
    ):
        model.predict([["gren"]])
