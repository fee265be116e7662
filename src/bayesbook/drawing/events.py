"""Pictures of events and tables: grids, unit squares, trees, people.

Each function draws into the axes that it is given, so that a chapter can put
two pictures side by side. Areas and counts are to scale, and no meaning rests
on colour alone: markers and hatching show the same.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from bayesbook.base import ProbabilityError
from bayesbook.base.numbers import Number
from bayesbook.drawing.figures import BLUE, FILLS, GREY, HATCHES, INK, ORANGE
from bayesbook.probability import ProbabilitySpace, Table, two_stage
from bayesbook.probability.hypotheses import read_evidence

__all__ = ["event_grid", "heat_map", "people", "tree", "unit_square"]

# The marks of four groups of people, such as the two states crossed with the
# two results of a test: the shape shows the state, the filling the result.
_MARKS = (
    ("s", BLUE, "full"),
    ("o", ORANGE, "full"),
    ("s", BLUE, "none"),
    ("o", GREY, "none"),
)
# Thin dark lines, whatever frames them; before matplotlib 3.11, which heeds
# both settings, a hatching has the colour of its frame.
_HATCHING: dict[Any, Any] = {"hatch.color": INK, "hatch.linewidth": 0.5}


def event_grid(
    ax: Axes,
    rows: Sequence,
    columns: Sequence,
    event: tuple[str, Collection],
    given: tuple[str, Collection],
    *,
    label: Callable[[Any, Any], object] = lambda row, column: "",
    conditioned: bool = False,
) -> None:
    """Draw outcomes (row, column) as cells: one event hatched, one framed.

    The names of the events are labels for a legend; draw it with
    :func:`bayesbook.drawing.legend_below`.

    Parameters
    ----------
    ax : Axes
    rows, columns : sequences
        First and second parts of the outcomes; the first row is at the
        bottom.
    event : (name, outcomes)
        Hatched cells.
    given : (name, outcomes)
        Cells in a thick frame.
    label : callable, optional
        ``label(row, column)`` is written into the cell.
    conditioned : bool
        Whether `given` has occurred: the outcomes outside it are emptied.

    Raises
    ------
    ProbabilityError
        If an outcome of `event` or `given` is not in the grid.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=3)
    >>> event_grid(ax, "ab", "xy", ("A", {("a", "x")}), ("B", {("a", "y")}))
    >>> ax.get_legend_handles_labels()[1]
    ['A', 'B']
    """
    grid = ProbabilitySpace.uniform(product(rows, columns))
    hatched_cells, framed_cells = grid.event(event[1]), grid.event(given[1])
    cells = list(product(enumerate(rows), enumerate(columns)))
    # Framed cells last, so that no neighbour covers a frame.
    cells.sort(key=lambda cell: (cell[0][1], cell[1][1]) in framed_cells)
    for (y, row), (x, column) in cells:
        hatched = (row, column) in hatched_cells
        framed = (row, column) in framed_cells
        impossible = conditioned and not framed
        with mpl.rc_context(_HATCHING):
            cell = Rectangle(
                (x - 0.46, y - 0.46),
                0.92,
                0.92,
                facecolor=FILLS[0] if hatched and not impossible else "white",
                hatch=HATCHES[0] if hatched and not impossible else None,
                edgecolor=INK
                if framed
                else "#d5d5d5"
                if impossible
                else "#a0a0a0",
                linewidth=2.2 if framed else 0.8,
            )
        ax.add_patch(cell)
        if not impossible:
            # A white pad keeps the number legible on the hatching.
            text = str(label(row, column))
            pad = {"boxstyle": "round,pad=0.12", "fc": "white", "ec": "none"}
            box = pad if hatched and text else None
            ax.text(x, y, text, ha="center", va="center", bbox=box)
    # Two cells of no size carry the names into a legend.
    looks: list[dict[str, Any]] = [
        {"facecolor": FILLS[0], "hatch": HATCHES[0]},
        {"facecolor": "white", "edgecolor": INK, "linewidth": 2.2},
    ]
    for (name, _), look in zip([event, given], looks, strict=True):
        ax.add_patch(Rectangle((0, 0), 0, 0, label=name, **look))
    ax.set(
        xlim=(-0.6, len(columns) - 0.4),
        ylim=(-0.6, len(rows) - 0.4),
        xticks=range(len(columns)),
        yticks=range(len(rows)),
        aspect="equal",
    )
    ax.set_xticklabels(columns)
    ax.set_yticklabels(rows)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def heat_map(
    ax: Axes,
    table: Table,
    *,
    label: Callable[[Any], str] = lambda p: "",
    corner: bool = False,
) -> None:
    """Draw a table of two variables as cells, darker the more probable.

    The states of the first variable run to the right, those of the second
    upwards; cell (i, j) has its centre at the point (i, j).

    Parameters
    ----------
    ax : Axes
    table : Table
        Of two variables; joint or conditional.
    label : callable, optional
        ``label(probability)`` is written into each cell that has a positive
        probability, so that colour is not needed to read it.
    corner : bool
        Write it small into the upper left corner of the cell, so that the
        middle is free for a curve over the map.

    Raises
    ------
    ProbabilityError
        If the table has another number of variables than two.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=3)
    >>> p = Table([["1/2", "1/4"], [0, "1/4"]], {"Y": "ab", "X": (0, 1)})
    >>> heat_map(ax, p, label=str)
    >>> [text.get_text() for text in ax.texts]
    ['1/2', '1/4', '1/4']
    """
    if len(table.variables) != 2:
        raise ProbabilityError(
            f"{table.title} has {len(table.variables)} variables; a heat map "
            "shows two: give the marginal of two, or condition on the others."
        )
    # The last axis of an image runs to the right.
    image = np.array(table.values.T, dtype=float)
    # Only the paler blues, on which dark letters can be read.
    ax.imshow(
        image, cmap="Blues", origin="lower", vmin=0, vmax=image.max() / 0.6
    )
    where: dict[str, Any] = {"ha": "center", "va": "center"}
    shift: float = 0
    if corner:
        where = {"ha": "left", "va": "top", "fontsize": "small"}
        shift = 0.45
    for (i, j), p in np.ndenumerate(table.values):
        if p > 0:
            ax.text(i - shift, j + shift, label(p), **where)
    (across, columns), (up, rows) = table.states.items()
    ax.set(xlabel=across, ylabel=up)
    ax.set_xticks(range(len(columns)), cast(Sequence[str], columns))
    ax.set_yticks(range(len(rows)), cast(Sequence[str], rows))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def unit_square(
    ax: Axes,
    prior: Mapping[Any, Number],
    likelihood: Mapping[Any, Number],
    *,
    evidence: str = "evidence",
    labels: bool = True,
    look: int | None = None,
) -> None:
    """Draw prior and likelihood as areas of a square of area one.

    Each hypothesis is a column as wide as its prior; its hatched part is as
    high as its likelihood. A hatched area is then a joint probability, all
    of them together are the total probability of the evidence, and a share
    of the hatched area is a posterior.

    Parameters
    ----------
    ax : Axes
    prior, likelihood : mapping of hypothesis to probability
        As for :func:`bayesbook.probability.bayes_rule`.
    evidence : str
        What the hatched areas stand for; the label of the y axis.
    labels : bool
        Whether to write the name of each hypothesis above its column.
    look : int, optional
        Fill all columns like the column of this number; without it each of
        at most four has a filling of its own.

    Raises
    ------
    ProbabilityError
        As :func:`bayesbook.probability.total_probability`.
    ValueError
        If more than four hypotheses should have fillings of their own, which
        cannot be told apart.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=3)
    >>> unit_square(ax, {"h": 0.3, "not h": 0.7}, {"h": 0.8, "not h": 0.1})
    >>> len(ax.patches)
    4
    """
    widths, heights, _ = read_evidence(prior, likelihood)
    if look is None and len(widths) > len(FILLS):
        raise ValueError(
            f"{len(widths)} hypotheses are too many: at most {len(FILLS)} "
            "fillings can be told apart. Give all the same one with `look`."
        )
    left = 0.0
    for i, hypothesis in enumerate(widths):
        width, height = float(widths[hypothesis]), float(heights[hypothesis])
        filling = (i if look is None else look) % len(FILLS)
        colour, hatch = FILLS[filling], HATCHES[filling]
        for top, face, pattern in (
            (1, "white", None),
            (height, colour, hatch),
        ):
            with mpl.rc_context(_HATCHING):
                area = Rectangle(
                    (left, 0),
                    width,
                    top,
                    edgecolor=INK,
                    linewidth=1,
                    facecolor=face,
                    hatch=pattern,
                )
            ax.add_patch(area)
        if labels:
            ax.text(left + width / 2, 1.03, str(hypothesis), ha="center")
        left += width
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="prior", ylabel=evidence)
    ax.set_xticks([0, 1])
    ax.set_yticks([0, 1])
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)


def tree(
    ax: Axes,
    first: Mapping[Any, Number],
    second: Mapping[Any, Mapping[Any, Number]],
    *,
    stages: tuple[str, str] = ("", ""),
) -> None:
    """Draw a two-stage experiment as a tree with its products at the leaves.

    Parameters
    ----------
    ax : Axes
    first, second : mappings
        As for :func:`bayesbook.probability.two_stage`.
    stages : pair of str
        Headings of the two columns of branches.

    Raises
    ------
    ProbabilityError
        As :func:`bayesbook.probability.two_stage`.

    Examples
    --------
    >>> from fractions import Fraction as F
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=3)
    >>> half = {"H": F(1, 2), "T": F(1, 2)}
    >>> tree(ax, half, {"H": half, "T": half})
    >>> "1/2 × 1/2 = 1/4" in [text.get_text() for text in ax.texts]
    True
    """
    leaves = list(two_stage(first, second))
    roots = ProbabilitySpace(first)
    branches = {a: ProbabilitySpace(second[a]) for a in roots}
    height = {leaf: -float(i) for i, leaf in enumerate(leaves)}
    for a, p in roots.items():
        y = float(np.mean([height[leaf] for leaf in leaves if leaf[0] == a]))
        root = (min(height.values())) / 2
        _branch(ax, (0, root), (1, y), p)
        for b, q in branches[a].items():
            leaf = height[a, b]
            _branch(ax, (1, y), (2, leaf), q)
            _node(ax, 2, leaf, b)
            ax.text(2.32, leaf, f"{p} × {q} = {p * q}", va="center")
        _node(ax, 1, y, a)
    for x, stage in zip((0.5, 1.5), stages, strict=True):
        ax.text(x, 0.75, stage, ha="center", style="italic", color=GREY)
    ax.set(xlim=(-0.05, 3.2), ylim=(-len(leaves) + 0.5, 1.0))
    ax.set_axis_off()


def _branch(ax, start, end, probability):
    (x0, y0), (x1, y1) = start, end
    ax.plot([x0, x1], [y0, y1], color=GREY, linewidth=1.4, linestyle="-")
    ax.text(
        0.45 * x0 + 0.55 * x1,
        0.45 * y0 + 0.55 * y1,
        str(probability),
        ha="center",
        va="center",
        bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"},
    )


def _node(ax, x, y, name):
    ax.text(
        x,
        y,
        name,
        ha="center",
        va="center",
        weight="bold",
        bbox={"boxstyle": "round,pad=0.3", "fc": "white", "ec": GREY},
    )


def people(ax: Axes, groups: Mapping[str, int], *, columns: int = 50) -> None:
    """Draw a mark for each person, a kind of mark for each group.

    The first two groups are filled squares and circles, the other two hollow
    ones. Names and counts are labels for a legend.

    Parameters
    ----------
    ax : Axes
    groups : mapping of name to count
        At most four groups, drawn in this order from the top left.
    columns : int
        People in a row, at least one.

    Raises
    ------
    ValueError
        If there are more than four groups, which cannot be told apart; if a
        count is not a whole number, or `columns` not one from 1 on.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=2)
    >>> people(ax, {"ill": 3, "well": 97}, columns=20)
    >>> len(ax.lines[1].get_xdata())
    97
    """
    if len(groups) > len(_MARKS):
        raise ValueError(
            f"{len(groups)} groups are too many: at most "
            f"{len(_MARKS)} kinds of marks can be told apart."
        )
    for name, count in groups.items():
        if not _is_whole(count) or count < 0:
            raise ValueError(
                f"Group {name!r} has {count!r} people: it needs a whole "
                "number, at least 0."
            )
    if not _is_whole(columns) or columns < 1:
        raise ValueError(
            f"A row of {columns!r} people cannot be drawn: it needs a whole "
            "number, at least 1."
        )
    start = 0
    for (name, count), (marker, colour, fill) in zip(
        groups.items(), _MARKS, strict=False
    ):
        rows, places = np.divmod(np.arange(start, start + count), columns)
        ax.plot(
            places,
            -rows,
            linestyle="none",
            marker=marker,
            markersize=4.6,
            color=colour,
            fillstyle=fill,
            markeredgewidth=0.9,
            label=f"{count} {name}",
        )
        start += count
    ax.set_aspect("equal")
    ax.set_axis_off()


def _is_whole(number):
    # True is an integer for Python, but not a number of people.
    return isinstance(number, numbers.Integral) and not isinstance(
        number, bool
    )
