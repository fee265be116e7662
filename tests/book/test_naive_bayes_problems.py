"""The solved problems of *Naive Bayes*, recomputed with exact fractions.

By summing joint distributions over everything that was not observed. That they
stand in the solutions is proved by the notebook's own checks, beside the text.
"""

from fractions import Fraction as F
from itertools import count, product
from math import prod

import pytest
from scipy import integrate, optimize, stats

N_K = {"Banana": 500, "Orange": 300, "Other": 200}
N_KM = {
    "Banana": (400, 350, 450),
    "Orange": (0, 150, 300),
    "Other": (100, 150, 50),
}


def normalised(joint):
    whole = sum(joint.values())
    return {key: weight / whole for key, weight in joint.items()}


def joint_distribution(priors, rates):
    """Give p(k, x) for every class k and every x."""
    length = len(next(iter(rates.values())))
    return {
        (k, x): priors[k]
        * prod(p if on else 1 - p for p, on in zip(rates[k], x, strict=True))
        for k, x in product(priors, product((0, 1), repeat=length))
    }


# --- A fruit in the dark --------------------------------------------------


def test_a_fruit_in_the_dark():
    joint = joint_distribution(
        {k: F(n, 1000) for k, n in N_K.items()},
        {k: [F(hits, N_K[k]) for hits in N_KM[k]] for k in N_K},
    )
    seen = {
        kind: sum(joint[kind, (1, 0, yellow)] for yellow in (0, 1))
        for kind in N_K
    }
    assert seen["Banana"] == F(3, 25)
    assert seen["Orange"] == 0
    assert seen["Other"] == F(1, 40)
    whole = sum(seen.values())
    assert whole == F(29, 200)
    after = normalised(seen)
    assert list(after.values()) == [F(24, 29), 0, F(5, 29)]
    yellow = sum(joint[kind, (1, 0, 1)] for kind in N_K) / whole
    assert yellow == F(457, 580)
    before = sum(p for (_, x), p in joint.items() if x[2])
    assert before == F(4, 5)


# --- What a zero costs ----------------------------------------------------


def smoothed(hits, rows, beta=1):
    return F(hits + beta, rows + 2 * beta)


def test_what_a_zero_costs():
    one, two = smoothed(49, 98), smoothed(0, 98)
    assert (one, two) == (F(50, 100), F(1, 100))
    present, absent = one / two, (1 - one) / (1 - two)
    assert present == 50
    assert absent == F(50, 99)
    against = smoothed(74, 98) / smoothed(24, 98)
    assert against == 3
    needed = next(n for n in count() if against**n > present)
    words = ["none", "one is", "two are", "three are", "four are"]
    assert words[needed] == "four are"
    raw = (1 - F(49, 98)) / (1 - F(0, 98))
    assert raw == F(1, 2)


# --- Members who did not vote ----------------------------------------------

VOTED = {1: {"yes": 49, "no": 49, None: 0}, 2: {"yes": 24, "no": 24, None: 50}}


def shares_of(values, counted):
    """Give the posterior means of the values, of the counted votes only."""
    return {
        party: {
            value: F(votes[value] + 1, sum(map(votes.get, counted)) + values)
            for value in counted
        }
        for party, votes in VOTED.items()
    }


def test_members_who_did_not_vote():
    assert {sum(votes.values()) for votes in VOTED.values()} == {98}
    left_out = shares_of(2, ("yes", "no"))
    assert left_out[1] == left_out[2] == {"yes": F(1, 2), "no": F(1, 2)}
    # Counting everybody is to replace each missing vote by a no.
    as_no = {
        party: F(votes["no"] + votes[None] + 1, 100)
        for party, votes in VOTED.items()
    }
    yes, no = (1 - as_no[1]) / (1 - as_no[2]), as_no[1] / as_no[2]
    assert [F(votes["yes"] + 1, 98 + 2) for votes in VOTED.values()] == [
        1 - p for p in as_no.values()
    ]
    assert yes == 2
    assert no == F(2, 3)
    three = shares_of(3, ("yes", "no", None))
    assert all(sum(p.values()) == 1 for p in three.values())
    ratio = {value: three[1][value] / three[2][value] for value in three[1]}
    assert 1 / ratio[None] == 51
    assert ratio["yes"] == ratio["no"]
    assert ratio["yes"] == 2


