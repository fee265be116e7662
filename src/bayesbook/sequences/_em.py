"""Iterations of EM, until by estimate next to nothing is left to be gained."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from bayesbook.base import ConvergenceError, ConvergenceWarning
from bayesbook.base.names import pluralise
from bayesbook.network.em.convergence import rounding_error

# How many steps in a row have to promise that little is left.
_IN_A_ROW = 3


class Run(NamedTuple):
    """The iterations from one start."""

    parameters: Any
    #: The objective at the start and after each step.
    history: list[float]
    converged: bool


def run_em(
    step: Callable[[Any], tuple[float, Any]],
    start: Any,
    *,
    tol: float,
    max_iter: int,
    on_step: Callable[[int], object],
) -> Run:
    """Repeat a step, which returns the objective where it starts, and its end.

    Where gains shrink by a rate r, the gain g of a step leaves g r / (1 - r)
    to be gained, by Aitken's extrapolation.

    Raises
    ------
    ConvergenceError
        If the objective falls by more than rounding.
    """
    parameters, n_small, gain = start, 0, float("inf")
    history: list[float] = []
    while True:
        value, after = step(parameters)
        if history:
            _require_rise(history, value)
            before, gain = gain, max(value - history[-1], 0.0)
            rate = gain / before if before > 0 else 0.0
            left = gain * rate / (1 - rate) if rate < 1 else float("inf")
            is_still = gain <= rounding_error(value)
            is_small = is_still or max(gain, left) < tol
            n_small = n_small + 1 if is_small else 0
        history.append(value)
        converged = n_small >= _IN_A_ROW
        if converged or len(history) > max_iter:
            return Run(parameters, history, converged)
        parameters = after
        on_step(1)


def _require_rise(history, value):
    if not value >= history[-1] - 100 * rounding_error(value):
        raise ConvergenceError(
            f"The objective fell in step {len(history)}, from "
            f"{history[-1]!r} to {value!r}, which no step of EM can do: this "
            "is a mistake in the library, or the numbers are too far from 0 "
            "for their spread; subtract a constant from each column."
        )


def warn_if_unfinished(model: object, run: Run) -> None:
    """Make a warning if the best run has not converged."""
    if not run.converged:
        steps = pluralise(len(run.history) - 1, "step")
        warnings.warn(
            f"{type(model).__name__} ends after {steps} before it has "
            "converged: raise max_iter, or tol.",
            ConvergenceWarning,
            stacklevel=3,
        )
