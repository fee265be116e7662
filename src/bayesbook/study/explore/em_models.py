"""Two coins and two Gaussians for the explorable of EM, and where EM ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import floor, hypot, log, pi, sqrt
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.special import expit, logit, xlog1py, xlogy

from bayesbook.data import datasets
from bayesbook.study.explore.explorable import signed, whole

Array = NDArray[np.float64]

ITERATIONS = 100
NAMES = (
    "coins, A drawn with 0.5",
    "coins, A drawn with 0.75",
    "Gaussians, A narrow, B wide",
)
# So near to a maximum EM has ended.
NEAR = 0.001
# A map of starts has the middle of each second hundredth.
_CELLS = np.arange(1, 100, 2)
# How far below the highest maximum contours are.
_DEPTHS = (200, 100, 50, 25, 12, 6, 3, 1)


@dataclass(frozen=True)
class Model:
    """Two components with known weights, and data of which none is known.

    Parameters
    ----------
    name : str
    values, counts : array
        The distinct values, and how often each was seen.
    first : float
        The weight of component A.
    high : float
        The end of the axis of both parameters.
    trials : int
        The tosses of a session; 0 for Gaussians.
    spreads : tuple of float
        The standard deviations of A and B, for Gaussians.
    bars : list of (int, int)
        Of each bar its left end and its width.
    unit : int
        How high it is for each that was seen.
    axis : str
        What the values are.
    """

    name: str
    values: Array
    counts: Array
    first: float
    high: float
    trials: int
    spreads: tuple[float, float]
    bars: list[tuple[int, int]]
    bar: list[int]
    unit: int
    axis: str

    def logs(self, a: Any, b: Any, x: Array) -> list[Any]:
        """Return log P(x | component), of A and of B."""
        if self.trials:
            return [xlogy(x, p) + xlog1py(self.trials - x, -p) for p in (a, b)]
        # A tenth of the time that scipy's takes.
        return [
            -(((x - mean) / sd) ** 2) / 2 - log(sd * sqrt(2 * pi))
            for mean, sd in zip((a, b), self.spreads, strict=True)
        ]

    def e_step(self, a: Any, b: Any) -> Any:
        """Return the responsibilities of A for each value."""
        of_a, of_b = self.logs(a, b, self.values)
        return expit(logit(self.first) + of_a - of_b)

    def m_step(self, q: Any) -> list[Any]:
        """Return the parameters that maximise the bound."""
        shares = [self.counts * part for part in (q, 1 - q)]
        return [
            (share * self.values).sum(-1)
            / (share.sum(-1) * (self.trials or 1))
            for share in shares
        ]

    def after(self, a: float, b: float) -> tuple[float, float]:
        """Return the parameters after an iteration."""
        if self.trials and a == b:
            # With equal coins all have the same q: both get the mean, and no
            # rounding may part them.
            mean = (self.counts @ self.values) / self.counts.sum()
            return mean / self.trials, mean / self.trials
        new_a, new_b = self.m_step(self.e_step(a, b))
        return float(new_a), float(new_b)

    def value(self, a: Any, b: Any) -> Any:
        """Return the log-likelihood."""
        of_a, of_b = self.logs(a, b, self.values)
        each = np.logaddexp(log(self.first) + of_a, log(1 - self.first) + of_b)
        return each @ self.counts

    def bound(self, q: Array, a: Any, b: Any) -> Any:
        """Return the lower bound that responsibilities make."""
        of_a, of_b = self.logs(a, b, self.values)
        each = q * (log(self.first) + of_a) - xlogy(q, q)
        each = each + (1 - q) * (log(1 - self.first) + of_b)
        return (each - xlog1py(1 - q, -q)) @ self.counts


def _sessions():
    """Return the numbers of heads in the thirty sessions of the chapter."""
    rng = np.random.default_rng(0)
    is_first = rng.random(30) < 0.75
    return rng.binomial(8, np.where(is_first, 0.7, 0.25))


@cache
def models() -> tuple[Model, ...]:
    """Return the models that a reader chooses from."""
    counts = np.bincount(_sessions(), minlength=9).astype(float)
    coins: dict[str, Any] = {
        "values": np.arange(9.0),
        "counts": counts,
        "high": 1,
        "trials": 8,
        "spreads": (0, 0),
        "bars": [(20 + 110 * k, 80) for k in range(9)],
        "bar": [*range(9)],
        "unit": 90,
        "axis": "heads in a session of 8 tosses",
    }
    wines = datasets.load_wine_cultivars()["flavanoids"].to_numpy()
    values, times = np.unique(wines, return_counts=True)
    edges = [floor(1000 * k / 24 + 0.5) for k in range(25)]
    return (
        Model(NAMES[0], first=0.5, **coins),
        Model(NAMES[1], first=0.75, **coins),
        Model(
            NAMES[2],
            values,
            times.astype(float),
            first=0.5,
            high=6,
            trials=0,
            spreads=(0.25, 0.7),
            bars=[(low + 3, high - low - 6) for low, high in pairwise(edges)],
            bar=[floor(4 * value) for value in values.tolist()],
            unit=26,
            axis="flavanoids of a wine",
        ),
    )


@cache
def maps() -> tuple[dict[str, Any], ...]:
    """Return the contours, the maxima and the basins of each model."""
    return tuple(_map(model) for model in models())


def _map(model):
    high = model.high
    a, b = (
        each.reshape(-1, 1) * high / 100
        for each in np.meshgrid(_CELLS, _CELLS)
    )
    # Equal coins stay equal, so they end at no maximum.
    equal = (a == b)[:, 0] & bool(model.trials)
    ends = np.column_stack([a, b])
    going = np.flatnonzero(~equal)
    while going.size:
        q = model.e_step(*(each[:, None] for each in ends[going].T))
        after = np.column_stack(model.m_step(q))
        is_going = np.abs(after - ends[going]).max(axis=1) > NEAR / 1000
        ends[going] = after
        going = going[is_going]
    found: list[tuple[float, float]] = []
    for end in ends[~equal].tolist():
        if not any(hypot(end[0] - x, end[1] - y) < NEAR for x, y in found):
            at = end
            for _ in range(ITERATIONS):
                at = model.after(*at)
            found.append((round(at[0], 9), round(at[1], 9)))
    found.sort(key=lambda at: (-round(float(model.value(*at)), 6), -at[0]))
    which = np.full(len(ends), -1)
    for number, at in enumerate(found):
        which[np.hypot(*(ends - at).T) < NEAR] = number
    which[equal] = -1
    square = which.reshape(len(_CELLS), -1)
    values = [round(float(model.value(*at)), 6) for at in found]
    return {
        "contours": _contours(model, values[0]),
        "basins": [_region(square == number) for number in range(3)],
        "peaks": found,
        "tops": values,
        "ends": _said_ends(found, values),
    }


def _contours(model, top):
    grid = np.linspace(0.01, 0.99, 50) * model.high
    height = model.value(*(g[..., None] for g in np.meshgrid(grid, grid)))
    levels = [top - depth for depth in _DEPTHS]
    lines = Figure().subplots().contour(grid, grid, height, levels)
    return "".join(
        _relative(1000 / model.high * segment)
        for segments in lines.allsegs
        for segment in segments
        if len(segment)
    )


def _relative(points):
    """Write a line of the map by its steps, in whole units."""
    places = [(whole(x), 1000 - whole(y)) for x, y in points.tolist()]
    moves = [
        f"{x - was_x} {y - was_y}"
        for (was_x, was_y), (x, y) in pairwise(places)
        if (x, y) != (was_x, was_y)
    ]
    x, y = places[0]
    return f"M{x} {y}l{' '.join(moves)}" if moves else ""


def _region(inside):
    """Write the cells of a map as rows of rectangles."""
    path = ""
    for row, cells in enumerate(inside.tolist()):
        start = 0
        for column in range(len(cells) + 1):
            if column < len(cells) and cells[column]:
                continue
            if column > start:
                wide = 20 * (column - start)
                path += f"M{20 * start} {980 - 20 * row}h{wide}v20h-{wide}Z"
            start = column + 1
    return path


def _said_ends(peaks, values):
    each = "; ".join(
        f"{number}: a = {signed(a)}, b = {signed(b)}, log-likelihood "
        f"{signed(value)}"
        for number, ((a, b), value) in enumerate(
            zip(peaks, values, strict=True), 1
        )
    )
    return f"In the map, each colour is a set of starts with one end. {each}."
