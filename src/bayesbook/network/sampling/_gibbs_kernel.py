r"""Gibbs sweeps of many chains at once.

The nodes are coloured so that no node is in the Markov blanket of another node
of its colour. Nodes of one colour are independent given the others, so that
drawing all of them at once is the same as drawing one after the other, and a
sweep goes through the colours (Gonzalez, Low, Gretton and Guestrin, 2011).

The distribution of a node given its blanket is proportional to the product of
the tables that contain it. If this product has few numbers, it is stored for
every configuration of the blanket, as thresholds for a uniform number. The row
for a configuration is a sum of products of states and strides: one product of
matrices finds it for all nodes of a colour and all chains. If the product has
many numbers, the tables are looked up in every step, and their logarithms are
added.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import networkx as nx
import numpy as np

from bayesbook.base.labels import require_size
from bayesbook.network.ancestral import thresholds
from bayesbook.probability.axes import broadcast_over

# A node is tabulated if its distribution given its blanket has at most this
# many numbers (8 MiB).
_MAX_CELLS = 2**20
# All tabulated nodes together have at most this many numbers (64 MiB).
_MAX_ALL_CELLS = 2**23
# The tables of a node that is not tabulated are multiplied up to this size.
_MAX_PIECE = 2**14
# The number of chains that are run at once: their states stay in the cache.
CHAINS = 2048
# The number of uniform numbers that are drawn at once.
_UNIFORM = 2**16
# A dense product of matrices takes less time than a sparse one up to this
# number of multiplications.
_DENSE = 2**20


class Sweep:
    """A sweep of Gibbs sampling: each node is drawn given all others.

    Parameters
    ----------
    sizes : mapping of node to int
        The number of states of each node to draw.
    factors : list of Factor
        Factors of these nodes; their product is proportional to P(x | e).

    Attributes
    ----------
    nodes : tuple of str
        In the order in which they are drawn.
    """

    def __init__(self, sizes, factors):
        about = {node: [] for node in sizes}
        for factor in factors:
            for node in factor.scope:
                about[node].append(factor)
        tabulated = _tabulated(about, sizes)
        looked_up = [
            factor.values.size
            for node, some in about.items()
            for factor in some
            if node not in tabulated
        ]
        require_size(
            (sum(looked_up),),
            "float",
            "What Gibbs sampling looks up",
            remedy="Use likelihood_weighting, which needs each table once.",
        )
        distributions = {
            node: _distribution(node, sizes, some, node in tabulated)
            for node, some in about.items()
        }
        colours = _colours(about)
        self.nodes = tuple(
            node
            for colour in colours
            # Nodes with many thresholds first: threshold k then belongs to
            # the first nodes of a colour.
            for node in sorted(
                colour, key=lambda n: (n not in tabulated, -sizes[n])
            )
        )
        place = {node: row for row, node in enumerate(self.nodes)}
        self._colours = []
        for colour in colours:
            first = len(self._colours) and self._colours[-1].stop
            nodes = self.nodes[first : first + len(colour)]
            some = [distributions[node] for node in nodes]
            n_tabulated = sum(node in tabulated for node in nodes)
            self._colours.append(
                _Colour(first, some, n_tabulated, sizes, place)
            )

    def run(self, codes, n_sweeps, rng):
        """Run chains from `codes`, which has a row for each node.

        Yields
        ------
        number : int
            The number of the sweep, from 1.
        codes : array of shape (n_nodes, n_chains)
            The codes after it, as floats that the next sweep overwrites.
        """
        n_nodes, n_chains = codes.shape
        # Products of matrices of floats are fast, and the numbers are small
        # integers, so that floats hold them exactly. The last row, of ones, is
        # for the offsets.
        largest = max((c.n_rows for c in self._colours), default=0)
        dtype = np.float32 if largest < 2**24 else np.float64
        state = np.ones((n_nodes + 1, n_chains), dtype)
        state[:-1] = codes
        is_dense = n_nodes**2 * n_chains <= _DENSE
        steps = [c.prepared(state, is_dense) for c in self._colours]
        block = max(1, _UNIFORM // max(1, codes.size))
        for start in range(0, n_sweeps, block):
            n = min(block, n_sweeps - start)
            uniform = rng.random((n, n_nodes, n_chains))
            for sweep in range(n):
                for step in steps:
                    step(uniform[sweep])
                yield start + sweep + 1, state[:-1]


class _Piece(NamedTuple):
    """A factor of a node's distribution: a row for each configuration."""

    scope: tuple[str, ...]
    #: Logarithms, with the states of the node on the last axis.
    logs: np.ndarray

    def stride(self, node, sizes):
        """Return the distance in rows of two successive states of a node."""
        after = self.scope[self.scope.index(node) + 1 :]
        return prod(sizes[other] for other in after)


