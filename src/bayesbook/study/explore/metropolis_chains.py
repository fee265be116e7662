"""Targets, random numbers and chains for the explorable of Metropolis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import exp, log, log1p, pi, sqrt
from typing import NamedTuple

import numpy as np

LONGEST = 1000
# Of each step, standard deviations along each axis.
SCALES = (
    *(0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.24, 0.3, 0.4, 0.5, 0.6, 0.8),
    *(1, 1.2, 1.5, 2, 2.4, 3, 4, 5, 6, 8, 10, 12, 15, 20),
)
CORRELATION = 0.95
_ROOT = log(sqrt(2 * pi))


@dataclass(frozen=True)
class Target:
    """A distribution of x, or of x and y, to draw from.

    Parameters
    ----------
    name : str
    log_density : callable
        Of x and y, which is 0 where there is only x.
    density : callable
        Of x alone.
    low, high : int
        The ends of the axes.
    mean : float
        Of x.
    top : float
        The largest density of x.
    has_y : bool
    """

    name: str
    log_density: Callable[[float, float], float]
    density: Callable[[float], float]
    low: int
    high: int
    mean: float
    top: float
    has_y: bool = False

    def at(self, share: int) -> float:
        """Return the place of some thousandths of the axis."""
        return self.low + share * (self.high - self.low) / 1000

    def right(self, x: float) -> float:
        """Return how far to the right x is in a picture of 1000 units."""
        return 1000 * (x - self.low) / (self.high - self.low)


def _normal(x: float, y: float = 0) -> float:
    return -x * x / 2 - _ROOT


def _gumbel(x: float, y: float = 0) -> float:
    return -x - exp(-x)


def _two_peaks(x: float, y: float = 0) -> float:
    # The logarithm of a sum: the larger peak, and what the other adds.
    near, far = sorted(((x - 6) * (x - 6) / 2, (x + 6) * (x + 6) / 2))
    return log1p(exp(near - far)) - near - log(2) - _ROOT


def _pair(x: float, y: float) -> float:
    rest = 1 - CORRELATION * CORRELATION
    square = (x * x - 2 * CORRELATION * x * y + y * y) / (2 * rest)
    return -square - log(rest) / 2 - 2 * _ROOT


def _density(log_density):
    return lambda x: exp(log_density(x))


def _shown(number):
    # The page gets it too: no more digits than a picture needs.
    return round(float(number), 10)


TARGETS = (
    Target(
        "one peak, normal",
        _normal,
        _density(_normal),
        *(-5, 5),
        mean=0,
        top=_shown(exp(-_ROOT)),
    ),
    Target(
        "one peak, skewed (Gumbel)",
        _gumbel,
        _density(_gumbel),
        *(-4, 6),
        mean=_shown(np.euler_gamma),
        top=_shown(exp(-1)),
    ),
    Target(
        "two peaks far apart",
        _two_peaks,
        _density(_two_peaks),
        *(-10, 10),
        mean=0,
        top=_shown(exp(-_ROOT) / 2),
    ),
    Target(
        "x and y, correlation 0.95",
        _pair,
        _density(_normal),
        *(-4, 4),
        mean=0,
        top=_shown(exp(-_ROOT)),
        has_y=True,
    ),
)


class Step(NamedTuple):
    """A step of a chain: a proposal, and whether it was accepted.

    Parameters
    ----------
    before, proposed, after : tuple of float
        x and y of the chain, of the proposal, and of the chain again.
    probability : float
        With which the proposal is accepted.
    uniform : float
        It is accepted if this number is smaller.
    """

    before: tuple[float, float]
    proposed: tuple[float, float]
    after: tuple[float, float]
    probability: float
    uniform: float

    @property
    def is_accepted(self) -> bool:
        """Whether the chain has moved to the proposal."""
        return self.uniform < self.probability


@cache
def random_numbers() -> list[dict[str, list[int]]]:
    """Return the random numbers of both chains, the same for every visit.

    Returns
    -------
    list of dict
        For each chain the normal numbers along ``x`` and ``y``, in
        hundredths, and the ``uniform`` ones, in thousandths.
    """
    rng = np.random.default_rng(2)
    normal = np.rint(100 * rng.normal(size=(2, LONGEST, 2))).astype(int)
    uniform = rng.integers(1, 1000, size=(2, LONGEST))
    return [
        {
            "x": normal[chain, :, 0].tolist(),
            "y": normal[chain, :, 1].tolist(),
            "uniform": uniform[chain].tolist(),
        }
        for chain in range(2)
    ]


def run(
    target: Target, scale: float, start: float, chain: int, n: int
) -> list[Step]:
    """Run a chain by the rule of Metropolis.

    Parameters
    ----------
    target : Target
    scale : float
        The standard deviation of its steps along each axis.
    start : float
        Its x; where there is a y, that is 0.
    chain : {0, 1}
        Whose random numbers it uses.
    n : int
        How many steps it makes.

    Returns
    -------
    list of Step
    """
    own = random_numbers()[chain]
    made = []
    x, y = start, 0.0
    log_density = target.log_density(x, y)
    for k in range(n):
        to_x = x + scale * own["x"][k] / 100
        to_y = y + scale * own["y"][k] / 100 if target.has_y else 0.0
        there = target.log_density(to_x, to_y)
        probability = exp(min(there - log_density, 0))
        uniform = own["uniform"][k] / 1000
        before = x, y
        if uniform < probability:
            x, y, log_density = to_x, to_y, there
        made.append(Step(before, (to_x, to_y), (x, y), probability, uniform))
    return made
