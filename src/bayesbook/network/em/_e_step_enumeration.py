r"""The E step by enumeration: the completions of what a row does not say.

Given what is observed in a row, its hidden nodes fall into components: two
are in the same one if they are joined in the moral graph by a path of hidden
nodes. Components are independent of each other, and each depends on the row
only through the observed nodes in its families. So a component, with the
states around it, is enumerated once, however many rows have it; and the
families in which nothing is hidden are counted once and for all.

A completion is a set of cells, one in the table of each family that the
component touches. As rows of a matrix :math:`A` of 0 and 1 they turn the
E step into two products: with :math:`A \log\theta` the logarithms of the
probabilities of all completions are found, and with :math:`A^\top` their
posterior probabilities are added where they are counted.
"""

from __future__ import annotations

from math import inf, prod

import numpy as np
from scipy import sparse

from bayesbook.network.inference.triangulation import bits, moralise

# If the matrix has no more entries than this, all rows are in it;
_FEW_ENTRIES = 500_000
# otherwise a component with more completions is left to the junction tree,
MOST_COMPLETIONS = 256
# and so is what is left when the matrix has this many entries.
_MOST_ENTRIES = 10_000_000
# Completions whose logarithms differ by less, relatively, are as good.
_TIE = 1e-12


class Components:
    """The components of the hidden nodes of rows.

    Parameters
    ----------
    layout : FamilyLayout
    codes : int array of shape (n_rows, n_nodes)
        The number of the state; -1 where it is hidden.
    """

    def __init__(self, layout, codes):
        self._sizes = layout.sizes
        self._families = [sum(1 << i for i in axes) for axes in layout.axes]
        self._around = moralise(self._families, len(layout.nodes))
        #: The rows of each component, a set of nodes.
        self.rows = {}
        #: Rows with a component that is too large to be enumerated.
        self.left = np.zeros(len(codes), dtype=bool)
        patterns, members = np.unique(
            np.packbits(codes < 0, axis=1, bitorder="little"),
            axis=0,
            return_inverse=True,
        )
        order = np.argsort(members.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(members.ravel()))
        rows_of = np.split(order, ends[:-1])
        parts_of = [
            self._parts(int.from_bytes(pattern.tobytes(), "little"))
            for pattern in patterns
        ]
        sizes = [
            len(rows) * sum(map(self._n_entries, parts))
            for rows, parts in zip(rows_of, parts_of, strict=True)
        ]
        most = MOST_COMPLETIONS if sum(sizes) > _FEW_ENTRIES else inf
        n_entries = 0
        for rows, parts, size in zip(rows_of, parts_of, sizes, strict=True):
            largest = max(map(self._n_completions, parts), default=0)
            if largest > most or n_entries + size > _MOST_ENTRIES:
                self.left[rows] = True
                continue
            n_entries += size
            for part in parts:
                self.rows.setdefault(part, []).append(rows)

    def _n_completions(self, component):
        return prod(self._sizes[i] for i in bits(component))

    def touched(self, component):
        """Return the numbers of the families with a node of a component."""
        return [i for i, own in enumerate(self._families) if own & component]

    def boundary(self, component):
        """Return the other nodes of these families."""
        nodes = 0
        for i in self.touched(component):
            nodes |= self._families[i]
        return list(bits(nodes & ~component))

    def _n_entries(self, component):
        return self._n_completions(component) * len(self.touched(component))

    def _parts(self, hidden):
        """Part a set of nodes into what is joined."""
        parts = []
        while hidden:
            part, new = 0, hidden & -hidden
            while new:
                part |= new
                near = 0
                for node in bits(new):
                    near |= self._around[node]
                new = near & hidden & ~part
            parts.append(part)
            hidden &= ~part
        return parts


