"""The E step by a junction tree, for rows in which much is hidden.

Each family is within a clique, so the joint distribution of its hidden nodes
is a marginal of the clique's table, for many rows at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from bayesbook.base.labels import about, require_size
from bayesbook.base.numbers import logs_of
from bayesbook.data import count_families
from bayesbook.network.em._family_layout import FamilyLayout
from bayesbook.network.evidence import weights_of
from bayesbook.network.inference.log_message_passing import LogPlan
from bayesbook.network.inference.message_passing import Plan
from bayesbook.network.inference.triangulation import (
    Cliques,
    bits,
    triangulate,
)

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
        shared = _tree(layout, codes)
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
        tree: Cliques,
    ) -> None:
        self._layout, self._codes = layout, codes
        self._weights, self._tree = weights, tree
        hidden = codes < 0
        self._hard = _node_set(~hidden.any(axis=0))
        # Observed in some rows, and hidden in others.
        self._soft = _node_set(hidden.any(axis=0) & ~hidden.all(axis=0))
        self._free = [
            tuple(i for i in axes if not self._hard >> i & 1)
            for axes in layout.axes
        ]
        self._scopes = sorted(
            {sum(1 << i for i in free) for free in self._free if free}
        )
        self._observed = self._count_observed()
        step = max(1, min(4096, _BATCH_CELLS // tree.n_cells))
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

    def _plan(self, kind, values):
        return kind(
            self._layout.axes,
            self._layout.split(values),
            self._layout.sizes,
            self._tree,
            self._hard,
            self._soft,
            scopes=self._scopes,
        )

    def add_expected(self, logs: np.ndarray, counts: np.ndarray) -> float:
        """Add the expected counts; return the log-likelihood."""
        counts += self._observed
        plan = self._plan(Plan, np.exp(logs))
        places = _places(plan)
        tables = self._layout.split(counts)
        total = 0.0
        for batch in self._batches:
            value, distributions = plan.run(
                batch.states, batch.soft, len(batch)
            )
            value = np.array(np.broadcast_to(value, (len(batch),)))
            if distributions is None:
                distributions = np.zeros((plan.n_outputs, len(batch)))
            too_small = np.flatnonzero(np.isnan(value))
            if len(too_small):
                self._recompute_in_logs(
                    logs, batch, too_small, value, distributions, places
                )
            if value.min() == -np.inf:
                return -np.inf
            total += float(batch.weights @ value)
            for i, table in enumerate(tables):
                if free := self._free[i]:
                    axes, place = places[frozenset(free)]
                    table += batch.counts(i, axes, distributions[place])
        return total

    def _recompute_in_logs(
        self, logs, batch, rows, value, distributions, places
    ):
        """Compute rows again whose numbers are too small to be multiplied."""
        plan = self._plan(LogPlan, logs)
        log_places = _places(plan)
        for row in rows:
            states, soft = batch.row(row)
            value[row], outputs = plan.run(states, soft)
            for scope, (axes, place) in places.items():
                log_axes, log_place = log_places[scope]
                distribution = outputs[log_place].reshape(
                    [self._layout.sizes[i] for i in log_axes]
                )
                order = [log_axes.index(node) for node in axes]
                distributions[place, row] = distribution.transpose(
                    order
                ).ravel()

    def add_most_probable(self, logs: np.ndarray, counts: np.ndarray) -> float:
        """Add the counts of the most probable completions, likewise."""
        plan = self._plan(LogPlan, logs)
        codes = np.array(self._codes)
        total = 0.0
        for batch, start in zip(self._batches, self._starts(), strict=True):
            for row in range(len(batch)):
                states, soft = batch.row(row)
                value, best = plan.maximise(states, soft)
                if value == -np.inf:
                    return -np.inf
                total += batch.weights[row] * value
                for node, code in best.items():
                    codes[start + row, node] = code
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
    """Some rows of a group, as the plan takes them."""

    def __init__(
        self, group: _RowGroup, codes: np.ndarray, weights: np.ndarray
    ) -> None:
        self.weights, self._layout = weights, group._layout
        self._hard, self._free = group._hard, group._free
        self.states = {
            i: codes[:, i].astype(np.intp) for i in bits(group._hard)
        }
        self.soft = {
            i: weights_of(codes[:, i], self._layout.sizes[i])
            for i in bits(group._soft)
        }
        self._selections: dict[tuple[int, ...], sparse.csr_array] = {}

    def __len__(self) -> int:
        return len(self.weights)

    def row(self, row):
        """Return the states of a row, and log-weights of its soft nodes."""
        states = {i: int(codes[row]) for i, codes in self.states.items()}
        return states, {i: logs_of(w[:, row]) for i, w in self.soft.items()}

    def counts(self, i, axes, distributions):
        """Return the counts of a family, given those of its hidden nodes.

        The table has an axis for each observed node, too, whose states differ
        from row to row.
        """
        family = self._layout.axes[i]
        sizes = self._layout.sizes
        observed = tuple(node for node in family if self._hard >> node & 1)
        if observed:
            table = (self._selection(observed) @ distributions.T).T
        else:
            table = distributions @ self.weights
        nodes = (*axes, *observed)
        table = table.reshape([sizes[node] for node in nodes])
        return table.transpose([nodes.index(node) for node in family])

    def _selection(self, observed):
        """Return a matrix with the weight of each row at its states."""
        if observed not in self._selections:
            shape = [self._layout.sizes[node] for node in observed]
            cells = np.ravel_multi_index(
                [self.states[node] for node in observed], shape
            )
            rows = np.arange(len(self))
            self._selections[observed] = sparse.csr_array(
                (self.weights, (cells, rows)),
                shape=(int(np.prod(shape)), len(self)),
            )
        return self._selections[observed]


def _tree(layout: FamilyLayout, codes: np.ndarray) -> Cliques:
    """Triangulate the nodes that are hidden in some row."""
    free = _node_set((codes < 0).any(axis=0))
    families = [sum(1 << i for i in axes) & free for axes in layout.axes]
    return triangulate(families, layout.sizes, free)


def _by_pattern(layout, codes, weights):
    """Group rows that hide the same nodes."""
    _, members = np.unique(codes < 0, axis=0, return_inverse=True)
    members = members.ravel()
    groups = []
    for pattern in range(members.max() + 1):
        rows = members == pattern
        tree = _tree(layout, codes[rows])
        groups.append((codes[rows], weights[rows], tree))
    return groups


def _require_memory(tree, layout, max_bytes):
    largest = max(
        int(np.prod([float(layout.sizes[i]) for i in bits(clique)]))
        for clique in tree.members
    )
    require_size(
        (tree.n_cells,),
        "float",
        "The junction tree of the hidden nodes, whose largest clique has "
        f"{about(largest)} cells,",
        max_bytes,
        "Learn from rows in which less is missing, take fewer latent states, "
        "or set max_bytes.",
    )


def _places(plan):
    """Return the axes and the place of each joint distribution, by nodes."""
    places = {}
    for axes, place in plan.slices.items():
        axes = axes if isinstance(axes, tuple) else (axes,)
        places[frozenset(axes)] = axes, place
    return places


def _node_set(mask: ArrayLike) -> int:
    """Return the nodes of a mask as a set."""
    return sum(1 << int(i) for i in np.flatnonzero(mask))
