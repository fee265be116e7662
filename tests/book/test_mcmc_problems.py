"""The solved problems of *Markov chain Monte Carlo*, recomputed.

Matrices are lists of fractions, and powers are taken one by one. That the
numbers stand in the solutions is proved by the notebook's own checks, beside
the text.
"""

import math
from fractions import Fraction as F
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st


def stepped(law, matrix):
    return [
        sum(p * row[j] for p, row in zip(law, matrix, strict=True))
        for j in range(len(law))
    ]


def power(matrix, n):
    rows = [
        [F(i == j) for j in range(len(matrix))] for i in range(len(matrix))
    ]
    for _ in range(n):
        rows = [stepped(row, matrix) for row in rows]
    return rows


def distance(p, q):
    return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2


def in_balance(law, matrix):
    states = range(len(law))
    return all(
        law[i] * matrix[i][j] == law[j] * matrix[j][i]
        for i, j in product(states, repeat=2)
    )


# --- Two urns -------------------------------------------------------------


def urns(N):
    matrix = [[F(0)] * (N + 1) for _ in range(N + 1)]
    for k in range(N + 1):
        if k:
            matrix[k][k - 1] = F(k, N)
        if k < N:
            matrix[k][k + 1] = F(N - k, N)
    return matrix


@pytest.mark.parametrize("N", [1, 2, 5, 8])
def test_the_urns_are_in_balance_with_the_binomial_law(N):
    law = [F(math.comb(N, k), 2**N) for k in range(N + 1)]
    assert in_balance(law, urns(N))
    for k in range(N):
        assert law[k + 1] / law[k] == F(N - k, k + 1)


def test_the_urns_have_period_two():
    odd, even = power(urns(5), 31), power(urns(5), 32)
    for i, j in product(range(6), repeat=2):
        assert (odd[i][j] > 0) == ((i + j) % 2 == 1)
        assert (even[i][j] > 0) == ((i + j) % 2 == 0)


def test_the_excess_shrinks():
    N = 7
    for k, row in enumerate(urns(N)):
        after = sum(p * (j - F(N, 2)) for j, p in enumerate(row))
        assert after == (1 - F(2, N)) * (k - F(N, 2))
    enough = math.log(50) / -math.log(0.98)
    assert f"{enough:.1f}" == "193.6"
    assert math.ceil(enough) == 194
    assert 50 * 0.98**194 < 1 < 50 * 0.98**193


# --- Two states, completely -----------------------------------------------

probabilities = st.fractions(F(1, 12), 1, max_denominator=12)


@given(probabilities, probabilities, st.integers(0, 6))
def test_the_powers_of_two_states(a, b, t):
    if a == b == 1:
        return
    matrix, lam = [[1 - a, a], [b, 1 - b]], 1 - a - b
    found = power(matrix, t)
    settled, rest = [[b, a], [b, a]], [[a, -a], [-b, b]]
    for i, j in product(range(2), repeat=2):
        assert found[i][j] == (settled[i][j] + lam**t * rest[i][j]) / (a + b)
    assert distance(*found) == abs(lam) ** t
    pi = b / (a + b)
    assert pi * found[0][0] - pi**2 == lam**t * pi * (1 - pi)
    if lam:
        tau = (1 + lam) / (1 - lam)
        assert tau == (2 - a - b) / (a + b)
        assert (tau < 1) == (lam < 0) == (a + b > 1)
        lags = [float(lam) ** k for k in range(1, 4000)]
        assert 1 + 2 * math.fsum(lags) == pytest.approx(float(tau))


# --- Another way to accept ------------------------------------------------

flows = st.fractions(F(1, 9), 9, max_denominator=9)


@given(flows, flows, st.fractions(0, 1, max_denominator=9))
def test_barker_against_metropolis(r, s, share):
    alpha = min(F(1), s / r)
    beta, back = s / (r + s), r / (r + s)
    assert r * beta == s * back
    assert alpha / 2 <= beta <= alpha
    # Any rule in balance: choose one side, and the other is forced.
    forced = r * share / s
    if forced <= 1:
        assert share <= alpha


def test_the_two_rules_on_two_states():
    always, half = [[F(0), F(1)], [F(1), F(0)]], [[F(1, 2)] * 2] * 2
    assert in_balance([F(1, 2)] * 2, always)
    assert power(always, 2) == power(always, 0)
    assert power(half, 5) == half


# --- Proposals that do not look where they are ----------------------------

weights = st.lists(st.integers(1, 9), min_size=4, max_size=4)


@given(weights, weights)
def test_independent_proposals(pi, q):
    pi = [F(w, sum(pi)) for w in pi]
    q = [F(w, sum(q)) for w in q]
    ratio = [a / b for a, b in zip(pi, q, strict=True)]
    M = max(ratio)
    matrix = []
    for i in range(4):
        row = [
            q[j] * min(F(1), ratio[j] / ratio[i]) if j != i else F(0)
            for j in range(4)
        ]
        row[i] = 1 - sum(row)
        matrix.append(row)
        assert all(row[j] >= pi[j] / M for j in range(4))
    assert in_balance(pi, matrix)
    for t in (1, 2, 5):
        for row in power(matrix, t):
            assert distance(row, pi) <= (1 - 1 / M) ** t
    kept = [a * r / M for a, r in zip(q, ratio, strict=True)]
    assert sum(kept) == 1 / M
    assert [k / sum(kept) for k in kept] == pi


def test_coins_in_twenty_dimensions():
    ratios = [F(6, 10) ** k * F(4, 10) ** (20 - k) * 2**20 for k in range(21)]
    assert max(ratios) == ratios[20] == F(12, 10) ** 20
    assert f"{float(max(ratios)):.1f}" == "38.3"
    assert ratios[7] == F(12, 10) ** 7 * F(8, 10) ** 13
