"""MixedNB: a product of other classifiers, and of scikit-learn's."""

import naive_truth as truth
import numpy as np
import pandas as pd
import pytest
import sklearn.naive_bayes
from scipy import stats
from sklearn.compose import make_column_selector
from sklearn.utils import get_tags

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import (
    BernoulliNB,
    CategoricalNB,
    GaussianNB,
    MixedNB,
    MultinomialNB,
)


def frame(n=60, seed=19):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "density": rng.normal(size=n),
            "color": rng.choice(["green", "black", "white"], size=n),
            "sugar": rng.gamma(2, size=n),
            "touch": rng.choice(["hard", "soft"], size=n),
            "seeds": rng.integers(3, size=n),
        }
    ), rng.choice(["bad", "good", "odd"], size=n)


X, y = frame()
PARTS = [
    ("labels", CategoricalNB(alpha=2), ["color", "touch"]),
    ("numbers", GaussianNB(), ["density", "sugar"]),
    ("counts", MultinomialNB(), ["seeds"]),
]


def test_the_likelihood_is_the_product_of_those_of_the_parts():
    model = MixedNB(PARTS).fit(X, y)
    wanted = sum(
        part.fit(X[own], y).class_log_likelihood(X[own])
        for _, part, own in PARTS
    )
    assert model.class_log_likelihood(X) == pytest.approx(wanted)
    prior = truth.class_distribution(y.tolist(), ["bad", "good", "odd"])
    assert np.exp(model.class_log_prior_) == pytest.approx(
        [float(p) for p in prior]
    )
    assert model.predict_joint_log_proba(X) == pytest.approx(
        model.class_log_prior_ + wanted
    )
    joint = model.predict_joint_log_proba(X)
    assert model.predict(X).tolist() == [
        model.classes_[k] for k in joint.argmax(axis=1)
    ]


def test_the_products_of_scikit_learn():
    codes = X[["color", "touch"]].apply(lambda x: pd.factorize(x)[0])
    numbers = X[["density", "sugar"]]
    categorical = sklearn.naive_bayes.CategoricalNB(alpha=2).fit(codes, y)
    gaussian = sklearn.naive_bayes.GaussianNB().fit(numbers, y)
    wanted = (
        categorical.predict_joint_log_proba(codes)
        + gaussian.predict_joint_log_proba(numbers)
        - categorical.class_log_prior_
    )
    model = MixedNB(PARTS[:2], class_alpha=0)
    own = X.drop(columns="seeds")
    assert model.fit(own, y).predict_joint_log_proba(own) == pytest.approx(
        wanted, abs=1e-10
    )


def test_by_hand():
    melons = pd.DataFrame(
        {"knock": ["dull", "dull", "crisp", "dull"], "sugar": [1.0, 3, 0, 4]}
    )
    labels = ["yes", "yes", "no", "no"]
    model = MixedNB().fit(melons, labels)
    new = pd.DataFrame({"knock": ["crisp"], "sugar": [2.0]})
    # Laplace: dull, dull | yes gives (0 + 1) / (2 + 2) for crisp.
    yes = 1 / 2 * 1 / 4 * stats.norm(2, 1).pdf(2)
    no = 1 / 2 * 2 / 4 * stats.norm(2, 2).pdf(2)
    assert np.exp(model.predict_joint_log_proba(new))[0] == pytest.approx(
        [no, yes], rel=1e-6
    )


def test_float_columns_are_gaussian_and_the_others_categorical():
    auto = MixedNB().fit(X, y)
    parts = [
        ("labels", CategoricalNB(), ["color", "touch", "seeds"]),
        ("numbers", GaussianNB(), ["density", "sugar"]),
    ]
    assert auto.predict_joint_log_proba(X) == pytest.approx(
        MixedNB(parts).fit(X, y).predict_joint_log_proba(X)
    )
    only = MixedNB().fit(X[["density"]], y)
    assert only.class_log_likelihood(X[["density"]]) == pytest.approx(
        GaussianNB()
        .fit(X[["density"]], y)
        .class_log_likelihood(X[["density"]])
    )
    booleans = X.assign(ripe=X["sugar"] > 2)[["ripe"]]
    assert MixedNB().fit(booleans, y).class_log_likelihood(
        booleans
    ) == pytest.approx(
        CategoricalNB().fit(booleans, y).class_log_likelihood(booleans)
    )


