"""The E step: the expected counts, given what is observed.

Rows whose hidden nodes fall into small components are enumerated; the others
go through a junction tree. Both are exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bayesbook.data import count_families
from bayesbook.network.em._e_step_enumeration import (
    EnumerationEStep,
    HiddenComponents,
)
from bayesbook.network.em._e_step_junction_tree import (
    NEGLIGIBLE,
    JunctionTreeEStep,
)
from bayesbook.network.em._family_layout import FamilyLayout


class EStep:
    """The E step of weighted rows with missing values.

    Parameters
    ----------
    layout : FamilyLayout
    columns : sequence of int arrays
        One for each node, in their order: the number of the state in each
        row, -1 where it is hidden.
    weights : array
        The weight of each row, more than zero.
    max_bytes : int
    """

    def __init__(
        self,
        layout: FamilyLayout,
        columns: Sequence[np.ndarray],
        weights: np.ndarray,
        max_bytes: int,
    ) -> None:
        codes = np.column_stack(columns)
        components = HiddenComponents(layout, codes)
        is_left = components.is_left
        observed = layout.join(
            count_families(
                [column[~is_left] for column in columns],
                layout.sizes,
                layout.axes,
                weights[~is_left],
            )
        )
        self._parts: list[EnumerationEStep | JunctionTreeEStep] = [
            EnumerationEStep(layout, codes, weights, components, observed)
        ]
        if is_left.any():
            self._parts.append(
                JunctionTreeEStep(
                    layout, codes[is_left], weights[is_left], max_bytes
                )
            )
        #: Shares of counts below this become zero.
        self.negligible = NEGLIGIBLE if is_left.any() else 0.0
        #: Whether every node is observed in every row.
        self.is_complete = not (components.rows or is_left.any())

    def expected(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-likelihood of parameters, and the expected counts."""
        logs = _logs(theta)
        return _add([part.expected(logs) for part in self._parts])

    def most_probable(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the same for the most probable completions alone."""
        logs = _logs(theta)
        return _add([part.most_probable(logs) for part in self._parts])


def _logs(theta):
    with np.errstate(divide="ignore"):
        return np.log(theta)


def _add(results):
    """Return the sums of log-likelihoods and of counts."""
    total, counts = results[0]
    for more, more_counts in results[1:]:
        total, counts = total + more, counts + more_counts
    return total, counts


def possible_counts(
    layout: FamilyLayout, columns: Sequence[np.ndarray], weights: np.ndarray
) -> np.ndarray:
    """Count the rows that may belong to each cell: hidden values fit all."""
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
