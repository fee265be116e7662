"""Mutual information, against the definition with exact fractions."""

from fractions import Fraction
from itertools import product
from math import isclose, log, log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.metrics import mutual_info_score

from bayesbook.base import ProbabilityError
from bayesbook.data import binary_mutual_information, mutual_information
from bayesbook.probability import Table, entropy, kl_divergence

# -- truth --------------------------------------------------------------------


def by_definition(x, y, pseudo_count=0, weights=None, states=None):
    """Sum P(c, s) log2 P(c, s) / (P(c) P(s)) over all pairs, by counting."""
    weights = [1] * len(y) if weights is None else weights
    rows = [row for row in zip(x, y, weights, strict=True) if row[2]]
    states = sorted({s for s, _, _ in rows}) if states is None else states
    classes = sorted({c for _, c, _ in rows})
    weight = dict.fromkeys(product(classes, states), Fraction(pseudo_count))
    for s, c, w in rows:
        weight[c, s] += Fraction(w)
    total = sum(weight.values())
    joint = {pair: w / total for pair, w in weight.items()}
    of_class = {c: sum(joint[c, s] for s in states) for c in classes}
    of_state = {s: sum(joint[c, s] for c in classes) for s in states}
    return sum(
        float(p) * log2(p / (of_class[c] * of_state[s]))
        for (c, s), p in joint.items()
        if p
    )


small = st.integers(0, 3)
columns = st.integers(1, 30).flatmap(
    lambda n: st.tuples(
        hnp.arrays(np.int64, (n, 3), elements=small),
        hnp.arrays(np.int64, n, elements=st.integers(0, 2)),
        hnp.arrays(np.int64, n, elements=small).filter(np.any),
    )
)


@given(columns, st.sampled_from([0, 1, Fraction(1, 4)]))
def test_equals_the_definition_with_exact_fractions(data, pseudo_count):
    X, y, weights = data
    scores = mutual_information(
        X, y, pseudo_count=float(pseudo_count), weights=weights, unit="bits"
    )
    wanted = [
        by_definition(x, y.tolist(), pseudo_count, weights.tolist())
        for x in X.T.tolist()
    ]
    assert scores == pytest.approx(wanted, abs=1e-12)


@given(columns, st.sampled_from([0, 1, Fraction(1, 4)]))
def test_sparse_columns_have_two_states_presence_and_absence(
    data, pseudo_count
):
    X, y, weights = data
    scores = mutual_information(
        sparse.csr_array(X),
        y,
        pseudo_count=float(pseudo_count),
        weights=weights,
        unit="bits",
    )
    wanted = [
        by_definition(
            x, y.tolist(), pseudo_count, weights.tolist(), [False, True]
        )
        for x in (X > 0).T.tolist()
    ]
    assert scores == pytest.approx(wanted, abs=1e-12)


@given(columns)
@settings(max_examples=25)
def test_equals_scikit_learn_in_nats(data):
    X, y, _ = data
    scores = mutual_information(X, y, unit="nats")
    wanted = [mutual_info_score(x, y) for x in X.T]
    assert scores == pytest.approx(wanted, abs=1e-12)


@given(columns)
@settings(max_examples=25)
def test_is_the_divergence_of_the_joint_distribution_from_independence(data):
    X, y, _ = data
    frame = pd.DataFrame({"X": X[:, 0], "C": y})
    joint = Table.from_frame(frame)
    apart = joint.marginal("X") * joint.marginal("C")
    assert mutual_information(X, y, unit="bits")[0] == pytest.approx(
        kl_divergence(joint, apart, unit="bits"), abs=1e-12
    )
    # H(X) + H(C) − H(X, C)
    x, c, both = (
        entropy(distribution, unit="bits")
        for distribution in (joint.marginal("X"), joint.marginal("C"), joint)
    )
    assert mutual_information(X, y, unit="bits")[0] == pytest.approx(
        x + c - both
    )


# -- properties ---------------------------------------------------------------


@given(columns)
@settings(max_examples=25)
def test_lies_between_zero_and_the_entropy_of_the_classes(data):
    X, y, _ = data
    of_class = entropy(np.bincount(y) / len(y), unit="bits")
    scores = mutual_information(X, y, unit="bits")
    assert (scores >= 0).all()
    assert (scores <= of_class + 1e-12).all()
    assert mutual_information(y[:, None], y, unit="bits")[0] == pytest.approx(
        of_class
    )


