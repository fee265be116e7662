"""Making graphs: read from text, checked, drawn at random."""

from __future__ import annotations

import re
from itertools import pairwise
from numbers import Integral, Real
from string import ascii_uppercase

import networkx as nx
import numpy as np

from bayesbook.base import GraphError, ProbabilityError
from bayesbook.base.randomness import as_rng

_TOKEN = re.compile(r"(?P<node>\w+)|[^\w\s]+")
_ARROWS = {"->": "→", "→": "→", "<-": "←", "←": "←"}
# A longer cycle is shown up to here.
_LONGEST_SHOWN = 12


def parse(text: str) -> nx.DiGraph:
    """Read a graph from arrows: ``"X -> Y <- Z, Y -> W, V"``.

    Parameters
    ----------
    text : str
        Chains of nodes and arrows (``->``, ``<-``, ``→`` or ``←``), and lone
        nodes, separated by commas, semicolons or line breaks. A node is a
        word of letters, digits and underscores.

    Returns
    -------
    networkx.DiGraph
        Its nodes in the order in which they first appear.

    Raises
    ------
    TypeError
        If `text` is not a text.
    GraphError
        If a word or sign cannot be read (the message points at it), or if
        the graph is not a DAG.

    Examples
    --------
    >>> graph = parse("X -> Y <- Z, V")
    >>> list(graph.nodes), list(graph.edges)
    (['X', 'Y', 'Z', 'V'], [('X', 'Y'), ('Z', 'Y')])
    """
    if not isinstance(text, str):
        raise TypeError(
            f"A graph is read from text such as 'X -> Y', not from {text!r}."
        )
    graph = nx.DiGraph()
    for chain in re.finditer(r"[^,;\n]+", text):
        tokens = list(_TOKEN.finditer(text, *chain.span()))
        for place, token in enumerate(tokens):
            if place % 2 == 0 and not token["node"]:
                raise _unreadable(text, token, "here belongs a node")
            if place % 2 == 1 and token.group() not in _ARROWS:
                problem = "here belongs an arrow, -> or <-, or a comma"
                raise _unreadable(text, token, problem)
        if tokens and len(tokens) % 2 == 0:
            raise _unreadable(text, tokens[-1], "no node follows the arrow")
        words = [token.group() for token in tokens]
        nodes = words[::2]
        graph.add_nodes_from(nodes)
        for arrow, edge in zip(words[1::2], pairwise(nodes), strict=True):
            graph.add_edge(*(edge if _ARROWS[arrow] == "→" else edge[::-1]))
    check_dag(graph)
    return graph


def _unreadable(text: str, token: re.Match, problem: str) -> GraphError:
    """Return the error that points at a token."""
    before = text[: token.start()].split("\n")
    line = text.split("\n")[len(before) - 1]
    return GraphError(
        f"Cannot read {token.group()!r} in line {len(before)}: {problem}.\n"
        f"  {line}\n  {' ' * len(before[-1])}{'^' * len(token.group())}"
    )


def check_dag(graph: nx.DiGraph) -> None:
    """Raise an error unless `graph` is a directed acyclic graph.

    Parameters
    ----------
    graph : networkx.DiGraph
        Checked to be a DAG with at least one node.

    Raises
    ------
    TypeError
        If it is not a DiGraph, or is a multigraph.
    GraphError
        If it has no node, an edge from a node to itself, or a cycle; the
        message shows the cycle.

    Examples
    --------
    >>> check_dag(nx.DiGraph([("A", "B"), ("B", "C"), ("C", "A")]))
    Traceback (most recent call last):
        ...
    bayesbook.base.errors.GraphError: The graph has the cycle A → B → C → A; \
a DAG has none.
    """
    if not isinstance(graph, nx.DiGraph) or graph.is_multigraph():
        raise TypeError(
            f"A DAG is a networkx.DiGraph, not a {type(graph).__name__}; "
            "parse('X -> Y') makes one from text."
        )
    if not graph:
        raise GraphError("The graph is empty: it needs at least one node.")
    if nx.is_directed_acyclic_graph(graph):
        return
    for node in nx.nodes_with_selfloops(graph):
        raise GraphError(
            f"The graph has the self loop {node} → {node}; in a DAG no edge "
            "leads from a node to itself."
        )
    cycle = [tail for tail, _ in nx.find_cycle(graph)]
    if len(cycle) > _LONGEST_SHOWN:
        cycle[_LONGEST_SHOWN:] = [f"… ({len(cycle) - _LONGEST_SHOWN} more)"]
    drawn = " → ".join(map(str, [*cycle, cycle[0]]))
    raise GraphError(f"The graph has the cycle {drawn}; a DAG has none.")


def random_dag(
    n: int, edge_probability: float, *, rng: np.random.Generator | int
) -> nx.DiGraph:
    """Draw a DAG: a random order, and each edge along it at random.

    Parameters
    ----------
    n : int
        Number of nodes, at least 1. Up to 26 are named A, B, …; more are
        named X1, X2, …
    edge_probability : float
        In [0, 1]: the probability of each of the n (n - 1) / 2 edges from an
        earlier to a later node, independently.
    rng : numpy.random.Generator or int
        The source of randomness, or a seed for one. It has no default, so that
        every draw can be repeated.

    Returns
    -------
    networkx.DiGraph

    Raises
    ------
    TypeError
        If `n` is not a whole number, or `edge_probability` not a number.
    GraphError
        If `n` is less than 1.
    ProbabilityError
        If `edge_probability` is not in [0, 1].

    Examples
    --------
    >>> sorted(random_dag(3, 1, rng=0).edges)
    [('A', 'B'), ('C', 'A'), ('C', 'B')]
    """
    few = f"A graph has 1, 2, 3, … nodes, not {n!r}."
    if isinstance(n, bool) or not isinstance(n, Integral):
        raise TypeError(few)
    if n < 1:
        raise GraphError(few)
    wrong = f"An edge's probability is in [0, 1], not {edge_probability!r}."
    if not isinstance(edge_probability, Real):
        raise TypeError(wrong)
    if not 0 <= edge_probability <= 1:
        raise ProbabilityError(wrong)
    rng = as_rng(rng)
    names = ascii_uppercase if n <= 26 else [f"X{i + 1}" for i in range(n)]
    order = rng.permutation(n)
    present = np.triu(rng.random((n, n)) < edge_probability, k=1)
    graph = nx.DiGraph()
    graph.add_nodes_from(names[:n])
    graph.add_edges_from(
        (names[order[i]], names[order[j]]) for i, j in np.argwhere(present)
    )
    return graph
