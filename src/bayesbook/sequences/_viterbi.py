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
# Up to this many scores of a step are compared at once, not state by state.
_FEW = 256


def best_paths(chain: Chain) -> tuple[np.ndarray, np.ndarray]:
    """Return the most probable paths, and log P(path, x) of each sequence.

    Raises
    ------
    ZeroProbabilityError
        If a sequence is impossible; the message names the position.
    """
    log_A, K = log_of(chain.transition), len(chain.start)
    lanes = chain.lanes() if K <= _MANY else _whole(chain)
    start = np.tile(log_of(chain.start), (len(lanes.first), 1))
    if lanes.has_products():
        _begin_best(start, lanes, _best_products(chain, lanes, log_A), log_A)
    pointer = np.zeros(chain.logs.shape, dtype=np.intp)
    best = np.empty_like(chain.logs)
    rows, bounds = lanes.forwards()
    logs, state = chain.logs[rows], start
    if len(start) == 1:
        _walk(start[0], log_A, logs, best, pointer)
        bounds = []
    for step, (begin, end) in enumerate(bounds):
        if step:
            state, pointer[begin:end] = _best_step(state[: end - begin], log_A)
        state = state + logs[begin:end]
        best[begin:end] = state
    best, pointer = put_back(best, rows), put_back(pointer, rows)
    top = best.max(axis=1)
    if np.isneginf(top).any():
        raise impossible(chain, int(np.argmax(np.isneginf(top))))
    # Between the lanes.
    joints = lanes.first[lanes.follows >= 0]
    if len(joints):
        _, pointer[joints] = _best_step(best[joints - 1], log_A)
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
    if state.size * len(log_A) ** 2 < _FEW * len(log_A) or len(log_A) > 8:
        scores = state[:, None, :] + log_A.T
        pointer = scores.argmax(axis=2)
        best = np.take_along_axis(scores, pointer[:, :, None], axis=2)
        return best[:, :, 0], pointer
    best = state[:, :1] + log_A[0]
    pointer = np.zeros(best.shape, dtype=np.intp)
    for i in range(1, len(log_A)):
        scores = state[:, i : i + 1] + log_A[i]
        better = scores > best
        np.copyto(best, scores, where=better)
        pointer[better] = i
    return best, pointer


def _best_products(chain, lanes, log_A):
    """Return the best scores from each state to each through all lanes."""
    K = len(log_A)
    rows, bounds = lanes.forwards()
    logs, m = chain.logs[rows], bounds[0][1]
    product = log_of(np.eye(K)) + logs[:m, None, :]
    done = np.empty((m, K, K))
    for begin, end in bounds[1:]:
        n = end - begin
        done[n : len(product)] = product[n:]
        product = product[:n]
        moved = product[:, :, :1] + log_A[0]
        for i in range(1, K):
            np.maximum(moved, product[:, :, i : i + 1] + log_A[i], out=moved)
        product = moved + logs[begin:end, None, :]
    done[: len(product)] = product
    return done


def _begin_best(begin, lanes, products, log_A):
    for lane in lanes.order:
        before = lanes.follows[lane]
        if before >= 0:
            state = (begin[before][:, None] + products[before]).max(axis=0)
            begin[lane] = (state[:, None] + log_A).max(axis=0)


def _trace(best, pointer, firsts, ends):
    """Follow the pointers from the best ends."""
    K = best.shape[1]
    path, come_from = [0] * len(best), _quick_to_read(pointer)
    last_states = best[ends - 1].argmax(axis=1).tolist()
    for first, end, state in zip(
        firsts.tolist(), ends.tolist(), last_states, strict=True
    ):
        for row in range(end - 1, first - 1, -1):
            path[row] = state
            state = come_from[row * K + state]
    return np.array(path)


def _quick_to_read(numbers):
    """Return small numbers in a form that Python reads one by one."""
    if numbers.max() < 256:
        return numbers.astype(np.uint8).tobytes()
    return numbers.ravel().tolist()
