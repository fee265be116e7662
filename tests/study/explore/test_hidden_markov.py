"""The explorable of hidden Markov models: the library, and all paths.

Each number is compared with sums over all paths in fractions, and where every
lid was tested with `sequences.HiddenMarkov`.
"""

import re
from fractions import Fraction as F
from functools import cache
from itertools import pairwise, product
from math import sqrt

import numpy as np
import pytest

from bayesbook import sequences
from bayesbook.study import explore
from bayesbook.study.explore.hidden_markov import view

HOURS = range(1, 7)
LIDS = ("good", "faulty", "untested")
STATES = ("fine", "worn")
PI = (F(2, 3), F(1, 3))
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def state_of(lids="GFFGGG", stickiness=25, reliability=75, until=6):
    """Return a state; of the lids G is good, F faulty, U untested."""
    return {
        "stickiness": stickiness,
        "reliability": reliability,
        "until": until,
        **{f"x{s}": "GFU".index(x) for s, x in zip(HOURS, lids, strict=True)},
    }


def is_possible(state):
    """Say whether the lids that are known can occur."""
    known = {state[f"x{s}"] for s in HOURS if s <= state["until"]}
    certain = state["stickiness"] == state["reliability"] == 100
    return not (certain and {0, 1} <= known)


def random_states(how_many, seed=1):
    """Draw possible states, many of them at the ends of sliders."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < how_many:
        # Every third is a machine that changes seldom, which has most to say.
        some = [(rng.integers(101), rng.integers(50, 101))]
        some += [(rng.choice([0, 25, 50, 100]), rng.choice([50, 75, 100]))]
        some += [(rng.integers(60, 100), rng.integers(55, 95))]
        stickiness, reliability = map(int, some[len(found) % 3])
        odds = [0.45, 0.45, 0.1] if len(found) % 4 else [0.2, 0.2, 0.6]
        lids = "".join(rng.choice([*"GFU"], size=6, p=odds))
        until = int(rng.choice(HOURS, p=[0.06, 0.1, 0.12, 0.17, 0.2, 0.35]))
        state = state_of(lids, stickiness, reliability, until)
        if is_possible(state):
            found.append(state)
    return found


# Of paths and of states that are as good there are many, where the numbers are
# simple.
TIES = [
    state_of("UUFUGG", 50, 80, 4),
    state_of("FUUUFU", 25, 100),
    *(
        state_of("".join(lids).ljust(6, "G"), until=len(lids))
        for n in (2, 3, 4)
        for lids in product("GF", repeat=n)
    ),
]
SEEN = [state_of(until=3), *TIES, *random_states(300)]


def model_of(state):
    """Return the two tables of a state, in fractions."""
    stay, tells = F(state["stickiness"], 100), F(state["reliability"], 100)
    move = [
        [(stay if j == k else 0) + (1 - stay) * PI[k] for k in (0, 1)]
        for j in (0, 1)
    ]
    shows = [[tells, 1 - tells, 1], [1 - tells, tells, 1]]
    return move, shows


def truth_of(state):
    """Return what follows from the sum over all paths, once for a state."""
    return truth_once(tuple(state.items()))


@cache
def truth_once(items):
    state = dict(items)
    until = state["until"]
    paths = joints(state, until)
    total = sum(paths.values())
    best = max(paths.values())
    ties = [path for path, p in paths.items() if p == best]
    # Where ways are as good, each step back goes to fine.
    [path] = [p for p in ties if p[::-1] == min(z[::-1] for z in ties)]
    now, before = [chances(state, n) for n in (until, until - 1)]
    filtered = [filter_of(state, s) for s in range(1, until + 1)]
    singly = [-1 if p == F(1, 2) else int(p > F(1, 2)) for p in now[:until]]
    return {
        "total": total,
        "path": path,
        "ties": len(ties),
        "p_path": best / total,
        "now": now,
        "before": before,
        "filter": filtered,
        "singly": singly,
        "differ": [
            s
            for s in range(1, until + 1)
            if singly[s - 1] not in (-1, path[s - 1])
        ],
        "reversed": [
            s
            for s in range(1, until)
            if (now[s - 1] - F(1, 2)) * (before[s - 1] - F(1, 2)) < 0
        ],
    }


def joints(state, n, length=None):
    """Return P(path, the first n lids) of all paths of a length, or of n."""
    move, shows = model_of(state)
    found = {}
    for path in product((0, 1), repeat=length or n):
        p = PI[path[0]]
        for j, k in pairwise(path):
            p *= move[j][k]
        for k, s in zip(path[:n], HOURS, strict=False):
            p *= shows[k][state[f"x{s}"]]
        found[path] = p
    return found


def chances(state, n):
    """Return P(worn | the first n lids) in each of the six hours."""
    paths = joints(state, n, len(HOURS))
    total = sum(paths.values())
    return [
        sum(p for path, p in paths.items() if path[s - 1]) / total
        for s in HOURS
    ]


def filter_of(state, s):
    """Return P(worn in hour s | the lids until then)."""
    paths = joints(state, s)
    worn = sum(p for path, p in paths.items() if path[-1])
    return worn / sum(paths.values())


def near(text, value, digits):
    """Say whether a text is the rounded value, a half either way."""
    assert re.fullmatch(rf"\d+[.]\d{{{digits}}}", text)
    return abs(F(text) - value) <= F(1, 2 * 10**digits) + F(1, 10**11)


def test_probabilities_are_sums_over_all_paths():
    for state in SEEN:
        written, truth = view(**state).written, truth_of(state)
        for s in HOURS:
            assert near(written[f"now_{s}"], truth["now"][s - 1], 3)
            assert near(written[f"before_{s}"], truth["before"][s - 1], 3)
            if s <= state["until"]:
                assert near(written[f"filter_{s}"], truth["filter"][s - 1], 3)
            else:
                assert written[f"filter_{s}"] == "–"
            assert written[f"x{s}"] == LIDS[state[f"x{s}"]]


def test_messages_are_sums_and_maxima_over_parts_of_paths():
    for state in SEEN[:120]:
        written, until = view(**state).written, state["until"]
        move, shows = model_of(state)
        for s in HOURS:
            for k, name in enumerate(STATES):
                names = [f"{m}_{name}_{s}" for m in ("alpha", "beta", "delta")]
                texts = [written[each] for each in names]
                if s > until:
                    assert texts == ["–"] * 3
                    continue
                ends = [p for z, p in joints(state, s).items() if z[-1] == k]
                later = 0
                for path in product((0, 1), repeat=until - s):
                    p, last = F(1), k
                    for t, to in enumerate(path, s + 1):
                        p *= move[last][to] * shows[to][state[f"x{t}"]]
                        last = to
                    later += p
                values = (sum(ends), later, max(ends))
                for text, value in zip(texts, values, strict=True):
                    assert near(text, value, 4)


def test_the_library_says_the_same_of_lids_that_were_tested():
    compared = 0
    for state in SEEN:
        until = state["until"]
        lids = [state[f"x{s}"] for s in HOURS][:until]
        if 2 in lids:
            continue
        compared += 1
        move, shows = model_of(state)
        model = sequences.HiddenMarkov.from_parameters(
            np.array(PI, float),
            np.array(move, float),
            np.array(shows, float)[:, :2],
        )
        written, truth = view(**state).written, truth_of(state)
        sides = {"now": model.posteriors(lids), "filter": model.filter(lids)}
        for name, library in sides.items():
            found = [float(written[f"{name}_{s}"]) for s in HOURS[:until]]
            assert found == pytest.approx(library[:, 1], abs=0.00051)
        if truth["ties"] == 1:
            path = model.most_probable_path(lids).tolist()
            names = ", ".join(STATES[k] for k in path)
            assert f"path is {names}, with" in written["paths"]
    assert compared > 100


def test_sentences_say_what_follows():
    kinds = {"ties": 0, "differ": 0, "reversed": 0, "either": 0}
    for state in SEEN:
        written, truth = view(**state).written, truth_of(state)
        until = state["until"]
        said = written["lids"]
        numbers = NUMBER.findall(said.split(". ")[0])
        total, hour, chance = (text.rstrip(".") for text in numbers)
        assert near(total, truth["total"], 4)
        assert int(hour) == until
        assert near(chance, truth["now"][until - 1], 3)
        newest = re.search(r"The newest lid reverses (.*)\.$", said)
        assert (newest is None) == (until == 1)
        if newest:
            hours = [*map(int, NUMBER.findall(newest[1]))]
            assert hours == truth["reversed"]
            assert ("no verdict" in newest[1]) == (hours == [])
        said = written["paths"]
        path = ", ".join(STATES[k] for k in truth["path"])
        assert f"path is {path}, with" in said or (
            f"paths is {path}, with" in said
        )
        if truth["ties"] > 1:
            start = f"One of {truth['ties']} most probable paths is"
            assert said.startswith(start)
            kinds["ties"] += 1
        else:
            assert said.startswith("The most probable path is")
        [p] = re.findall(r"posterior probability (\d[.]\d{3})[.]", said)
        assert near(p, truth["p_path"], 3)
        marks = [s for s in HOURS if written[f"mark_{s}"] == "≠"]
        assert marks == truth["differ"]
        _, after = said.split("State by state, ")
        if marks:
            names = [(*STATES, "either")[k] for k in truth["singly"]]
            assert f"the most probable are {', '.join(names)}: " in after
            assert [*map(int, NUMBER.findall(after))] == marks
            kinds["differ"] += 1
            kinds["either"] += "either" in names
        else:
            assert after == "no other states are more probable."
        kinds["reversed"] += bool(truth["reversed"])
    assert kinds.pop("either") > 1
    assert min(kinds.values()) > 10


def test_the_tables_are_said():
    for state in SEEN[:60]:
        move, shows = model_of(state)
        said = NUMBER.findall(view(**state).written["chain"])
        truths = (move[0][0], move[1][1], shows[0][1], shows[1][1])
        for text, truth, digits in zip(
            said, truths, (3, 3, 2, 2), strict=True
        ):
            assert near(text.rstrip("."), truth, digits)


def test_the_start_is_the_machine_of_the_chapter():
    """Its tables, and what it computes by hand for three lids."""
    state = state_of(until=3)
    move, _ = model_of(state)
    assert move == [[F(3, 4), F(1, 4)], [F(1, 2), F(1, 2)]]
    truth = truth_of(state)
    assert truth["total"] == F(13, 128)
    assert (truth["filter"][1], truth["now"][1]) == (F(6, 11), F(8, 13))
    assert (truth["path"], truth["p_path"]) == ((0, 1, 1), F(9, 26))
    shown = explore.hidden_markov()
    assert shown.start() == view(**state)


def points(d):
    """Read the points of a path of straight lines."""
    return [
        tuple(map(float, pair.split())) for pair in re.split("[ML]", d) if pair
    ]


def place(s, p):
    """Return where the probability p in hour s is drawn."""
    return pytest.approx((160 * s - 60, 700 * (1 - float(p))), abs=0.06)


def test_beliefs_are_drawn_at_their_height():
    for state in SEEN:
        drawn, truth = view(**state).drawn, truth_of(state)
        until, now = state["until"], truth["now"]
        lines = {
            "filter": [*enumerate(truth["filter"], 1)],
            "smoother": [*enumerate(now[:until], 1)],
            "predictions": [*enumerate(now, 1)][until - 1 :],
        }
        for name, expected in lines.items():
            found = points(drawn[name]["d"])
            assert len(found) == len(expected)
            for at, (s, p) in zip(found, expected, strict=True):
                assert at == place(s, p), (state, name)
        starts = {"squares": 20, "discs": 22, "circles": 22}
        for name, expected in zip(starts, lines.values(), strict=True):
            some = expected[1:] if name == "circles" else expected
            corners = re.findall(r"M(\S+) ([\d.-]+)", drawn[name]["d"])
            assert len(corners) == len(some)
            for corner, (s, p) in zip(corners, some, strict=True):
                x, y = map(float, corner)
                down = 20 if name == "squares" else 0
                assert (x + starts[name], y + down) == place(s, p)
        changes = re.findall(
            r"M(\S+) (\S+)h60M(\S+) (\S+)V([\d.-]+)", drawn["changes"]["d"]
        )
        for s, change in enumerate(changes, 1):
            left, tick, x, top, to = map(float, change)
            assert (left + 30, tick) == place(s, truth["before"][s - 1])
            assert (x, top) == place(s, truth["before"][s - 1])
            assert (x, to) == place(s, now[s - 1])
        assert len(changes) == 6
        future = drawn["future"]
        assert future == {"x": 160 * until + 20, "width": 960 - 160 * until}


def test_the_trellis_has_the_best_ways_and_the_best_path():
    row = {550: 0, 150: 1}
    for state in SEEN:
        drawn, truth = view(**state).drawn, truth_of(state)
        until = state["until"]
        path = points(drawn["best"]["d"])
        assert [row[y] for _, y in path] == [*truth["path"]]
        assert [x for x, _ in path] == [160 * s - 60 for s in HOURS[:until]]
        ways = {}
        pieces = re.findall(r"M(\S+) (\S+)L(\S+) (\d+)", drawn["ways"]["d"])
        for piece in pieces:
            x, start, to, end = map(int, piece)
            assert to - x == 160
            ways[(to + 60) // 160, row[end]] = row[start]
        for s in range(2, until + 1):
            for k in (0, 1):
                parts = {
                    z: p for z, p in joints(state, s).items() if z[-1] == k
                }
                best = max(parts.values())
                # A state that cannot be has no way into it.
                assert ((s, k) in ways) == (best > 0)
                if best > 0:
                    froms = {z[-2] for z, p in parts.items() if p == best}
                    assert ways[s, k] == min(froms)
        assert len(ways) == len(pieces)


def test_discs_are_as_large_as_probable_and_rings_around_the_larger():
    for state in SEEN:
        drawn, truth = view(**state).drawn, truth_of(state)
        rings = {}
        for x, y, r in re.findall(r"M(\S+) (\d+)a(\S+) ", drawn["rings"]["d"]):
            hour = (float(x) + float(r) + 60) / 160
            rings[round(hour)] = {550: 0, 150: 1}[int(y)], float(r)
            assert hour == pytest.approx(round(hour), abs=0.01)
        for s, p in enumerate(truth["now"], 1):
            known = s <= state["until"]
            for k, share in enumerate((1 - p, p)):
                shape = drawn[f"{STATES[k]}_{s}"]
                radius = 58 * sqrt(share)
                assert float(shape["r"]) == pytest.approx(radius, abs=0.06)
                assert ("later" in shape["class"]) == (not known)
                is_ringed = known and truth["singly"][s - 1] == k
                assert (s in rings and rings[s][0] == k) == is_ringed
                if is_ringed:
                    assert rings[s][1] == pytest.approx(radius + 14, abs=0.06)


def test_lids_look_as_they_are_and_their_buttons_turn_them():
    for state in SEEN[:100]:
        drawn = view(**state).drawn
        for s in HOURS:
            lid = state[f"x{s}"]
            looks = drawn[f"lid_{s}"]["class"].split()
            later = ["later"] if s > state["until"] else []
            assert looks == ["explore-lid", LIDS[lid], *later]
            button = drawn[f"button_{s}"]
            assert button["data-sets"] == f"x{s} {[1, 2, 0][lid]}"
            assert button["aria-label"].startswith(
                f"Lid of hour {s}: {LIDS[lid]}."
            )


def tasks_of(state):
    """Return the tasks that a state solves, in fractions."""
    truth, until = truth_of(state), state["until"]
    return tuple(
        name
        for name, is_solved in (
            (
                "reverse",
                until > 3 and truth["before"][0] < F(1, 2) < truth["now"][0],
            ),
            ("path", len(truth["differ"]) >= 3),
            ("half", until > 1 and truth["filter"][-1] == F(1, 2)),
        )
        if is_solved
    )


# Each with what solves it, and with what nearly does.
AROUND = {
    "reverse": (
        [
            state_of("GFFFUU", 85, 75, 4),
            state_of("FGFFGG", 70, 70, 4),
            state_of("FFGGFG", 90, 75, 5),
        ],
        [
            state_of("GFFFUU", 85, 75, 3),
            state_of("GFFGUU", 85, 75, 4),
            state_of("GFFFFU", 85, 75, 5),
            state_of("FFGGGG", 90, 75, 4),
            state_of("GFFFUU", 40, 75, 4),
        ],
    ),
    "path": (
        [
            state_of("GGFFFG", 70, 70),
            state_of("GGFFFG", 85, 75),
            state_of("GFFFFF", 50, 60),
        ],
        [
            state_of("GGFFFG", 70, 70, 5),
            state_of("GGFGFF", 70, 70),
            state_of("GGFFGF", 85, 75),
        ],
    ),
    "half": (
        [
            state_of("FFGGGG", 70, 60, 2),
            state_of("FUGGGG", 50, 80, 2),
        ],
        [
            state_of("FFGGGG", 71, 60, 2),
            state_of("FFGGGG", 70, 61, 2),
            state_of("FFGGGG", 70, 60, 3),
            state_of("FUGGGG", 50, 80, 1),
        ],
    ),
}


@pytest.mark.parametrize("task", AROUND)
def test_tasks_are_solved_by_what_solves_them(task):
    solving, others = AROUND[task]
    for state in solving:
        assert task in tasks_of(state)
        assert task in view(**state).solves
    for state in others:
        assert task not in tasks_of(state)
        assert task not in view(**state).solves


def test_all_states_solve_the_tasks_that_they_should():
    every = map("".join, product("GF", repeat=6))
    states = [*SEEN, *(state_of(lids, 70, 70) for lids in every)]
    solved = [view(**state).solves for state in states]
    assert solved == [tasks_of(state) for state in states]
    assert solved[0] == ()
    assert {*map(len, solved)} >= {0, 1}
    for task in ("reverse", "path"):
        assert sum(task in tasks for tasks in solved) > 2
    # No slider alone solves one, from the start.
    for stickiness in range(101):
        for until in HOURS:
            state = state_of(stickiness=stickiness, until=until)
            assert view(**state).solves == ()


def test_what_is_nearly_one_half_is_one_half():
    """Of all states, those with a filter that is as near as 1e-7."""
    stay, tells = np.meshgrid(
        np.arange(101) / 100, np.arange(50, 101) / 100, indexing="ij"
    )
    worn = {"": np.full(stay.shape, 1 / 3)}
    found = []
    for s in HOURS:
        after = {}
        for lids, p in worn.items():
            if s > 1:
                p = stay * p + (1 - stay) / 3
            for lid, share in (("G", 1 - tells), ("F", tells), ("U", 0.5)):
                total = p * share + (1 - p) * (1 - share)
                # Where the lids are impossible, there is no filter.
                after[lids + lid] = p * share / np.where(total, total, 1)
        worn = after
        if s > 1:
            found += [
                (lids, *at)
                for lids, p in worn.items()
                for at in np.argwhere(np.abs(p - 0.5) < 1e-7).tolist()
            ]
    states = [
        state_of(lids.ljust(6, "G"), i, 50 + j, len(lids))
        for lids, i, j in found
    ]
    possible = [state for state in states if is_possible(state)]
    solved = [view(**state).solves for state in possible]
    assert solved == [tasks_of(state) for state in possible]
    assert 100 < sum("half" in tasks for tasks in solved) < len(possible)


def test_lids_that_contradict_each_other_are_refused():
    for lids in ("GFGGGG", "UUFUUG"):
        state = state_of(lids, 100, 100)
        assert view(**state).refused.startswith("Refused: where the state")
        for name in ("stickiness", "reliability"):
            assert not view(**state | {name: 99}).refused
        first = [lids.index(lid) for lid in "GF"]
        early = view(**state | {"until": max(first)})
        assert not early.refused
    with pytest.raises(ValueError, match="cannot both occur"):
        explore.hidden_markov(stickiness=1, reliability=1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"lids": ["good"] * 5}, "are not six of 'good', 'faulty'"),
        ({"lids": ["good"] * 5 + ["bad"]}, "are not six of"),
        ({"stickiness": 1.01}, "from 0 to 1 in steps of 0.01"),
        ({"reliability": 0.4}, "reliability=0.4 is not on its slider"),
        ({"reliability": 0.755}, "in steps of 0.01"),
        ({"until": 0}, "until=0 is not on its slider"),
        ({"until": 2.5}, "until=2.5"),
    ],
)
def test_what_is_on_no_slider_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        explore.hidden_markov(**wrong)


def test_it_begins_where_it_is_asked_to():
    lids = ["faulty", "untested", *["good"] * 4]
    shown = explore.hidden_markov(lids, 0.5, 0.8, until=2)
    assert shown.start() == view(**state_of("FUGGGG", 50, 80, 2))
    assert "worn in hour 2 with probability 0.500" in repr(shown)
