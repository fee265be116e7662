"""Entropy discretisation, against all cuts with whole numbers, and Weka."""

import pickle
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from math import log2, prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from bayesbook.base import ProbabilityError
from bayesbook.naive_bayes import CategoricalNB, EntropyDiscretizer

# -- truth --------------------------------------------------------------------


def counts_of(labels):
    return [labels.count(label) for label in sorted(set(labels))]


def entropy(labels):
    return -sum(
        n / len(labels) * log2(n / len(labels)) for n in counts_of(labels)
    )


def two_to_the_bits(labels):
    """Give 2^(N H), which is N^N / prod n_k^n_k, without rounding."""
    n = len(labels)
    return Fraction(n**n, prod(m**m for m in counts_of(labels)))


def is_accepted(left, right):
    """Compare the gain with its threshold, as Fayyad and Irani print it."""
    whole = left + right
    N = len(whole)
    k, k_1, k_2 = (len(set(part)) for part in (whole, left, right))
    H, H_1, H_2 = map(entropy, (whole, left, right))
    gain = H - len(left) / N * H_1 - len(right) / N * H_2
    delta = log2(3**k - 2) - (k * H - k_1 * H_1 - k_2 * H_2)
    return gain > (log2(N - 1) + delta) / N


def by_all_cuts(rows):
    """Give the bins of sorted (value, class) pairs, trying every cut."""
    labels = [c for _, c in rows]
    cuts = [i for i in range(1, len(rows)) if rows[i - 1][0] < rows[i][0]]
    if not cuts:
        return [rows]
    best = min(
        cuts,
        key=lambda i: (
            two_to_the_bits(labels[:i]) * two_to_the_bits(labels[i:])
        ),
    )
    if not is_accepted(labels[:best], labels[best:]):
        return [rows]
    return by_all_cuts(rows[:best]) + by_all_cuts(rows[best:])


def truth(x, y):
    """Give the code of each row, and the cut points as fractions."""
    rows = zip(x.tolist(), y.tolist(), strict=True)
    bins = by_all_cuts(sorted(rows))
    code_of = {value: j for j, rows in enumerate(bins) for value, _ in rows}
    cuts = [
        (Fraction(below[-1][0]) + Fraction(above[0][0])) / 2
        for below, above in pairwise(bins)
    ]
    return [code_of[value] for value in x.tolist()], cuts


def cut_points(x, y):
    return EntropyDiscretizer().fit(np.c_[x], y).cut_points_[0].tolist()


def runs(pattern):
    """Write "3a 2b" out as rows 0, 1, 2, ... and their classes."""
    y = "".join(int(run[:-1]) * run[-1] for run in pattern.split())
    return np.arange(len(y)), np.array(list(y))


@st.composite
def data(draw, columns=3):
    """Columns that follow the class by runs, with noise and equal values."""
    lengths = st.tuples(st.integers(0, 3), st.integers(1, 15))
    pieces = draw(st.lists(lengths, min_size=1, max_size=6))
    y = np.repeat(*np.transpose(pieces))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = np.arange(len(y))[:, None] // draw(st.integers(1, 4)) + rng.normal(
        scale=draw(st.sampled_from([0.01, 3, 30])), size=(len(y), columns)
    )
    X[:, 1:] = X[:, 1:].round(draw(st.integers(-1, 1)))
    order = rng.permutation(len(y))
    return X[order], y[order]


@given(data())
@settings(max_examples=100)
def test_equals_the_search_over_all_cuts_with_whole_numbers(drawn):
    X, y = drawn
    discretizer = EntropyDiscretizer().fit(X, y)
    codes = discretizer.transform(X)
    for m, cuts in enumerate(discretizer.cut_points_):
        own_codes, own_cuts = truth(X[:, m], y)
        assert codes[:, m].tolist() == own_codes
        assert cuts == pytest.approx([float(cut) for cut in own_cuts])


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=1))
def test_equals_the_search_for_few_values(rows):
    x, y = np.transpose(rows)
    codes, cuts = truth(x, y)
    discretizer = EntropyDiscretizer()
    assert discretizer.fit_transform(np.c_[x], y)[:, 0].tolist() == codes
    # Halves of whole numbers are floats.
    assert discretizer.cut_points_[0].tolist() == cuts


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_equals_the_search_for_more_rows_and_many_bins(n_classes):
    rng = np.random.default_rng(n_classes)
    y = rng.integers(n_classes, size=300)
    X = rng.normal(size=(300, 8)) + y[:, None] * np.linspace(0, 5, 8)
    X[:, ::2] = X[:, ::2].round(1)
    codes = EntropyDiscretizer().fit(X, y).transform(X)
    wanted = [truth(x, y)[0] for x in X.T]
    assert codes.T.tolist() == wanted
    assert codes.max() >= n_classes - 1


