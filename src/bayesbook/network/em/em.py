r"""Parameters from rows with gaps: the EM algorithm.

Where something is hidden, the likelihood is a sum over all that it may have
been, and no counting maximises it. EM climbs it in steps of two:

E step
    count as if each row were all its completions :math:`h` at once, each with
    the weight :math:`P(h \mid e, \theta)`;
M step
    divide the counts, as with complete rows.

.. math:: \bar N_{ux} = \sum_i w_i \, P(U = u, X = x \mid e_i, \theta), \qquad
    \theta'_{x \mid u} = \frac{\bar N_{ux}}{\bar N_u} .

No step lowers the likelihood of what was observed (Dempster, Laird and Rubin
1977; for networks Lauritzen 1995; Koller and Friedman 2009, section 19.2).

>>> rows = pd.DataFrame({"rain": ["no", "no", "yes", "yes", None],
...                      "grass": ["dry", "wet", "wet", "wet", "wet"]})
>>> run = fit_em("rain -> grass", rows)
>>> print(run.network.tables["rain"])
P(rain)
rain=no  rain=yes
 0.4667    0.5333
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook.base import ConvergenceWarning, ProbabilityError
from bayesbook.base.names import pluralise, quoted_list
from bayesbook.base.numbers import as_bool, as_float, as_int
from bayesbook.data import Cases
from bayesbook.data.columns import columns_of
from bayesbook.network.em._convergence import State, climb, rounding
from bayesbook.network.em._problem import Problem
from bayesbook.network.em._squarem import Squarem
from bayesbook.network.learning.parameters import NetworkCounts
from bayesbook.network.model import BayesianNetwork, require_network
from bayesbook.network.progress import progress_bar
from bayesbook.probability import MAX_BYTES

__all__ = ["EMRun", "expected_counts", "fit_em", "gradient_ascent"]

# What a step seems to gain by rounding, for each row and parameter.
_REST = 1e-29
# A step along the gradient has to gain this share of what the slope promises.
_ARMIJO = 1e-4


class EMRun:
    """What :func:`fit_em` and :func:`gradient_ascent` found, and the way.

    Attributes
    ----------
    method : str
        "EM", "accelerated EM", "hard EM" or "gradient ascent".
    objective : str
        What the steps climb, in words.
    history : array
        The objective at the start and after each step. Its last entry is
        that of `network`.
    converged : bool
        Whether it came to its end: as far as can be told, the steps that
        would follow would gain less than the tolerance, no probability next
        to zero rises, and a small random change of the parameters does not
        lead farther up.
    n_iterations : int
        The number of steps.
    runs : tuple of EMRun
        All runs, one for each start, in order; this is the best of them.
    """

    def __init__(self, problem, ascent, method, runs=()):
        self._problem, self._ascent = problem, ascent
        self.method = method
        self.objective = problem.objective(method)
        self.history = np.array(ascent.history)
        self.history.setflags(write=False)
        self.converged = ascent.converged
        self.n_iterations = len(ascent.history) - 1
        self.runs = tuple(runs) or (self,)

    @cached_property
    def network(self) -> BayesianNetwork:
        """The network at the end of the steps."""
        return self._problem.network(self._ascent.theta)

    @cached_property
    def log_likelihood(self) -> float:
        """The log-likelihood of what was observed, under `network`."""
        if self.objective == "log-likelihood":
            return float(self.history[-1])
        return self._problem.log_likelihood(self._ascent.theta)

    @cached_property
    def counts(self) -> NetworkCounts:
        """The counts expected under `network`; the next M step divides them.

        In hard EM those of the best completions.
        """
        return self._problem.counts(self._ascent.theta, self.method)

    @cached_property
    def networks(self) -> tuple[BayesianNetwork, ...]:
        """The network at the start and after each step.

        Raises
        ------
        ProbabilityError
            If the steps were not recorded, with `record=True`.
        """
        if not self._ascent.path:
            raise ProbabilityError(
                "The networks of the steps were not kept: run it again with "
                "record=True."
            )
        return tuple(map(self._problem.network, self._ascent.path))

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each step of each run.

        Its columns are ``run``, ``step`` and ``objective``.
        """
        parts = [
            pd.DataFrame(
                {
                    "run": i,
                    "step": np.arange(len(run.history)),
                    "objective": run.history,
                }
            )
            for i, run in enumerate(self.runs)
        ]
        return pd.concat(parts, ignore_index=True)

    def __repr__(self) -> str:
        end = {
            "settled": "converged",
            "saddle": "stands at a saddle point",
            "rising": "not converged",
            "exhausted": "not converged",
        }[self._ascent.status]
        runs = len(self.runs)
        best = f", the best of {runs} runs" if runs > 1 else ""
        return (
            f"{self.method}: {self.objective} {self.history[-1]:.6g} after "
            f"{pluralise(self.n_iterations, 'step')}, {end}{best}"
        )