class _Colour:
    """The nodes of one colour, which are drawn at once."""

    def __init__(self, first, distributions, n_tabulated, sizes, place):
        self.first, self.stop = first, first + len(distributions)
        self._n_tabulated = n_tabulated
        self._strides, self.n_rows = [], 0
        tables = []
        for (piece,) in distributions[:n_tabulated]:
            self._add(piece, sizes, place, self.n_rows)
            self.n_rows += len(piece.logs)
            tables.append(thresholds(_exp(piece.logs)))
        # Threshold k of all nodes that have one, end to end.
        most = max(map(len, tables), default=0)
        self._thresholds = [
            (
                sum(len(table) > k for table in tables),
                np.concatenate(
                    [table[k] for table in tables if k < len(table)]
                ),
            )
            for k in range(most)
        ]
        self._products = []
        for distribution in distributions[n_tabulated:]:
            rows = range(
                len(self._strides), len(self._strides) + len(distribution)
            )
            for piece in distribution:
                self._add(piece, sizes, place, 0)
                self.n_rows = max(self.n_rows, len(piece.logs))
            self._products.append(
                (rows, [piece.logs for piece in distribution])
            )

    def _add(self, piece, sizes, place, offset):
        strides = {
            place[node]: piece.stride(node, sizes) for node in piece.scope
        }
        self._strides.append(strides | {len(place): offset})

    def prepared(self, state, is_dense):
        """Return a function that draws these nodes with uniform numbers."""
        n_chains = state.shape[1]
        matrix = np.zeros((len(self._strides), len(state)), state.dtype)
        for row, strides in enumerate(self._strides):
            matrix[row, list(strides)] = list(strides.values())
        if not is_dense:
            from scipy.sparse import csr_array  # which takes time

            matrix = csr_array(matrix)
        place = np.empty((len(self._strides), n_chains), np.intp)
        found = np.empty((self._n_tabulated, n_chains))
        above = np.empty(found.shape, bool)
        codes_of_colour = state[self.first : self.stop]
        products = codes_of_colour[self._n_tabulated :]
        thresholds = [
            (threshold, place[:n], found[:n], above[:n], codes_of_colour[:n])
            for n, threshold in self._thresholds
        ]

        def step(uniform):
            uniform = uniform[self.first : self.stop]
            np.copyto(place, matrix @ state, casting="unsafe")
            is_first = True
            for threshold, where, value, is_above, codes in thresholds:
                # All places are inside; "clip" only spares a copy.
                threshold.take(where, out=value, mode="clip")
                if is_first:
                    # Every node has a first threshold.
                    np.greater_equal(
                        uniform[: len(value)], value, codes, casting="unsafe"
                    )
                    is_first = False
                    continue
                np.greater_equal(uniform[: len(value)], value, is_above)
                np.add(codes, is_above, codes)
            for row, (places, logs) in enumerate(self._products):
                u = uniform[self._n_tabulated + row]
                products[row] = _draw(u, place[places.start :], logs)

        return step


def _tabulated(about, sizes):
    """Choose the nodes that are tabulated, the smallest first."""
    n_cells = {
        node: prod(sizes[n] for n in {n for f in factors for n in f.scope})
        for node, factors in about.items()
    }
    chosen, total = set(), 0
    for node in sorted(about, key=n_cells.get):
        total += n_cells[node]
        if n_cells[node] > _MAX_CELLS or total > _MAX_ALL_CELLS:
            break
        chosen.add(node)
    return chosen


def _distribution(node, sizes, factors, is_tabulated):
    """Multiply the tables about a node: to one piece if it is tabulated."""
    pieces = [_Piece((), np.zeros((1, sizes[node])))]
    for factor in factors:
        scope = tuple(n for n in factor.scope if n != node)
        values = np.moveaxis(factor.values, factor.scope.index(node), -1)
        with np.errstate(divide="ignore"):
            logs = np.log(values).reshape(-1, sizes[node])
        piece = _Piece(scope, logs)
        joint = tuple(dict.fromkeys((*pieces[-1].scope, *scope)))
        n_cells = prod(sizes[other] for other in (*joint, node))
        if is_tabulated or n_cells <= _MAX_PIECE:
            pieces[-1] = _product(pieces[-1], piece, joint, sizes)
        else:
            pieces.append(piece)
    return pieces


def _product(one, two, scope, sizes):
    """Multiply two pieces, which adds their logarithms."""
    total = 0
    for nodes, logs in (one, two):
        logs = logs.reshape([*(sizes[node] for node in nodes), -1])
        # The last axis is that of the node itself, None.
        total = total + broadcast_over(logs, (*nodes, None), (*scope, None))
    return _Piece(scope, total.reshape(-1, total.shape[-1]))


def _colours(about):
    """Colour the nodes so that no two of one colour are in a factor."""
    graph = nx.Graph()
    graph.add_nodes_from(about)
    for node, factors in about.items():
        for factor in factors:
            graph.add_edges_from((node, n) for n in factor.scope if n != node)
    colour = nx.greedy_color(graph, "largest_first")
    return [
        [node for node in about if colour[node] == number]
        for number in range(max(colour.values(), default=-1) + 1)
    ]


def _exp(logs):
    """Return the exponentials, scaled so that the largest of a row is 1."""
    largest = logs.max(axis=1, keepdims=True)
    # A row that is impossible is never looked at.
    largest[np.isneginf(largest)] = 0
    return np.exp(logs - largest)


def _draw(uniform, places, logs):
    """Draw one node of all chains from a product of pieces."""
    total = logs[0][places[0]]
    for log_table, place in zip(logs[1:], places[1:], strict=False):
        total += log_table[place]
    sums = _exp(total).cumsum(axis=1)
    sums /= sums[:, -1:]
    return (uniform[:, None] >= sums[:, :-1]).sum(axis=1)
