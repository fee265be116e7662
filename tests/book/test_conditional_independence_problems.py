"""The solved problems of *Conditional independence*, recomputed.

Laws are plain dictionaries here, and independence is the definition, written
out. That the numbers stand in the solutions is proved by the notebook's own
checks, beside the text.
"""

from fractions import Fraction as F
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

# --- Laws as dictionaries -------------------------------------------------


def marginal(law, places):
    """Add up a law {tuple: p} over all coordinates but some."""
    out = {}
    for key, p in law.items():
        short = tuple(key[i] for i in places)
        out[short] = out.get(short, 0) + p
    return out


def independent(law, x, y, given=()):
    """Whether p(x, y, z) p(z) = p(x, z) p(y, z) for all states."""
    p_xyw = marginal(law, [*x, *y, *given])
    p_xw = marginal(law, [*x, *given])
    p_yw = marginal(law, [*y, *given])
    p_w = marginal(law, [*given])
    cut = len(x)
    return all(
        p_xyw.get(xw[:cut] + yw, 0) * p_w[xw[cut:]] == p * q
        for xw, p in p_xw.items()
        for yw, q in p_yw.items()
        if xw[cut:] == yw[len(y) :]
    )


def mutually(law, parts, given=()):
    """Whether the parts are mutually independent, from the definition."""
    p_w = marginal(law, given)
    joint = marginal(law, [*parts, *given])
    singles = [marginal(law, [i, *given]) for i in parts]
    for w, total in p_w.items():
        if total == 0:
            continue
        columns = [
            [key[0] for key in single if key[1:] == w] for single in singles
        ]
        for states in product(*columns):
            expected = total
            for single, state in zip(singles, states, strict=True):
                expected *= single[(state, *w)] / total
            if joint.get((*states, *w), 0) != expected:
                return False
    return True


weights = st.lists(st.integers(0, 3), min_size=16, max_size=16).filter(any)
FOUR_BITS = list(product((0, 1), repeat=4))


def normalised(cells, numbers):
    total = sum(numbers)
    return {c: F(n, total) for c, n in zip(cells, numbers, strict=True)}


def test_independence_of_dictionaries_is_not_trivial():
    die = {("odd", i, j): F(1, 18) for i in (1, 3, 5) for j in (1, 3, 5)}
    die |= {("even", i, j): F(1, 18) for i in (2, 4, 6) for j in (2, 4, 6)}
    assert independent(die, [1], [2], [0])
    assert not independent(die, [1], [2])
    assert mutually(die, [1, 2], [0])
    assert not mutually(die, [1, 2])


# --- The second opinion ---------------------------------------------------

RATE = {"ill": F(9, 10), "well": F(1, 10)}
PRIOR = {"ill": F(1, 100), "well": F(99, 100)}


def visits(c):
    """All that can happen: state, whether copied, both results."""
    law = {}
    for state, copied, first, own in product(PRIOR, (True, False), "+-", "+-"):
        p = PRIOR[state] * (c if copied else 1 - c)
        for result in (first, own):
            p *= RATE[state] if result == "+" else 1 - RATE[state]
        key = state, copied, first, first if copied else own
        law[key] = law.get(key, 0) + p
    return law


def total(law, event, known=lambda *_: True):
    part = sum(p for key, p in law.items() if known(*key) and event(*key))
    return part / sum(p for key, p in law.items() if known(*key))


def both_positive(state, copied, first, second):
    return first == second == "+"


@pytest.mark.parametrize("c", [F(0), F(1, 2), F(1), F(1, 7)])
def test_likelihoods_of_two_positive_results(c):
    for state, rate in RATE.items():
        found = total(visits(c), both_positive, lambda s, *_, t=state: s == t)
        assert found == rate * (c + (1 - c) * rate)


@pytest.mark.parametrize(
    ("c", "odds", "answer"),
    [
        (F(0), (9, 11), F(9, 20)),
        (F(1, 2), (19, 121), F(19, 140)),
        (F(1), (1, 11), F(1, 12)),
    ],
)
def test_posterior_after_two_positive_results(c, odds, answer):
    ill = total(visits(c), lambda s, *_: s == "ill", both_positive)
    assert ill == answer == F(odds[0], sum(odds))


