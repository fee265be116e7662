r"""Latent classes: a mixture of products, by EM with two matrix products.

The distribution of each column depends on a class that is never observed, and
given the class the columns are independent: naive Bayes without the classes,

.. math:: P(x) = \sum_k \pi_k \prod_m p_{km}(x_m) .

With the rows as a matrix :math:`X` of 0 and 1, a column for each state, the
logarithms of all products are :math:`X \log p^\top`, and the counts that are
expected in each class are :math:`R^\top X`, where :math:`R` holds the
posterior probabilities of the classes (Lazarsfeld and Henry 1968; Bishop
2006, section 9.3.3).

>>> import pandas as pd
>>> rng = np.random.default_rng(0)
>>> tall = rng.random(500) < 0.3
>>> rows = pd.DataFrame({name: (rng.random(500) < np.where(tall, 0.9, 0.2))
...                      for name in "ABCDE"}).astype(int)
>>> run = latent_class(rows, 2, rng=1)
>>> print(run.network.tables["class"])
P(class)
class=0  class=1
 0.7514   0.2486
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate

import networkx as nx
import numpy as np
from scipy import sparse

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.labels import require_size
from bayesbook.base.names import pluralise, quoted_list
from bayesbook.base.numbers import as_bool, as_float, as_int
from bayesbook.data import Cases
from bayesbook.graphs import parse
from bayesbook.network.em._convergence import (
    PERTURBATION,
    Step,
    StepResult,
)
from bayesbook.network.em._problem import (
    distinct_rows,
    raise_for_impossible_row,
    require_same_graph,
    require_same_states,
)
from bayesbook.network.em._squarem import Squarem
from bayesbook.network.em.runs import EMRun, RunSettings, best_run
from bayesbook.network.learning.parameters import (
    Data,
    NetworkCounts,
    States,
    Weights,
    read_rows,
)
from bayesbook.network.model import BayesianNetwork, require_network
from bayesbook.probability import MAX_BYTES, Table
from bayesbook.probability.table import State

__all__ = ["LatentClassRun", "latent_class"]

# The most numbers of a dense matrix of rows, whose products are faster than
# those of a sparse one.
_MOST_DENSE = 20_000_000
_REMEDY = "Take fewer rows, columns or classes, or set max_bytes."


class LatentClassRun(EMRun):
    """The result of :func:`latent_class`; see also :class:`EMRun`.

    The classes are in the order of their probabilities, the largest first.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"A": [0, 0, 0, 1], "B": [0, 0, 0, 1],
    ...                      "C": [0, 0, 0, 1]})
    >>> run = latent_class(rows, 2, rng=0)
    >>> run.responsibilities.round(2)
    array([[1., 0.],
           [1., 0.],
           [1., 0.],
           [0., 1.]])
    """

    _problem: _Mixture

    @cached_property
    def responsibilities(self) -> np.ndarray:
        """The posterior probability of each class, (n_rows, n_classes)."""
        return self.posterior(self._problem.cases)

    def posterior(self, data: Data) -> np.ndarray:
        """Return the posterior probability of each class for other rows.

        Parameters
        ----------
        data : DataFrame or Cases
            With the same columns and states.

        Returns
        -------
        array of shape (n_rows, n_classes)

        Examples
        --------
        >>> import pandas as pd
        >>> rows = pd.DataFrame({"A": [0, 0, 0, 1], "B": [0, 0, 0, 1],
        ...                      "C": [0, 0, 0, 1]})
        >>> run = latent_class(rows, 2, rng=0)
        >>> run.posterior(rows.tail(1)).round(2)
        array([[0., 1.]])
        """
        return self._problem.posterior(self._iterations.theta, data)

    def _with_sorted_classes(self) -> LatentClassRun:
        """Return the run with the classes in the order of probabilities."""
        runs = []
        for run in self.runs:
            reorder = self._problem.class_order(run._iterations.theta)
            iterations = run._iterations._replace(
                theta=reorder(run._iterations.theta),
                path=[*map(reorder, run._iterations.path)],
            )
            runs.append(type(self)(self._problem, iterations, self.method))
        best = max(runs, key=lambda run: run.history[-1])
        return type(self)(self._problem, best._iterations, self.method, runs)


def latent_class(
    data: Data,
    n_classes: int,
    *,
    start: BayesianNetwork | None = None,
    accelerate: bool = False,
    pseudo_count: float = 0,
    restarts: int = 1,
    rng: np.random.Generator | int | None = None,
    max_iterations: int = 1000,
    tolerance: float = 1e-3,
    states: States | None = None,
    weights: Weights | None = None,
    record: bool = False,
    progress: bool = False,
    max_bytes: int = MAX_BYTES,
    name: str = "class",
) -> LatentClassRun:
    """Find classes of rows, within which the columns are independent.

    The same as :func:`bayesbook.network.fit_em` with a latent node that is
    the only parent of each column, and much faster. A missing value is left
    out of the counts of its column, which do not need it.

    Parameters
    ----------
    data : DataFrame or Cases
    n_classes : int
    start : BayesianNetwork, optional
        Where to begin: the class, with an edge to each column. Otherwise the
        classes are equally probable, and each begins half way between the
        frequencies of all rows and one row, drawn at random and different
        from those of the other classes. Which row is drawn depends on the
        order of the columns, and not on that of the rows.
    pseudo_count : float
        Added to each expected count.
    accelerate, restarts, rng, max_iterations, tolerance, record, progress
        As in :func:`bayesbook.network.fit_em`.
    states, weights
        See :class:`bayesbook.data.Cases`.
    max_bytes : int
        The most memory of the rows as a matrix.
    name : str
        The name of the class as a node of the network; its states are
        0, 1, 2, ...

    Returns
    -------
    LatentClassRun

    Warns
    -----
    ConvergenceWarning
        As :func:`bayesbook.network.fit_em`.

    Raises
    ------
    TypeError
        If `data` are not cases, or `start` is not a network.
    ProbabilityError
        If there are fewer different rows than classes, a column has the name
        of the class or no value at all, the start is another graph, or there
        is no `rng` and no start.
    ZeroProbabilityError
        If a row is impossible under the start.
    TableTooLargeError
        If more than `max_bytes` would be needed.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.datasets import load_digits
    >>> digits = load_digits(as_frame=True)
    >>> is_used = digits.target < 2
    >>> run = latent_class(digits.data[is_used] > 7, 2, rng=0)
    >>> found = run.responsibilities.argmax(axis=1)
    >>> table = pd.crosstab(digits.target[is_used].to_numpy(), found)
    >>> table.to_numpy()  # the zeros are the class 1, and the ones the class 0
    array([[  1, 177],
           [182,   0]])
    """
    n_classes = as_int(n_classes, "The number of classes", 1)
    problem = _Mixture.read(
        data,
        n_classes,
        start=start,
        pseudo_count=pseudo_count,
        states=states,
        weights=weights,
        max_bytes=max_bytes,
        name=name,
    )
    step: Step = problem.step
    method = "EM"
    if as_bool(accelerate, "accelerate"):
        step = Squarem(step, problem.distribution_totals)
        method = "accelerated EM"
    settings = RunSettings.read(
        restarts, rng, max_iterations, tolerance, record, progress
    )
    run = best_run(problem, step, method, start, settings, LatentClassRun)
    return run._with_sorted_classes()


class _Mixture:
    """Rows of columns that are independent within classes.

    Parameters (theta) are one array: first the probabilities of the classes,
    then, class by class, those of the states of all columns side by side.
    """

    def __init__(
        self,
        cases: Cases,
        n_classes: int,
        pseudo_count: float,
        max_bytes: int,
        name: str,
    ) -> None:
        self.cases, self.name = cases, name
        self.total = cases.total
        self.is_complete = n_classes == 1
        self.n_classes = n_classes
        self._pseudo_count = pseudo_count
        self._max_bytes = max_bytes
        self._columns, self._weights = distinct_rows(cases)
        self._distribution_starts = [0, *accumulate(cases.n_states)][:-1]
        self._n_states = sum(cases.n_states)
        self._X = self._matrix(self._columns)

    @classmethod
    def read(
        cls,
        data: Data,
        n_classes: int,
        *,
        start: BayesianNetwork | None,
        pseudo_count: float,
        states: States | None,
        weights: Weights | None,
        max_bytes: int,
        name: str,
    ) -> _Mixture:
        """Read the arguments of the learner."""
        if start is not None:
            require_network(start)
            if name not in start:
                raise ProbabilityError(
                    f"The start has no node {name!r} for the class; its nodes "
                    f"are {quoted_list(start)}. Give its name with name=…"
                )
            if states is None:
                states = dict(start.states)
                states.pop(name)
        cases = read_rows(data, states, weights, missing="keep")
        if name in cases.names:
            raise ProbabilityError(
                f"{name!r} is a column: give the class another name, "
                "name=..., or drop the column."
            )
        pseudo_count = as_float(pseudo_count, "The pseudo-count", 0)
        problem = cls(cases, n_classes, pseudo_count, max_bytes, name)
        if start is not None:
            graph, _ = problem.graph()
            require_same_graph(start, graph)
            require_same_states(start, problem.states())
        return problem

    # -- the steps ----------------------------------------------------------

    def step(self, theta: np.ndarray) -> StepResult:
        """Make the E step and the M step."""
        value, classes, counts = self._expect(theta)
        a = self._pseudo_count
        after, totals = self._join(
            *self._divide(classes[None] + a, [0], theta[None, : len(classes)]),
            *self._divide(
                counts + a,
                self._distribution_starts,
                self._distributions(theta),
            ),
        )
        return StepResult(value + self._penalty(theta), after, after, totals)

    def _expect(self, theta):
        """Return the log-likelihood, the counts of classes and of states."""
        p, top = self._joint(theta, self._X)
        if top.min() == -np.inf:
            return (
                -np.inf,
                np.zeros(self.n_classes),
                0 * self._distributions(theta),
            )
        sums = p.sum(axis=1)
        value = float(self._weights @ (np.log(sums) + top))
        p *= (self._weights / sums)[:, None]
        return value, p.sum(axis=0), (self._X.T @ p).T

    def _joint(self, theta, X):
        """Return P(class, row) over its row maximum, and the log of that."""
        distributions = self._distributions(theta)
        with np.errstate(divide="ignore"):
            pi, logs = np.log(theta[: self.n_classes]), np.log(distributions)
        zeros = distributions == 0
        if zeros.any():
            # In a product of dense matrices 0 times infinity would be NaN.
            p = X @ np.where(zeros, 0.0, logs).T
            p[(X @ zeros.T.astype(float)) > 0] = -np.inf
        else:
            p = X @ logs.T
        p += pi
        top = p.max(axis=1)
        with np.errstate(invalid="ignore"):
            p -= top[:, None]
        return np.exp(p, out=p), top

    def _divide(self, counts, distribution_starts, distributions):
        """Return counts divided by their sums, and these at each number."""
        sums = np.add.reduceat(counts, distribution_starts, axis=1)
        ends = [*distribution_starts[1:], counts.shape[1]]
        totals = np.repeat(
            sums, np.subtract(ends, distribution_starts), axis=1
        )
        some = totals > 0
        after = np.where(
            some, counts / np.where(some, totals, 1.0), distributions
        )
        return after, totals

    @staticmethod
    def _join(classes, class_totals, distributions, distribution_totals):
        return (
            np.concatenate([classes.ravel(), distributions.ravel()]),
            np.concatenate(
                [class_totals.ravel(), distribution_totals.ravel()]
            ),
        )

    def _penalty(self, theta):
        if not self._pseudo_count:
            return 0.0
        with np.errstate(divide="ignore"):
            return float(self._pseudo_count * np.log(theta).sum())

    def distribution_totals(self, theta: np.ndarray) -> np.ndarray:
        """Return, for each number, the sum of its distribution."""
        classes = np.full(self.n_classes, theta[: self.n_classes].sum())
        distributions = self._distributions(theta)
        sums = np.add.reduceat(
            distributions, self._distribution_starts, axis=1
        )
        totals = np.repeat(sums, self.cases.n_states, axis=1)
        return np.concatenate([classes, totals.ravel()])

    def _distributions(self, theta):
        return theta[self.n_classes :].reshape(self.n_classes, -1)

    def _split(self, theta):
        """Return the distributions of each column, (n_classes, n_states)."""
        return np.split(
            self._distributions(theta), self._distribution_starts[1:], axis=1
        )

    def _matrix(self, columns):
        """Return the rows as 0 and 1, with a column for each state."""
        n_rows = len(columns[0])
        n_dense = n_rows * self._n_states
        is_dense = n_dense <= _MOST_DENSE
        entries = n_dense if is_dense else 2 * n_rows * len(columns)
        require_size(
            (entries + 2 * n_rows * self.n_classes,),
            "float",
            "The rows as a matrix, with the probabilities of their classes,",
            self._max_bytes,
            _REMEDY,
        )
        cells = np.stack(
            [
                start + column.astype(np.int64)
                for start, column in zip(
                    self._distribution_starts, columns, strict=True
                )
            ],
            axis=1,
        )
        seen = np.stack(columns, axis=1) >= 0
        ends = np.concatenate([[0], seen.sum(axis=1).cumsum()])
        X = sparse.csr_array(
            (np.ones(ends[-1]), cells[seen], ends),
            shape=(n_rows, self._n_states),
        )
        return X.toarray() if is_dense else X

    # -- what a run needs ---------------------------------------------------

    def describe_objective(self, method: str) -> str:
        """Return the objective in words."""
        words = "log-likelihood"
        return f"penalised {words}" if self._pseudo_count else words

    def log_likelihood(self, theta: np.ndarray) -> float:
        """Return the log-likelihood of what was observed."""
        return self._expect(theta)[0]

    def perturb(
        self, theta: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Change the parameters a little at random."""
        p = theta * np.exp(PERTURBATION * rng.standard_normal(len(theta)))
        pi, distributions = p[None, : self.n_classes], self._distributions(p)
        return self._join(
            *self._divide(pi, [0], pi),
            *self._divide(
                distributions, self._distribution_starts, distributions
            ),
        )[0]

    def find_identical_states(
        self, theta: np.ndarray
    ) -> tuple[str, tuple[int, int]] | None:
        """Find two classes with the same distributions."""
        distributions = self._distributions(theta)
        for k in range(self.n_classes):
            for m in range(k):
                if np.allclose(distributions[m], distributions[k], atol=1e-9):
                    return self.name, (m, k)
        return None

    def require_possible(self, theta: np.ndarray) -> None:
        """Raise an error if a row is impossible under a start."""
        _, top = self._joint(theta, self._X)
        if top.min() > -np.inf:
            return
        distributions = dict(
            zip(self.cases.names, self._split(theta), strict=True)
        )
        pi = theta[: self.n_classes]

        def is_impossible(known):
            possible = pi > 0
            for name, state in known.items():
                code = self.cases.states[name].index(state)
                possible = possible & (distributions[name][:, code] > 0)
            return not possible.any()

        raise_for_impossible_row(self.cases, is_impossible)

    def starts(
        self,
        start: BayesianNetwork | None,
        restarts: int,
        rng: np.random.Generator | None,
    ) -> Iterator[np.ndarray]:
        """Yield the parameters that each run begins with."""
        is_drawn = start is None or restarts > 1
        if is_drawn and rng is None:
            raise ProbabilityError(
                "The rows that the classes begin with are drawn: give the "
                "source of randomness, or a seed for one, rng=0."
            )
        if start is not None:
            pi = start.tables[self.name].values
            distributions = [start.tables[n].values for n in self.cases.names]
            theta = np.concatenate([pi, np.hstack(distributions).ravel()])
            yield theta.astype(float)
        for _ in range(restarts - (start is not None)):
            yield self._draw(rng)

    def _draw(self, rng) -> np.ndarray:
        """Draw a row for each class to begin with."""
        n_rows = len(self._weights)
        if n_rows < self.n_classes:
            raise ProbabilityError(
                f"There are {self.n_classes} classes for "
                f"{pluralise(n_rows, 'different row')}: take fewer classes."
            )
        rows = rng.choice(
            n_rows,
            self.n_classes,
            replace=False,
            p=self._weights / self._weights.sum(),
        )
        counts = (self._X.T @ self._weights)[None] + self._pseudo_count
        overall, _ = self._divide(counts, self._distribution_starts, counts)
        X = self._X[rows]
        drawn = X.toarray() if sparse.issparse(X) else X
        distributions, _ = self._divide(
            overall + drawn, self._distribution_starts, overall
        )
        pi = np.full(self.n_classes, 1 / self.n_classes)
        return np.concatenate([pi, distributions.ravel()])

    # -- results ------------------------------------------------------------

    def states(self) -> dict[str, tuple[State, ...]]:
        """Return the states of the class and the columns."""
        return {self.name: tuple(range(self.n_classes)), **self.cases.states}

    def graph(self) -> tuple[nx.DiGraph, dict[str, tuple[str, ...]]]:
        """Return the graph, and the parents of each node."""
        names = self.cases.names
        text = "\n".join([self.name, *(f"{self.name} -> {n}" for n in names)])
        return parse(text), {
            self.name: (),
            **dict.fromkeys(names, (self.name,)),
        }

    def network(self, theta: np.ndarray) -> BayesianNetwork:
        """Return the network with these parameters."""
        classes = {self.name: tuple(range(self.n_classes))}
        tables = [Table(theta[: self.n_classes].copy(), classes)]
        distributions = self._split(theta)
        for name, values in zip(self.cases.names, distributions, strict=True):
            axes = {**classes, name: self.cases.states[name]}
            tables.append(Table(values.copy(), axes, given=[self.name]))
        return BayesianNetwork(tables)

    def counts(self, theta: np.ndarray, method: str) -> NetworkCounts:
        """Return the expected counts as tables, without missing values."""
        _, classes, counts = self._expect(theta)
        by_column = np.split(counts, self._distribution_starts[1:], axis=1)
        tables = dict(zip(self.cases.names, by_column, strict=True))
        tables = {self.name: classes, **tables}
        graph, parents = self.graph()
        return NetworkCounts(graph, self.states(), parents, tables, self.total)

    def posterior(self, theta: np.ndarray, data: Data) -> np.ndarray:
        """Return the posterior probabilities of the classes for rows."""
        cases = self.cases
        if data is not self.cases:
            cases = read_rows(data, self.cases.states, None, missing="keep")
            if cases.names != self.cases.names:
                cases = cases.select(self.cases.names)
        p, top = self._joint(theta, self._matrix(cases.columns))
        if top.min() == -np.inf:
            raise ZeroProbabilityError(
                f"Row {int(np.argmin(top))} has probability zero in every "
                "class."
            )
        return p / p.sum(axis=1, keepdims=True)

    def class_order(
        self, theta: np.ndarray
    ) -> Callable[[np.ndarray], np.ndarray]:
        """Return a function that sorts classes by their probabilities here."""
        order = np.argsort(-theta[: self.n_classes], kind="stable")

        def reorder(parameters: np.ndarray) -> np.ndarray:
            pi = parameters[: self.n_classes][order]
            distributions = self._distributions(parameters)[order]
            return np.concatenate([pi, distributions.ravel()])

        return reorder
