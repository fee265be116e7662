"""Counts of states, together with the states."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType

import numpy as np
import pandas as pd

from bayesbook.base.labels import sorted_states
from bayesbook.data import offsets
from bayesbook.naive_bayes.out_of_core import spread


@dataclass(frozen=True)
class States:
    """The states of columns.

    Attributes
    ----------
    n_states : tuple of M ints
    labels : tuple of M pandas indices
        The names of the states; None where they are codes 0, 1, 2, ...
    """

    n_states: tuple
    labels: tuple

    @property
    def have_labels(self):
        """Whether any column has names of its states."""
        # Called for every part, which may be a single row of many columns.
        return not set(map(type, self.labels)) <= {NoneType}

    def union(self, other):
        """Return the states of both."""
        if not (self.have_labels or other.have_labels):
            n_states = tuple(map(max, self.n_states, other.n_states))
            return States(n_states, self.labels)
        pairs = list(zip(self._columns(), other._columns(), strict=True))
        labels = tuple(_union(old, new) for old, new in pairs)
        n_states = tuple(
            max(a, b) if own is None else len(own)
            for ((a, _), (b, _)), own in zip(pairs, labels, strict=True)
        )
        return States(n_states, labels)

    def clash(self, other):
        """Return the first column of codes in one and labels in the other."""
        if not (self.have_labels or other.have_labels):
            return None
        pairs = zip(self._columns(), other._columns(), strict=True)
        for m, ((a, old), (b, new)) in enumerate(pairs):
            if a and b and (old is None) != (new is None):
                return m
        return None

    def _columns(self):
        return zip(self.n_states, self.labels, strict=True)

    def places(self, states):
        """Return the places of these states among others that include them."""
        starts = offsets(states.n_states)[:-1]
        own_starts = offsets(self.n_states)
        places = np.arange(own_starts[-1])
        places += np.repeat(starts - own_starts[:-1], self.n_states)
        for m, own in enumerate(self.labels):
            if own is not states.labels[m] and self.n_states[m]:
                among = states.labels[m].get_indexer(own)
                places[own_starts[m] : own_starts[m + 1]] = starts[m] + among
        return places


@dataclass(frozen=True)
class StateCounts(States):
    """Counts of states, which can be added.

    Attributes
    ----------
    n_states, labels
        See :class:`States`.
    table : array of shape (K, S)
        The states of all columns side by side.
    """

    table: np.ndarray

    def has_zero(self):
        """Return whether any row has the code 0, for each column."""
        return has_zero(self.table, self.n_states)

    def __add__(self, other):
        """Return the counts of the rows of both, for the states of both."""
        states = self.union(other)
        table = np.zeros((len(self.table), sum(states.n_states)))
        for part in (self, other):
            table[:, part.places(states)] += part.table
        return StateCounts(states.n_states, states.labels, table)

    def spread(self, places, n_classes):
        """Return the counts with a row for each of more classes."""
        table = spread(self.table, places, n_classes)
        return StateCounts(self.n_states, self.labels, table)


def has_zero(table, n_states):
    """Return whether a table of states counts any code 0, for each column."""
    # A last column without any value begins where the table ends.
    occurs = np.append(table.any(axis=0), False)
    return occurs[offsets(n_states)[:-1]]


def column_totals(table, n_states):
    """Return, for each state, the sum over all states of its column.

    The states of all columns are the last axis of the table. So these are the
    counts of the rows in which the column is known.
    """
    sums = np.add.reduceat(table, offsets(n_states)[:-1], axis=-1)
    return np.repeat(sums, n_states, axis=-1)


def _union(old, new):
    """Return the labels of two columns, each (number of states, labels)."""
    # A column without any value may hold labels or codes.
    for (n_states, _), (_, labels) in ((old, new), (new, old)):
        if not n_states:
            return labels
    (_, old), (_, new) = old, new
    if old is new or old.equals(new):
        return old
    states = sorted_states(dict.fromkeys([*old, *new]))
    both = pd.Index(states, tupleize_cols=False)
    # The same object, so that what was counted keeps its places.
    return old if both.equals(old) else both
