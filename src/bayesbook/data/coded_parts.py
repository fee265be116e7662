"""Rows that are coded without the other rows, and joined later.

Of each value one small number is kept, the position of its state among those
that the part has. When all parts, and with them all states, have been read, it
becomes the position among all states.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import coded, factorised, places_among, plain
from bayesbook.data.columns import (
    read_column,
    refuse_missing,
    require_discrete,
    small,
    split_weights,
    total_of,
)


class Coding(NamedTuple):
    """The states that codes of a column stand for, and its type."""

    dtype: Any
    states: tuple


class Summary(NamedTuple):
    """What is known of some parts before anything is counted."""

    n_rows: int
    total: float
    first_missing: dict  # for some columns, where the first one is
    codings: tuple  # for each column, a tuple; None if the codes are final


class Part(NamedTuple):
    """The codes of some rows, and their weights or None."""

    columns: list
    weights: np.ndarray | None
    summary: Summary


def read_part(what, frame, names, declared, weights, missing):
    """Code some rows, by the declared states or by those that occur.

    Messages call the part `what`. Without rows, return None.
    """
    if not len(frame):
        return None
    frame, weights = split_weights(frame, weights)
    columns, codings, first_missing = [], [], {}
    for name in names:
        column, states = frame[name], declared.get(name)
        try:
            refuse_missing(column.to_frame(), "it")
        except ProbabilityError as error:
            if missing == "error":
                raise
            first_missing[name] = f"{what}: {error}"
        if states is None:
            codes, coding = _code(column)
        else:
            (codes, _), coding = read_column(column, states, missing), None
        columns.append(codes)
        codings.append(coding and (coding,))
    total = total_of(weights, len(frame))
    summary = Summary(len(frame), total, first_missing, tuple(codings))
    return Part(columns, weights, summary)


def _code(column):
    """Return the codes of a column, and what they stand for."""
    codes, states = factorised(column)
    states = tuple(map(plain, states))
    if not isinstance(column.dtype, pd.CategoricalDtype):
        # Whether there are too many states is known at the end only.
        require_discrete(column.name, states, np.inf)
    return codes.astype(small(len(states))), Coding(column.dtype, states)


def join_summaries(parts):
    """Join what is known of several parts."""
    n_rows, total, missing, codings = zip(*parts, strict=True)
    # Of several parts with missing values, the first one is named.
    first = {
        name: where
        for part in reversed(missing)
        for name, where in part.items()
    }
    together = tuple(map(_join_codings, zip(*codings, strict=True)))
    return Summary(sum(n_rows), sum(total), first, together)


def _join_codings(codings):
    """Return each state of a type once, in the order of appearance."""
    if codings[0] is None:
        return None
    known, news = {}, []
    for coding in chain.from_iterable(codings):
        is_category = isinstance(coding.dtype, pd.CategoricalDtype)
        # Categories in another order are another type here.
        key = coding if is_category else coding.dtype
        is_new = key not in known
        own = known.setdefault(key, set())
        new = tuple(state for state in coding.states if state not in own)
        own.update(new)
        if new or is_new:
            news.append(Coding(coding.dtype, new))
    return tuple(news)


def join_parts(parts):
    """Join parts to one, whose codes are those of the states of all."""
    columns, weights, summaries = zip(*parts, strict=True)
    summary = join_summaries(summaries)
    states = [codings and _states_in(codings) for codings in summary.codings]
    columns = [recoded(part, states) for part in parts]
    return Part(
        list(map(np.concatenate, zip(*columns, strict=True))),
        None if weights[0] is None else np.concatenate(weights),
        summary,
    )


def _states_in(codings):
    """Return the states that the codes of a column stand for."""
    states = chain.from_iterable(coding.states for coding in codings)
    return tuple(dict.fromkeys(states))


def recoded(part, states):
    """Return the columns of a part with the codes of other states."""
    tables = map(code_table, part.summary.codings, states)
    return list(map(recode, part.columns, tables))


def code_table(codings, states):
    """Return the code among other states of each code, if they differ."""
    own = states if codings is None else _states_in(codings)
    if own == states:
        return None
    return places_among(own, states).astype(small(len(states)))


def recode(codes, table):
    """Return other codes by a table, or the same codes without one."""
    return codes if table is None else table[codes]


def final_states(names, declared, summary):
    """Return the states of all columns, when all parts have been read."""
    return {
        name: declared.get(name) or _states_of(name, codings, summary.n_rows)
        for name, codings in zip(names, summary.codings, strict=True)
    }


def _states_of(name, codings, n_rows):
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
