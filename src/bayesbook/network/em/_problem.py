"""What EM climbs: a graph and the rows that its tables are learnt from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from bayesbook.base import ProbabilityError, ZeroProbabilityError
from bayesbook.base.labels import read_limit, read_names, read_own_states, say
from bayesbook.base.names import did_you_mean, quoted_list
from bayesbook.base.numbers import as_int
from bayesbook.data import Cases, read_cases
from bayesbook.data.columns import columns_of
from bayesbook.network.em._convergence import KICK
from bayesbook.network.em._e_step import Expectation, possible_counts
from bayesbook.network.em._family_layout import FamilyLayout
from bayesbook.network.inference.junction_tree import JunctionTree
from bayesbook.network.learning.parameters import (
    UNSEEN,
    NetworkCounts,
    pseudo_counts,
    read_graph,
    read_prior,
)
from bayesbook.network.model import BayesianNetwork, require_network
from bayesbook.probability import MAX_BYTES, Table


class Problem:
    """A graph and the rows that its tables are learnt from."""

    def __init__(self, graph, layout, cases, extra, unseen, max_bytes, name):
        self.graph, self.layout, self.name = graph, layout, name
        self._cases, self._unseen = cases, unseen
        self._extra = extra
        columns, self._weights = distinct_rows(cases)
        own = dict(zip(cases.names, columns, strict=True))
        hidden = np.full(len(self._weights), -1, dtype=np.int8)
        self._columns = columns = [
            own.get(node, hidden) for node in layout.nodes
        ]
        self.total = float(cases.total)
        self._expectation = Expectation(
            layout, columns, self._weights, max_bytes
        )
        self.is_complete = self._expectation.is_complete
        possible = possible_counts(layout, columns, self._weights)
        #: Numbers of distributions that the data say nothing about.
        self._is_unseen = layout.totals(possible + extra) == 0
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
        graph,
        data,
        *,
        latent=None,
        start=None,
        pseudo_count=0,
        equivalent_sample_size=None,
        unseen="error",
        states=None,
        weights=None,
        max_bytes=MAX_BYTES,
        name="",
    ):
        """Read what a learner is given."""
        if start is not None:
            require_network(start)
        given = graph.states if isinstance(graph, BayesianNetwork) else {}
        known = {**(start.states if start is not None else {}), **given}
        graph, parents = read_graph(graph)
        if start is not None:
            require_same_graph(start, graph)
        latent = _read_latent(latent, known, graph)
        names = columns_of(data, weights)
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
            require_same_states(start, layout.states)
        prior = read_prior(pseudo_count, equivalent_sample_size)
        if isinstance(prior, Mapping):
            for node in prior:
                if node not in graph:
                    raise ProbabilityError(
                        f"There are pseudo-counts of {node!r}, which is no "
                        f"node of the graph.{did_you_mean(node, graph)}"
                    )
        extra = layout.join(
            np.broadcast_to(pseudo_counts(prior, node, shape, False), shape)
            for node, shape in zip(layout.nodes, layout.shapes, strict=True)
        )
        if unseen not in UNSEEN:
            raise ProbabilityError(
                f"unseen must be one of {quoted_list(UNSEEN)}, not {unseen!r}."
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
        """Return the log-likelihood, and the expected counts."""
        e_step = self._expectation
        return (e_step.complete if hard else e_step.expect)(theta)

    def penalty(self, theta):
        """Return what the pseudo-counts add to the objective."""
        some = self._extra > 0
        if not some.any():
            return 0.0
        with np.errstate(divide="ignore"):
            return float(self._extra[some] @ np.log(theta[some]))

    def divide(self, expected, theta):
        """Return the M step, and the total of each distribution at its numbers.

        A distribution that nothing was counted for stays as it is.
        """
        expected = expected + self._extra
        totals = self.layout.totals(expected)
        some = totals > 0
        after = np.where(some, expected / np.where(some, totals, 1), theta)
        after[after < self._expectation.negligible] = 0.0
        return after, totals

    def log_likelihood(self, theta):
        return self.expect(theta)[0]

    def softmax(self, logs):
        """Return the distributions that are proportional to exponentials."""
        top = np.maximum.reduceat(logs, self.layout.distribution_starts)
        p = np.exp(logs - np.repeat(top, self.layout.distribution_sizes))
        return p / self.layout.totals(p)

    def kicked(self, theta, rng):
        """Change the parameters a little at random."""
        p = theta * np.exp(KICK * rng.standard_normal(len(theta)))
        return p / self.layout.totals(p)

    def require_possible(self, theta):
        """Refuse a start under which a row is impossible."""
        if self.expect(theta)[0] > -np.inf:
            return
        tree = JunctionTree(self.network(theta))
        refuse_impossible(
            self._cases, lambda known: tree.log_evidence(known) == -np.inf
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

    def starts(self, start, restarts, rng):
        """Return the parameters that each run begins with."""
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
        rng = np.random.default_rng(rng) if is_drawn else None
        if start is not None:
            yield self.of_network(start)
        else:
            theta = self.available()
            if has_latent:
                theta = self.drawn(theta, rng, latent_only=True)
            yield theta
        for _ in range(restarts - 1):
            yield self.drawn(self.available(), rng, latent_only=False)

    def of_network(self, network):
        """Return the numbers of a network with this graph."""
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
        sizes = np.repeat(
            self.layout.distribution_sizes, self.layout.distribution_sizes
        )
        return np.where(self._is_unseen, 1 / sizes, theta)

    # -- results

    def counts(self, theta, method):
        """Return the expected counts as tables."""
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
        for node, distribution in zip(
            self.layout.nodes, self.layout.split(theta), strict=True
        ):
            parents = self.layout.parents[node]
            axes = {n: self.layout.states[n] for n in (*parents, node)}
            tables.append(Table(distribution.copy(), axes, given=parents))
        return BayesianNetwork(tables, name=self.name)

    def _marginal(self, theta):
        """Put the distribution of the node where no row can be."""
        _, expected = self.expect(theta)
        theta = theta.copy()
        for distribution, counts, is_unseen in zip(
            *map(self.layout.split, (theta, expected, self._is_unseen)),
            strict=True,
        ):
            own = counts.reshape(-1, counts.shape[-1]).sum(axis=0)
            if own.sum():
                distribution[is_unseen[..., 0]] = own / own.sum()
        return theta


# -- reading --------------------------------------------------------------


def _read_latent(latent, known, graph):
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
        latent = {name: known.get(name) for name in names}
    found = {}
    for name, own in latent.items():
        if name not in graph:
            raise ProbabilityError(
                f"The latent {name!r} is no node of the graph, whose nodes "
                f"are {quoted_list(graph)}.{did_you_mean(name, graph)}"
            )
        if isinstance(own, int | np.integer) and not isinstance(own, bool):
            own = range(as_int(own, f"The number of states of {name!r}", 1))
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
                f"are {quoted_list(graph)}: drop the column, or add the node."
                f"{did_you_mean(name, graph)}"
            )
    for node in graph:
        if node not in names and node not in latent:
            own = f"{tuple(known[node])!r}" if node in known else "(...)"
            raise ProbabilityError(
                f"There is no column for the node {node!r}; the columns are "
                f"{quoted_list(names)}. If it is never observed, say so, and "
                f"which states it has: latent={{{node!r}: {own}}}."
                f"{did_you_mean(node, names)}"
            )


def _read_rows(data, states, weights):
    if isinstance(data, pd.DataFrame) and len(data):
        # Before the states of such a column are asked for.
        for name, column in data.items():
            if pd.isna(column.iat[0]) and column.isna().all():
                raise _never_observed(name)
    return read_cases(data, states=states, weights=weights, missing="keep")


def distinct_rows(cases):
    """Return the columns of the different rows that count, and their weights."""
    rows = cases.distinct()
    counts = rows.weights > 0
    columns = [column[counts] for column in rows.columns]
    for name, column in zip(cases.names, columns, strict=True):
        if column.max(initial=-1) < 0:
            raise _never_observed(name)
    return columns, rows.weights[counts]


def refuse_impossible(cases, is_impossible):
    """Name the first row that is; nothing if there is none.

    `is_impossible` is asked about the states known in a row.
    """
    asked = {}
    # The rows of larger data are not all at hand: then the different ones.
    is_own = type(cases) is Cases
    rows = cases if is_own else cases.distinct()
    for row in range(rows.n_rows):
        if rows.weights is not None and not rows.weights[row]:
            continue
        codes = tuple(int(column[row]) for column in rows.columns)
        if codes in asked:
            continue
        asked[codes] = known = {
            name: cases.states[name][code]
            for name, code in zip(cases.names, codes, strict=True)
            if code >= 0
        }
        if is_impossible(known):
            raise ZeroProbabilityError(
                f"{f'Row {row}' if is_own else 'A row'} has probability zero "
                f"under the start: {say(known)}. A zero stays zero in every "
                "step: begin with other tables."
            )


def _never_observed(name):
    return ProbabilityError(
        f"Column {name!r} has no value in any row. If the variable is never "
        f"observed, drop the column and declare it: latent={{{name!r}: "
        "(...)}, with its states."
    )


def require_same_graph(start, graph):
    """Refuse a start for another graph."""
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


def require_same_states(start, states):
    """Refuse a start with other states."""
    for node, own in states.items():
        if start.states[node] != own:
            raise ProbabilityError(
                f"{node!r} has the states {quoted_list(own)}, but "
                f"{quoted_list(start.states[node])} in the start."
            )
