"""The problem that EM solves: a graph, and rows to learn its tables from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.labels import read_limit, read_names, read_own_states, say
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import as_int
from bayesbook.data import Cases
from bayesbook.data.cases import unchecked_cases
from bayesbook.data.columns import columns_of
from bayesbook.network.em._e_step import EStep, possible_counts
from bayesbook.network.em._family_layout import FamilyLayout
from bayesbook.network.inference.junction_tree import JunctionTree
from bayesbook.network.learning.parameters import (
    Data,
    GraphLike,
    NetworkCounts,
    States,
    Weights,
    pseudo_counts,
    read_graph,
    read_prior,
    read_rows,
    require_unseen,
)
from bayesbook.network.model import BayesianNetwork
from bayesbook.network.tabular import require_network
from bayesbook.probability import MAX_BYTES, Table
from bayesbook.probability.table import State

#: Nodes without a column, with their states or with how many they have.
Latent: TypeAlias = Mapping[str, Sequence[State] | int] | Iterable[str] | None

# What to do about a row that is impossible under a start, or a network.
_REMEDIES = {
    "start": "A zero stays zero in every step: begin with other tables.",
    "network": "It has no completion that could count: leave the row out, or "
    "give the network no zero there.",
}


class EMProblem:
    """A graph, and the rows from which its tables are learned.

    Parameters (theta) are the numbers of all tables, in one array.
    """

    def __init__(
        self,
        graph: nx.DiGraph,
        layout: FamilyLayout,
        cases: Cases,
        prior: np.ndarray,
        unseen: str,
        max_bytes: int,
        name: str,
    ) -> None:
        self.graph, self.layout, self.name = graph, layout, name
        self._cases, self._unseen = cases, unseen
        #: The pseudo-counts.
        self._prior = prior
        columns, self._weights = _distinct_rows(cases)
        by_name = dict(zip(cases.names, columns, strict=True))
        hidden = np.full(len(self._weights), -1, dtype=np.int8)
        self._columns = columns = [
            by_name.get(node, hidden) for node in layout.nodes
        ]
        self.total = float(cases.total)
        self._e_step = EStep(layout, columns, self._weights, max_bytes)
        self.is_complete = self._e_step.is_complete
        possible = possible_counts(layout, columns, self._weights)
        #: Whether a number belongs to a distribution without any data.
        self._is_unseen = layout.totals(possible + prior) == 0
        if self._is_unseen.any() and unseen == "error":
            cell = int(np.argmax(self._is_unseen))
            node, given = layout.distribution_at(cell)
            raise ProbabilityError(
                f"No row can have {say(given)}, so the data say nothing about "
                f"P({node} | {say(given)}). Give pseudo-counts "
                '(equivalent_sample_size=1), or choose unseen="uniform" or '
                'unseen="marginal".'
            )

    @classmethod
    def read(
        cls,
        graph: GraphLike,
        data: Data,
        *,
        latent: Latent = None,
        start: BayesianNetwork | None = None,
        pseudo_count: float | Mapping = 0,
        equivalent_sample_size: float | None = None,
        unseen: str = "error",
        states: States | None = None,
        weights: Weights | None = None,
        max_bytes: int = MAX_BYTES,
        name: str = "",
    ) -> EMProblem:
        """Read the arguments of a learner."""
        known: dict[str, Sequence[State]] = {}
        if start is not None:
            require_network(start)
            known |= start.states
        if isinstance(graph, BayesianNetwork):
            known |= graph.states
        graph, parents = read_graph(graph)
        if start is not None:
            _require_same_graph(start, graph)
        latent = _read_latent(latent, known, graph)
        names = columns_of(data, weights)
        if names is not None:
            _require_same(graph, names, latent, known)
        if isinstance(states, Mapping | BayesianNetwork):
            known |= (
                states.states
                if isinstance(states, BayesianNetwork)
                else states
            )
        known = {n: some for n, some in known.items() if n not in latent}
        cases = _read_rows(data, known or None, weights)
        _require_same(graph, cases.names, latent, known)
        found = {**cases.states, **latent}
        layout = FamilyLayout(parents, {node: found[node] for node in graph})
        if start is not None:
            _require_same_states(start, layout.states)
        prior = read_prior(pseudo_count, equivalent_sample_size)
        if isinstance(prior, Mapping):
            for node in prior:
                if node not in graph:
                    raise ProbabilityError(
                        f"There are pseudo-counts of {node!r}, which is not a "
                        f"node of the graph.{did_you_mean(node, graph)}"
                    )
        added = layout.join(
            np.broadcast_to(pseudo_counts(prior, node, shape, False), shape)
            for node, shape in zip(layout.nodes, layout.shapes, strict=True)
        )
        require_unseen(unseen)
        return cls(
            graph, layout, cases, added, unseen, read_limit(max_bytes), name
        )

    # -- the objective and the steps ----------------------------------------

    def describe_objective(self, method: str) -> str:
        """Return the objective in words."""
        words = "log-likelihood"
        if method == "hard EM":
            words = "log-probability of the best completion"
        if self._prior.any():
            words = f"penalised {words}"
        return words

    def e_step(
        self, theta: np.ndarray, *, hard: bool = False
    ) -> tuple[float, np.ndarray]:
        """Return the log-likelihood, and the expected counts."""
        if hard:
            return self._e_step.most_probable(theta)
        return self._e_step.expected(theta)

    def penalty(self, theta: np.ndarray) -> float:
        """Return the term of the objective that comes from the prior."""
        some = self._prior > 0
        if not some.any():
            return 0.0
        with np.errstate(divide="ignore"):
            return float(self._prior[some] @ np.log(theta[some]))

    def m_step(
        self, expected: np.ndarray, theta: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the counts divided by their totals, and these.

        A distribution without counts stays as it is.
        """
        expected = expected + self._prior
        totals = self.layout.totals(expected)
        some = totals > 0
        after = np.where(some, expected / np.where(some, totals, 1), theta)
        after[after < self._e_step.negligible] = 0.0
        return after, totals

    def log_likelihood(self, theta: np.ndarray) -> float:
        """Return the log-likelihood of what was observed."""
        return self.e_step(theta)[0]

    def softmax(self, logs: np.ndarray) -> np.ndarray:
        """Return the distributions that are proportional to exponentials."""
        top = np.maximum.reduceat(logs, self.layout.distribution_starts)
        p = np.exp(logs - np.repeat(top, self.layout.distribution_sizes))
        return p / self.layout.totals(p)

    def require_possible(
        self, theta: np.ndarray, where: str = "start"
    ) -> None:
        """Raise an error that names the first impossible row, if any."""
        if self.e_step(theta)[0] > -np.inf:
            return
        tree = JunctionTree(self.network(theta))
        for row, known in _different_rows(self._cases):
            if tree.log_evidence(known) == -np.inf:
                raise ZeroProbabilityError(
                    f"{row} has probability zero under the {where}: "
                    f"{say(known)}. {_REMEDIES[where]}"
                )

    def find_identical_states(
        self, theta: np.ndarray
    ) -> tuple[str, tuple[State, State]] | None:
        """Find a latent node, and two states with the same distributions."""
        layout = self.layout
        tables = dict(zip(layout.nodes, layout.split(theta), strict=True))
        for node, column in zip(layout.nodes, self._columns, strict=True):
            if (column >= 0).any():
                continue
            by_state = [
                np.moveaxis(
                    tables[child], layout.parents[child].index(node), 0
                )
                for child in self.graph.succ[node]
            ]
            for k, m in combinations(range(len(layout.states[node])), 2):
                if all(np.allclose(t[k], t[m], atol=1e-9) for t in by_state):
                    states = layout.states[node]
                    return node, (states[k], states[m])
        return None

    # -- starts -------------------------------------------------------------

    def starts(
        self,
        start: BayesianNetwork | None,
        restarts: int,
        rng: np.random.Generator | None,
    ) -> Iterator[np.ndarray]:
        """Yield the parameters that each run begins with."""
        has_latent = any((column < 0).all() for column in self._columns)
        is_drawn = restarts > 1 or (start is None and has_latent)
        if is_drawn and rng is None:
            what = (
                "restarts" if restarts > 1 else "latent nodes without a start"
            )
            raise ProbabilityError(
                f"For {what} tables are drawn: give the source of "
                "randomness, or a seed for one, rng=0."
            )
        if start is not None:
            yield self.parameters_of(start)
        else:
            theta = self._available_case_estimate()
            if has_latent:
                theta = self._draw_tables(theta, rng, latent_only=True)
            yield theta
        for _ in range(restarts - 1):
            theta = self._available_case_estimate()
            yield self._draw_tables(theta, rng, latent_only=False)

    def parameters_of(self, network: BayesianNetwork) -> np.ndarray:
        """Return the parameters of a network with this graph."""
        tables = []
        for node in self.layout.nodes:
            axes = (*self.layout.parents[node], node)
            tables.append(network.tables[node].transpose(*axes).values)
        return self._with_unseen(self.layout.join(tables))

    def _available_case_estimate(self) -> np.ndarray:
        """Divide the counts, plus one, of rows with the whole family."""
        cases = unchecked_cases(
            self.layout.states, self._columns, self._weights
        )
        families = [(*self.layout.parents[n], n) for n in self.layout.nodes]
        counts = self.layout.join(cases.count(families)) + 1.0
        return self._with_unseen(counts / self.layout.totals(counts))

    def _draw_tables(self, theta, rng, *, latent_only) -> np.ndarray:
        """Draw the tables of families with missing values at random."""
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

    def _with_unseen(self, theta) -> np.ndarray:
        """Return parameters that are uniform where there are no data."""
        sizes = np.repeat(
            self.layout.distribution_sizes, self.layout.distribution_sizes
        )
        return np.where(self._is_unseen, 1 / sizes, theta)

    # -- results ------------------------------------------------------------

    def counts(self, theta: np.ndarray, method: str) -> NetworkCounts:
        """Return the expected counts as tables."""
        self.require_possible(theta, "network")
        _, expected = self.e_step(theta, hard=method == "hard EM")
        tables = dict(
            zip(self.layout.nodes, self.layout.split(expected), strict=True)
        )
        return NetworkCounts(
            self.graph,
            self.layout.states,
            self.layout.parents,
            tables,
            self.total,
        )

    def network(self, theta: np.ndarray) -> BayesianNetwork:
        """Return the network with these parameters."""
        if self._is_unseen.any() and self._unseen == "marginal":
            theta = self._marginal(theta)
        tables = []
        for node, values in zip(
            self.layout.nodes, self.layout.split(theta), strict=True
        ):
            parents = self.layout.parents[node]
            axes = {n: self.layout.states[n] for n in (*parents, node)}
            tables.append(Table(values.copy(), axes, given=parents))
        return BayesianNetwork(tables, name=self.name)

    def _marginal(self, theta) -> np.ndarray:
        """Return parameters that are marginal where there are no data."""
        _, expected = self.e_step(theta)
        theta = theta.copy()
        for table, counts, is_unseen in zip(
            *map(self.layout.split, (theta, expected, self._is_unseen)),
            strict=True,
        ):
            marginal = counts.reshape(-1, counts.shape[-1]).sum(axis=0)
            if marginal.sum():
                table[is_unseen[..., 0]] = marginal / marginal.sum()
        return theta


