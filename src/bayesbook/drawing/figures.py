"""The house style of the book's figures.

A figure made here shows itself twice: as a drawing, and as a text that says
what is in the drawing (titles, labels, limits, and for every artist the few
values it shows, or how many there are and their mean, spread, range and ends).
A screen reader or a terminal gets the text, and a test compares it without
looking at the drawing, an SVG that a page can change the colours and the
letters of.

>>> from bayesbook.drawing import describe
>>> fig, ax = subplots()
>>> _ = ax.plot([1, 2, 3], [2, 4, 6], label="twice")
>>> _ = ax.set(title="Doubling", xlabel="x", ylabel="2x")
>>> print(describe(fig))
Figure, 4.75 × 3.6 in
Axes "Doubling"
  x "x": 0.9 to 3.1
  y "2x": 1.8 to 6.2
  line "twice", #0072b2 - 2: x 1 2 3; y 2 4 6
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.colors import to_hex
from matplotlib.container import Container
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Annotation
from PIL import Image
from scipy.optimize import isotonic_regression

from bayesbook.drawing.descriptions import describe

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
    "BookFigure",
    "Drawing",
    "label_lines",
    "legend_below",
    "subplots",
    "use_house_style",
]

# Colours of Okabe and Ito, told apart with every common colour blindness, and
# all of them strong enough on white. Line styles, markers and hatches tell
# the same again.
#: Colour of the first line.
BLUE = "#0072b2"
#: Colour of the second line.
ORANGE = "#d55e00"
#: Colour of the third line.
GREEN = "#009e73"
#: Colour of the fourth line.
PURPLE = "#b8568f"
#: Colour of letters and of outlines.
INK = "#222222"
#: Colour of axes and of lines for reference.
GREY = "#6b6b6b"
#: Colour of grids.
PALE = "#e8e8e8"
#: Pale colours for the areas of the first, second, ... group.
FILLS = ("#7fb8d8", "#f5d08a", "#8fd0ba", "#e6bcd3")
#: Hatchings that tell the same groups apart without colour.
HATCHES = ("///", "...", "xx", "\\\\")
# Letters need more contrast than lines: the colours of labels of lines.
LETTERS = {
    BLUE: BLUE,
    ORANGE: "#b85100",
    GREEN: "#007d5b",
    PURPLE: "#a8477f",
    GREY: GREY,
}

_DPI = 144
# A drawing of more bytes than that, of thousands of points, is shown by its
# pixels: a page loads them when they are needed.
_LARGEST = 64_000
# Inches: the text column of the page, and what leaves letters of nine pixels
# in that of a phone.
_WIDTH, _NARROW = 7.0, 4.75
_LABELS = 9.5  # points: letters at ticks and beside lines
_BESIDE = 8.0  # points from the end of a line to its label
_STYLE: dict[Any, Any] = {
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
    "axes.linewidth": 0.6,
    **{f"{axis}tick.major.width": 0.6 for axis in "xy"},
    **{f"{axis}tick.major.size": 3.0 for axis in "xy"},
    **{f"{axis}tick.minor.width": 0.4 for axis in "xy"},
    **{f"{axis}tick.labelsize": _LABELS for axis in "xy"},
    "grid.linewidth": 0.6,
    "lines.solid_capstyle": "round",
    "axes.prop_cycle": (
        cycler(color=[BLUE, ORANGE, GREEN, PURPLE])
        + cycler(linestyle=["-", "--", "-.", ":"])
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
    "savefig.bbox": None,
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
    """A matplotlib figure that shows a drawing and its description.

    Made by :func:`bayesbook.drawing.subplots`. The drawing is an SVG; where
    that would be large, as for thousands of points, it is a PNG.

    Examples
    --------
    >>> fig, ax = subplots(height=2)
    >>> curve = ax.plot([0, 1], [0, 1], label="diagonal")
    >>> print(describe(fig))
    Figure, 4.75 × 2 in
    Axes
      x: -0.05 to 1.05
      y: -0.05 to 1.05
      line "diagonal", #0072b2 - 2: x 0 1; y 0 1
    """

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return the drawing and the text for Jupyter, and a PNG's size."""
        svg = self._svg()
        # Only what is drawn has the colours of its values.
        data, size = {"text/plain": describe(self)}, {}
        if len(svg.encode()) <= _LARGEST:
            data["image/svg+xml"] = svg
        else:
            data["image/png"] = self._png()
            width, height = (self.get_size_inches() * 100).round().astype(int)
            size["image/png"] = {"width": int(width), "height": int(height)}
        return data, size

    def _svg(self) -> str:
        text = io.StringIO()
        # Whatever the settings are by now.
        with mpl.rc_context(_STYLE):
            self.savefig(
                text, format="svg", backend="module://bayesbook.drawing.svg"
            )
        return text.getvalue()

    def _png(self) -> bytes:
        drawn, small = io.BytesIO(), io.BytesIO()
        with mpl.rc_context(_STYLE):
            self.savefig(drawn, format="png", dpi=2 * _DPI)
        # Few colours are a third of the bytes. They are chosen by counting,
        # and no pixel is mixed with its neighbours, so that areas stay plain.
        picture: Any = Image.open(drawn).convert("RGB")
        picture = picture.quantize(
            method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
        # The paper is exactly white, and opaque, because letters are dark:
        # the page may be dark as well.
        palette = np.reshape(picture.getpalette(), (-1, 3))
        palette[picture.getpixel((0, 0))] = 255
        picture.putpalette(palette.ravel().tolist())
        picture.save(small, format="PNG", optimize=True)
        return small.getvalue()


class Drawing(Artist):
    """One artist that consists of many, with a description of them all.

    Parameters
    ----------
    ax : Axes
        The drawing adds itself to them.
    parts : sequence of Artist
        In the coordinates of the data; drawn by their ``zorder``.
    words : str
        What the drawing shows, in one line or more.

    Examples
    --------
    >>> from bayesbook.drawing import describe
    >>> from matplotlib.patches import Circle
    >>> fig, ax = subplots(height=2)
    >>> moon = Drawing(ax, [Circle((0, 0), 1), Circle((0.4, 0), 1)], "moon")
    >>> print(describe(fig))
    Figure, 4.75 × 2 in
    Axes
      x: 0 to 1
      y: 0 to 1
      moon
    """

    def __init__(self, ax: Axes, parts: Sequence[Artist], words: str):
        super().__init__()
        self._parts = sorted(parts, key=Artist.get_zorder)
        self._words = words
        ax.add_artist(self)
        for part in parts:
            part.set_figure(ax.figure)
            part.axes = ax
            part.set_transform(ax.transData)

    def describe(self) -> str:
        """Return what the drawing shows, in words."""
        return self._words

    def get_children(self) -> list[Artist]:
        """Return the parts of the drawing."""
        return list(self._parts)

    def draw(self, renderer: RendererBase) -> None:
        """Draw all parts."""
        if not self.get_visible():
            return
        for part in self._parts:
            part.draw(renderer)
        self.stale = False


def subplots(
    nrows: int = 1,
    ncols: int = 1,
    *,
    width: float | None = None,
    height: float = 3.6,
    **kwargs: Any,
) -> tuple[BookFigure, Any]:
    """Make a figure in the house style, as ``matplotlib.pyplot.subplots``.

    What is drawn into it later has that style as well, because the style is
    matplotlib's default from here on, as after :func:`use_house_style`.

    Parameters
    ----------
    nrows, ncols : int
        How many axes below and beside each other.
    width, height : float
        Of the whole figure, in inches. Axes beside each other have the 7
        inches of the page's column; without a neighbour they have 4.75, and
        can be read on a phone.
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
    if width is None:
        width = _NARROW if ncols == 1 else _WIDTH
    fig = BookFigure(figsize=(width, height))
    axes = fig.subplots(nrows, ncols, **kwargs)
    if nrows == 1:
        # Axes that share a scale have numbers each: on a narrow page they
        # stand one below the other.
        for ax in np.ravel(axes):
            ax.tick_params(labelleft=True)
    return fig, axes


def legend_below(fig: Figure, *, ncols: int = 4) -> None:
    """Draw one legend for all axes of a figure, below them.

    Parameters
    ----------
    fig : Figure
        Artists with the same label in several axes share an entry.
    ncols : int
        Entries in a row; fewer where they would be wider than the figure.

    Examples
    --------
    >>> fig, axes = subplots(1, 2, height=2)
    >>> for ax in axes:
    ...     _ = ax.plot([0, 1], [0, 1], label="the same line")
    >>> legend_below(fig)
    >>> [text.get_text() for text in fig.legends[0].get_texts()]
    ['the same line']
    """
    handles: dict[str, Artist] = {}
    for ax in fig.axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    for columns in range(ncols, 0, -1):
        legend = fig.legend(
            list(handles.values()),
            list(handles),
            loc="outside lower center",
            ncols=columns,
        )
        if columns == 1 or legend.get_window_extent().width <= fig.bbox.width:
            break
        legend.remove()


def label_lines(ax: Axes, at: Mapping[str, float] | None = None) -> None:
    """Write the label of every line beside it, in the colour of the line.

    A reader need not look up a few lines in a legend. A label stands at the
    right end of its line, and labels that would touch are moved apart. Areas,
    bars and scattered points need a legend. Call this last: it needs to know
    the limits, and where the lines end.

    Parameters
    ----------
    ax : Axes
    at : mapping, optional
        Labels that stand above their lines instead, and the places on the x
        axis where they do so.

    Raises
    ------
    ValueError
        If ``at`` has a label that no line has.

    Examples
    --------
    >>> fig, ax = subplots(height=2)
    >>> for power in (1, 2):
    ...     _ = ax.plot([1, 2, 3], [1, 2**power, 3**power], label=f"n^{power}")
    >>> label_lines(ax, at={"n^2": 2})
    >>> [text.get_text() for text in ax.texts]
    ['n^1', 'n^2']
    """
    places = dict(at or {})
    bottom, _ = ax.get_ylim()  # from now on the limits hold all lines
    to_data: Any = ax.transData.inverted().transform
    ends = []
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        line = handle[0] if isinstance(handle, Container) else handle
        if not isinstance(line, Line2D):
            continue
        points = line.get_transform().transform(line.get_xydata())
        inside = abs(ax.transAxes.inverted().transform(points) - 0.5) < 0.501
        points = points[inside.all(axis=1)]
        points = points[np.argsort(points[:, 0], kind="stable")]
        look: dict[str, Any] = {
            "color": LETTERS.get(to_hex(line.get_color()), INK),
            "fontsize": _LABELS,
            "textcoords": "offset points",
            "annotation_clip": False,
        }
        if label not in places:
            look |= {"xytext": (_BESIDE, 0), "va": "center"}
            ends.append(ax.annotate(label, to_data(points[-1]), **look))
            continue
        x, _ = ax.transData.transform((places.pop(label), bottom))
        before, y, after = np.interp([x - 1, x, x + 1], *points.T)
        # Above a line that rises or falls there is room on one side only.
        rise = int(np.sign(round(after - before, 1)))
        look |= {"ha": ("center", "right", "left")[rise], "va": "bottom"}
        ax.annotate(label, to_data((x, y)), (-_BESIDE * rise, 3), **look)
    if places:
        raise ValueError(f"no line is labelled {', '.join(map(repr, places))}")
    if ends:
        _move_apart(ax, ends)


def _move_apart(ax: Axes, labels: Sequence[Annotation]) -> None:
    """Move labels up or down, as little as possible, until none touch."""
    figure: Any = ax.figure
    figure.draw_without_rendering()
    boxes = np.array([one.get_window_extent().intervaly for one in labels])
    order = np.argsort(boxes.mean(axis=1), kind="stable")
    low, high = boxes[order].T
    tops = np.cumsum(high - low)
    stacked = tops - (high - low)  # where they are if each is on the last
    # Without overlaps what lifts the labels from the stack never falls.
    lifted = isotonic_regression(low - stacked).x
    lifted = np.clip(lifted, ax.bbox.y0, ax.bbox.y1 - tops[-1])
    for i, shift in zip(order, lifted + stacked - low, strict=True):
        labels[i].xyann = (_BESIDE, shift * 72 / figure.dpi)
