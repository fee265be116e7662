"""The result of a search for a graph: its path, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import ClassVar, NamedTuple

import networkx as nx
import pandas as pd

from bayesbook.base import GraphError
from bayesbook.base.names import pluralise
from bayesbook.graphs import cpdag

#: What a move can do with an edge.
KINDS = ("add", "delete", "reverse")
# How many steps of a long path are shown.
_SHOWN = 12


class Move(NamedTuple):
    """A change of one edge of a graph.

    Examples
    --------
    >>> move = Move("reverse", "A", "B")
    >>> print(move)
    reverse A → B
    >>> graph = nx.DiGraph([("A", "B")])
    >>> move.apply(graph)
    >>> list(graph.edges)
    [('B', 'A')]
    """

    #: "add", "delete" or "reverse".
    kind: str
    #: Where the edge begins; if it is reversed, before that.
    tail: str
    #: Where the edge ends; if it is reversed, before that.
    head: str

    @property
    def removed(self) -> tuple[tuple[str, str], ...]:
        """The edges that are no longer there after it."""
        return () if self.kind == "add" else ((self.tail, self.head),)

    @property
    def added(self) -> tuple[tuple[str, str], ...]:
        """The edges that are new after it."""
        new = {
            "add": (self.tail, self.head),
            "reverse": (self.head, self.tail),
        }
        return (new[self.kind],) if self.kind in new else ()

    def apply(self, graph: nx.DiGraph) -> None:
        """Change a graph in place.

        Parameters
        ----------
        graph : networkx.DiGraph
            Whether it stays acyclic is not checked.

        Raises
        ------
        GraphError
            If the move is not possible: an edge to be added is there already,
            or one to be deleted or reversed is not.

        Examples
        --------
        >>> graph = nx.DiGraph([("A", "B")])
        >>> Move("add", "B", "C").apply(graph)
        >>> list(graph.edges)
        [('A', 'B'), ('B', 'C')]
        """
        self._check_possible(graph)
        graph.remove_edges_from(self.removed)
        graph.add_edges_from(self.added)

    def _check_possible(self, graph: nx.DiGraph) -> None:
        if self.kind not in KINDS:
            raise GraphError(
                "A move adds, deletes or reverses an edge: its kind is 'add', "
                f"'delete' or 'reverse', not {self.kind!r}."
            )
        edge = f"{self.tail} → {self.head}"
        is_there = graph.has_edge(self.tail, self.head)
        if self.kind != "add" and not is_there:
            raise GraphError(
                f"The graph has no edge {edge} to {self.kind}; give the edge "
                "as it is before the move."
            )
        if self.kind == "add" and (
            is_there or graph.has_edge(self.head, self.tail)
        ):
            raise GraphError(
                f"{edge} cannot be added: the two nodes have an edge already."
            )

    def __str__(self) -> str:
        return f"{self.kind} {self.tail} → {self.head}"


class ClassMove(NamedTuple):
    """A change of one edge of some member of an equivalence class.

    Examples
    --------
    >>> print(ClassMove("insert", "A", "C", ("B",)))
    insert A → C (B → C)
    """

    #: "insert", "delete" or "turn".
    kind: str
    #: Where the edge begins; of one that is turned, after that.
    tail: str
    #: Where the edge ends; of one that is turned, after that.
    head: str
    #: The nodes with an undirected edge to the head that are its parents in
    #: this member. (In Chickering's Insert(X, Y, T) they are T and the
    #: neighbours of Y that are adjacent to X; in Delete(X, Y, H) the latter
    #: without H.)
    given: tuple[str, ...] = ()

    def __str__(self) -> str:
        move = f"{self.kind} {self.tail} → {self.head}"
        if self.given:
            move += f" ({', '.join(self.given)} → {self.head})"
        return move


class Step(NamedTuple):
    """One step of a search.

    Examples
    --------
    >>> step = Step.of(Move("add", "A", "B"), delta=2.5, score=-17.5)
    >>> print(step)
    add A → B: +2.5
    >>> step.added, step.removed
    ((('A', 'B'),), ())
    """

    #: The change of an edge; None where the search begins anew from another
    #: graph.
    move: Move | ClassMove | None
    #: By how much the score grew.
    delta: float
    #: The score after the step.
    score: float
    #: 0 in the first climb, 1 after the first restart, and so on.
    restart: int = 0
    #: The edges that are no longer there. A step from one equivalence class to
    #: the next can reverse more edges than its move names.
    removed: tuple[tuple[str, str], ...] = ()
    #: The edges that are new.
    added: tuple[tuple[str, str], ...] = ()
    #: Why it was taken although it does not raise the score: "restart",
    #: "plateau", "detour", or "take out" with the name of a node.
    why: str = ""

    @classmethod
    def of(
        cls,
        move: Move,
        delta: float,
        score: float,
        restart: int = 0,
        why: str = "",
    ) -> Step:
        """Return a step that changes the edge of its move only."""
        return cls(move, delta, score, restart, move.removed, move.added, why)

    @property
    def title(self) -> str:
        """The move, and why it was taken if it does not raise the score."""
        if self.move is None:
            return self.why
        return f"{self.move} ({self.why})" if self.why else str(self.move)

    def __str__(self) -> str:
        return f"{self.title}: {self.delta:+,.4g}"


@dataclass(frozen=True, eq=False, repr=False)
class SearchRun:
    """The graph that a search found, and the path to it.

    The functions that search return it: :func:`hill_climb`,
    :func:`tabu_search`, :func:`tree_search` and :func:`exact_search`.

    Attributes
    ----------
    graph : networkx.DiGraph
        The best graph on the path; it cannot be changed, but its copy can.
        Its nodes are in the order of the columns.
    score : float
        Its score; larger is better.
    criterion : str
        What was maximised, such as "BIC".
    path : tuple of Step
        All steps, in order; with restarts, those of all climbs.
    start : networkx.DiGraph
        Where the search began.
    n_counted : int
        How many families were counted for it.
    converged : bool
        Whether the search ended by itself: if it climbs, whether no allowed
        step from its last graph raises the score.

    Examples
    --------
    >>> from bayesbook.network import hill_climb
    >>> data = pd.DataFrame({"A": [0, 0, 1, 1] * 9, "B": [0, 1, 1, 1] * 9})
    >>> run = hill_climb(data)
    >>> run
    SearchRun: 2 nodes, 1 edge, BIC -42.81, after 1 step (4 families counted)
    add A → B: +5.976
    >>> run.edges
    (('A', 'B'),)
    >>> [graph.number_of_edges() for graph in run.graphs()]
    [0, 1]
    """

    graph: nx.DiGraph
    score: float
    criterion: str
    path: tuple[Step, ...]
    start: nx.DiGraph
    n_counted: int
    converged: bool = True

    _move_type: ClassVar[type[Move | ClassMove]] = Move

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """The edges of the graph."""
        return tuple(self.graph.edges)

    @cached_property
    def cpdag(self) -> nx.DiGraph:
        """The equivalence class; see :func:`bayesbook.graphs.cpdag`.

        The data do not tell its graphs apart, unless the score does.
        """
        return nx.freeze(cpdag(self.graph))

    def graphs(self) -> Iterator[nx.DiGraph]:
        """Replay the search: yield the start, and the graph after each step.

        Returns
        -------
        iterator of networkx.DiGraph
            One more than there are steps; each a graph of its own.

        Examples
        --------
        >>> from bayesbook.network import hill_climb
        >>> data = pd.DataFrame({"A": [0, 0, 1, 1] * 9, "B": [0, 1, 1, 1] * 9})
        >>> [list(graph.edges) for graph in hill_climb(data).graphs()]
        [[], [('A', 'B')]]
        """
        graph = nx.DiGraph(self.start)
        yield graph.copy()
        for step in self.path:
            graph.remove_edges_from(step.removed)
            graph.add_edges_from(step.added)
            yield graph.copy()

    def to_frame(self) -> pd.DataFrame:
        """Return the path as a table.

        Returns
        -------
        DataFrame
            A row for each step, with the columns ``restart``, ``move``,
            ``tail``, ``head``, ``delta``, ``score`` and ``edges``, which is
            how many the graph has after the step.

        Examples
        --------
        >>> from bayesbook.network import hill_climb
        >>> data = pd.DataFrame({"A": [0, 0, 1, 1] * 9, "B": [0, 1, 1, 1] * 9})
        >>> hill_climb(data).to_frame().round(2)
              restart move tail head  delta  score  edges
        step
        1           0  add    A    B   5.98 -42.81      1
        """
        edges = self.start.number_of_edges()
        rows = []
        for step in self.path:
            edges += len(step.added) - len(step.removed)
            kind, tail, head, *given = step.move or (step.why, "", "")
            rows.append(
                (
                    *(step.restart, kind, tail, head, *map(", ".join, given)),
                    *(step.delta, step.score, edges),
                )
            )
        columns = ["restart", "move", *self._move_type._fields[1:]]
        columns += ["delta", "score", "edges"]
        index = pd.RangeIndex(1, len(rows) + 1, name="step")
        return pd.DataFrame(rows, index=index, columns=columns)

    def _summary(self) -> str:
        edges = pluralise(self.graph.number_of_edges(), "edge")
        nodes = pluralise(len(self.graph), "node")
        steps = pluralise(len(self.path), "step")
        families = pluralise(self.n_counted, "family")
        ended = "" if self.converged else "; not converged"
        return (
            f"{nodes}, {edges}, {self.criterion} {self.score:,.2f}, after "
            f"{steps} ({families} counted){ended}"
        )

    def __repr__(self) -> str:
        steps = [str(step) for step in self.path[:_SHOWN]]
        cut = len(self.path) - len(steps)
        more = [f"... and {pluralise(cut, 'more step')}"] if cut else []
        title = f"{type(self).__name__}: {self._summary()}"
        return "\n".join([title, *steps, *more])

    def _repr_html_(self) -> str:
        rows = [
            f"<tr><td>{escape(step.title)}</td>"
            f"<td>{step.delta:+,.4g}</td><td>{step.score:,.2f}</td></tr>"
            for step in self.path[:_SHOWN]
        ]
        cut = len(self.path) - len(rows)
        titles = ("Step", "Gain", self.criterion)
        return "\n".join(
            [
                '<table class="dataframe search-run">',
                f"<caption>{escape(self._summary())}</caption>",
                "<thead><tr>",
                *(f'<th scope="col">{escape(t)}</th>' for t in titles),
                "</tr></thead>",
                "<tbody>",
                *rows,
                "</tbody></table>",
                *(
                    [f"<p>... and {pluralise(cut, 'more step')}</p>"]
                    if cut
                    else []
                ),
            ]
        )
