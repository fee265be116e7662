"""The exercises of the chapter can be solved, and in another way."""

from itertools import product

import networkx as nx
from study.exercises.solving import solved_by

from bayesbook.study.exercises.checker import exercises_of


def below(parents, node):
    """Return a node and its descendants."""
    children = [child for child, above in parents.items() if node in above]
    return {node}.union(*(below(parents, child) for child in children))


def numbers_to_give(parents, sizes, functions):
    """Count the rows one by one, each with a state less than it has."""
    total = 0
    for node in set(parents) - set(functions):
        for _ in product(*(range(sizes[p]) for p in parents[node])):
            total += len(range(sizes[node])) - 1
    return total


def local_statements(parents):
    return {
        node: {n for n in parents if n not in below(parents, node)}
        - set(above)
        for node, above in parents.items()
    }


def joint(parents, p_one, row):
    p = 1
    for node, above in parents.items():
        one = p_one[node][tuple(row[parent] for parent in above)]
        p *= one if row[node] else 1 - one
    return p


def given_all_others(parents, p_one, node, row):
    """By the definition, from the whole joint distribution."""
    one = joint(parents, p_one, {**row, node: 1})
    return one / (one + joint(parents, p_one, {**row, node: 0}))


def noisy_or(strengths, leak, present):
    """Add over all ways in which somebody succeeds."""
    chances = [leak, *(strengths[cause] for cause in present)]
    total = 0
    for success in product((0, 1), repeat=len(chances)):
        p = 1
        for works, chance in zip(success, chances, strict=True):
            p *= chance if works else 1 - chance
        total += p * any(success)
    return total


def network_in_order(parents, order):
    """Try sets of earlier nodes, small ones first."""
    graph = nx.DiGraph()
    graph.add_nodes_from(parents)
    graph.add_edges_from((a, b) for b, above in parents.items() for a in above)
    found = {}
    for i, node in enumerate(order):
        earlier = order[:i]
        shields = [
            {n for n, k in zip(earlier, keep, strict=True) if k}
            for keep in product((0, 1), repeat=i)
        ]
        for shield in sorted(shields, key=len):
            rest = set(earlier) - shield
            if not rest or nx.is_d_separator(graph, {node}, rest, shield):
                found[node] = shield
                break
    return found


def draw(parents, p_one, uniforms):
    row = {}
    while len(row) < len(parents):
        for node, above in parents.items():
            if node not in row and all(parent in row for parent in above):
                one = p_one[node][tuple(row[parent] for parent in above)]
                row[node] = 1 if uniforms[node] < one else 0
    return {node for node in row if row[node] == 1}


EXERCISES = exercises_of("representation")
test_another_solution_passes = solved_by("representation", globals())


def test_the_rows_of_the_cases_have_a_distribution_of_the_node():
    for parents, p_one, node, row in EXERCISES["given_all_others"].cases:
        both = (joint(parents, p_one, {**row, node: s}) for s in (0, 1))
        assert sum(both) > 0
