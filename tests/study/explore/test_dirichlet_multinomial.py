"""The explorable of the triangle and the urn, against exact fractions."""

import re
from fractions import Fraction as F
from itertools import product
from math import exp, lgamma, log, sqrt

import numpy as np
import pytest

from bayesbook.conjugate import DirichletCategorical
from bayesbook.study import explore
from bayesbook.study.explore.dirichlet_multinomial import (
    _LEVELS,
    _UNIFORMS,
    _urn,
    view,
)

THROWS = ("rock", "paper", "scissors")
NAMES = ("a1", "a2", "a3", "n1", "n2", "n3", "urn", "draws")
ENDS = [*[(1, 80)] * 3, *[(0, 50)] * 3, (1, 8), (0, 200)]
CORNERS = np.array([[0, 946], [1000, 946], [500, 80]])
# 16 dots along a side, in the middles of small triangles.
GRID = [
    np.array([3 * i + 1, 3 * j + 1, 3 * (15 - i - j) + 1]) / 48
    for i in range(16)
    for j in range(16 - i)
]
DOT = re.compile(
    r"M(-?[\d.]+) (-?[\d.]+)a([\d.]+) \3 0 1 0 ([\d.]+) 0a\3 \3 0 1 0 -\4 0"
)
POINT = re.compile(r"(-?[\d.]+) (-?[\d.]+)")


def state_of(quarters=(16, 16, 16), counts=(7, 4, 1), urn=1, draws=20):
    """Write a prior, in quarters, and counts as a state."""
    return dict(zip(NAMES, (*quarters, *counts, urn, draws), strict=True))


def random_states(how_many, seed=1):
    """Draw states: any, such as have controls at their ends, small ones."""
    rng = np.random.default_rng(seed)
    for at in range(how_many):
        state = [int(rng.integers(a, b + 1)) for a, b in ENDS]
        if at % 3 == 1:
            for place, values in enumerate(ENDS):
                if rng.random() < 0.6:
                    state[place] = int(rng.choice(values))
        if at % 3 == 2:
            state[:6] = rng.integers([1] * 3 + [0] * 3, [9] * 3 + [3] * 3)
            state[7] = int(rng.integers(13))
        yield dict(zip(NAMES, map(int, state), strict=True))


STATES = [
    state_of(),
    state_of((4, 4, 4), (0, 0, 0), draws=0),
    state_of((4, 4, 4), (1, 0, 0), draws=1),
    state_of((1, 1, 1), (0, 0, 0), urn=3, draws=200),
    state_of((1, 4, 80), (0, 0, 50), urn=8),
    state_of((80, 80, 80), (50, 50, 50), draws=200),
    state_of((1, 80, 1), (0, 50, 0), draws=200),
    state_of((3, 5, 4), (1, 0, 0)),
    state_of((1, 1, 1), (1, 1, 1)),
    *random_states(300),
]


def truth_of(state):
    """Return prior, posterior and the path of its urn, as fractions."""
    quarters = [state[f"a{k}"] for k in (1, 2, 3)]
    counts = [state[f"n{k}"] for k in (1, 2, 3)]
    prior = [F(a, 4) for a in quarters]
    posterior = [a + n for a, n in zip(prior, counts, strict=True)]
    return prior, posterior, path_of(posterior, state["urn"], state["draws"])


def path_of(alpha, urn, draws):
    """Return the balls of an urn at first and after each draw."""
    path = [alpha]
    for number in _UNIFORMS[urn - 1][:draws]:
        balls = path[-1]
        # Who is reached first when the shares are laid one after the other.
        ends = [sum(balls[: k + 1]) / sum(balls) for k in range(3)]
        [colour, *_] = [k for k in range(3) if F(number, 10_000) < ends[k]]
        path.append([b + (k == colour) for k, b in enumerate(balls)])
    return path


def draws_of(path):
    """Return of which draws an urn's path is drawn: of many each fourth."""
    last = len(path) - 1
    return [n for n in range(last) if n < 40 or n % 4 == 0] + [last]


def shares_of(values):
    """Return values divided by their sum."""
    return [value / sum(values) for value in values]


def mode_of(alpha):
    """Return the mode, by the theorem of the chapter; else None."""
    excess = [a - 1 for a in alpha]
    if min(excess) < 0 or not any(excess):
        return None
    return shares_of(excess)


def densities_of(alpha):
    """Return the density at the dots, by its formula."""
    alpha = [*map(float, alpha)]
    constant = lgamma(sum(alpha)) - sum(map(lgamma, alpha))
    return [
        exp(
            constant
            + sum((a - 1) * log(t) for a, t in zip(alpha, theta, strict=True))
        )
        for theta in GRID
    ]


