"""Cases of a dask DataFrame, counted where its partitions are."""

from __future__ import annotations

from functools import partial
from itertools import chain

import dask
import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.names import pluralise
from bayesbook.data.cases_in_parts import CasesInParts
from bayesbook.data.coded_parts import (
    final_states,
    join_summaries,
    read_part,
    recoded,
)
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


def _summary(part):
    return part if part is None or isinstance(part, Failure) else part.summary


def _recoded(part, states):
    return part and (recoded(part, states), part.weights)


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
    columns, weights = part
    return [columns[m] for m in numbers], weights


def _read(frame, *how):
    part = read_part("", frame, *how)
    return part and (part.columns, part.weights)


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
        how = names, given, weights, missing
        parts.append(code(read_part, what, what, part, *how))
    stays = on_cluster()
    if stays:
        parts = dask.persist(*parts)
    summary = Partitions(parts).reduce(_summary, join_summaries)
    if summary is None:
        raise ProbabilityError(
            f"There is no row in {pluralise(data.npartitions, 'partition')}: "
            "there is nothing to learn from."
        )
    require_total(summary.total)
    known = final_states(names, declared, summary)
    kept = None
    if stays:
        recoded = dask.delayed(_recoded, pure=False)
        final = dask.delayed(list(known.values()))
        parts = dask.persist(*(recoded(part, final) for part in parts))
        kept = {name: m for m, name in enumerate(names)}, parts
    return DaskCases(data, known, weights, missing, summary, kept)
