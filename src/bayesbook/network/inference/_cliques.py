"""A clique of a junction tree: its axes, its tables and where it writes.

All of it is the same for all states of the observed nodes, and is made once,
by a :class:`~bayesbook.network.inference.message_passing.Plan`.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np

from bayesbook.network.inference import _limits as limits


class CliqueTable:
    """A table of the network with the axes of a clique.

    Observed nodes come first: (e1, ..., clique axes ...). An axis of the
    clique that the table does not have has length 1.
    """

    __slots__ = ("observed", "values")

    def __init__(self, observed, values):
        self.observed = observed
        self.values = values

    @classmethod
    def of(cls, axes, values, clique, hard):
        """Bring a table of a network into the order of a clique."""
        observed = tuple(sorted(node for node in axes if hard >> node & 1))
        free = [node for node in clique if node in axes]
        order = [axes.index(node) for node in (*observed, *free)]
        sizes = dict(zip(axes, values.shape, strict=True))
        shape = [sizes[node] for node in observed]
        shape += [sizes.get(node, 1) for node in clique]
        values = np.ascontiguousarray(values.transpose(order))
        return cls(observed, values.reshape(shape))

    def times(self, other):
        """Multiply two tables of the same clique."""
        if self.observed == other.observed:
            return CliqueTable(self.observed, self.values * other.values)
        union = tuple(sorted({*self.observed, *other.observed}))
        return CliqueTable(union, self._spread(union) * other._spread(union))

    def _spread(self, union):
        if self.observed == union:
            return self.values
        shape = iter(self.values.shape[: len(self.observed)])
        front = [next(shape) if n in self.observed else 1 for n in union]
        return self.values.reshape(
            *front, *self.values.shape[len(self.observed) :]
        )

    def size_with(self, other):
        """Return the number of cells of the product with another table."""
        sizes = dict(zip(self.observed, self.values.shape, strict=False))
        sizes |= dict(zip(other.observed, other.values.shape, strict=False))
        one = self.values.shape[len(self.observed) :]
        two = other.values.shape[len(other.observed) :]
        return prod(sizes.values()) * prod(map(max, one, two))

    def lookup(self):
        """Return the strides of observed states, and the flattened array."""
        n = len(self.observed)
        front, back = self.values.shape[:n], self.values.shape[n:]
        steps = [prod(front[i + 1 :]) for i in range(n)]
        values = np.ascontiguousarray(self.values)
        return (
            tuple(zip(self.observed, steps, strict=True)),
            values.reshape(prod(front), *back),
        )


class Clique:
    """All of a clique that does not depend on which states are observed.

    The axes of its table are those of the separator, in the order that they
    have in the parent, and then the others.
    """

    def __init__(self, parent, separator, rest, sizes):
        # Not the parent itself: objects that refer to each other are freed
        # late.
        self.is_root = parent is None
        self.is_below_large = not self.is_root and parent.is_large
        self.separator = tuple(separator)
        self.axes = (*separator, *rest)
        self.shape = tuple(sizes[node] for node in self.axes)
        self.size = prod(self.shape)
        self.is_large = self.size > limits.TABLE
        self.n_separator = prod(self.shape[: len(separator)])
        self.children = []
        #: Arrays that are the same for all evidence, beside the table.
        self.factors = []
        #: Steps from observed states to the first axis of arrays.
        self.lookups = []
        #: Nodes with soft evidence.
        self.soft = []
        #: The axes of each marginal, and where it is written.
        self.outputs = []
        #: Whether marginals are read here or below.
        self.is_asked = True
        #: The children at or below which marginals are read.
        self.asked = []
        #: The message to the parent, if it is the same for all evidence.
        self.up = None
        #: The number by which this message was divided.
        self.scale = None
        #: The table divided by the message, if it is the same, too.
        self.kept = None
        #: The axes of the message that a large parent sends to a large clique.
        self.received = None
        #: From the flat table to all marginals, if the clique is small.
        self.matrix = None

    @property
    def arrays(self):
        """The arrays that it holds."""
        arrays = [*self.factors, *(values for _, values in self.lookups)]
        arrays += [self.up, self.kept, self.matrix]
        return [array for array in arrays if array is not None]

    def spread(self, nodes):
        """Return the table's shape, with length 1 for nodes not given."""
        return tuple(
            size if node in nodes else 1
            for node, size in zip(self.axes, self.shape, strict=True)
        )


def multiply_small(factors, most):
    """Multiply factors as long as their products stay small."""
    groups = []
    for factor in sorted(factors, key=lambda f: len(f.observed)):
        # Without observed nodes a product is no larger than the clique.
        fits = most <= limits.GROUP and not factor.observed
        limit = limits.GROUP if factor.observed else max(most, limits.GROUP)
        # Not all groups are tried, since there may be thousands.
        for i in range(max(len(groups) - 4, 0), len(groups)):
            if fits or groups[i].size_with(factor) <= limit:
                groups[i] = groups[i].times(factor)
                break
        else:
            groups.append(factor)
    return groups


def matrix_of_sums(clique):
    """Return the matrix that sums the table of a clique to all its outputs."""
    places = {node: i for i, node in enumerate(clique.axes)}
    keeps = (tuple(places[n] for n in axes) for axes, _ in clique.outputs)
    return _sums_of(clique.shape, tuple(keeps))


@lru_cache(512)
def _sums_of(shape, keeps):
    """Return a 0/1 matrix: it sums a table over all axes but some."""
    cells = np.arange(prod(shape)).reshape(shape)
    parts = []
    for keep in keeps:
        rest = [axis for axis in range(len(shape)) if axis not in keep]
        n = prod(shape[axis] for axis in keep)
        parts += [*cells.transpose((*keep, *rest)).reshape(n, -1)]
    matrix = np.zeros((len(parts), cells.size))
    for row, part in zip(matrix, parts, strict=True):
        row[part] = 1.0
    matrix.setflags(write=False)
    return matrix


def place_of(steps, codes):
    """Return the index of observed states along the first axis of an array."""
    place = 0
    for node, step in steps:
        place = place + codes[node] * step
    return place
