"""The house style of the book's figures, and a description for each.

A figure made here shows itself twice: as a picture, and as a text that says
what is in the picture (titles, labels, limits, and for every artist how many
values it shows and their mean, spread and range). The text is what a screen
reader or a terminal gets, and what a test can compare without looking.

>>> fig, ax = subplots()
>>> _ = ax.plot([1, 2, 3], [2, 4, 6], label="twice")
>>> _ = ax.set(title="Doubling", xlabel="x", ylabel="2x")
>>> print(describe(fig))
Figure, 7 × 3.6 in
Axes "Doubling"
  x "x": 0.9 to 3.1
  y "2x": 1.8 to 6.2
  line "twice", #0072b2 -: x n=3 mean=2 sd=0.8165 min=1 max=3;
    y n=3 mean=4 sd=1.633 min=2 max=6
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

__all__ = [
    "BLUE",
    "FILLS",
    "GREEN",
    "GREY",
    "HATCHES",
    "INK",
    "ORANGE",
    "PALE",
    "PURPLE",
    "SKY",
    "BookFigure",
    "describe",
    "grouped_bars",
    "legend_below",
    "subplots",
    "use_house_style",
]

# Okabe and Ito's colours, told apart with every common colour blindness; the
# order alternates dark and light, so that they also differ in grey.
BLUE = "#0072b2"
ORANGE = "#e69f00"
GREEN = "#009e73"
PURPLE = "#cc79a7"
SKY = "#56b4e9"
INK = "#222222"
GREY = "#6b6b6b"
PALE = "#e8e8e8"
# Areas of the first, second, ... group: a pale colour with a hatching.
FILLS = ("#7fb8d8", "#f5d08a", "#8fd0ba", "#e6bcd3")
HATCHES = ("///", "...", "xx", "\\\\")

_DPI = 144
_WIDTH = 7.0  # inches: the text column of the page
_STYLE = {
    # DejaVu Sans comes with matplotlib: the same letters on any machine.
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "dejavusans",
    "font.size": 10.5,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.prop_cycle": (
        cycler(color=[BLUE, ORANGE, GREEN, PURPLE, SKY])
        + cycler(linestyle=["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1))])
    ),
    "text.color": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": PALE,
    "lines.linewidth": 2.0,
    "lines.markersize": 7.0,
    "legend.frameon": False,
    # White and opaque: legible on a dark page too.
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.transparent": False,
    "figure.dpi": _DPI,
    "savefig.dpi": _DPI,
    "figure.constrained_layout.use": True,
}


def use_house_style() -> None:
    """Make the book's style the default of matplotlib from here on.

    Examples
    --------
    >>> use_house_style()
    >>> mpl.rcParams["axes.spines.top"]
    False
    """
    mpl.rcParams.update(_STYLE)


class BookFigure(Figure):
    """A matplotlib figure that shows a picture and its description."""

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Give Jupyter the picture and the text, and the size to show it."""
        width, height = (self.get_size_inches() * 100).round().astype(int)
        data = {"image/png": self._png(), "text/plain": describe(self)}
        size = {"width": int(width), "height": int(height)}
        return data, {"image/png": size}

    def _png(self) -> bytes:
        buffer = io.BytesIO()
        # Without the Software line, which names matplotlib's version.
        self.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()


def subplots(nrows=1, ncols=1, *, width=_WIDTH, height=3.6, **kwargs):
    """Make a figure in the house style, as ``matplotlib.pyplot.subplots``.

    Parameters
    ----------
    nrows, ncols : int
        How many axes below and beside each other.
    width, height : float
        Of the whole figure, in inches; the page's column is 7 inches wide.
    **kwargs
        Passed on to :meth:`matplotlib.figure.Figure.subplots`.

    Returns
    -------
    fig : BookFigure
        Put it on the last line of a cell to show it.
    axes : Axes or array of Axes

    Examples
    --------
    >>> fig, (left, right) = subplots(1, 2, height=3)
    >>> len(fig.axes)
    2
    """
    use_house_style()
    fig = BookFigure(figsize=(width, height))
    return fig, fig.subplots(nrows, ncols, **kwargs)


def grouped_bars(
    ax: Axes, categories: Sequence[str], groups: Mapping[str, Iterable[float]]
) -> None:
    """Draw a bar for each group side by side over every category.

    Parameters
    ----------
    ax : Axes
    categories : sequence of str
        Labels of the x axis.
    groups : mapping of name to numbers
        At most four groups; as many heights as there are categories.

    Examples
    --------
    >>> fig, ax = subplots(height=2)
    >>> grouped_bars(ax, ["A", "B"], {"men": [0.3, 0.2], "women": [0.1, 0.5]})
    >>> len(ax.patches)
    4
    """
    width = 0.8 / len(groups)
    for i, (name, heights) in enumerate(groups.items()):
        shift = (i - (len(groups) - 1) / 2) * width
        ax.bar(
            [x + shift for x in range(len(categories))],
            [float(height) for height in heights],
            width=0.95 * width,
            color=FILLS[i],
            hatch=HATCHES[i],
            edgecolor=INK,
            linewidth=0.8,
            label=name,
        )
    ax.set_xticks(range(len(categories)), categories)


