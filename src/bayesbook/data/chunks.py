"""Cases of chunks: their codes are in a file, and read when they are counted.

Each chunk is looked at once. What is kept of it is one small number for each
value, the place of its state among those that were found until then; when all
chunks have been seen, and with them all states, that becomes the place among
all of them.
"""

from __future__ import annotations

import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import coded, factorised, places_among, plain
from bayesbook.base.names import pluralise, quoted_list
from bayesbook.data.cases import (
    Cases,
    pairs_of,
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
from bayesbook.data.counts import add_tables, chunks, count_checked

# Rows that are written together.
_BLOCK = 2**18
# Codes that need no more bytes than these stay in memory in the end.
_IN_MEMORY = 2**26
# So many states are looked at before all rows have been seen: they may be
# names of the rows, which would fill the memory.
_MANY_STATES = 2**20


class Coding(NamedTuple):
    """Which states the codes of a column mean, and of which type it was."""

    dtype: Any
    states: tuple


@dataclass(frozen=True)
class Part:
    """The codes of some rows, as they are without a look at the others.

    Attributes
    ----------
    columns : tuple of int arrays
    codings : tuple of Coding or None
        None where the states are declared, so that the codes are final.
    weights : array or None
    gaps : dict of str to str
        Of the columns in which a value is missing, where the first one is.
    """

    columns: tuple
    codings: tuple
    weights: np.ndarray | None
    gaps: dict

    @property
    def n_rows(self):
        return len(self.columns[0])

    @property
    def total(self):
        return total_of(self.weights, self.n_rows)

    def recoded(self, states):
        """Return the part with the final codes."""
        columns = [
            recode(column, coding, own)
            for column, coding, own in zip(
                self.columns, self.codings, states, strict=True
            )
        ]
        nothing = (None,) * len(columns)
        return Part(tuple(columns), nothing, self.weights, self.gaps)


def read_part(frame, names, declared, weights, missing):
    """Code some rows; of columns that are not declared as they come."""
    frame, weights = split_weights(frame, weights)
    columns, codings, gaps = [], [], {}
    for name in names:
        column, own = frame[name], declared.get(name)
        try:
            refuse_missing(column.to_frame(), "it")
        except ProbabilityError as error:
            if missing == "error":
                raise
            gaps[name] = str(error)
        if own is None:
            codes, coding = _code(column)
        else:
            (codes, _), coding = read_column(column, own, missing), None
        columns.append(codes)
        codings.append(coding)
    return Part(tuple(columns), tuple(codings), weights, gaps)


def _code(column):
    codes, states = factorised(column)
    states = tuple(map(plain, states))
    if not isinstance(column.dtype, pd.CategoricalDtype):
        # Whether there are too many states can be said at the end only.
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
    # As frames: of truth values and numbers pandas makes numbers in frames,
    # and objects in series.
    frames = [column.to_frame(name) for column in columns]
    whole = pd.concat(frames, ignore_index=True)[name]
    _, states = coded(whole)
    states = tuple(map(plain, states))
    if not states:
        raise ProbabilityError(
            f"Column {name!r} has no value in any row: leave it out, or name "
            "its states with states={...}."
        )
    if not isinstance(whole.dtype, pd.CategoricalDtype):
        require_discrete(name, states, n_rows)
    return states


class _Found:
    """The states of a column that were found until now, by type."""

    def __init__(self):
        self.by_type = {}
        # The same in the order of their coming, whatever their type.
        self.news = []

    def add(self, coding):
        """Say which type it is, and where its states are among the known."""
        is_category = isinstance(coding.dtype, pd.CategoricalDtype)
        # The same categories in another order are another type here.
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
        return [
            key if isinstance(key, Coding) else Coding(key, tuple(known))
            for key, known in self.by_type.items()
        ]

    @property
    def n_states(self):
        return sum(map(len, self.by_type.values()))


class _Block(NamedTuple):
    """Where the codes of some rows are in the file."""

    n_rows: int
    starts: tuple  # of the columns, in bytes; the last is of the weights
    kinds: tuple  # of the codes
    types: tuple  # which of the types of `_Found` each column has


class _Spool:
    """A file of codes, column after column in blocks of rows.

    The file has no name, so that the system removes it, whatever happens.
    """

    def __init__(self):
        # It is closed with the spool, of whose end nobody else hears.
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()
        self.size = 0  # in bytes
        self._pending, self._types = [], ()
        self.blocks = []
        self._first_rows = ()

    def append(self, columns, types, weights):
        """Write some rows, at the latest when many have come together."""
        if self._pending and types != self._types:
            self.flush()
        self._types = types
        self._pending.append((columns, weights))
        if sum(len(columns[0]) for columns, _ in self._pending) >= _BLOCK:
            self.flush()

    def flush(self):
        """Write all rows that wait."""
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

        The last column are the weights.
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
    """A column in the file; slices of it are read when they are asked for.

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
        # Tables that are counted together ask for the same rows.
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
        """Bring all rows into memory."""
        return np.concatenate([self[rows] for rows in chunks(len(self))])


class ChunkedCases(Cases):
    """Cases whose codes are in a temporary file.

    Everything that :class:`Cases` has, they have too; but their `columns` and
    `weights`, and `to_frame`, bring all codes into memory.
    """

    def __init__(self, states, total, where, columns, weights):
        self._columns, self._weights = tuple(columns), weights
        # Where the first value is missing, of columns with gaps.
        self._where = where
        self._describe(states, len(columns[0]), total, where)

    def __reduce__(self):
        # A file without a name cannot travel; the codes in it can.
        return Cases._of, (dict(self.states), self.columns, self.weights)

    def _blocks(self):
        """Go through the rows: the codes of all variables, the weights."""
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
            self._columns, self.n_states, places, self._weights, self._gaps
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
            # When the new ones are as many as those that were joined before.
            if sum(map(len, kept[1:])) > n_kept:
                kept = [join_distinct(kept)]
                n_kept = len(kept[0])
        return join_distinct(kept)

    def select(self, names):
        """Return the cases of some of the variables, in this order."""
        places, states = self._some(names)
        columns = [self._columns[m] for m in places]
        return ChunkedCases(
            states, self.total, self._where, columns, self._weights
        )

    def require_complete(self):
        """Refuse missing values."""
        for m in sorted(self._gaps):
            raise ProbabilityError(self._where[self.names[m]])

    def __repr__(self):
        return f"{super().__repr__()}, in a file"


def join_distinct(parts):
    """Join cases of different rows to cases of different rows."""
    if len(parts) == 1:
        return parts[0]
    columns = map(
        np.concatenate, zip(*(part.columns for part in parts), strict=True)
    )
    weights = np.concatenate([part.weights for part in parts])
    joined = Cases._of(dict(parts[0].states), list(columns), weights)
    return joined.distinct()


def read_chunks(data, *, states, weights, missing) -> Cases:
    """Read cases off chunks, one by one.

    Parameters
    ----------
    data : iterable of DataFrames, or function that gives one
    states, weights, missing
        As for :class:`Cases`.
    """
    missing = read_missing(missing)
    own = data() if isinstance(data, Callable) else data
    # What a function has opened nobody else closes.
    has_end = own is not data and hasattr(own, "close")
    with closing(own) if has_end else nullcontext():
        return _spooled(iter(own), states, weights, missing)


def _spooled(frames: Iterator, states, weights, missing):
    names, gaps, n_rows, total = None, {}, 0, 0.0
    spool, n_chunks = _Spool(), 0
    given = None if weights is None or isinstance(weights, str) else weights
    if given is not None:
        given = weights_in_order(given)
    for number, chunk in enumerate(frames):
        n_chunks += 1
        _require_frame(chunk, number)
        if given is not None:
            weights = given.iloc[n_rows : n_rows + len(chunk)]
        try:
            if names is None:
                # Of the first chunk, and then of all.
                own, _ = split_weights(chunk[:0], _name(weights))
                names = read_column_names(own)
                declared = read_declared(states, names)
                found = [_Found() for _ in names]
            else:
                _require_columns(chunk, names, _name(weights))
            if not len(chunk):
                continue
            part = read_part(chunk, names, declared, weights, missing)
            for name, gap in part.gaps.items():
                gaps.setdefault(name, f"Chunk {number}: {gap}")
            n_rows += part.n_rows
            total += part.total
            _append(spool, part, found, names, n_rows)
        except ProbabilityError as error:
            raise ProbabilityError(f"Chunk {number}: {error}") from None
    if not n_rows:
        raise ProbabilityError(
            f"No row is in {pluralise(n_chunks, 'chunk')}: there is nothing "
            "to learn from. An iterator can be gone through only once."
        )
    if given is not None and len(given) != n_rows:
        raise ProbabilityError(
            f"There are {n_rows} rows, but {pluralise(len(given), 'weight')}; "
            "give one for each row."
        )
    require_total(total)
    spool.flush()
    known, columns = {}, []
    for m, (name, own) in enumerate(zip(names, found, strict=True)):
        known[name] = declared.get(name) or states_of(name, own.news, n_rows)
        tables = [_table(coding, known[name]) for coding in own.codings]
        columns.append(_Column(spool, m, tables or [None]))
    weights = None if weights is None else _Column(spool, -1, [None])
    cases = ChunkedCases(known, total, gaps, columns, weights)
    if spool.size > _IN_MEMORY:
        return cases
    return Cases._of(known, cases.columns, cases.weights)


def _name(weights):
    return weights if isinstance(weights, str) else None


def _require_frame(chunk, number):
    if not isinstance(chunk, pd.DataFrame):
        raise ProbabilityError(
            f"Chunk {number} is of the type {type(chunk).__name__}, and not a "
            "data frame with a column for each variable."
        )


def _require_columns(chunk, names, weights):
    """Refuse another chunk with other columns; the order does not matter."""
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
    own, _ = split_weights(chunk[:0], weights)
    read_column_names(own)


def _append(spool, part, found, names, n_rows):
    """Write the codes of a part, as places among the states until now."""
    columns, types = [], []
    for name, codes, coding, own in zip(
        names, part.columns, part.codings, found, strict=True
    ):
        kind = 0
        if coding is not None:
            kind, known = own.add(coding)
            codes = recode(codes, coding, known)
            if own.n_states > _MANY_STATES:
                require_discrete(name, range(own.n_states), n_rows)
        columns.append(codes)
        types.append(kind)
    spool.append(columns, tuple(types), part.weights)


def _table(coding, states):
    """Return the final codes of the codes in the file, if they differ."""
    if coding.states == states:
        return None
    return places_among(coding.states, states).astype(small(len(states)))
