"""Rows that come in parts, whose results are joined.

Data larger than memory are chunks, which come one after the other, or the
partitions of Dask, which are read where they are. Both kinds of parts have one
method: ``parts.reduce(look, join)`` calls a function of each part, and joins
the results. Counts are joined by adding them up, models by a sum of what they
have learned.

>>> parts = Chunks([[1, 5], [], [2]])
>>> parts.reduce(lambda part: max(part, default=None), max)
5
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from typing import Any

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.data.spool import Spool


@contextmanager
def error_in(what: str) -> Iterator[None]:
    """Raise errors again that say in which part they are."""
    try:
        yield
    except ValueError as error:
        ours = isinstance(error, ProbabilityError)
        kind = type(error) if ours else ValueError
        raise kind(f"{what}: {error}") from None


class Chunks:
    """Parts that come one after the other, once or several times.

    Parameters
    ----------
    chunks : iterable, or function without parameters that returns one
    read : function of the name of a part, such as "Chunk 0", and of a chunk
        Returns the part. Its errors name the part themselves.
    n_passes : int
        How often they are read. If more than once, the chunks of an iterator,
        tuples of rows, are kept in a temporary file.
    """

    def __init__(
        self,
        chunks: Iterable | Callable[[], Iterable],
        read: Callable[[str, Any], Any] = lambda _, chunk: chunk,
        n_passes: int = 1,
    ):
        self.chunks, self.read = chunks, read
        needs_file = n_passes > 1 and isinstance(chunks, Iterator)
        self.spool = Spool() if needs_file else None
        self.is_kept = False

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Yield the name of each part, and the part."""
        chunks: Any = self.chunks
        if self.spool is not None:
            chunks = self._kept(self.spool)
        elif callable(chunks):
            chunks = chunks()
        # Nobody else closes what a function has opened.
        has_end = chunks is not self.chunks and hasattr(chunks, "close")
        with closing(chunks) if has_end else nullcontext():
            for number, chunk in enumerate(chunks):
                what = f"Chunk {number}"
                yield what, self.read(what, chunk)

    def reduce(self, look: Callable, join: Callable) -> Any:
        """Return `look` of all parts, joined; None if there are no rows.

        Parameters
        ----------
        look : function of a part
            None of a part without rows.
        join : function of a list of results
            It must not change the results.
        """
        result = None
        for what, part in self:
            with error_in(what):
                new = look(part)
                if new is not None:
                    result = new if result is None else join([result, new])
        return result

    def _kept(self, spool):
        if self.is_kept:
            yield from map(spool.__getitem__, range(len(spool)))
            return
        for chunk in self.chunks:
            spool.append(tuple(map(_compact, chunk)))
            yield chunk
        self.is_kept = True


def _compact(rows):
    """Return rows that need less memory: texts and integers as small codes."""
    if isinstance(rows, pd.DataFrame):
        return pd.DataFrame(
            {m: _compact(own) for m, (_, own) in enumerate(rows.items())}
        ).set_axis(rows.columns, axis=1)
    if isinstance(rows, pd.Series):
        if pd.api.types.is_integer_dtype(rows):
            return pd.to_numeric(rows, downcast="integer")
        is_number = pd.api.types.is_numeric_dtype(rows)
        return rows if is_number else rows.astype("category")
    if isinstance(rows, np.ndarray) and rows.dtype.kind == "i":
        least, most = rows.min(initial=0), rows.max(initial=0)
        kind = np.result_type(*map(np.min_scalar_type, (least, most, -1)))
        return rows.astype(kind)
    return rows
