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

Three operations carry everything: adding over the other variables
(`marginal`), keeping the states that agree with the evidence and rescaling
(`given`), and multiplying by name (`*`, the chain rule). Tables of fractions
stay exact. The definitions are those of Koller and Friedman (2009), sections
2.1 and 4.2.

This is one file because a table is one class, whose docstrings alone have
more than 700 lines. What its methods compute is in modules: reading data in
`construction`, means in `expectation`, checks in `independence`, text and
HTML in `display`.
"""

from __future__ import annotations

from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Mapping,
    Sequence,
)
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.labels import (
    MAX_BYTES,
    States,
    place_of_state,
    read_conditions,
    read_names,
    read_own_states,
    read_states,
    read_values,
    require_name,
    require_size,
    say,
    shape_of,
    states_at,
)
from bayesbook.base.names import and_list, quoted_list
from bayesbook.base.numbers import (
    FLOAT_TOLERANCE,
    Number,
    plain_number,
    show,
)
from bayesbook.probability.axes import axes_of, broadcast_over
from bayesbook.probability.construction import (
    array_of_counts,
    array_of_rows,
    array_of_series,
    array_of_space,
    relative_frequencies,
)
from bayesbook.probability.display import Grid, as_html, as_text, grid_of
from bayesbook.probability.events import ProbabilitySpace
from bayesbook.probability.expectation import Average, VarianceParts
from bayesbook.probability.functions import (
    argument_names,
    event_mask,
    function_values,
)
from bayesbook.probability.independence import (
    IndependenceCheck,
    check_independence,
)

State = Hashable
#: One variable or several.
Names = str | Iterable[str]
#: A state for each of some variables, or a property of named variables.
EventLike = Mapping[str, State] | Callable[..., bool]


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
        appears twice.
    TableTooLargeError
        If the table would need more than `MAX_BYTES`.

    See Also
    --------
    Table.from_space : random variables on a probability space.
    Table.from_counts : relative frequencies of counts.
    Table.from_frame : relative frequencies in a data frame.

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
    _conditions: frozenset[str]
    _evidence: Mapping[str, State]
    _states: Mapping[str, tuple[State, ...]]
    _values: np.ndarray

    def __init__(
        self,
        values: Sequence | np.ndarray,
        states: Mapping[str, Sequence[State]],
        given: Names = (),
    ):
        read = read_states(states)
        conditions = read_conditions(given, read)
        array = read_values(values, read)
        self._set(array, read, conditions)
        totals = np.asarray(array.sum(axis=self._axes(self.targets)))
        exact = array.dtype == object
        wrong = np.abs(totals - 1) > (0 if exact else FLOAT_TOLERANCE)
        if np.any(wrong):
            where = np.argwhere(wrong)[0]
            row = {
                name: read[name][i]
                for name, i in zip(self._kept(conditions), where, strict=True)
            }
            raise ProbabilityError(
                f"The probabilities of {self.title}"
                f"{' for ' + say(row) if row else ''} sum to "
                f"{show(plain_number(totals[tuple(where)]))}, not to 1. "
                "Divide weights or counts with Table.from_counts."
            )

    def _set(
        self,
        array: np.ndarray,
        states: States,
        conditions: Iterable[str],
        evidence: Mapping[str, State] | None = None,
    ) -> Self:
        array.setflags(write=False)
        put = super().__setattr__
        put("_values", array)
        put("_states", MappingProxyType(dict(states)))
        put("_conditions", frozenset(conditions))
        put("_evidence", MappingProxyType(dict(evidence or {})))
        return self

    @classmethod
    def _unchecked(
        cls,
        array: np.ndarray,
        states: States,
        conditions: Iterable[str] = (),
        evidence: Mapping[str, State] | None = None,
    ) -> Self:
        """Return a table of numbers that are known to be right."""
        array = np.asarray(array)
        return cls.__new__(cls)._set(array, states, conditions, evidence)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A table cannot be changed: make a new one.")

    def __reduce__(self) -> tuple[Any, ...]:
        return self._unchecked, (
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
        r"""Return the joint distribution of random variables on a space.

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
            can be, otherwise in the order of the outcomes.

        Raises
        ------
        ProbabilityError
            If there is no variable, or a value is not hashable, None or NaN.
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
        return cls(*array_of_space(space, variables))

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
            Fractions instead of floats.

        Returns
        -------
        Table
            States in the order in which they first occur.

        Raises
        ------
        ProbabilityError
            If a count is negative, not finite or not a number, a combination
            appears twice, or names are missing or unknown.
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
        weights, states = array_of_counts(counts, variables, exact)
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
            Fractions instead of floats.

        Returns
        -------
        Table
            States are the categories of a categorical column, otherwise its
            values, sorted if they can be.

        Raises
        ------
        TypeError
            If `frame` is not a data frame.
        ProbabilityError
            If there is no row, a column is unknown or appears twice, a value
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
        counts, states = array_of_rows(frame, variables, given, weights, exact)
        return cls._of_weights(counts, states, given)

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
        array, states = array_of_series(series)
        return cls(array, states, given)

    @classmethod
    def _of_weights(
        cls, weights: np.ndarray, states: States, given: Names
    ) -> Self:
        values, conditions = relative_frequencies(weights, states, given)
        return cls._unchecked(values, states, conditions)

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
        """The probabilities, an axis for each variable; read-only."""
        return self._values

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of states of each variable."""
        return self._values.shape

    @property
    def is_exact(self) -> bool:
        """Whether the probabilities are fractions."""
        return self._values.dtype == object

    @property
    def title(self) -> str:
        """The table in the notation of the field: "P(X | Y)"."""
        behind = [*self.conditions]
        behind += [f"{name}={s}" for name, s in self._evidence.items()]
        bar = f" | {', '.join(behind)}" if behind else ""
        return f"P({', '.join(self.targets)}{bar})"

    # -- the three operations ---------------------------------------------

    def marginal(self, *names: str) -> Self:
        r"""Return the distribution of some variables, adding over the others.

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
            If a name is unknown, appears twice or is behind the bar, or if
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
        return self._unchecked(
            array.transpose([left.index(name) for name in order]),
            {name: self._states[name] for name in order},
            self._conditions,
            self._evidence,
        )

    def given(
        self, evidence: Mapping[str, State] | None = None, /, **states: State
    ) -> Self:
        r"""Return the distribution of the other variables given some states.

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
        return self._unchecked(
            array, left, conditions, {**self._evidence, **known}
        )

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
            If a configuration of `given` has probability zero: the targets
            then have no distribution.

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
        joint = self.marginal(*behind, *self._targets_named(targets))
        totals = joint._values.sum(axis=joint._axes(targets), keepdims=True)
        joint._require_possible(totals, joint._states)
        return self._unchecked(
            joint._values / totals if behind else joint._values,
            joint._states,
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
            evidence of the tables differ: then the product would not be a
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
        return self._unchecked(
            left._broadcast_over(states) * right._broadcast_over(states),
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
            A function has variables as its arguments and returns whether
            the event occurs: ``lambda X, Y: X < Y``.
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
            If a name or state is unknown, a function returns something else
            than True and False, or the table is conditional and `given` does
            not name a state for each variable behind its bar.
        TypeError
            If an event is neither a mapping nor a function.
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
        known = self._whole() if given is None else self._mask(given)
        self._require_conditions(given)
        if event is None and not states:
            raise ProbabilityError(
                "Name an event whose probability is wanted."
            )
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
        return plain_number(part if given is None else part / total)

    def __getitem__(
        self, states: State | tuple[State, ...] | Mapping[str, State]
    ) -> Fraction | float:
        r"""Return the probability of states: ``table["ill", "+"]``.

        Parameters
        ----------
        states : state, tuple of states, or mapping of name to state
            The state of the only variable; a state for each variable, in the
            order of the axes; or, by name, states of some of the variables.
            Numbers are states, too, and not positions.

        Returns
        -------
        Fraction or float
            That of the states in front of the bar, given those behind it.

        Raises
        ------
        ProbabilityError
            If a name or a state is unknown; if there is not one state for
            each variable, or by name none in front of the bar or not all of
            those behind it.

        See Also
        --------
        Table.P : events of every kind, and conditional probabilities.

        Examples
        --------
        >>> coin = Table(["2/3", "1/3"], {"coin": (1, 0)})
        >>> print(coin[1])
        2/3
        >>> p = Table([["9/10", "1/10"], ["1/5", "4/5"]],
        ...           {"state": ("ill", "well"), "test": "+-"}, given="state")
        >>> print(p["ill", "-"], p[{"test": "-", "state": "well"}])
        1/10 4/5
        """
        if not isinstance(states, Mapping):
            states = self._by_axis(states)
        event = self._event_of(states, {})
        front, behind = set(self.targets), self._conditions
        if front.isdisjoint(event) or not behind.issubset(event):
            both = f" and of {and_list(self.conditions)}" if behind else ""
            raise ProbabilityError(
                f"To read a number of {self.title}, name states of "
                f"{' or '.join(self.targets)}{both}."
            )
        return plain_number(self._mass(self._mask(event)))

    # Without these, Python would try the states 0, 1, 2, ... one by one.
    __iter__ = None
    __contains__ = None

    def argmax(self) -> dict:
        r"""Return the most probable states.

        .. math:: x^* = \operatorname*{arg\,max}_x P(x), \qquad
            x^*(y) = \operatorname*{arg\,max}_x P(x \mid y)

        Of several variables these are the states that are most probable
        together; each alone may have a more probable one. Of states that are
        equally probable (floats: up to rounding) the first are taken, in the
        order of the axes.

        Returns
        -------
        dict of name to state
            A state for each variable in front of the bar. If there are
            variables behind it, a dict of these dicts, by the state of the
            variable behind the bar, or by the tuple of states of several.

        Examples
        --------
        >>> p = Table([[0.1, 0.4], [0.3, 0.2]], {"X": "ab", "Y": "cd"})
        >>> p.argmax()
        {'X': 'a', 'Y': 'd'}
        >>> p[p.argmax()]
        0.4
        >>> p.conditional("X", given="Y").argmax()
        {'c': {'X': 'b'}, 'd': {'X': 'a'}}
        """
        behind = {name: self._states[name] for name in self.conditions}
        front = {name: self._states[name] for name in self.targets}
        p = self.transpose(*behind, *front)._values
        p = p.reshape(*shape_of(behind), -1)
        tolerance = 0 if self.is_exact else FLOAT_TOLERANCE
        is_best = p >= p.max(axis=-1, keepdims=True) * (1 - tolerance)
        places = np.unravel_index(is_best.argmax(axis=-1), shape_of(front))
        each = zip(*map(np.ravel, places), strict=True)
        best = (states_at(front, place) for place in each)
        return self._by_state(best, self.conditions)

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
            A variable whose states are numbers; or a function whose
            arguments are variables: ``lambda X, Y: X * Y``. The expectation
            of an indicator, True or False, is a probability.
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
        TypeError
            If `of` is neither a name nor a function.
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
        table, behind = self._fixed(given)
        means = table._average(of, behind).mean()
        return table._by_state(map(plain_number, np.ravel(means)), behind)

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
        table, behind = self._fixed(given)
        variances = table._average(of, behind).variance()
        return table._by_state(map(plain_number, np.ravel(variances)), behind)

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
        average = self._average(of, names, everywhere=False)
        return average.variance_parts(self.marginal(*names)._values)

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
            True or false in an ``if``; it has the largest difference of the
            two sides and, if they differ, a *witness*: the states where they
            differ most.

        Raises
        ------
        ProbabilityError
            If a name is unknown or in two of the sets, or one of the first
            two sets is empty.

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
                    f"{name!r} appears twice among {', '.join(names)}; a "
                    "variable is on one side only."
                )
        joint = self.marginal(*behind, *x, *y)
        z = (*self.conditions, *behind)
        return check_independence(
            joint._values, joint._states, x, y, z, tolerance
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
            If a name is unknown, missing or appears twice.

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
                f"Missing: {', '.join(map(repr, missing))}. Name all of "
                f"{', '.join(self._states)}."
            )
        return self._unchecked(
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
            theirs: Sequence[State] = states.get(name, own[name])
            # The usual case, which must cost a product nothing.
            if isinstance(theirs, tuple) and theirs == own[name]:
                continue
            theirs = read_own_states(name, theirs)
            if len(theirs) != len(own[name]) or set(theirs) != set(own[name]):
                raise ProbabilityError(
                    f"The states of {name!r} differ: {quoted_list(theirs)} in "
                    f"one table, {quoted_list(own[name])} in the other."
                )
            order = [own[name].index(state) for state in theirs]
            values, own[name] = values.take(order, axis), tuple(theirs)
        return self._unchecked(values, own, self._conditions, self._evidence)

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
        return self._unchecked(
            self._values, states, conditions, self._evidence
        )

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
        return as_text(self.title, self._grid())

    def _repr_html_(self) -> str:
        return as_html(self.title, self._grid())

    # -- helpers ----------------------------------------------------------

    def _kept(self, names: Collection[str]) -> tuple[str, ...]:
        """Return the variables that are among some names, in their order."""
        return tuple(name for name in self._states if name in names)

    def _axes(self, names: Iterable[str]) -> tuple[int, ...]:
        return axes_of(names, self._states)

    def _broadcast_over(self, names: Iterable[str]) -> np.ndarray:
        """Return the values with an axis for each name, of length 1 if new."""
        return broadcast_over(self._values, self.variables, names)

    def _as_float(self) -> Self:
        if not self.is_exact:
            return self
        values = self._values.astype(float)
        return self._unchecked(
            values, self._states, self._conditions, self._evidence
        )

    def _agrees(
        self,
        other: Table,
        close: Callable[[np.ndarray, np.ndarray], np.ndarray],
    ) -> bool:
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

    def _known(self, names: Iterable[str]) -> tuple[str, ...]:
        """Refuse unknown names, and names that appear twice."""
        names = tuple(names)
        for name in names:
            require_name(name, self._states, of=self.title)
            if names.count(name) > 1:
                raise ProbabilityError(f"{name!r} appears twice.")
        return names

    def _targets_named(self, names: Names) -> tuple[str, ...]:
        """Read names of variables in front of the bar."""
        names = self._known(read_names(names))
        if not names:
            raise ProbabilityError("Name at least one variable.")
        for name in names:
            if name in self._conditions:
                raise ProbabilityError(
                    f"{name!r} is behind the bar of {self.title}, which says "
                    f"nothing about its distribution; multiply by P({name}) "
                    "first."
                )
        return names

    def _state_index(self, name: str, state: State) -> int:
        return place_of_state(name, self._states[name], state)

    def _by_axis(self, states: State) -> dict[str, State]:
        """Read a state for each variable, in the order of the axes."""
        if len(self._states) == 1:
            states = (states,)
        if not isinstance(states, tuple) or len(states) != len(self._states):
            name, own = next(iter(self._states.items()))
            raise ProbabilityError(
                f"{self.title} has the variables "
                f"{', '.join(self._states)}: give a state for each, in this "
                f"order, or name those that are meant: {{{name!r}: "
                f"{own[0]!r}}}."
            )
        return dict(zip(self._states, states, strict=True))

    def _event_of(
        self, event: Mapping[str, State] | None, states: Mapping[str, State]
    ) -> dict[str, State]:
        """Read states for some variables, from a mapping and keywords."""
        event = {} if event is None else event
        if not isinstance(event, Mapping):
            raise TypeError(
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

    def _mask(self, event: EventLike) -> np.ndarray:
        """Return for every cell whether the event occurs there."""
        if callable(event):
            names = self._known(argument_names(event))
            own = {name: self._states[name] for name in names}
            return broadcast_over(event_mask(event, own), names, self._states)
        mask = self._whole()
        for name, state in self._event_of(event, {}).items():
            index = self._state_index(name, state)
            occurs = np.arange(len(self._states[name])) == index
            mask = mask & broadcast_over(occurs, (name,), self._states)
        return mask

    def _whole(self) -> np.ndarray:
        """Return the mask of the event that always occurs."""
        return np.ones((1,) * len(self._states), dtype=np.bool_)

    def _mass(self, mask: np.ndarray) -> Any:
        """Return the sum of the probabilities in some cells."""
        cells = self._values[np.broadcast_to(mask, self.shape)]
        return cells.sum(initial=Fraction(0) if self.is_exact else 0.0)

    def _fixed(
        self, given: Names | Mapping | None
    ) -> tuple[Table, tuple[str, ...]]:
        """Return the table with known states fixed; the names in `given`."""
        if isinstance(given, Mapping):
            return self._restricted(given), ()
        return self, self._known(() if given is None else read_names(given))

    def _average(
        self,
        of: str | Callable,
        behind: tuple[str, ...],
        *,
        everywhere: bool = True,
    ) -> Average:
        """Return the averages of a function for configurations of `behind`.

        If they are not needed everywhere, a configuration may be impossible.
        """
        missing = [name for name in self.conditions if name not in behind]
        if missing:
            raise ProbabilityError(
                f"{self.title} is a distribution for each state of "
                f"{', '.join(missing)}: name it with `given`."
            )
        names = self._known(argument_names(of))
        order = (*behind, *(name for name in names if name not in behind))
        targets = [name for name in order if name not in self._conditions]
        if not targets:
            targets = [self.targets[0]]
            order = (*order, *targets)
        joint = self.marginal(*targets).transpose(*order)
        axes = tuple(range(len(behind), len(order)))
        p = joint._values
        if not self._conditions.issuperset(behind):
            totals = p.sum(axis=axes, keepdims=True)
            if everywhere:
                joint._require_possible(totals, joint._states)
            p = p / np.where(totals == 0, 1, totals)
        values = function_values(of, {n: self._states[n] for n in names})
        if values.dtype != object or not self.is_exact:
            p, values = p.astype(float), values.astype(float)
        return Average(p, broadcast_over(values, names, order), axes)

    def _by_state(self, results: Iterable, behind: tuple[str, ...]) -> Any:
        """Return the only result, or one for each configuration."""
        if not behind:
            (result,) = results
            return result
        keys = product(*(self._states[name] for name in behind))
        return {
            key if len(behind) > 1 else key[0]: result
            for key, result in zip(keys, results, strict=True)
        }

    def _restricted(self, given: Mapping[str, State]) -> Self:
        """Return the distribution with one state for each known variable."""
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
        return self._unchecked(values / total, states)

    def _require_conditions(self, given: EventLike | None) -> None:
        """Refuse to ignore a variable behind the bar."""
        known = given if isinstance(given, Mapping) else ()
        missing = [name for name in self.conditions if name not in known]
        if missing:
            raise ProbabilityError(
                f"{self.title} has no probabilities until the state of "
                f"{' and '.join(missing)} is given: given={{{missing[0]!r}: "
                "...}."
            )

    def _require_possible(
        self,
        totals: np.ndarray,
        states: States,
        known: Mapping[str, State] | None = None,
    ) -> None:
        """Refuse to divide by zero; `totals` has the axes of the table."""
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
        raise _impossible({**where, **(known or {})})

    def _require_factor(self, other: Table) -> None:
        """Refuse a product that would not be a probability table."""
        what = f"{self.title} times {other.title} is not a probability table: "
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

    def _grid(self) -> Grid:
        """Return the table as texts, the variables behind the bar first."""
        names = (*self.conditions, *self.targets)
        shown = self.transpose(*names)
        return grid_of(shown._values, shown._states)


def unchecked_table(
    values: np.ndarray,
    states: States,
    conditions: Iterable[str] = (),
    evidence: Mapping[str, State] | None = None,
) -> Table:
    """Return a table of numbers that are known to be right."""
    return Table._unchecked(values, states, conditions, evidence)


def _impossible(known: Mapping[str, State]) -> ZeroProbabilityError:
    """Return the error for conditioning on an impossible event."""
    return ZeroProbabilityError(
        f"Cannot condition on {say(known)}: its probability is zero."
    )
