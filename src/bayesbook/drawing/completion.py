"""What axes of a grid leave to others, and need where they stand alone.

In a grid one title, one label and the numbers of one axis can hold for a whole
row or column. A phone shows the axes one below the other: there each of them
has to say all of that itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

__all__ = ["Name", "completed", "lacks_numbers", "stands_in_a_row"]

_SIDES = {"x": ("bottom", "top"), "y": ("left", "right")}
_TITLES: dict[Any, str] = {
    "left": "_left_title",
    "center": "title",
    "right": "_right_title",
}

Name = Literal["x", "y"]  # of an axis
_WIDE = 6.0  # inches

Grid = dict[tuple[int, int], Axes]
# Changes the axes, and notes how that is undone.
Change = Callable[[ExitStack], None]


@contextmanager
def completed(fig: Figure) -> Iterator[bool]:
    """Write into all axes what they lack, while a block runs.

    Yields whether any of them lacked something. Nothing is moved.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, axes = subplots(2, 2, sharex=True)
    >>> for ax, name in zip(axes[0], ("before", "after"), strict=True):
    ...     _ = ax.set_title(name)
    >>> with completed(fig) as lacking:
    ...     print(lacking, axes[1, 1].get_title("left"))
    True after
    >>> axes[1, 1].get_title("left")
    ''
    """
    grids: dict[int, Grid] = {}
    for ax in fig.axes:
        spec = ax.get_subplotspec()
        if spec is not None and ax.get_visible():
            place = spec.rowspan.start, spec.colspan.start
            # Axes that lie upon others, such as twins, come after them.
            grids.setdefault(id(spec.get_gridspec()), {}).setdefault(place, ax)
    # All is found out before anything changes. A label of all axes becomes a
    # blank, which is drawn, so that there are as many artists as before.
    changes = [
        change
        for grid in grids.values()
        for place, ax in sorted(grid.items())
        if ax.axison and stands_in_a_row(ax)
        for change in _lacking(fig, grid, place)
    ]
    with ExitStack() as undo:
        if changes:
            undo.callback(fig.set_layout_engine, fig.get_layout_engine())
            fig.set_layout_engine("none")
        for change in changes:
            change(undo)
        yield bool(changes)


def stands_in_a_row(ax: Axes) -> bool:
    """Return whether a narrow page has to put axes below their neighbours.

    A figure that is made narrower than the page's column stays as it is.
    """
    spec, figure = ax.get_subplotspec(), ax.get_figure(root=True)
    return (
        spec is not None
        and spec.get_gridspec().ncols > 1
        and figure is not None
        and figure.get_figwidth() > _WIDE
    )


def lacks_numbers(ax: Axes, name: Name) -> bool:
    """Return whether an axis, "x" or "y", has no numbers at any side."""
    axis = ax.xaxis if name == "x" else ax.yaxis
    shown: dict[str, Any] = axis.get_tick_params()
    return not any(shown.get(f"label{side}") for side in _SIDES[name])


# --- What is lacking ------------------------------------------------------


def _lacking(
    fig: Figure, grid: Grid, place: tuple[int, int]
) -> Iterator[Change]:
    ax = grid[place]
    head = None if _has_title(ax) else _head(grid, place)
    if head is not None:
        yield partial(_give_title, ax, head)
    # A column is read from below and a row from the left, where the numbers
    # are.
    column = [grid[at] for at in sorted(grid)[::-1] if at[1] == place[1]]
    row = [grid[at] for at in sorted(grid) if at[0] == place[0]]
    lines: dict[Name, list[Axes]] = {"x": column, "y": row}
    for name, line in lines.items():
        alike = [other for other in line if _agree(ax, other, name)]
        if lacks_numbers(ax, name) and not all(
            lacks_numbers(other, name) for other in alike
        ):
            yield partial(_give_numbers, ax, name)
        if not _label(ax, name).get_text():
            labels = [_label(other, name) for other in alike]
            labels += _labels_of_all(fig, name)
            source = next((one for one in labels if one.get_text()), None)
            if source is None:
                continue
            yield partial(_write, _label(ax, name), _words_of(source))
            if source in fig.texts:
                yield partial(_write, source, {"text": " "})


def _has_title(ax: Axes) -> bool:
    return any(map(ax.get_title, _TITLES))


def _head(grid: Grid, place: tuple[int, int]) -> Axes | None:
    """Return the axes whose title is that of a whole row or column."""
    first, left = (min(at[i] for at in grid) for i in (0, 1))
    if all(row == first for row, _ in grid):
        return None
    titled = {at for at, ax in grid.items() if _has_title(ax)}
    in_row = {at for at in titled if at[0] == place[0]}
    if in_row:
        begin = place[0], left
        return grid[begin] if in_row == {begin} else None
    if titled == {at for at in grid if at[0] == first}:
        return grid.get((first, place[1]))
    return None


def _agree(ax: Axes, other: Axes, name: Name) -> bool:
    """Return whether an axis of one can be read off that of the other."""
    if ax is other:
        return False
    if name == "x":
        shared, ends = ax.get_shared_x_axes(), Axes.get_xlim
    else:
        shared, ends = ax.get_shared_y_axes(), Axes.get_ylim
    return shared.joined(ax, other) or (
        lacks_numbers(ax, name) and ends(ax) == ends(other)
    )


def _label(ax: Axes, name: Name) -> Text:
    return ax.xaxis.label if name == "x" else ax.yaxis.label


def _labels_of_all(fig: Figure, name: Name) -> list[Text]:
    words = fig.get_supxlabel() if name == "x" else fig.get_supylabel()
    return [text for text in fig.texts if words and text.get_text() == words]


# --- Changes --------------------------------------------------------------


def _give_title(ax: Axes, source: Axes, undo: ExitStack) -> None:
    figure: Any = source.figure
    shift: Any = source.titleOffsetTrans  # type: ignore[attr-defined]
    _, offset = shift.transform((0, 0))
    for at, name in _TITLES.items():
        if words := source.get_title(at):
            size = getattr(source, name).get_fontsize()
            pad = 72 * offset / figure.dpi
            ax.set_title(words, loc=at, pad=pad, fontsize=size)
            undo.callback(ax.set_title, "", loc=at)


def _give_numbers(ax: Axes, name: Name, undo: ExitStack) -> None:
    side = f"label{_SIDES[name][0]}"
    ax.tick_params(axis=name, **{side: True})
    undo.callback(ax.tick_params, axis=name, **{side: False})


def _write(label: Text, look: dict[str, Any], undo: ExitStack) -> None:
    undo.callback(label.set, **_words_of(label))
    label.set(**look)


def _words_of(label: Text) -> dict[str, Any]:
    return {"text": label.get_text(), "fontsize": label.get_fontsize()}
