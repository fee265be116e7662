r"""Repeat a step until it has converged, as far as can be estimated.

A step that gains little may be the last one, or one of many on a plateau. So
what counts is not the size of a step, but what is left to be gained. Where the
EM map contracts errors by a rate :math:`r`, the error is
:math:`e, re, r^2e, \dots`, the expected log-likelihood gained by a step is
proportional to its square, and the log-likelihood that is left is

.. math:: \frac{g}{1 - r}, \qquad
    g = \frac12 \sum_{u, x} N_u
        \frac{(\theta'_{x \mid u} - \theta_{x \mid u})^2}{\theta'_{x \mid u}},
    \qquad r = \sqrt{g / g_{\mathrm{before}}} ,

by Aitken's extrapolation (McLachlan and Krishnan 2008, section 4.9). Unlike a
difference of log-likelihoods, :math:`g` is known to many digits however small
it is. When the steps leave a saddle point, it grows, so that :math:`r > 1`:
they have not converged.

When they seem to have, the parameters are changed a little at random. From a
maximum the steps lead back; from a saddle point, to higher values.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import NamedTuple

import numpy as np

from bayesbook.base import ConvergenceError

# How many steps in a row have to promise that little is left.
_IN_A_ROW = 3
# Each of these steps gains less than this share of the tolerance. Where some
# parameters converge fast and others slowly, the rate is that of the slow ones
# only when the gains of the fast ones have become as small as theirs.
_TINY = 1e-5
# The relative rounding error of sums of logarithms.
_ROUNDING = 1e-12
# The gain of a step by rounding alone, for each row and parameter.
_REST = 1e-29
# A probability is next to zero if its expected count is below this.
_NEXT_TO_ZERO = 0.1
# The size of random changes of the logarithms of parameters, which tell a
# saddle point from a maximum.
_PERTURBATION = 0.01
# How many steps are made after a random change.
_STEPS_AFTER = 200


class StepResult(NamedTuple):
    """What a step finds out about the parameters where it starts."""

    #: The objective there.
    value: float
    #: The parameters after the step.
    after: np.ndarray
    #: The parameters to which a step of EM leads.
    aim: np.ndarray
    #: For each of them, the total by which its expected count was divided.
    totals: np.ndarray


Step = Callable[[np.ndarray], StepResult]


class Iterations(NamedTuple):
    """The iterations of a step, from one start to the end."""

    #: The parameters at the end.
    theta: np.ndarray
    #: The objective at the start, and after each step.
    history: list[float]
    #: "settled", "saddle", "rising" or "exhausted".
    status: str
    #: The parameters at the start and after each step, if recorded.
    path: list[np.ndarray]

    @property
    def converged(self) -> bool:
        """Whether the end is a maximum, as far as can be estimated."""
        return self.status == "settled"


def estimated_gain(
    before: np.ndarray, after: np.ndarray, totals: np.ndarray
) -> float:
    """Return the gain of a step in the expected log-likelihood."""
    size = np.maximum(np.maximum(before, after), np.finfo(float).tiny)
    change = after - before
    return float(0.5 * (totals * (change / size) @ change))


def rounding_error(value: float) -> float:
    """Return how far a value of the objective may be off."""
    return _ROUNDING * (1 + abs(value))


def run_until_converged(
    step: Step,
    theta: np.ndarray,
    *,
    max_iterations: int,
    tolerance: float,
    distribution_totals: Callable[[np.ndarray], np.ndarray] | None = None,
    finite: bool = False,
    n_rows: float = 0.0,
    on_step: Callable[[int], object] = lambda _: None,
    record: bool = False,
) -> Iterations:
    """Repeat a step until it has converged, or `max_iterations` are made.

    Parameters
    ----------
    step : callable
        Returns the `StepResult` of parameters.
    theta : array
    max_iterations : int
    tolerance : float
        How much of the objective may be left to be gained, by estimate.
    distribution_totals : callable, optional
        Returns, for each parameter, the sum of its distribution. Without it
        parameters cannot be changed at random, and the end is not checked to
        be a maximum.
    finite : bool
        Whether the objective has finitely many values, as in hard EM: then a
        step without a gain is the end.
    n_rows : float
        How many rows the objective is a sum over: so much rounding adds up.
    on_step : callable
        Is called after each step.
    record : bool
        Whether to keep the parameters of all steps.

    Raises
    ------
    ConvergenceError
        If the objective falls by more than rounding.
    """
    history: list[float] = []
    path: list[np.ndarray] = []
    rest = _REST * n_rows * len(theta)
    end: FixedPoint | Maximum = (
        FixedPoint(rest)
        if finite
        else Maximum(step, tolerance, rest, distribution_totals)
    )
    while True:
        now = step(theta)
        _check_monotone(history, now.value)
        history.append(now.value)
        if record:
            path.append(theta)
        n_steps = len(history) - 1
        status = end.status(theta, now, n_steps)
        if status is None and n_steps >= max_iterations:
            status = end.unfinished
        if status is not None:
            return Iterations(theta, history, status, path)
        theta = now.after
        on_step(1)


class FixedPoint:
    """The end of steps of hard EM: the same completions as before.

    Or others that are as probable: the objective has finitely many values.
    """

    unfinished = "exhausted"

    def __init__(self, rest: float) -> None:
        self._rest, self._value = rest, -np.inf

    def status(
        self, theta: np.ndarray, now: StepResult, n_steps: int
    ) -> str | None:
        """Return how the steps end here, or None if they go on."""
        before, self._value = self._value, now.value
        is_end = _is_at_rest(
            theta, now, self._rest
        ) or now.value <= before + rounding_error(now.value)
        return "settled" if is_end else None


class Maximum:
    """The end of steps that converge to a maximum.

    Next to nothing is left to be gained, no probability next to zero rises,
    and steps from parameters nearby do not lead to higher values.
    """

    def __init__(
        self,
        step: Step,
        tolerance: float,
        rest: float,
        distribution_totals: Callable[[np.ndarray], np.ndarray] | None,
    ) -> None:
        self._step, self._distribution_totals = step, distribution_totals
        self._tolerance, self._rest = tolerance, rest
        self._convergence = Convergence(tolerance, rest)
        # Its own seed, so that results do not depend on earlier calls.
        self._rng = np.random.default_rng(0)
        # When to look nearby next, and the objective at the last look.
        self._next_look, self._value = 0, -np.inf

    @property
    def unfinished(self) -> str:
        """The status if the steps are broken off."""
        # Then only a probability next to zero is not at its end.
        return "rising" if self._convergence.is_settled else "exhausted"

    def status(
        self, theta: np.ndarray, now: StepResult, n_steps: int
    ) -> str | None:
        """Return how the steps end here, or None if they go on."""
        self._convergence.update(theta, now)
        if not self._convergence.is_settled or n_steps < self._next_look:
            return None
        if _tiny_probability_rises(theta, now, 10 * self._tolerance):
            return "saddle" if now.after is theta else None
        if not self._leads_higher(theta, now.value):
            return "settled"
        is_same = now.value <= self._value + rounding_error(now.value)
        self._next_look, self._value = 2 * n_steps + 10, now.value
        return "saddle" if self._convergence.is_at_rest or is_same else None

    def _leads_higher(self, theta, value) -> bool:
        """Return whether steps from nearby parameters exceed a value."""
        if self._distribution_totals is None:
            return False
        change = self._rng.standard_normal(len(theta))
        theta = theta * np.exp(_PERTURBATION * change)
        theta = theta / self._distribution_totals(theta)
        more = 2 * self._tolerance + rounding_error(value)
        convergence = Convergence(self._tolerance, self._rest)
        for _ in range(_STEPS_AFTER):
            now = self._step(theta)
            if now.value > value + more:
                return True
            convergence.update(theta, now)
            if convergence.is_settled:
                return False
            theta = now.after
        return convergence.rate > 1


class Convergence:
    """Estimates from the gains of the steps what is left to be gained."""

    def __init__(self, tolerance: float, rest: float) -> None:
        self._tolerance, self._rest = tolerance, rest
        self._gain_before = np.inf
        self._n_in_a_row = 0
        self.rate = 0.0
        self.is_at_rest = False

    def update(self, theta: np.ndarray, now: StepResult) -> None:
        """Update the estimate with one more step."""
        gain = estimated_gain(theta, now.aim, now.totals)
        before = self._gain_before
        self.rate = sqrt(gain / before) if before > 0 else 0.0
        left = gain / (1 - self.rate) if self.rate < 1 else np.inf
        is_little = gain < _TINY * self._tolerance and left < self._tolerance
        self._n_in_a_row = self._n_in_a_row + 1 if is_little else 0
        self.is_at_rest = gain <= self._rest or now.after is theta
        self._gain_before = gain

    @property
    def is_settled(self) -> bool:
        """Whether less than the tolerance seems to be left."""
        return self.is_at_rest or self._n_in_a_row >= _IN_A_ROW


def _tiny_probability_rises(theta, now, tolerance) -> bool:
    """Return whether a probability next to zero would rise with a gain.

    While it is tiny the steps gain nothing by it, whatever it will gain in
    the end. The slope of the objective, as a function of the probability, is
    the total times the factor by which it grows, less one.
    """
    is_tiny = (theta > 0) & (now.totals * theta < _NEXT_TO_ZERO)
    slopes = now.totals * (now.aim - theta) > tolerance * theta
    return bool((is_tiny & slopes).any())


def _is_at_rest(theta, now, rest) -> bool:
    """Return whether a step changes nothing but by rounding."""
    gain = estimated_gain(theta, now.aim, now.totals)
    return gain <= rest or now.after is theta


def _check_monotone(history, value) -> None:
    if history and not value >= history[-1] - rounding_error(value):
        raise ConvergenceError(
            f"The objective fell in step {len(history)}, from "
            f"{history[-1]!r} to {value!r}, which no step of this kind can "
            "do: this is a mistake in the library; please report it."
        )
