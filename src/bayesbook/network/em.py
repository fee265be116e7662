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
...                      "grass": ["dry", "dry", "wet", None, "wet"]})
>>> run = fit_em("rain -> grass", rows)
>>> print(run.network.tables["rain"])
P(rain)
rain=no  rain=yes
 0.4000    0.6000
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook._labels import read_limit, read_names, read_own_states, say
from bayesbook._names import counted, did_you_mean, listed
from bayesbook._numbers import real, truth, whole
from bayesbook.cases import Cases, read_cases
from bayesbook.errors import (
    ConvergenceWarning,
    ProbabilityError,
    ZeroProbabilityError,
)
from bayesbook.network._ascent import NEGLIGIBLE, State, climb, gain_of
from bayesbook.network._expectation import Expectation, possible_counts
from bayesbook.network._family_layout import FamilyLayout
from bayesbook.network.exact import JunctionTree
from bayesbook.network.model import BayesianNetwork, require_network
from bayesbook.network.parameters import (
    UNSEEN,
    NetworkCounts,
    _pseudo_counts,
    _read_prior,
    read_graph,
)
from bayesbook.network.sampling import progress_bar
from bayesbook.table import MAX_BYTES, Table

__all__ = ["EMRun", "expected_counts", "fit_em", "gradient_ascent"]

# A random change of the parameters, in logarithms, to look for saddle points.
_KICK = 0.01
# What a step seems to gain by rounding, for each row and parameter.
_REST = 1e-29
# A step along the gradient has to gain this share of what the slope promises.
_ARMIJO = 1e-4


class EMRun:
    """What :func:`fit_em` and :func:`gradient_ascent` found, and the way.

    Attributes
    ----------
    method : str
        "EM", "hard EM" or "gradient ascent".
    objective : str
        What the steps climb, in words.
    history : array
        The objective at the start and after each step. Its last entry is
        that of `network`.
    converged : bool
        Whether it came to its end: as far as can be told, the steps that
        would follow would gain less than the tolerance, and a small random
        change of the parameters does not lead farther up.
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
        """Give a data frame with a row for each step of each run.

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
            "exhausted": "not converged",
        }[self._ascent.status]
        runs = len(self.runs)
        best = f", the best of {runs} runs" if runs > 1 else ""
        return (
            f"{self.method}: {self.objective} {self.history[-1]:.6g} after "
            f"{counted(self.n_iterations, 'step')}, {end}{best}"
        )


