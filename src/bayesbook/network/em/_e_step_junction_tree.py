"""The E step by a junction tree, for rows in which much is hidden.

Each family is within a clique, so the joint distribution of its hidden nodes
is a marginal of the clique's table, for many rows at a time.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from bayesbook.base.labels import about, require_size
from bayesbook.base.numbers import logs_of
from bayesbook.data import count_families
from bayesbook.network.em._family_layout import FamilyLayout
from bayesbook.network.evidence import weights_of
from bayesbook.network.factor import Factor, unchecked_factor
from bayesbook.network.inference.compiled_tree import CompiledTree, LogTree
from bayesbook.network.inference.triangulation import Cliques, triangulate

#: A smaller share of the expected counts becomes zero: products of several
#: such numbers are beyond the range of floats.
NEGLIGIBLE = 1e-40
# How many cells of trees are computed at a time.
_BATCH_CELLS = 500_000
# If one tree for all rows has more cells, rows that hide different nodes get
# trees of their own, without the observed nodes.
_SHARED_CELLS = 20_000


class JunctionTreeEStep:
    """The E step of rows by messages in a junction tree.

    Parameters
    ----------
    layout : FamilyLayout
    codes : int array of shape (n_rows, n_nodes)
        The number of the state; -1 where it is hidden.
    weights : array of shape (n_rows,)
    max_bytes : int

    Raises
    ------
    TableTooLargeError
        If a tree would need more than `max_bytes`.
    """

    def __init__(
        self,
        layout: FamilyLayout,
        codes: np.ndarray,
        weights: np.ndarray,
        max_bytes: int,
    ) -> None:
        self._layout = layout
        shared = _triangulated(layout, codes)
        if shared.n_cells <= _SHARED_CELLS:
            groups = [(codes, weights, shared)]
        else:
            groups = _by_pattern(layout, codes, weights)
        for *_, tree in groups:
            _require_memory(tree, layout, max_bytes)
        self._groups = [_RowGroup(layout, *group) for group in groups]

    def expected(self, logs: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood, and the expected counts of all cells."""
        counts = np.zeros(self._layout.n_cells)
        total = sum(group.add_expected(logs, counts) for group in self._groups)
        return float(total), counts

    def most_probable(self, logs: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the same for a most probable completion of each row alone."""
        counts = np.zeros(self._layout.n_cells)
        total = sum(
            group.add_most_probable(logs, counts) for group in self._groups
        )
        return float(total), counts


class _RowGroup:
    """Rows that share a tree."""

    def __init__(
        self,
        layout: FamilyLayout,
        codes: np.ndarray,
        weights: np.ndarray,
        cliques: Cliques,
    ) -> None:
        self._layout, self._codes = layout, codes
        self._weights, self._cliques = weights, cliques
        hidden = codes < 0
        self._hard = _named(layout, ~hidden.any(axis=0))
        # Observed in some rows, and hidden in others.
        self._soft = _named(layout, hidden.any(axis=0) & ~hidden.all(axis=0))
        #: The nodes of each family that some row hides.
        self._free = [
            tuple(
                node
                for i, node in enumerate(layout.nodes)
                if i in axes and node not in self._hard
            )
            for axes in layout.axes
        ]
        self._observed = self._count_observed()
        step = max(1, min(4096, _BATCH_CELLS // cliques.n_cells))
        self._batches = [
            _RowBatch(self, codes[a : a + step], weights[a : a + step])
            for a in range(0, len(codes), step)
        ]

    def _count_observed(self):
        """Count the families that are observed in all rows."""
        families = [
            axes if not free else ()
            for axes, free in zip(self._layout.axes, self._free, strict=True)
        ]
        counted = count_families(
            [*self._codes.T],
            self._layout.sizes,
            [axes for axes in families if axes],
            self._weights,
        )
        counts = np.zeros(self._layout.n_cells)
        tables = self._layout.split(counts)
        for i, axes in enumerate(families):
            if axes:
                tables[i][...] = counted.pop(0)
        return counts

    def _tree(self, kind, values):
        return kind(
            _factors(self._layout, values),
            self._cliques,
            self._hard,
            self._soft,
            sorted({free for free in self._free if free}),
        )

    def add_expected(self, logs: np.ndarray, counts: np.ndarray) -> float:
        """Add the expected counts; return the log-likelihood."""
        counts += self._observed
        tree = self._tree(CompiledTree, np.exp(logs))
        careful = None
        tables = self._layout.split(counts)
        total = 0.0
        for batch in self._batches:
            value, found = tree.run_rows(batch.states, batch.soft, len(batch))
            for row in np.flatnonzero(np.isnan(value)):
                # Numbers are too small to be multiplied.
                careful = careful or self._tree(LogTree, logs)
                value[row], of_row = careful.run(*batch.row(row))
                for scope, factor in of_row.items():
                    shape = (*factor.values.shape, len(batch))
                    found.setdefault(scope, np.zeros(shape))
                    found[scope][..., row] = factor.values
            if value.min() == -np.inf:
                return -np.inf
            total += float(batch.weights @ value)
            for i, table in enumerate(tables):
                if free := self._free[i]:
                    table += batch.counts(i, free, found[free])
        return total

    def add_most_probable(self, logs: np.ndarray, counts: np.ndarray) -> float:
        """Add the counts of the most probable completions, likewise."""
        tree = self._tree(LogTree, logs)
        codes = np.array(self._codes)
        place = {node: i for i, node in enumerate(self._layout.nodes)}
        total = 0.0
        for batch, start in zip(self._batches, self._starts(), strict=True):
            for row in range(len(batch)):
                value, best = tree.maximise(*batch.row(row))
                if value == -np.inf:
                    return -np.inf
                total += batch.weights[row] * value
                for node, code in best.items():
                    codes[start + row, place[node]] = code
        counts += self._layout.join(
            count_families(
                [*codes.T],
                self._layout.sizes,
                self._layout.axes,
                self._weights,
            )
        )
        return total

    def _starts(self):
        lengths = [len(batch) for batch in self._batches]
        return np.cumsum([0, *lengths[:-1]]).tolist()


class _RowBatch:
    """Some rows of a group, as the tree takes them."""

    def __init__(
        self, group: _RowGroup, codes: np.ndarray, weights: np.ndarray
    ) -> None:
        self.weights, self._layout = weights, group._layout
        columns = dict(zip(self._layout.nodes, codes.T, strict=True))
        self.states = {n: columns[n].astype(np.intp) for n in group._hard}
        self.soft = {
            node: weights_of(columns[node], len(self._layout.states[node]))
            for node in group._soft
        }
        self._selections: dict[tuple[str, ...], sparse.csr_array] = {}

    def __len__(self) -> int:
        return len(self.weights)

    def row(self, row):
        """Return the states of a row, and log-weights of its soft nodes."""
        states = {n: int(codes[row]) for n, codes in self.states.items()}
        return states, {n: logs_of(w[:, row]) for n, w in self.soft.items()}

    def counts(self, i, free, distributions):
        """Return the counts of a family, given those of its hidden nodes.

        The table has an axis for each observed node, too, whose states differ
        from row to row.
        """
        family = [self._layout.nodes[node] for node in self._layout.axes[i]]
        observed = tuple(node for node in family if node not in free)
        flat = distributions.reshape(-1, len(self))
        if observed:
            table = (self._selection(observed) @ flat.T).T
        else:
            table = flat @ self.weights
        states = {n: self._layout.states[n] for n in (*free, *observed)}
        shape = [len(own) for own in states.values()]
        return unchecked_factor(table.reshape(shape), states).aligned(family)

    def _selection(self, observed):
        """Return a matrix with the weight of each row at its states."""
        if observed not in self._selections:
            shape = [len(self._layout.states[node]) for node in observed]
            cells = np.ravel_multi_index(
                [self.states[node] for node in observed], shape
            )
            rows = np.arange(len(self))
            self._selections[observed] = sparse.csr_array(
                (self.weights, (cells, rows)),
                shape=(int(np.prod(shape)), len(self)),
            )
        return self._selections[observed]


def _factors(layout: FamilyLayout, values: np.ndarray) -> list[Factor]:
    """Return the tables of a layout as factors."""
    return [
        unchecked_factor(
            table,
            {layout.nodes[i]: layout.states[layout.nodes[i]] for i in axes},
        )
        for axes, table in zip(layout.axes, layout.split(values), strict=True)
    ]


def _triangulated(layout: FamilyLayout, codes: np.ndarray) -> Cliques:
    """Triangulate the nodes that are hidden in some row."""
    free = _named(layout, (codes < 0).any(axis=0))
    scopes = ([layout.nodes[i] for i in axes] for axes in layout.axes)
    return triangulate(scopes, {n: len(layout.states[n]) for n in free})


def _by_pattern(layout, codes, weights):
    """Group rows that hide the same nodes."""
    _, members = np.unique(codes < 0, axis=0, return_inverse=True)
    members = members.ravel()
    groups = []
    for pattern in range(members.max() + 1):
        rows = members == pattern
        tree = _triangulated(layout, codes[rows])
        groups.append((codes[rows], weights[rows], tree))
    return groups


def _require_memory(cliques, layout, max_bytes):
    largest = max(
        prod(len(layout.states[node]) for node in clique)
        for clique in cliques.members
    )
    require_size(
        (cliques.n_cells,),
        "float",
        "The junction tree of the hidden nodes, whose largest clique has "
        f"{about(largest)} cells,",
        max_bytes,
        "Learn from rows in which less is missing, take fewer latent states, "
        "or set max_bytes.",
    )


def _named(layout: FamilyLayout, mask: ArrayLike) -> list[str]:
    """Return the nodes of a mask."""
    return [layout.nodes[i] for i in np.flatnonzero(mask)]
