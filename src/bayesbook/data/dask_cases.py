"""Cases of a dask DataFrame, counted where its partitions are."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import NamedTuple

import dask
import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.names import pluralise
from bayesbook.data.cases_in_parts import CasesInParts
from bayesbook.data.chunks import Part, read_part, states_of
from bayesbook.data.columns import (
    read_column_names,
    read_declared,
    read_missing,
    require_total,
    split_weights,
)
from bayesbook.data.dask_parts import (
    Failure,
    Partitions,
    attempt,
    in_tree,
    on_cluster,
)


class _Summary(NamedTuple):
    """What is known of some parts before anything is counted."""

    n_rows: int
    total: float
    first_missing: dict
    codings: tuple  # for each column, a dictionary of those that occur


def _code(frame, what, names, declared, weights, missing):
    """Code a partition, which messages call `what`."""
    if not len(frame):
        return None
    part = read_part(frame, names, declared, weights, missing)
    first_missing = {
        name: f"{what}: {where}" for name, where in part.first_missing.items()
    }
    return Part(part.columns, part.codings, part.weights, first_missing)


def _summary(part):
    if part is None or isinstance(part, Failure):
        return part
    codings = tuple(
        {} if coding is None else {coding: None} for coding in part.codings
    )
    return _Summary(part.n_rows, part.total, part.first_missing, codings)


def _join_summaries(parts):
    n_rows, total, missing, codings = zip(*parts, strict=True)
    together = tuple(
        {coding: None for part in column for coding in part}
        for column in zip(*codings, strict=True)
    )
    # Of several partitions with missing values, the first one is named.
    first = {
        name: where
        for part in reversed(missing)
        for name, where in part.items()
    }
    return _Summary(sum(n_rows), sum(total), first, together)


def _recoded(part, states):
    return part if part is None else part.recoded(states)


class DaskCases(CasesInParts):
    """Cases whose rows are in the partitions of a dask DataFrame.

    The codes stay at the workers of a cluster, one small number for each
    value; without a cluster, every count reads the partitions again.
    """

    def __init__(self, frame, states, weights, missing, summary, kept):
        self._frame = frame
        self._weights = weights
        self._missing = missing
        self._kept = kept
        self._summary, self._first_missing = summary, summary.first_missing
        self._describe(
            states, summary.n_rows, summary.total, summary.first_missing
        )

    def _parts(self, places):
        """Return the codes of some variables, as delayed parts."""
        names = [self.names[m] for m in places]
        if self._kept is not None:
            numbers = [self._kept[0][name] for name in names]
            choose = dask.delayed(_columns_of, pure=False)
            return [choose(part, numbers) for part in self._kept[1]]
        wanted = [*names, *([self._weights] if self._weights else [])]
        states = dask.delayed({name: self.states[name] for name in names})
        read = dask.delayed(_read, pure=False)
        return [
            read(part, names, states, self._weights, self._missing)
            for part in self._frame[wanted].to_delayed()
        ]

    def _reduce(self, places, look, join):
        look = dask.delayed(partial(_of_known, look), pure=False)
        return in_tree(map(look, self._parts(places)), join)

    def select(self, names):
        """Return the cases of some of the variables, in this order."""
        _, states = self._some(names)
        return DaskCases(
            self._frame,
            states,
            self._weights,
            self._missing,
            self._summary,
            self._kept,
        )

    @property
    def columns(self):
        """The codes of all rows, in memory."""
        return self._gathered[0]

    @property
    def weights(self):
        """The weights of all rows, in memory."""
        return self._gathered[1] if self._weights else None

    @property
    def _gathered(self):
        places = range(len(self.names))
        parts = self._reduce(places, _alone, _listed)
        columns, weights = zip(*parts, strict=True)
        columns = map(np.concatenate, zip(*columns, strict=True))
        known = [weight for weight in weights if weight is not None]
        return tuple(columns), np.concatenate(known) if known else None

    def __repr__(self) -> str:
        where = "at the workers" if self._kept else "in partitions"
        return f"{super().__repr__()}, {where}"


def _columns_of(part, numbers):
    if part is None:
        return None
    return [part.columns[m] for m in numbers], part.weights


def _read(frame, names, states, weights, missing):
    if not len(frame):
        return None
    part = read_part(frame, names, states, weights, missing)
    return list(part.columns), part.weights


def _of_known(look, part):
    return None if part is None else look(part)


def _alone(part):
    return [part]


def _listed(lists):
    return list(chain.from_iterable(lists))


def read_partitions(data, *, states, weights, missing) -> DaskCases:
    """Read cases from a dask DataFrame.

    Parameters
    ----------
    data : dask DataFrame
    states, weights, missing
        As for :class:`Cases`.
    """
    missing = read_missing(missing)
    if not hasattr(data, "to_delayed") or not hasattr(data, "columns"):
        raise TypeError(
            "Give a data frame of Dask with a column for each variable, not "
            f"{type(data).__name__}: dask.dataframe.from_dask_array gives the "
            "columns names."
        )
    if weights is not None and not isinstance(weights, str):
        raise ProbabilityError(
            "The weights of a dask DataFrame must be one of its columns: "
            "data.assign(weight=...), and weights='weight'."
        )
    variables, _ = split_weights(data._meta, weights)
    names = read_column_names(variables)
    declared = read_declared(states, names)
    code, given = dask.delayed(attempt), dask.delayed(declared)
    parts = []
    for number, part in enumerate(data.to_delayed()):
        what = f"Partition {number}"
        rest = names, given, weights, missing
        parts.append(code(_code, what, part, what, *rest))
    stays = on_cluster()
    if stays:
        parts = dask.persist(*parts)
    summary = Partitions(parts).reduce(_summary, _join_summaries)
    if summary is None:
        raise ProbabilityError(
            f"There is no row in {pluralise(data.npartitions, 'partition')}: "
            "there is nothing to learn from."
        )
    require_total(summary.total)
    known = {
        name: declared.get(name)
        or states_of(name, list(codings), summary.n_rows)
        for name, codings in zip(names, summary.codings, strict=True)
    }
    kept = None
    if stays:
        recoded = dask.delayed(_recoded, pure=False)
        final = dask.delayed(list(known.values()))
        parts = dask.persist(*(recoded(part, final) for part in parts))
        kept = {name: m for m, name in enumerate(names)}, parts
    return DaskCases(data, known, weights, missing, summary, kept)
