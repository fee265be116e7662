"""The exercises of the chapter can be solved, and in another way."""

from fractions import Fraction as F
from itertools import combinations, product

import networkx as nx
import numpy as np
from scipy import stats
from study.exercises.solving import solved_by

from bayesbook.naive_bayes import KDB
from bayesbook.study.exercises.checker import exercises_of

# --- Solutions by other routes: entropies, enumeration, networkx ----------


def joint_with_own_parents(rows, labels, parents, states, row):
    """Let the library fit a KDB to the rows of each class alone."""
    X, y = np.array(rows), np.array(labels)
    found = []
    for c, own in enumerate(parents):
        model = KDB(
            k=len(row) - 1,
            parents=dict(enumerate(own)),
            min_categories=states,
        ).fit(X[y == c], y[y == c])
        share = (sum(y == c) + 1) / (len(y) + len(parents))
        given = model.predict_joint_log_proba([row])[0, 0]
        found.append(share * float(np.exp(given)))
    return found


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


def kdb_parents(order, bits, k, least):
    """Rank all columns, and cross out those that may not be parents."""
    return {
        j: [
            i
            for i in sorted(bits[j], key=bits[j].get, reverse=True)
            if order.index(i) < order.index(j) and bits[j][i] >= least
        ][:k]
        for j in order
    }


EXERCISES = exercises_of("semi_naive")
test_another_solution_passes = solved_by("semi_naive", globals())


def test_no_two_weights_of_a_case_are_equal():
    for (weights,) in EXERCISES["best_tree"].cases:
        assert len(set(weights.values())) == len(weights)
    for _, bits, *_ in EXERCISES["kdb_parents"].cases:
        for told in bits.values():
            assert len(set(told.values())) == len(told)