def at(theta):
    """Return where probabilities lie in the picture."""
    return np.array([*map(float, theta)]) @ CORNERS


def near(place, theta):
    """Say whether a place is that of probabilities, within rounding."""
    return np.abs(np.array([*map(float, place)]) - at(theta)).max() <= 0.051


def rounded(text, value, half=F(1, 1999)):
    """Say whether a text of three decimals is a value."""
    return re.fullmatch(r"\d\.\d{3}", text) and abs(F(text) - value) <= half


@pytest.mark.parametrize("part", range(4))
def test_what_is_written_is_what_fractions_say(part):
    for state in STATES[part::4]:
        prior, posterior, path = truth_of(state)
        written = view(**state).written
        mode, share = mode_of(posterior), shares_of(path[-1])
        taken = [b - a for a, b in zip(path[0], path[-1], strict=True)]
        for i in range(3):
            k = i + 1
            assert F(written[f"a{k}"]) == prior[i]
            assert F(written[f"n{k}"]) == state[f"n{k}"]
            assert rounded(written[f"prior_mean_{k}"], shares_of(prior)[i])
            assert rounded(written[f"mean_{k}"], shares_of(posterior)[i])
            assert rounded(written[f"share_{k}"], share[i])
            text = written[f"mode_{k}"]
            assert text == "none" if mode is None else rounded(text, mode[i])
        assert [*map(F, written["alpha"].split(", "))] == prior
        assert [*map(F, written["after"].split(", "))] == posterior
        strength, *_ = written["strength"].split()
        assert F(strength) == sum(prior)
        assert written["strength"].endswith("s") == (sum(prior) != 1)
        assert written["urn"] == str(state["urn"])
        assert written["draws"] == str(state["draws"])
        numbers = re.findall(r"\d+\.?\d*", written["drawn"])
        if state["draws"]:
            n, urn, *kinds = map(F, numbers[:5])
            assert (n, urn, kinds) == (state["draws"], state["urn"], taken)
            assert numbers[5:] == [written[f"share_{k}"] for k in (1, 2, 3)]
            assert ("draws" in written["drawn"]) == (n > 1)
        else:
            assert [*map(F, numbers)] == [sum(posterior)]


def test_what_is_said_of_the_mode_is_what_the_theorem_says():
    kinds = set()
    for state in STATES:
        prior, posterior, _ = truth_of(state)
        written = view(**state).written
        for alpha, note in (
            (prior, written["prior_note"]),
            (posterior, written["posterior_note"]),
        ):
            small = [a < 1 for a in alpha]
            flat = all(a == 1 for a in alpha)
            assert note == (
                "No mode."
                if any(small)
                else "Every point is a mode."
                if flat
                else ""
            )
            kinds.add(note)
        said = written["mode"]
        if any(small):
            *_, names = said.split("probability of ")
            named = [
                name
                for name, a in zip(THROWS, posterior, strict=True)
                if a < 1
            ]
            assert re.split(", | or ", names.removesuffix(" is 0")) == named
            assert names.count(" or ") == (len(named) > 1)
        elif flat:
            assert said.endswith("so every point is a mode")
        else:
            texts = re.findall(r"\d\.\d{3}", said)
            assert texts == [written[f"mode_{k}"] for k in (1, 2, 3)]
    assert len(kinds) == 3


@pytest.mark.parametrize("part", range(4))
def test_dots_are_as_large_as_the_density(part):
    for state in STATES[part::4]:
        prior, posterior, _ = truth_of(state)
        seen = view(**state)
        for name, alpha in (("prior", prior), ("posterior", posterior)):
            density = densities_of(alpha)
            top = max(density)
            text = seen.written[f"{name}_top"]
            assert abs(float(text) - top / 2) <= 0.05001
            dots = [*map(float, sum(DOT.findall(dots_of(seen, name)), ()))]
            expected = [
                (at(theta), 30 * sqrt(value / top))
                for theta, value in zip(GRID, density, strict=True)
                if 30 * sqrt(value / top) >= 0.05
            ]
            assert len(dots) == 4 * len(expected)
            for i, ((x, y), radius) in enumerate(expected):
                left, middle, r, wide = dots[4 * i : 4 * i + 4]
                assert abs(r - radius) <= 0.0501
                assert abs(wide - 2 * r) < 1e-9
                assert abs(left + r - x) <= 0.0501
                assert abs(middle - y) <= 0.0501


def dots_of(seen, name):
    """Return the path of dots, which has nothing else in it."""
    path = seen.drawn[f"{name}_dots"]["d"]
    assert DOT.sub("", path) == ""
    return path


