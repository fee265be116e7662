"""Data of Dask: parts are read where they are, and the results added up.

Only this module and `dask_cases` import Dask, and only for such data are they
imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Self

import dask
import dask.array
import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.data.kinds import is_dask
from bayesbook.data.parts import error_in
from bayesbook.data.row_blocks import add_tables

# Results that are joined in one task.
_TOGETHER = 8


def in_tree(parts: Iterable, join: Callable) -> Any:
    """Compute delayed results, and join them a few at a time, in order.

    Parameters
    ----------
    parts : iterable of Delayed
        Results; None of an empty part, or a `Failure`.
    join : function of a list of results
        It must not change the results.

    Returns
    -------
    what `join` returns, or None if all parts are empty

    Raises
    ------
    Exception
        The first failure.
    """
    join = dask.delayed(partial(_join_known, join), pure=False)
    parts = list(parts)
    while True:
        parts = [
            join(parts[start : start + _TOGETHER])
            for start in range(0, len(parts), _TOGETHER)
        ]
        if len(parts) == 1:
            break
    result = parts[0].compute()
    if isinstance(result, Failure):
        raise result.error
    return result


def _join_known(join, parts):
    known = [part for part in parts if part is not None]
    for part in known:
        if isinstance(part, Failure):
            return part
    return join(known) if known else None


def on_cluster() -> bool:
    """Return whether Dask would compute at the workers of a cluster."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return False
    scheduler = getattr(dask.base.get_scheduler(), "__self__", None)
    return isinstance(scheduler, distributed.Client)


class Failure(NamedTuple):
    """The error of a part; the first one is reported."""

    error: Exception


def attempt(function: Callable, what: str, *arguments) -> Any:
    """Call a function of a part; an error is a result, a `Failure`.

    Parameters
    ----------
    function : callable
    what : str
        Which part this is, for the message.
    *arguments
        Of the function.
    """
    try:
        with error_in(what):
            return function(*arguments)
    except ValueError as error:
        return Failure(error)


class Partitions:
    """Parts that are read where they are.

    Parameters
    ----------
    parts : iterable of Delayed
    """

    def __init__(self, parts: Iterable):
        self.parts = list(parts)

    @classmethod
    def of(cls, *collections: Any) -> Self:
        """Return the parts of the same rows of several collections."""
        return cls(aligned(collections))

    def reduce(self, look: Callable, join: Callable) -> Any:
        """Return `look` of all parts, joined; None if there are no rows.

        Parameters
        ----------
        look : function of a part
            None of a part without rows.
        join : function of a list of results
            It must not change the results.
        """
        look, each = dask.delayed(look, pure=False), dask.delayed(attempt)
        return in_tree(
            (
                each(look, f"Partition {number}", part)
                for number, part in enumerate(self.parts)
            ),
            join,
        )


def count_in_parts(count: Callable, arguments: dict, of_rows: tuple) -> Any:
    """Count the blocks of dask arrays where they are; add up the counts.

    Parameters
    ----------
    count : function
    arguments : dict
        Its arguments by name.
    of_rows : names of those that have an entry for each row
        Each an array, or a list of arrays. Other arrays are cut as the
        first array of Dask.

    Returns
    -------
    what `count` returns: an array, or a list of arrays
    """
    rows = {
        name: arguments.pop(name)
        for name in of_rows
        if arguments.get(name) is not None
    }
    single = {name for name, own in rows.items() if not is_list(own)}
    arrays = [
        own
        for name, group in rows.items()
        for own in ([group] if name in single else group)
    ]
    lengths = [1 if name in single else len(own) for name, own in rows.items()]

    def look(part):
        own = iter(part)
        given = {
            name: next(own) if name in single else [*islice(own, n)]
            for name, n in zip(rows, lengths, strict=True)
        }
        result = count(**given, **arguments)
        return result if isinstance(result, list) else [result]

    tables = Partitions.of(*arrays).reduce(look, add_tables)
    return tables if "families" in arguments else tables[0]


def aligned(collections: Iterable) -> list:
    """Return the blocks of the same rows, of several collections.

    Parameters
    ----------
    collections : sequence of dask arrays, data frames or series; or arrays
        With as many rows, cut in the same places unless they are arrays of
        known lengths.

    Returns
    -------
    list of Delayed
        Each is a list with a block of each collection.
    """
    collections = list(collections)
    first = next(own for own in collections if is_dask(own))
    blocks = [_blocks(own, first) for own in collections]
    numbers = sorted({len(own) for own in blocks})
    if len(numbers) > 1:
        raise ProbabilityError(
            f"The data are cut into {numbers[0]} and into {numbers[-1]} "
            "parts: cut all of them in the same places, as columns of one "
            "data frame are."
        )
    if all(map(_is_frame, collections)):
        # One expression, so that common sources are read once.
        frames = sys.modules["dask.dataframe"]
        return frames.map_partitions(
            _listed,
            *collections,
            align_dataframes=False,
            enforce_metadata=False,
            meta=pd.Series(dtype=object),
        ).to_delayed()
    together = dask.delayed(_listed, pure=False)
    return [together(*own) for own in zip(*blocks, strict=True)]


def _listed(*blocks):
    return blocks


def _is_frame(own):
    return is_dask(own) and isinstance(own._meta, pd.DataFrame | pd.Series)


def _blocks(own, first):
    is_array = isinstance(first, dask.array.Array)
    # The lengths of the blocks, which may be unknown: then they are NaN.
    rows = first.chunks[0] if is_array else (np.nan,)
    if not is_dask(own):
        if np.isnan(rows).any():
            raise ProbabilityError(
                "Some rows are a collection of Dask and others of the type "
                f"{type(own).__name__}: give all as collections of Dask, cut "
                "in the same places."
            )
        own = dask.array.from_array(np.asarray(own))
    if not isinstance(own, dask.array.Array):
        return own.to_delayed()
    own = own.rechunk(dict.fromkeys(range(1, own.ndim), -1))
    if not np.isnan([sum(rows), own.shape[0]]).any():
        if sum(rows) != own.shape[0]:
            raise ProbabilityError(
                f"There are {sum(rows)} rows in one collection, and "
                f"{own.shape[0]} in another."
            )
        own = own.rechunk({0: rows})
    return own.to_delayed().ravel().tolist()


def is_list(rows: object) -> bool:
    """Return whether rows are columns, in a list or a tuple."""
    return isinstance(rows, list | tuple)


def apply_to_rows(function: Callable, X, meta: np.ndarray) -> Any:
    """Return the results of a function of rows as a dask array.

    Parameters
    ----------
    function : function of some rows
    X : dask array or DataFrame
    meta : array without rows
        Of the type and the other axes of the results.
    """
    if not isinstance(X, dask.array.Array):
        return X.map_partitions(_of_some, function, meta, meta=meta)
    X = X.rechunk({1: -1})
    return dask.array.map_blocks(
        partial(_of_some, function=function, meta=meta),
        X,
        meta=meta,
        dtype=meta.dtype,
        chunks=(X.chunks[0], *((n,) for n in meta.shape[1:])),
        drop_axis=[] if meta.ndim == 2 else [1],
    )


def _of_some(rows, function, meta):
    # A partition may have no row, of which the function cannot be called.
    return function(rows) if len(rows) else meta
