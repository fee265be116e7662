"""Counting: the sufficient statistics of every discrete model here.

Whatever a discrete model wants to know of its data is in tables of counts:
how many rows of each class there are, how many of them have a feature in each
of its states, how many have two features in each pair of states. Counts of
parts of the data add up to the counts of the whole. That is why a model can
be trained in pieces, in any order, on several machines, or at the moment of
the question, and give the same answer.

>>> y = np.array([0, 0, 1])
>>> codes = np.array([[0, 2], [1, 2], [1, 0]])  # a coin and a die of three
>>> count_states(codes, y, n_states=[2, 3], n_classes=2)
array([[1., 1., 0., 0., 2.],
       [0., 1., 1., 0., 0.]])

States are coded 0, 1, 2, ... in every column; a negative code is a missing
value, which is not counted. The tables of all columns stand side by side, in
the order of the columns (:func:`offsets` says where each begins). Counts are
floats, because rows may have weights; whole numbers are exact up to 2^53.

Everything goes through the rows in chunks, so that the memory it needs is
that of the tables and some megabytes. Rows that are larger than memory may be
arrays of Dask: each block is counted where it is, and the counts are added.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, groupby, pairwise
from math import prod

import numpy as np
from scipy import sparse

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import require_weights
from bayesbook.base.labels import require_size
from bayesbook.data.kinds import has_dask

__all__ = [
    "count_classes",
    "count_families",
    "count_joint",
    "count_pairs",
    "count_states",
    "offsets",
    "sum_by_class",
    "sum_entries",
]

#: Rows that are counted together.
CHUNK = 16_384
# Rows that are looked up together, so that they stay in the cache.
_FEW_ROWS = 2048
# Rows whose joint codes are made together: as many as stay in the cache.
_JOINT_ROWS = 2**16
# Families share one joint table while it has no more cells than this.
_SHARED = 2**12
# Tables to which a family may be added: the latest, so that planning is fast.
_OPEN = 16
# With fewer rows, packing columns costs more than it saves.
_MANY_ROWS = 512
# The joint code of packed columns fits into a byte.
_PACKED = 256
# Columns that are looked up together.
_COLUMNS = 512
# Entries of a table, or of a sparse matrix, that are added up together.
_ENTRIES = 2**17


def offsets(n_states: Sequence[int]) -> np.ndarray:
    """Say where the states of each column begin in a packed table.

    Parameters
    ----------
    n_states : sequence of M ints
        How many states each column has.

    Returns
    -------
    array of shape (M + 1,)
        The states of column m are ``offsets[m]:offsets[m + 1]``; the last
        entry is the number S of all states.

    Examples
    --------
    >>> offsets([2, 3, 2])
    array([0, 2, 5, 7])
    """
    return np.concatenate([[0], np.cumsum(n_states, dtype=np.intp)])


def by_parts(*of_rows):
    """Let a function count arrays of Dask too, block by block.

    Parameters
    ----------
    *of_rows : names of the arguments that have an entry for each row
    """

    def decorate(count):
        signature = inspect.signature(count)

        @functools.wraps(count)
        def of_any(*args, **kwargs):
            # Cheap: rows may come one by one.
            if "dask.array" not in sys.modules:
                return count(*args, **kwargs)
            given = signature.bind(*args, **kwargs).arguments
            rows = [given.get(name) for name in of_rows]
            if not any(map(has_dask, rows)):
                return count(*args, **kwargs)
            from bayesbook.data.dask_parts import count_in_parts

            return count_in_parts(count, given, of_rows)

        return of_any

    return decorate


@by_parts("y", "weights")
def count_classes(y, n_classes: int, weights=None) -> np.ndarray:
    """Count the rows of each class.

    Parameters
    ----------
    y : array of shape (n,)
        The class of each row, coded 0 ... n_classes - 1.
    n_classes : int
    weights : array of shape (n,), optional
        What each row counts; 1 by default.

    Returns
    -------
    array of shape (n_classes,)

    Raises
    ------
    ProbabilityError
        If a code is no class, or the lengths do not agree.

    Examples
    --------
    >>> count_classes([0, 2, 2, 0, 0], n_classes=4)
    array([3., 0., 2., 0.])
    >>> count_classes([0, 1], n_classes=2, weights=[0.5, 2.0])
    array([0.5, 2. ])
    """
    y = _read_classes(y, n_classes)
    weights = _read_weights(weights, len(y))
    return np.bincount(y, weights, minlength=n_classes).astype(float)


@by_parts("codes", "y", "weights")
def count_states(
    codes, y, n_states: Sequence[int], n_classes: int, weights=None
) -> np.ndarray:
    """Count, for each class, the rows that have each column in each state.

    Four columns with four states each are one column with 256 states: only a
    quarter of the columns has to be counted, and the tables of the single
    columns are sums over the joint ones.

    Parameters
    ----------
    codes : int array of shape (n, M)
        The state of each column in each row; negative where it is missing.
    y : array of shape (n,)
        The class of each row, coded 0 ... n_classes - 1.
    n_states : sequence of M ints
    n_classes : int
    weights : array of shape (n,), optional

    Returns
    -------
    array of shape (n_classes, S)
        The states of all columns side by side, where `offsets` says.

    Raises
    ------
    ProbabilityError
        If a code is no state or no class, or the lengths do not agree.
    TableTooLargeError
        If the table would need too much memory.

    Examples
    --------
    >>> count_states([[0, 1], [1, -1], [1, 1]], [0, 0, 1], [2, 2], 2)
    array([[1., 1., 0., 1.],
           [0., 1., 0., 1.]])
    """
    y = _read_classes(y, n_classes)
    codes, n_states = _read_codes(codes, n_states, len(y))
    weights = _read_weights(weights, len(y))
    starts = offsets(n_states)
    require_size((n_classes, starts[-1]), "float", "The table of counts")
    if len(y) < _MANY_ROWS or not n_states:
        return _count_directly(codes, y, starts, n_classes, weights)
    table = np.zeros((n_classes, starts[-1]))
    shapes = _with_gaps(codes, n_states)
    groups = _groups(shapes)
    for rows in chunks(len(y), enough_rows(table.size, len(n_states))):
        part = None if weights is None else weights[rows]
        for group, packed in _pack(codes[rows], n_states, shapes, groups):
            shape = shapes[group]
            size = prod(shape)
            counts = np.bincount(
                y[rows] * size + packed, part, minlength=n_classes * size
            ).reshape(n_classes, *shape)
            for axis, m in enumerate(range(group.start, group.stop), 1):
                others = set(range(1, counts.ndim)) - {axis}
                own = counts.sum(axis=tuple(others))
                table[:, starts[m] : starts[m + 1]] += own[:, : n_states[m]]
    return table


def _count_directly(codes, y, starts, n_classes, weights):
    shape = (n_classes, starts[-1])
    is_known = codes >= 0
    cells = (codes + starts[:-1] + shape[1] * y[:, None])[is_known]
    if weights is not None:
        weights = np.broadcast_to(weights[:, None], is_known.shape)[is_known]
    return (
        np.bincount(cells, weights, minlength=prod(shape))
        .reshape(shape)
        .astype(float)
    )


@by_parts("codes", "y", "weights")
def count_pairs(
    codes, y, n_states: Sequence[int], n_classes: int, weights=None
) -> np.ndarray:
    """Count, for each class, every pair of states of every pair of columns.

    If the rows of a class are written in a matrix H with a column for each
    state of each feature, 1 where the feature is in that state, then all the
    tables of pairs are the one matrix product HᵀH.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Negative where a value is missing.
    y : array of shape (n,)
        Coded 0 ... n_classes - 1; all zeros if there are no classes.
    n_states : sequence of M ints
    n_classes : int
    weights : array of shape (n,), optional

    Returns
    -------
    array of shape (n_classes, S, S)
        The table of columns i and j in class k is
        ``[k, o[i]:o[i + 1], o[j]:o[j + 1]]`` with ``o = offsets(n_states)``;
        the diagonal holds the counts of the single states.

    Raises
    ------
    ProbabilityError
        If a code is no state or no class, or the lengths do not agree.
    TableTooLargeError
        If the table would need too much memory.

    Examples
    --------
    >>> count_pairs([[0, 1], [1, 1], [1, 0]], [0, 0, 0], [2, 2], 1)[0]
    array([[1., 0., 0., 1.],
           [0., 2., 1., 1.],
           [0., 1., 1., 0.],
           [1., 1., 0., 2.]])
    """
    y = _read_classes(y, n_classes)
    codes, n_states = _read_codes(codes, n_states, len(y))
    weights = _read_weights(weights, len(y))
    starts = offsets(n_states)
    S = starts[-1]
    require_size((n_classes, S, S), "float", "The table of all pairs")
    column_of = np.repeat(np.arange(len(n_states)), n_states)
    state = np.arange(S) - starts[column_of]
    # A type that cannot hold all states would take some for others.
    if max(n_states, default=0) - 1 <= np.iinfo(codes.dtype).max:
        state = state.astype(codes.dtype)
    # Single precision counts exactly up to 2^24, more than a chunk holds.
    kind = np.float32 if weights is None else np.float64
    table = np.zeros((n_classes, S, S))
    by_class = np.split(
        np.argsort(y, kind="stable"),
        np.cumsum(np.bincount(y, minlength=n_classes))[:-1],
    )
    for k, members in enumerate(by_class):
        for chunk in chunks(len(members), max(1, 2**18 // max(S, 1))):
            rows = members[chunk]
            H = (codes[rows][:, column_of] == state).astype(kind)
            part = H if weights is None else H * weights[rows, None]
            table[k] += part.T @ H
    return table


@by_parts("codes", "weights")
def count_joint(codes, n_states: Sequence[int], weights=None) -> np.ndarray:
    """Count every combination of the states of all columns.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Rows in which a value is missing (negative) are not counted.
    n_states : sequence of M ints
    weights : array of shape (n,), optional

    Returns
    -------
    array with one axis of length ``n_states[m]`` for each column
        The contingency table.

    Raises
    ------
    ProbabilityError
        If a code is no state, or the lengths do not agree.
    TableTooLargeError
        If the table would need too much memory.

    Examples
    --------
    >>> count_joint([[0, 1], [1, 1], [0, 1]], [2, 2])
    array([[0., 2.],
           [0., 1.]])
    """
    codes, n_states = _read_codes(codes, n_states)
    weights = _read_weights(weights, len(codes))
    require_size(n_states, "float", "The contingency table")
    strides = np.cumprod([1, *n_states[:0:-1]])[::-1][: len(n_states)]
    table = np.zeros(prod(n_states))
    for rows in chunks(len(codes)):
        part = codes[rows]
        is_known = (part >= 0).all(axis=1)
        cells = part[is_known] @ strides
        own = None if weights is None else weights[rows][is_known]
        table += np.bincount(cells, own, minlength=len(table))
    return table.reshape(n_states)


@by_parts("columns", "weights")
def count_families(
    columns: Sequence[np.ndarray],
    n_states: Sequence[int],
    families: Iterable[Sequence[int]],
    weights=None,
) -> list[np.ndarray]:
    """Count every combination of the states of some families of columns.

    All in one pass through the rows. Families that share columns are counted
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
        If a code is no state, a family names a column twice or one that is
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
    n_rows = _require_families(columns, n_states, families, used)
    weights = _read_weights(weights, n_rows)
    gaps = {m for m in used if _require_column(columns[m], m, n_states[m])}
    return count_checked(columns, n_states, families, weights, gaps)


