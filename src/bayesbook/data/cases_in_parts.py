"""Cases whose rows are in parts: counted part by part, and added up."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.data.cases import Cases, pairs_of, unchecked_cases
from bayesbook.data.families import count_checked
from bayesbook.data.row_blocks import add_tables


class CasesInParts(Cases):
    """Cases whose rows are in a file, or in the partitions of Dask.

    They have everything that :class:`Cases` has; but `columns`, `weights`
    and `to_frame` read all codes into memory.
    """

    # For each column with missing values, where the first one is.
    _first_missing: dict[str, str]

    @abstractmethod
    def _reduce(
        self, places: Sequence[int], look: Callable, join: Callable
    ) -> Any:
        """Return `look` of the codes of some variables in each part, joined.

        Parameters
        ----------
        places : sequence of int
            The numbers of the variables.
        look : function of a pair, the columns of codes and the weights
        join : function of a list of results
        """

    def _sum(self, places, count):
        *tables, n_rows = self._reduce(places, count, add_tables) or [0]
        if n_rows != self.n_rows:
            raise ProbabilityError(
                f"The partitions had {self.n_rows} rows when they were read "
                f"first, and now have {n_rows:g}: data that are counted "
                "several times must not change. Keep them with data.persist()."
            )
        return tables

    def _count(self, places):
        used = sorted(set(chain.from_iterable(places))) or [0]
        n_states = [self.n_states[m] for m in used]
        families = [tuple(map(used.index, family)) for family in places]
        incomplete = {i for i, m in enumerate(used) if m in self._incomplete}
        count = partial(_count_part, n_states, families, incomplete)
        return self._sum(used, count)

    def count_pairs(self) -> np.ndarray:
        """Count every pair of states of every pair of variables."""
        count = partial(_count_pairs, self.n_states)
        return self._sum(range(len(self.names)), count)[0]

    def distinct(self) -> Cases:
        """Return each different row once, with the number of such rows."""
        look = partial(_distinct_part, dict(self.states))
        places = range(len(self.names))
        return _joined(self._reduce(places, look, _join_distinct))

    def require_complete(self) -> None:
        """Refuse missing values."""
        for m in sorted(self._incomplete):
            raise ProbabilityError(self._first_missing[self.names[m]])


def _count_part(n_states, families, incomplete, part):
    columns, weights = part
    tables = count_checked(columns, n_states, families, weights, incomplete)
    return [*tables, len(columns[0])]


def _count_pairs(n_states, part):
    columns, weights = part
    return [pairs_of(columns, n_states, weights), len(columns[0])]


def _distinct_part(states, part):
    return [unchecked_cases(states, *part).distinct()]


def _join_distinct(lists):
    """Join lists of cases, of different rows each, to one list.

    They become one when there are as many new rows as joined ones.
    """
    first, *others = chain.from_iterable(lists)
    if sum(map(len, others)) > len(first):
        return [_joined([first, *others])]
    return [first, *others]


def _joined(parts):
    """Join cases, of different rows each, to cases of different rows."""
    if len(parts) == 1:
        return parts[0]
    columns = map(
        np.concatenate, zip(*(part.columns for part in parts), strict=True)
    )
    weights = np.concatenate([part.weights for part in parts])
    states = dict(parts[0].states)
    return unchecked_cases(states, list(columns), weights).distinct()
