"""The exercises of the chapter can be solved, and in another way."""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations, product
from math import factorial, log, prod

import networkx as nx
from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of


def estimate(rows, node, parents, states, pseudo):
    """Ask for the share of each state among the rows that fit."""
    found = {}
    for u in product(*(states[parent] for parent in parents)):
        fitting = [
            row[node]
            for row in rows
            if all(row[p] == s for p, s in zip(parents, u, strict=True))
        ]
        seen = Counter(fitting)
        weights = [F(seen[state] + pseudo) for state in states[node]]
        if any(weights):
            found[u] = tuple(weight / sum(weights) for weight in weights)
    return found


def bic(counts, n):
    """Compute entropies, from the rows as they were."""
    score = 0.0
    for row in counts:
        rows = [s for s, count in enumerate(row) for _ in range(count)]
        score += sum(log(rows.count(s) / len(rows)) for s in rows)
        score -= (len(row) - 1) * log(n) / 2
    return score


def rising(a, n):
    return prod((a + k for k in range(n)), start=F(1))


def evidence(counts, s):
    """Divide rising factorials, as in the theorem."""
    alpha = F(s) / sum(map(len, counts))
    return prod(
        prod(rising(alpha, count) for count in row)
        / rising(alpha * len(row), sum(row))
        for row in counts
    )


def reaches(parents, start, end):
    if start == end:
        return True
    return any(
        reaches(parents, node, end)
        for node, above in parents.items()
        if start in above
    )


def legal_moves(parents):
    moves = set()
    for a, b in combinations(parents, 2):
        for tail, head in ((a, b), (b, a)):
            without = {
                **parents,
                head: tuple(p for p in parents[head] if p != tail),
            }
            if tail in parents[head]:
                moves.add(("delete", tail, head))
                if not reaches(without, tail, head):
                    moves.add(("reverse", tail, head))
            elif not (head in parents[tail] or reaches(parents, head, tail)):
                moves.add(("add", tail, head))
    return moves


def v_structures(near, apart):
    """Look at each edge, and at what else meets its two ends."""

    def directed(tail, head):
        others = near[head] - near[tail] - {tail}
        sets = [
            apart.get((tail, other), apart.get((other, tail)))
            for other in others
        ]
        return any(given is not None and head not in given for given in sets)

    edges = [(a, b) for a in near for b in near[a]]
    return {(a, b) for a, b in edges if directed(a, b) and not directed(b, a)}


def best_forest(weights):
    """Try all sets of pairs."""
    best, chosen = 0, set()
    for size in range(len(weights) + 1):
        for pairs in combinations(weights, size):
            total = sum(weights[pair] for pair in pairs)
            if total > best and not nx.cycle_basis(nx.Graph(pairs)):
                best, chosen = total, {frozenset(pair) for pair in pairs}
    return chosen


EXERCISES = exercises_of("learning")
test_another_solution_passes = solved_by("learning", globals())


def test_the_evidence_of_two_columns_by_factorials():
    report = EXERCISES["evidence"].reference
    assert report([[2, 2]], 2) == F(
        factorial(2) * factorial(2), factorial(5)
    ) * F(factorial(1))
