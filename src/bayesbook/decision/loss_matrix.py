"""Losses of finitely many decisions in finitely many states."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self, TypeAlias

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.base.labels import label_array, read_labels
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import Number, show
from bayesbook.decision._reading import read_finite, read_posterior
from bayesbook.probability import Table
from bayesbook.probability.display import Grid, as_html, as_text

State = Hashable
Decision = Hashable
#: The distribution of the states: an array, or an object with their names.
Posterior: TypeAlias = (
    Sequence | np.ndarray | Table | pd.DataFrame | pd.Series | Mapping
)

# Risks that differ by less, for losses of at most one, are a tie.
TIE = 1e-12


class LossMatrix:
    r"""The loss :math:`\lambda_{ij}` of decision i when the state is j.

    The matrix is immutable. A decision may be one of the states, or something
    else: to treat, to wait, to reject.

    Parameters
    ----------
    values : nested sequence or array of numbers
        A row for each decision, a column for each true state. Losses are
        finite; a negative one is a gain. With integers, fractions, decimals
        or strings such as ``"1/3"`` the matrix is exact; if there is a float
        among them, all are floats.
    states : sequence of hashable
        The names of the columns.
    decisions : sequence of hashable, optional
        The names of the rows; by default the states.

    Attributes
    ----------
    values : numpy.ndarray
        Fractions or floats, read-only.
    states, decisions : tuple

    Raises
    ------
    ProbabilityError
        If the shape is not decisions times states, a loss is not a finite
        number, or a name is missing or appears twice.
    TypeError
        If the losses are a data frame, whose names might be ambiguous.

    See Also
    --------
    LossMatrix.zero_one : every mistake costs one.
    LossMatrix.from_function : losses by a formula.

    Notes
    -----
    Conditional risk and its minimisation are those of Duda, Hart and Stork
    (2001), *Pattern Classification*, section 2.2.

    Examples
    --------
    Sending an ill person home is ten times as bad as treating a well one:

    >>> loss = LossMatrix([[0, 1], [10, 0]], states=("ill", "well"),
    ...                   decisions=("treat", "wait"))
    >>> loss
    loss
    decision  state=ill  state=well
    treat             0           1
    wait             10           0
    >>> posterior = {"ill": "1/8", "well": "7/8"}
    >>> print(*loss.conditional_risk(posterior))
    7/8 5/4
    >>> loss.best(posterior)
    'treat'
    """

    __slots__ = ("decisions", "states", "values")
    decisions: tuple[Decision, ...]
    states: tuple[State, ...]
    values: np.ndarray

    def __init__(
        self,
        values: Sequence | np.ndarray,
        states: Iterable[State],
        decisions: Iterable[Decision] | None = None,
    ):
        states = read_labels(states, "state")
        decisions = (
            states if decisions is None else read_labels(decisions, "decision")
        )
        put = super().__setattr__
        put("states", states)
        put("decisions", decisions)
        put("values", _read_losses(values, states, decisions))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            "A loss matrix cannot be changed: make a new one."
        )

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.values, self.states, self.decisions)

    @classmethod
    def zero_one(cls, states: Iterable[State]) -> Self:
        """Return the zero-one matrix: every mistake costs one.

        Parameters
        ----------
        states : sequence of hashable
            They are the decisions, too.

        Returns
        -------
        LossMatrix

        Raises
        ------
        ProbabilityError
            If there is no state, or one is missing or appears twice.

        Examples
        --------
        >>> LossMatrix.zero_one("ab")
        loss
        decision  state=a  state=b
        a               0        1
        b               1        0
        """
        names = read_labels(states, "state")
        losses = [[int(i != j) for j in names] for i in names]
        return cls(losses, names)

    @classmethod
    def from_function(
        cls,
        loss: Callable[[State, Decision], Number],
        states: Iterable[State],
        decisions: Iterable[Decision] | None = None,
    ) -> Self:
        """Return the matrix of a loss function.

        Parameters
        ----------
        loss : function of a state and a decision
            The truth comes first, as in :func:`zero_one_loss`.
        states : sequence of hashable
        decisions : sequence of hashable, optional
            By default the states.

        Returns
        -------
        LossMatrix

        Raises
        ------
        ProbabilityError
            If a value of the function is not a finite number, or a name is
            missing or appears twice.
        TypeError
            If the loss is not a function.

        Examples
        --------
        >>> from bayesbook.decision import squared_loss
        >>> LossMatrix.from_function(squared_loss, (0, 1, 2), (0, 2))
        loss
        decision  state=0  state=1  state=2
        0               0        1        4
        2               4        1        0
        """
        if not callable(loss):
            raise TypeError(
                f"{loss!r} is not a function of the truth and the decision, "
                "such as lambda truth, decision: abs(truth - decision)."
            )
        states = read_labels(states, "state")
        decisions = (
            states if decisions is None else read_labels(decisions, "decision")
        )
        values = [
            [
                read_finite(loss(state, decision), _place(decision, state))
                for state in states
            ]
            for decision in decisions
        ]
        return cls(values, states, decisions)

    def with_reject(self, cost: Number, name: Decision = "reject") -> Self:
        r"""Return the matrix with one more decision, of constant loss.

        With zero-one loss it is best to reject if no state is more probable
        than :math:`1 - \text{cost}` (Chow, 1970, On optimum recognition
        error and reject tradeoff, IEEE Transactions on Information Theory
        16, 41-46). At equality both are best, and :meth:`best` decides.

        Parameters
        ----------
        cost : number
            The loss of rejecting in any state; finite.
        name : hashable
            The name of the decision.

        Returns
        -------
        LossMatrix
            The new decision is the last one.

        Raises
        ------
        ProbabilityError
            If the cost is not a finite number, or the name is taken.

        Examples
        --------
        >>> loss = LossMatrix.zero_one("ab").with_reject("1/4")
        >>> loss
        loss
        decision  state=a  state=b
        a               0        1
        b               1        0
        reject        1/4      1/4
        >>> loss.best([[0.8, 0.2], [0.6, 0.4]]).tolist()
        ['a', 'reject']
        """
        cost = read_finite(cost, f"The cost of {name!r}")
        if name in self.decisions:
            raise ProbabilityError(
                f"{name!r} is a decision already; give the new one another "
                "name."
            )
        return type(self)(
            [*self.values.tolist(), [cost] * len(self.states)],
            self.states,
            [*self.decisions, name],
        )

    def with_states(self, states: Iterable[State]) -> Self:
        """Return the same losses with the states in another order.

        Parameters
        ----------
        states : sequence of hashable
            The same states.

        Returns
        -------
        LossMatrix

        Raises
        ------
        ProbabilityError
            If a state is not one of the matrix, or one of them is missing.

        Examples
        --------
        >>> loss = LossMatrix([[0, 1], [10, 0]], ("ill", "well"),
        ...                   ("treat", "wait"))
        >>> loss.with_states(("well", "ill"))
        loss
        decision  state=well  state=ill
        treat              1          0
        wait               0         10
        """
        states = read_labels(states, "state")
        if states == self.states:
            return self
        for state in states:
            if state not in self.states:
                raise ProbabilityError(
                    f"The loss matrix has no state {state!r}; its states are "
                    f"{quoted_list(self.states)}."
                    f"{did_you_mean(state, self.states)}"
                )
        for state in self.states:
            if state not in states:
                raise ProbabilityError(
                    f"The loss matrix has a state {state!r}, which is not one "
                    f"of {quoted_list(states)}.{did_you_mean(state, states)}"
                )
        order = [self.states.index(state) for state in states]
        return type(self)(self.values[:, order], states, self.decisions)

    @property
    def is_exact(self) -> bool:
        """Whether the losses are fractions."""
        return self.values.dtype == object

    def conditional_risk(self, posterior: Posterior) -> np.ndarray:
        r"""Return the expected loss of each decision under a posterior.

        .. math:: R(i \mid x) = \sum_j \lambda_{ij} \, P(j \mid x)

        Parameters
        ----------
        posterior : array of shape (K,) or (n, K)
            One distribution, or a row for each case; the columns are the
            states in their order. Distributions with names are put into that
            order: a table of one variable, a mapping or a series from states
            to probabilities, a data frame with a column for each state. Rows
            sum to one: exactly, to 1e-9 if they are floats, and to the square
            root of the machine epsilon in single or half precision.

        Returns
        -------
        array of shape (A,) or (n, A)
            Fractions if losses and probabilities are exact, otherwise
            floats.

        Raises
        ------
        ProbabilityError
            If the shape is wrong, a probability is negative or not a finite
            number, a row does not sum to one, or a state is unknown, missing
            or appears twice.

        Examples
        --------
        >>> loss = LossMatrix([[0, 1], [10, 0]], ("ill", "well"),
        ...                   ("treat", "wait"))
        >>> loss.conditional_risk([[0.5, 0.5], [0.0, 1.0]]).tolist()
        [[0.5, 5.0], [1.0, 0.0]]
        """
        p, losses = read_posterior(posterior, self.states), self.values
        if p.dtype != object or not self.is_exact:
            p = p.astype(float, copy=False)
            losses = losses.astype(float, copy=False)
        return p @ losses.T

    def best(self, posterior: Posterior) -> Decision | np.ndarray:
        r"""Return the decision of least conditional risk: Bayes' decision.

        .. math:: \alpha(x) = \arg\min_i \sum_j \lambda_{ij} \, P(j \mid x)

        Parameters
        ----------
        posterior : array of shape (K,) or (n, K)
            As for :meth:`conditional_risk`, with the same errors.

        Returns
        -------
        hashable, or array of shape (n,)
            The first of the best decisions, if several tie; see
            :meth:`all_best`.

        Examples
        --------
        >>> loss = LossMatrix.zero_one(("spam", "ham"))
        >>> loss.best([0.3, 0.7])
        'ham'
        >>> loss.best([[0.3, 0.7], [0.5, 0.5]]).tolist()
        ['ham', 'spam']
        """
        first = self._are_best(posterior).argmax(axis=-1)
        if first.ndim == 0:
            return self.decisions[first]
        return label_array(self.decisions)[first]

    def all_best(
        self, posterior: Posterior
    ) -> tuple[Decision, ...] | list[tuple[Decision, ...]]:
        """Return all decisions of least conditional risk.

        Parameters
        ----------
        posterior : array of shape (K,) or (n, K)
            As for :meth:`conditional_risk`, with the same errors.

        Returns
        -------
        tuple, or list of n tuples
            In the order of the decisions. Exact risks tie if they are equal;
            floats tie if they differ by at most 1e-12 times the largest
            loss in absolute value.

        Examples
        --------
        >>> LossMatrix.zero_one("abc").all_best(["2/5", "1/5", "2/5"])
        ('a', 'c')
        """
        tied = self._are_best(posterior)
        if tied.ndim == 1:
            return self._chosen(tied)
        return [self._chosen(row) for row in tied]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LossMatrix):
            return NotImplemented
        return (self.states, self.decisions) == (
            other.states,
            other.decisions,
        ) and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self.states, self.decisions))

    def __repr__(self) -> str:
        return as_text("loss", self._grid())

    def _repr_html_(self) -> str:
        return as_html("loss", self._grid())

    def _are_best(self, posterior):
        """Return whether each decision is one of the best."""
        risk = self.conditional_risk(posterior)
        least = risk.min(axis=-1, keepdims=True)
        if risk.dtype == object:
            return risk == least
        return risk <= least + TIE * float(np.abs(self.values).max())

    def _chosen(self, tied):
        """Return the names of the decisions that are marked."""
        return tuple(
            decision
            for decision, best in zip(self.decisions, tied, strict=True)
            if best
        )

    def _grid(self) -> Grid:
        """Return the table as texts, a row for each decision."""
        rows = [
            [str(decision), *map(_shown, losses)]
            for decision, losses in zip(
                self.decisions, self.values.tolist(), strict=True
            )
        ]
        return Grid(["decision"], [1], "state", [*map(str, self.states)], rows)


def read_loss(loss: Any, states: Iterable[State]) -> LossMatrix:
    """Return the loss matrix for some states, by default zero-one.

    The decisions and states of a matrix without names are these states, in
    their order.
    """
    if loss is None:
        return LossMatrix.zero_one(states)
    if isinstance(loss, LossMatrix):
        return loss.with_states(states)
    if callable(loss):
        raise TypeError(
            f"The loss is the function {getattr(loss, '__name__', loss)!r}; "
            "make a matrix of it with LossMatrix.from_function(loss, states, "
            "decisions)."
        )
    return LossMatrix(loss, states)


def _read_losses(values, states, decisions):
    """Read the losses as an array that cannot be changed."""
    if isinstance(values, pd.DataFrame):
        raise TypeError(
            "Give the losses of a data frame as frame.to_numpy(), with the "
            "decisions of its rows and the states of its columns."
        )
    values = np.asarray(values, dtype=object)
    shape = (len(decisions), len(states))
    if values.shape != shape:
        raise ProbabilityError(
            f"The losses have the shape {values.shape}, but {len(decisions)} "
            f"decisions ({quoted_list(decisions)}) and {len(states)} states "
            f"({quoted_list(states)}) need the shape {shape}: a row for each "
            "decision, a column for each state."
        )
    losses = np.empty(shape, dtype=object)
    for i, decision in enumerate(decisions):
        for j, state in enumerate(states):
            losses[i, j] = read_finite(values[i, j], _place(decision, state))
    if not all(isinstance(loss, Fraction) for loss in losses.flat):
        losses = losses.astype(float)
    losses.setflags(write=False)
    return losses


def _place(decision, state):
    """Return the name of a loss in messages."""
    return f"The loss of {decision!r} when the state is {state!r}"


def _shown(loss):
    return show(loss) if isinstance(loss, Fraction) else f"{loss:.4g}"
