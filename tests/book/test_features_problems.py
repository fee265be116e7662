"""The solved problems of *Features of every kind*, recomputed.

By exact fractions, by lists of rows that are counted, and by enumeration. That
they stand in the solutions is proved by the notebook's own checks, beside the
text.
"""

from fractions import Fraction as F
from itertools import product
from math import log2, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from bayesbook.data import load_watermelon


def smoothed(count, total, states, lam=1):
    return F(count + lam) / (total + states * lam)


def entropy(law):
    return -sum(p * log2(p) for p in law if p > 0)


def h(p):
    return entropy([p, 1 - p])


# --- Another melon --------------------------------------------------------

MELON = {
    "color": "light",
    "root": "curly",
    "knock": "muffled",
    "texture": "blurry",
    "navel": "hollow",
    "touch": "hard",
}


def melon_terms():
    """Give the ratio of good to not good for the prior and each feature."""
    melons = load_watermelon()
    good, others = (melons[melons["good"] == c] for c in ("yes", "no"))
    terms = {"prior": F(len(good) + 1, len(others) + 1)}
    counts = []
    for name, state in MELON.items():
        n = [int((part[name] == state).sum()) for part in (good, others)]
        S = melons[name].nunique()
        terms[name] = smoothed(n[0], 8, S) / smoothed(n[1], 9, S)
        counts.append(n)
    return terms, counts


def test_the_counts_of_the_melon_are_those_of_the_data():
    _, counts = melon_terms()
    assert counts == [[1, 4], [5, 3], [6, 4], [0, 3], [5, 2], [6, 6]]


def test_another_melon():
    terms, _ = melon_terms()
    ratio = prod(terms.values())
    assert f"{float(ratio):.3f}" == "0.642"
    chance = float(ratio / (1 + ratio))
    assert f"{chance:.3f}" == "0.391"
    without = ratio / terms["texture"]
    assert terms["texture"] == F(3, 11)
    chance = float(without / (1 + without))
    assert f"{float(without):.2f}" == "2.36"
    assert f"{chance:.3f}" == "0.702"
    assert ratio < 1 < without


# --- How strong is λ? -----------------------------------------------------


@given(st.integers(0, 20), st.integers(1, 20), st.integers(2, 6), st.data())
def test_smoothing_is_a_weighted_mean(count, more, states, data):
    total = count + more
    lam = data.draw(st.fractions(F(1, 10), 10))
    w = states * lam / (total + states * lam)
    mean = (1 - w) * F(count, total) + w * F(1, states)
    assert smoothed(count, total, states, lam) == mean
    assert smoothed(count, total, states, F(total, states)) == (
        F(count, total) / 2 + F(1, 2 * states)
    )


def test_with_a_huge_pseudo_count_nothing_is_told():
    terms = [
        smoothed(n, 8, 3, 10**9) / smoothed(m, 9, 3, 10**9)
        for n, m in [(8, 0), (3, 9)]
    ]
    prior = smoothed(8, 17, 2, 10**9)
    assert [float(t) for t in [*terms, 2 * prior]] == pytest.approx([1] * 3)


def test_a_state_that_is_split():
    before = smoothed(5, 8, 3)
    after = smoothed(3, 8, 4) + smoothed(2, 8, 4)
    assert before == F(6, 11)
    assert after == F(7, 12)
    assert before != after


# --- Letters without a word -----------------------------------------------


def private(absent, lam=1):
    """P[private | no word], from the two factors of the missing word."""
    joint = [
        smoothed(n, 40, 2, lam) * p
        for n, p in zip([30, 10], absent, strict=True)
    ]
    return joint[0] / sum(joint)


def test_letters_without_a_word():
    relative = [1 - F(30, 30), 1 - F(5, 10)]
    assert private(relative) == 0
    means = [1 - smoothed(30, 30, 2), 1 - smoothed(5, 10, 2)]
    assert means == [F(1, 32), F(6, 12)]
    assert private(means) == F(31, 207)