@given(columns)
@settings(max_examples=25)
def test_is_zero_exactly_if_the_counts_are_independent(data):
    X, y, _ = data
    scores = mutual_information(X, y, unit="bits")
    for score, x in zip(scores, X.T, strict=True):
        table = np.zeros((4, 3), dtype=int)
        np.add.at(table, (x, y), 1)
        expected = np.outer(table.sum(axis=1), table.sum(axis=0))
        is_independent = (table * len(y) == expected).all()
        assert (score == 0) == is_independent


@given(
    hnp.arrays(np.int64, 3, elements=st.integers(1, 9)),
    hnp.arrays(np.int64, 4, elements=st.integers(1, 9)),
)
def test_independent_counts_give_zero_and_nothing_below(rows, cols):
    counts = np.outer(rows, cols)
    y, x = np.repeat(np.indices(counts.shape).reshape(2, -1), counts.flat, 1)
    assert mutual_information(x[:, None], y, unit="bits").tolist() == [0]
    is_last = sparse.csr_array((x == 3)[:, None].astype(float))
    assert mutual_information(is_last, y, unit="bits").tolist() == [0]


def test_almost_independent_counts_keep_their_digits():
    # One of 10**8 rows more: the terms cancel to 16 digits.
    n = 10**8 // 4
    weights = [n + 1, n, n, n]
    X, y = [[0], [1], [0], [1]], [0, 0, 1, 1]
    score = mutual_information(X, y, unit="nats", weights=weights)
    # I ≈ Σ (observed − expected)² / (2 N expected), and what is left out is
    # smaller by the factor 1/N.
    N = Fraction(sum(weights))
    wanted = 0
    for i, w in enumerate(weights):
        row = weights[0] + weights[1] if i < 2 else weights[2] + weights[3]
        column = weights[i % 2] + weights[i % 2 + 2]
        expected = row * column / N
        wanted += (w - expected) ** 2 / (2 * N * expected)
    assert score[0] == pytest.approx(float(wanted), rel=1e-6)


@given(columns, st.permutations(range(4)), st.permutations(range(3)))
@settings(max_examples=25)
def test_new_names_change_nothing(data, states, classes):
    X, y, _ = data
    renamed = np.array(states)[X], np.array(classes)[y]
    assert mutual_information(*renamed, unit="bits") == pytest.approx(
        mutual_information(X, y, unit="bits"), abs=1e-12
    )


@given(columns, st.lists(small, min_size=4, max_size=4))
@settings(max_examples=25)
def test_a_function_of_a_feature_tells_no_more(data, function):
    X, y, _ = data
    less = mutual_information(np.array(function)[X], y, unit="bits")
    assert (less <= mutual_information(X, y, unit="bits") + 1e-12).all()


@given(columns)
@settings(max_examples=25)
def test_weights_are_repeated_rows(data):
    X, y, weights = data
    for pseudo_count in (0, 0.5):
        weighted = mutual_information(
            X, y, pseudo_count=pseudo_count, weights=weights, unit="bits"
        )
        repeated = mutual_information(
            X.repeat(weights, axis=0),
            y.repeat(weights),
            pseudo_count=pseudo_count,
            unit="bits",
        )
        assert weighted == pytest.approx(repeated, abs=1e-12)


@pytest.mark.parametrize("factor", [1e-200, 0.1, 1e200])
def test_the_unit_of_the_weights_does_not_matter(factor):
    rng = np.random.default_rng(1)
    X, y = rng.integers(3, size=(50, 4)), rng.integers(3, size=50)
    weights = rng.integers(1, 5, size=50)
    for data in (X, sparse.csr_array(X)):
        assert mutual_information(
            data, y, weights=weights * factor, unit="bits"
        ) == pytest.approx(
            mutual_information(data, y, weights=weights, unit="bits")
        )


def test_a_word_that_is_everywhere_tells_nothing():
    # Sums of such weights differ in the last digits with the order.
    rng = np.random.default_rng(2)
    y = rng.integers(4, size=4_000)
    everywhere = sparse.csr_array(np.ones((4_000, 60)))
    weights = rng.random(4_000)
    scores = mutual_information(everywhere, y, weights=weights, unit="bits")
    assert (scores >= 0).all()
    assert (scores < 1e-13).all()


