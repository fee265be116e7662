"""Ancestral sampling: every node is drawn after its parents, with weights."""

from __future__ import annotations

import numpy as np
import pandas as pd

from bayesbook.base import TableTooLargeError
from bayesbook.base.labels import MAX_BYTES, readable_bytes
from bayesbook.base.names import pluralise
from bayesbook.base.numbers import as_floats, logs_of

#: The number of rows that are drawn at once: they stay in the cache.
CHUNK = 2**14


def require_draws(n_rows, n_nodes, n_bytes, remedy):
    """Raise an error if draws would not fit into memory."""
    if n_bytes > MAX_BYTES:
        raise TableTooLargeError(
            f"{n_rows:,} draws of {pluralise(n_nodes, 'node')} need "
            f"{readable_bytes(n_bytes)} of memory; the limit is "
            f"{readable_bytes(MAX_BYTES)}. {remedy}"
        )


def frame_of(states, codes, index=None):
    """Return codes of states as a data frame of categorical columns."""
    # An index, because a list of tuples would be read as several levels.
    return pd.DataFrame(
        {
            node: pd.Categorical.from_codes(
                column, categories=pd.Index(states[node], tupleize_cols=False)
            )
            for node, column in codes.items()
        },
        index=index,
        copy=False,
    )


def likelihoods(network, known):
    """Return a factor for each state of every node with evidence."""
    factors = known.weights()
    for node, code in known.hard.items():
        factors[node] = np.zeros(len(network.states[node]))
        factors[node][code] = 1
    return factors


class ForwardSampler:
    r"""Draw all nodes, in topological order, and compute weights.

    A node is drawn from P(x | parents) f(x), divided by its sum over x, and
    the row is weighted by this sum, where f is a factor of the node. If f is
    1 at the observed state and 0 elsewhere, this is likelihood weighting
    (Fung and Chang, 1990; Shachter and Peot, 1990).

    Parameters
    ----------
    network : BayesianNetwork
    factors : mapping of node to array
        A non-negative number for each state; 1 if a node is not there.
    """

    def __init__(self, network, factors):
        largest = max(map(len, network.states.values()))
        self.dtype = np.min_scalar_type(largest - 1)
        self._steps = [
            _NodeSampler(network, node, factors.get(node))
            for node in network.order
        ]

    def draw(self, size, rng):
        """Draw rows: the codes of each node, and logarithms of the weights."""
        codes, log_weights = {}, np.zeros(size)
        for step in self._steps:
            codes[step.node] = step.draw(
                codes, size, rng, self.dtype, log_weights
            )
        return codes, log_weights

    def draw_agreeing(self, size, rng, agrees):
        """Draw rows, and drop those that do not agree with the evidence.

        `agrees` maps a node to a function of its codes and the generator. A
        row is dropped as soon as one function returns false; its other nodes
        are not drawn. Returned are the numbers of the rows that are left, and
        their codes.
        """
        codes, place = {}, np.arange(size)
        for step in self._steps:
            codes[step.node] = step.draw(codes, len(place), rng, self.dtype)
            if step.node in agrees:
                kept = agrees[step.node](codes[step.node], rng)
                codes = {node: column[kept] for node, column in codes.items()}
                place = place[kept]
        return place, codes


class _NodeSampler:
    """The distribution of one node, as thresholds for a uniform number."""

    def __init__(self, network, node, factor):
        table = network.tables[node]
        self.node, self.parents = node, table.conditions
        self.sizes = table.shape[:-1]
        distribution = as_floats(table.values).reshape(-1, table.shape[-1])
        self.log_totals = None
        if factor is not None:
            distribution = distribution * factor
            # The numbers that are left may be too small for floats.
            logs = logs_of(table.values).reshape(distribution.shape)
            logs = logs + logs_of(factor)
            self.log_totals = np.logaddexp.reduce(logs, axis=1)
        self.thresholds = thresholds(distribution)
        possible = np.flatnonzero(distribution.any(axis=0))
        self.only = int(possible[0]) if len(possible) == 1 else None

    def draw(self, codes, size, rng, dtype, log_weights=None):
        """Draw the codes of the node, and add to the logs of the weights."""
        row = self._row(codes, size)
        if self.log_totals is not None:
            log_weights += self.log_totals[row]
        if self.only is not None:
            return np.full(size, self.only, dtype)
        u = rng.random(size)
        drawn = np.zeros(size, dtype)
        for threshold in self.thresholds:
            drawn += u >= threshold[row]
        return drawn

    def _row(self, codes, size):
        """Return the row of the table that belongs to the parents' states."""
        if not self.parents:
            return np.zeros(size, np.intp)
        first, *others = self.parents
        row = codes[first].astype(np.intp)
        for parent, states in zip(others, self.sizes[1:], strict=True):
            row *= states
            row += codes[parent]
        return row


def thresholds(distribution):
    r"""Turn distributions into thresholds, one fewer than there are states.

    A uniform number u in [0, 1) draws the state whose code is the number of
    thresholds that are at most u. The thresholds are cumulative sums over the
    total: those behind the last state with a positive probability are exactly
    1, so that rounding never draws an impossible state.

    Parameters
    ----------
    distribution : array of shape (n_distributions, n_states)
        Not negative. A distribution of zeros gives the last state.

    Returns
    -------
    list of n_states - 1 arrays of shape (n_distributions,)
    """
    sums = distribution.cumsum(axis=1)
    totals = sums[:, -1:]
    sums = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
    return [np.ascontiguousarray(column) for column in sums.T[:-1]]
