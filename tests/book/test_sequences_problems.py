"""The solved problems of *Mixtures and sequences*, by other computations.

That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

from fractions import Fraction as F
from itertools import pairwise, product
from math import isclose, log, sqrt

import numpy as np
import pytest

PI = (F(2, 3), F(1, 3))
STEP = ((F(3, 4), F(1, 4)), (F(1, 2), F(1, 2)))
SHOWS = ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))


def joint(path, lids, pi, step, shows):
    p = pi[path[0]]
    for j, k in pairwise(path):
        p *= step[j][k]
    for k, lid in zip(path, lids, strict=True):
        p *= shows[k][lid]
    return p


def posterior(lids, pi, step, shows):
    paths = product((0, 1), repeat=len(lids))
    found = {path: joint(path, lids, pi, step, shows) for path in paths}
    total = sum(found.values())
    return {path: p / total for path, p in found.items()}, total


# --- How long a state lasts ----


@pytest.mark.parametrize(("state", "mean"), [(0, 4), (1, 2)])
def test_the_mean_duration(state, mean):
    stay = float(STEP[state][state])
    hours = np.arange(1, 400)
    p = stay ** (hours - 1) * (1 - stay)
    assert isclose(p.sum(), 1)
    assert isclose(hours @ p, mean)
    assert p.argmax() == 0


def test_the_start_is_stationary():
    after = [sum(PI[j] * STEP[j][k] for j in (0, 1)) for k in (0, 1)]
    assert after == [*PI]
    lids = {x: posterior((x,), PI, STEP, SHOWS)[1] for x in (0, 1)}
    assert lids[1] == F(5, 12)


# --- A start that is too fair ----


def test_equal_states_stay_equal():
    half = (F(1, 2), F(1, 2))
    lids, shows = (0, 1, 1), (half, half)
    for _ in range(3):
        paths, total = posterior(lids, half, (half, half), shows)
        assert set(paths.values()) == {F(1, 8)}
        counts = [[F(0), F(0)], [F(0), F(0)]]
        for path, p in paths.items():
            for k, lid in zip(path, lids, strict=True):
                counts[k][lid] += p
        shows = tuple(tuple(n / sum(row) for n in row) for row in counts)
        assert shows == ((F(1, 3), F(2, 3)),) * 2
    assert total == F(4, 27)
    assert isclose(log(total), log(1 / 3) + 2 * log(2 / 3))


# --- Without repair ----


def test_the_first_worn_hour():
    step = ((F(3, 4), F(1, 4)), (F(0), F(1)))
    paths, total = posterior((0, 0, 1, 1), (F(1), F(0)), step, SHOWS)
    possible = {path: p for path, p in paths.items() if p}
    assert len(possible) == 4
    assert total == F(1890, 16384)
    assert possible == {
        (0, 1, 1, 1): F(8, 35),
        (0, 0, 1, 1): F(18, 35),
        (0, 0, 0, 1): F(9, 70),
        (0, 0, 0, 0): F(9, 70),
    }
    worn = [sum(p for z, p in possible.items() if z[t]) for t in range(4)]
    assert worn == [0, F(8, 35), F(26, 35), F(61, 70)]


# --- The gain in the long run ----


@pytest.mark.parametrize(
    ("V", "S", "v", "gain"), [(1, 2, 1, 1 / 2), (1, 6, 2, 1 / 3)]
)
def test_the_variance_in_the_long_run(V, S, v, gain):
    at = 50.0
    for _ in range(200):
        at = (at + V) * S / (at + V + S)
    assert isclose(at, v)
    assert isclose((sqrt(V * V + 4 * V * S) - V) / 2, v)
    assert isclose(at / S, gain)


def test_the_filter_forgets_geometrically():
    rng, g = np.random.default_rng(1), 1 / 3
    x, m = rng.normal(size=200), 5.0
    for value in x:
        m += g * (value - m)
    weights = g * (1 - g) ** np.arange(200)
    assert isclose(m, weights @ x[::-1], abs_tol=1e-9)
