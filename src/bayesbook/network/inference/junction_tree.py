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
from typing import Any, NamedTuple

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
from bayesbook.network.inference._barren_split import (
    PartOfNetwork,
    PlanOfParts,
    parts_of,
)
from bayesbook.network.inference.batch import BatchPosteriors
from bayesbook.network.inference.log_message_passing import LogPlan
from bayesbook.network.inference.message_passing import Plan
from bayesbook.network.inference.triangulation import (
    REMEDY,
    Cliques,
    bits,
    merge_small,
    triangulate,
)
from bayesbook.network.model import BayesianNetwork, require_network
from bayesbook.network.posteriors import (
    Posteriors,
    exponential,
    shown_evidence,
)
from bayesbook.probability import MAX_BYTES, Table
from bayesbook.probability.table import State, unchecked_table

__all__ = ["JunctionTree", "MostProbable"]

# A tree remembers plans for at most this many sets of observed nodes.
_MOST_PLANS = 16
# For each row a plan takes at most this many times the bytes of the tables of
# its tree.
_MOST_BYTES = 100
# Cliques that together have at most this many cells are computed as one.
_TINY = 256
# Of many rows as many are computed at a time as have this many cells.
_BATCH_CELLS = 500_000


class MostProbable(NamedTuple):
    """The most probable states of all nodes given the evidence.

    Examples
    --------
    >>> from bayesbook.network import load_network
    >>> best = JunctionTree(load_network("five")).most_probable({"x5": "high"})
    >>> best.states
    {'x1': 'low', 'x2': 'low', 'x3': 'low', 'x4': 'low', 'x5': 'high'}
    >>> round(best.probability, 3)
    0.182
    """

    #: A state for each node, the observed ones included.
    states: dict[str, State]
    #: The logarithm of their joint probability.
    log_prob: float
    #: Their probability given the evidence.
    probability: float


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
        A tree whose tables would need more is refused before they are made;
        trees of earlier queries are forgotten if together they need more.

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
    With evidence a query may cost less: observed nodes are in no clique, and a
    barren node (one without observed descendants) that alone makes the tree
    large gets a tree of its own (Shachter 1986).

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
        "_axes",
        "_families",
        "_lock",
        "_max_bytes",
        "_network",
        "_numbers",
        "_plans",
        "_sizes",
        "_trees",
    )

    def __init__(
        self, network: BayesianNetwork, *, max_bytes: int = MAX_BYTES
    ):
        require_network(network)
        self._network = network
        self._max_bytes = read_limit(max_bytes)
        self._numbers = {node: i for i, node in enumerate(network.nodes)}
        self._sizes = [len(states) for states in network.states.values()]
        self._axes = [
            tuple(self._numbers[name] for name in table.variables)
            for table in network.tables.values()
        ]
        self._families = [sum(1 << i for i in axes) for axes in self._axes]
        self._lock = RLock()
        self._trees: dict[tuple, Cliques] = {}
        self._plans: dict[tuple, Plan | PlanOfParts] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(JunctionTree, max_bytes=self._max_bytes), (
            self._network,
        )

    # -- the tree and its size ---------------------------------------------

    @property
    def network(self) -> BayesianNetwork:
        """The network."""
        return self._network

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The nodes of each clique, when nothing is observed."""
        return tuple(self._named(clique) for clique in self._tree().members)

    @property
    def tree(self) -> nx.Graph:
        """The tree: numbers of `cliques`, joined by edges with separators.

        A node has the attribute ``clique``, an edge ``separator``, the nodes
        that both its ends have. Parts of the network that are not connected
        are trees of their own.
        """
        found = self._tree()
        tree = nx.Graph()
        for i, members in enumerate(found.members):
            tree.add_node(i, clique=self._named(members))
        for i, parent in enumerate(found.parents):
            if parent >= 0:
                shared = found.members[i] & found.members[parent]
                tree.add_edge(parent, i, separator=self._named(shared))
        return nx.freeze(tree)

    @property
    def n_cells(self) -> int:
        """The number of cells of the tables of all cliques."""
        return self._tree().n_cells

    @property
    def n_bytes(self) -> int:
        """The number of bytes that the tables of all cliques need."""
        return 8 * self.n_cells

    @property
    def largest_clique(self) -> tuple[str, ...]:
        """The clique with the largest table."""
        return max(
            self.cliques,
            key=lambda c: prod(len(self._network.states[n]) for n in c),
        )

    @property
    def width(self) -> int:
        """The number of nodes of the widest clique, less one.

        At least the treewidth of the moral graph.
        """
        return max(map(len, self.cliques)) - 1

    def __repr__(self) -> str:
        return (
            f"JunctionTree of {self._network.name or 'a network'}: "
            f"{pluralise(len(self._tree().members), 'clique')}, width "
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
            A mapping of node to Table, without nodes whose state is known.

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
        known, codes, weights = self._read(evidence)
        plan = self._plan(known)
        total, outputs = plan.run(codes, weights)
        if np.isnan(total):
            plan = self._plan(known, LogPlan)
            total, outputs = plan.run(codes, self._log_weights(known))
        if total == -inf:
            raise impossible(self._network, known)
        outputs.setflags(write=False)
        nodes = self._network.nodes
        arrays = {
            nodes[i]: outputs[plan.slices[i]] for i in sorted(plan.slices)
        }
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
        known, codes, weights = self._read(evidence)
        names = read_query(self._network, names, known.hard)
        numbers = [self._numbers[name] for name in names]
        together = sum(1 << i for i in numbers)
        plan = self._plan(known, together=together)
        total, values = plan.joint(numbers, codes, weights)
        if np.isnan(total):
            plan = self._plan(known, LogPlan, together)
            logs = self._log_weights(known)
            total, values = plan.joint(numbers, codes, logs)
        if total == -inf:
            raise impossible(self._network, known)
        states = {name: self._network.states[name] for name in names}
        return unchecked_table(values, states, (), shown_evidence(known.given))

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
        known, codes, weights = self._read(evidence)
        total = self._log_evidence(known, codes, weights)
        return float(total + known.log_factor)

    def _log_evidence(self, known, codes, weights):
        total, _ = self._plan(known).run(codes, weights, distribute=False)
        if np.isnan(total):
            logs = self._log_weights(known)
            total, _ = self._plan(known, LogPlan).run(codes, logs)
        return total

    def evidence_probability(self, evidence: EvidenceLike) -> float:
        """Return the probability of the evidence; 0 if it is impossible.

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
        known, codes, weights = self._read(evidence)
        logs = self._log_weights(known)
        best, found = self._plan(known, LogPlan).maximise(codes, logs)
        if best == -inf:
            raise impossible(self._network, known)
        total = self._log_evidence(known, codes, weights)
        found = {**codes, **found}
        states = {
            node: self._network.states[node][found[i]]
            for node, i in self._numbers.items()
        }
        soft = sum(array[found[i]] for i, array in logs.items())
        return MostProbable(
            states, float(best - soft), exp(min(best - total, 0.0))
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
        names = list(columns)
        codes = np.column_stack(
            [np.zeros(n_rows, dtype=np.intp), *columns.values()]
        )[:, 1:]
        # Equal rows are computed once.
        codes, place = _unique_rows(codes)
        partial = [(codes[:, j] < 0).any() for j in range(len(names))]
        hard = {
            n: 0 for n, part in zip(names, partial, strict=True) if not part
        }
        soft: dict[str, tuple[float, ...]] = {
            n: () for n, part in zip(names, partial, strict=True) if part
        }
        plan = self._plan(Evidence(hard, soft))
        # Only the distributions of single nodes, without those of separators.
        places = {i: plan.slices[i] for i in sorted(plan.slices)}
        kept = np.r_[tuple(places.values())] if places else np.arange(0)
        found = [
            self._chunk(plan, names, partial, codes[start:stop], kept)
            for start, stop in self._chunks(plan, len(codes))
        ]
        totals = np.concatenate([total for total, _ in found] or [[]])
        if len(totals) and totals.min() == -inf:
            worst = int(np.argmin(totals))
            row = int(np.argmax(place == worst))
            known = {
                name: int(code)
                for name, code in zip(names, codes[worst], strict=True)
                if code >= 0
            }
            raise ZeroProbabilityError(
                f"Row {row} has probability zero: "
                f"{as_text(self._network, Evidence(known, {}))}."
            )
        outputs = np.concatenate(
            [out for _, out in found] or [np.empty((0, len(kept)))]
        )
        ends = np.cumsum([self._sizes[i] for i in places]).tolist()
        ends = dict(zip(places, ends, strict=True))
        arrays = {}
        for node, i in self._numbers.items():
            if i in places:
                start = ends[i] - self._sizes[i]
                arrays[node] = outputs[:, start : ends[i]]
            else:
                observed = codes[:, names.index(node)]
                arrays[node] = weights_of(observed, self._sizes[i]).T
        return BatchPosteriors(self._network.states, arrays, totals, place)

    # -- helpers ----------------------------------------------------------

    def _chunks(self, plan, n_rows):
        size = max(1, min(4096, _BATCH_CELLS // max(plan.n_cells, 1)))
        return [(i, min(i + size, n_rows)) for i in range(0, n_rows, size)]

    def _chunk(self, plan, names, partial, codes, kept):
        """Propagate some rows; return for each the outputs to keep."""
        numbers = [self._numbers[name] for name in names]
        n_rows = len(codes)
        weights = {
            i: weights_of(codes[:, j], self._sizes[i])
            for j, i in enumerate(numbers)
            if partial[j]
        }
        states = {
            i: codes[:, j] for j, i in enumerate(numbers) if not partial[j]
        }
        if n_rows == 1 or not (states or weights):
            states = {i: int(column[0]) for i, column in states.items()}
            weights = {i: array[:, 0] for i, array in weights.items()}
            total, outputs = self._one_row(plan, states, weights)
            return (
                np.full(n_rows, total),
                np.broadcast_to(outputs[kept], (n_rows, len(kept))),
            )
        total, outputs = plan.run(states, weights, n_rows)
        total = np.array(np.broadcast_to(total, (n_rows,)))
        if outputs is None:
            outputs = np.zeros((plan.n_outputs, n_rows))
        for row in np.flatnonzero(np.isnan(total)):
            total[row], outputs[:, row] = self._one_row(
                plan,
                {i: int(column[row]) for i, column in states.items()},
                {i: array[:, row] for i, array in weights.items()},
            )
        return total, outputs[kept].T

    def _one_row(self, plan, states, weights):
        """Propagate evidence whose numbers may be very small."""
        total, outputs = plan.run(states, weights)
        if not np.isnan(total):
            return total, outputs
        nodes = self._network.nodes
        known = Evidence(
            {nodes[i]: code for i, code in states.items()},
            dict.fromkeys((nodes[i] for i in weights), ()),
        )
        careful = self._plan(known, LogPlan)
        logs = {i: logs_of(array) for i, array in weights.items()}
        total, found = careful.run(states, logs)
        outputs = np.zeros(plan.n_outputs)
        for i, place in plan.slices.items():
            outputs[place] = found[careful.slices[i]]
        return total, outputs

    def _read(self, evidence):
        known = read_evidence(self._network, evidence)
        codes = {self._numbers[node]: i for node, i in known.hard.items()}
        weights = known.weights().items()
        return known, codes, {self._numbers[n]: a for n, a in weights}

    def _log_weights(self, known):
        logs = known.log_weights().items()
        return {self._numbers[node]: array for node, array in logs}

    def _tree(self, hard=0, together=0):
        """Return the tree of a set of observed nodes; remember it."""
        with self._lock:
            return self._found_tree(hard, together)

    def _found_tree(self, hard, together):
        key = hard, together
        if key not in self._trees:
            families = [family & ~hard for family in self._families]
            if together:
                families.append(together)
            free = (1 << len(self._sizes)) - 1 & ~hard
            _remember(
                self._trees, key, triangulate(families, self._sizes, free)
            )
        return self._trees[key]

    def _plan(self, known, kind=Plan, together=0):
        """Return the plan for a set of observed nodes; remember it."""
        with self._lock:
            return self._found_plan(known, kind, together)

    def _found_plan(self, known, kind, together):
        hard = sum(1 << self._numbers[node] for node in known.hard)
        soft = sum(1 << self._numbers[node] for node in known.soft)
        key = hard, soft, together, kind
        plan = self._plans.get(key)
        if plan is None:
            tree = self._tree(hard, together)
            self._require_room(tree)
            self._make_room(8 * tree.n_cells)
            plan = self._new_plan(tree, hard, soft, kind, together)
            _remember(self._plans, key, plan)
        return plan

    def _require_room(self, tree):
        if 8 * tree.n_cells > self._max_bytes:
            largest = max(tree.members, key=self._cells)
            require_size(
                (tree.n_cells,),
                "float",
                f"The junction tree, whose largest clique has "
                f"{largest.bit_count()} nodes and "
                f"{about(self._cells(largest))} cells,",
                self._max_bytes,
                REMEDY,
            )

    def _make_room(self, n_bytes):
        """Forget the oldest plans if together they are too large."""
        plans = self._plans.values()
        n_cells = sum(plan.n_cells * plan.n_rows for plan in plans)
        if 8 * _MOST_BYTES * n_cells + n_bytes <= self._max_bytes:
            return  # nearly always, and measuring takes time
        held = [plan.n_bytes for plan in plans]
        while held and sum(held) + n_bytes > self._max_bytes:
            held.pop(0)
            self._plans.pop(next(iter(self._plans)))

    def _new_plan(self, tree, hard, soft, kind, together):
        axes = self._axes
        if kind is LogPlan:
            logs = self._network._log_arrays()
            return LogPlan(axes, logs, self._sizes, tree, hard, soft)
        arrays = self._network._arrays()
        plans = [
            Plan(
                [axes[i] for i in bits(part.nodes)],
                [arrays[i] for i in bits(part.nodes)],
                self._sizes,
                merge_small(part.tree, self._sizes, _TINY),
                hard,
                soft & part.nodes,
                asked=part.asked,
                delicate=self._network._is_beyond_floats,
            )
            for part in self._parts(tree, hard, soft, together)
        ]
        return plans[0] if len(plans) == 1 else PlanOfParts(plans)

    def _parts(self, tree, hard, soft, together):
        if not together:
            order = [self._numbers[node] for node in self._network.order]
            parts = parts_of(
                self._families, order, self._sizes, hard, soft, tree
            )
            n_cells = sum(part.tree.n_cells for part in parts)
            if parts and 8 * n_cells <= self._max_bytes:
                return parts
        return [
            PartOfNetwork(tree, (1 << len(self._sizes)) - 1, together or -1)
        ]

    def _cells(self, clique):
        return prod(self._sizes[i] for i in bits(clique))

    def _named(self, members):
        return tuple(self._network.nodes[i] for i in bits(members))


def _remember(known, key, value):
    if len(known) >= _MOST_PLANS:
        known.pop(next(iter(known)))
    known[key] = value


def _unique_rows(codes):
    """Return the different rows, and for each row the index among them."""
    if codes.shape[1] == 0:
        return codes[:1], np.zeros(len(codes), dtype=np.intp)
    rows, place = np.unique(codes, axis=0, return_inverse=True)
    return rows, place.reshape(-1)
