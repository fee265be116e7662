"""The explorable of Metropolis against the library's chains, and scipy."""

import re
from functools import cache
from itertools import product
from math import exp, inf, isfinite, isnan, log, log1p

import numpy as np
import pytest
from scipy import stats

from bayesbook import mcmc
from bayesbook.study import explore
from bayesbook.study.explore.metropolis import view

NAMES = ("target", "scale", "a", "b", "steps")
SCALES = (0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.24, 0.3, 0.4, 0.5, 0.6)
SCALES += (0.8, 1, 1.2, 1.5, 2, 2.4, 3, 4, 5, 6, 8, 10, 12, 15, 20)
ENDS = [(0, 3), (0, len(SCALES) - 1), (0, 1000), (0, 1000), (0, 1000)]
PAIR = stats.multivariate_normal(cov=[[1, 0.95], [0.95, 1]])
PEAKS = stats.norm(-6), stats.norm(6)
# The density of x, the axis, and the mean.
DENSITIES = (
    stats.norm.pdf,
    stats.gumbel_r.pdf,
    lambda x: (PEAKS[0].pdf(x) + PEAKS[1].pdf(x)) / 2,
    stats.norm.pdf,
)
AXES = (-5, 5), (-4, 6), (-10, 10), (-4, 4)
MEANS = 0, stats.gumbel_r.mean(), 0, 0
DECIMAL = re.compile(r"−?\d+\.\d+")
POINT = re.compile(r"(-?\d+) (-?\d+)")


def state_of(target=2, scale=1.5, a=250, b=700, steps=1000):
    """Write two chains as a state."""
    values = target, SCALES.index(scale), a, b, steps
    return dict(zip(NAMES, values, strict=True))


def random_states(how_many, seed=1):
    """Draw states: any, with controls at their ends, after few steps."""
    rng = np.random.default_rng(seed)
    for at in range(how_many):
        state = [int(rng.integers(a, b + 1)) for a, b in ENDS]
        if at % 3 == 1:
            for place in (1, 2, 3, 4):
                if rng.random() < 0.5:
                    state[place] = int(rng.choice(ENDS[place]))
        if at % 3 == 2:
            state[4] = int(rng.integers(60))
        if at % 9 == 0:  # chains that start together
            state[3] = state[2]
        yield dict(zip(NAMES, state, strict=True))


STATES = [
    state_of(),
    state_of(steps=0),
    state_of(3, 20, 500, 500, 20),  # nothing is accepted
    state_of(3, 20, 500, 510, 20),
    state_of(0, 0.05, 500, 500, 19),
    state_of(1, 2.4, 0, 1000, 1),
    *random_states(300),
]


class Replay(np.random.Generator):
    """The random numbers of the page, for the library to draw."""

    def __new__(cls, *_):
        return super().__new__(cls, np.random.PCG64(0))

    def __init__(self, normal, uniform):
        super().__init__(np.random.PCG64(0))
        self.normals, self.uniforms = iter(normal), iter(uniform)

    def normal(self):
        return next(self.normals)

    def exponential(self):
        return -log(next(self.uniforms))


def random_numbers():
    """Return normal numbers by chain, step and axis, and uniform ones."""
    rng = np.random.default_rng(2)
    normal = rng.normal(size=(2, 1000, 2)).round(2)
    uniform = rng.integers(1, 1000, size=(2, 1000)) / 1000
    return normal.tolist(), uniform.tolist()


NORMAL, UNIFORM = random_numbers()


def log_density(target, x, y=0.0):
    """Return log π up to a constant; the first test compares it with scipy."""
    if target == 0:
        return -(x**2) / 2
    if target == 1:
        return -x - exp(-x)
    if target == 2:
        return -((abs(x) - 6) ** 2) / 2 + log1p(exp(-12 * abs(x)))
    return -((x - 0.95 * y) ** 2 / (1 - 0.95**2) + y**2) / 2


def start_of(state, chain):
    """Return where a chain starts."""
    low, high = AXES[state["target"]]
    return low + (high - low) * state["ab"[chain]] / 1000


@cache
def _ran(target, scale, start, chain, steps):
    """Run a chain by the library; return its states and proposals."""
    proposals = []

    def propose(at, rng):
        x, y = at.tolist()
        x += SCALES[scale] * rng[0].normal()
        y += SCALES[scale] * rng[0].normal() if target == 3 else 0
        proposals.append((x, y))
        return np.array([x, y])

    numbers = [
        value
        for pair in NORMAL[chain]
        for value in (pair if target == 3 else pair[:1])
    ]
    replay = Replay(numbers, UNIFORM[chain])
    run = mcmc.metropolis_hastings(
        lambda at: log_density(target, *at.tolist()),
        lambda at, rng: propose(at, [rng]),
        np.array([start, 0.0]),
        steps,
        rng=replay,
    )
    states = [(start, 0.0), *map(tuple, run.draws.tolist())]
    return states, proposals, run.accepted.tolist()


