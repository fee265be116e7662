"""Cases of chunks, whose codes are in a file and read when they are counted.

Each chunk is read once. Of each value one small number is kept, the position
of its state among the states that were found until then. When all chunks, and
with them all states, have been read, it becomes the position among all states.
"""

from __future__ import annotations

import tempfile
import threading
import weakref
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import coded, factorised, places_among, plain
from bayesbook.base.names import pluralise, quoted_list
from bayesbook.data.cases import Cases, unchecked_cases
from bayesbook.data.cases_in_parts import CasesInParts
from bayesbook.data.columns import (
    read_column,
    read_column_names,
    read_declared,
    read_missing,
    refuse_missing,
    require_discrete,
    require_total,
    small,
    split_weights,
    total_of,
    weights_in_order,
)
from bayesbook.data.parts import Chunks, error_in

# Rows that are written together.
_BLOCK = 2**18
# Codes that need no more bytes than these stay in memory in the end.
_IN_MEMORY = 2**26
# With more states than these, a column is checked before all rows have been
# read: its states may be names of the rows, which would fill the memory.
_MANY_STATES = 2**20


class Coding(NamedTuple):
    """The states that the codes of a column stand for, and its type."""

    dtype: Any
    states: tuple


@dataclass(frozen=True)
class Part:
    """The codes of some rows, read without the other rows.

    Attributes
    ----------
    columns : tuple of int arrays
    codings : tuple of Coding or None
        None where the states are declared, so that the codes are final.
    weights : array or None
    first_missing : dict of str to str
        For each column with missing values, where the first one is.
    """

    columns: tuple
    codings: tuple
    weights: np.ndarray | None
    first_missing: dict

    @property
    def n_rows(self):
        """The number of rows."""
        return len(self.columns[0])

    @property
    def total(self):
        """The sum of the weights."""
        return total_of(self.weights, self.n_rows)

    def recoded(self, states):
        """Return the part with the final codes."""
        columns = [
            recode(column, coding, final)
            for column, coding, final in zip(
                self.columns, self.codings, states, strict=True
            )
        ]
        nothing = (None,) * len(columns)
        return Part(tuple(columns), nothing, self.weights, self.first_missing)


def read_part(frame, names, declared, weights, missing):
    """Code some rows, by the declared states or by those that occur."""
    frame, weights = split_weights(frame, weights)
    columns, codings, first_missing = [], [], {}
    for name in names:
        column, states = frame[name], declared.get(name)
        try:
            refuse_missing(column.to_frame(), "it")
        except ProbabilityError as error:
            if missing == "error":
                raise
            first_missing[name] = str(error)
        if states is None:
            codes, coding = _code(column)
        else:
            (codes, _), coding = read_column(column, states, missing), None
        columns.append(codes)
        codings.append(coding)
    return Part(tuple(columns), tuple(codings), weights, first_missing)


def _code(column):
    """Return the codes of a column, and what they stand for."""
    codes, states = factorised(column)
    states = tuple(map(plain, states))
    if not isinstance(column.dtype, pd.CategoricalDtype):
        # Whether there are too many states is known at the end only.
        require_discrete(column.name, states, np.inf)
    return codes.astype(small(len(states))), Coding(column.dtype, states)


def recode(column, coding, states):
    """Return the codes among all states."""
    if coding is None or coding.states == tuple(states):
        return column
    places = places_among(coding.states, states)
    return places.astype(small(len(states)))[column]


def states_of(name, codings, n_rows):
    """Return the states of a column whose parts have these codings.

    They are those that the column would have if all parts were one.
    """
    columns = [
        pd.Series(pd.Categorical(coding.states, dtype=coding.dtype))
        if isinstance(coding.dtype, pd.CategoricalDtype)
        else pd.Series(list(coding.states), dtype=coding.dtype)
        for coding in codings
    ]
    # Frames, because in frames pandas joins truth values and numbers to
    # numbers, and in series to objects.
    frames = [column.to_frame(name) for column in columns]
    whole = pd.concat(frames, ignore_index=True)[name]
    _, states = coded(whole)
    states = tuple(map(plain, states))
    if not states:
        raise ProbabilityError(
            f"Column {name!r} has no value in any row: leave it out, or "
            "declare its states with states={...}."
        )
    if not isinstance(whole.dtype, pd.CategoricalDtype):
        require_discrete(name, states, n_rows)
    return states


