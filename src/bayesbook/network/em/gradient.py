"""Gradient ascent on the objective of EM, for comparison."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bayesbook.network.em._problem import EMProblem, Latent
from bayesbook.network.em.convergence import StepResult, rounding_error
from bayesbook.network.em.runs import EMRun, RunSettings, best_run
from bayesbook.network.learning.parameters import (
    Data,
    GraphLike,
    States,
    Weights,
)
from bayesbook.network.model import BayesianNetwork
from bayesbook.probability import MAX_BYTES

__all__ = ["gradient_ascent"]

# A step along the gradient has to gain this share of what the slope promises.
_ARMIJO = 1e-4


def gradient_ascent(
    graph: GraphLike,
    data: Data,
    *,
    latent: Latent = None,
    start: BayesianNetwork | None = None,
    pseudo_count: float | Mapping = 0,
    equivalent_sample_size: float | None = None,
    unseen: str = "error",
    restarts: int = 1,
    rng: np.random.Generator | int | None = None,
    max_iterations: int = 10_000,
    tolerance: float = 1e-3,
    states: States | None = None,
    weights: Weights | None = None,
    record: bool = False,
    progress: bool = False,
    max_bytes: int = MAX_BYTES,
    name: str = "",
) -> EMRun:
    r"""Climb the objective of EM along its gradient instead.

    The parameters are written as
    :math:`\theta_{x \mid u} \propto e^{\eta_{ux}}`, so that they are
    distributions whatever the numbers :math:`\eta` are. The gradient needs
    the same expected counts as EM does (Binder, Koller, Russell and Kanazawa
    1997):

    .. math:: \frac{\partial \log L}{\partial \eta_{ux}}
        = \bar N_{ux} - \bar N_u \, \theta_{x \mid u} .

    A step is halved until it gains enough (Armijo's condition), and the next
    one is tried at double its length. Where a probability goes to zero, the
    gradient does so, too: thousands of steps may not reach the end that EM
    reaches in some dozens, and then a warning says so.

    Parameters, result, warnings and errors are those of :func:`fit_em`,
    without `hard` and `accelerate`.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"rain": ["no", "no", "yes", "yes", None],
    ...                      "grass": ["dry", "wet", "wet", "dry", "wet"]})
    >>> slow = gradient_ascent("rain -> grass", rows)
    >>> from bayesbook.network import fit_em
    >>> quick = fit_em("rain -> grass", rows)
    >>> abs(slow.log_likelihood - quick.log_likelihood) < 1e-4
    True
    >>> slow.n_iterations > quick.n_iterations
    True
    """
    problem = EMProblem.read(
        graph,
        data,
        latent=latent,
        start=start,
        pseudo_count=pseudo_count,
        equivalent_sample_size=equivalent_sample_size,
        unseen=unseen,
        states=states,
        weights=weights,
        max_bytes=max_bytes,
        name=name,
    )
    settings = RunSettings.read(
        restarts, rng, max_iterations, tolerance, record, progress
    )
    step = _LineSearch(problem).step
    return best_run(problem, step, "gradient ascent", start, settings)


class _LineSearch:
    """Steps along the gradient of the logarithms of the parameters."""

    def __init__(self, problem: EMProblem) -> None:
        self._problem = problem
        # Of the order of the inverse curvature; later the last good length.
        self._length = 1 / problem.total
        # Where the last search ended, and its E step.
        self._known: tuple[np.ndarray, tuple[float, np.ndarray]] | None = None

    def step(self, theta: np.ndarray) -> StepResult:
        """Return the first step that gains enough, each half the last."""
        problem = self._problem
        value, expected = self._at(theta)
        aim, totals = problem.m_step(expected, theta)
        gradient = totals * (aim - theta)
        slope = float(gradient @ gradient)
        length = 2 * self._length
        with np.errstate(divide="ignore"):
            logs = np.log(theta)
        # As long as a step promises more than rounding errors.
        while length * slope > rounding_error(value):
            after = problem.softmax(logs + length * gradient)
            new = self._at(after)
            if new[0] >= value + _ARMIJO * length * slope:
                self._length = length
                self._known = after, new
                return StepResult(value, after, aim, totals)
            length /= 2
        return StepResult(value, theta, aim, totals)

    def _at(self, theta: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the objective, and the expected counts."""
        if self._known is not None and theta is self._known[0]:
            return self._known[1]
        value, expected = self._problem.e_step(theta)
        return value + self._problem.penalty(theta), expected
