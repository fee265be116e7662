r"""The E step by enumeration of the completions of rows.

Given what is observed in a row, its hidden nodes fall into components: two
are in the same one if they are joined in the moral graph by a path of hidden
nodes. Components are independent of each other, and each depends on the row
only through the observed nodes in its families. So a component, with the
states around it, is enumerated once, however many rows have it; and the
families in which nothing is hidden are counted only once.

A completion is a set of cells, one in the table of each family that the
component touches. As rows of a matrix :math:`A` of 0 and 1 they turn the
E step into two products: with :math:`A \log\theta` the logarithms of the
probabilities of all completions are found, and with :math:`A^\top` their
posterior probabilities are added to the cells where they count.
"""

from __future__ import annotations

from math import inf, prod

import numpy as np
from scipy import sparse

from bayesbook.network.em._family_layout import FamilyLayout
from bayesbook.network.inference.triangulation import bits, moralise

# If the matrix has no more entries than this, all rows are enumerated.
_FEW_ENTRIES = 500_000
# In a larger matrix, the most completions of a component. The junction tree
# does the rows with larger components.
MOST_COMPLETIONS = 256
# The most entries of the matrix. The junction tree does the rows beyond them.
_MOST_ENTRIES = 10_000_000
# Completions whose logarithms differ relatively by less are equally probable.
_TIE = 1e-12


class HiddenComponents:
    """The components of the hidden nodes of rows.

    Parameters
    ----------
    layout : FamilyLayout
    codes : int array of shape (n_rows, n_nodes)
        The number of the state; -1 where it is hidden.
    """

    def __init__(self, layout: FamilyLayout, codes: np.ndarray) -> None:
        self._sizes = layout.sizes
        self._families = [sum(1 << i for i in axes) for axes in layout.axes]
        self._moral_graph = moralise(self._families, len(layout.nodes))
        #: The rows of each component, which is a set of nodes.
        self.rows: dict[int, list[np.ndarray]] = {}
        #: Whether a row is left to the junction tree.
        self.is_left = np.zeros(len(codes), dtype=bool)
        patterns, members = np.unique(
            np.packbits(codes < 0, axis=1, bitorder="little"),
            axis=0,
            return_inverse=True,
        )
        order = np.argsort(members.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(members.ravel()))
        rows_of = np.split(order, ends[:-1])
        components_of = [
            self._split(int.from_bytes(pattern.tobytes(), "little"))
            for pattern in patterns
        ]
        sizes = [
            len(rows) * sum(map(self._n_entries, components))
            for rows, components in zip(rows_of, components_of, strict=True)
        ]
        most = MOST_COMPLETIONS if sum(sizes) > _FEW_ENTRIES else inf
        n_entries = 0
        for rows, components, size in zip(
            rows_of, components_of, sizes, strict=True
        ):
            largest = max(map(self._n_completions, components), default=0)
            if largest > most or n_entries + size > _MOST_ENTRIES:
                self.is_left[rows] = True
                continue
            n_entries += size
            for component in components:
                self.rows.setdefault(component, []).append(rows)

    def _n_completions(self, component: int) -> int:
        return prod(self._sizes[i] for i in bits(component))

    def touched(self, component: int) -> list[int]:
        """Return the numbers of the families with a node of a component."""
        return [
            i for i, family in enumerate(self._families) if family & component
        ]

    def boundary(self, component: int) -> list[int]:
        """Return the other nodes of these families."""
        nodes = 0
        for i in self.touched(component):
            nodes |= self._families[i]
        return list(bits(nodes & ~component))

    def _n_entries(self, component: int) -> int:
        return self._n_completions(component) * len(self.touched(component))

    def _split(self, hidden: int) -> list[int]:
        """Return the connected components of a set of nodes."""
        components = []
        while hidden:
            component, new = 0, hidden & -hidden
            while new:
                component |= new
                near = 0
                for node in bits(new):
                    near |= self._moral_graph[node]
                new = near & hidden & ~component
            components.append(component)
            hidden &= ~component
        return components


