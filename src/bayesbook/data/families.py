"""Counts of families of columns, of all families in one pass.

A family is a node and its parents, say. Families that share columns share a
joint table, of which theirs are sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from bayesbook.base.labels import require_size
from bayesbook.data.blockwise import blockwise
from bayesbook.data.coded_rows import (
    read_weights,
    require_column,
    require_families,
)
from bayesbook.data.row_blocks import chunks

__all__ = ["count_families"]

# Rows whose joint codes are made together: as many as stay in the cache.
_JOINT_ROWS = 2**16

# Families share one joint table while it has no more cells than this.
_SHARED = 2**12

# Tables to which a family may be added: the latest, so that planning is fast.
_OPEN = 16


@blockwise("columns", "weights")
def count_families(
    columns: Sequence[np.ndarray],
    n_states: Sequence[int],
    families: Iterable[Sequence[int]],
    weights: ArrayLike | None = None,
) -> list[np.ndarray]:
    """Count every combination of the states of some families of columns.

    The rows are passed through once. Families that share columns are counted
    together: the table of ``(0, 1)`` and that of ``(1, 2)`` are sums over the
    table of ``(0, 1, 2)``, which costs one look at each row instead of two.

    Parameters
    ----------
    columns : sequence of M int arrays of shape (n,)
        The code of the state in each row; negative where it is missing.
    n_states : sequence of M ints
    families : iterable of tuples of column numbers
        Such as the parents of a node, and the node.
    weights : array of shape (n,), optional
        What each row counts; 1 by default.

    Returns
    -------
    list of arrays
        The contingency table of each family, with an axis for each of its
        columns, in its order. A row is in the table if none of these columns
        is missing there.

    Raises
    ------
    ProbabilityError
        If a code is not a state, a family names a column twice or one that is
        not there, or the lengths do not agree.
    TableTooLargeError
        If a table would need too much memory.

    Examples
    --------
    >>> rain = np.array([0, 0, 1, 1, 1])
    >>> grass = np.array([0, 1, 1, 1, 0])
    >>> shoes = np.array([0, 0, 2, 1, -1])
    >>> both, last = count_families(
    ...     [rain, grass, shoes], [2, 2, 3], [(0, 1), (2,)]
    ... )
    >>> both
    array([[1., 1.],
           [1., 2.]])
    >>> last
    array([2., 1., 1.])
    """
    columns = [np.asarray(column) for column in columns]
    families = [tuple(family) for family in families]
    used = sorted(set(chain.from_iterable(families)))
    n_rows = require_families(columns, n_states, families, used)
    weights = read_weights(weights, n_rows)
    incomplete = {
        m for m in used if require_column(columns[m], m, n_states[m])
    }
    return count_checked(columns, n_states, families, weights, incomplete)


def count_checked(columns, n_states, families, weights, incomplete):
    """Count families whose codes and weights have been checked.

    Parameters
    ----------
    columns : sequence of M int arrays of shape (n,)
    n_states : sequence of M ints
    families : list of tuples of column numbers
    weights : array of shape (n,), or None
    incomplete : collection of ints
        The columns in which values are missing.
    """
    # A missing value is a further state, the last.
    shape = [int(size) + (m in incomplete) for m, size in enumerate(n_states)]
    for family in families:
        sizes = [shape[m] for m in family]
        require_size(sizes, "float", "The table of a family")
    unions = _unions(families, shape)
    sizes = {union: prod(shape[m] for m in union) for union in unions}
    tables = {union: np.zeros(size) for union, size in sizes.items()}
    step = max(_JOINT_ROWS, *sizes.values(), 1)
    for rows in chunks(len(columns[0]) if columns else 0, step):
        part = None if weights is None else weights[rows]
        joint = _JointCodes(columns, shape, incomplete, rows)
        for union, table in tables.items():
            table += np.bincount(joint(union), part, minlength=len(table))
    margins = {}
    for union, members in unions.items():
        for family in members:
            margins[family] = _margin(tables[union], union, family, shape)
    known = tuple(map(slice, n_states))
    return [
        # Without the rows in which a column of the family is missing.
        margins[family][tuple(known[m] for m in family)].copy()
        for family in families
    ]


def _unions(families, shape):
    """Return the columns of each joint table, with the families that share it.

    The largest family comes first; each joins the table that it enlarges
    least, if that stays small. The columns of many families come first in a
    table, so that tables have them in common.
    """
    groups = []  # each: a set of columns, its cells, families

    def cells(columns):
        return prod(shape[m] for m in columns)

    by_size = sorted(dict.fromkeys(families), key=cells, reverse=True)
    for family in by_size:
        best, least = None, None
        for group in groups[-_OPEN:]:
            new = [m for m in family if m not in group[0]]
            growth = cells(new)
            if not new or group[1] * growth <= _SHARED:
                if least is None or growth < least:
                    best, least = group, growth
                if not new:
                    break
        if best is None:
            groups.append([set(family), cells(family), [family]])
        else:
            best[0].update(family)
            best[1] *= least
            best[2].append(family)
    often = Counter(chain.from_iterable(families))
    unions = {}
    for columns, _, members in groups:
        union = tuple(sorted(columns, key=lambda m: (-often[m], m)))
        unions.setdefault(union, []).extend(members)
    return unions


class _JointCodes:
    """The cells of some rows in tables of several columns.

    What a table has in common with the one before is not computed again.
    """

    def __init__(self, columns, shape, incomplete, rows):
        self.columns, self.shape = columns, shape
        self.incomplete, self.rows = incomplete, rows
        none = np.zeros(rows.stop - rows.start, dtype=np.uint8)
        # Columns, the number of cells, and the codes.
        self.prefixes = [((), 1, none)]

    def __call__(self, union):
        while union[: len(self.prefixes[-1][0])] != self.prefixes[-1][0]:
            self.prefixes.pop()
        for m in union[len(self.prefixes) - 1 :]:
            columns, size, codes = self.prefixes[-1]
            size *= self.shape[m]
            kind = np.min_scalar_type(max(size - 1, 0))
            # 256 overflows a byte and becomes 0; but then all columns before
            # have a single state, whose code is 0.
            codes = codes * np.array(self.shape[m]).astype(kind)
            codes += self._own(m).astype(kind, copy=False)
            self.prefixes.append(((*columns, m), size, codes))
        return self.prefixes[-1][2]

    def _own(self, m):
        codes = self.columns[m][self.rows]
        if m in self.incomplete:
            return np.where(codes < 0, self.shape[m] - 1, codes)
        return codes


def _margin(table, union, family, shape):
    """Sum a joint table over the columns that a family does not have."""
    # Columns that are side by side, and kept or summed alike, are one axis.
    is_kept = [m in family for m in union]
    runs = [
        list(run) for _, run in groupby(range(len(union)), is_kept.__getitem__)
    ]
    merged = [prod(shape[union[i]] for i in run) for run in runs]
    summed = tuple(
        axis for axis, run in enumerate(runs) if not is_kept[run[0]]
    )
    kept = [m for m in union if m in family]
    margin = table.reshape(merged).sum(axis=summed)
    axes = [kept.index(m) for m in family]
    return margin.reshape([shape[m] for m in kept]).transpose(axes)