def count_checked(columns, n_states, families, weights, gaps):
    """Count families as above, with all that is given known to be right.

    Parameters
    ----------
    columns : sequence of M int arrays of shape (n,)
    n_states : sequence of M ints
    families : list of tuples of column numbers
    weights : array of shape (n,), or None
    gaps : collection of ints
        The columns in which values are missing.
    """
    # One state more, the last, is where a value is missing.
    shape = [int(own) + (m in gaps) for m, own in enumerate(n_states)]
    for family in families:
        sizes = [shape[m] for m in family]
        require_size(sizes, "float", "The table of a family")
    unions = _unions(families, shape)
    sizes = {union: prod(shape[m] for m in union) for union in unions}
    tables = {union: np.zeros(size) for union, size in sizes.items()}
    step = max(_JOINT_ROWS, *sizes.values(), 1)
    for rows in chunks(len(columns[0]) if columns else 0, step):
        part = None if weights is None else weights[rows]
        joint = _JointCodes(columns, shape, gaps, rows)
        for union, table in tables.items():
            table += np.bincount(joint(union), part, minlength=len(table))
    found = {}
    for union, members in unions.items():
        for family in members:
            found[family] = _margin(tables[union], union, family, shape)
    known = tuple(map(slice, n_states))
    return [
        # Without the rows in which a column of the family is missing.
        found[family][tuple(known[m] for m in family)].copy()
        for family in families
    ]


