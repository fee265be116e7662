"""Small graphs to draw, and the parts of their drawings."""

from itertools import combinations

import networkx as nx
import numpy as np
from drawing.pictures import outline
from scipy.spatial import cKDTree

FORK = nx.DiGraph([("X", "Y"), ("X", "Z")])
CHAIN = nx.DiGraph([("X", "Y"), ("Y", "Z")])
COLLIDER = nx.DiGraph([("X", "Z"), ("Y", "Z")])
DIAMOND = nx.DiGraph([("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")])
# Lauritzen and Spiegelhalter (1988).
ASIA = nx.DiGraph(["AT", "SL", "SB", "TE", "LE", "EX", "ED", "BD"])


def random_dag(rng):
    names = "ABCDEFGH"[: rng.integers(2, 9)]
    order = rng.permutation(list(names))
    density = rng.uniform(0.1, 0.8)
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(
        pair for pair in combinations(order, 2) if rng.random() < density
    )
    return graph


def parts(drawing, kind):
    """Return the parts of a kind by what they belong to: "X", ("X", "Y")."""
    found = {}
    for part in drawing.get_children():
        word, *names = part.get_gid().split(" ")
        if word == kind:
            found[names[0] if len(names) == 1 else tuple(names)] = part
    return found


def gap(a, b):
    """Measure the distance between two outlines of any form."""
    return cKDTree(outline(a)).query(outline(b))[0].min()


def limits(ax):
    return np.transpose([ax.get_xlim(), ax.get_ylim()])