# -- by hand ------------------------------------------------------------------


def test_two_runs_are_cut_between():
    # Gain 1, so that 8 bits stand against log2(7) + log2(7) - 2 * 1 = 3.6.
    assert cut_points(*runs("4a 4b")) == [3.5]


def test_two_rows_of_two_classes_are_cut():
    # 2 bits against log2(1) + log2(7) - 2 * 1 = 0.8.
    assert cut_points(*runs("1a 1b")) == [0.5]


@pytest.mark.parametrize(("m", "cuts"), [(10, []), (11, [10.5, 21.5])])
def test_a_middle_run_must_be_long_enough(m, cuts):
    # 3m H(1/3) - 2m bits stand against log2(3m - 1) + log2(7) -
    # (2 H(1/3) - 2): 7.549 < 7.829 for m = 10, and 8.304 > 7.971 for 11.
    bits = 3 * m * (log2(3) - 2 / 3) - 2 * m
    threshold = log2(3 * m - 1) + log2(7) - 2 * (log2(3) - 2 / 3) + 2
    assert (bits > threshold) == bool(cuts)
    assert cut_points(*runs(f"{m}a {m}b {m}a")) == cuts


def test_alternating_classes_are_not_cut():
    assert cut_points(*runs("1a 1b " * 20)) == []


def test_a_class_for_each_three_rows_is_a_bin_for_each():
    # 3^1024 is no float. Halves always tell most, one bit for each row.
    # With k classes in 3k rows 3k bits stand against less than
    # log2(3k) + k log2(3) - k.
    y = np.repeat(np.arange(1024), 3)
    discretizer = EntropyDiscretizer().fit(np.c_[y], y)
    assert discretizer.cut_points_[0].tolist() == [
        c + 0.5 for c in range(1023)
    ]


@pytest.mark.parametrize("pattern", ["5a 1b 1a 5b", "5b 1a 1b 5a"])
def test_of_cuts_that_tell_the_same_the_smallest_is_made(pattern):
    # After 5 rows and after 7, the counts are (5, 0 | 1, 6), up to order.
    assert cut_points(*runs(pattern)) == [4.5]


def test_a_tie_of_other_counts_is_a_tie_too():
    # Value 0 has 9 rows of a; 1 has 4 of a and 3 of b; 2 has 1 and 12. Both
    # cuts leave the same entropy: 2^(N H) is
    #   9^9/9^9 * 20^20/(5^5 15^15) = 16^16/(13^13 3^3) * 13^13/(1 12^12).
    left = Fraction(20**20, 5**5 * 15**15)
    assert left == Fraction(16**16, 3**3 * 12**12)
    x = np.repeat([0, 1, 1, 2, 2], [9, 4, 3, 1, 12])
    y = np.repeat([0, 0, 1, 0, 1], [9, 4, 3, 1, 12])
    assert cut_points(x, y) == [0.5]
    assert cut_points(x, 1 - y) == [0.5]


# -- other programs -----------------------------------------------------------