class EnumerationEStep:
    """The E step of rows whose components are enumerated.

    Parameters
    ----------
    layout : FamilyLayout
    codes : int array of shape (n_rows, n_nodes)
    weights : array of shape (n_rows,)
    components : HiddenComponents
        Of these rows; those that are left are not used.
    observed : array
        The count of each cell, in families without a hidden node.
    """

    def __init__(
        self,
        layout: FamilyLayout,
        codes: np.ndarray,
        weights: np.ndarray,
        components: HiddenComponents,
        observed: np.ndarray,
    ) -> None:
        self._seen = np.flatnonzero(observed)
        self._observed = observed
        all_cells, lengths, sizes, all_weights = [], [], [], []
        for component, rows in components.rows.items():
            cells, case_weights = _completion_cells(
                layout,
                codes,
                weights,
                component,
                np.concatenate(rows),
                components,
            )
            n_cases, n_completions, n_families = cells.shape
            all_cells.append(cells.ravel())
            lengths.append(np.full(n_cases * n_completions, n_families))
            sizes.append(np.full(n_cases, n_completions))
            all_weights.append(case_weights)
        self.is_empty = not all_cells
        if self.is_empty:
            return
        columns = np.concatenate(all_cells)
        ends = np.concatenate([[0], *lengths]).cumsum()
        ones = np.ones(len(columns))
        shape = (len(ends) - 1, layout.n_cells)
        self._matrix = sparse.csr_array((ones, columns, ends), shape=shape)
        self._transposed = self._matrix.T.tocsr()
        self._weights = np.concatenate(all_weights)
        self._sizes = np.concatenate(sizes)
        self._starts = np.cumsum([0, *self._sizes[:-1]])

    def expected(self, logs: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood, and the expected counts of all cells.

        `logs` are the logarithms of the parameters. Minus infinity if a row
        is impossible; then the counts have no meaning.
        """
        total = float(self._observed[self._seen] @ logs[self._seen])
        if self.is_empty or total == -np.inf:
            return total, self._observed
        p, top = self._relative(logs)
        if np.min(top) == -np.inf:
            return -np.inf, self._observed
        np.exp(p, out=p)
        sums = np.add.reduceat(p, self._starts)
        p *= self._repeat(self._weights / sums)
        total += float(self._weights @ (np.log(sums) + top))
        return total, self._observed + self._transposed @ p

    def most_probable(self, logs: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the same for the most probable completion of each row alone.

        Of completions that are equally probable the first is taken; the
        states of the first node change slowest.
        """
        total = float(self._observed[self._seen] @ logs[self._seen])
        if self.is_empty or total == -np.inf:
            return total, self._observed
        p, top = self._relative(logs)
        if np.min(top) == -np.inf:
            return -np.inf, self._observed
        near = p >= self._repeat(-_TIE * (1 - top))
        places = np.where(near, np.arange(len(p)), len(p))
        best = np.minimum.reduceat(places, self._starts)
        p[:] = 0
        p[best] = self._weights
        total += float(self._weights @ top)
        return total, self._observed + self._transposed @ p

    def _relative(self, logs):
        """Return logarithms less the largest of each case, and these."""
        p = self._matrix @ logs
        top = np.maximum.reduceat(p, self._starts)
        with np.errstate(invalid="ignore"):
            p -= self._repeat(top)
        return p, top

    def _repeat(self, values):
        return np.repeat(values, self._sizes)


def _completion_cells(
    layout: FamilyLayout,
    codes: np.ndarray,
    weights: np.ndarray,
    component: int,
    rows: np.ndarray,
    components: HiddenComponents,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the cells of all completions of a component in some rows.

    Rows with the same states around the component are one case. The cells
    have the shape (cases, completions, families); the weights of the cases
    are returned, too.
    """
    hidden = list(bits(component))
    around = components.boundary(component)
    states, case = np.unique(
        codes[np.ix_(rows, np.array(around, dtype=np.intp))],
        axis=0,
        return_inverse=True,
    )
    case_weights = np.bincount(case.ravel(), weights[rows])
    shape = [layout.sizes[i] for i in hidden]
    grid = np.indices(shape).reshape(len(hidden), -1)
    given = dict(zip(around, states.T, strict=True))
    free = dict(zip(hidden, grid, strict=True))
    touched = components.touched(component)
    cells = np.empty((len(states), grid.shape[1], len(touched)), np.int32)
    for f, i in enumerate(touched):
        by_case = np.zeros((len(states), 1), dtype=np.intp)
        by_completion = np.full(grid.shape[1], layout.starts[i])
        step = 1
        for node in reversed(layout.axes[i]):
            if node in free:
                by_completion += step * free[node]
            else:
                by_case[:, 0] += step * given[node].astype(np.intp)
            step *= layout.sizes[node]
        cells[:, :, f] = by_case + by_completion
    return cells, case_weights