# -- reading --------------------------------------------------------------


def _read_latent(
    latent: Latent, known: Mapping[str, Sequence[State]], graph: nx.DiGraph
) -> dict[str, tuple[State, ...]]:
    """Return the states of the nodes without a column."""
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
        latent = {name: known.get(name, ()) for name in names}
    found = {}
    states: Any
    for name, states in latent.items():
        if name not in graph:
            raise ProbabilityError(
                f"The latent {name!r} is not a node of the graph, whose nodes "
                f"are {quoted_list(graph)}.{did_you_mean(name, graph)}"
            )
        if isinstance(states, int | np.integer) and not isinstance(
            states, bool
        ):
            n_states = as_int(
                int(states), f"The number of states of {name!r}", 1
            )
            states = range(n_states)
        found[name] = read_own_states(name, states)
    return found


def _require_same(graph, names, latent, known):
    """Raise an error for a column without a node, or the reverse."""
    for name in names:
        if name in latent:
            raise ProbabilityError(
                f"{name!r} is latent, and has a column. Drop the column; or "
                "leave it out of `latent`, if some rows have a value."
            )
        if name not in graph:
            raise ProbabilityError(
                f"{name!r} is a column, but not a node of the graph, whose "
                f"nodes are {quoted_list(graph)}: drop the column, or add the "
                "node."
                f"{did_you_mean(name, graph)}"
            )
    for node in graph:
        if node not in names and node not in latent:
            states = f"{tuple(known[node])!r}" if node in known else "(...)"
            raise ProbabilityError(
                f"There is no column for the node {node!r}; the columns are "
                f"{quoted_list(names)}. If it is never observed, say so, and "
                f"which states it has: latent={{{node!r}: {states}}}."
                f"{did_you_mean(node, names)}"
            )


