"""Runs of EM: from several starts, each until it has converged."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from bayesbook.base import ConvergenceWarning, ProbabilityError
from bayesbook.base.names import pluralise, quoted_list
from bayesbook.base.numbers import as_bool, as_float, as_int
from bayesbook.base.randomness import as_rng
from bayesbook.network.em._problem import EMProblem
from bayesbook.network.em.convergence import (
    Iterations,
    Step,
    run_until_converged,
)
from bayesbook.network.learning.parameters import NetworkCounts
from bayesbook.network.model import BayesianNetwork
from bayesbook.network.progress import progress_bar

__all__ = ["EMRun"]


class EMRun:
    """The result of :func:`fit_em` or :func:`gradient_ascent`.

    Attributes
    ----------
    method : str
        "EM", "accelerated EM", "hard EM" or "gradient ascent".
    objective : str
        What the steps maximise, in words.
    history : array
        The objective at the start and after each step. Its last entry is
        that of `network`.
    converged : bool
        Whether, as far as can be estimated, further steps would gain less
        than the tolerance, no probability next to zero rises, and a small
        random change of the parameters does not lead to higher values.
    n_iterations : int
        The number of steps.
    runs : tuple of EMRun
        All runs, one for each start, in order; this is the best of them.

    Examples
    --------
    >>> rows = pd.DataFrame({"rain": ["no", "no", "yes", None, None],
    ...                      "grass": ["dry", "wet", "wet", "dry", "wet"]})
    >>> from bayesbook.network import fit_em
    >>> run = fit_em("rain -> grass", rows)
    >>> run
    EM: log-likelihood -4.75135 after 25 steps, converged
    >>> run.history[:4].round(4)
    array([-5.1339, -4.9188, -4.8314, -4.7906])
    >>> print(run.network.tables["rain"])
    P(rain)
    rain=no  rain=yes
     0.7000    0.3000
    """

    def __init__(
        self,
        problem: EMProblem,
        iterations: Iterations,
        method: str,
        runs: Iterable[EMRun] = (),
    ) -> None:
        self._problem, self._iterations = problem, iterations
        self.method = method
        self.objective = problem.describe_objective(method)
        self.history = np.array(iterations.history)
        self.history.setflags(write=False)
        self.converged = iterations.converged
        self.n_iterations = len(iterations.history) - 1
        self.runs = tuple(runs) or (self,)

    @cached_property
    def network(self) -> BayesianNetwork:
        """The network at the end of the steps."""
        return self._problem.network(self._iterations.theta)

    @cached_property
    def log_likelihood(self) -> float:
        """The log-likelihood of what was observed, under `network`."""
        if self.objective == "log-likelihood":
            return float(self.history[-1])
        return self._problem.log_likelihood(self._iterations.theta)

    @cached_property
    def counts(self) -> NetworkCounts:
        """The counts expected under `network`; the next M step divides them.

        In hard EM those of the best completions.
        """
        return self._problem.counts(self._iterations.theta, self.method)

    @cached_property
    def networks(self) -> tuple[BayesianNetwork, ...]:
        """The network at the start and after each step.

        Raises
        ------
        ProbabilityError
            If the steps were not recorded, with `record=True`.
        """
        if not self._iterations.path:
            raise ProbabilityError(
                "The networks of the steps were not kept: run it again with "
                "record=True."
            )
        return tuple(map(self._problem.network, self._iterations.path))

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each step of each run.

        Its columns are ``run``, ``step`` and ``objective``.

        Examples
        --------
        >>> from bayesbook.network import fit_em
        >>> rows = pd.DataFrame({"coin": ["H", None, "T", "H"]})
        >>> fit_em("coin", rows).to_frame().head(3).round(4)
           run  step  objective
        0    0     0    -1.9379
        1    0     1    -1.9114
        2    0     2    -1.9097
        """
        frames = [
            pd.DataFrame(
                {
                    "run": i,
                    "step": np.arange(len(run.history)),
                    "objective": run.history,
                }
            )
            for i, run in enumerate(self.runs)
        ]
        return pd.concat(frames, ignore_index=True)

    def __repr__(self) -> str:
        end = {
            "settled": "converged",
            "saddle": "stands at a saddle point",
            "rising": "not converged",
            "exhausted": "not converged",
        }[self._iterations.status]
        n_runs = len(self.runs)
        best = f", the best of {n_runs} runs" if n_runs > 1 else ""
        return (
            f"{self.method}: {self.objective} {self.history[-1]:.6g} after "
            f"{pluralise(self.n_iterations, 'step')}, {end}{best}"
        )


class RunSettings(NamedTuple):
    """How many runs there are, and when each of them ends."""

    restarts: int
    rng: np.random.Generator | None
    max_iterations: int
    tolerance: float
    record: bool
    progress: bool

    @classmethod
    def read(
        cls, restarts, rng, max_iterations, tolerance, record, progress
    ) -> RunSettings:
        """Check the settings."""
        return cls(
            as_int(restarts, "restarts", 1),
            None if rng is None else as_rng(rng),
            as_int(max_iterations, "max_iterations", 1),
            as_float(tolerance, "The tolerance", 0, open_=True),
            as_bool(record, "record"),
            progress,
        )


def best_run(
    problem: EMProblem,
    step: Step,
    method: str,
    start: BayesianNetwork | None,
    settings: RunSettings,
) -> EMRun:
    """Run from each start; warn if the best run has not converged."""
    starts = problem.starts(start, settings.restarts, settings.rng)
    totals = None if problem.is_complete else problem.layout.totals
    runs: list[EMRun] = []
    with progress_bar(None, settings.progress, "steps") as on_step:
        for theta in starts:
            problem.require_possible(theta)
            iterations = run_until_converged(
                step,
                theta,
                max_iterations=settings.max_iterations,
                tolerance=settings.tolerance,
                distribution_totals=totals,
                finite=method == "hard EM",
                n_rows=problem.total,
                on_step=on_step,
                record=settings.record,
            )
            runs.append(EMRun(problem, iterations, method))
    best = max(runs, key=lambda run: run.history[-1])
    if not best.converged:
        _warn(problem, best)
    return EMRun(problem, best._iterations, method, runs)


def _warn(problem: EMProblem, run: EMRun) -> None:
    if run._iterations.status == "saddle":
        identical = problem.find_identical_states(run._iterations.theta)
        why = ""
        if identical:
            node, states = identical
            why = (
                f" The states {quoted_list(states)} of {node!r} are alike in "
                "every table, and no step can tell them apart."
            )
        message = (
            f"{run.method} stands at a saddle point: the steps have become "
            "zero, but a small change of the parameters leads to a greater "
            f"{run.objective}.{why} Begin elsewhere: start=None draws tables, "
            "with rng=..., and restarts=... draws several."
        )
    else:
        what = (
            "a probability next to zero rises, and in the end that may gain "
            "something"
            if run._iterations.status == "rising"
            else "there is more to be gained than the tolerance"
        )
        faster = "set accelerate=True, " if run.method == "EM" else ""
        message = (
            f"{run.method} has not converged within "
            f"{pluralise(run.n_iterations, 'step')}: {what}. The "
            f"{run.objective} is {run.history[-1]:.8g}, the last step gained "
            f"{run.history[-1] - run.history[-2]:.3g}. Raise max_iterations, "
            f"{faster}or go on from start=run.network."
        )
    # The warning names the line that called fit_em.
    warnings.warn(message, ConvergenceWarning, stacklevel=4)
