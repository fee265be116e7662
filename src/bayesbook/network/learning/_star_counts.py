"""Counting one family with each of many further columns, in one array.

A search compares a node's family with all families that have one parent more.
With few rows such families are counted fastest together.

>>> import pandas as pd
>>> coins = pd.DataFrame({"A": [0, 1, 1], "B": [0, 0, 1], "C": [0, 1, 1]})
>>> StarCounts(Cases(coins)).count(["A"], ["B", "C"])  # B=0, B=1, C=0, C=1
array([[1., 0., 1., 0.],
       [1., 1., 0., 2.]])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod

import numpy as np

from bayesbook.data import Cases

# With more rows bits are counted faster than codes; see data.bit_counts.
_FEW_ROWS = 5_000
# How many codes, or cells of tables, an array may have.
_MOST_CELLS = 2**22


class StarCounts:
    """Counts the rows of some cases, if they are few and in memory."""

    def __init__(self, cases: Cases) -> None:
        self.cases = cases
        self._n_states = dict(zip(cases.names, cases.n_states, strict=True))
        self._place = {name: m for m, name in enumerate(cases.names)}
        n_codes = cases.n_rows * len(cases.names)
        self._is_possible = (
            type(cases) is Cases
            and cases.n_rows <= _FEW_ROWS
            and n_codes <= _MOST_CELLS
        )

    def can_count(self, family: Sequence[str]) -> bool:
        """Return whether the array of :meth:`count` is small enough."""
        n_cells = prod(self._n_states[name] for name in family)
        n_all = sum(self.cases.n_states)
        return self._is_possible and n_cells * n_all <= _MOST_CELLS

    def count(
        self, family: Sequence[str], others: Sequence[str]
    ) -> np.ndarray:
        """Count the states of some columns beside those of a family.

        Returns
        -------
        float array of shape (cells of the family, states of all others)
        """
        codes = np.zeros(self.cases.n_rows, dtype=np.intp)
        for name in family:
            codes *= self._n_states[name]
            codes += self.cases.columns[self._place[name]]
        places = [self._place[name] for name in others]
        n_all = sum(self.cases.n_states)
        cells = self._stacked[places] + codes * n_all
        weights = self.cases.weights
        if weights is not None:
            weights = np.tile(weights, len(others))
        n_cells = prod(self._n_states[name] for name in family)
        counts = np.bincount(cells.ravel(), weights, n_cells * n_all)
        counted = counts.reshape(n_cells, n_all).astype(float)
        return counted[:, np.concatenate([self._states_of[m] for m in places])]

    @cached_property
    def _states_of(self) -> list[np.ndarray]:
        """The numbers of the states of each column, among all states."""
        ends = np.cumsum(self.cases.n_states)
        return np.split(np.arange(ends[-1]), ends[:-1])

    @cached_property
    def _stacked(self) -> np.ndarray:
        """A row for each column: the numbers of its states, among all."""
        return np.array(
            [
                states[column]
                for states, column in zip(
                    self._states_of, self.cases.columns, strict=True
                )
            ]
        )
