"""Cases: the coded rows that every learner of networks reads.

A learner does not look at texts and categories, but at small whole numbers,
one column for each variable, and of these only at how often they come
together. `Cases` reads a data frame once, says what is wrong with it, and
from then on counts.

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

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import (
    coded,
    codes_of,
    float_column,
    plain,
    read_names,
    read_own_states,
    unknown,
)
from bayesbook.base.names import did_you_mean, pluralise, quoted_list
from bayesbook.data.bit_counts import Bits
from bayesbook.data.counts import count_checked, count_pairs
from bayesbook.data.kinds import is_chunks, is_dask
from bayesbook.probability.table import State

__all__ = ["Cases", "read_cases"]

# A column with more states than this, and more than half as many as rows,
# holds measurements or names of the rows, unless its states are declared.
_FEW_STATES = 20


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
        measurements, or as names of the rows, if one is not whole, or if more
        than 20 are different, and these are more than half as many as rows;
        declared states and categories are taken at their word.
    weights : str, or sequence of numbers, optional
        What each row counts, 1 by default; or the name of the column that
        says it, which then is no variable.
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
        If there is no row or no column, a column has no name that is a text,
        or that of another one; a value is missing, or none of the declared
        states; a column holds measurements; a weight is negative or not
        finite.

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
        frame, weights = split_weights(frame, weights)
        names = read_column_names(frame)
        declared = read_declared(states, names)
        columns, found = [], {}
        for name in names:
            codes, found[name] = read_column(
                frame[name], declared.get(name), missing
            )
            columns.append(codes)
        self._set(found, columns, weights)
        require_total(self.total)

    def _set(self, states, columns, weights):
        """Keep what has been read; nothing is checked here."""
        self.columns, self.weights = tuple(columns), weights
        n_rows = len(columns[0])
        gaps = [
            name
            for name, column in zip(states, columns, strict=True)
            if column.min(initial=0) < 0
        ]
        self._describe(states, n_rows, total_of(weights, n_rows), gaps)
        self._bits = Bits(self.columns, self.n_states, self._gaps)

    def _describe(self, states, n_rows, total, gaps):
        self.states = MappingProxyType(states)
        self.names = tuple(states)
        self.n_states = tuple(map(len, states.values()))
        self.n_rows = n_rows
        self.total = float(total)
        self._place = {name: m for m, name in enumerate(self.names)}
        self._gaps = frozenset(
            m for name, m in self._place.items() if name in gaps
        )
        self.has_missing = bool(self._gaps)

    def __getstate__(self):
        return {**self.__dict__, "states": dict(self.states)}

    def __setstate__(self, state):
        self.__dict__ |= state | {"states": MappingProxyType(state["states"])}

    @classmethod
    def _of(cls, states, columns, weights):
        """Make cases of codes that are known to be right."""
        cases = cls.__new__(cls)
        cases._set(states, columns, weights)
        return cases

    def count(self, families: Iterable[Sequence[str]]) -> list[np.ndarray]:
        """Count every combination of states of some families of variables.

        All in one pass, with :func:`bayesbook.data.count_families`.

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
            If a name is none of the variables, or stands twice in a family.
        TableTooLargeError
            If a table would need too much memory.
        """
        places = [self._places(family) for family in families]
        return self._count(places)

    def _count(self, places):
        families = [frozenset(own) for own in places]
        by_bits = {}
        if self.weights is None:
            by_bits = self._bits.count(dict.fromkeys(families))
        others = [
            own
            for own, family in zip(places, families, strict=True)
            if family not in by_bits
        ]
        pluralise = iter(
            count_checked(
                self.columns, self.n_states, others, self.weights, self._gaps
            )
        )
        return [
            _in_order(*by_bits[family], own)
            if family in by_bits
            else next(pluralise)
            for own, family in zip(places, families, strict=True)
        ]

    def _places(self, family):
        if isinstance(family, str):
            raise ProbabilityError(
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
            As :func:`bayesbook.data.count_pairs` gives it, for one class.
        """
        return pairs_of(self.columns, self.n_states, self.weights)

    def distinct(self) -> Cases:
        """Return each different row once, with the number of such rows.

        Returns
        -------
        Cases
            The rows in the order of their codes, with weights.

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
        """Return the cases of some of the variables, in this order."""
        places, states = self._some(names)
        return self._of(
            states, [self.columns[m] for m in places], self.weights
        )

    def _some(self, names):
        """Return the places of some variables, and their states."""
        names = tuple(names)
        return self._places(names), {n: self.states[n] for n in names}

    def require_complete(self) -> None:
        """Refuse missing values.

        Raises
        ------
        ProbabilityError
            If there are any; it says where the first one is.
        """
        if self.has_missing:
            refuse_missing(self.to_frame())

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as categorical columns, without the weights."""
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
        return f"Cases: {rows}{weighed} of {pluralise(len(self.names), 'variable')}"