def fit_em(
    graph: nx.DiGraph | BayesianNetwork | str,
    data: pd.DataFrame | Cases,
    *,
    latent: Mapping[str, Sequence | int] | Iterable[str] | None = None,
    start: BayesianNetwork | None = None,
    hard: bool = False,
    pseudo_count: float | Mapping = 0,
    equivalent_sample_size: float | None = None,
    unseen: str = "error",
    restarts: int = 1,
    rng: np.random.Generator | int | None = None,
    max_iterations: int = 1000,
    tolerance: float = 1e-5,
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
    graph : nx.DiGraph, BayesianNetwork, or text for `bayesbook.dag.parse`
        Of a network the graph and the states are taken, not its numbers.
    data : DataFrame or Cases
        A column for each node that is ever observed; missing values are None,
        NaN or NA.
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
        in one piece, the one that the junction tree finds first).
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
        laws being equally probable. In further runs the tables of all
        families with gaps are drawn.
    rng : numpy.random.Generator or int, optional
        The source of randomness, or a seed for one; needed if anything is
        drawn.
    max_iterations : int
        Of each run.
    tolerance : float
        A run ends if so much of the objective, in nats, is left to be gained,
        as estimated from the sizes of its steps, three times in a row; and if
        steps from nearby do not lead farther up.
    states, weights
        See :class:`bayesbook.cases.Cases`.
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
    >>> run
    EM: log-likelihood -13.7066 after 7 steps, converged
    """
    problem = _Problem.read(
        graph,
        data,
        latent,
        start,
        pseudo_count,
        equivalent_sample_size,
        unseen,
        states,
        weights,
        max_bytes,
        name,
    )
    hard = truth(hard, "hard")
    method = "hard EM" if hard else "EM"

    def step(theta):
        value, expected = problem.expect(theta, hard=hard)
        after, totals = problem.divide(expected, theta)
        gain = gain_of(theta, after, totals)
        return State(value + problem.penalty(theta), after, gain)

    return _best_run(
        problem,
        step,
        method,
        start,
        restarts,
        rng,
        max_iterations,
        tolerance,
        record,
        progress,
    )


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
    tolerance: float = 1e-5,
    states: Mapping[str, Sequence] | None = None,
    weights: str | Sequence[float] | None = None,
    record: bool = False,
    progress: bool = False,
    max_bytes: int = MAX_BYTES,
    name: str = "",
) -> EMRun:
    r"""Climb the objective of EM along its gradient instead.

    The parameters are written as
    :math:`\theta_{x \mid u} \propto e^{\eta_{ux}}`, so that they are laws
    whatever the numbers :math:`\eta` are. The gradient needs the same
    expected counts as EM does (Binder, Koller, Russell and Kanazawa 1997):

    .. math:: \frac{\partial \log L}{\partial \eta_{ux}}
        = \bar N_{ux} - \bar N_u \, \theta_{x \mid u} .

    A step is halved until it gains enough (Armijo's condition), and the next
    one is tried at double its length.

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
    problem = _Problem.read(
        graph,
        data,
        latent,
        start,
        pseudo_count,
        equivalent_sample_size,
        unseen,
        states,
        weights,
        max_bytes,
        name,
    )
    search = _LineSearch(problem)
    return _best_run(
        problem,
        search.step,
        "gradient ascent",
        start,
        restarts,
        rng,
        max_iterations,
        tolerance,
        record,
        progress,
    )


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
    >>> coin = BayesianNetwork([Table([0.25, 0.75], {"coin": "HT"})])
    >>> rows = pd.DataFrame({"coin": ["H", None, "T", None]})
    >>> expected_counts(coin, rows).tables["coin"]
    array([1.5, 2.5])
    """
    require_network(network)
    names = _columns_of(data)
    latent = [] if names is None else [n for n in network if n not in names]
    problem = _Problem.read(
        network,
        data,
        latent,
        network,
        0,
        None,
        "uniform",
        None,
        weights,
        max_bytes,
        "",
    )
    method = "hard EM" if truth(hard, "hard") else "EM"
    return problem.counts(problem.of_network(network), method)


# -- the steps ------------------------------------------------------------


def _best_run(
    problem,
    step,
    method,
    start,
    restarts,
    rng,
    max_iterations,
    tolerance,
    record,
    progress,
):
    restarts = whole(restarts, "restarts", 1)
    max_iterations = whole(max_iterations, "max_iterations", 1)
    tolerance = real(tolerance, "The tolerance", 0, open_=True)
    record = truth(record, "record")
    starts = _starts(problem, start, restarts, rng)
    look = np.random.default_rng(0)  # the same on every run
    runs = []
    with progress_bar(None, progress, "steps") as told:
        for theta in starts:
            problem.require_possible(theta)
            ascent = climb(
                step,
                theta,
                max_iterations=max_iterations,
                tolerance=tolerance,
                kicked=None
                if problem.is_complete
                else lambda own: problem.kicked(own, look),
                finite=method == "hard EM",
                rest=_REST * problem.total * problem.layout.n_cells,
                told=told,
                record=record,
            )
            runs.append(EMRun(problem, ascent, method))
    best = max(runs, key=lambda run: run.history[-1])
    if not best.converged:
        _warn(problem, best, start)
    return EMRun(problem, best._ascent, method, runs)


def _warn(problem, run, start):
    if run._ascent.status == "saddle":
        alike = problem.alike(run._ascent.theta)
        why = (
            f" The states {listed(alike[1])} of {alike[0]!r} are alike in "
            "every table, and no step can tell them apart."
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
        message = (
            f"{run.method} has not converged within "
            f"{counted(run.n_iterations, 'step')}: there is more to be gained "
            f"than the tolerance. The {run.objective} is "
            f"{run.history[-1]:.8g}, the last step gained "
            f"{run.history[-1] - run.history[-2]:.3g}. Raise max_iterations, "
            "or go on from start=run.network."
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
        gain = gain_of(theta, aim, totals)
        length = 2 * self._length
        with np.errstate(divide="ignore"):
            logs = np.log(theta)
        for _ in range(60):
            after = problem.softmax(logs + length * gradient)
            new = self._at(after)
            if new[0] >= value + _ARMIJO * length * slope:
                self._length = length
                self._known = after, new
                return State(value, after, gain)
            length /= 2
        return State(value, theta, 0.0)

    def _at(self, theta):
        if theta is self._known[0]:
            return self._known[1]
        value, expected = self._problem.expect(theta)
        return value + self._problem.penalty(theta), expected


# -- what is to be maximised ----------------------------------------------


class _Problem:
    """A graph and the rows that its tables are learnt from."""

    def __init__(self, graph, layout, cases, extra, unseen, max_bytes, name):
        self.graph, self.layout, self.name = graph, layout, name
        self._cases, self._unseen = cases, unseen
        self._extra = extra
        rows = cases.distinct()
        counts = rows.weights > 0
        columns = [
            rows.columns[rows.names.index(node)][counts]
            if node in cases.names
            else np.full(int(counts.sum()), -1, dtype=np.int8)
            for node in layout.nodes
        ]
        self._columns, self._weights = columns, rows.weights[counts]
        self.total = float(cases.total)
        self._expectation = Expectation(
            layout, columns, self._weights, max_bytes
        )
        self.is_complete = self._expectation.is_complete
        possible = possible_counts(layout, columns, self._weights)
        #: Numbers of laws that the data say nothing about.
        self._is_unseen = layout.totals(possible + extra) == 0
        if self._is_unseen.any() and unseen == "error":
            cell = int(np.argmax(self._is_unseen))
            node, given = layout.law_at(cell)
            raise ProbabilityError(
                f"No row can have {say(given)}, so the data say nothing about "
                f"P({node} | {say(given)}). Give pseudo-counts "
                '(equivalent_sample_size=1), or choose unseen="uniform" or '
                'unseen="marginal".'
            )

    @classmethod
    def read(
        cls,
        graph,
        data,
        latent,
        start,
        pseudo_count,
        equivalent_sample_size,
        unseen,
        states,
        weights,
        max_bytes,
        name,
    ):
        """Read what a learner is given."""
        if start is not None:
            require_network(start)
        given = graph.states if isinstance(graph, BayesianNetwork) else {}
        known = {**(start.states if start is not None else {}), **given}
        graph, parents = read_graph(graph)
        latent = _read_latent(latent, known, graph)
        names = _columns_of(data)
        if names is not None:
            _require_same(graph, names, latent, known)
        if isinstance(states, Mapping | BayesianNetwork):
            known |= getattr(states, "states", states)
        known = {n: own for n, own in known.items() if n not in latent}
        cases = _read_rows(data, known or None, weights)
        _require_same(graph, cases.names, latent, known)
        own = {**cases.states, **latent}
        layout = FamilyLayout(parents, {node: own[node] for node in graph})
        if start is not None:
            _require_start(start, graph, layout)
        prior = _read_prior(pseudo_count, equivalent_sample_size)
        if isinstance(prior, Mapping):
            for node in prior:
                if node not in graph:
                    raise ProbabilityError(
                        f"There are pseudo-counts of {node!r}, which is no "
                        f"node of the graph.{did_you_mean(node, graph)}"
                    )
        extra = layout.join(
            np.broadcast_to(_pseudo_counts(prior, node, shape, False), shape)
            for node, shape in zip(layout.nodes, layout.shapes, strict=True)
        )
        if unseen not in UNSEEN:
            raise ProbabilityError(
                f"unseen must be one of {listed(UNSEEN)}, not {unseen!r}."
                f"{did_you_mean(unseen, UNSEEN)}"
            )
        return cls(
            graph, layout, cases, extra, unseen, read_limit(max_bytes), name
        )

    # -- the objective

    def objective(self, method):
        """Say what is climbed."""
        words = "log-likelihood"
        if method == "hard EM":
            words = "log-probability of the best completion"
        if self._extra.any():
            words = f"penalised {words}"
        return words

    def expect(self, theta, *, hard=False):
        """Give the log-likelihood, and the expected counts."""
        e_step = self._expectation
        return (e_step.complete if hard else e_step.expect)(theta)

    def penalty(self, theta):
        """Give what the pseudo-counts add to the objective."""
        some = self._extra > 0
        if not some.any():
            return 0.0
        with np.errstate(divide="ignore"):
            return float(self._extra[some] @ np.log(theta[some]))

    def divide(self, expected, theta):
        """Give the M step, and the total of each law at its numbers.

        A law that nothing was counted for stays as it is.
        """
        expected = expected + self._extra
        totals = self.layout.totals(expected)
        some = totals > 0
        after = np.where(some, expected / np.where(some, totals, 1), theta)
        after[after < NEGLIGIBLE] = 0.0
        return after, totals

    def log_likelihood(self, theta):
        return self.expect(theta)[0]

    def softmax(self, logs):
        """Give the laws that are proportional to exponentials."""
        top = np.maximum.reduceat(logs, self.layout.law_starts)
        p = np.exp(logs - np.repeat(top, self.layout.law_sizes))
        return p / self.layout.totals(p)

    def kicked(self, theta, rng):
        """Change the parameters a little at random."""
        p = theta * np.exp(_KICK * rng.standard_normal(len(theta)))
        return p / self.layout.totals(p)

    def require_possible(self, theta):
        """Refuse a start under which a row is impossible."""
        if self.expect(theta)[0] > -np.inf:
            return
        tree = JunctionTree(self.network(theta))
        cases = self._cases
        for row in range(cases.n_rows):
            if cases.weights is not None and not cases.weights[row]:
                continue
            known = {
                name: cases.states[name][column[row]]
                for name, column in zip(
                    cases.names, cases.columns, strict=True
                )
                if column[row] >= 0
            }
            if tree.log_evidence(known) == -np.inf:
                raise ZeroProbabilityError(
                    f"Row {row} has probability zero under the start: "
                    f"{say(known)}. A zero stays zero in every step: begin "
                    "with other tables."
                )

    def alike(self, theta):
        """Name a latent node and two of its states without a difference."""
        tables = dict(
            zip(self.layout.nodes, self.layout.split(theta), strict=True)
        )
        for i, node in enumerate(self.layout.nodes):
            if not (self._columns[i] < 0).all():
                continue
            parts = [
                np.moveaxis(
                    tables[child], self.layout.parents[child].index(node), 0
                )
                for child in self.graph.succ[node]
            ]
            own = self.layout.states[node]
            for k in range(len(own)):
                for m in range(k):
                    if all(np.allclose(p[m], p[k], atol=1e-9) for p in parts):
                        return node, (own[m], own[k])
        return None

    # -- starts

    def of_network(self, network):
        """Give the numbers of a network with this graph."""
        tables = []
        for node in self.layout.nodes:
            axes = (*self.layout.parents[node], node)
            tables.append(network.tables[node].transpose(*axes).values)
        return self._with_unseen(self.layout.join(tables))

    def available(self):
        """Divide the counts, plus one, of rows without a gap in the family."""
        found = Cases._of(
            self.layout.states, self._columns, self._weights
        ).count([(*self.layout.parents[n], n) for n in self.layout.nodes])
        counts = self.layout.join(found) + 1.0
        return self._with_unseen(counts / self.layout.totals(counts))

    def drawn(self, theta, rng, *, latent_only):
        """Draw the tables of families with gaps."""
        hidden = [
            (column < 0).all() if latent_only else (column < 0).any()
            for column in self._columns
        ]
        theta = theta.copy()
        for axes, table in zip(
            self.layout.axes, self.layout.split(theta), strict=True
        ):
            if any(hidden[i] for i in axes):
                draws = rng.standard_exponential(table.shape)
                table[...] = draws / draws.sum(axis=-1, keepdims=True)
        return self._with_unseen(theta)

    def _with_unseen(self, theta):
        sizes = np.repeat(self.layout.law_sizes, self.layout.law_sizes)
        return np.where(self._is_unseen, 1 / sizes, theta)

    # -- results

    def counts(self, theta, method):
        """Give the expected counts as tables."""
        self.require_possible(theta)
        _, expected = self.expect(theta, hard=method == "hard EM")
        tables = zip(
            self.layout.nodes, self.layout.split(expected), strict=True
        )
        return NetworkCounts(
            self.graph,
            self.layout.states,
            self.layout.parents,
            tables,
            self.total,
        )

    def network(self, theta):
        """Make the network with these parameters."""
        if self._is_unseen.any() and self._unseen == "marginal":
            theta = self._marginal(theta)
        tables = []
        for node, law in zip(
            self.layout.nodes, self.layout.split(theta), strict=True
        ):
            parents = self.layout.parents[node]
            axes = {n: self.layout.states[n] for n in (*parents, node)}
            tables.append(Table(law.copy(), axes, given=parents))
        return BayesianNetwork(tables, name=self.name)

    def _marginal(self, theta):
        """Put the law of the node where no row can be."""
        _, expected = self.expect(theta)
        theta = theta.copy()
        for law, counts, is_unseen in zip(
            *map(self.layout.split, (theta, expected, self._is_unseen)),
            strict=True,
        ):
            own = counts.reshape(-1, counts.shape[-1]).sum(axis=0)
            if own.sum():
                law[is_unseen[..., 0]] = own / own.sum()
        return theta


def _starts(problem, start, restarts, rng):
    """Give the parameters that each run begins with."""
    has_latent = any((column < 0).all() for column in problem._columns)
    is_drawn = restarts > 1 or (start is None and has_latent)
    if is_drawn and rng is None:
        what = "restarts" if restarts > 1 else "latent nodes without a start"
        raise ProbabilityError(
            f"For {what} tables are drawn: give the source of randomness, or "
            "a seed for one, rng=0."
        )
    rng = np.random.default_rng(rng) if is_drawn else None
    if start is not None:
        yield problem.of_network(start)
    else:
        theta = problem.available()
        if has_latent:
            theta = problem.drawn(theta, rng, latent_only=True)
        yield theta
    for _ in range(restarts - 1):
        yield problem.drawn(problem.available(), rng, latent_only=False)


# -- reading --------------------------------------------------------------


def _columns_of(data):
    """Give the names of the columns, if they can be known before reading."""
    if isinstance(data, pd.DataFrame):
        return list(data.columns)
    return getattr(data, "names", None)


def _read_latent(latent, known, graph):
    """Give the states of the nodes without a column."""
    if latent is None:
        return {}
    if not isinstance(latent, Mapping):
        names = read_names(latent)
        for name in names:
            if name not in known and name in graph:
                raise ProbabilityError(
                    f"The states of the latent node {name!r} are not known: "
                    f"give them, latent={{{name!r}: ('low', 'high')}}, or how "
                    f"many there are, latent={{{name!r}: 2}}."
                )
        latent = {name: known.get(name) for name in names}
    found = {}
    for name, own in latent.items():
        if name not in graph:
            raise ProbabilityError(
                f"The latent {name!r} is no node of the graph, whose nodes "
                f"are {listed(graph)}.{did_you_mean(name, graph)}"
            )
        if isinstance(own, int | np.integer) and not isinstance(own, bool):
            own = range(whole(own, f"The number of states of {name!r}", 1))
        found[name] = read_own_states(name, own)
    return found


def _require_same(graph, names, latent, known):
    """Refuse columns without a node, and nodes without a column."""
    for name in names:
        if name in latent:
            raise ProbabilityError(
                f"{name!r} is latent, and has a column. Drop the column; or "
                "leave it out of `latent`, if some rows have a value."
            )
        if name not in graph:
            raise ProbabilityError(
                f"{name!r} is a column, but no node of the graph, whose nodes "
                f"are {listed(graph)}: drop the column, or add the node."
                f"{did_you_mean(name, graph)}"
            )
    for node in graph:
        if node not in names and node not in latent:
            own = f"{tuple(known[node])!r}" if node in known else "(...)"
            raise ProbabilityError(
                f"There is no column for the node {node!r}; the columns are "
                f"{listed(names)}. If it is never observed, say so, and which "
                f"states it has: latent={{{node!r}: {own}}}."
                f"{did_you_mean(node, names)}"
            )


def _read_rows(data, states, weights):
    if isinstance(data, pd.DataFrame):
        # Before the states of such a column are asked for.
        for name in data.columns[data.isna().all().to_numpy()]:
            raise _never_observed(name)
    cases = read_cases(data, states=states, weights=weights, missing="keep")
    for name, column in zip(cases.names, cases.columns, strict=True):
        if column.max(initial=-1) < 0:
            raise _never_observed(name)
    return cases


def _never_observed(name):
    return ProbabilityError(
        f"Column {name!r} has no value in any row. If the variable is never "
        f"observed, drop the column and declare it: latent={{{name!r}: "
        "(...)}}, with its states."
    )


def _require_start(start, graph, layout):
    """Refuse a start for another graph."""
    if {*start.nodes} != {*graph} or {*start.graph.edges} != {*graph.edges}:
        arcs = {*start.graph.edges} ^ {*graph.edges}
        nodes = {*start.nodes} ^ {*graph}
        what = (
            f"the nodes {listed(sorted(nodes))}"
            if nodes
            else (f"the arcs {listed(f'{a} -> {b}' for a, b in sorted(arcs))}")
        )
        raise ProbabilityError(
            f"The start has another graph: they differ in {what}."
        )
    for node, own in layout.states.items():
        if start.states[node] != own:
            raise ProbabilityError(
                f"{node!r} has the states {listed(own)}, but "
                f"{listed(start.states[node])} in the start."
            )
