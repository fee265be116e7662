"""The solved problems of *Data larger than memory*, recomputed.

What is computed here has to stand in the text: a changed number there turns
a test red.
"""

from fractions import Fraction as F
from math import ceil, log
from statistics import median, mode

import numpy as np
from solved_problems import problems_of, tex

exercise, solution = problems_of("appendix/large_data")


def test_what_adds_up():
    text = solution("exr-large-what")
    assert median([0, 2, 2]) == median([2, 2, 9]) == 2
    assert median([0, 2, 2, 3]) == 2
    assert median([2, 2, 9, 3]) == 2.5
    assert rf"the medians are 2 and {tex(F(5, 2)).join('$$')}" in text
    first, second = "aabbb", "aaccc"
    assert (mode(first), mode(second), mode(first + second)) == (*"bca",)
    assert "are *b* and *c*, and in both together *a*" in text
    first, second = "b", "cc"
    assert (mode(first), mode(second), mode(first + second)) == (*"bcc",)
    assert "The parts *b* and *c c* have the same two" in text


def test_covariances():
    text = solution("exr-large-covariance")
    points = np.array([[0, 0], [2, 2], [4, 6], [6, 4]])

    def c(rows):
        deviations = rows - rows.mean(axis=0)
        return deviations.prod(axis=1)

    assert (c(points[:2]).sum(), c(points[2:]).sum()) == (2, -2)
    assert c(points).tolist() == [9, 1, 3, 3]
    assert "$9 + 1 + 3 + 3 = 16$" in text
    assert r"$c = 2 - 2 + \frac{2 \cdot 2}{4} \cdot 4 \cdot 4 = 16$" in text
    rng = np.random.default_rng(1)
    for n, m in rng.integers(1, 9, (20, 2)):
        a, b = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
        between = n * m / (n + m) * (a.mean(axis=0) - b.mean(axis=0)).prod()
        merged = c(a).sum() + c(b).sum() + between
        assert np.isclose(merged, c(np.vstack([a, b])).sum())


def test_two_hospitals():
    text = solution("exr-large-average")
    rows, rain, umbrella = (100, 300), (20, 180), (10, 171)
    assert F(sum(rain), sum(rows)) == F(1, 2)
    assert F(sum(umbrella), sum(rain)) == F(181, 200)
    assert r"$\frac{200}{400} = \frac12$ and $\frac{181}{200}$" in text
    of_rain = [F(a, n) for a, n in zip(rain, rows, strict=True)]
    of_umbrella = [F(a, n) for a, n in zip(umbrella, rain, strict=True)]
    assert (*of_rain, sum(of_rain) / 2) == (F(1, 5), F(3, 5), F(2, 5))
    assert (*of_umbrella, sum(of_umbrella) / 2) == (
        F(1, 2), F(19, 20), F(29, 40)
    )  # fmt: skip
    assert r"$\frac{29}{40}$" in text
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
    text = solution("exr-large-tree")
    assert tasks(1000, 8) == [125, 16, 2, 1]
    assert "$125 + 16 + 2 + 1 = 144$ tasks in 4 levels" in text
    for parts in range(2, 300):
        for together in range(2, 10):
            levels = len(tasks(parts, together))
            assert together ** (levels - 1) < parts <= together**levels
            assert levels == ceil(log(parts, together) - 1e-9)
    assert "so there are 999" in text


def test_single_precision():
    text = solution("exr-large-single")
    last = np.float32(2**24)
    assert last + np.float32(1) == last
    assert np.float32(2**24 - 1) + np.float32(1) == last
    assert np.nextafter(last, np.float32(np.inf)) == 2**24 + 2
    assert f"{2**24:,}".replace(",", "{,}") in text
    assert 2**5 * 3125 == 100_000
    assert 2**24 // 3125 == 5368
    assert "$k = 5368$, or 536,800,000 rows" in text
    steps = np.arange(5369) * 100_000
    assert (steps.astype(np.float32).astype(int) == steps).all()
    added = np.float32(0)
    for _ in range(5368):
        added += np.float32(100_000)
    assert added == 536_800_000
    # With a last chunk that is not full.
    full, rest = divmod(2**24 + 1, 100_000)
    assert int(np.float32(full * 100_000) + np.float32(rest)) == 2**24
    assert f"{full} full chunks and {rest:,} rows" in text
