"""The explorable of votes, held against products of exact fractions."""

from fractions import Fraction as F
from functools import cache
from itertools import combinations
from math import inf, log, nan

import numpy as np
import pandas as pd
import pytest

from bayesbook.data import datasets
from bayesbook.naive_bayes import BernoulliNB
from bayesbook.study import explore
from bayesbook.study.explore.naive_bayes import view

TABLE = datasets.load_congressional_votes()
BILLS = [name for name in TABLE if name != "party"]
ROWS = (173, 162, 71, 19)
NAMES = [f"v{i}" for i in range(1, 17)]
ONCE = (1,) * 16
FEE = BILLS.index("physician_fee_freeze")


def state_of(member=0, few=0, beta=10, counts=ONCE):
    """Write a state, with the counts of the sixteen votes."""
    times = dict(zip(NAMES, map(int, counts), strict=True))
    return {"member": member, "few": few, "beta": beta, **times}


def others(member, few):
    """Return the table without a member, or its first twelve rows."""
    table = TABLE.drop(index=ROWS[member])
    return table[:12] if few else table


@cache
def counts_of(member, few):
    """Return of each party its rows, and of each vote who voted like that."""
    table, own = others(member, few), TABLE.loc[ROWS[member]]
    return [
        (
            len(rows),
            [
                (int((rows[b] == own[b]).sum()), int(rows[b].notna().sum()))
                for b in BILLS
            ],
        )
        for _, rows in table.groupby("party")
    ]


def shares(member, few, beta):
    """Return the prior and what each party says of each vote, as fractions."""
    counts, smoothing = counts_of(member, few), F(beta, 10)
    total = sum(rows for rows, _ in counts)
    return [
        (
            F(rows + 1, total + 2),
            [(k + smoothing) / (n + 2 * smoothing) for k, n in of_votes],
        )
        for rows, of_votes in counts
    ]


def ratio(first, second):
    """Return the logarithm of a ratio, infinite or not a number with 0."""
    if first and second:
        return log(first) - log(second)
    return inf if first else -inf if second else nan


def truth_of(state):
    """Return what is added, the log-odds and the posterior of a state."""
    member, few, beta, *counts = state.values()
    democrats, republicans = shares(member, few, beta)
    joint = []
    for prior, of_votes in (democrats, republicans):
        for p, count in zip(of_votes, counts, strict=True):
            prior *= p**count
        joint.append(prior)
    adds = [
        count * ratio(p, q) if count else 0
        for p, q, count in zip(
            democrats[1], republicans[1], counts, strict=True
        )
    ]
    posterior = joint[0] / sum(joint) if any(joint) else None
    return adds, ratio(*joint), posterior


def random_states(how_many, seed=2):
    """Draw states, half of them with little smoothing and few copies."""
    rng = np.random.default_rng(seed)
    for at in range(how_many):
        most, highest = (2, 5) if at % 2 else (6, 201)
        yield state_of(
            int(rng.integers(4)),
            int(rng.integers(2)),
            int(rng.integers(highest)),
            rng.integers(most, size=16),
        )


STATES = [
    *(
        state_of(m, few, b)
        for m in range(4)
        for few in (0, 1)
        for b in (0, 10)
    ),
    state_of(counts=(0,) * 16),
    state_of(2, 1, 0, (0,) * 16),
    state_of(2, 1, 0, [int(i == 9) for i in range(16)]),
    state_of(1, 0, 200, (5,) * 16),
    state_of(counts=[3 if i == FEE else 1 for i in range(16)]),
    *random_states(100),
]


def number(text):
    """Read a number as the page writes it."""
    if text == "undefined":
        return nan
    return float(text.replace("−", "-").replace("∞", "inf"))


def close(text, value):
    """Say whether two decimals are those of a number, or what is none."""
    found = number(text)
    if np.isnan(value) or np.isinf(value):
        return str(found) == str(float(value))
    return abs(found - value) <= 0.0051


@pytest.mark.parametrize("part", range(4))
def test_what_is_written_is_what_fractions_say(part):
    for state in STATES[part::4]:
        adds, z, posterior = truth_of(state)
        written = view(**state).written
        own = TABLE.loc[ROWS[state["member"]]]
        for name, bill, value in zip(NAMES, BILLS, adds, strict=True):
            assert close(written[f"adds_{name}"], value), (state, name)
            assert written[f"times_{name}"] == f"×{state[name]}"
            assert written[f"answer_{name}"] == own[bill]
        assert close(written["z"], z), state
        assert written["adds_sum"] == written["z"]
        counts = [state[name] for name in NAMES]
        assert written["counted"] == str(sum(counts))
        assert written["used"] == str(sum(map(bool, counts)))
        if posterior is None:
            assert written["p"] == "undefined"
            assert "no posterior" in written["verdict"]
            continue
        assert abs(F(written["p"]) - posterior) <= F(1, 19999)
        if posterior == F(1, 2):
            assert "equally probable" in written["verdict"]
        else:
            named = "democrat" if z > 0 else "republican"
            word = "right" if named == own["party"] else "wrong"
            assert written["verdict"] == f"The model names the {word} party."


def test_some_states_have_no_posterior_and_some_are_certain():
    found = [truth_of(state) for state in STATES]
    assert {posterior for *_, posterior in found} >= {None, 0, 1}