@given(st.lists(st.integers(1, 500), min_size=2, max_size=5), st.data())
def test_a_word_of_every_document_can_make_all_classes_equal(numbers, data):
    a = data.draw(st.fractions(F(1, 20), 5))
    b = data.draw(st.fractions(F(1, 20), 5))
    lam, K, N = a + b, len(numbers), sum(numbers)
    joint = {smoothed(n, N, K, lam) * b / (n + a + b) for n in numbers}
    assert len(joint) == 1


# --- Filling a gap --------------------------------------------------------


def test_filling_a_gap():
    given_class = {1: {"a": F(3, 5)}, 0: {"a": F(9, 10)}}
    for law in given_class.values():
        law["b"] = 1 - law["a"]
    overall = {
        s: (given_class[0][s] + given_class[1][s]) / 2 for s in ("a", "b")
    }
    after = {s: given_class[1][s] / 2 / overall[s] for s in ("a", "b")}
    assert overall["a"] == F(3, 4)
    assert after["a"] == F(2, 5)
    assert after["b"] == F(4, 5)
    assert sum(overall[s] * after[s] for s in ("a", "b")) == F(1, 2)


# --- What a feature can tell at most --------------------------------------


def information(pi, p):
    """Enumerate the joint law of class and feature."""
    joint = [
        w * q for w, p_k in zip(pi, p, strict=True) for q in (p_k, 1 - p_k)
    ]
    feature = [sum(joint[0::2]), sum(joint[1::2])]
    return entropy(pi) + entropy(feature) - entropy(joint)


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3), st.data())
def test_the_bounds(p, data):
    weights = data.draw(st.lists(st.floats(0.1, 1), min_size=3, max_size=3))
    pi = [w / sum(weights) for w in weights]
    found = information(pi, p)
    mean = min(1, sum(w * q for w, q in zip(pi, p, strict=True)))
    assert found <= h(mean) + 1e-9
    assert found <= entropy(pi) + 1e-9


def test_a_feature_that_is_nearly_always_there():
    assert f"{h(0.99):.3f}" == "0.081"
    best = optimize.minimize_scalar(
        lambda p: -information([0.5, 0.5], [p, 1.98 - p]),
        bounds=(0.98, 0.99),
        method="bounded",
        options={"xatol": 1e-9},
    )
    assert best.x == pytest.approx(0.98, abs=1e-6)
    assert -best.fun == pytest.approx(h(0.99) - h(0.98) / 2, abs=1e-5)
    assert f"{-best.fun:.3f}" == "0.010"


def test_two_bits_that_tell_only_together():
    rows = [(a, b, a ^ b) for a, b in product((0, 1), repeat=2)]

    def bits(columns):
        law = [tuple(row[c] for c in columns) for row in rows]
        return entropy([law.count(x) / 4 for x in set(law)])

    single = bits([0]) + bits([2]) - bits([0, 2])
    both = bits([0, 1]) + bits([2]) - bits([0, 1, 2])
    assert (single, both) == (0, 1)
    for label in (0, 1):
        inside = [row for row in rows if row[2] == label]
        assert [sum(row[j] for row in inside) / 2 for j in (0, 1)] == [0.5] * 2


# --- Merging by hand ------------------------------------------------------


def test_merging_by_hand():
    four = np.array([1.0, 1.0, 3.0, 3.0])
    assert (four.mean(), four.var()) == (2, 1)
    five = np.append(four, 7)
    assert five.mean() == 3
    assert five.var() == pytest.approx(24 / 5)
    assert four.var(ddof=1) == pytest.approx(4 / 3)
    assert five.var(ddof=1) == pytest.approx(6)


numbers = st.lists(st.integers(-50, 50), min_size=1, max_size=8)


@given(numbers, numbers)
def test_sums_of_squares_merge(first, second):
    def mean(x):
        return F(sum(x), len(x))

    def squares(x):
        return sum((a - mean(x)) ** 2 for a in x)

    N = len(first) + len(second)
    gap = F(len(first) * len(second), N) * (mean(first) - mean(second)) ** 2
    assert squares(first + second) == squares(first) + squares(second) + gap