def legend_below(fig: Figure, *, ncols: int = 4) -> None:
    """Draw one legend for all axes of a figure, below them.

    Parameters
    ----------
    fig : Figure
        Artists with the same label in several axes share an entry.
    ncols : int
        Entries in a row.

    Examples
    --------
    >>> fig, axes = subplots(1, 2, height=2)
    >>> for ax in axes:
    ...     _ = ax.plot([0, 1], [0, 1], label="the same line")
    >>> legend_below(fig)
    >>> [text.get_text() for text in fig.legends[0].get_texts()]
    ['the same line']
    """
    handles = {}
    for ax in fig.axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    fig.legend(
        handles.values(), handles, loc="outside lower center", ncols=ncols
    )


def describe(fig: Figure) -> str:
    """Describe in plain text what a figure shows.

    The numbers have four significant digits, few enough to be the same on
    every machine, and enough to differ when the picture does.

    Parameters
    ----------
    fig : matplotlib.figure.Figure

    Returns
    -------
    str
        A line for the figure, and for each of its axes the title, labels,
        limits and a line for each artist.

    Examples
    --------
    >>> fig, ax = subplots(height=2)
    >>> _ = ax.set_title("Nothing yet")
    >>> print(describe(fig))
    Figure, 7 × 2 in
    Axes "Nothing yet"
      x: 0 to 1
      y: 0 to 1
    """
    width, height = fig.get_size_inches()
    lines = [f"Figure, {_digits(width)} × {_digits(height)} in"]
    if title := fig.get_suptitle():
        lines.append(f"Title {_quote(title)}")
    for axes in fig.axes:
        lines += _describe_axes(axes)
    lines += [_describe_legend(legend) for legend in fig.legends]
    return "\n".join(lines)


def _describe_axes(axes):
    title = axes.get_title(loc="left") or axes.get_title()
    yield f"Axes {_quote(title)}" if title else "Axes"
    if axes.axison:
        yield _describe_scale("x", axes.get_xlabel(), axes.xaxis)
        yield _describe_scale("y", axes.get_ylabel(), axes.yaxis)
    for line in axes.lines:
        yield f"  line{_name(line)}, {_line_look(line)}: " + _statistics(
            # Categories and dates as the numbers that they are drawn at.
            x=line.get_xdata(orig=False),
            y=line.get_ydata(orig=False),
        )
    for look, patches in _groups(axes.patches, key=_patch_look).items():
        x, y = np.concatenate([_box(patch) for patch in patches]).T
        yield f"  {len(patches)} {look}: " + _statistics(x=x, y=y)
    for collection in axes.collections:
        x, y = _points(collection).T
        yield f"  {_collection_look(collection)}: " + _statistics(x=x, y=y)
    for image in axes.images:
        yield f"  image{_name(image)}: " + _statistics(
            values=image.get_array()
        )
    if texts := [text.get_text() for text in axes.texts if text.get_text()]:
        yield "  text: " + " | ".join(_one_line(text) for text in texts)
    if legend := axes.get_legend():
        yield f"  {_describe_legend(legend)}"


def _describe_legend(legend):
    entries = [_one_line(text.get_text()) for text in legend.get_texts()]
    return "legend: " + " | ".join(entries)


def _groups(items, key):
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _describe_scale(letter, label, axis):
    low, high = axis.get_view_interval()
    name = f" {_quote(label)}" if label else ""
    scale = "" if axis.get_scale() == "linear" else f", {axis.get_scale()}"
    return f"  {letter}{name}: {_digits(low)} to {_digits(high)}{scale}"


def _statistics(**data):
    parts = []
    for name, values in data.items():
        values = np.asarray(values, dtype=float).ravel()
        values = values[np.isfinite(values)]
        part = f"{name} n={values.size}"
        if values.size:
            scale = np.abs(values).max()
            part += "".join(
                f" {statistic}={_digits(number, scale)}"
                for statistic, number in (
                    ("mean", values.mean()),
                    ("sd", values.std()),
                    ("min", values.min()),
                    ("max", values.max()),
                )
            )
        parts.append(part)
    return ";\n    ".join(parts)


def _digits(number, scale=1.0):
    # Rounding noise around zero is zero, whatever the machine makes of it.
    return f"{0.0 if abs(number) < 1e-9 * scale else number:.4g}"


def _line_look(line):
    look = [to_hex(line.get_color())]
    look += [
        str(value)
        for value in (line.get_linestyle(), line.get_marker())
        if value not in ("None", "", None)
    ]
    return " ".join(look)


def _box(patch):
    """Give two opposite corners of the patch, in data units: (2, 2)."""
    path = patch.get_path().transformed(patch.get_patch_transform())
    return path.get_extents().get_points()


def _points(collection):
    """Give the positions of markers, or else vertices of areas, lines."""
    if isinstance(collection, PathCollection):
        return np.ma.filled(collection.get_offsets(), np.nan)
    return np.concatenate([path.vertices for path in collection.get_paths()])


def _collection_look(collection):
    kind = type(collection).__name__.lower()
    colours = sorted({to_hex(c) for c in collection.get_facecolor()})
    return f"{kind}{_name(collection)}, {' '.join(colours[:3])}"


def _patch_look(patch):
    kind = type(patch).__name__.lower()
    hatch = f" {patch.get_hatch()}" if patch.get_hatch() else ""
    edge = f"edge {to_hex(patch.get_edgecolor())} {patch.get_linewidth():g}"
    return (
        f"{kind}{_name(patch)}, {to_hex(patch.get_facecolor())}{hatch}, {edge}"
    )


def _name(artist):
    label = str(artist.get_label())
    # matplotlib's own labels, such as _child3, begin with an underscore.
    return "" if label[:1] in ("", "_") else f" {_quote(label)}"


def _quote(text):
    return f'"{_one_line(text)}"'


def _one_line(text):
    return " ".join(text.split())