def test_the_dots_share_out_the_triangle():
    assert len(GRID) == 136
    assert np.allclose(np.sum(GRID, axis=1), 1)
    # Each in the middle of one of 256 equal triangles of either direction.
    assert np.min(GRID) == pytest.approx(1 / 48)
    flat = view(**state_of((4, 4, 4), (0, 0, 0)))
    radii = {found[2] for found in DOT.findall(dots_of(flat, "prior"))}
    assert radii == {"30"}
    assert flat.written["prior_top"] == "1.0"


def test_marks_lie_where_fractions_say():
    for state in STATES:
        prior, posterior, _ = truth_of(state)
        drawn = view(**state).drawn
        for name, alpha in (("prior", prior), ("posterior", posterior)):
            mean = drawn[f"{name}_mean"]
            assert near((mean["cx"], mean["cy"]), shares_of(alpha))
            diamond, mode = drawn[f"{name}_mode"]["d"], mode_of(alpha)
            if mode is None:
                assert diamond == ""
                continue
            x, y = re.fullmatch(
                rf"M{POINT.pattern}l40 40l-40 40l-40 -40Z", diamond
            ).groups()
            assert near((x, float(y) + 40), mode)
        for k, before, after in zip(
            (1, 2, 3), shares_of(prior), shares_of(posterior), strict=True
        ):
            width = float(drawn[f"bar_{k}"]["width"])
            assert abs(width - 1000 * after) <= 0.0501
            [x] = re.findall(r"M([\d.]+) 0v10", drawn[f"before_{k}"]["d"])
            assert abs(float(x) - 1000 * before) <= 0.0501


def test_urns_go_where_fractions_say():
    for state in STATES[::2]:
        _, posterior, path = truth_of(state)
        drawn = view(**state).drawn
        shares = [shares_of(balls) for balls in path]
        draws = draws_of(path)
        points = POINT.findall(drawn["path"]["d"])
        assert len(points) == len(draws)
        assert all(
            near(p, shares[n]) for p, n in zip(points, draws, strict=True)
        )
        chosen = drawn["chosen"]
        assert near((chosen["cx"], chosen["cy"]), shares[-1])
        others = DOT.findall(drawn["others"]["d"])
        numbers = [u for u in range(1, 9) if u != state["urn"]]
        assert len(others) == 7
        for urn, (left, y, r, _) in zip(numbers, others, strict=True):
            end = path_of(posterior, urn, state["draws"])[-1]
            assert near((float(left) + float(r), y), shares_of(end))
        assert drawn["another"]["data-sets"] == f"urn {state['urn'] % 8 + 1}"
        by_share = sorted(range(3), key=lambda i: -shares[-1][i])
        for i in range(3):
            k = i + 1
            curve = POINT.findall(drawn[f"curve_{k}"]["d"])
            for n, (x, y) in zip(draws, curve, strict=True):
                along = 800 * log(1 + n) / log(201)
                assert abs(float(x) - along) <= 0.0501
                assert abs(float(y) - 880 * (1 - shares[n][i])) <= 0.0501
            x, y = drawn[f"end_{k}"].values()
            assert (x, y) == curve[-1]
            slot = (150, 440, 730)[by_share.index(i)]
            assert drawn[f"leader_{k}"]["d"] == f"M{x} {y}L830 {slot}"
            assert drawn[f"name_{k}"] == {"y": slot + 17}


@pytest.mark.parametrize("state", STATES[1::25])
def test_shares_are_predictions_of_the_library(state):
    """What an urn has drawn is data of the model that it simulates."""
    _, posterior, path = truth_of(state)
    taken = [int(b - a) for a, b in zip(path[0], path[-1], strict=True)]
    family = DirichletCategorical([*map(float, posterior)])
    predictive = family.update(counts=taken).predictive(1)
    written = view(**state).written
    for k, one in zip((1, 2, 3), np.eye(3, dtype=int), strict=True):
        p = float(predictive.pmf(one))
        assert abs(float(written[f"share_{k}"]) - p) <= 0.000501


