"""Chow-Liu trees: the best graph in which nodes have one parent or none.

References
----------
Chow and Liu (1968), Approximating discrete probability distributions with
dependence trees. Edmonds (1967), Optimum branchings. Friedman, Geiger and
Goldszmidt (1997), Bayesian network classifiers.
"""

from __future__ import annotations

from itertools import permutations

import networkx as nx
import numpy as np

from bayesbook.base import GraphError
from bayesbook.graphs.forests import maximum_forest
from bayesbook.network.learning._edge_constraints import EdgeConstraints
from bayesbook.network.learning._move_scores import ScoredGraph, ScoredMove
from bayesbook.network.learning._search_state import SearchState, take_step
from bayesbook.network.learning.decomposable import Score, require_node
from bayesbook.network.learning.parameters import Data, Weights
from bayesbook.network.learning.search_path import SearchRun

__all__ = ["tree_search"]


def tree_search(
    data: Data | None,
    score: str | Score = "bic",
    *,
    weights: Weights | None = None,
    root: str | None = None,
    class_node: str | None = None,
) -> SearchRun:
    r"""Find the best forest: the graph in which nodes have one parent or none.

    An edge i → j raises the score by

    .. math:: w_{ij} = s(x_j, \{i\}) - s(x_j, \emptyset),

    whatever the other edges are. So the best forest is one of greatest weight:
    for a score that is equal in both directions a maximum spanning tree, as
    Chow and Liu (1968) found for the likelihood, where :math:`w_{ij}` is m
    times the mutual information; otherwise, as for K2, a maximum branching
    (Edmonds 1967). Edges that do not raise the score are left out: with a
    penalty the tree may fall apart.

    With a class node all other nodes get it as a parent, and the weights are
    those given the class: tree-augmented naive Bayes, found by likelihood by
    Friedman, Geiger and Goldszmidt (1997).

    Parameters
    ----------
    data, score, weights
        See :func:`hill_climb`.
    root : str, optional
        The edges of its tree point away from it; in each other tree, or by
        default, from the node whose name comes first.
    class_node : str, optional
        A parent of all other nodes.

    Returns
    -------
    SearchRun
        Its path adds the edges of the class, and then the heaviest edge first.

    Raises
    ------
    TypeError, ProbabilityError
        As for the score and the data.
    GraphError
        If the root or the class is not a column, or both are the same.
    TableTooLargeError
        If the table of a node with its parents would not fit.

    See Also
    --------
    bayesbook.naive_bayes.TAN : the classifier.
    bayesbook.data.pairwise_information : the mutual information of columns.

    Examples
    --------
    >>> from bayesbook.data import load_watermelon
    >>> melons = load_watermelon("2.0")
    >>> run = tree_search(melons, "log-likelihood", root="good")
    >>> for step in run.path:
    ...     print(step)
    add navel → root: +6.858
    add texture → navel: +6.45
    add root → knock: +6.225
    add navel → color: +4.995
    add good → texture: +4.485
    add navel → touch: +3.367
    """
    max_parents = 1 if class_node is None else 2
    state = SearchState(data, score, (), (), max_parents, weights)
    for name, what in ((root, "root"), (class_node, "class")):
        if name is not None:
            require_node(name, state.score.names, f"The {what} ")
    if root is not None and root == class_node:
        raise GraphError(
            f"{root!r} cannot be both the class and the root: the class is "
            "in no tree."
        )
    here = state.begin(None)
    for edge in _class_edges(state.constraints, class_node):
        state.path.append(take_step(here, _addition(here, *edge)))
    for edge in _best_forest(here, root, class_node):
        state.path.append(take_step(here, _addition(here, *edge)))
    return state.result(here)


def _class_edges(
    constraints: EdgeConstraints, class_node: str | None
) -> list[tuple[int, int]]:
    if class_node is None:
        return []
    tail = constraints.index[class_node]
    heads = range(len(constraints.names))
    return [(tail, head) for head in heads if head != tail]


def _addition(graph: ScoredGraph, tail: int, head: int) -> ScoredMove:
    """Return the move that adds an edge, whether it pays or not."""
    names, before = graph.constraints.names, graph.parents[head]
    after = before | {names[tail]}
    score = graph.score
    gain = score.local(names[head], after) - score.local(names[head], before)
    return ScoredMove(gain, "add", tail, head)


def _best_forest(
    graph: ScoredGraph, root: str | None, class_node: str | None
) -> list[tuple[int, int]]:
    """Return the edges of a forest of greatest weight, the heaviest first."""
    names = graph.constraints.names
    in_trees = [m for m, name in enumerate(names) if name != class_node]
    if root is not None:
        in_trees.sort(key=lambda m: names[m] != root)
    # Weights that differ by roundings are a tie.
    weights = np.round(graph.gains / graph.rounding) * graph.rounding
    if graph.score.is_score_equivalent:
        edges = maximum_forest(weights, in_trees)
    else:
        pairs = nx.DiGraph()
        pairs.add_weighted_edges_from(
            (tail, head, weights[tail, head])
            for tail, head in permutations(in_trees, 2)
            if weights[tail, head] > 0 and names[head] != root
        )
        edges = nx.maximum_branching(pairs).edges
    return sorted(edges, key=lambda edge: (-weights[edge], edge))
