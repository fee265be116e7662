"""The solved problems of *Hidden variables: EM*, recomputed by brute force.

That the numbers stand in the solutions is proved by the notebook's own checks,
beside the text.
"""

from fractions import Fraction as F
from itertools import pairwise, product
from math import comb, log

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

# --- Blood groups -----------------------------------------------------------

GROUPS = {"A": 48, "B": 18, "AB": 6, "O": 28}


def group(pair):
    shown = "".join(sorted(set(pair) - {"O"}))
    return shown or "O"


def pairs(genes):
    return {(g, h): genes[g] * genes[h] for g, h in product(genes, repeat=2)}


def blood_round(genes):
    """Count genes, with every pair of genes as a hidden state."""
    counts = dict.fromkeys(genes, 0)
    law = pairs(genes)
    for shown, number in GROUPS.items():
        fit = {pair: p for pair, p in law.items() if group(pair) == shown}
        for pair, p in fit.items():
            for gene in pair:
                counts[gene] += number * p / sum(fit.values())
    return counts


def blood_log_likelihood(genes):
    law = pairs(genes)
    return sum(
        number * log(sum(p for pair, p in law.items() if group(pair) == shown))
        for shown, number in GROUPS.items()
    )


def test_a_round_of_blood_groups():
    start = dict.fromkeys("ABO", F(1, 3))
    counts = blood_round(start)
    assert counts == {"A": 70, "B": 30, "O": 100}
    after = {gene: F(n, 200) for gene, n in counts.items()}
    p, q, r = after.values()
    assert p == F(7, 20)
    assert q == F(3, 20)
    assert r == F(1, 2)
    law = pairs(start)
    hidden = 2 * law["A", "O"] / (2 * law["A", "O"] + law["A", "A"])
    assert hidden == F(2, 3)
    n_ao, n_bo = hidden * GROUPS["A"], hidden * GROUPS["B"]
    assert n_ao == 32
    assert n_bo == 12
    values = [blood_log_likelihood(genes) for genes in (start, after)]
    assert [round(value, 3) for value in values] == [-143.055, -119.958]


def test_a_hundred_persons_have_been_tested():
    assert sum(GROUPS.values()) == 100


def test_the_formulas_count_as_the_pairs_do():
    genes = {"A": F(1, 5), "B": F(3, 10), "O": F(1, 2)}
    p, q, r = genes.values()
    n_ao = 48 * 2 * r / (p + 2 * r)
    n_bo = 18 * 2 * r / (q + 2 * r)
    assert blood_round(genes) == {
        "A": 2 * 48 - n_ao + 6,
        "B": 2 * 18 - n_bo + 6,
        "O": 2 * 28 + n_ao + n_bo,
    }


def test_without_a_gene_o_group_o_is_impossible():
    genes = {"A": F(1, 2), "B": F(1, 2), "O": F(0)}
    assert sum(p for g, p in pairs(genes).items() if group(g) == "O") == 0
    # And of people with group A none is AO, so the gene stays away.
    assert pairs(genes)["A", "O"] == 0


# --- The rate of EM ---------------------------------------------------------


def laws(theta):
    return [F(1, 2) + theta / 4, (1 - theta) / 4, (1 - theta) / 4, theta / 4]


ANIMALS = [125, 18, 20, 34]


def animal_round(theta):
    y = 125 * (theta / 4) / (F(1, 2) + theta / 4)
    return (y + 34) / (y + 34 + 18 + 20)


def animal_log_likelihood(theta):
    return sum(n * log(p) for n, p in zip(ANIMALS, laws(theta), strict=True))


def second(f, x, h=1e-4):
    return (f(x + h) - 2 * f(x) + f(x - h)) / h**2


def test_the_animals():
    assert sum(laws(F(1, 3))) == 1
    assert animal_round(F(1, 2)) == F(59, 97)
    best = minimize_scalar(
        lambda t: -animal_log_likelihood(t),
        bounds=(0.1, 0.9),
        method="bounded",
        options={"xatol": 1e-10},
    ).x
    assert animal_round(best) == pytest.approx(best, abs=1e-6)
    assert 197 * best**2 - 15 * best - 68 == pytest.approx(0, abs=1e-3)
    assert f"{best:.4f}" == "0.6268"
    h = 1e-6
    rate = (animal_round(best + h) - animal_round(best - h)) / (2 * h)
    assert f"{rate:.4f}" == "0.1328"
    assert f"{log(10) / -log(rate):.2f}" == "1.14"

    y = 125 * best / (2 + best)
    complete = -second(lambda t: (y + 34) * log(t) + 38 * log(1 - t), best)
    seen = -second(animal_log_likelihood, best)
    assert 1 - seen / complete == pytest.approx(rate, abs=1e-5)
    assert f"{seen:.1f}" == "377.5"
    assert f"{complete:.1f}" == "435.3"


# --- What survives when rows are dropped ------------------------------------

ROWS = list(product((0, 1), repeat=3))


def chain(x, y, z):
    p_y, p_z = (F(1, 4), F(3, 4))[x], (F(1, 3), F(2, 3))[y]
    return F(1, 2) * (p_y if y else 1 - p_y) * (p_z if z else 1 - p_z)


def complete(x, y, z):
    return chain(x, y, z) * (1 if y else F(1, 3))


def share(of, given, law):
    """P(of | given) under a law of rows that need not sum to one."""
    kept = [row for row in ROWS if given(*row)]
    return sum(law(*row) for row in kept if of(*row)) / sum(
        law(*row) for row in kept
    )