def read_cases(data, *, states=None, weights=None, missing="error") -> Cases:
    """Read whatever a learner is given: a frame, its chunks, or cases.

    Data that are larger than memory come in chunks, or as a data frame of
    Dask (with the extra ``bayesbook[dask]``). Whatever is learned from them
    is what the whole frame in memory would give, ``pd.concat(chunks)``: the
    counts of chunks add up, to the last bit if the weights are whole numbers,
    and to rounding if they are not.

    Parameters
    ----------
    data : DataFrame, iterable of DataFrames, dask DataFrame, or Cases
        The chunks of an iterable, or of what a function without parameters
        returns, are looked at one by one, and once: their codes, one small
        number for each value, are kept in a temporary file (in the folder
        that `tempfile.gettempdir` names, which needs the room), which goes
        away with the cases; in memory if 64 MiB are enough. The partitions
        of a dask DataFrame are counted where they are; at the workers of a
        cluster the codes stay, without one every count reads the data again.
    states, weights, missing
        As for :class:`Cases`. The weights of chunks are named, or as many as
        all chunks have rows; those of a dask DataFrame are named.

    Returns
    -------
    Cases

    Raises
    ------
    ProbabilityError
        As for :class:`Cases`, with the number of the chunk, and of the row in
        it, from 0; if the columns of two chunks are not the same (their order
        does not matter); if no chunk has a row (some may have none); if the
        states or weights of cases are given anew; or if cases have missing
        values that are not allowed.

    Notes
    -----
    States that are not declared are discovered on the way, at the end in
    their order. Of categories that are not the same in all chunks the states
    are all of them, sorted.

    Examples
    --------
    >>> chunks = [pd.DataFrame({"coin": ["tails", "tails"]}),
    ...           pd.DataFrame({"coin": ["heads"]})]
    >>> cases = read_cases(chunks)
    >>> cases
    Cases: 3 rows of 1 variable
    >>> cases.states["coin"], cases.count([("coin",)])[0]
    (('heads', 'tails'), array([1., 2.]))
    """
    if not isinstance(data, Cases):
        given = {"states": states, "weights": weights, "missing": missing}
        # Only here: these are cases too, of another kind.
        if is_dask(data):
            from bayesbook.data.dask_cases import read_partitions

            return read_partitions(data, **given)
        if is_chunks(data):
            from bayesbook.data.chunks import read_chunks

            return read_chunks(data, **given)
        return Cases(data, **given)
    if weights is not None:
        raise ProbabilityError(
            "Cases have their weights already; give them with the data frame: "
            "Cases(frame, weights=...)."
        )
    if states is not None:
        for name, own in read_declared(states, data.names).items():
            if own != data.states[name]:
                raise ProbabilityError(
                    "The cases have the states "
                    f"{quoted_list(data.states[name])} of {name!r}, and not "
                    f"{quoted_list(own)}: declare them where "
                    "the data frame is read, Cases(frame, states=...)."
                )
    if data.has_missing and read_missing(missing) == "error":
        data.require_complete()
    return data


def require_frame(frame):
    if not isinstance(frame, pd.DataFrame):
        raise ProbabilityError(
            "Give a data frame with a column for each variable, not "
            f"{type(frame).__name__}."
        )
    for number, what in zip(frame.shape, ("row", "column"), strict=True):
        if not number:
            raise ProbabilityError(
                f"The data frame has no {what} (its shape is {frame.shape}): "
                "there is nothing to learn from."
            )


def read_missing(missing):
    if missing not in ("error", "keep"):
        raise ProbabilityError(
            f'missing must be "error" or "keep", not {missing!r}.'
        )
    return missing


def columns_of(data, weights=None):
    """Return the names of the variables, if they can be known before reading.

    Otherwise, and if a name stands twice, None: the reader will say so.
    """
    names = getattr(data, "names", None)
    if names is None:
        names = getattr(data, "columns", None)
    if names is None or len(set(names)) < len(names):
        return None
    return [n for n in names if not isinstance(weights, str) or n != weights]


def split_weights(frame, weights):
    """Part the weights from the variables."""
    if weights is None:
        return frame, None
    if isinstance(weights, str):
        if weights not in frame:
            raise ProbabilityError(
                f"There is no column {weights!r} that could hold the weights; "
                f"the columns are {quoted_list(frame.columns)}."
                f"{did_you_mean(weights, frame.columns)}"
            )
        own = frame[weights]
        if isinstance(own, pd.DataFrame):
            raise ProbabilityError(f"Two columns are called {weights!r}.")
        return frame.drop(columns=weights), float_column(own)
    own = weights_in_order(weights)
    if len(own) != len(frame):
        raise ProbabilityError(
            f"There are {len(frame)} rows, but "
            f"{pluralise(len(own), 'weight')}; "
            "give one for each row."
        )
    return frame, float_column(own)


def weights_in_order(weights):
    """Return weights that are no column as one, not yet read."""
    if np.ndim(weights) != 1:
        raise ProbabilityError(
            f"The weights have the shape {np.shape(weights)}; give a sequence "
            "with one for each row, or the name of a column."
        )
    return pd.Series(weights, name="weights")


def total_of(weights, n_rows):
    """Say how much the rows count in all."""
    if weights is None:
        return n_rows
    with np.errstate(over="ignore"):
        return weights.sum()


