"""Many rows: columns are packed together before they are looked up.

Four columns with four states each are one column with 256 states. Only a
quarter of the columns has to be looked up, and the tables of the single
columns are sums over the joint ones. What is computed here is defined in
:mod:`bayesbook.data.counts`, where few rows are counted directly.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod

import numpy as np

from bayesbook.data.coded_rows import offsets
from bayesbook.data.row_blocks import chunks, enough_rows

# Rows that are looked up together, so that they stay in the cache.
_FEW_ROWS = 2048

# The joint code of packed columns fits into a byte.
_PACKED = 256

# Columns that are looked up together.
_COLUMNS = 512


def count_packed(codes, y, n_states, n_classes, weights):
    """Return what `count_states` returns, of arguments that are checked."""
    starts = offsets(n_states)
    table = np.zeros((n_classes, starts[-1]))
    shapes = _with_missing(codes, n_states)
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
                single = counts.sum(axis=tuple(others))
                known = single[:, : n_states[m]]
                table[:, starts[m] : starts[m + 1]] += known
    return table


def sum_packed(codes, table, n_states):
    """Return what `sum_entries` returns, of arguments that are checked."""
    starts = offsets(n_states)
    result = np.zeros((len(codes), len(table)))
    for block in chunks(len(n_states), _COLUMNS):
        entries = table[:, starts[block.start] : starts[block.stop]]
        _add_block(result, codes[:, block], entries, n_states[block])
    return result


def _add_block(result, codes, table, n_states):
    """Add the entries of some columns to the sums of the rows."""
    starts = offsets(n_states)
    shapes = _with_missing(codes, n_states)
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
    """Add up the tables of some columns, for all their joint states."""
    joint = np.zeros((1, len(columns[0])))
    for table in columns:
        joint = (joint[:, None, :] + table.T).reshape(-1, len(table))
    # In another order `np.take` would copy the table for every few rows.
    return np.ascontiguousarray(joint)


def _pack(codes, n_states, shapes, groups):
    """Yield each group with the joint code of its columns in each row."""
    largest = max(prod(shapes[group]) for group in groups)
    columns = codes.T
    if shapes != n_states:
        columns = np.where(columns < 0, np.array(n_states)[:, None], columns)
    columns = np.ascontiguousarray(
        columns, dtype=np.min_scalar_type(largest - 1)
    )
    # A column of 256 states may overflow a byte: 256 becomes 0. It is packed
    # only with columns of a single state, whose codes are 0.
    factors = np.array(shapes).astype(columns.dtype)
    for group in groups:
        first, *others = range(group.start, group.stop)
        packed = columns[first]
        for m in others:
            packed = packed * factors[m] + columns[m]
        yield group, packed


def _with_missing(codes, n_states):
    """Return the numbers of states; a missing value is a further, last one."""
    return [size + 1 for size in n_states] if codes.min() < 0 else n_states


def _groups(shapes):
    """Group columns that have few enough joint states."""
    groups, start = [], 0
    for stop in range(1, len(shapes) + 1):
        if prod(shapes[start : stop + 1]) > _PACKED or stop == len(shapes):
            groups.append(slice(start, stop))
            start = stop
    return groups