def _require_families(columns, n_states, families, used):
    """Check the shapes of everything, and give the number of rows."""
    if len(columns) != len(n_states):
        raise ProbabilityError(
            f"There are {len(columns)} columns, but numbers of states for "
            f"{len(n_states)}."
        )
    for family in families:
        if len(set(family)) < len(family):
            raise ProbabilityError(f"The family {family} has a column twice.")
    for m in used:
        if not 0 <= m < len(columns):
            raise ProbabilityError(
                f"A family has column {m}; there are {len(columns)} columns, "
                "numbered from 0."
            )
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise ProbabilityError(
            f"The columns have different lengths: {sorted(lengths)}."
        )
    return lengths.pop() if lengths else 0


def _require_column(column, m, n_states):
    """Check the codes of a column, and say whether a value is missing."""
    if column.ndim != 1 or column.dtype.kind not in "iu":
        raise ProbabilityError(
            f"Column {m} must be a sequence of codes 0, 1, 2, ...; it has the "
            f"shape {column.shape} and the type {column.dtype}."
        )
    if not column.size:
        return False
    if column.max() >= n_states:
        row = int(np.argmax(column >= n_states))
        raise ProbabilityError(
            f"The code in row {row} of column {m} is {column[row]}; with "
            f"{n_states} states the codes are 0 to {n_states - 1}."
        )
    return bool(column.min() < 0)