def test_the_cuts_of_iris_are_those_of_weka():
    # Version 3.6.14, weka.filters.supervised.attribute.Discretize.
    X, y = load_iris(return_X_y=True)
    wanted = [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    for cuts, own in zip(
        EntropyDiscretizer().fit(X, y).cut_points_, wanted, strict=True
    ):
        assert cuts == pytest.approx(own)


def test_the_cuts_of_wine_are_those_of_weka():
    X, y = load_wine(return_X_y=True)
    wanted = [
        [12.185, 12.78],
        [1.42, 2.235],
        [2.03],
        [17.9],
        [88.5],
        [1.84, 2.335],
        [0.975, 1.575, 2.31],
        [0.395],
        [1.27],
        [3.46, 7.55],
        [0.785, 0.975, 1.295],
        [2.115, 2.475],
        [468, 755, 987.5],
    ]
    for cuts, own in zip(
        EntropyDiscretizer().fit(X, y).cut_points_, wanted, strict=True
    ):
        assert cuts == pytest.approx(own)


def test_the_numbers_of_bins_of_breast_cancer_are_those_of_weka():
    X, y = load_breast_cancer(return_X_y=True)
    assert EntropyDiscretizer().fit(X, y).n_bins_.tolist() == [
        *(4, 2, 4, 4, 2, 3, 4, 4, 3, 1),
        *(4, 1, 4, 4, 1, 3, 3, 3, 2, 2),
        *(4, 3, 4, 4, 2, 4, 3, 4, 3, 2),
    ]


# -- properties ---------------------------------------------------------------


@given(data())
def test_every_bin_has_rows_and_every_code_a_bin(drawn):
    X, y = drawn
    discretizer = EntropyDiscretizer().fit(X, y)
    for codes, n_bins, cuts in zip(
        discretizer.transform(X).T,
        discretizer.n_bins_,
        discretizer.cut_points_,
        strict=True,
    ):
        assert n_bins == len(cuts) + 1
        assert np.unique(codes).tolist() == list(range(n_bins))


@given(data())
@settings(max_examples=20)
def test_a_rising_function_of_a_column_changes_no_code(drawn):
    X, y = drawn
    codes = EntropyDiscretizer().fit_transform(X, y)
    for rising in (lambda X: X**3 + X, np.arctan, lambda X: -np.exp(-X / 99)):
        assert (
            EntropyDiscretizer().fit_transform(rising(X), y) == codes
        ).all()


@given(data(), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_a_weight_is_a_number_of_repetitions(drawn, seed):
    X, y = drawn
    weights = np.random.default_rng(seed).integers(0, 4, len(y))
    weights[0] = 2
    weighted = EntropyDiscretizer().fit(X, y, sample_weight=weights)
    repeated = EntropyDiscretizer().fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights)
    )
    for own, wanted in zip(
        weighted.cut_points_, repeated.cut_points_, strict=True
    ):
        assert own.tolist() == wanted.tolist()


def test_weights_need_not_be_whole():
    X, y = np.arange(8.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 1]
    # Two rows of the weight 0.3 are as good as one of 0.6.
    split = EntropyDiscretizer().fit(
        np.repeat(X, 2, axis=0), np.repeat(y, 2), np.full(16, 0.3)
    )
    whole = EntropyDiscretizer().fit(X, y, np.full(8, 0.6))
    assert split.cut_points_[0].tolist() == [3.5]
    assert whole.cut_points_[0].tolist() == [3.5]
    # The shares of eight rows are a single row: too few for a cut inside.
    mixed = [0, 0, 1, 0, 1, 1, 0, 1]
    few = EntropyDiscretizer().fit(X, mixed, np.full(8, 1 / 8))
    assert few.n_bins_.tolist() == [1]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 0, 0], r"zero|sum to 0"),
        ([1, -1, 1], "[Nn]egative"),
        ([1, np.nan, 1], "NaN"),
        ([1, 1], r"shape|weight"),
        ([1e9, 1, 1], "at most 1,000,000,000"),
    ],
)
def test_weights_that_make_no_sense(weights, message):
    with pytest.raises(ValueError, match=message):
        EntropyDiscretizer().fit([[1], [2], [3]], [0, 1, 1], weights)