@pytest.mark.parametrize("member", range(4))
@pytest.mark.parametrize("few", [0, 1])
def test_copied_columns_have_the_same_posterior(member, few):
    rng = np.random.default_rng(member)
    answers = TABLE[BILLS] == "yes"
    X = answers.astype(float).where(TABLE[BILLS].notna())
    for beta in (1, 10, 75):
        counts = rng.integers(4, size=16)
        copied = pd.concat(
            [
                X[bill].rename(f"{bill}_{i}")
                for bill, count in zip(BILLS, counts, strict=True)
                for i in range(count)
            ],
            axis=1,
        )
        table = others(member, few)
        model = BernoulliNB(alpha=beta / 10, missing="marginalise")
        model.fit(copied.loc[table.index], table["party"])
        p = model.predict_proba(copied.loc[[ROWS[member]]])[0, 0]
        written = view(**state_of(member, few, beta, counts)).written
        assert abs(float(written["p"]) - p) <= 0.000051


def test_bars_are_as_long_as_what_is_added():
    for state in STATES:
        adds, z, posterior = truth_of(state)
        drawn = view(**state).drawn
        democrats, republicans = shares(*[*state.values()][:3])
        values = dict(zip(NAMES, adds, strict=True)) | {"sum": z}
        values["prior"] = ratio(democrats[0], republicans[0])
        for name, value in values.items():
            bar = drawn[f"bar_{name}"]
            left = float(bar["x"])
            right = left + float(bar["width"])
            if np.isnan(value):
                assert (left, right, bar["class"]) == (500, 500, "")
                continue
            end = 500 + 50 * np.clip(value, -10, 10)
            assert (left, right) == pytest.approx(sorted((500, end)), abs=0.11)
            side = "for" if value > 0 else "against"
            # The sign of what adds nothing may be either.
            if abs(value) > 1e-9:
                assert bar["class"] == f"explore-{side}"
        width = float(drawn["posterior"]["width"])
        assert abs(width - 1000 * float(posterior or 0)) <= 0.051


def test_the_members_voted_on_everything_and_one_is_judged_rightly():
    verdicts = []
    for member, row in enumerate(ROWS):
        assert TABLE.loc[row].notna().all()
        verdicts.append(view(**state_of(member)).written["verdict"])
    assert ["wrong" in verdict for verdict in verdicts] == [True] * 3 + [False]


def test_a_single_vote_is_copied_until_the_party_is_the_right_one():
    solutions = []
    for i in range(16):
        for times in range(6):
            counts = [times if j == i else 1 for j in range(16)]
            state = state_of(counts=counts)
            _, z, _ = truth_of(state)
            is_solved = "copy" in view(**state).solves
            assert is_solved == (z > 0 and times > 1)
            if is_solved:
                solutions.append((i, times))
    assert solutions == [(FEE, 3), (FEE, 4), (FEE, 5)]
    two = [3 if j in (FEE, 1) else 1 for j in range(16)]
    less = [5 if j == FEE else int(j > 0) for j in range(16)]
    three = [3 if j == FEE else 1 for j in range(16)]
    for state in (
        state_of(counts=two),
        state_of(counts=less),
        state_of(1, counts=three),
        state_of(few=1, counts=three),
    ):
        assert "copy" not in view(**state).solves


def test_the_fewest_votes_are_left_out():
    adds, z, _ = truth_of(state_of())
    above = log(9)
    enough = [
        size
        for size in range(9)
        if any(
            z - sum(adds[i] for i in left_out) > above
            for left_out in combinations(range(16), size)
        )
    ]
    fewest = enough[0]
    assert fewest == 7
    solved = 0
    for left_out in combinations(range(16), fewest):
        is_enough = z - sum(adds[i] for i in left_out) > above
        # Most of them are far from enough.
        if is_enough or sum(left_out) % 50 == 0:
            counts = [int(i not in left_out) for i in range(16)]
            seen = view(**state_of(counts=counts))
            assert ("leave" in seen.solves) == is_enough, left_out
            assert (float(seen.written["p"]) > 0.9) == is_enough
            solved += is_enough
    assert solved >= 1
    only_fee = [int(i == FEE) for i in range(16)]
    assert float(view(**state_of(counts=only_fee)).written["p"]) > 0.9
    assert view(**state_of(counts=only_fee)).solves == ()


def test_the_least_smoothing_that_names_the_wrong_party():
    wrong = [truth_of(state_of(1, 1, beta))[1] <= 0 for beta in range(201)]
    first = wrong.index(True)
    assert first == 63
    assert not any(wrong[:first])
    solved = [
        beta
        for beta in {*range(0, 201, 20), *range(first - 3, first + 4)}
        if "smooth" in view(**state_of(1, 1, beta)).solves
    ]
    assert solved == [first]
    for state in (
        state_of(1, 0, first),
        state_of(0, 1, first),
        state_of(1, 1, first, [0, *ONCE[1:]]),
    ):
        assert "smooth" not in view(**state).solves


def test_the_start_solves_nothing():
    shown = explore.naive_bayes()
    assert shown.start() == view(**state_of())
    assert shown.start().solves == ()
    other = explore.naive_bayes(smoothing=0.3, few=True)
    assert other.start() == view(**state_of(few=1, beta=3))


@pytest.mark.parametrize("wrong", [-0.1, 20.1, 0.55, True, "1", np.nan])
def test_smoothing_that_is_on_no_slider_is_refused(wrong):
    with pytest.raises(ValueError, match=r"smoothing=.*not on its slider"):
        explore.naive_bayes(smoothing=wrong)
