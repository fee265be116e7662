"""What a search for a structure leaves behind: its path, step by step."""

from __future__ import annotations

from typing import NamedTuple

import networkx as nx

from bayesbook.errors import GraphError

#: What a step can do with an arc.
KINDS = ("add", "delete", "reverse")


class Move(NamedTuple):
    """A change of one arc of a graph.

    Attributes
    ----------
    kind : str
        "add", "delete" or "reverse".
    tail, head : node
        The arc that is added, deleted or reversed, as it is before that.

    Examples
    --------
    >>> print(Move("reverse", "A", "B"))
    reverse A → B
    """

    kind: str
    tail: str
    head: str

    def apply(self, graph: nx.DiGraph) -> None:
        """Change a graph.

        Parameters
        ----------
        graph : networkx.DiGraph
            Is changed in place. Whether it stays acyclic is not looked at.

        Raises
        ------
        GraphError
            If there is no such move: an arc to be added is there already, or
            one to be deleted or reversed is not.
        """
        self.check(graph)
        if self.kind == "add":
            graph.add_edge(self.tail, self.head)
            return
        graph.remove_edge(self.tail, self.head)
        if self.kind == "reverse":
            graph.add_edge(self.head, self.tail)

    def check(self, graph: nx.DiGraph) -> None:
        """Raise an error unless a graph has what the move changes."""
        if self.kind not in KINDS:
            raise GraphError(
                f"A move adds, deletes or reverses: its kind is "
                f"'add', 'delete' or 'reverse', not {self.kind!r}."
            )
        arc = f"{self.tail} → {self.head}"
        is_there = graph.has_edge(self.tail, self.head)
        if self.kind != "add" and not is_there:
            raise GraphError(
                f"The graph has no arc {arc} to {self.kind}; "
                "give the arc as it is before the move."
            )
        if self.kind == "add" and (
            is_there or graph.has_edge(self.head, self.tail)
        ):
            raise GraphError(
                f"{arc} cannot be added: the two nodes have an arc already."
            )

    def __str__(self) -> str:
        return f"{self.kind} {self.tail} → {self.head}"