def _read_rows(data, states, weights) -> Cases:
    if isinstance(data, pd.DataFrame) and len(data):
        # Before reading, since that would need the states of such a column.
        for name, column in data.items():
            if pd.isna(column.iat[0]) and column.isna().all():
                raise _never_observed(name)
    return read_rows(data, states, weights, missing="keep")


def _distinct_rows(cases: Cases) -> tuple[list[np.ndarray], np.ndarray]:
    """Return the columns of the different rows with a weight, and these."""
    rows = cases.distinct()
    is_used = rows.weights > 0
    columns = [column[is_used] for column in rows.columns]
    for name, column in zip(cases.names, columns, strict=True):
        if column.max(initial=-1) < 0:
            raise _never_observed(name)
    return columns, rows.weights[is_used]


def _different_rows(cases: Cases) -> Iterator[tuple[str, dict[str, State]]]:
    """Yield the name and the observed states of each row with a weight."""
    # Larger data are not in memory: then only the different rows are.
    is_in_memory = type(cases) is Cases
    rows = cases if is_in_memory else cases.distinct()
    seen = set()
    for row, codes in enumerate(zip(*rows.columns, strict=True)):
        if codes in seen or (
            rows.weights is not None and not rows.weights[row]
        ):
            continue
        seen.add(codes)
        states = zip(cases.names, codes, strict=True)
        known = {
            name: cases.states[name][code]
            for name, code in states
            if code >= 0
        }
        yield f"Row {row}" if is_in_memory else "A row", known


def _never_observed(name) -> ProbabilityError:
    return ProbabilityError(
        f"Column {name!r} has no value in any row. If the variable is never "
        f"observed, drop the column and declare it: latent={{{name!r}: "
        "(...)}, with its states."
    )


def _require_same_graph(start: BayesianNetwork, graph: nx.DiGraph) -> None:
    """Raise an error if a start has another graph."""
    nodes = {*start.nodes} ^ {*graph}
    edges = {*start.graph.edges} ^ {*graph.edges}
    if nodes:
        what = f"the nodes {quoted_list(sorted(nodes))}"
    elif edges:
        what = (
            f"the edges {quoted_list(f'{a} -> {b}' for a, b in sorted(edges))}"
        )
    else:
        return
    raise ProbabilityError(
        f"The start has another graph: they differ in {what}."
    )


def _require_same_states(
    start: BayesianNetwork, states: Mapping[str, tuple[State, ...]]
) -> None:
    """Raise an error if a start has other states."""
    for node, expected in states.items():
        if start.states[node] != expected:
            raise ProbabilityError(
                f"{node!r} has the states {quoted_list(expected)}, but "
                f"{quoted_list(start.states[node])} in the start."
            )
