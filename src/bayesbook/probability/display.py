"""Tables as text and as HTML: which rows are shown, with which digits."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import product
from typing import NamedTuple

import numpy as np

from bayesbook.base.numbers import FLOAT_TOLERANCE, decimal

# What is shown of a table before it is cut.
_ROWS, _COLUMNS = 24, 12
# A fraction with such a denominator is shown as a decimal.
_ENDLESS = 10**30


class Grid(NamedTuple):
    """A table as texts, in rows."""

    #: How many columns hold states and not numbers.
    n_named: int
    titles: list[str]
    rows: list[list[str]]
    #: What is left out, in words; often nothing.
    cut: list[str]


def grid_of(
    values: np.ndarray, states: Mapping[str, Sequence[Hashable]]
) -> Grid:
    """Return a table as texts; the last variable is that of the columns."""
    *others, last = states
    if len(states[last]) > _COLUMNS:
        named, columns = [*others, last], ["P"]
    else:
        named = others
        columns = [f"{last}={state}" for state in states[last]]
    values = values.reshape(-1, len(columns))
    keys = product(*(map(str, states[name]) for name in named))
    shown = _aligned(values[:_ROWS])
    rows = [[*key, *row] for key, row in zip(keys, shown, strict=False)]
    cut = [f"… {len(values)} rows"] if len(values) > _ROWS else []
    return Grid(len(named), [*named, *columns], rows, cut)


def as_text(title: str, grid: Grid) -> str:
    """Return a grid as aligned lines of text under a title."""
    lines = [grid.titles, *grid.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = [
        "  ".join(
            cell.ljust(width) if i < grid.n_named else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in lines
    ]
    return "\n".join([title, *map(str.rstrip, aligned), *grid.cut])


def as_html(title: str, grid: Grid) -> str:
    """Return a grid as an HTML table with a caption."""
    return "\n".join(
        [
            '<table class="dataframe probability-table">',
            f"<caption>{escape(title)}</caption>",
            "<thead>",
            _html_row(grid.titles, len(grid.titles), "col"),
            "</thead>",
            "<tbody>",
            *(_html_row(row, grid.n_named, "row") for row in grid.rows),
            "</tbody>",
            "</table>",
            *(f"<p>{line}</p>" for line in grid.cut),
        ]
    )


def _html_row(cells: Sequence[str], heads: int, scope: str) -> str:
    """Return a row of HTML; its first cells are headers."""
    shown = [
        f'<th scope="{scope}">{escape(cell)}</th>'
        if i < heads
        else f"<td>{escape(cell)}</td>"
        for i, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(shown)}</tr>"


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
