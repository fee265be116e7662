"""Counts of columns together with their parents, which can be added."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import require_size
from bayesbook.data import count_states, offsets
from bayesbook.data.row_blocks import chunks, enough_rows
from bayesbook.naive_bayes._state_counts import States, has_zero
from bayesbook.naive_bayes.out_of_core import spread


@dataclass(frozen=True)
class PairCounts(States):
    """Counts of all pairs of states, from `count_pairs`.

    Attributes
    ----------
    n_states, labels
        See :class:`States`.
    table : array of shape (K, S, S)
    """

    table: np.ndarray

    def __add__(self, other):
        """Return the counts of the rows of both, for the states of both."""
        states = self.union(other)
        S = sum(states.n_states)
        shape = (len(self.table), S, S)
        require_size(shape, "float", "The table of all pairs")
        table = np.zeros(shape)
        for part in (self, other):
            places = part.places(states)
            table[:, places[:, None], places] += part.table
        return PairCounts(states.n_states, states.labels, table)

    def spread(self, places, n_classes):
        """Return the counts with a table for each of more classes."""
        table = spread(self.table, places, n_classes)
        return PairCounts(self.n_states, self.labels, table)

    def has_zero(self):
        """Return whether any row has the code 0, for each column."""
        return has_zero(self.single, self.n_states)

    @property
    def single(self):
        """The counts of the single states, of shape (K, S)."""
        return np.diagonal(self.table, axis1=1, axis2=2)

    def families(self, parents):
        """Return the counts of columns with at most one parent each."""
        starts = offsets(self.n_states)

        def own(m):
            return slice(starts[m], starts[m + 1])

        tables = [
            self.table[:, own(*others), own(m)]
            if others
            else self.single[:, own(m)]
            for m, others in enumerate(parents)
        ]
        return FamilyCounts(self.n_states, self.labels, parents, tables)


@dataclass(frozen=True)
class FamilyCounts(States):
    """Counts of each column together with its parents: of its family.

    Attributes
    ----------
    n_states, labels
        See :class:`States`.
    parents : tuple of M tuples
        The numbers of the columns on which each column depends.
    tables : sequence of M arrays
        The axes are the class, the parents, and the column itself.
    """

    parents: tuple
    tables: list

    def has_zero(self):
        """Return whether any row has the code 0, for each column.

        Or no row is counted, since a parent is always missing.
        """
        return [
            table[..., :1].any() or not table.any() for table in self.tables
        ]

    def __add__(self, other):
        """Return the counts of the rows of both, for the states of both."""
        if self.parents != other.parents:
            raise ProbabilityError(
                "The structure is another one than that of the rows before, "
                "whose counts do not fit it: leave the parameters as they "
                "were, or begin anew with `fit`."
            )
        states = self.union(other)
        shapes = family_shapes(self.parents, states.n_states)
        n_classes = len(self.tables[0])
        require_size(
            (n_classes, sum(map(prod, shapes))), "float", "The tables"
        )
        tables = [np.zeros((n_classes, *shape)) for shape in shapes]
        for part in (self, other):
            starts = np.repeat(offsets(states.n_states)[:-1], part.n_states)
            places = np.split(
                part.places(states) - starts, offsets(part.n_states)[1:-1]
            )
            for m, others in enumerate(self.parents):
                axes = [places[column] for column in (*others, m)]
                cells = np.ix_(range(n_classes), *axes)
                tables[m][cells] += part.tables[m]
        return FamilyCounts(
            states.n_states, states.labels, self.parents, tables
        )

    def spread(self, places, n_classes):
        """Return the counts with a table for each of more classes."""
        tables = [spread(own, places, n_classes) for own in self.tables]
        return FamilyCounts(self.n_states, self.labels, self.parents, tables)


def family_shapes(parents, n_states):
    """Return the number of states of the parents, and of the column itself."""
    return [
        tuple(n_states[column] for column in (*others, m))
        for m, others in enumerate(parents)
    ]


def family_codes(codes, parents, n_states):
    """Return one column for each column together with its parents.

    The code of the new column encodes the states of the parents and of the
    column itself, which varies fastest; it is -1 where one of them is
    missing. So a column with parents is counted and looked up like one
    without.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Negative where a value is missing.
    parents : sequence of M tuples
    n_states : sequence of M ints

    Returns
    -------
    int array of shape (n, M)
    """
    largest = max(map(prod, family_shapes(parents, n_states)))
    is_missing = codes.T < 0
    has_missing = is_missing.any()
    kind = np.intp if has_missing else np.min_scalar_type(largest - 1)
    columns = np.ascontiguousarray(codes.T, dtype=kind)
    # The factor 256 overflows to 0 in a byte. This is harmless: if one column
    # has 256 states, all others of the family have one state, and the code 0.
    factors = np.array(n_states).astype(kind)
    families = np.empty_like(columns)
    for m, others in enumerate(parents):
        code = 0
        for column in (*others, m):
            code = code * factors[column] + columns[column]
        families[m] = code
        if has_missing:
            families[m, is_missing[[*others, m]].any(axis=0)] = -1
    return families.T


def count_families_by_class(codes, y, n_states, parents, n_classes, weights):
    """Return the counts, by class, of each column together with its parents.

    Returns
    -------
    list of M arrays
        The axes are the class, the parents, and the column itself.
    """
    shapes = family_shapes(parents, n_states)
    sizes = list(map(prod, shapes))
    table = np.zeros((n_classes, sum(sizes)))
    for rows in chunks(len(codes), enough_rows(table.size, len(sizes))):
        table += count_states(
            family_codes(codes[rows], parents, n_states),
            y[rows],
            sizes,
            n_classes,
            None if weights is None else weights[rows],
        )
    return [
        own.reshape(n_classes, *shape)
        for own, shape in zip(
            np.split(table, offsets(sizes)[1:-1], axis=1), shapes, strict=True
        )
    ]
