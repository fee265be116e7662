"""All tables of a network as one long array.

An operation on all tables, such as taking logarithms or dividing counts by
their sums, is then one operation on one array instead of one for each node.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from bayesbook.probability.table import State


class FamilyLayout:
    """Where each number of each table of a graph is in the array.

    Parameters
    ----------
    parents : mapping of node to tuple of nodes
    states : mapping of node to tuple of states
        In the order of the nodes; a node's number is its place.

    Attributes
    ----------
    nodes : tuple of str
    sizes : tuple of int
        The number of states of each node.
    axes : list of tuples
        The numbers of the nodes of each table: the parents, then the node.
    shapes : list of tuples
    starts : list of int
        Where each table begins; and, at the end, the length of the array.
    distribution_starts, distribution_sizes : int arrays
        Where each distribution begins, and its length: one for each
        configuration of the parents of each node.
    """

    def __init__(
        self,
        parents: Mapping[str, tuple[str, ...]],
        states: Mapping[str, tuple[State, ...]],
    ) -> None:
        self.parents, self.states = dict(parents), dict(states)
        self.nodes = tuple(states)
        self.sizes = tuple(map(len, states.values()))
        place = {node: i for i, node in enumerate(self.nodes)}
        self.axes = [
            (*(place[parent] for parent in parents[node]), place[node])
            for node in self.nodes
        ]
        self.shapes = [
            tuple(self.sizes[i] for i in axes) for axes in self.axes
        ]
        self.starts = [0, *accumulate(map(prod, self.shapes))]
        self.distribution_sizes = np.concatenate(
            [np.full(prod(shape[:-1]), shape[-1]) for shape in self.shapes]
        )
        self.distribution_starts = np.cumsum(
            [0, *self.distribution_sizes[:-1]]
        )

    @property
    def n_cells(self) -> int:
        """The length of the array."""
        return self.starts[-1]

    def split(self, array: np.ndarray) -> list[np.ndarray]:
        """Return the table of each node, as a view."""
        ends = zip(self.starts, self.starts[1:], self.shapes, strict=False)
        return [array[a:b].reshape(shape) for a, b, shape in ends]

    def join(self, tables: Iterable[ArrayLike]) -> np.ndarray:
        """Return the array of tables that come in the order of the nodes."""
        return np.concatenate(
            [np.asarray(table, dtype=float).ravel() for table in tables]
        )

    def totals(self, array: np.ndarray) -> np.ndarray:
        """Return, for each number, the sum of its distribution."""
        sums = np.add.reduceat(array, self.distribution_starts)
        return np.repeat(sums, self.distribution_sizes)

    def distribution_at(self, cell: int) -> tuple[str, dict[str, State]]:
        """Return the node of a number, and its parents' states."""
        i = int(np.searchsorted(self.starts, cell, side="right")) - 1
        place = np.unravel_index(cell - self.starts[i], self.shapes[i])
        node = self.nodes[i]
        given = {
            parent: self.states[parent][int(code)]
            for parent, code in zip(self.parents[node], place, strict=False)
        }
        return node, given