class Completions:
    """The E step of rows whose components were enumerated.

    Parameters
    ----------
    layout : FamilyLayout
    codes : int array of shape (n_rows, n_nodes)
    weights : array of shape (n_rows,)
    components : Components
        Of these rows; none of them may be left over.
    counted : array
        How often each cell was seen, in families without a hidden node.
    """

    def __init__(self, layout, codes, weights, components, counted):
        self._seen = np.flatnonzero(counted)
        self._counted = counted
        cells, lengths, sizes, own_weights = [], [], [], []
        for component, rows in components.rows.items():
            own, how_often = _pieces(
                layout,
                codes,
                weights,
                component,
                np.concatenate(rows),
                components,
            )  # of shape (pieces, completions, families)
            cells.append(own.ravel())
            lengths.append(np.full(own.shape[0] * own.shape[1], own.shape[2]))
            sizes.append(np.full(own.shape[0], own.shape[1]))
            own_weights.append(how_often)
        self.is_empty = not cells
        if self.is_empty:
            return
        cells = np.concatenate(cells)
        ends = np.concatenate([[0], *lengths]).cumsum()
        ones = np.ones(len(cells))
        shape = (len(ends) - 1, layout.n_cells)
        self._matrix = sparse.csr_array((ones, cells, ends), shape=shape)
        self._transposed = self._matrix.T.tocsr()
        self._weights = np.concatenate(own_weights)
        self._sizes = np.concatenate(sizes)
        self._starts = np.cumsum([0, *self._sizes[:-1]])

    def expect(self, logs):
        """Return the log-likelihood, and the expected counts of all cells.

        `logs` are the logarithms of the parameters. Minus infinity if a row
        is impossible; then the counts have no meaning.
        """
        total = float(self._counted[self._seen] @ logs[self._seen])
        if self.is_empty or total == -np.inf:
            return total, self._counted
        p, top = self._relative(logs)
        if np.min(top) == -np.inf:
            return -np.inf, self._counted
        np.exp(p, out=p)
        sums = np.add.reduceat(p, self._starts)
        p *= self._spread(self._weights / sums)
        total += float(self._weights @ (np.log(sums) + top))
        return total, self._counted + self._transposed @ p

    def complete(self, logs):
        """Return the same for the best completion of each row alone.

        Of completions that are equally probable the first is taken; the
        states of the first node change slowest.
        """
        total = float(self._counted[self._seen] @ logs[self._seen])
        if self.is_empty or total == -np.inf:
            return total, self._counted
        p, top = self._relative(logs)
        if np.min(top) == -np.inf:
            return -np.inf, self._counted
        near = p >= self._spread(-_TIE * (1 - top))
        places = np.where(near, np.arange(len(p)), len(p))
        best = np.minimum.reduceat(places, self._starts)
        p[:] = 0
        p[best] = self._weights
        total += float(self._weights @ top)
        return total, self._counted + self._transposed @ p

    def _relative(self, logs):
        """Return the logarithms beside the largest of each piece, and these."""
        p = self._matrix @ logs
        top = np.maximum.reduceat(p, self._starts)
        with np.errstate(invalid="ignore"):
            p -= self._spread(top)
        return p, top

    def _spread(self, values):
        return np.repeat(values, self._sizes)


def _pieces(layout, codes, weights, component, rows, components):
    """Return the cells of all completions of a component in some rows.

    Rows with the same states around the component are one piece.
    """
    hidden = list(bits(component))
    around = components.boundary(component)
    states, piece = np.unique(
        codes[np.ix_(rows, around)], axis=0, return_inverse=True
    )
    how_often = np.bincount(piece.ravel(), weights[rows])
    shape = [layout.sizes[i] for i in hidden]
    grid = np.indices(shape).reshape(len(hidden), -1)
    given = dict(zip(around, states.T, strict=True))
    free = dict(zip(hidden, grid, strict=True))
    touched = components.touched(component)
    cells = np.empty((len(states), grid.shape[1], len(touched)), np.int32)
    for f, i in enumerate(touched):
        by_piece = np.zeros((len(states), 1), dtype=np.intp)
        by_completion = np.full(grid.shape[1], layout.starts[i])
        step = 1
        for node in reversed(layout.axes[i]):
            if node in free:
                by_completion += step * free[node]
            else:
                by_piece[:, 0] += step * given[node].astype(np.intp)
            step *= layout.sizes[node]
        cells[:, :, f] = by_piece + by_completion
    return cells, how_often
