"""Descriptions of figures: their titles, labels, limits and artists in words.

A screen reader or a terminal gets the description of a figure, and a test
compares it without looking at the picture.

>>> from bayesbook.drawing import describe, subplots
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

from collections.abc import Iterable, Iterator

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Polygon
from matplotlib.quiver import Quiver
from matplotlib.text import Text
from matplotlib.ticker import LogFormatter, ScalarFormatter

__all__ = ["describe"]

# How many values a description lists before it gives statistics.
_LISTED = 12


def describe(fig: Figure) -> str:
    """Describe in plain text what a figure shows.

    The numbers have four significant digits, few enough to be the same on
    every machine. Up to a dozen values are listed, of more the mean, standard
    deviation, range and both ends are given. Left out are invisible artists,
    the places of texts, and numbers at ticks. An artist of another kind, added
    by :meth:`matplotlib.axes.Axes.add_artist`, is described by what its method
    ``describe`` returns, if it has one, as a
    :class:`bayesbook.drawing.Drawing` has.

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
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=2)
    >>> _ = ax.set_title("Nothing yet")
    >>> print(describe(fig))
    Figure, 4.75 × 2 in
    Axes "Nothing yet"
      x: 0 to 1
      y: 0 to 1
    """
    width, height = fig.get_size_inches()
    lines = [f"Figure, {_digits(width)} × {_digits(height)} in"]
    for name, title in (
        ("Title", fig.get_suptitle()),
        ("x of all", fig.get_supxlabel()),
        ("y of all", fig.get_supylabel()),
    ):
        if title:
            lines.append(f"{name} {_quote(title)}")
    for axes in _visible(fig.axes):
        lines += _describe_axes(axes)
    lines += [_describe_legend(legend) for legend in _visible(fig.legends)]
    # The titles above are among the texts of a figure, too.
    titles = {fig.get_suptitle(), fig.get_supxlabel(), fig.get_supylabel()}
    lines += _describe_texts(
        t for t in fig.texts if t.get_text() not in titles
    )
    return "\n".join(lines)


def _visible(artists):
    return [artist for artist in artists if artist.get_visible()]


def _describe_axes(axes: Axes) -> Iterator[str]:
    titles = [axes.get_title(loc=loc) for loc in ("left", "center", "right")]
    yield " ".join(["Axes", *(_quote(title) for title in titles if title)])
    if axes.axison:
        yield from map(_describe_scale, _visible([axes.xaxis, axes.yaxis]))
    for line in _visible(axes.lines):
        # Categories and dates as the numbers that they are drawn at.
        yield f"  line{_name(line)}, {_line_look(line)}: " + _values(
            x=line.get_xdata(orig=False),
            y=line.get_ydata(orig=False),
        )
    # The label of a group of bars belongs to the group.
    names = {
        patch: _name(container)
        for container in axes.containers
        for patch in container.get_children()
    }
    groups: dict[str, list[np.ndarray]] = {}
    for patch in _visible(axes.patches):
        look = _patch_look(patch, names.get(patch, _name(patch)))
        groups.setdefault(look, []).append(_box(patch))
    for look, boxes in groups.items():
        x, y = np.concatenate(boxes).T
        yield f"  {len(boxes)} {look}: " + _values(x=x, y=y)
    for collection in _visible(axes.collections):
        x, y = _points(collection).T
        mapped = collection.get_array()
        more = {} if mapped is None else {"values": mapped}
        if isinstance(collection, Quiver):
            more |= {"u": collection.U, "v": collection.V}
        yield f"  {_collection_look(collection)}: " + _values(x=x, y=y, **more)
    for image in _visible(axes.images):
        yield f"  image{_name(image)}: " + _values(values=image.get_array())
    for artist in _visible(axes.artists):
        # An artist made of many others describes what they are together.
        if hasattr(artist, "describe"):
            yield from (f"  {line}" for line in artist.describe().split("\n"))
    for line in _describe_texts(axes.texts):
        yield f"  {line}"
    legends = [a for a in axes.get_children() if isinstance(a, Legend)]
    for legend in _visible(legends):
        yield f"  {_describe_legend(legend)}"
    # Axes inside these axes.
    for inset in _visible(axes.child_axes):
        yield from (f"  {line}" for line in _describe_axes(inset))


def _describe_scale(axis):
    low, high = axis.get_view_interval()
    size = max(abs(low), abs(high))
    # As many digits as tell the ends apart.
    for precision in (4, 8, 12):
        ends = [_digits(end, size, precision) for end in (low, high)]
        if ends[0] != ends[1]:
            break
    parts = [" to ".join(ends)]
    if axis.get_scale() != "linear":
        parts.append(axis.get_scale())
    # Ticks are described where words stand at them.
    formatter = axis.get_major_formatter()
    if not isinstance(formatter, ScalarFormatter | LogFormatter):
        words = formatter.format_ticks(axis.get_majorticklocs())
        parts.append("ticks " + " | ".join(map(_one_line, words)))
    label = axis.get_label_text()
    name = f" {_quote(label)}" if label else ""
    return f"  {axis.axis_name}{name}: {', '.join(parts)}"


def _describe_legend(legend):
    entries = [_one_line(text.get_text()) for text in legend.get_texts()]
    title = legend.get_title().get_text()
    name = f" {_quote(title)}" if title else ""
    return f"legend{name}: " + " | ".join(entries)


def _describe_texts(texts: Iterable[Text]) -> Iterator[str]:
    words = [_one_line(t.get_text()) for t in _visible(texts) if t.get_text()]
    if words:
        yield "text: " + " | ".join(words)


def _values(**data):
    """List values if they are few, else their statistics."""
    parts = []
    for name, values in data.items():
        values = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
        values = values.ravel()
        finite = values[np.isfinite(values)]
        scale = np.abs(finite).max(initial=0)
        if values.size <= _LISTED:
            shown = [_digits(value, scale) for value in values]
            parts.append(" ".join([name, *shown]) if shown else f"{name} none")
            continue
        statistics = {"n": finite.size}
        if finite.size:
            statistics |= {
                "mean": finite.mean(),
                "sd": finite.std(),
                "min": finite.min(),
                "max": finite.max(),
                "first": finite[0],
                "last": finite[-1],
            }
        parts.append(
            f"{name} "
            + " ".join(
                f"{k}={_digits(v, scale)}" for k, v in statistics.items()
            )
        )
    long = any(len(part) > 40 for part in parts)
    return (";\n    " if long else "; ").join(parts)


def _digits(number, scale=1.0, precision=4):
    # Rounding noise around zero differs between machines: it is zero.
    return f"{0.0 if abs(number) <= 1e-9 * scale else number:.{precision}g}"


def _colour(colour):
    rgba = to_rgba(colour)
    if rgba[3] == 0:
        return "none"
    return to_hex(rgba, keep_alpha=rgba[3] < 1)


def _line_look(line):
    look = [_colour(to_rgba(line.get_color(), line.get_alpha()))]
    if line.get_linestyle() not in ("None", "", " "):
        look += [line.get_linestyle(), f"{line.get_linewidth():g}"]
    if line.get_marker() not in ("None", "", " ", None):
        fill = _colour(line.get_markerfacecolor())
        look.append(f"marker {line.get_marker()} {line.get_markersize():g}")
        look += [fill] if fill != look[0] else []
    return " ".join(look)


def _patch_look(patch, name):
    kind = type(patch).__name__.lower()
    look = [f"{kind}{name}, {_colour(patch.get_facecolor())}"]
    if patch.get_hatch():
        look.append(patch.get_hatch())
    edge = _colour(patch.get_edgecolor())
    if edge != "none" and patch.get_linewidth():
        look.append(f"edge {edge} {patch.get_linewidth():g}")
        if patch.get_linestyle() not in ("solid", "-"):
            look.append(patch.get_linestyle())
    return " ".join(look)


def _collection_look(collection):
    kind = type(collection).__name__.lower()
    look = [f"{kind}{_name(collection)},"]
    for word, colours in (
        ("fill", collection.get_facecolor()),
        ("edge", collection.get_edgecolor()),
    ):
        shown = sorted({_colour(colour) for colour in colours})
        look += [word, *shown[:3]] if shown else []
    if collection.get_hatch():
        look.append(collection.get_hatch())
    if any(dashes for _, dashes in collection.get_linestyle()):
        look.append("dashed")
    if isinstance(collection, PathCollection):
        sizes = sorted({f"{size:.4g}" for size in collection.get_sizes()})
        look += ["marker", *map(_marker, collection.get_paths()[:1])]
        look += ["size", *sizes[:3]]
    return " ".join(look)


def _marker(path):
    """Return matplotlib's sign of a marker by its shape, such as "o"."""
    for sign in MarkerStyle.filled_markers:
        style = MarkerStyle(sign)
        shape = style.get_path().transformed(style.get_transform())
        if np.array_equal(shape.vertices, path.vertices):
            return sign
    return "of another shape"


def _box(patch):
    """Return two opposite corners of a patch, or all of a polygon."""
    if isinstance(patch, Polygon):
        return patch.get_xy()
    path = patch.get_path().transformed(patch.get_patch_transform())
    return path.get_extents().get_points()


def _points(collection):
    """Return positions of markers and arrows, or vertices of areas, lines."""
    if isinstance(collection, PathCollection | Quiver):
        return np.ma.filled(collection.get_offsets(), np.nan)
    vertices = [path.vertices for path in collection.get_paths()]
    return np.concatenate([np.empty((0, 2)), *vertices])


def _name(artist):
    label = artist.get_label() or ""
    # matplotlib's own labels, such as _child3, begin with an underscore.
    return "" if label[:1] in ("", "_") else f" {_quote(label)}"


def _quote(text):
    return f'"{_one_line(text)}"'


def _one_line(text):
    # A label may be given as a number.
    return " ".join(str(text).split())