def test_arrays_have_numbers_of_columns():
    values = np.column_stack([X["density"], X["seeds"], X["sugar"]])
    model = MixedNB(
        [("n", GaussianNB(), [0, 2]), ("c", CategoricalNB(), [1])]
    ).fit(values, y)
    wanted = GaussianNB().fit(values[:, [0, 2]], y).class_log_likelihood(
        values[:, [0, 2]]
    ) + CategoricalNB().fit(values[:, [1]], y).class_log_likelihood(
        values[:, [1]]
    )
    assert model.class_log_likelihood(values) == pytest.approx(wanted)


@pytest.mark.parametrize("prior", ["uniform", [0.2, 0.3, 0.5]])
def test_the_prior_of_the_classes_enters_once(prior):
    # Those of the parts do not count.
    odd = [
        (name, part.set_params(class_alpha=50), own)
        for name, part, own in (
            ("c", CategoricalNB(), ["color", "touch", "seeds"]),
            ("n", GaussianNB(), ["density", "sugar"]),
        )
    ]
    model = MixedNB(odd, class_prior=prior).fit(X, y)
    distribution = [1 / 3] * 3 if prior == "uniform" else prior
    assert np.exp(model.class_log_prior_) == pytest.approx(distribution)
    assert model.predict_joint_log_proba(X) - model.class_log_likelihood(
        X
    ) == pytest.approx(np.log(np.tile(distribution, (len(X), 1))))


def test_what_the_parts_can_is_kept():
    holes = X.copy()
    holes.loc[3, "color"] = None
    holes.loc[5, "sugar"] = np.nan
    parts = [
        (
            "c",
            CategoricalNB(missing="marginalise", unseen="marginalise"),
            ["color", "touch"],
        ),
        ("n", GaussianNB(missing="marginalise"), ["density", "sugar"]),
        ("b", BernoulliNB(), ["seeds"]),
    ]
    model = MixedNB(parts).fit(holes, y)
    wanted = sum(
        part.fit(holes[own], y).class_log_likelihood(holes[own])
        for _, part, own in parts
    )
    assert model.class_log_likelihood(holes) == pytest.approx(wanted)
    new = holes[:1].assign(color="red")
    assert np.isfinite(model.predict_joint_log_proba(new)).all()


@pytest.mark.parametrize(
    ("missing", "allowed"),
    [
        (["marginalise", "marginalise"], True),
        (["marginalise", "error"], False),
        (["error", "marginalise"], False),
        (["error", "error"], False),
        ([], False),
    ],
)
def test_missing_values_are_allowed_if_every_part_allows_them(
    missing, allowed
):
    parts = [
        (f"part {i}", CategoricalNB(missing=each), [i])
        for i, each in enumerate(missing)
    ]
    assert get_tags(MixedNB(parts)).input_tags.allow_nan is allowed


def test_the_parts_that_were_given_are_not_trained():
    parts = [(name, part.__class__(), own) for name, part, own in PARTS]
    MixedNB(parts).fit(X, y)
    assert not any(hasattr(part, "classes_") for _, part, _ in parts)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            [("c", CategoricalNB(), ["colour", "touch"])],
            "'colour'.*'color'",
        ),
        (
            [("n", GaussianNB(), ["density", "sugar"])],
            "'color'",
        ),
        (
            [
                ("n", GaussianNB(), ["density", "sugar"]),
                ("c", CategoricalNB(), ["color", "touch", "seeds", "sugar"]),
            ],
            "'sugar'",
        ),
        (
            [
                ("n", GaussianNB(), ["density", "sugar"]),
                ("n", CategoricalNB(), ["color", "touch", "seeds"]),
            ],
            "'n'",
        ),
        ("aut", "'aut'"),
        ([], "part"),
        ([("n", GaussianNB())], "part"),
    ],
)
def test_parts_that_make_no_sense(parts, message):
    with pytest.raises((ValueError, TypeError), match=message):
        MixedNB(parts).fit(X, y)


def test_text_in_a_gaussian_part():
    parts = [
        ("n", GaussianNB(), ["density", "color"]),
        ("c", CategoricalNB(), ["sugar", "touch", "seeds"]),
    ]
    with pytest.raises(ValueError, match=r"'?(green|black|white)'?"):
        MixedNB(parts).fit(X, y)


