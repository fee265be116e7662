"""Functions of rows that take arrays of Dask, too."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable

from bayesbook.data.kinds import has_dask


def blockwise(*of_rows: str) -> Callable:
    """Decorate a function so that it takes arrays of Dask, block by block.

    Parameters
    ----------
    *of_rows : names of the arguments that have an entry for each row
    """

    def decorate(count):
        signature = inspect.signature(count)

        @functools.wraps(count)
        def of_any(*args, **kwargs):
            # This check is cheap, because rows may come one by one.
            if "dask.array" not in sys.modules:
                return count(*args, **kwargs)
            given = signature.bind(*args, **kwargs).arguments
            rows = [given.get(name) for name in of_rows]
            if not any(map(has_dask, rows)):
                return count(*args, **kwargs)
            from bayesbook.data.dask_parts import count_in_parts

            return count_in_parts(count, given, of_rows)

        return of_any

    return decorate
