"""The solved problems of *Data larger than memory*, recomputed.

That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

from fractions import Fraction as F
from math import ceil, log
from statistics import median, mode

import numpy as np


def test_what_adds_up():
    assert median([0, 2, 2]) == median([2, 2, 9]) == 2
    assert median([0, 2, 2, 3]) == 2
    assert median([2, 2, 9, 3]) == 2.5
    first, second = "aabbb", "aaccc"
    assert (mode(first), mode(second), mode(first + second)) == (*"bca",)
    first, second = "b", "cc"
    assert (mode(first), mode(second), mode(first + second)) == (*"bcc",)


def test_covariances():
    points = np.array([[0, 0], [2, 2], [4, 6], [6, 4]])

    def c(rows):
        deviations = rows - rows.mean(axis=0)
        return deviations.prod(axis=1)

    assert (c(points[:2]).sum(), c(points[2:]).sum()) == (2, -2)
    assert c(points).tolist() == [9, 1, 3, 3]
    rng = np.random.default_rng(1)
    for n, m in rng.integers(1, 9, (20, 2)):
        a, b = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
        between = n * m / (n + m) * (a.mean(axis=0) - b.mean(axis=0)).prod()
        merged = c(a).sum() + c(b).sum() + between
        assert np.isclose(merged, c(np.vstack([a, b])).sum())


def test_two_hospitals():
    rows, rain, umbrella = (100, 300), (20, 180), (10, 171)
    assert F(sum(rain), sum(rows)) == F(1, 2)
    assert F(sum(umbrella), sum(rain)) == F(181, 200)
    of_rain = [F(a, n) for a, n in zip(rain, rows, strict=True)]
    of_umbrella = [F(a, n) for a, n in zip(umbrella, rain, strict=True)]
    assert (*of_rain, sum(of_rain) / 2) == (F(1, 5), F(3, 5), F(2, 5))
    assert (*of_umbrella, sum(of_umbrella) / 2) == (
        F(1, 2), F(19, 20), F(29, 40)
    )  # fmt: skip
    weights = [F(n, 400) for n in rows], [F(n, 200) for n in rain]
    assert weights == ([F(1, 4), F(3, 4)], [F(1, 10), F(9, 10)])
    for shares, estimates, whole in (
        (weights[0], of_rain, F(1, 2)),
        (weights[1], of_umbrella, F(181, 200)),
    ):
        products = zip(shares, estimates, strict=True)
        assert sum(a * b for a, b in products) == whole


def tasks(parts, together):
    found = []
    while parts > 1:
        parts = ceil(parts / together)
        found.append(parts)
    return found


def test_a_tree_of_additions():
    assert tasks(1000, 8) == [125, 16, 2, 1]
    for parts in range(2, 300):
        for together in range(2, 10):
            levels = len(tasks(parts, together))
            assert together ** (levels - 1) < parts <= together**levels
            assert levels == ceil(log(parts, together) - 1e-9)


def test_single_precision():
    last = np.float32(2**24)
    assert last + np.float32(1) == last
    assert np.float32(2**24 - 1) + np.float32(1) == last
    assert np.nextafter(last, np.float32(np.inf)) == 2**24 + 2
    assert 2**5 * 3125 == 100_000
    assert 2**24 // 3125 == 5368
    steps = np.arange(5369) * 100_000
    assert (steps.astype(np.float32).astype(int) == steps).all()
    added = np.float32(0)
    for _ in range(5368):
        added += np.float32(100_000)
    assert added == 536_800_000
    # With a last chunk that is not full.
    full, rest = divmod(2**24 + 1, 100_000)
    assert int(np.float32(full * 100_000) + np.float32(rest)) == 2**24
    assert full == 167
    assert f"{rest:,}" == "77,217"
