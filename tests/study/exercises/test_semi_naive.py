"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from itertools import combinations, product

import networkx as nx
import numpy as np
import pytest
from scipy import stats

from bayesbook.study.exercises import check
from bayesbook.study.exercises.semi_naive import EXERCISES

# --- Solutions by other routes: entropies, enumeration, networkx ----------


def conditional_bits(counts):
    """Return H(X, C) + H(Y, C) - H(X, Y, C) - H(C)."""
    joint = np.array(counts, dtype=float)

    def entropy(axes):
        return stats.entropy(joint.sum(axis=axes).ravel(), base=2)

    return float(entropy(2) + entropy(1) - entropy(()) - entropy((1, 2)))


def free_parameters(K, states, parents):
    """Write every distribution down, and count its states but the last."""
    distributions = [list(range(K))]
    for own, others in zip(states, parents, strict=True):
        given = product(range(K), *(range(states[i]) for i in others))
        distributions += [list(range(own)) for _ in given]
    return sum(len(distribution) - 1 for distribution in distributions)


def best_tree(weights):
    """Try all sets of edges that are trees."""
    columns = {column for edge in weights for column in edge}

    def is_tree(edges):
        graph = nx.Graph()
        graph.add_nodes_from(columns)
        graph.add_edges_from(edges)
        return nx.is_tree(graph)

    candidates = filter(is_tree, combinations(weights, len(columns) - 1))
    best = max(candidates, key=lambda edges: sum(map(weights.get, edges)))
    return sorted(best)


def pair_distribution(counts, lam):
    """Smooth the class and the state given the class, and multiply."""
    S = len(counts[0])
    per_class = [sum(line) + S * F(lam) for line in counts]
    return [
        [own / sum(per_class) * (n + F(lam)) / own for n in line]
        for own, line in zip(per_class, counts, strict=True)
    ]


def kdb_parents(order, bits, k):
    """Rank all columns, and cross out those that do not come earlier."""
    return {
        j: [
            i
            for i in sorted(bits[j], key=bits[j].get, reverse=True)
            if order.index(i) < order.index(j)
        ][:k]
        for j in order
    }


SOLUTIONS = {
    "conditional_bits": conditional_bits,
    "free_parameters": free_parameters,
    "best_tree": best_tree,
    "pair_distribution": pair_distribution,
    "kdb_parents": kdb_parents,
}
every_exercise = pytest.mark.parametrize("name", EXERCISES)


def test_every_exercise_is_solved_here():
    assert SOLUTIONS.keys() == EXERCISES.keys()


@every_exercise
def test_a_solution_by_another_route_passes(name):
    report = check(f"semi_naive/{name}", SOLUTIONS[name])
    cases = len(EXERCISES[name].cases)
    assert report.message == f"✓ {name}: correct, all {cases} cases agree."


def test_no_two_weights_of_a_case_are_equal():
    for (weights,) in EXERCISES["best_tree"].cases:
        assert len(set(weights.values())) == len(weights)
    for _, bits, _ in EXERCISES["kdb_parents"].cases:
        for told in bits.values():
            assert len(set(told.values())) == len(told)
