"""The exercises of the chapter can be solved, and in another way."""

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction as F
from itertools import product

import pytest
from study.exercises.solving import solved_by

from bayesbook.base import ZeroProbabilityError
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by counting, which share nothing with the references -------


def tickets(distribution):
    """Write each value on as many tickets as its probability asks for."""
    exact = {
        value: F(repr(float(p))) if isinstance(p, float) else F(p)
        for value, p in distribution.items()
    }
    total = math.lcm(*(p.denominator for p in exact.values()))
    return [value for value, p in exact.items() for _ in range(int(p * total))]


def mean(values):
    return sum(map(F, values), F(0)) / len(values)


def conditional_distribution(joint, y):
    left = [x for x, seen in tickets(joint) if seen == y]
    if not left:
        raise ZeroProbabilityError("no ticket is left")
    listed = [x for x, seen in joint if seen == y]
    return {x: F(left.count(x), len(left)) for x in listed}


def spread(values):
    """Half the mean squared difference of two draws, which is the variance."""
    return (
        mean([(a - b) ** 2 for a, b in product(map(F, values), repeat=2)]) / 2
    )


def conditional_variance(joint):
    drawn = tickets(joint)
    return {
        y: spread([x for x, seen in drawn if seen == y])
        for y in dict.fromkeys(y for _, y in drawn)
    }


def variance_parts(joint):
    drawn = tickets(joint)
    slices = [[x for x, seen in drawn if seen == y] for _, y in drawn]
    # A slice stands there once for each of its tickets: that is its weight.
    within = mean([spread(part) for part in slices])
    return within, spread([mean(part) for part in slices])


def size_biased(distribution):
    members = [size for size in tickets(distribution) for _ in range(size)]
    if not members:
        raise ZeroProbabilityError("nobody to ask")
    return {n: F(k, len(members)) for n, k in Counter(members).items()}


def random_sum(number, value):
    """Find the distribution of the sum by adding one term after the other."""
    distribution, sums = Counter(), {F(0): F(1)}
    for n in range(max(number) + 1):
        for total, p in sums.items():
            distribution[total] += p * F(number.get(n, 0))
        longer = Counter()
        for (total, p), (x, q) in product(sums.items(), value.items()):
            longer[total + F(x)] += p * F(q)
        sums = longer
    centre = sum(s * p for s, p in distribution.items())
    return centre, sum(s * s * p for s, p in distribution.items()) - centre**2


EXERCISES = exercises_of("random_variables")
every_exercise = pytest.mark.parametrize("name", EXERCISES)
test_another_solution_passes = solved_by("random_variables", globals())


def distributions(name, case):
    """Return the distributions among the arguments of a case."""
    return [argument for argument in case if isinstance(argument, Mapping)]


@every_exercise
def test_every_distribution_in_a_case_is_one(name):
    for case in EXERCISES[name].cases:
        assert distributions(name, case)
        for distribution in distributions(name, case):
            assert sum(distribution.values()) == pytest.approx(1, abs=1e-12)
            assert all(p >= 0 for p in distribution.values())