def fit_em(
    graph: nx.DiGraph | BayesianNetwork | str,
    data: pd.DataFrame | Cases,
    *,
    latent: Mapping[str, Sequence | int] | Iterable[str] | None = None,
    start: BayesianNetwork | None = None,
    hard: bool = False,
    accelerate: bool = False,
    pseudo_count: float | Mapping = 0,
    equivalent_sample_size: float | None = None,
    unseen: str = "error",
    restarts: int = 1,
    rng: np.random.Generator | int | None = None,
    max_iterations: int = 1000,
    tolerance: float = 1e-3,
    states: Mapping[str, Sequence] | None = None,
    weights: str | Sequence[float] | None = None,
    record: bool = False,
    progress: bool = False,
    max_bytes: int = MAX_BYTES,
    name: str = "",
) -> EMRun:
    r"""Learn the tables of a graph from rows with missing values.

    Values are taken to be missing at random: whether one is missing may
    depend on what was observed, and not on the value itself.

    Parameters
    ----------
    graph : nx.DiGraph, BayesianNetwork, or text for `bayesbook.graphs.parse`
        Of a network the graph and the states are taken, not its numbers.
    data : DataFrame or Cases
        A column for each node that is ever observed; missing values are None,
        NaN or NA. Also chunks, or a data frame of Dask: what
        :func:`bayesbook.data.read_cases` reads. Their different rows have to
        fit into memory.
    latent : mapping of node to states, optional
        The nodes without a column, and their states, or how many (which are
        then 0, 1, 2, ...). A list of names is enough if `graph` or `start` is
        a network, which knows their states.
    start : BayesianNetwork, optional
        Where to begin, with the same graph. A probability that is zero there
        stays zero, unless there are pseudo-counts.
    hard : bool
        Instead of all completions of a row only the most probable one is
        counted. Then not the likelihood is climbed but the probability of the
        best completion of the data. Of completions that are equally probable
        the first is taken, in the order of the states, those of the first
        hidden node changing slowest (of rows with more than 256 completions
        in one piece, the one that the junction tree finds first). For states
        of the parents that no best completion has, nothing is learnt: there
        the table stays as it was before the step, in the end perhaps as it
        was drawn.
    accelerate : bool
        Whether every second step is extrapolated, and its end is taken if
        the objective is no lower there (Varadhan and Roland 2008). Much
        faster where steps are small. No effect in hard EM, whose steps are
        few.
    pseudo_count, equivalent_sample_size
        As in :func:`bayesbook.network.fit_parameters`, added to the expected
        counts. Then the objective is the log-likelihood plus
        :math:`\sum a_{ux} \log \theta_{x \mid u}`: a posterior mode, and the
        prior is Dirichlet with :math:`1 + a_{ux}`.
    unseen : {"error", "uniform", "marginal"}
        What P(node | parents) is for states of the parents that no row can
        have, if there is no pseudo-count either; see
        :func:`bayesbook.network.fit_parameters`.
    restarts : int
        How many runs there are, from different starts; the best is given,
        that is the one with the largest objective. Without `start` the first
        begins with the tables of the rows in which the family has no gap,
        each count increased by one; tables with a latent node are drawn, all
        distributions being equally probable. In further runs the tables of all
        families with gaps are drawn.
    rng : numpy.random.Generator or int, optional
        The source of randomness, or a seed for one; needed if anything is
        drawn.
    max_iterations : int
        Of each run.
    tolerance : float
        A run ends if no more than this is left to be gained of the
        objective, in nats: as estimated from the sizes of its steps, three
        times in a row, when they gain next to nothing; and if steps from
        nearby do not lead farther up.
    states, weights
        See :class:`bayesbook.data.Cases`.
    record : bool
        Whether the network after each step is kept, for ``.networks``.
    progress : bool
        Whether to show a bar that counts the steps.
    max_bytes : int
        A junction tree that needs more is refused.
    name : str
        Of the network.

    Returns
    -------
    EMRun

    Warns
    -----
    ConvergenceWarning
        If the best run has not converged within `max_iterations`, or stands
        at a saddle point, such as a start in which all states of a latent
        node are alike.

    Raises
    ------
    ProbabilityError, GraphError
        If a node has no column and is not named in `latent`, a column is no
        node, a latent node has a column, a column has no value at all; if
        the start has another graph or other states; if something has to be
        drawn and there is no `rng`; and as for `fit_parameters`.
    ZeroProbabilityError
        If a row is impossible under the start. The message says which.
    ConvergenceError
        If a step lowers the objective by more than rounding. It never should.
    TableTooLargeError
        If the junction tree for the rows would need more than `max_bytes`.

    Notes
    -----
    Equal rows are worked on once, with their number as weight.

    Examples
    --------
    In each round one of two coins was tossed five times; nobody wrote down
    which:

    >>> rounds = ["HHHHT", "TTTHT", "HHTHH", "THTTT", "HHHHH", "TTHTT"]
    >>> tosses = pd.DataFrame(map(list, rounds), columns=list("abcde"))
    >>> graph = "coin -> a, coin -> b, coin -> c, coin -> d, coin -> e"
    >>> run = fit_em(graph, tosses, latent={"coin": 2}, rng=1)
    >>> run.converged, f"{run.log_likelihood:.4f}"
    (True, '-13.7066')
    """
    problem = Problem.read(
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
    hard = as_bool(hard, "hard")
    method = "hard EM" if hard else "EM"

    def step(theta):
        value, expected = problem.expect(theta, hard=hard)
        after, totals = problem.divide(expected, theta)
        value += problem.penalty(theta)
        return State(value, after, after, totals)

    if as_bool(accelerate, "accelerate") and not hard:
        step = Squarem(step, problem.layout.totals)
        method = "accelerated EM"
    search = Search.read(
        restarts, rng, max_iterations, tolerance, record, progress
    )
    return best_run(problem, step, method, start, search)


def gradient_ascent(
    graph: nx.DiGraph | BayesianNetwork | str,
    data: pd.DataFrame | Cases,
    *,
    latent: Mapping[str, Sequence | int] | Iterable[str] | None = None,
    start: BayesianNetwork | None = None,
    pseudo_count: float | Mapping = 0,
    equivalent_sample_size: float | None = None,
    unseen: str = "error",
    restarts: int = 1,
    rng: np.random.Generator | int | None = None,
    max_iterations: int = 10_000,
    tolerance: float = 1e-3,
    states: Mapping[str, Sequence] | None = None,
    weights: str | Sequence[float] | None = None,
    record: bool = False,
    progress: bool = False,
    max_bytes: int = MAX_BYTES,
    name: str = "",
) -> EMRun:
    r"""Climb the objective of EM along its gradient instead.

    The parameters are written as
    :math:`\theta_{x \mid u} \propto e^{\eta_{ux}}`, so that they are distributions
    whatever the numbers :math:`\eta` are. The gradient needs the same
    expected counts as EM does (Binder, Koller, Russell and Kanazawa 1997):

    .. math:: \frac{\partial \log L}{\partial \eta_{ux}}
        = \bar N_{ux} - \bar N_u \, \theta_{x \mid u} .

    A step is halved until it gains enough (Armijo's condition), and the next
    one is tried at double its length. Where a probability goes to zero the
    gradient does so too, and thousands of steps may not reach the end that EM
    reaches in some dozens; the warning then says so.

    The parameters, the result, the warnings and the errors are those of
    :func:`fit_em`; `hard` does not exist.

    Examples
    --------
    >>> rows = pd.DataFrame({"rain": ["no", "no", "yes", "yes", None],
    ...                      "grass": ["dry", "wet", "wet", "dry", "wet"]})
    >>> slow = gradient_ascent("rain -> grass", rows)
    >>> quick = fit_em("rain -> grass", rows)
    >>> abs(slow.log_likelihood - quick.log_likelihood) < 1e-4
    True
    >>> slow.n_iterations > quick.n_iterations
    True
    """
    problem = Problem.read(
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
    search = Search.read(
        restarts, rng, max_iterations, tolerance, record, progress
    )
    step = _LineSearch(problem).step
    return best_run(problem, step, "gradient ascent", start, search)


def expected_counts(
    network: BayesianNetwork,
    data: pd.DataFrame | Cases,
    *,
    hard: bool = False,
    weights: str | Sequence[float] | None = None,
    max_bytes: int = MAX_BYTES,
) -> NetworkCounts:
    """Count rows with gaps as a network completes them: the E step of EM.

    Nodes without a column are latent. The M step is ``.fit()`` of the result.

    Parameters
    ----------
    network : BayesianNetwork
    data : DataFrame or Cases
    hard : bool
        Whether only the best completion of each row is counted.
    weights, max_bytes
        As in :func:`fit_em`.

    Returns
    -------
    NetworkCounts

    Raises
    ------
    ProbabilityError, ZeroProbabilityError, TableTooLargeError
        As in :func:`fit_em`.

    Examples
    --------
    >>> from bayesbook.probability import Table
    >>> coin = BayesianNetwork([Table([0.25, 0.75], {"coin": "HT"})])
    >>> rows = pd.DataFrame({"coin": ["H", None, "T", None]})
    >>> expected_counts(coin, rows).tables["coin"]
    array([1.5, 2.5])
    """
    require_network(network)
    names = columns_of(data, weights)
    latent = [] if names is None else [n for n in network if n not in names]
    problem = Problem.read(
        network,
        data,
        latent=latent,
        start=network,
        unseen="uniform",
        weights=weights,
        max_bytes=max_bytes,
    )
    method = "hard EM" if as_bool(hard, "hard") else "EM"
    return problem.counts(problem.of_network(network), method)


# -- the steps ------------------------------------------------------------


class Search(NamedTuple):
    """How often and how far to climb."""

    restarts: int
    rng: np.random.Generator | int | None
    max_iterations: int
    tolerance: float
    record: bool
    progress: bool

    @classmethod
    def read(cls, restarts, rng, max_iterations, tolerance, record, progress):
        return cls(
            as_int(restarts, "restarts", 1),
            rng,
            as_int(max_iterations, "max_iterations", 1),
            as_float(tolerance, "The tolerance", 0, open_=True),
            as_bool(record, "record"),
            progress,
        )


def best_run(problem, step, method, start, search, kind=EMRun):
    """Climb from each start; warn if the best run is not at its end."""
    starts = problem.starts(start, search.restarts, search.rng)
    look = np.random.default_rng(0)  # the same on every run
    runs = []
    with progress_bar(None, search.progress, "steps") as told:
        for theta in starts:
            problem.require_possible(theta)
            ascent = climb(
                step,
                theta,
                max_iterations=search.max_iterations,
                tolerance=search.tolerance,
                kicked=None
                if problem.is_complete
                else lambda own: problem.kicked(own, look),
                finite=method == "hard EM",
                rest=_REST * problem.total * len(theta),
                told=told,
                record=search.record,
            )
            runs.append(kind(problem, ascent, method))
    best = max(runs, key=lambda run: run.history[-1])
    if not best.converged:
        _warn(problem, best)
    return kind(problem, best._ascent, method, runs)


def _warn(problem, run):
    if run._ascent.status == "saddle":
        alike = problem.alike(run._ascent.theta)
        why = (
            f" The states {quoted_list(alike[1])} of {alike[0]!r} are alike "
            "in every table, and no step can tell them apart."
            if alike
            else ""
        )
        message = (
            f"{run.method} stands at a saddle point: the steps have become "
            "zero, but a small change of the parameters leads to a greater "
            f"{run.objective}.{why} Begin elsewhere: start=None draws tables, "
            "with rng=..., and restarts=... draws several."
        )
    else:
        what = (
            "a probability next to zero rises, and in the end there may be "
            "something to be gained by it"
            if run._ascent.status == "rising"
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
    # Told of the line that called fit_em.
    warnings.warn(message, ConvergenceWarning, stacklevel=4)


class _LineSearch:
    """Steps along the gradient of the logarithms of the parameters."""

    def __init__(self, problem):
        self._problem = problem
        # Of the order of the inverse curvature; then what worked last.
        self._length = 1 / problem.total
        # The E step is done already where the last search ended.
        self._known = (None, None)

    def step(self, theta):
        problem = self._problem
        value, expected = self._at(theta)
        aim, totals = problem.divide(expected, theta)
        gradient = totals * (aim - theta)
        slope = float(gradient @ gradient)
        length = 2 * self._length
        with np.errstate(divide="ignore"):
            logs = np.log(theta)
        # As long as what a step promises is more than rounding errors.
        while length * slope > rounding(value):
            after = problem.softmax(logs + length * gradient)
            new = self._at(after)
            if new[0] >= value + _ARMIJO * length * slope:
                self._length = length
                self._known = after, new
                return State(value, after, aim, totals)
            length /= 2
        return State(value, theta, aim, totals)

    def _at(self, theta):
        if theta is self._known[0]:
            return self._known[1]
        value, expected = self._problem.expect(theta)
        return value + self._problem.penalty(theta), expected