# --- Two ways to add one --------------------------------------------------


def peak(a, b):
    """Search for the mode of a beta distribution."""
    found = optimize.minimize_scalar(
        lambda t: -stats.beta(a, b).logpdf(t),
        bounds=(1e-9, 1 - 1e-9),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return found.x


@pytest.mark.parametrize(("hits", "rows"), [(0, 8), (3, 10), (9, 11)])
def test_the_mode_under_two_is_the_mean_under_one(hits, rows):
    value = float(F(hits + 1, rows + 2))
    assert peak(hits + 2, rows - hits + 2) == pytest.approx(value, abs=1e-6)
    assert stats.beta(hits + 1, rows - hits + 1).mean() == pytest.approx(value)


def test_two_ways_to_add_one():
    # the predictive distribution under beta = 2, integrated
    rate, whole = (
        integrate.quad(
            lambda t, power=power: (
                t**power * stats.beta(2, 2).pdf(t) * (1 - t) ** 8
            ),
            0,
            1,
        )[0]
        for power in (1, 0)
    )
    assert rate / whole == pytest.approx(2 / 12)
    mode = F(1, 10)
    assert peak(2, 10) == pytest.approx(float(mode), abs=1e-6)
    assert mode == F(1, 10)


# --- All of them, or two of them ------------------------------------------

VECTORS = list(product((0, 1), repeat=3))


def naive_joint(is_one):
    """Return the parameters of naive Bayes on all vectors, and its joint."""
    rows = {k: [x for x in VECTORS if is_one(x) == k] for k in (0, 1)}
    priors = {k: F(len(rows[k]), 8) for k in rows}
    rates = {
        k: [F(sum(x[m] for x in rows[k]), len(rows[k])) for m in range(3)]
        for k in rows
    }
    return rates, joint_distribution(priors, rates)


def is_right(is_one, joint):
    return all(joint[is_one(x), x] > joint[not is_one(x), x] for x in VECTORS)


ONES = (1, 1, 1)


def test_the_conjunction():
    rates, joint = naive_joint(all)
    assert set(rates[1]) == {1}
    (rate,) = set(rates[0])
    assert rate == F(3, 7)
    assert joint[1, ONES] == F(1, 8)
    assert joint[0, ONES] == F(27, 392)
    assert is_right(all, joint)
    after = joint[1, ONES] / (joint[0, ONES] + joint[1, ONES])
    assert after == F(49, 76)


def test_two_of_three():

    def two(x):
        return sum(x) >= 2

    rates, joint = naive_joint(two)
    assert {*rates[1]} == {F(3, 4)}
    assert {*rates[0]} == {F(1, 4)}
    assert is_right(two, joint)
    odds = joint[1, ONES] / joint[0, ONES]
    assert odds == 27
    assert odds / (1 + odds) == F(27, 28)


def test_parity():
    rates, joint = naive_joint(lambda x: sum(x) % 2)
    assert {*rates[0], *rates[1]} == {F(1, 2)}
    assert all(joint[0, x] == joint[1, x] for x in VECTORS)


# --- Many models, one classifier ------------------------------------------


def test_many_models_one_classifier():
    first = joint_distribution(
        {1: F(1, 2), 2: F(1, 2)}, {1: [F(3, 4)], 2: [F(1, 4)]}
    )
    second = joint_distribution(
        {1: F(1, 3), 2: F(2, 3)}, {1: [F(3, 8)], 2: [F(1, 16)]}
    )
    for x in ((0,), (1,)):
        assert first[1, x] / first[2, x] == second[1, x] / second[2, x]
    assert first[1, (1,)] / first[2, (1,)] == 3
    assert first[1, (0,)] / first[2, (0,)] == F(1, 3)
    present = [j[1, (1,)] + j[2, (1,)] for j in (first, second)]
    assert present[0] != present[1]
