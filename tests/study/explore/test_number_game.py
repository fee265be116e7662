"""The explorable of the number game, held against exact fractions."""

import re
from fractions import Fraction as F
from itertools import combinations
from math import exp, log

import numpy as np
import pytest

from bayesbook.conjugate import rule_concepts
from bayesbook.study import explore
from bayesbook.study.explore.number_game import view

SPACE = rule_concepts()
CONCEPTS = {name: {*SPACE.extension(name)} for name in SPACE.names}
# As the chapter says them.
WEIGHTS = {name: F(1) for name in CONCEPTS} | {"even": F(5), "odd": F(5)}
WEIGHTS |= {
    f"powers of 2 {rest}": F(1, 100) for rest in ("plus 37", "except 32")
}
NUMBERS = range(1, 101)
PLACES = [f"x{i}" for i in range(1, 7)]
ROWS = range(1, 12)
POWERS = "powers of 2"


def state_of(shown, weak=0, places=None):
    """Write numbers as a state, in the first places or in those given."""
    state = dict.fromkeys(PLACES, 0)
    state |= dict(zip(places or PLACES, shown, strict=False))
    return {**state, "weak": weak}


def random_states(how_many, seed=1):
    """Draw numbers of one concept after the other, and some of none."""
    rng = np.random.default_rng(seed)
    names = [*CONCEPTS]
    for at in range(how_many):
        members = sorted(CONCEPTS[names[at % len(names)]])
        shown = rng.choice(members, rng.integers(7)).tolist()
        if at % 5 == 0:
            shown[:1] = rng.choice(NUMBERS, 1).tolist()
        places = sorted(rng.permutation(PLACES)[: len(shown)].tolist())
        yield state_of(shown, int(rng.integers(2)), places)


def truth_of(state):
    """Return the numbers, and the posterior of all consistent concepts."""
    shown = [state[place] for place in PLACES if state[place]]
    joint = {
        name: WEIGHTS[name] / (1 if state["weak"] else len(h) ** len(shown))
        for name, h in CONCEPTS.items()
        if h.issuperset(shown)
    }
    evidence = sum(joint.values())
    # From the largest down; ties in the order of the list.
    order = sorted(joint, key=lambda name: -joint[name])
    return shown, {name: joint[name] / evidence for name in order}


def predictions(posterior):
    """Return how probably each number belongs, and comes next."""
    belongs = [
        sum(p for name, p in posterior.items() if x in CONCEPTS[name])
        for x in NUMBERS
    ]
    after = [
        sum(
            p / len(CONCEPTS[name])
            for name, p in posterior.items()
            if x in CONCEPTS[name]
        )
        for x in NUMBERS
    ]
    return belongs, after


STATES = [
    *map(state_of, ([], [16], [60], [64], [1], [16, 8, 2, 64], [99, 99], [5])),
    *(state_of(shown, 1) for shown in ([], [16], [2, 32, 64], [17, 100])),
    state_of([2, 4, 8, 16, 32, 64]),
    state_of([81] * 6),
    *random_states(200),
]


@pytest.mark.parametrize("part", range(4))
def test_what_is_written_is_what_fractions_say(part):
    for state in STATES[part::4]:
        shown, posterior = truth_of(state)
        written = view(**state).written
        names = [*posterior]
        for row in ROWS:
            name = names[row - 1] if row <= len(names) else ""
            assert written[f"name_{row}"] == name, state
            p = posterior.get(name, 0)
            assert abs(F(written[f"posterior_{row}"]) - p) <= F(1, 1999)
            if name:
                assert written[f"size_{row}"] == str(len(CONCEPTS[name]))
                prior = WEIGHTS[name] / sum(WEIGHTS.values())
                assert abs(F(written[f"prior_{row}"]) - prior) <= F(1, 19999)
        top = max(posterior.values())
        best = [name for name, p in posterior.items() if p == top]
        assert re.findall("“(.*?)”", written["best"]) == best
        assert abs(F(written["best"].split()[-1][:-1]) - top) <= F(1, 1999)
        assert written["plugged"] == best[0]
        assert written["size"] == str(len(CONCEPTS[best[0]]))
        _, after = predictions(posterior)
        entropy = -sum(float(p) * log(p) for p in after if p)
        assert abs(float(written["average"]) - exp(entropy)) <= 0.0501
        if not shown:
            assert "the prior" in written["evidence"]
        else:
            assert (
                f"After {', '.join(map(str, shown))}, "
                in (written["evidence"])
            )
            count = "only one" if len(names) == 1 else f"{len(names)} of"
            assert count in written["evidence"]
        more = len(names) - len(ROWS)
        assert written["more"] == (f"… and {more} more" if more > 0 else "")


def test_the_first_of_tied_rules_is_the_one_of_the_library():
    for state in STATES:
        shown, _ = truth_of(state)
        if not state["weak"]:
            assert view(**state).written["plugged"] == SPACE.map(shown)


