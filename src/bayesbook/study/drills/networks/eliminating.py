"""Drills of variable elimination: its largest product, its fill-in edges."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np

from bayesbook.base.names import and_list
from bayesbook.study.drills.drill import Drill, number_drill, pick, until
from bayesbook.study.drills.networks.structure import states_told
from bayesbook.study.drills.pictures import (
    arrows_of,
    connected_graph,
    picture_of,
    source_of,
)
from bayesbook.study.drills.writing import (
    hints,
    mistakes_to_tell,
    names_of,
    paragraphs,
    table,
)

_SETUP = """
from itertools import combinations
from math import prod
import networkx as nx
from bayesbook.graphs import moral_graph, parse
graph = parse(source)
moral = moral_graph(graph)
def cells(nodes):
    return prod(sizes[node] for node in nodes)
def eliminated(start, joins=True):
    left, steps = nx.Graph(start), []
    for node in order:
        near = sorted(left[node])
        new = [two for two in combinations(near, 2) if not left.has_edge(*two)]
        steps.append((node, near, new))
        left.add_edges_from(new if joins else [])
        left.remove_node(node)
    return steps
def products(steps):
    return [cells([node, *near]) for node, near, _ in steps]
def added(steps):
    return sum(len(new) for *_, new in steps)
steps, plain = eliminated(moral), eliminated(graph.to_undirected())
married = len(moral.edges) - len(graph.edges)
tables = [{node, *graph.pred[node]} for node in graph]
def scopes():
    left = list(tables)
    for node in order:
        mine = set().union(*(scope for scope in left if node in scope))
        left = [scope for scope in left if node not in scope]
        left.append(mine - {node})
        yield mine
def pairs(sets):
    return {frozenset(two) for one in sets for two in combinations(one, 2)}
"""

_LARGEST = """
    max(products(plain)) | This forgets that the parents of a node are joined:
        its table contains all of them.
    max(products(eliminated(moral, False))) | This forgets the new factors:
        after a sum all the neighbours of the node are in one of them.
    max(cells(near) for _, near, _ in steps) | This is the largest factor after
        a sum. The product still contains the node that is summed out.
    max(map(cells, tables)) | This is the largest table of the network. A
        product can be larger.
    sum(products(steps)) | These are the cells of all products together.
    max(sum(sizes[n] for n in [node, *near]) for node, near, _ in steps) | This
        adds the numbers of states. The cells are all combinations: multiply.
    cells(sizes) | This is the joint table of all nodes, which elimination
        avoids.
