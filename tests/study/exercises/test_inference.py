"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from itertools import product

import numpy as np
from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by arrays, masks and the whole joint distribution
# --------------------


def pair_posteriors(prior, step, seen):
    days, states = range(len(seen)), range(len(prior))
    pairs = [[[0] * len(prior) for _ in prior] for _ in seen[1:]]
    for path in product(states, repeat=len(seen)):
        p = prior[path[0]]
        for t in days:
            p *= seen[t][path[t]] * (step[path[t - 1]][path[t]] if t else 1)
        for t in days[1:]:
            pairs[t - 1][path[t - 1]][path[t]] += p
    total = sum(map(sum, pairs[0]))
    return [[[p / total for p in row] for row in pair] for pair in pairs]


def sum_out(scope, factor, name):
    axes = [
        sorted({states[i] for states in factor}) for i in range(len(scope))
    ]
    array = np.full([len(axis) for axis in axes], F(0), dtype=object)
    for states, number in factor.items():
        place = [axis.index(s) for axis, s in zip(axes, states, strict=True)]
        array[tuple(place)] = number
    array = array.sum(axis=scope.index(name))
    del axes[scope.index(name)]
    numbers = np.atleast_1d(array).ravel().tolist()
    return dict(zip(product(*axes), numbers, strict=True))


def matrix(lines):
    names = sorted(set().union(*lines))
    place = {name: i for i, name in enumerate(names)}
    joined = np.zeros((len(names), len(names)), dtype=bool)
    for line in lines:
        a, b = map(place.get, line)
        joined[a, b] = joined[b, a] = True
    return names, joined


def without_node(lines, node):
    names, joined = matrix(lines)
    near = joined[names.index(node)]
    joined = joined | np.outer(near, near)
    joined[names.index(node)] = joined[:, names.index(node)] = False
    return {
        frozenset((names[a], names[b]))
        for a, b in zip(*np.nonzero(np.triu(joined, 1)), strict=True)
    }


def reached(lines, start, through):
    """Return the nodes at the ends of paths whose inner nodes are given."""
    found, waiting = set(), [start]
    while waiting:
        here = waiting.pop()
        for line in lines:
            if here in line:
                (other,) = line - {here}
                if other not in found and other != start:
                    found.add(other)
                    waiting += [other] * (other in through)
    return found


def largest_table(lines, states, order):
    """Use paths over earlier nodes instead of new lines."""
    largest = 0
    for place, node in enumerate(order):
        near = reached(lines, node, order[:place]) - set(order[:place])
        cells = states[node]
        for other in near:
            cells *= states[other]
        largest = max(largest, cells)
    return largest


def likelihood_weight(row, evidence, parents, cpt):
    weight = F(1)
    for node, distribution in cpt.items():
        if node in evidence:
            key = tuple([row[parent] for parent in parents[node]])
            weight = weight * distribution[key][evidence[node]]
    return weight


def joint(states, parents, cpt):
    return likelihood_weight(states, states, parents, cpt)


def gibbs_distribution(node, now, parents, cpt):
    """Condition the joint distribution on all the other nodes."""
    states = list(next(iter(cpt[node].values())))
    numbers = [joint(now | {node: s}, parents, cpt) for s in states]
    return {s: p / sum(numbers) for s, p in zip(states, numbers, strict=True)}


EXERCISES = exercises_of("inference")
test_another_solution_passes = solved_by("inference", globals())


def test_the_distributions_of_the_cases_sum_to_one():
    for name in ("likelihood_weight", "gibbs_distribution"):
        for *_, cpt in EXERCISES[name].cases:
            for distributions in cpt.values():
                assert all(
                    sum(distribution.values()) == 1
                    for distribution in distributions.values()
                )