def test_what_is_drawn_is_what_fractions_say():
    for state in STATES:
        shown, posterior = truth_of(state)
        drawn = view(**state).drawn
        belongs, after = predictions(posterior)
        filled = re.findall(
            r"M(-?\d+) (-?\d+)h120v-([\d.]+)h", drawn["belongs"]["d"]
        )
        assert len(filled) == 100
        for x, box in zip(NUMBERS, filled, strict=True):
            left, bottom, height = map(float, box)
            assert left == 120 * ((x - 1) % 10) - 100
            assert bottom == 120 * ((x - 1) // 10) + 20
            assert abs(height - 120 * belongs[x - 1]) <= 0.051
        for part, chances, sign in (
            ("average", after, -1),
            ("plug_in", plugged(posterior), 1),
        ):
            bars = re.findall(r"M(\d+) 440V([\d.]+)", drawn[part]["d"])
            assert {int(x) for x, _ in bars} == {
                10 * x - 5 for x in NUMBERS if chances[x - 1]
            }
            for x, end in bars:
                chance = chances[(int(x) + 5) // 10 - 1]
                assert abs(float(end) - 440 - sign * 800 * chance) <= 0.051
        assert drawn["shown"]["d"].count("M") == len({*shown})
        assert drawn["marks"]["d"] == "".join(
            f"M{10 * x - 5} 908h0" for x in shown
        )


def plugged(posterior):
    """Return the prediction of the first concept alone."""
    first = next(iter(posterior))
    size = len(CONCEPTS[first])
    return [F(x in CONCEPTS[first], size) for x in NUMBERS]


def test_a_click_shows_a_number_or_takes_it_back():
    for state in STATES:
        shown, _ = truth_of(state)
        drawn = view(**state).drawn
        for x in (1, 16, 100, *shown):
            place, value = drawn[f"n{x}"]["data-sets"].split()
            after = state | {place: int(value)}
            now, _ = truth_of(after)
            if x in shown:
                assert len(now) == len(shown) - 1
                assert now.count(x) == shown.count(x) - 1
            elif len(shown) < len(PLACES):
                assert len(now) == len(shown) + 1
                assert x in now
                assert after | {place: 0} == state
            else:
                assert now == [*shown[:-1], x]


def test_every_number_fits_into_the_list():
    most = max(len(truth_of(state_of([x]))[1]) for x in NUMBERS)
    assert most == len(ROWS)


def solutions(task, sets, weak=0):
    """Return which sets of numbers solve a task."""
    return [
        shown for shown in sets if task in view(**state_of(shown, weak)).solves
    ]


def test_two_numbers_suffice_for_the_powers_and_one_does_not():
    singles = [truth_of(state_of([x]))[1].get(POWERS, 0) for x in NUMBERS]
    assert max(singles) < F(9, 10)
    members = sorted(CONCEPTS[POWERS])
    pairs = [(x, y) for x in members for y in members]
    enough = [
        pair
        for pair in pairs
        if truth_of(state_of(pair))[1][POWERS] > F(9, 10)
    ]
    assert {frozenset(pair) for pair in enough} == {
        frozenset({2, x}) for x in (4, 8, 16, 64)
    }
    assert solutions("powers", pairs) == enough
    assert solutions("powers", [(2, 4, 8), (2,), (), (3, 9)]) == []
    assert solutions("powers", enough, weak=1) == []


def test_one_number_leaves_three_concepts_tied():
    every = [(x,) for x in NUMBERS]
    tied = []
    for (x,) in every:
        posterior = [*truth_of(state_of([x]))[1].values()]
        if posterior.count(max(posterior)) == 3:
            tied.append((x,))
    assert tied == [(1,)]
    assert solutions("tied", every) == tied
    assert solutions("tied", every, weak=1) == []
    assert solutions("tied", [(1, 1), ()]) == []


def test_three_numbers_say_all_that_weak_sampling_can():
    members = sorted(CONCEPTS[POWERS])
    reached = {
        shown: truth_of(state_of(shown, 1))[1][POWERS]
        for size in range(7)
        for shown in combinations(members, size)
    }
    most = max(reached.values())
    best = [shown for shown, p in reached.items() if p == most]
    assert min(map(len, best)) == 3
    threes = [shown for shown in best if len(shown) == 3]
    assert threes == [(2, x, 32) for x in (4, 8, 16)] + [(2, 32, 64)]
    every = list(combinations(members, 3))
    assert solutions("weak", every, weak=1) == threes
    assert solutions("weak", every) == []
    assert solutions("weak", [members, (2, 32, 32)], weak=1) == []


def test_the_start_is_the_first_number_of_the_chapter():
    shown = explore.number_game()
    assert shown.start() == view(**state_of([16]))
    assert shown.start().solves == ()
    weak = explore.number_game((3, 9, 9), weak=True)
    assert weak.start() == view(**state_of([3, 9, 9], 1))


@pytest.mark.parametrize("wrong", [0, 101, 2.5, True, "16", None])
def test_what_is_no_number_of_the_game_is_refused(wrong):
    with pytest.raises(ValueError, match="cannot be shown: give whole"):
        explore.number_game([16, wrong])


def test_more_numbers_than_places_are_refused():
    with pytest.raises(ValueError, match="7 numbers are too many"):
        explore.number_game([2] * 7)
