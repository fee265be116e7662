"""Data larger than memory: how they are recognised."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import pandas as pd


def is_dask(data) -> bool:
    """Whether these are data of Dask, without an import of it.

    Nobody has such data who has not imported it.
    """
    dask = sys.modules.get("dask.base")
    return dask is not None and dask.is_dask_collection(data)


def has_dask(rows) -> bool:
    """Whether rows are of Dask, or columns, of which one stands for all."""
    if isinstance(rows, list | tuple) and rows:
        rows = rows[0]
    return is_dask(rows)


def is_chunks(data) -> bool:
    """Whether these are several data frames, or a function that gives them."""
    one = str | bytes | Mapping | np.ndarray | pd.DataFrame | pd.Series
    several = isinstance(data, Iterable) or (
        isinstance(data, Callable) and not isinstance(data, type)
    )
    return several and not isinstance(data, one)