def _unions(families, shape):
    """Gather families that can share a joint table.

    The largest first; each joins the table that it makes grow least, if that
    stays small. Returns, for the columns of each table, its families. The
    columns of many families come first, so that tables have them in common.
    """
    groups = []  # lists of: a set of columns, its cells, the families

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
    """The places of some rows in tables of several columns.

    What a table has in common with the one before is not computed again.
    """

    def __init__(self, columns, shape, gaps, rows):
        self.columns, self.shape, self.gaps = columns, shape, gaps
        self.rows = rows
        none = np.zeros(rows.stop - rows.start, dtype=np.uint8)
        self.prefixes = [((), 1, none)]  # columns, cells, codes

    def __call__(self, union):
        while union[: len(self.prefixes[-1][0])] != self.prefixes[-1][0]:
            self.prefixes.pop()
        for m in union[len(self.prefixes) - 1 :]:
            columns, size, codes = self.prefixes[-1]
            size *= self.shape[m]
            kind = np.min_scalar_type(max(size - 1, 0))
            # As a byte, 256 is 0; but then all columns before have one state.
            codes = codes * np.array(self.shape[m]).astype(kind)
            codes += self._own(m).astype(kind, copy=False)
            self.prefixes.append(((*columns, m), size, codes))
        return self.prefixes[-1][2]

    def _own(self, m):
        codes = self.columns[m][self.rows]
        if m in self.gaps:
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


