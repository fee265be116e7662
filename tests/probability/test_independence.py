"""Independence against the product rule in every cell."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import chi2_contingency
from table_truth import (
    cells,
    joints,
    total,
)

from bayesbook.probability import Table


@given(joints(least=2, most=3))
def test_independence_is_the_product_rule_in_every_cell(joint):
    x, y, *z = joint.variables
    distribution, names = cells(joint), joint.variables
    gaps = {}
    for key in distribution:
        at = dict(zip(names, key, strict=True))
        behind = {n: at[n] for n in z}
        whole = total(distribution, names, **behind)
        if whole:
            both = total(distribution, names, **at) / whole
            alone = total(distribution, names, **{x: at[x]}, **behind) / whole
            other = total(distribution, names, **{y: at[y]}, **behind) / whole
            gaps[key] = abs(both - alone * other)
    check = joint.independent(x, y, given=z)
    assert check.gap == max(gaps.values())
    assert bool(check) == (check.gap == 0)
    if check:
        assert check.witness is None
        assert "are independent" in str(check)
    else:
        worst = tuple(check.witness[n] for n in names)
        assert gaps[worst] == check.gap
        assert check.gap == abs(check.joint - check.product)
        assert f"= {check.joint}, but" in str(check)
    # It does not matter who comes first.
    assert joint.independent(y, x, given=z).gap == check.gap


def test_independence_of_sets_and_behind_the_bar():
    coin = Table(["1/2", "1/2"], {"A": (0, 1)})
    b = coin.rename({"A": "B"})
    parity = Table(
        [[[1, 0], [0, 1]], [[0, 1], [1, 0]]],
        {"A": (0, 1), "B": (0, 1), "C": (0, 1)},
        given=["A", "B"],
    )
    joint = coin * b * parity
    assert joint.independent("A", "C")
    assert joint.independent("B", "C")
    check = joint.independent(["A", "B"], "C")
    assert not check
    assert str(check) == (
        "(A, B) and C are dependent:\n"
        "P(A=0, B=0, C=0) = 1/4, but\nP(A=0, B=0) P(C=0) = 1/8"
    )
    given_c = joint.conditional(["A", "B"], given="C")
    assert str(given_c.independent("A", "B")) == (
        "A and B are dependent given C:\n"
        "P(A=0, B=0 | C=0) = 1/2, but\nP(A=0 | C=0) P(B=0 | C=0) = 1/4"
    )
    assert str(joint.independent("A", "B")) == "A and B are independent"


@given(joints(least=2, most=3))
def test_the_witness_does_not_depend_on_the_last_digits(joint):
    rough = Table(joint.values.astype(float), joint.states)
    exact_check = joint.independent("A", "B")
    check = rough.independent("A", "B")
    assert check.witness == exact_check.witness
    assert check.gap == pytest.approx(float(exact_check.gap), abs=1e-12)


def test_fractions_that_nobody_can_picture_come_with_a_decimal():
    counts = {(0, 0): 313, (0, 1): 512, (1, 0): 19, (1, 1): 1198}
    p = Table.from_counts(counts, ["X", "Y"], exact=True)
    assert str(p.independent("X", "Y")) == (
        "X and Y are dependent:\n"
        "P(X=0, Y=0) = 313/2042 ≈ 0.1533, but\n"
        "P(X=0) P(Y=0) = 68475/1042441 ≈ 0.06569"
    )


def test_a_tolerance_forgives_what_it_says():
    eps = 1e-6
    p = Table(
        [[0.25 + eps, 0.25 - eps], [0.25 - eps, 0.25 + eps]],
        {"X": (0, 1), "Y": (0, 1)},
    )
    assert not p.independent("X", "Y")
    assert p.independent("X", "Y", tolerance=2 * eps)
    assert not p.independent("X", "Y", tolerance=eps / 2)


def test_the_gap_agrees_with_the_chi_squared_statistic():
    # Both measure the distance to the product of the margins.
    rng = np.random.default_rng(0)
    for _ in range(20):
        counts = rng.integers(1, 50, (3, 4))
        p = Table(counts / counts.sum(), {"X": range(3), "Y": range(4)})
        expected = chi2_contingency(counts).expected_freq / counts.sum()
        assert p.independent("X", "Y").gap == pytest.approx(
            np.abs(p.values - expected).max()
        )
