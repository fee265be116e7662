"""Rows of codes, to which others are added without copying them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import is_
from typing import Any

import numpy as np

from bayesbook.data import count_states, offsets
from bayesbook.naive_bayes._state_counts import States


class GrowingArray:
    """An array to which rows are added, each in constant time on average.

    Like a list, it has spare memory behind its rows, and allocates new
    memory, twice as much as needed, only when that is full. `extended`
    returns a new object and does not change the old one, although the two may
    share memory: only the longest object that shares it writes behind its
    rows.

    Parameters
    ----------
    memory : array
    length : int
        The number of its rows that belong to the array.
    longest : list of one int
        The length of the longest array in this memory, shared by all.
    """

    def __init__(self, memory, length, longest):
        self._memory, self._length = memory, length
        self._longest = longest

    @classmethod
    def of(cls, array):
        """Return an array without spare memory."""
        return cls(array, len(array), [len(array)])

    @property
    def array(self):
        """The rows."""
        return self._memory[: self._length]

    def extended(self, rows):
        """Return an array with more rows at its end."""
        memory, longest = self._memory, self._longest
        length = self._length + len(rows)
        kind = np.result_type(memory, rows)
        may_write = longest[0] == self._length and length <= len(memory)
        if not may_write or kind != memory.dtype:
            memory = np.empty((2 * length, *memory.shape[1:]), kind)
            memory[: self._length] = self.array
            longest = [length]
        memory[self._length : length] = rows
        longest[0] = length
        return GrowingArray(memory, length, longest)

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the spare memory.
        return GrowingArray.of, (self.array,)


@dataclass(frozen=True)
class StoredRows(States):
    """Rows of codes, together with their states.

    Attributes
    ----------
    n_states, labels
        See :class:`States`.
    rows : int array of shape (n, M)
        The codes, -1 where a value is missing.
    y : array of shape (n,)
        The codes of the classes.
    weights : array of shape (n,)
    n_classes : int
    """

    growing_rows: GrowingArray
    growing_y: GrowingArray
    growing_weights: GrowingArray
    n_classes: int

    @property
    def rows(self):
        return self.growing_rows.array

    @property
    def y(self):
        return self.growing_y.array

    @property
    def weights(self):
        return self.growing_weights.array

    def has_zero(self):
        """Return whether any row has the code 0, for each column."""
        return (self.rows == 0).any(axis=0)

    def __add__(self, other):
        """Return the rows of both, with codes for the states of both."""
        states = self.union(other)
        rows = self.growing_rows
        if not self._has_codes_of(states):
            rows = GrowingArray.of(self.recoded(states))
        return StoredRows(
            states.n_states,
            states.labels,
            rows.extended(other.recoded(states)),
            self.growing_y.extended(other.y),
            self.growing_weights.extended(other.weights),
            self.n_classes,
        )

    def spread(self, places, n_classes):
        """Return the rows among more classes."""
        y = GrowingArray.of(places[self.y])
        return replace(self, growing_y=y, n_classes=n_classes)

    def _has_codes_of(self, states):
        return all(map(is_, self.labels, states.labels))

    def recoded(self, states):
        """Return the rows with the codes of other states."""
        if self._has_codes_of(states):
            return self.rows
        starts = offsets(self.n_states)[:-1]
        # The code -1 of the first column is looked up at the last place.
        places = np.append(self.places(states), -1)
        codes = places[starts + self.rows] - offsets(states.n_states)[:-1]
        return np.where(self.rows < 0, -1, codes)

    @property
    def table(self):
        """The counts of all states, computed each time."""
        return count_states(
            self.rows, self.y, self.n_states, self.n_classes, self.weights
        )