@pytest.mark.parametrize("quarters", [(4, 4, 8), (8, 4, 4), (2, 12, 2)])
def test_the_urn_draws_with_the_probabilities_of_the_model(quarters):
    """All of 60 equally spaced numbers come equally often."""
    levels = [_LEVELS * (2 * i + 1) // 120 for i in range(60)]
    found = {}
    for uniforms in product(levels, repeat=3):
        *_, end = _urn(quarters, uniforms)
        counts = tuple(
            (b - a) // 4 for a, b in zip(quarters, end, strict=True)
        )
        found[counts] = found.get(counts, 0) + 1
    family = DirichletCategorical([q / 4 for q in quarters])
    for counts, times in found.items():
        expected = family.predictive(3).pmf(counts)
        assert times / 60**3 == pytest.approx(expected, abs=1e-12 + 0.01)
        if quarters != (2, 12, 2):  # where every share is whole sixtieths
            assert times / 60**3 == pytest.approx(expected, abs=1e-12)
    assert sum(found.values()) == 60**3


def test_random_numbers_are_spread_evenly():
    numbers = np.array(_UNIFORMS)
    assert numbers.shape == (8, 200)
    assert numbers.min() >= 0
    assert numbers.max() < _LEVELS == 10_000
    assert len({*map(tuple, _UNIFORMS)}) == 8
    tenths = np.bincount(numbers.ravel() // 1000, minlength=10)
    # Each tenth is expected 160 times, with the standard deviation 12.
    assert abs(tenths - 160).max() < 4 * 12


def solves(task, state):
    """Say whether a state solves a task."""
    return task in view(**state).solves


def test_all_throws_are_equally_probable_next():
    for least in range(1, 57, 5):
        prior = (least, least + 12, least + 24)
        state = state_of(prior)
        assert len({*truth_of(state)[1]}) == 1
        assert solves("third", state)
        assert not solves("third", state_of(prior, (7, 4, 2)))
        assert not solves("third", state_of((least, least + 12, least + 25)))
        assert not solves("third", state_of((least + 1, *prior[1:])))
    assert not solves("third", state_of((8, 8, 8), (4, 4, 4)))


def test_three_throws_are_the_fewest_with_a_mode():
    least = [F(1, 4)] * 3
    every = [
        counts for counts in product(range(4), repeat=3) if sum(counts) <= 3
    ]
    with_mode = [
        counts
        for counts in every
        if mode_of([a + n for a, n in zip(least, counts, strict=True)])
    ]
    assert with_mode == [(1, 1, 1)]
    found = [c for c in every if solves("mode", state_of((1, 1, 1), c))]
    assert found == with_mode
    assert not solves("mode", state_of((1, 1, 1), (2, 1, 1)))
    assert not solves("mode", state_of((1, 1, 2), (1, 1, 1)))


def test_ten_draws_that_are_the_same_need_a_prior_for_sparse_shares():
    found = [
        (quarters, urn)
        for quarters in range(1, 81)
        for urn in range(1, 9)
        if any(
            now - before == 10
            for before, now in zip(
                [F(quarters, 4)] * 3,
                path_of([F(quarters, 4)] * 3, urn, 10)[-1],
                strict=True,
            )
        )
    ]
    assert found == [(1, 3), (1, 6)]
    for urn in range(1, 9):
        for quarters in range(1, 5):
            for draws in (9, 10, 11, 200):
                state = state_of([quarters] * 3, (0, 0, 0), urn, draws)
                is_solved = (quarters, urn) in found and draws >= 10
                assert solves("same", state) == is_solved
    assert not solves("same", state_of((1, 1, 2), (0, 0, 0), 3))
    assert not solves("same", state_of((1, 1, 1), (1, 0, 0), 3))


def test_the_start_is_the_opponent_of_the_chapter():
    shown = explore.dirichlet_multinomial()
    assert shown.start() == view(**state_of())
    assert shown.start().solves == ()
    other = explore.dirichlet_multinomial((0.25, 1, 20), [0, 50, 3])
    assert other.start() == view(**state_of((1, 4, 80), (0, 50, 3)))


@pytest.mark.parametrize("wrong", [0, 0.3, 20.25, -1, True, "4", None])
def test_what_is_on_no_slider_of_the_prior_is_refused(wrong):
    with pytest.raises(ValueError, match=r"alpha=.* is not on its slider"):
        explore.dirichlet_multinomial((4, wrong, 4))


@pytest.mark.parametrize("wrong", [-1, 0.5, 51, False, "4", None])
def test_what_is_on_no_slider_of_the_counts_is_refused(wrong):
    with pytest.raises(ValueError, match=r"count=.* is not on its slider"):
        explore.dirichlet_multinomial(counts=(4, wrong, 4))


def test_numbers_for_more_or_fewer_throws_are_refused():
    with pytest.raises(ValueError, match="alpha has 2 numbers: give one"):
        explore.dirichlet_multinomial((1, 2))
    with pytest.raises(ValueError, match="counts has 4 numbers: give one"):
        explore.dirichlet_multinomial(counts=(1, 2, 3, 4))
