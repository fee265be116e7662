r"""Parameters from rows with missing values: the EM algorithm.

Where something is hidden, the likelihood is a sum over all values that it may
have, and no counting maximises it. EM climbs it in steps of two:

E step
    count as if each row were all its completions :math:`h` at once, each with
    the weight :math:`P(h \mid e, \theta)`;
M step
    divide the counts, as with complete rows.

.. math:: \bar N_{ux} = \sum_i w_i \, P(U = u, X = x \mid e_i, \theta), \qquad
    \theta'_{x \mid u} = \frac{\bar N_{ux}}{\bar N_u} .

No step lowers the likelihood of what was observed (Dempster, Laird and Rubin
1977; for networks Lauritzen 1995; Koller and Friedman 2009, section 19.2).

>>> import pandas as pd
>>> rows = pd.DataFrame({"rain": ["no", "no", "yes", "yes", None],
...                      "grass": ["dry", "wet", "wet", "wet", "wet"]})
>>> run = fit_em("rain -> grass", rows)
>>> print(run.network.tables["rain"])
P(rain)
rain=no  rain=yes
 0.4667    0.5333
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bayesbook.base.numbers import as_bool
from bayesbook.data.columns import columns_of
from bayesbook.network.em._problem import EMProblem, Latent
from bayesbook.network.em.convergence import Step, StepResult
from bayesbook.network.em.runs import EMRun, RunSettings, best_run
from bayesbook.network.em.squarem import Squarem
from bayesbook.network.learning.parameters import (
    Data,
    GraphLike,
    NetworkCounts,
    States,
    Weights,
)
from bayesbook.network.model import BayesianNetwork
from bayesbook.network.tabular import require_network
from bayesbook.probability import MAX_BYTES

__all__ = ["expected_counts", "fit_em"]


def fit_em(
    graph: GraphLike,
    data: Data,
    *,
    latent: Latent = None,
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
    states: States | None = None,
    weights: Weights | None = None,
    record: bool = False,
    progress: bool = False,
    max_bytes: int = MAX_BYTES,
    name: str = "",
) -> EMRun:
    r"""Learn the tables of a graph from rows with missing values.

    Values are assumed to be missing at random: whether a value is missing may
    depend on what was observed, but not on the value itself.

    Parameters
    ----------
    graph : nx.DiGraph, BayesianNetwork, or text for `bayesbook.graphs.parse`
        A network declares the graph and the states; its numbers are not used.
    data : DataFrame or Cases
        A column for each node that is ever observed; missing values are None,
        NaN or NA. Chunks or a dask DataFrame, too: whatever
        :func:`bayesbook.data.read_cases` reads. Their different rows have to
        fit into memory.
    latent : mapping of node to states, optional
        The nodes without a column, with their states, or with a number of
        states, which are then 0, 1, 2, ... A list of names is enough if
        `graph` or `start` is a network, which has their states.
    start : BayesianNetwork, optional
        Where to begin, with the same graph. A probability that is zero there
        stays zero, unless there are pseudo-counts.
    hard : bool
        Whether only the most probable completion of a row is counted, instead
        of all. This maximises the probability of the best completion of the
        data, not the likelihood. Of completions that are equally probable the
        first is taken, in the order of the states, those of the first hidden
        node changing slowest (if a row has very many completions, the one
        that the junction tree finds first). For states of the parents that no
        best completion has, nothing is learned: there the table stays as it
        was before the step, in the end perhaps as it was drawn.
    accelerate : bool
        Whether every second step is extrapolated, unless that lowers the
        objective (Varadhan and Roland 2008). Much faster where steps are
        small. It has no effect in hard EM, which needs few steps.
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
        How many runs there are, from different starts; the result is the run
        with the largest objective. Without `start` the first begins with the
        tables of the rows in which the family has no missing value, each
        count increased by one; tables with a latent node are drawn, all
        distributions being equally probable. In further runs the tables of all
        families with missing values are drawn.
    rng : numpy.random.Generator or int, optional
        The source of randomness, or a seed for one; needed if anything is
        drawn.
    max_iterations : int
        The most steps of each run.
    tolerance : float
        A run ends when no more than this is left to be gained of the
        objective, in nats: by an estimate from the sizes of its steps, three
        times in a row, when they gain next to nothing; and when steps from
        nearby parameters do not lead to higher values.
    states, weights
        See :class:`bayesbook.data.Cases`.
    record : bool
        Whether the network after each step is kept, for ``.networks``.
    progress : bool
        Whether to show a bar that counts the steps.
    max_bytes : int
        The most memory of a junction tree.
    name : str
        The name of the network.

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
    ProbabilityError, TypeError, GraphError
        If a node has no column and is not named in `latent`, a column is not
        a node, a latent node has a column, a column has no value at all; if
        the start has another graph or other states; if something has to be
        drawn and there is no `rng`; and as for `fit_parameters`.
    ZeroProbabilityError
        If a row is impossible under the start. The message says which.
    ConvergenceError
        If a step lowers the objective by more than rounding, which would be a
        mistake in the library.
    TableTooLargeError
        If the junction tree for the rows would need more than `max_bytes`.

    See Also
    --------
    bayesbook.naive_bayes.LatentClass : a latent parent of all columns, faster.

    Notes
    -----
    Equal rows are completed once, with their number as weight.

    Examples
    --------
    In each session one of two coins was tossed five times; nobody wrote down
    which:

    >>> import pandas as pd
    >>> sessions = ["HHHHT", "TTTHT", "HHTHH", "THTTT", "HHHHH", "TTHTT"]
    >>> tosses = pd.DataFrame(map(list, sessions), columns=list("abcde"))
    >>> graph = "coin -> a, coin -> b, coin -> c, coin -> d, coin -> e"
    >>> run = fit_em(graph, tosses, latent={"coin": 2}, rng=1)
    >>> run.converged, f"{run.log_likelihood:.4f}"
    (True, '-13.7066')
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
    hard = as_bool(hard, "hard")
    method = "hard EM" if hard else "EM"

    def em_step(theta: np.ndarray) -> StepResult:
        value, expected = problem.e_step(theta, hard=hard)
        after, totals = problem.m_step(expected, theta)
        value += problem.penalty(theta)
        return StepResult(value, after, after, totals)

    step: Step = em_step
    if as_bool(accelerate, "accelerate") and not hard:
        step = Squarem(em_step, problem.layout.totals).step
        method = "accelerated EM"
    settings = RunSettings.read(
        restarts, rng, max_iterations, tolerance, record, progress
    )
    return best_run(problem, step, method, start, settings)


def expected_counts(
    network: BayesianNetwork,
    data: Data,
    *,
    hard: bool = False,
    weights: Weights | None = None,
    max_bytes: int = MAX_BYTES,
) -> NetworkCounts:
    """Count rows with missing values as a network completes them: the E step.

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
    TypeError
        If `network` is not a network, or `data` are not cases.
    ZeroProbabilityError
        If a row is impossible under the network. The message says which.
    ProbabilityError, TableTooLargeError
        As in :func:`fit_em`.

    Examples
    --------
    >>> from bayesbook.probability import Table
    >>> coin = BayesianNetwork([Table([0.25, 0.75], {"coin": "HT"})])
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"coin": ["H", None, "T", None]})
    >>> expected_counts(coin, rows).tables["coin"]
    array([1.5, 2.5])
    """
    require_network(network)
    names = columns_of(data, weights)
    latent = [] if names is None else [n for n in network if n not in names]
    problem = EMProblem.read(
        network,
        data,
        latent=latent,
        start=network,
        unseen="uniform",
        weights=weights,
        max_bytes=max_bytes,
    )
    method = "hard EM" if as_bool(hard, "hard") else "EM"
    return problem.counts(problem.parameters_of(network), method)
