"""The explorable of EM, against plain loops, the network's EM and sklearn."""

import re
from functools import cache
from itertools import pairwise
from math import exp, floor, hypot, log, pi, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import rel_entr
from sklearn.mixture import GaussianMixture

from bayesbook import network
from bayesbook.data import datasets
from bayesbook.study import explore
from bayesbook.study.explore.em import view

NAMES = ("model", "a", "b", "steps", "basins")
ENDS = [(0, 2), (1, 99), (1, 99), (0, 200), (0, 1)]
HIGH = (1, 1, 6)
FIRST = (0.5, 0.75, 0.5)  # the weights of A
# As the chapter prints them.
HEADS = (5, 6, 7, 5, 2, 1, 6, 4, 4, 1, 2, 6, 2, 6, 6)
HEADS += (4, 1, 5, 7, 4, 5, 7, 4, 7, 6, 7, 2, 3, 7, 8)
WINES = datasets.load_wine_cultivars()["flavanoids"].tolist()
DEPTHS = (1, 3, 6, 12, 25, 50, 100, 200)
POINT = re.compile(r"(-?\d+) (-?\d+)")
DECIMAL = re.compile(r"[−]?\d+\.\d+")


def state_of(model=0, a=95, b=60, steps=1, basins=0):
    """Write a start and a number of steps as a state."""
    return dict(zip(NAMES, (model, a, b, steps, basins), strict=True))


def random_states(how_many, seed=1):
    """Draw states: any, with controls at their ends, after few steps."""
    rng = np.random.default_rng(seed)
    for at in range(how_many):
        state = [int(rng.integers(a, b + 1)) for a, b in ENDS]
        if at % 3 == 1:
            for place in (1, 2, 3):
                if rng.random() < 0.5:
                    state[place] = int(rng.choice(ENDS[place]))
        if at % 3 == 2:
            state[3] = int(rng.integers(8))
        if at % 9 == 0:  # equal coins, equal means
            state[2] = state[1]
        yield dict(zip(NAMES, state, strict=True))


STATES = [
    state_of(),
    state_of(steps=0),
    state_of(steps=2),
    state_of(a=58, b=58, steps=200),
    state_of(1, 5, 3, 100, 1),
    state_of(2, 99, 99, 0),
    state_of(2, 1, 99, 199),
    state_of(2, 1, 1, 2, 1),
    *random_states(300),
]


def logs_of(model, x, a, b):
    """Return the logarithms of P(component, x), of A and of B."""
    weights = FIRST[model], 1 - FIRST[model]
    if model < 2:
        each = [x * log(p) + (8 - x) * log(1 - p) for p in (a, b)]
    else:
        each = [
            -((x - mean) ** 2) / (2 * sd**2) - log(sd) - log(2 * pi) / 2
            for mean, sd in ((a, 0.25), (b, 0.7))
        ]
    return [log(w) + value for w, value in zip(weights, each, strict=True)]


def data_of(model):
    """Return all values of a model's data."""
    return HEADS if model < 2 else WINES


@cache
def truth_of(model, a, b):
    """Return P(A | x) of all values, and the log-likelihood."""
    shares, total = [], 0
    for x in data_of(model):
        of_a, of_b = logs_of(model, x, a, b)
        top = max(of_a, of_b)
        both = exp(of_a - top) + exp(of_b - top)
        shares.append(exp(of_a - top) / both)
        total += top + log(both)
    return shares, total


@cache
def next_of(model, a, b):
    """Return what an iteration makes of parameters."""
    data, (shares, _) = data_of(model), truth_of(model, a, b)
    if model < 2 and a == b:
        return (sum(data) / (8 * len(data)),) * 2
    tosses = 8 if model < 2 else 1
    pairs = [*zip(shares, data, strict=True)]
    of_a = sum(p * x for p, x in pairs) / (tosses * sum(shares))
    rest = [1 - p for p in shares]
    of_b = sum((1 - p) * x for p, x in pairs) / (tosses * sum(rest))
    return of_a, of_b