def test_the_order_of_named_columns_is_the_users():
    # scikit-learn's convention: other order, other names: an error.
    model = MixedNB().fit(X, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[X.columns[::-1]])


def test_sampled_rows_follow_the_distribution():
    parts = [
        ("labels", CategoricalNB(), ["color", "touch", "seeds"]),
        ("numbers", GaussianNB(), ["density", "sugar"]),
    ]
    model = MixedNB(parts).fit(X, y)
    rows, labels = model.sample(20_000, rng=5)
    assert isinstance(rows, pd.DataFrame)
    assert list(rows.columns) == list(X.columns)
    labels = np.asarray(labels)
    gaussian = GaussianNB().fit(X[["density", "sugar"]], y)
    for k, label in enumerate(["bad", "good", "odd"]):
        own = rows[labels == label]
        for color in ("black", "green", "white"):
            wanted = truth.state_distribution(
                X["color"].tolist(), y, label, ["black", "green", "white"]
            )[color]
            assert (own["color"] == color).mean() == pytest.approx(
                float(wanted), abs=0.03
            )
        assert own[["density", "sugar"]].mean().to_numpy() == pytest.approx(
            gaussian.theta_[k], abs=0.1
        )


def test_documents_have_no_length_to_draw():
    model = MixedNB(PARTS).fit(X, y)
    with pytest.raises(
        ValueError, match="MultinomialNB draws documents of given lengths"
    ):
        model.sample(3, rng=1)


def columns_of(first, second):
    X = pd.DataFrame({"c": ["r", "g", "b"], "d": [1.0, 2, 4], "n": [0, 1, 1]})
    parts = [("a", CategoricalNB(), first), ("b", GaussianNB(), second)]
    model = MixedNB(parts).fit(X, [0, 1, 0])
    return [columns for _, _, columns in model.parts_]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["c"], ["d", "n"]),
        ("c", slice("d", "n")),
        (0, slice(1, 3)),
        ([True, False, False], [-2, -1]),
        (make_column_selector(dtype_exclude="number"), ["d", "n"]),
    ],
)
def test_columns_are_given_as_for_a_column_transformer(first, second):
    assert columns_of(first, second) == [[0], [1, 2]]


def test_a_selector_may_find_no_column():
    X = pd.DataFrame({"d": [1.0, 2, 4]})
    texts = make_column_selector(dtype_exclude="number")
    parts = [("a", CategoricalNB(), texts), ("b", GaussianNB(), ["d"])]
    assert [
        name for name, _, _ in MixedNB(parts).fit(X, [0, 1, 0]).parts_
    ] == ["b"]


@pytest.mark.parametrize("columns", [[0, 7], [1.5], slice("c", "x")])
def test_columns_that_are_none_are_refused(columns):
    with pytest.raises(ProbabilityError, match="in part 'a' are not columns"):
        columns_of(columns, ["d", "n"])


def test_parts_name_the_columns_of_the_whole_table():
    X = np.array([[1.0, 0, 2, 1], [2, 1, 3, 0], [4, 1, 2, 1], [3, 0, 1, 0]])
    parts = [("g", GaussianNB(), [0, 2]), ("c", CategoricalNB(), [1, 3])]
    model = MixedNB(parts).fit(X, [0, 1, 0, 1])
    tables = model.to_frame()
    assert tables["g"].index.unique("feature").tolist() == [0, 2]
    assert tables["c"].index.unique("feature").tolist() == [1, 3]

    def broken(column, value):
        Y = X.copy()
        Y[1, column] = value
        return Y

    with pytest.raises(ValueError, match="NaN: row 1, column 2"):
        model.predict(broken(2, np.nan))
    with pytest.raises(ValueError, match="-1 in row 1, column 3"):
        model.partial_fit(broken(3, -1), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="row 1 of column 3 is 7"):
        model.predict(broken(3, 7))
    objects = [["a", 1.5, "u", 2.5], ["b", 2.5, "v", 4.5]]
    model = MixedNB().fit(objects, [0, 1])
    with pytest.raises(ValueError, match="row 0 of column 2 is 'z'"):
        model.predict([["a", 1.5, "z", 2.5]])