def ran(state, chain):
    """Run a chain of a state by the library."""
    target, scale, steps = (
        state[name] for name in ("target", "scale", "steps")
    )
    start = start_of(state, chain)
    if not steps:
        return [(start, 0.0)], [], []
    return _ran(target, scale, start, chain, steps)


def draws_of(state):
    """Return the draws of x, a row for each chain."""
    return np.array(
        [[x for x, _ in ran(state, chain)[0][1:]] for chain in (0, 1)]
    )


@cache
def _seen(*values):
    return view(*values)


def seen_of(state):
    """Return the view of a state, which several tests look at."""
    return _seen(*(state[name] for name in NAMES))


def number(text):
    """Read a decimal with a minus sign of typesetting."""
    return float(text.replace("−", "-"))


def rounded(text, value, digits=3):
    """Say whether a text is the decimal of a value."""
    return (
        re.fullmatch(rf"−?\d+\.\d{{{digits}}}" if digits else r"\d+", text)
        and abs(number(text) - value) <= 0.5001 * 10**-digits
    )


# --- The truth ---------------------------------------------------------------


@pytest.mark.parametrize("target", range(4))
def test_the_targets_are_those_of_scipy(target):
    low, high = AXES[target]
    grid = np.linspace(low, high, 41)
    for x, y in product(grid, grid[::8] if target == 3 else [0.0]):
        if target == 3:
            expected = PAIR.logpdf([x, y]) - PAIR.logpdf([0, 0])
        else:
            density = DENSITIES[target]
            expected = log(density(x)) - log(density(0.0))
        found = log_density(target, x, y) - log_density(target, 0.0)
        assert found == pytest.approx(expected, abs=1e-9)


def test_the_random_numbers_are_normal_and_uniform():
    for chain, axis in product((0, 1), (0, 1)):
        column = [pair[axis] for pair in NORMAL[chain]]
        assert stats.kstest(column, stats.norm.cdf).pvalue > 0.05
    for chain in (0, 1):
        assert stats.kstest(UNIFORM[chain], stats.uniform.cdf).pvalue > 0.05
    assert min(map(min, UNIFORM)) > 0
    columns = np.reshape(NORMAL, (2, 1000, 2)).transpose(1, 0, 2)
    columns = np.column_stack([columns.reshape(1000, 4), *UNIFORM])
    off = np.corrcoef(columns.T) - np.eye(6)
    assert np.abs(off).max() < 0.1


# --- What is written ---------------------------------------------------------


def test_the_last_step_is_that_of_the_library():
    kinds = set()
    for state in STATES:
        states, proposals, accepted = ran(state, 0)
        target, steps = state["target"], state["steps"]
        text = seen_of(state).written["step"]
        if not steps:
            starts = [start_of(state, chain) for chain in (0, 1)]
            found = DECIMAL.findall(text)
            assert all(map(rounded, found, starts, (2, 2)))
            continue
        axes = 2 if target == 3 else 1
        before, to = states[-2][:axes], proposals[-1][:axes]
        gain = log_density(target, *proposals[-1]) - log_density(
            target, *states[-2]
        )
        expected = [*before, *to, min(exp(min(gain, 0)), 1)]
        found = DECIMAL.findall(text)
        digits = [2] * (2 * axes) + [3]
        *parts, uniform = found
        assert len(parts) == len(expected)
        assert all(map(rounded, parts, expected, digits)), state
        assert rounded(uniform, UNIFORM[0][steps - 1])
        assert text.startswith(f"Step {steps}: ")
        said = re.search(r"(accepted|rejected)\.$", text)[1]
        assert (said == "accepted") == accepted[-1]
        kinds.add(said)
    assert kinds == {"accepted", "rejected"}