@by_parts("X", "y", "weights")
def sum_by_class(X, y, n_classes: int, weights=None) -> np.ndarray:
    """Add the rows of each class up.

    Parameters
    ----------
    X : array of shape (n, M), or a sparse matrix, best in the format CSR
        Counts, say of the words in each document. A sparse matrix stays one.
    y : array of shape (n,)
        Coded 0 ... n_classes - 1.
    n_classes : int
    weights : array of shape (n,), optional

    Returns
    -------
    array of shape (n_classes, M)

    Raises
    ------
    ProbabilityError
        If a code is no class, or the lengths do not agree.

    Examples
    --------
    >>> sum_by_class([[1, 0], [2, 5], [4, 4]], [0, 0, 1], n_classes=2)
    array([[3., 5.],
           [4., 4.]])
    """
    y = _read_classes(y, n_classes)
    weights = _read_weights(weights, len(y))
    X = X.tocsr() if sparse.issparse(X) else np.asarray(X)
    if X.shape[0] != len(y):
        raise ProbabilityError(
            f"There are {X.shape[0]} rows, but classes for {len(y)}."
        )
    if sparse.issparse(X):
        return _sum_stored(X, y, n_classes, weights)
    total = np.zeros((n_classes, X.shape[1]))
    if weights is None:
        weights = np.ones(len(y))
    for rows in chunks(len(y), max(1, CHUNK * 32 // max(X.shape[1], 1))):
        part = X[rows].astype(float, copy=False)
        # The row of its class, for each row: one entry in every column.
        members = sparse.csc_array(
            (weights[rows], y[rows], np.arange(len(part) + 1)),
            shape=(n_classes, len(part)),
        )
        total += members @ part
    return total


def _sum_stored(X, y, n_classes, weights):
    n, M = X.shape
    total = np.zeros(n_classes * M)
    per_row = max(1, X.nnz // max(n, 1))
    for rows in chunks(n, max(1, _ENTRIES // per_row)):
        lengths = np.diff(X.indptr[rows.start : rows.stop + 1])
        stored = slice(X.indptr[rows.start], X.indptr[rows.stop])
        cells = np.repeat(y[rows] * M, lengths)
        cells += X.indices[stored]
        values = X.data[stored].astype(float, copy=False)
        if weights is not None:
            values = values * np.repeat(weights[rows], lengths)
        # For a few rows `bincount` would make a whole table.
        np.add.at(total, cells, values)
    return total.reshape(n_classes, M)


def sum_entries(codes, table, n_states: Sequence[int]) -> np.ndarray:
    """Add, for each row, the entries of a table at the states of the row.

    The way back from :func:`count_states`: there the rows make a table, here
    a table of log-probabilities makes the log-likelihoods of the rows.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Where a value is missing (negative), nothing is added.
    table : array of shape (K, S)
        A row for each class; the states of all columns side by side, where
        `offsets` says. May hold -inf.
    n_states : sequence of M ints

    Returns
    -------
    array of shape (n, K)

    Raises
    ------
    ProbabilityError
        If a code is no state, or the table has another width.

    Examples
    --------
    >>> sum_entries([[0, 1], [1, -1]], [[0.5, 2.0, 0.25, 4.0]], [2, 2])
    array([[4.5],
           [2. ]])
    """
    codes, n_states = _read_codes(codes, n_states)
    table = np.asarray(table, dtype=float)
    starts = offsets(n_states)
    if table.shape[1:] != (starts[-1],):
        raise ProbabilityError(
            f"The table has the shape {table.shape}; it needs a column for "
            f"each of the {starts[-1]} states."
        )
    result = np.zeros((len(codes), len(table)))
    if len(codes) < _MANY_ROWS:
        # One column more, of zeros, is where missing values look.
        table = np.hstack([table, np.zeros((len(table), 1))])
        per_row = max(1, len(table) * len(n_states))
        for rows in chunks(len(codes), max(1, _ENTRIES // per_row)):
            part = codes[rows]
            places = np.where(part < 0, starts[-1], part + starts[:-1])
            result[rows] = table[:, places].sum(axis=2).T
        return result
    for block in chunks(len(n_states), _COLUMNS):
        own = table[:, starts[block.start] : starts[block.stop]]
        _add_block(result, codes[:, block], own, n_states[block])
    return result


def _add_block(result, codes, table, n_states):
    starts = offsets(n_states)
    shapes = _with_gaps(codes, n_states)
    groups = _groups(shapes)
    columns = [
        np.pad(table[:, a:b], [(0, 0), (0, shape - (b - a))])
        for (a, b), shape in zip(pairwise(starts), shapes, strict=True)
    ]
    joint = [_joint_table(columns[group]) for group in groups]
    entries = np.empty((_FEW_ROWS, len(table)))
    for rows in chunks(len(codes), _FEW_ROWS):
        total = result[rows]
        packed = _pack(codes[rows], n_states, shapes, groups)
        for (_, cells), own in zip(packed, joint, strict=True):
            # A mode other than "raise" spares a copy; the cells are checked.
            total += np.take(
                own, cells, axis=0, out=entries[: len(total)], mode="clip"
            )


def _joint_table(columns):
    """Add the tables of some columns up, for all their joint states."""
    joint = np.zeros((1, len(columns[0])))
    for own in columns:
        joint = (joint[:, None, :] + own.T).reshape(-1, len(own))
    # In another order `np.take` would copy all of it for every few rows.
    return np.ascontiguousarray(joint)


def _pack(codes, n_states, shapes, groups):
    """Return the groups, each with the joint code of its columns in each row."""
    largest = max(prod(shapes[group]) for group in groups)
    columns = codes.T
    if shapes != n_states:
        columns = np.where(columns < 0, np.array(n_states)[:, None], columns)
    columns = np.ascontiguousarray(
        columns, dtype=np.min_scalar_type(largest - 1)
    )
    # As a byte, 256 is 0; but only columns of a single state, whose codes are
    # 0, are packed before one with 256.
    factors = np.array(shapes).astype(columns.dtype)
    for group in groups:
        first, *others = range(group.start, group.stop)
        packed = columns[first]
        for m in others:
            packed = packed * factors[m] + columns[m]
        yield group, packed


def _with_gaps(codes, n_states):
    """Where values are missing, that is one state more, the last."""
    return [own + 1 for own in n_states] if codes.min() < 0 else n_states


def _groups(shapes):
    """Part the columns where their joint states become too many."""
    groups, start = [], 0
    for stop in range(1, len(shapes) + 1):
        if prod(shapes[start : stop + 1]) > _PACKED or stop == len(shapes):
            groups.append(slice(start, stop))
            start = stop
    return groups


def add_tables(parts):
    """Add lists of tables up; they themselves stay as they are."""
    total = None
    for tables in parts:
        if total is None:
            # Also the count of no variables, a number, becomes an array.
            total = [np.array(own) for own in tables]
        else:
            for own, new in zip(total, tables, strict=True):
                np.add(own, new, out=own)
    return total


def chunks(n, size=CHUNK):
    """Part n rows into slices of at most `size` rows."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def enough_rows(n_cells, n_columns):
    """Say how many rows to take at a time beside tables of so many cells.

    With each chunk the whole tables are passed through. With as many codes
    in the rows as there are cells, that costs no more than the rows do, and
    the rows need no more memory than the tables.
    """
    return max(CHUNK, n_cells // n_columns)


def _read_classes(y, n_classes):
    y = np.asarray(y)
    if y.ndim != 1 or y.dtype.kind not in "iu":
        raise ProbabilityError(
            "The classes of the rows must be a sequence of codes 0, 1, 2, "
            f"...; they have the shape {y.shape} and the type {y.dtype}."
        )
    if y.size and not 0 <= y.min() <= y.max() < n_classes:
        row = int(np.argmax((y < 0) | (y >= n_classes)))
        raise ProbabilityError(
            f"The class in row {row} is {y[row]}; with {n_classes} classes "
            f"the codes are 0 to {n_classes - 1}."
        )
    return y.astype(np.intp, copy=False)


def _read_weights(weights, n_rows):
    if weights is None:
        return None
    weights = np.asarray(weights, dtype=float)
    if weights.shape != (n_rows,):
        raise ProbabilityError(
            f"There are {n_rows} rows, but weights of the shape "
            f"{weights.shape}; give one weight for each row."
        )
    require_weights(weights, lambda place: f"The weight of row {place[0]}")
    return weights


def _read_codes(codes, n_states, n_rows=None):
    codes = np.asarray(codes)
    n_states = [int(own) for own in n_states]
    if codes.ndim != 2 or codes.dtype.kind not in "iu":
        raise ProbabilityError(
            "The codes of the states must be a table of whole numbers with a "
            f"row for each observation; they have the shape {codes.shape} and "
            f"the type {codes.dtype}."
        )
    if codes.dtype == np.uint64:
        # Together with signed numbers they would become floats.
        codes = codes.astype(np.intp)
    if n_states and min(n_states) < 0:
        m = n_states.index(min(n_states))
        raise ProbabilityError(
            f"Column {m} has {n_states[m]} states; it needs at least 0."
        )
    if codes.shape[1] != len(n_states):
        raise ProbabilityError(
            f"There are {codes.shape[1]} columns, but numbers of states for "
            f"{len(n_states)}."
        )
    if n_rows is not None and len(codes) != n_rows:
        raise ProbabilityError(
            f"There are {len(codes)} rows, but classes for {n_rows}."
        )
    if codes.size:
        too_large = codes.max(axis=0) >= n_states
        if too_large.any():
            m = int(np.argmax(too_large))
            row = int(np.argmax(codes[:, m] >= n_states[m]))
            raise ProbabilityError(
                f"The code in row {row} of column {m} is {codes[row, m]}; "
                f"with {n_states[m]} states the codes are 0 to "
                f"{n_states[m] - 1}."
            )
    return codes, n_states
