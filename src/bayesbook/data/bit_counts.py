"""Counting many families of columns that differ in one column only.

A search of a graph compares a node's family with all families that have one
parent more. Such families are a *star*: a base, here the node and its parents,
and columns of which each is added to it.

Each state of each column is a row of bits, one for each case. The number of
cases that are in two states is the number of bits that are set in both rows. A
processor compares 64 cases at a time, or more, so that for small tables this
is faster than to make one code of all columns and to count the codes, as
:func:`bayesbook.data.count_families` does; and it makes one array for the
whole star instead of one for each family.

>>> coins = [np.array([0, 1, 1]), np.array([0, 0, 1])]
>>> bits = Bits(coins, [2, 2], incomplete=())
>>> _count_common(bits.rows_of(0), bits.rows_of(1))
array([[1., 0.],
       [1., 1.]])
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from math import prod

import numpy as np

# The fewest families of a star.
_FAMILIES = 4
# The most pairs of rows that are compared for a family: more would take longer
# than to count codes.
_PAIRS = 40
# A column with more states than this takes too much room, and time.
_STATES = 16
# Words of 64 bits that are counted at a time; 16 bits hold such a number.
_WORDS = 500


class Bits:
    """The states of some columns as bits, which are made when needed.

    Parameters
    ----------
    columns : sequence of int arrays of shape (n,)
        Codes that are known to be valid; negative where a value is missing.
    n_states : sequence of int
    incomplete : collection of int
        The columns in which a value is missing.
    """

    def __init__(self, columns, n_states, incomplete):
        self.columns, self.n_states, self.incomplete = (
            columns,
            n_states,
            incomplete,
        )
        self._rows = {}

    def count(self, families) -> dict:
        """Count those families for which counting bits is faster.

        Parameters
        ----------
        families : iterable of frozensets of column numbers

        Returns
        -------
        dict
            From the families that were counted to the order of their
            columns, and the table with the axes in this order.
        """
        found: dict[frozenset, tuple] = {}
        for base, extras in self._stars(families):
            found |= self._count_star(base, extras)
        return found

    def rows_of(self, m) -> np.ndarray:
        """Return a row of bits for each state of a column."""
        if m not in self._rows:
            codes = self.columns[m]
            # Whole words; the bits of no case are not set.
            shape = self.n_states[m], -(-len(codes) // 64) * 8
            rows = np.zeros(shape, dtype=np.uint8)
            for state, row in enumerate(rows):
                packed = np.packbits(codes == state)
                row[: len(packed)] = packed
            self._rows[m] = rows.view(np.uint64)
        return self._rows[m]

    def _stars(self, families) -> Iterator[tuple[list, list]]:
        """Find bases, to each of which several columns are added in turn."""
        extras_of = defaultdict(list)
        for family in families:
            if all(self.n_states[m] <= _STATES for m in family):
                for m in family:
                    extras_of[family - {m}].append(m)
        stars = {
            base: extras
            for base, extras in extras_of.items()
            if base and len(extras) >= _FAMILIES
        }
        taken: set[frozenset] = set()
        for base in sorted(stars, key=lambda base: -len(stars[base])):
            extras = [m for m in stars[base] if base | {m} not in taken]
            if len(extras) >= _FAMILIES and self._is_cheap(base, extras):
                taken.update(base | {m} for m in extras)
                yield sorted(base), extras

    def _is_cheap(self, base, extras):
        cells = prod(self.n_states[m] for m in base)
        n_rows = sum(map(self._n_counted, extras))
        return cells * n_rows <= _PAIRS * len(extras)

    def _n_counted(self, m):
        """Return how many states are counted; the last one is the rest."""
        return self.n_states[m] - (m not in self.incomplete)

    def _count_star(self, base, extras):
        """Count a base alone, and with each of the other columns."""
        configurations = self._configurations(base)
        n = np.bitwise_count(configurations).sum(axis=1, dtype=float)
        sizes = [self._n_counted(m) for m in extras]
        rows = [
            self.rows_of(m)[:size]
            for m, size in zip(extras, sizes, strict=True)
        ]
        counted = _count_common(configurations, np.concatenate(rows))
        shape = [self.n_states[m] for m in base]
        found = self._margins(base, n.reshape(shape))
        bounds = pairwise(np.cumsum([0, *sizes]).tolist())
        for m, (start, stop) in zip(extras, bounds, strict=True):
            table = counted[:, start:stop]
            if m not in self.incomplete:
                rest = n - table.sum(axis=1)
                table = np.concatenate([table, rest[:, None]], axis=1)
            family = [*base, m]
            found[frozenset(family)] = family, table.reshape(*shape, -1)
        return found

    def _configurations(self, base):
        """Return a row of bits for each cell of a table."""
        first, *others = base
        rows = self.rows_of(first)
        for m in others:
            rows = rows[:, None] & self.rows_of(m)
            rows = rows.reshape(-1, rows.shape[-1])
        return rows

    def _margins(self, columns, table):
        """Return a table, and its sums over one column, a parent less."""
        found = {frozenset(columns): (columns, table)}
        for axis, m in enumerate(columns):
            # The sum lacks the rows in which the value of m is missing.
            if len(columns) > 1 and m not in self.incomplete:
                others = columns[:axis] + columns[axis + 1 :]
                found[frozenset(others)] = others, table.sum(axis=axis)
        return found


def _count_common(some, others):
    """Count the bits that are set in one row and in another one.

    Parameters
    ----------
    some : array of words of shape (a, w)
    others : array of words of shape (b, w)

    Returns
    -------
    array of floats of shape (a, b)
    """
    counted = np.zeros((len(some), len(others)))
    for start in range(0, some.shape[1], _WORDS):
        block = slice(start, start + _WORDS)
        beside = others[:, block]
        common = np.empty(beside.shape, dtype=np.uint64)
        n_set = np.empty(beside.shape, dtype=np.uint8)
        for total, row in zip(counted, some[:, block], strict=True):
            np.bitwise_and(beside, row, out=common)
            np.bitwise_count(common, out=n_set)
            total += n_set.sum(axis=1, dtype=np.uint16)
    return counted
