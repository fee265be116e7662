"""The most probable paths of hidden Markov models (Viterbi 1967).

Sums of logarithms, with maxima in place of sums, so that nothing is too small.
"""

from __future__ import annotations

import numpy as np

from bayesbook.sequences._lanes import Lanes
from bayesbook.sequences._recursions import (
    Chain,
    impossible,
    log_of,
    put_back,
)

# With more states, products of matrices cost more than they save.
_MANY = 16


def best_paths(chain: Chain) -> tuple[np.ndarray, np.ndarray]:
    """Return the most probable paths, and log P(path, x) of each sequence.

    Raises
    ------
    ZeroProbabilityError
        If a sequence is impossible; the message names the position.
    """
    log_A, K = log_of(chain.transition), len(chain.start)
    lanes = chain.lanes() if K <= _MANY else _whole(chain)
    rows, bounds = lanes.forwards()
    # A row for each state, so that numpy's loops run along the lanes.
    logs = np.ascontiguousarray(chain.logs[rows].T)
    start = np.tile(log_of(chain.start)[:, None], len(lanes.first))
    if lanes.has_products():
        _begin_best(start, lanes, _best_products(logs, bounds, log_A), log_A)
    best = np.empty_like(logs)
    pointer = np.zeros(logs.shape, np.min_scalar_type(K))
    if start.shape[1] == 1:
        _walk(start[:, 0], log_A, logs.T, best.T, pointer.T)
        bounds = []
    state = start
    for step, (begin, end) in enumerate(bounds):
        if step:
            state, come_from = _best_step(state[:, : end - begin], log_A)
            pointer[:, begin:end] = come_from
        state = state + logs[:, begin:end]
        best[:, begin:end] = state
    best, pointer = put_back(best.T, rows), put_back(pointer.T, rows)
    top = best.max(axis=1)
    if np.isneginf(top).any():
        raise impossible(chain, int(np.argmax(np.isneginf(top))))
    # Between the lanes.
    joints = lanes.first[lanes.follows >= 0]
    if len(joints):
        pointer[joints] = _best_step(best[joints - 1].T, log_A)[1].T
    ends = np.cumsum(chain.sizes)
    return _trace(best, pointer, chain.firsts(), ends), top[ends - 1]


def _walk(start, log_A, logs, best, pointer):
    """Fill in the best scores of one lane, and from where they come."""
    into, scores = np.ascontiguousarray(log_A.T), np.empty_like(log_A)
    number = np.arange(len(log_A))
    state = best[0] = start + logs[0]
    for t in range(1, len(logs)):
        np.add(into, state, out=scores)
        come_from = pointer[t] = scores.argmax(axis=1)
        state = best[t] = scores[number, come_from] + logs[t]


def _whole(chain):
    return Lanes(chain.sizes, int(chain.sizes.max()))


def _best_step(state, log_A):
    """Return the best scores after a step, and from where they come."""
    if state.shape[1] < len(log_A):  # compared all at once, not in turn
        scores = state[:, None, :] + log_A[:, :, None]
        return scores.max(axis=0), scores.argmax(axis=0)
    best = state[0] + log_A[0][:, None]
    pointer = np.zeros(best.shape, np.min_scalar_type(len(log_A)))
    for i in range(1, len(log_A)):
        scores = state[i] + log_A[i][:, None]
        np.copyto(pointer, i, where=scores > best)
        np.maximum(best, scores, out=best)
    return best, pointer


def _best_products(logs, bounds, log_A):
    """Return the best scores from each state to each through all lanes."""
    K, n_lanes = len(log_A), bounds[0][1]
    product = log_of(np.eye(K))[:, :, None] + logs[:, :n_lanes]
    done = np.empty_like(product)
    for begin, end in bounds[1:]:
        n = end - begin
        done[:, :, n : product.shape[2]] = product[:, :, n:]
        product = product[:, :, :n]
        moved = product[:, :1] + log_A[0][:, None]
        for i in range(1, K):
            scores = product[:, i : i + 1] + log_A[i][:, None]
            np.maximum(moved, scores, out=moved)
        product = moved + logs[:, begin:end]
    done[:, :, : product.shape[2]] = product
    return done


def _begin_best(begin, lanes, products, log_A):
    for lane in lanes.order:
        before = lanes.follows[lane]
        if before >= 0:
            ways = begin[:, before, None] + products[:, :, before]
            begin[:, lane] = (ways.max(axis=0)[:, None] + log_A).max(axis=0)


def _trace(best, pointer, firsts, ends):
    """Follow the pointers from the best ends."""
    K = best.shape[1]
    # In this form Python reads numbers one by one most quickly.
    is_small = pointer.itemsize == 1
    come_from = pointer.tobytes() if is_small else pointer.ravel().tolist()
    path = [0] * len(best)
    last_states = best[ends - 1].argmax(axis=1).tolist()
    for first, end, state in zip(
        firsts.tolist(), ends.tolist(), last_states, strict=True
    ):
        for row in range(end - 1, first - 1, -1):
            path[row] = state
            state = come_from[row * K + state]
    return np.array(path)