def test_rate_ess_and_r_hat_are_those_of_the_library():
    kinds = set()
    for state in STATES:
        steps, written = state["steps"], seen_of(state).written
        numbers = [written[name] for name in ("rate", "ess", "r_hat")]
        if not steps:
            assert numbers == ["–"] * 3
            continue
        accepted = [ran(state, chain)[2] for chain in (0, 1)]
        assert rounded(written["rate"], np.mean(accepted))
        if steps < 20:
            assert numbers[1:] == ["–"] * 2
            assert "20" in written["draws"]
            continue
        draws = draws_of(state)
        ess = mcmc.effective_sample_size(draws)
        r_hat = mcmc.split_r_hat(draws, method="split")
        kinds.add("none" if isnan(ess) else isfinite(r_hat))
        if isnan(ess):
            assert numbers[1:] == ["–"] * 2
            assert "equal" in written["draws"]
            continue
        assert rounded(written["ess"], ess, 0)
        assert (
            rounded(written["r_hat"], r_hat)
            if isfinite(r_hat)
            else written["r_hat"] == "infinite"
        )
        found = DECIMAL.findall(written["draws"])
        error = mcmc.monte_carlo_error(draws)
        expected = draws.mean(), error, MEANS[state["target"]]
        assert all(map(rounded, found, expected)), state
        assert f"The {2 * steps} draws" in written["draws"]
    assert kinds == {"none", True, False}


def test_r_hat_and_ess_follow_the_definitions_of_the_chapter():
    """Halves of both chains, the sum of Geyer's pairs; once by hand."""
    for state in STATES[6::5]:
        if state["steps"] < 20 or np.ptp(draws_of(state)) == 0:
            continue
        draws = draws_of(state)
        half = state["steps"] // 2
        halves = [part for x in draws for part in (x[:half], x[-half:])]
        within = np.mean([np.var(part, ddof=1) for part in halves])
        between = np.var([np.mean(part) for part in halves], ddof=1)
        written = seen_of(state).written
        if within > 0:
            r_hat = ((half - 1) / half + between / within) ** 0.5
            assert rounded(written["r_hat"], r_hat)
        ess = number(written["ess"])
        assert ess == pytest.approx(geyer(halves), abs=0.51)


def geyer(halves):
    """Return N / tau by loops, with sums of pairs that never rise."""
    m, n = len(halves), len(halves[0])
    away = [part - part.mean() for part in halves]

    def covariance(lag):
        return (
            sum((part[: n - lag] * part[lag:]).sum() / n for part in away) / m
        )

    within = covariance(0) * n / (n - 1)
    means = [part.mean() for part in halves]
    total = covariance(0) + np.var(means, ddof=1)
    rho = [1.0]
    rho += [1 - (within - covariance(t)) / total for t in range(1, n)]
    pairs, least = 0, inf
    for at in range(0, n - 2, 2):
        pair = rho[at] + rho[at + 1]
        if pair <= 0 or at + 2 >= n - 2:
            pairs += max(rho[at], 0) / 2
            break
        least = min(least, pair)
        pairs += least
    return m * n / max(2 * pairs - 1, 1 / np.log10(m * n))


# --- What is drawn -----------------------------------------------------------


def points_of(part):
    """Return the corners of a path of straight lines."""
    return [(int(x), int(y)) for x, y in POINT.findall(part["d"])]


def place(target, x):
    """Return where x is on an axis of 1000 units."""
    low, high = AXES[target]
    return 1000 * (x - low) / (high - low)


def near(found, expected):
    """Say whether places agree within rounding, unless out of sight."""
    return all(
        abs(p - q) <= 0.51 or (p in (-300, 1300) and (q < -299 or q > 1299))
        for p, q in zip(found, expected, strict=True)
    )


def test_traces_are_drawn_to_their_end():
    for state in STATES:
        seen, steps = seen_of(state), state["steps"]
        end = int(seen.written["last"])
        ends = [50, 100, 200, 500, 1000]
        assert end == min(each for each in ends if each >= steps)
        for chain, name in enumerate("ab"):
            found = points_of(seen.drawn[f"trace_{name}"])
            xs = [x for x, _ in ran(state, chain)[0]]
            assert len(found) == steps + 1
            for k, ((right, down), x) in enumerate(
                zip(found, xs, strict=True)
            ):
                expected = 1000 * k / end, 1000 - place(state["target"], x)
                assert near((right, down), expected), (state, k)
            up = 1000 - state[name]
            transform = seen.drawn[f"start_{name}"]["transform"]
            assert transform == f"translate(0 {up})"
            assert found[0] == (0, up)
        low, high = AXES[state["target"]]
        texts = seen.written["low"], seen.written["high"]
        assert [*map(number, texts)] == [low, high]


BAR = re.compile(r"M500 (\d+)h(-?\d+)v-25H500Z")