def bound_of(model, shares, a, b):
    """Return F(q, theta), by its definition."""
    total = 0
    for p, x in zip(shares, data_of(model), strict=True):
        for q, value in zip((p, 1 - p), logs_of(model, x, a, b), strict=True):
            total += q * (value - log(q)) if q else 0
    return total


def path_of(state, iterations):
    """Return the parameters at the start and after each iteration."""
    model, a, b = (state[name] for name in NAMES[:3])
    path = [(a * HIGH[model] / 100, b * HIGH[model] / 100)]
    for _ in range(iterations):
        path.append(next_of(model, *path[-1]))
    return path


def step_of(state):
    """Return where the last E step was made, where its M step leads, ..."""
    steps = state["steps"]
    path = path_of(state, max((steps + 1) // 2, 1))
    is_moved = steps > 0 and steps % 2 == 0
    return path[-2], path[-1], (path if is_moved else path[:-1])


# As the chapter prints them, and as 500 iterations of the loops end.
PEAKS = (
    [(0.7645, 0.3519), (0.3519, 0.7645)],
    [(0.7134, 0.2515), (0.4560, 0.8220)],
    [(0.8078, 2.5487), (3.0111, 1.4749), (5.0763, 2.0120)],
)


def settled(model, parameters, iterations=500):
    """Return where EM ends, by the loops."""
    for _ in range(iterations):
        after = next_of.__wrapped__(model, *parameters)
        if max(abs(np.subtract(after, parameters))) < 1e-12:
            break
        parameters = after
    return parameters


def settled_together(model, starts):
    """Return where EM ends from many starts, by numpy."""
    x, ends = np.array(data_of(model)), np.array(starts, dtype=float)
    for _ in range(300):
        a, b = ends.T[..., None]
        if model < 2:
            odds = x * np.log(a / b) + (8 - x) * np.log((1 - a) / (1 - b))
        else:
            odds = log(0.7 / 0.25)
            odds += ((x - b) / 0.7) ** 2 / 2 - ((x - a) / 0.25) ** 2 / 2
        q = 1 / (1 + (1 - FIRST[model]) / FIRST[model] * np.exp(-odds))
        means = [(p * x).sum(1) / p.sum(1) for p in (q, 1 - q)]
        ends = np.column_stack(means) / (8 if model < 2 else 1)
    return ends


ENDED = [[settled(m, peak) for peak in peaks] for m, peaks in enumerate(PEAKS)]
TOPS = [
    [truth_of(m, *peak)[1] for peak in peaks] for m, peaks in enumerate(ENDED)
]


def number(text):
    """Read a decimal with a minus sign of typesetting."""
    return float(text.replace("−", "-"))


def rounded(texts, values, digits=3):
    """Say whether texts are decimals of values."""
    half = 0.5001 * 10**-digits
    return len(texts) == len(values) and all(
        re.fullmatch(rf"−?\d+\.\d{{{digits}}}", text)
        and abs(number(text) - value) <= half
        for text, value in zip(texts, values, strict=True)
    )


# --- The truth, against the library ------------------------------------------


def coins_as_a_network(first, a, b):
    """Return a hidden coin, with eight tosses of it."""
    tosses = [f"t{j}" for j in range(8)]
    table = [[1 - a, a], [1 - b, b]]
    return network.BayesianNetwork.from_cpts(
        {"coin": ["A", "B"], **dict.fromkeys(tosses, (0, 1))},
        {
            "coin": [first, 1 - first],
            **{(toss, "coin"): table for toss in tosses},
        },
    )


@pytest.mark.parametrize("model", [0, 1])
def test_the_loops_are_the_em_of_the_network(model):
    rows = pd.DataFrame(
        [[int(j < k) for j in range(8)] for k in HEADS],
        columns=[f"t{j}" for j in range(8)],
    )
    for state in STATES[8:200:12]:
        a, b = state["a"] / 100, state["b"] / 100
        net = coins_as_a_network(FIRST[model], a, b)
        counts = network.expected_counts(net, rows)
        heads = sum(counts.tables[f"t{j}"] for j in range(8))
        expected = heads[:, 1] / heads.sum(axis=1)
        assert next_of(model, a, b) == pytest.approx(tuple(expected))
        joint = net.to_table()
        value = sum(log(joint.P(row)) for row in rows.to_dict("records"))
        assert truth_of(model, a, b)[1] == pytest.approx(value)


def test_the_loops_are_the_em_of_sklearn():
    x = np.array(WINES)[:, None]
    for state in STATES[8:200:6]:
        a, b = 6 * state["a"] / 100, 6 * state["b"] / 100
        model = GaussianMixture(2, covariance_type="spherical")
        model.weights_, model.means_ = (
            np.array([0.5, 0.5]),
            np.array([[a], [b]]),
        )
        model.covariances_ = np.array([0.25, 0.7]) ** 2
        model.precisions_cholesky_ = 1 / np.array([0.25, 0.7])
        q = model.predict_proba(x)
        shares, value = truth_of(2, a, b)
        assert shares == pytest.approx(q[:, 0])
        assert value == pytest.approx(len(x) * model.score(x))
        means = (q.T @ x)[:, 0] / q.sum(axis=0)
        assert next_of(2, a, b) == pytest.approx(tuple(means))


def test_the_data_are_those_of_the_chapter():
    rng = np.random.default_rng(0)
    is_first = rng.random(30) < 0.75
    heads = rng.binomial(8, np.where(is_first, 0.7, 0.25))
    assert heads.tolist() == [*HEADS]
    assert len(WINES) == 178


# --- What is written ---------------------------------------------------------


def test_what_is_written_is_what_the_loops_say():
    kinds = set()
    for state in STATES:
        old, new, _ = step_of(state)
        model, steps = state["model"], state["steps"]
        written = view(**state).written
        shares, here = truth_of(model, *old)
        there, lower = truth_of(model, *new)[1], bound_of(model, shares, *new)
        now, said = (
            DECIMAL.findall(written[name]) for name in ("now", "bound")
        )
        if not steps:
            assert rounded(now, [*old, here])
            assert said == []
        elif steps % 2:
            assert rounded(now, [*old, here])
            assert rounded(said, [lower, *new])
        else:
            assert rounded(now, new)
            stays = max(abs(p - q) for p, q in zip(old, new, strict=True))
            assert (stays < 0.0005) == (said[-1:] == ["0.0005"])
            rise, gain = max(there - lower, 0), max(there - here, 0)
            assert rounded(said[:4], [there, lower, rise, gain])
            kinds.add(stays < 0.0005)
        assert rounded(
            [written[name] for name in "ab"],
            [state[name] * HIGH[model] / 100 for name in "ab"],
            2,
        )
        kind = re.match(r"Iteration (\d+), (.) step", written["now"])
        expected = (str((steps + 1) // 2), "ME"[steps % 2]) if steps else None
        assert (kind and kind.groups()) == expected
        kinds.add(expected and expected[1])
    assert kinds == {True, False, None, "E", "M"}


def test_expected_counts_are_written():
    for state in STATES:
        old, new, _ = step_of(state)
        model, shares = state["model"], truth_of(state["model"], *old)[0]
        data = data_of(model)
        texts = DECIMAL.findall(view(**state).written["expected"])
        if not state["steps"]:
            assert texts == []
            continue
        each = 8 if model < 2 else 1
        sums = sum(p * x for p, x in zip(shares, data, strict=True))
        size = each * sum(shares)
        rest = sum(data) - sums, each * len(data) - size
        assert rounded(texts, [sums, size, *rest], 2)
        assert new == pytest.approx((sums / size, rest[0] / rest[1]))


def test_the_bound_touches_and_the_likelihood_never_falls():
    """The texts of an iteration, one after the other."""
    for state in STATES[::3]:
        model = state["model"]
        for t in (0, 1, 2, 5):
            old, new, _ = step_of(state | {"steps": 2 * t + 1})
            shares, here = truth_of(model, *old)
            assert bound_of(model, shares, *old) == pytest.approx(here)
            there = truth_of(model, *new)[1]
            gaps = [[p, 1 - p] for p in shares]
            others = [[p, 1 - p] for p in truth_of(model, *new)[0]]
            short = rel_entr(gaps, others).sum()
            lower = bound_of(model, shares, *new)
            assert lower + short == pytest.approx(there)
            assert there >= lower - 1e-9 >= here - 2e-9


# --- What is drawn -----------------------------------------------------------


def points_of(path):
    """Return the corners of a path of straight lines."""
    return [(int(x), int(y)) for x, y in POINT.findall(path["d"])]


def at(model, parameters):
    """Return where parameters lie on the map."""
    a, b = (1000 * p / HIGH[model] for p in parameters)
    return a, 1000 - b


def close(found, expected, within=0.51):
    """Say whether places are equal within rounding."""
    return all(
        abs(float(p) - q) <= within
        for p, q in zip(found, expected, strict=True)
    )


def test_points_of_the_map_lie_where_the_loops_say():
    for state in STATES:
        old, new, seen = step_of(state)
        model, drawn = state["model"], view(**state).drawn
        place = drawn["point"]["cx"], drawn["point"]["cy"]
        assert close(place, at(model, seen[-1]))
        assert close(
            (drawn["next"]["cx"], drawn["next"]["cy"]), at(model, new)
        )
        assert (drawn["next"]["visibility"] == "visible") == bool(
            state["steps"]
        )
        spot = f"translate({10 * state['a']} {1000 - 10 * state['b']})"
        assert drawn["start"]["transform"] == spot
        corners = [*points_of(drawn["path"])]
        assert corners == points_of(drawn["visited"])
        left = [at(model, each) for each in seen]
        for corner in corners:  # the path has them in order
            while not close(corner, left[0]):
                left.pop(0)
        assert all(close(corners[-1], each) for each in left)
        ends = points_of(drawn["line"])
        long = hypot(*np.subtract(*ends))
        for each in (old, new):  # on the line
            away = np.subtract(at(model, each), ends[0])
            across = np.cross([*np.subtract(ends[1], ends[0]), 0], [*away, 0])
            assert abs(across[2]) / long < 1.5
        assert long >= 100


def test_the_section_shows_log_likelihood_and_bound():
    for state in STATES[::2]:
        old, new, _ = step_of(state)
        model, seen = state["model"], view(**state)
        drawn = seen.drawn
        shares = truth_of(model, *old)[0]
        here, there = (truth_of(model, *each)[1] for each in (old, new))
        height = height_of(seen)
        curve, bound = (points_of(drawn[name]) for name in ("curve", "bound"))
        for x, y in curve[::10]:
            assert is_at(y, height, value_along(model, old, new), x)
        is_moved = state["steps"] > 0 and state["steps"] % 2 == 0
        spot, best = drawn["here"], drawn["top"]
        assert abs(height(there if is_moved else here) - spot["cy"]) < 0.6
        place = place_of(model, old, new, new if is_moved else old)
        assert abs(place - spot["cx"]) < 0.6
        gap = re.findall(r"M(\d+) (\d+)V(\d+)", drawn["gap"]["d"])
        if is_moved:
            ends = best["cx"], best["cy"], spot["cy"]
            assert gap == [tuple(map(str, ends))]
        else:
            assert gap == []
        if not state["steps"]:
            assert bound == []
            assert best["visibility"] == "hidden"
            continue
        assert best["visibility"] == "visible"
        assert abs(place_of(model, old, new, new) - best["cx"]) < 0.6
        assert abs(height(bound_of(model, shares, *new)) - best["cy"]) < 0.6
        assert [x for x, _ in bound] == [x for x, _ in curve]
        assert all(y >= z for (_, y), (_, z) in zip(bound, curve, strict=True))
        assert min(y for _, y in bound) >= best["cy"] - 1
        for x, y in bound[::10]:
            assert is_at(y, height, value_along(model, old, new, shares), x)


def line_of(model, old, new):
    """Return middle, direction and half length of the section's line."""
    start, end = (np.array(each) / HIGH[model] for each in (old, new))
    long = hypot(*(end - start))
    if long < 1e-4:
        return start, np.array([1, -1]) / sqrt(2), 0.12
    return (start + end) / 2, (end - start) / long, max(1.2 * long, 0.12)


def place_of(model, old, new, each):
    """Return how far to the right parameters are in the section."""
    middle, way, half = line_of(model, old, new)
    if hypot(*np.subtract(new, old)) < 1e-4 * HIGH[model]:
        return 500
    return 500 * (1 + (np.array(each) / HIGH[model] - middle) @ way / half)


def value_along(model, old, new, shares=None):
    """Return the log-likelihood, or the bound, of a place of the section."""
    middle, way, half = line_of(model, old, new)

    def value(x):
        at = HIGH[model] * (middle + way * half * (x / 500 - 1))
        if shares is None:
            return truth_of.__wrapped__(model, *at.tolist())[1]
        return bound_of(model, shares, *at.tolist())

    return value


def height_of(seen):
    """Return the height of values in a section whose ends are written."""
    low, top = (number(seen.written[name]) for name in ("low", "top"))
    return lambda value: 60 + 820 * (top - value) / (top - low)


def is_at(y, height, value, x):
    """Say whether a point has the height of a value, both rounded."""
    heights = [height(value(x + by)) for by in (-0.5, 0, 0.5)]
    return min(*heights, 3000) - 0.8 <= y <= max(heights) + 0.8


def test_bars_are_shared_as_the_loops_say():
    for state in STATES:
        old, _, seen = step_of(state)
        model, drawn = state["model"], view(**state).drawn
        data, shares = data_of(model), truth_of(model, *old)[0]
        unit, first, wide = (90, 20, 110) if model < 2 else (26, 0, 1000 / 24)
        bars = {}
        for x, p in zip(data, shares, strict=True):
            k = x if model < 2 else floor(4 * x)
            of_a, all_of = bars.get(k, (0, 0))
            bars[k] = of_a + p, all_of + 1
        found = {name: boxes_of(drawn[name]["d"]) for name in PARTS}
        if state["steps"]:
            assert found["unknown"] == []
            pairs = zip(found["of_a"], found["of_b"], strict=True)
        else:
            assert found["of_a"] == found["of_b"] == []
            pairs = ((None, box) for box in found["unknown"])
        for k, (of_a, of_b) in zip(sorted(bars), pairs, strict=True):
            mine, size = (unit * each for each in bars[k])
            left, right, low, up = of_b
            assert first + wide * k - 1 < left
            assert right < first + wide * (k + 1) + 1
            assert abs(up - size) <= 0.51
            if of_a is None:
                assert low == 0
            else:
                assert of_a == (left, right, 0, low)
                assert abs(low - mine) <= 0.51
        for which, name in enumerate("ab"):
            line = points_of(drawn[f"line_{name}"])
            assert drawn[f"curve_{name}"] == drawn[f"line_{name}"]
            weight = (FIRST[model], 1 - FIRST[model])[which]
            p = seen[-1][which]
            if model < 2:
                predicted = stats.binom(8, p).pmf(range(9))
                assert [x for x, _ in line] == [*range(60, 1000, 110)]
            else:
                sd = (0.25, 0.7)[which]
                grid = np.arange(61) / 10
                predicted = stats.norm(p, sd).pdf(grid) / 4
                assert np.allclose([x for x, _ in line], 1000 * grid / 6, 0, 1)
            heights = 880 - unit * len(data) * weight * predicted
            found_heights = [y for _, y in line]
            assert np.allclose(found_heights, np.maximum(heights, -200), 0, 1)
        ticks = [drawn[f"at_{name}"]["x"] for name in TICKS]
        assert ticks == ([60, 500, 940] if model < 2 else [0, 500, 1000])


PARTS = ("of_a", "of_b", "unknown")
TICKS = ("first", "middle", "last")
BOX = re.compile(r"M(\d+) (\d+)v(-?\d+)h(\d+)V(\d+)Z")


def boxes_of(path):
    """Return left, right, lower and upper end of the boxes of a path."""
    assert BOX.sub("", path) == ""
    found = []
    for left, y, by, wide, back in (
        map(int, box) for box in BOX.findall(path)
    ):
        assert back == y
        found.append((left, left + wide, 880 - y, 880 - y - by))
    return found


def test_the_climb_shows_each_iteration():
    for state in STATES:
        _, _, seen = step_of(state)
        model, drawn = state["model"], view(**state).drawn
        values = [truth_of(model, *each)[1] for each in seen]
        scale = max(TOPS[model][0] - values[0], 1) / 800
        points = points_of(drawn["climb"])
        assert len(points) == len(values)
        for t, ((x, y), value) in enumerate(zip(points, values, strict=True)):
            assert abs(x - 1000 * log(1 + t) / log(101)) <= 0.51
            assert abs(y - 60 - (TOPS[model][0] - value) / scale) < 0.51
        assert points[-1] == (drawn["reached"]["cx"], drawn["reached"]["cy"])
        assert all(y >= z for (_, y), (_, z) in pairwise(points))


# --- Steps -----------------------------------------------------------------


def test_a_second_step_of_a_kind_changes_nothing():
    for steps in range(5):
        drawn = view(**state_of(steps=steps)).drawn
        e_step, m_step = drawn["e_step"], drawn["m_step"]
        assert e_step["data-sets"] == f"steps {steps + (steps % 2 == 0)}"
        assert m_step["data-sets"] == f"steps {steps + steps % 2}"
        is_e = steps % 2 == 1
        assert e_step["aria-disabled"] == ("true" if is_e else "false")
        assert m_step["aria-disabled"] == ("false" if is_e else "true")
    last = view(**state_of(steps=200)).drawn["e_step"]["data-sets"]
    assert last == "steps 199"


def test_an_e_step_moves_no_point_and_an_m_step_no_share():
    for state in STATES[8:120]:
        t = min(state["steps"], 198) // 2 * 2
        before, e_step, m_step = (
            view(**state | {"steps": t + k}).drawn for k in (0, 1, 2)
        )
        kept = ("point", "path", "line_a", "line_b", "climb")
        assert all(before[name] == e_step[name] for name in kept)
        kept = ("of_a", "of_b", "bound", "top", "curve", "line")
        assert all(e_step[name] == m_step[name] for name in kept)


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": 0},
        {"model": 4},
        {"a": 0},
        {"a": 1},
        {"b": 0.005},
        {"b": True},
        {"steps": -1},
        {"steps": 201},
    ],
)
def test_there_is_no_such_start(wrong):
    with pytest.raises(ValueError, match="is not on its slider"):
        explore.em(**wrong)


def test_it_begins_where_it_is_told():
    shown = explore.em(3, a=0.6, b=0.3, steps=8)
    values = [each.value for each in shown.controls]
    assert values == [2, 60, 30, 8, 0]
    assert "Iteration 4, M step" in repr(shown)
    picture = shown.panels[0][0]
    assert re.search(r'data-written="high"[^>]*>6</text>', picture)
