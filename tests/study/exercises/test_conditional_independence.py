"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from itertools import product

import numpy as np
from study.exercises.solving import solved_by

from bayesbook.base import ZeroProbabilityError
from bayesbook.probability import Table
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions that go another way than the exercises ---------------------


def independent_given(probability, a, b, given):
    """Keep the outcomes that are left, and compare the four cells."""
    left = {w: p for w, p in probability.items() if w in given}
    if not sum(left.values()):
        raise ZeroProbabilityError("nothing is left")
    cells = {}
    for outcome, p in left.items():
        key = outcome in a, outcome in b
        cells[key] = cells.get(key, 0) + p
    yes, no = (True, False)
    # A table of two by two has rank one where its determinant vanishes.
    return cells.get((yes, yes), 0) * cells.get((no, no), 0) == (
        cells.get((yes, no), 0) * cells.get((no, yes), 0)
    )


def largest_gap(joint):
    """Ask the library, which is told of every combination."""
    states = {
        name: sorted({key[i] for key in joint}) for i, name in enumerate("XYZ")
    }
    values = [
        [
            [joint.get((x, y, z), F(0)) for z in states["Z"]]
            for y in states["Y"]
        ]
        for x in states["X"]
    ]
    return Table(values, states).independent("X", "Y", given="Z").gap


def mixture(weight, first, second):
    """Add up outer products."""
    z0 = next(iter(weight))
    xs, ys = list(first[z0]), list(second[z0])
    total = sum(
        p
        * np.outer(
            [first[z][x] for x in xs],
            [second[z][y] for y in ys],
        )
        for z, p in weight.items()
    )
    return {
        (x, y): total[i, j]
        for (i, x), (j, y) in product(enumerate(xs), enumerate(ys))
    }


def next_heads(prior, heads, seen):
    """Divide the probabilities of two sequences, one longer by a head."""

    def probability(tosses):
        total = 0
        for coin, p in prior.items():
            for toss in tosses:
                p *= heads[coin] if toss == "H" else 1 - heads[coin]
            total += p
        return total

    if not probability(seen):
        raise ZeroProbabilityError("impossible")
    return probability(seen + "H") / probability(seen)


def free_parameters(k, sizes):
    """Name every number that may be chosen, and count the names."""
    free = [("z", z) for z in range(k - 1)]
    free += [
        (z, i, state)
        for z in range(k)
        for i, size in enumerate(sizes)
        for state in range(size - 1)
    ]
    return len(set(free))


EXERCISES = exercises_of("conditional_independence")
test_another_solution_passes = solved_by("conditional_independence", globals())


def test_the_spaces_and_distributions_of_the_cases_are_such():
    for probability, *_ in EXERCISES["independent_given"].cases:
        assert sum(probability.values()) == 1
    for (joint,) in EXERCISES["largest_gap"].cases:
        assert sum(joint.values()) == 1
    for weight, first, second in EXERCISES["mixture"].cases:
        for distribution in [weight, *first.values(), *second.values()]:
            assert sum(distribution.values()) == 1
    for prior, heads, _ in EXERCISES["next_heads"].cases:
        assert sum(prior.values()) == 1
        assert all(0 <= p <= 1 for p in heads.values())


def test_a_gap_where_the_dictionary_has_nothing_is_among_the_cases():
    """The largest gap, and at no triple that is mentioned."""

    def mentioned(joint):
        distribution = Table.from_counts(joint, ["X", "Y", "Z"], exact=True)
        alone = distribution.conditional(
            "X", given="Z"
        ) * distribution.conditional("Y", given="Z")
        return max(
            abs(
                distribution.P(X=x, Y=y, given={"Z": z})
                - alone.P(X=x, Y=y, given={"Z": z})
            )
            for x, y, z in joint
        )

    (hole,) = EXERCISES["largest_gap"].cases[3]
    assert mentioned(hole) < largest_gap(hole)
