"""Runs of searches for a structure, made up for drawings and replays."""

from itertools import pairwise

import networkx as nx

from bayesbook.base import GraphError
from bayesbook.graphs import cpdag, random_dag
from bayesbook.network import Move, SearchRun, Step


def empty(nodes):
    graph = nx.DiGraph()
    graph.add_nodes_from(nodes)
    return graph


def run_of(path, start, *, found=None, **more):
    """Make a run whose best graph is the last one, if no other is given."""
    *_, last = SearchRun(start, 0, "BIC", tuple(path), start, 0).graphs()
    best = max(path, key=lambda step: step.score).score if path else -7.5
    given = {"score": best, "criterion": "BIC", "n_counted": 40} | more
    graph = last if found is None else found
    return SearchRun(graph=graph, path=tuple(path), start=start, **given)


def random_run(rng, n=6, steps=9, restarts=True):
    """Change random edges of a random graph, so that it stays acyclic."""
    start = random_dag(n, 0.3, rng=rng)
    graph, path, score = start.copy(), [], -100.0
    names, restart = sorted(start), 0
    while len(path) < steps:
        delta = float(rng.normal())
        if restarts and rng.random() < 0.15:
            restart += 1
            other = random_dag(n, 0.3, rng=rng)
            score += delta
            path.append(
                Step(
                    None,
                    delta,
                    score,
                    restart,
                    tuple(set(graph.edges) - set(other.edges)),
                    tuple(set(other.edges) - set(graph.edges)),
                    "restart",
                )
            )
            graph = other
            continue
        tail, head = rng.choice(names, 2, replace=False).tolist()
        kind = ("add", "delete", "reverse")[rng.integers(3)]
        move, after = Move(kind, tail, head), graph.copy()
        try:
            move.apply(after)
        except GraphError:
            continue
        if nx.is_directed_acyclic_graph(after):
            graph, score = after, score + delta
            path.append(Step.of(move, delta, score, restart))
    return run_of(path, start)


def class_run(rng, n=5, steps=6):
    """Go from class to class: edges without direction, several at a time."""
    graphs = [cpdag(random_dag(n, 0.4, rng=rng)) for _ in range(steps + 1)]
    path = [
        Step(
            Move("add", "A", "B"),
            1.0,
            -50.0 + at,
            0,
            tuple(sorted(set(one.edges) - set(other.edges))),
            tuple(sorted(set(other.edges) - set(one.edges))),
        )
        for at, (one, other) in enumerate(pairwise(graphs))
    ]
    found = random_dag(n, 0.4, rng=rng)
    return run_of(path, graphs[0], found=found)


def asia_run():
    """Two climbs, of which the first one leads higher."""
    steps = [
        (Move("add", "smoke", "lung"), 12.34, -187.66),
        (Move("add", "bronc", "lung"), 4.5, -183.16),
        (Move("reverse", "bronc", "lung"), 0.0126, -183.1474),
        (None, -3.0, -186.1474),
        (Move("delete", "smoke", "lung"), -1, -187.1474),
    ]
    path = []
    for move, delta, score in steps:
        if move is None:
            added = (("smoke", "bronc"),)
            removed = (("lung", "bronc"),)
            path.append(Step(None, delta, score, 1, removed, added, "restart"))
        else:
            path.append(Step.of(move, delta, score, int(len(path) > 3)))
    found = nx.DiGraph([("smoke", "lung"), ("lung", "bronc")])
    start = empty(["bronc", "lung", "smoke"])
    return run_of(path, start, found=found, score=-183.1474)
