"""Searches by their definitions: loops over all graphs, and over networkx."""

from itertools import permutations

import networkx as nx
import numpy as np
import pandas as pd
from graph_truth import all_dags

from bayesbook.base import GraphError
from bayesbook.network import (
    AIC,
    BIC,
    K2,
    BDeu,
    Move,
    exact_search,
    hill_climb,
    tabu_search,
)

SCORES = {"bic": BIC, "aic": AIC, "bdeu": BDeu, "k2": K2}
NAMES = tuple(SCORES)
SEARCHES = (hill_climb, tabu_search, exact_search)


def rows_of(seed=1, n=80, sizes=(2, 3, 2, 3), names="ABCDEF"):
    """Rows of columns that depend on two columns before them."""
    rng = np.random.default_rng(seed)
    codes = []
    for size in sizes:
        own = rng.integers(size, size=n)
        for other in rng.permutation(len(codes))[:2]:
            copied = rng.random(n) < 0.4
            own = np.where(copied, (codes[other] + own // 2) % size, own)
        codes.append(own)
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(own, list("stuvw"[:size]))
            for name, own, size in zip(names, codes, sizes, strict=False)
        }
    )


DAGS = list(all_dags("ABCD"))


def obeys(graph, required=(), forbidden=(), max_parents=99):
    return (
        all(graph.has_edge(*edge) for edge in required)
        and not any(graph.has_edge(*edge) for edge in forbidden)
        and max(degree for _, degree in graph.in_degree) <= max_parents
    )


def best_of(dags, score):
    return max(score.total(graph) for graph in dags)


def moves_of(graph, **rules):
    """Yield every allowed move, in the order in which ties are decided."""
    for kind in ("add", "delete", "reverse"):
        for edge in permutations(sorted(graph, key=by_number), 2):
            move = Move(kind, *edge)
            other = nx.DiGraph(graph)
            try:
                move.apply(other)
            except GraphError:
                continue
            if nx.is_directed_acyclic_graph(other) and obeys(other, **rules):
                yield move, other


def by_number(name):
    """Sort names of a letter and a number, or of a letter."""
    return name[0], int(name[1:] or 0)


def greedy(score, graph, **rules):
    """Climb with whole graphs, and totals of them; return the path."""
    path = []
    while True:
        total = score.total(graph)
        gains = [
            (score.total(other) - total, move, other)
            for move, other in moves_of(graph, **rules)
        ]
        best = max((gain for gain, _, _ in gains), default=0)
        if best <= 1e-7:
            return path, graph
        move, graph = next(
            (move, other) for gain, move, other in gains if gain > best - 1e-7
        )
        path.append(move)


def empty(names="ABCD"):
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    return graph


def shuffled(rows, seed):
    rng = np.random.default_rng(seed)
    rows = rows.iloc[rng.permutation(len(rows))]
    return rows[[rows.columns[i] for i in rng.permutation(rows.shape[1])]]
