"""Graphs whose nodes a reader eliminates, and what each order costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import cos, pi, prod, sin
from typing import NamedTuple

import networkx as nx

from bayesbook import graphs
from bayesbook.network.inference.triangulation import bits, eliminate_nodes


class Step(NamedTuple):
    """One node that is eliminated."""

    node: str
    #: Its neighbours at that time, in the order of the graph.
    near: tuple[str, ...]
    #: The pairs of neighbours that are joined by it.
    fills: tuple[tuple[str, str], ...]
    #: Of the product of all factors with the node.
    cells: int


class Cost(NamedTuple):
    """What some steps cost together."""

    fills: int
    width: int
    largest: int
    total: int


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A moral graph with the numbers of states of its nodes.

    Parameters
    ----------
    key : str
        Its name in the state.
    title : str
        In the list to choose from.
    about : str
        A sentence.
    arrows : str
        The network, as :func:`bayesbook.graphs.parse` reads it.
    places : mapping of node to (int, int)
        All nodes in their order, and where they are drawn.
    sizes : mapping of node to int
        The numbers of states, where they are not two.
    """

    key: str
    title: str
    about: str
    arrows: str
    places: Mapping[str, tuple[int, int]]
    sizes: Mapping[str, int]

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The nodes in their order."""
        return tuple(self.places)

    @cached_property
    def is_wide(self) -> bool:
        """Whether there is more to read in a node than a letter."""
        return bool(self.sizes) or max(map(len, self.nodes)) > 1

    @cached_property
    def moral(self) -> nx.Graph:
        """The moral graph."""
        return graphs.moral_graph(graphs.parse(self.arrows))

    def states(self, node: str) -> int:
        """Return the number of states of a node."""
        return self.sizes.get(node, 2)

    def cells(self, nodes: Iterable[str]) -> int:
        """Return how many cells a product of these nodes has."""
        return prod(map(self.states, nodes))

    def next(self, left: nx.Graph, node: str) -> Step:
        """Return what it would cost to eliminate a node now."""
        near = tuple(other for other in self.nodes if other in left[node])
        return Step(
            node,
            near,
            tuple(p for p in combinations(near, 2) if not left.has_edge(*p)),
            self.cells((node, *near)),
        )

    def steps(self, order: Iterable[str]) -> tuple[list[Step], nx.Graph]:
        """Return the steps of an order, and the graph that is left."""
        left, found = nx.Graph(self.moral), []
        for node in order:
            step = self.next(left, node)
            found.append(step)
            left.add_edges_from(step.fills)
            left.remove_node(node)
        return found, left

    def cost(self, order: Iterable[str]) -> Cost:
        """Return what an order of some nodes costs."""
        steps, _ = self.steps(order)
        return Cost(
            sum(len(step.fills) for step in steps),
            max((len(step.near) for step in steps), default=0),
            max((step.cells for step in steps), default=0),
            sum(step.cells for step in steps),
        )

    def greedy(self, heuristic: str, gone: Iterable[str] = ()) -> list[str]:
        """Return the order in which a heuristic goes on after some nodes."""
        _, left = self.steps(gone)
        numbers = {node: i for i, node in enumerate(self.nodes)}
        neighbours = [
            sum(1 << numbers[other] for other in left.adj.get(node, ()))
            for node in self.nodes
        ]
        order, _ = eliminate_nodes(
            neighbours,
            [*map(self.states, self.nodes)],
            sum(1 << numbers[node] for node in left),
            heuristic,
        )
        return [self.nodes[i] for i in order]

    @cached_property
    def _finishes(self) -> dict[frozenset[str], tuple[int, str]]:
        """For the nodes that are gone: the fewest further cells, and a node.

        What is left does not depend on the order in which nodes were
        eliminated, so that each set is looked at once.
        """
        found = {frozenset(self.nodes): (0, "")}
        every = (1 << len(self.nodes)) - 1
        for gone in range(every - 1, -1, -1):
            names = frozenset(self.nodes[i] for i in bits(gone))
            _, left = self.steps(sorted(names))
            found[names] = min(
                (
                    self.next(left, node).cells + found[names | {node}][0],
                    self.nodes.index(node),
                    node,
                )
                for node in left
            )[::2]
        return found

    def finish(self, gone: Iterable[str] = ()) -> list[str]:
        """Return the cheapest order of the other nodes, the first of them."""
        names, order = frozenset(gone), []
        while node := self._finishes[names][1]:
            order.append(node)
            names |= {node}
        return order


def _ring(names: str) -> dict[str, tuple[int, int]]:
    """Place nodes on a heptagon, clockwise from its top."""
    turns = [2 * pi * k / 7 for k in range(7)]
    corners = [
        (round(500 + 450 * sin(turn)), round(435 - 450 * cos(turn)))
        for turn in turns
    ]
    return dict(zip(names, corners, strict=True))


PUZZLES = (
    Puzzle(
        "clinic",
        "chest clinic, asia",
        "The chest clinic, asia; each node has two states.",
        "asia -> tub -> either <- lung <- smoke -> bronc -> dysp <- either, "
        "either -> xray",
        {
            "asia": (60, 20),
            "tub": (60, 350),
            "smoke": (720, 20),
            "lung": (460, 350),
            "bronc": (950, 400),
            "either": (280, 680),
            "xray": (60, 1000),
            "dysp": (720, 1000),
        },
        {},
    ),
    Puzzle(
        "chain",
        "chain of seven nodes",
        "A chain, A → B → … → G; each node has two states.",
        "A -> B -> C -> D -> E -> F -> G",
        {
            "A": (20, 720),
            "B": (84, 480),
            "C": (260, 304),
            "D": (500, 240),
            "E": (740, 304),
            "F": (916, 480),
            "G": (980, 720),
        },
        {},
    ),
    Puzzle(
        "star",
        "one cause, six effects",
        "A cause with six effects; each node has two states.",
        "cause -> A, cause -> B, cause -> C, cause -> D, cause -> E, "
        "cause -> F",
        {
            "cause": (500, 500),
            "A": (280, 120),
            "B": (720, 120),
            "C": (960, 500),
            "D": (720, 880),
            "E": (280, 880),
            "F": (40, 500),
        },
        {},
    ),
    Puzzle(
        "grid",
        "grid of three by three",
        "A grid, in which the parents of a node stand above it and to its "
        "left and are joined; each node has two states.",
        "A -> B -> C -> F -> I, A -> D -> E -> F, B -> E -> H, "
        "D -> G -> H -> I",
        {
            name: (60 + 440 * (i % 3), 60 + 440 * (i // 3))
            for i, name in enumerate("ABCDEFGHI")
        },
        {},
    ),
    Puzzle(
        "ring",
        "ring of unequal nodes",
        "A ring of seven nodes, A to G, with two to five states, and H, a "
        "common child of D and E.",
        "A -> B -> C -> D -> H <- E <- F <- G <- A",
        {**_ring("ABCDEFG"), "H": (500, 1010)},
        dict(zip("ABCDEFGH", (2, 3, 4, 5, 5, 4, 3, 2), strict=True)),
    ),
)
