"""Data larger than memory: how they are recognised."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd


def is_dask(data: object) -> bool:
    """Return whether these are data of Dask, without importing it.

    Data of Dask exist only where it has been imported already.
    """
    dask = sys.modules.get("dask.base")
    return dask is not None and dask.is_dask_collection(data)


def has_dask(rows: object) -> bool:
    """Return whether rows, or the first of several columns, are of Dask."""
    if isinstance(rows, list | tuple) and rows:
        rows = rows[0]
    return is_dask(rows)


def is_chunks(data: object) -> bool:
    """Return whether these are several data frames, or a function of them."""
    single = str | bytes | Mapping | np.ndarray | pd.DataFrame | pd.Series
    several = isinstance(data, Iterable) or (
        callable(data) and not isinstance(data, type)
    )
    return several and not isinstance(data, single)
