r"""Tables of probabilities with named variables and named states.

A table is the joint distribution of some variables, P(X, Y), or a conditional
one, P(X | Y), that knows what it is conditioned on:

>>> p_sky = Table(["3/4", "1/4"], {"sky": ("sun", "rain")})
>>> p_street = Table(
...     [["9/10", "1/10"], ["1/5", "4/5"]],
...     {"sky": ("sun", "rain"), "street": ("dry", "wet")},
...     given="sky",
... )
>>> joint = p_sky * p_street
>>> joint
P(sky, street)
sky   street=dry  street=wet
sun        27/40        3/40
rain        1/20         1/5
>>> joint.given(street="wet")
P(sky | street=wet)
sky=sun  sky=rain
   3/11      8/11

Three operations carry everything: adding over what is left out (`marginal`),
keeping what agrees with the evidence and rescaling (`given`), and
multiplying by name (`*`, the chain rule). Tables of fractions stay exact.
The definitions are those of Koller and Friedman (2009), sections 2.1 and 4.2.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from itertools import product
from math import inf, isfinite, prod
from types import MappingProxyType
from typing import NamedTuple, Self

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.labels import (
    MAX_BYTES,
    array_of,
    exact_column,
    float_column,
    read_cells,
    read_codes,
    read_conditions,
    read_names,
    read_own_states,
    read_states,
    read_values,
    require_name,
    require_size,
    say,
    shape_of,
    sorted_states,
    states_at,
)
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import (
    FLOAT_TOLERANCE,
    Number,
    as_bool,
    decimal,
    exact_weight,
    read,
    show,
)
from bayesbook.probability.events import ProbabilitySpace

__all__ = [
    "MAX_BYTES",
    "IndependenceCheck",
    "Table",
    "VarianceParts",
]

State = Hashable
#: One variable or several.
Names = str | Iterable[str]
#: A state for each of some variables, or a property of named variables.
EventLike = Mapping[str, State] | Callable[..., bool]

# What is shown of a table before it is cut.
_ROWS, _COLUMNS = 24, 12
# A fraction with such a denominator is shown as a decimal.
_ENDLESS = 10**30


class Table:
    r"""A joint or conditional probability table, labelled and immutable.

    Parameters
    ----------
    values : nested sequence or array of numbers
        One axis for each variable, in the order of `states`. With integers,
        fractions, decimals or strings such as ``"1/3"`` the table is exact;
        with a float among them all are floats.
    states : mapping of name to sequence of states
        The variables, and the states of each in the order of its axis. A
        state is any hashable value; numbers if expectations are wanted.
    given : str or iterable of str
        The variables that the table is conditioned on. For each of their
        configurations the numbers sum to one: exactly, or to 1e-9 if they
        are floats.

    Raises
    ------
    ProbabilityError
        If a number is negative, not finite or not a number, if the numbers
        do not sum to one, if the shape is wrong, or if a name or a state
        stands twice.
    TableTooLargeError
        If the table would need more than `MAX_BYTES`.

    See Also
    --------
    Table.from_space : the distribution of random variables on a probability
    space. Table.from_counts : relative frequencies of counts. Table.from_frame
    : relative frequencies in a data frame.

    Examples
    --------
    >>> Table(
    ...     [[0.99, 0.01], [0.1, 0.9]],
    ...     {"state": ("well", "ill"), "test": ("-", "+")},
    ...     given="state",
    ... )
    P(test | state)
    state  test=-  test=+
    well     0.99    0.01
    ill      0.10    0.90
    """

    __slots__ = ("_conditions", "_evidence", "_states", "_values")

    def __init__(
        self,
        values: Sequence | np.ndarray,
        states: Mapping[str, Sequence[State]],
        given: Names = (),
    ):
        states = read_states(states)
        conditions = read_conditions(given, states)
        array = read_values(values, states)
        self._set(array, states, conditions)
        totals = np.asarray(array.sum(axis=self._axes(self.targets)))
        exact = array.dtype == object
        wrong = np.abs(totals - 1) > (0 if exact else FLOAT_TOLERANCE)
        if np.any(wrong):
            where = np.argwhere(wrong)[0]
            row = {
                name: states[name][i]
                for name, i in zip(self._kept(conditions), where, strict=True)
            }
            raise ProbabilityError(
                f"The probabilities of {self.title}"
                f"{' for ' + say(row) if row else ''} sum to "
                f"{show(_number(totals[tuple(where)]))}, not to 1. Divide "
                "weights or counts with Table.from_counts."
            )

    def _set(self, array, states, conditions, evidence=()):
        array.setflags(write=False)
        put = super().__setattr__
        put("_values", array)
        put("_states", MappingProxyType(dict(states)))
        put("_conditions", frozenset(conditions))
        put("_evidence", MappingProxyType(dict(evidence)))
        return self

    @classmethod
    def _of(cls, array, states, conditions=(), evidence=()) -> Self:
        """Make a table of numbers that are known to be right."""
        array = np.asarray(array)
        return cls.__new__(cls)._set(array, states, conditions, evidence)

    def __setattr__(self, name: str, value: object):
        raise AttributeError("A table cannot be changed: make a new one.")

    def __reduce__(self):
        return self._of, (
            self._values,
            dict(self._states),
            tuple(self._conditions),
            dict(self._evidence),
        )

    # -- from data --------------------------------------------------------

    @classmethod
    def from_space(
        cls,
        space: ProbabilitySpace,
        /,
        **variables: Callable[[Hashable], State],
    ) -> Self:
        r"""Return the joint distribution of random variables on a probability space.

        .. math:: P(X = x, Y = y)
            = \sum_{\omega:\, X(\omega) = x,\, Y(\omega) = y} p(\omega)

        Parameters
        ----------
        space : ProbabilitySpace
        **variables : function of an outcome
            A random variable is a function on the sample space.

        Returns
        -------
        Table
            Exact. The states of a variable are its values, sorted if they
            can be, and else in the order of the outcomes.

        Raises
        ------
        ProbabilityError
            If there is no variable, or a value is not hashable, or is None
            or NaN.
        TableTooLargeError
            If the table would need more than `MAX_BYTES`.

        Examples
        --------
        >>> coins = ProbabilitySpace.uniform(["HH", "HT", "TH", "TT"])
        >>> Table.from_space(coins, heads=lambda toss: toss.count("H"))
        P(heads)
        heads=0  heads=1  heads=2
            1/4      1/2      1/4
        """
        if not variables:
            raise ProbabilityError(
                "There is no random variable: give at least one function of "
                "the outcome, such as total=sum."
            )
        distribution = {}
        for outcome, p in space.items():
            key = tuple(of(outcome) for of in variables.values())
            try:
                distribution[key] = distribution.get(key, 0) + p
            except TypeError as error:
                values = say(dict(zip(variables, key, strict=True)))
                raise ProbabilityError(
                    f"Outcome {outcome!r} has {values}, which cannot be a "
                    f"state ({error}): return a tuple, not a list."
                ) from None
        states = {
            name: sorted_states(dict.fromkeys(column))
            for name, column in zip(
                variables, zip(*distribution, strict=True), strict=True
            )
        }
        require_size(shape_of(states), "fraction")
        return cls(array_of(distribution.items(), states, Fraction(0)), states)

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[tuple, Number] | pd.Series | pd.DataFrame,
        variables: Sequence[str] | None = None,
        *,
        given: Names = (),
        exact: bool = False,
    ) -> Self:
        """Return the table of relative frequencies: count over total.

        Parameters
        ----------
        counts : mapping, Series or DataFrame
            Non-negative counts or weights. A mapping or a series has the
            tuple of states as its key (the state itself, if there is one
            variable); combinations that do not occur in it count as zero. A
            data frame is a cross table: rows are the states of the first
            variable, columns those of the second.
        variables : sequence of str, optional
            The names, if the index of `counts` does not carry them.
        given : str or iterable of str
            Divide by the total of each configuration of these variables.
        exact : bool
            Give fractions instead of floats.

        Returns
        -------
        Table
            States in the order in which they first occur.

        Raises
        ------
        ProbabilityError
            If a count is negative, not finite or not a number, a combination
            stands there twice, or names are missing or unknown.
        ZeroProbabilityError
            If all counts are zero, or all those of a configuration of
            `given`.
        TableTooLargeError
            If the table would need more than `MAX_BYTES`.

        Examples
        --------
        >>> counts = {("ill", "+"): 9, ("well", "+"): 99,
        ...           ("ill", "-"): 1, ("well", "-"): 891}
        >>> Table.from_counts(counts, ["state", "test"], given="state",
        ...                   exact=True)
        P(test | state)
        state  test=+  test=-
        ill      9/10    1/10
        well     1/10    9/10
        """
        cells, states = read_cells(counts, variables, "counts")
        require_size(shape_of(states), "fraction" if exact else "float")
        counted = []
        for key, count in cells:
            where = f"The count of {say(dict(zip(states, key, strict=True)))}"
            counted.append((key, exact_weight(count, where)))
        weights = array_of(counted, states, Fraction(0))
        if not exact:
            try:
                weights = weights.astype(float)
            except OverflowError:
                raise _too_much() from None
        return cls._of_weights(weights, states, given)

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        variables: Names | None = None,
        *,
        given: Names = (),
        weights: str | None = None,
        exact: bool = False,
    ) -> Self:
        """Return the relative frequencies of the rows of a data frame.

        Parameters
        ----------
        frame : DataFrame
            A row for each observation, or for each kind of observation if
            there are `weights`.
        variables : str or iterable of str, optional
            Columns to use; all but `weights` by default.
        given : str or iterable of str
            Columns to condition on; they are used even if `variables` does
            not name them.
        weights : str, optional
            Column that holds how often each row counts, at least 0.
        exact : bool
            Give fractions instead of floats.

        Returns
        -------
        Table
            States are the categories of a categorical column, and else its
            values, sorted if they can be.

        Raises
        ------
        ProbabilityError
            If there is no row, a column is unknown or there twice, a value
            is missing, or a weight is negative or not a number.
        ZeroProbabilityError
            If no row has some configuration of `given`.
        TableTooLargeError
            If the table would need more than `MAX_BYTES`.

        Examples
        --------
        >>> from bayesbook.data import load_berkeley_admissions
        >>> Table.from_frame(load_berkeley_admissions(), "decision",
        ...                  given="gender", weights="applicants")
        P(decision | gender)
        gender  decision=admitted  decision=rejected
        men                0.4452             0.5548
        women              0.3035             0.6965
        """
        given = read_names(given)
        if not isinstance(frame, pd.DataFrame):
            raise ProbabilityError(
                f"Give a data frame, not {type(frame).__name__}."
            )
        if variables is None:
            variables = [name for name in frame.columns if name != weights]
        variables = tuple(dict.fromkeys([*given, *read_names(variables)]))
        if not variables:
            raise ProbabilityError("Name at least one variable.")
        for name in [*variables, *([weights] if weights else [])]:
            require_name(name, frame.columns, "column", "the data frame")
            if list(frame.columns).count(name) > 1:
                raise ProbabilityError(
                    f"The data frame has several columns {name!r}; rename or "
                    "drop the others."
                )
        if frame.empty:
            raise ProbabilityError(
                "The data frame has no rows, so there are no frequencies."
            )
        coded = {name: read_codes(frame[name]) for name in variables}
        states = read_states({name: s for name, (_, s) in coded.items()})
        shape = shape_of(states)
        require_size(shape, "fraction" if exact else "float")
        cell = np.ravel_multi_index(
            [code for code, _ in coded.values()], shape
        )
        if weights is None:
            counts = np.bincount(cell, minlength=prod(shape))
        elif exact:
            counts = np.full(prod(shape), Fraction(0), dtype=object)
            np.add.at(counts, cell, exact_column(frame[weights]))
        else:
            column = float_column(frame[weights])
            counts = np.bincount(cell, column, minlength=prod(shape))
        if exact:
            counts = np.array([Fraction(n) for n in counts.tolist()])
        return cls._of_weights(counts.reshape(shape), states, given)

    @classmethod
    def from_series(cls, series: pd.Series, *, given: Names = ()) -> Self:
        """Read a table from a series of probabilities.

        Parameters
        ----------
        series : Series
            The index, or each of its levels, is a variable and has its name;
            every combination of states occurs once.
        given : str or iterable of str
            The variables that the table is conditioned on.

        Returns
        -------
        Table

        Raises
        ------
        ProbabilityError
            As for the table itself; and if a combination is missing.

        See Also
        --------
        Table.to_series : the way back.

        Examples
        --------
        >>> index = pd.Index(["sun", "rain"], name="sky")
        >>> Table.from_series(pd.Series([0.75, 0.25], index))
        P(sky)
        sky=sun  sky=rain
           0.75      0.25
        """
        cells, states = read_cells(series, None, "probabilities")
        require_size(shape_of(states), "float")
        array = array_of(cells, states, None)
        missing = np.argwhere(array == None)  # noqa: E711 (entry by entry)
        if len(missing):
            raise ProbabilityError(
                f"The probability of {say(states_at(states, missing[0]))} is "
                "missing from the series; write a zero if it is zero."
            )
        return cls(array, states, given)

    @classmethod
    def _of_weights(cls, weights, states, given) -> Self:
        conditions = read_conditions(given, states)
        axes = tuple(
            i for i, name in enumerate(states) if name not in conditions
        )
        with np.errstate(over="ignore"):
            totals = weights.sum(axis=axes, keepdims=True)
        if weights.dtype != object and np.isinf(totals).any():
            raise _too_much()
        if not np.all(totals):
            place = states_at(states, np.argwhere(totals == 0)[0])
            place = {n: s for n, s in place.items() if n in conditions}
            raise ZeroProbabilityError(
                f"There is no observation with {say(place)}, so nothing is "
                "known about the others given it."
                if place
                else "All counts are zero, so there are no frequencies."
            )
        return cls._of(weights / totals, states, conditions)

    # -- what it is about -------------------------------------------------

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of all variables, in the order of the axes."""
        return tuple(self._states)

    @property
    def targets(self) -> tuple[str, ...]:
        """The variables in front of the bar: X and Y in P(X, Y | Z)."""
        return tuple(n for n in self._states if n not in self._conditions)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The variables behind the bar: Z in P(X, Y | Z)."""
        return self._kept(self._conditions)

    @property
    def evidence(self) -> Mapping[str, State]:
        """The states that were conditioned on: Z=1 in P(X, Y | Z=1)."""
        return self._evidence

    @property
    def states(self) -> Mapping[str, tuple[State, ...]]:
        """The states of every variable."""
        return self._states

    @property
    def values(self) -> np.ndarray:
        """The probabilities, an axis for each variable; not to be written."""
        return self._values

    @property
    def shape(self) -> tuple[int, ...]:
        """How many states each variable has."""
        return self._values.shape

    @property
    def is_exact(self) -> bool:
        """Whether the probabilities are fractions."""
        return self._values.dtype == object

    @property
    def title(self) -> str:
        """What the table is, in the field's notation: "P(X | Y)"."""
        behind = [*self.conditions]
        behind += [f"{name}={s}" for name, s in self._evidence.items()]
        bar = f" | {', '.join(behind)}" if behind else ""
        return f"P({', '.join(self.targets)}{bar})"

    # -- the three operations ---------------------------------------------

    def marginal(self, *names: str) -> Self:
        r"""Return the distribution of some of the variables, adding over the others.

        .. math:: P(x) = \sum_y P(x, y)

        Parameters
        ----------
        *names : str
            Variables in front of the bar; the axes of the result are in this
            order. Those behind the bar stay.

        Returns
        -------
        Table

        Raises
        ------
        ProbabilityError
            If a name is unknown, stands twice or is behind the bar, or if
            there is none.

        Examples
        --------
        >>> p = Table([[0.1, 0.2], [0.3, 0.4]], {"X": "ab", "Y": "cd"})
        >>> p.marginal("Y")
        P(Y)
        Y=c  Y=d
        0.4  0.6
        """
        names = self._targets_named(names)
        out = [name for name in self.targets if name not in names]
        array = self._values.sum(axis=self._axes(out)) if out else self._values
        left = [name for name in self._states if name not in out]
        order = [*self.conditions, *names]
        return self._of(
            array.transpose([left.index(name) for name in order]),
            {name: self._states[name] for name in order},
            self._conditions,
            self._evidence,
        )

    def given(
        self, evidence: Mapping[str, State] | None = None, /, **states: State
    ) -> Self:
        r"""Return the distribution of the other variables once some states are known.

        .. math:: P(x \mid y) = P(x, y) / P(y)

        Parameters
        ----------
        evidence : mapping of name to state, optional
            For names that cannot be written as keywords.
        **states
            The known states, by the name of the variable.

        Returns
        -------
        Table
            Without the variables that are known; `evidence` remembers them.

        Raises
        ------
        ProbabilityError
            If a name or a state is unknown, or no variable is left.
        ZeroProbabilityError
            If the known states have probability zero.

        Examples
        --------
        >>> p = Table([[0.1, 0.2], [0.3, 0.4]], {"X": "ab", "Y": "cd"})
        >>> p.given(X="b")
        P(Y | X=b)
           Y=c     Y=d
        0.4286  0.5714
        """
        known = self._event_of(evidence, states)
        index = tuple(
            self._state_index(name, known[name])
            if name in known
            else slice(None)
            for name in self._states
        )
        left = {n: s for n, s in self._states.items() if n not in known}
        conditions = [name for name in self.conditions if name not in known]
        if len(conditions) == len(left):
            raise ProbabilityError(
                f"After {say(known)} no variable of {self.title} is left in "
                "front of the bar; ask for the number with .P(...)."
            )
        array = self._values[index]
        if not known.keys() <= self._conditions:
            axes = tuple(
                i for i, name in enumerate(left) if name not in conditions
            )
            totals = array.sum(axis=axes, keepdims=True)
            self._require_possible(totals, left, known)
            array = array / totals
        return self._of(array, left, conditions, {**self._evidence, **known})

    def conditional(self, targets: Names, given: Names = ()) -> Self:
        r"""Return the conditional table P(targets | given).

        .. math:: P(x \mid y) = \frac{P(x, y)}{\sum_{x'} P(x', y)}

        Parameters
        ----------
        targets : str or iterable of str
            The variables in front of the bar; others are added over.
        given : str or iterable of str
            The variables behind it. Those of a conditional table stay there.

        Returns
        -------
        Table
            The axes of `given` come first.

        Raises
        ------
        ProbabilityError
            If a name is unknown, or stands on both sides of the bar.
        ZeroProbabilityError
            If a configuration of `given` has probability zero: nothing can
            be said about the targets then.

        Examples
        --------
        >>> p = Table([[0.1, 0.2], [0.3, 0.4]], {"X": "ab", "Y": "cd"})
        >>> p.conditional("X", given="Y")
        P(X | Y)
        Y     X=a     X=b
        c  0.2500  0.7500
        d  0.3333  0.6667
        """
        targets = read_names(targets)
        behind = [n for n in read_names(given) if n not in self._conditions]
        for name in targets:
            if name in behind:
                raise ProbabilityError(
                    f"{name!r} stands on both sides of the bar."
                )
        distribution = self.marginal(*behind, *self._targets_named(targets))
        totals = distribution._values.sum(
            axis=distribution._axes(targets), keepdims=True
        )
        distribution._require_possible(totals, distribution._states)
        return self._of(
            distribution._values / totals if behind else distribution._values,
            distribution._states,
            [*self._conditions, *behind],
            self._evidence,
        )

    def multiply(self, other: Table, *, max_bytes: int = MAX_BYTES) -> Table:
        r"""Multiply by name: the chain rule. ``p * q`` is the same.

        .. math:: P(x, y) = P(x) \, P(y \mid x)

        Variables of the same name are the same variable. The product of two
        conditional tables P(X | Z) and P(Y | Z) is their joint distribution if
        X and Y are independent given Z; the table cannot know whether they
        are.

        Parameters
        ----------
        other : Table
            With other variables in front of its bar.
        max_bytes : int
            A larger product is refused.

        Returns
        -------
        Table
            In front of its bar are the targets of both.

        Raises
        ------
        ProbabilityError
            If a variable is in front of both bars, if each table conditions
            on a target of the other, or if the states of a variable or the
            evidence of the tables differ: then the product would be no
            probability table.
        TableTooLargeError
            If the product would need more than `max_bytes`.

        See Also
        --------
        bayesbook.graphs.chain_rule : any number of tables.

        Examples
        --------
        >>> p_x = Table(["1/3", "2/3"], {"X": (0, 1)})
        >>> p_y = Table([["1/2", "1/2"], ["1/4", "3/4"]],
        ...             {"X": (0, 1), "Y": (0, 1)}, given="X")
        >>> p_x * p_y
        P(X, Y)
        X  Y=0  Y=1
        0  1/6  1/6
        1  1/6  1/2
        """
        self._require_factor(other)
        left, right = self, other.with_states(self._states)
        states = {**left._states, **right._states}
        exact = self.is_exact and other.is_exact
        require_size(
            shape_of(states),
            "fraction" if exact else "float",
            f"The product of {self.title} and {other.title}",
            max_bytes,
        )
        if not exact:
            left, right = left._as_float(), right._as_float()
        targets = {*self.targets, *other.targets}
        return self._of(
            left._spread(states) * right._spread(states),
            states,
            [name for name in states if name not in targets],
            {**self._evidence, **other._evidence},
        )

    def __mul__(self, other: Table) -> Table:
        if not isinstance(other, Table):
            return NotImplemented
        return self.multiply(other)

    # -- numbers ----------------------------------------------------------

    def P(  # noqa: N802 (the name that the field gives it)
        self,
        event: EventLike | None = None,
        /,
        *,
        given: EventLike | None = None,
        **states: State,
    ) -> Fraction | float:
        r"""Return the probability of an event, or its conditional probability.

        Parameters
        ----------
        event : mapping of name to state, or function, optional
            A function has the variables that it looks at as its arguments
            and tells whether the event occurs: ``lambda X, Y: X < Y``.
        given : mapping or function, optional
            What is known, in the same form.
        **states
            The event that the variables have these states.

        Returns
        -------
        Fraction or float
            In [0, 1].

        Raises
        ------
        ProbabilityError
            If a name or state is unknown, a function gives something else
            than True and False, or the table is conditional and `given` does
            not name a state for each variable behind its bar.
        ZeroProbabilityError
            If `given` has probability zero.

        Examples
        --------
        >>> faces = range(1, 7)
        >>> dice = Table.from_counts({(i, j): 1 for i in faces for j in faces},
        ...                          ["X", "Y"], exact=True)
        >>> print(dice.P(X=6), dice.P(lambda X, Y: X + Y == 8))
        1/6 5/36
        >>> print(dice.P(lambda X, Y: X + Y == 8, given=lambda X: X >= 5))
        1/6
        """
        whole = np.ones((1,) * len(self._states), dtype=bool)
        known = whole if given is None else self._mask(given)
        self._require_conditions(given)
        if event is None and not states:
            raise ProbabilityError("There is no event to give a P of.")
        if callable(event):
            asked = self._mask(event) & self._mask(self._event_of({}, states))
        else:
            asked = self._mask(self._event_of(event, states))
        total = self._mass(known)
        if total == 0:
            what = say(given) if isinstance(given, Mapping) else "the event"
            raise ZeroProbabilityError(
                f"Cannot condition on {what}: its probability is zero."
            )
        part = self._mass(known & asked)
        return _number(part if given is None else part / total)

    def expectation(
        self, of: str | Callable, given: Names | Mapping | None = None
    ) -> Fraction | float | dict:
        r"""Return an expectation, or a conditional expectation.

        .. math::

            E[f(X)] = \sum_x f(x) \, P(x), \qquad
            E[f(X) \mid Y = y] = \sum_x f(x) \, P(x \mid y).

        Parameters
        ----------
        of : str or function
            A variable whose states are numbers; or a function, whose
            arguments are the variables that it looks at: ``lambda X, Y: X *
            Y``. Of an indicator, True or False, it is a probability.
        given : str, iterable of str, or mapping, optional
            Variables: the result is a function of their states. Or states:
            the result is the number for these.

        Returns
        -------
        Fraction, float, or dict of state to one of these
            With several variables in `given` the keys are tuples of states.
            Exact if the table is and the values are.

        Raises
        ------
        ProbabilityError
            If a name or a state is unknown, a value is not a finite number,
            or the table is conditional and `given` does not name the
            variables behind its bar.
        ZeroProbabilityError
            If a configuration of `given` has probability zero.

        Examples
        --------
        >>> p = Table([["1/8", "3/8"], ["1/4", "1/4"]],
        ...           {"X": (0, 1), "Y": (0, 10)})
        >>> print(p.expectation("Y"), p.expectation(lambda X, Y: X + Y))
        25/4 27/4
        >>> p.expectation("Y", given="X")
        {0: Fraction(15, 2), 1: Fraction(5, 1)}
        >>> print(p.expectation("Y", given={"X": 0}))
        15/2
        """
        distribution, f, axes, answer = self._distribution_of(of, given)
        return answer((distribution * f).sum(axis=axes))

    def variance(
        self, of: str | Callable, given: Names | Mapping | None = None
    ) -> Fraction | float | dict:
        r"""Return a variance, or a conditional variance.

        .. math:: \operatorname{Var}[f(X) \mid Y = y]
            = E\bigl[(f(X) - E[f(X) \mid Y = y])^2 \mid Y = y\bigr]

        Parameters, result and errors are those of :meth:`expectation`.

        Examples
        --------
        >>> p = Table([["1/8", "3/8"], ["1/4", "1/4"]],
        ...           {"X": (0, 1), "Y": (0, 10)})
        >>> print(p.variance("Y"))
        375/16
        >>> p.variance("Y", given="X")
        {0: Fraction(75, 4), 1: Fraction(25, 1)}
        """
        distribution, f, axes, answer = self._distribution_of(of, given)
        mean = (distribution * f).sum(axis=axes, keepdims=True)
        return answer((distribution * (f - mean) ** 2).sum(axis=axes))

    def total_variance(
        self, of: str | Callable, given: Names
    ) -> VarianceParts:
        r"""Split a variance by the law of total variance.

        .. math:: \operatorname{Var}[X] = E[\operatorname{Var}[X \mid Y]]
            + \operatorname{Var}[E[X \mid Y]]

        Configurations of `given` that have probability zero do not matter:
        both parts are means over the others.

        Parameters
        ----------
        of, given
            As for :meth:`expectation`, with variables in `given`.

        Returns
        -------
        VarianceParts
            ``within``, the mean of the conditional variances, and
            ``between``, the variance of the conditional means.

        Raises
        ------
        ProbabilityError
            If a name is unknown, a value is not a finite number, or the
            table is conditional.

        Examples
        --------
        >>> p = Table([["1/8", "3/8"], ["1/4", "1/4"]],
        ...           {"X": (0, 1), "Y": (0, 10)})
        >>> within, between = p.total_variance("Y", given="X")
        >>> print(within, between, within + between)
        175/8 25/16 375/16
        """
        names = self._known(read_names(given))
        distribution, f, axes, _ = self._distribution_of(
            of, names, everywhere=False
        )
        weight = self.marginal(*names)._values
        mean = (distribution * f).sum(axis=axes, keepdims=True)
        spread = (distribution * (f - mean) ** 2).sum(axis=axes)
        mean = mean.reshape(weight.shape)
        centre = (weight * mean).sum()
        return VarianceParts(
            _number((weight * spread).sum()),
            _number((weight * (mean - centre) ** 2).sum()),
        )

    # -- independence -----------------------------------------------------

    def independent(
        self,
        x: Names,
        y: Names,
        given: Names = (),
        *,
        tolerance: float | None = None,
    ) -> IndependenceCheck:
        r"""Check whether two (sets of) variables are independent.

        That is whether :math:`P(x, y \mid z) = P(x \mid z) \, P(y \mid z)`
        for all states with :math:`P(z) > 0`.

        Parameters
        ----------
        x, y : str or iterable of str
            Disjoint sets of variables in front of the bar.
        given : str or iterable of str
            Condition on these, and on the variables behind the bar.
        tolerance : float, optional
            How much the two sides may differ; by default 0 for an exact
            table and 1e-9 for floats.

        Returns
        -------
        IndependenceCheck
            True or false in an ``if``; it knows the largest gap and, if there
            is one, a *witness*: the states where the gap is largest.

        Raises
        ------
        ProbabilityError
            If a name is unknown or stands in two of the sets, or one of the
            first two sets is empty.

        Examples
        --------
        >>> p = Table([["1/8", "3/8"], ["1/4", "1/4"]],
        ...           {"X": (0, 1), "Y": (0, 10)})
        >>> print(p.independent("X", "Y"))
        X and Y are dependent:
        P(X=0, Y=0) = 1/8, but
        P(X=0) P(Y=0) = 3/16
        """
        x, y = self._targets_named(x), self._targets_named(y)
        behind = read_names(given)
        behind = tuple(n for n in behind if n not in self._conditions)
        names = (*x, *y, *behind)
        for name in names:
            if names.count(name) > 1:
                raise ProbabilityError(
                    f"{name!r} stands twice among {', '.join(names)}; a "
                    "variable is on one side only."
                )
        z = (*self.conditions, *behind)
        distribution = self.marginal(*behind, *x, *y)
        sizes = [
            prod(len(distribution._states[name]) for name in part)
            for part in (z, x, y)
        ]
        p_xyz = distribution._values.reshape(sizes)
        p_z = p_xyz.sum(axis=(1, 2), keepdims=True)
        # What has probability zero contradicts nothing.
        p_xy = p_xyz / np.where(p_z == 0, 1, p_z)
        p_x = p_xy.sum(axis=2, keepdims=True)
        p_y = p_xy.sum(axis=1, keepdims=True)
        gaps = np.abs(p_xy - p_x * p_y)
        if tolerance is None:
            tolerance = 0 if self.is_exact else FLOAT_TOLERANCE
        gap = _number(gaps.max())
        # The first of equal gaps, whatever their last digits are.
        near = gap if self.is_exact else gap * (1 - FLOAT_TOLERANCE)
        k, i, j = np.argwhere(gaps >= near)[0]
        place = np.unravel_index(
            np.ravel_multi_index((k, i, j), sizes), distribution.shape
        )
        holds = bool(gap <= tolerance)
        return IndependenceCheck(
            x=x,
            y=y,
            given=z,
            holds=holds,
            gap=gap,
            witness=None if holds else states_at(distribution._states, place),
            joint=_number(p_xy[k, i, j]),
            product=_number(p_x[k, i, 0] * p_y[k, 0, j]),
        )

    # -- the same table in another form -----------------------------------

    def transpose(self, *names: str) -> Self:
        """Return the same table with its axes in another order.

        Parameters
        ----------
        *names : str
            All variables.

        Returns
        -------
        Table

        Raises
        ------
        ProbabilityError
            If a name is unknown, missing or stands twice.

        Examples
        --------
        >>> p = Table([[0.1, 0.2], [0.3, 0.4]], {"X": "ab", "Y": "cd"})
        >>> p.transpose("Y", "X").values.tolist()
        [[0.1, 0.3], [0.2, 0.4]]
        """
        names = self._known(names)
        missing = [name for name in self._states if name not in names]
        if missing:
            raise ProbabilityError(
                f"{', '.join(map(repr, missing))} is missing: name all of "
                f"{', '.join(self._states)}."
            )
        return self._of(
            self._values.transpose(self._axes(names)),
            {name: self._states[name] for name in names},
            self._conditions,
            self._evidence,
        )

    def with_states(self, states: Mapping[str, Sequence[State]]) -> Self:
        """Return the same table with the states of variables in another order.

        Parameters
        ----------
        states : mapping of name to sequence of states
            The order wanted; names that are not in the table play no role.

        Returns
        -------
        Table

        Raises
        ------
        ProbabilityError
            If the states of a variable are not the same ones.

        Examples
        --------
        >>> p = Table([0.25, 0.75], {"sky": ("rain", "sun")})
        >>> p.with_states({"sky": ("sun", "rain")})
        P(sky)
        sky=sun  sky=rain
           0.75      0.25
        """
        values, own = self._values, dict(self._states)
        for axis, name in enumerate(self._states):
            theirs = states.get(name, own[name])
            # The usual case, and one that must not cost a product anything.
            if isinstance(theirs, tuple) and theirs == own[name]:
                continue
            theirs = read_own_states(name, theirs)
            if len(theirs) != len(own[name]) or set(theirs) != set(own[name]):
                raise ProbabilityError(
                    f"The states of {name!r} differ: {quoted_list(theirs)} in "
                    f"one table, {quoted_list(own[name])} in the other."
                )
            order = [own[name].index(state) for state in theirs]
            values, own[name] = values.take(order, axis), theirs
        return self._of(values, own, self._conditions, self._evidence)

    def rename(self, names: Mapping[str, str]) -> Self:
        """Return the same table with other names for some variables.

        Parameters
        ----------
        names : mapping of old name to new name

        Returns
        -------
        Table

        Raises
        ------
        ProbabilityError
            If an old name is unknown, or two variables would have one name.

        Examples
        --------
        >>> first = Table(["1/2", "1/2"], {"X1": "HT"})
        >>> (first * first.rename({"X1": "X2"})).title
        'P(X1, X2)'
        """
        self._known(names)
        new = {name: names.get(name, name) for name in self._states}
        if len({*new.values(), *self._evidence}) < len(new) + len(
            self._evidence
        ):
            raise ProbabilityError(
                f"Renaming {dict(names)} gives two variables one name."
            )
        states = read_states({new[n]: s for n, s in self._states.items()})
        conditions = [new[name] for name in self.conditions]
        return self._of(self._values, states, conditions, self._evidence)

    def to_series(self) -> pd.Series:
        """Return the probabilities as a pandas series.

        Returns
        -------
        Series
            A level of the index for each variable.

        Examples
        --------
        >>> Table(["1/2", "1/2"], {"coin": "HT"}).to_series()
        coin
        H    1/2
        T    1/2
        Name: P(coin), dtype: object
        """
        if len(self._states) == 1:
            ((name, states),) = self._states.items()
            index = pd.Index(states, name=name, tupleize_cols=False)
        else:
            index = pd.MultiIndex.from_product(
                self._states.values(), names=list(self._states)
            )
        return pd.Series(self._values.ravel(), index, name=self.title)

    def to_frame(self) -> pd.DataFrame:
        """Return the probabilities as a pandas data frame, as they are shown.

        Returns
        -------
        DataFrame
            A column for each state of the last target, a row for each
            configuration of the other variables, those behind the bar first.

        Examples
        --------
        >>> Table([[0.9, 0.1], [0.2, 0.8]], {"X": "ab", "Y": "cd"},
        ...       given="X").to_frame()
        Y    c    d
        X
        a  0.9  0.1
        b  0.2  0.8
        """
        *rows, column = (*self.conditions, *self.targets)
        if not rows:
            return self.to_series().to_frame().T
        values = self.transpose(*rows, column)._values
        if len(rows) == 1:
            index = pd.Index(
                self._states[rows[0]], name=rows[0], tupleize_cols=False
            )
        else:
            index = pd.MultiIndex.from_product(
                [self._states[name] for name in rows], names=rows
            )
        columns = pd.Index(
            self._states[column], name=column, tupleize_cols=False
        )
        return pd.DataFrame(
            values.reshape(len(index), len(columns)), index, columns
        )

    def allclose(
        self, other: Table, *, tolerance: float = FLOAT_TOLERANCE
    ) -> bool:
        """Return whether two tables agree up to rounding.

        Parameters
        ----------
        other : Table
        tolerance : float
            How much two probabilities may differ.

        Returns
        -------
        bool
            False if the variables, the bar or the states differ. The order
            of axes and states plays no role, nor does `evidence`.

        Examples
        --------
        >>> half = Table([0.5, 0.5], {"coin": "HT"})
        >>> half.allclose(Table([0.5 + 1e-12, 0.5 - 1e-12], {"coin": "HT"}))
        True
        """
        return self._agrees(other, lambda a, b: np.abs(a - b) <= tolerance)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._agrees(other, lambda a, b: a == b)

    def __hash__(self) -> int:
        return hash((frozenset(self._states), self._conditions))

    def __repr__(self) -> str:
        named, titles, rows, cut = self._grid()
        widths = [
            max(map(len, column)) for column in zip(titles, *rows, strict=True)
        ]
        lines = [
            "  ".join(
                cell.ljust(width) if i < named else cell.rjust(width)
                for i, (cell, width) in enumerate(
                    zip(row, widths, strict=True)
                )
            )
            for row in [titles, *rows]
        ]
        return "\n".join([self.title, *map(str.rstrip, lines), *cut])

    def _repr_html_(self) -> str:
        named, titles, rows, cut = self._grid()
        return "\n".join(
            [
                '<table class="dataframe probability-table">',
                f"<caption>{escape(self.title)}</caption>",
                "<thead>",
                _html_row(titles, len(titles), "col"),
                "</thead>",
                "<tbody>",
                *(_html_row(row, named, "row") for row in rows),
                "</tbody>",
                "</table>",
                *(f"<p>{line}</p>" for line in cut),
            ]
        )

    # -- helpers ----------------------------------------------------------

    def _kept(self, names):
        """Return those of the variables that are among some names, in order."""
        return tuple(name for name in self._states if name in names)

    def _axes(self, names):
        order = list(self._states)
        return tuple(order.index(name) for name in names)

    def _spread(self, names):
        """Return the values with an axis for each name, of length 1 if new."""
        own = [name for name in names if name in self._states]
        new = tuple(
            slice(None) if name in self._states else None for name in names
        )
        return self._values.transpose(self._axes(own))[new]

    def _as_float(self):
        if not self.is_exact:
            return self
        values = self._values.astype(float)
        return self._of(values, self._states, self._conditions, self._evidence)

    def _agrees(self, other, close):
        if set(self.targets) != set(other.targets) or (
            self._conditions != other._conditions
        ):
            return False
        if any(
            set(states) != set(other._states[name])
            for name, states in self._states.items()
        ):
            return False
        other = other.with_states(self._states).transpose(*self._states)
        return bool(np.all(close(self._values, other._values)))

    def _known(self, names):
        names = tuple(names)
        for name in names:
            require_name(name, self._states, of=self.title)
            if names.count(name) > 1:
                raise ProbabilityError(f"{name!r} stands twice.")
        return names

    def _targets_named(self, names):
        names = self._known(read_names(names))
        if not names:
            raise ProbabilityError("Name at least one variable.")
        for name in names:
            if name in self._conditions:
                raise ProbabilityError(
                    f"{name!r} is behind the bar of {self.title}, which says "
                    f"nothing about its distribution; multiply by P({name}) "
                    f"first."
                )
        return names

    def _state_index(self, name, state):
        states = self._states[name]
        try:
            return states.index(state)
        except ValueError:
            raise ProbabilityError(
                f"{state!r} is not a state of {name!r}; its states are "
                f"{quoted_list(states)}.{did_you_mean(state, states)}"
            ) from None

    def _event_of(self, event, states):
        """Read states for some variables, from a mapping and keywords."""
        event = {} if event is None else event
        if not isinstance(event, Mapping):
            raise ProbabilityError(
                f"{event!r} does not give states for variables; write for "
                f"instance {next(iter(self._states))}=state, or a dictionary."
            )
        for name in [*event, *states]:
            require_name(name, self._states, of=self.title)
            if name in event and name in states:
                raise ProbabilityError(f"{name!r} is given twice.")
        # As the table has them: its 1 may be somebody's True or np.int64(1).
        return {
            name: self._states[name][self._state_index(name, state)]
            for name, state in {**event, **states}.items()
        }

    def _mask(self, event):
        """Tell for every cell whether the event occurs there."""
        if callable(event):
            names = self._arguments(event)
            own = {name: self._states[name] for name in names}
            places = [
                dict(zip(names, states, strict=True))
                for states in product(*own.values())
            ]
            array = np.array(
                [
                    as_bool(event(**place), f"The event at {say(place)}")
                    for place in places
                ]
            ).reshape(shape_of(own))
            return self._of(array, own)._spread(self._states)
        mask = np.ones((1,) * len(self._states), dtype=bool)
        for name, state in self._event_of(event, {}).items():
            hit = np.arange(len(self._states[name])) == self._state_index(
                name, state
            )
            mask = mask & self._of(hit, {name: ()})._spread(self._states)
        return mask

    def _mass(self, mask):
        cells = self._values[np.broadcast_to(mask, self.shape)]
        return cells.sum(initial=Fraction(0) if self.is_exact else 0.0)

    def _arguments(self, of):
        """Return the variables that a function, or a name, looks at."""
        if isinstance(of, str):
            return self._known([of])
        if not callable(of):
            raise ProbabilityError(
                f"{of!r} is neither the name of a variable nor a function of "
                "variables, such as lambda X, Y: X + Y."
            )
        try:
            parameters = inspect.signature(of).parameters.values()
        except ValueError:
            raise ProbabilityError(
                f"{of!r} does not say which variables it looks at; write "
                "lambda X, Y: … around it."
            ) from None
        names = [
            parameter.name
            for parameter in parameters
            if parameter.default is parameter.empty
        ]
        if not names:
            raise ProbabilityError(
                "The function looks at no variable: its arguments are the "
                "names of variables, as in lambda X, Y: X + Y."
            )
        return self._known(names)

    def _numbers(self, of, names):
        """Evaluate a function, or a variable, for all states it looks at."""
        numbers_ = []
        for states in product(*map(self._states.get, names)):
            if isinstance(of, str):
                numbers_.append(_real(states[0], f"The state of {of!r}"))
                continue
            where = dict(zip(names, states, strict=True))
            value = of(**where)
            numbers_.append(
                _real(value, f"The function's value at {say(where)}")
            )
        exact = all(isinstance(value, Fraction) for value in numbers_)
        array = np.array(numbers_, dtype=object if exact else float)
        return array.reshape([len(self._states[name]) for name in names])

    def _distribution_of(self, of, given, *, everywhere=True):
        """Return what expectations are made of.

        That is the distribution of what the function looks at, given each of
        the configurations asked for; the function's values; the axes to sum
        over; and how to present the sums. If the distribution is not needed
        everywhere, it is zero where its configuration is impossible.
        """
        if isinstance(given, Mapping):
            return self._restricted(given)._distribution_of(of, ())
        behind = self._known(() if given is None else read_names(given))
        missing = [name for name in self.conditions if name not in behind]
        if missing:
            raise ProbabilityError(
                f"{self.title} is a distribution for each state of "
                f"{', '.join(missing)}: name it with `given`."
            )
        names = self._arguments(of)
        order = (*behind, *(name for name in names if name not in behind))
        targets = [name for name in order if name not in self._conditions]
        if not targets:
            targets = self.targets[:1]
            order = (*order, *targets)
        distribution = self.marginal(*targets).transpose(*order)
        axes = tuple(range(len(behind), len(order)))
        values = distribution._values
        if not self._conditions.issuperset(behind):
            totals = values.sum(axis=axes, keepdims=True)
            if everywhere:
                distribution._require_possible(totals, distribution._states)
            values = values / np.where(totals == 0, 1, totals)
        f = self._numbers(of, names)
        if f.dtype != object or not self.is_exact:
            values, f = values.astype(float), f.astype(float)
        f = self._of(f, dict.fromkeys(names))._spread(order)

        def present(sums):
            if not behind:
                return _number(sums)
            keys = product(*map(self._states.get, behind))
            return {
                key if len(behind) > 1 else key[0]: _number(number)
                for key, number in zip(keys, sums.ravel(), strict=True)
            }

        return values, f, axes, present

    def _restricted(self, given):
        """Return the distribution with the known variables at the states they have."""
        known = self._event_of(given, {})
        self._require_conditions(known)
        first = {name: self._state_index(name, known[name]) for name in known}
        index = tuple(
            slice(first[name], first[name] + 1)
            if name in first
            else slice(None)
            for name in self._states
        )
        values = self._values[index]
        total = values.sum()
        if total == 0:
            raise _impossible(known)
        states = {
            name: (known[name],) if name in known else own
            for name, own in self._states.items()
        }
        return self._of(values / total, states)

    def _require_conditions(self, given):
        known = given if isinstance(given, Mapping) else ()
        missing = [name for name in self.conditions if name not in known]
        if missing:
            raise ProbabilityError(
                f"{self.title} has no probabilities until the state of "
                f"{' and '.join(missing)} is given: given={{{missing[0]!r}: "
                "...}."
            )

    def _require_possible(self, totals, states, known=()):
        """Refuse to divide by zero, and say where; `totals` kept its axes."""
        if np.all(totals):
            return
        place = np.argwhere(totals == 0)[0]
        where = {
            name: own[i]
            for (name, own), i, n in zip(
                states.items(), place, totals.shape, strict=True
            )
            if n > 1
        }
        raise _impossible({**where, **dict(known)})

    def _require_factor(self, other):
        """Refuse a product that would not be a probability table."""
        what = f"{self.title} times {other.title} is no probability table: "
        for name in self.targets:
            if name in other.targets:
                raise ProbabilityError(
                    f"{what}{name!r} is in front of both bars."
                )
        forth = [n for n in self.targets if n in other._conditions]
        back = [n for n in other.targets if n in self._conditions]
        if forth and back:
            raise ProbabilityError(
                f"{what}each is conditioned on the other, by {forth[0]!r} and "
                f"{back[0]!r}. With more tables, multiply them in an order in "
                "which each comes after what it is conditioned on, or use "
                "bayesbook.graphs.chain_rule."
            )
        for one, two in ((self, other), (other, self)):
            for name, state in one._evidence.items():
                if name in two._states or (
                    name in two._evidence and two._evidence[name] != state
                ):
                    raise ProbabilityError(
                        f"{what}one is given {name}={state!r}, "
                        "the other is not."
                    )

    def _grid(self):
        """Return the table as texts.

        That is: how many columns hold states and not numbers, the titles of
        the columns, the rows, and what was cut.
        """
        names = (*self.conditions, *self.targets)
        last = self._states[names[-1]]
        if len(last) > _COLUMNS:
            named, columns = names, ["P"]
        else:
            named = names[:-1]
            columns = [f"{names[-1]}={state}" for state in last]
        values = self.transpose(*names)._values.reshape(-1, len(columns))
        keys = product(*(map(str, self._states[name]) for name in named))
        shown = _aligned(values[:_ROWS])
        rows = [[*key, *row] for key, row in zip(keys, shown, strict=False)]
        cut = [f"… {len(values)} rows"] if len(values) > _ROWS else []
        return len(named), [*named, *columns], rows, cut


