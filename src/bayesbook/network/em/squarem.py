r"""Longer steps: two steps of EM, extrapolated.

From :math:`\theta_0` two steps lead to :math:`\theta_1` and :math:`\theta_2`.
With :math:`r = \theta_1 - \theta_0` and
:math:`v = (\theta_2 - \theta_1) - r`, the steps seem to lead to

.. math:: \theta' = \theta_0 - 2 \alpha r + \alpha^2 v, \qquad
    \alpha = -\lVert r \rVert / \lVert v \rVert

(SQUAREM; Varadhan and Roland 2008). That step is made only if it does not
lower the objective.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bayesbook.network.em.convergence import Step, StepResult

# The smallest factor by which a probability shrinks.
_LEAST = 0.1


class Squarem:
    """A step of EM that is extrapolated every second time.

    Parameters
    ----------
    step : callable
        A step of EM: returns the `StepResult` of parameters.
    distribution_totals : callable
        Returns, for each parameter, the sum of its distribution.
    """

    def __init__(
        self,
        step: Step,
        distribution_totals: Callable[[np.ndarray], np.ndarray],
    ) -> None:
        self._step, self._distribution_totals = step, distribution_totals
        # Parameters and their result, from the last extrapolation.
        self._known: tuple[np.ndarray, StepResult] | None = None
        # Where the last step began, and its result.
        self._last: tuple[np.ndarray, StepResult] | None = None

    def step(self, theta: np.ndarray) -> StepResult:
        """Make a step of EM, or an extrapolated one that is no worse."""
        if self._known is not None and theta is self._known[0]:
            now = self._known[1]
        else:
            now = self._step(theta)
        if self._last is None or theta is not self._last[1].after:
            self._last = theta, now
            return now
        before, _ = self._last
        self._last = None
        ahead = self._extrapolate(before, theta, now.after)
        new = self._step(ahead)
        if not new.value >= now.value:
            return now
        self._known = ahead, new
        return now._replace(after=ahead)

    def _extrapolate(self, zero, one, two) -> np.ndarray:
        r = one - zero
        v = two - one - r
        r_norm, v_norm = float(np.linalg.norm(r)), float(np.linalg.norm(v))
        length = max(1.0, r_norm / max(v_norm, 1e-300))
        ahead = zero + 2 * length * r + length**2 * v
        # No probability may become negative, or zero, where it would stay.
        ahead = np.maximum(ahead, _LEAST * two)
        return ahead / self._distribution_totals(ahead)
