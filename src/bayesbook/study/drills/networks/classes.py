"""Drills of equivalence classes: arrows that no data can turn."""

from collections.abc import Mapping

import networkx as nx
import numpy as np

from bayesbook.base.names import and_list
from bayesbook.graphs import cpdag, equivalence_class
from bayesbook.study.drills.drill import Drill, pick, until
from bayesbook.study.drills.pictures import (
    arrows_of,
    connected_graph,
    each_arrow,
    picture_of,
    source_of,
    v_structures,
)
from bayesbook.study.drills.writing import hints, paragraphs
from bayesbook.study.quiz import Choice, Option

_Arrow = tuple[str, str]


def compelled(seed: int, rng: np.random.Generator) -> Drill:
    """Ask which arrows all equivalent graphs share."""
    with_others = pick(rng, [True, True, False])

    def draw() -> Drill | None:
        graph = connected_graph(pick(rng, [4, 5, 5, 6]), rng)
        if not graph:
            return None
        partial = cpdag(graph)
        fixed = {(a, b) for a, b in graph.edges if not partial.has_edge(b, a)}
        in_vees = _in_v_structures(graph)
        if not 0 < len(fixed) < graph.number_of_edges():
            return None
        if (fixed > in_vees) != with_others:
            return None
        return _drill(seed, graph, fixed, in_vees)

    return until(draw)


def _in_v_structures(graph: nx.DiGraph) -> set[_Arrow]:
    return {
        (parent, child)
        for a, child, b in v_structures(graph)
        for parent in (a, b)
    }


def _drill(
    seed: int, graph: nx.DiGraph, fixed: set[_Arrow], in_vees: set[_Arrow]
) -> Drill:
    turned = {
        edge: _turned(graph, edge) for edge in graph.edges if edge not in fixed
    }
    title = f"Graph: {arrows_of(graph)}."
    question = Choice(
        id=f"compelled-{seed}",
        kind="multiple",
        level="analyse",
        prompt=(
            f"{picture_of(graph, title)}\n\nA search with BIC or BDeu has "
            "found this graph. Which of its arrows have the same direction in "
            "all graphs with the same score for every data set, those that "
            "are Markov equivalent to it?"
        ),
        setup=(
            "from bayesbook.graphs import equivalence_class, parse\n"
            f"graphs = list(equivalence_class(parse({source_of(graph)!r})))\n"
            "def shared(a, b):\n"
            "    return all(graph.has_edge(a, b) for graph in graphs)\n"
        ),
        options=tuple(
            Option(
                f"{a} → {b}",
                f"shared({a!r}, {b!r})",
                _why(graph, (a, b), fixed, in_vees, turned),
                right=(a, b) in fixed,
            )
            for a, b in sorted(graph.edges)
        ),
    )
    vees = [f"{a} → {c} ← {b}" for a, c, b in sorted(v_structures(graph))]
    tips = hints(
        "First look for v-structures: two arrows into one node, from parents "
        "that are not adjacent.",
        f"V-structures: {and_list(vees or ['none'])}. Their arrows are "
        "certain. Which other arrow could not be turned without another "
        "v-structure or a cycle?",
    )
    worked = _worked(graph, fixed, in_vees)
    return Drill("compelled", seed, question, worked, hints=tips)


def _turned(graph: nx.DiGraph, edge: _Arrow) -> nx.DiGraph:
    """Return the nearest equivalent graph in which an arrow is turned."""
    return next(
        other
        for other in equivalence_class(graph)
        if other.has_edge(*edge[::-1])
    )


def _why(
    graph: nx.DiGraph,
    edge: _Arrow,
    fixed: set[_Arrow],
    in_vees: set[_Arrow],
    turned: Mapping[_Arrow, nx.DiGraph],
) -> str:
    a, b = edge
    if edge in turned:
        changed = set(turned[edge].edges) - set(graph.edges)
        return (
            f"With {and_list(each_arrow(changed))} instead the graph has the "
            "same skeleton and the same v-structures, so the same score."
        )
    if edge in in_vees:
        vees = [
            f"{x} → {c} ← {y}"
            for x, c, y in sorted(v_structures(graph))
            if c == b and a in (x, y)
        ]
        return f"It belongs to the v-structure {vees[0]}."
    return f"It is in no v-structure. But {_reason(graph, edge, fixed)}"


def _reason(graph: nx.DiGraph, edge: _Arrow, fixed: set[_Arrow]) -> str:
    """Explain what would happen if an arrow were turned."""
    a, b = edge

    def apart(one, other):
        return not (graph.has_edge(one, other) or graph.has_edge(other, one))

    for c in sorted(graph.pred[a]):
        if (c, a) in fixed and apart(c, b):
            return (
                f"{c} → {a} keeps its direction, and if the arrow were "
                f"turned, {c} → {a} ← {b} would be a new v-structure."
            )
    for c in sorted(graph.succ[a]):
        if {(a, c), (c, b)} <= fixed:
            return (
                f"{a} → {c} → {b} keep their directions, and if the arrow "
                "were turned, it would close a cycle with them."
            )
    return (
        "however the other arrows are turned with it, there would be another "
        "v-structure or a cycle."
    )


def _worked(
    graph: nx.DiGraph, fixed: set[_Arrow], in_vees: set[_Arrow]
) -> str:
    vees = [f"{a} → {c} ← {b}" for a, c, b in sorted(v_structures(graph))]
    implied = each_arrow(fixed - in_vees)
    free = each_arrow(set(graph.edges) - fixed)
    size = sum(1 for _ in equivalence_class(graph))
    lines = [
        f"- V-structures: {and_list(vees)}. Their arrows keep their "
        "directions."
    ]
    if implied:
        one = len(implied) == 1
        keeps = "keeps its direction" if one else "keep their directions"
        lines.append(
            f"- {and_list(implied)} {keeps} too, because there would be "
            "another v-structure or a cycle otherwise (Meek's rules)."
        )
    points = "points" if len(free) == 1 else "each point"
    lines.append(
        f"- {and_list(free)} {points} the other way in some graph of the "
        "class."
    )
    return paragraphs(
        "Equivalent graphs have the same skeleton and the same v-structures, "
        "and scores such as BIC and BDeu are the same for all of them.",
        "\n".join(lines),
        f"The class has {size} graphs. From data alone no search with such a "
        "score can tell which of them is the true one.",
    )
