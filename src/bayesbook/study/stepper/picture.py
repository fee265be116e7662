"""The pictures of a step-through: axes that all frames share, and curves.

They are written as SVG, in the colours of the page, so that they need no
second version for dark pages. Coordinates are whole numbers, in tenths of a
pixel: the rounding of a processor does not show in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain, pairwise

import numpy as np
from matplotlib.ticker import MaxNLocator

from bayesbook.study.stepper.frame import Frame, Points

_WIDTH, _HEIGHT = 4800, 3000
_TOP, _BOTTOM = 330, 2430
# A digit of the largest letters, those of small pictures side by side.
_DIGIT = 130


@dataclass(frozen=True)
class Scale:
    """The scale of an axis: from values to places in the picture.

    Parameters
    ----------
    ticks : sequence of float
        At round values, the first and the last where the axis ends.
    start, end : int
        Where the axis ends in the picture.

    Examples
    --------
    >>> scale = Scale((0.0, 0.5, 1.0), 100, 300)
    >>> scale(0.25), scale.labels
    (150, ['0', '0.5', '1'])
    """

    ticks: Sequence[float]
    start: int
    end: int

    def __call__(self, value: float) -> int:
        """Return the place of a value."""
        low, high = self.ticks[0], self.ticks[-1]
        share = (value - low) / (high - low)
        place = self.start + share * (self.end - self.start)
        # First to four digits: noise must not decide what is half way.
        return round(round(place, 4))

    @property
    def labels(self) -> list[str]:
        """The texts at the ticks."""
        return [number(tick, 10).replace("-", "−") for tick in self.ticks]


def number(value: float, digits: int = 4) -> str:
    """Write a number with a few significant digits, and no negative zero.

    Parameters
    ----------
    value : float
    digits : int

    Returns
    -------
    str

    Examples
    --------
    >>> number(-0.0), number(2 / 3)
    ('0', '0.6667')
    """
    return f"{value + 0.0:.{digits}g}"


def ticks(values: Iterable[float], most: int) -> tuple[float, ...]:
    """Choose round values from below the least to above the greatest.

    Parameters
    ----------
    values : iterable of float
        At least one.
    most : int
        How many steps there may be from the first to the last.

    Returns
    -------
    tuple of float
        Ascending, at least two.

    Examples
    --------
    >>> ticks([0.0, 3.3], most=5)
    (0.0, 1.0, 2.0, 3.0, 4.0)
    """
    # Without the digits that depend on the processor.
    ends = [float(f"{value:.9g}") for value in values]
    low, high = min(ends), max(ends)
    if low == high:
        low, high = (min(low, 0), max(high, 0)) if low else (0, 1)
    locator = MaxNLocator(most, steps=[1, 2, 2.5, 5, 10])
    return tuple(np.asarray(locator.tick_values(low, high)).tolist())


def scales(frames: Sequence[Frame]) -> tuple[Scale, Scale]:
    """Choose two scales on which the curves of all frames have room.

    Parameters
    ----------
    frames : sequence of Frame

    Returns
    -------
    tuple of Scale
        Of x, and of y, which grows upwards.

    Examples
    --------
    >>> across, up = scales([Frame("A", {"line": ([0, 1], [0, 3])})])
    >>> across.labels[-1], up.labels[-1], up.start > up.end
    ('1', '3', True)
    """
    curves = [curve for frame in frames for curve in frame.curves.values()]
    xs, ys = (ticks(chain(*values), 5) for values in zip(*curves, strict=True))
    up = Scale(ys, _BOTTOM, _TOP)
    last = Scale(xs, 0, 1).labels[-1]
    left = 150 + _DIGIT * max(map(len, up.labels))
    right = _WIDTH - 20 - _DIGIT * len(last) // 2
    return Scale(xs, left, right), up


def axes(across: Scale, up: Scale, x_label: str, y_label: str) -> str:
    """Draw the axes, with a pale line at each tick of y.

    Parameters
    ----------
    across, up : Scale
        Of x and y.
    x_label, y_label : str
        What is shown, with its unit.

    Returns
    -------
    str
        SVG, to put into an ``svg`` or a ``g``.

    Examples
    --------
    >>> up = Scale((0.0, 1.0), 2430, 330)
    >>> "density" in axes(Scale((0.0, 1.0), 400, 4600), up, "θ", "density")
    True
    """
    left, right = across.start, across.end
    xs, ys = (list(map(scale, scale.ticks)) for scale in (across, up))
    grid = "".join(f"M{left} {y}H{right}" for y in ys)
    marks = "".join(f"M{x} {_BOTTOM}v60" for x in xs)
    at_x = "".join(
        f'<text x="{x}" y="{_BOTTOM + 250}">{label}</text>'
        for x, label in zip(xs, across.labels, strict=True)
    )
    at_y = "".join(
        f'<text x="{left - 80}" y="{y + 60}">{label}</text>'
        for y, label in zip(ys, up.labels, strict=True)
    )
    middle = (left + right) // 2
    return (
        '<g fill="none" stroke="currentColor" stroke-width="10">'
        f'<path stroke-opacity=".15" d="{grid}"/>'
        f'<path stroke-opacity=".7" d="M{left} {_BOTTOM}H{right}{marks}"/></g>'
        f'<g text-anchor="middle">{at_x}'
        f'<text x="{middle}" y="{_BOTTOM + 510}">{escape(x_label)}</text></g>'
        f'<g text-anchor="end">{at_y}</g>'
        f'<text x="20" y="190">{escape(y_label)}</text>'
    )


def path(curve: Points, across: Scale, up: Scale) -> str:
    """Write a curve as the data of an SVG path, each step from the last.

    Parameters
    ----------
    curve : tuple
        Values of x, and of y.
    across, up : Scale
        Of x and y.

    Returns
    -------
    str
        The value of an attribute ``d``.

    Examples
    --------
    >>> scale = Scale((0.0, 1.0), 0, 100)
    >>> path(((0.0, 0.5, 1.0), (0.5, 0.75, 0.0)), scale, scale)
    'M0 50l50 25 50-75'
    """
    points = list(zip(map(across, curve[0]), map(up, curve[1]), strict=True))
    steps = [f"{c - a} {d - b}" for (a, b), (c, d) in pairwise(points)]
    (x, y), line = points[0], " ".join(steps)
    return f"M{x} {y}l{line}".replace(" -", "-")


def svg(
    content: str,
    spoken: str,
    size: tuple[int, int] = (_WIDTH, _HEIGHT),
    style: str = "",
) -> str:
    """Return the picture of a frame, with its contents.

    Parameters
    ----------
    content : str
        SVG.
    spoken : str
        What is to be seen, for readers who do not see it.
    size : pair of int
        Width and height of the content.
    style : str
        CSS.

    Returns
    -------
    str
        An ``svg`` element.

    Examples
    --------
    >>> 'aria-label="A rising line"' in svg("", "A rising line")
    True
    """
    width, height = size
    own = f'style="{style}" ' if style else ""
    return (
        f'<svg class="stepper-picture" viewBox="0 0 {width} {height}" {own}'
        f'role="img" aria-label="{escape(spoken)}">{content}</svg>'
    )
