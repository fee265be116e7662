"""All tables of a network as one long array.

What learners do to every table alike, taking logarithms, dividing counts by
their sums, is then one operation on one array instead of one for each node.
"""

from __future__ import annotations

from itertools import accumulate
from math import prod

import numpy as np


class FamilyLayout:
    """Where each number of each table of a graph is.

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
        Where each table begins; and, at the end, how long the array is.
    distribution_starts, distribution_sizes : int arrays
        Where each distribution begins, and how long it is: one for each
        configuration of the parents of each node.
    """

    def __init__(self, parents, states):
        self.parents, self.states = dict(parents), dict(states)
        self.nodes = tuple(states)
        self.sizes = tuple(len(own) for own in states.values())
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
    def n_cells(self):
        """The length of the array."""
        return self.starts[-1]

    def split(self, array):
        """Return the table of each node, as views."""
        ends = zip(self.starts, self.starts[1:], self.shapes, strict=False)
        return [array[a:b].reshape(shape) for a, b, shape in ends]

    def join(self, tables):
        """Put tables, in the order of the nodes, behind each other."""
        return np.concatenate(
            [np.asarray(table, dtype=float).ravel() for table in tables]
        )

    def totals(self, array):
        """Sum each distribution up; the sum stands at each of its numbers."""
        sums = np.add.reduceat(array, self.distribution_starts)
        return np.repeat(sums, self.distribution_sizes)

    def distribution_at(self, cell):
        """Return the node of a number, and the states of the parents there."""
        i = int(np.searchsorted(self.starts, cell, side="right")) - 1
        place = np.unravel_index(cell - self.starts[i], self.shapes[i])
        node = self.nodes[i]
        given = {
            parent: self.states[parent][int(code)]
            for parent, code in zip(self.parents[node], place, strict=False)
        }
        return node, given
