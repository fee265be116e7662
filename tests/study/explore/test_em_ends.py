"""Where the explorable says that EM ends, and its tasks."""

import re
from functools import cache
from itertools import product
from math import hypot, pi

import numpy as np
import pytest
from study.explore.test_em import (
    DECIMAL,
    DEPTHS,
    ENDED,
    HIGH,
    PEAKS,
    TOPS,
    at,
    close,
    path_of,
    rounded,
    settled_together,
    state_of,
    truth_of,
)

from bayesbook.study import explore
from bayesbook.study.explore.em import view

# --- Where EM ends -----------------------------------------------------------


@pytest.mark.parametrize("model", [0, 1, 2])
def test_the_maxima_are_those_of_the_chapter(model):
    for near, end in zip(PEAKS[model], ENDED[model], strict=True):
        assert end == pytest.approx(near, abs=6e-4)
    seen = view(**state_of(model, basins=1))
    texts = DECIMAL.findall(seen.written["ends"])
    ends = zip(ENDED[model], TOPS[model], strict=True)
    expected = [value for end, top in ends for value in (*end, top)]
    assert rounded(texts, expected)
    assert TOPS[model] == sorted(TOPS[model], reverse=True)
    for number_, end in enumerate(ENDED[model], 1):
        peak = seen.drawn[f"peak_{number_}"]
        x, y = at(model, end)
        assert close((peak["x"] - 40, peak["y"] + 24), (x, y))
        assert peak["visibility"] == "visible"
        # Around it the log-likelihood is lower.
        for turn in np.linspace(0, 2 * pi, 12):
            step = 1e-3 * np.array([np.cos(turn), np.sin(turn)])
            near = truth_of.__wrapped__(model, *np.add(end, step))[1]
            assert near < TOPS[model][number_ - 1]
    if model < 2:
        assert seen.drawn["peak_3"]["visibility"] == "hidden"
    assert view(**state_of(model)).written["ends"] == ""


def test_the_chapter_prints_these_log_likelihoods():
    printed = [-154.834, -154.834, -154.262, -157.712]
    assert TOPS[0] + TOPS[1] == pytest.approx(printed, abs=6e-4)


@pytest.mark.parametrize("model", [0, 1, 2])
def test_starts_have_the_colour_of_their_end(model):
    drawn = view(**state_of(model, basins=1)).drawn
    cells = {}
    for number_ in (1, 2, 3):
        path = drawn[f"basin_{number_}"]["d"]
        rows = re.findall(r"M(\d+) (\d+)h(\d+)v20h-(\d+)Z", path)
        assert re.sub(r"M\d+ \d+h\d+v20h-\d+Z", "", path) == ""
        for x, y, wide, back in (map(int, row) for row in rows):
            assert wide == back
            for left in range(x, x + wide, 20):
                assert (left, y) not in cells
                cells[left, y] = number_
    every = set(product(range(0, 1000, 20), repeat=2))
    diagonal = {(x, 980 - x) for x in range(0, 1000, 20)}
    assert every - {*cells} == (diagonal if model < 2 else set())
    places = np.array([*cells])
    starts = np.column_stack([places[:, 0] + 10, 990 - places[:, 1]])
    some = slice(None, None, 7)
    ends = settled_together(model, starts[some] * HIGH[model] / 1000)
    expected = [ENDED[model][number_ - 1] for number_ in cells.values()]
    assert np.allclose(ends, expected[some], 0, 1e-6)
    if model < 2:  # coins never exchange their order
        for (x, y), number_ in cells.items():
            assert number_ == (1 if x > 980 - y else 2)
    hidden = view(**state_of(model)).drawn
    assert all(hidden[f"basin_{k}"]["d"] == "" for k in (1, 2, 3))


@pytest.mark.parametrize("model", [0, 1, 2])
def test_contours_are_as_deep_as_they_are_said_to_be(model):
    path = view(**state_of(model)).drawn["contours"]["d"]
    lines = re.findall(r"M(\d+) (\d+)l([-\d ]+)", path)
    assert "".join(f"M{x} {y}l{rest}" for x, y, rest in lines) == path
    reached = set()
    for x, y, rest in lines:
        steps = np.array(rest.split(), dtype=int).reshape(-1, 2)
        places = np.cumsum([[int(x), int(y)], *steps], axis=0)
        depths = []
        for p, q in places[::4]:
            around = [
                TOPS[model][0] - depth_of(model, p + i, q + j)
                for i in (-8, 0, 8)
                for j in (-8, 0, 8)
            ]
            depths.append((min(around), max(around)))
        found = [
            depth
            for depth in DEPTHS
            if all(low <= depth <= high for low, high in depths)
        ]
        assert len(found) == 1, (x, y, depths)
        reached |= {*found}
    assert reached == {*DEPTHS}


def depth_of(model, x, y):
    """Return the log-likelihood at a place of the map, within its ends."""
    a, b = (min(max(each, 2), 998) for each in (x, 1000 - y))
    high = HIGH[model] / 1000
    return truth_of.__wrapped__(model, float(a * high), float(b * high))[1]


def solves(task, state):
    """Say whether a state solves a task."""
    return task in view(**state).solves


@cache
def rises_of(model, a, b, iterations):
    """Return how far iterations have raised the log-likelihood."""
    path = path_of(state_of(model, a, b), iterations)
    values = [truth_of(model, *each)[1] for each in path]
    return [value - values[0] for value in values]


def test_coins_exchange_their_names():
    """With a at most 0.05, b must be smaller yet."""
    solutions = {
        (a, b)
        for a, b in product(range(1, 7), range(1, 100, 2))
        if solves("names", state_of(1, a, b, 120))
    }
    assert solutions == {(a, b) for a in range(1, 6) for b in range(1, a, 2)}
    assert not solves("names", state_of(0, 5, 3, 120))
    assert not solves("names", state_of(1, 5, 3, 2))
    explained = explore.em().tasks["names"]
    assert "0.05" in explained
    assert f"{ENDED[1][0][0]:.3f}" in explained


def test_a_plateau_is_near_the_saddle():
    near = [*range(2, 99, 16), *range(55, 62)]
    solutions = {
        (a, b)
        for a, b in product(near, near)
        if solves("slow", state_of(0, a, b, 60))
    }
    assert solutions == {
        (a, b)
        for a, b in product(near, near)
        if (rise := rises_of(0, a, b, 30))[1] < 0.1 and rise[30] > 8
    }
    assert solutions == {(57, 58), (58, 57), (58, 59), (59, 58)}
    assert solves("slow", state_of(0, 59, 58, 200))
    assert not solves("slow", state_of(0, 59, 58, 59))
    assert not solves("slow", state_of(1, 59, 58, 60))


def test_the_wide_gaussian_decides_too():
    starts = [*product(range(1, 34), range(1, 100, 7))]
    ends = settled_together(2, 0.06 * np.array(starts))
    expected = {
        start
        for start, end in zip(starts, ends, strict=True)
        if hypot(*(end - ENDED[2][0])) > 1e-4
    }
    for a, b in [(34, 1), (34, 8), *starts[::2], *expected]:
        found = solves("other", state_of(2, a, b, 200))
        assert found == ((a, b) in expected)
    # Somebody who only plays seldom finds one: only a small b will do.
    assert 0 < len(expected) < len(starts) / 10
    assert max(b for _, b in expected) < 45
    a, b = min(expected)
    assert not solves("other", state_of(2, a, b, 2))
    assert not solves("other", state_of(1, a, b, 200))
