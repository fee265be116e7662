r"""Longer steps: what two steps of EM promise, extrapolated.

From :math:`\theta_0` two steps lead to :math:`\theta_1` and :math:`\theta_2`.
With :math:`r = \theta_1 - \theta_0` and
:math:`v = (\theta_2 - \theta_1) - r`, where the steps seem to be going is

.. math:: \theta' = \theta_0 - 2 \alpha r + \alpha^2 v, \qquad
    \alpha = -\lVert r \rVert / \lVert v \rVert

(SQUAREM; Varadhan and Roland 2008). It is taken only if the objective is no
lower there than it was before.
"""

from __future__ import annotations

import numpy as np

# No probability shrinks by more, and none becomes zero.
_LEAST = 0.1


class Squarem:
    """A step that is extrapolated every second time.

    Parameters
    ----------
    step : callable
        A step of EM: gives the `State` of parameters.
    distribution_totals : callable
        Sums each distribution up, at each of its numbers.
    """

    def __init__(self, step, distribution_totals):
        self._step, self._distribution_totals = step, distribution_totals
        # Parameters and their state, from the last extrapolation.
        self._known = (None, None)
        # Where the last step began, and its state.
        self._last = (None, None)

    def __call__(self, theta):
        known, state = self._known
        now = state if theta is known else self._step(theta)
        before, last = self._last
        if last is None or theta is not last.after:
            self._last = theta, now
            return now
        self._last = None, None
        ahead = self._extrapolated(before, theta, now.after)
        new = self._step(ahead)
        if not new.value >= now.value:
            return now
        self._known = ahead, new
        return now._replace(after=ahead)

    def _extrapolated(self, zero, one, two):
        r = one - zero
        v = two - one - r
        length = max(1.0, np.linalg.norm(r) / max(np.linalg.norm(v), 1e-300))
        ahead = zero + 2 * length * r + length**2 * v
        # Nothing may become negative, or zero, where it would stay.
        ahead = np.maximum(ahead, _LEAST * two)
        return ahead / self._distribution_totals(ahead)
