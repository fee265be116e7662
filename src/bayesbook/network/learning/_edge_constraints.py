"""Which graphs a search may visit: lists of edges, numbers of parents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import networkx as nx
import numpy as np

from bayesbook.base import GraphError
from bayesbook.base.names import alphabetical, did_you_mean, quoted_list
from bayesbook.base.numbers import as_int
from bayesbook.graphs import check_dag
from bayesbook.network.learning.decomposable import read_nodes
from bayesbook.network.learning.parameters import GraphLike

Edges = Iterable[tuple[str, str]]


class EdgeConstraints:
    """The edges required or forbidden, and how many parents a node may have.

    Whatever the order of the columns is, a search goes through them in the
    order of their names, X2 before X10, so that this order decides nothing.

    Parameters
    ----------
    columns : sequence of str
        The names of the columns.
    required, forbidden : iterable of (tail, head)
        The white list and the black list.
    max_parents : int or None

    Attributes
    ----------
    names : tuple of str
        The columns, sorted; their places are the numbers in what follows.
    required, forbidden : bool arrays of shape (M, M)
        ``[tail, head]``. No edge may lead to its own tail, nor against one
        that is required.
    max_parents : int

    Raises
    ------
    TypeError
        If `required` or `forbidden` is not a collection of pairs.
    GraphError
        If an edge is not a pair of two columns or is in both lists, or if the
        required edges make a cycle or give a node too many parents.
    ProbabilityError
        If `max_parents` is not a whole number, or negative.
    """

    def __init__(
        self,
        columns: Sequence[str],
        required: Edges = (),
        forbidden: Edges = (),
        max_parents: int | None = None,
    ) -> None:
        self.columns = tuple(columns)
        self.names = tuple(sorted(self.columns, key=alphabetical))
        self.index = {name: m for m, name in enumerate(self.names)}
        self.required = self._matrix(required, "required")
        listed_as_forbidden = self._matrix(forbidden, "forbidden")
        M = len(self.names)
        self.max_parents = (
            M - 1
            if max_parents is None
            else min(as_int(max_parents, "max_parents", 0), M - 1)
        )
        self._check_lists(listed_as_forbidden)
        self.forbidden = (
            listed_as_forbidden | self.required.T | np.eye(M, dtype=bool)
        )

    def _matrix(self, edges, what) -> np.ndarray:
        matrix = np.zeros((len(self.names),) * 2, dtype=bool)
        for tail, head in self._read_pairs(edges, what):
            matrix[self.index[tail], self.index[head]] = True
        return matrix

    def _read_pairs(self, edges, what) -> Iterator[tuple[str, str]]:
        if isinstance(edges, nx.Graph):
            edges = edges.edges
        if isinstance(edges, str) or not isinstance(edges, Iterable):
            raise TypeError(
                f"The {what} edges must be a list of pairs, such as "
                f"[('A', 'B')], not {edges!r}."
            )
        for edge in edges:
            if isinstance(edge, str) or np.shape(edge) != (2,):
                raise GraphError(
                    f"The {what} edges must be pairs (tail, head); {edge!r} "
                    "is not a pair."
                )
            for name in edge:
                if name not in self.index:
                    raise GraphError(
                        f"The {what} edge {edge[0]} → {edge[1]}: {name!r} is "
                        "not a column of the data, whose columns are "
                        f"{quoted_list(self.names)}."
                        f"{did_you_mean(name, self.names)}"
                    )
            if edge[0] == edge[1]:
                raise GraphError(
                    f"The {what} edge {edge[0]} → {edge[1]} leads from a node "
                    "to itself, which no edge of a DAG does: leave it out."
                )
            tail, head = edge
            yield tail, head

    def _check_lists(self, forbidden) -> None:
        both = self.required & forbidden
        if both.any():
            raise GraphError(
                f"The edge {self._first_edge(both)} is both required and "
                "forbidden: take it off one of the lists."
            )
        try:
            check_dag(self.graph(self.required))
        except GraphError as error:
            raise GraphError(
                f"The required edges are not those of a DAG. {error}"
            ) from None
        self._check_parents(self.required, "The required edges give")

    def _check_parents(self, edges, what) -> None:
        n_parents = edges.sum(axis=0)
        if (n_parents > self.max_parents).any():
            node = int(np.argmax(n_parents > self.max_parents))
            raise GraphError(
                f"{what} {self.names[node]!r} {n_parents[node]} parents; "
                f"max_parents is {self.max_parents}."
            )

    def _first_edge(self, matrix) -> str:
        tail, head = np.argwhere(matrix)[0]
        return f"{self.names[tail]} → {self.names[head]}"

    def read_start(self, start: GraphLike | None) -> np.ndarray:
        """Read the edges that a search begins with.

        Parameters
        ----------
        start : networkx.DiGraph, BayesianNetwork, str or None
            None is the graph of the required edges.

        Returns
        -------
        bool array of shape (M, M)

        Raises
        ------
        GraphError
            If it has a cycle, other nodes than the columns, a forbidden edge,
            too many parents of a node, or lacks a required edge.
        """
        if start is None:
            return self.required.copy()
        graph = read_nodes(start, self.columns)
        edges = self._matrix(graph, "start graph's")
        if (edges & self.forbidden).any():
            edge = self._first_edge(edges & self.forbidden)
            raise GraphError(
                f"The start graph has the edge {edge}, which is forbidden: "
                "delete it, or take it off the list."
            )
        if (self.required & ~edges).any():
            edge = self._first_edge(self.required & ~edges)
            raise GraphError(
                f"The start graph lacks the edge {edge}, which is required: "
                "add it."
            )
        self._check_parents(edges, "The start graph gives")
        return edges

    def random_edges(self, rng: np.random.Generator) -> np.ndarray:
        """Draw a DAG: a random order of the nodes, and random edges along it.

        It has about as many edges as nodes, besides those that are required.
        """
        M = len(self.names)
        order = self._random_order(rng)
        before = np.zeros((M, M), dtype=bool)
        before[np.ix_(order, order)] = np.triu(np.ones((M, M), bool), k=1)
        is_drawn = rng.random((M, M)) < 2 / max(M - 1, 1)
        edges = before & is_drawn & ~self.forbidden | self.required
        for head in np.flatnonzero(edges.sum(axis=0) > self.max_parents):
            extra = np.flatnonzero(edges[:, head] & ~self.required[:, head])
            n_extra = edges[:, head].sum() - self.max_parents
            edges[rng.choice(extra, n_extra, replace=False), head] = False
        return edges

    def _random_order(self, rng):
        """Shuffle the nodes, tails of required edges before their heads."""
        priority = rng.permutation(len(self.names))
        graph = nx.from_numpy_array(self.required, create_using=nx.DiGraph)
        return list(
            nx.lexicographical_topological_sort(
                graph, key=priority.__getitem__
            )
        )

    def named_edges(self, edges: np.ndarray) -> tuple[tuple[str, str], ...]:
        """Return the edges of a matrix, sorted by the names of their nodes."""
        return tuple(
            (self.names[tail], self.names[head])
            for tail, head in np.argwhere(edges)
        )

    def graph(self, edges: np.ndarray) -> nx.DiGraph:
        """Return the graph of a matrix of edges, its nodes as the columns."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.columns)
        graph.add_edges_from(self.named_edges(edges))
        return graph
