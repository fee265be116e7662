"""Rows that are counted block by block, and the counts added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

#: Rows that are counted together.
CHUNK = 16_384


def chunks(n: int, size: int = CHUNK) -> Iterator[slice]:
    """Yield slices of n rows, each of at most `size` rows."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def enough_rows(n_cells: int, n_columns: int) -> int:
    """Return how many rows to count at a time, beside tables of `n_cells`.

    Each chunk passes through the whole tables. If the rows have as many codes
    as the tables have cells, that costs no more than the rows do, and the
    rows need no more memory than the tables.
    """
    return max(CHUNK, n_cells // n_columns)


def add_tables(
    parts: Iterable[Sequence[np.ndarray]],
) -> list[np.ndarray] | None:
    """Return the sums of lists of tables, and leave the tables as they are."""
    total: list[np.ndarray] | None = None
    for tables in parts:
        if total is None:
            # Also the count of no variables, a number, becomes an array.
            total = [np.array(table) for table in tables]
        else:
            for table, new in zip(total, tables, strict=True):
                np.add(table, new, out=table)
    return total
