"""Cases of chunks, whose codes are in a file and read when they are counted.

Each chunk is read once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.names import pluralise, quoted_list
from bayesbook.data.cases import Cases, unchecked_cases
from bayesbook.data.cases_in_parts import CasesInParts
from bayesbook.data.coded_parts import (
    Part,
    code_table,
    final_states,
    join_parts,
    join_summaries,
    read_part,
    recode,
)
from bayesbook.data.columns import (
    read_column_names,
    read_declared,
    read_missing,
    require_discrete,
    require_total,
    split_weights,
    weights_in_order,
)
from bayesbook.data.parts import Chunks, error_in
from bayesbook.data.spool import Spool

# Rows that are written together.
_BLOCK = 2**18
# Codes that need no more bytes than these stay in memory in the end.
_IN_MEMORY = 2**26
# With more states than these, a column is checked before all rows have been
# read: its states may be names of the rows, which would fill the memory.
_MANY_STATES = 2**20


class _Writer:
    """Writes the codes of parts to a file, in blocks of many rows."""

    def __init__(self) -> None:
        self.spool = Spool()
        self.names: tuple[str, ...] = ()
        # Of each block the numbers of its columns in the file, and codings.
        self.blocks: list[tuple] = []
        self.summary: Any = None
        self._pending: list[Part] = []

    def append(self, part):
        """Append a part; parts are written when their rows are many."""
        self._pending.append(part)
        if sum(own.summary.n_rows for own in self._pending) >= _BLOCK:
            self.flush()

    def flush(self):
        """Write all parts that have not been written."""
        if not self._pending:
            return
        columns, weights, summary = join_parts(self._pending)
        self._pending = []
        before = [] if self.summary is None else [self.summary]
        self.summary = join_summaries([*before, summary])
        self._require_few_states()
        arrays = columns if weights is None else [*columns, weights]
        for start in range(0, summary.n_rows, _BLOCK):
            rows = slice(start, start + _BLOCK)
            numbers = [self.spool.append(own[rows]) for own in arrays]
            self.blocks.append((numbers, summary.codings))

    def _require_few_states(self):
        for name, codings in zip(
            self.names, self.summary.codings, strict=True
        ):
            n_states = sum(len(coding.states) for coding in codings or ())
            if n_states > _MANY_STATES:
                require_discrete(name, range(n_states), self.summary.n_rows)


class ChunkedCases(CasesInParts):
    """Cases whose codes are in a temporary file.

    Parameters
    ----------
    spool : Spool
    blocks : list of pairs
        The numbers of the columns in the file, and the final codes of
        their codes, or None. The last column holds the weights.
    numbers : dict of str to int
        Which column each variable is.
    states, summary, is_weighted
        What is known of all rows.
    """

    def __init__(self, spool, blocks, numbers, states, summary, is_weighted):
        self._spool, self._blocks, self._numbers = spool, blocks, numbers
        self._summary, self._is_weighted = summary, is_weighted
        self._first_missing = summary.first_missing
        self._describe(
            states, summary.n_rows, summary.total, summary.first_missing
        )

    def __reduce__(self) -> tuple[Any, ...]:
        # A file without a name cannot travel; the codes in it can.
        columns, weights = self.columns, self.weights
        return unchecked_cases, (dict(self.states), columns, weights)

    def _codes(self, block, name):
        """Return the final codes of a variable in a block."""
        numbers, tables = block
        m = self._numbers[name]
        return recode(self._spool[numbers[m]], tables[m])

    def _row_weights(self, block):
        return self._spool[block[0][-1]] if self._is_weighted else None

    def _reduce(self, places, look, join):
        names = [self.names[m] for m in places]
        parts = (
            (
                [self._codes(block, name) for name in names],
                self._row_weights(block),
            )
            for block in self._blocks
        )
        return Chunks(parts).reduce(look, join)

    @property
    def columns(self):
        """The codes of all rows, in memory."""
        return tuple(
            np.concatenate([self._codes(block, n) for block in self._blocks])
            for n in self.names
        )

    @property
    def weights(self):
        """The weights of all rows, in memory."""
        if not self._is_weighted:
            return None
        return np.concatenate(list(map(self._row_weights, self._blocks)))

    def select(self, names):
        """Return the cases of some of the variables, in this order."""
        _, states = self._some(names)
        return ChunkedCases(
            self._spool,
            self._blocks,
            self._numbers,
            states,
            self._summary,
            self._is_weighted,
        )

    def __repr__(self) -> str:
        return f"{super().__repr__()}, in a file"


def read_chunks(data, *, states, weights, missing) -> Cases:
    """Read cases from chunks, one by one.

    Parameters
    ----------
    data : iterable of DataFrames, or function that returns one
    states, weights, missing
        As for :class:`Cases`.
    """
    missing = read_missing(missing)
    writer, declared = _Writer(), {}
    n_rows = n_chunks = 0
    given = None if weights is None or isinstance(weights, str) else weights
    if given is not None:
        given = weights_in_order(given)
    for what, chunk in Chunks(data, _read_frame):
        n_chunks += 1
        if given is not None:
            weights = given.iloc[n_rows : n_rows + len(chunk)]
        with error_in(what):
            if not writer.names:
                # Those of the first chunk are those of all.
                variables, _ = split_weights(chunk[:0], _name(weights))
                writer.names = read_column_names(variables)
                declared = read_declared(states, writer.names)
            else:
                _require_columns(chunk, writer.names, _name(weights))
            how = writer.names, declared, weights, missing
            part = read_part(what, chunk, *how)
            if part is not None:
                n_rows += len(chunk)
                writer.append(part)
    if not n_rows:
        raise ProbabilityError(
            f"There is no row in {pluralise(n_chunks, 'chunk')}: there is "
            "nothing to learn from. An iterator can be passed through only "
            "once."
        )
    if given is not None and len(given) != n_rows:
        raise ProbabilityError(
            f"There are {n_rows} rows, but {pluralise(len(given), 'weight')}; "
            "give one for each row."
        )
    writer.flush()
    require_total(writer.summary.total)
    known = final_states(writer.names, declared, writer.summary)
    blocks = [
        (own, list(map(code_table, codings, known.values())))
        for own, codings in writer.blocks
    ]
    numbers = {name: m for m, name in enumerate(writer.names)}
    cases = ChunkedCases(
        writer.spool,
        blocks,
        numbers,
        known,
        writer.summary,
        weights is not None,
    )
    if writer.spool.size > _IN_MEMORY:
        return cases
    return unchecked_cases(known, cases.columns, cases.weights)


def _name(weights):
    """Return the name of the column of weights, or None."""
    return weights if isinstance(weights, str) else None


def _read_frame(what, chunk):
    """Refuse a chunk that is not a data frame."""
    if not isinstance(chunk, pd.DataFrame):
        raise TypeError(
            f"{what} is of the type {type(chunk).__name__}, and not a "
            "data frame with a column for each variable."
        )
    return chunk


def _require_columns(chunk, names, weights):
    """Refuse a chunk whose columns are not those of the chunks before.

    Their order does not matter.
    """
    wanted = [*names, *([] if weights is None else [weights])]
    if list(chunk.columns) == wanted:
        return
    for name in wanted:
        if name not in chunk:
            raise ProbabilityError(
                f"It has no column {name!r}, which the chunks before have; "
                f"its columns are {quoted_list(chunk.columns)}."
            )
    for name in chunk.columns:
        if name not in wanted:
            raise ProbabilityError(
                f"It has a column {name!r}, which the chunks before do not "
                f"have; their columns are {quoted_list(wanted)}."
            )
    variables, _ = split_weights(chunk[:0], weights)
    read_column_names(variables)
