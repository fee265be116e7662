"""The E step by the junction tree, for rows in which much is hidden.

Each family is within a clique, so the joint distribution of its hidden nodes
is a marginal of the clique's table, for many rows at a time.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from bayesbook.base.labels import about, require_size
from bayesbook.base.numbers import logs_of
from bayesbook.data import count_families
from bayesbook.network.evidence import weights_of
from bayesbook.network.inference.log_message_passing import LogPlan
from bayesbook.network.inference.message_passing import Plan
from bayesbook.network.inference.triangulation import bits, triangulate

#: Products of several numbers below this leave the floats. A share of the
#: expected counts that is smaller is rounded to zero.
NEGLIGIBLE = 1e-40
# So many numbers are worked on at a time.
_BATCH_CELLS = 500_000
# If one tree for all rows has more cells, rows that hide different nodes get
# trees of their own, in which what is observed takes no place.
_SHARED_CELLS = 20_000


class TreeCounts:
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

    def __init__(self, layout, codes, weights, max_bytes):
        self._layout = layout
        shared = _tree(layout, codes)
        if shared.n_cells <= _SHARED_CELLS:
            groups = [(codes, weights, shared)]
        else:
            groups = _by_pattern(layout, codes, weights)
        for *_, tree in groups:
            _require_room(tree, layout, max_bytes)
        self._groups = [_Group(layout, *own) for own in groups]

    def expect(self, logs):
        """Return the log-likelihood, and the expected counts of all cells."""
        counts = np.zeros(self._layout.n_cells)
        total = sum(group.expect(logs, counts) for group in self._groups)
        return float(total), counts

    def complete(self, logs):
        """Return the same for a most probable completion of each row alone."""
        counts = np.zeros(self._layout.n_cells)
        total = sum(group.complete(logs, counts) for group in self._groups)
        return float(total), counts


class _Group:
    """Rows that share a tree."""

    def __init__(self, layout, codes, weights, tree):
        self._layout, self._codes = layout, codes
        self._weights, self._tree = weights, tree
        hidden = codes < 0
        self._hard = _set(~hidden.any(axis=0))
        # In some rows observed, in others not.
        self._soft = _set(hidden.any(axis=0) & ~hidden.all(axis=0))
        self._free = [
            tuple(i for i in axes if not self._hard >> i & 1)
            for axes in layout.axes
        ]
        self._scopes = sorted(
            {sum(1 << i for i in free) for free in self._free if free}
        )
        self._counted = self._count_observed()
        step = max(1, min(4096, _BATCH_CELLS // tree.n_cells))
        self._chunks = [
            _Chunk(self, codes[a : a + step], weights[a : a + step])
            for a in range(0, len(codes), step)
        ]

    def _count_observed(self):
        """Count the families in which no row hides anything."""
        families = [
            axes if not free else ()
            for axes, free in zip(self._layout.axes, self._free, strict=True)
        ]
        found = count_families(
            [*self._codes.T],
            self._layout.sizes,
            [own for own in families if own],
            self._weights,
        )
        counts = np.zeros(self._layout.n_cells)
        tables = self._layout.split(counts)
        for i, own in enumerate(families):
            if own:
                tables[i][...] = found.pop(0)
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

    def expect(self, logs, counts):
        counts += self._counted
        plan = self._plan(Plan, np.exp(logs))
        places = _places(plan)
        tables = self._layout.split(counts)
        total = 0.0
        for chunk in self._chunks:
            value, distributions = plan.run(
                chunk.states, chunk.soft, len(chunk)
            )
            value = np.array(np.broadcast_to(value, (len(chunk),)))
            if distributions is None:
                distributions = np.zeros((plan.n_outputs, len(chunk)))
            lost = np.flatnonzero(np.isnan(value))
            if len(lost):
                self._carefully(
                    logs, chunk, lost, value, distributions, places
                )
            if value.min() == -np.inf:
                return -np.inf
            total += float(chunk.weights @ value)
            for i, table in enumerate(tables):
                if free := self._free[i]:
                    axes, own = places[frozenset(free)]
                    table += chunk.counted(i, axes, distributions[own])
        return total

    def _carefully(self, logs, chunk, rows, value, distributions, places):
        """Compute rows again whose numbers are too small to be multiplied."""
        plan = self._plan(LogPlan, logs)
        own_places = _places(plan)
        for row in rows:
            states, soft = chunk.row(row)
            value[row], found = plan.run(states, soft)
            for scope, (axes, own) in places.items():
                other, there = own_places[scope]
                distribution = found[there].reshape(
                    [self._layout.sizes[i] for i in other]
                )
                order = [other.index(node) for node in axes]
                distributions[own, row] = distribution.transpose(order).ravel()

    def complete(self, logs, counts):
        plan = self._plan(LogPlan, logs)
        codes = np.array(self._codes)
        total = 0.0
        for chunk, start in zip(self._chunks, self._starts(), strict=True):
            for row in range(len(chunk)):
                states, soft = chunk.row(row)
                value, found = plan.maximise(states, soft)
                if value == -np.inf:
                    return -np.inf
                total += chunk.weights[row] * value
                for node, code in found.items():
                    codes[start + row, node] = code
        families = self._layout.axes
        found = count_families(
            [*codes.T], self._layout.sizes, families, self._weights
        )
        counts += self._layout.join(found)
        return total

    def _starts(self):
        lengths = [len(chunk) for chunk in self._chunks]
        return np.cumsum([0, *lengths[:-1]]).tolist()


class _Chunk:
    """Some rows of a group, as the plan wants them."""

    def __init__(self, group, codes, weights):
        self.weights, self._layout = weights, group._layout
        self._hard, self._free = group._hard, group._free
        self.states = {
            i: codes[:, i].astype(np.intp) for i in bits(group._hard)
        }
        self.soft = {
            i: weights_of(codes[:, i], self._layout.sizes[i])
            for i in bits(group._soft)
        }
        self._picks = {}

    def __len__(self):
        return len(self.weights)

    def row(self, row):
        """Return the states of a row, and logarithms of weights of others."""
        states = {i: int(own[row]) for i, own in self.states.items()}
        return states, {i: logs_of(w[:, row]) for i, w in self.soft.items()}

    def counted(self, i, axes, distributions):
        """Add the distributions of the hidden nodes of a family up where they belong.

        The table has an axis for each observed node too, whose states differ
        from row to row.
        """
        family = self._layout.axes[i]
        sizes = self._layout.sizes
        observed = tuple(node for node in family if self._hard >> node & 1)
        if observed:
            table = (self._pick(observed) @ distributions.T).T
        else:
            table = distributions @ self.weights
        table = table.reshape([sizes[node] for node in (*axes, *observed)])
        own = (*axes, *observed)
        return table.transpose([own.index(node) for node in family])

    def _pick(self, observed):
        """Return a matrix with the weight of each row at its states."""
        if observed not in self._picks:
            shape = [self._layout.sizes[node] for node in observed]
            cells = np.ravel_multi_index(
                [self.states[node] for node in observed], shape
            )
            rows = np.arange(len(self))
            self._picks[observed] = sparse.csr_array(
                (self.weights, (cells, rows)),
                shape=(int(np.prod(shape)), len(self)),
            )
        return self._picks[observed]


def _tree(layout, codes):
    """Triangulate what is hidden in some row."""
    free = _set((codes < 0).any(axis=0))
    families = [sum(1 << i for i in axes) & free for axes in layout.axes]
    return triangulate(families, layout.sizes, free)


def _by_pattern(layout, codes, weights):
    _, members = np.unique(codes < 0, axis=0, return_inverse=True)
    members = members.ravel()
    groups = []
    for pattern in range(members.max() + 1):
        own = codes[members == pattern]
        groups.append((own, weights[members == pattern], _tree(layout, own)))
    return groups


def _require_room(tree, layout, max_bytes):
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
    """Return the axes of each joint distribution, and where it is, by its nodes."""
    found = {}
    for axes, own in plan.slices.items():
        axes = axes if isinstance(axes, tuple) else (axes,)
        found[frozenset(axes)] = axes, own
    return found


def _set(mask):
    """Return the places of a mask as a set of nodes."""
    return sum(1 << int(i) for i in np.flatnonzero(mask))
