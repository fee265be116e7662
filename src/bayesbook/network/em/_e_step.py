"""The E step: what is expected to be counted, given what is observed.

Rows whose hidden nodes fall into small components are enumerated; the others
go through a junction tree. Both are exact.
"""

from __future__ import annotations

import numpy as np

from bayesbook.data import count_families
from bayesbook.network.em._e_step_enumeration import Completions, Components
from bayesbook.network.em._e_step_junction_tree import NEGLIGIBLE, TreeCounts


class Expectation:
    """The E step of weighted rows with gaps.

    Parameters
    ----------
    layout : FamilyLayout
    columns : sequence of int arrays
        One for each node, in their order: the number of the state in each
        row, -1 where it is hidden.
    weights : array
        What each row counts, more than zero.
    max_bytes : int
    """

    def __init__(self, layout, columns, weights, max_bytes):
        codes = np.column_stack(columns)
        components = Components(layout, codes)
        left, own = components.left, ~components.left
        self._parts = []
        counted = count_families(
            [column[own] for column in columns],
            layout.sizes,
            layout.axes,
            weights[own],
        )
        counted = layout.join(counted)
        self._parts.append(
            Completions(layout, codes, weights, components, counted)
        )
        if left.any():
            self._parts.append(
                TreeCounts(layout, codes[left], weights[left], max_bytes)
            )
        #: Shares of counts below this become zero.
        self.negligible = NEGLIGIBLE if left.any() else 0.0
        #: Whether every node is observed in every row.
        self.is_complete = not (components.rows or left.any())

    def expect(self, theta):
        """Return the log-likelihood of parameters, and the expected counts."""
        return self._add("expect", theta)

    def complete(self, theta):
        """Return the same for the most probable completions alone."""
        return self._add("complete", theta)

    def _add(self, how, theta):
        with np.errstate(divide="ignore"):
            logs = np.log(theta)
        total, counts = getattr(self._parts[0], how)(logs)
        for part in self._parts[1:]:
            more, found = getattr(part, how)(logs)
            total, counts = total + more, counts + found
        return total, counts


def possible_counts(layout, columns, weights):
    """Count the rows that may belong to each cell: what is hidden fits all."""
    wide = [
        np.where(column < 0, size, column)
        for column, size in zip(columns, layout.sizes, strict=True)
    ]
    tables = count_families(
        wide, [size + 1 for size in layout.sizes], layout.axes, weights
    )
    for i, table in enumerate(tables):
        for axis in range(table.ndim):
            known, hidden = np.split(table, [-1], axis=axis)
            table = known + hidden
        tables[i] = table
    return layout.join(tables)
