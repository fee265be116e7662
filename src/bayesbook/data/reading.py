"""Reading data of any kind as cases: a frame, chunks, or a frame of Dask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.names import quoted_list
from bayesbook.data.cases import Cases
from bayesbook.data.columns import read_declared, read_missing
from bayesbook.data.kinds import is_chunks, is_dask
from bayesbook.probability.table import State

__all__ = ["read_cases"]


def read_cases(
    data: pd.DataFrame | Iterable[pd.DataFrame] | Callable | Cases,
    *,
    states: Mapping[str, Sequence[State]] | None = None,
    weights: str | Sequence[float] | None = None,
    missing: str = "error",
) -> Cases:
    """Read data as cases: a frame, its chunks, or cases themselves.

    Data that are larger than memory come in chunks, or as a data frame of
    Dask (with the extra ``bayesbook[dask]``). A learner learns from them what
    it would learn from the whole frame in memory, ``pd.concat(chunks)``: the
    counts of chunks add up, to the last bit if the weights are whole numbers,
    and to rounding if they are not.

    Parameters
    ----------
    data : DataFrame, iterable of DataFrames, dask DataFrame, or Cases
        The chunks of an iterable, or of one that a function without
        parameters returns, are read one by one, and once: their codes, one
        small number for each value, are kept in memory if 64 MiB are enough,
        and otherwise in a temporary file, which is removed with the cases
        (its folder, `tempfile.gettempdir`, needs the space). The partitions
        of a dask DataFrame are counted where they are; the codes stay at the
        workers of a cluster, and without one every count reads the data
        again.
    states, weights, missing
        As for :class:`Cases`. The weights of chunks are the name of a
        column, or a sequence for the rows of all chunks; those of a dask
        DataFrame are the name of a column.

    Returns
    -------
    Cases

    Raises
    ------
    ProbabilityError
        As for :class:`Cases`, with the number of the chunk, and of the row in
        it, from 0; if the columns of two chunks are not the same (their order
        does not matter); if no chunk has a row (some may have none); if other
        states or weights are given for cases; or if cases have missing values
        that are not allowed.
    TypeError
        As for :class:`Cases`; or if a chunk is not a data frame.

    Notes
    -----
    States that are not declared are found as the chunks are read, and sorted
    at the end. If the categories of a column differ between chunks, its
    states are all of them, sorted.

    Examples
    --------
    >>> chunks = [pd.DataFrame({"coin": ["tails", "tails"]}),
    ...           pd.DataFrame({"coin": ["heads"]})]
    >>> cases = read_cases(chunks)
    >>> cases
    Cases: 3 rows of 1 variable
    >>> cases.states["coin"], cases.count([("coin",)])[0]
    (('heads', 'tails'), array([1., 2.]))
    """
    if not isinstance(data, Cases):
        given: dict[str, Any] = {
            "states": states,
            "weights": weights,
            "missing": missing,
        }
        # Imported only here: few people have such data.
        if is_dask(data):
            from bayesbook.data.dask_cases import read_partitions

            return read_partitions(data, **given)
        if is_chunks(data):
            from bayesbook.data.chunks import read_chunks

            return read_chunks(data, **given)
        return Cases(data, **given)
    if weights is not None:
        raise ProbabilityError(
            "Cases have their weights already; give them with the data frame: "
            "Cases(frame, weights=...)."
        )
    if states is not None:
        for name, own in read_declared(states, data.names).items():
            if own != data.states[name]:
                raise ProbabilityError(
                    "The cases have the states "
                    f"{quoted_list(data.states[name])} of {name!r}, and not "
                    f"{quoted_list(own)}: declare them where "
                    "the data frame is read, Cases(frame, states=...)."
                )
    if data.has_missing and read_missing(missing) == "error":
        data.require_complete()
    return data
