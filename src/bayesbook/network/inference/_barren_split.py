"""A separate junction tree for barren nodes that make the tree large.

A node is barren if neither it nor a descendant is observed: the posteriors of
the other nodes are the same without it (Shachter 1986; Koller and Friedman
2009, section 9.3). But the moral graph joins its parents, and one such family
may make all cliques large. Then two trees are better than one: a tree of the
nodes without it, and another in which only its own marginal is computed. In
the second tree messages go one way; and if the nodes without evidence are
eliminated first, most messages are the same for all evidence.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from bayesbook.network.inference.triangulation import (
    Cliques,
    bits,
    clique_tree,
    eliminate_nodes,
    moralise,
    triangulate,
)

# Smaller trees are not split.
_LARGE = 1_000_000
# The largest number of barren nodes that are tried one by one.
_MOST_TRIED = 12
# A node gets the second tree if the first would grow by more than this share
# of the whole.
_GROWTH = 0.02
# The cells of two trees, as multiples of those of one: of the cells that are
# computed for each evidence, and of all.
_WORK, _ROOM = 1, 2


class PartOfNetwork(NamedTuple):
    """Nodes whose marginals are computed with one tree."""

    tree: Cliques
    #: The set of nodes whose tables are used.
    nodes: int
    #: The set of nodes whose marginals are wanted, or -1 for all.
    asked: int


def parts_of(families, order, sizes, hard: int, soft: int, whole: Cliques):
    """Split the network if a tree of their own for barren nodes is less work.

    Parameters
    ----------
    families : list of int
        For each node the set of itself and its parents.
    order : sequence of int
        All nodes, parents first.
    sizes : list of int
        The number of states of each node.
    hard, soft : int
        The sets of nodes with an observed state, and with weights of states.
    whole : Cliques
        The tree of all nodes that are not observed.

    Returns
    -------
    list of PartOfNetwork
        Two, if they take about half of the work; otherwise none.
    """
    known = hard | soft
    if whole.n_cells < _LARGE or not known:
        return []
    growth = _GROWTH * whole.n_cells
    together = _together(families, order, sizes, hard, known, growth)
    apart = (1 << len(families)) - 1 & ~together
    if not apart:
        return []
    main = triangulate(
        [families[node] & ~hard for node in bits(together)],
        sizes,
        together & ~hard,
    )
    nodes = _ancestral(known | apart, families)
    most = _ROOM * whole.n_cells - main.n_cells
    trees = [
        (tree, n_moved)
        for tree, n_moved in _aside(families, sizes, nodes, hard, soft, apart)
        if tree.n_cells <= most
    ]
    if not trees:
        return []
    tree, n_moved = min(trees, key=lambda found: found[1])
    # In the first tree messages go both ways.
    if 2 * main.n_cells + n_moved > _WORK * whole.n_cells:
        return []
    return [
        PartOfNetwork(main, together, -1),
        PartOfNetwork(tree, nodes, apart),
    ]


def _together(families, order, sizes, hard, known, growth):
    """Add nodes to the ancestors of the evidence if the tree grows little."""
    nodes = _ancestral(known, families)
    tree = _attempt(families, sizes, nodes, hard)
    members, misfits = list(tree.members), []
    for node in order:
        bit = 1 << node
        if nodes & bit:
            continue
        family = families[node] & ~hard
        parents = family ^ bit
        if parents & ~nodes == 0 and any(
            parents & ~clique == 0 for clique in members
        ):
            nodes |= bit
            members.append(family)
        else:
            misfits.append(node)
        if len(misfits) > _MOST_TRIED:
            return (1 << len(families)) - 1
    tree = _attempt(families, sizes, nodes, hard)
    for node in misfits:
        bit = 1 << node
        if families[node] & ~hard & ~nodes == bit:
            larger = _attempt(families, sizes, nodes | bit, hard)
            if larger.n_cells - tree.n_cells <= growth:
                nodes, tree = nodes | bit, larger
    return nodes


def _aside(families, sizes, nodes, hard, soft, apart):
    """Yield trees suited to the separated nodes.

    Nodes in a family with evidence are eliminated last, so that they are in
    the middle of the tree, with the parts without evidence around them.

    Yields
    ------
    tree : Cliques
    n_moved : int
        The number of cells in cliques that the evidence may change.
    """
    touched, families_apart = soft, 0
    for node in bits(nodes):
        if families[node] & hard:
            touched |= families[node]
        if apart >> node & 1:
            families_apart |= families[node]
    for asked, heuristic in product(
        (apart, families_apart), ("min-fill", "min-weight")
    ):
        last = (touched | asked) & ~hard
        tree = _attempt(families, sizes, nodes, hard, heuristic, last)
        n_moved = sum(
            prod(sizes[node] for node in bits(tree.members[i]))
            for i in {tree.home[node] for node in bits(last)}
        )
        yield tree, n_moved


def _ancestral(nodes, families):
    """Return a set of nodes with all ancestors."""
    found, new = 0, nodes
    while new:
        found |= new
        around = 0
        for node in bits(new):
            around |= families[node]
        new = around & ~found
    return found


def _attempt(families, sizes, nodes, hard, heuristic="min-fill", last=0):
    """Triangulate once."""
    neighbours = moralise(
        (families[node] & ~hard for node in bits(nodes)), len(sizes)
    )
    found = eliminate_nodes(
        neighbours, sizes, nodes & ~hard, heuristic, last=last
    )
    return clique_tree(*found, sizes)


class PlanOfParts:
    """Plans that are run one after the other, each for some of the nodes."""

    def __init__(self, plans):
        self.plans = plans
        self.n_cells = sum(plan.n_cells for plan in plans)
        self.slices, self.n_outputs = {}, 0
        for plan in plans:
            for node, place in plan.slices.items():
                self.slices[node] = slice(
                    self.n_outputs + place.start, self.n_outputs + place.stop
                )
            self.n_outputs += plan.n_outputs

    @property
    def n_rows(self):
        """The number of rows of evidence that they have arrays for."""
        return max(plan.n_rows for plan in self.plans)

    @property
    def n_bytes(self):
        """The number of bytes that they hold."""
        return sum(plan.n_bytes for plan in self.plans)

    def run(self, codes, weights, rows=None, *, distribute=True):
        """Propagate evidence as one plan does.

        See :meth:`~bayesbook.network.inference.message_passing.Plan.run`.
        """
        first, *others = self.plans
        total, outputs = first.run(codes, weights, rows, distribute=distribute)
        if outputs is None:
            return total, None
        found = [outputs]
        for plan in others:
            total_of_part, outputs = plan.run(codes, weights, rows)
            # NaN of one plan: the row is computed again with logarithms.
            total = np.where(np.isnan(total_of_part), np.nan, total)[()]
            if outputs is None:
                return total, None
            found.append(outputs)
        return total, np.concatenate(found)
