"""Counts of states that know of which states they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bayesbook._labels import sorted_states
from bayesbook.counts import offsets
from bayesbook.errors import ProbabilityError


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

    def union(self, other):
        """Give the states that either has."""
        labels = tuple(map(_union, self.labels, other.labels))
        n_states = tuple(
            max(a, b) if own is None else len(own)
            for a, b, own in zip(
                self.n_states, other.n_states, labels, strict=True
            )
        )
        return States(n_states, labels)

    def places(self, states):
        """Say where these states are among others that include them."""
        starts = offsets(states.n_states)[:-1]
        own_starts = offsets(self.n_states)
        places = np.arange(own_starts[-1])
        places += np.repeat(starts - own_starts[:-1], self.n_states)
        for m, own in enumerate(self.labels):
            if own is not states.labels[m]:
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

    def __add__(self, other):
        """Count the rows of both, for the states that either has."""
        states = self.union(other)
        table = np.zeros((len(self.table), sum(states.n_states)))
        for part in (self, other):
            table[:, part.places(states)] += part.table
        return StateCounts(states.n_states, states.labels, table)


def _union(old, new):
    if old is new or (old is not None and new is not None and old.equals(new)):
        return old
    if old is None or new is None:
        codes_or_labels = ", ".join(map(repr, (new if old is None else old)))
        raise ProbabilityError(
            "A column has codes (0, 1, 2, ...) in some of the rows and labels "
            f"({codes_or_labels}) in others: give it one type."
        )
    return pd.Index(sorted_states(old.union(new, sort=False)))