class _Found:
    """The states of a column that have been found, by type."""

    def __init__(self):
        self.by_type = {}
        # The new states of all types, in the order in which they were
        # found.
        self.news = []

    def add(self, coding):
        """Return the number of the type, and the position of its states."""
        is_category = isinstance(coding.dtype, pd.CategoricalDtype)
        # Categories in another order are another type here.
        key = coding if is_category else coding.dtype
        is_new = key not in self.by_type
        known = self.by_type.setdefault(key, {})
        new = tuple(state for state in coding.states if state not in known)
        if new or is_new:
            self.news.append(Coding(coding.dtype, new))
        for state in new:
            known[state] = len(known)
        return list(self.by_type).index(key), known

    @property
    def codings(self):
        """The states of each type, in the order of their codes."""
        return [
            key if isinstance(key, Coding) else Coding(key, tuple(known))
            for key, known in self.by_type.items()
        ]

    @property
    def n_states(self):
        """The number of states of all types."""
        return sum(map(len, self.by_type.values()))


class _Block(NamedTuple):
    """Where in the file the codes of some rows are."""

    n_rows: int
    starts: tuple  # of the columns, in bytes; the last is of the weights
    kinds: tuple  # of the codes
    types: tuple  # which of the types of `_Found` each column has


class _Spool:
    """A file of codes, column after column in blocks of rows.

    The file has no name, so that the system removes it in any case.
    """

    def __init__(self):
        # The file is closed when nothing refers to the spool any more.
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()
        self.size = 0  # in bytes
        self._pending, self._types = [], ()
        self.blocks = []

    def append(self, columns, types, weights):
        """Append some rows; they are written when they are many."""
        if self._pending and types != self._types:
            self.flush()
        self._types = types
        self._pending.append((columns, weights))
        if sum(len(columns[0]) for columns, _ in self._pending) >= _BLOCK:
            self.flush()

    def flush(self):
        """Write all rows that have not been written."""
        if not self._pending:
            return
        parts, weights = zip(*self._pending, strict=True)
        arrays = [
            np.concatenate(pieces) for pieces in zip(*parts, strict=True)
        ]
        if weights[0] is not None:
            arrays.append(np.concatenate(weights))
        n_rows = len(arrays[0])
        self._pending = []
        for start in range(0, n_rows, _BLOCK):
            self._write([own[start : start + _BLOCK] for own in arrays])

    def _write(self, arrays):
        starts = []
        self._file.seek(self.size)
        for own in arrays:
            starts.append(self.size)
            data = memoryview(np.ascontiguousarray(own)).cast("B")
            while data:
                data = data[self._file.write(data) :]
            self.size += own.nbytes
        self.blocks.append(
            _Block(
                len(arrays[0]),
                tuple(starts),
                tuple(own.dtype for own in arrays),
                self._types,
            )
        )

    def read(self, block, m):
        """Read a column of a block; the weights are the last column."""
        array = np.empty(block.n_rows, block.kinds[m])
        data = memoryview(array).cast("B")
        with self._lock:
            self._file.seek(block.starts[m])
            while data:
                n_read = self._file.readinto(data)
                if not n_read:
                    raise OSError("The temporary file of codes is cut off.")
                data = data[n_read:]
        return array


