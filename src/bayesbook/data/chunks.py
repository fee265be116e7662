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
from bayesbook.data.cases import Cases, pairs_of
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
from bayesbook.data.families import count_checked
from bayesbook.data.parts import Chunks, error_in
from bayesbook.data.row_blocks import add_tables, chunks

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
        self._first_rows = ()

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

    def read(self, m, start, stop):
        """Read some rows of a column: pairs of codes and of their type.

        The weights are the last column.
        """
        if len(self._first_rows) != len(self.blocks):
            lengths = [block.n_rows for block in self.blocks]
            self._first_rows = np.cumsum([0, *lengths[:-1]])
        first = np.searchsorted(self._first_rows, start, side="right") - 1
        for number in range(max(int(first), 0), len(self.blocks)):
            block, own = self.blocks[number], self._first_rows[number]
            if own >= stop:
                break
            rows = slice(max(start - own, 0), min(stop - own, block.n_rows))
            kind = block.types[m] if m >= 0 else 0
            yield self._read(block.starts[m], rows, block.kinds[m]), kind

    def _read(self, start, rows, kind):
        array = np.empty(rows.stop - rows.start, kind)
        data = memoryview(array).cast("B")
        with self._lock:
            self._file.seek(start + int(rows.start) * kind.itemsize)
            while data:
                n_read = self._file.readinto(data)
                if not n_read:
                    raise OSError("The temporary file of codes is cut off.")
                data = data[n_read:]
        return array


class _Column:
    """A column in the file, of which slices are read on demand.

    Parameters
    ----------
    spool : _Spool
    m : int
        Its number in the file; that of the weights is -1.
    tables : list of array or None
        For each type that the column had, the final codes.
    """

    def __init__(self, spool, m, tables):
        self._spool, self._m, self._tables = spool, m, tables
        self._n_rows = sum(block.n_rows for block in spool.blocks)
        self._last = 0, 0, None

    def __len__(self):
        return self._n_rows

    def __getitem__(self, rows):
        start, stop, codes = self._last
        # Tables that are counted together need the same rows.
        if (start, stop) != (rows.start, rows.stop):
            pieces = [
                piece
                if self._tables[kind] is None
                else self._tables[kind][piece]
                for piece, kind in self._spool.read(
                    self._m, rows.start, rows.stop
                )
            ]
            codes = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
            self._last = rows.start, rows.stop, codes
        return codes

    def all(self):
        """Read all rows into memory."""
        return np.concatenate([self[rows] for rows in chunks(len(self))])


class ChunkedCases(Cases):
    """Cases whose codes are in a temporary file.

    They have everything that :class:`Cases` has; but `columns`, `weights`
    and `to_frame` read all codes into memory.
    """

    def __init__(self, states, total, first_missing, columns, weights):
        self._columns, self._weights = tuple(columns), weights
        # For each column with missing values, where the first one is.
        self._first_missing = first_missing
        self._describe(states, len(columns[0]), total, first_missing)

    def __reduce__(self) -> tuple[Any, ...]:
        # A file without a name cannot travel; the codes in it can.
        return Cases._of, (dict(self.states), self.columns, self.weights)

    def _blocks(self):
        """Yield the codes of all variables and the weights, by blocks."""
        for rows in chunks(self.n_rows, _BLOCK):
            weights = None if self._weights is None else self._weights[rows]
            yield [column[rows] for column in self._columns], weights

    @property
    def columns(self):
        """The codes of all rows, in memory."""
        return tuple(column.all() for column in self._columns)

    @property
    def weights(self):
        """The weights of all rows, in memory."""
        return None if self._weights is None else self._weights.all()

    def _count(self, places):
        return count_checked(
            self._columns,
            self.n_states,
            places,
            self._weights,
            self._incomplete,
        )

    def count_pairs(self):
        """Count every pair of states of every pair of variables."""
        (table,) = add_tables(
            [pairs_of(columns, self.n_states, weights)]
            for columns, weights in self._blocks()
        )
        return table

    def distinct(self):
        """Return each different row once, with the number of such rows."""
        kept, n_kept = [], 0
        for columns, weights in self._blocks():
            part = Cases._of(dict(self.states), columns, weights)
            kept.append(part.distinct())
            # Join them when there are as many new rows as joined ones.
            if sum(map(len, kept[1:])) > n_kept:
                kept = [join_distinct(kept)]
                n_kept = len(kept[0])
        return join_distinct(kept)

    def select(self, names):
        """Return the cases of some of the variables, in this order."""
        places, states = self._some(names)
        columns = [self._columns[m] for m in places]
        return ChunkedCases(
            states, self.total, self._first_missing, columns, self._weights
        )

    def require_complete(self):
        """Refuse missing values."""
        for m in sorted(self._incomplete):
            raise ProbabilityError(self._first_missing[self.names[m]])

    def __repr__(self) -> str:
        return f"{super().__repr__()}, in a file"


def join_distinct(parts):
    """Join cases, of different rows each, to cases of different rows."""
    if len(parts) == 1:
        return parts[0]
    columns = map(
        np.concatenate, zip(*(part.columns for part in parts), strict=True)
    )
    weights = np.concatenate([part.weights for part in parts])
    joined = Cases._of(dict(parts[0].states), list(columns), weights)
    return joined.distinct()


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
    known, columns = {}, []
    for m, (name, column) in enumerate(zip(names, found, strict=True)):
        known[name] = declared.get(name) or states_of(
            name, column.news, n_rows
        )
        tables = [_table(coding, known[name]) for coding in column.codings]
        columns.append(_Column(spool, m, tables or [None]))
    weights = None if weights is None else _Column(spool, -1, [None])
    cases = ChunkedCases(known, total, first_missing, columns, weights)
    if spool.size > _IN_MEMORY:
        return cases
    return Cases._of(known, cases.columns, cases.weights)


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