def require_total(total):
    """Refuse rows that count nothing."""
    if not total:
        raise ProbabilityError(
            "The weights of all rows are zero: there is nothing to count."
        )
    if not np.isfinite(total):
        raise ProbabilityError(
            "The weights are so large that their sum is no number: divide "
            "them by the largest."
        )


def read_column_names(frame):
    """Read the names of the variables off the columns."""
    if not frame.shape[1]:
        raise ProbabilityError("There is no column beside the weights.")
    for name in frame.columns:
        if not isinstance(name, str) or not name:
            raise ProbabilityError(
                f"The column {name!r} has no name that is a text; variables "
                "have names: frame.rename(columns=str), or better ones."
            )
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise ProbabilityError(
            f"Two columns are called {twice[0]!r}: rename one, or drop it."
        )
    return tuple(frame.columns)


def read_declared(states, names):
    """Read the states that are given for some of the variables."""
    if states is None:
        return {}
    states = getattr(states, "states", states)
    if not isinstance(states, Mapping):
        raise ProbabilityError(
            "Give the states as a dictionary from each variable to its "
            f"states, or a network, not {states!r}."
        )
    for name in states:
        if name not in names:
            raise ProbabilityError(
                f"States are given of {name!r}, which is no column of the "
                f"data; its columns are {quoted_list(names)}."
                f"{did_you_mean(name, names)}"
            )
    return {name: read_own_states(name, own) for name, own in states.items()}


def read_column(column, declared, missing):
    """Return the codes of a column, and its states."""
    is_category = isinstance(column.dtype, pd.CategoricalDtype)
    codes, states = coded(column)
    # The codes tell sooner than the values whether one is missing.
    if missing == "error" and codes.min(initial=0) < 0:
        refuse_missing(column.to_frame())
    states = tuple(map(plain, states))
    if not states and declared is None:
        raise ProbabilityError(
            f"Column {column.name!r} has no value in any row: leave it out, "
            "or name its states with states={...}."
        )
    if declared is not None:
        codes = _recode(codes, states, declared, column.name)
        states = declared
    elif not is_category:
        require_discrete(column.name, states, len(column))
    # A copy: what happens to the frame later is none of our business.
    return codes.astype(small(len(states))), states


def small(n_states):
    """Return the smallest type with a sign that holds the codes."""
    return np.min_scalar_type(-max(n_states, 1))


def _recode(codes, states, declared, name):
    """Return the codes among the declared states."""
    if states == declared:
        return codes
    try:
        places = codes_of(states, declared, "")
    except ProbabilityError:
        # Categories that never occur do no harm.
        places = np.array(
            [declared.index(own) if own in declared else -2 for own in states]
        )
    recoded = np.append(places, -1)[codes]
    if recoded.min(initial=0) < -1:
        row = int(np.argmin(recoded))
        raise unknown(
            states[codes[row]], declared, f"Column {name!r} in row {row}"
        )
    return recoded


def require_discrete(name, states, n_rows):
    """Refuse measurements, and names of the rows, in a column of states."""
    remedy = (
        "Put its values into bins (bayesbook.naive_bayes.EntropyDiscretizer, "
        "scikit-learn's KBinsDiscretizer, pd.cut), "
        f"leave it out, or name its states: states={{{name!r}: ...}}."
    )
    fractions = [own for own in states if isinstance(own, float) and own % 1]
    if fractions:
        raise ProbabilityError(
            f"Column {name!r} holds measurements, such as "
            f"{fractions[0]!r}, and states are wanted. {remedy}"
        )
    if len(states) > max(_FEW_STATES, n_rows / 2):
        raise ProbabilityError(
            f"Column {name!r} has {len(states)} different values in "
            f"{n_rows} rows: no state comes often enough to be counted. "
            f"{remedy}"
        )


def refuse_missing(frame, of="all"):
    for name, column in frame.items():
        if column.hasnans:
            missing = column.isna().to_numpy()
            raise ProbabilityError(
                f"Column {name!r} has no value in row {np.argmax(missing)} "
                f"({pluralise(int(missing.sum()), 'gap')} in {of}). Drop such "
                "rows, give missing values a name, or learn from what is "
                "there with fit_em."
            )


def pairs_of(columns, n_states, weights):
    """Count the pairs of states of columns of codes."""
    one = np.zeros(len(columns[0]), dtype=np.intp)
    codes = np.column_stack(columns)
    return count_pairs(codes, one, n_states, 1, weights)[0]


def _distinct(columns, n_states):
    """Find the first of each kind of row, and the kind of each row."""
    key, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column, own in zip(columns, n_states, strict=True):
        if size * (own + 1) >= 2**62:
            _, key = np.unique(key, return_inverse=True)
            size = int(key.max()) + 1
        key = key * (own + 1) + column + 1
        size *= own + 1
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return first, inverse


def _in_order(columns, table, family):
    """Return a table of its own, with the axes in the order of a family."""
    return table.transpose([columns.index(m) for m in family]).copy()