def test_the_steps_of_the_half_copied_case():
    law = visits(F(1, 2))
    ill, well = (
        total(law, both_positive, lambda s, *_, t=state: s == t)
        for state in RATE
    )
    assert (ill, well) == (F(171, 200), F(11, 200))
    assert F(171, 1089) == F(19, 121) == F(1, 99) * ill / well
    # Half of the reports are copies; what they add to 1/12 is much less
    # than half of what two tests add.
    gain = [F(n) - F(1, 12) for n in (F(19, 140), F(9, 20))]
    assert gain[0] < gain[1] / 4
    copied = total(
        law,
        lambda s, copied, *_: copied,
        lambda s, c, *results: s == "well" and results == ("+", "+"),
    )
    assert copied > F(9, 10)


def test_two_honest_results_are_dependent():
    law = visits(F(0))
    assert independent(law, [2], [3], [0])
    assert not independent(law, [2], [3])
    once = total(law, lambda s, c, first, second: second == "+")
    again = total(
        law,
        lambda s, c, first, second: second == "+",
        lambda s, c, first, second: first == "+",
    )
    assert (once, again) == (F(27, 250), F(1, 6))
    assert float(once) == 0.108


# --- When mixing does no harm ---------------------------------------------

rates = st.fractions(0, 1, max_denominator=6)


def mixed(weight, a, b):
    """Distribution of (x, y, z) for rates a of X = 1 and b of Y = 1."""
    return {
        (x, y, w): p * (a[w] if x else 1 - a[w]) * (b[w] if y else 1 - b[w])
        for w, p in enumerate(weight)
        for x, y in product((0, 1), repeat=2)
    }


@given(st.fractions(F(1, 9), F(8, 9), max_denominator=9), *[rates] * 4)
def test_mixing_two_parts(weight, a0, a1, b0, b1):
    law = mixed([weight, 1 - weight], [a0, a1], [b0, b1])
    assert independent(law, [0], [1], [2])
    harmless = independent(law, [0], [2]) or independent(law, [1], [2])
    assert independent(law, [0], [1]) == harmless
    assert independent(law, [0], [2]) == (a0 == a1)


def test_mixing_three_parts():
    a = [F(1, 4), F(1, 2), F(3, 4)]
    b = [F(1, 4), F(3, 4), F(1, 4)]
    law = mixed([F(1, 3)] * 3, a, b)
    assert independent(law, [0], [1], [2])
    assert independent(law, [0], [1])
    assert not independent(law, [0], [2])
    assert not independent(law, [1], [2])
    means = sum(a) / 3, sum(b) / 3
    da = [r - means[0] for r in a]
    db = [r - means[1] for r in b]
    products = [p * q for p, q in zip(da, db, strict=True)]
    assert sum(products) == 0
    assert means[1] == F(5, 12)
    assert means[0] == F(1, 2)
    assert da == [-F(1, 4), 0, F(1, 4)]
    assert db == [-F(1, 6), F(1, 3), -F(1, 6)]
    assert products == [F(1, 24), 0, -F(1, 24)]


@given(weights)
def test_independent_of_the_part_is_enough_for_any_number_of_parts(drawn):
    """Variables 0 and 1 are X and Y, 2 and 3 together are Z."""
    law = normalised(FOUR_BITS, drawn)
    if independent(law, [0], [2, 3]) and independent(law, [0], [1], [2, 3]):
        assert independent(law, [0], [1])


@given(rates, st.lists(rates, min_size=3, max_size=3))
def test_and_it_does_happen(rate, b):
    law = mixed([F(1, 2), F(1, 3), F(1, 6)], [rate] * 3, b)
    assert independent(law, [0], [2])
    assert independent(law, [0], [1])


# --- Pairs are not enough -------------------------------------------------