class ChunkedCases(CasesInParts):
    """Cases whose codes are in a temporary file.

    Parameters
    ----------
    spool : _Spool
    tables : dict of str to list of array or None
        The final codes of each variable in the file, by the type that the
        column had; None where the codes are final.
    states, total, first_missing, is_weighted
        What is known of all rows.
    """

    def __init__(
        self, spool, tables, states, total, first_missing, is_weighted
    ):
        self._spool, self._tables = spool, tables
        self._is_weighted, self._first_missing = is_weighted, first_missing
        # The numbers of the columns in the file.
        self._numbers = [list(tables).index(name) for name in states]
        n_rows = sum(block.n_rows for block in spool.blocks)
        self._describe(states, n_rows, total, first_missing)

    def __reduce__(self) -> tuple[Any, ...]:
        # A file without a name cannot travel; the codes in it can.
        return unchecked_cases, (
            dict(self.states),
            self.columns,
            self.weights,
        )

    def _column(self, block, place):
        """Return the final codes of a variable in a block."""
        m = self._numbers[place]
        codes = self._spool.read(block, m)
        table = self._tables[self.names[place]][block.types[m]]
        return codes if table is None else table[codes]

    def _row_weights(self, block):
        return self._spool.read(block, -1) if self._is_weighted else None

    def _reduce(self, places, look, join):
        blocks = (
            (
                [self._column(block, m) for m in places],
                self._row_weights(block),
            )
            for block in self._spool.blocks
        )
        return Chunks(blocks).reduce(look, join)

    @property
    def columns(self):
        """The codes of all rows, in memory."""
        return tuple(
            np.concatenate(
                [self._column(block, m) for block in self._spool.blocks]
            )
            for m in range(len(self.names))
        )

    @property
    def weights(self):
        """The weights of all rows, in memory."""
        if not self._is_weighted:
            return None
        return np.concatenate(list(map(self._row_weights, self._spool.blocks)))

    def select(self, names):
        """Return the cases of some of the variables, in this order."""
        _, states = self._some(names)
        return ChunkedCases(
            self._spool,
            self._tables,
            states,
            self.total,
            self._first_missing,
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
    names: tuple[str, ...] = ()
    declared: dict[str, tuple] = {}
    found: list[_Found] = []
    first_missing: dict[str, str] = {}
    n_rows, total = 0, 0.0
    spool, n_chunks = _Spool(), 0
    given = None if weights is None or isinstance(weights, str) else weights
    if given is not None:
        given = weights_in_order(given)
    for what, chunk in Chunks(data, _read_frame):
        n_chunks += 1
        if given is not None:
            weights = given.iloc[n_rows : n_rows + len(chunk)]
        with error_in(what):
            if not names:
                # Those of the first chunk are those of all.
                variables, _ = split_weights(chunk[:0], _name(weights))
                names = read_column_names(variables)
                declared = read_declared(states, names)
                found = [_Found() for _ in names]
            else:
                _require_columns(chunk, names, _name(weights))
            if not len(chunk):
                continue
            part = read_part(chunk, names, declared, weights, missing)
            for name, where in part.first_missing.items():
                first_missing.setdefault(name, f"{what}: {where}")
            n_rows += part.n_rows
            total += part.total
            _append(spool, part, found, names, n_rows)
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
    require_total(total)
    spool.flush()
    known, tables = {}, {}
    for name, column in zip(names, found, strict=True):
        known[name] = declared.get(name) or states_of(
            name, column.news, n_rows
        )
        # Where states are declared, the codes are final.
        tables[name] = [
            _table(coding, known[name]) for coding in column.codings
        ] or [None]
    cases = ChunkedCases(
        spool, tables, known, total, first_missing, weights is not None
    )
    if spool.size > _IN_MEMORY:
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


def _append(spool, part, found, names, n_rows):
    """Write the codes of a part, as positions among the states so far."""
    columns, types = [], []
    for name, codes, coding, column in zip(
        names, part.columns, part.codings, found, strict=True
    ):
        kind = 0
        if coding is not None:
            kind, known = column.add(coding)
            codes = recode(codes, coding, known)
            if column.n_states > _MANY_STATES:
                require_discrete(name, range(column.n_states), n_rows)
        columns.append(codes)
        types.append(kind)
    spool.append(columns, tuple(types), part.weights)


def _table(coding, states):
    """Return the final codes of the codes in the file, if they differ."""
    if coding.states == states:
        return None
    return places_among(coding.states, states).astype(small(len(states)))
