r"""Steps uphill until nothing is left to be gained, and how that is told.

A step that gains little may be the last one, or one of many on a plateau. So
the size of a step is not asked, but what is still to come. Where the EM map
contracts errors by a rate :math:`r`, the error is :math:`e, re, r^2e, \dots`,
the expected log-likelihood gained by a step is proportional to its square,
and the log-likelihood that is left is

.. math:: \frac{g}{1 - r}, \qquad
    g = \frac12 \sum_{u, x} N_u
        \frac{(\theta'_{x \mid u} - \theta_{x \mid u})^2}{\theta'_{x \mid u}},
    \qquad r = \sqrt{g / g_{\mathrm{before}}} ,

after Aitken's way to extrapolate (McLachlan and Krishnan 2008, section 4.9).
Unlike a difference of log-likelihoods, :math:`g` is known to many digits
however small it is. On the way off a saddle point it grows, so that
:math:`r > 1`: nothing is settled.

Where all seems settled, the parameters are changed a little at random. From a
maximum the steps lead back; from a saddle point, farther up.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from bayesbook.base import ConvergenceError

# So many steps in a row have to promise the same;
_IN_A_ROW = 3
# and gain less than this share of the tolerance: where some parameters are
# quick and others slow, the rate is that of the slow ones only when the gains
# of the quick ones have become as small as theirs.
_TINY = 1e-5
# Sums of logarithms are known to about this, relatively.
_ROUNDING = 1e-12
# An expected count below this share of a row is one of a tiny probability.
_NEXT_TO_NOTHING = 0.1
#: How much the logarithms of parameters are changed at random to see whether
#: they are at a maximum;
KICK = 0.01
# and how many steps are then looked at.
_LOOK = 200


class State(NamedTuple):
    """What a step knows of the parameters that it starts from."""

    #: The objective there.
    value: float
    #: The parameters after the step.
    after: np.ndarray
    #: Those to which a step of EM leads,
    aim: np.ndarray
    #: and at each of its numbers the count that its distribution was divided by.
    totals: np.ndarray


class Ascent(NamedTuple):
    """A way uphill."""

    #: The parameters at its end.
    theta: np.ndarray
    #: The objective at its start, and after each step.
    history: list
    #: "settled", "saddle", "rising" or "exhausted".
    status: str
    #: The parameters at its start and after each step, if they were recorded.
    path: list

    @property
    def converged(self):
        return self.status == "settled"


def gain_of(before, after, totals):
    """Return what a step gains, as the expected log-likelihood sees it."""
    size = np.maximum(np.maximum(before, after), np.finfo(float).tiny)
    change = after - before
    return float(0.5 * (totals * (change / size) @ change))


def rounding(value):
    """Return how far the objective may be off."""
    return _ROUNDING * (1 + abs(value))


def climb(
    step,
    theta,
    *,
    max_iterations,
    tolerance,
    kicked=None,
    finite=False,
    rest=0.0,
    told=lambda _: None,
    record=False,
):
    """Repeat a step until nothing is left to be gained.

    Parameters
    ----------
    step : callable
        Gives the `State` of parameters.
    theta : array
    max_iterations : int
    tolerance : float
        So much of the objective may be left, by estimate.
    kicked : callable, optional
        Changes parameters a little at random. Without it no look is taken
        whether the end is a maximum.
    finite : bool
        Whether the objective has finitely many values, as in hard EM: then a
        step without a gain is the end.
    rest : float
        What a step seems to gain by rounding alone.
    told : callable
        Is called after each step.
    record : bool

    Raises
    ------
    ConvergenceError
        If the objective falls by more than rounding.
    """
    history, path, judge = [], [], _Judge(tolerance, rest)
    # When to look next, and how high it was at the last look.
    next_look, seen = 0, -np.inf
    while True:
        now = step(theta)
        _require_monotone(history, now.value)
        history.append(now.value)
        if record:
            path.append(theta)
        n_steps = len(history) - 1
        judge.see(theta, now)
        status = None
        if finite:
            # The same completions again, or others that are as good.
            is_end = judge.is_at_rest or (
                n_steps and now.value <= history[-2] + rounding(now.value)
            )
            status = "settled" if is_end else None
        elif judge.is_settled and n_steps >= next_look:
            if _rises(theta, now, 10 * tolerance):
                status = "saddle" if now.after is theta else None
            elif kicked is None or not _leads_up(
                step, kicked(theta), now.value, tolerance, rest
            ):
                status = "settled"
            else:
                stays = now.value <= seen + rounding(now.value)
                status = "saddle" if judge.is_at_rest or stays else None
                next_look, seen = 2 * n_steps + 10, now.value
        if status is None and n_steps >= max_iterations:
            # Settled, but for a probability next to zero.
            status = "rising" if judge.is_settled else "exhausted"
        if status is not None:
            return Ascent(theta, history, status, path)
        theta = now.after
        told(1)


class _Judge:
    """Estimates from the gains of the steps what is left to be gained."""

    def __init__(self, tolerance, rest):
        self._tolerance, self._rest = tolerance, rest
        self._before = np.inf
        self._streak = 0
        self.rate = 0.0
        self.is_at_rest = False

    def see(self, theta, now):
        """Take one more step into account."""
        gain = gain_of(theta, now.aim, now.totals)
        self.rate = sqrt(gain / self._before) if self._before > 0 else 0.0
        left = gain / (1 - self.rate) if self.rate < 1 else np.inf
        is_little = gain < _TINY * self._tolerance and left < self._tolerance
        self._streak = self._streak + 1 if is_little else 0
        self.is_at_rest = gain <= self._rest or now.after is theta
        self._before = gain

    @property
    def is_settled(self):
        return self.is_at_rest or self._streak >= _IN_A_ROW


def _rises(theta, now, tolerance):
    """Return whether a probability next to zero would rise with a gain.

    While it is tiny the steps gain nothing by it, whatever it will gain in
    the end. The slope of the objective, as a function of the probability, is
    the total times the factor by which it grows, less one.
    """
    is_tiny = (theta > 0) & (now.totals * theta < _NEXT_TO_NOTHING)
    slopes = now.totals * (now.aim - theta) > tolerance * theta
    return bool((is_tiny & slopes).any())


def _leads_up(step, theta, value, tolerance, rest):
    """Return whether steps from nearby get higher than a value."""
    more = 2 * tolerance + rounding(value)
    judge = _Judge(tolerance, rest)
    for _ in range(_LOOK):
        now = step(theta)
        if now.value > value + more:
            return True
        judge.see(theta, now)
        if judge.is_settled:
            return False
        theta = now.after
    return judge.rate > 1


def _require_monotone(history, value):
    if history and not value >= history[-1] - rounding(value):
        raise ConvergenceError(
            f"The objective fell in step {len(history)}, from "
            f"{history[-1]!r} to {value!r}, which no step of this kind can "
            "do: this is a mistake in the library; please report it."
        )
