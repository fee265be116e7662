"""What no classifier accepts, and how it says so."""

import numpy as np
import pandas as pd
import pytest
from naive_examples import KINDS, data_for, every, rows_of
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import (
    DCMNB,
    TAN,
    BernoulliNB,
    CategoricalNB,
    EntropyDiscretizer,
    GaussianNB,
    LazyNB,
    MixedNB,
    MultinomialNB,
    MutualInformationSelector,
)

# -- bad input ----------------------------------------------------------------


@every
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, r"y"),
        (["ham", None] * 30, r"no label in row 1"),
        ([0.0, np.nan] * 30, r"NaN|y"),
        (np.linspace(0, 1, 60), r"[Uu]nknown label type|continuous"),
        (["ham"] * 59, r"inconsistent|59"),
        (np.eye(60), r"1d array|label"),
    ],
)
def test_labels_that_make_no_sense(kind, labels, message):
    X, _ = data_for(kind)
    labels = (
        np.array(labels, dtype=object) if isinstance(labels, list) else labels
    )
    with pytest.raises((ValueError, TypeError), match=message):
        kind().fit(X, labels)


@every
def test_changed_feature_names(kind):
    X, y = data_for(kind)
    frame = pd.DataFrame(X)
    frame.columns = ["a", "b", "c", "d"]
    model = kind().fit(frame, y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert model.n_features_in_ == 4
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"b": "beta"}))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["b", "a", "c", "d"]])


@pytest.mark.parametrize("kind", [BernoulliNB, MultinomialNB, GaussianNB])
def test_text_in_columns_of_numbers(kind):
    frame = pd.DataFrame({"x": [1, 2, 3], "word": ["egg", "ham", "ham"]})
    with pytest.raises(ValueError, match=r"'?egg'?"):
        kind().fit(frame, [0, 1, 1])


WRONG = [
    ("alpha", -1),
    ("alpha", np.nan),
    ("alpha", "x"),
    ("class_alpha", -0.5),
    ("class_alpha", np.inf),
    ("class_alpha", None),
    ("estimate", "mean"),
    ("estimate", None),
    ("missing", "marginalize"),
    ("missing", "drop"),
    ("unseen", "ignore"),
    ("unseen", True),
]


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (kind, *option)
        for kind in KINDS
        for option in WRONG
        if option[0] in kind().get_params()
    ],
)
def test_options_that_make_no_sense(kind, name, value):
    X, y = data_for(kind)
    with pytest.raises(ValueError, match=name.replace("_", ".")):
        kind(**{name: value}).fit(X, y)


def test_the_nearest_word_is_suggested():
    X, y = data_for(CategoricalNB)
    with pytest.raises(ValueError, match="Did you mean 'marginalise'"):
        CategoricalNB(missing="marginalize").fit(X, y)
    with pytest.raises(ValueError, match="Did you mean 'bayes'"):
        CategoricalNB(estimate="bays").fit(X, y)


@pytest.mark.parametrize("kind", [CategoricalNB, LazyNB])
def test_options_are_read_in_training(kind):
    X, _ = data_for(kind)
    model = kind(missing="marginalize")
    # Tags can always be asked for, and say nothing of wrong options.
    assert not get_tags(model).input_tags.allow_nan
    with pytest.raises(NotFittedError):
        model.predict(X)


@pytest.mark.parametrize("kind", [CategoricalNB, LazyNB])
def test_data_frames_of_texts_and_mixed_columns(kind):
    frame = pd.DataFrame(
        {
            "text": ["a", "b", "a"],
            "mixed": ["a", 1, 2.5],
            "truth": [True, False, True],
            "when": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"]),
        }
    )
    model = kind().fit(frame, [0, 1, 0])
    assert model.predict(frame).tolist() == [0, 1, 0]


@every
def test_zero_rows_and_zero_columns(kind):
    X, y = data_for(kind)
    with pytest.raises(ValueError, match="0 sample"):
        kind().fit(rows_of(X, slice(0, 0)), y[:0])
    none = X.iloc[:, :0] if isinstance(X, pd.DataFrame) else X[:, :0]
    with pytest.raises(ValueError, match="0 feature"):
        kind().fit(none, y)


@every
def test_zero_rows_are_no_question_and_no_part(kind):
    X, y = data_for(kind)
    model = kind().fit(X, y)
    with pytest.raises(ValueError, match="0 sample"):
        model.predict(rows_of(X, slice(0, 0)))
    with pytest.raises(ValueError, match="0 sample"):
        model.partial_fit(rows_of(X, slice(0, 0)), y[:0])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != MixedNB])
def test_rows_without_the_names_of_training(kind):
    X, y = data_for(kind)
    model = kind().fit(pd.DataFrame(X, columns=list("abcd")), y)
    with pytest.warns(UserWarning, match="valid feature names"):
        model.predict(X)


@pytest.mark.parametrize("kind", [BernoulliNB, DCMNB, MultinomialNB])
@pytest.mark.parametrize("layout", ["csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csr_matrix])
def test_sparse_formats(kind, layout, form):
    X, y = np.array([[1, 0], [0, 2], [1, 1.0], [0, 0]]), [0, 1, 1, 0]
    wanted = kind().fit(X, y).predict_proba(X)
    data = form(X).asformat(layout)
    assert kind().fit(data, y).predict_proba(data) == pytest.approx(wanted)


@pytest.mark.parametrize("kind", [DCMNB, MultinomialNB])
@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_counts_that_cannot_be_added_up(kind, form):
    X = form([[1.0, 0.0], [2.0, 1e308]])
    with pytest.raises(ValueError, match=r"Too large values.*row 1, column 1"):
        kind().fit(X, [0, 1])


@every
def test_weights_of_zero_only(kind):
    X, y = data_for(kind)
    with pytest.raises(ValueError, match=r"zero|weight"):
        kind().fit(X, y, sample_weight=np.zeros(60))


@every
def test_what_is_given_is_not_changed(kind):
    X, y = data_for(kind)
    before, labels = X.copy(), y.copy()
    model = kind().fit(X, y)
    model.predict_proba(X)
    model.partial_fit(X, y)
    assert np.array_equal(X, before)
    assert (y == labels).all()


@every
def test_two_columns_of_one_name(kind):
    X, y = data_for(kind)
    frame = pd.DataFrame(X).set_axis(["a", "b", "a", "c"], axis=1)
    with pytest.raises(ProbabilityError, match="Two columns are called 'a'"):
        kind().fit(frame, y)


@pytest.mark.parametrize("kind", [EntropyDiscretizer, TAN])
def test_two_columns_of_one_name_elsewhere(kind):
    frame = pd.DataFrame([[1, 0], [0, 1]], columns=["a", "a"])
    with pytest.raises(ProbabilityError, match="Two columns are called 'a'"):
        kind().fit(frame, [0, 1])
    with pytest.raises(ProbabilityError, match="Two columns are called 'a'"):
        MutualInformationSelector(k=1).fit(frame, [0, 1])


@every
def test_class_priors_in_a_dictionary(kind):
    X, y = data_for(kind)
    prior = {"eggs": 0.2, "ham": 0.3, "spam": 0.5}
    with pytest.raises(TypeError, match=r"a dict.*in the order of classes_"):
        kind(class_prior=prior).fit(X, y)