@given(st.one_of(weights, st.lists(rates, min_size=7, max_size=7)))
def test_mutual_independence_in_two_steps(drawn):
    """X, Y, W, Z are 0, 1, 2, 3; drawn freely, or made independent."""
    if len(drawn) == 7:
        w, *rest = drawn
        law = {}
        for key in FOUR_BITS:
            p = w if key[3] else 1 - w
            for i in range(3):
                rate = rest[2 * i + key[3]]
                p *= rate if key[i] else 1 - rate
            law[key] = p
    else:
        law = normalised(FOUR_BITS, drawn)
    in_steps = independent(law, [0], [1, 2], [3]) and independent(
        law, [1], [2], [3]
    )
    assert in_steps == mutually(law, [0, 1, 2], [3])
    if len(drawn) == 7:
        assert in_steps


PARITY = {
    ((y + z + w) % 2, y, z, w): F(1, 8)
    for y, z, w in product((0, 1), repeat=3)
}


def test_every_pair_but_not_all_three():
    for i, j in combinations(range(3), 2):
        assert independent(PARITY, [i], [j], [3])
        pairs = marginal(PARITY, [i, j, 3])
        assert set(pairs.values()) == {F(1, 8)}
        assert len(pairs) == 8
    assert not mutually(PARITY, [0, 1, 2], [3])
    given_w = {k: p / F(1, 2) for k, p in PARITY.items() if k[3] == 0}
    assert list(given_w.values()) == [F(1, 4)] * 4


def test_weak_union_needs_the_vector():
    assert independent(PARITY, [0], [1], [3])
    assert independent(PARITY, [0], [2], [3])
    assert not independent(PARITY, [0], [1, 2], [3])
    assert not independent(PARITY, [0], [1], [2, 3])


# --- Functions of what is independent -------------------------------------


@given(
    st.lists(rates, min_size=2, max_size=2),
    st.lists(st.integers(1, 5), min_size=6, max_size=6),
    st.lists(st.integers(0, 2), min_size=3, max_size=3),
)
def test_functions_of_a_variable(b, numbers, f):
    """X has three states; its law given z = 0, 1 is `numbers`, halved."""
    halves = numbers[:3], numbers[3:]
    law = {
        (x, f[x], y, w): F(1, 2)
        * F(halves[w][x], sum(halves[w]))
        * (b[w] if y else 1 - b[w])
        for x, y, w in product(range(3), (0, 1), (0, 1))
    }
    assert independent(law, [0], [2], [3])
    assert independent(law, [0, 1], [2], [3])
    assert independent(law, [1], [2], [3])
    assert independent(law, [0], [2], [1, 3])


def test_a_function_of_the_condition_is_not_enough():
    law = {
        (x, y, w, "constant"): F(1, 18)
        for w, faces in enumerate([(1, 3, 5), (2, 4, 6)])
        for x, y in product(faces, repeat=2)
    }
    assert independent(law, [0], [1], [2])
    assert not independent(law, [0], [1], [3])


# --- Do they agree? -------------------------------------------------------

inside = st.fractions(F(1, 9), F(8, 9), max_denominator=9)


@given(inside, st.one_of(inside, st.just(F(1, 2))))
def test_two_coins_and_whether_they_agree(p, q):
    law = {
        (x, y, int(x == y)): (p if x else 1 - p) * (q if y else 1 - q)
        for x, y in product((0, 1), repeat=2)
    }
    agree = marginal(law, [2])[(1,)]
    assert agree == p * q + (1 - p) * (1 - q) > 0
    assert independent(law, [0], [1])
    assert not independent(law, [0], [1], [2])
    assert independent(law, [0], [2]) == (q == F(1, 2))
    assert independent(law, [1], [2]) == (p == F(1, 2))
    # Given X, the probability of agreement is that of Y's showing the same.
    assert law[1, 1, 1] / p == q
    assert law[0, 0, 1] / (1 - p) == 1 - q


def test_with_two_fair_coins_every_pair_needs_the_third_unknown():
    law = {(x, y, int(x == y)): F(1, 4) for x, y in product((0, 1), repeat=2)}
    for i, j in combinations(range(3), 2):
        (other,) = {0, 1, 2} - {i, j}
        assert independent(law, [i], [j])
        assert not independent(law, [i], [j], [other])
