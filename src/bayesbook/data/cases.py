"""Cases: the coded rows that every learner of networks reads.

A learner needs of the data only how often the states of variables occur
together. `Cases` reads a data frame once, checks it, codes the states as small
whole numbers, and from then on counts.

>>> frame = pd.DataFrame({"rain": ["no", "no", "yes"], "grass": [0, 1, 1]})
>>> cases = Cases(frame)
>>> cases
Cases: 3 rows of 2 variables
>>> dict(cases.states)
{'rain': ('no', 'yes'), 'grass': (0, 1)}
>>> cases.count([("rain", "grass")])[0]
array([[1., 1.],
       [0., 1.]])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import read_names
from bayesbook.base.names import did_you_mean, pluralise, quoted_list
from bayesbook.data.columns import (
    read_column,
    read_column_names,
    read_declared,
    read_missing,
    refuse_missing,
    require_frame,
    require_total,
    split_weights,
    total_of,
)
from bayesbook.data.counts import count_pairs
from bayesbook.data.families import count_checked
from bayesbook.probability.table import State

__all__ = ["Cases"]


class Cases:
    """Rows of discrete variables, as codes that can be counted.

    Parameters
    ----------
    frame : DataFrame
        A column for each variable, a row for each case.
    states : mapping of name to sequence of states, or a network, optional
        The states of some or all variables. The others have the categories
        of their column, if it is of the type `category`, and otherwise the
        values that occur in it, sorted. Such values are refused as
        measurements if one is not whole, and as names of the rows if there
        are more than 20 different ones, and more than half as many as rows;
        declared states and categories are not questioned.
    weights : str, or sequence of numbers, optional
        What each row counts, 1 by default; or the name of the column that
        holds the weights, which then is not a variable.
    missing : {"error", "keep"}
        What to do where a value is missing: refuse it, or keep the row with
        the code -1.

    Attributes
    ----------
    names : tuple of str
    states : mapping of name to tuple of states
    n_states : tuple of int
    n_rows : int
    total : float
        The sum of the weights; without weights the number of rows.
    columns : tuple of int arrays of shape (n_rows,)
        The place of the state of each row; -1 where it is missing.
    weights : array of shape (n_rows,), or None
    has_missing : bool

    Raises
    ------
    ProbabilityError
        If there is no row or no column; the name of a column is not a text,
        or appears twice; a value is missing, or not one of the declared
        states; a column holds measurements; or a weight is negative or not
        finite.
    TypeError
        If `frame` is not a data frame, or `states` not a mapping.

    Examples
    --------
    >>> votes = pd.DataFrame({"vote": ["aye", "nay"], "people": [220, 180]})
    >>> Cases(votes, weights="people").total
    400.0
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        *,
        states: Mapping[str, Sequence[State]] | None = None,
        weights: str | Sequence[float] | None = None,
        missing: str = "error",
    ):
        require_frame(frame)
        missing = read_missing(missing)
        frame, row_weights = split_weights(frame, weights)
        names = read_column_names(frame)
        declared = read_declared(states, names)
        columns, all_states = [], {}
        for name in names:
            codes, all_states[name] = read_column(
                frame[name], declared.get(name), missing
            )
            columns.append(codes)
        self._set(all_states, columns, row_weights)
        require_total(self.total)

    def _set(self, states, columns, weights):
        """Store what has been read, unchecked."""
        self.columns, self.weights = tuple(columns), weights
        n_rows = len(columns[0])
        incomplete = [
            name
            for name, column in zip(states, columns, strict=True)
            if column.min(initial=0) < 0
        ]
        self._describe(states, n_rows, total_of(weights, n_rows), incomplete)

    def _describe(self, states, n_rows, total, incomplete):
        """Store all attributes but the rows themselves."""
        self.states = MappingProxyType(states)
        self.names = tuple(states)
        self.n_states = tuple(map(len, states.values()))
        self.n_rows = n_rows
        self.total = float(total)
        self._place = {name: m for m, name in enumerate(self.names)}
        self._incomplete = frozenset(
            m for name, m in self._place.items() if name in incomplete
        )
        self.has_missing = bool(self._incomplete)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "states": dict(self.states)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state | {"states": MappingProxyType(state["states"])}

    @classmethod
    def _of(cls, states, columns, weights):
        """Make cases of codes that are known to be valid."""
        cases = cls.__new__(cls)
        cases._set(states, columns, weights)
        return cases

    def count(self, families: Iterable[Sequence[str]]) -> list[np.ndarray]:
        """Count every combination of states of some families of variables.

        The rows are passed through once, as by
        :func:`bayesbook.data.count_families`.

        Parameters
        ----------
        families : iterable of tuples of names

        Returns
        -------
        list of arrays
            The contingency table of each family, with an axis for each of
            its variables. A row in which one of them is missing is not in it.

        Raises
        ------
        ProbabilityError
            If a name is not a variable, or appears twice in a family.
        TypeError
            If a family is a text.
        TableTooLargeError
            If a table would need too much memory.

        Examples
        --------
        >>> cases = Cases(pd.DataFrame({"a": [0, 0, 1], "b": list("xyy")}))
        >>> one, both = cases.count([("a",), ("b", "a")])
        >>> one.tolist(), both.tolist()
        ([2.0, 1.0], [[1.0, 0.0], [1.0, 1.0]])
        """
        places = [self._places(family) for family in families]
        return self._count(places)

    def _count(self, places):
        return count_checked(
            self.columns,
            self.n_states,
            places,
            self.weights,
            self._incomplete,
        )

    def _places(self, family):
        if isinstance(family, str):
            raise TypeError(
                f"The family {family!r} is a text: give a tuple of names, "
                f"({family!r},) for a single variable."
            )
        try:
            places = tuple(map(self._place.__getitem__, family))
        except (KeyError, TypeError):
            for name in read_names(family):
                if name not in self._place:
                    raise ProbabilityError(
                        f"{name!r} is not a variable of the data; they are "
                        f"{quoted_list(self.names)}."
                        f"{did_you_mean(name, self.names)}"
                    ) from None
            raise
        if len(set(places)) < len(places):
            raise ProbabilityError(
                f"The family {tuple(family)} has a variable twice."
            )
        return places

    def count_pairs(self) -> np.ndarray:
        """Count every pair of states of every pair of variables.

        Returns
        -------
        array of shape (S, S)
            As :func:`bayesbook.data.count_pairs` returns it for one class.

        Examples
        --------
        >>> cases = Cases(pd.DataFrame({"a": [0, 1, 1], "b": [1, 1, 0]}))
        >>> cases.count_pairs()
        array([[1., 0., 0., 1.],
               [0., 2., 1., 1.],
               [0., 1., 1., 0.],
               [1., 1., 0., 2.]])
        """
        return pairs_of(self.columns, self.n_states, self.weights)

    def distinct(self) -> Cases:
        """Return each different row once, with the number of such rows.

        Returns
        -------
        Cases
            The rows in the order of their codes; the weights are the
            numbers.

        Examples
        --------
        >>> coin = Cases(pd.DataFrame({"coin": list("HTHH")}))
        >>> coin.distinct().weights
        array([3., 1.])
        """
        first, inverse = _distinct(self.columns, self.n_states)
        weights = np.bincount(inverse, self.weights).astype(float)
        columns = [column[first] for column in self.columns]
        return self._of(dict(self.states), columns, weights)

    def select(self, names: Iterable[str]) -> Cases:
        """Return the cases of some of the variables, in this order.

        Examples
        --------
        >>> cases = Cases(pd.DataFrame({"a": [0, 1], "b": [1, 1]}))
        >>> cases.select(["b"])
        Cases: 2 rows of 1 variable
        """
        places, states = self._some(names)
        return self._of(
            states, [self.columns[m] for m in places], self.weights
        )

    def _some(self, names):
        """Return the positions of some variables, and their states."""
        names = tuple(names)
        return self._places(names), {n: self.states[n] for n in names}

    def require_complete(self) -> None:
        """Refuse missing values.

        Raises
        ------
        ProbabilityError
            If there are any; the message says where the first one is.

        Examples
        --------
        >>> coin = pd.DataFrame({"coin": ["H", None]})
        >>> Cases(coin, missing="keep").require_complete()
        Traceback (most recent call last):
        bayesbook.base.errors.ProbabilityError: Column 'coin' has no value in
        row 1 (1 missing value in all). Drop such rows, make missing values a
        state of their own, or learn from the values that are there with
        fit_em.
        """
        if self.has_missing:
            refuse_missing(self.to_frame())

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as categorical columns, without the weights.

        Examples
        --------
        >>> cases = Cases(pd.DataFrame({"a": [0, 1], "b": ["u", "v"]}))
        >>> cases.to_frame()
           a  b
        0  0  u
        1  1  v
        """
        return pd.DataFrame(
            {
                name: pd.Categorical.from_codes(
                    codes, pd.Index(self.states[name], tupleize_cols=False)
                )
                for name, codes in zip(self.names, self.columns, strict=True)
            }
        )

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        rows = pluralise(self.n_rows, "row")
        weighed = "" if self.weights is None else f" that count {self.total:g}"
        variables = pluralise(len(self.names), "variable")
        return f"Cases: {rows}{weighed} of {variables}"


def pairs_of(columns, n_states, weights):
    """Count the pairs of states of columns of codes."""
    one = np.zeros(len(columns[0]), dtype=np.intp)
    codes = np.column_stack(columns)
    return count_pairs(codes, one, n_states, 1, weights)[0]


def unchecked_cases(
    states: Mapping[str, tuple[State, ...]],
    columns: Sequence[np.ndarray],
    weights: np.ndarray | None,
) -> Cases:
    """Return cases of codes that are known to be valid."""
    return Cases._of(states, columns, weights)


def _distinct(columns, n_states):
    """Return the first row of each kind, and the kind of each row."""
    key, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column, n in zip(columns, n_states, strict=True):
        if size * (n + 1) >= 2**62:
            _, key = np.unique(key, return_inverse=True)
            size = int(key.max()) + 1
        key = key * (n + 1) + column + 1
        size *= n + 1
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return first, inverse
