"""Arrays with a name for each axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np


def axes_of(names: Iterable[str], variables: Iterable[str]) -> tuple[int, ...]:
    """Return the axis of each name, if each variable has one."""
    order = list(variables)
    return tuple(order.index(name) for name in names)


def broadcast_over(
    values: np.ndarray, own: Sequence[str], names: Iterable[str]
) -> np.ndarray:
    """Return the values with an axis for each name, of length 1 if new."""
    names = tuple(names)
    order = axes_of((name for name in names if name in own), own)
    new = tuple(slice(None) if name in own else None for name in names)
    return values.transpose(order)[new]