def test_rare_words_tell_less_with_pseudo_count():
    y = [0] * 10 + [1] * 10
    often = [1] * 8 + [0] * 10 + [1] * 2
    once = [1] + [0] * 19
    X = sparse.csr_array(np.column_stack([often, once]))
    raw = mutual_information(X, y, unit="bits")
    smooth = mutual_information(X, y, pseudo_count=1, unit="bits")
    assert smooth[1] / smooth[0] < raw[1] / raw[0]


# -- closed form --------------------------------------------------------------


def test_a_channel_with_noise():
    # Of a fair coin, seen through noise 0.1: 1 − H(0.1) bits.
    p_km = [[0.9, 1, 0.5], [0.1, 0, 0.5]]
    noise = -0.1 * log2(0.1) - 0.9 * log2(0.9)
    assert binary_mutual_information(
        [0.5, 0.5], p_km, unit="bits"
    ) == pytest.approx([1 - noise, 1, 0])


def test_one_bit_is_log_2_nats():
    nats = binary_mutual_information([0.5, 0.5], [[1], [0]], unit="nats")
    assert nats == pytest.approx([log(2)])
    assert mutual_information([[1], [0]], [1, 0], unit="nats") == nats


@given(
    hnp.arrays(np.int64, 3, elements=st.integers(0, 9)).filter(np.any),
    hnp.arrays(np.int64, (3, 4), elements=st.integers(0, 10)),
)
def test_the_closed_form_is_the_divergence_of_tables(prior, tenths):
    pi_k, p_km = prior / prior.sum(), tenths / 10
    scores = binary_mutual_information(pi_k, p_km, unit="bits")
    for score, p_k in zip(scores, p_km.T, strict=True):
        joint = pi_k * np.array([p_k, 1 - p_k])
        apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        assert score == pytest.approx(
            kl_divergence(joint, apart, unit="bits"), abs=1e-12
        )
    assert (scores >= 0).all()
    assert (scores <= min(1, entropy(pi_k, unit="bits")) + 1e-12).all()


@given(columns)
def test_the_closed_form_of_smoothed_parameters_equals_that_of_data(data):
    X, y, _ = data
    present = np.array([(X[y == c] > 0).sum(axis=0) for c in np.unique(y)])
    N_k = np.unique(y, return_counts=True)[1]
    pi_k = (N_k + 2) / (len(y) + 2 * len(N_k))
    p_km = (present + 1) / (N_k[:, None] + 2)
    assert mutual_information(
        sparse.csr_array(X), y, pseudo_count=1, unit="bits"
    ) == pytest.approx(
        binary_mutual_information(pi_k, p_km, unit="bits"), abs=1e-12
    )


def test_equal_parameters_tell_nothing_and_nothing_below():
    rng = np.random.default_rng(4)
    for _ in range(20):
        pi_k = rng.dirichlet(np.ones(3))
        p_km = np.tile([*rng.random(50), 1, 0], (3, 1))
        scores = binary_mutual_information(pi_k, p_km, unit="bits")
        assert (scores >= 0).all()
        assert (scores < 1e-30).all()


# -- what can be a column -----------------------------------------------------


X = np.array([[0, 1], [0, 0], [1, 1], [1, 1], [2, 0]])
y = np.array(["a", "a", "b", "b", "a"])
WANTED = [by_definition(x, y.tolist()) for x in X.T.tolist()]
NAMES = np.array(["red", "green", "blue"])


@pytest.mark.parametrize(
    "same",
    [
        X.tolist(),
        X.astype(np.int8),
        X.astype(np.uint64),
        X.astype(float),
        X - 1,
        X * 10**12,
        X * -(10**17),
        NAMES[X],
        NAMES[X].astype(object),
        NAMES[X].tolist(),
        pd.DataFrame(X),
        pd.DataFrame(X).astype(float),
        pd.DataFrame(X, columns=["x", "x"]),
        pd.DataFrame(NAMES[X], columns=["x", "z"]),
        pd.DataFrame(NAMES[X]).astype("category"),
        pd.DataFrame({"x": NAMES[X[:, 0]], 7: X[:, 1] > 0}),
        pd.DataFrame({"x": X[:, 0] / 1.0, "z": list(NAMES[X[:, 1]])}),
        pd.DataFrame(X).astype("Int64"),
        np.asfortranarray(X),
    ],
)
def test_codes_and_labels_of_every_kind(same):
    assert mutual_information(same, y, unit="bits") == pytest.approx(WANTED)


