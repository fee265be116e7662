"""The house style of the book's figures.

A figure made here shows itself twice: as a picture, and as a text that says
what is in the picture (titles, labels, limits, and for every artist the few
values it shows, or how many there are and their mean, spread, range and ends).
A screen reader or a terminal gets the text, and a test compares it without
looking at the picture.

>>> from bayesbook.drawing import describe
>>> fig, ax = subplots()
>>> _ = ax.plot([1, 2, 3], [2, 4, 6], label="twice")
>>> _ = ax.set(title="Doubling", xlabel="x", ylabel="2x")
>>> print(describe(fig))
Figure, 7 × 3.6 in
Axes "Doubling"
  x "x": 0.9 to 3.1
  y "2x": 1.8 to 6.2
  line "twice", #0072b2 - 2: x 1 2 3; y 2 4 6
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import matplotlib as mpl
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure

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

_DPI = 144
_WIDTH = 7.0  # inches: the text column of the page
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
    """A matplotlib figure that shows a picture and its description.

    Made by :func:`bayesbook.drawing.subplots`.

    Examples
    --------
    >>> fig, ax = subplots(height=2)
    >>> curve = ax.plot([0, 1], [0, 1], label="diagonal")
    >>> print(describe(fig))
    Figure, 7 × 2 in
    Axes
      x: -0.05 to 1.05
      y: -0.05 to 1.05
      line "diagonal", #0072b2 - 2: x 0 1; y 0 1
    """

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return the picture and the text for Jupyter, and the size."""
        width, height = (self.get_size_inches() * 100).round().astype(int)
        data = {"image/png": self._png(), "text/plain": describe(self)}
        size = {"width": int(width), "height": int(height)}
        return data, {"image/png": size}

    def _png(self) -> bytes:
        buffer = io.BytesIO()
        # Whatever the settings are by now; and without the Software line,
        # which names matplotlib's version.
        with mpl.rc_context(_STYLE):
            self.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()


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
    Figure, 7 × 2 in
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
    width: float = _WIDTH,
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
    handles: dict[str, Artist] = {}
    for ax in fig.axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    fig.legend(
        list(handles.values()),
        list(handles),
        loc="outside lower center",
        ncols=ncols,
    )
