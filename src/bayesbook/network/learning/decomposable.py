"""Decomposable scores: a sum of terms, one for each node and its parents.

The class :class:`Score` counts families and remembers their terms; what the
scores are is in :mod:`bayesbook.network.learning.scores`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import log, prod

import networkx as nx
import numpy as np
from scipy.special import xlogy

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.base.labels import require_size
from bayesbook.base.names import (
    alphabetical,
    did_you_mean,
    pluralise,
    quoted_list,
)
from bayesbook.graphs import check_dag
from bayesbook.network.learning._star_counts import StarCounts
from bayesbook.network.learning.parameters import (
    Data,
    GraphLike,
    States,
    Weights,
    read_graph,
    read_rows,
)
from bayesbook.network.learning.search_path import Move
from bayesbook.network.model import BayesianNetwork

__all__ = ["Score"]

_FEW = "Limit how many parents a node may have, max_parents=3, say."
# How many cells of tables are held in memory at a time.
_CELLS = 2**22
# The rounding error of a sum of nats, as a share of the sum.
_ROUNDING = 1e-12


class Score:
    """A decomposable score of graphs for some data; see its subclasses.

    A subclass has a price for parameters, or overrides ``_score_rows`` with
    what each configuration of the parents adds.

    Parameters
    ----------
    data : DataFrame, Cases, dask DataFrame, or iterable of DataFrames
        Discrete columns without missing values; see
        :class:`bayesbook.data.Cases`.
    states, weights
        As there.

    Attributes
    ----------
    cases : Cases
        The rows, read.
    names : tuple of str
        The columns: the nodes of the graphs.
    price : float or None
        The price of a free parameter, in nats: the f of the sources; None
        for BDeu and K2.
    n_counted : int
        How many families, nodes with sets of parents, have been counted.
        Their scores are remembered.
    rounding : float
        Scores that differ by no more are equal, except for rounding errors.
    is_score_equivalent : bool
        Whether Markov equivalent graphs have equal scores.

    Raises
    ------
    ProbabilityError
        As for the cases; and if a value is missing.
    TypeError
        If the data are a graph.

    Examples
    --------
    A score with a price of its own:

    >>> import pandas as pd
    >>> class Frugal(Score):
    ...     name, price = "frugal", 3.0
    >>> rows = pd.DataFrame({"A": [0, 0, 1, 1] * 5, "B": [0, 1, 1, 1] * 5})
    >>> score = Frugal(rows)
    >>> score
    Frugal of 20 rows and 2 columns
    >>> print(f"{score.total('A -> B') - score.total('A, B'):.3f}")
    1.315
    """

    #: The name of the score in results.
    name: str = "score"
    price: float | None = 0.0
    is_score_equivalent: bool = True

    def __init__(
        self,
        data: Data,
        *,
        states: States | None = None,
        weights: Weights | None = None,
    ) -> None:
        if isinstance(data, (nx.Graph, BayesianNetwork, str)):
            name = type(self).__name__
            raise TypeError(
                f"{name} is made of data, and {data!r} is a graph: give the "
                f"data first, and the graph to its total, {name}(data)."
                "total(graph)."
            )
        self.data = data
        self.cases = read_rows(data, states, weights)
        if self.cases.has_missing:
            raise ProbabilityError(
                "Values are missing, and a score needs complete rows: leave "
                "incomplete rows out, or fill the missing values in; with a "
                "known graph fit_em learns from the values that are there."
            )
        self.names = self.cases.names
        self.n_counted = 0
        size = max(self.cases.total, 2.0)
        self.rounding = _ROUNDING * size * log(size)
        n_states = zip(self.names, self.cases.n_states, strict=True)
        self._n_states = dict(n_states)
        ranks = sorted(self.names, key=alphabetical)
        self._rank = {name: rank for rank, name in enumerate(ranks)}
        self._known: dict[tuple[str, frozenset[str]], float] = {}
        self._stars = StarCounts(self.cases)

    # -- what searches need -----------------------------------------------

    def local(self, node: str, parents: Collection[str] = ()) -> float:
        """Return the term of one node.

        Parameters
        ----------
        node : str
        parents : collection of str

        Returns
        -------
        float

        Raises
        ------
        ProbabilityError
            If there is no such column, or a node is its own parent.
        TableTooLargeError
            If the table of the node and its parents would be too large.

        Examples
        --------
        >>> import pandas as pd
        >>> from bayesbook.network import LogLikelihood
        >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
        >>> round(LogLikelihood(rows).local("B", ["A"]), 4)  # 2 log ½
        -1.3863
        """
        return float(self.locals(node, [parents])[0])

    def locals(
        self, node: str, parent_sets: Iterable[Collection[str]]
    ) -> np.ndarray:
        """Return the terms of one node with several sets of parents.

        All that are not known yet are counted in one pass over the rows.

        Parameters
        ----------
        node : str
        parent_sets : iterable of collections of str

        Returns
        -------
        array of floats, one for each set of parents

        Raises
        ------
        ProbabilityError, TableTooLargeError
            As for :meth:`local`.

        Examples
        --------
        >>> import pandas as pd
        >>> from bayesbook.network import LogLikelihood
        >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 0, 1, 1]})
        >>> LogLikelihood(rows).locals("B", [(), ("A",)]).round(4) + 0.0
        array([-2.7726,  0.    ])
        """
        families = [(node, self._set(parents)) for parents in parent_sets]
        self.prepare(families)
        return np.array([self._known[family] for family in families])

    def prepare(self, families: Iterable[tuple[str, Collection[str]]]) -> None:
        """Count many families in one pass over the rows, and remember them.

        Afterwards :meth:`local` and :meth:`locals` look them up. It pays
        where a pass takes long: with rows on a disk, or on other machines.

        Parameters
        ----------
        families : iterable of (node, collection of parents)

        Raises
        ------
        ProbabilityError, TableTooLargeError
            As for :meth:`local`.

        Examples
        --------
        >>> import pandas as pd
        >>> from bayesbook.network import BIC
        >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
        >>> score = BIC(rows)
        >>> score.prepare([("A", ()), ("B", ()), ("B", ("A",))])
        >>> score.n_counted
        3
        """
        families = ((node, self._set(parents)) for node, parents in families)
        new = dict.fromkeys(
            family for family in families if family not in self._known
        )
        for node, parents in new:
            self._check_family(node, parents)
            shape = [self._n_states[name] for name in (node, *parents)]
            require_size(shape, "float", f"The table of {node!r}", remedy=_FEW)
        for batch in self._batches(new):
            self._count(batch)

    def prepare_changes(
        self,
        changes: Iterable[
            tuple[str, frozenset[str], Sequence[str], Sequence[str]]
        ],
    ) -> None:
        """Count nodes with one parent more, or one less, in one pass.

        With few rows this is much faster than :meth:`prepare`.

        Parameters
        ----------
        changes : iterable of (node, parents, added, removed)
            The parents are a frozenset; of the last two, which are lists, one
            parent at a time is added or removed.

        Raises
        ------
        TableTooLargeError
            As for :meth:`local`.

        Examples
        --------
        >>> import pandas as pd
        >>> from bayesbook.network import BIC
        >>> rows = pd.DataFrame({"A": [0, 0], "B": [0, 1], "C": [1, 0]})
        >>> score = BIC(rows)
        >>> score.prepare_changes([("A", frozenset("B"), ["C"], ["B"])])
        >>> score.n_counted  # A given B and C, and A alone
        2
        """
        families = []
        for node, parents, added, removed in changes:
            families += [(node, parents - {other}) for other in removed]
            new = [
                other
                for other in added
                if (node, parents | {other}) not in self._known
            ]
            if new and self._stars.can_count([*parents, node]):
                self._count_star(node, parents, new)
            else:
                families += [(node, parents | {other}) for other in new]
        self.prepare(families)

    def penalty(self, node: str, parents: Collection[str] = ()) -> float:
        """Return what the score takes off the log-likelihood of one node.

        The price of its parameters; for BDeu and K2, which have no price,
        how far they are below the log-likelihood.

        Parameters and errors are those of :meth:`local`.

        Examples
        --------
        >>> import pandas as pd
        >>> from bayesbook.network import AIC
        >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
        >>> AIC(rows).penalty("B", ["A"])
        2.0
        """
        if self.price is not None:
            return self.price * self.n_parameters(node, parents)
        family = (node, self._set(parents))
        score = self.local(*family)
        (table,) = self._count_tables([family])
        likelihoods = _log_likelihoods(table, table.sum(axis=1))
        return float(likelihoods.sum()) - score

    def n_parameters(self, node: str, parents: Collection[str] = ()) -> int:
        """Count the free parameters of P(node | parents), q (r - 1).

        Parameters and errors are those of :meth:`local`.

        Examples
        --------
        >>> import pandas as pd
        >>> from bayesbook.network import BIC
        >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 2, 1]})
        >>> BIC(rows).n_parameters("B", ["A"])  # 2 (3 - 1)
        4
        """
        parents = self._set(parents)
        self._check_family(node, parents)
        return self._n_configurations(parents) * (self._n_states[node] - 1)

    def total(self, graph: GraphLike) -> float:
        """Return the score of a graph.

        Parameters
        ----------
        graph : networkx.DiGraph, BayesianNetwork or str
            Its nodes are the columns. A text is read by
            :func:`bayesbook.graphs.parse`.

        Returns
        -------
        float

        Raises
        ------
        GraphError
            If it has a cycle, or its nodes are not the columns.
        TypeError
            If it is not a graph.
        TableTooLargeError
            As for :meth:`local`.

        Examples
        --------
        >>> import pandas as pd
        >>> from bayesbook.network import BIC
        >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
        >>> round(BIC(rows).total("A -> B"), 4)
        -6.2383
        """
        graph = read_nodes(graph, self.names)
        families = [(node, frozenset(graph.pred[node])) for node in graph]
        self.prepare(families)
        # The sum is in the order of the names, whatever the graph's order.
        families.sort(key=lambda family: self._rank[family[0]])
        return sum(self._known[family] for family in families)

    def delta(
        self, graph: GraphLike, move: Move | tuple[str, str, str]
    ) -> float:
        """Return by how much a change of one edge raises the score of a graph.

        Parameters
        ----------
        graph : networkx.DiGraph, BayesianNetwork or str
            As for :meth:`total`.
        move : Move, or a tuple of its kind, tail and head

        Returns
        -------
        float
            The difference of one term, or of two if the edge is reversed.

        Raises
        ------
        GraphError
            As for :meth:`total`; and if the move is not possible, or makes a
            cycle.

        Examples
        --------
        >>> import pandas as pd
        >>> from bayesbook.network import BIC
        >>> rows = pd.DataFrame({"A": [0, 0, 1, 1], "B": [0, 1, 1, 1]})
        >>> round(BIC(rows).delta("A, B", ("add", "A", "B")), 4)
        0.1699
        """
        graph = read_nodes(graph, self.names)
        move = Move(*move)
        for node in (move.tail, move.head):
            require_node(node, self.names)
        changed = nx.DiGraph(graph)
        move.apply(changed)
        check_dag(changed)
        heads = move[1:] if move.kind == "reverse" else move[2:]
        return sum(
            self.local(node, changed.pred[node])
            - self.local(node, graph.pred[node])
            for node in heads
        )

    def __repr__(self) -> str:
        rows = pluralise(self.cases.n_rows, "row")
        columns = pluralise(len(self.names), "column")
        return f"{type(self).__name__} of {rows} and {columns}"

    # -- how families are counted -----------------------------------------

    def _count_star(self, node, parents, others):
        """Score a node with each of several further parents."""
        counts = self._stars.count([*self._in_order(parents), node], others)
        n_before = self._n_configurations(parents)
        n_states, n_free = self._n_states[node], self._n_states[node] - 1
        # A row for each configuration, where the other one comes last.
        counts = counts.reshape(n_before, n_states, -1).transpose(0, 2, 1)
        sizes = np.array([self._n_states[other] for other in others])
        n_rows = np.tile(np.repeat(n_before * sizes, sizes), n_before)
        by_row = self._score_rows(counts.reshape(-1, n_states), n_rows)
        by_state = by_row.reshape(n_before, -1).sum(axis=0)
        scores = np.add.reduceat(by_state, np.cumsum(sizes) - sizes)
        scores -= (self.price or 0.0) * n_before * sizes * n_free
        self.n_counted += len(others)
        for other, score in zip(others, scores.tolist(), strict=True):
            self._known[node, parents | {other}] = score

    def _in_order(self, parents):
        """Sort parents, so that sums are rounded alike in any order."""
        return sorted(parents, key=self._rank.__getitem__)

    def _set(self, parents: Collection[str]) -> frozenset[str]:
        if isinstance(parents, frozenset):
            return parents
        # A single name is that name, not its letters.
        return frozenset([parents] if isinstance(parents, str) else parents)

    def _check_family(self, node, parents):
        for name in (node, *parents):
            if name not in self._n_states:
                raise ProbabilityError(
                    f"{name!r} is not a column of the data; the columns are "
                    f"{quoted_list(self.names)}."
                    f"{did_you_mean(name, self.names)}"
                )
        if node in parents:
            raise ProbabilityError(f"{node!r} is a parent of itself.")

    def _n_configurations(self, parents):
        return prod(self._n_states[name] for name in parents)

    def _batches(self, families) -> Iterator[list]:
        """Split families so that the tables of a batch fit into memory."""
        batch: list[tuple[str, frozenset[str]]] = []
        n_cells = 0
        for node, parents in families:
            size = self._n_configurations(parents) * self._n_states[node]
            if batch and n_cells + size > _CELLS:
                yield batch
                batch, n_cells = [], 0
            batch.append((node, parents))
            n_cells += size
        if batch:
            yield batch

    def _count_tables(self, families) -> list[np.ndarray]:
        """Count; a row for each configuration, a column for each state."""
        ordered = [
            (*self._in_order(parents), node) for node, parents in families
        ]
        return [
            table.reshape(-1, table.shape[-1])
            for table in self.cases.count(ordered)
        ]

    def _count(self, families: Sequence[tuple[str, frozenset[str]]]) -> None:
        """Score families; nodes with equally many states go together."""
        tables = self._count_tables(families)
        self.n_counted += len(families)
        price = self.price or 0.0
        by_states: dict[int, list] = {}
        for family, table in zip(families, tables, strict=True):
            by_states.setdefault(table.shape[1], []).append((family, table))
        for n_states, group in by_states.items():
            n_free = n_states - 1
            scores = self._score_tables([table for _, table in group])
            for ((node, parents), _), score in zip(group, scores, strict=True):
                size = self._n_configurations(parents) * n_free
                self._known[node, parents] = float(score) - price * size

    def _score_tables(self, tables: Sequence[np.ndarray]) -> np.ndarray:
        """Stack tables, score the rows, and return the sum of each table."""
        lengths = [len(table) for table in tables]
        starts = np.concatenate([[0], np.cumsum(lengths[:-1], dtype=int)])
        counts = np.concatenate(tables)
        n_rows = np.repeat(lengths, lengths)
        return np.add.reduceat(self._score_rows(counts, n_rows), starts)

    def _score_rows(
        self, counts: np.ndarray, n_rows: np.ndarray
    ) -> np.ndarray:
        """Return the score of each row: of a configuration of the parents.

        The rows of several tables are stacked, of shape (R, r); `n_rows` has
        for each of them how many rows its table has.
        """
        return _log_likelihoods(counts, counts.sum(axis=1))


def read_nodes(graph: GraphLike, names: Collection[str]) -> nx.DiGraph:
    """Read a DAG whose nodes are the columns."""
    graph, _ = read_graph(graph)
    for node in graph:
        require_node(node, names)
    missing = sorted(set(names) - set(graph), key=alphabetical)
    if missing:
        raise GraphError(
            f"The graph lacks the columns {quoted_list(missing)}: add them as "
            "nodes, if need be without edges, or leave them out of the data."
        )
    return graph


def require_node(node: str, names: Collection[str], what: str = "") -> None:
    """Raise an error if a node is not a column."""
    if node not in names:
        raise GraphError(
            f"{what}{node!r} is not a column of the data; the columns are "
            f"{quoted_list(names)}.{did_you_mean(node, names)}"
        )


def _log_likelihoods(counts, n):
    """Return sum_k N_jk log(N_jk / N_j) of each row."""
    return xlogy(counts, counts).sum(axis=1) - xlogy(n, n)
