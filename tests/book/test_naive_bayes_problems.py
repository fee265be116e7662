"""The solved problems of *Naive Bayes*, recomputed with exact fractions.

By summing joint distributions over everything that was not observed. What is
computed has to stand in the text, in TeX.
"""

from fractions import Fraction as F
from itertools import count, product
from math import prod

import pytest
from scipy import integrate, optimize, stats
from solved_problems import problems_of, tex

exercise, solution = problems_of("naive_bayes/naive_bayes")

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
    text = solution("exr-nb-dark")
    joint = joint_distribution(
        {k: F(n, 1000) for k, n in N_K.items()},
        {k: [F(hits, N_K[k]) for hits in N_KM[k]] for k in N_K},
    )
    seen = {
        kind: sum(joint[kind, (1, 0, yellow)] for yellow in (0, 1))
        for kind in N_K
    }
    assert rf"= {tex(seen['Banana'])}$" in text
    assert seen["Orange"] == 0
    assert rf"= {tex(seen['Other'])}$" in text
    whole = sum(seen.values())
    assert f"Their sum is ${tex(whole)}$" in text
    after = normalised(seen)
    shown = f"${tex(after['Banana'])}$, $0$ and ${tex(after['Other'])}$"
    assert shown in text
    yellow = sum(joint[kind, (1, 0, 1)] for kind in N_K) / whole
    assert f"= {tex(yellow)}$" in text
    before = sum(p for (_, x), p in joint.items() if x[2])
    assert f"before anything was known it was ${tex(before)}$" in text


# --- What a zero costs ----------------------------------------------------


def smoothed(hits, rows, beta=1):
    return F(hits + beta, rows + 2 * beta)


def test_what_a_zero_costs():
    text = solution("exr-nb-zero")
    one, two = smoothed(49, 98), smoothed(0, 98)
    assert (one, two) == (F(50, 100), F(1, 100))
    present, absent = one / two, (1 - one) / (1 - two)
    assert f"presence multiplies by ${present}$" in text
    assert f"absence by ${tex(absent)}$" in text
    against = smoothed(74, 98) / smoothed(24, 98)
    assert f"divides the odds by ${against}$" in text
    needed = next(n for n in count() if against**n > present)
    words = ["none", "one is", "two are", "three are", "four are"]
    assert f"{words[needed]} needed" in text
    assert f"${3**3} < {present} < {3**4} = " in text.replace("3^3 = ", "")
    raw = (1 - F(49, 98)) / (1 - F(0, 98))
    assert f"By infinity, and by ${tex(raw)}$" in text


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
    text, question = solution("exr-nb-missing"), exercise("exr-nb-missing")
    assert {sum(votes.values()) for votes in VOTED.values()} == {98}
    for number in (98, 49, 24, 50):
        assert f" {number} " in question
    left_out = shares_of(2, ("yes", "no"))
    assert left_out[1] == left_out[2] == {"yes": F(1, 2), "no": F(1, 2)}
    assert "so the factor is 1" in text
    # Counting everybody is to replace each missing vote by a no.
    as_no = {
        party: F(votes["no"] + votes[None] + 1, 100)
        for party, votes in VOTED.items()
    }
    yes, no = (1 - as_no[1]) / (1 - as_no[2]), as_no[1] / as_no[2]
    assert [F(votes["yes"] + 1, 98 + 2) for votes in VOTED.values()] == [
        1 - p for p in as_no.values()
    ]
    assert f"A yes multiplies the odds by ${yes}$" in text
    assert rf"a no by $\frac{{50}}{{75}} = {tex(no)}$" in text
    three = shares_of(3, ("yes", "no", None))
    assert all(sum(p.values()) == 1 for p in three.values())
    ratio = {value: three[1][value] / three[2][value] for value in three[1]}
    assert f"divides the odds by ${1 / ratio[None]}$" in text
    assert ratio["yes"] == ratio["no"]
    assert f"both multiply the odds by ${ratio['yes']}$" in text


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
    text = solution("exr-nb-two-ways")
    assert (
        r"which gives $\beta = 2$; the posterior mean needs $\beta = 1$"
        in (text)
    )
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
    assert rf"(c) ${tex(mode)}$ and $\frac{{2}}{{12}} = {tex(F(2, 12))}$" in (
        text
    )


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
    text = solution("exr-nb-functions")
    rates, joint = naive_joint(all)
    assert set(rates[1]) == {1}
    (rate,) = set(rates[0])
    assert f"$p_{{1m}} = 1$ and $p_{{0m}} = {tex(rate)}$" in text
    assert f"${tex(joint[1, ONES])}$ under class 1" in text
    assert f"= {tex(joint[0, ONES])}$ under class 0" in text
    assert is_right(all, joint)
    after = joint[1, ONES] / (joint[0, ONES] + joint[1, ONES])
    assert f"The posterior is ${tex(after)}$" in text


def test_two_of_three():
    text = solution("exr-nb-functions")

    def two(x):
        return sum(x) >= 2

    rates, joint = naive_joint(two)
    assert {*rates[1]} == {F(3, 4)}
    assert {*rates[0]} == {F(1, 4)}
    assert r"$p_{1m} = \frac34$ and $p_{0m} = \frac14$" in text
    assert is_right(two, joint)
    odds = joint[1, ONES] / joint[0, ONES]
    assert f"the odds are ${odds} : 1$" in text
    assert f"the posterior is ${tex(odds / (1 + odds))}$" in text


def test_parity():
    text = solution("exr-nb-functions")
    rates, joint = naive_joint(lambda x: sum(x) % 2)
    assert {*rates[0], *rates[1]} == {F(1, 2)}
    assert all(joint[0, x] == joint[1, x] for x in VECTORS)
    assert r"the posterior is $\frac12$ everywhere" in text


# --- Many models, one classifier ------------------------------------------


def test_many_models_one_classifier():
    text = solution("exr-nb-identify")
    first = joint_distribution(
        {1: F(1, 2), 2: F(1, 2)}, {1: [F(3, 4)], 2: [F(1, 4)]}
    )
    second = joint_distribution(
        {1: F(1, 3), 2: F(2, 3)}, {1: [F(3, 8)], 2: [F(1, 16)]}
    )
    for x in ((0,), (1,)):
        assert first[1, x] / first[2, x] == second[1, x] / second[2, x]
    assert f"are ${first[1, (1,)] / first[2, (1,)]}$ for $x = 1$" in text
    assert f"${tex(first[1, (0,)] / first[2, (0,)])}$ for $x = 0$" in text
    assert r"$p_2 = \frac{1}{16}$ and $p_1 = \frac38$" in text
    for joint, end in ((first, "first"), (second, "second")):
        present = joint[1, (1,)] + joint[2, (1,)]
        assert f"= {tex(present)}$ in the {end}" in text
