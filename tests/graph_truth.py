"""Graphs of every kind, and what is true of them by definition.

Trails, separations and classes are tried out one trail and one set at a time.
"""

from collections import defaultdict
from functools import cache
from itertools import chain, combinations, pairwise, permutations, product

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from bayesbook import graphs


def all_dags(names):
    """Yield every DAG: each pair of nodes has an arrow one way, or none."""
    names = list(names)
    choices = [((), (pair,), (pair[::-1],)) for pair in combinations(names, 2)]
    for chosen in product(*choices):
        graph = nx.DiGraph()
        graph.add_nodes_from(names)
        graph.add_edges_from(arrow for arrows in chosen for arrow in arrows)
        if nx.is_directed_acyclic_graph(graph):
            yield graph


def subsets(items):
    items = list(items)
    sizes = range(len(items) + 1)
    return list(chain(*(combinations(items, k) for k in sizes)))


def all_trails(edges, nodes, x, y):
    """List the sequences of different nodes that follow edges, x to y."""
    inner = [node for node in nodes if node not in (x, y)]
    for k in range(len(inner) + 1):
        for middle in permutations(inner, k):
            trail = (x, *middle, y)
            steps = list(pairwise(trail))
            if all((a, b) in edges or (b, a) in edges for a, b in steps):
                yield trail


def descendants(edges, node):
    """Return the node and all nodes to which a chain of arrows leads."""
    found = {node}
    while new := {b for a, b in edges if a in found} - found:
        found |= new
    return found


def is_active(edges, trail, known):
    """Return whether no node inside blocks the trail: Pearl's definition."""
    for a, b, c in zip(trail, trail[1:], trail[2:], strict=False):
        if (a, b) in edges and (c, b) in edges:
            if not descendants(edges, b) & set(known):
                return False
        elif b in known:
            return False
    return True


def separated_by_definition(graph, x, y, known=()):
    edges, nodes = set(graph.edges), list(graph)
    return not any(
        is_active(edges, trail, known)
        for a, b in product(x, y)
        for trail in all_trails(edges, nodes, a, b)
    )


def edge_set(graph):
    return frozenset(graph.edges)


def separations(graph):
    """Return all d-separations of two nodes, found by networkx."""
    return frozenset(
        (x, y, known)
        for x, y in combinations(sorted(graph), 2)
        for known in subsets(sorted(graph.nodes - {x, y}))
        if nx.is_d_separator(graph, x, y, set(known))
    )


@cache
def by_separations(nodes):
    """Group all DAGs over the nodes by the d-separations they imply."""
    groups = defaultdict(list)
    for graph in all_dags(nodes):
        groups[separations(graph)].append(graph)
    return list(groups.values())


def random_queries(count, seed, queries=4):
    """Yield random DAGs of 4 to 8 nodes, each with disjoint random sets."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(4, 9))
        graph = graphs.random_dag(n, rng.uniform(0.1, 0.7), rng=rng)
        for _ in range(queries):
            nodes = [str(node) for node in rng.permutation(sorted(graph))]
            i, j = 1, 2
            if rng.random() < 0.5:
                i, j = sorted(rng.choice(range(1, n), 2, replace=False))
            k = rng.integers(j, n + 1)
            yield graph, set(nodes[:i]), set(nodes[i:j]), set(nodes[j:k])


@st.composite
def split_graphs(draw, parts):
    """Draw a DAG, and disjoint sets of its nodes, the first ones not empty."""
    seed = draw(st.integers(0, 10**6))
    graph = graphs.random_dag(
        draw(st.integers(4, 7)), draw(st.floats(0, 1)), rng=seed
    )
    place = st.integers(0, parts)
    sets = [set() for _ in range(parts + 1)]
    for node in graph:
        sets[draw(place)].add(node)
    return graph, *sets[:parts]


def partially_directed(text):
    """Read arrows, and edges without direction such as A - B, as a graph."""
    graph = nx.DiGraph()
    for a, kind, b in map(str.split, text.split(",")):
        graph.add_edges_from([(a, b)] if kind == "->" else [(a, b), (b, a)])
    return graph