@given(data(), st.permutations("abcd"), st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_order_of_rows_and_names_of_classes_do_not_matter(drawn, names, seed):
    X, y = drawn
    codes = EntropyDiscretizer().fit_transform(X, y)
    order = np.random.default_rng(seed).permutation(len(y))
    renamed = np.array(names)[y[order]]
    assert (
        EntropyDiscretizer().fit_transform(X[order], renamed) == codes[order]
    ).all()


@given(
    st.lists(
        st.floats(allow_nan=False, allow_infinity=False),
        min_size=2,
        max_size=4,
        unique=True,
    ),
    st.integers(0, 3),
)
def test_the_most_unlike_and_the_most_alike_floats(values, steps):
    # Also neighbours, subnormal numbers, and sums that are no floats.
    for _ in range(steps):
        values.append(np.nextafter(values[-1], 0))
    values = np.unique(values)
    x, y = np.repeat(values, 30), np.repeat(np.arange(len(values)), 30)
    discretizer = EntropyDiscretizer()
    codes = discretizer.fit_transform(np.c_[x], y)[:, 0]
    assert codes.tolist() == y.tolist()
    cuts = discretizer.cut_points_[0]
    assert (values[:-1] <= cuts).all()
    assert (cuts < values[1:]).all()


def test_zero_has_one_sign():
    assert cut_points(np.repeat([0.0, -0.0], 20), np.repeat([0, 1], 20)) == []


def test_values_at_a_cut_go_below_and_those_outside_into_the_last_bins():
    x, y = runs("9a 9b 9a")
    discretizer = EntropyDiscretizer().fit(np.c_[np.r_[x, x]], np.r_[y, y])
    assert discretizer.cut_points_[0].tolist() == [8.5, 17.5]
    new = [-1e300, 8.5, np.nextafter(8.5, 9), 17.5, 17.6, 1e300]
    assert discretizer.transform(np.c_[new])[:, 0].tolist() == [
        *(0, 0, 1, 1, 2, 2)
    ]


def test_columns_that_tell_nothing_are_one_state():
    X = np.c_[np.zeros(40), np.tile([1, 2], 20), np.repeat([0, 1], 20)]
    y = np.repeat(["a", "b"], 20)
    discretizer = EntropyDiscretizer()
    codes = discretizer.fit_transform(X, y)
    assert discretizer.n_bins_.tolist() == [1, 1, 2]
    assert not codes[:, :2].any()
    assert codes[:, 2].tolist() == X[:, 2].tolist()


def test_one_class_and_one_row_are_not_cut():
    assert cut_points([1, 2, 3], ["a"] * 3) == []
    assert cut_points([1], ["a"]) == []


# -- the manners of scikit-learn ----------------------------------------------

X, y = load_iris(return_X_y=True, as_frame=True)


def test_data_frames_keep_their_names():
    frame = X.set_index(X.index + 1000)
    discretizer = EntropyDiscretizer().fit(frame, y)
    assert (
        discretizer.get_feature_names_out().tolist() == frame.columns.tolist()
    )
    codes = discretizer.transform(frame)
    assert isinstance(codes, np.ndarray)
    assert codes.dtype.kind == "i"
    pd.testing.assert_frame_equal(
        discretizer.set_output(transform="pandas").transform(frame),
        pd.DataFrame(codes, index=frame.index, columns=frame.columns),
    )
    with pytest.raises(ValueError, match="feature names"):
        discretizer.transform(frame[frame.columns[::-1]])


@pytest.mark.parametrize(
    "same",
    [
        X.to_numpy(),
        X.to_numpy().tolist(),
        np.asfortranarray(X.to_numpy()),
        X.astype(object),
        X.to_numpy().astype(object),
        X.astype("Float64"),
        X.set_axis(range(4), axis=1),
    ],
)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_numbers_of_every_kind(same):
    codes = EntropyDiscretizer().fit_transform(X, y)
    assert (EntropyDiscretizer().fit_transform(same, y) == codes).all()


def test_whole_numbers_booleans_and_small_floats():
    x, y = runs("9a 9b")
    for kind in (np.int8, np.uint64, np.float32):
        assert cut_points(x.astype(kind), y) == [8.5]
    assert cut_points(x > 8, y) == [0.5]


def test_what_is_given_is_not_changed():
    data, labels = X.to_numpy().copy(), y.to_numpy().copy()
    EntropyDiscretizer().fit(data, labels).transform(data)
    assert (data == X.to_numpy()).all()
    assert (labels == y).all()


def test_can_be_copied_and_stored():
    discretizer = EntropyDiscretizer().fit(X, y)
    stored = pickle.loads(pickle.dumps(discretizer))
    assert (stored.transform(X) == discretizer.transform(X)).all()
    with pytest.raises(NotFittedError):
        clone(discretizer).transform(X)


def test_a_classifier_of_states_behind_it():
    cancer = load_breast_cancer(as_frame=True)
    model = make_pipeline(EntropyDiscretizer(), CategoricalNB())
    scores = cross_val_score(model, cancer.data, cancer.target)
    # The columns that carry nothing do no harm. Always "benign" has 0.63.
    assert scores.mean() > 0.9


def test_some_columns_only():
    frame = X.iloc[:, :2].assign(color=np.where(y > 0, "red", "blue"))
    names = frame.columns[:2].tolist()
    into_states = make_column_transformer(
        (EntropyDiscretizer(), names),
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    states = into_states.fit_transform(frame, y)
    alone = EntropyDiscretizer().fit_transform(frame[names], y)
    assert (states[names] == alone).all(axis=None)
    assert states["color"].tolist() == frame["color"].tolist()


# -- bad input ----------------------------------------------------------------


def with_value(value, kind=float):
    wrong = X.to_numpy().astype(kind)
    wrong[7, 2] = value
    return wrong


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (with_value(np.nan), "NaN: row 7, column 2.*drop or fill"),
        (with_value(-np.inf), "infinity: row 7, column 2.*division by zero"),
        (X.set_axis([*"abcd"], axis=1).replace(1.7, np.nan), "column 'c'"),
        (with_value("?", object), "Row 7 of column 2 holds '\\?'"),
        (with_value(b"0.5", object), "Row 7 of column 2 holds b'0.5'"),
        (with_value("0.5", object).tolist(), "Row 7 of column 2 holds '0.5'"),
        (with_value("0.5", str), "Row 0 of column 0 holds '5.1'"),
        (with_value(date(2026, 1, 31), object), "holds datetime.date"),
        (with_value(timedelta(1), object), "Row 7 of column 2 holds .*time"),
        (np.full((150, 1), "2026-01-31", "M8[D]"), "Row 0 of column 0 holds"),
        (
            X.assign(z=["a"] + ["b"] * 149),
            "Row 0 of column 'z' holds 'a'.*mak",
        ),
        (X.assign(z=pd.Timestamp(0)), "Row 0 of column 'z' holds Timestamp"),
        (X.assign(z=[None, *[1] * 149]), "NaN: row 0, column 'z'"),
        (X.assign(z=[None, *["b"] * 149]), "Row 1 of column 'z' holds 'b'"),
        (X.to_numpy()[:, 0], "Reshape your data"),
        (X.to_numpy()[None], "dim 3"),
        (X.to_numpy() * 1j, "Complex data not supported"),
        (X[:149], "inconsistent numbers of samples: \\[149, 150\\]"),
        (X[:0], "0 sample"),
        (X.iloc[:, :0], "0 feature"),
    ],
)
def test_columns_that_make_no_sense(columns, message):
    with pytest.raises(ValueError, match=message):
        EntropyDiscretizer().fit(columns, y)


def test_sparse_matrices_are_refused():
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        EntropyDiscretizer().fit(sparse.csr_array(X), y)


@pytest.mark.parametrize(
    ("classes", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (y.where(y > 0), "y has no label in row 0"),
        (y.astype(object).replace(2, "two"), "'two' in row|texts in others"),
        (y + 0.5, "continuous"),
        (X, "should be a 1d array"),
    ],
)
def test_classes_that_make_no_sense(classes, message):
    with pytest.raises(ValueError, match=message):
        EntropyDiscretizer().fit(X, classes)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (with_value(np.nan), "NaN: row 7, column 'petal length"),
        (with_value("?", object), "Row 7 of column 2 holds '\\?'"),
        (X.iloc[:, :3], "feature names should match"),
        (X.to_numpy()[:, :3], "3 features.*expecting 4"),
    ],
)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_rows_that_are_not_like_those_of_training(columns, message):
    discretizer = EntropyDiscretizer().fit(X, y)
    with pytest.raises(ValueError, match=message):
        discretizer.transform(columns)


def test_texts_are_refused_by_the_error_of_this_library():
    with pytest.raises(ProbabilityError, match="make_column_transformer"):
        EntropyDiscretizer().fit([["a"], ["b"]], [0, 1])