class VarianceParts(NamedTuple):
    """The two parts of a variance, which they sum to.

    Examples
    --------
    >>> sum(VarianceParts(within=2.0, between=1.0))
    3.0
    """

    #: The mean of the conditional variances: what conditioning leaves.
    within: Fraction | float
    #: The variance of the conditional means: what conditioning explains.
    between: Fraction | float


@dataclass(frozen=True)
class IndependenceCheck:
    """Whether variables are independent, and if not, where it shows.

    It is true in an ``if`` when they are, and its text says the reason.
    Made by :meth:`Table.independent`.

    Attributes
    ----------
    x, y, given : tuple of str
        Of what, of what, and given what.
    holds : bool
    gap : Fraction or float
        The largest difference between P(x, y | z) and P(x | z) P(y | z).
    witness : dict of name to state, or None
        The states where the difference is largest, if they are dependent.
    joint, product : Fraction or float
        The two sides there.

    Examples
    --------
    >>> p = Table(["1/2", "1/2"], {"X": (0, 1)})
    >>> check = (p * p.rename({"X": "Y"})).independent("X", "Y")
    >>> print(check)
    X and Y are independent
    >>> check.gap
    Fraction(0, 1)
    """

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    holds: bool
    gap: Fraction | float
    witness: Mapping[str, State] | None
    joint: Fraction | float
    product: Fraction | float

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        x, y = (
            "(" + ", ".join(n) + ")" if n[1:] else n[0]
            for n in (self.x, self.y)
        )
        given = f" given {', '.join(self.given)}" if self.given else ""
        if self.holds:
            return f"{x} and {y} are independent{given}"
        at = {
            part: say({name: self.witness[name] for name in part})
            for part in (self.x, self.y, self.given)
        }
        bar = f" | {at[self.given]}" if self.given else ""
        return (
            f"{x} and {y} are dependent{given}:\n"
            f"P({at[self.x]}, {at[self.y]}{bar}) = {_readable(self.joint)}, "
            f"but\nP({at[self.x]}{bar}) P({at[self.y]}{bar}) = "
            f"{_readable(self.product)}"
        )


