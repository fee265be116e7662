"""Barren nodes that make a junction tree large, solved apart.

A node is barren if neither it nor a descendant is observed: it tells nothing
about the others, whose posteriors are the same without it (Shachter 1986;
Koller and Friedman 2009, section 9.3). Its parents are joined all the same
when the graph is made moral, and one such family may make all cliques large.
Then two trees are better than one: that of the nodes without it, and another
in which only it is asked for. There messages go one way; and if the nodes that
no evidence touches are eliminated first, most are sent once for all evidence.
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

# A tree with fewer cells is not worth the search.
_LARGE = 1_000_000
# So many barren nodes whose parents are in no common clique are tried.
_MOST_TRIED = 12
# Those with which a tree grows by more than this share of the whole are solved
# apart.
_GROWTH = 0.02
# How many times the cells of one tree two may have: those that are worked on
# for each evidence, and all.
_WORK, _ROOM = 1, 2


class Part(NamedTuple):
    """What is solved with one tree."""

    tree: Cliques
    #: The nodes whose tables are used.
    nodes: int
    #: The nodes whose marginals are wanted, or -1 for all.
    asked: int


def parts_of(families, order, sizes, hard: int, soft: int, whole: Cliques):
    """Return which barren nodes are better solved apart.

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
    list of Part
        Two, if they are about half of the work; otherwise none.
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
    return [Part(main, together, -1), Part(tree, nodes, apart)]


def _together(families, order, sizes, hard, known, growth):
    """Add to the ancestors of the evidence what lets the tree grow little."""
    nodes = _ancestral(known, families)
    tree = _attempt(families, sizes, nodes, hard)
    members, misfits = list(tree.members), []
    for node in order:
        own = 1 << node
        if nodes & own:
            continue
        family = families[node] & ~hard
        parents = family ^ own
        if parents & ~nodes == 0 and any(
            parents & ~clique == 0 for clique in members
        ):
            nodes |= own
            members.append(family)
        else:
            misfits.append(node)
        if len(misfits) > _MOST_TRIED:
            return (1 << len(families)) - 1
    tree = _attempt(families, sizes, nodes, hard)
    for node in misfits:
        own = 1 << node
        if families[node] & ~hard & ~nodes == own:
            larger = _attempt(families, sizes, nodes | own, hard)
            if larger.n_cells - tree.n_cells <= growth:
                nodes, tree = nodes | own, larger
    return nodes


def _aside(families, sizes, nodes, hard, soft, apart):
    """Yield trees that are good for the nodes apart.

    What the evidence touches is eliminated last, so that it is in the middle
    of the tree, and the parts without evidence hang around it.

    Yields
    ------
    tree : Cliques
    n_moved : int
        How many cells the cliques have that the evidence may change.
    """
    touched, own = soft, 0
    for node in bits(nodes):
        if families[node] & hard:
            touched |= families[node]
        if apart >> node & 1:
            own |= families[node]
    for asked, heuristic in product((apart, own), ("min-fill", "min-weight")):
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
            for node, own in plan.slices.items():
                self.slices[node] = slice(
                    self.n_outputs + own.start, self.n_outputs + own.stop
                )
            self.n_outputs += plan.n_outputs

    @property
    def n_rows(self):
        """How many rows of evidence they have arrays for."""
        return max(plan.n_rows for plan in self.plans)

    @property
    def n_bytes(self):
        """How many bytes they have taken."""
        return sum(plan.n_bytes for plan in self.plans)

    def run(self, codes, weights, rows=None, *, distribute=True):
        """Propagate evidence; see :meth:`Plan.run`."""
        first, *others = self.plans
        total, outputs = first.run(codes, weights, rows, distribute=distribute)
        if outputs is None:
            return total, None
        found = [outputs]
        for plan in others:
            own, outputs = plan.run(codes, weights, rows)
            # What one of them is not sure of is computed again.
            total = np.where(np.isnan(own), np.nan, total)[()]
            if outputs is None:
                return total, None
            found.append(outputs)
        return total, np.concatenate(found)
