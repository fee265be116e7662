"""The junction tree: all posterior distributions of a network at once.

>>> from bayesbook.network import load_network
>>> JunctionTree(load_network("asia")).posteriors({"xray": "yes"})["lung"]
P(lung | xray=yes)
lung=yes  lung=no
  0.4887   0.5113
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import exp, inf, prod
from threading import RLock
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from bayesbook.base import ZeroProbabilityError
from bayesbook.base.labels import about, read_limit, require_size
from bayesbook.base.names import pluralise
from bayesbook.base.numbers import logs_of
from bayesbook.network.evidence import (
    Evidence,
    EvidenceLike,
    as_text,
    impossible,
    read_columns,
    read_evidence,
    read_query,
    weights_of,
)
from bayesbook.network.factor import Factor, unchecked_factor
from bayesbook.network.inference.batch import BatchPosteriors
from bayesbook.network.inference.compiled_tree import CompiledTree, LogTree
from bayesbook.network.inference.most_probable import MostProbable
from bayesbook.network.inference.triangulation import (
    REMEDY,
    Cliques,
    triangulate,
)
from bayesbook.network.posteriors import (
    Posteriors,
    exponential,
    shown_evidence,
)
from bayesbook.network.tabular import TabularNetwork, require_network
from bayesbook.probability import MAX_BYTES, Table
from bayesbook.probability.table import unchecked_table

__all__ = ["JunctionTree"]

# What is remembered for at most this many sets of observed nodes.
_MOST_TREES = 16
# Of many rows as many are computed at a time as have this many cells.
_BATCH_CELLS = 500_000


class JunctionTree:
    """All posterior distributions of a network at once, for any evidence.

    The cliques of a triangulated graph form a tree, in which messages are
    sent towards a root and back; then each clique holds the joint distribution
    of its nodes given the evidence (Lauritzen and Spiegelhalter 1988).

    For each *set* of observed nodes a tree without these nodes is built and
    remembered; with other states of the same nodes only the messages are
    computed again.

    Parameters
    ----------
    network : BayesianNetwork
    max_bytes : int
        A tree whose tables would need more is refused before they are made.

    Raises
    ------
    TypeError
        If `network` is not a network.
    ProbabilityError
        If `max_bytes` is not a positive number.
    TableTooLargeError
        By each method that needs tables, if they would need more than
        `max_bytes`.

    Notes
    -----
    One tree may be used by several threads.

    The properties of the tree, such as `n_cells`, are those without evidence.
    With evidence a query may cost less: observed nodes are in no clique.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> tree = JunctionTree(load_network("asia"))
    >>> tree.largest_clique
    ('lung', 'bronc', 'either')
    >>> tree.posteriors({"dysp": "yes", "asia": "yes"})["tub"]
    P(tub | dysp=yes, asia=yes)
    tub=yes  tub=no
     0.0878  0.9122
    """

    __slots__ = (
        "__weakref__",
        "_cliques",
        "_compiled",
        "_factors",
        "_lock",
        "_log_factors",
        "_max_bytes",
        "_network",
        "_scopes",
        "_sizes",
    )

    def __init__(self, network: TabularNetwork, *, max_bytes: int = MAX_BYTES):
        require_network(network)
        self._network = network
        self._max_bytes = read_limit(max_bytes)
        self._sizes = {n: len(states) for n, states in network.states.items()}
        tables = network.tables.values()
        self._scopes = [table.variables for table in tables]
        self._factors = _factors(tables, network._arrays())
        self._log_factors: list[Factor] = []
        self._lock = RLock()
        self._cliques: dict[tuple, Cliques] = {}
        self._compiled: dict[tuple, CompiledTree] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(JunctionTree, max_bytes=self._max_bytes), (
            self._network,
        )

    # -- the tree and its size ---------------------------------------------

    @property
    def network(self) -> TabularNetwork:
        """The network."""
        return self._network

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The nodes of each clique, when nothing is observed."""
        return tuple(self._triangulated().members)

    @property
    def tree(self) -> nx.Graph:
        """The tree: numbers of `cliques`, joined by edges with separators.

        A node has the attribute ``clique``, an edge ``separator``, the nodes
        that both its ends have. Parts of the network that are not connected
        are trees of their own.
        """
        cliques = self._triangulated()
        tree = nx.Graph()
        for i, members in enumerate(cliques.members):
            tree.add_node(i, clique=members)
        for i, parent in enumerate(cliques.parents):
            if parent >= 0:
                above = cliques.members[parent]
                shared = [n for n in cliques.members[i] if n in above]
                tree.add_edge(parent, i, separator=tuple(shared))
        return nx.freeze(tree)

    @property
    def n_cells(self) -> int:
        """The number of cells of the tables of all cliques."""
        return self._triangulated().n_cells

    @property
    def n_bytes(self) -> int:
        """The number of bytes that the tables of all cliques need."""
        return 8 * self.n_cells

    @property
    def largest_clique(self) -> tuple[str, ...]:
        """The clique with the largest table."""
        return max(self.cliques, key=self._cells)

    @property
    def width(self) -> int:
        """The number of nodes of the widest clique, less one.

        At least the treewidth of the moral graph.
        """
        return max(map(len, self.cliques)) - 1

    def __repr__(self) -> str:
        return (
            f"JunctionTree of {self._network.name or 'a network'}: "
            f"{pluralise(len(self.cliques), 'clique')}, width "
            f"{self.width}, {pluralise(self.n_cells, 'cell')}"
        )

    # -- queries ----------------------------------------------------------

    def posteriors(self, evidence: EvidenceLike | None = None) -> Posteriors:
        """Return the distribution of every node given the evidence.

        Parameters
        ----------
        evidence : mapping, optional
            From a node to its state, or to a likelihood for each of its
            states (soft evidence).

        Returns
        -------
        Posteriors
            A mapping of node to Table. An observed node has its state with
            probability one.

        Raises
        ------
        TypeError
            If the evidence is not a mapping.
        ProbabilityError
            If a node or a state is unknown, or a likelihood is not a number.
        ZeroProbabilityError
            If the evidence has probability zero.
        TableTooLargeError
            If the tables would need more than `max_bytes`.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = JunctionTree(load_network("asia"))
        >>> found = asia.posteriors({"xray": {"yes": 0.9, "no": 0.3}})
        >>> found["lung"].title
        'P(lung | xray=(yes: 0.9, no: 0.3))'
        >>> found.array("lung").round(4)
        array([0.1334, 0.8666])
        """
        known = read_evidence(self._network, evidence)
        total, found = self._run(known)
        if total == -inf:
            raise impossible(self._network, known)
        arrays = {node: factor.values for (node,), factor in found.items()}
        return Posteriors(
            self._network.states, arrays, known.given, total + known.log_factor
        )

    def joint(
        self, names: str | Iterable[str], evidence: EvidenceLike | None = None
    ) -> Table:
        """Return the joint distribution of several nodes given the evidence.

        Parameters
        ----------
        names : str or iterable of str
            Nodes without a known state. If no clique contains all of them, a
            tree is made in which one does.
        evidence : mapping, optional

        Returns
        -------
        Table
            With the axes in the order of `names`.

        Raises
        ------
        TypeError, ProbabilityError, ZeroProbabilityError, TableTooLargeError
            As for :meth:`posteriors`; and if there is no name, or a node is
            observed.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = JunctionTree(load_network("asia"))
        >>> asia.joint(["lung", "bronc"], {"dysp": "yes"})
        P(lung, bronc | dysp=yes)
        lung  bronc=yes  bronc=no
        yes      0.0650    0.0377
        no       0.7689    0.1283
        """
        known = read_evidence(self._network, evidence)
        scope = read_query(self._network, names, known.hard)
        total, found = self._run(known, scope if len(scope) > 1 else ())
        if total == -inf:
            raise impossible(self._network, known)
        factor = found[scope].normalise()
        return unchecked_table(
            factor.values, factor.states, (), shown_evidence(known.given)
        )

    def log_evidence(self, evidence: EvidenceLike) -> float:
        """Return the logarithm of the probability of the evidence.

        Minus infinity if it is impossible. Parameters and other errors are
        those of :meth:`posteriors`.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = JunctionTree(load_network("asia"))
        >>> round(asia.log_evidence({"xray": "yes"}), 4)
        -2.2046
        """
        known = read_evidence(self._network, evidence)
        return self._run(known)[0] + known.log_factor

    def evidence_probability(self, evidence: EvidenceLike) -> float:
        """Return the probability of the evidence; 0 only if it is impossible.

        What is below every float is given as the smallest one:
        :meth:`log_evidence` says how small it is.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = JunctionTree(load_network("asia"))
        >>> round(asia.evidence_probability({"xray": "yes"}), 4)
        0.1103
        """
        return exponential(self.log_evidence(evidence))

    def most_probable(
        self, evidence: EvidenceLike | None = None
    ) -> MostProbable:
        """Return the most probable states of all nodes together.

        They are known as the most probable explanation, MPE, and in general
        are not the most probable state of each node. With soft evidence they
        maximise the joint probability times the likelihoods.

        Returns
        -------
        MostProbable
            Of several with the same probability, one of them.

        Raises
        ------
        TypeError, ProbabilityError, ZeroProbabilityError, TableTooLargeError
            As for :meth:`posteriors`.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = JunctionTree(load_network("asia"))
        >>> best = asia.most_probable({"xray": "yes", "smoke": "yes"})
        >>> best.states["lung"], round(best.probability, 3)
        ('yes', 0.342)
        """
        known = read_evidence(self._network, evidence)
        tree = self._tree(known, LogTree)
        best, codes = tree.maximise(known.hard, known.log_weights())
        if best == -inf:
            raise impossible(self._network, known)
        total, _ = self._run(known)
        codes |= known.hard
        return MostProbable(
            {n: s[codes[n]] for n, s in self._network.states.items()},
            float(best + known.log_factor),
            exp(min(best - total, 0.0)),
        )

    def batch(self, rows: pd.DataFrame) -> BatchPosteriors:
        """Return the distributions of every node for many rows of evidence.

        Parameters
        ----------
        rows : DataFrame
            A column for each node that is observed in some row, with missing
            values in rows in which it is not observed.

        Returns
        -------
        BatchPosteriors
            A mapping of every node to an array of shape (n_rows, n_states).
            Where a node is observed, its state has probability one.

        Raises
        ------
        TypeError
            If `rows` is not a data frame.
        ProbabilityError
            If a column is not a node, or a value not a state of it.
        ZeroProbabilityError
            If a row is impossible; the message says which.
        TableTooLargeError
            If the tables of one row would need more than `max_bytes`.

        Examples
        --------
        >>> from bayesbook.network import load_network
        >>> asia = JunctionTree(load_network("asia"))
        >>> rows = pd.DataFrame({"xray": ["yes", None], "smoke": ["no", "no"]})
        >>> asia.batch(rows)["lung"].round(4)
        array([[0.1423, 0.8577],
               [0.01  , 0.99  ]])
        """
        columns = read_columns(self._network, rows)
        columns = {n: c for n, c in columns.items() if (c >= 0).any()}
        n_rows = len(rows)
        codes = np.column_stack(
            [np.zeros(n_rows, dtype=np.intp), *columns.values()]
        )[:, 1:]
        # Equal rows are computed once.
        codes, place = _unique_rows(codes)
        known = dict(zip(columns, codes.T, strict=True))
        # A node that is observed in some rows only gets weights in all.
        hard = {n: column for n, column in known.items() if column.min() >= 0}
        soft = {
            n: weights_of(column, self._sizes[n])
            for n, column in known.items()
            if n not in hard
        }
        tree = self._tree(Evidence(hard, soft))
        size = max(1, min(4096, _BATCH_CELLS // max(tree.n_cells, 1)))
        arrays = {
            node: np.empty((len(codes), size_of_node))
            for node, size_of_node in self._sizes.items()
            if node not in hard
        }
        totals = np.empty(len(codes))
        for start in range(0, len(codes), size):
            some = slice(start, start + size)
            totals[some], found = self._run_rows(
                tree,
                {node: column[some] for node, column in hard.items()},
                {node: array[:, some] for node, array in soft.items()},
                len(codes[some]),
            )
            for (node,), values in found.items():
                arrays[node][some] = values.T
        if len(totals) and totals.min() == -inf:
            worst = int(np.argmin(totals))
            row = int(np.argmax(place == worst))
            observed = {
                n: int(column[worst])
                for n, column in known.items()
                if column[worst] >= 0
            }
            raise ZeroProbabilityError(
                f"Row {row} has probability zero: "
                f"{as_text(self._network, Evidence(observed, {}))}."
            )
        arrays |= {
            node: weights_of(column, self._sizes[node]).T
            for node, column in hard.items()
        }
        arrays = {node: arrays[node] for node in self._network.nodes}
        return BatchPosteriors(self._network.states, arrays, totals, place)

    # -- helpers ----------------------------------------------------------

    def _run(self, known, together=()):
        """Propagate evidence: with logarithms if floats lose digits."""
        total = np.nan
        if not self._network._is_beyond_floats:
            tree = self._tree(known, together=together)
            total, found = tree.run(known.hard, known.weights())
        if np.isnan(total):
            tree = self._tree(known, LogTree, together)
            total, found = tree.run(known.hard, known.log_weights())
        return total, found

    def _run_rows(self, tree, hard, soft, n_rows):
        """Propagate rows; those that floats cannot hold with logarithms."""
        totals, found = np.full(n_rows, np.nan), {}
        if not self._network._is_beyond_floats:
            totals, found = tree.run_rows(hard, soft, n_rows)
        lost = np.flatnonzero(np.isnan(totals))
        if len(lost):
            found = found or {
                (node,): np.empty((size, n_rows))
                for node, size in self._sizes.items()
                if node not in hard
            }
            careful = self._tree(Evidence(hard, soft), LogTree)
        for row in lost:
            totals[row], of_row = careful.run(
                {node: int(column[row]) for node, column in hard.items()},
                {node: logs_of(array[:, row]) for node, array in soft.items()},
            )
            for scope, factor in of_row.items():
                found[scope][:, row] = factor.values
        return totals, found

    def _triangulated(self, hard=frozenset(), together=(), merged=False):
        """Return the cliques for a set of observed nodes; remember them."""
        with self._lock:
            key = hard, together, merged
            if key not in self._cliques:
                sizes = {n: s for n, s in self._sizes.items() if n not in hard}
                scopes = [*self._scopes, together]
                found = triangulate(scopes, sizes, merged=merged)
                _remember(self._cliques, key, found)
            return self._cliques[key]

    def _tree(self, known, kind=CompiledTree, together=()):
        """Return the tree for a set of observed nodes; remember it.

        With `together` the joint distribution of these nodes is read, too.
        """
        hard, soft = frozenset(known.hard), frozenset(known.soft)
        key = hard, soft, together, kind
        with self._lock:
            if key not in self._compiled:
                cliques = self._triangulated(hard, (), merged=True)
                if together and not cliques.within(together):
                    cliques = self._triangulated(hard, together, merged=True)
                self._require_room(cliques)
                tree = kind(
                    self._factors_for(kind),
                    cliques,
                    hard,
                    soft,
                    [together] if together else None,
                )
                _remember(self._compiled, key, tree)
            return self._compiled[key]

    def _factors_for(self, kind):
        if kind is CompiledTree:
            return self._factors
        if not self._log_factors:
            logs = self._network._log_arrays()
            self._log_factors = _factors(self._network.tables.values(), logs)
        return self._log_factors

    def _require_room(self, cliques):
        if 8 * cliques.n_cells > self._max_bytes:
            largest = max(cliques.members, key=self._cells)
            require_size(
                (cliques.n_cells,),
                "float",
                f"The junction tree, whose largest clique has {len(largest)} "
                f"nodes and {about(self._cells(largest))} cells,",
                self._max_bytes,
                REMEDY,
            )

    def _cells(self, clique):
        return prod(self._sizes[node] for node in clique)


def _factors(tables, arrays):
    return [
        unchecked_factor(array, table.states)
        for table, array in zip(tables, arrays, strict=True)
    ]


def _remember(known, key, value):
    if len(known) >= _MOST_TREES:
        known.pop(next(iter(known)))
    known[key] = value


def _unique_rows(codes):
    """Return the different rows, and for each row the index among them."""
    if codes.shape[1] == 0:
        return codes[:1], np.zeros(len(codes), dtype=np.intp)
    rows, place = np.unique(codes, axis=0, return_inverse=True)
    return rows, place.reshape(-1)