"""
_FILL_INS = """
    added(plain) | This forgets that the parents of a node are joined before
        any node is eliminated.
    added(steps) + married | if married | This counts the edges between
        parents, too. They belong to the moral graph, before any elimination.
    added(eliminated(moral, False)) | This does not draw the new edges: then a
        pair may be counted twice, and a neighbour missed.
    sum(len(near) * (len(near) - 1) // 2 for _, near, _ in steps) | This counts
        all pairs of neighbours, also those that are joined already.
    max(len(near) for _, near, _ in steps) | This is the induced width: the
        largest number of neighbours of a node when it is eliminated.
    sum(len(near) > 1 for _, near, _ in steps) | This counts the nodes that
        have several neighbours when they are eliminated.
"""


def elimination_cost(seed: int, rng: np.random.Generator) -> Drill:
    """Ask for the largest product of an elimination, or for its fill-ins."""
    asks_cells = seed % 2 == 0

    def draw() -> Drill | None:
        graph = connected_graph(pick(rng, [5, 5, 6]), rng)
        if not graph:
            return None
        sizes = {node: pick(rng, [2, 2, 2, 3, 3, 4]) for node in graph}
        *order, query = (
            sorted(graph)[at] for at in rng.permutation(len(graph))
        )
        source = source_of(graph)
        setup = f"source, order, sizes = {source!r}, {order}, {sizes}{_SETUP}"
        names = names_of(setup)
        if not names["added"](names["steps"]):
            return None
        ask = _largest if asks_cells else _fill_ins
        return ask(seed, graph, query, setup, names)

    return until(draw)


def _prompt(
    graph: nx.DiGraph, query: str, names: Mapping[str, Any], asked: str
) -> str:
    title = f"Graph: {arrows_of(graph)}."
    order = and_list(f"${node}$" for node in names["order"])
    return paragraphs(
        picture_of(graph, title),
        f"{states_told(graph, names['sizes'])} For the distribution of "
        f"${query}$ the other nodes are eliminated in the order {order}; none "
        f"is left out as unnecessary. {asked}",
    )


def _worked(names: Mapping[str, Any]) -> str:
    """Write the table of all steps."""
    rows = [
        [
            f"${node}$",
            ", ".join(f"${n}$" for n in near),
            rf"${_product(names, [node, *near])}$",
            ", ".join(f"${a} - {b}$" for a, b in new) or "none",
        ]
        for node, near, new in names["steps"]
    ]
    head = [
        "eliminated",
        "neighbours",
        "cells of the product",
        "fill-in edges",
    ]
    return paragraphs(
        "**The moral graph.** The table of a node contains its parents, so "
        f"these are joined: {_joined(names)}.",
        "**The steps.** The product contains the node and its neighbours. The "
        "sum over the node leaves a factor of the neighbours, so these are "
        "joined from then on.",
        table(head, rows),
    )


def _product(names: Mapping[str, Any], nodes: list[str]) -> str:
    factors = r" \cdot ".join(str(names["sizes"][node]) for node in nodes)
    return f"{factors} = {names['cells'](nodes)}"


def _joined(names: Mapping[str, Any]) -> str:
    graph = names["graph"]
    new = [
        f"${a} - {b}$"
        for a, b in sorted(map(sorted, names["moral"].edges))
        if not (graph.has_edge(a, b) or graph.has_edge(b, a))
    ]
    if not new:
        return "here they are joined already"
    return f"{and_list(new)} {'is' if len(new) == 1 else 'are'} new"


def _hints(names: Mapping[str, Any], last: str) -> tuple[str, str]:
    node, near, _ = names["steps"][0]
    neighbours = and_list(f"${n}$" for n in near)
    word = "neighbour" if len(near) == 1 else "neighbours"
    return hints(
        "Draw the moral graph: join the parents of each node, and forget the "
        "directions. Then eliminate one node after the other.",
        f"${node}$ has the {word} {neighbours} in the moral graph. {last}",
    )


def _drill(
    seed: int,
    names: Mapping[str, Any],
    answer: int,
    mistakes: str,
    worked: str,
    **parts: Any,
) -> Drill | None:
    found = mistakes_to_tell(mistakes, names, Fraction(answer))
    if found is None:
        return None
    return number_drill(
        "elimination-cost",
        seed,
        Fraction(answer),
        found,
        str,
        worked,
        tolerance=0,
        why_check=("products(steps)", "sizes"),
        **parts,
    )


def _largest(
    seed: int,
    graph: nx.DiGraph,
    query: str,
    setup: str,
    names: Mapping[str, Any],
) -> Drill | None:
    products = names["products"](names["steps"])
    answer = max(products)
    if answer == max(map(names["cells"], names["tables"])):
        return None
    node, near, _ = names["steps"][products.index(answer)]
    with_node = and_list(f"${n}$" for n in [node, *near])
    why = (
        f"The largest product is that of ${node}$, over {with_node}: "
        f"${_product(names, [node, *near])}$ cells."
    )
    return _drill(
        seed,
        names,
        answer,
        _LARGEST,
        paragraphs(_worked(names), why),
        prompt=_prompt(
            graph,
            query,
            names,
            "How many cells has the largest product of factors?",
        ),
        setup=setup,
        check="max(map(cells, scopes()))",
        why=why,
        hints=_hints(
            names,
            "Its product has a cell for each combination of the states of "
            "all these nodes.",
        ),
    )


def _fill_ins(
    seed: int,
    graph: nx.DiGraph,
    query: str,
    setup: str,
    names: Mapping[str, Any],
) -> Drill | None:
    new = [f"${a} - {b}$" for *_, two in names["steps"] for a, b in two]
    why = (
        f"The order adds {and_list(new)} to the moral graph, {len(new)} "
        f"fill-in {'edge' if len(new) == 1 else 'edges'}."
    )
    return _drill(
        seed,
        names,
        len(new),
        _FILL_INS,
        paragraphs(_worked(names), why),
        prompt=_prompt(
            graph,
            query,
            names,
            "How many fill-in edges does this order add to the moral graph?",
        ),
        setup=setup,
        check="len(pairs(scopes()) - pairs(moral.edges))",
        why=why,
        hints=_hints(names, "Which pairs of neighbours are not joined yet?"),
    )
