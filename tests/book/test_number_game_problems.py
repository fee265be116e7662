"""The solved problems of *The number game*, recomputed.

By exact fractions over all hypotheses, and by drawing the examples one after
another. That the numbers stand in the solutions is proved by the notebook's
own checks, beside the text.
"""

from fractions import Fraction as F
from itertools import product
from math import log

import pytest

from bayesbook.conjugate import ConceptSpace, rule_concepts

RULES = rule_concepts()


def normalised(joint):
    whole = sum(joint.values())
    return {key: weight / whole for key, weight in joint.items()}


# --- The number of trams --------------------------------------------------


def trams(x, M):
    """The posterior of m, from prior and likelihood."""
    return normalised({m: F(1, m + 1) * F(x <= m, m) for m in range(1, M + 1)})


@pytest.mark.parametrize(("x", "M"), [(1, 1), (3, 7), (5, 40), (60, 90)])
def test_the_trams(x, M):
    posterior = trams(x, M)
    for k in range(x, M + 1):
        tail = sum(p for m, p in posterior.items() if m >= k)
        shown = (F(1, k) - F(1, M + 1)) / (F(1, x) - F(1, M + 1))
        assert tail == shown
    assert max(posterior, key=posterior.get) == x


def test_the_trams_in_the_limit():
    x, M = 7, 20_000
    weights = {m: 1 / (m * (m + 1)) for m in range(x, M)}
    whole = sum(weights.values())
    tail = sum(w for m, w in weights.items() if m >= 2 * x) / whole
    assert abs(tail - 1 / 2) < 1e-3
    assert abs(weights[x] / whole - 1 / (x + 1)) < 1e-3


# --- Drawn or labelled? ----------------------------------------------------


def teacher(data=(16, 8, 2, 64)):
    """Draw and label, example by example."""
    sets = {
        "even": set(RULES.extension("even")),
        "powers": set(RULES.extension("powers of 2")),
    }
    prior = {"even": F(5, 6), "powers": F(1, 6)}
    joint = {}
    for how, h in product(("strong", "weak"), sets):
        joint[how, h] = F(1, 2) * prior[h]
        for x in data:
            size = len(sets[h]) if how == "strong" else 100
            joint[how, h] *= F(x in sets[h], size)
    return joint


def test_the_teacher():
    joint = teacher()
    unit = F(1, 12) / 10**8
    parts = [joint[key] / unit for key in joint]
    assert [round(float(part), 1) for part in parts] == [80, 77160.5, 5, 1]
    assert f"{float(sum(parts)):.1f}" == "77246.5"
    posterior = normalised(joint)
    weak = posterior["weak", "even"] + posterior["weak", "powers"]
    assert f"{float(weak) * 10**5:.2f}" == "7.77"
    powers = posterior["strong", "powers"] + posterior["weak", "powers"]
    assert f"{float(powers):.3f}" == "0.999"


def test_four_labels_are_improbable_under_weak_sampling():
    """Half of all numbers are even, and fewer are powers of 2."""
    for name in ("even", "powers of 2"):
        assert F(len(RULES.extension(name)), 100) <= F(1, 2)


# --- Never deceived for long ----------------------------------------------


def first_lead(m, r):
    """The number of examples after which h leads, by multiplying."""
    n = 0
    while r * F(m + 1, m) ** n <= 1:
        n += 1
    return n


@pytest.mark.parametrize("m", [1, 2, 5, 20])
@pytest.mark.parametrize("r", [F(1, 2), F(1, 10), F(1, 100), F(99, 100)])
def test_the_rival_seldom_leads(m, r):
    assert F(m, m + 1) ** first_lead(m, r) < r


def test_the_rival_by_following_every_path():
    """The lead is lost for good at the first example outside of h."""
    m, r = 2, F(1, 3)
    leads = 0
    for path in product(range(m + 1), repeat=6):
        odds, ever = r, False
        for x in path:
            odds *= F(m + 1, m) if x < m else 0
            ever |= odds > 1
        leads += ever
    assert F(leads, (m + 1) ** 6) == F(m, m + 1) ** first_lead(m, r) < r


def test_the_rival():
    for r, bound, lead in [
        (F(1, 100), "25.3", 26),
        (F(1, 10_000), "50.5", 51),
    ]:
        assert f"{log(1 / r) / log(6 / 5):.1f}" == bound
        assert first_lead(5, r) == lead


# --- A plug-in that shrinks -----------------------------------------------


def test_a_plug_in_that_shrinks():
    sizes = dict(zip(RULES.names, RULES.sizes, strict=True))
    found = [RULES.map(data) for data in ([], [16], [16, 8])]
    assert found == ["even", "powers of 4", "powers of 2"]
    assert [sizes[h] for h in found] == [50, 3, 6]
    prior = dict(zip(RULES.names, RULES.prior, strict=True))
    assert prior["odd"] == prior["even"] == max(prior.values())


@pytest.mark.parametrize("r", [F(1, 50), F(1, 2), F(1), F(3)])
def test_nested_concepts(r):
    """The MAP goes from the larger to the smaller, and never back."""
    h, g = {1, 2}, {1, 2, 3, 4, 5}
    prior = {"g": float(1 / (1 + r)), "h": float(r / (1 + r))}
    space = ConceptSpace.from_sets({"g": g, "h": h}, prior, n=5)
    path = [space.map([1, 2] * n) for n in range(8)]
    assert path == sorted(path)
    assert path[-1] == "h"
    assert (path[0] == "g") == (r <= 1)  # the first one in a tie


# --- An average of averages -----------------------------------------------


def test_a_tie_for_ever():
    h, g, wide = {1, 2, 3}, {2, 3, 4}, {1, 2, 3, 4, 5}
    prior = {"h": 0.5, "g": 0.2, "wide": 0.3}
    sets = {"h": h, "g": g, "wide": wide}
    space = ConceptSpace.from_sets(sets, prior, n=5)
    data = [2, 3] * 60
    w = F(5, 7)
    expected = [w / 3, F(1, 3), F(1, 3), (1 - w) / 3, 0]
    law = space.predictive(data)
    assert law == pytest.approx([float(p) for p in expected], abs=1e-12)
    assert space.plug_in(data) == pytest.approx([1 / 3] * 3 + [0, 0])