def test_complete_rows():
    total = sum(complete(*row) for row in ROWS)
    assert total == F(2, 3)
    found = [
        share(lambda x, y, z: x, lambda *row: True, complete),
        share(lambda x, y, z: y, lambda x, y, z: not x, complete),
        share(lambda x, y, z: z, lambda x, y, z: not y, complete),
    ]
    assert found == [F(5, 8), F(1, 2), F(1, 3)]
    assert found[0] == F(5, 8)
    assert found[1] == F(1, 2)
    assert found[2] == F(1, 3)


def test_em_goes_to_the_share_among_the_complete_rows():
    n, g, s = 1, 2, F(1, 3)  # of the rows with Y = 0 one in three has Z
    t, errors = F(9, 10), []
    for _ in range(5):
        errors.append(t - s)
        t = (n * s + g * t) / (n + g)
    assert {b / a for a, b in pairwise(errors)} == {F(2, 3)}


# --- A fair lot of unfair coins ----------------------------------------------


def two_coins(heads, m, a, b):
    """An iteration of EM for coins drawn equally often."""
    joint = np.array(
        [[c**k * (1 - c) ** (m - k) for c in (a, b)] for k in heads]
    )
    q = joint / joint.sum(axis=1, keepdims=True)
    return q.T @ heads / (m * q.sum(axis=0))


def test_the_factor_of_the_saddle():
    wide = [4, 4, 3, 3, 2, 2, 1, 1, 0, 0]
    narrow = [3, 3, 3, 2, 2, 2, 2, 1, 1, 1]
    for heads, rho in ((wide, F(2)), (narrow, F(3, 5))):
        variance = F(sum((k - 2) ** 2 for k in heads), len(heads))
        assert variance / (4 * F(1, 4)) == rho
        a, b = two_coins(np.array(heads), 4, 0.5 + 1e-5, 0.5 - 1e-5)
        assert (a - b) / 2e-5 == pytest.approx(float(rho), rel=1e-4)


def test_how_long_the_plateau_is():
    assert f"{log(100000.0, 2):.1f}" == "16.6"
    wide = np.array([4, 4, 3, 3, 2, 2, 1, 1, 0, 0])
    a, b, rounds = 0.5 + 1e-6, 0.5 - 1e-6, 0
    while (a - b) / 2 < 0.1:
        (a, b), rounds = two_coins(wide, 4, a, b), rounds + 1
    assert rounds in (17, 18)


def test_what_the_plateau_gains():
    """From the start to an iteration, and to the end."""
    wide = np.array([4, 4, 3, 3, 2, 2, 1, 1, 0, 0])
    a, b, values = 0.5 + 1e-6, 0.5 - 1e-6, []
    for _ in range(200):
        joint = [[c**k * (1 - c) ** (4 - k) for c in (a, b)] for k in wide]
        values.append(np.log(np.mean(joint, axis=1)).sum())
        a, b = two_coins(wide, 4, a, b)
    gains = np.array(values) - values[0]
    said = f"gains only {gains[14]:.2f} of the {gains[-1]:.2f} nats"
    assert said == "gains only 0.02 of the 2.45 nats"


def test_narrow_counts_end_at_one_coin():
    heads = np.array([3, 3, 3, 2, 2, 2, 2, 1, 1, 1])
    a, b = 0.8, 0.3
    for t in range(400):
        a, b = two_coins(heads, 4, a, b)
        if t == 2:
            assert a - b > 0.05
    assert a == pytest.approx(0.5, abs=1e-6)
    assert b == pytest.approx(0.5, abs=1e-6)
    rng = np.random.default_rng(0)
    for start in rng.uniform(0.02, 0.98, (30, 2)):
        coins = start
        for _ in range(500):
            coins = two_coins(heads, 4, *coins)
        assert coins == pytest.approx([0.5, 0.5], abs=1e-6)


def test_how_fast_narrow_counts_approach():
    heads = np.array([3, 3, 3, 2, 2, 2, 2, 1, 1, 1])
    coins, factors = (0.9, 0.1), []
    for _ in range(8):
        after = two_coins(heads, 4, *coins)
        factors.append((after[0] - after[1]) / (coins[0] - coins[1]))
        coins = after
    first, second, *_, last = factors
    assert (round(first, 2), round(second, 2)) == (0.37, 0.55)
    assert last == pytest.approx(0.6, abs=1e-3)


# --- Hard EM and endless rounds ----------------------------------------------


def endless(m, a):
    return {
        k: comb(m, k)
        * (a**k * (1 - a) ** (m - k) + (1 - a) ** k * a ** (m - k))
        / 2
        for k in range(m + 1)
    }


def hard_round(m, a, a_0):
    """An iteration of hard EM from the coins a_0 and 1 - a_0."""
    heads = tosses = 0
    for k, p in endless(m, a).items():
        if a_0**k * (1 - a_0) ** (m - k) > (1 - a_0) ** k * a_0 ** (m - k):
            heads, tosses = heads + k * p, tosses + m * p
    return heads / tosses


@pytest.mark.parametrize("m", [1, 3, 5, 9])
@pytest.mark.parametrize("a", [F(3, 5), F(4, 5), F(51, 100)])
def test_the_end_of_hard_em(m, a):
    ends = {hard_round(m, a, start) for start in (F(11, 20), F(9, 10))}
    ends.add(hard_round(m, a, ends.copy().pop()) if m > 1 else F(1))
    mean = sum(max(k, m - k) * p for k, p in endless(m, a).items())
    assert ends == {mean / m}
    assert mean / m > a
    if m == 3:
        assert mean / m == 1 - a * (1 - a)


def test_three_tosses():
    assert hard_round(3, F(3, 5), F(7, 10)) == F(19, 25)