@pytest.mark.parametrize(
    "same",
    [
        y.tolist(),
        y.astype(object),
        pd.Series(y, index=[9, 8, 7, 6, 5]),
        pd.Categorical(y, categories=["c", "b", "a"]),
        y == "a",
        np.where(y == "a", -3, 5),
        np.where(y == "a", 1.0, 2.0),
    ],
)
def test_classes_of_every_kind(same):
    assert mutual_information(X, same, unit="bits") == pytest.approx(WANTED)


def test_booleans():
    assert mutual_information(X > 0, y, unit="bits") == pytest.approx(
        mutual_information((X > 0).astype(int), y, unit="bits")
    )


@pytest.mark.parametrize(
    "form", ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]
)
@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix])
def test_sparse_formats(form, kind):
    words = kind(X[:, :1] * 2.5).asformat(form)
    wanted = by_definition((X[:, 0] > 0).tolist(), y.tolist())
    assert mutual_information(words, y, unit="bits") == pytest.approx([wanted])


def test_zeros_that_are_stored_are_absent_and_parts_are_added_up():
    # Row 0 holds 2 - 2, row 1 a zero, row 2 -1 - 1.
    data = [2.0, -2.0, 0.0, -1.0, -1.0]
    indices, indptr = [0, 0, 0, 0, 0], [0, 2, 3, 5, 5]
    words = sparse.csr_array((data, indices, indptr), shape=(4, 1))
    before = words.data.copy()
    labels = [0, 0, 1, 0]
    wanted = by_definition([0, 0, 1, 0], labels)
    assert mutual_information(words, labels, unit="bits") == pytest.approx(
        [wanted]
    )
    assert words.data.tolist() == before.tolist()


def test_words_are_never_made_dense():
    # As a dense array it would need 160 GB.
    n, M = 10**5, 2 * 10**5
    rows, y = np.arange(n), np.arange(n) % 2
    words = sparse.csr_array((np.ones(n), (rows, rows % 7)), shape=(n, M))
    scores = mutual_information(words, y, unit="bits")
    assert scores.shape == (M,)
    assert scores[6] == pytest.approx(by_definition(rows % 7 == 6, y.tolist()))
    assert not scores[7:].any()


def test_wide_tables_of_many_states():
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(k, size=500) for k in (1, 2, 300, 500)])
    y = rng.integers(7, size=500)
    wanted = [by_definition(x, y.tolist()) for x in X.T.tolist()]
    assert mutual_information(X, y, unit="bits") == pytest.approx(
        wanted, abs=1e-12
    )
    assert mutual_information(X.astype(str), y, unit="bits") == pytest.approx(
        wanted, abs=1e-12
    )


def test_what_is_given_is_not_changed():
    data, labels = X.copy(), y.copy()
    mutual_information(data, labels, unit="bits")
    assert (data == X).all()
    assert (labels == y).all()


def test_one_class_and_one_state_tell_nothing():
    assert mutual_information(X, [1] * 5, unit="bits").tolist() == [0, 0]
    assert mutual_information([[4]] * 5, y, unit="bits").tolist() == [0]
    assert mutual_information(
        [[4]] * 5, y, pseudo_count=1, unit="bits"
    ).tolist() == [0]


