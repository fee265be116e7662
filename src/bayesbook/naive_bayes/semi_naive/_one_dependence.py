"""All models with one super-parent at once.

The rows are written in a matrix with a column for each state of each feature,
1 where the feature is in that state. Then one product with the table of the
logarithms of P(x_j | c, x_i), of all pairs of states, adds up the factors of
every such model, for every state that its super-parent might have. If there
are many states, most of these sums are not needed, and it is faster to look up
the single factors.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from bayesbook.data import offsets
from bayesbook.data.row_blocks import chunks
from bayesbook.naive_bayes._log_tables import log_product
from bayesbook.naive_bayes._smoothing import log_proportions
from bayesbook.naive_bayes._state_counts import column_totals

# Numbers in the arrays for the rows of a chunk: they stay in the cache.
_ENTRIES = 2**19
# From this many states for each column on, looking up factors is faster.
_MANY_STATES = 10


def conditional_logs(pairs, first, settings):
    """Return the factors of all models with one super-parent.

    Parameters
    ----------
    pairs : PairCounts
    first : array of shape (K, S)
        The logarithm of the first factor, for each state of a super-parent.
    settings : dict

    Returns
    -------
    array of shape (K, S, S)
        log P(x_j | c, x_i), the state of the super-parent x_i first. For
        j = i, where it would depend on itself, there is the first factor.
    """
    n_states = np.array(pairs.n_states)
    column = np.repeat(np.arange(len(n_states)), n_states)
    within = column[:, None] == column
    logs = log_proportions(
        # Within a column these are not factors: any count will do.
        np.where(within, 1.0, pairs.table),
        column_totals(pairs.table, pairs.n_states),
        n_states[column],
        settings["alpha"],
        settings["estimate"],
    )
    logs[:, within] = 0
    states = np.arange(len(column))
    logs[:, states, states] = first
    return logs


def joint_by_super_parent(codes, logs, n_states):
    """Yield log p(c, x) by each model, for some rows at a time.

    A missing column is summed over its states. Where it is not the
    super-parent, that is the factor 1.

    Parameters
    ----------
    codes : int array of shape (n, M)
        Negative where a value is missing.
    logs : array of shape (K, S, S)
        See `conditional_logs`.
    n_states : sequence of M ints

    Yields
    ------
    rows : slice
    joint : array of shape (rows, K, M)
        The last axis is that of the super-parents.
    """
    starts = offsets(n_states)
    (K, S, _), M = logs.shape, len(n_states)
    if (codes < 0).any():
        add, per_row = _marginalise, 2 * S * (K + 1)
    elif S < _MANY_STATES * M:
        add, per_row = _multiply, S * (K + 1)
    else:
        add, per_row = _gather, 2 * M * M
    for rows in chunks(len(codes), max(1, _ENTRIES // per_row)):
        yield rows, add(codes[rows], logs, starts)


def _multiply(codes, logs, starts):
    """Return the sums of factors, computed for all states."""
    places = codes + starts[:-1]
    is_state = np.zeros((len(codes), starts[-1]))
    np.put_along_axis(is_state, places, 1, axis=1)
    sums = _sums_by_state(is_state, logs)
    return np.take_along_axis(sums, places[:, None, :], axis=2)


def _marginalise(codes, logs, starts):
    """Return the sums of factors, in which missing columns are summed out."""
    is_known = codes >= 0
    rows, columns = np.nonzero(is_known)
    is_state = np.zeros((len(codes), starts[-1]))
    is_state[rows, codes[rows, columns] + starts[columns]] = 1
    sums = _sums_by_state(is_state, logs)
    first = np.diagonal(logs, axis1=1, axis2=2)
    result = np.empty((*sums.shape[:2], codes.shape[1]))
    for m, known in enumerate(is_known.T):
        own = slice(starts[m], starts[m + 1])
        result[known, :, m] = sums[known, :, codes[known, m] + starts[m]]
        result[~known, :, m] = logsumexp(
            sums[~known, :, own] + first[:, own], axis=2
        )
    return result


def _sums_by_state(is_state, logs):
    """Return the sums of factors, for each state of a super-parent."""
    K, S, _ = logs.shape
    sums = log_product(is_state, logs.reshape(K * S, S))
    return sums.reshape(len(is_state), K, S)


def _gather(codes, logs, starts):
    """Return the sums of factors, looked up for the states of each row."""
    places = codes + starts[:-1]
    cells = places[:, :, None] * logs.shape[-1] + places[:, None, :]
    return np.stack([own.take(cells).sum(axis=2) for own in logs], axis=1)
