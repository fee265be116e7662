"""Drawings of probability vectors of three categories, as a triangle.

At a corner its category is certain, and the probability of a category is the
distance from the opposite side. A density is drawn by the smallest regions
that hold one half and 95 % of it, which look the same on any scale.

>>> from scipy import stats
>>> from bayesbook.drawing import describe, subplots
>>> fig, ax = subplots(height=2)
>>> _ = draw_simplex(ax, ("red", "green", "blue"), stats.dirichlet([2, 2, 4]))
>>> print(describe(fig))
Figure, 4.75 × 2 in
Axes
  1 rectangle "holds half of it", #7fb8d8 edge #222222 1: x 0 0; y 0 0
  1 rectangle "holds 95 %", #dbeaf4 edge #222222 1 --: x 0 0; y 0 0
  triangle with the corners red, green, blue
    density with the mean 0.25 0.25 0.50
    half of it on 0.17 of the area, 95 % on 0.55
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Polygon, Rectangle
from matplotlib.text import Text
from numpy.typing import ArrayLike

from bayesbook.base import ProbabilityError
from bayesbook.base.arrays import floats, refuse
from bayesbook.base.numbers import FLOAT_TOLERANCE
from bayesbook.drawing.figures import FILLS, GREY, INK, ORANGE, Drawing

__all__ = ["draw_simplex"]

# Left, right, top; all sides have the length one.
_CORNERS = np.array([[0, 0], [1, 0], [0.5, 0.75**0.5]])
# The regions, the largest first: how much each holds, and its looks.
_REGIONS = (
    (0.95, "holds 95 %", "#dbeaf4", "--"),
    (0.5, "holds half of it", FILLS[0], "-"),
)
# Up to four groups of points: shape and filling.
_MARKS = (("o", INK), ("^", ORANGE), ("s", "white"), ("D", GREY))
_STEPS = 120  # of the grid that is drawn, along a side
_NODES = 200  # of the quadrature, in each direction
_NARROWEST = 1e-3  # of the area, for half of a density
_INSIDE = 1e-3  # a density is computed at least so far from a side


class _HasDensity(Protocol):
    def pdf(self, x: np.ndarray, /) -> np.ndarray: ...


Density = _HasDensity | Callable[[np.ndarray], ArrayLike]


def draw_simplex(
    ax: Axes,
    corners: Sequence[str],
    distribution: Density | None = None,
    points: Mapping[str, ArrayLike] | None = None,
) -> Drawing:
    """Draw the probability vectors of three categories as a triangle.

    The names of regions and points are labels for a legend; draw it with
    :func:`bayesbook.drawing.legend_below`.

    Parameters
    ----------
    ax : Axes
        They have no scales afterwards.
    corners : three str
        The categories: left, right, top.
    distribution : frozen distribution or callable, optional
        A distribution with the method ``pdf``, such as
        ``scipy.stats.dirichlet``, or a function such as that method: of an
        array (3, m) with a probability vector in each column, to m values.
        They may be infinite at the sides, and need not integrate to one.
    points : mapping of str to array (3,) or (m, 3), optional
        Probability vectors in at most four groups, each with a name. A group
        of many has smaller marks.

    Returns
    -------
    Drawing

    Raises
    ------
    TypeError
        If the distribution has no method ``pdf`` and is not a function, or
        the points are not a mapping.
    ProbabilityError
        If there are not three different corners; if the distribution has no
        density of three probabilities, or one that is negative, not finite
        inside the triangle, zero everywhere, or so narrow that half of it lies
        on a thousandth of the area; if the points are in more than four
        groups, or are not probability vectors.

    Notes
    -----
    A region is where the density exceeds a threshold, so no other region that
    holds as much of it is smaller: a *highest density region* (Murphy,
    *Machine Learning: A Probabilistic Perspective*, 2012, section 5.2.2). A
    density that is the same everywhere has no such regions; the
    triangle is then filled with the paler of the two colours, without lines.
    Of a Dirichlet distribution with a parameter below 1/3 the regions are
    inexact: too much of it lies within a pixel of a side.

    Examples
    --------
    >>> from bayesbook.drawing import subplots
    >>> fig, ax = subplots(height=2)
    >>> drawing = draw_simplex(ax, "abc", points={"fair": [1/3, 1/3, 1/3]})
    >>> print(drawing.describe())
    triangle with the corners a, b, c
      point "fair", marker o: 0.33 0.33 0.33
    """
    corners = _read_corners(corners)
    groups = _read_points({} if points is None else points)
    parts, words = [], [f"triangle with the corners {', '.join(corners)}"]
    if distribution is not None:
        regions, described = _regions(ax, _read_density(distribution))
        parts += regions
        words += described
        _add_legend(ax, regions)
    for (name, vectors), (marker, fill) in zip(
        groups.items(), _MARKS, strict=False
    ):
        look: dict[str, Any] = {
            "linestyle": "none",
            "marker": marker,
            "markersize": 8 if len(vectors) == 1 else 2.2,
            "color": INK,
            "markerfacecolor": fill,
            "markeredgewidth": 1 if len(vectors) == 1 else 0.4,
        }
        parts.append(Line2D(*(vectors @ _CORNERS).T, zorder=4, **look))
        ax.plot([], [], label=name, **look)
        words.append(_describe_points(name, marker, vectors))
    parts += _frame(corners)
    height = _CORNERS[2, 1]
    ax.set(xlim=(-0.04, 1.04), ylim=(-0.15, height + 0.15), aspect="equal")
    ax.set_axis_off()
    return Drawing(ax, parts, "\n  ".join(words))


def _read_corners(corners):
    corners = [str(corner) for corner in corners]
    if len(corners) != 3 or len(set(corners)) < 3:
        raise ProbabilityError(
            f"The corners are {', '.join(map(repr, corners))}: a triangle "
            "needs three different ones."
        )
    return corners


def _read_density(distribution):
    density = getattr(distribution, "pdf", distribution)
    if not callable(density):
        raise TypeError(
            f"The distribution has the type {type(distribution).__name__}: "
            "give something with a method pdf, such as the distribution of a "
            "DirichletCategorical, or a function."
        )
    return density


def _read_points(points):
    if not isinstance(points, Mapping):
        raise TypeError(
            f"The points have the type {type(points).__name__}: give a "
            "mapping from the name of each group to its points."
        )
    if len(points) > len(_MARKS):
        raise ProbabilityError(
            f"{len(points)} groups of points are too many: at most "
            f"{len(_MARKS)} kinds of marks can be told apart."
        )
    return {str(name): _read_vectors(p, name) for name, p in points.items()}


def _read_vectors(vectors, name):
    """Read one probability vector, or many, as the rows of an array."""
    what = f"The points {name!r}"
    ndim = np.ndim(vectors)
    rows = np.atleast_2d(floats(vectors, what, ndim if ndim == 2 else 1))
    if rows.shape[1] != 3:
        raise ProbabilityError(
            f"{what} have {rows.shape[1]} probabilities each; a triangle "
            "shows three."
        )
    refuse(rows < 0, rows, what, "negative")
    sums = rows.sum(axis=1)
    wrong = np.abs(sums - 1) > FLOAT_TOLERANCE
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ProbabilityError(
            f"{what}: row {row} sums to {sums[row]:.10g}, not to one."
        )
    return rows


def _regions(ax, density):
    """Draw the regions that hold most of a density, and describe them."""
    vectors, weights = _quadrature()
    heights = _heights(density, vectors)
    mass = heights * weights
    mean = vectors @ mass / mass.sum()
    words = [f"density with the mean {_digits(mean)}"]
    if np.ptp(heights) <= FLOAT_TOLERANCE * heights.max():
        fill = _REGIONS[0][2]
        look = {"facecolor": fill, "edgecolor": "none", "zorder": 1}
        return [Polygon(_CORNERS, **look)], [*words, "the same everywhere"]
    falling = np.argsort(-heights, kind="stable")
    held = np.cumsum(mass[falling]) / mass.sum()
    covered = np.cumsum(weights[falling]) / weights.sum()
    places = {share: np.searchsorted(held, share) for share, *_ in _REGIONS}
    areas = {share: covered[place] for share, place in places.items()}
    if areas[0.5] < _NARROWEST:
        raise ProbabilityError(
            "The density is too narrow to be drawn: half of it lies on "
            f"{areas[0.5]:.2g} of the area. Draw points instead."
        )
    words.append(
        f"half of it on {areas[0.5]:.2g} of the area, "
        f"95 % on {areas[0.95]:.2g}"
    )
    grid, drawn = _grid(density)
    parts = []
    for share, name, fill, line in _REGIONS:
        threshold = heights[falling[places[share]]]
        parts.append(
            PathPatch(
                _above(ax, grid, drawn, threshold),
                facecolor=fill,
                edgecolor=INK,
                linestyle=line,
                linewidth=1,
                label=name,
                zorder=1,
            )
        )
    return parts, words


def _quadrature():
    """Return points inside the triangle, and the area that each stands for.

    They crowd at the sides, where a density may grow without bound: with the
    substitution s(t) = t³ (10 − 15t + 6t²) in each direction the integrand of
    a Dirichlet distribution stays bounded there if no parameter is below 1/3.
    """
    t = (np.arange(_NODES) + 0.5) / _NODES
    s = t**3 * (10 - 15 * t + 6 * t**2)
    slope = 30 * t**2 * (1 - t) ** 2
    rest = s[::-1]  # 1 − s without cancellation
    u, v = np.meshgrid(np.arange(_NODES), np.arange(_NODES), indexing="ij")
    vectors = np.array([s[u], rest[u] * s[v], rest[u] * rest[v]])
    weights = slope[u] * slope[v] * rest[u]
    return vectors.reshape(3, -1), weights.ravel()


def _heights(density, vectors):
    try:
        heights = np.asarray(density(vectors), dtype=float)
    except ValueError as error:
        raise ProbabilityError(
            f"The density of three probabilities cannot be computed: {error}"
        ) from None
    if heights.shape != vectors.shape[1:]:
        raise ProbabilityError(
            f"The density of {vectors.shape[1]} probability vectors, given as "
            f"columns, has the shape {heights.shape}: one number for each "
            "column is needed."
        )
    wrong = ~(np.isfinite(heights) & (heights >= 0))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise ProbabilityError(
            f"The density at {_digits(vectors[:, place])} is "
            f"{heights[place]:g}: it must be finite and not negative."
        )
    if not heights.any():
        raise ProbabilityError("The density is zero everywhere.")
    return heights


def _grid(density):
    """Return the coordinates of a triangular grid, and logarithms of heights.

    At the sides, where heights may be infinite, they are those of points a
    little inside.
    """
    i, j = np.meshgrid(np.arange(_STEPS + 1), np.arange(_STEPS + 1))
    vectors = np.stack([i, j, _STEPS - i - j], axis=-1) / _STEPS
    inside = i + j <= _STEPS
    moved = (vectors[inside] + _INSIDE) / (1 + 3 * _INSIDE)
    heights = np.full(inside.shape, np.nan)
    # Zero has no logarithm, and is below any threshold.
    least = np.finfo(float).tiny
    heights[inside] = np.log(np.maximum(_heights(density, moved.T), least))
    return vectors @ _CORNERS, np.ma.masked_invalid(heights)


def _above(ax, grid, heights, threshold):
    """Return the outline of where the density exceeds a threshold."""
    # The diagonal of the grid is a side of the triangle: corners are masked.
    x, y = np.moveaxis(grid, -1, 0)
    levels = [np.log(threshold), heights.max() + 1]
    # matplotlib finds contours only by drawing them.
    contours = ax.contourf(
        x, y, heights, levels, colors="white", corner_mask=True
    )
    (outline,) = contours.get_paths()
    contours.remove()
    return outline


def _add_legend(ax, regions):
    # Rectangles of no size carry the names into a legend.
    for region in reversed(regions):
        if region.get_label():
            ax.add_patch(
                Rectangle(
                    (0, 0),
                    0,
                    0,
                    facecolor=region.get_facecolor(),
                    edgecolor=region.get_edgecolor(),
                    linestyle=region.get_linestyle(),
                    linewidth=region.get_linewidth(),
                    label=region.get_label(),
                )
            )


def _frame(corners):
    yield Polygon(
        _CORNERS, facecolor="none", edgecolor=GREY, linewidth=1.2, zorder=2
    )
    places = zip(
        corners,
        _CORNERS,
        ("left", "right", "center"),
        ("top", "top", "bottom"),
        strict=True,
    )
    for name, (x, y), across, up in places:
        gap = 0.04 if up == "bottom" else -0.04
        yield Text(x, y + gap, name, ha=across, va=up, zorder=5)


def _describe_points(name, marker, vectors):
    if len(vectors) == 1:
        return f'point "{name}", marker {marker}: {_digits(vectors[0])}'
    return (
        f'{len(vectors)} points "{name}", marker {marker}: '
        f"mean {_digits(vectors.mean(axis=0))}, "
        f"sd {_digits(vectors.std(axis=0))}"
    )


def _digits(vector):
    return " ".join(f"{p:.2f}" for p in vector)