# -- bad input ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit": "bit"}, "unit is 'bit'; .* Did you mean 'bits'?"),
        ({"unit": 2}, "unit is 2; it must be one of 'nats', 'bits'"),
        ({"unit": ["bits"]}, "unit is \\['bits'\\]"),
        ({"pseudo_count": -1}, "pseudo-count is -1; it must be at least 0"),
        ({"pseudo_count": float("nan")}, "pseudo-count is nan: not a finite"),
        ({"pseudo_count": "x"}, "pseudo-count is 'x': not a number"),
        ({"weights": [1, 1, 1, 1, -1]}, "[Nn]egative"),
        ({"weights": [1, 1, 1, 1, np.nan]}, "row 4 is nan: not a finite"),
        ({"weights": [1, 1]}, "\\(2,\\)"),
        ({"weights": [0] * 5}, "zero"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(ValueError, match=message):
        mutual_information(X, y, **options)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (np.where(X == 2, np.nan, X), "NaN"),
        (np.where(X == 2, np.inf, X), "infinity"),
        (X + 0.25, "Column 0 holds 0.25, which is not a whole number"),
        (
            pd.DataFrame({"density": X[:, 0] / 4}),
            "Column 'density' holds 0.25.*KBinsDiscretizer",
        ),
        (
            pd.DataFrame({"x": ["a", "b", None, "a", "b"]}),
            "Row 2 of column 'x' has no value",
        ),
        (
            np.array([["a", "b", None, "a", "b"]], dtype=object).T,
            "Row 2 of column 0 has no value",
        ),
        (
            pd.DataFrame({"x": [[0], [1], [0], [1], [0]]}),
            "column 'x' cannot be states .unhashable",
        ),
        (pd.DataFrame({"x": [1, np.inf, 2, 3, 4]}), "Column 'x' holds inf"),
        (X[:, 0], "Reshape your data"),
        (X[None], "dim 3"),
        (X[:0], "0 sample"),
        (X[:, :0], "0 feature"),
        (pd.DataFrame(X)[:0], "0 sample"),
        (pd.DataFrame(X).iloc[:, :0], "0 feature"),
        (X * 1j, "Complex data not supported"),
        (X[:4], "inconsistent numbers of samples: \\[4, 5\\]"),
        (sparse.csr_array(np.where(X == 2, np.nan, X)), "NaN"),
        (sparse.csr_array(X)[:4], "inconsistent numbers of samples"),
        (sparse.csr_array((5, 0)), "0 feature"),
    ],
)
def test_columns_that_make_no_sense(columns, message):
    with pytest.raises(ValueError, match=message):
        mutual_information(columns, y, unit="bits")


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (np.array(["a", None, "b", "a", "b"], dtype=object), "row 1"),
        ([0, 1, np.nan, 0, 1], "y has no label in row 2"),
        ([0, 1, np.inf, 0, 1], "infinity"),
        ([0.1, 0.2, 0.3, 0.4, 0.5], "continuous"),
        (X, "should be a 1d array"),
    ],
)
def test_classes_that_make_no_sense(classes, message):
    with pytest.raises(ValueError, match=message):
        mutual_information(X, classes, unit="bits")


@pytest.mark.parametrize(
    ("pi_k", "p_km", "message"),
    [
        ([0.5, 0.6], [[1], [0]], "pi_k sum to 1.1, not to one"),
        ([1.5, -0.5], [[1], [0]], "pi_k: -0.5 at position 1 is negative"),
        ([0.5, 0.5], [[1.5], [0]], "p_km: 1.5 at row 0, column 0 is greater"),
        ([0.5, 0.5], [[1], [-1]], "p_km: -1 at row 1, column 0 is negative"),
        ([0.5, 0.5], [[1], [np.nan]], "p_km: nan at row 1, column 0"),
        ([0.5, 0.5], [[1], [0], [0]], "p_km has 3 rows and pi_k 2 entries"),
        ([0.5, 0.5], [1, 0], "p_km have the shape \\(2,\\)"),
        ([[0.5, 0.5]], [[1], [0]], "pi_k have the shape \\(1, 2\\)"),
        (["a", "b"], [[1], [0]], "pi_k are not numbers"),
    ],
)
def test_parameters_that_make_no_sense(pi_k, p_km, message):
    with pytest.raises(ProbabilityError, match=message):
        binary_mutual_information(pi_k, p_km, unit="bits")


def test_an_unknown_unit_of_the_closed_form():
    with pytest.raises(ProbabilityError, match="Did you mean 'nats'"):
        binary_mutual_information([1], [[1]], unit="nat")


def test_frequent_words_are_not_the_informative_ones():
    # "the" is in nearly all documents of both classes, "array" in a third
    # of one class.
    y = np.repeat([0, 1], 300)
    the = np.ones(600)
    the[::50] = 0
    array = np.zeros(600)
    array[:100] = 1
    scores = mutual_information(
        sparse.csr_array(np.c_[the, array]), y, unit="bits"
    )
    assert scores[0] < 0.001
    assert isclose(
        scores[1], by_definition(array.tolist(), y.tolist()), abs_tol=1e-12
    )
    assert scores[1] > 0.1