def _real(value, what):
    """Read a value of a function that is averaged."""
    if isinstance(value, bool | np.bool_):
        return Fraction(int(value))
    try:
        number = inf if isinstance(value, str) else read(value)
    except (TypeError, ValueError, OverflowError):
        number = inf
    if isinstance(number, float) and not isfinite(number):
        raise ProbabilityError(
            f"{what} is {value!r}, not a finite number; an expectation needs "
            "numbers, such as lambda X: 1 if X == 'yes' else 0."
        )
    return number


def _too_much():
    return ProbabilityError(
        "The counts sum to more than a float can hold; use exact=True."
    )


def _impossible(known):
    return ZeroProbabilityError(
        f"Cannot condition on {say(known)}: its probability is zero."
    )


def _aligned(rows):
    """Write rows of numbers with as many decimals as they need, up to four."""
    if rows.dtype == object:
        return [[*map(_digits, row)] for row in rows]
    decimals = next(
        k
        for k in range(5)
        if k == 4 or np.allclose(rows, rows.round(k), 0, FLOAT_TOLERANCE)
    )
    return [
        [
            # Small, and not to be taken for zero.
            _digits(p) if 0 < p < 5e-5 else f"{p:.{decimals}f}"
            for p in row
        ]
        for row in rows.tolist()
    ]


def _readable(number):
    """Show a fraction that nobody can picture as a decimal, too."""
    if isinstance(number, Fraction) and 1000 < number.denominator < _ENDLESS:
        return f"{number} ≈ {float(number):.4g}"
    return _digits(number)


def _digits(number):
    if not isinstance(number, Fraction):
        return f"{number:.4g}"
    if number.denominator < _ENDLESS:
        return str(number)
    return f"{decimal(number):.4g}"


def _html_row(cells, heads, scope):
    shown = [
        f'<th scope="{scope}">{escape(cell)}</th>'
        if i < heads
        else f"<td>{escape(cell)}</td>"
        for i, cell in enumerate(cells)
    ]
    return f"<tr>{''.join(shown)}</tr>"


def _number(value):
    """Return a plain fraction or float."""
    return value if isinstance(value, Fraction) else float(value)