def test_bars_are_histograms():
    for state in STATES:
        drawn, target = seen_of(state).drawn, state["target"]
        low, high = AXES[target]
        for name, draws in zip("ab", draws_of(state), strict=True):
            path = drawn[f"bars_{name}"]["d"]
            assert BAR.sub("", path) == ""
            bars = {
                (1000 - int(y)) // 25: int(wide)
                for y, wide in BAR.findall(path)
            }
            sign = -1 if name == "a" else 1
            # Draws on an edge may belong to either bar.
            edges = np.linspace(low, high, 41)
            unit = 240 / max(len(draws), 1) / (edges[1] - edges[0])
            unit /= DENSITIES[target](MODES[target])
            for bar in range(40):
                least, most = (
                    unit
                    * (draws > edges[bar] + e)
                    @ (draws < edges[bar + 1] - e)
                    for e in (1e-9, -1e-9)
                )
                found = sign * bars.get(bar, 0)
                assert min(least, 500) - 0.51 <= found <= most + 0.51


MODES = 0, 0, 6, 0


@pytest.mark.parametrize("target", range(4))
def test_curves_are_densities(target):
    drawn = seen_of(state_of(target, 1, 400, 600, 10)).drawn
    density = DENSITIES[target]
    top = density(MODES[target])
    low, high = AXES[target]
    points = points_of(drawn["density"])
    assert len(points) == 202
    for k, (across, down) in enumerate(points):
        x = low + (high - low) * (1000 - down) / 1000
        side = -1 if k < 101 else 1
        expected = 500 + side * 240 * density(x) / top
        assert abs(across - expected) <= 0.51
    assert {y for _, y in points} == {*range(0, 1001, 10)}
    curve, contours = (points_of(drawn[n]) for n in ("curve", "contours"))
    if target < 3:
        assert contours == []
        for k, (right, down) in enumerate(curve):
            x = low + (high - low) * right / 1000
            assert right == 10 * k
            assert abs(down - (1000 - 900 * density(x) / top)) <= 0.51
        return
    assert curve == []
    for at, radius in ((slice(61), 1), (slice(61, None), 2)):
        ellipse = [((p - 500) / 125, (500 - q) / 125) for p, q in contours[at]]
        assert len(ellipse) == 61
        for x, y in ellipse:
            # log π is radius² / 2 lower than in the middle.
            slope = np.hypot(x - 0.95 * y, y - 0.95 * x) / (1 - 0.95**2)
            depth = -log_density(3, x, y)
            assert abs(depth - radius**2 / 2) < slope * 0.0057 + 1e-3
        assert ellipse[0] == ellipse[-1]
        # Its ends are on the diagonal.
        assert max(x + y for x, y in ellipse) == pytest.approx(
            radius * (2 * 1.95) ** 0.5, abs=0.01
        )


DOT = re.compile(r"M(-?\d+) (-?\d+)h0")
CROSS = re.compile(r"M(-?\d+) (-?\d+)l28 28m0 -28l-28 28")


def test_proposals_are_dots_and_crosses_where_the_rule_says():
    for state in STATES:
        drawn, target = seen_of(state).drawn, state["target"]
        states, proposals, accepted = ran(state, 0)
        steps, top = state["steps"], DENSITIES[target](MODES[target])
        dots, crosses = drawn["accepted"]["d"], drawn["rejected"]["d"]
        assert (DOT.sub("", dots), CROSS.sub("", crosses)) == ("", "")
        found = {
            True: [(int(x), int(y)) for x, y in DOT.findall(dots)],
            False: [
                (int(x) + 14, int(y) + 14) for x, y in CROSS.findall(crosses)
            ],
        }
        marks = []
        for k in range(max(0, steps - 30), steps):
            x, y = proposals[k]
            up = place(target, y)
            if target < 3:
                density = DENSITIES[target](states[k][0])
                up = 900 * UNIFORM[0][k] * density / top
            marks.append((place(target, x), 1000 - up))
            assert near(found[accepted[k]].pop(0), marks[-1]), state
            # A picture of the rule: what is accepted lies under the curve.
            if target < 3:
                under = up < 900 * DENSITIES[target](x) / top
                assert under == accepted[k]
        assert found == {True: [], False: []}
        expected = [on_target(target, at) for at in states[-2:]]
        here = drawn["is"]["cx"], drawn["is"]["cy"]
        there = drawn["was"]["cx"], drawn["was"]["cy"]
        assert near(here, expected[-1])
        assert near(there, expected[0])
        leader = drawn["leader"]["d"]
        assert bool(leader) == bool(steps)
        if steps:
            way = re.fullmatch(
                r"M(-?\d+) (-?\d+)(?:L(-?\d+) (-?\d+)|V(-?\d+)H(-?\d+))",
                leader,
            )
            *begin, x, y, down, right = way.groups()
            assert near(map(int, begin), expected[0])
            end = (x, y) if target == 3 else (right, down)
            assert near(map(int, end), marks[-1])


