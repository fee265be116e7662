"""Independence: of events, and of the variables of a table.

The probability that all occur is compared with the product of the
probabilities. For events this is :meth:`ProbabilitySpace.independent` or
:meth:`ProbabilitySpace.pairwise_independent`; for variables it is
:meth:`Table.independent`, which also says where the two sides differ most.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod

import numpy as np

from bayesbook.base.labels import say, states_at
from bayesbook.base.numbers import FLOAT_TOLERANCE, plain_number
from bayesbook.probability.display import readable

# --- Events -----------------------------------------------------------------


Event = frozenset[Hashable]
Measure = Callable[[Event], Fraction]


def pairwise_independent(p: Measure, events: Sequence[Event]) -> bool:
    """Return whether P(A and B) = P(A) P(B) for every two of the events."""
    return all(p(a & b) == p(a) * p(b) for a, b in combinations(events, 2))


def mutually_independent(p: Measure, events: Sequence[Event]) -> bool:
    """Return whether every subfamily occurs with the product's probability."""
    # For each subfamily so far: where all occur, and the product.
    families = [(frozenset().union(*events), Fraction(1))]
    for event in events:
        alone = p(event)
        joined = [(both & event, q * alone) for both, q in families]
        if any(p(both) != product for both, product in joined):
            return False
        families += joined
    return True


# --- Variables --------------------------------------------------------------


@dataclass(frozen=True)
class IndependenceCheck:
    """Whether variables are independent, and if not, for which states not.

    It is true in an ``if`` when they are, and its text says the reason.
    Made by :meth:`Table.independent`.

    Attributes
    ----------
    x, y, given : tuple of str
        The variables: whether x and y are independent given `given`.
    holds : bool
        Whether they are independent.
    gap : Fraction or float
        The largest difference between P(x, y | z) and P(x | z) P(y | z).
    witness : dict of name to state, or None
        The states where the difference is largest, if they are dependent.
    joint, product : Fraction or float
        The two sides there.

    Examples
    --------
    >>> from bayesbook.probability import Table
    >>> p = Table([["1/2", "1/4"], ["1/8", "1/8"]],
    ...           {"X": (0, 1), "Y": (0, 1)})
    >>> check = p.independent("X", "Y")
    >>> print(check)
    X and Y are dependent:
    P(X=0, Y=0) = 1/2, but
    P(X=0) P(Y=0) = 15/32
    >>> check.witness, check.gap
    ({'X': 0, 'Y': 0}, Fraction(1, 32))
    """

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    holds: bool
    gap: Fraction | float
    witness: Mapping[str, Hashable] | None
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
        witness = self.witness or {}
        at = {
            part: say({name: witness[name] for name in part})
            for part in (self.x, self.y, self.given)
        }
        bar = f" | {at[self.given]}" if self.given else ""
        return (
            f"{x} and {y} are dependent{given}:\n"
            f"P({at[self.x]}, {at[self.y]}{bar}) = {readable(self.joint)}, "
            f"but\nP({at[self.x]}{bar}) P({at[self.y]}{bar}) = "
            f"{readable(self.product)}"
        )


def check_independence(
    values: np.ndarray,
    states: Mapping[str, tuple[Hashable, ...]],
    x: tuple[str, ...],
    y: tuple[str, ...],
    given: tuple[str, ...],
    tolerance: float | None = None,
) -> IndependenceCheck:
    """Compare P(x, y | z) with P(x | z) P(y | z); the axes are z, x, y."""
    exact = values.dtype == object
    sizes = [
        prod(len(states[name]) for name in part) for part in (given, x, y)
    ]
    p_xyz = values.reshape(sizes)
    p_z = p_xyz.sum(axis=(1, 2), keepdims=True)
    # Configurations of probability zero contradict nothing.
    p_xy = p_xyz / np.where(p_z == 0, 1, p_z)
    p_x = p_xy.sum(axis=2, keepdims=True)
    p_y = p_xy.sum(axis=1, keepdims=True)
    gaps = np.abs(p_xy - p_x * p_y)
    if tolerance is None:
        tolerance = 0 if exact else FLOAT_TOLERANCE
    gap = plain_number(gaps.max())
    # The first of equal gaps, whatever their last digits are.
    near = gap if exact else gap * (1 - FLOAT_TOLERANCE)
    k, i, j = np.argwhere(gaps >= near)[0]
    place = np.unravel_index(
        np.ravel_multi_index((k, i, j), sizes), values.shape
    )
    holds = bool(gap <= tolerance)
    return IndependenceCheck(
        x=x,
        y=y,
        given=given,
        holds=holds,
        gap=gap,
        witness=None if holds else states_at(states, place),
        joint=plain_number(p_xy[k, i, j]),
        product=plain_number(p_x[k, i, 0] * p_y[k, 0, j]),
    )
