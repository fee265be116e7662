"""Structures from tables of mutual information: trees and k parents."""

from __future__ import annotations

import numpy as np

from bayesbook.graphs.forests import maximum_forest


def comparable(information):
    """Return rounded information of rows, on average, for comparisons.

    Numbers that differ only by rounding errors are a tie on every machine,
    and one that is 0 up to rounding errors is 0.
    """
    return np.round(information, 12)


def tree_parents(information, root):
    """Return the parent of each column in the maximum spanning tree.

    Parameters
    ----------
    information : array of shape (M, M)
        Of each pair of columns, in bits.
    root : int
        Edges point away from it; in every other part of a forest, from its
        first column.

    Returns
    -------
    tuple of M tuples
        Each holds one number, or none.
    """
    columns = sorted(range(len(information)), key=lambda m: m != root)
    parent_of = {
        child: (parent,)
        for parent, child in maximum_forest(comparable(information), columns)
    }
    return tuple(parent_of.get(m, ()) for m in range(len(information)))


def k_parents(class_information, information, k):
    """Return up to k parents of each column, among those that tell more.

    Parameters
    ----------
    class_information : array of shape (M,)
        Of each column with the class, in any unit. Columns that tell more
        about the class come first; on ties the first.
    information : array of shape (M, M)
        Of each pair of columns, given the class.
    k : int

    Returns
    -------
    order : list of M ints
    parents : tuple of M tuples
        Of the columns before it, each has the k that tell most about it as
        parents; a column that tells nothing about it is not a parent.
    """
    order = np.argsort(-comparable(class_information), kind="stable").tolist()
    weights = comparable(information)
    parents = {}
    for place, column in enumerate(order):
        # The order of the columns decides on ties: `sorted` is stable.
        before = sorted(order[:place])
        best = sorted(before, key=lambda m: -weights[m, column])[:k]
        parents[column] = tuple(m for m in best if weights[m, column] > 0)
    return order, tuple(parents[m] for m in range(len(order)))