def on_target(target, at):
    """Return where a state is: in the plane, or on the curve."""
    x, y = at
    if target == 3:
        return place(3, x), 1000 - place(3, y)
    density = DENSITIES[target]
    return place(target, x), 1000 - 900 * density(x) / density(MODES[target])


LAG = re.compile(r"M(\d+) 750V(-?\d+)")


def test_autocorrelations_are_those_of_the_library():
    for state in STATES:
        path = seen_of(state).drawn["lags"]["d"]
        assert LAG.sub("", path) == ""
        found = [(int(x), int(y)) for x, y in LAG.findall(path)]
        draws = draws_of(state)
        is_constant = state["steps"] < 20 or not np.ptp(draws, axis=1).any()
        if is_constant:
            assert found == []
            continue
        lags = min(40, state["steps"] - 1)
        rho = mcmc.autocorrelation(draws, lags)
        expected = [
            (20 + 24 * lag, 750 - 700 * each) for lag, each in enumerate(rho)
        ]
        assert len(found) == len(expected)
        assert all(map(near, found, expected))


# --- What is to be tried -----------------------------------------------------


def solves(task, state):
    """Say whether a state solves a task."""
    return task in seen_of(state).solves


def test_the_largest_ess_is_at_a_rate_near_that_of_the_chapter():
    """From starts all over the axis, only steps near 2.4 solve it."""
    solved = {}
    for scale in SCALES[13:-3]:
        states = [state_of(0, scale, a, 333) for a in (100, 420, 600)]
        solved[scale] = sum(solves("best", state) for state in states)
        for state in states:
            ess = mcmc.effective_sample_size(draws_of(state))
            assert solves("best", state) == (ess >= 430)
    assert {scale for scale, count in solved.items() if count} == {2, 2.4}
    state = state_of(0, 2, 420, 333)
    assert solves("best", state)
    assert 0.4 < float(seen_of(state).written["rate"]) < 0.52
    assert not solves("best", state | {"steps": 999})
    assert not any(
        solves("best", state | {"target": target}) for target in (1, 2, 3)
    )


def test_tiny_steps_are_accepted_and_yet_make_few_draws():
    small = [scale for scale in SCALES if scale < 0.4]
    for scale in small:
        state = state_of(0, scale, 510, 490)
        accepted = [ran(state, chain)[2] for chain in (0, 1)]
        rate = np.mean(accepted)
        ess = mcmc.effective_sample_size(draws_of(state))
        assert solves("small", state) == (rate > 0.95 and ess < 10)
        assert solves("small", state) == (scale <= 0.12)
    state = state_of(0, 0.1, 510, 490)
    for other in ({"a": 511}, {"b": 489}, {"steps": 999}, {"target": 2}):
        assert solves("small", state)
        assert not solves("small", state | other)


def test_two_chains_in_one_peak_show_nothing_and_in_two_they_do():
    for scale in SCALES[12:-3:2]:
        for a, b in ((700, 850), (100, 333), (200, 800)):
            state = state_of(2, scale, a, b)
            draws = draws_of(state)
            r_hat = mcmc.split_r_hat(draws, method="split")
            is_blind = r_hat < 1.01 and abs(draws.mean()) > 5
            assert solves("blind", state) == is_blind
    assert solves("blind", state_of(2, 1.5, 700, 850))
    shown = state_of(2, 1.5, 700, 150)
    assert not solves("blind", shown)
    assert float(seen_of(shown).written["r_hat"]) > 5
    assert not solves("blind", state_of(2, 12, 700, 850))
    assert not solves("blind", state_of(2, 1.5, 700, 850, 999))
    assert not solves("blind", state_of(0, 1.5, 700, 850))


def test_the_start_shows_the_trouble():
    start = explore.metropolis().start()
    assert start.solves == ()
    assert float(start.written["r_hat"]) > 5
    assert {*explore.metropolis().tasks} == {"best", "small", "blind"}


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"target": 5}, "target=5"),
        ({"scale": 2.5}, "scale=2.5"),
        ({"a": 10.5}, "a=10.5"),
        ({"target": 1, "a": 6}, "a=6"),
        ({"b": 0.001}, "b=0.001"),
        ({"steps": 1001}, "steps=1001"),
    ],
)
def test_what_is_on_no_slider_is_refused(wrong, named):
    with pytest.raises(ValueError, match=named):
        explore.metropolis(**wrong)


def test_the_call_sets_the_controls():
    shown = explore.metropolis(4, 0.4, a=-1.6, b=2.4, steps=300)
    values = {each.name: each.value for each in shown.controls}
    assert values == state_of(3, 0.4, 300, 800, 300)
