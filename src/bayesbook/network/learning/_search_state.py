"""What the searches among graphs share: score, constraints, path so far."""

from __future__ import annotations

import networkx as nx

from bayesbook.network.learning._edge_constraints import EdgeConstraints, Edges
from bayesbook.network.learning._move_scores import (
    GainColumns,
    ScoredGraph,
    ScoredMove,
)
from bayesbook.network.learning.decomposable import Score
from bayesbook.network.learning.parameters import Data, GraphLike, Weights
from bayesbook.network.learning.scores import read_score
from bayesbook.network.learning.search_path import SearchRun, Step


class SearchState:
    """The score, the constraints, the start and the path of a search."""

    def __init__(
        self,
        data: Data | None,
        score: str | Score,
        required: Edges,
        forbidden: Edges,
        max_parents: int | None,
        weights: Weights | None,
    ) -> None:
        self.score = read_score(data, score, weights)
        self.constraints = EdgeConstraints(
            self.score.names, required, forbidden, max_parents
        )
        self.columns = GainColumns(self.score, self.constraints)
        self.n_before = self.score.n_counted
        self.start = nx.DiGraph()
        self.path: list[Step] = []

    def begin(self, start: GraphLike | None) -> ScoredGraph:
        """Read the start graph, and return it with the gains of its moves."""
        edges = self.constraints.read_start(start)
        self.start = self.constraints.graph(edges)
        return ScoredGraph(self.columns, edges)

    def result(self, graph: ScoredGraph | nx.DiGraph) -> SearchRun:
        """Return the run that found this graph."""
        if isinstance(graph, ScoredGraph):
            graph = self.constraints.graph(graph.edges)
        return SearchRun(
            graph=nx.freeze(graph),
            score=self.score.total(graph),
            criterion=self.score.name,
            path=tuple(self.path),
            start=nx.freeze(self.start),
            n_counted=self.score.n_counted - self.n_before,
        )


def take_step(
    graph: ScoredGraph, move: ScoredMove, restart: int = 0, why: str = ""
) -> Step:
    """Apply a move to a graph, and return the step that it was."""
    graph.apply(move)
    return Step.of(graph.named(move), move.gain, graph.total, restart, why)
