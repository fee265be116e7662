"""Tables as text and as HTML: which rows are shown, with which digits."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from bayesbook.base.numbers import FLOAT_TOLERANCE, decimal

# What is shown of a table before it is cut.
_ROWS, _COLUMNS = 24, 12
# A fraction with such a denominator is shown as a decimal.
_ENDLESS = 10**30


class Grid(NamedTuple):
    """A table as texts: a row for each configuration of some variables."""

    #: The variables whose states begin the rows.
    named: list[str]
    #: How many rows go by until the state of each changes.
    periods: list[int]
    #: The variable whose states are the columns, or None: then there is one
    #: column of numbers.
    across: str | None
    #: The states of that variable, or the title of the only column.
    columns: list[str]
    rows: list[list[str]]
    #: What is left out, in words; often nothing.
    cut: Sequence[str] = ()


def grid_of(
    values: np.ndarray, states: Mapping[str, Sequence[Hashable]]
) -> Grid:
    """Return a table as texts; the last variable is that of the columns."""
    *named, last = states
    across: str | None = last
    columns = [str(state) for state in states[last]]
    if len(columns) > _COLUMNS:
        named, across, columns = [*named, last], None, ["P"]
    sizes = [len(states[name]) for name in named]
    values = values.reshape(-1, len(columns))
    keys = product(*(map(str, states[name]) for name in named))
    shown = _aligned(values[:_ROWS])
    return Grid(
        named,
        [prod(sizes[i + 1 :]) for i in range(len(sizes))],
        across,
        columns,
        [[*key, *row] for key, row in zip(keys, shown, strict=False)],
        [f"… {len(values)} rows"] if len(values) > _ROWS else [],
    )


def as_text(title: str, grid: Grid) -> str:
    """Return a grid as aligned lines of text under a title."""
    variable = f"{grid.across}=" if grid.across is not None else ""
    columns = [f"{variable}{column}" for column in grid.columns]
    lines = [[*grid.named, *columns], *grid.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = [
        "  ".join(
            cell.ljust(width) if i < len(grid.named) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in lines
    ]
    return "\n".join([title, *map(str.rstrip, aligned), *grid.cut])


def as_html(title: str, grid: Grid) -> str:
    """Return a grid as an HTML table with a caption.

    A name stands once above its states, and a state once beside its rows.
    """
    depth = 1 if grid.across is None else 2
    heads = [_head(name, "col", rowspan=depth) for name in grid.named]
    columns = [_head(column, "col") for column in grid.columns]
    if grid.across is None:
        above = [[*heads, *columns]]
    else:
        name = _head(grid.across, "col", colspan=len(columns))
        above = [[*heads, name], columns]
    return "\n".join(
        [
            '<table class="dataframe probability-table">',
            f"<caption>{escape(title)}</caption>",
            "<thead>",
            *map(_row, above),
            "</thead>",
            "<tbody>",
            *(_row(_cells(grid, i)) for i in range(len(grid.rows))),
            "</tbody>",
            "</table>",
            *(f"<p>{line}</p>" for line in grid.cut),
        ]
    )


def _cells(grid: Grid, i: int) -> list[str]:
    """Return a row as cells of HTML, without states that go on from above."""
    n_left = len(grid.rows) - i
    n_named = len(grid.named)
    states = zip(grid.rows[i][:n_named], grid.periods, strict=True)
    return [
        _head(state, "row", rowspan=min(period, n_left))
        for state, period in states
        if i % period == 0
    ] + [f"<td>{escape(number)}</td>" for number in grid.rows[i][n_named:]]


def _head(text: str, scope: str, **spans: int) -> str:
    """Return a header cell; a span of 1 needs no words."""
    words = "".join(f' {k}="{n}"' for k, n in spans.items() if n > 1)
    return f'<th scope="{scope}"{words}>{escape(text)}</th>'


def _row(cells: Iterable[str]) -> str:
    return f"<tr>{''.join(cells)}</tr>"


def _aligned(rows: np.ndarray) -> list[list[str]]:
    """Return rows of numbers with the decimals they need, up to four."""
    if rows.dtype == object:
        return [[*map(digits, row)] for row in rows]
    decimals = next(
        k
        for k in range(5)
        if k == 4 or np.allclose(rows, rows.round(k), 0, FLOAT_TOLERANCE)
    )
    return [
        [
            # Small numbers must not look like zero.
            digits(p) if 0 < p < 5e-5 else f"{p:.{decimals}f}"
            for p in row
        ]
        for row in rows.tolist()
    ]


def readable(number: Fraction | float) -> str:
    """Return a number; a long fraction with its decimal."""
    if isinstance(number, Fraction) and 1000 < number.denominator < _ENDLESS:
        return f"{number} ≈ {float(number):.4g}"
    return digits(number)


def digits(number: Fraction | float) -> str:
    """Return a fraction as it is unless it is endless, a float in short."""
    if not isinstance(number, Fraction):
        return f"{number:.4g}"
    if number.denominator < _ENDLESS:
        return str(number)
    return f"{decimal(number):.4g}"
