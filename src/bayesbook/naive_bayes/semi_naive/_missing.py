r"""Missing columns, summed over all their states.

.. math:: p(c, x_O) = \sum_{x_M} p(c) \prod_j p(x_j \mid c, x_{\mathrm{pa}(j)})

A factor without a missing column stands in front of the sum. A missing column
on which no observed one depends, directly or through others, adds the factor
1. The others are summed out one after the other, children before their
parents: variable elimination, in logarithms, for all rows in which the same
columns are missing.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from bayesbook.base.labels import require_size
from bayesbook.data.row_blocks import chunks

# Entries of the largest factor, for the rows that are summed together.
_ENTRIES = 2**20


def log_sums_over_missing(codes, logs, parents, order):
    """Return the logarithm of the sum of the factors with a missing column.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Negative where a value is missing.
    logs : sequence of M arrays
        The logarithms of the factors; the axes are the class, the parents,
        and the column itself.
    parents : sequence of M tuples
    order : sequence of M ints
        The columns, parents before their children.

    Returns
    -------
    array of shape (n, K)
    """
    result = np.zeros((len(codes), len(logs[0])))
    patterns, group = np.unique(codes < 0, axis=0, return_inverse=True)
    for number, missing in enumerate(patterns):
        needed = _observed_or_ancestors(missing, parents, order)
        families = [m for m in needed if missing[[*parents[m], m]].any()]
        if not families:
            continue
        rows = np.flatnonzero(group.ravel() == number)
        largest = max(logs[m].size for m in families)
        for part in chunks(len(rows), max(1, _ENTRIES // largest)):
            own = codes[rows[part]]
            factors = [
                _factor(own, logs[m], (*parents[m], m), missing)
                for m in families
            ]
            for m in needed:
                if missing[m]:
                    factors = _sum_out(m, factors)
            result[rows[part]] = sum(values for _, values in factors)
    return result


def _observed_or_ancestors(missing, parents, order):
    """Return the observed columns and their ancestors, children first."""
    needed = ~missing
    children_first = list(reversed(order))
    for m in children_first:
        if needed[m]:
            needed[list(parents[m])] = True
    return [m for m in children_first if needed[m]]


def _factor(codes, logs, family, missing):
    """Return the missing columns of a factor, and its values in each row.

    The axes of the values are the row, the class, and the missing columns in
    rising order.
    """
    free = sorted(m for m in family if missing[m])
    seen = [m for m in family if not missing[m]]
    axes = [1 + family.index(m) for m in (*seen, *free)]
    table = np.transpose(logs, (*axes[: len(seen)], 0, *axes[len(seen) :]))
    values = table[tuple(codes[:, m] for m in seen)] if seen else table[None]
    return tuple(free), values


def _sum_out(column, factors):
    """Return the factors after a sum over all states of a column."""
    own = [factor for factor in factors if column in factor[0]]
    others = [factor for factor in factors if column not in factor[0]]
    scope = sorted({m for columns, _ in own for m in columns})
    aligned = [
        np.expand_dims(
            values, [2 + i for i, m in enumerate(scope) if m not in columns]
        )
        for columns, values in own
    ]
    shape = np.broadcast_shapes(*(values.shape for values in aligned))
    require_size(
        shape,
        "float",
        "The table that sums missing columns out",
        remedy="Fill values in, or take fewer parents.",
    )
    place = scope.index(column)
    values = logsumexp(sum(aligned), axis=2 + place)
    return [*others, (tuple(scope[:place] + scope[place + 1 :]), values)]
